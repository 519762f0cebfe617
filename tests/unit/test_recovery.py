# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is believed of a journal, and what a reading then says was left undone. test_heal.py says what comes of it."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from shorthand import a_set, change, ends, held, short

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL, Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import InvalidEntry
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._state import leftover
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write import checked_entry as checked
from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import UnusableEntry, checked_entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import (
    Unfinished,
    before_with_others,
    found_as_wanted,
    incomplete,
    is_judged_too_early,
    unfinished,
    with_leftover,
    without_given_up,
)

NOW = 1_700_000_000.0
WWW = Key("www.example.com.", "A")
OLD, NEW = "300 192.0.2.1 192.0.2.2", "60 192.0.2.3 192.0.2.4"


@pytest.fixture
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it be NOW."""
    for module in (checked, leftover):
        monkeypatch.setattr(module, "machine", lambda: SimpleNamespace(time=lambda: NOW))


def entry(before: str, after: str, key: Key = WWW, age: float = 0.0) -> Entry:
    """A leftover entry for sets written like ``300 192.0.2.1``; *age* is in seconds."""
    return Entry(key, a_set(key, before), a_set(key, after), NOW - age)


def side(key: Key = WWW, ttl: Any = 300, contents: Any = ("192.0.2.1",)) -> dict[str, Any]:
    """One side of an entry as it stands in a journal."""
    return {"name": key.name, "type": key.type, "ttl": ttl, "contents": [*contents] if contents else contents}


def written(key: Any = WWW, before: Any = None, after: Any = None, **fields: Any) -> dict[str, Any]:
    """An entry as it stands in a journal."""
    return {"key": [*key], "before": before, "after": after, **fields}


CNAME = Key("www.example.com.", "CNAME")


# What is checked_entry


LONG, TOO_LONG = Key("www.example.com.", "A" * 1024), Key("www.example.com.", "A" * 1025)
APEX, SOA, OUTSIDE = Key("example.com.", "NS"), Key("www.example.com.", "SOA"), Key("www.example.org.", "A")
HALF, LOWER = Key("www\ud800.example.com.", "A"), Key("WWW.example.com.", "A\x1b")

NOT_BELIEVED = [
    ({}, "it is no entry"),
    (written(key=("www.example.com.",), after=side()), "it is no entry"),
    (written(key=("www.example.com.", 1), after=side()), "it is no entry"),
    (written(key=(1, "A"), after=side()), "it is no entry"),
    (written(key=("www\x1b", "A")), r"www\x1b A: it tells of no set"),
    (written(after=[]), "www.example.com. A: one side of it is another set"),
    (written(after=side(APEX)), "www.example.com. A: one side of it is another set"),
    (written(before=side(), after=side(APEX)), "www.example.com. A: one side of it is another set"),
    *(
        (written(before=side(ttl=ttl)), "www.example.com. A: its TTL is no whole number of 0 to 2147483647 seconds")
        for ttl in (None, "300", True, 1.0, -1, MAX_TTL + 1)
    ),
    (written(before=side(contents="")), "www.example.com. A: its values are no list of texts"),
    (written(before=side(contents=[1])), "www.example.com. A: its values are no list of texts"),
    (written(before=side(contents=["192.0.2.1"] * 6001)), "www.example.com. A: it has more than 6000 values"),
    (
        written(TOO_LONG, side(TOO_LONG)),
        f"www.example.com. {'A' * 283}...: it has a name or type of more than 1024 characters",
    ),
    (written(HALF, side(HALF)), r"www\ud800.example.com. A: it has half a character in it"),
    (written(LOWER, side(LOWER)), r"WWW.example.com. A\x1b: a run would write it as www.example.com. A\x1b"),
    (written(OUTSIDE, side(OUTSIDE)), "www.example.org. A: its name is not inside the zone example.com."),
    (written(APEX, side(APEX)), "example.com. NS: NS at the apex belongs to the service and is never written"),
    (written(SOA, side(SOA)), "www.example.com. SOA: SOA belongs to the service and is never written"),
]


@pytest.mark.parametrize(("one", "said"), NOT_BELIEVED)
def test_an_entry_that_is_not_believed_says_why(one: Any, said: str) -> None:
    with pytest.raises(UnusableEntry, match=f"^{re.escape(said)}$"):
        checked_entry("example.com.", one)


@pytest.mark.parametrize(
    ("rdtype", "contents", "said"),
    [
        ("A", [], "content is required, and cannot be empty, when state is present"),
        ("A", ["nowhere"], "'nowhere' is not a value of type A, "),
        ("MX", ["mail.example.net."], "an MX value needs a preference: "),
    ],
)
@pytest.mark.parametrize("before", ["192.0.2.1", None])
def test_what_no_task_can_want_is_not_believed(rdtype: str, contents: list[str], said: str, before: str | None) -> None:
    key = Key("www.example.com.", rdtype)
    was = before and side(key, contents=[f"10 {before}." if rdtype == "MX" else before])
    with pytest.raises(InvalidEntry, match=f"^www.example.com. {rdtype}: {said}"):
        checked_entry("example.com.", written(key, was, {**side(key), "contents": contents}))


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(written(before=side(ttl=0)), id="the least TTL"),
        pytest.param(written(before=side(ttl=1)), id="the least TTL but one"),
        pytest.param(written(before=side(ttl=MAX_TTL)), id="the highest TTL"),
        pytest.param(written(LONG, side(LONG)), id="the longest type"),
        pytest.param(written(before=side(contents=["192.0.2.1"] * 6000)), id="as many values as an answer can have"),
        pytest.param(written(before=side(contents=["nowhere"])), id="a value that the service shows"),
        pytest.param(
            written(CNAME, after=side(CNAME, contents=["http://a.example.net."])), id="a host that no task may name"
        ),
        pytest.param(written(before=side(), after=side()), id="as before, after a roll-back"),
        pytest.param(
            written(before=side(contents=["nowhere"]), after=side(contents=["nowhere", "192.0.2.2"])),
            id="beside an odd value that was there",
        ),
        pytest.param(
            written(before=side(contents=["nowhere"]), after=side(ttl=60, contents=["nowhere"])),
            id="an odd value that was there, with another TTL",
        ),
    ],
)
def test_an_entry_that_a_run_can_have_written_is_believed(one: Any) -> None:
    found = checked_entry("example.com.", one)
    assert list(found.key) == one["key"]
    for held_set, was in ((found.before, one["before"]), (found.after, one["after"])):
        assert (held_set and (held_set.ttl, set(held_set.values))) == (was and (was["ttl"], set(was["contents"])))


@pytest.mark.usefixtures("_now")
@pytest.mark.parametrize(
    ("at", "read"),
    [
        (NOW - 0.5, NOW - 0.5),
        (NOW + 86400, NOW),
        (NOW + 86400.5, 0.0),
        (0.5, 0.5),
        (0, 0.0),
        (-0.5, 0.0),
        (True, 0.0),
        ("1", 0.0),
    ],
)
def test_when_an_entry_was_written(at: Any, read: float) -> None:
    """A clock may have been set back by a day since."""
    assert checked_entry("example.com.", written(before=side(), at=at)).at == read
    assert checked_entry("example.com.", written(before=side())).at == 0.0


# What is left undone


ALIAS = entry("300 old.example.net.", "", Key("www.example.com.", "CNAME"))
ADDRESSES = entry("", NEW)


@pytest.mark.parametrize(
    ("read", "impossible"),
    [
        pytest.param(["www 300 CNAME new.example.net."], [ALIAS, ADDRESSES], id="the alias has another target"),
        pytest.param(
            ["www 300 CNAME new.example.net.", "www 300 AAAA 2001:db8::1"],
            [ALIAS, ADDRESSES],
            id="another set is there too",
        ),
    ],
)
def test_what_no_addition_leads_to(read: list[str], impossible: list[Entry]) -> None:
    left = unfinished(held(*read), [ADDRESSES, ALIAS])
    assert left.changes == ()
    assert sorted(left.impossible, key=lambda one: one.key) == sorted(impossible, key=lambda one: one.key)
    assert (left.as_before, left.overwritten_by_others) == ((), ())


def test_the_sets_of_a_name_are_judged_together_wherever_they_stand() -> None:
    ftp = entry(OLD, NEW, Key("ftp.example.com.", "A"))
    left = unfinished(held("www 300 CNAME new.example.net.", "ftp 60 A 192.0.2.3 192.0.2.4"), [ALIAS, ftp, ADDRESSES])
    assert left == Unfinished(impossible=(ADDRESSES, ALIAS))


def test_an_alias_of_somebody_else_in_the_place_of_one_set_is_let_be() -> None:
    addresses = entry(OLD, NEW)
    left = unfinished(held("www 300 CNAME new.example.net."), [addresses])
    assert left == Unfinished(impossible=(addresses,))


def test_where_the_new_is_impossible_the_old_comes_back() -> None:
    """Of an alias in place of addresses, one of the addresses is still there."""
    addresses, alias = entry(OLD, ""), entry("", "300 new.example.net.", Key("www.example.com.", "CNAME"))
    left = unfinished(held("www 300 A 192.0.2.1"), [addresses, alias])
    assert ends(left.changes) == ["www A 300 192.0.2.1 192.0.2.2"]
    assert left.impossible == ()


def test_each_name_is_judged_by_itself() -> None:
    ftp, ns1 = Key("ftp.example.com.", "A"), Key("ns1.example.com.", "A")
    entries = [entry(OLD, NEW), entry(OLD, NEW, ftp), entry(OLD, NEW, ns1)]
    left = unfinished(held("ftp 300 A 192.0.2.1 192.0.2.2", "ns1 300 A 192.0.2.9"), entries)
    assert ends(left.changes) == ["www A 60 192.0.2.3 192.0.2.4"]
    assert short(one.key for one in left.as_before) == ["ftp A"]
    assert short(one.key for one in left.overwritten_by_others) == ["ns1 A"]


REPAIRS = [
    # age, what is read -> whether others have given the set values of their own
    (600.0, "192.0.2.3 192.0.2.9", False),
    (600.5, "192.0.2.3 192.0.2.9", True),
    (600.5, "192.0.2.3", False),
    (600.5, "192.0.2.1 192.0.2.3", False),
    (0.0, "192.0.2.9", True),
    (0.0, "192.0.2.1 192.0.2.9", True),
]


@pytest.mark.usefixtures("_now")
@pytest.mark.parametrize(("age", "read", "is_overwritten"), REPAIRS)
def test_when_a_set_counts_as_overwritten(age: float, read: str, is_overwritten: bool) -> None:
    one = entry(OLD, NEW, age=age)
    assert unfinished(held(f"www 60 A {read}"), [one]).overwritten_by_others == ((one,) if is_overwritten else ())


@pytest.mark.parametrize(
    ("read", "creates"),
    [
        pytest.param("new.example.net. theirs.example.net.", ["20 second.example.net."], id="one is there"),
        pytest.param("new.example.net.", ["20 second.example.net."], id="one is there, and nothing else"),
        pytest.param("old.example.net. theirs.example.net.", None, id="none is there"),
    ],
)
def test_mail_hosts_that_are_shown_without_preference_are_completed(read: str, creates: list[str] | None) -> None:
    key = Key("www.example.com.", "MX")
    old, new = ("10 old.example.net.",), ("10 new.example.net.", "20 second.example.net.")
    left = unfinished(
        held(f"www 60 MX {read}"), [Entry(key, RecordSet(*key, 300, old), RecordSet(*key, 60, new), time.time())]
    )
    assert [[*change.creates] for change in left.changes] == ([creates] if creates else [])
    assert bool(left.overwritten_by_others) is (creates is None)


@pytest.mark.parametrize(
    ("rdtype", "read", "is_overwritten"),
    [
        ("TXT", r'"\"a; b\""', False),
        ("TXT", '"a"', False),
        ("TXT", '"other"', True),
        ("HINFO", '"a"', True),
    ],
)
def test_what_the_service_makes_of_a_text_is_no_repair(rdtype: str, read: str, is_overwritten: bool) -> None:
    key = Key("www.example.com.", rdtype)
    one = Entry(key, RecordSet(*key, 300, ('"old"',)), RecordSet(*key, 300, ('"a; b"',)), NOW)
    live = held()
    live.record_sets[key] = RecordSet(*key, 300, (read,))
    assert bool(unfinished(live, [one]).overwritten_by_others) is is_overwritten


@pytest.mark.usefixtures("_now")
@pytest.mark.parametrize(("age", "too_early"), [(0, True), (199.5, True), (200, False)])
def test_for_how_long_a_name_is_judged_too_early(age: float, too_early: bool) -> None:
    assert is_judged_too_early(held("www 300 A 192.0.2.1 192.0.2.2"), [entry(OLD, NEW, age=age)], 200) is too_early


@pytest.mark.usefixtures("_now")
@pytest.mark.parametrize("is_made_anew", [False, True])
def test_a_set_that_is_made_anew_for_its_ttls_is_judged_too_early_as_any(is_made_anew: bool) -> None:
    one = replace(entry(OLD, OLD), is_made_anew=is_made_anew)
    assert is_judged_too_early(held("www 300 A 192.0.2.1 192.0.2.2"), [one], 200) is is_made_anew
    assert one.is_taken_late is not is_made_anew


@pytest.mark.parametrize(
    ("before", "after", "read", "led_back_to"),
    [
        pytest.param(OLD, NEW, "", OLD, id="gone"),
        pytest.param(OLD, NEW, "60 192.0.2.3", OLD, id="half made"),
        pytest.param(OLD, NEW, "60 192.0.2.3 192.0.2.9", f"{OLD} 192.0.2.9", id="others have added to it"),
        pytest.param(OLD, "", "300 192.0.2.9", f"{OLD} 192.0.2.9", id="removed, and others have made it anew"),
        pytest.param("", NEW, "60 192.0.2.3 192.0.2.9", "60 192.0.2.9", id="new, and others have added to it"),
        pytest.param("", NEW, "60 192.0.2.3", "", id="new"),
    ],
)
def test_what_a_roll_back_leads_to(before: str, after: str, read: str, led_back_to: str) -> None:
    assert before_with_others(entry(before, after), a_set(WWW, read)) == a_set(WWW, led_back_to)


def test_a_mail_host_without_its_preference_lacks_nothing() -> None:
    key = Key("www.example.com.", "MX")
    sides = (RecordSet(*key, 300, ("10 old.example.net.",)), RecordSet(*key, 300, ("10 new.example.net.",)))
    assert incomplete([Entry(key, *sides)], held("www 300 MX new.example.net.")) == []
    assert incomplete([Entry(key, *sides)], held("www 300 MX other.example.net.")) == [Entry(key, *sides)]


# What goes on to the next run

KEPT = "60 192.0.2.1 192.0.2.2 192.0.2.3"
ADDS = ("60 192.0.2.2 192.0.2.3", "60 192.0.2.2 192.0.2.3 192.0.2.4")
MISSING = "60 192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4"


def other_values(*last: int) -> tuple[str, ...]:
    """Addresses by their last number."""
    return tuple(f"192.0.2.{number}" for number in last)


@pytest.mark.parametrize(
    ("wanted", "read", "to_hold"),
    [
        # what a task says of a set that is as before an interrupted run, and what is read -> what it is to hold
        pytest.param({"values": other_values(1, 2)}, OLD, OLD, id="says what the set holds"),
        pytest.param({"values": other_values(1), "keeps_others": True}, OLD, "300 192.0.2.1", id="wants one"),
        pytest.param({"keeps_others": True, "unwanted": other_values(9)}, OLD, None, id="wants none"),
        pytest.param(None, OLD, None, id="says nothing"),
        pytest.param({"values": other_values(3)}, "60 192.0.2.3", None, id="it is not as before"),
    ],
)
def test_what_a_set_is_to_hold_that_a_task_finds_as_it_wants_it(
    wanted: dict[str, Any] | None, read: str, to_hold: str | None
) -> None:
    stays = [] if wanted is None else [Wanted(*WWW, **wanted)]
    live = held(f"www {read.replace(' ', ' A ', 1)}")
    found = found_as_wanted([entry(OLD, NEW)], live, stays)
    assert found == ({} if to_hold is None else {WWW: a_set(WWW, to_hold)})


def test_a_value_that_a_task_finds_absent_is_not_what_an_interrupted_run_is_completed_to() -> None:
    stays = [Wanted(*WWW, keeps_others=True, unwanted=other_values(4))]
    found = found_as_wanted([entry(OLD, "300 192.0.2.1 192.0.2.4")], held("www 300 A 192.0.2.1 192.0.2.2"), stays)
    assert found == {WWW: a_set(WWW, "300 192.0.2.1")}


@pytest.mark.parametrize(
    ("change_of", "wanted", "read", "goes_on"),
    [
        # the change, what its task says, and what is read after it -> both sides of the entry that goes on
        pytest.param(None, {}, "60 192.0.2.2 192.0.2.3", (OLD, KEPT), id="no change"),
        pytest.param(None, {}, KEPT, (OLD, KEPT), id="no change, and nothing is missing"),
        pytest.param(ADDS, {"keeps_others": True}, ADDS[1], (OLD, KEPT), id="adds one"),
        pytest.param(ADDS, {"keeps_others": True}, MISSING, None, id="adds one, and nothing is missing"),
        pytest.param(ADDS, {}, ADDS[1], None, id="says what the set holds"),
        pytest.param(("", ADDS[1]), {}, "", (OLD, ADDS[1]), id="says what the set holds, and that is not there yet"),
        pytest.param((OLD, ""), {}, "", None, id="says that it is to go"),
        pytest.param((ADDS[0], ""), {"keeps_others": True}, "", None, id="takes all out"),
        pytest.param(
            (ADDS[0], "60 192.0.2.3"),
            {"keeps_others": True, "unwanted": other_values(2)},
            "60 192.0.2.3",
            ("300 192.0.2.1", "60 192.0.2.1 192.0.2.3"),
            id="takes one out",
        ),
        pytest.param(
            (ADDS[0], "60 192.0.2.3"),
            {"keeps_others": True, "unwanted": other_values(1, 2)},
            "60 192.0.2.3",
            None,
            id="takes out what is missing",
        ),
    ],
)
def test_what_no_change_has_dealt_with_goes_on(
    change_of: tuple[str, str] | None, wanted: dict[str, Any], read: str, goes_on: tuple[str, str] | None
) -> None:
    live = held(f"www {read.replace(' ', ' A ', 1)}") if read else held()
    changes = [change("www", "A", *change_of, **wanted)] if change_of else []
    assert with_leftover([], [entry(OLD, KEPT)], changes, live) == ([entry(*goes_on)] if goes_on else [])


@pytest.mark.parametrize(
    ("own", "both"),
    [
        pytest.param(ADDS, (f"{KEPT.replace('.1 192.0.2.2', '.2')} 192.0.2.1", f"{ADDS[1]} 192.0.2.1"), id="both"),
        pytest.param(("", ADDS[1]), (OLD, f"{ADDS[1]} 192.0.2.1"), id="a set that was gone"),
        pytest.param((ADDS[0], ""), (ADDS[0], ""), id="a set that goes"),
    ],
)
def test_what_goes_on_is_beside_what_is_the_runs_own(own: tuple[str, str], both: tuple[str, str]) -> None:
    live, adds = held("www 60 A 192.0.2.2 192.0.2.3"), change("www", "A", *ADDS, keeps_others=True)
    own_ftp, left_ftp = (entry(*sides, key=Key("ftp.example.com.", "A")) for sides in (ADDS, (OLD, KEPT)))
    found = with_leftover([entry(*own), own_ftp], [entry(OLD, KEPT), left_ftp], [adds], live)
    assert found == [entry(*both), own_ftp], "and of a set that no change is about its own stays as it is"


@pytest.mark.parametrize(
    ("given_up", "rest"), [((), ["192.0.2.1", "192.0.2.2"]), ((1,), ["192.0.2.2"]), ((1, 2), None)]
)
def test_what_an_owner_gives_up_is_not_created_again(given_up: tuple[int, ...], rest: list[str] | None) -> None:
    """An entry without values would tell of nothing, and the next run takes such a journal for damaged."""
    values = frozenset(f"192.0.2.{last}" for last in given_up)
    step: Any = SimpleNamespace(given_up=lambda _key: values)
    left = without_given_up([entry("300 192.0.2.1 192.0.2.2", "60 192.0.2.1")], step)
    assert [[*one.before.values] for one in left if one.before] == ([rest] if rest else [])
    assert len(left) == bool(rest)
