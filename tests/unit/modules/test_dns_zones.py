# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""dns_zones against the stand-in service: given these zones and this task, these calls, and these zones after."""

import pytest
from ansible.module_utils import basic
from ansible.parsing.dataloader import DataLoader
from shorthand import zones

from ansible_collections.zonesmith.dns.plugins.plugin_utils._files import zone_files

WWW = [{"name": "www", "type": "A", "content": "192.0.2.1"}]
NEW = [{"name": "new", "type": "A", "content": "192.0.2.9"}]


def lines(service, zone):
    """What a zone holds, sorted, without SOA and NS."""
    return sorted(
        f"{row['name'].removesuffix(f'.{zone}.')} {row['ttl']} {row['type']} {content}"
        for row in service.records(zone)
        if row["type"] not in ("SOA", "NS")
        for content in row["contents"]
    )


@pytest.mark.parametrize("check", [False, True])
def test_nothing_is_written_to_any_zone_if_one_is_refused(three, run, check):
    three.zone("example.org", [("www", "CNAME", 300, ["example.net."])])
    task = {"zones": zones(com=NEW, org=WWW, net=WWW, edu=NEW)}
    result = run("dns_zones", check=check, **task)
    assert (result["failed"], result["changed"]) == (True, check)
    failed = [item["zone"] for item in result["zones"] if "status_code" in item]
    assert failed == ["example.org", "example.edu"]
    assert result["msg"].startswith(
        "2 of 4 zones cannot be planned, and nothing was changed. Zone example.org: "
    )
    assert "Zone example.edu: the account has no zone of that name" in result["msg"]
    assert result["unchanged"] == ["example.net"]
    # Check mode has nothing left to do once it has planned.
    assert result.get("untouched", []) == ([] if check else ["example.com"])
    assert not [call for call in three.calls() if not call.startswith("GET")]


def test_what_an_entry_says_counts_before_what_the_task_says(three, run):
    listed = [
        {"zone": "example.com", "records": NEW, "prune": False, "ttl": 60},
        {"zone": "example.net", "records": NEW, "prune_limit": 100, "ignore": [{"name": "www"}]},
        {"zone": "example.org", "records": NEW},
    ]
    run("dns_zones", zones=listed, prune=True, ttl=90)
    assert lines(three, "example.com") == ["new 60 A 192.0.2.9", "www 300 A 192.0.2.1"]
    assert lines(three, "example.net") == ["new 90 A 192.0.2.9", "www 300 A 192.0.2.1"]
    assert lines(three, "example.org") == ["new 90 A 192.0.2.9"]


@pytest.mark.usefixtures("three")
def test_globs_that_match_nothing_in_any_zone_are_told_once(run):
    listed = [
        {
            "zone": "example.com",
            "records": WWW,
            "protect": [{"name": "gone", "type": "A"}, {"name": "www"}],
        },
        {"zone": "example.net", "records": [*WWW, *NEW]},
    ]
    shared = {
        "ignore": [{"name": "olde*"}, {"type": "SOA"}],
        "protect": [{"name": "new", "value": "192.0.2.9"}],
    }
    result = run("dns_zones", zones=listed, check=True, **shared)
    unmatched = [warning for warning in result["warnings"] if "spelled correctly" in warning]
    assert sorted(unmatched) == [
        "Zone example.com: nothing in the zone matches protect[0] (name 'gone', type 'A'): is that spelled correctly?",
        "nothing in any zone matches ignore[0] (name 'olde*'): is that spelled correctly?",
    ]


def test_no_zones_are_no_change_and_no_request_and_told(run, service):
    result = run("dns_zones", zones=[], prune=True)
    assert (result["changed"], result["zones"], result["diff"]) == (False, [], [])
    assert result["warnings"] == ["zones is empty, so no zone is read"]
    assert service.calls() == []


# Files, as the action passes them on


def test_a_folder_in_place_of_a_file(run, tmp_path):
    (tmp_path / "a.zone").touch()
    found = zone_files({"src": "zones"}, lambda _name: str(tmp_path), DataLoader(), of_account=True)
    message = run("dns_records", zone="example.com", src="zones", _files=found)["msg"]
    assert message == (
        "Zone example.com: src zones cannot be used: it is a folder with 1 file whose name ends in .zone: for many zones "
        "use dns_zones with this src; a folder with the parts of one zone is called NAME.zone."
    )


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("option", ["", "nonsense"])
def test_what_is_in_the_files_is_in_no_log_and_in_no_result(run, monkeypatch, option):
    """Whoever reads the system's log, or the result of a job in the background, need not have the vault's password."""
    logged = []
    monkeypatch.setattr(
        basic.AnsibleModule, "log", lambda _module, *words, **args: logged.append((words, args))
    )
    found = {
        "zones": {"reason": "it is a folder"},
        "zones/example.com.zone": {"text": "$TTL 300\nwww A 192.0.2.1 ; out of a vault\n"},
    }
    result = run("dns_zones", src="zones", _files=found, **({option: True} if option else {}))
    assert result.get("failed", False) == bool(option)
    assert "invocation" in result
    assert "out of a vault" not in f"{result}{logged}"
    assert bool(logged) != bool(option)
