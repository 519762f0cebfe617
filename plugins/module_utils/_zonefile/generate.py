# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Expands ``$GENERATE`` as BIND does (BIND 9 Administrator Reference Manual); no RFC defines it.

dnspython supports fewer forms, and its versions differ.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .._dns.rdata import InvalidRdata

MAX_IN_RANGE = 2**31 - 1  # as for BIND
MAX_WIDTH = 127  # as for BIND

_RANGE = re.compile(r"([0-9]+)-([0-9]+)(?:/([0-9]+))?")
_PLACE = re.compile(
    r"\\.|\$\$|\$(?:\{(?P<offset>[+-]?[0-9]{1,10})(?:,(?P<width>[0-9]+)(?:,(?P<base>[doxXnN]))?)?\})?"
)
_ESCAPED = re.compile(r"\\(.)")


class Template(NamedTuple):
    """A parsed ``$GENERATE`` line."""

    numbers: range
    owner: str
    rdtype: str
    value: str

    @property
    def most_characters(self) -> int:
        """An upper limit for the characters: the first or last number is the longest. Raises InvalidRdata."""
        first = sum(map(len, self.filled(self.numbers[0])))
        last = sum(map(len, self.filled(self.numbers[-1])))
        return len(self.numbers) * max(first, last)

    def filled(self, number: int) -> tuple[str, str]:
        """Return owner and value for a number, as in a zone file. Raises InvalidRdata."""
        return _filled(self.owner, number), _filled(self.value, number)


def template(words: list[str], *, ends_in_quotes: bool) -> Template:
    """Parse the *words* after ``$GENERATE``, without TTL and class: range, owner, type, value.

    Quotes around the value only group its words. Raises InvalidRdata.
    """
    numbers = _range(words[0] if words else "")
    if len(words) != 4:
        raise InvalidRdata(
            "$GENERATE takes a range, a name, a type and a value, as in '$GENERATE 1-9 h$ A "
            "192.0.2.$': put a value of several words in quotes"
        )
    _range_word, owner, rdtype, value = words
    if ends_in_quotes:
        value = _ESCAPED.sub(_without_escape_of_quote, value)
    return Template(numbers, owner, rdtype, value)


def _without_escape_of_quote(found: re.Match[str]) -> str:
    return '"' if found[1] == '"' else found[0]


def _range(word: str) -> range:
    found = _RANGE.fullmatch(word)
    if found:
        start, stop, step = map(_number, found.groups("1"))
        if start <= stop and step:
            return range(start, stop + 1, step)
    raise InvalidRdata("$GENERATE takes a range such as 1-9 or 1-9/2")


def _number(digits: str) -> int:
    """Raises InvalidRdata."""
    digits = digits.lstrip("0") or "0"
    is_long = len(digits) > len(str(MAX_IN_RANGE))  # Python reads no thousands of digits
    if is_long or int(digits) > MAX_IN_RANGE:
        raise InvalidRdata(f"$GENERATE takes numbers up to {MAX_IN_RANGE}")
    return int(digits)


def _filled(text: str, number: int) -> str:
    last = ""

    def made(place: re.Match[str]) -> str:
        nonlocal last
        if place[0].startswith("\\"):
            return place[0]
        if place[0] == "$$":
            return "$"
        if place["offset"] is None:
            if text.startswith("{", place.end()):
                raise InvalidRdata(
                    "after the $ of $GENERATE comes {offset}, {offset,width} or {offset,width,base}"
                )
            if last:
                raise InvalidRdata(
                    f"for BIND, a $ after ${{{last}}} has its offset too: write ${{0}}, or "
                    f"${{{last}}} again"
                )
        offset = int(place["offset"] or 0)
        last = ""
        if offset:
            last = place["offset"]
        width = _number(place["width"] or "0")
        return _spelled(number + offset, width, place["base"] or "d")

    return _PLACE.sub(made, text)


def _spelled(number: int, width: int, base: str) -> str:
    if not -MAX_IN_RANGE <= number <= MAX_IN_RANGE:
        raise InvalidRdata(f"$GENERATE takes numbers up to {MAX_IN_RANGE}")
    if width > MAX_WIDTH:
        raise InvalidRdata(f"$GENERATE takes a width of at most {MAX_WIDTH}")
    if base == "d":
        return str(number).zfill(width)
    number %= 2**32
    if base in "oxX":
        return format(number, base).zfill(width)
    # Like names in reverse zones (RFC 3596, section 2.5); the dots count towards the width.
    nibbles = format(number, "x" if base == "n" else "X").zfill((width + 1) // 2)
    text = ".".join(reversed(nibbles))
    if len(nibbles) * 2 == width:
        text += "."
    return text
