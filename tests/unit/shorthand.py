# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Record sets, snapshots and changes of example.com, each written in a line; and what a killed run leaves."""

from dataclasses import replace

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Snapshot
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._log.past import Past
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import Machine, machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired

NULL = object()
"""An option of a module that is null, as a variable that holds nothing makes it; None leaves the option out."""


def named_rows(columns, table):
    """A test for each row of a table, called by the row's name."""
    return pytest.mark.parametrize(columns, table.values(), ids=table)


def a_set(key, text):
    """A set written like ``300 192.0.2.1 192.0.2.2``; nothing is not a set."""
    ttl, *values = text.split() or [""]
    return RecordSet(*key, int(ttl), tuple(values)) if ttl else None


def change(name, rdtype, before, after, **desired):
    """What is to become of a set of example.com, both sides written like ``300 192.0.2.1``."""
    key = Key(f"{name}.example.com.", rdtype)
    return Change(a_set(key, before), a_set(key, after), Desired(*key, **desired))


def left_behind(store, key, before, desired, age=60.0, *, has_delete=True):
    """Leave what a run leaves that was killed so many seconds ago, both sides written like ``300 192.0.2.1``."""
    at = machine().time() - age
    entry = Entry(
        Past().with_newest(a_set(key, before)),
        a_set(key, desired),
        has_delete=has_delete,
        began=at,
        at=at,
        sent=a_set(key, before),
    )
    with store.lock() as document:
        entries = {**document.entries, key: entry}
        store.save(replace(document, entries=entries, under_way=frozenset([key])))


def held(*lines):
    """A snapshot of the zone with lines like ``www 300 A 192.0.2.1 192.0.2.2``."""
    sets = {}
    for line in lines:
        name, ttl, rdtype, *values = line.split()
        key = Key(f"{name}.example.com.", rdtype)
        sets[key] = RecordSet(*key, int(ttl), tuple(values))
    return Snapshot("example.com.", "examplecom", sets)


def text(zone):
    """Zone text, as ``Zone.lines`` of conftest gives it."""
    return sorted(line.strip() for line in zone.strip().splitlines() if line.strip())


def writes(zone):
    """The calls that write."""
    return [call for call in zone.calls() if not call.startswith("GET")]


def www(*content, **options):
    """The task that is about the addresses of www."""
    return {"name": "www", "type": "A", "content": list(content), **options}


def zones(**records):
    """Entries of ``zones`` for example.com and so on."""
    return [{"zone": f"example.{name}", "records": rows} for name, rows in records.items()]


def short(keys):
    """Keys as ``www A``."""
    return [f"{name.removesuffix('.example.com.')} {rdtype}" for name, rdtype in keys]


def ends(changes):
    """Changes as the key and what the set holds in the end: ``www A 300 192.0.2.1``."""
    return [" ".join([*short([one.key]), *_words(one.after)]) for one in changes]


def _words(record_set):
    return [str(record_set.ttl), *record_set.values] if record_set else ["gone"]


class MachineAt(Machine):
    """A machine on which it is as late as *now* tells (seconds)."""

    def __init__(self, now):
        self.monotonic = now  # type: ignore[method-assign]


def left(store):
    """The sets that the next run may have something to complete of."""
    return [" ".join(key) for key, entry in store.load().entries.items() if entry.is_unfinished]


def only(*content, name="www", rdtype="A", **options):
    """The task after which a set holds this alone; without content, nothing."""
    return {
        "name": name,
        "type": rdtype,
        **({"content": [*content]} if content else {"state": "absent"}),
        **options,
    }


def no(method="POST", status=422, **fields):
    """A refusal, of one request unless the fields say otherwise."""
    return {
        "kind": "status",
        "method": method,
        "status": status,
        "body": {"message": "No"},
        **fields,
    }


# The addresses of www, and what is sent about them

TWO = "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2"
THIRD = "www 300 A 192.0.2.3"
DELETE, ONE, OTHER, THREE, FOUR = (
    "DELETE www.example.com. A",
    *(f"POST www A 192.0.2.{n}" for n in (1, 2, 3, 4)),
)
EXCLUSIVE = www("192.0.2.3", exclusive=True)
ABSENT = {"name": "www", "type": "A", "state": "absent"}
PAIR = www("192.0.2.3", "192.0.2.4", exclusive=True)
