# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Warns about zone files that mean less than they seem to, or something else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._dns.octal import may_be_octal, octal_in_words
from .._dns.printable import SHOWN_CLAUSES, printable_part
from .._dns.rdata import as_read
from .._dns.record_set import Key
from .file_text import FileRecord, FileSet, Where
from .mistakes import NO_TEMPLATE, TEMPLATE

AUTOMATIC_TTL = 1
"""The TTL that Cloudflare exports for "automatic". Its other TTLs are at least 30."""

_CLOUDFLARE = re.compile(r"\bcf-proxied:(true|false)\b")
_PROXIED = (
    "cf-proxied:true, so Cloudflare hid these addresses behind its own: this service publishes them"
)
_OF_TEMPLATE = f"{{{{ }}}} or {{% %}}, which is kept as it is: {NO_TEMPLATE}"
_ESCAPED_LETTER = re.compile(r"\\[A-Za-z]")

_QUOTES = "put the whole value in quotes"
_QUOTES_IN_GENERATE = 'write the whole value as "\\"...\\""'  # BIND then reads it like a line
_TAG = re.compile(r"\s*[A-Za-z][A-Za-z0-9_-]*\s*=\s*\S")
_ITEM = re.compile(r"[A-Za-z0-9/.:-]*[0-9]")
_CUT_OFF = {"CAA": _TAG, "SPF": _TAG, "TXT": _TAG, "HTTPS": _ITEM, "SVCB": _ITEM}
"""Text after an unquoted ; that is probably no comment."""


@dataclass
class FileWarnings:
    """Collects *warnings* about a zone's files, which they call *place*."""

    place: str
    warnings: list[str]
    _is_of_cloudflare: bool = False
    _marked: Counter[str] = field(default_factory=Counter)
    """Lines that another program would treat differently, by what they have."""
    _letters: dict[Where, str] = field(default_factory=dict)
    """Words that escape letters."""
    _octal: dict[Where, str] = field(default_factory=dict)
    """Words whose escapes look octal."""

    def see_text(self, text: str) -> None:
        """Count the lines with comments of Cloudflare, or with templates."""
        if "cf-proxied:" in text:
            for line in text.split("\n"):
                self._see_comment(line.partition(";")[2])
        self._marked[_OF_TEMPLATE] += len(TEMPLATE.findall(text))

    def _see_comment(self, comment: str) -> None:
        states = _CLOUDFLARE.findall(comment)
        if states:
            self._is_of_cloudflare = True
        if "true" in states:
            self._marked[_PROXIED] += 1

    def see_word(self, word: str, where: Where, *, is_name: bool) -> None:
        """Note a word that escapes letters, or whose escapes look octal although DNS has decimal ones."""
        if _ESCAPED_LETTER.search(word.replace("\\\\", "")):
            self._letters.setdefault(where, word)
        if may_be_octal(word, is_name=is_name):
            self._octal.setdefault(where, word)

    def see_value(self, record: FileRecord, rdata: Any, zone: str) -> None:
        """Warn if an unquoted value loses its end to a comment, or its blanks (RFC 1035, section 5.1)."""
        rdtype = record.key.type
        pattern = _CUT_OFF.get(rdtype)
        if not pattern:
            return
        subject = _subject(record)
        quotes = _QUOTES
        if record.is_generated:
            quotes = _QUOTES_IN_GENERATE
        text = rdata.to_text()
        if pattern.match(rdata.rdcomment or ""):
            how = "write a comma in its place" if pattern is _ITEM else quotes
            self.warnings.append(
                f"{subject}: its value is {printable_part(text)}, because what follows the ; is a "
                f"comment: {how} if it belongs to the value"
            )
        if rdtype in ("SPF", "TXT") and len(rdata.strings) > 1:
            joined = printable_part(as_read(rdtype, text, zone))
            self.warnings.append(
                f"{subject}: its strings are joined without spaces, {joined}: {quotes} if you "
                "want the spaces"
            )

    def add_of_whole(self, records: Sequence[FileRecord], sets: Mapping[Key, FileSet]) -> None:
        """Add the warnings that need all records, or all *sets*."""
        if not records:
            self.warnings.append(f"{self.place} holds no records")
        self._add_of_signing(records)
        self._add_of_ttls(records, sets)
        for mark, count in self._marked.items():
            if count:
                self.warnings.append(f"{_counted(count, 'line')} of {self.place} had {mark}")
        self._add_of_words(self._letters, _letter_in_words)
        self._add_of_words(self._octal, octal_in_words)

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

    def _add_of_words(self, found: Mapping[Where, str], in_words: Callable[[str], str]) -> None:
        if not found:
            return
        (where, word), *others = found.items()
        warning = f"{where}: {in_words(word)}"
        if others:
            warning += f" ({_counted(len(others), 'more line')} with such escapes)"
        self.warnings.append(warning)

    def _add_of_ttls(self, records: Sequence[FileRecord], sets: Mapping[Key, FileSet]) -> None:
        """Warn of sets with several TTLs, each with the first line that has a higher one."""
        higher: dict[Key, FileRecord] = {}
        for record in records:
            one = sets.get(record.key)
            if one and record.ttl != one.ttl:
                higher.setdefault(record.key, record)
        shown = [*higher.values()][:SHOWN_CLAUSES]
        for record in shown:
            subject = _subject(record)
            lowest = sets[record.key].ttl
            self.warnings.append(
                f"{subject}: a set has one TTL (RFC 2181, section 5.2), so the lowest, {lowest}, "
                f"counts, not the {record.ttl} there"
            )
        rest = len(higher) - SHOWN_CLAUSES
        if rest > 0:
            self.warnings.append(f"{_counted(rest, 'more set')} of {self.place} had several TTLs")

    def replace_automatic_ttl(self, sets: Collection[FileSet], ttl: int) -> None:
        """Replace Cloudflare's automatic TTL with *ttl* (seconds) and warn."""
        automatic = [one for one in sets if one.ttl == AUTOMATIC_TTL]
        are_all = len(automatic) == len(sets)
        is_meant = self._is_of_cloudflare or are_all
        if not automatic or not is_meant or ttl == AUTOMATIC_TTL:
            return
        for one in automatic:
            one.ttl = ttl
        some = "1 TTL is" if len(automatic) == 1 else f"{len(automatic)} TTLs are"
        which = "all TTLs are" if are_all else some
        self.warnings.append(
            f"in {self.place} {which} {AUTOMATIC_TTL}, which Cloudflare exports for automatic: "
            f"{ttl} is used instead, so set ttl if you want another"
        )


def _subject(record: FileRecord) -> str:
    return f"{record.where}, {printable_part(' '.join(record.key))}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _letter_in_words(word: str) -> str:
    return (
        f"a backslash in {printable_part(word)} comes before a letter and means nothing there: "
        "write \\\\ for a backslash"
    )
