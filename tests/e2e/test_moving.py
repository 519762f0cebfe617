# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/guides/moving.md moves from is what the other collections take. Here, because here they are installed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "docs"), str(TESTS / "tools")]
from documents import blocks, is_elsewhere, modules

GUIDE = TESTS.parent / "docs" / "guides" / "moving.md"
TASKS = [task for block in blocks(GUIDE) if is_elsewhere(block) for task in block.value]


@pytest.fixture(scope="module")
def documented():
    """The documentation of the modules, by their full names."""
    names = sorted(set().union(*(modules(block) for block in blocks(GUIDE) if is_elsewhere(block))))
    command = [Path(sys.executable).with_name("ansible-doc"), "--json", *names]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return {name: text["doc"]["options"] for name, text in json.loads(printed).items()}


def check(given, options):
    """Each option that a task gives is one, in that spelling, and has a value that it can have."""
    for option, value in given.items():
        rules = options[option]
        assert not isinstance(value, str) or value in rules.get("choices", [value]), option
        for entry in value if "suboptions" in rules else ():
            check(entry, rules["suboptions"])
    required = {option for option, rules in options.items() if rules.get("required")}
    assert required <= set(given)


@pytest.mark.parametrize("task", [pytest.param(task, id=task["name"]) for task in TASKS])
def test_the_others_take_what_the_guide_says_they_do(documented, task):
    ((module, given),) = ((key, value) for key, value in task.items() if key in documented)
    check(given, documented[module])
