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
  - Makes the zone files in a folder match the zones of the account. M(zonesmith.dns.dns_zones) with
    O(zonesmith.dns.dns_zones#module:src) does the reverse.
  - All zones are read first. If a zone cannot be read, or lacks its SOA, nothing is written. Nothing is written either
    if zones cannot be written into their files, and all such errors are reported at once.
  - The files are on the host where the module runs. Each file is replaced in one step, so readers never see half of it.
    Links are not followed, and nothing outside O(dest) is written.
  - In a new file, a comment stands for SOA, the NS at the apex and the zone's DNSSEC records, because the service
    writes them.
  - Zones are written whole, whoever owns their sets. Use O(ignore) for sets that a team's file must not have.
  - If a task that writes to a zone was interrupted, first run that task again. Until then, the file may lack record
    sets.
author:
  - The zonesmith.dns contributors (@zonesmith)
extends_documentation_fragment:
  - zonesmith.dns.api
  - zonesmith.dns.attributes
  - zonesmith.dns.attributes.files
options:
  dest:
    description:
      - The folder of the files. It is created if it is missing.
      - The file of a zone is C(NAME.zone), with the name in lower case and A-labels (C(xn--...)), and C(%2F) for C(/).
        An existing file keeps its spelling, such as C(Example.COM.zone).
      - A folder of that name holds the zone in parts, as in O(zonesmith.dns.dns_records#module:src). A record set stays
        in its part. A new set goes to the part that has its owner name or, if there is none, the name
        before it.
    type: path
    required: true
  zones:
    description:
      - Globs for names of zones, such as V(*.example.com). Case does not matter. If not set, all zones are written.
        A name that the account does not have is an error, unless O(remove) removes its file. With an empty list, no
        zone is read, with a warning.
    type: list
    elements: str
  ignore:
    description:
      - Record sets to leave out, as in O(zonesmith.dns.dns_records#module:ignore). Lines that a file already has for
        them stay, unless O(update=false).
    type: list
    elements: dict
    default: []
    suboptions:
      name: {type: str, default: '*', description: A glob for the owner name.}
      type: {type: str, default: '*', description: A glob for the type.}
      value: {type: str, default: '*', description: A glob for a value.}
  update:
    description:
      - Whether to edit existing files, as O(zonesmith.dns.to_zone_file#filter:over) does. Lines of unchanged record
        sets stay as they are, with comments and order.
      - V(false) writes the files anew, which is an error for a zone in parts.
    type: bool
    default: true
  remove:
    description:
      - Whether to remove the files of zones that the account no longer has, if O(zones) matches them.
      - V(true) is an error if it would remove the files of all zones in O(dest), or if a zone to remove is in parts.
    type: bool
    default: false
seealso:
  - module: zonesmith.dns.dns_zone_info
"""

EXAMPLES = r"""
- name: Write all zones into files
  zonesmith.dns.dns_zone_files:
    dest: zones

- name: Leave out records of ACME clients
  zonesmith.dns.dns_zone_files:
    dest: zones
    ignore:
      - name: _acme-challenge*
        type: TXT

- name: Write some zones, and remove the files of those that are gone
  zonesmith.dns.dns_zone_files:
    dest: zones
    zones:
      - example.com
      - '*.example.com'
    remove: true
"""

RETURN = r"""
files:
  description: The files of the zones, sorted by zone and path, including those that did not change.
  returned: success, and failure to write a file
  type: list
  elements: dict
  contains:
    path: {type: str, sample: zones/example.com.zone, description: The path of the file.}
    zone: {type: str, sample: example.com, description: The zone's name.}
    changed: {type: bool, sample: true, description: "Whether the file changed, or would in check mode."}
diff:
  description:
    - The files that change, as they are before and after, with their paths as headers. Tabs are shown as spaces, and
      invisible characters as escapes.
  returned: success, and failure to write a file
  type: list
  elements: dict
status_code:
  description: The HTTP status that ended the task, V(null) if it failed for another reason.
  returned: failure
  type: int
"""

from typing import Any

# It ends where Python is too old for what follows.
from ..module_utils import _python  # noqa: F401 # pylint: disable=unused-import
from ..module_utils._plan.limits import LIMIT_OPTIONS
from ..module_utils._run.module import run_module
from ..module_utils._run.options import (
    SHARED_OPTIONS,
)
from ..module_utils._run.zone_files import keep_zone_files

OPTIONS: dict[str, dict[str, Any]] = {
    **SHARED_OPTIONS,
    "dest": {"type": "path", "required": True},
    "zones": {"type": "list", "elements": "str"},
    "ignore": LIMIT_OPTIONS["ignore"],
    "update": {"type": "bool", "default": True},
    "remove": {"type": "bool", "default": False},
}


def main() -> None:
    """Run the module."""
    run_module(OPTIONS, keep_zone_files)


if __name__ == "__main__":
    main()
