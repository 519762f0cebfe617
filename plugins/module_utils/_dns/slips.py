# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Typos, and the words probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from .printable import printable

LIKE = 0.75
"""Least similarity (difflib's ratio) of a suggestion."""

LIKE_ZONES = 0.85
"""The same for names of zones, which often end alike."""

MOST_ZONES = 10_000
"""Most names compared."""

LONGEST = 100
"""Most characters compared; known words are shorter."""


def meant(word: str, known: Iterable[str]) -> str:
    """Return the one or two *known* words most like *word*; empty if none is as like as LIKE."""
    return " or ".join(get_close_matches(word[:LONGEST], known, 2, LIKE))


def question(word: str, known: Iterable[str]) -> str:
    """A suggestion with a leading space, or nothing."""
    near = meant(word, known)
    return f" (did you mean {near}?)" if near else ""


def zone_hint(zone: str, known: Sequence[str]) -> str:
    """What may be wrong with the name of a zone that is not among the *known* ones, as a clause."""
    near = get_close_matches(zone, known[:MOST_ZONES], 3, LIKE_ZONES)
    if near:
        names = " or ".join(printable(name.rstrip(".")) for name in near)
        return f"did you mean {names}?"
    return "check its name"
