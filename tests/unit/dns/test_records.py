# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Entries and the record sets they stand for."""

import re

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    DEFAULT_TTL,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.records import (
    InvalidRecord,
    record_sets,
)

ZONE = "example.com."
BOOLEANS = "YAML reads yes, no, on, off, true and false as booleans unless they are in quotes"
NONE = "a record is a dictionary with name, type, ttl and content"


@pytest.mark.parametrize(
    "record, message",
    [
        (
            {"name": "", "type": "A", "content": ["192.0.2"]},
            "@ A cannot be used: it has less than four numbers; ",
        ),
        (
            {"name": "a", "type": True, "ttl": False, "content": []},
            (
                f"a true cannot be used: type is the boolean true, but takes a text: {BOOLEANS}; "
                f"ttl is the boolean false, but takes a number: {BOOLEANS}"
            ),
        ),
        (
            {"name": "a", "ttl": True, "content": []},
            "a cannot be used: ttl is the boolean true, but takes a number",
        ),
        (
            {"name": "a", "type": "A", "content": ["192.0.2.1"], "state": "abesnt"},
            "a A cannot be used: state is present or absent",
        ),
        ({"name": "a", "type": "A"}, NONE),
        ({"name": "a", "type": "A", "ttl": [300], "content": []}, NONE),
        (
            {"name": "a", "type": "A", "content": [], "ttl": "x"},
            "a A cannot be used: ttl is x, but takes seconds, 0 to 2147483647, or the form of zone files",
        ),
    ],
)
def test_what_is_no_record(record, message):
    with pytest.raises(InvalidRecord, match=f"^{re.escape(message)}"):
        record_sets([record], ZONE)


def test_empty_options_of_entries_are_as_if_they_were_left_out():
    entries = [
        {"name": "", "type": "mx", "ttl": "", "priority": "", "content": ["10 a"]},
        {"type": "MX", "priority": "20", "ttl": None, "content": "b"},
        {"type": "A", "state": "absent"},
        {"type": "TXT", "state": "present", "ttl": 7, "content": 8},
        {"name": "www", "type": "A", "contents": ["192.0.2.1"]},
        {"name": "www.example.net.", "type": "A", "contents": ["192.0.2.1"]},
    ]
    assert list(record_sets(entries, ZONE).values()) == [
        RecordSet(ZONE, "MX", DEFAULT_TTL, ("10 a.example.com.", "20 b.example.com.")),
        RecordSet(ZONE, "TXT", 7, ('"8"',)),
        RecordSet(f"www.{ZONE}", "A", DEFAULT_TTL, ("192.0.2.1",)),
        RecordSet("www.example.net.", "A", DEFAULT_TTL, ("192.0.2.1",)),
    ]


def test_all_entries_that_are_none_are_told_at_once():
    entries = [
        {"name": 7.1, "type": "PTR", "content": "a."},
        {},
        {"name": "a", "type": "TXT", "value": 1.1},
        "x",
    ]
    why = "YAML reads 7.1 and 7.10 as one number unless they are in quotes"
    with pytest.raises(InvalidRecord) as refused:
        record_sets(entries, ZONE)
    assert str(refused.value) == (
        f"7.1 PTR cannot be used: name is the number 7.1, but takes a text: {why}; {NONE}; "
        f"a TXT cannot be used: value is the number 1.1, but takes a text: {why}"
    )


def test_integers_are_names_and_units_are_of_ttls():
    ttls = {0: "1h30m", 7: "5400".zfill(64)}
    entries = [
        {"name": number, "type": "TXT", "ttl": ttl, "content": 1} for number, ttl in ttls.items()
    ]
    assert [*record_sets(entries, ZONE).values()] == [
        RecordSet(f"{number}.{ZONE}", "TXT", 5400, ('"1"',)) for number in (0, 7)
    ]
