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
from collections.abc import Callable
from itertools import count
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
from ansible_collections.zonesmith.dns.plugins.module_utils._api.gate import (
    FIRST_WAIT,
    Gate,
    OutOfTime,
    Turn,
    backoff,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import waiting
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import go_on

URGENCY = 10
"""How many times retry_timeout a value of a set is tried that is deleted and not yet whole again."""

LOOK_LASTS = 10.0
"""Seconds after a look within which what was throttled is sent without another one."""


class LookFirst(Exception):
    """Raised by a call before it is sent: it has waited for so long that the zone is to be read before it."""


class Retries:
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
        self._everybody = Gate(longest=longest)
        # Where one writer was in the way of another, there is one from then on.
        self._writers = Gate(1, longest)

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
        turn = Turn((not urgent, next(self._numbers)), self._retry_timeout * (URGENCY if urgent else 1))
        call = _Call(once, turn, _Look(is_done, urgent), in_doubt)
        with waiting(lambda: call.waits_for(asked, self._retries)):
            try:
                return self._tried(call)
            except ServiceError as error:
                error.may_have_happened = error.may_have_happened or call.may_have_happened
                raise

    def _tried(self, call: _Call) -> dict[str, Any]:
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
                return dict(CONFIRMED)
            raise error

    def _try(self, call: _Call) -> dict[str, Any]:
        if not call.look.is_done:
            return self._sent(call, THROTTLED)
        with self._writers.passed(call.turn, self._closing(BUSY)):
            if call.look.is_due:
                self._everybody.wait(call.turn)
                if not call.look.was_just_now() and call.look.finds_it_done(before_a_try=True):
                    return dict(CONFIRMED)
            # A zone that is busy for one who writes can be read.
            return self._sent(call, THROTTLED - BUSY)

    def _sent(self, call: _Call, closing: frozenset[int]) -> dict[str, Any]:
        with self._everybody.passed(call.turn, self._closing(closing)):
            go_on()
            call.was_sent = True
            return call.once()

    def _closing(self, statuses: frozenset[int]) -> frozenset[int]:
        return statuses if self._retries else frozenset()

    def _waits_for_another(self, call: _Call, failure: TransientFailure) -> bool:
        """Whether a call has another try, after its wait; one that was throttled waits at the gate that it closed."""
        if not self._retries or failure.retry_after > LONGEST_WAIT:
            return False
        if failure.is_throttled:
            return True
        wait = backoff(failure.retry_after, call.lost_tries - 1)
        has_time = call.turn.is_urgent and call.turn.has_time_until(machine().monotonic() + wait)
        if call.lost_tries > self._retries and not has_time:
            return False
        machine().sleep(wait)
        return True


class _Look:
    """Whether a call was carried out that had no answer: *is_done*, of those that write, reads the zone for that.

    It is due before another try, once one can have had an effect.
    """

    def __init__(self, is_done: Callable[[], bool] | None, is_urgent: bool):
        self.is_done = is_done
        self._is_urgent = is_urgent
        self.is_due = False
        self._at = -math.inf
        self._number = 0
        """How many looks have shown that it was not, each before a try that was throttled."""

    def falls_due(self) -> None:
        """A try may have had an effect, so what was seen before counts no more."""
        self.is_due, self._at, self._number = True, -math.inf, 0

    def was_just_now(self) -> bool:
        """Whether the zone need not be read again before the next try.

        Where a service takes one request a second, each look would have the place of the try that it is for.
        """
        is_in_the_way = self._number > (0 if self._is_urgent else 1)
        return is_in_the_way and machine().monotonic() - self._at < LOOK_LASTS

    def finds_it_done(self, *, before_a_try: bool = False) -> bool:
        """Whether it was. Raises ServiceError; TransientFailure before a try where what is urgent may ask again."""
        if not self.is_done:
            return False
        try:
            if self.is_done():
                return True
        except ServiceError as error:
            is_transient = error.status_code is None or error.status_code in TRANSIENT
            if before_a_try and self._is_urgent and is_transient:
                raise TransientFailure(error, not_carried_out=True) from error
            raise
        self._at, self._number = machine().monotonic(), self._number + 1
        return False


class _Call:
    """One call while it is tried, and what has become of its tries."""

    def __init__(self, once: Callable[[], dict[str, Any]], turn: Turn, look: _Look, in_doubt: Callable[[], None]):
        self.once = once
        self.turn = turn
        self.look = look
        self._in_doubt = in_doubt
        self.was_sent = False
        self.lost_tries = 0
        self.may_have_happened = False
        self._error: ServiceError | None = None

    def meet(self, failure: TransientFailure) -> None:
        """Take down what a try ended with."""
        self._error = failure.error
        self.lost_tries += not failure.is_throttled
        if failure.is_throttled or self.turn.is_urgent:
            self.turn.throttled_at = min(self.turn.throttled_at, machine().monotonic())
        if not failure.not_carried_out:
            self.look.falls_due()
        if failure.may_have_happened:
            self.may_have_happened = True
            self._in_doubt()

    def throttled_for_too_long(self, of_others: ServiceError) -> ServiceError:
        """The failure of the last try, and for how long there were tries; or that of others, for whom it waited."""
        if self._error and self.turn.was_throttled:
            waited = machine().monotonic() - self.turn.throttled_at
            reason = f"{clause(self._error)}; it was throttled for {waited:.0f} s (see retry_timeout)"
            return ServiceError(reason, self._error.status_code)
        return ServiceError(
            f"{clause(of_others)} to another request, and throttles requests for longer than the "
            f"{self.turn.patience:g} s that this one waits (see retry_timeout)",
            of_others.status_code,
        )

    def waits_for(self, asked: str, retries: int) -> str:
        """What the call waits for, and which try of how many is the next one or under way."""
        patience = f"{self.turn.patience:g} s"
        if not self.was_sent:
            return (
                f"the service throttles requests, and {asked} is still to be sent; it waits for {patience} at most "
                "while none is answered (see retry_timeout)"
            )
        if self._error is None:
            return f"no answer yet to {asked}"
        if self.turn.was_throttled:
            became = "is throttled" if self._error.status_code in THROTTLED else "failed"
            return f"{asked} {became}, {clause(self._error)}; it is tried for up to {patience} (see retry_timeout)"
        return f"{asked} failed, {clause(self._error)}; try {self.lost_tries + 1} of {retries + 1} follows"
