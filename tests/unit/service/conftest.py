# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make tests/service importable here: it is no package."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "service"))
