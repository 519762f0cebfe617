# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""BIND as the judge of zone files."""

import os
import shutil

import pytest


@pytest.fixture(scope="session")
def checkzone():
    """The path of BIND's named-checkzone."""
    found = shutil.which("named-checkzone", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if not found:
        reason = "named-checkzone is missing (apt-get install bind9-utils)"
        if os.environ.get("ZONESMITH_CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found
