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
    """The request that ended the work on a set, and on those made together with it.

    * *tried*: what it was, for people; *value* if it was to add one.
    * *together*: all these sets.
    * *is_back*: whether former values were added again.
    * *is_whole*: whether the name has all its former values, and *not_back* why not, if it was
      tried to add them. A name that is empty is not whole.
    """

    key: Key
    tried: str
    error: ServiceError
    value: str = ""
    together: tuple[Key, ...] = ()
    is_back: bool = False
    is_whole: bool = False
    not_back: Exception | None = None


class Ended(NamedTuple):
    """How a round ended; *is_early* if the task must not go on."""

    failures: list[Failure]
    not_begun: list[Key]
    is_early: bool


MakeUnit = Callable[[Sequence[SetAtWork]], None]
"""Makes sets of which all DELETEs come first. Raises Failure."""


def make_all(sets: Iterable[SetAtWork], make: MakeUnit, threads: Threads) -> Ended:
    """Carry out all names in parallel, and at each the sets one after the other, by *make*.

    None begins after a failure. Pruning comes last. Refused pruning and recovery stop nothing.
    """
    failures: list[Failure] = []
    not_begun: list[Key] = []
    stop = machine().event()

    def make_name(of_name: list[SetAtWork]) -> None:
        for unit in _units(of_name):
            is_under_way = any(one.deletion for one in unit)  # since an earlier round
            if stop.is_set() and not is_under_way:
                not_begun.extend(one.key for one in unit)
            else:
                make_one(unit)

    def make_one(unit: Sequence[SetAtWork]) -> None:
        try:
            make(unit)
        except Failure as failure:
            failures.append(failure)
            not_begun.extend(one.key for one in unit if not one.has_sent)
            if _stops_all(unit, failure):
                stop.set()
        except Exception as error:  # noqa: BLE001 - whatever it is, report what was done
            stop.set()
            keys = tuple(one.key for one in unit)
            why = ServiceError(f"there was an unexpected {unexpected(error)}")
            failures.append(Failure(keys[0], f"change {keys[0]}", why, together=keys))

    now, later = [], []
    for _name, group in groupby(sets, key=lambda one: one.key.name):
        kept, pruned = _pruned_last([*group])
        now.append(kept)
        later.append(pruned)
    in_threads(make_name, filter(None, now), threads)
    in_threads(make_name, filter(None, later), threads)
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


def _units(sets: list[SetAtWork]) -> list[list[SetAtWork]]:
    """The sets of a name that are made together: each alone, but for a CNAME."""
    if _has_cname(sets):
        return [sets]
    return [[one] for one in sets]


def _has_cname(sets: Iterable[SetAtWork]) -> bool:
    return any(one.key.type == "CNAME" for one in sets)


def make_unit(zone: Zone, sets: Sequence[SetAtWork]) -> None:
    """Make sets of one owner name of which all DELETEs come first. Raises Failure."""
    unit = Unit(zone, sets)
    # One place in the queue for all requests, so that no other name goes between them.
    with zone.client.turns.one_place(), making_again(unit.not_whole):
        unit.make()


class Unit:
    """Sets of one owner name that are made together, in a round."""

    def __init__(self, zone: Zone, sets: Sequence[SetAtWork]):
        self._zone = zone
        self._sets = sets
        self._is_urgent = False
        """Once a DELETE begins, values are retried longer, and Ctrl-C names the sets."""

    def make(self) -> None:
        """Raises Failure."""
        try:
            self._make_sets()
        except Failure as failure:
            for one in self._sets:
                one.has_sent = any(other.has_sent for other in self._sets)
            if any(one.deletion for one in self._sets):
                self._zone.deletions.addition_fails(self._sets[0].at, str(failure.key))
            after = self._put_back_if_useless(failure)
            if self._takes_no_values(after):
                self._zone.deletions.stop(str(after.key))
            raise after from None
        finally:
            self._zone.deletions.addition_ended(self._sets[0].at)

    def _make_sets(self) -> None:
        for one in self._sets:
            if one.step.change.deletes:
                self._delete(one)
        try:
            self._add_values()
        except Failure as failure:
            in_the_way = []
            if failure.error.refuses_the_value:
                for one in self._sets:
                    if one.is_in_the_way_of(failure.key, failure.value):
                        in_the_way.append(one)
            if not in_the_way:
                raise
            for one in in_the_way:
                self._try(one, f"delete {one.key}", one.delete_again)
            self._add_values()

    def _add_values(self) -> None:
        for one in self._sets:
            after = one.step.change.after
            for created in one.step.change.creates:
                value = one.sendable(created)
                if after and value not in values_of(one.sent):
                    self._add(one, value, after.ttl)

    def not_whole(self) -> list[str]:
        """The sets to create, once one is deleted or about to be."""
        if not self._is_urgent:
            return []
        names = []
        for one in self._sets:
            end = one.step.change.after
            if end and not same_set(one.sent, end):
                names.append(str(one.key))
        return names

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
            together = tuple(one.key for one in self._sets)
            raise Failure(one.key, what, error, value, together) from error

    # After a failure.

    def _takes_no_values(self, failure: Failure) -> bool:
        """Whether a deleted set stays without its values, so that nothing more may be deleted.

        A value that an earlier run left, and that is refused now, says nothing of others.
        """
        if failure.is_whole or not failure.value or isinstance(failure.error, StillThere):
            return False
        if any(one.deletion for one in self._sets):
            return True
        is_made_again = any(one.is_made_again for one in self._sets)
        return is_made_again and not failure.error.refuses_the_value

    def _put_back_if_useless(self, failure: Failure) -> Failure:
        """The failure once the former sets are back, where going on is useless.

        It is useless if the value is refused, if the service answers and the name is empty, or if
        one set of several cannot be deleted. Otherwise the next run completes a half-built set,
        which is better than none.
        """
        error = failure.error
        deleted = [one for one in self._sets if one.deletion and not one.sent]
        is_empty = bool(deleted) and not any(one.sent for one in self._sets)
        is_in_vain = not failure.value and any(one.key != failure.key for one in deleted)
        is_answered = error.status_code is not None
        is_useless = error.refuses_the_value or is_in_vain or (is_empty and is_answered)
        if not is_useless or isinstance(error, StillThere):
            return failure
        # A service that could not take the new value for long is not tried as long again.
        self._is_urgent = error.status_code not in TRANSIENT
        try:
            is_back = self._put_back()
        except Failure as again:
            return replace(failure, not_back=again.error)
        except (ServiceError, StateError) as again:
            return replace(failure, not_back=again)
        is_whole = any(one.sent for one in self._sets)
        return replace(failure, is_back=is_back, is_whole=is_whole)

    def _put_back(self) -> bool:
        """Make the former sets again, if this run has deleted them. Returns whether it had to.

        Raises Failure, ServiceError, StateError.
        """
        if not any(one.deletion for one in self._sets):
            self._keep_what_is_there()
            return False
        former = self._former_sets(self._zone.read())
        if all(same_set(one.sent, was) for one, was in former.items()):
            self._keep_what_is_there()
            return False
        for one in self._sets:
            one.log(one.entry.redirected(former.get(one)))
        self._zone.log.save_ahead()
        self._make_again(former)
        return True

    def _keep_what_is_there(self) -> None:
        """Nothing is missing, so what was held and what was added is desired."""
        for one in self._sets:
            one.log(one.entry.redirected(one.held_and_sent))

    def _make_again(self, former: dict[SetAtWork, RecordSet]) -> None:
        """Add the former values first. Once all are accepted, what is new goes. Raises Failure."""
        if _has_cname(self._sets):  # which must be alone
            for one in self._sets:
                if one.sent and one not in former:
                    self._delete(one)
        self._add_missing(former)
        for one, was in former.items():
            if one.deletion and not same_set(one.sent, was):
                self._delete(one)
                for value in was.values:
                    self._add(one, value, was.ttl)

    def _former_sets(self, snapshot: Snapshot) -> dict[SetAtWork, RecordSet]:
        """The former sets, with what others have added since."""
        # The form of texts, before the former ones are sent.
        self._zone.learn(snapshot, [one.key for one in self._sets])
        former = {}
        for one in self._sets:
            there = one.as_sent(snapshot)
            one.compare(there)
            was = one.first.held
            if was:
                found = (*values_of(one.step.held), *values_of(there))
                others = [value for value in found if value not in one.new_values]
                values = [one.sendable(value) for value in (*was.values, *others)]
                former[one] = replace(was, values=tuple(dict.fromkeys(values)))
        return former

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
