# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A sample of what is enumerated, for what is real of it: processes, requests, time, files and SIGKILL.

Each case has a zone of its own. The task runs into the fault; then, without fault, the same task runs again, or another
task on the zone and then the same, and once more. Nothing that was to stay may be missing, and nothing there twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from held_zones import (
    TRANSITIONS,
    UNRELATED,
    UNRELATED_SET,
    Transition,
    fill,
    held_by,
    lost,
    same,
    sent_twice,
    stored_twice,
)
from killing import Killer
from playing import CASE, Task, play_tasks, run_directly
from running import Service

EACH = 7
"""So-manieth of the cases in which nobody is killed."""
LONG = 60
"""Seconds that a request hangs whose sender is killed meanwhile."""
IN_ANSIBLE = ("rebuild", "replace")
WRITES = ("DELETE", "POST")

POINTS: Mapping[str, Sequence[tuple[str, int]]] = {
    "add": [("GET", 2), ("POST", 1)],
    "rebuild": [("GET", 2), ("DELETE", 1), ("POST", 1), ("POST", 3)],
    "partial removal": [("DELETE", 1), ("POST", 2)],
    "removal": [("GET", 1), ("DELETE", 1)],
    "replace": [("DELETE", 1), ("POST", 1), ("POST", 2)],
}
"""By transition, the requests that are disturbed: the so-manieth with a method."""

Results = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class Fault:
    """A fault, as the stand-in service takes it, and how the run that meets it must end."""

    name: str
    ends: str  # "well", "failed", "killed", or "either" of the first two
    fields: Mapping[str, Any]
    methods: Sequence[str] = WRITES
    options: Mapping[str, Any] = field(default_factory=lambda: {"retries": 2, "timeout": 20})


ANY = ("GET", *WRITES)
# Twice as long as a busy machine may take for an honest answer.
HANG = {"retries": 4, "timeout": 10}
FAULTS = (
    Fault("500", "well", {"kind": "status", "status": 500}, ANY),
    Fault("429", "well", {"kind": "status", "status": 429, "headers": {"Retry-After": "1"}}, ANY),
    Fault("drop before", "well", {"kind": "drop_before"}, ANY),
    Fault("hang before", "well", {"kind": "hang_before", "seconds": 20}, ANY, HANG),
    Fault("500 after", "well", {"kind": "status_after", "status": 500}),
    Fault("drop after", "well", {"kind": "drop_after"}),
    Fault("hang after", "well", {"kind": "hang_after", "seconds": 20}, options=HANG),
    # A CNAME that is still there, whatever the service said, makes its successor impossible.
    Fault("lie", "either", {"kind": "lie"}),
    Fault("refusal", "failed", {"kind": "status", "status": 422, "body": {"message": "No."}}),
    Fault(
        "kill before",
        "killed",
        {"kind": "hang_before", "seconds": LONG},
        ANY,
        {"retries": 0, "timeout": LONG},
    ),
    Fault(
        "kill after",
        "killed",
        {"kind": "hang_after", "seconds": LONG},
        options={"retries": 0, "timeout": LONG},
    ),
    Fault("gone", "failed", {"kind": "drop_before", "times": 0}, options={"retries": 0}),
)


@dataclass(frozen=True, eq=False)
class Case:
    """One fault at the request that is the *nth* of its method in the run of the transition."""

    number: int
    transition: Transition
    fault: Fault
    method: str
    nth: int

    @property
    def host(self) -> str:
        """The host of the play; of a fixed length, so that no slug is part of another."""
        return f"case{self.number:05d}"

    @property
    def zone(self) -> str:
        """The case's own zone."""
        return f"{self.host}.example"

    @property
    def path(self) -> str:
        """What only the paths of this zone hold."""
        return f"/{self.host}example"

    @property
    def recovers_elsewhere(self) -> bool:
        """Whether it is another task, not the same one again, that comes first after the fault."""
        return self.fault.ends != "well" and self.number % 2 == 0

    def task(self, task: Task, **options: Any) -> Task:
        """A task on its zone."""
        return Task(task.module, {"zone": self.zone, **task.options, **options})

    def __str__(self) -> str:
        return f"{self.transition.name}, {self.fault.name} at {self.method} {self.nth}"


def _cases() -> Iterator[Case]:
    rows = [
        (transition, fault, *point)
        for transition in TRANSITIONS
        for point in POINTS[transition.name]
        for fault in FAULTS
        if point[0] in fault.methods
    ]
    kills = [row for row in rows if row[1].ends == "killed"]
    others = [row for row in rows if row[1].ends != "killed"][::EACH]
    yield from (Case(number, *row) for number, row in enumerate([*kills, *others]))


CASES = list(_cases())


def _played(cases: Sequence[Case], service: Service, state_dir: Path) -> Results:
    """In forks."""
    tasks = {case.host: case.task(case.transition.task, **case.fault.options) for case in cases}
    return run_directly(tasks, service, state_dir)


def _played_in_the_worker(cases: Sequence[Case], service: Service, state_dir: Path) -> Results:
    """An ansible-playbook for each case, with the module in its worker: what kills the one kills the other."""
    results: dict[str, Mapping[str, Any]] = {}
    for case in cases:
        task = {case.host: case.task(case.transition.task, **case.fault.options)}
        results |= play_tasks(
            task, service, state_dir, direct=True, marks={CASE: case.host}
        ).results
    return results


def _complaints(
    cases: Sequence[Case], state_dir: Path, play: Callable[[Sequence[Case], Service, Path], Results]
) -> dict[Case, list[str]]:
    """What is wrong in each case, played against a service of their own."""
    with Service() as service:
        for case in cases:
            fill(service, case.zone, case.transition.before)
            fault = {"method": case.method, "nth": case.nth, "path": case.path, **case.fault.fields}
            service.fault(fault.pop("kind"), **fault)
        with Killer(
            service, {case.path: case.host for case in cases if case.fault.ends == "killed"}
        ) as killer:
            first = play(cases, service, state_dir)
        met = {fault["path"] for fault in service.met_faults()}
        service.clear_faults()
        wrong = {
            case: [*_of_first(case, first.get(case.host, {}), service)]
            + ([] if case.path in met else ["the fault was never met"])
            + (
                []
                if (case.host in killer.killed) == (case.fault.ends == "killed")
                else ["was not killed"]
            )
            for case in cases
        }
        elsewhere = {case.host: case.task(UNRELATED) for case in cases if case.recovers_elsewhere}
        run_directly(elsewhere, service, state_dir)
        missing = {
            case: lost(case.transition, held_by(service, case.zone))
            for case in cases
            if case.recovers_elsewhere
        }
        again, last = (
            run_directly(
                {case.host: case.task(case.transition.task) for case in cases}, service, state_dir
            )
            for _run in range(2)
        )
        for case in cases:
            wrong[case] += [
                f"lost {value} until the same task comes again" for value in missing.get(case, ())
            ]
            wrong[case] += _of_last(case, again[case.host], last[case.host], service)
    return wrong


def _of_first(case: Case, result: Mapping[str, Any], service: Service) -> Iterator[str]:
    failed, message = result.get("failed", False), str(result.get("msg"))
    if case.fault.ends == "well" and failed:
        yield f"failed: {message}"
    if case.fault.ends == "failed" and not failed:
        yield "did not fail"
    if case.fault.ends != "killed" and failed and (not message.startswith(f"Zone {case.zone}: ")):
        yield f"is no clean failure: {result}"
    if (
        case.fault.ends != "killed"
        and not failed
        and not same(held_by(service, case.zone), case.transition.after)
    ):
        yield f"says that it is done, and it is not: {held_by(service, case.zone)}"


def _of_last(
    case: Case, again: Mapping[str, Any], last: Mapping[str, Any], service: Service
) -> Iterator[str]:
    held = held_by(service, case.zone)
    wanted = {**case.transition.after, **(UNRELATED_SET if case.recovers_elsewhere else {})}
    yield from (f"lost {value}" for value in lost(case.transition, held))
    # Who is told that a set was deleted which was not has to create values that are there.
    sent = (
        []
        if case.fault.name == "lie"
        else sent_twice(case.transition.before, service.log(case.path))
    )
    yield from (f"doubled {value}" for value in (*stored_twice(held), *sent))
    if again.get("failed") or not same(held, wanted):
        yield f"not recovered, {again.get('msg')}: it holds {held}"
    if last.get("failed") or last["changed"]:
        yield f"the last run is not idle: {last}"


def _said(wrong: Mapping[Case, Sequence[str]]) -> str:
    return "\n".join(
        f"{case}: {complaint}" for case, complaints in wrong.items() for complaint in complaints
    )


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """What is wrong in each case."""
    with ThreadPoolExecutor(2) as pool:
        folders = [tmp_path_factory.mktemp("cases") / "state" for _worker in range(2)]
        parts = pool.map(_complaints, (CASES[::2], CASES[1::2]), folders, (_played, _played))
    return {case: complaints for part in parts for case, complaints in part.items()}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_nothing_is_lost(wrong, fault):
    of_fault = {case: complaints for case, complaints in wrong.items() if case.fault is fault}
    assert of_fault
    assert not any(of_fault.values()), _said(of_fault)


def test_nothing_is_lost_when_ansible_itself_is_killed(tmp_path):
    kills = [
        case for case in CASES if case.fault.ends == "killed" and case.transition.name in IN_ANSIBLE
    ]
    wrong = _complaints(kills[2::5], tmp_path / "state", _played_in_the_worker)
    assert len(wrong) > 1
    assert not any(wrong.values()), _said(wrong)
