# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What name servers should answer.

* An answer must have all desired values, and no unwanted or replaced ones, or no others at all if the task lists the
  whole set. A desired TTL counts as the zone shows it.
* A wildcard may answer for a deleted name (RFC 4592, section 2.2.1).
* Below a delegation, only the addresses of its servers are answered (RFC 1034, section 4.2.1); below a DNAME, nothing
  is (RFC 6672, section 2.4).
* A service answers its own types, such as ALIAS, with addresses that no set holds.
* Sets of the service, signatures, and types without a number are not awaited.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from .._dns.rdata import is_unknown
from .._dns.record_set import Key, RecordSet, Sets, values_of
from .._dns.zone_view import ADDRESS_TYPES, ZoneView
from .change import Change, leaving
from .desired import Desired, with_types


@dataclass(frozen=True, slots=True)
class Awaited(Desired):
    """A desired set; with *instead* if it is absent.

    A server of the delegated zone, if any, answers from that zone: *delegated_at*.
    """

    instead: tuple[str, ...] = ()
    delegated_at: str | None = None

    def is_met_by(self, answered: Collection[str]) -> bool:
        if self.instead and not self.values and set(answered) == set(self.instead):
            return True
        answer = RecordSet(*self.key, 0, tuple(answered))
        return set(self.values).issubset(answered) and not leaving(answer, self)


def awaited_of(
    zone: str,
    held: Sets,
    desired: Iterable[Desired],
    planned: Iterable[Change],
    recovered: Iterable[Change],
) -> list[Awaited]:
    """The answers to await from the zone's servers.

    *planned* adds sets that no entry names, *recovered* those that were completed for an earlier run.
    """
    named = {one.key: one for one in with_types(desired, held, zone)}
    completed = [change for change in recovered if change.after]
    for change in (*planned, *completed):
        named.setdefault(change.key, change.desired)
    view = ZoneView(held, zone)
    awaited = []
    for key, one in named.items():
        if _is_answered(view, key):
            awaited.append(_awaited(view, held.get(key), one))
    return awaited


def _is_answered(view: ZoneView, key: Key) -> bool:
    """Whether servers answer for the set from the zone's data."""
    if is_unknown(key.type) or key.is_made_by_service(view.zone):
        return False
    cut = view.cut_at(key.name)
    if cut is None:
        return True
    if cut.type != "NS":
        return False
    if cut.name == key.name and key.type in ("NS", "DS"):
        return True
    return key.type in ADDRESS_TYPES and key.name in cut.values


def _awaited(view: ZoneView, held: RecordSet | None, desired: Desired) -> Awaited:
    key = desired.key
    delegated_at = _delegated_at(view, key)
    awaited = Awaited(
        *key, desired.values, desired.unwanted, desired.keeps_others, delegated_at=delegated_at
    )
    if held:
        ttl = None if desired.ttl is None else held.ttl
        return replace(awaited, ttl=ttl, replaces=desired.replaces)
    types = view.types_at(key.name) or {}
    # For a type of its own, the service answers with addresses that no set holds.
    if key.type in ADDRESS_TYPES and any(map(is_unknown, types)):
        return replace(awaited, unwanted=(), keeps_others=True)
    return replace(awaited, instead=values_of(types.get(key.type)))


def _delegated_at(view: ZoneView, key: Key) -> str | None:
    """The name that another zone serves, if a set is there or below."""
    if key.type == "NS":
        return key.name
    cut = view.cut_at(key.name)
    return cut.name if cut else None
