# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Talk to GitHub or GitLab for the pipelines of docs/guides/zone_in_git.md and docs/guides/drift.md.

python pipeline.py plans FOLDER   get the approved plans of the request that was merged as this commit
python pipeline.py note FOLDER    show plans and their report.md in the pull or merge request, replacing the last note
python pipeline.py open REPORT    open an issue with a report, or update the open one
python pipeline.py close          close the issue

Needs Python 3.10, requests, the variables that GitHub or GitLab set in each job, and a token in GITHUB_TOKEN or
ZONESMITH_GITLAB_TOKEN.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import re
import shutil
import stat
import struct
import sys
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

NOTE = "<!-- zonesmith.dns: plan "
SHOWN_PLAN = re.compile(NOTE + r"(\d{1,18}) ([0-9a-f]{64}) -->")  # the pipeline, and the digest
DRIFT = "<!-- zonesmith.dns: drift -->"
LABEL = "dns-drift"
TITLE = "DNS: zones differ from their files"
NO_REPORT = "The job failed before it had a report. Its log says why."

TIMEOUT = (10, 60)  # seconds, to connect and between two parts of an answer
BUSY = (429, 502, 503, 504)  # statuses after which an API is asked again
PAUSES = (1, 2, 4, 8)  # seconds before that
LONGEST_WAIT = 180  # seconds in all; a job that waits keeps others from running
MOST_PAGES = 50
LARGEST_ARTIFACT = 64 * 2**20  # bytes, packed and unpacked
MOST_PLANS = 10_000
PLAN_NAME = re.compile(r"[^/\\\x00-\x1f.][^/\\\x00-\x1f]*\.json")
LONGEST_NAME = 255  # bytes of a file's name
LONGEST_LINE = 1000  # characters of a change
LONGEST_OWN = 32_000  # characters of all changes of a request
LONGEST_OTHERS = 16_000  # characters of all changes that are not of the request
MOST_NAMES = 20  # record sets that a sentence lists
LONGEST_KEY = 200  # characters of their names
MOST_OPEN = 10  # lines of a part that is not folded
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
NOT_APPLIED = "because the zone was changed since, or a merge was not applied"
UNKNOWN = "It is not known which changes this request makes itself, because"
PUSHED = "somebody has pushed since, and the pipeline of that push shows its own report"
OVER = "the request was merged or closed since, and keeps the note that it had"
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


@dataclass(frozen=True)
class Planned:
    """A job that made a plan: when it ended, and the path of its artifact, empty if that is gone."""

    ended: datetime
    artifact: str


@dataclass(frozen=True)
class Note:
    """A note of this program's own account, and when it was last written."""

    number: int
    body: str
    written: datetime


class Forge(Protocol):
    """What a pipeline needs from GitHub or GitLab. Every method raises Refused."""

    longest: int
    """The most characters of a note or an issue."""

    def merged(self) -> Merged:
        """The one request that was merged as this commit."""

    def planned(self, merged: Merged, pipeline: int) -> list[Planned]:
        """The successful jobs of a pipeline that made a plan of the request's last commit."""

    def artifact(self, planned: Planned) -> bytes | None:
        """The artifact of a job, a ZIP, or None if it is gone."""

    def request(self) -> int:
        """The number of the pull or merge request to which this pipeline belongs."""

    def outdated(self) -> str:
        """Why this pipeline has nothing more to show in its request; empty if it has."""

    def notes(self, request: int) -> Iterator[Note]:
        """The notes of this program's own account in a pull or merge request."""

    def write_note(self, number: int | None, text: str) -> None:
        """Replace a note in this pipeline's own request, or add one."""

    def issues(self) -> Iterator[tuple[int, str]]:
        """The open issues of this program's own account that have LABEL."""

    def write_issue(self, number: int | None, text: str) -> None:
        """Replace the text of an issue, or open one."""

    def close_issue(self, number: int, text: str) -> None:
        """Close an issue with a last comment."""

    def job(self) -> str:
        """The URL of this job."""

    def pipeline(self) -> int:
        """The number of this pipeline, the same when its jobs run again."""


class Api:
    """An API at *url*. The token is sent nowhere else."""

    def __init__(self, url: str, token: str):
        self._url = url.rstrip("/")
        self._session = requests.Session()
        self._session.auth = lambda request: request  # keeps ~/.netrc from replacing the token
        self._headers = {"Authorization": f"Bearer {token}"}
        self._may_wait = LONGEST_WAIT
        of_connection = Retry(total=4, backoff_factor=1, respect_retry_after_header=False)
        self._session.mount(self._url, HTTPAdapter(max_retries=of_connection))  # repeats no POST

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """The JSON of an answer; *path* begins below the URL."""
        return self._answer(method, self._url + path, **options).json()

    def pages(self, path: str, of: str = "", **query: str) -> Iterator[dict[str, Any]]:
        """All entries of a paginated list. With *of*, they are in that field of each page."""
        url = self._url + path
        answer = self._answer("GET", url, params={**query, "per_page": "100"})
        for _page in range(MOST_PAGES):
            page = answer.json()
            yield from page[of] if of else page
            following = answer.links.get("next")
            if not following:
                return
            url = following["url"]
            if not self._is_own(url):
                raise Refused(
                    "the next page of a list is on another host, which does not get the token"
                )
            answer = self._answer("GET", url)
        raise Refused(f"a list has more than {MOST_PAGES} pages: {path}")

    def artifact(self, path: str) -> bytes | None:
        """An artifact, or None if it is gone."""
        answer = self._send("GET", self._url + path, headers=self._headers, stream=True)
        if answer.is_redirect:
            # The URL of the storage authenticates by itself, so it gets no token.
            url = answer.headers["Location"]
            if urlsplit(url).scheme != "https" and not self._is_own(url):
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

    def _is_own(self, url: str) -> bool:
        """Whether a URL is on the API's own host."""
        other, own = urlsplit(url), urlsplit(self._url)
        return (other.scheme, other.netloc) == (own.scheme, own.netloc)

    def _answer(self, method: str, url: str, **options: Any) -> requests.Response:
        answer = self._send(method, url, headers=self._headers, **options)
        self._check(answer, f"{method} {urlsplit(url).path}")
        return answer

    def _check(self, answer: requests.Response, what: str) -> None:
        if answer.ok and not answer.is_redirect:
            return
        hint = ""
        if is_limited(answer):
            hint = f", a limit on requests: run this job again {when_again(answer)}"
        elif answer.status_code in (401, 403, 404):
            hint = " (see the rights of the token)"
        raise Refused(f"{what} was answered with {answer.status_code}{hint}")

    def _send(self, method: str, url: str, **options: Any) -> requests.Response:
        """An answer. If the API is busy, and not for long, it is asked again."""
        answer = self._sent(method, url, **options)
        for pause in PAUSES:
            wait = max(pause, seconds_asked(answer))
            if method == "POST" or answer.status_code not in BUSY or wait > self._may_wait:
                break
            self._may_wait -= wait
            time.sleep(wait)
            answer = self._sent(method, url, **options)
        return answer

    def _sent(self, method: str, url: str, **options: Any) -> requests.Response:
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

    def merged(self) -> Merged:
        """See Forge."""
        commit = variable("GITHUB_SHA")
        branch = variable("GITHUB_REF").removeprefix("refs/heads/")
        found = []
        for one in self._api.pages(f"{self._repository}/commits/{commit}/pulls"):
            is_here = one["merge_commit_sha"] == commit and one["base"]["ref"] == branch
            if is_here and one["merged_at"]:
                head = one["head"]
                at = moment(one["merged_at"])
                found.append(Merged(one["number"], head["sha"], head["ref"], branch, at))
        return only(found, commit)

    def planned(self, merged: Merged, pipeline: int) -> list[Planned]:
        """See Forge."""
        if not self._is_run_of(pipeline, merged):
            return []
        self._check_targets(merged)
        run = f"{self._repository}/actions/runs/{pipeline}"
        artifacts = [*self._api.pages(f"{run}/artifacts", "artifacts", name="plans")]
        found = []
        for job in self._api.pages(f"{run}/jobs", "jobs", filter="all"):
            if job["name"] == "plan" and job["conclusion"] == "success" and job["completed_at"]:
                ended = moment(job["completed_at"])
                found.append(Planned(ended, self._artifact_of(job, artifacts)))
        return found

    def _is_run_of(self, pipeline: int, merged: Merged) -> bool:
        """Whether a run of this workflow is of the request's last commit."""
        file, _at, _branch = variable("GITHUB_WORKFLOW_REF").partition("@")
        workflow = quote(Path(file).name)
        path = f"{self._repository}/actions/workflows/{workflow}/runs"
        of_head = {"event": "pull_request", "head_sha": merged.head}
        for run in self._api.pages(path, "workflow_runs", **of_head):
            if run["id"] == pipeline:
                return self._is_of(run, merged)
        return False

    def _is_of(self, run: dict[str, Any], merged: Merged) -> bool:
        """Whether the run names this pull request and ran for the last commit of its branch."""
        # Forks make no plans. A deleted fork has no repository.
        is_ours = (run["head_repository"] or {}).get("id") == run["repository"]["id"]
        is_of_branch = run["head_sha"] == merged.head and run["head_branch"] == merged.source
        is_named = run["display_title"] == f"DNS plan of number {merged.number}"
        return bool(is_ours and is_of_branch and is_named)

    def _check_targets(self, merged: Merged) -> None:
        """Refuse if a run of this branch can have used the workflow file of another target branch."""
        owner = variable("GITHUB_REPOSITORY").partition("/")[0]
        head = f"{owner}:{merged.source}"
        of_branch = self._api.pages(f"{self._repository}/pulls", state="all", head=head)
        targets = {one["number"]: one["base"]["ref"] for one in of_branch}
        for number in targets.keys() | {merged.number}:
            if targets.get(number) != merged.target or self._has_moved(number):
                raise Refused(
                    f"number {merged.number} was merged from {merged.source}, and number {number} from the same branch "
                    f"has or had another target than {merged.target}, so an unreviewed workflow may have made the "
                    f"plan, {WHAT_NOW}"
                )

    def _has_moved(self, number: int) -> bool:
        events = self._api.pages(f"{self._repository}/issues/{number}/events")
        return any(one["event"] in MOVED for one in events)

    def _artifact_of(self, job: dict[str, Any], artifacts: list[dict[str, Any]]) -> str:
        """The path of the artifact that a job has left; empty if it is gone."""
        began, ended = moment(job["started_at"]), moment(job["completed_at"])
        for one in artifacts:
            is_of_job = began <= moment(one["created_at"]) <= ended
            if one["name"] == "plans" and is_of_job and not one["expired"]:
                return f"{self._repository}/actions/artifacts/{int(one['id'])}/zip"
        return ""

    def artifact(self, planned: Planned) -> bytes | None:
        """See Forge."""
        if not planned.artifact:
            return None
        return self._api.artifact(planned.artifact)

    def request(self) -> int:
        """See Forge."""
        found = re.fullmatch(r"refs/pull/(\d+)/merge", variable("GITHUB_REF"))
        if not found:
            raise Refused("this pipeline does not belong to a pull request")
        return int(found[1])

    def outdated(self) -> str:
        """See Forge."""
        text = Path(variable("GITHUB_EVENT_PATH")).read_text(encoding="utf-8")
        then = json.loads(text)["pull_request"]
        now = self._api.ask("GET", f"{self._repository}/pulls/{self.request()}")
        if now["state"] != "open":
            return OVER
        if now["head"]["sha"] != then["head"]["sha"]:
            return PUSHED
        return ""

    def notes(self, request: int) -> Iterator[Note]:
        """See Forge."""
        for note in self._api.pages(f"{self._repository}/issues/{request}/comments"):
            if note["user"] and note["user"]["login"] == self._me:
                yield Note(note["id"], note["body"] or "", moment(note["updated_at"]))

    def write_note(self, number: int | None, text: str) -> None:
        """See Forge."""
        issues = f"{self._repository}/issues"
        if number:
            self._api.ask("PATCH", f"{issues}/comments/{number}", json={"body": text})
        else:
            self._api.ask("POST", f"{issues}/{self.request()}/comments", json={"body": text})

    def issues(self) -> Iterator[tuple[int, str]]:
        """See Forge."""
        for issue in self._api.pages(f"{self._repository}/issues", state="open", labels=LABEL):
            is_own = issue["user"] and issue["user"]["login"] == self._me
            if is_own and "pull_request" not in issue:
                yield issue["number"], issue["body"] or ""

    def write_issue(self, number: int | None, text: str) -> None:
        """See Forge."""
        issues = f"{self._repository}/issues"
        if number:
            self._api.ask("PATCH", f"{issues}/{number}", json={"body": text})
        else:
            fields = {"title": TITLE, "body": text, "labels": [LABEL]}
            self._api.ask("POST", issues, json=fields)

    def close_issue(self, number: int, text: str) -> None:
        """See Forge."""
        issue = f"{self._repository}/issues/{number}"
        self._api.ask("POST", f"{issue}/comments", json={"body": text})
        self._api.ask("PATCH", issue, json={"state": "closed"})

    def job(self) -> str:
        """See Forge."""
        run = f"{variable('GITHUB_REPOSITORY')}/actions/runs/{variable('GITHUB_RUN_ID')}"
        return f"{variable('GITHUB_SERVER_URL')}/{run}"

    def pipeline(self) -> int:
        """See Forge."""
        return int(variable("GITHUB_RUN_ID"))


class GitLab:
    """GitLab, as a job of GitLab CI sees it. The job that plans is ``dns-plan``."""

    longest = 1_000_000

    def __init__(self) -> None:
        self._api = Api(variable("CI_API_V4_URL"), variable("ZONESMITH_GITLAB_TOKEN"))
        self._id = int(variable("CI_PROJECT_ID"))
        self._project = f"/projects/{self._id}"

    def merged(self) -> Merged:
        """See Forge."""
        commit, branch = variable("CI_COMMIT_SHA"), variable("CI_COMMIT_BRANCH")
        found = []
        for one in self._api.pages(f"{self._project}/repository/commits/{commit}/merge_requests"):
            # The branch got the merge commit, else the squashed commit, else the commits themselves.
            became = one["merge_commit_sha"] or one["squash_commit_sha"] or one["sha"]
            is_ours = one["source_project_id"] == one["target_project_id"] == self._id
            is_here = is_ours and one["target_branch"] == branch and became == commit
            if one["state"] == "merged" and one["merged_at"] and is_here:
                at = moment(one["merged_at"])
                found.append(Merged(one["iid"], one["sha"], one["source_branch"], branch, at))
        return only(found, commit)

    def planned(self, merged: Merged, pipeline: int) -> list[Planned]:
        """See Forge."""
        if not self._is_pipeline_of(pipeline, merged):
            return []
        path = f"{self._project}/pipelines/{pipeline}/jobs"
        found = []
        for job in self._api.pages(path, include_retried="true"):
            if job["name"] == "dns-plan" and job["status"] == "success" and job["finished_at"]:
                artifact = f"{self._project}/jobs/{int(job['id'])}/artifacts"
                found.append(Planned(moment(job["finished_at"]), artifact))
        return found

    def _is_pipeline_of(self, number: int, merged: Merged) -> bool:
        """Whether a pipeline of the request is of its last commit."""
        for one in self._api.pages(f"{self._project}/merge_requests/{merged.number}/pipelines"):
            if one["id"] == number:
                return self._is_of(one, merged)
        return False

    def _is_of(self, pipeline: dict[str, Any], merged: Merged) -> bool:
        """Whether the pipeline ran for the last commit of the branch, alone or merged with this target branch.

        A result merged with another target has that target's jobs. Nobody sees the plan of a merge train in time.
        """
        if pipeline["source"] != "merge_request_event":
            return False
        if pipeline.get("project_id", self._id) != self._id:
            return False
        refs = f"refs/merge-requests/{merged.number}/"
        if pipeline["ref"] == f"{refs}head":
            return bool(pipeline["sha"] == merged.head)
        if pipeline["ref"] != f"{refs}merge":
            return False
        repository = f"{self._project}/repository"
        commit = self._api.ask("GET", f"{repository}/commits/{quote(pipeline['sha'])}")
        target, head = commit["parent_ids"]
        refs_of = {"refs[]": [target, merged.target]}
        base = self._api.ask("GET", f"{repository}/merge_base", params=refs_of)
        return bool(head == merged.head and base["id"] == target)

    def artifact(self, planned: Planned) -> bytes | None:
        """See Forge."""
        return self._api.artifact(planned.artifact)

    def request(self) -> int:
        """See Forge."""
        return int(variable("CI_MERGE_REQUEST_IID"))

    def outdated(self) -> str:
        """See Forge."""
        of_merged_result = os.environ.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA")
        of_pipeline = of_merged_result or variable("CI_COMMIT_SHA")
        merge_request = self._api.ask("GET", self._merge_request())
        if merge_request["state"] != "opened":
            return OVER
        if merge_request["sha"] != of_pipeline:
            return PUSHED
        return ""

    def notes(self, request: int) -> Iterator[Note]:
        """See Forge."""
        me = self._api.ask("GET", "/user")["id"]
        path = f"{self._project}/merge_requests/{request}/notes"
        for note in self._api.pages(path, sort="asc"):
            if note["author"]["id"] == me and not note["system"]:
                yield Note(note["id"], note["body"], moment(note["updated_at"]))

    def write_note(self, number: int | None, text: str) -> None:
        """See Forge."""
        notes = f"{self._merge_request()}/notes"
        fields = {"body": harmless(text)}
        if number:
            self._api.ask("PUT", f"{notes}/{number}", json=fields)
        else:
            self._api.ask("POST", notes, json=fields)

    def issues(self) -> Iterator[tuple[int, str]]:
        """See Forge."""
        me = self._api.ask("GET", "/user")["id"]
        for issue in self._api.pages(f"{self._project}/issues", state="opened", labels=LABEL):
            if issue["author"]["id"] == me:
                yield issue["iid"], issue["description"] or ""

    def write_issue(self, number: int | None, text: str) -> None:
        """See Forge."""
        issues = f"{self._project}/issues"
        fields = {"description": harmless(text)}
        if number:
            self._api.ask("PUT", f"{issues}/{number}", json=fields)
        else:
            fields |= {"title": TITLE, "labels": LABEL}
            self._api.ask("POST", issues, json=fields)

    def close_issue(self, number: int, text: str) -> None:
        """See Forge."""
        issue = f"{self._project}/issues/{number}"
        self._api.ask("POST", f"{issue}/notes", json={"body": harmless(text)})
        self._api.ask("PUT", issue, json={"state_event": "close"})

    def job(self) -> str:
        """See Forge."""
        return variable("CI_JOB_URL")

    def pipeline(self) -> int:
        """See Forge."""
        return int(variable("CI_PIPELINE_ID"))

    def _merge_request(self) -> str:
        return f"{self._project}/merge_requests/{self.request()}"


def variable(name: str) -> str:
    """A variable of the job. Raises Refused."""
    value = os.environ.get(name, "")
    if not value:
        raise Refused(f"the variable {name} is not set in this job")
    return value


def moment(text: str) -> datetime:
    """A time in the form of both APIs (RFC 3339)."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def is_limited(answer: requests.Response) -> bool:
    """Whether the API refuses for now because it was asked too often."""
    if answer.status_code == 403:
        is_used_up = answer.headers.get("X-RateLimit-Remaining") == "0"
        return is_used_up or "Retry-After" in answer.headers
    return answer.status_code == 429


def seconds_asked(answer: requests.Response) -> int:
    """How long the API asks to wait, or 0."""
    asked = answer.headers.get("Retry-After", "")
    if not re.fullmatch(r"[0-9]{1,9}", asked):
        return 0
    return int(asked)


def when_again(answer: requests.Response) -> str:
    """When the API can be asked again, in words."""
    minutes = math.ceil(seconds_asked(answer) / 60)
    if minutes:
        return f"in {counted(minutes, 'minute', 'minutes')}"
    reset = answer.headers.get("X-RateLimit-Reset", "")
    if re.fullmatch(r"[0-9]{1,10}", reset):
        when = datetime.fromtimestamp(int(reset), timezone.utc)
        return f"after {when:%H:%M} UTC"
    return "later"


def counted(number: int, one: str, many: str) -> str:
    """``1 minute``, ``2 minutes``."""
    return f"{number:,} {one if number == 1 else many}"


def only(found: list[Merged], commit: str) -> Merged:
    """The one request that was merged as a commit. Raises Refused."""
    if not found:
        raise unseen(commit)
    if len(found) > 1:
        numbers = " and ".join(str(one.number) for one in found)
        raise Refused(
            f"numbers {numbers} were merged as one commit, {commit[:12]}, and it is not known whose plan was approved, "
            f"{WHAT_NOW}"
        )
    return found[0]


def unseen(commit: str) -> Refused:
    """The refusal of a commit that belongs to no request."""
    return Refused(
        f"no pull or merge request of this repository was merged as commit {commit[:12]}, {WHAT_NOW}"
    )


def without_plan(merged: Merged) -> Refused:
    """The refusal of a merge without a plan."""
    return Refused(
        f"number {merged.number} was merged without a plan of its last commit {merged.head[:12]} that its note showed "
        "(plans of older commits, failed plans, and plans made after the note or the merge do not count), "
        f"{WHAT_NOW}"
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
                name = entry.filename.removeprefix("plans/")
                if not PLAN_NAME.fullmatch(name):
                    continue  # the report, the plans of the base, or something unexpected
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    # zipfile would unpack these at once, whatever their size.
                    raise Refused("a plan in the artifact is packed in a way that no job uses")
                if len(os.fsencode(name)) > LONGEST_NAME:
                    raise Refused(
                        f"the artifact has a plan whose name is longer than {LONGEST_NAME} bytes"
                    )
                with packed.open(entry) as opened:
                    content = opened.read(space + 1)
                space -= len(content)
                if space < 0 or name in plans or len(plans) >= MOST_PLANS:
                    raise Refused(
                        "the artifact is not that of a plan job: it is too large, or has a plan twice"
                    )
                plans[name] = content
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


def read_file(path: Path, most: int) -> bytes | None:
    """The first bytes of a regular file, or None. Another job made the file, so links are not followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as opened:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return opened.read(most)
    except OSError:
        pass
    return None


def read_report(path: Path) -> str:
    """The Markdown report, or NO_REPORT."""
    content = read_file(path, LARGEST_REPORT)
    if content is None:
        return NO_REPORT
    return content.decode("utf-8", "replace")


def read_plans(folder: Path) -> dict[str, bytes]:
    """The plans in a folder that another job has filled, by file name. Raises Refused."""
    plans: dict[str, bytes] = {}
    if not folder.is_dir():
        return plans
    space = LARGEST_ARTIFACT
    for path in folder.iterdir():
        if not PLAN_NAME.fullmatch(path.name):
            continue
        content = read_file(path, space + 1)
        if content is None:
            continue
        space -= len(content)
        if space < 0 or len(plans) >= MOST_PLANS:
            raise Refused("the folder of plans is too large")
        plans[path.name] = content
    return plans


def digest_of(plans: Mapping[str, bytes]) -> str:
    """SHA-256 of plans and their names, in hexadecimal."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in plans.items()}
    text = json.dumps(digests, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def visible(text: str) -> str:
    """The text with control characters and the like escaped."""
    characters = []
    for character in text:
        if not character.isprintable():
            character = character.encode("unicode_escape").decode("ascii")
        characters.append(character)
    return "".join(characters)


def printable(text: str) -> str:
    """The text with all escaped that a terminal or the runner of a job would obey, as ``##[x]`` and ``::x::``."""
    return re.sub(r"([#:])(?=\1)", r"\1\\", visible(text))


def harmless(text: str) -> str:
    """The text without GitLab's "quick actions", which are lines that begin with a slash.

    GitLab removes carriage returns before it looks for one.
    """
    return re.sub(r"(?m)^([ \t\r]*)/", r"\1\\/", text)


def as_body(opening: str, report: str, longest: int) -> str:
    """The body of a note or an issue, which ends with the report, cut if too long."""
    space = max(0, longest - len(opening) - 200)
    if len(report) > space:
        whole_lines, _end, _part = report[:space].rpartition("\n")
        report = f"{whole_lines}\n\n**Cut here.** The artifact of the job has the whole report."
    return f"{opening}\n\n{report.rstrip()}\n"


@dataclass(frozen=True)
class Side:
    """A record set before or after a change."""

    ttl: int
    values: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """A change in a plan."""

    zone: str
    name: str
    type: str
    action: str
    before: Side | None
    after: Side | None

    @property
    def key(self) -> tuple[str, str, str]:
        """The record set. Another zone, such as one below, can have a set of the same name."""
        return self.zone, self.name, self.type

    @property
    def shown(self) -> str:
        """The name of the record set, for people."""
        return visible(f"{self.name} {self.type}"[:LONGEST_KEY])[:LONGEST_KEY]


def changes_in(plans: Mapping[str, bytes]) -> list[Change]:
    """The changes in plans, sorted by the plans' names. Raises ValueError for what is no plan."""
    found = []
    for name in sorted(plans):
        try:
            plan = json.loads(plans[name])
            found += [change_in(row, plan["zone"]) for row in plan["changes"]]
        except (KeyError, TypeError, OverflowError, RecursionError) as error:
            raise ValueError(name) from error
    return found


def change_in(row: Mapping[str, Any], zone: str) -> Change:
    """A change, as the plan of a zone has it. Raises KeyError, TypeError, ValueError."""
    name, rdtype, action = row["name"], row["type"], row["action"]
    if not all(isinstance(word, str) for word in (zone, name, rdtype, action)):
        raise ValueError("a word is no text")
    return Change(zone, name, rdtype, action, side_in(row["before"]), side_in(row["after"]))


def side_in(row: Mapping[str, Any] | None) -> Side | None:
    """A record set, as a plan has it. Raises KeyError, TypeError, ValueError."""
    if row is None:
        return None
    values = row["contents"]
    if not all(isinstance(value, str) for value in values):
        raise ValueError("a value is no text")
    return Side(int(row["ttl"]), tuple(values))


def lines_of(change: Change) -> Iterator[str]:
    """A change as lines of a zone file in a diff, as the report has them."""
    before, after = change.before, change.after
    kept: set[str] = set()
    if before and after and before.ttl == after.ttl:
        kept = set(before.values) & set(after.values)
    if change.action == "rebuild":
        yield f"! ; {change.shown} is rebuilt, and gone for a moment"
    if before:
        for value in before.values:
            if value not in kept:
                yield line_of("-", change, before.ttl, value)
    if after:
        for value in after.values:
            sign = " " if value in kept else "+"
            yield line_of(sign, change, after.ttl, value)


def line_of(sign: str, change: Change, ttl: int, value: str) -> str:
    """A line of a diff, of bounded length."""
    text = f"{change.name} {ttl} IN {change.type} {value}"
    line = visible(text[: LONGEST_LINE + 1])
    if len(line) > LONGEST_LINE:
        line = f"{line[:LONGEST_LINE]}… (cut)"
    return f"{sign} {line}"


def diff_of(changes: Iterable[Change], space: int) -> list[str]:
    """A block of code with the changes, of at most about *space* characters, that counts what it leaves out."""
    shown: list[str] = []
    left = 0
    for change in changes:
        for line in lines_of(change):
            space -= len(line) + 1
            if space < 0:
                left += 1
            else:
                shown.append(line)
    fence = fence_around("\n".join(shown), 3)
    block = [f"{fence}diff", *shown, fence, ""]
    if left:
        block += [f"and {left:,} more lines, which the plans in the artifact of the job have", ""]
    return block


def fence_around(text: str, least: int) -> str:
    """More backticks than the text has in a row (CommonMark, sections 4.5 and 6.1)."""
    longest = 0
    for run in re.findall("`+", text):
        longest = max(longest, len(run))
    return "`" * max(least, longest + 1)


def names_of(changes: Sequence[Change]) -> str:
    """The names of the first record sets, as code."""
    names = []
    for change in changes[:MOST_NAMES]:
        fence = fence_around(change.shown, 1)
        # A backtick at an end would be part of the fence.
        space = " " if len(fence) > 1 else ""
        names.append(f"{fence}{space}{change.shown}{space}{fence}")
    listed = ", ".join(names)
    left = len(changes) - MOST_NAMES
    if left > 0:
        listed += f" and {left:,} more"
    return listed


def parts_of(head: list[Change], base: list[Change]) -> list[str]:
    """What is of a request, and what its base would change as well, as lines of Markdown."""
    of_base = set(base)
    own = [change for change in head if change not in of_base]
    others = [change for change in head if change in of_base]
    sets = {change.key for change in base}
    also = [change for change in own if change.key in sets]
    sets = {change.key for change in head}
    dropped = [change for change in base if change.key not in sets]
    lines = own_part(own, also)
    if others:
        lines += others_part(others)
    if dropped:
        changes = counted(len(dropped), "change", "changes")
        names = names_of(dropped)
        lines += [f"The base would make {changes} that this request does not make: {names}", ""]
    return lines


def own_part(own: list[Change], also: list[Change]) -> list[str]:
    """The changes of a request. *also* are those whose sets its base would change as well."""
    if not own:
        return ["**This request makes no changes of its own.**", ""]
    changes = counted(len(own), "change", "changes")
    lines = [f"**This request makes {changes}:**", "", *diff_of(own, LONGEST_OWN)]
    if also:
        sets = f"{len(also):,} of these sets"
        lines += [f"The base would change {sets} as well, {NOT_APPLIED}: {names_of(also)}", ""]
    return lines


def others_part(others: list[Change]) -> list[str]:
    """The changes that the base of a request would make as well; folded if they are many."""
    changes_are = counted(len(others), "change is", "changes are")
    opening = f"**{changes_are} not its own.** Its base would make the same, {NOT_APPLIED}:"
    lines = [f"{opening} {names_of(others)}", ""]
    block = diff_of(others, LONGEST_OTHERS)
    if len(block) <= MOST_OPEN:
        return [*lines, *block]
    summary = f"<details><summary>{len(others):,} changes</summary>"
    return [*lines, summary, "", *block, "</details>", ""]


def divided(folder: Path, plans: Mapping[str, bytes]) -> str:
    """The plans in two parts, as Markdown: *folder* has those of the base in ``base``. Raises Refused."""
    of_base = folder / "base"
    # Check mode writes no plan of a zone without changes, but always a report.
    if of_base.is_symlink() or read_file(of_base / "report.md", 1) is None:
        if not plans:
            return ""  # the report says that nothing would change, or why there is no plan
        return f"{UNKNOWN} its base was not planned.\n"
    try:
        head, base = changes_in(plans), changes_in(read_plans(of_base))
    except ValueError:
        return f"{UNKNOWN} a plan is unreadable.\n"
    return "\n".join(parts_of(head, base))


def approved_plans(forge: Forge, merged: Merged) -> dict[str, bytes]:
    """The plans that the note in a request showed when it was merged. Raises Refused."""
    note = newest_note(forge, merged.number)
    if note is None:
        raise without_plan(merged)
    if note.written > merged.at:
        raise Refused(
            f"the note in number {merged.number} was written, edited or answered after the merge, so it does not show "
            f"what was approved, {WHAT_NOW}"
        )
    mark = SHOWN_PLAN.match(note.body)
    if mark is None:
        raise without_plan(merged)
    pipeline, digest = int(mark[1]), mark[2]
    jobs = [one for one in forge.planned(merged, pipeline) if one.ended <= note.written]
    is_gone = False
    for job in jobs:
        artifact = forge.artifact(job)
        if artifact is None:
            is_gone = True
            continue
        plans = plans_in(artifact)
        if digest_of(plans) == digest:
            return plans
    if is_gone:
        raise expired(merged)
    raise without_plan(merged)


def newest_note(forge: Forge, request: int) -> Note | None:
    """The note that shows a plan, if there is one."""
    found = [note for note in forge.notes(request) if note.body.startswith(NOTE)]
    return max(found, key=lambda note: note.written, default=None)


def get_plans(forge: Forge, folder: Path) -> str:
    """Get the approved plans; returns what to print."""
    plans = approved_plans(forge, forge.merged())
    write_plans(folder, plans)
    plans_were = counted(len(plans), "plan was", "plans were")
    names = ", ".join(sorted(plans)) or "there is nothing to change"
    return f"{plans_were} approved, {short(digest_of(plans))}: {names}"


def short(digest: str) -> str:
    """The first characters of a digest, which people compare."""
    return digest[:12]


def show(forge: Forge, folder: Path) -> str:
    """Show plans and their report in the pull or merge request; returns what to print."""
    reason = forge.outdated()
    if reason:
        return reason
    plans = read_plans(folder)
    digest = digest_of(plans)
    mark = f"{NOTE}{forge.pipeline()} {digest} -->"
    of_job = f"This is plan `{short(digest)}`, written by [this job]({forge.job()})."
    opening = f"{mark}\n{divided(folder, plans)}\n{of_job}"
    body = as_body(opening, read_report(folder / "report.md"), forge.longest)
    note = newest_note(forge, forge.request())
    if note is None:
        forge.write_note(None, body)
        return "the note was added"
    forge.write_note(note.number, body)
    return "the note was replaced"


def open_issue(forge: Forge, report: Path) -> str:
    """Open or update the issue; returns what to print."""
    of_job = (
        f"Found by [this job]({forge.job()}), which updates this issue until zones and files agree."
    )
    text = as_body(f"{DRIFT}\n{of_job}", read_report(report), forge.longest)
    for number, body in forge.issues():
        if body.startswith(DRIFT):
            forge.write_issue(number, text)
            return f"issue {number} was updated"
    forge.write_issue(None, text)
    return "the issue was opened"


def close_issues(forge: Forge) -> str:
    """Close the open issues; returns what to print."""
    numbers = [number for number, body in forge.issues() if body.startswith(DRIFT)]
    when = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    for number in numbers:
        forge.close_issue(number, f"Resolved: [zones and files agree]({forge.job()}) since {when}.")
    closed = ", ".join(str(number) for number in numbers)
    return f"issues closed: {closed or 'none was open'}"


def forge_of_job() -> Forge:
    """The forge that runs this job. Raises Refused."""
    if os.environ.get("GITLAB_CI") == "true":
        return GitLab()
    return GitHub()


def failed(reason: str) -> int:
    """Print why the job stops; returns its exit status."""
    print(f"pipeline.py: {printable(reason)}", file=sys.stderr)
    return 1


def main(arguments: list[str]) -> int:
    """Run a command; returns the exit status."""
    commands = {"plans": get_plans, "note": show, "open": open_issue}
    try:
        match arguments:
            case ["-h" | "--help"]:
                print(__doc__)
            case ["close"]:
                print(printable(close_issues(forge_of_job())))
            case [("plans" | "note" | "open") as command, path]:
                print(printable(commands[command](forge_of_job(), Path(path))))
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except Refused as error:
        return failed(str(error))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return failed(f"unexpected answer: {type(error).__name__} {error}"[:300])
    except OSError as error:
        return failed(f"{error.filename or 'a file'}: {error.strerror or type(error).__name__}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
