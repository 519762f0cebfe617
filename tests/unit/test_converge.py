# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When a zone is locked, read again and planned again, and what is believed of the runs before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from converging import converge
from running import Service
from shorthand import a_set

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import READ_BACKOFF
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import LockLost, StateError, this_run
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import Settings
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply_failed import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._write.converge import Progress, foresee, preview
from ansible_collections.zonesmith.dns.plugins.module_utils._write.under_lock import carry_out

ZONE = "example.com."
WWW, FTP = Key("www.example.com.", "A"), Key("ftp.example.com.", "A")
ONE = "www 300 A 192.0.2.1"
TWO = f"{ONE}\nwww 300 A 192.0.2.2"
RETURNED = "www.example.com. A was removed and is there again: where the service makes it itself, list it in ignore"

MakePlan = Callable[..., Plan]


def wanting(*values: str, key: Key = WWW, **fields: Any) -> MakePlan:
    """Plans that a set holds these values; none is no set."""
    return lambda live, _kept: plan(ZONE, live, [Wanted(*key, values, **fields)])


@pytest.fixture
def other(service: Service, state_dir: Path) -> Journal:
    """The journal of the zone, as another run of this machine has it."""
    return Journal(FileStore(str(state_dir), service.url, ZONE))


def test_where_all_is_as_wanted_nobody_locks_the_zone(
    zone: Any, connect: Any, journal: Journal, state_dir: Path
) -> None:
    zone.holds(ONE)
    outcome = converge(connect(), ZONE, wanting("192.0.2.1"), journal, Settings())
    assert (outcome.plan.changes, outcome.plan.unchanged, outcome.recovered) == ((), 1, ())
    assert outcome.zone.record_sets[WWW] == a_set(WWW, "300 192.0.2.1")
    assert zone.calls() == ["GET"]
    assert not state_dir.exists()


def test_what_a_run_has_read_last_is_good_for_the_next(connect: Any, journal: Journal) -> None:
    reading = converge(connect(), ZONE, wanting("192.0.2.1"), journal, Settings()).reading
    assert (reading.is_settled, reading.is_overtaken) == (True, False)
    assert reading.kept.last_write == journal.look().last_write
    assert reading.zone.record_sets[WWW] == a_set(WWW, "3600 192.0.2.1")


def test_texts_are_sent_in_the_form_that_is_taken_where_nobody_says_which(
    zone: Any, connect: Any, journal: Journal, service: Service
) -> None:
    service.settings(txt_write="quoted")
    converge(connect(), ZONE, wanting('"a b"', key=Key(ZONE, "TXT")), journal, Settings())
    assert zone.calls() == ["GET", "POST @ TXT a b", "GET", 'POST @ TXT "a b"', "GET"]


# What is shown of the runs before


def test_check_mode_waits_for_what_an_interrupted_run_may_have_begun(
    zone: Any, connect: Any, journal: Journal, clock: Any
) -> None:
    zone.holds(TWO)
    with journal.lock():
        journal.write([Entry(WWW, a_set(WWW, "300 192.0.2.1 192.0.2.2"), a_set(WWW, "60 192.0.2.3"))])
    clock.on_wait = lambda _seconds: zone.holds("")
    outcome = preview(connect(), ZONE, wanting("192.0.2.9", key=FTP), journal)
    assert [(change.key, change.after) for change in outcome.recovered] == [(WWW, a_set(WWW, "60 192.0.2.3"))]
    assert [change.key for change in outcome.plan.changes] == [FTP]
    assert clock.waits == [READ_BACKOFF[0]]
    assert outcome.record_set(WWW) == {
        "name": "www.example.com.",
        "type": "A",
        "ttl": 60,
        "contents": ["192.0.2.3"],
    }


@pytest.mark.parametrize("shown", ["", "www 60 A 192.0.2.3", TWO])
@pytest.mark.parametrize(
    ("wanted", "changes"),
    [
        (["192.0.2.3", "192.0.2.4"], []),
        (["192.0.2.4", "192.0.2.5"], ["60 192.0.2.4 192.0.2.5"]),
        ([], [None]),
    ],
)
def test_check_mode_counts_as_done_what_a_run_at_work_has_begun(
    zone: Any, connect: Any, journal: Journal, other: Journal, clock: Any, shown: str, wanted: list[str], changes: Any
) -> None:
    """However much of it is there: the set is neither new nor has it the default TTL."""
    zone.holds(shown)
    with other.lock():
        other.write([Entry(WWW, a_set(WWW, "300 192.0.2.1 192.0.2.2"), a_set(WWW, "60 192.0.2.3 192.0.2.4"))])
        outcome = preview(connect(), ZONE, wanting(*wanted), journal)
    before = a_set(WWW, "60 192.0.2.3 192.0.2.4")
    expected = [(before, a_set(WWW, after) if after else None) for after in changes]
    assert [(change.before, change.after) for change in outcome.plan.changes] == expected
    assert outcome.recovered == ()
    (told,) = journal.warnings
    assert told.startswith(f"another run is at work on example.com ({this_run()}, since 20")
    assert told.endswith("is not foreseen; run check mode again when it has ended")
    assert clock.waits == []


def test_what_a_run_at_work_has_deleted_is_waited_for_at_its_lock(
    zone: Any, connect: Any, state_dir: Path, journal: Journal, other: Journal, clock: Any, service: Service
) -> None:
    """No reading shows it before that run has created it again, however often the zone is read."""
    converge(connect(), ZONE, wanting("192.0.2.1"), other, Settings())
    mine = Journal(FileStore(str(state_dir), service.url, ZONE, lock_timeout=0))
    with other.lock():
        zone.holds("")
        preview(connect(), ZONE, wanting("192.0.2.1"), journal)
        with pytest.raises(StateError, match=r"^another run holds the lock on the zone \(host .* within 0 seconds"):
            converge(connect(), ZONE, wanting("192.0.2.1"), mine, Settings())
    assert clock.waits == []


def test_what_comes_back_after_it_was_removed_is_told_and_believed(
    zone: Any, connect: Any, journal: Journal, clock: Any
) -> None:
    zone.holds(ONE)
    converge(connect(), ZONE, wanting(), journal, Settings())
    zone.holds(ONE)
    converge(connect(), ZONE, wanting("192.0.2.9", key=FTP), journal, Settings())
    assert journal.warnings == [RETURNED]
    assert clock.waits == [*READ_BACKOFF], "patience is spent once"
    assert [*journal.look().memory.histories.sets] == [FTP]


def test_what_another_run_removed_meanwhile_and_comes_back_is_told_too(
    zone: Any, connect: Any, journal: Journal, other: Journal, clock: Any
) -> None:
    zone.holds(ONE)
    make_plan = wanting("192.0.2.9", key=FTP)
    foreseen = foresee(connect(), ZONE, make_plan, journal)
    converge(connect(), ZONE, wanting(), other, Settings())
    zone.holds(ONE)
    carry_out(connect(), foreseen, make_plan, journal, Settings(), Progress())
    assert journal.warnings == [RETURNED]
    assert clock.waits == [*READ_BACKOFF]
    assert [*journal.look().memory.histories.sets] == [FTP]


def test_a_value_that_is_gone_again_is_no_set_that_came_back(
    zone: Any, connect: Any, journal: Journal, clock: Any
) -> None:
    zone.holds(ONE)
    converge(connect(), ZONE, wanting("192.0.2.1", "192.0.2.2"), journal, Settings())
    zone.holds(ONE)
    converge(connect(), ZONE, wanting("192.0.2.9", key=FTP), journal, Settings())
    assert journal.warnings == []
    assert clock.waits == [*READ_BACKOFF]


def test_a_reading_from_before_another_run_is_not_believed(
    zone: Any, connect: Any, journal: Journal, other: Journal, clock: Any
) -> None:
    """It contradicts what was written before it, and says nothing of what was written since."""
    zone.holds(ONE)
    converge(connect(), ZONE, wanting("192.0.2.1", "192.0.2.2"), journal, Settings())
    zone.holds(ONE)
    make_plan = wanting("192.0.2.3", keeps_others=True, ttl=60)
    foreseen = foresee(connect(), ZONE, make_plan, journal)
    assert clock.waits == [*READ_BACKOFF]
    with other.lock() as seen:
        other.write(None, seen.memory)
    clock.waits.clear()
    clock.on_wait = lambda _seconds: zone.holds(TWO)
    outcome = carry_out(connect(), foreseen, make_plan, journal, Settings(), Progress())
    assert clock.waits == [READ_BACKOFF[0]], "it is read until it shows what was written"
    assert [change.after for change in outcome.plan.changes] == [a_set(WWW, "60 192.0.2.1 192.0.2.2 192.0.2.3")]


# What a deletion without an answer may take along


@pytest.mark.parametrize(
    ("make_plan", "pending"),
    [
        pytest.param(wanting(), 0, id="deleted on purpose"),
        pytest.param(wanting("192.0.2.2"), 1, id="rebuilt"),
        pytest.param(wanting("192.0.2.9", key=FTP), 1, id="another set"),
    ],
)
def test_a_set_that_is_deleted_on_purpose_is_not_to_come_back(
    zone: Any, connect: Any, journal: Journal, service: Service, make_plan: MakePlan, pending: int
) -> None:
    """Even where that fails: what the last run left may go by a deletion that comes late, and then it is well."""
    zone.holds(ONE)
    left = a_set(WWW, "300 192.0.2.1")
    assert left
    memory = Memory()
    memory.histories.send(WWW, None)
    memory.histories.believe(WWW, left)
    with journal.lock():
        journal.write(None, memory)
    service.fault("status", status=401, method="DELETE")
    service.fault("status", status=401, method="POST")
    with pytest.raises(ApplyFailed):
        converge(connect(), ZONE, make_plan, journal, Settings())
    assert len(journal.look().memory.histories.taken_late(lambda _key: None)) == pending


# Who has lost the lock


class Lost(FileStore):
    """Keeps a lock that is lost once it is held, as that in a database can be."""

    def hold(self, *, is_urgent: bool) -> None:
        raise LockLost(f"the lock on the zone was lost{' in a rebuild' if is_urgent else ''}")


def test_who_has_lost_the_lock_sends_nothing_more(zone: Any, connect: Any, service: Service, state_dir: Path) -> None:
    zone.holds(ONE)
    journal = Journal(Lost(str(state_dir), service.url, ZONE))
    with pytest.raises(ApplyFailed) as failed:
        converge(connect(), ZONE, wanting("192.0.2.1", "192.0.2.2"), journal, Settings())
    assert str(failed.value) == (
        "cannot add 192.0.2.2 to www.example.com. A: the lock on the zone was lost; the set holds 192.0.2.1 (TTL 300)"
    )
    assert zone.calls() == ["GET", "GET"]


def test_a_run_that_writes_to_the_zone_as_it_is_read_is_noticed(
    zone: Any, connect: Any, journal: Journal, other: Journal, clock: Any
) -> None:
    """The reading may lack what that run is about to write: so it is read again under the lock."""
    client = connect()
    read = client.read_record_sets
    others = iter([wanting("192.0.2.9", key=FTP)])

    def read_while_others_write(slug: str) -> LiveSets:
        sets: LiveSets = read(slug)
        for make_plan in others:
            converge(connect(), ZONE, make_plan, other, Settings())
        clock.turn(1)
        return sets

    client.read_record_sets = read_while_others_write
    foreseen = foresee(client, ZONE, wanting("192.0.2.9", key=FTP), journal)
    assert foreseen.reading.is_overtaken
    assert not foreseen.is_all
    zone.holds("ftp 3600 A 192.0.2.9")
    outcome = carry_out(client, foreseen, wanting("192.0.2.9", key=FTP), journal, Settings(), Progress())
    assert outcome.plan.changes == ()
