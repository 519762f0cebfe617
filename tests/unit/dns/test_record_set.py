# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record sets as results and lines, and which of them are one."""

from dataclasses import replace

import dns.name
import dns.zonefile
import pytest
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    RecordSet,
    joined,
    may_be_octal,
    same_set,
)

WWW = RecordSet("www.example.com.", "A", 300, ("192.0.2.1", "192.0.2.2"))


def test_a_record_set_is_told_in_three_ways():
    assert WWW.key == Key("www.example.com.", "A")
    assert WWW.as_result() == {
        "name": "www.example.com.",
        "type": "A",
        "ttl": 300,
        "contents": ["192.0.2.1", "192.0.2.2"],
    }
    assert WWW.zone_file_lines() == [
        "www.example.com. 300 IN A 192.0.2.1",
        "www.example.com. 300 IN A 192.0.2.2",
    ]


@pytest.mark.parametrize(
    "name, value",
    [
        ("text.example.com.", '"##[add-mask]x" "::add-mask::x"'),
        ("##[add-mask]x.example.com.", '"text"'),
        ("::add-mask::x.example.com.", '"text"'),
    ],
)
def test_a_line_that_no_runner_obeys_says_the_same_in_a_zone_file(name, value):
    (line,) = RecordSet(name, "TXT", 300, (value,)).zone_file_lines()
    assert "##[" not in line
    assert "::add" not in line
    (read,) = dns.zonefile.read_rrsets(line, rdclass=None, origin=dns.name.root, relativize=False)
    assert (read.name.to_text(), read[0].to_text()) == (name, value)


ROWS = {
    "one-row": ([(300, "a", "b")], RecordSet("n.", "A", 300, ("a", "b"))),
    "first-is-lower": (
        [(60, "a"), (300, "b")],
        RecordSet("n.", "A", 60, ("a", "b"), (("b", 300),)),
    ),
    "first-is-higher": (
        [(9, "a", "b"), (6, "c")],
        RecordSet("n.", "A", 6, ("a", "b", "c"), (("a", 9), ("b", 9))),
    ),
    "no-value-in-one": ([(60,), (300, "a")], RecordSet("n.", "A", 60, ("a",), (("a", 300),))),
}


@named_rows("rows, joined_rows", ROWS)
def test_rows_of_one_set_have_the_lowest_ttl(rows, joined_rows):
    assert (
        joined([RecordSet("n.", "A", ttl, tuple(values)) for ttl, *values in rows]) == joined_rows
    )


def test_lines_show_the_ttl_of_each_value():
    assert RecordSet("n.", "A", 60, ("a", "b"), (("b", 300),)).zone_file_lines() == [
        "n. 60 IN A a",
        "n. 300 IN A b",
    ]


@pytest.mark.parametrize(
    "one, other, are_same",
    [
        (WWW, replace(WWW, values=("192.0.2.2", "192.0.2.1")), True),  # in another order
        (WWW, replace(WWW, values=("192.0.2.1", "192.0.2.1")), False),  # one is doubled
        (WWW, replace(WWW, ttl=60), False),  # other ttl
        (WWW, replace(WWW, name="ftp.example.com."), False),  # other name
        (WWW, None, False),  # one is none
        (None, None, True),  # both are none
    ],
)
def test_same_set(one, other, are_same):
    assert [same_set(*pair) for pair in ((one, other), (other, one))] == [are_same, are_same]


@pytest.mark.parametrize(
    "name, octal",
    [
        ("\\052.dev.example.com.", True),
        ("a\\100b.example.com.", True),
        ("print\\032server.example.com.", False),
        ("\\042.apps.example.com.", False),
        ("john\\046doe.example.com.", False),
        ("c\\095\\052.example.com.", False),
        ("a\\\\052.example.com.", False),
    ],
)
def test_a_name_that_a_service_may_show_in_octal(name, octal):
    assert may_be_octal(name) is octal
