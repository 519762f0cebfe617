# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide on drift does what it says: the exit status, the report, and no green job that checked nothing."""

import json
import re

import pytest
import yaml
from documents import REPOSITORY, blocks
from raw import RawServer, whole
from reader import EXAMPLES, Folder, run

EXAMPLE = EXAMPLES / "drift"
GUIDE = REPOSITORY / "docs" / "guides" / "drift.md"
ZONE = (EXAMPLES / "zone_in_git" / "zones" / "example.com.zone").read_text("utf-8")
STEPS = yaml.safe_load((EXAMPLE / "workflow.yml").read_text("utf-8"))["jobs"]["drift"]["steps"]
(CHECK,) = (step for step in STEPS if "ansible-playbook" in step.get("run", ""))
COM, NET = "zones/example.com.zone", "zones/example.net.zone"
BY_HAND = ("by-hand", "A", 300, ["192.0.2.99"])


class Job(Folder):
    """The folder of a repository with zone files, and the service that they are compared with."""

    output = ""

    def __init__(self, path, service):
        super().__init__(path, "drift", service)
        for zone in ("example.com", "example.net"):
            self.write(f"zones/{zone}.zone", ZONE.replace("example.com", zone))

    def run(self, command=CHECK["run"], **variables):
        """Run a command as the workflow runs it; its status."""
        given = {name: value for name, value in CHECK["env"].items() if "${{" not in value}
        done = run(command, self.path, self.service, **{**given, **variables})
        print(done.stdout)
        self.output = " ".join(done.stdout.split())
        return done.returncode

    def report(self):
        """What the JSON report says."""
        return json.loads(self.read("report.json"))

    def states(self):
        """The state of each zone in the report."""
        return {zone["zone"]: zone["state"] for zone in self.report()["zones"]}

    def change(self, zone, *rows):
        """Somebody adds record sets by hand."""
        self.service.zone(zone, [*self.service.records(zone), *rows])


@pytest.fixture(scope="module")
def held(tmp_path_factory, running_service):
    """What both zones hold where each is as its file says."""
    running_service.reset()
    job = Job(tmp_path_factory.mktemp("held"), running_service)
    assert job.run("ansible-playbook drift.yml") == 0
    return {zone: running_service.records(zone) for zone in ("example.com", "example.net")}


@pytest.fixture
def job(tmp_path, held, service):
    """Two zones, each as its file says."""
    for zone, rows in held.items():
        service.zone(zone, rows)
    return Job(tmp_path, service)


def test_drift_is_a_failed_job_with_a_report(job):
    assert job.run() == 0
    assert job.states() == {"example.com": "unchanged", "example.net": "unchanged"}
    before = job.service.records("example.net")
    job.change("example.net", BY_HAND)
    drifted = job.service.records("example.net")
    assert job.run() == 2
    assert job.states() == {"example.com": "unchanged", "example.net": "would_change"}
    assert job.service.records("example.net") == drifted
    assert "there are differences: zone example.net (delete by-hand.example.net. A)." in job.output
    assert job.report()["failed_elsewhere"] == [], "the playbook's own verdict is no task of others"
    summary = job.read("report.md")
    assert "- by-hand.example.net. 300 IN A 192.0.2.99\n" in summary
    assert summary.startswith("## DNS: 0 failed, 1 would change, 1 unchanged\n")
    assert "Would change" in job.read("report.html")
    # What the guide says of mending it.
    assert job.run("ansible-playbook drift.yml") == 0
    assert job.service.records("example.net") == before
    assert job.run() == 0


def test_what_was_changed_by_hand_is_accepted(job):
    """The other way out: the files are as the zones then, and nothing else in them has changed."""
    before, others = job.read(NET).splitlines(), job.read(COM)
    job.change("example.net", BY_HAND, ("_acme-challenge", "TXT", 60, ["passing"]))
    assert job.run("ansible-playbook accept.yml --check --diff") == 0
    assert job.read(NET).splitlines() == before
    assert job.run("ansible-playbook accept.yml --diff") == 0
    assert "changed=1 " in job.output
    (new,) = {*job.read(NET).splitlines()} - {*before}
    assert new.split() == ["by-hand", "300", "IN", "A", "192.0.2.99"]
    assert job.read(COM) == others
    assert job.run() == 0


def test_name_servers_that_are_not_those_of_the_file_are_no_green_job(job):
    """The service alone writes them, so that the zone stays as it is, and the playbook goes on warning."""
    job.write(NET, f"{job.read(NET)}\n@ 3600 NS ns1.evil.example.\n")
    assert job.run() == 2
    assert job.states() == {"example.com": "unchanged", "example.net": "not_ours"}
    assert "zone example.net (example.net. NS, which the service owns)." in job.output
    assert "ns1.evil.example." in job.read("report.md")
    assert job.run("ansible-playbook drift.yml") == 0


def test_a_zone_without_a_file_is_no_green_job(job):
    (job.path / NET).unlink()
    assert job.run() == 2
    assert job.states() == {"example.com": "unchanged", "example.net": "unmanaged"}
    assert "the account has zones that the task does not list (example.net)." in job.output
    summary = job.read("report.md")
    assert summary.startswith("## DNS: 0 failed, 0 would change, 1 unmanaged, 1 unchanged\n")


def test_a_zone_that_would_lose_most_of_its_sets_hides_no_other(job):
    """Without --check nothing is written to any."""
    job.change("example.com", *((f"by-hand{n}", "A", 300, ["192.0.2.99"]) for n in range(12)))
    job.change("example.net", BY_HAND)
    drifted = job.service.records("example.net")
    assert job.run() == 2
    assert job.states() == {"example.com": "would_change", "example.net": "would_change"}
    assert job.run("ansible-playbook drift.yml") == 2
    assert "prune_limit" in job.output
    assert job.service.records("example.net") == drifted


def test_who_keeps_a_part_of_the_account_hears_of_no_zone_without_a_file(job):
    (job.path / NET).unlink()
    prune = "prune: true\n"
    for option in ("unmanaged_ignore: [example.*]", "unmanaged: ignore\n        owner: web"):
        job.edit("drift.yml", prune, f"{prune}        {option}\n")
        assert job.run() == 0
        job.edit("drift.yml", f"        {option}\n", "")


def gone(job):
    """A zone is gone, and another one has drifted."""
    job.write("zones/example.org.zone", ZONE.replace("example.com", "example.org"))
    job.change("example.net", BY_HAND)


def wrong(job):
    """A file is wrong."""
    job.write(COM, "www 300 IN A nonsense\n")


def empty(job):
    """There are no files."""
    for file in job.path.glob("zones/*"):
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
    job.write("all.zonesmith.yml", "plugin: zonesmith.dns.zones\n")
    job.write("each.yml", "[{hosts: 'all:!localhost', gather_facts: false}]")
    command = "ansible-playbook each.yml --inventory all.zonesmith.yml"
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
    assert (
        f"the hook at {chat.url} was not notified of this run: it cannot be reached" in job.output
    )
    assert "hooks/secret" not in job.output


def test_the_guide_shows_the_files_as_they_are():
    drift, accept = (block.text for block in blocks(GUIDE) if block.language == "yaml")
    assert (EXAMPLE / "drift.yml").read_text("utf-8").endswith(f"\n\n{drift}")
    assert (EXAMPLE / "accept.yml").read_text("utf-8").endswith(f"\n\n{accept}")


def test_the_fields_of_the_json_are_those_of_the_guide(job):
    assert job.run() == 0
    section = re.split("^## ", GUIDE.read_text("utf-8"), flags=re.MULTILINE)[4]
    table = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    documented = {field for cell in table for field in re.findall(r"`(\w+)`", cell)}
    assert documented - {"html", "md", "json", "tasks", "failure"} == set(job.report())
    (zone, *_others) = job.report()["zones"]
    (task,) = zone["tasks"]
    assert {"tasks", "failure"} <= {*zone, *task}
    of_task = re.search(r"^\| `tasks` \| ([^;]*);", section, re.MULTILINE)
    assert of_task
    assert re.findall(r"`(\w+)`", of_task[1]) == [*task]
