# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone's document under the lock: everything is logged before it is sent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from .._api.answers import ServiceError
from .._dns.record_set import Key, RecordSet
from .._log.document import Document, preferences_to_be
from .._log.entry import Entry, joined, minus
from .._machine import machine
from .._state.store import StateError, Store
from .outcome import Step


class ZoneLog:
    """Thread-safe, since each name belongs to one thread."""

    def __init__(self, store: Store, document: Document):
        self.store = store
        self.document = self._saved = document
        self.entries: dict[Key, Entry] = dict(document.entries)
        self.preferences: dict[Key, tuple[str, ...]] = dict(document.preferences)
        self.unanswered: set[Key] = set()
        """With an unanswered DELETE."""
        self._under_way: set[Key] = set()
        self._mutex = machine().lock()

    def check_held(self) -> None:
        """Raises ServiceError if another run may have the lock."""
        try:
            self.store.check_held()
        except StateError as error:
            raise ServiceError(str(error)) from error

    def now(self) -> float:
        """Seconds since 1970, by the store's clock."""
        return machine().time() + self.store.ahead

    @property
    def current(self) -> Document:
        return replace(
            self.document, entries=dict(self.entries), preferences=dict(self.preferences)
        )

    def begin(self, steps: Iterable[Step]) -> None:
        """Log each set to be written. A DELETE counts for all sets of its name."""
        steps = [*steps]
        names = {step.key.name for step in steps if step.change.deletes}
        self._under_way = {step.key for step in steps}
        now = self.now()
        for step in steps:
            known = self.entries.get(step.key)
            begun, deletes = now, step.key.name in names
            if known and known.is_unfinished:
                begun, deletes = known.begun, True
            until = known.pending_until if known else 0.0
            self.entries[step.key] = Entry(
                _plain(step.held), _plain(step.change.after), deletes, begun, now, until
            )

    def writes(self, key: Key, *, is_pending: bool = False) -> None:
        """*is_pending* if it may still take effect."""
        now = self.now()
        entry = replace(self.entries[key], at=now)
        self.entries[key] = entry.as_pending(now) if is_pending else entry

    def deleted(self, key: Key, *, is_certain: bool = True) -> None:
        """Pending unless *is_certain*."""
        self.writes(key, is_pending=not is_certain)
        self.preferences.pop(key, None)

    def added(self, key: Key, value: str) -> None:
        self.writes(key)
        if key.type == "MX":
            self.preferences[key] = tuple(dict.fromkeys((*self.preferences.get(key, ()), value)))
        with self._mutex:
            if value in (
                known := self.document.respelled.get(key, {})
            ):  # sent as the service spells it
                rest = {shown: sent for shown, sent in known.items() if shown != value}
                self.document = replace(
                    self.document, respelled={**self.document.respelled, key: rest}
                )

    def desire_too(self, key: Key, values: Iterable[str], like: RecordSet) -> None:
        entry = self.entries[key]
        self.entries[key] = entry.with_desired(_plain(joined(entry.desired, values, like)))

    def roll_back(self, key: Key, back: RecordSet | None) -> None:
        """Desire the old set again, or what is there now: new values may stay."""
        self.entries[key] = replace(
            self.entries[key], before=None, desired=_plain(back), deletes=True, at=self.now()
        )

    def give_up(self, key: Key, held: RecordSet | None, there: RecordSet | None) -> None:
        """After a refusal, desire what was there and is there now."""
        back = joined(held, there.values, there) if there else held
        self.entries[key] = replace(self.entries[key], desired=_plain(back))

    def forget(self, keys: Iterable[Key], log: Mapping[Key, Entry]) -> None:
        for key in keys:
            self.entries.pop(key, None)
            self.entries |= {key: log[key]} if key in log else {}

    def settle(
        self, keys: Iterable[Key], shown: Mapping[Key, RecordSet], failed: Collection[str]
    ) -> None:
        """Compare written sets with a settled snapshot, even those of names that *failed*.

        A request without visible effect is pending. Until it ends, what others add is kept.
        """
        self._under_way.clear()
        for key in keys:
            entry, there = self.entries[key], shown.get(key)
            if key.name not in failed and not entry.agrees(there):
                self.entries[key] = entry = entry.as_pending(self.now())
            if entry.pending_until and there:
                others = [
                    value for value in minus(there, entry.desired) if value not in entry.removed
                ]
                self.desire_too(key, others, there)

    def save(self) -> None:
        """Save what is under way as pending. Raises StateError."""
        with self._mutex:
            now = self.now()
            entries = {
                key: entry.as_pending(now) if key in self._under_way else entry
                for key, entry in [*self.entries.items()]
            }
            desired_sets = {
                key: self.entries[key].desired for key in self._under_way if key.type == "MX"
            }
            preferences = preferences_to_be(self.preferences, desired_sets)
            self.document = replace(self.document, entries=entries, preferences=preferences)
            self.store.save(self.document)
            self._saved = self.document

    def end(self, document: Document) -> None:
        """Raises StateError."""
        if document != self._saved:
            self.store.save(document)
        self.document = self._saved = document


def _plain(record_set: RecordSet | None) -> RecordSet | None:
    return RecordSet(*record_set.key, record_set.ttl, record_set.values) if record_set else None
