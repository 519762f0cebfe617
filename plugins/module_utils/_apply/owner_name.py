# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sets at one owner name, one after the other: DELETE, then POSTs (rule 5).

Concurrent writes to one set can lose values in the service, so only owner names run in parallel.
Set by set, a name never loses all of its sets at once. Where a CNAME comes or goes, which must be
alone, all DELETEs come first. After a refusal, the former values come back.

A *refusal* is an answer on the value itself, such as 400 or 422 (``ServiceError.refuses_the_value``).
It would be the same next time. Other failures may pass: no answer, too many requests, a 5xx, and 409,
which services give while they are busy. After a failure, the first row that fits counts
(``_comes_back``):

====  ==========================================  ============================
row   what failed                                 the former sets
====  ==========================================  ============================
1     a request is refused                        come back if values are lost
2     a DELETE, when another set is gone          come back
3     a DELETE, when no other set is gone         stay, or the next run adds them
4     a POST without an answer                    do not: the next run adds
5     a POST that fails, and no value is there    come back
6     a POST that fails, and others are there     do not: the next run adds
====  ==========================================  ============================

If a deleted set stays without values then, new or former ones, other deletions stop
(``_stays_deleted``).

For example, a set holds ``a`` and ``b``, and is to hold ``c`` and ``d``. The service refuses ``d``:

======================  ========  ============  ===========  ============================================
request                 the set   is being      the log      why
                        holds     made          desires
======================  ========  ============  ===========  ============================================
DELETE                  nothing   c, d          c, d
POST c                  c         c, d          c, d
POST d, refused         c         c, d          a, b         going on is in vain
POST a, POST b          c, a, b   c, a, b       a, b         the former values first: they may be refused
DELETE, POST a, POST b  a, b      a, b          a, b         once they are accepted, what is new goes
======================  ========  ============  ===========  ============================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import NamedTuple

from .._api.answers import BUSY, TRANSIENT, ServiceError, unexpected
from .._dns.printable import printable
from .._dns.record_set import Key, RecordSet, minus, same_set, union
from .._interruption import making_again
from .._machine import machine
from .._state.store import StateError
from .._threads import Threads, in_threads
from .set_at_work import SetAtWork
from .zone import Zone


@dataclass(eq=False)
class Failure(Exception):
    """The request that ended the work on a set, and on those made together with it.

    * *tried*: what it was, for people; *value* if it was to add one.
    * *together*: all these sets.
    * *is_back*: whether former values were added again, and *not_back* why not, if that was tried.
    """

    key: Key
    tried: str
    error: ServiceError
    value: str = ""
    together: tuple[Key, ...] = ()
    is_back: bool = False
    not_back: Exception | None = None

    def __str__(self) -> str:
        return f"cannot {self.tried}: {self.error}"


class Ended(NamedTuple):
    """How a round ended; *is_early* if the task must not go on."""

    failures: list[Failure]
    is_early: bool


MakeUnit = Callable[[Sequence[SetAtWork]], None]
"""Makes sets of which all DELETEs come first. Raises Failure."""


def make_all(sets: Iterable[SetAtWork], make: MakeUnit, threads: Threads) -> Ended:
    """Carry out all names in parallel, and at each the sets one after the other, by *make*.

    None begins after a failure. Pruning comes last. Refused pruning and recovery stop nothing.
    """
    failures: list[Failure] = []
    stop = machine().event()

    def make_name(units: list[list[SetAtWork]]) -> None:
        for unit in units:
            is_under_way = any(one.has_sent_delete for one in unit)  # since an earlier round
            if is_under_way or not stop.is_set():
                make_one(unit)

    def make_one(unit: Sequence[SetAtWork]) -> None:
        try:
            make(unit)
        except Failure as failure:
            failures.append(failure)
            if _stops_all(unit, failure):
                stop.set()
        except Exception as error:  # noqa: BLE001 - whatever it is, report what was done
            stop.set()
            keys = tuple(one.key for one in unit)
            why = ServiceError(f"there was an unexpected {unexpected(error)}")
            failures.append(Failure(keys[0], f"change {keys[0]}", why, together=keys))

    now, later = [], []
    for _name, group in groupby(sets, key=lambda one: one.key.name):
        units = _units([*group])
        now.append([unit for unit in units if not _is_pruning(unit)])
        later.append([unit for unit in units if _is_pruning(unit)])
    in_threads(make_name, filter(None, now), threads)
    in_threads(make_name, filter(None, later), threads)
    return Ended(failures, stop.is_set())


def _units(sets: list[SetAtWork]) -> list[list[SetAtWork]]:
    """The sets of a name that are made together: each alone, but for a CNAME, which must be alone."""
    if any(one.key.type == "CNAME" for one in sets):
        return [sets]
    return [[one] for one in sets]


def _is_pruning(unit: Iterable[SetAtWork]) -> bool:
    return all(one.change.desired.pruned for one in unit)


def _stops_all(unit: Sequence[SetAtWork], failure: Failure) -> bool:
    if _is_pruning(unit) and failure.error.refuses_the_value:
        return False
    return any(one.first.is_of_task for one in unit)


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
        self._is_urgent = any(one.has_sent_delete for one in sets)
        """Once a DELETE has begun, values are retried longer, and Ctrl-C names the sets."""

    def make(self) -> None:
        """Raises Failure."""
        name = self._sets[0].at
        deletions = self._zone.deletions
        try:
            self._make_sets()
        except Failure as failure:
            # What the log has of sets that are made together, it keeps of all or of none.
            for one in self._sets:
                one.has_sent = any(other.has_sent for other in self._sets)
            if any(one.has_sent_delete for one in self._sets):
                deletions.addition_fails(name, str(failure.key))
            if self._comes_back(failure):
                self._bring_back_after(failure)
            if not failure.is_back and self._stays_deleted(failure):
                deletions.stop(str(failure.key))
            raise
        finally:
            deletions.addition_ended(name)

    def _make_sets(self, *, puts_back: bool = False) -> None:
        """Raises Failure. With *puts_back*, a refused value stops no other."""
        for one in self._sets:
            if one.change.deletes:
                self._is_urgent = True
                self._try(one, f"delete {one.key}", one.delete)
        try:
            self._add_values(puts_back)
        except Failure as failure:
            if not failure.error.refuses_the_value:
                raise
            in_the_way = [
                one for one in self._sets if one.is_in_the_way_of(failure.key, failure.value)
            ]
            if not in_the_way:
                raise
            for one in in_the_way:
                self._try(one, f"delete {one.key}", one.delete_again)
            self._add_values(puts_back)

    def _add_values(self, puts_back: bool) -> None:
        refused = None
        for one in self._sets:
            for value in minus(one.change.after, one.sent):
                add = partial(one.add, value, is_urgent=self._is_urgent)
                try:
                    self._try(one, f"add {printable(value)} to {one.key}", add, value)
                except Failure as failure:
                    if not puts_back or not failure.error.refuses_the_value:
                        raise
                    refused = refused or failure
        if refused:
            raise refused

    def not_whole(self) -> list[str]:
        """The sets to create, once one is deleted or about to be."""
        if not self._is_urgent:
            return []
        return [
            str(one.key)
            for one in self._sets
            if one.change.after and not same_set(one.sent, one.change.after)
        ]

    def _try(self, one: SetAtWork, what: str, request: Callable[[], None], value: str = "") -> None:
        try:
            request()
        except ServiceError as error:
            together = tuple(one.key for one in self._sets)
            raise Failure(one.key, what, error, value, together) from error

    def _comes_back(self, failure: Failure) -> bool:
        """Whether the former sets are to come back: as before this run, also in a later round.

        If not, a half-built set is better, since the next run only adds to it.
        """
        if failure.error.refuses_the_value:
            return True  # row 1
        gone = [one for one in self._sets if one.has_sent_delete and not one.sent]
        if not failure.value:
            return any(one.key != failure.key for one in gone)  # rows 2 and 3
        if failure.error.status_code is None:
            return False  # row 4
        return bool(gone) and not any(one.sent for one in self._sets)  # rows 5 and 6

    def _stays_deleted(self, failure: Failure) -> bool:
        """Whether a deleted set stays without values, new or former ones: the service seems to take none.

        If an earlier run has deleted it, a refused value says nothing of others. Nor does 409, which
        may mean that the value conflicts with what is there.
        """
        if any(one.has_lost_values for one in self._sets):
            return True
        error = failure.error
        if not failure.value or error.refuses_the_value or error.status_code in BUSY:
            return False
        return any(one.entry.has_delete for one in self._sets)

    def _bring_back_after(self, failure: Failure) -> None:
        """Bring the former sets back, and note in the failure what came of it."""
        # A service that could not take the new value for long is not tried as long again.
        self._is_urgent = failure.error.status_code not in TRANSIENT
        if not any(one.has_lost_values for one in self._sets):
            self._keep_what_is_there()
            return
        try:
            self._put_back(self._former_sets())
            failure.is_back = True
        except (Failure, ServiceError, StateError) as again:
            failure.not_back = again

    def _keep_what_is_there(self) -> None:
        """Nothing is missing, so what was held and what was added is desired, with the TTL that was sent."""
        for one in self._sets:
            there = union(one.sent, one.former)
            one.log(one.entry.redirected(there))

    def _former_sets(self) -> dict[SetAtWork, RecordSet | None]:
        """What the sets held before, as far as a snapshot tells what others have added since.

        Each is compared before its former values are desired again: a DELETE that does not show yet is pending
        from here on, and nothing could tell later. If the snapshot is stale, one is pending that is not.
        """
        snapshot = self._zone.read()
        # The form of texts, before the former ones are sent.
        self._zone.learn(snapshot, [one.key for one in self._sets])
        former = {}
        for one in self._sets:
            there = one.as_sent(snapshot)
            # One read may be stale, so the answers stand. But a DELETE without one has taken effect here.
            if there is None and one.entry.is_pending:
                one.log_sent(None)
            one.compare(there)
            former[one] = one.to_put_back(there)
        return former

    def _put_back(self, former: dict[SetAtWork, RecordSet | None]) -> None:
        """Add the former values, then let what is new go. Raises Failure, StateError.

        A set that was not there goes in the first pass: a CNAME must be alone. Other sets only get values then,
        with the TTL of what is there (``union``).
        """
        for one, was in former.items():
            one.log(one.entry.redirected(was))
            one.lead_to(union(one.sent, was) if was else None)
        self._zone.log.save_ahead()
        self._make_sets(puts_back=True)
        # All that was is there. So the new values may go, and take it with them once more.
        for one, was in former.items():
            one.lead_to(was)
        self._make_sets(puts_back=True)
