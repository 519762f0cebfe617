# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One owner name: DELETEs, then POSTs, and back to the old values if one is refused.

Concurrent writes to one set can lose values in the service, so only names run in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from .._api.answers import TRANSIENT, ServiceError, unexpected
from .._dns.printable import printable
from .._dns.rdata import is_among
from .._dns.record_set import Key, RecordSet, same_set
from .._log.entry import joined, minus
from .._machine import machine
from .._state.store import StateError
from .._telling import tearing
from .._threads import Threads, in_threads
from .outcome import Step
from .requests import Requests
from .zone_log import ZoneLog


@dataclass(eq=False)
class Failure(Exception):
    """The request that ended the work on a name.

    *is_back* if the old values are back; *not_back* is why not, if that was tried.
    """

    key: Key
    tried: str
    error: ServiceError
    is_back: bool = False
    not_back: Exception | None = None


class OwnerName:
    def __init__(self, requests: Requests, log: ZoneLog, steps: Sequence[Step]):
        self._requests = requests
        self._log = log
        self._steps = steps
        self._is_urgent = False
        """Once a DELETE begins, values are retried longer, and Ctrl-C names the sets."""

    def carry_out(self) -> None:
        """Raises Failure."""
        self._requests.begin(self._steps)
        # One place in the limiter for both, so that nothing waits between them.
        with self._requests.client.limiter.entered(), tearing(self._not_whole):
            try:
                for step in self._steps:
                    if step.change.deletes:
                        self._delete(step.key)
                for step in self._steps:
                    for value in step.change.creates:
                        self._add(
                            step.key, step.change.after.ttl if step.change.after else 0, value
                        )
            except Failure as failure:
                raise self._put_back(failure) from None

    def _not_whole(self) -> list[str]:
        """The sets to create, once one is deleted or about to be."""
        if not self._is_urgent:
            return []
        ends = {step.key: step.change.after for step in self._steps if step.change.after}
        return [
            str(key)
            for key, after in ends.items()
            if not same_set(self._requests.expected[key], after)
        ]

    def _delete(self, key: Key) -> None:
        self._is_urgent = True
        try:
            self._requests.delete(key)
        except ServiceError as error:
            raise Failure(key, f"delete {key}", error) from error

    def _add(self, key: Key, ttl: int, value: str) -> None:
        try:
            self._requests.add(key, ttl, value, is_urgent=self._is_urgent)
        except ServiceError as error:
            raise Failure(key, f"add {printable(value)} to {key}", error) from error

    def _put_back(self, failure: Failure) -> Failure:
        """Put back the old sets if one was deleted and trying on is useless.

        It is useless if the value is refused, or if the service answers and the name is empty. Otherwise the next run
        completes a half-built set, which is better than none.
        """
        error, expected = failure.error, self._requests.expected
        is_deleted = any(step.key in self._requests.deleted for step in self._steps)
        is_gone = not any(expected[step.key] for step in self._steps)
        if not is_deleted:
            for step in self._steps if error.refuses_the_value else ():
                self._log.give_up(step.key, step.held, expected[step.key])
            return failure
        if not (error.refuses_the_value or (is_gone and error.status_code)):
            return failure
        self._is_urgent = error.status_code not in TRANSIENT
        try:
            backs = self._former_sets()
            if all(same_set(expected[key], back) for key, back in backs.items()):
                return failure
            for step in self._steps:
                self._log.roll_back(step.key, backs.get(step.key))
            self._log.save()
            self._make_as_before(backs)
        except Failure as again:
            return replace(failure, not_back=again.error)
        except (ServiceError, StateError) as again:
            return replace(failure, not_back=again)
        return replace(failure, is_back=True)

    def _former_sets(self) -> dict[Key, RecordSet]:
        """With what others have added since. Raises ServiceError."""
        snapshot, backs = self._requests.read(), {}
        for step in self._steps:
            if step.held:
                added = minus(
                    self._requests.shown(snapshot, step.key), self._requests.expected[step.key]
                )
                others = [
                    value
                    for value in added
                    if not is_among(step.key.type, value, step.change.creates)
                ]
                backs[step.key] = joined(step.held, others, step.held) or step.held
        return backs

    def _make_as_before(self, backs: dict[Key, RecordSet]) -> None:
        """Add missing old values; if all are accepted, remove the new ones. Raises Failure.

        Sets that were never deleted keep new values.
        """
        expected = self._requests.expected
        if any(step.key.type == "CNAME" for step in self._steps):  # which must be alone
            for key in [
                step.key for step in self._steps if step.key not in backs and expected[step.key]
            ]:
                self._delete(key)
        refused = None
        for key, back in backs.items():
            there = expected[key]
            for value in minus(back, there):
                try:
                    self._add(key, there.ttl if there else back.ttl, value)
                except Failure as failure:
                    if not failure.error.refuses_the_value:
                        raise
                    refused = refused or failure
        if refused:
            raise refused
        for key, back in backs.items():
            if key in self._requests.deleted and not same_set(expected[key], back):
                self._delete(key)
                for value in back.values:
                    self._add(key, back.ttl, value)


class Ended(NamedTuple):
    """*is_early* after a failure."""

    failures: list[Failure]
    not_begun: list[Key]
    is_early: bool


def make_all(
    steps: Iterable[Step], owner_name: Callable[[list[Step]], OwnerName], concurrency: Threads
) -> Ended:
    """Carry out all names in parallel; none begins after a failure.

    Pruning comes last. Refused pruning and recovery stop nothing.
    """
    groups = [list(group) for _name, group in groupby(steps, key=lambda step: step.key.name)]
    failures: list[Failure] = []
    not_begun: list[Key] = []
    stop = machine().event()

    def make_one(group: list[Step]) -> None:
        if stop.is_set():
            not_begun.extend(step.key for step in group)
            return
        try:
            owner_name(group).carry_out()
        except Failure as failure:
            failures.append(failure)
            if stops_all(group, failure):
                stop.set()
        except Exception as error:  # noqa: BLE001 - whatever it is, report what was done
            stop.set()
            key, why = group[0].key, f"there was an unexpected {unexpected(error)}"
            failures.append(Failure(key, f"change {key}", ServiceError(why)))

    for part in zip(*map(_pruned_last, groups), strict=True):
        in_threads(make_one, filter(None, part), concurrency)
    return Ended(failures, not_begun, stop.is_set())


def stops_all(group: Iterable[Step], failure: Failure) -> bool:
    of_task = [step for step in group if step.is_of_task]
    is_pruned_only = (
        all(step.change.desired.pruned for step in of_task) and failure.error.refuses_the_value
    )
    return bool(of_task) and not is_pruned_only


def _pruned_last(group: list[Step]) -> tuple[list[Step], list[Step]]:
    """Put pruning last, except at a CNAME, which tolerates nothing beside it."""
    if any(step.key.type == "CNAME" for step in group):
        return group, []
    kept = [step for step in group if not step.change.desired.pruned]
    return kept, [step for step in group if step.change.desired.pruned]
