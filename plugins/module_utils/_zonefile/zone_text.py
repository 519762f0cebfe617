# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files (RFC 1035, section 5), written from what modules return: the same text for the same record sets.

Either for programs, a whole record a line, or as a person lays them out: names relative, columns aligned, in the order
in which people look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.entry_sets import (
    NO_RECORD,
    contents_in,
    refuse_yaml,
    ttl_in,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import reason_against_host, without_line_end
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    LABEL_CODEC,
    InvalidName,
    is_doubled,
    owner_name,
    relative_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import parsed
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable_name,
    printable_part,
    some_clauses,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical,
    is_opaque,
    is_text,
    lacks_preference,
    record_type,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    CONTENT_NAMES,
    NO_CONTENT_TO_REMOVE,
    Key,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import labels
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.entries import escaped
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import InvalidZoneFile

with suppress(ImportError):  # names.py keeps the error, the filters report it
    import dns.name

FIRST_TYPES = ("SOA", "NS")
MASKS = ("*" * 8, "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER")
"""What Ansible puts in place of a secret that is a part of a value, or all of it."""

TYPES_IN_ORDER = ("SOA", "NS", "DS", "CNAME", "DNAME", "MX", "A", "AAAA", "HTTPS", "SVCB", "SRV", "PTR", "TXT", "CAA")
"""The types at a name as people look for them; all others come behind, by the alphabet."""

WIDEST_OWNER = 40
"""Characters of an owner name for which the columns make room."""

_INDENT = " " * 4
_SOA_FIELDS_SHOWN = 2  # its serial changes with every write, and the timers are the service's
_DIGITS = re.compile(r"([0-9]+)")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')


def write_zone_file(records: Iterable[Mapping[str, Any]], zone: str) -> str:
    """A zone file with these record sets: one line a value, sorted, the same for the same sets in any order.

    *records* are as ``dns_zone_info`` returns them or as ``dns_records`` takes them; *zone* is canonical. Raises
    InvalidZoneFile.
    """
    rows = sorted(
        (_order(one.name, one.type), one.name, one.ttl, one.type, spelled(one.type, value))
        for one in validated_sets(records, zone)
        for value in one.values
    )
    lines = (
        f"{name if is_doubled(name, zone) else relative_name(name, zone)} {ttl} IN {rdtype} {value}"
        for _order, name, ttl, rdtype, value in rows
    )
    return "\n".join([f"$ORIGIN {zone}", *dict.fromkeys(lines)]) + "\n"


def validated_sets(records: Iterable[Mapping[str, Any]], zone: str) -> list[RecordSet]:
    """What is to be in a zone file, with canonical values: one set an entry that is there. Raises InvalidZoneFile."""
    try:
        _refuse_masks([zone])
    except InvalidRdata as error:
        raise InvalidZoneFile(f"the zone's name cannot be used, {error}") from error
    sets: list[RecordSet] = []
    reasons: list[str] = []
    for record in records:
        try:
            sets += _validated_set(record, zone)
        except InvalidZoneFile as error:
            reasons.append(str(error))
    if reasons:
        raise InvalidZoneFile(some_clauses([*dict.fromkeys(reasons)]))
    return sets


def spelled(rdtype: str, value: str) -> str:
    """A canonical value as a line has it, on which ``;`` begins a comment."""
    return escaped(value) if ";" in value and is_opaque(rdtype, value) else value


def _validated_set(record: Mapping[str, Any], zone: str) -> list[RecordSet]:
    try:
        contents = [] if record.get("state") == "absent" else contents_in(record)
        _refuse_masks([record.get("name"), record["type"], record.get("ttl"), record.get("priority"), *contents])
        if _is_to_go(record):
            return []
        refuse_yaml(record)
        name, rdtype, seconds = owner_name(_owner(record), zone), record_type(str(record["type"])), ttl_in(record)
        priority = record.get("priority")
        texts = map(without_line_end, contents)
        values = [canonical(rdtype, text, zone, None if priority == "" else priority) for text in texts]
        if not all(map(_is_printable, values)):
            raise InvalidRdata("a value has characters in it that cannot be seen")
        if any(lacks_preference(rdtype, value) for value in values):
            raise InvalidRdata(
                "an MX value has no preference, which a zone file needs: where the service does not show it, leave "
                "the type MX out, and write those lines by hand"
            )
    except (InvalidName, InvalidRdata) as error:
        subject = printable_part(f"{printable_name(_owner(record))} {record['type']}")
        raise InvalidZoneFile(f"{subject} cannot be written to a zone file, {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise InvalidZoneFile(NO_RECORD) from error
    return [RecordSet(name, rdtype, seconds, tuple(values))]


def _owner(record: Mapping[str, Any]) -> str:
    name = record.get("name")
    return "@" if name is None else str(name)


def _is_to_go(record: Mapping[str, Any]) -> bool:
    """Whether ``dns_records`` would remove the set, so that a file does not have it. Raises InvalidRdata."""
    state = record.get("state", "present")
    if state not in ("present", "absent"):
        raise InvalidRdata(f"state is {printable_part(str(state))}, and can be present or absent")
    if state == "absent" and any(map(record.get, CONTENT_NAMES)):
        raise InvalidRdata(NO_CONTENT_TO_REMOVE)
    return bool(state == "absent")


def _refuse_masks(values: Iterable[Any]) -> None:
    """Raises InvalidRdata: written and applied, a mask would take the place of the value that it hides."""
    texts = [value.upper() for value in values if isinstance(value, str)]
    for mask in MASKS:
        if any(mask in text for text in texts):
            raise InvalidRdata(
                f"it holds {mask}, which Ansible puts in place of a secret, such as a token, that is a part of the "
                "data; use another secret"
            )


def _is_printable(value: str) -> bool:
    """Whether a canonical value can be seen whole by whoever looks at the file."""
    return value.replace("\t", " ").isprintable()


def _order(name: str, rdtype: str) -> tuple[list[str], int, str]:
    """Names by their labels from the right (RFC 4034, section 6.1), SOA and NS first at each."""
    place = FIRST_TYPES.index(rdtype) if rdtype in FIRST_TYPES else len(FIRST_TYPES)
    return name.rstrip(".").split(".")[::-1], place, rdtype


class Row(NamedTuple):
    """One value of a set: its owner, TTL (empty where it is that of ``$TTL``), type, and value, as they are written."""

    owner: str
    ttl: str
    type: str
    value: str


def pretty_zone_file(records: Iterable[Mapping[str, Any]], zone: str) -> str:
    """A zone file with these record sets as a person writes it; *records* and *zone* are those of ``write_zone_file``.

    SOA and NS at the apex are comments, since the service writes both, and what signs the zone is left out. A set that
    is shown with several TTLs has the lowest (RFC 2181, section 5.2). Raises InvalidZoneFile.
    """
    return pretty_text([*whole_sets(validated_sets(records, zone)).values()], zone)


def pretty_text(sets: Sequence[RecordSet], zone: str) -> str:
    """The same of sets with canonical values, one for a key."""
    written = [one for one in sets if is_for_files(one, zone)]
    written.sort(key=lambda one: order_of(one.key, zone))
    usual = usual_ttl(written)
    paragraphs: list[list[Row]] = []
    last = None
    for one in written:
        if last is None or not _have_something_in_common(last, one.name, zone):
            paragraphs.append([])
        last = one.name
        paragraphs[-1] += _rows(one, zone, usual)
    head = [f"$ORIGIN {zone}", *([f"$TTL {usual}"] * (usual is not None))]
    blocks = [head, *_comments(sets, zone), *_aligned(paragraphs)]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def whole_sets(sets: Iterable[RecordSet]) -> dict[Key, RecordSet]:
    """The sets with those for one key joined, which has the lowest of their TTLs (RFC 2181, section 5.2)."""
    whole: dict[Key, RecordSet] = {}
    for one in sets:
        earlier = whole.get(one.key, one)
        values = tuple(dict.fromkeys(earlier.values + one.values))
        whole[one.key] = RecordSet(*one.key, min(earlier.ttl, one.ttl), values)
    return whole


def is_for_files(one: RecordSet, zone: str) -> bool:
    """Whether a set has values, and is neither the service's own nor what signs the zone: then files say it."""
    return bool(one.values) and not one.key.is_made_by_service(zone)


def usual_ttl(sets: Iterable[RecordSet]) -> int | None:
    """The TTL (seconds) that most sets have, of several the highest; None where there is no set."""
    counts = Counter(one.ttl for one in sets)
    return max(counts, key=lambda ttl: (counts[ttl], ttl)) if counts else None


@cache
def labels_of(name: str) -> tuple[str, ...]:
    """The labels of a canonical *name* from the right, as they are written."""
    return tuple(reversed(labels(name)))


@cache
def relative_to(name: str, origin: str) -> str | None:
    """A canonical *name* as it is written behind ``$ORIGIN`` *origin*; None where it is not below it, or twice so."""
    below, above = labels_of(name), labels_of(origin)
    if below[: len(above)] != above or is_doubled(name, origin):
        return None
    return ".".join(reversed(below[len(above) :])) or "@"


def order_of(key: Key, zone: str) -> tuple[Any, ...]:
    """Where people look for a set: names by their labels from the right, numbers in them as numbers, the apex first."""
    labels = labels_of(key.name)[len(labels_of(zone)) :]
    place = TYPES_IN_ORDER.index(key.type) if key.type in TYPES_IN_ORDER else len(TYPES_IN_ORDER)
    return tuple(map(natural, labels)), place, natural(key.type)


def natural(text: str) -> tuple[Any, ...]:
    """A key that sorts texts with numbers in them as people do: 2 before 10."""
    parts = _DIGITS.split(text)
    # Compared as texts of their lengths, since Python makes no numbers of thousands of digits.
    numbers = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in parts[1::2]]
    return *((word, *numbers[place : place + 1]) for place, word in enumerate(parts[::2])), text


def written_value(rdtype: str, value: str, origin: str | None) -> str:
    """A canonical value as a line behind ``$ORIGIN`` *origin* has it, with relative host names; on one line."""
    if is_opaque(rdtype, value):
        return spelled(rdtype, value)
    if origin in (None, ".") or is_text(rdtype) or str(origin)[:-1] not in value:
        return value
    rdata = parsed(rdtype, value, LABEL_CODEC)
    text = rdata.to_text(origin=dns.name.from_text(str(origin)), relativize=True)
    # What looks like an address where a host belongs is refused when it is read.
    return value if any(map(reason_against_host, text.split())) else text


def in_lines(rdtype: str, value: str) -> str:
    """A written value, where it is a text of several strings in parentheses, with each on a line of its own."""
    if not is_text(rdtype):
        return value
    strings = _STRING.findall(value)
    if len(strings) < 2:
        return value
    return "\n".join(["(", *(f"{_INDENT}{string}" for string in strings), ")"])


def _rows(one: RecordSet, zone: str, usual: int | None) -> list[Row]:
    owner = relative_to(one.name, zone) or one.name
    return [
        # The line of a type that nobody knows has all its parts, or is none.
        Row(owner, str(one.ttl) if one.ttl != usual or is_opaque(one.type, value) else "", one.type, written)
        for value in sorted(one.values, key=natural)
        for written in [in_lines(one.type, written_value(one.type, value, zone))]
    ]


def _aligned(paragraphs: list[list[Row]]) -> list[list[str]]:
    rows = [row for paragraph in paragraphs for row in paragraph]
    owners = max((len(row.owner) for row in rows if len(row.owner) <= WIDEST_OWNER), default=0)
    ttls = max((len(row.ttl) for row in rows), default=0)
    types = max((len(row.type) for row in rows), default=0)

    def line(row: Row) -> str:
        ttl = f"{row.ttl:>{ttls}}  " if ttls else ""
        return f"{row.owner:<{owners}}  {ttl}IN  {row.type:<{types}}  {row.value}"

    return [[line(row) for row in paragraph] for paragraph in paragraphs]


def _comments(sets: Iterable[RecordSet], zone: str) -> list[list[str]]:
    owned = sorted((one for one in sets if one.key.is_owned_by_service(zone)), key=lambda one: one.type)
    lines = []
    for one in reversed(owned):  # SOA before NS
        for value in sorted(one.values, key=natural):
            shown = " ".join([*value.split(" ")[:_SOA_FIELDS_SHOWN], "..."]) if one.type == "SOA" else value
            lines.append(f"; {relative_to(one.name, zone) or one.name}  {one.type:<3}  {shown}")
    signing = sorted({one.type for one in sets if one.key.signs_zone(zone)})
    blocks = [["; The service writes these itself, and takes them from no file:", *lines]] if lines else []
    if signing:
        blocks.append([f"; What signs the zone is left out, whoever signs it makes it: {', '.join(signing)}"])
    return blocks


def _have_something_in_common(one: str, other: str, zone: str) -> bool:
    """Whether an owner name stands in the paragraph of the *one* before it.

    They end alike below the zone, or the *other* is one label that differs in a number, as ``mx2`` does behind ``mx1``.
    """
    above = len(labels_of(zone))
    some, others = labels_of(one)[above:], labels_of(other)[above:]
    if some[:1] == others[:1]:
        return True
    return bool(some) and len(others) == 1 and _DIGITS.sub("0", some[0]) == _DIGITS.sub("0", others[0])
