# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones and records as they are shown: given what the service lists and holds, which items, requests and errors."""

from __future__ import annotations

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api import zones
from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    ServiceError,
    Success,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import Connection
from ansible_collections.zonesmith.dns.plugins.module_utils._api.sender import Sender
from ansible_collections.zonesmith.dns.plugins.module_utils._api.zones import read_zones
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata

pytestmark = pytest.mark.usefixtures("home", "clock")

COM = {"name": "example.com", "slug": "com", "status": True}
NET = {"name": "Example.NET", "slug": "net", "status": "new"}
ORG = {"name": "a.example.org", "slug": "org", "status": None}
WWW, MAIL, TEXT = "www A 192.0.2.1, 192.0.2.2", "@ MX 10 mail.example.net.", "a TXT one"


def row(line):
    """A record set as the service shows it, of ``<name> <type> <value>, <value>``."""
    name, rdtype, values = line.split(" ", 2)
    owner = "example.com." if name == "@" else f"{name}.example.com."
    return {"name": owner, "type": rdtype, "ttl": 300, "contents": values.split(", ")}


def shown(*lines):
    """The record sets of these lines, as results have them."""
    return [row(line) for line in lines]


class Account:
    """An account whose every zone holds the same, or cannot be read."""

    def __init__(self, listed, held=(WWW, TEXT, MAIL)):
        self._listed, self._held = listed, held
        self.calls: list[str] = []

    def send(self, method, path, _query, _body):
        """In place of Sender's."""
        self.calls.append(f"{method} {path.removeprefix('/dns/domains')}")
        answer = self._listed if path == "/dns/domains" else self._held
        if isinstance(answer, int):
            raise ServiceError(f"the service answered {answer}", answer)
        rows = answer if path == "/dns/domains" else {"records": [row(line) for line in answer]}
        return Success({"data": rows})


@pytest.fixture
def read(monkeypatch):
    """Reads the zones of an account."""

    def read(account, *zone, **options):
        monkeypatch.setattr(Sender, "send", account.send)
        client = Client(Connection("https://dns.example.com", "token-that-nobody-may-see"), 8)
        return read_zones(client, *zone, **options)

    return read


EVERY = shown(TEXT, MAIL, WWW)
OUTSIDE = "it ends in a dot and is not inside the zone"
EMPTY = "it has an empty label (two dots in a row, or a dot at its start)"


@pytest.mark.parametrize(
    "listed, zone, options, items, calls",
    [
        ([COM, ORG, NET], None, {}, [NET, ORG, COM], ["GET "]),
        ([], None, {}, [], ["GET "]),
        ([], None, {"records": True}, [], ["GET "]),
        ([COM, NET], None, {"matches": lambda name: name == "Example.NET"}, [NET], ["GET "]),
        ([COM, NET], "example.com.", {}, [COM], ["GET "]),
        (
            [COM, NET],
            "example.com.",
            {"records": True},
            [{**COM, "records": EVERY}],
            ["GET ", "GET /com"],
        ),
        ([COM], None, {"records": True}, [{**COM, "records": EVERY}], ["GET ", "GET /com"]),
        (
            [COM, NET],
            None,
            {"records": True},
            [{**NET, "records": EVERY}, {**COM, "records": EVERY}],
            ["GET ", "GET /net", "GET /com"],
        ),
        (
            [COM, NET],
            None,
            {"records": True, "matches": lambda name: name == "example.com"},
            [{**COM, "records": EVERY}],
            ["GET ", "GET /com"],
        ),
    ],
)
def test_which_zones_are_shown(read, listed, zone, options, items, calls):
    account = Account(listed)
    assert read(account, *([zone] if zone else []), **options) == items
    assert account.calls[:1] == calls[:1]
    assert sorted(account.calls) == sorted(calls), "several at once, in any order"


@pytest.mark.parametrize(
    "names, types, lines",
    [
        (None, None, [TEXT, MAIL, WWW]),
        (["www", "@"], None, [MAIL, WWW]),
        (["WWW.example.com."], None, [WWW]),
        (None, ["a", "MX"], [MAIL, WWW]),
        (["@", "a"], ["MX", "A"], [MAIL]),
        (["a"], ["A"], []),
        ([], None, []),
        (None, [], []),
    ],
)
@pytest.mark.parametrize("zone", ["example.com.", None])
def test_which_records_are_shown(read, zone, names, types, lines):
    (item,) = read(
        Account([COM]), *([zone] if zone else []), records=True, names=names, types=types
    )
    assert item == {**COM, "records": shown(*lines)}


def test_a_name_of_one_zone_is_no_mistake_among_several(read):
    both = read(Account([COM, NET]), records=True, names=["www.example.com.", "www"])
    assert [item["records"] for item in both] == [[], shown(WWW)]


@pytest.mark.parametrize(
    "zone, options, error, message",
    [
        (
            "example.com.",
            {"names": ["www", "www.example.net."]},
            InvalidName,
            f"'www.example.net.' in names cannot be used: {OUTSIDE} example.com.: leave out the dot, or use its zone",
        ),
        (
            "example.com.",
            {"names": ["a..b"]},
            InvalidName,
            f"'a..b' in names cannot be used: {EMPTY}",
        ),
        (None, {"names": ["a..b"]}, InvalidName, f"'a..b' in names cannot be used: {EMPTY}"),
        (
            None,
            {"names": ["a\x1b"]},
            InvalidName,
            r"'a\x1b' in names cannot be used: it contains white space or control characters",
        ),
        (
            None,
            {"types": ["B C"]},
            InvalidRdata,
            "'B C' in types cannot be used: write one type, such as A, MX or TXT",
        ),
        (
            "example.com.",
            {"types": ["aa", "MX"]},
            InvalidRdata,
            "'aa' in types cannot be used: the type AA is unknown (did you mean CAA?)",
        ),
    ],
)
def test_a_filter_that_cannot_be_used(read, zone, options, error, message):
    account = Account([COM])
    with pytest.raises(error) as refused:
        read(account, *([zone] if zone else []), records=True, **options)
    assert str(refused.value) == message
    assert "types" not in options or not account.calls, "a type is the same in every zone"


def test_a_listed_name_that_is_none(read):
    odd = {"name": "no..name\x1b", "slug": "com", "status": True}
    assert read(Account([odd], ())) == [odd]
    assert read(Account([odd], ()), records=True) == [{**odd, "records": []}]
    with pytest.raises(InvalidName) as refused:
        read(Account([odd]), records=True, names=["www"])
    assert (
        str(refused.value) == r"the service lists a zone 'no..name\x1b', which is not a zone's name"
    )


@pytest.mark.parametrize(
    "account, zone, message",
    [
        (Account(403), None, "cannot list the zones: the service answered 403"),
        (Account(403), "example.com.", "the service answered 403"),
        (Account([COM], 403), None, "cannot read zone example.com: the service answered 403"),
        (Account([COM, NET], 403), None, "cannot read zone Example.NET: the service answered 403"),
        (Account([COM], 403), "example.com.", "the service answered 403"),
    ],
)
def test_what_cannot_be_read(read, account, zone, message):
    with pytest.raises(ServiceError) as failed:
        read(account, *([zone] if zone else []), records=True)
    assert str(failed.value) == message
    assert failed.value.status_code == 403


def test_as_many_zones_are_read_at_once(read, monkeypatch):
    at_once = []

    def one_by_one(work, items, threads):
        at_once.append(threads)
        return list(map(work, items))

    monkeypatch.setattr(zones, "in_threads", one_by_one)
    assert len(read(Account([COM, NET]), records=True)) == 2
    assert at_once == [8]
