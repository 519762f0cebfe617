# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One record set as it is and as it will be, and what it takes to come there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import as_read
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    NONE_KNOWN,
    Key,
    Preferences,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import (
    is_among,
    lacks_preference,
    with_preferences,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import matches_value

ACTIONS = {"create": "created", "extend": "extended", "rebuild": "rebuilt", "delete": "deleted"}
"""What a change does to a set, and the word for what has become of it."""

WANTED, DRIFT, BOTH = "wanted", "drift", "both"
"""Why a set changes: its owner wants something else than before, somebody else changed it, or both."""


class PlanRefused(Exception):
    """A plan that would leave the zone wrong, or that is too large to be meant; says which sets, and what to do."""


@dataclass(frozen=True)
class Change:
    """One set as it is and as it will be, both with canonical values, and what was wanted of it.

    *because* is one of WANTED, DRIFT and BOTH where a task speaks for an owner, and empty where not. Once it is
    made, it is known whether the set *was_kept*: no DELETE was sent.
    """

    before: RecordSet | None
    after: RecordSet | None
    wanted: Wanted
    because: str = field(default="", compare=False)
    was_kept: bool = field(default=False, compare=False)

    @property
    def key(self) -> Key:
        """What identifies the set in its zone."""
        return self.wanted.key

    @property
    def action(self) -> str:
        """One of ACTIONS."""
        before, after = self.before, self.after
        if before is None:
            return "create"
        if after is None:
            return "delete"
        is_other = (before.ttl, before.higher_ttls) != (after.ttl, after.higher_ttls) and not self.was_kept
        return "rebuild" if is_other or not set(before.values) <= set(after.values) else "extend"

    @property
    def deletes(self) -> bool:
        """Whether it deletes the set."""
        return self.action in ("rebuild", "delete")

    @property
    def is_pruned(self) -> bool:
        """Whether the set goes because no task names it."""
        return self.wanted.pruned

    @property
    def creates(self) -> tuple[str, ...]:
        """The values to create, in order."""
        if self.after is None:
            return ()
        if self.before is None or self.deletes:
            return self.after.values
        return tuple(value for value in self.after.values if value not in self.before.values)

    @property
    def depends_on_others(self) -> bool:
        """Whether it would undo what others wrote, if the reading is outdated."""
        return self.action == "rebuild" or (self.action == "delete" and self.wanted.keeps_others)

    def as_result(self) -> dict[str, Any]:
        """The change as modules return it."""

        def side(record_set: RecordSet | None) -> dict[str, Any] | None:
            return {"ttl": record_set.ttl, "contents": list(record_set.values)} if record_set else None

        return {
            "name": self.wanted.name,
            "type": self.wanted.type,
            "action": self.action,
            **({"because": self.because} if self.because else {}),
            "before": side(self.before),
            "after": side(self.after),
        }


def canonical_set(
    record_set: RecordSet, zone: str, preferences: Preferences = NONE_KNOWN, known: Collection[str] = ()
) -> RecordSet:
    """A live set with its values in canonical form, and with the *preferences* that the service does not show.

    *known* are canonical values that it may hold.
    """
    canonical = record_set.canonical(zone, known)
    sent = preferences.get(record_set.key) if preferences else None
    return replace(canonical, values=with_preferences(canonical.type, canonical.values, sent)) if sent else canonical


def change_of(zone: str, live: RecordSet | None, wanted: Wanted, preferences: Preferences) -> Change | None:
    """What gives one set that is wanted, where the zone holds *live*; None where it does so already."""
    if live and _is_shown_so(live, wanted):
        return None
    before = canonical_set(live, zone, preferences, wanted.values) if live else None
    there = before.values if before else ()
    replaced = replaced_by(zone, live, wanted) if live and wanted.replaces else set()
    kept = tuple(value for value in there if _stays(value, wanted, replaced))
    added = tuple(value for value in wanted.values if not is_among(wanted.type, value, kept))
    values = kept + added
    ttl = wanted.ttl if wanted.ttl is not None else before.ttl if before else wanted.default_ttl
    if not values:
        return Change(before, None, wanted) if before else None
    higher = before.higher_ttls if before and wanted.ttl is None else ()
    change = Change(before, RecordSet(wanted.name, wanted.type, ttl, values, higher), wanted)
    if change.before == change.after:
        return None
    if change.deletes:
        return replace(change, after=RecordSet(wanted.name, wanted.type, ttl, _as_task_writes(values, wanted)))
    return change


def _is_shown_so(live: RecordSet, wanted: Wanted) -> bool:
    has_ttl = wanted.ttl in (None, live.ttl) and not live.higher_ttls
    return has_ttl and bool(live.values) and live.values == wanted.values


def replaced_by(zone: str, live: RecordSet, wanted: Wanted) -> set[str]:
    """The canonical values that a glob of the task matches, as the service shows them or as they are."""
    known = ((as_read(live.type, shown, zone), shown) for shown in live.values)
    return {
        value for value, shown in known if any(matches_value(glob, live.type, value, shown) for glob in wanted.replaces)
    }


def _stays(value: str, wanted: Wanted, replaced: set[str]) -> bool:
    if is_among(wanted.type, value, wanted.values):
        return True
    return (
        wanted.keeps_others
        and not is_among(wanted.type, value, replaced)
        and not is_among(wanted.type, value, wanted.unwanted)
    )


def _as_task_writes(live_values: tuple[str, ...], wanted: Wanted) -> tuple[str, ...]:
    """The values to create, where the service shows MX hosts without their preference: as the task writes them."""
    values = with_preferences(wanted.type, live_values, wanted.values)
    for value in values:
        if lacks_preference(wanted.type, value):
            raise PlanRefused(
                f"{wanted.name} MX must be rebuilt, and the service does not tell the preference of {value}: "
                "list that value with its preference"
            )
    return values
