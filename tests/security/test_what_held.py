# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Redirects, ~/.netrc, proxies and cookies: the token goes where the task says, as the task says it."""

import contextlib
from dataclasses import dataclass

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
BEHIND_PROXY = "https://192.0.2.1:8443"


@dataclass(frozen=True)
class Scene:
    """What the one run of ansible-playbook said, and whom it asked for what."""

    played: Played
    front: Front
    elsewhere: RawServer
    proxy: Proxy
    tunnelled: Service
    results: dict


def targets(front, elsewhere):
    """Where a redirect leads to."""
    port = elsewhere.url.rpartition(":")[2]
    return {
        "host": f"http://localhost:{port}/dns/domains/examplecom",
        "network": f"//127.0.0.1:{port}/dns/domains/examplecom",
        "user": f"http://{TOKEN}@127.0.0.1:{port}/",
        "https": f"https://127.0.0.1:{port}/dns/domains/examplecom",
        "file": "file:///etc/passwd",
        "same": f"{front.url}/landed/dns/domains/examplecom",
    }


def options(case, base_url, **more):
    """A task that reads, and sends a POST or a DELETE where the case's name tells so."""
    deletes = case.startswith("DELETE")
    return {
        "case": case,
        "base_url": base_url,
        "state": "absent" if deletes else "present",
        "name": "old" if deletes else case,
        **more,
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
        certificate = authority.certificate("tunnelled", address="192.0.2.1")
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
        cases = [options(case, f"{front.url}/{case}") for case in (*locations, "cookies")]
        at_home = front.url.replace("127.0.0.1", "LOCALHOST")
        cases += [
            options("localhost", f"{at_home}/localhost"),
            options("tunnelled", BEHIND_PROXY, ca_path=str(authority.bundle)),
            options("untrusted", BEHIND_PROXY),
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
    return {
        **service.environment(folder / "state"),
        **dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), proxy.url),
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
    assert len(redirected) == len(STATUSES) + 5
    for case, result in redirected.items():
        assert result["changed"] is False, case
        assert "points to " in result["msg"], case
        assert scene.front.of(case).count(method) == 1, case
    assert scene.elsewhere.requests == []
    assert scene.front.of("landed") == []


def test_netrc_does_not_replace_the_token(scene, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text(NETRC, encoding="ascii")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert requests.utils.get_netrc_auth(scene.front.url) == ("netrc", "netrc"), "it is one"
    sent = {request.headers["Authorization"] for request in scene.front.requests}
    assert sent == {f"Bearer {TOKEN}"}


def test_a_cookie_is_sent_back_to_nobody(scene):
    assert scene.results["cookies"]["changed"] is True, scene.results["cookies"]
    assert scene.front.of("cookies") == ["GET", "POST", "GET"]
    assert not any("Cookie" in request.headers for request in scene.front.requests)


def test_a_proxy_sees_nothing_that_goes_to_this_machine(scene):
    assert scene.results["localhost"]["changed"] is True, scene.results["localhost"]
    asked = [heard.partition(b" HTTP/1")[0] for heard in scene.proxy.heard if b" HTTP/1" in heard]
    assert set(asked) == {b"CONNECT 192.0.2.1:8443"}


def test_a_proxy_between_sees_no_token(scene):
    assert scene.results["tunnelled"]["changed"] is True, scene.results["tunnelled"]
    assert all(entry["authorized"] for entry in scene.tunnelled.log())
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
