# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sets that only the service writes: SOA, and NS at the apex. They are compared, and never planned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from .._dns.printable import values_and_ttl
from .._dns.record_set import RecordSet, Sets
from .change import PlanRefused, set_as_result
from .desired import Desired
from .limits import Limits


@dataclass(frozen=True)
class ServiceOwnedSet:
    """A set of the service that differs from the task; *held* is None if it is absent.

    It is never written, so that a zone can be given back as it was read. An entry that differs is an error; a file,
    which may be old or from elsewhere, gets a warning. In a file, only the SOA's primary server and mailbox count:
    writes change the serial, and the service sets the timers.
    """

    held: RecordSet | None
    desired: Desired

    def severity(self, option: str | None) -> str:
        """The option ``service_owned``; by default error for entries, warn for files."""
        if option:
            return option
        return "warn" if self.desired.is_of_file else "error"

    @property
    def message(self) -> str:
        says = values_and_ttl(self.desired.values, self.desired.ttl)
        holds, source = "nothing", "task"
        if self.held:
            shown_ttl = None if self.desired.is_of_file else self.held.ttl
            holds = values_and_ttl(self.held.values, shown_ttl)
        if self.desired.is_of_file:
            source = "file"
        return (
            f"{self.desired.key} belongs to the service and is never written: the zone holds "
            f"{holds}, but the {source} says {says}"
        )

    def as_result(self) -> dict[str, Any]:
        return {
            **self.desired.key._asdict(),
            "live": set_as_result(self.held),
            "wanted": {"ttl": self.desired.ttl, "contents": [*self.desired.values]},
            "message": self.message,
        }


def service_owned_difference(held: RecordSet | None, desired: Desired) -> ServiceOwnedSet | None:
    """How a set of the service differs from the task, if it does.

    The serial of an SOA does not count, since every write changes it (RFC 1035, section 3.3.13).
    """
    if desired.is_of_file and desired.type == "SOA":
        desired = replace(desired, values=_servers_and_mailboxes(desired.values))
        if held:
            held = replace(held, values=_servers_and_mailboxes(held.values))
    if held is None or desired.ttl not in (None, held.ttl):
        return ServiceOwnedSet(held, desired)
    expected = {_without_serial(value) for value in desired.values}
    there = {_without_serial(value) for value in held.values}
    if expected == there or (desired.keeps_others and expected <= there):
        return None
    return ServiceOwnedSet(held, desired)


def _servers_and_mailboxes(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(" ".join(value.split(" ")[:2]) for value in values)


def _without_serial(value: str) -> str:
    fields = value.split(" ")
    return " ".join(fields[:2] + fields[3:])


def differing(
    zone: str, held: Sets, owned: Iterable[Desired], limits: Limits
) -> Iterator[ServiceOwnedSet]:
    """The sets of the service that differ from the task.

    A file does not count for sets that are ignored or outside ``only``.
    """
    for one in owned:
        there = held.get(one.key)
        sides = [side for side in (one.as_held, there) if side]
        if one.is_of_file and any(_is_left_out(zone, side, limits) for side in sides):
            continue
        difference = service_owned_difference(there, one)
        if difference:
            yield difference


def _is_left_out(zone: str, one: RecordSet, limits: Limits) -> bool:
    return limits.ignores(one, zone) or not limits.is_about(one, zone)


def reported(
    differences: Iterable[ServiceOwnedSet], service_owned: str | None
) -> tuple[ServiceOwnedSet, ...]:
    """The differences to warn about. Raises PlanRefused for errors."""
    refused, warned = [], []
    for one in differences:
        severity = one.severity(service_owned)
        if severity == "error":
            refused.append(f"{one.message}; leave it out, or set service_owned to warn")
        elif severity == "warn":
            warned.append(one)
    if refused:
        raise PlanRefused("; ".join(refused))
    return tuple(warned)
