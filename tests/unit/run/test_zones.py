# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Many zones in one run: in which steps and how many at once, what one failure stops, and what is said of all."""

import threading

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils import _telling
from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._run import zones as many
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import watched
from ansible_collections.zonesmith.dns.plugins.modules import dns_zones

WWW = {"name": "www", "type": "A", "content": "192.0.2.1"}
NEW = {"name": "new", "type": "A", "content": "192.0.2.9"}
BAD = {"name": "www", "type": "A", "content": "192.0.2.256"}
WHY_BAD = (
    "1 of 1 entry cannot be used: records[0] www A: '192.0.2.256' is not a value of type A: 256 is above 255; write an "
    "IPv4 address, as in '192.0.2.1'."
)
NO_CHANGES = dict.fromkeys(("created", "extended", "rebuilt", "deleted", "unchanged"), 0)


@pytest.fixture
def converge(run):
    """Runs a task for these zones, and gives its result."""
    return lambda *zones, **options: run("dns_zones", zones=[*zones] or None, **options)


@pytest.fixture
def three(service):
    """A service with the zones a.example, b.example and c.example, which hold nothing."""
    for name in "abc":
        service.zone(f"{name}.example", [])
    service.clear_log()
    return service


def zone(name, *records, **options):
    """An entry of ``zones``."""
    return {"zone": f"{name}.example", "records": [*records], **options}


def asked(service):
    """The calls so far for zones, as ``GET a`` and ``POST a``."""
    paths = [(entry["method"], entry["path"].split("/")[3:4]) for entry in service.log()]
    return [f"{method} {slug[0].removesuffix('example')}" for method, slug in paths if slug]


# What is said of all


@pytest.mark.parametrize("number, more", [(10, ""), (12, " And 2 more, see zones in the result.")])
def test_of_many_reasons_ten_are_told(converge, number, more):
    files = {f"z/{at:02}.example.zone": {"reason": str(at)} for at in range(number)}
    result = converge(src="z", _files=files)
    reasons = [
        f"Zone {at:02}.example: src z/{at:02}.example.zone cannot be used: {at}."
        for at in range(10)
    ]
    assert result["msg"] == (
        f"{number} of {number} zones cannot be planned, and nothing was changed. {' '.join(reasons)}{more}"
    )
    assert len(result["zones"]) == number


def test_a_failure_has_its_fields_and_so_has_each_zone(converge, service):
    result = converge(zone(" a", WWW), zone("b", BAD), {"zone": "c\x1b", "records": []})
    why = r"zone 'c\x1b' cannot be used: it contains white space or control characters."
    nothing = {"changed": False, "changes": [], "recovered": [], "status_code": None}
    failure = {
        "failed": True,
        "msg": f"2 of 3 zones cannot be planned, and nothing was changed. Zone b.example: {WHY_BAD} Zone c\\x1b: {why}",
        "changed": False,
        "status_code": None,
        "summary": NO_CHANGES,
        "diff": [],
        "untouched": ["a.example"],
        "zones": [
            {**nothing, "zone": "b.example", "msg": f"Zone b.example: {WHY_BAD}"},
            {**nothing, "zone": r"c\x1b", "msg": f"Zone c\\x1b: {why}"},
        ],
    }
    assert {field: result[field] for field in failure} == failure
    assert asked(service) == []


def test_the_status_is_that_of_the_first_zone_that_failed(three, converge):
    three.fault("status", method="GET", path="bexample", status=403, times=0)
    three.fault("status", method="GET", path="cexample", status=400, times=0)
    result = converge(zone("c", WWW), zone("a", WWW), zone("b", WWW))
    assert (result["status_code"], result["zones"][0]["zone"]) == (400, "c.example")


@pytest.mark.usefixtures("three")
def test_an_error_that_nobody_expected_is_told_with_its_trace(converge, monkeypatch):
    def look(_task):
        raise RuntimeError("it broke")

    def kept(invocation):
        returned.append(many.converge_zones(invocation))
        return returned[0]

    returned = []
    monkeypatch.setattr(many, "look_at", look)
    monkeypatch.setattr(dns_zones, "converge_zones", kept)
    converge(zone("a", WWW))
    (result,) = returned
    assert result["exception"].endswith("RuntimeError: it broke\n")
    assert not any("exception" in item for item in result["zones"]), "once is enough"
    assert result["msg"] == (
        "1 of 1 zone cannot be planned, and nothing was changed. Zone a.example: there was an unexpected RuntimeError "
        "it broke; check that the zone is as it should be."
    )


def test_what_changed_is_told_zone_by_zone(three, converge):
    three.zone("b.example", [("www", "A", 300, ["192.0.2.1"])])
    mail = {"type": "MX", "content": "10 mail.a.example."}
    result = converge(zone("c", NEW, WWW), zone("b", WWW), zone("a", mail))
    told = [(item["zone"], item["changed"]) for item in result["zones"]]
    assert told == [("c.example", True), ("b.example", False), ("a.example", True)]
    assert [item["summary"]["created"] for item in result["zones"]] == [2, 0, 1]
    assert "failed" not in result
    assert result["changed"] is True
    assert result["summary"] == {**NO_CHANGES, "created": 3, "unchanged": 1}
    of_c, of_a = result["diff"]
    assert (of_c["before_header"], of_c["after_header"]) == ("c.example", "c.example")
    assert (of_a["before"], of_a["after"]) == ("", "a.example. 3600 IN MX 10 mail.a.example.\n")
    assert all("diff" not in item for item in result["zones"])
    (warning,) = result["warnings"]
    assert warning.startswith("Zone a.example: a.example. MX: ")


def old_in(service, count):
    """Entries of so many zones that each hold one set, which is to go."""
    names = "abcd"[:count]
    for name in names:
        service.zone(f"{name}.example", [("old", "A", 300, ["192.0.2.1"])])
    return [zone(name, WWW, prune=True) for name in names]


@pytest.mark.parametrize("count, is_told", [(3, False), (4, True)])
def test_the_diff_of_many_zones_ends_with_its_totals(service, converge, count, is_told):
    last = converge(*old_in(service, count), prune_limit=100)["diff"][-1]
    totals = "4 zones change; sets: 4 created, 0 extended, 0 rebuilt, 4 deleted, 0 unchanged\n"
    assert (last == {"prepared": totals}) is is_told


TOLD_ONCE = {
    1: "Zone a.example: ",
    2: "Zones a.example, b.example, each like the first: ",
    4: "Zones a.example, b.example, c.example and 1 more, each like the first: ",
}


@pytest.mark.parametrize("count, begins", TOLD_ONCE.items())
def test_an_error_that_many_zones_share_but_for_their_names_is_told_once(
    service, converge, count, begins
):
    result = converge(*old_in(service, count), prune_limit=100, protect=[{"name": "old"}])
    told = result["msg"].partition(" and nothing was changed. ")[2]
    assert told.startswith(
        f"{begins}the plan would delete old.a.example. A, but protect matches it"
    )
    assert told.endswith("protect matches it: change the desired state, or protect.")
    assert told.count("protect matches it") == 1
    assert len(result["zones"]) == count


# Before the first request


def test_globs_for_none_of_the_zones_are_refused(converge):
    result = converge(zone("a", WWW), zone("b", WWW), ignore=[{"name": "www.d.example."}])
    message = "ignore names 'www.d.example.', which can match nothing in any of the zones."
    assert result["msg"] == message


@pytest.mark.usefixtures("three")
def test_a_glob_of_all_zones_has_to_match_in_one_of_them(converge):
    result = converge(zone("a", WWW), zone("b", WWW), ignore=[{"name": "old.b.example."}])
    assert "failed" not in result


@pytest.mark.parametrize(
    "options, why",
    [
        ({"prune_limit": 101}, "prune_limit is 101, but must be 0 to 100."),
        (
            {"ignore": [{"name": "www.b.example."}]},
            "ignore names 'www.b.example.', which can match nothing in the zone",
        ),
    ],
)
def test_what_is_wrong_with_an_option_of_one_is_told_of_it(converge, options, why):
    result = converge(zone("a", WWW, **options), zone("b", WWW))
    assert result["msg"].startswith(
        f"1 of 2 zones cannot be planned, and nothing was changed. Zone a.example: {why}"
    )


@pytest.mark.parametrize(
    "path, name",
    [
        ("deep/er/a.example.zone", "a.example"),
        ("z/0%2f25.b.example.zone", "0/25.b.example"),
    ],
)
def test_a_file_is_the_zone_that_it_is_called_by(converge, path, name):
    folder = path.rpartition("/")[0]
    found = {folder: {"reason": "it is a folder"}, path: {"reason": "it is gone"}}
    assert converge(src=folder, _files=found)["zones"][0]["msg"] == (
        f"Zone {name}: src {path} cannot be used: it is gone."
    )


@pytest.mark.parametrize(
    "files, message",
    [
        (
            None,
            "src z cannot be used: its content did not arrive: use the module in a task of a playbook",
        ),
        ({"z": {"text": "www A 192.0.2.1"}}, "src z cannot be used: it is not a folder"),
    ],
)
def test_what_is_no_folder_is_no_source_of_zones(converge, files, message):
    assert converge(src="z", _files=files)["msg"] == f"{message}."


# Step by step


def test_zones_are_taken_in_the_order_of_their_names(three, converge):
    converge(zone("c", WWW), zone("B", WWW), zone("a", WWW), concurrency=1)
    assert asked(three) == [
        *("GET a", "GET b", "GET c"),
        *("POST a", "GET a", "POST b", "GET b", "POST c", "GET c"),
    ]


@pytest.mark.parametrize(
    "fault, left",
    [
        ({"kind": "status", "status": 401}, 2),
        ({"kind": "status", "status": 429}, 2),
        ({"kind": "drop_before"}, 2),
        ({"kind": "status", "status": 403}, 0),
    ],
)
def test_what_is_in_vain_for_all_ends_the_reading(three, converge, fault, left):
    three.fault(**fault, method="GET", times=0)
    result = converge(
        *(zone(name, WWW) for name in "abc"), concurrency=1, retries=0, retry_timeout=1.0
    )
    assert result["msg"].startswith(f"{3 - left} of 3 zones cannot be planned, and nothing was")
    assert len(result.get("untouched", [])) == left


def test_where_one_cannot_be_written_the_others_are_as_wanted(three, converge):
    three.fault("status", method="POST", path="bexample", status=422, times=0)
    result = converge(*(zone(name, WWW) for name in "abc"))
    assert result["msg"].startswith(
        "1 of 3 zones failed, and the others are as desired. Zone b.example: cannot add "
    )
    assert (result["changed"], result["status_code"]) == (True, 422)
    result = converge(zone("b", NEW))
    assert result["msg"].startswith("1 of 1 zone failed. Zone b.example: cannot add ")


@pytest.mark.usefixtures("three")
def test_each_zone_has_as_many_threads_as_the_others_leave_it(converge, monkeypatch):
    meeting = threading.Barrier(3, timeout=20)
    shares = []
    kept = []

    def write(_task, _found, threads):
        kept.append(threads)
        meeting.wait()
        shares.append(threads())
        meeting.wait()
        raise ServiceError("that is all")

    monkeypatch.setattr(many, "write", write)
    converge(*(zone(name, WWW) for name in "abc"), concurrency=8)
    assert shares == [3, 3, 3]
    assert kept[0]() == 8, "who is left behind at the end"


def test_zones_that_were_read_or_written_are_counted(three, converge, monkeypatch):
    three.fault("status", method="POST", path="bexample", times=0, status=422)
    lines = []
    monkeypatch.setattr(_telling, "QUIET", 0.0)
    monkeypatch.setattr(_telling, "CHECKS_EVERY", 3600)
    with watched(lines.append):
        converge(*(zone(name, WWW) for name in "abc"), concurrency=1)
    assert lines == [
        *(f"{number} of 3 zones read, 0 failed" for number in (1, 2, 3)),
        "1 of 3 zones written, 0 failed",
        "2 of 3 zones written, 1 failed",
        "3 of 3 zones written, 1 failed",
    ]


def test_a_zone_is_there_once_however_it_is_written(converge):
    result = converge(zone("a", WWW), zone("b", WWW), {"zone": "A.Example.", "records": []})
    assert result["msg"] == (
        "1 of 3 zones cannot be planned, and nothing was changed. Zone A.Example: it is listed twice, as zones[0] and "
        "as zones[2]."
    )
