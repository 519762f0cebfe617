# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A journal in two places: what runs of this machine left before the zone got another store, whose clock may differ.

With a real database in place of the second folder it is in tests/state.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from elsewhere import Elsewhere

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import FileStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import checked_entry

ZONE = "example.com."
WWW, FTP = (Key(f"{name}.{ZONE}", "A") for name in ("www", "ftp"))
OLD, NEW = (RecordSet(*WWW, 300, (f"192.0.2.{number}",)) for number in (1, 2))


@pytest.fixture
def here(tmp_path: Path) -> FileStore:
    """What runs of this machine left."""
    return FileStore(str(tmp_path / "here"), "https://dns.example.com", ZONE)


@pytest.fixture
def there(tmp_path: Path) -> Elsewhere:
    """The store that counts now."""
    return Elsewhere(str(tmp_path / "there"), "https://dns.example.com", ZONE)


def left(store: FileStore, *entries: Entry) -> None:
    """Leave entries in a store."""
    with (journal := Journal(store)).lock():
        journal.write(entries)


def check(written: object) -> Entry:
    """An entry that can be believed."""
    return checked_entry(ZONE, written)


def pending(journal: Journal) -> list[tuple[str, RecordSet | None]]:
    """What is left to complete, by name, as found out under the lock; check mode has to find the same before."""
    journal.look()
    previewed = {entry.key: entry.after for entry in journal.preview(check).leftover}
    with journal.lock():
        entries = journal.pending(check)
    assert {entry.key: entry.after for entry in entries} == previewed
    return sorted((entry.key.name, entry.after) for entry in entries)


def test_what_was_left_here_is_taken_over(here: FileStore, there: Elsewhere) -> None:
    left(here, Entry(WWW, OLD, NEW))
    journal = Journal(there, former=here)
    assert journal.look().is_open
    assert not Journal(there).look().is_open
    assert pending(journal) == [(WWW.name, NEW)]
    assert (here.look().is_open, there.look().is_open) == (False, True)
    assert journal.warnings == []
    assert pending(Journal(there, former=here)) == [(WWW.name, NEW)]


def test_both_count_where_they_are_of_different_sets(here: FileStore, there: Elsewhere) -> None:
    ftp = RecordSet(*FTP, 300, ("192.0.2.3",))
    left(here, Entry(WWW, OLD, NEW))
    left(there, Entry(FTP, None, ftp))
    assert pending(Journal(there, former=here)) == [(FTP.name, ftp), (WWW.name, NEW)]


def test_of_one_set_the_newer_place_counts_and_the_other_is_kept_aside(here: FileStore, there: Elsewhere) -> None:
    left(here, Entry(WWW, OLD, OLD))
    left(there, Entry(WWW, OLD, NEW))
    journal = Journal(there, former=here)
    assert pending(journal) == [(WWW.name, NEW)]
    (kept,) = here.folder.glob("*.aside-*")
    (warning,) = journal.warnings
    assert warning == (
        "www.example.com. A had been left incomplete by an earlier run of this machine, and other runs have "
        f"written to the zone since; what it held and was to hold is kept as {kept}: check the set, then remove the "
        "file"
    )
    assert json.loads(kept.read_bytes())["entries"][0]["after"]["contents"] == ["192.0.2.1"]


@pytest.mark.parametrize(
    ("age", "others_wrote", "counts"),
    [(LATE + 60, True, False), (LATE - 60, True, True), (LATE + 60, False, True)],
)
def test_what_was_left_long_ago_undoes_nothing_of_others(
    here: FileStore, there: Elsewhere, age: float, others_wrote: bool, counts: bool
) -> None:
    left(here, Entry(WWW, OLD, NEW, time.time() - age))
    if others_wrote:
        with (new := Journal(there)).lock():
            new.write(None, Memory(text_form="plain"))
    journal = Journal(there, former=here)
    assert pending(journal) == ([(WWW.name, NEW)] if counts else [])
    assert len(journal.warnings) == (0 if counts else 1)
    assert not here.look().is_open
