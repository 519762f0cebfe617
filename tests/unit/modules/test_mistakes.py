# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everyday mistakes that are legal DNS: what people are told."""

import pytest
from shorthand import named_rows

MAIL = "@ 300 MX 10 mail.example.net.\n@ 300 TXT v=spf1 mx -all\nwww 300 A 192.0.2.1"
WHOLE_NAMES = "a.example.com A 192.0.2.1\nb.example.com A 192.0.2.1\n"

FILES = {
    "a host without its dot beside a wildcard": (
        "x",
        "* A 192.0.2.1\n@ MX 1 aspmx.l.google.com",
        "example.com. MX: aspmx.l.google.com.example.com. looks like the full name aspmx.l.google.com. with",
    ),
    "whole names without a dot": ("x", WHOLE_NAMES, "write $ORIGIN . in its first line"),
    "one of them": (
        "x",
        "a.example.com A 192.0.2.1",
        "it ends in the name of the zone twice: write a.example.com.",
    ),
}


@named_rows("src, text, expected", FILES)
def test_a_file(zone, run, src, text, expected):
    zone.holds(MAIL)
    files = {src: {"text": f"$TTL 300\n{text}\n"}}
    result = run(
        "dns_records",
        zone="example.com",
        src=src,
        prune=True,
        findings="off",
        check=True,
        _files=files,
    )
    messages = " ".join([result.get("msg", ""), *result.get("warnings", ())])
    assert expected in messages


def test_zones_as_a_text(run):
    message = "zones must be a list of dictionaries of "
    assert message in run("dns_zones", zones="example.com example.org")["msg"]


@pytest.mark.parametrize("name, is_told", [("w*", True), ("*.dev", False), ("www", False)])
def test_a_glob_in_names(zone, run, name, is_told):
    zone.holds(MAIL)
    warnings = run("dns_zone_info", zone="example.com", names=[name]).get("warnings", [])
    assert (
        warnings
        == [f"names: '{name}' is taken literally, as names takes no globs: write each name"]
        * is_told
    )


NOTHING_LISTED = "records is empty, so the task writes nothing: list record sets, or set prune to remove those that the zone has"
LISTS_NOTHING = {
    "nothing listed": ({"records": []}, [NOTHING_LISTED]),
    "something listed": ({"records": [{"name": "www", "type": "A", "content": "192.0.2.1"}]}, []),
    "nothing listed, and prune": ({"records": [], "prune": True, "prune_limit": 100}, []),
}


@named_rows("options, told", LISTS_NOTHING)
def test_a_list_without_records(zone, run, options, told):
    zone.holds("www 300 A 192.0.2.1")
    result = run("dns_records", zone="example.com", check=True, findings="off", **options)
    assert result.get("warnings", []) == told


BESIDE_RECORDS = ("state", "exclusive", "content", "name", "type", "replaces", "priority")


@pytest.mark.parametrize("option", BESIDE_RECORDS)
def test_what_belongs_into_an_entry(run, option):
    record = {"name": "www", "type": "A", "content": "192.0.2.1"}
    says = f"there is no option '{option}': put it into an entry of records"
    of_one = {"zone": "example.com", "records": [record]}
    assert says in run("dns_records", **of_one, **{option: "x"})["msg"]
    of_many = {"zones": ["example.com"], "records": [record]}
    assert says in run("dns_zones", **of_many, **{option: "x"})["msg"]
    says = f"zones[0] example.com: there is no key '{option}': put it into an entry of records"
    assert says in run("dns_zones", zones=[{**of_one, option: "x"}])["msg"]


SOURCES = {
    "a folder and a list": (
        {"src": "zones", "records": []},
        "set either records or src, but both are given.",
    ),
    "a folder, zones and a list": (
        {"src": "zones", "zones": ["example.com"], "records": []},
        "set either records or src, but both are given.",
    ),
    "nothing": ({}, "set zones or src, but neither is given."),
    "a list alone": ({"records": []}, "set zones or src, but neither is given."),
}


@named_rows("options, says", SOURCES)
def test_where_the_zones_come_from(zone, run, options, says):
    assert run("dns_zones", **options)["msg"] == says
    assert zone.calls() == []


FILTERS = {
    "types alone": ({"types": ["A"]}, "types chooses among records, but none are returned"),
    "names alone": ({"names": ["www"]}, "names chooses among records, but none are returned"),
    "both": (
        {"names": ["www"], "types": ["A"]},
        "names chooses among records, but none are returned",
    ),
    "types of a zone": ({"types": ["A"], "zone": "example.com"}, ""),
    "types of all": ({"types": ["A"], "records": True}, ""),
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
