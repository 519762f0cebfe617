# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Zones as clients meet them: between the interface and the store, which is always right and up to date."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import fnmatch
import math
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import dns.name
import names
import rules
import values
from aiohttp import hdrs
from clock import Clock
from oddities import Oddities
from settings import Settings
from store import RecordSet, RefusedError, Store

Key = tuple[str, str]
Write = Callable[[], Awaitable[None]]


class OddZone:
    """One zone with its oddities, and what they have to remember."""

    def __init__(self, store: Store, zone: str, oddities: Oddities, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._zone = zone
        self._history: list[tuple[float, Sequence[RecordSet]]] = []
        self._cached: tuple[float, Sequence[RecordSet]] | None = None
        self._recent: collections.deque[float] = collections.deque()
        self._under_way = 0
        self._last_write = -math.inf
        self._deleted: dict[Key, float] = {}
        self.change(oddities)

    def change(self, oddities: Oddities) -> None:
        """Take other oddities from now on."""
        self.oddities = oddities
        self._is_odd = oddities != Oddities()
        self._reads = 0
        self._gone_first = oddities.gone_first
        self._random = random.Random(oddities.seed)  # noqa: S311 - no secret depends on it

    def settings(self, settings: Settings) -> Settings:
        """The settings for this zone."""
        forms = {name: getattr(self.oddities, name) for name in ("txt_read", "mx_read")}
        return dataclasses.replace(settings, **{name: form for name, form in forms.items() if form})

    def check_rate(self) -> None:
        """Count a request; RefusedError when there were too many."""
        odd, now = self.oddities, self._clock.now()
        while self._recent and self._recent[0] <= now - odd.rate_window:
            self._recent.popleft()
        if odd.rate and len(self._recent) >= odd.rate:
            wait = max(1, math.ceil(self._recent[0] + odd.rate_window - now))
            raise RefusedError(
                429, "Too Many Attempts.", headers={hdrs.RETRY_AFTER: str(wait)} if odd.retry_after else None
            )
        self._recent.append(now)

    async def records(self, connection: int | None) -> Sequence[RecordSet]:
        """Read the zone, as a GET on this connection is shown it."""
        odd, now = self.oddities, self._clock.now()
        self._reads += 1
        shown = await self._store.records(self._zone)
        if self._is_late(connection):
            shown = self._as_of(now - odd.read_lag, shown)
            if odd.cache:
                if self._cached is None or self._cached[0] + odd.cache <= now:
                    self._cached = (now, shown)
                shown = self._cached[1]
        if odd.shows == "all" or (odd.shows_times and self._reads > odd.shows_times):
            return shown
        return () if odd.shows == "nothing" else tuple(record for record in shown if record.type != "SOA")

    def as_sent(self, body: Any) -> Any:
        """The body of a POST, with its value as the service takes it; RefusedError when nothing is left of it."""
        match body:
            case {"type": "TXT", "content": str() as text} if self.oddities.txt:
                if self.oddities.txt == "keeps_quotes":
                    return {**body, "content": values.txt_quoted(text.encode())}
                try:
                    return {**body, "content": values.txt_parsed(text)}
                except ValueError as error:
                    raise RefusedError(422, str(error), field="content") from error
            case {"type": str() as rtype, "content": str() as text} if self.oddities.spelling:
                return {**body, "content": values.spelled(rtype, text, self.oddities.spelling)}
        return body

    async def add(self, record: rules.NewRecord) -> None:
        """Add one value, or refuse."""
        odd, key = self.oddities, (record.name, record.type)
        if not self._is_odd:  # a large zone is not to be looked through
            await self._store.add(self._zone, *key, record.content, record.ttl)
            return
        content = values.canonical_or_same(record.type, record.content, dns.name.from_text(self._zone))
        if _matches(odd.refused, f"{record.type} {content}"):
            raise RefusedError(422, f"The content {content} is not accepted any more.", field="content")
        if self._clock.now() < self._deleted.get(key, -math.inf) + odd.busy_after_delete:
            raise self._busy()
        if await self._holds(key, content) and (odd.apply_checks or not odd.apply_after):
            raise RefusedError(odd.duplicate_status, f"Record {record.name} {record.type} {content} already exists.")
        ttl = odd.kept_ttl(record.ttl)
        await self._write(lambda: self._store.add(self._zone, *key, record.content, ttl))

    async def delete(self, name: str, rtype: str) -> None:
        """Delete a set, or refuse."""
        odd, key = self.oddities, (name, rtype)
        if not self._is_odd:
            await self._store.delete(self._zone, *key)
            return
        if _matches(odd.undeletable, f"{name} {rtype}"):
            raise RefusedError(403, f"The {rtype} records of {name} cannot be deleted.")
        if self._gone_first and await self._holds(key):
            self._gone_first -= 1
            await self._carry_out(lambda: self._store.delete(self._zone, *key))
        if not await self._holds(key) and (odd.apply_checks or not odd.apply_after):
            raise RefusedError(odd.gone_status, f"Record {name} {rtype} not found.")
        await self._write(lambda: self._delete(key))
        self._deleted[key] = self._clock.now()

    def answer(self, method: str, body: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, int]:
        """The body of a success, None for none, and its status."""
        status = self.oddities.post_status if method == "POST" else self.oddities.delete_status
        return (None if status == 204 or method in self.oddities.empty_answers else body), status

    def _is_late(self, connection: int | None) -> bool:
        match self.oddities.late_reads:
            case "alternate":
                return self._reads % 2 == 1
            case "connection":
                return (connection or 0) % 2 == 1
            case "random":
                return self._random.random() < 0.5
        return True

    def _as_of(self, moment: float, current: Sequence[RecordSet]) -> Sequence[RecordSet]:
        if not self._history or self._history[-1][1] is not current:  # what the control interface did is no write
            return current
        while len(self._history) > 1 and self._history[1][0] <= moment:
            del self._history[0]
        return self._history[0][1]

    def _busy(self) -> RefusedError:
        return RefusedError(self.oddities.busy_status, "Another operation is in progress.")

    async def _holds(self, key: Key, content: str | None = None) -> bool:
        records = await self._store.records(self._zone)
        held = next((record.contents for record in records if (record.name, record.type) == key), ())
        return bool(held) if content is None else content in held

    async def _write(self, write: Write) -> None:
        odd = self.oddities
        one_at_a_time = odd.write_takes or odd.busy_after_write
        if (one_at_a_time and self._under_way) or self._clock.now() < self._last_write + odd.busy_after_write:
            raise self._busy()
        self._under_way += 1
        try:
            if odd.write_takes:
                await self._clock.sleep(odd.write_takes)
            if odd.apply_after:
                self._do_later(odd.apply_after, lambda: self._carry_out(write))
            else:
                await self._carry_out(write)
            self._last_write = self._clock.now()
        finally:
            self._under_way -= 1

    async def _carry_out(self, write: Write) -> None:
        before = await self._store.records(self._zone)
        if not self._history or self._history[-1][1] is not before:
            self._history = [(-math.inf, before)]
        await write()
        self._history.append((self._clock.now(), await self._store.records(self._zone)))
        if not self.oddities.read_lag:
            del self._history[:-1]

    async def _delete(self, key: Key) -> None:
        name, rtype = key
        held = [record for record in await self._store.records(self._zone) if (record.name, record.type) == key]
        await self._store.delete(self._zone, name, rtype)
        if held and _matches(self.oddities.returning, f"{name} {rtype}"):
            self._do_later(self.oddities.return_after, lambda: self._carry_out(lambda: self._bring_back(held[0])))

    async def _bring_back(self, record: RecordSet) -> None:
        for content in record.contents:
            with contextlib.suppress(RefusedError):
                await self._store.add(self._zone, record.name, record.type, content, record.ttl)

    def _do_later(self, seconds: float, write: Write) -> None:
        async def do() -> None:
            with contextlib.suppress(RefusedError):
                await write()

        self._clock.later(seconds, do)


class OddZones:
    """Every zone with its oddities."""

    def __init__(self, store: Store, default: Oddities, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._initial = default
        self.clear()

    def of(self, zone: str) -> OddZone:
        """Return a zone (A-labels, no trailing dot)."""
        if zone not in self._zones:
            self._zones[zone] = OddZone(self._store, zone, self._default, self._clock)
        return self._zones[zone]

    def put(self, zone: str, oddities: Oddities) -> None:
        """Give a zone oddities of its own, or `*`, all that have none, other ones."""
        if zone == "*":
            for odd in self._zones.values():
                if odd.oddities is self._default:
                    odd.change(oddities)
            self._default = oddities
        else:
            self.of(_plain(zone)).change(oddities)

    def get(self, zone: str) -> Oddities:
        """Return the oddities of a zone, or of `*`."""
        return self._default if zone == "*" else self.of(_plain(zone)).oddities

    def clear(self) -> None:
        """Go back to what the command line said."""
        self._default = self._initial
        self._zones: dict[str, OddZone] = {}


def _plain(zone: str) -> str:
    return names.zone(zone).to_text(omit_final_dot=True)


def _matches(globs: Sequence[str], text: str) -> bool:
    return any(fnmatch.fnmatchcase(text, glob) for glob in globs)
