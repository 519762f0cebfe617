# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers of a service that means harm: without an end, larger than they look, slow, or of a kind nobody expects."""

from __future__ import annotations

import gzip
import itertools
import json
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import pytest
from raw import RawServer, as_json, whole

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection

pytestmark = pytest.mark.any_core

TOKEN = "token-that-nobody-may-see"
TIMEOUT = 0.3
AMPLE = 30
PACE = 0.05
MIB = 1024 * 1024
ENOUGH = 96
"""MiB of what is endless: far above the bound, and still harmless where the bound is missing."""
LONG_ENOUGH = 20
"""Seconds, of what drips."""
OK = b"HTTP/1.1 200 OK\r\n"
GOOD = {"name": "example.com.", "type": "SOA", "ttl": 60, "contents": ["ns1. host. 1 2 3 4 5"]}
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
ELSEWHERE = "Location: https://elsewhere.example/"
MOVED = "302 Found"
MOVED_ELSEWHERE = f"HTTP/1.1 {MOVED}\r\n{ELSEWHERE}\r\n\r\n".encode()
BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\n"
TOO_LARGE = "sent an answer with more than 64 MiB, which is too much"
TOO_MANY = "sent an answer with more than 4,000,000 values, which is too many"
TOO_SLOW = "began to answer but had not finished after 3 s"
CODED = "sent an answer in an encoding that was not requested"
ODD = "the service's answer does not follow the specification: "
NO_JSON = "something that is not a JSON object"


def zone(*record_sets):
    """The body of a zone with an SOA and these record sets."""
    return json.dumps({"status": "Success", "data": {"records": [GOOD, *record_sets]}}).encode()


def dripping(before, pace, drop=b"x"):
    """Some bytes, then one after the other, for so long that only a bound ends it sooner."""

    def parts():
        yield before
        for _drop in range(int(LONG_ENOUGH / pace)):
            time.sleep(pace)
            yield drop

    return parts


def flooding(before, flood=b" " * MIB):
    """Some bytes, then as many as fit, as fast as they are taken."""
    return lambda: itertools.chain([before], itertools.repeat(flood, ENOUGH * MIB // len(flood)))


def bomb(layers, *headers, status="200 OK"):
    """Few bytes that become many."""
    body = gzip.compress(b" " * (ENOUGH * MIB), 1)
    for _layer in range(layers - 1):
        body = gzip.compress(body, 9)
    return whole(body, "Content-Encoding: " + ", ".join(["gzip"] * layers), *headers, status=status)


def hostile_server(answers):
    """It answers by the first segment of the path; what a proxy is asked has none, and its name is empty."""

    def answer(request):
        chosen = answers[request.path.partition("/")[2].partition("/")[0]]
        return chosen() if callable(chosen) else chosen

    return RawServer(answer)


def slowly(body):
    """A good answer in parts, none of which is late, that takes longer than one time-out."""
    head = OK + b"Content-Length: %d\r\n\r\n" % len(body)
    return [head, *(body[start : start + 8] for start in range(0, len(body), 8))]


def a_set(**fields):
    """A record set, good but for what is given."""
    return {
        "name": "www.example.com.",
        "type": "A",
        "ttl": 300,
        "contents": ["192.0.2.1"],
        **fields,
    }


def ttl(text):
    """A zone with a TTL that is written like this."""
    return whole(zone(a_set(ttl="@")).replace(b'"@"', text.encode()))


ENDLESS = {
    "endless-body": (flooding(OK + b"\r\n"), TOO_LARGE),
    "endless-chunks": (flooding(CHUNKED, b"100000\r\n" + b" " * MIB + b"\r\n"), TOO_LARGE),
    "endless-chunk": (flooding(CHUNKED + b"fffffffffff\r\n"), TOO_LARGE),
    "endless-chunk-line": (flooding(CHUNKED, b"0" * MIB), "the connection to"),
    "endless-header": (flooding(OK + b"X: "), "the connection to"),
    "endless-headers": (flooding(OK, b"X: y\r\n" * 1024), "the connection to"),
    "announced": (flooding(OK + b"Content-Length: 9999999999999\r\n\r\n"), TOO_LARGE),
    "endless-redirect": (flooding(MOVED_ELSEWHERE), TOO_LARGE),
    "endless-failure": (flooding(BAD_GATEWAY + b"\r\n"), TOO_LARGE),
}
CODINGS = {
    "gzip": (whole(gzip.compress(zone()), "Content-Encoding: gzip"), None),
    "gzip-bomb": (bomb(1), TOO_LARGE),
    "two-layers": (bomb(2), CODED),
    "six-layers": (bomb(6), CODED),
    "six-layers-of-redirect": (bomb(6, ELSEWHERE, status=MOVED), CODED),
    "six-headers": (whole(gzip.compress(zone()), *["Content-Encoding: gzip"] * 6), CODED),
    "brotli": (whole(b"\x0b\x02\x80", "Content-Encoding: br"), CODED),
    "no-gzip": (whole(zone(), "Content-Encoding: gzip"), "sent a broken answer, which is not gzip"),
    "half-a-gzip": (
        whole(gzip.compress(zone())[:-9], "Content-Encoding: gzip"),
        "sent a broken answer, whose gzip data ends too early",
    ),
}
SLOW = {
    "drip-status": (dripping(b"HTTP/1.1 200 ", PACE), TOO_SLOW),
    "drip-header": (dripping(OK + b"X: ", PACE), TOO_SLOW),
    "drip-headers": (dripping(OK, PACE, b"X: y\r\n"), TOO_SLOW),
    "drip-body": (dripping(OK + b"\r\n", PACE), TOO_SLOW),
    "drip-announced": (dripping(OK + b"Content-Length: 5000\r\n\r\n", PACE), TOO_SLOW),
    "drip-chunk": (dripping(CHUNKED + b"5000\r\n", PACE), TOO_SLOW),
    "drip-chunk-size": (dripping(CHUNKED, PACE, b"0"), TOO_SLOW),
    "drip-trailers": (dripping(CHUNKED + b"0\r\n", PACE, b"X: y\r\n"), TOO_SLOW),
    "drip-continue": (dripping(b"", PACE, b"HTTP/1.1 100 Continue\r\n\r\n"), TOO_SLOW),
    "drip-redirect": (dripping(MOVED_ELSEWHERE, PACE), TOO_SLOW),
    "stops": ([OK + b"Content-Length: 5000\r\n\r\n", b"x" * 100], "the connection to"),
    "in-parts": (slowly(zone()), None),
}
ODD_JSON = {
    "deep": (whole(b'{"status":' + b"[" * 100_000), NO_JSON),
    "deeper": (whole(b"[" * (5 * MIB)), TOO_MANY),
    "digits": (ttl("9" * 1_000_000), "records[1].ttl is not from 0 to 2147483647"),
    "two-of-a-key": (
        whole(zone(a_set()).replace(b'"ttl": 300', b'"ttl": 1e999, "ttl": 300')),
        None,
    ),
    "many-values": (whole(zone(a_set(contents=["x"] * 4_100_000))), TOO_MANY),
    "empty-objects": (whole(b"[" + b"{}," * (10 * MIB) + b"{}]"), TOO_MANY),
    "long-value": (whole(zone(a_set(type="TXT", contents=["x" * MIB]))), None),
    "escapes": (
        whole(b'{"message": "\\u001b]0;title\\u0007"}'),
        r"status None instead of Success: \x1b]0;title\x07",
    ),
}
ANSWERS = {**ENDLESS, **CODINGS, **SLOW, **ODD_JSON}


def listed(**fields):
    """A list with one zone, good but for what is given."""
    item = {"name": "example.com", "slug": "examplecom", "status": True, **fields}
    return as_json({"status": "Success", "data": [item], "total": 1})


LISTS = {
    "slug-half": (listed(slug="a\ud800"), rf"{ODD}data[0].slug contains half a character, a\ud800"),
    "slug-long": (listed(slug="a" * 10 * MIB), f"{ODD}data[0].slug has more than 1024 characters"),
    "name-half": (
        listed(name="\udc80.example"),
        rf"{ODD}data[0].name contains half a character, \udc80.example",
    ),
    "name-long": (listed(name="ä." * MIB), f"{ODD}data[0].name has more than 1024 characters"),
    "many-zones": (
        whole(b'{"data": [' + b'{"name": "a", "slug": "b"},' * 2_100_000 + b"1]}"),
        TOO_MANY,
    ),
}


@dataclass(frozen=True)
class Measured:
    """What the client made of each answer, None where it took it, and the most MiB of a process that read them."""

    reasons: dict[str, str | None]
    memory: float


def _reason(url, *, lists=False, timeout=AMPLE):
    client = Client(Connection(url, TOKEN, timeout=timeout, retries=0))
    try:
        client.list_zones() if lists else client.read_record_sets("examplecom")
    except ServiceError as error:
        return str(error)
    return None


def _memory():
    """The most MiB that this process has used. (What rusage says begins with the process before it.)"""
    return (
        int(Path("/proc/self/status").read_text(encoding="utf-8").partition("VmHWM:")[2].split()[0])
        / 1024
    )


@pytest.fixture(scope="module")
def measured():
    """What the client says: the slow ones at once, the others one after the other in a process without the service."""
    with hostile_server(
        {name: parts for name, (parts, _said) in {**ANSWERS, **LISTS}.items()}
    ) as hostile:
        with ThreadPoolExecutor(len(SLOW)) as pool:
            slow = pool.map(lambda name: _reason(f"{hostile.url}/{name}", timeout=TIMEOUT), SLOW)
            reasons = dict(zip(SLOW, slow, strict=True))
        with ProcessPoolExecutor(1, get_context("spawn")) as reader:
            for name in ENDLESS | CODINGS | ODD_JSON | LISTS:
                reasons[name] = reader.submit(
                    _reason, f"{hostile.url}/{name}", lists=name in LISTS
                ).result()
            return Measured(reasons, reader.submit(_memory).result())


@pytest.mark.parametrize(
    "name, expected", [(name, row[1]) for name, row in {**ANSWERS, **LISTS}.items()]
)
def test_every_answer_comes_to_an_end(measured, name, expected):
    reason = measured.reasons[name]
    if expected is None:
        assert reason is None
    else:
        assert expected in str(reason)
        assert str(reason).isprintable()
        assert len(str(reason)) < 500


def test_all_that_takes_bounded_memory(measured):
    assert measured.memory < 384


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_comes_to_an_end_too(monkeypatch, scheme):
    with hostile_server({"": dripping(OK + b"X: ", PACE)}) as proxy:
        monkeypatch.setenv(f"{scheme}_proxy", proxy.url)
        url = f"{scheme}://dns.example.com"
        connection = Connection(url, TOKEN, allow_insecure_http=True, timeout=TIMEOUT, retries=0)
        with pytest.raises(ServiceError, match=TOO_SLOW):
            Client(connection).list_zones()
