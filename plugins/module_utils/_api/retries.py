# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Decides which failures are retried, and for how long.

A throttled call (THROTTLED) is retried for a time, and others wait with it. One without a useful answer gets a number
of tries. One for an incomplete set gets both, for longer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from .._machine import machine
from .._telling import waiting
from .._threads import go_on
from .answers import (
    BUSY,
    LONGEST_WAIT,
    THROTTLED,
    TRANSIENT,
    ServiceError,
    Success,
    TransientFailure,
    clause,
)
from .gate import FIRST_WAIT, Gate, OutOfTime, Turn, backoff

URGENCY = 10
"""Multiple of retry_timeout for a deleted, incomplete set."""

LOOK_LASTS = 10.0
"""Seconds after a read in which a throttled call needs no other."""


class LookFirst(Exception):
    """After a long wait, the zone must be read before the call is sent."""


class Write(NamedTuple):
    """*is_done* reads the zone before a retry, if a try may have taken effect.

    *before_each_try* may raise; *on_pending* runs after a try without an answer, *on_failure* after any try that
    failed. *is_urgent* means that the set is incomplete.
    """

    is_done: Callable[[], bool]
    before_each_try: Callable[[], None] = lambda: None
    on_pending: Callable[[], None] = lambda: None
    is_urgent: bool = False
    on_failure: Callable[[], None] = lambda: None


READ = Write(lambda: False)


class Retries:
    """Retries calls. Thread-safe; if one is throttled, the others wait.

    A call gets *retries* tries after its own failures, and *retry_timeout* seconds of throttling, its own or of others.
    An urgent one gets URGENCY times that, for any failure.
    """

    def __init__(self, retries: int, retry_timeout: float):
        self._retries = retries
        self._retry_timeout = retry_timeout
        self._numbers = count()
        # Urgent calls take so long that others must not wait for their last tries.
        longest = max(FIRST_WAIT, min(retry_timeout, LONGEST_WAIT))
        self._everybody = Gate(longest=longest)
        # After a conflict between writers, only one writes at a time.
        self._writers = Gate(1, longest)

    def call(
        self, once: Callable[[], Success], write: Write = READ, asked: str = "the service"
    ) -> Success:
        """The result of *once*, or Success if a *write* is seen to have taken effect. Raises ServiceError."""
        patience = self._retry_timeout * (URGENCY if write.is_urgent else 1)
        turn = Turn((not write.is_urgent, next(self._numbers)), patience)
        call = _Call(once, turn, write)
        with waiting(lambda: call.waits_for(asked)):
            try:
                return self._tried(call)
            except ServiceError as error:
                error.may_have_happened = error.may_have_happened or call.may_have_happened
                raise

    def _tried(self, call: _Call) -> Success:
        while True:
            try:
                return self._try(call)
            except LookFirst:
                call.look.is_due = True
                continue
            except TransientFailure as failure:
                call.meet(failure)
                if self._waits_for_another(call, failure):
                    continue
                error = failure.error
            except OutOfTime as over:
                error = call.throttled_for_too_long(over.error)
            if call.look.is_due and call.look.finds_it_done():
                return Success()
            raise error

    def _try(self, call: _Call) -> Success:
        if call.write is READ:
            return self._sent(call, THROTTLED)
        with self._writers.passed(call.turn, self._closing(BUSY)):
            if call.look.is_due:
                self._everybody.wait(call.turn)
                if not call.look.was_just_now() and call.look.finds_it_done(before_a_try=True):
                    return Success()
            # A zone that is busy for writes can be read.
            return self._sent(call, THROTTLED - BUSY)

    def _sent(self, call: _Call, closing: frozenset[int]) -> Success:
        with self._everybody.passed(call.turn, self._closing(closing)):
            go_on()
            call.was_sent = True
            call.write.before_each_try()
            return call.once()

    def _closing(self, statuses: frozenset[int]) -> frozenset[int]:
        return statuses if self._retries else frozenset()

    def _waits_for_another(self, call: _Call, failure: TransientFailure) -> bool:
        """Throttled calls wait at the gate. Only an urgent one waits however long the service asks."""
        if not self._retries:
            return False
        if failure.retry_after > LONGEST_WAIT and not call.turn.is_urgent:
            return False
        if failure.is_throttled:
            return True
        wait = backoff(failure.retry_after, call.lost_tries - 1)
        has_time = call.turn.is_urgent and call.turn.has_time_until(machine().monotonic() + wait)
        has_tries = call.lost_tries <= self._retries and wait <= LONGEST_WAIT
        if not has_tries and not has_time:
            return False
        machine().sleep(wait)
        return True


class _Look:
    """Whether an unanswered write took effect."""

    def __init__(self, write: Write):
        self._write = write
        self.is_due = False
        self._at = -math.inf
        self._number = 0
        """Reads before throttled tries that found nothing."""

    def falls_due(self) -> None:
        """A try may have taken effect, so earlier reads no longer count."""
        self.is_due, self._at, self._number = True, -math.inf, 0

    def was_just_now(self) -> bool:
        """At one request a second, each read would replace a try."""
        is_in_the_way = self._number > (0 if self._write.is_urgent else 1)
        return is_in_the_way and machine().monotonic() - self._at < LOOK_LASTS

    def finds_it_done(self, *, before_a_try: bool = False) -> bool:
        """Whether the write took effect. Raises ServiceError; TransientFailure if urgent and worth a retry."""
        try:
            if self._write.is_done():
                return True
        except ServiceError as error:
            is_transient = error.status_code is None or error.status_code in TRANSIENT
            if before_a_try and self._write.is_urgent and is_transient:
                raise TransientFailure(error, not_carried_out=True) from error
            raise
        self._at, self._number = machine().monotonic(), self._number + 1
        return False


class _Call:
    def __init__(self, once: Callable[[], Success], turn: Turn, write: Write):
        self.once = once
        self.turn = turn
        self.write = write
        self.look = _Look(write)
        self.was_sent = False
        self.lost_tries = 0
        self.may_have_happened = False
        self._error: ServiceError | None = None

    def meet(self, failure: TransientFailure) -> None:
        self._error = failure.error
        self.write.on_failure()
        self.lost_tries += not failure.is_throttled
        if failure.is_throttled or self.turn.is_urgent:
            self.turn.throttled_at = min(self.turn.throttled_at, machine().monotonic())
        if not failure.not_carried_out:
            self.look.falls_due()
        if failure.may_have_happened:
            self.may_have_happened = True
            self.write.on_pending()

    def throttled_for_too_long(self, of_others: ServiceError) -> ServiceError:
        """The last failure, or that *of_others*, which kept the call from being sent."""
        error, since = of_others, self.turn.began
        if self._error and self.turn.was_throttled:
            error, since = self._error, self.turn.throttled_at
        reason = f"{clause(error)}; it was throttled for {machine().monotonic() - since:.0f} s (see retry_timeout)"
        return ServiceError(reason, error.status_code)

    def waits_for(self, asked: str) -> str:
        if self._error:
            return f"{asked} failed: {clause(self._error)}; it is retried (see retries and retry_timeout)"
        if self.was_sent:
            return f"no answer yet to {asked}"
        return (
            f"the service throttles requests, so {asked} has not been sent yet (see retry_timeout)"
        )
