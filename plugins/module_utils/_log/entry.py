# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The log's entry for one record set: a small state machine.

Two questions about a set that a run writes have a yes or a no each, so an entry has four states:

================  ===========  ========================  ====================================
state             shown as     may a DELETE still take   what the next run does with the set
                  desired?     effect (is it pending)?
================  ===========  ========================  ====================================
open              not yet      no                        completes it, if a DELETE belongs to it
pending           not yet      yes                       the same, and keeps what others add
done              once         no                        nothing, but believes no older snapshot
done and pending  once         yes                       completes it if it goes again
================  ===========  ========================  ====================================

One that is done may be *unproven*, too: a DELETE was confirmed, and nothing can show its effect
(below). The next run warns then if the set is not as desired, and does nothing.

A value that is added late is in nobody's way, so only a DELETE is waited for. Whether one may still
come is known here alone. While a run writes a set, its entry is open or pending. The document has it
as pending then, since the run may be killed. At the end of the run, it may be done.

Each event is a function here, with the number of its rule in docs/design.md. Nobody else changes an
entry. An entry is *incomplete* if it was deleted and not shown as desired since, and *unfinished* if
it is incomplete, or may become so.

===========================  =======  ==================  ==========  =================  ========
event (rule)                 open     pending             done        done and pending   no entry
===========================  =======  ==================  ==========  =================  ========
``begun`` (1)                open     pending             open        pending            open
``completing`` (1)           open     pending             impossible  pending
``written`` (2)              open     pending             impossible  impossible
``deleting`` (4)             open     pending             impossible  impossible
``with_delete_pending`` (4)  pending  pending             impossible  impossible
``compared`` (4)             open, or pending where the   impossible  impossible
                             snapshot does not agree
``with_others_kept`` (4)     open     pending             done        done and pending
``redirected`` (3, 5)        open     pending             done        done and pending
``with_ttl_kept``            open     pending             done        done and pending
``looked_at`` (7)            open,    pending, or done    done        done and pending
                             or done  and pending
the same, 16 s after the     open,    the same            none        the same
last write                   or none
the same, once no DELETE     open,    open, or none       none        open, or none
can come any more            or none
``is_put_aside`` (7)         if old   if old              if          if old
                                                          unproven
===========================  =======  ==================  ==========  =================  ========

A write begins with ``completing`` if it only adds to a set that was left unfinished, else with ``begun``.

Beside its state, an entry knows whether its past is gone: a snapshot has shown that the DELETE took
effect (``compared``), so that only a stale one can show the past again. If no value was to go, none can
show that, since a POST may change the TTL of all values. So an entry that is done is kept for ten
minutes then (``is_unproven``). If a snapshot contradicts it, the DELETE came late, or somebody has
changed the set: nobody knows which, so the entry is put aside, and people are told.

For example, a set holds ``a``, and is to hold ``b``. What a snapshot means that shows ``a``:

=====================================  =======  ========  ===========================================
after                                  state    the past  ``a`` means
                                                is gone
=====================================  =======  ========  ===========================================
``begun``                              open     no        that nothing was sent: it is untouched
``deleting``                           open     no        the same, or that the snapshot is stale
``compared`` with nothing, or ``b``    open     yes       that the snapshot is stale
``compared`` with ``a``                pending  no        that the DELETE may still come: send another
``looked_at``, with ``b``              done     yes       for 16 s, that the snapshot is stale;
                                                          then, that somebody has written ``a``
=====================================  =======  ========  ===========================================

A TTL takes longest. A set has 300, the task wants 60, and the service keeps 300 whatever is sent. In
the first round, 300 may mean that the DELETE has not taken effect. So the second round sends the
DELETE once more, and must see the set gone. Once the values are there again, and 16 seconds have
passed, no snapshot can be from before that DELETE. If the TTL is still 300, it is the service's own
(``ttl_is_proof``). From then on, the plan asks for 300 in place of 60 (``Dialect.asked``), and the
past has lost its TTL (``with_ttl_kept``).

What a snapshot proves of a set is decided in a few functions. Most compare what is shown with what is
*expected*. While a run sends, that is the set as it was sent so far (``SetAtWork.sent``), which is none
after a DELETE. Otherwise it is the desired set.

===================  ===========================================  ====================================
a snapshot           if it shows                                  so
===================  ===========================================  ====================================
``agrees``           all that is expected, and nothing else of    the waiting ends, and at last the
                     the past                                     entry
``shows_past``       a value or a TTL of the past that is not     it is stale, or a DELETE has not taken
                     expected                                     effect
``is_still_there``   the same, and the past was never seen gone   the DELETE may be sent again
``is_untouched``     the whole set as it was before               the next run plans from there
``others_in``        values that are neither desired nor of the   others have added them
                     past, as far as it may still be shown
                     (``may_be_past``)
===================  ===========================================  ====================================
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from .._dns.record_set import RecordSet, minus, union, values_of

STALE = 16.0
"""Seconds; the greatest age of a snapshot."""

PENDING = 600.0
"""Seconds for which a DELETE without an answer may still take effect."""

LONGEST_ROUND = 86400.0
"""Seconds; requests of a killed run may be so much later than the log that was saved ahead of them."""

OLD = 7 * 86400.0
"""Seconds after which an unfinished entry is put aside and reported, not finished."""


@dataclass(frozen=True)
class Entry:
    """Sets are in our own words; times are seconds since 1970.

    * *past*: what the set was before the last write, the newest first. A stale snapshot may show any
      of it, and any snapshot may, as long as a DELETE has not taken effect.
    * *desired*: the set as it is to be.
    * *has_delete*: whether a DELETE belongs to this write, or to an unfinished one before it. At a
      CNAME, that of another set of the name counts, too.
    * *began*: when the first run began that left it unfinished; *at*: the last write.
    * *is_pending*: whether a DELETE may still take effect, which it may for PENDING seconds after *at*.
      This counts until a snapshot after that moment.
    * *done*: whether a snapshot has shown the set as desired.
    * *past_is_gone*: whether a snapshot has shown that the past is gone, so that only stale ones show
      it; also if the set was not there before.
    """

    past: tuple[RecordSet, ...]
    desired: RecordSet | None
    has_delete: bool
    began: float
    at: float
    is_pending: bool = False
    done: bool = False
    past_is_gone: bool = False

    # Its state.

    @property
    def is_incomplete(self) -> bool:
        """Whether values may be missing: it was to be deleted, and was not seen as desired since."""
        return self.has_delete and not self.done

    @property
    def is_unfinished(self) -> bool:
        """Whether it is incomplete, or may become so."""
        return self.is_pending or self.is_incomplete

    @property
    def is_unproven(self) -> bool:
        """Whether a DELETE was to change the TTL, and nothing has shown its effect, since no value went."""
        if self.past_is_gone or self.is_pending:
            return False
        return self.done and bool(self.past_ttls(self.desired))

    def is_young(self, now: float) -> bool:
        """Whether a snapshot of *now* may be older than the last write."""
        return now < self.at + STALE

    def is_put_aside(self, shown: RecordSet | None, now: float) -> bool:
        """Rule 7: whether no run completes it any more, so that people are told."""
        is_old = self.is_unfinished and now >= self.at + OLD
        is_lost = self.is_unproven and not self.agrees(shown, self.desired)
        return is_old or is_lost

    # What a snapshot may still show of its past.

    @property
    def newest_past(self) -> RecordSet | None:
        """The set before the last write."""
        return self.past[0] if self.past else None

    @property
    def past_values(self) -> frozenset[str]:
        """All values of the past."""
        return frozenset(chain.from_iterable(one.values for one in self.past))

    def past_ttls(self, expected: RecordSet | None) -> set[int]:
        """The TTLs of the past, but those of the *expected* set."""
        if expected is None:
            return set()
        return {one.ttl for one in self.past} - _ttls(expected)

    def may_be_past(self, now: float) -> frozenset[str]:
        """The values of the past that a snapshot of *now* may still show.

        Any other value was sent or added since. A stale snapshot may show all the past, and so may
        any other while a DELETE is pending. Otherwise, it is the set before the last write, until
        that was seen gone.
        """
        if self.past_is_gone and not self.is_young(now):
            return frozenset()
        if self.is_young(now) or self.is_pending:
            return self.past_values
        return frozenset(values_of(self.newest_past))

    # What a snapshot shows.

    def agrees(self, shown: RecordSet | None, expected: RecordSet | None) -> bool:
        """Whether a snapshot shows all values of the *expected* set, and nothing of the past."""
        return not minus(expected, shown) and not self.shows_past(shown, expected)

    def shows_past(self, shown: RecordSet | None, expected: RecordSet | None) -> bool:
        """Whether a snapshot shows a value or a TTL of the past that the *expected* set lacks.

        A TTL that the set never had is the service's, or other writers'.
        """
        if shown is None:
            return False
        values = self.past_values.difference(values_of(expected))
        ttls = self.past_ttls(expected)
        return bool(values.intersection(shown.values) or ttls.intersection(_ttls(shown)))

    def is_still_there(self, shown: RecordSet | None, expected: RecordSet | None) -> bool:
        """Whether a snapshot shows what a DELETE was to remove, and none has shown it gone."""
        return self.has_delete and not self.past_is_gone and self.shows_past(shown, expected)

    def is_untouched(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows that no DELETE took effect."""
        before = self.newest_past
        if before is None or shown is None or self.done or self.past_is_gone:
            return False
        # An earlier run may have deleted values that are to stay.
        to_stay = self.past_values.intersection(values_of(self.desired))
        if before.ttl != shown.ttl or not to_stay.union(before.values).issubset(shown.values):
            return False
        return self.shows_past(before, self.desired)

    def others_in(self, shown: RecordSet | None, now: float) -> tuple[str, ...]:
        """The values that others have added, as a snapshot of *now* shows the set."""
        former = self.may_be_past(now)
        return tuple(value for value in minus(shown, self.desired) if value not in former)

    def ttl_is_proof(self, ttl: int, now: float) -> bool:
        """Whether a TTL that is shown is what the service made of the one that was sent."""
        if not self.may_be_past(now):
            return True
        is_sent_whole = self.has_delete or self.past_is_gone
        return is_sent_whole and ttl not in self.past_ttls(self.desired)

    # Events.

    def completing(self, desired: RecordSet | None, now: float) -> Entry:
        """Rule 1: what an earlier round or run left unfinished is about to be added."""
        return replace(self, desired=bare(desired), at=now, done=False)

    def written(self, now: float) -> Entry:
        """Rule 2: a request was sent or answered; earlier snapshots are stale."""
        return replace(self, at=now)

    def with_delete_pending(self, now: float) -> Entry:
        """Rule 4: a DELETE may still take effect, if one belongs to the set.

        Rule 1 saves it so, as of the end of the LONGEST_ROUND: if the run is killed, nobody knows when it
        sent its last request. Whoever reads the document counts from then (``_time`` in ``stored.py``).
        """
        if not self.has_delete:
            return self
        return replace(self, at=now, is_pending=True)

    def deleting(self, there: RecordSet | None, now: float) -> Entry:
        """Rule 4: a DELETE is sent, of what is *there* now."""
        past = dict.fromkeys([*_by_ttl(there), *self.past])
        return replace(self, past=tuple(past), has_delete=True, at=now, past_is_gone=False)

    def compared(self, sent: RecordSet | None, shown: RecordSet | None, now: float) -> Entry:
        """Rule 4: a snapshot, after the set was *sent* so.

        What contradicts that is pending. This alone decides whether a DELETE took effect. Of a
        snapshot that is stale, the worst is that a DELETE counts as pending which is not.
        """
        entry = self
        # A TTL alone proves no DELETE: a service may give that of a POST to all values.
        removed = minus(self.newest_past, sent)
        is_proven = removed and not self.shows_past(shown, sent)
        if shown is None or is_proven:
            entry = replace(entry, past_is_gone=True)
        if not self.agrees(shown, sent):
            entry = entry.with_delete_pending(now)
        return entry.with_others_kept(shown)

    def with_others_kept(self, shown: RecordSet | None) -> Entry:
        """Rule 4: if a request may still take away what others have added, that is desired too.

        But not what runs have removed, although somebody may have added it again.
        """
        may_be_lost = self.is_pending or self.is_still_there(shown, self.desired)
        if shown is None or not may_be_lost:
            return self
        # As of the last write: then, any value of the past may be shown.
        others = replace(shown, values=self.others_in(shown, self.at))
        return self.redirected(union(self.desired, others))

    def redirected(self, desired: RecordSet | None) -> Entry:
        """Something else is desired.

        * A task names the set and finds it as desired (rule 3): what is shown.
        * A value was refused (rule 5): the former set, or what is there if nothing is missing.
        * The run has ended: what is shown, with what is unfinished.
        """
        return replace(self, desired=bare(desired))

    def with_ttl_kept(self, sent: int) -> Entry:
        """The service keeps its own TTL in place of the one *sent*.

        So the former TTL is no sign of a DELETE without effect. Another DELETE, which has had no
        answer, may still come.
        """
        return replace(self, past=tuple(replace(one, ttl=sent) for one in self.past))

    def looked_at(self, shown: RecordSet | None, now: float) -> Entry | None:
        """Rule 7: a snapshot that is not stale, and the clock. None once the entry has ended.

        Once no DELETE can come any more, what this snapshot shows is all that counts.
        """
        entry = self
        agrees = self.agrees(shown, self.desired)
        is_over = now >= self.at + PENDING + STALE
        if is_over and self.is_pending:
            entry = replace(self, done=False, is_pending=False)
        if agrees:
            entry = replace(entry, done=True)
        if entry.is_unfinished or entry.is_young(now):
            return entry
        if entry.is_unproven and not (agrees and is_over):
            return entry
        return None


def begun(
    known: Entry | None,
    former: RecordSet | None,
    desired: RecordSet | None,
    now: float,
    *,
    has_delete: bool,
) -> Entry:
    """Rule 1: a set is about to be written, of which an entry may be *known*.

    Its past begins with the *former* set, as it was held: a snapshot may lack what an earlier run has
    begun.
    """
    past = _by_ttl(former)
    if not has_delete:
        past = past[:1]  # higher TTLs stay, so they tell nothing
    known = known or Entry((), None, False, now, now)
    whole_past = dict.fromkeys([*past, *known.past])
    return Entry(
        tuple(whole_past),
        bare(desired),
        has_delete or known.is_unfinished or known.is_unproven,
        began=known.began if known.is_unfinished else now,
        at=now,
        is_pending=known.is_pending,
        past_is_gone=former is None,
    )


def bare(record_set: RecordSet | None) -> RecordSet | None:
    """The set as documents keep it: name, type, TTL and values. Without values, it is none."""
    if record_set is None or not record_set.values:
        return None
    return RecordSet(*record_set.key, record_set.ttl, record_set.values)


def _by_ttl(record_set: RecordSet | None) -> tuple[RecordSet, ...]:
    """A set as the past keeps it: sorted, and once with each TTL, of which a service may show several."""
    if record_set is None or not record_set.values:
        return ()
    values = tuple(sorted(record_set.values))
    ttls = sorted(_ttls(record_set))
    return tuple(RecordSet(*record_set.key, ttl, values) for ttl in ttls)


def _ttls(record_set: RecordSet) -> set[int]:
    return {record_set.ttl, *(ttl for _value, ttl in record_set.higher_ttls)}
