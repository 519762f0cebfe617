# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the tests of the documentation find what they share: tests/ is no package."""

import sys
from pathlib import Path

import pytest

PLACES = ("docs", "tools", "", "service", "../docs/examples/zone_in_git")
sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in PLACES]

from running import Service


@pytest.fixture(scope="session")
def running_service():
    with Service(zones=["example.com", "example.net"]) as running:
        yield running


@pytest.fixture
def service(running_service):
    """The stand-in service, with two zones, as new."""
    running_service.reset()
    return running_service
