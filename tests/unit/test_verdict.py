# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a reading after the writing says of a plan: read again, write again, or live with it."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import misread_texts
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.prune import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._run.verdict import Verdict
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone

ZONE = "example.com."
A, TXT = Key("www.example.com.", "A"), Key("www.example.com.", "TXT")
ONE, TWO, THREE, NINE = (f"192.0.2.{n}" for n in (1, 2, 3, 9))
DKIM = '"v=DKIM1; k=rsa"'
PARSED, QUOTES_KEPT = '"v=DKIM1"', r'"\"v=DKIM1; k=rsa\""'


def sets(key: Key, text: str) -> LiveSets:
    """The zone with one set written like ``300|192.0.2.1|192.0.2.2``; nothing is no set."""
    ttl, *values = text.split("|")
    return {key: RecordSet(*key, int(ttl), tuple(values))} if ttl else {}


def zone(*live: LiveSets) -> LiveZone:
    """A reading."""
    return LiveZone(ZONE, "examplecom", {key: held for one in live for key, held in one.items()})


def verdict_of(before: LiveSets, *wanted: Wanted, limits: Limits = UNLIMITED) -> Verdict:
    """The verdict on a plan made from this."""
    return Verdict(plan(ZONE, before, wanted, limits).changes)


def a(*values: str, key: Key = A, **fields: Any) -> Wanted:
    """What a task wants of www."""
    return Wanted(*key, values, **fields)


EXTEND = a(THREE, keeps_others=True)
REPLACE = a(THREE)
TTL = a(ONE, ttl=60, keeps_others=True)
ABSENT_ONE = Wanted(*A, unwanted=(ONE,), keeps_others=True)
GONE = a()

READINGS = [
    # before, wanted, and what is read -> whether no later reading shows more, and what is to be written then
    pytest.param("", EXTEND, f"3600|{THREE}", True, [], id="create: shown"),
    pytest.param("", EXTEND, "", False, ["create"], id="create: not shown"),
    pytest.param("", EXTEND, f"3600|{NINE}", False, ["extend"], id="create: others were faster"),
    pytest.param("", a(ONE, TWO), f"3600|{ONE}", False, ["extend"], id="create: half shown"),
    pytest.param("", a(ONE, TWO), f"3600|{TWO}|{ONE}", True, [], id="create: in another order"),
    pytest.param(f"300|{ONE}", EXTEND, f"300|{ONE}|{THREE}", True, [], id="extend: shown"),
    pytest.param(f"300|{ONE}", EXTEND, f"300|{ONE}", False, ["extend"], id="extend: not shown"),
    pytest.param(f"300|{ONE}", EXTEND, f"300|{ONE}|{THREE}|{NINE}", True, [], id="extend: others added"),
    pytest.param(f"300|{ONE}", EXTEND, f"300|{THREE}", True, [], id="extend: others took the old value"),
    pytest.param(f"300|{ONE}", EXTEND, "", False, ["create"], id="extend: others deleted it"),
    pytest.param(f"300|{ONE}", REPLACE, f"300|{THREE}", True, [], id="replace: shown"),
    pytest.param(f"300|{ONE}", REPLACE, f"300|{ONE}", False, ["rebuild"], id="replace: not shown"),
    pytest.param(f"300|{ONE}", REPLACE, "", False, ["create"], id="replace: half shown"),
    pytest.param(f"300|{ONE}", REPLACE, f"300|{ONE}|{THREE}", False, ["rebuild"], id="replace: nothing went"),
    pytest.param(f"300|{ONE}|{TWO}", TTL, f"60|{ONE}|{TWO}", True, [], id="TTL: shown"),
    pytest.param(
        f"300|{ONE}|{TWO}", TTL, f"60|{ONE}", False, ["extend"], id="TTL: half shown, what was kept is missing"
    ),
    pytest.param(f"300|{ONE}|{TWO}", TTL, "", False, ["create"], id="TTL: shown as deleted"),
    pytest.param(f"300|{ONE}|{TWO}", ABSENT_ONE, f"300|{TWO}", True, [], id="absent one: shown"),
    pytest.param(f"300|{ONE}|{TWO}", ABSENT_ONE, f"300|{ONE}|{TWO}", False, ["rebuild"], id="absent one: not shown"),
    pytest.param(f"300|{ONE}|{TWO}", ABSENT_ONE, "", False, ["create"], id="absent one: shown as deleted"),
    pytest.param(f"300|{ONE}|{TWO}", GONE, "", True, [], id="absent: shown"),
    pytest.param(f"300|{ONE}|{TWO}", GONE, f"300|{ONE}|{TWO}", False, ["delete"], id="absent: not shown"),
]


@pytest.mark.parametrize(("before", "wanted", "read", "is_final", "actions"), READINGS)
def test_a_reading(before: str, wanted: Wanted, read: str, is_final: bool, actions: list[str]) -> None:
    verdict, live = verdict_of(sets(A, before), wanted), zone(sets(A, read))
    assert verdict.is_final(live) is is_final
    assert [change.action for change in verdict.settle(live)] == actions
    assert (verdict.kept_ttls, verdict.returned, verdict.misread) == ({}, [], {})


def test_what_a_rebuild_only_kept_is_wanted_until_it_is_there() -> None:
    verdict = verdict_of(sets(A, f"300|{ONE}|{TWO}"), TTL)
    (change,) = verdict.settle(zone())
    assert change.after == RecordSet(*A, 60, (ONE, TWO))
    assert change.wanted.values == (ONE, TWO)


# TTLs


@pytest.mark.parametrize(
    ("before", "wanted", "read", "is_final", "kept"),
    [
        pytest.param("", a(ONE, ttl=60), f"900|{ONE}", True, (60, 900), id="new"),
        pytest.param("", a(ONE, default_ttl=60), f"900|{ONE}", True, None, id="new, with a default"),
        pytest.param(f"300|{ONE}", a(ONE, ttl=60), f"900|{ONE}", True, (60, 900), id="raised"),
        pytest.param(f"300|{ONE}", a(ONE, ttl=60), f"300|{ONE}", False, (60, 300), id="as before: it may be late"),
        pytest.param(f"300|{ONE}", a(ONE, TWO, ttl=60), f"900|{ONE}", False, (60, 900), id="and a value is missing"),
    ],
)
def test_a_ttl_that_is_not_kept(
    before: str, wanted: Wanted, read: str, is_final: bool, kept: tuple[int, int] | None
) -> None:
    verdict, live = verdict_of(sets(A, before), wanted), zone(sets(A, read))
    assert verdict.is_final(live) is is_final
    left = verdict.settle(live)
    assert [change.after for change in left] == ([RecordSet(*A, 900, (ONE, TWO))] if TWO in wanted.values else [])
    assert verdict.kept_ttls == ({A: kept} if kept else {})
    done = zone(sets(A, "|".join([read.split("|")[0], *wanted.values])))
    assert verdict.is_final(done), "what the service keeps is what is wanted from then on"
    assert verdict.settle(done) == ()


# Pruning


def test_a_pruned_set_that_is_there_again_is_let_be() -> None:
    live = sets(A, f"300|{ONE}") | sets(TXT, '300|"parked"')
    verdict = verdict_of(live, a(ONE), limits=Limits(prune=True))
    assert not verdict.is_final(zone(live)), "it may be shown late"
    assert verdict.settle(zone(live)) == ()
    assert verdict.returned == [TXT]
    assert verdict.is_final(zone(live)), "nobody asks for it any more"
    assert verdict.settle(zone(live)) == ()
    assert verdict.returned == [TXT], "it is told once"


def test_what_a_task_wants_gone_is_not_let_be() -> None:
    live = sets(TXT, '300|"parked"')
    verdict = verdict_of(live, a(key=TXT))
    assert [change.key for change in verdict.settle(zone(live))] == [TXT]
    assert verdict.returned == []


def test_what_is_forgone_is_not_asked_for() -> None:
    live = sets(A, f"300|{ONE}") | sets(TXT, '300|"parked"')
    verdict = verdict_of(live, REPLACE, limits=Limits(prune=True))
    verdict.forgo([TXT, Key("not.planned.", "A")])
    assert [change.key for change in verdict.settle(zone(live))] == [A]
    verdict.forgo([A])
    assert verdict.is_final(zone(live))
    assert verdict.settle(zone(live)) == ()
    assert verdict.returned == []


# Texts


@pytest.mark.parametrize("wrong", [PARSED, QUOTES_KEPT])
@pytest.mark.parametrize(
    ("before", "wanted", "action"),
    [
        ("", a(DKIM, key=TXT, keeps_others=True), "rebuild"),
        ('300|"old"', a(DKIM, key=TXT, keeps_others=True), "rebuild"),
        ('300|"old"', a(DKIM, key=TXT), "rebuild"),
        ('300|"old"', a(DKIM, key=TXT, keeps_others=True, ttl=60), "rebuild"),
    ],
)
def test_a_text_that_is_misread(before: str, wanted: Wanted, action: str, wrong: str) -> None:
    verdict = verdict_of(sets(TXT, before), wanted)
    kept = ['"old"'] if before and wanted.keeps_others else []
    ttl = wanted.ttl or (300 if before else 3600)
    live = zone(sets(TXT, "|".join([str(ttl), *kept, wrong])))
    assert verdict.is_final(live), "it is not late"
    (change,) = verdict.settle(live)
    assert (change.action, change.after) == (action, RecordSet(*TXT, ttl, (*kept, DKIM)))
    assert verdict.misread == {TXT: [wrong]}

    assert not verdict.is_final(live), "now it is to go, and may be shown late"
    right = zone(sets(TXT, "|".join([str(ttl), *kept, DKIM])))
    assert verdict.is_final(right)
    assert verdict.settle(right) == ()
    assert verdict.misread == {}


@pytest.mark.parametrize(
    ("wanted", "misread"),
    [
        pytest.param(a(DKIM, key=TXT), {TXT: [PARSED]}, id="the task says what the set holds"),
        pytest.param(a(DKIM, key=TXT, unwanted=(PARSED,), keeps_others=True), {TXT: [PARSED]}, id="it is not wanted"),
        pytest.param(a(DKIM, key=TXT, ttl=60, keeps_others=True), {}, id="it is kept"),
    ],
)
def test_a_text_that_was_deleted_and_is_there_again_is_misread(wanted: Wanted, misread: dict[Key, list[str]]) -> None:
    verdict = verdict_of(sets(TXT, f"300|{PARSED}"), wanted)
    live = zone(sets(TXT, f"{wanted.ttl or 300}|{PARSED}"))
    assert not verdict.is_final(live), "it may be late"
    verdict.settle(live)
    assert verdict.misread == misread


def test_a_text_that_is_misread_in_the_other_form_too() -> None:
    verdict = verdict_of({}, a(DKIM, key=TXT, keeps_others=True))
    verdict.settle(zone(sets(TXT, f"3600|{PARSED}")))
    again = zone(sets(TXT, f"3600|{QUOTES_KEPT}"))
    assert verdict.is_final(again)
    (change,) = verdict.settle(again)
    assert change.after == RecordSet(*TXT, 3600, (DKIM,))
    assert verdict.misread == {TXT: [QUOTES_KEPT]}
    assert verdict.settle(zone(sets(TXT, f"3600|{DKIM}"))) == ()


@pytest.mark.parametrize(
    ("before", "wanted", "read"),
    [
        pytest.param("", a(DKIM, key=TXT, keeps_others=True), f"3600|{DKIM}|{PARSED}", id="what was sent is there"),
        pytest.param(f"300|{PARSED}", a(DKIM, key=TXT, keeps_others=True), f"300|{PARSED}", id="it was there before"),
        pytest.param("", a(DKIM, PARSED, key=TXT), f"3600|{PARSED}", id="it is wanted too"),
        pytest.param("", a(DKIM, key=TXT, keeps_others=True), '3600|"v=DKIM2"', id="another text"),
        pytest.param(f"300|{DKIM}", a('"new"', key=TXT, keeps_others=True), f"300|{PARSED}", id="of what was not sent"),
        pytest.param("", a(DKIM, key=TXT, keeps_others=True), "", id="nothing"),
    ],
)
def test_a_text_that_is_not_misread(before: str, wanted: Wanted, read: str) -> None:
    verdict = verdict_of(sets(TXT, before), wanted)
    verdict.settle(zone(sets(TXT, read)))
    assert verdict.misread == {}


def test_only_texts_are_misread() -> None:
    key = Key("www.example.com.", "HINFO")
    verdict = verdict_of({}, a('"a; b" "c"', key=key, keeps_others=True))
    verdict.settle(zone(sets(key, '3600|"a" "c"')))
    assert verdict.misread == {}


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (DKIM, {PARSED, QUOTES_KEPT}),
        ('"plain"', {r'"\"plain\""'}),
        ('"two words"', {'"twowords"', r'"\"two words\""'}),
        ('"one" "two"', {'"onetwo"', r'"\"one\" \"two\""'}),
        ('"; all of it"', {'""', r'"\"; all of it\""'}),
        (r'"a \"quoted; text\" b"', {'"aquoted; textb"', r'"\"a \\\"quoted; text\\\" b\""'}),
        (r'"an open \" quote"', {r'"\"an open \\\" quote\""'}),
        ('"an open ( parenthesis"', {r'"\"an open ( parenthesis\""'}),
        (r'"\255"', {r'"\"\\255\""'}),
        (r'"a\\300"', {r'"\"a\\\\300\""'}),
        (r'"a\\044b"', {'"a,b"', r'"\"a\\\\044b\""'}),
    ],
)
def test_what_becomes_of_a_text(value: str, made: set[str]) -> None:
    assert misread_texts(value) == made


# What no plan fits


def test_a_reading_that_no_plan_fits_is_not_final_and_ends_the_verdict() -> None:
    alias = Key("www.example.com.", "CNAME")
    verdict = verdict_of({}, a("other.example.net.", key=alias))
    live = zone(sets(A, f"300|{ONE}"))
    assert not verdict.is_final(live)
    with pytest.raises(PlanRefused, match="CNAME"):
        verdict.settle(live)


def test_one_set_that_is_late_is_enough_to_wait_for() -> None:
    other = Key("zzz.example.com.", "A")
    verdict = verdict_of({}, a(ONE, ttl=60), a(ONE, key=other))
    live = zone(sets(A, f"900|{ONE}"))
    assert not verdict.is_final(live)
    assert [change.key for change in verdict.settle(live)] == [other]
    assert verdict.kept_ttls == {A: (60, 900)}


# What others write meanwhile


def left_of(verdict: Verdict, text: str, key: Key = A) -> tuple[Verdict, tuple[Any, ...]]:
    """The verdict, and what it leaves to do where one set is read so."""
    return verdict, verdict.settle(zone(sets(key, text)))


@pytest.mark.parametrize(
    ("before", "wanted", "read", "foreign"),
    [
        pytest.param(f"300|{ONE}", REPLACE, f"300|{ONE}", (), id="what was there before"),
        pytest.param(f"300|{ONE}", REPLACE, f"300|{THREE}|{NINE}", (NINE,), id="beside what was sent"),
        pytest.param(f"300|{ONE}", REPLACE, f"300|{ONE}|{NINE}", (NINE,), id="beside what was there before"),
        pytest.param("", a(ONE, TWO), f"900|{NINE}", (NINE,), id="in the place of a new set"),
        pytest.param("", a(ONE, TWO), "", (), id="nothing"),
        pytest.param(f"300|{ONE}|{TWO}", ABSENT_ONE, f"300|{ONE}|{TWO}", (), id="what is not wanted"),
    ],
)
def test_what_is_of_others(before: str, wanted: Wanted, read: str, foreign: tuple[str, ...]) -> None:
    verdict, left = left_of(verdict_of(sets(A, before), wanted), read)
    assert [change.key for change in left] == [A]
    assert verdict.foreign(left) == ({A: foreign} if foreign else {})


def test_what_the_service_makes_of_a_text_is_of_nobody() -> None:
    verdict, left = left_of(verdict_of({}, a(DKIM, key=TXT)), f'3600|{PARSED}|"theirs"', TXT)
    assert verdict.spoilt == {DKIM}
    assert verdict.foreign(left) == {TXT: ('"theirs"',)}
    verdict, left = left_of(verdict_of({}, a(DKIM, key=TXT, keeps_others=True)), f"3600|{PARSED}", TXT)
    assert verdict.foreign(left) == {}


def test_a_mail_host_without_its_preference_is_nobody_else_s() -> None:
    key = Key("www.example.com.", "MX")
    verdict, left = left_of(
        verdict_of({}, a("10 a.example.net.", "20 b.example.net.", key=key)), "300|a.example.net.", key
    )
    assert verdict.foreign(left) == {}


@pytest.mark.parametrize(
    ("before", "wanted", "read", "told", "was"),
    [
        pytest.param(
            f"300|{ONE}", REPLACE, f"300|{THREE}|{NINE}", {A: (NINE,)}, f"300|{ONE}|{NINE}", id="with what was there"
        ),
        pytest.param("", a(ONE), f"900|{NINE}", {A: (NINE,)}, f"900|{NINE}", id="in the place of a new set"),
        pytest.param(
            f"300|{ONE}|{TWO}",
            ABSENT_ONE,
            f"300|{ONE}|{TWO}|{NINE}",
            {},
            f"300|{ONE}|{TWO}|{NINE}",
            id="to be created again",
        ),
        pytest.param(f"300|{ONE}", EXTEND, f"300|{ONE}|{NINE}", {}, f"300|{ONE}", id="where nothing is deleted"),
        pytest.param(f"300|{ONE}", REPLACE, "", {}, f"300|{ONE}", id="where nothing is there"),
    ],
)
def test_what_is_deleted_of_others_counts_as_what_was_there(
    before: str, wanted: Wanted, read: str, told: Any, was: str
) -> None:
    verdict, left = left_of(verdict_of(sets(A, before), wanted), read)
    verdict.go_over(left, verdict.foreign(left))
    assert verdict.foreign_gone == told
    planned = plan(ZONE, sets(A, before), [wanted]).changes
    (change,) = verdict.with_others(planned)
    assert change.before == sets(A, was)[A]
    assert (change.after, change.wanted) == (planned[0].after, planned[0].wanted)


def test_what_others_write_counts_round_by_round() -> None:
    verdict, left = left_of(verdict_of(sets(A, f"300|{ONE}"), REPLACE), f"300|{ONE}|{NINE}")
    verdict.go_over(left, verdict.foreign(left))
    later = verdict.settle(zone(sets(A, f"300|{ONE}|{TWO}")))
    verdict.go_over(later, verdict.foreign(later))
    assert verdict.foreign_gone == {A: (NINE, TWO)}
    assert verdict.gone_over == sets(A, f"300|{ONE}|{NINE}|{TWO}")


def test_of_several_sets_only_that_is_gone_over_that_others_wrote_to() -> None:
    live = sets(A, f"300|{ONE}") | sets(TXT, '300|"old"')
    verdict = verdict_of(live, REPLACE, a('"new"', key=TXT))
    assert verdict.keys == {A, TXT}
    left = verdict.settle(zone(sets(A, f"300|{THREE}|{NINE}"), sets(TXT, '300|"old"')))
    verdict.go_over(left, verdict.foreign(left))
    assert verdict.foreign_gone == {A: (NINE,)}


@pytest.mark.parametrize(
    ("before", "read", "refused", "kept"),
    [
        pytest.param(f"300|{ONE}", f"300|{ONE}", [A], {}, id="not deleted, whatever the service said"),
        pytest.param(f"300|{ONE}", f"300|{ONE}", [TXT], {A: (60, 300)}, id="another set was not deleted"),
        pytest.param(f"300|{ONE}", f"900|{ONE}", [A], {}, id="deleted, and others were faster"),
        pytest.param("", f"900|{ONE}", [A], {}, id="new, and others were faster"),
        pytest.param("", f"900|{ONE}", [], {A: (60, 900)}, id="new"),
        pytest.param("", f"900|{ONE}|{NINE}", [], {}, id="new, and others added to it"),
    ],
)
def test_a_ttl_is_kept_by_the_service_where_nobody_else_can_have_sent_it(
    before: str, read: str, refused: list[Key], kept: dict[Key, tuple[int, int]]
) -> None:
    verdict = verdict_of(sets(A, before), TTL)
    left = verdict.settle(zone(sets(A, read)), refused)
    assert verdict.kept_ttls == kept
    assert [change.action for change in left] == ([] if kept else ["rebuild"])


def test_a_ttl_is_kept_by_the_service_where_what_others_added_was_created_again() -> None:
    verdict, left = left_of(verdict_of({}, TTL), f"900|{ONE}|{NINE}")
    assert [change.after for change in left] == [RecordSet(*A, 60, (ONE, NINE))]
    assert left_of(verdict, f"900|{ONE}|{NINE}") == (verdict, ())
    assert verdict.kept_ttls == {A: (60, 900)}


# What the task says of sets that it need not change

FTP = Key("ftp.example.com.", "A")
WWW_STAYS = {A: RecordSet(*A, 300, (ONE, TWO))}
NEW = a(THREE, key=FTP)


@pytest.mark.parametrize(
    ("stays", "read", "done_again"),
    [
        pytest.param(a(ONE, TWO), f"300|{ONE}|{TWO}", "", id="as it was"),
        pytest.param(a(ONE, TWO), f"300|{TWO}|{ONE}", "", id="in another order"),
        pytest.param(a(ONE, TWO), "", f"create 300|{ONE}|{TWO}", id="gone"),
        pytest.param(a(ONE, TWO), f"300|{ONE}", f"extend 300|{ONE}|{TWO}", id="a value is gone"),
        pytest.param(a(ONE, TWO), f"300|{ONE}|{TWO}|{NINE}", f"rebuild 300|{ONE}|{TWO}", id="a value came"),
        pytest.param(a(ONE, keeps_others=True), f"300|{ONE}|{NINE}", "", id="a value came beside what is wanted"),
    ],
)
def test_what_others_undo_meanwhile_is_done_again_once_patience_ends(stays: Wanted, read: str, done_again: str) -> None:
    verdict = Verdict(plan(ZONE, {}, [NEW]).changes, [stays], zone(WWW_STAYS))
    live = zone(sets(FTP, f"3600|{THREE}"), sets(A, read))
    assert verdict.is_final(live) == (not done_again)
    left = verdict.settle(live)
    told = [f"{change.action} {change.after.ttl}|{'|'.join(change.after.values)}" for change in left if change.after]
    assert told == ([done_again] if done_again else [])
    assert [change.key for change in verdict.taken_on] == ([A] if done_again else [])
    assert verdict.settle(zone(WWW_STAYS, sets(FTP, f"3600|{THREE}"))) == ()
