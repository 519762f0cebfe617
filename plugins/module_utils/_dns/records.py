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

NO_RECORD = "a record is a dictionary with name, type, ttl and content"


class InvalidRecord(ValueError):
    """The message is a clause that names the record."""


def record_sets(records: Iterable[Any], zone: str) -> dict[Key, RecordSet]:
    """The canonical record sets of records, merged. Raises InvalidRecord, which names every bad record.

    Records are as in ``dns_records`` or ``dns_zone_info``. TTLs default, and absent sets are skipped.
    """
    sets: dict[Key, RecordSet] = {}
    refused: list[str] = []
    for record in records:
        try:
            one = _record_set(record, zone)
        except InvalidRecord as error:
            refused.append(str(error))
            continue
        if one:
            earlier = sets.setdefault(one.key, one)
            sets[one.key] = replace(
                earlier, values=tuple(dict.fromkeys(earlier.values + one.values))
            )
    if refused:
        raise InvalidRecord(some_clauses([*dict.fromkeys(refused)]))
    return sets


def has_ttl(record: Mapping[str, Any]) -> bool:
    return record.get("ttl") not in (None, "")


def check_record(record: Any) -> None:
    """Raises InvalidRecord unless it is a dictionary of scalars and lists of scalars.

    The message omits the record, since some Pythons cannot print deep nesting.
    """
    if not isinstance(record, Mapping):
        raise InvalidRecord(NO_RECORD)
    words = [record.get(part) for part in ("name", "type", "ttl", "priority")]
    for content in (record.get(option) for option in CONTENT_NAMES):
        words += content if isinstance(content, (list, tuple)) else [content]
    if any(isinstance(word, (list, tuple, Mapping)) for word in words):
        raise InvalidRecord(NO_RECORD)


def _record_set(record: Any, zone: str) -> RecordSet | None:
    check_record(record)
    try:
        if record.get("state", "present") == "absent":
            return None
        refuse_yaml(record)
        name, rdtype, ttl = owner_in(record), str(record["type"]), ttl_in(record)
        priority = record.get("priority")
        preference = None if priority in (None, "") else int(priority)
        if record.get(AS_READ) is not None:
            kind = type_as_read(rdtype.upper())
            values = [as_read(kind, text, zone) for text in contents_in(record)]
            return RecordSet(_name_as_read(name, zone), kind, ttl, tuple(dict.fromkeys(values)))
        kind = record_type(rdtype)
        values = [
            canonical(kind, without_line_end(text), zone, preference)
            for text in contents_in(record)
        ]
        return RecordSet(owner_name(name, zone), kind, ttl, tuple(dict.fromkeys(values)))
    except (InvalidName, InvalidRdata) as error:
        subject = printable_part(f"{owner_in(record)} {as_written(record.get('type', ''))}".strip())
        raise InvalidRecord(f"{subject} cannot be used: {error}") from error
    except (
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise InvalidRecord(NO_RECORD) from error


def _name_as_read(name: str, zone: str) -> str:
    return name_as_read(name) if name.endswith(".") else owner_name(name, zone)


def owner_in(record: Mapping[str, Any]) -> str:
    """``@`` if it is empty."""
    name = record.get("name")
    return "@" if name in (None, "") else as_written(name)


def ttl_in(record: Mapping[str, Any]) -> int:
    """In seconds, or the default. Raises InvalidRdata."""
    ttl = checked_ttl(record.get("ttl"))
    return DEFAULT_TTL if ttl is None else ttl


def refuse_yaml(record: Mapping[str, Any]) -> None:
    """Raises InvalidRdata with all fields whose text YAML turned into another type."""
    reasons: list[str] = []
    for option, takes in (
        ("name", "text"),
        ("type", "text"),
        ("ttl", "number"),
        ("priority", "number"),
    ):
        reasons += reasons_against_yaml(option, record.get(option), takes)
    for option in CONTENT_NAMES:
        content = record.get(option)
        reasons += reasons_against_yaml(
            option, [content] if isinstance(content, (bool, float)) else content, "text"
        )
    if reasons:
        raise InvalidRdata("; ".join(reasons))


def contents_in(record: Mapping[str, Any]) -> list[str]:
    """Raises KeyError."""
    content = next(
        (record[option] for option in CONTENT_NAMES if record.get(option) is not None), None
    )
    if content is None:
        raise KeyError("content")
    return [
        str(value) for value in ([content] if isinstance(content, (str, int, float)) else content)
    ]
