# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A run over many zones that is interrupted by the task's time limit or by Ctrl-C, and run again."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from held_zones import Held, held_by
from playing import Task, begun, play, run_directly, wait_until
from running import Service

ADDRESSES = tuple(f"192.0.2.{number}" for number in range(1, 4))
BEFORE: Held = {("www", "A"): (300, ADDRESSES), ("xyz", "A"): (300, ("198.51.100.1",))}
AFTER: Held = {**BEFORE, ("www", "A"): (600, ADDRESSES)}
HELD_BACK = 5.0
"""Seconds that some of the requests take, in which the run is interrupted."""

WITHIN = 60.0
ZONES = [f"zone{number:02}.example" for number in range(12)]


@pytest.fixture
def service():
    """A service with zones, of which some take their time for the second value of a set that was deleted."""
    with Service() as service:
        for name in ZONES:
            service.zone(
                name,
                [(name_, rdtype, ttl, held) for (name_, rdtype), (ttl, held) in BEFORE.items()],
            )
        for name in ZONES[1:12:3]:
            slug = name.replace(".", "")
            service.fault("slow", method="POST", path=slug, nth=2, seconds=HELD_BACK)
        yield service


def _task() -> dict[str, Any]:
    wanted = [{"name": "www", "type": "A", "content": list(ADDRESSES), "ttl": 600}]
    return {"zones": [{"zone": name, "records": wanted} for name in ZONES], "concurrency": 4}


def _is_right_afterwards(service: Service, state_dir: Path) -> None:
    """Sets are missing values; the next run, which waits for no lock, completes them."""
    _wait_until_none_works(service)
    left = {name: held_by(service, name) for name in ZONES}
    assert all(held["xyz", "A"] == BEFORE["xyz", "A"] for held in left.values())
    torn = [
        name for name in ZONES if len(left[name].get(("www", "A"), (0, ()))[1]) < len(ADDRESSES)
    ]
    assert torn
    service.clear_faults()
    service.clear_log()
    result = run_directly(
        {"next": Task("dns_zones", {**_task(), "lock_timeout": 0})}, service, state_dir
    )["next"]
    assert not result.get("failed"), result["msg"]
    assert {*torn} <= {zone["zone"] for zone in result["zones"] if zone["recovered"]}
    assert [name for name in ZONES if held_by(service, name) != AFTER] == []


@pytest.mark.parametrize("direct", [False, True], ids=["module", "direct"])
def test_by_the_time_limit_of_the_task(service, tmp_path, direct):
    keep = {"zonesmith.dns.dns_zones": "{{ options }}", "timeout": 4, "ignore_errors": True}
    plays = [{"hosts": "all", "gather_facts": False, "tasks": [{"name": "Keep", **keep}]}]
    hosts = {"one": {"options": _task(), "zonesmith_direct": direct}}
    state_dir = tmp_path / "state"
    played = play(plays, {"all": {"hosts": hosts}}, service.environment(state_dir), forked=False)
    assert "timedout" in played.results["one"], played.output
    if direct:
        _is_right_afterwards(service, state_dir)
        return
    # Ansible forgets the process of a module, which goes on, or ends with ansible-playbook: the next run waits for its
    # locks, and completes what it may have left.
    result = run_directly({"next": Task("dns_zones", _task())}, service, state_dir)["next"]
    assert not result.get("failed"), result["msg"]
    assert [name for name in ZONES if held_by(service, name) != AFTER] == []


@pytest.mark.parametrize("direct", [False, True], ids=["module", "direct"])
def test_by_ctrl_c(service, tmp_path, direct):
    state_dir = tmp_path / "state"
    run = _started(service, tmp_path, direct, subprocess.PIPE)
    os.killpg(run.pid, signal.SIGINT)
    output, _nothing = run.communicate(timeout=WITHIN)
    assert run.returncode != 0
    assert "Traceback" not in output
    # The process of a module has nobody to tell.
    assert (
        output.count("\nInterrupted while these sets were deleted or incomplete: www.") == direct
    ), output
    if not direct and _went_on_to_its_end(service):
        return
    _is_right_afterwards(service, state_dir)


def test_ctrl_c_in_a_terminal_tells_what_is_not_whole(service, tmp_path):
    ours, its = pty.openpty()
    run = _started(service, tmp_path, True, its)
    os.close(its)
    os.killpg(run.pid, signal.SIGINT)
    output = b""
    with contextlib.suppress(OSError):  # which is how a terminal ends
        while part := os.read(ours, 65536):
            output += part
    os.close(ours)
    run.wait(timeout=WITHIN)
    _wait_until_none_works(service)
    torn = [
        name
        for name in ZONES
        if len(held_by(service, name).get(("www", "A"), (0, ()))[1]) < len(ADDRESSES)
    ]
    lines = output.decode().splitlines()
    (line,) = [line for line in lines if line.startswith("Interrupted while ")]
    assert line.endswith(" A. Run the task again to complete them.")
    assert torn
    assert [name for name in torn if f"www.{name}. A" not in line] == [], line


def _started(service: Service, tmp_path: Path, direct: bool, stdout: int) -> subprocess.Popen[str]:
    """ansible-playbook at a moment at which sets are missing values."""
    keep = {"name": "Keep", "zonesmith.dns.dns_zones": "{{ options }}"}
    plays = [{"hosts": "all", "gather_facts": False, "tasks": [keep]}]
    hosts = {"one": {"options": _task(), "zonesmith_direct": direct}}
    run = begun(plays, hosts, service.environment(tmp_path / "state"), tmp_path, stdout)
    wait_until(service.met_faults)
    return run


def _went_on_to_its_end(service: Service) -> bool:
    """Whether the process of a module did, which Ansible does not always tell that it is to end.

    Its worker passes Ctrl-C on, unless the SIGTERM that follows, twice, kills it before.
    """
    seen = -1
    while seen != (count := len(service.log())):
        seen = count
        time.sleep(HELD_BACK + 1)
    return all(held_by(service, name) == AFTER for name in ZONES)


def _wait_until_none_works(service: Service) -> None:
    """Until what was sent has been carried out, and to see that nothing more comes."""
    count = len(service.log())
    time.sleep(HELD_BACK)
    assert len(service.log()) == count


def test_who_was_left_behind_is_not_in_the_way_of_the_next_item_of_the_loop(service, tmp_path):
    """As many requests as may be under way have no answer yet when the time of the first item is over."""
    service.clear_faults()
    service.fault("hang_before", method="POST", path="/zone00example", seconds=20, times=0)
    new = [{"name": f"new{number}", "type": "A", "content": "192.0.2.9"} for number in range(4)]
    add = {"zonesmith.dns.dns_records": {"zone": "{{ item }}", "records": new, "concurrency": 2}}
    task = {"name": "Add", **add, "loop": ZONES[:2], "timeout": 5, "ignore_errors": True}
    plays = [{"hosts": "all", "gather_facts": False, "tasks": [task]}]
    environment = service.environment(tmp_path / "state")
    played = play(plays, {"all": {"hosts": {"one": {}}}}, environment, forked=False)
    first, second = played.results["one"]["results"]
    assert "timedout" in first, first
    assert not second.get("failed"), second["msg"]
    assert len(second["changes"]) == len(new)
