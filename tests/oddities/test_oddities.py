# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Services as they are: late, busy, cached, lossy, and still nothing lost (docs/design.md).

Each case has a zone of its own, with oddities of its own, in one service, so that all can be played at once: a wish at
an oddity (rows.py, wishes.py; check mode, a run, a second run), or a story of several tasks (stories.py). It is a
sample, for what is real of them: requests, time, files and kills; tests/faults enumerates habits. One case:

    ODDITIES=all pytest tests/oddities -k "lag-3-random/exclusive"
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from named import every, sample
from playing import collections_path, play
from rows import ODDITIES
from running import Service
from scenarios import fill, held_by, same
from wishes import BEFORE, WISHES

JOBS = 40
TOGETHER = Path(__file__).with_name("together.py")
HOW_MANY = os.environ.get("ODDITIES", "")
QUICK, MOST_PATIENCE = 5, 20
"""Seconds that a case of the sample may have to wait at least; the first before a commit, and every fourth then."""

NAMES = every() if HOW_MANY == "all" else sample(QUICK)[::4] if HOW_MANY == "quick" else sample(MOST_PATIENCE)


@pytest.fixture(scope="module")
def played(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, totals: list[str]
) -> dict[str, list[str]]:
    """What is wrong in each case that this session asks for."""
    items = [item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    asked = [item.callspec.params["name"] for item in items]
    with Service() as service:
        wanted = {
            "url": service.url,
            "token": service.token,
            "folder": str(tmp_path_factory.mktemp("cases")),
            "jobs": JOBS,
            "cases": asked,
        }
        done = subprocess.run(
            [sys.executable, str(TOGETHER)],
            check=True,
            input=json.dumps(wanted),
            env={**os.environ, "PYTHONPATH": str(collections_path())},
            stdout=subprocess.PIPE,
            text=True,
        )
    complaints: dict[str, list[str]] = json.loads(done.stdout)
    totals += _summary(complaints)
    return complaints


def _summary(complaints: dict[str, list[str]]) -> list[str]:
    """The wrong cases in a line each, and how many of how many are right, by oddity or kind of story and in all."""
    right, of = Counter[str](), Counter[str]()
    wrong: dict[str, list[str]] = defaultdict(list)
    for name, found in complaints.items():
        oddity = name.partition("/")[0]
        of[oddity] += 1
        right[oddity] += not found
        if found:
            wrong[oddity].append(f"    {name}: {' | '.join(' '.join(one.split())[:160] for one in found[:3])}")
    lines = ["cases that end right, by oddity:"]
    for oddity in of:
        lines += [f"  {right[oddity]:3} of {of[oddity]:3}  {oddity}", *wrong[oddity]]
    lost = sum(any(one.startswith("LOST") for one in found) for found in complaints.values())
    doubled = sum(any(one.startswith("DOUBLED") for one in found) for found in complaints.values())
    total = f"{right.total()} of {of.total()} cases end right, {lost} with values lost, {doubled} with values doubled"
    return [*lines, total + ("" if HOW_MANY == "all" else " (a sample; all: ODDITIES=all)")]


@pytest.mark.parametrize("name", NAMES)
def test_ends_right(played: dict[str, list[str]], name: str) -> None:
    if played[name]:
        pytest.fail("\n".join(played[name]), pytrace=False)


def test_in_ansible_playbook(tmp_path: Path) -> None:
    """What the forks do is what a play does: three wishes at three oddities, twice."""
    oddities = ("lag-1", "apply-0.5", "answer-204")
    wishes = ("extend", "exclusive", "absent-one")
    zones = {f"{oddity}-{wish}".replace(".", "-"): (oddity, wish) for oddity in oddities for wish in wishes}
    inventory = {
        "all": {
            "hosts": {
                name: {"options": {"zone": f"{name}.example", **WISHES[wish].task.options}}
                for name, (_oddity, wish) in zones.items()
            }
        }
    }
    task = {
        "name": "wish",
        "zonesmith.dns.dns_record": {
            option: f"{{{{ options.{option} | default(omit) }}}}"
            for option in ("zone", "name", "type", "content", "state", "exclusive")
        },
        "ignore_errors": True,
    }
    plays = [
        {"hosts": "all", "gather_facts": False, "vars": {"zonesmith_direct": direct}, "tasks": [task]}
        for direct in (False, True)
    ]
    with Service() as service:
        for name, (oddity, _wish) in zones.items():
            fill(service, f"{name}.example", BEFORE)
            service.odd(f"{name}.example", **ODDITIES[oddity].switches)
        environment = {
            "ZONESMITH_BASE_URL": service.url,
            "ZONESMITH_ACCESS_TOKEN": service.token,
            "ZONESMITH_STATE_DIR": str(tmp_path),
        }
        first, second = (play([one], inventory, environment) for one in plays)
        wrong = [
            f"{name}: {first.results[name].get('msg')}; {second.results[name].get('msg')}"
            for name, (_oddity, wish) in zones.items()
            if not first.results[name].get("changed")
            or second.results[name].get("failed")
            or second.results[name].get("changed")
            or not same(held_by(service, f"{name}.example"), WISHES[wish].after)
        ]
    assert not wrong, "\n".join(wrong)
