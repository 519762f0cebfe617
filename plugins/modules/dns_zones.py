#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keep all zones of an account right, in one task."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_zones
short_description: Manage many DNS zones in one task
version_added: 1.0.0
description:
  - Does for many zones what M(zonesmith.dns.dns_records) does for one. It checks the whole input, reads and plans every
    zone, and only then writes.
  - If anything is refused before the first write, the errors of all zones are reported at once and no zone is changed.
    If a write fails, the other zones are still written, and the task fails at the end.
  - On a terminal, a long step prints how many zones are done.
  - Most tasks need only O(src), or O(zones) and O(records), and O(prune).
  - M(zonesmith.dns.dns_records) says what the other options are for. Limits and locks apply to each zone separately.
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
  zones:
    description:
      - The zones, as names alone or with options of their own. Options that an entry lacks come from the task.
      - Either this or O(src) is required. With both, an entry sets options of a zone that has a file in the folder.
      - With an empty list, the task does nothing, with a warning. With O(src), an empty list is an error.
    type: list
    elements: dict
    suboptions:
      zone:
        description: The name of the zone, as O(zonesmith.dns.dns_records#module:zone) takes it.
        type: str
        required: true
      records:
        description: As O(zonesmith.dns.dns_records#module:records). Replaces the task's O(records) for this zone.
        type: list
        elements: dict
      src:
        description: A zone file or a folder of parts, as O(zonesmith.dns.dns_records#module:src) takes it.
        type: str
      ttl: {type: raw, description: O(ttl) for this zone.}
      prune: {type: bool, description: O(prune) for this zone.}
      prune_limit: {type: int, description: O(prune_limit) for this zone.}
      ignore: &globs
        description: Replaces the task's option of the same name.
        type: list
        elements: dict
        suboptions: &glob
          name: {type: str, default: '*', description: A glob for the owner name.}
          type: {type: str, default: '*', description: A glob for the type.}
          value: {type: str, default: '*', description: A glob for a value.}
      protect: *globs
      change_limit: {type: int, description: O(change_limit) for this zone.}
      only: *globs
      ttl_max:
        description: Replaces the task's O(ttl_max).
        type: list
        elements: dict
        suboptions:
          <<: *glob
          ttl: {type: raw, required: true, description: The highest TTL.}
      owner: {type: str, description: O(owner) for this zone.}
      takeover: {type: bool, description: O(takeover) for this zone.}
      release: {type: bool, description: O(release) for this zone.}
      on_drift: {type: str, choices: [overwrite, refuse], description: O(on_drift) for this zone.}
  src:
    description:
      - A folder on the controller, found as C(ansible.builtin.copy) finds its C(src). Each file C(NAME.zone) in it is
        the zone file of the zone NAME, and each folder of such a name holds a zone in parts, as in
        O(zonesmith.dns.dns_records#module:src). A C(/) in a zone's name is written C(%2F).
      - Other files, hidden ones and other folders do not count. A folder without zone files is an error. So is a link
        that leads out of the folder, or to a hidden file.
      - With C($INCLUDE), zones can share other files of the folder, such as C(shared/mail.inc).
    type: str
  records:
    description:
      - The record sets of each zone in O(zones) that has neither O(zones[].records) nor O(zones[].src), as
        O(zonesmith.dns.dns_records#module:records) takes them. An error with O(src).
    type: list
    elements: dict
  limit:
    description:
      - Globs for names of zones, such as V(*.example.net), in upper or lower case. The task does not read, lock or
        report any other zone, and does not touch its plan. A limit that matches no zone of the task is an error. With an
        empty list, the task does nothing, with a warning.
    type: list
    elements: str
  unmanaged:
    description:
      - What to do about zones of the account that have no file in O(src), or are not listed in O(zones). Such zones are
        never changed.
      - V(warn) warns and reports them. V(error) fails before anything is written if there are such zones. It also fails
        if the task cannot tell, because the service's list of zones is incomplete or unreadable. V(ignore) does not
        read the list. If not set, V(warn) is used with O(src), else V(ignore).
    type: str
    choices: [warn, error, ignore]
  unmanaged_ignore:
    description: Globs for names of zones that are meant to be unmanaged, as in O(limit). May be empty.
    type: list
    elements: str
    default: []
seealso:
  - module: zonesmith.dns.dns_zone_files
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: Make all zones match the files of a folder
  zonesmith.dns.dns_zones:
    src: zones
    prune: true

- name: Set the SPF record of these zones, whatever else they hold
  zonesmith.dns.dns_zones:
    zones: [example.com, example.net, example.org]
    records:
      - type: TXT
        content: v=spf1 include:_spf.example.edu -all
        replaces: v=spf1*

- name: Fix one zone quickly, without reading the others
  zonesmith.dns.dns_zones:
    src: zones
    prune: true
    limit: example.com

- name: Set options for individual zones of a folder
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

- name: Manage one zone from its file and one from a list
  zonesmith.dns.dns_zones:
    zones:
      - zone: example.com
        src: zones/example.com.zone
      - zone: example.org
        records:
          - name: www
            type: A
            content: 192.0.2.1

- name: Safety - leave ACME records alone, and fail if another zone has no file
  zonesmith.dns.dns_zones:
    src: zones
    prune: true
    ignore:
      - name: _acme-challenge*
        type: TXT
    unmanaged: error
    unmanaged_ignore:
      - '*.in-addr.arpa'
      - example.net
      - example.edu

- name: Teams - take over what the web team wants, whoever has it now
  zonesmith.dns.dns_zones:
    owner: web
    takeover: true
    zones:
      - zone: example.com
        records:
          - name: web3
            type: A
            content: 192.0.2.43

- name: Review - fail with --check if a zone does not match its file
  zonesmith.dns.dns_zones:
    src: zones
    prune: true
    fail_on_changes: true
"""

RETURN = r"""
zones:
  description:
    - The zones, in the order given. Each also has the results of M(zonesmith.dns.dns_records), except the diff.
    - On failure, zones in RV(untouched) or RV(unchanged) are not listed here, and those that failed come last.
  returned: always
  type: list
  elements: dict
  contains:
    zone:
      description: The zone's name, in lower case and A-labels, without a final dot.
      type: str
      sample: example.com
    changed: {type: bool, sample: true, description: Whether the zone changed.}
    msg:
      description: Why the zone failed.
      returned: if it failed
      type: str
    status_code:
      description: The HTTP status that ended the work on the zone, V(null) if it failed for another reason.
      returned: if it failed
      type: int
unchanged:
  description: Zones that did not change and have nothing to report, if the task failed because of others.
  returned: failure of individual zones, and because of O(fail_on_changes), if there are any
  type: list
  elements: str
untouched:
  description: Zones that the task left alone because others failed before the first write.
  returned: failure of individual zones before the first write, if there are any
  type: list
  elements: str
unmanaged:
  description:
    - The zones of the account that have no file or are not listed, without those of O(unmanaged_ignore). V(null) if the
      service's list could not be read, or is incomplete.
  returned: success, and failure of individual zones, unless O(unmanaged) is V(ignore)
  type: list
  elements: str
summary:
  description: The sums of RV(zonesmith.dns.dns_records#module:summary) over all zones that did not fail.
  returned: success, and failure of individual zones
  type: dict
diff:
  description:
    - As RV(zonesmith.dns.dns_records#module:diff), with one item for each zone that changes. C(before_header) is the
      zone's name, and C(after_header) begins with that name.
    - With more than three zones, the last item has only C(prepared), a line with the totals.
  returned: success, and failure of individual zones
  type: list
  elements: dict
cached_until:
  description: When the last old answer in any zone expires, in UTC. V(null) if nothing changed, and in check mode.
  returned: success, and failure of individual zones, with O(ttl_max)
  type: str
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
from ..module_utils._run.module import run_module
from ..module_utils._run.options import (
    OF_ZONE,
    OF_ZONES,
    SHARED_OPTIONS,
    WRITING_OPTIONS,
)
from ..module_utils._run.zones import converge_zones

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    **OF_ZONES,
    **WRITING_OPTIONS,
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


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, converge_zones)


if __name__ == "__main__":
    main()
