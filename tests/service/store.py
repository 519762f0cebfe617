# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands between the rules of the interface and whatever keeps the zones.

Contents are in zone-file form here (TXT in quotes, MX with its preference), names absolute, in lower case and
with the trailing dot. How a client writes or sees them is for rules.py.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import names
import values
from dns.name import Name

NAME_SERVERS = ("ns1.dns.example.", "ns2.dns.example.")
SOA = "ns1.dns.example. hostmaster.dns.example. 1 3600 600 1209600 3600"
BORN_TTL = 3600


class RefusedError(Exception):
    """The service says no. With a field, the answer has the shape of a failed validation."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = {field: [message]} if field else None
        self.headers = headers


class InvalidError(RefusedError):
    """The request's fields are wrong: every reason, by field."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__(422, "The given data was invalid.")
        self.errors = errors


@dataclasses.dataclass(frozen=True)
class Zone:
    """An entry of the zone list."""

    name: str  # A-labels, lower case, no trailing dot
    slug: str
    status: bool = True


@dataclasses.dataclass(frozen=True)
class RecordSet:
    """All values of one name and type."""

    name: str
    type: str
    ttl: int
    contents: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class ZoneDefinition:
    """A zone as the command line, a file or the control interface asks for it."""

    zone: Zone
    records: tuple[RecordSet, ...] = ()

    @classmethod
    def from_json(
        cls,
        name: str,
        *,
        slug: str | None = None,
        status: bool | None = None,
        records: Sequence[Any] | None = None,
    ) -> ZoneDefinition:
        """Read what the control interface is given; ValueError tells what is wrong with a name or a record."""
        origin = names.zone(name)
        plain = origin.to_text(omit_final_dot=True)
        slug = plain.replace(".", "") if slug is None else slug
        if not slug or "/" in slug:
            raise ValueError(f"Zone {plain}: {slug!r} is not a slug.")
        status = True if status is None else status
        return cls(
            Zone(plain, slug, status),
            tuple(_record_set(origin, record) for record in records or ()),
        )

    def all_records(self) -> list[RecordSet]:
        """Return the record sets, those that every zone is born with included; RefusedError when one is there twice."""
        apex = f"{self.zone.name}."
        born = (
            RecordSet(apex, "SOA", BORN_TTL, (SOA,)),
            RecordSet(apex, "NS", BORN_TTL, NAME_SERVERS),
        )
        asked = {(record.name, record.type) for record in self.records}
        if len(asked) != len(self.records):
            raise RefusedError(
                422, f"Zone {self.zone.name}: the same name and type more than once."
            )
        return [*(record for record in born if (apex, record.type) not in asked), *self.records]


def _record_set(origin: Name, data: Mapping[str, Any]) -> RecordSet:
    name, rtype, contents = data["name"], values.type_name(data["type"]), data["contents"]
    owner = names.inside(name, origin) if name.endswith(".") else names.relative(name, origin)
    if rtype == "TXT":
        contents = [values.txt_quoted(values.txt_bytes(content)) for content in contents]
    return RecordSet(owner.to_text(), rtype, data["ttl"], tuple(contents))


class Store(Protocol):
    """Where zones are kept. Every refusal is raised as RefusedError."""

    async def zones(self) -> Sequence[Zone]:
        """List the zones, in the order in which they were made."""

    async def records(self, zone: str) -> Sequence[RecordSet]:
        """Read one zone. The same object as last time means that nothing has changed since."""

    async def add(self, zone: str, name: str, rtype: str, content: str, ttl: int) -> None:
        """Add one value to a set, which takes this TTL."""

    async def delete(self, zone: str, name: str, rtype: str) -> None:
        """Delete a whole set."""

    async def put_zone(self, definition: ZoneDefinition) -> None:
        """Make or replace a zone, with the SOA and NS sets that every zone is born with."""

    async def remove_zone(self, zone: str) -> None:
        """Remove a zone."""

    async def clear(self) -> None:
        """Remove every zone."""

    async def remember(self) -> None:
        """Take what is kept now as what reset() goes back to."""

    async def reset(self) -> None:
        """Go back to what remember() saw."""
