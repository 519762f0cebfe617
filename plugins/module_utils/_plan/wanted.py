# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task wants of one record set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    DEFAULT_TTL,
    Key,
    LiveSets,
    is_owned_by_service,
    signs_zone,
)

EVERY_TYPE = "*"
"""In place of a type: the sets of all types at a name, which only the zone can tell."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a task wants of one record set. Values are canonical, TTLs in seconds.

    Without *keeps_others* the set holds *values* and no others; with it, *unwanted* ones go and the rest stays.
    *replaces* are globs: what they match and is not among *values* goes too. *pruned* is for a set that no task names,
    and that goes because of ``prune``. *undotted* are the hosts in the values that were written with a dot inside and
    none at the end, each with what it would be as a name relative to the zone. *is_of_file* is for what a zone file
    says of a set that the service owns: it is compared and no more.
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
        """What identifies the set in its zone."""
        return Key(self.name, self.type)


def with_types(wanted: Iterable[Wanted], live: LiveSets, zone: str) -> Iterator[Wanted]:
    """The same, with one for each live set in place of one of EVERY_TYPE: none for what the service owns, or signs."""
    for one in wanted:
        if one.type != EVERY_TYPE:
            yield one
            continue
        for name, rdtype in live:
            if name == one.name and not (is_owned_by_service(name, rdtype, zone) or signs_zone(name, rdtype, zone)):
                yield replace(one, type=rdtype)
