# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What noxfile.py runs its sessions with: it prints as it goes, and leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

# Each has a child in a session of its own, and another that has lost its parent, none of which ends when it is asked.
SESSION = """
trap "" INT TERM HUP
note='echo $$ >> pids; while :; do sleep 0.2; done'
setsid sh -c "$note" &
sh -c "setsid sh -c '$note' &"
eval "$note"
"""

PROGRAM = f"""
import subprocess, sys
sys.path.insert(0, {str(TESTS)!r})
import gates

def work(name):
    status = subprocess.run(["sh", "-c", {SESSION!r} if name.startswith("long") else "exit 3"], start_new_session=True)
    return "success", f"success: {{name}} {{status.returncode}}"

try:
    print(gates.each(sys.argv[1:], work, 2))
except KeyboardInterrupt:
    sys.exit(130)
"""


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # One that has ended, and that nobody has asked for its status, is there too.
    return ") Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="setsid is a program of Linux")
@pytest.mark.parametrize("stopping", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_is_stopped_leaves_no_process_behind(tmp_path: Path, stopping: signal.Signals) -> None:
    names = ["short", "long", "longer", "longest"]
    pids = tmp_path / "pids"
    started = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *names], cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + 30
    while time.monotonic() < until and (not pids.exists() or len(pids.read_text().split()) < 6):
        time.sleep(0.05)
    noted = [int(pid) for pid in pids.read_text().split()]
    assert len(noted) == 6
    assert all(map(is_there, noted))
    started.send_signal(stopping)
    said, _nothing = started.communicate(timeout=30)
    assert started.returncode == 130
    assert not any(map(is_there, noted))
    assert [*map(int, pids.read_text().split())] == noted
    begun = [f"begins: {name}" for name in names[:3]]
    assert sorted(said.splitlines()) == sorted(["4 to run, 2 at a time", *begun, "success: short 3 [1 of 4]"])


def test_what_each_returns_is_in_the_order_of_the_names(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "short"], check=False, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        "1 to run, 1 at a time",
        "begins: short",
        "success: short 3 [1 of 1]",
        "['success']",
    ]
