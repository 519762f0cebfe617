# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One request as it is sent, and what it means that no answer came, to the letter. Services are in test_client.py."""

import json
import ssl

import pytest
import requests
from requests.exceptions import (
    ConnectTimeout,
    ReadTimeout,
    SSLError,
)
from shorthand import named_rows
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


def sender(url=URL, connections=1, token=TOKEN, **options):
    return Sender(Connection(url, token, **options), connections)


# What is sent


def test_a_request_to_the_letter(recorder):
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


@pytest.fixture
def requests_made(monkeypatch):
    """Of each request the URL, how many connections are kept, and how it is to be sent, in place of sending it."""
    requests_made = []

    def send(adapter, request, **options):
        requests_made.append(
            (request.url, adapter.poolmanager.connection_pool_kw["maxsize"], options)
        )
        raise AnswerTooSlow

    monkeypatch.setattr(BoundedAdapter, "send", send)
    return requests_made


def asked_for(url, requests_made, **options):
    """What becomes of one request: its URL, how many connections are kept, and how it is sent."""
    with pytest.raises(TransientFailure):
        sender(url, **options).send("GET", "/zones", None, None)
    (made,) = requests_made
    return made


@pytest.mark.parametrize(
    "options, environment, verify",
    [
        ({}, {}, True),
        ({}, {"CURL_CA_BUNDLE": "/its.pem"}, "/its.pem"),
        ({"ca_path": "/my.pem"}, {"REQUESTS_CA_BUNDLE": "/its.pem"}, "/my.pem"),
        (
            {"validate_certs": False, "ca_path": "/my.pem"},
            {"REQUESTS_CA_BUNDLE": "/its.pem"},
            False,
        ),
    ],
)
def test_whom_a_request_believes(options, environment, verify, requests_made, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert asked_for(URL, requests_made, connections=7, timeout=2.5, **options) == (
        f"{URL}/zones",
        7,
        {"timeout": 2.5, "proxies": {}, "stream": True, "verify": verify, "cert": None},
    )


@pytest.mark.parametrize(
    "url, proxy",
    [
        ("http://127.0.0.1:8080", None),
        ("http://dns.example.com", "http://proxy:3128"),
        ("https://[::1]", None),
        ("https://dns.example.com", "http://proxy:3129"),
    ],
)
def test_who_is_asked_in_place_of_the_service(url, proxy, requests_made, monkeypatch):
    """Nobody where it is on this machine: plain http is allowed there because nobody else sees it."""
    monkeypatch.setenv("http_proxy", "http://proxy:3128")
    monkeypatch.setenv("https_proxy", "http://proxy:3129")
    asked, _kept, options = asked_for(url, requests_made, allow_insecure_http=True)
    assert asked == f"{url}/zones"
    assert options["proxies"].get(url.partition(":")[0]) == proxy


# What comes back


def test_the_token_is_in_no_words_of_the_service(recorder):
    recorder.answers(f"No {TOKEN}".encode(), status=400)
    with pytest.raises(ServiceError, match=r"^the service answered 400: No \*{8}$"):
        sender(recorder.url).send("GET", "/zones", None, None)


def within(inner, error):
    """An error that was raised while another was being dealt with."""
    error.__context__ = inner
    return error


POOL = "HTTPSConnectionPool(host='dns.example.com', port=8443)"
REFUSED = within(
    ConnectionRefusedError(111, "Connection refused"), NewConnectionError(POOL, "Failed to connect")
)

FOR_GOOD, MAY_PASS, NOT_SENT = "it is so for good", "it may pass", "it may pass; nothing was sent"

# What is raised where a request is sent -> what is said, and what it means. tests/unit/modules/test_first_run.py has more.
NO_ANSWER = {
    "no connection in time": (
        ConnectTimeout(MaxRetryError(POOL, "/", TimeoutError())),
        f"{HOST} did not accept a connection within 30 s (see timeout)",
        NOT_SENT,
    ),
    "no answer in time": (
        ReadTimeout("Read timed out."),
        f"{HOST} did not answer within 30 s (see timeout)",
        MAY_PASS,
    ),
    "no end in time": (
        AnswerTooSlow(),
        f"{HOST} began to answer but had not finished after 300 s (see timeout)",
        MAY_PASS,
    ),
    "refused": (
        requests.exceptions.ConnectionError(MaxRetryError(POOL, "/", REFUSED)),
        f"cannot connect to {HOST}: Connection refused (see base_url)",
        NOT_SENT,
    ),
    "broken, with an address and the token": (
        requests.exceptions.ConnectionError(
            f"<HTTPSConnection(host='x') at 0x7f>: Gone <away> with {TOKEN}"
        ),
        f"the connection to {HOST} broke: Gone with ******** (see base_url)",
        MAY_PASS,
    ),
    "broken, in words of two": (
        DecodeError("broken", "no gzip"),
        f"the connection to {HOST} broke: no gzip (see base_url)",
        MAY_PASS,
    ),
    "no host of a proxy": (
        TypeError("can only concatenate str"),
        f"the request to {HOST} could not be sent: can only concatenate str (see the proxies in the environment)",
        FOR_GOOD,
    ),
    "no bundle": (
        OSError("Could not find a bundle, invalid path: /my.pem"),
        (
            f"the request to {HOST} could not be sent: Could not find a bundle, invalid path: /my.pem (see "
            "REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE in the environment)"
        ),
        FOR_GOOD,
    ),
    "no port": (
        OverflowError("port must be 0-65535."),
        f"the request to {HOST} could not be sent: port must be 0-65535 (see base_url)",
        FOR_GOOD,
    ),
}


def _raises(error):
    def send(*_given, **_options):
        raise error

    return send


def failed(method, error, monkeypatch):
    """How a request ends where this is raised in place of an answer."""

    monkeypatch.setattr(BoundedAdapter, "send", _raises(error))
    with pytest.raises((ServiceError, TransientFailure)) as ended:
        sender().send(method, "/zones", None, None)
    assert ended.value.__cause__ is error
    return ended.value


def meaning(ended):
    """What is said, and what it means."""
    if not isinstance(ended, TransientFailure):
        return str(ended), FOR_GOOD
    assert not ended.is_throttled
    return str(ended.error), NOT_SENT if ended.not_carried_out else MAY_PASS


@named_rows("error, message, means", NO_ANSWER)
def test_what_it_means_that_no_answer_came(error, message, means, monkeypatch):
    assert meaning(failed("POST", error, monkeypatch)) == (message, means)


def unverified(code):
    """What is raised where OpenSSL refuses a certificate."""
    error = ssl.SSLCertVerificationError(1, "certificate verify failed: Not so")
    error.verify_code = code
    error.reason = "CERTIFICATE_VERIFY_FAILED"
    return SSLError(MaxRetryError(POOL, "/", error))


def without_tls():
    """What is raised where there is no TLS."""
    error = ssl.SSLError(1, "wrong version number")
    error.reason = "WRONG_VERSION_NUMBER"
    return SSLError(MaxRetryError(POOL, "/", error))


ANEW = " (Python 3.13 and newer refuse such a certificate: it has to be issued anew)"


@pytest.mark.parametrize(
    "code, hint",
    [
        (20, " (see ca_path)"),
        # What it takes to be valid, and the host.
        (62, ""),
        # What RFC 5280 asks for.
        (78, " (see ca_path)"),
        (79, ANEW),
        (94, ANEW),
        (95, " (see ca_path)"),
    ],
)
def test_what_helps_against_a_certificate_that_is_refused(code, hint, monkeypatch):
    ended = failed("GET", unverified(code), monkeypatch)
    assert (
        str(ended)
        == f"the TLS connection to {HOST} failed: certificate verify failed: Not so{hint}"
    )


# What is said of a service that has answered before: whatever it is, it is not base_url.
LATER = {
    "refused": (NO_ANSWER["refused"][0], "cannot connect to {at}: Connection refused"),
    "no connection in time": (
        NO_ANSWER["no connection in time"][0],
        "{at} did not accept a connection within 30 s (see timeout)",
    ),
    "reset": (
        requests.exceptions.ConnectionError(ConnectionResetError(104, "Connection reset by peer")),
        "the connection to {at} broke: Connection reset by peer",
    ),
    "no TLS": (without_tls(), "the TLS connection to {at} failed: wrong version number"),
}


@named_rows("error, message", LATER)
def test_in_the_middle_of_a_run_no_error_hints_at_base_url(recorder, error, message, monkeypatch):
    recorder.answers(json.dumps(GOOD).encode())
    one = sender(recorder.url)
    one.send("GET", "/zones", None, None)
    monkeypatch.setattr(BoundedAdapter, "send", _raises(error))
    with pytest.raises((ServiceError, TransientFailure)) as ended:
        one.send("GET", "/zones", None, None)
    said = getattr(ended.value, "error", ended.value)
    assert str(said) == message.format(at=recorder.url.removeprefix("http://"))


def test_a_page_in_the_middle_of_a_run_is_the_services_own(recorder):
    one = sender(recorder.url)
    for has_answered in (False, True):
        recorder.answers(b"<!doctype html><title>Maintenance</title>", status=404)
        with pytest.raises(ServiceError, match="Maintenance") as ended:
            one.send("GET", "/zones", None, None)
        assert str(ended.value).endswith("see base_url)") is not has_answered
        recorder.answers(json.dumps(GOOD).encode())
        one.send("GET", "/zones", None, None)


@pytest.mark.parametrize(
    "method, error, means",
    [
        ("GET", AnswerRefused, FOR_GOOD),
        ("GET", AnswerBroken, MAY_PASS),
        ("POST", AnswerRefused, MAY_PASS),
    ],
)
def test_an_answer_that_is_not_read(method, error, means, monkeypatch):
    """A reading of another time would be the same; a write may have been carried out."""
    ended = failed(method, error("sent too much"), monkeypatch)
    assert meaning(ended) == (f"{HOST} sent too much", means)
