# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The client over real HTTP: the four calls to the letter, what is not sent, what is tried again, what is believed."""

from __future__ import annotations

import base64
import dataclasses
import datetime
import email.utils
import gzip
import html
import ipaddress
import json
import pathlib
import re
import socket
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from requests.adapters import HTTPAdapter
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client, LiveZone, near_names
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._api.sender import USER_AGENT, Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key

TOKEN = "token-that-nobody-may-see"
ZONE = "/dns/domains/examplecom"
RECORDS = f"{ZONE}/records"
A_VALUE = {"name": "www", "type": "A", "content": "192.0.2.1", "ttl": 300}
MX_VALUE = {"name": "@", "type": "MX", "content": "mail.example.net.", "ttl": 300, "priority": 10}
EMPTY_ZONE = {"status": "Success", "message": "OK", "data": {"records": []}}

Connect = Callable[..., Client]


def never() -> bool:
    """An ``is_there`` that must not be asked."""
    raise AssertionError("the zone must not be read again here")


def get(client: Client) -> None:
    client.read_record_sets("examplecom")


def post(client: Client, is_there: Callable[[], bool] = never) -> None:
    client.create_value("examplecom", A_VALUE, is_there)


def delete(client: Client, is_gone: Callable[[], bool] = never) -> bool:
    return client.delete_record_set("examplecom", "www.example.com.", "A", is_gone)


CALLS = {"GET": get, "POST": post, "DELETE": delete}


def reason(call: Callable[..., Any], *arguments: Any) -> str:
    """What a call that must fail says."""
    with pytest.raises(ServiceError) as failed:
        call(*arguments)
    return str(failed.value)


# The four calls (spec 4)


@pytest.mark.parametrize(
    ("call", "method", "path", "body"),
    [
        (lambda client: client.list_zones(), "GET", "/dns/domains", None),
        (lambda client: client.read_record_sets("examplecom"), "GET", "/dns/domains/examplecom", None),
        (lambda client: client.create_value("examplecom", A_VALUE, never), "POST", RECORDS, A_VALUE),
        (lambda client: client.create_value("examplecom", MX_VALUE, never), "POST", RECORDS, MX_VALUE),
        (delete, "DELETE", f"{RECORDS}?name=www.example.com.&type=A", None),
    ],
)
@pytest.mark.parametrize("base_path", ["", "/", "/api/v1", "/api/v1/"])
def test_a_call_is_sent_as_specified(
    connect: Connect, recorder: Any, base_path: str, call: Any, method: str, path: str, body: Any
) -> None:
    recorder.answers(json.dumps({**EMPTY_ZONE, "data": [] if path.endswith("domains") else {"records": []}}).encode())
    call(connect(base_url=recorder.url + base_path, access_token="abc.DEF-1_2~3+4/5="))
    (request,) = recorder.requests
    assert request.method == method
    assert request.path == base_path.rstrip("/") + path
    assert request.headers["Authorization"] == "Bearer abc.DEF-1_2~3+4/5="
    assert request.headers["Accept"] == "application/json"
    assert request.headers.get("Content-Type") == (None if body is None else "application/json")
    assert request.body == b"" if body is None else json.loads(request.body) == body


@pytest.mark.parametrize(
    ("slug", "path"),
    [
        ("examplecom", "/dns/domains/examplecom"),
        ("a/b", "/dns/domains/a%2Fb"),
        ("../zones", "/dns/domains/..%2Fzones"),
        ("a b?c#d%2f&e", "/dns/domains/a%20b%3Fc%23d%252f%26e"),
        ("bücher", "/dns/domains/b%C3%BCcher"),
    ],
)
def test_a_slug_stays_one_segment_of_the_path(connect: Connect, recorder: Any, slug: str, path: str) -> None:
    connect(base_url=recorder.url).read_record_sets(slug)
    assert [request.path for request in recorder.requests] == [path]


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("*.example.com.", "name=%2A.example.com.&type=TXT"),
        ("_dmarc.example.com.", "name=_dmarc.example.com.&type=TXT"),
        (r"a\.b.example.com.", "name=a%5C.b.example.com.&type=TXT"),
        ("a&b=c+d#.example.com.", "name=a%26b%3Dc%2Bd%23.example.com.&type=TXT"),
    ],
)
def test_a_name_stays_one_parameter_of_the_query(connect: Connect, recorder: Any, name: str, query: str) -> None:
    connect(base_url=recorder.url).delete_record_set("examplecom", name, "TXT", never)
    assert [request.path for request in recorder.requests] == [f"{RECORDS}?{query}"]


def test_the_calls_of_one_client_share_a_connection(connect: Connect, service: Service) -> None:
    client = connect()
    client.read_zone("example.com.")
    post(client)
    delete(client)
    assert len({entry["connection"] for entry in service.log()}) == 1


@pytest.mark.parametrize("connections", [1, 8, 32])
def test_as_many_connections_are_kept_as_are_asked_for(connections: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    make = requests.adapters.HTTPAdapter.init_poolmanager

    def watched(adapter: Any, pools: int, size: int, *rest: Any, **options: Any) -> None:
        kept.append(size)
        make(adapter, pools, size, *rest, **options)

    monkeypatch.setattr(requests.adapters.HTTPAdapter, "init_poolmanager", watched)
    Client(Connection("https://dns.example.com", TOKEN), connections)
    assert kept[-1] == connections
    Client(Connection("https://dns.example.com", TOKEN))
    assert kept[-1] == 1


def test_a_zone_is_read_as_the_service_shows_it(connect: Connect, recorder: Any) -> None:
    rows = [
        {"name": "WWW.Example.COM", "type": "a", "ttl": 300, "contents": ["192.0.2.1"], "comment": "unknown field"},
        {"name": "www.example.com.", "type": "A", "ttl": 60, "contents": ["192.0.2.2"]},
        {"name": "empty.example.com.", "type": "X-NEW", "ttl": 0, "contents": []},
    ]
    recorder.answers(json.dumps({**EMPTY_ZONE, "data": {"records": rows, "id": 1}, "version": 2}).encode())
    record_sets = connect(base_url=recorder.url).read_record_sets("examplecom")
    assert [record_set.as_result() for record_set in record_sets.values()] == [
        {"name": "www.example.com.", "type": "A", "ttl": 60, "contents": ["192.0.2.1", "192.0.2.2"]},
        {"name": "empty.example.com.", "type": "X-NEW", "ttl": 0, "contents": []},
    ]
    assert [record_set.higher_ttls for record_set in record_sets.values()] == [(("192.0.2.1", 300),), ()]


def test_a_type_by_its_number_is_the_type(connect: Connect, recorder: Any) -> None:
    rows = [
        {"name": "example.com.", "type": "TYPE6", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]},
        {"name": "example.com.", "type": "type65", "ttl": 300, "contents": ["1 . alpn=h2"]},
        {"name": "example.com.", "type": "HTTPS", "ttl": 300, "contents": ["2 ."]},
        {"name": "www.example.com.", "type": "TYPE65534", "ttl": 300, "contents": ["\\# 1 00"]},
    ]
    recorder.answers(json.dumps({**EMPTY_ZONE, "data": {"records": rows}}).encode())
    live = connect(base_url=recorder.url).read_zone("example.com.")
    assert {(name, rdtype): live.shown_type(Key(name, rdtype)) for name, rdtype in live.record_sets} == {
        ("example.com.", "SOA"): "TYPE6",
        ("example.com.", "HTTPS"): "TYPE65",
        ("www.example.com.", "TYPE65534"): "TYPE65534",
    }
    assert live.record_sets[Key("example.com.", "HTTPS")].values == ("1 . alpn=h2", "2 .")
    assert live.shown_type(Key("not.there.", "A")) == "A"


def test_two_readings_that_show_the_same_are_the_same() -> None:
    first, second = (LiveZone("example.com.", "examplecom", {}) for _reading in range(2))
    assert first.read_at <= second.read_at
    object.__setattr__(second, "read_at", first.read_at + 9)
    assert first == second


# What must not be sent


def test_netrc_cannot_replace_the_token(connect: Connect, recorder: Any, home: pathlib.Path) -> None:
    (home / ".netrc").write_text("machine 127.0.0.1 login somebody password else\n", encoding="utf-8")
    assert requests.utils.get_netrc_auth(recorder.url) == ("somebody", "else")
    get(connect(base_url=recorder.url, access_token="mine"))
    assert recorder.requests[0].headers["Authorization"] == "Bearer mine"


def test_a_request_says_what_it_must_and_no_more(connect: Connect, recorder: Any) -> None:
    recorder.answers(b'{"status": "Success"}')
    client = connect(base_url=f"{recorder.url}/api/~v1/")
    client.create_value("a/b ~%é", {**A_VALUE, "content": "é"}, never)
    client.delete_record_set("examplecom", "*.a+b&c d~é.example.com.", "A", never)
    recorder.answers(json.dumps(EMPTY_ZONE).encode())
    get(client)
    get(connect(base_url=recorder.url))
    post, delete, *gets = recorder.requests
    body = b'{"name": "www", "type": "A", "content": "\\u00e9", "ttl": 300}'
    of_all = {
        "Host": recorder.url.removeprefix("http://"),
        "User-Agent": USER_AGENT,
        "Accept-Encoding": "gzip",
        "Accept": "application/json",
        "Connection": "keep-alive",
        "Authorization": f"Bearer {TOKEN}",
    }
    assert (post.method, post.path, post.body) == ("POST", "/api/~v1/dns/domains/a%2Fb%20~%25%C3%A9/records", body)
    assert post.headers == {**of_all, "Content-Type": "application/json", "Content-Length": str(len(body))}
    assert (delete.method, delete.path, delete.body) == (
        "DELETE",
        "/api/~v1/dns/domains/examplecom/records?name=%2A.a%2Bb%26c+d~%C3%A9.example.com.&type=A",
        b"",
    )
    assert delete.headers == {**of_all, "Content-Length": "0"}
    assert [(one.path, one.headers) for one in gets] == [(f"/api/~v1{ZONE}", of_all), (ZONE, of_all)]


def test_the_environment_is_looked_at_once(connect: Connect, recorder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    merge = requests.Session.merge_environment_settings

    def look(session: requests.Session, *settings: Any) -> Any:
        looks.append(settings)
        return merge(session, *settings)

    monkeypatch.setattr(requests.Session, "merge_environment_settings", look)
    client = connect(base_url=recorder.url)
    get(client)
    get(client)
    assert len(looks) == 1


@pytest.mark.parametrize("cookie", ["a=b", "a=b; Path=/", "a=b; Path=/; Domain=127.0.0.1"])
def test_a_cookie_of_the_service_is_not_sent_back(connect: Connect, recorder: Any, cookie: str) -> None:
    recorder.answers(json.dumps(EMPTY_ZONE).encode(), Set_Cookie=cookie)
    client = connect(base_url=recorder.url)
    get(client)
    get(client)
    assert ["Cookie" in request.headers for request in recorder.requests] == [False, False]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_redirect_is_not_followed(connect: Connect, service: Service, recorder: Any, call: Any, status: int) -> None:
    service.fault("redirect", location=f"{recorder.url}/elsewhere", status=status)
    said = reason(call, connect())
    assert said.startswith(f"the service answered {status} and points to {recorder.url}/elsewhere; asked was ")
    assert said.endswith(" (see base_url)")
    assert f" {service.url}/dns/domains/examplecom" in said
    assert recorder.requests == []
    assert len(service.calls()) == 1


def test_a_redirect_to_nowhere_is_an_error_too(connect: Connect, recorder: Any) -> None:
    recorder.answers(b"", status=304)
    assert "answered 304 and points to nowhere" in reason(get, connect(base_url=recorder.url))


def test_plain_http_to_this_machine_passes_by_the_proxy(
    connect: Connect, recorder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loopback is allowed without TLS because nobody is on the way; a proxy would be."""
    monkeypatch.setenv("http_proxy", recorder.url)
    connect().read_zone("example.com.")
    assert recorder.requests == []


def test_a_proxy_of_the_environment_is_used(connect: Connect, recorder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", recorder.url)
    get(connect(base_url="http://dns.example.com", allow_insecure_http=True))
    assert [request.path for request in recorder.requests] == ["http://dns.example.com/dns/domains/examplecom"]


# What is tried again


THROTTLED = [409, 423, 425, 429, 503]


@pytest.mark.parametrize(
    ("status", "retries"),
    [
        *((status, 2) for status in (408, 500, 501, 502, 504, 505, 507, 520, 522, 524, 599)),
        *((s, 1) for s in THROTTLED),
    ],
)
def test_a_status_that_may_pass_is_tried_again(
    connect: Connect, service: Service, clock: Any, status: int, retries: int
) -> None:
    """What is throttled takes no tries."""
    service.fault("status", status=status, times=2)
    connect(retries=retries).read_zone("example.com.")
    assert [entry["status"] for entry in service.log()] == [status, status, 200]
    assert len(clock.waits) == 2


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 415, 418, 422, 424, 451])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_any_other_status_is_final(connect: Connect, service: Service, clock: Any, call: Any, status: int) -> None:
    service.fault("status", status=status, times=0)
    see_token = status == 401 or (status == 403 and call is get)
    assert reason(call, connect()) == (
        f"the service answered {status}: A fault was asked for{' (see access_token)' if see_token else '.'}"
    )
    assert len(service.log()) == 1
    assert clock.waits == []


@pytest.mark.parametrize("kind", ["drop_before", "drop_after"])
def test_a_reading_whose_connection_broke_is_tried_again(connect: Connect, service: Service, kind: str) -> None:
    service.fault(kind, times=2)
    connect().read_zone("example.com.")
    assert len(service.log()) == 3


def test_waits_double_up_to_a_minute_with_jitter(connect: Connect, service: Service, clock: Any) -> None:
    service.fault("status", status=500, times=0)
    assert "answered 500" in reason(get, connect(retries=10))
    assert len(service.log()) == 11
    longest = [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert len(clock.waits) == len(longest)
    assert all(most / 2 <= wait <= most for wait, most in zip(clock.waits, longest, strict=True))
    assert clock.waits != longest


@pytest.mark.parametrize("retry_after", ["1", "3600"])
@pytest.mark.parametrize("status", [500, *THROTTLED])
def test_without_retries_there_is_one_try(
    connect: Connect, service: Service, clock: Any, status: int, retry_after: str
) -> None:
    service.fault("status", status=status, headers={"Retry-After": retry_after})
    client = connect(retries=0)
    assert f"answered {status}: A fault was asked for" in reason(get, client)
    assert len(service.log()) == 1
    get(client)
    assert clock.waits == []


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_no_call_is_urgent_that_is_not_said_to_be(connect: Connect, service: Service, clock: Any, call: Any) -> None:
    service.fault("status", status=503, times=0)
    assert "it was throttled for" in reason(call, connect(retry_timeout=10))
    assert clock.monotonic() <= 1010


def in_seconds(seconds: int) -> str:
    """An HTTP date."""
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return email.utils.format_datetime(at, usegmt=True)


@pytest.mark.parametrize("status", [429, 500, 503])
@pytest.mark.parametrize(
    ("retry_after", "shortest", "longest"),
    [
        (lambda: "7", 7, 8),
        (lambda: " 60 ", 60, 60),
        (lambda: in_seconds(40), 30, 41),
        (lambda: in_seconds(-40), 0.25, 0.5),
        (lambda: "0", 0.25, 0.5),
        (lambda: "soon", 0.25, 0.5),
        (lambda: "-1", 0.25, 0.5),
    ],
)
def test_retry_after_is_honoured(
    connect: Connect,
    service: Service,
    clock: Any,
    retry_after: Callable[[], str],
    shortest: float,
    longest: float,
    status: int,
) -> None:
    service.fault("status", status=status, headers={"Retry-After": retry_after()})
    connect().read_zone("example.com.")
    (wait,) = clock.waits
    assert shortest <= wait <= longest


@pytest.mark.parametrize("retry_after", ["61", "3600", pytest.param(in_seconds(3600), id="a date")])
def test_a_retry_after_of_more_than_a_minute_ends_it(
    connect: Connect, service: Service, clock: Any, retry_after: str
) -> None:
    service.fault("status", status=429, headers={"Retry-After": retry_after}, body={"message": "Too Many Attempts."})
    with pytest.raises(ServiceError, match="the service answered 429: Too Many Attempts") as failed:
        get(connect())
    assert failed.value.status_code == 429
    assert clock.waits == []
    assert len(service.log()) == 1


@pytest.mark.parametrize(("status", "waits"), [(429, 2), (503, 2), (425, 2), (500, 1)])
def test_a_rate_limit_holds_for_all_workers(
    connect: Connect, service: Service, clock: Any, status: int, waits: int
) -> None:
    client = connect(connections=2)
    other = threading.Thread(target=get, args=(client,))
    comes_too = threading.Event()

    def somebody_else(_seconds: float) -> None:
        if other.ident is None:
            other.start()
            if status == 500:
                other.join(60)
            else:
                assert comes_too.wait(60)
        else:
            comes_too.set()

    clock.on_wait = somebody_else
    service.fault("status", status=status, headers={"Retry-After": "30"})
    get(client)
    other.join(60)
    assert len(clock.waits) == waits
    assert all(30 <= wait <= 31 for wait in clock.waits)
    assert [entry["status"] for entry in service.log()] == [status, 200, 200]


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("call", [post, delete])
def test_a_write_that_was_turned_away_is_repeated_blindly(
    connect: Connect, zone: Any, service: Service, call: Any, status: int
) -> None:
    if call is delete:
        zone.holds("www 300 A 192.0.2.1")
    service.fault("status", status=status, times=2)
    call(connect())
    assert [entry["method"] for entry in service.log()] == [call.__name__.upper()] * 3


LOST = [
    ("status", {"status": 500}),
    ("status", {"status": 502}),
    ("status", {"status": 504}),
    ("status", {"status": 408}),
    ("status", {"status": 409}),
    ("status", {"status": 423}),
    ("status", {"status": 425}),
    ("status_after", {"status": 425}),
    ("status", {"status": 522}),
    ("status_after", {"status": 500}),
    ("status_after", {"status": 504}),
    ("drop_before", {}),
    ("drop_after", {}),
    ("hang_after", {"seconds": 1}),
]


@pytest.mark.parametrize("retries", [1, 0])
@pytest.mark.parametrize("call", [post, delete])
@pytest.mark.parametrize(("kind", "fields"), LOST)
def test_a_write_whose_answer_was_lost_is_not_repeated_when_it_was_carried_out(
    connect: Connect, zone: Any, service: Service, call: Any, kind: str, fields: Any, retries: int
) -> None:
    if call is delete:
        zone.holds("www 300 A 192.0.2.1")
    service.fault(kind, **fields)
    asked = []
    call(connect(timeout=0.3, retries=retries), lambda: not asked.append(1))
    assert asked == [1]
    assert len(service.log()) == 1


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("call", [post, delete])
def test_a_write_whose_answer_is_refused_has_lost_it(
    connect: Connect, recorder: Any, call: Any, is_there: bool
) -> None:
    recorder.answers(b"", Content_Encoding="gzip, gzip")
    client = connect(base_url=recorder.url, retries=1)
    if is_there:
        call(client, lambda: True)
    else:
        assert "in a coding that was not asked for" in reason(call, client, lambda: False)
    assert len(recorder.requests) == (1 if is_there else 2)


@pytest.mark.parametrize("body", [b"this is no gzip", gzip.compress(b'{"status": "Success"}', mtime=0)[:-9]])
def test_a_reading_whose_answer_is_broken_is_tried_again(
    connect: Connect, recorder: Any, clock: Any, body: bytes
) -> None:
    recorder.answers(body, Content_Encoding="gzip")
    said = reason(get, connect(base_url=recorder.url, retries=2))
    assert "sent a broken answer, " in said
    assert "could not be sent" not in said
    assert "cannot be decompressed" in said
    assert len(recorder.requests) == 3
    assert len(clock.waits) == 2


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("call", [post, delete])
def test_a_write_whose_answer_is_broken_has_lost_it(connect: Connect, recorder: Any, call: Any, is_there: bool) -> None:
    recorder.answers(b"this is no gzip", Content_Encoding="gzip")
    client = connect(base_url=recorder.url, retries=1)
    if is_there:
        call(client, lambda: True)
        return
    with pytest.raises(ServiceError, match="cannot be decompressed") as failed:
        call(client, lambda: False)
    assert failed.value.may_have_happened


def test_a_reading_whose_answer_is_refused_is_not_tried_again(connect: Connect, recorder: Any, clock: Any) -> None:
    recorder.answers(b"", Content_Length=str(64 * 1024**2 + 1))
    assert "sent an answer of more than 64 MiB" in reason(get, connect(base_url=recorder.url))
    assert len(recorder.requests) == 1
    assert clock.waits == []


@pytest.mark.parametrize("call", [post, delete])
@pytest.mark.parametrize(("kind", "fields"), [lost for lost in LOST if lost[0] in ("status", "drop_before")])
def test_a_write_whose_answer_was_lost_is_repeated_when_it_was_not_carried_out(
    connect: Connect, zone: Any, service: Service, call: Any, kind: str, fields: Any
) -> None:
    zone.holds("www 300 A 192.0.2.1" if call is delete else "other 300 A 192.0.2.1")
    service.fault(kind, **fields)
    asked: list[int] = []
    call(connect(), lambda: bool(asked.append(1)))
    assert asked == [1]
    assert [entry["changed"] for entry in service.log()] == [False, True]


def test_a_refused_connection_is_tried_again_without_a_question(connect: Connect, clock: Any) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{unused.getsockname()[1]}"
        said = reason(post, connect(base_url=f"http://{host}", retries=3))
    assert said.startswith(f"no connection to {host}, ")
    assert "Connection refused" in said
    assert "object at 0x" not in said
    assert len(clock.waits) == 3


def test_a_connection_that_takes_too_long_is_tried_again_without_a_question(
    connect: Connect, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def timed_out(*_args: Any, **_kwargs: Any) -> None:
        raise requests.exceptions.ConnectTimeout  # needs a host that drops packets

    monkeypatch.setattr(HTTPAdapter, "send", timed_out)
    assert reason(post, connect(base_url="https://dns.example.com", timeout=2.5)) == (
        "dns.example.com took no connection within 2.5 s (see base_url and timeout)"
    )
    assert len(clock.waits) == 5


def test_a_timeout_says_how_long_it_waited(connect: Connect, service: Service) -> None:
    service.fault("hang_before", seconds=1)
    host = service.url.removeprefix("http://")
    assert reason(get, connect(timeout=0.3, retries=0)) == f"{host} did not answer within 0.3 s (see timeout)"


def test_a_broken_connection_is_said_in_words(connect: Connect, service: Service) -> None:
    service.fault("drop_before", times=0)
    said = reason(get, connect(retries=1))
    assert said.startswith(f"the connection broke to {service.url.removeprefix('http://')}, ")
    assert "object at 0x" not in said


# What is believed


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, {"message": "Unauthenticated."}, "the service answered 401: Unauthenticated (see access_token)"),
        (402, {"status": "Error", "message": "Forbidden"}, "the service answered 402: Forbidden"),
        (404, {"message": "Domain not found"}, "the service answered 404: Domain not found"),
        (
            422,
            {"message": "The given data was invalid.", "errors": {"content": ["The content is no address."]}},
            'the service answered 422: The given data was invalid. {"content": ["The content is no address."]}',
        ),
        (422, {"errors": ["no such type"]}, 'the service answered 422: ["no such type"]'),
        (400, {"message": ""}, 'the service answered 400: {"message": ""}'),
        (400, {"message": {"a": 1}}, 'the service answered 400: {"message": {"a": 1}}'),
        (400, [], "the service answered 400: []"),
        (400, "no\n\tJSON  at all", "the service answered 400: no JSON at all"),
        (400, "", "the service answered 400"),
        (500, "<html><h1>Oops</h1></html>", "the service answered 500: the HTML page 'Oops'"),
        (
            200,
            {"status": "Error", "message": "Quota"},
            "the service answered 200 with status Error in place of Success: Quota",
        ),
        (200, {"status": "success", "message": "OK"}, "status success in place of Success: OK"),
        (200, {"status": True, "message": "OK"}, "status True in place of Success: OK"),
        (200, {"status": None, "message": "OK", "data": {}}, "status None in place of Success: OK"),
        (201, {"status": "Error", "message": "Quota"}, "with status Error in place of Success: Quota"),
    ],
)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_refusal_is_said_in_the_words_of_the_service(
    connect: Connect, service: Service, call: Any, status: int, body: Any, said: str
) -> None:
    service.fault("status", status=status, body=body, times=0)
    with pytest.raises(ServiceError) as failed:
        call(connect(retries=0), lambda: False) if call is not get else call(connect(retries=0))
    assert said in str(failed.value)
    assert str(failed.value).endswith(said[-20:])
    assert failed.value.status_code == status


NO_OBJECT = [
    (
        200,
        "<html>Please log in</html>",
        "the service answered 200 with something that is not a JSON object: the HTML page 'Ple",
    ),
    (200, "", "not a JSON object"),
    (200, "[]", "not a JSON object: []"),
    (200, '"Success"', 'not a JSON object: "Success"'),
    (200, "null", "not a JSON object: null"),
    (200, '{"status": "Success"', 'not a JSON object: {"status": "Success"'),
    (200, "[" * 100_000, f"not a JSON object: {'[' * 300}"),
    (201, "OK", "not a JSON object: OK"),
    (202, "", "the service answered 202 with something that is not a JSON object"),
    (204, "", "the service answered 204 with something that is not a JSON object"),
]


@pytest.mark.parametrize(("status", "body", "said"), NO_OBJECT)
def test_a_reading_without_an_object_is_refused(
    connect: Connect, service: Service, clock: Any, status: int, body: str, said: str
) -> None:
    service.fault("status", status=status, body=body, times=0)
    with pytest.raises(ServiceError, match=re.escape(said)) as failed:
        get(connect())
    assert failed.value.status_code == status
    assert clock.waits == []


@pytest.mark.parametrize(
    ("status", "body", "is_confirmed"),
    [
        *((status, body, False) for status, body, _said in NO_OBJECT),
        (202, {"status": "Success"}, False),
        (202, {"status": "Pending"}, False),
        (200, {"status": "Success"}, True),
        (201, {"status": "Success", "message": "Created"}, True),
        (206, {"status": "Success"}, True),
    ],
)
@pytest.mark.parametrize("call", [post, delete])
def test_whether_a_write_is_confirmed(
    connect: Connect, service: Service, clock: Any, call: Any, status: int, body: Any, is_confirmed: bool
) -> None:
    """Which counts for a deletion alone: what is created the zone shows at the end of the run."""
    service.fault("status", status=status, body=body)
    assert call(connect()) is (is_confirmed if call is delete else None)
    assert len(service.log()) == 1
    assert clock.waits == []


@pytest.mark.parametrize(
    ("status", "body", "refuses"),
    [
        *((status, {}, True) for status in (400, 402, 403, 404, 410, 418, 422)),
        *((status, {}, False) for status in (302, 401, 408, *THROTTLED, 500, 501, 599)),
        (200, {"status": "Error"}, True),
        (201, {"message": "?"}, True),
    ],
)
@pytest.mark.parametrize("call", [post, delete])
def test_whether_an_answer_refuses_the_value(
    connect: Connect, service: Service, call: Any, status: int, body: Any, refuses: bool
) -> None:
    service.fault("status", status=status, body=body, headers={"Location": "elsewhere"})
    with pytest.raises(ServiceError) as failed:
        call(connect(retries=0), lambda: False)
    assert failed.value.refuses_the_value is refuses


@pytest.mark.parametrize("body", ["", {"status": "Error"}])
def test_a_reading_never_refuses_a_value_by_what_is_not_as_specified(
    connect: Connect, service: Service, body: Any
) -> None:
    service.fault("status", status=200, body=body)
    with pytest.raises(ServiceError) as failed:
        get(connect())
    assert failed.value.refuses_the_value is bool(body)


def test_a_long_message_is_cut(connect: Connect, service: Service) -> None:
    service.fault("status", status=400, body="é" * 5000)
    assert reason(get, connect()) == f"the service answered 400: {'é' * 300}"


@pytest.mark.parametrize(
    ("status", "body", "headers", "said"),
    [
        (401, {"message": "bad Bearer {token} here"}, {}, "401: bad Bearer ******** here"),
        (422, {"message": "No", "errors": {"{token}": ["{token}"]}}, {}, '422: No {"********": ["********"]}'),
        (400, "x" * 290 + " {token} " + "y" * 290, {}, "x" * 290 + " ********" + " "),
        (400, " " * 1195 + "{token}", {}, "400: ********"),
        (200, "<html>{token}</html>", {}, "JSON object: the HTML page '********'"),
        (200, {"status": "{token}"}, {}, "with status ******** in place of Success"),
        (
            302,
            "",
            {"Location": "https://login.example.net/{token}?{token}"},
            "points to https://login.example.net/********; asked was GET ",
        ),
    ],
)
@pytest.mark.parametrize("token", ["the-token-that-nobody-may-see", 'q7"in\\quotes"'])
def test_a_token_that_the_service_repeats_is_not_shown(
    connect: Connect, recorder: Any, token: str, status: int, body: Any, headers: dict[str, str], said: str
) -> None:
    def filled(text: str) -> str:
        return text.replace("{token}", token)

    words = filled(body) if isinstance(body, str) else json.dumps(body).replace("{token}", json.dumps(token)[1:-1])
    recorder.answers(words.encode(), status=status, **{name: filled(value) for name, value in headers.items()})
    message = reason(get, connect(base_url=recorder.url, access_token=token))
    assert said in message
    assert token[:4] not in message


def percent_encoded(token: str) -> str:
    return urllib.parse.quote(token, safe="")


def in_base64(*around: str) -> Callable[[str], str]:
    return lambda token: base64.b64encode(token.join(around).encode()).decode()


ECHOES: dict[str, Callable[[str], str]] = {
    "percent": percent_encoded,
    "percent, lower": lambda token: re.sub("%..", lambda code: code[0].lower(), percent_encoded(token)),
    "percent, twice": lambda token: percent_encoded(percent_encoded(token)),
    "percent, slashes kept": urllib.parse.quote,
    "form": urllib.parse.quote_plus,
    "base64": in_base64("", ""),
    "base64, without padding": lambda token: in_base64("", "")(token).rstrip("="),
    "base64 of the header": in_base64("Bearer ", ""),
    "base64, one before": in_base64("x", "yz"),
    "base64, two before": in_base64("xx", "y"),
    "base64 of JSON": in_base64('{"token": "', '"}'),
    "base64, urlsafe": lambda token: base64.urlsafe_b64encode(f"Bearer {token}".encode()).decode(),
    "base64 in a URL": lambda token: percent_encoded(in_base64("", "")(token)),
    "json": json.dumps,
    "json, slashes escaped": lambda token: json.dumps(token).replace("/", r"\/"),
    "json in json": lambda token: json.dumps(json.dumps(token)),
    "json, for HTML": lambda token: re.sub('[<>&"+]', lambda special: rf"\u{ord(special[0]):04X}", token),
    "html": html.escape,
    "html, decimal": lambda token: re.sub("[^a-z0-9]", lambda special: f"&#{ord(special[0])};", token),
    "html, hexadecimal": lambda token: re.sub("[^a-z0-9]", lambda special: f"&#x{ord(special[0]):02X};", token),
    "upper case": str.upper,
}


@pytest.mark.parametrize("token", ["the-token-that-nobody-may-see", "pa/ss+w=rd<&>\"'~?word", "??>>~~??>>~~??>>"])
@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_a_token_is_hidden_in_every_form(connect: Connect, recorder: Any, token: str, echo: Any) -> None:
    form = echo(token)
    recorder.answers(f"No: {form} is wrong".encode(), status=400)
    said = reason(get, connect(base_url=recorder.url, access_token=token)).removeprefix(
        "the service answered 400: No: "
    )
    assert "********" in said
    shown = said.removesuffix(" is wrong").replace("********", "")
    # At its edges, base64 mixes a secret with its neighbours.
    edges = (form[:21], form[-7:]) if form != token and "=" in form[-2:] else (form[:16], form[-7:])
    assert len(shown) <= sum(map(len, edges))
    assert not any(shown[start : start + 6] in form[17:-7] for start in range(len(shown) - 5))


def test_what_is_no_token_is_not_hidden(connect: Connect, recorder: Any) -> None:
    words = "The token-that-nobody-may is not dG9rZW4 %2F &amp; token-that"
    recorder.answers(words.encode(), status=400)
    assert reason(get, connect(base_url=recorder.url)) == f"the service answered 400: {words}"


@pytest.mark.parametrize("before", [0, 65_500, 65_520, 65_536, 70_000])
def test_a_token_is_hidden_where_the_words_are_cut(connect: Connect, recorder: Any, before: int) -> None:
    recorder.answers(b" " * before + f"{TOKEN} {TOKEN}".encode(), status=400)
    assert TOKEN[:5] not in reason(get, connect(base_url=recorder.url, access_token=TOKEN))


@pytest.mark.parametrize(
    "proxy",
    [
        "http://user:s3cr3t-pw@127.0.0.1:port",
        "http://user:s3cr3t-pw@127.0.0.1:99999",
        "http://user:s3cr3t-pw@[::1",
        "http://user:s3cr3t-pw@",
        "http://user:s3cr3t-pw",
        "user:s3cr3t-pw@proxy host",
        "http://user:s3cr3t-pw@host@127.0.0.1:1",
        "http://user:s3cr3t-pw#s3cr3t-pw@127.0.0.1:1",
        "http://user:s3cr3t-pw/s3cr3t-pw@127.0.0.1:1",
        "http://us er:s3cr3t-pw@127.0.0.1:1",
        "http://user:s3cr3t%2Dpw@127.0.0.1:x",
        "http://user:s3cr3t-pw@127.0.0.1:1",
        "ftp://user:s3cr3t-pw@127.0.0.1:1",
        "http://user:s3cr3t-pw@..:1",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_password_of_a_proxy_is_not_shown(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, scheme: str, proxy: str
) -> None:
    monkeypatch.setenv(f"{scheme}_proxy", proxy)
    said = reason(get, connect(base_url=f"{scheme}://dns.invalid", allow_insecure_http=True, retries=0))
    assert "s3cr3t" not in said.lower()


def test_a_proxy_that_repeats_its_password(connect: Connect, recorder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", recorder.url.replace("//", "//user:s3cr3t-pw@"))
    account = base64.b64encode(b"user:s3cr3t-pw").decode()
    recorder.answers(f"no {account} nor s3cr3t-pw".encode(), status=407)
    assert reason(get, connect(base_url="http://dns.invalid", allow_insecure_http=True)) == (
        f"the service answered 407: no ********{account[-2:]} nor ******** (see http_proxy in the environment)"
    )


def test_bytes_that_are_no_text_are_shown_all_the_same(connect: Connect, recorder: Any) -> None:
    recorder.answers(b"caf\xe9 \xff", status=400)
    assert (
        reason(get, connect(base_url=recorder.url))
        == "the service answered 400: caf\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}"
    )


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ({"message": "red \x1b[31malert\x07"}, r"red \x1b[31malert\x07"),
        ({"message": "a\x00b\x9bc"}, r"a\x00b\x9bc"),
        ({"message": "right \u202eto left"}, r"right \u202eto left"),
        ({"errors": {"content": ["\x1b]0;title\x07"]}}, r'{"content": ["\u001b]0;title\u0007"]}'),
        ("plain \x1b[2J text", r"plain \x1b[2J text"),
        ({"message": "one\r\ntwo"}, "one two"),
    ],
)
def test_what_would_move_a_terminal_is_escaped(connect: Connect, service: Service, body: Any, shown: str) -> None:
    service.fault("status", status=400, body=body)
    assert reason(get, connect()) == f"the service answered 400: {shown}"


def test_a_redirect_is_shown_without_escapes(connect: Connect, recorder: Any) -> None:
    recorder.answers(b"", status=302, Location="https://other.example/\x1b[31m" + "x" * 500)
    said = reason(get, connect(base_url=recorder.url))
    assert r"points to https://other.example/\x1b[31mxxx" in said
    assert len(said) < 500


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({}, "data is missing"),
        ({"data": None}, "data is not an object"),
        ({"data": []}, "data is not an object"),
        ({"data": {}}, "data.records is missing"),
        ({"data": {"records": {}}}, "data.records is not an array"),
        ({"data": {"records": ["www"]}}, "data.records[0] is not an object"),
        ({"data": {"records": [{}]}}, "data.records[0].contents is missing"),
        (("contents", None), "data.records[1].contents is missing"),
        (("contents", "192.0.2.1"), "data.records[1].contents is not an array"),
        (("contents", [1]), "data.records[1].contents has more than strings in it"),
        (("name", None), "data.records[1].name is missing"),
        (("name", 5), "data.records[1].name is not a string"),
        (("type", None), "data.records[1].type is missing"),
        (("type", ["A"]), "data.records[1].type is not a string"),
        (("ttl", None), "data.records[1].ttl is missing"),
        (("ttl", "300"), "data.records[1].ttl is not an integer"),
        (("ttl", True), "data.records[1].ttl is not an integer"),
        (("ttl", 300.5), "data.records[1].ttl is not an integer"),
    ],
)
def test_a_zone_that_is_not_as_specified(connect: Connect, service: Service, data: Any, what: str) -> None:
    if isinstance(data, tuple):
        good = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}
        field, value = data
        bad = {**good, field: value} if value is not None else {name: good[name] for name in good if name != field}
        data = {"data": {"records": [good, bad]}}
    service.fault("answer", body={"status": "Success", **data})
    assert reason(get, connect()) == f"the service's answer is not as specified, {what}"


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({}, "data is missing"),
        ({"data": {}}, "data is not an array"),
        ({"data": [1]}, "data[0] is not an object"),
        ({"data": [{}]}, "data[0].name is missing"),
        ({"data": [{"name": None, "slug": "x"}]}, "data[0].name is not a string"),
        ({"data": [{"name": "example.com"}]}, "data[0].slug is missing"),
        ({"data": [{"name": "example.com", "slug": 7}]}, "data[0].slug is not a string"),
        ({"data": [{"name": "example.com", "slug": ""}]}, "data[0].slug is ''"),
        ({"data": [{"name": "example.com", "slug": "."}]}, "data[0].slug is '.'"),
        ({"data": [{"name": "example.com", "slug": ".."}]}, "data[0].slug is '..'"),
    ],
)
def test_a_list_that_is_not_as_specified(connect: Connect, service: Service, data: Any, what: str) -> None:
    service.fault("answer", body={"status": "Success", **data})
    assert reason(connect().list_zones) == f"the service's answer is not as specified, {what}"


def test_a_list_may_hold_names_that_are_none(connect: Connect, service: Service) -> None:
    rows = [{"name": "no..name", "slug": "a", "status": None}, {"name": "Example.COM", "slug": "b", "status": "new"}]
    service.fault("answer", body={"status": "Success", "data": rows, "total": "unknown"})
    assert [(zone.canonical, zone.name, zone.slug, zone.status) for zone in connect().list_zones()] == [
        ("no..name", "no..name", "a", None),
        ("example.com.", "Example.COM", "b", "new"),
    ]


@pytest.mark.parametrize(
    ("headers", "body"),
    [({"Content_Encoding": "gzip"}, b"this is no gzip"), ({"Content_Length": "99999"}, b'{"status": "Success"')],
    ids=["encoding", "length"],
)
def test_a_body_that_does_not_arrive_whole(connect: Connect, recorder: Any, headers: Any, body: bytes) -> None:
    recorder.answers(body, Connection="close", **headers)
    with pytest.raises(ServiceError):
        get(connect(base_url=recorder.url, retries=0, timeout=0.3))


def test_a_request_that_cannot_be_sent(connect: Connect) -> None:
    assert "the request to dns..example.com could not be sent, " in reason(
        get, connect(base_url="https://dns..example.com")
    )


# Slugs (docs/design_details.md, "Open questions in the specification")


def make_zones(service: Service, *zones: tuple[str, str | None]) -> None:
    for name in service.zones():
        service.remove_zone(name["name"])
    for name, slug in zones:
        service.zone(name, slug=slug)


@pytest.mark.parametrize(
    ("zones", "wanted", "slug", "calls"),
    [
        ([("example.com", None)], "example.com.", "examplecom", ["/examplecom"]),
        # One slug for two zones: it leads to the first, and its SOA tells.
        ([("ex.ample.com", None), ("example.com", "two")], "example.com.", "two", ["/examplecom", "", "/two"]),
        ([("ex.ample.com", None), ("example.com", "two")], "ex.ample.com.", "examplecom", ["/examplecom"]),
        # A slug that is not the name without its dots.
        ([("example.com", "zone-17")], "example.com.", "zone-17", ["/examplecom", "", "/zone-17"]),
        ([("example.com", "a b%2fc?")], "example.com.", "a b%2fc?", ["/examplecom", "", "/a b%2fc?"]),
        (
            [("xn--bcher-kva.example", None)],
            "xn--bcher-kva.example.",
            "xn--bcher-kvaexample",
            ["/xn--bcher-kvaexample"],
        ),
        ([("0/25.2.0.192.in-addr.arpa", "r")], "0/25.2.0.192.in-addr.arpa.", "r", ["/0/2520192in-addrarpa", "", "/r"]),
    ],
)
def test_the_slug_of_a_zone(
    connect: Connect, service: Service, zones: Any, wanted: str, slug: str, calls: list[str]
) -> None:
    make_zones(service, *zones)
    live = connect().read_zone(wanted)
    assert (live.name, live.slug) == (wanted, slug)
    assert (wanted, "SOA") in live.record_sets
    assert service.calls() == [f"GET /dns/domains{path}" for path in calls]


@pytest.mark.parametrize(
    ("zones", "wanted", "said"),
    [
        (
            [("example.com", None)],
            "exmple.com.",
            "the account has no zone of that name, only 1 .*did you mean example.com",
        ),
        (
            [("example.com", None), ("example.org", None)],
            "example.cm.",
            "did you mean example.com or example.org",
        ),
        ([("example.com", None)], "other.net.", "the account has no zone of that name, only 1 .*check its name"),
        ([("example.com", None)], "www.example.com.", "did you mean example.com"),
        ([("example.net", None)], "example.org.", "did you mean example.net"),
        # What all names of an account end in makes none of them near.
        ([(f"z{number}.example", None) for number in range(9)], "nozone.example.", "only 9 others; check its name"),
        ([(f"z{number}.example", None) for number in (1, 20)], "z2.example.", r"did you mean z20.example\?"),
        ([(f"{number}.2.0.192.in-addr.arpa", None) for number in (1, 3)], "2.2.0.192.in-addr.arpa.", "check its name"),
        ([], "example.com.", "the account has no zone of that name"),
        # One slug for two zones, and no other way to the second.
        (
            [("ex.ample.com", None), ("example.com", None)],
            "example.com.",
            "its slug examplecom leads to the zone ex.ample.com. instead",
        ),
    ],
)
def test_no_way_to_a_zone(connect: Connect, service: Service, zones: Any, wanted: str, said: str) -> None:
    make_zones(service, *zones)
    with pytest.raises(ServiceError, match=said):
        connect().read_zone(wanted)


def test_nothing_is_sent_that_is_not_allowed_any_more(connect: Connect, service: Service) -> None:
    """It is asked before each try."""
    make_zones(service, ("example.com", None))
    service.fault("status", path="/records", status=503)
    tries: list[str] = []

    def allowed() -> None:
        tries.append("asked")
        if len(tries) == 2:
            raise ServiceError("somebody else has the zone now")

    refused = reason(connect().create_value, "examplecom", A_VALUE, never, allowed)
    assert refused == "somebody else has the zone now"
    assert service.calls() == ["POST www A 192.0.2.1"]


def test_a_listed_slug_that_leads_to_another_zone(connect: Connect, service: Service) -> None:
    make_zones(service, ("other.net", "shared"), ("example.com", "shared"))
    assert reason(connect().read_zone, "example.com.") == "its slug shared leads to the zone other.net. instead"


def test_a_listed_zone_that_the_service_does_not_show(connect: Connect, service: Service) -> None:
    service.fault("status", path="/examplecom", status=404, body={"message": "Gone fishing"}, times=0)
    assert reason(connect().read_zone, "example.com.") == "the service answered 404: Gone fishing"


@pytest.mark.parametrize("status", [401, 403, 410])
def test_a_refusal_that_is_not_about_the_slug_ends_it(connect: Connect, service: Service, status: int) -> None:
    service.fault("status", path="/examplecom", status=status, times=0)
    assert f"answered {status}" in reason(connect().read_zone, "example.com.")
    assert len(service.log()) == 1


def test_an_incomplete_list_does_not_tell_that_a_zone_is_missing(connect: Connect, service: Service) -> None:
    service.settings(list_total_extra=2)
    assert reason(connect().read_zone, "other.net.") == (
        "it is not among the 1 zones that the service lists; it has 3, so whether the zone exists cannot be told"
    )
    assert "lists 1 of 3 zones" in reason(connect().list_zones)
    assert connect().listed_zone("example.com.").slug == "examplecom"


LACKS_SOA = "the service's answer lacks the zone's SOA, so it may lack other record sets too; try again later"


@pytest.mark.parametrize("shows", ["no_soa", "nothing"])
@pytest.mark.parametrize("slug", ["examplecom", "zone-17"])
def test_a_zone_without_soa_is_not_believed(connect: Connect, service: Service, shows: str, slug: str) -> None:
    make_zones(service, ("example.com", slug))
    service.odd("example.com", shows=shows)
    assert reason(connect().read_zone, "example.com.") == LACKS_SOA
    gets = ["", "/zone-17"] if slug == "zone-17" else [""]
    assert service.calls() == [f"GET /dns/domains{path}" for path in ("/examplecom", *gets)]


@pytest.mark.parametrize("shows", ["no_soa", "nothing"])
def test_a_zone_without_soa_is_shown_to_those_who_only_look(connect: Connect, service: Service, shows: str) -> None:
    service.odd("example.com", shows=shows)
    client = connect()
    live = client.read_listed(client.listed_zone("example.com."))
    assert sorted(live.record_sets) == ([] if shows == "nothing" else [("example.com.", "NS")])


def test_a_zone_is_read_again_by_the_slug_that_led_to_it(
    connect: Connect, service: Service, zone: Any, clock: Any
) -> None:
    client = connect()
    before = client.read_zone("example.com.")
    clock.turn(1)
    zone.holds("www 300 A 192.0.2.1")
    service.clear_log()
    again = client.read_again(before)
    assert service.calls() == ["GET /dns/domains/examplecom"]
    assert (again.name, again.slug) == (before.name, before.slug)
    assert again.read_at == before.read_at + 1
    assert again.record_sets.keys() - before.record_sets.keys() == {("www.example.com.", "A")}


@pytest.mark.parametrize("shows", ["no_soa", "nothing"])
def test_a_zone_that_is_read_again_without_its_soa_is_not_believed(
    connect: Connect, service: Service, shows: str
) -> None:
    client = connect()
    before = client.read_zone("example.com.")
    service.odd("example.com", shows=shows)
    with pytest.raises(ServiceError, match=LACKS_SOA) as refused:
        client.read_again(before)
    assert refused.value.status_code == 200


def test_a_slug_that_leads_to_another_zone_by_now(connect: Connect, service: Service) -> None:
    make_zones(service, ("example.com", "one"), ("example.net", "two"))
    client = connect()
    live = dataclasses.replace(client.read_zone("example.com."), slug="two")
    assert reason(client.read_again, live) == "its slug two leads to the zone example.net. instead"


def test_near_names_are_shown_without_escapes(connect: Connect, service: Service) -> None:
    row = {"name": "example.com\x1b[31m", "slug": "x", "status": True}
    service.fault("answer", path="/dns/domains", nth=2, body={"status": "Success", "data": [row], "total": 1})
    assert r"did you mean example.com\x1b[31m" in reason(connect().read_zone, "example.co.")


@pytest.mark.parametrize(
    ("zone", "listed", "near"),
    [
        ("exmple.com.", ["example.com.", "other.example."], ["example.com."]),
        # The zone above comes first, and no more than three are told.
        ("www.example.com.", ["ww.example.com.", "example.com.", "com."], ["com.", "example.com.", "ww.example.com."]),
        ("abcd.org.", ["abce.org.", "abcde.org.", "abcdf.org.", "bcd.org."], ["abcde.org.", "abcdf.org.", "bcd.org."]),
        ("not-example.com.", ["example.com.", "e.com."], ["example.com."]),
        ("myexample.com.", ["example.com.", "myexampl.com."], ["myexampl.com.", "example.com."]),
        # The dots between labels count as characters do.
        ("a.b.org.", ["ab.org.", "a.bc.org."], ["a.bc.org.", "ab.org."]),
        # Three of five characters are enough, and two are not; the ends that both have do not count.
        ("abcde.org.", ["abcfg.org."], ["abcfg.org."]),
        ("abc.org.", ["abcdefg.org."], ["abcdefg.org."]),
        ("abcde.org.", ["abfgh.org."], []),
        ("abc.org.", ["abcdefgh.org."], []),
        ("a.b.org.", ["a.c.org."], ["a.c.org."]),
        ("a.example.org.", ["b.example.org."], []),
        ("a.", [], []),
        # What looks the same comes first, O and 0, l and 1, and letters of other scripts.
        (
            "z4o.example.",
            [f"z{n}4.example." for n in range(3)] + ["z40.example."],
            ["z40.example.", "z04.example.", "z14.example."],
        ),
        ("web1.example.", ["web2.example.", "webl.example."], ["webl.example.", "web2.example."]),
        ("xn--exmple-4nf.com.", ["exampel.com.", "example.com."], ["example.com.", "exampel.com."]),
        ("z4o.", ["z40."], ["z40."]),
    ],
)
def test_which_names_are_near(zone: str, listed: list[str], near: list[str]) -> None:
    assert near_names(zone, listed) == near


@pytest.mark.parametrize(
    ("zone", "seeming"),
    [
        ("p\u0430ypal.example", ["\u0430 is U+0430, CYRILLIC SMALL LETTER A"]),
        (
            "\u0440\u0430yp\u0430l.example",
            ["\u0440 is U+0440, CYRILLIC SMALL LETTER ER", "\u0430 is U+0430, CYRILLIC SMALL LETTER A"],
        ),
        ("\u043f\u0440\u0438\u043c\u0435p.example", ["p is U+0070, LATIN SMALL LETTER P"]),
        ("\u043f\u0440\u0438\u043c\u0435\u0440.example", []),
        ("\u65e5\u672c\u306ea.example", []),
        ("\u00e4pfel.example", []),
    ],
)
def test_the_error_for_an_unknown_zone_says_what_is_not_what_it_seems(
    connect: Connect, zone: str, seeming: list[str]
) -> None:
    told = reason(connect().read_zone, zone_name(zone))
    assert "the account has no zone of that name" in told
    assert told.endswith(f" ({'; '.join(seeming)})") == bool(seeming)


SOA_ROW = {"name": "example.com.", "type": "SOA", "ttl": 300, "contents": ["a. b. 1 2 3 4 5"]}
LISTED = [{"name": "example.com", "slug": "17", "status": True}]


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Client, list[str]]]:
    """Makes a client of a service that gives each path one answer, and what it was asked for."""

    def scripted(**answers: Any) -> tuple[Client, list[str]]:
        asked: list[str] = []

        def send(_sender: Sender, method: str, path: str, *_content: Any) -> dict[str, Any]:
            slug = path.removeprefix("/dns/domains").removeprefix("/")
            asked.append(f"{method} {slug}".rstrip())
            answer = answers[slug or "list"]
            if isinstance(answer, int):
                raise ServiceError(f"the service answered {answer}", answer)
            return {"status": "Success", "data": answer}

        monkeypatch.setattr(Sender, "send", send)
        return Client(Connection("https://dns.example.com", TOKEN)), asked

    return scripted


@pytest.mark.parametrize("status", [200, 201, 400, 401, 403, 404, 405, 410, 422, 423, 500])
def test_a_refusal_that_may_be_about_the_slug_leads_to_the_list(scripted: Any, status: int) -> None:
    client, asked = scripted(examplecom=status, list=LISTED, **{"17": {"records": [SOA_ROW]}})
    if status in (200, 400, 404, 422):
        assert client.read_zone("example.com.").slug == "17"
        assert asked == ["GET examplecom", "GET", "GET 17"]
    else:
        assert reason(client.read_zone, "example.com.") == f"the service answered {status}"
        assert asked == ["GET examplecom"]


def test_a_zone_that_the_account_does_not_have_is_not_found(scripted: Any) -> None:
    client, _asked = scripted(examplecom=404, list=[{**LISTED[0], "name": "other.test"}])
    with pytest.raises(ServiceError) as failed:
        client.read_zone("example.com.")
    assert str(failed.value) == "the account has no zone of that name, only 1 other; check its name"
    assert failed.value.status_code == 404


def test_a_zone_is_that_of_its_soa_wherever_it_stands(scripted: Any) -> None:
    www = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}
    client, asked = scripted(examplecom={"records": [www, SOA_ROW]})
    live = client.read_zone("example.com.")
    assert client.read_again(live) == live
    assert asked == ["GET examplecom", "GET examplecom"]


def test_an_answer_without_a_soa_is_one_that_is_not_as_specified(scripted: Any) -> None:
    client, _asked = scripted(examplecom={"records": []}, list=[{**LISTED[0], "slug": "examplecom"}])
    with pytest.raises(ServiceError, match="the service's answer lacks the zone's SOA, so it may lack") as failed:
        client.read_zone("example.com.")
    assert failed.value.status_code == 200


def test_nothing_is_sent_that_is_not_allowed(scripted: Any) -> None:
    def forbid() -> None:
        raise ServiceError("the lock is another's")

    client, asked = scripted()
    assert reason(client.create_value, "examplecom", A_VALUE, never, forbid) == "the lock is another's"
    assert reason(client.delete_record_set, "examplecom", "www", "A", never, forbid) == "the lock is another's"
    assert asked == []


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A certificate for 127.0.0.1 that nobody has signed, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stand-in")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "certificate.pem"
    private = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(*private))
    return file


@pytest.fixture(scope="module")
def tls_service(certificate: pathlib.Path) -> Iterator[Service]:
    with Service("--tls-cert", str(certificate), zones=["example.com"]) as service:
        yield service


def test_a_certificate_that_does_not_verify(connect: Connect, clock: Any, tls_service: Service) -> None:
    tls_service.clear_log()
    said = reason(get, connect(base_url=tls_service.url, access_token=tls_service.token))
    host = tls_service.url.removeprefix("https://")
    assert said.startswith(f"the TLS connection to {host} failed, ")
    assert "certificate verify failed" in said
    assert said.endswith(" (see ca_path)")
    assert clock.waits == []
    assert tls_service.calls() == []


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
@pytest.mark.parametrize("bundle", [None, "good", "bad"])
@pytest.mark.parametrize(
    ("validate_certs", "ca_path", "works"),
    [(True, None, {"good"}), (True, "good", {None, "good", "bad"}), (False, None, {None, "good", "bad"})],
)
@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
def test_the_environment_does_not_defeat_the_options(
    connect: Connect,
    tls_service: Service,
    certificate: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    validate_certs: bool,
    ca_path: str | None,
    works: set[str | None],
    bundle: str | None,
    variable: str,
) -> None:
    files = {"good": str(certificate), "bad": requests.certs.where(), None: None}
    if bundle:
        monkeypatch.setenv(variable, files[bundle])
    client = connect(
        base_url=tls_service.url,
        access_token=tls_service.token,
        validate_certs=validate_certs,
        ca_path=files[ca_path],
    )
    if bundle in works:
        get(client)
    else:
        assert "certificate verify failed" in reason(get, client)


@pytest.mark.parametrize(("first", "works"), [("good", True), ("bad", False)])
def test_of_two_bundles_in_the_environment_that_of_requests_counts(
    connect: Connect,
    tls_service: Service,
    certificate: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    first: str,
    works: bool,
) -> None:
    files = {"good": str(certificate), "bad": requests.certs.where()}
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", files.pop(first))
    monkeypatch.setenv("CURL_CA_BUNDLE", *files.values())
    client = connect(base_url=tls_service.url, access_token=tls_service.token)
    if works:
        get(client)
    else:
        assert "certificate verify failed" in reason(get, client)


def test_a_ca_path_that_is_not_there(connect: Connect) -> None:
    said = reason(get, connect(base_url="https://127.0.0.1:9", ca_path="/not/there.pem"))
    assert "/not/there.pem" in said


def test_shouting_in_plain_http_at_a_tls_port(connect: Connect, tls_service: Service) -> None:
    base_url = tls_service.url.replace("https", "http")
    with pytest.raises(ServiceError):
        get(connect(base_url=base_url, retries=0))


def test_the_service_is_told_which_version_asks(connect: Any, zone: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    zone.holds("")
    sent = []
    send = HTTPAdapter.send

    def look(adapter: HTTPAdapter, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        sent.append(request.headers["User-Agent"])
        return send(adapter, request, **options)

    monkeypatch.setattr(HTTPAdapter, "send", look)
    connect().read_zone("example.com.")
    galaxy = pathlib.Path(__file__).parents[3].joinpath("galaxy.yml").read_text(encoding="utf-8")
    assert sent == [f"zonesmith.dns/{re.findall('^version: (.*)$', galaxy, re.MULTILINE)[0]}"]
