# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is made of an answer: given this status and body, this envelope, these words. Real HTTP is in test_client.py."""

import datetime
import email.utils
import json
from types import SimpleNamespace

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    LONGEST_NAME,
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
    [(202, GOOD, False), (203, GOOD, True), (204, b"", False), (200, b"", False)],
)
def test_a_write_that_is_accepted_is_not_always_confirmed(status, body, is_confirmed):
    assert checked(status, body, writes=True).is_confirmed is is_confirmed


@pytest.mark.parametrize(
    "location, place",
    [
        ("/y", "/y"),
        (f"https://[/\x1b[2J/{TOKEN}?signed=by#me", r"https://[/\x1b[2J/********"),
        ("", "nowhere"),
    ],
)
def test_a_redirect(location, place):
    with pytest.raises(ServiceError) as raised:
        checked(300, GOOD, Location=location)
    assert str(raised.value) == f"the service answered 300 and points to {place}{ASKED}"
    assert not raised.value.refuses_the_value


@pytest.mark.parametrize(
    "status, body, message, is_about_the_value",
    [
        (400, b"\n<!DOCTYPE HTML><p>No <b>way</b>.", f": the HTML page 'No way .'{ASKED}", True),
        (401, {"message": "No."}, ": No (see access_token)", False),
        (403, {"message": "No."}, ": No (see access_token)", True),
        (404, {"message": "No."}, ": No.", True),
        (405, b"<html><title>\nNo</title>way", f": the HTML page 'No way'{ASKED}", True),
        (407, {"message": "No."}, ": No.", True),
        (422, b"", "", True),
        (422, {"message": "No:", "errors": ["kein Typ für"]}, ': No: ["kein Typ für"]', True),
        (400, {"message": {"a": 1}}, ': {"message": {"a": 1}}', True),
        (400, b"caf\xe9\n\t  at all", ": caf\N{REPLACEMENT CHARACTER} at all", True),
        (200, {"a": 1}, f' with status None instead of Success: {{"a": 1}}{ASKED}', True),
        (
            200,
            {"status": "Failed", "message": "No."},
            " with status Failed instead of Success: No.",
            True,
        ),
    ],
)
def test_an_answer_that_is_not(status, body, message, is_about_the_value):
    with pytest.raises(ServiceError) as raised:
        checked(status, body)
    assert str(raised.value) == f"the service answered {status}{message}"
    assert raised.value.status_code == status
    assert raised.value.refuses_the_value is is_about_the_value


@pytest.mark.parametrize(
    "status, body, shown",
    [
        (200, b"<html>Please log in</html>", ": the HTML page 'Please log in'"),
        (200, b"null", ": null"),
        (200, b"[" * 100_000, f": {'[' * SHOWN_CHARACTERS}"),
        (204, b"", ""),
    ],
)
def test_an_answer_without_an_object_is_no_reading_and_confirms_no_write(status, body, shown):
    with pytest.raises(ServiceError) as raised:
        checked(status, body)
    assert (
        str(raised.value)
        == f"the service answered {status} with something that is not a JSON object{shown}{ASKED}"
    )
    assert not raised.value.refuses_the_value
    assert not checked(status, body, writes=True).is_confirmed


@pytest.mark.parametrize("status", [404, 405, 410])
def test_what_has_no_list_of_zones_is_not_the_service(status):
    with pytest.raises(
        ServiceError,
        match=r"No \(requested GET https://dns[.]example/api/dns/domains; see base_url\)$",
    ):
        checked(status, {"message": "No."}, path="/dns/domains")


@pytest.mark.parametrize("status, body", [(403, {"message": "No."}), (404, b"<html>No.")])
def test_a_write_that_is_refused_speaks_against_no_option(status, body):
    with pytest.raises(
        ServiceError, match=rf"^the service answered {status}: (No[.]|the HTML page 'No[.]')$"
    ):
        checked(status, body, writes=True, path="/dns/domains")


@pytest.mark.parametrize(
    "status, is_throttled, not_carried_out",
    [
        (408, False, False),
        (409, True, False),
        (423, True, False),
        (425, True, False),
        (429, True, True),
        (500, False, False),
        (503, True, True),
        (599, False, False),
    ],
)
def test_a_failure_that_may_pass(status, is_throttled, not_carried_out):
    with pytest.raises(TransientFailure) as raised:
        checked(status, {"message": "No."})
    failure = raised.value
    assert (failure.is_throttled, failure.not_carried_out) == (is_throttled, not_carried_out)
    assert str(failure.error) == f"the service answered {status}: No."
    assert not failure.error.refuses_the_value


HOURS = "21600"
THEN = "before the next request: run the task again after"


@pytest.mark.parametrize(
    "after, message, wait",
    [
        (None, "Busy.", 0),
        (" 60 ", "Busy.", 60),
        ("61", f"Busy, and asks to wait 61 s {THEN} 12:32 UTC", 61),
        ("9" * 40, f"Busy, and asks to wait {HOURS} s {THEN} 18:31 UTC", int(HOURS)),
        ("1e400", "Busy.", 0),
        ("soon", "Busy.", 0),
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


def test_a_date_to_wait_for():
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    with pytest.raises(TransientFailure) as raised:
        checked(503, {}, Retry_After=email.utils.format_datetime(at, usegmt=True))
    assert 3500 < raised.value.retry_after <= 3600


WWW = {"name": "www.example.com.", "type": "A", "ttl": 300, "contents": ["192.0.2.1"]}
AT = "the service's answer does not follow the specification: data.records[1]."


@pytest.mark.parametrize("ttl", [0, MAX_TTL])
def test_a_record_set(ttl):
    (one,) = record_sets_of({"data": {"records": [{**WWW, "ttl": ttl}]}})
    assert one.ttl == ttl


@pytest.mark.parametrize(
    "item, message",
    [
        ([], f"{AT[:-1]} is not an object"),
        ({**WWW, "contents": [1]}, f"{AT}contents contains something other than text"),
        ({**WWW, "contents": ["a\ud800"]}, f"{AT}contents contains something other than text"),
        ({**WWW, "ttl": MAX_TTL + 1}, f"{AT}ttl is not from 0 to {MAX_TTL}"),
        ({**WWW, "ttl": True}, f"{AT}ttl is not an integer"),
        ({**WWW, "type": ["A"]}, f"{AT}type is not a string"),
        (
            {**WWW, "name": "x" * (LONGEST_NAME + 1)},
            f"{AT}name has more than {LONGEST_NAME} characters",
        ),
        ({**WWW, "type": "A\ud800"}, rf"{AT}type contains half a character, A\ud800"),
        ({**WWW, "ttl": -1}, f"{AT}ttl is not from 0 to {MAX_TTL}"),
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
        ({"data": {"records": {}}}, "data.records is not an array"),
    ],
)
def test_a_zone_that_is_none(envelope, message):
    with pytest.raises(ServiceError) as raised:
        list(record_sets_of(envelope))
    assert str(raised.value) == f"the service's answer does not follow the specification: {message}"


@pytest.mark.parametrize("total, expected", [(2, 2), (True, 0), ("2", 0), (10**30, 2**63 - 1)])
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
        ("-Infinity", None),
        ("1e999", None),
        ("1.5", 1.5),
        ("9" * 5000, int("9" * 64)),
        ("[" * 90 + "]" * 90, None),
    ],
)
def test_a_status_that_results_cannot_have_is_none(number, read):
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
        ("a b" + " " * (MOST_READ - 3), "a b"),
        ("a b" + " " * (MOST_READ - 2), "a"),
    ],
)
def test_the_words_of_a_service(text, words):
    assert redacted(text, TOKEN) == words
