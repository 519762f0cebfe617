# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stand-ins for the parts of the APIs of GitHub and GitLab that docs/examples/zone_in_git/pipeline.py uses.

Lists come in pages of two. What is asked without the token, or not as documented, is refused. A storage beside them has
the artifacts, and refuses who brings a token along, as storages do that know by the URL who asks.
"""

from __future__ import annotations

import asyncio
import io
import threading
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from aiohttp import web

TOKEN = "token-of-the-forge"
ME, OTHER = 7, 8
PAGE = 2


def packed(files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An artifact."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as artifact:
        for name, text in files.items():
            artifact.writestr(name, text)
    return content.getvalue()


@dataclass
class Plan:
    """A job that has planned: for which commit, with which end, when, and what its artifact has.

    *number* is the request's, *says* the one in the name of a run of GitHub. *kind* is that of a pipeline of GitLab:
    ``head``, ``merge`` or ``train``; *onto* what ``merge`` was merged with.
    """

    head: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    at: int = 10
    ended: str = "success"
    job: str = ""
    expired: bool = False
    gone: bool = False
    of_fork: bool = False
    fork_is_gone: bool = False
    event: str = ""
    kind: str = "head"
    content: bytes = b""
    number: int = 3
    says: int | None = 3
    source: str = "change"
    onto: str = "ma1"


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


def at(minute: int, second: int = 0) -> str:
    """A time, as both tell it."""
    return f"2026-01-31T03:{minute:02}:{second:02}Z"


class Forge(ABC):
    """What both are: requests, plans, notes and issues, and a server with one of the two APIs.

    *longest* is the most characters of a text, *text* the field of an issue's, and *closed* what closes one.
    """

    name = ""
    text = ""
    longest = 0
    closed: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        self.reset()
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.url = ""

    def reset(self) -> None:
        """Forget all."""
        self.merges: list[Merge] = []
        self.plans: list[Plan] = []
        self.notes: list[Text] = []
        self.issues: list[Text] = []
        self.head = "deed"
        self.calls: list[str] = []
        self.storage = ""
        self.odd: str | None = None

    def __enter__(self) -> Forge:
        self._thread.start()
        self._started.wait(30)
        return self

    def __exit__(self, *_error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._start())
        self._started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.close()

    async def _start(self) -> None:
        app = web.Application(middlewares=[self._judge], client_max_size=2**23)
        app.add_routes([web.get("/storage/{number}", self._stored)])
        self.add_routes(app)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    @abstractmethod
    def add_routes(self, app: web.Application) -> None:
        """The calls of the API."""

    @web.middleware
    async def _judge(self, request: web.Request, handler: Any) -> web.StreamResponse:
        self.calls.append(f"{request.method} {request.path}")
        given = request.headers.get("Authorization"), request.headers.get("Private-Token")
        if request.path.startswith("/storage/"):
            if any(given):
                return web.Response(status=400, text="two ways of telling who asks")
        elif given != (f"Bearer {TOKEN}", None):
            return web.json_response({"message": "401 Unauthorized"}, status=401)
        if self.odd is not None:
            return web.Response(text=self.odd, content_type="application/json")
        answer: web.StreamResponse = await handler(request)
        return answer

    async def _stored(self, request: web.Request) -> web.Response:
        plan = self.plans[int(request.match_info["number"])]
        return web.Response(body=plan.content or packed(plan.files))

    def artifact(self, number: int) -> web.Response:
        """Where an artifact is."""
        return web.Response(status=302, headers={"Location": f"{self.storage or self.url}/storage/{number}"})

    def page(self, request: web.Request, entries: Sequence[Any], of: str = "") -> web.Response:
        """A page of a list, with a link to the next."""
        assert request.query.get("per_page") == "100"
        number = int(request.query.get("page", "1"))
        some = [*entries][(number - 1) * PAGE : number * PAGE]
        headers = {}
        if number * PAGE < len(entries):
            headers["Link"] = f'<{self.url}{request.rel_url.update_query(page=str(number + 1))}>; rel="next"'
        return web.json_response({"total_count": len(entries), of: some} if of else some, headers=headers)

    async def add_note(self, request: web.Request) -> web.Response:
        """A note of the request, or of an issue."""
        body = (await request.json())["body"]
        if len(body) > self.longest:
            return web.json_response({"message": "it is too long"}, status=422)
        if "number" in request.match_info:
            self._issue(request).notes.append(body)
        else:
            self.notes.append(Text(len(self.notes) + 1, ME, body))
        return web.json_response({}, status=201)

    async def edit_note(self, request: web.Request) -> web.Response:
        """Another text for a note."""
        (note,) = (one for one in self.notes if one.number == int(request.match_info["number"]))
        note.body = (await request.json())["body"]
        return web.json_response({})

    async def add_issue(self, request: web.Request) -> web.Response:
        """An issue."""
        issue = await request.json()
        number, labels = len(self.issues) + 1, self.labels(issue)
        self.issues.append(Text(number, ME, issue[self.text], labels, title=issue["title"]))
        return web.json_response({}, status=201)

    @abstractmethod
    def labels(self, issue: Mapping[str, Any]) -> Sequence[str]:
        """The labels of an issue that is to be made."""

    def _issue(self, request: web.Request) -> Text:
        (issue,) = (one for one in self.issues if one.number == int(request.match_info["number"]))
        return issue

    async def edit_issue(self, request: web.Request) -> web.Response:
        """Another text for an issue, or its end."""
        issue, fields = self._issue(request), await request.json()
        issue.body = fields.get(self.text, issue.body)
        issue.is_open = not self.closed.items() <= fields.items()
        return web.json_response({})

    @abstractmethod
    def environment(self, merge: Merge | None = None) -> dict[str, str]:
        """The variables of a job: that which applies a merge, or one of the request that is open."""


class GitHub(Forge):
    """The REST API of GitHub."""

    name = "github"
    text = "body"
    longest = 65_536
    closed: ClassVar[Mapping[str, str]] = {"state": "closed"}
    job = "plan"
    event = "pull_request"

    def environment(self, merge: Merge | None = None) -> dict[str, str]:
        """See Forge."""
        return {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": self.url,
            "GITHUB_SERVER_URL": "https://github.example.com",
            "GITHUB_REPOSITORY": "us/zones",
            "GITHUB_RUN_ID": "17",
            "GITHUB_SHA": merge.commit if merge else "feed",
            "GITHUB_REF": "refs/heads/main" if merge else "refs/pull/3/merge",
            "GITHUB_WORKFLOW_REF": "us/zones/.github/workflows/dns.yml@refs/heads/main",
            "GITHUB_TOKEN": TOKEN,
        }

    def add_routes(self, app: web.Application) -> None:
        """See Forge."""
        repo = "/repos/us/zones"
        app.add_routes(
            [
                web.get(repo + "/commits/{commit}/pulls", self._pulls),
                web.get(repo + "/actions/workflows/dns.yml/runs", self._runs),
                web.get(repo + r"/actions/runs/{run:\d+}/jobs", self._jobs),
                web.get(repo + r"/actions/runs/{run:\d+}/artifacts", self._artifacts),
                web.get(repo + r"/actions/artifacts/{number:\d+}/zip", self._artifact),
                web.get(repo + "/pulls", self._pulls_of_branch),
                web.get(repo + "/pulls/3", self._pull),
                web.get(repo + r"/issues/{number:\d+}/events", self._events),
                web.get(repo + "/issues/3/comments", self._comments),
                web.post(repo + "/issues/3/comments", self.add_note),
                web.patch(repo + r"/issues/comments/{number:\d+}", self.edit_note),
                web.get(repo + "/issues", self._issues),
                web.post(repo + "/issues", self.add_issue),
                web.patch(repo + r"/issues/{number:\d+}", self.edit_issue),
                web.post(repo + r"/issues/{number:\d+}/comments", self.add_note),
            ]
        )

    @staticmethod
    def _user(who: int) -> dict[str, Any]:
        return {"login": "github-actions[bot]" if who == ME else "somebody", "id": who}

    async def _pulls(self, request: web.Request) -> web.Response:
        # A commit is also of requests that have it among others, or that are merged elsewhere.
        return self.page(request, [self._as_pull(one) for one in self.merges])

    async def _pulls_of_branch(self, request: web.Request) -> web.Response:
        assert request.query["state"] == "all"
        return self.page(
            request, [self._as_pull(one) for one in self.merges if request.query["head"] == f"us:{one.source}"]
        )

    def _as_pull(self, one: Merge) -> dict[str, Any]:
        return {
            "number": one.number,
            "merged_at": at(one.at) if one.merged else None,
            "merge_commit_sha": one.commit,
            "head": {"sha": one.head, "ref": one.source},
            "base": {"ref": one.branch},
        }

    async def _events(self, request: web.Request) -> web.Response:
        (one,) = (one for one in self.merges if one.number == int(request.match_info["number"]))
        return self.page(request, [{"event": name} for name in ("labeled", "merged", "head_ref_deleted", one.moved)])

    async def _runs(self, request: web.Request) -> web.Response:
        runs = [
            {
                "id": 100 + number,
                "head_sha": plan.head,
                "head_branch": plan.source,
                "display_title": f"DNS plan of number {plan.says}" if plan.says else "The title of a request",
                # Those that are open by now.
                "pull_requests": [],
                "repository": {"id": 1},
                "head_repository": None if plan.fork_is_gone else {"id": 2 if plan.of_fork else 1},
            }
            for number, plan in enumerate(self.plans)
            if plan.head == request.query["head_sha"] and (plan.event or self.event) == request.query["event"]
        ]
        return self.page(request, runs[::-1], "workflow_runs")

    def _plan(self, request: web.Request) -> tuple[int, Plan]:
        number = int(request.match_info["run"]) - 100
        return number, self.plans[number]

    async def _jobs(self, request: web.Request) -> web.Response:
        assert request.query["filter"] == "all"
        _number, plan = self._plan(request)
        times = {"started_at": at(plan.at), "completed_at": at(plan.at, 50)}
        jobs = [{"name": "comment", "conclusion": "success", **times}]
        jobs += [{"name": plan.job or self.job, "conclusion": plan.ended or None, **times}]
        return self.page(request, jobs, "jobs")

    async def _artifacts(self, request: web.Request) -> web.Response:
        number, plan = self._plan(request)
        artifact = {"id": number, "name": request.query["name"], "expired": plan.expired, "created_at": at(plan.at, 40)}
        of_another_try = {**artifact, "id": 999, "created_at": at(plan.at + 30)}
        return self.page(request, [of_another_try, artifact], "artifacts")

    async def _artifact(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        return web.Response(status=410) if self.plans[number].gone else self.artifact(number)

    async def _pull(self, _request: web.Request) -> web.Response:
        return web.json_response({"head": {"sha": self.head}})

    async def _comments(self, request: web.Request) -> web.Response:
        return self.page(
            request, [{"id": one.number, "user": self._user(one.by), "body": one.body} for one in self.notes]
        )

    async def _issues(self, request: web.Request) -> web.Response:
        assert (request.query["state"], request.query["labels"]) == ("open", "dns-drift")
        listed = [
            {"number": one.number, "user": self._user(one.by), "body": one.body}
            for one in self.issues
            if one.is_open and "dns-drift" in one.labels
        ]
        return self.page(request, [{"number": 99, "user": self._user(ME), "body": "", "pull_request": {}}, *listed])

    def labels(self, issue: Mapping[str, Any]) -> Sequence[str]:
        """See Forge."""
        return tuple(issue["labels"])


class GitLab(Forge):
    """The REST API of GitLab, version 4."""

    name = "gitlab"
    text = "description"
    longest = 1_000_000
    closed: ClassVar[Mapping[str, str]] = {"state_event": "close"}
    job = "dns-plan"
    event = "merge_request_event"

    def environment(self, merge: Merge | None = None) -> dict[str, str]:
        """See Forge."""
        of_job = {"CI_COMMIT_SHA": merge.commit, "CI_COMMIT_BRANCH": "main"} if merge else {}
        return {
            "GITLAB_CI": "true",
            "CI_API_V4_URL": f"{self.url}/api/v4",
            "CI_PROJECT_ID": "1",
            "CI_JOB_URL": "https://gitlab.example.com/us/zones/-/jobs/17",
            "ZONESMITH_GITLAB_TOKEN": TOKEN,
            **(of_job or {"CI_COMMIT_SHA": "deed", "CI_MERGE_REQUEST_IID": "3"}),
        }

    def add_routes(self, app: web.Application) -> None:
        """See Forge."""
        project = "/api/v4/projects/1"
        app.add_routes(
            [
                web.get(project + "/repository/commits/{commit}/merge_requests", self._of_commit),
                web.get(project + "/repository/commits/{commit}", self._commit),
                web.get(project + "/repository/merge_base", self._merge_base),
                web.get(project + "/merge_requests/3/pipelines", self._pipelines),
                web.get(project + r"/pipelines/{pipeline:\d+}/jobs", self._jobs),
                web.get(project + r"/jobs/{number:\d+}/artifacts", self._artifact),
                web.get(project + "/merge_requests/3", self._merge_request),
                web.get("/api/v4/user", self._user),
                web.get(project + "/merge_requests/3/notes", self._notes),
                web.post(project + "/merge_requests/3/notes", self.add_note),
                web.put(project + r"/merge_requests/3/notes/{number:\d+}", self.edit_note),
                web.get(project + "/issues", self._issues),
                web.post(project + "/issues", self.add_issue),
                web.put(project + r"/issues/{number:\d+}", self.edit_issue),
                web.post(project + r"/issues/{number:\d+}/notes", self.add_note),
            ]
        )

    async def _of_commit(self, request: web.Request) -> web.Response:
        return self.page(
            request,
            [
                {
                    "iid": one.number,
                    "state": "merged" if one.merged else "opened",
                    "merged_at": at(one.at).replace("Z", ".250+00:00") if one.merged else None,
                    "target_branch": one.branch,
                    "source_branch": one.source,
                    "source_project_id": 2 if one.of_fork else 1,
                    "target_project_id": 1,
                    "sha": one.commit if one.way == "fast-forward" else one.head,
                    "squash_commit_sha": {"squash": one.commit, "squash and merge": "5005"}.get(one.way),
                    "merge_commit_sha": one.commit if one.way in ("merge", "squash and merge") else None,
                }
                for one in self.merges
            ],
        )

    async def _commit(self, request: web.Request) -> web.Response:
        _merged, onto, head = request.match_info["commit"].split("-")
        return web.json_response({"parent_ids": [onto, head]})

    async def _merge_base(self, request: web.Request) -> web.Response:
        commit, branch = request.query.getall("refs[]")
        assert branch == "main"
        return web.json_response({"id": commit if commit == "ma1" else "0lder"})

    async def _pipelines(self, request: web.Request) -> web.Response:
        pipelines = [
            {
                "id": 100 + number,
                "project_id": 2 if plan.of_fork or plan.fork_is_gone else 1,
                "sha": plan.head if plan.kind == "head" else f"merged-{plan.onto}-{plan.head}",
                "ref": f"refs/merge-requests/{plan.number}/{plan.kind}",
                "source": plan.event or self.event,
            }
            for number, plan in enumerate(self.plans)
        ]
        return self.page(request, pipelines[::-1])

    async def _jobs(self, request: web.Request) -> web.Response:
        assert request.query["include_retried"] == "true"
        number = int(request.match_info["pipeline"]) - 100
        plan = self.plans[number]
        jobs = [{"id": 999, "name": "dns-note", "status": "success", "finished_at": at(plan.at, 55)}]
        ended = plan.ended or "running"
        jobs += [
            {
                "id": number,
                "name": plan.job or self.job,
                "status": {"failure": "failed"}.get(ended, ended),
                "finished_at": at(plan.at, 50) if plan.ended else None,
            }
        ]
        return self.page(request, jobs)

    async def _artifact(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        plan = self.plans[number]
        if plan.gone or plan.expired:
            return web.json_response({"message": "404 Not Found"}, status=404)
        return self.artifact(number)

    async def _merge_request(self, _request: web.Request) -> web.Response:
        return web.json_response({"sha": self.head})

    async def _user(self, _request: web.Request) -> web.Response:
        return web.json_response({"id": ME})

    async def _notes(self, request: web.Request) -> web.Response:
        notes = [{"id": one.number, "author": {"id": one.by}, "system": False, "body": one.body} for one in self.notes]
        return self.page(request, [{"id": 98, "author": {"id": ME}, "system": True, "body": "<!--"}, *notes])

    async def _issues(self, request: web.Request) -> web.Response:
        assert (request.query["state"], request.query["labels"]) == ("opened", "dns-drift")
        listed = [
            {"iid": one.number, "author": {"id": one.by}, "description": one.body}
            for one in self.issues
            if one.is_open and "dns-drift" in one.labels
        ]
        return self.page(request, listed)

    def labels(self, issue: Mapping[str, Any]) -> Sequence[str]:
        """See Forge."""
        return tuple(issue["labels"].split(","))
