# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The workflow of docs/guides/zone_in_git.md: what was approved is applied, and whatever else comes is refused.

The blocks of the guide are run, in order, by tests/integration/targets/zone_files.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from documents import REPOSITORY, blocks
from forges import GitHub, GitLab, Merge, Plan
from reader import EXAMPLES, Folder, run

EXAMPLE = EXAMPLES / "zone_in_git"
GUIDE = REPOSITORY / "docs" / "guides" / "zone_in_git.md"
TEXT = (EXAMPLE / "workflow.yml").read_text("utf-8")
JOBS = yaml.safe_load(TEXT)["jobs"]
ZONES = ("example.com", "example.net")
COM, NET = "zones/example.com.zone", "zones/example.net.zone"
CHANGE = ("www     300  IN  A      192.0.2.10", "www 300 IN A 192.0.2.11\nwww 300 IN A 192.0.2.12")
REPORTS = ("report.html", "report.md")
NEW = ["192.0.2.11", "192.0.2.12"]


def step(job, name):
    (found,) = (step for step in JOBS[job]["steps"] if step.get("name") == name)
    return dict(found)


PLAN = step("plan", "Plan what would change")
PLAN_BASE = step("plan", "Plan what the base would change as well")
NOTE = step("comment", "Show the plans and the report in the pull request")
APPLY = step("apply", "Apply what was approved")
GET = step("apply", "Get the plans that were approved")


class Checkout(Folder):
    """A clone of a repository with zone files, and the service; *approved* is the artifact."""

    def __init__(self, folder, service):
        super().__init__(folder / "clone", "zone_in_git", service)
        self.approved = folder / "artifact"
        self.write("zones/example.net.zone", self.read(COM).replace("example.com", "example.net"))

    def run(self, of, **variables):
        """A step on a machine of its own, whose home has no log: its status, and what it prints."""
        given = {name: value for name, value in of["env"].items() if "${{" not in value}
        home = self.path.parent / "home"
        shutil.rmtree(home, ignore_errors=True)
        command = ["bash", "-e", "-c", of["run"]]
        given |= {"ZONESMITH_STATE_DIR": str(home), **variables}
        done = run(command, self.path, self.service, **given)
        return done.returncode, " ".join(done.stdout.split())

    def git(self, *arguments):
        """What git prints."""
        somebody = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.com"]
        command = ["git", *somebody, *arguments]
        done = subprocess.run(command, cwd=self.path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def approve(self):
        """Plan, and keep the artifact; the comment."""
        status, output = self.run(PLAN)
        assert status == 0, output
        shutil.rmtree(self.approved, ignore_errors=True)
        shutil.move(self.path / "plans", self.approved)
        return (self.approved / "report.md").read_text("utf-8")

    def apply(self):
        shutil.rmtree(self.path / "plans", ignore_errors=True)
        if self.approved.exists():
            shutil.copytree(self.approved, self.path / "plans")
        return self.run(APPLY)

    def held(self):
        return {
            f"{row['name']} {row['type']}": sorted(row["contents"])
            for zone in ZONES
            for row in self.service.records(zone)
            if row["type"] != "SOA"
        }

    def by_hand(self, zone, **sets):
        """Somebody changes A sets of a zone elsewhere."""
        changed = [(f"{name}.{zone}.", "A", 300, values) for name, values in sets.items()]
        names = [name for name, _type, _ttl, _values in changed]
        rows = self.service.records(zone)
        kept = [row for row in rows if row["type"] != "A" or row["name"] not in names]
        self.service.zone(zone, [*kept, *changed])


@pytest.fixture(scope="module")
def held(tmp_path_factory, running_service):
    """What both zones hold where each is as its file says."""
    running_service.reset()
    clone = Checkout(tmp_path_factory.mktemp("held"), running_service)
    assert clone.apply()[0] == 2, "nothing was planned"
    clone.approve()
    assert clone.apply()[0] == 0
    return {zone: running_service.records(zone) for zone in ZONES}


@pytest.fixture
def clone(tmp_path, held, service):
    """Both zones as their files say, and a plan for another address of www in one of them."""
    for zone, rows in held.items():
        service.zone(zone, rows)
    clone = Checkout(tmp_path, service)
    clone.edit(COM, *CHANGE)
    comment = clone.approve()
    assert (
        "- www.example.com. 300 IN A 192.0.2.10\n+ www.example.com. 300 IN A 192.0.2.11\n"
        in comment
    )
    assert {path.name for path in clone.approved.iterdir()} == {"example.com.json", *REPORTS}
    return clone


def test_what_was_approved_is_applied_and_an_old_job_that_is_run_again_brings_nothing_back(clone):
    before = clone.held()
    assert clone.apply()[0] == 0
    assert clone.held() == {**before, "www.example.com. A": NEW}
    assert clone.apply()[0] == 0
    clone.by_hand("example.com", www=["192.0.2.13"])
    status, output = clone.apply()
    assert (status, clone.held()) == (2, {**before, "www.example.com. A": ["192.0.2.13"]})
    assert "the changes differ from the reviewed plan" in output


@pytest.mark.parametrize("way", ["direct", "module"])
def test_plans_are_beside_the_playbook_wherever_one_stands(clone, way):
    play = f"ansible-playbook clone/apply.yml -e zonesmith_direct={way == 'direct'} $CHECK"
    elsewhere = {"env": {}, "run": f"cd .. && {play}"}
    shutil.rmtree(clone.approved)
    status, output = clone.run(elsewhere, CHECK="--check")
    assert status == 0, output
    assert [path.name for path in clone.path.glob("plans/*")] == ["example.com.json"]
    status, output = clone.run(elsewhere, CHECK="")
    assert (status, clone.held()["www.example.com. A"]) == (0, NEW), output


def test_a_zone_that_has_changed_since_is_not_written_until_that_is_planned_too(
    clone,
):
    clone.by_hand("example.com", www=["192.0.2.99"])
    clone.by_hand("example.net", extra=["192.0.2.99"])
    before = clone.held()
    status, output = clone.apply()
    assert (status, clone.held()) == (2, before)
    shown = next(
        block.text
        for block in blocks(GUIDE)
        if block.text.startswith("Zone example.com: the changes")
    )
    assert " ".join(shown.split()) in output.replace(f"{clone.path}/", "")
    assert "2 of 2 zones cannot be planned, and nothing was changed." in output
    clone.approve()
    assert clone.apply()[0] == 0
    assert clone.held()["www.example.com. A"] == NEW
    assert "extra.example.net. A" not in clone.held()


def test_a_file_that_has_changed_since_is_not_applied(clone):
    before = clone.held()
    clone.edit(COM, "192.0.2.12", "192.0.2.66")
    clone.edit(NET, *CHANGE)
    status, output = clone.apply()
    assert (status, clone.held()) == (2, before)
    assert (
        "www.example.com. A would hold 192.0.2.11, 192.0.2.66 (TTL 300), but 192.0.2.11, " in output
    )
    assert "there is no reviewed plan" in output


def note(clone, forge, folder):
    """Write the note of the first plan; the digest that people see in it."""
    event = clone.path.parent / "event.json"
    event.write_text(json.dumps({"pull_request": {"head": {"sha": "deed"}}}), "utf-8")
    forge.minute = 15
    variables = {**forge.environment(pipeline=100), "GITHUB_EVENT_PATH": str(event)}
    of_job = NOTE["run"].replace("note plans", f"note {folder}")
    status, output = clone.run({"env": {}, "run": of_job}, **variables)
    assert status == 0, output
    return forge.notes[0].body.partition("\nThis is plan `")[2].partition("`")[0]


@pytest.mark.parametrize("kind", [GitHub, GitLab])
def test_the_comment_says_which_changes_are_of_the_request(clone, kind):
    """Another zone was changed by hand, and both jobs plan that as well, one with the files of the base."""
    clone.edit(COM, *reversed(CHANGE))
    clone.git("init", "--quiet", "--initial-branch", "main")
    clone.git("add", ".")
    clone.git("commit", "--quiet", "--message", "base")
    base = clone.git("rev-parse", "HEAD")
    clone.edit(COM, *CHANGE)
    clone.git("switch", "--quiet", "--create", "change")
    clone.git("commit", "--quiet", "--all", "--message", "head")
    clone.git("switch", "--quiet", "main")
    clone.git("merge", "--quiet", "--no-ff", "--message", "merge", "change")
    clone.git("remote", "add", "origin", str(clone.path))
    # A runner that keeps the clone removes what the job before has left, but for what git knows of it.
    clone.git("worktree", "add", "--quiet", "base")
    shutil.rmtree(clone.path / "base")
    clone.by_hand("example.net", extra=["192.0.2.99"])
    steps = [PLAN, PLAN_BASE]
    if kind is GitLab:
        job = yaml.safe_load((EXAMPLE / "gitlab.yml").read_text("utf-8"))["dns-plan"]
        steps = [{"env": job["variables"], "run": run} for run in job["script"][2:]]
    for of in steps:
        status, output = clone.run(of, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
        assert status == 0, output
    with kind() as forge:
        note(clone, forge, Path("plans"))
    text = forge.notes[0].body
    assert "**This request makes 1 change:**" in text
    own, of_base = text.partition("## DNS: ")[0].split("**1 change is not its own.**")
    assert "+ www.example.com. 300 IN A 192.0.2.11\n" in own
    assert "extra" not in own
    assert (
        "`extra.example.net. A`\n\n```diff\n- extra.example.net. 300 IN A 192.0.2.99\n" in of_base
    )
    assert "## DNS: 0 failed, 2 would change" in text


@pytest.mark.parametrize("kind", [GitHub, GitLab])
def test_what_a_merge_brings_is_got_from_the_forge_and_applied(clone, kind):
    """The jobs' own commands; tests/docs/test_pipelines.py has what there may be besides."""
    before = clone.held()
    merge = Merge()
    files = {f"plans/{path.name}": path.read_bytes() for path in clone.approved.iterdir()}
    with kind() as forge:
        forge.merges, forge.plans = [merge], [Plan("deed", files)]
        digest = note(clone, forge, clone.approved)
        status, output = clone.run({"env": {}, "run": GET["run"]}, **forge.environment(merge))
    assert (status, output) == (0, f"1 plan was approved, {digest}: example.com.json")
    status, output = clone.run(APPLY)
    assert (status, clone.held()) == (0, {**before, "www.example.com. A": NEW}), output


def test_a_second_merge_before_or_during_the_apply_of_a_first(clone):
    """Each is applied as it was approved, in order; out of order it is refused."""
    before, first = clone.held(), clone.approved.rename(clone.approved.parent / "first")
    clone.edit(COM, *reversed(CHANGE))
    clone.edit(NET, *CHANGE)
    clone.approve()
    second = clone.approved.rename(clone.approved.parent / "second")
    clone.edit(COM, *CHANGE)
    clone.approved = second
    assert clone.apply()[0] == 2, "what the first brings is not in the plan of the second"
    assert clone.held() == before
    clone.edit(NET, *reversed(CHANGE))
    clone.approved = first
    assert clone.apply()[0] == 0
    after_first = {**before, "www.example.com. A": NEW}
    assert clone.held() == after_first
    clone.edit(NET, *CHANGE)
    clone.approved = second
    assert clone.apply()[0] == 0
    assert clone.held() == {**after_first, "www.example.net. A": NEW}
