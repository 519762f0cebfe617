# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""PTR records, made from the addresses of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.reverse import Address, ReverseZone, turned_round
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import ADDRESS_TYPES


def pointers(sets: Iterable[tuple[RecordSet, bool]], reverse: ReverseZone) -> list[dict[str, Any]]:
    """The PTR sets of a reverse zone, as entries of ``dns_records``, by address.

    *sets* have canonical values, and each comes with whether its TTL was said; sets without addresses, names of
    wildcards and addresses of other zones are left out. An address has all its names, in order, and the lowest TTL
    that any of them says.
    """
    names: dict[Address, set[str]] = {}
    ttls: dict[Address, int] = {}
    for one, has_ttl in sets:
        if one.type not in ADDRESS_TYPES or one.name.startswith("*."):
            continue
        for address in _addresses(one):
            if reverse.holds(address):
                names.setdefault(address, set()).add(one.name)
                if has_ttl:
                    ttls[address] = min(one.ttl, ttls.get(address, one.ttl))
    return [_entry(reverse.owner_name(address), sorted(names[address]), ttls.get(address)) for address in sorted(names)]


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
    said = {} if ttl is None else {"ttl": ttl}
    return {"name": name, "type": "PTR", "content": hosts, **said}
