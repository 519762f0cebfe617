# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lines of a zone file that cannot be used: why, in a person's words, and all in one error."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.forms import reason_in_words, translated
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given_types import slip_in
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.opaque import InvalidZoneFile, without_comment
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata, canonical, is_unknown
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import lacks_preference
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import SHOWN_CLAUSES, visible_part

MOST = 1000
"""Bad lines after which nobody reads on: the file is of another kind."""

NO_TTL = "the record has no TTL, and no $TTL stands before it: put $TTL 3600 into the first line, or set ttl"

OTHER_CLASS = "its class is another than IN"

_TOO_MANY_DIGITS = "Exceeds the limit"
"""What Python says of such a number."""

COMPILE = "named-compilezone -i local -k ignore -o"
"""The command of BIND that makes one zone file of several; what follows are the new file, the zone, and the first."""

_UNKNOWN_TYPE = re.compile(r"unknown rdatatype '(.*)'")
_MNEMONIC = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_NUMBERED = re.compile(r"TYPE[0-9]+", re.IGNORECASE)
_DIRECTIVE = re.compile(r"zone file directive '(.*)' is not allowed")
_CLASS = "RR class is not zone's class"


class TooManyRecords(InvalidRdata):
    """More records than a file can have: what follows would be too many too."""


class LineReader(Protocol):
    """What reads a file up to the next line that cannot be used."""

    @property
    def record_line(self) -> int:
        """The number of the line at which the record began that was read last."""

    @property
    def refusal(self) -> str | None:
        """What the reading itself has against that line."""

    def error(self) -> Exception | None:
        """Read on; what is wrong with the line at which that ends, none at the end of the file."""

    def goes_on(self, line: str, reason: str) -> bool:
        """Leave a *line* that was refused; whether what follows it still means what it says."""


@dataclass
class BadLines:
    """What cannot be used of a file that an error calls *place*."""

    place: str
    count: int = 0
    ended_at: int = 0
    """The line after which nobody can tell where the next one begins."""
    _told: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, reason: str) -> None:
        """Take one more."""
        self.count += 1
        if self.count <= SHOWN_CLAUSES:
            self._told.append((line, reason))

    @property
    def error(self) -> InvalidZoneFile:
        """All of them in one sentence."""
        if self.count == 1:
            ((line, reason),) = self._told
            return InvalidZoneFile(f"line {line} of {self.place} cannot be used, {reason}")
        told = [f"line {line}, {reason}" for line, reason in self._told]
        if self.count > SHOWN_CLAUSES:
            told.append(f"and {self.count - SHOWN_CLAUSES} more")
        if self.ended_at:
            told.append(f"what follows line {self.ended_at} was not read")
        return InvalidZoneFile(f"{self.count} lines of {self.place} cannot be used: {'; '.join(told)}")


def refuse_bad_lines(reader: LineReader, text: str, zone: str, place: str) -> None:
    """Read a file with this *text* to its end, past all that cannot be used. Raises InvalidZoneFile."""
    bad_lines, lines = BadLines(place), list[str]()
    while error := reader.error():
        lines = lines or text.split("\n")
        number = reader.record_line
        line = lines[number - 1]
        reason = reader.refusal or _reason_against(error, line, zone)
        bad_lines.add(number, reason)
        if isinstance(error, TooManyRecords) or bad_lines.count == MOST or not reader.goes_on(line, reason):
            bad_lines.ended_at = number if number < len(lines) else 0
            break
    if bad_lines.count:
        raise bad_lines.error


def _reason_against(error: Exception, line: str, zone: str) -> str:
    """Why a line cannot be used, in one clause; *error* is what reading it ended with, *zone* is canonical."""
    reason = re.sub(r"^<string>:[0-9]+: ", "", str(error))
    if reason == "Missing default TTL value":
        return NO_TTL
    if reason.startswith(_TOO_MANY_DIGITS):
        return "a number in it has thousands of digits"
    if reason == _CLASS:
        return OTHER_CLASS
    if directive := _DIRECTIVE.fullmatch(reason):
        return _reason_against_directive(directive[1], zone)
    if unknown := _UNKNOWN_TYPE.fullmatch(reason):
        return reason_against_type(unknown[1])
    words = translated(reason)
    if isinstance(error, InvalidRdata) or words == reason:
        return visible_part(reason)
    # An owner may be called like a type, and only a line that begins with white space has none.
    fields = without_comment(line).split()
    types = (at for at in range(0 if line[:1].isspace() else 1, len(fields)) if not is_unknown(fields[at].upper()))
    for at in types:
        rdtype, value = fields[at].upper(), " ".join(fields[at + 1 :])
        if "(" in line:
            return reason_in_words(rdtype, None, reason)
        try:
            if lacks_preference(rdtype, canonical(rdtype, value, zone)):
                return reason_in_words(rdtype, value, reason)
        except InvalidRdata as refusal:
            return visible_part(str(refusal))
        break
    return words


def _reason_against_directive(word: str, zone: str) -> str:
    if word != "$INCLUDE":
        return f"{visible_part(word)} is no directive that is known"
    name = visible_part(zone.rstrip("."))
    return f"$INCLUDE is not followed: read what '{COMPILE} {name}.zone {name} FILE' makes of all the files"


def reason_against_type(word: str) -> str:
    """Why a *word* of a zone file can be no type, in one clause."""
    refusal = f"{visible_part(word)} is no type of records that is known"
    if not _MNEMONIC.fullmatch(word) or _NUMBERED.fullmatch(word):
        return refusal
    return slip_in(word.upper()) or (
        f"{refusal}: write one of the service's own with all parts, as in 'www 300 IN {visible_part(word).upper()} ...'"
    )
