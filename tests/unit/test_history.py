# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a record set may hold, given what was sent, answered and read: in tables, and against every way there is."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import (
    LATE,
    LOOKED_FOR,
    STALE,
    History,
    Operation,
    Outcome,
    Seen,
    State,
)

OUTCOMES = {
    "": Outcome.DONE,
    "!": Outcome.REFUSED,
    "?": Outcome.UNKNOWN,
    "*": Outcome.SEEN,
    "~": Outcome.ACCEPTED,
}


def state(text: str) -> State | None:
    """A set written like ``300ab``: its TTL, and values of one letter; a hyphen is no set."""
    return None if text == "-" else State(int(text.rstrip("abcdx")), frozenset(text.lstrip("0123456789")))


def history(text: str) -> History:
    """A history written like ``300ab 1:-? 2:60c 5=60c``: a set, operations at a second and readings that were believed.

    A hyphen deletes; what follows tells what came of it: ``!`` refused, ``?`` no answer, ``*`` seen, ``~`` accepted.
    """
    start, *steps = text.split()
    return known(History(state(start), tuple(map(step_of, steps))))


def step_of(text: str) -> Operation | Seen:
    """One step of it."""
    at, sign, what = text.partition("=") if "=" in text else text.partition(":")
    if sign == "=":
        return Seen(state(what), float(at))
    asked = what.rstrip("!?*~")
    added = state(asked)
    value, ttl = (next(iter(added.values)), added.ttl) if added else (None, 0)
    return Operation(value, ttl, float(at), OUTCOMES[what[len(asked) :]])


def known(happened: History) -> History:
    """What is known of what happened, once each reading in it was believed."""
    made = History(happened.start)
    for step in happened.steps:
        if isinstance(step, Operation):
            made = made.sent(step)
        else:
            is_needed = made.needs_a_delete(step.state, step.at)
            made = (made.with_a_delete_over(step.at) if is_needed else made).seen(step.state, step.at)
    return made


JUDGED = [
    # what happened, what is read and when -> how it comes about, whether another set was surely made since, how many
    # deletions are out
    ("300a", "300a", 1, "now", False, 0),
    ("300a", "300b", 1, "not", False, 0),
    ("300a 1:300b", "300ab", 2, "now", False, 0),
    ("300a 1:300b", "300a", 2, "earlier", True, 0),
    ("300a 1:300b", "300a", 2 + STALE, "not", False, 0),
    ("300a 1:300b!", "300a", 2, "now", False, 0),
    ("300a 1:300b?", "300a", 2, "now", False, 0),
    ("300a 1:300b?", "300ab", 2, "now", False, 0),
    ("300a 1:300b~", "300a", 20, "now", False, 0),
    # A TTL that is kept, or not.
    ("300a 1:60b", "300ab", 2, "now", False, 0),
    ("300a 1:60b", "60ab", 2, "now", False, 0),
    ("300a 1:60b", "90ab", 2, "not", False, 0),
    ("300a 1:60a?", "300a", 2, "now", False, 0),
    # Deletions.
    ("300ab 1:- 2:60a", "60a", 3, "now", False, 0),
    ("300ab 1:- 2:60a", "-", 3, "earlier", True, 0),
    ("300ab 1:- 2:60a", "300ab", 3, "earlier", True, 0),
    ("300ab 1:- 2:60a", "300a", 3, "not", False, 0),
    ("300ab 1:-?", "300ab", 3, "now", False, 1),
    ("300ab 1:-?", "-", 3, "now", False, 1),
    ("300a 1:-? 2:300b", "300b", 3, "now", False, 1),
    ("300a 1:-? 2:300b", "300ab", 3, "now", False, 1),
    ("300a 1:-? 2:300b", "300a", 3, "earlier", True, 1),
    ("300a 1:-? 2:300b", "-", 3, "now", True, 1),
    ("300a 1:-? 2:300b", "-", 30, "now", False, 1),
    ("300a 1:-? 2:-? 3:300b", "300b", 4, "now", False, 2),
    ("300a 1:-? 2:300b", "300ab", 5 + LATE, "now", False, 0),
    ("300a 1:-? 2:300b", "300ab", 5 + LATE + STALE, "now", False, 0),
    # After a reading that was believed, the older one of two deletions has come.
    ("300a 1:-? 2:-? 3:300b 4=300b", "-", 30, "now", False, 1),
    ("300a 1:-? 2:300b 4=300b", "-", 30, "not", False, 0),
    ("300a 1:-? 2:300b 4=300ab", "-", 30, "now", False, 1),
    # What was so before it can be read for STALE seconds.
    ("300a 1:300b 4=300ab", "300a", 5, "earlier", True, 0),
    ("300a 1:300b 4=300ab", "300a", 1 + STALE, "not", False, 0),
    ("300a 4=60x", "60x", 5, "now", False, 0),
    # A value that is added late: it may have been there before the reading that was believed.
    ("300a 1:300b? 2=300a", "300ab", 9, "now", True, 0),
    ("300a 1:300b? 2=300a", "300ab", 30, "now", False, 0),
    # One that a reading has shown is not added once more.
    ("300a 1:300b? 2=300ab 3:- 4:300a", "300ab", 5, "earlier", True, 0),
    ("300a 1:300b? 2=300ab 3:- 4:300a", "300ab", 64, "not", False, 0),
]


def judged(told: History, shown: State | None, now: float) -> tuple[str, bool]:
    """When the set can be as shown, and whether another set was surely made after a moment at which it was."""
    moments = told.moments(shown, now)
    how = "now" if told.is_possible(shown, now) else "earlier" if moments else "not"
    return how, told.changes_after(shown, moments)


@pytest.mark.parametrize(("happened", "shown", "now", "explained", "is_changed", "pending"), JUDGED)
def test_a_reading_is_judged(
    happened: str, shown: str, now: float, explained: str, is_changed: bool, pending: int
) -> None:
    told = history(happened)
    how, changed = judged(told, state(shown), now)
    assert (how, changed, told.pending_deletes(now)) == (explained, is_changed, pending)


@pytest.mark.parametrize(
    ("happened", "now", "left"),
    [
        ("300a 1:300b 4=300ab", 4 + 2 * STALE, "300a 1:300b 4=300ab"),
        ("300a 1:300b 4=300ab", 5 + 2 * STALE, "300ab"),
        ("300a 1:300b? 4=300a", 5 + 2 * STALE, "300a 1:300b?"),
        ("300a 1:300b? 4=300a", 2 + LATE, "300a"),
        ("300a 1:-? 2:-? 3:300b 4=300b", 5 + 2 * STALE, "300a 1:-? 2:-? 3:300b 4=300b"),
        ("300a 1:-? 2:-? 3:300b 4=300b", 3 + LATE, "300b 2:-?"),
        ("300a 1:-? 2:-? 3:300b 4=300b", 3 + LOOKED_FOR, "300b"),
        ("300a 1:-? 4=300a 1200=300a", 1201 + 2 * STALE, "300a 1:-?"),
        ("300a 1:-? 4=300a 1300=300a", 1301 + 2 * STALE, "300a"),
        ("300a 4=300b 9:-?", 5 + LATE, "300b 9:-?"),
    ],
)
def test_what_no_reading_can_show_any_more_is_forgotten(happened: str, now: float, left: str) -> None:
    assert history(happened).lasting(now) == history(left)


@pytest.mark.parametrize(
    ("happened", "shown", "now", "left"),
    [
        # what happened, what is read and when -> what is known then
        ("300a 1:300b~", "300ab", 2, "300a 1:300b"),
        ("300a 1:300b~ 2:300c~", "300ab", 3, "300a 1:300b 2:300c~"),
        ("300a 1:300b~", "300a", 2, "300a 1:300b~"),
        ("300a 1:300b?", "300ab", 2, "300a 1:300b?"),  # which is looked for where it is sent
        ("300ab 1:- 2:300a 3:300b~", "300ab", 4, "300ab 1:- 2:300a 3:300b~"),  # it may be from before
        ("300a 1:300b? 2:300b~", "300ab", 3, "300a 1:300b? 2:300b~"),  # one of both may yet come
        ("300a 1:300b! 2:300b~", "300ab", 3, "300a 1:300b! 2:300b"),
        ("300ab 1:- 2:300a 3:300b~", "300ab", 40, "300ab 1:- 2:300a 3:300b"),  # nothing from before is shown any more
        ("300a 1:300b~ 2:300b?", "300ab", 3, "300a 1:300b~ 2:300b?"),
        ("300a 1:300b~", "300abc", 2, "300a 1:300b~"),  # nothing that is known explains it
        ("- 1:300a~ 2:300b~", "300c", 3, "- 1:300a~ 2:300b~"),
    ],
)
def test_a_reading_proves_which_of_the_accepted_values_came(happened: str, shown: str, now: float, left: str) -> None:
    assert history(happened).with_additions_done([state(shown)], now) == history(left)


@pytest.mark.parametrize(
    ("happened", "unseen", "pending"),
    [
        # what happened -> once the set is gone, how many deletions no reading shows, and how many may yet come
        ("300a 1:-?", 0, 1),
        ("300a 1:-? 2:-?", 1, 2),
        ("300a 1:-* 2:300b 3:-?", 0, 2),
        ("300a 1:-~", 0, 0),
        ("300a 1:-~ 2:-?", 1, 2),
    ],
)
def test_others_may_have_deleted_a_set_before_a_deletion_without_an_answer(
    happened: str, unseen: int, pending: int
) -> None:
    gone = history(happened).with_a_delete_seen(4.0).seen(None, 4.0)
    assert (len(gone.unseen_deletes(4.0)), gone.pending_deletes(4.0)) == (unseen, pending)
    made_anew = gone.sent(Operation("b", 300, 5.0, Outcome.DONE)).seen(state("300b"), 6.0)
    assert made_anew.is_possible(None, 60.0) is (pending > 0)


@pytest.mark.parametrize(
    ("happened", "made"),
    [
        ("300a 1:300b 2=300ab", set()),
        ("300a 1:- 2:300b 3=500b", {500}),
        ("300a 1:- 2:500b 3=500b", set()),
        ("500a 1:- 2:300b 3=500b", set()),  # nobody can tell it from one that was not deleted
        ("- 1:300b 2=500b 3:500c", {500}),
    ],
)
def test_a_ttl_that_nobody_sent_is_made(happened: str, made: set[int]) -> None:
    assert history(happened).made_ttls == made


def test_a_request_has_happened_when_it_is_answered() -> None:
    sent = history("300a").sent(Operation("b", 300, 1.0))
    assert sent.answered(Outcome.DONE, 3.0) == history("300a 3:300b")
    with pytest.raises(TypeError):
        history("300a 1=300a").answered(Outcome.DONE, 2.0)


# Every way in which the operations can have been carried out.


def judged_by_every_way(happened: History, shown: State | None, now: float) -> tuple[str, bool]:
    """The same by following each way: the set and what has come; and once it was as shown, what is sure alone.

    A reading that was believed leaves the ways in which the set is so.
    """
    operations = [step for step in happened.steps if isinstance(step, Operation)]
    ways, since = {(happened.start, frozenset[int]())}, set[State | None]()
    steps = {step.at: step for step in happened.steps}
    moments = sorted({*steps, *(step.at + LATE for step in operations), now - STALE})
    for moment in (at for at in (float("-inf"), *moments) if at <= now):
        step = steps.get(moment)
        if isinstance(step, Seen):
            ways = {(held, come) for held, come in ways if held == step.state}
            since = {step.state} if since else since
        elif step and step.outcome is Outcome.DONE:
            ways = {(held, come) for before, come in ways for held in after(before, step)}
            since = {held for before in since for held in after(before, step)}
        can_come = {
            index for index, step in enumerate(operations) if step.is_open and step.at <= moment < step.at + LATE
        }
        found = list(ways)
        for held, come in found:  # grows on the way
            more = [(one, come | {index}) for index in can_come - come for one in after(held, operations[index])]
            found += [way for way in more if way not in ways]
            ways.update(more)
        if moment >= now - STALE and any(held == shown for held, _come in ways):
            since.add(shown)
    is_now = any(held == shown for held, _come in ways)
    return "now" if is_now else "earlier" if since else "not", bool(since - {shown})


def after(held: State | None, step: Operation) -> set[State | None]:
    """What the set can be once an operation is carried out: it may keep its TTL."""
    if step.value is None:
        return {None}
    if held is None:
        return {State(step.ttl, frozenset(step.value))}
    return {State(ttl, held.values | {step.value}) for ttl in (held.ttl, step.ttl)}


READ = [None, *(State(ttl, frozenset(values)) for ttl in (300, 60) for values in ("a", "b", "ab", "abx"))]


def assert_judged_alike(happened: History, now: float, read: Sequence[State | None] = READ) -> None:
    told = known(happened)
    for shown in read:
        assert judged(told, shown, now) == judged_by_every_way(happened, shown, now), (happened, shown)


def in_order(start: str, steps: Iterable[str], gap: float) -> History:
    at = (f"{gap * number}:{step}" for number, step in enumerate(steps, 1))
    return History(state(start), tuple(map(step_of, at)))


@pytest.mark.parametrize("start", ["-", "300a", "300ab"])
def test_three_of_all_kinds(start: str) -> None:
    kinds = ["300a", "300b", "60a", "-", "300a?", "60b?", "-?", "300a!"]
    for steps in itertools.product(kinds, repeat=3):
        assert_judged_alike(in_order(start, steps, 1.0), 4.0)
        assert_judged_alike(in_order(start, steps, 10.0), 31.0)


BELIEVED = [None, *(State(300, frozenset(values)) for values in ("a", "b", "ab"))]


@pytest.mark.parametrize("start", ["-", "300a", "300ab"])
@pytest.mark.parametrize("is_open", [["300a?", "300b?"], ["-?", "300b!"]], ids=["additions", "deletions"])
def test_three_and_a_reading_that_is_believed(start: str, is_open: list[str]) -> None:
    # Where deletions and additions are both open, what a reading proves is not all found out.
    for steps in itertools.product(["300a", "300b", "-", *is_open], repeat=3):
        operations = in_order(start, steps, 1.0).steps
        for before in range(1, 4):
            at, happened = before + 0.5, History(state(start), operations[:before])
            for shown in BELIEVED:
                if judged_by_every_way(happened, shown, at)[0] == "now":
                    more = History(state(start), (*happened.steps, Seen(shown, at), *operations[before:]))
                    assert_judged_alike(more, 4.0, BELIEVED)
                    assert_judged_alike(more, 60.0, BELIEVED)


@pytest.mark.parametrize("gap", [1.0, 8.0])
def test_every_order_of_six(gap: float) -> None:
    read = [None, State(300, frozenset("a")), State(60, frozenset("ab")), State(60, frozenset("b"))]
    for steps in itertools.permutations(["300a", "60b", "-", "-?", "300a~", "60b?"]):
        assert_judged_alike(in_order("300ab", steps, gap), 6 * gap + 1, read)


@pytest.mark.parametrize("seed", range(4))
def test_longer_stories_by_chance(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same stories each time
    for _story in range(100):
        at, happened = 0.0, History(state(chance.choice(["-", "300a", "300ab"])))
        for _step in range(chance.randint(4, 8)):
            at += chance.choice([0.1, 5.0, 20.0, 300.0])
            value = chance.choice(["a", "b", "c", None, None])
            outcome = chance.choice([*OUTCOMES.values(), Outcome.DONE, Outcome.DONE])
            happened = happened.sent(Operation(value, chance.choice([300, 60]), at, outcome))
        assert_judged_alike(happened, at + chance.choice([0.5, 10.0, 30.0]))
