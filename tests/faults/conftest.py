# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Service and support modules for the suites, and the line that sums them up."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent), str(HERE.parent / "service"), str(HERE.parent / "simulation")]

from cases import EVERYTHING, QUICK  # noqa: E402 - tests/ is no package

# Many processes at once, waits for what comes late or not, three zones a case, certificates: not before each commit.
SLOW = ("combined", "concurrency", "interrupted", "late", "security", "zones")
collect_ignore = [f"test_{name}.py" for name in SLOW] if QUICK else []

TOTALS = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def totals(pytestconfig: pytest.Config) -> list[str]:
    """Lines for the end of the run."""
    return pytestconfig.stash.setdefault(TOTALS, [])


@pytest.fixture(scope="session")
def everything() -> bool:
    """Whether every case is asked for (FAULTS=all), not only what fits into a run of all gates."""
    return EVERYTHING


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what was tried."""
    for line in config.stash.get(TOTALS, []):
        terminalreporter.write_line(line)
