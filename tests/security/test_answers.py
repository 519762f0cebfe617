# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers of a service that means harm: without an end, larger than they look, slow, or of a kind nobody expects."""

import gzip
import itertools
import json
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from raw import RawServer, whole

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection

pytestmark = pytest.mark.any_core

TOKEN = "token-that-nobody-may-see"
TIMEOUT = 1.0
"""Seconds; on a busy machine, too, the next drop comes sooner. The whole answer has ten times as long."""
AMPLE = 30
PACE = 0.05
MIB = 1024 * 1024
ENOUGH = 96
"""MiB of what is endless: far above the bound, and still harmless where the bound is missing."""
LONG_ENOUGH = 20
"""Seconds, of what drips."""
OK = b"HTTP/1.1 200 OK\r\n"
SOA = {"name": "example.com.", "type": "SOA", "ttl": 60, "contents": ["ns1. host. 1 2 3 4 5"]}
ZONE = json.dumps({"status": "Success", "data": {"records": [SOA]}}).encode()
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
ELSEWHERE = "Location: https://elsewhere.example/"
MOVED = "302 Found"
MOVED_ELSEWHERE = f"HTTP/1.1 {MOVED}\r\n{ELSEWHERE}\r\n\r\n".encode()
TOO_LARGE = "sent an answer with more than 64 MiB, which is too much"
TOO_MANY = "sent an answer with more than 4,000,000 values, which is too many"
TOO_SLOW = "began to answer but had not finished after 10 s"
CODED = "sent an answer in an encoding that was not requested"
NO_JSON = "something that is not a JSON object"


def dripping(before, drop=b"x"):
    """Some bytes, then one after the other, for so long that only a bound ends it sooner."""

    def parts():
        yield before
        for _drop in range(int(LONG_ENOUGH / PACE)):
            time.sleep(PACE)
            yield drop

    return parts


def flooding(before, flood=b" " * MIB):
    """Some bytes, then as many as fit, as fast as they are taken."""
    return lambda: itertools.chain([before], itertools.repeat(flood, ENOUGH * MIB // len(flood)))


def bomb(layers, *headers, status="200 OK"):
    """Few bytes that become many."""
    body = b" " * (ENOUGH * MIB)
    for _layer in range(layers):
        body = gzip.compress(body, 1)
    return whole(body, "Content-Encoding: " + ", ".join(["gzip"] * layers), *headers, status=status)


def hostile_server(answers):
    """It answers by the first segment of the path; what a proxy is asked has none, and its name is empty."""

    def answer(request):
        chosen = answers[request.path.partition("/")[2].partition("/")[0]]
        return chosen() if callable(chosen) else chosen

    return RawServer(answer)


AT_ONCE = {
    "endless-body": (flooding(OK + b"\r\n"), TOO_LARGE),
    "endless-chunk": (flooding(CHUNKED + b"fffffffffff\r\n"), TOO_LARGE),
    "endless-chunk-line": (flooding(CHUNKED, b"0" * MIB), "the connection to"),
    "endless-header": (flooding(OK + b"X: "), "the connection to"),
    "endless-headers": (flooding(OK, b"X: y\r\n" * 1024), "the connection to"),
    "announced": (flooding(OK + b"Content-Length: 9999999999999\r\n\r\n"), TOO_LARGE),
    "endless-redirect": (flooding(MOVED_ELSEWHERE), TOO_LARGE),
    "gzip-bomb": (bomb(1), TOO_LARGE),
    "six-layers": (bomb(6), CODED),
    "six-layers-of-redirect": (bomb(6, ELSEWHERE, status=MOVED), CODED),
    "deep": (whole(b'{"status":' + b"[" * 100_000), NO_JSON),
    "digits": (
        whole(ZONE.replace(b"60", b"9" * 1_000_000)),
        "records[0].ttl is not from 0 to 2147483647",
    ),
    "empty-objects": (whole(b"[" + b"{}," * (10 * MIB) + b"{}]"), TOO_MANY),
    "escapes": (
        whole(b'{"message": "\\u001b]0;title\\u0007"}'),
        r"status None instead of Success: \x1b]0;title\x07",
    ),
}
SLOW = {
    "drip-status": (dripping(b"HTTP/1.1 200 "), TOO_SLOW),
    "drip-header": (dripping(OK + b"X: "), TOO_SLOW),
    "drip-body": (dripping(OK + b"\r\n"), TOO_SLOW),
    "drip-chunk-size": (dripping(CHUNKED, b"0"), TOO_SLOW),
    "drip-trailers": (dripping(CHUNKED + b"0\r\n", b"X: y\r\n"), TOO_SLOW),
    "drip-continue": (dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), TOO_SLOW),
    "stops": ([OK + b"Content-Length: 5000\r\n\r\n", b"x" * 100], "the connection to"),
}
ANSWERS = {**AT_ONCE, **SLOW}


def _reason(url, timeout=AMPLE):
    try:
        Client(Connection(url, TOKEN, timeout=timeout, retries=0)).read_record_sets("examplecom")
    except ServiceError as error:
        return str(error)
    return "It was taken."


def _memory():
    """The most MiB that this process has used. (What rusage says begins with the process before it.)"""
    return (
        int(Path("/proc/self/status").read_text(encoding="utf-8").partition("VmHWM:")[2].split()[0])
        / 1024
    )


@pytest.fixture(scope="module")
def measured():
    """What the client says, and the most MiB of a process that read what comes at once.

    The slow ones are read at once, the others one after the other in a process without the service.
    """
    with hostile_server({name: parts for name, (parts, _said) in ANSWERS.items()}) as hostile:
        with ThreadPoolExecutor(len(SLOW)) as pool:
            slow = pool.map(lambda name: _reason(f"{hostile.url}/{name}", TIMEOUT), SLOW)
            reasons = dict(zip(SLOW, slow, strict=True))
        with ProcessPoolExecutor(1, get_context("spawn")) as reader:
            for name in AT_ONCE:
                reasons[name] = reader.submit(_reason, f"{hostile.url}/{name}").result()
            return reasons, reader.submit(_memory).result()


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_comes_to_an_end(measured, name):
    reason = measured[0][name]
    assert ANSWERS[name][1] in reason
    assert reason.isprintable()
    assert len(reason) < 500


def test_all_that_takes_bounded_memory(measured):
    assert measured[1] < 384


def test_a_proxy_comes_to_an_end_too(monkeypatch):
    with hostile_server({"": dripping(OK + b"X: ")}) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        connection = Connection("https://dns.example.com", TOKEN, timeout=TIMEOUT, retries=0)
        with pytest.raises(ServiceError, match=TOO_SLOW):
            Client(connection).list_zones()
