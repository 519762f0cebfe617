# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""dns_zones in two processes at once, and in one that is killed among many zones, with files and with a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from machines import ADDRESSES, LIMIT, Machine, NewMachine, Result, wait_for_fault
from playing import Task
from running import Service
from scenarios import Held, held_by, stored_twice

ROUNDS = 20
OTHER: Held = {("xyz", "A"): (300, ("198.51.100.1",))}
BEFORE: Held = {**OTHER, ("www", "A"): (300, tuple(ADDRESSES))}
AFTER: Held = {**OTHER, ("www", "A"): (600, tuple(ADDRESSES))}
REBUILD = {"name": "www", "type": "A", "content": ADDRESSES, "ttl": 600}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The stand-in service, at which a write takes a while and concurrent ones lose values."""
    with Service(settings={"lose_concurrent_writes": True, "latency": 2}) as service:
        yield service


@pytest.fixture(params=["files", "database"])
def two(request: pytest.FixtureRequest, machine: NewMachine) -> tuple[Machine, Machine]:
    """Two that share their state: one machine twice, or two with one database."""
    if request.param == "database":
        return machine(), machine()
    one = machine("")
    return one, one


def make_zones(service: Service, names: list[str]) -> None:
    """Zones that hold BEFORE."""
    rows = [(name, rdtype, ttl, values) for (name, rdtype), (ttl, values) in BEFORE.items()]
    for name in names:
        service.zone(name, rows)
    service.clear_log()
    service.clear_faults()


def task_on(names: list[str], *more: dict[str, Any], **options: Any) -> Task:
    """The addresses of www in all zones get another TTL."""
    zones = [{"zone": name, "records": [REBUILD, *more]} for name in names]
    return Task("dns_zones", {"zones": zones, **options})


def test_two_at_once_over_the_same_zones_are_both_right(
    service: Service, two: tuple[Machine, Machine], request: pytest.FixtureRequest
) -> None:
    """Round after round, one from the first zone on and the other from the last, with few threads and with many.

    What both want is sent once, what one of them wants too, and each tells what it did itself.
    """
    place = request.node.name.partition("[")[2][:1]
    rounds = [[f"{place}{number:02}{letter}.example" for letter in "abcde"] for number in range(ROUNDS)]
    names = [name for round_ in rounds for name in round_]
    make_zones(service, names)
    own = [{"name": f"own{number}", "type": "A", "content": "192.0.2.9", "ttl": 60} for number in range(2)]
    begun = []
    for number, machine in enumerate(two):
        lists = [round_[:: -1 if number else 1] for round_ in rounds]
        tasks = [task_on(list_, own[number], concurrency=1 + turn % 4) for turn, list_ in enumerate(lists)]
        begun.append(machine.start(*tasks))
    results = [run.results() for run in begun]
    assert [result["msg"] for of_run in results for result in of_run if result.get("failed")] == []
    told: Counter[tuple[str, str]] = Counter()
    for of_run in results:
        for zone in (zone for result in of_run for zone in result["zones"]):
            told.update((change["name"], change["action"]) for change in zone["changes"])
            assert zone["recovered"] == []
    assert told == {
        **{(f"www.{name}.", "rebuild"): 1 for name in names},
        **{(f"own{number}.{name}.", "create"): 1 for name in names for number in range(2)},
    }
    wanted = {**AFTER, ("own0", "A"): (60, ("192.0.2.9",)), ("own1", "A"): (60, ("192.0.2.9",))}
    for name in names:
        held = held_by(service, name)
        assert stored_twice(held) == []
        assert held == wanted
    written = Counter(entry["method"] for entry in service.log() if entry["changed"])
    assert written == {"DELETE": len(names), "POST": len(names) * (len(ADDRESSES) + 2)}


def test_a_zone_that_another_run_holds_fails_alone(
    service: Service, two: tuple[Machine, Machine], request: pytest.FixtureRequest
) -> None:
    place = request.node.name.partition("[")[2][:1]
    names = [f"{place}-held-{number}.example" for number in range(4)]
    make_zones(service, names)
    service.fault("slow", method="POST", path=names[1].replace(".", ""), seconds=LIMIT)
    holder = two[0].start(task_on(names[1:2]))
    wait_for_fault(service)
    result: Result = two[1].act(task_on(names, lock_timeout=0.5))
    assert result["msg"].startswith(f"1 of 4 zones failed, and the others are as wanted. Zone {names[1]}: ")
    assert f", pid {holder.pid}, since " in result["msg"]
    assert [item["changed"] for item in result["zones"]] == [True, True, True, False]
    service.clear_faults()
    assert not holder.result().get("failed")
    assert [name for name in names if held_by(service, name) != AFTER] == []
