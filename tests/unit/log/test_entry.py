# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The log of a zone: given an entry and a snapshot, what the set holds, and what stays of the entry."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import (
    OLD,
    PENDING,
    STALE,
    Entry,
    is_settled,
    joined,
    minus,
    over,
    still_kept,
)

NOW = 1_000_000.0
WWW, ALIAS, V6 = (Key("www.example.com.", rdtype) for rdtype in ("A", "CNAME", "AAAA"))


def held(text: str, key: Key = WWW) -> RecordSet | None:
    """A set as ``TTL value value``; an empty text is none."""
    ttl, *values = text.split() or ("0",)
    return RecordSet(*key, int(ttl), tuple(values)) if values else None


def shown(record_set: RecordSet | None) -> str:
    """The same as text."""
    return " ".join([str(record_set.ttl), *record_set.values]) if record_set else ""


def entry(before: str, desired: str, key: Key = WWW, **fields: Any) -> Entry:
    """An entry that deletes and was written to just now, unless the fields say otherwise."""
    return Entry(
        held(before, key),
        held(desired, key),
        **{"deletes": True, "begun": NOW, "at": NOW, **fields},
    )


REBUILD = ("300 .1 .2", "300 .1 .3")
OVER = {
    "nothing was carried out": (entry(*REBUILD), "300 .1 .2", "300 .1 .2"),
    "nothing, and others have added": (entry(*REBUILD), "300 .1 .2 .8", "300 .1 .2 .8"),
    "it was deleted": (entry(*REBUILD), "", "300 .1 .3"),
    "half of it was created": (entry(*REBUILD), "300 .1", "300 .1 .3"),
    "others have added meanwhile": (entry(*REBUILD), "300 .8", "300 .8 .1 .3"),
    "it is as wanted": (entry(*REBUILD, done=True), "300 .1 .3", "300 .1 .3"),
    "it was as wanted, and nothing may come": (entry(*REBUILD, done=True), "300 .3", "300 .3"),
    "it was as wanted, and a DELETE may come": (
        entry(*REBUILD, done=True, pending_until=NOW + 1),
        "",
        "300 .1 .3",
    ),
    "it only adds": (entry("300 .1", "300 .1 .3", deletes=False), "300 .1", "300 .1"),
    "it is to be gone": (entry("300 .1", ""), "", ""),
    "it is to be gone, and others have added": (entry("300 .1", ""), "300 .8", "300 .8"),
    "another TTL, and nothing was carried out": (entry("300 .1", "60 .1"), "300 .1", "300 .1"),
    "another TTL, and it was deleted": (entry("300 .1", "60 .1"), "", "60 .1"),
    "the TTL of what is there stays": (entry("300 .1 .2", "60 .1 .2"), "90 .1", "90 .1 .2"),
}


@pytest.mark.parametrize(("one", "live", "expected"), OVER.values(), ids=OVER)
def test_what_a_set_holds_once_what_was_begun_is_finished(
    one: Entry, live: str, expected: str
) -> None:
    snapshot = held(live)
    found = over({WWW: one}, {WWW: snapshot} if snapshot else {})
    assert shown(found.get(WWW)) == expected


TO_ADDRESS = {ALIAS: entry("300 b.", "", ALIAS), WWW: entry("", "300 .1")}
TO_ALIAS = {WWW: entry("300 .1", ""), ALIAS: entry("", "300 b.", ALIAS)}
BESIDE = {WWW: entry("300 .1", "300 .2"), V6: entry("60 ::1", "60 ::1 ::2", V6)}
NAMES: dict[str, tuple[dict[Key, Entry], dict[Key, str], dict[Key, str]]] = {
    "a CNAME to A, killed before the DELETE": (TO_ADDRESS, {ALIAS: "300 b."}, {ALIAS: "300 b."}),
    "a CNAME to A, killed after it": (TO_ADDRESS, {}, {WWW: "300 .1"}),
    "a CNAME to A, and all was done": (TO_ADDRESS, {WWW: "300 .1"}, {WWW: "300 .1"}),
    "A to a CNAME, killed before the DELETE": (TO_ALIAS, {WWW: "300 .1"}, {WWW: "300 .1"}),
    "A to a CNAME, killed after it": (TO_ALIAS, {}, {ALIAS: "300 b."}),
    "of two sets one is deleted, and it was not": (
        BESIDE,
        {WWW: "300 .1", V6: "60 ::1"},
        {WWW: "300 .1", V6: "60 ::1"},
    ),
    "of two sets one is deleted, and it was": (
        BESIDE,
        {V6: "60 ::1"},
        {WWW: "300 .2", V6: "60 ::1 ::2"},
    ),
    "of two sets were deleted one was": (
        {WWW: entry("300 .1", "300 .2"), V6: entry("60 ::1", "60 ::2", V6)},
        {V6: "60 ::1"},
        {WWW: "300 .2", V6: "60 ::1 ::2"},
    ),
    "one is as wanted, and others have made it as it was": (
        {
            WWW: entry("300 .1", "300 .2", done=True, pending_until=NOW + 1),
            V6: entry("", "60 ::2", V6),
        },
        {WWW: "300 .1"},
        {WWW: "300 .1 .2", V6: "60 ::2"},
    ),
}


@pytest.mark.parametrize(("log", "live", "expected"), NAMES.values(), ids=NAMES)
def test_one_owner_name_is_one_unit(
    log: dict[Key, Entry], live: dict[Key, str], expected: dict[Key, str]
) -> None:
    sets = {key: one for key, text in live.items() if (one := held(text, key))}
    assert {key: shown(one) for key, one in over(log, sets).items()} == expected


UNTOUCHED = {
    "as it was": (REBUILD, "300 .1 .2", True),
    "as it was, and others have added": (REBUILD, "300 .1 .2 .8", True),
    "a value is gone": (REBUILD, "300 .1", False),
    "all is gone": (REBUILD, "", False),
    "with the values and a TTL of others": (REBUILD, "90 .1 .2", False),
    "a new set": (("", "300 .1"), "300 .1", False),
    "one that only grows": (("300 .1", "300 .1 .2"), "300 .1", False),
    "another TTL, and as it was": (("300 .1", "60 .1"), "300 .1", True),
    "another TTL, and as wanted": (("300 .1", "60 .1"), "60 .1", False),
}


@pytest.mark.parametrize(("sides", "live", "expected"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_whether_a_snapshot_shows_that_no_delete_was_carried_out(
    sides: tuple[str, str], live: str, expected: bool
) -> None:
    assert entry(*sides).is_untouched(held(live)) is expected


IS_OLD = {
    "begun and written to long ago": ({"begun": NOW - OLD, "at": NOW - OLD}, True),
    "a second less ago": ({"begun": NOW - OLD + 1, "at": NOW - OLD}, False),
    "written to lately": ({"begun": NOW - OLD}, False),
    "all was done": ({"begun": NOW - OLD, "at": NOW - OLD, "done": True}, False),
    "all was done, and a DELETE may come": (
        {"begun": NOW - OLD, "at": NOW - OLD, "done": True, "pending_until": 1.0},
        True,
    ),
}


@pytest.mark.parametrize(("fields", "expected"), IS_OLD.values(), ids=IS_OLD)
def test_what_is_too_old_to_be_finished(fields: dict[str, Any], expected: bool) -> None:
    assert entry(*REBUILD, **fields).is_old(NOW) is expected


AGREES = {
    "all there": (REBUILD, "300 .1 .3", True),
    "all there, and more of others": (REBUILD, "300 .1 .3 .8", True),
    "a value is missing": (REBUILD, "300 .1", False),
    "a former value": (REBUILD, "300 .1 .2 .3", False),
    "the former TTL": (("300 .1", "60 .1"), "300 .1", False),
    "a TTL that it never had": (("300 .1", "60 .1"), "90 .1", True),
    "gone, as wanted": (("300 .1", ""), "", True),
    "gone, and wanted": (REBUILD, "", False),
}


@pytest.mark.parametrize(("sides", "live", "expected"), AGREES.values(), ids=AGREES)
def test_whether_a_snapshot_agrees(sides: tuple[str, str], live: str, expected: bool) -> None:
    one, snapshot = entry(*sides), held(live)
    sets = {WWW: snapshot} if snapshot else {}
    assert one.agrees(snapshot) is expected
    assert is_settled({WWW: one}, sets, NOW) is expected
    assert is_settled({WWW: one}, sets, NOW + STALE), "only what is young is read again for"


def test_an_mx_value_without_its_preference_is_that_value() -> None:
    key = Key("example.com.", "MX")
    one = Entry(None, RecordSet(*key, 300, ("10 a.",)), deletes=False, begun=NOW, at=NOW)
    assert one.agrees(RecordSet(*key, 300, ("a.",)))
    assert minus(RecordSet(*key, 300, ("10 a.", "20 b.")), RecordSet(*key, 300, ("a.",))) == (
        "20 b.",
    )


ENDED = {
    "as wanted, and young": (entry(*REBUILD), "300 .1 .3", 0.0, (True, 0.0)),
    "as wanted, and not young": (entry(*REBUILD), "300 .1 .3", STALE, None),
    "not as wanted": (entry(*REBUILD), "300 .1", STALE, (False, 0.0)),
    "it only adds, and is not young": (entry("", "300 .1", deletes=False), "", STALE, None),
    "pending": (
        entry(*REBUILD, pending_until=NOW + PENDING),
        "300 .1 .3",
        STALE,
        (True, NOW + PENDING),
    ),
    "it only adds, and is pending": (
        entry("", "300 .1", deletes=False, pending_until=NOW + PENDING),
        "300 .1",
        STALE,
        (True, NOW + PENDING),
    ),
    "no more pending": (entry(*REBUILD, pending_until=NOW + PENDING), "300 .1 .3", PENDING, None),
    "no more, and it was taken": (
        entry(*REBUILD, done=True, pending_until=NOW + PENDING),
        "",
        PENDING,
        (True, NOW + PENDING),
    ),
}


@pytest.mark.parametrize(("one", "live", "after", "expected"), ENDED.values(), ids=ENDED)
def test_what_stays_of_an_entry_after_a_snapshot(
    one: Entry, live: str, after: float, expected: tuple[bool, float] | None
) -> None:
    snapshot = held(live)
    kept = still_kept({WWW: one}, {WWW: snapshot} if snapshot else {}, NOW + after).get(WWW)
    assert (kept and (kept.done, kept.pending_until)) == expected


def test_what_is_done_keeps_the_ttl_that_was_sent() -> None:
    """The service keeps another one, and is sent the same again where the set is gone."""
    done, other = entry("60 .1", "60 .1", done=True), held("300 .1 .8")
    assert shown(done.with_desired(other).desired) == "60 .1 .8"
    assert shown(entry("300 .1", "60 .1").with_desired(other).desired) == "300 .1 .8"


@pytest.mark.parametrize(
    ("one", "values", "expected"),
    [
        ("300 .1", [".2", ".1", ".2"], "300 .1 .2"),
        ("", [".1"], "60 .1"),
        ("300 .1", [], "300 .1"),
        ("", [], ""),
    ],
)
def test_a_set_with_more_values(one: str, values: list[str], expected: str) -> None:
    found = joined(held(one), values, RecordSet(*WWW, 60, (".9",)))
    assert found is None if not expected else shown(found) == expected
