# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many threads may have a request under way, and whether somebody still waits for one of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine


class LeftBehind(BaseException):
    """Ends a thread that nobody waits for; no Exception, so that nobody takes it for a failure of the work."""


class Own:
    """What a thread knows of itself.

    *overs* are set when those who wait for it no longer do, *left_behind* are threads that it no longer waits for, and
    *limiters* those that count it already.
    """

    def __init__(self, overs: tuple[threading.Event, ...] = ()):
        self.overs = overs
        self.left_behind: list[threading.Thread] = []
        self.limiters: set[int] = set()


_of_thread: ContextVar[Own] = ContextVar("what a thread knows of itself")


def own() -> Own:
    """What the calling thread knows of itself."""
    known = _of_thread.get(None)
    return begin_as(Own()) if known is None else known


def begin_as(known: Own) -> Own:
    """What the calling thread knows of itself from now on: it may begin with the context of who starts it."""
    _of_thread.set(known)
    return known


def go_on() -> None:
    """Return while somebody waits for the calling thread; to be asked before each request. Raises LeftBehind."""
    if any(over.is_set() for over in own().overs):
        raise LeftBehind


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


Threads: TypeAlias = int | Callable[[], int]
"""How many threads work at once; what is called may say another number while they do, and then more join."""
