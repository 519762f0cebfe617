# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When the next request may begin: what is learned from each, and what comes of it at services of many kinds."""

import math

import pytest
from simulated import LATENCY, Bounded, Kind, Pauses, Uneven, Waits, fixed, play
from under_way import PICTURE, drawn

from ansible_collections.zonesmith.dns.plugins.module_utils._api.limiter import (
    BELOW,
    CAREFUL,
    LEAST,
    LONGEST_INTERVAL,
    MOST,
    STEP,
    Bounds,
    Limiter,
    Request,
)

AT_ONCE = math.inf


def answer(limiter, began, ended, under_way=MOST):
    limiter.answered(Request(began, ended, under_way))


def refuse(limiter, began, ended, asked=1.0, *, is_rate=True):
    limiter.refused(Request(began, ended, MOST), asked, asked, is_rate=is_rate)


def lose(limiter, began, ended):
    limiter.lost(Request(began, ended, MOST))


def at(goal):
    """A limiter that has come to this goal."""
    return Limiter(goal=goal)


def goals(limiter, *latencies, now=1000.0):
    """The goal after each round, in which as many are answered as may be under way, after so many seconds."""
    found = []
    for latency in latencies:
        for _answer in range(limiter.goal):
            answer(limiter, now, now + latency, limiter.goal)
        now += latency
        found.append(limiter.goal)
    return found


def room(limiter, now):
    """How many may be under way."""
    number = 0
    while limiter.wait(now, number) == 0:
        number += 1
    return number


# The goal


@pytest.mark.parametrize(
    "latencies, expected",
    [
        # As fast as before, or faster.
        ([1, 1, 1, 1], [16, 32, 64, 64]),
        ([1, 0.5, 0.5], [16, 32, 64]),
        # A queue grows: half as long as an answer takes, as long, longer.
        ([1, 1.5], [16, 21]),
        ([1, 2], [16, 16]),
        ([1, 2, 2, 2], [16, 16, 16, 16]),
        ([1, 2.5], [16, 12]),
        # The service is slower whatever is sent: eight under way tell.
        ([1, 1, 1, 8, 8, 8, 8, 8], [16, 32, 64, 16, 8, 16, 32, 64]),
        ([1, 1, 1, 3, 3, 3, 3, 3, 3], [16, 32, 64, 42, 28, 18, 12, 8, 16]),
        # It stands still for once.
        ([1, 1, 1, 4, 1], [16, 32, 64, 32, 64]),
        # Eight are as slow as sixteen: they queue already.
        ([1, 4, 4, 4], [16, 8, 16, 32]),
        # Answers without any delay.
        ([0, 0, 0], [16, 32, 64]),
    ],
)
def test_the_goal_follows_what_is_of_use(latencies, expected):
    assert goals(Limiter(), *latencies) == expected


@pytest.mark.parametrize("before, after", [(64, 32), (9, 4), (8, 4), (2, 1), (1, 1)])
def test_half_as_many_after_a_refusal(before, after):
    limiter = at(before)
    refuse(limiter, 0, 1)
    assert limiter.goal == after


@pytest.mark.parametrize("before, after", [(64, 32), (17, 8), (9, 8), (8, 8), (3, 3), (1, 1)])
def test_half_as_many_after_a_lost_request_but_not_fewer_than_at_first(before, after):
    limiter = at(before)
    lose(limiter, 0, 1)
    assert limiter.goal == after
    assert room(limiter, 1) == after, "and nothing has to wait"


@pytest.mark.parametrize("end", [refuse, lose])
def test_requests_that_fail_together_halve_it_once(end):
    limiter = at(64)
    for began in (0.9, 0.95, 1.0):
        end(limiter, began, 1.0)
    assert limiter.goal == 32
    if end is refuse:
        answer(limiter, 2.5, 2.6)
    end(limiter, 2.7, 2.8)
    assert limiter.goal == 16


def test_a_request_that_is_alone_says_nothing_of_how_many_there_may_be():
    limiter = at(64)
    for began in range(10):
        refuse(limiter, 2 * began, 2 * began + 1, is_rate=False)
    assert limiter.goal == 32


@pytest.mark.parametrize(
    "seconds, expected",
    [
        # One more in each step, whatever that brings.
        ([STEP] * 3, [33, 34, 35]),
        ([STEP / 2] * 4, [32, 33, 33, 34]),
        # Until it is forgiven.
        ([CAREFUL, 1], [64, 64]),
        ([STEP, CAREFUL], [33, 64]),
    ],
)
@pytest.mark.parametrize("end", [refuse, lose])
def test_it_grows_slowly_for_a_while(end, seconds, expected):
    limiter = at(64)
    end(limiter, 0, 1)
    now, found = 1.0, []
    for pause in seconds:
        now += pause
        # At first, one more with each answer; the other answers are a round.
        for _answer in range(2 * MOST):
            answer(limiter, now, now)
        found.append(limiter.goal)
    assert found == expected


@pytest.mark.parametrize("under_way, goal", [(3, 8), (4, 16)])
def test_nothing_is_learned_where_nobody_wants_as_many(under_way, goal):
    limiter = Limiter()
    for number in range(8):
        answer(limiter, number, number + 1, under_way)
    assert limiter.goal == goal


def test_what_was_sent_before_the_goal_changed_says_nothing_of_the_new_one():
    limiter = Limiter()
    goals(limiter, 1)
    for _answer in range(100):
        answer(limiter, 1000.5, 1002)
    assert limiter.goal == 16


@pytest.mark.parametrize("number", [1, 5, 64])
def test_a_number_that_is_given_stays(number):
    limiter = fixed(number)
    assert goals(limiter, 1, 8, 1) == [number] * 3
    lose(limiter, 2000, 2001)
    assert room(limiter, 2001) == number
    refuse(limiter, 2002, 2003)
    assert limiter.goal == number


def test_after_a_refusal_there_can_be_fewer_than_before_for_good():
    """One write at a time after a conflict, see Retries."""
    limiter = Limiter(Bounds(1, 1), MOST)
    goals(limiter, 1, 1)
    lose(limiter, 1002, 1003)
    assert room(limiter, 1003) == MOST
    refuse(limiter, 1004, 1005, is_rate=False)
    for _answer in range(MOST):
        answer(limiter, 1006, 1007)
    assert room(limiter, 1007) == 1


# The moment before which nothing begins


@pytest.mark.parametrize(
    "asked, opens_at", [([7], 8), ([7, 3], 8), ([7, 9], 10), ([0.25, 0], 1.25)]
)
def test_nothing_begins_before_the_service_wants_it(asked, opens_at):
    """Of requests that were under way together, the longest wait counts."""
    limiter = Limiter()
    for seconds in asked:
        refuse(limiter, 0, 1, seconds)
    assert limiter.wait(1, 0) == opens_at - 1
    assert limiter.wait(opens_at, 0) == 0


def test_after_a_wait_there_is_one_and_one_more_with_each_answer():
    limiter = at(8)
    refuse(limiter, 0, 1, is_rate=False)
    found = []
    for _answer in range(5):
        found.append(room(limiter, 5))
        answer(limiter, 3, 4)
    assert found == [1, 2, 3, 4, 4]


def test_an_answer_to_an_earlier_request_opens_nothing():
    limiter = at(8)
    refuse(limiter, 0, 1, is_rate=False)
    answer(limiter, 0.5, 1.5)
    assert room(limiter, 5) == 1
    assert (limiter.refusals.in_a_row, limiter.refusals.first) == (1, 1)


def test_refusals_in_a_row_are_counted_until_there_is_an_answer():
    limiter, found = Limiter(), []
    for began in (0, 2, 4):
        refuse(limiter, began, began + 1)
        found.append((limiter.refusals.in_a_row, limiter.refusals.first))
    answer(limiter, 6, 7)
    found.append((limiter.refusals.in_a_row, limiter.refusals.first))
    assert found == [(1, 1), (2, 1), (3, 1), (0, math.inf)]


def test_an_answer_counts_though_another_request_was_lost_meanwhile():
    limiter = at(8)
    refuse(limiter, 0, 1)
    lose(limiter, 3, 5)
    answer(limiter, 4, 6)
    assert limiter.refusals.in_a_row == 0


def test_a_refusal_beside_a_lost_request_halves_nothing_again():
    limiter = at(64)
    lose(limiter, 0, 1)
    refuse(limiter, 0.5, 1.5)
    assert limiter.goal == 32
    assert limiter.wait(1.5, 0) == 1


# The interval


def a_second(limiter, now):
    """How many requests may begin in a second, as one that begins now tells."""
    limiter.begin(now)
    next_one = limiter.opens_at
    limiter.begin(next_one)
    interval = limiter.opens_at - next_one
    return 1 / interval if interval else AT_ONCE


def after(*cycles):
    """How many a second after so many were accepted, in so many seconds, and then a wait was asked for; and again."""
    limiter, now = Limiter(), 100.0
    limiter.begin(now)
    for accepted, seconds, asked in cycles:
        for _request in range(accepted):
            answer(limiter, now, now)
        began, now = now, now + seconds
        wait = asked or 0.5
        limiter.refused(Request(began + 0.01, now, 8), asked, wait, is_rate=True)
        now += wait
        rate = a_second(limiter, now)
    return rate


@pytest.mark.parametrize(
    "cycles, rate",
    [
        # As many as were accepted in the time that it asks to wait, or in the time that these took.
        ([(20, 0.1, 1)], 20),
        ([(20, 0.5, 1)], 20),
        ([(20, 2.0, 1)], 10),
        ([(100, 0.5, 2)], 50),
        ([(20, 0.1, 0)], 40),
        # The last time counts.
        ([(20, 0.1, 1), (10, 1.0, 1)], 10),
        # Too few to tell, which is far too many where there was an interval.
        ([(20, 0.1, 1), (4, 0.1, 1)], 10),
        ([(4, 0.1, 1)], AT_ONCE),
        # None were accepted, so nothing is learned.
        ([(20, 0.1, 0), (0, 0.1, 0), (0, 0.1, 0)], 40),
        ([(0, 0.1, 1)], AT_ONCE),
        # It asks for long.
        ([(60, 3.0, 5)], 12),
        ([(60, 3.0, 5.1)], AT_ONCE),
        ([(20, 0.1, 1), (60, 3.0, 57)], AT_ONCE),
        # No interval is longer than the longest.
        ([(5, 1000.0, 1)], 1 / BELOW / LONGEST_INTERVAL),
    ],
)
def test_the_interval_is_what_the_service_accepted(cycles, rate):
    assert after(*cycles) == pytest.approx(BELOW * rate, rel=1e-3)


def test_those_that_are_answered_after_the_refusal_were_accepted_too():
    limiter = Limiter()
    limiter.begin(100)
    for _request in range(12):
        answer(limiter, 100, 100.1)
    refuse(limiter, 100.1, 100.2)
    for _request in range(8):
        answer(limiter, 100.1, 100.3)
    assert a_second(limiter, 101.2) == pytest.approx(BELOW * 20)


def test_a_service_that_is_only_busy_tells_no_interval():
    limiter = Limiter()
    limiter.begin(100)
    for _request in range(20):
        answer(limiter, 100, 100.1)
    refuse(limiter, 100.1, 100.2, is_rate=False)
    assert a_second(limiter, 101.2) == AT_ONCE


def paced():
    """A limiter that has learned at the time 101.1 that 20 a second are accepted."""
    limiter = Limiter()
    limiter.begin(100)
    for _request in range(20):
        answer(limiter, 100, 100.1)
    refuse(limiter, 100.05, 100.1)
    assert a_second(limiter, 101.1) == pytest.approx(BELOW * 20)
    return limiter


def test_being_busy_changes_no_interval():
    limiter = paced()
    refuse(limiter, 101.2, 101.3, is_rate=False)
    assert a_second(limiter, 102.3) == pytest.approx(BELOW * 20, rel=1e-3)


def use(limiter, begins, seconds):
    """Ask for something every half second."""
    now = begins
    while now <= begins + seconds:
        limiter.begin(now)
        now += 0.5


@pytest.mark.parametrize(
    "seconds, times", [(0, 1), (12, 1.001), (60, 1.125), (120, 2), (240, 9), (250, AT_ONCE)]
)
def test_the_interval_shrinks_with_use(seconds, times):
    limiter = paced()
    use(limiter, 101.5, seconds - 1)
    assert a_second(limiter, 101.1 + seconds) == pytest.approx(BELOW * 20 * times, rel=1e-2)


@pytest.mark.parametrize("seconds, times", [(60, 1.125), (250, AT_ONCE)])
def test_a_silence_neither_shrinks_the_interval_nor_brings_it_back(seconds, times):
    limiter = paced()
    use(limiter, 101.5, seconds - 0.5)
    later = 101.1 + seconds + 3600
    assert a_second(limiter, later) == pytest.approx(BELOW * 20 * times, rel=3e-2)


def test_what_was_accepted_before_a_silence_does_not_count():
    limiter = Limiter()
    for now, number in ((1.0, 10), (1.1, 10), (2.3, 5)):
        limiter.begin(now)
        for _request in range(number):
            answer(limiter, now, now)
    refuse(limiter, 2.35, 2.4)
    assert a_second(limiter, 3.5) == pytest.approx(BELOW * 5)


@pytest.mark.parametrize(
    "late, begins",
    [
        (0.0, [0, 52, 104, 156]),
        # A thread that wakes up late does not delay the next; one that comes later has saved nothing.
        (0.01, [0, 62, 114, 166]),
        (0.04, [0, 92, 164, 236]),
    ],
)
def test_one_begins_after_the_other(late, begins):
    """In milliseconds."""
    limiter = paced()
    first = limiter.opens_at
    limiter.begin(first)
    found = [0.0]
    for _request in range(3):
        now = limiter.opens_at + late
        limiter.begin(now)
        found.append(1000 * (now - first))
    assert found == pytest.approx(begins, abs=0.5)


# What comes of it


KINDS = {
    "unlimited": (Waits, 1000),
    "slow": (lambda: Waits(lambda _now: 0.2), 1000),
    "fifth": (lambda: Waits(share=0.2), 1000),
    "twentieth": (lambda: Waits(share=0.05), 3000),
    "exclusive": (lambda: Waits(share=1), 1000),
    "per zone": (lambda: Waits(share=1, zones=100), 2000),
    "jump": (lambda: Waits(lambda now: LATENCY if now < 2 else 8 * LATENCY), 4000),
    "queue": (lambda: Waits(lambda now: LATENCY if now < 2 else 2 * LATENCY, share=0.05), 4000),
    "uneven": (Uneven, 3000),
    "stalls": (lambda: Waits(lambda now: LATENCY + max(0.0, 0.2 - (now + LATENCY) % 1)), 3000),
    "few at once": (lambda: Bounded(at_once=12, retry_after=0.5, kind=Kind.BUSY), 1000),
    "few connections": (lambda: Bounded(at_once=12, kind=Kind.LOST), 1000),
    "an outage": (lambda: Pauses(begins=1, seconds=20), 5000),
    "one in 500 is busy": (lambda: Pauses(nth=500), 3000),
    "one in 500 is lost": (lambda: Pauses(nth=500, kind=Kind.LOST), 3000),
}


def course_of(kind, limiter):
    make, requests = KINDS[kind]
    return play(make(), requests, limiter)


@pytest.mark.parametrize(
    "kind, share, most, refused",
    [
        # At most so much of the time that a fixed 8 takes, with so many under way at most.
        ("unlimited", 0.17, MOST, 0),
        ("slow", 0.17, MOST, 0),
        ("per zone", 0.15, MOST, 0),
        ("uneven", 0.15, MOST, 0),
        ("stalls", 0.15, MOST, 0),
        ("jump", 0.08, MOST, 0),
        ("twentieth", 0.41, MOST, 0),
        ("queue", 0.38, MOST, 0),
        ("fifth", 1.001, 3 * LEAST, 0),
        ("exclusive", 1.001, 3 * LEAST, 0),
        ("few at once", 1.2, 20, 11),
        ("few connections", 0.95, 20, 11),
        ("an outage", 0.75, MOST, 70),
        ("one in 500 is busy", 1.0, MOST, 7),
        ("one in 500 is lost", 1.0, MOST, 7),
    ],
)
def test_what_it_finds_at_services_of_each_kind(kind, share, most, refused):
    found, with_eight = course_of(kind, Limiter()), course_of(kind, fixed(8))
    assert found.seconds <= share * with_eight.seconds
    assert found.most <= most
    assert found.refused <= refused


@pytest.mark.parametrize("limiter", [Limiter, lambda: fixed(8)], ids=["auto", "eight"])
@pytest.mark.parametrize(
    "a_second, latency, requests, times, refused",
    [
        # At most so many times what is possible, with so many refused at most.
        (20, LATENCY, 300, 1.14, 16),
        (20, LATENCY, 3000, 1.09, 19),
        (20, 0.2, 3000, 1.11, 19),
        (6, LATENCY, 300, 1.09, 9),
        (50, LATENCY, 3000, 1.09, 33),
        (100, LATENCY, 3000, 1.11, 61),
    ],
)
def test_how_near_it_comes_to_a_limit(
    limiter,
    a_second,
    latency,
    requests,
    times,
    refused,
):
    course = play(Bounded(a_second, latency=latency), requests, limiter())
    assert course.seconds <= times * (requests - a_second) / a_second
    assert course.refused <= refused


def test_a_service_that_has_no_limit_any_more_is_soon_asked_as_often_as_it_bears():
    limiter = paced()
    use(limiter, 101.5, 300)
    assert a_second(limiter, 402) == AT_ONCE


def test_the_picture_shows_what_the_rule_does_now():
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "draw it again: make picture"
