#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Read zones and their records."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_zone_info
short_description: Read DNS zones and their records
version_added: 1.0.0
description:
  - Lists the zones of the account, and the record sets of one zone or of all zones, as the service shows them. A zone
    without an SOA gives a warning, because other records may be missing too.
author:
  - The zonesmith.dns contributors (@zonesmith)
extends_documentation_fragment:
  - zonesmith.dns.api
  - zonesmith.dns.api.state
  - zonesmith.dns.attributes
  - zonesmith.dns.attributes.reading
options:
  zone:
    description:
      - The zone to read, in upper or lower case, with or without a final dot. A zone that the account does not have is
        an error. If not set, all zones are listed.
    type: str
  names:
    description:
      - Return only record sets with these owner names, relative to each zone or absolute with a final dot. V(@) is the
        apex. They are not globs, so V(*) is DNS's wildcard. An empty list matches no name. Quote numbers such as
        V("7.10").
    type: list
    elements: str
  types:
    description:
      - Return only record sets of these types, in upper or lower case. An empty list matches no type. A misspelled type
        is an error.
    type: list
    elements: str
  records:
    description:
      - Whether to read the records of each zone, with one request for each zone. If not set, they are read only if
        O(zone) is set. Without records, O(names), O(types) and O(owners) have no effect.
    type: bool
  owners:
    description:
      - Whether to return who owns the values of each record set, from the ledgers in O(state_dir) or O(state_url). This
        needs no further request to the service.
    type: bool
    default: false
seealso:
  - module: zonesmith.dns.dns_record
  - module: zonesmith.dns.dns_zone_files
"""

EXAMPLES = r"""
- name: List all zones
  zonesmith.dns.dns_zone_info:
  register: account

- name: Read one zone with all its records
  zonesmith.dns.dns_zone_info:
    zone: example.com
  register: whole_zone

- name: Read the mail hosts of one zone
  zonesmith.dns.dns_zone_info:
    zone: example.com
    names: ['@']
    types: [MX]
  register: mail

- name: Show the mail hosts
  ansible.builtin.debug:
    msg: "{{ mail.zones[0].records | map(attribute='contents') | flatten }}"

- name: Teams - read who owns what in one zone
  zonesmith.dns.dns_zone_info:
    zone: example.com
    owners: true
  register: owned

- name: Show what nobody owns
  ansible.builtin.debug:
    msg: "{{ owned.zones[0].records | selectattr('owners', 'equalto', []) | map(attribute='name') }}"
"""

RETURN = r"""
zones:
  description: The zones, sorted by name.
  returned: success
  type: list
  elements: dict
  contains:
    name: {type: str, sample: example.com, description: "The zone's name, as the service lists it."}
    slug: {type: str, sample: examplecom, description: What the service calls the zone in its paths.}
    status: {type: bool, sample: true, description: "The zone's status flag, as the service gives it."}
    records:
      description: The record sets of the zone, sorted by name and type.
      returned: when O(records=true), or when O(zone) is set and O(records) is not
      type: list
      elements: dict
      contains:
        name: {type: str, sample: example.com., description: The absolute owner name.}
        type: {type: str, sample: MX, description: The type.}
        ttl: {type: int, sample: 3600, description: The TTL in seconds.}
        contents:
          description: The values, as the service gives them.
          type: list
          elements: str
          sample: [10 mx1.example.net.]
        owners:
          description: Who owns values of the set, sorted by owner. Several can own the same value.
          returned: with O(owners=true)
          type: list
          elements: dict
          contains:
            owner: {type: str, sample: mail, description: The owner.}
            contents:
              description: Its values, in the spelling that the collection sends.
              type: list
              elements: str
status_code:
  description: The HTTP status that ended the task, V(null) if it failed for another reason.
  returned: failure
  type: int
"""

from collections.abc import Callable
from typing import Any

# It ends where Python is too old for what follows.
from ..module_utils import _python  # noqa: F401 # pylint: disable=unused-import
from ..module_utils._api.zones import (
    CONNECTIONS,
    read_zones,
)
from ..module_utils._dns.dialect import Dialect
from ..module_utils._dns.printable import printable
from ..module_utils._dns.record_set import RecordSet
from ..module_utils._owners.ledger import owners_of
from ..module_utils._run.invocation import Invocation
from ..module_utils._run.module import run_module
from ..module_utils._run.options import (
    SHARED_OPTIONS,
    WRITING_OPTIONS,
    check_ranges,
)

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    "zone": {"type": "str"},
    "names": {"type": "list", "elements": "str"},
    "types": {"type": "list", "elements": "str"},
    "records": {"type": "bool"},
    "owners": {"type": "bool", "default": False},
    **{name: WRITING_OPTIONS[name] for name in ("state_dir", "state_url")},
}


def read(invocation: Invocation) -> dict[str, Any]:
    """Read one zone or all; the module's result."""
    options = invocation.options
    zone = None
    if options["zone"] is not None:
        zone = invocation.zone
    check_ranges(options)
    records = options["records"]
    if records is None:
        records = zone is not None
    if not records:
        for option in ("names", "types"):
            if options[option]:
                invocation.warnings.append(
                    f"{option} chooses among records, but none are returned: set zone, or set records to true"
                )
    client = invocation.client(CONNECTIONS)
    doubts: list[str] = []

    def owners_in(name: str) -> Callable[[RecordSet], dict[str, Any]]:
        if not options["owners"]:
            return lambda _one: {}
        store = invocation.shared.store(options, client, name)
        ledger = store.load().ledger
        shown = printable(name.rstrip("."))
        doubts.extend(f"Zone {shown}: {warning}" for warning in store.warnings)

        def owners(one: RecordSet) -> dict[str, Any]:
            in_our_words = Dialect().read_set(one, name)
            return {"owners": owners_of(in_our_words, ledger)}

        return owners

    zones = read_zones(
        client,
        zone,
        records=records,
        names=options["names"],
        types=options["types"],
        more_of=owners_in,
        warn=doubts.append,
    )
    invocation.warnings += sorted(doubts)
    return {"changed": False, "zones": zones}


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, read)


if __name__ == "__main__":
    main()
