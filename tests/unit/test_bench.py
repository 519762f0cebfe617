# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the benchmark measures, and shows on its page: each case asks the stand-in for what it is about."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "tools" / "bench"))
from account import account_cases
from cases import ELSEWHERE, TITLES, cases
from report import document

ALL = [*cases(), *account_cases()]
KEYS = [case.key for case in ALL]
PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
FIGURES = ("seconds", "processor_seconds", "calls", "connections", "module_mib", "largest_mib")


def test_the_tables_of_the_page_have_a_row_for_each_case():
    """The rows on the page, without their figures, are those that a measurement of all cases gives."""
    rows = [
        {
            "tool": tool,
            "operation": operation,
            "sets": sets,
            "runs": [dict.fromkeys(FIGURES, float(sets))],
        }
        for tool, operation, sets in KEYS
    ]
    about = {
        "date": "",
        "command": "",
        "latency": 50,
        "cores": 2,
        "load": 0.0,
        "minutes": 1.0,
        "versions": {},
    }
    results = {**about, "cases": rows, "failures": []}
    on_page = (
        PAGE.read_text(encoding="utf-8")
        .partition("measured: begin")[2]
        .partition("measured: end")[0]
    )
    assert _heads(document(results)) == _heads(on_page)


def _heads(text):
    return [
        "|".join(line.split("|")[:3]) for line in text.splitlines() if line.startswith(("#", "|"))
    ]


@pytest.mark.parametrize("operation", ELSEWHERE)
def test_a_create_elsewhere_is_a_create_at_a_service_that_is_otherwise(operation):
    chosen = [case for case in ALL if case.operation == operation]
    assert chosen
    assert {
        (case.before() == [], case.writes() == case.sets, bool(case.settings)) for case in chosen
    } == {(True,) * 3}
    assert operation in TITLES
