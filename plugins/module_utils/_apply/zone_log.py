# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The log of a zone while a run writes it, in memory and saved.

Everything is logged before it is sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .._api.answers import ServiceError
from .._dns.record_set import Key, RecordSet
from .._log.document import Document
from .._log.entry import Entry
from .._log.log import Log
from .._machine import machine
from .._state.store import StateError, Store


class ZoneLog:
    """Thread-safe, since each owner name belongs to one thread.

    * *document*: what is kept of the zone, beside the next two.
    * *entries*: the log, as the answers tell.
    * *under_way*: the sets that a round writes, until the zone is read.
    * *dialect*: what is known of the service.
    """

    def __init__(self, store: Store, document: Document):
        self.document = document
        self.entries: dict[Key, Entry] = dict(document.entries)
        self.dialect = document.dialect
        self.under_way: set[Key] = set()
        self.store = store
        self._saved = document
        self._mutex = machine().lock()

    def now(self) -> float:
        """Seconds since 1970, by the store's clock."""
        return machine().time() + self.store.ahead

    def check_held(self) -> None:
        """Raises ServiceError if another run may have the lock."""
        try:
            self.store.check_held()
        except StateError as error:
            raise ServiceError(str(error)) from error

    def as_document(self) -> Document:
        return replace(self.document, entries=dict(self.entries), dialect=self.dialect)

    def save_ahead(self) -> None:
        """Save the log, and what is under way: if the run is killed, that is pending (``Entry.cut_off``).

        The dialect gets all that its values may be shown as. Raises StateError.
        """
        with self._mutex:
            document = self.as_document()
            sides: dict[Key, list[RecordSet | None]] = {}
            for key in self.under_way:
                entry = document.entries[key]
                sides[key] = [entry.past.newest, entry.desired]
            dialect = document.dialect.with_hosts_of(sides)
            document = replace(document, dialect=dialect, under_way=frozenset(sides))
            self.store.save(document)
            self._saved = document

    def end(self, document: Document) -> None:
        """Save the document, unless it is saved so. Raises StateError."""
        if document != self._saved:
            self.store.save(document)
        self.document = self._saved = document

    def revert(self, keys: Iterable[Key], log: Log) -> None:
        """Take the entries of an earlier run again, for sets that this run has not begun."""
        for key in keys:
            self.under_way.discard(key)
            self.entries.pop(key, None)
            if key in log:
                self.entries[key] = log[key]
