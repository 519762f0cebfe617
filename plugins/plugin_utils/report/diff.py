# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes as lines of a zone file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...module_utils._dns.printable import printable
from .outcomes import Row

LONGEST = 1000
"""Most characters of a line; TXT values can fill a screen."""

KINDS = {"+": "in", "-": "out", "!": "note", " ": "kept"}
"""Signs of lines, and their classes on the page."""


class Line(NamedTuple):
    """Removed (``-``), added (``+``) or kept (a space). ``!`` marks a comment about a set."""

    sign: str
    text: str

    @property
    def kind(self) -> str:
        return KINDS[self.sign]


def printable_line(text: str) -> str:
    """One printable line of bounded length."""
    seen = printable(text[: LONGEST + 1])
    if len(seen) <= LONGEST:
        return seen
    return f"{seen[:LONGEST]}… (cut, it has {len(text)} characters)"


def lines(changes: Iterable[Row]) -> Iterator[Line]:
    """Zone-file lines (RFC 1035, section 5.1), after comments about what is special."""
    for change in changes:
        if change.get("because") in ("drift", "both"):
            yield _comment(change, "was changed by somebody else before")
        if change["action"] == "rebuild":
            yield _comment(change, "is rebuilt, and gone for a moment")
        before = _set_lines(change, "before")
        after = _set_lines(change, "after")
        kept = {*before} & {*after}
        for text in before:
            if text not in kept:
                yield Line("-", printable_line(text))
        for text in after:
            yield Line(" " if text in kept else "+", printable_line(text))


def _comment(change: Row, text: str) -> Line:
    name = printable_line(f"{change['name']} {change['type']}")
    return Line("!", f"; {name} {text}")


def _set_lines(change: Row, side: str) -> list[str]:
    record_set = change[side]
    if not record_set:
        return []
    opening = f"{change['name']} {record_set['ttl']} IN {change['type']}"
    return [f"{opening} {value}" for value in record_set["contents"]]
