# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record sets: plain frozen values that the other files pass around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


def visible(text: str) -> str:
    """*text* with control characters, bidirectional marks and the like shown as escapes: safe for a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


@dataclass(frozen=True)
class RecordSet:
    """One owner name and type, with its TTL in seconds and its values.

    The name is canonical (``_names``). The values are either as the service shows them or canonical (``_rdata``);
    whoever makes a set says which.
    """

    name: str
    type: str
    ttl: int
    contents: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the set in its zone."""
        return (self.name, self.type)

    def as_result(self) -> dict[str, Any]:
        """The set as modules return it."""
        return {"name": self.name, "type": self.type, "ttl": self.ttl, "contents": list(self.contents)}

    def zone_file_lines(self) -> list[str]:
        """One line a value, in zone-file form (RFC 1035, section 5.1)."""
        return [visible(f"{self.name} {self.ttl} IN {self.type} {content}") for content in self.contents]


def same_set(one: RecordSet | None, other: RecordSet | None) -> bool:
    """Whether two sets with canonical values are one, in whatever order the service shows their values."""
    if one is None or other is None:
        return one is other
    return (one.key, one.ttl, sorted(one.contents)) == (other.key, other.ttl, sorted(other.contents))


LiveSets = dict[tuple[str, str], RecordSet]
"""The record sets of a zone, by key, with values as the service shows them."""
