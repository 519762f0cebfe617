# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines that are killed and removed with all they kept, and machines that change one record set at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from machines import Machine
from playing import Task
from running import Service
from scenarios import held_by

ROUNDS = 10
MACHINES, FORKS = 3, 2


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The stand-in service, at which a write takes a while and concurrent ones lose values."""
    with Service("--lose-concurrent-writes", "--latency", "2") as service:
        yield service


def _joins_and_leaves(number: int) -> list[Task]:
    """The tasks of one fork: its value joins and leaves so many times, and stays at the end if its number is odd."""
    value = f"192.0.2.{number + 1}"
    common = {"zone": "shared.example", "name": "pool", "type": "A", "content": [value], "lock_timeout": 120}
    tasks = [Task("dns_record", {**common, "state": state}) for state in ("present", "absent") * ROUNDS]
    return tasks if number % 2 == 0 else tasks[:-1]


def _wrong(service: Service, tmp_path: Path, state_url: str) -> list[str]:
    """What is wrong of the results of all machines, and of the set that they leave."""
    service.zone("shared.example", [("pool", "TXT", 300, ['"not an address"']), ("pool", "A", 300, ["198.51.100.1"])])
    forks = range(MACHINES * FORKS)
    machines = [Machine(tmp_path / f"machine{number}", service, state_url) for number in range(MACHINES)]
    runs = [machines[number % MACHINES].start(*_joins_and_leaves(number)) for number in forks]
    wrong = []
    for number, run in enumerate(runs):
        value = f"192.0.2.{number + 1}"
        for turn, result in enumerate(run.results()):
            there = (result.get("record_set") or {}).get("contents", [])
            if result.get("failed") or not result["changed"] or (value in there) != (turn % 2 == 0):
                wrong.append(f"{value} turn {turn}: {result.get('msg', result)}")
    held = held_by(service, "shared.example")
    stay = [f"192.0.2.{number + 1}" for number in forks if number % 2]
    if sorted(held["pool", "A"][1]) != sorted(["198.51.100.1", *stay]):
        wrong.append(f"the set holds {held['pool', 'A']}")
    if held["pool", "TXT"] != (300, ('"not an address"',)):
        wrong.append(f"the text beside is {held['pool', 'TXT']}")
    return wrong


def test_machines_that_change_one_set_at_once_lose_nothing(service: Service, state_url: str, tmp_path: Path) -> None:
    """Each value has one fork that joins and leaves it, so every task changes the set, and none may say ok."""
    assert _wrong(service, tmp_path, state_url) == []
