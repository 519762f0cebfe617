# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter that writes a zone file."""

from __future__ import annotations

DOCUMENTATION = r"""
name: to_zone_file
short_description: Write a zone file, or edit one
version_added: 1.0.0
description:
  - Turns record sets into the text of a zone file. The same record sets in any order give the same text, so diffs in
    git are small.
  - Entries with C(state=absent) are left out. Types that are not standard, such as C(ALIAS), are written too, but name
    servers may not read them.
  - Values with invisible characters, and V(********), with which Ansible replaces secrets, are refused.
author:
  - The zonesmith.dns contributors (@zonesmith)
positional: zone
options:
  _input:
    description:
      - The record sets, as M(zonesmith.dns.dns_zone_info) returns them or M(zonesmith.dns.dns_records) takes them. A
        set without a TTL gets 3600.
    type: list
    elements: dict
    required: true
  zone:
    description: The name of the zone.
    type: str
    required: true
  style:
    description:
      - The layout of the file. Both layouts read back as the same zone.
      - The apex comes first. The other names follow, sorted by their labels from the right. A set with several TTLs
        gets the lowest.
    type: str
    choices:
      pretty: >-
        As a person would write it, with relative names, aligned columns, and the most common TTL as C($TTL). Long texts
        are split over lines. A comment stands for SOA and NS at the apex and for the zone's DNSSEC records, because the
        service writes them.
      plain: >-
        One line for each value, with all its parts. SOA and NS are written if they are given. With them,
        C(named-checkzone) accepts the file.
    default: pretty
  over:
    description:
      - An existing text to edit. If it already holds exactly these record sets, it is returned byte for byte.
      - Lines of unchanged sets stay as they are, with comments, order, C($GENERATE) and parentheses. A changed value is
        changed in its line, and a new value is added below its set or the name before it. The comment on the line of
        a removed value is removed too. A comment line above it stays.
      - SOA, NS at the apex, and the zone's DNSSEC records stay as in the text.
      - A set that cannot be edited, such as one made by C($GENERATE), is an error that names the line. So is a text with
        C($INCLUDE), because a filter does not read files. M(zonesmith.dns.dns_zone_files) edits such zone files.
      - O(style) is not used then. If the text has only comments, the zone is added below them as with V(pretty).
      - Read the file with C(rstrip=false). Otherwise, the lookup drops the last newline.
    type: str
requirements:
  - Python >= 3.11, on the controller
  - dnspython >= 2.6.1
seealso:
  - plugin: zonesmith.dns.from_zone_file
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Read the zone
  zonesmith.dns.dns_zone_info:
    zone: example.com
  register: live

- name: Write it into a file
  ansible.builtin.copy:
    content: "{{ live.zones[0].records | zonesmith.dns.to_zone_file('example.com') }}"
    dest: "{{ playbook_dir }}/example.com.zone"
    mode: "0644"
  delegate_to: localhost

- name: Bring manual changes into the file, and leave its other lines alone
  ansible.builtin.copy:
    content: "{{ live.zones[0].records | zonesmith.dns.to_zone_file('example.com', over=text) }}"
    dest: "{{ file }}"
    mode: "0644"
  vars:
    file: "{{ playbook_dir }}/example.com.zone"
    text: "{{ lookup('ansible.builtin.file', file, rstrip=false) }}"
  delegate_to: localhost

- name: Show one line for each value, as a name server needs it
  ansible.builtin.debug:
    msg: "{{ live.zones[0].records | zonesmith.dns.to_zone_file('example.com', style='plain') }}"
"""

RETURN = r"""
_value:
  description: The text of the zone file.
  type: str
  sample: |
    $ORIGIN example.com.
    $TTL 3600

    @         IN  MX  10 mail.example.net.

    www  300  IN  A   192.0.2.1
"""

from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils._zonefile.file_text import (
    InvalidZoneFile,
)
from ..module_utils._zonefile.zone_over import written_over
from ..module_utils._zonefile.zone_text import (
    pretty_zone_file,
    write_zone_file,
)
from ..plugin_utils._filter_zones import (
    THE_FILE,
    canonical_zone,
    filter_error,
    is_list,
)

STYLES = {"pretty": pretty_zone_file, "plain": write_zone_file}


def to_zone_file(records: Any, zone: Any, style: Any = "pretty", over: Any = None) -> str:
    """The zone file, in a style of STYLES or edited from *over*. Raises AnsibleFilterError."""
    name = canonical_zone("to_zone_file", zone)
    if not is_list(records):
        raise AnsibleFilterError("to_zone_file takes a list of record sets")
    if not isinstance(style, str) or style not in STYLES:
        raise AnsibleFilterError(f"to_zone_file takes style as one of {', '.join(STYLES)}")
    if over is not None and not isinstance(over, str):
        raise AnsibleFilterError("to_zone_file takes over as the text of a zone file")
    try:
        if over is None:
            return STYLES[style](records, name)
        return written_over({THE_FILE: over}, name, records)[THE_FILE]
    except InvalidZoneFile as error:
        raise filter_error(zone, error) from None


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Any]:
        return {"to_zone_file": to_zone_file}
