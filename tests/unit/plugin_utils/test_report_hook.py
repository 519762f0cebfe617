# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The webhook of the report: where it may lead, what it is sent, and what comes of one that does not answer."""

import json
import socket
import threading
from types import SimpleNamespace

import pytest
from ansible import context
from ansible.plugins.callback import CallbackBase
from reported import FINE, REFUSED, change, ended, view_after
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.callback.report import CallbackModule
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import (
    InvalidConnection,
    checked_url,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report import hook as report_hook
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.hook import (
    as_line,
    links_of,
    send,
)

SECRET = "what-nobody-may-see"
PATH = f"/hooks/{SECRET}?sig={SECRET}"

# Each: the URL, and what is wrong with it.
URLS = {
    "a hook of a chat": (f" https://chat.example.com/hooks/{SECRET} ", ""),
    "this machine": ("http://127.0.0.1:5000/dns", ""),
    "plain http": (
        f"http://chat.example.com/{SECRET}",
        "on the network path to chat.example.com: use https",
    ),
    "a user": (f"https://me:{SECRET}@chat.example.com/", "a user or password"),
    "a user that looks like the host": (
        f"http://127.0.0.1:80@chat.example.com/{SECRET}",
        "a user or password",
    ),
    "another scheme": (f"file:///etc/{SECRET}", "hook is not a URL"),
    "a backslash": (f"https://chat.example.com\\@{SECRET}/", "not a URL"),
}


@named_rows("url, wrong", URLS)
def test_where_a_hook_may_lead(url, wrong):
    if not wrong:
        assert checked_url(url.strip(), "hook").netloc
        return
    with pytest.raises(InvalidConnection) as refused:
        checked_url(url.strip(), "hook")
    assert wrong in str(refused.value)
    assert SECRET not in str(refused.value)


SERVER = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_REPOSITORY": "us/zones",
}
GITLAB = {
    "GITLAB_CI": "true",
    "CI_JOB_URL": "https://gitlab.example.com/us/zones/-/jobs/7",
    "CI_COMMIT_SHA": "c0ffee",
}
LINKS = {
    "GitHub": (
        {**SERVER, "GITHUB_RUN_ID": "17", "GITHUB_SHA": "c0ffee"},
        {
            "job": "https://github.com/us/zones/actions/runs/17",
            "commit": "https://github.com/us/zones/commit/c0ffee",
        },
    ),
    "GitLab": (
        {**GITLAB, "CI_PROJECT_URL": "https://gitlab.example.com/us/zones"},
        {
            "job": GITLAB["CI_JOB_URL"],
            "commit": "https://gitlab.example.com/us/zones/-/commit/c0ffee",
        },
    ),
    "Jenkins": (
        {"BUILD_URL": "https://ci.example.com/job/dns/5/"},
        {"job": "https://ci.example.com/job/dns/5/"},
    ),
    "no link": ({"BUILD_URL": "javascript:alert(1)"}, {}),
}


@named_rows("environment, links", LINKS)
def test_links(environment, links):
    assert links_of(environment) == links


VALUE = {"ttl": 300, "contents": ["192.0.2.77"]}
FINDING = {"rule": "spf", "severity": "error", "name": "b.example.", "type": "TXT"}
FINDING |= {"message": "192.0.2.77 is wrong", "source": "RFC 7208"}
RUN = [
    ended({**FINE, "zone": "a.example"}),
    ended({**FINE, "zone": "b.example", "findings": [FINDING], "warnings": ["192.0.2.77"]}),
    ended({**FINE, "zone": "c.example", "changes": [change(after=VALUE)] * 2}),
    ended({**REFUSED, "zone": "d.example", "msg": "192.0.2.77 was refused."}, failed=True),
    ended({"msg": "192.0.2.77"}, failed=True, zone=None),
]


def test_the_line_has_counts_zones_and_links_and_no_values():
    line = as_line(view_after(*RUN), {"job": "https://ci.example.com/5"})
    assert line.find("\n") == len(line) - 1
    assert "192.0.2.77" not in line
    sent = json.loads(line)
    assert sent["text"] == (
        "DNS: 2 failed (1 without a zone), 1 changed, 2 unchanged https://ci.example.com/5"
    )
    assert sent["zones"] == [
        {"zone": "d.example", "state": "failed", "changes": 0, "rebuilt": 0, "findings": 0},
        {"zone": "c.example", "state": "changed", "changes": 2, "rebuilt": 0, "findings": 0},
        {"zone": "b.example", "state": "unchanged", "changes": 0, "rebuilt": 0, "findings": 1},
    ]
    assert sent["links"] == {"job": "https://ci.example.com/5"}
    assert sent["counts"]["zones"] == 4


def test_many_zones_are_counted():
    names = [f"z{number:03}.example" for number in range(502)]
    results = [{**FINE, "zone": name, "changes": [change()]} for name in names]
    sent = json.loads(as_line(view_after(ended({"zones": results})), {}))
    assert [zone["zone"] for zone in sent["zones"]] == names[:500]
    assert sent["zones_left_out"] == 2


ANSWERS = {
    "it is taken": (200, {}, ""),
    "it is taken without a word": (204, {}, ""),
    "it is elsewhere": (307, {"Location": f"/elsewhere/{SECRET}"}, "it answered 307"),
    "it asks who is there": (401, {"WWW_Authenticate": "Basic"}, "it answered 401"),
}


@named_rows("status, headers, said", ANSWERS)
def test_one_request_is_sent_and_nothing_of_it_is_told(
    recorder, tmp_path, monkeypatch, status, headers, said
):
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine 127.0.0.1 login me password {SECRET}\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    recorder.answers(b"", status, **headers)
    trouble = send(f"{recorder.url}{PATH}", '{"text": "DNS"}\n')
    told = f"the hook at {recorder.url} was not notified of this run: {said}"
    assert trouble == (told if said else "")
    (sent,) = recorder.requests
    assert (sent.method, sent.path, sent.body) == ("POST", PATH, b'{"text": "DNS"}\n')
    assert sent.headers["Content-Type"] == "application/json"
    assert "Authorization" not in sent.headers


def test_a_hook_that_is_not_there_or_never_answers(monkeypatch):
    monkeypatch.setattr(report_hook, "SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"http://127.0.0.1:{silent.getsockname()[1]}"
        trouble = send(f"{place}/{SECRET}", "{}\n")
    # The time-out of the request or that of the thread comes first.
    assert trouble.startswith(f"the hook at {place} was not notified of this run: it ")
    assert trouble.endswith("did not answer within 0.3 seconds")
    assert send(f"{place}/{SECRET}", "{}\n").endswith(
        "it cannot be reached, or did not answer within 0.3 seconds"
    )


def test_a_name_that_is_looked_up_for_ever(monkeypatch):
    """Which no time-out of sockets ends."""
    over = threading.Event()
    monkeypatch.setattr(report_hook, "SECONDS", 0.1)

    def look_up(*_arguments, **_options):
        over.wait(60)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    trouble = send(f"https://chat.example.com/{SECRET}", "{}\n")
    over.set()
    assert trouble.endswith("it did not answer within 0.1 seconds")


def test_a_python_that_ends_begins_no_thread(recorder, monkeypatch):
    def refuse():
        raise RuntimeError("can't create new thread at interpreter shutdown")

    thread = SimpleNamespace(start=refuse)
    threads = SimpleNamespace(Thread=lambda **_options: thread)
    monkeypatch.setattr(report_hook, "threading", threads)
    assert send(recorder.url, "{}\n") == ""
    assert len(recorder.requests) == 1


@pytest.fixture
def callback(monkeypatch):
    """Makes the callback for a hook and a number of playbooks; what it does at the end, and what it warns of."""
    at_exit, warned = [], []
    monkeypatch.setattr("atexit.register", at_exit.append)

    def callback(hook, playbooks):
        options = {"output": [], "hook": hook}
        monkeypatch.setattr(CallbackBase, "set_options", lambda *_arguments, **_options: None)
        monkeypatch.setattr(
            CallbackBase, "get_option", lambda _self, name: options[name], raising=False
        )
        monkeypatch.setattr(context, "CLIARGS", {"args": ("zones.yml",) * playbooks})
        made = CallbackModule(display=SimpleNamespace(warning=warned.append, verbosity=0))
        made.set_options()
        return made, at_exit, warned

    return callback


PLAYBOOK = SimpleNamespace(_file_name="zones.yml", get_plays=list)


def test_several_playbooks_are_one_run(recorder, callback):
    made, at_exit, warned = callback(recorder.url, 2)
    assert made.disabled is False
    for _playbook in range(2):
        assert recorder.requests == []
        made.v2_playbook_on_start(PLAYBOOK)
        made.v2_playbook_on_stats(None)
    at_exit[0]()
    assert (len(recorder.requests), warned) == (1, [])


def test_a_run_that_ends_early_is_told_too(recorder, callback):
    """With Ctrl-C, or where the first of two playbooks fails."""
    made, at_exit, _warned = callback(recorder.url, 1)
    made.v2_playbook_on_start(PLAYBOOK)
    at_exit[0]()
    assert json.loads(recorder.requests[0].body)["complete"] is False


def test_a_hook_that_may_not_be_used_is_a_warning(callback):
    made, _at_exit, (warning,) = callback(f"http://chat.example.com/{SECRET}", 1)
    assert made.disabled is True
    assert warning.startswith(
        "zonesmith.dns.report: the hook was not notified of this run: hook is plain http, which would "
    )
    assert warning.endswith(": use https")
