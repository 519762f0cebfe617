# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The history of one record set, asked with record sets as readings show them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_text
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among, lacks_preference
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import (
    LATE,
    LOOKED_FOR,
    STALE,
    TOLD,
    History,
    Operation,
    Outcome,
    Seen,
    State,
)

YOUNG = 60.0
"""Seconds for which what a run has done is remembered of a set, where nothing of it can come late."""

MOST_DELETES = 100
"""More that may come late are not told apart."""


@dataclass(frozen=True)
class SetHistory:
    """What happened to the set with this key, and what its runs have made of it. Times are in seconds since 1970.

    It is *expected* to be as the last of them left it. Where it *is_to_go*, that it is gone is as it should be. What is
    *former* was expected until then, while a DELETE had no answer: a reading from before it was gone still shows it.
    """

    key: Key
    history: History
    expected: RecordSet | None
    is_to_go: bool = False
    former: tuple[tuple[float, frozenset[str]], ...] = ()

    @cached_property
    def at(self) -> float:
        """When something last happened."""
        return max([step.at for step in self.history.steps], default=0.0)

    def sent(self, value: str | None, ttl: int, now: float) -> SetHistory:
        """Once a value is about to be added, or the set to be deleted with None, and no answer has come."""
        history = self.history.sent(Operation(value, ttl, now))
        return SetHistory(self.key, history, self.expected, self.is_to_go, self.former)

    def answered(self, outcome: Outcome, now: float) -> SetHistory:
        """Once the request that was sent last has come to this end."""
        history = self.history.answered(outcome, now)
        last = history.steps[-1]
        if not isinstance(last, Operation) or not _is_taken(last):
            return replace(self, history=history)
        is_to_go = self.is_to_go and last.is_delete
        expected = _after(self.key, self.expected, last)
        former = self._former_until(expected, now)
        return replace(self, history=history, expected=expected, is_to_go=is_to_go, former=former)

    def with_additions_done(self, live_set: RecordSet | None, now: float) -> SetHistory:
        """Once a reading shows which of the values came that the service has only accepted so far."""
        history, possible = self._possible(live_set)
        # By hosts alone, nobody can tell one mail server from another.
        return replace(self, history=history.with_additions_done(possible, now)) if history is self.history else self

    def believed(self, live_set: RecordSet | None, now: float) -> SetHistory:
        """Once a reading is taken for what the set holds."""
        history = self._without_what_came(live_set, now).seen(_state(live_set), now)
        return SetHistory(self.key, history, live_set, former=self._former_until(live_set, now))

    def seen_removed(self, now: float) -> SetHistory:
        """Once a reading shows that it is gone just after it was to be deleted, by whomever."""
        history = self.history.with_a_delete_seen(now) if self.needs_a_delete(None, now) else self.history
        former = self._former_until(None, now)
        return SetHistory(self.key, history.seen(None, now), None, self.is_to_go, former)

    def seen_before(self, live_set: RecordSet | None, at: float, now: float) -> SetHistory | None:
        """Once a reading of some time ago counts for what the set held then; None where nobody knows whether it does.

        It says nothing where the set was deleted since. Where it is older than any reading of now, it tells at most
        what others had added, and a DELETE may have taken since.
        """
        if any(_is_deletion(step) and step.at > at for step in self.history.steps):
            return self
        known = self.expecting_too(live_set, at)
        if at < now - STALE:
            return known
        if self.at > at or self.may_be_of_others(live_set, at):
            return None
        if self.is_contradicted_by(live_set, at):
            return known
        if self.may_have_gone(at) and self.lacks_what_is_expected(live_set):  # the last reading tells what was taken
            is_told = self.history.is_to_be_read(at)  # the deletion would be over, and nobody looked what it took
            return known if is_told else replace(known, history=self.history.seen(_state(live_set), at))
        seen = self.believed(live_set, at)
        return replace(seen, expected=known.expected, is_to_go=known.is_to_go) if self.is_to_go else seen

    def expecting_too(self, live_set: RecordSet | None, at: float, former: Collection[str] = ()) -> SetHistory:
        """Where a DELETE may take what others have added, as was shown *at* a moment: that is expected too.

        So it is of a set that is to go. What is *former* was not added since.
        """
        if not self.pending_deletes(at):
            return self
        values = self._values_to_stay
        gone_since = (value for until, values in self.former if at <= until + STALE for value in values)
        known = frozenset((*values, *self._former_values(at), *gone_since, *former))
        more = tuple(value for value in values_of(live_set) if not is_among(self.key.type, value, known))
        if not (live_set and more):
            return self
        return replace(self, expected=replace(self.expected or live_set, values=(*values, *more)), is_to_go=False)

    def is_surely_older(self, live_set: RecordSet | None, at: float, now: float) -> bool:
        """Whether a reading of some time ago, which showed it so, is older than any of now."""
        return at < now - STALE or self.is_outdated(live_set, at)

    def conceded(self, live_set: RecordSet | None, now: float) -> SetHistory:
        """Once all patience has shown that somebody else has made this of the set."""
        history = self._without_what_came(live_set, now).conceded(_state(live_set), now)
        return SetHistory(self.key, history, live_set, former=self._former_until(live_set, now))

    def _former_until(self, live_set: RecordSet | None, now: float) -> tuple[tuple[float, frozenset[str]], ...]:
        """What was expected of the set before it is so, as long as anybody may have to know it."""
        lately = tuple(one for one in self.former if now - one[0] < TOLD)
        gone = frozenset(values_of(self.expected)).difference(values_of(live_set))
        return (*lately, (now, gone)) if gone and self.may_have_gone(now) else lately

    def _without_what_came(self, live_set: RecordSet | None, now: float) -> History:
        """The history, in which a deletion without which the set cannot be so now is over."""
        return self.history.with_a_delete_over(now) if self.needs_a_delete(live_set, now) else self.history

    def needs_a_delete(self, live_set: RecordSet | None, now: float) -> bool:
        """Whether the set can be so now only because of a deletion that nobody confirmed."""
        history, possible = self._possible(live_set)
        return all(history.needs_a_delete(state, now) for state in possible)

    def is_young(self, now: float) -> bool:
        """Whether something happened to it lately, be it that nothing of that can come late."""
        return now - self.at < YOUNG

    def is_just_written(self, now: float) -> bool:
        """Whether a reading can be from before the last step."""
        return now - self.at < STALE

    def lasting(self, now: float) -> SetHistory | None:
        """Without what is too old to be of use; None where all of it is."""
        history = self.history.lasting(now)
        lasts = LOOKED_FOR if history.may_have_gone(now) else LATE if any(map(_is_open, history.steps)) else YOUNG
        lasting = self if history is self.history else replace(self, history=history)
        return lasting if now - self.at < lasts else None

    def is_outdated(self, live_set: RecordSet | None, now: float) -> bool:
        """Whether a reading can only be explained by a moment before what was surely done; what others added aside."""
        return _is_outdated(*self._moments(live_set, now))

    def can_be(self, live_set: RecordSet | None, now: float) -> bool:
        """Whether the set can be by now as a reading shows it, with whatever TTL; what others added aside.

        Once no reading can be from before the last deletion, all that is shown was added since, whoever did so.
        """
        if not self._is_lately_deleted(now):
            return True
        history, possible = self._possible(live_set)
        ttls = {state.ttl for state in history.states}
        states = {state and replace(state, ttl=ttl) for state in possible for ttl in ttls} or {None}
        return any(history.is_possible(state, now) for state in states)

    def may_be_former(self, live_set: RecordSet | None, now: float) -> bool:
        """Whether a reading may be from before a deletion: it is outdated, or nothing that is known explains it.

        Or it shows a part of what the set was when the history begins, and may be from before that.
        """
        history, moments = self._moments(live_set, now)
        is_explained = any(moments.values()) and not any(history.may_begin_after(state, now) for state in moments)
        return _is_outdated(history, moments) or (self._is_lately_deleted(now) and not is_explained)

    def _is_lately_deleted(self, now: float) -> bool:
        return any(_is_deletion(step) and now - step.at < STALE for step in self.history.steps)

    def may_be_earlier(self, live_set: RecordSet | None, now: float) -> bool:
        """Whether a reading may show it as it was before what was sent last, be it the same after that or not."""
        history, possible = self._possible(live_set)
        return any(history.may_be_earlier(state, now) for state in possible)

    def is_contradicted_by(self, live_set: RecordSet | None, now: float) -> bool:
        """Whether a reading says nothing of the set as it is now, so that the zone is to be read again.

        It is from before what was surely done. Or it shows what only others can have made, and the last step is younger
        than STALE: then nobody knows whether they made it before that step or after it.
        """
        history, moments = self._moments(live_set, now)
        is_of_others = self.is_just_written(now) and not any(moments.values())
        return is_of_others or _is_outdated(history, moments)

    def may_be_of_others(self, live_set: RecordSet | None, now: float) -> bool:
        """Whether a reading may show what others made of the set, or an unanswered DELETE, before or since."""
        is_outdated = self.is_outdated(live_set, now) and not self.needs_a_delete(live_set, now)
        is_strange = self.is_contradicted_by(live_set, now) and not is_outdated
        return is_strange or self.knows_nothing_of(values_of(live_set), now)

    def knows_nothing_of(self, values: Collection[str], now: float) -> bool:
        """Whether one of these values of it was neither read nor sent, where a reading can be from before."""
        return self.is_just_written(now) and bool(self.new_values(values, now))

    def new_values(self, values: Collection[str], now: float) -> list[str]:
        """Of these values those that cannot be former ones, which an old reading shows."""
        if not self.is_just_written(now):
            return [*values]
        known = self.history.values_of_late(now)
        meant = self._as_sent(values) if is_text(self.key.type) else values
        return [value for value, one in zip(values, meant, strict=True) if not is_among(self.key.type, one, known)]

    def _moments(self, live_set: RecordSet | None, now: float) -> tuple[History, dict[State | None, list[int]]]:
        """What a reading can show of the set, and when it can have been so in the history to hold it against."""
        history, possible = self._possible(live_set)
        return history, {state: history.moments(state, now) for state in possible}

    def has(self, value: str | None) -> bool:
        """Whether a value was added, or may have been; with None, whether the set was deleted."""
        if value is None:
            return self.expected is None and any(_is_deletion(step) for step in self.history.steps)
        added = _added_values(_after_last(_is_done_deletion, self.history.steps))
        return is_among(self.key.type, value, (*values_of(self.expected), *added))

    @property
    def _values_to_stay(self) -> tuple[str, ...]:
        """The values that were left, unless the set is to go."""
        return () if self.is_to_go else values_of(self.expected)

    def _former_values(self, at: float) -> frozenset[str]:
        """The values that a reading of this moment may show, being old: not those that were only sent of late."""
        sent = frozenset(_added_values(filter(_is_open, _after_last(_is_done_deletion, self.history.steps))))
        seen = (value for state in self.history.seen_states for value in state.values)
        return self.history.values_of_late(at) - sent.difference(seen)

    @property
    def open_values(self) -> list[str]:
        """The values of which nobody knows whether they were added."""
        steps = self.history.steps
        return _added_values(step for step in steps if isinstance(step, Operation) and step.is_open)

    @property
    def sent_values(self) -> list[str]:
        """The values that were sent, and not refused."""
        return _added_values(self.history.steps)

    @property
    def unanswered_values(self) -> list[str]:
        """The values of which a request had no answer, and may have added them."""
        return _added_values(filter(_is_unanswered, self.history.steps))

    def lacks_accepted(self, live_set: RecordSet | None) -> bool:
        """Whether a reading is without a value that the service has taken, and that none has shown so far."""
        shown = frozenset(self._as_sent(values_of(live_set)) if is_text(self.key.type) else values_of(live_set))
        accepted = _added_values(filter(_is_accepted, _after_last(_is_deletion, self.history.steps)))
        return not all(is_among(self.key.type, value, shown) for value in accepted)

    @property
    def refused_values(self) -> frozenset[str]:
        """The values that were sent and never taken: one that is there all the same, somebody else has added."""
        steps = self.history.steps
        sent = frozenset(step.value for step in steps if isinstance(step, Operation) and step.value is not None)
        return sent.difference(_added_values(steps))

    def is_same_but_refusals(self, other: SetHistory) -> bool:
        """Whether both tell the same, but for what the service refused, and for when the last step was taken."""
        ours, theirs = _counting(self.history.steps), _counting(other.history.steps)
        return len(ours) == len(theirs) and [*ours[:-1], *_at(0.0, ours[-1:])] == [*theirs[:-1], *_at(0.0, theirs[-1:])]

    def pending_deletes(self, now: float) -> int:
        """How many deletions without an answer may still be carried out."""
        return min(self.history.pending_deletes(now), MOST_DELETES)

    def unseen_deletes(self, now: float) -> int:
        """How many DELETEs may have been carried out, or may yet be, and no reading shows that."""
        return min(len(self.history.unseen_deletes(now)), MOST_DELETES)

    def may_have_gone(self, now: float) -> bool:
        """Whether a deletion without an answer may be why a set is gone."""
        return self.history.may_have_gone(now)

    def is_to_be_read(self, now: float) -> bool:
        """Whether such a deletion can come no more, and nobody knows yet whether it came."""
        return self.history.is_to_be_read(now)

    def with_pending_deletes(self, number: int, at: float, now: float) -> SetHistory:
        """The same with at least so many deletions that may still be carried out; the others were sent *at*."""
        more = [Operation(None, 0, at)] * (min(number, MOST_DELETES) - self.pending_deletes(now))
        steps = sorted([*self.history.steps, *more], key=lambda step: step.at)
        return replace(self, history=replace(self.history, steps=tuple(steps)))

    def lacks_what_is_expected(self, live_set: RecordSet | None) -> bool:
        """Whether a reading is without a value that was left, although the set is not to go."""
        shown = frozenset(values_of(live_set))
        return not all(is_among(self.key.type, value, shown) for value in self._values_to_stay)

    def knows_less_than(self, live_set: RecordSet | None) -> bool:
        """Whether a reading shows a value that is not expected."""
        expected = frozenset(values_of(self.expected))
        return not all(is_among(self.key.type, value, expected) for value in values_of(live_set))

    def _as_sent(self, values: Collection[str]) -> Iterator[str]:
        """Shown texts; in place of what services make of one that was sent, and not seen since, that one."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import misread_texts

        missing = [value for value in _not_seen_since(self.history.steps) if value not in values]
        sent = {wrong: value for value in missing for wrong in misread_texts(value)}
        return (sent.get(value, value) for value in values)

    def _possible(self, live_set: RecordSet | None) -> tuple[History, list[State | None]]:
        """A reading without the values of others, and the history to hold it against.

        Where others gave it a TTL, or the service did, it may have had any before.
        """
        history, shown = self.history, _state(live_set)
        if shown and self.key.type == "MX":
            history, shown = _of_hosts(history, shown)
        if not shown:
            return history, [None]
        shown_values = self._texts(shown.values) if is_text(self.key.type) else [shown.values]
        possible = [values & history.values for values in shown_values if values & history.values]
        ttls = {state.ttl for state in history.states}
        known = {shown.ttl} & (ttls - history.made_ttls)
        return history, [State(ttl, values) for values in possible for ttl in known or ttls] or [None]

    def _texts(self, shown: frozenset[str]) -> list[frozenset[str]]:
        """Which texts shown ones can be: what was sent, or where it had been read before, what the service makes of it.

        Or both: what was there and what comes wrong look the same.
        """
        as_sent = frozenset(self._as_sent(shown))
        read_before = (shown - as_sent) & self.history.values
        return [as_sent, shown, as_sent | read_before] if read_before else [as_sent]


def begun(key: Key, live_set: RecordSet | None) -> SetHistory:
    """The history of a set that is so, as far as anybody knows."""
    return SetHistory(key, History(_state(live_set)), live_set)


def _state(live_set: RecordSet | None) -> State | None:
    return State(live_set.ttl, frozenset(live_set.values)) if live_set else None


def _is_outdated(history: History, moments: Mapping[State | None, Sequence[int]]) -> bool:
    """Whether each moment at which a set can have been so, or so, is one before what was surely done."""
    outdated = [state for state, of_state in moments.items() if history.changes_after(state, of_state)]
    return bool(outdated) and not any(of_state for state, of_state in moments.items() if state not in outdated)


def _after(key: Key, live_set: RecordSet | None, step: Operation) -> RecordSet | None:
    """A set once an operation was carried out, as it is meant: the set has the TTL that was sent last."""
    if step.value is None:
        return None
    values = values_of(live_set)
    return RecordSet(*key, step.ttl, values if is_among(key.type, step.value, values) else (*values, step.value))


def _is_taken(step: Operation) -> bool:
    """Whether a set is expected to be as the answer says: a value that was accepted comes, a deletion is to be seen."""
    return step.outcome is Outcome.DONE or (step.outcome is Outcome.ACCEPTED and not step.is_delete)


def _is_open(step: Operation | Seen) -> bool:
    return isinstance(step, Operation) and step.is_open and not step.is_over


def _is_unanswered(step: Operation | Seen) -> bool:
    return isinstance(step, Operation) and step.outcome is Outcome.UNKNOWN


def _is_accepted(step: Operation | Seen) -> bool:
    return isinstance(step, Operation) and step.outcome is Outcome.ACCEPTED and not step.is_over


def _is_deletion(step: Operation | Seen) -> bool:
    return isinstance(step, Operation) and step.is_delete and step.outcome is not Outcome.REFUSED


def _at(at: float, steps: Iterable[Operation | Seen]) -> list[Operation | Seen]:
    return [replace(step, at=at) for step in steps]


def _counting(steps: Iterable[Operation | Seen]) -> list[Operation | Seen]:
    """What happened, without what the service refused."""
    return [step for step in steps if isinstance(step, Seen) or step.outcome is not Outcome.REFUSED]


def _is_done_deletion(step: Operation | Seen) -> bool:
    return isinstance(step, Operation) and step.is_delete and step.outcome is Outcome.DONE


def _after_last(
    is_deletion: Callable[[Operation | Seen], bool], steps: Sequence[Operation | Seen]
) -> Sequence[Operation | Seen]:
    """What happened since the set was deleted last."""
    return steps[max((index for index, step in enumerate(steps, 1) if is_deletion(step)), default=0) :]


def _added_values(steps: Iterable[Operation | Seen]) -> list[str]:
    """The values that were added, or may have been."""
    sent = (step for step in steps if isinstance(step, Operation) and step.outcome is not Outcome.REFUSED)
    return [step.value for step in sent if step.value is not None]


def _not_seen_since(steps: Sequence[Operation | Seen]) -> set[str]:
    """The values that were added, or may have been, after the last reading that showed them as they were sent."""
    values = set[str]()
    for step in steps:
        if isinstance(step, Seen):
            values -= step.state.values if step.state else frozenset()
        else:
            values.update(_added_values([step]))
    return values


def _of_hosts(history: History, shown: State) -> tuple[History, State]:
    """Both by the hosts of their mail servers alone, where one of them lacks a preference."""
    states = [shown, *history.states]
    if not any(lacks_preference("MX", value) for state in states for value in state.values):
        return history, shown

    def host(value: str) -> str:
        return value.rpartition(" ")[2]

    return history.renamed(host), State(shown.ttl, frozenset(map(host, shown.values)))
