# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Work in several threads that can be left behind: at the end of a task's time, or on Ctrl-C, nobody waits for them.

Not ThreadPoolExecutor, which waits for its threads, and whose threads the interpreter waits for at its exit.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TypeAlias, TypeVar

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine

SIGNAL_SEEN_AFTER = 0.5
"""Seconds after which a signal is seen that came just as a wait began, and so did not end it."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Entered = TypeVar("Entered")


class LeftBehind(BaseException):
    """Ends a thread that nobody waits for; no Exception, so that nobody takes it for a failure of the work."""


@dataclass
class _Own:
    """What a thread knows of itself.

    *overs* are set when those who wait for it no longer do, *left_behind* are threads that it no longer waits for, and
    *limiters* those that count it already.
    """

    overs: tuple[threading.Event, ...] = ()
    left_behind: list[threading.Thread] = field(default_factory=list)
    limiters: set[int] = field(default_factory=set)


_of_thread: ContextVar[_Own] = ContextVar("what a thread knows of itself")


def _own() -> _Own:
    own = _of_thread.get(None)
    if own is None:
        _of_thread.set(own := _Own())
    return own


def go_on() -> None:
    """Return while somebody waits for the calling thread; to be asked before each request. Raises LeftBehind."""
    if any(over.is_set() for over in _own().overs):
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
        entered = _own().limiters
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


Threads: TypeAlias = "int | Callable[[], int]"
"""How many threads work at once; what is called may say another number while they do, and then more join."""


def how_many(threads: Threads) -> int:
    """The number as it is now."""
    return threads() if callable(threads) else threads


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], threads: Threads) -> list[Answer]:
    """What *work* returns for each item, in their order, with at most so many *threads* at once.

    Once one raises, no other begins, and its error is raised when those under way are done. Where the caller is
    interrupted (a time limit, Ctrl-C), nobody waits: what is under way ends at its next ``go_on``.
    """
    waiting = deque(enumerate(items))
    answers: dict[int, Answer] = {}
    errors: dict[int, BaseException] = {}
    over = machine().event()
    overs = (*_own().overs, over)
    ended: SimpleQueue[None] = machine().queue()
    crew: list[threading.Thread] = []
    joins = machine().lock()

    def run() -> None:
        _of_thread.set(_Own(overs))  # a thread may begin with the context of who starts it
        while not errors and not over.is_set():
            join()
            try:
                number, item = waiting.popleft()
            except IndexError:
                break
            try:
                answers[number] = work(item)
            except BaseException as error:  # noqa: BLE001 - raised again where somebody waits
                errors[number] = error
        ended.put(None)

    def join() -> None:
        with joins:
            if len(crew) < how_many(threads) and len(waiting) > (1 if crew else 0):  # one is for the thread that asks
                _begin(machine().thread(run), crew)

    try:
        join()
        at_end = 0
        while at_end < len(crew):
            with suppress(Empty):
                ended.get(timeout=SIGNAL_SEEN_AFTER)
                at_end += 1
    except BaseException:
        over.set()
        _own().left_behind.extend(crew)
        raise
    if errors:
        raise errors[min(errors)]
    return [answers[number] for number in sorted(answers)]


def _begin(thread: threading.Thread, crew: list[threading.Thread]) -> None:
    """Let a thread join the crew, unless the machine has no more of them. Raises RuntimeError where it has none."""
    crew.append(thread)
    try:
        thread.start()
    except RuntimeError:
        crew.pop()
        if not crew:
            raise


@contextmanager
def outlasting_threads(lock: AbstractContextManager[Entered]) -> Iterator[Entered]:
    """*lock*, held until the last thread that was left behind inside has ended, or the process has.

    What such a thread sent may still be carried out, and nobody else should write before. Raises LeftBehind.
    """
    entered = lock.__enter__()
    try:
        go_on()  # for whom the lock was meant may be gone by now
        yield entered
    finally:
        threads = [thread for thread in _own().left_behind if thread.is_alive()]
        _own().left_behind.clear()
        if threads:
            machine().thread(_release, lock, threads).start()
        else:
            lock.__exit__(None, None, None)


def _release(lock: AbstractContextManager[Entered], threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join()
    lock.__exit__(None, None, None)
