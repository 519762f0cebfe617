# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A reviewed plan is good once, wherever it is remembered that it was carried out."""

import json
import re
from pathlib import Path

import pytest
from held_zones import held_by
from playing import Task

OLD, NEW = "192.0.2.1", "192.0.2.2"


@pytest.fixture(params=["folder", "database"])
def here(request, machine):
    """A machine that keeps what it knows in one of the two places."""
    return machine("" if request.param == "folder" else request.getfixturevalue("state_url"))


def task(zone, plans, *addresses, **options):
    """One set, as the plan in a folder has it."""
    records = [{"name": "plan", "type": "A", "content": [*addresses]}]
    return Task(
        "dns_records", {"zone": zone, "records": records, "plan_dir": str(plans), **options}
    )


def planned(machine, task):
    """The plan that check mode makes."""
    assert not machine.act(task, check_mode=True).get("failed")
    return json.loads(next(Path(task.options["plan_dir"]).glob("*.json")).read_text("utf-8"))


def done(machine, task):
    """The result of a run that does not fail."""
    result = machine.act(task)
    assert not result.get("failed"), result
    return result


def test_a_plan_is_good_once(service, zone, here, tmp_path):
    """There, back, and there once more with the plan of the first time; then with one that people have seen anew."""
    there, back = task(zone, tmp_path / "there", NEW), task(zone, tmp_path / "back", OLD)
    done(here, Task("dns_record", {"zone": zone, "name": "plan", "type": "A", "content": OLD}))
    first = planned(here, there)
    assert done(here, there)["changed"]
    assert not done(here, there)["changed"], "what it led to still stands"
    planned(here, back)
    assert done(here, back)["changed"]
    service.clear_log()
    refused = here.act(there)
    assert (refused["failed"], refused["changed"]) == (True, False)
    assert re.fullmatch(
        rf"Zone {zone}: the reviewed plan {tmp_path}/there/{zone}.json was carried out on "
        rf"\d{{4}}-\d\d-\d\d at \d\d:\d\d UTC: plan.{zone}. A would be rebuilt again; plan with "
        r"--check and the same state_dir or state_url, and review that; nothing was changed\.",
        refused["msg"],
    )
    assert {entry["method"] for entry in service.log()} == {"GET"}
    assert planned(here, there) == {**first, "again": 1}
    assert done(here, there)["changed"]
    assert held_by(service, zone)["plan", "A"][1] == (NEW,)
