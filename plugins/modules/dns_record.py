#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keep one record set right, value by value."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_record
short_description: Manage the values of one DNS record set
version_added: 1.0.0
description:
  - Adds values to a record set or removes them, and leaves its other values alone.
  - The service cannot change a record. To remove a value or change the TTL, the module deletes the set and creates it
    again with all its other values. If the module is interrupted, the next run completes the set (see O(state_dir)).
  - Values are compared by their meaning, so V(2001:DB8:0::1) equals V(2001:db8::1), and V(Target.example.net) equals
    V(target.example.net.).
  - Most tasks need only O(zone), O(name), O(type), O(content), O(ttl) and O(state).
  - M(zonesmith.dns.dns_records) says what the other options are for, and describes the results that both modules
    return, such as RV(zonesmith.dns.dns_records#module:findings).
author:
  - The zonesmith.dns contributors (@zonesmith)
extends_documentation_fragment:
  - zonesmith.dns.api
  - zonesmith.dns.api.writing
  - zonesmith.dns.api.state
  - zonesmith.dns.api.owner
  - zonesmith.dns.api.wait
  - zonesmith.dns.attributes
  - zonesmith.dns.attributes.writing
options:
  zone:
    description:
      - The zone that holds the record set, in upper or lower case, with or without a final dot. Both V(bücher.example)
        and V(xn--bcher-kva.example) work.
    type: str
    required: true
  name:
    description:
      - The name of the record set, such as V(www). V(@) is the zone's own name (its apex). A name is relative to the
        zone, unless it ends in a dot or in the zone's name. DNS calls this the owner name; it has nothing to do with
        O(owner).
      - Quote numbers. Without quotes, V(7.10) is refused, but YAML silently reads V(010) as 8 and V(12:30:45) as 45045.
      - With O(state=absent) and no name, the set of the apex is removed, with a warning.
    type: str
    default: '@'
  type:
    description:
      - The type of the record set, in upper or lower case.
      - SOA, and NS at the apex, belong to the service and are never written. Removing them is an error.
        O(service_owned) says what happens if the listed values differ from the zone's.
      - V('*'), in quotes, stands for all types. It needs O(state=absent), and no O(content). SOA, the NS at the apex
        and the zone's DNSSEC records stay, as with O(zonesmith.dns.dns_records#module:prune).
      - Values of types that dnspython knows are checked. Values of other types are passed on as they are, but the host
        of V(ALIAS) and V(ANAME) is read like that of a CNAME. A misspelled type, such as V(CNAEM), is an error.
    type: str
    required: true
  content:
    description:
      - The values, as in a zone file, except that a host name with a dot in it is absolute even without the final dot.
        A single value needs no list, and a comma does not separate values. Listing a value twice is an error.
      - Required with O(state=present). With O(state=absent), only these values are removed. Without O(content), or with
        C(omit) from a template, the whole set is removed. An empty list or text is an error.
      - Unlike in O(name), the host V(ns1.lab) means V(ns1.lab.). A single label is relative to the zone, V(@) is the
        apex, and V(.) is the root. The root is not allowed as the host of a new CNAME, DNAME, NS or PTR, nor of an MX
        whose preference is not 0.
      - A TXT value is the text itself, of any length, without the backslashes and parentheses of zone files. A value
        that begins with a double quote is read as one or more quoted chunks.
      - A value is one line. Newlines at its end are dropped. For a newline inside a TXT value, write V("a\\010b"), with
        the double quotes.
      - The flags and services of NAPTR are compared without regard to case, and sent in lower case.
      - Quote numbers such as V("1.10"), as in O(name).
    type: list
    elements: str
    aliases: [contents, value, values]
  priority:
    description:
      - For MX only, the preference (0 to 65535) of each value in O(content) that does not begin with a preference.
      - Empty means not set. With O(state=absent), a value without a preference matches any preference, so an empty
        O(priority) is an error there. If the service does not show a preference and no earlier run recorded it, any
        preference matches, with a warning.
    type: int
  ttl:
    description:
      - The TTL of the record set, 0 to 2147483647 seconds, or with units such as V(5m) or V(1h30m). Quote V("010"), as
        in O(name).
      - If not set, an existing set keeps its TTL and a new one gets 3600. With O(state=absent), it has no effect.
    type: raw
  exclusive:
    description:
      - Whether the record set holds exactly O(content), so that other values are removed. With O(owner), only this
        owner's values are removed. Cannot be combined with O(state=absent).
    type: bool
    default: false
  replaces:
    description:
      - Globs for values that O(content) replaces, such as V(v=spf1*) for the SPF record among other TXT values. All
        other values stay.
      - TXT and SPF values are matched by their text, without quotes and escapes, and case matters. For other values,
        case does not matter. A glob is compared with the form in the result RV(record_set.contents) and with the form
        that the service shows, with and without a host's final dot. One match is enough.
      - An MX value looks like V(10 mail.example.com.), or is only the host if the service does not show the preference.
        V(*mail.example.com.) matches both.
      - Cannot be combined with O(state=absent) or O(exclusive).
    type: list
    elements: str
  state:
    description: Whether the values are in the set (V(present)) or not (V(absent)).
    type: str
    choices: [present, absent]
    default: present
seealso:
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: Add two addresses to www, whatever others it has
  zonesmith.dns.dns_record:
    zone: example.com
    name: www
    type: A
    content:
      - 192.0.2.1
      - 192.0.2.2
    ttl: 300

- name: Give www exactly this address
  zonesmith.dns.dns_record:
    zone: example.com
    name: www
    type: A
    content: 192.0.2.80
    exclusive: true

- name: Remove blog
  zonesmith.dns.dns_record:
    zone: example.com
    name: blog
    type: CNAME
    state: absent

- name: Remove one address and keep the others
  zonesmith.dns.dns_record:
    zone: example.com
    name: www
    type: A
    content: 192.0.2.2
    state: absent

- name: Remove all record sets of a name
  zonesmith.dns.dns_record:
    zone: example.com
    name: old-server
    type: '*'
    state: absent

- name: Replace the SPF record, and keep the other TXT values
  zonesmith.dns.dns_record:
    zone: example.com
    type: TXT
    content: v=spf1 mx include:_spf.example.net -all
    replaces: v=spf1*

- name: Connection - set it once for several tasks
  module_defaults:
    group/zonesmith.dns.all:
      base_url: "{{ dns_base_url }}"
      access_token: "{{ dns_access_token }}"
  block:
    - name: Publish a service
      zonesmith.dns.dns_record:
        zone: example.com
        name: _imaps._tcp
        type: SRV
        content: 0 1 993 mail.example.com.

    - name: Name the authority that issues certificates
      zonesmith.dns.dns_record:
        zone: example.com
        type: CAA
        content: 0 issue "letsencrypt.org"

- name: Safety - fail if a mail host has no address
  zonesmith.dns.dns_record:
    zone: example.com
    type: MX
    content:
      - 10 mx1.example.net.
      - 20 mx2.example.net.
    findings: error

- name: Teams - add an address for the web team, unless somebody else changed it
  zonesmith.dns.dns_record:
    zone: example.com
    name: web2
    type: A
    content: 192.0.2.42
    owner: web
    on_drift: refuse

- name: Waiting - go on when every name server answers with the challenge
  zonesmith.dns.dns_record:
    zone: example.com
    name: _acme-challenge
    type: TXT
    content: "{{ acme_challenge }}"
    wait: true
"""

# Only what most tasks use; dns_records documents all.
RETURN = r"""
zone:
  description: The zone's name, in lower case and A-labels, without a final dot.
  returned: success
  type: str
  sample: example.com
record_set:
  description:
    - The record set after the task, or as it would be in check mode. V(null) if there is none, or if O(type=*).
  returned: success
  type: dict
  contains:
    name: {type: str, sample: www.example.com., description: The absolute owner name.}
    type: {type: str, sample: A, description: The type.}
    ttl: {type: int, sample: 300, description: The TTL in seconds.}
    contents:
      description: The values, in zone-file form.
      type: list
      elements: str
      sample: [192.0.2.1, 192.0.2.2]
changes:
  description: The record sets that changed, or would change in check mode, with their TTL and values before and after.
  returned: always
  type: list
  elements: dict
  sample:
    - name: www.example.com.
      type: A
      action: extend
      before: {"ttl": 300, "contents": ["192.0.2.1"]}
      after: {"ttl": 300, "contents": ["192.0.2.1", "192.0.2.2"]}
diff:
  description: The changes as lines of a zone file.
  returned: success, and failure if something changed
  type: dict
status_code:
  description: The HTTP status that ended the task, V(null) if it failed for another reason.
  returned: failure
  type: int
"""

from typing import Any

# It ends where Python is too old for what follows.
from ..module_utils import _python  # noqa: F401 # pylint: disable=unused-import
from ..module_utils._plan.records import desired_of_name
from ..module_utils._run.desired import check_options
from ..module_utils._run.invocation import Invocation
from ..module_utils._run.module import run_module
from ..module_utils._run.options import (
    RECORDS,
    SHARED_OPTIONS,
    WRITING_OPTIONS,
)
from ..module_utils._run.results import record_set_after
from ..module_utils._run.zone import converge_zone

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    **WRITING_OPTIONS,
    "zone": {"type": "str", "required": True},
    **{name: rules for name, rules in RECORDS.items() if name != "comment"},
    "exclusive": {"type": "bool", "default": False},
}


def converge_record_set(invocation: Invocation) -> dict[str, Any]:
    """Give one record set the desired values; the module's result."""
    zone = invocation.zone
    options = invocation.options
    desired = desired_of_name(zone, options)
    check_options(options, [zone])
    outcome, result = converge_zone(invocation, [desired])
    del result["summary"]  # it would count one set
    return {**result, "record_set": record_set_after(outcome, desired.key)}


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, converge_record_set)


if __name__ == "__main__":
    main()
