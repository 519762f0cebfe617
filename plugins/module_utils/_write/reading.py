# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone as it is read before anybody has the lock, and what speaks against what it shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Set
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import DEFAULT_TTL, Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal, Kept
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import (
    Judge,
    contradicted,
    lacking,
    live_set_of,
    restores_unknown,
)

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry

FRESH = 1.0  # seconds that a reading of an earlier task, or of an earlier stage, is good enough to write from

MakePlan = Callable[[LiveSets, Memory], Plan]


class Reading(NamedTuple):
    """A zone as it was read, and what was kept of it just after."""

    zone: LiveZone
    kept: Kept
    is_overtaken: bool = False
    """Whether a run that writes began or ended meanwhile, or is at work on what it lacks."""
    earlier: tuple[LiveZone, ...] = ()
    """Those before it that showed other values."""

    @property
    def is_disputed(self) -> bool:
        """Whether it contradicts what was written lately: it is late, or somebody else undid that."""
        return not self.is_overtaken and bool(contradicted(self.kept.memory.histories, self.zone))

    @property
    def late_entries(self) -> list[Entry]:
        """The entries of the sets that a DELETE has taken late."""
        return late_entries(self.kept.memory.histories, self.zone)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to complete."""
        return not (self.kept.is_open or self.late_entries)

    @property
    def is_settled(self) -> bool:
        """Whether nothing speaks against what it shows, and nothing is left to complete."""
        showed_more = any(any(lacking(self.zone, earlier)) for earlier in self.earlier)
        return not (self.is_overtaken or self.is_disputed or showed_more) and self.is_whole

    @property
    def age(self) -> float:
        """Seconds since it was read."""
        return machine().monotonic() - self.zone.read_at


class Readings:
    """The readings of a zone, be it by its name, one after the other, and the *earlier* that showed other values."""

    def __init__(self, client: Client, zone: str | LiveZone, earlier: Iterable[LiveZone] = ()):
        self._client = client
        self._zone = zone
        self.earlier = [*earlier]
        """Those that showed a value which the last one lacks, or lacked one that it shows."""

    @property
    def all(self) -> list[LiveZone]:
        """All that showed a value which another one lacks."""
        return [*self.earlier, *([self._zone] if isinstance(self._zone, LiveZone) else [])]

    def read(self) -> LiveZone:
        """The zone as it is now. Raises ServiceError."""
        zone = self._zone
        return self.take(self._client.read_zone(zone) if isinstance(zone, str) else self._client.read_again(zone))

    def take(self, live: LiveZone) -> LiveZone:
        """The same reading, now the last one, whoever has made it."""
        earlier, self.earlier = [*self.earlier, self._zone], []
        while earlier:  # of those that show the same, the last one; a zone can be large
            one = earlier.pop()
            if isinstance(one, LiveZone) and all(_have_other_values(one, other) for other in (live, *self.earlier)):
                self.earlier.insert(0, one)
        self._zone = live
        return live


def see_others(histories: Histories, live: LiveZone, keys: Set[Key]) -> bool:
    """Expect what a reading shows of others in those of these sets that a DELETE may take yet; whether that is more."""
    return histories.see_others(keys, partial(live_set_of, live), machine().monotonic() - live.read_at)


def _have_other_values(*readings: LiveZone) -> bool:
    """Whether one of two readings shows a value that the other lacks."""
    return any(any(lacking(*pair)) for pair in (readings, readings[::-1]))


def first_reading(
    client: Client,
    zone: str,
    make_plan: MakePlan,
    journal: Journal,
    reading: Reading | None = None,
    on_reading: Callable[[Reading], None] = lambda _reading: None,
) -> Reading:
    """What to plan from before anybody has the lock; a *reading* that is still good saves one.

    *on_reading* learns of those before it, too. Raises ServiceError, PlanRefused, StateError.
    """
    if reading:
        on_reading(reading)
    reading = reading or _read(client, zone, journal, on_reading)
    readings = Readings(client, reading.zone, reading.earlier)
    zone_then = looked_for(readings.read, reading.zone, reading.kept.memory, make_plan)
    if zone_then is reading.zone:
        return reading
    kept = journal.look()
    is_overtaken = reading.is_overtaken or kept.last_write != reading.kept.last_write
    reading = Reading(zone_then, kept, is_overtaken, (*readings.earlier,))
    on_reading(reading)
    return reading


def late_entries(histories: Histories, live: LiveZone) -> list[Entry]:
    """Entries of the sets that a DELETE has taken late, checked as a journal's entries are."""
    entries: list[Entry] = []
    if not (late := histories.taken_late(partial(live_set_of, live))):
        return entries
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
    from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import checked_entry

    for known in late:
        with suppress(ValueError):  # no run of this zone can have written that
            entry = Entry(known.key, known.expected, known.expected, known.at)
            entries.append(replace(checked_entry(live.name, json.loads(json.dumps(entry.as_written()))), history=known))
    return entries


def _read(client: Client, zone: str, journal: Journal, on_reading: Callable[[Reading], None]) -> Reading:
    """A reading that does not contradict what was written lately, or the one after all patience."""
    readings, judge = Readings(client, zone), Judge()

    def read() -> Reading:
        began = machine().monotonic()
        live = readings.read()
        # What others write while the zone is read need not be in the reading.
        kept = journal.look()
        reading = Reading(live, kept, kept.idle <= kept.at - began, (*readings.earlier,))
        # What a run at work has deleted is not shown late: its lock is what to wait for, or what to tell of.
        if reading.is_disputed and journal.holder():
            reading = reading._replace(is_overtaken=True)
        on_reading(reading)
        return reading

    def is_enough(reading: Reading) -> bool:
        return reading.is_overtaken or judge.believes(reading.kept.memory.histories, reading.zone)

    return read_until(read, is_enough)


def looked_for(read: Callable[[], LiveZone], first: LiveZone, memory: Memory, make_plan: MakePlan) -> LiveZone:
    """The zone once it shows what a run that was killed may have created, where that would have to go.

    So is a value looked for once more that nobody knows, where a set that was just written would be made anew with it.
    """
    histories = memory.histories
    if not (removes_unconfirmed(memory, first, make_plan) or _restores_unknown(memory, first, make_plan)):
        return first

    judge = Judge()

    def is_enough(live: LiveZone) -> bool:
        restores = _restores_unknown(memory, live, make_plan)
        return judge.believes(histories, live, is_in_doubt=restores) and not unconfirmed(histories, live)

    return read_until(read, is_enough, first=first)


def _restores_unknown(memory: Memory, live: LiveZone, make_plan: MakePlan) -> bool:
    """Whether a plan would make a value anew of which a set that was just written knows nothing."""
    histories = memory.histories
    if not histories.shows_unknown(partial(live_set_of, live)):
        return False
    try:
        changes = make_plan(live.record_sets, memory).changes
    except PlanRefused:  # which is for the last reading to say
        return False
    return any(restores_unknown(histories, change) for change in changes)


def unconfirmed(histories: Histories, live: LiveZone) -> dict[Key, tuple[str, ...]]:
    """The values, by set, that the last run was sending in its last minute, and a reading does not show."""
    return histories.unconfirmed(partial(live_set_of, live))


def removes_unconfirmed(memory: Memory, live: LiveZone, make_plan: MakePlan) -> bool:
    """Whether a plan would remove such a value, if it was there, or rebuild the set that it is in."""
    values = unconfirmed(memory.histories, live)
    sets = {key: _grown(key, live.record_sets.get(key), more) for key, more in values.items()}
    try:
        changes = make_plan({**live.record_sets, **sets}, memory).changes if values else ()
    except PlanRefused:  # which is for a reading that shows them to say
        return True
    return any(
        # Of a set that is new nobody knows the TTL.
        (change.deletes and change.key in live.record_sets)
        or not is_among(change.key.type, value, change.after.values if change.after else ())
        for change in changes
        for value in values.get(change.key, ())
    )


def _grown(key: Key, live_set: RecordSet | None, more: tuple[str, ...]) -> RecordSet:
    return replace(live_set, values=(*live_set.values, *more)) if live_set else RecordSet(*key, DEFAULT_TTL, more)
