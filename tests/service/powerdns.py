# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zones in a PowerDNS Authoritative server, kept through its HTTP API. What it refuses, it refuses in its own words.

PowerDNS knows no slugs and no status: those of zones that this process did not make are the default ones. It keeps no
order among the values of a set either: here they are in the order in which they came, so that tests can compare them.
"""

import asyncio
import collections
import contextlib
import json
import re

import aiohttp
from store import RefusedError, Zone
from zone_habits import Habits

TIME_LIMIT = aiohttp.ClientTimeout(total=60)


class PowerDNSZones:
    """A store in front of PowerDNS. To be used in an `async with` block, by one process at a time."""

    def __init__(self, url, key):
        self._base = f"{url.rstrip('/')}/api/v1/servers/localhost/zones"
        self._key = key
        self._made = {}
        self._order = collections.defaultdict(list)
        self._sets = collections.defaultdict(asyncio.Lock)
        self._writing = asyncio.Lock()

    async def __aenter__(self):
        self._session = aiohttp.ClientSession(headers={"X-API-Key": self._key}, timeout=TIME_LIMIT)
        return self

    async def __aexit__(self, *_error):
        await self._session.close()

    async def zones(self):
        """List the zones."""
        there = {
            zone["name"].lower().rstrip(".") for zone in await self._call("GET", "", dnssec="false")
        }
        self._made = {name: zone for name, zone in self._made.items() if name in there}
        others = sorted(there - self._made.keys())
        return [*self._made.values(), *(Zone(name, name.replace(".", "")) for name in others)]

    async def sets(self, zone):
        """Read one zone."""
        rrsets = (await self._call("GET", _path(zone)))["rrsets"]
        shown = dict(self._shown(zone, rrset) for rrset in rrsets)
        return {key: held for key, held in shown.items() if held[1]}

    async def read(self, zone):
        """A GET is shown what there is."""
        return await self.sets(zone)

    def begin(self, _zone):
        """It has no habits but PowerDNS's own."""
        return Habits()

    def change(self, zone, _habits):
        """Refuse."""
        raise RefusedError(422, f"Zone {zone}: zones in PowerDNS have no habits.")

    async def write(self, zone, write):
        """Add one value to a set, or delete a set."""
        if write.value is None:
            await self._delete(zone, *write.key)
        else:
            await self._add(zone, *write.key, write.value, write.ttl)

    async def _add(self, zone, name, rtype, content, ttl):
        """Read the set, and replace it."""
        async with self._sets[zone, name, rtype]:
            held = [
                record
                for rrset in (
                    await self._call("GET", _path(zone), rrset_name=name, rrset_type=rtype)
                )["rrsets"]
                if (rrset["name"].lower(), rrset["type"]) == (name, rtype)
                for record in rrset["records"]
            ]
            await self._change(zone, [_replace(name, rtype, ttl, [*held, _record(content)])])
            self._order[zone, name, rtype].append(content)

    async def _delete(self, zone, name, rtype):
        """Delete a whole set. PowerDNS does not mind when there is none."""
        async with self._sets[zone, name, rtype]:
            await self._change(zone, [_delete(name, rtype)])
            self._order.pop((zone, name, rtype), None)

    async def put_zone(self, definition):
        """Make a zone, or give it in one transaction what it is to hold from now on."""
        zone = definition.zone
        wanted = definition.all_sets()
        rrsets = [
            _replace(*key, ttl, map(_record, contents)) for key, (ttl, contents) in wanted.items()
        ]
        if zone.name in {there.name for there in await self.zones()}:
            held = await self.sets(zone.name)
            gone = [_delete(*key) for key in held if key not in wanted]
            await self._change(zone.name, [*gone, *rrsets])
        else:
            new = {"name": f"{zone.name}.", "kind": "Native", "nameservers": [], "rrsets": rrsets}
            await self._call("POST", "", new)
        self._made[zone.name] = zone
        for key, (_ttl, contents) in wanted.items():
            self._order[(zone.name, *key)] = list(contents)

    async def remove_zone(self, zone):
        """Remove a zone."""
        await self._call("DELETE", _path(zone))
        self._made.pop(zone, None)

    async def clear(self):
        """Remove every zone."""
        for zone in await self.zones():
            await self.remove_zone(zone.name)

    def _shown(self, zone, rrset):
        name, rtype = rrset["name"].lower(), rrset["type"]
        contents = [record["content"] for record in rrset["records"] if not record["disabled"]]
        place = {content: number for number, content in enumerate(self._order[zone, name, rtype])}
        contents.sort(key=lambda content: place.get(content, len(place)))
        return (name, rtype), (rrset["ttl"], tuple(contents))

    async def _change(self, zone, rrsets):
        await self._call("PATCH", _path(zone), {"rrsets": rrsets})

    async def _call(self, method, path, body=None, **query):
        # Two writes at a time in one SQLite database, and PowerDNS gives up one of them: 500 Internal Server Error.
        alone = contextlib.nullcontext() if method == "GET" else self._writing
        try:
            async with (
                alone,
                self._session.request(
                    method, self._base + path, json=body, params=query
                ) as response,
            ):
                text = await response.text()
        except (aiohttp.ClientError, asyncio.TimeoutError) as error:
            raise RefusedError(
                502, f"PowerDNS does not answer: {error or 'it took too long'}"
            ) from error
        if response.status == 401:
            # Passed on, it would say that the client's token is wrong.
            raise RefusedError(502, "PowerDNS does not accept the key.")
        if response.status >= 400:
            raise RefusedError(response.status, _message(text))
        return json.loads(text) if text else None


def _path(zone):
    return "/" + re.sub(r"[^A-Za-z0-9.-]", lambda other: f"={ord(other[0]):02X}", f"{zone}.")


def _record(content):
    return {"content": content, "disabled": False}


def _replace(name, rtype, ttl, records):
    return {
        "name": name,
        "type": rtype,
        "ttl": ttl,
        "changetype": "REPLACE",
        "records": list(records),
    }


def _delete(name, rtype):
    return {"name": name, "type": rtype, "changetype": "DELETE"}


def _message(text):
    try:
        reason = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        reason = text
    return str(reason).strip()
