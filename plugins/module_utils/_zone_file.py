# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files (RFC 1035, section 5): read into the entries of ``dns_records``, and written from what modules return."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._desired import MAX_TTL
from ansible_collections.zonesmith.dns.plugins.module_utils._names import (
    LABEL_CODEC,
    InvalidName,
    owner_name,
    relative_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan import DEFAULT_TTL, is_owned_by_service
from ansible_collections.zonesmith.dns.plugins.module_utils._rdata import (
    InvalidRdata,
    canonical,
    is_opaque,
    lacks_preference,
    record_type,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import RecordSet, visible

try:
    import dns.exception
    import dns.name
    import dns.rdataclass
    import dns.rdatatype
    import dns.tokenizer
    import dns.zonefile
except ImportError:
    pass  # _names keeps the error, the filters report it
else:

    class _LineTokenizer(dns.tokenizer.Tokenizer):
        """Knows the line at which the record began that is being read; the plain one is often a line ahead."""

        record_line = 1

        def get(self, want_leading: bool = False, want_comment: bool = False) -> dns.tokenizer.Token:
            if want_leading and want_comment:  # how the reader asks for the first token of a line
                self.record_line = self.line_number
            return super().get(want_leading, want_comment)


MAX_RECORDS = 1_000_000  # $GENERATE can ask for more than any memory holds
FIRST_TYPES = ("SOA", "NS")
# A line as write_zone_file makes it, whose type may be one that dnspython does not know.
_FULL_LINE = re.compile(r"^(\S+[ \t]+\d+[ \t]+IN[ \t]+)([A-Z][A-Z0-9-]*)[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_BYTE_ORDER_MARK = "\ufeff"
_UNDECODED = re.compile("[\ud800-\udfff]")  # what Ansible makes of bytes that are not UTF-8
_PLACEHOLDER = 65280  # RFC 6895, section 3.1: the first type for private use


class InvalidZoneFile(ValueError):
    """A zone file, or a record for one, that cannot be used; names the line or the record."""


def read_zone_file(text: str, zone: str) -> list[dict[str, Any]]:
    """The record sets of a zone file, as entries of ``dns_records``, in the order of the file.

    *zone* is canonical, and the first origin. SOA and NS at the apex are left out, since the service owns them. Where
    the records of one set differ in TTL the first one counts, as it does for BIND. Raises InvalidZoneFile.
    """
    text = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n")
    undecoded = _UNDECODED.search(text)
    if undecoded:
        line = text.count("\n", 0, undecoded.start()) + 1
        raise InvalidZoneFile(f"line {line} of the zone file cannot be used, it is not UTF-8 text")
    rewritten, unknown_types = _with_placeholders(text)
    tokenizer = _LineTokenizer(rewritten, idna_codec=LABEL_CODEC)  # type: ignore[arg-type] # duck-typed
    collector = _Collector(zone, unknown_types)
    # The transaction is duck-typed: no more of it is used than to add records.
    reader = dns.zonefile.Reader(
        tokenizer,
        dns.rdataclass.IN,
        collector,  # type: ignore[arg-type]
        allow_directives=("$ORIGIN", "$TTL", "$GENERATE"),
    )
    # With the root for its zone the reader skips nothing, and the collector can tell what is outside.
    reader.zone_origin = dns.name.root
    try:
        reader.read()
    except (dns.exception.DNSException, ValueError) as error:
        raise InvalidZoneFile(
            f"line {tokenizer.record_line} of the zone file cannot be used, {_reason(error)}"
        ) from error
    return [
        {"name": held.name, "type": held.type, "ttl": held.ttl, "content": list(held.contents)}
        for held in collector.record_sets.values()
    ]


def write_zone_file(records: Iterable[Mapping[str, Any]], zone: str) -> str:
    """A zone file with these record sets: one line a value, sorted, the same for the same sets in any order.

    *records* are as ``dns_zone_info`` returns them or as ``dns_records`` takes them; *zone* is canonical. Raises
    InvalidZoneFile.
    """
    rows = [row for record in records for row in _rows(record, zone)]
    lines = (
        f"{relative_name(name, zone)} {ttl} IN {rdtype} {value}" for _order, name, ttl, rdtype, value in sorted(rows)
    )
    return "\n".join([f"$ORIGIN {zone}", *dict.fromkeys(lines)]) + "\n"


def _rows(record: Mapping[str, Any], zone: str) -> list[tuple[Any, str, int, str, str]]:
    try:
        name, rdtype, ttl = owner_name(record.get("name", "@"), zone), record_type(record["type"]), record.get("ttl")
        seconds = DEFAULT_TTL if ttl is None else int(ttl)
        if not 0 <= seconds <= MAX_TTL:
            raise InvalidRdata(f"ttl is {seconds}, and a TTL is 0 to {MAX_TTL} seconds")
        values = [canonical(rdtype, content, zone, record.get("priority")) for content in _contents(record)]
        if any(lacks_preference(rdtype, value) for value in values):
            raise InvalidRdata("an MX value has no preference, and a zone file needs it")
    except (InvalidName, InvalidRdata) as error:
        subject = visible(f"{record.get('name', '@')} {record['type']}")
        raise InvalidZoneFile(f"{subject} cannot be written to a zone file, {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InvalidZoneFile("a record is a dictionary with name, type, ttl and content") from error
    return [(_order(name, rdtype), name, seconds, rdtype, value) for value in values]


@dataclass
class _Collector:
    """What dnspython's reader writes to in place of a transaction on a zone."""

    zone: str
    unknown_types: dict[int, str]
    record_sets: dict[tuple[str, str], RecordSet] = field(default_factory=dict)
    count: int = 0

    @property
    def manager(self) -> _Collector:
        return self

    def origin_information(self) -> tuple[dns.name.Name, bool, dns.name.Name]:
        origin = dns.name.from_text(self.zone)
        return origin, False, origin

    def check_put_rdataset(self, _check: Any) -> None:
        """Nothing to check: ``dns_records`` knows about CNAME and other data."""

    def _set_origin(self, _origin: Any) -> None:
        """Nothing to set: owner names arrive absolute."""

    def add(self, name: dns.name.Name, ttl: int, rdata: Any) -> None:
        """Take one record of the file. Raises InvalidRdata."""
        self.count += 1
        if self.count > MAX_RECORDS:
            raise InvalidRdata(f"the file has more than {MAX_RECORDS} records")
        try:
            owner = owner_name(name.to_text(), self.zone)
        except InvalidName as error:
            raise InvalidRdata(f"{name} cannot be used, {error}") from error
        rdtype = record_type(self.unknown_types.get(rdata.rdtype) or dns.rdatatype.to_text(rdata.rdtype))
        if is_owned_by_service(owner, rdtype, self.zone):
            return
        text = rdata.data.decode() if rdata.rdtype in self.unknown_types else rdata.to_text()
        value = canonical(rdtype, text, self.zone)
        held = self.record_sets.setdefault((owner, rdtype), RecordSet(owner, rdtype, ttl, ()))
        if value not in held.contents:
            self.record_sets[held.key] = RecordSet(*held.key, held.ttl, (*held.contents, value))


def _with_placeholders(text: str) -> tuple[str, dict[int, str]]:
    """The file with every full line of an unknown type in generic form (RFC 3597), and the types behind the numbers."""
    numbers: dict[str, int] = {}

    def generic(line: re.Match[str]) -> str:
        start, mnemonic, value = line.groups()
        if not is_opaque(mnemonic, value):
            return line.group()
        number = numbers.setdefault(mnemonic, _PLACEHOLDER + len(numbers))
        encoded = value.encode()
        return f"{start}TYPE{number} \\# {len(encoded)} {encoded.hex()}"

    return _FULL_LINE.sub(generic, text), {number: mnemonic for mnemonic, number in numbers.items()}


def _reason(error: Exception) -> str:
    reason = re.sub(r"^<string>:\d+: ", "", str(error))
    if reason == "Missing default TTL value":
        return "the record has no TTL, and no $TTL stands before it"
    return visible(reason)


def _contents(record: Mapping[str, Any]) -> list[str]:
    for option in ("content", "contents", "value", "values"):
        content = record.get(option)
        if content is not None:
            return [content] if isinstance(content, str) else [str(value) for value in content]
    raise KeyError("content")


def _order(name: str, rdtype: str) -> tuple[list[str], int, str]:
    """Names by their labels from the right (RFC 4034, section 6.1), SOA and NS first at each."""
    place = FIRST_TYPES.index(rdtype) if rdtype in FIRST_TYPES else len(FIRST_TYPES)
    return name.rstrip(".").split(".")[::-1], place, rdtype
