# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The text of a zone file in pieces: where each entry (RFC 1035, section 5.1) begins and ends, and what its words are.

What the words mean is for ``zone_file`` to say.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.opaque import (
    OF_ENTRIES,
    opaque_line,
    with_placeholders,
)

with suppress(ImportError):  # names.py keeps the error, the filters report it
    import dns.exception
    import dns.rdataclass
    import dns.ttl

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINE_END = re.compile(r"\r\n|\r|\n")
_WORD_OR_COMMENT = re.compile(r';[^\r\n]*|(?:"(?:\\.|[^"\\])*"|\\.|[^ \t\r\n"();\\])+', re.DOTALL)
_BLANKS = " \t"


class Entry(NamedTuple):
    """An entry of a file: the number of the line at which it begins, and its lines to the byte."""

    line: int
    text: str


def entries_of(text: str) -> list[Entry]:
    """The entries of a file that can be read, which together are its text: records, directives, and lines between."""
    lines = lines_of(text)
    # A value of a type that nobody knows ends with its line, whatever is in it.
    plain = with_placeholders("\n".join(line.rstrip("\r\n") for line in lines), "")[0]
    entries: list[Entry] = []
    first, current, depth = 0, 0, 0
    for found in OF_ENTRIES.finditer(plain):
        word = found[0]
        depth += {"(": 1, ")": -1}.get(word, 0)
        current += word.count("\n") if word[0] != ";" else 0
        if word == "\n" and not depth:
            entries.append(Entry(first + 1, "".join(lines[first:current])))
            first = current
    if first < len(lines):
        entries.append(Entry(first + 1, "".join(lines[first:])))
    return entries


def lines_of(text: str) -> list[str]:
    """The lines of a text with what ends them, be it that of Unix, of Windows or of old Macs."""
    return _LINE.findall(text)


def line_end_of(text: str) -> str:
    """What ends the lines of a file: what ends its first."""
    found = _LINE_END.search(text)
    return found[0] if found else "\n"


class Word(NamedTuple):
    """A word of an entry, and where it stands there."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class RecordWords:
    """The words of an entry that is a record: those that are not there are None."""

    owner: Word | None
    ttl: Word | None
    rdclass: Word | None
    type: Word
    rdata: list[Word]

    @property
    def head(self) -> list[Word]:
        """What stands before the value, in its order."""
        words = (self.owner, self.ttl, self.rdclass, self.type)
        return sorted((word for word in words if word), key=lambda word: word.start)


def words_of(text: str) -> list[Word]:
    """The words of a text, with quotes and escapes as they are; a string in quotes is one."""
    found = _WORD_OR_COMMENT.finditer(text)
    return [Word(match[0], match.start(), match.end()) for match in found if match[0][0] != ";"]


def record_words(text: str) -> RecordWords:
    """The words of an entry that is read as a record."""
    words = words_of(text)
    rest = words if text[:1] in _BLANKS else words[1:]
    ttl = rdclass = None
    while len(rest) > 1 and not (ttl and rdclass):
        if not ttl and seconds_in(rest[0].text) is not None:
            ttl = rest[0]
        elif not rdclass and _is_class(rest[0].text):
            rdclass = rest[0]
        else:
            break
        rest = rest[1:]
    kind, rdata = rest[0], rest[1:]
    if opaque := opaque_line(text.rstrip("\r\n")):
        rdata = [Word(text[opaque.start : opaque.end], opaque.start, opaque.end)]
    return RecordWords(None if text[:1] in _BLANKS else words[0], ttl, rdclass, kind, rdata)


def seconds_in(word: str) -> int | None:
    """The TTL that a word of a record is, in seconds; None where it is none."""
    try:
        return dns.ttl.from_text(word)
    except (dns.exception.DNSException, ValueError):
        return None


def _is_class(word: str) -> bool:
    try:
        return bool(dns.rdataclass.from_text(word))
    except (dns.exception.DNSException, ValueError):
        return False
