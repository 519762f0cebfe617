# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The faults of test_faults.py in a simulated world, where a time-out takes no time; for real there are fewer cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from cases import FAULTS, Case, make_cases
from playing import Task
from scenarios import SCENARIOS, UNRELATED, fill, held_by, sent_twice
from seen import Seen, complaints_about, task_of
from stand_in import SimulatedRuns, in_a_world

PAUSE = 0.05


def _tried(case: Case, runs: SimulatedRuns, *, has_fault: bool = True) -> Seen:
    """What comes of one case; with another task on the zone in between where it heals elsewhere."""
    service = runs.service

    def run(task: Task) -> Mapping[str, object]:
        return runs.begin(task.module, task_of(case, task).options, check=False).result()

    fill(service, case.zone, case.scenario.before)
    if has_fault:
        fault = case.selection()
        service.fault(fault.pop("kind"), **fault)
    scenario, killed = case.scenario, False
    options = case.fault.options if has_fault else {}
    first = runs.begin(scenario.task.module, task_of(case, scenario.task, **options).options, check=False)
    while case.fault.ends == "killed" and not (killed or first.is_over()):
        if killed := service.is_met():
            first.kill()
        runs.sleep(PAUSE)
    result = {} if killed else first.result()
    met = service.is_met()
    service.clear_faults()
    left, journal, log = held_by(service, case.zone), bool(runs.journals()), service.log(case.path)
    healed = None
    if has_fault and case.heals_elsewhere:
        run(UNRELATED)
        healed = held_by(service, case.zone)
    again = run(scenario.task)
    twice = sent_twice(scenario.before, service.log(case.path))
    final, final_journal = held_by(service, case.zone), bool(runs.journals())
    return Seen(case, met, killed, result, log, left, journal, healed, again, final, final_journal, twice)


@pytest.fixture(scope="module")
def cases(everything: bool) -> Sequence[Case]:
    """Every case, with the requests of a run without fault."""
    plain = {scenario.name: Case(0, scenario, FAULTS[0], "NONE", 1, 1) for scenario in SCENARIOS}
    clean = {
        name: in_a_world(lambda runs, case=case: _tried(case, runs, has_fault=False)) for name, case in plain.items()
    }
    methods = {name: [entry["method"] for entry in seen.log] for name, seen in clean.items()}
    return make_cases(methods, SCENARIOS, everything=everything)


@pytest.mark.parametrize("scenario", [scenario.name for scenario in SCENARIOS])
@pytest.mark.parametrize("fault", [fault.name for fault in FAULTS])
def test_nothing_is_lost(cases: Sequence[Case], scenario: str, fault: str) -> None:
    chosen = [case for case in cases if (case.scenario.name, case.fault.name) == (scenario, fault)]
    seen = [in_a_world(lambda runs, case=case: _tried(case, runs)) for case in chosen]
    complaints = [f"{one.case}: {complaint}" for one in seen for complaint in complaints_about(one)]
    assert chosen
    assert not complaints, "\n".join(complaints)
