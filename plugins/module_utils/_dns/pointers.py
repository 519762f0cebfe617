# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes PTR records from address records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import Any

from .globs import matches_name
from .names import with_u_labels
from .record_set import RecordSet
from .reverse import Address, ReverseZone, turned_round
from .zone_view import ADDRESS_TYPES


class Preference:
    """Keeps one name for each address, by the first glob that matches any."""

    def __init__(self, globs: Iterable[str]):
        self._globs = [glob.strip().lower() for glob in globs]
        self.chosen: dict[Address, tuple[str, Sequence[str]]] = {}
        """The chosen name and its rivals, for addresses whose names no glob separates."""

    def choose(self, address: Address, names: Sequence[str]) -> Sequence[str]:
        """The preferred one of *names* (sorted), else the first."""
        preferred = next(
            (met for glob in self._globs if (met := [one for one in names if _meets(glob, one)])),
            names,
        )
        if len(preferred) > 1:
            self.chosen[address] = preferred[0], preferred
        return preferred[:1]


def _meets(glob: str, name: str) -> bool:
    spelled = {name, with_u_labels(name)}
    return matches_name(glob, spelled | {one.removesuffix(".") for one in spelled})


def pointers(
    sets: Iterable[tuple[RecordSet, bool]],
    reverse: ReverseZone,
    preference: Preference | None = None,
) -> list[dict[str, Any]]:
    """The PTR sets of a reverse zone, as records of ``dns_records`` sorted by address.

    *sets* have canonical values, each with whether its TTL was given. Other types, wildcards and addresses outside the
    zone are skipped. The lowest given TTL counts.
    """
    ttls: dict[Address, dict[str, list[int]]] = {}
    for one, has_ttl in sets:
        if one.type not in ADDRESS_TYPES or one.name.startswith("*."):
            continue
        for address in _addresses(one):
            if reverse.holds(address):
                ttls.setdefault(address, {}).setdefault(one.name, []).extend([one.ttl] * has_ttl)
    records = []
    for address, names in sorted(ttls.items()):
        hosts = sorted(names)
        if preference:
            hosts = [*preference.choose(address, hosts)]
        lowest = min((ttl for host in hosts for ttl in names[host]), default=None)
        of_ttl = {} if lowest is None else {"ttl": lowest}
        records.append(
            {"name": reverse.owner_name(address), "type": "PTR", "content": hosts, **of_ttl}
        )
    return records


def why_none(sets: Iterable[RecordSet], reverse: ReverseZone) -> str:
    """Why no address belongs in the zone; empty if any does."""
    addresses = [
        address for one in sets if one.type in ADDRESS_TYPES for address in _addresses(one)
    ]
    if not addresses or any(map(reverse.holds, addresses)):
        return ""
    other = turned_round(reverse)
    is_meant = other and any(map(other.holds, addresses))
    asked = (
        f" (did you mean {other.name.rstrip('.')}?)"
        if other and is_meant
        else ": is its name spelled correctly?"
    )
    return f"none of the addresses is from {reverse.first} to {reverse.last}{asked}"


def _addresses(one: RecordSet) -> Iterator[Address]:
    for value in one.values:
        try:
            yield ip_address(value)
        except ValueError:
            continue  # unreadable, from a service
