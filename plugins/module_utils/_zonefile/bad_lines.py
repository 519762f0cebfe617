# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Collects the unusable lines of zone files into one readable error."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from .._dns.forms import translated
from .._dns.input_checks import slip_in
from .._dns.names import TWICE
from .._dns.printable import SHOWN_CLAUSES, printable_part, quoted, some_clauses
from .._dns.rdata import InvalidRdata, is_unknown
from .file_text import NO_TEMPLATE, TEMPLATE, InvalidZoneFile, Where
from .logical_lines import record_words

MOST = 1000
"""Bad lines after which reading stops: the file is not a zone file."""

NO_TTL = "the record has no TTL, and there is no $TTL before it: put $TTL 3600 in the first line, or set ttl"

_MNEMONIC = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_TELLABLE = re.compile(r"[A-Za-z0-9.:-]{1,40}")
"""A plausible type or value. Anything else is never shown: the file may hold secrets."""
_LIKE_A_TTL = re.compile(r"-?[0-9][A-Za-z0-9]*")
_MISTAKES = (
    (
        r'[^";\0\x1a\u00a0]*(?:"(?:\\.|[^"\\])*"[^";\0\x1a\u00a0]*)*[\0\x1a\u00a0]',
        "its character {end} is U+{code:04X}, which is invisible: leave it out, or write a normal space",
    ),
    (TEMPLATE.pattern, NO_TEMPLATE),
    (
        r'[^";]*(\[AGE:[0-9]+\])',
        "{0} is a note of Windows about a dynamic record, which does not belong in a zone file: take it out",
    ),
    (
        r"(<{7}|\|{7}|={7}|>{7})( |$)",
        "it is a merge conflict marker of git: keep one version, without the markers",
    ),
    (r"\s*(#|//)", "a comment begins with ;, not with {0}"),
)
"""Lines that are no records, by how they begin."""


class TooManyRecords(InvalidRdata):
    """Too many records. Later lines would only repeat this."""


class InvalidLine(InvalidRdata):
    """An invalid line. The message is shown unchanged."""


class UnknownType(InvalidRdata):
    """A word that is not a record type, as the message."""


class InvalidValue(InvalidRdata):
    """An invalid value; the words before it are fine."""


def written_in(line: str) -> tuple[str, str]:
    """Return owner name and type as written in *line*, or empty strings."""
    words = record_words(line)
    has_type = words.rest and _MNEMONIC.fullmatch(words.type.text)
    return words.owner.text if words.owner else "", words.type.text.upper() if has_type else ""


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
        written, rdtype = written_in(line)
        lines = self._files.setdefault(where.place, [])
        subject = ""
        # Show nothing of a line without a type: the file may hold secrets.
        if rdtype and not isinstance(error, TooManyRecords):
            # $GENERATE has a template, not an owner name.
            name = written if line.startswith("$") else owner(written)
            subject = f"{printable_part(name)} {printable_part(rdtype)}: "
        reason = _seen_in(line, error) or subject + _reason_against(error, line, rdtype, value)
        lines.append((where.line, reason))
        return not isinstance(error, TooManyRecords) and len(lines) < MOST

    def end(self, where: Where) -> None:
        """Note that reading stopped at this line."""
        self._ended[where.place] = where.line

    def refuse(self) -> None:
        """Raises InvalidZoneFile if there are errors."""
        if clauses := [*self._whole, *map(self._sentence, self._files)]:
            raise InvalidZoneFile(some_clauses(clauses))

    def _sentence(self, place: str) -> str:
        lines, ended = self._files[place], self._ended.get(place)
        if len(lines) == 1:
            ((line, reason),) = lines
            unread = "; what follows it was not read" if ended else ""
            return f"line {line} of {place} cannot be used: {reason}{unread}"
        clauses = [f"line {line}: {reason}" for line, reason in lines[:SHOWN_CLAUSES]]
        if len(lines) > SHOWN_CLAUSES:
            clauses.append(f"and {len(lines) - SHOWN_CLAUSES} more")
        if sum(TWICE in reason for _line, reason in lines) > 1:
            clauses.append(
                "if all names in the file are full names, write $ORIGIN . in its first line instead"
            )
        if ended:
            clauses.append(f"what follows line {ended} was not read")
        return f"{len(lines)} lines of {place} cannot be used: {'; '.join(clauses)}"


def _seen_in(line: str, error: Exception) -> str:
    """Explain a line that is no record, or is wrongly indented; empty for others."""
    for pattern, reason in _MISTAKES:
        if found := re.match(pattern, line, re.IGNORECASE):
            return reason.format(*found.groups(), end=found.end(), code=ord(found[0][-1]))
    if not (line[:1].isspace() and isinstance(error, UnknownType)):
        return ""
    owner, rdtype = written_in(line.lstrip())
    if not rdtype or is_unknown(rdtype) or not _TELLABLE.fullmatch(owner):
        return ""
    return f"a line that begins with a space has the owner name of the record before it: write {owner} without the space"


def _reason_against(error: Exception, line: str, rdtype: str, value: str) -> str:
    reason = str(error)
    if isinstance(error, UnknownType):
        return _reason_against_type(reason)
    if isinstance(error, InvalidLine):
        return reason
    if isinstance(error, InvalidValue) and value:
        return f"{quoted(value)} is not a value of type {rdtype}: {printable_part(reason)}"
    words = translated(reason)
    if isinstance(error, InvalidRdata) or words == reason:
        return printable_part(reason)
    return words if rdtype or line.startswith("$") else "it has no type"


def _reason_against_type(word: str) -> str:
    if not _TELLABLE.fullmatch(word):
        return "there is no known record type where one belongs"
    if _LIKE_A_TTL.fullmatch(word):
        return f"{word} is neither a TTL, such as 300 or 1h30m, nor a known record type"
    unknown, mnemonic = f"{word} is not a known record type", word.upper()
    if mnemonic in ("DKIM", "DMARC"):
        return f"{unknown}: write TXT"
    if not _MNEMONIC.fullmatch(mnemonic) or re.match("TYPE[0-9]", mnemonic):
        return unknown
    return slip_in(mnemonic) or (
        f"{unknown}: if the service has it, write the whole line, as in 'www 300 IN {mnemonic} ...'"
    )
