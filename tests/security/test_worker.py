# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules in Ansible's worker: as whom and where they run, which files they mean, how they end."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import elsewhere
import pytest
from certificates import Authority
from held_zones import held_by
from playing import Played, play
from raw import RawServer, as_json, whole
from running import Service

TOKEN = "token-that-nobody-may-see"


def _become(mark, **variables):
    return {"ansible_become_method": "marking", "ansible_become_flags": mark, **variables}


def _lists(slug, status="x"):
    return {
        "status": "Success",
        "data": [{"name": "example.com", "slug": slug, "status": status}],
        "total": 1,
    }


def _deep(levels):
    return [_deep(levels - 1)] if levels else []


def _holds(*contents):
    soa = {"name": "example.com.", "type": "SOA", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]}
    text = {"name": "www.example.com.", "type": "TXT", "ttl": 300, "contents": list(contents)}
    return {"status": "Success", "data": {"records": [soa, text]}}


REPLIES = {
    "status": {"/dns/domains": _lists("a", status={"\udfff": "\ud800"})},
    "deep": {"/dns/domains": _lists("a", status=_deep(400))},
    "value": {"/dns/domains/examplecom": _holds("\udc80"), "/dns/domains": _lists("examplecom")},
    "good": {"/dns/domains/examplecom": _holds("fine"), "/dns/domains": _lists("examplecom")},
}
"""What a hostile service says, by the first part of the path in base_url."""

READS = [
    ("direct", "status", False),
    ("direct", "deep", False),
    ("direct", "value", True),
    ("process", "status", False),
    ("process", "deep", False),
]


def hostile_service():
    """Gives REPLIES, by the first part and the rest of the path."""

    def reply(request):
        _root, part, rest = request.path.split("/", 2)
        if f"/{rest}" in REPLIES[part]:
            return as_json(REPLIES[part][f"/{rest}"])
        return whole(b'{"status": "Error", "message": "not here"}', status="404 Not Found")

    return RawServer(reply)


@dataclass
class Scene:
    """A playbook's folder, another folder in which it was started, and what became of its tasks."""

    project: Path
    plugins: Path
    played: Played
    held: set[tuple[str, str]]


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """All tasks of this file, run."""
    folder = tmp_path_factory.mktemp("worker")
    project, plugins = folder / "project", folder / "plugins"
    project.mkdir()
    plugins.mkdir()
    authority = Authority(folder)
    (project / "authority.pem").write_bytes(authority.bundle.read_bytes())
    with ExitStack() as stack:
        plain = stack.enter_context(Service(zones=["example.com"], token=TOKEN))
        tls = stack.enter_context(
            Service("--tls-cert", str(authority.certificate("good")), token=TOKEN)
        )
        tls.zone("example.com", [])
        hostile = stack.enter_context(hostile_service())
        hosts = _hosts(tls, hostile, plugins)
        played = play(
            _plays(),
            {"all": {"hosts": hosts}},
            {**plain.environment(folder / "state"), **elsewhere.put(plugins)},
            forks=4,
            beside=project,
        )
        yield Scene(project, plugins, played, set(held_by(plain, "example.com")))


def _hosts(tls, hostile, plugins):
    def record(name, **options):
        return {
            "options": {
                "zone": "example.com",
                "name": name,
                "type": "A",
                "content": ["192.0.2.1"],
                **options,
            }
        }

    over_tls = {"base_url": tls.url, "ca_path": "authority.pem"}
    return {
        "elsewhere": _become("delegated", ansible_become=True),
        "variable": {**record("variable"), **_become("variable", ansible_become=True)},
        "text": {**record("text"), **_become("text", ansible_become="yes")},
        "keyword": {**record("keyword"), **_become("keyword")},
        "delegated": record("delegated"),
        "jail": {**record("jail"), "ansible_connection": "jail"},
        "another-shell": {
            **record("another-shell"),
            "ansible_shell_executable": str(plugins / "shell"),
        },
        "direct": record("direct", state_dir="state-direct", **over_tls),
        "process": {
            **record("process", state_dir="state-process", **over_tls),
            "zonesmith_direct": False,
        },
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
    }


def _plays():
    def play_of(hosts, module, **task):
        keywords = {key: task.pop(key) for key in ("become", "environment") if key in task}
        options = {
            **task.pop("options", {}),
            **({"base_url": "{{ item }}"} if "loop" in task else {}),
        }
        whole = {name: f"{{{{ options.{name} | default(omit) }}}}" for name in NAMES[module]}
        done = {
            "name": hosts,
            f"zonesmith.dns.{module}": {**whole, **options},
            "ignore_errors": True,
            **task,
        }
        return {"name": hosts, "hosts": hosts, "gather_facts": False, "tasks": [done], **keywords}

    loop = {"loop": "{{ urls }}"}
    return [
        play_of("variable:text:jail:another-shell:direct:process:port", "dns_record"),
        play_of("keyword", "dns_record", become=True),
        play_of("delegated", "dns_record", delegate_to="elsewhere"),
        play_of(
            "environment:in-process-environment",
            "dns_record",
            environment={"ZONESMITH_STATE_DIR": "state-env"},
        ),
        play_of("*-list:*-records", "dns_zone_info", **loop),
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


@pytest.mark.parametrize(
    "host", ["variable", "text", "keyword", "delegated", "jail", "another-shell"]
)
def test_who_runs_it_and_where_is_what_the_task_says(scene, host):
    assert scene.played.results[host].get("changed") is True, scene.played.output
    assert (scene.plugins / host).exists()


@pytest.mark.parametrize("host", ["direct", "process"])
def test_a_relative_path_is_one_beside_the_playbook(scene, host):
    assert scene.played.results[host].get("changed") is True, scene.played.output
    assert list((scene.project / f"state-{host}").glob("*.lock"))


def test_a_relative_path_of_the_environment_is_one_too(scene):
    for host in ("environment", "in-process-environment"):
        assert scene.played.results[host].get("changed") is True, scene.played.output
    assert len(list((scene.project / "state-env").glob("*.lock"))) == 1


@pytest.mark.parametrize(
    "host", [f"{way}-{case}-{'records' if records else 'list'}" for way, case, records in READS]
)
def test_no_text_of_the_service_costs_the_loop_its_results(scene, host):
    results = scene.played.results[host].get("results", [])
    assert len(results) == 2, scene.played.output
    good, hostile = results
    assert [zone["name"] for zone in good["zones"]] == ["example.com"]
    assert "\n" not in hostile["msg"] if "msg" in hostile else len(hostile["zones"]) == 1


def test_a_port_that_does_not_exist_hides_no_write(scene):
    result = scene.played.results["port"]
    assert result["failed"] is True
    assert result.get("changed", False) is (("port", "A") in scene.held), result
    assert "Traceback" not in result["msg"]


def test_none_of_that_shows_the_token(scene):
    assert TOKEN not in scene.played.output
    assert TOKEN not in json.dumps(scene.played.results)
