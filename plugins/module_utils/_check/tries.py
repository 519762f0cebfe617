# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes and reads at the names of the check, and notes how the service answers each request.

A write is tried a few times only, as a refusal is an answer here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

from .._api.answers import THROTTLED, ServiceError, Success, TransientFailure
from .._api.client import Client, Snapshot
from .._api.retries import Write
from .._api.sender import Sender
from .._api.stale_snapshots import read_until
from .._api.turns import rest
from .._dns.names import ends_in, relative_name
from .._dns.record_set import Key
from .._machine import machine
from .._state.store import StateError, Store
from .._threads import in_threads
from .questions import CHECK, MARK, Value, questions

CONNECTIONS = 2
READS = 5
"""Reads in a row that must show a write."""

LONGEST = 60.0
"""Seconds to wait until a write is seen."""

SHORTEST_WAIT = 0.25
"""Seconds between reads that do not show a write."""

LOOKS = 3
"""Further tries of a write after a failure that may pass."""

UNKNOWN = (None, 401)
"""Without an answer, or a valid token, all further tries would fail alike."""


class Exchange(NamedTuple):
    """One request, how many *seconds* it took, and its answer."""

    method: str
    seconds: float
    success: Success = Success()
    error: ServiceError | None = None
    retry_after: float = 0.0

    @property
    def status(self) -> int | None:
        """Of an error."""
        return self.error.status_code if self.error else None


def watched(exchanges: list[Exchange]) -> type[Sender]:
    """A Sender that adds what it sends to *exchanges*."""

    class Watched(Sender):
        def send(self, method: str, *request: Any) -> Success:
            began = machine().monotonic()

            def note(*answer: Any) -> None:
                seconds = machine().monotonic() - began
                exchanges.append(Exchange(method, seconds, *answer))

            try:
                success = super().send(method, *request)
            except TransientFailure as failure:
                note(Success(), failure.error, failure.retry_after)
                raise
            except ServiceError as error:
                note(Success(), error)
                raise
            note(success)
            return success

    return Watched


def names_of_the_check(zone: str) -> set[str]:
    """Every owner name at which the check writes."""
    names = {f"{CHECK}.{zone}"}
    for question in questions():
        names.add(question.key(zone).name)
    return names


def keys_below_the_check(snapshot: Snapshot) -> list[Key]:
    """The sets at and below CHECK, but those that sign the zone."""
    found = []
    for key in snapshot.record_sets:
        if ends_in(key.name, f"{CHECK}.{snapshot.name}") and not key.signs_zone(snapshot.name):
            found.append(key)
    return found


class Tries:
    """*put_off* are the statuses of writes that were done after a further try."""

    def __init__(self, client: Client, exchanges: list[Exchange], store: Store, zone: Snapshot):
        self._client = client
        self._exchanges = exchanges
        self._store = store
        self.latest = zone
        self._sent: set[Key] = set()
        self._lag = 0.0
        self.put_off: list[Exchange] = []
        self.mark = Key(f"{CHECK}.{zone.name}", "TXT")

    def mark_names(self) -> Exchange:
        """Create the mark, quoted or else plain, before anything else."""
        exchange = self.post(CHECK, self.mark, Value("TXT", f'"{MARK}"'))
        if exchange.error:
            exchange = self.post(CHECK, self.mark, Value("TXT", MARK))
        return exchange

    def post(self, name: str, key: Key, value: Value) -> Exchange:
        """Add a value. Raises ServiceError without an answer, and StateError."""
        body = {"name": name, "type": value.type, "content": value.content, "ttl": value.ttl}
        if value.priority is not None:
            body["priority"] = value.priority
        self._sent.add(key)
        slug = self.latest.slug
        return self._written(lambda write: self._client.create_value(slug, body, write))

    def delete(self, key: Key) -> Exchange:
        """Delete a set. Raises ServiceError without an answer, and StateError."""
        slug = self.latest.slug
        rdtype = self.latest.shown_type(key)
        return self._written(
            lambda write: self._client.delete_record_set(slug, key.name, rdtype, write)
        )

    def _written(self, send: Callable[[Write], object]) -> Exchange:
        looks = count(1)
        write = Write(lambda: next(looks) > LOOKS, before_each_try=self._store.check_held)
        before = len(self._exchanges)
        try:
            send(write)
        except ServiceError as error:
            if error.status_code in UNKNOWN or len(self._exchanges) == before:
                raise
        *earlier, last = self._exchanges[before:]
        if last.error is None:
            self.put_off += [one for one in earlier if one.status in THROTTLED]
        elif last.status in UNKNOWN:
            raise last.error
        return last

    def seen_after(self) -> tuple[float, float] | None:
        """Seconds until a read shows the mark, and until READS in a row do; None if they never do.

        Raises ServiceError.
        """
        began = machine().monotonic()
        first: float | None = None
        since: float | None = None
        in_a_row = 0
        lasted = 0.0
        while lasted <= LONGEST:
            snapshots = in_threads(lambda _number: self._read(), range(CONNECTIONS), CONNECTIONS)
            lasted = machine().monotonic() - began
            shown = [self.mark in snapshot.record_sets for snapshot in snapshots]
            if first is None and any(shown):
                first = lasted
            if not all(shown):
                since = None
                in_a_row = 0
                rest(max(SHORTEST_WAIT, lasted / 4))
                continue
            in_a_row += CONNECTIONS
            if since is None:
                since = lasted
            if first is not None and in_a_row >= READS:
                self._lag = since
                return first, since
        return None

    def _read(self) -> Snapshot:
        return self._client.read_again(self.latest)

    def read(self, keys: set[Key]) -> Snapshot:
        """The zone once it shows these *keys*, or after all waits. Raises ServiceError."""
        return self._settled(lambda snapshot: keys <= snapshot.record_sets.keys())

    def _settled(self, is_enough: Callable[[Snapshot], bool]) -> Snapshot:
        rest(self._lag)
        self.latest = read_until(self._read, is_enough)
        return self.latest

    def restore(self) -> tuple[list[Key], Exchange | None]:
        """Delete all that the check has sent, the mark last.

        What may still be there, and how the last DELETE ended.
        """
        last: Exchange | None = None
        try:
            there = {*self._own(self._settled(lambda _snapshot: True)), *self._sent}
            for key in sorted(there - {self.mark}):
                last = self.delete(key)
            left = self._left(lambda key: key != self.mark)
            if not left and self.mark in there:
                last = self.delete(self.mark)
                left = self._left(lambda _key: True)
        except (ServiceError, StateError):
            left = sorted(self._sent)
        self._sent = set(left)
        return left, last

    def _own(self, snapshot: Snapshot) -> list[Key]:
        names = names_of_the_check(snapshot.name)
        return [key for key in keys_below_the_check(snapshot) if key.name in names]

    def _left(self, counts: Callable[[Key], bool]) -> list[Key]:
        def found(snapshot: Snapshot) -> list[Key]:
            return [key for key in self._own(snapshot) if counts(key)]

        return found(self._settled(lambda snapshot: not found(snapshot)))


def in_the_zone(key: Key, zone: str) -> str:
    """A key for people, without the zone's name."""
    return f"{relative_name(key.name, zone)} {key.type}"
