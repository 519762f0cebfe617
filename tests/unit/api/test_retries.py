# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Calls that are throttled or get no answer: the waits, their bounds, and who goes first, in a time that tests make."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter, deque

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api import retries as _retries
from ansible_collections.zonesmith.dns.plugins.module_utils._api import turns as _turns
from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    BUSY,
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


@pytest.mark.parametrize("urgent", [False, True])
@pytest.mark.parametrize("budget", [0, 0.1, 10, 120, 1000])
@pytest.mark.parametrize("retry_after", [0, 1, 45, 60])
@pytest.mark.parametrize("status", sorted(THROTTLED))
def test_no_wait_ends_after_retry_timeout(clock, status, retry_after, budget, urgent):
    calm = Retries(1, budget)
    began, longest = clock.monotonic(), budget * (10 if urgent else 1)
    failed = ends_with(
        calm.call, answering(failing(status, retry_after)), Write(lambda: False, is_urgent=urgent)
    )
    spent = clock.monotonic() - began
    assert spent <= longest
    assert longest - spent <= 60
    waits = [round(wait, 6) for wait in clock.waits]  # sums of floats are not exact
    assert all(retry_after <= wait <= 60 for wait in waits if wait)
    assert str(failed) == (
        f"the service answered {status}; it was throttled for {spent:.0f} s (see retry_timeout)"
    )
    assert failed.status_code == status
    assert not failed.may_have_happened


@pytest.mark.parametrize(
    "answers, retries, waits, status",
    [
        # What is throttled takes no tries.
        ([503, 503, 503, 503, OK], 1, 4, None),
        ([500, 503, 503, 500, OK], 2, 4, None),
        ([500, 503, 503, 500], 1, 3, 500),
        ([429, 409, 425, 423, 503, 422], 1, 5, 422),
        ([500, 500, 500], 2, 2, 500),
        ([failing(503, 61)], 5, 0, 503),
        ([failing(500, 61)], 5, 0, 500),
        ([503, failing(429, 3600)], 5, 1, 429),
        ([500], 0, 0, 500),
        ([503], 0, 0, 503),
        ([409], 0, 0, 409),
    ],
)
def test_how_often_a_call_is_tried(clock, answers, retries, waits, status):
    calm = Retries(retries, 120)
    if status is None:
        assert calm.call(answering(*answers)) == OK
    else:
        assert ends_with(calm.call, answering(*answers)).status_code == status
    assert len(clock.waits) == waits


@pytest.mark.parametrize("status", [500, *sorted(THROTTLED)])
@pytest.mark.parametrize("asked, is_tried", [(61, True), (1199, True), (1201, False)])
def test_a_value_of_a_deleted_set_waits_as_long_as_the_service_asks(clock, status, asked, is_tried):
    calm, once = Retries(5, 120), answering(failing(status, asked), OK)
    gone = Write(lambda: False, is_urgent=True)
    if is_tried:
        assert calm.call(once, gone) == OK
        assert sum(clock.waits) == asked
    else:
        assert ends_with(calm.call, once, gone).status_code == status
        assert clock.waits == []


def test_others_wait_with_it_but_not_longer_than_a_minute(clock):
    """Whatever retry_timeout is, they send nothing in the time in which the service wants to be left alone."""
    calm, sent = Retries(5, 3600), answering(AssertionError("It was sent."))
    ended = []

    def other_call(_seconds):
        clock.on_wait = lambda _seconds: None
        ended.append(str(ends_with(calm.call, sent)))

    clock.on_wait = other_call
    first = answering(failing(429, 600), OK)
    assert calm.call(first, Write(lambda: False, is_urgent=True)) == OK
    assert ended == ["the service answered 429; it was throttled for 0 s (see retry_timeout)"]


def test_nothing_is_sent_before_the_service_wants_it_though_the_first_call_is_over(
    clock,
):
    calm = Retries(5, 120)
    assert ends_with(calm.call, answering(failing(429, 300))).status_code == 429
    assert ends_with(calm.call, answering(AssertionError("It was sent."))).status_code == 429
    assert clock.waits == []
    assert calm.call(answering(OK), Write(lambda: False, is_urgent=True)) == OK
    assert sum(clock.waits) == 300


@pytest.mark.parametrize(
    "answers, retries, may_have",
    [
        ([422], 5, False),
        ([500, 422], 5, True),
        ([503, 429, 425, 409, 423, 422], 5, False),
        ([408, 401], 5, True),
        ([failing(None), 422], 5, True),
        ([TransientFailure(ServiceError("no connection"), not_carried_out=True), 422], 5, False),
        ([504, 503, failing(429, 61)], 5, True),
        ([520], 0, True),
        ([503], 0, False),
        ([409], 0, False),
        ([500, 503], 5, True),
    ],
)
@pytest.mark.usefixtures("clock")
def test_what_may_have_happened(answers, retries, may_have):
    assert (
        ends_with(
            Retries(retries, 30).call, answering(*answers), Write(lambda: False)
        ).may_have_happened
        is may_have
    )


@pytest.mark.usefixtures("clock")
def test_a_zone_that_cannot_be_read_leaves_it_open_what_happened():
    def unreadable():
        raise ServiceError("cannot read", 403)

    assert ends_with(Retries(1, 30).call, answering(500), Write(unreadable)).may_have_happened
    assert not ends_with(Retries(1, 30).call, answering(409), Write(unreadable)).may_have_happened


@pytest.mark.parametrize(
    "answers, retries, looks, is_done",
    [
        ([409, OK], 5, 1, False),
        ([409], 5, 1, True),
        ([423], 0, 1, True),
        ([500, OK], 5, 1, False),
        ([503, 429, 503, OK], 5, 0, False),
        # It should not have been carried out, and is at some services: a look costs little.
        ([425], 5, 1, True),
        ([425, 503, OK], 5, 2, False),
        # Once a try may have had an effect, every further one is looked into: it may have been late.
        ([500, 503, OK], 5, 2, False),
        ([409, 409, 409, OK], 5, 3, False),
        # Where few requests are taken, looks must not have the places of all tries.
        ([500, 429, 429, 429, OK], 5, 2, False),
        ([500, 429, 429, failing(429, 11), 429, OK], 5, 3, False),
        ([500, 429, 429, 500, OK], 5, 3, False),
    ],
)
def test_the_zone_is_read_before_a_call_is_repeated(clock, answers, retries, looks, is_done):
    looked = []

    def look():
        looked.append(clock.monotonic())
        return is_done

    assert Retries(retries, 120).call(answering(*answers), Write(look)) == OK
    assert len(looked) == looks
    if retries and looks and 425 not in answers:  # then the reading itself waits for its turn
        assert looked[0] > 1000


@pytest.mark.parametrize(
    "answers, looks",
    [
        ([500, 503, 429, OK], 1),
        # A look that is older than ten seconds.
        ([500, failing(503, 11), OK], 2),
        # Tries that may have had an effect.
        ([500, 503, 500, OK], 2),
        ([409, 409, OK], 2),
    ],
)
@pytest.mark.usefixtures("clock")
def test_a_value_of_a_deleted_set_is_not_looked_for_before_each_try(answers, looks):
    """Where one request a second is taken, that would be the look each time, and the set gone for as long."""
    looked = []
    assert (
        Retries(5, 120).call(
            answering(*answers), Write(lambda: bool(looked.append(1)), is_urgent=True)
        )
        == OK
    )
    assert len(looked) == looks


@pytest.mark.parametrize(
    "answers, times",
    [
        ([OK], 0),
        ([422], 0),
        ([503, 409, OK], 0),
        ([500, OK], 1),
        ([500, 422], 1),
        ([503, 500, 503, OK], 1),
        ([500], 6),
    ],
)
@pytest.mark.usefixtures("clock")
def test_who_asked_is_told_at_once_of_a_call_that_may_come_late(answers, times):
    pending = []
    with contextlib.suppress(ServiceError):
        Retries(5, 120).call(
            answering(*answers), Write(lambda: False, on_pending=lambda: pending.append(1))
        )
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
        ([500], furthest, [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60]),
        ([500], nearest, [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30]),
        ([503, 503, 503, OK], furthest, [0.5, 1, 2]),
        ([503, 503, 500, 503, OK], furthest, [0.5, 1, 0.5, 2]),
        # After an answer it begins anew.
        ([503, 503, 422, 503, OK], furthest, [0.5, 1, 0.5]),
        # What the service asks for, and a little more.
        ([failing(503, 7), OK], nearest, [7]),
        ([failing(503, 7), OK], furthest, [7.2]),
        ([*[failing(503, 7)] * 3, OK], furthest, [7.2, 7.2, 7.2]),
        ([failing(500, 7), failing(500, 59.5), OK], furthest, [7.2, 59.7]),
    ],
)
def test_how_long_each_wait_is(
    clock,
    answers,
    drawn,
    waits,
    monkeypatch,
):
    monkeypatch.setattr(clock, "uniform", drawn)
    calm, once = Retries(13, 120), answering(*answers)
    for _call in range(1 + (422 in answers)):
        with contextlib.suppress(ServiceError):
            calm.call(once)
    assert clock.waits == pytest.approx(waits)


@pytest.mark.parametrize("budget, is_tried", [(10, True), (9.5, False)])
def test_a_call_is_tried_where_its_time_is_just_over(clock, budget, is_tried, monkeypatch):
    monkeypatch.setattr(clock, "uniform", nearest)
    once = answering(failing(503, 10), OK)
    if is_tried:
        assert Retries(1, budget).call(once) == OK
    else:
        assert ends_with(Retries(1, budget).call, once).status_code == 503
    assert clock.waits == [10] * is_tried


@pytest.mark.parametrize("budget, longest", [(0, 0.5), (0.1, 0.5), (3, 3), (45, 45), (120, 60)])
def test_nobody_waits_for_the_next_try_of_another_longer_than_for_its_own(clock, budget, longest):
    """What is urgent makes others wait for longer with each try; who comes after its last one is still tried."""
    calm, asked = Retries(5, budget), []

    def once():
        asked.append(clock.monotonic())
        return OK

    ends_with(calm.call, answering(503), Write(lambda: False, is_urgent=True))
    over = clock.monotonic()
    assert calm.call(once) == OK
    assert asked[0] - over <= longest


@pytest.mark.parametrize(
    "urgent, patience, must_read_first",
    [(False, 3, False), (True, 30, False), (False, 3, True)],
)
def test_nobody_waits_longer_for_what_another_is_asked_to_wait(
    clock, urgent, patience, must_read_first
):
    calm = Retries(5, 3)
    ends_with(calm.call, answering(failing(503, 50)), Write(lambda: False, is_urgent=True))
    began = clock.monotonic()
    first = answering(ServiceError("It was sent."))
    if must_read_first:
        calm = Retries(5, 3)

        def first():
            ends_with(calm.call, answering(failing(503, 50)))
            raise failing(None)

    failed = ends_with(calm.call, first, Write(lambda: False, is_urgent=urgent), asked="GET zone")
    assert clock.monotonic() - began <= patience
    assert failed.status_code == 503
    assert str(failed).startswith("the service answered 503; it was throttled for ")
    assert failed.may_have_happened is must_read_first


def test_nothing_is_urgent_that_is_not_said_to_be(clock):
    ends_with(Retries(1, 10).call, answering(503))
    assert clock.monotonic() <= 1010


@pytest.mark.parametrize("status", [500, *sorted(THROTTLED)])
def test_an_interrupt_comes_out_of_a_wait_at_once(clock, status):
    calm = Retries(5, 120)

    def interrupt(_seconds):
        raise KeyboardInterrupt

    clock.on_wait = interrupt
    with pytest.raises(KeyboardInterrupt):
        calm.call(answering(status), Write(lambda: False))
    clock.on_wait = lambda _seconds: None
    assert calm.call(answering(OK), Write(lambda: False)) == OK


# Calls that nobody waits for any more


@pytest.fixture
def over(monkeypatch):
    """Once it is set, nobody waits for this thread any more."""
    over = threading.Event()
    monkeypatch.setattr(own(), "overs", (over,))
    return over


def test_nothing_is_sent_that_nobody_waits_for(over):
    calm, sent = Retries(1, 120), answering(AssertionError("It was sent."))
    over.set()
    with pytest.raises(LeftBehind):
        calm.call(sent)
    with pytest.raises(LeftBehind):
        calm.call(sent, Write(lambda: False))


def test_nobody_reads_after_a_wait_that_nobody_waited_for(clock, over):
    clock.on_wait = lambda _seconds: over.set()
    looked = []
    with pytest.raises(LeftBehind):
        Retries(1, 120).call(answering(425), Write(lambda: bool(looked.append(1))))
    assert looked == []


@pytest.mark.usefixtures("clock")
def test_who_waits_for_another_call_looks_whether_somebody_waits(over, monkeypatch):
    """One goes first after a wait, and while it is under way there is no room for the other."""
    monkeypatch.setattr(_turns, "WAKES_UP_AFTER", 0.001)
    calm, tries = Retries(1, 120), []

    def once():
        tries.append(1)
        if len(tries) == 1:
            raise failing(503)
        over.set()
        with pytest.raises(LeftBehind):
            calm.call(answering(AssertionError("It was sent.")))
        return OK

    assert calm.call(once) == OK
    assert len(tries) == 2


# Many calls at once


class Timeline(Machine):
    """A machine of many threads, whose time goes on to the next who wakes up once nothing happens any more."""

    def __init__(self):
        self._now = 1000.0
        self._events = 0
        self._sleepers: list[float] = []
        self._changed = threading.Condition()
        self._is_over = False
        self.quiet = 5  # milliseconds in which nothing happens, before time goes on
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
                if quiet >= self.quiet and self._sleepers and min(self._sleepers) > self._now:
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


class Odd:
    """A service that takes so many requests in a window, or one write at a time; each request takes 50 ms."""

    def __init__(
        self,
        timeline,
        rate=0,
        window=1,
        retry_after=True,
        busy=0,
    ):
        self._time, self._rate, self._window, self._retry_after, self._busy = (
            timeline,
            rate,
            window,
            retry_after,
            busy,
        )
        self._recent: deque[float] = deque()
        self._lock = threading.Lock()
        self._writing = 0
        self.seen: Counter[int] = Counter()

    def __call__(self):
        try:
            with self._lock:
                self._writing += 1
                failure = self._failure()
                self.seen[200 if failure is None else failure.error.status_code or 0] += 1
            self._time.sleep(0.05)
        finally:
            with self._lock:
                self._writing -= 1
        if failure:
            raise failure
        return OK

    def _failure(self):
        now = self._time.monotonic()
        while self._recent and self._recent[0] <= now - self._window:
            self._recent.popleft()
        if self._rate and len(self._recent) >= self._rate:
            left = self._recent[0] + self._window - now
            return failing(429, max(1.0, left // 1 + 1) if self._retry_after else 0)
        if self._busy and self._writing > 1:
            return failing(self._busy)
        self._recent.append(now)
        return None


@pytest.mark.parametrize(
    "rate, window, retry_after, calls, seconds",
    [
        (2, 1, True, 30, 45),
        (2, 1, False, 30, 45),
        (60, 60, True, 150, 125),
        (60, 60, False, 110, 125),
        (100, 1, True, 200, 5),  # one at a time they would take 7
    ],
)
def test_a_rate_limit_is_kept_to_with_little_loss(
    timeline, rate, window, retry_after, calls, seconds
):
    calm, service = Retries(1, 120), Odd(timeline, rate, window, retry_after)
    began = timeline.monotonic()
    assert (
        in_threads(lambda _n: calm.call(service, Write(lambda: False)), range(calls), 8)
        == [OK] * calls
    )
    assert timeline.monotonic() - began <= seconds
    assert service.seen[429] <= calls * 2


@pytest.mark.parametrize("status", sorted(BUSY))
def test_after_busy_there_is_one_writer(timeline, status):
    calm, service = Retries(1, 120), Odd(timeline, busy=status)
    in_threads(lambda _n: calm.call(service, Write(lambda: False)), range(30), 8)
    # Those that were under way with the first one that was refused, or begun at that time, and nobody after them.
    assert service.seen == {200: 30, status: service.seen[status]}
    assert 1 <= service.seen[status] <= 2 * 8


@pytest.mark.parametrize("status, reads", [(409, True), (423, True), (429, False), (503, False)])
def test_whether_reading_is_held_up(timeline, status, reads):
    calm = Retries(1, 120)
    order = []
    timeline.quiet = 200  # on a busy machine a thread may need that long to come to its turn

    def write():
        order.append("write")
        return answers()

    def read():
        order.append("read")
        return OK

    def work(kind):
        if kind == "write":
            calm.call(write, Write(lambda: False))
        else:
            while "write" not in order:
                time.sleep(0.001)
            timeline.sleep(1)
            calm.call(read)

    answers = answering(failing(status, 30), OK)
    in_threads(work, ["write", "read"], 2)
    assert order == ["write", "read", "write"] if reads else order == ["write", "write", "read"]


@pytest.mark.parametrize(
    "error", [LeftBehind(), KeyboardInterrupt(), RuntimeError(), failing(None), 422]
)
@pytest.mark.usefixtures("timeline")
def test_a_call_that_ends_badly_lets_the_others_go_on(error):
    """The one that goes first after the wait, while all others wait for it."""
    calm = Retries(1, 120)
    throttled, probe = threading.Barrier(4, timeout=60), threading.Event()
    ended = []

    def work():
        first = answering(failing(503, 5))

        def once():
            if not tries:
                tries.append(1)
                throttled.wait()
                first()
            if not probe.is_set():
                probe.set()
                return answering(error)()
            return OK

        tries = []
        try:
            calm.call(once, Write(lambda: False))
            ended.append("OK")
        except BaseException as raised:  # noqa: BLE001 - KeyboardInterrupt too
            ended.append(type(raised).__name__)

    crew = [threading.Thread(target=work, daemon=True) for _thread in range(4)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join(60)
    assert not any(thread.is_alive() for thread in crew)
    assert Counter(ended)["OK"] == (4 if isinstance(error, TransientFailure) else 3)


def test_who_only_waits_for_others_has_spent_nothing(timeline):
    """Of two calls, one is throttled for 20 s; the other meets 503 for the first time after that."""
    calm = Retries(1, 30)
    answers = {
        "first": answering(*[failing(503, 5)] * 4, OK),
        "second": answering(*[failing(503, 5)] * 4, OK),
    }
    begun = threading.Event()

    def work(name):
        def once():
            begun.set()
            return answers[name]()

        if name == "second":
            assert begun.wait(60)
            timeline.sleep(0.1)
        return calm.call(once)

    assert in_threads(work, ["first", "second"], 2) == [OK, OK]


def test_who_waits_behind_one_without_an_answer_waits_no_longer_than_for_its_own(
    timeline, monkeypatch
):
    """The one that goes first after the wait hangs; nobody has had an answer since the service throttled requests."""
    monkeypatch.setattr(
        _turns, "WAKES_UP_AFTER", 0.02
    )  # of real time, in which others sleep through seconds
    calm, begun, ends = Retries(1, 10), threading.Event(), []

    def hang():
        if begun.is_set():
            for _second in range(200):
                timeline.sleep(1)
            return OK
        begun.set()
        raise failing(503, 5)

    def work(name):
        if name == "first":
            calm.call(hang)
        else:
            assert begun.wait(60)
            timeline.sleep(1)
            ends_with(calm.call, answering(AssertionError("It was sent.")))
        ends.append(name)

    in_threads(work, ["first", "second"], 2)
    assert ends == ["second", "first"]


def test_who_waits_behind_those_that_are_answered_waits_for_all_of_them(timeline):
    calm, service = Retries(1, 3), Odd(timeline, busy=409)
    in_threads(lambda _n: calm.call(service, Write(lambda: False)), range(100), 100)
    assert service.seen[200] == 100


@pytest.mark.usefixtures("timeline")
def test_what_is_gone_goes_first():
    calm = Retries(1, 120)
    order = []
    throttled = threading.Barrier(3, timeout=60)

    def work(name):
        def once():
            if name not in met:
                met.add(name)
                throttled.wait()
                raise failing(429, 5)
            order.append(name)
            return OK

        calm.call(once, Write(lambda: False, is_urgent=name == "gone"))

    met = set()
    in_threads(work, ["one", "two", "gone"], 3)
    assert order[0] == "gone"
