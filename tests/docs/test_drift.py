# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide on drift does what it says: the exit status, the report, and no green job that checked nothing."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
import reader
import yaml
from documents import REPOSITORY, blocks
from raw import RawServer, whole
from running import Service

EXAMPLE = REPOSITORY / "docs" / "examples" / "drift"
GUIDE = REPOSITORY / "docs" / "guides" / "drift.md"
ZONE = (EXAMPLE.parent / "zone_in_git" / "zones" / "example.com.zone").read_text(encoding="utf-8")
STEPS = yaml.safe_load((EXAMPLE / "workflow.yml").read_text(encoding="utf-8"))["jobs"]["drift"][
    "steps"
]
(CHECK,) = (step for step in STEPS if "ansible-playbook" in step.get("run", ""))
BY_HAND = ("by-hand", "A", 300, ["192.0.2.99"])


@dataclass
class Job:
    """The folder of a repository with zone files, and the service that they are compared with."""

    folder: Path
    service: Service
    output: str = ""

    def run(self, command=CHECK["run"], **variables):
        """Run a command as the workflow runs it; its status."""
        given = {name: value for name, value in CHECK["env"].items() if "${{" not in value}
        done = reader.run(command, self.folder, self.service, **{**given, **variables})
        print(done.stdout)
        self.output = done.stdout
        return done.returncode

    def report(self):
        """What the JSON report says."""
        return json.loads((self.folder / "report.json").read_text(encoding="utf-8"))

    def states(self):
        """The state of each zone in the report."""
        return {zone["zone"]: zone["state"] for zone in self.report()["zones"]}

    def says(self, words):
        """Look for words in what the last command printed."""
        assert words in " ".join(self.output.split())

    def change(self, zone, *rows):
        """Somebody adds record sets by hand."""
        self.service.zone(zone, [*self.service.records(zone), *rows])


@pytest.fixture
def job(tmp_path, service):
    """Two zones, each as its file says."""
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "zones").mkdir()
    for zone in ("example.com", "example.net"):
        (tmp_path / "zones" / f"{zone}.zone").write_text(
            ZONE.replace("example.com", zone), encoding="utf-8"
        )
    job = Job(tmp_path, service)
    assert job.run("ansible-playbook drift.yml") == 0
    return job


def test_drift_is_a_failed_job_with_a_report(job):
    assert job.run() == 0
    assert job.states() == {"example.com": "unchanged", "example.net": "unchanged"}
    before = job.service.records("example.net")
    job.change("example.net", BY_HAND)
    drifted = job.service.records("example.net")
    assert job.run() == 2
    assert job.states() == {"example.com": "unchanged", "example.net": "would_change"}
    assert job.service.records("example.net") == drifted
    job.says("there are differences: zone example.net (delete by-hand.example.net. A).")
    assert job.report()["failed_elsewhere"] == [], "the playbook's own verdict is no task of others"
    summary = (job.folder / "report.md").read_text(encoding="utf-8")
    assert "- by-hand.example.net. 300 IN A 192.0.2.99\n" in summary
    assert summary.startswith("## DNS: 0 failed, 1 would change, 1 unchanged\n")
    assert "Would change" in (job.folder / "report.html").read_text(encoding="utf-8")
    # What the guide says of mending it.
    assert job.run("ansible-playbook drift.yml") == 0
    assert job.service.records("example.net") == before
    assert job.run() == 0


def test_what_was_changed_by_hand_is_accepted(job):
    """The other way out: the files are as the zones then, and nothing else in them has changed."""
    file, other = (job.folder / "zones" / f"{zone}.zone" for zone in ("example.net", "example.com"))
    before, others = file.read_text(encoding="utf-8").splitlines(), other.read_bytes()
    job.change("example.net", BY_HAND, ("_acme-challenge", "TXT", 60, ["passing"]))
    assert job.run("ansible-playbook accept.yml --check --diff") == 0
    assert file.read_text(encoding="utf-8").splitlines() == before
    assert job.run("ansible-playbook accept.yml --diff") == 0
    job.says("changed=1 ")
    (new,) = {*file.read_text(encoding="utf-8").splitlines()} - {*before}
    assert new.split() == ["by-hand", "300", "IN", "A", "192.0.2.99"]
    assert other.read_bytes() == others
    assert job.run() == 0


def test_name_servers_that_are_not_those_of_the_file_are_no_green_job(job):
    """The service alone writes them, so that the zone stays as it is, and the playbook goes on warning."""
    file = job.folder / "zones" / "example.net.zone"
    file.write_text(
        f"{file.read_text(encoding='utf-8')}\n@ 3600 NS ns1.evil.example.\n", encoding="utf-8"
    )
    assert job.run() == 2
    assert job.states() == {"example.com": "unchanged", "example.net": "not_ours"}
    job.says("zone example.net (example.net. NS, which the service owns).")
    assert "ns1.evil.example." in (job.folder / "report.md").read_text(encoding="utf-8")
    assert job.run("ansible-playbook drift.yml") == 0


def test_a_zone_without_a_file_is_no_green_job(job):
    (job.folder / "zones" / "example.net.zone").unlink()
    assert job.run() == 2
    assert job.states() == {"example.com": "unchanged", "example.net": "unmanaged"}
    job.says("the account has zones that the task does not list (example.net).")
    summary = (job.folder / "report.md").read_text(encoding="utf-8")
    assert summary.startswith("## DNS: 0 failed, 0 would change, 1 unmanaged, 1 unchanged\n")


def test_a_zone_that_would_lose_most_of_its_sets_hides_no_other(job):
    """Without --check nothing is written to any."""
    job.change("example.com", *((f"by-hand{n}", "A", 300, ["192.0.2.99"]) for n in range(12)))
    job.change("example.net", BY_HAND)
    drifted = job.service.records("example.net")
    assert job.run() == 2
    assert job.states() == {"example.com": "would_change", "example.net": "would_change"}
    assert job.run("ansible-playbook drift.yml") == 2
    job.says("prune_limit")
    assert job.service.records("example.net") == drifted


def test_who_keeps_a_part_of_the_account_hears_of_no_zone_without_a_file(job):
    (job.folder / "zones" / "example.net.zone").unlink()
    play = (job.folder / "drift.yml").read_text(encoding="utf-8")
    for option in ("unmanaged_ignore: [example.*]", "unmanaged: ignore\n        owner: web"):
        part = play.replace("        prune: true\n", f"        prune: true\n        {option}\n")
        (job.folder / "drift.yml").write_text(part, encoding="utf-8")
        assert job.run() == 0
    job.service.zone("example.com", [("www", "A", 300, ["192.0.2.99"])])
    assert job.run() == 2
    assert "without a file" not in job.output


def gone(job):
    """A zone is gone, and another one has drifted."""
    (job.folder / "zones" / "example.org.zone").write_text(
        ZONE.replace("example.com", "example.org"), encoding="utf-8"
    )
    job.change("example.net", BY_HAND)


def wrong(job):
    """A file is wrong."""
    (job.folder / "zones" / "example.com.zone").write_text(
        "www 300 IN A nonsense\n", encoding="utf-8"
    )


def empty(job):
    """There are no files."""
    for file in job.folder.glob("zones/*"):
        file.unlink()


NOT_GREEN = [
    # what is so -> the states of zones, those that nothing is told of, and how many failures are of no zone
    (
        gone,
        {"example.com": "unchanged", "example.net": "would_change", "example.org": "failed"},
        [],
        0,
    ),
    (wrong, {"example.com": "failed"}, ["example.net"], 0),
    (empty, {}, [], 1),
]


@pytest.mark.parametrize("is_so, states, untouched, without_zone", NOT_GREEN)
def test_it_is_no_green_job(job, is_so, states, untouched, without_zone):
    is_so(job)
    assert job.run() == 2
    report = job.report()
    assert (job.states(), report["untouched"]) == (states, untouched)
    assert [place["task"] for place in report["without_zone"]] == [
        "Make every zone match its file"
    ] * without_zone


def test_an_inventory_that_cannot_be_read_is_no_green_job(job):
    (job.folder / "all.zonesmith.yml").write_text("plugin: zonesmith.dns.zones\n", encoding="utf-8")
    play = [
        {
            "hosts": "all:!localhost",
            "gather_facts": False,
            "tasks": [{"ansible.builtin.debug": None}],
        }
    ]
    (job.folder / "each.json").write_text(json.dumps(play), encoding="utf-8")
    command = "ansible-playbook each.json --inventory all.zonesmith.yml"
    assert job.run(command) == 0
    assert job.run(command, ZONESMITH_ACCESS_TOKEN="expired") != 0


def test_a_hook_is_told_once_a_run_and_its_fields_are_those_of_the_guide(job):
    shown = json.loads(
        next(block.text for block in blocks(GUIDE) if block.text.startswith('{\n  "text"'))
    )
    job.change("example.net", BY_HAND)
    with RawServer(lambda _request: whole(b"", status="204 No Content")) as chat:
        hook = {"ZONESMITH_REPORT_HOOK": f"{chat.url}/hooks/secret", "ZONESMITH_REPORT": ""}
        assert job.run(**hook) == 2
        assert job.run(**hook, ZONESMITH_ACCESS_TOKEN="expired") == 2
    posted, failed = (json.loads(request.body) for request in chat.requests)
    assert shown["counts"].keys() <= posted["counts"].keys()
    assert [*posted] == [*shown]
    assert posted["zones"] == [{**shown["zones"][0], "zone": "example.net", "changes": 1}]
    assert posted["text"] == "DNS: 0 failed, 1 would change, 1 unchanged"
    assert failed["counts"]["failed"] == 2
    assert job.run(**hook) == 2, "and where nobody is there"
    job.says(f"the hook at {chat.url} was not notified of this run: it cannot be reached")
    assert "hooks/secret" not in job.output


def test_the_guide_shows_the_files_as_they_are():
    drift, accept = (block.text for block in blocks(GUIDE) if block.language == "yaml")
    assert (EXAMPLE / "drift.yml").read_text(encoding="utf-8").endswith(f"\n\n{drift}")
    assert (EXAMPLE / "accept.yml").read_text(encoding="utf-8").endswith(f"\n\n{accept}")


def test_the_fields_of_the_json_are_those_of_the_guide(job):
    assert job.run() == 0
    section = re.split("^## ", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE)[4]
    table = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    documented = {field for cell in table for field in re.findall(r"`(\w+)`", cell)} - {
        "html",
        "md",
        "json",
    }
    assert documented - {"tasks", "failure"} == set(job.report())
    (zone, *_others) = job.report()["zones"]
    (task,) = zone["tasks"]
    assert {"tasks", "failure"} <= {*zone, *task}
    of_task = re.search(r"^\| `tasks` \| ([^;]*);", section, re.MULTILINE)
    assert of_task
    assert re.findall(r"`(\w+)`", of_task[1]) == [*task]
