# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is the same of every store: how much it keeps, what a look shows of nothing, and who is told to wait."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDir, StateDirError
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Look, held_by_another


@pytest.mark.parametrize(("timeout", "shown"), [(0, "0"), (600.0, "600"), (0.25, "0.25"), (86400.0, "86400")])
def test_who_has_waited_in_vain_is_told_for_whom_and_what_to_do(timeout: float, shown: str) -> None:
    assert str(held_by_another("host \x1ba", timeout)) == (
        rf"another run holds the lock on the zone (host \x1ba) and did not let go of it within {shown} seconds; "
        "nothing was changed: run the task again when the other has ended, end that one if it hangs, or set a longer "
        "lock_timeout"
    )


def test_a_look_at_nothing() -> None:
    assert Look() == Look(last_write=0, idle=math.inf, is_open=False, written=None, ahead=0.0)
    assert Look(at=1.0) == Look(at=2.0), "the same is shown at another moment"


def test_more_than_128_mebibytes_are_not_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    file = tmp_path / "journal"
    file.touch(mode=0o600)
    os.truncate(file, 128 * 2**20 + 1)
    with StateDir.opened(tmp_path) as folder, pytest.raises(StateDirError) as raised:
        folder.read(file.name, "the journal")
    assert str(raised.value) == f"the journal {file} has more than 128 MiB: find out who made it, and remove it"
