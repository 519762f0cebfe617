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

from .._dns.input_checks import checked_ttl
from .._dns.printable import some_names
from .._dns.rdata import InvalidRdata
from .._dns.record_set import MAX_TTL, Key, RecordSet, RecordSets
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


KeptTTLs = Mapping[Key, tuple[int, int]]
"""By set, the TTL sent and the one kept, in seconds."""


def with_kept_ttls(
    desired: Iterable[Desired], snapshot: RecordSets, kept_ttls: KeptTTLs
) -> tuple[list[Desired], KeptTTLs]:
    """Replace desired TTLs that the service overrules. Returns the sets and those TTLs."""
    listed, found = [*desired], dict[Key, tuple[int, int]]()
    for one in listed if kept_ttls else ():
        held = snapshot.get(one.key)
        if (
            held
            and one.ttl not in (None, held.ttl)
            and is_kept(kept_ttls.get(one.key), one.ttl, held.ttl)
        ):
            found[one.key] = one.ttl, held.ttl
    if not found:
        return listed, found
    return [
        replace(one, ttl=found[one.key][1]) if one.key in found else one for one in listed
    ], found


def is_kept(sent_and_kept: tuple[int, int] | None, ttl: int, held_ttl: int) -> bool:
    """Whether the service makes *held_ttl* of *ttl*, judging by one that it overruled.

    A service that caps or rounds treats all values in between alike.
    """
    if sent_and_kept is None or sent_and_kept[1] != held_ttl:
        return False
    return min(sent_and_kept) <= ttl <= max(sent_and_kept)


def kept_ttls_in_words(kept_ttls: KeptTTLs) -> Iterator[str]:
    """Warn once for each TTL sent and kept.

    Every run repeats it: the one that found out may have been killed before it could say so.
    """
    sets: dict[tuple[int, int], list[str]] = {}
    for key, sent_and_kept in sorted(kept_ttls.items()):
        sets.setdefault(sent_and_kept, []).append(str(key))
    for (sent, kept), names in sets.items():
        has = "has" if len(names) == 1 else "have"
        yield f"{some_names(names)} {has} a TTL of {kept} seconds, not {sent}: the service keeps its own"


def cached(zone: str, snapshot: RecordSets, changes: Iterable[Change]) -> dict[Key, int]:
    """Seconds that resolvers cache each changed set; *snapshot* is the zone before."""
    view = ZoneView(snapshot, zone)
    nothing = _of_nothing(zone, snapshot)
    found = {}
    for change in changes:
        answers = (view.types_at(change.key.name) or {}) if change.before is None else {}
        answered = change.before or answers.get(change.key.type) or answers.get("CNAME")
        found[change.key] = longest_ttl(answered) if answered else nothing
    return found


def _of_nothing(zone: str, snapshot: RecordSets) -> int:
    """The TTL of a negative answer."""
    soa = snapshot.get(Key(zone, "SOA"))
    if soa is None:
        return 0
    last = [value.split()[-1] for value in soa.values if value.split()]
    return min([soa.ttl, *(int(text) for text in last if is_number(text, digits=10))])
