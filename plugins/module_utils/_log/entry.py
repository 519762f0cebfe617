# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The log: an entry for each record set written, or about to be.

The overlay lays unfinished entries over a snapshot: what was begun counts as finished, unless the snapshot shows that
none of it took effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from .._dns.rdata import is_among
from .._dns.record_set import Key, RecordSet, same_set, values_of

STALE = 16.0
"""Seconds; the greatest age of a snapshot."""

PENDING = 600.0
"""Seconds for which an unanswered request is pending: it may still take effect."""

OLD = 7 * 86400.0
"""Seconds after which an unfinished entry is quarantined and reported, not finished."""


@dataclass(frozen=True)
class Entry:
    """Values are canonical, times are seconds since 1970.

    * *before*: the set when this was *begun*, None for none.
    * *deletes*: whether it involves a DELETE at its owner name.
    * *at*: the last write.
    * *pending_until*: how long an unanswered request may take effect, or 0.
    * *done*: whether a snapshot has shown the set as desired.
    """

    before: RecordSet | None
    desired: RecordSet | None
    deletes: bool
    begun: float
    at: float
    pending_until: float = 0.0
    done: bool = False

    @property
    def is_incomplete(self) -> bool:
        """Whether values may be missing: it has a DELETE, and no snapshot has shown the set as desired."""
        return self.deletes and not self.done

    @property
    def is_unfinished(self) -> bool:
        """Whether it is incomplete, or may become so, since a request is pending."""
        return self.is_incomplete or (self.deletes and bool(self.pending_until))

    def is_young(self, now: float) -> bool:
        """Whether a snapshot taken *now* may be older than the entry."""
        return now < self.at + STALE

    def as_pending(self, now: float) -> Entry:
        return replace(self, pending_until=max(self.pending_until, now + PENDING))

    def is_old(self, now: float) -> bool:
        return self.is_unfinished and now >= max(self.begun, self.at) + OLD

    @property
    def removed(self) -> tuple[str, ...]:
        return minus(self.before, self.desired)

    def agrees(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows all desired and no removed values."""
        return not minus(self.desired, shown) and not self.shows_former(shown)

    def shows_former(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows a removed value or the former TTL.

        A TTL that the set never had is from the service or other writers.
        """
        if shown is None:
            return False
        if any(is_among(shown.type, value, shown.values) for value in self.removed):
            return True
        return self.changes_ttl and self.before is not None and shown.ttl == self.before.ttl

    @property
    def changes_ttl(self) -> bool:
        return (
            self.before is not None
            and self.desired is not None
            and self.before.ttl != self.desired.ttl
        )

    def is_untouched(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows that no DELETE took effect."""
        if self.before is None or shown is None or minus(self.before, shown):
            return False
        return shown.ttl == self.before.ttl and (self.changes_ttl or bool(self.removed))

    def over(self, shown: RecordSet | None) -> RecordSet | None:
        """The set once this is finished, which only adds values."""
        if not self.is_unfinished or self.desired is None:
            return shown
        if shown is None:
            return self.desired
        missing = minus(self.desired, shown)
        return replace(shown, values=(*shown.values, *missing)) if missing else shown

    def with_desired(self, desired: RecordSet | None) -> Entry:
        """The entry with another desired set; if *done*, with the TTL sent."""
        if self.done and desired and self.desired:
            desired = replace(desired, ttl=self.desired.ttl)
        return self if same_set(desired, self.desired) else replace(self, desired=desired)


Log = Mapping[Key, Entry]

Sets = Mapping[Key, RecordSet]
"""Record sets with canonical values."""


def over(log: Log, shown: Sets) -> dict[Key, RecordSet]:
    """The overlay: a snapshot's sets, with unfinished entries as if they were done.

    DELETEs at an owner name come first. If none took effect, nothing at the name did.
    """
    held = dict(shown)
    untouched = _untouched_names(log, shown)
    for key, entry in log.items():
        if not entry.done and key.name in untouched:
            continue
        after = entry.over(shown.get(key))
        if after is not None:
            held[key] = after
    return held


def _untouched_names(log: Log, shown: Sets) -> set[str]:
    deleting = [
        (key, entry)
        for key, entry in log.items()
        if entry.is_incomplete and _own_set_is_deleted(entry)
    ]
    touched = {key.name for key, entry in deleting if not entry.is_untouched(shown.get(key))}
    return {key.name for key, _entry in deleting} - touched


def _own_set_is_deleted(entry: Entry) -> bool:
    """Whether its own set is deleted, not only another at its name."""
    return bool(entry.removed) or entry.changes_ttl


def is_settled(log: Log, shown: Sets, now: float) -> bool:
    """Whether a snapshot contradicts no young entry, so it need not be read again."""
    young = ((key, entry) for key, entry in log.items() if entry.is_young(now))
    return all(entry.agrees(shown.get(key)) for key, entry in young)


def still_kept(log: Log, shown: Sets, now: float) -> dict[Key, Entry]:
    """The log after a snapshot: without entries that are neither unfinished, pending nor young.

    Those that the snapshot shows as desired are done.
    """
    kept = {}
    for key, entry in log.items():
        agrees = entry.agrees(shown.get(key))
        is_over = agrees and now >= entry.pending_until
        entry = replace(
            entry, done=entry.done or agrees, pending_until=0.0 if is_over else entry.pending_until
        )
        if entry.is_unfinished or entry.pending_until or entry.is_young(now):
            kept[key] = entry
    return kept


def minus(one: RecordSet | None, other: RecordSet | None) -> tuple[str, ...]:
    if one is None:
        return ()
    there = frozenset(values_of(other))
    return tuple(value for value in one.values if not is_among(one.type, value, there))


def joined(one: RecordSet | None, values: Iterable[str], like: RecordSet) -> RecordSet | None:
    """The set with *values* added; without one, a set *like* another."""
    base = one or replace(like, values=())
    there = frozenset(base.values)
    more = tuple(value for value in dict.fromkeys(values) if not is_among(base.type, value, there))
    grown = replace(base, values=(*base.values, *more)) if more else base
    return grown if grown.values else None
