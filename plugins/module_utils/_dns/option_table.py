# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What each option takes: one table for the options of all modules and the keys of their entries.

An option means the same wherever it stands, so it has one row. Ansible checks types and choices. This table says what
Ansible does not: what an empty value means, and which numbers are in range.

A variable that is not set makes an option null, an empty text or an empty list. If such an option protected something,
it would then protect nothing, so it is refused, as any option is whose row does not allow it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from .printable import as_written, printable_part
from .rdata import InvalidRdata
from .record_set import CONTENT_NAMES, MAX_TTL

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.ttl

REFUSED = "refused"
LEFT_OUT = "left out"
"""Null and an empty text are as if the option were left out, as in the cells of a table."""
NOTHING = "nothing"
"""An empty list asks for nothing; null and an empty text are refused."""
NARROWS = "narrows"
"""With ``state: absent``, it says how much is removed, so an empty one is refused; else as LEFT_OUT."""

LONGEST_TIMEOUT = 86400
"""Seconds; sockets refuse much more."""

LONGEST_TTL = 64
"""Characters."""


LEAST_FLOAT = 5e-324
"""Above 0."""


class Takes(NamedTuple):
    """A row: what an *empty* value means, what to do instead, and for a number its least, its most, and both in words."""

    empty: str = REFUSED
    instead: str = "leave it out, or give it a value"
    least: float = float("-inf")
    most: float = float("inf")
    limits: str = ""


_FROM_0 = Takes(
    least=0,
    most=LONGEST_TIMEOUT,
    limits=f"from 0 to {LONGEST_TIMEOUT} seconds",
)
_ABOVE_0 = Takes(
    least=LEAST_FLOAT,
    most=LONGEST_TIMEOUT,
    limits=f"above 0 and at most {LONGEST_TIMEOUT} seconds",
)
_PERCENT = Takes(least=0, most=100, limits="0 to 100")
_FREE = Takes(NOTHING)

TABLE: Mapping[str, Takes] = {
    "access_token": Takes(instead="set it, or ZONESMITH_ACCESS_TOKEN"),
    "base_url": Takes(instead="set it, or ZONESMITH_BASE_URL"),
    "change_limit": _PERCENT,
    "comment": Takes(LEFT_OUT),
    "content": Takes(NARROWS, "leave it out to remove the whole set"),
    "dest": Takes(instead="name a folder"),
    "findings_ignore": _FREE,
    "limit": _FREE,
    "lock_timeout": _FROM_0,
    "name": Takes(instead="the zone itself is @"),
    "names": _FREE,
    "owner": Takes(instead="leave it out, or name the owner"),
    "plan_dir": Takes(instead="leave it out to write without a review, or name a folder"),
    "priority": Takes(
        NARROWS, "leave it out to remove the value with any preference", 0, 65535, "0 to 65535"
    ),
    "prune_limit": _PERCENT,
    "records": _FREE,
    "retries": Takes(least=0, limits="0 or more"),
    "retry_timeout": _FROM_0,
    "timeout": _ABOVE_0,
    "ttl": Takes(LEFT_OUT, least=0, most=MAX_TTL, limits=f"0 to {MAX_TTL} seconds"),
    "type": Takes(instead="write one type, such as A, MX or TXT"),
    "types": _FREE,
    "unmanaged_ignore": _FREE,
    "wait_nameservers": _FREE,
    "wait_timeout": _ABOVE_0,
    "zones": _FREE,
}
"""The options that differ from a row by default."""


def takes(option: str) -> Takes:
    """Return the row of an option."""
    return TABLE.get(option, Takes())


# Empty values


def is_empty(value: Any) -> bool:
    """Whether a value is what an unset variable leaves, or a list of nothing else."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, (list, tuple)):
        return all(is_empty(item) for item in value)
    return value is None or value == {}


def is_removal(row: Mapping[str, Any]) -> bool:
    """Whether a task or an entry removes."""
    return row.get("state") == "absent"


def reason_against_empty(option: str, name: str, row: Mapping[str, Any]) -> str | None:
    """Return why an option of a task or an entry cannot be empty, or have an empty item.

    *name* is the option, or the alias of it that the *row* has.
    """
    empty, instead, *_numbers = takes(option)
    value = row[name]
    if empty == LEFT_OUT or (empty == NARROWS and not _narrows(option, row)):
        return None
    if empty == NOTHING and value == []:
        return None
    if is_empty(value):
        return f"{name} is empty: {instead}"
    if isinstance(value, (list, tuple)) and any(map(is_empty, value)):
        return f"{name} has an empty item: take it out, or give it a value"
    return None


def _narrows(option: str, row: Mapping[str, Any]) -> bool:
    """Whether more is removed without the option. A preference is of the values that the row lists."""
    if not is_removal(row):
        return False
    if option != "priority":
        return True
    rdtype = str(row.get("type")).strip()
    has_values = any(row.get(name) for name in CONTENT_NAMES)
    return has_values and rdtype.upper() == "MX"


# Numbers


def reason_against_number(option: str, value: float | None) -> str | None:
    """Return why a number is out of the option's range, or None."""
    row = takes(option)
    if value is None or row.least <= value <= row.most:
        return None
    return f"{option} is {value}, but must be {row.limits}"


def first_out_of_range(options: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return what is wrong with the first of the named options that is out of its range, or None."""
    for name in names:
        reason = reason_against_number(name, options.get(name))
        if reason:
            return reason
    return None


def seconds_of(text: str) -> int:
    """A TTL in the form of zone files. Raises dns.ttl.BadTTL.

    A long text is refused at once: dnspython's time grows with the square of its length.
    """
    if len(text) > LONGEST_TTL:
        raise dns.ttl.BadTTL
    return dns.ttl.from_text(text)


def checked_ttl(value: Any) -> int | None:
    """Return seconds from a number, or from units as in zone files; None if empty. Raises InvalidRdata."""
    if is_empty(value):
        return None
    text = ""
    ttl = -1
    with suppress(dns.ttl.BadTTL, ValueError):  # a number may have thousands of digits
        text = str(value).strip()
        ttl = seconds_of(text.removesuffix(".0"))
    if not 0 <= ttl <= MAX_TTL:
        raise InvalidRdata(
            f"ttl is {printable_part(text)}, but takes seconds, 0 to {MAX_TTL}, "
            "or the form of zone files, such as 5m or 1h30m"
        )
    return ttl


# What YAML makes of texts


def reasons_against_yaml(option: str, value: Any, kind: str) -> list[str]:
    """Return why YAML misread an option, or an item of its list; *kind* is ``number`` or ``text``.

    YAML reads 7.10 as 7.1, which is another name.
    """
    items = value if isinstance(value, (list, tuple)) else (value,)
    for item in items:
        if isinstance(item, bool):
            what, read = "boolean", "yes, no, on, off, true and false as booleans"
        elif isinstance(item, float) and kind == "text":
            what, read = "number", "7.1 and 7.10 as one number"
        else:
            continue
        reason = (
            f"{option} is the {what} {as_written(item)}, but takes a {kind}: "
            f"YAML reads {read} unless they are in quotes"
        )
        return [reason]
    return []
