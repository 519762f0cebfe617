# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What strangers may have written into the tables, and what clocks may have made of it."""

from __future__ import annotations

import json
import math
import time

import pytest
from keeping import NEW, OLD, WWW, MakeStore, RunSql, check, use

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

TAMPERED = {
    "no version": ["delete from zonesmith.version"],
    "two versions": ["insert into zonesmith.version values (1)"],
    "a version of the future besides": ["insert into zonesmith.version values (99)"],
    "a version of the past": ["update zonesmith.version set version = -7"],
    "the last number": ["update zonesmith.zone set last_write = 9223372036854775807"],
    "no end of time": ["update zonesmith.zone set changed_at = 'infinity'"],
    "a time to come": ["update zonesmith.zone set changed_at = now() + interval '9 years'"],
    "a memory of nothing": ["update zonesmith.zone set written = ''"],
    "a memory of nonsense": ["update zonesmith.zone set written = repeat('[', 100000)"],
    "a memory of null": ["update zonesmith.zone set written = 'null' || chr(10) || '[]'"],
    "a memory of lists": [
        """update zonesmith.zone set written = '{"format": 2, "at": 1e999, "lasts": [], "kept_ttls": 1}'"""
    ],
    "a huge memory": ["update zonesmith.zone set written = repeat('x', 140000000)"],
    "an entry of null": ["update zonesmith.journal set entry = 'null'"],
    "an entry of a number": ["update zonesmith.journal set entry = '1e999999'"],
    "an entry of many digits": ["update zonesmith.journal set entry = repeat('9', 10000)::json"],
    "an entry with NUL": ["""update zonesmith.journal set entry = '{"key": ["\\u0000", "A"], "at": "\\u0000"}'"""],
    "an entry with half a character": ["""update zonesmith.journal set entry = '{"key": ["\\ud800", "A"]}'"""],
    "a deep entry": ["update zonesmith.journal set entry = (repeat('[', 3000) || repeat(']', 3000))::json"],
    "an entry of another zone": [
        """update zonesmith.journal set entry = replace(entry::text, 'www.example.com.', 'www.example.net.')::json"""
    ],
    "entries twice": ["insert into zonesmith.journal select service, zone, 'x', type, entry from zonesmith.journal"],
    "a huge journal": [
        "create table public.long as select to_json(repeat('x', 7000000)) as entry, n from generate_series(1, 10) n",
        "insert into zonesmith.journal select service, zone, n::text, 'A', entry from zonesmith.zone, public.long",
    ],
    "a table less": ["drop table zonesmith.journal"],
    "a column less": ["alter table zonesmith.zone drop column holder cascade"],
}


@pytest.mark.parametrize("statements", TAMPERED.values(), ids=TAMPERED)
def test_what_strangers_wrote_ends_in_words(make: MakeStore, run_sql: RunSql, statements: list[str]) -> None:
    """Either nothing comes of it, or a sentence; and nothing that no run can have written is ever carried out."""
    use(make())
    run_sql(*statements)
    journal = Journal(make())
    found: list[Entry] = []
    try:
        journal.look()
        found += journal.preview(check).leftover
        with journal.lock():
            found += journal.pending(check)
            journal.write(found)
    except StateError as error:
        said = str(error)
        assert said.isprintable()
        assert len(said) < 600, said
    assert {(entry.key, entry.before, entry.after) for entry in found} <= {(WWW, OLD, NEW)}
    assert all(warning.isprintable() for warning in journal.warnings)


def test_a_holder_can_say_nothing_to_the_terminal(make: MakeStore, run_sql: RunSql) -> None:
    with make().lock():
        run_sql("update zonesmith.zone set holder = chr(27) || ']0;owned' || chr(7) || chr(10) || repeat('x', 100000)")
        with pytest.raises(StateError) as failed, make(patience=0).lock():
            pass
    assert str(failed.value).isprintable()
    assert len(str(failed.value)) < 1000


def test_values_come_back_as_they_were(make: MakeStore) -> None:
    odd = tuple(
        f'"{text}"' for text in ("\\000", "\\", "%s %(zone)s", "'; drop schema zonesmith;", "é\u202e\U0001f600")
    )
    key = WWW._replace(type="TXT")
    entry = Entry(key, RecordSet(*key, 300, odd), RecordSet(*key, 300, ('"a"',)))
    first = make()
    with first.lock():
        Journal(first).write([entry])
    second = Journal(make())
    with second.lock():
        content = second.store.journal()
    assert content is not None
    assert Entry(key, entry.before, entry.after).as_written()["before"] == _entries(content)[0]["before"]


def _entries(content: bytes) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = json.loads(content)["entries"]
    return entries


@pytest.mark.parametrize("hours", [-30, 30])
def test_the_clock_of_the_machine_does_not_matter(
    make: MakeStore,
    monkeypatch: pytest.MonkeyPatch,
    hours: int,
) -> None:
    """What one machine wrote a moment ago is a moment old for all, whatever their clocks say."""
    true = time.time

    def act(write: bool) -> tuple[Entry | None, Memory, float]:
        journal = Journal(make())
        seen = journal.look()
        with journal.lock() as under_lock:
            entries = journal.pending(check)
            if write:
                memory = Memory()
                memory.histories.send(WWW, None)
                memory.histories.believe(WWW, NEW)
                journal.write([Entry(WWW, OLD, NEW, time.time())], memory)
        assert seen.memory.histories.sets.keys() == under_lock.memory.histories.sets.keys()
        return (entries[0] if entries else None), under_lock.memory, seen.idle

    def wrong() -> float:
        return true() + hours * 3600

    for writer, reader in ((wrong, true), (true, wrong)):
        monkeypatch.setattr(time, "time", writer)
        act(write=True)
        monkeypatch.setattr(time, "time", reader)
        entry, memory, idle = act(write=False)
        assert entry is not None
        assert 0 <= entry.age < 60
        assert abs(memory.histories.sets[WWW].at - reader()) < 60
        assert memory.histories.pending_deletes(WWW) == 1
        assert 0 <= idle < 60 < math.inf
