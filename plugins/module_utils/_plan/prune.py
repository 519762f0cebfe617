# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which sets of a zone nobody wants, and how many of them may go at once."""

from __future__ import annotations

from collections.abc import Mapping

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    LiveSets,
    is_owned_by_service,
    signs_zone,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import ALL, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

LIMITED_FROM = 10
"""Sets; a share of fewer says nothing."""


def pruned(
    zone: str, live: LiveSets, wanted: Mapping[Key, Wanted], limits: Limits, owner: str | None = None
) -> list[Key]:
    """The live sets that go: all but *wanted*, the service's own, what signs the zone, and what is ignored.

    They are those that an *owner* has, where there is one. An empty file or list is refused for a zone of any size: it
    is rarely meant, and often what an error leaves. Raises PlanRefused.
    """
    prunable = [key for key in live if not _is_spared(zone, live, key, limits)]
    going = [key for key in prunable if key not in wanted]
    is_empty = not any(one.values and not is_owned_by_service(*key, zone) for key, one in wanted.items())
    if going and is_empty and limits.prune_limit < ALL:
        sets = ("set" if len(going) == 1 else "sets") + (f" that {owner} has in the zone" if owner else "")
        is_meant = f"all that {owner} has is to go" if owner else "the zone is to be emptied"
        raise PlanRefused(
            f"prune would remove all {len(going)} {sets}, because nothing is wanted of the zone: is the list or "
            f"the zone file meant to be empty? If {is_meant}, set prune_limit to {ALL}"
        )
    if is_above(limits.prune_limit, len(going), len(prunable)):
        names = ", ".join(f"{name} {rdtype}" for name, rdtype in sorted(going))
        all_sets = f"{len(prunable)} sets that {owner} has in the zone" if owner else f"zone's {len(prunable)} sets"
        raise PlanRefused(
            f"prune would remove {len(going)} of the {all_sets}, more than prune_limit "
            f"({limits.prune_limit} percent) allows: {names}; where all of them are meant to go, raise prune_limit"
        )
    return going


def is_above(limit: int, going: int, sets: int) -> bool:
    """Whether so many of so many sets are more than *limit* percent."""
    return sets >= LIMITED_FROM and going * 100 > limit * sets


def _is_spared(zone: str, live: LiveSets, key: Key, limits: Limits) -> bool:
    is_others = is_owned_by_service(*key, zone) or signs_zone(*key, zone) or key in limits.spared
    return is_others or limits.ignores(live[key], zone)
