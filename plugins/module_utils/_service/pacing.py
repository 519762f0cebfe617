# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The pace of a client, which it shares with other processes by a note of theirs, once one of them has met a 429.

The note is read by who begins, once a second by who has no pace, and changed for each request by who has one. What it
says is a stranger's until it is read as a pace.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._service.note import PACE, Note, part_of, with_part
from ansible_collections.zonesmith.dns.plugins.module_utils._service.pace import FURTHEST, SLOWEST, Pace

LOOKS_AGAIN = 1.0
"""Seconds after which who has no pace looks whether others have found one."""

_MOST = 2**31
"""What is counted, and each number of seconds that it took, is less."""

_AHEAD = 2 * FURTHEST
"""Seconds from now up to which a time makes sense: what was put off, what is asked to wait, and clocks not alike."""

_NUMBERS = tuple(number.name for number in fields(Pace))
_TIMES = ("since", "last", "refused_at", "opens_at", "shut_at", "next_at")


class Pacing:
    """For one thread at a time; the times are by the machine's monotonic clock."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._note: Note | None = None
        self._looked_at = -math.inf
        self._told = 0  # how many of those that were taken are in the note

    def share(self, note: Note | None) -> None:
        """Share the pace from now on with all who have the same note."""
        self._note = self._note or note

    def begins(self, now: float) -> float:
        """When a request may begin that would do so now; asked once for each."""
        if self._note and now >= self._looked_at + LOOKS_AGAIN:
            self._looked_at = now
            kept = self._kept(self._note.read(), now)
            if kept and not math.isinf(min(kept.a_second, kept.refused_at)):
                self._pace = _joined(kept, self._pace, self._told, now)
                self._told = kept.taken
        if not self._note or (math.isinf(self._pace.a_second) and math.isinf(self._pace.refused_at)):
            return self._pace.begins(now)
        begins = now

        def begin(pace: Pace) -> None:
            nonlocal begins
            begins = pace.begins(now)

        self._together(now, begin)
        return begins

    def took(self) -> None:
        """A request was not refused with 429."""
        self._pace.took()

    def refused(self, now: float, opens_at: float, asked: float) -> None:
        """The service has said 429 and asks to wait for so many seconds; nothing is sent until a time."""
        self._together(now, lambda pace: pace.refused(now, opens_at, asked))

    def _together(self, now: float, act: Callable[[Pace], None]) -> None:
        """Do something with the pace that all share, after what this process has to tell of it."""

        def change(content: bytes) -> bytes:
            kept = self._kept(content, now)
            pace = _joined(kept, self._pace, self._told, now) if kept else self._pace
            act(pace)
            self._pace, self._told = pace, pace.taken
            return with_part(content, PACE, vars(_moved(pace, self._ahead(now))))

        if self._note:
            self._note.change(change)
        else:
            act(self._pace)

    def _kept(self, content: bytes, now: float) -> Pace | None:
        ahead = self._ahead(now)
        return kept_pace(content, ahead, now + ahead)

    def _ahead(self, now: float) -> float:
        """By how many seconds the clock that all processes have is ahead."""
        return machine().time() - now + (self._note.ahead if self._note else 0.0)


def _joined(kept: Pace, own: Pace, told: int, now: float) -> Pace:
    """The pace that all share, with what was taken by one of them and is not told yet."""
    joined = replace(kept)
    joined.settle(now)
    untold = max(0, own.taken - told)
    if untold:
        joined.took(untold)
        joined.since = min(joined.since, max(own.since, now - FURTHEST))
    return joined


def _moved(pace: Pace, seconds: float) -> Pace:
    return replace(pace, **{name: getattr(pace, name) + seconds for name in _TIMES})


def kept_pace(content: bytes, ahead: float, by_note: float) -> Pace | None:
    """The pace that a note tells whose clock is *ahead* (seconds) and shows *by_note*; None where it makes no sense."""
    try:
        told = part_of(content, PACE)
        numbers: dict[str, Any] = {name: _number(told[name]) for name in _NUMBERS}
        pace = Pace(**{**numbers, "taken": int(numbers["taken"]), "counted": int(numbers["counted"])})
    except (ValueError, TypeError, KeyError, OverflowError):
        return None
    return _moved(pace, -ahead) if _is_sensible(pace, by_note) else None


def _is_sensible(pace: Pace, now: float) -> bool:
    """Whether a pace can have come about by the clock of the note, or would have everybody wait for nothing."""
    counts = (pace.taken, pace.counted, pace.used, pace.asked, pace.seconds)
    times = [getattr(pace, name) for name in _TIMES if name != "refused_at" or pace.refused_at < math.inf]
    return pace.learned >= SLOWEST and all(0 <= count < _MOST for count in counts) and max(times) <= now + _AHEAD


def _number(told: Any) -> float:
    if isinstance(told, bool) or not isinstance(told, (int, float)) or math.isnan(told):
        raise ValueError
    return float(told)
