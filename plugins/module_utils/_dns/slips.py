# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Typos, and the words probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

LIKE = 0.75
"""Least similarity (difflib's ratio) of a suggestion."""

LONGEST = 100
"""Most characters compared; known words are shorter."""


def meant(word: str, known: Iterable[str]) -> str | None:
    """The *known* word most like *word*; None below LIKE."""
    ratios = {other: SequenceMatcher(None, word[:LONGEST], other).ratio() for other in known}
    near = max(ratios, key=ratios.__getitem__, default="")
    return near if near and ratios[near] >= LIKE else None


def is_one_slip(word: str, other: str) -> bool:
    """Whether one extra, missing, wrong or swapped letter separates them."""
    if word == other:
        return False
    shorter = min(len(word), len(other))
    at = next((at for at in range(shorter) if word[at] != other[at]), shorter)
    ours, theirs = word[at:], other[at:]
    return ours == theirs[1:] or theirs in (ours[1:], theirs[:1] + ours[1:], ours[1::-1] + ours[2:])


def question(word: str, known: Iterable[str]) -> str:
    """A suggestion with a leading space, or nothing."""
    near = meant(word, known)
    return f" (did you mean {near}?)" if near else ""
