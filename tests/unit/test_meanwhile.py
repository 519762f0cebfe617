# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What others write between the plan and the last round: no limit is passed over, and nothing goes untold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.filter.reversal import reversal
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import refuse_to_go_further
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._run import zone as zone_run
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._write import concurrent_writes

FIRST = {"name": "aaa", "type": "A", "content": ["192.0.2.1"], "ttl": 300}
OTHER = "other 300 A 192.0.2.8"
HAD = f"{OTHER}\nwww 300 A 192.0.2.1"
ADDED = f"{HAD}\nwww 300 A 198.51.100.9"
REPLACED = f"{OTHER}\nwww 300 A 198.51.100.9"
FOREIGN = "www.example.com. A has got 198.51.100.9 from somebody else meanwhile"
NAME, VALUE, OURS = [{"name": "www"}], [{"value": "198.51.100.*"}], [{"value": "192.0.2.*"}]


def entry(*content: str, **fields: Any) -> dict[str, Any]:
    return {"name": "www", "type": "A", "ttl": 300, **({"content": [*content]} if content else {}), **fields}


EXTENDED, GONE = entry("192.0.2.1", "192.0.2.2"), entry(state="absent")


@pytest.fixture
def others(zone: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What somebody else makes of the zone while the first value is on its way, and no more of it."""
    text: list[str] = []
    add_value = ZoneWriter.add_value

    def add_after_somebody_else(writer: ZoneWriter, *arguments: Any, **options: Any) -> None:
        if text:
            zone.holds(text.pop())
        add_value(writer, *arguments, **options)

    monkeypatch.setattr(ZoneWriter, "add_value", add_after_somebody_else)
    monkeypatch.setattr(concurrent_writes, "AGED_UNDER_LIMITS", -1.0)
    return text


@pytest.mark.parametrize(
    ("had", "made", "www", "limits", "why"),
    [
        pytest.param(HAD, ADDED, EXTENDED, {"protect": VALUE}, "protect matches it so", id="extended, protect a value"),
        pytest.param(HAD, ADDED, EXTENDED, {"protect": NAME}, "what protect matches", id="extended, protect the name"),
        pytest.param(OTHER, ADDED, EXTENDED, {"protect": NAME}, "protect matches it so", id="new, protect the name"),
        pytest.param(HAD, ADDED, EXTENDED, {"ignore": VALUE}, "ignore matches it so", id="extended, ignore a value"),
        pytest.param(OTHER, ADDED, EXTENDED, {"ignore": VALUE}, "ignore matches it so", id="new, ignore a value"),
        pytest.param(HAD, ADDED, GONE, {"protect": VALUE}, "protect matches it so", id="absent, protect a value"),
        pytest.param(HAD, ADDED, GONE, {"ignore": VALUE}, "ignore matches it so", id="absent, ignore a value"),
        pytest.param(HAD, REPLACED, GONE, {"only": OURS}, "only does not match it so", id="absent, only a value"),
        pytest.param(
            HAD, REPLACED, entry("192.0.2.1", ttl=60), {"only": OURS}, "only does not match it", id="TTL, only"
        ),
        pytest.param(HAD, ADDED, entry("192.0.2.1", ttl=60), {"protect": VALUE}, "protect matches it", id="TTL"),
    ],
)
def test_what_others_write_is_under_the_same_limits(
    zone: Any, run: Any, others: list[str], had: str, made: str, www: Any, limits: Any, why: str
) -> None:
    zone.holds(had)
    others.append(made)
    result = run("dns_records", zone="example.com", records=[FIRST, www], concurrency=1, **limits)
    assert result["failed"]
    assert why in result["msg"]
    assert not any(call.startswith("DELETE") for call in zone.calls())
    assert "www 300 A 198.51.100.9" in zone.lines()
    assert "A holds" in result["msg"] or "the set holds" in result["msg"]


@pytest.mark.parametrize(("had", "www"), [(HAD, EXTENDED), (OTHER, EXTENDED), (HAD, GONE)])
def test_a_reviewed_plan_deletes_nothing_that_nobody_has_seen(
    zone: Any, run: Any, others: list[str], tmp_path: Path, had: str, www: Any
) -> None:
    zone.holds(had)
    task = {"zone": "example.com", "records": [FIRST, www], "concurrency": 1, "plan_dir": str(tmp_path / "plans")}
    assert run("dns_records", check=True, **task)["changed"]
    others.append(ADDED)
    result = run("dns_records", **task)
    assert f"{FOREIGN}, which the plan that was reviewed does not know" in result["msg"]
    assert not any(call.startswith("DELETE") for call in zone.calls())
    assert "www 300 A 198.51.100.9" in zone.lines()


@pytest.mark.parametrize(("limit", "is_refused"), [(0, True), (50, True), (60, False), (100, False)])
def test_change_limit_counts_what_a_further_round_deletes(
    zone: Any, run: Any, others: list[str], limit: int, is_refused: bool
) -> None:
    """Of 10 sets that are there and 12 that somebody else makes meanwhile, 12 would be rebuilt."""
    had = "".join(f"old{number} 300 A 192.0.2.1\n" for number in range(10))
    zone.holds(had)
    others.append(had + "".join(f"new{number} 60 A 203.0.113.9\n" for number in range(12)))
    records = [{"name": f"new{number}", "type": "A", "content": ["192.0.2.1"]} for number in range(12)]
    result = run("dns_records", zone="example.com", records=records, concurrency=1, change_limit=limit)
    assert bool(result.get("failed")) is is_refused, result
    deleted = sum(call.startswith("DELETE") for call in zone.calls())
    assert deleted == (0 if is_refused else 12)
    if is_refused:
        assert "delete or rebuild 12 of the zone's 22 sets, more than change_limit" in result["msg"]
    else:
        assert result["summary"]["rebuilt"] == 12
        assert [change["before"] for change in result["changes"]] == [{"ttl": 3600, "contents": ["203.0.113.9"]}] * 12


def test_what_is_removed_of_others_is_told_and_can_be_put_back(zone: Any, run: Any, others: list[str]) -> None:
    """A task that lists whole sets, and sets no limits, makes them so."""
    zone.holds(HAD)
    others.append(ADDED)
    result = run("dns_records", zone="example.com", records=[FIRST, EXTENDED], concurrency=1)
    assert not result.get("failed"), result
    www = next(change for change in result["changes"] if change["name"] == "www.example.com.")
    assert (www["action"], www["before"]["contents"]) == ("rebuild", ["192.0.2.1", "198.51.100.9"])
    assert "www.example.com. 300 IN A 198.51.100.9" in result["diff"]["before"]
    assert result["summary"] == {"created": 1, "extended": 0, "rebuilt": 1, "deleted": 0, "unchanged": 0}
    assert f"{FOREIGN}, which was removed" in json.dumps(result["warnings"])
    run("dns_records", zone="example.com", records=reversal(result))
    assert zone.lines() == sorted(ADDED.splitlines())


def test_what_others_add_to_a_set_that_is_only_extended_does_no_harm(zone: Any, run: Any, others: list[str]) -> None:
    zone.holds(HAD)
    others.append(ADDED)
    result = run("dns_record", zone="example.com", name="www", type="A", content=["192.0.2.2"])
    assert not result.get("failed"), result
    assert zone.calls() == ["GET", "POST www A 192.0.2.2", "GET"]
    assert "warnings" not in result


def test_without_limits_no_reading_more(zone: Any, run: Any, others: list[str]) -> None:
    zone.holds(HAD)
    assert others == []
    run("dns_records", zone="example.com", records=[FIRST, GONE], concurrency=1)
    assert zone.calls() == ["GET", "POST aaa A 192.0.2.1", "DELETE www.example.com. A", "GET"]


@pytest.mark.parametrize(
    ("wanted", "now", "left", "told"),
    [
        pytest.param(entry("192.0.2.1", ttl=60, exclusive=False), ADDED, "192.0.2.1 198.51.100.9", [], id="rebuild"),
        pytest.param(entry("192.0.2.1", ttl=60), ADDED, "192.0.2.1", [f"{FOREIGN}, which was removed"], id="exclusive"),
        pytest.param(GONE, ADDED, "", [f"{FOREIGN}, which was removed"], id="absent"),
        pytest.param(
            entry("192.0.2.1", ttl=60, exclusive=False),
            f"{OTHER}\nwww 60 A 192.0.2.1\nwww 60 A 198.51.100.9",
            "192.0.2.1 198.51.100.9",
            [],
            id="others have rebuilt it",
        ),
    ],
)
def test_what_others_add_before_the_turn_of_a_set_is_deleted_with_it_only_where_the_task_says_so(
    zone: Any,
    run: Any,
    others: list[str],
    monkeypatch: pytest.MonkeyPatch,
    wanted: Any,
    now: str,
    left: str,
    told: list[str],
) -> None:
    monkeypatch.setattr(concurrent_writes, "AGED", -1.0)
    zone.holds(HAD)
    others.append(now)
    result = run("dns_records", zone="example.com", records=[FIRST, wanted], concurrency=1)
    www = [line.split()[-1] for line in zone.lines() if line.startswith("www ")]
    assert " ".join(www) == left
    assert [warning.split(", because")[0] for warning in result.get("warnings", [])] == told


@pytest.mark.parametrize(
    ("limits", "is_read_again"), [({}, False), ({"protect": NAME}, True), ({"change_limit": 50}, True)]
)
def test_new_sets_of_many_zones_are_written_from_an_old_reading_where_no_limit_is_set(
    zone: Any, run: Any, monkeypatch: pytest.MonkeyPatch, limits: Any, is_read_again: bool
) -> None:
    write = zone_run.ZoneRun.write

    def write_after_somebody_else(one: zone_run.ZoneRun, *arguments: Any, **options: Any) -> None:
        zone.holds(f"{OTHER}\nwww 300 A 198.51.100.9")
        write(one, *arguments, **options)

    zone.holds(OTHER)
    monkeypatch.setattr(zone_run, "FRESH", -1.0)
    monkeypatch.setattr(zone_run.ZoneRun, "write", write_after_somebody_else)
    result = run("dns_zones", zones=[{"zone": "example.com", "records": [entry("192.0.2.1")]}], **limits)
    assert (zone.calls()[1] == "GET") is is_read_again
    assert bool(result.get("failed")) is ("protect" in limits)
    assert result["zones"][0]["changes"] == (
        []
        if "protect" in limits
        else [
            {
                "name": "www.example.com.",
                "type": "A",
                "action": "rebuild",
                "before": {"ttl": 300, "contents": ["198.51.100.9"]},
                "after": {"ttl": 300, "contents": ["192.0.2.1"]},
            }
        ]
    )


def grown(name: str) -> RecordSet:
    """A set that somebody else has given two values."""
    return RecordSet(f"{name}.example.com.", "A", 300, ("192.0.2.1", "198.51.100.8", "198.51.100.9"))


def test_where_a_task_has_an_owner_what_others_add_to_a_set_that_goes_stays(
    zone: Any, run: Any, others: list[str]
) -> None:
    owned = {"owner": "web", "findings": "off"}
    run("dns_records", zone="example.com", records=[entry("192.0.2.1")], **owned)
    others.append("www 300 A 192.0.2.1\nwww 300 A 198.51.100.9")
    result = run(
        "dns_records", zone="example.com", records=[FIRST], prune=True, prune_limit=100, concurrency=1, **owned
    )
    assert "warnings" not in result
    assert [(one["name"], one["action"]) for one in result["changes"]] == [
        ("aaa.example.com.", "create"),
        ("www.example.com.", "rebuild"),
    ]
    assert zone.lines() == ["aaa 300 A 192.0.2.1", "www 300 A 198.51.100.9"]
    assert run("dns_records", zone="example.com", records=[FIRST], prune=True, **owned)["changed"] is False


def test_all_that_others_wrote_is_told() -> None:
    live = {one.key: one for one in map(grown, "ab")}
    again = [Change(one, None, Wanted(*one.key)) for one in live.values()]
    external = dict.fromkeys(live, ("198.51.100.8", "198.51.100.9"))
    with pytest.raises(PlanRefused) as refusal:
        refuse_to_go_further("example.com.", live, again, again, external, Limits(), (), is_reviewed=True)
    told = [
        f"{name}.example.com. A has got 198.51.100.8, 198.51.100.9 from somebody else meanwhile, which the plan that "
        "was reviewed does not know, and so it is not deleted"
        for name in "ab"
    ]
    assert str(refusal.value) == "; ".join(told)


def test_what_is_extended_is_not_among_what_is_deleted() -> None:
    live = {one.key: one for one in map(grown, "abcdefghijkl")}
    extended = [Change(one, replace(one, values=(*one.values, "192.0.2.9")), Wanted(*one.key)) for one in live.values()]
    refuse_to_go_further("example.com.", live, extended, (), {}, Limits(change_limit=0), (), is_reviewed=False)
    going = [Change(one, None, Wanted(*one.key)) for one in live.values()]
    with pytest.raises(PlanRefused, match="delete or rebuild 12 of the zone's 12 sets"):
        refuse_to_go_further("example.com.", live, going, (), {}, Limits(change_limit=0), (), is_reviewed=False)


def test_what_the_first_round_has_deleted_is_among_the_sets_that_are_counted() -> None:
    gone, live = ({one.key: one for one in map(grown, names)} for names in ("abcdef", "ghijkl"))
    planned = [Change(one, None, Wanted(*one.key)) for one in gone.values()]
    refuse_to_go_further("example.com.", live, planned, (), {}, Limits(change_limit=50), (), is_reviewed=False)
    with pytest.raises(PlanRefused, match="delete or rebuild 6 of the zone's 12 sets"):
        refuse_to_go_further("example.com.", live, planned, (), {}, Limits(change_limit=49), (), is_reviewed=False)


@pytest.mark.parametrize(
    ("limits", "waits", "left"),
    [
        pytest.param({}, 6, "192.0.2.1", id="within ten seconds"),
        pytest.param({}, 11, "192.0.2.1 198.51.100.9", id="within more"),
        pytest.param({"change_limit": 50}, 1, "192.0.2.1", id="under limits, within two seconds"),
        pytest.param({"change_limit": 50}, 3, "192.0.2.1 198.51.100.9", id="under limits, within more"),
        pytest.param({"protect": VALUE}, 3, "192.0.2.1 198.51.100.9", id="a value that is protected"),
        pytest.param({"owner": "web"}, 3, "192.0.2.1 198.51.100.9", id="a value of no owner"),
    ],
)
def test_what_others_add_while_a_deletion_is_throttled_is_not_deleted(
    zone: Any, run: Any, service: Any, clock: Any, limits: Any, waits: int, left: str
) -> None:
    zone.holds(HAD)
    service.fault("status", method="DELETE", status=429, headers={"Retry-After": str(waits)})
    clock.on_wait = lambda _seconds: zone.holds(ADDED)
    task = entry("192.0.2.1", ttl=60, exclusive=False)
    result = run("dns_records", zone="example.com", records=[task], **limits)
    www = [line.split()[-1] for line in zone.lines() if line.startswith("www ")]
    assert " ".join(www) == left
    if len(www) > 1:
        assert "others have added 198.51.100.9 to it meanwhile, which would be lost: run the task" in result["msg"]


@pytest.mark.parametrize(
    "wanted", [{"state": "absent"}, {"content": "192.0.2.1", "ttl": 60}], ids=["absent", "rebuilt"]
)
def test_what_others_have_added_comes_back_where_the_deletion_that_it_stopped_comes_late(
    zone: Any, run: Any, service: Any, clock: Any, wanted: Any
) -> None:
    zone.holds("www 300 A 192.0.2.1")
    service.fault("status", method="DELETE", status=504, times=1)
    clock.on_wait = lambda _seconds: zone.holds("www 300 A 192.0.2.1\nwww 300 A 198.51.100.9")
    task = {"zone": "example.com", "type": "A"}
    assert "others have added 198.51.100.9" in run("dns_record", **task, name="www", **wanted)["msg"]
    clock.on_wait = lambda _seconds: None
    zone.holds("")
    run("dns_record", **task, name="ftp", content="192.0.2.7")
    assert "198.51.100.9" in " ".join(zone.lines())
