# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Puts the enumeration, the stand-in service and what the suites share where tests import them from."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent), str(HERE.parent / "service")]


def pytest_collection_finish() -> None:
    """Have the collector, which comes by between scenarios, leave alone what was imported."""
    gc.freeze()
