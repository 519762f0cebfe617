# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine that a run is on: its clocks, its chance and its threads, which the rooms take from here alone.

So another machine can take its place, whose time and whose order of things a test turns (tests/faults).
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any


class Machine:
    """The real one."""

    def monotonic(self) -> float:
        """Seconds since some moment, which only grow."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since 1970, by a clock that can be set."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Let so many seconds pass for the calling thread."""
        time.sleep(seconds)

    def uniform(self, least: float, most: float) -> float:
        """A number between two, by chance."""
        return random.uniform(least, most)  # noqa: S311 # nosec B311 - jitter is no secret

    def lock(self) -> threading.Lock:
        """What one thread at a time can have."""
        return threading.Lock()

    def event(self) -> threading.Event:
        """A flag that is set for good."""
        return threading.Event()

    def semaphore(self, places: int) -> threading.Semaphore:
        """What so many threads at a time can have."""
        return threading.Semaphore(places)

    def queue(self) -> SimpleQueue[Any]:
        """What threads hand each other; empty at first."""
        return SimpleQueue()

    def thread(self, run: Callable[..., None], *args: object) -> threading.Thread:
        """A thread that runs this once it is started, and that no process waits for at its end."""
        return threading.Thread(target=run, args=args, daemon=True)


_machines = [Machine()]


def machine() -> Machine:
    """The machine that this process is on."""
    return _machines[-1]


@contextmanager
def in_place_of_it(other: Machine) -> Iterator[None]:
    """Be on another machine inside."""
    _machines.append(other)
    try:
        yield
    finally:
        _machines.remove(other)
