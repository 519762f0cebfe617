# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lets each call begin when the limiter says so, and tells the limiter how it ended."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from .._machine import machine
from .._threads import go_on, own
from .answers import LONGEST_WAIT, ServiceError, TransientFailure
from .limiter import Limiter, Request

FIRST_WAIT = 0.5
LEAST_JITTER = 0.2
"""Most seconds added to the service's wait, which is the same for all processes."""

TOO_MANY = 429
"""Rate limit (RFC 6585, section 4)."""

WAKES_UP_AFTER = 1.0
"""Seconds after which a waiting thread checks whether it is still needed."""


class OutOfTime(Exception):
    """A call has waited too long for others; *error* is why the last of those was refused."""

    def __init__(self, error: ServiceError):
        super().__init__()
        self.error = error


class Turn:
    """A call that waits to begin, for *timeout* seconds if the service refuses requests.

    The lowest *rank* goes first: values of incomplete sets, then in order of arrival.
    """

    def __init__(self, rank: tuple[bool, int], timeout: float):
        self.rank = rank
        self.timeout = timeout
        self.began = machine().monotonic()
        self.refused_at = math.inf
        """When the service first refused this call."""
        self.called = machine().event()

    @property
    def is_urgent(self) -> bool:
        """Whether a set is incomplete without the call."""
        return not self.rank[0]

    @property
    def was_refused(self) -> bool:
        return math.isfinite(self.refused_at)

    def ends_at(self, first_refusal: float) -> float:
        """When it has waited long enough: for itself, or for others since their *first_refusal*."""
        if self.was_refused:
            return self.refused_at + self.timeout
        return max(self.began, first_refusal) + max(self.timeout, FIRST_WAIT)


class Turns:
    """The calls of one service. Thread-safe.

    *longest* is the most seconds to wait after a refusal, unless the service asks for more.
    """

    def __init__(self, limiter: Limiter, longest: float = LONGEST_WAIT):
        self.limiter = limiter
        self._longest = longest
        self._refusal = ServiceError("the service throttles requests")
        self._under_way = 0
        self._queue: list[Turn] = []
        self._numbers = count()
        self._lock = machine().lock()

    @contextmanager
    def one_place(self) -> Iterator[None]:
        """Inside, all calls of this thread have one place in the queue."""
        former = own().place
        if former is None:
            own().place = next(self._numbers)
        try:
            yield
        finally:
            own().place = former

    def turn(self, timeout: float, *, is_urgent: bool) -> Turn:
        """A turn for a call of this thread."""
        place = own().place
        if place is None:
            place = next(self._numbers)
        return Turn((not is_urgent, place), timeout)

    @contextmanager
    def taken(self, turn: Turn, refusals: frozenset[int]) -> Iterator[None]:
        """Wait, and run the call inside. *refusals* are statuses after which others wait.

        Raises OutOfTime, LeftBehind.
        """
        begun = self._wait_and_begin(turn)
        try:
            yield
        except (ServiceError, TransientFailure) as error:
            self._learn(begun, error, refusals)
            raise
        else:
            self._learn(begun, None, refusals)
        finally:
            with self._lock:
                self._under_way -= 1
                self._call_next()

    def wait_until_open(self, turn: Turn) -> None:
        """Wait while nothing may begin. Raises OutOfTime, LeftBehind."""
        while True:
            now = machine().monotonic()
            closed = self.limiter.opens_at - now
            if closed <= 0:
                return
            self._check_time(turn, now)
            rest(closed)

    def _wait_and_begin(self, turn: Turn) -> Request:
        with self._lock:
            insort(self._queue, turn, key=lambda one: one.rank)
        try:
            while True:
                with self._lock:
                    now = machine().monotonic()
                    wait = self._wait(turn, now)
                    if wait <= 0:
                        return self._begin(now)
                    self._check_time(turn, now)
                    turn.called = machine().event()
                if math.isfinite(wait):
                    rest(wait)
                else:
                    turn.called.wait(WAKES_UP_AFTER)
                    go_on()
        finally:
            with self._lock:
                self._queue.remove(turn)
                self._call_next()

    def _wait(self, turn: Turn, now: float) -> float:
        """Seconds; infinity until the call is called."""
        if turn is not self._queue[0]:
            return math.inf
        return self.limiter.wait(now, self._under_way)

    def _begin(self, now: float) -> Request:
        self.limiter.begin(now)
        self._under_way += 1
        return Request(now, math.inf, self._under_way)

    def _check_time(self, turn: Turn, now: float) -> None:
        first_refusal = self.limiter.refusals.first
        if math.isinf(first_refusal):
            return  # others are answered, so its turn comes
        opens_at = max(now, self.limiter.opens_at)
        is_long = opens_at - now > LONGEST_WAIT and not turn.is_urgent
        if is_long or opens_at > turn.ends_at(first_refusal):
            raise OutOfTime(self._refusal)

    def _call_next(self) -> None:
        if self._queue:
            self._queue[0].called.set()

    def _learn(
        self,
        begun: Request,
        error: ServiceError | TransientFailure | None,
        refusals: frozenset[int],
    ) -> None:
        with self._lock:
            under_way = max(begun.under_way, self._under_way)
            request = Request(begun.began, machine().monotonic(), under_way)
            if not isinstance(error, TransientFailure):
                self.limiter.answered(request)
                return
            status = error.error.status_code
            if status in refusals:
                in_a_row = self.limiter.refusals.in_a_row
                wait = backoff(error.retry_after, in_a_row, self._longest)
                self.limiter.refused(request, error.retry_after, wait, is_rate=status == TOO_MANY)
                self._refusal = error.error
            elif error.is_throttled:
                self.limiter.answered(request)
            else:
                self.limiter.lost(request)


def rest(seconds: float) -> None:
    """Sleep. Raises LeftBehind."""
    ends = machine().monotonic() + seconds
    while seconds > 0:
        machine().sleep(min(seconds, LONGEST_WAIT))
        go_on()
        seconds = ends - machine().monotonic()


def backoff(retry_after: float, failures: int, longest: float = LONGEST_WAIT) -> float:
    """Seconds before the next try, with jitter; at most *longest* unless the service asks for more."""
    most = min(FIRST_WAIT * 2 ** min(failures, 10), longest)
    wait = machine().uniform(most / 2, most)
    if retry_after:
        asked = retry_after + machine().uniform(0, LEAST_JITTER)
        wait = max(wait, asked)
    return min(wait, max(LONGEST_WAIT, retry_after))
