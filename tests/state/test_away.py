# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The database is gone, comes back, hangs, or has given the lock to somebody else: what the store makes of it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import FrameType

import psycopg
import pytest
from keeping import NEW, OLD, WWW, MakeStore
from postgres import Postgres, Proxy

from ansible_collections.zonesmith.dns.plugins.module_utils._state import advisory as advisory_module
from ansible_collections.zonesmith.dns.plugins.module_utils._state import database as database_module
from ansible_collections.zonesmith.dns.plugins.module_utils._state import session as session_module
from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import LockLost, StateError

GUARD = 60.0  # seconds in which everything here has an end


@pytest.fixture
def end_sessions(state_url: str) -> Callable[[], None]:
    """Ends every session of the stores, as the administrator of the server can."""

    def end() -> None:
        with psycopg.connect(state_url, autocommit=True) as admin:
            ended = admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where application_name = 'zonesmith.dns' and datname = current_database()"
            ).fetchall()
            assert ended
            while admin.execute(
                "select from pg_stat_activity where application_name = 'zonesmith.dns' and datname = current_database()"
            ).fetchall():
                time.sleep(0.01)

    return end


def test_a_lock_that_nobody_took_is_taken_again(make: MakeStore, end_sessions: Callable[[], None]) -> None:
    store = make()
    with store.lock():
        store.hold(is_urgent=False)
        end_sessions()
        store.hold(is_urgent=False)
        with pytest.raises(StateError, match="another run holds the lock"), make(patience=0).lock():
            pass
        end_sessions()
        Journal(store).write([Entry(WWW, OLD, NEW)])
        with pytest.raises(StateError, match="another run holds the lock"), make(patience=0).lock():
            pass
    assert make().look().is_open


@pytest.mark.parametrize("is_urgent", [False, True])
def test_a_lock_that_somebody_has_is_lost(
    make: MakeStore, end_sessions: Callable[[], None], *, is_urgent: bool
) -> None:
    first = make()
    with first.lock():
        end_sessions()
        with make().lock(), pytest.raises(LockLost, match="another run has had the lock since: this run stops"):
            first.hold(is_urgent=is_urgent)
        for _again in range(2):  # what was lost is lost, also once nobody has it any more
            with pytest.raises(LockLost):
                first.hold(is_urgent=is_urgent)


def test_a_lock_that_somebody_had_is_lost(make: MakeStore, end_sessions: Callable[[], None]) -> None:
    first = make()
    with first.lock():
        end_sessions()
        with make().lock():
            pass
        with pytest.raises(LockLost):
            first.hold(is_urgent=True)


def test_a_session_that_only_has_the_same_number_has_no_lock(
    make: MakeStore, end_sessions: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server in a container begins to count anew when it is restarted."""
    first = make()
    with first.lock():
        same = first._session.pid
        end_sessions()
        with make().lock():
            pass
        with pytest.raises(StateError):
            first.put_aside("aside", b"{}")  # what is asked without the lock makes a new session
        first.put_aside("aside", b"{}")
        monkeypatch.setattr(session_module.Session, "pid", same)
        with pytest.raises(LockLost):
            first.hold(is_urgent=True)


def test_who_lost_the_lock_leaves_the_journal_of_the_next_alone(make: MakeStore, state_url: str) -> None:
    """Also where its session seems to live, behind something that keeps a dead connection open."""
    first = make()
    entries = [Entry(WWW, OLD, NEW)]
    with first.lock(), psycopg.connect(state_url, autocommit=True) as other:
        other.execute("update zonesmith.zone set run = 'of another run'")
        other.execute(
            "insert into zonesmith.journal select service, zone, 'a.example.com.', 'A', '{}' from zonesmith.zone"
        )
        with pytest.raises(StateError, match="the tables of state_url do not tell of this run any more"):
            Journal(first).write(entries)
        assert other.execute("select name from zonesmith.journal").fetchall() == [("a.example.com.",)]
        with pytest.raises(LockLost):
            first.hold(is_urgent=True)


def test_the_lock_outlasts_the_end_of_a_run_whose_threads_were_left_behind(make: MakeStore) -> None:
    first = make()
    with first.lock():
        first.close()
        with pytest.raises(StateError, match="another run holds the lock"), make(patience=0).lock():
            pass
    with make(patience=0).lock():
        pass


def test_a_connection_that_is_cut_costs_nothing(make: MakeStore, postgres: Postgres, database: str) -> None:
    with Proxy(postgres.port) as proxy:
        store = make(postgres.url(database, port=proxy.port))
        with store.lock():
            for _time in range(3):
                proxy.cut()
                store.hold(is_urgent=False)
            proxy.cut()
            Journal(store).write([Entry(WWW, OLD, NEW)])
        assert make().look().is_open


def test_nobody_goes_on_for_long_without_being_able_to_ask(
    make: MakeStore, postgres: Postgres, database: str, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only one way to the database may be cut, and another run have the lock by now."""
    store = make(postgres.url(database, port=proxy.port))
    with store.lock():
        proxy.refuses = True
        proxy.cut()
        store.hold(is_urgent=True)
        monkeypatch.setattr(advisory_module, "URGENT_FOR", 0.0)
        with pytest.raises(StateError, match="cannot be reached"):
            store.hold(is_urgent=True)


def test_a_database_that_is_away(make: MakeStore, postgres: Postgres, database: str, proxy: Proxy) -> None:
    """What is not urgent waits a little, what is goes on, and neither asks for each of hundreds of names."""
    store = make(postgres.url(database, port=proxy.port))
    with store.lock():
        proxy.refuses = True
        proxy.cut()
        with pytest.raises(StateError, match="cannot be reached"):
            store.hold(is_urgent=False)
        asked = proxy.refused
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _name: store.hold(is_urgent=True), range(300)))
            failed = list(pool.map(lambda _name: _error(store), range(300)))
        assert all("the database of state_url cannot be reached" in error for error in failed)
        assert proxy.refused - asked <= 2
        with pytest.raises(StateError, match="the journal of the zone cannot be written"):
            Journal(store).write([Entry(WWW, OLD, NEW)])
        proxy.refuses = False
    with make().lock():
        pass


def _error(store: DatabaseStore) -> str:
    try:
        store.hold(is_urgent=False)
    except StateError as error:
        return str(error)
    return ""


def test_a_database_that_is_back_soon(make: MakeStore, postgres: Postgres, database: str, proxy: Proxy) -> None:
    store = make(postgres.url(database, port=proxy.port))
    with store.lock():
        proxy.refuses = True
        proxy.cut()
        back = threading.Timer(1, setattr, (proxy, "refuses", False))
        back.start()
        store.hold(is_urgent=False)
        back.join()


def test_a_server_that_is_restarted_under_the_lock(
    make: MakeStore, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a busy machine needs for the restart is not what this is about."""
    monkeypatch.setattr(advisory_module, "GIVES_UP_AFTER", GUARD)
    store = make()
    with store.lock():
        postgres.stop()
        again = threading.Timer(0.5, postgres.start)
        again.start()
        try:
            store.hold(is_urgent=False)
        finally:
            again.join()
        Journal(store).write([Entry(WWW, OLD, NEW)])
    assert make().look().is_open


def test_a_connection_that_hangs(
    make: MakeStore, postgres: Postgres, database: str, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever: not for a look, not for the lock, not before a request, and not for the end."""
    for module in (session_module, database_module):
        monkeypatch.setattr(module, "ANSWERS_WITHIN", 0.5, raising=False)
    monkeypatch.setattr(session_module, "ASKED_EVERY", 0.2)
    monkeypatch.setattr(session_module.Session.ask, "__kwdefaults__", {"within": 0.5})
    url = f"{postgres.url(database, port=proxy.port)}?connect_timeout=2"
    store, other = make(url), make(url, patience=0.5)
    began = time.monotonic()
    other.look()
    with store.lock():
        proxy.hangs = True
        with pytest.raises(StateError, match="cannot be reached"):
            other.look()
        with pytest.raises(StateError, match="cannot be reached"), other.lock():
            pass
        time.sleep(0.3)
        store.hold(is_urgent=True)
        with pytest.raises(StateError):
            store.hold(is_urgent=False)
        with pytest.raises(StateError):
            Journal(store).write([])
    proxy.hangs = False
    with make().lock():
        pass
    assert time.monotonic() - began < GUARD


class TimeIsOver(BaseException):
    """What Ansible raises when the time of a task is over."""


def test_a_task_whose_time_is_over_does_not_wait_for_the_lock(make: MakeStore) -> None:
    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise TimeIsOver

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with make().lock():
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            began = time.monotonic()
            with pytest.raises(TimeIsOver), make(patience=GUARD).lock():
                pass
            assert time.monotonic() - began < GUARD / 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_role_with_a_limit_of_its_own_waits_as_long_as_the_task_says(make: MakeStore, state_url: str) -> None:
    with psycopg.connect(state_url, autocommit=True) as admin:
        admin.execute("create role impatient login superuser password 'known'")
        admin.execute("alter role impatient set statement_timeout = '100ms'")
    try:
        url = state_url.replace(state_url.partition("://")[2].partition("@")[0], "impatient:known")
        first = make()
        with ThreadPoolExecutor(1) as pool:
            with first.lock():
                waits = pool.submit(_locked, make(url, patience=GUARD))
                time.sleep(0.5)
            assert waits.result(GUARD)
    finally:
        with psycopg.connect(state_url, autocommit=True) as admin:
            admin.execute("drop role impatient")


def _locked(store: DatabaseStore) -> bool:
    with store.lock():
        return True
