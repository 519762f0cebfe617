# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a failure says, word for word: what was tried, why it failed, what the sets hold now, and what goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from shorthand import change, ends, entries, held, short

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import (
    ApplyFailed,
    Attempt,
    Failure,
    Misread,
    became,
    besides,
    ended_early,
    not_as_wanted,
    not_continued,
    not_verified,
    unexpected,
)

PLACE = "/state/example.com.journal"
REFUSED = ServiceError("the service answered 403: No.", 403)
BROKEN = ServiceError("the service answered 500", 500)
SILENT = ServiceError("there was no answer.")

WWW = change("www", "A", "300 192.0.2.1", "60 192.0.2.2")
NEW = change("www", "A", "", "60 192.0.2.2")
GROWS = change("www", "A", "300 192.0.2.1", "300 192.0.2.1 192.0.2.2")
GOES = change("www", "A", "300 192.0.2.1", "", pruned=True)
V6 = change("www", "AAAA", "300 2001:db8::1", "60 2001:db8::1")
NEW_V6 = change("www", "AAAA", "", "60 2001:db8::1")
FTP = change("ftp", "A", "", "300 192.0.2.9")
TOO = change("too", "A", "", "300 192.0.2.9")
MAIL = change("mail", "A", "", "300 192.0.2.9")
PRUNED_MAIL = change("mail", "A", "300 192.0.2.9", "", pruned=True)
PRUNED_MAIL_V6 = change("mail", "AAAA", "300 2001:db8::9", "", pruned=True)
HOST = Change(
    None, RecordSet("mail.example.com.", "MX", 300, ("10 mx.example.net.",)), Wanted("mail.example.com.", "MX")
)
COMPLETES = f", and the next run on the zone completes it from {PLACE}"


def tried(error: ServiceError = REFUSED, **fields: Any) -> Failure:
    """The failure of a run that was to give www another address."""
    return Failure(WWW.key, "add 192.0.2.2 to www.example.com. A", error, **fields)


def pruning(error: ServiceError) -> Failure:
    """The failure of a run that was to remove www."""
    return Failure(GOES.key, "delete www.example.com. A", error)


EARLY = [
    # what was planned, the failure, what is read, what is incomplete -> what is said after the service's own words
    pytest.param([GROWS], tried(), ["www 300 A 192.0.2.1"], [], "the set holds 192.0.2.1 (TTL 300)", id="as it was"),
    pytest.param([NEW], tried(), [], [], "the set holds nothing", id="a new set of which there is nothing"),
    pytest.param([WWW], tried(), [], [], "the set is gone", id="gone"),
    pytest.param([WWW], tried(), [], [WWW], f"the set is gone{COMPLETES}", id="gone, and in the journal"),
    pytest.param(
        [WWW],
        tried(rolled_back=True),
        ["www 300 A 192.0.2.3 192.0.2.1"],
        [],
        "its old values were put back, it holds 192.0.2.3, 192.0.2.1 (TTL 300)",
        id="put back, beside what others have added",
    ),
    pytest.param(
        [WWW],
        tried(rolled_back=True),
        ["www 60 A 192.0.2.1"],
        [],
        "its old values were put back, it holds 192.0.2.1 (TTL 60)",
        id="put back with another TTL",
    ),
    pytest.param(
        [WWW],
        tried(rolled_back=True),
        ["www 300 A 192.0.2.3"],
        [],
        "the set holds 192.0.2.3 (TTL 300)",
        id="put back, and somebody else has replaced it",
    ),
    pytest.param([WWW], tried(rolled_back=True), [], [], "the set is gone", id="put back, and gone all the same"),
    pytest.param(
        [NEW, V6],
        tried(rolled_back=True),
        ["www 300 AAAA 2001:db8::1"],
        [],
        "its old values were put back, it holds nothing, www.example.com. AAAA holds 2001:db8::1 (TTL 300) "
        "(0 sets applied, 2 failed, 0 not attempted)",
        id="put back, and with it the other set of the name",
    ),
    pytest.param(
        [WWW],
        tried(),
        ["www 300 A 192.0.2.1"],
        [WWW],
        "the set holds 192.0.2.1 (TTL 300), and the next run on the zone looks whether it was deleted late, because "
        f"the deletion had no clear answer, by {PLACE}",
        id="a deletion without an answer",
    ),
    pytest.param(
        [WWW, V6],
        tried(),
        ["www 300 A 192.0.2.1"],
        [WWW, V6],
        f"the set holds 192.0.2.1 (TTL 300), www.example.com. AAAA holds nothing{COMPLETES} "
        "(0 sets applied, 2 failed, 0 not attempted)",
        id="of the sets of a name one is as it was",
    ),
    pytest.param(
        [WWW, NEW_V6, MAIL],
        tried(),
        ["mail 300 A 192.0.2.9"],
        [MAIL],
        "the set is gone (1 set applied, 2 failed, 0 not attempted)",
        id="neither a new set of the name nor one of another",
    ),
    pytest.param(
        [WWW], tried(), ["www 60 A \x1b[31m"], [], r"the set holds \x1b[31m (TTL 60)", id="fit for a terminal"
    ),
    pytest.param(
        [GOES],
        pruning(REFUSED),
        ["www 300 A 192.0.2.1"],
        [],
        "the set holds 192.0.2.1 (TTL 300); where the service does not let it go, list it in ignore",
        id="a pruned set that the service does not let go",
    ),
    pytest.param(
        [GOES],
        pruning(BROKEN),
        ["www 300 A 192.0.2.1"],
        [],
        "the set holds 192.0.2.1 (TTL 300)",
        id="a pruned set, and a service that is broken",
    ),
    pytest.param(
        [WWW, PRUNED_MAIL],
        tried(),
        ["www 300 A 192.0.2.1"],
        [],
        "the set holds 192.0.2.1 (TTL 300) (1 set applied, 1 failed, 0 not attempted)",
        id="another set is pruned",
    ),
]


@pytest.mark.parametrize(("planned", "failure", "read", "incomplete", "said"), EARLY)
def test_what_is_said_where_a_run_ends_early(
    planned: list[Change], failure: Failure, read: list[str], incomplete: list[Change], said: str
) -> None:
    attempt = Attempt(tuple(planned), entries(planned), PLACE)
    failed = ended_early(attempt, [failure], [], held(*read), [*entries(incomplete).values()])
    why = str(failure.error).rstrip(".")
    assert str(failed) == f"cannot {failure.tried}: {why}; {said}"
    assert failed.status_code == failure.error.status_code
    assert failed.unfinished == tuple(incomplete)


def test_a_set_that_is_in_no_journal_is_not_said_to_be_gone() -> None:
    failed = ended_early(Attempt((GROWS,), {}, PLACE), [tried(BROKEN)], [], held(), [])
    assert str(failed) == (
        "cannot add 192.0.2.2 to www.example.com. A: the service answered 500; the set holds nothing"
    )


@pytest.mark.parametrize(
    ("journaled", "said"),
    [
        ([WWW], f"; what it lacks is in {PLACE}, from which the next run on the zone completes it"),
        ([V6], ""),
        ([], ""),
    ],
)
def test_what_is_said_where_the_zone_cannot_be_read_either(journaled: list[Change], said: str) -> None:
    attempt = Attempt((FTP, MAIL, V6, WWW), entries(journaled), PLACE)
    failed = ended_early(attempt, [tried(SILENT)], [FTP.key], ServiceError("the service answered 500.", 500), [])
    assert str(failed) == (
        "cannot add 192.0.2.2 to www.example.com. A: there was no answer; what the set holds now cannot be read: "
        f"the service answered 500{said} (1 set applied, 2 failed, 1 not attempted)"
    )
    assert failed.status_code is None
    assert short(failed.applied) == ["mail A"]
    assert short(failed.failed) == ["www AAAA", "www A"]
    assert short(failed.not_attempted) == ["ftp A"]
    assert failed.changes == (MAIL,), "what was taken counts as done"
    assert failed.unfinished == (V6, WWW), "of these nobody knows"


def test_the_sets_of_a_run_that_ended_early_are_told_apart() -> None:
    planned = (FTP, MAIL, PRUNED_MAIL_V6, TOO, V6, WWW)
    live = held("ftp 300 A 192.0.2.7", "mail 60 A 192.0.2.9", "www 60 A 192.0.2.2")
    failures = [tried(), Failure(TOO.key, "add 192.0.2.9 to too.example.com. A", SILENT)]
    failed = ended_early(Attempt(planned, {}, PLACE), failures, [FTP.key], live, [*entries([V6]).values()])
    assert str(failed) == (
        "cannot add 192.0.2.2 to www.example.com. A: the service answered 403: No; the set holds 192.0.2.2 (TTL 60)"
        f"{COMPLETES}; too.example.com. A failed too (2 sets applied, 3 failed, 1 not attempted)"
    )
    assert short(failed.applied) == ["mail A", "mail AAAA"], "whatever TTL the service has given them"
    assert short(failed.failed) == ["too A", "www AAAA", "www A"]
    assert short(failed.not_attempted) == ["ftp A"]
    assert ends(failed.changes) == [
        "ftp A 300 192.0.2.7",
        "mail A 60 192.0.2.9",
        "mail AAAA gone",
        "www AAAA gone",
        "www A 60 192.0.2.2",
    ]
    assert failed.unfinished == (V6, WWW)


def test_what_is_gone_is_told_before_what_was_never_there() -> None:
    new = Failure(FTP.key, "add 192.0.2.7 to ftp.example.com. A", REFUSED)
    gone = [tried(), Failure(MAIL.key, "add 192.0.2.9 to mail.example.com. A", REFUSED)]
    left = [*entries([WWW, MAIL]).values()]
    failed = ended_early(Attempt((FTP, MAIL, WWW), entries([WWW, MAIL]), PLACE), [new, *gone], [], held(), left)
    assert str(failed) == (
        f"cannot add 192.0.2.2 to www.example.com. A: the service answered 403: No; the set is gone{COMPLETES}; "
        "mail.example.com. A failed too, and the next run completes what is missing there too; ftp.example.com. A "
        "failed too (0 sets applied, 3 failed, 0 not attempted)"
    )


def test_what_others_wrote_before_the_run_came_to_a_name_is_no_change_of_the_run() -> None:
    live = held("too 300 A 192.0.2.1", "www 300 A 192.0.2.1")
    failures = [tried(), Failure(TOO.key, "delete too.example.com. A", REFUSED, untouched=True)]
    failed = ended_early(Attempt((TOO, NEW), {}, PLACE), failures, [], live, [])
    assert ends(failed.changes) == ["www A 300 192.0.2.1"]


MADE = [
    # what was planned, what is read -> what is said of it
    pytest.param(MAIL, "mail 60 A 192.0.2.9", "", id="with a TTL of the service's own"),
    pytest.param(MAIL, "mail 300 A 192.0.2.9 192.0.2.8", "192.0.2.9, 192.0.2.8 (TTL 300)", id="and a value more"),
    pytest.param(MAIL, "mail 300 A 192.0.2.8", "192.0.2.8 (TTL 300)", id="another value"),
    pytest.param(MAIL, "", "nothing", id="not there"),
    pytest.param(PRUNED_MAIL, "", "", id="removed"),
    pytest.param(PRUNED_MAIL, "mail 300 A 192.0.2.9", "192.0.2.9 (TTL 300)", id="not removed"),
    pytest.param(HOST, "mail 300 MX mx.example.net.", "", id="without its preference"),
]


@pytest.mark.parametrize(("one", "read", "holds"), MADE)
def test_a_set_that_was_answered_and_is_not_as_planned_is_told_too(one: Change, read: str, holds: str) -> None:
    live = held(*[read] * bool(read), "www 300 A 192.0.2.1")
    failed = ended_early(Attempt((one, WWW), {}, PLACE), [tried()], [], live, [])
    also = f"; {' '.join(one.key)} holds {holds}, and is not as planned either" if holds else ""
    count = "0 sets applied, 2 failed" if holds else "1 set applied, 1 failed"
    assert str(failed) == (
        "cannot add 192.0.2.2 to www.example.com. A: the service answered 403: No; the set holds 192.0.2.1 (TTL 300)"
        f"{also} ({count}, 0 not attempted)"
    )
    assert failed.failed == (WWW.key, *[one.key] * bool(holds))
    assert failed.applied == (() if holds else (one.key,))


def many(number: int) -> tuple[Change, ...]:
    """So many new sets, a0 to a9 and so on."""
    return tuple(change(f"a{index}", "A", "", "300 192.0.2.1") for index in range(number))


def test_of_many_sets_that_are_not_as_planned_ten_are_told() -> None:
    failed = ended_early(Attempt((*many(12), WWW), {}, PLACE), [tried()], [], held(), [])
    assert str(failed).count("holds nothing, and is not as planned either") == 10
    assert "; a9.example.com. A holds nothing, and is not as planned either (0 sets applied, 13 failed" in str(failed)
    assert len(failed.failed) == 13


# Where all was sent, and the zone is not as planned


@pytest.mark.parametrize(
    ("planned", "error", "said", "status"),
    [
        ((WWW,), BROKEN, "the service answered 500; the state of www.example.com. A is unknown", 500),
        ((WWW, FTP), SILENT, "there was no answer; the state of www.example.com. A and 1 more is unknown", None),
        ((FTP, WWW, V6), PlanRefused("no."), "no; the state of ftp.example.com. A and 2 more is unknown", None),
        (
            (WWW,),
            OSError("a disk\n is\tgone."),
            "OSError a disk is gone; the state of www.example.com. A is unknown",
            None,
        ),
    ],
)
def test_what_cannot_be_verified(planned: tuple[Change, ...], error: Exception, said: str, status: int | None) -> None:
    failed = not_verified(Attempt(planned, {}, PLACE), error)
    assert str(failed) == f"all changes were sent, and could not be verified: {said}"
    assert failed.status_code == status
    assert (failed.changes, failed.applied, failed.unfinished) == (planned, (), ())
    assert failed.failed == tuple(one.key for one in planned)


def test_of_what_cannot_be_verified_it_is_told_what_the_next_run_completes() -> None:
    failed = not_verified(Attempt((FTP, WWW), entries([WWW]), PLACE), BROKEN)
    assert str(failed).endswith(
        f"the state of ftp.example.com. A and 1 more is unknown, and what it lacks the next run on the zone completes "
        f"from {PLACE}"
    )
    assert failed.unfinished == (WWW,)


REFUSAL = PlanRefused("others have written to it meanwhile.")


@pytest.mark.parametrize(
    ("read", "incomplete", "said", "applied", "failed"),
    [
        pytest.param(
            ["ftp 300 A 192.0.2.9"], [], "www.example.com. A holds nothing", ["ftp A"], ["www A"], id="one is missing"
        ),
        pytest.param(
            ["ftp 60 A 192.0.2.9", "www 60 A 192.0.2.2 192.0.2.3"],
            [WWW],
            "ftp.example.com. A holds 192.0.2.9 (TTL 60); www.example.com. A holds 192.0.2.2, 192.0.2.3 (TTL 60). "
            f"The next run on the zone completes what is missing from {PLACE}",
            [],
            ["ftp A", "www A"],
            id="neither is as wanted, and one is in the journal",
        ),
        pytest.param(
            ["ftp 300 A 192.0.2.9", "www 60 A 192.0.2.2"],
            [],
            "ftp.example.com. A holds 192.0.2.9 (TTL 300)",
            ["www A"],
            ["ftp A"],
            id="all are as wanted by now",
        ),
    ],
)
def test_what_is_said_where_going_on_is_refused(
    read: list[str], incomplete: list[Change], said: str, applied: list[str], failed: list[str]
) -> None:
    attempt = Attempt((FTP, WWW), entries([WWW]), PLACE)
    ended = not_continued(attempt, held(*read), REFUSAL, [*entries(incomplete).values()])
    assert str(ended) == (
        "not all is as wanted after the writing, and going on is refused: others have written to it meanwhile; " + said
    )
    assert (short(ended.applied), short(ended.failed)) == (applied, failed)
    assert short(one.key for one in ended.unfinished) == (failed if incomplete else [])
    assert ended.changes == became((FTP, WWW), held(*read))


@pytest.mark.parametrize(("number", "more"), [(10, ""), (11, " and 1 more are not as wanted")])
def test_of_many_sets_that_going_on_is_refused_for_ten_are_told(number: int, more: str) -> None:
    ended = not_continued(Attempt(many(number), {}, PLACE), held(), REFUSAL, [])
    assert str(ended).endswith(f"; a9.example.com. A holds nothing{more}")
    assert len(ended.failed) == number


LATER = f" The next run on the zone completes what is missing from {PLACE}"
MISREAD = Misread([WWW.key], "set txt_format to plain")
NOT_SO = "www.example.com. A is not as wanted after 3 rounds, in which the service answered Success: it holds "
WHO = "does somebody else write to it, or does the service drop it itself?"


def test_values_that_the_service_shows_with_another_ttl_are_told_apart() -> None:
    one = RecordSet("www.example.com.", "A", 60, ("192.0.2.1", "192.0.2.2"))
    two = replace(one, higher_ttls=(("192.0.2.2", 300),))
    remaining = (Change(two, one, Wanted(*one.key, values=one.values)),)
    told = str(not_as_wanted(remaining, remaining, held("www 60 A 192.0.2.1"), 3))
    assert told.startswith(
        f"{NOT_SO}192.0.2.1, 192.0.2.2 (TTL 60) (and the service shows 192.0.2.2 with TTL 300) "
        "in place of 192.0.2.1, 192.0.2.2 (TTL 60); "
    )


@pytest.mark.parametrize(
    ("left", "misread", "journal", "said"),
    [
        pytest.param(
            change("www", "A", "300 192.0.2.1", "60 192.0.2.2"),
            False,
            "",
            f"{NOT_SO}192.0.2.1 (TTL 300) in place of 192.0.2.2 (TTL 60); {WHO}",
            id="the old value",
        ),
        pytest.param(
            change("www", "A", "", "60 192.0.2.2"),
            False,
            PLACE,
            f"{NOT_SO}nothing in place of 192.0.2.2 (TTL 60); {WHO}{LATER}",
            id="nothing, and it is in the journal",
        ),
        pytest.param(
            change("www", "A", "300 192.0.2.1", ""),
            False,
            "",
            f"{NOT_SO}192.0.2.1 (TTL 300) in place of nothing; does somebody else write to it, or does the service "
            "make it itself?",
            id="it is to go",
        ),
        pytest.param(
            change("www", "A", "300 192.0.2.1", "300 192.0.2.2"),
            True,
            "",
            "www.example.com. A is stored otherwise than it was sent, it holds 192.0.2.1 (TTL 300) in place of "
            "192.0.2.2 (TTL 300): set txt_format to plain",
            id="a text of which the service makes another",
        ),
        pytest.param(
            change("www", "A", "300 192.0.2.1", "300 192.0.2.2"),
            True,
            PLACE,
            "www.example.com. A is stored otherwise than it was sent, it holds 192.0.2.1 (TTL 300) in place of "
            f"192.0.2.2 (TTL 300): set txt_format to plain.{LATER}",
            id="a text, and it is in the journal",
        ),
    ],
)
def test_what_is_said_after_the_last_round(left: Change, misread: bool, journal: str, said: str) -> None:
    live = held("ftp 300 A 192.0.2.9")
    failed = not_as_wanted((FTP, WWW), (left,), live, 3, MISREAD if misread else Misread(), journal)
    assert str(failed) == said
    assert (short(failed.applied), short(failed.failed)) == (["ftp A"], ["www A"])
    assert failed.unfinished == ((WWW,) if journal else ())
    assert ends(failed.changes) == ["ftp A 300 192.0.2.9", "www A gone"]
    assert failed.status_code is None


def test_of_several_sets_the_text_is_told_with_what_may_help() -> None:
    failed = not_as_wanted((FTP, WWW), (FTP, WWW), held(), 3, MISREAD)
    assert str(failed).startswith("www.example.com. A is stored otherwise than it was sent")
    assert str(not_as_wanted((FTP, WWW), (FTP, WWW), held(), 1)) == (
        "ftp.example.com. A is not as wanted after 1 rounds, in which the service answered Success: it holds nothing "
        f"in place of 192.0.2.9 (TTL 300); {WHO}"
    )


# Beside it


def test_what_else_went_wrong_is_told_beside_it() -> None:
    failed = ApplyFailed("one thing", 403, (FTP,), (FTP.key,), (WWW.key,), (V6.key,), (WWW,))
    both = besides(failed, OSError("the disk is full."))
    assert str(both) == "one thing; besides, the disk is full"
    assert vars(both) == vars(failed)
    assert besides(both, OSError("the disk is full")) is both, "once is enough"


BECAME = [
    # what was planned, what is read -> what it ends with, if it is a change at all
    pytest.param(WWW, "www 60 A 192.0.2.2", ["www A 60 192.0.2.2"], id="as planned"),
    pytest.param(WWW, "www 120 A 192.0.2.2", ["www A 120 192.0.2.2"], id="with another TTL"),
    pytest.param(WWW, "www 60 A 192.0.2.3", ["www A 60 192.0.2.3"], id="with another value"),
    pytest.param(WWW, "", ["www A gone"], id="gone"),
    pytest.param(WWW, "www 300 A 192.0.2.1", [], id="as it was"),
    pytest.param(GROWS, "www 300 A 192.0.2.2 192.0.2.1", ["www A 300 192.0.2.1 192.0.2.2"], id="in another order"),
    pytest.param(GROWS, "www 300 A 192.0.2.1", [], id="not grown"),
    pytest.param(GROWS, "www 300 A 192.0.2.3 192.0.2.1", ["www A 300 192.0.2.3 192.0.2.1"], id="half of it"),
    pytest.param(GOES, "", ["www A gone"], id="removed"),
    pytest.param(GOES, "www 300 A 192.0.2.1", [], id="not removed"),
    pytest.param(NEW, "", [], id="not created"),
    pytest.param(HOST, "mail 300 MX mx.example.net.", ["mail MX 300 10 mx.example.net."], id="without its preference"),
]


@pytest.mark.parametrize(("one", "read", "changed"), BECAME)
def test_what_became_of_a_change(one: Change, read: str, changed: list[str]) -> None:
    assert ends(became((one,), held(*[read] * bool(read)))) == changed


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("name"), "KeyError 'name'"),
        (ValueError("two\n  lines."), "ValueError two lines"),
        (RuntimeError(), "RuntimeError"),
        (ValueError("red \x1b[31m"), r"ValueError red \x1b[31m"),
    ],
)
def test_an_error_that_nobody_has_words_for(error: Exception, said: str) -> None:
    assert unexpected(error) == said


def test_a_set_that_has_one_ttl_where_it_had_several_is_changed() -> None:
    before = RecordSet("www.example.com.", "A", 60, ("192.0.2.1", "192.0.2.2"), (("192.0.2.2", 300),))
    made = replace(before, higher_ttls=())
    one = Change(before, made, Wanted(*made.key, values=made.values, ttl=60))
    assert became((one,), replace(held(), record_sets={made.key: made})) == (one,)
