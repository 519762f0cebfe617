# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes PTR records from address records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from .globs import matches_name
from .names import spellings
from .record_set import RecordSet
from .reverse import Address, ReverseZone


def pointers(
    sets: Iterable[tuple[RecordSet, bool]],
    reverse: ReverseZone,
    prefer: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """The PTR sets of a reverse zone, as records of ``dns_records`` sorted by address.

    *sets* are of A and AAAA with canonical values, each with whether its TTL was given. Wildcards and addresses outside
    the zone are skipped. The lowest given TTL counts. With *prefer*, which are globs in lower case, an address has one
    name.
    """
    ttls: dict[Address, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for one, has_ttl in sets:
        if one.name.startswith("*."):
            continue
        for address in _addresses(one):
            if reverse.holds(address):
                given = ttls[address][one.name]
                if has_ttl:
                    given.append(one.ttl)
    records = []
    for address, names in sorted(ttls.items()):
        hosts = sorted(names)
        if prefer is not None:
            hosts = [_preferred(hosts, prefer)]
        record: dict[str, Any] = {
            "name": reverse.owner_name(address),
            "type": "PTR",
            "content": hosts,
        }
        given = [min(names[host]) for host in hosts if names[host]]
        if given:
            record["ttl"] = min(given)
        records.append(record)
    return records


def _preferred(names: Sequence[str], globs: Iterable[str]) -> str:
    """The first name that is matched by the first glob that matches any; else the first name."""
    for glob in globs:
        for name in names:
            if matches_name(glob, spellings(name, ".")):
                return name
    return names[0]


def _addresses(one: RecordSet) -> Iterator[Address]:
    """The addresses of a set; what a service shows and nobody can read is left out."""
    for value in one.values:
        with suppress(ValueError):
            yield ip_address(value)
