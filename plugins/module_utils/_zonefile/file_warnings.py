# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Warns about zone files that mean less than they seem to, or something else."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._dns.octal import may_be_octal, octal_in_words
from .._dns.printable import SHOWN_CLAUSES, printable_part, some_names
from .._dns.rdata import as_read
from .._dns.record_set import Key
from .file_text import FileRecord, FileSet, Where
from .mistakes import NO_TEMPLATE, TEMPLATE

AUTOMATIC_TTL = 1
"""The TTL that Cloudflare exports for "automatic". Its other TTLs are at least 30."""

_CLOUDFLARE = re.compile(r"\bcf-proxied:(true|false)\b")
_MARKS = {
    "proxied": (
        "cf-proxied:true, so Cloudflare hid these addresses behind its own: this service publishes them"
    ),
    "template": f"{{{{ }}}} or {{% %}}, which is kept as it is: {NO_TEMPLATE}",
}
"""Lines that another program would treat differently."""
_ESCAPE = re.compile(r"\\([0-9]{3}|[^0-9])")
_NEVER_ESCAPED = re.compile("[0-9A-Za-z]")
_QUOTES = (
    "put the whole value in quotes",
    'write the whole value as "\\"...\\""',  # BIND then reads it as if on a line of its own
)
_TAG = re.compile(r"\s*[A-Za-z][A-Za-z0-9_-]*\s*=\s*\S")
_ITEM = re.compile(r"[A-Za-z0-9/.:-]*[0-9]")
_CUT_OFF = {"CAA": _TAG, "SPF": _TAG, "TXT": _TAG, "HTTPS": _ITEM, "SVCB": _ITEM}
"""Text after an unquoted ; that is probably no comment."""

_SHOWN_LINES = 5
"""Most other lines with a differing TTL that a warning names."""


@dataclass
class FileWarnings:
    """Collects *warnings* about a zone's files, which they call *place*."""

    place: str
    warnings: list[str]
    _is_of_cloudflare: bool = False
    _marked: Counter[str] = field(default_factory=Counter)
    """Lines with each of _MARKS."""
    _escapes: dict[Callable[[str], str], dict[Where, str]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """Words with odd escapes, by what explains them."""

    def see_text(self, text: str) -> None:
        """Count the lines with comments of Cloudflare, or with templates."""
        if "cf-proxied:" in text:
            for line in text.split("\n"):
                self._see_comment(line.partition(";")[2])
        self._marked["template"] += len(TEMPLATE.findall(text))

    def _see_comment(self, comment: str) -> None:
        states = _CLOUDFLARE.findall(comment)
        if not states:
            return
        self._is_of_cloudflare = True
        if "true" in states:
            self._marked["proxied"] += 1

    def see_word(self, word: str, where: Where, *, is_name: bool) -> None:
        """Note a word that escapes letters, or whose escapes look octal although DNS has decimal ones."""
        if any(map(_NEVER_ESCAPED.match, filter(str.isalpha, _ESCAPE.findall(word)))):
            self._escapes[_letter_in_words].setdefault(where, word)
        if may_be_octal(word, is_name=is_name):
            self._escapes[octal_in_words].setdefault(where, word)

    def see_value(self, record: FileRecord, rdata: Any, zone: str) -> None:
        """Warn if an unquoted value loses its end to a comment, or its blanks (RFC 1035, section 5.1)."""
        if (key := record.key).type not in _CUT_OFF:
            return
        subject, how = (
            f"{record.where}, {printable_part(' '.join(key))}",
            _QUOTES[record.is_generated],
        )
        if _CUT_OFF[key.type].match(rdata.rdcomment or ""):
            how = "write a comma in its place" if _CUT_OFF[key.type] is _ITEM else how
            self.warnings.append(
                f"{subject}: its value is {printable_part(rdata.to_text())}, because what follows the ; is a comment: "
                f"{how} if it belongs to the value"
            )
        if key.type in ("SPF", "TXT") and len(rdata.strings) > 1:
            joined = as_read(key.type, rdata.to_text(), zone)
            self.warnings.append(
                f"{subject}: its strings are joined without spaces, {printable_part(joined)}: {how} if you want the "
                "spaces"
            )

    def add_of_whole(self, records: Sequence[FileRecord], sets: Mapping[Key, FileSet]) -> None:
        """Add the warnings that need all records, or all *sets*."""
        if not records:
            self.warnings.append(f"{self.place} holds no records")
        signing = Counter(record.key.type for record in records if not record.value)
        if signing:
            types = ", ".join(f"{number} {rdtype}" for rdtype, number in sorted(signing.items()))
            self.warnings.append(
                f"the records of {self.place} that sign the zone are left out ({types}): whoever signs it creates "
                "them anew"
            )
        self._add_of_ttls(records, sets)
        for mark, count in (+self._marked).items():
            self.warnings.append(f"{_counted(count, 'line')} of {self.place} had {_MARKS[mark]}")
        for in_words, found in self._escapes.items():
            (where, word), *others = found.items()
            also = f" ({_counted(len(others), 'more line')} with such escapes)" if others else ""
            self.warnings.append(f"{where}: {in_words(word)}{also}")

    def _add_of_ttls(self, records: Sequence[FileRecord], sets: Mapping[Key, FileSet]) -> None:
        torn = {one.key for one in records if one.key in sets and one.ttl != sets[one.key].ttl}
        several = [key for key in sets if key in torn]
        for key in several[:SHOWN_CLAUSES]:
            counts, of_set = sets[key].ttl, [record for record in records if record.key == key]
            where = next(record.where for record in of_set if record.ttl == counts)
            others = dict.fromkeys(
                f"{record.ttl} of {record.where}" for record in of_set if record.ttl != counts
            )
            self.warnings.append(
                f"{where}, {printable_part(' '.join(key))}: a set has one TTL (RFC 2181, section 5.2), so the "
                f"{counts} there counts, not the {some_names([*others], _SHOWN_LINES)}"
            )
        if (rest := len(several) - SHOWN_CLAUSES) > 0:
            self.warnings.append(f"{_counted(rest, 'more set')} of {self.place} had several TTLs")

    def replace_automatic_ttl(self, sets: Collection[FileSet], ttl: int) -> None:
        """Replace Cloudflare's automatic TTL with *ttl* (seconds) and warn."""
        automatic = [one for one in sets if one.ttl == AUTOMATIC_TTL]
        is_meant = self._is_of_cloudflare or len(automatic) == len(sets)
        if not automatic or not is_meant or ttl == AUTOMATIC_TTL:
            return
        for one in automatic:
            one.ttl = ttl
        some = "1 TTL is" if len(automatic) == 1 else f"{len(automatic)} TTLs are"
        which = "all TTLs are" if len(automatic) == len(sets) else some
        self.warnings.append(
            f"in {self.place} {which} {AUTOMATIC_TTL}, which Cloudflare exports for automatic: {ttl} is used instead, "
            "so set ttl if you want another"
        )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _letter_in_words(word: str) -> str:
    return (
        f"a backslash in {printable_part(word)} comes before a letter and means nothing there: write \\\\ for a "
        "backslash"
    )
