# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stand-ins for the parts of the APIs of GitHub and GitLab that docs/examples/zone_in_git/pipeline.py uses.

Lists come in pages of two. What is asked without the token, or not as documented, is refused. A storage beside them has
the artifacts, and refuses who brings a token along, as storages do that know by the URL who asks.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlencode

from raw import RawServer, as_json, whole

TOKEN = "token-of-the-forge"
ME, OTHER = 7, 8
PAGE = 2
APPROVED = {
    "plans/example.com.json": "approved",
    "plans/report.md": "# DNS",
    "plans/report.html": "<html>",
}


def packed(files, method=zipfile.ZIP_DEFLATED):
    """An artifact."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as artifact:
        for name, text in files.items():
            artifact.writestr(name, text)
    return content.getvalue()


@dataclass
class Plan:
    """A job that has planned: for which commit, with which end, when, and what its artifact has.

    *says* is the number in the name of a run of GitHub. *kind* is that of a pipeline of GitLab: ``head``, ``merge`` or
    ``train``; *onto* what ``merge`` was merged with. *pipeline* is the one to which the job belongs, by default one of
    its own; *noted* when that has written its note: by default a minute after the plan, and None for never.
    """

    head: str = "deed"
    files: Mapping[str, str | bytes] = field(default_factory=APPROVED.copy)
    at: int = 10
    ended: str = "success"
    job: str = ""
    gone: bool = False
    of_fork: bool = False
    event: str = ""
    kind: str = "head"
    content: bytes = b""
    says: int = 3
    source: str = "change"
    onto: str = "ma1"
    pipeline: int = 0
    noted: int | None = 0

    def __post_init__(self):
        if self.noted == 0:
            self.noted = self.at + 1


@dataclass
class Merge:
    """A request that was merged as *commit*, or not; *moved* is the event that gave it another target."""

    commit: str = "c0ffee"
    head: str = "deed"
    at: int = 20
    number: int = 3
    way: str = "merge"
    branch: str = "main"
    merged: bool = True
    of_fork: bool = False
    source: str = "change"
    moved: str = ""


@dataclass
class Text:
    """A note or an issue."""

    number: int
    by: int
    body: str
    labels: Sequence[str] = ()
    is_open: bool = True
    title: str = ""
    notes: list[str] = field(default_factory=list)
    written: str = ""


def at(minute, second=0):
    """A time, as both tell it."""
    return f"2026-01-31T03:{minute:02}:{second:02}Z"


class Asked(NamedTuple):
    """What is asked: the words in the path that say of what, the query, and the body."""

    words: Sequence[str]
    query: Mapping[str, list[str]]
    body: Mapping[str, Any]

    @property
    def number(self):
        """Of what it is asked."""
        return int(self.words[0])


class Forge(RawServer):
    """What both are: requests, plans, notes and issues, and a server with one of the two APIs.

    *routes* are the calls, by method and path. What they return is a list, of which a page is shown, with the name of
    the list in that; or JSON, a status, or where else it is to be had. *longest* is the most characters of a text,
    *text* the field of an issue's, and *closed* what closes one.
    """

    def __init__(self):
        self.reset()
        super().__init__(self._judged)

    def reset(self):
        """Forget all."""
        self.merges = []
        self.plans = []
        self.notes = []
        self.issues = []
        self.head = "deed"
        self.is_open = True
        self.minute = 0
        self.storage = ""
        self.instead = None

    def _judged(self, request):
        path, _mark, query = request.path.partition("?")
        given = [request.headers.get(name) for name in ("Authorization", "Private-Token")]
        if path.startswith("/storage/"):
            plan = self.plans[int(path.rpartition("/")[2])]
            return (
                whole(b"", status="400 Two tellings")
                if any(given)
                else whole(plan.content or packed(plan.files))
            )
        if given != [f"Bearer {TOKEN}", None]:
            return whole(b'{"message": "401 Unauthorized"}', status="401 Unauthorized")
        if self.instead is not None:
            return self.instead
        for route, handler in self.routes.items():
            if found := re.fullmatch(route, f"{request.method} {path}"):
                asked = Asked(found.groups(), parse_qs(query), json.loads(request.body or b"{}"))
                return self._shown(path, asked.query, getattr(self, handler)(asked))
        return whole(b"{}", status="404 Not Found")

    def _shown(self, path, query, answer):
        if isinstance(answer, str):
            return whole(b"", f"Location: {answer}", status="302 Found")
        if isinstance(answer, int):
            return whole(b"{}", status=f"{answer} Not so")
        if isinstance(answer, dict):
            return as_json(answer)
        of, entries = answer if isinstance(answer, tuple) else ("", answer)
        assert query["per_page"] == ["100"]
        number = int(query.get("page", ["1"])[0])
        some = entries[(number - 1) * PAGE : number * PAGE]
        url = f"{self.url}{path}?{urlencode({**query, 'page': number + 1}, doseq=True)}"
        link = [f'Link: <{url}>; rel="next"'] if number * PAGE < len(entries) else []
        return whole(
            json.dumps({"total_count": len(entries), of: some} if of else some).encode(), *link
        )

    def artifact(self, number):
        """Where an artifact is."""
        return f"{self.storage or self.url}/storage/{number}"

    def add_note(self, asked):
        """A note of the request."""
        body = asked.body["body"]
        if len(body) > self.longest:
            return 422
        self.notes.append(Text(len(self.notes) + 1, ME, body, written=at(self.minute)))
        return {}

    def edit_note(self, asked):
        """Another text for a note."""
        note = self.notes[asked.number - 1]
        note.body, note.written = asked.body["body"], at(self.minute)
        return {}

    @staticmethod
    def as_note(one):
        """What both show alike of a note."""
        return {"id": one.number, "body": one.body, "updated_at": one.written or at(0)}

    def pipelines(self):
        """The jobs of each pipeline, by number, the oldest pipeline first."""
        found = {}
        for number, plan in enumerate(self.plans):
            found.setdefault(plan.pipeline or 100 + number, []).append(number)
        return found

    def first_plans(self):
        """The first plan of each pipeline, with its number."""
        return [(pipeline, self.plans[jobs[0]]) for pipeline, jobs in self.pipelines().items()]

    def add_issue(self, asked):
        """An issue."""
        issue, number = asked.body, len(self.issues) + 1
        labels = self.labels(issue["labels"])
        self.issues.append(Text(number, ME, issue[self.text], labels, title=issue["title"]))
        return {}

    def labels(self, given):
        """The labels of an issue that is to be made."""
        return given

    def edit_issue(self, asked):
        """Another text for an issue, or its end."""
        issue = self.issues[asked.number - 1]
        issue.body = asked.body.get(self.text, issue.body)
        issue.is_open = self.closed not in asked.body.items()
        return {}

    def add_last_word(self, asked):
        """A note of an issue."""
        self.issues[asked.number - 1].notes.append(asked.body["body"])
        return {}

    def open_issues(self):
        """The issues that are listed."""
        return [one for one in self.issues if one.is_open and "dns-drift" in one.labels]


ROUTES_OF_GITHUB = {
    r"GET /repos/us/zones/commits/\w+/pulls": "_pulls",
    r"GET /repos/us/zones/actions/workflows/dns.yml/runs": "_runs",
    r"GET /repos/us/zones/actions/runs/(\d+)/jobs": "_jobs",
    r"GET /repos/us/zones/actions/runs/(\d+)/artifacts": "_artifacts",
    r"GET /repos/us/zones/actions/artifacts/(\d+)/zip": "_artifact",
    r"GET /repos/us/zones/pulls": "_pulls_of_branch",
    r"GET /repos/us/zones/pulls/3": "_pull",
    r"GET /repos/us/zones/issues/(\d+)/events": "_events",
    r"GET /repos/us/zones/issues/3/comments": "_comments",
    r"POST /repos/us/zones/issues/3/comments": "add_note",
    r"PATCH /repos/us/zones/issues/comments/(\d+)": "edit_note",
    r"GET /repos/us/zones/issues": "_issues",
    r"POST /repos/us/zones/issues": "add_issue",
    r"PATCH /repos/us/zones/issues/(\d+)": "edit_issue",
    r"POST /repos/us/zones/issues/(\d+)/comments": "add_last_word",
}


class GitHub(Forge):
    """The REST API of GitHub."""

    name = "github"
    text = "body"
    longest = 65_536
    closed = ("state", "closed")
    job = "plan"
    event = "pull_request"
    routes = ROUTES_OF_GITHUB

    def environment(self, merge=None, pipeline=17):
        """The variables of a job: that which applies a merge, or one of the request that is open, in *pipeline*."""
        return {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": self.url,
            "GITHUB_SERVER_URL": "https://github.example.com",
            "GITHUB_REPOSITORY": "us/zones",
            "GITHUB_RUN_ID": str(pipeline),
            "GITHUB_SHA": merge.commit if merge else "feed",
            "GITHUB_REF": "refs/heads/main" if merge else "refs/pull/3/merge",
            "GITHUB_WORKFLOW_REF": "us/zones/.github/workflows/dns.yml@refs/heads/main",
            "GITHUB_TOKEN": TOKEN,
        }

    @staticmethod
    def _user(who):
        return {"login": "github-actions[bot]" if who == ME else "somebody", "id": who}

    def _pulls(self, _asked):
        # A commit is also of requests that have it among others, or that are merged elsewhere.
        return [self._as_pull(one) for one in self.merges]

    def _pulls_of_branch(self, asked):
        assert asked.query["state"] == ["all"]
        return [
            self._as_pull(one) for one in self.merges if asked.query["head"] == [f"us:{one.source}"]
        ]

    def _as_pull(self, one):
        return {
            "number": one.number,
            "merged_at": at(one.at) if one.merged else None,
            "merge_commit_sha": one.commit,
            "head": {"sha": one.head, "ref": one.source},
            "base": {"ref": one.branch},
        }

    def _events(self, asked):
        (one,) = (one for one in self.merges if one.number == asked.number)
        return [{"event": name} for name in ("labeled", "merged", "head_ref_deleted", one.moved)]

    def _runs(self, asked):
        runs = [
            {
                "id": pipeline,
                "head_sha": plan.head,
                "head_branch": plan.source,
                "display_title": f"DNS plan of number {plan.says}",
                "repository": {"id": 1},
                "head_repository": {"id": 2} if plan.of_fork else {"id": 1},
            }
            for pipeline, plan in self.first_plans()
            if asked.query["head_sha"] == [plan.head]
            and asked.query["event"] == [plan.event or self.event]
        ]
        return "workflow_runs", runs[::-1]

    def _jobs(self, asked):
        assert asked.query["filter"] == ["all"]
        jobs = []
        for plan in (self.plans[job] for job in self.pipelines()[asked.number]):
            times = {"started_at": at(plan.at), "completed_at": at(plan.at, 50)}
            conclusion = plan.ended or None
            jobs += [
                {"name": "comment", "conclusion": "success", **times},
                {"name": plan.job or self.job, "conclusion": conclusion, **times},
            ]
        return "jobs", jobs

    def _artifacts(self, asked):
        artifacts = [{"id": 999, "name": "plans", "expired": False, "created_at": at(55)}]
        for job in self.pipelines()[asked.number]:
            plan = self.plans[job]
            times = {"expired": plan.gone, "created_at": at(plan.at, 40)}
            artifacts.append({"id": job, "name": asked.query["name"][0], **times})
        return "artifacts", artifacts

    def _artifact(self, asked):
        return self.artifact(asked.number)

    def _pull(self, _asked):
        return {"head": {"sha": self.head}, "state": "open" if self.is_open else "closed"}

    def _comments(self, _asked):
        return [{**self.as_note(one), "user": self._user(one.by)} for one in self.notes]

    def _issues(self, asked):
        assert (asked.query["state"], asked.query["labels"]) == (["open"], ["dns-drift"])
        pull = {"number": 99, "user": self._user(ME), "body": "", "pull_request": {}}
        listed = [
            {"number": one.number, "user": self._user(one.by), "body": one.body}
            for one in self.open_issues()
        ]
        return [pull, *listed]


ROUTES_OF_GITLAB = {
    r"GET /api/v4/projects/1/repository/commits/\w+/merge_requests": "_of_commit",
    r"GET /api/v4/projects/1/repository/commits/merged-(\w+)-(\w+)": "_commit",
    r"GET /api/v4/projects/1/repository/merge_base": "_merge_base",
    r"GET /api/v4/projects/1/merge_requests/3/pipelines": "_pipelines",
    r"GET /api/v4/projects/1/pipelines/(\d+)/jobs": "_jobs",
    r"GET /api/v4/projects/1/jobs/(\d+)/artifacts": "_artifact",
    r"GET /api/v4/projects/1/merge_requests/3": "_merge_request",
    r"GET /api/v4/user": "_user",
    r"GET /api/v4/projects/1/merge_requests/3/notes": "_notes",
    r"POST /api/v4/projects/1/merge_requests/3/notes": "add_note",
    r"PUT /api/v4/projects/1/merge_requests/3/notes/(\d+)": "edit_note",
    r"GET /api/v4/projects/1/issues": "_issues",
    r"POST /api/v4/projects/1/issues": "add_issue",
    r"PUT /api/v4/projects/1/issues/(\d+)": "edit_issue",
    r"POST /api/v4/projects/1/issues/(\d+)/notes": "add_last_word",
}


class GitLab(Forge):
    """The REST API of GitLab, version 4."""

    name = "gitlab"
    text = "description"
    longest = 1_000_000
    closed = ("state_event", "close")
    job = "dns-plan"
    event = "merge_request_event"
    routes = ROUTES_OF_GITLAB

    def environment(self, merge=None, pipeline=17):
        """As GitHub's."""
        of_job = {"CI_COMMIT_SHA": merge.commit, "CI_COMMIT_BRANCH": "main"} if merge else {}
        return {
            "GITLAB_CI": "true",
            "CI_API_V4_URL": f"{self.url}/api/v4",
            "CI_PROJECT_ID": "1",
            "CI_PIPELINE_ID": str(pipeline),
            "CI_JOB_URL": "https://gitlab.example.com/us/zones/-/jobs/17",
            "ZONESMITH_GITLAB_TOKEN": TOKEN,
            **(of_job or {"CI_COMMIT_SHA": "deed", "CI_MERGE_REQUEST_IID": "3"}),
        }

    def _of_commit(self, _asked):
        return [
            {
                "iid": one.number,
                "state": "merged" if one.merged else "opened",
                "merged_at": at(one.at).replace("Z", ".250+00:00") if one.merged else None,
                "target_branch": one.branch,
                "source_branch": one.source,
                "source_project_id": 2 if one.of_fork else 1,
                "target_project_id": 1,
                "sha": one.commit if one.way == "fast-forward" else one.head,
                "squash_commit_sha": {"squash": one.commit, "squash and merge": "5005"}.get(
                    one.way
                ),
                "merge_commit_sha": one.commit
                if one.way in ("merge", "squash and merge")
                else None,
            }
            for one in self.merges
        ]

    def _commit(self, asked):
        return {"parent_ids": list(asked.words)}

    def _merge_base(self, asked):
        commit, branch = asked.query["refs[]"]
        assert branch == "main"
        return {"id": commit if commit == "ma1" else "0lder"}

    def _pipelines(self, _asked):
        pipelines = [
            {
                "id": number,
                "project_id": 2 if plan.of_fork else 1,
                "sha": plan.head if plan.kind == "head" else f"merged-{plan.onto}-{plan.head}",
                "ref": f"refs/merge-requests/3/{plan.kind}",
                "source": plan.event or self.event,
            }
            for number, plan in self.first_plans()
        ]
        return pipelines[::-1]

    def _jobs(self, asked):
        assert asked.query["include_retried"] == ["true"]
        jobs = []
        for number in self.pipelines()[asked.number]:
            plan = self.plans[number]
            ended = plan.ended or "running"
            jobs += [
                {"id": 999, "name": "dns-note", "status": "success", "finished_at": at(plan.at)},
                {
                    "id": number,
                    "name": plan.job or self.job,
                    "status": {"failure": "failed"}.get(ended, ended),
                    "finished_at": at(plan.at, 50) if plan.ended else None,
                },
            ]
        return jobs

    def _artifact(self, asked):
        return 404 if self.plans[asked.number].gone else self.artifact(asked.number)

    def _merge_request(self, _asked):
        return {"sha": self.head, "state": "opened" if self.is_open else "merged"}

    def _user(self, _asked):
        return {"id": ME}

    def _notes(self, _asked):
        notes = [{"id": 98, "author": {"id": ME}, "system": True, "body": "<!--"}]
        for one in self.notes:
            notes.append({**self.as_note(one), "author": {"id": one.by}, "system": False})
        return notes

    def _issues(self, asked):
        assert (asked.query["state"], asked.query["labels"]) == (["opened"], ["dns-drift"])
        return [
            {"iid": one.number, "author": {"id": one.by}, "description": one.body}
            for one in self.open_issues()
        ]

    def labels(self, given):
        """See Forge."""
        return given.split(",")
