# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many requests a second are sent to a service that has said 429, and what comes of it."""

from __future__ import annotations

import math

import pytest
from services import Bounded, Waits, play

from ansible_collections.zonesmith.dns.plugins.module_utils._api.concurrency import (
    ConcurrencySearch,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.pace import BELOW, LOWEST, Pace

NONE = math.inf


def begin(pace: Pace, now: float) -> float:
    """When a request begins that would do so now."""
    begins = pace.begins(now)
    assert pace.begins(now + 1) == begins
    pace.began()
    return begins


def after(*cycles: tuple[int, float, float]) -> Pace:
    """The pace after so many requests were taken, each time in so many seconds, and then a wait was asked for."""
    pace, now = Pace(), 100.0
    for taken, seconds, asked in cycles:
        for _request in range(taken):
            begin(pace, now)
        pace.took(taken)
        pace.last = now = now + seconds
        pace.refused(now, now + (asked or 0.5), asked)
        now += asked or 0.5
        begin(pace, now)
    return pace


@pytest.mark.parametrize(
    ("cycles", "learned"),
    [
        ([], NONE),
        # As many as were taken in the time that it asks to wait, or in the time that these took.
        ([(20, 0.1, 1)], 20),
        ([(20, 0.5, 1)], 20),
        ([(20, 2.0, 1)], 10),
        ([(100, 0.5, 2)], 50),
        # The last time counts.
        ([(20, 0.1, 1), (10, 1.0, 1)], 10),
        # Too few to tell, which is far too many where there was a pace.
        ([(20, 0.1, 0)], 40),
        # None were taken, so nothing is learned.
        ([(20, 0.1, 0), (0, 0.1, 0), (0, 0.1, 0)], 40),
        ([(4, 0.1, 1)], NONE),
        ([(20, 0.1, 1), (4, 0.1, 1)], 10),
        ([(0, 0.1, 1)], NONE),
        # It asks for long.
        ([(60, 3.0, 5)], 12),
        ([(60, 3.0, 5.1)], NONE),
        ([(20, 0.1, 1), (60, 3.0, 57)], NONE),
    ],
)
def test_what_pace_is_learned(cycles: list[tuple[int, float, float]], learned: float) -> None:
    assert after(*cycles).learned == pytest.approx(BELOW * learned)


def test_what_was_taken_in_no_time_tells_no_pace() -> None:
    pace = Pace(taken=20, since=100, last=100)
    pace.refused(100, 100, 0)
    pace.begins(100)
    assert pace.learned == NONE


@pytest.mark.parametrize("pace", [Pace(learned=LOWEST, taken=1), Pace(taken=5)])
def test_no_pace_is_lower_than_the_lowest(pace: Pace) -> None:
    pace.since = pace.last = 100
    pace.refused(1000, 1001, 1)
    pace.begins(1001)
    assert pace.learned == LOWEST


def test_what_was_taken_before_a_quiet_time_does_not_count() -> None:
    pace = Pace()
    for now in (1.0, 1.1, 1.2):
        begin(pace, now)
        pace.took(10)
    begin(pace, 2.3)
    pace.took(5)
    pace.refused(2.4, 3.5, 1)
    pace.begins(3.5)
    assert pace.learned == pytest.approx(BELOW * 5)


@pytest.mark.parametrize(
    ("used", "times"), [(0, 1), (12, 1.001), (60, 1.125), (120, 2), (240, 9), (250, NONE)]
)
def test_it_rises_with_use(used: float, times: float) -> None:
    assert Pace(learned=20, used=used).a_second == pytest.approx(20 * times)


def test_one_begins_after_the_other() -> None:
    pace = Pace(learned=20, last=999.95, since=1000)
    begins = [begin(pace, 1000) for _request in range(4)]
    assert begins == pytest.approx([1000, 1000.05, 1000.1, 1000.15], abs=1e-4)
    assert begin(pace, 1002) == 1002, "nothing is made up for"


def test_without_a_429_there_is_none() -> None:
    pace = Pace()
    assert [begin(pace, now) for now in (1.0, 1.0, 1.0, 1.01)] == [1.0, 1.0, 1.0, 1.01]


@pytest.mark.parametrize("is_found", [False, True])
@pytest.mark.parametrize(
    ("a_second", "requests", "times", "refused"),
    [
        # At most so many times what is possible, with so many refused at most.
        (20, 300, 1.15, 19),
        (20, 3000, 1.1, 25),
        (6, 300, 1.1, 15),
        (50, 3000, 1.1, 40),
        (100, 3000, 1.11, 60),
    ],
)
def test_how_near_it_comes_to_a_limit(
    a_second: int, requests: int, times: float, refused: int, is_found: bool
) -> None:
    course = play(Bounded(a_second), requests, ConcurrencySearch() if is_found else None, 8, Pace())
    assert course.seconds <= times * (requests - a_second) / a_second
    assert course.refused <= refused


def test_a_service_that_has_no_limit_any_more_is_soon_asked_as_often_as_it_bears() -> None:
    pace = Pace(learned=20)
    play(Waits(), 20_000, None, 8, pace)
    assert pace.a_second == NONE
