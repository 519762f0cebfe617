#!/usr/bin/python
# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Write zones into the zone files of a folder."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dns_zone_files
short_description: Write DNS zones into zone files
version_added: 1.0.0
description:
  - Writes what the zones of the account hold into the files of a folder, so that each file says what its zone is. It is
    the way back of M(zonesmith.dns.dns_zones) with O(zonesmith.dns.dns_zones#module:src), which reads the same folder.
  - Where somebody has changed a zone by hand, that one makes the zone as its file says, and this one makes the file as
    the zone is. In a repository that is a branch with exactly the lines that differ, to be reviewed.
  - In a file that is there only lines of record sets that differ are changed, as O(update) tells.
  - The zones can also come from a name server, by a zone transfer, as O(server) tells.
  - All zones are read first. Where one cannot be read, or cannot be written into its file, nothing is written, and all
    that is wrong is told at once. So it is where an answer lacks the zone's SOA, since it may lack more.
  - The files are on the host where the module runs, which is the controller for a task on C(localhost) or with
    C(delegate_to). Each is written beside itself and then renamed, so that nobody reads a part of it. Links are never
    followed, and nothing outside O(dest) is written.
  - SOA, and NS at the zone's own name, are in a new file as comments, since the service owns both. What signs the zone
    is left out, as P(zonesmith.dns.from_zone_file#filter) tells.
  - What is missing in a zone because a run was killed is missing in its file too. The next task that writes to the zone
    completes it from its log, and is to run first.
  - Whole zones are written, whoever has what of them. So a file that is one team's part of a zone, as
    O(zonesmith.dns.dns_zones#module:owner) and O(zonesmith.dns.dns_zones#module:only) have them, would get the sets of
    all others too, save what O(ignore) names.
  - Of what a group of C(module_defaults) sets, what all modules that write to zones share is left out here, such as
    C(state_dir), C(state_url), C(txt_format), C(owner) and those that begin with C(wait), so that one group can hold
    it for all modules.
author:
  - The zonesmith.dns contributors (@zonesmith)
extends_documentation_fragment:
  - zonesmith.dns.api
  - zonesmith.dns.attributes
  - zonesmith.dns.attributes.files
options:
  dest:
    description:
      - The folder of the files, on the host where the module runs. It is made if it is not there, and the folder that
        it is in has to be there. A relative path is one in the playbook's folder, where that is the controller.
      - The file of a zone is called C(NAME.zone), with the zone's name in lower case and A-labels, and C(%2F) for a
        C(/) in it. One that is there and called otherwise, such as C(Example.COM.zone), stays what it is called.
      - A folder of that name has the zone in parts, as O(zonesmith.dns.dns_records#module:src) tells. Each record set
        stays in the part that it is in. A new one goes to the part that has its owner name, or else the nearest.
    type: path
    required: true
  zones:
    description:
      - Globs for the names of the zones, such as V(*.example.com). Case and a trailing dot do not matter.
      - A name without wildcards that is none of the account's zones is an error. A warning tells of a glob that meets
        none.
      - If not set, all zones are written.
      - With O(server) these are names, and needed.
    type: list
    elements: str
  ignore:
    description:
      - Record sets that are not written to the files, such as those that other programs keep in the zone. Lines of them
        that a file has stay as they are, unless O(update=false). Globs, as O(zonesmith.dns.dns_records#module:ignore)
        takes them, for what the zone or the file holds.
      - A glob that ends in a dot must be able to match something in one of the zones.
    type: list
    elements: dict
    default: []
    suboptions:
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
  update:
    description:
      - Whether to keep of a file that is there all that is not wrong. Lines whose record set is as it was stay as they
        are, with comments, order and blank lines. A changed value is changed in its line, a new one goes below its set
        or its nearest neighbour, and one that is gone goes with the comment behind it.
      - A comment line above a set that is gone stays, and a warning tells of it. SOA, NS at the zone's own name, and
        what signs the zone stay too.
      - A set that would have to change and that C($GENERATE) makes, or that a file has which is included, is an error
        that names the line. So is a file with lines that cannot be read.
      - With V(false) a file is written anew. Parts of a zone are only written with V(true).
    type: bool
    default: true
  remove:
    description:
      - Whether to remove the files of zones that the account does not have any more, as far as O(zones) meets their
        names.
      - If the account has none of the zones whose files are there, that is an error, since the folder may be that of
        another account. So is a folder of parts, which is to be removed by hand.
      - Not with O(server), which does not tell the zones that it has.
    type: bool
    default: false
  server:
    description:
      - A name server that the zones are transferred from (RFC 5936) in place of the service, as a host name or an
        address, with or without a port, such as V(ns1.example.net), V(192.0.2.53:5300) or V([2001:db8::53]:5300).
      - O(base_url) and O(access_token) need not be given then.
      - O(timeout) is for a connection, and between two parts of an answer. A whole transfer may take ten times as long,
        and have at most 64 MiB and 1,000,000 records.
    type: str
  tsig_name:
    description:
      - The name of the key that transfers are signed with (TSIG, RFC 8945).
    type: str
  tsig_key:
    description:
      - The secret of the key O(tsig_name), in base64, as it is in the configuration of name servers. It is shown in no
        message, result or log.
    type: str
  tsig_algorithm:
    description:
      - The algorithm of the key O(tsig_name).
      - If not set, it is V(hmac-sha256).
    type: str
    choices:
      - hmac-sha256
      - hmac-sha384
      - hmac-sha512
      - hmac-sha224
      - hmac-sha1
      - hmac-md5
seealso:
  - module: zonesmith.dns.dns_zones
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: The files of all zones, as the zones are now
  zonesmith.dns.dns_zone_files:
    dest: zones

- name: The same, but for what ACME clients put there, as dns_zones leaves it alone too
  zonesmith.dns.dns_zone_files:
    dest: zones
    ignore:
      - name: _acme-challenge*
        type: TXT

- name: Those of some, without the files of zones that are gone
  zonesmith.dns.dns_zone_files:
    dest: zones
    zones:
      - example.com
      - '*.example.com'
    remove: true

- name: What an old name server serves, before a move
  zonesmith.dns.dns_zone_files:
    dest: zones
    zones:
      - example.com
    server: "{{ old_name_server }}"
    tsig_name: transfer.example.com
    tsig_key: "{{ transfer_key }}"
"""

RETURN = r"""
files:
  description: The files of the zones, sorted by zone and path, also those that were as they are to be.
  returned: success, and where a file cannot be written
  type: list
  elements: dict
  contains:
    path:
      description: The path of the file, below O(dest).
      type: str
      sample: zones/example.com.zone
    zone:
      description: The zone, as an absolute name in lower case and A-labels, without its trailing dot.
      type: str
      sample: example.com
    changed:
      description: Whether the file was written or removed, or would be in check mode.
      type: bool
      sample: true
diff:
  description:
    - The files that change, before and after, each with its path as header. One that is removed is empty after.
    - They are shown with blanks for tabs, and with escapes for characters that cannot be seen.
  returned: success, and where a file cannot be written
  type: list
  elements: dict
  sample:
    - before_header: zones/example.com.zone
      after_header: zones/example.com.zone
      before: "www 300 IN A 192.0.2.1\n"
      after: "www 300 IN A 192.0.2.2\n"
status_code:
  description: The HTTP status of the answer that ended the task, V(null) when it ended for another reason.
  returned: failure
  type: int
  sample: 404
"""

from typing import Any

# It ends where Python is too old for what follows.
from ansible_collections.zonesmith.dns.plugins.module_utils import _python  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import LIMIT_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._query.transfer import ALGORITHMS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.module import run_module
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import OPTIONS as SHARED_OPTIONS
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_files import keep_zone_files

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    "dest": {"type": "path", "required": True},
    "zones": {"type": "list", "elements": "str"},
    "ignore": LIMIT_OPTIONS["ignore"],
    "update": {"type": "bool", "default": True},
    "remove": {"type": "bool", "default": False},
    "server": {"type": "str"},
    "tsig_name": {"type": "str"},
    "tsig_key": {"type": "str", "no_log": True},
    "tsig_algorithm": {"type": "str", "choices": [*ALGORITHMS]},
}


def write_files(invocation: Invocation) -> dict[str, Any]:
    """Write the zones into the files of a folder; the module's result."""
    return keep_zone_files(invocation)


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, write_files)


if __name__ == "__main__":
    main()
