# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rates and latencies of services, and somebody with many requests who asks them, in a time of their own.

A layer in front of a zone: when a request is answered, and with what status; what is asked is nothing to it.
Nothing waits and nothing is by chance, so that each is played the same way each time.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from habitual_zone import Requests

from ansible_collections.zonesmith.dns.plugins.module_utils._api.limiter import (
    Bounds,
    Limiter,
    Request,
)

LATENCY = 0.05


class Kind(Enum):
    """What comes of a request: an answer, a 429, a 503, or no useful answer."""

    ANSWERED = 200
    RATE = 429
    BUSY = 503
    LOST = 500


class Answer(NamedTuple):
    """When it comes, and what it is; where it asks to wait, for how long."""

    at: float
    kind: Kind = Kind.ANSWERED
    retry_after: float = 0.0


@dataclass
class Waits:
    """Takes so long for each, of which a share is its own: then nobody else of the same zone is served.

    *latency* is asked for the time of a request. Requests go to the *zones* in turn.
    """

    latency: Callable[[float], float] = lambda _now: LATENCY
    share: float = 0.0
    zones: int = 1
    _free: dict[int, float] = field(default_factory=lambda: defaultdict(float))

    def answer(self, now, number):
        """The answer to the request of this number, which comes in now."""
        zone = number % self.zones
        takes = self.latency(now)
        begins = max(now + takes * (1 - self.share), self._free[zone])
        self._free[zone] = begins + takes * self.share
        return Answer(self._free[zone])


@dataclass
class Bounded:
    """Answers so many requests in each second, and 429 to the others, or to those beside so many that are under way."""

    a_second: int = 1_000_000
    at_once: int = 1_000_000
    kind: Kind = Kind.RATE
    retry_after: float = 1.0
    latency: float = LATENCY
    _requests: Requests = field(default_factory=Requests)
    _ends: list[float] = field(default_factory=list)

    def answer(self, now, number):  # noqa: ARG002 - how many are under way is nothing to it
        """The answer to the request of this number, which comes in now."""
        self._ends = [end for end in self._ends if end > now]
        ends = now + self.latency
        if len(self._ends) >= self.at_once or self._requests.wait(now, self.a_second):
            return Answer(ends, self.kind, self.retry_after)
        self._ends.append(ends)
        return Answer(ends)


@dataclass
class Pauses:
    """Answers 503 for *seconds* from *begins* on, or to each *nth* request."""

    begins: float = math.inf
    seconds: float = 0.0
    nth: int = 0
    kind: Kind = Kind.BUSY
    _asked: int = 0

    def answer(self, now, number):  # noqa: ARG002 - those that come again count too
        """The answer to the request of this number, which comes in now."""
        self._asked += 1
        is_nth = self.nth and self._asked % self.nth == 0
        if is_nth or self.begins <= now < self.begins + self.seconds:
            return Answer(now + LATENCY, self.kind)
        return Answer(now + LATENCY)


@dataclass
class Course:
    """How it went: when it was over, how many requests were not served, and how many were under way from when on."""

    seconds: float = 0.0
    refused: int = 0
    under_way: list[tuple[float, int]] = field(default_factory=list)

    @property
    def most(self):
        """The most that were under way."""
        return max(number for _when, number in self.under_way)


JITTER = 0.1
"""Seconds of waiting beyond what a service asks for: half of what it can be."""

BACKOFF = 0.375
"""Seconds of waiting after a first refusal, where the service does not say how long."""


class _Sent(NamedTuple):
    """A request under way; the first to be answered comes first."""

    answered_at: float
    number: int
    began: float
    under_way: int
    answer: Answer


def play(service, requests, limiter):
    """Ask for all of it, each as soon as the limiter allows."""
    course = Course()
    left = deque(range(requests))
    sent = []
    now = 0.0
    while left or sent:
        wait = 0.0
        while left:
            wait = limiter.wait(now, len(sent))
            if wait > 0:
                break
            limiter.begin(now)
            number = left.popleft()
            answer = service.answer(now, number)
            heapq.heappush(sent, _Sent(answer.at, number, now, len(sent) + 1, answer))
        course.under_way.append((now, len(sent)))
        next_answer = sent[0].answered_at if sent else math.inf
        if left and now + wait < next_answer:
            now += wait
            continue
        one = heapq.heappop(sent)
        now = one.answered_at
        request = Request(one.began, now, max(one.under_way, len(sent) + 1))
        _learn(limiter, request, one.answer)
        if one.answer.kind is not Kind.ANSWERED:
            course.refused += 1
            left.appendleft(one.number)
    course.seconds = now
    return course


def _learn(limiter, request, answer):
    if answer.kind is Kind.ANSWERED:
        limiter.answered(request)
    elif answer.kind is Kind.LOST:
        limiter.lost(request)
    else:
        asked = answer.retry_after
        wait = BACKOFF * 2**limiter.refusals.in_a_row
        if asked:
            wait = asked + JITTER
        limiter.refused(request, asked, wait, is_rate=answer.kind is Kind.RATE)


def fixed(number):
    """A limiter that always allows so many."""
    return Limiter(Bounds(number, number))
