# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole runs whose database goes away, comes back, or gives their lock to another one: what they write, and say."""

from __future__ import annotations

import os
import signal

import psycopg
import pytest
from machines import ADDRESSES, NewMachine, Result, hold_back, rebuild, removal, wait_for_fault, wait_until
from playing import Task
from postgres import Postgres, Proxy, free_port
from running import Service
from scenarios import held_by

GUARD = 90.0  # seconds in which all is done, also on a busy machine


def rebuild_both(zone: str) -> Task:
    """Two sets, one after the other."""
    records = [
        {"name": "www", "type": "A", "content": ADDRESSES},
        {"name": "xyz", "type": "A", "content": "198.51.100.1"},
    ]
    return Task("dns_records", {"zone": zone, "records": records, "ttl": 600, "concurrency": 1})


def writes(service: Service) -> list[str]:
    """What was sent but for readings, in short."""
    return [call for call in service.calls() if not call.startswith("GET")]


def sessions(state_url: str, *, end: bool = False, waiting: bool = False) -> int:
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


@pytest.mark.parametrize("check_mode", [False, True])
def test_a_database_that_is_away_stops_a_run_before_any_write(
    service: Service, zone: str, machine: NewMachine, *, check_mode: bool
) -> None:
    result = machine(f"postgresql://u:secret@127.0.0.1:{free_port()}/db").act(rebuild(zone), check_mode=check_mode)
    assert result["failed"]
    assert result["msg"].startswith(f"Zone {zone}: the database of state_url cannot be reached, ")
    hint = "Connection refused (Is the server running on that host and accepting TCP/IP connections?)"
    assert result["msg"].endswith(f"{hint}.")
    assert "secret" not in str(result)
    assert "exception" not in result
    assert writes(service) == []


def test_a_set_under_way_is_finished_and_no_other_begun(
    service: Service, zone: str, machine: NewMachine, proxy: Proxy, postgres: Postgres, database: str
) -> None:
    here = machine(postgres.url(database, port=proxy.port))
    hold_back(service, "POST")
    run = here.start(rebuild_both(zone))
    wait_for_fault(service)
    proxy.refuses = True
    proxy.cut()
    service.clear_faults()
    result = run.result()
    assert result["failed"]
    for said in (
        f"cannot delete xyz.{zone}. A",
        "the database of state_url cannot be reached",
        "the set holds 198.51.100.1 (TTL 300)",
        "(1 set applied, 1 failed, 0 not attempted)",
        "besides, the document of the zone cannot be written",
    ):
        assert said in result["msg"], result["msg"]
    assert "exception" not in result
    expected = [f"DELETE www.{zone}. A", *(f"POST www A {address}" for address in ADDRESSES)]
    assert writes(service) == expected
    assert held_by(service, zone)["www", "A"] == (600, tuple(ADDRESSES))
    proxy.refuses = False
    again = here.act(rebuild_both(zone))
    assert not again.get("failed"), again
    assert (again["recovered"], again.get("warnings", [])) == ([], [])
    assert [change["name"] for change in again["changes"]] == [f"xyz.{zone}."]
    assert held_by(service, zone)["xyz", "A"] == (600, ("198.51.100.1",))
    assert here.act(rebuild_both(zone))["changed"] is False


def test_what_is_done_is_told_where_the_document_cannot_be_saved(
    service: Service, zone: str, machine: NewMachine, proxy: Proxy, postgres: Postgres, database: str
) -> None:
    here = machine(postgres.url(database, port=proxy.port))
    hold_back(service, "POST")
    run = here.start(rebuild(zone))
    wait_for_fault(service)
    proxy.refuses = True
    proxy.cut()
    service.clear_faults()
    result = run.result()
    assert result["msg"].startswith(
        f"Zone {zone}: all changes were made and verified; besides, the document of the zone"
    )
    assert [change["after"]["ttl"] for change in result["changes"]] == [600]
    proxy.refuses = False
    again = here.act(rebuild(zone))
    assert (again.get("failed", False), again["changed"], again["recovered"]) == (False, False, []), again


def stopped(result: Result) -> bool:
    """Whether a run says that it has stopped because it lost the lock."""
    return bool(result.get("failed")) and "and with it the lock on the zone, and another run" in result["msg"]


def test_a_lock_that_is_stolen_stops_its_former_holder(
    service: Service, zone: str, machine: NewMachine, state_url: str
) -> None:
    """It ends the set that it has deleted, also where the next one wants less of it by now, and begins no other."""
    hold_back(service, "POST", 2)
    first = machine().start(rebuild_both(zone))
    wait_for_fault(service)
    second = machine().start(removal(zone))
    wait_until(lambda: sessions(state_url, waiting=True))
    assert sessions(state_url, end=True) == 1
    wait_until(lambda: not sessions(state_url, waiting=True))
    service.clear_faults()
    result, other = first.result(), second.result()
    assert stopped(result), result
    assert "exception" not in result
    # Two runs write to one set now, and the second one may be refused what the first one adds: then it says so.
    assert not other.get("failed") or f"www.{zone}. A" in other["msg"], other
    assert held_by(service, zone)["xyz", "A"] == (300, ("198.51.100.1",))
    assert not machine().act(removal(zone)).get("failed")
    assert held_by(service, zone)["www", "A"] == (600, tuple(ADDRESSES[:-1]))


def test_a_machine_that_stood_still_stops_when_it_goes_on(
    service: Service, zone: str, machine: NewMachine, state_url: str
) -> None:
    """It sends again what it was about to send, which is there, and begins nothing."""
    hold_back(service, "POST", 2)
    first = machine().start(rebuild_both(zone))
    wait_for_fault(service)
    os.kill(first.pid, signal.SIGSTOP)
    try:
        refused = machine().act(removal(zone, lock_timeout=0.2))
        assert refused["failed"]
        assert f"(host {os.uname().nodename}, pid {first.pid}, since 20" in refused["msg"]
        assert "nothing was changed" in refused["msg"]
        assert sessions(state_url, end=True) == 1
        service.clear_faults()
        wait_until(lambda: len(held_by(service, zone)["www", "A"][1]) == 2)
        healed = machine().act(Task("dns_record", {**removal(zone).options, "name": "other"}))
        assert not healed.get("failed"), healed
        assert [change["name"] for change in healed["recovered"]] == [f"www.{zone}."]
    finally:
        os.kill(first.pid, signal.SIGCONT)
    assert stopped(first.result())
    assert held_by(service, zone) == {("www", "A"): (600, tuple(ADDRESSES)), ("xyz", "A"): (300, ("198.51.100.1",))}
