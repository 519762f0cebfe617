# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One request as it is sent, and what it means that no answer came, to the letter. Services are in test_client.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import requests
from requests.exceptions import ConnectTimeout, InvalidProxyURL, InvalidURL, ReadTimeout
from urllib3.exceptions import (
    DecodeError,
    MaxRetryError,
    NewConnectionError,
)

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    ServiceError,
    TransientFailure,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._api.sender import Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._api.transport import (
    AnswerBroken,
    AnswerRefused,
    AnswerTooSlow,
    BoundedAdapter,
)

pytestmark = pytest.mark.usefixtures("home")

TOKEN = "token-that-nobody-may-see"
URL = "https://dns.example.com:8443/api"
HOST = "dns.example.com:8443"
GOOD = {"status": "Success", "data": {"records": []}}


def sender(url: str = URL, connections: int = 1, token: str = TOKEN, **options: Any) -> Sender:
    return Sender(Connection(url, token, **options), connections)


# What is sent


def test_a_request_to_the_letter(recorder: Any) -> None:
    one = sender(f"{recorder.url}/api/")
    assert one.send("GET", "/zones", None, None).envelope == GOOD
    assert (
        one.send("POST", "/zones/a%2Fb/records", None, {"content": "é", "ttl": 300}).envelope
        == GOOD
    )
    assert (
        one.send("DELETE", "/zones", {"name": "*.example.com.", "type": "A"}, None).envelope == GOOD
    )
    body = b'{"content": "\\u00e9", "ttl": 300}'
    of_all = {
        "Host": recorder.url.removeprefix("http://"),
        "User-Agent": "zonesmith.dns/1.0.0",
        "Accept-Encoding": "gzip",
        "Accept": "application/json",
        "Connection": "keep-alive",
        "Authorization": f"Bearer {TOKEN}",
    }
    assert [(sent.method, sent.path, sent.headers, sent.body) for sent in recorder.requests] == [
        ("GET", "/api/zones", of_all, b""),
        (
            "POST",
            "/api/zones/a%2Fb/records",
            {**of_all, "Content-Type": "application/json", "Content-Length": str(len(body))},
            body,
        ),
        (
            "DELETE",
            "/api/zones?name=%2A.example.com.&type=A",
            {**of_all, "Content-Length": "0"},
            b"",
        ),
    ]


Requests = list[tuple[str, int, dict[str, Any]]]


@pytest.fixture
def requests_made(monkeypatch: pytest.MonkeyPatch) -> Requests:
    """Of each request the URL, how many connections are kept, and how it is to be sent, in place of sending it."""
    requests_made: Requests = []

    def send(adapter: Any, request: Any, **options: Any) -> Any:
        requests_made.append((request.url, adapter._pool_maxsize, options))
        raise AnswerTooSlow

    monkeypatch.setattr(BoundedAdapter, "send", send)
    return requests_made


@pytest.mark.parametrize(
    ("options", "environment", "verify"),
    [
        ({}, {}, True),
        ({}, {"REQUESTS_CA_BUNDLE": "/its.pem"}, "/its.pem"),
        ({}, {"CURL_CA_BUNDLE": "/its.pem"}, "/its.pem"),
        ({}, {"REQUESTS_CA_BUNDLE": "/its.pem", "CURL_CA_BUNDLE": "/other.pem"}, "/its.pem"),
        ({"ca_path": "/my.pem"}, {}, "/my.pem"),
        ({"ca_path": "/my.pem"}, {"REQUESTS_CA_BUNDLE": "/its.pem"}, "/my.pem"),
        ({"validate_certs": False}, {}, False),
        ({"validate_certs": False, "ca_path": "/my.pem"}, {}, False),
        ({"validate_certs": False}, {"REQUESTS_CA_BUNDLE": "/its.pem"}, False),
    ],
)
def test_whom_a_request_believes(
    options: dict[str, Any],
    environment: dict[str, str],
    verify: Any,
    requests_made: Requests,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(TransientFailure):
        sender(connections=7, timeout=2.5, **options).send("GET", "/zones", None, None)
    assert requests_made == [
        (
            f"{URL}/zones",
            7,
            {"timeout": 2.5, "proxies": {}, "stream": True, "verify": verify, "cert": None},
        )
    ]


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("http://127.0.0.1:8080", None),
        ("http://localhost", None),
        ("https://[::1]", None),
        ("http://dns.example.com", "http://proxy:3128"),
        ("https://dns.example.com", "http://proxy:3129"),
    ],
)
def test_who_is_asked_in_place_of_the_service(
    url: str, proxy: str | None, requests_made: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody where it is on this machine: plain http is allowed there because nobody else sees it."""
    monkeypatch.setenv("http_proxy", "http://proxy:3128")
    monkeypatch.setenv("https_proxy", "http://proxy:3129")
    with pytest.raises(TransientFailure):
        sender(url, allow_insecure_http=True).send("GET", "/zones", None, None)
    ((asked, _kept, options),) = requests_made
    assert asked == f"{url}/zones"
    assert options["proxies"].get(url.partition(":")[0]) == proxy


# What comes back


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_answer_that_says_nothing_is_enough_for_who_writes(recorder: Any, method: str) -> None:
    recorder.answers(json.dumps(GOOD).encode(), status=202)
    assert sender(recorder.url).send(method, "/zones", None, None).is_confirmed is (method == "GET")


def test_the_token_is_in_no_words_of_the_service(recorder: Any) -> None:
    recorder.answers(f"No {TOKEN}".encode(), status=400)
    with pytest.raises(ServiceError, match=r"^the service answered 400: No \*{8}$"):
        sender(recorder.url).send("GET", "/zones", None, None)


def within(inner: BaseException, error: Exception) -> Exception:
    """An error that was raised while another was being dealt with."""
    error.__context__ = inner
    return error


POOL: Any = "HTTPSConnectionPool(host='dns.example.com', port=8443)"
REFUSED = within(
    ConnectionRefusedError(111, "Connection refused"), NewConnectionError(POOL, "Failed to connect")
)

# What is raised where a request is sent -> what is said, whether it may pass, whether nothing can have been done.
NO_ANSWER: dict[str, tuple[Exception, str, bool, bool]] = {
    "no connection in time": (
        ConnectTimeout(MaxRetryError(POOL, "/", TimeoutError())),
        f"{HOST} did not accept a connection within 30 s (see base_url and timeout)",
        True,
        True,
    ),
    "no answer in time": (
        ReadTimeout("Read timed out."),
        f"{HOST} did not answer within 30 s (see timeout)",
        True,
        False,
    ),
    "no end in time": (
        AnswerTooSlow(),
        f"{HOST} began to answer but had not finished after 300 s (see timeout)",
        True,
        False,
    ),
    "refused": (
        requests.exceptions.ConnectionError(MaxRetryError(POOL, "/", REFUSED)),
        f"cannot connect to {HOST}: Connection refused (see base_url)",
        True,
        True,
    ),
    "broken, with an address": (
        requests.exceptions.ConnectionError(
            "<HTTPSConnection(host='x') at 0x7f>: Gone <away> at once"
        ),
        f"the connection to {HOST} broke: Gone at once",
        True,
        False,
    ),
    "broken, in words of two": (
        DecodeError("broken", "no gzip"),
        f"the connection to {HOST} broke: no gzip",
        True,
        False,
    ),
    "with the token in it": (
        requests.exceptions.ConnectionError(f"reset after {TOKEN}"),
        f"the connection to {HOST} broke: reset after ********",
        True,
        False,
    ),
    "no URL": (
        InvalidURL("Invalid URL 'https://': No host supplied"),
        f"the request to {HOST} could not be sent: Invalid URL 'https://': No host supplied (see base_url)",
        False,
        False,
    ),
    "no proxy": (
        InvalidProxyURL("Please check proxy URL."),
        f"the request to {HOST} could not be sent: Please check proxy URL (see the proxies in the environment)",
        False,
        False,
    ),
    "no host of a proxy": (
        TypeError("can only concatenate str"),
        f"the request to {HOST} could not be sent: can only concatenate str (see the proxies in the environment)",
        False,
        False,
    ),
    "no bundle": (
        OSError("Could not find a bundle, invalid path: /my.pem"),
        (
            f"the request to {HOST} could not be sent: Could not find a bundle, invalid path: /my.pem (see "
            "REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE in the environment)"
        ),
        False,
        False,
    ),
    "no port": (
        OverflowError("port must be 0-65535."),
        f"the request to {HOST} could not be sent: port must be 0-65535 (see base_url)",
        False,
        False,
    ),
}


def _raises(error: Exception) -> Callable[..., None]:
    def send(*_given: Any, **_options: Any) -> None:
        raise error

    return send


def failed(
    method: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> ServiceError | TransientFailure:
    """How a request ends where this is raised in place of an answer."""

    monkeypatch.setattr(BoundedAdapter, "send", _raises(error))
    with pytest.raises((ServiceError, TransientFailure)) as ended:
        sender().send(method, "/zones", None, None)
    assert ended.value.__cause__ is error
    return ended.value


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("error", "message", "may_pass", "not_carried_out"), NO_ANSWER.values(), ids=NO_ANSWER
)
def test_what_it_means_that_no_answer_came(
    error: Exception,
    message: str,
    may_pass: bool,
    not_carried_out: bool,
    method: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = failed(method, error, monkeypatch)
    assert isinstance(ended, TransientFailure) == may_pass
    if isinstance(ended, TransientFailure):
        assert ended.not_carried_out == not_carried_out
        assert not ended.is_throttled
        ended = ended.error
    assert str(ended) == message
    assert ended.status_code is None


@pytest.mark.parametrize(
    ("method", "error", "may_pass"),
    [
        ("GET", AnswerRefused, False),
        ("GET", AnswerBroken, True),
        ("POST", AnswerRefused, True),
        ("POST", AnswerBroken, True),
        ("DELETE", AnswerRefused, True),
    ],
)
def test_an_answer_that_is_not_read(
    method: str, error: Callable[[str], Exception], may_pass: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reading of another time would be the same; a write may have been carried out."""
    ended = failed(method, error("sent too much"), monkeypatch)
    assert isinstance(ended, TransientFailure) == may_pass
    if isinstance(ended, TransientFailure):
        assert not ended.not_carried_out
        ended = ended.error
    assert str(ended) == f"{HOST} sent too much"


def test_errors_in_a_circle_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Circular(OSError):
        def __str__(self) -> str:
            return "in a circle"

    error = Circular()
    error.args = (error,)
    assert (
        str(failed("GET", error, monkeypatch))
        == f"the request to {HOST} could not be sent: in a circle (see base_url)"
    )
