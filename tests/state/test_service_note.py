# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs on several machines tell each other about a service, in the database that keeps their zones."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import psycopg
import pytest
from keeping import MakeStore, RunSql, use

from ansible_collections.zonesmith.dns.plugins.module_utils._service.concurrency import Finding
from ansible_collections.zonesmith.dns.plugins.module_utils._service.learning import Learning
from ansible_collections.zonesmith.dns.plugins.module_utils._service.note import PACE, UNDER_WAY, part_of, with_part
from ansible_collections.zonesmith.dns.plugins.module_utils._service.pace import BELOW, Pace
from ansible_collections.zonesmith.dns.plugins.module_utils._service.pacing import Pacing
from ansible_collections.zonesmith.dns.plugins.module_utils._state import database_note
from ansible_collections.zonesmith.dns.plugins.module_utils._state.database_note import DatabaseNote
from ansible_collections.zonesmith.dns.plugins.module_utils._state.file_note import LARGEST

SERVICE = "https://api.example.net"

MakeNote = Callable[..., DatabaseNote]


@pytest.fixture
def note(state_url: str, make: MakeStore) -> MakeNote:
    """Makes notes of runs on one service, once there are tables."""
    use(make())
    return lambda service=SERVICE: DatabaseNote(state_url, service)


def says(told: bytes) -> Callable[[bytes], bytes]:
    return lambda _content: told


def test_another_run_reads_what_one_has_noted(note: MakeNote) -> None:
    assert note().read() == b""
    note().change(says(b"first"))
    assert note().read() == b"first"
    note().change(lambda content: content + b" and second")
    assert note().read() == b"first and second"
    assert note("https://other.example").read() == b""


def test_what_is_noted_soon_after_is_seen_at_the_end(note: MakeNote, run_sql: RunSql) -> None:
    one = note()
    one.change(says(b"first"))
    one.change(says(b"second"))
    assert (one.read(), note().read()) == (b"second", b"first")
    one.keep()
    assert note().read() == b"second"
    before = run_sql("select xmin::text from zonesmith.zone where zone = ''")
    one.keep()
    assert run_sql("select xmin::text from zonesmith.zone where zone = ''") == before


def test_it_is_read_again_after_a_while(note: MakeNote, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = note(), note()
    assert one.read() == b""
    other.change(says(b"other"))
    assert one.read() == b""
    monkeypatch.setattr(database_note, "ASKS_AGAIN", 0.0)
    assert one.read() == b"other"


def test_its_times_are_by_the_clock_of_the_database(note: MakeNote, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock is an hour ahead tells one that is right what it has found."""
    ahead, right = Learning(), Learning()
    with monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda real=time.time: real() + 3600)
        ahead.share(one := note())
        assert one.ahead == pytest.approx(-3600, abs=5)
        ahead._finding = Finding(20)
        ahead.tell()
        one.keep()
    right.share(note())
    assert right.limiter.most == 10


def test_who_meets_a_limit_tells_the_others(note: MakeNote) -> None:
    one, other = Pacing(), Pacing()
    one.share(note())
    now = time.monotonic()
    for _request in range(20):
        one.begins(now)
        one.took()
    one.refused(now, now + 0.2, 1.0)
    other.share(note())
    time.sleep(0.25)
    other.begins(time.monotonic())
    assert other._pace.learned == pytest.approx(BELOW * 20)


HOSTILE = {
    "no JSON": "{",
    "huge": "x" * 70_000_000,
    "deep": "[" * 4000,
    "empty": "",
    "nothing": None,
    "a list": "[7]",
    "in a million years": json.dumps({"pace": {**asdict(Pace()), "learned": 20.0, "next_at": 1e308}}),
}


@pytest.mark.parametrize("written", HOSTILE.values(), ids=HOSTILE)
def test_what_makes_no_sense_stops_nobody(note: MakeNote, state_url: str, written: str | None) -> None:
    note().change(says(b"{}"))
    with psycopg.connect(state_url, autocommit=True) as admin:
        admin.execute("update zonesmith.zone set written = %s where zone = ''", [written])
    one = note()
    assert len(one.read()) <= LARGEST
    pacing, learning = Pacing(), Learning()
    pacing.share(one)
    learning.share(one)
    assert pacing.begins(1.0) == 1.0
    one.change(lambda content: with_part(content, UNDER_WAY, [20, time.time()]))
    one.keep()
    assert part_of(note().read(), UNDER_WAY)[0] == 20


def test_a_pace_is_as_large_as_a_note_may_be(note: MakeNote) -> None:
    pace: dict[str, Any] = asdict(Pace())
    one = note()
    one.change(lambda content: with_part(content, PACE, pace))
    assert part_of(note().read(), PACE) == pace


def test_before_there_are_tables_there_is_none(state_url: str, make: MakeStore) -> None:
    one = DatabaseNote(state_url, SERVICE)
    assert one.read() == b""
    one.change(says(b"too early"))
    use(make())
    one._read_at = one._written_at = -10.0
    one.change(says(b"noted"))
    assert DatabaseNote(state_url, SERVICE).read() == b"noted"


def test_who_may_write_to_the_zones_needs_no_other_right(
    state_url: str, database: str, note: MakeNote, run_sql: RunSql
) -> None:
    role = f"noting_{database}"
    url = state_url.replace(state_url.partition("://")[2].partition("@")[0], f"{role}:known")
    try:
        run_sql(f"create role {role} login password 'known'", f"grant usage on schema zonesmith to {role}")
        refused = DatabaseNote(url, SERVICE)
        assert refused.read() == b""
        refused.change(says(b"refused"))
        assert note().read() == b""
        run_sql(f"grant select, insert, update on zonesmith.zone to {role}")
        DatabaseNote(url, SERVICE).change(says(b"noted"))
        assert note().read() == b"noted"
    finally:
        run_sql(f"drop owned by {role}", f"drop role {role}")


def test_a_database_that_does_not_answer_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    one = DatabaseNote("postgresql://nobody@127.0.0.1:1/none", SERVICE)
    session = database_note.Session
    monkeypatch.setattr(database_note, "Session", lambda *given: asked.append(1) or session(*given))
    monkeypatch.setattr(database_note, "ASKS_AGAIN", 0.0)
    assert one.read() == b""
    one.change(says(b"here"))
    one.keep()
    assert (one.read(), len(asked)) == (b"here", 1)
