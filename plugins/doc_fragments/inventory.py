# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options that the inventory plugins share."""

from __future__ import annotations


class ModuleDocFragment:
    """Documentation of how an inventory plugin reaches the service."""

    DOCUMENTATION = r"""
options:
  base_url:
    description:
      - The URL under which the service's paths begin. Only C(https) is used, except for a loopback host or with
        O(allow_insecure_http=true).
      - Can be a template, which sees extra variables.
    type: str
    required: true
    env:
      - name: ZONESMITH_BASE_URL
  access_token:
    description:
      - The token that the service knows the account by.
      - Can be a template, such as a lookup, which sees extra variables. It can be encrypted with C(ansible-vault) too.
    type: str
    required: true
    env:
      - name: ZONESMITH_ACCESS_TOKEN
  validate_certs:
    description: Whether the service's TLS certificate must be valid.
    type: bool
    default: true
  ca_path:
    description:
      - A file or folder with the certificates of the authorities to trust.
      - A relative path is one in the folder of the inventory file.
    type: path
  allow_insecure_http:
    description: Whether O(base_url) may be plain C(http) for a host that is not a loopback address.
    type: bool
    default: false
  timeout:
    description:
      - Seconds to wait for a connection, and between two parts of an answer, in each request. A whole answer may take
        ten times as long, and have at most 64 MiB, decoded.
    type: float
    default: 30.0
  retries:
    description:
      - How often a request is tried again after a failure that may pass. With V(0) nothing is tried again at all, also
        no request that the service throttles.
    type: int
    default: 5
  retry_timeout:
    description:
      - How many seconds a request that the service throttles (429, 409, 423, 425, 503) is tried again, besides
        O(retries).
    type: float
    default: 120.0
notes:
  - A file with an option that the plugin does not have, or that has a wrong value, gives no hosts. ansible-core then
    goes on with a warning that names the file. With C(ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED=true) it stops.
  - With O(cache=true), what the service said is kept for each file and O(base_url). C(--flush-cache) reads it anew. The
    token is not kept.
  - Whoever can write to that cache decides which hosts there are and where Ansible connects to. Let O(cache_connection)
    be a folder that only you can write to, and none in C(/tmp), which somebody else may make first.
  - A name that is a group, or a host of another source, is left out with a warning, since it would change what Ansible
    does on that group or machine. If the other source is read later, its host has nothing from this inventory. Only
    C(ansible.builtin.constructed) may add variables and groups to the hosts of this inventory. Static files
    cannot, but C(host_vars) and C(group_vars) can.
  - Read other sources first, where you can. Of a source that is read later, it cannot be told that it names a host when
    it is a list on the command line (C(--inventory db1.example.com,)), when it names the host without variables in a
    group that this inventory has put the host into, or when it has a group with a dot in its name.
  - A machine that is in no inventory, only in C(delegate_to), is none that this inventory can know of.
  - What the service says is never evaluated as a template, and what O(compose) makes of it neither.
    C(ansible-inventory --list) therefore shows texts as objects with the key C(__ansible_unsafe).
  - Give each of O(keyed_groups) a C(prefix). Else the service chooses among the names of your groups.
requirements:
  - Python >= 3.11, as ansible-core has it on the controller
  - requests >= 2.28.1
  - urllib3 >= 1.26.18
  - dnspython >= 2.6.1
"""
