# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task says of SOA and of NS at the apex, which the service owns: no change where it is so, an error where not.

So a whole zone can be given back as it was read, and nobody believes in a change that never comes.
"""

from __future__ import annotations

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import values_and_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

_SOA_FIELDS = 7
_SERIAL = 2


def reason_against(held: RecordSet | None, wanted: Wanted) -> str | None:
    """Why the task cannot have what it says of a set that the service owns; None where the zone holds just that.

    *held* has canonical values. The serial of an SOA does not count, since every write changes it (RFC 1035, section
    3.3.13).
    """
    if held and (wanted.ttl is None or wanted.ttl == held.ttl):
        there, said = (set(map(_without_serial, side.values)) for side in (held, wanted))
        if said == there or (wanted.keeps_others and said <= there):
            return None
    holds = values_and_ttl(held.values, held.ttl) if held else "nothing"
    return (
        f"{wanted.name} {wanted.type} belongs to the service and is never written: the zone holds {holds}, "
        f"and the task says {values_and_ttl(wanted.values, wanted.ttl)}; leave it out"
    )


def _without_serial(value: str) -> str:
    fields = value.split(" ")
    if len(fields) == _SOA_FIELDS:
        del fields[_SERIAL]
    return " ".join(fields)
