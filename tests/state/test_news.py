# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs tell those who listen as ``eda.builtin.pg_listener`` does, and the rulebook that does so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from machines import ADDRESSES, NewMachine, hold_back, rebuild, removal, wait_for_fault
from playing import Task
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import news_of

RULEBOOK = Path(__file__).resolve().parents[2] / "docs" / "examples" / "drift" / "rulebook.yml"
(RULES,) = yaml.safe_load(RULEBOOK.read_text(encoding="utf-8"))
(SOURCE,) = RULES["sources"]
LISTENER = SOURCE["eda.builtin.pg_listener"]
END = "the test is over"

Event = dict[str, Any]


class Listener:
    """Listens on the channels of the rulebook until somebody asks what came."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def events(self, number: int) -> list[Event]:
        """So many events, sorted, and what else comes until then; nobody waits for the server to have told of a run."""
        self._connection.execute(
            "select pg_notify(%s, %s)", (LISTENER["channels"][0], json.dumps(END))
        )
        events, is_over = [], False
        for one in self._connection.notifies(timeout=60):
            event = json.loads(one.payload)
            is_over |= event == END
            events += [event] if event != END else []
            if is_over and len(events) >= number:
                break
        return sorted(events, key=lambda event: (event["zone"], event["state"]))


@pytest.fixture
def listener(state_url: str) -> Iterator[Listener]:
    with psycopg.connect(state_url, autocommit=True) as connection:
        for channel in LISTENER["channels"]:
            connection.execute(
                psycopg.sql.SQL("LISTEN {};").format(psycopg.sql.Identifier(channel))
            )
        yield Listener(connection)


def of(service: Service, zone: str, state: str) -> Event:
    return {"zone": zone, "state": state, "service": service.url}


def nothing_to_do(zone: str) -> Task:
    return Task("dns_record", {"zone": zone, "name": "www", "type": "A", "content": ADDRESSES})


ENDS: dict[str, tuple[Any, bool, list[str]]] = {
    "a run that adds": (
        lambda zone: Task(
            "dns_record", {"zone": zone, "name": "new", "type": "A", "content": "192.0.2.1"}
        ),
        False,
        ["changed"],
    ),
    "a run that rebuilds": (rebuild, False, ["changed"]),
    "a run that finds all as it should be": (nothing_to_do, False, []),
    "check mode that would change something": (removal, True, ["would_change"]),
    "check mode that finds all as it should be": (nothing_to_do, True, []),
}


@pytest.mark.parametrize(("task", "check_mode", "states"), ENDS.values(), ids=ENDS)
def test_who_listens_hears_of_a_run_that_changed_or_found_something(
    service: Service,
    zone: str,
    machine: NewMachine,
    listener: Listener,
    task: Any,
    *,
    check_mode: bool,
    states: list[str],
) -> None:
    result = machine().act(task(zone), check_mode=check_mode)
    assert (result.get("failed"), result["changed"]) == (None, bool(states)), result
    assert listener.events(len(states)) == [of(service, zone, state) for state in states]


def test_a_failure_is_told_where_the_run_had_begun_to_write(
    service: Service, zone: str, machine: NewMachine, listener: Listener
) -> None:
    service.fault("status", method="POST", status=403, times=0)
    adds = {"zone": zone, "name": "new", "type": "A", "content": "192.0.2.1"}
    assert machine().act(Task("dns_record", adds))["failed"]
    assert listener.events(1) == [of(service, zone, "failed")]
    assert machine().act(
        Task(
            "dns_record",
            {"zone": "gone.example", "name": "www", "type": "A", "content": "192.0.2.1"},
        )
    )["failed"]
    assert listener.events(0) == [], "nothing was written, nor found"


def test_what_was_completed_for_a_run_that_was_killed_is_told_by_the_one_that_did_it(
    service: Service, zone: str, machine: NewMachine, listener: Listener
) -> None:
    hold_back(service, "POST", 3)
    run = machine().start(rebuild(zone))
    wait_for_fault(service)
    run.kill()
    service.clear_faults()
    assert listener.events(0) == [], "it has not ended"
    assert machine().act(nothing_to_do(zone))["recovered"]
    assert listener.events(1) == [of(service, zone, "changed")]


def test_the_rulebook_asks_for_what_events_have() -> None:
    conditions = "\n".join(rule["condition"] for rule in RULES["rules"])
    event = json.loads(news_of("example.com.", "changed", "https://dns.example.com"))
    assert set(re.findall(r"event\.(\w+)", conditions)) <= set(event)
    assert set(re.findall(r'event\.state == "(\w+)"', conditions)) == {"would_change", "failed"}
