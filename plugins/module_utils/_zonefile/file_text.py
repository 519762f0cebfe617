# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The text of zone files, and checks for other content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from .._dns.names import InvalidInput
from .._dns.printable import printable_part
from .._dns.record_set import Key

BYTE_ORDER_MARK = "\ufeff"

PIECES = re.compile(
    r'"(?:\\(?:\r\n|.)|[^"\\\r\n])*("?)|;[^\r\n]*|\\(?:\r\n|.)|[()]|\r\n|\r|\n', re.DOTALL
)
"""Tokens that decide where logical lines end (RFC 1035, section 5.1). The group is a string's closing quote."""

_UNDECODED = re.compile("[\ud800-\udfff]")  # how Python and Ansible decode bytes that are not UTF-8
_OF_BYTES = range(0xDC80, 0xDD00)  # PEP 383
_UTF_16 = re.compile(r"(?:\udcff\udcfe|\udcfe\udcff|(?:[^\0]\0|\0[^\0]){4})")
TEMPLATE = re.compile(r"^(?![ \t]*;).*(?:\{\{[^{}\n]*\}\}|\{%[^%\n]*%\})", re.MULTILINE)
NO_TEMPLATE = (
    "a zone file is not a template: use records, with the filter from_zone_file and lookup('ansible.builtin.template', "
    "...)"
)
_FIELD = r"""(?:"[^"\n]*"|[A-Z0-9_]*)"""
_OTHER_KINDS = {
    "a web page": r"\s*<(?:!doctype|html|head|body|\?xml)\b",
    "JSON": r"\s*(?:\{\s*[\"}]|\[\s*[\"{\[\]])",
    "CSV": rf"""(?=[A-Z0-9_"]){_FIELD}(?:([,;]){_FIELD})(?:\1{_FIELD})+\r?$""",
    "the configuration of a name server": (
        r"(?:\s|(?://|#)[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
        r"(?:acl|controls|key|logging|options|server|view|zone)\b[^\n;]*\{\s*$"
    ),
    "YAML": r"(?:[ \t\r]*(?:#[^\n]*)?\n)*(?:---\s*$|- +[A-Z_]+:(?: |\r?$)|[A-Z_]+:(?: +[^\s;]+)?\s*$)",
}
"""Formats often mistaken for zone files, by how they start."""
_RECORDS = "lines such as 'www 300 IN A 192.0.2.1' belong there, as name servers and to_zone_file write them"


class InvalidZoneFile(InvalidInput):
    """An unusable zone file or record. The message names the line or record."""


class Source(NamedTuple):
    """A text with records, and its name in errors."""

    place: str
    text: str


class Where(NamedTuple):
    """A line number, and the file's name in errors."""

    place: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line} of {self.place}"


class FileRecord(NamedTuple):
    """One record of a file."""

    place: str
    line: int
    key: Key
    value: str
    """Canonical; empty for records that sign the zone."""
    ttl: int
    """From its line or an earlier one."""
    counts: int
    """The TTL that BIND uses for the whole set."""
    origin: str
    default_ttl: int | None
    """Used by records without a TTL; None if they take the previous record's."""
    is_generated: bool

    @property
    def where(self) -> Where:
        return Where(self.place, self.line)


@dataclass(slots=True)
class FileSet:
    """A record set of a zone's files, whose parts count from 1. *values* are canonical, *ttl* is in seconds."""

    first: FileRecord
    part: int
    ttl: int
    values: dict[str, None]


def decoded(content: bytes) -> str:
    """Decode a file. Each byte that is not UTF-8 becomes a lone surrogate (PEP 383)."""
    return content.decode("utf-8", "surrogateescape")


def reason_against_text(text: str) -> str:
    """Explain in a clause why a text is no zone file; empty if it may be one. Comments may contain anything."""
    if _UTF_16.match(text):
        return "it is UTF-16 text: convert it with 'iconv -f utf-16 -t utf-8'"
    for kind, pattern in _OTHER_KINDS.items():
        if re.match(pattern, text, re.IGNORECASE | re.MULTILINE):
            return f"it is {kind}, not a zone file: {_RECORDS}"
    if not _UNDECODED.search(text):
        return ""
    plain = PIECES.sub(lambda found: " " * len(found[0]) if found[0][0] == ";" else found[0], text)
    if not (undecoded := _UNDECODED.search(plain)):
        return ""
    before, code = plain[: undecoded.start()], ord(undecoded[0])
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    where = f"line {line} is not UTF-8 text: its character {column} is"
    if code not in _OF_BYTES:
        return f"{where} incomplete"
    shown = printable_part(bytes([code & 0xFF]).decode("windows-1252", "replace"))
    return (
        f"{where} the byte 0x{code & 0xFF:02X}, which is {shown} in windows-1252: convert it with "
        "'iconv -f windows-1252 -t utf-8'"
    )
