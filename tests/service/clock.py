# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock of the service, and what it does later: its parts take both from here alone."""

import asyncio
import contextlib
import time


class Clock:
    """The real one, of the asyncio loop that runs."""

    def __init__(self):
        self._tasks = set()

    def now(self):
        """Seconds since some moment, which only grow."""
        return time.monotonic()

    async def sleep(self, seconds):
        """Let so many seconds pass for who waits for this."""
        await asyncio.sleep(seconds)

    async def wait(self, event, seconds):
        """Wait until the event is set, or so many seconds."""
        with contextlib.suppress(
            asyncio.TimeoutError
        ):  # which is the built-in one since Python 3.11
            await asyncio.wait_for(event.wait(), seconds)

    def later(self, seconds, do):
        """Do something after so many seconds, while all else goes on."""

        async def wait_and_do():
            await asyncio.sleep(seconds)
            await do()

        task = asyncio.create_task(wait_and_do())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
