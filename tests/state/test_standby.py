# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The primary dies in a rebuild, and a standby takes over that lacks the last commits: replication that is real."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from machines import ADDRESSES, Machine, NewMachine, Run, hold_back, rebuild, wait_for_fault
from playing import Task
from postgres import Postgres
from running import Service
from scenarios import held_by

LACKS = "lacked the last commits of this run"


@pytest.fixture
def primary() -> Iterator[Postgres]:
    """A server that dies."""
    with Postgres() as server:
        yield server


def both(primary: Postgres, standby: Postgres) -> str:
    """The state_url that names both."""
    return (
        primary.url().replace(f":{primary.port}/", f":{primary.port},127.0.0.1:{standby.port}/")
        + "?target_session_attrs=read-write"
    )


def adding(zone: str, name: str) -> Task:
    """One more set."""
    return Task("dns_record", {"zone": zone, "name": name, "type": "A", "content": "192.0.2.1"})


def rebuilding_while(primary: Postgres, standby: Postgres, here: Machine, service: Service, zone: str) -> Run:
    """A run whose set is deleted, while the primary dies and the standby takes over."""
    hold_back(service, "POST")
    run = here.start(rebuild(zone))
    wait_for_fault(service)
    primary.stop()
    standby.start()
    standby.promote()
    return run


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_standby_that_lacks_commits(
    service: Service, zone: str, machine: NewMachine, primary: Postgres, *, is_taken: bool
) -> None:
    """What a run has kept is kept again and its set completed, unless another run has had the lock since."""
    service.zone("other.example", [("www", "A", 300, ADDRESSES)])
    before = machine(primary.url())
    assert before.act(rebuild("other.example"))["changed"]  # makes the tables
    with primary.standby() as standby:
        here = machine(both(primary, standby))
        run = rebuilding_while(primary, standby, here, service, zone)
        if is_taken:
            other = machine(standby.url()).act(adding(zone, "b"))
            assert other["changed"], other
        service.clear_faults()
        result = run.result()
        if is_taken:
            assert result["failed"]
            assert "and with it the lock on the zone, and another run has had the lock since" in result["msg"], result
            return
        assert not result.get("failed"), result
        assert LACKS in str(result["warnings"])
        assert held_by(service, zone)["www", "A"] == (600, tuple(ADDRESSES))
        again = here.act(rebuild(zone))
        assert (again["changed"], again["recovered"]) == (False, [])
