# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turns entries into the record sets that a zone file will hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .._dns.given import without_line_end
from .._dns.names import InvalidName, owner_name
from .._dns.printable import printable_name, printable_part, some_clauses
from .._dns.rdata import InvalidRdata, canonical, lacks_preference, record_type
from .._dns.record_set import CONTENT_NAMES, NO_CONTENT_TO_REMOVE, RecordSet
from .._dns.records import NO_RECORD, InvalidRecord, contents_in, refuse_yaml, ttl_in

MASKS = ("*" * 8, "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER")
"""Ansible's masks for part of a secret, and for all of it."""


def sets_for_file(records: Iterable[Mapping[str, Any]], zone: str) -> list[RecordSet]:
    """Return the present sets with canonical values, one per entry. Raises InvalidRecord.

    *records* are as ``dns_zone_info`` returns or ``dns_records`` takes them; *zone* is canonical.
    """
    if reason := _reason_against_masks([zone]):
        raise InvalidRecord(f"the zone's name cannot be used: {reason}")
    sets: list[RecordSet] = []
    reasons: list[str] = []
    for record in records:
        try:
            sets += _present(record, zone)
        except InvalidRecord as error:
            reasons.append(str(error))
    if reasons:
        raise InvalidRecord(some_clauses([*dict.fromkeys(reasons)]))
    return sets


def _present(record: Mapping[str, Any], zone: str) -> Iterator[RecordSet]:
    """Yield the set, unless ``dns_records`` would remove it. Raises InvalidRecord."""
    try:
        given, state = record.get("name"), record.get("state", "present")
        owner = "@" if given is None else str(given)
        contents = [] if state == "absent" else contents_in(record)
        words = [given, record["type"], record.get("ttl"), record.get("priority"), *contents]
        if reason := _reason_against_masks(words) or _reason_against_state(state, record):
            raise InvalidRdata(reason)
        if state == "present":
            refuse_yaml(record)
            name, rdtype, ttl = owner_name(owner, zone), record_type(str(record["type"])), ttl_in(record)
            priority = record.get("priority")
            preference = None if priority == "" else priority
            values = tuple(canonical(rdtype, without_line_end(text), zone, preference) for text in contents)
            if reason := _reason_against_values(rdtype, values):
                raise InvalidRdata(reason)
            yield RecordSet(name, rdtype, ttl, values)
    except (InvalidName, InvalidRdata) as error:
        subject = printable_part(f"{printable_name(owner)} {record['type']}")
        raise InvalidRecord(f"{subject} cannot be written to a zone file: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise InvalidRecord(NO_RECORD) from error


def _reason_against_state(state: object, record: Mapping[str, Any]) -> str:
    if state not in ("present", "absent"):
        return f"state is {printable_part(str(state))}, but must be present or absent"
    has_content = any(map(record.get, CONTENT_NAMES))
    return NO_CONTENT_TO_REMOVE if state == "absent" and has_content else ""


def _reason_against_values(rdtype: str, values: Iterable[str]) -> str:
    if not all(value.replace("\t", " ").isprintable() for value in values):
        return "a value contains invisible characters"
    if any(lacks_preference(rdtype, value) for value in values):
        return (
            "an MX value has no preference, which a zone file needs: if the service does not show it, leave the type "
            "MX out, and write those lines by hand"
        )
    return ""


def _reason_against_masks(values: Iterable[Any]) -> str:
    """Explain in a clause why masked values are refused, which would otherwise reach the zone."""
    texts = [value.upper() for value in values if isinstance(value, str)]
    mask = next((mask for mask in MASKS if any(mask in text for text in texts)), "")
    return mask and (
        f"it holds {mask}, which Ansible writes instead of a secret, such as a token, because the data contains that "
        "secret: use another secret"
    )
