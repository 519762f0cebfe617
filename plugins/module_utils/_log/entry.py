# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was begun on a zone: an entry for each record set that was, or is about to be, written to. Pure.

What may a set hold? The snapshot with the open entries laid over it answers that, and nothing else does: what was begun
and is not finished counts as finished; where nothing of it was carried out, the snapshot counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, same_set, values_of

STALE = 16.0
"""Seconds: the most by which a snapshot can be old."""

LATE = 600.0
"""Seconds for which a request without an answer may still be carried out."""

OLD = 7 * 86400.0
"""Seconds after which what was begun is not finished any more, but told and put aside."""


@dataclass(frozen=True)
class Entry:
    """A record set that was, or is about to be, written to. Sets have canonical values, times are seconds since 1970.

    *before* is what it held when this was *begun*, *want* what it is to hold; None is no set. It *deletes* where a
    DELETE at its owner name belongs to it. *at* is when it was written to last. A request without an answer may still
    come until *doubt*, 0 where none can; *done* tells whether a snapshot has shown the set as wanted.
    """

    before: RecordSet | None
    want: RecordSet | None
    deletes: bool
    begun: float
    at: float
    doubt: float = 0.0
    done: bool = False

    @property
    def is_open(self) -> bool:
        """Whether something of it may be missing, or go missing."""
        return self.deletes and (not self.done or bool(self.doubt))

    def is_young(self, now: float) -> bool:
        """Whether a snapshot taken *now* may be from before it."""
        return now < self.at + STALE

    def is_old(self, now: float) -> bool:
        """Whether it is open, and too old to be finished."""
        return self.is_open and now >= max(self.begun, self.at) + OLD

    @property
    def removed(self) -> tuple[str, ...]:
        """The values that are to go."""
        return minus(self.before, self.want)

    def agrees(self, live: RecordSet | None) -> bool:
        """Whether a snapshot shows all that is to be there, and nothing that is to be gone."""
        return not minus(self.want, live) and not self.shows_former(live)

    def shows_former(self, live: RecordSet | None) -> bool:
        """Whether a snapshot shows what is to be gone: a value, or the TTL of before.

        A TTL that the set never had is the service's own, or somebody else's.
        """
        if live is None:
            return False
        if any(is_among(live.type, value, live.values) for value in self.removed):
            return True
        return self.changes_ttl and self.before is not None and live.ttl == self.before.ttl

    @property
    def changes_ttl(self) -> bool:
        """Whether the set is to have another TTL than before."""
        return self.before is not None and self.want is not None and self.before.ttl != self.want.ttl

    def is_untouched(self, live: RecordSet | None) -> bool:
        """Whether a snapshot shows that nothing of a DELETE was carried out."""
        if self.before is None or live is None or minus(self.before, live):
            return False
        return live.ttl == self.before.ttl and (self.changes_ttl or bool(self.removed))

    def over(self, live: RecordSet | None) -> RecordSet | None:
        """What the set holds once what was begun is finished. It only adds."""
        if not self.is_open or self.want is None:
            return live
        if live is None:
            return self.want
        missing = minus(self.want, live)
        return replace(live, values=(*live.values, *missing)) if missing else live

    def with_want(self, want: RecordSet | None) -> Entry:
        """The same where the set is to hold something else. One that is *done* keeps the TTL that was sent."""
        if self.done and want and self.want:
            want = replace(want, ttl=self.want.ttl)
        return self if same_set(want, self.want) else replace(self, want=want)


Log = Mapping[Key, Entry]
"""The entries of a zone."""

Sets = Mapping[Key, RecordSet]
"""Record sets with canonical values."""


def over(log: Log, live: Sets) -> dict[Key, RecordSet]:
    """The sets of a snapshot with the open entries laid over it: what the zone holds once all that was begun is done.

    The owner name is the unit of work, and its DELETEs come first: where a snapshot shows that none of them was carried
    out, nothing at the name was.
    """
    held = dict(live)
    untouched = _untouched_names(log, live)
    for key, entry in log.items():
        if not entry.done and key.name in untouched:
            continue
        after = entry.over(live.get(key))
        if after is not None:
            held[key] = after
    return held


def _untouched_names(log: Log, live: Sets) -> set[str]:
    deleting = [(key, entry) for key, entry in log.items() if entry.is_open and not entry.done and _deletes(entry)]
    touched = {key.name for key, entry in deleting if not entry.is_untouched(live.get(key))}
    return {key.name for key, _entry in deleting} - touched


def _deletes(entry: Entry) -> bool:
    """Whether its own set is deleted, and not only another one at its name."""
    return bool(entry.removed) or entry.changes_ttl


def is_settled(log: Log, live: Sets, now: float) -> bool:
    """Whether a snapshot contradicts no entry that is young, so that it need not be read again."""
    young = ((key, entry) for key, entry in log.items() if entry.is_young(now))
    return all(entry.agrees(live.get(key)) for key, entry in young)


def still_kept(log: Log, live: Sets, now: float) -> dict[Key, Entry]:
    """The entries that stay after a snapshot: what may still happen, and what may still be hidden.

    One goes once a snapshot has shown it as wanted, no request may come any more, and it is not young.
    """
    kept = {}
    for key, entry in log.items():
        agrees = entry.agrees(live.get(key))
        doubt = 0.0 if agrees and now >= entry.doubt else entry.doubt
        entry = replace(entry, done=entry.done or agrees, doubt=doubt)
        if entry.is_open or entry.doubt or entry.is_young(now):
            kept[key] = entry
    return kept


def minus(one: RecordSet | None, other: RecordSet | None) -> tuple[str, ...]:
    """The values of one set that another one lacks."""
    if one is None:
        return ()
    there = frozenset(values_of(other))
    return tuple(value for value in one.values if not is_among(one.type, value, there))


def joined(one: RecordSet | None, values: Iterable[str], like: RecordSet) -> RecordSet | None:
    """A set with more values; made *like* another one where there is none."""
    base = one or replace(like, values=())
    there = frozenset(base.values)
    more = tuple(value for value in dict.fromkeys(values) if not is_among(base.type, value, there))
    grown = replace(base, values=(*base.values, *more)) if more else base
    return grown if grown.values else None
