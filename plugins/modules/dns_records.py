#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keep many record sets of a zone right, in one task."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_records
short_description: Manage many DNS record sets of one zone
version_added: 1.0.0
description:
  - Gives each listed record set exactly the listed values. With O(prune), the zone holds no other sets.
  - All entries are checked before the first write, and all errors are reported at once. Only differences are written.
  - Different names are written in parallel. The sets of one name are written one by one, deletions first, so a CNAME
    can replace other records, and vice versa.
  - "If a write fails, no further name is begun. Two kinds of failure do not stop the task: a refused deletion by
    O(prune), and a failed write to a set that an interrupted run left incomplete."
  - Most tasks need only O(zone), O(records) or O(src), O(ttl) and O(prune).
  - "B(Connection): O(base_url), O(access_token), O(validate_certs), O(ca_path), O(allow_insecure_http), O(timeout),
    O(retries), O(retry_timeout) and O(concurrency)."
  - "B(Safety): O(protect), O(ignore), O(change_limit), O(prune_limit), O(ttl_max), O(findings), O(findings_ignore),
    O(service_owned), O(txt_format), O(state_dir), O(state_url) and O(lock_timeout)."
  - "B(Teams): O(owner), O(only), O(takeover), O(release) and O(on_drift)."
  - "B(Review): O(plan_dir) and O(fail_on_changes)."
  - "B(Waiting): O(wait), O(wait_timeout) and O(wait_nameservers)."
author:
  - The zonesmith.dns contributors (@zonesmith)
extends_documentation_fragment:
  - zonesmith.dns.api
  - zonesmith.dns.api.writing
  - zonesmith.dns.api.state
  - zonesmith.dns.api.owner
  - zonesmith.dns.api.wait
  - zonesmith.dns.api.zones
  - zonesmith.dns.attributes
  - zonesmith.dns.attributes.writing
options:
  zone:
    description:
      - The zone that holds the record sets, in upper or lower case, with or without a final dot. Both V(bücher.example)
        and V(xn--bcher-kva.example) work.
    type: str
    required: true
  records:
    description:
      - The record sets, in the form that M(zonesmith.dns.dns_zone_info) and P(zonesmith.dns.from_zone_file#filter)
        return. Either this or O(src) is required.
      - Several entries for one name and type make one set.
      - With an empty list, the task writes nothing, with a warning, unless O(prune) is V(true).
    type: list
    elements: dict
    suboptions:
      name:
        description: The name of the record set, such as V(www), as O(zonesmith.dns.dns_record#module:name) takes it.
        type: str
        default: '@'
      type:
        description: The type, in upper or lower case. See O(zonesmith.dns.dns_record#module:type) for SOA and NS.
        type: str
        required: true
      content:
        description:
          - The values, as O(zonesmith.dns.dns_record#module:content) takes them. Required with
            O(records[].state=present). With O(records[].state=absent), the whole set is removed, and they must be left
            out. Then even an empty list or text is an error.
          - To remove one value, list the others, or use M(zonesmith.dns.dns_record).
        type: list
        elements: str
        aliases: [contents, value, values]
      ttl:
        description:
          - The TTL, as in O(zonesmith.dns.dns_record#module:ttl). Empty means not set. Different TTLs for one set are
            an error.
        type: raw
      priority:
        description: For MX only, the preference of each value that does not begin with one. Empty means not set.
        type: int
      comment:
        description: A remark for people, shown with errors and never sent to the service. May be empty.
        type: str
      exclusive:
        description:
          - Whether the set holds exactly the values of its entries. With V(false), its other values stay, unless
            another entry for the set is exclusive. With O(owner), only this owner's values are removed.
          - V(false) is an error with O(records[].state=absent).
        type: bool
        default: true
      replaces:
        description:
          - Globs, as in O(zonesmith.dns.dns_record#module:replaces). An entry with O(records[].replaces) removes only
            the values that match, even with O(records[].exclusive=true).
        type: list
        elements: str
      state:
        description: Whether the set exists as listed (V(present)) or does not exist (V(absent)).
        type: str
        choices: [present, absent]
        default: present
  src:
    description:
      - A zone file on the controller, in place of O(records), found as C(ansible.builtin.copy) finds its C(src). It may
        be encrypted with Ansible Vault. It is not a template. Braces stay as they are, and give a warning.
        P(zonesmith.dns.from_zone_file#filter) describes the format.
      - Or a folder C(NAME.zone) that holds the zone in parts. The parts are the files C(*.zone) in the folder, except
        hidden ones. Each part is read separately, and a record set may be in one part only. A part may be a link within
        the folder.
      - C($INCLUDE PATH) or C($INCLUDE PATH ORIGIN) reads a file in the folder of this one, or below it, such as
        C(shared/mail.inc). The path is relative to the file that has it. A link may lead to another file in that folder.
        Paths that lead out of it, and names that begin with a dot, are refused. An included file cannot include others.
      - A zone may be at most 64 MiB, in at most 1000 files.
    type: str
seealso:
  - module: zonesmith.dns.dns_zones
"""

EXAMPLES = r"""
- name: Manage several record sets
  zonesmith.dns.dns_records:
    zone: example.com
    ttl: 300
    records:
      - name: www
        type: A
        content:
          - 192.0.2.1
          - 192.0.2.2
      - name: www
        type: AAAA
        content: 2001:db8::1
      - type: MX
        content: 10 mail.example.net.
        ttl: 86400
      - name: old
        type: A
        state: absent

- name: Make the whole zone match its file
  zonesmith.dns.dns_records:
    zone: example.com
    src: zones/example.com.zone
    prune: true

- name: Replace the SPF record and add one address, whatever else these sets hold
  zonesmith.dns.dns_records:
    zone: example.com
    records:
      - type: TXT
        content: v=spf1 mx include:_spf.example.net -all
        replaces: v=spf1*
      - name: pool
        type: A
        content: 192.0.2.30
        exclusive: false

- name: Replace an address with an alias
  zonesmith.dns.dns_records:
    zone: example.com
    records:
      - name: shop
        type: A
        state: absent
      - name: shop
        type: CNAME
        content: shops.example.net.

- name: Use a table with one row for each value
  zonesmith.dns.dns_records:
    zone: example.com
    records: "{{ hosts | map('combine', {'type': 'A'}) }}"
  vars:
    hosts:
      - {name: node1, content: 192.0.2.11}
      - {name: nodes, content: 192.0.2.11}
      - {name: node2, content: 192.0.2.12}
      - {name: nodes, content: 192.0.2.12}

- name: Connection - write at most four names at once, and retry patiently
  zonesmith.dns.dns_records:
    zone: example.com
    src: zones/example.com.zone
    concurrency: 4
    retries: 10

- name: Safety - keep the mail, leave other programs' records alone, and never change much at once
  zonesmith.dns.dns_records:
    zone: example.com
    prune: true
    prune_limit: 50
    change_limit: 20
    protect:
      - type: MX
      - name: '*._domainkey'
    ignore:
      - name: _acme-challenge*
        type: TXT
      - type: TXT
        value: google-site-verification=*
    records:
      - type: MX
        content: 10 mail.example.net.
      - name: www
        type: A
        content: 192.0.2.1

- name: Safety - lower the TTL of a host that moves tomorrow
  zonesmith.dns.dns_records:
    zone: example.com
    src: zones/example.com.zone
    ttl_max:
      - name: www
        ttl: 5m

- name: Teams - manage one team's part of a zone
  zonesmith.dns.dns_records:
    zone: example.com
    prune: true
    prune_limit: 50
    only:
      - name: shop
      - name: '*.shop'
    records:
      - name: shop
        type: A
        content: 192.0.2.20
      - name: www.shop
        type: CNAME
        content: shop

- name: Teams - manage the web team's values in a shared zone
  zonesmith.dns.dns_records:
    zone: example.com
    owner: web
    prune: true
    records:
      - name: web1
        type: A
        content: 192.0.2.41

- name: Review - write the plan of the zone
  zonesmith.dns.dns_records:
    zone: example.com
    src: zones/example.com.zone
    plan_dir: plans
  check_mode: true

- name: Review - apply the plan, and nothing else
  zonesmith.dns.dns_records:
    zone: example.com
    src: zones/example.com.zone
    plan_dir: plans

- name: Waiting - go on when every name server answers with the new records
  zonesmith.dns.dns_records:
    zone: example.com
    src: zones/example.com.zone
    wait: true
    wait_timeout: 600
"""

RETURN = r"""
zone:
  description: The zone's name, in lower case and A-labels, without a final dot.
  returned: success
  type: str
  sample: example.com
summary:
  description: How many record sets were created, extended, rebuilt, deleted, or unchanged.
  returned: success
  type: dict
  sample: {"created": 2, "extended": 0, "rebuilt": 1, "deleted": 0, "unchanged": 17}
changes:
  description:
    - The record sets that changed, or would change in check mode. A set that ends as it began is not listed. On
      failure, these are the sets that changed nevertheless.
  returned: always
  type: list
  elements: dict
  contains:
    name: {type: str, sample: www.example.com., description: The absolute owner name.}
    type: {type: str, sample: A, description: The type.}
    action:
      description:
        - V(create), V(extend) if values were added, V(rebuild) if the set was deleted and created again, or V(delete).
      type: str
    because:
      description:
        - Why the set changes. V(wanted) means that the task changed, V(drift) that somebody else changed the zone, and
          V(both) means both.
      returned: with O(owner)
      type: str
    before:
      description: The TTL and values before, V(null) for a new set.
      type: dict
      sample: {"ttl": 300, "contents": ["192.0.2.1"]}
    after:
      description:
        - The TTL and values as read after the change, or as predicted in check mode. V(null) for a deleted set.
      type: dict
diff:
  description:
    - The changes, with those in RV(recovered), as lines of a zone file. C(after_header) names what is gone for a
      moment, which are rebuilt sets, and names at which a CNAME replaces other types or they replace it. Ansible does
      not show the diff on failure.
  returned: success, and failure if something changed
  type: dict
  sample:
    before: "www.example.com. 300 IN A 192.0.2.1\n"
    after: "www.example.com. 300 IN A 192.0.2.1\nwww.example.com. 300 IN A 192.0.2.2\n"
applied:
  description: The planned sets that were changed as planned.
  returned: failure after the first write, or while waiting
  type: list
  elements: dict
  sample: [{"name": "www.example.com.", "type": "A"}]
failed_sets:
  description: The planned sets that failed, or do not hold what was planned.
  returned: failure after the first write, or while waiting
  type: list
  elements: dict
not_attempted:
  description: The planned sets that were not begun.
  returned: failure after the first write, or while waiting
  type: list
  elements: dict
unfinished:
  description:
    - Sets with a planned change that the next run completes, or that could not be read. The form is that of
      RV(changes). P(zonesmith.dns.reversal#filter) undoes them too.
  returned: failure, if there are any
  type: list
  elements: dict
recovered:
  description:
    - The sets that an interrupted run had left incomplete, in the form of RV(changes). This run completed them first,
      or would in check mode.
  returned: success, and failure if there are any
  type: list
  elements: dict
findings:
  description:
    - The mistakes that the changes bring in, in the form that P(zonesmith.dns.findings#filter) returns. On failure,
      only those of the sets that were written.
  returned: success, and failure if there are any
  type: list
  elements: dict
service_owned:
  description: How SOA and the NS records at the apex differ from the task. Empty with O(service_owned=ignore).
  returned: success
  type: list
  elements: dict
  contains:
    name: {type: str, sample: example.com., description: The absolute owner name.}
    type: {type: str, sample: NS, description: V(SOA) or V(NS).}
    live:
      description: The TTL and values in the zone, V(null) if the zone shows none.
      type: dict
      sample: {"ttl": 86400, "contents": ["ns1.example.net."]}
    wanted:
      description:
        - The TTL and values in the task. The TTL is V(null) if the task has none or uses a zone file. For the SOA of a
          zone file, C(live) and C(wanted) hold only the primary server and the mailbox.
      type: dict
    message: {type: str, description: The same in words.}
adopted:
  description: The sets whose existing values became those of the O(owner), or would in check mode.
  returned: success, with O(owner)
  type: list
  elements: dict
released:
  description: The sets in which the O(owner) gave up values, or would in check mode.
  returned: success, with O(owner)
  type: list
  elements: dict
unowned:
  description: The number of sets without an owner in the task's part of the zone, not counting those of the service.
  returned: success, with O(owner)
  type: int
cached:
  description:
    - How long resolvers may keep the old answer for each set in RV(changes). For a new set, the old answer is either
      that the set does not exist, or the answer of a wildcard or CNAME. Answers given while a set is rebuilt do not
      count.
  returned: success, with O(ttl_max)
  type: list
  elements: dict
  contains:
    name: {type: str, sample: www.example.com., description: The absolute owner name.}
    type: {type: str, sample: A, description: The type.}
    seconds:
      description:
        - How many seconds resolvers may keep the old answer after the name servers first give the new one.
      type: int
      sample: 86400
cached_until:
  description:
    - When the last old answer of RV(cached) expires, in UTC, counted from the end of the task. Without O(wait), name
      servers may give old answers for longer. V(null) if nothing changed, and in check mode.
  returned: success, with O(ttl_max)
  type: str
  sample: "2026-11-25T21:30:07Z"
differs:
  description: Always V(true). Without O(fail_on_changes), the task would not have failed.
  returned: failure because of O(fail_on_changes)
  type: bool
status_code:
  description: The HTTP status that ended the task, V(null) if it failed for another reason.
  returned: failure
  type: int
"""

from typing import Any

# It ends where Python is too old for what follows.
from ..module_utils import _python  # noqa: F401 # pylint: disable=unused-import
from ..module_utils._run.desired import limits_and_sets
from ..module_utils._run.invocation import Invocation
from ..module_utils._run.module import run_module
from ..module_utils._run.options import (
    OF_ZONES,
    RECORDS,
    SHARED_OPTIONS,
    WRITING_OPTIONS,
)
from ..module_utils._run.plan_file import keep_plan
from ..module_utils._run.zone import converge_zone

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    **OF_ZONES,
    **WRITING_OPTIONS,
    "zone": {"type": "str", "required": True},
    "records": {"type": "list", "elements": "dict", "options": RECORDS},
}


def converge_record_sets(invocation: Invocation) -> dict[str, Any]:
    """Give every listed record set its values, and with prune the zone no others; the module's result."""
    options, zone = invocation.options, invocation.zone
    # Remove an earlier one before anything can fail.
    keep_plan(invocation)
    if options["records"] == [] and not options["prune"]:
        invocation.warnings.append(
            "records is empty, so the task writes nothing: list record sets, or set prune to remove those that the "
            "zone has"
        )
    limits, desired = limits_and_sets(options, zone, invocation.warnings)
    _outcome, result = converge_zone(invocation, desired, limits)
    return result


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, converge_record_sets)


if __name__ == "__main__":
    main()
