# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan carried out: write ahead, order, roll-back, verification (docs/design.md, "Why nothing is lost").

The owner name is the unit of work: within one, deletes come before creates, one call at a time, because concurrent
writers to one set can lose values in the service. Nothing counts as done before a later reading of the zone shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from threading import Event

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, same_set
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan
from ansible_collections.zonesmith.dns.plugins.module_utils._run.failures import (
    Attempt,
    Failure,
    ended_early,
    not_as_wanted,
    not_verified,
    unexpected,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.recovery import (
    before_with_others,
    held_canonically,
    unsettled,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import in_threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Entry, Journal

ROUNDS = 3


class Applier:
    """One plan on its way, in at most ROUNDS rounds of writing and verification.

    *live* is the reading that the plan was made from; *left* are the entries that are in the journal already.
    """

    def __init__(
        self, writer: ZoneWriter, live: LiveZone, journal: Journal, concurrency: int, left: Iterable[Entry] = ()
    ):
        self._writer = writer
        self._live = live
        self._journal = journal
        self._concurrency = concurrency
        self._entries = {entry.key: entry for entry in left}

    def carry_out(self, planned: tuple[Change, ...]) -> LiveZone:
        """The zone after *planned*. Raises ApplyFailed."""
        wanted = [change.remaining() for change in planned]
        changes = planned
        for _round in range(ROUNDS):
            self._write_ahead(changes)
            failures, not_begun = self._change_all(changes)
            attempt = Attempt(planned, self._entries, str(self._journal.path))
            if failures:
                raise self._ended_early(attempt, failures, not_begun)
            try:
                live = self._live = self._writer.read()
                changes = plan(live.name, live.record_sets, wanted).changes
            except Exception as error:  # whatever it is, what was done has to be told
                raise not_verified(planned, error) from error
            if not changes:
                self._journal.write([])
                return live
        self._journal.write(unsettled(self._entries.values(), live))
        raise not_as_wanted(planned, changes, live, ROUNDS)

    def _write_ahead(self, changes: tuple[Change, ...]) -> None:
        """Journal every set of the names at which something is deleted, before the first call."""
        names = {change.key.name for change in changes if change.deletes}
        entries = {
            change.key: Entry(change.key, change.before, change.after) for change in changes if change.key.name in names
        }
        if entries.keys() - self._entries.keys():
            # What was there before the first round is what a roll-back leads to.
            self._entries = {**entries, **self._entries}
            self._journal.write(self._entries.values())

    def _change_all(self, changes: tuple[Change, ...]) -> tuple[list[Failure], list[Key]]:
        """Change every name, several at once; once one fails begin no other. The failures, and what was not begun."""
        groups = [list(group) for _name, group in groupby(changes, key=lambda change: change.key.name)]
        failures: list[Failure] = []
        not_begun: list[Key] = []
        stop = Event()

        def change_one(group: list[Change]) -> None:
            if stop.is_set():
                not_begun.extend(change.key for change in group)
                return
            try:
                self._unit(group).carry_out()
            except _Stopped as stopped:
                stop.set()
                failures.append(stopped.failure)
            except Exception as error:  # noqa: BLE001 - whatever it is, what was done has to be told
                stop.set()
                key = group[0].key
                refusal = ServiceError(f"there was an unexpected {unexpected(error)}")
                failures.append(Failure(key, f"change {' '.join(key)}", refusal))

        if self._concurrency == 1 or len(groups) == 1:
            for group in groups:
                change_one(group)
        else:
            in_threads(change_one, groups, self._concurrency)
        return failures, not_begun

    def _unit(self, changes: list[Change]) -> _Unit:
        name = changes[0].key.name
        return _Unit(
            self._writer, self._live, changes, [entry for entry in self._entries.values() if entry.key.name == name]
        )

    def _ended_early(self, attempt: Attempt, failures: list[Failure], not_begun: list[Key]) -> Exception:
        try:
            live = self._writer.read()
        except ServiceError as error:
            return ended_early(attempt, failures, not_begun, error, ())
        rest = unsettled(self._entries.values(), live)
        self._journal.write(rest)
        return ended_early(attempt, failures, not_begun, live, rest)


class _Stopped(Exception):
    def __init__(self, failure: Failure):
        super().__init__()
        self.failure = failure


class _Unit:
    """The changes of one owner name on their way, and what its sets hold meanwhile as far as the answers tell."""

    def __init__(self, writer: ZoneWriter, live: LiveZone, changes: list[Change], entries: list[Entry]):
        self._writer = writer
        self._changes = changes
        self._entries = entries
        # Also what an earlier round, or the interrupted run, was done with.
        self._now = {entry.key: held_canonically(live, entry.key) for entry in entries}
        self._now |= {change.key: change.before for change in changes}

    def carry_out(self) -> None:
        """Delete, then create; put back what was there where the service refuses. Raises _Stopped."""
        try:
            for change in self._changes:
                if change.deletes:
                    self._delete(change.key)
            for change in self._changes:
                for value in change.creates:
                    self._create(change.key, change.after.ttl if change.after else 0, value)
        except _Stopped as stopped:
            # Where no answer comes at all the next run has better chances; the journal is there for it.
            if stopped.failure.error.status_code is None:
                raise
            raise _Stopped(self._rolled_back(stopped.failure)) from None

    def _rolled_back(self, failure: Failure) -> Failure:
        """Put back what the journal says the sets of the name held before the first round."""
        before = {entry.key: before_with_others(entry, self._now[entry.key]) for entry in self._entries}
        changed = [key for key, held in before.items() if not same_set(self._now[key], held)]
        try:
            for key in changed:
                if self._now[key]:
                    self._delete(key)
            for key in changed:
                held = before[key]
                for value in held.values if held else ():
                    self._create(key, held.ttl if held else 0, value)
        except _Stopped:
            return failure
        return replace(failure, rolled_back=bool(changed))

    def _delete(self, key: Key) -> None:
        try:
            self._writer.delete_set(key)
        except ServiceError as error:
            raise _Stopped(Failure(key, f"delete {' '.join(key)}", error)) from error
        self._now[key] = None

    def _create(self, key: Key, ttl: int, value: str) -> None:
        try:
            self._writer.add_value(key, ttl, value)
        except ServiceError as error:
            raise _Stopped(Failure(key, f"add {visible(value)} to {' '.join(key)}", error)) from error
        held = self._now[key]
        self._now[key] = RecordSet(*key, ttl, (*held.values, value) if held else (value,))
