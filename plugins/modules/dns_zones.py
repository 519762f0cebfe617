#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keep all zones of an account right, in one task."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_zones
short_description: Keep many DNS zones right, in one task
version_added: 1.0.0
description:
  - Does for many zones what M(zonesmith.dns.dns_records) does for one, over one set of connections, and in three steps.
    Everything that is given is checked, then every zone is read and its changes are planned, then they are made.
  - Whatever the first two steps refuse is reported for all zones at once, and then nothing is written to any zone.
  - A failure while writing ends the work on its zone alone. The task fails at its end, and tells which zones failed
    and why.
  - Each zone has its own lock, log and verification, as for the other modules.
  - Where a step takes long and Ansible writes to a terminal, there is a line now and then that tells how many zones are
    done.
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
  zones:
    description:
      - The zones, each with its record sets. What an entry does not say is taken from the option of the task that has
        the same name.
      - A name alone is a zone of which nothing else is said, such as V(example.com).
      - Either this or O(src) is needed, or both. Beside a folder, an entry without O(zones[].records) and
        O(zones[].src) says options of a zone that has a file there, and one for which there is none is an error.
      - A warning tells of an empty list, with which no zone is looked at.
    type: list
    elements: dict
    suboptions:
      zone:
        description:
          - The name of the zone. Case and a trailing dot do not matter. A zone that is listed twice is an error.
          - A C(zone) that a group of C(module_defaults) sets is for other modules.
        type: str
        required: true
      records:
        description:
          - The record sets, as O(zonesmith.dns.dns_records#module:records) takes them.
          - Either this or O(zones[].src) or O(records) is needed, unless the entry says options of a zone that has a
            file in the folder O(src).
        type: list
        elements: dict
      src:
        description:
          - The path of a zone file on the controller, or of the folder of its parts, as
            O(zonesmith.dns.dns_records#module:src) takes it.
        type: str
      ttl:
        description:
          - As O(ttl), for this zone.
        type: raw
      prune:
        description:
          - As O(prune), for this zone.
        type: bool
      prune_limit:
        description:
          - As O(prune_limit), for this zone.
        type: int
      ignore:
        description:
          - As O(ignore), for this zone, and in place of it.
        type: list
        elements: dict
        suboptions: &globs
          name:
            description:
              - A glob for the owner name.
            type: str
            default: '*'
          type:
            description:
              - A glob for the type.
            type: str
            default: '*'
          value:
            description:
              - A glob for a value.
            type: str
            default: '*'
      protect:
        description:
          - As O(protect), for this zone, and in place of it.
        type: list
        elements: dict
        suboptions: *globs
      change_limit:
        description:
          - As O(change_limit), for this zone.
        type: int
      only:
        description:
          - As O(only), for this zone, and in place of it.
        type: list
        elements: dict
        suboptions: *globs
      ttl_max:
        description:
          - As O(ttl_max), for this zone, and in place of it.
        type: list
        elements: dict
        suboptions: &maxima
          <<: *globs
          ttl:
            description:
              - The largest TTL, in seconds, or as in zone files, such as V(5m).
            type: raw
            required: true
      owner:
        description:
          - As O(owner), for this zone.
        type: str
      takeover:
        description:
          - As O(takeover), for this zone.
        type: bool
      release:
        description:
          - As O(release), for this zone.
        type: bool
      on_drift:
        description:
          - As O(on_drift), for this zone.
        type: str
        choices:
          - overwrite
          - refuse
  src:
    description:
      - The path of a folder on the controller, in place of O(zones), or beside it. Each file in it that is called
        C(NAME.zone) is the zone file of the zone NAME, and each folder that is called so has the parts of one, as
        O(zonesmith.dns.dns_records#module:src) tells. A C(/) in a zone's name is C(%2F) in the file's.
      - Other files and folders, and names that begin with a dot, do not count. A folder without zone files is an error.
      - The folder is found, and its files are read, as O(zonesmith.dns.dns_records#module:src) tells.
    type: str
  records:
    description:
      - The record sets of each zone of O(zones) that says neither O(zones[].records) nor O(zones[].src), as
        O(zonesmith.dns.dns_records#module:records) takes them.
      - An error with O(src), and without O(zones).
    type: list
    elements: dict
  ttl:
    description:
      - The TTL of sets that have none of their own, as O(zonesmith.dns.dns_records#module:ttl) tells.
    type: raw
  prune:
    description:
      - Whether to remove the sets of each zone that are not listed for it. What is spared,
        O(zonesmith.dns.dns_records#module:prune) tells.
    type: bool
    default: false
  ignore:
    description:
      - Record sets to leave untouched in all zones, as O(zonesmith.dns.dns_records#module:ignore) tells. A glob that
        ends in a dot must be able to match something in one of the zones. A warning tells of one that matches nothing
        in any of them.
    type: list
    elements: dict
    default: []
    suboptions: *globs
  protect:
    description:
      - Record sets that are never deleted or rebuilt in any of the zones, as
        O(zonesmith.dns.dns_records#module:protect) tells. A glob that ends in a dot must be able to match something in
        one of the zones. A warning tells of one that matches nothing in any of them.
    type: list
    elements: dict
    default: []
    suboptions: *globs
  change_limit:
    description:
      - The largest share of a zone that may be deleted or rebuilt for whatever reason, in percent, as
        O(zonesmith.dns.dns_records#module:change_limit) tells. It is looked at zone by zone, before any is written.
    type: int
    default: 100
  only:
    description:
      - The record sets of each zone that the task is about, and no others, as O(zonesmith.dns.dns_records#module:only)
        tells. A glob that ends in a dot must be able to match something in one of the zones.
      - A zone of the account in which they can match nothing is not told as O(unmanaged).
    type: list
    elements: dict
    default: []
    suboptions: *globs
  prune_limit:
    description:
      - The largest share of a zone that pruning may remove, in percent, as
        O(zonesmith.dns.dns_records#module:prune_limit) tells. It is looked at zone by zone, before any is written.
    type: int
    default: 30
  ttl_max:
    description:
      - The most that the TTL of some sets may be in each zone, as O(zonesmith.dns.dns_records#module:ttl_max) tells. A
        glob that ends in a dot must be able to match something in one of the zones.
    type: list
    elements: dict
    default: []
    suboptions: *maxima
  plan_dir:
    description:
      - A folder of plans that were reviewed, on the host where the module runs. A relative path is relative to the
        playbook, where that is the controller.
      - In check mode, what the task would change in each zone is written to C(<plan_dir>/<zone>.json), and the file is
        removed where nothing would. A C(/) in a zone's name is C(%2F) in the file's. The same zone and the same task
        give the same bytes, so the files can be committed, compared and reviewed.
      - In a real run nothing is written to any zone unless what would be done is what the file says, and no file says
        that nothing is done. The error names what differs, because the zone, the task or the collection has changed
        since. What the run has already done, or one that was cut short, is no difference. Where that one had deleted a
        set to make it anew, this needs the log, which O(state_dir) or O(state_url) keeps.
      - If somebody else changes other sets while the plan is carried out, so that the task would have to change them,
        it leaves them, and fails at its end.
      - A plan is good once. One that was carried out, and whose result does not stand any more, is refused with when
        and by which run that was, for 600 days, as long as O(state_dir) or O(state_url) keeps it. Where check mode
        finds there that the same changes were carried out before, the file says how often, in C(again).
      - To complete what an interrupted run left is no part of a plan, and is always done.
      - Check mode removes the files of its zones before it looks at anything else, so that none of an earlier run is
        left where it fails. A zone therefore needs a folder of its own for each task that it is in, because the last
        task's plan is the one that is kept.
    type: path
  limit:
    description:
      - Globs for the names of zones, such as V(example.com) or V(*.example.net). The task is about those that they
        match, and looks at no other, be it in the folder or in the list. The files of the others are not read, they are
        not asked for, not locked, not told as O(unmanaged), and their plans in O(plan_dir) stay as they are.
      - Case and a trailing dot do not matter.
      - It is an error where none of the task's zones are left. A warning tells of a glob that matches none of them.
      - With an empty list no zone is looked at, and a warning tells so.
    type: list
    elements: str
  unmanaged:
    description:
      - What is told of zones of the account that have no file in the folder O(src), because somebody made them by hand,
        or because their file is gone. The list of all zones is read for it, which is one request. Nothing is ever done
        to such a zone.
      - With V(warn) it is a warning, and they stand in RV(unmanaged) and in the report.
      - With V(error) the task fails before anything is written, also where the list cannot be read, or is not complete
        and lacks zones without a file.
      - With V(ignore) the list is not read.
      - If not set, it is V(warn) with O(src), and V(ignore) with O(zones). There, it is about the zones that are not
        listed.
    type: str
    choices:
      - warn
      - error
      - ignore
  unmanaged_ignore:
    description:
      - Globs for the names of zones that are meant to have no file, such as V(*.example.net). Case and a trailing dot
        do not matter.
      - A warning tells of those that meet no zone of the account.
    type: list
    elements: str
    default: []
  concurrency:
    description:
      - How many requests are under way at once, over all zones together, V(auto) or 1 to 64.
      - With V(auto) it begins with 8. While more at once bring more answers a second there are more, up to 64; where
        the service gets slower without that, or says 429 or 503, there are fewer.
    type: str
    default: auto
seealso:
  - module: zonesmith.dns.dns_records
  - module: zonesmith.dns.dns_zone_files
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: All zones, as the files in a folder say
  zonesmith.dns.dns_zones:
    src: zones
    prune: true

- name: The same, as a job that fails with --check where a zone is not as its file says
  zonesmith.dns.dns_zones:
    src: zones
    prune: true
    fail_on_changes: true

- name: The same, where some zones of the account are kept elsewhere, and no other may be without a file
  zonesmith.dns.dns_zones:
    src: zones
    prune: true
    unmanaged: error
    unmanaged_ignore:
      - '*.in-addr.arpa'
      - example.net
      - example.edu

- name: The same, but for what ACME clients put there
  zonesmith.dns.dns_zones:
    src: zones
    prune: true
    ignore:
      - name: _acme-challenge*
        type: TXT

- name: All zones, as the files in a folder say, where two need options of their own
  zonesmith.dns.dns_zones:
    src: zones
    prune: true
    zones:
      - zone: example.com
        prune_limit: 50
        protect:
          - type: MX
      - zone: example.org
        prune: false

- name: The hotfix of one zone, without a look at the others
  zonesmith.dns.dns_zones:
    src: zones
    prune: true
    limit: example.com

- name: One zone from its file, one from a list
  zonesmith.dns.dns_zones:
    zones:
      - zone: example.com
        src: zones/example.com.zone
      - zone: example.org
        records:
          - name: www
            type: A
            content: 192.0.2.1

- name: A new SPF in all of these zones, as one plan, beside whatever texts each has
  zonesmith.dns.dns_zones:
    zones: [example.com, example.net, example.org]
    records:
      - type: TXT
        content: v=spf1 include:_spf.example.edu -all
        replaces: v=spf1*

- name: Two zones, of which one keeps what is not listed
  zonesmith.dns.dns_zones:
    ttl: 300
    prune: true
    prune_limit: 50
    zones:
      - zone: example.com
        records:
          - name: www
            type: A
            content: 192.0.2.1
      - zone: example.org
        prune: false
        records:
          - type: MX
            content: 10 mail.example.net.

- name: One list of record sets for several zones
  zonesmith.dns.dns_zones:
    zones: [example.net, example.edu]
    records:
      - type: A
        content: 192.0.2.80
      - name: www
        type: CNAME
        content: '@'

- name: What one team wants of all zones, whoever has it now
  zonesmith.dns.dns_zones:
    owner: web
    takeover: true
    zones:
      - zone: example.com
        records:
          - name: web3
            type: A
            content: 192.0.2.43
"""

RETURN = r"""
zones:
  description:
    - The zones, in the order in which they were given.
    - On failure, those that are in RV(untouched) or RV(unchanged) are not among them, and those that failed come last.
  returned: always
  type: list
  elements: dict
  contains:
    zone:
      description: The zone, as an absolute name in lower case and A-labels, without its trailing dot.
      type: str
      sample: example.com
    changed:
      description: Whether something was changed in it.
      type: bool
      sample: true
    changes:
      description:
        - The record sets that changed, or would change in check mode. One that is in the end as it was before is not
          among them.
        - On failure, what was changed all the same.
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
            - V(create) for a new set, V(extend) where values were added, V(rebuild) where the set was deleted and
              created again, V(delete) where it was deleted.
          type: str
          sample: extend
        because:
          description:
            - Why the set changes. V(wanted) where the owner wants something else than before, V(drift) where the zone
              is not as the owner left it, V(both) where both are so.
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
    summary:
      description:
        - How many of its record sets were created, extended, rebuilt, deleted, or already were as they should be.
      returned: where there is no RV(zones[].msg)
      type: dict
      sample: {"created": 2, "extended": 0, "rebuilt": 1, "deleted": 0, "unchanged": 17}
    recovered:
      description:
        - The record sets that an interrupted run had left incomplete and that this run completed first, or would
          complete in check mode. Entries are like those of RV(zones[].changes).
      type: list
      elements: dict
      sample: []
    findings:
      description:
        - What the change brings, or would bring in check mode, that is legal for the service and wrong for the
          internet, the worst first. Where the zone failed after it had been written to, what the sets bring that were
          made all the same.
      returned: where there is no RV(zones[].msg), and where it failed and there are some
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
    service_owned:
      description:
        - The SOA, and the NS at the zone's own name, where they are not as the task says. They belong to the service,
          and no task changes them. Empty with O(service_owned=ignore).
      returned: where there is no RV(zones[].msg)
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
            - TTL and values as the task says them. The TTL is V(null) where it says none, and for what a file says.
            - Of an SOA, a zone file is compared by primary name server and mailbox, and both sides have those alone.
          type: dict
          sample: {"ttl": null, "contents": ["ns1.example.org."]}
        message:
          description: The same in words.
          type: str
          sample: >-
            example.com. NS belongs to the service and is never written: the zone holds ns1.example.net., and the
            file says ns1.example.org.
    cached:
      description:
        - For each record set in RV(zones[].changes), how long resolvers may still have what was there before, by the
          TTL that was served. For a new set, that is that there was nothing, as long as the SOA says, or the alias or
          wildcard that was answered with in its place.
        - A set that is rebuilt is gone for a moment. Who asks in that moment may be told that there is nothing, and
          keep that for as long as the SOA says, which is not counted.
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
        - When the last of the old answers of RV(zones[].cached) is gone, in UTC, counted from the end of the task. With
          O(wait) that is when the name servers had the change, and without it they may serve the old for a while
          longer.
        - V(null) where nothing changed, and in check mode. What an earlier task has changed is in its own result.
      returned: success, with O(ttl_max)
      type: str
      sample: "2026-11-25T21:30:07Z"
    adopted:
      description:
        - The name and type of each record set of which the zone held already what has become that of O(owner), or would
          in check mode.
      returned: with O(owner), where there is no RV(zones[].msg)
      type: list
      elements: dict
      sample: [{"name": "www.example.com.", "type": "A"}]
    released:
      description: The name and type of each record set of which O(owner) gave something up, or would in check mode.
      returned: with O(owner), where there is no RV(zones[].msg)
      type: list
      elements: dict
      sample: []
    unowned:
      description:
        - How many record sets of the zone are nobody's after the task, of those that it is about, but for the SOA, the
          zone's own NS, and what signs the zone.
      returned: with O(owner), where there is no RV(zones[].msg)
      type: int
      sample: 12
    msg:
      description: Why it failed.
      returned: where it failed
      type: str
      sample: "Zone example.com: the account has no zone of that name, only 2 others; check its name."
    status_code:
      description: The HTTP status of the answer that ended the work on it, V(null) when it ended for another reason.
      returned: where it failed
      type: int
      sample: 404
    applied:
      description: The sets that were changed as planned.
      returned: where it failed after the first request that writes, or while waiting
      type: list
      elements: dict
      sample: [{"name": "www.example.com.", "type": "A"}]
    failed_sets:
      description: The sets at whose name a request failed, or that do not hold what was planned.
      returned: where it failed after the first request that writes, or while waiting
      type: list
      elements: dict
      sample: [{"name": "blog.example.com.", "type": "CNAME"}]
    unfinished:
      description:
        - The planned changes that the next run on the zone may complete, or of which the state is not known, with
          entries like those of RV(zones[].changes).
      returned: where it failed and there are some
      type: list
      elements: dict
      sample: []
    not_attempted:
      description: The sets that were not begun.
      returned: where it failed after the first request that writes, or while waiting
      type: list
      elements: dict
      sample: []
unchanged:
  description:
    - Where the task failed, the names of the zones that it did not change and of which there is nothing to tell. They
      are not in RV(zones) then, where those that failed stand last.
  returned: failure of single zones, and because of O(fail_on_changes), where there are some
  type: list
  elements: str
  sample: [example.net, example.org]
untouched:
  description:
    - The names of the zones in which nothing was done, because others cannot be kept, and of which nothing is said.
    - Those in which nothing had to be done are in RV(zones).
  returned: where single zones failed before any was written to, and there are some
  type: list
  elements: str
  sample: [example.net, example.org]
unmanaged:
  description:
    - The names of the zones of the account that have no file, or are not listed, but for those of O(unmanaged_ignore).
    - V(null) where it cannot be told whether there are any, since the list of zones could not be read, or is not
      complete and has none of them.
  returned: success, and failure of single zones, where O(unmanaged) is not V(ignore)
  type: list
  elements: str
  sample: [old.example.net]
summary:
  description: The sum of RV(zones[].summary) over all zones that did not fail.
  returned: success, and failure of single zones
  type: dict
  sample: {"created": 2, "extended": 0, "rebuilt": 1, "deleted": 0, "unchanged": 9997}
diff:
  description:
    - The changed record sets as lines of a zone file, before and after, one item a zone that changes, with its name as
      header, and with them those that an interrupted run had left incomplete.
    - Where sets are rebuilt, and so are gone for a moment, C(after_header) counts and names them too.
    - On failure, what was done. Ansible itself shows no difference of a task that failed.
  returned: success, and failure of single zones
  type: list
  elements: dict
  sample:
    - before_header: example.com
      after_header: example.com
      before: "www.example.com. 300 IN A 192.0.2.1\n"
      after: "www.example.com. 300 IN A 192.0.2.1\nwww.example.com. 300 IN A 192.0.2.2\n"
cached_until:
  description:
    - The latest of RV(zones[].cached_until), when the last old answer of all zones is gone, in UTC. V(null) where
      nothing changed, and in check mode.
  returned: success, and failure of single zones, with O(ttl_max)
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
from ansible_collections.zonesmith.dns.plugins.module_utils._run.account import converge_zones
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import run_module
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import (
    OF_ZONE,
    OF_ZONES,
    WAIT_OPTIONS,
    WRITING_OPTIONS,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import OPTIONS as SHARED_OPTIONS

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    **WRITING_OPTIONS,
    **WAIT_OPTIONS,
    **OF_ZONES,
    "unmanaged": {"type": "str", "choices": ["warn", "error", "ignore"]},
    "unmanaged_ignore": {"type": "list", "elements": "str", "default": []},
    "limit": {"type": "list", "elements": "str"},
    "records": {"type": "list", "elements": "dict"},
    "zones": {
        "type": "list",
        "elements": "dict",
        "options": {
            **OF_ZONE,
            "zone": {"type": "str", "required": True},
            # Whose keys are looked at zone by zone, so that an error names the zone.
            "records": {"type": "list", "elements": "dict"},
        },
    },
}


def converge_account(invocation: Invocation) -> dict[str, Any]:
    """Give every zone the record sets that are listed for it; the module's result."""
    return converge_zones(invocation)


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, converge_account)


if __name__ == "__main__":
    main()
