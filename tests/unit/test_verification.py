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
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._write.verification import Verification

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


def verification_of(before: LiveSets, *wanted: Wanted, limits: Limits = UNLIMITED) -> Verification:
    """The verification on a plan made from this."""
    return Verification(plan(ZONE, before, wanted, limits).changes)


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
    verification, live = verification_of(sets(A, before), wanted), zone(sets(A, read))
    assert verification.is_final(live) is is_final
    assert [change.action for change in verification.judge(live)] == actions
    assert (verification.kept_ttls, verification.returned, verification.misread) == ({}, [], {})


def test_what_a_rebuild_only_kept_is_wanted_until_it_is_there() -> None:
    verification = verification_of(sets(A, f"300|{ONE}|{TWO}"), TTL)
    (change,) = verification.judge(zone())
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
    verification, live = verification_of(sets(A, before), wanted), zone(sets(A, read))
    assert verification.is_final(live) is is_final
    left = verification.judge(live)
    assert [change.after for change in left] == ([RecordSet(*A, 900, (ONE, TWO))] if TWO in wanted.values else [])
    assert verification.kept_ttls == ({A: kept} if kept else {})
    done = zone(sets(A, "|".join([read.split("|")[0], *wanted.values])))
    assert verification.is_final(done), "what the service keeps is what is wanted from then on"
    assert verification.judge(done) == ()


# Pruning


def test_a_pruned_set_that_is_there_again_is_let_be() -> None:
    live = sets(A, f"300|{ONE}") | sets(TXT, '300|"parked"')
    verification = verification_of(live, a(ONE), limits=Limits(prune=True))
    assert not verification.is_final(zone(live)), "it may be shown late"
    assert verification.judge(zone(live)) == ()
    assert verification.returned == [TXT]
    assert verification.is_final(zone(live)), "nobody asks for it any more"
    assert verification.judge(zone(live)) == ()
    assert verification.returned == [TXT], "it is told once"


def test_what_a_task_wants_gone_is_not_let_be() -> None:
    live = sets(TXT, '300|"parked"')
    verification = verification_of(live, a(key=TXT))
    assert [change.key for change in verification.judge(zone(live))] == [TXT]
    assert verification.returned == []


def test_a_ttl_that_a_further_round_deletes_may_be_shown_late_after_it() -> None:
    verification = verification_of(sets(A, f"300|{ONE}"), a(ONE, TWO, ttl=60, keeps_others=True))
    of_others = zone(sets(A, f"600|{ONE}|{TWO}|{NINE}"))
    assert [change.action for change in verification.judge(of_others)] == ["rebuild"]
    assert not verification.is_final(of_others), "it is as it was before that round"
    assert verification.is_final(zone(sets(A, f"60|{ONE}|{TWO}|{NINE}")))
    assert verification.is_final(zone(sets(A, f"900|{ONE}|{TWO}|{NINE}"))), "nobody has seen that before"


def test_what_is_forgone_is_not_asked_for() -> None:
    live = sets(A, f"300|{ONE}") | sets(TXT, '300|"parked"')
    verification = verification_of(live, REPLACE, limits=Limits(prune=True))
    verification.forgo([TXT, Key("not.planned.", "A")])
    assert [change.key for change in verification.judge(zone(live))] == [A]
    verification.forgo([A])
    assert verification.is_final(zone(live))
    assert verification.judge(zone(live)) == ()
    assert verification.returned == []


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
    verification = verification_of(sets(TXT, before), wanted)
    kept = ['"old"'] if before and wanted.keeps_others else []
    ttl = wanted.ttl or (300 if before else 3600)
    live = zone(sets(TXT, "|".join([str(ttl), *kept, wrong])))
    assert verification.is_final(live), "it is not late"
    (change,) = verification.judge(live)
    assert (change.action, change.after) == (action, RecordSet(*TXT, ttl, (*kept, DKIM)))
    assert verification.misread == {TXT: [wrong]}

    assert not verification.is_final(live), "now it is to go, and may be shown late"
    right = zone(sets(TXT, "|".join([str(ttl), *kept, DKIM])))
    assert verification.is_final(right)
    assert verification.judge(right) == ()
    assert verification.misread == {}


@pytest.mark.parametrize(
    ("wanted", "misread"),
    [
        pytest.param(a(DKIM, key=TXT), {TXT: [PARSED]}, id="the task says what the set holds"),
        pytest.param(a(DKIM, key=TXT, unwanted=(PARSED,), keeps_others=True), {TXT: [PARSED]}, id="it is not wanted"),
        pytest.param(a(DKIM, key=TXT, ttl=60, keeps_others=True), {}, id="it is kept"),
    ],
)
def test_a_text_that_was_deleted_and_is_there_again_is_misread(wanted: Wanted, misread: dict[Key, list[str]]) -> None:
    verification = verification_of(sets(TXT, f"300|{PARSED}"), wanted)
    live = zone(sets(TXT, f"{wanted.ttl or 300}|{PARSED}"))
    assert not verification.is_final(live), "it may be late"
    verification.judge(live)
    assert verification.misread == misread


def test_a_text_that_is_misread_in_the_other_form_too() -> None:
    verification = verification_of({}, a(DKIM, key=TXT, keeps_others=True))
    verification.judge(zone(sets(TXT, f"3600|{PARSED}")))
    again = zone(sets(TXT, f"3600|{QUOTES_KEPT}"))
    assert verification.is_final(again)
    (change,) = verification.judge(again)
    assert change.after == RecordSet(*TXT, 3600, (DKIM,))
    assert verification.misread == {TXT: [QUOTES_KEPT]}
    assert verification.judge(zone(sets(TXT, f"3600|{DKIM}"))) == ()


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
    verification = verification_of(sets(TXT, before), wanted)
    verification.judge(zone(sets(TXT, read)))
    assert verification.misread == {}


def test_only_texts_are_misread() -> None:
    key = Key("www.example.com.", "HINFO")
    verification = verification_of({}, a('"a; b" "c"', key=key, keeps_others=True))
    verification.judge(zone(sets(key, '3600|"a" "c"')))
    assert verification.misread == {}


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
    verification = verification_of({}, a("other.example.net.", key=alias))
    live = zone(sets(A, f"300|{ONE}"))
    assert not verification.is_final(live)
    with pytest.raises(PlanRefused, match="CNAME"):
        verification.judge(live)


def test_one_set_that_is_late_is_enough_to_wait_for() -> None:
    other = Key("zzz.example.com.", "A")
    verification = verification_of({}, a(ONE, ttl=60), a(ONE, key=other))
    live = zone(sets(A, f"900|{ONE}"))
    assert not verification.is_final(live)
    assert [change.key for change in verification.judge(live)] == [other]
    assert verification.kept_ttls == {A: (60, 900)}


# What others write meanwhile


def left_of(verification: Verification, text: str, key: Key = A) -> tuple[Verification, tuple[Any, ...]]:
    """The verification, and what it leaves to do where one set is read so."""
    return verification, verification.judge(zone(sets(key, text)))


@pytest.mark.parametrize(
    ("before", "wanted", "read", "external"),
    [
        pytest.param(f"300|{ONE}", REPLACE, f"300|{ONE}", (), id="what was there before"),
        pytest.param(f"300|{ONE}", REPLACE, f"300|{THREE}|{NINE}", (NINE,), id="beside what was sent"),
        pytest.param(f"300|{ONE}", REPLACE, f"300|{ONE}|{NINE}", (NINE,), id="beside what was there before"),
        pytest.param("", a(ONE, TWO), f"900|{NINE}", (NINE,), id="in the place of a new set"),
        pytest.param("", a(ONE, TWO), "", (), id="nothing"),
        pytest.param(f"300|{ONE}|{TWO}", ABSENT_ONE, f"300|{ONE}|{TWO}", (), id="what is not wanted"),
    ],
)
def test_what_is_of_others(before: str, wanted: Wanted, read: str, external: tuple[str, ...]) -> None:
    verification, left = left_of(verification_of(sets(A, before), wanted), read)
    assert [change.key for change in left] == [A]
    assert verification.external(left) == ({A: external} if external else {})


def test_what_the_service_makes_of_a_text_is_of_nobody() -> None:
    verification, left = left_of(verification_of({}, a(DKIM, key=TXT)), f'3600|{PARSED}|"theirs"', TXT)
    assert verification.spoilt == {(TXT, DKIM)}
    assert verification.external(left) == {TXT: ('"theirs"',)}
    verification, left = left_of(verification_of({}, a(DKIM, key=TXT, keeps_others=True)), f"3600|{PARSED}", TXT)
    assert verification.external(left) == {}


def test_a_mail_host_without_its_preference_is_nobody_else_s() -> None:
    key = Key("www.example.com.", "MX")
    verification, left = left_of(
        verification_of({}, a("10 a.example.net.", "20 b.example.net.", key=key)), "300|a.example.net.", key
    )
    assert verification.external(left) == {}


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
        pytest.param(
            f"300|{TWO}",
            a(TWO, unwanted=(NINE,), ttl=60),
            f"300|{TWO}|{NINE}",
            {A: (NINE,)},
            f"300|{TWO}|{NINE}",
            id="what the task wants gone, and somebody has added again",
        ),
        pytest.param(f"300|{ONE}", EXTEND, f"300|{ONE}|{NINE}", {}, f"300|{ONE}", id="where nothing is deleted"),
        pytest.param(f"300|{ONE}", REPLACE, "", {}, f"300|{ONE}", id="where nothing is there"),
    ],
)
def test_what_is_deleted_of_others_counts_as_what_was_there(
    before: str, wanted: Wanted, read: str, told: Any, was: str
) -> None:
    verification, left = left_of(verification_of(sets(A, before), wanted), read)
    verification.take_external(left, {})
    assert verification.external_removed == told
    planned = plan(ZONE, sets(A, before), [wanted]).changes
    (change,) = verification.with_others(planned)
    assert change.before == sets(A, was)[A]
    assert (change.after, change.wanted) == (planned[0].after, planned[0].wanted)


def test_what_others_write_counts_round_by_round() -> None:
    verification, left = left_of(verification_of(sets(A, f"300|{ONE}"), REPLACE), f"300|{ONE}|{NINE}")
    verification.take_external(left, {})
    later = verification.judge(zone(sets(A, f"300|{ONE}|{TWO}")))
    verification.take_external(later, {})
    assert verification.external_removed == {A: (NINE, TWO)}
    assert verification.overwritten == sets(A, f"300|{ONE}|{NINE}|{TWO}")


def test_of_several_sets_only_that_is_gone_over_that_others_wrote_to() -> None:
    live = sets(A, f"300|{ONE}") | sets(TXT, '300|"old"')
    verification = verification_of(live, REPLACE, a('"new"', key=TXT))
    assert verification.keys == {A, TXT}
    left = verification.judge(zone(sets(A, f"300|{THREE}|{NINE}"), sets(TXT, '300|"old"')))
    verification.take_external(left, {})
    assert verification.external_removed == {A: (NINE,)}


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
    verification = verification_of(sets(A, before), TTL)
    left = verification.judge(zone(sets(A, read)), refused)
    assert verification.kept_ttls == kept
    assert [change.action for change in left] == ([] if kept else ["rebuild"])


def test_a_ttl_is_not_the_services_where_a_value_that_was_deleted_is_there_again() -> None:
    verification, left = left_of(verification_of(sets(A, f"300|{NINE}"), a(ONE, ttl=60)), f"900|{ONE}|{NINE}")
    assert [change.after for change in left] == [RecordSet(*A, 60, (ONE,))]
    assert verification.kept_ttls == {}


def test_a_ttl_is_kept_by_the_service_where_what_others_added_was_created_again() -> None:
    verification, left = left_of(verification_of({}, TTL), f"900|{ONE}|{NINE}")
    assert [change.after for change in left] == [RecordSet(*A, 60, (ONE, NINE))]
    assert left_of(verification, f"900|{ONE}|{NINE}") == (verification, ())
    assert verification.kept_ttls == {A: (60, 900)}


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
    verification = Verification(plan(ZONE, {}, [NEW]).changes, [stays], zone(WWW_STAYS))
    live = zone(sets(FTP, f"3600|{THREE}"), sets(A, read))
    assert verification.is_final(live) == (not done_again)
    left = verification.judge(live)
    told = [f"{change.action} {change.after.ttl}|{'|'.join(change.after.values)}" for change in left if change.after]
    assert told == ([done_again] if done_again else [])
    assert [change.key for change in verification.taken_on] == ([A] if done_again else [])
    assert verification.judge(zone(WWW_STAYS, sets(FTP, f"3600|{THREE}"))) == ()


def test_what_others_undo_is_told_where_nobody_has_reviewed_that_it_be_done_again() -> None:
    verification = Verification(plan(ZONE, {}, [NEW]).changes, [a(ONE, TWO)], zone(WWW_STAYS), redoes=False)
    live = zone(sets(FTP, f"3600|{THREE}"), sets(A, f"300|{NINE}"))
    assert verification.is_final(live)
    assert verification.judge(live) == ()
    assert [change.key for change in verification.undone(live)] == [A]


LONG = f'"{"x" * 255}" "y"'
BESIDE = sets(TXT, '3600|"keep"')
BELOW = sets(Key("sub.www.example.com.", "A"), f"3600|{ONE}")
SIGNED = sets(Key("www.example.com.", "RRSIG"), "3600|A 13 3 300 20260101000000 20250101000000 1 example.com. AA==")


@pytest.mark.parametrize(
    ("wanted", "read", "gone"),
    [
        pytest.param(TTL, [sets(A, f"60|{ONE}|{TWO}")], {TXT: ['"keep"']}, id="a set beside the one that was rebuilt"),
        pytest.param(TTL, [sets(A, f"60|{ONE}|{TWO}"), BESIDE], {}, id="nothing"),
        pytest.param(EXTEND, [sets(A, f"300|{THREE}"), BESIDE], {A: [ONE, TWO]}, id="what an addition took along"),
        pytest.param(REPLACE, [sets(A, f"300|{THREE}"), BESIDE], {}, id="what was planned"),
    ],
)
def test_what_went_though_nobody_planned_it(wanted: Wanted, read: list[LiveSets], gone: dict[Key, list[str]]) -> None:
    first = zone(sets(A, f"300|{ONE}|{TWO}"), BESIDE, BELOW, SIGNED)
    changes = plan(ZONE, first.record_sets, [wanted]).changes
    assert Verification(changes, (), first).removed_beside(zone(*read)) == gone


@pytest.mark.parametrize(
    ("wanted", "refused", "read", "left"),
    [
        pytest.param(a(DKIM, key=TXT, keeps_others=True), {DKIM}, f"3600|{PARSED}|{DKIM}", [PARSED], id="is told"),
        pytest.param(a(DKIM, key=TXT, keeps_others=True), {DKIM}, f"3600|{DKIM}", [], id="is not there"),
        pytest.param(a(DKIM, key=TXT, keeps_others=True), set(), f"3600|{PARSED}|{DKIM}", [PARSED], id="not refused"),
        pytest.param(a(DKIM, PARSED, key=TXT), {DKIM}, f"3600|{PARSED}|{DKIM}", [], id="is wanted"),
    ],
)
def test_what_an_earlier_try_of_a_text_has_left(wanted: Wanted, refused: set[str], read: str, left: list[str]) -> None:
    verification = Verification(plan(ZONE, {}, [wanted]).changes, (), None, refused)
    assert verification.still_misread(zone(sets(TXT, read))) == ({TXT: left} if left else {})


def test_a_text_of_others_that_was_there_before_was_not_made_of_what_was_sent() -> None:
    live = sets(TXT, f"3600|{PARSED}")
    verification = Verification(plan(ZONE, live, [a(DKIM, key=TXT, keeps_others=True)]).changes)
    assert verification.still_misread(zone(sets(TXT, f"3600|{PARSED}|{DKIM}"))) == {}


def test_what_an_earlier_try_of_this_run_has_left_is_taken_out() -> None:
    verification = Verification(plan(ZONE, {}, [a(DKIM, key=TXT)]).changes, (), None, {DKIM})
    read = zone(sets(TXT, f"3600|{PARSED}|{DKIM}"))
    changes = verification.judge(read)
    assert [(change.action, verification.external([change])) for change in changes] == [("rebuild", {})]
    assert not verification.spoilt, "in the form in which it came back, it is sent again"


@pytest.mark.parametrize(
    ("shown", "wanted", "told"),
    [
        pytest.param('"a=1" "b=2"', {"values": ('"c"',), "ttl": 60, "keeps_others": True}, True, id="kept"),
        pytest.param('"a=1" "b=2"', {"values": ('"a=1b=2"',), "ttl": 60}, True, id="wanted"),
        pytest.param('"a=1" "b=2"', {"values": ('"c"',), "ttl": 60}, False, id="replaced"),
        pytest.param('"a=1" "b=2"', {"values": ('"c"',), "keeps_others": True}, False, id="not sent again"),
        pytest.param('"a=1b=2"', {"values": ('"c"',), "ttl": 60, "keeps_others": True}, False, id="one string"),
        pytest.param(LONG, {"values": ('"c"',), "ttl": 60, "keeps_others": True}, False, id="longer than a string"),
    ],
)
def test_texts_of_several_strings_are_told_where_they_were_sent_as_one(
    shown: str, wanted: dict[str, Any], told: bool
) -> None:
    first = zone(sets(TXT, f"300|{shown}"))
    changes = plan(ZONE, first.record_sets, [Wanted(*TXT, **wanted)]).changes
    assert Verification(changes, (), first).rejoined() == ({TXT: [shown]} if told else {})
