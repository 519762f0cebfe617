# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions that go from store to store, as from item to item of a loop: what they cost, and that no lock sticks."""

from __future__ import annotations

import gc
import multiprocessing
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import psycopg
import pytest
from keeping import NEW, OLD, WWW, MakeStore, RunSql
from machines import wait_until
from postgres import Postgres, Proxy

from ansible_collections.zonesmith.dns.plugins.module_utils._state import session as session_module
from ansible_collections.zonesmith.dns.plugins.module_utils._state import sessions as sessions_module
from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.sessions import Sessions
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import LockLost, StateError

GUARD = 60.0  # seconds in which everything here has an end
THERE_ARE = "select pid from pg_stat_activity where application_name = 'zonesmith.dns' and datname = current_database()"
END = THERE_ARE.replace("pid", "pg_terminate_backend(pid)", 1)
LOCKED = (
    "select pid from pg_locks where locktype = 'advisory' "
    "and database = (select oid from pg_database where datname = current_database())"
)


def change(store: DatabaseStore, during: Callable[[], Any] = bool) -> int:
    """What one item does that changes something, and by which session."""
    with closing(Journal(store)) as journal:
        journal.look()
        with journal.lock():
            sending = Memory()
            sending.histories.send(WWW, "192.0.2.2", 60)
            journal.write([Entry(WWW, OLD, NEW)], sending)
            during()
            pid = store._session.pid
            journal.write([], Memory())
    return pid


def look(store: DatabaseStore) -> int:
    """What one item does that changes nothing, and by which session."""
    with closing(store):
        store.look()
        return store._session.pid


def await_none(run_sql: RunSql, sql: str) -> None:
    """Wait until a query has no rows: the server does what nobody waits for a moment later."""
    end = time.monotonic() + GUARD
    while rows := run_sql(sql):
        assert time.monotonic() < end, rows
        time.sleep(0.01)


def idle(sessions: Sessions, url: str) -> int:
    """The session that the next one would get; 0 where there is none."""
    connection = sessions.take(url)
    if connection is None:
        return 0
    sessions.give(url, connection)
    return connection.info.backend_pid


@pytest.fixture(autouse=True)
def tables(make: MakeStore) -> None:
    """Another machine has made them."""
    change(make())


@pytest.fixture
def end_idle(run_sql: RunSql) -> Callable[[], None]:
    """Ends the sessions of all stores, as the administrator of the server can."""

    def end() -> None:
        assert run_sql(END)
        await_none(run_sql, THERE_ARE)

    return end


@pytest.fixture
def at_proxy(proxy: Proxy, postgres: Postgres, database: str) -> str:
    """The state_url of the database behind the proxy."""
    return postgres.url(database, port=proxy.port)


def test_round_trips(make: MakeStore, proxy: Proxy, at_proxy: str) -> None:
    """One where nothing changes and four where something does; a lent session costs none besides."""
    sessions = Sessions()
    look(make(at_proxy, sessions=sessions))
    unlocks = 0
    for task, round_trips in ((look, 1), (change, 4), (look, 1), (change, 4), (change, 4), (look, 1)):
        made = proxy.round_trips
        task(make(at_proxy, sessions=sessions))
        assert proxy.round_trips - made == round_trips
        unlocks += task is change
        wait_until(lambda expected=unlocks: proxy.unlocks >= expected)  # nobody waits for an answer to it
        assert proxy.unlocks == unlocks
    assert proxy.connections == 1


def test_nothing_is_left_locked_between_two_items(make: MakeStore, run_sql: RunSql) -> None:
    sessions = Sessions()
    pids = set()
    for _item in range(5):
        pids.add(change(make(sessions=sessions), lambda: run_sql(LOCKED) or pytest.fail("nothing is locked")))
        with closing(make()) as of_another_machine, of_another_machine.lock():
            pass
        await_none(run_sql, LOCKED)
    assert len(pids) == 1


@pytest.mark.parametrize("is_seen", [True, False])
@pytest.mark.parametrize("task", [look, change])
def test_a_session_that_was_ended_between_two_items_costs_nothing(
    make: MakeStore,
    end_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_seen: bool,
    task: Callable[[DatabaseStore], int],
) -> None:
    """Also where it ends after the look at it."""
    sessions = Sessions()
    first = task(make(sessions=sessions))
    assert task(make(sessions=sessions)) == first
    end_idle()
    if not is_seen:
        monkeypatch.setattr(sessions_module, "_was_told_something", lambda _connection: False)
    second = change(make(sessions=sessions))
    assert second != first
    assert look(make(sessions=sessions)) == second


def test_a_server_that_was_restarted_between_two_items_costs_nothing(make: MakeStore, postgres: Postgres) -> None:
    sessions = Sessions()
    for task in (look, change, look):
        task(make(sessions=sessions))
        postgres.stop()
        postgres.start()
    change(make(sessions=sessions))


def test_a_connection_that_hangs_is_replaced(
    make: MakeStore, proxy: Proxy, at_proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock is let go of without waiting, and who finds no answer to that connects anew."""
    monkeypatch.setattr(session_module.Session.ask, "__kwdefaults__", {"within": 1.0})
    sessions = Sessions()
    store = make(at_proxy, sessions=sessions)
    with store.lock():
        pid = store._session.pid
        proxy.hangs = True
    store.close()
    assert idle(sessions, at_proxy) == pid, "it waited for the answer"
    store = make(at_proxy, sessions=sessions)
    proxy.hangs = False
    with store.lock():
        proxy.hangs = True
    store.close()
    goes_on = threading.Timer(2, setattr, (proxy, "hangs", False))
    goes_on.start()
    try:
        assert look(make(at_proxy, sessions=sessions)) != pid
    finally:
        goes_on.join()
    with make().lock():
        pass


def test_threads_with_a_zone_each_have_a_session_each(make: MakeStore, run_sql: RunSql) -> None:
    """No more than there are threads, however many zones they go through, and no two at once in one."""
    sessions, meet = Sessions(), threading.Barrier(2)
    stores = [make(zone=f"zone{number}.example.", sessions=sessions) for number in range(40)]
    pids: list[int] = []

    def apart(store: DatabaseStore) -> None:
        assert pids.count(store._session.pid) == 0
        pids.append(store._session.pid)
        time.sleep(0.01)
        pids.remove(store._session.pid)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda store: change(store, lambda: meet.wait(GUARD)), stores[:2])
    assert first != second
    with ThreadPoolExecutor(8) as pool:
        used = list(pool.map(lambda store: change(store, lambda: apart(store)), stores[2:]))
    assert {first, second} <= set(used)
    assert len(set(used)) <= 8
    await_none(run_sql, LOCKED)


def test_a_lost_lock_ends_its_session(make: MakeStore, end_idle: Callable[[], None], state_url: str) -> None:
    sessions = Sessions()
    store = make(sessions=sessions)
    with closing(store), store.lock():
        end_idle()
        with make().lock(), pytest.raises(LockLost):
            store.hold(is_urgent=False)
    assert idle(sessions, state_url) == 0


def test_a_lock_that_was_taken_again_is_let_go_of(
    make: MakeStore, end_idle: Callable[[], None], run_sql: RunSql
) -> None:
    sessions = Sessions()
    store = make(sessions=sessions)
    with closing(store), store.lock():
        end_idle()
        store.hold(is_urgent=False)
        again = store._session.pid
    await_none(run_sql, LOCKED)
    assert look(make(sessions=sessions)) == again


def test_who_lost_a_session_makes_one(make: MakeStore, state_url: str, run_sql: RunSql) -> None:
    """What lies idle may be lost with it."""
    sessions = Sessions()
    first, second = make(sessions=sessions), make(sessions=sessions)
    second.look()
    with closing(first), first.lock():
        second.close()
        lies_idle = idle(sessions, state_url)
        run_sql(f"select pg_terminate_backend({first._session.pid})")
        first.hold(is_urgent=False)
        assert first._session.pid != lies_idle != 0


class TimeIsOver(BaseException):
    """What Ansible raises when the time of a task is over."""


def test_what_was_interrupted_is_not_given_back(
    make: MakeStore, state_url: str, run_sql: RunSql, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_arguments: object) -> None:
        raise TimeIsOver

    sessions = Sessions()
    store = make(sessions=sessions)
    store.look()
    with monkeypatch.context() as patch, closing(store), store.lock():
        patch.setattr(psycopg.Cursor, "fetchall", interrupt)
        with pytest.raises(TimeIsOver):
            store.put_aside("aside", b"{}")
    assert idle(sessions, state_url) == 0
    with monkeypatch.context() as patch, closing(make(sessions=sessions)) as store:
        patch.setattr(psycopg.Cursor, "fetchall", interrupt)
        with pytest.raises(TimeIsOver):
            store.look()
    assert idle(sessions, state_url) == 0
    await_none(run_sql, LOCKED)


def test_what_was_refused_is_not_given_back(make: MakeStore, state_url: str, run_sql: RunSql) -> None:
    """Neither the session of who waited for a lock in vain, nor one that took it and found the tables gone."""
    sessions = Sessions()
    with make().lock(), pytest.raises(StateError), closing(make(patience=0, sessions=sessions)) as waits, waits.lock():
        pass
    run_sql("drop table zonesmith.journal")
    with pytest.raises(StateError), closing(make(sessions=sessions)) as without, without.lock():
        pass
    assert idle(sessions, state_url) == 0
    await_none(run_sql, LOCKED)


def test_what_lay_idle_for_long_is_not_used(make: MakeStore, run_sql: RunSql, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions()
    first = look(make(sessions=sessions))
    monkeypatch.setattr(sessions_module, "IDLE_FOR", 0.0)
    assert look(make(sessions=sessions)) != first
    await_none(run_sql, THERE_ARE)


def test_sessions_end_with_who_lent_them(state_url: str, run_sql: RunSql) -> None:
    sessions = Sessions()
    change(DatabaseStore(state_url, "https://api.example.net", "example.com.", GUARD, sessions))
    assert idle(sessions, state_url)
    del sessions
    gc.collect()  # what was raised and caught on the way may hold it in a cycle
    await_none(run_sql, THERE_ARE)


def _used(make: MakeStore, sessions: Sessions, to: Any) -> None:
    to.send(change(make(sessions=sessions)))


def test_a_process_does_not_use_the_sessions_of_another(make: MakeStore, run_sql: RunSql) -> None:
    sessions = Sessions()
    first = change(make(sessions=sessions))
    context = multiprocessing.get_context("fork")
    answers, to = context.Pipe(duplex=False)
    child = context.Process(target=_used, args=(make, sessions, to))
    child.start()
    assert answers.poll(GUARD)
    assert answers.recv() != first
    child.join()
    assert child.exitcode == 0
    assert change(make(sessions=sessions)) == first
    assert run_sql(THERE_ARE) == [(first,)]
