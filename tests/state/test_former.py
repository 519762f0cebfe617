# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A state_dir that was in use before there was a state_url, and what the latter costs."""

from __future__ import annotations

import time
from pathlib import Path

from keeping import LONG_AGO, RunSql
from machines import ADDRESSES, NewMachine, hold_back, rebuild, removal, wait_for_fault
from playing import Task
from postgres import Postgres, Proxy
from running import Service
from scenarios import held_by


def test_a_journal_in_state_dir_from_before_is_completed_first(
    service: Service, zone: str, machine: NewMachine, state_url: str
) -> None:
    here = machine("")
    hold_back(service, "POST", 2)
    run = here.start(rebuild(zone))
    wait_for_fault(service)
    run.kill()
    here.environment["ZONESMITH_STATE_URL"] = state_url
    unrelated = Task("dns_record", {**removal(zone).options, "name": "other"})
    reported = here.act(unrelated, check_mode=True)
    assert "would be completed from the journal" in str(reported["warnings"]), reported
    assert reported["changed"]
    healed = here.act(unrelated)
    assert not healed.get("failed"), healed
    assert len(healed["recovered"]) == 1
    assert held_by(service, zone)["www", "A"] == (600, tuple(ADDRESSES))
    assert not list((Path(here.environment["ZONESMITH_STATE_DIR"])).glob("*.json"))


def test_a_run_of_state_dir_that_is_under_way_is_waited_for(
    service: Service, zone: str, machine: NewMachine, state_url: str
) -> None:
    here = machine("")
    hold_back(service, "POST", 2)
    first = here.start(rebuild(zone))
    wait_for_fault(service)
    here.environment["ZONESMITH_STATE_URL"] = state_url
    reported = here.act(removal(zone), check_mode=True)
    assert reported["recovered"] == []
    assert "another run is at work on" in str(reported["warnings"])
    service.clear_log()
    second = here.start(removal(zone))
    service.wait_log(1)
    time.sleep(0.5)  # in which it would write, if it did not wait
    assert {entry["method"] for entry in service.log()} == {"GET"}
    service.clear_faults()
    result = second.result()
    assert not result.get("failed"), result
    assert not first.result().get("failed")
    assert held_by(service, zone)["www", "A"] == (600, tuple(ADDRESSES[:-1]))


def test_cost(zone: str, machine: NewMachine, proxy: Proxy, postgres: Postgres, database: str, run_sql: RunSql) -> None:
    """In round trips besides those of the connection: two where nothing changes, five for a change."""
    here = machine(postgres.url(database, port=proxy.port))
    here.act(removal(zone))  # makes the tables
    for task, round_trips in ((removal(zone), 2), (rebuild(zone), 5), (rebuild(zone), 2), (removal(zone), 5)):
        run_sql(LONG_AGO)
        proxy.connections = proxy.round_trips = 0
        here.act(task)
        assert (proxy.connections, proxy.round_trips) == (1, round_trips), task
