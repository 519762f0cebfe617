# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""dns_zones with more zones than a server has slots for sessions."""

from __future__ import annotations

import pytest
from kept import RunSql
from machines import ADDRESSES, NewMachine
from playing import Task
from running import Service
from scenarios import held_by

ZONES = 150


@pytest.mark.parametrize("concurrency", ["auto", 16])
def test_150_zones_in_one_task(service: Service, machine: NewMachine, run_sql: RunSql, concurrency: object) -> None:
    assert run_sql("show max_connections") == [("100",)]
    names = [f"zone{number}.slots{concurrency}.example" for number in range(ZONES)]
    for name in names:
        service.zone(name, [("www", "A", 300, ADDRESSES)])
    records = [{"name": "www", "type": "A", "content": ADDRESSES, "ttl": 600}]
    result = machine().act(Task("dns_zones", {"zones": names, "records": records, "concurrency": concurrency}))
    assert not result.get("failed"), result["msg"]
    assert result["summary"]["rebuilt"] == ZONES
    assert {held_by(service, name)["www", "A"] for name in names} == {(600, tuple(ADDRESSES))}
