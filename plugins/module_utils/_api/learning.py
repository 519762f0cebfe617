# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The requests under way, of which so many may be as the rule learns from each that ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    NOT_CARRIED_OUT,
    ServiceError,
    TransientFailure,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.concurrency import (
    LEAST,
    MOST,
    Finding,
    Outcome,
    Sample,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.under_way import UnderWay
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import Threads

Answer = TypeVar("Answer")


class Learning(UnderWay):
    """Those of one client."""

    def __init__(self) -> None:
        super().__init__(LEAST)
        self.at_most = MOST
        self._finding = Finding()
        self._number = 0
        self._lock = machine().lock()

    @property
    def threads(self) -> Threads:
        """See UnderWay."""
        return lambda: self.limiter.most

    def send(self, once: Callable[[], Answer]) -> Answer:
        """What a request gives; what became of it is learned."""
        start = machine().monotonic()
        with self._lock:
            self._number += 1
            at_start = self._number
        outcome: Outcome | None = None
        try:
            answer = once()
            outcome = Outcome.ANSWERED
        except ServiceError:
            outcome = Outcome.ANSWERED
            raise
        except TransientFailure as failure:
            outcome = _outcome_of(failure)
            raise
        finally:
            with self._lock:
                under_way = max(at_start, self._number)
                self._number -= 1
                if outcome:
                    sample = Sample(start, machine().monotonic(), outcome, under_way)
                    self.limiter.let(self._finding.take(sample))
        return answer


def _outcome_of(failure: TransientFailure) -> Outcome:
    if failure.error.status_code in NOT_CARRIED_OUT:
        return Outcome.THROTTLED
    return Outcome.ANSWERED if failure.is_throttled else Outcome.LOST
