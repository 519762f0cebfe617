# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long a call is tried, and when it is worth another try.

Two kinds of failure may pass. A call can be throttled (THROTTLED): then it is tried for a time, and other calls wait
with it. Or it can get no answer that counts: then it alone is tried again, so many times; where a set is deleted and
not yet created again, for a time too.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    BUSY,
    CONFIRMED,
    LONGEST_WAIT,
    THROTTLED,
    TRANSIENT,
    ServiceError,
    TransientFailure,
    clause,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.pace import Pace
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import waiting
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import go_on

FIRST_WAIT = 0.5
LEAST_JITTER = 0.2
"""Up to so many seconds more than the service asks for: it tells all processes the same."""

TOO_MANY = 429
"""What a service answers that has a limit of requests in a time (RFC 6585, section 4)."""

URGENCY = 10
"""How many times retry_timeout a value of a set is tried that is deleted and not yet whole again."""

LOOK_LASTS = 10.0
"""Seconds after a look within which what was throttled is sent without another one."""

WAKES_UP_AFTER = 1.0
"""Seconds after which a thread that waits for others checks whether anybody still waits for itself."""


class LookFirst(Exception):
    """Raised by a call before it is sent: it has waited for so long that the zone is to be read before it."""


class Patience:
    """Tries calls again. Safe to use from several threads: what throttles one of them, the others wait for.

    A call gets at most *retries* further tries after failures of its own. While it is throttled it is tried for
    *retry_timeout* seconds besides; what is urgent, for URGENCY times that, whatever the failures are. While others are
    throttled and nobody is answered, it waits for them for as long at most.
    Without *retries* nothing is tried again at all.
    """

    def __init__(self, retries: int, retry_timeout: float):
        self._retries = retries
        self._retry_timeout = retry_timeout
        self._numbers = count()
        # What is urgent is patient for so long that nobody else would wait for its last tries.
        longest = max(FIRST_WAIT, min(retry_timeout, LONGEST_WAIT))
        self._everybody = _Gate(longest=longest, pace=Pace())
        # Where one writer was in the way of another, there is one from then on.
        self._writers = _Gate(1, longest)

    def call(
        self,
        once: Callable[[], dict[str, Any]],
        is_done: Callable[[], bool] | None = None,
        in_doubt: Callable[[], None] = lambda: None,
        *,
        urgent: bool = False,
        asked: str = "the service",
    ) -> dict[str, Any]:
        """What *once* gives when it is answered for good; CONFIRMED where *is_done* tells that it was carried out.

        *is_done* is for calls that write. It reads the zone: it is asked before such a call is repeated, unless no try
        can have had an effect. *in_doubt* is called where one may have had. Raises ServiceError, which tells that too.
        *asked* is what the call is, for people.
        """
        turn = _Turn((not urgent, next(self._numbers)), self._retry_timeout * (URGENCY if urgent else 1))
        with waiting(lambda: turn.waits_for(asked, self._retries)):
            return self._tried(turn, once, is_done, in_doubt)

    def _tried(
        self,
        turn: _Turn,
        once: Callable[[], dict[str, Any]],
        is_done: Callable[[], bool] | None,
        in_doubt: Callable[[], None],
    ) -> dict[str, Any]:
        try:
            while True:
                try:
                    return self._try(turn, once, is_done)
                except LookFirst:
                    turn.must_read_first = True
                    continue
                except TransientFailure as failure:
                    turn.meet(failure)
                    if failure.may_have_happened:
                        in_doubt()
                    if self._waits_for_another(turn, failure):
                        continue
                    error = failure.error
                except _OutOfTime as over:
                    error = turn.throttled_for_too_long(over.error)
                if is_done and turn.must_read_first and is_done():
                    return dict(CONFIRMED)
                raise error from None
        except ServiceError as error:
            error.may_have_happened = error.may_have_happened or turn.may_have_happened
            raise

    def _try(
        self, turn: _Turn, once: Callable[[], dict[str, Any]], is_done: Callable[[], bool] | None
    ) -> dict[str, Any]:
        if is_done is None:
            return self._sent(turn, once, THROTTLED)
        with self._writers.passed(turn, self._closing(BUSY)):
            if turn.must_read_first:
                self._everybody.wait(turn)
                if not turn.has_just_looked():
                    if _was_carried_out(turn, is_done):
                        return dict(CONFIRMED)
                    turn.looked_at, turn.looks = machine().monotonic(), turn.looks + 1
            # A zone that is busy for one who writes can be read.
            return self._sent(turn, once, THROTTLED - BUSY)

    def _sent(self, turn: _Turn, once: Callable[[], dict[str, Any]], closing: frozenset[int]) -> dict[str, Any]:
        with self._everybody.passed(turn, self._closing(closing)):
            go_on()
            turn.was_sent = True
            return once()

    def _closing(self, statuses: frozenset[int]) -> frozenset[int]:
        return statuses if self._retries else frozenset()

    def _waits_for_another(self, turn: _Turn, failure: TransientFailure) -> bool:
        """Whether a call has another try, after its wait; one that was throttled waits at the gate that it closed."""
        if not self._retries or failure.retry_after > LONGEST_WAIT:
            return False
        if failure.is_throttled:
            return True
        wait = _wait(failure.retry_after, turn.lost_tries - 1)
        has_time = turn.is_urgent and turn.has_time_until(machine().monotonic() + wait)
        if turn.lost_tries > self._retries and not has_time:
            return False
        machine().sleep(wait)
        return True


def _was_carried_out(turn: _Turn, is_done: Callable[[], bool]) -> bool:
    """Whether a call was carried out. Raises ServiceError; TransientFailure where what is urgent may ask again."""
    try:
        return is_done()
    except ServiceError as error:
        if turn.is_urgent and (error.status_code is None or error.status_code in TRANSIENT):
            raise TransientFailure(error, not_carried_out=True) from error
        raise


class _OutOfTime(Exception):
    """The time of a call is over before its next try could begin; *error* is why the service throttled last."""

    def __init__(self, error: ServiceError):
        super().__init__()
        self.error = error


class _Turn:
    """One call on its way. *rank* says who goes first: sets that are gone, then who came first."""

    def __init__(self, rank: tuple[bool, int], patience: float):
        self.rank = rank
        self.patience = patience
        self.throttled_at = math.inf
        self.was_sent = False
        self.lost_tries = 0
        self.must_read_first = False
        self.looked_at = -math.inf
        """When a look showed last that it was not carried out, if no try since can have had an effect."""
        self.looks = 0
        """How many looks have shown that, each before a try that was throttled."""
        self.may_have_happened = False
        self.error: ServiceError | None = None
        self.called = machine().event()
        """Set where it may begin."""
        self.began = machine().monotonic()

    @property
    def is_urgent(self) -> bool:
        """Whether a set is gone until it is done."""
        return not self.rank[0]

    def meet(self, failure: TransientFailure) -> None:
        """Take down what a try ended with."""
        self.error = failure.error
        if not failure.is_throttled:
            self.lost_tries += 1
        if failure.is_throttled or self.is_urgent:
            self.throttled_at = min(self.throttled_at, machine().monotonic())
        self.must_read_first |= not failure.not_carried_out
        if not failure.not_carried_out:
            self.looked_at, self.looks = -math.inf, 0
        self.may_have_happened |= failure.may_have_happened

    def has_just_looked(self) -> bool:
        """Whether the zone need not be read again before the next try.

        Where a service takes one request a second, each look would have the place of the try that it is for.
        """
        is_in_the_way = self.looks > (0 if self.is_urgent else 1)
        return is_in_the_way and machine().monotonic() - self.looked_at < LOOK_LASTS

    def has_time_until(self, moment: float, closed_at: float = math.inf) -> bool:
        """Whether it may wait so long. Where it was not throttled itself, it waits as long for others.

        *closed_at* is since when those are throttled and have no answer; what it waited for them does not count against
        its own time.
        """
        if math.isfinite(self.throttled_at):
            return moment <= self.throttled_at + self.patience
        return moment <= max(self.began, closed_at) + max(self.patience, FIRST_WAIT)

    def throttled_for_too_long(self, of_others: ServiceError) -> ServiceError:
        """The failure of the last try, and for how long there were tries; or that of others, for whom it waited."""
        if self.error and math.isfinite(self.throttled_at):
            waited = machine().monotonic() - self.throttled_at
            reason = f"{clause(self.error)}; it was throttled for {waited:.0f} s (see retry_timeout)"
            return ServiceError(reason, self.error.status_code)
        return ServiceError(
            f"{clause(of_others)} to another request, and throttles requests for longer than the {self.patience:g} s "
            "that this one waits (see retry_timeout)",
            of_others.status_code,
        )

    def waits_for(self, asked: str, retries: int) -> str:
        """What the call waits for, and which try of how many is the next one or under way."""
        if not self.was_sent:
            return (
                f"the service throttles requests, and {asked} is still to be sent; it waits for {self.patience:g} s at "
                "most while none is answered (see retry_timeout)"
            )
        if self.error is None:
            return f"no answer yet to {asked}"
        if math.isfinite(self.throttled_at):
            tried = f"it is tried for up to {self.patience:g} s (see retry_timeout)"
            became = "is throttled" if self.error.status_code in THROTTLED else "failed"
            return f"{asked} {became}, {clause(self.error)}; {tried}"
        return f"{asked} failed, {clause(self.error)}; try {self.lost_tries + 1} of {retries + 1} follows"


def _rank(turn: _Turn) -> tuple[bool, int]:
    return turn.rank


class _Gate:
    """Lets calls begin: everybody until one is throttled; after the wait for it one, and one more after each answer.

    Once all that wait could begin, it is open again. With *most*, never more than so many from the first closing on.
    *longest* is for how many seconds it is closed at most where the service does not say. With a *pace* one begins
    after the other from the first 429 on.
    """

    def __init__(self, most: float = math.inf, longest: float = LONGEST_WAIT, pace: Pace | None = None):
        self._longest = longest
        self._most = most
        self._pace = pace
        self._slot: float | None = None  # when the next may begin, where it is asked for already
        self._allowed = math.inf  # calls that may be under way at once
        self._opens_at = -math.inf
        self._closed_at = math.inf  # since when there was no answer that opens it
        self._closed_by = ServiceError("the service throttles requests")
        self._closings = 0
        self._closings_in_a_row = 0
        self._under_way = 0
        self._queue: list[_Turn] = []  # by rank
        self._lock = machine().lock()

    @contextmanager
    def passed(self, turn: _Turn, closing: frozenset[int]) -> Iterator[None]:
        """Wait until the call may begin; inside, it does. One of the statuses *closing* closes the gate.

        Raises _OutOfTime, LeftBehind.
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

    def wait(self, turn: _Turn) -> None:
        """Wait until it opens, be it for one call. Raises _OutOfTime, LeftBehind."""
        while (remaining := (opens_at := self._opens_at) - machine().monotonic()) > 0:
            self._check_time(turn, opens_at)
            machine().sleep(remaining)
            go_on()

    def _check_time(self, turn: _Turn, moment: float) -> None:
        """Raise _OutOfTime where a call may not wait so long."""
        if not turn.has_time_until(moment, self._closed_at):
            raise _OutOfTime(self._closed_by)

    def _enter(self, turn: _Turn) -> int:
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
                    is_next = self._opens_at <= now and self._may_begin(turn)
                    if is_next and (waits := self._waits(now)) <= 0:
                        return self._begin()
                    if not is_next and max(self._closed_at, self._opens_at) <= now:
                        # Who is behind those that are answered waits for all of them.
                        self._check_time(turn, now)
                    turn.called = machine().event()
                if is_next:
                    machine().sleep(min(waits, WAKES_UP_AFTER))
                elif self._opens_at <= now:
                    turn.called.wait(WAKES_UP_AFTER)
                go_on()
        finally:
            with self._lock:
                self._queue.remove(turn)
                self._call()

    def _waits(self, now: float) -> float:
        """Seconds that the next one still waits, for the gate or at a pace."""
        if self._opens_at > now or not self._pace:
            return self._opens_at - now
        if self._slot is None:
            self._slot = self._pace.begins(now)
        return self._slot - now

    def _begin(self) -> int:
        self._slot = None
        self._under_way += 1
        return self._closings

    def _may_begin(self, turn: _Turn) -> bool:
        return bisect_left(self._queue, turn.rank, key=_rank) < self._room

    @property
    def _room(self) -> float:
        """How many may begin, the first of those that wait."""
        return self._allowed - self._under_way if self._slot is None else min(1, self._allowed - self._under_way)

    def _call(self) -> None:
        """Wake those that may begin now."""
        for turn in islice(self._queue, int(max(0, min(self._room, len(self._queue))))):
            turn.called.set()

    def _close(self, begun: int, failure: TransientFailure) -> None:
        with self._lock:
            now = machine().monotonic()
            wait = failure.retry_after
            self._closed_at = min(self._closed_at, now)
            self._closed_by = failure.error
            is_new = begun == self._closings  # otherwise it was sent before that, and says nothing new
            if is_new:
                wait = _wait(wait, self._closings_in_a_row, self._longest)
                self._allowed = 1
                self._closings += 1
                self._closings_in_a_row += 1
            self._opens_at = max(self._opens_at, now + wait)
            self._slot = None
            if is_new and self._pace and failure.error.status_code == TOO_MANY:
                self._pace.refused(now, self._opens_at, failure.retry_after)

    def _leave(self, begun: int, *, is_answered: bool) -> None:
        with self._lock:
            if is_answered and self._pace:
                self._pace.took()
            if is_answered and self._closings and begun == self._closings:
                self._widen()
            self._under_way -= 1
            if self._queue:
                self._call()

    def _widen(self) -> None:
        self._closings_in_a_row = 0
        self._closed_at = math.inf
        self._allowed = min(self._allowed + 1, self._most)
        if self._allowed > self._under_way + len(self._queue):
            self._allowed = self._most


def _wait(retry_after: float, failures: int, longest: float = LONGEST_WAIT) -> float:
    """Seconds before the try after so many *failures* before the last one, at random so that not all come at once.

    It is no longer than *longest* unless the service asks for that.
    """
    most = min(FIRST_WAIT * 2 ** min(failures, 10), longest)
    least = most / 2
    if retry_after:
        longest = max(longest, retry_after + LEAST_JITTER)
        least, most = retry_after, min(retry_after + max(most - FIRST_WAIT, LEAST_JITTER), longest)
    return min(machine().uniform(least, most), LONGEST_WAIT)
