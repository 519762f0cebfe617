# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""pipeline.py of docs/guides/zone_in_git.md, against stand-ins of GitHub and GitLab."""

import hashlib
import io
import json
import os
import re
import sys
import time
import zipfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import forges
import pipeline as pipeline_program
import programs
import pytest
from forges import APPROVED, ME, OTHER, GitHub, GitLab, Merge, Plan, Text, at, packed
from raw import whole

OLD = {"plans/example.com.json": "old"}
NOTE = re.compile(r"<!-- zonesmith\.dns: plan (\d+) ([0-9a-f]{64}) -->\n")
NOTHING = hashlib.sha256(b"{}").hexdigest()
ISSUE = "<!-- zonesmith.dns: drift -->\n"


@pytest.fixture(scope="module")
def running():
    """Both, by their names."""
    with GitHub() as github, GitLab() as gitlab:
        yield {one.name: one for one in (github, gitlab)}


@pytest.fixture(params=["github", "gitlab"])
def forge(request, running):
    one = running[request.param]
    one.reset()
    return one


class Job:
    """A job in a clone of its own."""

    def __init__(self, forge, folder):
        self.forge, self.folder, self.said = forge, folder, ""
        self.merge = None
        (folder / "plans").mkdir()

    def run(self, *arguments, head="deed", pipeline=17, **given):
        """The status of pipeline.py; elsewhere jobs run it as a program."""
        event = self.folder / "event.json"
        event.write_text(json.dumps({"pull_request": {"head": {"sha": head}}}), "utf-8")
        of_head = {} if self.merge else {"CI_COMMIT_SHA": head, "GITHUB_EVENT_PATH": str(event)}
        variables = {**self.forge.environment(self.merge, pipeline), **of_head, **given}
        said = io.StringIO()
        environ = patch.dict(os.environ, variables, clear=True)
        with environ, chdir(self.folder), redirect_stdout(said), redirect_stderr(said):
            status = pipeline_program.main([*arguments])
        self.said = said.getvalue()
        assert forges.TOKEN not in self.said
        return status

    def report(self, text):
        """What the job before has left beside its plans."""
        (self.folder / "plans" / "report.md").write_text(text, "utf-8")

    def happened(self, merge, plans):
        """Each plan was made, and noted in the request by a job of the same pipeline, until the request was merged."""
        self.merge, self.forge.merges, self.forge.plans = None, [merge], [*plans]
        for pipeline, jobs in self.forge.pipelines().items():
            for plan in (self.forge.plans[job] for job in jobs):
                plan.pipeline = pipeline
        noted = [plan for plan in plans if plan.noted is not None]
        for plan in sorted(noted, key=lambda plan: plan.noted):
            self.note(plan, merge)
        self.forge.head, self.forge.is_open = merge.head, False
        self.merge = merge

    def note(self, plan, merge):
        """A job notes a plan."""
        folder = self.folder / f"noted-{plan.pipeline}-{plan.noted}"
        for name, content in plan.files.items():
            if re.fullmatch(r"(plans/)?[\w.-]+", name):
                file = folder / Path(name).name
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.forge.head, self.forge.minute = plan.head, plan.noted
        self.forge.is_open = self.forge.minute < merge.at
        assert self.run("note", folder.name, head=plan.head, pipeline=plan.pipeline) == 0, self.said

    def plans(self, merge, *plans):
        """What the job that applies gets."""
        self.forge.reset()
        self.happened(merge, plans)
        status, got = self.run("plans", "plans"), self.got()
        assert (status == 0) == bool(got), self.said
        return got

    def got(self):
        """The plans that are there."""
        return {path.name: path.read_text("utf-8") for path in (self.folder / "plans").glob("*")}


@pytest.fixture
def job(forge, tmp_path):
    return Job(forge, tmp_path)


GOOD = {"example.com.json": "approved"}
UNSEEN = "no pull or merge request of this repository was merged as commit c0ffee"
WITHOUT = "number 3 was merged without a plan of its last commit deed"
GONE = "the artifact with the plans of number 3 has expired or was deleted"

# Each: what was merged, and what comes of it where there is a plan of its last commit.
MERGED = {
    "a merge": (Merge(), ""),
    "a squash": (Merge(way="squash"), ""),
    "a squash with a merge commit": (Merge(way="squash and merge"), ""),
    "a rebase": (Merge(head="c0ffee", way="fast-forward"), ""),
    "a commit that nobody proposed": (Merge(merged=False), UNSEEN),
    "one that is part of a request": (Merge(commit="af7e"), UNSEEN),
    "one that was merged elsewhere": (Merge(branch="next"), UNSEEN),
}


@pytest.mark.parametrize("merge, refused", MERGED.values(), ids=MERGED)
def test_the_job_that_applies_finds_the_request(job, merge, refused):
    # The job is told the commit that it runs for, and a list of requests in which that can be.
    job.happened(merge, [Plan(merge.head)])
    job.forge.merges = [Merge("beef", at=1, number=2), merge]
    job.merge = Merge()
    assert (job.run("plans", "plans"), job.got()) == ((1, {}) if refused else (0, GOOD)), job.said
    assert refused in job.said


# Each: which plans there are, the oldest first, and what comes of them.
PLANNED = {
    "no plan": ([], WITHOUT),
    "a plan of an older commit": ([Plan("01d")], WITHOUT),
    "a plan that no comment shows": ([Plan(noted=None)], WITHOUT),
    "a plan that was refused": ([Plan(ended="failure")], WITHOUT),
    "a plan of a fork": ([Plan(of_fork=True)], WITHOUT),
    "a job of another name": ([Plan(job="lint")], WITHOUT),
    "a pipeline of a branch": ([Plan(event="push")], WITHOUT),
    "an artifact that is gone": ([Plan(gone=True)], GONE),
    "a second plan": ([Plan(files=OLD), Plan(at=15)], ""),
    "a second plan without a comment": ([Plan(), Plan(files=OLD, at=15, noted=None)], ""),
    "a job that was retried after the comment": (
        [Plan(pipeline=100), Plan(files=OLD, at=15, pipeline=100, noted=None)],
        "",
    ),
    "a job that was retried with a comment": (
        [Plan(files=OLD, pipeline=100), Plan(at=15, pipeline=100)],
        "",
    ),
    "a job that failed, and was retried with the same plan and without a comment": (
        [Plan(ended="failure", pipeline=100), Plan(at=15, pipeline=100, noted=None)],
        WITHOUT,
    ),
}


@pytest.mark.parametrize("plans, refused", PLANNED.values(), ids=PLANNED)
def test_the_job_that_applies_gets_the_plan_that_was_shown(job, plans, refused):
    job.happened(Merge(), plans)
    assert (job.run("plans", "plans"), job.got()) == ((1, {}) if refused else (0, GOOD)), job.said
    assert refused in job.said


@pytest.mark.parametrize("way", ["merge", "fast-forward"])
def test_a_commit_that_is_the_merge_of_two_requests_is_refused(job, way):
    """Either may be the one that was approved."""
    merge = Merge(head="c0ffee", way=way)
    job.happened(merge, [Plan("c0ffee")])
    job.forge.merges = [replace(merge, number=2), merge]
    assert job.run("plans", "plans") == 1
    assert "numbers 2 and 3 were merged as one commit, c0ffee" in job.said


@pytest.mark.parametrize(
    "field, value, said",
    [
        ("body", f"<!-- zonesmith.dns: plan 100 {NOTHING} -->\n# DNS", WITHOUT),
        ("body", "<!-- zonesmith.dns: plan -->\n# DNS", WITHOUT),
        ("body", "# DNS", WITHOUT),
        ("by", OTHER, WITHOUT),
        ("written", at(25), "the note in number 3 was written, edited or answered after the merge"),
    ],
)
def test_a_comment_that_shows_no_plan_in_time_approves_none(job, field, value, said):
    job.happened(Merge(), [Plan()])
    setattr(job.forge.notes[0], field, value)
    assert job.run("plans", "plans") == 1
    assert said in job.said


@pytest.mark.parametrize(
    "plans, said",
    [
        (["b.json", "a.json"], "2 plans were approved, {}: a.json, b.json\n"),
        (["report.md"], "0 plans were approved, {}: there is nothing to change\n"),
        (["##[mask]a\u202e.json"], "1 plan was approved, {}: #\\#[mask]a\\u202e.json\n"),
    ],
)
def test_plans_are_counted(job, plans, said):
    """No plan is the plan to change nothing."""
    files = dict.fromkeys(plans, "approved")
    for name in files:
        (job.folder / "plans" / name).write_text("approved", "utf-8")
    job.happened(Merge(), [plan := Plan(files=files, noted=None)])
    job.merge = None
    job.forge.is_open, job.forge.minute = True, 15
    assert job.run("note", "plans", pipeline=plan.pipeline) == 0
    job.merge = Merge()
    digest = NOTE.match(job.forge.notes[0].body)[2]
    assert f"`{digest[:12]}`" in job.forge.notes[0].body
    assert (job.run("plans", "plans"), job.said) == (0, said.format(digest[:12]))
    assert {path.name for path in (job.folder / "plans").iterdir()} == {*plans} - {"report.md"}


def test_what_a_commit_brings_along_is_removed(job):
    (job.folder / "plans" / "example.net.json").write_text("brought along", "utf-8")
    assert job.plans(Merge(), Plan()) == GOOD
    target = job.folder / "target"
    target.mkdir()
    (target / "kept").touch()
    (job.folder / "plans" / "example.com.json").unlink()
    (job.folder / "plans").rmdir()
    (job.folder / "plans").symlink_to(target)
    assert job.plans(Merge(), Plan()) == GOOD
    assert [path.name for path in target.iterdir()] == ["kept"]


HOSTILE = (
    *("../../out.json", "/etc/out.json", "plans/../out.json", "a\\b.json"),
    *("plans/.json", "plans/sub/a.json", "plans/.hidden.json", "run.sh"),
)


def test_names_in_an_artifact_lead_nowhere_else(job):
    job.happened(Merge(), [Plan(files={**dict.fromkeys(HOSTILE, "x"), **APPROVED})])
    before = {*job.folder.parent.rglob("*")}
    assert job.run("plans", "plans") == 0, job.said
    assert {*job.folder.parent.rglob("*")} - before == {job.folder / "plans" / "example.com.json"}


def corrupt():
    """An artifact whose compressed bytes are none."""
    content, start = packed({"a.json": "x" * 1000}), 30 + len("a.json")
    return content[:start] + b"\xff" * 4 + content[start + 4 :]


NO_ARTIFACTS = {
    "no ZIP": b"no ZIP",
    "one that is too large": packed({"a.json": b"0" * 2**26 + b"0"}),
    "corrupt bytes": corrupt(),
    # zipfile gives cannot reach unpack a part of these: of a kilobyte bzip2 makes a gigabyte.
    "bzip2": packed({"a.json": "x"}, zipfile.ZIP_BZIP2),
    "a plan that is there twice": packed({"a.json": "seen", "plans/a.json": "not seen"}),
    "a name of too many bytes": packed({f"{'ä' * 130}.json": "x"}),
}


@pytest.mark.parametrize("content", NO_ARTIFACTS.values(), ids=NO_ARTIFACTS)
def test_an_artifact_that_no_job_has_made_is_refused(job, content):
    (job.folder / "plans" / "kept").touch()
    job.happened(Merge(), [Plan(files={}, content=content)])
    assert job.run("plans", "plans") == 1
    assert "the artifact " in job.said
    assert [path.name for path in (job.folder / "plans").iterdir()] == ["kept"]


def test_a_folder_that_cannot_be_had_is_told_in_words(job):
    job.happened(Merge(), [Plan()])
    assert job.run("plans", "missing/plans") == 1
    assert job.said == "pipeline.py: missing/plans: No such file or directory\n"


def test_a_token_stays_with_its_api(job, tmp_path):
    """The stand-in's storage refuses one; and there is another storage, and an account for it, that nobody asks."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    job.happened(Merge(), [Plan()])
    assert job.run("plans", "plans", NETRC=str(netrc)) == 0, job.said
    job.forge.storage = "http://storage.example.com"
    assert job.run("plans", "plans") == 1
    assert "without https" in job.said


@pytest.mark.parametrize("command", ["plans plans", "note plans", "open plans/report.md", "close"])
def test_a_token_that_is_wrong_or_missing_is_told_in_words(job, command):
    name = "GITHUB_TOKEN" if job.forge.name == "github" else "ZONESMITH_GITLAB_TOKEN"
    job.merge = Merge() if command.startswith("plans") else None
    assert job.run(*command.split(), **{name: "wrong"}) == 1
    assert re.fullmatch(
        r"pipeline\.py: .* answered with 401 \(see the rights of the token\)\n", job.said
    )
    assert job.run(*command.split(), **{name: ""}) == 1
    assert job.said == f"pipeline.py: the variable {name} is not set in this job\n"


# A forge that asks to wait


@pytest.fixture
def naps(monkeypatch):
    """How long the program slept, each time."""
    slept = []
    monkeypatch.setattr(time, "sleep", slept.append)
    return slept


AGAIN = "a limit on requests: run this job again"
LIMITED = {
    "429 for an hour": (429, ["Retry-After: 3541"], [], f"429, {AGAIN} in 60 minutes"),
    "429 for a minute": (429, ["Retry-After: 60"], [60] * 3, f"429, {AGAIN} in 1 minute"),
    "503 for a moment": (503, ["Retry-After: 3"], [3, 3, 4, 8], "503"),
    "502 until a date that is none": (502, ["Retry-After: soon"], [1, 2, 4, 8], "502"),
    "403 for a while": (403, ["Retry-After: 90"], [], f"403, {AGAIN} in 2 minutes"),
    "403 until then": (
        403,
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1769829300"],
        [],
        f"403, {AGAIN} after 03:15 UTC",
    ),
    "403 until whenever": (
        403,
        ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 99999999999999999999"],
        [],
        f"403, {AGAIN} later",
    ),
    "403": (403, ["X-RateLimit-Remaining: 7"], [], "403 (see the rights of the token)"),
}


@pytest.mark.parametrize("status, headers, slept, said", LIMITED.values(), ids=LIMITED)
def test_a_forge_that_is_busy_for_long_ends_the_job_at_once(
    job, naps, status, headers, slept, said
):
    """Which would hold the resource group until its time-out, and would not say why."""
    job.merge, job.forge.instead = Merge(), whole(b"{}", *headers, status=f"{status} Not now")
    assert job.run("plans", "plans") == 1
    assert job.said.endswith(f"answered with {said}\n")
    assert naps == slept


def test_a_note_is_not_added_twice(job, naps, monkeypatch):
    """An API that answers so may have added it."""
    job.report("new")
    job.forge.requests.clear()
    monkeypatch.setattr(job.forge, "add_note", lambda _asked: 503)
    assert job.run("note", "plans") == 1
    assert [request.method for request in job.forge.requests].count("POST") == 1
    assert naps == []


# Notes


def test_there_is_one_note_which_later_runs_replace(job):
    of_somebody_else = f"<!-- zonesmith.dns: plan 1 {NOTHING} -->\n"
    others = [Text(1, OTHER, of_somebody_else), Text(2, ME, "of another workflow")]
    job.forge.notes = [*others]
    assert job.run("note", "plans") == 0, job.said
    job.report("## DNS: 2 would change\n")
    assert job.run("note", "plans", pipeline=18) == 0
    assert job.said == "the note was replaced\n"
    assert job.forge.notes[:2] == others
    (note,) = job.forge.notes[2:]
    assert NOTE.match(note.body).groups() == ("18", NOTHING)
    assert f"\nThis is plan `{NOTHING[:12]}`, written by [this job](https://" in note.body
    assert note.body.endswith(").\n\n## DNS: 2 would change\n")


@pytest.mark.parametrize(
    "field, value, said",
    [("head", "0ther", "somebody has pushed since"), ("is_open", False, "was merged or closed")],
)
def test_a_late_job_does_not_write_over_the_note_of_a_newer_one_or_of_the_merge(
    job, field, value, said
):
    """The job that applies looks for what was shown before the merge."""
    setattr(job.forge, field, value)
    assert (job.run("note", "plans"), job.forge.notes) == (0, [])
    assert said in job.said


def test_a_report_of_any_size_fits(job):
    job.report("+ a line\n" * 200_000)
    assert job.run("note", "plans") == 0, job.said
    (note,) = job.forge.notes
    assert len(note.body) <= job.forge.longest
    assert "**Cut here.**" in note.body
    assert note.body.count("this job") == 1


def test_what_is_no_report_is_not_shown(job):
    """A job of the branch made it: a link could lead to what this job knows."""
    report = job.folder / "plans" / "report.md"
    (job.folder / "plans" / "example.com.json").symlink_to("/proc/self/environ")
    for made in (lambda: report.symlink_to("/proc/self/environ"), lambda: os.mkfifo(report), None):
        if made:
            made()
        assert job.run("note", "plans") == 0
        (note,) = job.forge.notes
        assert "The job failed before it had a report." in note.body
        assert NOTHING in note.body
        report.unlink(missing_ok=True)


def test_a_report_gives_no_orders(job):
    """To GitLab a line that begins with a slash is one, and it takes out carriage returns before it looks."""
    report = "/merge\n  /approve\n\r/close\n \r /lock\n+ /a/ 300 IN A 192.0.2.1\n"
    (job.folder / "plans" / "report.md").write_bytes(report.encode())
    assert job.run("note", "plans") == 0
    (note,) = job.forge.notes
    orders = re.findall(r"(?m)^ */(\w+)", note.body.replace("\r", ""))
    assert orders == ([] if job.forge.name == "gitlab" else ["merge", "approve", "close", "lock"])


# What is of a request, and what its base would change as well

REPORT = "## DNS: 0 failed, 1 would change\n"


def change(name, before, after, zone="example.com", ttl=300):
    """A change of an address in a plan."""
    sides = [{"ttl": ttl, "contents": [value]} if value else None for value in (before, after)]
    actions = {(True, True): "rebuild", (False, True): "create", (True, False): "delete"}
    action = actions[bool(before), bool(after)]
    name = f"{name}.{zone}."
    return {"name": name, "type": "A", "action": action, "before": sides[0], "after": sides[1]}


def plan_file(*changes, zone="example.com"):
    """A plan, as check mode writes it."""
    return json.dumps({"format": 1, "zone": zone, "changes": changes}, indent=2)


OWN = change("www", "192.0.2.10", "192.0.2.11")
DRIFT = change("by-hand", "192.0.2.99", "")
ENDLESS = change("www", "", "192.0.2.1", ttl=float("inf"))
ALSO = change("www", "192.0.2.10", "192.0.2.9")

PARTS = {
    "changes of both": (
        [OWN, DRIFT],
        [DRIFT],
        """\
**This request makes 1 change:**

```diff
! ; www.example.com. A is rebuilt, and gone for a moment
- www.example.com. 300 IN A 192.0.2.10
+ www.example.com. 300 IN A 192.0.2.11
```

**1 change is not its own.** Its base would make the same, because the zone was changed since, or a merge was not \
applied: `by-hand.example.com. A`

```diff
- by-hand.example.com. 300 IN A 192.0.2.99
```
""",
    ),
    "no change at all": ([], [], "**This request makes no changes of its own.**\n"),
    "a set that the zone has changed as well": (
        [OWN],
        [ALSO],
        """\
**This request makes 1 change:**

```diff
! ; www.example.com. A is rebuilt, and gone for a moment
- www.example.com. 300 IN A 192.0.2.10
+ www.example.com. 300 IN A 192.0.2.11
```

The base would change 1 of these sets as well, because the zone was changed since, or a merge was not applied: \
`www.example.com. A`
""",
    ),
    "what was changed by hand is accepted": (
        [],
        [DRIFT],
        """\
**This request makes no changes of its own.**

The base would make 1 change that this request does not make: `by-hand.example.com. A`
""",
    ),
    "a plan that failed, so that its report says more": ([], None, ""),
    "a base that could not be planned": (
        [OWN],
        None,
        """\
It is not known which changes this request makes itself, because its base was not planned.
""",
    ),
}


def parts(job, head, base):
    """What the note says of these plans."""
    of_base = job.folder / "plans" / "base"
    if base is not None:
        of_base.mkdir()
        (of_base / "report.md").touch()
        if base:
            (of_base / "example.com.json").write_text(plan_file(*base), "utf-8")
    if head:
        plan = job.folder / "plans" / "example.com.json"
        plan.write_text(plan_file(*head), "utf-8")
    return parts_of_note(job)


@pytest.mark.parametrize("head, base, said", PARTS.values(), ids=PARTS)
def test_a_note_says_what_is_of_the_request(job, head, base, said):
    assert parts(job, head, base) == said


def test_both_parts_fit_and_what_does_not_is_folded_or_counted(job):
    own = [change(f"own{number:05}", "", "192.0.2.1") for number in range(4_000)]
    of_base = [change(f"by-hand{number:05}", "192.0.2.99", "") for number in range(3_000)]
    text = parts(job, own + of_base, of_base)
    assert "**This request makes 4,000 changes:**" in text
    assert "**3,000 changes are not its own.**" in text
    assert "and 2,980 more\n\n<details><summary>3,000 changes</summary>\n\n```diff\n" in text
    left = [int(number.replace(",", "")) for number in re.findall(r"and ([\d,]+) more lines", text)]
    assert len(left) == 2
    assert text.count("\n+ own") + left[0] == 4_000
    assert text.count("\n- by-hand") + left[1] == 3_000


def test_the_same_name_in_another_zone_is_another_set(job):
    """Records move from a zone into one below it, while the base has the same change left to make."""
    created = change("www.lab", "", "192.0.2.1")
    plans = job.folder / "plans"
    (plans / "lab.example.com.json").write_text(plan_file(created, zone="lab.example.com"), "utf-8")
    text = parts(job, [], [created])
    assert "**This request makes 1 change:**" in text
    assert "The base would change 1 of these" not in text
    assert "The base would make 1 change that this request does not make" in text


def test_what_a_zone_says_is_only_text(job):
    """Neither markup, nor a link, nor an order, nor somebody's name."""
    name = "``` @someone </details>\n/merge\n|" + "\x1b" * 190
    hostile = change(name, "", "`````\r\x1b[0K" + "x" * 5000)
    text = parts(job, [hostile, DRIFT], [hostile, DRIFT])
    fences = re.findall(r"(?m)^(`{3,})(?:diff)?$", text)
    assert fences == ["`" * 6] * 2
    assert "\x1b" not in text
    assert "(cut)" in text
    assert len(text) < 8000
    assert not re.search(r"(?m)^/merge", text)


@pytest.mark.parametrize(
    "text",
    [
        "approved",
        "[" * 100_000,
        '{"changes": 1}',
        plan_file(ENDLESS),
    ],
    ids=["no-json", "deep", "no-changes", "no-ttl"],
)
def test_a_plan_that_is_none_divides_nothing(job, text):
    (job.folder / "plans" / "base").mkdir()
    (job.folder / "plans" / "base" / "report.md").touch()
    (job.folder / "plans" / "example.com.json").write_text(text, "utf-8")
    said = parts_of_note(job)
    assert (
        said
        == "It is not known which changes this request makes itself, because a plan is unreadable.\n"
    )


def parts_of_note(job):
    """What the note says before the report."""
    job.report(REPORT)
    assert job.run("note", "plans") == 0, job.said
    (note,) = job.forge.notes
    assert len(note.body) <= job.forge.longest
    return NOTE.sub("", note.body).partition("\nThis is plan `")[0]


# Drift


def test_an_issue_is_opened_once_renewed_and_closed_when_it_is_over(job):
    others = [
        Text(1, OTHER, ISSUE + "of somebody else", ["dns-drift"]),
        Text(2, ME, "of another workflow", ["dns-drift"]),
        Text(3, ME, ISSUE + "of last year", ["dns-drift"], is_open=False),
    ]
    job.forge.issues = [*others]
    assert job.run("close") == 0
    assert job.said == "issues closed: none was open\n"
    for said in ("the issue was opened", "issue 4 was updated"):
        job.report(f"## DNS: {said}\n")
        assert job.run("open", "plans/report.md") == 0
        assert job.said == f"{said}\n"
    (issue,) = job.forge.issues[3:]
    assert issue.title == "DNS: zones differ from their files"
    assert issue.body.startswith(f"{ISSUE}Found by [this job](https://")
    assert issue.body.endswith(" agree.\n\n## DNS: issue 4 was updated\n")
    assert job.run("close") == 0
    assert job.said == "issues closed: 4\n"
    assert re.match(r"Resolved: .+ since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.", issue.notes[0])
    assert not issue.is_open
    assert job.run("open", "plans/report.md") == 0
    assert [one.is_open for one in job.forge.issues] == [True, True, False, False, True]
    assert job.forge.issues[:3] == others


@pytest.mark.parametrize("command", ["plans plans", "note plans", "open plans/report.md", "close"])
def test_an_answer_that_makes_no_sense_is_told_in_words(job, command):
    job.merge = Merge() if command.startswith("plans") else None
    for answer in (b"null", b"[1]", b"no JSON"):
        job.forge.instead = whole(answer, "Content-Type: application/json")
        assert job.run(*command.split()) == 1
        assert re.fullmatch(r"pipeline\.py: unexpected answer: .+\n", job.said), answer


@pytest.mark.parametrize("arguments, status", [(["apply"], 2), (["--help"], 0)])
def test_help_needs_no_job(tmp_path, arguments, status):
    done = programs.called([sys.executable, pipeline_program.__file__, *arguments], tmp_path, {})
    assert (done.returncode, "python pipeline.py plans FOLDER" in done.stdout) == (status, True)


# Runs of GitHub, which say themselves of which pull request they are, as their workflow file has it


ONLY_GITHUB = pytest.mark.parametrize("forge", ["github"], indirect=True)
ONLY_GITLAB = pytest.mark.parametrize("forge", ["gitlab"], indirect=True)

TARGETS = {
    "a second one of the branch, to the same target": (
        [Merge(), Merge("beef", number=2, at=1)],
        "",
    ),
    "a second one of the branch, elsewhere": (
        [Merge(), Merge("", number=4, branch="of-mine", merged=False)],
        "number 4 from the same branch has or had another",
    ),
    "a second one that went elsewhere before": (
        [Merge(), Merge("", number=4, merged=False, moved="base_ref_changed")],
        "number 4 from the same branch has or had another target than main",
    ),
    "one that GitHub moved": (
        [Merge(moved="automatic_base_change_succeeded")],
        "number 3 from the same branch has",
    ),
}


@ONLY_GITHUB
@pytest.mark.parametrize("requests, refused", TARGETS.values(), ids=TARGETS)
def test_a_run_counts_where_its_workflow_is_that_of_the_target(job, requests, refused):
    """The workflow of another target makes any plan, and says that it is of any number."""
    job.happened(Merge(), [Plan()])
    job.forge.merges = requests
    assert job.run("plans", "plans") == bool(refused), job.said
    assert refused in job.said
    assert bool([*(job.folder / "plans").iterdir()]) is not bool(refused)


@ONLY_GITHUB
@pytest.mark.parametrize("field", [{"says": 4}, {"source": "other"}], ids=str)
def test_a_run_of_another_pull_request_does_not_count(job, field):
    assert job.plans(Merge(), Plan(**field)) == {}
    assert WITHOUT in job.said


# Pipelines of GitLab that GitHub has none of

OF_RESULT = Plan(kind="merge")
OF_GITLAB = {
    "one of the merged result": (Merge(), OF_RESULT, GOOD),
    "one that was merged with another target": (Merge(), replace(OF_RESULT, onto="0fm1ne"), {}),
    "one of the merged result of an older commit": (Merge(), replace(OF_RESULT, head="01d"), {}),
    "one of a merge train": (Merge(), replace(OF_RESULT, kind="train"), {}),
    "one of a fork": (Merge(of_fork=True), Plan(), {}),
}


@ONLY_GITLAB
@pytest.mark.parametrize("merge, plan, got", OF_GITLAB.values(), ids=OF_GITLAB)
def test_a_pipeline_counts_where_it_is_of_this_request_and_its_target(job, merge, plan, got):
    assert job.plans(merge, replace(plan)) == got
