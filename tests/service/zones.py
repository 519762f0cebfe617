# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zones in memory, each with its habits."""

import asyncio

import dns.name
import values
from habitual_zone import HabitualZone
from store import RefusedError, Write
from zone_habits import Habits

WRITE_PAUSE = 0.002


def as_stored(write, zone):
    """A write with its value as a zone stores it, or refuse."""
    if write.value is None:
        return write
    try:
        text, _wire = values.canonical(write.key[1], write.value, dns.name.from_text(zone))
    except ValueError as error:
        raise RefusedError(422, errors={"content": [str(error)]}) from error
    return write._replace(value=text)


class MemoryZones:
    """A store that forgets everything at the end."""

    def __init__(self, settings, clock):
        self._settings = settings
        self._clock = clock
        self._listed = {}
        self._zones = {}

    async def zones(self):
        """List the zones."""
        return list(self._listed.values())

    async def sets(self, zone):
        """What a zone holds. The same object as last time means that nothing has changed since."""
        found = self._find(zone)
        found.catch_up(self._clock.now())
        return found.sets

    async def read(self, zone):
        """What a GET is shown of a zone."""
        return self._find(zone).read(self._clock.now())

    async def write(self, zone, write):
        """Add a value to a set, or delete a set."""
        found = self._find(zone)
        write = as_stored(write, zone)
        if self._settings.lose_concurrent_writes:
            after = found.after(write)
            await asyncio.sleep(WRITE_PAUSE)
            found.put(write.key, after, self._clock.now())
        else:
            found.write(write, self._clock.now())

    def begin(self, zone):
        """Count a request on a zone, and return its habits."""
        found = self._find(zone)
        found.check_rate(self._clock.now())
        return found.habits

    def change(self, zone, habits):
        """Give a zone other habits."""
        self._find(zone).change(habits)

    async def put_zone(self, definition):
        """Make or replace a zone."""
        name = definition.zone.name
        made = HabitualZone({}, Habits())
        for key, (ttl, contents) in definition.all_sets().items():
            for content in contents:
                write = as_stored(Write(key, content, ttl), name)
                made.sets[key] = made.after(write)
        self._listed[name] = definition.zone
        if name in self._zones:
            self._zones[name].become(made.sets)
        else:
            self._zones[name] = HabitualZone(made.sets, Habits())

    async def remove_zone(self, zone):
        """Remove a zone."""
        self._find(zone)
        del self._zones[zone], self._listed[zone]

    async def clear(self):
        """Remove every zone."""
        self._zones.clear()
        self._listed.clear()

    def _find(self, zone):
        try:
            return self._zones[zone]
        except KeyError:
            raise RefusedError(404, "Domain not found.") from None
