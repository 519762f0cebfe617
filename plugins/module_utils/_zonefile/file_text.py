# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The text of zone files, and what is read of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from .._dns.names import InvalidInput
from .._dns.record_set import Key

BYTE_ORDER_MARK = "\ufeff"

PIECES = re.compile(
    r'"(?:\\(?:\r\n|.)|[^"\\\r\n])*("?)|;[^\r\n]*|\\(?:\r\n|.)|[()]|\r\n|\r|\n', re.DOTALL
)
"""Tokens that decide where logical lines end (RFC 1035, section 5.1). The group is a string's closing quote."""


class InvalidZoneFile(InvalidInput):
    """An unusable zone file or record. The message names the line or record."""


class Source(NamedTuple):
    """A text with records, and its name in errors."""

    place: str
    text: str


class Where(NamedTuple):
    """A line number, and the file's name in errors."""

    place: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line} of {self.place}"


class FileRecord(NamedTuple):
    """One record of a file."""

    place: str
    line: int
    key: Key
    value: str
    """Canonical; empty for records that sign the zone."""
    ttl: int
    """From its line or an earlier one."""
    origin: str
    default_ttl: int | None
    """Used by records without a TTL; None if they take the previous record's."""
    is_generated: bool

    @property
    def where(self) -> Where:
        return Where(self.place, self.line)


@dataclass(slots=True)
class FileSet:
    """A record set of a zone's files, whose parts count from 1. *values* are canonical, *ttl* is in seconds."""

    first: FileRecord
    part: int
    ttl: int
    values: dict[str, None]


def decoded(content: bytes) -> str:
    """Decode a file. Each byte that is not UTF-8 becomes a lone surrogate (PEP 383)."""
    return content.decode("utf-8", "surrogateescape")
