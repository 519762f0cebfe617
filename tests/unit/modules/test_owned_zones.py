# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules that speak for an owner, against the stand-in service: two owners of a zone, its ledger, and its cost."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._run import invocation as _invocation

NO_LEDGER = (
    "the zone has no ledger of owners, so nothing is removed: web will own what this task lists, and other sets have "
    "no owner"
)
NOTHING_OF = (
    "the ledger of the zone lists nothing for {0}, so nothing is removed: {0} will own what this task lists, and other "
    "sets have no owner; if this is not the owner's first run here, check the spelling of owner: the zone has {1}"
)


@pytest.fixture(autouse=True)
def _on_a_disk(monkeypatch):
    """Wherever the tests run."""
    monkeypatch.setattr(_invocation, "short_lived", lambda _folder: "")


def keep(run, owner, *rows, **options):
    """A task of an owner that wants these rows, ``name TTL type value``."""
    entries = []
    for row in rows:
        name, ttl, rdtype, value = row.split()
        entries.append({"name": name, "ttl": ttl, "type": rdtype, "content": value})
    return run(
        "dns_records", zone="example.com", records=entries, owner=owner, findings="off", **options
    )


def because(result):
    """Why each set changes."""
    return [
        f"{one['name'].removesuffix('.example.com.')} {one['action']} {one['because']}"
        for one in result["changes"]
    ]


def test_what_is_there_is_adopted_with_one_request(run, zone, state_dir):
    zone.holds("www 300 A 192.0.2.1\nold 300 A 192.0.2.1")
    task = (run, "web", "www 300 A 192.0.2.1")
    checked = keep(*task, check=True)
    assert not list(state_dir.glob("*")), "check mode keeps nothing"
    first = keep(*task)
    for result in (checked, first):
        assert result["adopted"] == [{"name": "www.example.com.", "type": "A"}]
        assert (result["changed"], result["released"], result["unowned"]) == (False, [], 1)
        assert result["warnings"] == [NO_LEDGER]
    assert zone.calls() == ["GET", "GET"]
    again = keep(*task)
    assert again["adopted"] == []
    assert "warnings" not in again


def test_who_gives_up_what_it_has_changes_nothing(run, zone, service):
    keep(run, "web", "www 300 A 192.0.2.1", "ftp 300 A 192.0.2.1")
    service.clear_log()
    given = keep(run, "web", "www 300 A 192.0.2.1", release=True, prune=True)
    assert given["released"] == [{"name": "www.example.com.", "type": "A"}]
    assert (given["changed"], given["unowned"]) == (False, 1)
    assert zone.calls() == ["GET"]
    assert keep(run, "mail", "www 300 A 192.0.2.1")["adopted"]
    replaced = keep(run, "mail", "www 300 CNAME web.example.net.", prune=True)
    assert because(replaced) == ["www delete wanted", "www create wanted"]


def test_what_an_owner_has_goes_only_with_takeover(run, zone):
    keep(run, "web", "www 300 A 192.0.2.1")
    gone = {"zone": "example.com", "name": "www", "type": "A", "state": "absent"}
    assert "www.example.com. A 192.0.2.1 belongs to web" in run("dns_record", **gone)["msg"]
    assert zone.lines() == ["www 300 A 192.0.2.1"]
    assert run("dns_record", **gone, takeover=True)["changed"]
    assert zone.lines() == []


def test_without_its_ledger_an_owner_prunes_nothing(run, zone, state_dir):
    keep(run, "web", "www 300 A 192.0.2.1", "old 300 A 192.0.2.1")
    (file,) = state_dir.glob("*.json")
    for spoil in (file.unlink, lambda: file.write_text("[")):
        spoil()
        result = keep(run, "web", "www 300 A 192.0.2.1", prune=True)
        assert (result["changed"], result["unowned"]) == (False, 1)
        assert NO_LEDGER in result["warnings"]
    assert any(
        "is damaged and was ignored: it is not valid" in warning for warning in result["warnings"]
    )
    assert zone.lines() == ["old 300 A 192.0.2.1", "www 300 A 192.0.2.1"]


def test_an_owner_who_has_nothing_is_told_once(run):
    for owner in ("ops", "web", "mail", "web-2"):
        keep(run, owner, f"{owner} 300 A 192.0.2.1")
    task = (run, "Web", "web 300 A 192.0.2.1")
    warnings = [NOTHING_OF.format("Web", "mail, ops, web, web-2")]
    assert keep(*task, prune=True, check=True)["warnings"] == warnings
    assert keep(*task, prune=True)["warnings"] == warnings
    assert "warnings" not in keep(*task, prune=True)
    gone = run("dns_record", zone="example.com", name="none", type="A", state="absent", owner="new")
    assert "warnings" not in gone, "nothing could have gone besides"


def test_what_release_does_not_give_up_is_told_by_name(run, zone):
    zone.holds("by-hand 300 A 192.0.2.9")
    keep(run, "web", "www 300 A 192.0.2.1")
    task = ("www 300 A 192.0.2.1", "by-hand 300 A 192.0.2.9")
    end = "check the owner and the names"
    for check in (True, False):
        assert keep(run, "Web", *task, release=True, prune=True, check=check)["warnings"] == [
            f"Web owns none of www.example.com. A, by-hand.example.com. A: {end}"
        ]
    given = keep(run, "web", *task, release=True)
    assert given["warnings"] == [f"web owns none of by-hand.example.com. A: {end}"]
    assert given["released"] == [{"name": "www.example.com.", "type": "A"}]
    every = {"zone": "example.com", "name": "www", "type": "*", "state": "absent", "release": True}
    assert run("dns_record", owner="web", **every)["warnings"] == [
        f"web owns none of www.example.com. A: {end}"
    ]


def test_a_ledger_that_goes_with_its_job_is_told_of(run, zone, monkeypatch):
    zone.holds("old 300 A 192.0.2.1")
    monkeypatch.setattr(
        _invocation, "short_lived", lambda _folder: "state_dir /x is on the machine of a CI job"
    )
    (warning,) = keep(run, "web", "www 300 A 192.0.2.1")["warnings"]
    assert warning == (
        f"{NO_LEDGER}; state_dir /x is on the machine of a CI job, and may be lost with it: set state_url to keep the "
        "ledger in a database"
    )


def test_who_has_what_is_told_however_the_service_spells_it(run, zone, service, state_dir):
    keep(run, "web", "www 300 NS ns1.example.net.")
    keep(run, "mail", "www 300 NS ns2.example.net.")
    zone.holds("old 300 A 192.0.2.1\nwww 300 NS NS1.example.net.\nwww 300 NS NS2.example.net.")
    service.clear_log()
    state = {"state_dir": str(state_dir)}
    found = run("dns_zone_info", zone="example.com", names=["www", "old"], owners=True, **state)
    old, www = found["zones"][0]["records"]
    assert old["owners"] == []
    assert www["owners"] == [
        {"owner": "mail", "contents": ["ns2.example.net."]},
        {"owner": "web", "contents": ["ns1.example.net."]},
    ]
    assert zone.calls() == ["GET list", "GET"]
    without = run("dns_zone_info", zone="example.com", names=["www"])
    assert "owners" not in without["zones"][0]["records"][0]
    (file,) = state_dir.glob("*.json")
    file.write_text("[")
    spoilt = run("dns_zone_info", zone="example.com", owners=True, **state)
    assert not any(one["owners"] for one in spoilt["zones"][0]["records"])
    warning = f"Zone example.com: the saved state of the zone, {file}, is damaged and was ignored: it is not valid"
    assert spoilt["warnings"] == [warning]


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"owner": ""}, "owner is empty: leave it out, or name the owner."),
        (
            {"owner": "a b"},
            "owner 'a b' cannot be used: it is 1 to 64 letters, digits and characters of ._@/-.",
        ),
        (
            {"on_drift": "refuse"},
            "release and on_drift need owner: name the owner for whom the task works.",
        ),
        (
            {"owner": "a", "takeover": True, "release": True},
            "takeover and release are opposites: leave one of them out.",
        ),
    ],
)
def test_what_cannot_be_is_told_before_any_request(run, zone, options, reason):
    result = run("dns_records", zone="example.com", records=[], **options)
    assert result["failed"]
    assert result["msg"].endswith(reason)
    assert zone.calls() == []


def test_an_owner_can_come_from_the_environment(run, monkeypatch):
    monkeypatch.setenv("ZONESMITH_OWNER", "web")
    assert because(keep(run, None, "www 300 A 192.0.2.1")) == ["www create wanted"]


def test_many_zones_each_with_an_owner_of_its_own(run, service):
    service.zone("example.net", [])
    rows = [{"name": "www", "type": "A", "content": ["192.0.2.1"]}]
    com, net = {"zone": "example.com"}, {"zone": "example.net", "owner": "net"}
    made = run("dns_zones", zones=[com, net], records=rows, owner="web", findings="off")
    assert [one["changes"][0]["because"] for one in made["zones"]] == ["wanted", "wanted"]
    gone = run("dns_zones", zones=[com, net], records=[], prune=True, prune_limit=100, owner="net")
    assert [len(one["changes"]) for one in gone["zones"]] == [0, 1]
