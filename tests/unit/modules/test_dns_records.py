# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""dns_records against the stand-in service: given this zone and this task, these calls, and this zone after."""

from __future__ import annotations

import contextlib
import itertools
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import ansible.release
import pytest
from examples import only_longer
from running import Service
from shorthand import left_behind

from ansible_collections.zonesmith.dns.plugins.module_utils._api import gate, retries
from ansible_collections.zonesmith.dns.plugins.module_utils._apply import owner_name
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.owner_name import OwnerName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

Run = Callable[..., dict[str, Any]]

GUARD = 60.0
"""Seconds after which what ought to have come is not waited for any more."""

ACTIONS = {"create": "created", "extend": "extended", "rebuild": "rebuilt", "delete": "deleted"}


def text(zone: str) -> list[str]:
    """Zone text, as ``Zone.lines`` gives it."""
    return sorted(line.strip() for line in zone.strip().splitlines() if line.strip())


def rows(table: str) -> list[dict[str, Any]]:
    """Entries from lines of ``<name> <TTL> <type> <value>``; ``-`` is no TTL, and no value a set that is to go."""
    entries = []
    for line in filter(None, table.splitlines()):
        name, ttl, rdtype, *value = line.split(maxsplit=3)
        entry: dict[str, Any] = {"name": name, "type": rdtype, "content": value}
        if ttl != "-":
            entry["ttl"] = int(ttl)
        if not value:
            entry["state"] = "absent"
        entries.append(entry)
    return entries


def counts(result: dict[str, Any]) -> dict[str, int]:
    """The summary without what is 0."""
    return {word: count for word, count in result["summary"].items() if count}


def keys(sets: list[dict[str, Any]]) -> list[str]:
    """Names and types from a result, names relative."""
    return [f"{s['name'].removesuffix('.example.com.')} {s['type']}" for s in sets]


# One task after another: zone before, rows, options, calls, zone after, summary


class Case(NamedTuple):
    before: str
    records: list[dict[str, Any]]
    options: dict[str, Any]
    calls: list[str]
    after: str
    summary: dict[str, int]

    @property
    def task(self) -> dict[str, Any]:
        return {"zone": "example.com", "records": self.records, **self.options}


CASES = {
    "no records": Case("www 300 A 192.0.2.1", [], {}, ["GET"], "www 300 A 192.0.2.1", {}),
    "all as it should be": Case(
        "@ 60 MX 10 mx.example.net.\nwww 300 A 192.0.2.1\nwww 300 A 192.0.2.2",
        rows("@ 60 MX 10 MX.example.net\nwww.example.com. - a 192.0.2.2\nWWW - A 192.0.2.1"),
        {},
        ["GET"],
        "@ 60 MX 10 mx.example.net.\nwww 300 A 192.0.2.1\nwww 300 A 192.0.2.2",
        {"unchanged": 2},
    ),
    "new sets, a POST for each value": Case(
        "",
        rows("www - A 192.0.2.2\nwww - A 192.0.2.1\na 60 TXT v=1 x\n@ - MX 10 mail"),
        {},
        [
            "GET",
            "POST a TXT v=1 x",
            "POST @ MX 10 mail.example.com.",
            "POST www A 192.0.2.2",
            "POST www A 192.0.2.1",
            "GET",
        ],
        '@ 3600 MX 10 mail.example.com.\na 60 TXT "v=1 x"\nwww 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2',
        {"created": 3},
    ),
    "a missing value is a POST": Case(
        "www 300 A 192.0.2.1",
        rows("www - A 192.0.2.2\nwww - A 192.0.2.1"),
        {},
        ["GET", "POST www A 192.0.2.2", "GET"],
        "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2",
        {"extended": 1},
    ),
    "an entry is a whole set: what it does not list goes": Case(
        "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2",
        rows("www - A 192.0.2.2\nwww - A 192.0.2.3"),
        {},
        ["GET", "GET", "DELETE www.example.com. A", "POST www A 192.0.2.2", "POST www A 192.0.2.3", "GET"],
        "www 300 A 192.0.2.2\nwww 300 A 192.0.2.3",
        {"rebuilt": 1},
    ),
    "another TTL": Case(
        "www 300 A 192.0.2.1",
        rows("www 60 A 192.0.2.1"),
        {},
        ["GET", "GET", "DELETE www.example.com. A", "POST www A 192.0.2.1", "GET"],
        "www 60 A 192.0.2.1",
        {"rebuilt": 1},
    ),
    "absent": Case(
        "www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1",
        rows("www - A\nwww - TXT\nftp - A"),
        {},
        ["GET", "DELETE www.example.com. A", "GET"],
        "www 300 AAAA 2001:db8::1",
        {"deleted": 1, "unchanged": 2},
    ),
    "absent has no use for a TTL": Case(
        "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2",
        [{"name": "www", "type": "A", "ttl": 60, "state": "absent"}],
        {},
        ["GET", "DELETE www.example.com. A", "GET"],
        "",
        {"deleted": 1},
    ),
    "state for each entry": Case(
        "old 300 A 192.0.2.1\nkeep 300 A 192.0.2.2",
        rows("old - A\nnew 60 A 192.0.2.3\nkeep - A 192.0.2.2"),
        {},
        ["GET", "POST new A 192.0.2.3", "DELETE old.example.com. A", "GET"],
        "keep 300 A 192.0.2.2\nnew 60 A 192.0.2.3",
        {"created": 1, "deleted": 1, "unchanged": 1},
    ),
    "a row for each value, in any spelling, is one set": Case(
        "",
        [
            {"name": "www", "type": "A", "content": ["192.0.2.1", "192.0.2.2"]},
            {"name": "WWW", "type": "a", "value": ["192.0.2.3"], "ttl": 60},
            {"name": "www.Example.com", "type": "A", "values": ["192.0.2.4"]},
            {"name": "www.example.com.", "type": "A", "contents": ["192.0.2.5"], "ttl": 60},
        ],
        {},
        ["GET", *(f"POST www A 192.0.2.{n}" for n in range(1, 6)), "GET"],
        "\n".join(f"www 60 A 192.0.2.{n}" for n in range(1, 6)),
        {"created": 1},
    ),
    "ttl is for entries without one": Case(
        "b 300 A 192.0.2.2\nc 300 A 192.0.2.3",
        rows("a - A 192.0.2.1\nb - A 192.0.2.2\nc 300 A 192.0.2.3\nd 900 A 192.0.2.4"),
        {"ttl": 60},
        [
            "GET",
            "GET",
            "POST a A 192.0.2.1",
            "DELETE b.example.com. A",
            "POST b A 192.0.2.2",
            "POST d A 192.0.2.4",
            "GET",
        ],
        "a 60 A 192.0.2.1\nb 60 A 192.0.2.2\nc 300 A 192.0.2.3\nd 900 A 192.0.2.4",
        {"created": 2, "rebuilt": 1, "unchanged": 1},
    ),
    "without any TTL: the live one, or 3600": Case(
        "a 300 A 192.0.2.1",
        rows("a - A 192.0.2.1\na - A 192.0.2.2\nb - A 192.0.2.3"),
        {},
        ["GET", "POST a A 192.0.2.2", "POST b A 192.0.2.3", "GET"],
        "a 300 A 192.0.2.1\na 300 A 192.0.2.2\nb 3600 A 192.0.2.3",
        {"created": 1, "extended": 1},
    ),
    "priority is for MX values without one": Case(
        "@ 300 MX 10 mx1.example.net.",
        [{"type": "MX", "content": ["mx1.example.net.", "20 mx2.example.net."], "priority": 10}],
        {},
        ["GET", "POST @ MX 20 mx2.example.net.", "GET"],
        "@ 300 MX 10 mx1.example.net.\n@ 300 MX 20 mx2.example.net.",
        {"extended": 1},
    ),
    "A to CNAME": Case(
        "www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1",
        rows("www - A\nwww - AAAA\nwww 60 CNAME site.example.net."),
        {},
        ["GET", "DELETE www.example.com. A", "DELETE www.example.com. AAAA", "POST www CNAME site.example.net.", "GET"],
        "www 60 CNAME site.example.net.",
        {"created": 1, "deleted": 2},
    ),
    "CNAME to A": Case(
        "www 60 CNAME site.example.net.",
        rows("www - CNAME\nwww 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1"),
        {},
        ["GET", "DELETE www.example.com. CNAME", "POST www A 192.0.2.1", "POST www AAAA 2001:db8::1", "GET"],
        "www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1",
        {"created": 2, "deleted": 1},
    ),
    "A to CNAME, where pruning removes the A": Case(
        "www 300 A 192.0.2.1",
        rows("www 60 CNAME site.example.net."),
        {"prune": True},
        ["GET", "DELETE www.example.com. A", "POST www CNAME site.example.net.", "GET"],
        "www 60 CNAME site.example.net.",
        {"created": 1, "deleted": 1},
    ),
    "a CNAME to elsewhere": Case(
        "www 60 CNAME one.example.net.",
        rows("www - CNAME two.example.net."),
        {},
        ["GET", "GET", "DELETE www.example.com. CNAME", "POST www CNAME two.example.net.", "GET"],
        "www 60 CNAME two.example.net.",
        {"rebuilt": 1},
    ),
    "prune removes what is not named": Case(
        '@ 300 A 192.0.2.1\nlab 300 NS ns.example.net.\nwww 300 A 192.0.2.1\nwww 300 TXT "x"',
        rows("www - A 192.0.2.1\nold - A"),
        {"prune": True},
        ["GET", "DELETE example.com. A", "DELETE lab.example.com. NS", "DELETE www.example.com. TXT", "GET"],
        "www 300 A 192.0.2.1",
        {"deleted": 3, "unchanged": 2},
    ),
    "everything at once": Case(
        """
            add 300 A 192.0.2.1
            cname 300 A 192.0.2.2
            del 300 A 192.0.2.3
            keep 300 A 192.0.2.4
            old 300 TXT "a"
            ttl 300 A 192.0.2.5
        """,
        rows(
            "add - A 192.0.2.1\nadd - A 192.0.2.9\ncname - CNAME keep\ndel - A\nkeep - A 192.0.2.4\n"
            "new - A 192.0.2.6\nnew - AAAA 2001:db8::6\nttl 60 A 192.0.2.5"
        ),
        {"prune": True},
        [
            "GET",
            "GET",
            "POST add A 192.0.2.9",
            "DELETE cname.example.com. A",
            "POST cname CNAME keep.example.com.",
            "DELETE del.example.com. A",
            "POST new A 192.0.2.6",
            "POST new AAAA 2001:db8::6",
            "DELETE ttl.example.com. A",
            "POST ttl A 192.0.2.5",
            "DELETE old.example.com. TXT",
            "GET",
        ],
        """
            add 300 A 192.0.2.1
            add 300 A 192.0.2.9
            cname 3600 CNAME keep.example.com.
            keep 300 A 192.0.2.4
            new 3600 A 192.0.2.6
            new 3600 AAAA 2001:db8::6
            ttl 60 A 192.0.2.5
        """,
        {"created": 3, "extended": 1, "rebuilt": 1, "deleted": 3, "unchanged": 1},
    ),
}

cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@cases
def test_a_task(zone: Any, run: Run, store: FolderStore, case: Case) -> None:
    zone.holds(case.before)
    # One name at a time, so that the calls have an order.
    result = run("dns_records", concurrency=1, **case.task)
    assert zone.calls() == case.calls
    assert zone.lines() == text(case.after)
    assert result["changed"] is (case.calls != ["GET"])
    assert counts(result) == case.summary
    assert result["summary"].keys() == {"created", "extended", "rebuilt", "deleted", "unchanged"}
    assert Counter(change["action"] for change in result["changes"]) == {
        action: case.summary[word] for action, word in ACTIONS.items() if word in case.summary
    }
    assert not any(entry.is_open for entry in store.load().entries.values())


@cases
def test_a_task_done_again_is_one_reading(zone: Any, run: Run, service: Service, case: Case) -> None:
    zone.holds(case.before)
    run("dns_records", **case.task)
    assert sorted(zone.calls()) == sorted(case.calls)
    service.clear_log()
    again = run("dns_records", **case.task)
    assert zone.calls() == ["GET"]
    assert zone.lines() == text(case.after)
    assert not again["changed"]
    assert again["changes"] == []
    assert again["diff"] == {"before": "", "after": ""}
    assert counts(again).keys() <= {"unchanged"}


@cases
def test_check_mode_predicts_a_task_and_only_reads(zone: Any, run: Run, case: Case) -> None:
    zone.holds(case.before)
    predicted = run("dns_records", check=True, **case.task)
    assert zone.calls() == ["GET"]
    assert zone.lines() == text(case.before)
    result = run("dns_records", **case.task)
    told = ("changed", "zone", "changes", "summary", "diff", "recovered")
    assert {name: predicted[name] for name in told} == {name: result[name] for name in told}


def test_what_a_task_tells_to_the_letter(zone: Any, run: Run) -> None:
    zone.holds('add 300 A 192.0.2.1\ndel 60 TXT "a b"\nttl 300 A 192.0.2.5\nkeep 300 A 192.0.2.4')
    records = rows(
        "add - A 192.0.2.1\nadd - A 192.0.2.10\ndel - TXT\nttl 60 A 192.0.2.5\nkeep - A 192.0.2.4\nbücher - A 192.0.2.6"
    )
    result = run("dns_records", zone="Example.COM.", records=records)
    result.pop("invocation")
    assert result == {
        "changed": True,
        "zone": "example.com",
        "recovered": [],
        "findings": [],
        "service_owned": [],
        "summary": {"created": 1, "extended": 1, "rebuilt": 1, "deleted": 1, "unchanged": 1},
        "changes": [
            {
                "name": "add.example.com.",
                "type": "A",
                "action": "extend",
                "before": {"ttl": 300, "contents": ["192.0.2.1"]},
                "after": {"ttl": 300, "contents": ["192.0.2.1", "192.0.2.10"]},
            },
            {
                "name": "del.example.com.",
                "type": "TXT",
                "action": "delete",
                "before": {"ttl": 60, "contents": ['"a b"']},
                "after": None,
            },
            {
                "name": "ttl.example.com.",
                "type": "A",
                "action": "rebuild",
                "before": {"ttl": 300, "contents": ["192.0.2.5"]},
                "after": {"ttl": 60, "contents": ["192.0.2.5"]},
            },
            {
                "name": "xn--bcher-kva.example.com.",
                "type": "A",
                "action": "create",
                "before": None,
                "after": {"ttl": 3600, "contents": ["192.0.2.6"]},
            },
        ],
        "diff": {
            "before": "add.example.com. 300 IN A 192.0.2.1\n"
            'del.example.com. 60 IN TXT "a b"\n'
            "ttl.example.com. 300 IN A 192.0.2.5\n",
            "after": "add.example.com. 300 IN A 192.0.2.1\n"
            "add.example.com. 300 IN A 192.0.2.10\n"
            "ttl.example.com. 60 IN A 192.0.2.5\n"
            "xn--bcher-kva.example.com. 3600 IN A 192.0.2.6\n",
            "after_header": "1 set rebuilt, gone for a moment: ttl.example.com. A",
        },
    }


# Prune

WHOLE = """
    @ 300 A 192.0.2.1
    @ 300 TXT "a"
    * 300 A 192.0.2.2
    *.apps 300 A 192.0.2.3
    _acme-challenge 300 TXT "b"
    _acme-challenge.www 300 TXT "c"
    a.b.office 300 A 192.0.2.4
    backoffice 300 A 192.0.2.5
    lab 300 NS ns.example.net.
    office 300 A 192.0.2.6
    pc.office 300 A 192.0.2.7
    www 300 A 192.0.2.8
    xn--bcher-kva 300 A 192.0.2.9
"""


@pytest.mark.parametrize("records", [[], rows("www - A 192.0.2.8"), rows("www - A\nnew - A 192.0.2.9")])
@pytest.mark.parametrize("prune_limit", [None, 100])
@pytest.mark.parametrize(
    "born",
    [
        [],
        [("@", "SOA", 60, ["ns.example.net. h.example.net. 7 2 3 4 5"]), ("@", "NS", 60, ["ns.lab"])],
        [("EXAMPLE.com.", "NS", 60, ["ns.example.net."]), ("lab", "NS", 60, ["ns.example.net."])],
    ],
    ids=["as made", "of one's own", "in capitals"],
)
def test_soa_and_apex_ns_survive_prune(
    run: Run, service: Service, born: list[Any], records: list[Any], prune_limit: int | None
) -> None:
    service.zone("example.com", [*born, ("www", "A", 300, ["192.0.2.8"]), ("old", "A", 300, ["192.0.2.9"])])
    owned = [row for row in service.records("example.com") if row["name"] == "example.com."]
    assert [row["type"] for row in owned].count("SOA") == [row["type"] for row in owned].count("NS") == 1
    result = run("dns_records", zone="example.com", records=records, prune=True, prune_limit=prune_limit)
    if not records and prune_limit is None:
        assert result["msg"].startswith("Zone example.com: prune would remove all ")
        assert [call for call in service.calls() if not call.startswith("GET")] == []
        return
    assert result["changed"]
    left = service.records("example.com")
    assert [row for row in left if row["name"] == "example.com."] == owned
    wanted = {(f"{row['name']}.example.com.", row["type"]) for row in records if row["content"]}
    assert {(row["name"], row["type"]) for row in left if row not in owned} == wanted


def test_a_zone_is_put_back_as_it_was_read(zone: Any, run: Run) -> None:
    zone.holds("www 300 A 192.0.2.1\nlab 300 NS ns.lab.example.com.")
    saved = run("dns_zone_info", zone="example.com")["zones"][0]["records"]
    assert [row["type"] for row in saved].count("SOA") == [row["name"] for row in saved].count("lab.example.com.") == 1
    put_back = {"zone": "example.com", "prune": True, "ttl": 60, "records": saved}
    assert run("dns_records", **put_back)["changed"] is False
    run("dns_records", zone="example.com", records=rows("lab - NS\nwww 60 A 192.0.2.2\nnew - A 192.0.2.3"))
    assert counts(run("dns_records", **put_back)) == {"created": 1, "rebuilt": 1, "deleted": 1, "unchanged": 2}
    assert zone.lines() == ["lab 300 NS ns.lab.example.com.", "www 300 A 192.0.2.1"]


IGNORES = {
    "nothing": ([], []),
    "a name": ([{"name": "office"}], ["office A"]),
    "all names below another": ([{"name": "*.office"}], ["a.b.office A", "pc.office A"]),
    "a name and all below": ([{"name": "office"}, {"name": "*.office"}], ["a.b.office A", "office A", "pc.office A"]),
    "the end of a name": ([{"name": "*office"}], ["a.b.office A", "backoffice A", "office A", "pc.office A"]),
    "the start of a name": ([{"name": "_acme-challenge*"}], ["_acme-challenge TXT", "_acme-challenge.www TXT"]),
    "the middle of names": ([{"name": "*.b.*"}], ["a.b.office A"]),
    "the zone itself": ([{"name": "@"}], ["@ A", "@ TXT"]),
    "the zone itself, one type": ([{"name": "@", "type": "TXT"}], ["@ TXT"]),
    "a wildcard record": ([{"name": "[*].apps"}], ["*.apps A"]),
    "one character": ([{"name": "ww?"}], ["www A"]),
    "one of some characters": ([{"name": "[lw]*"}], ["lab NS", "www A"]),
    "a type": ([{"type": "NS"}], ["lab NS"]),
    "a type by its number": ([{"type": "type2"}], ["lab NS"]),
    "types by their start, in lower case": (
        [{"type": "t*"}],
        ["@ TXT", "_acme-challenge TXT", "_acme-challenge.www TXT"],
    ),
    "name and type must both match": ([{"name": "*.www", "type": "A"}], []),
    "in capitals": ([{"name": "*.OFFICE"}], ["a.b.office A", "pc.office A"]),
    "A-labels": ([{"name": "xn--bcher*"}], ["xn--bcher-kva A"]),
    "U-labels": ([{"name": "Bücher"}], ["xn--bcher-kva A"]),
    "the start of a U-label": ([{"name": "bü*"}], ["xn--bcher-kva A"]),
    "a full name": ([{"name": "_acme-challenge.example.com"}], ["_acme-challenge TXT"]),
    "a full name with its dot": ([{"name": "_Acme-challenge.www.example.com."}], ["_acme-challenge.www TXT"]),
    "full names below another": ([{"name": "*.office.example.com"}], ["a.b.office A", "pc.office A"]),
    "full names, U-labels": ([{"name": "bücher.example.com."}], ["xn--bcher-kva A"]),
    "the zone itself by its name": ([{"name": "example.com", "type": "A"}], ["@ A"]),
    "the zone itself by its name and dot": ([{"name": "example.com.", "type": "TXT"}], ["@ TXT"]),
    "the end of full names": ([{"name": "*.office.*.com."}], ["a.b.office A", "pc.office A"]),
    "a relative name that looks like another zone": ([{"name": "a.b"}], []),
    "everything": ([{"name": "*"}], None),
    "everything, without a word": ([{}], None),
}


@pytest.mark.parametrize(("ignore", "spared"), IGNORES.values(), ids=IGNORES)
def test_what_ignore_matches_survives_prune(
    zone: Any, run: Run, ignore: list[dict[str, str]], spared: list[str] | None
) -> None:
    zone.holds(WHOLE)
    run("dns_records", zone="example.com", records=[], prune=True, ignore=ignore, prune_limit=100)
    left = [f"{name} {rdtype}" for name, _ttl, rdtype, _value in map(str.split, zone.lines())]
    assert left == (
        sorted(spared) if spared is not None else sorted(" ".join(line.split()[::2][:2]) for line in text(WHOLE))
    )


def test_what_ignore_matches_by_a_value_survives_prune_whole(zone: Any, run: Run, service: Service) -> None:
    for txt_read in ("plain", "quoted"):
        service.settings(txt_read=txt_read)
        zone.holds('@ 300 TXT "v=spf1 -all"\n@ 300 TXT "verify=1"\nwww 300 TXT "verify"\n@ 300 MX 10 mx.example.net.')
        ignore = [{"value": "verify=*"}, {"type": "MX", "value": "* MX.example.net"}]
        run("dns_records", zone="example.com", records=[], prune=True, ignore=ignore, prune_limit=100)
        assert [line.replace('"', "") for line in zone.lines()] == [
            "@ 300 MX 10 mx.example.net.",
            "@ 300 TXT v=spf1 -all",
            "@ 300 TXT verify=1",
        ]


def test_what_is_protected_is_created_and_extended(zone: Any, run: Run) -> None:
    zone.holds("www 300 A 192.0.2.1")
    options = {"prune": True, "protect": [{}], "change_limit": 0}
    records = rows("www - A 192.0.2.1\nwww - A 192.0.2.2\nnew - A 192.0.2.3")
    result = run("dns_records", zone="example.com", records=records, **options)
    assert counts(result) == {"created": 1, "extended": 1}
    assert counts(run("dns_records", zone="example.com", records=records, **options)) == {"unchanged": 2}


@pytest.mark.parametrize("protect", [[], [{"type": "TXT"}]])
def test_a_text_that_was_misread_is_made_right_in_a_set_that_was_not_there(
    zone: Any, run: Run, service: Service, protect: list[Any]
) -> None:
    service.odd("example.com", txt="parses")
    result = run("dns_records", zone="example.com", records=rows("k - TXT v=DKIM1; k=rsa"), protect=protect)
    assert counts(result) == {"created": 1}
    assert zone.lines() == ['k 3600 TXT "v=DKIM1; k=rsa"']


def test_a_text_that_was_misread_is_no_reason_to_rebuild_what_is_protected(
    zone: Any, run: Run, service: Service
) -> None:
    service.settings(txt_read="plain")
    zone.holds("k 300 TXT other")
    service.odd("example.com", txt="parses")
    task = {"zone": "example.com", "records": rows("k - TXT other\nk - TXT v=DKIM1; k=rsa")}
    result = run("dns_records", **task, protect=[{"type": "TXT"}])
    assert "the plan would rebuild k.example.com. TXT, and what protect matches is neither" in result["msg"]
    assert not [call for call in zone.calls() if call.startswith("DELETE")]
    assert "other" in "".join(zone.lines())


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("found", ["", "www 60 A 192.0.2.1"])
def test_what_an_interrupted_run_left_is_completed_though_it_is_protected(
    zone: Any, run: Run, store: FolderStore, found: str, check: bool
) -> None:
    left_behind(store, Key("www.example.com.", "A"), "300 192.0.2.1 192.0.2.2", "60 192.0.2.1 192.0.2.2")
    zone.holds(f"ftp 300 A 192.0.2.1\n{found}")
    options = {"prune": True, "protect": [{}], "change_limit": 0}
    records = rows("ftp - A 192.0.2.1\nwww 60 A 192.0.2.1\nwww 60 A 192.0.2.2")
    result = run("dns_records", check=check, zone="example.com", records=records, **options)
    assert keys(result["recovered"]) == ["www A"]
    assert result["changes"] == []
    if not check:
        assert zone.lines() == ["ftp 300 A 192.0.2.1", "www 60 A 192.0.2.1", "www 60 A 192.0.2.2"]


def test_what_is_ignored_is_left_alone_without_prune_too(zone: Any, run: Run) -> None:
    zone.holds("office 300 A 192.0.2.1")
    result = run("dns_records", zone="example.com", records=rows("office - A"), ignore=[{"name": "office"}])
    assert "records[0] office A: ignore matches it" in result["msg"]
    assert zone.lines() == ["office 300 A 192.0.2.1"]


LIMITS = {
    "fewer than 10: no limit": (9, 9, 30, True),
    "fewer than 10: no limit, not even 0": (9, 9, 0, True),
    "10, and as many as may go": (10, 3, 30, True),
    "10, and one too many": (10, 4, 30, False),
    "10 at 0": (10, 1, 0, False),
    "nothing goes at 0": (10, 0, 0, True),
    "rounded in favour of the zone": (11, 4, 30, False),
    "at 99, all": (10, 10, 99, False),
    "at 99, almost all": (10, 9, 99, True),
    "100 turns it off": (10, 10, 100, True),
    "30 without a word": (10, 4, None, False),
}


@pytest.mark.parametrize(("sets", "going", "limit", "goes"), LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("check", [True, False])
def test_prune_limit(zone: Any, run: Run, sets: int, going: int, limit: int | None, goes: bool, check: bool) -> None:
    before = "\n".join(f"n{n} 300 A 192.0.2.{n}" for n in range(sets))
    zone.holds(before)
    records = rows("\n".join(f"n{n} - A 192.0.2.{n}" for n in range(going, sets)) + "\nnew - A 192.0.2.99")
    result = run("dns_records", check=check, zone="example.com", records=records, prune=True, prune_limit=limit)
    if goes:
        assert result["summary"]["deleted"] == going
    else:
        names = ", ".join(sorted(f"n{n}.example.com. A" for n in range(going)))
        assert result["msg"] == (
            f"Zone example.com: prune would remove {going} of the zone's {sets} sets, more than prune_limit "
            f"({30 if limit is None else limit} percent) allows: {names}; where all of them are meant to "
            "go, raise prune_limit; nothing was changed."
        )
        assert (result["changed"], result["changes"]) == (False, [])
        assert zone.calls() == ["GET"]
        assert zone.lines() == text(before)


def test_prune_limit_is_about_what_prune_may_remove(zone: Any, run: Run) -> None:
    """12 sets, of which ignore and an entry spare 3: 9 are fewer than 10. Neither SOA nor NS counts."""
    zone.holds("\n".join(f"n{n} 300 A 192.0.2.{n}" for n in range(9)) + "\nx1 60 A 192.0.2.1\nx2 60 A 192.0.2.1")
    records = rows("n0 - A 192.0.2.0")
    result = run("dns_records", zone="example.com", records=records, prune=True, ignore=[{"name": "x*"}])
    assert result["summary"]["deleted"] == 8
    assert zone.lines() == ["n0 300 A 192.0.2.0", "x1 60 A 192.0.2.1", "x2 60 A 192.0.2.1"]


# What is refused

REFUSED_UNREAD: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str]] = {
    "two TTLs for one set": (
        rows("www 60 A 192.0.2.1\nwww 300 A 192.0.2.2"),
        {},
        "1 of 2 entries cannot be used: records[1] www A: ttl is 300, and 60 in records[0], and a set has one TTL",
    ),
    "two TTLs, spelled in two ways": (
        rows("www 60 A 192.0.2.1\nftp 60 A 192.0.2.2\nWWW.example.com. 61 a 192.0.2.2"),
        {},
        "records[2] WWW.example.com. a: ttl is 61, and 60 in records[0]",
    ),
    "a CNAME beside other data": (
        rows("www - CNAME a\nftp - A 192.0.2.1\nwww - TXT x\nwww - A 192.0.2.1"),
        {},
        "1 of 4 entries cannot be used: records[0] www CNAME: a CNAME must be alone at its name, and A, TXT are there",
    ),
    "two CNAMEs": (
        rows("www - CNAME a\nwww - CNAME b"),
        {},
        "records[1] www CNAME: a CNAME holds one value (see records[0])",
    ),
    "a CNAME at the apex": (rows("@ - CNAME a"), {}, "records[0] @ CNAME: a CNAME cannot be at the apex"),
    "a value twice": (
        rows("www - AAAA 2001:db8::1\nwww - AAAA 2001:DB8::0:1"),
        {},
        "records[1] www AAAA: 2001:db8::1 is listed twice (see records[0])",
    ),
    "present and absent": (
        rows("www - A 192.0.2.1\nwww - A"),
        {},
        "records[1] www A: it is both present and absent (see records[0])",
    ),
    "SOA of another name": (
        rows("www - SOA a. b. 1 2 3 4 5"),
        {},
        "records[0] www SOA: an SOA is at the apex alone",
    ),
    "SOA that is to go": (rows("@ - SOA"), {}, "records[0] @ SOA: SOA belongs to the service"),
    "NS at the apex that is to go": (rows("example.com - ns"), {}, "NS at the apex belongs to the service"),
    "a value that is to go": (
        [{"name": "www", "type": "A", "value": "192.0.2.1", "state": "absent"}],
        {},
        "records[0] www A: absent removes the whole set and takes no content",
    ),
    "nothing to hold": ([{"name": "www", "type": "A"}], {}, "records[0] www A: content is required"),
    "an MX without preference": (rows("@ - MX mail"), {}, "records[0] @ MX: an MX value needs a preference"),
    "ignored": (
        rows("www - A 192.0.2.1"),
        {"ignore": [{"name": "w*"}], "prune": True},
        "records[0] www A: ignore matches it, so it would stay untouched",
    ),
    "ignored by a value of its own": (
        rows("@ - TXT v=spf1 -all\n@ - TXT verify=1"),
        {"ignore": [{"type": "TXT", "value": "verify=*"}]},
        "1 of 2 entries cannot be used: records[1] @ TXT: ignore matches it, so it would stay untouched",
    ),
    "another zone in protect": (
        [],
        {"protect": [{"name": "www.example.org."}]},
        "protect names 'www.example.org.', which can match nothing in the zone example.com.",
    ),
    "change_limit below": ([], {"change_limit": -1}, "change_limit is -1, and can be 0 to 100"),
    "change_limit above": ([], {"change_limit": 101}, "change_limit is 101, and can be 0 to 100"),
    "another zone in ignore": (
        [],
        {"ignore": [{"name": "ok.example.com."}, {"name": "_Acme.example.org."}, {"name": "*.example.com.au."}]},
        "ignore names '_acme.example.org.' and '*.example.com.au.', which can match nothing in the zone example.com.",
    ),
    "no name in ignore": ([], {"ignore": [{"name": ""}]}, "ignore names '', which can match nothing in the zone"),
    "prune_limit below": ([], {"prune_limit": -1}, "prune_limit is -1, and can be 0 to 100"),
    "prune_limit above": ([], {"prune_limit": 101}, "prune_limit is 101, and can be 0 to 100"),
    "concurrency below": ([], {"concurrency": 0}, "concurrency is 0, and can be auto or 1 to 64"),
    "concurrency above": ([], {"concurrency": 65}, "concurrency is 65, and can be auto or 1 to 64"),
    "ttl below": ([], {"ttl": -1}, "ttl is -1, and can be 0 to 2147483647"),
    "ttl above": ([], {"ttl": 2**31}, "ttl is 2147483648, and can be 0 to 2147483647"),
}


@pytest.mark.parametrize(("records", "options", "reason"), REFUSED_UNREAD.values(), ids=REFUSED_UNREAD)
@pytest.mark.parametrize("check", [True, False])
def test_refused_before_any_request(
    zone: Any, run: Run, records: list[dict[str, Any]], options: dict[str, Any], reason: str, check: bool
) -> None:
    result = run("dns_records", check=check, zone="example.com", records=records, **options)
    assert reason in result["msg"]
    assert (result["failed"], result["changed"], result["changes"]) == (True, False, [])
    assert zone.calls() == []


REFUSED_AS_READ = {
    "another SOA": ("", rows("@ - SOA a. b. 1 2 3 4 5"), {}, "SOA belongs to the service and is never"),
    "another NS at the apex": ("", rows("@ - NS ns"), {}, "example.com. NS belongs to the service and is never"),
    "a CNAME beside A": ("www 300 A 192.0.2.1", rows("www - CNAME a"), {}, "would hold a CNAME beside A"),
    "A beside a CNAME": ("www 300 CNAME a", rows("www - A 192.0.2.1"), {}, "would hold a CNAME beside A"),
    "a CNAME beside A that prune must leave": (
        "www 300 A 192.0.2.1",
        rows("www - CNAME a"),
        {"prune": True, "ignore": [{"type": "A"}]},
        "would hold a CNAME beside A",
    ),
    "a rebuild of what is protected": (
        "www 300 A 192.0.2.1\nftp 300 A 192.0.2.1",
        rows("www 60 A 192.0.2.1\nftp - A"),
        {"protect": [{"name": "www"}, {"value": "192.*"}]},
        "would delete ftp.example.com. A, rebuild www.example.com. A (TTL 300 to 60), and what protect matches is",
    ),
    "what prune would take and is protected": (
        "www 300 A 192.0.2.1\nftp 300 A 192.0.2.1",
        rows("www - A 192.0.2.1"),
        {"prune": True, "protect": [{"type": "A"}]},
        "the plan would delete ftp.example.com. A, and what protect matches",
    ),
    "more than may change": (
        "\n".join(f"n{n} 300 A 192.0.2.{n}" for n in range(10)),
        rows("n0 - A\nn1 60 A 192.0.2.1\nn2 - A 192.0.2.9"),
        {"change_limit": 29},
        "n2.example.com. A; where all of that is meant, raise change_limit; nothing was changed.",
    ),
    "ignored by a value that the zone holds": (
        '@ 300 TXT "v=spf1 -all"\n@ 300 TXT "verify=1"',
        rows("@ - TXT v=spf1 mx -all"),
        {"ignore": [{"name": "@", "type": "txt", "value": "verify=*"}]},
        "ignore matches example.com. TXT as the zone holds it, so it would stay untouched: leave it out, or change",
    ),
    "a CNAME beside one of two that go": (
        "www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1",
        rows("www - CNAME a\nwww - A"),
        {},
        "would hold a CNAME beside AAAA",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "records", "options", "reason"), REFUSED_AS_READ.values(), ids=REFUSED_AS_READ)
@pytest.mark.parametrize("check", [True, False])
def test_refused_before_any_write(
    zone: Any, run: Run, before: str, records: list[dict[str, Any]], options: dict[str, Any], reason: str, check: bool
) -> None:
    zone.holds(before)
    good = rows("first - TXT x\nzzz - TXT x")
    result = run("dns_records", check=check, zone="example.com", records=good + records, **options)
    assert reason in result["msg"]
    assert (result["failed"], result["changed"], result["changes"]) == (True, False, [])
    assert zone.calls() == ["GET"]


@pytest.mark.parametrize("check", [True, False])
def test_check_mode_tells_of_one_task_what_it_cannot_tell_of_two(zone: Any, run: Run, check: bool) -> None:
    """What the documentation of check mode says: each task is told from the zone as it is."""
    gone = {"name": "shop", "type": "A", "state": "absent"}
    alias = {"name": "shop", "type": "CNAME", "content": "shops.example.net."}
    for module, tasks, fails in (
        ("dns_record", [gone, alias], check),
        ("dns_records", [{"records": [gone]}, {"records": [alias]}], check),
        ("dns_records", [{"records": [gone, alias]}], False),
    ):
        zone.holds("shop 300 A 192.0.2.1")
        *_first, last = [run(module, check=check, zone="example.com", **task) for task in tasks]
        assert ("would hold a CNAME beside A" in last.get("msg", "")) is fails
        assert last["changed"] is not fails
    assert zone.lines() == (["shop 300 A 192.0.2.1"] if check else ["shop 3600 CNAME shops.example.net."])


def test_all_bad_entries_among_500_are_told_and_nothing_is_written(zone: Any, run: Run, state_dir: Any) -> None:
    records = rows("\n".join(f"n{n} 300 A 192.0.2.{n % 256}" for n in range(500)))
    records[0]["content"] = ["192.0.2.256"]
    records[3]["name"] = "a..b"
    records[77] |= {"type": "MX", "content": ["mail.example.net.", "10 mail.example.net."]}
    records[78] |= {"type": "TXT", "content": ["x" * 65536]}
    records[250] |= {"type": "A\u202e", "ttl": -1}
    records[251] |= {"name": "n4", "ttl": 301}
    records[498] |= {"type": "CNAME", "content": ["a", "b"]}
    records[499]["content"] = None
    result = run("dns_records", zone="example.com", records=records)
    start, *told = re.split(r"(?:: |\. )(?=records\[)", result["msg"])
    assert start == "Zone example.com: 8 of 500 entries cannot be used"
    expected = [
        r"records\[0\] n0 A: '192\.0\.2\.256' is not a value of type A, .+",
        r"records\[3\] a\.\.b A: name 'a\.\.b' cannot be used, it has an empty label .+",
        r"records\[77\] n77 MX: an MX value needs a preference: .+",
        r"records\[78\] n78 TXT: .+ is not a value of type TXT, a value has at most 65535 bytes",
        r"records\[250\] n250 A\\u202e: type .+ cannot be used, .+; ttl is -1, and a TTL is 0 to 2147483647 seconds",
        r"records\[251\] n4 A: ttl is 301, and 300 in records\[4\], and a set has one TTL",
        r"records\[498\] n498 CNAME: a CNAME holds one value",
        r"records\[499\] n499 A: content is required, and cannot be empty, when state is present\.",
    ]
    assert len(told) == len(expected)
    for line, pattern in zip(told, expected, strict=True):
        assert re.fullmatch(pattern, line)
    assert len(result["msg"]) < 4000
    assert (result["changed"], result["changes"]) == (False, [])
    assert zone.calls() == []
    assert zone.lines() == []
    assert not state_dir.exists()


# Failures on the way

FIVE = "a 60 A 192.0.2.1\nb 60 A 192.0.2.2\nb 60 A 192.0.2.3\nc 60 A 192.0.2.4\nd 60 A 192.0.2.5"
FAILURES = {
    "the first of all": (
        "",
        {"content": "192.0.2.1"},
        "",
        ([], ["a A"], ["b A", "c A", "d A"]),
        "cannot add 192.0.2.1 to a.example.com. A: ",
        "the set holds nothing",
    ),
    "in the middle": (
        "",
        {"content": "192.0.2.2"},
        "a 60 A 192.0.2.1",
        (["a A"], ["b A"], ["c A", "d A"]),
        "cannot add 192.0.2.2 to b.example.com. A: ",
        "the set holds nothing",
    ),
    "in the middle of a set: what was added stays": (
        "",
        {"content": "192.0.2.3"},
        "a 60 A 192.0.2.1\nb 60 A 192.0.2.2",
        (["a A"], ["b A"], ["c A", "d A"]),
        "cannot add 192.0.2.3 to b.example.com. A: ",
        "the set holds 192.0.2.2 (TTL 60)",
    ),
    "a deletion": (
        "b 300 A 192.0.2.2",
        {"method": "DELETE"},
        "a 60 A 192.0.2.1\nb 300 A 192.0.2.2",
        (["a A"], ["b A"], ["c A", "d A"]),
        "cannot delete b.example.com. A: ",
        "the set holds 192.0.2.2 (TTL 300)",
    ),
    "at the end": (
        "a 60 A 192.0.2.1",
        {"content": "192.0.2.5"},
        "a 60 A 192.0.2.1\nb 60 A 192.0.2.2\nb 60 A 192.0.2.3\nc 60 A 192.0.2.4",
        (["b A", "c A"], ["d A"], []),
        "cannot add 192.0.2.5 to d.example.com. A: ",
        "the set holds nothing",
    ),
}


IN_A_REBUILD = {
    422: ("b 300 A 192.0.2.2", "its old values were put back, it holds 192.0.2.2 (TTL 300)"),
    500: ("b 60 A 192.0.2.2", "the set holds 192.0.2.2 (TTL 60), and the next run on the zone completes it from "),
}


@pytest.mark.parametrize(("status", "retries"), [(422, 5), (500, 0)])
def test_a_failure_in_the_middle_of_a_rebuild(zone: Any, run: Run, service: Service, status: int, retries: int) -> None:
    """Only a refusal of the value takes back what was done; after another answer, what is there stays."""
    after, state = IN_A_REBUILD[status]
    zone.holds("b 300 A 192.0.2.2")
    task = {"zone": "example.com", "records": rows(FIVE), "concurrency": 1, "retries": retries}
    service.fault("status", status=status, body={"message": "No luck."}, times=1, content="192.0.2.3")
    result = run("dns_records", **task)
    assert zone.lines() == ["a 60 A 192.0.2.1", after]
    tried = f"cannot add 192.0.2.3 to b.example.com. A: the service answered {status}: No luck; {state}"
    assert result["msg"].startswith(f"Zone example.com: {tried}")
    assert run("dns_records", **task)["changed"]
    assert zone.lines() == text(FIVE)


@pytest.mark.parametrize(("before", "fault", "after", "told", "tried", "state"), FAILURES.values(), ids=FAILURES)
@pytest.mark.parametrize(("status", "retries"), [(422, 5), (500, 0)])
def test_a_failure_on_the_way(
    zone: Any,
    run: Run,
    service: Service,
    before: str,
    fault: dict[str, str],
    after: str,
    told: tuple[list[str], list[str], list[str]],
    tried: str,
    state: str,
    status: int,
    retries: int,
) -> None:
    zone.holds(before)
    task = {"zone": "example.com", "records": rows(FIVE), "concurrency": 1, "retries": retries}
    service.fault("status", status=status, body={"message": "No luck."}, times=1, **fault)
    result = run("dns_records", **task)
    assert zone.lines() == text(after)
    assert result["failed"]
    assert result["status_code"] == status
    assert result["msg"].startswith(f"Zone example.com: {tried}the service answered {status}: No luck; {state}")
    applied, failed, not_attempted = told
    assert (keys(result["applied"]), keys(result["failed_sets"]), keys(result["not_attempted"])) == told
    sets = "set" if len(applied) == 1 else "sets"
    assert f"({len(applied)} {sets} applied, {len(failed)} failed, {len(not_attempted)} not attempted)" in result["msg"]
    # Changed, and changes, are about what happened, and not about what was planned.
    assert result["changed"] is (text(before) != text(after))
    made = {(c["name"].removesuffix(".example.com."), v) for c in result["changes"] for v in c["after"]["contents"]}
    new = {(line.split()[0], line.split()[3]) for line in set(text(after)) - set(text(before))}
    assert made == new

    assert run("dns_records", **task)["changed"]
    assert zone.lines() == text(FIVE)


@contextlib.contextmanager
def waiting_for_a_failure() -> Iterator[None]:
    """Names behind n09 wait until one has failed: however slow the thread of that one is, they do not get by."""
    stopped = threading.Event()
    carry_out = OwnerName.carry_out

    def in_time(owner_name: OwnerName) -> None:
        if owner_name._steps[0].key.name > "n09.example.com.":
            assert stopped.wait(GUARD)
        carry_out(owner_name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner_name, "machine", lambda: SimpleNamespace(event=lambda: stopped))
        patch.setattr(OwnerName, "carry_out", in_time)
        yield


def test_a_failure_stops_the_names_that_are_not_begun_and_no_others(zone: Any, run: Run, service: Service) -> None:
    records = rows("\n".join(f"n{n:02} 60 A 192.0.2.{n}\nn{n:02} 60 TXT x" for n in range(40)))
    service.fault("status", status=403, content="192.0.2.6")
    with waiting_for_a_failure():
        result = run("dns_records", zone="example.com", records=records, concurrency=4)
    applied, failed, not_attempted = (set(keys(result[name])) for name in ("applied", "failed_sets", "not_attempted"))
    assert applied | failed | not_attempted == {f"n{n:02} {rdtype}" for n in range(40) for rdtype in ("A", "TXT")}
    assert len(applied) + len(failed) + len(not_attempted) == 80
    assert failed == {"n06 A", "n06 TXT"}
    assert {" ".join(line.split()[0:3:2]) for line in zone.lines()} == applied
    assert keys(result["changes"]) == sorted(applied)
    # The three other workers are at most at the last of ten names, and one name further each.
    assert 6 * 2 <= len(applied) <= (9 + 3) * 2
    service.clear_faults()
    assert run("dns_records", zone="example.com", records=records)["summary"] == {
        "created": 80 - len(applied),
        "extended": 0,
        "rebuilt": 0,
        "deleted": 0,
        "unchanged": len(applied),
    }


# Many


def addresses(count: int) -> list[dict[str, Any]]:
    return [
        {"name": f"host{n}", "type": "A", "ttl": 300, "content": [f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}"]}
        for n in range(count)
    ]


@pytest.mark.parametrize(("sets", "there"), [(1, 0), (1000, 0), pytest.param(10_000, 9_800, marks=only_longer)])
def test_many_sets_are_made_once(service: Service, run: Run, sets: int, there: int) -> None:
    records = addresses(sets)
    service.zone("example.com", [(r["name"], r["type"], r["ttl"], r["content"]) for r in records[:there]])
    task = {"zone": "example.com", "records": records, "prune": True}
    result = run("dns_records", **task)
    assert counts(result) == {"created": sets - there} | ({"unchanged": there} if there else {})
    assert Counter(entry["method"] for entry in service.log()) == {"GET": 2, "POST": sets - there}
    assert len(service.records("example.com")) == sets + 2
    service.clear_log()
    again = run("dns_records", **task)
    assert not again["changed"]
    assert counts(again) == {"unchanged": sets}
    assert service.calls() == ["GET /dns/domains/examplecom"]


def test_nothing_is_lost_where_the_service_loses_concurrent_writes(service: Service, run: Run) -> None:
    service.settings(lose_concurrent_writes=True, latency=5)
    records = [
        {"name": f"n{n}", "type": rdtype, "ttl": 300, "content": content}
        for n in range(100)
        for rdtype, content in (
            ("A", [f"192.0.{part}.{n}" for part in range(3)]),
            ("AAAA", [f"2001:db8:{part}::{n + 1}" for part in range(1, 3)]),
        )
    ]
    result = run("dns_records", zone="example.com", records=records, concurrency=8)
    assert counts(result) == {"created": 200}
    log = service.log()
    assert Counter(entry["method"] for entry in log) == {"GET": 2, "POST": 500}
    assert 8 <= len({entry["connection"] for entry in log}) <= 8 + 2
    held = {(row["name"], row["type"]): row["contents"] for row in service.records("example.com")}
    for record in records:
        assert sorted(held[f"{record['name']}.example.com.", record["type"]]) == sorted(record["content"])


@pytest.mark.parametrize("concurrency", [1, 8, 32])
def test_within_each_name_deletes_come_before_creates_one_at_a_time(
    zone: Any, run: Run, service: Service, concurrency: int
) -> None:
    """Forth and back for 40 names: A and AAAA to CNAME in one task, and CNAME to A and AAAA in the next."""
    service.settings(latency=2, lose_concurrent_writes=True)
    hosts = "\n".join(
        f"n{n} 60 A 192.0.2.{n}\nn{n} 60 A 198.51.100.{n}\nn{n} 60 AAAA 2001:db8:{n + 1:x}::1" for n in range(40)
    )
    aliases = "\n".join(f"n{n} 60 CNAME x{n}.example.net." for n in range(40))
    zone.holds(hosts)
    for wanted, per_name in (
        (aliases, ["DELETE A", "DELETE AAAA", "POST CNAME"]),
        (hosts, ["DELETE CNAME", "POST A", "POST A", "POST AAAA"]),
    ):
        service.clear_log()
        run(
            "dns_records",
            zone="example.com",
            records=rows(wanted),
            prune=True,
            prune_limit=100,
            concurrency=concurrency,
        )
        assert zone.lines() == text(wanted)
        by_name: dict[str, list[str]] = {}
        for method, name, rdtype, *_rest in map(str.split, zone.calls()[1:-1]):
            by_name.setdefault(name.removesuffix(".example.com."), []).append(f"{method} {rdtype}")
        assert by_name == {f"n{n}": per_name for n in range(40)}


# Rate limits


def test_a_429_slows_all_workers(run: Run, service: Service, clock: Any) -> None:
    """No pause ends before all eight workers are in it."""
    all_wait, begun = threading.Barrier(8, timeout=60), itertools.count()
    clock.on_wait = lambda _seconds: all_wait.wait() if next(begun) < 8 else None
    service.fault("status", method="POST", nth=20, status=429, headers={"Retry-After": "1"})
    result = run("dns_records", zone="example.com", records=addresses(60), concurrency=8)
    assert counts(result) == {"created": 60}
    log = service.log()
    assert Counter(entry["status"] for entry in log) == {200: 62, 429: 1}
    assert Counter(entry["method"] for entry in log) == {"GET": 2, "POST": 61}
    assert clock.waits[:8] == pytest.approx([clock.waits[0]] * 8)
    assert 1 <= clock.waits[0] <= 2


def test_a_service_with_a_rate_limit_gets_everything_in_time(
    zone: Any, run: Run, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (gate, retries):
        monkeypatch.setattr(module, "machine", Machine)  # whose time does pass
    service.settings(rate_limit=25)
    result = run("dns_records", zone="example.com", records=addresses(60), concurrency=8)
    assert counts(result) == {"created": 60}
    refusals = [entry for entry in service.log() if entry["status"] == 429]
    assert len(refusals) <= 3 * 8  # none, where the machine is slower than that
    assert len(zone.lines()) == 60


@pytest.mark.parametrize("entries", ["x", "{", ["x"], [5], [None], [["x"]]])
@pytest.mark.parametrize("option", ["records", "ignore"])
def test_entries_that_are_none_do_not_show_the_token(run: Run, option: str, entries: Any) -> None:
    # That no token is in what a module says is for run itself to see.
    assert run("dns_records", **{"zone": "example.com", "records": [], option: entries})["failed"]


FLOAT = "YAML takes 7.1 and 7.10 for one number where they are not in quotes, so write it in quotes"
BOOLEAN = "YAML takes yes, no, on, off, true and false for booleans where they are not in quotes"
GOOD_ROW = {"name": "first", "type": "A", "content": "192.0.2.1"}
# Each row: the second entry of two, other options, and what is said.
UNUSABLE = {
    "a TTL": (
        {"name": "www", "type": "A", "content": "192.0.2.1", "ttl": True},
        {},
        f"records[1] www A: ttl is the boolean true, and takes a number: {BOOLEAN}",
    ),
    "a name": (
        {"name": False, "type": "A", "content": "192.0.2.1"},
        {},
        f"records[1] false A: name is the boolean false, and takes a text: {BOOLEAN}",
    ),
    "a value": (
        {"name": "www", "type": "TXT", "content": True},
        {},
        f"records[1] www TXT: content has the boolean true, and takes text: {BOOLEAN}",
    ),
    "a value of several": (
        {"name": "www", "type": "TXT", "values": ["a", False]},
        {},
        f"records[1] www TXT: values has the boolean false, and takes text: {BOOLEAN}",
    ),
    "a preference": (
        {"type": "MX", "content": "mail", "priority": True},
        {},
        "records[1] @ MX: priority is the boolean true",
    ),
    "the TTL of all": (GOOD_ROW | {"name": "b"}, {"ttl": True}, "ttl is the boolean true, and takes a number"),
    "a name to ignore": (
        GOOD_ROW | {"name": "b"},
        {"ignore": [{"type": "A"}, {"name": False}]},
        "ignore[1]: name is the boolean false, and takes a text",
    ),
    "a missing type": ({"name": "www", "content": "192.0.2.1"}, {}, "records[1] www: type is missing"),
    "a type of nothing": ({"name": "www", "type": None, "content": "192.0.2.1"}, {}, "records[1] www: type is missing"),
    "an unknown key": (
        {"name": "www", "type": "A", "contnet": "192.0.2.1", "comment": "of the lab"},
        {},
        "records[1] www A (of the lab): there is no key 'contnet' (did you mean content?).",
    ),
    "no TTL": (GOOD_ROW | {"name": "b", "ttl": "1x"}, {}, "records[1] b A: ttl is '1x', and takes seconds, 0 to 2147"),
    "no whole number": (GOOD_ROW | {"name": "b", "ttl": 1.5}, {}, "records[1] b A: ttl is 1.5, and takes seconds"),
    "a list for a TTL": (GOOD_ROW | {"name": "b", "ttl": [1]}, {}, "records[1] b A: ttl is [1], and takes seconds"),
    "a TTL that is too long": (GOOD_ROW | {"name": "b", "ttl": "4000w"}, {}, "b A: ttl is 2419200000, and a TTL is 0"),
    "no TTL of all": (
        GOOD_ROW | {"name": "b"},
        {"ttl": "1x"},
        "ttl is '1x', and takes seconds, 0 to 2147483647, or as",
    ),
    "a float for a name": (
        {"name": 7.1, "type": "PTR", "content": "a.example.net."},
        {},
        f"records[1] 7.1 PTR: name is the number 7.1, and takes a text: {FLOAT}",
    ),
    "a float for a value": (
        {"name": "b", "type": "TXT", "content": 1.1},
        {},
        f"records[1] b TXT: content has the number 1.1, and takes text: {FLOAT.replace('7.1', '1.1')}",
    ),
    "a float in a glob": (
        GOOD_ROW | {"name": "b"},
        {"protect": [{"name": 7.1}]},
        f"protect[0]: name is the number 7.1, and takes a text: {FLOAT}",
    ),
    "a state that there is not": (
        GOOD_ROW | {"name": "b", "state": "gone"},
        {},
        "records[1] b A: value of state must be one of: present, absent, got: gone",
    ),
    "a dictionary for a value": (
        {"name": "b", "type": "A", "content": {"ip": "192.0.2.1"}},
        {},
        "records[1] b A: argument 'content' is of type ",
    ),
    "a dictionary among values": (
        {"name": "b", "type": "A", "values": ["192.0.2.1", {"ip": "192.0.2.1"}]},
        {},
        "records[1] b A: values has a dictionary in it, and takes a text or a list of texts",
    ),
    "a list for a name": (GOOD_ROW | {"name": ["b"]}, {}, "name is a list, and takes a text"),
    "a text for an entry": ("www A 192.0.2.1", {}, "records[1]: it is 'www A 192.0.2.1', and an entry is a dictionary"),
    "nothing for an entry": (None, {}, "records[1]: it is None, and an entry is a dictionary"),
    "all of an entry at once": (
        {"name": "www", "tpye": "A", "ttl": False},
        {},
        "records[1] www: there is no key 'tpye' (did you mean type?); ",
    ),
    "a comment": (
        {"name": "www", "type": "A", "content": "x", "comment": "of\nthe lab"},
        {},
        "1 of 2 entries cannot be used: records[1] www A (of\\nthe lab): 'x' is not a value of type A",
    ),
}


OF_ZONE = {
    "no file": {"src": "nothere.zone"},
    "an empty src": {"src": ""},
    "both": {"src": "a.zone", "records": []},
    "neither": {},
    "a glob of another zone": {"records": [], "ignore": [{"name": "*.other.example."}]},
    "a limit": {"records": [], "prune_limit": 101},
}


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize("options", OF_ZONE.values(), ids=OF_ZONE)
def test_what_is_wrong_for_the_zone_names_it(run: Run, options: dict[str, Any]) -> None:
    assert run("dns_records", zone="Example.com.", **options)["msg"].startswith("Zone Example.com: ")


@pytest.mark.parametrize(("entry", "options", "reason"), UNUSABLE.values(), ids=UNUSABLE)
@pytest.mark.parametrize("check", [True, False])
def test_what_no_entry_can_be_is_told_of_it_before_anything_is_written(
    zone: Any, run: Run, entry: dict[str, Any], options: dict[str, Any], reason: str, check: bool
) -> None:
    result = run("dns_records", check=check, zone="example.com", records=[GOOD_ROW, entry], **options)
    assert reason in result["msg"]
    assert result["msg"].startswith("Zone example.com: ")
    assert result["msg"].isprintable()
    assert (result["changed"], result["changes"], result["status_code"]) == (False, [], None)
    assert zone.calls() == []


def test_all_entries_that_cannot_be_used_are_told_at_once(run: Run) -> None:
    entries = [{"name": "a"}, GOOD_ROW, {"name": "b", "type": "A", "ttl": True, "x": 1}]
    said = run("dns_records", zone="example.com", records=entries)["msg"]
    for reason in ("records[0] a: type is missing.", "records[2] b A: there is no key 'x'", "ttl is the boolean"):
        assert reason in said


GUARDS = [
    pytest.param(
        {"ignore": [{"name": "*.example.net."}]}, "ignore names '*.example.net.', which can match", id="ignore"
    ),
    pytest.param({"protect": [{"type": "CNAEM"}]}, "protect cannot be used, nobody knows the type", id="protect"),
    pytest.param({"change_limit": 101}, "change_limit is 101, and can be 0 to 100", id="change_limit"),
    pytest.param({"findings_ignore": [{"rule": "tl-zero"}]}, "names tl-zero (did you mean ttl-zero?)", id="findings"),
    pytest.param({"ttl_max": [{"name": "ww", "ttl": "5x"}]}, "ttl is '5x'", id="ttl_max"),
    pytest.param({"prune_limit": "half"}, "", id="what Ansible refuses"),
]


@pytest.mark.parametrize(("guard", "said"), GUARDS)
@pytest.mark.parametrize("other", ["a value", "a file"])
def test_what_is_wrong_with_a_guard_and_with_records_is_told_at_once(
    run: Run, guard: dict[str, Any], said: str, other: str
) -> None:
    entry = {"name": "www", "type": "A", "content": ["192.0.2.300"]}
    sets = {"records": [entry]} if other == "a value" else {"src": "f", "_files": {"f": {"text": "www A 192.0.2.300"}}}
    told = run("dns_records", zone="example.com", **guard, **sets)["msg"]
    assert told.count(said) == 1 or not said, told
    if said:
        assert told.count("300 is above 255") == 1, told


def test_numbers_may_be_written_in_any_way_that_ansible_reads(run: Run) -> None:
    # ansible-core 2.17, with which the lowest Python is tried, reads no fractions.
    fractions = [300.0, "300.0"] if tuple(map(int, ansible.release.__version__.split(".")[:2])) > (2, 17) else []
    ttls = [300, "300", " 300 ", "5m", "4M60s", *fractions]
    entries = [{**GOOD_ROW, "name": f"n{n}", "ttl": ttl} for n, ttl in enumerate(ttls)]
    result = run("dns_records", zone="example.com", records=[*entries, "name=n9 type=A content=192.0.2.1 ttl=5m"])
    assert {change["after"]["ttl"] for change in result["changes"]} == {300}, result["msg"]
    assert len(result["changes"]) == len(ttls) + 1


def test_the_ttl_of_all_may_have_units(run: Run) -> None:
    records = [GOOD_ROW, {**GOOD_ROW, "name": "second", "ttl": "1d"}]
    result = run("dns_records", zone="example.com", ttl="1h30m", records=records)
    assert [change["after"]["ttl"] for change in result["changes"]] == [5400, 86400]


def test_a_value_may_be_a_number(run: Run) -> None:
    entries = [{"name": "a", "type": "TXT", "content": 10}, {"name": "b", "type": "TXT", "content": [10, "1.5"]}]
    changes = run("dns_records", zone="example.com", records=entries)["changes"]
    assert [change["after"]["contents"] for change in changes] == [['"10"'], ['"10"', '"1.5"']]


def test_a_row_of_a_table_may_have_empty_cells_and_a_comment(zone: Any, run: Run, service: Service) -> None:
    zone.holds("old 60 A 192.0.2.9")
    cells = ("name", "type", "content", "ttl", "priority", "state", "comment")
    table = ["www,A,192.0.2.1,,,present,of the lab", "@,MX,mail,300,10,present,", "old,A,,,,absent,gone"]
    entries = [dict(zip(cells, line.split(","), strict=True)) for line in table]
    result = run("dns_records", zone="example.com", records=entries)
    assert counts(result) == {"created": 2, "deleted": 1}
    assert zone.lines() == ["@ 300 MX 10 mail.example.com.", "www 3600 A 192.0.2.1"]
    assert "of the lab" not in str({**result, "invocation": None})
    assert "comment" not in str(service.log())


def test_the_result_of_options_that_cannot_be_used_is_whole(zone: Any, run: Run) -> None:
    for options in ({"records": None}, {"records": [], "nonsense": 1}, {"records": [], "prune": "perhaps"}):
        result = run("dns_records", zone="example.com", **options)
        assert (result["failed"], result["changed"], result["changes"]) == (True, False, [])
    assert zone.calls() == []


# Guards that match nothing

# Each row: an option, its entries, and those of them that are told.
UNMET = {
    "what the zone holds": ("ignore", [{"name": "here"}, {"type": "TXT"}, {"value": "192.0.2.1"}, {"type": "SOA"}], []),
    "what is to be there": ("protect", [{"name": "new"}, {"value": "192.0.2.9"}], []),
    "the wildcard": ("protect", [{"name": r"\*"}, {"name": "[*]"}, {"name": "*"}, {"name": r"\*.*.com"}], []),
    "a name": ("ignore", [{"name": "here"}, {"name": "ther?"}], ["ignore[1] (name 'ther?')"]),
    "a type": ("protect", [{"name": "here", "type": "MX"}], ["protect[0] (name 'here', type 'MX')"]),
    "a value": ("protect", [{"value": "192.0.2.7"}], ["protect[0] (value '192.0.2.7')"]),
    "what is there for moments": ("ignore", [{"name": "_acme-challenge*", "type": "TXT"}], []),
    "a name of findings": (
        "findings_ignore",
        [{"rule": "ttl-zero", "name": "ther"}],
        ["findings_ignore[0] (", "'ther')"],
    ),
    "names of findings": ("findings_ignore", [{"name": "new"}, {"name": r"\*.example.com"}, {"rule": "ttl-*"}], []),
}


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(("option", "entries", "told"), UNMET.values(), ids=UNMET)
def test_a_guard_that_matches_nothing_is_told(
    zone: Any, run: Run, option: str, entries: Any, told: list[str], check: bool
) -> None:
    zone.holds("here 300 A 192.0.2.1\n* 300 TXT a")
    records = [{"name": "new", "type": "A", "content": "192.0.2.9", "state": "present"}]
    if option == "ignore":
        records[0] |= {"name": "other"}
    result = run("dns_records", zone="example.com", records=records, check=check, **{option: entries})
    warnings = [warning for warning in result.get("warnings", []) if "written as meant" in warning]
    assert len(warnings) == bool(told), result
    for part in told:
        assert part in warnings[0]


def test_a_protected_wildcard_is_not_rebuilt(zone: Any, run: Run) -> None:
    zone.holds("* 300 TXT a\n*.dev 300 TXT b")
    for name in (r"\*", r"\*.dev"):
        task = {"records": [{"name": name, "type": "TXT", "content": "a", "ttl": 60}], "protect": [{"name": name}]}
        assert "protect" in run("dns_records", zone="example.com", **task)["msg"]


def test_an_ignored_wildcard_is_not_pruned(zone: Any, run: Run) -> None:
    zone.holds("* 300 TXT a\n*.dev 300 TXT b\nx.dev 300 TXT b")
    ignore = [{"name": r"\*"}, {"name": r"\*.dev"}]
    run("dns_records", zone="example.com", records=[], prune=True, prune_limit=100, ignore=ignore)
    assert zone.lines() == ['* 300 TXT "a"', '*.dev 300 TXT "b"']
