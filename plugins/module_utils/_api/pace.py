# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Learns the request rate of a service that answers 429. Times are in seconds.

A burst would meet the limit again at once, so a pace sends requests one by one. It is the number of requests before the
429, divided by the time since the last wait, or by the wait asked for if that is longer. It rises slowly, then faster
(TCP's CUBIC), and soon ends if there is no limit any more. After too few requests it halves, and after none it stays.
There is none for waits above LONGEST, when bursts are better.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

ENOUGH = 5
"""Requests to learn from."""

LOWEST = 0.1
"""Requests a second, at least."""

BELOW = 0.96
"""Share of the measured rate to use, since clocks and counts differ."""

LONGEST = 5.0

DOUBLES_AFTER = 120.0
"""Seconds of use in which a pace doubles; in half of them it rises by an eighth."""

FORGOTTEN = 10.0
"""Multiple of the learned pace at which it ends."""

IDLE = 1.0
"""Seconds of silence after which earlier requests do not count."""


class _Refusal(NamedTuple):
    at: float
    asked: float
    opens_at: float


@dataclass
class Pace:
    learned: float = math.inf
    """Requests a second."""
    used: float = 0.0
    """Seconds of use since learning."""
    since: float = -math.inf
    """When counting began, or the wait before it ended."""
    last: float = -math.inf
    taken: int = 0
    """Requests since then that were not refused."""
    _slot: float | None = None
    """When the next request may begin, once asked."""
    _refusal: _Refusal | None = None

    @property
    def a_second(self) -> float:
        """Infinity without a pace."""
        times = 1 + (self.used / DOUBLES_AFTER) ** 3
        return self.learned * times if times < FORGOTTEN else math.inf

    @property
    def is_asked(self) -> bool:
        return self._slot is not None

    def begins(self, now: float) -> float:
        """When the next request may begin."""
        if self._slot is None:
            self._slot = self._next(now)
        return self._slot

    def began(self) -> None:
        self._slot = None

    def took(self, requests: int = 1) -> None:
        """Note *requests* not answered with 429."""
        self.taken += requests

    def refused(self, now: float, opens_at: float, asked: float) -> None:
        """*asked* is in seconds. Nothing is sent before *opens_at*."""
        first = self._refusal or _Refusal(now, 0.0, opens_at)
        self._refusal = _Refusal(first.at, asked or opens_at - now, max(first.opens_at, opens_at))
        self._slot = None

    def _next(self, now: float) -> float:
        if self._refusal and self._refusal.opens_at <= now:
            self._learn(self._refusal, now)
        if not self._refusal and now - max(self.last, self.since) > IDLE:
            self.since, self.taken = now, 0
        begins = max(now, self.last + 1 / self.a_second)
        self.used += min(IDLE, max(0.0, begins - self.last))
        self.last = begins
        return begins

    def _learn(self, refusal: _Refusal, now: float) -> None:
        """Learn, once all requests under way at the 429 are answered."""
        seconds = max(refusal.at - self.since, refusal.asked)
        if refusal.asked > LONGEST:
            self.learned = math.inf
        elif self.taken >= ENOUGH and seconds > 0:
            self.learned = max(LOWEST, BELOW * self.taken / seconds)
        elif self.taken:
            self.learned = max(LOWEST, self.a_second / 2)
        self.used = 0.0
        self.since, self.taken, self._refusal = now, 0, None
        self.last = now - 1 / self.a_second  # the first may begin at once
