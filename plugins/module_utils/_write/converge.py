# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What has to be done so that a zone is where a task wants it, found out by reading; most runs end with that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import NOTHING, Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import (
    MakePlan,
    Reading,
    first_reading,
)


class Converged(NamedTuple):
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
    is_whole = reading.is_whole
    planned = _plan_first(make_plan, reading, may_refuse=is_whole)
    if not planned.changes and is_whole:
        return Converged(reading, planned)
    from ansible_collections.zonesmith.dns.plugins.module_utils._write.forecast import forecast

    return Converged(*forecast(client, zone, make_plan, journal, reading))


def _plan_first(make_plan: MakePlan, reading: Reading, *, may_refuse: bool) -> Plan:
    """The plan for a first reading. Raises PlanRefused, unless what is to be completed may be what the zone lacks."""
    try:
        return make_plan(reading.zone.record_sets, reading.kept.memory)
    except PlanRefused:
        if may_refuse:
            raise
        return NOTHING


class Foreseen(NamedTuple):
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

    What the reading shows is kept, whatever comes of that. Raises ServiceError, PlanRefused, StateError.
    """
    readings: list[Reading] = []
    is_enough = False
    try:
        reading = first_reading(client, zone, make_plan, journal, reading, readings.append)
        is_enough = True
        return Foreseen(reading, _plan_first(make_plan, reading, may_refuse=reading.is_settled))
    finally:
        for last in readings[-1:]:
            if last.kept.memory.histories.sets:
                from ansible_collections.zonesmith.dns.plugins.module_utils._write.read_before_lock import keep_more

                keep_more(last, journal, is_enough=is_enough)
