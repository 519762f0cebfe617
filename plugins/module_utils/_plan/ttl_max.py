# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The most that the TTL of some sets may be, whatever a task says of it: so that a move is done in minutes. Pure.

It is met by what a set is to hold. Of several that a set meets the least counts. A set whose TTL nobody says has it
too, where the zone has a larger one, or a new set would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.given import given_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    MAX_TTL,
    RecordSet,
    is_owned_by_service,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob, globs_of, matches
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted


@dataclass(frozen=True)
class TtlMax(Glob):
    """The sets of a glob, and the seconds that their TTL may have at most."""

    ttl: int = 0


def ttl_maxima(entries: Sequence[Mapping[str, Any]]) -> tuple[TtlMax, ...]:
    """What the entries of the option say. Raises InvalidRdata."""
    found = []
    for glob, entry in zip(globs_of(entries), entries, strict=True):
        ttl = given_ttl(entry["ttl"])
        if ttl is None or not 0 <= ttl <= MAX_TTL:
            raise InvalidRdata(f"ttl is {entry['ttl']}, and a TTL is 0 to {MAX_TTL} seconds")
        found.append(TtlMax(glob.name, glob.type, glob.value, ttl))
    return tuple(found)


def with_ttl_max(wanted: Wanted, live_set: RecordSet | None, maxima: Iterable[TtlMax], zone: str) -> Wanted:
    """The same with no larger TTL than *maxima* allow; *live_set* is what *zone* (canonical) holds of it."""
    if not wanted.values or is_owned_by_service(*wanted.key, zone):
        return wanted
    kept = live_set.values if live_set and wanted.keeps_others else ()
    most = _most(RecordSet(*wanted.key, 0, (*wanted.values, *kept)), maxima, zone)
    if most is None:
        return wanted
    ttl = wanted.ttl
    if ttl is None and live_set and longest_ttl(live_set) > most:
        ttl = live_set.ttl
    return replace(wanted, ttl=None if ttl is None else min(ttl, most), default_ttl=min(wanted.default_ttl, most))


def with_ttl_asked_for(change: Change, maxima: Iterable[TtlMax], zone: str) -> Change:
    """The same, and where it makes a set that *maxima* meet, the task asks for the TTL that it is made with.

    Then it shows that the service keeps another one, which may be a larger one than is allowed.
    """
    wanted, after = change.wanted, change.after
    if wanted.ttl is not None or after is None or change.action == "extend" or _most(after, maxima, zone) is None:
        return change
    return replace(change, wanted=replace(wanted, ttl=after.ttl))


def _most(held: RecordSet, maxima: Iterable[TtlMax], zone: str) -> int | None:
    """The largest TTL, in seconds, that a set may have; None is any."""
    return min((one.ttl for one in maxima if matches([one], held, zone)), default=None)


def longest_ttl(one: RecordSet) -> int:
    """The TTL of a set, in seconds, and where its values have several the largest."""
    return max(one.ttl, *(ttl for _value, ttl in one.higher_ttls), 0)
