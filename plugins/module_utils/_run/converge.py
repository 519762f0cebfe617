# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bring a zone to where a task wants it: lock, read, heal, plan, carry out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._run.apply import Applier
from ansible_collections.zonesmith.dns.plugins.module_utils._run.recovery import believed, held_canonically, unfinished
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import outlasting_threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal

FRESH = 1.0  # seconds that a reading of an earlier task is good enough to write from

MakePlan = Callable[[LiveSets], Plan]


@dataclass(frozen=True)
class Reading:
    """A zone as it was read, and the last write under its lock that the reading shows."""

    zone: LiveZone
    last_write: int

    @property
    def age(self) -> float:
        """Seconds since it was read."""
        return time.monotonic() - self.zone.read_at


@dataclass(frozen=True)
class Outcome:
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
        held = ends[key] if key in ends else held_canonically(self.zone, key)
        return held.as_result() if held else None


@dataclass(frozen=True)
class Settings:
    """How a plan is carried out: the form of TXT values, and how many owner names at once."""

    txt_format: str = "auto"
    concurrency: int = 1


def preview(
    client: Client, zone: str, make_plan: MakePlan, journal: Journal, reading: Reading | None = None
) -> Outcome:
    """What ``converge`` would do, found out by reading alone. Raises ServiceError, PlanRefused, StateDirError."""
    reading = reading or _read(client, zone, journal)
    live = reading.zone.record_sets
    planned = make_plan(live)
    if not planned.changes and not journal.exists():
        return Outcome(reading, planned)
    recovered = unfinished(reading.zone, journal.preview(partial(believed, zone)))
    if recovered:
        planned = make_plan({**live, **{change.key: change.after for change in recovered if change.after}})
    return Outcome(reading, planned, recovered)


def converge(
    client: Client,
    zone: str,
    make_plan: MakePlan,
    journal: Journal,
    settings: Settings,
    reading: Reading | None = None,
) -> Outcome:
    """Bring *zone* (canonical) to where *make_plan* leads from its live sets, finishing what an earlier run left first.

    A *reading* that is still good saves one; what is older than FRESH is not written from. Raises ServiceError and
    PlanRefused before any write, ApplyFailed after, and StateDirError where the journal or the lock cannot be kept.
    """
    is_aged = reading is not None and reading.age > FRESH
    reading = reading or _read(client, zone, journal)
    live = reading.zone
    planned = make_plan(live.record_sets)
    if not planned.changes and not journal.exists():
        return Outcome(reading, planned)
    recovered: tuple[Change, ...] = ()
    with outlasting_threads(journal.lock()) as last_write:
        left = journal.pending(partial(believed, zone))
        outdated = is_aged or last_write != reading.last_write
        if left or outdated or any(change.depends_on_others for change in planned.changes):
            live = client.read_again(live)
            recovered = unfinished(live, left)
            if recovered:
                writer = ZoneWriter(client, live, settings.txt_format)
                live = Applier(writer, live, journal, settings.concurrency, left).carry_out(recovered)
            planned = make_plan(live.record_sets)
        if left:
            journal.write([])
        if planned.changes:
            writer = ZoneWriter(client, live, settings.txt_format)
            live = Applier(writer, live, journal, settings.concurrency).carry_out(planned.changes)
    return Outcome(Reading(live, journal.released), planned, recovered)


def _read(client: Client, zone: str, journal: Journal) -> Reading:
    last_write = journal.last_write()
    return Reading(client.read_zone(zone), last_write)
