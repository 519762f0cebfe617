# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lines that ``$GENERATE`` makes, and what is wrong with it."""

import pytest
from one_file import lines, read_zone_file, refused
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile import zone_file as _zone_file

ZONE = "example.com."

READS = {
    "$GENERATE": (
        "$TTL 5\n$GENERATE 8-10/2 n$ A 192.0.2.$",
        "n8 5 A 192.0.2.8\nn10 5 A 192.0.2.10",
    ),
    "a blank owner behind $GENERATE": (
        "$TTL 5\nwww A 192.0.2.1\n$GENERATE 1-1 h$ A 192.0.2.$\n  A 192.0.2.2",
        "www 5 A 192.0.2.1\nwww 5 A 192.0.2.2\nh1 5 A 192.0.2.1",
    ),
    "$GENERATE of a text in quotes, which are not part of it": (
        '$TTL 5\n$GENERATE 1-1 h$ TXT "v=x id=$"\n$GENERATE 2-2 h$ TXT "\\"v=x id=$\\" ; x"',
        'h1 5 TXT "v=xid=1"\nh2 5 TXT "v=x id=2"',
    ),
    "$GENERATE with TTL and class in either order": (
        "$GENERATE 1-1 h$ 1m IN A 192.0.2.$ ; x\n$GENERATE 2-2 h$ IN 2m A 192.0.2.$\na A 192.0.2.1",
        "h1 60 A 192.0.2.1\nh2 120 A 192.0.2.2\na 120 A 192.0.2.1",
    ),
    "two dollars, also at the start of a name": (
        "$GENERATE 1-1 $$x$ 5 TXT $$5",
        r'\$x1 5 TXT "$5"',
    ),
    "places of two forms": ("$GENERATE 1-1 h$ 5 TXT $-${1}", 'h1 5 TXT "1-2"'),
    "$GENERATE with offset, width and base": (
        "$TTL 5\n$GENERATE 9-10 ${1,3,x} PTR h${-9,2,d}",
        "00a 5 PTR h00.example.com.\n00b 5 PTR h01.example.com.",
    ),
    "$GENERATE to the limits": (
        "$TTL 5\n$GENERATE 2147483646-2147483647/2147483647 a TXT ${-2147483646,127}",
        f'a 5 TXT "{"0" * 127}"',
    ),
}


@named_rows("text, expected", READS)
def test_reads(text, expected):
    assert lines(read_zone_file(text, ZONE)) == expected.splitlines()


# Each row: a line after two others, and how the reason begins.
ERRORS = {
    "$GENERATE that goes too far": (
        "$GENERATE 250-260 n$ A 192.0.2.$",
        "'192.0.2.256' is not a value of type A: 256 is",
    ),
    "$GENERATE with more than a value": (
        "$GENERATE 1-2 h$ TXT a b A 192.0.2.1",
        "put a value of several words in",
    ),
    "$GENERATE with too little": (
        "$GENERATE 1-2 h$ A",
        "takes a range, a name, a type and a value",
    ),
    "$GENERATE of another class": ("$GENERATE 1-2 h$ CH A 192.0.2.$", "its class is not IN"),
    "$GENERATE with half a place": (
        "$GENERATE 1-2 h$ A 192.0.2.${1",
        "after the $ of $GENERATE comes {offset}",
    ),
    "$GENERATE with an offset for two": (
        "$GENERATE 1-2 h$ TXT ${3}-$",
        "for BIND, a $ after ${3} has its offset too: write ${0}, or ${3} again",
    ),
    "$GENERATE with a number that gets too large": (
        "$GENERATE 9-9 h${2147483647} A 192.0.2.1",
        "numbers from 0 to 2147483647",
    ),
    "$GENERATE with a number below 0": (
        "$GENERATE 1-1 h${-2} A 192.0.2.1",
        "numbers from 0 to 2147483647",
    ),
    "$GENERATE of nibbles": (
        "$GENERATE 1-2 ${0,3,n} A 192.0.2.1",
        "after the $ of $GENERATE comes {offset}",
    ),
    "$GENERATE with a number of any length": (
        f"$GENERATE 1-{'9' * 5000} n$ A 192.0.2.$",
        "with numbers up to 2147483647",
    ),
    "$GENERATE with a number above the limit": (
        "$GENERATE 1-2147483648 n$ A 192.0.2.$",
        "with numbers up to 2147483647",
    ),
    "$GENERATE of a great width": ("$GENERATE 1-2 n${0,128} A 192.0.2.1", "a width of at most 127"),
}


@named_rows("text, reason", ERRORS)
def test_an_error_names_the_line(text, reason):
    told = refused(f"$TTL 300\na A 192.0.2.1\n{text}")
    assert told.startswith("line 3 of the zone file cannot be used: ")
    assert reason in told


@pytest.mark.parametrize(
    "text, line",
    [
        ("$GENERATE 1-101 n$ A 192.0.2.1", 2),
        ("$GENERATE 1-50 n$ A 192.0.2.1\na A 192.0.2.1\n$GENERATE 0-98/2 m$ A 192.0.2.1", 4),
        ("$GENERATE 1-100 n$ A 192.0.2.1\na A 192.0.2.1", 3),
    ],
)
def test_the_limit_is_for_all_records_of_a_file(text, line, monkeypatch):
    monkeypatch.setattr(_zone_file, "MAX_RECORDS", 100)
    told = refused(f"$TTL 5\n{text}\n")
    assert told.startswith(f"line {line} of the zone file cannot be used: ")
    assert told.endswith(" more than 100 records")
    assert len(read_zone_file("$TTL 5\n$GENERATE 1-100 n$ A 192.0.2.1\n", ZONE)) == 100


@pytest.mark.parametrize(
    "text, characters",
    [
        # As often as lines are made, as long as the longest.
        ("$GENERATE 1-10 n A 192.0.2.$", 10 * len("n A 192.0.2.10")),
        ("$GENERATE 1-10 n${0,5,d} A 192.0.2.1", 10 * len("n00010 A 192.0.2.1")),
        (
            "$GENERATE 1-9 n$ A 192.0.2.1\nother A 192.0.2.1\n$GENERATE 1-2 m$ A 192.0.2.1",
            11 * len("n1 A 192.0.2.1"),
        ),
    ],
)
def test_the_limit_is_for_all_that_is_made_in_a_file(text, characters, monkeypatch):
    monkeypatch.setattr(_zone_file, "MAX_GENERATED", characters)
    assert read_zone_file(f"$TTL 5\n{text}\n", ZONE)
    monkeypatch.setattr(_zone_file, "MAX_GENERATED", characters - 1)
    told = refused(f"$TTL 5\n{text}\n")
    assert told.endswith(f"$GENERATE makes more than {characters - 1} characters in the file")


def test_nothing_is_made_of_what_is_refused():
    """Which would take hours."""
    assert refused("$TTL 5\n$GENERATE 1-2147483647 n$ A 192.0.2.1\n")
