# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the two stores have in common: everything that ``_run`` knows of them."""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from machines import wait_until
from postgres import Postgres, Proxy

from ansible_collections.zonesmith.dns.plugins.module_utils import _telling
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import Claim, Ledger
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError, Store, this_run
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import watched
from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import checked_entry

SERVICE = "https://api.example.net"
WWW = Key("www.example.com.", "A")
OLD, NEW = RecordSet(*WWW, 300, ("192.0.2.1",)), RecordSet(*WWW, 300, ("192.0.2.2",))

MakeStore = Callable[..., Store]


@pytest.fixture(params=["files", "database"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    """Makes stores that keep things in one place: for a zone, and with a patience."""
    url = request.getfixturevalue("state_url") if request.param == "database" else ""

    def make(zone: str = "example.com.", patience: float = 5.0, service: str = SERVICE) -> Store:
        of_zone = (service, zone, patience)
        store = DatabaseStore(url, *of_zone) if url else FileStore(str(tmp_path / "state"), *of_zone)
        request.addfinalizer(store.close)
        return store

    return make


def pending(journal: Journal) -> list[Entry]:
    """What it holds."""
    return journal.pending(lambda written: checked_entry("example.com.", written))


def left(journal: Journal) -> list[Entry]:
    """What check mode sees of it once nobody has the lock: the server lets go of it a moment later, unasked."""
    wait_until(lambda: not journal.holder())
    return journal.preview(lambda written: checked_entry("example.com.", written)).leftover


def test_nothing_is_there_at_first(make: MakeStore) -> None:
    look = make().look()
    assert (look.last_write, look.is_open, look.written) == (0, False, None)
    assert make().preview() is None


def test_a_journal_is_there_until_it_is_removed(make: MakeStore) -> None:
    first = Journal(make())
    with first.lock() as seen:
        assert (seen.last_write, seen.is_open) == (0, False)
        first.write([Entry(WWW, OLD, NEW)])
    second = Journal(make())
    assert second.look().is_open
    assert [entry.key for entry in left(second)] == [WWW]
    with second.lock() as seen:
        assert seen.is_open
        (entry,) = pending(second)
        assert (entry.before, entry.after) == (OLD, NEW)
        assert 0 <= entry.age < 60
        second.write([])
    third = Journal(make())
    assert not third.look().is_open
    with third.lock():
        assert pending(third) == []


def test_what_was_written_is_remembered(make: MakeStore) -> None:
    memory = Memory(kept_ttls={WWW: (60, 300)}, text_form="plain")
    memory.histories.believe(WWW, NEW)
    memory.histories.send(WWW, None)
    memory.histories.believe(WWW, NEW)
    memory.begin_plan("a" * 64, "me")
    memory.end_plan("a" * 64)
    first = Journal(make())
    with first.lock():
        first.write(None, Memory())
        first.write(None, memory)
    read = Journal(make()).look().memory
    assert read.histories.sets[WWW].expected == NEW
    assert read.histories.sets[WWW].at == pytest.approx(memory.histories.sets[WWW].at, abs=1)
    assert read.histories.pending_deletes(WWW) == 1
    assert (read.kept_ttls, read.text_form) == (memory.kept_ttls, "plain")
    run = read.spent("a" * 64)
    assert run
    assert (run.by, run.is_whole) == ("me", True)


HELD: Ledger = {"web": {WWW: Claim(300, ("192.0.2.1",), True)}, "mail": {WWW: Claim(None, ("192.0.2.2",))}}


def test_a_ledger_is_kept_beside_and_shown_to_who_asks(make: MakeStore) -> None:
    first = Journal(make(), owned="example.com.")
    with first.lock() as seen:
        assert seen.memory.ledger is None
        seen.memory.ledger = HELD
        first.write([Entry(WWW, OLD, NEW)], seen.memory)
        first.write([])
    assert Journal(make(), owned="example.com.").look().memory.ledger == HELD
    assert make().look().ledger is None
    with make().lock() as shown:
        assert shown.ledger is None
    second = Journal(make(), owned="example.com.")
    with second.lock() as seen:
        assert seen.memory.ledger == HELD
        second.write(None, seen.memory)
        # Who does not ask for it leaves it alone.
    with (third := Journal(make())).lock() as seen:
        third.write(None, Memory(text_form="plain"))
    seen = Journal(make(), owned="example.com.").look()
    assert (seen.memory.ledger, seen.memory.text_form) == (HELD, "plain")
    assert Journal(make(zone="example.net."), owned="example.net.").look().memory.ledger is None


def test_each_write_is_seen_by_others(make: MakeStore) -> None:
    marks = [make().look().last_write]
    journal = Journal(make())
    with journal.lock() as seen:
        assert seen.last_write == marks[0]
        marks.append(make().look().last_write)
        time.sleep(0.01)
        journal.write([Entry(WWW, OLD, NEW)], Memory())
    marks.append(make().look().last_write)
    assert len(set(marks)) == 3
    assert journal.store.released == marks[-1]
    began = time.monotonic()
    assert make().look().idle > 0
    time.sleep(0.05)
    assert make().look().idle > time.monotonic() - began - 0.01


def test_zones_and_services_are_apart(make: MakeStore) -> None:
    with make().lock(), make("example.net.").lock(), make(service="https://other.example.net").lock():
        pass


def test_who_watches_is_told_who_has_the_lock(make: MakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_telling, "QUIET", 0.1)
    monkeypatch.setattr(_telling, "CHECKS_EVERY", 0.01)
    lines: list[str] = []
    with make().lock(), watched(lines.append), pytest.raises(StateError), make(patience=1.5).lock():
        pass
    said = lines[0].partition(" s: ")[2]
    assert said.startswith("another run has the lock on example.com (host ")
    assert ", pid " in said
    assert said.endswith("Z); lock_timeout is 1.5 s")


def test_two_do_not_hold_one_lock(make: MakeStore) -> None:
    with make().lock(), pytest.raises(StateError) as failed, make(patience=0.2).lock():
        pass
    message = str(failed.value)
    assert message.startswith("another run holds the lock on the zone (host ")
    assert ", pid " in message
    assert ", since 20" in message
    assert "did not let go of it within 0.2 seconds; nothing was changed" in message
    wait_until(lambda: not make().holder())  # the server lets go of it a moment later
    with make(patience=0).lock():
        pass


def test_check_mode_sees_what_is_under_way_and_whose_it_is(make: MakeStore) -> None:
    first = Journal(make())
    for work, holder in ((first.lock(), this_run()), (nullcontext(), "")):
        with work:
            if holder:
                first.write([Entry(WWW, OLD, NEW)])
            else:
                left(first)
            seen = Journal(make()).preview(lambda written: checked_entry("example.com.", written))
            assert [[one.key for one in of] for of in (seen.under_way, seen.leftover)] == (
                [[WWW], []] if holder else [[], [WWW]]
            )
            assert seen.holder.startswith(holder)
            assert bool(seen.holder) is bool(holder)


def test_entries_that_nobody_wrote_are_put_aside(make: MakeStore) -> None:
    first = make()
    wrong = {"key": ["www.example.com.", "A"], "before": None, "after": {"ttl": "soon"}}
    with first.lock():
        first.save(json.dumps({"format": 1, "entries": [Entry(WWW, OLD, NEW).as_written() | wrong]}).encode())
    second = Journal(make())
    with second.lock():
        assert pending(second) == []
    (warning,) = second.warnings
    assert "has entries that no run would write (entries[0] www.example.com. A: " in warning
    assert not make().look().is_open


def _hold(make: MakeStore, holds: Any) -> None:
    with make().lock():
        holds.set()
        time.sleep(600)  # until it is killed


@pytest.mark.parametrize("make", ["files", "database"], indirect=True)
def test_a_lock_dies_with_its_holder(make: MakeStore) -> None:
    context = multiprocessing.get_context("fork")
    holds = context.Event()
    process = context.Process(target=_hold, args=(make, holds))
    process.start()
    assert holds.wait(20)
    process.kill()
    process.join()
    with make().lock():
        pass


@pytest.mark.parametrize("make", ["database"], indirect=True)
def test_what_runs_of_this_machine_left_is_taken_over(make: MakeStore, tmp_path: Path) -> None:
    def folder() -> FileStore:
        return FileStore(str(tmp_path), SERVICE, "example.com.")

    old = Journal(folder())
    with old.lock():
        old.write([Entry(WWW, OLD, NEW)])
    journal = Journal(make(), former=folder())
    assert journal.look().is_open
    assert len(journal.preview(lambda written: checked_entry("example.com.", written)).leftover) == 1
    with journal.lock():
        assert len(pending(journal)) == 1
    assert not folder().look().is_open
    assert make().look().is_open


def test_round_trips(postgres: Postgres, database: str, request: pytest.FixtureRequest) -> None:
    """One for a look, and three for what a change needs: the lock, the journal, and its end."""
    with Proxy(postgres.port) as proxy:
        url = postgres.url(database, port=proxy.port)
        with closing(Journal(DatabaseStore(url, SERVICE, "example.com.", 5))) as first, first.lock():
            pass  # the tables are there
        journal = Journal(DatabaseStore(url, SERVICE, "example.com.", 5))
        request.addfinalizer(journal.close)
        journal.look()
        connected, made = proxy.connections, proxy.round_trips
        journal.look()
        assert (proxy.connections, proxy.round_trips - made) == (connected, 1)
        with journal.lock():
            sending = Memory()
            sending.histories.send(WWW, "192.0.2.2", 60)
            journal.write([Entry(WWW, OLD, NEW)], sending)
            journal.write([], Memory())
            assert proxy.round_trips - made == 4
            journal.write(None, Memory())
            assert proxy.round_trips - made == 4, "what is kept already is not kept again"


@pytest.mark.parametrize("make", ["database"], indirect=True)
@pytest.mark.parametrize("check_mode", [False, True])
def test_two_journals_for_one_set_lose_neither(make: MakeStore, tmp_path: Path, check_mode: bool) -> None:
    with (old := Journal(FileStore(str(tmp_path), SERVICE, "example.com."))).lock():
        old.write([Entry(WWW, OLD, OLD)])
    with (new := Journal(make())).lock():
        new.write([Entry(WWW, None, NEW)])
    journal = Journal(make(), former=FileStore(str(tmp_path), SERVICE, "example.com."))
    if check_mode:
        assert [entry.after for entry in left(journal)] == [NEW]
        return
    with journal.lock():
        assert [entry.after for entry in pending(journal)] == [NEW]
    (warning,) = journal.warnings
    (kept,) = tmp_path.glob("*.aside-*")
    assert str(kept) in warning
    assert json.loads(kept.read_bytes())["entries"][0]["after"]["contents"] == [*OLD.values]


@pytest.mark.parametrize("make", ["database"], indirect=True)
@pytest.mark.parametrize(
    ("age", "others_wrote", "counts"),
    [(20 * 86400.0, True, False), (60.0, True, True), (20 * 86400.0, False, True)],
)
def test_what_this_machine_left_long_ago_undoes_nothing_of_others(
    make: MakeStore, tmp_path: Path, age: float, others_wrote: bool, counts: bool
) -> None:
    with (old := Journal(FileStore(str(tmp_path), SERVICE, "example.com."))).lock():
        old.write([Entry(WWW, OLD, NEW, time.time() - age)])
    if others_wrote:
        with (new := Journal(make())).lock():
            new.write(None, Memory(text_form="plain"))
    journal = Journal(make(), former=FileStore(str(tmp_path), SERVICE, "example.com."))
    journal.look()
    assert bool(journal.preview(lambda written: checked_entry("example.com.", written)).leftover) is counts
    with journal.lock():
        assert bool(pending(journal)) is counts
    assert bool(journal.warnings) is not counts
    assert not journal.look().is_open or counts
