# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The support modules, and what the suite says at its end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path += [str(HERE), *(str(HERE.parent / folder) for folder in ("", "faults", "service"))]

TOTALS = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def totals(pytestconfig: pytest.Config) -> list[str]:
    """Lines for the end of the run."""
    return pytestconfig.stash.setdefault(TOTALS, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print how many cases end right."""
    for line in config.stash.get(TOTALS, []):
        terminalreporter.write_line(line)
