# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many requests may be under way at once, found out from what became of those before: samples in, a number out.

The rule, which is that of networks (slow start, TCP Vegas, Netflix's concurrency-limits), asked about answers a second
rather than about a latency, because the two say the same of a queue, and only the first is what a run is about:

1. It begins with LEAST. Where as many are under way as may be, it counts how many are answered in a second.
2. Then twice as many may be under way, one more with each answer. Where that brings at least half of what it could, it
   goes on so; where it brings at least a fifth, by half as many again; else it goes back, and stays there, twice as
   long each time, before it tries again.
3. Where so many are answered more slowly than before, twice in a row, half as many may be. Where those bring as much,
   half of them, and so on: the others only waited in a queue. Where they bring less, it was right before: the service
   is slower.
4. Where the service says 429 or 503, half as many may be, at once, one at least. Where there is no answer or another
   5xx, too, but LEAST at least. For FORGIVEN it then does not grow, save up to LEAST: by one at a time, and not to
   where it was refused.

It is pure: the times are those of the samples.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

LEAST = 8
"""Requests under way at first, and at least, unless the service says that these are too many."""

MOST = 64
"""So many at most, however well the service bears it: it has other customers."""

WORTH_MORE = 0.5
WORTH_IT = 0.2
"""Of the answers a second that more under way could bring at best, how many they have to bring."""

SLOWER = 0.7
"""What share of the answers a second of before is so little that it is not by chance."""

STALLS = 1
"""How many times in a row it may be as slow: every service stands still at times."""

HELD = 2
MOST_HELD = 64
"""How many times as many answers as are under way are awaited before more are tried again: at first, and at most."""

FORGIVEN = 60.0
"""Seconds for which it stays away from where it was refused."""


class Outcome(Enum):
    """What became of a request: an answer, also a refusal; 429 or 503; or none, or an error of the service."""

    ANSWERED = 1
    THROTTLED = 2
    LOST = 3


class Sample(NamedTuple):
    """One request: its times by one clock (seconds), what became of it, and how many were under way.

    That is with itself, the most of what it saw as it began and as it ended: where all are answered at one moment, the
    first that goes on is alone.
    """

    start: float
    end: float
    outcome: Outcome
    under_way: int


class _Rate(NamedTuple):
    """Answers a second with so many requests under way."""

    number: int
    answers: float


@dataclass
class _Window:
    """A time in which answers are counted."""

    since: float
    answers: int = 0


class _Refused(NamedTuple):
    """When the last step back was, and how many requests were too many."""

    at: float = float("-inf")
    number: int = MOST + 1


def _brought(lower: _Rate, higher: _Rate) -> float:
    """What the higher number brings of what it could at best: 1 where nobody waits for another, 0 in a queue."""
    return (higher.answers / lower.answers - 1) / (higher.number / lower.number - 1)


@dataclass
class Finding:
    """The number on its way; *number* is what may be under way now."""

    number: int = LEAST
    _goal: int = field(init=False)
    _former: _Rate | None = field(default=None, init=False)
    """What the number is judged by: another one, or the same one earlier."""
    _holds: int = field(default=0, init=False)
    """How many windows are left before more are tried."""
    _held: int = field(default=HELD, init=False)
    _slow: int = field(default=0, init=False)
    _window: _Window | None = field(default=None, init=False)
    _refused: _Refused = field(default=_Refused(), init=False)

    def __post_init__(self) -> None:
        self._goal = self.number

    def take(self, sample: Sample) -> int:
        """Learn from a request that has ended; how many may be under way from now on."""
        if sample.outcome is not Outcome.ANSWERED:
            self._step_back(sample)
        elif sample.under_way * 2 < self.number:  # nobody wants as many, so nothing is learned
            self._window = None
        elif self.number < self._goal or self._window is None:
            self.number += self.number < self._goal
            self._window = _Window(sample.end)
        else:
            self._window.answers += 1
            seconds = sample.end - self._window.since
            if self._window.answers >= self.number and seconds > 0:
                self._judge(_Rate(self.number, self._window.answers / seconds), sample.end)
        return self.number

    def _step_back(self, sample: Sample) -> None:
        """Half as many, unless it was sent before the last such step, and says nothing new."""
        self._window = None
        if sample.start <= self._refused.at:
            return
        self._refused = _Refused(sample.end, self.number)
        least = 1 if sample.outcome is Outcome.THROTTLED else min(LEAST, self.number)
        self._go_to(max(least, self.number // 2), None)

    def _judge(self, rate: _Rate, now: float) -> None:
        former = self._former
        if former is None:
            self._try_more(rate, now, 2)
        elif rate.number > former.number:
            self._judge_more(former, rate, now)
        elif rate.number < former.number:
            self._judge_less(former, rate)
        elif rate.answers < SLOWER * former.answers and rate.number > LEAST:
            self._slow += 1
            if self._slow > STALLS:
                self._go_to(max(LEAST, rate.number // 2), rate)
        else:
            self._slow = 0
            self._holds -= 1
            settled = _Rate(rate.number, former.answers + (rate.answers - former.answers) / 4)
            if self._holds > 0:
                self._go_to(rate.number, settled)
            else:
                self._try_more(settled, now, 1.5)
        self._window = _Window(now)

    def _judge_more(self, lower: _Rate, higher: _Rate, now: float) -> None:
        brought = _brought(lower, higher)
        if brought < WORTH_IT:
            self._hold(lower)
            self._held = min(2 * self._held, MOST_HELD)
            return
        self._held = HELD
        self._try_more(higher, now, 2 if brought >= WORTH_MORE else 1.5)

    def _judge_less(self, higher: _Rate, lower: _Rate) -> None:
        if _brought(lower, higher) >= WORTH_IT:
            self._hold(higher)
        elif lower.number > LEAST:
            self._go_to(max(LEAST, lower.number // 2), lower)
        else:
            self._hold(lower)

    def _hold(self, rate: _Rate) -> None:
        """Go to where it was so, and stay there for a while."""
        self._holds = self._held
        self._go_to(rate.number, rate)

    def _try_more(self, rate: _Rate, now: float, times: float) -> None:
        """Let so many times as many be under way, where they may be."""
        is_forgiven = now >= self._refused.at + FORGIVEN
        if rate.number < LEAST:
            self._go_to(rate.number + (is_forgiven or rate.number + 1 < self._refused.number), None)
        elif is_forgiven and rate.number < MOST:
            self._go_to(min(int(rate.number * times), MOST), rate)
        else:
            self._hold(rate)

    def _go_to(self, goal: int, former: _Rate | None) -> None:
        """More come with answers; less is so at once."""
        self._goal, self._former, self._slow = goal, former, 0
        self.number = min(self.number, goal)
