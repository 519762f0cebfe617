# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines that are killed and removed with all they kept, and machines that change one record set at once."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from killing import Killer
from machines import Machine, Result
from playing import Task, play_tasks
from running import Service
from scenarios import SCENARIOS, UNRELATED, UNRELATED_SET, Held, Scenario, fill, held_by, lost, same, stored_twice

FULL = os.environ.get("STATE") == "all"
ROUNDS = 50 if FULL else 10
MACHINES, FORKS = 3, 2
LONG = 60
"""Seconds that a request is held back whose sender is killed meanwhile."""

KILLED = [scenario for scenario in SCENARIOS if scenario.name in ("partial removal", "replace")]


@dataclass(frozen=True)
class Kill:
    """A kill at one request, before or after the service carries it out."""

    number: int
    scenario: Scenario
    method: str
    nth: int
    kind: str

    @property
    def host(self) -> str:
        """The host of the play."""
        return f"kill{self.number:03}"

    @property
    def zone(self) -> str:
        """The zone, of its own."""
        return f"{self.host}.example"

    def task(self, task: Task, **options: Any) -> Task:
        """A task on the zone."""
        return Task(task.module, {"zone": self.zone, **task.options, **options})

    def __str__(self) -> str:
        return f"{self.scenario.name}, {self.kind} {self.method} {self.nth}"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The stand-in service, at which a write takes a while and concurrent ones lose values."""
    with Service("--lose-concurrent-writes", "--latency", "2") as service:
        yield service


def _kills(service: Service, machine: Machine) -> Iterator[Kill]:
    """Every request of every scenario, as a run makes them that nothing disturbs."""
    numbers = count()
    for number, scenario in enumerate(KILLED):
        zone = f"clean{number}.example"
        fill(service, zone, scenario.before)
        service.clear_log()
        result = machine.act(Task(scenario.task.module, {"zone": zone, **scenario.task.options}))
        assert result["changed"], result
        nth: Counter[str] = Counter()
        for entry in service.log():
            nth[entry["method"]] += 1
            for kind in ("hang_before", "hang_after") if entry["method"] != "GET" else ("hang_before",):
                yield Kill(next(numbers), scenario, entry["method"], nth[entry["method"]], kind)


def test_what_a_removed_machine_left_is_completed_by_any_other(
    service: Service, state_url: str, tmp_path: Path
) -> None:
    kills = list(_kills(service, Machine(tmp_path / "clean", service, state_url)))
    assert len(kills) > 15
    for kill in kills:
        fill(service, kill.zone, kill.scenario.before)
        slug = f"/{kill.zone.replace('.', '')}"
        service.fault(kill.kind, method=kill.method, nth=kill.nth, path=slug, seconds=LONG)
    gone = tmp_path / "gone"
    gone.mkdir()
    tasks = {kill.host: kill.task(kill.scenario.task, retries=0, timeout=LONG) for kill in kills}
    with Killer(service, {f"/{kill.zone.replace('.', '')}": kill.host for kill in kills}) as killer:
        marks = {"HOME": str(gone), "ZONESMITH_STATE_URL": state_url}
        play_tasks(tasks, service, gone / "state", marks=marks, forks=10)
    assert killer.killed == set(tasks)
    shutil.rmtree(gone)
    service.clear_faults()

    left = [held_by(service, kill.zone) for kill in kills]
    other = Machine(tmp_path / "other", service, state_url)
    healed = _spread(other, [kill.task(UNRELATED, lock_timeout=0) for kill in kills])
    for kill, held, result in zip(kills, left, healed, strict=True):
        _check_healed(kill, held, result, held_by(service, kill.zone))
    again = _spread(other, [kill.task(kill.scenario.task, lock_timeout=0) for kill in kills])
    for kill, result in zip(kills, again, strict=True):
        assert not result.get("failed"), (str(kill), result)
        assert same(held_by(service, kill.zone), {**kill.scenario.after, **UNRELATED_SET}), str(kill)
    with psycopg.connect(state_url) as connection:
        assert connection.execute("select from pg_locks where locktype = 'advisory'").fetchall() == []


def _spread(machine: Machine, tasks: list[Task]) -> list[Result]:
    """The results of tasks that do not concern each other, each in a process of its own: some of them wait."""
    runs = [machine.start(task) for task in tasks]
    return [run.result() for run in runs]


def _check_healed(kill: Kill, left: Held, result: Result, held: Held) -> None:
    """Another task on the zone, from an empty machine, has completed what was lost, and says so."""
    assert not result.get("failed"), (str(kill), result)
    assert lost(kill.scenario, held) == [], (str(kill), result)
    assert stored_twice(held) == [], str(kill)
    assert bool(lost(kill.scenario, left)) <= bool(result["recovered"]), (str(kill), result)


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


@pytest.mark.skipif(not FULL, reason="shows for STATE=all what there is without state_url")
def test_machines_without_a_database_lose_values(service: Service, tmp_path: Path) -> None:
    assert _wrong(service, tmp_path, "") != []
