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
  - Lists the zones of the account, and the record sets of one zone or of all.
  - What the service answers is shown. Where that lacks the zone's SOA, which every zone has, more may be missing, and a
    warning says so.
  - Of what a group of C(module_defaults) sets, what all modules that write share is left out here, such as
    C(txt_format), C(owner) and those that begin with C(wait), so that one group can hold it for all modules.
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
      - The zone to read, in any case, with or without its trailing dot. It is an error when the account has none of
        that name.
      - If not set, all zones are listed.
    type: str
  names:
    description:
      - Only record sets with these owner names. V(@) is the zone itself. Names are relative to the zone, unless they
        end in a dot or in the name of the zone. They are no globs, and V(*) is the wildcard itself.
      - With O(records=true) and without O(zone), they are names in each zone, but for those that end in a dot, which
        are for the zones that they are inside.
      - A number with a dot needs quotes, as V("7.10"), and is refused without them.
      - Where no records are read, it does nothing. An empty list is for no name, and each zone has an empty list of
        record sets.
    type: list
    elements: str
  types:
    description:
      - Only record sets of these types, in any case. One that nobody knows and that is a letter away from one that is
        known, such as V(AA), is refused.
      - Where no records are read, it does nothing. An empty list is for no type, and each zone has an empty list of
        record sets.
    type: list
    elements: str
  records:
    description:
      - Whether to read the records of each zone, which takes one request a zone.
      - If not set, they are read when O(zone) is set.
    type: bool
  owners:
    description:
      - Whether to tell of each record set which owners have values of it, as the tasks with C(owner) have left that in
        the ledgers, in O(state_dir) or O(state_url). No request more is made for it.
      - Where no records are read, it does nothing. So do O(state_dir) and O(state_url) without it.
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

- name: Read who has what in one zone
  zonesmith.dns.dns_zone_info:
    zone: example.com
    owners: true
  register: owned

- name: Show what is nobody's
  ansible.builtin.debug:
    msg: "{{ owned.zones[0].records | selectattr('owners', 'equalto', []) | map(attribute='name') }}"

- name: Show the mail hosts
  ansible.builtin.debug:
    msg: "{{ mail.zones[0].records | map(attribute='contents') | flatten }}"
"""

RETURN = r"""
zones:
  description: The zones, sorted by name.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: The name of the zone, as the service lists it.
      type: str
      sample: example.com
    slug:
      description: What the service calls the zone in its paths.
      type: str
      sample: examplecom
    status:
      description: The status flag of the zone, as the service gives it.
      type: bool
      sample: true
    records:
      description: The record sets of the zone, sorted by name and type, where they were asked for.
      returned: when O(records=true), or when O(zone) is set and O(records) is not
      type: list
      elements: dict
      contains:
        name:
          description: The absolute owner name.
          type: str
          sample: example.com.
        type:
          description: The type.
          type: str
          sample: MX
        ttl:
          description: The TTL in seconds.
          type: int
          sample: 3600
        contents:
          description: The values, as the service gives them.
          type: list
          elements: str
          sample:
            - 10 mx1.example.net.
        owners:
          description: Who has values of it, sorted by owner. A value can be of several, and one of nobody is in none.
          returned: with O(owners=true)
          type: list
          elements: dict
          contains:
            owner:
              description: The owner, as the tasks name it.
              type: str
              sample: mail
            contents:
              description: The values that it has, as the service gives them.
              type: list
              elements: str
              sample:
                - 10 mx1.example.net.
status_code:
  description: The HTTP status of the answer that ended the task, V(null) when it ended for another reason.
  returned: failure
  type: int
  sample: 404
"""

from functools import partial
from typing import Any

# It ends where Python is too old for what follows.
from ansible_collections.zonesmith.dns.plugins.module_utils import _python  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import LACKS_SOA
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import run_module
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import OPTIONS as SHARED_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import WRITING_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_info import CONNECTIONS, read_zones

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
    zone = invocation.zone if options["zone"] is not None else None
    records = options["records"] if options["records"] is not None else zone is not None
    client = invocation.client(CONNECTIONS)
    ledger_of = partial(invocation.ledger, client) if options["owners"] else None
    filters = {"records": records, "names": options["names"], "types": options["types"]}
    lacking: list[str] = []
    zones = read_zones(
        client, zone, **filters, ledger_of=ledger_of, lacks_soa=lambda item: lacking.append(printable(item.name))
    )
    invocation.warnings.extend(f"Zone {name}: {LACKS_SOA}" for name in sorted(lacking))
    return {"changed": False, "zones": zones}


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, read)


if __name__ == "__main__":
    main()
