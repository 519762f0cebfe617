# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The attributes that all modules share."""

from __future__ import annotations


class ModuleDocFragment:
    """Attributes of a writing module, and of one that only reads."""

    DOCUMENTATION = r"""
options: {}
attributes:
  check_mode:
    description: Can run in C(check_mode), and tells what would change without changing it.
  diff_mode:
    description: Tells what changed, or would change in C(check_mode), when in diff mode.
  idempotent:
    description: A second run with the same options changes nothing, unless somebody else changed the zone between.
  action_group:
    description:
      - Use C(group/zonesmith.dns.all) in C(module_defaults) to set for all modules of the collection the options that
        they share.
      - Options of all modules that write, such as C(owner), can be there too, and so can C(zone). Others leave them
        out. What only some of those have, such as C(prune), is refused by a module that lacks it.
    support: full
    membership:
      - zonesmith.dns.all
"""

    WRITING = r"""
options: {}
attributes:
  check_mode:
    support: full
    details:
      - Makes no request but GET, and tells RV(ignore:changed), RV(ignore:changes) and RV(ignore:diff) as the real run
        does, but for what a service makes of it by itself, such as another TTL.
      - Each task is told by itself, from the zone as it is. So of two tasks that build on each other, such as one that
        removes an address and one that creates a CNAME at its name, the second fails in check mode, where the real run
        works. One task of M(zonesmith.dns.dns_records) with both is told as it will be.
  diff_mode:
    support: full
    details: One line a value, in zone-file form, only the record sets that change.
  idempotent:
    support: full
"""

    # Of the module that writes files and no zone.
    FILES = r"""
options: {}
attributes:
  check_mode:
    support: full
    details: Reads the same, and tells what the files would hold.
  diff_mode:
    support: full
    details: The files that change, before and after.
  idempotent:
    support: full
"""

    READING = r"""
options: {}
attributes:
  check_mode:
    support: full
    details: This module only reads.
  diff_mode:
    support: N/A
    details: This module only reads.
  idempotent:
    support: full
    details: This module only reads.
"""
