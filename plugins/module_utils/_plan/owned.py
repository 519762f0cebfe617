# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task says of SOA and of NS at the apex, which the service owns: compared with the zone, and never written.

So a whole zone can be given back as it was read, and nobody believes in a change that never comes. An entry that says
otherwise asks for such a change. A zone file says how the zone was once, or is elsewhere: that is worth a word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import values_and_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

_Side = TypeVar("_Side", RecordSet, Wanted)
_SOA_FIELDS = 7
_SERIAL = 2
_SERVER_AND_MAILBOX = 2


@dataclass(frozen=True)
class Otherwise:
    """A set that the service owns and that is not as the task says: what the zone *holds*, and what is *said* of it.

    Both have what is compared: of the SOA in a zone file the primary name server and the mailbox, since the serial
    changes with every write, and the timers are the service's. *holds* is None where the zone has no such set.
    """

    holds: RecordSet | None
    said: Wanted

    def is_told_as(self, option: str | None) -> str:
        """One of the choices of service_owned: the option, or else an error for an entry and a warning for a file."""
        return option or ("warn" if self.said.is_of_file else "error")

    @property
    def message(self) -> str:
        """What people are told of it, in one clause."""
        holds, whose = "nothing", "file" if self.said.is_of_file else "task"
        if self.holds:
            holds = values_and_ttl(self.holds.values, None if self.said.is_of_file else self.holds.ttl)
        return (
            f"{self.said.name} {self.said.type} belongs to the service and is never written: the zone holds {holds}, "
            f"and the {whose} says {values_and_ttl(self.said.values, self.said.ttl)}"
        )

    def as_result(self) -> dict[str, Any]:
        """The set as modules return it."""
        live = {"ttl": self.holds.ttl, "contents": [*self.holds.values]} if self.holds else None
        wanted = {"ttl": self.said.ttl, "contents": [*self.said.values]}
        return {
            "name": self.said.name,
            "type": self.said.type,
            "live": live,
            "wanted": wanted,
            "message": self.message,
        }


def otherwise(live_set: RecordSet | None, said: Wanted) -> Otherwise | None:
    """What the zone holds, where it is not what the task says of a set that the service owns; None where it is.

    *live_set* has canonical values. The serial of an SOA does not count, since every write changes it (RFC 1035,
    section 3.3.13).
    """
    if said.is_of_file:
        said = _as_compared(said)
        live_set = _as_compared(live_set) if live_set else None
    if live_set and (said.ttl is None or said.ttl == live_set.ttl):
        there, wanted = (set(map(_without_serial, side.values)) for side in (live_set, said))
        if wanted == there or (said.keeps_others and wanted <= there):
            return None
    return Otherwise(live_set, said)


def _as_compared(side: _Side) -> _Side:
    """A set as far as a zone file can say what the service makes of it."""
    if side.type != "SOA":
        return side
    return replace(side, values=tuple(" ".join(value.split(" ")[:_SERVER_AND_MAILBOX]) for value in side.values))


def _without_serial(value: str) -> str:
    fields = value.split(" ")
    if len(fields) == _SOA_FIELDS:
        del fields[_SERIAL]
    return " ".join(fields)
