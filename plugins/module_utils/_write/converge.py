# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bring a zone to where a task wants it: read and plan, and if there is something to do lock, read, heal, plan, do."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.prune import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import Unreviewed
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import Threads, outlasting_threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Entry, Journal, Kept
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import Applier, returned
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import contradicted, live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.concurrent_writes import RefuseRound, refuse_nothing
from ansible_collections.zonesmith.dns.plugins.module_utils._write.heal import (
    Healer,
    await_begun,
    completions,
    given_up,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import (
    MakePlan,
    Reading,
    first_reading,
    looked_for,
    taken_late,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import (
    as_wanted_now,
    checked_entry,
    once_complete,
    unfinished,
    with_taken_late,
    without_unwanted,
)


@dataclass(frozen=True)
class Converged:
    """What a run found and did: the last reading, the plan, and what an earlier run had left to do."""

    reading: Reading
    plan: Plan
    recovered: tuple[Change, ...] = ()

    @property
    def zone(self) -> LiveZone:
        """The zone as it was read last."""
        return self.reading.zone

    def record_set(self, key: Key) -> dict[str, Any] | None:
        """The set as it is after the run, or would be, with canonical values, as modules return it."""
        ends = {change.key: change.after for change in (*self.recovered, *self.plan.changes)}
        live_set = ends[key] if key in ends else live_set_of(self.zone, key)
        return live_set.as_result() if live_set else None


@dataclass(frozen=True)
class Settings:
    """How a plan is carried out: the form of TXT values, how many owner names at once, and over what others wrote.

    *reviewed* is the digest of the plan that people have seen, or empty.
    """

    txt_format: str = "auto"
    concurrency: Threads = 1
    refuse_round: RefuseRound = refuse_nothing
    reviewed: str = ""


@dataclass
class Progress:
    """What a run has completed for an interrupted one, also where it fails on the way or afterwards."""

    recovered: tuple[Change, ...] = ()
    is_in_doubt: bool = False
    """Whether it may have created more than that, by a request without an answer."""


def preview(
    client: Client, zone: str, make_plan: MakePlan, journal: Journal, reading: Reading | None = None
) -> Converged:
    """What the real run would do, found out by reading alone. Raises ServiceError, PlanRefused, StateError."""
    reading = first_reading(client, zone, make_plan, journal, reading)
    taken_late = reading.taken_late
    is_settled = not (taken_late or reading.kept.is_open)
    planned = _plan_first(make_plan, reading, is_settled=is_settled)
    if not planned.changes and is_settled:
        return Converged(reading, planned)
    told = journal.preview(partial(checked_entry, zone))
    if told.holder:
        journal.warnings.append(at_work(zone, told.holder))
        taken_late, reading = [], replace(reading, zone=_once_it_is_done(reading.zone, told.under_way))
    leftover = {entry.key: entry for entry in (*taken_late, *told.leftover)}
    if leftover:
        again, histories = partial(client.read_again, reading.zone), reading.kept.memory.histories
        reading = replace(reading, zone=await_begun(again, leftover.values(), histories, reading.zone))
    against = _against(make_plan, reading.kept.memory, reading.zone, leftover.values())
    entries = as_wanted_now(leftover.values(), reading.zone, against)
    recovered = unfinished(reading.zone, entries).changes
    if recovered:
        journal.warnings += completions((leftover[change.key] for change in recovered), "would be")
    return Converged(reading, make_plan(once_complete(reading.zone, entries), reading.kept.memory), recovered)


def _once_it_is_done(live: LiveZone, under_way: Iterable[Entry]) -> LiveZone:
    """The zone with the sets as the run means to leave them that is at work on them."""
    sets = {**live.record_sets, **{entry.key: entry.after for entry in under_way}}
    return replace(live, record_sets={key: live_set for key, live_set in sets.items() if live_set})


def at_work(zone: str, holder: str) -> str:
    """The warning of check mode that its *holder* has the lock on *zone* (canonical)."""
    return (
        f"another run is at work on {printable(zone.rstrip('.'))} ({printable(holder)}): what it has begun counts "
        "here as done, and what it does after that is not foreseen; run check mode again when it has ended"
    )


def _against(make_plan: MakePlan, memory: Memory, live: LiveZone, leftover: Iterable[Entry]) -> tuple[Change, ...]:
    """What a task would change if all that was left were complete; nothing where that is refused."""
    try:
        return make_plan(once_complete(live, leftover), memory).changes
    except Unreviewed as error:  # which is for what is complete
        return error.changes
    except PlanRefused:
        return ()


def _plan_first(make_plan: MakePlan, reading: Reading, *, is_settled: bool) -> Plan:
    """The plan for a first reading. Raises PlanRefused, unless what is to be completed may be what the zone lacks."""
    try:
        return make_plan(reading.zone.record_sets, reading.kept.memory)
    except PlanRefused:
        if is_settled:
            raise
        return Plan((), 0)


@dataclass(frozen=True)
class Foreseen:
    """What a reading of the zone leads to, before anybody has the lock."""

    reading: Reading
    plan: Plan

    @property
    def is_all(self) -> bool:
        """Whether there is nothing to do."""
        return self.plan.is_empty and self.reading.is_settled


def foresee(
    client: Client, zone: str, make_plan: MakePlan, journal: Journal, reading: Reading | None = None
) -> Foreseen:
    """What has to be done to *zone* (canonical), as far as a reading tells; one that is still good saves one.

    Raises ServiceError, PlanRefused, StateError.
    """
    reading = first_reading(client, zone, make_plan, journal, reading)
    return Foreseen(reading, _plan_first(make_plan, reading, is_settled=reading.is_settled))


def carry_out(
    client: Client,
    foreseen: Foreseen,
    make_plan: MakePlan,
    journal: Journal,
    settings: Settings,
    progress: Progress | None = None,
    *,
    is_aged: bool = False,
) -> Converged:
    """Bring a zone to where *make_plan* leads, from what was *foreseen*; where that *is_aged* it is read again first.

    What an earlier run left is finished first. *progress* tells what was completed, also where the rest fails.
    Raises ServiceError and PlanRefused before any write of its own, ApplyFailed after, and StateError where the journal
    or the lock cannot be kept.
    """
    reading, planned = foreseen.reading, foreseen.plan
    if foreseen.is_all:
        return Converged(reading, planned)
    with outlasting_threads(journal.lock()) as kept:
        run = _Run(client, journal, settings, reading.zone, kept.memory, progress or Progress())
        state = "failed"
        outdated = reading.is_outdated or kept.last_write != reading.kept.last_write
        try:
            if reading.is_disputed and not outdated:
                run.believe()
            is_open_to_others = any(change.depends_on_others for change in planned.changes)
            if not reading.is_settled or is_aged or outdated or is_open_to_others:
                run.read_and_heal(make_plan)
                planned = run.plan(make_plan)
            if planned.changes:
                planned = run.apply(planned, make_plan)
            else:
                run.keep_ledger(planned)
            run.memory.end_plan(settings.reviewed)
            state = "changed"
        finally:
            run.remember()
            if run.has_begun or run.progress.recovered:
                journal.store.tell(state)
    after = Kept(journal.store.released, memory=run.memory)
    return Converged(Reading(run.live, after), planned, run.progress.recovered)


class _Run:
    """What happens under the lock."""

    def __init__(
        self,
        client: Client,
        journal: Journal,
        settings: Settings,
        live: LiveZone,
        memory: Memory,
        progress: Progress,
    ):
        self._client = client
        self._journal = journal
        self._settings = settings
        self.live = live
        self.progress = progress
        self.memory = memory
        self._histories = memory.histories
        self.has_begun = False
        self.leftover = tuple(journal.pending(partial(checked_entry, live.name)))
        for entry in self.leftover:
            self._histories.recall(entry.known)

    def believe(self) -> None:
        """Take the reading for what the zone holds: all patience is spent on it."""
        late = taken_late(self._histories, self.live)
        self.leftover = with_taken_late(self.leftover, late)
        for key in self._contradicted(self.live):
            if self._histories.has(key, None):
                self._journal.warnings.append(returned(key))
        self._histories.forget(partial(live_set_of, self.live))

    def read_and_heal(self, make_plan: MakePlan) -> None:
        """Read the zone, and complete what an interrupted run left; what is gone, to what the task wants."""
        zone = self.live
        again = partial(self._client.read_again, zone)
        self.live = read_until(again, lambda live: not self._contradicted(live))
        self.live = looked_for(again, self.live, self.memory, make_plan)
        self.believe()
        if self.leftover:
            of_run = (self._journal, self._settings.concurrency, self.memory)
            healer = Healer(self._writer(), *of_run, partial(_against, make_plan, self.memory))
            try:
                healed = healer.heal(self.leftover)
            finally:
                self.progress.recovered = (*self.progress.recovered, *healer.recovered)
                self.progress.is_in_doubt = healer.is_in_doubt
            self.live, self.leftover = healed.zone, healed.leftover

    def _contradicted(self, live: LiveZone) -> list[Key]:
        return contradicted(self._histories, live)

    def plan(self, make_plan: MakePlan) -> Plan:
        """The plan for the zone as it is. What could not be completed, and is to be absent, is left to no other run."""
        against = _against(make_plan, self.memory, self.live, self.leftover) if self.leftover else ()
        planned = make_plan(self.live.record_sets, self.memory)
        leftover = without_unwanted(self.leftover, self.live, against, planned.changes)
        if leftover != [*self.leftover]:
            given = sorted({entry.key for entry in self.leftover} - {entry.key for entry in leftover})
            self._journal.warnings += map(given_up, given)
            self._histories.expect_removed(given)
            self._journal.write(leftover, self.memory)
            self.leftover = tuple(leftover)
        return planned

    def apply(self, planned: Plan, make_plan: MakePlan) -> Plan:
        """The plan, with what became of it."""
        settings = self._settings
        of_run = (
            self._journal,
            settings.concurrency,
            self.memory,
            self.leftover,
            settings.refuse_round,
            settings.reviewed,
        )
        applier = Applier(self._writer(), self.live, *of_run, planned.ledger)
        self.has_begun = True
        applied = applier.carry_out(planned.changes, planned.stays)
        self.live = applied.zone
        self._heal_again(make_plan)
        return replace(planned, changes=applied.changes, warnings=(*planned.warnings, *applied.warnings))

    def keep_ledger(self, planned: Plan) -> None:
        """Keep what becomes of the ledger where nothing is written to the zone. Raises StateError."""
        if planned.ledger and planned.ledger.is_new:
            self.memory.ledger = planned.ledger.left
            self._journal.write(None, self.memory)

    def _heal_again(self, make_plan: MakePlan) -> None:
        """Create again what a late DELETE has taken along while the plan was carried out."""
        late = taken_late(self._histories, self.live)
        if not late:
            return
        try:
            self.read_and_heal(make_plan)
        except ServiceError as error:
            self._journal.warnings += (
                f"{' '.join(entry.key)} may have been deleted late, by a request without an answer, and the zone "
                f"cannot be read, {clause(error)}: the next run looks again"
                for entry in late
            )

    def remember(self) -> None:
        """Keep what was written; where that cannot be, a run that failed has told why, and the memory is no loss."""
        with suppress(StateError):
            self._journal.end(self.memory)

    def _writer(self) -> ZoneWriter:
        form = self.memory.text_form

        def hold(*, is_urgent: bool) -> None:
            try:
                self._journal.store.hold(is_urgent=is_urgent)
            except StateError as error:
                raise ServiceError(str(error)) from error

        txt_format, was_quoted = self._settings.txt_format, any(entry.quoted for entry in self.leftover)
        return ZoneWriter(self._client, self.live, self._histories, txt_format, form, hold, was_quoted=was_quoted)
