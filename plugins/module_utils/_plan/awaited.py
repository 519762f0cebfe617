# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the name servers of a zone should answer with, from what a task wants and what the zone holds. Pure.

The rules, in words:

* Of a set to which others may add, the wanted values are answered with, and none of those that are unwanted or
  replaced. Of a set that is to hold exactly these values, no others are. A TTL counts where one is wanted: it is the
  one that the zone shows.
* Where a name is gone a wildcard may answer in its place, with what it holds (RFC 4592, section 2.2.1).
* Below a delegation only the addresses of its name servers are answered with (RFC 1034, section 4.2.1), and nothing is
  below a DNAME (RFC 6672, section 2.4).
* What the service makes of a type of its own, such as an ALIAS, are addresses that no set of the zone has.
* What the service owns, and what signs the zone, is never awaited, and a type without number cannot be asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_unknown
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    LiveSets,
    is_owned_by_service,
    signs_zone,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import ADDRESS_TYPES, parent
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change, canonical_set
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Wanted, with_types
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import matches_value


@dataclass(frozen=True)
class Awaited:
    """What name servers should answer with about one record set. Values are canonical, the TTL is in seconds.

    They should answer with *values*, with none of the *unwanted*, nothing else that the globs *replaces* match, and
    unless *keeps_others* with nothing else at all; or with all of *instead*, which is what the name has where the set
    is not there. *delegated_at* is the delegation at or above the name, if any: a server that has the delegated zone
    too answers from that one.
    """

    key: Key
    values: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    keeps_others: bool = False
    ttl: int | None = None
    instead: tuple[str, ...] = ()
    delegated_at: str | None = None
    replaces: tuple[str, ...] = ()

    def is_met_by(self, answered: Collection[str]) -> bool:
        """Whether an answer with these canonical values is as it should be."""
        if not self.values and self.instead and set(answered) == set(self.instead):
            return True
        if not all(self._is_among(value, answered) for value in self.values):
            return False
        if self.keeps_others:
            is_there = any(self._is_among(value, answered) for value in self.unwanted)
            return not is_there and not any(map(self._is_replaced, answered))
        return all(self._is_among(value, self.values) for value in answered)

    def _is_replaced(self, value: str) -> bool:
        matched = any(matches_value(glob, self.key.type, value, value) for glob in self.replaces)
        return matched and not self._is_among(value, self.values)

    def _is_among(self, value: str, others: Collection[str]) -> bool:
        return is_among(self.key.type, value, others)


def awaited_of(
    zone: str, live: LiveSets, wanted: Iterable[Wanted], planned: Iterable[Change], recovered: Iterable[Change]
) -> list[Awaited]:
    """What the name servers of *zone* (canonical) should answer with once they have what it holds now, *live*.

    *wanted* is what the task says of sets, changed or not; of what was *planned* what no entry names counts too, and
    all that was *recovered*.
    """
    view = _View(zone, live)
    healed = {change.key: change.after.values for change in recovered if change.after}
    by_key = {one.key: one for one in with_types(wanted, live, zone)}
    by_key |= {change.key: change.wanted for change in planned if change.key not in by_key}
    by_key = {key: Wanted(*key, keeps_others=True) for key in healed} | by_key
    return [view.awaited(one, healed.get(key, ())) for key, one in by_key.items() if view.is_answered(key)]


class _View:
    """A zone as those see it who ask for it."""

    def __init__(self, zone: str, live: LiveSets):
        self._zone = zone
        self._live = live

    def is_answered(self, key: Key) -> bool:
        """Whether servers answer with such a set, or without it, and not the service alone says with what."""
        if is_unknown(key.type) or is_owned_by_service(*key, self._zone) or signs_zone(*key, self._zone):
            return False
        above = [*self._upwards(key.name), self._zone][1:]
        if any(Key(name, "DNAME") in self._live for name in above):
            return False
        cut = self._cut(key.name)
        if cut is None or (cut == key.name and key.type in ("NS", "DS")):
            return True
        return key.type in ADDRESS_TYPES and key.name in self._values(Key(cut, "NS"))

    def awaited(self, wanted: Wanted, healed: tuple[str, ...]) -> Awaited:
        """What is awaited of a set that is answered; *healed* are the values that were completed first."""
        key = wanted.key
        live_set = self._live.get(key)
        values = wanted.values + self._live_values(key, healed)
        delegated_at = key.name if key.type == "NS" else self._cut(key.name)
        if live_set:
            ttl = live_set.ttl if wanted.ttl is not None else None
            return Awaited(
                key,
                values,
                wanted.unwanted,
                wanted.keeps_others,
                ttl,
                delegated_at=delegated_at,
                replaces=wanted.replaces,
            )
        source = self._source(key.name)
        if key.type in ADDRESS_TYPES and source in self._looked_up_by_service:
            return Awaited(key, values, keeps_others=True, delegated_at=delegated_at)
        instead = self._values(Key(source, key.type))
        return Awaited(key, values, wanted.unwanted, wanted.keeps_others, None, instead, delegated_at)

    def _live_values(self, key: Key, values: tuple[str, ...]) -> tuple[str, ...]:
        there = self._values(key) if values else ()
        return tuple(value for value in values if is_among(key.type, value, there))

    @cached_property
    def _looked_up_by_service(self) -> set[str]:
        """The names whose addresses may be those of others, because of a type that DNS does not know."""
        return {name for name, rdtype in self._live if is_unknown(rdtype)}

    def _values(self, key: Key) -> tuple[str, ...]:
        live_set = self._live.get(key)
        return canonical_set(live_set, self._zone).values if live_set else ()

    def _upwards(self, name: str) -> Iterator[str]:
        """The names from this one up to the one below the zone's."""
        while name != self._zone:
            yield name
            name = parent(name)

    def _cut(self, name: str) -> str | None:
        """The delegation at or above a name; of several, the one next to the zone's own name."""
        return next((above for above in [*self._upwards(name)][::-1] if Key(above, "NS") in self._live), None)

    @cached_property
    def _names(self) -> set[str]:
        """The names that exist: those of sets, and the empty ones above them (RFC 4592, section 2.2.2)."""
        names = {self._zone}
        for name, _type in self._live:
            while name not in names and name.endswith(f".{self._zone}"):
                names.add(name)
                name = parent(name)
        return names

    def _source(self, name: str) -> str:
        """The name whose sets are answered with: the name itself, or the wildcard that stands for it."""
        if name in self._names:
            return name
        while name not in self._names:
            name = parent(name)
        return f"*.{name}"
