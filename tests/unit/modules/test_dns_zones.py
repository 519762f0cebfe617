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


@pytest.fixture
def calls(service):
    """The calls so far, ``GET com``, ``POST org www A 192.0.2.1``; those that follow in one step, sorted."""

    def short(entry):
        path, _question, query = entry["path"].partition("?")
        zone = path.removeprefix("/dns/domains/example").partition("/")[0]
        name = (
            (entry.get("body") or {}).get("name") or entry.get("query", {}).get("name", "") or query
        )
        return f"{entry['method']} {zone} {name}".strip()

    return lambda: [short(entry) for entry in service.log()]


def lines(service, zone):
    """What a zone holds, sorted, without SOA and NS."""
    return sorted(
        f"{row['name'].removesuffix(f'.{zone}.')} {row['ttl']} {row['type']} {content}"
        for row in service.records(zone)
        if row["type"] not in ("SOA", "NS")
        for content in row["contents"]
    )


def test_nothing_is_written_to_any_zone_if_one_is_refused(three, run, calls):
    three.zone("example.org", [("www", "CNAME", 300, ["example.net."])])
    result = run("dns_zones", zones=zones(com=NEW, org=WWW, net=NEW, edu=NEW))
    assert result["failed"]
    assert not result["changed"]
    assert [item["zone"] for item in result["zones"] if "status_code" in item] == [
        "example.org",
        "example.edu",
    ]
    assert (
        "2 of 4 zones cannot be planned, and nothing was changed. Zone example.org: "
        in result["msg"]
    )
    assert "Zone example.edu: the account has no zone of that name" in result["msg"]
    assert not [call for call in calls() if not call.startswith("GET")]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(
    "wrong, untouched",
    [
        (
            {"zone": "example.org", "records": [{**WWW[0], "content": "192.0.2.256"}]},
            ["example.com", "example.net"],
        ),
        (
            {"zone": "example.edu", "records": NEW},
            ["example.com"],
        ),  # what is planned is made in no zone
    ],
)
def test_a_zone_that_another_one_stops_says_so(run, check, wrong, untouched):
    result = run("dns_zones", zones=[*zones(com=NEW, net=WWW), wrong], check=check)
    planned = []
    if check and wrong["zone"] == "example.edu":
        planned, untouched = untouched, []  # check mode has nothing left to do once it has planned
    assert result.get("untouched", []) == untouched
    assert [item["zone"] for item in result["zones"]] == [*planned, wrong["zone"]]
    assert all({"summary", "findings"} <= item.keys() for item in result["zones"][:-1])
    assert result.get("unchanged", []) == (
        ["example.net"] if wrong["zone"] == "example.edu" else []
    )
    assert result["msg"].startswith("1 of 3 zones cannot be planned, and nothing was changed. ")


@pytest.mark.parametrize(
    "options, message",
    [
        (
            {"zones": ["example.com"]},
            "1 of 1 zone cannot be planned, and nothing was changed. Zone example.com: set either",
        ),
        (
            {"records": [{"name": "www"}], "zones": ["example.com", "example.net"]},
            (
                "2 of 2 zones cannot be planned, and nothing was changed. Zones example.com, example.net, each like the first: "
                "records[0] www: type is missing."
            ),
        ),
    ],
)
@pytest.mark.usefixtures("three")
def test_records_for_all_zones_that_make_no_sense(run, options, message):
    assert run("dns_zones", **options)["msg"].startswith(message)


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
        {"zone": "example.com", "records": WWW, "protect": [{"name": "gone"}, {"name": "www"}]},
        {"zone": "example.net", "records": [*WWW, *NEW]},
        {"zone": "example.org", "records": WWW},
    ]
    shared = {
        "ignore": [{"name": "olde*"}, {"type": "SOA"}, {"name": "_acme-challenge*"}],
        "protect": [{"name": "new", "value": "192.0.2.9"}, {"name": "*", "type": "TXT"}],
    }
    result = run("dns_zones", zones=listed, check=True, **shared)
    unmatched = [warning for warning in result["warnings"] if "spelled correctly" in warning]
    assert sorted(unmatched) == [
        "Zone example.com: nothing in the zone matches protect[0] (name 'gone'): is that spelled correctly?",
        (
            "nothing in any zone matches ignore[0] (name 'olde*'); "
            "protect[1] (type 'TXT'): is that spelled correctly?"
        ),
    ]


WRONG = [{"name": "www", "type": "A", "content": ["192.0.2.300"]}]


def test_guards_of_one_zone_are_told_of_it_at_once(run, calls):
    guarded = {
        "zone": "example.com",
        "records": WRONG,
        "change_limit": -1,
        "protect": [{"name": "a.example.net."}],
    }
    slip = {"zone": "example.net", "records": [{"name": "www"}]}
    messages = [item["msg"] for item in run("dns_zones", zones=[guarded, slip])["zones"]]
    for reason in ("change_limit is -1", "protect names 'a.example.net.'"):
        assert messages[0].count(reason) == 1, messages
    assert messages[1].count("type is missing") == 1, messages
    assert calls() == []


@pytest.mark.parametrize("prune", [True, False])
def test_no_zones_are_no_change_and_no_request_and_told(run, calls, prune):
    result = run("dns_zones", zones=[], prune=prune)
    assert (result["changed"], result["zones"], result["diff"]) == (False, [], [])
    assert result["warnings"] == ["zones is empty, so no zone is read"]
    assert calls() == []


# Files, as the action passes them on


def files(**texts):
    return {
        "zones": {"reason": f"it is a folder with {len(texts)} files whose names end in .zone"},
        **{f"zones/{name.replace('_', '.')}.zone": {"text": text} for name, text in texts.items()},
    }


@pytest.mark.parametrize(
    "names, inside",
    [
        ([], "0 files whose names end in .zone"),
        (["a.zone"], "1 file whose name ends in .zone"),
    ],
)
def test_a_folder_in_place_of_a_file(run, tmp_path, names, inside):
    for name in names:
        (tmp_path / name).touch()
    found = zone_files({"src": "zones"}, lambda _name: str(tmp_path), DataLoader(), of_account=True)
    why = f"src zones cannot be used: it is a folder with {inside}"
    message = (
        f"Zone example.com: {why}: for many zones use dns_zones with this src; a folder with the parts of one zone "
        "is called NAME.zone."
    )
    assert run("dns_records", zone="example.com", src="zones", _files=found)["msg"] == message
    if not names:
        assert run("dns_zones", src="zones", _files=found)["msg"] == f"{why}."


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("option", ["", "nonsense"])
def test_what_is_in_the_files_is_in_no_log_and_in_no_result(run, monkeypatch, option):
    """Whoever reads the system's log, or the result of a job in the background, need not have the vault's password."""
    logged = []
    monkeypatch.setattr(
        basic.AnsibleModule, "log", lambda _module, *words, **args: logged.append((words, args))
    )
    found = files(example_com="$TTL 300\nwww A 192.0.2.1 ; out of a vault\n")
    result = run("dns_zones", src="zones", _files=found, **({option: True} if option else {}))
    assert result.get("failed", False) == bool(option)
    assert "invocation" in result
    assert "out of a vault" not in f"{result}{logged}"
    assert bool(logged) != bool(option)


def test_a_link_that_leads_nowhere_is_told_as_one(tmp_path):
    (tmp_path / "example.com.zone").symlink_to("elsewhere")
    found = zone_files({"src": str(tmp_path)}, lambda name: name, DataLoader(), of_account=True)
    assert found[f"{tmp_path}/example.com.zone"] == {"reason": "it is a broken link"}
