# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is remembered of the last writes, which readings contradict it, and what a senseless file counts for."""

from __future__ import annotations

import json
import pathlib
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import shorthand

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import (
    LATE,
    STALE,
    History,
    Operation,
    Outcome,
    Seen,
    State,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._history.set_history import (
    MOST_DELETES,
    YOUNG,
    SetHistory,
    begun,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.kept_ttl import kept_ttls_in_words, with_kept_ttls
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._state import journal as _journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_histories import CLOCK_SET_BACK
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_memory import FORMAT, MOST_PLANS, PLANS_LAST
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory, PlanRun, remembered

WWW, FTP = Key("www.example.com.", "A"), Key("ftp.example.com.", "A")


def a_set(text: str, key: Key = WWW) -> RecordSet | None:
    """A set written like ``300 .1 .2``; nothing is no set."""
    return shorthand.a_set(key, text)


def write(memory: Memory, before: RecordSet | None, now: RecordSet | None, key: Key = WWW) -> None:
    """A run that reads a set *before*, and makes it what it is *now*."""
    memory.histories.believe(key, before)
    stays = before.values if before and now and before.ttl == now.ttl and {*before.values} <= {*now.values} else ()
    if before and not stays:
        memory.histories.send(key, None)
        memory.histories.answer(key, Outcome.DONE)
    for value in now.values if now else ():
        if now and value not in stays:
            memory.histories.send(key, value, now.ttl)
            memory.histories.answer(key, Outcome.DONE)


def noted(*steps: tuple[str, str]) -> Memory:
    """The memory of these writes to www, each from one set to another."""
    memory = Memory()
    for before, now in steps:
        write(memory, a_set(before), a_set(now))
    return memory


REPLACED = [("300 .1 .2", ""), ("", "300 .3"), ("300 .3", "300 .3 .4")]

CONTRADICTIONS = [
    # the writes, and what is read -> whether it is older than them
    pytest.param([("300 .1", "300 .1 .2")], "300 .1 .2", False, id="as left"),
    pytest.param([("300 .1", "300 .1 .2")], "300 .2 .1", False, id="as left, in another order"),
    pytest.param([("300 .1", "300 .1 .2")], "300 .1", True, id="a value is missing"),
    pytest.param([("300 .1", "300 .1 .2")], "", True, id="the set is missing"),
    pytest.param([("300 .1", "300 .1 .2")], "300 .1 .2 .9", False, id="others have added a value"),
    pytest.param([("300 .1", "300 .1 .2")], "60 .1 .2", False, id="others have given it another TTL"),
    pytest.param([("300 .1", "300 .1 .2")], "60 .1", True, id="another TTL, and a value is missing"),
    pytest.param([("", "300 .1")], "", True, id="a new set is missing"),
    pytest.param([("", "300 .1")], "300 .1", False, id="a new set is there"),
    pytest.param(REPLACED, "300 .3 .4", False, id="replaced"),
    pytest.param(REPLACED, "300 .1 .2", True, id="replaced, and read as before"),
    pytest.param(REPLACED, "300 .3 .4 .2", True, id="replaced, and a value that is gone is back"),
    pytest.param(REPLACED, "300 .3", True, id="replaced, and read half way"),
    pytest.param(REPLACED, "", True, id="replaced, and read as deleted"),
    pytest.param(REPLACED, "300 .3 .4 .9", False, id="replaced, and others have added a value"),
    pytest.param([("300 .1", "60 .1")], "300 .1", True, id="the former TTL"),
    pytest.param([("300 .1", "60 .1")], "60 .1", False, id="the new TTL"),
    pytest.param([("300 .1", "60 .1")], "90 .1", False, id="a third TTL"),
    pytest.param([("300 .1", "60 .1"), ("60 .1", "300 .1")], "60 .1", True, id="TTL there and back, read half way"),
    pytest.param([("300 .1", "60 .1"), ("60 .1", "300 .1")], "300 .1", False, id="TTL there and back"),
    pytest.param([("300 .1 .2", "")], "", False, id="deleted"),
    pytest.param([("300 .1 .2", "")], "300 .1 .2", True, id="deleted, and shown again"),
    pytest.param([("300 .1 .2", "")], "60 .2", True, id="deleted, and one of its values shown again"),
    pytest.param([("300 .1 .2", "")], "300 .9", False, id="deleted, and others have made another"),
    pytest.param([("300 .1", ""), ("", "300 .1")], "300 .1", False, id="deleted and made again"),
    pytest.param([("300 .1", ""), ("", "300 .1")], "", True, id="deleted and made again, read half way"),
    pytest.param([("300 .1", ""), ("", "60 .2"), ("60 .2", "")], "60 .2", True, id="came and went, read half way"),
    pytest.param([("300 .1", ""), ("", "60 .2"), ("60 .2", "")], "300 .1", True, id="came and went, read as before"),
    pytest.param([("300 .1", "300 .2"), ("300 .7", "300 .3")], "300 .2", True, id="what an earlier write left"),
]


@pytest.mark.parametrize("is_read_from_a_file", [False, True], ids=["in the same run", "in the next run"])
@pytest.mark.parametrize(("steps", "read", "contradicts"), CONTRADICTIONS)
def test_a_reading_that_is_older_than_a_write(
    steps: list[tuple[str, str]], read: str, contradicts: bool, is_read_from_a_file: bool
) -> None:
    memory = noted(*steps)
    if is_read_from_a_file:
        memory = remembered(memory.content())
    held = a_set(read)
    assert memory.histories.contradicted(lambda _key: held) == ([WWW] if contradicts else [])
    memory.histories.concede(lambda _key: held)
    assert memory.histories.contradicted(lambda _key: held) == [], "it is believed after all"


# .1 and .2 were replaced by .3 and .4, and of those .4 is taken out again: .3 alone has been there on the way.
AGAIN = [*REPLACED, ("300 .3 .4", "")]

PROOFS = [
    # the writes, what is read, and the value that was sent -> whether the reading shows that it has arrived
    pytest.param([], "300 .1", ".1", True, id="nothing is known"),
    pytest.param([("300 .1", "300 .1 .2")], "300 .1 .2 .3", ".3", True, id="a value that never was there"),
    pytest.param([("300 .1", "300 .1 .2")], "300 .1 .3", ".3", True, id="others have taken out what was written"),
    pytest.param([("300 .1", "")], "300 .1", ".1", False, id="read as before the deletion"),
    pytest.param([("300 .1 .2", "")], "300 .1 .2", ".1", False, id="two, read as before the deletion"),
    pytest.param([("300 .1 .2", "")], "300 .1", ".1", True, id="alone, as it never was"),
    pytest.param([("300 .1 .2", "")], "300 .1 .9", ".1", True, id="alone, and others have added a value"),
    pytest.param([("300 .1", "")], "300 .1 .9", ".1", False, id="read as before, and others have added a value"),
    pytest.param([("300 .1", "")], "60 .1", ".1", False, id="with a TTL that it may have had"),
    pytest.param([("300 .1", "")], "60 .2", ".2", True, id="another value"),
    pytest.param([("300 .1", "")], "", ".1", False, id="no set"),
    pytest.param([("300 .1", "")], "", None, True, id="gone, and nothing is left"),
    pytest.param([("", "300 .1")], "", None, False, id="gone as before it was made"),
    pytest.param([("", "300 .1"), ("300 .1", "300 .1 .2")], "", None, False, id="made, and then added to"),
    pytest.param([("300 .1", "300 .1 .2")], "", None, True, id="gone as it has not been, because it was added to"),
    pytest.param([("300 .1", "60 .1")], "", None, False, id="gone as on the way to another TTL"),
    pytest.param([("300 .1 .2", "300 .2")], "", None, False, id="gone as on the way to fewer values"),
    pytest.param([("300 .1 .2", "300 .2"), ("300 .2", "300 .2 .3")], "", None, False, id="so too, and then added to"),
    pytest.param([("300 .1", "300 .1 .2")], "300 .1 .2", None, False, id="not gone"),
    pytest.param(AGAIN, "300 .3", ".3", False, id="read as on the way to what was deleted"),
    pytest.param(AGAIN, "300 .3 .9", ".3", False, id="so too, and others have added a value"),
    pytest.param(AGAIN, "300 .3 .4", ".3", False, id="so too, a step further"),
    pytest.param(AGAIN, "300 .4", ".4", True, id="as it never was on the way"),
    pytest.param(AGAIN, "300 .1", ".1", True, id="a part of what it began with, as it never was"),
    pytest.param([*AGAIN, ("", "300 .4")], "300 .4 .3", ".3", False, id="the same values in another order"),
    pytest.param([*AGAIN, ("", "60 .4")], "60 .4 .3", ".3", True, id="the same values with another TTL"),
]


@pytest.mark.parametrize("is_read_from_a_file", [False, True], ids=["in the same run", "in the next run"])
@pytest.mark.parametrize(("steps", "read", "value", "is_proof"), PROOFS)
def test_a_reading_that_proves_what_was_sent(
    steps: list[tuple[str, str]], read: str, value: str | None, is_proof: bool, is_read_from_a_file: bool
) -> None:
    memory = noted(*steps)
    if is_read_from_a_file:
        memory = remembered(memory.content())
    if steps:
        memory.histories.send(WWW, value, 300)
    held = a_set(read)
    is_shown = held is None if value is None else held is not None and value in held.values
    assert (is_shown and not memory.histories.is_outdated(WWW, held)) is is_proof


def killed(key: Key = WWW, *values: str) -> Memory:
    """The memory that a run left which was killed as it was about to add these values."""
    memory = Memory()
    for value in values:
        memory.histories.send(key, value, 300)
    return remembered(memory.content())


def test_a_set_that_a_killed_run_may_have_made_is_gone_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = killed(WWW, ".1")
    assert [memory.histories.has(WWW, value) for value in (".1", ".2")] == [True, False]
    assert not memory.histories.is_outdated(WWW, None)
    assert not memory.histories.is_outdated(WWW, a_set("300 .1"))
    write(memory, a_set("300 .1"), a_set("300 .1 .2"))
    assert memory.histories.is_outdated(WWW, a_set("300 .1"))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + STALE + 1)
    assert not remembered(memory.content()).histories.is_outdated(WWW, a_set("300 .1"))


MAIL = Key("example.com.", "MX")
TWO_HOSTS = [("", "300 10_a."), ("300 10_a.", "300 10_a. 20_b.")]

# What a task noted as it sent it, the next one notes as it is shown.
HOSTS = [
    # the writes, what is read, the value that was sent -> whether that was written, and whether the reading proves it
    pytest.param([("300 10_a. 20_b.", "")], "300 a. b.", "10_a.", False, False, id="read as before the deletion"),
    pytest.param([("300 10_a. 20_b.", "")], "300 a.", "10_a.", False, True, id="alone, as it never was"),
    pytest.param([("300 a. b.", "")], "300 a. b.", "10_a.", False, False, id="noted as shown, read as before"),
    pytest.param([("300 a. b.", "")], "300 a.", "10_a.", False, True, id="noted as shown, alone"),
    pytest.param([("300 a.", "")], "60 a.", "10_a.", False, False, id="noted as shown, with another TTL"),
    pytest.param([*TWO_HOSTS, ("300 a. b.", "")], "300 a.", "10_a.", False, False, id="as on the way"),
    pytest.param([*TWO_HOSTS, ("300 a. b.", "")], "300 b.", "20_b.", False, True, id="as never on the way"),
    pytest.param([("", "300 10_a."), ("", "300 a.")], "300 a.", "10_a.", True, True, id="noted in both forms"),
    pytest.param([("", "300 a.")], "300 a.", "10_a.", True, True, id="written, and noted as shown"),
    pytest.param([("", "300 10_a.")], "300 a.", "a.", True, True, id="written, and asked for as shown"),
    pytest.param([("300 10_a.", "300 20_a.")], "300 a. b.", "30_b.", False, True, id="of two preferences one is left"),
]


@pytest.mark.parametrize(("steps", "read", "value", "was_written", "is_proof"), HOSTS)
def test_a_mail_host_that_is_shown_without_its_preference_is_the_one_that_was_there(
    steps: list[tuple[str, str]], read: str, value: str, was_written: bool, is_proof: bool
) -> None:
    def a_mail_set(written: str) -> RecordSet | None:
        held = a_set(written, MAIL)
        return held and replace(held, values=tuple(value.replace("_", " ") for value in held.values))

    memory = Memory()
    for before, now in steps:
        write(memory, a_mail_set(before), a_mail_set(now), MAIL)
    known = memory.histories.has(MAIL, value.replace("_", " "))
    assert (known, not memory.histories.is_outdated(MAIL, a_mail_set(read))) == (was_written, is_proof)


def test_an_earlier_reading_that_counts_is_of_the_hosts_with_their_preferences() -> None:
    memory, now = Memory(), [1000.0]
    memory.histories.clock = lambda: now[0]
    write(memory, None, RecordSet(*MAIL, 300, ("10 a.",)), MAIL)
    now[0] += 30
    assert memory.histories.see_before(MAIL, RecordSet(*MAIL, 300, ("a.", "b.")), 1.0)
    assert memory.histories.expected(MAIL) == RecordSet(*MAIL, 300, ("10 a.", "b."))


def test_a_mail_host_that_a_killed_run_may_have_created() -> None:
    memory = killed(MAIL, "10 a.")
    assert [memory.histories.has(MAIL, value) for value in ("10 a.", "a.", "20 a.", "b.", None)] == [
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(("read", "contradicts"), [("300 a.", True), ("300 b.", False), ("300 a. b.", True)])
def test_a_mail_host_that_is_gone_and_shown_without_its_preference(read: str, contradicts: bool) -> None:
    memory = Memory()
    write(memory, RecordSet(*MAIL, 300, ("10 a.",)), RecordSet(*MAIL, 300, ("10 b.",)), MAIL)
    assert memory.histories.contradicted(lambda _key: a_set(read, MAIL)) == ([MAIL] if contradicts else [])


def test_only_what_contradicts_is_forgotten() -> None:
    memory = noted(("", "300 .1"))
    write(memory, None, a_set("300 .2", FTP), FTP)
    memory.histories.concede(lambda key: a_set("300 .2", FTP) if key == FTP else None)
    assert [memory.histories.has(WWW, ".1"), memory.histories.has(FTP, ".2")] == [False, True]


@pytest.mark.parametrize(
    ("steps", "value", "was_written"),
    [
        ([], ".1", False),
        ([], None, False),
        ([("", "300 .1")], ".1", True),
        ([("", "300 .1")], ".2", False),
        ([("", "300 .1")], None, False),
        ([("300 .1", "")], None, True),
        ([("300 .1", "")], ".1", False),
        ([("300 .1", ""), ("", "300 .1")], None, False),
        ([("300 .1", ""), ("", "300 .1")], ".1", True),
    ],
)
def test_what_was_written(steps: list[tuple[str, str]], value: str | None, was_written: bool) -> None:
    assert noted(*steps).histories.has(WWW, value) is was_written


def test_a_value_of_many_is_noted_as_fast_as_one_of_few() -> None:
    """A set of thousands is created value by value, and each is noted."""
    memory, before = Memory(), tuple(f"192.0.{n // 256}.{n % 256}" for n in range(6000))
    compared = 0

    class Counted(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, str(other))

    memory.histories.believe(WWW, RecordSet(*WWW, 300, tuple(map(Counted, before))))
    memory.histories.send(WWW, ".1", 300)
    memory.histories.answer(WWW, Outcome.DONE)
    assert compared <= 4 * len(before)


# The file


def test_the_file_keeps_what_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    memory = noted(*REPLACED)
    write(memory, a_set("300 .1", FTP), None, FTP)
    memory.histories.send(FTP, None)
    memory.histories.believe(WWW, a_set("300 .3 .4"))
    memory.kept_ttls = {WWW: (60, 300), FTP: (0, 2**31 - 1)}
    memory.text_form = "quoted"
    assert remembered(memory.content()) == memory


@pytest.mark.parametrize("ahead", [2 * CLOCK_SET_BACK, -2 * CLOCK_SET_BACK])
def test_the_file_is_by_the_clock_of_the_store(ahead: float) -> None:
    memory = noted(*REPLACED)
    content = memory.content(ahead)
    read = remembered(content, ahead)
    assert read.histories.sets[WWW].at == pytest.approx(memory.histories.sets[WWW].at)
    assert remembered(content, -ahead) == remembered(content) == Memory()


def taken_late(memory: Memory, held: Callable[[Key], RecordSet | None]) -> list[tuple[RecordSet | None, int]]:
    """What seems to have been taken along, and how many DELETEs may have."""
    return [(one.expected, memory.histories.pending_deletes(one.key)) for one in memory.histories.taken_late(held)]


def unanswered(memory: Memory, number: int) -> None:
    """So many DELETEs of www get no answer."""
    for _number in range(number):
        memory.histories.send(WWW, None)


def test_a_deletion_without_an_answer_may_take_the_set_along_until_one_is_meant() -> None:
    memory = noted(("", "300 .1"))
    assert taken_late(memory, lambda _key: None) == []
    unanswered(memory, 2)
    memory.histories.believe(WWW, a_set("300 .1"))
    assert taken_late(memory, lambda _key: None) == [(a_set("300 .1"), 2)]
    assert taken_late(memory, lambda _key: a_set("300 .1")) == []
    assert remembered(memory.content()).histories.pending_deletes(WWW) == 2
    assert memory.histories.pending_deletes(FTP) == 0, "of what was not noted nobody knows what it held"
    memory = remembered(memory.content())
    write(memory, a_set("300 .1"), a_set("60 .2"))
    assert taken_late(memory, lambda _key: None) == [(a_set("60 .2"), 2)], "it was rebuilt"
    memory.histories.expect_removed([FTP, WWW])
    assert taken_late(memory, lambda _key: None) == []
    write(memory, a_set("60 .2"), None)
    assert taken_late(memory, lambda _key: None) == [], "nothing is left"
    memory = remembered(memory.content())
    write(memory, None, a_set("300 .3"))
    assert taken_late(memory, lambda _key: None) == [(a_set("300 .3"), 2)], "and what is created next can"


def test_what_a_late_deletion_has_taken_along_is_missing_from_what_was_added_since() -> None:
    memory = noted(("", "300 .1 .2"))
    unanswered(memory, 1)
    told = [(a_set("300 .1 .2"), 1)]
    assert taken_late(memory, lambda _key: a_set("300 .9")) == taken_late(memory, lambda _key: a_set("300 .2")) == told
    assert taken_late(memory, lambda _key: a_set("300 .2 .9 .1")) == []


@pytest.mark.parametrize(
    ("read", "pending"),
    [("", 1), ("300 .2", 1), ("300 .9", 1), ("300 .1 .2", 2), ("60 .1 .2", 2), ("300 .1 .2 .9", 2)],
)
def test_a_reading_that_is_believed_tells_whether_one_of_them_came(read: str, pending: int) -> None:
    memory = noted(("", "300 .1 .2"))
    unanswered(memory, 2)
    if read == "300 .2":
        memory.histories.send(WWW, ".2", 300)
        memory.histories.answer(WWW, Outcome.DONE)
    memory.histories.believe(WWW, a_set(read))
    assert memory.histories.pending_deletes(WWW) == pending


def test_a_set_that_is_about_to_be_deleted_on_purpose_does_not_come_back() -> None:
    memory = noted(("", "300 .1"))
    unanswered(memory, 1)
    memory.histories.expect_removed([FTP, WWW])
    memory = remembered(memory.content())
    assert taken_late(memory, lambda _key: None) == []
    assert memory.histories.pending_deletes(WWW) == 1


@pytest.mark.parametrize(
    ("told_first", "of_memory", "of_journal", "pending", "is_known"),
    [(True, 2, 1, 2, True), (True, 1, 3, 3, True), (False, 2, 1, 2, False), (False, 1, MOST_DELETES + 1, 100, False)],
)
def test_what_a_journal_tells_of_a_set_counts_where_nothing_was_kept_later(
    told_first: bool, of_memory: int, of_journal: int, pending: int, is_known: bool
) -> None:
    """So do the DELETEs of both that may still come."""
    memory, now = noted(("", "300 .1")), time.time() + (-5 if told_first else 5)
    unanswered(memory, of_memory)
    told = begun(WWW, a_set("300 .1")).believed(a_set("300 .2"), now)
    memory.histories.recall(told.with_pending_deletes(of_journal, now, now))
    assert (memory.histories.pending_deletes(WWW), memory.histories.has(WWW, ".1")) == (pending, is_known)


def test_deletes_that_a_journal_tells_of_come_no_more_after_a_while() -> None:
    memory, long_ago = Memory(), time.time() - LATE - 5
    memory.histories.recall(begun(FTP, a_set("300 .2", FTP)).with_pending_deletes(3, long_ago, long_ago))
    assert memory.histories.pending_deletes(FTP) == 0


def test_some_sets_can_be_asked_for_alone() -> None:
    memory = noted(("", "300 .1"))
    write(memory, None, a_set("300 .2", FTP), FTP)
    other = Key("other.example.com.", "A")
    assert memory.histories.contradicted(lambda _key: None, [other, FTP]) == [FTP]
    assert memory.histories.contradicted(lambda _key: None, []) == []
    assert memory.histories.contradicted(lambda _key: None) == [WWW, FTP]


def test_the_first_line_of_the_file() -> None:
    memory = noted(("", "300 .1"))
    memory.kept_ttls, memory.text_form = {FTP: (60, 300)}, "plain"
    first = {"format": 3, "at": memory.histories.sets[WWW].at, "kept_ttls": [[*FTP, 60, 300]], "text_form": "plain"}
    assert json.loads(memory.content().splitlines()[0]) == {**first, "plans": [], "preferences": []}


def test_no_file_is_nothing() -> None:
    assert remembered(None) == Memory()


def test_not_more_ttls_are_kept_than_can_be_read_quickly() -> None:
    memory = Memory(kept_ttls={Key(f"n{n}.example.com.", "A"): (60, 300) for n in range(10_002)})
    kept = [name for name, _type in remembered(memory.content()).kept_ttls]
    assert kept == [f"n{n}.example.com." for n in range(2, 10_002)]


@pytest.mark.parametrize(
    ("age", "counts"),
    [
        *((0.0, True), (YOUNG - 5, True), (YOUNG + 1, False), (3600.0, False)),
        # The clock was set back since.
        *((-3.0, True), (5 - LATE, True), (5 - CLOCK_SET_BACK, True), (-CLOCK_SET_BACK - 5, False)),
    ],
)
def test_what_is_older_than_a_minute_or_of_a_far_future_counts_no_more(
    age: float, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = noted(("", "300 .1"))
    memory.kept_ttls = {WWW: (60, 300)}
    now, content = time.time(), memory.content()
    monkeypatch.setattr(time, "time", lambda: now + age)
    read = remembered(content)
    assert bool(read.histories.sets) is counts
    is_late = counts and age < STALE
    assert [*read.histories.contradicted(lambda _key: None)] == [WWW] * is_late, (
        "and a reading that is late is not believed"
    )
    assert read.kept_ttls == memory.kept_ttls, "what a service makes of a TTL is true for longer"


COLLECTED = time.time()
"""The files of the next test are from here on; the test may well run much later."""


def file(**fields: Any) -> bytes:
    """A file with one good set and one good TTL, but for these fields."""
    now = time.time() - 1
    good = {"key": [*WWW], "start": [60, ".2"], "left": [300, ".1"], "is_to_go": False}
    good["steps"] = [
        ["delete", now, "unknown", False],
        ["add", now, "done", False, 300, ".1"],
        ["seen", now, "as left"],
    ]
    row = {name: fields.pop(name, held) for name, held in good.items()}
    row = {name: held for name, held in row.items() if held is not ...}
    whole = {"format": FORMAT, "at": now, "sets": [row], "kept_ttls": [[*WWW, 60, 300]]}
    whole |= {"text_form": "plain", **fields}
    return in_lines({name: held for name, held in whole.items() if held is not ...})


def in_lines(whole: dict[str, Any]) -> bytes:
    """The memory of which the sets are the second line."""
    second = {name: whole.pop(name) for name in ("sets",) if name in whole}
    return b"\n".join(json.dumps(line).encode() for line in (whole, second))


def test_the_file_of_the_next_table_is_good() -> None:
    read = remembered(file())
    known, now = read.histories.sets[WWW], read.histories.sets[WWW].at
    added = (Operation(None, 0, now), Operation(".1", 300, now, Outcome.DONE), Seen(State(300, frozenset([".1"])), now))
    assert known == SetHistory(WWW, History(State(60, frozenset([".2"])), added), a_set("300 .1"))
    assert (read.kept_ttls, read.text_form) == ({WWW: (60, 300)}, "plain")
    assert remembered(file(left=None)).histories.sets[WWW].expected is None
    assert remembered(file(text_form="other")).text_form == ""


def test_a_memory_of_the_version_before_is_read() -> None:
    now = time.time() - 1
    row = {"key": [*WWW], "left": {**WWW._asdict(), "ttl": 300, "contents": [".1"]}, "at": now, "pending_deletes": 2}
    first = {"format": 2, "at": now, "lasts": LATE, "kept_ttls": [], "text_form": ""}
    read = remembered(in_lines({**first, "sets": [{**row, "is_to_go": True}, {**row, "key": [*FTP], "left": None}]}))
    assert [read.histories.pending_deletes(key) for key in (WWW, FTP)] == [2, 2]
    assert (
        read.histories.sets[WWW].expected,
        read.histories.sets[WWW].is_to_go,
        read.histories.sets[FTP].expected,
    ) == (a_set("300 .1"), True, None)
    for wrong in ({"pending_deletes": -1}, {"left": 7}, {"at": "x"}, {"key": "ab"}):
        assert remembered(in_lines({**first, "sets": [{**row, **wrong}]})) == Memory()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(content, id=str(number))
        for number, content in enumerate(
            [
                b"",
                b"no JSON",
                b"\x00\xff",
                b"null",
                b"7",
                b'"text"',
                b"[]",
                b"{}",
                b"[" * 100_000,
                b'{"a":' * 100_000,
                b"9" * 5000,
                *(file(format=value) for value in (..., None, 1, "2", [2])),
                *(file(sets=value) for value in (..., None, 7, "text", {"a": 1}, [7], ["text"], [[]], [None], [{}])),
                *(file(at=value) for value in (None, "soon", [], {}, 10**400, -(10**400))),
                *(file(key=value) for value in (None, 7, "ab", [], ["a"], ["a", "b", "c"], [1, 2], [["a"], "b"], {})),
                *(file(**{side: value}) for side in ("left", "start") for value in (7, "text", [], {})),
                *(
                    file(**{side: [ttl, ".1"]})
                    for side in ("left", "start")
                    for ttl in (None, "300", True, 1.5, -1, 2**31, [300])
                ),
                *(file(left=value) for value in ([300, 1], [300, None], [300, [".1"]])),
                *(file(steps=value) for value in (None, 7, "text", [7], [[]], [["seen"]])),
                *(
                    file(steps=[[kind, COLLECTED, *rest]])
                    for kind, rest in (
                        *(("seen", rest) for rest in ([], [None, 2], ["x"], [[None, ".1"]], [[-1, ".1"]], [[2**31]])),
                        *(("delete", [outcome, False]) for outcome in (None, 7, "", "DONE", [], {})),
                        ("delete", ["done", False, 1]),
                        *(("add", ["done", False, *rest]) for rest in ([], ["60", ".1"], [60, 7], [60, [".1"]])),
                        ("other", ["done", False]),
                    )
                ),
                *(file(steps=[["delete", at, "done", False]]) for at in (None, "x", [], 10**400)),
                *(
                    file(kept_ttls=value)
                    for value in (
                        ...,
                        None,
                        7,
                        [7],
                        [[]],
                        [["a"]],
                        [["a", "b"]],
                        [["a", "b", 1]],
                        [["a", "b", 1, 2, 3]],
                        [["a", "b", True, 2]],
                        [["a", "b", 1, 2**31]],
                        [["a", "b", -1, 2]],
                        [["a", "b", "1", 2]],
                        [[1, "b", 1, 2]],
                        [["a", ["b"], 1, 2]],
                    )
                ),
                file(text_form=...),
            ]
        )
    ],
)
def test_a_file_that_makes_no_sense_counts_for_nothing(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: COLLECTED + 10)
    assert remembered(content) == Memory()


@pytest.mark.parametrize("at", [float("nan"), float("inf"), float("-inf"), True, False, 0, -1, 1e300])
def test_a_time_that_cannot_be_is_no_time_of_the_last_minute(at: Any) -> None:
    assert remembered(file(at=at)).histories.sets == {}
    assert remembered(file(steps=[["delete", at, "unknown", False]])).histories.sets == {}


@pytest.mark.parametrize("form", [None, 7, "", "PLAIN", ["plain"], {"plain": 1}])
def test_a_text_form_that_there_is_not(form: Any) -> None:
    assert remembered(file(text_form=form)).text_form == ""


def test_of_two_rows_for_one_set_the_last_counts() -> None:
    first, second = map(json.loads, file().splitlines())
    second["sets"].append({**second["sets"][0], "left": None})
    first["kept_ttls"].append([*WWW, 60, 900])
    read = remembered(in_lines({**first, **second}))
    assert (read.histories.sets[WWW].expected, read.kept_ttls) == (None, {WWW: (60, 900)})


def test_a_thread_that_was_left_behind_may_note_while_the_file_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = noted(("", "300 .1"))
    lasting = SetHistory.lasting

    def noting(known: SetHistory, now: float) -> SetHistory | None:
        write(memory, None, a_set("300 .2", FTP), FTP)
        return lasting(known, now)

    monkeypatch.setattr(SetHistory, "lasting", noting)
    content = memory.content()
    monkeypatch.undo()
    assert WWW in remembered(content).histories.sets


def test_it_is_beside_the_lock_and_for_us_alone(journal: Journal, state_dir: pathlib.Path) -> None:
    memory = noted(*REPLACED)
    with journal.lock():
        journal.write(None, memory)
        assert journal.look().memory == memory
    assert journal.look().memory == memory
    (path,) = state_dir.glob("*.written")
    assert path.stem == journal.store.path.stem
    assert path.stat().st_mode & 0o777 == 0o600
    assert not journal.look().is_open


def test_what_would_be_too_large_to_be_read_is_not_written(
    journal: Journal, state_dir: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = noted(*REPLACED)
    with journal.lock():
        monkeypatch.setattr(_journal, "LARGEST", len(memory.content()) + 20)
        journal.write(None, memory)
        assert journal.look().memory == memory
        write(memory, None, a_set("300 .1", FTP), FTP)
        journal.write(None, memory)
    (warning,) = journal.warnings
    assert warning == (
        "the note of what was written would have more than 0 MiB: later runs "
        "may take a late reading for what the zone holds, and miss what a request without an answer does"
    )
    assert journal.look().memory.histories.sets.keys() == {WWW}
    assert len([*state_dir.glob("*.written")]) == 1


@pytest.mark.parametrize("what", ["link", "folder", "others can write to it"])
def test_a_file_that_may_be_of_somebody_else_is_not_read(
    journal: Journal, state_dir: pathlib.Path, tmp_path: pathlib.Path, what: str
) -> None:
    with journal.lock():
        journal.write(None, noted(*REPLACED))
    (path,) = state_dir.glob("*.written")
    if what == "others can write to it":
        path.chmod(0o622)
    else:
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere") if what == "link" else path.mkdir()
    assert journal.look().memory == Memory()


def test_where_there_is_no_folder_nothing_is_remembered(journal: Journal, state_dir: pathlib.Path) -> None:
    assert journal.look().memory == Memory()
    journal.write(None, noted(*REPLACED))
    assert not state_dir.exists()
    note = journal.store.path.with_suffix(".written")
    [warning] = journal.warnings
    assert warning.startswith(f"the note of what was written {note} cannot be written, No such file or directory: ")


# A TTL that the service keeps in place of the one that was sent


@pytest.mark.parametrize(
    ("wanted", "live", "kept", "ttl"),
    [
        pytest.param(60, 300, (60, 300), 300, id="kept, and still so"),
        pytest.param(60, 900, (60, 300), 60, id="the service keeps another one now"),
        pytest.param(30, 300, (60, 300), 30, id="another one is wanted, of which nothing is known"),
        pytest.param(100, 300, (60, 300), 300, id="another one is wanted, which would be raised too"),
        pytest.param(600, 300, (900, 300), 300, id="another one is wanted, which would be lowered too"),
        pytest.param(400, 300, (60, 300), 400, id="a larger one is wanted"),
        pytest.param(60, 60, (60, 300), 60, id="kept as it was sent after all"),
        pytest.param(60, 300, None, 60, id="nothing known"),
        pytest.param(None, 300, (60, 300), None, id="none is wanted"),
        pytest.param(60, None, (60, 300), 60, id="no such set"),
    ],
)
def test_a_kept_ttl(wanted: int | None, live: int | None, kept: tuple[int, int] | None, ttl: int | None) -> None:
    one = Wanted(*WWW, (".1",), ttl=wanted)
    held = {} if live is None else {WWW: RecordSet(*WWW, live, (".1",))}
    expected = Wanted(*WWW, (".1",), ttl=ttl), {} if ttl == wanted else {WWW: (wanted, ttl)}
    assert with_kept_ttls([one], held, {WWW: kept} if kept else {}) == ([expected[0]], expected[1])
    assert with_kept_ttls([one], held, {FTP: kept} if kept else {}) == ([one], {})


def test_the_sets_with_a_ttl_of_the_service_s_own_are_told_together() -> None:
    many = {Key(f"a{number:02}.", "A"): (60, 120) for number in range(22)}
    kept = {**many, WWW: (60, 300)}
    first = ", ".join(f"a{number:02}. A" for number in range(20))
    assert [*kept_ttls_in_words(kept)] == [
        f"{first} and 2 more have a TTL of 120 seconds and not of 60: the service keeps its own",
        "www.example.com. A has a TTL of 300 seconds and not of 60: the service keeps its own",
    ]


# Reviewed plans

A_PLAN, B_PLAN = "a" * 64, "b" * 64
RUN = [A_PLAN, COLLECTED, "host h, pid 1", True, True]


def next_one(memory: Memory) -> Memory:
    """What the next run reads."""
    return remembered(memory.content())


@pytest.mark.parametrize(
    ("steps", "spent"),
    [
        ("", ""),
        ("begin a", ""),
        ("begin a, end a", "a whole"),
        ("begin a, begin a", ""),
        ("begin a, begin b", "a"),
        ("begin a, begin b, end b", "a, b whole"),
        ("begin a, end a, begin b", "a whole"),
        ("begin a, begin b, begin a", "b"),
        ("end a", ""),
    ],
)
def test_which_plans_are_spent(steps: str, spent: str) -> None:
    memory = Memory()
    for step in steps.split(", ") if steps else ():
        verb, _space, plan = step.partition(" ")
        memory.begin_plan(plan * 64, "me") if verb == "begin" else memory.end_plan(plan * 64)
        memory = next_one(memory)
    told = {plan: run for plan in "ab" if (run := memory.spent(plan * 64))}
    assert ", ".join(f"{plan} whole" if run.is_whole else plan for plan, run in told.items()) == spent


def test_what_is_told_of_a_plan() -> None:
    run = PlanRun(0.0, "host \x1b, pid 1", is_whole=True)
    assert run.told == "was carried out on 1970-01-01 at 00:00 UTC by the run of host \\x1b, pid 1"
    assert run._replace(is_whole=False).told.replace("begun", "carried out") == f"{run.told}, and another one since"


@pytest.mark.parametrize(
    ("row", "is_spent"),
    [
        (RUN, True),
        ([A_PLAN, COLLECTED - PLANS_LAST + 1, "me", True, True], True),
        ([A_PLAN, COLLECTED - PLANS_LAST, "me", True, True], False),
        # What says that it was carried out is believed as far as it can be.
        ([A_PLAN, COLLECTED + 10**9, "me", True, True], True),
        ([A_PLAN, COLLECTED, "x" * 10**6, None, 7], True),
        ([A_PLAN, COLLECTED, "me", True, False], False),
        *(
            (row, False)
            for row in (
                None,
                7,
                [],
                RUN[:-1],
                [*RUN, 1],
                [7, *RUN[1:]],
                ["A" * 64, *RUN[1:]],
                [f"{A_PLAN}\n", *RUN[1:]],
                [A_PLAN, "x", "me", True, True],
                [A_PLAN, float("nan"), "me", True, True],
                [A_PLAN, 10**400, "me", True, True],
                [A_PLAN, COLLECTED, 7, True, True],
            )
        ),
    ],
)
def test_a_row_of_a_plan(row: Any, is_spent: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that makes no sense is none, and the others count."""
    monkeypatch.setattr(time, "time", lambda: COLLECTED)
    memory = remembered(file(plans=[row, [B_PLAN, *RUN[1:]]]))
    assert bool(memory.spent(A_PLAN)) == is_spent
    assert memory.spent(B_PLAN)
    assert len(str(memory.plans)) < 1000
    for run in memory.plans.values():
        assert run.told


@pytest.mark.parametrize("plans", [..., None, 7, {"a": 1}, "x"])
def test_a_memory_without_plans(plans: Any) -> None:
    assert remembered(file(plans=plans)).plans == {}
    assert remembered(file(plans=plans)).text_form == "plain"


def test_no_more_plans_are_kept_than_one_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: COLLECTED)
    memory = Memory()
    for number in range(MOST_PLANS + 3):
        memory.begin_plan(f"{number:064}", "me")
    assert [*next_one(memory).plans] == [f"{number:064}" for number in range(3, MOST_PLANS + 3)]
    rows = [[f"{number:064}", *RUN[1:]] for number in range(10 * MOST_PLANS)]
    assert len(remembered(file(plans=rows)).plans) == MOST_PLANS


def test_when_a_plan_was_begun_is_of_the_clock_of_the_store() -> None:
    memory = Memory()
    memory.begin_plan(A_PLAN, "me")
    read = remembered(memory.content(ahead=5000.0), ahead=5000.0)
    assert read.plans[A_PLAN].at == pytest.approx(memory.plans[A_PLAN].at, abs=1)


# Preferences of mail hosts

MAIL = Key("example.com.", "MX")
GOOD = ["example.com.", "MX", "10 a.example.net.", "20 b.example.net."]


@pytest.mark.parametrize(
    ("row", "is_kept"),
    [
        (GOOD, True),
        ([*GOOD, "65535 c.example.net."], True),
        *(
            (row, False)
            for row in (
                None,
                7,
                [],
                GOOD[:2],
                [*GOOD, 7],
                [*GOOD, "c.example.net."],
                [*GOOD, "65536 c.example.net."],
                [*GOOD, "999999 c.example.net."],
                [*GOOD, "-1 c.example.net."],
                [*GOOD, "10 c.example.net. x"],
                [*GOOD, "10 c.example.net.\n"],
                ["example.com.", "A", "10 a.example.net."],
            )
        ),
    ],
)
def test_a_row_of_preferences(row: Any, is_kept: bool) -> None:
    """One that makes no sense is none, and the others count."""
    other = ["x.example.com.", *GOOD[1:]]
    known = remembered(file(preferences=[row, other])).histories.preferences
    assert (MAIL in known) == is_kept
    assert known[Key("x.example.com.", "MX")] == tuple(GOOD[2:])


@pytest.mark.parametrize("preferences", [..., None, 7, {"a": 1}, "x"])
def test_a_memory_without_preferences(preferences: Any) -> None:
    assert remembered(file(preferences=preferences)).histories.preferences == {}


@pytest.mark.parametrize(
    ("steps", "known"),
    [
        (["10 a"], "10 a"),
        (["10 a", "a"], "10 a"),
        (["10 a", "a 20 b"], "10 a 20 b"),
        (["10 a 20 b", "b"], "20 b"),
        (["10 a", ""], ""),
        (["10 a", "", "a"], ""),
        (["a"], ""),
        (["a", "30 a"], "30 a"),
    ],
)
def test_what_is_known_of_preferences(steps: list[str], known: str) -> None:
    """A set that is written, or read after that with its hosts alone."""
    memory = Memory()
    for step in steps:
        values = tuple(re.findall(r"(?:\d+ )?[a-z]", step))
        memory.histories.believe(MAIL, RecordSet(*MAIL, 300, values) if values else None)
        memory = next_one(memory)
    assert " ".join(memory.histories.preferences.get(MAIL, ())) == known


def test_preferences_that_the_service_shows_are_not_kept() -> None:
    memory = Memory()
    held = RecordSet(*MAIL, 300, ("10 a",))
    write(memory, None, held, MAIL)
    memory.see(MAIL, replace(held, values=("a",)))
    assert memory.histories.preferences == {MAIL: ("10 a",)}
    memory.see(MAIL, held)
    assert memory.histories.preferences == {}
