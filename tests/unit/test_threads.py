# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Threads that work, that fail, and that are left behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._service import threads as _threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import (
    LeftBehind,
    go_on,
    in_threads,
    outlasting_threads,
)

GUARD = 30.0


class TimeIsOver(BaseException):
    """What Ansible raises at the end of a task's time."""


@pytest.fixture
def alarm() -> Iterator[None]:
    """SIGALRM raises TimeIsOver."""

    def ring(*_arguments: Any) -> None:
        raise TimeIsOver

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("threads", [1, 3, 20])
def test_answers_come_in_the_order_of_the_items(threads: int) -> None:
    assert in_threads(lambda n: n * n, range(10), threads) == [n * n for n in range(10)]


def test_nothing_to_do_starts_nothing() -> None:
    assert in_threads(str, [], 8) == []


def test_an_error_ends_it_when_those_under_way_are_done() -> None:
    both, begun, done = threading.Barrier(2), [], []

    def work(number: int) -> None:
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
def test_who_is_interrupted_waits_for_nobody_and_keeps_the_lock_until_they_end() -> None:
    answer, released, seen = threading.Event(), threading.Event(), []

    @contextmanager
    def lock() -> Iterator[str]:
        try:
            yield "held"
        finally:
            released.set()

    def work(number: int) -> None:
        go_on()
        seen.append(f"request {number}")
        if len(seen) == 2:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)
        answer.wait(GUARD)
        go_on()
        seen.append(f"another request {number}")

    def task() -> None:
        with outlasting_threads(lock()) as held:
            assert held == "held"
            in_threads(work, range(10), 2)

    with pytest.raises(TimeIsOver):
        task()
    assert not released.is_set()
    answer.set()
    assert released.wait(GUARD)
    assert sorted(seen) == ["request 0", "request 1"]


def test_a_lock_under_which_nobody_was_left_behind_is_released_at_once() -> None:
    states = []

    @contextmanager
    def lock() -> Iterator[None]:
        states.append("taken")
        try:
            yield
        finally:
            states.append("released")

    def task() -> None:
        with outlasting_threads(lock()):
            in_threads(str, [1, 2], 2)
            raise ValueError("own")

    with pytest.raises(ValueError, match="own"):
        task()
    assert states == ["taken", "released"]
    go_on()


def test_a_client_sends_nothing_for_who_was_left_behind(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    over.set()
    monkeypatch.setattr(_threads._own, "overs", (over,))
    with pytest.raises(LeftBehind):
        Client(Connection(service.url, service.token)).list_zones()
    assert service.calls() == []
