# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""TTLs: ``ttl_max``, those the service overrules, and how long resolvers cache answers.

* ``ttl_max`` also lowers TTLs that no task sets. The lowest cap counts.
* If the service keeps its own TTL, the task warns and does not ask again.
* Before a set was created, the answer came from the name's CNAME or a wildcard (RFC 4592), or was negative. Negative
  answers are cached for the SOA's TTL or its last field, whichever is less (RFC 2308, section 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .._dns.dialect import Dialect
from .._dns.option_table import checked_ttl
from .._dns.printable import some_names
from .._dns.rdata import InvalidRdata
from .._dns.record_set import MAX_TTL, Key, RecordSet, Sets
from .._dns.zone_view import ZoneView, is_number
from .change import Change
from .desired import Desired
from .globs import Glob, globs_of, matches


@dataclass(frozen=True)
class TtlMax(Glob):
    """In seconds."""

    ttl: int = 0


def ttl_maxima(items: Sequence[Mapping[str, Any]]) -> tuple[TtlMax, ...]:
    """Raises InvalidRdata."""
    found = []
    for glob, item in zip(globs_of(items), items, strict=True):
        ttl = checked_ttl(item["ttl"])
        if ttl is None:
            raise InvalidRdata(f"ttl is empty, but must be 0 to {MAX_TTL} seconds")
        found.append(TtlMax(glob.name, glob.type, glob.value, ttl))
    return tuple(found)


def with_ttl_max(
    desired: Desired, held_set: RecordSet | None, maxima: Iterable[TtlMax], zone: str
) -> Desired:
    """Cap a desired set's TTL; *held_set* is the same set in *zone*."""
    if not desired.values or desired.key.is_owned_by_service(zone):
        return desired
    kept = held_set.values if held_set and desired.keeps_others else ()
    capped = RecordSet(*desired.key, 0, (*desired.values, *kept))
    most = min((one.ttl for one in maxima if matches([one], capped, zone)), default=None)
    if most is None:
        return desired
    ttl = desired.ttl
    if ttl is None and held_set and longest_ttl(held_set) > most:
        ttl = held_set.ttl
    return replace(
        desired,
        ttl=None if ttl is None else min(ttl, most),
        default_ttl=min(desired.default_ttl, most),
    )


def longest_ttl(one: RecordSet) -> int:
    return max(one.ttl, *(ttl for _value, ttl in one.higher_ttls), 0)


def attainable(
    desired: Iterable[Desired], held: Sets, dialect: Dialect
) -> tuple[list[Desired], list[str]]:
    """Ask for the TTLs that the service makes of the desired ones. Returns the sets, and warnings."""
    if not dialect.ttls:
        return [*desired], []
    listed, overruled = [], dict[Key, tuple[int, int]]()
    for one in desired:
        ttl = dialect.asked(one.key, one.ttl, held.get(one.key))
        if ttl is not None and one.ttl is not None and ttl != one.ttl:
            overruled[one.key] = one.ttl, ttl
        listed.append(replace(one, ttl=ttl))
    return listed, [*kept_ttls_in_words(overruled)]


def kept_ttls_in_words(kept_ttls: Mapping[Key, tuple[int, int]]) -> Iterator[str]:
    """Warn once for each TTL sent and kept.

    Every run repeats it: the one that found out may have been killed before it could say so.
    """
    sets: dict[tuple[int, int], list[str]] = {}
    for key, sent_and_kept in sorted(kept_ttls.items()):
        sets.setdefault(sent_and_kept, []).append(str(key))
    for (sent, kept), names in sets.items():
        has = "has" if len(names) == 1 else "have"
        yield f"{some_names(names)} {has} a TTL of {kept} seconds, not {sent}: the service keeps its own"


def cached(zone: str, snapshot: Sets, changes: Iterable[Change]) -> dict[Key, int]:
    """Seconds that resolvers cache each changed set; *snapshot* is the zone before."""
    view = ZoneView(snapshot, zone)
    nothing = negative_ttl(zone, snapshot)
    found = {}
    for change in changes:
        answers = (view.types_at(change.key.name) or {}) if change.before is None else {}
        answered = change.before or answers.get(change.key.type) or answers.get("CNAME")
        found[change.key] = longest_ttl(answered) if answered else nothing
    return found


def negative_ttl(zone: str, snapshot: Sets) -> int:
    """For how many seconds resolvers may cache that a set does not exist."""
    soa = snapshot.get(Key(zone, "SOA"))
    if soa is None:
        return 0
    last = [value.split()[-1] for value in soa.values if value.split()]
    return min([soa.ttl, *(int(text) for text in last if is_number(text, digits=10))])
