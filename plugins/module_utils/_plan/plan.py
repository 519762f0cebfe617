# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Live record sets and desired ones to a plan. Pure: no I/O, no Ansible, no clock.

The rules, in words:

* What is there and wanted stays. A desired value that is missing is created.
* Of the values that are there and not wanted, those named as unwanted go, and those that a glob of ``replaces``
  matches; the others stay, unless the set is to hold exactly the desired values.
* A set keeps its TTL unless another is wanted. A new set without a desired TTL has the default.
* Where ``ttl_max`` matches a set as it is to be, its TTL is no larger than that, whoever wants another or keeps it.
* Where the values of a set have several TTLs, the lowest counts (RFC 2181, section 5.2): what is added has it, and the
  whole set once it is rebuilt. It is rebuilt for that alone only where a TTL is wanted, be it the lowest.
* The service can only add a value or delete a whole set. So a set from which a value goes, or whose TTL changes, is
  rebuilt: deleted, then created value by value. Where adding is enough nothing is deleted.
* Pruning removes the sets that nobody wants: never SOA, never NS at the apex, never what signs the zone, never what is
  ignored, and never more than a share of the zone. Where nothing is wanted at all, nothing goes unless it is said.
* Where the task is only about some sets, the zone has no others to pruning and to the limits, and to want something of
  another is refused. What no zone may hold is looked for in the whole zone all the same.
* A set is ignored, or protected, or what the task is only about, where a glob matches its name, its type and one of the
  values that the zone holds. What is ignored is left untouched, and to want something of it is refused. What is
  protected can be created and extended; a plan that would delete or rebuild it is refused, also where what
  concurrent writers did asks for that.
* No more than a share of the zone's sets is deleted or rebuilt for whatever reason, where there is a limit for it.
* Where the sets of all types at a name are to go, those of the service and what signs the zone stay.
* SOA, and NS at the apex, are never written. What a task says of them is so already, or is reported: an entry is
  refused, the line of a file is a warning, unless the task says otherwise. What is ignored is not compared with a file.
* A host without a final dot that the zone knows as a relative name is a doubt, of which a warning tells.
* A CNAME is alone at its name once the plan is carried out (RFC 1034, section 3.6.2), and has one value, like a DNAME.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import some_names, values_and_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    NONE_KNOWN,
    Key,
    Preferences,
    RecordSet,
    RecordSets,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import (
    ACTIONS,
    BOTH,
    DRIFT,
    Change,
    PlanRefused,
    canonical_set,
    change_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import (
    EVERY_TYPE,
    SINGLE_VALUED,
    Desired,
    problems,
    with_types,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.doubts import doubts
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ledger import LedgerStep
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import (
    UNLIMITED,
    Limits,
    pruned,
    prunes_all,
    refuse_further,
    refuse_untouched,
)

_SOA_FIELDS = 7
_SERIAL = 2


@dataclass(frozen=True)
class ServiceOwnedSet:
    """A set that the service owns, and that the zone does not hold as the task says; *held* is None for no set.

    It is compared and never written, so that a whole zone can be given back as it was read, and nobody believes in a
    change that never comes. An entry that says otherwise asks for such a change. A zone file says how the zone was
    once, or is elsewhere: that is worth a word.

    Both sides have what is compared: of the SOA in a zone file the primary name server and the mailbox, since the
    serial changes with every write, and the timers are the service's.
    """

    held: RecordSet | None
    desired: Desired

    def severity(self, option: str | None) -> str:
        """One of the choices of service_owned: the option, or else an error for an entry and a warning for a file."""
        return option or ("warn" if self.desired.is_of_file else "error")

    @property
    def message(self) -> str:
        """The warning or error, in one clause."""
        one, is_of_file = self.desired, self.desired.is_of_file
        held = values_and_ttl(self.held.values, None if is_of_file else self.held.ttl) if self.held else "nothing"
        return (
            f"{one.key} belongs to the service and is never written: the zone holds {held}, and the "
            f"{'file' if is_of_file else 'task'} says {values_and_ttl(one.values, one.ttl)}"
        )

    def as_result(self) -> dict[str, Any]:
        """The set as modules return it."""
        return {
            **self.desired.key._asdict(),
            "live": self.held.ttl_and_contents if self.held else None,
            "wanted": {"ttl": self.desired.ttl, "contents": [*self.desired.values]},
            "message": self.message,
        }


def service_owned_difference(held: RecordSet | None, desired: Desired) -> ServiceOwnedSet | None:
    """How the zone holds a set that the service owns otherwise than the task says; None where it does not.

    *held* has canonical values. The serial of an SOA does not count, since every write changes it (RFC 1035, section
    3.3.13).
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
    """What of an SOA a zone file can say as the service has it."""
    return tuple(" ".join(value.split(" ")[:2]) for value in values)


def _without_serial(value: str) -> str:
    fields = value.split(" ")
    return " ".join(fields[:_SERIAL] + fields[_SERIAL + 1 :] if len(fields) == _SOA_FIELDS else fields)


class Plan(NamedTuple):
    """All changes that lead from the sets of a snapshot to the desired ones, sorted by name and type.

    *warnings* are sentences for the person at the terminal, *service_owned* is what no plan can change, *desired* are
    the sets that the task names. *ledger* is what becomes of that where the task speaks for an owner. *awaited* is what
    name servers are waited for, *cached* the seconds for which resolvers may have what was there before. *findings* are
    what it brings that is wrong for the internet, as modules return them.
    """

    changes: tuple[Change, ...]
    unchanged: int
    warnings: tuple[str, ...] = ()
    service_owned: tuple[ServiceOwnedSet, ...] = ()
    desired: frozenset[Key] = frozenset()
    ledger: LedgerStep | None = None
    awaited: tuple[Desired, ...] = ()
    cached: Mapping[Key, int] = MappingProxyType({})
    findings: tuple[dict[str, Any], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do, in the zone or in the ledger."""
        return not self.changes and not (self.ledger and self.ledger.is_new)

    @property
    def summary(self) -> dict[str, int]:
        """How many sets are created, extended, rebuilt, deleted, and were already as wanted."""
        counts = dict.fromkeys(ACTIONS.values(), 0)
        for change in self.changes:
            counts[ACTIONS[change.action]] += 1
        return {**counts, "unchanged": self.unchanged}


PlanTo = Callable[[Iterable[Desired], Limits], Plan]
"""The plan that leads to desired sets, within limits. Raises PlanRefused."""

NOTHING = Plan((), 0)
"""The plan of a task that wants nothing."""


def diff_of(*steps: Iterable[Change]) -> dict[str, str]:
    """What one step after the other changed, before the first and after the last, as lines of a zone file.

    Ansible shows ``after_header`` above them. It is there where sets are rebuilt, or where somebody else had changed
    them, which no line tells.
    """
    changes = [*chain.from_iterable(steps)]
    before = {change.key: change.before for change in reversed(changes)}
    after = {change.key: change.after for change in changes}
    rebuilt = {change.key for change in changes if change.action == "rebuild"}
    drifted = {change.key for change in changes if change.reason in (DRIFT, BOTH)}
    marked = (rebuilt, "rebuilt, gone for a moment"), (drifted, "changed by somebody else before")
    header = [
        f"{len(keys)} {'set' if len(keys) == 1 else 'sets'} {what}: {some_names([str(key) for key in sorted(keys)])}"
        for keys, what in marked
        if keys
    ]
    text = {"before": _lines(before.values()), "after": _lines(after.values())}
    return {**text, **({"after_header": "; ".join(header)} if header else {})}


def plan(
    zone: str,
    snapshot: RecordSets,
    desired: Iterable[Desired],
    limits: Limits = UNLIMITED,
    service_owned: str | None = None,
    preferences: Preferences = NONE_KNOWN,
) -> Plan:
    """The changes that give every desired set, as far as the *limits* allow. Raises PlanRefused.

    *service_owned* is the option of that name, None where the task does not say it. *preferences* are what is known of
    mail hosts that the service shows alone.
    """
    desired = [*desired]
    listed = [*with_types(desired, snapshot, zone)]
    desired_sets = {one.key: one for one in listed if not one.is_of_file}
    within = limits.within(snapshot, zone)
    refuse_untouched(zone, snapshot, desired_sets, limits)
    owned = [one for one in listed if one.key.is_owned_by_service(zone)]
    differing = [*_differing(zone, snapshot, owned, limits)]
    reported = _reported(differing, service_owned)
    others = (one for key, one in desired_sets.items() if not key.is_owned_by_service(zone))
    made = (change_of(zone, snapshot.get(one.key), one, preferences) for one in others)
    changes = [change for change in made if change]
    unchanged = len(desired_sets) - len(changes) - sum(not one.desired.is_of_file for one in differing)
    going = pruned(zone, within, desired_sets, limits) if limits.prune else []
    changes += [
        Change(canonical_set(snapshot[key], zone, preferences), None, Desired(*key, pruned=True)) for key in going
    ]
    changes.sort(key=lambda change: change.key)
    if changes:
        refuse_further(zone, snapshot, (), changes, limits)
        _refuse_unmatched(changes)
        for problem in problems(_brought(snapshot, changes)):
            raise PlanRefused(problem.of_zone)
    gone = [one for one in desired if one.type == EVERY_TYPE and not any(key.name == one.name for key in snapshot)]
    asked = [*desired_sets.values(), *gone]
    warnings = (
        *(one.message for one in reported),
        *doubts(zone, snapshot, asked, changes, preferences),
        *prunes_all(zone, snapshot, going, limits),
    )
    return Plan(tuple(changes), unchanged, warnings, reported, frozenset(desired_sets))


def _differing(zone: str, snapshot: RecordSets, owned: Iterable[Desired], limits: Limits) -> Iterator[ServiceOwnedSet]:
    """What the service owns and has otherwise than the task says.

    What a file says of a set that is ignored, or that the task is not about, does not count.
    """
    for one in owned:
        held = snapshot.get(one.key)
        sides = [one.as_held, held] if held else [one.as_held]
        if one.is_of_file and any(limits.ignores(side, zone) or not limits.is_about(side, zone) for side in sides):
            continue
        if found := service_owned_difference(held.canonical(zone) if held else None, one):
            yield found


def _reported(differing: list[ServiceOwnedSet], service_owned: str | None) -> tuple[ServiceOwnedSet, ...]:
    """Those that are warnings. Raises PlanRefused where one is an error."""
    if refused := [one.message for one in differing if one.severity(service_owned) == "error"]:
        raise PlanRefused("; ".join(f"{message}; leave it out, or set service_owned to warn" for message in refused))
    return tuple(one for one in differing if one.severity(service_owned) == "warn")


def _refuse_unmatched(changes: Iterable[Change]) -> None:
    """Raise PlanRefused where a value is to be the only one, and ``replaces`` does not match the one that is there."""
    for change in changes:
        before, after = change.before, change.after
        if before and after and change.desired.replaces and change.key.type in SINGLE_VALUED and len(after.values) > 1:
            raise PlanRefused(
                f"{change.key} can hold one value, and would hold {' and '.join(after.values)}; "
                f"replaces matches nothing of the set, which holds {' and '.join(before.values)}"
            )


def _brought(snapshot: RecordSets, changes: list[Change]) -> list[RecordSet]:
    """What the plan would leave in the sets that it changes; what was there before counts where a set comes to it."""
    gains = {change.key.name for change in changes if change.before is None}
    ends = {change.key: change.after for change in changes}
    there = [one for key, one in snapshot.items() if key.name in gains and key not in ends] if gains else []
    return there + [after for after in ends.values() if after]


def _lines(record_sets: Iterable[RecordSet | None]) -> str:
    return "".join(f"{line}\n" for line in sorted(line for one in record_sets if one for line in one.zone_file_lines()))
