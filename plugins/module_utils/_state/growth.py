# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The states in which a set has been, so that a reading that shows one of them is known as one that may be old. Pure.

A set grows value by value and goes as a whole, so its states are few sequences of values, and a state is the beginning
of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from itertools import takewhile

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among

MOST_GROWTHS = 20
"""More are not remembered of a set: each is a task of the last minute, or two."""


@dataclass(frozen=True)
class Growth:
    """A set with this *ttl* (seconds) that had the first *start* of the *values*, and then one more after the other."""

    ttl: int
    values: tuple[str, ...]
    start: int

    def was(self, rdtype: str, ttl: int, values: Set[str]) -> bool:
        """Whether the set has held exactly this."""
        state = frozenset(takewhile(lambda one: is_among(rdtype, one, values), self.values))
        is_begun = all(is_among(rdtype, one, state) for one in self.values[: self.start])
        return ttl == self.ttl and is_begun and all(is_among(rdtype, one, state) for one in values)


def grown(growths: tuple[Growth, ...], held: RecordSet | None) -> tuple[Growth, ...]:
    """What is known of the states of a set once it *held* this."""
    if held is None:
        return growths
    last = growths[-1] if growths else None
    if last and last.ttl == held.ttl and held.values[: len(last.values)] == last.values:
        return (*growths[:-1], replace(last, values=held.values))
    shown = frozenset(held.values)
    if any(growth.was(held.type, held.ttl, shown) for growth in growths):
        return growths
    return (*growths, Growth(held.ttl, held.values, len(held.values)))[-MOST_GROWTHS:]


def was_so_before(growths: Iterable[Growth], held: RecordSet, value: str) -> bool:
    """Whether a set with this value has been as it is *held*, whatever others may have added to it."""
    states = list(growths)
    known = frozenset(one for growth in states for one in growth.values)
    if not is_among(held.type, value, known):
        return False
    values = frozenset(one for one in held.values if is_among(held.type, one, known))
    return any(growth.was(held.type, held.ttl, values) for growth in states)
