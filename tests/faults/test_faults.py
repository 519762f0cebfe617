# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The requests of every kind of change are disturbed in every way, once or for good, and their sender killed.

Here it is a sample, for what is real of them: requests, time, files, Ansible's programs and kills; with FAULTS=all
every request meets every one. In test_simulated.py a kill comes at every request; of the other ways, each request meets
some.

Each case has a zone of its own. The task runs into the fault; then, without fault, the same task runs again, or another
task on the zone and then the same. Nothing that was to stay may be missing after that, nothing may be there twice, and
a run that failed must have told what it left.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cases import FAULTS, Case, make_cases, pairs
from killing import Killer, faults_of
from playing import CASE, play_tasks, run_directly
from running import Service
from scenarios import (
    SCENARIOS,
    UNRELATED,
    fill,
    held_by,
    same,
    sent_twice,
)
from seen import Log, Seen, complaints_about, task_of

WORKERS = 2
FORKS = 10
IN_ANSIBLE = ("rebuild", "replace")
NAMES = [scenario.name for scenario in SCENARIOS]

Results = Mapping[str, Mapping[str, Any]]


def _logs(service: Service) -> dict[str, Log]:
    """The log by the slug of the zone."""
    logs: dict[str, Log] = defaultdict(list)
    for entry in service.log():
        logs[f"/{entry['path'].split('/')[3]}"].append(entry)
    service.clear_log()
    return logs


def _journals(state_dir: Path) -> set[str]:
    """The zones that have a journal."""
    return {file.stem.partition("-")[2] for file in state_dir.glob("*.json")}


def _play_together(cases: Sequence[Case], service: Service, state_dir: Path) -> Results:
    """In forks, but the kills of IN_ANSIBLE, which are in one ansible-playbook, with a process for each module."""
    tasks = {case.host: task_of(case, case.scenario.task, **case.fault.options) for case in cases}
    in_ansible = [case.host for case in cases if case.fault.ends == "killed" and case.scenario.name in IN_ANSIBLE]
    killed = {host: tasks.pop(host) for host in in_ansible}
    with ThreadPoolExecutor() as pool:
        others = pool.submit(run_directly, tasks, service, state_dir)
        return {**play_tasks(killed, service, state_dir, forks=FORKS).results, **others.result()}


def _play_alone(cases: Sequence[Case], service: Service, state_dir: Path) -> Results:
    """An ansible-playbook for each case, with the module in its worker: what kills the one kills the other."""
    results: dict[str, Mapping[str, Any]] = {}
    for case in cases:
        task = {case.host: task_of(case, case.scenario.task, **case.fault.options)}
        results |= play_tasks(task, service, state_dir, direct=True, marks={CASE: case.host}).results
    return results


def _tried(
    cases: Sequence[Case],
    state_dir: Path,
    play: Callable[[Sequence[Case], Service, Path], Results] = _play_together,
) -> list[Seen]:
    """Run some cases against a service of their own."""
    with Service() as service:
        for case in cases:
            fill(service, case.zone, case.scenario.before)
            fault = dict(case.selection())
            service.fault(fault.pop("kind"), **fault)
        with Killer(service, {case.path: case.host for case in cases if case.fault.ends == "killed"}) as killer:
            first = play(cases, service, state_dir)
        met = {fault["path"] for fault in faults_of(service) if fault["seen"] >= fault["nth"]}
        service.clear_faults()
        left = {case.host: held_by(service, case.zone) for case in cases}
        journals, first_logs = _journals(state_dir), _logs(service)
        elsewhere = [case for case in cases if case.heals_elsewhere]
        run_directly({case.host: task_of(case, UNRELATED) for case in elsewhere}, service, state_dir)
        healed = {case.host: held_by(service, case.zone) for case in elsewhere}
        again = run_directly({case.host: task_of(case, case.scenario.task) for case in cases}, service, state_dir)
        later_logs, final_journals = _logs(service), _journals(state_dir)
        return [
            Seen(
                case=case,
                met=case.path in met,
                killed=case.host in killer.killed,
                result=first.get(case.host, {}),
                log=first_logs[case.path],
                left=left[case.host],
                journal=case.zone in journals,
                healed=healed.get(case.host),
                again=again[case.host],
                final=held_by(service, case.zone),
                final_journal=case.zone in final_journals,
                twice=sent_twice(case.scenario.before, first_logs[case.path] + later_logs[case.path]),
            )
            for case in cases
        ]


@pytest.fixture(scope="module")
def clean_runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """Each scenario without any fault."""
    cases = [Case(number, scenario, FAULTS[0], "NONE", 1, 1) for number, scenario in enumerate(SCENARIOS)]
    return {seen.case.scenario.name: seen for seen in _tried(cases, tmp_path_factory.mktemp("clean") / "state")}


@pytest.fixture(scope="module")
def tried(
    request: pytest.FixtureRequest,
    clean_runs: dict[str, Seen],
    tmp_path_factory: pytest.TempPathFactory,
    everything: bool,
    totals: list[str],
) -> list[Seen]:
    """Every case that a test of this session asks for."""
    methods = {name: [entry["method"] for entry in seen.log] for name, seen in clean_runs.items()}
    items = [item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    asked = [item.callspec.params for item in items]
    chosen = {(params.get("scenario"), params.get("fault")) for params in asked}
    cases = make_cases(methods, SCENARIOS, everything=everything, quick=not everything)
    cases = [case for case in cases if (case.scenario.name, case.fault.name) in chosen]
    with ThreadPoolExecutor(WORKERS) as pool:
        folders = [tmp_path_factory.mktemp("cases") / "state" for _worker in range(WORKERS)]
        parts = [cases[worker::WORKERS] for worker in range(WORKERS)]
        seen = [seen for part in pool.map(_tried, parts, folders) for seen in part]
    kills = sum(one.killed for one in seen)
    missing, doubled = (sum(map(len, map(count, seen))) for count in (Seen.lost, Seen.doubled))
    totals.append(f"{len(seen)} fault cases, {kills} kills, {missing} values lost, {doubled} doubled")
    requests = len(methods["bulk"])
    points = {(case.method, case.nth) for case in cases if case.scenario.name == "bulk"}
    where = "every request" if everything else "some requests"
    totals.append(f"  at {where} of a run, of the bulk run at {len(points)} of {requests} (all: FAULTS=all)")
    return seen


@pytest.fixture
def of(tried: list[Seen]) -> Callable[[str, str], list[Seen]]:
    """The cases of one scenario and one fault."""

    def of(scenario: str, fault: str) -> list[Seen]:
        return [one for one in tried if (one.case.scenario.name, one.case.fault.name) == (scenario, fault)]

    return of


@pytest.mark.parametrize("name", NAMES)
def test_without_fault_the_scenario_ends_where_it_should(clean_runs: dict[str, Seen], name: str) -> None:
    seen = clean_runs[name]
    assert seen.result["changed"] is True
    assert seen.again["changed"] is False
    assert same(seen.left, seen.case.scenario.after)
    assert same(seen.final, seen.case.scenario.after)
    assert not seen.twice


@pytest.mark.parametrize(("scenario", "fault"), pairs(SCENARIOS))
def test_nothing_is_lost(of: Callable[[str, str], list[Seen]], scenario: str, fault: str) -> None:
    cases = of(scenario, fault)
    complaints = [f"{one.case}: {complaint}" for one in cases for complaint in complaints_about(one)]
    assert cases
    assert not complaints, "\n".join(complaints)


def test_nothing_is_lost_when_ansible_itself_is_killed(
    clean_runs: dict[str, Seen], tmp_path: Path, everything: bool, totals: list[str]
) -> None:
    methods = {name: [entry["method"] for entry in clean_runs[name].log] for name in ("rebuild", "replace")}
    scenarios = [scenario for scenario in SCENARIOS if scenario.name in methods]
    cases = make_cases(methods, scenarios, everything=True, quick=not everything)
    cases = [case for case in cases if case.fault.ends == "killed"]
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = [cases[worker::WORKERS] for worker in range(WORKERS)]
        folders = [tmp_path / str(worker) for worker in range(WORKERS)]
        seen = [one for part in pool.map(partial(_tried, play=_play_alone), parts, folders) for one in part]
    complaints = [f"{one.case}: {complaint}" for one in seen for complaint in complaints_about(one)]
    totals.append(f"{len(seen)} kills of ansible-playbook with the module in its worker")
    assert len(seen) > 10 if everything else len(seen) == 4
    assert not complaints, "\n".join(complaints)
