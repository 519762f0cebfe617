# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""pipeline.py of docs/guides/zone_in_git.md, against stand-ins of GitHub and GitLab."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import forges
import pipeline
import programs
import pytest
from forges import ME, OTHER, Forge, GitHub, GitLab, Merge, Plan, Text, packed

APPROVED = {
    "plans/example.com.json": "approved",
    "plans/report.md": "# DNS",
    "plans/report.html": "<html>",
}
OLD = {"plans/example.com.json": "old"}
NOTE = "<!-- zonesmith.dns: plan -->\n"
ISSUE = "<!-- zonesmith.dns: drift -->\n"


@pytest.fixture(scope="module", params=[GitHub, GitLab], ids=["github", "gitlab"])
def running(request: pytest.FixtureRequest) -> Iterator[Forge]:
    with request.param() as one:
        yield one


@pytest.fixture
def forge(running: Forge) -> Forge:
    running.reset()
    return running


class Job:
    """A job in a clone of its own."""

    def __init__(self, forge: Forge, folder: Path) -> None:
        self.forge, self.folder, self.said = forge, folder, ""
        self.merge: Merge | None = None
        event = folder / "event.json"
        event.write_text(json.dumps({"pull_request": {"head": {"sha": "deed"}}}), encoding="utf-8")
        self.event = {"GITHUB_EVENT_PATH": str(event)}

    def run(self, *arguments: str, **variables: str) -> int:
        """The status of pipeline.py; elsewhere jobs run it as a program."""
        said, variables = (
            io.StringIO(),
            {**self.event, **self.forge.environment(self.merge), **variables},
        )
        environ = patch.dict(os.environ, variables, clear=True)
        with environ, chdir(self.folder), redirect_stdout(said), redirect_stderr(said):
            status = pipeline.main([*arguments])
        self.said = said.getvalue()
        assert forges.TOKEN not in self.said
        return status

    def plans(self, merge: Merge, *plans: Plan) -> dict[str, str]:
        """What the job that applies gets."""
        self.merge = merge
        self.forge.merges, self.forge.plans = [merge], [*plans]
        status = self.run("plans", "plans")
        got = {path.name: path.read_text("utf-8") for path in (self.folder / "plans").glob("*")}
        assert (status == 0) == bool(got), self.said
        return got


@pytest.fixture
def job(forge: Forge, tmp_path: Path) -> Job:
    return Job(forge, tmp_path)


GOOD = {"example.com.json": "approved"}
UNSEEN = "no pull or merge request of this repository was merged as commit c0ffee"
WITHOUT = "number 3 was merged without a plan of its last commit deed"
GONE = "the artifact with the plans of number 3 has expired or was deleted"

# Each: what was merged, which plans there are, the oldest first, and what comes of it.
ROWS: dict[str, tuple[Merge, list[Plan], str]] = {
    "a merge": (Merge(), [Plan("deed", APPROVED)], ""),
    "a squash": (Merge(way="squash"), [Plan("deed", APPROVED)], ""),
    "a squash with a merge commit": (Merge(way="squash and merge"), [Plan("deed", APPROVED)], ""),
    "a rebase": (Merge(head="c0ffee", way="fast-forward"), [Plan("c0ffee", APPROVED)], ""),
    "the second of two plans": (Merge(), [Plan("deed", OLD), Plan("deed", APPROVED, at=15)], ""),
    "a later push": (Merge(), [Plan("01d", OLD), Plan("deed", APPROVED, at=15)], ""),
    "a plan that was made anew, and failed": (
        Merge(),
        [Plan("deed", APPROVED), Plan("deed", OLD, 15, "failure")],
        "",
    ),
    "one that was made anew after the merge": (
        Merge(),
        [Plan("deed", APPROVED), Plan("deed", OLD, at=25)],
        "",
    ),
    "one that nobody waited for": (
        Merge(),
        [Plan("deed", APPROVED), Plan("deed", OLD, 15, "")],
        "",
    ),
    "a commit that nobody proposed": (Merge(merged=False), [Plan("deed", APPROVED)], UNSEEN),
    "one that is part of a request": (Merge(commit="af7e"), [Plan("deed", APPROVED)], UNSEEN),
    "one that was merged elsewhere": (Merge(branch="next"), [Plan("deed", APPROVED)], UNSEEN),
    "a plan of an older commit": (Merge(), [Plan("01d", APPROVED)], WITHOUT),
    "no plan": (Merge(), [], WITHOUT),
    "a plan that was refused": (Merge(), [Plan("deed", APPROVED, ended="failure")], WITHOUT),
    "a plan after the merge alone": (Merge(), [Plan("deed", APPROVED, at=25)], WITHOUT),
    "a plan of a fork": (Merge(), [Plan("deed", APPROVED, of_fork=True)], WITHOUT),
    "a plan of a fork that is gone": (
        Merge(),
        [Plan("deed", APPROVED), Plan("deed", OLD, 15, fork_is_gone=True)],
        "",
    ),
    "a job of another name": (Merge(), [Plan("deed", APPROVED, job="lint")], WITHOUT),
    "a pipeline of a branch": (Merge(), [Plan("deed", APPROVED, event="push")], WITHOUT),
    "one of another request": (
        Merge(),
        [Plan("deed", APPROVED), Plan("deed", OLD, 15, number=4, says=4)],
        "",
    ),
    "one of another branch": (
        Merge(),
        [Plan("deed", APPROVED), Plan("deed", OLD, 15, number=4, source="other")],
        "",
    ),
    "one of another request alone": (Merge(), [Plan("deed", OLD, number=4, says=4)], WITHOUT),
    "an artifact that has expired": (Merge(), [Plan("deed", APPROVED, expired=True)], GONE),
    "an artifact that was deleted": (Merge(), [Plan("deed", APPROVED, gone=True)], GONE),
}


@pytest.mark.parametrize(("merge", "plans", "refused"), ROWS.values(), ids=ROWS)
def test_what_the_job_that_applies_gets(
    job: Job, merge: Merge, plans: list[Plan], refused: str
) -> None:
    # The job is told the commit that it runs for, and a list of requests in which that can be.
    asked = Merge() if merge.commit != "c0ffee" else merge
    job.merge = asked
    job.forge.merges, job.forge.plans = [Merge("beef", at=1, number=2), merge], plans
    status = job.run("plans", "plans")
    got = {path.name: path.read_text("utf-8") for path in (job.folder / "plans").glob("*")}
    assert (status, got) == ((1, {}) if refused else (0, GOOD)), job.said
    assert refused in job.said


@pytest.mark.parametrize(
    ("plans", "said"),
    [
        (["a.json"], "1 plan was approved: a.json\n"),
        (["b.json", "a.json"], "2 plans were approved: a.json, b.json\n"),
        (["report.md"], "0 plans were approved: there is nothing to change\n"),
    ],
)
def test_plans_are_counted(job: Job, plans: list[str], said: str) -> None:
    """No plan is the plan to change nothing."""
    job.forge.merges, job.forge.plans, job.merge = (
        [Merge()],
        [Plan("deed", dict.fromkeys(plans, "approved"))],
        Merge(),
    )
    assert (job.run("plans", "plans"), job.said) == (0, said)
    assert {path.name for path in (job.folder / "plans").iterdir()} == {*plans} - {"report.md"}


def test_what_a_commit_brings_along_is_removed(job: Job) -> None:
    (job.folder / "plans").mkdir()
    (job.folder / "plans" / "example.net.json").write_text("brought along", encoding="utf-8")
    assert job.plans(Merge(), Plan("deed", APPROVED)) == GOOD
    target = job.folder / "target"
    target.mkdir()
    (target / "kept").touch()
    (job.folder / "plans" / "example.com.json").unlink()
    (job.folder / "plans").rmdir()
    (job.folder / "plans").symlink_to(target)
    assert job.plans(Merge(), Plan("deed", APPROVED)) == GOOD
    assert [path.name for path in target.iterdir()] == ["kept"]


HOSTILE = {
    "names that lead out": {
        "../../out.json": "x",
        "/etc/out.json": "x",
        "plans/../out.json": "x",
        "a\\b.json": "x",
    },
    "names of other things": {
        "plans/.json": "x",
        "plans/sub/a.json": "x",
        "plans/.hidden.json": "x",
        "run.sh": "x",
    },
}


@pytest.mark.parametrize("files", HOSTILE.values(), ids=HOSTILE)
def test_names_in_an_artifact_lead_nowhere_else(job: Job, files: dict[str, str]) -> None:
    before = {*job.folder.parent.rglob("*")}
    assert job.plans(Merge(), Plan("deed", {**files, **APPROVED})) == GOOD
    assert {*job.folder.parent.rglob("*")} - before == {
        job.folder / "plans",
        job.folder / "plans" / "example.com.json",
    }


def corrupt() -> bytes:
    """An artifact whose compressed bytes are none."""
    content, start = packed({"a.json": "x" * 1000}), 30 + len("a.json")
    return content[:start] + b"\xff" * 4 + content[start + 4 :]


def far_away() -> bytes:
    """An artifact with an entry that begins where no file has a byte (APPNOTE.TXT, section 4.5.3)."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        made.writestr("a.json", "x")
        made.getinfo("a.json").header_offset = 2**63
    return content.getvalue()


NO_ARTIFACTS = {
    "no ZIP": b"no ZIP",
    "a part of one": packed({"a.json": "x" * 1000})[:60],
    "one that is too large": packed({"a.json": b"0" * 2**26 + b"0"}),
    "corrupt bytes": corrupt(),
    "one that is far away": far_away(),
    # zipfile gives cannot reach unpack a part of these: of a kilobyte bzip2 makes a gigabyte.
    "bzip2": packed({"a.json": "x"}, zipfile.ZIP_BZIP2),
    "LZMA": packed({"a.json": "x"}, zipfile.ZIP_LZMA),
    "a name that no file has": packed({f"{'a' * 300}.json": "x"}),
    "a name of too many bytes": packed({f"{'ä' * 130}.json": "x"}),
}


@pytest.mark.parametrize("content", NO_ARTIFACTS.values(), ids=NO_ARTIFACTS)
def test_an_artifact_that_no_job_has_made_is_refused(job: Job, content: bytes) -> None:
    (job.folder / "plans").mkdir()
    (job.folder / "plans" / "kept").touch()
    job.forge.merges, job.forge.plans, job.merge = (
        [Merge()],
        [Plan("deed", content=content)],
        Merge(),
    )
    assert job.run("plans", "plans") == 1
    assert "the artifact " in job.said
    assert [path.name for path in (job.folder / "plans").iterdir()] == ["kept"]


def test_a_folder_that_cannot_be_had_is_told_in_words(job: Job) -> None:
    job.forge.merges, job.forge.plans, job.merge = [Merge()], [Plan("deed", APPROVED)], Merge()
    assert job.run("plans", "missing/plans") == 1
    assert job.said == "pipeline.py: missing/plans: No such file or directory\n"


def test_a_plan_that_is_there_twice_is_refused(job: Job) -> None:
    assert job.plans(Merge(), Plan("deed", {"a.json": "seen", "plans/a.json": "not seen"})) == {}


def test_a_token_stays_with_its_api(job: Job, tmp_path: Path) -> None:
    """The stand-in's storage refuses one; and there is another storage, and an account for it, that nobody asks."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    job.forge.merges, job.forge.plans, job.merge = [Merge()], [Plan("deed", APPROVED)], Merge()
    assert job.run("plans", "plans", NETRC=str(netrc)) == 0, job.said
    job.forge.storage = "http://storage.example.com"
    assert job.run("plans", "plans") == 1
    assert "without https" in job.said


@pytest.mark.parametrize("command", ["plans plans", "note report.md", "open report.md", "close"])
def test_a_token_that_is_wrong_or_missing_is_told_in_words(job: Job, command: str) -> None:
    name = "GITHUB_TOKEN" if job.forge.name == "github" else "ZONESMITH_GITLAB_TOKEN"
    job.merge = Merge() if command.startswith("plans") else None
    assert job.run(*command.split(), **{name: "wrong"}) == 1
    assert re.fullmatch(
        r"pipeline\.py: .* answered with 401 \(see the rights of the token\)\n", job.said
    )
    assert job.run(*command.split(), **{name: ""}) == 1
    assert job.said == f"pipeline.py: the variable {name} is not set in this job\n"


# Notes


def test_there_is_one_note_which_later_runs_replace(job: Job) -> None:
    (job.folder / "report.md").write_text("## DNS: 1 would change\n", encoding="utf-8")
    others = [
        Text(1, OTHER, NOTE + "of somebody else"),
        Text(2, ME, "of another workflow"),
        Text(3, OTHER, "hello"),
    ]
    job.forge.notes = [*others]
    assert job.run("note", "report.md") == 0, job.said
    assert job.run("note", "report.md") == 0
    (job.folder / "report.md").write_text("## DNS: 2 would change\n", encoding="utf-8")
    assert job.run("note", "report.md") == 0
    assert job.said == "the note was replaced\n"
    assert job.forge.notes[:3] == others
    (note,) = job.forge.notes[3:]
    assert note.body.startswith(f"{NOTE}## DNS: 2 would change\n\nWritten by [this job](https://")


def test_an_older_pipeline_does_not_write_over_the_note_of_a_newer_one(job: Job) -> None:
    (job.folder / "report.md").write_text("old", encoding="utf-8")
    job.forge.head = "0ther"
    assert (job.run("note", "report.md"), job.forge.notes) == (0, [])
    assert "somebody has pushed since" in job.said


def test_a_report_of_any_size_fits(job: Job) -> None:
    (job.folder / "report.md").write_text("+ a line\n" * 200_000, encoding="utf-8")
    assert job.run("note", "report.md") == 0, job.said
    (note,) = job.forge.notes
    assert len(note.body) <= (65_536 if job.forge.name == "github" else 1_000_000)
    assert "**Cut here.**" in note.body
    assert note.body.count("this job") == 1


def test_what_is_no_report_is_not_shown(job: Job) -> None:
    """A job of the branch made it: a link could lead to what this job knows."""
    (job.folder / "report.md").symlink_to("/proc/self/environ")
    os.mkfifo(job.folder / "fifo.md")
    for name in ("report.md", "fifo.md", "missing.md"):
        assert job.run("note", name) == 0
        (note,) = job.forge.notes
        assert "The job failed before it had a report." in note.body
        assert "environ" not in note.body


def test_a_report_gives_no_orders(job: Job) -> None:
    """To GitLab a line that begins with a slash is one, and it takes out carriage returns before it looks."""
    report = "/merge\n  /approve\n\r/close\n \r /lock\n+ /a/ 300 IN A 192.0.2.1\n"
    (job.folder / "report.md").write_bytes(report.encode())
    assert job.run("note", "report.md") == 0
    (note,) = job.forge.notes
    orders = re.findall(r"(?m)^ */(\w+)", note.body.replace("\r", ""))
    assert orders == ([] if job.forge.name == "gitlab" else ["merge", "approve", "close", "lock"])


# Drift


def test_an_issue_is_opened_once_renewed_and_closed_when_it_is_over(job: Job) -> None:
    others = [
        Text(1, OTHER, ISSUE + "of somebody else", ["dns-drift"]),
        Text(2, ME, "of another workflow", ["dns-drift"]),
        Text(3, ME, ISSUE + "of last year", ["dns-drift"], is_open=False),
    ]
    job.forge.issues = [*others]
    assert job.run("close") == 0
    assert job.said == "issues closed: none was open\n"
    for said in ("the issue was opened", "issue 4 was updated", "issue 4 was updated"):
        (job.folder / "report.md").write_text(f"## DNS: {said}\n", encoding="utf-8")
        assert job.run("open", "report.md") == 0
        assert job.said == f"{said}\n"
    (issue,) = job.forge.issues[3:]
    assert issue.title == "DNS: zones differ from their files"
    assert issue.body.startswith(
        f"{ISSUE}## DNS: issue 4 was updated\n\nFound by [this job](https://"
    )
    assert (issue.is_open, issue.notes) == (True, [])
    assert job.run("close") == 0
    assert job.said == "issues closed: 4\n"
    (last_word,) = issue.notes
    assert re.match(
        r"Resolved: \[zones and files agree\]\(.+\) since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.",
        last_word,
    )
    assert not issue.is_open
    assert job.run("close") == 0
    assert job.run("open", "report.md") == 0
    assert [one.is_open for one in job.forge.issues] == [True, True, False, False, True]
    assert job.forge.issues[:3] == others


@pytest.mark.parametrize("command", ["plans plans", "note report.md", "open report.md", "close"])
def test_an_answer_that_makes_no_sense_is_told_in_words(job: Job, command: str) -> None:
    job.merge = Merge() if command.startswith("plans") else None
    for answer in ("null", "[1]", "no JSON"):
        job.forge.odd = answer
        assert job.run(*command.split()) == 1
        assert re.fullmatch(r"pipeline\.py: unexpected answer: .+\n", job.said), answer


@pytest.mark.parametrize("command", ["note", "open"])
def test_a_text_that_is_none_is_told_in_words(job: Job, command: str) -> None:
    job.forge.notes = job.forge.issues = [Text(1, ME, body=7, labels=["dns-drift"])]  # type: ignore[arg-type] # that is it
    assert job.run(command, "report.md") == 1
    assert job.said.startswith("pipeline.py: unexpected answer: ")


@pytest.mark.parametrize(
    ("arguments", "status"), [(["apply"], 2), ([], 2), (["--help"], 0), (["-h"], 0)]
)
def test_help_needs_no_job(tmp_path: Path, arguments: list[str], status: int) -> None:
    done = programs.called([sys.executable, pipeline.__file__, *arguments], tmp_path, {})
    assert (done.returncode, "python pipeline.py plans FOLDER" in done.stdout) == (status, True)


# Runs of GitHub, which say themselves of which pull request they are, as their workflow file has it


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Job]:
    with GitHub() as forge:
        yield Job(forge, tmp_path)


ELSEWHERE = Merge(commit="", number=4, branch="of-mine", merged=False)

TARGETS: dict[str, tuple[list[Merge], str]] = {
    "one request": ([Merge()], ""),
    "a second one of the branch, to the same target": (
        [Merge(), Merge("beef", number=2, at=1)],
        "",
    ),
    "one of another branch, elsewhere": (
        [Merge(), Merge("", number=4, branch="of-mine", source="other")],
        "",
    ),
    "a second one of the branch, elsewhere": (
        [Merge(), ELSEWHERE],
        "number 4 from the same branch has or had another",
    ),
    "one that went elsewhere before": (
        [Merge(moved="base_ref_changed")],
        "number 3 from the same branch has or had",
    ),
    "one that GitHub moved": (
        [Merge(moved="automatic_base_change_succeeded")],
        "number 3 from the same branch has",
    ),
    "a second one that went elsewhere before": (
        [Merge(), Merge("", number=4, merged=False, moved="base_ref_changed")],
        "number 4 from the same branch has or had another target than main",
    ),
}


@pytest.mark.parametrize(("requests", "refused"), TARGETS.values(), ids=TARGETS)
def test_a_run_counts_where_its_workflow_is_that_of_the_target(
    github: Job, requests: list[Merge], refused: str
) -> None:
    """The workflow of another target makes any plan, and says that it is of any number."""
    github.merge, github.forge.merges, github.forge.plans = (
        Merge(),
        requests,
        [Plan("deed", APPROVED)],
    )
    assert github.run("plans", "plans") == bool(refused), github.said
    assert refused in github.said
    assert (github.folder / "plans").exists() == (not refused)


def test_a_run_that_does_not_say_of_which_pull_request_it_is_does_not_count(github: Job) -> None:
    assert github.plans(Merge(), Plan("deed", APPROVED, says=None)) == {}
    assert WITHOUT in github.said


# Pipelines of GitLab that GitHub has none of


@pytest.fixture
def gitlab(tmp_path: Path) -> Iterator[Job]:
    with GitLab() as forge:
        yield Job(forge, tmp_path)


def test_a_pipeline_that_was_merged_with_another_target_does_not_count(gitlab: Job) -> None:
    """The request had that target before; what is merged with it has the jobs that it says."""
    good, other = (
        Plan("deed", APPROVED, kind="merge"),
        Plan("deed", OLD, 15, kind="merge", onto="0fm1ne"),
    )
    assert gitlab.plans(Merge(), good, other) == GOOD
    (gitlab.folder / "plans" / "example.com.json").unlink()
    assert gitlab.plans(Merge(), other) == {}
    assert WITHOUT in gitlab.said


def test_a_pipeline_of_the_merged_result_counts_and_one_of_a_merge_train_does_not(
    gitlab: Job,
) -> None:
    assert gitlab.plans(Merge(), Plan("deed", APPROVED, kind="merge")) == GOOD
    assert (
        gitlab.plans(
            Merge(), Plan("deed", APPROVED, kind="merge"), Plan("deed", OLD, 15, kind="train")
        )
        == GOOD
    )
    (gitlab.folder / "plans" / "example.com.json").unlink()
    assert gitlab.plans(Merge(), Plan("01d", APPROVED, kind="merge")) == {}
    assert gitlab.plans(Merge(of_fork=True), Plan("deed", APPROVED)) == {}
