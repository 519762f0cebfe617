# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the files of a zone hold, record by record, as record sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import check_host, given_name, given_type
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, NameOutsideZone, owner_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import quoted
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical_of,
    record_type,
    text_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_RECORDS, MAX_TTL, Key
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.bad_lines import InvalidValue, TooManyRecords
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.entries import OpaqueRecord
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import Where

with suppress(ImportError):  # names.py keeps the error, the filters report it
    import dns.name


class FileRecord(NamedTuple):
    """One record of a file: the line at which it begins, and what it is to whoever reads the file."""

    where: Where
    owner: str
    type: str
    value: str
    """Canonical; empty where the record signs the zone."""
    ttl: int
    """That of its line, or from the lines before."""
    counts: int
    """The TTL that BIND gives it for the others of its set."""
    origin: str
    default_ttl: int | None
    """The TTL that it has where it says none; None where that is the one of the record before."""
    is_generated: bool

    @property
    def key(self) -> Key:
        """The set that it is of."""
        return Key(self.owner, self.type)


@dataclass(slots=True)
class FileSet:
    """A record set of a file: its values, its TTL in seconds, and with which part, line and TTL it begins."""

    values: dict[str, None]
    ttl: int
    part: str
    begins: Where
    first_ttl: int
    other_ttls: dict[Where, int] = field(default_factory=dict)
    """The lines that say another TTL than the first, and what they say."""


@dataclass
class Collected:
    """The record sets of a *zone* (canonical), as far as its files are read.

    Where one *is_held*, what a zone may hold and nobody means is taken too, such as a type with a slip in it.
    """

    zone: str
    is_held: bool
    records: list[FileRecord] | None = None
    """Each of them in the order of the files, where somebody wants to know."""
    sets: dict[Key, FileSet] = field(default_factory=dict)
    signing: Counter[str] = field(default_factory=Counter)
    """How many records sign the zone, by their types."""
    generated: int = 0
    """How many characters ``$GENERATE`` may have made."""
    count: int = 0
    _refused: set[Hashable] = field(default_factory=set)

    def check_room(self, records: int) -> None:
        """Refuse so many more records if that would be too many. Raises InvalidRdata."""
        if self.count + records > MAX_RECORDS:
            raise TooManyRecords(f"the file has more than {MAX_RECORDS} records")

    def add(self, record: FileRecord, data: Any, part: str) -> Key | None:
        """Take one record of a *part*, whose owner and type are as they are written; its set, if it is in any.

        Its *data* are dnspython's, those of an OpaqueRecord, or a canonical value. Raises InvalidRdata.
        """
        self.check_room(1)
        self.count += 1
        owner = self._owner(record)
        if not owner:
            return None
        key = Key(owner, (record_type if self.is_held else given_type)(record.type))
        value = ""
        if key.signs_zone(self.zone):
            self.signing[key.type] += 1
        else:
            found = self.sets.get(key)
            if found and found.part != part:
                self._refuse_once(
                    key, f"a set is in one part, and this one has {found.begins} too: keep its records together"
                )
                return None
            value = self._canonical(key, record.ttl, data)
            if not found:
                found = self.sets[key] = FileSet({}, record.counts, part, record.where, record.ttl)
            found.values[value] = None
            found.ttl = record.counts
            if record.ttl != found.first_ttl:
                found.other_ttls[record.where] = record.ttl
        if self.records is not None:
            self.records.append(
                record._replace(owner=key.name, type=key.type, value=value, origin=record.origin.lower())
            )
        return key

    def _owner(self, record: FileRecord) -> str | None:
        """The canonical owner name; none where another record has been refused for the same origin."""
        try:
            return (owner_name if self.is_held else given_name)(record.owner, self.zone)
        except InvalidName as error:
            if isinstance(error, NameOutsideZone) and _is_below(record.owner, record.origin):
                self._refuse_once(
                    record.origin.lower(),
                    f"$ORIGIN is {record.origin} there, which is not inside the zone {self.zone}: is the file that of "
                    "another zone? What else it would make names of is left out here",
                )
                return None
            raise InvalidRdata(f"name {quoted(record.owner)} cannot be used, {error}") from error

    def _canonical(self, key: Key, ttl: int, data: Any) -> str:
        if key.is_owned_by_service(self.zone):
            return data if isinstance(data, str) else as_read(key.type, data.to_text(), self.zone)
        if ttl > MAX_TTL:
            raise InvalidRdata(f"its TTL is {ttl}, and a TTL is 0 to {MAX_TTL} seconds")
        if isinstance(data, str):
            return data
        text = data.value if isinstance(data, OpaqueRecord) else text_of(data)
        try:
            if not self.is_held:
                check_host(key.type, text, self.zone)
            return canonical_of(key.type, data, text, self.zone)
        except InvalidRdata as error:
            raise InvalidValue(str(error)) from error

    def _refuse_once(self, what: Hashable, reason: str) -> None:
        """Raises InvalidRdata for the first record that is refused for the same: the file is, and once is enough."""
        if what not in self._refused:
            self._refused.add(what)
            raise InvalidRdata(reason)


def _is_below(name: str, origin: str) -> bool:
    """Whether a name is below an origin that is not the root, from which names are whole."""
    return origin != "." and dns.name.from_text(name).is_subdomain(dns.name.from_text(origin))
