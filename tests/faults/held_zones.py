# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones as plain values, what each transition has before and must have after, and what counts as lost or doubled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playing import Task
from running import Service

Key = tuple[str, str]
Held = dict[Key, tuple[int, tuple[str, ...]]]
"""A zone without its SOA and NS: relative name and type to TTL and values, as the service shows them."""

BYSTANDERS: Held = {
    ("@", "TXT"): (300, ('"v=spf1 -all"',)),
    ("other", "A"): (60, ("198.51.100.1", "198.51.100.2")),
    ("www", "AAAA"): (300, ("2001:db8::1",)),
}


@dataclass(frozen=True)
class Transition:
    """A task, the zone that it finds and the zone that it must leave."""

    name: str
    task: Task
    before: Held
    after: Held


def held_by(service: Service, zone: str) -> Held:
    """What a zone holds now; a value that is there twice is in it twice."""
    held: Held = {}
    for row in service.records(zone):
        name = row["name"].removesuffix(f"{zone}.").removesuffix(".") or "@"
        if row["type"] != "SOA" and (name, row["type"]) != ("@", "NS"):
            held[name, row["type"]] = (row["ttl"], tuple(row["contents"]))
    return held


def same(one: Held, other: Held) -> bool:
    """Whether two zones hold the same, in any order."""

    def plain(held: Held) -> dict[Key, tuple[int, list[str]]]:
        return {key: (ttl, sorted(values)) for key, (ttl, values) in held.items()}

    return plain(one) == plain(other)


def fill(service: Service, zone: str, held: Held) -> None:
    """Make a zone that holds this."""
    service.zone(
        zone, [(name, rdtype, ttl, values) for (name, rdtype), (ttl, values) in held.items()]
    )


def lost(transition: Transition, held: Held) -> list[str]:
    """The values that were there, were not to go, and are missing.

    A name that had records and is to have others (a CNAME that becomes an address) must not be empty either.
    """

    def values(zone: Held, key: Key) -> set[str]:
        return set(zone.get(key, (0, ()))[1])

    missing = [
        f"{' '.join(key)} {value}"
        for key in transition.before
        for value in sorted(
            (values(transition.before, key) & values(transition.after, key)) - values(held, key)
        )
    ]
    names = [
        {name for name, _rdtype in zone} for zone in (transition.before, transition.after, held)
    ]
    return missing + [f"{name}, every record" for name in sorted((names[0] & names[1]) - names[2])]


def stored_twice(held: Held) -> list[str]:
    """The values that are in a set more than once."""
    return [
        f"{' '.join(key)} {value}"
        for key, (_ttl, values) in held.items()
        for value in sorted({*values})
        if values.count(value) > 1
    ]


def sent_twice(before: Held, log: Iterable[Mapping[str, Any]]) -> list[str]:
    """The creations of values that were there already: a service that is less strict would have stored them twice."""
    there = {(*key, _plain(value)) for key, (_ttl, values) in before.items() for value in values}
    twice = []
    for entry in log:
        if entry["method"] == "DELETE" and entry["changed"]:
            name, rdtype = entry["query"]["name"], entry["query"]["type"]
            there = {
                row
                for row in there
                if not (row[1] == rdtype and _is_same_name(row[0], name, entry["path"]))
            }
        elif entry["method"] == "POST":
            body = entry["body"]
            content = (
                f"{body['priority']} {body['content']}" if "priority" in body else body["content"]
            )
            row = (body["name"], body["type"], _plain(content))
            if row in there:
                twice.append(" ".join(row))
            elif entry["changed"]:
                there.add(row)
    return twice


def _is_same_name(relative: str, absolute: str, path: str) -> bool:
    zone = path.removesuffix("/records").rpartition("/")[2].removesuffix("example") + ".example."
    return absolute == (zone if relative == "@" else f"{relative}.{zone}")


def _plain(value: str) -> str:
    return value.strip('"')


def _addresses(*last: int) -> tuple[str, ...]:
    return tuple(f"192.0.2.{number}" for number in last)


def _of_one_set(
    name: str,
    key: Key,
    before: tuple[int, tuple[str, ...]],
    after: tuple[int, tuple[str, ...]] | None,
    **options: Any,
) -> Transition:
    left = {**BYSTANDERS, key: after} if after else BYSTANDERS
    task = Task("dns_record", {"name": key[0], "type": key[1], **options})
    return Transition(name, task, {**BYSTANDERS, key: before}, left)


def _replace() -> Transition:
    """An alias that becomes two addresses in one task."""
    records = [
        {"name": "docs", "type": "CNAME", "state": "absent"},
        {"name": "docs", "type": "A", "content": list(_addresses(7, 8)), "ttl": 300},
    ]
    return Transition(
        "replace",
        Task("dns_records", {"records": records}),
        {**BYSTANDERS, ("docs", "CNAME"): (300, ("www.example.net.",))},
        {**BYSTANDERS, ("docs", "A"): (300, _addresses(7, 8))},
    )


_MX = ("10 mx1.example.net.", "20 mx2.example.net.", "30 mx3.example.net.")

TRANSITIONS: Sequence[Transition] = (
    _of_one_set(
        "add",
        ("www", "A"),
        (300, _addresses(1, 2)),
        (300, _addresses(1, 2, 3)),
        content=list(_addresses(3)),
    ),
    _of_one_set(
        "rebuild",
        ("www", "A"),
        (300, _addresses(1, 2, 3)),
        (600, _addresses(1, 2, 3)),
        content=list(_addresses(1, 2, 3)),
        ttl=600,
    ),
    _of_one_set(
        "partial removal",
        ("@", "MX"),
        (300, _MX),
        (300, (_MX[0], _MX[2])),
        content=[_MX[1]],
        state="absent",
    ),
    _of_one_set("removal", ("www", "A"), (300, _addresses(1, 2)), None, state="absent"),
    _replace(),
)

# Any writing module on the zone must recover, so this one wants something that has nothing to do with the rest.
UNRELATED = Task("dns_record", {"name": "unrelated", "type": "TXT", "content": ["here"], "ttl": 60})
UNRELATED_SET: Held = {("unrelated", "TXT"): (60, ('"here"',))}
