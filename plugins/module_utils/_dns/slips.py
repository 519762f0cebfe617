# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Typos, and the words probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from .look_alikes import look_alikes, seen_as
from .printable import printable

LIKE = 0.75
"""Least similarity (difflib's ratio) of a suggestion."""

LIKE_ZONES = 0.6
"""The same for names of zones, without the labels at the end that both have."""

MOST_ZONES = 10_000
"""Most names compared."""

LONGEST = 100
"""Most characters compared; known words are shorter."""


def meant(word: str, known: Iterable[str]) -> str | None:
    """Return the *known* word most like *word*, of several the first; None if none is as like as LIKE."""
    matcher = SequenceMatcher(b=word[:LONGEST])
    ratios: dict[str, float] = {}
    for other in known:
        matcher.set_seq1(other)
        # These are upper limits of the ratio, which takes ten times as long.
        if matcher.real_quick_ratio() < LIKE or matcher.quick_ratio() < LIKE:
            continue
        ratio = matcher.ratio()
        if ratio >= LIKE:
            ratios[other] = ratio
    return max(ratios, key=ratios.__getitem__, default=None)


def question(word: str, known: Iterable[str]) -> str:
    """A suggestion with a leading space, or nothing."""
    near = meant(word, known)
    return f" (did you mean {near}?)" if near else ""


def zone_hint(zone: str, known: Sequence[str]) -> str:
    """What may be wrong with the name of a zone that is not among the *known* ones, as a clause."""
    near = near_zones(zone, known)
    if near:
        names = " or ".join(printable(name.rstrip(".")) for name in near)
        hint = f"did you mean {names}?"
    elif any(map(str.isalpha, zone)):
        hint = "check its name"
    else:
        hint = "write a reverse zone as in 2.0.192.in-addr.arpa"
    alike = look_alikes(zone)
    if alike:
        hint += f" ({printable('; '.join(alike))})"
    return hint


def near_zones(zone: str, known: Sequence[str]) -> list[str]:
    """Up to three names of *known* zones that may be meant, the likeliest first."""
    seen = seen_as(zone)
    near = []
    for other in known[:MOST_ZONES]:
        ratio = _likeness(seen, seen_as(other))
        if ratio >= LIKE_ZONES:
            near.append((-ratio, other))
    return [other for _ratio, other in sorted(near)[:3]]


def _likeness(zone: str, other: str) -> float:
    if zone == other or zone.endswith(f".{other}"):
        return 1.0
    one = zone.split(".")
    two = other.split(".")
    while one and two and one[-1] == two[-1]:
        one.pop()
        two.pop()
    return SequenceMatcher(None, ".".join(one), ".".join(two)).ratio()
