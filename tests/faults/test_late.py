# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A request that the service carries out long after its sender gave up, read the zone again, and sent it once more."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playing import Task, run_directly
from running import Service
from scenarios import SCENARIOS, Held, Scenario, fill, held_by, lost, same, stored_twice

TIMEOUT = 0.5
LATE = 12.0
"""Seconds until the late request is carried out: well after the end of all runs, on a busy machine too."""

CHANGES = {scenario.name: scenario for scenario in SCENARIOS if scenario.name not in ("removal", "bulk")}
LATE_CALLS = [(name, "POST") for name in CHANGES] + [(name, "DELETE") for name in CHANGES if name != "add"]
LIMIT = pytest.mark.xfail(
    reason="a deletion that comes late takes the new set with it, and it is gone until the next run (docs/security.md)",
    strict=True,
)


@dataclass(frozen=True)
class Seen:
    """What came of one late request."""

    scenario: Scenario
    result: dict[str, Any]
    at_end: Held
    later: Held
    final: Held


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[tuple[str, str], Seen]]:
    """Every late request of every scenario: what there was at the end of the run, later, and after another run."""
    state_dir = tmp_path_factory.mktemp("late") / "state"
    zones = {call: f"case{number:05d}.example" for number, call in enumerate(LATE_CALLS)}

    def tasks(**options: Any) -> dict[str, Task]:
        wanted = {call: CHANGES[call[0]].task for call in LATE_CALLS}
        return {
            zones[call]: Task(task.module, {"zone": zones[call], **task.options, **options})
            for call, task in wanted.items()
        }

    with Service() as service:
        for name, method in LATE_CALLS:
            zone = zones[name, method]
            fill(service, zone, CHANGES[name].before)
            service.fault("slow", method=method, path=f"/{zone.replace('.', '')}", seconds=LATE)
        results = run_directly(tasks(timeout=TIMEOUT, retries=3), service, state_dir)
        at_end = {call: held_by(service, zone) for call, zone in zones.items()}
        time.sleep(LATE)
        later = {call: held_by(service, zone) for call, zone in zones.items()}
        run_directly(tasks(), service, state_dir)
        yield {
            call: Seen(CHANGES[call[0]], results[zone], at_end[call], later[call], held_by(service, zone))
            for call, zone in zones.items()
        }


@pytest.mark.parametrize(("name", "method"), LATE_CALLS)
def test_the_run_itself_ends_well(seen: dict[tuple[str, str], Seen], name: str, method: str) -> None:
    one = seen[name, method]
    assert one.result.get("failed", False) is False
    assert same(one.at_end, one.scenario.after)


@pytest.mark.parametrize("name", CHANGES)
def test_a_creation_that_comes_late_does_no_harm(seen: dict[tuple[str, str], Seen], name: str) -> None:
    """Where the service refuses values that are there. One that does not would now hold it twice."""
    one = seen[name, "POST"]
    assert same(one.later, one.scenario.after)
    assert not stored_twice(one.later)


@pytest.mark.parametrize(
    "name", [pytest.param("rebuild", marks=LIMIT), pytest.param("partial removal", marks=LIMIT), "replace"]
)
def test_a_deletion_that_comes_late_takes_nothing_along(seen: dict[tuple[str, str], Seen], name: str) -> None:
    one = seen[name, "DELETE"]
    assert lost(one.scenario, one.later) == []


@pytest.mark.parametrize("name", ["rebuild", "partial removal", "replace"])
def test_what_a_late_deletion_took_along_is_back_after_the_next_run(
    seen: dict[tuple[str, str], Seen], name: str
) -> None:
    """What the task names, and what it only meant to keep: the set is remembered beside the lock."""
    one = seen[name, "DELETE"]
    assert same(one.final, one.scenario.after)
