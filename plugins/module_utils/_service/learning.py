# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The requests under way, of which so many may be as the rule learns from each that ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import (
    NOT_CARRIED_OUT,
    ServiceError,
    TransientFailure,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.concurrency import (
    LEAST,
    MOST,
    Finding,
    Outcome,
    Sample,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import Threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.note import (
    UNDER_WAY,
    Note,
    part_of,
    with_part,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.under_way import UnderWay

Answer = TypeVar("Answer")

KEPT = 3600.0
"""Seconds for which what a run has found out is good for the next one."""


def kept_number(content: bytes, now: float) -> int | None:
    """How many could be under way at the end of a run, as a note tells it; None where it does not, or not of late."""
    told = part_of(content, UNDER_WAY)
    try:
        number, at = told
        is_good = (
            isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= MOST and 0 <= now - at < KEPT
        )
    except (ValueError, TypeError, OverflowError):
        return None
    return number if is_good else None


class Learning(UnderWay):
    """Those of one client."""

    def __init__(self) -> None:
        super().__init__(LEAST)
        self.at_most = MOST
        self._finding = Finding()
        self._number = 0
        self._note: Note | None = None
        self._found = LEAST
        self._lock = machine().lock()

    @property
    def threads(self) -> Threads:
        """See UnderWay."""
        return lambda: self.limiter.most

    def share(self, note: Note | None) -> None:
        """Begin with half of what a run has found out lately: what was right then is soon found again."""
        if note is None or self._note is not None:
            return
        self._note = note
        content = note.read()
        if known := kept_number(content, machine().time() + note.ahead):
            with self._lock:
                self._found = known
                self._finding = Finding(max(LEAST, known // 2))
                self.limiter.let(self._finding.number)

    def tell(self) -> None:
        """Note for the next run how many were right, where that is another number than it was."""
        if self._note and self._finding.proven != self._found:
            self._found = self._finding.proven
            told = [self._found, machine().time() + self._note.ahead]
            self._note.change(lambda content: with_part(content, UNDER_WAY, told))

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
