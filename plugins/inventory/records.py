# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Address records as hosts."""

from __future__ import annotations

DOCUMENTATION = r"""
name: records
short_description: Address records of DNS zones as hosts
version_added: 1.0.0
description:
  - Makes a host of every owner name that has an A, AAAA or CNAME record set. This takes one request for the list of
    zones, and one for each zone.
  - Reads a YAML file whose name ends in C(zonesmith.yml) or C(zonesmith.yaml).
  - The host's name is the owner name without its final dot. If several zones contain the name, the innermost zone
    counts. Names that no host can have, such as wildcards and those with an underscore, are left out.
  - C(ansible_host) is the first address that O(values) matches in the A record set, else in the AAAA record set. For a
    CNAME, it is the target.
  - Invalid addresses and targets, and loopback, unspecified, link-local, multicast and reserved addresses, are passed
    over with a warning. A name with only such values is not a host.
  - Each host has the variables C(zonesmith_zone) (the name of its zone), C(zonesmith_name) (its owner name relative to
    the zone), and C(zonesmith_records) (its record sets with C(type), C(ttl) and C(contents)).
author:
  - The zonesmith.dns contributors (@zonesmith)
extends_documentation_fragment:
  - zonesmith.dns.inventory
  - ansible.builtin.constructed
  - ansible.builtin.inventory_cache
options:
  plugin:
    description: The name of this plugin.
    type: str
    required: true
    choices:
      - zonesmith.dns.records
  zones:
    description: Globs for the zones to read, in upper or lower case, with A-labels (C(xn--...)) or U-labels.
    type: list
    elements: str
    default:
      - '*'
  names:
    description: Globs for the absolute owner names to include, without a final dot.
    type: list
    elements: str
    default:
      - '*'
  types:
    description: The types of record sets to include.
    type: list
    elements: str
    choices:
      - A
      - AAAA
      - CNAME
    default:
      - A
      - AAAA
      - CNAME
  values:
    description:
      - Globs for values in zone-file form, but without the final dot of a CNAME's target. A record set counts if one of
        its values matches.
    type: list
    elements: str
    default:
      - '*'
seealso:
  - plugin: zonesmith.dns.zones
    plugin_type: inventory
"""

EXAMPLES = r"""
---
plugin: zonesmith.dns.records
base_url: https://dns.example.com/api
access_token: "{{ lookup('ansible.builtin.env', 'DNS_TOKEN') }}"
zones:
  - example.com
names:
  - web*
types: [A]
values:
  - 192.0.2.*
keyed_groups:
  - key: zonesmith_zone
    prefix: zone
compose:
  ansible_user: "'admin'"
"""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from ..module_utils._api.client import Client
from ..module_utils._api.zones import read_zones
from ..module_utils._dns.globs import WILDCARD
from ..module_utils._dns.names import relative_name
from ..module_utils._dns.printable import printable
from ..module_utils._dns.rdata import as_read
from ..module_utils._dns.zone_view import ADDRESS_TYPES
from ..module_utils._query.name_servers import (
    may_be_reached,
)
from ..plugin_utils._host_names import is_host_name
from ..plugin_utils._inventory import (
    ServiceInventory,
    matches,
)

READ_TYPES = (*ADDRESS_TYPES, "CNAME")


@dataclass(frozen=True)
class Owner:
    """An owner name: its zone, the record sets that the options choose, and what to connect to, by type."""

    zone: str
    record_sets: list[dict[str, Any]]
    addresses: dict[str, str]


class InventoryModule(ServiceInventory):
    """The inventory plugin under its name."""

    NAME = "zonesmith.dns.records"
    FETCH_OPTIONS = ("zones",)

    def fetch(self, client: Client) -> list[dict[str, Any]]:
        """The address records of the chosen zones."""
        zones = self.get_option("zones")
        return read_zones(
            client, records=True, types=READ_TYPES, matches=lambda name: matches(name, zones)
        )

    def populate(self, found: list[dict[str, Any]]) -> None:
        """Add a host for each chosen owner name."""
        self._warn_of_missing([zone["name"] for zone in found])
        owners: dict[str, Owner] = {}
        # The innermost zone comes last, and takes its names from those around it.
        for zone, listed in sorted(self.named(found), key=_depth):
            owners |= self._owners(zone, listed["records"])
        for name, owner in owners.items():
            if not owner.addresses:
                continue
            first = next(rdtype for rdtype in READ_TYPES if rdtype in owner.addresses)
            variables = {
                "zonesmith_zone": owner.zone,
                "zonesmith_name": relative_name(name, owner.zone),
                "zonesmith_records": owner.record_sets,
                "ansible_host": owner.addresses[first],
            }
            self.add(name, variables)

    def _warn_of_missing(self, found: list[str]) -> None:
        for glob in map(str, self.get_option("zones")):
            if WILDCARD.search(glob):
                continue
            if not any(matches(name, [glob]) for name in found):
                shown = printable(repr(glob))
                self.display.warning(
                    f"zones names {shown}, but the account has no zone of that name."
                )

    def _owners(self, zone: str, records: list[dict[str, Any]]) -> dict[str, Owner]:
        """The zone's owner names that a host can have, chosen or not."""
        owners: dict[str, Owner] = {}
        for record in records:
            name = record["name"].rstrip(".")
            if not is_host_name(name):
                continue
            owner = owners.setdefault(name, Owner(zone, [], {}))
            address = self._address(name, zone, record)
            if address:
                fields = ("type", "ttl", "contents")
                owner.record_sets.append({field: record[field] for field in fields})
                owner.addresses[record["type"]] = address
        return owners

    def _address(self, name: str, zone: str, record: dict[str, Any]) -> str | None:
        """The first usable value of a record set that the options choose, if any."""
        rdtype = record["type"]
        if rdtype not in self.get_option("types"):
            return None
        if not matches(name, self.get_option("names")):
            return None
        for content in record["contents"]:
            value = as_read(rdtype, content, f"{zone}.").rstrip(".")
            if not matches(value, self.get_option("values")):
                continue
            address = _usable_address(rdtype, value)
            if address:
                return address
            shown = printable(repr(value))
            self.display.warning(
                f"The {rdtype} value {shown} of {name} is left out: it is neither an address nor a "
                "host name."
            )
        return None


def _depth(zone: tuple[str, dict[str, Any]]) -> int:
    return zone[0].count(".")


def _usable_address(rdtype: str, value: str) -> str | None:
    """An address to connect to, or None.

    Unusable are loopback, unspecified, link-local, multicast and reserved addresses, and zone indexes (RFC 4007).
    """
    if rdtype == "CNAME":
        target = value.lower()
        if is_host_name(target):
            return target
        return None
    try:
        address = IPv4Address(value) if rdtype == "A" else IPv6Address(value)
        is_usable = "%" not in value and may_be_reached(value)
    except ValueError:
        return None
    return str(address) if is_usable else None
