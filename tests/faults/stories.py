# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Stories: a habit of the service with one thing going wrong, and a third task that has nothing to do with it.

And with a log that is not empty at the start, with an edit just before it, with values that differ by case or blanks,
and with several sets at one name. A story is a scenario whose number comes after those of the two tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from going_wrong import HABITS, LATE, habits_of
from tasks import ALIAS_A, CAA, FIRSTS, FTP, MX, NEW, TXT, WWW, First, Key
from worlds import PLAIN

from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import STALE

STORY_KEYS: dict[str, Key] = {
    "TXT replaced": TXT,
    "TXT other case": TXT,
    "TXT blanks": TXT,
    "TXT with a TTL": TXT,
    "MX exactly": MX,
    "MX with a TTL": MX,
    "MX preference": MX,
    "CNAME to A": ALIAS_A,
    "CAA other case": CAA,
    "three sets": FTP,
}
"""The set that people write to by hand; of other tasks it is that of www."""
STORY_TASKS = (
    *("A exactly 3", "A exactly 1 3", "A add 3", "A remove 1", "A absent"),
    *("A other TTL", "A other TTL and value", "A to CNAME", "two sets", "two zones"),
    *("an owner", "prune", *STORY_KEYS),
)
DUPLICATES = ("", "409 for what is there", "422 for what is there")
LOGS = ("young", "old", "begun", "redirected")


def _of_habits() -> Iterator[tuple[str, First]]:
    for habit in ("", *HABITS):
        for task in STORY_TASKS:
            if (habit, task) == ("MX without preference", "MX preference"):
                continue  # which of two preferences is there, nobody can know
            if habits_of(*filter(None, [habit])).cache > STALE:
                continue  # what is added by hand is seen too late
            yield habit, First(task, STORY_KEYS.get(task, WWW), ("the same",))


def _of_logs() -> Iterator[tuple[str, First]]:
    tasks = ("A exactly 3", "A exactly 1 3", "A add 3", "A other TTL", "two sets", "three sets")
    for habit in DUPLICATES:
        for log in LOGS:
            for task in (*tasks, "A absent", "unrelated"):
                yield habit, First(task, WWW, ("the same",), log=log)


def _of_next_tasks() -> Iterator[tuple[str, First]]:
    pairs = (
        ("A exactly 1 3", "another set"),
        ("three sets", "unrelated"),
        ("A exactly 3", "A exactly 1 2"),
        ("two sets", "unrelated"),
        ("three sets", "A exactly 1 2"),
        ("A exactly 3", "A absent"),
        ("A to CNAME", "A exactly 1 2"),
    )
    for habit in ("", "422 for what is there", "keeps its own TTL"):
        for task, following in pairs:
            yield habit, First(task, STORY_KEYS.get(task, WWW), (following,))


def _of_undone() -> Iterator[tuple[str, First]]:
    """What a task has just added, the next one removes: a stale snapshot shows the set from before both."""
    for habit in ("", *sorted(LATE)):
        if habits_of(*filter(None, [habit])).cache <= STALE:
            yield habit, First("A add 3", WWW, ("A exactly 1 2",))


def _of_unproven() -> Iterator[tuple[str, First]]:
    """Nothing shows that the DELETE of the first task took effect. It comes after that of the next one."""
    for habit in ("", "levels TTLs", "shows a write 10 s later, on every other read"):
        yield habit, First("A other TTL", WWW, ("A remove 1",))


def _of_new_sets() -> Iterator[tuple[str, First]]:
    """A set that has just been added gets another TTL: a stale snapshot shows the zone without it."""
    for habit in ("", "shows a write 10 s later", "shows a write 10 s later, on every other read"):
        yield habit, First("unrelated", NEW, ("new with a TTL",), third="another set")


def _of_one_name() -> Iterator[tuple[str, First]]:
    habits = (
        "parses texts without quotes",
        "keeps quotes",
        "lowers CAA",
        "shows a write 10 s later",
    )
    for habit in (*DUPLICATES, *habits):
        for following in ("the same", "unrelated"):
            yield habit, First("apex", TXT, (following,))


def _of_letters() -> Iterator[tuple[str, First]]:
    for habit in ("", "lowers CAA"):
        yield habit, First("CAA capitals", CAA, ("CAA other case",))
        yield habit, First("CAA other case", CAA, ("CAA capitals",))
        yield habit, First("CAA capitals", CAA, ("CAA another",))


def _of_recent_edits() -> Iterator[tuple[str, First]]:
    """Somebody has just added a value to a set of which others are to stay: a stale snapshot hides it."""
    tasks = ("A add 3", "A remove 1", "A other TTL", "TXT replaced", "TXT other case", "an owner")
    for habit in ("", "shows a write 10 s later, on every other read"):
        for task in tasks:
            key = STORY_KEYS.get(task, WWW)
            yield habit, First(task, key, ("the same",), is_edited=True)


ADDS_NOTHING = "adds nothing"
ADDS_NO_VALUE = replace(PLAIN, refused=("*",), refused_status=500)


def _stories() -> Iterator[tuple[str, First]]:
    for habit, first in (
        *_of_habits(),
        *_of_logs(),
        *_of_next_tasks(),
        *_of_undone(),
        *_of_unproven(),
        *_of_new_sets(),
        *_of_one_name(),
        *_of_letters(),
        *_of_recent_edits(),
    ):
        habits = habits_of(habit) if habit else first.habits
        yield habit, replace(first, habits=habits, third=first.third or "unrelated")
    for task in ("two zones", "two sets", "three sets", "apex"):
        key = STORY_KEYS.get(task, WWW)
        yield ADDS_NOTHING, First(task, key, ("the same",), ADDS_NO_VALUE)


STORIES = tuple(_stories())
BEGINNINGS = (*FIRSTS, *(first for _habit, first in STORIES))
"""What a scenario begins with, by its first number."""


def habit_of(number: int) -> str:
    """The habit of the service in the story of this number."""
    return STORIES[number - len(FIRSTS)][0]
