# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files (RFC 1035, section 5), written from what modules return: the same text for the same record sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.entry_sets import (
    NO_RECORD,
    contents_in,
    refuse_yaml,
    ttl_in,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import without_line_end
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.invalid_zone_file import InvalidZoneFile
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    InvalidName,
    is_doubled,
    owner_name,
    relative_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.opaque import escaped
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable_name,
    printable_part,
    some_clauses,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical,
    is_opaque,
    record_type,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    CONTENT_NAMES,
    NO_CONTENT_TO_REMOVE,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import lacks_preference

FIRST_TYPES = ("SOA", "NS")
MASKS = ("*" * 8, "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER")
"""What Ansible puts in place of a secret that is a part of a value, or all of it."""


def write_zone_file(records: Iterable[Mapping[str, Any]], zone: str) -> str:
    """A zone file with these record sets: one line a value, sorted, the same for the same sets in any order.

    *records* are as ``dns_zone_info`` returns them or as ``dns_records`` takes them; *zone* is canonical. Raises
    InvalidZoneFile.
    """
    rows = sorted(
        (_order(one.name, one.type), one.name, one.ttl, one.type, spelled(one.type, value))
        for one in given_sets(records, zone)
        for value in one.values
    )
    lines = (
        f"{name if is_doubled(name, zone) else relative_name(name, zone)} {ttl} IN {rdtype} {value}"
        for _order, name, ttl, rdtype, value in rows
    )
    return "\n".join([f"$ORIGIN {zone}", *dict.fromkeys(lines)]) + "\n"


def given_sets(records: Iterable[Mapping[str, Any]], zone: str) -> list[RecordSet]:
    """What is to be in a zone file, with canonical values: one set an entry that is there. Raises InvalidZoneFile."""
    try:
        _refuse_masks([zone])
    except InvalidRdata as error:
        raise InvalidZoneFile(f"the zone's name cannot be used, {error}") from error
    sets: list[RecordSet] = []
    refused: list[str] = []
    for record in records:
        try:
            sets += _given_set(record, zone)
        except InvalidZoneFile as error:
            refused.append(str(error))
    if refused:
        raise InvalidZoneFile(some_clauses([*dict.fromkeys(refused)]))
    return sets


def spelled(rdtype: str, value: str) -> str:
    """A canonical value as a line has it, on which ``;`` begins a comment."""
    return escaped(value) if ";" in value and is_opaque(rdtype, value) else value


def _given_set(record: Mapping[str, Any], zone: str) -> list[RecordSet]:
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
