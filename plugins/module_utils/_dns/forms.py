# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Explains why dnspython rejects a value. Positions count from 1."""

from __future__ import annotations

import re

from .printable import printable_part
from .record_types import RecordType, known_of

_ESCAPE = re.compile(r"\\([0-9]{1,3}|.|$)", re.DOTALL)
_STRING = r'"(?:[^"\\]|\\.)*"'
_STRINGS = re.compile(rf"(?:{_STRING}[ \t]*)*{_STRING}", re.DOTALL)
_LAST_BYTE = 255
OF_LINE = "it is a whole line of a zone file, but only the value belongs here"
A_LIST = "it has a comma, but several values must be a list"

_WORDS: tuple[tuple[str, str], ...] = (
    (r'expected EOL or EOF, got \d+ "(#|//).*"', r"a comment begins with ;, not with \1"),
    (
        r'expected EOL or EOF, got \d+ "([0-9a-f]*[.:][0-9a-f.:]+)"',
        r"\1 is unexpected: several values must be a list",
    ),
    (r'expected EOL or EOF, got \d+ "(.*)"', r"\1 is unexpected"),
    (
        "string too long",
        "a text in it has more than 255 bytes, so write several, each in quotes, separated by spaces",
    ),
    (r"(-?\d+) is not an unsigned \d+-bit integer", r"\1 is out of range"),
    ("Text input ended unexpectedly", "double quotes are not closed, or it ends in a backslash"),
    ("newline in quoted string", "a text in double quotes has to end on its line"),
    ("unbalanced parentheses", "a parenthesis is not closed"),
    (
        "A DNS label is empty",
        "a name in it has an empty label (two dots in a row, or a dot at its start)",
    ),
    ("A DNS (label|name) is > ([0-9]+) octets long", r"a \1 in it has more than \2 bytes"),
    (
        "An escaped code .* is invalid|ubyte format requires .*",
        "a backslash in it does not start an escape",
    ),
    ("IDNA processing exception: (.*)", r"a name in it cannot be written in A-labels (\1)"),
    (
        r"DNS TTL value is not well-formed|unknown unit '.*'|bad \$TTL",
        "a TTL in it is neither in seconds nor as in 5m or 1h30m",
    ),
    ("expecting an integer", "a number is missing or misspelled"),
    (
        "expecting (an|another) (identifier|string)|expecting a string|URI target must be a string",
        "it ends too early",
    ),
    ("Odd-length string|.*[Hh]exadecimal.*", "its data is not pairs of hexadecimal digits"),
    (".*base64.*|.*padding.*", "its data is not base64"),
    (
        "empty bytes not allowed",
        "a parameter has an empty item: use spaces only between parameters",
    ),
    ("Text input is malformed", "a part of it is not an address"),
    ("|.*(unpack|invalid literal for|out of range|Input text must).*", "it cannot be read"),
)
"""Messages of dnspython that need other words. All others are shown as they are."""


def reason_in_words(rdtype: str, text: str | None, error: str) -> str:
    """Why *text* (None if unknown) is no value; *error* is dnspython's message."""
    text = text or ""
    reason = reason_against_escapes(text)
    if reason:
        return reason
    known = known_of(rdtype)
    found = _mistake(rdtype, text.strip(), known) or translated(error)
    if not known.parts or "whose type" in found:
        return found
    return f"{found}; write {known.parts}, as in '{known.example}'"


def _mistake(rdtype: str, text: str, known: RecordType) -> str | None:
    """The likeliest mistake in a text; None if none is known."""
    if re.match(rf"(\S+\s+){{0,3}}{rdtype}\s", text, re.IGNORECASE):
        return OF_LINE
    for pattern, message in known.mistakes:
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            return found.expand(message)
    if known.parts and "," in text and not known.has_commas:
        return A_LIST
    return None


def translated(error: str) -> str:
    """In plain words, if known."""
    error = error.rstrip(".")
    for pattern, words in _WORDS:
        match = re.fullmatch(pattern, error)
        if match:
            return printable_part(match.expand(words))
    return printable_part(error)


def reason_against_escapes(text: str, *, with_letters: bool = False) -> str | None:
    """Why the first escape is invalid, or *with_letters* stands for a letter alone."""
    for found in _ESCAPE.finditer(text):
        escape, code = found.group(0, 1)
        begins = f"{escape} at character {found.start() + 1} is"
        if not code.isascii():
            continue
        if code.isdigit() and (len(code) < 3 or int(code) > _LAST_BYTE):
            return (
                f"{begins} not an escape, which is a backslash and three digits up to "
                f"{_LAST_BYTE}: write \\{escape} for a backslash itself"
            )
        if with_letters and code.isalpha():
            return f"{begins} {code} alone: write \\{escape} for a backslash itself"
    return None


def reason_against_strings(text: str) -> str | None:
    """Why *text*, which starts with a double quote, is not a series of quoted strings."""
    reason = reason_against_escapes(text, with_letters=True)
    if reason or _STRINGS.fullmatch(text):
        return reason
    return "it begins with a double quote: put everything in quotes, and close each of them"
