# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record sets, which the other files pass around."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from .printable import printable, some_names

MAX_TTL = 2**31 - 1  # RFC 2181, section 8
DEFAULT_TTL = 3600
MAX_RECORDS = 1_000_000  # in a zone: a file can exceed any memory
SIGNING_TYPES = frozenset({"NSEC", "NSEC3", "NSEC3PARAM", "RRSIG"})
# BIND signs with TYPE65534.
SIGNING_TYPES_AT_APEX = frozenset({"CDNSKEY", "CDS", "DNSKEY", "TYPE65534", "ZONEMD"})
BESIDE_CNAME = frozenset({"NSEC", "RRSIG"})  # RFC 4035, section 2.5
CONTENT_NAMES = ("content", "contents", "value", "values")
"""The option, then its aliases."""

_ESCAPE = re.compile(r"(?<!\\)\\([0-9]{3})")
_OCTAL = re.compile("[0-3][0-7]{2}")
_PRINTABLE = range(33, 127)
_MEANT = {"042", "046"}
"""In decimal, an asterisk and a dot, which people escape in names."""

CNAME_AT_APEX = (
    "a CNAME cannot be at the apex, beside SOA and NS: write ALIAS and its host "
    "if the service has that type, or its addresses as A and AAAA"
)
NO_CONTENT_TO_REMOVE = (
    "absent removes the whole set and takes no content: leave it out, or list the values to keep, "
    "with state present"
)


class Key(NamedTuple):
    """A canonical owner name, and a type in upper case."""

    name: str
    type: str

    def __str__(self) -> str:
        return printable(f"{self.name} {self.type}")

    def is_owned_by_service(self, zone: str) -> bool:
        """Whether only the service writes it: SOA, and NS at the apex (spec 1)."""
        return self.type == "SOA" or (self.type == "NS" and self.name == zone)

    def signs_zone(self, zone: str) -> bool:
        """Whether signing services make such sets (RFC 4034, 5155, 7344, 8976).

        Tasks may name them, since a zone can be signed elsewhere.
        """
        return self.type in SIGNING_TYPES or (
            self.type in SIGNING_TYPES_AT_APEX and self.name == zone
        )

    def is_made_by_service(self, zone: str) -> bool:
        """Tasks must name such sets to remove them."""
        return self.is_owned_by_service(zone) or self.signs_zone(zone)


# It is never changed, but frozen ones take thrice as long to make.
@dataclass(slots=True, unsafe_hash=True)
class RecordSet:
    """The name and the values are canonical; only in a Snapshot, values are as the service shows them.

    *ttl* (seconds) is the lowest (RFC 2181, section 5.2), and *higher_ttls* lists values with others. *shown* are the
    name and type as the service shows them, where they differ: ``TYPE65`` for HTTPS (RFC 3597, section 5), and a name
    that may be octal. *spelled* lists values that the service shows otherwise, with its text. *assumed* are
    MX values whose preference is taken from the task.
    """

    name: str
    type: str
    ttl: int
    values: tuple[str, ...]
    higher_ttls: tuple[tuple[str, int], ...] = ()
    shown: Key | None = field(default=None, compare=False)
    spelled: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    assumed: tuple[str, ...] = field(default=(), compare=False)

    @property
    def key(self) -> Key:
        return Key(self.name, self.type)

    @property
    def shown_key(self) -> Key:
        return self.shown or self.key

    @property
    def is_octal(self) -> bool:
        """Whether the service may mean another name (may_be_octal)."""
        return self.shown is not None and may_be_octal(self.shown.name)

    @property
    def ttls(self) -> frozenset[int]:
        """All of them: a service may show several."""
        higher = [ttl for _value, ttl in self.higher_ttls]
        return frozenset([self.ttl, *higher])

    @property
    def ttl_and_contents(self) -> dict[str, Any]:
        return {"ttl": self.ttl, "contents": list(self.values)}

    def as_result(self) -> dict[str, Any]:
        """As modules return it."""
        return {"name": self.name, "type": self.type, **self.ttl_and_contents}

    def zone_file_lines(self) -> list[str]:
        """A line for each value (RFC 1035, section 5.1)."""
        higher = dict(self.higher_ttls)
        lines = []
        for value in self.values:
            ttl = higher.get(value, self.ttl)
            lines.append(printable(f"{self.name} {ttl} IN {self.type} {value}"))
        return lines


def joined(rows: Sequence[RecordSet]) -> RecordSet:
    """One set from *rows* that the service lists separately."""
    lowest = min(row.ttl for row in rows)
    values: list[str] = []
    higher: list[tuple[str, int]] = []
    for row in rows:
        values += row.values
        if row.ttl > lowest:
            higher += [(value, row.ttl) for value in row.values]
    shown = max((row.shown for row in rows if row.shown), default=None)
    return RecordSet(*rows[0].key, lowest, tuple(values), tuple(higher), shown)


def values_of(record_set: RecordSet | None) -> tuple[str, ...]:
    return record_set.values if record_set else ()


def same_set(one: RecordSet | None, other: RecordSet | None) -> bool:
    """Whether two sets are equal, in any order of values."""
    if one is None or other is None:
        return one is other
    return (one.key, one.ttl) == (other.key, other.ttl) and same_values(one, other)


def same_values(one: RecordSet | None, other: RecordSet | None) -> bool:
    return {*values_of(one)} == {*values_of(other)}


def bare(record_set: RecordSet | None) -> RecordSet | None:
    """The set with nothing but its TTLs and values. Without values, it is none: a service can show such a set."""
    if record_set is None or not record_set.values:
        return None
    return RecordSet(*record_set.key, record_set.ttl, record_set.values, record_set.higher_ttls)


def minus(one: RecordSet | None, other: RecordSet | None) -> tuple[str, ...]:
    """The values of one set that the other lacks."""
    there = frozenset(values_of(other))
    return tuple(value for value in values_of(one) if value not in there)


def without(one: RecordSet | None, values: Collection[str]) -> RecordSet | None:
    """The set without these values; None if it has no others."""
    rest = tuple(value for value in values_of(one) if value not in values)
    return replace(one, values=rest) if one and rest else None


def union(one: RecordSet | None, other: RecordSet | None) -> RecordSet | None:
    """The values of both sets, with the TTL of the first that is there."""
    base = one or other
    if base is None:
        return None
    values = dict.fromkeys((*base.values, *values_of(other)))
    return replace(base, values=tuple(values))


def may_be_octal(name: str) -> bool:
    """Whether a shown name may have octal escapes, as Route 53 shows them. In DNS, they are decimal.

    All of them may be, and one is printable in decimal, so that nobody needs it.
    """
    if "\\" not in name:
        return False
    codes = {*_ESCAPE.findall(name)} - _MEANT
    are_octal = all(map(_OCTAL.fullmatch, codes))
    return are_octal and any(int(code) in _PRINTABLE for code in codes)


def octal_warnings(sets: Iterable[RecordSet]) -> Iterator[str]:
    """Warn of names whose escapes may be octal."""
    names = {printable(one.shown_key.name) for one in sets if one.is_octal}
    if names:
        yield (
            f"the service shows {some_names(sorted(names))}, whose escapes are read as decimal "
            "(RFC 1035, section 5.1), but may be octal, as Route 53 shows them: that is not "
            "pruned, so change it at the service"
        )


RecordSets = dict[Key, RecordSet]
"""Values are as the service shows them."""

Sets = Mapping[Key, RecordSet]
"""Sets in our own words."""

DesiredSets = Mapping[Key, "RecordSet | None"]
"""Sets as they are to be; what is desired of others is not known."""
