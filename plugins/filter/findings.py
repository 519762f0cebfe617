# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter that looks a zone over."""

from __future__ import annotations

DOCUMENTATION = r"""
name: findings
short_description: What is legal in a zone and wrong for the internet
version_added: 1.0.0
description:
  - Looks a whole zone over and says what a DNS service takes and the internet does not, such as a mail host without an
    address, two SPF records, a delegation without glue or a DKIM key that does not decode. No service is asked, so it
    runs in CI over files.
  - Each finding has a severity. V(error) surely does not work, V(warning) is probably not meant, V(info) is what one
    may want to know.
  - The rules look at the zone alone. What is in other zones, below a delegation, or made by a type of the service's
    own, such as C(ALIAS), is taken to be right.
  - What is given is taken for the whole zone. Of a list that holds a part of it, what is left out is found missing.
  - A rule that cannot judge the zone is an error that names it. Left out with O(ignore), for names of any kind, it is
    not asked.
  - The guide B(Findings) has the table of all rules.
author:
  - The zonesmith.dns contributors (@zonesmith)
positional: zone
options:
  _input:
    description:
      - The zone. The text of a zone file, a list of record sets as M(zonesmith.dns.dns_records) takes them, or an item
        of what M(zonesmith.dns.dns_zone_info) returns in RV(zonesmith.dns.dns_zone_info#module:zones) or its records.
      - Of a zone file, SOA, NS at the zone's own name, and what signs the zone are left out, as
        P(zonesmith.dns.from_zone_file#filter) does.
      - An entry with C(state=absent) is left out. An entry whose values are called C(contents) is what a service shows,
        and a value of it that nobody can read is left alone.
    type: raw
    required: true
  zone:
    description: The name of the zone.
    type: str
    required: true
  ignore:
    description:
      - Findings that are left out. One is left out where both globs of an entry match it.
    type: list
    elements: dict
    default: []
    suboptions:
      rule:
        description: A glob of rules. A glob that no rule has is an error.
        type: str
        default: '*'
      name:
        description: A glob of owner names, relative to the zone or absolute.
        type: str
        default: '*'
  ttl:
    description:
      - Of the text of a zone file, the TTL of records that have none of their own, in seconds or as V(1h30m).
      - It is as a C($TTL) before the first line of the file, as O(zonesmith.dns.dns_records#module:ttl) is, so that
        a file that deploys can be looked over too.
    type: raw
requirements:
  - Python >= 3.11, as ansible-core has it on the controller
  - dnspython >= 2.6.1
seealso:
  - plugin: zonesmith.dns.from_zone_file
    plugin_type: filter
  - plugin: zonesmith.dns.ptr_records
    plugin_type: filter
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: Look the file of a zone over
  ansible.builtin.debug:
    msg: "{{ lookup('ansible.builtin.file', 'example.com.zone') | zonesmith.dns.findings('example.com') }}"

- name: Read the zone as it is
  zonesmith.dns.dns_zone_info:
    zone: example.com
  register: live

- name: Fail where something in it surely does not work
  ansible.builtin.assert:
    that: found | selectattr('severity', 'eq', 'error') | length == 0
    fail_msg: "{{ found | to_nice_json }}"
  vars:
    found: "{{ live.zones[0] | zonesmith.dns.findings('example.com', ignore=known) }}"
    known:
      - rule: ttl-zero
      - rule: address-*
        name: "*.internal"
"""

RETURN = r"""
_value:
  description: The findings, the worst first, then by name.
  type: list
  elements: dict
  contains:
    rule:
      description: The rule, to be named in O(ignore).
      type: str
      sample: mx-no-address
    severity:
      description: V(error), V(warning) or V(info).
      type: str
      sample: error
    name:
      description: The absolute owner name of the record set.
      type: str
      sample: example.com.
    type:
      description: Its type.
      type: str
      sample: MX
    message:
      description: What is wrong with it.
      type: str
      sample: mail.example.com. has no address, and it would have to be in this zone
    source:
      description: Where the rule is written.
      type: str
      sample: RFC 5321, section 5.1
    line:
      description: The first line of the record set in the zone file.
      type: int
      returned: when the input is the text of a zone file
      sample: 12
"""

from collections.abc import Callable, Mapping
from typing import Any

from ansible.errors import AnsibleFilterError

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._findings.findings import CannotJudge, Ignored
from ansible_collections.zonesmith.dns.plugins.module_utils._findings.findings import findings as found_in
from ansible_collections.zonesmith.dns.plugins.plugin_utils._given_zones import (
    canonical_zone,
    checked_ttl,
    is_list,
    refusal,
    sets_of,
)

_IGNORE_KEYS = ("rule", "name")


def findings(given: Any, zone: Any, ignore: Any = (), ttl: Any = None) -> list[dict[str, Any]]:
    """What the rules find in a zone. Raises AnsibleFilterError."""
    name = canonical_zone("findings", zone)
    if not (isinstance(given, (str, Mapping)) or is_list(given)):
        raise AnsibleFilterError(
            "findings takes the text of a zone file, a list of record sets, or a zone of dns_zone_info"
        )
    lines: dict[tuple[str, str], int] = {}
    sets = sets_of(given, name, lines, checked_ttl("findings", ttl))
    try:
        found = found_in(sets, name, _ignored(ignore))
    except CannotJudge as error:
        raise refusal(zone, error) from None
    return [
        {**finding.as_result(), **({"line": lines[finding.key]} if finding.key in lines else {})} for finding in found
    ]


def _ignored(ignore: Any) -> Ignored:
    entries = list(ignore) if is_list(ignore) else [ignore]
    for entry in entries:
        if not isinstance(entry, Mapping) or not entry or not all(isinstance(glob, str) for glob in entry.values()):
            raise AnsibleFilterError("findings takes ignore as a list of dictionaries with globs of rule and name")
        unknown = sorted(map(str, entry.keys() - set(_IGNORE_KEYS)))
        if unknown:
            raise AnsibleFilterError(printable(f"ignore has {', '.join(unknown)}, and takes rule and name"))
    ignored = Ignored(tuple((entry.get("rule", "*"), entry.get("name", "*")) for entry in entries))
    of_none = ignored.of_no_rule()
    if of_none:
        raise AnsibleFilterError(printable(f"ignore names {', '.join(of_none)}, and there is no such rule"))
    return ignored


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Callable[..., Any]]:
        """What Ansible asks for."""
        return {"findings": findings}
