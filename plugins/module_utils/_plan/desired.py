# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Desired record sets, and CNAMEs beside others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from .._dns.record_set import BESIDE_CNAME, DEFAULT_TTL, Key, RecordSet

EVERY_TYPE = "*"
"""Stands for all types that the zone has at a name."""


@dataclass(frozen=True, slots=True)
class Desired:
    """What a task wants of one record set.

    The set holds *values* only. With *keeps_others*, others stay, except *unwanted* ones and those that *replaces*
    matches. *pruned* sets go because no task names them. *undotted* are hosts with a dot inside and none at the end,
    each with the relative name it may mean. *is_of_file* marks the service's sets in a zone file, which are only
    compared.
    """

    name: str
    type: str
    values: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    keeps_others: bool = False
    ttl: int | None = None
    default_ttl: int = DEFAULT_TTL
    pruned: bool = False
    replaces: tuple[str, ...] = ()
    undotted: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    is_of_file: bool = False

    @property
    def key(self) -> Key:
        return Key(self.name, self.type)

    @property
    def as_held(self) -> RecordSet:
        """The set for globs to match."""
        return RecordSet(self.name, self.type, 0, self.values)


def with_types(desired: Iterable[Desired], held: Collection[Key], zone: str) -> Iterator[Desired]:
    """Expand EVERY_TYPE to the sets at the name that the service does not make."""
    for one in desired:
        if one.type != EVERY_TYPE:
            yield one
            continue
        for key in held:
            if key.name == one.name and not key.is_made_by_service(zone):
                yield replace(one, type=key.type)


SINGLE_VALUED = frozenset({"CNAME", "DNAME"})
"""A CNAME has one value (RFC 2181, section 10.1), and so has a DNAME (RFC 6672, section 2.4)."""


def beside_cnames(sets: Iterable[Desired | RecordSet]) -> list[tuple[str, list[str]]]:
    """The names at which a CNAME is not alone, with the other types.

    A CNAME is alone at its name (RFC 1034, section 3.6.2), except for signatures (RFC 4035, section 2.5).
    """
    whole = [one for one in sets if one.values]
    aliases = {one.name for one in whole if one.type == "CNAME"}
    types: dict[str, set[str]] = {}
    for one in whole:
        if one.name in aliases:
            types.setdefault(one.name, set()).add(one.type)
    found = []
    for name, at_name in sorted(types.items()):
        beside = at_name - BESIDE_CNAME - {"CNAME"}
        if beside:
            found.append((name, sorted(beside)))
    return found
