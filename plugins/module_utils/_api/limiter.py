# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many threads may have a request under way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import go_on, own


class RequestLimiter:
    """Lets at most so many threads send requests at once; who is let in already can enter again."""

    def __init__(self, most: int):
        self.most = most
        self._places = machine().semaphore(most)
        self._owed = 0  # places of those inside that are too many, and that nobody gets who waits
        self._counts = machine().lock()

    def let(self, most: int) -> None:
        """From now on so many; who is in already stays."""
        with self._counts:
            owed, self.most = self._owed + self.most - most, most
            for _place in range(-owed):
                self._places.release()
            while owed > 0 and self._places.acquire(blocking=False):
                owed -= 1
            self._owed = max(0, owed)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Wait for one of the places, and keep it inside. Raises LeftBehind."""
        entered = own().limiters
        if id(self) in entered:
            yield
            return
        self._places.acquire()
        try:
            go_on()
            entered.add(id(self))
            yield
        finally:
            entered.discard(id(self))
            self._leave()

    def _leave(self) -> None:
        with self._counts:
            if self._owed:
                self._owed -= 1
            else:
                self._places.release()
