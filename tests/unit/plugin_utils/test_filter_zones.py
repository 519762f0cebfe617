# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The zones of a task: a folder, a list, or options beside a folder; and what ``limit`` leaves of them."""

from pathlib import Path

import pytest
from ansible.parsing.dataloader import DataLoader

from ansible_collections.zonesmith.dns.plugins.plugin_utils._files import zone_files

NAMES = ("a.example", "b.example", "xn--bcher-kva.example")
FILES = {
    "zones": {"reason": "it is a folder"},
    **{f"zones/{name}.zone": {"text": "www 300 A 192.0.2.1\n"} for name in NAMES},
}
OLD = [("old", "A", 300, ["192.0.2.1"])]


@pytest.fixture
def three(service):
    """Zones that hold one set that no file has."""
    for name in NAMES:
        service.zone(name, OLD)
    service.clear_log()
    return service


def of_folder(run, *zones, **options):
    """What dns_zones says of the folder, of which everything else is ignored but its zones."""
    beside = {"zones": [*zones]} if zones else {}
    return run(
        "dns_zones", **{"src": "zones", "_files": FILES, "unmanaged": "ignore", **beside, **options}
    )


def actions(result):
    """What was done in each zone that was looked at."""
    return {
        item["zone"]: [change["action"] for change in item["changes"]] for item in result["zones"]
    }


def test_an_entry_says_options_of_a_zone_that_has_a_file(three, run):
    result = of_folder(
        run, {"zone": "B.example.", "prune": False, "ttl": 60}, prune=True, prune_limit=100
    )
    assert actions(result) == {
        "a.example": ["delete", "create"],
        "b.example": ["create"],
        "xn--bcher-kva.example": ["delete", "create"],
    }
    assert three.records("b.example")[-1]["name"] == "www.b.example."


def test_a_guard_of_a_zone_counts_beside_its_file(three, run):
    guarded = {"zone": "a.example", "protect": [{"name": "old"}]}
    result = of_folder(run, guarded, prune=True, prune_limit=100)
    assert result["msg"].startswith("1 of 3 zones cannot be planned")
    assert "the plan would delete old.a.example. A, but protect matches" in result["msg"]
    assert not any(call.startswith(("POST", "DELETE")) for call in three.calls())


def test_entries_without_a_file_are_told_together(three, run):
    result = of_folder(run, *({"zone": name} for name in ("c.example", "a.example", "d.example")))
    assert result["msg"] == (
        "there is no file in zones for zones[0] (c.example), zones[2] (d.example): add it, or give the entry records or "
        "src, or take it out."
    )
    result = of_folder(run, *({"zone": name} for name in ("a.example", "a.example", "a..b")))
    assert "it is listed twice, as zones/a.example.zone and as zones[1]." in result["msg"]
    assert "'a..b' cannot be used" in result["msg"]
    assert three.calls() == []


def test_a_zone_that_has_no_file_can_be_listed_beside_the_folder(three, run):
    three.zone("c.example", OLD)
    files = {**FILES, "zones/other.txt": {"text": "www 300 A 192.0.2.9\n"}}
    result = of_folder(run, {"zone": "c.example", "src": "zones/other.txt"}, _files=files)
    assert actions(result)["c.example"] == ["create"]


# limit


@pytest.mark.parametrize(
    "limit, names",
    [
        (["?.example"], ["a.example", "b.example"]),
        (["bücher.*", "B.Example."], ["b.example", "xn--bcher-kva.example"]),
    ],
)
def test_the_rest_is_not_looked_at(three, run, limit, names):
    broken = {
        name: {"reason": "it is gone"}
        for name in FILES
        if not any(f"/{one}.zone" in name for one in names)
    }
    result = of_folder(run, limit=limit, _files={**FILES, **broken}, check=True, concurrency=1)
    assert [item["zone"] for item in result["zones"]] == names
    assert three.calls() == [f"GET /dns/domains/{name.replace('.', '')}" for name in names]


def test_limit_is_for_listed_zones_too(three, run):
    bad = {"name": "www", "type": "A", "content": "x"}
    listed = [{"zone": "a.example", "records": []}, {"zone": "b.example", "records": [bad]}]
    assert actions(run("dns_zones", zones=listed, limit="a.*")) == {"a.example": []}
    assert three.calls() == ["GET /dns/domains/aexample"]


def test_a_limit_that_matches_no_zone_is_an_error_and_part_of_one_a_warning(three, run):
    result = of_folder(run, limit=["c.example", "*.org"])
    assert result["msg"] == (
        "limit (c.example, *.org) matches none of the 3 zones that the task has: is it spelled correctly?"
    )
    result = of_folder(run, limit=["a.example", "*.org"], check=True)
    assert result["warnings"] == [
        "nothing in the task's zones matches limit[1] ('*.org'): is that spelled correctly?"
    ]
    result = of_folder(run, limit=[])
    assert (result["zones"], result["warnings"]) == ([], ["limit is empty, so no zone is read"])
    assert len(three.calls()) == 1


@pytest.mark.usefixtures("three")
def test_what_others_of_the_zones_need_is_no_error_under_limit(run):
    guards = {"ignore": [{"name": "www.b.example."}], "protect": [{"name": "mail"}]}
    result = of_folder(run, limit=["a.example"], check=True, **guards)
    assert "warnings" not in result


def test_zones_outside_it_are_not_told_as_unmanaged(three, run):
    for name in ("old.example", "old.test"):
        three.zone(name)
    result = of_folder(run, limit=["*.example"], unmanaged="warn", check=True)
    assert result["unmanaged"] == ["old.example"]
    assert of_folder(run, limit=["a.example"], unmanaged="error", check=True)["unmanaged"] == []


def test_plans_of_zones_outside_it_stay(three, run, tmp_path):
    def plans():
        return {path.name: path.read_text("utf-8") for path in tmp_path.glob("plans/*")}

    options = {"plan_dir": str(tmp_path / "plans")}
    of_folder(run, check=True, **options)
    before = plans()
    options |= {"limit": ["a.example"], "prune": True, "prune_limit": 100}
    of_folder(run, check=True, **options)
    after = plans()
    assert before.keys() == after.keys() == {f"{name}.json" for name in NAMES}
    assert [name for name in before if before[name] != after[name]] == ["a.example.json"]
    of_folder(run, **options)
    last = [three.records(name)[-1]["name"].partition(".")[0] for name in NAMES]
    assert last == ["www", "old", "old"]


@pytest.mark.parametrize("limit", ["a.example,c.*", ["A.example"], None])
def test_the_controller_reads_no_file_outside_it(tmp_path, limit):
    for name in ("a.example", "b.example"):
        (tmp_path / f"{name}.zone").write_text("www 300 A 192.0.2.1\n", "utf-8")
    (tmp_path / "other").write_text("www 300 A 192.0.2.1\n", "utf-8")
    listed = [{"zone": "o.example", "src": str(tmp_path / "other")}, "no zone"]
    options = {"src": str(tmp_path), "zones": listed, "limit": limit}
    found = zone_files(options, str, DataLoader(), of_account=True)
    read = sorted(Path(path).name for path, file in found.items() if "text" in file)
    assert read == (["a.example.zone"] if limit else ["a.example.zone", "b.example.zone", "other"])
