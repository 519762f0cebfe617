# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which connections to a database are lent on within a process, and which are ended. With a real one: tests/state."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state import sessions as _sessions
from ansible_collections.zonesmith.dns.plugins.module_utils._state.sessions import Sessions

HERE, THERE = "postgresql://here/zonesmith", "postgresql://there/zonesmith"
IDLE, ACTIVE = 0, 1


class Connection:
    """As much of a connection as is looked at while nobody uses it; its server can say something by *server*."""

    def __init__(self) -> None:
        self._socket, self.server = socket.socketpair()
        self.info = SimpleNamespace(transaction_status=IDLE)
        self.closed = False

    def fileno(self) -> int:
        """What can be waited for."""
        return self._socket.fileno()

    def close(self) -> None:
        """End it."""
        self.closed = True
        self._socket.close()


class Clock(Machine):
    """A clock that stands still until it is moved."""

    now = 1000.0

    def monotonic(self) -> float:
        """Its seconds."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of those who lend."""
    clock = Clock()
    monkeypatch.setattr(_sessions, "machine", lambda: clock)
    # Unit tests do without psycopg.
    states = SimpleNamespace(TransactionStatus=SimpleNamespace(ACTIVE=ACTIVE))
    monkeypatch.setitem(sys.modules, "psycopg", SimpleNamespace(pq=states))
    monkeypatch.setitem(sys.modules, "psycopg.pq", states)
    return clock


@pytest.fixture
def sessions(clock: Clock) -> Sessions:  # noqa: ARG001 - for what it does to time
    """Nothing is lent yet."""
    return Sessions()


@pytest.fixture
def three() -> Iterator[list[Connection]]:
    """Three connections."""
    three = [Connection() for _number in range(3)]
    yield three
    for connection in three:
        connection.close()
        connection.server.close()


def given(sessions: Sessions, connections: list[Connection], url: str = HERE) -> None:
    """Give them back, one after the other."""
    for connection in connections:
        lent: Any = connection
        sessions.give(url, lent)


def test_what_was_given_back_last_is_lent_first_and_once(sessions: Sessions, three: list[Connection]) -> None:
    assert sessions.take(HERE) is None
    given(sessions, three)
    assert [sessions.take(HERE) for _time in range(4)] == [*three[::-1], None]
    assert not any(connection.closed for connection in three)


def test_each_database_has_its_own(sessions: Sessions, three: list[Connection]) -> None:
    given(sessions, three[:1])
    given(sessions, three[1:], THERE)
    assert (sessions.take(HERE), sessions.take(HERE)) == (three[0], None)
    assert sessions.take(THERE) is three[2]


def test_what_lay_idle_for_a_minute_is_ended(sessions: Sessions, clock: Clock, three: list[Connection]) -> None:
    given(sessions, three[:2])
    clock.now += 59.5
    assert sessions.take(HERE) is three[1]
    clock.now += 0.5
    assert sessions.take(HERE) is None
    assert [connection.closed for connection in three] == [True, False, False]


def test_who_gives_back_ends_what_nobody_wanted_for_a_minute(
    sessions: Sessions, clock: Clock, three: list[Connection]
) -> None:
    given(sessions, three[:1])
    clock.now += 30
    given(sessions, three[1:2])
    clock.now += 29.5
    given(sessions, three[2:])
    assert [connection.closed for connection in three] == [False, False, False]
    assert sessions.take(HERE) is three[2]
    clock.now += 0.5
    given(sessions, three[2:])
    assert [connection.closed for connection in three] == [True, False, False]
    assert [sessions.take(HERE) for _time in range(3)] == [three[2], three[1], None]


def test_what_the_server_has_spoken_to_is_ended(sessions: Sessions, three: list[Connection]) -> None:
    given(sessions, three)
    three[2].server.send(b"the server is going down")
    three[1].server.close()
    assert sessions.take(HERE) is three[0]
    assert [connection.closed for connection in three] == [False, True, True]


def test_the_answer_to_an_unlocking_may_be_there(sessions: Sessions, three: list[Connection]) -> None:
    three[0].info.transaction_status = ACTIVE
    three[0].server.send(b"it is unlocked")
    given(sessions, three[:1])
    assert sessions.take(HERE) is three[0]


def test_what_was_closed_is_not_lent(sessions: Sessions, three: list[Connection]) -> None:
    three[0].close()
    three[0].info.transaction_status = ACTIVE
    given(sessions, three[:1])
    assert sessions.take(HERE) is None


def test_another_process_has_none_of_them(
    sessions: Sessions, three: list[Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    given(sessions, three[:1])
    with monkeypatch.context() as forked:
        forked.setattr(os, "getpid", lambda: 1)
        assert sessions.take(HERE) is None
        given(sessions, three[1:2])
        assert sessions.take(HERE) is three[1]
    assert not three[0].closed


class Faster(list[Any]):
    """What another thread takes the last one of, after it was seen to be there."""

    def popleft(self) -> Any:
        raise IndexError

    def pop(self, _at: Any = None) -> Any:
        raise IndexError


def test_another_thread_may_be_faster(
    sessions: Sessions, three: list[Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sessions._idle, HERE, Faster([None]))
    assert sessions.take(HERE) is None
    given(sessions, three[:1])
    assert not three[0].closed


def test_they_end_with_who_lends_them(three: list[Connection]) -> None:
    sessions = Sessions()
    given(sessions, three[:2])
    given(sessions, three[2:], THERE)
    assert not any(connection.closed for connection in three)
    del sessions
    assert all(connection.closed for connection in three)
