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
  - Turns a list of record sets into the text of a zone file, as a person would write it, or one line a value.
  - The same record sets give the same text in whatever order they come, so that the file makes small diffs in git.
  - An entry with C(state=absent) is left out, since the file says what is there.
  - A type that is not standard, such as C(ALIAS), is written like all others. P(zonesmith.dns.from_zone_file#filter)
    reads it, name servers may not.
  - Text that Ansible puts in place of a secret, V(********) or V(VALUE_SPECIFIED_IN_NO_LOG_PARAMETER), is refused in
    names, values and the zone, since the file would carry it into the zone. A TXT value of eight asterisks that is
    meant cannot be told from it.
  - Newlines at the end of a value, as the block scalars of YAML have them, are no part of it.
  - A value with characters that cannot be seen, which types such as C(ALIAS) can have, is refused as well.
author:
  - The zonesmith.dns contributors (@zonesmith)
positional: zone
options:
  _input:
    description: The record sets, as M(zonesmith.dns.dns_zone_info) returns them or M(zonesmith.dns.dns_records) takes
      them. A set without a TTL gets 3600.
    type: list
    elements: dict
    required: true
  zone:
    description: The name of the zone.
    type: str
    required: true
  style:
    description: What the file looks like. Read again it is the same zone in either style.
    type: str
    choices:
      pretty: >-
        As a person writes it. C($TTL) is the TTL that most sets have, names are relative, and columns aligned. The
        zone's own name comes first, then all others by their labels from the right, with numbers as numbers, and a
        blank line between names that have nothing in common. A text of more than 255 bytes is in pieces, each on a line
        of its own. SOA and the NS of the zone itself are comments, since the service writes both, and what signs the
        zone is left out. A set that is shown with several TTLs has the lowest.
      plain: >-
        One line a value with all its parts, sorted by name as DNS sorts them, then by type and value. SOA and NS are
        written where they are given. With them, C(named-checkzone) accepts the file.
    default: pretty
  over:
    description:
      - The text of a zone file that is there already. It is edited, and not written anew. Where it holds these record
        sets, it is returned as it is, to the byte.
      - Each line whose set is as it was stays, with comments, order, C($GENERATE), units of TTLs and parentheses. A
        value that has changed is changed in its line, and columns and the comment behind it stay where they are as far
        as there is room. A new value goes below its set, a new set below the nearest name. What is gone takes the
        comment behind it along. A comment in a line of its own above it stays, and a warning says so.
      - Where all sets that have their TTL from C($TTL) get one other, the C($TTL) is changed. A line that had its name
        or its TTL from one that is gone says it itself.
      - What cannot be edited in place is an error that names the line, such as a set that C($GENERATE) makes. So is
        C($INCLUDE), since nobody can tell what it leads to. M(zonesmith.dns.dns_zone_files) can, in a folder of parts.
      - SOA, NS of the zone itself, and what signs the zone stay as the text has them.
      - Below a text that has nothing but comments the zone is written as O(style=pretty) has it. Not together with
        O(style=plain), since the text shows what its lines look like.
      - Read the file with C(rstrip=false), or the lookup takes its last line end away.
    type: str
requirements:
  - Python >= 3.11, as ansible-core has it on the controller
  - dnspython >= 2.6.1
seealso:
  - plugin: zonesmith.dns.from_zone_file
    plugin_type: filter
  - module: zonesmith.dns.dns_zone_files
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: Read the zone
  zonesmith.dns.dns_zone_info:
    zone: example.com
  register: live

- name: Keep it as a file
  ansible.builtin.copy:
    content: "{{ live.zones[0].records | zonesmith.dns.to_zone_file('example.com') }}"
    dest: "{{ playbook_dir }}/example.com.zone"
    mode: "0644"
  delegate_to: localhost

- name: Bring what was changed by hand into the file, and leave the rest of it as it is
  ansible.builtin.copy:
    content: "{{ live.zones[0].records | zonesmith.dns.to_zone_file('example.com', over=text) }}"
    dest: "{{ file }}"
    mode: "0644"
  vars:
    file: "{{ playbook_dir }}/example.com.zone"
    text: "{{ lookup('ansible.builtin.file', file, rstrip=false) }}"
  delegate_to: localhost

- name: Show what a name server needs, one line a value
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

from collections.abc import Callable, Iterable
from typing import Any

from ansible.errors import AnsibleFilterError

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import some_warnings
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import InvalidZoneFile
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_over import written_over
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import pretty_zone_file, write_zone_file
from ansible_collections.zonesmith.dns.plugins.plugin_utils._given_zones import check_dnspython, refusal, warn

STYLES = {"pretty": pretty_zone_file, "plain": write_zone_file}


def to_zone_file(records: Any, zone: Any, style: Any = "pretty", over: Any = None) -> str:
    """The zone file with these record sets, in one of STYLES, or *over* a text. Raises AnsibleFilterError."""
    check_dnspython("to_zone_file")
    if isinstance(records, (str, dict)) or not isinstance(records, Iterable) or not isinstance(zone, str):
        raise AnsibleFilterError("to_zone_file takes a list of record sets, and the name of the zone")
    if not isinstance(style, str) or style not in STYLES:
        raise AnsibleFilterError(f"to_zone_file takes style as one of {', '.join(STYLES)}")
    if over is not None and not isinstance(over, str):
        raise AnsibleFilterError("to_zone_file takes over as the text of a zone file")
    if over is not None and style != "pretty":
        raise AnsibleFilterError(f"to_zone_file takes no style {style} with over, whose lines show what they look like")
    try:
        if over is None:
            return STYLES[style](records, zone_name(zone))
        text, told = written_over(over, zone_name(zone), records)
    except (InvalidZoneFile, InvalidName) as error:
        raise refusal(zone, error) from None
    warn(zone, *some_warnings(told, "the text"))
    return text


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Callable[..., Any]]:
        """What Ansible asks for."""
        return {"to_zone_file": to_zone_file}
