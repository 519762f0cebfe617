# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What holds for one zone holds for each of many: the log, recovery, state_dir, wait."""

import pytest
from authority import Authority
from shorthand import left_behind, writes, zones

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._query import served as _served
from ansible_collections.zonesmith.dns.plugins.module_utils._state.folder import FolderStore

WWW = [{"name": "www", "type": "A", "content": "192.0.2.1"}]
NEW = [{"name": "new", "type": "A", "content": "192.0.2.9", "ttl": 300}]
NAMES = ("example.com", "example.net", "example.org")


# What an interrupted run left


@pytest.fixture
def left(three, state_dir):
    """In two of the three, an interrupted run left a set half-built."""
    for name in NAMES[:2]:
        store = FolderStore(str(state_dir), three.url, f"{name}.")
        left_behind(
            store, Key(f"old.{name}.", "A"), "60 192.0.2.5 192.0.2.6", "300 192.0.2.5 192.0.2.6"
        )
        three.zone(name, [("www", "A", 300, ["192.0.2.1"]), ("old", "A", 300, ["192.0.2.5"])])
    three.clear_log()
    return three


@pytest.mark.parametrize("check", [False, True])
def test_each_zone_is_completed_and_one_warning_says_in_which(left, run, check):
    task = {"zones": zones(org=NEW, net=WWW, com=NEW)}
    result = run("dns_zones", check=check, **task)
    found = []
    for item in result["zones"]:
        found.append((item["zone"], len(item["changes"]), len(item["recovered"])))
    assert found == [("example.org", 1, 0), ("example.net", 0, 1), ("example.com", 1, 1)]
    (warning,) = result["warnings"]
    assert warning.startswith(
        "Zones example.net, example.com, each like the first: old.example.net. A was left incomplete by a run"
    )
    assert [item["before_header"] for item in result["diff"]] == [zone for zone, *_ in found]
    if check:
        assert writes(left) == []
        return
    assert sorted(writes(left)) == ["POST new A 192.0.2.9"] * 2 + ["POST old A 192.0.2.6"] * 2
    again = run("dns_zones", **task)
    assert (again["changed"], again.get("warnings")) == (False, None)


def test_what_was_completed_is_told_where_the_rest_of_the_zone_fails(left, run):
    left.fault("status", method="POST", content="192.0.2.9", path="examplecom", status=422, times=0)
    last = [{**NEW[0], "name": "zz"}]  # names are made in order, and none after a failure
    result = run("dns_zones", zones=zones(com=last, net=last), concurrency=1)
    net, com = result["zones"]
    assert (len(com["recovered"]), com["changes"], com["changed"]) == (1, [], True)
    assert (len(net["recovered"]), len(net["changes"]), "msg" in net) == (1, 1, False)
    assert result["msg"].startswith(
        "1 of 2 zones failed, and the others are as desired. Zone example.com: cannot add"
    )
    assert [item["before_header"] for item in result["diff"]] == [*NAMES[:2]]


@pytest.mark.parametrize(
    "refused", [{"method": "POST", "content": "v=1; p=2", "nth": 2}, {"method": "DELETE"}]
)
def test_a_refusal_stops_no_deletion_where_the_former_values_are_there(three, run, refused):
    """A text is cut when it is sent plain; then it is refused in quotes, or its set cannot be deleted."""
    three.zone("example.com", [("www", "TXT", 300, ['"x"'])])
    three.habits("example.com", parses=True, txt_read="plain")
    three.fault("status", path="examplecom", status=422, times=0, **refused)
    texts = [{"name": "www", "type": "TXT", "content": ["x", "v=1; p=2"], "ttl": 300}]
    rebuilt = [{**WWW[0], "content": "192.0.2.2", "exclusive": True}]
    result = run("dns_zones", zones=zones(com=texts, net=rebuilt), concurrency=1)
    net, com = result["zones"]
    assert com["failed_sets"] == [{"name": "www.example.com.", "type": "TXT"}]
    assert "msg" not in net


def test_no_more_is_deleted_once_a_deleted_set_takes_no_values(three, run):
    """The service deletes, and takes no values at all."""
    three.fault("status", method="POST", status=500, times=0)
    rebuilt = [{**WWW[0], "content": "192.0.2.2", "exclusive": True}]
    task = zones(com=rebuilt, net=rebuilt, org=rebuilt)
    result = run("dns_zones", zones=task, concurrency=1, retries=0)
    deletions = [call for call in writes(three) if call.startswith("DELETE")]
    assert deletions == ["DELETE www.example.com. A"]
    for one in result["zones"][1:]:
        assert (
            "values could not be added to www.example.com. A after its deletion, so nothing more is "
            "deleted; www."
        ) in one["msg"]


def test_a_failing_addition_stops_no_deletion_where_nothing_was_deleted(three, run):
    three.fault("status", method="POST", content="192.0.2.9", status=500, times=0)
    rebuilt = [{**WWW[0], "content": "192.0.2.2", "exclusive": True}]
    task = zones(com=[*WWW, *NEW], net=rebuilt)
    result = run("dns_zones", zones=task, concurrency=1, retries=0)
    net, com = result["zones"]
    assert ("msg" in com, "msg" in net) == (True, False)


# wait


@pytest.fixture
def server(monkeypatch):
    """Serves example.com alone."""
    # It may be slow to answer: the clock stands still, but dnspython's does not.
    monkeypatch.setattr(_served, "QUERY_TIMEOUT", 60)
    with Authority("example.com.", "new 300 A 192.0.2.9") as server:
        yield server


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_zone_that_is_not_served_fails_alone(three, run, server, concurrency):
    wait = {"wait": True, "wait_timeout": 60, "wait_nameservers": [server.name]}
    result = run("dns_zones", zones=zones(com=NEW, net=NEW), concurrency=concurrency, **wait)
    assert result["msg"].startswith(
        "1 of 2 zones failed, and the others are as desired. Zone example.net: the service took all changes, but "
    )
    assert "new.example.net. A" in result["msg"]
    com, net = result["zones"]
    assert (com["changed"], "msg" in com) == (True, False)
    assert (net["changed"], "msg" in net) == (True, True)
    assert writes(three) == ["POST new A 192.0.2.9"] * 2
