# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Warns about zone files that mean less than they seem to, or something else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._dns.printable import printable_part, some_warnings
from .._dns.rdata import as_read
from .._dns.record_set import Key
from .file_text import FileRecord, FileSet

AUTOMATIC_TTL = 1
"""The TTL that Cloudflare exports for "automatic". Its other TTLs are at least 30."""

_CLOUDFLARE = re.compile(r"^[^;\n]*;.*\bcf-proxied:(true|false)\b", re.MULTILINE)
_PROXIED = (
    "cf-proxied:true, so Cloudflare hid these addresses behind its own: this service publishes them"
)

_TEMPLATE = re.compile(r"^(?![ \t]*;).*(?:\{\{[^{}\n]*\}\}|\{%[^%\n]*%\})", re.MULTILINE)
_OF_TEMPLATE = "{{ }} or {% %}, which is kept as it is: a zone file is not a template"

_QUOTES = "put the whole value in quotes"
_TAG = re.compile(r"\s*[A-Za-z][A-Za-z0-9_-]*\s*=\s*\S")
"""Text after an unquoted ; that is probably no comment."""


@dataclass
class FileWarnings:
    """Collects *warnings* about a zone's files, which they call *place*."""

    place: str
    warnings: list[str]
    _is_of_cloudflare: bool = False
    _proxied: int = 0
    _templates: int = 0

    def see_text(self, text: str) -> None:
        """Count the lines with comments of Cloudflare, or with templates."""
        self._templates += len(_TEMPLATE.findall(text))
        states = _CLOUDFLARE.findall(text)
        self._is_of_cloudflare |= bool(states)
        self._proxied += states.count("true")

    def see_value(self, record: FileRecord, rdata: Any, zone: str) -> None:
        """Warn if an unquoted value loses its end to a comment, or its blanks (RFC 1035, section 5.1)."""
        rdtype = record.key.type
        if rdtype not in ("CAA", "SPF", "TXT"):
            return
        subject = f"{record.where}, {record.key}"
        text = rdata.to_text()
        if _TAG.match(rdata.rdcomment or ""):
            self.warnings.append(
                f"{subject}: its value is {printable_part(text)}, because what follows the ; is a "
                f"comment: {_QUOTES} if it belongs to the value"
            )
        if rdtype != "CAA" and len(rdata.strings) > 1:
            joined = printable_part(as_read(rdtype, text, zone))
            self.warnings.append(
                f"{subject}: its strings are joined without spaces, {joined}: {_QUOTES} if you "
                "want the spaces"
            )

    def add_of_whole(self, records: Sequence[FileRecord], sets: Mapping[Key, FileSet]) -> None:
        """Add the warnings that need all records, or all *sets*."""
        if not records:
            self.warnings.append(f"{self.place} holds no records")
        self._add_of_signing(records)
        self._add_of_ttls(records, sets)
        if self._proxied:
            lines = _counted(self._proxied, "line")
            self.warnings.append(f"{lines} of {self.place} had {_PROXIED}")
        if self._templates:
            lines = _counted(self._templates, "line")
            self.warnings.append(f"{lines} of {self.place} had {_OF_TEMPLATE}")

    def _add_of_signing(self, records: Sequence[FileRecord]) -> None:
        signing = Counter(record.key.type for record in records if not record.value)
        if not signing:
            return
        counts = [f"{number} {rdtype}" for rdtype, number in sorted(signing.items())]
        types = ", ".join(counts)
        self.warnings.append(
            f"the records of {self.place} that sign the zone are left out ({types}): whoever signs "
            "it creates them anew"
        )

    def _add_of_ttls(self, records: Sequence[FileRecord], sets: Mapping[Key, FileSet]) -> None:
        """Warn of sets with several TTLs, each with the first line that has a higher one."""
        higher: dict[Key, str] = {}
        for record in records:
            one = sets.get(record.key)
            if one and record.ttl != one.ttl and record.key not in higher:
                higher[record.key] = (
                    f"{record.where}, {record.key}: a set has one TTL (RFC 2181, section 5.2), so "
                    f"the lowest, {one.ttl}, counts, not the {record.ttl} there"
                )
        self.warnings += some_warnings([*higher.values()], self.place)

    def replace_automatic_ttl(self, sets: Collection[FileSet], ttl: int) -> None:
        """Replace Cloudflare's automatic TTL with *ttl* (seconds) and warn."""
        automatic = [one for one in sets if one.ttl == AUTOMATIC_TTL]
        is_meant = self._is_of_cloudflare or len(automatic) == len(sets)
        if not automatic or not is_meant or ttl == AUTOMATIC_TTL:
            return
        for one in automatic:
            one.ttl = ttl
        self.warnings.append(
            f"{_counted(len(automatic), 'set')} of {self.place} had the TTL {AUTOMATIC_TTL}, which "
            f"Cloudflare exports for automatic: {ttl} is used instead, so set ttl if you want another"
        )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
