# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes and reads at the names of the check."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import partial
from typing import NamedTuple

from .._api.answers import BUSY, THROTTLED, ServiceError, clause
from .._api.client import Client, Snapshot, new_record
from .._api.retries import Write
from .._api.stale_snapshots import read_until
from .._api.turns import rest
from .._dns.names import ends_in
from .._dns.record_set import Key
from .._machine import machine
from .._state.store import StateError, Store
from .._threads import in_threads
from .questions import CHECK, MARK, Value, questions

CONNECTIONS = 2
ROUNDS = 3
"""Rounds of reads in a row that must show a write, one read on each connection."""

LONGEST = 60.0
"""Seconds to wait until a write is seen."""

SHORTEST_WAIT = 0.25
"""Seconds between reads that do not show a write."""

ENDS_THE_CHECK = {None, 401} | THROTTLED - BUSY
"""Without an answer or a valid token, or throttled for all of retry_timeout, further tries would fail alike."""


class Exchange(NamedTuple):
    """How a write ended after some *seconds*.

    If the answer does not say that it was carried out, it is not *confirmed*.
    """

    seconds: float
    is_confirmed: bool = True
    error: ServiceError | None = None


class Restored(NamedTuple):
    """What may be *left* of the check, how the *last* DELETE ended, and why that is all, if it *failed*."""

    left: list[Key]
    last: Exchange | None
    failed: str = ""


def mark_of(zone: str) -> Key:
    """The set that says whose the others are."""
    return Key(f"{CHECK}.{zone}", "TXT")


def keys_below_the_check(snapshot: Snapshot) -> set[Key]:
    """The sets at and below CHECK, but those that sign the zone."""
    found = set()
    for key in snapshot.record_sets:
        if ends_in(key.name, f"{CHECK}.{snapshot.name}") and not key.signs_zone(snapshot.name):
            found.add(key)
    return found


def own_keys(snapshot: Snapshot) -> set[Key]:
    """Of these, the mark, and the sets at names at which the check writes."""
    names = {question.key(snapshot.name).name for question in questions()}
    found = set()
    for key in keys_below_the_check(snapshot):
        if key.name in names or key == mark_of(snapshot.name):
            found.add(key)
    return found


class Tries:
    """*latest* is the zone as it was read last."""

    def __init__(self, client: Client, store: Store, zone: Snapshot):
        self._client = client
        self._store = store
        self.latest = zone
        self._sent: set[Key] = set()
        self._lag = 0.0
        self.mark = mark_of(zone.name)

    def mark_names(self) -> Exchange:
        """Create the mark, quoted or else plain, before anything else."""
        exchange = self.post(CHECK, self.mark, Value("TXT", f'"{MARK}"'))
        if exchange.error:
            exchange = self.post(CHECK, self.mark, Value("TXT", MARK))
        return exchange

    def post(self, name: str, key: Key, value: Value) -> Exchange:
        """Add a value. Raises ServiceError for ENDS_THE_CHECK, and StateError."""
        body = new_record(name, value.type, value.content, value.ttl, value.priority)
        self._sent.add(key)
        return _written(partial(self._client.create_value, self.latest.slug, body), self._store)

    def delete(self, key: Key) -> Exchange:
        """Delete a set. Raises ServiceError for ENDS_THE_CHECK, and StateError."""
        rdtype = self.latest.shown_type(key)
        delete = partial(self._client.delete_record_set, self.latest.slug, key.name, rdtype)
        return _written(delete, self._store)

    def seen_after(self) -> tuple[float, float] | None:
        """Seconds until a read shows the mark, and until all do; None if they never do.

        Raises ServiceError.
        """
        began = machine().monotonic()
        in_some: list[float] = []
        in_all: list[float] = []
        lasted = 0.0
        while lasted <= LONGEST:
            snapshots = in_threads(lambda _number: self._read(), range(CONNECTIONS), CONNECTIONS)
            lasted = machine().monotonic() - began
            shown = [self.mark in snapshot.record_sets for snapshot in snapshots]
            if any(shown):
                in_some.append(lasted)
            if all(shown):
                in_all.append(lasted)
            else:
                in_all.clear()
                rest(max(SHORTEST_WAIT, lasted / 4))
            if len(in_all) == ROUNDS:
                self._lag = in_all[0]
                return in_some[0], in_all[0]
        return None

    def _read(self) -> Snapshot:
        return self._client.read_again(self.latest)

    def read(self, is_enough: Callable[[Snapshot], bool]) -> Snapshot:
        """The zone once it *is_enough*, or after all waits. Raises ServiceError."""
        rest(self._lag)
        self.latest = read_until(self._read, is_enough)
        return self.latest

    def restore(self) -> Restored:
        """Delete all that the check has sent, the mark last."""
        last: Exchange | None = None
        failed = ""
        try:
            there = own_keys(self.read(lambda _snapshot: True)) | self._sent
            for key in sorted(there - {self.mark}):
                last = self.delete(key)
            left = self._left({self.mark})
            if not left and self.mark in there:
                last = self.delete(self.mark)
                left = self._left(frozenset())
        except (ServiceError, StateError) as error:
            left = sorted(self._sent)
            failed = clause(error)
        self._sent = set(left)
        return Restored(left, last, failed)

    def _left(self, kept: Set[Key]) -> list[Key]:
        """What is there besides *kept*."""
        snapshot = self.read(lambda snapshot: own_keys(snapshot) <= kept)
        return sorted(own_keys(snapshot) - kept)


def _written(send: Callable[[Write], bool], store: Store) -> Exchange:
    """Send a write. A refusal is an answer here. Raises ServiceError for ENDS_THE_CHECK, and StateError."""
    write = Write(lambda: False, before_each_try=store.check_held)
    began = machine().monotonic()
    is_confirmed = True
    refusal = None
    try:
        is_confirmed = send(write)
    except ServiceError as error:
        if error.status_code in ENDS_THE_CHECK:
            raise
        refusal = error
    return Exchange(machine().monotonic() - began, is_confirmed, refusal)
