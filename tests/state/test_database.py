# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can happen to a store in a database alone: it is gone, comes back, hangs, is full, or somebody else's."""

import gc
import itertools
import multiprocessing
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from kept import FULL, PLAIN, SERVICE
from postgres import free_port

from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._state import session as _session
from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import (
    DatabaseStore,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import Session, Sessions
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

GUARD = 60.0  # seconds in which everything here has an end
EMPTY = Document()
THERE_ARE = "select pid from pg_stat_activity where application_name = 'zonesmith.dns' and datname = current_database()"
END = THERE_ARE.replace("pid", "pg_terminate_backend(pid)", 1)
LOCKED = (
    "select pid from pg_locks where locktype = 'advisory' "
    "and database = (select oid from pg_database where datname = current_database())"
)


ALL = (
    "grant all on schema zonesmith to {role}",
    "grant all on all tables in schema zonesmith to {role}",
)


@pytest.fixture
def make(state_url):
    """Makes stores of one zone, each a run of its own, at a URL of their own where one is given."""

    def make(
        url="",
        patience=5.0,
        zone="example.com.",
        sessions=None,
    ):
        return DatabaseStore(sessions or Sessions(url or state_url, 3), SERVICE, zone, patience)

    return make


@pytest.fixture
def at_proxy(proxy, postgres, database):
    """The state_url of the database behind the proxy."""
    return postgres.url(database, port=proxy.port)


@pytest.fixture
def end_sessions(run_sql):
    """Ends every session of the stores, as the administrator of the server can."""

    def end():
        assert run_sql(END)
        await_none(run_sql, THERE_ARE)

    return end


@pytest.fixture
def role(state_url, database, run_sql):
    """Makes roles of the server, which end with it, with options and statements about them; their state_url."""
    numbers = itertools.count()

    def make(options="", *statements):
        name = f"runner{next(numbers)}_{database}"
        run_sql(
            f"create role {name} login {options} password 'known'",
            *(statement.format(role=name, database=database) for statement in statements),
        )
        return state_url.replace(state_url.partition("://")[2].partition("@")[0], f"{name}:known")

    return make


def await_none(run_sql, sql):
    """Wait until a query has no rows: the server does what nobody waits for a moment later."""
    end = time.monotonic() + GUARD
    while rows := run_sql(sql):
        assert time.monotonic() < end, rows
        time.sleep(0.01)


def await_no_session(run_sql):
    """Wait until the sessions of fixtures and of earlier tests have ended."""
    gc.collect()  # what was raised and caught on the way may hold them in a cycle
    await_none(run_sql, THERE_ARE)


def use(store):
    """Everything that a run does with a store."""
    store.load()
    with store.lock():
        store.save(FULL)
        store.check_held()
        store.save(PLAIN)


def refusal(call):
    """What a StateError says."""
    with pytest.raises(StateError) as raised:
        call()
    assert str(raised.value).isprintable()
    return str(raised.value)


def lock(store):
    """Take the lock, and no more."""
    with store.lock() as document:
        return document


# The lock is lost


@pytest.fixture(params=["the administrator ends it", "the server restarts"])
def lose(request, end_sessions, postgres):
    """Ends the session that holds a lock, each in its way."""

    def restart():
        postgres.stop()
        postgres.start()

    return restart if request.param == "the server restarts" else end_sessions


def test_a_lock_is_lost_with_its_session(make, lose, run_sql):
    """For good, even though nobody may have it; and who has it next is not disturbed."""
    first, other = make(), make()
    with first.lock():
        first.save(FULL)
        lose()
        for _time in range(2):
            said = refusal(first.check_held)
            assert "and with it the lock on the zone: this run stops" in said
            assert "and with it the lock on the zone" in refusal(lambda: first.save(PLAIN))
            with other.lock() as document:
                assert document == FULL
                other.save(FULL)
    assert make().load() == FULL
    await_none(run_sql, LOCKED)


@pytest.mark.usefixtures("tables")
def test_the_next_server_of_a_url_is_asked_where_one_is_away(make, state_url, postgres):
    """As a guide says for a standby that takes over."""
    both = f":{free_port()},127.0.0.1:{postgres.port}/"
    url = state_url.replace(f":{postgres.port}/", both)
    use(make(f"{url}?target_session_attrs=read-write"))


def test_to_check_asks_nobody(make, proxy, at_proxy):
    store = make(at_proxy)
    with store.lock():
        asked = proxy.round_trips
        for _request in range(1000):
            store.check_held()
        assert proxy.round_trips == asked


# The database is away


def test_a_database_that_is_away(make, proxy, at_proxy):
    store = make(at_proxy)
    with store.lock():
        proxy.refuses = True
        proxy.cut()
        assert "and with it the lock on the zone" in refusal(store.check_held)
        assert "cannot be reached" in refusal(make(at_proxy).load)
        assert "cannot be reached" in refusal(lambda: lock(make(at_proxy)))
        proxy.refuses = False
    use(make(at_proxy))


def test_a_connection_that_hangs(make, proxy, at_proxy, monkeypatch):
    """Nobody waits for ever: not for a look, not for the lock, not before a request, and not for the end."""
    monkeypatch.setattr(_session, "ANSWERS_WITHIN", 0.5)
    monkeypatch.setattr(_session, "ASKED_EVERY", 0.2)
    url = f"{at_proxy}?connect_timeout=2"
    store, other = make(url), make(url, patience=0.5)
    began = time.monotonic()
    other.load()
    with store.lock():
        proxy.hangs = True
        for call in (other.load, lambda: lock(other)):
            assert "cannot be reached" in refusal(call)
        time.sleep(0.3)
        for call in (store.check_held, lambda: store.save(FULL)):
            assert "the lock on the zone" in refusal(call)
    proxy.hangs = False
    lock(make(patience=GUARD))
    assert time.monotonic() - began < GUARD


class TimeIsOver(BaseException):
    """What Ansible raises when the time of a task is over."""


def test_a_task_whose_time_is_over_does_not_wait_for_the_lock(make, state_url, run_sql):
    def interrupt(_number, _frame):
        raise TimeIsOver

    before = signal.signal(signal.SIGALRM, interrupt)
    sessions = Sessions(state_url, 3)
    try:
        with make().lock():
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            began = time.monotonic()
            with pytest.raises(TimeIsOver):
                lock(make(patience=GUARD, sessions=sessions))
            assert time.monotonic() - began < GUARD / 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    lock(make(sessions=sessions))
    await_none(run_sql, LOCKED)


# Sessions


@pytest.fixture
def tables(make):
    """Another machine has made them."""
    use(make())


@pytest.mark.usefixtures("tables")
def test_round_trips(make, proxy, at_proxy):
    """One where nothing changes, and four more for what a change needs: the lock, two to save, and to let go."""
    sessions = Sessions(at_proxy, 3)
    make(sessions=sessions).load()
    for task, round_trips in ((use, 5), (DatabaseStore.load, 1), (use, 5)):
        made = proxy.round_trips
        task(make(sessions=sessions))
        assert proxy.round_trips - made == round_trips
    assert proxy.connections == 1


@pytest.mark.usefixtures("tables")
def test_runs_of_one_process_share_so_many_sessions(make, state_url, run_sql):
    """However many zones and threads there are, and no two at once in one session."""
    await_no_session(run_sql)
    sessions, most = Sessions(state_url, 4), []

    def run(number):
        store = make(zone=f"zone{number}.example.", sessions=sessions)
        store.load()
        with store.lock():
            most.append(len(run_sql(THERE_ARE)))
            store.save(PLAIN)

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(run, range(60)))
    assert max(most) == 4
    assert make(zone="zone59.example.").load() == PLAIN


@pytest.mark.usefixtures("tables")
def test_zones_that_wait_for_locks_in_all_sessions_say_who_holds_them(make, state_url):
    """None of them waits for a session of the others to find out."""
    zones = ("one.example.", "two.example.")
    sessions = Sessions(state_url, len(zones))

    def wait_for(zone):
        store = make(zone=zone, sessions=sessions, patience=0.3)
        return refusal(lambda: lock(store))

    with make(zone=zones[0]).lock(), make(zone=zones[1]).lock(), ThreadPoolExecutor(2) as pool:
        for waits in [pool.submit(wait_for, zone) for zone in zones]:
            message = waits.result(GUARD)
            assert "another run holds the lock on the zone (host " in message


@pytest.mark.usefixtures("tables")
def test_a_server_without_a_free_slot_is_told(make, role):
    url = role("connection limit 1", *ALL)
    with psycopg.connect(url):
        for call in (make(url).load, lambda: lock(make(url))):
            assert re.fullmatch(
                "the database of state_url cannot be reached, .* too many connections for role .*",
                refusal(call),
            )
    assert make(url).load() == PLAIN


@pytest.mark.usefixtures("tables")
def test_a_session_that_ended_while_it_lay_idle_costs_nothing(make, end_sessions, state_url):
    sessions = Sessions(state_url, 3)
    for _time in range(2):
        use(make(sessions=sessions))
        end_sessions()
        for act in (make(sessions=sessions).load, lambda: use(make(sessions=sessions))):
            act()


@pytest.mark.usefixtures("tables")
def test_sessions_end_with_who_shares_them(make, state_url, run_sql):
    await_no_session(run_sql)
    sessions = Sessions(state_url, 3)
    use(make(sessions=sessions))
    assert run_sql(THERE_ARE)
    del sessions
    gc.collect()
    await_none(run_sql, THERE_ARE)


@pytest.mark.usefixtures("tables")
def test_what_was_refused_or_interrupted_holds_no_lock(make, state_url, run_sql, monkeypatch):
    sessions = Sessions(state_url, 2)  # one that is not given back would be missed

    def interrupt(*_arguments):
        raise TimeIsOver

    with make().lock():
        for _time in range(2):
            refusal(lambda: lock(make(patience=0, sessions=sessions)))
    for call in (DatabaseStore.load, lock):
        with monkeypatch.context() as patch:
            patch.setattr(psycopg.Cursor, "fetchall", interrupt)
            with pytest.raises(TimeIsOver):
                call(make(sessions=sessions))
        await_none(run_sql, LOCKED)
    run_sql("alter table zonesmith.zone drop column holder")
    assert "does not exist" in refusal(lambda: lock(make(sessions=sessions)))
    await_none(run_sql, LOCKED)


def _tell_pid(sessions, to):
    with sessions.session() as session:
        to.send(session.pid)


def test_a_process_does_not_use_the_sessions_of_another(state_url):
    """Two processes with one session would hold one lock."""
    sessions = Sessions(state_url, 3)
    with sessions.session() as session:
        pid = session.pid
    context = multiprocessing.get_context("fork")
    answers, to = context.Pipe(duplex=False)
    child = context.Process(target=_tell_pid, args=(sessions, to))
    child.start()
    assert answers.poll(GUARD)
    assert answers.recv() not in (0, None, pid)
    child.join()
    with sessions.session() as again:
        assert again.pid == pid


def test_a_pooler_is_refused(make, run_sql, monkeypatch):
    """Behind it, another session answers than the one that the server named."""
    monkeypatch.setattr(Session, "pid", 1)
    assert "state_url leads to a connection pooler" in refusal(lambda: lock(make()))
    await_none(run_sql, LOCKED)


# Tables and rights


CONNECT = (
    "revoke all on database {database} from public",
    "grant connect on database {database} to {role}",
)


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("granted", ["", "grant usage on schema zonesmith to {role}"])
def test_a_role_without_its_rights_is_told(make, role, granted):
    url = role("", *CONNECT, *filter(None, [granted]))
    said = "grant the role of state_url the rights in the guide on state"
    for call in (make(url).load, lambda: lock(make(url))):
        assert said in refusal(call)


def test_a_role_that_may_not_make_the_tables(make, role, run_sql):
    said = refusal(lambda: lock(make(role("", *CONNECT))))
    assert "let a role with the CREATE privilege run a task once" in said
    assert run_sql("select from pg_namespace where nspname = 'zonesmith'") == []
    use(make(role("", *CONNECT, "create schema zonesmith authorization {role}")))


def test_machines_that_make_the_tables_at_one_moment(make):
    """Also those that would not wait for another run on the zone."""
    stores = [make(zone=f"zone{number}.example.", patience=0) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lock, stores)) == [EMPTY] * 8


@pytest.mark.usefixtures("tables")
def test_a_server_that_cannot_be_written_to(make, database, run_sql):
    run_sql(f"alter database {database} set default_transaction_read_only = on")
    assert make().load() == PLAIN
    assert "state_url must lead to a server that can be written to" in refusal(lambda: lock(make()))


@pytest.mark.usefixtures("tables")
def test_a_role_with_a_limit_of_its_own_waits_as_long_as_the_task_says(make, role):
    url = role("superuser", "alter role {role} set statement_timeout = '100ms'")
    with ThreadPoolExecutor(1) as pool:
        with make().lock():
            waits = pool.submit(lock, make(url, patience=GUARD))
            time.sleep(0.5)
        assert waits.result(GUARD) == PLAIN


TAMPERED = {
    "a huge document": "update zonesmith.zone set document = repeat('x', 140000000)",
    "half a character": """update zonesmith.zone set document = '{"format": 1, "entries": [["\\ud800", "A"]]}'""",
}


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("statement", TAMPERED.values(), ids=TAMPERED)
def test_what_strangers_wrote_ends_in_words(make, run_sql, statement):
    """And nothing that no run can have written is ever believed."""
    run_sql(statement)
    store = make()
    with store.lock() as document:
        assert replace(document, closed="") == EMPTY
        store.save(FULL)
    kept = make().load()
    assert kept.closed, "until somebody has looked at what was put aside"
    assert replace(kept, closed="") == FULL
    assert all(warning.isprintable() and len(warning) < 600 for warning in store.warnings)


@pytest.mark.usefixtures("tables")
def test_what_is_put_aside_is_in_a_row_beside_it(make, run_sql):
    run_sql("update zonesmith.zone set document = 'half'")
    store = make()
    lock(store)
    ((zone, document),) = run_sql(
        "select zone, document from zonesmith.zone where zone <> 'example.com.'"
    )
    assert document == "half"
    assert f"the row of the zone '{zone}'" in store.warnings[0]


@pytest.mark.usefixtures("tables")
def test_a_holder_can_say_nothing_to_the_terminal(make, run_sql):
    with make().lock():
        run_sql(
            "update zonesmith.zone set holder = chr(27) || ']0;owned' || chr(7) || chr(10) || repeat('x', 100000)"
        )
        assert len(refusal(lambda: lock(make(patience=0)))) < 1000
