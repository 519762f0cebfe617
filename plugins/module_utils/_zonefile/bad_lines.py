# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Collects the unusable lines of zone files into one readable error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .._dns.forms import translated
from .._dns.names import TWICE
from .._dns.printable import SHOWN_CLAUSES, printable_part, quoted, some_clauses
from .._dns.rdata import InvalidRdata, is_unknown
from .file_text import InvalidZoneFile, Where
from .logical_lines import RecordWords, record_words
from .mistakes import (
    NO_TYPE,
    is_mnemonic,
    is_tellable,
    reason_against_line,
    reason_against_type,
)

MOST = 1000
"""Bad lines after which reading stops: the file is not a zone file."""

NO_TTL = (
    "the record has no TTL, and there is no $TTL before it: put $TTL 3600 in the first line, "
    "or set ttl"
)


class TooManyRecords(InvalidRdata):
    """Too many records. Later lines would only repeat this."""


class InvalidLine(InvalidRdata):
    """An invalid line. The message is shown unchanged."""


class UnknownType(InvalidRdata):
    """A word that is not a record type, as the message."""


class InvalidValue(InvalidRdata):
    """An invalid value; the words before it are fine."""


@dataclass
class BadLines:
    """Errors in the files of a zone."""

    _files: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """Line numbers and reasons, by file."""
    _ended: dict[str, int] = field(default_factory=dict)
    """The line at which reading stopped, by file."""
    _whole: list[str] = field(default_factory=list)

    def add_file(self, reason: str) -> None:
        """Add the reason why a whole file is unreadable."""
        self._whole.append(reason)

    def add(
        self, where: Where, line: str, value: str, error: Exception, owner: Callable[[str], str]
    ) -> bool:
        """Add an invalid *line*; return whether to go on reading the file.

        *value* is the line's value, if known. *owner* completes a written owner name; empty means that of the line
        above.
        """
        lines = self._files.setdefault(where.place, [])
        lines.append((where.line, _reason(line, value, error, owner)))
        return not isinstance(error, TooManyRecords) and len(lines) < MOST

    def end(self, where: Where) -> None:
        """Note that reading stopped at this line."""
        self._ended[where.place] = where.line

    def refuse(self) -> None:
        """Raises InvalidZoneFile if there are errors."""
        clauses = [*self._whole, *map(self._sentence, self._files)]
        if clauses:
            raise InvalidZoneFile(some_clauses(clauses))

    def _sentence(self, place: str) -> str:
        lines = self._files[place]
        ended = self._ended.get(place)
        if len(lines) == 1:
            ((line, reason),) = lines
            sentence = f"line {line} of {place} cannot be used: {reason}"
            if ended:
                sentence += "; what follows it was not read"
            return sentence
        clauses = [f"line {line}: {reason}" for line, reason in lines[:SHOWN_CLAUSES]]
        if len(lines) > SHOWN_CLAUSES:
            clauses.append(f"and {len(lines) - SHOWN_CLAUSES} more")
        twice = [reason for _line, reason in lines if TWICE in reason]
        if len(twice) > 1:
            clauses.append(
                "if all names in the file are full names, write $ORIGIN . in its first line instead"
            )
        if ended:
            clauses.append(f"what follows line {ended} was not read")
        return f"{len(lines)} lines of {place} cannot be used: {'; '.join(clauses)}"


def _reason(line: str, value: str, error: Exception, owner: Callable[[str], str]) -> str:
    """Explain in a clause why a line cannot be used. What is no record is not shown: it may be a secret."""
    written, rdtype = _owner_and_type(line)
    reason = reason_against_line(line) or _reason_against_blank(line, error)
    if reason:
        return reason
    reason = _reason_in_words(error, line, rdtype, value)
    if not rdtype or isinstance(error, TooManyRecords):
        return reason
    name = written
    if not line.startswith("$"):  # $GENERATE has a template, not an owner name
        name = owner(written)
    return f"{printable_part(name)} {printable_part(rdtype)}: {reason}"


def _owner_and_type(line: str) -> tuple[str, str]:
    """Return owner name and type as written, or empty strings. What looks like no record has no type."""
    words = record_words(line)
    owner = words.owner.text if words.owner else ""
    if not _is_like_record(words) or not is_mnemonic(words.type.text):
        return owner, ""
    return owner, words.type.text.upper()


def _is_like_record(words: RecordWords) -> bool:
    """Whether a line has more than two words, as all records have but few lines of other files."""
    return bool(words.rest) and bool(words.ttl or words.rdclass or words.rdata)


def _reason_against_blank(line: str, error: Exception) -> str:
    """Explain in a clause that the owner name should not be indented; empty if that is not the mistake."""
    if not line[:1].isspace() or not isinstance(error, UnknownType):
        return ""
    owner, rdtype = _owner_and_type(line.lstrip())
    if not rdtype or is_unknown(rdtype) or not is_tellable(owner):
        return ""
    return (
        "a line that begins with a space has the owner name of the record before it: "
        f"write {owner} without the space"
    )


def _reason_in_words(error: Exception, line: str, rdtype: str, value: str) -> str:
    reason = str(error)
    if isinstance(error, UnknownType):
        if not _is_like_record(record_words(line)):
            return NO_TYPE
        return reason_against_type(reason)
    if isinstance(error, InvalidLine):
        return reason
    if isinstance(error, InvalidValue) and value:
        return f"{quoted(value)} is not a value of type {rdtype}: {printable_part(reason)}"
    words = translated(reason)
    if isinstance(error, InvalidRdata) or words == reason:
        return printable_part(reason)
    if rdtype or line.startswith("$"):
        return words
    return "it has no type"
