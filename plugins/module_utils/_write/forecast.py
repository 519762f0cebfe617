# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run would do to a zone where another one left something, or is at work: found out by reading alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import checked_entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write.heal import completions, judged
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import MakePlan, Reading
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import (
    once_complete,
    unfinished,
    with_what_came_late,
)


def forecast(
    client: Client, zone: str, make_plan: MakePlan, journal: Journal, reading: Reading
) -> tuple[Reading, Plan, tuple[Change, ...]]:
    """The zone as it is now, what the real run would change once all is complete, and what it would complete.

    Raises ServiceError, PlanRefused, StateError.
    """
    late = reading.late_entries
    told = journal.preview(partial(checked_entry, zone))
    if told.holder:
        journal.warnings.append(at_work(zone, told.holder))
        late, reading = [], reading._replace(zone=_once_it_is_done(reading.zone, told.under_way))
    leftover = {entry.key: entry for entry in with_what_came_late(told.leftover, late, reading.zone)}
    entries: list[Entry] = []
    if leftover:
        again = partial(client.read_again, reading.zone)
        live, entries = judged(again, reading.zone, leftover.values(), make_plan, reading.kept.memory)
        reading = reading._replace(zone=live)
    recovered = unfinished(reading.zone, entries).changes
    if recovered:
        journal.warnings += completions((leftover[change.key] for change in recovered), "would be")
    return reading, make_plan(once_complete(reading.zone, entries), reading.kept.memory), recovered


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
