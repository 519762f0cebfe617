#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keep many record sets of a zone right, in one task."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_records
short_description: Keep many DNS record sets of a zone right, in one task
version_added: 1.0.0
description:
  - Makes sure that each record set that is listed holds exactly the values that are listed for it. With O(prune), the
    zone holds no other sets.
  - The zone is read once, and only what differs is written. Different owner names are changed in parallel, the sets of
    one name one after the other, deletions first, so that a CNAME can replace other records and the reverse.
  - All entries are checked before the first request that writes, and all that is wrong is reported at once.
  - If something fails, no further name is begun. The result tells which sets were applied, failed and not attempted.
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
      - The zone that holds the record sets. Case and a trailing dot do not matter, and an internationalized name can be
        written either way, V(bücher.example) or V(xn--bcher-kva.example).
    type: str
    required: true
  records:
    description:
      - The record sets. Several entries for one name and type are one set, so that a table with a row a value can be
        passed as it is. Where such entries stand in different files, and not all of them speak of their values alone, a
        warning tells of it.
      - What M(zonesmith.dns.dns_zone_info) and P(zonesmith.dns.from_zone_file#filter) give has this form too.
      - Either this or O(src) is needed.
    type: list
    elements: dict
    suboptions:
      name:
        description:
          - The owner name. V(@) is the zone itself. A name is relative to the zone, unless it ends in a dot or in the
            name of the zone.
          - A warning tells of a new name that looks like a whole one of another zone, see
            O(zonesmith.dns.dns_record#module:name).
          - A number with a dot needs quotes, as V("7.10"), and is refused without them. YAML makes other numbers of
            V(010) and V(12:30:45), see O(zonesmith.dns.dns_record#module:name).
        type: str
        default: '@'
      type:
        description:
          - The type, in any case. One that nobody knows, and that is a letter away from a known one, is an error.
          - SOA, and NS at the zone's own name, belong to the service and are never written. An entry that says what the
            zone holds is no change, whatever the serial of the SOA; one that says otherwise is refused, unless
            O(service_owned) tells what comes of it.
        type: str
        required: true
      content:
        description:
          - The values, in the forms that M(zonesmith.dns.dns_record) takes. Required with O(records[].state=present).
            Listing one twice is an error.
          - A single value can be given as it is, in place of a list. A comma in it does not separate values.
          - A number with a dot needs quotes, as V("1.10"), and is refused without them. YAML makes other numbers of
            V(010) and V(12:30:45), see O(zonesmith.dns.dns_record#module:content).
          - An error with O(records[].state=absent), which removes the whole set. To remove one value, list the others,
            or use M(zonesmith.dns.dns_record).
        type: list
        elements: str
        aliases:
          - contents
          - value
          - values
      ttl:
        description:
          - The TTL, in seconds, or as in zone files, such as V(5m) or V(1h30m), 0 to 2147483647 seconds. Two different
            ones for one set are an error.
          - An empty one, as a cell of a table can be, is none.
        type: raw
      priority:
        description:
          - For MX only, the preference of every value of O(records[].content) that does not begin with one.
            Where all begin with one, and none with this one, it is an error.
          - An empty one, as a cell of a table can be, is none.
        type: int
      comment:
        description:
          - A remark for people. It is shown where the entry is an error, and never sent to the service.
        type: str
      exclusive:
        description:
          - Whether the set holds exactly the values of its entries. With V(false) this entry speaks of its values
            alone. They are there, and the others stay.
          - Where several entries are for one set, one that speaks of the whole set decides, and the set holds the
            values of all of them and no others.
          - With O(owner) that is said of this owner's values. Those of other owners, and of nobody, stay.
          - V(false) is an error with O(records[].state=absent).
        type: bool
        default: true
      replaces:
        description:
          - Globs for values of the set that O(records[].content) takes the place of, as
            O(zonesmith.dns.dns_record#module:replaces) has them. What one of them matches goes, unless an entry lists
            it, and the other values stay, whatever O(records[].exclusive) says. So the one SPF can be changed among
            other TXT values.
          - Those of several entries for one set add up.
          - A warning tells where none of them matches anything of a set that a value is added to.
          - An error with O(records[].state=absent).
        type: list
        elements: str
      state:
        description:
          - V(present) makes sure that the set holds exactly the values, or with O(records[].replaces) or
            O(records[].exclusive=false) that it holds them, V(absent) that there is no such set.
        type: str
        choices:
          - present
          - absent
        default: present
  src:
    description:
      - The path of a zone file on the controller, in place of O(records). What is understood in it, and what is left
        out, P(zonesmith.dns.from_zone_file#filter) tells. SOA, and NS at the zone's own name, are not written either,
        but compared, as O(service_owned) tells.
      - It is found as C(ansible.builtin.copy) finds its C(src), so in C(files) of a role, beside the playbook, or by
        an absolute path. V(~) is the home folder of the user who runs the playbook. A file may be encrypted with
        Ansible Vault.
      - It is no template, and read by the controller also where the module runs on another host.
      - A folder whose name ends in C(.zone) has the zone in parts. Those are the files in it whose names end in
        C(.zone), so that each can have its own people. Each is read by itself, and what one says with C($ORIGIN) or
        C($TTL) counts in no other. A record set is in one part, and one that is in two is an error that names both
        lines. Names that begin with a dot do not count, nor does any other file. A part may be a link to a file inside
        the folder, and to no other.
      - A line C($INCLUDE PATH) or C($INCLUDE PATH ORIGIN) in a part is followed to another file inside the folder,
        below ORIGIN, which ends with the file (RFC 1035, section 5.1). The path is one from the folder. No file is
        included twice, by another that is included, or where a link leads to it, and no part is. Anything else that
        C($INCLUDE) can say is refused, and so is all of it in a single file. Then C(named-compilezone), which comes
        with BIND, makes one file of all.
      - All files of a zone together have at most 64 MiB, and are at most 1000.
      - What is wrong in it is told with the file and the line, all of it at once.
    type: str
  ttl:
    description:
      - The TTL of sets whose entries have none, as O(records[].ttl) takes it. With O(src) it is as a C($TTL) before the
        first line of the file.
      - If not set, a set of O(records) that is there keeps its TTL, and a new one has 3600. In the file of O(src), a
        record without one has that of the C($TTL) before it then, else that of the record before it, and the first
        record of a file needs one, unless it is an SOA, whose last number counts then.
      - A warning tells where the TTL of a set is another one after the task, though nobody asks for one.
      - Where the service keeps another TTL than it is sent, here or in O(records[].ttl), the task succeeds with a
        warning that names both. A second run changes nothing, as long as the service keeps that one and O(state_dir) is
        there.
    type: raw
  prune:
    description:
      - Whether to remove the sets of the zone that O(records) does not name.
      - SOA, NS at the zone's own name, and what O(ignore) matches are never removed.
      - Neither is what a service that signs the zone keeps in it, RRSIG, NSEC, NSEC3 and NSEC3PARAM at any name, and
        DNSKEY, CDS, CDNSKEY, ZONEMD and TYPE65534 at the zone's own name.
      - Where it would remove what O(protect) matches, the task fails before anything is written.
      - What is pruned goes last, unless there is a CNAME at its name. A set that the service refuses to delete does not
        stop the others, and the task fails at its end and names it. One that is there again after its deletion is told
        in a warning.
    type: bool
    default: false
  ignore:
    description:
      - Record sets to leave untouched, whatever O(prune) says. To list one of them in O(records) is an error.
      - A set is matched where an entry's name and type are met, and its value by one of the values of the set.
      - Sets that the service does not let go, or makes again by itself, belong here.
      - A warning tells of an entry that matches nothing, neither of what the zone holds nor of what is to be there. Not
        where its name begins with an underscore, since V(_acme-challenge) and the like are there for moments only.
    type: list
    elements: dict
    default: []
    suboptions:
      name:
        description:
          - A glob for the owner name. It is met by the name relative to the zone, which is V(@) for the zone itself,
            and by the absolute name with or without its final dot. V(*) matches dots too.
          - A glob without wildcards is a name, spelled as in O(records[].name). Behind a backslash a wildcard is none,
            so V(\\*) is the wildcard of DNS itself, as it is there.
          - One that ends in a dot and can match nothing in the zone, because it names another, is an error. So is one
            that no name can match.
        type: str
        default: '*'
      type: &type
        description:
          - A glob for the type. One that is a letter away from a known type, such as V(MXX), is an error, and so are
            several types in one, such as V(MX,TXT).
        type: str
        default: '*'
      value:
        description:
          - A glob for a value. The whole set is left untouched where one of its values is met, those that the zone
            holds as well as those that O(records) lists. So an SPF beside V(google-site-verification=*) is untouched
            too, and to list the set is an error while the zone holds such a value.
          - A TXT or SPF value is met as the text itself, without quotes and escapes, and its case matters. All other
            values are met as RV(changes[].before) shows them and as the service does, in any case, a host also without
            its final dot. Without wildcards it is such a value in any spelling, as in O(records[].content).
        type: str
        default: '*'
  prune_limit:
    description:
      - If pruning would remove more than this share of the sets that it may remove, in percent, the task fails before
        anything is written, and lists them. Zones with fewer than 10 such sets have no limit.
      - If nothing at all is wanted of the zone, because O(records) is empty or lists only what is to go, pruning is
        refused for a zone of any size.
      - V(100) turns the limit off.
    type: int
    default: 30
  protect:
    description:
      - Record sets that can be created and extended, and are never deleted or rebuilt, whether an entry, a TTL or
        O(prune) asks for it. Where that would be needed the task fails before anything is written, and names the sets.
      - A set is matched as with O(ignore), by the values that the zone holds. Otherwise than there, it can be listed in
        O(records).
      - What others write while the task runs is under the same rule, as it is under O(ignore), O(change_limit) and
        O(plan_dir). The task then fails, and says what the set holds. Before a set is deleted, the zone is read
        again if that was more than ten seconds ago. The service knows no deletion on a condition, so what others write
        between that look and the deletion is lost with the set.
      - To complete what an interrupted run left is no such change, and is always done.
      - Of an entry that matches nothing a warning tells, as with O(ignore).
    type: list
    elements: dict
    default: []
    suboptions:
      name: &name_as_there
        description:
          - A glob for the owner name, as O(ignore[].name) is.
        type: str
        default: '*'
      type: *type
      value:
        description:
          - A glob for a value, as O(ignore[].value) is. The whole set is protected where one of its values is met.
        type: str
        default: '*'
  change_limit:
    description:
      - If more than this share of the zone's sets, in percent, would be deleted or rebuilt for whatever reason, be it
        an entry, a TTL or O(prune), the task fails before anything is written, and names them. Zones with fewer than 10
        sets have no limit.
      - SOA and NS at the zone's own name do not count. All other sets do, and creating and extending never does.
      - V(100) turns the limit off.
    type: int
    default: 100
  only:
    description:
      - The record sets that the task is about, such as the part of the zone that a team has. All others are left
        untouched, and an entry of O(records) that none of these match, or a set in the file of O(src), is an error
        before the first request, with its place.
      - O(prune), O(prune_limit) and O(change_limit) see these sets alone, and so do O(findings), O(service_owned), and
        the warnings of entries that match nothing. O(ignore) holds besides. What no zone may hold, such as a CNAME
        beside another set, is looked for in the whole zone.
      - A set is matched as with O(ignore). An entry is met by the values that it lists, one of a set that is to go by
        any value. If the zone holds a set of that name and type, and not as one of these match it, it is another's, and
        the task fails before anything is written.
      - If empty, the task is about the whole zone.
      - To complete what an interrupted run left is always done.
      - Of an entry that matches nothing a warning tells, as with O(ignore).
    type: list
    elements: dict
    default: []
    suboptions:
      name:
        description:
          - A glob for the owner name, as O(ignore[].name) is. V(*.shop) is all names below C(shop), and not that name.
        type: str
        default: '*'
      type: &type_as_there
        description:
          - A glob for the type, as O(ignore[].type) is.
        type: str
        default: '*'
      value:
        description:
          - A glob for a value, as O(ignore[].value) is. The task is about the whole set where one of its values is met.
        type: str
        default: '*'
  ttl_max:
    description:
      - The most that the TTL of some sets may be, whatever O(src), O(records) and O(ttl) say. So the answers of a host
        that is to move are short-lived when it does, and the file has its TTL back when it is taken out.
      - A set that O(records) does not name is left as it is.
      - A set whose TTL nobody says has it too, where the zone has a larger one, or a new set would.
      - A set is matched by what it is to hold, as with O(ignore), and where entries speak of their values alone, also
        by what stays. Of several entries that match it the least counts.
      - To lower a TTL, a set is rebuilt, so O(protect) and O(change_limit) count.
      - RV(cached) and RV(cached_until) tell how long resolvers may still have what was there before.
      - Of an entry that matches nothing a warning tells, as with O(ignore).
    type: list
    elements: dict
    default: []
    suboptions:
      name: *name_as_there
      type: *type_as_there
      value:
        description:
          - A glob for a value, as O(ignore[].value) is.
        type: str
        default: '*'
      ttl:
        description:
          - The largest TTL, in seconds, or as in zone files, such as V(5m).
        type: raw
        required: true
  plan_dir:
    description:
      - A folder of plans that were reviewed, on the host where the module runs. A relative path is relative to the
        playbook, where that is the controller.
      - In check mode, what the task would change in a zone is written to C(<plan_dir>/<zone>.json), and the file is
        removed where nothing would. A C(/) in a zone's name is C(%2F) in the file's. The same zone and the same task
        give the same bytes, so the files can be committed, compared and reviewed.
      - In a real run nothing is written to the zone unless what would be done is what the file says, and no file says
        that nothing is done. The error names what differs, because the zone, the task or the collection has changed
        since. What the run has already done, or one that was cut short, is no difference. Where that one had deleted a
        set to make it anew, this needs the log, which O(state_dir) or O(state_url) keeps.
      - If somebody else changes other sets while the plan is carried out, so that the task would have to change them,
        it leaves them, and fails at its end.
      - A plan is good once. One that was carried out, and whose result does not stand any more, is refused with when
        and by which run that was, for 600 days, as long as O(state_dir) or O(state_url) keeps it. Where check mode
        finds there that the same changes were carried out before, the file says how often, in C(again).
      - To complete what an interrupted run left is no part of a plan, and is always done.
      - Check mode removes the file before it looks at anything else, so that none of an earlier run is left where it
        fails. A zone therefore needs a folder of its own for each task that it is in, because the last task's plan is
        the one that is kept.
    type: path
  concurrency:
    description:
      - How many owner names are changed at once, V(auto) or 1 to 64, each on a connection that is kept open.
      - With V(auto) it begins with 8. While more at once bring more answers a second there are more, up to 64; where
        the service gets slower without that, or says 429 or 503, there are fewer.
    type: str
    default: auto
seealso:
  - module: zonesmith.dns.dns_record
  - module: zonesmith.dns.dns_zones
  - module: zonesmith.dns.dns_zone_info
  - plugin: zonesmith.dns.from_zone_file
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Several record sets in one task
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

- name: The whole zone, as its file says
  zonesmith.dns.dns_records:
    zone: example.com
    src: zones/example.com.zone
    prune: true

- name: A new SPF among other texts, and one address more, whatever else is there
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

- name: An alias in place of an address, in one task, so that check mode can tell it too
  zonesmith.dns.dns_records:
    zone: example.com
    records:
      - name: shop
        type: A
        state: absent
      - name: shop
        type: CNAME
        content: shops.example.net.

- name: The whole zone, but for what ACME clients and the office put there
  zonesmith.dns.dns_records:
    zone: example.com
    prune: true
    prune_limit: 50
    ignore:
      - name: _acme-challenge*
        type: TXT
      - name: '*.office'
    records:
      - name: www
        type: A
        content: 192.0.2.1
      - name: blog
        type: CNAME
        content: www

- name: The whole zone, but never without its mail, and never much of it at once
  zonesmith.dns.dns_records:
    zone: example.com
    prune: true
    change_limit: 20
    protect:
      - type: MX
      - name: '*._domainkey'
    ignore:
      - type: TXT
        value: google-site-verification=*
    records:
      - type: MX
        content: 10 mail.example.net.
      - name: www
        type: A
        content: 192.0.2.1

- name: The part of a zone that a team has, and nothing else of it
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

- name: The whole zone, with short-lived answers about the host that is to move tomorrow
  zonesmith.dns.dns_records:
    zone: example.com
    src: zones/example.com.zone
    ttl_max:
      - name: www
        ttl: 5m
  register: lowered

- name: Tell when its address may change
  ansible.builtin.debug:
    msg: "{{ lowered.cached_until or 'The answers were short-lived before.' }}"

- name: Addresses from a table with a row a value
  zonesmith.dns.dns_records:
    zone: example.com
    records: "{{ hosts | map('combine', {'type': 'A'}) }}"
  vars:
    hosts:
      - {name: node1, content: 192.0.2.11}
      - {name: nodes, content: 192.0.2.11}
      - {name: node2, content: 192.0.2.12}
      - {name: nodes, content: 192.0.2.12}

- name: Keep what the zone holds now
  zonesmith.dns.dns_zone_info:
    zone: example.com
  register: saved

- name: Put it back, whatever happened to it since
  zonesmith.dns.dns_records:
    zone: example.com
    prune: true
    records: "{{ saved.zones[0].records }}"

- name: What the web team wants of a zone that other teams write to as well
  zonesmith.dns.dns_records:
    zone: example.com
    owner: web
    prune: true
    records:
      - name: web1
        type: A
        content: 192.0.2.41

- name: Give it up, without a change in the zone
  zonesmith.dns.dns_records:
    zone: example.com
    owner: web
    release: true
    records:
      - name: web1
        type: A
        content: 192.0.2.41
"""

RETURN = r"""
zone:
  description: The zone, as an absolute name in lower case and A-labels, without its trailing dot.
  returned: success
  type: str
  sample: example.com
summary:
  description: How many record sets were created, extended, rebuilt, deleted, or already were as they should be.
  returned: success
  type: dict
  sample: {"created": 2, "extended": 0, "rebuilt": 1, "deleted": 0, "unchanged": 17}
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
cached:
  description:
    - For each record set in RV(changes), how long resolvers may still have what was there before, by the TTL that was
      served. For a new set, that is that there was nothing, as long as the SOA says, or the alias or wildcard that was
      answered with in its place.
    - A set that is rebuilt is gone for a moment. Who asks in that moment may be told that there is nothing, and keep
      that for as long as the SOA says, which is not counted.
  returned: success, with O(ttl_max)
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
    seconds:
      description: Seconds from the moment in which the name servers answer with the new set.
      type: int
      sample: 86400
cached_until:
  description:
    - When the last of the old answers of RV(cached) is gone, in UTC, counted from the end of the task. With O(wait)
      that is when the name servers had the change, and without it they may serve the old for a while longer.
    - V(null) where nothing changed, and in check mode. What an earlier task has changed is in its own result.
  returned: success, with O(ttl_max)
  type: str
  sample: "2026-11-25T21:30:07Z"
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
from ansible_collections.zonesmith.dns.plugins.module_utils._run.desired import limits_and_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._run.findings_report import FindingsReport
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import run_module
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import (
    OF_ZONES,
    RECORDS,
    WAIT_OPTIONS,
    WRITING_OPTIONS,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import OPTIONS as SHARED_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone import converge_zone, forget_plan

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    **WRITING_OPTIONS,
    **WAIT_OPTIONS,
    **OF_ZONES,
    "zone": {"type": "str", "required": True},
    "records": {"type": "list", "elements": "dict", "options": RECORDS},
}


def converge_record_sets(invocation: Invocation) -> dict[str, Any]:
    """Give every listed record set its values, and with prune the zone no others; the module's result."""
    options, zone = invocation.options, invocation.zone
    forget_plan(invocation)
    limits, wanted = limits_and_sets(options, zone, invocation.warnings, lambda: FindingsReport(zone, options))
    outcome, result = converge_zone(invocation, wanted, limits, invocation.concurrency)
    return {**result, "summary": outcome.plan.summary}


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, converge_record_sets)


if __name__ == "__main__":
    main()
