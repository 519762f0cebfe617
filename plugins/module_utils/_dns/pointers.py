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
from .zone_view import ADDRESS_TYPES


class Preference:
    """Keeps one name for each address, by the first glob that matches any."""

    def __init__(self, globs: Iterable[str]):
        self._globs = [glob.strip().lower() for glob in globs]
        self.chosen: dict[Address, tuple[str, Sequence[str]]] = {}
        """The chosen name and its rivals, for addresses whose names no glob separates."""

    def choose(self, address: Address, names: Sequence[str]) -> str:
        """The preferred one of *names* (sorted), else the first."""
        preferred = self._preferred(names)
        if len(preferred) > 1:
            self.chosen[address] = preferred[0], preferred
        return preferred[0]

    def _preferred(self, names: Sequence[str]) -> Sequence[str]:
        for glob in self._globs:
            matched = [name for name in names if matches_name(glob, spellings(name, "."))]
            if matched:
                return matched
        return names


def pointers(
    sets: Iterable[tuple[RecordSet, bool]],
    reverse: ReverseZone,
    preference: Preference | None = None,
) -> list[dict[str, Any]]:
    """The PTR sets of a reverse zone, as records of ``dns_records`` sorted by address.

    *sets* have canonical values, each with whether its TTL was given. Other types, wildcards and addresses outside the
    zone are skipped. The lowest given TTL counts.
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
        if preference:
            hosts = [preference.choose(address, hosts)]
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


def why_none(sets: Iterable[RecordSet], reverse: ReverseZone) -> str:
    """Why no address belongs in the zone; empty if any does."""
    addresses: list[Address] = []
    for one in sets:
        addresses += _addresses(one)
    if not addresses or any(map(reverse.holds, addresses)):
        return ""
    return (
        f"none of the addresses is from {reverse.first} to {reverse.last}: is its name spelled "
        "correctly?"
    )


def _addresses(one: RecordSet) -> Iterator[Address]:
    """The addresses of an A or AAAA set; what a service shows and nobody can read is left out."""
    if one.type not in ADDRESS_TYPES:
        return
    for value in one.values:
        with suppress(ValueError):
            yield ip_address(value)
