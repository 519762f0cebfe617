# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Calls that are throttled or get no answer: the waits, their bounds, and who goes first, in a time that tests make."""

import contextlib
import math
import threading
import time
from collections import deque

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api import retries as _retries
from ansible_collections.zonesmith.dns.plugins.module_utils._api import turns as _turns
from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    NOT_CARRIED_OUT,
    THROTTLED,
    ServiceError,
    Success,
    TransientFailure,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.retries import Retries, Write
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import (
    LeftBehind,
    in_threads,
    own,
)

OK = Success()
WRITE = Write(lambda: False)
URGENT = Write(lambda: False, is_urgent=True)


def failing(status, retry_after=0.0):
    """What a try ends with where the service answers so; None is no answer."""
    error = ServiceError(f"the service answered {status}.", status)
    return TransientFailure(
        error, not_carried_out=status in NOT_CARRIED_OUT, retry_after=retry_after
    )


def answering(*answers):
    """A call that gets these answers, the last one from then on: Success, errors, or numbers for them."""
    left = deque(answers)

    def once():
        answer = left.popleft() if len(left) > 1 else left[0]
        if isinstance(answer, int):
            answer = (
                failing(answer)
                if answer in THROTTLED | {408} or answer >= 500
                else ServiceError("No", answer)
            )
        if isinstance(answer, BaseException):
            raise answer
        return OK

    return once


def ends_with(call, *arguments, **options):
    with pytest.raises(ServiceError) as failed:
        call(*arguments, **options)
    return failed.value


# One call


@pytest.mark.parametrize("write, times", [(WRITE, 1), (URGENT, 10)])
@pytest.mark.parametrize("budget", [0, 0.1, 10, 1000])
@pytest.mark.parametrize("retry_after", [0, 45, 60])
def test_no_wait_ends_after_retry_timeout(clock, retry_after, budget, write, times):
    began, longest = clock.monotonic(), budget * times
    failed = ends_with(Retries(1, budget).call, answering(failing(503, retry_after)), write)
    spent = clock.monotonic() - began
    assert longest - 60 <= spent <= longest
    waits = [round(wait, 6) for wait in clock.waits]  # sums of floats are not exact
    assert all(retry_after <= wait <= 60 for wait in waits if wait)
    assert str(failed) == (
        f"the service answered 503; it was throttled for {spent:.0f} s (see retry_timeout)"
    )
    assert failed.status_code == 503
    assert not failed.may_have_happened


@pytest.mark.parametrize(
    "answers, retries, waits, status",
    [
        # What is throttled takes no tries.
        ([500, 503, 503, 500], 1, 3, 500),
        ([429, 409, 425, 423, 503, 422], 1, 5, 422),
        ([failing(503, 61)], 5, 0, 503),
        ([failing(500, 61)], 5, 0, 500),
        ([500], 0, 0, 500),
        ([503], 0, 0, 503),
    ],
)
def test_how_often_a_call_is_tried(clock, answers, retries, waits, status):
    ended = ends_with(Retries(retries, 120).call, answering(*answers))
    assert ended.status_code == status
    assert len(clock.waits) == waits


@pytest.mark.parametrize("status", [500, 503])
@pytest.mark.parametrize("asked, is_tried", [(1199, True), (1201, False)])
def test_a_value_of_a_deleted_set_waits_as_long_as_the_service_asks(clock, status, asked, is_tried):
    calm, once = Retries(5, 120), answering(failing(status, asked), OK)
    if is_tried:
        assert calm.call(once, URGENT) == OK
        assert sum(clock.waits) == asked
    else:
        assert ends_with(calm.call, once, URGENT).status_code == status
        assert clock.waits == []


def test_nothing_is_sent_before_the_service_wants_it_and_only_what_is_urgent_waits(clock):
    """Whatever retry_timeout is, others do not wait for longer than a minute."""
    calm = Retries(5, 3600)
    assert ends_with(calm.call, answering(failing(429, 300))).status_code == 429
    assert str(ends_with(calm.call, answering(AssertionError("It was sent.")))) == (
        "the service answered 429; it was throttled for 0 s (see retry_timeout)"
    )
    assert clock.waits == []
    assert calm.call(answering(OK), URGENT) == OK
    assert sum(clock.waits) == 300


@pytest.mark.parametrize(
    "answers, retries, may_have",
    [
        ([500, 422], 5, True),
        ([503, 429, 425, 409, 423, 422], 5, False),
        ([failing(None), 422], 5, True),
        ([TransientFailure(ServiceError("no connection"), not_carried_out=True), 422], 5, False),
        ([520], 0, True),
        ([503], 0, False),
    ],
)
@pytest.mark.usefixtures("clock")
def test_what_may_have_happened(answers, retries, may_have):
    ended = ends_with(Retries(retries, 30).call, answering(*answers), WRITE)
    assert ended.may_have_happened is may_have


@pytest.mark.parametrize("status, may_have", [(500, True), (409, False)])
@pytest.mark.usefixtures("clock")
def test_a_zone_that_cannot_be_read_leaves_it_open_what_happened(status, may_have):
    def unreadable():
        raise ServiceError("cannot read", 403)

    ended = ends_with(Retries(1, 30).call, answering(status), Write(unreadable))
    assert ended.may_have_happened is may_have


@pytest.mark.parametrize(
    "is_urgent, status, is_looked_for",
    [(True, 503, True), (True, None, True), (True, 403, False), (False, 503, False)],
)
@pytest.mark.usefixtures("clock")
def test_a_value_of_a_deleted_set_is_looked_for_again_while_the_zone_cannot_be_read(
    is_urgent, status, is_looked_for
):
    looked = []

    def look():
        looked.append(1)
        if len(looked) < 3:
            raise ServiceError("cannot read", status)
        return True

    calm, write = Retries(5, 120), Write(look, is_urgent=is_urgent)
    once = answering(500, AssertionError("It was sent."))
    if is_looked_for:
        assert calm.call(once, write) == OK
    else:
        assert ends_with(calm.call, once, write).status_code == status


@pytest.mark.parametrize(
    "is_urgent, answers, looks",
    [
        (False, [409, OK], 1),
        (False, [503, 429, 503, OK], 0),
        # Once a try may have had an effect, every further one is looked into: it may have been late.
        (False, [500, 503, OK], 2),
        (False, [409, 409, 409, OK], 3),
        # Where few requests are taken, looks must not have the places of all tries.
        (False, [500, 429, 429, 429, OK], 2),
        (False, [500, 429, 429, failing(429, 11), 429, OK], 3),
        # A set is gone for as long.
        (True, [500, 503, 429, OK], 1),
        (True, [500, failing(503, 11), OK], 2),
        (True, [409, 409, OK], 2),
    ],
)
@pytest.mark.usefixtures("clock")
def test_the_zone_is_read_before_a_call_is_repeated(is_urgent, answers, looks):
    looked = []
    write = Write(lambda: bool(looked.append(1)), is_urgent=is_urgent)
    assert Retries(5, 120).call(answering(*answers), write) == OK
    assert len(looked) == looks


@pytest.mark.parametrize("status, retries", [(409, 5), (409, 0), (500, 0), (425, 5)])
@pytest.mark.usefixtures("clock")
def test_what_is_seen_to_be_done_is_not_sent_again(status, retries):
    """A call that was throttled should not have been carried out, and is at some services: a look costs little."""
    once = answering(status, AssertionError("It was sent."))
    assert Retries(retries, 120).call(once, Write(lambda: True)) == OK


@pytest.mark.parametrize(
    "answers, times",
    [([422], 0), ([503, 409, OK], 0), ([503, 500, 503, OK], 1), ([500], 6)],
)
@pytest.mark.usefixtures("clock")
def test_who_asked_is_told_at_once_of_a_call_that_may_come_late(answers, times):
    pending = []
    write = Write(lambda: False, on_pending=lambda: pending.append(1))
    with contextlib.suppress(ServiceError):
        Retries(5, 120).call(answering(*answers), write)
    assert len(pending) == times


def furthest(_least, most):
    """Draws the longest wait."""
    return most


def nearest(least, _most):
    """Draws the shortest wait."""
    return least


@pytest.mark.parametrize(
    "answers, drawn, waits",
    [
        ([500], furthest, [0.5, 1, 2, 4, 8, 16, 32, 60, 60]),
        ([500, 500, OK], nearest, [0.25, 0.5]),
        ([503, 503, 500, 503, OK], furthest, [0.5, 1, 0.5, 2]),
        # What the service asks for, and a little more.
        ([failing(503, 7), OK], nearest, [7]),
        ([failing(503, 7), failing(503, 7), OK], furthest, [7.2, 7.2]),
        ([failing(500, 7), failing(500, 59.5), OK], furthest, [7.2, 59.7]),
        ([failing(503, 60), OK], furthest, [60]),
    ],
)
def test_how_long_each_wait_is(clock, answers, drawn, waits, monkeypatch):
    monkeypatch.setattr(clock, "uniform", drawn)
    with contextlib.suppress(ServiceError):
        Retries(9, 120).call(answering(*answers))
    assert clock.waits == pytest.approx(waits)


@pytest.mark.parametrize("budget, waits", [(10, [10]), (9.5, [])])
def test_a_call_is_tried_where_its_time_is_just_over(clock, budget, waits, monkeypatch):
    monkeypatch.setattr(clock, "uniform", nearest)
    once = answering(failing(503, 10), 422)
    assert ends_with(Retries(1, budget).call, once).status_code == (422 if waits else 503)
    assert clock.waits == waits


@pytest.mark.parametrize("budget, longest", [(0.1, 0.5), (120, 60)])
def test_nobody_waits_for_the_next_try_of_another_longer_than_for_its_own(clock, budget, longest):
    """What is urgent makes others wait for longer with each try; who comes after its last one is still tried."""
    calm, asked = Retries(5, budget), []

    def once():
        asked.append(clock.monotonic())
        return OK

    ends_with(calm.call, answering(503), URGENT)
    over = clock.monotonic()
    assert calm.call(once) == OK
    assert asked[0] - over <= longest


@pytest.mark.parametrize("write, patience", [(WRITE, 3), (URGENT, 30)])
def test_nobody_waits_longer_for_what_another_is_asked_to_wait(clock, write, patience):
    calm, began = Retries(5, 3), clock.monotonic()
    ends_with(calm.call, answering(failing(503, 50)), URGENT)
    failed = ends_with(calm.call, answering(AssertionError("It was sent.")), write)
    assert clock.monotonic() - began <= patience
    assert str(failed).startswith("the service answered 503; it was throttled for ")
    assert not failed.may_have_happened


def test_nor_does_who_has_to_read_the_zone_first(clock):
    calm, began = Retries(5, 3), clock.monotonic()

    def once():
        ends_with(calm.call, answering(failing(503, 50)))
        raise failing(None)

    failed = ends_with(calm.call, once, WRITE)
    assert clock.monotonic() - began <= 3
    assert failed.status_code == 503
    assert failed.may_have_happened


def test_a_zone_that_is_busy_for_writes_can_be_read(clock):
    calm, order = Retries(1, 120), []

    def read(_seconds):
        clock.on_wait = lambda _seconds: None
        calm.call(lambda: order.append("read"))

    def write():
        order.append("write")
        return answers()

    answers = answering(failing(409, 30), OK)
    clock.on_wait = read
    calm.call(write, WRITE)
    assert order == ["write", "read", "write"]


# Calls that nobody waits for any more


@pytest.fixture
def over(monkeypatch):
    """Once it is set, nobody waits for this thread any more."""
    over = threading.Event()
    monkeypatch.setattr(own(), "overs", (over,))
    return over


def test_nothing_is_sent_that_nobody_waits_for(over):
    over.set()
    with pytest.raises(LeftBehind):
        Retries(1, 120).call(answering(AssertionError("It was sent.")))


def test_nobody_reads_after_a_wait_that_nobody_waited_for(clock, over):
    clock.on_wait = lambda _seconds: over.set()
    looked = []
    with pytest.raises(LeftBehind):
        Retries(1, 120).call(answering(425), Write(lambda: bool(looked.append(1))))
    assert looked == []


# Many calls at once


QUIET = 5
"""Milliseconds in which nothing happens, before time goes on."""


class Timeline(Machine):
    """A machine of many threads, whose time goes on to the next who wakes up once nothing happens any more."""

    def __init__(self):
        self._now = 1000.0
        self._events = 0
        self._sleepers = []
        self._changed = threading.Condition()
        self._is_over = False
        threading.Thread(target=self._go_on, daemon=True).start()

    def monotonic(self):
        """The time of this clock."""
        self._events += 1
        return self._now

    def sleep(self, seconds):
        """Wait for it."""
        with self._changed:
            ends = self._now + seconds
            self._sleepers.append(ends)
            self._events += 1
            while self._now < ends and not self._is_over:
                self._changed.wait()
            self._sleepers.remove(ends)

    def _go_on(self):
        seen, quiet = -1, 0
        while not self._is_over:
            time.sleep(0.001)
            with self._changed:
                quiet = quiet + 1 if seen == self._events else 0
                seen = self._events
                # Whoever is to wake up must have done so before time goes on.
                if quiet >= QUIET and self._sleepers and min(self._sleepers) > self._now:
                    self._now = min(self._sleepers)
                    self._events += 1
                    self._changed.notify_all()

    def close(self):
        """Let go of everybody."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()


@pytest.fixture
def timeline(monkeypatch):
    timeline = Timeline()
    for module in (_turns, _retries):
        monkeypatch.setattr(module, "machine", lambda: timeline)
    yield timeline
    timeline.close()


class Limited:
    """A service that takes so many requests in a second, or one write at a time; each request takes 50 ms."""

    def __init__(self, timeline, rate=math.inf, at_once=math.inf):
        self._time = timeline
        self._rate = rate
        self._at_once = at_once
        self._recent = []
        self._lock = threading.Lock()
        self._writing = 0
        self.taken = 0
        self.refused = 0

    def __call__(self):
        try:
            with self._lock:
                self._writing += 1
                failure = self._failure()
                if failure:
                    self.refused += 1
                else:
                    self.taken += 1
            self._time.sleep(0.05)
        finally:
            with self._lock:
                self._writing -= 1
        if failure:
            raise failure
        return OK

    def _failure(self):
        now = self._time.monotonic()
        self._recent = [one for one in self._recent if one > now - 1]
        if len(self._recent) >= self._rate:
            return failing(429, 1)
        if self._writing > self._at_once:
            return failing(409)
        self._recent.append(now)
        return None


@pytest.mark.parametrize(
    "rate, calls, seconds",
    [
        (2, 30, 45),
        (100, 200, 5),  # one at a time they would take 7
    ],
)
def test_a_rate_limit_is_kept_to_with_little_loss(timeline, rate, calls, seconds):
    calm, service = Retries(1, 120), Limited(timeline, rate)
    began = timeline.monotonic()
    in_threads(lambda _n: calm.call(service, WRITE), range(calls), 8)
    assert service.taken == calls
    assert timeline.monotonic() - began <= seconds
    assert service.refused <= calls * 2


def test_after_busy_there_is_one_writer(timeline):
    calm, service = Retries(1, 120), Limited(timeline, at_once=1)
    in_threads(lambda _n: calm.call(service, WRITE), range(30), 8)
    assert service.taken == 30
    # Those that were under way with the first one that was refused, or begun at that time, and nobody after them.
    assert 1 <= service.refused <= 2 * 8


def test_who_waits_behind_those_that_are_answered_waits_for_all_of_them(timeline):
    calm, service = Retries(1, 3), Limited(timeline, at_once=1)
    in_threads(lambda _n: calm.call(service, WRITE), range(100), 100)
    assert service.taken == 100


def test_who_only_waits_for_others_has_spent_nothing(timeline):
    """Of two calls, one is throttled for 20 s; the other meets 503 for the first time after that."""
    calm, begun = Retries(1, 30), threading.Event()

    def work(name):
        answers = answering(*[failing(503, 5)] * 4, OK)

        def once():
            begun.set()
            return answers()

        if name == "second":
            assert begun.wait(60)
            timeline.sleep(0.1)
        return calm.call(once)

    assert in_threads(work, ["first", "second"], 2) == [OK, OK]


@pytest.mark.usefixtures("timeline")
def test_what_is_gone_goes_first():
    calm = Retries(1, 120)
    order = []
    throttled = threading.Barrier(3, timeout=60)

    def work(name):
        def throttle():
            throttled.wait()
            raise failing(429, 5)

        tries = [throttle, lambda: order.append(name)]
        calm.call(lambda: tries.pop(0)(), URGENT if name == "gone" else WRITE)

    in_threads(work, ["one", "two", "gone"], 3)
    assert order[0] == "gone"
