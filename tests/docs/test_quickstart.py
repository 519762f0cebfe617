# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first playbook that a reader runs warns of nothing, also in check mode, and leaves the zone as it was."""

from pathlib import Path

import demo
from reader import run

TESTS = Path(__file__).resolve().parents[1]


def test_the_quickstart_warns_of_nothing_and_leaves_nothing(tmp_path, service):
    # At www there is a CNAME, at the apex there are MX.
    service.zone("example.com", demo.BEFORE)
    held = service.records("example.com")
    for mode in (["--check", "--diff"], ["--diff"]):
        done = run(["ansible-playbook", TESTS.parent / demo.QUICKSTART, *mode], tmp_path, service)
        assert done.returncode == 0, done.stdout
        assert "WARNING" not in done.stdout
        assert "changed=0" not in done.stdout
        assert service.records("example.com") == held
