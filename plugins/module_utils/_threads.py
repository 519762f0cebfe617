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
from queue import Empty, SimpleQueue
from typing import TypeAlias, TypeVar

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine

SIGNAL_SEEN_AFTER = 0.5
"""Seconds after which a signal is seen that came just as a wait began, and so did not end it."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Entered = TypeVar("Entered")

Threads: TypeAlias = int | Callable[[], int]
"""How many threads work at once; what is called may say another number while they do, and then more join."""


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
    overs = (*own().overs, over)
    ended: SimpleQueue[None] = machine().queue()
    crew: list[threading.Thread] = []
    joins = machine().lock()

    def run() -> None:
        begin_as(Own(overs))
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
        own().left_behind.extend(crew)
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
