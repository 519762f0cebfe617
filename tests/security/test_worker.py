# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules in Ansible's worker: as whom and where they run, which files they mean, how they end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from certificates import Authority
from elsewhere import BECOME, JAIL, SHELL
from playing import Played, play, service_environment
from raw import Parts, RawServer, Request, as_json, whole
from running import Service
from scenarios import held_by

TOKEN = "token-that-nobody-may-see"
SETS = 20
CONCURRENCY = 4


def _become(mark: str, **variables: Any) -> dict[str, Any]:
    return {"ansible_become_method": "marking", "ansible_become_flags": mark, **variables}


def _lists(slug: str, name: str = "example.com", status: Any = "x") -> Any:
    return {"status": "Success", "data": [{"name": name, "slug": slug, "status": status}], "total": 1}


def _deep(levels: int) -> Any:
    return [_deep(levels - 1)] if levels else []


def _holds(*contents: str) -> Any:
    soa = {"name": "example.com.", "type": "SOA", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]}
    text = {"name": "www.example.com.", "type": "TXT", "ttl": 300, "contents": list(contents)}
    return {"status": "Success", "data": {"records": [soa, text]}}


REPLIES = {
    "slug": {"/dns/domains": _lists("\udc80")},
    "name": {"/dns/domains": _lists("a", name="\ud800.example")},
    "status": {"/dns/domains": _lists("a", status={"\udfff": "\ud800"})},
    "deep": {"/dns/domains": _lists("a", status=_deep(400))},
    "value": {"/dns/domains/examplecom": _holds("\udc80"), "/dns/domains": _lists("examplecom")},
    "good": {"/dns/domains/examplecom": _holds("fine"), "/dns/domains": _lists("examplecom")},
}
"""What a hostile service says, by the first part of the path in base_url."""

READS = [
    ("direct", "slug", False),
    ("direct", "name", False),
    ("direct", "status", False),
    ("direct", "deep", False),
    ("direct", "value", True),
    ("process", "status", False),
    ("process", "deep", False),
]
WRITES = [("direct", "slug"), ("direct", "name"), ("direct", "value"), ("process", "slug")]


HANG_GUARD = 15.0  # seconds; whoever still waits then gets an answer


class Answering(RawServer):
    """Gives *replies*, JSON values by the first part and the rest of the path; keeps waiting who asks for more."""

    def __init__(self, replies: Mapping[str, Mapping[str, Any]]) -> None:
        self.hanging: list[tuple[str, str]] = []
        self.held_back = 0
        self._replies = replies
        super().__init__(self._reply)

    def _reply(self, request: Request) -> Parts:
        _root, part, rest = request.path.split("/", 2)
        if request.method == "GET" and f"/{rest}" in self._replies[part]:
            return as_json(self._replies[part][f"/{rest}"])
        if request.method == "GET" and "hangs" not in rest:
            return whole(b'{"status": "Error", "message": "not here"}', status="404 Not Found")
        self.hanging.append((request.method, request.path))
        self.held_back += 1
        self.ended.wait(HANG_GUARD)
        self.held_back -= 1
        return as_json({"status": "Success", "data": {}})


@dataclass
class Scene:
    """A playbook's folder, another folder in which it was started, and what became of its tasks."""

    project: Path
    plugins: Path
    played: Played
    held: set[tuple[str, str]]

    def result(self, host: str) -> dict[str, Any]:
        """The result of a host's task."""
        return self.played.results[host]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """All tasks of this file but those that hang, run."""
    folder = tmp_path_factory.mktemp("worker")
    project, plugins = folder / "project", folder / "plugins"
    project.mkdir()
    plugins.mkdir()
    (plugins / "jail.py").write_text(JAIL)
    (plugins / "marking.py").write_text(BECOME)
    (plugins / "shell").write_text(SHELL)
    (plugins / "shell").chmod(0o700)
    authority = Authority(folder)
    (project / "authority.pem").write_bytes(authority.bundle.read_bytes())
    with ExitStack() as stack:
        plain = stack.enter_context(Service(zones=["example.com"], token=TOKEN))
        tls = stack.enter_context(Service("--tls-cert", str(authority.certificate("good")), token=TOKEN))
        tls.zone("example.com", [])
        hostile = stack.enter_context(Answering(REPLIES))
        hosts = _hosts(tls, hostile, plugins)
        played = play(
            _plays(),
            {"all": {"hosts": hosts}},
            {
                **service_environment(plain, folder / "state"),
                "ANSIBLE_CONNECTION_PLUGINS": str(plugins),
                "ANSIBLE_BECOME_PLUGINS": str(plugins),
                "ANSIBLE_BECOME_ALLOW_SAME_USER": "1",
            },
            forks=4,
            beside=project,
        )
        yield Scene(project, plugins, played, set(held_by(plain, "example.com")))


def _hosts(tls: Service, hostile: Answering, plugins: Path) -> dict[str, dict[str, Any]]:
    def record(name: str, **options: Any) -> dict[str, Any]:
        return {"options": {"zone": "example.com", "name": name, "type": "A", "content": ["192.0.2.1"], **options}}

    over_tls = {"base_url": tls.url, "ca_path": "authority.pem"}
    return {
        "elsewhere": _become("delegated", ansible_become=True),
        "variable": {**record("variable"), **_become("variable", ansible_become=True)},
        "text": {**record("text"), **_become("text", ansible_become="yes")},
        "keyword": {**record("keyword"), **_become("keyword")},
        "delegated": record("delegated"),
        "jail": {**record("jail"), "ansible_connection": "jail"},
        "another-shell": {**record("another-shell"), "ansible_shell_executable": str(plugins / "shell")},
        "direct": record("direct", state_dir="state-direct", **over_tls),
        "process": {**record("process", state_dir="state-process", **over_tls), "zonesmith_direct": False},
        "environment": record("environment"),
        "in-process-environment": {**record("in-process-environment"), "zonesmith_direct": False},
        "port": record("port", wait=True, wait_nameservers=["127.0.0.1:99999"]),
        **{
            f"{way}-{case}-{'records' if records else 'list'}": {
                "zonesmith_direct": way == "direct",
                "urls": [f"{hostile.url}/good", f"{hostile.url}/{case}"],
                "options": {"records": records, **({"zone": "example.com"} if records else {})},
            }
            for way, case, records in READS
        },
        **{
            f"{way}-{case}-write": {
                "zonesmith_direct": way == "direct",
                "urls": [f"{hostile.url}/good", f"{hostile.url}/{case}"],
                **record("www", type="TXT", content=["fine"], retries=0),
            }
            for way, case in WRITES
        },
    }


def _plays() -> list[dict[str, Any]]:
    def play_of(hosts: str, module: str, **task: Any) -> dict[str, Any]:
        keywords = {key: task.pop(key) for key in ("become", "environment") if key in task}
        options = {**task.pop("options", {}), **({"base_url": "{{ item }}"} if "loop" in task else {})}
        whole = {name: f"{{{{ options.{name} | default(omit) }}}}" for name in NAMES[module]}
        done = {"name": hosts, f"zonesmith.dns.{module}": {**whole, **options}, "ignore_errors": True, **task}
        return {"name": hosts, "hosts": hosts, "gather_facts": False, "tasks": [done], **keywords}

    loop = {"loop": "{{ urls }}"}
    return [
        play_of("variable:text:jail:another-shell:direct:process:port", "dns_record"),
        play_of("keyword", "dns_record", become=True),
        play_of("delegated", "dns_record", delegate_to="elsewhere"),
        play_of("environment:in-process-environment", "dns_record", environment={"ZONESMITH_STATE_DIR": "state-env"}),
        play_of("*-list:*-records", "dns_zone_info", **loop),
        play_of("*-write", "dns_record", **loop),
    ]


NAMES = {
    "dns_zone_info": ["zone", "records", "base_url"],
    "dns_record": [
        "zone",
        "name",
        "type",
        "content",
        "retries",
        "base_url",
        "ca_path",
        "state_dir",
        "wait",
        "wait_nameservers",
    ],
}


@pytest.mark.parametrize("host", ["variable", "text", "keyword", "delegated", "jail", "another-shell"])
def test_who_runs_it_and_where_is_what_the_task_says(scene: Scene, host: str) -> None:
    assert scene.result(host).get("changed") is True, scene.played.output
    assert (scene.plugins / host).exists()


@pytest.mark.parametrize("host", ["direct", "process"])
def test_a_relative_path_is_one_beside_the_playbook(scene: Scene, host: str) -> None:
    assert scene.result(host).get("changed") is True, scene.played.output
    assert list((scene.project / f"state-{host}").glob("*.lock"))


def test_a_relative_path_of_the_environment_is_one_too(scene: Scene) -> None:
    for host in ("environment", "in-process-environment"):
        assert scene.result(host).get("changed") is True, scene.played.output
    assert len(list((scene.project / "state-env").glob("*.lock"))) == 1


@pytest.mark.parametrize("host", [f"{way}-{case}-{'records' if records else 'list'}" for way, case, records in READS])
def test_no_text_of_the_service_costs_the_loop_its_results(scene: Scene, host: str) -> None:
    results = scene.result(host).get("results", [])
    assert len(results) == 2, scene.played.output
    good, hostile = results
    assert [zone["name"] for zone in good["zones"]] == ["example.com"]
    assert "\n" not in hostile["msg"] if "msg" in hostile else len(hostile["zones"]) == 1


@pytest.mark.parametrize("host", [f"{way}-{case}-write" for way, case in WRITES])
def test_no_text_of_the_service_costs_a_writing_loop_its_results(scene: Scene, host: str) -> None:
    results = scene.result(host).get("results", [])
    assert len(results) == 2, scene.played.output
    good, hostile = results
    assert good["record_set"]["contents"] == ['"fine"']
    assert hostile["changes"] == []
    assert "\n" not in hostile["msg"]


def test_a_port_that_does_not_exist_hides_no_write(scene: Scene) -> None:
    result = scene.result("port")
    assert result["failed"] is True
    assert result.get("changed", False) is (("port", "A") in scene.held), result
    assert "Traceback" not in result["msg"]


def test_none_of_that_shows_the_token(scene: Scene) -> None:
    assert TOKEN not in scene.played.output
    assert TOKEN not in json.dumps(scene.played.results)


@pytest.fixture(scope="module")
def hanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Answering, Played]]:
    """A service that answers no write and only lists, and tasks that may take two seconds."""
    state = tmp_path_factory.mktemp("hanging") / "state"
    zones = [{"name": f"z{n}.example", "slug": f"hangs{n}", "status": "x"} for n in range(SETS)]
    listing = {"status": "Success", "data": zones, "total": SETS}
    with Answering({"zone": REPLIES["good"], "list": {"/dns/domains": listing}}) as service:
        records = [{"name": f"new{n}", "type": "A", "content": ["192.0.2.1"]} for n in range(SETS)]
        writing = {"zone": "example.com", "records": records, "concurrency": CONCURRENCY, "retries": 0}
        writing["base_url"] = "{{ item }}"
        limits = {"timeout": 2, "ignore_errors": True}
        tasks = [
            {"name": "write", "zonesmith.dns.dns_records": writing, "loop": [f"{service.url}/zone"] * 2, **limits},
            {
                "name": "read",
                "zonesmith.dns.dns_zone_info": {"records": True, "retries": 0, "base_url": f"{service.url}/list"},
            },
        ]
        played = play(
            [
                {"hosts": "writing", "gather_facts": False, "tasks": tasks[:1]},
                {"hosts": "reading", "gather_facts": False, "tasks": [{**tasks[1], **limits}]},
            ],
            {"all": {"hosts": {"writing": {}, "reading": {}}}},
            {"ZONESMITH_ACCESS_TOKEN": TOKEN, "ZONESMITH_STATE_DIR": str(state)},
        )
        yield service, played


@pytest.mark.parametrize("host", ["writing", "reading"])
def test_a_task_ends_when_its_time_is_over(hanging: tuple[Answering, Played], host: str) -> None:
    service, played = hanging
    assert played.results[host]["failed"] is True, played.output
    assert "timed" in json.dumps(played.results[host]).lower()
    assert service.held_back == len(service.hanging)  # nobody waited for an answer


def test_nothing_begins_after_the_end(hanging: tuple[Answering, Played]) -> None:
    service, played = hanging
    writes = [path for method, path in service.hanging if method != "GET"]
    # The second item of the loop has to wait for those that are under way: they hold the lock of the zone.
    assert len(writes) == CONCURRENCY, played.output
    assert len(service.hanging) - len(writes) <= 8
