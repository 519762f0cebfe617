# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The log's entry for one record set: a small state machine.

Two questions about a set that a run writes have a yes or a no each, so an entry has four states:

================  ===========  ========================  ====================================
state             seen as      may a request still take  what the next run does with the set
                  desired?     effect (is it pending)?
================  ===========  ========================  ====================================
open              no           no                        completes it, if a DELETE belongs to it
pending           no           yes                       the same, and keeps what others add
seen              yes          no                        nothing, but believes no older snapshot
seen and pending  yes          yes                       completes it if it goes again
================  ===========  ========================  ====================================

Each event is a function here, with the number of its rule in docs/design.md. Nobody else changes an
entry. ``keeping_too``, ``renamed`` and ``with_ttl_kept`` change what is desired or was there before,
and no state. An entry is *incomplete* if it was deleted and not seen as desired since, and *unfinished*
if it is incomplete, or may become so.

=====================  =======  ==================  ================  ================  ====
event (rule)           open     pending             seen              seen and pending  none
=====================  =======  ==================  ================  ================  ====
``begun`` (1)          open     pending             open              pending           open
``saved_ahead`` (1)    pending  pending             -                 -                 -
``sent`` (2)           open     pending             -                 -                 -
``unanswered`` (4)     pending  pending             -                 -                 -
``seen_gone`` (4)      open     pending             -                 -                 -
``compared`` (4)       open, or pending where       seen              seen and pending  -
                       the snapshot contradicts
``others_added`` (4)   -        pending             -                 seen and pending  -
``putting_back`` (5)   open     pending             -                 -                 -
``deleting_again`` (5) open     pending             -                 -                 -
``refused`` (5)        open     pending             -                 -                 -
``redirected`` (3)     open     pending             seen              seen and pending  -
``looked_at`` (7)      open,    pending, or seen    seen, or none     seen and          -
                       or seen  once that is over                     pending, or seen
7 days (7)             aside    aside               -                 aside             -
=====================  =======  ==================  ================  ================  ====
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .._dns.record_set import RecordSet, minus, plus, same_set, values_of

STALE = 16.0
"""Seconds; the greatest age of a snapshot."""

PENDING = 600.0
"""Seconds for which a request without an answer may still take effect."""

OLD = 7 * 86400.0
"""Seconds after which an unfinished entry is put aside and reported, not finished."""


@dataclass(frozen=True)
class Entry:
    """Sets are in our own words; times are seconds since 1970.

    * *before*: the set when this was *begun*; None for none, or once a snapshot showed it gone.
    * *desired*: the set as it is to be.
    * *deletes*: whether a DELETE belongs to it, at a CNAME also one of another set of the name.
    * *at*: the last write.
    * *pending_until*: how long a request may still take effect. It counts until a snapshot after
      that moment; 0 for nothing pending.
    * *done*: whether a snapshot has shown the set as desired.
    * *older*: what stale snapshots may show beside *before*.
    """

    before: RecordSet | None
    desired: RecordSet | None
    deletes: bool
    begun: float
    at: float
    pending_until: float = 0.0
    done: bool = False
    older: RecordSet | None = None

    # What is so.

    @property
    def is_pending(self) -> bool:
        return self.pending_until > 0

    @property
    def is_incomplete(self) -> bool:
        """Whether values may be missing: it was to be deleted, and was not seen as desired since."""
        return self.deletes and not self.done

    @property
    def is_unfinished(self) -> bool:
        """Whether it is incomplete, or may become so."""
        return self.deletes and (self.is_pending or not self.done)

    def is_young(self, now: float) -> bool:
        """Whether a snapshot of *now* may be older than the last write."""
        return now < self.at + STALE

    def is_old(self, now: float) -> bool:
        return self.is_unfinished and now >= max(self.begun, self.at) + OLD

    @property
    def former_values(self) -> frozenset[str]:
        """All values that a snapshot from before the last write may show."""
        return frozenset((*values_of(self.before), *values_of(self.older)))

    @property
    def removed(self) -> frozenset[str]:
        return self.former_values.difference(values_of(self.desired))

    @property
    def former_ttls(self) -> frozenset[int]:
        """The TTLs that a snapshot from before the last write may show, but the desired one."""
        if self.desired is None:
            return frozenset()
        ttls = {one.ttl for one in (self.before, self.older) if one}
        return frozenset(ttls - {self.desired.ttl})

    def agrees(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows all desired values, and nothing of what was before."""
        return not minus(self.desired, shown) and not self.is_contradicted(shown)

    def is_contradicted(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows a removed value or the former TTL.

        A TTL that the set never had is the service's, or other writers'.
        """
        if shown is None:
            return False
        return not self.removed.isdisjoint(shown.values) or shown.ttl in self.former_ttls

    def is_still_there(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows what the DELETE was to remove, and none has shown it gone."""
        return self.before is not None and replace(self, older=None).is_contradicted(shown)

    def is_untouched(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows that no DELETE took effect."""
        before = self.before
        if before is None or shown is None or self.done:
            return False
        if minus(before, shown) or before.ttl != shown.ttl:
            return False
        return bool(self.removed) or self.changes_ttl

    @property
    def changes_ttl(self) -> bool:
        if self.before is None or self.desired is None:
            return False
        return self.before.ttl != self.desired.ttl

    def proves_nothing(self, now: float) -> frozenset[str]:
        """The values that tell nothing of the service if it shows them: the set had them before.

        Any other value proves itself. Once a snapshot has shown the set gone and none can be
        older than that, every value was sent since.
        """
        if self.before is None and not self.is_young(now):
            return frozenset()
        return self.former_values

    def ttl_is_proof(self, ttl: int, now: float) -> bool:
        """Whether a TTL that is shown is what the service made of the one that was sent."""
        if self.before is None and not self.is_young(now):
            return True
        is_sent_whole = self.deletes or self.before is None
        return is_sent_whole and ttl not in self.former_ttls

    # Events.

    def saved_ahead(self, now: float) -> Entry:
        """Rule 1: requests are about to be sent, and nobody may be left who knows the answers."""
        return self.unanswered(now)

    def sent(self, now: float) -> Entry:
        """Rule 2: a request was sent or answered; earlier snapshots are stale."""
        return replace(self, at=now)

    def unanswered(self, now: float) -> Entry:
        """Rule 4: a request may still take effect."""
        return replace(self, pending_until=max(self.pending_until, now + PENDING))

    def seen_gone(self) -> Entry:
        """Rule 4: a snapshot since the DELETE lacks the set: only stale ones show what it held."""
        return replace(self, before=None, older=_both(self.before, self.older))

    def compared(self, shown: RecordSet | None, now: float) -> Entry:
        """Rule 4: a snapshot that is not stale. What it contradicts is pending."""
        entry = self if self.agrees(shown) else self.unanswered(now)
        return entry.others_added(shown)

    def others_added(self, shown: RecordSet | None) -> Entry:
        """Rule 4: what others add is kept while a request may still take it away."""
        if shown is None or not self.is_pending:
            return self
        added = [value for value in minus(shown, self.desired) if value not in self.removed]
        return self.keeping_too(added, shown)

    def keeping_too(self, values: Iterable[str], shown: RecordSet) -> Entry:
        """Rule 4: values that others have added are to be there too."""
        return self.redirected(plus(self.desired, values, shown))

    def putting_back(self, former: RecordSet | None, now: float) -> Entry:
        """Rule 5: a value was refused, so the former set is to be there; new values may stay."""
        return replace(self, before=None, desired=bare(former), deletes=True, at=now)

    def deleting_again(self, sent: RecordSet | None) -> Entry:
        """Rule 5: what was *sent* since is to go, before the former set is made again."""
        return replace(self, before=bare(sent), older=_both(self.before, self.older))

    def refused(self, held: RecordSet | None, sent: RecordSet | None) -> Entry:
        """Rule 5: a value was refused and nothing deleted: what was held and added is to stay."""
        desired = plus(held, sent.values, sent) if sent else held
        return replace(self, desired=bare(desired))

    def redirected(self, desired: RecordSet | None) -> Entry:
        """Rule 3: a task desires something else. What is done keeps the TTL that was sent."""
        if self.done and desired and self.desired:
            desired = replace(desired, ttl=self.desired.ttl)
        if same_set(desired, self.desired):
            return self
        return replace(self, desired=bare(desired))

    def with_ttl_kept(self) -> Entry:
        """The service keeps a TTL of its own, so that the former TTL proves nothing."""
        if self.desired is None:
            return self
        ttl = self.desired.ttl
        before = replace(self.before, ttl=ttl) if self.before else None
        older = replace(self.older, ttl=ttl) if self.older else None
        return replace(self, before=before, older=older)

    def renamed(self, value: str, new: str) -> Entry:
        """A desired value in other words."""
        if self.desired is None:
            return self
        values = tuple(new if one == value else one for one in self.desired.values)
        return replace(self, desired=replace(self.desired, values=values))

    def looked_at(self, shown: RecordSet | None, now: float) -> Entry | None:
        """Rule 7: a snapshot that is not stale, and the clock. None once the entry has ended."""
        entry = self
        is_over = now >= self.pending_until
        if self.agrees(shown):
            entry = replace(self, done=True, pending_until=0.0 if is_over else self.pending_until)
        elif is_over and not self.deletes:  # a value that was never added is in nobody's way
            entry = replace(self, pending_until=0.0)
        if entry.is_unfinished or entry.is_pending or entry.is_young(now):
            return entry
        return None


def begun(
    known: Entry | None,
    held: RecordSet | None,
    desired: RecordSet | None,
    now: float,
    *,
    deletes: bool,
    is_deleted: bool,
) -> Entry:
    """Rule 1: a set is about to be written.

    *deletes*: a DELETE belongs to it; *is_deleted*: of this very set. What is only added to a set
    that an earlier round or run left unfinished changes nothing in what was there before that.
    """
    if known and known.is_unfinished and not is_deleted:
        return replace(known, desired=bare(desired), deletes=True, at=now, done=False)
    entry = Entry(bare(held), bare(desired), deletes, now, now)
    if known is None:
        return entry
    if known.is_young(now) or known.is_pending:
        older = _both(known.before, known.older)
        entry = replace(entry, older=older, pending_until=known.pending_until)
    if known.is_unfinished:
        entry = replace(entry, begun=known.begun, deletes=True)
    return entry


def bare(record_set: RecordSet | None) -> RecordSet | None:
    """The set as documents keep it: name, type, TTL and values."""
    if record_set is None:
        return None
    return RecordSet(*record_set.key, record_set.ttl, record_set.values)


def _both(one: RecordSet | None, other: RecordSet | None) -> RecordSet | None:
    if one is None or other is None:
        return one or other
    return plus(one, other.values, other)
