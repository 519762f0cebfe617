# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The move of a host in docs/guides/moving.md, commit by commit: what the zone holds, and how long to wait."""

import re
import shutil
import time
from datetime import datetime, timezone
from pathlib import Path

from reader import run

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "moving"
DAY, FIVE_MINUTES = 86400, 300


def committed(folder, service):
    """Run what is committed; for how many seconds from then the result says that old answers last."""
    began = time.time()
    done = run(["ansible-playbook", "move.yml"], folder, service)
    assert done.returncode == 0, done.stdout
    found = re.search(r"expires at ([-0-9]+T[0-9:]+)Z", done.stdout)
    if found is None:
        return None
    until = datetime.fromisoformat(found[1]).replace(tzinfo=timezone.utc).timestamp()
    seconds = DAY if until - began > DAY else FIVE_MINUTES
    assert began + seconds <= until <= time.time() + seconds + 1
    return seconds


def www(service):
    """The TTL and the addresses of www."""
    (row,) = (row for row in service.records("example.com") if row["name"] == "www.example.com.")
    return row["ttl"], row["contents"]


def test_a_host_moves_within_minutes(tmp_path, service):
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    playbook, file = tmp_path / "move.yml", tmp_path / "zones" / "example.com.zone"
    service.zone(
        "example.com", [("www", "A", DAY, ["192.0.2.10"]), ("@", "A", DAY, ["192.0.2.20"])]
    )
    assert committed(tmp_path, service) == DAY
    assert www(service) == (FIVE_MINUTES, ["192.0.2.10"])
    assert committed(tmp_path, service) is None

    there = file.read_text(encoding="utf-8")
    file.write_text(there.replace("www A 192.0.2.10", "www A 198.51.100.10"), encoding="utf-8")
    assert committed(tmp_path, service) == FIVE_MINUTES
    assert www(service) == (FIVE_MINUTES, ["198.51.100.10"])

    without = re.sub(r" +ttl_max:\n.*\n.*\n", "", playbook.read_text(encoding="utf-8"))
    assert "ttl_max" not in without
    playbook.write_text(without, encoding="utf-8")
    assert committed(tmp_path, service) is None
    assert www(service) == (DAY, ["198.51.100.10"])
