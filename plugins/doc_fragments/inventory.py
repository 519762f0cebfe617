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
    description: A file or folder with the certificates of the authorities to trust.
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
    description: How often a request is tried again after a failure that may pass.
    type: int
    default: 5
notes:
  - A file with an option that the plugin does not have, or that has a wrong value, gives no hosts. ansible-core then
    goes on with a warning that names the file. With C(ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED=true) it stops.
  - With O(cache=true), what the service said is kept for each file and O(base_url). C(--flush-cache) reads it anew. The
    token is not kept.
requirements:
  - requests >= 2.28.1
  - urllib3 >= 1.26.18
  - dnspython >= 2.9.0
"""
