# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones as hosts."""

from __future__ import annotations

DOCUMENTATION = r"""
name: zones
short_description: DNS zones as hosts
version_added: 1.0.0
description:
  - Makes a host of every zone of the account, in one request, so that plays can use forks, limits and batches.
  - Reads a YAML file whose name ends in C(zonesmith.yml) or C(zonesmith.yaml).
  - The host's name and C(zonesmith_zone) are the zone's name in lower case and A-labels, without a final dot.
    C(zonesmith_slug) is the zone's name in the service's paths. C(zonesmith_status) is the zone's status flag, if that
    is true or false.
  - Because a zone is not a machine, its tasks run on the controller. C(ansible_connection) is V(local), and
    C(ansible_python_interpreter) is the Python that runs the playbook. O(compose) can change both.
  - A zone is left out with a warning if its name has no dot, is an address, begins or ends with C(localhost), or has a
    label that begins or ends with a hyphen.
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
      - zonesmith.dns.zones
  include:
    description: Globs for the zones to include, in upper or lower case, with A-labels (C(xn--...)) or U-labels.
    type: list
    elements: str
    default:
      - '*'
  exclude:
    description: Globs for names of zones to leave out, whatever O(include) says.
    type: list
    elements: str
    default: []
seealso:
  - plugin: zonesmith.dns.records
    plugin_type: inventory
"""

EXAMPLES = r"""
---
plugin: zonesmith.dns.zones
base_url: https://dns.example.com/api
access_token: "{{ lookup('ansible.builtin.env', 'DNS_TOKEN') }}"
exclude:
  - '*.test'
keyed_groups:
  - key: zonesmith_zone.split('.') | last
    prefix: tld
groups:
  inactive: not zonesmith_status
cache: true
cache_plugin: ansible.builtin.jsonfile
# A folder of your own, not one in /tmp, where whoever makes it first decides what your hosts are.
cache_connection: ~/.ansible/zonesmith-inventory
cache_timeout: 600
"""

from typing import Any

from ..module_utils._api.client import Client
from ..module_utils._api.zones import read_zones
from ..plugin_utils._host_names import is_zone_host
from ..plugin_utils._inventory import (
    CONTROLLER_PYTHON,
    ServiceInventory,
    matches,
)

LOCAL = {"ansible_connection": "local", "ansible_python_interpreter": CONTROLLER_PYTHON}


class InventoryModule(ServiceInventory):
    """The inventory plugin under its name."""

    NAME = "zonesmith.dns.zones"

    def fetch(self, client: Client) -> list[dict[str, Any]]:
        """The zones of the account."""
        return read_zones(client)

    def populate(self, found: list[dict[str, Any]]) -> None:
        """Add a host for each chosen zone."""
        for name, zone in self.named(found):
            if not matches(name, self.get_option("include"), self.get_option("exclude")):
                continue
            if not is_zone_host(name):
                self.display.warning(
                    f"The zone {name} is not a host: a host name has a dot, is not an address, does "
                    "not begin or end with localhost, and has no hyphen at either end of a label."
                )
                continue
            variables = {"zonesmith_zone": name, "zonesmith_slug": zone["slug"]}
            if isinstance(zone.get("status"), bool):
                variables["zonesmith_status"] = zone["status"]
            self.add(name, variables, LOCAL)
