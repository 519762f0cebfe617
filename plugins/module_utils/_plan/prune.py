# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which sets of a zone nobody wants, and how many of them may go at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name, with_u_labels
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    LiveSets,
    RecordSet,
    is_owned_by_service,
    signs_zone,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

PRUNE_LIMIT_FROM = 10
ALL = 100  # percent
_UP_TO_LAST_WILDCARD = re.compile(r".*[*?\]]")


class PlanRefused(Exception):
    """A plan that would leave the zone wrong, or that is too large to be meant; says which sets, and what to do."""


@dataclass(frozen=True)
class Prune:
    """That a zone is to hold no other sets: globs of name and type to spare, and a limit in percent."""

    ignore: tuple[tuple[str, str], ...] = ()
    limit: int = 30

    def ignores(self, name: str, rdtype: str, zone: str) -> bool:
        """Whether one of the globs matches the set, by its relative name, or its absolute one with or without dot."""
        spellings = _spellings(name, zone) if self.ignore else ()
        return any(
            fnmatchcase(rdtype, types) and any(fnmatchcase(spelling, names) for spelling in spellings)
            for names, types in self.ignore
        )

    def of_another_zone(self, zone: str) -> list[str]:
        """The globs of names that can match nothing in the zone: it is another that they name, or none."""
        return [names for names, _types in self.ignore if not _can_match(names, zone)]

    def pruned(self, zone: str, live: LiveSets, wanted: Mapping[Key, Wanted]) -> list[Key]:
        """The live sets that go: all but *wanted*, the service's own, and what is ignored. Raises PlanRefused.

        An empty file or list is refused for a zone of any size: it is rarely meant, and often what an error leaves.
        """
        prunable = [key for key in live if not self._spares(live[key], zone)]
        going = [key for key in prunable if key not in wanted]
        is_empty = not any(one.values and not is_owned_by_service(*key, zone) for key, one in wanted.items())
        if going and is_empty and self.limit < ALL:
            sets = "set" if len(going) == 1 else "sets"
            raise PlanRefused(
                f"prune would remove all {len(going)} {sets}, because nothing is wanted of the zone: is the list or "
                f"the zone file meant to be empty? If the zone is to be emptied, set prune_limit to {ALL}"
            )
        if len(prunable) >= PRUNE_LIMIT_FROM and len(going) * 100 > self.limit * len(prunable):
            names = ", ".join(f"{name} {rdtype}" for name, rdtype in sorted(going))
            raise PlanRefused(
                f"prune would remove {len(going)} of the zone's {len(prunable)} sets, more than prune_limit "
                f"({self.limit} percent) allows: {names}"
            )
        return going

    def _spares(self, held: RecordSet, zone: str) -> bool:
        if is_owned_by_service(*held.key, zone) or signs_zone(*held.key, zone) or self.ignores(*held.key, zone):
            return True
        return bool(held.shown_type) and self.ignores(held.name, held.shown_type, zone)


def _spellings(name: str, zone: str) -> set[str]:
    spellings = {relative_name(name, zone), name, name[:-1]}
    return spellings | set(map(with_u_labels, spellings)) if "xn--" in name else spellings


def _can_match(glob: str, zone: str) -> bool:
    """Whether a glob could match a name in the zone; only an absolute name ends in a dot."""
    if not glob.endswith("."):
        return bool(glob)
    end = _UP_TO_LAST_WILDCARD.sub("", glob)
    for name in (zone, with_u_labels(zone)):
        if glob == name or end.endswith(f".{name}") or (end != glob and f".{name}".endswith(end)):
            return True
    return False
