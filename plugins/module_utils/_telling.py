# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reports long waits to whoever watches a run.

Waits are reported from another thread, since the waiting one cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from ._machine import machine

QUIET = 5.0
"""Least seconds between lines, and before a wait is reported. It is reported again whenever it has doubled."""

CHECKS_EVERY = 0.5
"""Seconds between checks for waits to report."""

Words = Callable[[], str]
"""Names the wait in a clause. Called from another thread, only to report it."""


class _Wait:
    """A wait, and its length in seconds when last reported."""

    def __init__(self, words: Words):
        self.words = words
        self.began = machine().monotonic()
        self.told_after = 0.0


class Watch:
    """Reports through *show*, which prints a line; and progress. Thread-safe."""

    def __init__(self, show: Callable[[str], None]):
        self._show = show
        self._waits: list[_Wait] = []
        self._told_at = machine().monotonic()
        self._mutex = machine().lock()

    def tell(self, line: str) -> None:
        """Report progress, unless a line was shown just before."""
        with self._mutex:
            if machine().monotonic() - self._told_at >= QUIET:
                self._tell(line)

    @contextmanager
    def waiting(self, words: Words) -> Iterator[None]:
        """Report the body as a wait, once it takes long."""
        wait = _Wait(words)
        with self._mutex:
            self._waits.append(wait)
        try:
            yield
        finally:
            with self._mutex:
                self._waits.remove(wait)

    def look(self) -> None:
        """Report the longest wait, if due."""
        with self._mutex:
            now = machine().monotonic()
            if not self._waits or now - self._told_at < QUIET:
                return
            wait = self._waits[0]
            waited = now - wait.began
            if waited < max(QUIET, 2 * wait.told_after):
                return
            wait.told_after = waited
        words = wait.words()  # which may take a while
        self._tell(f"Still waiting after {waited:.0f} s: {words}")

    def _tell(self, line: str) -> None:
        self._told_at = machine().monotonic()
        self._show(line)


_watches: list[Watch] = []


@contextmanager
def watched(show: Callable[[str], None]) -> Iterator[None]:
    """Report waits and progress inside with *show*."""
    watch = Watch(show)
    over = machine().event()

    def look_now_and_then() -> None:
        while not over.wait(CHECKS_EVERY):
            watch.look()

    _watches.append(watch)
    machine().thread(look_now_and_then).start()
    try:
        yield
    finally:
        over.set()
        _watches.remove(watch)


def tell(line: str) -> None:
    """Report progress, if somebody watches and no line was shown just before."""
    for watch in _watches[-1:]:
        watch.tell(line)


def waiting(words: Words) -> AbstractContextManager[None]:
    """Report the body as a wait, once it takes long, if somebody watches."""
    if not _watches:
        return nullcontext()
    return _watches[-1].waiting(words)
