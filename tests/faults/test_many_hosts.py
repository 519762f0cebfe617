# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Many hosts change one record set at once, at a service that loses the values of concurrent writers.

One controller has a lock, so all of its hosts succeed. Two controllers share no lock: there, each host must see for
itself that its value is stored, and say so if it cannot get it in. Nothing of that is Ansible's: those run in forks.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from held_zones import held_by, stored_twice
from playing import Task, play_tasks, run_directly
from running import Service

ZONE = "example.com"
OTHERS = [("pool", "TXT", 300, ['"not an address"']), ("other", "A", 60, ["198.51.100.1"])]
HOSTS = [f"host{number:02}" for number in range(20)]
STAYING, LEAVING = HOSTS[1::2], HOSTS[::2]


@pytest.fixture
def service():
    """A service at which a write takes longer than it should, and a request longer than that.

    Without the latency a verification could overtake a write that is under way, and no client could know.
    """
    with Service(settings={"lose_concurrent_writes": True, "latency": 10}) as service:
        service.zone(ZONE, OTHERS)
        yield service


def _address(host: str) -> str:
    return f"192.0.2.{int(host[-2:]) + 1}"


def _tasks(hosts: list[str], state: str, **options: Any) -> dict[str, Task]:
    common = {"zone": ZONE, "name": "pool", "type": "A", "state": state, **options}
    return {host: Task("dns_record", {**common, "content": [_address(host)]}) for host in hosts}


def _pool(service: Service) -> list[str]:
    held = held_by(service, ZONE)
    assert not stored_twice(held)
    for name, rdtype, ttl, values in OTHERS:
        assert held[name, rdtype] == (ttl, tuple(values))
    return sorted(held.get(("pool", "A"), (0, ()))[1])


def _addresses(hosts: list[str]) -> list[str]:
    return sorted(map(_address, hosts))


@pytest.mark.parametrize("direct", [False, True], ids=["module", "direct"])
def test_hosts_of_one_controller_all_succeed(service, tmp_path, direct):
    joined = play_tasks(_tasks(HOSTS, "present"), service, tmp_path / "state", direct=direct)
    assert [host for host in HOSTS if joined.results[host].get("failed")] == [], joined.output
    assert _pool(service) == _addresses(HOSTS)
    left = play_tasks(_tasks(LEAVING, "absent"), service, tmp_path / "state", direct=direct)
    assert [host for host in LEAVING if left.results[host].get("failed")] == [], left.output
    assert _pool(service) == _addresses(STAYING)


def test_the_same_value_is_sent_once(service, tmp_path):
    same = Task(
        "dns_record", {"zone": ZONE, "name": "pool", "type": "A", "content": ["192.0.2.77"]}
    )
    results = run_directly(dict.fromkeys(HOSTS[:10], same), service, tmp_path / "state")
    assert sorted(results[host]["changed"] for host in HOSTS[:10]) == [False] * 9 + [True]
    assert [call for call in service.calls() if not call.startswith("GET")] == [
        "POST pool A 192.0.2.77"
    ]


def _two_controllers(
    service: Service, folder: Path, first: Mapping[str, Task], second: Mapping[str, Task]
) -> dict[str, dict[str, Any]]:
    """The results of the hosts of two controllers at work at the same time, without a lock between them."""
    with ThreadPoolExecutor(2) as pool:
        states = [folder / "one", folder / "other"]
        one, other = pool.map(
            lambda tasks, state: run_directly(tasks, service, state), (first, second), states
        )
    return {**one, **other}


def _halves(tasks: dict[str, Task]) -> list[dict[str, Task]]:
    hosts = sorted(tasks)
    return [{host: tasks[host] for host in hosts[number::2]} for number in range(2)]


def test_verification_catches_what_no_lock_can_when_two_controllers_add(service, tmp_path):
    results = _two_controllers(service, tmp_path, *_halves(_tasks(HOSTS, "present", ttl=300)))
    succeeded = [host for host in HOSTS if not results[host].get("failed")]
    assert {_address(host) for host in succeeded} <= set(_pool(service))
    for host in set(HOSTS) - set(succeeded):
        assert "pool.example.com. A is not as desired after 3 rounds" in results[host]["msg"]
