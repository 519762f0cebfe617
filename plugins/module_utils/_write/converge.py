# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bring a zone to where a task wants it: read and plan, and if there is something to do lock, read, heal, plan, do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.prune import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import Threads, outlasting_threads
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal, Kept
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import (
    MakePlan,
    Reading,
    first_reading,
)

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import RefuseRound


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


def _refuse_nothing() -> RefuseRound:
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import refuse_nothing

    return refuse_nothing


@dataclass(frozen=True)
class Settings:
    """How a plan is carried out: the form of TXT values, how many owner names at once, and over what others wrote.

    *reviewed* is the digest of the plan that people have seen, or empty.
    """

    txt_format: str = "auto"
    concurrency: Threads = 1
    refuse_round: RefuseRound = field(default_factory=_refuse_nothing)
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
    is_settled = not (reading.taken_late or reading.kept.is_open)
    planned = _plan_first(make_plan, reading, is_settled=is_settled)
    if not planned.changes and is_settled:
        return Converged(reading, planned)
    from ansible_collections.zonesmith.dns.plugins.module_utils._write.forecast import forecast

    return forecast(client, zone, make_plan, journal, reading)


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
    from ansible_collections.zonesmith.dns.plugins.module_utils._write.under_lock import LockedRun

    with outlasting_threads(journal.lock()) as kept:
        run = LockedRun(client, journal, settings, reading.zone, kept.memory, progress or Progress())
        state = "failed"
        is_other_ledger = kept.memory.ledger != reading.kept.memory.ledger
        overtaken = reading.is_overtaken or kept.last_write != reading.kept.last_write or is_other_ledger
        try:
            if reading.is_disputed and not overtaken:
                run.concede()
            is_open_to_others = any(change.depends_on_others for change in planned.changes)
            if not reading.is_settled or is_aged or overtaken or is_open_to_others:
                run.read_and_heal(make_plan)
                planned = run.plan(make_plan)
            run.see_more()
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
