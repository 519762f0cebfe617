# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many requests a second a service takes that says 429, learned from what it took before.

A limit of so many a second is met by waiting, and met again at once: in each second all are sent in a burst, some are
refused, and then everybody waits for longer than the service needs. A pace sends one after the other instead.

It is what was taken until the 429, since the wait for the one before or since the first request, in the seconds that
this took, or in those until the service takes more if these are longer: who is asked to wait a second after twenty may
send about twenty in a second. It rises as in TCP's CUBIC, slowly at first, and by and by faster, so that it is soon no
pace where the service has none any more. There is none where too few were taken to tell, or where the wait is longer
than LONGEST: who may send sixty in each minute does best to send them at once.

It is pure: the time is an argument, by one clock (seconds).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

ENOUGH = 5
"""How many requests have to be taken before a 429 for it to tell a pace."""

LOWEST = 0.1
"""Requests a second: no pace is lower, whatever was taken."""

BELOW = 0.96
"""What share of what was taken in a second is the pace: not all who ask count alike, and clocks are not alike."""

LONGEST = 5.0
"""Seconds of waiting above which it is better to send what may be sent at once."""

DOUBLES_AFTER = 120.0
"""Seconds of use in which a pace gets twice as high; in half of that it rises by an eighth."""

FORGOTTEN = 10.0
"""It is no pace any more once it has risen to so many times what was learned."""

IDLE = 1.0
"""Seconds without a request after which what was taken before counts no more."""


class _Taken(NamedTuple):
    """What was taken before a 429: how many requests, in how many seconds, and when that was over."""

    requests: int = 0
    seconds: float = 0.0
    until: float = -math.inf


class _Refusal(NamedTuple):
    """A 429 of which nothing was learned yet: when it came, how long it asks to wait, and until when."""

    at: float
    asked: float
    opens_at: float


@dataclass
class Pace:
    """The pace on its way, and what it is to be learned from."""

    learned: float = math.inf
    """Requests a second, as was learned."""
    used: float = 0.0
    """Seconds for which it was in use since then."""
    since: float = -math.inf
    """When the first of those requests began that count, or might have begun after the wait for a 429."""
    last: float = -math.inf
    """When the last request began."""
    taken: int = 0
    """How many of them were taken."""
    _slot: float | None = None
    """When the next one may begin, where it is asked for already."""
    _refusal: _Refusal | None = None
    _before: _Taken = field(default=_Taken())
    """What was taken before the last 429 after any was."""

    @property
    def a_second(self) -> float:
        """How many requests may begin in a second; infinity where there is no pace."""
        times = 1 + (self.used / DOUBLES_AFTER) ** 3
        return self.learned * times if times < FORGOTTEN else math.inf

    @property
    def is_asked(self) -> bool:
        """Whether somebody waits for the time when the next request may begin."""
        return self._slot is not None

    def begins(self, now: float) -> float:
        """When the next request may begin that would do so now; the same until it has begun."""
        if self._slot is None:
            self._slot = self._next(now)
        return self._slot

    def began(self) -> None:
        """The next request has begun, and the one after it is the next."""
        self._slot = None

    def took(self, requests: int = 1) -> None:
        """So many requests were not refused with 429."""
        self.taken += requests

    def refused(self, now: float, opens_at: float, asked: float) -> None:
        """The service has said 429 and asks to wait for so many seconds; nothing is sent until a time."""
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
        """By now what was under way at the 429 is answered."""
        wait = refusal.asked
        if self.taken:
            self._before = _Taken(self.taken, max(0.0, refusal.at - self.since), refusal.at)
        else:  # it is still busy with what it took before that
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
