# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Slips of the keyboard: which of the known words is meant by one that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

LIKE = 0.75
"""How like two words are at least (difflib's ratio) for one to be taken for the other."""

LONGEST = 100
"""Letters that are compared; no known word has as many."""


def meant(word: str, known: Iterable[str]) -> str | None:
    """The *known* word that a *word* is most like, the first of several; none where they are less than LIKE."""
    ratios = {other: SequenceMatcher(None, word[:LONGEST], other).ratio() for other in known}
    near = max(ratios, key=ratios.__getitem__, default="")
    return near if near and ratios[near] >= LIKE else None


def is_one_slip(word: str, other: str) -> bool:
    """Whether one letter too many, too few or another, or two that have changed places, makes one of the other."""
    if word == other:
        return False
    shorter = min(len(word), len(other))
    at = next((at for at in range(shorter) if word[at] != other[at]), shorter)
    ours, theirs = word[at:], other[at:]
    return ours == theirs[1:] or theirs in (ours[1:], theirs[:1] + ours[1:], ours[1::-1] + ours[2:])


def question(word: str, known: Iterable[str]) -> str:
    """What a message asks behind an unknown *word*, with a space before it; nothing where none is near."""
    near = meant(word, known)
    return f" (did you mean {near}?)" if near else ""
