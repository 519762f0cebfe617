# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first playbook that a reader runs warns of nothing, also in check mode, and leaves the zone as it was."""

import demo
from reader import Folder


def test_the_quickstart_warns_of_nothing_and_leaves_nothing(tmp_path, service):
    # At www there is a CNAME, at the apex there are MX.
    service.zone("example.com", demo.BEFORE)
    held = service.records("example.com")
    for mode in ("--check --diff", "--diff"):
        printed = Folder(tmp_path, ".", service).play(f"quickstart.yml {mode}")
        assert "WARNING" not in printed
        assert "changed=0" not in printed
        assert service.records("example.com") == held
