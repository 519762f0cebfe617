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
from contextlib import AbstractContextManager, contextmanager
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Held = TypeVar("Held")


class LeftBehind(BaseException):
    """Ends a thread that nobody waits for; no Exception, so that nobody takes it for a failure of the work."""


_own = threading.local()
_left_behind: list[threading.Thread] = []


def go_on() -> None:
    """Return while somebody waits for the calling thread; to be asked before each request. Raises LeftBehind."""
    over: threading.Event | None = getattr(_own, "over", None)
    if over and over.is_set():
        raise LeftBehind


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], threads: int) -> list[Answer]:
    """What *work* returns for each item, in their order, with at most so many *threads* at once.

    Once one raises, no other begins, and its error is raised when those under way are done. Where the caller is
    interrupted (a time limit, Ctrl-C), nobody waits: what is under way ends at its next ``go_on``.
    """
    waiting = deque(enumerate(items))
    answers: dict[int, Answer] = {}
    errors: dict[int, BaseException] = {}
    over = threading.Event()
    ended: SimpleQueue[None] = SimpleQueue()

    def run() -> None:
        _own.over = over
        while not errors and not over.is_set():
            try:
                number, item = waiting.popleft()
            except IndexError:
                break
            try:
                answers[number] = work(item)
            except BaseException as error:  # noqa: BLE001 - raised again where somebody waits
                errors[number] = error
        ended.put(None)

    crew = [threading.Thread(target=run, daemon=True) for _thread in range(min(threads, len(waiting)))]
    try:
        for thread in crew:
            thread.start()
        for _thread in crew:
            ended.get()
    except BaseException:
        over.set()
        _left_behind.extend(crew)
        raise
    if errors:
        raise errors[min(errors)]
    return [answers[number] for number in sorted(answers)]


@contextmanager
def outlasting_threads(lock: AbstractContextManager[Held]) -> Iterator[Held]:
    """*lock*, held until the last thread that was left behind inside has ended, or the process has.

    What such a thread sent may still be carried out, and nobody else should write before.
    """
    held = lock.__enter__()
    try:
        yield held
    finally:
        threads = [thread for thread in _left_behind if thread.is_alive()]
        _left_behind.clear()
        if threads:
            threading.Thread(target=_release, args=(lock, threads), daemon=True).start()
        else:
            lock.__exit__(None, None, None)


def _release(lock: AbstractContextManager[Held], threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join()
    lock.__exit__(None, None, None)
