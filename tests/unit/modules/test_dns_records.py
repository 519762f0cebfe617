# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""dns_records against the stand-in service: given this zone and this task, these calls, and this zone after."""

from __future__ import annotations

from collections import Counter

import pytest
from shorthand import left_behind, named_rows, text

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key


def rows(table):
    """Entries from lines of ``<name> <TTL> <type> <value>``; ``-`` is not a TTL, and no value a set that is to go."""
    entries = []
    for line in filter(None, table.splitlines()):
        name, ttl, rdtype, *value = line.split(maxsplit=3)
        record = {"name": name, "type": rdtype}
        if ttl != "-":
            record["ttl"] = int(ttl)
        if value:
            record["content"] = value
        else:
            record["state"] = "absent"
        entries.append(record)
    return entries


BEFORE = """
    add 300 A 192.0.2.1
    cname 300 A 192.0.2.2
    del 300 A 192.0.2.3
    keep 300 A 192.0.2.4
    old 300 TXT "a"
    ttl 300 A 192.0.2.5
"""
TASK = {
    "zone": "example.com",
    "records": rows(
        "add - A 192.0.2.1\nadd - A 192.0.2.9\ncname - CNAME keep\ndel - A\nkeep - A 192.0.2.4\n"
        "new - A 192.0.2.6\nnew - TXT v=1 x\nttl 60 A 192.0.2.5\n@ - MX 10 mail"
    ),
    "ttl": 300,
    "prune": True,
}
CALLS = [
    "GET",
    "GET",
    "POST add A 192.0.2.9",
    "DELETE cname.example.com. A",
    "POST cname CNAME keep.example.com.",
    "DELETE del.example.com. A",
    "POST @ MX 10 mail.example.com.",
    "POST new A 192.0.2.6",
    'POST new TXT "v=1 x"',
    "DELETE ttl.example.com. A",
    "POST ttl A 192.0.2.5",
    "DELETE old.example.com. TXT",
    "GET",
]
AFTER = """
    @ 300 MX 10 mail.example.com.
    add 300 A 192.0.2.1
    add 300 A 192.0.2.9
    cname 300 CNAME keep.example.com.
    keep 300 A 192.0.2.4
    new 300 A 192.0.2.6
    new 300 TXT "v=1 x"
    ttl 60 A 192.0.2.5
"""


def test_everything_at_once(zone, run, service, store):
    """In check mode, for real, and again."""
    zone.holds(BEFORE)
    predicted = run("dns_records", check=True, **TASK)
    assert zone.calls() == ["GET"]
    assert zone.lines() == text(BEFORE)
    service.clear_log()
    # One name at a time, so that the calls have an order.
    result = run("dns_records", concurrency=1, **TASK)
    for name in ("changed", "zone", "changes", "summary", "diff", "recovered"):
        assert predicted[name] == result[name]
    assert zone.calls() == CALLS
    assert zone.lines() == text(AFTER)
    assert result["changed"] is True
    counted = Counter(change["action"] for change in result["changes"])
    assert counted == {"create": 4, "extend": 1, "rebuild": 1, "delete": 3}
    assert result["summary"] == {
        "created": 4,
        "extended": 1,
        "rebuilt": 1,
        "deleted": 3,
        "unchanged": 1,
    }
    assert not any(record.is_unfinished for record in store.load().entries.values())
    service.clear_log()
    again = run("dns_records", **TASK)
    assert zone.calls() == ["GET"]
    assert (again["changed"], again["changes"]) == (False, [])
    assert again["diff"] == {"before": "", "after": ""}


# Prune


def test_a_zone_is_put_back_as_it_was_read(zone, run):
    zone.holds("www 300 A 192.0.2.1\nlab 300 NS ns.lab.example.com.")
    saved = run("dns_zone_info", zone="example.com")["zones"][0]["records"]
    put_back = {"zone": "example.com", "prune": True, "ttl": 60, "records": saved}
    assert run("dns_records", **put_back)["changed"] is False
    changes = rows("lab - NS\nwww 60 A 192.0.2.2\nnew - A 192.0.2.3")
    run("dns_records", zone="example.com", records=changes)
    run("dns_records", **put_back)
    assert zone.lines() == ["lab 300 NS ns.lab.example.com.", "www 300 A 192.0.2.1"]


def test_a_text_that_was_misread_is_no_reason_to_rebuild_what_is_protected(zone, run, service):
    service.settings(txt_read="plain")
    zone.holds("k 300 TXT other")
    service.habits("example.com", parses=True)
    task = {"zone": "example.com", "records": rows("k - TXT other\nk - TXT v=DKIM1; k=rsa")}
    result = run("dns_records", **task, protect=[{"type": "TXT"}])
    assert "the plan would rebuild k.example.com. TXT, but protect matches" in result["msg"]
    assert not [call for call in zone.calls() if call.startswith("DELETE")]
    assert "other" in "".join(zone.lines())


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("found", ["", "www 60 A 192.0.2.1"])
def test_what_an_interrupted_run_left_is_completed_though_it_is_protected(
    zone, run, store, found, check
):
    left_behind(
        store, Key("www.example.com.", "A"), "300 192.0.2.1 192.0.2.2", "60 192.0.2.1 192.0.2.2"
    )
    zone.holds(f"ftp 300 A 192.0.2.1\n{found}")
    options = {"prune": True, "protect": [{"name": "*"}], "change_limit": 0}
    records = rows("ftp - A 192.0.2.1\nwww 60 A 192.0.2.1\nwww 60 A 192.0.2.2")
    result = run("dns_records", check=check, zone="example.com", records=records, **options)
    assert [one["name"] for one in result["recovered"]] == ["www.example.com."]
    assert result["changes"] == []
    if not check:
        assert zone.lines() == ["ftp 300 A 192.0.2.1", "www 60 A 192.0.2.1", "www 60 A 192.0.2.2"]


# What is refused


@pytest.mark.parametrize("check", [True, False])
def test_two_ttls_for_one_set_are_refused_before_any_request(zone, run, check):
    records = rows("www 60 A 192.0.2.1\nwww 300 A 192.0.2.2")
    result = run("dns_records", check=check, zone="example.com", records=records)
    assert (
        "1 of 2 entries cannot be used: records[1] www A: ttl is 300, but 60 in records[0], and a set has one TTL."
    ) in result["msg"]
    assert (result["failed"], result["changed"], result["changes"]) == (True, False, [])
    assert zone.calls() == []


GOOD_ROW = {"name": "first", "type": "A", "content": "192.0.2.9"}


WRONG = [
    ({"src": "nothere.zone"}, "src nothere.zone"),
    ({"records": [], "ignore": [{"name": "*.other.example."}]}, "ignore names '*.other.example.'"),
    ({"records": [], "prune_limit": 101}, "prune_limit is 101"),
    ({"records": [], "protect": [{"type": "CNAEM"}]}, "protect cannot be used: the type CNAEM is"),
    ({"records": [], "ttl_max": [{"name": "ww", "ttl": "5x"}]}, "ttl is 5x"),
]


@pytest.mark.parametrize("options, reason", WRONG)
def test_what_is_wrong_for_the_zone_names_it(run, options, reason):
    message = run("dns_records", zone="Example.com.", **options)["msg"]
    assert message.startswith("Zone Example.com: ")
    assert message.count(reason) == 1


def test_ttls_may_be_written_in_any_way_that_ansible_reads(run):
    ttls = [300, "300", " 300 ", "5m", "4M60s", None]
    entries = []
    for number, ttl in enumerate(ttls):
        entries.append({**GOOD_ROW, "name": f"n{number}", "ttl": ttl})
    result = run("dns_records", zone="example.com", ttl="5m", records=entries)
    found = [change["after"]["ttl"] for change in result["changes"]]
    assert found == [300] * 6


def test_a_value_may_be_a_number(run):
    entry = {"name": "b", "type": "TXT", "content": [10, "1.5"]}
    (change,) = run("dns_records", zone="example.com", records=[entry])["changes"]
    assert change["after"]["contents"] == ['"10"', '"1.5"']


def test_a_row_of_a_table_may_have_empty_cells_and_a_comment(zone, run, service):
    cells = ("name", "type", "content", "ttl", "priority", "state", "comment")
    table = [
        "www,A,192.0.2.1,,,present,of the lab",
        "@,MX,mail,300,10,present,",
    ]
    entries = [dict(zip(cells, line.split(","), strict=True)) for line in table]
    result = run("dns_records", zone="example.com", records=entries)
    assert result["summary"]["created"] == 2
    assert zone.lines() == ["@ 300 MX 10 mail.example.com.", "www 3600 A 192.0.2.1"]
    assert "of the lab" not in str({**result, "invocation": None})
    assert "comment" not in str(service.log())


# Guards that match nothing

# Each row: an option, its entries, and those of them that are told.
UNMET = {
    "what the zone holds": (
        "ignore",
        [{"name": "here"}, {"type": "TXT"}, {"value": "192.0.2.1"}, {"type": "SOA"}],
        [],
    ),
    "a value": ("protect", [{"value": "192.0.2.7"}], ["protect[0] (value '192.0.2.7')"]),
    "what is there for moments": ("ignore", [{"name": "_acme-challenge*", "type": "TXT"}], []),
    "what is above names": (
        "ignore",
        [{"name": "_domainkey", "type": "TXT"}],
        ["ignore[0] (name '_domainkey'"],
    ),
    "what is almost a name": ("ignore", [{"name": "_dmrac"}], ["ignore[0] (name '_dmrac')"]),
}


@pytest.mark.parametrize("check", [False, True])
@named_rows("option, entries, messages", UNMET)
def test_a_guard_that_matches_nothing_is_told(zone, run, option, entries, messages, check):
    zone.holds("here 300 A 192.0.2.1\n* 300 TXT a\nk1._domainkey 300 TXT k\n_dmarc 300 TXT d")
    task = {"zone": "example.com", "records": [GOOD_ROW], option: entries}
    result = run("dns_records", check=check, **task)
    warnings = [warning for warning in result.get("warnings", []) if "spelled correctly" in warning]
    assert len(warnings) == bool(messages), result
    for part in messages:
        assert part in warnings[0]
