# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""PTR records, made from the addresses of names; of several names of an address one can be preferred."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.globs import matches_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import with_u_labels
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.reverse import Address, ReverseZone, turned_round
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import ADDRESS_TYPES

Choose = Callable[[Address, Sequence[str]], Sequence[str]]
"""Of the names of an address, those that it is to have."""


def all_names(_address: Address, names: Sequence[str]) -> Sequence[str]:
    """An address has all its names."""
    return names


class Preference:
    """The one name of an address that globs prefer: the first glob that matches any name decides."""

    def __init__(self, globs: Iterable[str]):
        self._globs = [glob.strip().lower() for glob in globs]
        self.chosen: dict[Address, tuple[str, Sequence[str]]] = {}
        """The name of each address that has several which no glob tells apart, and those among which it was chosen."""

    def choose(self, address: Address, names: Sequence[str]) -> Sequence[str]:
        """The preferred one of some names (canonical, in order); where no glob tells them apart, the first of them."""
        preferred = next((met for glob in self._globs if (met := [one for one in names if _meets(glob, one)])), names)
        if len(preferred) > 1:
            self.chosen[address] = preferred[0], preferred
        return preferred[:1]


def _meets(glob: str, name: str) -> bool:
    """Whether a glob matches an absolute name, with or without its final dot, with A-labels or as people read them."""
    spelled = {name, with_u_labels(name)}
    return matches_name(glob, spelled | {one.removesuffix(".") for one in spelled})


def pointers(
    sets: Iterable[tuple[RecordSet, bool]], reverse: ReverseZone, choose: Choose = all_names
) -> list[dict[str, Any]]:
    """The PTR sets of a reverse zone, as entries of ``dns_records``, by address.

    *sets* have canonical values, and each comes with whether its TTL was given; sets without addresses, names of
    wildcards and addresses of other zones are left out. An address has those of its names that are chosen, in order,
    and the lowest TTL that any of them says.
    """
    ttls: dict[Address, dict[str, list[int]]] = {}
    for one, has_ttl in sets:
        if one.type not in ADDRESS_TYPES or one.name.startswith("*."):
            continue
        for address in _addresses(one):
            if reverse.holds(address):
                ttls.setdefault(address, {}).setdefault(one.name, []).extend([one.ttl] * has_ttl)
    entries = []
    for address, names in sorted(ttls.items()):
        hosts = [*choose(address, sorted(names))]
        lowest = [ttl for host in hosts for ttl in names[host]]
        entries.append(_entry(reverse.owner_name(address), hosts, min(lowest, default=None)))
    return entries


def why_none(sets: Iterable[RecordSet], reverse: ReverseZone) -> str:
    """What people are told of a reverse zone that is for none of the addresses in sets; empty where there is none."""
    addresses = [address for one in sets if one.type in ADDRESS_TYPES for address in _addresses(one)]
    if not addresses or any(map(reverse.holds, addresses)):
        return ""
    other = turned_round(reverse)
    is_meant = other and any(map(other.holds, addresses))
    asked = f" (did you mean {other.name.rstrip('.')}?)" if other and is_meant else ": is its name written as meant?"
    return f"none of the addresses is one from {reverse.first} to {reverse.last}{asked}"


def _addresses(one: RecordSet) -> Iterator[Address]:
    for value in one.values:
        try:
            yield ip_address(value)
        except ValueError:
            continue  # what a service shows and nobody can read


def _entry(name: str, hosts: list[str], ttl: int | None) -> dict[str, Any]:
    of_ttl = {} if ttl is None else {"ttl": ttl}
    return {"name": name, "type": "PTR", "content": hosts, **of_ttl}
