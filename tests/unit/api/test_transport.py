# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers that would not end: how much is read of one, and for how long by a clock that tests make."""

import gzip
import io
import socket
from contextlib import contextmanager

import pytest
import requests
from urllib3 import HTTPResponse
from urllib3.exceptions import IncompleteRead

from ansible_collections.zonesmith.dns.plugins.module_utils._api import transport
from ansible_collections.zonesmith.dns.plugins.module_utils._api.transport import (
    AnswerBroken,
    AnswerRefused,
    AnswerTooSlow,
    BoundedAdapter,
    content_of,
)

MIB = 1024 * 1024
TOO_LARGE = "sent an answer with more than 64 MiB, which is too much"


class Body(io.BytesIO):
    """A body that tells how much was read of it, and whether it was let go of."""

    def __init__(self, content):
        super().__init__(content)
        self.took = 0

    def read(self, size=-1, /):
        part = super().read(size)
        self.took += len(part)
        return part


def answer(body, coding=None, **headers):
    """What the adapter gives, with this body still to be read."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if coding is not None:
        named["Content-Encoding"] = coding
    response = requests.Response()
    response.status_code = 200
    response.headers.update(named)
    stream = body if isinstance(body, Body) else Body(body)
    response.raw = HTTPResponse(stream, named, 200, preload_content=False, decode_content=True)
    return response


# What is read


@pytest.mark.parametrize("coding", [None, "", "IDENTITY "])
def test_a_body_is_read_as_it_comes(coding):
    assert content_of(answer(b'{"a":1}', coding)) == b'{"a":1}'


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", " GZip"])
def test_a_body_in_gzip_is_decompressed_once(coding):
    packed = gzip.compress(b'{"a":1}', mtime=0)
    assert content_of(answer(packed, coding)) == b'{"a":1}'
    assert content_of(answer(packed, "identity")) == packed
    assert content_of(answer(gzip.compress(packed), coding)) == packed
    assert content_of(answer(b"", coding)) == b"", "an answer may have no body"


# What is not


@pytest.mark.parametrize("coding", ["br", "gzip, gzip", "xgzip"])
def test_a_coding_that_was_not_asked_for_is_not_read(coding):
    body = Body(b'{"a":1}')
    with pytest.raises(
        AnswerRefused, match=r"^sent an answer in an encoding that was not requested$"
    ):
        content_of(answer(body, coding))
    assert (body.took, body.closed) == (0, True)


def test_an_answer_that_says_that_it_is_too_large_is_not_read():
    body = Body(b"x")
    with pytest.raises(AnswerRefused, match=f"^{TOO_LARGE}$"):
        content_of(answer(body, Content_Length=str(64 * MIB + 1)))
    assert (body.took, body.closed) == (0, True)
    with pytest.raises(
        IncompleteRead, match=f"0 bytes read, {64 * MIB} more"
    ):  # of so many all would be read
        content_of(old(b"", announced=64 * MIB))


def test_an_answer_is_not_read_further_than_it_may_be_large(monkeypatch):
    monkeypatch.setattr(transport, "LARGEST", MIB)
    whole = b"x" * MIB
    assert content_of(answer(whole, Content_Length=str(MIB))) == whole
    body = Body(whole * 9)
    with pytest.raises(AnswerRefused, match=r"^sent an answer with more than"):
        content_of(answer(body))
    assert MIB < body.took < 2 * MIB
    assert body.closed


def test_an_answer_is_not_decompressed_further_than_it_may_be_large(monkeypatch):
    monkeypatch.setattr(transport, "LARGEST", 1000)
    assert content_of(answer(gzip.compress(b"x" * 1000), "gzip")) == b"x" * 1000
    with pytest.raises(AnswerRefused, match=r"^sent an answer with more than") as refused:
        content_of(answer(gzip.compress(b"x" * 1001), "gzip"))
    assert not isinstance(refused.value, AnswerBroken)


@pytest.mark.parametrize("more", [b",", b"[", b"{"])
def test_an_answer_has_no_more_values_than_memory_is_for(more, monkeypatch):
    many = b'[1,{"a":[]}]'
    monkeypatch.setattr(transport, "MOST_JSON_VALUES", 4)
    assert content_of(answer(many)) == many
    with pytest.raises(
        AnswerRefused, match=r"^sent an answer with more than 4 values, which is too many$"
    ):
        content_of(answer(many + more))


GZIP = gzip.compress(b'{"status": "Success"}', mtime=0)


@pytest.mark.parametrize("status, coding", [(400, "gzip"), (500, "br")])
def test_a_status_tells_more_than_a_body_that_cannot_be_read(status, coding):
    stream = Body(b"this is not gzip")
    response = answer(stream, coding)
    response.status_code = status
    assert content_of(response) == b""
    assert stream.closed


@pytest.mark.parametrize(
    "body, message",
    [
        (b"this is not gzip", "sent a broken answer, which is not gzip"),
        (GZIP[:-1], "sent a broken answer, whose gzip data ends too early"),
    ],
)
def test_gzip_that_is_broken(body, message):
    stream = Body(body)
    with pytest.raises(AnswerBroken, match=f"^{message}$"):
        content_of(answer(stream, "gzip"))
    assert stream.closed


class Old:
    """What urllib3 before 2 reads from: it says nothing of a body that ends too early."""

    def __init__(self, *parts, announced):
        self._parts = list(parts)
        self.length_remaining = announced

    def read(self, _size, *, decode_content):
        assert not decode_content
        part = self._parts.pop(0)
        if self.length_remaining is not None:
            self.length_remaining -= len(part)
        return part

    def close(self):
        """Nothing to let go of."""

    release_conn = close


def old(*parts, announced):
    """An answer that comes in these parts, and nothing is read after the last."""
    response = requests.Response()
    response.status_code = 200
    response.raw = Old(*parts, announced=announced)
    return response


def test_a_body_that_ends_too_early():
    with pytest.raises(IncompleteRead) as early:
        content_of(old(b"12", b"3", b"", announced=10))
    assert (early.value.partial, early.value.expected) == (3, 7)


@pytest.mark.parametrize("parts, announced", [([b"12", b"3"], 3), ([b"12", b"3", b""], None)])
def test_a_body_is_not_read_after_its_end(parts, announced):
    assert content_of(old(*parts, announced=announced)) == b"".join(parts)


# How long


class Ticking:
    """A clock that goes on by so many seconds with each look, the first of which is at 1000."""

    def __init__(self, *steps):
        self._now, self._steps = 1000.0, list(steps)

    def __call__(self):
        now = self._now
        self._now += self._steps.pop(0) if self._steps else 0
        return now


@pytest.fixture
def pair():
    """A connection, and its other end. A time-out of it is over at once."""
    here, there = socket.socketpair()
    here.settimeout(0.001)
    yield here, there
    here.close()
    there.close()


@contextmanager
def clocked(connection, monkeypatch, *steps):
    """What is received of a connection while the clock goes on so."""
    monkeypatch.setattr(transport, "monotonic", Ticking(*steps))
    with transport.Clocked(connection) as received:
        yield received


@pytest.mark.parametrize("spent, left", [(180, 20), (199.5, 0.5), (200, 0)])
def test_an_answer_may_take_ten_time_outs(spent, left, pair, monkeypatch):
    here, there = pair
    here.settimeout(20)
    there.sendall(b"123")
    with clocked(here, monkeypatch, spent) as received:
        if left:
            assert received.readinto(bytearray(8)) == 3
            assert here.gettimeout() == left
        else:
            with pytest.raises(AnswerTooSlow):
                received.readinto(bytearray(8))


@pytest.mark.parametrize("waited, error", [(0.001, TimeoutError), (0.5, AnswerTooSlow)])
def test_who_is_silent_for_one_time_out_has_not_answered(waited, error, pair, monkeypatch):
    """And who was not silent before has not come to an end, once all time is over."""
    here, _there = pair
    monkeypatch.setattr(transport, "SLOWEST", 500)
    with clocked(here, monkeypatch, 0, waited) as received, pytest.raises(error) as failed:
        received.readinto(bytearray(8))
    assert failed.value.__suppress_context__ is (error is AnswerTooSlow)


# Through an adapter


@pytest.mark.parametrize("host", ["", "http://dns.invalid"])
def test_the_clock_is_looked_at_with_proxies_too(recorder, host, monkeypatch):
    adapter = BoundedAdapter()
    request = requests.Request("GET", host or recorder.url).prepare()

    def send():
        proxies = {"http": recorder.url} if host else {}
        return adapter.send(request, stream=True, timeout=30, proxies=proxies)

    monkeypatch.setattr(transport, "monotonic", Ticking(299))
    assert content_of(send()).startswith(b'{"status": "Success"')
    monkeypatch.setattr(transport, "monotonic", Ticking(300))
    with pytest.raises(AnswerTooSlow):
        send()
