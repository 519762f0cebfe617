# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Decides which call may begin, and when: one throttled call makes all others wait."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from .._machine import machine
from .._threads import go_on
from .answers import LONGEST_WAIT, ServiceError, TransientFailure
from .pace import Pace

FIRST_WAIT = 0.5
LEAST_JITTER = 0.2
"""Most seconds added to the service's wait, which is the same for all processes."""

TOO_MANY = 429
"""Rate limit (RFC 6585, section 4)."""

WAKES_UP_AFTER = 1.0
"""Seconds after which a waiting thread checks whether it is still needed."""


class OutOfTime(Exception):
    """*error* is why the call was last throttled."""

    def __init__(self, error: ServiceError):
        super().__init__()
        self.error = error


class Turn:
    """A call; *patience* is in seconds.

    The lowest *rank* goes first: incomplete sets, then in order of arrival.
    """

    def __init__(self, rank: tuple[bool, int], patience: float):
        self.rank = rank
        self.patience = patience
        self.began = machine().monotonic()
        self.throttled_at = math.inf
        self.called = machine().event()

    @property
    def is_urgent(self) -> bool:
        """Whether a set is incomplete without the call."""
        return not self.rank[0]

    @property
    def was_throttled(self) -> bool:
        return math.isfinite(self.throttled_at)

    def has_time_until(self, moment: float, closed_at: float = math.inf) -> bool:
        """Whether the call may wait until *moment*.

        While it waits for others, its time starts at *closed_at*, their first refusal since an answer. Only an urgent
        one waits longer than LONGEST_WAIT at a time.
        """
        if not self.is_urgent and moment > machine().monotonic() + LONGEST_WAIT:
            return False
        if self.was_throttled:
            return moment <= self.throttled_at + self.patience
        return moment <= max(self.began, closed_at) + max(self.patience, FIRST_WAIT)


def _rank(turn: Turn) -> tuple[bool, int]:
    return turn.rank


@dataclass
class _Closing:
    longest: float
    opens_at: float = -math.inf
    since: float = math.inf
    """The first refusal since the last answer."""
    error: ServiceError = field(
        default_factory=lambda: ServiceError("the service throttles requests")
    )
    number: int = 0
    in_a_row: int = 0

    def again(self, now: float, failure: TransientFailure, *, is_new: bool) -> None:
        """Only a call sent after the last closing lengthens the wait."""
        wait = failure.retry_after
        if is_new:
            wait = backoff(wait, self.in_a_row, self.longest)
            self.number += 1
            self.in_a_row += 1
        self.since = min(self.since, now)
        self.error = failure.error
        self.opens_at = max(self.opens_at, now + wait)


class Gate:
    """Lets calls begin: all, until one is throttled; after the wait one, and one more with each answer.

    Once all waiting calls could begin, it is open again. After a closing, at most *most* are under way. *longest* is
    the most seconds of a closing, unless the service asks for more. From the first 429 on, calls are paced.
    """

    def __init__(self, most: float = math.inf, longest: float = LONGEST_WAIT):
        self._most = most
        self._pace = Pace()
        self._closing = _Closing(longest)
        self._allowed = math.inf  # calls that may be under way at once
        self._under_way = 0
        self._queue: list[Turn] = []  # by rank
        self._lock = machine().lock()

    @contextmanager
    def passed(self, turn: Turn, closing: frozenset[int]) -> Iterator[None]:
        """Wait, and run the call inside. Statuses in *closing* close the gate. Raises OutOfTime, LeftBehind."""
        begun = self._enter(turn)
        is_answered = False
        try:
            yield
            is_answered = True
        except TransientFailure as failure:
            if failure.error.status_code in closing:
                self._close(begun, failure)
            raise
        except ServiceError:
            is_answered = True
            raise
        finally:
            self._leave(begun, is_answered=is_answered)

    def wait(self, turn: Turn) -> None:
        """Wait until the gate opens, even if for one call only. Raises OutOfTime, LeftBehind."""
        while (remaining := (opens_at := self._closing.opens_at) - machine().monotonic()) > 0:
            self._check_time(turn, opens_at)
            machine().sleep(remaining)
            go_on()

    def _check_time(self, turn: Turn, moment: float) -> None:
        if not turn.has_time_until(moment, self._closing.since):
            raise OutOfTime(self._closing.error)

    def _enter(self, turn: Turn) -> int:
        """Returns the number of closings before the call."""
        with self._lock:
            if (
                not self._queue
                and self._allowed == math.inf
                and self._waits(machine().monotonic()) <= 0
            ):
                return self._begin()
            insort(self._queue, turn, key=_rank)
        try:
            while True:
                self.wait(turn)
                with self._lock:
                    now = machine().monotonic()
                    is_open = self._closing.opens_at <= now
                    is_next = is_open and self._may_begin(turn)
                    if is_next and (waits := self._waits(now)) <= 0:
                        return self._begin()
                    if is_open and not is_next and self._closing.since <= now:
                        # A later call waits for all that are answered before it.
                        self._check_time(turn, now)
                    turn.called = machine().event()
                if is_next:
                    machine().sleep(min(waits, WAKES_UP_AFTER))
                elif is_open:
                    turn.called.wait(WAKES_UP_AFTER)
                go_on()
        finally:
            with self._lock:
                self._queue.remove(turn)
                self._call()

    def _waits(self, now: float) -> float:
        """In seconds."""
        remaining = self._closing.opens_at - now
        return remaining if remaining > 0 else self._pace.begins(now) - now

    def _begin(self) -> int:
        self._pace.began()
        self._under_way += 1
        return self._closing.number

    def _may_begin(self, turn: Turn) -> bool:
        return bisect_left(self._queue, turn.rank, key=_rank) < self._room

    @property
    def _room(self) -> float:
        room = self._allowed - self._under_way
        return min(1, room) if self._pace.is_asked else room

    def _call(self) -> None:
        for turn in islice(self._queue, int(max(0, min(self._room, len(self._queue))))):
            turn.called.set()

    def _close(self, begun: int, failure: TransientFailure) -> None:
        with self._lock:
            now = machine().monotonic()
            is_new = begun == self._closing.number
            self._closing.again(now, failure, is_new=is_new)
            if not is_new:
                return
            self._allowed = 1
            if failure.error.status_code == TOO_MANY:
                self._pace.refused(now, self._closing.opens_at, failure.retry_after)

    def _leave(self, begun: int, *, is_answered: bool) -> None:
        with self._lock:
            if is_answered:
                self._pace.took()
            if is_answered and begun == self._closing.number > 0:
                self._widen()
            self._under_way -= 1
            if self._queue:
                self._call()

    def _widen(self) -> None:
        self._closing.in_a_row = 0
        self._closing.since = math.inf
        self._allowed = min(self._allowed + 1, self._most)
        if self._allowed > self._under_way + len(self._queue):
            self._allowed = self._most


def backoff(retry_after: float, failures: int, longest: float = LONGEST_WAIT) -> float:
    """Seconds before the next try, with jitter, at most *longest* unless the service asks for more."""
    most = min(FIRST_WAIT * 2 ** min(failures, 10), longest)
    wait = machine().uniform(most / 2, most)
    if retry_after:
        wait = max(wait, retry_after + machine().uniform(0, LEAST_JITTER))
    return min(wait, max(LONGEST_WAIT, retry_after))
