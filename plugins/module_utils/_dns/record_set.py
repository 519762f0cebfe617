# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record sets: plain frozen values that the other files pass around."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import as_read, same_values

MAX_TTL = 2**31 - 1  # RFC 2181, section 8
DEFAULT_TTL = 3600
MAX_RECORDS = 1_000_000  # of a zone: a file or a transfer can be more than any memory holds
SIGNING_TYPES = frozenset({"NSEC", "NSEC3", "NSEC3PARAM", "RRSIG"})
SIGNING_TYPES_AT_APEX = frozenset({"CDNSKEY", "CDS", "DNSKEY", "TYPE65534", "ZONEMD"})  # the fourth is how BIND signs
BESIDE_CNAME = frozenset({"NSEC", "RRSIG"})  # RFC 4035, section 2.5
CONTENT_NAMES = ("content", "contents", "value", "values")
"""What people call the values of a set: the option, then its aliases."""

CNAME_AT_APEX = (
    "a CNAME cannot be at the apex, beside SOA and NS: write ALIAS and its host where the service has such a type, or "
    "its addresses as A and AAAA"
)
NO_CONTENT_TO_REMOVE = (
    "absent removes the whole set and takes no content: leave it out, or list the values that are to stay with state "
    "present"
)


class Key(NamedTuple):
    """What identifies a record set in its zone: the canonical owner name, and the type in upper case."""

    name: str
    type: str

    def __str__(self) -> str:
        """The set as a message names it."""
        return printable(f"{self.name} {self.type}")

    def is_owned_by_service(self, zone: str) -> bool:
        """Whether the service alone writes the set: SOA, and NS at the apex of *zone* (canonical) (spec 1)."""
        return self.type == "SOA" or (self.type == "NS" and self.name == zone)

    def signs_zone(self, zone: str) -> bool:
        """Whether a service that signs its zones makes such sets itself (RFC 4034, 5155, 7344, 8976).

        Other than what it owns, a task may name them, since another may sign a zone that this service serves.
        """
        return self.type in SIGNING_TYPES or (self.type in SIGNING_TYPES_AT_APEX and self.name == zone)

    def is_made_by_service(self, zone: str) -> bool:
        """Whether the service owns the set, or signs the zone with it: no task removes what it does not name."""
        return self.is_owned_by_service(zone) or self.signs_zone(zone)


@dataclass(frozen=True, slots=True)
class RecordSet:
    """One owner name and type, with its TTL in seconds and its values.

    The name is canonical (``names``). The values are either as the service shows them or canonical (``rdata``);
    whoever makes a set says which. Where they have several TTLs, *ttl* is the lowest (RFC 2181, section 5.2), and
    *higher_ttls* are the values with another one, and theirs. *shown_type* is the type as the service shows it, where
    that is not *type*, such as ``TYPE65`` for HTTPS (RFC 3597, section 5).
    """

    name: str
    type: str
    ttl: int
    values: tuple[str, ...]
    higher_ttls: tuple[tuple[str, int], ...] = ()
    shown_type: str = field(default="", compare=False)

    _canonical: tuple[str, RecordSet | None] = field(default=("", None), init=False, repr=False, compare=False)

    def canonical(self, zone: str, known: Collection[str] = ()) -> RecordSet:
        """The set with canonical values, for one as the service shows it; itself where they are so.

        Made once for a set: one snapshot is looked at many times, and no cache of values holds those of a large zone.
        *known* are canonical values that it may hold.
        """
        of_zone, made = self._canonical
        if of_zone != zone:
            values = tuple(dict.fromkeys(as_read(self.type, shown, zone, known) for shown in self.values))
            higher = tuple((as_read(self.type, shown, zone, known), ttl) for shown, ttl in self.higher_ttls)
            is_so = (values, higher) == (self.values, self.higher_ttls)
            made = None if is_so else replace(self, values=values, higher_ttls=higher)
            object.__setattr__(self, "_canonical", (zone, made))  # which says nothing new of the set
        return made or self

    @property
    def key(self) -> Key:
        """What identifies the set in its zone."""
        return Key(self.name, self.type)

    @property
    def ttl_and_contents(self) -> dict[str, Any]:
        """What the set holds, as modules return it."""
        return {"ttl": self.ttl, "contents": list(self.values)}

    def as_result(self) -> dict[str, Any]:
        """The set as modules return it."""
        return {"name": self.name, "type": self.type, **self.ttl_and_contents}

    def zone_file_lines(self) -> list[str]:
        """One line a value, in zone-file form (RFC 1035, section 5.1)."""
        higher = dict(self.higher_ttls)
        return [printable(f"{self.name} {higher.get(value, self.ttl)} IN {self.type} {value}") for value in self.values]


def joined(rows: Sequence[RecordSet]) -> RecordSet:
    """The rows of one name and type, in an answer that shows them apart, as one set."""
    lowest = min(row.ttl for row in rows)
    values = tuple(value for row in rows for value in row.values)
    higher = tuple((value, row.ttl) for row in rows if row.ttl > lowest for value in row.values)
    return RecordSet(*rows[0].key, lowest, values, higher, max(row.shown_type for row in rows))


Preferences = Mapping[Key, Sequence[str]]
"""For a set of MX, the values that were sent last, of which the service shows the host alone."""

NONE_KNOWN: Preferences = MappingProxyType({})


def values_of(record_set: RecordSet | None) -> tuple[str, ...]:
    """The values of a set; none where it is not there."""
    return record_set.values if record_set else ()


def same_set(one: RecordSet | None, other: RecordSet | None) -> bool:
    """Whether two sets with canonical values are one, in whatever order and form the service shows their values."""
    if one is None or other is None:
        return one is other
    return (one.key, one.ttl) == (other.key, other.ttl) and same_values(one.type, one.values, other.values)


RecordSets = dict[Key, RecordSet]
"""The record sets of a zone, by key, with values as the service shows them."""
