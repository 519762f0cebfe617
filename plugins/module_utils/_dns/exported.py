# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What programs export as zone files and mean otherwise than RFC 1035 does, which a warning has to tell."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.included import Where
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part

AUTOMATIC_TTL = 1
"""The TTL that Cloudflare exports where it chooses one itself; no other of its TTLs is below 30."""

_CLOUDFLARE = re.compile(r";[^\n]*\bcf-proxied:(true|false)\b")
_ROUTE_53 = re.compile(r";[^\n]*\bAWS routing=")
_ESCAPE = re.compile(r"\\([0-9]{3}|[^0-9])")
_OCTAL = re.compile("[0-3][0-7]{2}")
_DOT = "046"  # in decimal, as mailboxes have it in them
_NEVER_ESCAPED = re.compile("[0-9A-Za-z]")


@dataclass
class Exported:
    """What has been seen of it in the files of a zone."""

    is_of_cloudflare: bool = False
    _proxied: int = 0
    _routed: int = 0
    _escapes: dict[Where, str] = field(default_factory=dict)
    _letters: dict[Where, str] = field(default_factory=dict)

    def see_text(self, text: str) -> None:
        """Count the lines of a file that Cloudflare marks as proxied, and those that Route 53 would choose from."""
        marks = _CLOUDFLARE.findall(text)
        self.is_of_cloudflare = self.is_of_cloudflare or bool(marks)
        self._proxied += marks.count("true")
        self._routed += len(_ROUTE_53.findall(text))

    def see_word(self, word: str, where: Where, *, is_name: bool) -> None:
        """Note a word with escapes of letters, or that are octal by the look of them, though DNS has them decimal."""
        every = _ESCAPE.findall(word)
        escapes = [found for found in every if found[0].isdigit()]
        if any(map(_NEVER_ESCAPED.match, set(every) - {*escapes})):
            self._letters.setdefault(where, word)
        if any(_NEVER_ESCAPED.match(chr(int(one))) for one in escapes) or (
            is_name and escapes and all(map(_may_be_octal, escapes))
        ):
            self._escapes.setdefault(where, word)

    def told(self, place: str) -> list[str]:
        """A warning for each kind of it; *place* is what errors call all the files."""
        told = []
        if self._proxied:
            told.append(
                f"{_lines(self._proxied)} of {place} had cf-proxied:true, so that Cloudflare answered with addresses "
                "of its own and hid these: this service answers with these as they are"
            )
        if self._routed:
            told.append(
                f"{_lines(self._routed)} of {place} had AWS routing, by which Route 53 chose among them: this service "
                "answers with all that are here"
            )
        if self._escapes:
            (where, word), *others = self._escapes.items()
            also = f", and so are those of {len(others)} more line{'s' * (len(others) > 1)}" if others else ""
            told.append(
                f"{where}: the escapes of {printable_part(word)} are decimal (RFC 1035, section 5.1), which makes it "
                f"{printable_part(_read(word, 10))}{also}; write what is meant where the file has octal ones, as "
                f"Route 53 shows them, which would make it {printable_part(_read(word, 8))}"
            )
        if self._letters:
            where, word = next(iter(self._letters.items()))
            told.append(
                f"{where}: a backslash in {printable_part(word)} stands before a letter, and means nothing there: "
                "write \\\\ where one is meant"
            )
        return told


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _may_be_octal(number: str) -> bool:
    return bool(_OCTAL.fullmatch(number)) and number != _DOT and " " <= chr(int(number, 8)) <= "~"


def _read(word: str, base: int) -> str:
    """A word with the characters that its escapes stand for; what is no number of that *base* stays as it is."""

    def character(found: re.Match[str]) -> str:
        is_number = found[1].isdigit() and (base == 10 or _OCTAL.fullmatch(found[1]))
        return chr(int(found[1], base)) if is_number else found[0]

    return _ESCAPE.sub(character, word)
