# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Collects the unusable lines of zone files into one readable error."""

from __future__ import annotations

from dataclasses import dataclass, field

from .._dns.forms import translated
from .._dns.names import TWICE
from .._dns.printable import printable_part, quoted, some_clauses
from .._dns.rdata import InvalidRdata
from .file_text import InvalidZoneFile, Where
from .logical_lines import RecordWords, record_words
from .mistakes import NO_TYPE, is_mnemonic, reason_against_line, reason_against_type

MOST = 1000
"""Bad lines after which reading stops: the file is not a zone file."""

NO_TTL = (
    "the record has no TTL, and there is no $TTL before it: put $TTL 3600 in the first line, "
    "or set ttl"
)


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
    _whole: list[str] = field(default_factory=list)

    def add_file(self, reason: str) -> None:
        """Add the reason why a whole file is unreadable."""
        self._whole.append(reason)

    def add(self, where: Where, line: str, value: str, error: Exception, owner: str) -> bool:
        """Add an invalid *line*; return whether the file may have more bad lines.

        *value* is the line's value, if known. *owner* is the owner name that it inherits if it has none.
        """
        lines = self._files.setdefault(where.place, [])
        lines.append((where.line, _reason(line, value, error, owner)))
        return len(lines) < MOST

    def refuse(self) -> None:
        """Raises InvalidZoneFile if there are errors."""
        clauses = [*self._whole, *map(self._sentence, self._files)]
        if clauses:
            raise InvalidZoneFile(some_clauses(clauses))

    def _sentence(self, place: str) -> str:
        lines = self._files[place]
        if len(lines) == 1:
            ((line, reason),) = lines
            return f"line {line} of {place} cannot be used: {reason}"
        clauses = some_clauses([f"line {line}: {reason}" for line, reason in lines])
        twice = [reason for _line, reason in lines if TWICE in reason]
        if len(twice) > 1:
            clauses += (
                "; if all names in the file are full names, write $ORIGIN . in its first line "
                "instead"
            )
        return f"{len(lines)} lines of {place} cannot be used: {clauses}"


def _reason(line: str, value: str, error: Exception, owner: str) -> str:
    """Explain in a clause why a line cannot be used. What is no record is not shown: it may be a secret."""
    reason = reason_against_line(line)
    if reason:
        return reason
    words = record_words(line)
    if not _is_like_record(words):
        return NO_TYPE if isinstance(error, UnknownType) else _in_words(error, line, "", value)
    rdtype = words.type.text.upper()
    reason = _in_words(error, line, rdtype, value)
    if not is_mnemonic(rdtype):
        return reason
    name = words.owner.text if words.owner else owner
    return f"{printable_part(name)} {printable_part(rdtype)}: {reason}"


def _is_like_record(words: RecordWords) -> bool:
    """Whether a line has more than two words, as all records have but few lines of other files."""
    return bool(words.rest) and bool(words.ttl or words.rdclass or words.rdata)


def _in_words(error: Exception, line: str, rdtype: str, value: str) -> str:
    reason = str(error)
    if isinstance(error, InvalidLine):
        return reason
    if isinstance(error, UnknownType):
        reason = reason_against_type(reason)
        if line[:1].isspace():
            reason += (
                "; a line that begins with a space has the owner name of the record before it, so "
                "write its own name without the space"
            )
        return reason
    if isinstance(error, InvalidValue) and value:
        return f"{quoted(value)} is not a value of type {rdtype}: {printable_part(reason)}"
    if isinstance(error, InvalidRdata):
        return printable_part(reason)
    return translated(reason)
