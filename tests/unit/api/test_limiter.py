# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When the next request may begin: what is learned from each, and what comes of it at services of many kinds."""

import math

import pytest
from shorthand import named_rows
from simulated import LATENCY, Bounded, Kind, Pauses, Waits, fixed, play
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
        ([1, 0.5, 0.5, 1], [16, 32, 64, 64]),
        # A queue grows: half as long as an answer takes, as long, longer.
        ([1, 1.5], [16, 21]),
        ([1, 2], [16, 16]),
        ([1, 2.5], [16, 12]),
        # The service is slower whatever is sent: eight under way tell.
        ([1, 1, 1, 8, 8, 8, 8], [16, 32, 64, 16, 8, 16, 32]),
        # It stands still for once.
        ([1, 1, 1, 4, 1], [16, 32, 64, 32, 64]),
        # Answers without any delay.
        ([0, 0], [16, 32]),
    ],
)
def test_the_goal_follows_what_is_of_use(latencies, expected):
    assert goals(Limiter(), *latencies) == expected


@pytest.mark.parametrize(
    "end, before, after",
    [
        (refuse, 64, 32),
        (refuse, 9, 4),
        (refuse, 1, 1),
        # Not fewer than at first, and nothing has to wait.
        (lose, 64, 32),
        (lose, 9, 8),
        (lose, 3, 3),
    ],
)
def test_half_as_many_after_a_request_that_failed(end, before, after):
    limiter = at(before)
    end(limiter, 0, 1)
    assert limiter.goal == after
    if end is lose:
        assert room(limiter, 1) == after


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
        # One more in each step, whatever that brings, until it is forgiven.
        ([STEP / 2] * 4, [32, 33, 33, 34]),
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


def test_a_number_that_is_given_stays():
    limiter = fixed(5)
    assert goals(limiter, 1, 8) == [5, 5]
    lose(limiter, 2000, 2001)
    assert room(limiter, 2001) == 5
    refuse(limiter, 2002, 2003)
    assert limiter.goal == 5


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


@pytest.mark.parametrize("asked, opens_at", [([7, 3], 8), ([7, 9], 10), ([0.25, 0], 1.25)])
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
    assert limiter.refusals.in_a_row == 1


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
        ([(20, 0.5, 1)], 20),
        ([(20, 2.0, 1)], 10),
        ([(20, 0.1, 0)], 40),
        # The last time counts.
        ([(20, 0.1, 1), (10, 1.0, 1)], 10),
        # Too few to tell, which is far too many where there was an interval.
        ([(20, 0.1, 1), (4, 0.1, 1)], 10),
        ([(4, 0.1, 1)], AT_ONCE),
        # None were accepted, so nothing is learned.
        ([(20, 0.1, 0), (0, 0.1, 0)], 40),
        # It asks for long.
        ([(60, 3.0, 5)], 12),
        ([(20, 0.1, 1), (60, 3.0, 5.1)], AT_ONCE),
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


def paced():
    """A limiter that has learned at the time 101.1 that 20 a second are accepted."""
    limiter = Limiter()
    limiter.begin(100)
    for _request in range(20):
        answer(limiter, 100, 100.1)
    refuse(limiter, 100.05, 100.1)
    assert a_second(limiter, 101.1) == pytest.approx(BELOW * 20)
    return limiter


def test_being_busy_tells_no_interval_and_changes_none():
    limiter = Limiter()
    limiter.begin(100)
    for _request in range(20):
        answer(limiter, 100, 100.1)
    refuse(limiter, 100.1, 100.2, is_rate=False)
    assert a_second(limiter, 101.2) == AT_ONCE
    limiter = paced()
    refuse(limiter, 101.2, 101.3, is_rate=False)
    assert a_second(limiter, 102.3) == pytest.approx(BELOW * 20, rel=1e-3)


def use(limiter, begins, seconds):
    """Ask for something every half second."""
    now = begins
    while now <= begins + seconds:
        limiter.begin(now)
        now += 0.5


@pytest.mark.parametrize("seconds, times", [(60, 1.125), (240, 9), (250, AT_ONCE)])
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
        # A thread that wakes up late does not delay the next; one that comes later has saved nothing.
        (0.01, [62, 114]),
        (0.04, [92, 164]),
    ],
)
def test_one_begins_after_the_other(late, begins):
    """In milliseconds."""
    limiter = paced()
    first = limiter.opens_at
    limiter.begin(first)
    found = []
    for _request in range(2):
        now = limiter.opens_at + late
        limiter.begin(now)
        found.append(1000 * (now - first))
    assert found == pytest.approx(begins, abs=0.5)


# What comes of it


# A service and how many requests -> at most so much of the time that a fixed 8 takes, with so many under way and so
# many refused at most.
SERVICES = {
    "unlimited": (Waits, 1000, 0.17, MOST, 0),
    "twentieth": (lambda: Waits(share=0.05), 3000, 0.41, MOST, 0),
    "exclusive": (lambda: Waits(share=1), 1000, 1.001, 3 * LEAST, 0),
    "jump": (
        lambda: Waits(lambda now: LATENCY if now < 2 else 8 * LATENCY),
        4000,
        0.08,
        MOST,
        0,
    ),
    "few at once": (
        lambda: Bounded(at_once=12, retry_after=0.5, kind=Kind.BUSY),
        1000,
        1.2,
        20,
        11,
    ),
    "an outage": (lambda: Pauses(begins=1, seconds=20), 5000, 0.75, MOST, 70),
    "one in 500 is lost": (lambda: Pauses(nth=500, kind=Kind.LOST), 3000, 1.0, MOST, 7),
}


@named_rows("service, requests, share, most, refused", SERVICES)
def test_what_it_finds_at_services_of_each_kind(service, requests, share, most, refused):
    found = play(service(), requests, Limiter())
    with_eight = play(service(), requests, fixed(8))
    assert found.seconds <= share * with_eight.seconds
    assert found.most <= most
    assert found.refused <= refused


@pytest.mark.parametrize(
    "a_second, times, refused",
    [
        # At most so many times what is possible, with so many refused at most.
        (6, 1.12, 17),
        (20, 1.09, 19),
        (100, 1.11, 61),
    ],
)
def test_how_near_it_comes_to_a_limit(a_second, times, refused):
    course = play(Bounded(a_second), 3000, Limiter())
    assert course.seconds <= times * (3000 - a_second) / a_second
    assert course.refused <= refused


def test_the_picture_shows_what_the_rule_does_now():
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "draw it again: make picture"
