# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The four calls of the service (spec 4), and how a zone's name leads to its record sets.

Calls wait for their turn (turns.py, limiter.py), are retried (retries.py), sent (sender.py) and checked (answers.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from urllib.parse import quote

from .._dns.names import ends_in
from .._dns.printable import printable
from .._dns.record_set import Key, RecordSet, RecordSets, joined
from .._dns.slips import zone_hint
from .._machine import machine
from .answers import ZONES, ListedZone, ServiceError, Success, listed_zones, record_sets_of
from .connection import AUTO, Concurrency, Connection
from .limiter import LEARNED, Bounds
from .retries import READ, Retries, Write
from .sender import Sender
from .stale_snapshots import SHORT_BACKOFF, read_until

LACKS_SOA = "the service's answer lacks the zone's SOA, so it may lack other record sets too; try again later"


class ZoneNotFound(ServiceError):
    """The service does not list the zone."""


@dataclass(frozen=True)
class Snapshot:
    """A zone as one answer shows it. Sets *outside* of it are not the zone's."""

    name: str
    slug: str
    record_sets: RecordSets
    outside: tuple[Key, ...] = ()
    read_at: float = field(default_factory=lambda: machine().monotonic(), init=False, compare=False)

    @property
    def is_whole(self) -> bool:
        """Whether it has its SOA (RFC 1035, section 5.2). If not, more may be missing."""
        return (self.name, "SOA") in self.record_sets

    @property
    def age(self) -> float:
        """In seconds."""
        return machine().monotonic() - self.read_at

    def shown_type(self, key: Key) -> str:
        shown_set = self.record_sets.get(key)
        return shown_set.shown_key.type if shown_set else key.type


class Client:
    """Thread-safe. Raises InvalidConnection if the token must not be sent that way."""

    def __init__(
        self, connection: Connection, concurrency: Concurrency = 1, sender: type[Sender] = Sender
    ):
        bounds = LEARNED if concurrency == AUTO else Bounds(concurrency, concurrency)
        self.most = bounds.most
        """Requests under way at once, whatever is learned."""
        self._sender = sender(connection, self.most)
        self._retries = Retries(connection.retries, connection.retry_timeout, bounds)
        self.turns = self._retries.turns

    def threads(self) -> int:
        """How many requests are useful at once, as far as is known now."""
        return self.turns.limiter.goal

    @property
    def base_url(self) -> str:
        """Without a final slash."""
        return self._sender.base_url

    def list_zones(self) -> list[ListedZone]:
        """All zones (``GET /dns/domains``). Raises ServiceError, also if the list is incomplete."""
        zones, total = self.listed()
        if total > len(zones):
            raise ServiceError(
                f"the service lists {len(zones)} of {total} zones, and its specification offers no way to list the "
                "others"
            )
        return zones

    def listed(self) -> tuple[list[ListedZone], int]:
        """With how many exist (spec 2.2). Raises ServiceError."""
        return listed_zones(self._call("GET", ZONES).envelope)

    def read_zone(self, zone: str) -> Snapshot:
        """Read a zone by its canonical name. Raises ServiceError.

        A slug, the name without dots, can be ambiguous (spec 2.2): without the zone's SOA, the list gives it.
        """
        derived = zone.replace(".", "")
        found: Snapshot | ServiceError
        try:
            found = Snapshot(zone, derived, self.read_record_sets(derived))
            if found.is_whole:
                return _whole(found)
        except ServiceError as error:
            if error.status_code not in (200, 400, 404, 422):
                raise
            found = error
        listed = self.listed_zone(zone)
        if listed.slug != derived:
            return _whole(self.read_listed(listed))
        if isinstance(found, ServiceError):
            raise found
        return _whole(_of_that_name(found))

    def read_again(self, zone: Snapshot) -> Snapshot:
        """Read a zone by its slug, and again if its SOA is missing. Raises ServiceError."""

        def read() -> Snapshot:
            return Snapshot(zone.name, zone.slug, self.read_record_sets(zone.slug))

        snapshot = read_until(read, lambda snapshot: snapshot.is_whole, SHORT_BACKOFF)
        return _whole(_of_that_name(snapshot))

    def listed_zone(self, zone: str) -> ListedZone:
        """Raises ServiceError, which suggests similar names."""
        zones, total = self.listed()
        for listed in zones:
            if listed.canonical == zone:
                return listed
        raise _not_listed(zone, [listed.canonical for listed in zones], total)

    def read_listed(self, listed: ListedZone) -> Snapshot:
        """Complete or not. Raises ServiceError."""
        record_sets = self.read_record_sets(listed.slug)
        return _of_that_name(Snapshot(listed.canonical, listed.slug, record_sets))

    def read_record_sets(self, slug: str) -> RecordSets:
        """The record sets of a slug (``GET /dns/domains/SLUG``). Raises ServiceError."""
        envelope = self._call("GET", _zone_path(slug)).envelope
        found: RecordSets = {}
        parts: dict[Key, list[RecordSet]] = {}
        for row in record_sets_of(envelope):
            first = found.setdefault(row.key, row)
            if first is not row:
                parts.setdefault(row.key, [first]).append(row)
        for key, rows in parts.items():
            found[key] = joined(rows)
        return found

    def create_value(self, slug: str, body: dict[str, Any], write: Write) -> bool:
        """Add a value (``POST /dns/domains/SLUG/records``), with *body* of ``new_record``. Raises ServiceError.

        Returns whether that is confirmed.
        """
        return self._call(
            "POST", f"{_zone_path(slug)}/records", body=body, write=write
        ).is_confirmed

    def delete_record_set(self, slug: str, name: str, rdtype: str, write: Write) -> bool:
        """Delete a whole set (``DELETE /dns/domains/SLUG/records?name=NAME&type=TYPE``). Raises ServiceError.

        Returns whether that is confirmed.
        """
        query = {"name": name, "type": rdtype}
        path = f"{_zone_path(slug)}/records"
        return self._call("DELETE", path, query=query, write=write).is_confirmed

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, str] | None = None,
        body: dict[str, Any] | None = None,
        write: Write = READ,
    ) -> Success:
        send = partial(self._sender.send, method, path, query, body)
        return self._retries.call(send, write, f"{method} {self.base_url}{path}")


def new_record(
    name: str, rdtype: str, content: str, ttl: int, priority: int | None
) -> dict[str, Any]:
    """The body of ``create_value`` (spec 2.5). *ttl* is in seconds, *priority* None without one."""
    record: dict[str, Any] = {"name": name, "type": rdtype, "content": content, "ttl": ttl}
    if priority is not None:
        record["priority"] = priority
    return record


def _zone_path(slug: str) -> str:
    return f"{ZONES}/{quote(slug, safe='')}"


def _of_that_name(snapshot: Snapshot) -> Snapshot:
    if snapshot.is_whole:
        return snapshot
    for name, rdtype in snapshot.record_sets:
        if rdtype == "SOA":
            slug = printable(snapshot.slug)
            raise ZoneNotFound(f"its slug {slug} leads to the zone {printable(name)} instead")
    return snapshot


def _whole(snapshot: Snapshot) -> Snapshot:
    """The snapshot with the zone's own sets alone. Raises ServiceError if some may be missing."""
    if not snapshot.is_whole:
        raise ServiceError(LACKS_SOA, 200)
    outside = [key for key in snapshot.record_sets if not ends_in(key.name, snapshot.name)]
    if not outside:
        return snapshot
    inside = dict(snapshot.record_sets)
    for key in outside:
        del inside[key]
    return replace(snapshot, record_sets=inside, outside=tuple(outside))


def _not_listed(zone: str, listed: Sequence[str], total: int) -> ZoneNotFound:
    """Why a zone is not *listed*, of *total* zones that there are, and what may be meant."""
    number = len(listed)
    if total > number:
        return ZoneNotFound(
            f"it is not among the {number} zones that the service lists, but the account has {total}, so the zone "
            "may exist"
        )
    hint = zone_hint(zone, listed)
    return ZoneNotFound(f"the account has no zone of that name (it has {number}); {hint}", 404)
