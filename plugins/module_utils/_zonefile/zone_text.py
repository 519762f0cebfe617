# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes zone files (RFC 1035, section 5): the same sets always give the same text.

For programs, each line is a complete record. For people, columns are aligned and names relative.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

from .._dns.dialect import host_alone
from .._dns.input_checks import reason_against_host
from .._dns.names import LABEL_CODEC, InvalidName, is_doubled, owner_name
from .._dns.older_dnspython import parsed
from .._dns.printable import some_clauses
from .._dns.rdata import InvalidRdata, canonical, is_opaque, is_text, record_type
from .._dns.record_set import Key, RecordSet
from .._dns.records import InvalidRecord, record_sets
from .._dns.zone_view import labels
from .file_text import InvalidZoneFile
from .logical_lines import escaped

with suppress(ImportError):  # names.py keeps the error, the filters report it
    import dns.name

MASKS = ("*" * 8, "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER")
"""Ansible's masks for part of a secret, and for all of it."""

TYPES_IN_ORDER = (
    "SOA",
    "NS",
    "DS",
    "CNAME",
    "DNAME",
    "MX",
    "A",
    "AAAA",
    "HTTPS",
    "SVCB",
    "SRV",
    "PTR",
    "TXT",
    "CAA",
)
"""The order of types at a name; others follow alphabetically."""

WIDEST_OWNER = 40
"""The longest owner name that widens the column, in characters."""

LEFT_OUT = "; Left out, since the service writes them: SOA, NS at the apex, DNSSEC records"
"""Stands where a person would look for these sets."""

_INDENT = " " * 4
_LONGEST_NUMBER = 63  # digits, of a whole label
_DIGITS = re.compile("[0-9]+")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')


def write_zone_file(records: Iterable[Mapping[str, Any]], zone: str) -> str:
    """Return a zone file with one sorted line per value, whatever the order of *records*.

    *records* are as ``dns_zone_info`` returns or ``dns_records`` takes them; *zone* is canonical. A set with several
    TTLs gets the lowest (RFC 2181, section 5.2). Raises InvalidZoneFile.
    """
    lines = [f"$ORIGIN {zone}"]
    for one in _in_order(validated_sets(records, zone).values(), zone):
        start = f"{relative_to(one.name, zone)} {one.ttl} IN {one.type}"
        for value in sorted(one.values, key=natural):
            lines.append(f"{start} {spelled(one.type, value)}")
    return "\n".join(lines) + "\n"


def pretty_zone_file(records: Iterable[Mapping[str, Any]], zone: str) -> str:
    """Return a zone file laid out for people. *records* and *zone* are as in ``write_zone_file``.

    A comment stands for SOA, apex NS and signing records. Raises InvalidZoneFile.
    """
    return pretty_text(validated_sets(records, zone).values(), zone)


def validated_sets(records: Iterable[Mapping[str, Any]], zone: str) -> dict[Key, RecordSet]:
    """Return the present sets, whose values a zone file can hold. Raises InvalidZoneFile."""
    try:
        sets = record_sets(records, zone)
    except InvalidRecord as error:
        raise InvalidZoneFile(str(error)) from error
    reasons = []
    for key, one in sets.items():
        try:
            _refuse_unwritable(one, zone)
        except (InvalidName, InvalidRdata) as error:
            reasons.append(f"{key} cannot be written to a zone file: {error}")
    if reasons:
        raise InvalidZoneFile(some_clauses(reasons))
    return sets


def _refuse_unwritable(one: RecordSet, zone: str) -> None:
    """Raises InvalidName, InvalidRdata for what a service or a result may show, but a zone file cannot hold."""
    owner_name(one.name, zone)
    record_type(one.type)
    for value in one.values:
        canonical(one.type, value, zone)
        if not value.replace("\t", " ").isprintable():
            raise InvalidRdata("a value contains invisible characters")
        if host_alone(one.type, value):
            raise InvalidRdata(
                "an MX value has no preference, which a zone file needs: if the service does not "
                "show it, leave the type MX out, and write those lines by hand"
            )
    text = " ".join([one.name, *one.values]).upper()
    for mask in MASKS:
        if mask in text:
            raise InvalidRdata(
                f"it holds {mask}, which Ansible writes instead of a secret, such as a token, "
                "because the data contains that secret: use another secret"
            )


class Row(NamedTuple):
    """One value as written. *ttl* is empty if it equals ``$TTL``."""

    owner: str
    ttl: str
    type: str
    value: str


def pretty_text(sets: Iterable[RecordSet], zone: str) -> str:
    """Do as ``pretty_zone_file`` for sets with canonical values."""
    held = [one for one in sets if one.values]
    written = [one for one in held if not one.key.is_made_by_service(zone)]
    head = [f"$ORIGIN {zone}"]
    usual = usual_ttl(written)
    if usual is not None:
        head.append(f"$TTL {usual}")
    blocks = [head]
    if len(written) < len(held):
        blocks.append([LEFT_OUT])
    paragraphs = []
    for _group, members in groupby(_in_order(written, zone), lambda one: _group_of(one, zone)):
        rows: list[Row] = []
        for one in members:
            rows += _rows(one, zone, usual)
        paragraphs.append(rows)
    blocks += _aligned(paragraphs)
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def usual_ttl(sets: Iterable[RecordSet]) -> int | None:
    """Return the most frequent TTL (seconds), in a tie the highest, or None."""
    counts = Counter(one.ttl for one in sets)
    return max(counts, key=lambda ttl: (counts[ttl], ttl), default=None)


def spelled(rdtype: str, value: str) -> str:
    """Return a canonical value with ``;`` escaped where needed."""
    if ";" in value and is_opaque(rdtype, value):
        return escaped(value)
    return value


def _labels_below(name: str, zone: str) -> list[str]:
    """Return a canonical name's labels before those of its zone, from the right."""
    from_right = labels(name)[::-1]
    return from_right[len(labels(zone)) :]


def relative_to(name: str, origin: str) -> str:
    """Return a canonical *name* as written below *origin*: relative, unless it is elsewhere or repeats it."""
    if is_doubled(name, origin):
        return name
    return dns.name.from_text(name).relativize(dns.name.from_text(origin)).to_text()


def order_of(key: Key, zone: str) -> tuple[Any, ...]:
    """Sort as people do: by labels from the right, with numbers as numbers and the apex first."""
    place = [*TYPES_IN_ORDER, key.type].index(key.type)
    return tuple(map(natural, _labels_below(key.name, zone))), place, key.type


def _in_order(sets: Iterable[RecordSet], zone: str) -> list[RecordSet]:
    return sorted(sets, key=lambda one: order_of(one.key, zone))


def natural(text: str) -> tuple[str, str]:
    """Sort numbers in texts as people do: 2 before 10."""
    return _DIGITS.sub(_padded, text), text


def _padded(found: re.Match[str]) -> str:
    return found[0].zfill(_LONGEST_NUMBER)


def _group_of(one: RecordSet, zone: str) -> str:
    """Return what neighbours in one paragraph share: the label next to the zone, with any number, as in ``mx1``."""
    return _DIGITS.sub("0", "".join(_labels_below(one.name, zone)[:1]))


def written_value(rdtype: str, value: str, origin: str) -> str:
    """Return a canonical value as written below ``$ORIGIN`` *origin*, with relative hosts."""
    if is_opaque(rdtype, value):
        return spelled(rdtype, value)
    if origin == "." or is_text(rdtype) or origin[:-1] not in value:
        return value
    rdata = parsed(rdtype, value, LABEL_CODEC)
    text = rdata.to_text(origin=dns.name.from_text(origin), relativize=True)
    # A host that looks like an address would be refused on reading.
    if any(map(reason_against_host, text.split())):
        return value
    return text


def in_lines(rdtype: str, value: str) -> str:
    """Put the strings of a text on lines of their own, in parentheses, if there are several."""
    if not is_text(rdtype):
        return value
    strings = _STRING.findall(value)
    if len(strings) < 2:
        return value
    lines = [f"{_INDENT}{string}" for string in strings]
    return "\n".join(["(", *lines, ")"])


def _rows(one: RecordSet, zone: str, usual: int | None) -> list[Row]:
    rows = []
    for value in sorted(one.values, key=natural):
        # A line of an unknown type needs all its parts.
        is_said = one.ttl != usual or is_opaque(one.type, value)
        written = in_lines(one.type, written_value(one.type, value, zone))
        ttl = str(one.ttl) if is_said else ""
        rows.append(Row(relative_to(one.name, zone), ttl, one.type, written))
    return rows


def _aligned(paragraphs: list[list[Row]]) -> list[list[str]]:
    rows = [row for paragraph in paragraphs for row in paragraph]
    widths = [len(row.owner) for row in rows]
    owners = max((width for width in widths if width <= WIDEST_OWNER), default=0)
    ttls = max((len(row.ttl) for row in rows), default=0)
    types = max((len(row.type) for row in rows), default=0)

    def line(row: Row) -> str:
        owner = f"{row.owner:<{owners}}"
        ttl = f"{row.ttl:>{ttls}}  " if ttls else ""
        return f"{owner}  {ttl}IN  {row.type:<{types}}  {row.value}"

    return [list(map(line, paragraph)) for paragraph in paragraphs]
