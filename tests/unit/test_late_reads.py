# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Patience with readings: none where the first one will do, and no second write before all of it is spent."""

from __future__ import annotations

import json
import os
import pathlib
import time
from collections.abc import Callable
from typing import Any

import pytest
from converging import converge
from running import Service

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import STALE
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import (
    ONE_READING,
    READ_BACKOFF,
    SHORT_BACKOFF,
    read_until,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import Settings
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply_failed import ApplyFailed

Run = Callable[..., dict[str, Any]]

TWO = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
TASK = {"zone": "example.com", "name": "www", "type": "A"}
EXTEND = {**TASK, "content": "192.0.2.3"}
REPLACE = {**TASK, "content": "192.0.2.3", "exclusive": True}
ABSENT_ONE = {**TASK, "content": "192.0.2.1", "state": "absent"}
ABSENT = {**TASK, "state": "absent"}
TTL = {**TASK, "content": "192.0.2.1", "ttl": 60}
DELETE, ONE, OTHER, THREE = "DELETE www.example.com. A", *(f"POST www A 192.0.2.{n}" for n in (1, 2, 3))

TASKS = {
    # the zone, the task -> its readings before writing, what it writes, the zone after
    "create": ("", EXTEND, 1, [THREE], "www 3600 A 192.0.2.3"),
    "extend": (TWO, EXTEND, 1, [THREE], f"{TWO}\nwww 300 A 192.0.2.3"),
    "exclusive": (TWO, REPLACE, 2, [DELETE, THREE], "www 300 A 192.0.2.3"),
    "TTL": (TWO, TTL, 2, [DELETE, ONE, OTHER], "www 60 A 192.0.2.1\nwww 60 A 192.0.2.2"),
    "absent-one": (TWO, ABSENT_ONE, 2, [DELETE, OTHER], "www 300 A 192.0.2.2"),
    "absent": (TWO, ABSENT, 1, [DELETE], ""),
}


def test_how_long_patience_lasts() -> None:
    """As docs/design_details.md says under "Patience": what is ten seconds behind has caught up by then."""
    assert READ_BACKOFF == (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    assert SHORT_BACKOFF == (0.25, 0.5, 1.0)
    assert ONE_READING == ()


@pytest.mark.parametrize(
    ("first", "enough_at", "waits", "answer", "waited"),
    [
        (None, 1, READ_BACKOFF, 1, []),
        (None, 3, READ_BACKOFF, 3, [0.25, 0.5]),
        (None, 7, READ_BACKOFF, 7, list(READ_BACKOFF)),
        (None, 99, READ_BACKOFF, 7, list(READ_BACKOFF)),
        (None, 99, ONE_READING, 1, []),
        (0, 0, READ_BACKOFF, 0, []),
        (0, 1, READ_BACKOFF, 1, [0.25]),
        (0, 99, SHORT_BACKOFF, 3, list(SHORT_BACKOFF)),
    ],
)
def test_reading_until(
    clock: Any, first: int | None, enough_at: int, waits: tuple[float, ...], answer: int, waited: list[float]
) -> None:
    readings = iter(range(1, 100))
    assert read_until(lambda: next(readings), lambda read: read >= enough_at, waits, first) == answer
    assert clock.waits == waited


def test_a_reading_that_fails_is_no_reading(clock: Any) -> None:
    def fails() -> int:
        raise ServiceError("no answer")

    with pytest.raises(ServiceError, match="no answer"):
        read_until(fails, bool, first=0)
    assert clock.waits == [0.25]


@pytest.mark.parametrize(("before", "task", "readings", "writes", "after"), TASKS.values(), ids=TASKS)
def test_nobody_waits_where_the_first_reading_shows_it(
    zone: Any, run: Run, clock: Any, before: str, task: Any, readings: int, writes: list[str], after: str
) -> None:
    zone.holds(before)
    assert run("dns_record", **task)["changed"] is True
    assert zone.calls() == [*["GET"] * readings, *writes, "GET"]
    assert clock.waits == []
    assert zone.lines() == sorted(after.splitlines())


@pytest.mark.parametrize("waits", range(1, len(READ_BACKOFF) + 1))
@pytest.mark.parametrize(("before", "task", "readings", "writes", "after"), TASKS.values(), ids=TASKS)
def test_what_is_shown_late_is_written_once(
    zone: Any,
    run: Run,
    service: Service,
    clock: Any,
    before: str,
    task: Any,
    readings: int,
    writes: list[str],
    after: str,
    waits: int,
) -> None:
    zone.holds(before)
    service.odd("example.com", read_lag=600)
    clock.on_wait = lambda seconds: service.odd("example.com") if seconds == READ_BACKOFF[waits - 1] else None
    result = run("dns_record", **task)
    assert (result["changed"], len(result["changes"]), result.get("warnings")) == (True, 1, None)
    assert zone.calls() == [*["GET"] * readings, *writes, *["GET"] * (1 + waits)]
    assert clock.waits == list(READ_BACKOFF[:waits])
    assert zone.lines() == sorted(after.splitlines())


def test_only_after_all_of_the_patience_a_value_is_sent_again(
    zone: Any, run: Run, service: Service, clock: Any
) -> None:
    zone.holds(TWO)
    service.fault("lie", method="POST")
    assert run("dns_record", **EXTEND)["changed"] is True
    assert zone.calls() == ["GET", THREE, *["GET"] * (1 + len(READ_BACKOFF)), THREE, "GET"]
    assert clock.waits == list(READ_BACKOFF)


@pytest.mark.parametrize("status", [400, 403, 404, 422])
def test_a_duplicate_that_is_not_shown_yet(zone: Any, run: Run, service: Service, clock: Any, status: int) -> None:
    """The service never shows the first POST, and refuses the second: it is there."""
    service.odd("example.com", read_lag=600, duplicate_status=status)
    second: list[int] = []

    def on_wait(_seconds: float) -> None:
        if zone.calls().count(THREE) == 2:
            second.append(1)
        if len(second) == len(READ_BACKOFF):
            service.odd("example.com")

    clock.on_wait = on_wait
    result = run("dns_record", **EXTEND)
    assert result["changed"] is True, result
    assert zone.calls().count(THREE) == 2
    assert zone.lines() == ["www 3600 A 192.0.2.3"]


# Readings before the writing


@pytest.mark.parametrize("waits", range(1, len(READ_BACKOFF) + 1))
@pytest.mark.parametrize("check", [False, True], ids=["run", "check mode"])
def test_a_later_run_does_not_plan_from_what_is_older_than_the_last(
    zone: Any, run: Run, service: Service, clock: Any, waits: int, check: bool
) -> None:
    """What one task added, and no reading shows yet, is kept by the partial removal of the next."""
    zone.holds(TWO)
    run("dns_record", **EXTEND)
    service.odd("example.com", read_lag=600)
    zone.holds(TWO)  # shown at once: a replica that is behind
    service.clear_log()

    def caught_up(seconds: float) -> None:
        if seconds == READ_BACKOFF[waits - 1]:
            zone.holds(f"{TWO}\nwww 300 A 192.0.2.3")
            service.odd("example.com")

    clock.on_wait = caught_up
    result = run("dns_record", check=check, **ABSENT_ONE)
    assert [change["after"]["contents"] for change in result["changes"]] == [["192.0.2.2", "192.0.2.3"]]
    assert clock.waits == list(READ_BACKOFF[:waits])
    assert zone.calls()[: 1 + waits] == ["GET"] * (1 + waits)
    if not check:
        assert zone.calls()[1 + waits :] == ["GET", DELETE, OTHER, THREE, "GET"]


def test_a_memory_that_a_patient_reading_contradicts_is_forgotten(
    zone: Any, run: Run, clock: Any, journal: Journal
) -> None:
    zone.holds(TWO)
    run("dns_record", **EXTEND)
    zone.holds(TWO)  # somebody else took it away
    assert run("dns_record", **ABSENT_ONE)["changed"] is True
    assert clock.waits == [*READ_BACKOFF], "all patience is spent once"
    assert zone.lines() == ["www 300 A 192.0.2.2"]
    clock.waits.clear()
    assert run("dns_record", **{**TASK, "content": "192.0.2.2"})["changed"] is False
    assert clock.waits == []
    assert journal.look().memory.histories.sets[("www.example.com.", "A")].expected == RecordSet(
        "www.example.com.", "A", 300, ("192.0.2.2",)
    )


def test_a_memory_of_more_than_a_minute_is_none(zone: Any, run: Run, clock: Any, journal: Journal) -> None:
    zone.holds(TWO)
    run("dns_record", **EXTEND)
    zone.holds(TWO)
    file = journal.store.path.with_suffix(".written")
    first, second = map(json.loads, file.read_bytes().splitlines())
    first["at"] -= 61
    for step in second["sets"][0]["steps"]:
        step[1] -= 61
    file.write_text("\n".join(map(json.dumps, (first, second))), encoding="utf-8")
    assert run("dns_record", **{**TASK, "content": "192.0.2.2"})["changed"] is False
    assert clock.waits == []


@pytest.mark.parametrize("hostile", ["at", "text", "huge"])
def test_a_memory_of_somebody_else_s_making_stops_nobody(
    zone: Any, run: Run, clock: Any, journal: Journal, hostile: str
) -> None:
    zone.holds(TWO)
    run("dns_record", **EXTEND)
    file = journal.store.path.with_suffix(".written")
    first, second = map(json.loads, file.read_bytes().splitlines())
    second["sets"][0]["steps"][0][1] = 10**400
    wrong = "\n".join(map(json.dumps, (first, second)))
    file.write_text({"at": wrong, "text": "[" * 10**5, "huge": " " * (2**27 + 1)}[hostile], encoding="utf-8")
    assert run("dns_record", **TTL)["changed"] is True
    assert clock.waits == []
    assert journal.look().memory.histories.sets, "it was written anew"


def test_a_run_that_fails_remembers_what_it_wrote(zone: Any, run: Run, service: Service, journal: Journal) -> None:
    service.fault("status", method="POST", content="192.0.2.4", status=422)
    assert run("dns_record", **{**TASK, "content": ["192.0.2.3", "192.0.2.4"]})["failed"]
    (written,) = journal.look().memory.histories.sets.values()
    assert written.expected == RecordSet("www.example.com.", "A", 3600, ("192.0.2.3",))
    assert zone.lines() == ["www 3600 A 192.0.2.3"]


# A verification that is older than the writing


def late(client: Any, readings: dict[int, LiveSets]) -> None:
    """Give the client these answers in place of its readings with these numbers, from 0."""
    read, number = client.read_record_sets, iter(range(1000))
    client.read_record_sets = lambda slug: readings.get(next(number)) or read(slug)


def test_a_late_verification_that_no_plan_fits_is_read_again(
    zone: Any, connect: Any, journal: Journal, clock: Any
) -> None:
    """One task takes addresses away, the next makes an alias of the name, and a replica has not heard of either."""
    zone.holds(TWO)
    client = connect()
    stale = client.read_record_sets("examplecom")
    zone.holds("")
    late(client, {1: stale})
    wanted = [Wanted("www.example.com.", "CNAME", ("other.example.net.",))]
    converge(client, "example.com.", lambda live, _kept: plan("example.com.", live, wanted), journal, Settings())
    assert zone.lines() == ["www 3600 CNAME other.example.net."]
    assert clock.waits == [0.25]


def test_a_verification_that_no_plan_fits_is_told_in_the_end(
    zone: Any, connect: Any, journal: Journal, clock: Any
) -> None:
    client = connect()
    read = client.read_record_sets

    def read_after_somebody_else(slug: str) -> LiveSets:
        if len(zone.calls()) > 1:
            zone.holds(TWO)
        return read(slug)

    client.read_record_sets = read_after_somebody_else
    wanted = [Wanted("www.example.com.", "CNAME", ("other.example.net.",))]

    def make_plan(live: LiveSets, *_: object) -> Plan:
        return plan("example.com.", live, wanted)

    with pytest.raises(ApplyFailed) as failed:
        converge(client, "example.com.", make_plan, journal, Settings())
    assert str(failed.value) == (
        "not all is as wanted after the writing, and going on is refused: www.example.com. would hold a CNAME "
        "beside A, and a CNAME must be alone at its name: list one of them with state absent in the same task, or "
        "remove it first; www.example.com. CNAME holds nothing"
    )
    assert clock.waits == list(READ_BACKOFF)


def test_a_failure_is_told_from_a_reading_that_is_not_late(zone: Any, run: Run, service: Service, clock: Any) -> None:
    zone.holds(TWO)
    service.fault("status", method="POST", content="192.0.2.4", status=403, body={"message": "No"})
    service.odd("example.com", read_lag=600)
    clock.on_wait = lambda seconds: service.odd("example.com") if seconds == 2.0 else None
    result = run("dns_record", **{**TASK, "content": ["192.0.2.3", "192.0.2.4"]})
    assert "the set holds 192.0.2.1, 192.0.2.2, 192.0.2.3 (TTL 300)" in result["msg"]
    assert result["changed"] is True


SENT = "192.0.2.9"


def was_killed(journal: Journal) -> None:
    """A run was, some seconds ago, while it created a value."""
    memory = Memory()
    memory.histories.send(Key("www.example.com.", "A"), SENT, 300)
    with journal.lock():
        journal.write(None, memory)
    (lock,) = pathlib.Path(journal.store.place).parent.glob("*.lock")
    os.utime(lock, (time.time() - 5, time.time() - 5))


def is_shown_late(service: Service, client: Client, clock: Any) -> None:
    """It has created the value, and readings show it once somebody has waited."""
    service.odd("example.com", read_lag=600)
    value = {"name": "www", "type": "A", "content": SENT, "ttl": 300}
    client.create_value("examplecom", value, lambda: False)
    clock.on_wait = lambda _seconds: service.odd("example.com")


TAKE_OUT = {
    # what somebody wants gone that a run which was killed may have created -> the zone afterwards
    "the value": ({**TASK, "content": SENT, "state": "absent"}, "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"),
    "all others": ({**TASK, "content": ["192.0.2.1", "192.0.2.2"], "exclusive": True}, TWO),
    "the set": ({**TASK, "state": "absent"}, ""),
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("task", "after"), TAKE_OUT.values(), ids=TAKE_OUT)
@pytest.mark.parametrize("had", [TWO, ""], ids=["extended", "new"])
def test_what_a_killed_run_may_have_created_is_looked_for_where_it_is_to_go(
    zone: Any,
    run: Run,
    service: Service,
    connect: Any,
    journal: Journal,
    clock: Any,
    had: str,
    task: Any,
    after: str,
    check: bool,
) -> None:
    zone.holds(had)
    was_killed(journal)
    is_shown_late(service, connect(), clock)
    if not had and "exclusive" in task:
        after = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
    result = run("dns_record", check=check, **task)
    assert result["changed"] is True
    assert clock.waits[:1] == [0.25]
    if not check:
        assert run("dns_record", **task)["changed"] is False
        assert SENT not in str(zone.lines())
        assert had == "" or zone.lines() == (after.splitlines() if after else [])


def test_a_rebuild_takes_along_what_a_killed_run_may_have_created(
    zone: Any, run: Run, service: Service, connect: Any, journal: Journal, clock: Any
) -> None:
    zone.holds(TWO)
    was_killed(journal)
    is_shown_late(service, connect(), clock)
    assert run("dns_record", **TTL)["changed"] is True
    assert zone.lines() == [f"www 60 A 192.0.2.{number}" for number in (1, 2, 9)]


@pytest.mark.parametrize("task", [{**TASK, "content": SENT}, {**TASK, "name": "ftp", "state": "absent"}])
def test_nobody_waits_for_what_may_stay(zone: Any, run: Run, journal: Journal, clock: Any, task: Any) -> None:
    zone.holds(TWO)
    was_killed(journal)
    assert not run("dns_record", **task).get("failed")
    assert clock.waits == []


def test_what_was_never_created_is_not_waited_for_any_longer(zone: Any, run: Run, journal: Journal, clock: Any) -> None:
    zone.holds(TWO)
    was_killed(journal)
    assert run("dns_record", **TASK, content=SENT, state="absent")["changed"] is False
    assert clock.waits == list(READ_BACKOFF)


def test_who_waits_for_a_late_reading_has_waited_less_long_than_one_can_be_old() -> None:
    assert max(READ_BACKOFF) < sum(READ_BACKOFF) < STALE


ALL = 1 + len(READ_BACKOFF)
MADE_ANEW = {
    # what the first reading of a task shows of a set that was made 192.0.2.1 alone a moment ago -> how often it is read
    "with a value that the task makes anew": ("www 60 A 192.0.2.1\nwww 60 A 192.0.2.9", {"ttl": 600}, ALL),
    "and a TTL of others": ("www 90 A 192.0.2.1\nwww 90 A 192.0.2.9", {"ttl": 600}, ALL),
    "with a value that goes": ("www 60 A 192.0.2.1\nwww 60 A 192.0.2.9", {"ttl": 600, "exclusive": True}, 1),
    "with a value that stays": ("www 60 A 192.0.2.1\nwww 60 A 192.0.2.9", {}, 1),
    "as it was left": ("www 60 A 192.0.2.1", {"ttl": 600}, 1),
}


@pytest.mark.parametrize(("shown", "options", "reads"), MADE_ANEW.values(), ids=MADE_ANEW)
def test_a_value_that_nobody_knows_is_made_anew_if_the_last_reading_shows_it_too(
    zone: Any, run: Run, service: Service, clock: Any, shown: str, options: Any, reads: int
) -> None:
    """It may have been removed before the set was written; or the readings that lack it may be the older ones."""
    task = {"zone": "example.com", "name": "www", "type": "A", "content": "192.0.2.1"}
    assert run("dns_record", **task, ttl=60, exclusive=True)["changed"] is True
    zone.holds(shown)
    clock.on_wait = lambda _seconds: zone.holds("www 60 A 192.0.2.1")
    service.clear_log()
    run("dns_record", check=True, **task, **options)
    assert zone.calls() == ["GET"] * reads
