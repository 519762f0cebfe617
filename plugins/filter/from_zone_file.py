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
  - Turns the text of a zone file into a list of record sets, as M(zonesmith.dns.dns_records) takes them.
  - To keep a zone as its file says, name the file in O(zonesmith.dns.dns_records#module:src), or the folder of many in
    O(zonesmith.dns.dns_zones#module:src). That is shorter and faster, and errors name the file. The filter is for what
    is to be done with the record sets before.
  - Understands what BIND reads, that is C($ORIGIN), C($TTL), C($GENERATE), TTLs with units such as V(1h30m), relative
    names, lines that begin with white space and so belong to the name before, parentheses and comments.
    C($INCLUDE) is refused here, and C(named-compilezone), which comes with BIND, makes one file of all of them.
  - A file has at most 1,000,000 records, a word in it at most 131070 characters, and C($GENERATE) makes at most 64 Mi
    characters. Its ranges and widths are those of BIND, up to 2147483647 and 127.
  - SOA, and NS at the zone's own name, are left out, since the service owns both and a file often still has those of
    the name servers that it came from.
  - What signs the zone is left out too, which is RRSIG, NSEC, NSEC3 and NSEC3PARAM at any name, and DNSKEY, CDS,
    CDNSKEY, ZONEMD and TYPE65534 at the zone's own name. It is what O(zonesmith.dns.dns_records#module:prune) never
    removes. A warning says how many records of each type there were.
  - Where the records of one set have different TTLs, the one that BIND takes counts, with a warning that has the lines.
    It is that of the first line, or where lines of other names stand between, of the first line behind those.
  - What cannot be used is told with its line, of up to ten lines at once. Where nobody can tell what follows one of
    them, as where quotes are not closed, reading ends there.
  - A type that is not standard, such as C(ALIAS), is understood on lines of the form C(name ttl IN ALIAS value), which
    is how P(zonesmith.dns.to_zone_file#filter) writes them. In its value too, C(;) outside double quotes begins a
    comment, and C(\;) stands for the character.
  - A TXT, SPF or CAA value without double quotes ends at a C(;), as C(v=DMARC1; p=reject) does. Where what follows
    looks like another tag there is a warning with the line. So there is where a TXT or SPF value is several words
    without quotes, which are one text with nothing between them.
  - Escapes such as C(\052) are decimal, as RFC 1035 says. There is a warning where one stands for a letter or a digit,
    or where all those of a name look octal, as Route 53 writes them.
  - TTL 1 of a whole file, or in one with the comments C(cf-proxied) of Cloudflare, stands for automatic, so that
    O(ttl) counts in its place, or 3600 without it. A warning says so, and another how many lines are proxied,
    or have the comments C(AWS routing) of Route 53.
  - Bytes that are not UTF-8 are refused outside comments, with the command that converts the file.
  - An address or a URL where a host name belongs is refused, though the file's origin would make a name of it.
  - A name of records that ends in the zone's name twice is refused where it has no final dot, as C(mail.example.com) in
    C(example.com), and so is such an C($ORIGIN). Only an SOA may be so, as Cloudflare exports it. In a value there is
    the finding C(doubled-zone). A label C(@) in a longer name is refused too, unless it is C(\@).
author:
  - The zonesmith.dns contributors (@zonesmith)
positional: zone
options:
  _input:
    description: The text of the zone file.
    type: str
    required: true
  zone:
    description: The name of the zone, to which names in the file are relative until an C($ORIGIN) says otherwise.
    type: str
    required: true
  ttl:
    description:
      - The TTL of records that have none of their own, in seconds or as V(1h30m).
      - It is as a C($TTL) before the first line of the file, as O(zonesmith.dns.dns_records#module:ttl) is.
    type: raw
requirements:
  - Python >= 3.11, as ansible-core has it on the controller
  - dnspython >= 2.6.1
seealso:
  - plugin: zonesmith.dns.to_zone_file
    plugin_type: filter
  - module: zonesmith.dns.dns_records
  - module: zonesmith.dns.dns_zones
"""

EXAMPLES = r"""
- name: What the file says, and an address that the playbook knows
  zonesmith.dns.dns_records:
    zone: example.com
    records: "{{ text | zonesmith.dns.from_zone_file('example.com') + [office] }}"
    prune: true
  vars:
    text: "{{ lookup('ansible.builtin.file', 'example.com.zone') }}"
    office: {name: office, type: A, content: 192.0.2.40}

- name: Show the record sets of a file without a TTL
  ansible.builtin.debug:
    msg: "{{ 'www A 192.0.2.1' | zonesmith.dns.from_zone_file('example.com', ttl=1800) }}"

- name: The mail servers of the file, and nothing else of it
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
    name:
      description: The absolute owner name.
      type: str
      sample: www.example.com.
    type:
      description: The type.
      type: str
      sample: A
    ttl:
      description: The TTL in seconds.
      type: int
      sample: 300
    content:
      description: The values, host names in them absolute.
      type: list
      elements: str
      sample:
        - 192.0.2.1
"""

from collections.abc import Callable
from typing import Any

from ansible.errors import AnsibleFilterError

from ansible_collections.zonesmith.dns.plugins.plugin_utils._given_zones import (
    canonical_zone,
    checked_ttl,
    entries_of_file,
)


def from_zone_file(text: Any, zone: Any, ttl: Any = None) -> list[dict[str, Any]]:
    """The record sets of a zone file; *ttl* (seconds) is that of records without one. Raises AnsibleFilterError."""
    if not isinstance(text, str) or not isinstance(zone, str):
        raise AnsibleFilterError("from_zone_file takes the text of a zone file, and the name of the zone")
    return entries_of_file(text, canonical_zone("from_zone_file", zone), ttl=checked_ttl("from_zone_file", ttl))


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Callable[..., Any]]:
        """What Ansible asks for."""
        return {"from_zone_file": from_zone_file}
