# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands between the rules of the interface and whatever keeps the zones.

Contents are in zone-file form here (TXT in quotes, MX with its preference), names absolute, in lower case and
with the trailing dot. How a client writes or sees them is for rules.py.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import names
import values

Key = tuple[str, str]
"""The absolute name and the type of a record set."""
Held = tuple[int, tuple[str, ...]]
"""Its TTL and its values."""
Sets = dict[Key, Held]

NAME_SERVERS = ("ns1.dns.example.", "ns2.dns.example.")
SOA = "ns1.dns.example. hostmaster.dns.example. 1 3600 600 1209600 3600"
BORN_TTL = 3600


class RefusedError(Exception):
    """The service says no. With errors, by field, the answer has the shape of a failed validation."""

    def __init__(
        self,
        status,
        message="The given data was invalid.",
        *,
        errors=None,
        headers=None,
    ):
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors
        self.headers = headers


@dataclasses.dataclass(frozen=True)
class Zone:
    """An entry of the zone list."""

    name: str  # A-labels, lower case, no trailing dot
    slug: str
    status: bool = True


class Write(NamedTuple):
    """A value to add to a set, or, where there is none, a set to delete."""

    key: Key
    value: str | None = None
    ttl: int = 0


@dataclasses.dataclass(frozen=True)
class ZoneDefinition:
    """A zone as the command line, a file or the control interface asks for it."""

    zone: Zone
    sets: Sets = dataclasses.field(default_factory=dict)

    @classmethod
    def from_json(
        cls,
        name,
        *,
        slug=None,
        status=None,
        records=None,
    ):
        """Read what the control interface is given; ValueError tells what is wrong with a name or a record."""
        origin = names.zone(name)
        plain = origin.to_text(omit_final_dot=True)
        slug = plain.replace(".", "") if slug is None else slug
        if not slug or "/" in slug:
            raise ValueError(f"Zone {plain}: {slug!r} is not a slug.")
        sets = {}
        for record in records or ():
            key, held = _record_set(origin, record)
            if key in sets:
                message = f"Zone {plain}: the same name and type more than once."
                raise RefusedError(422, message)
            sets[key] = held
        return cls(Zone(plain, slug, True if status is None else status), sets)

    def all_sets(self):
        """Return the record sets, those that every zone is born with included."""
        apex = f"{self.zone.name}."
        born = {(apex, "SOA"): (BORN_TTL, (SOA,)), (apex, "NS"): (BORN_TTL, NAME_SERVERS)}
        return {**born, **self.sets}


def _record_set(origin, data):
    name, rtype, contents = data["name"], values.type_name(data["type"]), data["contents"]
    owner = names.inside(name, origin) if name.endswith(".") else names.relative(name, origin)
    if rtype == "TXT":
        contents = [values.txt_quoted(values.txt_bytes(content)) for content in contents]
    return (owner.to_text(), rtype), (data["ttl"], tuple(contents))
