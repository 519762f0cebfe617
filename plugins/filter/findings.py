# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filter that checks a zone."""

from __future__ import annotations

DOCUMENTATION = r"""
name: findings
short_description: Find what a DNS service accepts and the internet does not
version_added: 1.0.0
description:
  - Checks a whole zone for mistakes that a DNS service accepts, such as a mail host without an address, two SPF
    records, a delegation without glue or a DKIM key that does not decode. It sends no requests, so CI can run it over
    files. The guide B(Findings) lists all rules.
  - The severity V(error) means broken, V(warning) means probably a mistake, and V(info) means good to know.
  - The rules see only this zone. Other zones, targets below a delegation, and types that only the service has, such as
    C(ALIAS), count as right. If you give only a part of a zone, the rest counts as missing.
  - If a rule crashes, a finding C(rule-failed), a warning, names the rule. To turn a rule off, add an entry with this
    C(rule) and no C(name) to O(ignore).
author:
  - The zonesmith.dns contributors (@zonesmith)
positional: zone
options:
  _input:
    description:
      - "The zone: the text of a zone file, a list of record sets for M(zonesmith.dns.dns_records), an item of
        RV(zonesmith.dns.dns_zone_info#module:zones), or the records of that item."
      - In a zone file, SOA, NS at the apex, and the zone's DNSSEC records are not checked. Entries with C(state=absent)
        are left out. Unreadable values in C(contents), as a service shows them, are skipped.
    type: raw
    required: true
  zone:
    description: The name of the zone.
    type: str
    required: true
  ignore:
    description: Findings to leave out. Both globs of an entry must match.
    type: list
    elements: dict
    default: []
    suboptions:
      rule: {type: str, default: '*', description: A glob for rules. A glob that matches no rule is an error.}
      name: {type: str, default: '*', description: "A glob for owner names, relative to the zone or absolute."}
  ttl:
    description: The TTL of records of a zone file that have none, as in O(zonesmith.dns.from_zone_file#filter:ttl).
    type: raw
requirements:
  - Python >= 3.11, on the controller
  - dnspython >= 2.6.1
seealso:
  - plugin: zonesmith.dns.ptr_records
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Check a zone file
  ansible.builtin.debug:
    msg: "{{ lookup('ansible.builtin.file', 'example.com.zone') | zonesmith.dns.findings('example.com') }}"

- name: Read the zone
  zonesmith.dns.dns_zone_info:
    zone: example.com
  register: live

- name: Fail if something in it does not work
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
  description: The findings, sorted by severity with the worst first, then by name.
  type: list
  elements: dict
  contains:
    rule: {type: str, sample: mx-no-address, description: "The rule, for O(ignore)."}
    severity: {type: str, sample: error, description: "V(error), V(warning) or V(info)."}
    name: {type: str, sample: example.com., description: The absolute owner name.}
    type: {type: str, sample: MX, description: The type.}
    message:
      description: What is wrong.
      type: str
      sample: mail.example.com. is in this zone but has no address
    source: {type: str, sample: "RFC 5321, section 5.1", description: Where the rule comes from.}
    line:
      description: The first line of the record set.
      type: int
      returned: when the input is the text of a zone file
      sample: 12
"""

from collections.abc import Mapping
from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils._dns.printable import printable
from ..module_utils._findings.findings import Ignored
from ..module_utils._findings.findings import (
    findings as found_in,
)
from ..plugin_utils._filter_zones import (
    canonical_zone,
    is_list,
    parsed_file,
    sets_of,
    ttl_option,
)


def findings(raw: Any, zone: Any, ignore: Any = (), ttl: Any = None) -> list[dict[str, Any]]:
    """The findings of the rules in a zone. Raises AnsibleFilterError."""
    name = canonical_zone("findings", zone)
    if not (isinstance(raw, (str, Mapping)) or is_list(raw)):
        raise AnsibleFilterError(
            "findings takes the text of a zone file, a list of record sets, or a zone of dns_zone_info"
        )
    default_ttl = ttl_option("findings", ttl)
    of_file = {}
    if isinstance(raw, str):
        parsed = parsed_file(raw, name, default_ttl)
        of_file = parsed.sets
        raw = parsed.task_records
    results = []
    for finding in found_in(sets_of(raw, name), name, _ignored(ignore)):
        result = finding.as_result()
        if finding.key in of_file:
            result["line"] = of_file[finding.key].first.line
        results.append(result)
    return results


def _ignored(ignore: Any) -> Ignored:
    items = list(ignore) if is_list(ignore) else [ignore]
    for item in items:
        is_one = isinstance(item, Mapping) and item and item.keys() <= {"rule", "name"}
        if not is_one or not all(isinstance(glob, str) for glob in item.values()):
            raise AnsibleFilterError(
                "findings takes ignore as a list of dictionaries with globs for rule and name"
            )
    ignored = Ignored(tuple((item.get("rule", "*"), item.get("name", "*")) for item in items))
    of_none = ignored.of_no_rule()
    if of_none:
        raise AnsibleFilterError(
            printable(f"ignore names {', '.join(of_none)}, but there is no such rule")
        )
    return ignored


class FilterModule:
    """The filter under its name."""

    def filters(self) -> dict[str, Any]:
        return {"findings": findings}
