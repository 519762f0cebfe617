# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which tests count as knowing Ansible: none that does may be left out where only those run."""

from __future__ import annotations

import pathlib

import pytest
from knowing import ROOT, knows_ansible

PACKAGE = "ansible_collections.zonesmith.dns.plugins"


@pytest.mark.parametrize(
    "text",
    [
        "import ansible",
        "import ansible.errors as errors",
        "from ansible.module_utils import basic",
        "def later():\n    from ansible import constants",
        "PROGRAM = 'ansible-playbook'",
        "find_spec('ansible.module_utils.basic')",
        f"from {PACKAGE}.modules import dns_record",
        f"from {PACKAGE}.module_utils._run.module import OPTIONS",
        f"import {PACKAGE}.inventory.zones",
        f"import_module(name='{PACKAGE}.inventory.zones')",
        f"monkeypatch.setattr('{PACKAGE}.module_utils._run.module.OPTIONS', 1)",
        "import programs",
        "from programs import Programs",
    ],
)
def test_what_imports_a_part_of_ansible_or_names_one(tmp_path: pathlib.Path, text: str) -> None:
    file = tmp_path / "test_something.py"
    file.write_text(text, encoding="utf-8")
    assert knows_ansible(file)


@pytest.mark.parametrize(
    "text",
    [
        '"""What ansible has to do with it is told, not used."""',
        f"from {PACKAGE}.module_utils._plan.plan import plan",
        "import dns.name, requests",
        "PATH = 'roles/ansible'",
        "import running",
    ],
)
def test_what_does_not(tmp_path: pathlib.Path, text: str) -> None:
    file = tmp_path / "test_something.py"
    file.write_text(text, encoding="utf-8")
    assert not knows_ansible(file)


@pytest.mark.parametrize(
    ("name", "knows"),
    [
        ("test_module", True),
        ("test_inventory", True),
        ("test_direct", True),
        ("test_plan", False),
        ("test_wait", False),
    ],
)
def test_of_these_tests(name: str, knows: bool) -> None:
    assert knows_ansible(ROOT / "tests" / "unit" / f"{name}.py") is knows


def test_a_test_that_runs_a_module_counts(request: pytest.FixtureRequest, run: object) -> None:
    assert run
    assert request.node.get_closest_marker("knows_ansible")
