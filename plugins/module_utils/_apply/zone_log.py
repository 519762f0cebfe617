# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone's document under the lock: everything is logged before it is sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .._api.answers import ServiceError
from .._dns.record_set import Key, RecordSet
from .._log.document import Document
from .._log.entry import LONGEST_ROUND, Entry
from .._log.log import Log
from .._machine import machine
from .._state.store import StateError, Store


class ZoneLog:
    """Thread-safe, since each owner name belongs to one thread.

    * *document*: what is kept of the zone, beside the next two.
    * *entries*: the log, as the answers tell. Sets *under way* are saved as pending.
    * *dialect*: what is known of the service.
    """

    def __init__(self, store: Store, document: Document):
        self.document = document
        self.entries: dict[Key, Entry] = dict(document.entries)
        self.dialect = document.dialect
        self.under_way: set[Key] = set()
        self._store = store
        self._saved = document
        self._mutex = machine().lock()

    @property
    def place(self) -> str:
        """Where the document is, for people."""
        return self._store.place

    def now(self) -> float:
        """Seconds since 1970, by the store's clock."""
        return machine().time() + self._store.ahead

    def check_held(self) -> None:
        """Raises ServiceError if another run may have the lock."""
        try:
            self._store.check_held()
        except StateError as error:
            raise ServiceError(str(error)) from error

    def as_document(self) -> Document:
        return replace(self.document, entries=dict(self.entries), dialect=self.dialect)

    def save_ahead(self) -> None:
        """Save what is under way as pending, with all that its values may be shown as.

        If the run is killed, nobody knows when it sent its last DELETE. So whoever reads the log
        counts PENDING seconds from then. Raises StateError.
        """
        with self._mutex:
            document, now = self.as_document(), self.now()
            entries = dict(document.entries)
            sides: dict[Key, list[RecordSet | None]] = {}
            for key in self.under_way & entries.keys():
                entries[key] = entries[key].with_delete_pending(now + LONGEST_ROUND)
                sides[key] = [entries[key].before, entries[key].desired]
            dialect = document.dialect.with_hosts_of(sides)
            self.document = replace(document, entries=entries, dialect=dialect)
            self._store.save(self.document)
            self._saved = self.document

    def end(self, document: Document) -> None:
        """Save the document, unless it is saved so. Raises StateError."""
        if document != self._saved:
            self._store.save(document)
        self.document = self._saved = document

    def revert(self, keys: Iterable[Key], log: Log) -> None:
        """Take the entries of an earlier run again, for sets that this run has not begun."""
        for key in keys:
            self.under_way.discard(key)
            self.entries.pop(key, None)
            if key in log:
                self.entries[key] = log[key]
