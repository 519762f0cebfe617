# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The log of a zone: an entry for each record set written, or about to be, and the overlay.

The overlay lays unfinished entries over a snapshot: what was begun counts as finished, unless the
snapshot shows that none of it took effect. It only adds values.
"""

from __future__ import annotations

from collections.abc import Mapping

from .._dns.record_set import DesiredSets, Key, Sets, union
from .entry import Entry

Log = Mapping[Key, Entry]


def over(log: Log, shown: Sets) -> DesiredSets:
    """The sets that are held otherwise than shown (rule 3)."""
    untouched = _untouched(log, shown)
    held = {}
    for key, entry in log.items():
        if key in untouched or not entry.is_unfinished:
            continue
        there = shown.get(key)
        finished = union(there, entry.desired)
        if finished != there:
            held[key] = finished
    return held


def _untouched(log: Log, shown: Sets) -> set[Key]:
    """The sets of which a snapshot shows that no DELETE took effect.

    Where a CNAME comes or goes, all DELETEs of the name come first: if none of them took effect,
    nothing at the name did.
    """
    untouched = {key for key, entry in log.items() if entry.is_untouched(shown.get(key))}
    for name in {key.name for key in log if key.type == "CNAME"}:
        of_name = {key for key in log if key.name == name and not log[key].done}
        deleted = {key for key in of_name if log[key].past.newest}
        if deleted and deleted <= untouched:
            untouched |= of_name
        else:
            untouched -= of_name
    return untouched


def is_fresh(log: Log, shown: Sets, now: float) -> bool:
    """Whether a snapshot agrees with all young entries, so that it need not be read again (rule 2)."""
    for key, entry in log.items():
        if entry.is_young(now) and not entry.agrees(shown.get(key)):
            return False
    return True


def looked_at(log: Log, shown: Sets, now: float) -> dict[Key, Entry]:
    """The log after a snapshot that is not stale (rule 7)."""
    kept = {}
    for key, entry in log.items():
        left = entry.looked_at(shown.get(key), now)
        if left:
            kept[key] = left
    return kept
