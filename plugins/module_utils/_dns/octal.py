# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names whose escapes are decimal, as DNS has them, but may be meant as octal, as Route 53 has them."""

from __future__ import annotations

import re
from collections.abc import Collection

from .printable import printable_part

_ESCAPE = re.compile(r"(?<!\\)\\([0-9]{3})")
_OCTAL = re.compile("[0-3][0-7]{2}")
_PRINTABLE = range(33, 127)
_MEANT = {"042", "046"}
"""In decimal, an asterisk and a dot, which people escape in names."""


def may_be_octal(word: str) -> bool:
    """Whether all escapes of a word may be octal, and one is printable in decimal, so that nobody needs it."""
    if "\\" not in word:
        return False
    codes = {*_ESCAPE.findall(word)} - _MEANT
    are_octal = all(map(_OCTAL.fullmatch, codes))
    return are_octal and any(int(code) in _PRINTABLE for code in codes)


def octal_in_words(word: str) -> str:
    """Tell both readings of a word with escapes, for the person who wrote it."""
    readings = _both_readings(word, "write what they stand for:")
    return f"the escapes of {printable_part(word)} are {readings}"


def shown_octal_in_words(names: Collection[str]) -> str:
    """Tell both readings of the first of some *names* that a service shows; empty if there are none."""
    if not names:
        return ""
    first = min(names)
    readings = _both_readings(first, "it is")
    warning = (
        f"the service shows {printable_part(first)}, whose escapes are {readings}, "
        "so it is not pruned: change it at the service"
    )
    others = len(names) - 1
    if others:
        warning += f" ({others} more with such escapes)"
    return warning


def _both_readings(word: str, octal: str) -> str:
    return (
        f"decimal (RFC 1035, section 5.1), which makes it {_read(word, 10)}; "
        f"if they are octal, as Route 53 shows them, {octal} {_read(word, 8)}"
    )


def _read(word: str, base: int) -> str:
    """Decode a word's escapes in this *base*, to show it."""
    return printable_part(_ESCAPE.sub(lambda found: chr(int(found[1], base)), word))
