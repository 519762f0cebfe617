# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The move of a host in docs/guides/moving.md, commit by commit: what the zone holds, and how long to wait."""

import re
import time
from datetime import datetime, timezone

from reader import Folder

DAY, FIVE_MINUTES = 86400, 300


def committed(move):
    """Run what is committed; for about how many seconds from then the result says that old answers last."""
    found = re.search(r"expires at ([-0-9]+T[0-9:]+)Z", move.play("move.yml"))
    if found is None:
        return None
    until = datetime.fromisoformat(found[1]).replace(tzinfo=timezone.utc).timestamp()
    return min((DAY, FIVE_MINUTES), key=lambda seconds: abs(until - time.time() - seconds))


def www(service):
    """The TTL and the addresses of www."""
    (row,) = (row for row in service.records("example.com") if row["name"] == "www.example.com.")
    return row["ttl"], row["contents"]


def test_a_host_moves_within_minutes(tmp_path, service):
    move = Folder(tmp_path, "moving", service)
    service.zone(
        "example.com", [("www", "A", DAY, ["192.0.2.10"]), ("@", "A", DAY, ["192.0.2.20"])]
    )
    assert committed(move) == DAY
    assert www(service) == (FIVE_MINUTES, ["192.0.2.10"])
    assert committed(move) is None

    move.edit("zones/example.com.zone", "www A 192.0.2.10", "www A 198.51.100.10")
    assert committed(move) == FIVE_MINUTES
    assert www(service) == (FIVE_MINUTES, ["198.51.100.10"])

    (ttl_max,) = re.findall(r" +ttl_max:\n.*\n.*\n", move.read("move.yml"))
    move.edit("move.yml", ttl_max, "")
    assert committed(move) is None
    assert www(service) == (DAY, ["198.51.100.10"])
