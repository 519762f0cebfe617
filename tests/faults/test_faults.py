# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The requests of every kind of change are disturbed in every way, once or for good, and their sender killed.

A kill comes at every request; of the other ways, each request meets some, and with FAULTS=all every one.

Each case has a zone of its own. The task runs into the fault; then, without fault, the same task runs again, or another
task on the zone and then the same. Nothing that was to stay may be missing after that, nothing may be there twice, and
a run that failed must have told what it left.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cases import FAULTS, WRITES, Case, make_cases, pairs
from killing import Killer, faults_of
from playing import CASE, Task, play_tasks, run_directly
from running import Service
from scenarios import (
    SCENARIOS,
    UNRELATED,
    UNRELATED_SET,
    Held,
    Key,
    fill,
    held_by,
    lost,
    same,
    sent_twice,
    stored_twice,
    torn,
)

WORKERS = 2
FORKS = 10
IN_ANSIBLE = ("rebuild", "replace")
NAMES = [scenario.name for scenario in SCENARIOS]

Log = list[dict[str, Any]]
Results = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Seen:
    """What was seen of one case."""

    case: Case
    met: bool  # the fault was played
    killed: bool
    result: Mapping[str, Any]  # of the run that met the fault
    log: Log  # of that run
    left: Held  # what it left
    journal: bool  # whether it left a journal
    healed: Held | None  # after another task on the zone
    again: Mapping[str, Any]  # the result of the same task without fault
    final: Held
    final_journal: bool
    twice: list[str]

    def lost(self) -> list[str]:
        """What is missing, after the other task or in the end."""
        missing = lost(self.case.scenario, self.final)
        return missing + (lost(self.case.scenario, self.healed) if self.healed is not None else [])

    def doubled(self) -> list[str]:
        """What is in a set twice, or was sent although it was there."""
        zones = [self.left, self.final] if self.healed is None else [self.left, self.healed, self.final]
        doubled = [value for zone in zones for value in stored_twice(zone)]
        # Who is told that a set was deleted which was not has to create values that are there.
        return doubled if "lie" in self.case.fault.name else doubled + self.twice


def _task(case: Case, task: Task, **options: Any) -> Task:
    return Task(task.module, {"zone": case.zone, **task.options, **options})


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
    tasks = {case.host: _task(case, case.scenario.task, **case.fault.options) for case in cases}
    in_ansible = [case.host for case in cases if case.fault.ends == "killed" and case.scenario.name in IN_ANSIBLE]
    killed = {host: tasks.pop(host) for host in in_ansible}
    with ThreadPoolExecutor() as pool:
        others = pool.submit(run_directly, tasks, service, state_dir)
        return {**play_tasks(killed, service, state_dir, forks=FORKS).results, **others.result()}


def _play_alone(cases: Sequence[Case], service: Service, state_dir: Path) -> Results:
    """An ansible-playbook for each case, with the module in its worker: what kills the one kills the other."""
    results: dict[str, Mapping[str, Any]] = {}
    for case in cases:
        task = {case.host: _task(case, case.scenario.task, **case.fault.options)}
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
        run_directly({case.host: _task(case, UNRELATED) for case in elsewhere}, service, state_dir)
        healed = {case.host: held_by(service, case.zone) for case in elsewhere}
        again = run_directly({case.host: _task(case, case.scenario.task) for case in cases}, service, state_dir)
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
    quick: bool,
    totals: list[str],
) -> list[Seen]:
    """Every case that a test of this session asks for."""
    methods = {name: [entry["method"] for entry in seen.log] for name, seen in clean_runs.items()}
    asked = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    chosen = {(params.get("scenario"), params.get("fault")) for params in asked}
    cases = make_cases(methods, SCENARIOS, everything=everything, quick=quick)
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
    where = "some requests" if quick else "every request" if everything else "every request, by a kill and some faults,"
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
    complaints = [f"{one.case}: {complaint}" for one in cases for complaint in _complaints(one)]
    assert cases
    assert not complaints, "\n".join(complaints)


def test_nothing_is_lost_when_ansible_itself_is_killed(
    clean_runs: dict[str, Seen], tmp_path: Path, quick: bool, totals: list[str]
) -> None:
    methods = {name: [entry["method"] for entry in clean_runs[name].log] for name in ("rebuild", "replace")}
    scenarios = [scenario for scenario in SCENARIOS if scenario.name in methods]
    cases = make_cases(methods, scenarios, everything=True, quick=quick)
    cases = [case for case in cases if case.fault.ends == "killed"]
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = [cases[worker::WORKERS] for worker in range(WORKERS)]
        folders = [tmp_path / str(worker) for worker in range(WORKERS)]
        seen = [one for part in pool.map(partial(_tried, play=_play_alone), parts, folders) for one in part]
    complaints = [f"{one.case}: {complaint}" for one in seen for complaint in _complaints(one)]
    totals.append(f"{len(seen)} kills of ansible-playbook with the module in its worker")
    assert len(seen) == 4 if quick else len(seen) > 10
    assert not complaints, "\n".join(complaints)


def _complaints(seen: Seen) -> list[str]:
    """What went wrong in one case, each as a sentence without its subject."""
    scenario, complaints = seen.case.scenario, []
    if not seen.met:
        complaints.append(f"the fault was never met: {seen.result.get('msg')}")
    complaints += [f"lost {value}" for value in seen.lost()]
    complaints += [f"doubled {value}" for value in seen.doubled()]
    wanted = {**scenario.after, **(UNRELATED_SET if seen.case.heals_elsewhere else {})}
    if seen.again.get("failed") or not same(seen.final, wanted):
        complaints.append(f"not healed, {seen.again.get('msg')}: {_difference(wanted, seen.final)}")
    if seen.final_journal:
        complaints.append("a journal is left in the end")
    ends = seen.case.fault.ends
    if ends == "either":
        ends = "failed" if seen.result.get("failed") else "well"
    check = {"well": _complaints_about_success, "failed": _complaints_about_failure, "killed": _complaints_about_kill}
    return complaints + check[ends](seen)


def _complaints_about_success(seen: Seen) -> list[str]:
    if seen.result.get("failed"):
        return [f"failed: {seen.result.get('msg')}"]
    complaints = [] if seen.result.get("changed") else ["says that nothing changed"]
    if seen.journal:
        complaints.append("leaves a journal")
    if not same(seen.left, seen.case.scenario.after):
        complaints.append(f"says it is done, and it is not: {_difference(seen.case.scenario.after, seen.left)}")
    return complaints


def _complaints_about_kill(seen: Seen) -> list[str]:
    # Who is killed with its ansible-playbook has no result.
    return [] if seen.killed and seen.result.get("failed", True) else [f"was not killed: {seen.result}"]


def _complaints_about_failure(seen: Seen) -> list[str]:
    message = str(seen.result.get("msg"))
    if not seen.result.get("failed"):
        return ["did not fail"]
    complaints = []
    if "Traceback" in f"{seen.result.get('exception')} {message}" or not message.startswith(f"Zone {seen.case.zone}: "):
        complaints.append(f"is no clean failure: {seen.result}")
    was_read = "cannot be read" not in message and "could not be verified" not in message
    if was_read and seen.result["changed"] == same(seen.left, seen.case.scenario.before):
        complaints.append(f"says changed={seen.result['changed']}: {_difference(seen.case.scenario.before, seen.left)}")
    if seen.case.fault.name == "refusal":  # of one request: then there is a way back
        complaints += [f"was not rolled back at {name}" for name in torn(seen.case.scenario, seen.left)]
        if seen.journal:
            complaints.append("leaves a journal")
    return complaints + _complaints_about_state(message, seen)


KEY = r"(?P<name>\S+) (?P<type>[A-Z]+)"
TRIED = rf"cannot (?:add .+? to|delete) {KEY}: .*; "
HELD = r"(?P<held>nothing|.+? \(TTL \d+\))"
STATES = (
    rf"{TRIED}its old values were put back, it holds {HELD}",
    rf"{TRIED}the set holds {HELD}",
    rf"{TRIED}the set is gone, and the next run on the zone completes it from ",
    rf"{TRIED}what the set holds now cannot be read",
    rf"{KEY} is not as wanted after 3 rounds, .*: it holds {HELD} in place of",
    r"all changes were sent, and could not be verified",
)


def _complaints_about_state(message: str, seen: Seen) -> list[str]:
    """The message must say what is true of the set it is about, unless nothing was sent at all."""
    told = next((match for state in STATES if (match := re.search(state, message))), None)
    if told is None:
        writes = [entry["method"] for entry in seen.log if entry["method"] in WRITES]
        return [f"does not say what state the set is in: {message}"] if writes else []
    if "cannot be read" in message or "could not be verified" in message:
        return []
    groups = told.groupdict()
    relative = groups["name"].removesuffix(f"{seen.case.zone}.").removesuffix(".") or "@"
    held, said = _in_words(seen.left, (relative, groups["type"])), groups.get("held") or "nothing"
    return [] if said == held else [f"says that the set holds {said}, and it holds {held}: {message}"]


def _in_words(held: Held, key: Key) -> str:
    if key not in held:
        return "nothing"
    ttl, values = held[key]
    return f"{', '.join(values)} (TTL {ttl})"


def _difference(wanted: Held, held: Held) -> str:
    keys = sorted(key for key in wanted.keys() | held.keys() if wanted.get(key) != held.get(key))
    return "; ".join(f"{' '.join(key)} is {held.get(key)}, not {wanted.get(key)}" for key in keys)
