# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document of a zone: what was written is read back, and what no run can have written is not believed."""

import json
from dataclasses import replace

import pytest
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import (
    Claim,
    Document,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import (
    OLD,
    STALE,
    Entry,
    begun,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past
from ansible_collections.zonesmith.dns.plugins.module_utils._log.stored import (
    InvalidDocument,
    NewerDocument,
    document_bytes,
    document_of,
)

NOW, ZONE, DIGEST = 1_000_000.0, "example.com.", "0" * 64
WWW, MAIL = Key("www.example.com.", "A"), Key("example.com.", "MX")
TEXT = Key("example.com.", "TXT")
ONE = Entry(
    Past().with_newest(RecordSet(*WWW, 300, (".1", ".2"))),
    None,
    has_delete=True,
    began=NOW - 5,
    at=NOW - 2,
    pending_since=NOW - 2,
    done=True,
    sent=RecordSet(*WWW, 300, (".1",)),
)
FULL = Document(
    {
        WWW: ONE,
        MAIL: Entry(
            Past(is_gone=True),
            RecordSet(*MAIL, 60, ("10 a.",)),
            has_delete=False,
            began=NOW,
            at=NOW,
        ),
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


def of(record_set):
    """A document in which a set is to go that a service showed, and somebody owns it."""
    entry = Entry(Past().with_newest(record_set), None, has_delete=True, began=NOW, at=NOW)
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


def written(document):
    return document_bytes(document, ZONE)


def read(content, now=NOW):
    """A document of which each row can be read."""
    document, problems = document_of(content, ZONE, now)
    assert problems == []
    return document


@named_rows("document", WRITTEN)
def test_what_was_written_is_read_back(document):
    assert read(written(document)) == document


def test_a_set_without_values_is_none():
    """A service can show one."""
    held = RecordSet(*WWW, 300, ())
    entry = begun(None, held, None, NOW, has_delete=True)
    document = Document({WWW: entry})
    assert read(written(document)) == document


@pytest.mark.parametrize(
    "key", [Key("www.example.net.", "A"), Key("notexample.com.", "A"), Key(ZONE, "SOA")]
)
def test_what_could_not_be_read_is_not_written(key):
    with pytest.raises(InvalidDocument, match="its part entries would not be valid"):
        written(Document({key: ONE}))


def changed(path, value):
    """The full document with another value at a path, such as ``entries.0.2.0``."""
    kept = json.loads(written(FULL))
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
    "a number without end": b'{"format": 1' + b"0" * 5000 + b"}",
    "a form that is none": changed("text_form", "curly"),
}


@named_rows("content", HOSTILE)
def test_what_is_no_document_is_not_believed(content):
    with pytest.raises(InvalidDocument, match="it is not valid") as refused:
        document_of(content, ZONE, NOW)
    assert not isinstance(refused.value, NewerDocument)


DAMAGED = {
    # what is changed in the full document, and how -> the part that cannot be read whole
    "no list of entries": ("entries", {"a": 1}),
    "no entries": ("entries", None),
    "no sets under way": ("under_way", None),
    "an entry of another zone": ("entries.0.0.0", "www.example.net."),
    "an entry of a zone with such an end": ("entries.0.0.0", "notexample.com."),
    "a set of the service": ("entries.0.0.1", "SOA"),
    "a type that is none": ("entries.0.0.1", 5),
    "a type in lower case": ("entries.0.0.1", "soa"),
    "half a character of a type": ("entries.0.0.1", "\ud800"),
    "a name that is none": ("entries.0.0.0", 5),
    "half a character of a name": ("entries.0.0.0", "\ud800.example.com."),
    "a key of three": ("entries.0.0", ["www.example.com.", "A", "B"]),
    "a side without a TTL": ("entries.0.1.0.0", []),
    "a side without values": ("entries.0.1.0.0", [300]),
    "a TTL below zero": ("entries.0.1.0.0.0", -1),
    "a TTL that is too high": ("entries.0.1.0.0.0", 2**31),
    "a TTL that is a boolean": ("entries.0.1.0.0.0", True),
    "a value that is no text": ("entries.0.1.0.0.1", 1),
    "half a character": ("entries.0.1.0.0.1", "\ud800"),
    "no past": ("entries.0.1.0", []),
    "a past without values": ("entries.0.1.0.1", None),
    "a former value that is no text": ("entries.0.1.0.1.0", [1]),
    "a former TTL that is a boolean": ("entries.0.1.0.2.0", True),
    "a past that is neither there nor gone": ("entries.0.1.0.3", None),
    "a flag that is none": ("entries.0.1.2", 1),
    "a time that is no number": ("entries.0.1.3", float("nan")),
    "a time without end": ("entries.0.1.4", float("inf")),
    "a time before all times": ("entries.0.1.3", -1.0),
    "a time that is a boolean": ("entries.0.1.3", True),
    "a time beyond all times": ("entries.0.1.3", 2.0**53),
    "a row of a key alone": ("entries.0", [["www.example.com.", "A"]]),
    "pending since no time": ("entries.0.1.5", True),
    "what was sent without values": ("entries.0.1.7", [300]),
    "too few fields": ("entries.0.1", []),
    "no row": ("entries.0", 5),
    "a word that stands for nothing": ("words.0.2", []),
    "an altered text without the text": ("altered.0", [["example.com.", "TXT"], "a"]),
    "a TTL that is kept instead of none": ("ttls.0.1.1", None),
    "an owner that is none": ("ledger.0.0", "no owner"),
    "a claim without values": ("ledger.0.2.1", []),
}


@named_rows("path, value", DAMAGED)
def test_a_row_that_cannot_be_read_costs_that_row_alone(path, value):
    part, *row = path.split(".")
    document, problems = document_of(changed(path, value), ZONE, NOW)
    assert problems == [part]
    rows, lost = json.loads(written(FULL)), json.loads(written(document))
    if row:
        rows[part].pop(int(row[0]))
    else:
        rows[part] = []
    assert lost == rows


def test_what_a_newer_version_wrote_is_left_to_it():
    with pytest.raises(
        NewerDocument,
        match="this version of the collection knows formats up to 1: use the version of the collection that wrote it",
    ):
        document_of(changed("format", 2), ZONE, NOW)


def test_no_time_is_in_the_future():
    """A clock may have been set back."""
    now = ONE.at - 1000
    entry = read(written(FULL), now).entries[WWW]
    assert (entry.began, entry.at, entry.pending_since) == (now, now, now)


def test_a_set_with_several_ttls_that_was_only_extended_is_told_by_nobody():
    """Documents have one TTL of each set."""
    before = RecordSet(*WWW, 300, (".1", ".2"), higher_ttls=((".2", 600),))
    after = replace(before, values=(".1", ".2", ".3"))
    entry = begun(None, before, after, NOW, has_delete=False).written(after, NOW)
    saved = read(written(Document({WWW: entry.looked_at(after, NOW)})))
    assert saved.entries[WWW].looked_at(after, NOW + STALE) is None


@pytest.mark.parametrize(
    "has_delete, later",
    [(True, 3), (True, 60), (True, OLD), (False, 60)],
    ids=["just now", "before", "a week ago", "and deletes nothing"],
)
def test_what_a_run_was_writing_that_was_killed_is_pending(has_delete, later):
    """So many seconds after the log was saved, in which it may have sent its DELETE."""
    one = ONE._replace(has_delete=has_delete, pending_since=None)
    killed = Document({WWW: one, MAIL: FULL.entries[MAIL]}, under_way=frozenset([WWW]))
    document = read(written(killed), one.at + later)
    since = one.at + later if has_delete else None
    expected = one._replace(pending_since=since, sent=one.desired, done=False)
    assert (document.entries[WWW], document.under_way) == (expected, frozenset())
    assert document.entries[MAIL] == FULL.entries[MAIL]


def test_what_grows_without_end_is_cut():
    plans = {f"{number:064x}": NOW for number in range(150)}
    quarantined = tuple((WWW, ONE._replace(began=float(number))) for number in range(150))
    kept = read(written(Document(quarantined=quarantined, plans=plans)))
    assert kept.quarantined == quarantined[50:]
    assert list(kept.plans) == list(plans)[50:], "the last ones stay"
