# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Live record sets and wanted ones to a plan. Pure: no I/O, no Ansible, no clock.

The rules, in words:

* What is there and wanted stays. A wanted value that is missing is created.
* Of the values that are there and not wanted, those named as unwanted go; the others stay, unless the set is to hold
  exactly the wanted values.
* A set keeps its TTL unless another is wanted. A new set without a wanted TTL has the default.
* The service can only add a value or delete a whole set. So a set from which a value goes, or whose TTL changes, is
  rebuilt: deleted, then created value by value. Where adding is enough nothing is deleted.
* Pruning removes the sets that nobody wants: never SOA, never NS at the apex, never what is ignored, and never more
  than a share of the zone.
* A CNAME is alone at its name once the plan is carried out (RFC 1034, section 3.6.2), and has one value, like a DNAME.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name, with_u_labels
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import as_read, lacks_preference, same
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets, RecordSet

DEFAULT_TTL = 3600
BESIDE_CNAME = frozenset({"RRSIG", "NSEC"})  # RFC 4035, section 2.5
SINGLE_VALUED = frozenset({"CNAME", "DNAME"})
PRUNE_LIMIT_FROM = 10


class PlanRefused(Exception):
    """A plan that would leave the zone wrong, or that is too large to be meant; says which sets, and what to do."""


@dataclass(frozen=True)
class Wanted:
    """What a task wants of one record set. Values are canonical."""

    name: str
    type: str
    values: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    keeps_others: bool = False
    ttl: int | None = None
    default_ttl: int = DEFAULT_TTL

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the set in its zone."""
        return (self.name, self.type)


@dataclass(frozen=True)
class Change:
    """One set as it is and as it will be, both with canonical values, and the wish that leads from one to the other."""

    before: RecordSet | None
    after: RecordSet | None
    wanted: Wanted

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the set in its zone."""
        return self.wanted.key

    @property
    def action(self) -> str:
        """``create``, ``extend``, ``rebuild`` or ``delete``."""
        if self.before is None:
            return "create"
        if self.after is None:
            return "delete"
        stays = self.before.ttl == self.after.ttl and set(self.before.contents) <= set(self.after.contents)
        return "extend" if stays else "rebuild"

    @property
    def deletes(self) -> bool:
        """Whether the set is deleted on the way."""
        return self.action in ("rebuild", "delete")

    @property
    def creates(self) -> tuple[str, ...]:
        """The values to create, in order."""
        if self.after is None:
            return ()
        if self.before is None or self.deletes:
            return self.after.contents
        return tuple(value for value in self.after.contents if value not in self.before.contents)

    @property
    def depends_on_others(self) -> bool:
        """Whether carrying it out on an outdated reading would undo what somebody else wrote meanwhile."""
        return self.action == "rebuild" or (self.action == "delete" and self.wanted.keeps_others)

    def goal(self) -> Wanted:
        """What must hold once the change is carried out, whatever happened on the way.

        The wish alone will not do: after a rebuild was cut short, the values that were only kept are in no live set.
        """
        before = self.before.contents if self.before else ()
        after = self.after.contents if self.after else ()
        return replace(
            self.wanted,
            values=after if self.deletes else self.wanted.values,
            unwanted=self.wanted.unwanted + tuple(value for value in before if value not in after),
            default_ttl=self.after.ttl if self.after else self.wanted.default_ttl,
        )

    def as_result(self) -> dict[str, Any]:
        """The change as modules return it."""

        def side(record_set: RecordSet | None) -> dict[str, Any] | None:
            return {"ttl": record_set.ttl, "contents": list(record_set.contents)} if record_set else None

        return {
            "name": self.wanted.name,
            "type": self.wanted.type,
            "action": self.action,
            "before": side(self.before),
            "after": side(self.after),
        }


@dataclass(frozen=True)
class Plan:
    """All changes that lead from the live sets to the wanted ones, sorted by name and type."""

    changes: tuple[Change, ...]
    unchanged: int

    @property
    def summary(self) -> dict[str, int]:
        """How many sets are created, extended, rebuilt, deleted, and were already as wanted."""
        words = {"create": "created", "extend": "extended", "rebuild": "rebuilt", "delete": "deleted"}
        counts = dict.fromkeys(words.values(), 0)
        for change in self.changes:
            counts[words[change.action]] += 1
        return {**counts, "unchanged": self.unchanged}

    def diff(self) -> dict[str, str]:
        """The changing sets before and after, as sorted lines of a zone file."""
        return {
            side: "".join(f"{line}\n" for line in sorted(_lines(getattr(change, side) for change in self.changes)))
            for side in ("before", "after")
        }


@dataclass(frozen=True)
class Prune:
    """The wish that a zone holds no other sets: globs of relative name and type to spare, and a limit in percent."""

    ignore: tuple[tuple[str, str], ...] = ()
    limit: int = 30

    def ignores(self, name: str, rdtype: str, zone: str) -> bool:
        """Whether one of the globs matches the set."""
        relative = relative_name(name, zone)
        spellings = {relative, with_u_labels(relative)} if "xn--" in relative else {relative}
        return any(
            fnmatchcase(rdtype, types) and any(fnmatchcase(spelling, names) for spelling in spellings)
            for names, types in self.ignore
        )


def is_owned_by_service(name: str, rdtype: str, zone: str) -> bool:
    """Whether the service alone writes the set: SOA, and NS at the apex (spec 1)."""
    return rdtype == "SOA" or (rdtype == "NS" and name == zone)


def plan(zone: str, live: LiveSets, wanted: Iterable[Wanted], prune: Prune | None = None) -> Plan:
    """The changes that give every wanted set, and with *prune* no others. Raises PlanRefused."""
    wishes = {wish.key: wish for wish in wanted}
    changes = [change for wish in wishes.values() if (change := _change(zone, live.get(wish.key), wish))]
    unchanged = len(wishes) - len(changes)
    if prune is not None:
        changes += _pruned(zone, live, wishes.keys(), prune)
    changes.sort(key=lambda change: change.key)
    _check_single_values(changes)
    _check_cnames_alone(live, changes)
    return Plan(tuple(changes), unchanged)


def canonical_set(record_set: RecordSet, zone: str) -> RecordSet:
    """A live set with its values in canonical form."""
    values = (as_read(record_set.type, content, zone) for content in record_set.contents)
    return replace(record_set, contents=tuple(dict.fromkeys(values)))


def _change(zone: str, live: RecordSet | None, wish: Wanted) -> Change | None:
    before = canonical_set(live, zone) if live else None
    there = before.contents if before else ()
    kept = tuple(value for value in there if _stays(value, wish))
    added = tuple(value for value in wish.values if not _among(wish.type, value, kept))
    contents = kept + added
    ttl = wish.ttl if wish.ttl is not None else before.ttl if before else wish.default_ttl
    if not contents:
        return Change(before, None, wish) if before else None
    change = Change(before, RecordSet(wish.name, wish.type, ttl, contents), wish)
    if change.before == change.after:
        return None
    if change.deletes:
        contents = _with_preferences(contents, wish)
    return replace(change, after=RecordSet(wish.name, wish.type, ttl, contents))


def _stays(value: str, wish: Wanted) -> bool:
    if _among(wish.type, value, wish.values):
        return True
    return wish.keeps_others and not _among(wish.type, value, wish.unwanted)


def _among(rdtype: str, value: str, values: tuple[str, ...]) -> bool:
    return value in values or (rdtype == "MX" and any(same(rdtype, value, other) for other in values))


def _with_preferences(contents: tuple[str, ...], wish: Wanted) -> tuple[str, ...]:
    """The values to create, where the service shows MX hosts without their preference: as the task writes them."""
    values: list[str] = []
    for value in contents:
        if lacks_preference(wish.type, value):
            written = [other for other in wish.values if same(wish.type, value, other)]
            if not written:
                raise PlanRefused(
                    f"{wish.name} MX must be rebuilt, and the service does not tell the preference of {value}: "
                    "list that value with its preference"
                )
            values += written
        else:
            values.append(value)
    return tuple(dict.fromkeys(values))


def _pruned(zone: str, live: LiveSets, wishes: Iterable[tuple[str, str]], prune: Prune) -> list[Change]:
    prunable = [
        key for key in live if not is_owned_by_service(*key, zone) and not prune.ignores(*key, zone)
    ]  # fmt: skip
    wished = set(wishes)
    going = [key for key in prunable if key not in wished]
    if len(prunable) >= PRUNE_LIMIT_FROM and len(going) * 100 > prune.limit * len(prunable):
        names = ", ".join(f"{name} {rdtype}" for name, rdtype in sorted(going))
        raise PlanRefused(
            f"prune would remove {len(going)} of the zone's {len(prunable)} sets, more than prune_limit "
            f"({prune.limit} percent) allows: {names}"
        )
    return [Change(canonical_set(live[key], zone), None, Wanted(*key)) for key in going]


def _check_single_values(changes: list[Change]) -> None:
    for change in changes:
        if change.after and change.after.type in SINGLE_VALUED and len(change.after.contents) > 1:
            raise PlanRefused(
                f"{change.after.name} {change.after.type} can hold one value, and would hold "
                f"{' and '.join(change.after.contents)}; to replace the old one, set exclusive to true"
            )


def _check_cnames_alone(live: LiveSets, changes: list[Change]) -> None:
    gains = {change.wanted.name for change in changes if change.before is None}
    types: dict[str, set[str]] = {name: set() for name in gains}
    for name, rdtype in live:
        if name in gains:
            types[name].add(rdtype)
    for change in changes:
        if change.wanted.name in gains:
            (types[change.wanted.name].add if change.after else types[change.wanted.name].discard)(change.wanted.type)
    for name, held in sorted(types.items()):
        beside = held - BESIDE_CNAME
        if "CNAME" in beside and len(beside) > 1:
            others = ", ".join(sorted(beside - {"CNAME"}))
            raise PlanRefused(
                f"{name} would hold a CNAME beside {others}, and a CNAME must be alone at its name: "
                "remove one or the other first"
            )


def _lines(record_sets: Iterable[RecordSet | None]) -> list[str]:
    return [line for record_set in record_sets if record_set for line in record_set.zone_file_lines()]
