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
from dataclasses import dataclass

ENOUGH = 5
"""How many requests have to be taken before a 429 for it to tell a pace."""

SLOWEST = 0.1
"""Requests a second: no pace is lower, whatever was taken and whatever a note says."""

BELOW = 0.96
"""What share of what was taken in a second is the pace: not all who ask count alike, and clocks are not alike."""

LONGEST = 5.0
"""Seconds of waiting above which it is better to send what may be sent at once."""

DOUBLES_AFTER = 120.0
"""Seconds of use in which a pace gets twice as high; in half of that it rises by an eighth."""

FORGOTTEN = 10.0
"""It is no pace any more once it has risen to so many times what was learned."""

KEPT = 3600.0
"""Seconds for which it counts where nobody sends anything meanwhile."""

IDLE = 1.0
"""Seconds without a request after which what was taken before counts no more."""

FURTHEST = 60.0
"""Seconds from now for which a request waits at most, whatever others have asked for."""


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
    refused_at: float = math.inf
    """When the service said 429, where nothing was learned of that yet, how long it asks to wait, and until when."""
    asked: float = 0.0
    opens_at: float = -math.inf
    counted: int = 0
    """What was taken before the last 429 after any was, in how many seconds, and when that was."""
    seconds: float = 0.0
    shut_at: float = -math.inf
    next_at: float = -math.inf

    @property
    def a_second(self) -> float:
        """How many requests may begin in a second; infinity where there is no pace."""
        times = 1 + (self.used / DOUBLES_AFTER) ** 3
        return self.learned * times if times < FORGOTTEN else math.inf

    def begins(self, now: float) -> float:
        """When a request may begin that would do so now; asked once for each, because the next one comes after it."""
        if self.refused_at <= now and self.opens_at <= now:
            self._learn(now)
        self.settle(now)
        pace = self.a_second
        begins = now if math.isinf(pace) else min(max(now, self.next_at), now + FURTHEST)
        self.next_at = begins + 1 / pace
        self.used += min(IDLE, max(0.0, begins - self.last))
        self.last = begins
        return begins

    def settle(self, now: float) -> None:
        """Forget what is of no use any more."""
        quiet = now - max(self.last, self.since)
        if quiet > IDLE and math.isinf(self.refused_at):
            self.since, self.taken = now, 0
        if quiet > KEPT:
            self.learned = math.inf

    def took(self, requests: int = 1) -> None:
        """So many requests were not refused with 429."""
        self.taken += requests

    def refused(self, now: float, opens_at: float, asked: float) -> None:
        """The service has said 429 and asks to wait for so many seconds; nothing is sent until a time."""
        self.refused_at = min(self.refused_at, now)
        self.opens_at = max(self.opens_at, opens_at)
        self.asked = asked or opens_at - now

    def _learn(self, now: float) -> None:
        """By now what was under way at the 429 is answered."""
        wait = self.asked
        if self.taken:
            self.counted, self.seconds = self.taken, max(0.0, self.refused_at - self.since)
            self.shut_at = self.refused_at
        else:  # it is still busy with what it took before that
            wait = self.opens_at - self.shut_at
        if wait > LONGEST:
            self.learned = math.inf
        elif self.counted >= ENOUGH:
            within = max(self.seconds, wait)
            self.learned, self.used = _bounded(BELOW * self.counted / within if within > 0 else math.inf), 0.0
        elif self.taken:
            self.learned, self.used = _bounded(self.a_second / 2), 0.0
        self.since, self.taken, self.last = now, 0, now
        self.refused_at, self.opens_at, self.next_at = math.inf, -math.inf, now


def _bounded(a_second: float) -> float:
    return max(SLOWEST, a_second)
