# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One record set as it is and as it will be, and what it takes to come there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    as_read,
    is_among,
    lacks_preference,
    with_preferences,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    NONE_KNOWN,
    Key,
    Preferences,
    RecordSet,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
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

    *reason* is one of WANTED, DRIFT and BOTH where a task speaks for an owner, and empty where not. Once it is
    made, it is known whether the set *was_kept*: no DELETE was sent.
    """

    before: RecordSet | None
    after: RecordSet | None
    desired: Desired
    reason: str = field(default="", compare=False)
    was_kept: bool = field(default=False, compare=False)

    @property
    def key(self) -> Key:
        """What identifies the set in its zone."""
        return self.desired.key

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
        return self.desired.pruned

    @property
    def creates(self) -> tuple[str, ...]:
        """The values to create, in order."""
        if self.after is None:
            return ()
        if self.before is None or self.deletes:
            return self.after.values
        return tuple(value for value in self.after.values if value not in self.before.values)

    @property
    def undoes_concurrent_writes(self) -> bool:
        """Whether it would undo what concurrent writers wrote, if the snapshot is stale."""
        return self.action == "rebuild" or (self.action == "delete" and self.desired.keeps_others)

    def as_result(self) -> dict[str, Any]:
        """The change as modules return it."""
        return {
            **self.key._asdict(),
            "action": self.action,
            **({"because": self.reason} if self.reason else {}),
            "before": self.before.ttl_and_contents if self.before else None,
            "after": self.after.ttl_and_contents if self.after else None,
        }


def canonical_set(
    record_set: RecordSet, zone: str, preferences: Preferences = NONE_KNOWN, known: Collection[str] = ()
) -> RecordSet:
    """A set of a snapshot with its values in canonical form, and with the *preferences* that the service does not show.

    *known* are canonical values that it may hold.
    """
    canonical = record_set.canonical(zone, known)
    sent = preferences.get(record_set.key) if preferences else None
    return replace(canonical, values=with_preferences(canonical.type, canonical.values, sent)) if sent else canonical


def change_of(zone: str, held: RecordSet | None, desired: Desired, preferences: Preferences) -> Change | None:
    """What gives one set that is wanted, where the zone holds *held*; None where it does so already."""
    if held and _is_shown_so(held, desired):
        return None
    before = canonical_set(held, zone, preferences, desired.values) if held else None
    there = before.values if before else ()
    replaced = replaced_by(zone, held, desired) if held else set()
    kept = tuple(value for value in there if stays(value, desired, replaced))
    added = tuple(value for value in desired.values if not is_among(desired.type, value, kept))
    values = kept + added
    ttl = desired.ttl if desired.ttl is not None else before.ttl if before else desired.default_ttl
    if not values:
        return Change(before, None, desired) if before else None
    higher = before.higher_ttls if before and desired.ttl is None else ()
    change = Change(before, RecordSet(desired.name, desired.type, ttl, values, higher), desired)
    if change.before == change.after:
        return None
    if change.deletes:
        return replace(change, after=RecordSet(desired.name, desired.type, ttl, _as_task_writes(values, desired)))
    return change


def _is_shown_so(held: RecordSet, desired: Desired) -> bool:
    has_ttl = desired.ttl in (None, held.ttl) and not held.higher_ttls
    return has_ttl and bool(held.values) and held.values == desired.values


def replaced_by(zone: str, held: RecordSet, desired: Desired) -> set[str]:
    """The canonical values that a glob of the task matches, as the service shows them or as they are."""
    known = ((as_read(held.type, shown, zone), shown) for shown in held.values if desired.replaces)
    return {
        value
        for value, shown in known
        if any(matches_value(glob, held.type, value, shown) for glob in desired.replaces)
    }


def stays(value: str, desired: Desired, replaced: Collection[str]) -> bool:
    """Whether a canonical value that is there stays, where the globs of the task match those *replaced*."""
    if is_among(desired.type, value, desired.values):
        return True
    return (
        desired.keeps_others
        and not is_among(desired.type, value, replaced)
        and not is_among(desired.type, value, desired.unwanted)
    )


def _as_task_writes(held_values: tuple[str, ...], desired: Desired) -> tuple[str, ...]:
    """The values to create, where the service shows MX hosts without their preference: as the task writes them."""
    values = with_preferences(desired.type, held_values, desired.values)
    for value in values:
        if lacks_preference(desired.type, value):
            raise PlanRefused(
                f"{desired.name} MX must be rebuilt, and the service does not tell the preference of {value}: "
                "list that value with its preference"
            )
    return values
