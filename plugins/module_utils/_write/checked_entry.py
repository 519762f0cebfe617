# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An entry of a journal, as far as a run can have written it: what is read from a disk may be anybody's."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.entry_sets import AS_READ, record_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import is_inside
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import as_read
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    MAX_TTL,
    Key,
    RecordSet,
    is_owned_by_service,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import wanted_record_set
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import LONGEST_NAME, is_encodable
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_histories import CLOCK_SET_BACK
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry

MOST_VALUES = 6000
"""Values of a set; more do not fit into an answer of 65535 bytes (RFC 1035, section 4.2.2), at 11 bytes each."""


class UnusableEntry(ValueError):
    """An entry of a journal that no run of this zone can have written; says which set, if any, and why."""


def checked_entry(zone: str, written: Any) -> Entry:
    """An entry as it stands in the journal of *zone* (canonical), as far as a run can have written it.

    What was there is whatever the zone can have shown. What is to be there is that again, or what a task can want
    beside values that were there. Raises UnusableEntry, InvalidEntry, InvalidRecord.
    """
    try:
        (name, rdtype), *sides = written["key"], written["before"], written["after"]
    except (ValueError, TypeError, KeyError) as error:
        raise UnusableEntry("it is no entry") from error
    if not (isinstance(name, str) and isinstance(rdtype, str)):
        raise UnusableEntry("it is no entry")
    if sides == [None, None]:
        raise UnusableEntry(printable(f"{name} {rdtype}: it tells of no set"))
    key = Key(name, rdtype)
    before, after = (None if side is None else _as_shown(zone, key, side) for side in sides)
    if after and after != before:
        _check_wanted(zone, after, sides[1]["contents"], before.values if before else ())
    quoted, is_aside, is_anew = (written.get(flag) is True for flag in ("quoted", "is_aside", "is_made_anew"))
    at = _time(written.get("at"))
    return Entry(key, before, after, at, quoted=quoted, is_aside=is_aside, is_made_anew=is_anew)


def _time(at: Any) -> float:
    """When an entry was written; long ago where it does not tell, as of an older version, or nothing that can be."""
    now = machine().time()
    is_time = isinstance(at, (int, float)) and not isinstance(at, bool) and 0 <= at <= now + CLOCK_SET_BACK
    return min(float(at), now) if is_time else 0.0


def _as_shown(zone: str, key: Key, side: Any) -> RecordSet:
    """One side of an entry, read as a set is that the service shows in *zone*. Raises UnusableEntry, InvalidRecord."""
    subject = printable(" ".join(key))
    _check_form(key, side, subject)
    shown = {item: side[item] for item in ("name", "type", "ttl", AS_READ)}
    read_as, record_set = next(iter(record_sets([shown], zone).items()))
    if read_as != key:
        raise UnusableEntry(f"{subject}: a run would write it as {printable(' '.join(read_as))}")
    if not is_inside(key.name, zone):
        raise UnusableEntry(f"{subject}: its name is not inside the zone {zone}")
    if is_owned_by_service(*key, zone):
        what = "SOA" if key.type == "SOA" else "NS at the apex"
        raise UnusableEntry(f"{subject}: {what} belongs to the service and is never written")
    return record_set


def _check_form(key: Key, side: Any, subject: str) -> None:
    """Look whether one side of an entry has the form and the size of a set in an answer. Raises UnusableEntry."""
    if not isinstance(side, dict) or [side.get("name"), side.get("type")] != [*key]:
        raise UnusableEntry(f"{subject}: one side of it is another set")
    ttl, contents = side.get("ttl"), side.get(AS_READ)
    if not isinstance(ttl, int) or isinstance(ttl, bool) or not 0 <= ttl <= MAX_TTL:
        raise UnusableEntry(f"{subject}: its TTL is no whole number of 0 to {MAX_TTL} seconds")
    if not isinstance(contents, list) or not all(isinstance(content, str) for content in contents):
        raise UnusableEntry(f"{subject}: its values are no list of texts")
    if len(contents) > MOST_VALUES:
        raise UnusableEntry(f"{subject}: it has more than {MOST_VALUES} values")
    if max(map(len, key)) > LONGEST_NAME:
        raise UnusableEntry(f"{printable_part(subject)}: it has a name or type of more than {LONGEST_NAME} characters")
    if not all(map(is_encodable, (*key, *contents))):
        raise UnusableEntry(f"{subject}: it has half a character in it")


def _check_wanted(zone: str, after: RecordSet, contents: Sequence[str], kept: Collection[str]) -> None:
    """Look whether a task can want a set, but for the values that were *kept* from before. Raises InvalidEntry."""
    new = [content for content in contents if as_read(after.type, content, zone) not in kept]
    state = "present" if new or not contents else "absent"
    entry = {"name": after.name, "type": after.type, "content": new or None, "state": state}
    wanted_record_set(zone, entry, journaled=True)
