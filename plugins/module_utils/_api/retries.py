# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Decides which failures are retried, and for how long.

A call that the service refuses for now (THROTTLED) is retried for a time, and others wait with it. One without a useful
answer gets a number of tries. One for an incomplete set gets both, for longer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
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
from .limiter import LEARNED, MOST, Bounds, Limiter
from .turns import FIRST_WAIT, OutOfTime, Turn, Turns, backoff, rest

URGENCY = 10
"""Multiple of retry_timeout for a deleted, incomplete set."""

LOOK_LASTS = 10.0
"""Seconds after a read in which a throttled call needs no other."""


class NotYet(Exception):
    """The call must not be sent before *before_turn* has returned once more."""


class Write(NamedTuple):
    """What to do around each try of a call, in this order:

    1. *before_turn* may wait, or read the zone, while others send.
    2. *is_done* reads the zone, if an earlier try may have taken effect. If it did, nothing is sent.
    3. *before_each_try* must not wait. It may raise: NotYet begins anew, ServiceError ends the call.
    4. The request.
    5. *on_failure*, if it failed; then *on_pending*, if it may take effect all the same.

    *is_urgent* means that the set is incomplete.
    """

    is_done: Callable[[], bool]
    before_each_try: Callable[[], None] = lambda: None
    on_pending: Callable[[], None] = lambda: None
    is_urgent: bool = False
    on_failure: Callable[[], None] = lambda: None
    before_turn: Callable[[], None] = lambda: None


READ = Write(lambda: False)

ONE_AFTER_A_CONFLICT = Bounds(1, 1)
"""Writes at a time, once the service has answered that it is busy."""


class Retries:
    """Retries calls. Thread-safe; if one is refused, the others wait.

    A call gets *retries* tries after its own failures, and *retry_timeout* seconds of refusals, its own or of others.
    An urgent one gets URGENCY times that, for any failure. *bounds* are those of the requests under way.
    """

    def __init__(self, retries: int, retry_timeout: float, bounds: Bounds = LEARNED):
        self._retries = retries
        self._retry_timeout = retry_timeout
        self._refusals = THROTTLED if retries else frozenset()
        # Urgent calls take so long that others must not wait for their last tries.
        longest = max(FIRST_WAIT, min(retry_timeout, LONGEST_WAIT))
        self.turns = Turns(Limiter(bounds), longest)
        self._writers = Turns(Limiter(ONE_AFTER_A_CONFLICT, MOST), longest)

    def call(
        self, once: Callable[[], Success], write: Write = READ, asked: str = "the service"
    ) -> Success:
        """The result of *once*, or Success if a *write* is seen to have taken effect. Raises ServiceError."""
        timeout = self._retry_timeout
        if write.is_urgent:
            timeout *= URGENCY
        turn = self.turns.turn(timeout, is_urgent=write.is_urgent)
        call = _Call(once, write, turn, _Look(write))
        with waiting(lambda: call.waits_for(asked)):
            try:
                return self._tried(call)
            except ServiceError as error:
                error.may_have_happened |= call.may_have_happened
                raise

    def _tried(self, call: _Call) -> Success:
        while True:
            try:
                call.write.before_turn()
                return self._try(call)
            except NotYet:
                continue
            except TransientFailure as failure:
                call.meet(failure)
                wait = self._wait(call, failure)
                if wait is None:
                    return call.given_up(failure.error)
                rest(wait)
            except OutOfTime as over:
                return call.given_up(call.out_of_time(over.error))

    def _try(self, call: _Call) -> Success:
        if call.write is READ:
            return self._send(call, self._refusals)
        with self._writers.taken(call.turn, self._refusals & BUSY):
            if call.look.is_due and self._is_done(call):
                return Success()
            # A zone that is busy for writes can be read.
            return self._send(call, self._refusals - BUSY)

    def _is_done(self, call: _Call) -> bool:
        """Whether a write took effect. Raises ServiceError; TransientFailure if it is worth a retry."""
        self.turns.wait_until_open(call.turn)
        if call.look.was_just_now():
            return False
        try:
            return call.look.finds_it_done()
        except ServiceError as error:
            is_transient = error.status_code is None or error.status_code in TRANSIENT
            if is_transient and call.turn.is_urgent:
                raise TransientFailure(error, not_carried_out=True) from error
            raise

    def _send(self, call: _Call, refusals: frozenset[int]) -> Success:
        with self.turns.taken(call.turn, refusals):
            go_on()
            call.was_sent = True
            call.write.before_each_try()
            return call.once()

    def _wait(self, call: _Call, failure: TransientFailure) -> float | None:
        """Seconds before the call waits for its next turn; None if it is not tried again."""
        if not self._retries:
            return None
        is_long = failure.retry_after > LONGEST_WAIT
        if is_long and not call.turn.is_urgent:
            return None
        if failure.is_throttled:
            return 0.0
        wait = backoff(failure.retry_after, call.lost_tries - 1)
        if call.turn.is_urgent and machine().monotonic() + wait <= call.turn.ends_at(math.inf):
            return wait
        if is_long or call.lost_tries > self._retries:
            return None
        return wait


@dataclass
class _Look:
    """Whether an unanswered write took effect."""

    write: Write
    is_due: bool = False
    at: float = -math.inf
    number: int = 0
    """Reads before refused tries that found nothing."""

    def was_just_now(self) -> bool:
        """At one request a second, each read would replace a try."""
        enough = 1 if self.write.is_urgent else 2
        return self.number >= enough and machine().monotonic() - self.at < LOOK_LASTS

    def finds_it_done(self) -> bool:
        """Whether the write took effect. Raises ServiceError."""
        if self.write.is_done():
            return True
        self.at = machine().monotonic()
        self.number += 1
        return False


@dataclass
class _Call:
    once: Callable[[], Success]
    write: Write
    turn: Turn
    look: _Look
    was_sent: bool = False
    lost_tries: int = 0
    may_have_happened: bool = False
    error: ServiceError | None = None
    """Why the last try failed."""

    def meet(self, failure: TransientFailure) -> None:
        """Note why a try failed."""
        self.error = failure.error
        self.write.on_failure()
        if not failure.is_throttled:
            self.lost_tries += 1
        if failure.is_throttled or self.turn.is_urgent:
            self.turn.refused_at = min(self.turn.refused_at, machine().monotonic())
        if not failure.not_carried_out:
            # It may have taken effect, so earlier reads no longer count.
            self.look.is_due = True
            self.look.number = 0
        if failure.may_have_happened:
            self.may_have_happened = True
            self.write.on_pending()

    def out_of_time(self, of_others: ServiceError) -> ServiceError:
        """The last failure, or that *of_others*, which kept the call from being sent."""
        error = of_others
        since = self.turn.began
        if self.error and self.turn.was_refused:
            error = self.error
            since = self.turn.refused_at
        seconds = machine().monotonic() - since
        reason = f"{clause(error)}; it was throttled for {seconds:.0f} s (see retry_timeout)"
        return ServiceError(reason, error.status_code)

    def given_up(self, error: ServiceError) -> Success:
        """Success if a last read shows that the write took effect. Raises *error* otherwise."""
        if self.look.is_due and self.look.finds_it_done():
            return Success()
        raise error

    def waits_for(self, asked: str) -> str:
        """Why it takes so long, as a clause."""
        if self.error:
            return f"{asked} failed: {clause(self.error)}; it is retried (see retries and retry_timeout)"
        if self.was_sent:
            return f"no answer yet to {asked}"
        return (
            f"the service throttles requests, so {asked} has not been sent yet (see retry_timeout)"
        )
