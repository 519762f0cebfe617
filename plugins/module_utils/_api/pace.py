# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Learns how many requests a second a service takes that answers 429.

Pure; times are arguments, in seconds of one clock.

Waiting alone meets such a limit again at once: each second begins with a burst, of which a part is refused. A pace
sends one request after the other instead.

It is the rate taken until the 429, over the time since the last wait, or over the wait asked for if that is longer. It
rises slowly, then faster (TCP's CUBIC), and ends soon if the service has no limit any more. There is no pace if too few
requests were taken to tell, or if the wait is longer than LONGEST, since then bursts are better.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

ENOUGH = 5
"""Requests before a 429 that are enough to learn from."""

LOWEST = 0.1
"""The lowest pace, in requests a second."""

BELOW = 0.96
"""Share of the measured rate that is used, since clocks and counts differ."""

LONGEST = 5.0
"""Seconds of wait above which bursts are better than a pace."""

DOUBLES_AFTER = 120.0
"""Seconds of use in which a pace doubles; in half of that it rises by an eighth."""

FORGOTTEN = 10.0
"""A pace ends at so many times what was learned."""

IDLE = 1.0
"""Seconds without requests after which earlier ones do not count."""


class _Taken(NamedTuple):
    """Requests taken before a 429, in how many seconds, and until when."""

    requests: int = 0
    seconds: float = 0.0
    until: float = -math.inf


class _Refusal(NamedTuple):
    """A 429 to learn from: when it came, the seconds it asks for, and until when."""

    at: float
    asked: float
    opens_at: float


@dataclass
class Pace:
    """The pace, and what it is learned from."""

    learned: float = math.inf
    """Requests a second."""
    used: float = 0.0
    """Seconds of use since then."""
    since: float = -math.inf
    """Start of the requests that count, or the end of the wait before them."""
    last: float = -math.inf
    """Start of the last request."""
    taken: int = 0
    """How many of them were taken."""
    _slot: float | None = None
    """When the next one may begin, if that was asked."""
    _refusal: _Refusal | None = None
    _before: _Taken = field(default=_Taken())
    """What was taken before the last 429."""

    @property
    def a_second(self) -> float:
        """How many requests may begin in a second; infinity without a pace."""
        times = 1 + (self.used / DOUBLES_AFTER) ** 3
        return self.learned * times if times < FORGOTTEN else math.inf

    @property
    def is_asked(self) -> bool:
        """Whether a request waits for its time."""
        return self._slot is not None

    def begins(self, now: float) -> float:
        """When the next request may begin; the same until it has begun."""
        if self._slot is None:
            self._slot = self._next(now)
        return self._slot

    def began(self) -> None:
        """Note that the request has begun."""
        self._slot = None

    def took(self, requests: int = 1) -> None:
        """Note that *requests* were not answered with 429."""
        self.taken += requests

    def refused(self, now: float, opens_at: float, asked: float) -> None:
        """Note a 429 at *now* that asks to wait *asked* seconds; nothing is sent until *opens_at*."""
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
        """Learn once all that was under way at the 429 is answered."""
        wait = refusal.asked
        if self.taken:
            self._before = _Taken(self.taken, max(0.0, refusal.at - self.since), refusal.at)
        else:  # the service is still busy with earlier requests
            wait = refusal.opens_at - self._before.until
        if wait > LONGEST:
            self.learned = math.inf
        elif self._before.requests >= ENOUGH:
            within = max(self._before.seconds, wait)
            self.learned = max(LOWEST, BELOW * self._before.requests / within if within > 0 else math.inf)
            self.used = 0.0
        elif self.taken:
            self.learned, self.used = max(LOWEST, self.a_second / 2), 0.0
        self.since, self.taken, self._refusal = now, 0, None
        self.last = now - 1 / self.a_second  # the first may begin at once
