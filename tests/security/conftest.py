# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The stand-in service, and the modules that the attacks share with the fault suite."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
# ".." is for a spawned process, which imports a test by its full name.
sys.path += [str(TESTS / folder) for folder in ("..", "", "security", "faults", "service")]

from running import Service

TOKEN = "token-that-nobody-may-see"


@pytest.fixture(scope="session")
def _running_service():
    with Service(zones=["example.com"], token=TOKEN) as service:
        yield service


@pytest.fixture
def service(_running_service):
    """The stand-in service, with one zone, example.com, as new."""
    _running_service.reset()
    return _running_service
