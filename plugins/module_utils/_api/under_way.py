# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits the requests under way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal, TypeAlias, TypeVar

from .._dns.printable import quoted
from .._machine import machine
from .._threads import Threads, go_on, own
from .answers import NOT_CARRIED_OUT, TransientFailure
from .concurrency import LEAST, MOST, AnswerKind, ConcurrencySearch, Sample
from .connection import InvalidConnection

Answer = TypeVar("Answer")

AUTO: Literal["auto"] = "auto"

Concurrency: TypeAlias = int | Literal["auto"]


def checked_concurrency(value: Any) -> Concurrency:
    """Raises InvalidConnection."""
    text = str(value).strip()
    if text == AUTO:
        return AUTO
    with suppress(ValueError):
        if 1 <= int(text) <= MOST:
            return int(text)
    raise InvalidConnection(f"concurrency is {quoted(text)}, but must be {AUTO} or 1 to {MOST}")


class RequestLimiter:
    """Lets a limited number of threads in; those inside may enter again."""

    def __init__(self, most: int):
        self.most = most
        self._places = machine().semaphore(most)
        self._owed = 0  # places above the limit, dropped when they become free
        self._counts = machine().lock()

    def let(self, most: int) -> None:
        """Threads inside stay."""
        with self._counts:
            owed, self.most = self._owed + self.most - most, most
            for _place in range(-owed):
                self._places.release()
            while owed > 0 and self._places.acquire(blocking=False):
                owed -= 1
            self._owed = max(0, owed)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Raises LeftBehind."""
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


class UnderWay:
    """Thread-safe."""

    def __init__(self, concurrency: Concurrency):
        self._finding = ConcurrencySearch() if concurrency == AUTO else None
        self.at_most = MOST if concurrency == AUTO else concurrency
        self.limiter = RequestLimiter(LEAST if concurrency == AUTO else concurrency)
        """Entered for each request, or before by a thread with several."""
        self._number = 0
        self._lock = machine().lock()

    @property
    def threads(self) -> Threads:
        return (lambda: self.limiter.most) if self._finding else self.at_most

    def send(self, once: Callable[[], Answer]) -> Answer:
        """AUTO learns from the result."""
        if not self._finding:
            return once()
        start = machine().monotonic()
        with self._lock:
            self._number += 1
            at_start = self._number
        outcome = AnswerKind.ANSWERED
        try:
            return once()
        except TransientFailure as failure:
            outcome = _outcome_of(failure)
            raise
        finally:
            with self._lock:
                under_way = max(at_start, self._number)
                self._number -= 1
                sample = Sample(start, machine().monotonic(), outcome, under_way)
                self.limiter.let(self._finding.take(sample))


def _outcome_of(failure: TransientFailure) -> AnswerKind:
    if failure.error.status_code in NOT_CARRIED_OUT:
        return AnswerKind.THROTTLED
    return AnswerKind.ANSWERED if failure.is_throttled else AnswerKind.LOST
