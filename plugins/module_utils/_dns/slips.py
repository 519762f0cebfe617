# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Slips of the keyboard: which of the known words is meant by one that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable

SHORT = 5
"""Letters; in a shorter word a second slip would leave nothing of what was meant."""


def meant(word: str, known: Iterable[str], most: int = 2) -> str | None:
    """The *known* word with the fewest slips to *word*, the first of several; none where they are more than *most*.

    A slip is a letter too much, one too few, another one, or two that have changed places (Damerau, 1964). Of words of
    fewer than SHORT letters only one is.
    """
    most = most if len(word) >= SHORT else 1
    near = [(slips, other) for other in known if (slips := _slips(word, other, most)) <= most]
    return min(near, key=lambda found: found[0])[1] if near else None


def question(word: str, known: Iterable[str]) -> str:
    """What a message asks behind an unknown *word*, with a space before it; nothing where none is near."""
    near = meant(word, known)
    return f" (did you mean {near}?)" if near else ""


def _slips(one: str, other: str, most: int) -> int:
    """How many slips lead from one to the other; some number above *most* where they are more."""
    if abs(len(one) - len(other)) > most:  # which bounds the work by the length of a known word
        return most + 1
    before: list[int] = []
    last: list[int] = [*range(len(other) + 1)]
    for at, letter in enumerate(one, 1):
        row = [at]
        for to, wanted in enumerate(other, 1):
            row.append(min(last[to] + 1, row[-1] + 1, last[to - 1] + (letter != wanted)))
            if at > 1 and to > 1 and one[at - 2 : at] == wanted + other[to - 2]:
                row[-1] = min(row[-1], before[to - 2] + 1)
        before, last = last, row
    return last[-1]
