# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is wrong with what came of a scenario, and whether anybody was told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from going_wrong import FAULTS
from stepping import IS_PENDING, Outcome, Played
from tasks import BY_HAND, START, DesiredSet
from worlds import OWNED, PLAIN, ZONES, Key, unquoted

NEW_TTL = 3600
TOLD, SET_TOLD, UNTOLD = "told", "told without the value", "untold"
UNSEEN = "no snapshot ever showed it"
COMES_BACK = "a person removed it, or an addition came late"
"""The limits of the promise: what somebody adds just before a DELETE, and what comes back once."""


class Wrong(NamedTuple):
    """What is not as it should be."""

    kind: str
    told: str
    text: str


class _Event(NamedTuple):
    began: float
    ended: float
    who: str
    """``ok`` or ``failed`` for a run, or ``person``."""
    desired: DesiredSet


def wrongs(outcome: Outcome, *, ttls: bool = True) -> list[Wrong]:
    """All that is wrong."""
    if outcome.problem:
        return [Wrong("does not end", UNTOLD, outcome.problem)]
    return [
        *_of_runs(outcome),
        *_of_sets(outcome, ttls=ttls),
        *_not_put_back(outcome),
        *_written_by_nobody(outcome),
        *_entries_of_nobody(outcome),
        *_emptied(outcome),
        *_asked_for_by_nobody(outcome),
        *_learnt_for_nothing(outcome),
    ]


def _asked_for_by_nobody(outcome: Outcome) -> Iterator[Wrong]:
    """A set that was written holds a value that was not there, and that neither a task nor a person adds."""
    began = outcome.runs[0].log[0]
    for key in {key for run in outcome.runs for key in run.wrote}:
        values = {*START.get(key, (0, ()))[1], BY_HAND.get(key[1])}
        values.update(
            *(run.task.desired[key].adds for run in outcome.runs if key in run.task.desired)
        )
        if key in began:
            values.update((began[key][1] or ())[1:])
        held = outcome.world.zone.sets.get(key, (0, ()))[1]
        for value in _as_kept(outcome, key, held) - _as_kept(outcome, key, filter(None, values)):
            of = (
                COMES_BACK if (key, value) in outcome.world.came_late else told(outcome, key, value)
            )
            yield Wrong("nobody asked for it", of, f"{' '.join(key)} has {value}")


def _learnt_for_nothing(outcome: Outcome) -> Iterator[Wrong]:
    """A document keeps what the service makes of values that are no longer there."""
    if outcome.scenario.depth or not outcome.runs[-1].is_ok:
        return
    for disk in outcome.world.disks.values():
        document = json.loads(disk.document or "{}")
        for key, word, *_sent in document.get("words", ()):
            values = outcome.world.zone.sets.get(tuple(key), (0, ()))[1]
            # A mail host may be shown without its preference.
            if not any(value.endswith(word) for value in values):
                text = f"{' '.join(key)} has no {word}"
                yield Wrong("what was learnt is kept for nothing", UNTOLD, text)


def _emptied(outcome: Outcome) -> Iterator[Wrong]:
    """Sets are gone at once that need not be.

    At a service that takes no values, only the first one; at one as specified, never all of a name.
    """
    world, scenario = outcome.world, outcome.scenario
    if scenario.depth:
        return
    if world.zone.habits.refused:
        gone = [" ".join(key) for key in START if key not in world.zone.sets]
        if len(gone) > 1:
            yield Wrong("more than one set is emptied", UNTOLD, ", ".join(gone))
    elif world.zone.habits == PLAIN and "CNAME" not in scenario.begins.task:
        for _at, zone in world.zone.past:
            if not any(key in zone for key in START if key[0] == ZONES[0]):
                yield Wrong("a name loses all its sets at once", UNTOLD, ZONES[0])
                return


def _written_by_nobody(outcome: Outcome) -> Iterator[Wrong]:
    """A set that no task has begun, and that is no task's of the run, is written."""
    begun = {*outcome.runs[0].log[0]}
    for run in sorted(outcome.runs, key=lambda run: run.began):
        for key in run.wrote:
            if key not in run.task.desired and key not in begun:
                text = f"{run.who} writes {' '.join(key)}"
                yield Wrong("a set that nobody has begun is written", UNTOLD, text)
        begun.update(run.wrote)
        if run.result is None:
            begun.update(run.log[1])  # nobody can know how far a killed run came


def _entries_of_nobody(outcome: Outcome) -> Iterator[Wrong]:
    """A run changes what the log has of a set that it neither writes nor names."""
    for run in outcome.runs:
        if run.who == "another":
            continue
        for key, row in run.log[0].items():
            after = run.log[1].get(key)
            if after is None or key in run.wrote or _is_named(key, run):
                continue
            if _only_grew(row, after) or _is_written_meanwhile(outcome, run, key):
                continue
            if after[:4] != row[:4]:
                text = f"{run.who}: {' '.join(key)} {row} is {after}"
                yield Wrong("the log of a set that is not begun changes", UNTOLD, text)


def _is_named(key: Key, run: Played) -> bool:
    """Whether a task names a set, or one beside which a CNAME cannot be."""
    beside = {name for name, _type in run.task.desired}
    return key in run.task.desired or (key[1] == "CNAME" and key[0] in beside)


def _only_grew(row: list[Any], after: list[Any]) -> bool:
    """Whether a pending entry has kept what others have added."""
    (before, desired, deletes, *_rest), (now_before, now_desired, now_deletes, *_now) = row, after
    if (before, deletes) != (now_before, now_deletes) or not row[IS_PENDING] or not now_desired:
        return False
    return not desired or (desired[0] == now_desired[0] and {*desired} <= {*now_desired})


def _is_written_meanwhile(outcome: Outcome, run: Played, key: Key) -> bool:
    for other in outcome.runs:
        is_at_once = other.began <= run.ended and other.ended >= run.began
        if other is not run and is_at_once and key in other.wrote:
            return True
    return False


def _kept_of(outcome: Outcome, key: Key, desired: DesiredSet) -> DesiredSet:
    adds, removes = (_as_kept(outcome, key, side) for side in (desired.adds, desired.removes))
    return replace(desired, adds=adds, removes=removes - adds)


def _as_kept(outcome: Outcome, key: Key, values: Iterable[str]) -> frozenset[str]:
    """Values as the service keeps them."""
    if key[1] in outcome.world.zone.habits.lower:
        return frozenset(value.lower() for value in values)
    return frozenset(values)


def _not_put_back(outcome: Outcome) -> Iterator[Wrong]:
    """A first run that fails since a value was not taken, while nothing else went wrong, leaves what it found."""
    scenario, run, world = outcome.scenario, outcome.runs[0], outcome.world
    habits = world.zone.habits
    if scenario.depth != 1 or not scenario.faults or run.is_ok:
        return
    if habits.mx_read or habits.delete_after or habits.refused:
        return  # what the service never tells, or never does
    ((step, fault),) = scenario.faults
    met = FAULTS[outcome.steps[step]][fault]
    if step >= outcome.after_first or not (met.lasts or met.busy):
        return
    writes_before = [kind for kind in outcome.steps[:step] if kind in ("DELETE", "POST")]
    _who, refused = world.writes[len(writes_before)]
    then = [zone for at, zone in world.zone.past if at <= run.ended][-1]
    for key, (_ttl, values) in START.items():
        desired = run.task.desired.get(key, DesiredSet())
        held = frozenset(then.get(key, (0, ()))[1])
        if key[0] != refused[0] or desired.is_kept(held):
            continue
        lost = _as_kept(outcome, key, values) - _as_kept(outcome, key, held)
        lost = {value for value in lost if unquoted(value) not in world.refused}
        # Where texts are altered, former ones come back so at first, and the next run mends them.
        if lost and not (held and (habits.parses or habits.keeps_quotes)):
            yield Wrong("not put back", UNTOLD, f"{' '.join(key)} lacks {sorted(lost)}")


def _of_runs(outcome: Outcome) -> Iterator[Wrong]:
    for run in outcome.runs:
        if run.result and "exception" in run.result:
            yield Wrong("a traceback", UNTOLD, run.result["exception"].strip().splitlines()[-1])
        if run.differs:
            yield Wrong("check mode tells something else", UNTOLD, f"{run.who}: {run.differs}")
    last = outcome.runs[-1]
    assert last.result
    if last.result["failed"]:
        yield Wrong("the last run fails", TOLD, last.result["msg"])
    elif last.result["changed"]:
        yield Wrong(
            "the last run changes something",
            UNTOLD,
            str(last.result["diff"]),
        )
    elif last.sent != {"GET": len(zones_of(last)), "POST": 0, "DELETE": 0, "save": 0}:
        yield Wrong("the last run does more than look", UNTOLD, str(last.sent))


def zones_of(run: Played) -> list[str]:
    """The zones that a task is about."""
    zones = run.task.options.get("zones") or [run.task.options]
    return [f"{zone['zone']}." for zone in zones]


def _of_sets(outcome: Outcome, *, ttls: bool) -> Iterator[Wrong]:
    last, world = outcome.runs[-1], outcome.world
    zones = tuple(f".{zone}" for zone in zones_of(last))
    keys = {
        *START,
        *world.zone.sets,
        *(key for run in outcome.runs for key in run.task.desired),
    } - {*OWNED}
    for key in sorted(keys):
        if not f".{key[0]}".endswith(zones):
            continue  # no task looks after its zone any more
        held = frozenset(world.zone.sets.get(key, (0, ()))[1])
        start = frozenset(START.get(key, (0, ()))[1])
        if any(key in run.wrote for run in outcome.runs):
            held, start = (_as_kept(outcome, key, values) for values in (held, start))
        desired = _kept_of(outcome, key, last.task.desired.get(key, DesiredSet()))
        if desired.is_once:
            held -= {value for value in desired.removes if (key, value) in world.came_late}
        if last.is_ok and not desired.is_kept(held):
            # A mail host that is there twice is one host in snapshots without preferences.
            late = {
                value
                for value in held
                if world.zone.habits.mx_read and (key, value) in world.came_late
            }
            told_of = COMES_BACK if desired.is_kept(held - late) else UNTOLD
            yield Wrong("the last task is not kept", told_of, f"{key} holds {sorted(held)}")
        events = _events(outcome, key)
        yield from _lost(outcome, key, start, held, events)
        yield from _there_again(outcome, key, held, events)
        if ttls and last.is_ok and key in world.zone.sets:
            yield from _ttl(outcome, key, desired, events)


def _events(outcome: Outcome, key: Key) -> list[_Event]:
    events = [
        _Event(
            run.began,
            run.ended,
            "killed" if run.result is None else "ok" if run.is_ok else "failed",
            _kept_of(outcome, key, run.task.desired[key]),
        )
        for run in outcome.runs
        if key in run.task.desired
    ]
    if outcome.world.by_hand[0] == key:
        for at, what in outcome.world.by_people:
            desired = (
                DesiredSet(frozenset([BY_HAND[key[1]]]))
                if what == "adds"
                else DesiredSet(all_else=True)
            )
            events.append(_Event(at, at, "person", desired))
    return sorted(events, key=lambda event: event.began)


def _lost(
    outcome: Outcome,
    key: Key,
    start: frozenset[str],
    held: frozenset[str],
    events: list[_Event],
) -> Iterator[Wrong]:
    """A value that nobody asked to remove is not there."""
    born = dict.fromkeys(start, (0.0, ""))
    for event in events:
        if event.who in ("ok", "person"):
            for value in event.desired.adds:
                born.setdefault(value, (event.began, event.who))
    for value, (at, who) in born.items():
        if value in held or any(
            event.ended >= at and event.desired.removes_value(value) for event in events
        ):
            continue
        is_shown = any(one[:2] == (key, value) and one[2] >= at for one in outcome.world.shown)
        is_unseen = who == "person" and not is_shown
        yield Wrong(
            "lost",
            UNSEEN if is_unseen else told(outcome, key, value),
            f"{' '.join(key)} lacks {value}",
        )


def _there_again(
    outcome: Outcome, key: Key, held: frozenset[str], events: list[_Event]
) -> Iterator[Wrong]:
    """A value that somebody removed is there."""
    for value in held:
        about = [
            event
            for event in events
            if value in event.desired.adds or event.desired.removes_value(value)
        ]
        if (
            not about
            or not about[-1].desired.removes_value(value)
            or about[-1].who not in ("ok", "person")
        ):
            continue
        at = about[-1].began
        is_during = any(
            event.who != "person" and event.began <= at <= event.ended for event in events
        )
        if about[-1].who == "person" and is_during:
            continue  # which of the two came first nobody can tell
        is_limit = about[-1].who == "person" or (key, value) in outcome.world.came_late
        of = told(outcome, key, value)
        if _is_too_young(outcome, about, value):
            of = UNSEEN
        yield Wrong(
            "there again",
            COMES_BACK if is_limit and of != TOLD else of,
            f"{' '.join(key)} has {value}",
        )


def _is_too_young(outcome: Outcome, events: list[_Event], value: str) -> bool:
    """Whether a person added a value so late that the last task could not be shown it."""
    since = events[-1].ended - outcome.world.zone.habits.read_lag
    return any(
        event.who == "person" and value in event.desired.adds and event.began > since
        for event in events
    )


def _ttl(outcome: Outcome, key: Key, desired: DesiredSet, events: list[_Event]) -> Iterator[Wrong]:
    ttl = outcome.world.zone.sets[key][0]
    if desired.ttl:
        allowed = {desired.ttl}
    else:
        allowed = {START[key][0]} if key in START else {NEW_TTL}
        allowed |= {event.desired.ttl for event in events if event.desired.ttl}
        may_be_gone = any(
            event.who == "person" or (event.desired.all_else and not event.desired.adds)
            for event in events
        )
        allowed |= {NEW_TTL, 300} if may_be_gone else set()
    if ttl not in allowed:
        text = f"{' '.join(key)} has {ttl}, not {sorted(allowed)}"
        yield Wrong("another TTL", told(outcome, key, f"TTL {ttl}"), text)


def told(outcome: Outcome, key: Key, value: str) -> str:
    """Whether a run has told of a value of a set, or of the set."""
    texts = [text for run in outcome.runs for text in run.texts if _name_of(key).search(text)]
    # A text is named too where quotes have become part of it.
    if any(value.strip('"') in text for text in texts):
        return TOLD
    return SET_TOLD if texts else UNTOLD


@cache
def _name_of(key: Key) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.*-]){re.escape(' '.join(key))}(?!\w)")
