# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The history of a record set: what it may hold now, given what was sent, what was answered and what was read. Pure.

A set grows value by value and goes as a whole, so between two deletions it is what was added since. Whether a reading
can be true is therefore asked of stretches: a value that was surely added and is not shown can only have gone with a
deletion that nobody confirmed, and the earliest one after it leaves most of the rest possible.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

STALE = 16.0
"""Seconds by which a reading can be older than the moment at which it is made."""

LATE = 600.0
"""Seconds after which a request that had no answer is not carried out any more."""

LOOKED_FOR = 86400.0
"""Seconds after which nobody looks any more whether a deletion that had no answer was carried out."""

TOLD = 2 * LATE
"""Seconds after which a reading tells whether a request that had no answer was carried out.

The second half is for readings that are older than they seem, and for clocks that are set forward meanwhile.
"""


class Outcome(Enum):
    """What came of an operation."""

    DONE = "done"
    """It was carried out as it was sent."""
    REFUSED = "refused"
    """It was not, and never will be."""
    UNKNOWN = "unknown"
    """No answer came, or one that says nothing: at any time within LATE, or never."""
    SEEN = "seen"
    """None came, and a reading shows what it makes, unless others made that: then it is as before, at any time."""
    ACCEPTED = "accepted"
    """The service has taken it, to carry it out at any time within LATE, or never."""


@dataclass(frozen=True)
class State:
    """A set that is there: its TTL in seconds, and its canonical values."""

    ttl: int
    values: frozenset[str]


@dataclass(frozen=True)
class Operation:
    """One request that writes, by the clock of the store in seconds: a *value* with its *ttl* to add, or a deletion.

    One that *is_over* is not carried out after the next reading that was believed.
    """

    value: str | None
    ttl: int
    at: float
    outcome: Outcome = Outcome.UNKNOWN
    is_over: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it may yet be carried out, as far as the answer tells."""
        return self.outcome in (Outcome.UNKNOWN, Outcome.SEEN, Outcome.ACCEPTED)

    @property
    def is_delete(self) -> bool:
        """Whether it deletes the set."""
        return self.value is None


@dataclass(frozen=True)
class Seen:
    """A reading that was believed: what the set was (None where it was not there), and when, in seconds."""

    state: State | None
    at: float


@dataclass(frozen=True)
class History:
    """What happened to a set since a reading that was believed, in order of time."""

    start: State | None
    steps: tuple[Operation | Seen, ...] = ()

    def sent(self, operation: Operation) -> History:
        """The history once a request was sent."""
        return History(self.start, (*self.steps, operation))

    def answered(self, outcome: Outcome, at: float) -> History:
        """The history once the request that was sent last has come to this end: then, or a moment before."""
        *earlier, last = self.steps
        return History(self.start, (*earlier, replace(_operation(last), outcome=outcome, at=at)))

    def open_deletes(self, now: float) -> list[int]:
        """The steps that are deletions which may yet be carried out."""
        return [index for index, step in enumerate(self.steps) if _is_pending(step, now) and _operation(step).is_delete]

    def pending_deletes(self, now: float) -> int:
        """How many deletions may yet be carried out."""
        return len(self.open_deletes(now))

    def unseen_deletes(self, now: float) -> list[int]:
        """The steps that are deletions which may have been carried out, or may yet be, and that no reading shows."""
        may_have_gone = (index for index, step in enumerate(self.steps) if _may_have_gone(step, now))
        return [index for index in may_have_gone if _operation(self.steps[index]).outcome is not Outcome.SEEN]

    def may_have_gone(self, now: float) -> bool:
        """Whether a deletion may have been carried out, or may yet be, since the set was read last."""
        return any(_may_have_gone(step, now) for step in self.steps)

    def is_to_be_read(self, now: float) -> bool:
        """Whether such a deletion can come no more, so that the next reading tells whether it came."""
        return any(_is_told(step, now) for step in self.steps)

    @cached_property
    def seen_states(self) -> list[State]:
        """The states in which the set was read."""
        seen = [self.start, *(step.state for step in self.steps if isinstance(step, Seen))]
        return [state for state in seen if state]

    @cached_property
    def made_ttls(self) -> set[int]:
        """The TTLs in which the set was read though nobody had sent them: the service made them, or somebody else."""
        sent, made = {self.start.ttl} if self.start else set[int](), set[int]()
        for step in self.steps:
            if isinstance(step, Operation):
                sent.add(step.ttl)
            elif step.state:
                made |= {step.state.ttl} - sent
        return made

    @cached_property
    def states(self) -> list[State]:
        """The states in which the set was read, and single values that were sent."""
        added = [step for step in self.steps if isinstance(step, Operation)]
        sent = (State(step.ttl, frozenset([step.value])) for step in added if step.value is not None)
        return [*self.seen_states, *sent]

    @cached_property
    def values(self) -> frozenset[str]:
        """The values that were read, or sent."""
        return frozenset(value for state in self.states for value in state.values)

    def values_of_late(self, now: float) -> frozenset[str]:
        """The values that a reading can show: of those that were read, or sent, what is not gone for too long.

        As in ``lasting``, that is STALE seconds for the reading, and as many for those that it is held against.
        """
        there, gone = set(self.start.values if self.start else ()), dict[str, float]()
        for step in self.steps:
            if _begins(step):
                state = _state_of(step)
                before, there = there, set(state.values if state else ())
                gone |= dict.fromkeys(before - there, step.at)
            elif isinstance(step, Operation) and step.value is not None and step.outcome is not Outcome.REFUSED:
                there.add(step.value)
        to_come = (_operation(step).value for step in self.steps if _is_pending(step, now))
        late = (value for value, at in gone.items() if at > now - 2 * STALE)
        return frozenset((*there, *late, *(value for value in to_come if value is not None)))

    def renamed(self, name: Callable[[str], str]) -> History:
        """The same with other texts for the values."""

        def of(state: State | None) -> State | None:
            return state and State(state.ttl, frozenset(map(name, state.values)))

        steps = (
            replace(step, state=of(step.state))
            if isinstance(step, Seen)
            else replace(step, value=step.value and name(step.value))
            for step in self.steps
        )
        return History(of(self.start), tuple(steps))

    def is_possible(self, shown: State | None, now: float, without: Sequence[int] = ()) -> bool:
        """Whether the set can be so by now, also where the steps *without* have not happened."""
        return len(self.steps) in self.moments(shown, now, without)

    def changes_after(self, shown: State | None, moments: Sequence[int]) -> bool:
        """Whether surely something made another set of it after one of these *moments*, at which it was *shown* so."""
        if not moments:
            return False
        ways = _ways_on(self.steps, shown)
        return any(ways[moment] for moment in moments)

    def may_be_earlier(self, shown: State | None, now: float) -> bool:
        """Whether a reading may show a moment before what was sent last, be the set the same after it or not."""
        sent = (not isinstance(step, Operation) or step.outcome is not Outcome.REFUSED for step in self.steps)
        last = max((moment for moment, counts in enumerate(sent, 1) if counts), default=0)
        return any(moment < last for moment in self.moments(shown, now))

    def may_begin_after(self, shown: State | None, now: float) -> bool:
        """Whether a reading may be from before the history begins: it shows a part of what the set was then."""
        if not (shown and self.start and self.steps):
            return False
        is_part = shown.values <= self.start.values and shown.ttl == self.start.ttl
        return is_part and now - self.steps[0].at < STALE

    def moments(self, shown: State | None, now: float, without: Sequence[int] = ()) -> list[int]:
        """The moments that a reading can show at which the set can have been as *shown*: after so many steps."""
        stretch, last, found = _Stretch(shown, self.start), self._last_moments, []
        for moment in range(len(self.steps) + 1):
            if moment and moment - 1 not in without:
                stretch.take(self.steps[moment - 1], moment, last[moment - 1])
            until = self.steps[moment].at if moment < len(self.steps) else now + STALE
            if until > now - STALE and stretch.can_be():
                found.append(moment)
        return found

    def needs_a_delete(self, shown: State | None, now: float) -> bool:
        """Whether the set can be so now only because of a deletion that nobody confirmed."""
        deletes = self.open_deletes(now)
        return bool(deletes) and self.is_possible(shown, now) and not self.is_possible(shown, now, deletes)

    def seen(self, shown: State | None, now: float) -> History:
        """The history once a reading is taken for what the set holds now.

        An addition that nobody confirmed was carried out where nothing else explains its value. What was shown up to
        STALE seconds ago stays known for as long as a reading can show it.
        """
        return History(self.start, (*self._with_told_over(now)._with_additions_over(shown), Seen(shown, now))).lasting(
            now
        )

    def _with_told_over(self, now: float) -> History:
        """The history in which the deletions are over of which a reading of now tells whether they came."""
        if not self.is_to_be_read(now):
            return self
        steps = (replace(_operation(step), is_over=True) if _is_told(step, now) else step for step in self.steps)
        return History(self.start, tuple(steps))

    def _with_additions_over(self, shown: State | None) -> Iterator[Operation | Seen]:
        explained = set(self.start.values if self.start else ())
        for step in self.steps:
            if _begins(step):
                state = _state_of(step)
                explained = set(state.values if state else ())
            elif isinstance(step, Operation) and step.outcome is Outcome.DONE and step.value is not None:
                explained.add(step.value)
        unexplained = set(shown.values if shown else ()) - explained
        for step in self.steps:
            is_over = isinstance(step, Operation) and step.is_open and not step.is_over and step.value in unexplained
            yield replace(_operation(step), is_over=True) if is_over else step
            if is_over:
                unexplained.discard(str(_operation(step).value))

    def with_additions_done(self, shown: Sequence[State | None], now: float) -> History:
        """The history once a reading shows one of these states, and with it the accepted additions that came.

        Such a one alone can have brought its value, and no moment before it was sent explains the reading.
        """
        first = min((moment for state in shown for moment in self.moments(state, now)), default=0)
        operations = (step for step in self.steps if isinstance(step, Operation))
        sent = Counter(step.value for step in operations if step.outcome is not Outcome.REFUSED)
        alone = {value for state in shown if state for value in state.values if sent[value] == 1}
        came = {
            index: replace(step, outcome=Outcome.DONE)
            for index, step in enumerate(self.steps[:first])
            if isinstance(step, Operation) and step.outcome is Outcome.ACCEPTED and step.value in alone
        }
        steps = (came.get(index, step) for index, step in enumerate(self.steps))
        return History(self.start, tuple(steps)) if came else self

    def with_a_delete_over(self, now: float) -> History:
        """The history where the oldest deletion that may yet be carried out was so before the next reading."""
        steps, index = list(self.steps), self.open_deletes(now)[0]
        steps[index] = replace(_operation(steps[index]), is_over=True)
        return History(self.start, tuple(steps))

    def with_a_delete_seen(self, now: float) -> History:
        """The same, where one without an answer may come all the same: others may have deleted the set before it."""
        steps, pending = list(self.steps), self.open_deletes(now)
        for index in pending:
            step = _operation(steps[index])
            if step.outcome is Outcome.UNKNOWN:
                steps[index] = replace(step, outcome=Outcome.SEEN)
                return History(self.start, tuple(steps))
        return self.with_a_delete_over(now)

    def lasting(self, now: float) -> History:
        """The history without what neither a reading nor a request that comes late can show any more.

        A reading that is held against a later one can be up to STALE seconds old, and so can what it showed; while a
        deletion is waited for, it is held for longer where requests have no answer.
        """
        lasts = LATE if self.open_deletes(now) else 2 * STALE
        old = [index for index, step in enumerate(self.steps) if isinstance(step, Seen) and step.at < now - lasts]
        return self._from(old[-1], now) if old else self

    def conceded(self, shown: State | None, now: float) -> History:
        """The history once all patience has shown that somebody else has made this of the set."""
        return History(self.start, (*self._with_told_over(now).steps, Seen(shown, now)))._from(len(self.steps), now)

    def _from(self, index: int, now: float) -> History:
        """The history that begins with a reading, and what may still come of what was sent before."""
        still_open = (step for step in self.steps[:index] if _is_pending(step, now) or _may_have_gone(step, now))
        return History(_state_of(self.steps[index]), (*still_open, *self.steps[index + 1 :]))

    @cached_property
    def _last_moments(self) -> list[int]:
        """Up to which moment each step can be carried out if it is open: after so many steps."""
        times = [step.at for step in self.steps]
        last, seen = [0] * len(times), len(times)
        for index in range(len(times) - 1, -1, -1):
            step = self.steps[index]
            late = bisect_left(times, step.at + LATE, index + 1)
            if isinstance(step, Seen):
                seen = index
            else:
                last[index] = min(late, seen) if step.is_over else late
        return last


class _Stretch:
    """What was added since the last deletion, held against what is shown."""

    def __init__(self, shown: State | None, start: State | None):
        self._values = shown.values if shown else frozenset()
        self._ttl = shown.ttl if shown else 0
        # Up to which moment each can come that is open.
        self._deletes: list[int] = []
        self._adds: dict[str, int] = {}
        self._adds_of_ttl: dict[int, int] = {}
        self.begin(0, start)

    def take(self, step: Operation | Seen, moment: int, last: int) -> None:
        """What happened before a moment; an open operation can still be carried out up to the *last* one."""
        if isinstance(step, Seen):
            self.begin(moment, step.state)
        elif step.is_open:
            self.may_do(step, moment, last)
        elif step.outcome is Outcome.DONE:
            self.do(step, moment)

    def begin(self, moment: int, state: State | None) -> None:
        """The set is surely so at this moment."""
        self._since = moment
        values = state.values if state else frozenset()
        self._lacking = {value for value in self._values - values if self._adds.get(value, -1) < moment}
        self._has_ttl = state is not None and state.ttl == self._ttl
        self._is_possible = True
        if not values <= self._values:
            self._must_go(moment)

    def do(self, step: Operation, moment: int) -> None:
        """An operation was surely carried out."""
        if step.value is None:
            self.begin(moment, None)
        elif step.value not in self._values:
            self._must_go(moment)
        elif self._is_possible:
            self._lacking.discard(step.value)
            self._has_ttl = self._has_ttl or step.ttl == self._ttl

    def may_do(self, step: Operation, moment: int, last: int) -> None:
        """An operation may be carried out from this moment up to the *last* one."""
        if step.value is None:
            self._deletes.append(last)
            if not self._is_possible:
                self.begin(moment, None)
        elif step.value in self._values:
            self._adds[step.value] = max(last, self._adds.get(step.value, -1))
            self._adds_of_ttl[step.ttl] = max(last, self._adds_of_ttl.get(step.ttl, -1))
            if last >= self._since:
                self._lacking.discard(step.value)

    def _must_go(self, moment: int) -> None:
        """The set surely has a value that is not shown."""
        self._is_possible = False
        if any(last >= moment for last in self._deletes):
            self.begin(moment, None)

    def can_be(self) -> bool:
        """Whether the set can be as shown at this moment."""
        if not self._is_possible or self._lacking:
            return False
        return not self._values or self._has_ttl or self._adds_of_ttl.get(self._ttl, -1) >= self._since


def _is_pending(step: Operation | Seen, now: float) -> bool:
    return isinstance(step, Operation) and step.is_open and not step.is_over and now - step.at <= LATE


def _may_have_gone(step: Operation | Seen, now: float) -> bool:
    is_open = isinstance(step, Operation) and step.is_delete and step.is_open and not step.is_over
    return is_open and now - step.at <= LOOKED_FOR


def _is_told(step: Operation | Seen, now: float) -> bool:
    return _may_have_gone(step, now) and now - step.at > TOLD


def _operation(step: Operation | Seen) -> Operation:
    if not isinstance(step, Operation):
        raise TypeError("a reading is no request")
    return step


def _would_change(step: Operation, shown: State | None) -> bool:
    """Whether the set is not as *shown* any more, or may not be, once an operation is carried out."""
    if step.value is None:
        return shown is not None
    return shown is None or step.value not in shown.values or step.ttl != shown.ttl


def _ways_on(steps: Sequence[Operation | Seen], shown: State | None) -> list[bool]:
    """Whether what was surely done after each moment may make another set of what is *shown*."""
    begun = max((moment for moment, step in enumerate(steps, 1) if _begins(step)), default=0)
    after = [step for step in steps[begun:] if isinstance(step, Operation) and step.outcome is Outcome.DONE]
    if begun:
        anew = _state_of(steps[begun - 1])
        values = (anew.values if anew else frozenset[str]()) | {step.value for step in after if step.value is not None}
        ttls = {step.ttl for step in after} | ({anew.ttl} if anew else set())
        is_other = values != (shown.values if shown else frozenset()) or (shown is not None and ttls != {shown.ttl})
    ways = [False] * (len(steps) + 1)
    for moment in range(len(steps) - 1, -1, -1):
        step = steps[moment]
        changes = isinstance(step, Operation) and step.outcome is Outcome.DONE and _would_change(step, shown)
        ways[moment] = is_other if moment < begun else ways[moment + 1] or changes
    return ways


def _begins(step: Operation | Seen) -> bool:
    """Whether what the set was before says nothing of what it is after this."""
    return isinstance(step, Seen) or (step.is_delete and step.outcome is Outcome.DONE)


def _state_of(step: Operation | Seen) -> State | None:
    return step.state if isinstance(step, Seen) else None
