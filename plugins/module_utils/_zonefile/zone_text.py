# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes zone files (RFC 1035, section 5): the same sets always give the same text.

For programs, each line is a complete record. For people, columns are aligned and names relative.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from .._dns.dialect import host_alone
from .._dns.input_checks import reason_against_host, without_line_end
from .._dns.names import LABEL_CODEC, InvalidName, is_doubled, owner_name
from .._dns.older_dnspython import parsed
from .._dns.printable import printable_name, printable_part, some_clauses
from .._dns.rdata import InvalidRdata, canonical, is_opaque, is_text, record_type
from .._dns.record_set import CONTENT_NAMES, NO_CONTENT_TO_REMOVE, Key, RecordSet
from .._dns.records import NO_RECORD, contents_in, refuse_yaml, ttl_in
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

_INDENT = " " * 4
_SOA_FIELDS_SHOWN = 2  # the serial changes with every write, and the service sets the timers
_DIGITS = re.compile(r"([0-9]+)")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_NO_RECORD = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    RecursionError,
)
"""What reading something else as a record may raise."""


def write_zone_file(records: Iterable[Mapping[str, Any]], zone: str) -> str:
    """Return a zone file with one sorted line per value, whatever the order of *records*.

    *records* are as ``dns_zone_info`` returns or ``dns_records`` takes them; *zone* is canonical. Raises
    InvalidZoneFile.
    """
    rows = []
    for one in validated_sets(records, zone):
        order = _order(one.name, one.type)
        for value in one.values:
            written = spelled(one.type, value)
            rows.append((order, one.name, one.ttl, one.type, written))
    lines = [f"$ORIGIN {zone}"]
    for _place, name, ttl, rdtype, value in sorted(set(rows)):
        owner = relative_to(name, zone) or name
        lines.append(f"{owner} {ttl} IN {rdtype} {value}")
    return "\n".join(lines) + "\n"


def validated_sets(records: Iterable[Mapping[str, Any]], zone: str) -> list[RecordSet]:
    """Return the present sets with canonical values, one per record. Raises InvalidZoneFile."""
    sets: list[RecordSet] = []
    reasons: dict[str, None] = {}
    for record in records:
        try:
            one = _validated_set(record, zone)
        except InvalidZoneFile as error:
            reasons[str(error)] = None
            continue
        if one:
            sets.append(one)
    if reasons:
        raise InvalidZoneFile(some_clauses([*reasons]))
    return sets


def spelled(rdtype: str, value: str) -> str:
    """Return a canonical value with ``;`` escaped where needed."""
    if ";" in value and is_opaque(rdtype, value):
        return escaped(value)
    return value


def _validated_set(record: Mapping[str, Any], zone: str) -> RecordSet | None:
    """Return the set; None if ``dns_records`` would remove it. Raises InvalidZoneFile."""
    try:
        name = record.get("name")
        owner = "@" if name is None else str(name)
        return _set_of(record, owner, zone)
    except (InvalidName, InvalidRdata) as error:
        subject = printable_part(f"{printable_name(owner)} {record['type']}")
        raise InvalidZoneFile(f"{subject} cannot be written to a zone file: {error}") from error
    except _NO_RECORD as error:
        raise InvalidZoneFile(NO_RECORD) from error


def _set_of(record: Mapping[str, Any], owner: str, zone: str) -> RecordSet | None:
    """Do the same. Raises InvalidName, InvalidRdata, and for what is no record, any of _NO_RECORD."""
    is_absent = record.get("state", "present") == "absent"
    texts: list[str] = []
    if not is_absent:
        texts = [without_line_end(text) for text in contents_in(record)]
    priority = record.get("priority")
    _refuse_masks([zone, owner, record["type"], record.get("ttl"), priority, *texts])
    if is_absent:
        if any(map(record.get, CONTENT_NAMES)):
            raise InvalidRdata(NO_CONTENT_TO_REMOVE)
        return None
    state = record.get("state", "present")
    if state != "present":
        raise InvalidRdata(f"state is {printable_part(str(state))}, but must be present or absent")
    refuse_yaml(record)
    name = owner_name(owner, zone)
    rdtype = record_type(str(record["type"]))
    preference = priority
    if priority == "":
        preference = None
    values = tuple(canonical(rdtype, text, zone, preference) for text in texts)
    for value in values:
        _refuse_unwritable(rdtype, value)
    return RecordSet(name, rdtype, ttl_in(record), values)


def _refuse_unwritable(rdtype: str, value: str) -> None:
    """Raises InvalidRdata for a canonical value that a zone file cannot hold."""
    if not value.replace("\t", " ").isprintable():
        raise InvalidRdata("a value contains invisible characters")
    if host_alone(rdtype, value):
        raise InvalidRdata(
            "an MX value has no preference, which a zone file needs: if the service does not show "
            "it, leave the type MX out, and write those lines by hand"
        )


def _refuse_masks(values: Iterable[Any]) -> None:
    """Raises InvalidRdata for masked values, which would otherwise reach the zone."""
    texts = [value.upper() for value in values if isinstance(value, str)]
    for mask in MASKS:
        if any(mask in text for text in texts):
            raise InvalidRdata(
                f"it holds {mask}, which Ansible writes instead of a secret, such as a token, "
                "because the data contains that secret: use another secret"
            )


def _order(name: str, rdtype: str) -> tuple[Any, ...]:
    """Sort by labels from the right (RFC 4034, section 6.1), then SOA and NS before other types."""
    labels = name.rstrip(".").split(".")
    return tuple(reversed(labels)), rdtype != "SOA", rdtype != "NS", rdtype


class Row(NamedTuple):
    """One value as written. *ttl* is empty if it equals ``$TTL``."""

    owner: str
    ttl: str
    type: str
    value: str


def pretty_zone_file(records: Iterable[Mapping[str, Any]], zone: str) -> str:
    """Return a zone file laid out for people. *records* and *zone* are as in ``write_zone_file``.

    SOA and apex NS become comments, since the service writes both; signing records are omitted. A set with several TTLs
    gets the lowest (RFC 2181, section 5.2). Raises InvalidZoneFile.
    """
    return pretty_text([*whole_sets(validated_sets(records, zone)).values()], zone)


def pretty_text(sets: Sequence[RecordSet], zone: str) -> str:
    """Do the same for sets with canonical values."""
    written = [one for one in sets if is_for_files(one, zone)]
    written.sort(key=lambda one: order_of(one.key, zone))
    usual = usual_ttl(written)
    paragraphs: list[list[Row]] = []
    before = ""
    for one in written:
        if not before or not _have_something_in_common(before, one.name, zone):
            paragraphs.append([])
        paragraphs[-1] += _rows(one, zone, usual)
        before = one.name
    head = [f"$ORIGIN {zone}"]
    if usual is not None:
        head.append(f"$TTL {usual}")
    blocks = [head, *_comments(sets, zone), *_aligned(paragraphs)]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def whole_sets(sets: Iterable[RecordSet]) -> dict[Key, RecordSet]:
    """Merge sets with the same key under their lowest TTL (RFC 2181, section 5.2)."""
    whole: dict[Key, RecordSet] = {}
    for one in sets:
        earlier = whole.get(one.key, one)
        values = tuple(dict.fromkeys(earlier.values + one.values))
        whole[one.key] = RecordSet(*one.key, min(earlier.ttl, one.ttl), values)
    return whole


def is_for_files(one: RecordSet, zone: str) -> bool:
    """Whether a set has values, and neither the service owns it nor it signs the zone."""
    return bool(one.values) and not one.key.is_made_by_service(zone)


def usual_ttl(sets: Iterable[RecordSet]) -> int | None:
    """Return the most frequent TTL (seconds), in a tie the highest, or None."""
    counts = Counter(one.ttl for one in sets)
    return max(counts, key=lambda ttl: (counts[ttl], ttl), default=None)


def labels_of(name: str) -> tuple[str, ...]:
    """Return a canonical name's labels from the right."""
    return tuple(reversed(labels(name)))


def relative_to(name: str, origin: str) -> str | None:
    """Return a canonical *name* relative to *origin*; None if not below it, or if it repeats it."""
    below, above = labels_of(name), labels_of(origin)
    if below[: len(above)] != above or is_doubled(name, origin):
        return None
    return ".".join(reversed(below[len(above) :])) or "@"


def order_of(key: Key, zone: str) -> tuple[Any, ...]:
    """Sort as people do: by labels from the right, with numbers as numbers and the apex first."""
    below = labels_of(key.name)[len(labels_of(zone)) :]
    place = len(TYPES_IN_ORDER)
    if key.type in TYPES_IN_ORDER:
        place = TYPES_IN_ORDER.index(key.type)
    return tuple(map(natural, below)), place, natural(key.type)


def natural(text: str) -> tuple[Any, ...]:
    """Sort numbers in texts as people do: 2 before 10."""
    parts: list[Any] = []
    for part in _DIGITS.split(text):
        if part[:1].isdigit():
            # Compare lengths and digits, since Python refuses to parse thousands of digits.
            number = part.lstrip("0")
            parts.append((len(number), number))
        else:
            parts.append((part,))
    return tuple(parts), text


def written_value(rdtype: str, value: str, origin: str | None) -> str:
    """Return a canonical value as written below ``$ORIGIN`` *origin*, with relative hosts."""
    if is_opaque(rdtype, value):
        return spelled(rdtype, value)
    if origin is None or origin == "." or is_text(rdtype):
        return value
    if origin[:-1] not in value:
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
    owner = relative_to(one.name, zone) or one.name
    rows = []
    for value in sorted(one.values, key=natural):
        # A line of an unknown type needs all its parts.
        is_said = one.ttl != usual or is_opaque(one.type, value)
        written = in_lines(one.type, written_value(one.type, value, zone))
        ttl = str(one.ttl) if is_said else ""
        rows.append(Row(owner, ttl, one.type, written))
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


def _comments(sets: Sequence[RecordSet], zone: str) -> list[list[str]]:
    """Return what is left out of the file, in comments."""
    lines = []
    for rdtype in ("SOA", "NS"):
        for one in sets:
            if one.type == rdtype and one.key.is_owned_by_service(zone):
                lines += _comments_of_set(one, zone)
    blocks = []
    if lines:
        blocks.append(["; The service owns these and writes them itself:", *lines])
    signing = sorted({one.type for one in sets if one.key.signs_zone(zone)})
    if signing:
        types = ", ".join(signing)
        left_out = f"; Signatures are left out, since whoever signs the zone creates them: {types}"
        blocks.append([left_out])
    return blocks


def _comments_of_set(one: RecordSet, zone: str) -> list[str]:
    owner = relative_to(one.name, zone) or one.name
    lines = []
    for value in sorted(one.values, key=natural):
        shown = value
        if one.type == "SOA":
            shown = " ".join([*value.split(" ")[:_SOA_FIELDS_SHOWN], "..."])
        lines.append(f"; {owner}  {one.type:<3}  {shown}")
    return lines


def _have_something_in_common(one: str, other: str, zone: str) -> bool:
    """Whether two neighbouring owner names belong in one paragraph.

    They share the label next to the zone, or differ only in a number, like ``mx1`` and ``mx2``.
    """
    above = len(labels_of(zone))
    some, others = labels_of(one)[above:], labels_of(other)[above:]
    if some[:1] == others[:1]:
        return True
    if not some or len(others) != 1:
        return False
    return _DIGITS.sub("0", some[0]) == _DIGITS.sub("0", others[0])
