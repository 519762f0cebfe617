# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plan the changes from what a zone holds to the desired sets.

* Unwanted values go, and those that ``replaces`` matches. Others stay, unless the task lists the whole set.
* A set keeps its TTL unless another is desired; new sets get the default. ``ttl_max`` caps both. If values differ in
  TTL, the lowest counts (RFC 2181, section 5.2), but only a desired TTL rebuilds a set for that.
* The service only adds values and deletes sets, so a set that loses a value or changes its TTL is rebuilt. Nothing is
  deleted if adding is enough.
* Pruning spares SOA, NS at the apex, signatures and ignored sets. An empty desired state prunes nothing unless
  ``prune_limit`` is 100.
* With ``only``, pruning and limits see no other sets. Conflicts are still found in the whole zone.
* A protected set may be created and extended, but not deleted or rebuilt, whatever others write.
* Deleting all types at a name spares the service's sets and signatures.
* SOA, and NS at the apex, are only compared (see ServiceOwnedSet).
* After the plan, a CNAME is alone at its name (RFC 1034, section 3.6.2).
* While a damaged document of the zone lies aside, nobody knows what each owner has asked for. Then a task creates and
  extends sets, and removes what it names, but nothing else (``listed_only``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .._dns.record_set import Key, RecordSet, Sets
from .change import ACTIONS, Change, PlanRefused, change_of
from .desired import SINGLE_VALUED, Desired, beside_cnames, with_types
from .limits import (
    UNLIMITED,
    Limits,
    pruned,
    prunes_all,
    refuse_beyond_limits,
    refuse_untouched,
)
from .service_owned import ServiceOwnedSet, differing, reported
from .warnings import warnings_of


@dataclass(frozen=True)
class Plan:
    """All changes, by name and type.

    *service_owned* are differences that no plan removes, *desired* the sets that the task names. *cached* is how many
    seconds resolvers keep old answers, *findings* are new mistakes.
    """

    changes: tuple[Change, ...]
    unchanged: int
    warnings: tuple[str, ...] = ()
    service_owned: tuple[ServiceOwnedSet, ...] = ()
    desired: frozenset[Key] = frozenset()
    awaited: tuple[Desired, ...] = ()
    cached: Mapping[Key, int] = field(default_factory=dict)
    findings: tuple[dict[str, Any], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not self.changes

    def warned(self, *warnings: str) -> Plan:
        """The plan with more warnings."""
        return replace(self, warnings=(*self.warnings, *warnings))

    def with_only(self, changes: Iterable[Change]) -> Plan:
        """The plan with these of its changes: all other sets are as desired already."""
        left = tuple(changes)
        unchanged = self.unchanged + len(self.changes) - len(left)
        return replace(self, changes=left, unchanged=unchanged)

    @property
    def summary(self) -> dict[str, int]:
        """How many sets have each action."""
        counts = Counter(change.action for change in self.changes)
        summary = {done: counts[action] for action, done in ACTIONS.items()}
        summary["unchanged"] = self.unchanged
        return summary


PlanTo = Callable[[Iterable[Desired], Limits], Plan]
"""Plans desired sets within limits. Raises PlanRefused."""

NOTHING = Plan((), 0)

LOOK = "look there for unfinished changes, then remove it"
"""What to do about a damaged document."""


def plan(
    zone: str,
    held: Sets,
    desired: Iterable[Desired],
    limits: Limits = UNLIMITED,
    service_owned: str | None = None,
) -> Plan:
    """The plan from what a zone holds. Raises PlanRefused."""
    listed = [*desired]
    named: dict[Key, Desired] = {}
    owned: dict[Key, Desired] = {}
    for one in with_types(listed, held, zone):
        key = one.key
        if key.is_owned_by_service(zone):
            owned[key] = one
        if not one.is_of_file:
            named[key] = one
    refuse_untouched(zone, held, named, limits)
    differences = [*differing(zone, held, owned.values(), limits)]
    warned = reported(differences, service_owned)
    going: list[Key] = []
    if limits.prune:
        going = pruned(zone, limits.within(held, zone), named, limits)
    writable = {key: one for key, one in named.items() if key not in owned}
    for key in going:
        writable[key] = Desired(*key, pruned=True)
    changes = _changes(held, writable)
    if changes:
        refuse_beyond_limits(zone, held, (), changes, limits)
        _refuse_conflicts(_brought(held, changes))
    not_written = [one for one in differences if not one.desired.is_of_file]
    unchanged = len(named) + len(going) - len(changes) - len(not_written)
    warnings = [one.message for one in warned]
    warnings += warnings_of(held, listed, changes)
    warnings += prunes_all(zone, held, going, limits)
    keys = frozenset(named)
    return Plan(tuple(changes), unchanged, tuple(warnings), warned, keys, tuple(listed))


def _changes(held: Sets, desired: Mapping[Key, Desired]) -> list[Change]:
    """Raises PlanRefused."""
    changes = []
    for key, one in desired.items():
        change = change_of(held.get(key), one)
        if change:
            changes.append(change)
    return sorted(changes, key=lambda change: change.key)


def _brought(held: Sets, changes: list[Change]) -> list[RecordSet]:
    """The sets as the plan leaves them, with old ones at names that get a new set."""
    ends = {change.key: change.after for change in changes}
    brought = [after for after in ends.values() if after]
    gaining = {change.key.name for change in changes if change.before is None}
    if gaining:
        others = [key for key in held if key.name in gaining and key not in ends]
        brought += [held[key] for key in others]
    return brought


def _refuse_conflicts(sets: list[RecordSet]) -> None:
    """Raises PlanRefused for sets that no zone may hold."""
    for one in sets:
        if one.type in SINGLE_VALUED and len(one.values) > 1:
            raise PlanRefused(
                f"{one.key} can hold only one value, but would hold {' and '.join(one.values)}: "
                "set exclusive to true (for an owner, takeover) to replace the old one, or "
                "replaces to a glob that matches it"
            )
    for name, types in beside_cnames(sets):
        raise PlanRefused(
            f"{name} would hold a CNAME beside {', '.join(types)}, but a CNAME must be alone at "
            "its name: list one of them with state absent in the same dns_records task, or remove "
            "it in an earlier task (which removes nothing in check mode)"
        )


def listed_only(desired: Iterable[Desired], limits: Limits) -> tuple[list[Desired], Limits]:
    """The desired sets and the limits of a task that removes nothing but what it names."""
    sparing = [replace(one, keeps_others=True) if one.values else one for one in desired]
    return sparing, limits._replace(prune=False)
