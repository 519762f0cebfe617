# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the token can be seen all the same: nothing that anybody wants, but what docs/security.md says is so."""

import base64
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from ansible.release import __version__ as ansible_version
from playing import Played, play
from running import Service

TOKEN = "token-that-nobody-may-see"
ZONE, SLOW = "example.com", "example.net"
URL = "https://user:pass%2Dword@dns.example.com/api"
FORMS = [
    base64.b64encode(b"-" * shift + TOKEN.encode() + b"-" * 3)[4 if shift else 0 : -8]
    for shift in range(3)
] + [TOKEN.encode()]
"""The token, and what is the same of it in base64 wherever it stands."""


@dataclass(frozen=True)
class Scene:
    """What three runs said, and the folder with a remote_tmp for each host; *under_way* is what a job had in its own."""

    debugged: Played
    kept: Played
    verbose: Played
    folder: Path
    under_way: list

    def left(self, host):
        """The files that Ansible left behind for a host, with the token in them."""
        return with_token(self.folder / host)


def with_token(folder):
    """The files below a folder that hold the token."""
    return [file for file in folder.rglob("*") if any(form in _content(file) for form in FORMS)]


def _content(file):
    """What is in a file; a job that ends takes its own away at any moment."""
    with suppress(FileNotFoundError):
        return file.read_bytes() if file.is_file() else b""
    return b""


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """Tasks with the token as an option, where Ansible is asked to show or to keep much."""
    folder = tmp_path_factory.mktemp("shown")
    with Service(zones=[ZONE, SLOW], token=TOKEN) as service:
        service.fault("hang_before", path=SLOW.replace(".", ""), seconds=300, times=0)
        environment = {
            **service.environment(folder / "state"),
            "ZONESMITH_ACCESS_TOKEN": "of-nobody-at-all",
        }

        def run(hosts, verbosity=0, **variables):
            common = {
                "token": TOKEN,
                "ansible_async_dir": str(folder / "async"),
                "ansible_remote_tmp": f"{folder}/{{{{ inventory_hostname }}}}",
            }
            plays = [_play(host) for host in hosts]
            inventory = {"all": {"hosts": hosts, "vars": common}}
            return play(plays, inventory, {**environment, **variables}, verbosity=verbosity)

        in_process = {"zonesmith_direct": False}
        debugged = run({"process": in_process, "job": {}, "direct": {}}, ANSIBLE_DEBUG="1")
        under_way = with_token(folder / "job")
        kept = run({"kept": {}, "keyword": {}}, ANSIBLE_KEEP_REMOTE_FILES="1")
        hosts = {"keyword-process": in_process, "keyword-direct": {}, "untemplated": {}}
        verbose = run(hosts, verbosity=3)
    # The job ends with the service, and would go on without anybody to see it otherwise.
    for _second in range(120):
        if not with_token(folder / "job"):
            break
        time.sleep(1)
    return Scene(debugged, kept, verbose, folder, under_way)


def _play(host):
    read = {
        "name": "Read",
        "zonesmith.dns.dns_zone_info": {"zone": ZONE, "access_token": "{{ token }}"},
    }
    if host == "untemplated":
        read["zonesmith.dns.dns_zone_info"]["zone"] = "{{ 'with ' ~ token | no_such_filter }}"
        read["ignore_errors"] = True
    if host.startswith("keyword"):
        read["zonesmith.dns.dns_zone_info"] = {"zone": ZONE}
        read["environment"] = {"ZONESMITH_ACCESS_TOKEN": "{{ token }}"}
    if host == "job":
        read |= {"async": 600, "poll": 0}
        read["zonesmith.dns.dns_zone_info"] |= {"zone": SLOW, "retries": 0, "timeout": 300}
    return {"name": host, "hosts": host, "gather_facts": False, "tasks": [read]}


@pytest.mark.parametrize("host", ["process", "direct", "kept", "keyword", "keyword-direct"])
def test_each_task_had_the_token(scene, host):
    results = {**scene.debugged.results, **scene.kept.results, **scene.verbose.results}
    assert [zone["name"] for zone in results[host]["zones"]] == [ZONE], scene.debugged.output


def played(run, host):
    """What a run said in the play of a host."""
    (part,) = [part for part in run.output.split("PLAY [") if part.startswith(f"{host}]")]
    return part


def test_ansible_debug_prints_the_options_of_a_process(scene):
    assert TOKEN in played(scene.debugged, "process")
    assert TOKEN not in played(scene.debugged, "direct")


def test_the_keyword_environment_shows_the_token_of_a_process(scene):
    """Ansible puts it on the command line."""
    assert TOKEN in played(scene.verbose, "keyword-process")
    assert TOKEN not in played(scene.verbose, "keyword-direct")


@pytest.mark.skipif(
    ansible_version.startswith("2.18."),
    reason="this ansible-core itself shows the options of what it cannot template",
)
def test_what_cannot_be_templated_does_not_show_it(scene):
    assert "no_such_filter" in played(scene.verbose, "untemplated")
    assert TOKEN not in played(scene.verbose, "untemplated")


def test_a_job_has_the_token_in_a_file_until_it_ends(scene):
    assert scene.debugged.results["job"]["ansible_job_id"]
    assert len(scene.under_way) == 1
    assert scene.left("job") == scene.left("process") == scene.left("direct") == []


def test_keep_remote_files_keeps_the_token(scene):
    (file,) = scene.left("kept")
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_no_file_holds_a_token_from_the_environment(scene):
    assert scene.left("keyword") == []
    assert scene.left("async") == scene.left("state") == []


@pytest.mark.parametrize(
    "options, variables", [({"base_url": URL}, {}), ({}, {"ZONESMITH_BASE_URL": URL})]
)
def test_a_password_in_a_base_url_that_is_refused(options, variables):
    """It belongs nowhere, and people try it."""
    read = {"zonesmith.dns.dns_zone_info": {"access_token": TOKEN, **options}}
    plays = [{"hosts": "all", "gather_facts": False, "tasks": [{**read, "ignore_errors": True}]}]
    hosts = {way: {"zonesmith_direct": way == "direct"} for way in ("direct", "process")}
    environment = {"ANSIBLE_INJECT_INVOCATION": "true", **variables}
    played = play(plays, {"all": {"hosts": hosts}}, environment, verbosity=4)
    for way in hosts:
        assert "base_url must not contain a user" in played.results[way]["msg"]
    shown = played.output + str(played.results)
    assert "dns.example.com/api" in shown
    assert "pass%2Dword" not in shown
    assert "pass-word" not in shown
