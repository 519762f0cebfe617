# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Talk to GitHub or GitLab for the pipelines of docs/guides/zone_in_git.md and docs/guides/drift.md.

python pipeline.py plans FOLDER   get the approved plans of the request that was merged as this commit
python pipeline.py note REPORT    show a Markdown report in the pull or merge request, and replace the previous one
python pipeline.py open REPORT    open an issue with a report, or update the open one
python pipeline.py close          close the issue

Needs Python 3.10, requests, the variables that GitHub or GitLab set in each job, and a token in GITHUB_TOKEN or
ZONESMITH_GITLAB_TOKEN.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import stat
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

NOTE = "<!-- zonesmith.dns: plan -->"
DRIFT = "<!-- zonesmith.dns: drift -->"
LABEL = "dns-drift"
TITLE = "DNS: zones differ from their files"
NO_REPORT = "The job failed before it had a report. Its log says why."

TIMEOUT = (10, 60)  # seconds, to connect and between two parts of an answer
MOST_PAGES = 50
LARGEST_ARTIFACT = 64 * 2**20  # bytes, packed and unpacked
MOST_PLANS = 10_000
LONGEST_NAME = 255  # bytes of a file's name
LARGEST_REPORT = 2**20  # bytes
UNREADABLE = (  # what zipfile raises for a damaged artifact
    zipfile.BadZipFile,  # not a ZIP, incomplete, or a wrong checksum
    zlib.error,  # invalid compressed data
    EOFError,  # fewer bytes than the header says
    struct.error,  # too short a header
    RuntimeError,  # encrypted, or an unsupported feature
    ValueError,  # a negative offset, or an invalid name
    OverflowError,  # too large an offset
)
WHAT_NOW = (
    "so nothing was applied: open a request that changes nothing, from a branch with another name, and its plan shows "
    "what is left"
)
MOVED = (
    "base_ref_changed",
    "automatic_base_change_succeeded",
)  # events of GitHub pull requests whose target changed


class Refused(Exception):
    """Why the job must stop, in one sentence."""


@dataclass(frozen=True)
class Merged:
    """The request that was merged as a commit: its number, the last commit and the name of its branch, its target
    branch, and the time of the merge.
    """

    number: int
    head: str
    source: str
    target: str
    at: datetime


class Forge(Protocol):
    """What a pipeline needs from GitHub or GitLab. Every method raises Refused."""

    longest: int
    """The most characters of a note or an issue."""

    def approved(self) -> bytes:
        """The artifact, a ZIP, with the approved plans of the request that was merged as this commit."""

    def is_newest(self) -> bool:
        """Whether nobody has pushed to the pull or merge request since this pipeline began."""

    def notes(self) -> Iterator[tuple[int, str]]:
        """The notes of this program's own account in the pull or merge request."""

    def write_note(self, number: int | None, text: str) -> None:
        """Replace the note, or add one."""

    def issues(self) -> Iterator[tuple[int, str]]:
        """The open issues of this program's own account that have LABEL."""

    def write_issue(self, number: int | None, text: str) -> None:
        """Replace the text of an issue, or open one."""

    def close_issue(self, number: int, text: str) -> None:
        """Close an issue with a last comment."""

    def job(self) -> str:
        """The URL of this job."""


class Api:
    """An API at *url*. The token is sent nowhere else."""

    def __init__(self, url: str, token: str):
        self._url = url.rstrip("/")
        self._session = requests.Session()
        self._session.auth = lambda request: request  # keeps ~/.netrc from replacing the token
        self._headers = {"Authorization": f"Bearer {token}"}
        retry = Retry(
            total=4, backoff_factor=1, status_forcelist=[429, 502, 503, 504], raise_on_status=False
        )
        self._session.mount(self._url, HTTPAdapter(max_retries=retry))  # repeats no POST

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """The JSON of an answer; *path* begins below the URL."""
        return self._answer(method, self._url + path, **options).json()

    def pages(self, path: str, of: str = "", **query: str) -> Iterator[dict[str, Any]]:
        """All entries of a paginated list. With *of*, they are in that field of each page."""
        url, options = self._url + path, {"params": {**query, "per_page": "100"}}
        for _page in range(MOST_PAGES):
            answer = self._answer("GET", url, **options)
            page = answer.json()
            yield from page[of] if of else page
            url, options = answer.links.get("next", {}).get("url", ""), {}
            if not url:
                return
            if urlsplit(url)[:2] != urlsplit(self._url)[:2]:
                raise Refused(
                    "the next page of a list is on another host, which does not get the token"
                )
        raise Refused(f"a list has more than {MOST_PAGES} pages: {path}")

    def artifact(self, path: str) -> bytes | None:
        """An artifact, or None if it is gone."""
        answer = self._send("GET", self._url + path, headers=self._headers, stream=True)
        if answer.is_redirect:
            # The URL of the storage authenticates by itself, so it gets no token.
            url = answer.headers["Location"]
            if urlsplit(url).scheme != "https" and urlsplit(url)[:2] != urlsplit(self._url)[:2]:
                raise Refused("the artifact would come without https")
            answer = self._send("GET", url, stream=True)
        if answer.status_code in (404, 410):
            return None
        self._check(answer, path)
        content = bytearray()
        try:
            for part in answer.iter_content(65_536):
                content += part
                if len(content) > LARGEST_ARTIFACT:
                    raise Refused(f"the artifact has more than {LARGEST_ARTIFACT >> 20} MiB")
        except requests.RequestException as error:
            raise Refused(
                f"the artifact was not received completely: {type(error).__name__}"
            ) from None
        return bytes(content)

    def _answer(self, method: str, url: str, **options: Any) -> requests.Response:
        answer = self._send(method, url, headers=self._headers, **options)
        self._check(answer, f"{method} {urlsplit(url).path}")
        return answer

    def _check(self, answer: requests.Response, what: str) -> None:
        if answer.is_redirect or not answer.ok:
            hint = " (see the rights of the token)" if answer.status_code in (401, 403, 404) else ""
            raise Refused(f"{what} was answered with {answer.status_code}{hint}")

    def _send(self, method: str, url: str, **options: Any) -> requests.Response:
        try:
            return self._session.request(
                method, url, timeout=TIMEOUT, allow_redirects=False, **options
            )
        except requests.RequestException as error:
            raise Refused(
                f"{urlsplit(url).netloc} cannot be reached: {type(error).__name__}"
            ) from None


class GitHub:
    """GitHub, as a job of GitHub Actions sees it. The job that plans is ``plan``, and its artifact ``plans``.

    The API does not tell which pull request a run belongs to. So the workflow file puts the number into the name of the
    run, which is trusted only if no other target's workflow file can have written it.
    """

    longest = 65_536
    _me = "github-actions[bot]"

    def __init__(self) -> None:
        self._api = Api(variable("GITHUB_API_URL"), variable("GITHUB_TOKEN"))
        self._repository = f"/repos/{variable('GITHUB_REPOSITORY')}"

    def approved(self) -> bytes:
        """See Forge."""
        merged = self._merged(
            variable("GITHUB_SHA"), variable("GITHUB_REF").removeprefix("refs/heads/")
        )
        workflow = quote(variable("GITHUB_WORKFLOW_REF").partition("@")[0].rpartition("/")[2])
        of_head = {"event": "pull_request", "head_sha": merged.head}
        runs = self._api.pages(
            f"{self._repository}/actions/workflows/{workflow}/runs", "workflow_runs", **of_head
        )
        for run in sorted(runs, key=lambda run: -int(run["id"])):
            if not self._is_of(run, merged):
                continue
            path = f"{self._repository}/actions/runs/{run['id']}"
            jobs = self._api.pages(f"{path}/jobs", "jobs", filter="all")
            began_ended = seen_before(
                (
                    (job["completed_at"], job)
                    for job in jobs
                    if job["name"] == "plan" and job["conclusion"] == "success"
                ),
                merged,
            )
            if began_ended:
                self._check_targets(merged)
                artifacts = [*self._api.pages(f"{path}/artifacts", "artifacts", name="plans")]
                return self._artifact(began_ended, artifacts, merged)
        raise without_plan(merged)

    def _merged(self, commit: str, branch: str) -> Merged:
        for one in self._api.pages(f"{self._repository}/commits/{commit}/pulls"):
            if (
                one["merged_at"]
                and one["merge_commit_sha"] == commit
                and one["base"]["ref"] == branch
            ):
                return Merged(
                    one["number"],
                    one["head"]["sha"],
                    one["head"]["ref"],
                    branch,
                    moment(one["merged_at"]),
                )
        raise unseen(commit)

    def _is_of(self, run: dict[str, Any], merged: Merged) -> bool:
        """Whether the run names this pull request and ran for the last commit of its branch."""
        # Forks make no plans. A deleted fork has no repository.
        is_ours = (run["head_repository"] or {}).get("id") == run["repository"]["id"]
        is_of_branch = (run["head_sha"], run["head_branch"]) == (merged.head, merged.source)
        return (
            is_ours
            and is_of_branch
            and bool(run["display_title"] == f"DNS plan of number {merged.number}")
        )

    def _check_targets(self, merged: Merged) -> None:
        """Refuse if a run of this branch can have used the workflow file of another target branch."""
        owner = variable("GITHUB_REPOSITORY").partition("/")[0]
        of_branch = self._api.pages(
            f"{self._repository}/pulls", state="all", head=f"{owner}:{merged.source}"
        )
        targets = {one["number"]: one["base"]["ref"] for one in of_branch}
        for number in targets.keys() | {merged.number}:
            if targets.get(number) != merged.target or self._has_moved(number):
                raise Refused(
                    f"number {merged.number} was merged from {merged.source}, and number {number} from the same branch "
                    f"has or had another target than {merged.target}, so an unreviewed workflow may have made the "
                    f"plan, {WHAT_NOW}"
                )

    def _has_moved(self, number: int) -> bool:
        return any(
            one["event"] in MOVED
            for one in self._api.pages(f"{self._repository}/issues/{number}/events")
        )

    def _artifact(
        self, job: dict[str, Any], artifacts: list[dict[str, Any]], merged: Merged
    ) -> bytes:
        began, ended = moment(job["started_at"]), moment(job["completed_at"])
        for one in artifacts:
            if one["name"] == "plans" and began <= moment(one["created_at"]) <= ended:
                content = None
                if not one["expired"]:
                    content = self._api.artifact(
                        f"{self._repository}/actions/artifacts/{one['id']}/zip"
                    )
                if content is not None:
                    return content
        raise expired(merged)

    def is_newest(self) -> bool:
        """See Forge."""
        event = json.loads(Path(variable("GITHUB_EVENT_PATH")).read_text(encoding="utf-8"))
        pull_request = self._api.ask("GET", f"{self._repository}/pulls/{self._number()}")
        return bool(pull_request["head"]["sha"] == event["pull_request"]["head"]["sha"])

    def notes(self) -> Iterator[tuple[int, str]]:
        """See Forge."""
        for note in self._api.pages(f"{self._repository}/issues/{self._number()}/comments"):
            if note["user"] and note["user"]["login"] == self._me:
                yield note["id"], note["body"] or ""

    def write_note(self, number: int | None, text: str) -> None:
        """See Forge."""
        if number:
            self._api.ask(
                "PATCH", f"{self._repository}/issues/comments/{number}", json={"body": text}
            )
        else:
            self._api.ask(
                "POST", f"{self._repository}/issues/{self._number()}/comments", json={"body": text}
            )

    def issues(self) -> Iterator[tuple[int, str]]:
        """See Forge."""
        for issue in self._api.pages(f"{self._repository}/issues", state="open", labels=LABEL):
            if "pull_request" not in issue and issue["user"] and issue["user"]["login"] == self._me:
                yield issue["number"], issue["body"] or ""

    def write_issue(self, number: int | None, text: str) -> None:
        """See Forge."""
        if number:
            self._api.ask("PATCH", f"{self._repository}/issues/{number}", json={"body": text})
        else:
            self._api.ask(
                "POST",
                f"{self._repository}/issues",
                json={"title": TITLE, "body": text, "labels": [LABEL]},
            )

    def close_issue(self, number: int, text: str) -> None:
        """See Forge."""
        self._api.ask("POST", f"{self._repository}/issues/{number}/comments", json={"body": text})
        self._api.ask("PATCH", f"{self._repository}/issues/{number}", json={"state": "closed"})

    def job(self) -> str:
        """See Forge."""
        run = f"{variable('GITHUB_REPOSITORY')}/actions/runs/{variable('GITHUB_RUN_ID')}"
        return f"{variable('GITHUB_SERVER_URL')}/{run}"

    def _number(self) -> int:
        found = re.fullmatch(r"refs/pull/(\d+)/merge", variable("GITHUB_REF"))
        if not found:
            raise Refused("this pipeline does not belong to a pull request")
        return int(found[1])


class GitLab:
    """GitLab, as a job of GitLab CI sees it. The job that plans is ``dns-plan``."""

    longest = 1_000_000

    def __init__(self) -> None:
        self._api = Api(variable("CI_API_V4_URL"), variable("ZONESMITH_GITLAB_TOKEN"))
        self._id = int(variable("CI_PROJECT_ID"))
        self._project = f"/projects/{self._id}"

    def approved(self) -> bytes:
        """See Forge."""
        merged = self._merged(variable("CI_COMMIT_SHA"), variable("CI_COMMIT_BRANCH"))
        pipelines = self._api.pages(f"{self._project}/merge_requests/{merged.number}/pipelines")
        for pipeline in sorted(pipelines, key=lambda pipeline: -int(pipeline["id"])):
            if not self._is_of(pipeline, merged):
                continue
            jobs = self._api.pages(
                f"{self._project}/pipelines/{pipeline['id']}/jobs", include_retried="true"
            )
            found = seen_before(
                (
                    (job["finished_at"], job)
                    for job in jobs
                    if job["name"] == "dns-plan" and job["status"] == "success"
                ),
                merged,
            )
            if found:
                content = self._api.artifact(f"{self._project}/jobs/{found['id']}/artifacts")
                if content is None:
                    raise expired(merged)
                return content
        raise without_plan(merged)

    def _merged(self, commit: str, branch: str) -> Merged:
        for one in self._api.pages(f"{self._project}/repository/commits/{commit}/merge_requests"):
            # The branch got the merge commit, else the squashed commit, else the commits themselves.
            became = one["merge_commit_sha"] or one["squash_commit_sha"] or one["sha"]
            is_here = (
                one["target_branch"] == branch
                and one["source_project_id"] == one["target_project_id"] == self._id
            )
            if one["state"] == "merged" and one["merged_at"] and became == commit and is_here:
                return Merged(
                    one["iid"], one["sha"], one["source_branch"], branch, moment(one["merged_at"])
                )
        raise unseen(commit)

    def _is_of(self, pipeline: dict[str, Any], merged: Merged) -> bool:
        """Whether the pipeline ran for the last commit of the branch, alone or merged with this target branch.

        A result merged with another target has that target's jobs. Nobody sees the plan of a merge train in time.
        """
        if (
            pipeline["source"] != "merge_request_event"
            or pipeline.get("project_id", self._id) != self._id
        ):
            return False
        refs = f"refs/merge-requests/{merged.number}/"
        if pipeline["ref"] == f"{refs}head":
            return bool(pipeline["sha"] == merged.head)
        if pipeline["ref"] != f"{refs}merge":
            return False
        commit = self._api.ask(
            "GET", f"{self._project}/repository/commits/{quote(pipeline['sha'])}"
        )
        target, head = commit["parent_ids"]
        refs_of = {"refs[]": [target, merged.target]}
        base = self._api.ask("GET", f"{self._project}/repository/merge_base", params=refs_of)
        return bool(head == merged.head and base["id"] == target)

    def is_newest(self) -> bool:
        """See Forge."""
        of_pipeline = os.environ.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") or variable(
            "CI_COMMIT_SHA"
        )
        return bool(self._api.ask("GET", self._merge_request())["sha"] == of_pipeline)

    def notes(self) -> Iterator[tuple[int, str]]:
        """See Forge."""
        me = self._api.ask("GET", "/user")["id"]
        for note in self._api.pages(f"{self._merge_request()}/notes", sort="asc"):
            if note["author"]["id"] == me and not note["system"]:
                yield note["id"], note["body"]

    def write_note(self, number: int | None, text: str) -> None:
        """See Forge."""
        if number:
            self._api.ask(
                "PUT", f"{self._merge_request()}/notes/{number}", json={"body": harmless(text)}
            )
        else:
            self._api.ask("POST", f"{self._merge_request()}/notes", json={"body": harmless(text)})

    def issues(self) -> Iterator[tuple[int, str]]:
        """See Forge."""
        me = self._api.ask("GET", "/user")["id"]
        for issue in self._api.pages(f"{self._project}/issues", state="opened", labels=LABEL):
            if issue["author"]["id"] == me:
                yield issue["iid"], issue["description"] or ""

    def write_issue(self, number: int | None, text: str) -> None:
        """See Forge."""
        fields = {"description": harmless(text)}
        if number:
            self._api.ask("PUT", f"{self._project}/issues/{number}", json=fields)
        else:
            self._api.ask(
                "POST", f"{self._project}/issues", json={**fields, "title": TITLE, "labels": LABEL}
            )

    def close_issue(self, number: int, text: str) -> None:
        """See Forge."""
        self._api.ask(
            "POST", f"{self._project}/issues/{number}/notes", json={"body": harmless(text)}
        )
        self._api.ask("PUT", f"{self._project}/issues/{number}", json={"state_event": "close"})

    def job(self) -> str:
        """See Forge."""
        return variable("CI_JOB_URL")

    def _merge_request(self) -> str:
        return f"{self._project}/merge_requests/{int(variable('CI_MERGE_REQUEST_IID'))}"


def variable(name: str) -> str:
    """A variable of the job. Raises Refused."""
    value = os.environ.get(name, "")
    if not value:
        raise Refused(f"the variable {name} is not set in this job")
    return value


def moment(text: str) -> datetime:
    """A time in the form of both APIs (RFC 3339)."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def seen_before(
    jobs: Iterator[tuple[str, dict[str, Any]]], merged: Merged
) -> dict[str, Any] | None:
    """The last job that had ended before the merge; each comes with the time of its end."""
    ended = [(moment(at), job) for at, job in jobs if at and moment(at) <= merged.at]
    return max(ended, key=lambda one: one[0])[1] if ended else None


def unseen(commit: str) -> Refused:
    """The refusal of a commit that belongs to no request."""
    return Refused(
        f"no pull or merge request of this repository was merged as commit {commit[:12]}, {WHAT_NOW}"
    )


def without_plan(merged: Merged) -> Refused:
    """The refusal of a merge without a plan."""
    return Refused(
        f"number {merged.number} was merged without a plan of its last commit {merged.head[:12]} (plans of older "
        f"commits, failed plans and plans made after the merge do not count), {WHAT_NOW}"
    )


def expired(merged: Merged) -> Refused:
    """The refusal of a merge whose plan is gone."""
    return Refused(
        f"the artifact with the plans of number {merged.number} has expired or was deleted, {WHAT_NOW}"
    )


def plans_in(artifact: bytes) -> dict[str, bytes]:
    """The plans in an artifact, by file name. Do not trust it: a branch can have made it. Raises Refused."""
    plans: dict[str, bytes] = {}
    space = LARGEST_ARTIFACT
    try:
        with zipfile.ZipFile(io.BytesIO(artifact)) as packed:
            for entry in packed.infolist():
                found = re.fullmatch(
                    r"(?:plans/)?([^/\\\x00-\x1f.][^/\\\x00-\x1f]*\.json)", entry.filename
                )
                if not found:
                    continue  # the report, or something unexpected
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    # zipfile would unpack these at once, whatever their size.
                    raise Refused("a plan in the artifact is packed in a way that no job uses")
                if len(os.fsencode(found[1])) > LONGEST_NAME:
                    raise Refused(
                        f"the artifact has a plan whose name is longer than {LONGEST_NAME} bytes"
                    )
                with packed.open(entry) as opened:
                    content = opened.read(space + 1)
                space -= len(content)
                if space < 0 or found[1] in plans or len(plans) >= MOST_PLANS:
                    raise Refused(
                        "the artifact is not that of a plan job: it is too large, or has a plan twice"
                    )
                plans[found[1]] = content
    except UNREADABLE as error:
        raise Refused(f"the artifact cannot be read: {type(error).__name__}") from error
    return plans


def write_plans(folder: Path, plans: dict[str, bytes]) -> None:
    """Make *folder* hold exactly these plans, even if the commit contains a folder or file of that name."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()
    for name, content in plans.items():
        (folder / name).write_bytes(content)


def read_report(path: Path) -> str:
    """The Markdown report, or NO_REPORT. Another job made the file, so links are not followed."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as opened:
            if stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return opened.read(LARGEST_REPORT).decode("utf-8", "replace")
    except OSError:
        pass
    return NO_REPORT


def harmless(text: str) -> str:
    """The text without GitLab's "quick actions", which are lines that begin with a slash.

    GitLab removes carriage returns before it looks for one.
    """
    return re.sub(r"(?m)^([ \t\r]*)/", r"\1\\/", text)


def as_body(mark: str, text: str, last: str, longest: int) -> str:
    """The body of a note or an issue: its mark, the report and a last line, cut if too long."""
    space = longest - len(mark) - len(last) - 200
    if len(text) > space:
        text = f"{text[:space].rpartition(chr(10))[0]}\n\n**Cut here.** The artifact of the job has the whole report."
    return f"{mark}\n{text.rstrip()}\n\n{last}\n"


def get_plans(forge: Forge, folder: Path) -> str:
    """Get the approved plans; returns what to print."""
    plans = plans_in(forge.approved())
    write_plans(folder, plans)
    number = "1 plan was" if len(plans) == 1 else f"{len(plans)} plans were"
    return f"{number} approved: {', '.join(sorted(plans)) or 'there is nothing to change'}"


def show(forge: Forge, report: Path) -> str:
    """Show a report in the pull or merge request; returns what to print."""
    if not forge.is_newest():
        return "somebody has pushed since, and the pipeline of that push shows its own report"
    text = as_body(
        NOTE, read_report(report), f"Written by [this job]({forge.job()}).", forge.longest
    )
    number = next((number for number, body in forge.notes() if body.startswith(NOTE)), None)
    forge.write_note(number, text)
    return "the note was replaced" if number else "the note was added"


def open_issue(forge: Forge, report: Path) -> str:
    """Open or update the issue; returns what to print."""
    last = (
        f"Found by [this job]({forge.job()}), which updates this issue until zones and files agree."
    )
    text = as_body(DRIFT, read_report(report), last, forge.longest)
    number = next((number for number, body in forge.issues() if body.startswith(DRIFT)), None)
    forge.write_issue(number, text)
    return f"issue {number} was updated" if number else "the issue was opened"


def close_issues(forge: Forge) -> str:
    """Close the open issues; returns what to print."""
    numbers = [number for number, body in forge.issues() if body.startswith(DRIFT)]
    when = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    for number in numbers:
        forge.close_issue(number, f"Resolved: [zones and files agree]({forge.job()}) since {when}.")
    return f"issues closed: {', '.join(map(str, numbers)) or 'none was open'}"


def forge_of_job() -> Forge:
    """The forge that runs this job. Raises Refused."""
    return GitLab() if os.environ.get("GITLAB_CI") == "true" else GitHub()


def main(arguments: list[str]) -> int:
    """Run a command; returns the exit status."""
    commands = {"plans": get_plans, "note": show, "open": open_issue}
    try:
        match arguments:
            case ["-h" | "--help"]:
                print(__doc__)
            case ["close"]:
                print(close_issues(forge_of_job()))
            case [("plans" | "note" | "open") as command, path]:
                print(commands[command](forge_of_job(), Path(path)))
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except Refused as error:
        print(f"pipeline.py: {error}", file=sys.stderr)
        return 1
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        print(
            f"pipeline.py: unexpected answer: {type(error).__name__} {error}"[:300], file=sys.stderr
        )
        return 1
    except OSError as error:
        print(
            f"pipeline.py: {error.filename or 'a file'}: {error.strerror or type(error).__name__}",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
