# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Expands ``$GENERATE`` as BIND does (BIND 9 Administrator Reference Manual); no RFC defines it.

dnspython supports fewer forms, and its versions differ.
"""

from __future__ import annotations

import re

from .._dns.rdata import InvalidRdata

MAX_IN_RANGE = 2**31 - 1  # as for BIND
MAX_WIDTH = 127  # as for BIND

_RANGE = re.compile("([0-9]{1,10})-([0-9]{1,10})(?:/([0-9]{1,10}))?")
_PLACE = re.compile(
    r"\\.|\$\$|\$(?:\{(?P<offset>[+-]?[0-9]{1,10})(?:,(?P<width>[0-9]{1,3})(?:,(?P<base>[doxX]))?)?\})?"
)


def numbers_of(word: str) -> range:
    """Return the numbers of the range after ``$GENERATE``. Raises InvalidRdata."""
    found = _RANGE.fullmatch(word)
    if found:
        start, stop, step = map(int, found.groups("1"))
        if start <= stop <= MAX_IN_RANGE and step:
            return range(start, stop + 1, step)
    raise InvalidRdata(
        f"$GENERATE takes a range such as 1-9 or 1-9/2, with numbers up to {MAX_IN_RANGE}"
    )


def filled(text: str, number: int) -> str:
    """Return an owner name or a value with a number in its places. Raises InvalidRdata."""
    last = ""

    def made(place: re.Match[str]) -> str:
        nonlocal last
        if place[0].startswith("\\"):
            return place[0]
        if place[0] == "$$":
            return r"\$"  # a line that begins with $ would be a directive
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
        return _spelled(number + offset, int(place["width"] or 0), place["base"] or "d")

    return _PLACE.sub(made, text)


def _spelled(number: int, width: int, base: str) -> str:
    if not 0 <= number <= MAX_IN_RANGE:
        raise InvalidRdata(f"$GENERATE takes numbers from 0 to {MAX_IN_RANGE}")
    if width > MAX_WIDTH:
        raise InvalidRdata(f"$GENERATE takes a width of at most {MAX_WIDTH}")
    return format(number, base).zfill(width)
