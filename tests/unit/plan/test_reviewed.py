# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reviewed plans: a plan as check mode writes, and what the real run does with it."""

import json
from collections import namedtuple

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


def changes_of(before, task):
    """The plan from a zone to what a task wants."""
    return plan(ZONE, live(before), desired_of(task)).changes


def reviewed_of(before, task):
    """The same as people have reviewed it."""
    text = plan_text(ZONE, changes_of(before, task))
    return reviewed_plan(ZONE, text) if text else NOTHING


def desired_of(table):
    """What a task wants, from the same lines; a set without values is to go."""
    return [
        Desired(f"{row['name']}.{ZONE}", row["type"], tuple(row["content"]), ttl=row["ttl"])
        for row in rows(table)
    ]


Case = namedtuple("Case", "before task now task_now differs")
"""A zone and a task when the plan was made, and when it is carried out; what differs."""

WWW = "www.example.com. A"
WWW_A = Key("www.example.com.", "A")
W1, W2, W12 = "www 300 A 192.0.2.1", "www 300 A 192.0.2.2", "www 300 A 192.0.2.1 192.0.2.2"
ONE, TWO = "192.0.2.1 (TTL 300)", "192.0.2.2 (TTL 300)"
BOTH = "192.0.2.1, 192.0.2.2 (TTL 300)"
CASES = {
    "all is as it was": Case(W1, W2, W1, W2, []),
    "the run has done it already": Case(W1, W2, W2, W2, []),
    "cut short while it created": Case("", W12, W1, W12, []),
    "nothing was planned, nothing is to do": Case(W1, W1, W1, W1, []),
    "the set is to become another": Case(
        "", W1, "", W2, [f"{WWW} would hold {TWO}, but {ONE} in the plan"]
    ),
    "somebody has changed the set": Case(
        W1,
        "www 60 A 192.0.2.1",
        W2,
        "www 60 A 192.0.2.1",
        [f"{WWW} held {ONE} when the plan was made, but now holds {TWO}"],
    ),
    "somebody has made the set": Case(
        "", W1, W2, W1, [f"{WWW} held nothing when the plan was made, but now holds {TWO}"]
    ),
    "somebody has removed the set": Case(
        W12, W2, "", W2, [f"{WWW} held {BOTH} when the plan was made, but now holds nothing"]
    ),
    "somebody has made it what no longer needs a change": Case(
        W1,
        W2,
        W1,
        W1,
        [f"{WWW} holds {ONE} and would not change, but should hold {TWO} in the plan"],
    ),
    "nobody wants the set that was planned, and there is none": Case(
        W1,
        W2,
        "",
        "www 300 A",
        [f"{WWW} holds nothing and would not change, but should hold {TWO} in the plan"],
    ),
    "nothing was planned, and now there is": Case(W2, W2, W1, W2, [f"{WWW} would be rebuilt"]),
}


@named_rows("case", CASES)
def test_what_differs(case):
    changes = changes_of(case.now, case.task_now)
    reviewed = reviewed_of(case.before, case.task)
    assert differences(reviewed, changes, live(case.now), Dialect()) == case.differs


def test_what_is_done_to_a_set_is_compared_too():
    changes = changes_of("", W1)
    text = plan_text(ZONE, changes).replace('"action": "create"', '"action": "extend"')
    message = f"{WWW} would be created, but extended in the plan"
    assert differences(reviewed_plan(ZONE, text), changes, {}, Dialect()) == [message]


@pytest.mark.parametrize(
    "now, agrees",
    [
        ("300 A 1 2", True),
        ("300 A 1 2 3 4", True),
        ("300 A 1 2 9", False),
        ("300 A 1 3", False),
        ("60 A 1 2 3", False),
    ],
)
def test_what_the_run_after_one_that_was_cut_short_may_have_added(now, agrees):
    """A set that is to be rebuilt, and that got values of its new ones under its old TTL."""
    reviewed = reviewed_of("www 300 A 1 2", "www 60 A 3 4")
    changes = changes_of(f"www {now}", "www 60 A 3 4")
    assert (differences(reviewed, changes, live(f"www {now}"), Dialect()) == []) is agrees


def test_a_plan_that_was_carried_out_is_good_only_where_it_stands():
    changes, reviewed = changes_of(W1, W2), reviewed_of(W1, W2)
    when = 999_910.0
    refuse_unreviewed(reviewed, "in a file", live(W2), (), Dialect(), carried_out=when)
    with pytest.raises(PlanRefused) as refused:
        refuse_unreviewed(reviewed, "in a file", live(W1), changes, Dialect(), carried_out=when)
    assert str(refused.value).startswith(
        f"the reviewed plan in a file was carried out on 1970-01-12 at 13:45 UTC: {WWW} would be rebuilt again;"
    )


@pytest.mark.parametrize("ttls, differs", [({}, True), ({WWW_A: (60, 300)}, False)])
def test_a_ttl_that_was_reviewed_and_is_no_longer_sent(ttls, differs):
    """As a service keeps a TTL of its own, it may be that nothing is left to do; else the task has changed."""
    reviewed = reviewed_of(W1, "www 60 A 192.0.2.1")
    found = differences(reviewed, (), live(W1), Dialect(ttls=ttls))
    holds = (
        f"{WWW} holds {ONE} and would not change, but should hold 192.0.2.1 (TTL 60) in the plan"
    )
    assert found == ([holds] if differs else [])


def test_the_text_is_the_same_for_the_same_changes():
    one = changes_of(W12, "www 60 A 192.0.2.2 192.0.2.1\na 60 A 192.0.2.1")
    other = changes_of(
        "www 300 A 192.0.2.2 192.0.2.1", "a 60 A 192.0.2.1\nwww 60 A 192.0.2.1 192.0.2.2"
    )
    text = plan_text(ZONE, one)
    assert text == plan_text(ZONE, other)
    assert text.startswith('{\n  "format": 1,\n')
    assert text.endswith("  ]\n}\n")


def test_what_people_review_shows_what_there_is():
    shown = RecordSet("www.example.com.", "X-OPAQUE", 300, ("\u202egnp.exe", "\x1b[2J"))
    changes = plan(ZONE, {shown.key: shown}, [Desired(*shown.key)]).changes
    text = plan_text(ZONE, changes)
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert differences(reviewed_plan(ZONE, text), changes, {}, Dialect()) == []


NO_PLAN = "it is not a plan as check mode writes it"
GOOD = {"format": 1, "zone": "example.com", "changes": []}
ROW = {"name": "www.example.com.", "type": "A", "action": "create", "before": None}
ROW |= {"after": {"ttl": 300, "contents": ["192.0.2.1"]}}


@pytest.mark.parametrize("sets, end", [(1, "created"), (SHOWN_CLAUSES + 1, "created; and 1 more")])
def test_what_differs_in_one_sentence(sets, end):
    changes = [change(f"a{number}", "A", "", "300 192.0.2.1") for number in range(sets)]
    with pytest.raises(PlanRefused) as refused:
        refuse_unreviewed(NOTHING, "in a file", {}, changes, Dialect())
    message = str(refused.value)
    assert message.startswith(
        "there is no reviewed plan in a file: a0.example.com. A would be created; "
    )
    assert message.endswith(
        f" would be {end}; plan with --check and the same state_dir or state_url, and review that"
    )


WITH = {"ttl": 2**31 - 1, "contents": ["x"]}


def no_row(**wrong):
    """A plan of one change that has something wrong."""
    return {**GOOD, "changes": [{**ROW, **wrong}]}


@pytest.mark.parametrize(
    "plan, reason",
    [
        ("", NO_PLAN),
        ("[]", NO_PLAN),
        ("{}", NO_PLAN),
        ("[" * 100_000, NO_PLAN),
        ({**GOOD, "format": 2}, "its format is 2, but this version reads 1"),
        ({**GOOD, "zone": "example.org"}, "it is for the zone example.org"),
        ({**GOOD, "changes": [ROW, ROW]}, NO_PLAN),
        (no_row(name=1), NO_PLAN),
        (no_row(action="destroy"), NO_PLAN),
        (no_row(after={**WITH, "ttl": True}), NO_PLAN),
        (no_row(after={**WITH, "ttl": 2**31}), NO_PLAN),
        (no_row(after={**WITH, "contents": []}), NO_PLAN),
        (no_row(after={**WITH, "contents": [1]}), NO_PLAN),
        *(({**GOOD, "again": value}, NO_PLAN) for value in (-1, 1.0, None)),
    ],
)
def test_a_file_that_is_no_plan(plan, reason):
    with pytest.raises(UnusablePlan, match=reason):
        reviewed_plan(ZONE, plan if isinstance(plan, str) else json.dumps(plan))
    assert reviewed_plan(ZONE, json.dumps(no_row(after=WITH))).changes


def test_a_plan_is_known_by_what_it_changes_and_how_often_that_was_done():
    """However it is spelled, and in whatever order."""
    changes = changes_of("a 60 A 1 2\nb 60 A 1", "a 60 A 2 3\nb 60 A 4")
    text = plan_text(ZONE, changes)
    digest = reviewed_plan(ZONE, text).digest
    turned = json.loads(text)
    turned["changes"].reverse()
    turned["changes"][1]["after"]["contents"].reverse()
    assert reviewed_plan(ZONE, json.dumps(turned)).digest == digest
    again = plan_text(ZONE, changes, lambda known: known == digest)
    assert json.loads(again) == {**json.loads(text), "again": 1}
    known = {digest, reviewed_plan(ZONE, again).digest}
    assert json.loads(plan_text(ZONE, changes, known.__contains__))["again"] == len(known) == 2
    assert plan_text(ZONE, [], lambda _digest: True) == NOTHING.digest == ""
    first, second = turned["changes"]
    for field, other in (("name", "c"), ("type", "AAAA"), ("action", "create"), ("before", None)):
        of_another = {**turned, "changes": [{**first, field: other}, second]}
        assert reviewed_plan(ZONE, json.dumps(of_another)).digest not in known


# Real runs

ANY_SETS = st.dictionaries(
    st.sampled_from(["a", "b", "c"]),
    st.tuples(
        st.sampled_from([60, 300]),
        st.sets(st.sampled_from(["192.0.2.1", "192.0.2.2", "192.0.2.3"]), max_size=2),
    ),
)


def entries(sets):
    """What a task wants, by the name of a set of addresses."""
    entries = []
    for name, (ttl, values) in sets.items():
        rest = {"ttl": ttl, "content": sorted(values)} if values else {"state": "absent"}
        entries.append({"name": name, "type": "A", **rest})
    return entries


def lines(sets):
    """What a zone holds."""
    return sorted(
        f"{name} {ttl} A {value}" for name, (ttl, values) in sets.items() for value in values
    )


@settings(
    max_examples=some(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(before=ANY_SETS, task=ANY_SETS, now=st.one_of(st.none(), ANY_SETS), prune=st.booleans())
def test_what_is_written_is_what_was_reviewed(zone, run, tmp_path, before, task, now, prune):
    """Given a zone, a task, and what others make of the zone between check and run: all of the plan, or nothing."""
    options = {"zone": "example.com", "records": entries(task), "prune": prune, "prune_limit": 100}
    options["plan_dir"] = str(tmp_path / "plans")
    zone.holds("\n".join(lines(before)))
    predicted = run("dns_records", check=True, **options)
    file = tmp_path / "plans" / "example.com.json"
    assert file.exists() == predicted["changed"]
    there = before if now is None else now
    zone.holds("\n".join(lines(there)))
    calls = len(zone.calls())
    done = run("dns_records", **options)
    wrote = [call for call in zone.calls()[calls:] if call != "GET"]
    if done.get("failed"):
        assert now is not None
        assert "reviewed plan" in done["msg"]
        assert not wrote
        return
    assert bool(wrote) == done["changed"]
    after = dict(there)
    for planned in predicted["changes"]:
        side = planned["after"] or {"ttl": 0, "contents": []}
        after[planned["name"].removesuffix(f".{ZONE}")] = (side["ttl"], side["contents"])
    assert zone.lines() == lines(after)


OF_BOTH = [
    {"zone": name, "records": [{"name": "a", "type": "A", "content": "192.0.2.1"}]}
    for name in ("example.com", "example.org")
]


def test_no_zone_is_written_where_one_is_not_as_reviewed(service, zone, run, tmp_path):
    service.zone("example.org", [])
    options = {"zones": OF_BOTH, "plan_dir": str(tmp_path)}
    assert run("dns_zones", check=True, **options)["changed"]
    zone.holds("a 60 A 192.0.2.9")
    service.clear_log()
    result = run("dns_zones", **options)
    assert result["msg"].startswith(
        "1 of 2 zones cannot be planned, and nothing was changed. Zone example.com: the changes"
    )
    assert {call["method"] for call in service.log()} == {"GET"}


@pytest.mark.parametrize(
    "wrong, left",
    [
        ({"zone": "example.net", "records": []}, ["example.org.json"]),  # the account has none
        ({"zone": "example.org", "records": [{"name": "a", "type": "A", "content": "x"}]}, []),
        ({"zone": "example.com", "records": []}, ["example.org.json"]),  # twice
    ],
)
def test_a_check_run_that_fails_leaves_no_plan_of_an_earlier_one(
    service, run, tmp_path, wrong, left
):
    service.zone("example.org", [])
    plans = {"check": True, "plan_dir": str(tmp_path / "plans")}
    assert run("dns_zones", zones=OF_BOTH, **plans)["changed"]
    (tmp_path / "plans" / "other.example.json").write_text("of another task")
    assert run("dns_zones", zones=[OF_BOTH[0], wrong], **plans)["failed"]
    names = sorted(file.name for file in (tmp_path / "plans").iterdir())
    assert names == [*left, "other.example.json"]
