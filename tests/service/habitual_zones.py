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
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import dns.name
import rules
import values
from aiohttp import hdrs
from clock import Clock
from settings import Settings
from store import RecordSet, RefusedError, Store
from zone_habits import ZoneHabits

Write = Callable[[], Awaitable[None]]


class HabitualZone:
    """One zone with its habits, and what they have to remember."""

    def __init__(self, store: Store, zone: str, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._zone = zone
        self._history: list[tuple[float, Sequence[RecordSet]]] = []
        self._cached: tuple[float, Sequence[RecordSet]] | None = None
        self._recent: collections.deque[float] = collections.deque()
        self._last_write = -math.inf
        self.change(ZoneHabits())

    def change(self, habits: ZoneHabits) -> None:
        """Take other habits from now on."""
        self.habits = habits
        self._reads = 0

    def settings(self, settings: Settings) -> Settings:
        """The settings for this zone."""
        form = self.habits.txt_read
        return dataclasses.replace(settings, txt_read=form) if form else settings

    def check_rate(self) -> None:
        """Count a request; RefusedError when there were too many."""
        habits, now = self.habits, self._clock.now()
        while self._recent and self._recent[0] <= now - habits.rate_window:
            self._recent.popleft()
        if habits.rate and len(self._recent) >= habits.rate:
            wait = max(1, math.ceil(self._recent[0] + habits.rate_window - now))
            raise RefusedError(
                429,
                "Too Many Attempts.",
                headers={hdrs.RETRY_AFTER: str(wait)} if habits.retry_after else None,
            )
        self._recent.append(now)

    async def records(self) -> Sequence[RecordSet]:
        """Read the zone, as a GET is shown it."""
        habits, now = self.habits, self._clock.now()
        self._reads += 1
        shown = await self._store.records(self._zone)
        if habits.late_reads == "all" or self._reads % 2 == 1:
            shown = self._as_of(now - habits.read_lag, shown)
        if habits.cache:
            if self._cached is None or self._cached[0] + habits.cache <= now:
                self._cached = (now, shown)
            shown = self._cached[1]
        if habits.shows == "all":
            return shown
        return (
            ()
            if habits.shows == "nothing"
            else tuple(record for record in shown if record.type != "SOA")
        )

    def as_sent(self, body: Any) -> Any:
        """The body of a POST, with its value as the service takes it; RefusedError when nothing is left of it."""
        match body:
            case {"type": "TXT", "content": str() as text} if self.habits.txt:
                if self.habits.txt == "keeps_quotes":
                    return {**body, "content": values.txt_quoted(text.encode())}
                try:
                    return {**body, "content": values.txt_parsed(text)}
                except ValueError as error:
                    raise RefusedError(422, str(error), field="content") from error
            case {"type": str() as rtype, "content": str() as text} if self.habits.spelling:
                return {**body, "content": values.spelled(rtype, text, self.habits.spelling)}
        return body

    async def add(self, record: rules.NewRecord) -> None:
        """Add one value, or refuse."""
        habits = self.habits
        if habits.refused:
            content = values.canonical_or_same(
                record.type, record.content, dns.name.from_text(self._zone)
            )
            if _matches(habits.refused, f"{record.type} {content}"):
                raise RefusedError(
                    422, f"The content {content} is not accepted any more.", field="content"
                )
        ttl = max(record.ttl, habits.ttl_min)
        ttl = min(ttl, habits.ttl_max or ttl)
        await self._write(
            lambda: self._store.add(self._zone, record.name, record.type, record.content, ttl)
        )

    async def delete(self, name: str, rtype: str) -> None:
        """Delete a set, or refuse."""
        if _matches(self.habits.undeletable, f"{name} {rtype}"):
            raise RefusedError(403, f"The {rtype} records of {name} cannot be deleted.")
        await self._write(lambda: self._delete((name, rtype)))

    def answer(self, body: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, int]:
        """The body of a write that succeeds, None for none, and its status."""
        status = self.habits.write_status
        return (None if status == 204 else body), status

    def _as_of(self, moment: float, current: Sequence[RecordSet]) -> Sequence[RecordSet]:
        if (
            not self._history or self._history[-1][1] is not current
        ):  # what the control interface did is no write
            return current
        while len(self._history) > 1 and self._history[1][0] <= moment:
            del self._history[0]
        return self._history[0][1]

    async def _write(self, write: Write) -> None:
        habits = self.habits
        if habits == ZoneHabits():  # a large zone is not to be looked through
            await write()
            return
        if self._clock.now() < self._last_write + habits.busy_after_write:
            raise RefusedError(409, "Another operation is in progress.")
        if habits.apply_after:
            self._do_later(habits.apply_after, lambda: self._carry_out(write))
        else:
            await self._carry_out(write)
        self._last_write = self._clock.now()

    async def _carry_out(self, write: Write) -> None:
        before = await self._store.records(self._zone)
        if not self._history or self._history[-1][1] is not before:
            self._history = [(-math.inf, before)]
        await write()
        self._history.append((self._clock.now(), await self._store.records(self._zone)))
        if not self.habits.read_lag:
            del self._history[:-1]

    async def _delete(self, key: tuple[str, str]) -> None:
        name, rtype = key
        held = [
            record
            for record in await self._store.records(self._zone)
            if (record.name, record.type) == key
        ]
        await self._store.delete(self._zone, name, rtype)
        if held and _matches(self.habits.returning, f"{name} {rtype}"):
            self._do_later(0, lambda: self._carry_out(lambda: self._bring_back(held[0])))

    async def _bring_back(self, record: RecordSet) -> None:
        for content in record.contents:
            with contextlib.suppress(RefusedError):
                await self._store.add(self._zone, record.name, record.type, content, record.ttl)

    def _do_later(self, seconds: float, write: Write) -> None:
        async def do() -> None:
            with contextlib.suppress(RefusedError):
                await write()

        self._clock.later(seconds, do)


class HabitualZones:
    """Every zone with its habits."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.clear()

    def of(self, zone: str) -> HabitualZone:
        """Return a zone (A-labels, no trailing dot)."""
        if zone not in self._zones:
            self._zones[zone] = HabitualZone(self._store, zone, self._clock)
        return self._zones[zone]

    def clear(self) -> None:
        """Forget the habits of all zones."""
        self._zones: dict[str, HabitualZone] = {}


def _matches(globs: Sequence[str], text: str) -> bool:
    return any(fnmatch.fnmatchcase(text, glob) for glob in globs)
