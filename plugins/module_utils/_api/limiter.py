# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Says when the next request may begin. Pure: callers tell the time, in seconds.

Terms: the *window* is how many requests may be under way. The *goal* is what the window grows to, by one with each
answer. The *base* is how long an answer takes without a queue. The *interval* lies between two beginnings.

Rule: useful are as many requests as keep the service busy, and as many again (TCP's BBR: answers a second, times the
base, times two). So the goal doubles while answers take no longer, and falls once requests only queue. After a 429 or
503 it halves. Nothing begins for as long as the service asks, then one request, and one more with each answer. After a
429, the interval is that of the requests accepted since the last 429; it shrinks slowly, then faster (TCP's CUBIC).

Example: a service takes 20 requests a second, and answers each in 50 ms. After 8 answers in 50 ms, the goal is 16. The
21st request is refused, and the service asks for 1 s. From then on, 8 may be under way, 52 ms apart. After 40 s, the
interval is so short that one is refused again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

LEAST = 8
"""Requests under way at first, and at least unless the service refuses them."""

MOST = 64
"""Requests under way at most, since the service has other customers."""

USEFUL = 2
"""Multiple of the requests that keep the service busy."""

CAREFUL = 60.0
"""Seconds after a refusal in which the goal grows by one at a time."""

STEP = 2.0
"""Seconds between two such steps, at least."""

ENOUGH = 5
"""Accepted requests that tell an interval."""

BELOW = 0.96
"""Share of the accepted rate to use, since clocks and counts differ."""

LONGEST_INTERVAL = 10.0

BURSTS_ABOVE = 5.0
"""Seconds; if the service asks for a longer wait, bursts are better than an interval."""

DOUBLES_AFTER = 120.0
"""Seconds in which the rate doubles; in half of them it rises by an eighth."""

FORGOTTEN = 10.0
"""Multiple of the learned rate at which the interval ends."""

LATE = 0.02
"""Seconds by which a thread may wake up too late without lowering the rate."""

SILENCE = 1.0
"""Seconds without a request after which earlier ones no longer count."""


class Bounds(NamedTuple):
    """Of the goal. Without space between them, the goal is fixed."""

    least: int
    most: int

    @property
    def is_fixed(self) -> bool:
        return self.least == self.most


LEARNED = Bounds(LEAST, MOST)
"""Of a goal that follows what is useful."""


class Request(NamedTuple):
    """When it began and *ended*; *under_way* is the most that were under way with it, including itself."""

    began: float
    ended: float
    under_way: int


@dataclass
class _Round:
    """Answers since the goal changed, and how many seconds they took together."""

    since: float = -math.inf
    answers: int = 0
    seconds: float = 0.0


@dataclass
class _Pace:
    """The interval when it was learned, and the requests accepted since then, or since a silence."""

    interval: float = 0.0
    since: float = -math.inf
    accepted: int = 0
    until: float = math.inf
    """When a 429 ended the time that counts."""


@dataclass
class _Refusals:
    in_a_row: int = 0
    """Without an answer between them."""
    first: float = math.inf
    """When the first of them came."""
    last: float = -math.inf
    halved_at: float = -math.inf
    """When the goal was halved, after a refusal or a lost request."""


class Limiter:
    """What is known of the limits of one service."""

    def __init__(self, bounds: Bounds = LEARNED, goal: int = 0):
        self._bounds = bounds
        self.goal = goal or bounds.least
        self._window = self.goal
        self._base = math.inf
        self._round = _Round()
        self._pace = _Pace()
        self.refusals = _Refusals()
        self.opens_at = -math.inf
        """Nothing begins before."""

    def wait(self, now: float, under_way: int) -> float:
        """Seconds before the next request; infinity until one of those under way ends."""
        if under_way >= self._window:
            return math.inf
        return max(0.0, self.opens_at - now)

    def begin(self, now: float) -> None:
        """A request begins."""
        if math.isfinite(self._pace.until):
            self._pace = _Pace(self._learned_interval(), now)
        elif now - self.opens_at > SILENCE:
            self._pace = _Pace(self._interval(self.opens_at), now)
        interval = self._interval(now)
        planned = max(self.opens_at, now - min(interval, LATE))
        self.opens_at = planned + interval

    def answered(self, request: Request) -> None:
        """The service accepted a request, whatever it thought of it."""
        self._pace.accepted += 1
        if request.began <= self.refusals.last:
            return
        self.refusals.in_a_row = 0
        self.refusals.first = math.inf
        if self._window < self.goal:
            self._window += 1
        is_used = 2 * request.under_way >= self._window
        if is_used and request.began >= self._round.since:
            self._measure(request)

    def lost(self, request: Request) -> None:
        """A request got no useful answer: half as many, but not fewer than at first."""
        if not self._bounds.is_fixed:
            self._halve(request, min(self.goal, self._bounds.least))

    def refused(self, request: Request, asked: float, wait: float, *, is_rate: bool) -> None:
        """The service refused a request, and *asked* for a wait, if it is above 0. *wait* is ours.

        With *is_rate*, there were too many requests in a time.
        """
        now = request.ended
        is_known = request.began <= self.refusals.last
        closed = asked if is_known else wait
        self.opens_at = max(self.opens_at, now + closed)
        self.refusals.first = min(self.refusals.first, now)
        if is_known:
            return
        if self._bounds.is_fixed:
            self._go_to(self._bounds.most, now)
        elif not self.refusals.in_a_row:
            self._halve(request, 1)
        self._window = 1
        self.refusals.in_a_row += 1
        self.refusals.last = now
        asked = asked or wait
        if not is_rate:
            self._pace = _Pace(self._interval(now), self.opens_at)
        elif asked > BURSTS_ABOVE:
            self._pace = _Pace(0.0, self.opens_at)
        else:
            self._pace.until = max(now, self._pace.since + asked)

    def _halve(self, request: Request, least: int) -> None:
        """Once for requests that were under way together."""
        if request.began > self.refusals.halved_at:
            self.refusals.halved_at = request.ended
            self._go_to(max(least, self.goal // 2), request.ended)

    def _go_to(self, goal: int, now: float) -> None:
        self.goal = goal
        self._window = min(self._window, goal)
        self._round = _Round(now)

    def _measure(self, request: Request) -> None:
        """Change the goal after as many answers as may be under way."""
        now = request.ended
        self._round.answers += 1
        self._round.seconds += now - request.began
        is_over = self._round.answers >= self.goal and self._window == self.goal
        if not is_over or self._bounds.is_fixed:
            return
        useful = self._useful(self._round.seconds / self._round.answers)
        if now - self.refusals.halved_at >= CAREFUL:
            self._go_to(useful, now)
        elif now - self._round.since >= STEP:
            self._go_to(min(useful, self.goal + 1), now)

    def _useful(self, latency: float) -> int:
        """How many requests are useful, if answers took so many seconds on average."""
        if self.goal <= self._bounds.least:
            self._base = latency  # nothing is queued by us
        self._base = min(self._base, latency)
        useful = USEFUL * self.goal
        if latency > self._base:
            useful = int(useful * self._base / latency)
        return max(self._bounds.least, min(useful, self._bounds.most))

    def _interval(self, now: float) -> float:
        seconds = max(0.0, now - self._pace.since)
        times = 1 + (seconds / DOUBLES_AFTER) ** 3
        if times >= FORGOTTEN:
            return 0.0
        return self._pace.interval / times

    def _learned_interval(self) -> float:
        """The interval after a 429, once all requests that were under way with it have ended."""
        pace = self._pace
        if pace.accepted >= ENOUGH:
            interval = (pace.until - pace.since) / (pace.accepted * BELOW)
        elif pace.accepted:
            interval = 2 * self._interval(pace.until)
        else:
            interval = self._interval(pace.until)
        return min(interval, LONGEST_INTERVAL)
