# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two faults in a row: what the first one left must not be lost to the second."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import QUICK
from playing import Task, run_directly
from running import Service
from scenarios import SCENARIOS, UNRELATED, UNRELATED_SET, Held, fill, held_by, same

ZONE = "case00000.example"
REPLACE = next(scenario for scenario in SCENARIOS if scenario.name == "replace")
WWW = ("www", "A")
EXCHANGE = Task("dns_record", {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.4"], "exclusive": True})
BEFORE: Held = {WWW: (300, ("192.0.2.1", "192.0.2.2"))}
NO = {"status": 422, "body": {"message": "No."}}
IN_THE_GATE = pytest.mark.skipif(QUICK, reason="a minute of waiting, which the gate has and a commit has not")


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as service:
        yield service


def _run(service: Service, task: Task, folder: Path, **options: Any) -> dict[str, Any]:
    return run_directly({"host": Task(task.module, {"zone": ZONE, **task.options, **options})}, service, folder)["host"]


@IN_THE_GATE
def test_a_name_that_was_emptied_in_an_earlier_round_is_put_back(service: Service, tmp_path: Path) -> None:
    """The addresses that follow a CNAME are confirmed and not stored; in the second round they are refused."""
    fill(service, ZONE, REPLACE.before)
    service.fault("lie", method="POST", times=2)
    service.fault("status", method="POST", nth=3, **NO)
    result = _run(service, REPLACE.task, tmp_path)
    assert f"docs.{ZONE}. CNAME holds www.example.net. (TTL 300)" in result["msg"]
    assert result["changed"] is False
    assert same(held_by(service, ZONE), REPLACE.before)
    assert list(tmp_path.glob("*.json")) == []


@IN_THE_GATE
def test_a_name_that_cannot_be_put_back_is_left_to_the_journal(service: Service, tmp_path: Path) -> None:
    fill(service, ZONE, REPLACE.before)
    service.fault("lie", method="POST", times=2)
    service.fault("status", method="POST", nth=3, times=0, **NO)
    result = _run(service, REPLACE.task, tmp_path)
    (journal,) = tmp_path.glob("*.json")
    assert (
        f"the set holds nothing, docs.{ZONE}. CNAME holds nothing, and the next run on the zone completes it from "
        in (result["msg"])
    )
    assert str(journal) in result["msg"]
    service.clear_faults()
    assert [change["type"] for change in _run(service, UNRELATED, tmp_path)["recovered"]] == ["A"]
    assert same(held_by(service, ZONE), {**REPLACE.after, **UNRELATED_SET})


def test_a_completion_that_is_refused_stops_no_other_task(service: Service, tmp_path: Path) -> None:
    """The run broke down after its deletion, and the new value is refused for good."""
    fill(service, ZONE, BEFORE)
    service.fault("drop_before", method="POST", times=0)
    assert "the set is gone" in _run(service, EXCHANGE, tmp_path, retries=0)["msg"]
    service.clear_faults()
    service.fault("status", method="POST", content="192.0.2.4", times=0, **NO)
    ran = _run(service, UNRELATED, tmp_path)
    assert ran["changed"] is True
    assert "stays so, because the service does not take 192.0.2.4 any more" in str(ran["warnings"])
    assert same(held_by(service, ZONE), {WWW: (300, ("192.0.2.1",)), **UNRELATED_SET})
    assert _run(service, UNRELATED, tmp_path)["changed"] is False


def test_what_others_made_of_an_interrupted_set_is_left_to_them(service: Service, tmp_path: Path) -> None:
    """The run broke down after its deletion, and somebody gave the set a value of his own."""
    fill(service, ZONE, BEFORE)
    service.fault("drop_before", method="POST", times=0)
    assert "the set is gone" in _run(service, EXCHANGE, tmp_path, retries=0)["msg"]
    service.clear_faults()
    fill(service, ZONE, {WWW: (300, ("192.0.2.9",))})
    ran = _run(service, UNRELATED, tmp_path)
    assert ran["changed"] is True
    assert "others have given it values of their own since" in str(ran["warnings"])
    assert same(held_by(service, ZONE), {WWW: (300, ("192.0.2.9",)), **UNRELATED_SET})
