# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Name servers that are named to hurt: by whoever writes in a zone, or by a slip of the user."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest
from playing import Played, Task, play_tasks
from running import Service

pytestmark = pytest.mark.any_core

GET = "GET /dns/domains/examplecom"

REFUSED = {
    "port-too-high": {"wait_nameservers": ["127.0.0.1:99999"]},
    "not-a-host": {"wait_nameservers": ["127.0.0.1", "not a host"]},
    "empty": {"wait_nameservers": [""]},
    "never": {"wait_timeout": "nan"},
    "before-now": {"wait_timeout": -1},
}
"""Options that are refused before the first request, by host."""

WAITING = {"wait": True, "zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.1"]}


@dataclass
class Silent:
    """Name servers that say nothing, and how often each was asked."""

    sockets: list[socket.socket] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """As ``wait_nameservers`` takes them."""
        return [f"127.0.0.1:{held.getsockname()[1]}" for held in self.sockets]

    def asked(self) -> list[bool]:
        """Whether a packet arrived, for each."""
        return [_has_packet(held) for held in self.sockets]


def _has_packet(held: socket.socket) -> bool:
    held.setblocking(False)
    try:
        return bool(held.recv(65535))
    except BlockingIOError:
        return False


@pytest.fixture(scope="module")
def silent() -> Iterator[Silent]:
    """More name servers than are asked at once."""
    with ExitStack() as stack:
        servers = Silent()
        for _number in range(40):
            held = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            held.bind(("127.0.0.1", 0))
            servers.sockets.append(held)
        yield servers


@dataclass
class Scene:
    """What each host's task returned, which requests it made, and who was asked."""

    played: Played
    calls: list[str]
    asked: list[bool]


@pytest.fixture(scope="module")
def scene(silent: Silent, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """All tasks of this file, run: the refused ones against a service of their own."""
    folder = tmp_path_factory.mktemp("name-servers")
    with Service(zones=["example.com"]) as refusing, Service(zones=["example.com"]) as other:
        tasks = {host: Task("dns_record", {**WAITING, **options}) for host, options in REFUSED.items()}
        tasks["silent"] = Task(
            "dns_record",
            {**WAITING, "base_url": other.url, "wait_timeout": 1, "wait_nameservers": silent.names},
        )
        for host, name_server in {
            "port-in-the-zone": "127.0.0.1:53.",
            "address-in-the-zone": "169.254.169.254.",
            "number-in-the-zone": "2852039166.",
            "loopback-in-the-zone": "localhost.",
        }.items():
            zone = f"{host}.example"
            other.zone(zone, [("@", "NS", 300, [name_server])])
            tasks[host] = Task("dns_record", {**WAITING, "base_url": other.url, "zone": zone, "wait_timeout": 5})
        played = play_tasks(tasks, refusing, folder / "state")
        yield Scene(played, refusing.calls(), silent.asked())


@pytest.mark.parametrize("host", REFUSED)
def test_bad_options_are_refused(host: str, scene: Scene) -> None:
    result = scene.played.results[host]
    assert result["failed"]
    assert not result["changed"]
    (option,) = REFUSED[host]
    assert option in result["msg"]


def test_they_are_refused_before_the_first_request(scene: Scene) -> None:
    assert scene.calls == []


def test_the_deadline_is_for_all_servers_together(scene: Scene) -> None:
    """Each silent server takes seconds, so that those behind the deadline are not asked any more."""
    result = scene.played.results["silent"]
    assert "about www.example.com. A, 1 s after the change" in result["msg"]
    assert result["changed"]
    assert not scene.asked[39]


@pytest.mark.parametrize(
    "host", ["port-in-the-zone", "address-in-the-zone", "number-in-the-zone", "loopback-in-the-zone"]
)
def test_a_zone_names_hosts_and_nothing_else(host: str, scene: Scene) -> None:
    result = scene.played.results[host]
    assert result["failed"]
    assert not result["changed"], "it is known before anything is written"
    assert "Zone" in result["msg"]
    assert "the zone's name server" in result["msg"]
    assert "wait_nameservers" in result["msg"]
