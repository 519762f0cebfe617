# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""dns_zones over three zones at once, of which one meets a fault: the others are nobody's victims.

Each case has zones of its own: one whose set is rebuilt, one whose set gets a value, one that is as it should be, each
of them in turn the one that is disturbed. A kill comes at every request; any other fault at one request of each method,
at every one with FAULTS=all. Then the same task runs again, and once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cases import CALLS, FAULTS, QUICK, WRITES, Case, make_cases
from killing import Killer, faults_of
from playing import Task, run_directly
from running import Service
from scenarios import BYSTANDERS, Held, Scenario, fill, held_by, lost, same, sent_twice, stored_twice

WORKERS = 2
A = ("192.0.2.1", "192.0.2.2", "192.0.2.3")
WWW = ("www", "A")


def _zone(name: str, records: Sequence[Mapping[str, Any]], before: Held, after: Held) -> Scenario:
    others = {key: held for key, held in BYSTANDERS.items() if key != WWW}
    return Scenario(name, Task("", {"records": records}), {**others, **before}, {**others, **after})


ZONES = (
    _zone(
        "rebuilt",
        [{"name": "www", "type": "A", "content": list(A[:2]), "ttl": 600}],
        {WWW: (300, A[:2])},
        {WWW: (600, A[:2])},
    ),
    _zone(
        "extended",
        [{"name": "www", "type": "A", "content": list(A)}],
        {WWW: (300, A[:2])},
        {WWW: (300, A)},
    ),
    _zone("in order", [{"name": "www", "type": "A", "content": list(A[:2])}], {WWW: (300, A[:2])}, {WWW: (300, A[:2])}),
)


@dataclass(frozen=True)
class Seen:
    """What was seen of one case; zones are named by their scenario."""

    case: Case
    met: bool
    killed: bool
    result: Mapping[str, Any]
    left: Mapping[str, Held]
    again: Mapping[str, Any]
    final: Mapping[str, Held]
    last: Mapping[str, Any]
    journals: tuple[set[str], set[str]]  # whose zones have one, after the first run and in the end
    log: list[dict[str, Any]]  # of the first run
    later: list[dict[str, Any]]


def names_of(case: Case) -> dict[str, str]:
    """The names of the three zones; the one that is disturbed is called as the case's own."""
    others = [scenario.name for scenario in ZONES if scenario is not case.scenario]
    return {
        scenario.name: f"{case.host}{chr(ord('a') + others.index(scenario.name))}.example"
        if scenario is not case.scenario
        else case.zone
        for scenario in ZONES
    }


def task_of(case: Case, **options: Any) -> Task:
    """The task on all three."""
    names = names_of(case)
    zones = [{"zone": names[scenario.name], **scenario.task.options} for scenario in ZONES]
    return Task("dns_zones", {"zones": zones, **options})


def _held(service: Service, case: Case) -> dict[str, Held]:
    return {scenario: held_by(service, zone) for scenario, zone in names_of(case).items()}


def _journals(state_dir: Path, case: Case) -> set[str]:
    files = {file.stem.partition("-")[2] for file in state_dir.glob("*.json")}
    return {scenario for scenario, zone in names_of(case).items() if zone in files}


def _tried(cases: Sequence[Case], state_dir: Path) -> list[Seen]:
    with Service() as service:
        for case in cases:
            for scenario in ZONES:
                fill(service, names_of(case)[scenario.name], scenario.before)
            if case.method != "NONE":
                fault = case.selection()
                service.fault(fault.pop("kind"), **fault)
        tasks = {case.host: task_of(case, **case.fault.options) for case in cases}
        with Killer(service, {case.path: case.host for case in cases if case.fault.ends == "killed"}) as killer:
            first = run_directly(tasks, service, state_dir)
        met = {fault["path"] for fault in faults_of(service) if fault["seen"] >= fault["nth"]}
        service.clear_faults()
        left = {case.host: _held(service, case) for case in cases}
        journals = {case.host: _journals(state_dir, case) for case in cases}
        log = service.log()
        service.clear_log()
        plain = {case.host: task_of(case) for case in cases}
        again, last = (run_directly(plain, service, state_dir) for _time in range(2))
        later = service.log()
        return [
            Seen(
                case,
                case.path in met,
                case.host in killer.killed,
                first.get(case.host, {}),
                left[case.host],
                again[case.host],
                _held(service, case),
                last[case.host],
                (journals[case.host], _journals(state_dir, case)),
                *([entry for entry in part if f"/{case.host}" in entry["path"]] for part in (log, later)),
            )
            for case in cases
        ]


def _sample(cases: Sequence[Case]) -> Iterator[Case]:
    """Every kill, and of every other fault one request of each method, each time another zone's; one, to be quick."""
    turn = 0
    for number, fault in enumerate(FAULTS):
        of_fault = [case for case in cases if case.fault is fault]
        if QUICK:
            yield of_fault[number % len(of_fault)]
            continue
        if fault.ends == "killed":
            yield from of_fault
            continue
        for method in CALLS:
            if fitting := [case for case in of_fault if case.method == method]:
                yield fitting[turn * 3 % len(fitting)]
                turn += 1


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """The task without any fault."""
    case = Case(0, ZONES[0], FAULTS[0], "NONE", 1, 1)
    (seen,) = _tried([case], tmp_path_factory.mktemp("clean") / "state")
    return seen


def _of(seen: Seen, scenario: str, log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The requests on one zone."""
    slug = names_of(seen.case)[scenario].replace(".", "")
    return [entry for entry in log if entry["path"].split("/")[3] == slug]


def test_without_fault_all_are_as_wanted(clean: Seen) -> None:
    assert [zone["changed"] for zone in clean.result["zones"]] == [True, True, False]
    assert (clean.again["changed"], clean.last["changed"]) == (False, False)
    assert not [scenario.name for scenario in ZONES if not same(clean.left[scenario.name], scenario.after)]


@pytest.fixture(scope="module")
def tried(
    clean: Seen, tmp_path_factory: pytest.TempPathFactory, everything: bool, totals: list[str]
) -> Mapping[str, list[Seen]]:
    """The cases, by fault."""
    methods = {zone.name: [entry["method"] for entry in _of(clean, zone.name, clean.log)] for zone in ZONES}
    cases = make_cases(methods, ZONES, everything=True)
    cases = cases if everything else list(_sample(cases))
    with ThreadPoolExecutor(WORKERS) as pool:
        folders = [tmp_path_factory.mktemp("cases") / "state" for _worker in range(WORKERS)]
        parts = [cases[worker::WORKERS] for worker in range(WORKERS)]
        seen = [one for part in pool.map(_tried, parts, folders) for one in part]
    totals.append(f"{len(seen)} fault cases over three zones at once, {sum(one.killed for one in seen)} kills")
    return {fault.name: [one for one in seen if one.case.fault is fault] for fault in FAULTS}


@pytest.mark.parametrize("fault", [fault.name for fault in FAULTS])
def test_nothing_is_lost_in_any_zone(tried: Mapping[str, list[Seen]], fault: str) -> None:
    complaints = [f"{one.case}: {complaint}" for one in tried[fault] for complaint in _complaints(one)]
    assert tried[fault]
    assert not complaints, "\n".join(complaints)


def _complaints(seen: Seen) -> Iterator[str]:
    if not seen.met:
        yield f"the fault was never met: {seen.result}"
    for scenario in ZONES:
        yield from _of_zone(seen, scenario)
    if seen.again.get("failed"):
        yield f"the second run failed: {seen.again['msg']}"
    if seen.last.get("failed") or seen.last["changed"]:
        yield f"the third run had something to do: {seen.last}"
    if seen.journals[1]:
        yield f"a journal is left in the end: {seen.journals[1]}"
    failed = seen.result.get("failed", False)
    expected = {"well": [False], "failed": [True], "either": [True, False], "killed": [True]}[seen.case.fault.ends]
    if seen.case.fault.ends == "killed":
        if not seen.killed:
            yield f"was not killed: {seen.result}"
    elif failed not in expected:
        yield f"failed: {seen.result.get('msg')}" if failed else "did not fail"
    else:
        yield from _of_first_run(seen, failed=failed)


def _of_zone(seen: Seen, scenario: Scenario) -> Iterator[str]:
    final = seen.final[scenario.name]
    yield from (f"lost {value} of the zone that is {scenario.name}" for value in lost(scenario, final))
    if not same(final, scenario.after):
        yield f"the zone that is {scenario.name} holds {final} in the end"
    is_lied_to = "lie" in seen.case.fault.name and scenario is seen.case.scenario
    doubled = [] if is_lied_to else sent_twice(scenario.before, _of(seen, scenario.name, seen.log + seen.later))
    for value in (*stored_twice(seen.left[scenario.name]), *stored_twice(final), *doubled):
        yield f"doubled {value} of the zone that is {scenario.name}"


def _of_first_run(seen: Seen, *, failed: bool) -> Iterator[str]:
    """What the run that met the fault has to say of each zone, and to leave in it."""
    unlisted = [zone for field in ("untouched", "unchanged") for zone in seen.result.get(field, ())]
    told = {zone: {"zone": zone, "changed": False} for zone in unlisted}
    told |= {item["zone"]: item for item in seen.result["zones"]}
    nothing_written = not any(entry["method"] in WRITES for entry in seen.log)
    for scenario in ZONES:
        zone, is_hit = names_of(seen.case)[scenario.name], failed and scenario is seen.case.scenario
        item, left = told[zone], seen.left[scenario.name]
        wanted = scenario.before if failed and nothing_written else scenario.after
        if is_hit != ("msg" in item) or not item.get("msg", f"Zone {zone}: ").startswith(f"Zone {zone}: "):
            yield f"tells {item} of {zone}"
        if not is_hit and not same(left, wanted):
            yield f"the zone that is {scenario.name}, and met no fault, holds {left}"
        is_unread = any(text in item.get("msg", "") for text in ("cannot be read", "could not be verified"))
        if not is_unread and item["changed"] == same(left, scenario.before):
            yield f"says changed={item['changed']} of {zone}, which holds {left}"
        if not is_hit and scenario.name in seen.journals[0]:
            yield f"leaves a journal of {zone}"
