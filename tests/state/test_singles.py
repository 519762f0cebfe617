# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One thing goes wrong at each step of a rebuild, for real: processes, HTTP, SIGKILL, PostgreSQL.

A sample of tests/faults, where the same and more is played in memory. A step is a request or a save.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from machines import Machine, NewMachine, Result, Run, wait_until
from playing import Task
from running import Service
from scenarios import Held, fill, held_by, same, stored_twice

from ansible_collections.zonesmith.dns.plugins.module_utils._api.sender import Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore

ADDRESSES = ("192.0.2.1", "192.0.2.2")
BESIDE: Held = {("xyz", "A"): (300, ("198.51.100.1",))}
BEFORE: Held = {**BESIDE, ("www", "A"): (300, ADDRESSES)}
AFTER: Held = {**BESIDE, ("www", "A"): (600, ADDRESSES)}
OTHER: Held = {("other", "A"): (60, ("192.0.2.9",))}
STEPS = ("GET", "GET", "save", "DELETE", "POST", "POST", "GET", "save")
"""Of the rebuild, where nothing goes wrong: the second snapshot is taken under the lock."""

Act = Callable[[], object]


def rebuild(zone: str) -> Task:
    """Both values get another TTL."""
    return Task("dns_record", {"zone": zone, "name": "www", "type": "A", "content": [*ADDRESSES], "ttl": 600})


def another(zone: str) -> Task:
    """Something that has nothing to do with it."""
    return Task("dns_record", {"zone": zone, "name": "other", "type": "A", "content": ["192.0.2.9"], "ttl": 60})


@dataclass(frozen=True)
class Case:
    """A step of the run on a zone of its own, before or after which something goes wrong."""

    zone: str
    step: int
    when: str

    def __str__(self) -> str:
        return f"{self.when} step {self.step + 1}, {STEPS[self.step]}"


def cases(kind: str, *whens: str) -> list[Case]:
    """One for each step."""
    named = [(step, when) for step in range(len(STEPS)) for when in whens]
    return [Case(f"{kind}{number}.example", step, when) for number, (step, when) in enumerate(named)]


def watched(see: Callable[[int, str, str], object]) -> None:
    """Have each step of this process seen, by its number and what it is, before and after."""
    numbers = count()

    def watch(owner: type, name: str, what: Callable[..., str]) -> None:
        carry_out = getattr(owner, name)

        def carried_out(*given: Any) -> Any:
            number = next(numbers)
            see(number, "before", what(*given))
            answer = carry_out(*given)
            see(number, "after", what(*given))
            return answer

        setattr(owner, name, carried_out)

    watch(Sender, "send", lambda _sender, method, *_more: method)
    watch(DatabaseStore, "save", lambda *_given: "save")


def interrupted(case: Case, act: Act) -> Act:
    """What prepares a process for that."""

    def see(number: int, when: str, _what: str) -> None:
        if (number, when) == (case.step, case.when):
            act()

    return lambda: watched(see)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The stand-in service, at which a write takes a while and concurrent ones lose values."""
    with Service(settings={"lose_concurrent_writes": True, "latency": 2}) as service:
        yield service


def ended(runs: Sequence[Run]) -> list[Result]:
    """What each of them returned."""
    results = [run.result() for run in runs]
    assert [result["msg"] for result in results if result.get("failed")] == []
    return results


def heals(service: Service, machine: Machine, case_list: Sequence[Case]) -> list[str]:
    """What is wrong after the next run of another task, after that of the same one, and after one more."""
    wrong = []
    ended([machine.start(another(case.zone)) for case in case_list])
    for case in case_list:
        held = held_by(service, case.zone)
        if not {*ADDRESSES} <= {*held.get(("www", "A"), (0, ()))[1]} or not {**BESIDE, **OTHER}.items() <= held.items():
            wrong.append(f"{case}: the next task leaves {held}")
    ended([machine.start(rebuild(case.zone)) for case in case_list])
    for case in case_list:
        held = held_by(service, case.zone)
        if not same(held, {**AFTER, **OTHER}) or stored_twice(held):
            wrong.append(f"{case}: the same task leaves {held}")
    again = ended([machine.start(rebuild(case.zone)) for case in case_list])
    for case, result in zip(case_list, again, strict=True):
        if result["changed"] or result.get("warnings"):
            wrong.append(f"{case}: once more, {result}")
    return wrong


@pytest.fixture
def tables(service: Service, machine: NewMachine) -> None:
    """They are there."""
    fill(service, "tables.example", {})
    assert machine().act(another("tables.example"))["changed"]


@pytest.mark.usefixtures("tables")
def test_the_steps(service: Service, machine: NewMachine, tmp_path: Path) -> None:
    """Two snapshots, two saves, and the requests: there are no others."""
    fill(service, "steps.example", BEFORE)
    seen = tmp_path / "steps"

    def see(_number: int, when: str, what: str) -> None:
        with seen.open("a") as file:
            file.write(f"{what} " if when == "before" else "")

    assert machine().start(rebuild("steps.example"), prepare=lambda: watched(see)).result()["changed"]
    assert tuple(seen.read_text().split()) == STEPS


@pytest.mark.usefixtures("tables")
def test_a_run_that_is_killed(service: Service, machine: NewMachine) -> None:
    """Before and after each step."""
    killed = cases("kill", "before", "after")
    here = machine()
    runs = []
    for case in killed:
        fill(service, case.zone, BEFORE)
        die = interrupted(case, lambda: os.kill(os.getpid(), signal.SIGKILL))
        runs.append(here.start(rebuild(case.zone), prepare=die))
    assert all(run.was_killed() for run in runs)
    assert heals(service, machine(), killed) == []


@pytest.mark.usefixtures("tables")
def test_a_connection_that_is_cut(service: Service, machine: NewMachine, state_url: str) -> None:
    """Before each step, by the administrator of the server; and nobody notices."""
    cut = cases("cut", "before")
    runs = []
    for case in cut:
        fill(service, case.zone, BEFORE)
        own = machine(f"{state_url}?application_name={case.zone}")
        runs.append(own.start(rebuild(case.zone), prepare=interrupted(case, _cutting(state_url, case.zone))))
    results = ended(runs)
    assert [(str(case), one) for case, one in zip(cut, results, strict=True) if "warnings" in one] == []
    assert [str(case) for case in cut if not same(held_by(service, case.zone), AFTER)] == []
    assert heals(service, machine(), cut) == []


def _cutting(state_url: str, name: str) -> Act:
    def cut() -> None:
        with psycopg.connect(state_url, autocommit=True) as admin:
            ended = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = %s"
            assert admin.execute(ended, [name]).fetchall()
            there = ended.replace("pg_terminate_backend(pid)", "")
            wait_until(lambda: not admin.execute(there, [name]).fetchall())

    return cut
