# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What several looks at the options of a task have against them, told in one message."""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import InvalidEntries, InvalidEntry
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidForZone, InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import InvalidZoneFile

REFUSALS = (InvalidOptions, InvalidEntry, InvalidEntries, InvalidName, InvalidRdata, InvalidZoneFile)
"""What a look at options can have against them."""


def all_told(*checks: Callable[[], object]) -> None:
    """Take all of these looks at options: what is wrong with one hides nothing that is wrong with another.

    Raises what the one that refuses raises, and InvalidForZone with all reasons where several do.
    """
    refusals: list[ValueError] = []
    for check in checks:
        try:
            check()
        except REFUSALS as refusal:
            refusals.append(refusal)
    if len(refusals) == 1:
        raise refusals[0]
    if refusals:
        raise InvalidForZone("; ".join(str(refusal).removesuffix(".") for refusal in refusals))
