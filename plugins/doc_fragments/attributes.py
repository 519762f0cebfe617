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
    description: Predicts changes without making them.
  diff_mode:
    description: Shows what changed, or would change in check mode.
  idempotent:
    description: A second run changes nothing, unless somebody else changed the zone.
  action_group:
    description:
      - The group's name is C(group/zonesmith.dns.all).
      - In C(module_defaults) for the group, you can set C(zone), the options that all modules share, and the options
        that all writing modules share, such as C(owner). A module that lacks one of these ignores it.
      - Any other option, such as C(prune), makes modules that lack it fail.
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
      - Sends only GET requests. RV(ignore:changed), RV(ignore:changes) and RV(ignore:diff) are the same as in the real
        run, unless the service changes something by itself, such as a TTL.
      - Each task is predicted from the zone as it is. If one task removes an address and the next adds a CNAME at its
        name, the second fails in check mode. Put both into one task of M(zonesmith.dns.dns_records) instead.
  diff_mode:
    support: full
    details: Shows the record sets that change, one line for each value, in zone-file form.
  idempotent:
    support: full
"""

    # Of the module that writes files and no zone.
    FILES = r"""
options: {}
attributes:
  check_mode:
    support: full
    details: Reads the zones, and predicts what the files would hold.
  diff_mode:
    support: full
    details: Shows the files that change, as they are before and after.
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
  idempotent:
    support: full
"""
