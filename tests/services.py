# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Services of one kind each, and somebody with many requests who asks them, in a time of their own.

Nothing waits and nothing is by chance, so that each is played the same way each time.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._api.concurrency import (
    AnswerKind,
    ConcurrencySearch,
    Sample,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.pace import Pace

LATENCY = 0.05


class Answer(NamedTuple):
    """When it comes, and what it is; where it asks to wait, for how long."""

    at: float
    outcome: AnswerKind = AnswerKind.ANSWERED
    retry_after: float = 0.0


class Service(Protocol):
    """What answers requests."""

    def answer(self, now: float, number: int) -> Answer:
        """The answer to the request of this number, which comes in now."""


@dataclass
class Waits:
    """Takes so long for each, of which a share is its own: then nobody else of the same zone is served.

    *latency* is asked for the time of a request. Requests go to the *zones* in turn.
    """

    latency: Callable[[float], float] = lambda _now: LATENCY
    share: float = 0.0
    zones: int = 1
    _free: dict[int, float] = field(default_factory=lambda: defaultdict(float))

    def answer(self, now: float, number: int) -> Answer:
        """See Service."""
        zone, takes = number % self.zones, self.latency(now)
        begins = max(now + takes * (1 - self.share), self._free[zone])
        self._free[zone] = begins + takes * self.share
        return Answer(self._free[zone])


def uneven(number: int) -> float:
    """From 0.5 to 1.5 by the number of a request, evenly and without an order that anybody would see."""
    return 0.5 + (number * 0.6180339887) % 1


@dataclass
class Uneven:
    """Takes half as long for one as for another, or half as long again, on average LATENCY."""

    def answer(self, now: float, number: int) -> Answer:
        """See Service."""
        return Answer(now + LATENCY * uneven(number))


@dataclass
class Bounded:
    """Answers so many requests in each second, and 429 to the others, or to those beside so many that are under way."""

    a_second: int = 1_000_000
    at_once: int = 1_000_000
    outcome: AnswerKind = AnswerKind.THROTTLED
    retry_after: float = 1.0
    _taken: deque[float] = field(default_factory=deque)
    _ends: list[float] = field(default_factory=list)

    def answer(self, now: float, number: int) -> Answer:  # noqa: ARG002 - how many are under way is nothing to it
        """See Service."""
        while self._taken and self._taken[0] <= now - 1:
            self._taken.popleft()
        self._ends = [end for end in self._ends if end > now]
        if len(self._taken) >= self.a_second or len(self._ends) >= self.at_once:
            return Answer(now + LATENCY, self.outcome, self.retry_after)
        self._taken.append(now)
        self._ends.append(now + LATENCY)
        return Answer(now + LATENCY)


@dataclass
class Course:
    """How it went: when it was over, how many requests were not served, and how many were under way from when on."""

    seconds: float = 0.0
    refused: int = 0
    under_way: list[tuple[float, int]] = field(default_factory=list)

    @property
    def most(self) -> int:
        """The most that were under way."""
        return max(number for _when, number in self.under_way)

    def at(self, when: float) -> int:
        """How many were under way at that time."""
        return next(number for since, number in reversed(self.under_way) if since <= when)


JITTER = 0.1
"""Seconds of waiting beyond what a service asks for: half of what it can be."""


def play(
    service: Service,
    requests: int,
    finding: ConcurrencySearch | None = None,
    fixed: int = 8,
    pace: Pace | None = None,
) -> Course:
    """Ask for all of it, with as many under way as are found, or as are *fixed*, and at a *pace* where there is one.

    Once one is refused it is as at the gate (_api/gate.py): after the wait one, and one more with each answer.
    """
    course, left, now, opens, let = Course(), deque(range(requests)), 0.0, 0.0, math.inf
    slot = 0.0
    ends: list[tuple[float, int, float, int, Answer]] = []
    while left or ends:
        most = finding.number if finding else fixed
        while left and len(ends) < min(most, let) and opens <= now:
            slot = pace.begins(now) if pace else 0.0
            if slot > now:
                break
            if pace:
                pace.began()
            slot = 0.0
            number = left.popleft()
            answer = service.answer(now, number)
            heapq.heappush(ends, (answer.at, number, now, len(ends) + 1, answer))
        course.under_way.append((now, len(ends)))
        wakes = max(opens, slot)
        if (
            wakes > now
            and left
            and len(ends) < min(most, let)
            and not (ends and ends[0][0] <= wakes)
        ):
            now = wakes
            continue
        now, number, began, under_way, answer = heapq.heappop(ends)
        if answer.outcome is not AnswerKind.ANSWERED:
            course.refused += 1
            left.appendleft(number)
            if began >= opens:  # the others say nothing new
                opens, let, slot = now + answer.retry_after + JITTER, 1, 0.0
                if pace:
                    pace.refused(now, opens, answer.retry_after)
        else:
            let = math.inf if let + 1 >= most else let + 1
            if pace:
                pace.took()
        if finding:
            finding.take(Sample(began, now, answer.outcome, max(under_way, len(ends) + 1)))
    course.seconds = now
    return course
