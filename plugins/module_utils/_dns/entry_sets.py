# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record sets as people and modules write them down (entries, what a reading shows, zone files), made canonical."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import reason_against_boolean, without_line_end
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, name_as_read, owner_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    as_read,
    canonical,
    record_type,
    type_as_read,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    CONTENT_NAMES,
    DEFAULT_TTL,
    MAX_TTL,
    Key,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible_part

AS_READ = "contents"
"""How a reading of the service calls the values of a set: what it shows is taken as it is."""


class InvalidRecord(ValueError):
    """An entry that is none; says which, and why in one clause."""


def record_sets(entries: Iterable[Any], zone: str) -> dict[Key, RecordSet]:
    """The sets that entries stand for in *zone* (canonical), with canonical values, those for one key joined.

    Entries are as ``dns_records`` takes them, or as ``dns_zone_info`` returns them. A set without a TTL has the one
    that a new set gets; one that is to be absent is left out. Raises InvalidRecord.
    """
    sets: dict[Key, RecordSet] = {}
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise InvalidRecord("a record is a dictionary with name, type, ttl and content")
        one = _record_set(entry, zone)
        if one is None:
            continue
        held = sets.get(one.key)
        if held is None:
            sets[one.key] = one
        else:
            sets[one.key] = replace(held, values=tuple(dict.fromkeys(held.values + one.values)))
    return sets


def has_ttl(entry: Mapping[str, Any]) -> bool:
    """Whether an entry says a TTL."""
    return entry.get("ttl") not in (None, "")


def _record_set(entry: Mapping[str, Any], zone: str) -> RecordSet | None:
    try:
        if entry.get("state", "present") == "absent":
            return None
        _refuse_booleans(entry)
        name, rdtype = str(entry.get("name") or "@"), str(entry["type"])
        ttl = int(entry["ttl"]) if has_ttl(entry) else DEFAULT_TTL
        if not 0 <= ttl <= MAX_TTL:
            raise InvalidRdata(f"ttl is {ttl}, and a TTL is 0 to {MAX_TTL} seconds")
        priority = entry.get("priority")
        preference = None if priority in (None, "") else int(priority)
        if entry.get(AS_READ) is not None:
            kind = type_as_read(rdtype.upper())
            values = [as_read(kind, text, zone) for text in _contents(entry)]
            return RecordSet(_name_as_read(name, zone), kind, ttl, tuple(dict.fromkeys(values)))
        kind = record_type(rdtype)
        values = [canonical(kind, without_line_end(text), zone, preference) for text in _contents(entry)]
        return RecordSet(owner_name(name, zone), kind, ttl, tuple(dict.fromkeys(values)))
    except (InvalidName, InvalidRdata) as error:
        owner = "@" if entry.get("name") in (None, "") else entry["name"]
        subject = visible_part(f"{owner} {entry.get('type', '')}".strip())
        raise InvalidRecord(f"{subject} cannot be used, {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise InvalidRecord("a record is a dictionary with name, type, ttl and content") from error


def _name_as_read(name: str, zone: str) -> str:
    return name_as_read(name) if name.endswith(".") else owner_name(name, zone)


def _refuse_booleans(entry: Mapping[str, Any]) -> None:
    for option, takes in (
        ("name", "text"),
        ("type", "text"),
        ("ttl", "number"),
        ("priority", "number"),
        *((option, "text") for option in CONTENT_NAMES),
    ):
        if reason := reason_against_boolean(option, entry.get(option), takes):
            raise InvalidRdata(reason)


def _contents(entry: Mapping[str, Any]) -> list[str]:
    content = next((entry[option] for option in CONTENT_NAMES if entry.get(option) is not None), None)
    if content is None:
        raise KeyError("content")
    return [str(value) for value in ([content] if isinstance(content, (str, int, float)) else content)]
