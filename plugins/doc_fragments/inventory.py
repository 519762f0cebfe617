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
      - The URL of the service's API, with C(https) unless the host is loopback or O(allow_insecure_http) is V(true).
      - Can be a template, which sees extra variables.
    type: str
    required: true
    env:
      - name: ZONESMITH_BASE_URL
  access_token:
    description:
      - The token of the account.
      - Can be encrypted with C(ansible-vault). Can be a template, such as a lookup, which sees extra variables.
    type: str
    required: true
    env:
      - name: ZONESMITH_ACCESS_TOKEN
  validate_certs:
    description: Whether to verify the service's TLS certificate.
    type: bool
    default: true
  ca_path:
    description:
      - A file or folder with the CA certificates to trust. A relative path starts at the inventory file's folder.
    type: path
  allow_insecure_http:
    description: Whether to allow plain C(http) in O(base_url) for hosts other than loopback.
    type: bool
    default: false
  timeout:
    description:
      - Seconds to wait for a connection, and for each part of an answer. A whole answer may take ten times as long, and
        have at most 64 MiB (decoded).
    type: float
    default: 30.0
  retries:
    description: How often to retry a request after a temporary failure. V(0) turns off all retries.
    type: int
    default: 5
  retry_timeout:
    description:
      - Seconds to keep retrying a throttled request (status 409, 423, 425, 429 or 503), in addition to O(retries).
    type: float
    default: 120.0
notes:
  - If the file has an unknown option or a wrong value, Ansible warns and goes on without its hosts. To make Ansible
    stop instead, set C(ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED=true).
  - With O(cache=true), answers are cached for each file and O(base_url), without the token. With C(--flush-cache), they
    are read anew. Anyone who can write to the cache can choose the hosts, so set O(cache_connection) to a folder of
    your own, not one in C(/tmp).
  - A name that is already a group, or a host of an earlier source, is left out with a warning, because the service
    could otherwise change the variables of that host. If a later source has a host of this inventory, the host gets
    nothing from this inventory. List other sources first if you can.
  - "Some clashes go unnoticed, and the service could change these hosts' variables: hosts that are only in a later
    C(--inventory) list on the command line; hosts to which a later source gives only a group that they have here; hosts
    that appear only in C(delegate_to); and hosts whose name is a group of a later source."
  - Variables and groups for the hosts of this inventory can come from C(ansible.builtin.constructed), C(host_vars) and
    C(group_vars), but not from static inventory files.
  - Values from the service, and the results of O(compose), are never evaluated as templates. That is why
    C(ansible-inventory --list) shows texts as objects with the key C(__ansible_unsafe).
  - Give each entry of O(keyed_groups) a C(prefix). Otherwise, the service could put hosts into your own groups.
requirements:
  - Python >= 3.11, on the controller
  - requests >= 2.28.1
  - urllib3 >= 1.26.18
  - dnspython >= 2.6.1
"""
