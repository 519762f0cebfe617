# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lines of zone files that cannot be used: why, in a person's words, and all in one error."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.forms import (
    reason_against_escapes,
    reason_in_words,
    translated,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import slip_in
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    SHOWN_CLAUSES,
    printable_part,
    quoted,
    some_clauses,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    InvalidRdata,
    canonical,
    is_unknown,
    lacks_preference,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.entries import (
    record_words,
    without_comment,
    words_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
    Where,
    odd_character_in,
)

MOST = 1000
"""Bad lines after which nobody reads on: the file is of another kind."""

NO_TTL = "the record has no TTL, and no $TTL stands before it: put $TTL 3600 into the first line, or set ttl"

OTHER_CLASS = "its class is another than IN"

_TOO_MANY_DIGITS = "Exceeds the limit"
"""What Python says of such a number."""

_MNEMONIC = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_TELLABLE = re.compile(r"[A-Za-z0-9.:-]{1,40}")
"""What may be meant as a type, or as a value; a file that was taken for a zone file can be full of secrets."""
_LIKE_A_TTL = re.compile(r"-?[0-9][A-Za-z0-9]*")
_NUMBERED = re.compile(r"TYPE[0-9]+", re.IGNORECASE)
_UNMERGED = re.compile(r"(<{7}|\|{7}|={7}|>{7})( |$)")
_AGE = re.compile(r'[^";]*(\[AGE:[0-9]+\])', re.IGNORECASE)
_OTHER_COMMENT = re.compile(r"\s*(#|//)")


class TooManyRecords(InvalidRdata):
    """More records than a file can have: what follows would be too many too."""


class InvalidLine(InvalidRdata):
    """A line at fault, told in words that are shown as they are."""


class UnknownType(InvalidLine):
    """A *word* of a zone file that can be no type."""

    def __init__(self, word: str):
        super().__init__(_reason_against_type(word))


class InvalidValue(InvalidRdata):
    """A value at fault, and not what stands before it; *value* is its text where it is another than in the line."""

    def __init__(self, reason: str, value: str = ""):
        super().__init__(reason)
        self.value = value


class Written(NamedTuple):
    """A record as far as its first line tells: each part as it is written, and empty where nobody can tell it."""

    owner: str = ""
    type: str = ""
    value: str = ""

    def against_value(self, reason: str, value: str = "") -> str:
        """What an entry of ``dns_records`` is told of a value, or the *reason* alone where the value is not known."""
        value = value or self.value
        return f"{quoted(value)} is not a value of type {self.type}, {reason}" if value else reason


def written_in(line: str) -> Written:
    """The record that begins in a *line* of a zone file; an empty one for a directive."""
    all_words = words_of(line)
    if line.startswith("$") and all_words:
        if all_words[0].text.upper() != "$GENERATE":
            return Written()
        all_words = all_words[2:]
    if not all_words:
        return Written()
    words = record_words(line, all_words)
    owner = words.owner.text if words.owner else ""
    if not words.rest or not _MNEMONIC.fullmatch(words.type.text):
        return Written(owner)
    # What goes on in further lines is not known as a whole.
    is_whole = bool(words.rdata) and "(" not in line
    return Written(owner, words.type.text.upper(), without_comment(line[words.rdata[0].start :]) if is_whole else "")


@dataclass
class BadLines:
    """What cannot be used of all the files of a *zone* (canonical)."""

    zone: str
    _files: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """The lines of each, and why."""
    _ended: dict[str, int] = field(default_factory=dict)
    """The line of a file after which nobody can tell where the next one begins."""
    _whole: list[str] = field(default_factory=list)

    def add_file(self, reason: str) -> None:
        """Take a file of which no line can be read."""
        self._whole.append(reason)

    def add(self, where: Where, line: str, error: Exception, owner: Callable[[str], str]) -> bool:
        """Take a *line*, and the error with which reading it ended; whether more of its file may be read.

        *owner* gives the owner name of what is written so, or of the line above where nothing is.
        """
        written = written_in(line)
        lines = self._files.setdefault(where.place, [])
        subject = ""
        # A file that was taken for a zone file can be full of secrets: of a line without a type nothing is told.
        if written.type and not isinstance(error, TooManyRecords):
            # What $GENERATE makes owner names of is none yet.
            name = written.owner if line.startswith("$") else owner(written.owner)
            subject = f"{printable_part(name)} {printable_part(written.type)}: "
        reason = _seen_in(line, error) or subject + _reason_against(error, line, self.zone, written)
        lines.append((where.line, reason))
        return not isinstance(error, TooManyRecords) and len(lines) < MOST

    def end(self, where: Where) -> None:
        """Say that nobody can tell what stands behind this line, which has been taken."""
        self._ended[where.place] = where.line

    def refuse(self) -> None:
        """Raises InvalidZoneFile where there are any."""
        if told := [*self._whole, *map(self._sentence, self._files)]:
            raise InvalidZoneFile(some_clauses(told))

    def _sentence(self, place: str) -> str:
        """All lines of a file."""
        lines, ended = self._files[place], self._ended.get(place)
        if len(lines) == 1:
            ((line, reason),) = lines
            unread = "; what follows it was not read" if ended else ""
            return f"line {line} of {place} cannot be used, {reason}{unread}"
        told = [f"line {line}, {reason}" for line, reason in lines[:SHOWN_CLAUSES]]
        if len(lines) > SHOWN_CLAUSES:
            told.append(f"and {len(lines) - SHOWN_CLAUSES} more")
        if ended:
            told.append(f"what follows line {ended} was not read")
        return f"{len(lines)} lines of {place} cannot be used: {'; '.join(told)}"


def _seen_in(line: str, error: Exception) -> str:
    """What a line is that was never meant as a record, or why it is none as it is indented; empty for any other."""
    if odd := odd_character_in(line):
        return odd
    if age := _AGE.match(line):
        return f"{age[1]} is what Windows notes of a dynamic record, and belongs into no zone file: take all of it out"
    if _UNMERGED.match(line):
        return "it is a mark of git: keep one of the two versions, without the marks"
    if comment := _OTHER_COMMENT.match(line):
        return f"a comment begins with ; and not with {comment[1]}"
    if not (line[:1].isspace() and isinstance(error, UnknownType)):
        return ""
    owner = written_in(line.lstrip())
    if not owner.type or is_unknown(owner.type) or not _TELLABLE.fullmatch(owner.owner):
        return ""
    return (
        f"a line that begins with a blank has the owner name of the record before it: write {owner.owner} without one"
    )


def _reason_against(error: Exception, line: str, zone: str, written: Written) -> str:
    """Why a line cannot be used, in one clause; *error* is what reading it ended with, *zone* is canonical."""
    reason = str(error)
    if isinstance(error, InvalidLine):
        return reason
    if reason.startswith(_TOO_MANY_DIGITS):
        return "a number in it has thousands of digits"
    if isinstance(error, InvalidValue):
        return written.against_value(printable_part(reason), error.value)
    words = translated(reason)
    if isinstance(error, InvalidRdata) or words == reason:
        return printable_part(reason)
    if not written.type and not line.startswith("$"):
        return "it has no type"
    if is_unknown(written.type):
        return words
    if escape := reason_against_escapes(without_comment(line)):
        return escape
    if "(" in line:
        return reason_in_words(written.type, None, reason)
    try:
        if lacks_preference(written.type, canonical(written.type, written.value, zone)):
            return written.against_value(reason_in_words(written.type, written.value, reason))
    except InvalidRdata as refusal:
        return written.against_value(printable_part(str(refusal)))
    return words


def _reason_against_type(word: str) -> str:
    if not _TELLABLE.fullmatch(word):
        return "what stands where its type should is no type of records that is known"
    if _LIKE_A_TTL.fullmatch(word):
        return f"{word} is no TTL, which is written as in 300 or 1h30m, and no type of records that is known"
    refusal = f"{printable_part(word)} is no type of records that is known"
    if not _MNEMONIC.fullmatch(word) or _NUMBERED.fullmatch(word):
        return refusal
    if word.upper() in ("DKIM", "DMARC"):
        return f"{refusal}: write TXT"
    return slip_in(word.upper()) or (
        f"{refusal}: write one of the service's own with all parts, "
        f"as in 'www 300 IN {printable_part(word).upper()} ...'"
    )
