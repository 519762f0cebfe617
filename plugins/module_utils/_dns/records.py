# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads records into sets, as tasks, results and zone files list them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .input_checks import without_line_end
from .names import InvalidName, name_as_read, owner_name
from .option_table import checked_ttl, reasons_against_yaml
from .printable import as_written, printable_part, some_clauses
from .rdata import InvalidRdata, as_read, canonical, record_type, type_as_read
from .record_set import CONTENT_NAMES, DEFAULT_TTL, Key, RecordSet

AS_READ = "contents"

_TAKES = {"name": "text", "type": "text", "ttl": "number", "priority": "number"}

NO_RECORD = "a record is a dictionary with name, type, ttl and content"


class InvalidRecord(ValueError):
    """The message is a clause that names the record."""


def record_sets(records: Iterable[Any], zone: str) -> dict[Key, RecordSet]:
    """The canonical record sets of records, merged. Raises InvalidRecord, which names every bad record.

    Records are as in ``dns_records`` or ``dns_zone_info``. TTLs default, and absent sets are skipped.
    """
    sets: dict[Key, RecordSet] = {}
    refused: dict[str, None] = {}
    for record in records:
        try:
            one = _record_set(record, zone)
        except InvalidRecord as error:
            refused[str(error)] = None
            continue
        if one and one.key in sets:
            earlier = sets[one.key]
            values = dict.fromkeys(earlier.values + one.values)
            ttl = min(earlier.ttl, one.ttl)  # RFC 2181, section 5.2
            sets[one.key] = replace(earlier, ttl=ttl, values=tuple(values))
        elif one:
            sets[one.key] = one
    if refused:
        raise InvalidRecord(some_clauses(list(refused)))
    return sets


def has_ttl(record: Mapping[str, Any]) -> bool:
    return record.get("ttl") not in (None, "")


def check_record(record: Any) -> None:
    """Raises InvalidRecord unless it is a dictionary of scalars and lists of scalars.

    The message omits the record, since some Pythons cannot print deep nesting.
    """
    if not isinstance(record, Mapping):
        raise InvalidRecord(NO_RECORD)
    words = [record.get(option) for option in _TAKES]
    for option in CONTENT_NAMES:
        content = record.get(option)
        words += content if isinstance(content, (list, tuple)) else [content]
    if any(isinstance(word, (list, tuple, Mapping)) for word in words):
        raise InvalidRecord(NO_RECORD)


def _record_set(record: Any, zone: str) -> RecordSet | None:
    check_record(record)
    try:
        state = record.get("state") or "present"
        if state == "absent":
            return None
        if state != "present":
            raise InvalidRdata("state is present or absent")
        return _read(record, zone)
    except (InvalidName, InvalidRdata) as error:
        rdtype = as_written(record.get("type", ""))
        subject = f"{owner_in(record)} {rdtype}".strip()
        raise InvalidRecord(f"{printable_part(subject)} cannot be used: {error}") from error
    except (
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise InvalidRecord(NO_RECORD) from error


def _read(record: Mapping[str, Any], zone: str) -> RecordSet:
    """Raises InvalidName, InvalidRdata, and what comes of values of other types."""
    refuse_yaml(record)
    name, rdtype, ttl = owner_in(record), str(record["type"]), ttl_in(record)
    priority = record.get("priority")
    preference = None
    if priority not in (None, ""):
        preference = int(priority)
    values: dict[str, None] = {}
    if record.get(AS_READ) is not None:
        kind = type_as_read(rdtype.upper())
        for text in contents_in(record):
            values[as_read(kind, text, zone)] = None
        is_absolute = name.endswith(".")
        owner = name_as_read(name) if is_absolute else owner_name(name, zone)
    else:
        kind = record_type(rdtype)
        for text in contents_in(record):
            values[canonical(kind, without_line_end(text), zone, preference)] = None
        owner = owner_name(name, zone)
    return RecordSet(owner, kind, ttl, tuple(values))


def owner_in(record: Mapping[str, Any]) -> str:
    """``@`` if it is empty."""
    name = record.get("name")
    if name in (None, ""):
        return "@"
    return as_written(name)


def ttl_in(record: Mapping[str, Any]) -> int:
    """In seconds, or the default. Raises InvalidRdata."""
    ttl = checked_ttl(record.get("ttl"))
    if ttl is None:
        return DEFAULT_TTL
    return ttl


def refuse_yaml(record: Mapping[str, Any]) -> None:
    """Raises InvalidRdata with all fields whose text YAML turned into another type."""
    reasons: list[str] = []
    for option, takes in _TAKES.items():
        reasons += reasons_against_yaml(option, record.get(option), takes)
    for option in CONTENT_NAMES:
        content = record.get(option)
        if isinstance(content, (bool, float)):
            content = [content]
        reasons += reasons_against_yaml(option, content, "text")
    if reasons:
        raise InvalidRdata("; ".join(reasons))


def contents_in(record: Mapping[str, Any]) -> list[str]:
    """Raises KeyError."""
    for option in CONTENT_NAMES:
        content = record.get(option)
        if isinstance(content, (str, int, float)):
            return [str(content)]
        if content is not None:
            return [str(value) for value in content]
    raise KeyError("content")
