# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zones in memory."""

from __future__ import annotations

import asyncio
import dataclasses

import dns.name
import values
from settings import Settings
from store import RecordSet, RefusedError, Zone, ZoneDefinition

WRITE_PAUSE = 0.002


@dataclasses.dataclass(frozen=True)
class _Kept:
    shown: RecordSet
    identities: frozenset[bytes]

    def with_value(self, text: str, identity: bytes, ttl: int) -> _Kept:
        shown = dataclasses.replace(self.shown, ttl=ttl, contents=(*self.shown.contents, text))
        return _Kept(shown, self.identities | {identity})


class _MemoryZone:
    def __init__(self, zone: Zone) -> None:
        self.zone = zone
        self.origin = dns.name.from_text(zone.name)
        self._names: dict[str, dict[str, _Kept]] = {}
        self._view: tuple[RecordSet, ...] | None = None

    def copy(self) -> _MemoryZone:
        other = _MemoryZone(self.zone)
        other._names = {name: dict(types) for name, types in self._names.items()}
        return other

    def view(self) -> tuple[RecordSet, ...]:
        if self._view is None:
            self._view = tuple(
                kept.shown for types in self._names.values() for kept in types.values()
            )
        return self._view

    def holds(self, name: str, rtype: str) -> bool:
        return rtype in self._names.get(name, {})

    def put(self, kept: _Kept) -> None:
        self._names.setdefault(kept.shown.name, {})[kept.shown.type] = kept
        self._view = None

    def remove(self, name: str, rtype: str) -> None:
        types = self._names.get(name, {})
        types.pop(rtype, None)
        if not types:
            self._names.pop(name, None)
        self._view = None

    def with_value(self, name: str, rtype: str, content: str, ttl: int) -> _Kept:
        """Return the set as it is with one more value, or refuse."""
        try:
            text, identity = values.canonical(rtype, content, self.origin)
        except ValueError as error:
            raise RefusedError(422, str(error), field="content") from error
        types = self._names.get(name, {})
        kept = types.get(rtype) or _Kept(RecordSet(name, rtype, ttl, ()), frozenset())
        if identity in kept.identities:
            raise RefusedError(422, f"Record {name} {rtype} {text} already exists.")
        if types if rtype == "CNAME" else "CNAME" in types:
            raise RefusedError(422, f"RRset {name} IN {rtype}: Conflicts with pre-existing RRset")
        return kept.with_value(text, identity, ttl)


class MemoryZones:
    """A store that forgets everything at the end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._zones: dict[str, _MemoryZone] = {}
        self._remembered: dict[str, _MemoryZone] = {}

    async def zones(self) -> list[Zone]:
        """List the zones."""
        return [zone.zone for zone in self._zones.values()]

    async def records(self, zone: str) -> tuple[RecordSet, ...]:
        """Read one zone."""
        return self._find(zone).view()

    async def add(self, zone: str, name: str, rtype: str, content: str, ttl: int) -> None:
        """Add one value to a set."""
        kept_by = self._find(zone)
        after = kept_by.with_value(name, rtype, content, ttl)
        await self._pause()
        kept_by.put(after)

    async def delete(self, zone: str, name: str, rtype: str) -> None:
        """Delete a whole set."""
        kept_by = self._find(zone)
        if not kept_by.holds(name, rtype):
            raise RefusedError(404, f"Record {name} {rtype} not found.")
        await self._pause()
        kept_by.remove(name, rtype)

    async def put_zone(self, definition: ZoneDefinition) -> None:
        """Make or replace a zone."""
        made = _MemoryZone(definition.zone)
        for record in definition.all_records():
            for content in record.contents:
                made.put(made.with_value(record.name, record.type, content, record.ttl))
        self._zones[definition.zone.name] = made

    async def remove_zone(self, zone: str) -> None:
        """Remove a zone."""
        self._find(zone)
        del self._zones[zone]

    async def clear(self) -> None:
        """Remove every zone."""
        self._zones.clear()

    async def remember(self) -> None:
        """Take what is kept now as what reset() goes back to."""
        self._remembered = {name: zone.copy() for name, zone in self._zones.items()}

    async def reset(self) -> None:
        """Go back to what remember() saw."""
        self._zones = {name: zone.copy() for name, zone in self._remembered.items()}

    def _find(self, zone: str) -> _MemoryZone:
        try:
            return self._zones[zone]
        except KeyError:
            raise RefusedError(404, "Domain not found.") from None

    async def _pause(self) -> None:
        if self._settings.lose_concurrent_writes:
            await asyncio.sleep(WRITE_PAUSE)
