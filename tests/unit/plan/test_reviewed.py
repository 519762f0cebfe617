# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reviewed plans: a plan as check mode writes, and what the real run does with it."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from examples import some
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plan_lines import plan
from shorthand import change, named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.dialect import Dialect
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import SHOWN_CLAUSES
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import (
    NOTHING,
    UnusablePlan,
    differences,
    plan_text,
    refuse_unreviewed,
    reviewed_plan,
)

ZONE = "example.com."


def rows(table):
    """Entries from lines of ``<name> <TTL> <type> <value> <value>...``."""
    entries = (line.split() for line in table.splitlines() if line.strip())
    return [
        {"name": name, "ttl": int(ttl), "type": rdtype, "content": values}
        for name, ttl, rdtype, *values in entries
    ]


def live(table):
    """The sets of a zone, from the same lines."""
    sets = (
        RecordSet(f"{row['name']}.{ZONE}", row["type"], row["ttl"], tuple(row["content"]))
        for row in rows(table)
    )
    return {one.key: one for one in sets}


def desired_of(table):
    """What a task wants, from the same lines; a set without values is to go."""
    return [
        Desired(f"{row['name']}.{ZONE}", row["type"], tuple(row["content"]), ttl=row["ttl"])
        for row in rows(table)
    ]


class Case(NamedTuple):
    """A zone and a task when the plan was made, and when it is carried out; what differs."""

    before: str
    task: str
    now: str
    task_now: str
    differs: list[str]


WWW = "www.example.com. A"
WWW_A = Key("www.example.com.", "A")
W1, W2, W12 = "www 300 A 192.0.2.1", "www 300 A 192.0.2.2", "www 300 A 192.0.2.1 192.0.2.2"
ONE, TWO = "192.0.2.1 (TTL 300)", "192.0.2.2 (TTL 300)"
CASES = {
    "all is as it was": Case(W1, W2, W1, W2, []),
    "the run has done it already": Case(W1, W2, W2, W2, []),
    "cut short while it created": Case("", W12, W1, W12, []),
    "nothing was planned, nothing is to do": Case(W1, W1, W1, W1, []),
    "another set needs a change now": Case(
        W1,
        f"{W2}\nftp 300 A 192.0.2.9",
        f"{W1}",
        f"{W2}\nftp 300 A 192.0.2.8",
        ["ftp.example.com. A would hold 192.0.2.8 (TTL 300), but 192.0.2.9 (TTL 300) in the plan"],
    ),
    "somebody has changed the set": Case(
        W1,
        "www 60 A 192.0.2.1",
        W2,
        "www 60 A 192.0.2.1",
        [f"{WWW} held {ONE} when the plan was made, but now holds {TWO}"],
    ),
    "somebody has added a value that was not planned": Case(
        "",
        W1,
        "www 300 A 192.0.2.9",
        W1,
        [f"{WWW} held nothing when the plan was made, but now holds 192.0.2.9 (TTL 300)"],
    ),
    "somebody has removed the set": Case(
        W1, W2, "", W2, [f"{WWW} held {ONE} when the plan was made, but now holds nothing"]
    ),
    "somebody has made it what no longer needs a change": Case(
        W1,
        W2,
        W1,
        W1,
        [f"{WWW} holds {ONE} and would not change, but should hold {TWO} in the plan"],
    ),
    "nothing was planned, and now there is": Case(W2, W2, W1, W2, [f"{WWW} would be rebuilt"]),
    "nothing was planned of the set, and now there is": Case(
        f"{W1}\nftp 300 A 192.0.2.9",
        f"{W1}\nftp 300 A 192.0.2.8",
        f"{W2}\nftp 300 A 192.0.2.9",
        f"{W1}\nftp 300 A 192.0.2.8",
        [f"{WWW} would be rebuilt"],
    ),
}


@named_rows("case", CASES)
def test_what_differs(case):
    text = plan_text(ZONE, plan(ZONE, live(case.before), desired_of(case.task)).changes)
    reviewed = reviewed_plan(ZONE, text) if text else NOTHING
    now = live(case.now)
    assert (
        differences(reviewed, plan(ZONE, now, desired_of(case.task_now)).changes, now, Dialect())
        == case.differs
    )


@pytest.mark.parametrize(
    "before, task, action, other, message",
    [
        ("", W1, "create", "extend", "created, but extended in the plan"),
        (W1, W12, "extend", "rebuild", "extended, but rebuilt in the plan"),
        (W12, W1, "rebuild", "extend", "rebuilt, but extended in the plan"),
    ],
)
def test_what_is_done_to_a_set_is_compared_too(before, task, action, other, message):
    changes = plan(ZONE, live(before), desired_of(task)).changes
    text = plan_text(ZONE, changes)
    reviewed = reviewed_plan(ZONE, text.replace(f'"action": "{action}"', f'"action": "{other}"'))
    assert differences(reviewed, changes, live(before), Dialect()) == [f"{WWW} would be {message}"]


@pytest.mark.parametrize(
    "now, agrees",
    [
        ("300 A 1 2", True),
        ("300 A 1 2 3", True),
        ("300 A 1 2 3 4", True),
        ("300 A 1 2 9", False),
        ("300 A 1 3", False),
        ("60 A 1 2 3", False),
    ],
)
def test_what_the_run_after_one_that_was_cut_short_may_have_added(now, agrees):
    """A set that is to be rebuilt, and that got values of its new ones under its old TTL."""
    task = desired_of("www 60 A 3 4")
    reviewed = reviewed_plan(ZONE, plan_text(ZONE, plan(ZONE, live("www 300 A 1 2"), task).changes))
    held = live(f"www {now}")
    changes = plan(ZONE, held, task).changes
    assert (differences(reviewed, changes, held, Dialect()) == []) is agrees


def test_a_plan_that_was_carried_out_is_good_only_where_it_stands():
    task = desired_of(W2)
    changes = plan(ZONE, live(W1), task).changes
    reviewed = reviewed_plan(ZONE, plan_text(ZONE, changes))
    when = "2026-11-29 at 12:00 UTC"
    refuse_unreviewed(reviewed, "in a file", live(W2), (), Dialect(), carried_out=when)
    with pytest.raises(PlanRefused) as refused:
        refuse_unreviewed(reviewed, "in a file", live(W1), changes, Dialect(), carried_out=when)
    assert str(refused.value).startswith(
        f"the reviewed plan in a file was carried out on {when}: {WWW} would be rebuilt again;"
    )


@pytest.mark.parametrize("ttls, differs", [({}, True), ({WWW_A: (60, 300)}, False)])
def test_a_ttl_that_was_reviewed_and_is_no_longer_sent(ttls, differs):
    """As a service keeps a TTL of its own, it may be that nothing is left to do; else the task has changed."""
    before = live(W1)
    text = plan_text(ZONE, plan(ZONE, before, desired_of("www 60 A 192.0.2.1")).changes)
    found = differences(reviewed_plan(ZONE, text), (), before, Dialect(ttls=ttls))
    holds = (
        f"{WWW} holds {ONE} and would not change, but should hold 192.0.2.1 (TTL 60) in the plan"
    )
    assert found == ([holds] if differs else [])


def test_the_text_is_the_same_for_the_same_changes():
    one = plan_text(
        ZONE,
        plan(ZONE, live(W12), desired_of("www 60 A 192.0.2.2 192.0.2.1\na 60 A 192.0.2.1")).changes,
    )
    other = plan_text(
        ZONE,
        plan(
            ZONE,
            live("www 300 A 192.0.2.2 192.0.2.1"),
            desired_of("a 60 A 192.0.2.1\nwww 60 A 192.0.2.1 192.0.2.2"),
        ).changes,
    )
    assert one == other
    assert one.endswith("  ]\n}\n")
    assert one.startswith('{\n  "format": 1,\n')
    assert [change["name"] for change in json.loads(one)["changes"]] == [
        "a.example.com.",
        "www.example.com.",
    ]


def test_what_people_review_shows_what_there_is():
    shown = RecordSet("www.example.com.", "X-OPAQUE", 300, ("\u202egnp.exe", "\x1b[2J"))
    text = plan_text(ZONE, plan(ZONE, {shown.key: shown}, [Desired(*shown.key)]).changes)
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert (
        differences(
            reviewed_plan(ZONE, text),
            plan(ZONE, {shown.key: shown}, [Desired(*shown.key)]).changes,
            {},
            Dialect(),
        )
        == []
    )


NO_PLAN = "it is not a plan as check mode writes it"
GOOD = {"format": 1, "zone": "example.com", "changes": []}
ROW = {"name": "www.example.com.", "type": "A", "action": "create", "before": None}
ROW |= {"after": {"ttl": 300, "contents": ["192.0.2.1"]}}


@pytest.mark.parametrize("ttl", [0, 2**31 - 1])
def test_the_lowest_and_the_highest_ttl_are_read(ttl):
    row = {**ROW, "after": {"ttl": ttl, "contents": ["192.0.2.1"]}}
    assert reviewed_plan(ZONE, json.dumps({**GOOD, "changes": [row]})).changes


@pytest.mark.parametrize(
    "sets, expected",
    [
        (1, "a0"),
        (2, "a1"),
        (SHOWN_CLAUSES, f"a{SHOWN_CLAUSES - 1}"),
        (SHOWN_CLAUSES + 1, "; and 1 more"),
    ],
)
def test_what_differs_in_one_sentence(sets, expected):
    changes = [change(f"a{number}", "A", "", "300 192.0.2.1") for number in range(sets)]
    with pytest.raises(PlanRefused) as refused:
        refuse_unreviewed(NOTHING, "in a file", {}, changes, Dialect())
    message = str(refused.value)
    assert expected in message
    assert message.startswith(
        "there is no reviewed plan in a file: a0.example.com. A would be created; "
    )
    assert message.endswith(
        "; plan with --check and the same state_dir or state_url, and review that"
    )
    assert message.count(";") == min(sets, SHOWN_CLAUSES) + (sets > SHOWN_CLAUSES)


@pytest.mark.parametrize(
    "plan, reason",
    [
        ("", NO_PLAN),
        ("[]", NO_PLAN),
        ("[" * 100_000, NO_PLAN),
        ({**GOOD, "format": 2}, "its format is 2, but this version reads 1"),
        ({**GOOD, "zone": "example.org"}, "it is for the zone example.org"),
        ({**GOOD, "changes": [ROW, ROW]}, NO_PLAN),
        ({**GOOD, "changes": [{**ROW, "name": 1}]}, NO_PLAN),
        ({**GOOD, "changes": [{**ROW, "after": {"ttl": True, "contents": ["x"]}}]}, NO_PLAN),
        (
            {**GOOD, "changes": [{**ROW, "after": {"ttl": 2**31, "contents": ["x"]}}]},
            NO_PLAN,
        ),
        ({**GOOD, "changes": [{**ROW, "after": {"ttl": 1, "contents": []}}]}, NO_PLAN),
        ({**GOOD, "changes": [{**ROW, "after": {"ttl": 1, "contents": [1]}}]}, NO_PLAN),
        *(({**GOOD, "again": value}, NO_PLAN) for value in (-1, True, 1.0, "1", None)),
        ({**GOOD, "changes": [{"name": "a"}]}, NO_PLAN),
        ({**GOOD, "changes": [{**ROW, "action": "destroy"}]}, NO_PLAN),
        ({**GOOD, "changes": [{**ROW, "action": []}]}, NO_PLAN),
    ],
)
def test_a_file_that_is_no_plan(plan, reason):
    with pytest.raises(UnusablePlan, match=reason):
        reviewed_plan(ZONE, plan if isinstance(plan, str) else json.dumps(plan))


def test_a_plan_is_known_by_what_it_changes_and_how_often_that_was_done():
    """However it is spelled, and in whatever order."""
    changes = plan(ZONE, live("a 60 A 1 2\nb 60 A 1"), desired_of("a 60 A 2 3\nb 60 A 4")).changes
    text = plan_text(ZONE, changes)
    digest = reviewed_plan(ZONE, text).digest
    turned = json.loads(text)
    turned["changes"].reverse()
    turned["changes"][1]["after"]["contents"].reverse()
    assert reviewed_plan(ZONE, json.dumps(turned)).digest == digest
    again = plan_text(ZONE, changes, lambda known: known == digest)
    assert json.loads(again) == {**json.loads(text), "again": 1}
    known = {digest, reviewed_plan(ZONE, again).digest}
    assert len(known) == 2
    assert json.loads(plan_text(ZONE, changes, known.__contains__))["again"] == 2
    assert plan_text(ZONE, [], lambda _digest: True) == ""
    assert NOTHING.digest == ""
    for field, other in (("name", "c"), ("type", "AAAA"), ("action", "create"), ("before", None)):
        row = {**turned["changes"][0], field: other}
        assert (
            reviewed_plan(
                ZONE, json.dumps({**turned, "changes": [row, turned["changes"][1]]})
            ).digest
            not in known
        )


# Real runs

ANY_SETS = st.dictionaries(
    st.sampled_from(["a", "b", "c"]),
    st.tuples(
        st.sampled_from([60, 300]),
        st.sets(st.sampled_from(["192.0.2.1", "192.0.2.2", "192.0.2.3"]), max_size=2),
    ),
)


def entries(sets):
    return [
        {"name": name, "type": "A", "ttl": ttl, "content": sorted(values)} if values
        else {"name": name, "type": "A", "state": "absent"}
        for name, (ttl, values) in sets.items()
    ]  # fmt: skip


def hold(service, held):
    service.zone(
        "example.com",
        [(name, "A", ttl, sorted(values)) for name, (ttl, values) in held.items() if values],
    )


def shown(service):
    sets = (row for row in service.records("example.com") if row["type"] == "A")
    return {row["name"]: (row["ttl"], frozenset(row["contents"])) for row in sets}


@settings(
    max_examples=some(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(before=ANY_SETS, task=ANY_SETS, now=st.one_of(st.none(), ANY_SETS), prune=st.booleans())
def test_what_is_written_is_what_was_reviewed(service, run, tmp_path, before, task, now, prune):
    """Given a zone, a task, and what others make of the zone between check and run: all of the plan, or nothing."""
    options = {"zone": "example.com", "records": entries(task), "prune": prune, "prune_limit": 100}
    options["plan_dir"] = str(tmp_path / "plans")
    hold(service, before)
    predicted = run("dns_records", check=True, **options)
    file = tmp_path / "plans" / "example.com.json"
    assert file.exists() == predicted["changed"]
    planned = {change["name"]: change["after"] for change in predicted["changes"]}
    if now is not None:
        hold(service, now)
    held = shown(service)
    service.clear_log()
    done = run("dns_records", **options)
    wrote = [call["method"] for call in service.log() if call["method"] != "GET"]
    if done.get("failed"):
        assert now is not None
        assert "reviewed plan" in done["msg"] or "plan that was reviewed" in done["msg"]
        assert not wrote
        assert shown(service) == held
    else:
        assert bool(wrote) == done["changed"]
        after = {
            name: side and (side["ttl"], frozenset(side["contents"]))
            for name, side in planned.items()
        }
        assert {name: shown(service).get(name) for name in after} == after
        assert {name: one for name, one in shown(service).items() if name not in after} == {
            name: one for name, one in held.items() if name not in after
        }


@pytest.mark.parametrize("nth", [1, 2])
def test_a_run_that_was_cut_short_between_two_deletions_is_gone_on_with(
    service, run, tmp_path, nth
):
    """What recovery adds to the set that is still there has the TTL of before, and is of the plan all the same."""
    held = [("www", "A", 300, ["192.0.2.1"]), ("www", "AAAA", 300, ["2001:db8::1"])]
    service.zone("example.com", held)
    sets = {"A": "192.0.2.2", "AAAA": "2001:db8::2"}
    records = [
        {"name": "www", "type": rdtype, "ttl": 60, "content": value}
        for rdtype, value in sets.items()
    ]
    options = {"zone": "example.com", "records": records, "plan_dir": str(tmp_path)}
    run("dns_records", check=True, **options)
    service.fault("status", method="DELETE", nth=nth, status=500, times=0)
    assert run("dns_records", **options, retries=0)["failed"]
    service.clear_faults()
    done = run("dns_records", **options)
    assert not done.get("failed"), done
    rows = (
        row
        for row in service.records("example.com")
        if row["type"] in sets and "www" in row["name"]
    )
    assert {row["type"]: (row["ttl"], row["contents"]) for row in rows} == {
        rdtype: (60, [value]) for rdtype, value in sets.items()
    }
    assert not run("dns_records", **options)["changed"]


def test_no_zone_is_written_where_one_is_not_as_reviewed(service, run, tmp_path):
    service.zone("example.org", [])
    zones = [
        {"zone": zone, "records": entries({"a": (60, {"192.0.2.1"})})}
        for zone in ("example.com", "example.org")
    ]
    options = {"zones": zones, "plan_dir": str(tmp_path)}
    assert run("dns_zones", check=True, **options)["changed"]
    hold(service, {"a": (60, {"192.0.2.9"})})
    service.clear_log()
    result = run("dns_zones", **options)
    assert result["msg"].startswith(
        "1 of 2 zones cannot be planned, and nothing was changed. Zone example.com: the changes"
    )
    assert {call["method"] for call in service.log()} == {"GET"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"zone": "example.net", "records": []},  # the account has none
        {"zone": "example.org", "records": [{"name": "a", "type": "A", "content": "192.0.2.256"}]},
        {"zone": "example.com", "records": []},  # twice
    ],
)
def test_a_check_run_that_fails_leaves_no_plan_of_an_earlier_one(service, run, tmp_path, wrong):
    service.zone("example.org", [])
    listed = [
        {"zone": zone, "records": entries({"a": (60, {"192.0.2.1"})})}
        for zone in ("example.com", "example.org")
    ]
    assert run("dns_zones", check=True, zones=listed, plan_dir=str(tmp_path / "plans"))["changed"]
    plans = tmp_path / "plans"
    (plans / "other.example.json").write_text("of another task")
    assert len(list(plans.iterdir())) == 3
    listed[1] = wrong
    assert run("dns_zones", check=True, zones=listed, plan_dir=str(plans))["failed"]
    left = {"other.example.json"} | (
        {"example.org.json"} if wrong["zone"] != "example.org" else set()
    )
    assert {file.name for file in plans.iterdir()} == left
