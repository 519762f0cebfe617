# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record sets, readings and changes of example.com, each written in a line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry


def a_set(key: Key, text: str) -> RecordSet | None:
    """A set written like ``300 192.0.2.1 192.0.2.2``; nothing is no set."""
    ttl, *values = text.split() or [""]
    return RecordSet(*key, int(ttl), tuple(values)) if ttl else None


def change(name: str, rdtype: str, before: str, after: str, **wanted: Any) -> Change:
    """What is to become of a set of example.com, both sides written like ``300 192.0.2.1``."""
    key = Key(f"{name}.example.com.", rdtype)
    return Change(a_set(key, before), a_set(key, after), Wanted(*key, **wanted))


def entry(before: str, after: str, rdtype: str = "A", age: float = 0.0, name: str = "www.example.com.") -> Entry:
    """A journal entry for a set, both sides written like ``300 192.0.2.1``; *age* is in seconds."""
    key = Key(name, rdtype)
    return Entry(key, a_set(key, before), a_set(key, after), time.time() - age)


def entries(changes: Iterable[Change]) -> dict[Key, Entry]:
    """What the journal holds of these changes."""
    return {one.key: Entry(one.key, one.before, one.after) for one in changes}


def held(*lines: str) -> LiveZone:
    """A reading of the zone with lines like ``www 300 A 192.0.2.1 192.0.2.2``."""
    sets: dict[Key, RecordSet] = {}
    for line in lines:
        name, ttl, rdtype, *values = line.split()
        key = Key(f"{name}.example.com.", rdtype)
        sets[key] = RecordSet(*key, int(ttl), tuple(values))
    return LiveZone("example.com.", "examplecom", sets)


def short(keys: Iterable[Key]) -> list[str]:
    """Keys as ``www A``."""
    return [f"{name.removesuffix('.example.com.')} {rdtype}" for name, rdtype in keys]


def ends(changes: Iterable[Change]) -> list[str]:
    """Changes as the key and what the set holds in the end: ``www A 300 192.0.2.1``."""
    return [" ".join([*short([one.key]), *_words(one.after)]) for one in changes]


def _words(record_set: RecordSet | None) -> list[str]:
    return [str(record_set.ttl), *record_set.values] if record_set else ["gone"]


class MachineAt(Machine):
    """A machine on which it is as late as *now* tells (seconds)."""

    def __init__(self, now: Callable[[], float]):
        self.monotonic = now  # type: ignore[method-assign]
