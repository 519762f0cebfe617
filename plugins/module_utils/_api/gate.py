# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A gate that a throttled call closes for all others: who may begin, when, and who goes first."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    LONGEST_WAIT,
    ServiceError,
    TransientFailure,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.pace import Pace
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import go_on

FIRST_WAIT = 0.5
LEAST_JITTER = 0.2
"""Up to so many seconds more than the service asks for: it tells all processes the same."""

TOO_MANY = 429
"""What a service answers that has a limit of requests in a time (RFC 6585, section 4)."""

WAKES_UP_AFTER = 1.0
"""Seconds after which a thread that waits for others checks whether anybody still waits for itself."""


class OutOfTime(Exception):
    """The time of a call is over before its next try could begin; *error* is why the service throttled last."""

    def __init__(self, error: ServiceError):
        super().__init__()
        self.error = error


class Turn:
    """One call on its way past the gates: who goes first, and for how long it waits.

    *rank* says who goes first: sets that are gone, then who came first. *patience* is in seconds.
    """

    def __init__(self, rank: tuple[bool, int], patience: float):
        self.rank = rank
        self.patience = patience
        self.began = machine().monotonic()
        self.throttled_at = math.inf
        self.called = machine().event()
        """Set where it may begin."""

    @property
    def is_urgent(self) -> bool:
        """Whether a set is gone until it is done."""
        return not self.rank[0]

    @property
    def was_throttled(self) -> bool:
        """Whether it was itself, and does not only wait for others."""
        return math.isfinite(self.throttled_at)

    def has_time_until(self, moment: float, closed_at: float = math.inf) -> bool:
        """Whether it may wait so long. Where it was not throttled itself, it waits as long for others.

        *closed_at* is since when those are throttled and have no answer; what it waited for them does not count against
        its own time.
        """
        if self.was_throttled:
            return moment <= self.throttled_at + self.patience
        return moment <= max(self.began, closed_at) + max(self.patience, FIRST_WAIT)


def _rank(turn: Turn) -> tuple[bool, int]:
    return turn.rank


@dataclass
class _Closing:
    """The closings of a gate: *longest* is for how many seconds it is closed at most where the service does not say."""

    longest: float
    opens_at: float = -math.inf
    since: float = math.inf
    """Since when there was no answer that opens it."""
    error: ServiceError = field(default_factory=lambda: ServiceError("the service throttles requests"))
    number: int = 0
    in_a_row: int = 0

    def again(self, now: float, failure: TransientFailure, *, is_new: bool) -> None:
        """A call was throttled; what was sent before the last closing says nothing new."""
        wait = failure.retry_after
        if is_new:
            wait = backoff(wait, self.in_a_row, self.longest)
            self.number += 1
            self.in_a_row += 1
        self.since = min(self.since, now)
        self.error = failure.error
        self.opens_at = max(self.opens_at, now + wait)


class Gate:
    """Lets calls begin: everybody until one is throttled; after the wait for it one, and one more after each answer.

    Once all that wait could begin, it is open again. With *most*, never more than so many from the first closing on.
    *longest* is for how many seconds it is closed at most where the service does not say. From the first 429 on one
    begins after the other, at a pace.
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
        """Wait until the call may begin; inside, it does. One of the statuses *closing* closes the gate.

        Raises OutOfTime, LeftBehind.
        """
        begun = self._enter(turn)
        is_answered = False
        try:
            yield
            is_answered = True
        except TransientFailure as failure:
            if failure.error.status_code in closing and failure.retry_after <= LONGEST_WAIT:
                self._close(begun, failure)
            raise
        except ServiceError:
            is_answered = True
            raise
        finally:
            self._leave(begun, is_answered=is_answered)

    def wait(self, turn: Turn) -> None:
        """Wait until it opens, be it for one call. Raises OutOfTime, LeftBehind."""
        while (remaining := (opens_at := self._closing.opens_at) - machine().monotonic()) > 0:
            self._check_time(turn, opens_at)
            machine().sleep(remaining)
            go_on()

    def _check_time(self, turn: Turn, moment: float) -> None:
        """Raise OutOfTime where a call may not wait so long."""
        if not turn.has_time_until(moment, self._closing.since):
            raise OutOfTime(self._closing.error)

    def _enter(self, turn: Turn) -> int:
        """Wait; the number of closings before the call began."""
        with self._lock:
            if not self._queue and self._allowed == math.inf and self._waits(machine().monotonic()) <= 0:
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
                        # Who is behind those that are answered waits for all of them.
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
        """Seconds that the next one still waits, for the gate or at a pace."""
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
        """How many may begin, the first of those that wait."""
        room = self._allowed - self._under_way
        return min(1, room) if self._pace.is_asked else room

    def _call(self) -> None:
        """Wake those that may begin now."""
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
    """Seconds before the try after so many *failures* before the last one, at random so that not all come at once.

    It is no longer than *longest* unless the service asks for that.
    """
    most = min(FIRST_WAIT * 2 ** min(failures, 10), longest)
    least = most / 2
    if retry_after:
        longest = max(longest, retry_after + LEAST_JITTER)
        least, most = retry_after, min(retry_after + max(most - FIRST_WAIT, LEAST_JITTER), longest)
    return min(machine().uniform(least, most), LONGEST_WAIT)
