# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How much is tried: before a commit a fifth of the examples of a property, and nothing that only takes longer."""

from __future__ import annotations

import os

import pytest

QUICK = os.environ.get("GATES") == "quick"

only_longer = pytest.mark.skipif(QUICK, reason="make gate runs it")


def some(number: int) -> int:
    """So many examples, and fewer before a commit."""
    return number // 5 if QUICK else number
