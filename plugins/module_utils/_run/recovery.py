# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an interrupted run left in its journal: what of it can be believed, and what is still to be done. Pure."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import MAX_TTL, desired_record_set
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import (
    Change,
    PlanRefused,
    Wanted,
    canonical_set,
    plan,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets, RecordSet, same_set, visible

MOST_VALUES = 6000
"""Values of a set; more do not fit into an answer of 65535 bytes (RFC 1035, section 4.2.2), at 11 bytes each."""


class UnusableEntry(ValueError):
    """An entry of a journal that no run of this zone can have written; says which set, if any, and why."""


def believed(zone: str, written: Any) -> Entry:
    """An entry as it stands in the journal of *zone* (canonical), checked like the options of a task.

    Raises UnusableEntry, InvalidEntry.
    """
    try:
        (name, rdtype), before, after = written["key"], written["before"], written["after"]
    except (ValueError, TypeError, KeyError) as error:
        raise UnusableEntry("it is no entry") from error
    if not (isinstance(name, str) and isinstance(rdtype, str)):
        raise UnusableEntry("it is no entry")
    if before is None and after is None:
        raise UnusableEntry(visible(f"{name} {rdtype}: it tells of no set"))
    key = (name, rdtype)
    return Entry(key, _side(zone, key, before, "absent"), _side(zone, key, after, "present"))


def _side(zone: str, key: tuple[str, str], held: Any, state: str) -> RecordSet | None:
    """One side of an entry: what is to be there as ``present`` wants it, what was there as ``absent`` takes it."""
    if held is None:
        return None
    subject = visible(" ".join(key))
    if not isinstance(held, dict) or (held.get("name"), held.get("type")) != key:
        raise UnusableEntry(f"{subject}: one side of it is another set")
    ttl, contents = held.get("ttl"), held.get("contents")
    if type(ttl) is not int or not 0 <= ttl <= MAX_TTL:
        raise UnusableEntry(f"{subject}: its TTL is no whole number of 0 to {MAX_TTL} seconds")
    if not isinstance(contents, list) or not all(isinstance(content, str) for content in contents):
        raise UnusableEntry(f"{subject}: its values are no list of texts")
    if len(contents) > MOST_VALUES:
        raise UnusableEntry(f"{subject}: it has more than {MOST_VALUES} values")
    if state == "absent" and not contents:
        contents = None  # the service showed the set without values
    wish = desired_record_set(zone, {"name": key[0], "type": key[1], "content": contents, "ttl": ttl, "state": state})
    if wish.key != key:
        raise UnusableEntry(f"{subject}: a run would write it as {visible(' '.join(wish.key))}")
    return RecordSet(*key, ttl, wish.values or wish.unwanted)


def unfinished(zone: str, live: LiveSets, left: list[Entry]) -> tuple[Change, ...]:
    """What still has to be created so that no set is missing what an interrupted run had deleted.

    A name at which every set is as it was before was never begun, and is nobody's loss. Values that somebody put there
    meanwhile stay, and so does a record that they make impossible.
    """
    changes: list[Change] = []
    for _name, group in groupby(sorted(left, key=lambda entry: entry.key), key=lambda entry: entry.key[0]):
        entries = list(group)
        if all(same_set(_canonical(zone, live, entry.key), entry.before) for entry in entries):
            continue
        wishes = [
            Wanted(*entry.key, entry.after.contents, keeps_others=True, default_ttl=entry.after.ttl)
            for entry in entries
            if entry.after
        ]
        try:
            changes += plan(zone, live, wishes).changes
        except PlanRefused:
            continue
    return tuple(changes)


def _canonical(zone: str, live: LiveSets, key: tuple[str, str]) -> RecordSet | None:
    record_set = live.get(key)
    return canonical_set(record_set, zone) if record_set else None
