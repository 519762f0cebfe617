# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Learns from samples how many requests to have under way. Times are those of the samples.

It applies network rules (slow start, TCP Vegas, Netflix's concurrency-limits) to answers a second:

1. Begin with LEAST, and count answers a second while that many are under way.

2. Double, one more for each answer. After at least half of the possible gain, double again; after a fifth, grow by
half; otherwise go back, and wait twice as long before the next attempt.

3. If answers slow down twice in a row, halve. If half brings as much, halve again, since the others only queued.
Otherwise go back, since the service itself is slower.

4. After 429 or 503, halve at once, down to one; after another 5xx or no answer, down to LEAST. Then, for FORGIVEN, only
grow one by one up to LEAST, and stay below what was refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

LEAST = 8
"""At first, and the minimum unless the service refuses them."""

MOST = 64
"""The service has other customers."""

WORTH_MORE = 0.5
WORTH_IT = 0.2
"""Least share of the possible gain that justifies growth."""

SLOWER = 0.7
"""Share of the former answers a second."""

STALLS = 1
"""Slow windows in a row to ignore, since every service pauses."""

HELD = 2
MOST_HELD = 64
"""In multiples of the requests under way."""

FORGIVEN = 60.0
"""Seconds without growth after a refusal."""


class AnswerKind(Enum):
    """An answer; 429 or 503; another 5xx or none."""

    ANSWERED = 1
    THROTTLED = 2
    LOST = 3


class Sample(NamedTuple):
    """*under_way* includes itself, and is the higher number of its start and end."""

    start: float
    end: float
    outcome: AnswerKind
    under_way: int


class _Rate(NamedTuple):
    number: int
    answers: float


@dataclass
class _Window:
    since: float
    answers: int = 0


class _Refused(NamedTuple):
    at: float = float("-inf")
    number: int = MOST + 1


def _brought(lower: _Rate, higher: _Rate) -> float:
    """Share of the possible gain at the higher number: 1 without a queue, 0 if all of it queues."""
    return (higher.answers / lower.answers - 1) / (higher.number / lower.number - 1)


@dataclass
class ConcurrencySearch:
    """As many as *number* may be under way now."""

    number: int = LEAST
    _goal: int = field(init=False)
    _former: _Rate | None = field(default=None, init=False)
    _holds: int = field(default=0, init=False)
    """Windows left before growth."""
    _held: int = field(default=HELD, init=False)
    _slow: int = field(default=0, init=False)
    _window: _Window | None = field(default=None, init=False)
    _refused: _Refused = field(default=_Refused(), init=False)

    def __post_init__(self) -> None:
        self._goal = self.number

    def take(self, sample: Sample) -> int:
        """Returns how many may be under way."""
        if sample.outcome is not AnswerKind.ANSWERED:
            self._step_back(sample)
        elif sample.under_way * 2 < self.number:  # too few requests to learn from
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
        """Halve, unless the request predates the last halving."""
        self._window = None
        if sample.start <= self._refused.at:
            return
        self._refused = _Refused(sample.end, self.number)
        least = 1 if sample.outcome is AnswerKind.THROTTLED else min(LEAST, self.number)
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
        """Stay at this rate's number for a while."""
        self._holds = self._held
        self._go_to(rate.number, rate)

    def _try_more(self, rate: _Rate, now: float, times: float) -> None:
        is_forgiven = now >= self._refused.at + FORGIVEN
        if rate.number < LEAST:
            self._go_to(rate.number + (is_forgiven or rate.number + 1 < self._refused.number), None)
        elif is_forgiven and rate.number < MOST:
            self._go_to(min(int(rate.number * times), MOST), rate)
        else:
            self._hold(rate)

    def _go_to(self, goal: int, former: _Rate | None) -> None:
        """Growth comes with answers, reduction at once."""
        self._goal, self._former, self._slow = goal, former, 0
        self.number = min(self.number, goal)
