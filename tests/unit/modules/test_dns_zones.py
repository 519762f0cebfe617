# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""dns_zones against the stand-in service: given these zones and this task, these calls, and these zones after."""

from __future__ import annotations

import itertools
import json
import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from ansible.module_utils import basic
from ansible.parsing.dataloader import DataLoader
from running import Service

from ansible_collections.zonesmith.dns.plugins.plugin_utils._files import zone_files

Run = Callable[..., dict[str, Any]]
Calls = Callable[[], list[str]]

WWW = [{"name": "www", "type": "A", "content": "192.0.2.1"}]
NEW = [{"name": "new", "type": "A", "content": "192.0.2.9"}]
NO_OCTET = "256 is above 255: write an IPv4 address, as in '192.0.2.1'."
MEANT = "(did you mean name?)"
OF_LINE = "www A: '192.0.2.300' is not a value of type A, "
NO_TTL = "the record has no TTL, and no $TTL stands before it: put $TTL 3600 into the first line, or set ttl."
NOT_ALONE = "CNAME: a CNAME must be alone at its name, and A is there too (see line 2 of zones/example.org.zone)."
OTHERS = ("example.net", "example.org")


@pytest.fixture
def three(service: Service) -> Service:
    """A service with the zones example.com, example.net and example.org, each with www A 192.0.2.1."""
    for name in ("example.com", *OTHERS):
        service.zone(name, [("www", "A", 300, ["192.0.2.1"])])
    service.clear_log()
    return service


@pytest.fixture
def calls(service: Service) -> Calls:
    """The calls so far, ``GET com``, ``POST org www A 192.0.2.1``; those that follow in one step, sorted."""

    def short(entry: dict[str, Any]) -> str:
        path, _question, query = entry["path"].partition("?")
        zone = path.removeprefix("/dns/domains/example").partition("/")[0]
        name = (entry.get("body") or {}).get("name") or entry.get("query", {}).get("name", "") or query
        return f"{entry['method']} {zone} {name}".strip()

    return lambda: [short(entry) for entry in service.log()]


def lines(service: Service, zone: str) -> list[str]:
    """What a zone holds, sorted, without SOA and NS."""
    return sorted(
        f"{row['name'].removesuffix(f'.{zone}.')} {row['ttl']} {row['type']} {content}"
        for row in service.records(zone)
        if row["type"] not in ("SOA", "NS")
        for content in row["contents"]
    )


def zones(**records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries of ``zones`` for example.com and so on."""
    return [{"zone": f"example.{name}", "records": rows} for name, rows in records.items()]


def test_all_are_read_before_one_is_written_and_each_is_verified(three: Service, run: Run, calls: Calls) -> None:
    result = run("dns_zones", zones=zones(org=NEW, com=NEW, net=WWW), concurrency=1)
    assert result["changed"]
    assert calls() == ["GET com", "GET net", "GET org", "POST com new", "GET com", "POST org new", "GET org"]
    assert [(item["zone"], item["changed"]) for item in result["zones"]] == [
        ("example.org", True),
        ("example.com", True),
        ("example.net", False),
    ]
    assert result["summary"] == {"created": 2, "extended": 0, "rebuilt": 0, "deleted": 0, "unchanged": 1}
    assert [change["action"] for change in result["zones"][0]["changes"]] == ["create"]
    assert [(item["before_header"], item["before"], item["after"]) for item in result["diff"]] == [
        ("example.org", "", "new.example.org. 3600 IN A 192.0.2.9\n"),
        ("example.com", "", "new.example.com. 3600 IN A 192.0.2.9\n"),
    ]
    assert lines(three, "example.org") == ["new 3600 A 192.0.2.9", "www 300 A 192.0.2.1"]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("check", [True, False])
def test_the_header_of_a_zone_tells_which_of_its_sets_are_gone_for_a_moment(run: Run, check: bool) -> None:
    other = [{"name": "www", "type": "A", "content": ["192.0.2.9"]}]
    result = run("dns_zones", check=check, zones=zones(com=other, net=NEW))
    assert [(item["before_header"], item["after_header"]) for item in result["diff"]] == [
        ("example.com", "example.com, 1 set rebuilt, gone for a moment: www.example.com. A"),
        ("example.net", "example.net"),
    ]


@pytest.mark.usefixtures("three")
def test_the_second_run_reads_each_zone_once(run: Run, calls: Calls, service: Service) -> None:
    task = {"zones": zones(org=NEW, com=NEW, net=WWW)}
    run("dns_zones", **task)
    service.clear_log()
    assert not run("dns_zones", **task)["changed"]
    assert sorted(calls()) == ["GET com", "GET net", "GET org"]


@pytest.mark.usefixtures("three")
def test_check_mode_tells_the_same_and_writes_nothing(run: Run, calls: Calls, service: Service) -> None:
    task = {"zones": zones(com=NEW, org=WWW, net=[{**WWW[0], "ttl": 60}]), "prune": True, "prune_limit": 100}
    told = run("dns_zones", check=True, **task)
    assert sorted(calls()) == ["GET com", "GET net", "GET org"]
    done = run("dns_zones", **task)
    assert told == done
    assert done["summary"] == {"created": 1, "extended": 0, "rebuilt": 1, "deleted": 1, "unchanged": 1}
    assert lines(service, "example.com") == ["new 3600 A 192.0.2.9"]


def test_entries_of_a_zone_are_told_at_once_whoever_refuses_them(run: Run, calls: Calls) -> None:
    rows = [{"type": "A", "content": "192.0.2.1", "ttl": "1x"}, {"type": "A", "content": "x"}, *WWW]
    (item,) = run("dns_zones", zones=zones(com=rows))["zones"]
    assert item["msg"].startswith("Zone example.com: 2 of 3 entries cannot be used: records[0] @ A: ttl is '1x', and ")
    assert ". records[1] @ A: 'x' is not a value of type A" in item["msg"]
    assert calls() == []


@pytest.mark.parametrize("check", [False, True])
def test_what_is_wrong_offline_is_told_of_all_zones_before_any_request(run: Run, calls: Calls, check: bool) -> None:
    wrong = [
        *zones(com=[{"type": "A", "content": "192.0.2.256"}], net=WWW, org=[{"name": "www"}]),
        {"zone": "Example.NET.", "records": []},
        {"zone": "ex..ample", "records": []},
        {"zone": "example.edu"},
        {"zone": "", "records": []},
        {"zone": "example.biz", "records": [], "prune_limit": 101},
        {"zone": "example.info", "records": [], "ignore": [{"name": "www.example.biz."}]},
    ]
    result = run("dns_zones", zones=wrong, check=check)
    assert result["failed"]
    assert not result["changed"]
    assert result["msg"].startswith(
        "8 of 9 zones cannot be kept, and nothing was changed. Zone example.com: 1 of 1 entry"
    )
    assert result["untouched"] == ["example.net"]
    assert [(item["zone"], item["msg"].partition(": ")[2]) for item in result["zones"]] == [
        (
            "example.com",
            "1 of 1 entry cannot be used: records[0] @ A: '192.0.2.256' is not a value of type A, " + NO_OCTET,
        ),
        ("example.org", "1 of 1 entry cannot be used: records[0] www: type is missing."),
        ("Example.NET", "it is listed twice, as zones[1] and as zones[3]."),
        (
            "ex..ample",
            "zone 'ex..ample' cannot be used, it has an empty label (two dots in a row, or a dot at its start).",
        ),
        ("example.edu", "either records or src is needed, and neither is given."),
        ("''", "zone '' cannot be used, it is empty."),
        ("example.biz", "prune_limit is 101, and can be 0 to 100."),
        ("example.info", "ignore names 'www.example.biz.', which can match nothing in the zone example.info."),
    ]
    assert calls() == []


def test_a_plan_that_is_refused_keeps_all_zones_as_they_are(three: Service, run: Run, calls: Calls) -> None:
    three.zone("example.org", [("www", "CNAME", 300, ["example.net."])])
    result = run("dns_zones", zones=zones(com=NEW, org=WWW, net=NEW, edu=NEW))
    assert result["failed"]
    assert not result["changed"]
    assert [item["zone"] for item in result["zones"] if "status_code" in item] == ["example.org", "example.edu"]
    assert "2 of 4 zones cannot be kept, and nothing was changed. Zone example.org: " in result["msg"]
    assert "Zone example.edu: the account has no zone of that name" in result["msg"]
    assert not [call for call in calls() if not call.startswith("GET")]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(
    ("wrong", "untouched"),
    [
        ({"zone": "example.org", "records": [{**WWW[0], "content": "192.0.2.256"}]}, ["example.com", "example.net"]),
        ({"zone": "example.edu", "records": NEW}, ["example.com"]),  # what is planned is made in no zone
    ],
)
def test_a_zone_that_another_one_stops_says_so(run: Run, check: bool, wrong: Any, untouched: list[str]) -> None:
    result = run("dns_zones", zones=[*zones(com=NEW, net=WWW), wrong], check=check)
    planned = []
    if check and wrong["zone"] == "example.edu":
        planned, untouched = untouched, []  # check mode has nothing left to do once it has planned
    assert result.get("untouched", []) == untouched
    assert [item["zone"] for item in result["zones"]] == [*planned, wrong["zone"]]
    assert all({"summary", "findings"} <= item.keys() for item in result["zones"][:-1])
    assert result.get("unchanged", []) == (["example.net"] if wrong["zone"] == "example.edu" else [])
    assert result["msg"].startswith("1 of 3 zones cannot be kept, and nothing was changed. ")


def test_one_reason_of_many_zones_is_told_once(run: Run, calls: Calls) -> None:
    names = [f"z{number:03}.example" for number in range(150)]
    shared = {"shared": {"text": "$TTL 60\nwww A 192.0.2.300\n"}}
    result = run("dns_zones", zones=[{"zone": name, "src": "shared"} for name in names], _files=shared)
    assert result["msg"] == (
        "150 of 150 zones cannot be kept, and nothing was changed. Zones z000.example, z001.example and 148 more: "
        f"line 2 of shared cannot be used, {OF_LINE}{NO_OCTET.replace('256', '300')}"
    )
    assert result["summary"] == dict.fromkeys(("created", "extended", "rebuilt", "deleted", "unchanged"), 0)
    assert result["zones"][149]["msg"].startswith("Zone z149.example: line 2 of shared")
    different = [{"zone": name, "src": f"{name}.zone"} for name in names]
    files = {f"{name}.zone": {"reason": f"{name} is odd"} for name in names}
    result = run("dns_zones", zones=different, _files=files)
    assert result["msg"].count(" cannot be used, ") == 10
    assert result["msg"].endswith(" And 140 more, see zones in the result.")
    assert calls() == []


def test_a_failure_while_writing_is_of_its_zone_alone(three: Service, run: Run) -> None:
    three.fault("status", method="POST", path="/dns/domains/examplenet/records", status=422, times=0)
    result = run("dns_zones", zones=zones(com=NEW, net=NEW, org=NEW))
    assert result["failed"]
    assert result["changed"]
    assert result["status_code"] == 422
    assert result["msg"].startswith("1 of 3 zones failed, and the others are as wanted. Zone example.net: cannot add")
    com, org, net = result["zones"]
    assert (com["changed"], org["changed"], net["changed"]) == (True, True, False)
    assert "unchanged" not in result
    assert net["failed_sets"] == [{"name": "new.example.net.", "type": "A"}]
    assert [item["before_header"] for item in result["diff"]] == ["example.com", "example.org"]
    assert lines(three, "example.org") == ["new 3600 A 192.0.2.9", "www 300 A 192.0.2.1"]


def test_a_failure_among_many_zones_is_what_one_sees(service: Service, run: Run) -> None:
    names = [f"z{number:02}.example" for number in range(61)]
    for name in names:
        service.zone(name, [("www", "A", 300, ["192.0.2.1"])])
    service.fault("status", method="GET", path="/dns/domains/z07example", status=403, times=0)
    result = run("dns_zones", zones=names, records=WWW)
    assert [item["zone"] for item in result["zones"]] == ["z07.example"]
    assert result["unchanged"] == [name for name in names if name != "z07.example"]
    assert len(json.dumps(result["zones"])) + len(json.dumps(result["unchanged"])) < 2000


def test_zones_can_be_names_with_records_for_all(three: Service, run: Run) -> None:
    own = {"zone": "example.org", "records": [{**NEW[0], "content": "192.0.2.7"}]}
    result = run("dns_zones", zones=["example.com", {"zone": "example.net", "ttl": 60}, own], records=NEW, ttl=90)
    assert [item["zone"] for item in result["zones"]] == ["example.com", "example.net", "example.org"]
    assert lines(three, "example.com") == ["new 90 A 192.0.2.9", "www 300 A 192.0.2.1"]
    assert lines(three, "example.net") == ["new 60 A 192.0.2.9", "www 300 A 192.0.2.1"]
    assert lines(three, "example.org") == ["new 90 A 192.0.2.7", "www 300 A 192.0.2.1"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"records": WWW}, "records is what each of zones is to hold, and zones is not given: give records with zones"),
        ({"records": WWW, "src": "zones"}, "records is what each of zones is to hold, and src is given too: give"),
        ({"zones": ["example.com"]}, "1 of 1 zone cannot be kept, and nothing was changed. Zone example.com: either"),
        ({"records": "x", "zones": ["example.com"]}, "Elements value for option 'records' is of type "),
        (
            {"records": [{"name": "www"}], "zones": ["example.com", "example.net"]},
            (
                "2 of 2 zones cannot be kept, and nothing was changed. Zones example.com and example.net: 1 of 1 entry "
                "cannot be used: records[0] www: type is missing."
            ),
        ),
    ],
)
@pytest.mark.usefixtures("three")
def test_records_for_all_zones_that_make_no_sense(run: Run, options: dict[str, Any], said: str) -> None:
    assert run("dns_zones", **options)["msg"].startswith(said)


def test_check_mode_can_fail_where_something_would_change(three: Service, run: Run, calls: Calls) -> None:
    task = {"zones": zones(com=WWW, net=NEW, org=WWW), "unmanaged": "warn", "fail_on_changes": True}
    result = run("dns_zones", check=True, **task)
    assert result["msg"] == (
        "fail_on_changes is true, and not all is as wanted: zone example.net (create new.example.net. A)."
    )
    assert (result["changed"], result["differs"], result["status_code"]) == (True, True, None)
    assert ([item["zone"] for item in result["zones"]], len(result["diff"])) == (["example.net"], 1)
    assert result["unchanged"] == ["example.com", "example.org"]
    three.zone("example.edu", [])
    unmanaged = run("dns_zones", check=True, **{**task, "zones": zones(com=WWW, net=WWW, org=WWW)})
    assert unmanaged["msg"] == (
        "fail_on_changes is true, and not all is as wanted: the account has zones that the task does not list "
        "(example.edu)."
    )
    assert not [call for call in calls() if not call.startswith("GET")]
    done = run("dns_zones", **task)
    assert (done.get("failed", False), done["changed"]) == (False, True)
    assert not run("dns_zones", check=True, **{**task, "unmanaged": "ignore"}).get("failed")


def test_check_mode_of_one_zone_can_fail(three: Service, run: Run) -> None:
    task = {"zone": "example.com", **NEW[0], "fail_on_changes": True}
    result = run("dns_record", check=True, **task)
    assert result["msg"] == (
        "fail_on_changes is true, and not all is as wanted: zone example.com (create new.example.com. A)."
    )
    assert result["record_set"]["contents"] == ["192.0.2.9"]
    assert lines(three, "example.com") == ["www 300 A 192.0.2.1"]
    run("dns_record", **task)
    assert not run("dns_record", check=True, **task).get("failed")


def test_what_an_entry_says_counts_before_what_the_task_says(three: Service, run: Run) -> None:
    given = [
        {"zone": "example.com", "records": NEW, "prune": False, "ttl": 60},
        {"zone": "example.net", "records": NEW, "prune_limit": 100, "ignore": [{"name": "www"}]},
        {"zone": "example.org", "records": NEW},
    ]
    run("dns_zones", zones=given, prune=True, ttl=90)
    assert lines(three, "example.com") == ["new 60 A 192.0.2.9", "www 300 A 192.0.2.1"]
    assert lines(three, "example.net") == ["new 90 A 192.0.2.9", "www 300 A 192.0.2.1"]
    assert lines(three, "example.org") == ["new 90 A 192.0.2.9"]


@pytest.mark.usefixtures("three")
def test_globs_that_match_nothing_in_any_zone_are_told_once(run: Run) -> None:
    given = [
        {"zone": "example.com", "records": WWW, "protect": [{"name": "gone"}, {"name": "www"}]},
        {"zone": "example.net", "records": [*WWW, *NEW]},
        {"zone": "example.org", "records": WWW, "ignore": []},
    ]
    shared: dict[str, Any] = {
        "ignore": [{"name": "olde*"}, {"type": "SOA"}, {"name": "_acme-challenge*"}],
        "protect": [{"name": "new", "value": "192.0.2.9"}, {"name": "*", "type": "TXT"}],
        "findings_ignore": [{"name": "nwe"}, {"name": "new", "rule": "ttl-*"}, {"rule": "ttl-zero"}],
    }
    result = run("dns_zones", zones=given, check=True, **shared)
    told = [warning for warning in result["warnings"] if "written as meant" in warning]
    assert sorted(told) == [
        "Zone example.com: protect[0] (name 'gone') matches nothing of the zone: is it written as meant?",
        (
            "findings_ignore[0] (name 'nwe'); ignore[0] (name 'olde*'); protect[1] (type 'TXT') match nothing of any "
            "zone: are they written as meant?"
        ),
    ]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "either zones or src is needed, and neither is given."),
        ({"zones": [], "concurrency": 65}, "concurrency is 65, and can be auto or 1 to 64."),
        ({"zones": [], "wait_timeout": 0}, "wait_timeout must be above 0 and at most 86400 seconds."),
        (
            {"zones": zones(com=WWW, net=WWW), "findings_ignore": [{"rule": "nope"}]},
            "findings_ignore names nope, and there is no such rule.",
        ),
        ({"zones": zones(com=WWW, net=WWW), "lock_timeout": -1}, "lock_timeout must be 0 to 86400 seconds."),
        ({"zones": zones(com=WWW, net=WWW), "prune_limit": 101}, "prune_limit is 101, and can be 0 to 100."),
        ({"zones": [{"records": []}]}, "1 of 1 entry cannot be used: zones[0]: zone is missing."),
        (
            {"zones": [{"zone": "example.com", "records": WWW, "ignore": [{"nane": "www"}]}]},
            f"1 of 1 entry cannot be used: zones[0].ignore[0]: there is no key 'nane' {MEANT}.",
        ),
    ],
    ids=itertools.count(),
)
def test_options_of_all_zones_are_looked_at_once(run: Run, calls: Calls, given: Any, problem: str) -> None:
    result = run("dns_zones", **given)
    assert result["msg"] == problem
    assert result["zones"] == []
    assert calls() == []


WRONG = [{"name": "www", "type": "A", "content": ["192.0.2.300"]}]


@pytest.mark.parametrize(
    ("guard", "said"),
    [
        ({"findings_ignore": [{"rule": "tl-zero"}]}, "findings_ignore names tl-zero (did you mean ttl-zero?)"),
        ({"protect": [{"name": "*.example.edu."}]}, "protect names '*.example.edu.', which can match nothing in any"),
        ({"prune_limit": 101}, "prune_limit is 101, and can be 0 to 100"),
    ],
)
def test_a_guard_of_all_zones_is_looked_at_before_the_zones(
    run: Run, calls: Calls, guard: dict[str, Any], said: str
) -> None:
    assert run("dns_zones", zones=zones(com=WRONG, net=WWW), **guard)["msg"].startswith(said)
    assert calls() == []


def test_a_guard_of_one_zone_hides_nothing_of_it(run: Run, calls: Calls) -> None:
    guarded = {"zone": "example.com", "records": WRONG, "change_limit": -1, "protect": [{"name": "a.example.net."}]}
    slip = {"zone": "example.net", "records": [{"name": "www"}], "prune_limit": 101}
    told = [item["msg"] for item in run("dns_zones", zones=[guarded, slip])["zones"]]
    for reason in ("change_limit is -1", "protect names 'a.example.net.'", "300 is above 255"):
        assert told[0].count(reason) == 1, told
    for reason in ("prune_limit is 101", "type is missing"):
        assert told[1].count(reason) == 1, told
    assert calls() == []


@pytest.mark.parametrize("prune", [True, False])
def test_no_zones_are_no_change_and_no_request_and_told(run: Run, calls: Calls, prune: bool) -> None:
    result = run("dns_zones", zones=[], prune=prune)
    assert (result["changed"], result["zones"], result["diff"]) == (False, [], [])
    assert result["warnings"] == ["zones is empty: no zone is looked at, whatever the other options say"]
    assert calls() == []


@pytest.mark.parametrize("fault", [{"kind": "status", "status": 401}, {"kind": "drop_before"}])
def test_what_would_be_the_same_for_all_zones_is_not_tried_for_all(
    three: Service, run: Run, fault: dict[str, Any], calls: Calls
) -> None:
    three.fault(**fault, method="GET", times=0)
    result = run("dns_zones", zones=zones(com=WWW, net=WWW, org=WWW), concurrency=1, retries=1)
    assert result["msg"].startswith(
        "1 of 3 zones cannot be kept, 2 more were not read, and nothing was changed. Zone example.com: cannot read it: "
    )
    assert result["msg"].count("nothing was changed") == 1
    assert result["zones"][0]["msg"].endswith("; nothing was changed.")
    assert {call.split()[1] for call in calls()} == {"com"}


def test_zones_that_cannot_be_read_are_told_together(three: Service, run: Run) -> None:
    three.fault("status", method="GET", status=403, body={"message": "Not yours"}, times=0)
    assert run("dns_zones", zones=zones(com=WWW, net=WWW))["msg"] == (
        "2 of 2 zones cannot be kept, and nothing was changed. Zones example.com and example.net: cannot read them: "
        "the service answered 403: Not yours (see access_token)."
    )


LATENCY = 50.0
"""Milliseconds that each request takes at least."""


def most_at_once(log: Iterable[Mapping[str, Any]]) -> int:
    """How many of the requests were under way at once, as far as that is certain."""
    times = sorted(entry["time"] for entry in log)
    lasts = 0.9 * LATENCY / 1000
    return max(sum(begun <= other < begun + lasts for other in times) for begun in times)


@pytest.mark.parametrize("concurrency", [2, 8])
def test_no_more_requests_are_under_way_than_there_may_be_and_a_large_zone_gets_all_of_them_in_the_end(
    service: Service, run: Run, concurrency: int
) -> None:
    names = ["large.example", *(f"small{number}.example" for number in range(4))]
    for name in names:
        service.zone(name, [("old", "A", 300, ["192.0.2.1"])])
    service.settings(latency=LATENCY)
    of_zone = [{"name": "old", "type": "A", "content": "192.0.2.1", "ttl": 60}, *NEW]
    large = [{**NEW[0], "name": f"new{number}"} for number in range(140)]
    task = [{"zone": name, "records": large if name == names[0] else of_zone} for name in names]
    service.clear_log()
    assert not run("dns_zones", zones=task, concurrency=concurrency).get("failed")
    log = service.log()
    assert most_at_once(log) == concurrency
    others_end = max(entry["n"] for entry in log if "large" not in entry["path"])
    assert most_at_once(entry for entry in log if entry["n"] > others_end) == concurrency


# Files, as the action passes them on


def files(**texts: str) -> dict[str, Any]:
    return {
        "zones": {"reason": f"it is a folder with {len(texts)} files whose names end in .zone"},
        **{f"zones/{name.replace('_', '.')}.zone": {"text": text} for name, text in texts.items()},
    }


def test_a_folder_is_the_zones_that_its_files_are_called_by(three: Service, run: Run) -> None:
    found = files(example_com="$TTL 60\nnew A 192.0.2.9\n", example_org="new 90 A 192.0.2.9\n")
    result = run("dns_zones", src="zones", _files=found)
    assert [item["zone"] for item in result["zones"]] == ["example.com", "example.org"]
    assert lines(three, "example.com") == ["new 60 A 192.0.2.9", "www 300 A 192.0.2.1"]


def test_a_slash_in_the_name_of_a_zone(service: Service, run: Run) -> None:
    service.zone("0/25.2.0.192.in-addr.arpa", [], slug="reverse")
    found = files(**{"0%2F25_2_0_192_in-addr_arpa": "1 300 PTR www.example.com.\n"})
    result = run("dns_zones", src="zones", _files=found)
    assert (result["changed"], result["zones"][0]["zone"]) == (True, "0/25.2.0.192.in-addr.arpa")
    service.remove_zone("0/25.2.0.192.in-addr.arpa")


def test_errors_name_the_file_and_the_line(run: Run, calls: Calls) -> None:
    found = files(
        example_com="$TTL 60\nwww A 192.0.2.1\n\nwww A 192.0.2.300\n",
        example_net="www A 192.0.2.1\n",
        example_org="$TTL 60\nwww A 192.0.2.1\nftp A 192.0.2.2\n; an alias\nwww CNAME example.com.\n",
        EXAMPLE_org="",
        example_edu="$TTL 60\nwww A 192.0.2.300\n@ MX mail\n",
    )
    result = run("dns_zones", src="zones", _files=found)
    assert [item["msg"] for item in result["zones"]] == [
        "Zone example.com: line 4 of zones/example.com.zone cannot be used, "
        + OF_LINE
        + NO_OCTET.replace("256", "300"),
        "Zone example.net: line 1 of zones/example.net.zone cannot be used, www A: " + NO_TTL,
        "Zone example.org: 1 of 3 entries cannot be used: line 5 of zones/example.org.zone www.example.org. "
        + NOT_ALONE,
        "Zone EXAMPLE.org: it is listed twice, as zones/example.org.zone and as zones/EXAMPLE.org.zone.",
        "Zone example.edu: 2 lines of zones/example.edu.zone cannot be used: line 2, "
        + OF_LINE
        + NO_OCTET.replace("256", "300").rstrip(".")
        + "; line 3, @ MX: 'mail' is not a value of type MX, mail is not a number, in the place of the "
        "preference: write preference and host, as in '10 mail.example.com.'.",
    ]
    assert calls() == []


def test_the_default_ttl_helps_a_file_without_one(three: Service, run: Run) -> None:
    found = files(example_com="a A 192.0.2.1\nb 30 A 192.0.2.1\nc A 192.0.2.1\n$TTL 90\nd A 192.0.2.1\n")
    run("dns_zones", src="zones", _files=found, ttl=120)
    assert lines(three, "example.com")[:4] == [
        "a 120 A 192.0.2.1",
        "b 30 A 192.0.2.1",
        "c 120 A 192.0.2.1",
        "d 90 A 192.0.2.1",
    ]


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (files(), "src zones cannot be used, it is a folder with 0 files whose names end in .zone."),
        ({"zones": {"reason": "it is no file"}}, "src zones cannot be used, it is no file."),
        (None, "src zones cannot be used, nobody has read it: use the module in a task of a playbook."),
    ],
    ids=itertools.count(),
)
def test_a_folder_that_cannot_be_used(run: Run, found: Any, problem: str) -> None:
    assert run("dns_zones", src="zones", _files=found)["msg"] == problem


@pytest.mark.parametrize(
    ("names", "inside"),
    [
        ([], "0 files whose names end in .zone"),
        (["a.zone"], "1 file whose name ends in .zone"),
        (["a.zone", "b.zone"], "2 files whose names end in .zone"),
    ],
)
def test_a_folder_in_place_of_a_file(run: Run, tmp_path: pathlib.Path, names: list[str], inside: str) -> None:
    for name in names:
        (tmp_path / name).touch()
    found = zone_files({"src": "zones"}, lambda _name: str(tmp_path), DataLoader(), of_account=True)
    said = f"src zones cannot be used, it is a folder with {inside}"
    told = (
        f"Zone example.com: {said}: for many zones use dns_zones with this src; a folder with the parts of one zone is "
        "called NAME.zone."
    )
    assert run("dns_records", zone="example.com", src="zones", _files=found)["msg"] == told
    if not names:
        each = "each is to be called as its zone, such as example.com.zone"
        assert run("dns_zones", src="zones", _files=found)["msg"] == f"{said}: {each}."


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("option", ["", "nonsense"])
def test_what_is_in_the_files_is_in_no_log_and_in_no_result(
    run: Run, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """Whoever reads the system's log, or the result of a job in the background, need not have the vault's password."""
    logged: list[Any] = []
    monkeypatch.setattr(basic.AnsibleModule, "log", lambda _module, *said, **args: logged.append((said, args)))
    found = files(example_com="$TTL 300\nwww A 192.0.2.1 ; out of a vault\n")
    result = run("dns_zones", src="zones", _files=found, **({option: True} if option else {}))
    assert result.get("failed", False) == bool(option)
    assert "invocation" in result
    assert "out of a vault" not in f"{result}{logged}"
    assert bool(logged) != bool(option)


def test_a_link_that_leads_nowhere_is_told_as_one(tmp_path: pathlib.Path) -> None:
    (tmp_path / "example.com.zone").symlink_to("elsewhere")
    found = zone_files({"src": str(tmp_path)}, lambda name: name, DataLoader(), of_account=True)
    assert found[f"{tmp_path}/example.com.zone"] == {"reason": "it is a link to what is not there"}
