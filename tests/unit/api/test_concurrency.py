# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many requests may be under way: what is learned from each, and what comes of it at services of many kinds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from services import LATENCY, Bounded, Course, Service, Uneven, Waits, play
from under_way import PICTURE, drawn

from ansible_collections.zonesmith.dns.plugins.module_utils._api.concurrency import (
    FORGIVEN,
    LEAST,
    MOST,
    AnswerKind,
    ConcurrencySearch,
    Sample,
)

ANSWERED, THROTTLED, LOST = AnswerKind


def windows(finding: ConcurrencySearch, *answers_a_second: float, began: float = 0.0) -> list[int]:
    """The numbers after so many windows, in each of which so many are answered in a second, with no more wanted."""
    now, numbers = began, []
    for answers in answers_a_second:
        goal = finding._goal
        while finding.number < goal or finding._window is None:
            finding.take(Sample(now, now, ANSWERED, finding.number))
        for _answer in range(number := finding.number):
            now += 1 / answers
            finding.take(Sample(now - number / answers, now, ANSWERED, number))
        numbers.append(finding._goal)
    return numbers


@pytest.mark.parametrize(
    ("answers_a_second", "numbers"),
    [
        # As many times more are answered as are under way; then there is nothing more to try.
        ([100, 200, 400, 800, 800], [16, 32, 64, 64, 64]),
        # At least half of what more could bring, at least a fifth, less, less still.
        ([100, 150, 250], [16, 32, 64]),
        ([100, 149, 160], [16, 24, 16]),
        ([100, 119], [16, 8]),
        ([100, 100], [16, 8]),
        ([100, 50], [16, 8]),
        # It waits before it tries again, and each time longer, and not so many at once.
        ([100] * 5, [16, 8, 8, 12, 8]),
        ([100] * 15, [16, 8, 8, 12, 8, 8, 8, 8, 12, 8, 8, 8, 8, 8, 8]),
        # What has been of use is no failure: then it waits for as short as at first.
        ([100, 100, 100, 100, 120, 120, 120, 120], [16, 8, 8, 12, 18, 12, 12, 18]),
        # It is slower than it was: by less than counts, because of a queue, or by itself.
        ([100, 200, 400, 800, 600, 600], [16, 32, 64, 64, 64, 64]),
        ([100, 200, 400, 800, 100, 100, 100, 100, 100], [16, 32, 64, 64, 64, 32, 16, 8, 8]),
        ([100, 200, 400, 800, 100, 100, 50], [16, 32, 64, 64, 64, 32, 64]),
        ([100, 200, 400, 800, 100, 100, 100, 50], [16, 32, 64, 64, 64, 32, 16, 32]),
        # It stands still for once.
        ([100, 200, 400, 800, 100, 800, 100, 800], [16, 32, 64, 64, 64, 64, 64, 64]),
        # Not by less than at first.
        ([100, 100, 20, 20], [16, 8, 8, 12]),
    ],
)
def test_more_are_let_in_while_that_brings_more(
    answers_a_second: list[float], numbers: list[int]
) -> None:
    assert windows(ConcurrencySearch(), *answers_a_second) == numbers


@pytest.mark.parametrize(
    ("outcome", "before", "after"),
    [
        *[
            (THROTTLED, 64, 32),
            (THROTTLED, 9, 4),
            (THROTTLED, 8, 4),
            (THROTTLED, 2, 1),
            (THROTTLED, 1, 1),
        ],
        *[(LOST, 64, 32), (LOST, 17, 8), (LOST, 9, 8), (LOST, 8, 8), (LOST, 3, 3), (LOST, 1, 1)],
    ],
)
def test_half_as_many_after_what_is_no_answer(outcome: AnswerKind, before: int, after: int) -> None:
    assert ConcurrencySearch(before).take(Sample(0, 1, outcome, before)) == after


def test_what_was_sent_before_a_step_back_leads_to_no_further_one() -> None:
    finding = ConcurrencySearch(64)
    refused = [Sample(began, 1.0, THROTTLED, 64) for began in (0.9, 0.95, 1.0)]
    assert [finding.take(sample) for sample in refused] == [32, 32, 32]
    assert finding.take(Sample(1.01, 1.06, THROTTLED, 32)) == 16


@pytest.mark.parametrize(("wait", "numbers"), [(0.0, [32, 32, 32]), (FORGIVEN, [64, 64, 64])])
def test_it_stays_away_for_a_while_from_where_it_was_refused(
    wait: float, numbers: list[int]
) -> None:
    finding = ConcurrencySearch(64)
    finding.take(Sample(0, 1, THROTTLED, 64))
    assert windows(finding, 100, 200, 200, began=1.0 + wait) == numbers


@pytest.mark.parametrize(
    ("refused_at", "wait", "numbers"),
    [(8, 0, [5, 6, 7, 7]), (8, FORGIVEN, [5, 6, 7, 8]), (4, 0, [3, 3, 3, 3])],
)
def test_below_the_least_it_grows_by_one_whatever_that_brings(
    refused_at: int, wait: float, numbers: list[int]
) -> None:
    finding = ConcurrencySearch(refused_at)
    finding.take(Sample(0, 1, THROTTLED, refused_at))
    assert windows(finding, 100, 100, 100, 100, began=1.0 + wait) == numbers


def test_one_more_with_each_answer() -> None:
    finding = ConcurrencySearch()
    windows(finding, 100)
    assert [finding.take(Sample(1, 2, ANSWERED, 16)) for _answer in range(9)] == [*range(9, 17), 16]


@pytest.mark.parametrize(("under_way", "number"), [(3, 8), (4, 9)])
def test_nothing_is_learned_where_nobody_wants_as_many(under_way: int, number: int) -> None:
    finding = ConcurrencySearch()
    for answer in range(10):
        finding.take(Sample(answer, answer + 1, ANSWERED, under_way if answer == 5 else 8))
    assert finding.number == number


KINDS: dict[str, tuple[Callable[[], Service], int]] = {
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
    "few at once": (lambda: Bounded(at_once=12, retry_after=0.5), 1000),
    "few connections": (lambda: Bounded(at_once=12, retry_after=0.5, outcome=LOST), 1000),
}


def course_of(kind: str, *, fixed: int = 0) -> Course:
    make, requests = KINDS[kind]
    return play(make(), requests, None if fixed else ConcurrencySearch(), fixed)


@pytest.mark.parametrize(
    ("kind", "share", "most", "refused"),
    [
        # At most so much of the time that a fixed 8 takes, with so many under way at most.
        ("unlimited", 0.17, MOST, 0),
        ("slow", 0.17, MOST, 0),
        ("per zone", 0.15, MOST, 0),
        ("uneven", 0.15, MOST, 0),
        ("stalls", 0.15, MOST, 0),
        ("jump", 0.12, MOST, 0),
        ("twentieth", 0.41, 48, 0),
        ("queue", 0.43, MOST, 0),
        ("fifth", 1.001, 2 * LEAST, 0),
        ("exclusive", 1.001, 2 * LEAST, 0),
        ("few at once", 1.25, 2 * LEAST, 4),
        ("few connections", 1.1, 2 * LEAST, 4),
    ],
)
def test_what_it_finds_at_services_of_each_kind(
    kind: str, share: float, most: int, refused: int
) -> None:
    found, fixed = course_of(kind), course_of(kind, fixed=8)
    assert found.seconds <= share * fixed.seconds
    assert found.most <= most
    assert found.refused <= refused


def test_the_picture_shows_what_the_rule_does_now() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "draw it again: make picture"
