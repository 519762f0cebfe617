# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter that reads a zone file."""

from __future__ import annotations

DOCUMENTATION = r"""
name: from_zone_file
short_description: Read a zone file
version_added: 1.0.0
description:
  - Turns the text of a zone file into record sets for M(zonesmith.dns.dns_records), so that you can change them first.
    To deploy a file as it is, use O(zonesmith.dns.dns_records#module:src) or O(zonesmith.dns.dns_zones#module:src).
  - Reads BIND's syntax, with C($ORIGIN), C($TTL), C($GENERATE) (but for its bases n and N) and TTLs such as
    V(1h30m). C($INCLUDE) is refused, since a text has no folder. O(zonesmith.dns.dns_records#module:src) follows it.
  - SOA, NS at the apex, and the zone's DNSSEC records (see O(zonesmith.dns.dns_records#module:prune)) are left out,
    because the service owns them.
  - If the records of a set have different TTLs, the set gets the lowest, with a warning.
  - Up to ten errors are reported at once, with their line numbers.
  - A type that is not standard, such as C(ALIAS), needs a line like C(name ttl IN ALIAS value). A C(;) outside quotes
    begins a comment in such a line too, unless it is written C(\;).
  - An unquoted TXT, SPF or CAA value ends at a C(;), and several unquoted words of TXT or SPF are joined without
    spaces. A warning names such lines.
  - Escapes are decimal (RFC 1035), so that C(\052) is C(4). Replace the octal ones of Route 53 first.
  - In a Cloudflare export, the TTL 1 means automatic. O(ttl) or 3600 is used instead, with a warning. Another
    warning counts the lines with the comment C(cf-proxied).
  - The file must be UTF-8, except in comments. An address or URL in place of a host name, a label C(@) in a longer name
    (unless written C(\@)), and a relative owner name that ends in the zone's name are errors.
  - A file may have at most 1,000,000 records, and C($GENERATE) may make at most 64 Mi characters.
author:
  - The zonesmith.dns contributors (@zonesmith)
positional: zone
options:
  _input:
    description: The text of the zone file.
    type: str
    required: true
  zone:
    description: The name of the zone, which is also the first C($ORIGIN).
    type: str
    required: true
  ttl:
    description:
      - The TTL of records that have none, in seconds or with units such as V(1h30m). It acts as a first C($TTL).
    type: raw
requirements:
  - Python >= 3.11, on the controller
  - dnspython >= 2.6.1
seealso:
  - plugin: zonesmith.dns.to_zone_file
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Deploy a zone file with one more address
  zonesmith.dns.dns_records:
    zone: example.com
    records: "{{ text | zonesmith.dns.from_zone_file('example.com') + [office] }}"
    prune: true
  vars:
    text: "{{ lookup('ansible.builtin.file', 'example.com.zone') }}"
    office: {name: office, type: A, content: 192.0.2.40}

- name: Deploy only the mail servers of a zone file
  zonesmith.dns.dns_records:
    zone: example.com
    records: "{{ text | zonesmith.dns.from_zone_file('example.com') | selectattr('type', 'eq', 'MX') }}"
  vars:
    text: "{{ lookup('ansible.builtin.file', 'example.com.zone') }}"
"""

RETURN = r"""
_value:
  description: The record sets, in the order of the file.
  type: list
  elements: dict
  contains:
    name: {type: str, sample: www.example.com., description: The absolute owner name.}
    type: {type: str, sample: A, description: The type.}
    ttl: {type: int, sample: 300, description: The TTL in seconds.}
    content:
      description: The values, with absolute host names.
      type: list
      elements: str
      sample: [192.0.2.1]
"""

from typing import Any

from ansible.errors import AnsibleFilterError

from ..plugin_utils._filter_zones import (
    canonical_zone,
    parsed_file,
    ttl_option,
)


def from_zone_file(text: Any, zone: Any, ttl: Any = None) -> list[dict[str, Any]]:
    """The record sets of a zone file; *ttl* (seconds) for records without one. Raises AnsibleFilterError."""
    if not isinstance(text, str):
        raise AnsibleFilterError("from_zone_file takes the text of a zone file")
    name = canonical_zone("from_zone_file", zone)
    return parsed_file(text, name, ttl_option("from_zone_file", ttl)).task_records


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Any]:
        return {"from_zone_file": from_zone_file}
