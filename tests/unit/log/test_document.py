# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document of a zone: what was written is read back, and what no run can have written is not believed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import (
    Claim,
    Document,
    InvalidDocument,
    NewerDocument,
    document_bytes,
    document_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import PENDING, Entry

NOW, ZONE, DIGEST = 1_000_000.0, "example.com.", "0" * 64
WWW, MAIL = Key("www.example.com.", "A"), Key("example.com.", "MX")
TEXT = Key("example.com.", "TXT")
ONE = Entry(
    RecordSet(*WWW, 300, (".1", ".2")),
    None,
    deletes=True,
    begun=NOW - 5,
    at=NOW - 2,
    pending_until=NOW + 60,
    done=True,
)
FULL = Document(
    {
        WWW: ONE,
        MAIL: Entry(None, RecordSet(*MAIL, 60, ("10 a.",)), deletes=False, begun=NOW, at=NOW),
    },
    ((WWW, ONE),),
    Dialect(
        words={MAIL: {"a.": ("10 a.", "20 a.")}},
        altered={TEXT: {'"a"': '"a;b"'}},
        ttls={WWW: (60, 300)},
        form="quoted",
    ),
    {DIGEST: NOW - 9},
    {"web": {WWW: Claim(None, (".1",)), MAIL: Claim(60, ("10 a.",), is_begun=True)}},
)


def of(record_set: RecordSet) -> Document:
    """A document in which a set is to go that a service showed, and somebody owns it."""
    entry = Entry(record_set, None, deletes=True, begun=NOW, at=NOW)
    return Document(
        {record_set.key: entry}, ledger={"web": {record_set.key: Claim(None, record_set.values)}}
    )


WRITTEN = {
    "nothing": Document(),
    "something of all": FULL,
    "a type of the service's own": of(
        RecordSet("go.example.com.", "URL_REDIRECT", 300, ("https://example.org/",))
    ),
    "a type in words": of(RecordSet("go.example.com.", "WEB FORWARD", 300, ("a",))),
    "a type that is empty": of(RecordSet("go.example.com.", "", 300, ("a",))),
    "a long type": of(RecordSet("go.example.com.", "A" * 1024, 300, ("a",))),
    "a long name": of(RecordSet("\\001" * 1000 + ".example.com.", "A", 300, (".1",))),
    "many values": of(RecordSet(*WWW, 300, tuple(map(str, range(7000))))),
    "a long value": of(RecordSet("example.com.", "TXT", 300, ("a" * 300_000,))),
    "many owners": Document(
        ledger={f"o{number}": {WWW: Claim(None, (".1",))} for number in range(1001)}
    ),
}


@pytest.mark.parametrize("document", WRITTEN.values(), ids=WRITTEN)
def test_what_was_written_is_read_back(document: Document) -> None:
    assert document_of(document_bytes(document), ZONE, NOW) == document


def test_a_set_without_values_is_none() -> None:
    """A service can show one."""
    document = Document({WWW: replace(ONE, before=RecordSet(*WWW, 300, ()))})
    assert document_of(document_bytes(document), ZONE, NOW) == Document(
        {WWW: replace(ONE, before=None)}
    )


def changed(path: str, value: Any) -> bytes:
    """The full document with another value at a path, such as ``entries.0.2.0``."""
    kept: Any = json.loads(document_bytes(FULL))
    *parts, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place = kept
    for part in parts:
        place = place[part]
    place[last] = value
    return json.dumps(kept).encode()


HOSTILE = {
    "no JSON": b"{",
    "no object": b"[]",
    "nothing in it": b"{}",
    "too deep": b"[" * 100_000,
    "not UTF-8": b'{"format": "\xff"}',
    "an older format": changed("format", 0),
    "a format that is no number": changed("format", "1"),
    "a format that is a fraction": changed("format", 2.5),
    "entries that are none": changed("entries", {"a": 1}),
    "an entry of another zone": changed("entries.0.0", "www.example.net."),
    "an entry of a zone with such an end": changed("entries.0.0", "notexample.com."),
    "a set of the service": changed("entries.0.1", "SOA"),
    "a type that is none": changed("entries.0.1", 5),
    "a type in lower case": changed("entries.0.1", "soa"),
    "half a character of a type": changed("entries.0.1", "\ud800"),
    "a name that is none": changed("entries.0.0", 5),
    "half a character of a name": changed("entries.0.0", "\ud800.example.com."),
    "a side without a TTL": changed("entries.0.2", []),
    "a TTL below zero": changed("entries.0.2.0", -1),
    "a TTL that is too high": changed("entries.0.2.0", 2**31),
    "a TTL without end": b'{"format": 1' + b"0" * 5000 + b"}",
    "a TTL that is a boolean": changed("entries.0.2.0", True),
    "a value that is no text": changed("entries.0.2.1", 1),
    "half a character": changed("entries.0.2.1", "\ud800"),
    "a flag that is none": changed("entries.0.4", 1),
    "a time that is no number": changed("entries.0.5", float("nan")),
    "a time without end": changed("entries.0.6", float("inf")),
    "a time before all times": changed("entries.0.5", -1.0),
    "no time until which it is pending": changed("entries.0.7", None),
    "too many put aside": changed("aside", [json.loads(document_bytes(FULL))["aside"][0]] * 101),
    "too few fields": changed("entries.0", ["www.example.com.", "A"]),
    "a word that stands for nothing": changed("words.0", ["example.com.", "MX", "a."]),
    "an altered text without the text": changed("altered.0", ["example.com.", "TXT", "a"]),
    "a TTL that is kept instead of none": changed("ttls.0.2", None),
    "a form that is none": changed("text_form", "curly"),
    "a plan that is none": changed("plans.0.0", "0" * 63),
    "an owner that is none": changed("ledger", {"no owner": []}),
    "a claim without values": changed("ledger.web.0", ["example.com.", "MX", 60, False]),
    "a claim twice": changed("ledger.web", [["www.example.com.", "A", 60, False, "1"]] * 2),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_what_no_run_can_have_written_is_not_believed(content: bytes) -> None:
    with pytest.raises(InvalidDocument) as refused:
        document_of(content, ZONE, NOW)
    assert not isinstance(refused.value, NewerDocument)
    assert "not valid" in str(refused.value)
    assert len(str(refused.value)) < 100


def test_what_a_newer_version_wrote_is_left_to_it() -> None:
    with pytest.raises(
        NewerDocument,
        match="this version of the collection knows formats up to 1: use the version of the collection that wrote it",
    ):
        document_of(changed("format", 2), ZONE, NOW)


def test_a_clock_that_was_set_back_makes_nothing_last() -> None:
    entry = document_of(document_bytes(FULL), ZONE, NOW - 1000).entries[WWW]
    assert (entry.begun, entry.at, entry.pending_until) == (
        NOW - 1000,
        NOW - 1000,
        NOW - 1000 + PENDING,
    )


def test_what_grows_without_end_is_cut_as_it_is_written() -> None:
    plans = {f"{number:064x}": NOW for number in range(150)}
    quarantined = tuple((WWW, replace(ONE, begun=float(number))) for number in range(150))
    read = document_of(document_bytes(Document(quarantined=quarantined, plans=plans)), ZONE, NOW)
    assert read.quarantined == quarantined[50:]
    assert list(read.plans) == list(plans)[50:], "the last ones stay"


def test_it_is_told_when_a_plan_was_carried_out() -> None:
    document = Document().with_plan_carried_out("", NOW)
    assert document == Document()
    first = document.with_plan_carried_out(DIGEST, NOW - 90.0)
    other = first.with_plan_carried_out("1" * 64, NOW)
    assert other.when_carried_out(DIGEST) == "1970-01-12 at 13:45 UTC"
    assert other.when_carried_out("2" * 64) == ""
    assert [*other.with_plan_carried_out(DIGEST, NOW).plans] == ["1" * 64, DIGEST]
