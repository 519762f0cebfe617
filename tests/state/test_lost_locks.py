# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole runs whose database gives their lock to another one: what they write, and say.

What a run does whose store fails at any step is a row of tests/unit/apply/test_run.py.
"""

import os
import signal

import psycopg
import pytest
from held_zones import held_by
from machines import ADDRESSES, hold_back, removal, wait_for_fault
from playing import Task, wait_until
from postgres import Postgres


def rebuild_both(zone):
    """Two sets, one after the other."""
    records = [
        {"name": "www", "type": "A", "content": ADDRESSES},
        {"name": "xyz", "type": "A", "content": "198.51.100.1"},
    ]
    return Task("dns_records", {"zone": zone, "records": records, "ttl": 600, "concurrency": 1})


def begun(service, zone, machine):
    """A run on two sets that waits in the middle of the first one."""
    hold_back(service, "POST", 2)
    run = machine.start(rebuild_both(zone))
    wait_for_fault(service)
    return run


@pytest.fixture
def stopped_at(service, zone, machine):
    """Such a run, with the database that all share."""
    return begun(service, zone, machine())


def sessions(state_url, *, end=False, waiting=False):
    """How many sessions have a lock, or wait for one; those that have it can be ended."""
    with psycopg.connect(state_url, autocommit=True) as admin:
        pids = admin.execute(
            "select pid from pg_locks where locktype = 'advisory' and granted = %s and database = "
            "(select oid from pg_database where datname = current_database())",
            [not waiting],
        ).fetchall()
        for pid in pids if end else ():
            admin.execute("select pg_terminate_backend(%s)", pid)
        return len(pids)


def has_stopped(result):
    """Whether a run says that it has stopped because it lost the lock."""
    return (
        result["failed"]
        and "exception" not in result
        and "and with it the lock on the zone: this run stops" in result["msg"]
    )


def test_a_lock_that_is_stolen_stops_its_former_holder(
    service, zone, machine, state_url, stopped_at
):
    """It ends the set that it has deleted, also where the next one wants less of it by now, and begins no other."""
    second = machine().start(removal(zone))
    wait_until(lambda: sessions(state_url, waiting=True))
    assert sessions(state_url, end=True) == 1
    wait_until(lambda: not sessions(state_url, waiting=True))
    service.clear_faults()
    result, other = stopped_at.result(), second.result()
    assert has_stopped(result), result
    # Two runs write to one set now, and the second one may be refused what the first one adds: then it says so.
    assert not other.get("failed") or f"www.{zone}. A" in other["msg"], other
    assert held_by(service, zone)["xyz", "A"] == (300, ("198.51.100.1",))
    assert not machine().act(removal(zone)).get("failed")
    assert held_by(service, zone)["www", "A"] == (600, tuple(ADDRESSES[:-1]))


def test_a_machine_that_stood_still_stops_when_it_goes_on(
    service, zone, machine, state_url, stopped_at
):
    """It sends again what it was about to send, which is there, and begins nothing."""
    os.kill(stopped_at.pid, signal.SIGSTOP)
    try:
        refused = machine().act(removal(zone, lock_timeout=0.2))
        assert refused["failed"]
        assert f"(host {os.uname().nodename}, pid {stopped_at.pid}, since 20" in refused["msg"]
        assert "nothing was changed" in refused["msg"]
        assert sessions(state_url, end=True) == 1
        service.clear_faults()
        wait_until(lambda: len(held_by(service, zone)["www", "A"][1]) == 2)
        recovered = machine().act(Task("dns_record", {**removal(zone).options, "name": "other"}))
        assert not recovered.get("failed"), recovered
        assert [change["name"] for change in recovered["recovered"]] == [f"www.{zone}."]
    finally:
        os.kill(stopped_at.pid, signal.SIGCONT)
    assert has_stopped(stopped_at.result())
    assert held_by(service, zone) == {
        ("www", "A"): (600, tuple(ADDRESSES)),
        ("xyz", "A"): (300, ("198.51.100.1",)),
    }


@pytest.fixture
def primary():
    """A server that dies."""
    with Postgres() as server:
        yield server


def url_of_both(primary, standby):
    """The state_url that the guide advises."""
    both = primary.url().replace(f":{primary.port}/", f":{primary.port},127.0.0.1:{standby.port}/")
    return f"{both}?target_session_attrs=read-write"


def test_a_run_ends_the_set_that_it_deleted_where_a_standby_takes_over(
    service, zone, machine, primary
):
    """Here, the standby does not even have the log, so nobody but the run can end it."""
    with primary.standby() as standby:
        first = machine(url_of_both(primary, standby))
        run = begun(service, zone, first)
        primary.stop()
        standby.start()
        standby.promote()
        service.clear_faults()
        assert has_stopped(run.result())
        assert held_by(service, zone) == {
            ("www", "A"): (600, tuple(ADDRESSES)),
            ("xyz", "A"): (300, ("198.51.100.1",)),
        }
        again = first.act(rebuild_both(zone))
        assert not again.get("failed"), again
        assert held_by(service, zone)["xyz", "A"] == (600, ("198.51.100.1",))


def test_the_next_run_recovers_from_the_log_of_a_standby(service, zone, machine, primary):
    """The run is killed together with the primary, whose commits the standby has."""
    with primary.standby() as standby:
        standby.start()
        with psycopg.connect(primary.url(), autocommit=True) as admin:
            admin.execute("alter system set synchronous_standby_names = '*'")
            admin.execute("select pg_reload_conf()")
        first, other = (machine(url_of_both(primary, standby)) for _machine in range(2))
        run = begun(service, zone, first)
        primary.stop()
        run.kill()
        standby.promote()
        service.clear_faults()
        recovered = other.act(Task("dns_record", {**removal(zone).options, "name": "other"}))
        assert not recovered.get("failed"), recovered
        assert [change["name"] for change in recovered["recovered"]] == [f"www.{zone}."]
        assert held_by(service, zone)["www", "A"] == (600, tuple(ADDRESSES))
