# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Redirects, ~/.netrc, proxies and cookies: the token goes where the task says, as the task says it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

import pytest
import requests
from certificates import Authority
from in_front import Front, Proxy, case_of
from playing import Played, play
from raw import RawServer, whole
from running import Service

pytestmark = pytest.mark.any_core

TOKEN = "token-that-nobody-may-see"
ZONE = "example.com"
METHODS = ("GET", "POST", "DELETE")
STATUSES = (301, 302, 303, 307, 308)
NETRC = "machine 127.0.0.1 login netrc password netrc\ndefault login other password other\n"
COOKIES = [
    "Set-Cookie: session=stolen; Path=/",
    "Set-Cookie: wide=stolen; Path=/; Domain=127.0.0.1",
    "Set-Cookie: wider=stolen; Path=/; Domain=.example",
]
BEHIND_PROXY = "192.0.2.1"


@dataclass(frozen=True)
class Scene:
    """What the one run of ansible-playbook said, and whom it asked for what."""

    played: Played
    front: Front
    elsewhere: RawServer
    proxy: Proxy
    tunnelled: Service
    results: dict[str, dict[str, Any]]


def targets(front, elsewhere):
    """Where a redirect leads to."""
    port = elsewhere.url.rpartition(":")[2]
    return {
        "host": f"http://localhost:{port}/dns/domains/examplecom",
        "port": f"{elsewhere.url}/dns/domains/examplecom",
        "network": f"//127.0.0.1:{port}/dns/domains/examplecom",
        "user": f"http://{TOKEN}@127.0.0.1:{port}/",
        "https": f"https://127.0.0.1:{port}/dns/domains/examplecom",
        "file": "file:///etc/passwd",
        "same": f"{front.url}/landed/dns/domains/examplecom",
        "relative": "/landed/dns/domains/examplecom",
    }


def options(case, base_url):
    """A task that reads, and sends a POST or a DELETE where the case's name tells so."""
    state = "absent" if "DELETE" in case else "present"
    return {
        "case": case,
        "base_url": f"{base_url}/{case}",
        "state": state,
        "name": "old" if state == "absent" else case,
    }


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """All tasks of this file, run."""
    folder = tmp_path_factory.mktemp("held")
    (folder / ".netrc").write_text(NETRC, encoding="ascii")
    (folder / ".netrc").chmod(0o600)
    authority = Authority(folder)
    locations = {}

    def redirecting(request):
        case = case_of(request)
        if case.count("-") != 2 or case.partition("-")[0] != request.method:
            return None
        status, location = locations[case]
        return whole(b"", f"Location: {location}", *COOKIES, status=f"{status} Elsewhere")

    with contextlib.ExitStack() as stack:
        enter = stack.enter_context
        service = enter(Service(token=TOKEN))
        certificate = authority.certificate("tunnelled", address=BEHIND_PROXY)
        tunnelled = enter(Service("--tls-cert", str(certificate), zones=[ZONE], token=TOKEN))
        service.zone(ZONE, [("old", "A", 300, ["192.0.2.1"])])
        front = enter(Front(service.url, redirecting, COOKIES))
        elsewhere = enter(RawServer(lambda _request: whole(b"{}", status="404 Not Found")))
        proxy = enter(Proxy(("127.0.0.1", int(tunnelled.url.rpartition(":")[2]))))
        to = targets(front, elsewhere)
        locations |= {
            f"{method}-{name}-{status}": (status, location)
            for method in METHODS
            for name, location in to.items()
            for status in (STATUSES if name == "host" else (307,))
        }
        cases = [options(case, front.url) for case in locations]
        cases += [options(case, front.url) for case in ("cookies", "more")]
        cases += [options("localhost", front.url.replace("127.0.0.1", "LOCALHOST"))]
        through = {
            **options("tunnelled", f"https://{BEHIND_PROXY}"),
            "base_url": f"https://{BEHIND_PROXY}:8443",
        }
        cases += [
            {**through, "ca_path": str(authority.bundle)},
            {**through, "case": "untrusted", "name": "untrusted"},
        ]
        played = play(
            _plays(cases), {"all": {"hosts": {"here": {}}}}, _environment(service, folder, proxy)
        )
        results = {}
        assert "here" in played.results, played.output
        for task in played.results["here"]["results"]:
            results[task["item"]["case"]] = task
        yield Scene(played, front, elsewhere, proxy, tunnelled, results)


def _plays(cases):
    names = ("base_url", "name", "state", "ca_path")
    task = {
        "name": "Every case",
        "zonesmith.dns.dns_record": {
            **{name: f"{{{{ item.{name} | default(omit) }}}}" for name in names},
            "zone": ZONE,
            "type": "A",
            "content": ["192.0.2.1"],
            "retries": 0,
        },
        "loop": cases,
        "loop_control": {"label": "{{ item.case }}"},
        "ignore_errors": True,
    }
    return [{"name": "Play", "hosts": "all", "gather_facts": False, "tasks": [task]}]


def _environment(service, folder, proxy):
    proxies = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
    return {
        **service.environment(folder / "state"),
        **dict.fromkeys(proxies, proxy.url),
        "no_proxy": "",
        "NO_PROXY": "",
        "HOME": str(folder),
        "NETRC": str(folder / ".netrc"),
    }


@pytest.mark.parametrize("method", METHODS)
def test_a_redirect_is_followed_nowhere(scene, method):
    redirected = {
        case: result for case, result in scene.results.items() if case.startswith(f"{method}-")
    }
    assert len(redirected) == len(STATUSES) + 7
    for case, result in redirected.items():
        assert result["changed"] is False, case
        assert "points to " in result["msg"], case
        assert scene.front.of(case).count(method) == 1, case
    assert scene.elsewhere.requests == []
    assert scene.front.of("landed") == []


def test_netrc_does_not_replace_the_token(scene, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text(NETRC, encoding="ascii")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert requests.utils.get_netrc_auth(scene.front.url) == ("netrc", "netrc"), (
        "the file is one that requests takes"
    )
    assert len(scene.front.requests) > 40
    assert {request.headers["Authorization"] for request in scene.front.requests} == {
        f"Bearer {TOKEN}"
    }


def test_a_cookie_is_sent_back_to_nobody(scene):
    for case in ("cookies", "more"):
        assert scene.results[case]["changed"] is True, scene.results[case]
        assert scene.front.of(case) == ["GET", "POST", "GET"]
    assert not any("Cookie" in request.headers for request in scene.front.requests)


def test_a_proxy_sees_nothing_that_goes_to_this_machine(scene):
    assert scene.results["localhost"]["changed"] is True, scene.results["localhost"]
    lines = [line for heard in scene.proxy.heard for line in heard.split(b"\r\n")]
    asked = {
        line.rpartition(b" ")[0] for line in lines if line.endswith((b" HTTP/1.0", b" HTTP/1.1"))
    }
    assert asked == {f"CONNECT {BEHIND_PROXY}:8443".encode()}


def test_a_proxy_between_sees_no_token(scene):
    assert scene.results["tunnelled"]["changed"] is True, scene.results["tunnelled"]
    assert all(entry["authorized"] for entry in scene.tunnelled.log())
    assert len(scene.proxy.heard) > 2
    heard = b"".join(scene.proxy.heard)
    assert TOKEN.encode() not in heard
    assert b"Bearer" not in heard


def test_a_proxy_that_answers_in_place_of_the_service_gets_no_token(scene):
    assert "certificate verify failed" in scene.results["untrusted"]["msg"]
    reading = "GET /dns/domains/examplecom"
    assert scene.tunnelled.calls() == [reading, "POST tunnelled A 192.0.2.1", reading]


def test_nothing_of_it_shows_the_token(scene):
    assert TOKEN not in scene.played.output
    assert TOKEN not in str(scene.results)
