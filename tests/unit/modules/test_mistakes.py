# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everyday mistakes that are legal DNS: what people are told."""

import pytest
from shorthand import named_rows

MAIL = "@ 300 MX 10 mail.example.net.\n@ 300 TXT v=spf1 mx -all\nwww 300 A 192.0.2.1"


def test_a_file_of_whole_names(run):
    text = "$TTL 300\na.example.com A 192.0.2.1\nb.example.com A 192.0.2.1\n"
    result = run("dns_records", zone="example.com", src="x", _files={"x": {"text": text}})
    assert "write $ORIGIN . in its first line" in result["msg"]


NOTHING_LISTED = "records is empty, so the task writes nothing: list record sets, or set prune to remove those that the zone has"
LISTS_NOTHING = {
    "nothing listed": ({"records": []}, [NOTHING_LISTED]),
    "nothing listed, and prune": ({"records": [], "prune": True, "prune_limit": 100}, []),
}


@named_rows("options, told", LISTS_NOTHING)
def test_a_list_without_records(zone, run, options, told):
    zone.holds("www 300 A 192.0.2.1")
    result = run("dns_records", zone="example.com", check=True, findings="off", **options)
    assert result.get("warnings", []) == told


BESIDE_RECORDS = ("state", "content", "priority")


@pytest.mark.parametrize("option", BESIDE_RECORDS)
def test_what_belongs_into_an_entry(run, option):
    record = {"name": "www", "type": "A", "content": "192.0.2.1"}
    says = f"there is no option '{option}': put it into an entry of records"
    of_one = {"zone": "example.com", "records": [record]}
    assert says in run("dns_records", **of_one, **{option: "x"})["msg"]
    of_many = {"zones": ["example.com"], "records": [record]}
    assert says in run("dns_zones", **of_many, **{option: "x"})["msg"]


SOURCES = {
    "a folder and a list": (
        {"src": "zones", "records": []},
        "set either records or src, but both are given.",
    ),
    "nothing": ({}, "set zones or src, but neither is given."),
}


@named_rows("options, says", SOURCES)
def test_where_the_zones_come_from(zone, run, options, says):
    assert run("dns_zones", **options)["msg"] == says
    assert zone.calls() == []


FILTERS = {
    "types alone": ({"types": ["A"]}, "types chooses among records, but none are returned"),
    "names alone": ({"names": ["www"]}, "names chooses among records, but none are returned"),
    "types of a zone": ({"types": ["A"], "zone": "example.com"}, ""),
    "without records": (
        {"types": ["A"], "zone": "example.com", "records": False},
        "types chooses among records, but none are returned",
    ),
}


@named_rows("options, told", FILTERS)
def test_a_filter_of_records_that_are_not_returned(zone, run, options, told):
    zone.holds(MAIL)
    warnings = run("dns_zone_info", **options).get("warnings", [])
    assert warnings[:1] == ([f"{told}: set zone, or set records to true"] if told else [])
