# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a zone file holds, record by record, as record sets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.bad_lines import TooManyRecords
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import check_host, given_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical_of,
    record_type,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    MAX_TTL,
    is_owned_by_service,
    signs_zone,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import SHOWN_CLAUSES, visible_part

try:
    import dns.name
    import dns.rdatatype
except ImportError:
    pass  # names.py keeps the error, the filters report it

MAX_RECORDS = 1_000_000  # $GENERATE can ask for more than any memory holds
_OFTEN_UNQUOTED = frozenset({"CAA", "SPF", "TXT"})  # whose values are tags with a ; between them
_TAG = re.compile(r"\s*[A-Za-z][A-Za-z0-9_-]*\s*=\s*\S")


class Reading(Protocol):
    """Where the reading of the file is."""

    record_line: int
    ends_in_quotes: bool


@dataclass
class Collected:
    """What dnspython's reader writes to in place of a transaction on a zone."""

    zone: str
    unknown_types: dict[int, str]
    tokenizer: Reading
    place: str
    warnings: list[str]
    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    record_sets: dict[tuple[str, str], tuple[int, dict[str, None]]] = field(default_factory=dict)
    of_two_ttls: set[tuple[str, str]] = field(default_factory=set)
    count: int = 0

    @property
    def manager(self) -> Collected:
        """Whom dnspython's reader asks for the origin."""
        return self

    def origin_information(self) -> tuple[dns.name.Name, bool, dns.name.Name]:
        """The origin as the reader wants it: the zone, that names stay absolute, and the zone once more."""
        origin = dns.name.from_text(self.zone)
        return origin, False, origin

    def check_put_rdataset(self, _check: Any) -> None:
        """Nothing to check: ``dns_records`` knows about CNAME and other data."""

    def _set_origin(self, _origin: Any) -> None:
        """Nothing to set: owner names arrive absolute."""

    def check_room(self, records: int) -> None:
        """Refuse so many more records if that would be too many. Raises InvalidRdata."""
        if self.count + records > MAX_RECORDS:
            raise TooManyRecords(f"the file has more than {MAX_RECORDS} records")

    def add(self, name: dns.name.Name, ttl: int, rdata: Any) -> None:
        """Take one record of the file. Raises InvalidRdata."""
        self.check_room(1)
        self.count += 1
        try:
            owner = given_name(name.to_text(), self.zone)
        except InvalidName as error:
            raise InvalidRdata(f"{name} cannot be used, {error}") from error
        rdtype = record_type(self.unknown_types.get(rdata.rdtype) or dns.rdatatype.to_text(rdata.rdtype))
        if is_owned_by_service(owner, rdtype, self.zone) or signs_zone(owner, rdtype, self.zone):
            return
        if ttl > MAX_TTL:
            raise InvalidRdata(f"its TTL is {ttl}, and a TTL is 0 to {MAX_TTL} seconds")
        text = rdata.data.decode() if rdata.rdtype in self.unknown_types else rdata.to_text()
        self.lines.setdefault((owner, rdtype), self.tokenizer.record_line)
        first_ttl, values = self.record_sets.setdefault((owner, rdtype), (ttl, {}))
        if ttl != first_ttl:
            self._warn_of_ttl(owner, rdtype, ttl, first_ttl)
        is_unquoted = rdtype in _OFTEN_UNQUOTED and not self.tokenizer.ends_in_quotes
        if is_unquoted and _TAG.match(rdata.rdcomment or ""):
            self.warnings.append(
                f"line {self.tokenizer.record_line} of {self.place}, {visible_part(f'{owner} {rdtype}')}: what "
                "follows the ; is left out as a comment: put the whole value in quotes if it belongs to it"
            )
        check_host(rdtype, text, self.zone)
        values[canonical_of(rdtype, rdata, text, self.zone)] = None

    def _warn_of_ttl(self, owner: str, rdtype: str, ttl: int, first_ttl: int) -> None:
        """Say that a set has one TTL (RFC 2181, section 5.2), once of it, and of no more sets than anybody reads."""
        if (owner, rdtype) in self.of_two_ttls:
            return
        self.of_two_ttls.add((owner, rdtype))
        if len(self.of_two_ttls) <= SHOWN_CLAUSES:
            subject = visible_part(f"{owner} {rdtype}")
            self.warnings.append(
                f"line {self.tokenizer.record_line} of {self.place}, {subject}: a set has one TTL (RFC 2181, section "
                f"5.2), so the {first_ttl} of line {self.lines[owner, rdtype]} counts and not {ttl}"
            )

    def warn_of_the_others(self) -> None:
        """Once all is read, say of how many more sets there was nothing said."""
        if (others := len(self.of_two_ttls) - SHOWN_CLAUSES) > 0:
            self.warnings.append(f"{others} more {'set' if others == 1 else 'sets'} of {self.place} have several TTLs")
