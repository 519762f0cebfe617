# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the store in a database keep there."""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._state.database import DatabaseStore
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import checked_entry

WWW = Key("www.example.com.", "A")
OLD, NEW = RecordSet(*WWW, 300, ("192.0.2.1",)), RecordSet(*WWW, 300, ("192.0.2.2",))
MakeStore = Callable[..., DatabaseStore]


RunSql = Callable[..., list[tuple[object, ...]]]
LONG_AGO = "update zonesmith.zone set changed_at = changed_at - interval '10 seconds'"
"""What makes the last write old: a task that begins right behind one reads the zone again, with the lock."""


def check(written: object) -> Entry:
    """An entry that a run of the zone can have written."""
    return checked_entry("example.com.", written)


def use(store: object) -> None:
    """Everything that a run does with a store, whose journal is left open."""
    journal = Journal(store)  # type: ignore[arg-type]
    journal.look()
    journal.preview(check)
    with journal.lock():
        journal.pending(check)
        journal.write([Entry(WWW, OLD, NEW)], Memory(text_form="plain"))
        journal.write([])
        store.hold(is_urgent=False)  # type: ignore[attr-defined]
        journal.put_aside([Entry(WWW, OLD, NEW)])
        journal.write([Entry(WWW, OLD, NEW)])
