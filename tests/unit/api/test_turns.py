# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who goes next, how many there are at once, and what the limiter is told of each."""

import contextlib
import threading

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
from ansible_collections.zonesmith.dns.plugins.module_utils._api.turns import OutOfTime, Turns
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import (
    LeftBehind,
    in_threads,
    own,
)

GUARD = 30.0
REFUSALS = THROTTLED - BUSY


def failing(status):
    return TransientFailure(
        ServiceError("No.", status), not_carried_out=status in NOT_CARRIED_OUT, retry_after=7.0
    )


class Told(Limiter):
    """A limiter that writes down what it is told."""

    def __init__(self):
        super().__init__(Bounds(4, 4))
        self.told = []
        self.requests = []

    def answered(self, request):
        self.told.append("answered")
        self.requests.append(request)

    def lost(self, _request):
        self.told.append("lost")

    def refused(self, _request, asked, _wait, *, is_rate):
        self.told.append(f"refused, {asked}, {is_rate}")


def taken(turns):
    """Inside, a call is under way."""
    return turns.taken(turns.turn(120, is_urgent=False), REFUSALS)


@pytest.mark.parametrize(
    "ends, told",
    [
        (None, ["answered"]),
        (ServiceError("It is refused.", 422), ["answered"]),
        (failing(409), ["answered"]),
        (failing(425), ["refused, 7.0, False"]),
        (failing(429), ["refused, 7.0, True"]),
        (failing(503), ["refused, 7.0, False"]),
        (failing(500), ["lost"]),
        (failing(None), ["lost"]),
        (RuntimeError(), []),
    ],
)
@pytest.mark.usefixtures("clock")
def test_what_the_limiter_is_told_of_each_end(ends, told):
    limiter = Told()
    with contextlib.suppress(TransientFailure, ServiceError, RuntimeError), taken(Turns(limiter)):
        if ends:
            raise ends
    assert limiter.told == told


def test_the_most_that_a_request_has_seen_under_way_counts(clock):
    """The first begins alone and ends beside two others."""
    limiter = Told()
    turns = Turns(limiter)
    with contextlib.ExitStack() as others, taken(turns):
        others.enter_context(taken(turns))
        others.enter_context(taken(turns))
        clock.turn(3)
    assert limiter.requests == [
        Request(1000, 1003, 3),
        Request(1000, 1003, 3),
        Request(1000, 1003, 2),
    ]


# How many at once


def test_so_many_are_under_way_at_once():
    turns = Turns(Limiter(Bounds(3, 3)))
    all_of_them = threading.Barrier(3)
    under_way, seen = [], []

    def work(number):
        with turns.one_place(), taken(turns):
            under_way.append(number)
            all_of_them.wait(GUARD)
            seen.append(len(under_way))
            under_way.remove(number)

    in_threads(work, range(12), 12)
    assert max(seen) == 3


def test_who_is_left_behind_while_it_waits_takes_no_turn(monkeypatch):
    turns, over = Turns(Limiter(Bounds(1, 1))), threading.Event()
    over.set()
    with taken(turns):
        monkeypatch.setattr(own(), "overs", (over,))
        with pytest.raises(LeftBehind), taken(turns):
            pass
        monkeypatch.setattr(own(), "overs", ())
    with taken(turns):
        pass


@pytest.mark.parametrize("error", [LeftBehind, KeyboardInterrupt, RuntimeError])
def test_a_call_that_ends_badly_lets_the_others_go_on(error):
    turns = Turns(Limiter(Bounds(1, 1)))
    with pytest.raises(error), taken(turns):
        raise error
    with taken(turns):
        pass


def test_who_waits_behind_one_without_an_answer_waits_no_longer_than_for_its_own(clock):
    """The service refused a request, and the one that goes first after that hangs."""
    turns = Turns(Limiter())
    with pytest.raises(TransientFailure), taken(turns):
        raise failing(503)
    clock.turn(10)
    with taken(turns):
        late = turns.turn(120, is_urgent=False)
        clock.turn(120.5)
        with pytest.raises(OutOfTime), turns.taken(late, REFUSALS):
            pass


# Who goes first


def test_calls_that_belong_together_keep_the_place_of_the_first():
    turns = Turns(Limiter())

    def turn(*, is_urgent=False):
        return turns.turn(1, is_urgent=is_urgent).rank

    with turns.one_place():
        first = turn()
        (other,) = in_threads(lambda _n: turn(), [1], 1)
        with turns.one_place():
            second = turn()
        urgent = turn(is_urgent=True)
    assert first == second
    assert urgent < first < other < turn()


# The number that a task gives


@pytest.mark.parametrize("concurrency, threads, most", [(1, 1, 1), (20, 20, 20), (AUTO, 8, 64)])
def test_as_many_threads_and_connections_are_of_use_as_requests(concurrency, threads, most):
    kept = []

    def sender(_connection, number):
        kept.append(number)

    client = Client(Connection("https://dns.example", "token"), concurrency, sender)
    assert client.threads() == threads
    assert kept == [most]
