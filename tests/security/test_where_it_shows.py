# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the token can be seen all the same: nothing that anybody wants, but what docs/security.md says is so."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from certificates import Authority
from playing import Played, play, service_environment
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._client import Client, Connection

TOKEN = "token-that-nobody-may-see"
ZONE = "example.com"
FORMS = [base64.b64encode(b"-" * shift + TOKEN.encode() + b"-" * 3)[4 if shift else 0 : -8] for shift in range(3)] + [
    TOKEN.encode()
]
"""The token, and what is the same of it in base64 wherever it stands."""


@dataclass(frozen=True)
class Scene:
    """What two runs said, and the folders that Ansible used as remote_tmp for their hosts."""

    debugged: Played
    kept: Played
    folder: Path

    def left(self, host: str) -> list[Path]:
        """The files that Ansible left behind for a host, with the token in them."""
        files = [file for file in (self.folder / host).rglob("*") if file.is_file()]
        return [file for file in files if any(form in file.read_bytes() for form in FORMS)]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Tasks with the token as an option, where Ansible is asked to show or to keep much."""
    folder = tmp_path_factory.mktemp("shown")
    with Service(zones=[ZONE], token=TOKEN) as service:
        environment = {**service_environment(service, folder / "state"), "ZONESMITH_ACCESS_TOKEN": "of-nobody-at-all"}

        def run(hosts: dict[str, dict[str, Any]], **variables: str) -> Played:
            common = {"token": TOKEN, "ansible_async_dir": str(folder / "async")}
            each = {host: {**fields, "ansible_remote_tmp": str(folder / host)} for host, fields in hosts.items()}
            plays = [_play(host) for host in hosts]
            inventory = {"all": {"hosts": each, "vars": common}}
            return play(plays, inventory, {**environment, **variables})

        in_process = {"zonesmith_direct": False}
        debugged = run({"process": in_process, "job": {}, "direct": {}}, ANSIBLE_DEBUG="1")
        kept = run({"kept": {}, "keyword": {}}, ANSIBLE_KEEP_REMOTE_FILES="1")
        return Scene(debugged, kept, folder)


def _play(host: str) -> dict[str, Any]:
    read: dict[str, Any] = {
        "name": "Read",
        "zonesmith.dns.dns_zone_info": {"zone": ZONE, "access_token": "{{ token }}"},
    }
    tasks = [read]
    if host == "keyword":
        read["zonesmith.dns.dns_zone_info"] = {"zone": ZONE}
        read["environment"] = {"ZONESMITH_ACCESS_TOKEN": "{{ token }}"}
    if host == "job":
        read |= {"async": 120, "poll": 0, "register": "job"}
        status = {"jid": "{{ job.ansible_job_id }}"}
        wait = {"register": "done", "until": "done is finished", "retries": 120, "delay": 1}
        tasks.append({"name": "Wait for it", "ansible.builtin.async_status": status, **wait})
    return {"name": host, "hosts": host, "gather_facts": False, "tasks": tasks}


@pytest.mark.parametrize("host", ["process", "job", "direct", "kept", "keyword"])
def test_each_task_had_the_token(scene: Scene, host: str) -> None:
    results = {**scene.debugged.results, **scene.kept.results}
    assert [zone["name"] for zone in results[host]["zones"]] == [ZONE], scene.debugged.output


def test_ansible_debug_prints_the_options_of_a_process(scene: Scene) -> None:
    plays = {part.partition("]")[0]: part for part in scene.debugged.output.split("PLAY [")[1:]}
    assert TOKEN in plays["process"]
    assert TOKEN not in plays["direct"]


def test_a_job_that_nobody_polls_leaves_its_module_with_the_token(scene: Scene) -> None:
    (file,) = scene.left("job")
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert scene.left("process") == scene.left("direct") == []


def test_keep_remote_files_keeps_the_token(scene: Scene) -> None:
    (file,) = scene.left("kept")
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_no_file_holds_a_token_from_the_environment(scene: Scene) -> None:
    assert scene.left("keyword") == []
    assert scene.left("async") == scene.left("state") == []


def test_sslkeylogfile_is_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path)
    keys = tmp_path / "keys"
    monkeypatch.setenv("SSLKEYLOGFILE", str(keys))
    with Service("--tls-cert", str(authority.certificate("good")), zones=[ZONE], token=TOKEN) as service:
        Client(Connection(service.url, TOKEN, ca_path=str(authority.bundle))).read_zone(f"{ZONE}.")
    assert "SECRET" in keys.read_text(encoding="ascii")
