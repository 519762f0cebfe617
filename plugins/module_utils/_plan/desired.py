# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Desired record sets, and what no zone may hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from .._dns.record_set import BESIDE_CNAME, DEFAULT_TTL, Key, RecordSet

EVERY_TYPE = "*"
"""Stands for all types that the zone has at a name."""


@dataclass(frozen=True, slots=True)
class Desired:
    """What a task wants of one record set.

    The set holds *values* only. With *keeps_others*, others stay, except *unwanted* ones and those that *replaces*
    matches. *pruned* sets go because no task names them. *undotted* are hosts with a dot inside and none at the end,
    each with the relative name it may mean. *is_absolute* means that the task writes the name in full. *is_of_file*
    marks the service's sets in a zone file, which are only compared.
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
    is_absolute: bool = field(default=False, compare=False)
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


@dataclass(frozen=True)
class Problem:
    """A forbidden record set, in words for a record and for a set in a zone."""

    key: Key
    of_record: str
    of_zone: str
    beside: tuple[Key, ...] = ()
    """The sets in conflict with it."""


def cname_alone(sets: Collection[Desired | RecordSet]) -> Iterator[Problem]:
    """A CNAME is alone at its name (RFC 1034, section 3.6.2), except for signatures (RFC 4035, section 2.5)."""
    at_cnames: dict[str, set[str]] = {}
    for one in sets:
        if one.type == "CNAME" and one.values:
            at_cnames[one.name] = set()
    for one in sets:
        if one.name in at_cnames and one.values:
            at_cnames[one.name].add(one.type)
    for name, types in sorted(at_cnames.items()):
        beside = sorted(types - BESIDE_CNAME - {"CNAME"})
        if beside:
            yield _not_alone(name, beside)


def _not_alone(name: str, beside: Sequence[str]) -> Problem:
    others = ", ".join(beside)
    are = "is" if len(beside) == 1 else "are"
    return Problem(
        Key(name, "CNAME"),
        f"a CNAME must be alone at its name, but {others} {are} there too",
        f"{name} would hold a CNAME beside {others}, but a CNAME must be alone at its name: list "
        "one of them with state absent in the same dns_records task, or remove it in an earlier "
        "task (which removes nothing in check mode)",
        tuple(Key(name, rdtype) for rdtype in beside),
    )


def one_value(sets: Iterable[Desired | RecordSet]) -> Iterator[Problem]:
    """A CNAME has one value (RFC 2181, section 10.1), and so has a DNAME (RFC 6672, section 2.4)."""
    several: dict[Key, tuple[str, ...]] = {}
    for one in sets:
        if one.type in SINGLE_VALUED and len(one.values) > 1:
            several[one.key] = one.values
    for key, listed in sorted(several.items()):
        values = " and ".join(listed)
        yield Problem(
            key,
            f"a {key.type} holds one value",
            f"{key.name} {key.type} can hold only one value, but would hold {values}: set "
            "exclusive to true (for an owner, takeover) to replace the old one, or replaces to a "
            "glob that matches it",
        )


def problems(sets: Collection[Desired | RecordSet]) -> Iterator[Problem]:
    yield from one_value(sets)
    yield from cname_alone(sets)
