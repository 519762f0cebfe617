# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine's clocks, randomness and threads, for all packages.

Tests replace the machine to control time and order (tests/faults).
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
    """The real machine."""

    def monotonic(self) -> float:
        """Return seconds on a clock that only goes forward."""
        return time.monotonic()

    def time(self) -> float:
        """Return seconds since 1970. This clock can be set."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Sleep for *seconds*."""
        time.sleep(seconds)

    def uniform(self, least: float, most: float) -> float:
        """Return a random number between *least* and *most*."""
        return random.uniform(least, most)  # noqa: S311 # nosec B311 - jitter is no secret

    def lock(self) -> threading.Lock:
        return threading.Lock()

    def event(self) -> threading.Event:
        return threading.Event()

    def queue(self) -> SimpleQueue[Any]:
        return SimpleQueue()

    def thread(self, run: Callable[..., None], *args: object) -> threading.Thread:
        """Return a daemon thread that runs *run* once started."""
        return threading.Thread(target=run, args=args, daemon=True)


_machines = [Machine()]


def machine() -> Machine:
    """Return the machine in use."""
    return _machines[-1]


@contextmanager
def in_place_of_it(other: Machine) -> Iterator[None]:
    """Use another machine inside the context."""
    _machines.append(other)
    try:
        yield
    finally:
        _machines.remove(other)
