# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Splits zone files into logical lines, the entries of RFC 1035, section 5.1, and words.

Opaque records, of types unknown to DNS such as ALIAS, need all parts on one line. dnspython cannot read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from .._dns.option_table import seconds_of
from .._dns.rdata import is_opaque
from .file_text import PIECES

with suppress(ImportError):  # names.py keeps the error, the filters report it
    import dns.exception
    import dns.rdataclass
    import dns.ttl

LINE_END = re.compile(r"\r\n|\r|\n")
_STRING = r'"(?:\\(?:\r\n|.)|[^"\\\r\n])*"'
_WORD = re.compile(
    rf';[^\r\n]*|{_STRING}|(?:\\[^\r\n]|[^ \t\r\n"();\\])+(?:(?<==){_STRING})?|["\\]', re.DOTALL
)
"""A comment, a string, another word, which may end in =STRING like the parameters of HTTPS, or an unfinished one."""
_BLANKS = " \t"
_PLAIN = r'[^"();\\\r\n]*'
_LINE = re.compile(rf'{_PLAIN}(?:"[^"\\\r\n]*"{_PLAIN})*(?:;[^\r\n]*)?(?:\r\n|\r|\n|\Z)')
"""A line that is a logical line, whatever its type."""
# A line as write_zone_file writes it; dnspython may not know its type. Each part ends where the next one starts, so
# matching takes one pass.
_FULL_LINE = re.compile(r"\S+[ \t]+[0-9]+[ \t]+IN[ \t]+([A-Z][A-Z0-9-]*)[ \t]+(?=\S)([^\r\n]*)")
_QUOTED_OR_SEMICOLON = re.compile(r'"(?:\\.|[^"\\])*"?|(?P<semicolon>\\?;)')


class LogicalLine(NamedTuple):
    """A line, or several that belong together, with its exact text. If its end is unknown, *unclosed* is the reason."""

    number: int
    text: str
    unclosed: str


def logical_lines(text: str) -> Iterator[LogicalLine]:
    """Yield the lines: records, directives, and what is between. Joined, they are the file."""
    start, number = 0, 1
    while start < len(text):
        found = _LINE.match(text, start)
        if found:
            end, lines, unclosed = found.end(), 1, ""
        else:
            end, unclosed = _end_of_line(text, start)
            lines = len(LINE_END.findall(text, start, end))
        yield LogicalLine(number, text[start:end], unclosed)
        start = end
        number += lines


def _end_of_line(text: str, start: int) -> tuple[int, str]:
    """Return where a line ends, and a reason why that is unknown."""
    opaque = opaque_record(text, start)
    if opaque:
        return _next_line(text, opaque.end), ""
    depth = 0
    for found in PIECES.finditer(text, start):
        piece = found[0]
        is_line_end = piece[-1] in "\r\n" and piece[0] != ";"
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth = max(0, depth - 1)
        elif found[1] == "":
            return _next_line(text, found.end()), "a text in double quotes has to end on its line"
        elif is_line_end and not depth:
            return found.end(), ""
    return len(text), "a parenthesis is not closed" if depth else ""


def _next_line(text: str, at: int) -> int:
    """Return where the line after that at *at* begins."""
    found = LINE_END.search(text, at)
    return found.end() if found else len(text)


def line_end_of(text: str) -> str:
    """Return the line ending of the first line."""
    found = LINE_END.search(text)
    return found[0] if found else "\n"


class OpaqueRecord(NamedTuple):
    """A record of a type unknown to DNS, and the position of its value."""

    type: str
    value: str
    start: int
    end: int


def opaque_record(text: str, at: int = 0) -> OpaqueRecord | None:
    """Return the opaque record on the line at *at*, if any. It always ends with the line.

    In its value, ``;`` outside quotes starts a comment, and ``\\;`` is a literal ``;``.
    """
    match = _FULL_LINE.match(text, at)
    if not match or not is_opaque(match[1], match[2]):
        return None
    written = match[2]
    for found in _QUOTED_OR_SEMICOLON.finditer(written):
        if found["semicolon"] == ";":
            written = written[: found.start()]
            break
    written = written.rstrip(_BLANKS)
    if not written:
        return None
    start = match.start(2)
    value = _QUOTED_OR_SEMICOLON.sub(_unescaped, written)
    return OpaqueRecord(match[1], value, start, start + len(written))


def _unescaped(found: re.Match[str]) -> str:
    if found["semicolon"]:
        return ";"
    return found[0]


def escaped(value: str) -> str:
    """Escape an opaque value, so that nothing in it reads as a comment."""
    return _QUOTED_OR_SEMICOLON.sub(_with_backslash, value)


def _with_backslash(found: re.Match[str]) -> str:
    if found["semicolon"]:
        return found[0].replace(";", "\\;")
    return found[0]


class Word(NamedTuple):
    """A word and its position in the line."""

    text: str
    start: int
    end: int


class RecordWords(NamedTuple):
    """The words of a record; owner, TTL and class may be None."""

    head: list[Word]
    """The words before the value, in file order."""

    owner: Word | None
    ttl: Word | None
    rdclass: Word | None
    rest: list[Word]
    """The type, then the value."""

    opaque: OpaqueRecord | None

    @property
    def type(self) -> Word:
        """The type."""
        return self.rest[0]

    @property
    def rdata(self) -> list[Word]:
        """The words of the value."""
        return self.rest[1:]


def words_of(text: str) -> list[Word]:
    """Return the words, with quotes and escapes as written. A quoted string is one word."""
    return [Word(match[0], *match.span()) for match in _WORD.finditer(text) if match[0][0] != ";"]


def record_words(text: str, words: list[Word] | None = None) -> RecordWords:
    """Return the parts of a record; *words* are from ``words_of``, if known.

    Those of ``$GENERATE`` follow its range. Other directives and lines without words have none.
    """
    words = words or words_of(text)
    if text.startswith("$"):
        is_generate = words[0].text.upper() == "$GENERATE"
        words = words[2:]
        if not is_generate:
            words = []
    owner = ttl = rdclass = None
    rest = list(words)
    if rest and text[0] not in _BLANKS:
        owner = rest.pop(0)
    while rest:
        if ttl is None and seconds_in(rest[0].text) is not None:
            ttl = rest.pop(0)
        elif rdclass is None and class_in(rest[0].text) is not None:
            rdclass = rest.pop(0)
        else:
            break
    head = words[: len(words) - len(rest) + 1]
    opaque = _opaque_in(text, rest)
    if opaque:
        rest[1:] = [Word(text[opaque.start : opaque.end], opaque.start, opaque.end)]
    return RecordWords(head, owner, ttl, rdclass, rest, opaque)


def _opaque_in(text: str, rest: list[Word]) -> OpaqueRecord | None:
    """Return the opaque record of a line, if its type, the first of the *rest*, is unknown to DNS."""
    if not rest:
        return None
    value = rest[1].text if len(rest) > 1 else ""
    if not is_opaque(rest[0].text, value):
        return None
    return opaque_record(text)


def seconds_in(word: str) -> int | None:
    """Return a TTL in seconds, or None if it is not one."""
    if word[:1].isdigit():
        with suppress(dns.ttl.BadTTL):
            return seconds_of(word)
    return None


def class_in(word: str) -> int | None:
    """Return the number of a class, or None if it is not one."""
    with suppress(dns.exception.DNSException, ValueError):
        return dns.rdataclass.from_text(word)
    return None
