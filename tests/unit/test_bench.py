# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the benchmark measures: each part has cases, and each case asks the stand-in for what it is about."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent.parent / "bench"))
from account import account_cases
from cases import ELSEWHERE, TITLES, Services, cases
from named import NAMED, is_of

ALL = [*cases(), *account_cases()]
SERVICES = Services("http://127.0.0.1:1", "token", "/state", "", "http://127.0.0.1:2")


@pytest.mark.parametrize("name", NAMED)
def test_each_part_has_cases_and_what_they_are_compared_with(name: str) -> None:
    chosen = [case for case in ALL if is_of([name], case)]
    assert len({case.tool.name for case in chosen}) > 2
    assert len(chosen) < len(ALL)


def test_no_two_cases_have_one_key() -> None:
    assert len({case.key for case in ALL}) == len(ALL)


@pytest.mark.parametrize("operation", ELSEWHERE)
def test_a_create_elsewhere_is_a_create_at_a_service_that_is_otherwise(operation: str) -> None:
    chosen = [case for case in ALL if case.operation == operation]
    assert chosen
    assert {(case.before() == [], case.writes() == case.sets, bool(case.settings)) for case in chosen} == {(True,) * 3}
    assert operation in TITLES


def test_tools_of_ours_say_how_many_connections_they_have() -> None:
    """So that the default of the day does not change what is compared."""
    said: dict[str, set[Any]] = {}
    for case in ALL:
        tasks = case.tool.tasks([], False, SERVICES)
        options = next((task[name] for task in tasks for name in task if name.startswith("zonesmith.dns.")), {})
        if "concurrency" in options:
            said.setdefault(case.tool.name, set()).add(options["concurrency"])
    assert {name: values for name, values in said.items() if values != {8}} == {
        "dns_records with concurrency: auto": {"auto"},
        "dns_records with src and concurrency: auto": {"auto"},
        "dns_zones with concurrency: auto": {"auto"},
    }
