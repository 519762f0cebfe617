# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names whose escapes are decimal, as DNS has them, but may be meant as octal, as Route 53 has them."""

from __future__ import annotations

import re
from collections.abc import Collection

from .printable import printable_part

_ESCAPE = re.compile(r"\\([0-9]{3}|[^0-9])")
_OCTAL = re.compile("[0-3][0-7]{2}")
_MEANT = ("042", "046")
"""In decimal, an asterisk and a dot, which people escape in names; in octal, a double quote and an ampersand."""
_NEVER_ESCAPED = re.compile("[0-9A-Za-z]")


def may_be_octal(word: str, *, is_name: bool) -> bool:
    """Whether a word escapes letters in decimal, or is a name whose escapes could all be octal."""
    numbers = [code for code in _ESCAPE.findall(word) if len(code) == 3]
    for number in numbers:
        if _NEVER_ESCAPED.match(chr(int(number))):
            return True
    return is_name and bool(numbers) and all(map(_is_octal, numbers))


def octal_in_words(word: str) -> str:
    """Tell both readings of a word with escapes, for the person who wrote it."""
    readings = _both_readings(word, "write what they stand for:")
    return f"the escapes of {printable_part(word)} are {readings}"


def shown_octal_in_words(names: Collection[str]) -> str:
    """Tell both readings of the first of some *names* that a service shows; empty if there are none."""
    if not names:
        return ""
    first = min(names)
    others = len(names) - 1
    counted = "1 more name" if others == 1 else f"{others} more names"
    more = f" ({counted} with such escapes)" if others else ""
    readings = _both_readings(first, "it is")
    return (
        f"the service shows {printable_part(first)}, whose escapes are {readings}, "
        f"so it is not pruned: change it at the service{more}"
    )


def _both_readings(word: str, octal: str) -> str:
    decimal = printable_part(_read(word, 10))
    return (
        f"decimal (RFC 1035, section 5.1), which makes it {decimal}; "
        f"if they are octal, as Route 53 shows them, {octal} {printable_part(_read(word, 8))}"
    )


def _is_octal(number: str) -> bool:
    if not _OCTAL.fullmatch(number) or number in _MEANT:
        return False
    return " " <= chr(int(number, 8)) <= "~"


def _read(word: str, base: int) -> str:
    """Decode a word's escapes in this *base*, if they are such numbers."""

    def character(found: re.Match[str]) -> str:
        code = found[1]
        if len(code) < 3 or (base == 8 and not _OCTAL.fullmatch(code)):
            return found[0]
        return chr(int(code, base))

    return _ESCAPE.sub(character, word)
