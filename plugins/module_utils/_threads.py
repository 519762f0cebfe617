# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Threads that can be left behind: after a time limit or Ctrl-C, nobody waits for them.

ThreadPoolExecutor would wait, and so would the interpreter at exit.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from typing import Generic, TypeAlias, TypeVar

from ._machine import machine

SIGNAL_SEEN_AFTER = 0.5
"""Seconds until a signal is noticed that arrived as a wait began."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Entered = TypeVar("Entered")

Threads: TypeAlias = int | Callable[[], int]
"""Most threads at once. A function may raise the number while they work."""


class LeftBehind(BaseException):
    """Ends a thread that nobody waits for. Not an Exception, so that nobody handles it as a failure."""


class Own:
    """State of one thread.

    *overs* are set once nobody waits for it. *left_behind* are threads that it no longer waits for. *place* is its
    place in the queue of those who want to send requests.
    """

    def __init__(self, overs: tuple[threading.Event, ...] = ()):
        self.overs = overs
        self.left_behind: list[threading.Thread] = []
        self.place: int | None = None


_of_thread: ContextVar[Own] = ContextVar("what a thread knows of itself")


def own() -> Own:
    if not _of_thread.get(None):
        _of_thread.set(Own())
    return _of_thread.get()


def go_on() -> None:
    """Raises LeftBehind if nobody waits for the calling thread. Call it before each request."""
    if any(over.is_set() for over in own().overs):
        raise LeftBehind


def how_many(threads: Threads) -> int:
    return threads() if callable(threads) else threads


def in_threads(
    work: Callable[[Item], Answer], items: Iterable[Item], threads: Threads
) -> list[Answer]:
    """Return the results of *work* for the items, in order, from at most *threads* at once.

    After an error, no further item starts; it is raised once the others end. After an interruption (time limit,
    Ctrl-C), nobody waits, and work ends at its next ``go_on``.
    """
    pool = _WorkerPool(work, items, threads)
    try:
        pool.work_to_the_end()
    except BaseException:
        pool.over.set()
        own().left_behind.extend(pool.threads)
        raise
    if pool.errors:
        raise pool.errors[min(pool.errors)]
    return [pool.answers[number] for number in sorted(pool.answers)]


class _WorkerPool(Generic[Item, Answer]):
    """Threads that share items. Each starts another before it takes an item, if there may be more."""

    def __init__(self, work: Callable[[Item], Answer], items: Iterable[Item], most: Threads):
        self._work = work
        self._waiting = deque(enumerate(items))
        self._most = most
        self._mutex = machine().lock()
        self.threads: list[threading.Thread] = []
        self.over = machine().event()
        """Once nobody waits for them."""
        self.answers: dict[int, Answer] = {}
        self.errors: dict[int, BaseException] = {}

    def work_to_the_end(self) -> None:
        """Return once all items are done, or after an error."""
        ended: SimpleQueue[None] = machine().queue()
        overs = (*own().overs, self.over)

        def run() -> None:
            _of_thread.set(Own(overs))  # it may have inherited its parent's
            while not self.errors and not self.over.is_set():
                self._join(run)
                if not self._do_one():
                    break
            ended.put(None)

        self._join(run)
        at_end = 0
        while at_end < len(self.threads):
            with suppress(Empty):
                ended.get(timeout=SIGNAL_SEEN_AFTER)
                at_end += 1

    def _do_one(self) -> bool:
        """Work on the next item. Returns False if there is none."""
        try:
            number, item = self._waiting.popleft()
        except IndexError:
            return False
        try:
            self.answers[number] = self._work(item)
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
            self.errors[number] = error
        return True

    def _join(self, run: Callable[[], None]) -> None:
        """Start one more thread if that is useful, and the machine allows. Raises RuntimeError if there is none."""
        with self._mutex:
            for_the_caller = 1 if self.threads else 0
            if len(self._waiting) <= for_the_caller or len(self.threads) >= how_many(self._most):
                return
            thread = machine().thread(run)
            self.threads.append(thread)
            try:
                thread.start()
            except RuntimeError:
                self.threads.pop()
                if not self.threads:
                    raise


@contextmanager
def outlasting_threads(lock: AbstractContextManager[Entered]) -> Iterator[Entered]:
    """Hold *lock* until all threads left behind inside have ended, or the process has. Raises LeftBehind.

    Until then, their requests may still take effect, so nobody else should write.
    """
    entered = lock.__enter__()
    try:
        go_on()  # nobody may want the lock any more
        yield entered
    finally:
        threads = [thread for thread in own().left_behind if thread.is_alive()]
        own().left_behind.clear()
        if threads:
            machine().thread(_release, lock, threads).start()
        else:
            lock.__exit__(None, None, None)


def _release(lock: AbstractContextManager[Entered], threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join()
    lock.__exit__(None, None, None)
