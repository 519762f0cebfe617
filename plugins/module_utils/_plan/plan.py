# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plan the changes from a snapshot to the desired sets.

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
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .._dns.printable import values_and_ttl
from .._dns.record_set import Key, RecordSet, Sets
from .change import ACTIONS, Change, PlanRefused, change_of
from .desired import Desired, problems, with_types
from .limits import UNLIMITED, Limits, pruned, prunes_all, refuse_further, refuse_untouched
from .warnings import warnings_of


@dataclass(frozen=True)
class ServiceOwnedSet:
    """A set of the service that differs from the task; *held* is None if it is absent.

    It is never written, so that a zone can be given back as it was read. An entry that differs is an error; a file,
    which may be old or from elsewhere, gets a warning. In a file, only the SOA's primary server and mailbox count:
    writes change the serial, and the service sets the timers.
    """

    held: RecordSet | None
    desired: Desired

    def severity(self, option: str | None) -> str:
        """The option ``service_owned``; by default error for entries, warn for files."""
        return option or ("warn" if self.desired.is_of_file else "error")

    @property
    def message(self) -> str:
        one, is_of_file = self.desired, self.desired.is_of_file
        held = (
            values_and_ttl(self.held.values, None if is_of_file else self.held.ttl)
            if self.held
            else "nothing"
        )
        return (
            f"{one.key} belongs to the service and is never written: the zone holds {held}, but the "
            f"{'file' if is_of_file else 'task'} says {values_and_ttl(one.values, one.ttl)}"
        )

    def as_result(self) -> dict[str, Any]:
        return {
            **self.desired.key._asdict(),
            "live": self.held.ttl_and_contents if self.held else None,
            "wanted": {"ttl": self.desired.ttl, "contents": [*self.desired.values]},
            "message": self.message,
        }


def service_owned_difference(held: RecordSet | None, desired: Desired) -> ServiceOwnedSet | None:
    """How a set of the service differs from the task, if it does.

    The serial of an SOA does not count, since every write changes it (RFC 1035, section 3.3.13).
    """
    if desired.is_of_file and desired.type == "SOA":
        desired = replace(desired, values=_server_and_mailbox(desired.values))
        held = replace(held, values=_server_and_mailbox(held.values)) if held else None
    if held and desired.ttl in (None, held.ttl):
        there, expected = ({*map(_without_serial, side.values)} for side in (held, desired))
        if expected == there or (desired.keeps_others and expected <= there):
            return None
    return ServiceOwnedSet(held, desired)


def _server_and_mailbox(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(" ".join(value.split(" ")[:2]) for value in values)


def _without_serial(value: str) -> str:
    fields = value.split(" ")
    return " ".join(fields[:2] + fields[3:])


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

    @property
    def summary(self) -> dict[str, int]:
        """How many sets have each action."""
        counts = Counter(change.action for change in self.changes)
        return {
            **{done: counts[action] for action, done in ACTIONS.items()},
            "unchanged": self.unchanged,
        }


PlanTo = Callable[[Iterable[Desired], Limits], Plan]
"""Plans desired sets within limits. Raises PlanRefused."""

NOTHING = Plan((), 0)


def plan(
    zone: str,
    snapshot: Sets,
    desired: Iterable[Desired],
    limits: Limits = UNLIMITED,
    service_owned: str | None = None,
) -> Plan:
    """Raises PlanRefused."""
    desired = [*desired]
    listed = {one.key: one for one in with_types(desired, snapshot, zone)}
    owned = {key: one for key, one in listed.items() if key.is_owned_by_service(zone)}
    desired_sets = {key: one for key, one in listed.items() if not one.is_of_file}
    refuse_untouched(zone, snapshot, desired_sets, limits)
    differing = [*_differing(zone, snapshot, owned.values(), limits)]
    reported = _reported(differing, service_owned)
    going = (
        pruned(zone, limits.within(snapshot, zone), desired_sets, limits) if limits.prune else []
    )
    others = desired_sets | {key: Desired(*key, pruned=True) for key in going}
    made = (change_of(snapshot.get(key), one) for key, one in others.items() if key not in owned)
    changes = sorted((change for change in made if change), key=lambda change: change.key)
    unchanged = (
        len(desired_sets)
        + len(going)
        - len(changes)
        - sum(not one.desired.is_of_file for one in differing)
    )
    if changes:
        refuse_further(zone, snapshot, (), changes, limits)
        for problem in problems(_brought(snapshot, changes)):
            raise PlanRefused(problem.of_zone)
    warnings = (
        *(one.message for one in reported),
        *warnings_of(zone, snapshot, desired, changes),
        *prunes_all(zone, snapshot, going, limits),
    )
    return Plan(tuple(changes), unchanged, warnings, reported, frozenset(desired_sets))


def _differing(
    zone: str, snapshot: Sets, owned: Iterable[Desired], limits: Limits
) -> Iterator[ServiceOwnedSet]:
    """A file does not count for sets that are ignored or outside ``only``."""
    for one in owned:
        held = snapshot.get(one.key)
        sides = [one.as_held, held] if held else [one.as_held]
        if one.is_of_file and any(
            limits.ignores(side, zone) or not limits.is_about(side, zone) for side in sides
        ):
            continue
        if found := service_owned_difference(held, one):
            yield found


def _reported(
    differing: list[ServiceOwnedSet], service_owned: str | None
) -> tuple[ServiceOwnedSet, ...]:
    """The differences to warn about. Raises PlanRefused for errors."""
    if refused := [one.message for one in differing if one.severity(service_owned) == "error"]:
        raise PlanRefused(
            "; ".join(
                f"{message}; leave it out, or set service_owned to warn" for message in refused
            )
        )
    return tuple(one for one in differing if one.severity(service_owned) == "warn")


def _brought(snapshot: Sets, changes: list[Change]) -> list[RecordSet]:
    """The sets as the plan leaves them, with old ones at names that get a new set."""
    gains = {change.key.name for change in changes if change.before is None}
    ends = {change.key: change.after for change in changes}
    there = (
        [snapshot[key] for key in snapshot if key.name in gains and key not in ends]
        if gains
        else []
    )
    return there + [after for after in ends.values() if after]
