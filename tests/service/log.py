# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of requests, for harnesses that count and time them."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import weakref
from typing import Any


@dataclasses.dataclass
class Entry:
    """One request. It is in the log from its arrival; the status comes when it is answered."""

    n: int
    time: float
    connection: int | None
    method: str
    path: str
    query: dict[str, str]
    body: Any
    authorized: bool
    status: int | None = None
    changed: bool = False


class Log:
    """Every request since the start, or since it was last emptied."""

    def __init__(self, clock):
        self._clock = clock
        self._entries = []
        self._arrived = asyncio.Event()
        self._connections = weakref.WeakKeyDictionary()
        self._last_connection = 0

    def arrive(self, transport, **request):
        """Write a request down."""
        number = len(self._entries) + 1
        entry = Entry(number, self._clock.now(), self._number(transport), **request)
        self._entries.append(entry)
        self._arrived.set()
        return entry

    def clear(self):
        """Empty the log."""
        self._entries.clear()

    def as_json(self):
        """Return the entries."""
        return [vars(entry) for entry in self._entries]

    async def wait(self, count, timeout):
        """Wait until there are so many entries, or the time is over."""

        async def arrive():
            while len(self._entries) < count:
                self._arrived.clear()
                await self._arrived.wait()

        with contextlib.suppress(
            asyncio.TimeoutError
        ):  # which is the built-in one since Python 3.11
            await asyncio.wait_for(arrive(), timeout)

    def _number(self, transport):
        if transport is None:
            return None
        if transport not in self._connections:
            self._last_connection += 1
            self._connections[transport] = self._last_connection
        return self._connections[transport]
