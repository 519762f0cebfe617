# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What people are told while a run goes on, where somebody watches: no wait is long without a word, nor is Ctrl-C.

Waits are told from a thread of their own: who waits for an answer or for a database cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine

QUIET = 5.0
"""Seconds between two lines at least, and of a wait before it is told; then it is told each time it has doubled."""

CHECKS_EVERY = 0.5
"""Seconds between two checks for waits that are to be told."""

Words = Callable[[], str]
"""What is waited for, in one clause; asked from another thread, and only where it is told."""


class _Wait:
    """A wait under way. *told_after* is how many seconds it had taken when it was told last."""

    def __init__(self, words: Words):
        self.words = words
        self.began = machine().monotonic()
        self.told_after = 0.0


class Watch:
    """Somebody who watches: *show* puts a line before them. Safe to use from several threads."""

    def __init__(self, show: Callable[[str], None]):
        self._show = show
        self._waits: list[_Wait] = []
        self._told_at = machine().monotonic()
        self._mutex = machine().lock()

    def tell(self, line: str) -> None:
        """Tell how far something is, unless a line was told just before."""
        with self._mutex:
            if machine().monotonic() - self._told_at >= QUIET:
                self._tell(line)

    @contextmanager
    def waiting(self, words: Words) -> Iterator[None]:
        """What happens inside is a wait, told as soon as it is long."""
        wait = _Wait(words)
        with self._mutex:
            self._waits.append(wait)
        try:
            yield
        finally:
            with self._mutex:
                self._waits.remove(wait)

    def look(self) -> None:
        """Tell of the wait that has taken longest, where that is due: mostly the others are of its kind."""
        with self._mutex:
            now = machine().monotonic()
            if not self._waits or now - self._told_at < QUIET:
                return
            wait = self._waits[0]
            waited = now - wait.began
            if waited < max(QUIET, 2 * wait.told_after):
                return
            wait.told_after = waited
        self._tell(f"Waiting for {waited:.0f} s: {wait.words()}")  # to find the words may take a while

    def _tell(self, line: str) -> None:
        self._told_at = machine().monotonic()
        self._show(line)


_watches: list[Watch] = []
_torn: list[Callable[[], Iterable[str]]] = []


@contextmanager
def watched(show: Callable[[str], None]) -> Iterator[None]:
    """Have what happens inside watched by people, who are shown lines with *show*."""
    watch, over = Watch(show), machine().event()

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
    """Tell how far something is, where somebody watches and nothing was told just before."""
    for watch in _watches[-1:]:
        watch.tell(line)


def waiting(words: Words) -> AbstractContextManager[None]:
    """What happens inside is a wait, told as soon as it is long, where somebody watches."""
    return _watches[-1].waiting(words) if _watches else nullcontext()


@contextmanager
def tearing(sets: Callable[[], Iterable[str]]) -> Iterator[None]:
    """What happens inside deletes record sets to create them again; *sets* names those that are not whole now."""
    _torn.append(sets)
    try:
        yield
    finally:
        _torn.remove(sets)


_over = machine().event()


def end_tearing() -> None:
    """Nothing is to be deleted any more: who is interrupted has told what is not whole, and the process ends."""
    _over.set()


def may_tear() -> bool:
    """Whether a record set may be deleted to be created again."""
    return not _over.is_set()


def torn() -> list[str]:
    """The record sets that are deleted and not whole again now. It waits for nobody: who is interrupted may ask."""
    return [name for sets in [*_torn] for name in sets()]
