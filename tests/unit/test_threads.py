# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Threads that work, that fail, and that are left behind."""

import _thread
import gc
import signal
import threading
from contextlib import contextmanager

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import (
    LeftBehind,
    go_on,
    in_threads,
    outlasting_threads,
    own,
)

GUARD = 30.0


class TimeIsOver(BaseException):
    """What Ansible raises at the end of a task's time."""


@pytest.fixture
def alarm():
    """SIGALRM raises TimeIsOver, and no garbage is collected: Python drops what is raised in a callback of that."""

    def ring(*_arguments):
        raise TimeIsOver

    before = signal.signal(signal.SIGALRM, ring)
    gc.disable()
    yield
    gc.enable()
    signal.signal(signal.SIGALRM, before)


def interrupt():
    """End the main thread's wait, as a time limit does whose signal comes just before the wait begins."""
    _thread.interrupt_main(signal.SIGALRM)


@pytest.mark.parametrize("threads", [1, 3, 20])
def test_answers_come_in_the_order_of_the_items(threads):
    assert in_threads(lambda n: n * n, range(10), threads) == [n * n for n in range(10)]


def test_an_error_ends_it_when_those_under_way_are_done():
    both, begun, done = threading.Barrier(2), [], []

    def work(number):
        begun.append(number)
        both.wait(GUARD)
        if number == 1:
            raise ValueError(number)
        done.append(number)

    with pytest.raises(ValueError, match="1"):
        in_threads(work, [0, 1, *range(2, 50)], 2)
    assert 0 in done
    assert len(begun) < 50


@pytest.mark.usefixtures("alarm")
def test_who_is_interrupted_waits_for_nobody_and_keeps_the_lock_until_they_end():
    answer, released, seen = threading.Event(), threading.Event(), []
    delays_an_exit = []

    @contextmanager
    def lock():
        try:
            yield "held"
        finally:
            delays_an_exit.append(not threading.current_thread().daemon)
            released.set()

    def work(number):
        go_on()
        delays_an_exit.append(not threading.current_thread().daemon)
        seen.append(f"request {number}")
        if len(seen) == 2:
            interrupt()
        answer.wait(GUARD)
        go_on()
        seen.append(f"another request {number}")

    def task():
        with outlasting_threads(lock()) as held:
            assert held == "held"
            in_threads(work, range(10), 2)

    with pytest.raises(TimeIsOver):
        task()
    assert not released.is_set()
    assert own().left_behind == []
    answer.set()
    assert released.wait(GUARD)
    assert sorted(seen) == ["request 0", "request 1"]
    assert delays_an_exit == [False] * 3, "no exit of the interpreter waits for them"
    go_on()


def test_a_lock_under_which_nobody_was_left_behind_is_released_at_once():
    states = []

    @contextmanager
    def lock():
        states.append("taken")
        try:
            yield
        finally:
            states.append("released")

    def task():
        with outlasting_threads(lock()):
            in_threads(str, [1, 2], 2)
            raise ValueError("own")

    with pytest.raises(ValueError, match="own"):
        task()
    assert states == ["taken", "released"]
    go_on()


def test_a_client_sends_nothing_for_who_was_left_behind(service, monkeypatch):
    over = threading.Event()
    over.set()
    monkeypatch.setattr(own(), "overs", (over,))
    with pytest.raises(LeftBehind):
        Client(Connection(service.url, service.token)).list_zones()
    assert service.calls() == []


# Who joins while others work


@pytest.mark.parametrize("late", [0, 3, 10])
def test_more_join_while_others_work(late):
    """The number of threads goes up with the item *late*: from then on, five are at work at once."""
    most, five, at_work, highest = 1, threading.Barrier(5), 0, 0
    mutex = threading.Lock()

    def work(number):
        nonlocal most, at_work, highest
        with mutex:
            at_work += 1
            highest = max(highest, at_work)
        if number == late:
            most = 5
        if number > late + 4:  # whoever has joined by then
            five.wait(GUARD)
        with mutex:
            at_work -= 1
        return number

    items = range(late + 5 + 50)
    assert in_threads(work, items, lambda: most) == [*items]
    assert highest == 5


def threads_of_a_machine(monkeypatch, most):
    """The threads that begin on a machine that has no more than *most*."""
    start, started = threading.Thread.start, []

    def begin(thread):
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", begin)
    return started


@pytest.mark.parametrize("items, most, threads", [(0, 8, 0), (1, 8, 1), (9, 1, 1)])
def test_no_thread_begins_that_has_nothing_to_do(items, most, threads, monkeypatch):
    started = threads_of_a_machine(monkeypatch, 100)
    assert in_threads(str, range(items), most) == [str(number) for number in range(items)]
    assert len(started) == threads


@pytest.mark.parametrize("granted", [1, 3])
def test_where_the_machine_has_no_more_threads_those_that_are_there_do_it(granted, monkeypatch):
    threads_of_a_machine(monkeypatch, granted)
    assert in_threads(str, range(50), 8) == [*map(str, range(50))]


def test_where_the_machine_has_no_thread_at_all_it_fails(monkeypatch):
    threads_of_a_machine(monkeypatch, 0)
    with pytest.raises(RuntimeError, match="new thread"):
        in_threads(str, range(50), 8)


# Threads of threads


@pytest.mark.usefixtures("alarm")
def test_who_is_left_behind_leaves_its_own_behind():
    """Two in each of two: none of the four goes on, and the inner ones have ended before the outer ones do."""
    answer, mutex, asked, ended = threading.Event(), threading.Lock(), [], []

    def inner(name):
        with mutex:
            asked.append(name)
            if len(asked) == 4:
                interrupt()
        answer.wait(GUARD)
        try:
            go_on()
        finally:
            ended.append(name)

    def outer(name):
        try:
            in_threads(inner, [f"{name}{number}" for number in range(10)], 2)
        finally:
            ended.append(name)

    with pytest.raises(TimeIsOver):
        in_threads(outer, "abcdef", 2)
    behind = list(own().left_behind)
    own().left_behind.clear()
    answer.set()
    for thread in behind:
        thread.join(GUARD)
    assert len(behind) == 2
    assert sorted(asked) == ["a0", "a1", "b0", "b1"]
    assert sorted(ended) == ["a", "a0", "a1", "b", "b0", "b1"]
    assert all(ended.index(name[0]) > ended.index(name) for name in asked)


def test_what_interrupts_one_within_ends_neither_the_others_nor_who_called():
    def interrupted():
        raise TimeIsOver

    def outer(number):
        if number == 1:
            with pytest.raises(TimeIsOver):
                in_threads(str, range(5), interrupted)
        go_on()
        return "went on"

    assert in_threads(outer, range(4), 2) == ["went on"] * 4


@pytest.mark.usefixtures("alarm")
def test_a_lock_that_comes_when_nobody_waits_any_more_is_given_back_unused():
    free, states = threading.Event(), []

    @contextmanager
    def lock():
        interrupt()
        free.wait(GUARD)
        states.append("taken")
        try:
            yield
        finally:
            states.append("released")

    def work(_number):
        with outlasting_threads(lock()):
            states.append("used")

    with pytest.raises(TimeIsOver):
        in_threads(work, [1], 1)
    behind = list(own().left_behind)
    own().left_behind.clear()
    free.set()
    for thread in behind:
        thread.join(GUARD)
    assert states == ["taken", "released"]
