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
    desired: Desired, held: RecordSet | None, maxima: Iterable[TtlMax], zone: str
) -> Desired:
    """Cap a desired set's TTL; *held* is the same set in *zone*."""
    if not desired.values or desired.key.is_owned_by_service(zone):
        return desired
    values = desired.values
    if held and desired.keeps_others:
        values += held.values
    capped = RecordSet(*desired.key, 0, values)
    allowed = [one.ttl for one in maxima if matches([one], capped, zone)]
    if not allowed:
        return desired
    most = min(allowed)
    ttl = desired.ttl
    if ttl is None and held and max(held.ttls) > most:
        ttl = held.ttl
    if ttl is not None:
        ttl = min(ttl, most)
    return replace(desired, ttl=ttl, default_ttl=min(desired.default_ttl, most))


def attainable(
    desired: Iterable[Desired], held: Sets, dialect: Dialect
) -> tuple[list[Desired], list[str]]:
    """Ask for the TTLs that the service makes of the desired ones. Returns the sets, and warnings."""
    if not dialect.ttls:
        return [*desired], []
    asked = []
    overruled: dict[Key, tuple[int, int]] = {}
    for one in desired:
        ttl = dialect.asked(one.key, one.ttl, held.get(one.key))
        if ttl is not None and one.ttl is not None and ttl != one.ttl:
            overruled[one.key] = one.ttl, ttl
            one = replace(one, ttl=ttl)
        asked.append(one)
    return asked, [*kept_ttls_in_words(overruled)]


def kept_ttls_in_words(ttls: Mapping[Key, tuple[int, int]]) -> Iterator[str]:
    """Warn once for each TTL sent, and the one that the service keeps.

    Every run repeats it: the one that found out may have been killed before it could say so.
    """
    sets: dict[tuple[int, int], list[str]] = {}
    for key, sent_and_kept in sorted(ttls.items()):
        sets.setdefault(sent_and_kept, []).append(str(key))
    for (sent, kept), names in sets.items():
        has = "has" if len(names) == 1 else "have"
        yield (
            f"{some_names(names)} {has} a TTL of {kept} seconds, not {sent}: the service keeps its "
            "own"
        )


def cached(zone: str, held: Sets, changes: Iterable[Change]) -> dict[Key, int]:
    """Seconds that resolvers cache each changed set; *held* is the zone before."""
    view = ZoneView(held, zone)
    nothing = negative_ttl(zone, held)
    found = {}
    for change in changes:
        answered = change.before
        if answered is None:
            types = view.types_at(change.key.name) or {}
            answered = types.get(change.key.type) or types.get("CNAME")
        found[change.key] = max(answered.ttls) if answered else nothing
    return found


def negative_ttl(zone: str, held: Sets) -> int:
    """For how many seconds resolvers may cache that a set does not exist."""
    soa = held.get(Key(zone, "SOA"))
    if soa is None:
        return 0
    seconds = [soa.ttl]
    for value in soa.values:
        fields = value.split()
        if fields and is_number(fields[-1], digits=10):
            seconds.append(int(fields[-1]))
    return min(seconds)
