# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether two canonical texts are one value: a service can show a mail host without its preference (spec 2.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def same(rdtype: str, one: str, other: str) -> bool:
    """Whether two canonical texts are one value. An MX value without its preference is the same as any for its host."""
    if one == other:
        return True
    if rdtype != "MX" or (" " in one) == (" " in other):
        return False
    return one.rpartition(" ")[2] == other.rpartition(" ")[2]


def is_among(rdtype: str, value: str, values: Collection[str]) -> bool:
    """Whether a canonical text is the same value as one of *values*."""
    return value in values or (rdtype == "MX" and any(same(rdtype, value, other) for other in values))


def same_values(rdtype: str, some: Collection[str], others: Collection[str]) -> bool:
    """Whether all canonical texts of one collection are values of the other, and those of the other of the one."""
    sides = (some, frozenset(others)), (others, frozenset(some))
    return all(is_among(rdtype, value, those) for these, those in sides for value in these)


def with_preferences(rdtype: str, values: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Canonical texts, of which those that lack their preference have each that is *known* for their host."""
    if not known:
        return tuple(dict.fromkeys(values))
    found: list[str] = []
    for value in values:
        told = [one for one in known if lacks_preference(rdtype, value) and same(rdtype, value, one)]
        found += told or [value]
    return tuple(dict.fromkeys(found))


def lacks_preference(rdtype: str, value: str) -> bool:
    """Whether a canonical text is an MX host alone, which cannot be created (spec 2.5)."""
    return rdtype == "MX" and " " not in value
