# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who goes next, how many there are at once, and what the limiter is told of each."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    BUSY,
    NOT_CARRIED_OUT,
    THROTTLED,
    ServiceError,
    TransientFailure,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import (
    AUTO,
    Connection,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.limiter import (
    Bounds,
    Limiter,
    Request,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.turns import Turns
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import (
    LeftBehind,
    in_threads,
    own,
)

GUARD = 30.0
REFUSALS = THROTTLED - BUSY


def failing(status, retry_after=0.0):
    error = ServiceError(f"the service answered {status}", status)
    return TransientFailure(
        error, not_carried_out=status in NOT_CARRIED_OUT, retry_after=retry_after
    )


class Told(Limiter):
    """A limiter that writes down what it is told."""

    def __init__(self):
        super().__init__(Bounds(4, 4))
        self.told: list[tuple[Any, ...]] = []

    def answered(self, request):
        self.told.append(("answered", request))

    def lost(self, request):
        self.told.append(("lost", request))

    def refused(self, request, asked, wait, *, is_rate):
        self.told.append(("refused", request, asked, wait, is_rate))


def call(turns, ends=None, *, is_urgent=False):
    """A call that ends so."""
    with (
        contextlib.suppress(TransientFailure, ServiceError, RuntimeError),
        turns.taken(turns.turn(120, is_urgent=is_urgent), REFUSALS),
    ):
        if ends:
            raise ends


@pytest.mark.parametrize(
    "ends, told",
    [
        (None, ["answered"]),
        (ServiceError("It is refused.", 422), ["answered"]),
        (failing(409), ["answered"]),
        (failing(423), ["answered"]),
        (failing(425), ["refused"]),
        (failing(429), ["refused"]),
        (failing(503), ["refused"]),
        (failing(408), ["lost"]),
        (failing(500), ["lost"]),
        (failing(504), ["lost"]),
        (failing(None), ["lost"]),
        (RuntimeError(), []),
    ],
)
@pytest.mark.usefixtures("clock")
def test_what_the_limiter_is_told_of_each_end(ends, told):
    limiter = Told()
    call(Turns(limiter), ends)
    assert [what for what, *_more in limiter.told] == told


@pytest.mark.parametrize(
    "failure, expected",
    [
        (failing(429, 7), (7, 7.2, True)),
        (failing(503, 7), (7, 7.2, False)),
        (failing(429), (0, 0.5, True)),
        (failing(429, 60), (60, 60, True)),
        (failing(429, 600), (600, 600, True)),
    ],
)
def test_how_long_nothing_is_to_begin(clock, monkeypatch, failure, expected):
    monkeypatch.setattr(clock, "uniform", lambda _least, most: most)
    limiter = Told()
    call(Turns(limiter), failure)
    assert limiter.told[0][2:] == expected


def test_the_most_that_a_request_has_seen_under_way_counts(clock):
    """The first begins alone and ends beside two others."""
    limiter = Told()
    turns = Turns(limiter)
    with contextlib.ExitStack() as others, turns.taken(turns.turn(1, is_urgent=False), REFUSALS):
        for _other in range(2):
            others.enter_context(turns.taken(turns.turn(1, is_urgent=False), REFUSALS))
        clock.turn(3)
    requests = [request for _what, request in limiter.told]
    assert requests == [Request(1000, 1003, 3), Request(1000, 1003, 3), Request(1000, 1003, 2)]


# How many at once


@pytest.mark.parametrize("most", [1, 3])
def test_so_many_are_under_way_at_once(most):
    turns, mutex, under_way, highest = Turns(Limiter(Bounds(most, most))), threading.Lock(), 0, 0
    all_of_them = threading.Barrier(most)

    def work(_number):
        nonlocal under_way, highest
        with turns.one_place(), turns.taken(turns.turn(120, is_urgent=False), REFUSALS):
            with mutex:
                under_way += 1
                highest = max(highest, under_way)
            all_of_them.wait(GUARD)
            with mutex:
                under_way -= 1

    in_threads(work, range(12), 12)
    assert highest == most


def test_who_is_left_behind_while_it_waits_takes_no_turn(monkeypatch):
    turns, over = Turns(Limiter(Bounds(1, 1))), threading.Event()
    with turns.taken(turns.turn(120, is_urgent=False), REFUSALS):
        over.set()
        monkeypatch.setattr(own(), "overs", (over,))
        with pytest.raises(LeftBehind):
            call(turns)
        monkeypatch.setattr(own(), "overs", ())
    assert in_threads(lambda _number: call(turns), range(3), 3) == [None] * 3


def test_who_was_refused_long_ago_still_waits_while_others_are_answered(clock):
    turns, began = Turns(Limiter(Bounds(1, 1))), []
    late = turns.turn(1, is_urgent=False)
    late.refused_at = clock.monotonic() - 100

    def wait():
        with turns.taken(late, REFUSALS):
            began.append(True)

    thread = threading.Thread(target=wait, daemon=True)
    with turns.taken(turns.turn(120, is_urgent=False), REFUSALS):
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
    thread.join(GUARD)
    assert began == [True]


# Who goes first


def test_calls_that_belong_together_keep_the_place_of_the_first():
    turns = Turns(Limiter())
    with turns.one_place():
        first = turns.turn(1, is_urgent=False)
        other = in_threads(lambda _n: turns.turn(1, is_urgent=False), [1], 1)[0]
        with turns.one_place():
            second = turns.turn(1, is_urgent=False)
        urgent = turns.turn(1, is_urgent=True)
    later = turns.turn(1, is_urgent=False)
    assert first.rank == second.rank
    assert urgent.rank < first.rank < other.rank < later.rank


# The number that a task gives


@pytest.mark.parametrize("concurrency, threads", [(1, 1), (20, 20), (64, 64), (AUTO, 8)])
def test_as_many_threads_are_useful_as_requests(concurrency, threads):
    client = Client(Connection("https://dns.example", "token-of-a-test"), concurrency)
    assert client.threads() == threads


@pytest.mark.parametrize("concurrency, connections", [(1, 1), (20, 20), (AUTO, 64)])
def test_as_many_connections_are_kept_as_requests_may_be_under_way(concurrency, connections):
    kept = []

    def sender(_connection, number):
        kept.append(number)

    Client(Connection("https://dns.example", "token"), concurrency, sender)  # type: ignore[arg-type] # makes none
    assert kept == [connections]
