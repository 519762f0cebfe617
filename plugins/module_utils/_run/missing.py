# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What to do where a library is missing."""

from __future__ import annotations

import sys

NEEDED = ("requests>=2.28.1", "dnspython>=2.6")


def pip_command(*more: str) -> str:
    """The command that installs what the collection needs, and *more*, for the Python that runs."""
    return " ".join([sys.executable, "-m pip install", *(f"'{package}'" for package in (*NEEDED, *more))])
