# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sets at one owner name, one after the other: DELETE, then POSTs (rule 5).

Concurrent writes to one set can lose values in the service, so only owner names run in parallel.
Set by set, a name never loses all of its sets at once. Where a CNAME comes or goes, which must be
alone, all DELETEs come first. After a refusal, the former values come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from .._api.answers import TRANSIENT, ServiceError, unexpected
from .._api.client import Snapshot
from .._dns.printable import printable
from .._dns.record_set import Key, RecordSet, minus, same_set, values_of
from .._interruption import making_again
from .._machine import machine
from .._state.store import StateError
from .._threads import Threads, in_threads
from .set_at_work import SetAtWork, StillThere
from .zone import Zone


@dataclass(eq=False)
class Failure(Exception):
    """The request that ended the work on a name; *value* if it was to add one.

    *is_back* if the former values are back; *not_back* is why not, if that was tried.
    """

    key: Key
    tried: str
    error: ServiceError
    value: str = ""
    is_back: bool = False
    not_back: Exception | None = None


class Ended(NamedTuple):
    """How a round ended; *is_early* if the task must not go on."""

    failures: list[Failure]
    not_begun: list[Key]
    is_early: bool


def make_all(
    sets: Iterable[SetAtWork], make: Callable[[list[SetAtWork]], None], threads: Threads
) -> Ended:
    """Carry out all names in parallel, each by *make*; none begins after a failure.

    Pruning comes last. Refused pruning and recovery stop nothing.
    """
    failures: list[Failure] = []
    not_begun: list[Key] = []
    stop = machine().event()

    def make_one(of_name: list[SetAtWork]) -> None:
        is_under_way = any(one.deletion for one in of_name)  # since an earlier round
        if stop.is_set() and not is_under_way:
            not_begun.extend(one.key for one in of_name)
            return
        try:
            make(of_name)
        except Failure as failure:
            failures.append(failure)
            not_begun.extend(one.key for one in of_name if not one.has_begun)
            if _stops_all(of_name, failure):
                stop.set()
        except Exception as error:  # noqa: BLE001 - whatever it is, report what was done
            stop.set()
            key = of_name[0].key
            why = ServiceError(f"there was an unexpected {unexpected(error)}")
            failures.append(Failure(key, f"change {key}", why))

    now, later = [], []
    for _name, group in groupby(sets, key=lambda one: one.key.name):
        kept, pruned = _pruned_last([*group])
        now.append(kept)
        later.append(pruned)
    in_threads(make_one, filter(None, now), threads)
    in_threads(make_one, filter(None, later), threads)
    return Ended(failures, not_begun, stop.is_set())


def _stops_all(sets: Iterable[SetAtWork], failure: Failure) -> bool:
    of_task = [one.step for one in sets if one.step.is_of_task]
    if not of_task:
        return False
    is_pruning = all(step.change.desired.pruned for step in of_task)
    return not (is_pruning and failure.error.refuses_the_value)


def _pruned_last(sets: list[SetAtWork]) -> tuple[list[SetAtWork], list[SetAtWork]]:
    """Put pruning last, except at a CNAME, which tolerates nothing beside it."""
    if _has_cname(sets):
        return sets, []
    pruned = [one for one in sets if one.step.change.desired.pruned]
    return [one for one in sets if one not in pruned], pruned


def _has_cname(sets: Iterable[SetAtWork]) -> bool:
    return any(one.key.type == "CNAME" for one in sets)


def make_name(zone: Zone, sets: Sequence[SetAtWork]) -> None:
    """Write the sets at one owner name. Raises Failure."""
    OwnerName(zone, sets).make()


class OwnerName:
    """The sets at one owner name, in a round."""

    def __init__(self, zone: Zone, sets: Sequence[SetAtWork]):
        self._zone = zone
        self._sets = sets
        self._at_work: Sequence[SetAtWork] = ()
        self._is_urgent = False
        """Once a DELETE begins, values are retried longer, and Ctrl-C names the sets."""

    def make(self) -> None:
        """Raises Failure."""
        units = [[one] for one in self._sets]
        if _has_cname(self._sets):
            units = [[*self._sets]]
        # One place in the queue for both, so that no other name goes between them.
        with self._zone.client.turns.one_place(), making_again(self._not_whole):
            for unit in units:
                self._at_work = unit
                self._make_unit()

    def _make_unit(self) -> None:
        """Make sets of which all DELETEs come first. Raises Failure."""
        name = self._at_work[0].key.name
        try:
            self._make_sets()
        except Failure as failure:
            for one in self._at_work:
                one.has_begun = any(other.has_begun for other in self._at_work)
            after = self._with_former_sets(failure)
            if self._takes_no_values(after):
                self._zone.deletions.stop(str(after.key))
            raise after from None
        finally:
            self._zone.deletions.addition_ended(name)

    def _make_sets(self) -> None:
        self._is_urgent = False
        for one in self._at_work:
            if one.step.change.deletes:
                self._delete(one)
        try:
            self._add_values()
        except Failure as failure:
            if not failure.error.refuses_the_value:
                raise
            in_the_way = self._in_the_way(failure)
            if not in_the_way:
                raise
            for one in in_the_way:
                self._try(one, f"delete {one.key}", one.see_gone)
            self._add_values()

    def _add_values(self) -> None:
        for one in self._at_work:
            after = one.step.change.after
            for created in one.step.change.creates:
                value = one.sendable(created)
                if after and value not in values_of(one.sent):
                    self._add(one, value, after.ttl)

    def _not_whole(self) -> list[str]:
        """The sets to create, once one is deleted or about to be."""
        if not self._is_urgent:
            return []
        names = []
        for one in self._at_work:
            end = one.step.change.after
            if end and not same_set(one.sent, end):
                names.append(str(one.key))
        return names

    def _in_the_way(self, failure: Failure) -> list[SetAtWork]:
        """The deleted sets that are still there, and for which a value may have been refused."""
        found = []
        for one in self._at_work:
            may_refuse = failure.value in one.deleted
            if one.key != failure.key:
                may_refuse = "CNAME" in (one.key.type, failure.key.type)
            if may_refuse and self._is_still_there(one):
                found.append(one)
        return found

    def _is_still_there(self, one: SetAtWork) -> bool:
        try:
            return one.is_still_there(self._zone.latest) or one.is_still_there(self._zone.read())
        except ServiceError:
            return False

    def _delete(self, one: SetAtWork) -> None:
        self._is_urgent = True
        self._try(one, f"delete {one.key}", one.delete)

    def _add(self, one: SetAtWork, value: str, ttl: int) -> None:
        what = f"add {printable(value)} to {one.key}"
        self._try(one, what, lambda: one.add(value, ttl, is_urgent=self._is_urgent), value)

    def _try(self, one: SetAtWork, what: str, request: Callable[[], None], value: str = "") -> None:
        try:
            request()
        except ServiceError as error:
            raise Failure(one.key, what, error, value) from error

    # After a failure.

    def _takes_no_values(self, failure: Failure) -> bool:
        """Whether a deleted set stays without its values, so that nothing more may be deleted.

        A value that an earlier run left, and that is refused now, says nothing of others.
        """
        if failure.is_back or not failure.value or isinstance(failure.error, StillThere):
            return False
        if any(one.deletion for one in self._at_work):
            return True
        is_made_again = any(one.is_made_again for one in self._at_work)
        return is_made_again and not failure.error.refuses_the_value

    def _with_former_sets(self, failure: Failure) -> Failure:
        """The failure once the former sets are back, where going on is useless.

        It is useless if the value is refused, or if the service answers and the name is empty.
        Otherwise the next run completes a half-built set, which is better than none.
        """
        error = failure.error
        if isinstance(error, StillThere):
            return failure
        if not any(one.deletion for one in self._at_work):
            if error.refuses_the_value:
                for one in self._at_work:
                    one.log_refusal()
            return failure
        is_empty = not any(one.sent for one in self._at_work)
        if not error.refuses_the_value and not (is_empty and error.status_code):
            return failure
        # A service that could not take the new value for long is not tried as long again.
        self._is_urgent = error.status_code not in TRANSIENT
        try:
            return replace(failure, is_back=self._put_back())
        except Failure as again:
            return replace(failure, not_back=again.error)
        except (ServiceError, StateError) as again:
            return replace(failure, not_back=again)

    def _put_back(self) -> bool:
        """Make the former sets again. Returns whether that was needed.

        Raises Failure, ServiceError, StateError.
        """
        snapshot = self._zone.read()
        former = self._former_sets(snapshot)
        if all(same_set(one.sent, was) for one, was in former.items()):
            for one in self._at_work:
                one.log_refusal()
            return False
        for one in self._at_work:
            one.log_putting_back(former.get(one), snapshot)
        self._zone.log.save_ahead()
        if _has_cname(self._at_work):  # which must be alone
            for one in self._at_work:
                if one.sent and one not in former:
                    self._delete(one)
        self._add_missing(former)
        for one, was in former.items():
            if one.deletion and not same_set(one.sent, was):
                # All of it is accepted, so what is new may go.
                one.log_deleting_again()
                self._delete(one)
                for value in was.values:
                    self._add(one, value, was.ttl)
        return True

    def _former_sets(self, snapshot: Snapshot) -> dict[SetAtWork, RecordSet]:
        """The former sets, with what others have added since."""
        self._zone.learn(snapshot)  # the form of texts, before the former ones are sent
        former = {}
        for one in self._at_work:
            held = one.first.held
            if held is None:
                continue
            altered = self._zone.log.dialect.altered_in(one.key, one.entry.desired)
            new = {*one.first.change.creates, *altered}
            there = one.shown(snapshot, one.sent)
            found = (*values_of(one.step.held), *values_of(there))
            others = [value for value in found if value not in new]
            values = [self._as_put_back(one, value) for value in (*held.values, *others)]
            former[one] = replace(held, values=tuple(dict.fromkeys(values)))
        return former

    def _as_put_back(self, one: SetAtWork, value: str) -> str:
        return value if value in values_of(one.sent) else one.sendable(value)

    def _add_missing(self, former: dict[SetAtWork, RecordSet]) -> None:
        """Add all old values that are accepted. Raises Failure, for the first refused one."""
        refused = None
        for one, was in former.items():
            ttl = one.sent.ttl if one.sent else was.ttl
            for value in minus(was, one.sent):
                try:
                    self._add(one, value, ttl)
                except Failure as failure:
                    if not failure.error.refuses_the_value:
                        raise
                    refused = refused or failure
        if refused:
            raise refused
