# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is made of an answer: given this status and body, this envelope, these words. Real HTTP is in test_client.py."""

import datetime
import email.utils
import json
import re
from types import SimpleNamespace

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    LONGEST_NAME,
    LONGEST_WAIT,
    Asked,
    ServiceError,
    TransientFailure,
    listed_zones,
    record_sets_of,
    redacted,
    success_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import SHOWN_CHARACTERS
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL

TOKEN = "token-that-nobody-may-see"
GOOD = {"status": "Success", "data": {}}
MOST_READ = 65_536  # characters


ASKED = " (requested GET https://dns.example/api/x; see base_url)"


def checked(status, body, *, writes=False, path="/x", **headers):
    """What an answer says."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response = SimpleNamespace(status_code=status, headers=named)
    return success_of(
        response,
        content,
        TOKEN,
        Asked("POST" if writes else "GET", "https://dns.example/api", path),
    )


@pytest.mark.parametrize(
    "status, body, is_confirmed",
    [
        (202, GOOD, False),
        (203, GOOD, True),
        (204, b"", False),
        (205, GOOD, True),
        (200, b"", False),
        (200, GOOD, True),
    ],
)
def test_a_write_that_is_accepted_is_not_always_confirmed(status, body, is_confirmed):
    assert checked(status, body, writes=True).is_confirmed is is_confirmed


@pytest.mark.parametrize(
    "status, body, headers, message, is_about_the_value",
    [
        (300, GOOD, {"Location": "/y"}, f"the service answered 300 and points to /y{ASKED}", False),
        (
            301,
            b"",
            {"Location": "/api/x"},
            f"the service answered 301 and points to /api/x{ASKED}",
            False,
        ),
        (
            301,
            b"",
            {"Location": "https://[/x"},
            f"the service answered 301 and points to https://[/x{ASKED}",
            False,
        ),
        (
            400,
            b"\n<!DOCTYPE HTML><p>No <b>way</b>.",
            {},
            f"the service answered 400: the HTML page 'No way .'{ASKED}",
            True,
        ),
        (401, {"message": "No."}, {}, "the service answered 401: No (see access_token)", False),
        (403, {"message": "No."}, {}, "the service answered 403: No (see access_token)", True),
        (404, {"message": "No."}, {}, "the service answered 404: No.", True),
        (
            405,
            b"<html><title>\nNo</title>way",
            {},
            f"the service answered 405: the HTML page 'No'{ASKED}",
            True,
        ),
        (
            407,
            {"message": "No."},
            {},
            "the service answered 407: No (see the proxies in the environment)",
            True,
        ),
        (422, b"", {}, "the service answered 422", True),
        (422, {"errors": ["no such type"]}, {}, 'the service answered 422: ["no such type"]', True),
        (400, {"message": ""}, {}, 'the service answered 400: {"message": ""}', True),
        (400, {"message": {"a": 1}}, {}, 'the service answered 400: {"message": {"a": 1}}', True),
        (400, b"no\n\tJSON  at all", {}, "the service answered 400: no JSON at all", True),
        (499, b"x", {}, "the service answered 499: x", True),
        (
            200,
            [],
            {},
            f"the service answered 200 with something that is not a JSON object: []{ASKED}",
            False,
        ),
        (
            200,
            {"a": 1},
            {},
            f'the service answered 200 with status None instead of Success: {{"a": 1}}{ASKED}',
            True,
        ),
        (
            200,
            {"status": "Failed", "message": "No."},
            {},
            "the service answered 200 with status Failed instead of Success: No.",
            True,
        ),
    ],
)
def test_an_answer_that_is_not(status, body, headers, message, is_about_the_value):
    with pytest.raises(ServiceError) as raised:
        checked(status, body, **headers)
    assert str(raised.value) == message
    assert raised.value.status_code == status
    assert raised.value.refuses_the_value == is_about_the_value


NO_OBJECT = [
    (200, b"<html>Please log in</html>", ": the HTML page 'Please log in'"),
    (200, b"", ""),
    (200, b"null", ": null"),
    (200, b'{"status": "Success"', ': {"status": "Success"'),
    (200, b"[" * 100_000, f": {'[' * SHOWN_CHARACTERS}"),
    (204, b"", ""),
]


@pytest.mark.parametrize("status, body, shown", NO_OBJECT)
def test_an_answer_without_an_object_is_no_reading_and_confirms_no_write(status, body, shown):
    with pytest.raises(ServiceError) as raised:
        checked(status, body)
    assert (
        str(raised.value)
        == f"the service answered {status} with something that is not a JSON object{shown}{ASKED}"
    )
    assert not checked(status, body, writes=True).is_confirmed


@pytest.mark.parametrize("status", [404, 405, 410])
def test_what_has_no_list_of_zones_is_not_the_service(status):
    with pytest.raises(
        ServiceError,
        match=r"No \(requested GET https://dns[.]example/api/dns/domains; see base_url\)$",
    ):
        checked(status, {"message": "No."}, path="/dns/domains")


@pytest.mark.parametrize("status", [403, 404, 405])
@pytest.mark.parametrize("body", [{"message": "No."}, b"<html>No."])
def test_a_write_that_is_refused_speaks_against_no_option(status, body):
    with pytest.raises(
        ServiceError, match=rf"^the service answered {status}: (No[.]|the HTML page 'No[.]')$"
    ):
        checked(status, body, writes=True, path="/dns/domains")


THROTTLED, CALLERS = {409, 423, 425, 429, 503}, {401, 408}


@pytest.mark.parametrize("status", [400, 401, *range(404, 430), 499, *range(500, 505), 599])
def test_what_a_status_says_of_the_next_try(status):
    with pytest.raises((ServiceError, TransientFailure)) as raised:
        checked(status, {"message": "No."})
    failed = raised.value
    assert isinstance(failed, TransientFailure) == (
        status in THROTTLED or status == 408 or status >= 500
    )
    if isinstance(failed, TransientFailure):
        assert failed.is_throttled == (status in THROTTLED)
        assert failed.not_carried_out == (status in (429, 503))
        failed = failed.error
    option = {401: " (see access_token)", 407: " (see the proxies in the environment)"}.get(status)
    assert str(failed) == f"the service answered {status}: No{option or '.'}"
    assert failed.refuses_the_value == (status < 500 and status not in THROTTLED | CALLERS)


def test_bytes_that_are_no_text_are_shown_as_such():
    with pytest.raises(ServiceError) as raised:
        checked(400, b"caf\xe9")
    assert str(raised.value) == "the service answered 400: caf\N{REPLACEMENT CHARACTER}"


WAIT = int(LONGEST_WAIT)
HOURS = "21600"
THEN = "before the next request: run the task again after"


@pytest.mark.parametrize(
    "after, message, wait",
    [
        (None, "Busy.", 0),
        ("7", "Busy.", 7),
        (str(WAIT), "Busy.", WAIT),
        (str(WAIT + 1), f"Busy, and asks to wait {WAIT + 1} s {THEN} 12:32 UTC", WAIT + 1),
        ("2800", f"Busy, and asks to wait 2800 s {THEN} 13:17 UTC", 2800),
        (HOURS, f"Busy, and asks to wait at least {HOURS} s {THEN} 18:31 UTC", int(HOURS)),
        ("9" * 40, f"Busy, and asks to wait at least {HOURS} s {THEN} 18:31 UTC", int(HOURS)),
        ("1e400", "Busy.", 0),
        ("soon", "Busy.", 0),
        (" 60 ", "Busy.", 60),
        ("-1", "Busy.", 0),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "Busy.", 0),
    ],
)
def test_how_long_a_service_asks_to_wait(clock, monkeypatch, after, message, wait):
    half_past_twelve = datetime.datetime(2026, 11, 29, 12, 30, tzinfo=datetime.timezone.utc)
    monkeypatch.setattr(clock, "time", half_past_twelve.timestamp)
    with pytest.raises(TransientFailure) as raised:
        checked(503, {"message": "Busy."}, **({"Retry_After": after} if after else {}))
    assert str(raised.value.error) == f"the service answered 503: {message}"
    assert raised.value.retry_after == wait


def test_a_date_to_wait_for_is_told_in_whole_seconds():
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    with pytest.raises(TransientFailure) as raised:
        checked(503, {"message": "Busy."}, Retry_After=email.utils.format_datetime(at, usegmt=True))
    assert re.fullmatch(
        rf"the service answered 503: Busy, and asks to wait 3[56]\d\d s {THEN} \d\d:\d\d UTC",
        str(raised.value.error),
    )


WWW = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}
AT = "the service's answer does not follow the specification: data.records[1]."


@pytest.mark.parametrize("ttl", [0, MAX_TTL])
def test_a_record_set(ttl):
    (one,) = record_sets_of({"data": {"records": [{**WWW, "ttl": ttl, "type": "a"}]}})
    assert (one.name, one.type, one.ttl, one.values) == (
        "www.example.com.",
        "A",
        ttl,
        ("192.0.2.1",),
    )


@pytest.mark.parametrize(
    "item, message",
    [
        ([], f"{AT[:-1]} is not an object"),
        ({**WWW, "contents": [1]}, f"{AT}contents contains something other than text"),
        ({**WWW, "contents": ["a\ud800"]}, f"{AT}contents contains something other than text"),
        ({**WWW, "contents": "a"}, f"{AT}contents is not an array"),
        ({**WWW, "ttl": MAX_TTL + 1}, f"{AT}ttl is not from 0 to {MAX_TTL}"),
        ({**WWW, "ttl": -1}, f"{AT}ttl is not from 0 to {MAX_TTL}"),
        ({**WWW, "ttl": True}, f"{AT}ttl is not an integer"),
        ({**WWW, "ttl": "300"}, f"{AT}ttl is not an integer"),
        ({**WWW, "ttl": 300.5}, f"{AT}ttl is not an integer"),
        ({**WWW, "type": ["A"]}, f"{AT}type is not a string"),
        (
            {**WWW, "name": "x" * (LONGEST_NAME + 1)},
            f"{AT}name has more than {LONGEST_NAME} characters",
        ),
        ({**WWW, "type": "A\ud800"}, rf"{AT}type contains half a character, A\ud800"),
        ({"name": "www"}, f"{AT}contents is missing"),
    ],
)
def test_a_record_set_that_is_none(item, message):
    with pytest.raises(ServiceError) as raised:
        list(record_sets_of({"data": {"records": [WWW, item]}}))
    assert str(raised.value) == message
    assert raised.value.status_code == 200


@pytest.mark.parametrize(
    "envelope, message",
    [
        ({}, "data is missing"),
        ({"data": []}, "data is not an object"),
        ({"data": {}}, "data.records is missing"),
        ({"data": {"records": {}}}, "data.records is not an array"),
        ({"data": {"records": [{**WWW, "name": 1}]}}, "data.records[0].name is not a string"),
        ({"data": {"records": [{**WWW, "ttl": None}]}}, "data.records[0].ttl is not an integer"),
    ],
)
def test_a_zone_that_is_none(envelope, message):
    with pytest.raises(ServiceError) as raised:
        list(record_sets_of(envelope))
    assert str(raised.value) == f"the service's answer does not follow the specification: {message}"


@pytest.mark.parametrize(
    "total, expected", [(2, 2), (0, 0), (None, 0), (True, 0), ("2", 0), (10**30, 2**63 - 1)]
)
def test_how_many_zones_there_are(total, expected):
    zones, counted = listed_zones(
        {"data": [{"name": "Example.com", "slug": "examplecom", "status": "new"}], "total": total}
    )
    assert [(one.canonical, one.name, one.slug, one.status) for one in zones] == [
        ("example.com.", "Example.com", "examplecom", "new")
    ]
    assert counted == expected


@pytest.mark.parametrize(
    "number, read",
    [
        ("NaN", None),
        ("Infinity", None),
        ("-Infinity", None),
        ("1e999", None),
        ("1.5", 1.5),
        ("7", 7),
    ],
)
def test_a_number_that_json_does_not_have_is_none(number, read):
    answer = (
        f'{{"status": "Success", "data": [{{"name": "a.b", "slug": "ab", "status": {number}}}]}}'
    )
    ((one,), _counted) = listed_zones(checked(200, answer.encode()).envelope)
    assert one.status == read


@pytest.mark.parametrize(
    "item, message",
    [
        ("x", "data[0] is not an object"),
        ({"name": "x", "slug": ".."}, "data[0].slug is '..'"),
        ({"name": "x", "slug": ""}, "data[0].slug is ''"),
        ({"slug": "x"}, "data[0].name is missing"),
        ({"name": "x", "slug": 7}, "data[0].slug is not a string"),
    ],
)
def test_a_listed_zone_that_is_none(item, message):
    with pytest.raises(ServiceError) as raised:
        listed_zones({"data": [item]})
    assert str(raised.value) == f"the service's answer does not follow the specification: {message}"


@pytest.mark.parametrize(
    "text, words",
    [
        ("a  b\nc", "a b c"),
        ("x" * (SHOWN_CHARACTERS + 1), "x" * SHOWN_CHARACTERS),
        (f"a {TOKEN} b", "a ******** b"),
        # What is left of a token where the reading ends is not shown; where all was read, its last word is.
        ("a" + " " * (MOST_READ - 2) + "b", "a b"),
        ("a" + " " * (MOST_READ - 2) + TOKEN, "a"),
        ("x" * 295 + " " * (MOST_READ - 299) + TOKEN, "x" * 295),
        ("a b" + " " * (MOST_READ - 3), "a b"),
        ("a b" + " " * (MOST_READ - 2), "a"),
    ],
)
def test_the_words_of_a_service(text, words):
    assert redacted(text, TOKEN) == words
