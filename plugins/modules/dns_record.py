#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keep one record set right, value by value."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_record
short_description: Keep one DNS record set right, value by value
version_added: 1.0.0
description:
  - Makes sure that values are in a record set, or that they are not, and leaves the other values alone.
  - A value that is missing is added. The service cannot change a record, so where the TTL changes or a value goes, the
    set is deleted and created again with all values that belong in it. See O(state_dir) for what protects it meanwhile.
  - Values are compared by what they mean. V(2001:DB8:0::1) and V(2001:db8::1) are one address,
    V(Target.example.net) and V(target.example.net.) are one host.
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
      - The zone that holds the record set. Case and a trailing dot do not matter, and an internationalized name can be
        written either way, V(bücher.example) or V(xn--bcher-kva.example).
    type: str
    required: true
  name:
    description:
      - The owner name of the record set.
      - V(@) is the zone itself. A name is relative to the zone, unless it ends in a dot or in the name of the zone.
      - A name that ends in a dot and is not inside the zone is an error. So is a URL, V(@) in a longer name, and a name
        without a dot at its end that ends in the name of the zone twice.
      - V(www.example.net) in another zone is a relative name as well. A warning tells of a new one that ends in the
        name of another zone of the task, or in a known top-level label with two labels more than any other name of the
        zone that has no label such as V(_tcp).
      - A number with a dot needs quotes, as V("7.10"). YAML reads V(7.10) and V(7.1) as one number, so it is refused
        without them. A whole number needs none, but YAML reads V(010) as 8 and V(12:30:45) as 45045 before anybody can
        see what was written, so write these in quotes too.
    type: str
    default: '@'
  type:
    description:
      - The type of the record set, in any case.
      - V(*) stands for all types, with O(state=absent) and without O(content). All record sets of the name go, but SOA,
        the zone's own NS, and what signs the zone, which is RRSIG, NSEC, NSEC3 and NSEC3PARAM at any name, and DNSKEY,
        CDS, CDNSKEY, ZONEMD and TYPE65534 at the zone's own. Write it in quotes, as YAML has its own use of the
        character.
      - SOA, and NS at the zone's own name, belong to the service and are never written. To say what the zone holds is
        no change, whatever the serial of the SOA; to have them absent is refused, and so is to say otherwise, unless
        O(service_owned) tells what comes of it.
      - Values of the types that dnspython knows are checked. Any other mnemonic, such as V(ALIAS), is passed on, its
        values as they are, but that a host in V(ALIAS) and V(ANAME) is read as in CNAME. One that is a letter away from
        a known type, such as V(CNAEM), is an error.
    type: str
    required: true
  content:
    description:
      - The values, in zone-file form. Required with O(state=present). Listing one twice is an error.
      - A single value can be given as it is, in place of a list. A comma in it does not separate values.
      - A number with a dot needs quotes, as V("1.10"), and is refused without them, as in O(name). Write V("010") and
        V("12:30:45") in quotes too, since YAML makes other numbers of them.
      - A value is one line. Newlines at its end, as the block scalars of YAML have them, are no part of it. In a TXT
        value that has one, it is written V("one\\010two"), in double quotes.
      - A host name inside a value is absolute if it ends in a dot or has a dot inside. A single label is relative to
        the zone, V(@) is the zone itself, V(.) is the root. A URL, a port, a path, a mail address or an address in its
        place is an error.
      - So V(ns1.lab) is the absolute name V(ns1.lab.), though O(name=ns1.lab) is relative. Where the zone has a record
        of the relative name, or has V(lab) as a delegation or with a wildcard, a warning asks for the final dot.
      - A TXT value that begins with a double quote is in zone-file form, one or more chunks in double quotes. Where one
        is not closed, or has a false escape such as V(\\1), it is an error, and so is a whole line
        of a zone file. All else is the text itself, of any length.
      - A warning tells of a new text that begins and ends in typographic or escaped quotes, or at one end has a
        character that nobody sees, such as a no-break space.
      - Flags and services of NAPTR are compared without regard to case, and sent in lower case.
      - With O(state=absent), these values go and the others stay. Without O(content) the whole set goes;
        an empty list is an error. With O(type=*) it must be left out.
    type: list
    elements: str
    aliases:
      - contents
      - value
      - values
  priority:
    description:
      - For MX only, the preference of every value of O(content) that does not begin with one, 0 to 65535. Where all
        begin with one, and none with this one, it is an error.
      - YAML reads V(010) as 8, as in O(name).
      - With O(state=absent), a value without preference, and without O(priority), goes whatever its preference is.
        So does any, with a warning, where the service shows no preference and nobody knows the one that was sent.
    type: int
  ttl:
    description:
      - The TTL of the record set, in seconds, or as in zone files, such as V(5m) or V(1h30m), 0 to 2147483647 seconds.
        It is one for all its values.
      - YAML reads V(010) as 8 seconds and V(1:30) as 90, before anybody can see what was written, as in O(name).
      - If not set, a set that is there keeps its TTL, and a new one has 3600. A warning tells where that TTL is another
        one after the task.
      - Where the service keeps another TTL than it is sent, the task succeeds with a warning that names both. A second
        run changes nothing, as long as the service keeps that one and O(state_dir) is there.
      - Not used with O(state=absent).
    type: raw
  exclusive:
    description:
      - With O(state=present), whether the record set holds exactly O(content). Other values go.
      - With O(owner), those go that this owner had. Values of other owners, and of nobody, stay.
      - An error with O(state=absent).
    type: bool
    default: false
  replaces:
    description:
      - Globs for values of the record set that O(content) takes the place of. What one of them matches goes, unless
        O(content) lists it; the other values stay. So the one SPF can be changed among other TXT values.
      - A TXT or SPF value is met as the text itself, without quotes and escapes, and its case matters. All other values
        are met as RV(record_set.contents) shows them and as the service does, in any case, a host also without its
        final dot. V(*) matches everything, V(?) one character, V([ab]) one of those.
      - Only with O(state=present), and not with O(exclusive), which takes all other values out. Either is an error.
      - A warning tells where none of them matches anything of a set that a value is added to.
      - An MX value is its preference and its host, such as V(10 mail.example.com.). Where the service does not show the
        preference, it is the host alone, which V(*mail.example.com.) matches either way.
    type: list
    elements: str
  state:
    description:
      - V(present) makes sure that the values are there, V(absent) that they are not.
    type: str
    choices:
      - present
      - absent
    default: present
seealso:
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: Two addresses for www; other addresses it may have stay
  zonesmith.dns.dns_record:
    zone: example.com
    name: www
    type: A
    content:
      - 192.0.2.1
      - 192.0.2.2
    ttl: 300

- name: Exactly this address for www, in place of any other
  zonesmith.dns.dns_record:
    zone: example.com
    name: www
    type: A
    content: 192.0.2.80
    exclusive: true

- name: Take one address out and leave the others as they are
  zonesmith.dns.dns_record:
    zone: example.com
    name: www
    type: A
    content: 192.0.2.2
    state: absent

- name: Mail for the zone, with one preference for both hosts
  zonesmith.dns.dns_record:
    zone: example.com
    type: MX
    content:
      - mx1.example.net.
      - mx2.example.net.
    priority: 10

- name: Mail for the zone, each host with its own preference
  zonesmith.dns.dns_record:
    zone: example.com
    type: MX
    content:
      - 10 mx1.example.net.
      - 20 mx2.example.net.
    exclusive: true

- name: Say who may send mail for the zone
  zonesmith.dns.dns_record:
    zone: example.com
    type: TXT
    content: v=spf1 mx -all

- name: Change it later, whatever it says now, and leave the other texts of the zone alone
  zonesmith.dns.dns_record:
    zone: example.com
    type: TXT
    content: v=spf1 mx include:_spf.example.net -all
    replaces: v=spf1*

- name: Another name for www
  zonesmith.dns.dns_record:
    zone: example.com
    name: blog
    type: CNAME
    content: www.example.com.

- name: No such record set at all
  zonesmith.dns.dns_record:
    zone: example.com
    name: blog
    type: CNAME
    state: absent

- name: Nothing at all at this name
  zonesmith.dns.dns_record:
    zone: example.com
    name: old-server
    type: '*'
    state: absent

- name: Set the connection once for several tasks
  module_defaults:
    group/zonesmith.dns.all:
      base_url: "{{ dns_base_url }}"
      access_token: "{{ dns_access_token }}"
  block:
    - name: Service records work like all others
      zonesmith.dns.dns_record:
        zone: example.com
        name: _imaps._tcp
        type: SRV
        content: 0 1 993 mail.example.com.

    - name: And so do certificates' authorities
      zonesmith.dns.dns_record:
        zone: example.com
        type: CAA
        content: 0 issue "letsencrypt.org"

- name: An address of the web team, unless somebody else has changed what it had left so
  zonesmith.dns.dns_record:
    zone: example.com
    name: web2
    type: A
    content: 192.0.2.42
    owner: web
    on_drift: refuse
"""

RETURN = r"""
zone:
  description: The zone, as an absolute name in lower case and A-labels, without its trailing dot.
  returned: success
  type: str
  sample: example.com
record_set:
  description:
    - The record set as it was read after the task, or would be in check mode, its values in zone-file form.
    - V(null) when there is none, and with O(type=*).
  returned: success
  type: dict
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
    contents:
      description: The values.
      type: list
      elements: str
      sample:
        - 192.0.2.1
        - 192.0.2.2
applied:
  description: On failure, the name and type of each planned record set that was changed as planned.
  returned: failure after the first request that writes, or while waiting
  type: list
  elements: dict
  sample: [{"name": "www.example.com.", "type": "A"}]
failed_sets:
  description: On failure, the name and type of each planned record set at whose name a request failed, or that
    does not hold what was planned.
  returned: failure after the first request that writes, or while waiting
  type: list
  elements: dict
  sample: [{"name": "blog.example.com.", "type": "CNAME"}]
not_attempted:
  description: On failure, the name and type of each planned record set that was not begun.
  returned: failure after the first request that writes, or while waiting
  type: list
  elements: dict
  sample: []
unfinished:
  description:
    - On failure, what was planned for the record sets that the next run on the zone may complete from its log, or
      whose state could not be read. Entries are like those of RV(changes), with RV(changes[].after) as planned.
    - P(zonesmith.dns.reversal#filter) leads back from there too.
  returned: failure where it is not empty
  type: list
  elements: dict
  sample: []
changes:
  description:
    - The record sets that changed, or would change in check mode. One that is in the end as it was before is not
      among them.
    - On failure, what was changed all the same.
  returned: always
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
    action:
      description:
        - V(create) for a new set, V(extend) where values were added, V(rebuild) where the set was deleted and created
          again, V(delete) where it was deleted.
      type: str
      sample: extend
    because:
      description:
        - Why the set changes. V(wanted) where the owner wants something else than before, V(drift) where the zone is
          not as the owner left it, V(both) where both are so.
        - What a run had begun that did not come to its end is V(wanted).
      returned: with O(owner)
      type: str
      sample: drift
    before:
      description: TTL and values as they were, V(null) for a new set.
      type: dict
      sample: {"ttl": 300, "contents": ["192.0.2.1"]}
    after:
      description:
        - TTL and values as they were read after the change, or would be in check mode. V(null) for a deleted set.
        - Where the zone could not be read after the change, as they were sent.
      type: dict
      sample: {"ttl": 300, "contents": ["192.0.2.1", "192.0.2.2"]}
diff:
  description:
    - The changed record sets as lines of a zone file, before and after, and with them those that an interrupted run had
      left incomplete.
    - Where sets are rebuilt, and so are gone for a moment, C(after_header) counts and names them; Ansible shows it
      above the lines.
    - On failure, what was done. Ansible itself shows no difference of a task that failed.
  returned: success, and failure where something was changed
  type: dict
  sample:
    before: "www.example.com. 300 IN A 192.0.2.1\n"
    after: "www.example.com. 300 IN A 192.0.2.1\nwww.example.com. 300 IN A 192.0.2.2\n"
recovered:
  description:
    - The record sets that an interrupted run had left incomplete and that this run completed first, or would complete
      in check mode. Entries are like those of RV(changes).
    - On failure it is there only where an interrupted run's sets were completed before. The task has changed then.
  returned: success, and failure where it is not empty
  type: list
  elements: dict
  sample: []
findings:
  description:
    - What the change brings, or would bring in check mode, that is legal for the service and wrong for the internet,
      the worst first. Where the task failed after it had written, what the sets bring that were made all the same.
  returned: success, and failure where it is not empty
  type: list
  elements: dict
  contains:
    rule:
      description: The rule, to be named in O(findings_ignore).
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
adopted:
  description:
    - The name and type of each record set of which the zone held already what has become that of O(owner), or would
      in check mode.
  returned: success, with O(owner)
  type: list
  elements: dict
  sample: [{"name": "www.example.com.", "type": "A"}]
released:
  description: The name and type of each record set of which O(owner) gave something up, or would in check mode.
  returned: success, with O(owner)
  type: list
  elements: dict
  sample: []
unowned:
  description:
    - How many record sets of the zone are nobody's after the task, of those that it is about, but for the SOA, the
      zone's own NS, and what signs the zone.
  returned: success, with O(owner)
  type: int
  sample: 12
service_owned:
  description:
    - The SOA, and the NS at the zone's own name, where they are not as the task says. They belong to the service, and
      no task changes them. Empty with O(service_owned=ignore).
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: The absolute owner name.
      type: str
      sample: example.com.
    type:
      description: V(SOA) or V(NS).
      type: str
      sample: NS
    live:
      description: TTL and values as the zone holds them, V(null) where it shows none.
      type: dict
      sample: {"ttl": 86400, "contents": ["ns1.example.net."]}
    wanted:
      description:
        - TTL and values as the task says them. The TTL is V(null) where it says none, and for what a zone file says.
        - Of an SOA, a zone file is compared by primary name server and mailbox, and both sides have those alone.
      type: dict
      sample: {"ttl": null, "contents": ["ns1.example.org."]}
    message:
      description: The same in words.
      type: str
      sample: >-
        example.com. NS belongs to the service and is never written: the zone holds ns1.example.net., and the file
        says ns1.example.org.
differs:
  description:
    - That the task failed because of O(fail_on_changes) and of nothing else. The other fields are then as of a success.
  returned: failure because of O(fail_on_changes)
  type: bool
  sample: true
status_code:
  description: The HTTP status of the answer that ended the task, V(null) when it ended for another reason.
  returned: failure
  type: int
  sample: 422
"""

from typing import Any

# It ends where Python is too old for what follows.
from ansible_collections.zonesmith.dns.plugins.module_utils import _python  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import CONTENT_NAMES
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import desired_of_name
from ansible_collections.zonesmith.dns.plugins.module_utils._run.desired import check_all
from ansible_collections.zonesmith.dns.plugins.module_utils._run.findings_report import FindingsReport
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import run_module
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import OPTIONS as SHARED_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import WAIT_OPTIONS, WRITING_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.owner import owner_of
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone import converge_zone

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    **WRITING_OPTIONS,
    **WAIT_OPTIONS,
    "zone": {"type": "str", "required": True},
    "name": {"type": "str", "default": "@"},
    "type": {"type": "str", "required": True},
    "content": {"type": "list", "elements": "str", "aliases": [*CONTENT_NAMES[1:]]},
    "priority": {"type": "int"},
    "ttl": {"type": "raw"},
    "exclusive": {"type": "bool", "default": False},
    "replaces": {"type": "list", "elements": "str"},
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
}


def converge_record_set(invocation: Invocation) -> dict[str, Any]:
    """Give one record set the wanted values; the module's result."""
    zone, options = invocation.zone, invocation.options
    wanted: list[Desired] = []
    check_all(
        lambda: owner_of(options),
        lambda: FindingsReport(zone, options),
        lambda: wanted.append(desired_of_name(zone, options)),
    )
    outcome, result = converge_zone(invocation, wanted)
    return {**result, "record_set": outcome.record_set(wanted[0].key)}


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, converge_record_set)


if __name__ == "__main__":
    main()
