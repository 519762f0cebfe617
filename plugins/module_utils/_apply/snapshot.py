# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Snapshots: the zone as one GET shows it, read again while it may be older than what was just written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, Preferences, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Log, is_settled
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import canonical_set
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import read_until

FRESH = 1.0
"""Seconds for which a snapshot of an earlier task, or of an earlier stage of one, is good enough to write from."""

Respelled = Mapping[Key, Mapping[str, str]]
"""By set, the values as the service shows them, and as they were sent."""


def shown_set(live: LiveZone, key: Key, preferences: Preferences) -> RecordSet | None:
    """A set as a snapshot shows it, with canonical values; None where it shows none."""
    record_set = live.record_sets.get(key)
    return canonical_set(record_set, live.name, preferences) if record_set else None


def shown_sets(live: LiveZone, keys: Iterable[Key], preferences: Preferences) -> dict[Key, RecordSet]:
    """Those of the sets that a snapshot shows."""
    found = {key: shown_set(live, key, preferences) for key in keys}
    return {key: record_set for key, record_set in found.items() if record_set}


def laid_over(live: LiveZone, sets: Mapping[Key, RecordSet], keys: Iterable[Key]) -> LiveSets:
    """What a snapshot shows, with these *sets* in place of those of the *keys*."""
    replaced = {*keys}
    return {**{key: one for key, one in live.record_sets.items() if key not in replaced}, **sets}


def with_spelling(live: LiveZone, respelled: Respelled) -> LiveZone:
    """A snapshot with the values as they were sent that the service is known to show in another spelling."""
    sets = {}
    for key, spelled in respelled.items():
        if key in live.record_sets:
            shown = canonical_set(live.record_sets[key], live.name)
            sets[key] = replace(shown, values=tuple(spelled.get(value, value) for value in shown.values))
    return replace(live, record_sets={**live.record_sets, **sets}) if sets else live


def read_settled(
    read: Callable[[], LiveZone],
    log: Log,
    clock: Callable[[], float],
    shown: Callable[[LiveZone], Mapping[Key, RecordSet]],
    also: Callable[[LiveZone], bool] = lambda _live: True,
) -> LiveZone:
    """A snapshot that contradicts no young entry of the *log*, or the last one after all patience.

    *shown* gives the sets of the log as a snapshot shows them; *also* is asked besides. Raises ServiceError.
    """
    return read_until(read, lambda live: is_settled(log, shown(live), clock()) and also(live))


def age(live: LiveZone) -> float:
    """Seconds since a snapshot was taken."""
    return machine().monotonic() - live.read_at
