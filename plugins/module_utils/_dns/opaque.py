# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values of types that DNS does not know, such as ALIAS, as lines of zone files: dnspython reads none of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.invalid_zone_file import InvalidZoneFile
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_opaque

_TYPE_NUMBER = re.compile(r"TYPE0*([0-9]{1,5})(?![0-9])", re.IGNORECASE)
# A line as write_zone_file makes it, whose type may be one that dnspython does not know. Each part ends where the next
# begins, so that no line takes more than one pass.
_FULL_LINE = re.compile(r"(\S+[ \t]+[0-9]+[ \t]+IN[ \t]+)([A-Z][A-Z0-9-]*)[ \t]+(?=\S)")
_QUOTED_OR_SEMICOLON = re.compile(r'"(?:\\.|[^"\\])*"?|(?P<semicolon>\\?;)')
_PLACEHOLDERS = range(65280, 65535)  # RFC 6895, section 3.1: the types for private use

OF_ENTRIES = re.compile(r'"(?:\\.|[^"\\\n])*"?|;[^\n]*|\\.|[()\n]', re.DOTALL)
"""What tells where entries end, but for those of these types: strings, comments, escapes, parentheses, line ends."""


class OpaqueLine(NamedTuple):
    """A record of such a type: what stands before its type, that, its value, and where in the line that is written."""

    head: str
    type: str
    value: str
    start: int
    end: int


def opaque_line(line: str) -> OpaqueLine | None:
    """What a line says that is such a record: it has all parts, and ends with the line, whatever is in it."""
    match = _FULL_LINE.match(line)
    if not match or not is_opaque(match[2], line[match.end() :]):
        return None
    start = match.end()
    written = line[start : start + comment_start(line[start:])].rstrip(" \t")
    return OpaqueLine(match[1], match[2], without_comment(written), start, start + len(written)) if written else None


def with_placeholders(text: str, place: str) -> tuple[str, dict[int, str]]:
    """The file with every full line of an unknown type in generic form (RFC 3597), and the types behind the numbers.

    *place* is what an error calls the file. Raises InvalidZoneFile where it has more such types than there are numbers.
    """
    taken = {int(number) for number in _TYPE_NUMBER.findall(text)}
    free = [number for number in _PLACEHOLDERS if number not in taken]
    numbers: dict[str, int] = {}
    lines, nesting, end = text.split("\n"), _Nesting(text), -1
    for index, line in enumerate(lines):
        start_of_line, end = end + 1, end + 1 + len(line)
        found = opaque_line(line)
        if not found or nesting.is_open_at(start_of_line):
            continue
        nesting.skip_to(end)
        if found.type not in numbers and not free:
            record = printable_part(f"{found.head.split()[0]} {found.type}")
            raise InvalidZoneFile(
                f"line {index + 1} of {place} cannot be used, {record}: there are too many unknown types"
            )
        if found.type not in numbers:
            numbers[found.type] = free.pop(0)
        encoded = found.value.encode()
        lines[index] = f"{found.head}TYPE{numbers[found.type]} \\# {len(encoded)} {encoded.hex()}"
    return "\n".join(lines), {number: mnemonic for mnemonic, number in numbers.items()}


class _Nesting:
    """Whether a place in a text is inside parentheses or quotes, asked from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._depth = text, 0, 0

    def is_open_at(self, start: int) -> bool:
        """Whether the line that begins at *start* goes on with an entry of a line before (RFC 1035, section 5.1)."""
        while self._at < start:
            found = OF_ENTRIES.search(self._text, self._at, start)
            if not found:
                self._at = start
                break
            if found.end() == start:  # an escaped line end, so that the string may go on
                found = OF_ENTRIES.match(self._text, found.start()) or found
            self._depth = max(0, self._depth + {"(": 1, ")": -1}.get(found[0], 0))
            self._at = found.end()
        return self._at > start or self._depth > 0

    def skip_to(self, end: int) -> None:
        """Take nothing up to *end* for what opens or closes."""
        self._at = end


def comment_start(text: str) -> int:
    """Where the comment of a line begins, or else the line ends, by the rules of ``without_comment``."""
    found = (match.start() for match in _QUOTED_OR_SEMICOLON.finditer(text) if match["semicolon"] == ";")
    return next(found, len(text))


def without_comment(text: str) -> str:
    """A value of an unknown type as its line has it: ``;`` starts a comment outside quotes, and ``\\;`` is a ``;``."""
    parts, start, end = [], 0, comment_start(text)
    for match in _QUOTED_OR_SEMICOLON.finditer(text[:end]):
        if match["semicolon"]:
            parts.append(text[start : match.start()])
            start = match.end() - 1
    return "".join([*parts, text[start:end]]).rstrip(" \t")


def escaped(value: str) -> str:
    """A value of an unknown type for a line of a zone file, with no comment in it."""
    return _QUOTED_OR_SEMICOLON.sub(
        lambda match: match[0].replace(";", "\\;") if match["semicolon"] else match[0], value
    )
