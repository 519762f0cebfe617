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

A value that is added late is in nobody's way, so only a DELETE is waited for. Whether one may still
come is known here alone. While a run writes a set, its entry is open or pending. At the end of the
run, it may be done.

An entry is *unfinished* if its set was to be deleted and was not shown as desired since, or if a DELETE may
still come. Each event is a function here, with the number of its rule in docs/design.md. Nobody else changes
an entry.

===========================  =======  ==================  ==========  =================  ========
event (rule)                 open     pending             done        done and pending   no entry
===========================  =======  ==================  ==========  =================  ========
``begun`` (1)                open     pending             open        pending            open
``continued`` (1)            open     pending             impossible  pending
``cut_off`` (1)              pending  pending             impossible  impossible
``written`` (2)              open     pending             open        pending
``deleting`` (4)             open     pending             impossible  impossible
``with_delete_pending`` (4)  pending  pending             impossible  impossible
``compared`` (4)             open, or pending where the   impossible  impossible
                             snapshot does not agree
``seen_after_delete`` (4)    the same                     impossible  impossible
``with_others_kept`` (4)     open     pending             done        done and pending
``redirected`` (1, 3, 5)     open     pending             done        done and pending
``with_ttl_kept``            open     pending             done        done and pending
``looked_at`` (7)            open,    pending, or done    done        done and pending
                             or done  and pending
the same, 16 s after the     open,    the same            none        the same
last write                   or none
the same, once no DELETE     open,    open, or none       none        open, or none
can come any more            or none
``is_put_aside`` (7), if     if old   if old              if          if old
not as desired                                            unproven
===========================  =======  ==================  ==========  =================  ========

A round begins with ``continued`` if it only adds to a set that was left unfinished, else with ``begun``
and ``written``. Only entries with a DELETE become pending.

Five events take a snapshot, and trust it as far as this:

=====================  ============================  ===================================================
event                  the snapshot                  so it may show
=====================  ============================  ===================================================
``with_others_kept``   any one, also a stale one     what others have added; no proof of a DELETE
``continued``          the one of the plan           what is there
``seen_after_delete``  the last one that was read    whether the DELETE shows
                       after a DELETE
``compared``           the last one after a round,   whether a DELETE took effect, or may still come
                       which was read until it       (also for the two above)
                       agreed, or for 16 s
``looked_at``          one that no young entry       whether the set is as desired
                       contradicts
=====================  ============================  ===================================================

Beside its state, an entry knows what was *sent*, what the set was before (``past.py``), and whether a
snapshot has shown that this is gone, so that the DELETE took effect. For example, ``a`` and ``b`` are to
become ``a`` and ``c``. What a snapshot means that shows ``a`` and ``b``, after each event:

===============================  =======  =======  ========  ==========================================
event                            *sent*   state    the past  ``a`` and ``b`` means
                                                   is gone
===============================  =======  =======  ========  ==========================================
``begun`` and ``written``        a, b     open     no        that nothing was sent: it is untouched
``deleting``                     a, b     open     no        the same, or that the snapshot is stale
``written``: the answer to it    nothing  open     no        that the snapshot is stale, or the DELETE
                                                             has not taken effect
``written``: ``a``, then ``c``   a, c     open     no        the same
``compared`` with ``a``, ``b``   a, c     pending  no        that the DELETE may still come: send another
``compared`` with ``a``, ``c``   a, c     open     yes       that the snapshot is stale
``looked_at``, with ``a``,       a, c     done     yes       for 16 s, that the snapshot is stale;
``c``                                                        then, that somebody has written ``b``
===============================  =======  =======  ========  ==========================================

A snapshot is asked three questions, which ``past.py`` answers:

1. Does it show all that is to be there, and nothing else of the past? ``is_replaced_in``.

   * Is that what was *sent*? Then it is not stale, and no DELETE is left to come: ``agrees``.
   * Is that what is *desired*? Then the set is done: ``is_as_desired``.

2. Does it lack a value that the set had all the time? Only that shows that a DELETE took effect:
   ``is_deleted_in``. As long as no snapshot has shown it, the set ``is_still_there``: a DELETE may be sent
   again, and may take others' values.
3. Is the whole set as it was before, and is it to change? Then nothing was sent, or nothing took effect, and
   the next run plans from there: ``is_untouched``.

The answer to each may be wrong in one direction: that costs time or a warning. The other would lose a value.

In the example, DELETE and both POSTs are answered. Then somebody adds ``x``:

==================  =======  =======  =====  =======  =======  ==========
a snapshot shows    a, b     nothing  a      a, c     a, c, x  a, b, x
==================  =======  =======  =====  =======  =======  ==========
``agrees``          no       no       no     yes      yes      no
``is_as_desired``   no       no       no     yes      yes      no
``is_still_there``  yes      no       no     no       no       yes
``is_untouched``    yes      no       no     no       no       yes
others have added                                     x        x
==================  =======  =======  =====  =======  =======  ==========

Where no such value is missing, a set may be as desired although its DELETE is still to come. Its entry is
*unproven*:

==================================  =======  ====================================================
a set                               lasting  once a snapshot shows it as desired
==================================  =======  ====================================================
``a`` and ``b``, to be ``a``        a, b     ``b`` is missing: the past is gone
``a``, to have another TTL          a        unproven: a service may give the TTL of a POST to
                                             all values
``a``; ``b`` was added seconds      a        unproven: ``b`` is missing, but the snapshot may be
ago, and is to go                            from before it was added
==================================  =======  ====================================================

An unproven entry is kept for ten minutes. If a snapshot contradicts it, the DELETE came late, or somebody
has changed the set: nobody knows which, so the entry is put aside, and people are told. If its set is written
again meanwhile, a missing value does not tell which DELETE took effect, so nothing is *lasting*.

If a set still has its former TTL once a DELETE was seen to take effect, and 16 s later, the service keeps
its own (``ttl_is_proof``). The plan asks for that from then on (``Dialect.asked``), and the past has lost its
TTL (``with_ttl_kept``).
"""

from __future__ import annotations

from typing import NamedTuple

from .._dns.record_set import RecordSet, bare, same_set, union, values_of, without
from .past import Past

STALE = 16.0
"""Seconds; the greatest age of a snapshot."""

PENDING = 600.0
"""Seconds for which a DELETE without an answer may still take effect."""

OLD = 7 * 86400.0
"""Seconds after which an unfinished entry is put aside and reported, not finished."""


class Entry(NamedTuple):
    """Sets are in our own words; times are seconds since 1970. All of it is saved, but of each set one TTL.

    * *past*: what the set was before.
    * *desired*: the set as it is to be, which others' values may be added to.
    * *sent*: the set as it is now, if all answers of the run that wrote it last are true, with what the
      service was seen to make of texts. That begins with what was shown, at the beginning of a round and
      after a DELETE that was looked for. If the run was killed, it counts as desired.
    * *has_delete*: whether a DELETE belongs to this write, or to an unfinished one before it, sent or not
      (``SetAtWork.has_sent_delete``). At a CNAME, that of another set of the name counts, too.
    * *began*: when the first run began that left it unfinished; *at*: the last write, since when
      snapshots may be stale for 16 s.
    * *pending_since*: when that became so, if a DELETE may still take effect, which it may for PENDING
      seconds. This counts until a snapshot after that moment.
    * *done*: whether a snapshot has shown the set as desired.
    """

    past: Past
    desired: RecordSet | None
    has_delete: bool
    began: float
    at: float
    pending_since: float | None = None
    done: bool = False
    sent: RecordSet | None = None

    # Its state.

    @property
    def is_pending(self) -> bool:
        """Whether a DELETE may still take effect."""
        return self.pending_since is not None

    @property
    def is_unfinished(self) -> bool:
        """Whether values may be missing, or go: it was deleted, and not seen as desired since, or a DELETE may come."""
        return self.is_pending or (self.has_delete and not self.done)

    @property
    def is_unproven(self) -> bool:
        """Whether the set was shown as desired, but nothing has shown that its DELETE took effect.

        If it is to be as it was, the DELETE was refused.
        """
        if self.past.is_gone or self.is_pending or same_set(self.past.newest, self.desired):
            return False
        return self.has_delete and self.done

    def is_young(self, now: float) -> bool:
        """Whether a snapshot of *now* may be older than the last write."""
        return now < self.at + STALE

    def is_put_aside(self, shown: RecordSet | None, now: float) -> bool:
        """Rule 7: whether no run completes it any more, so that people are told. It has not ended."""
        if self.is_as_desired(shown):
            return False
        return self.is_unproven or now >= self.at + OLD

    # What a snapshot shows.

    def agrees(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows all that was sent, and nothing else of the past.

        *sent*, since a snapshot during a run is to show what the requests so far have done. A wrong no costs up
        to 16 s of reading, and a warning of a late DELETE. After a wrong yes, a plan starts from a stale snapshot.
        """
        return self.past.is_replaced_in(shown, self.sent)

    def is_as_desired(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows all that is desired, and nothing else of the past: what is to be in the end.

        After a wrong no, the next run completes the set again. After a wrong yes, a late DELETE goes untold.
        """
        return self.past.is_replaced_in(shown, self.desired)

    def is_still_there(self, shown: RecordSet | None) -> bool:
        """Whether a set that was deleted may be there still: no snapshot has shown it gone, nor does this one.

        After a wrong yes, a DELETE is sent again. After a wrong no, one may take what others have added.
        """
        is_gone = self.past.is_gone or self.past.is_deleted_in(shown)
        return self.has_delete and not self.done and not is_gone

    def is_untouched(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows that nothing was sent, or that nothing took effect.

        Nobody knows what a killed run has sent, so what counts is what is *desired*. After a wrong no, the next
        run completes what was never begun. After a wrong yes, values that were deleted do not come back.
        """
        if self.done or self.past.is_gone:
            return False
        return self.past.is_whole_in(shown, self.desired)

    def may_be_past(self, now: float) -> frozenset[str]:
        """The values of the past that a snapshot of *now* may still show.

        Any other value was sent or added since. If one too many counts as past, a DELETE may take what others
        have added. If one is missing, the task fails, and is to be run again.

        ================================  =======================  =====================================
        when                              of the past, it shows    because
        ================================  =======================  =====================================
        16 s after the last write, and    none                     it is not stale
        the past was seen gone
        earlier, or a DELETE is pending   all                      it may be stale, or the DELETE to come
        otherwise                         the set before the last  its DELETE may have had no effect
                                          write
        ================================  =======================  =====================================
        """
        if self.past.is_gone and not self.is_young(now):
            return frozenset()
        if self.is_young(now) or self.is_pending:
            return self.past.values
        return frozenset(values_of(self.past.newest))

    def ttl_is_proof(self, ttl: int, now: float) -> bool:
        """Whether a TTL that is shown is what the service made of the one that was sent."""
        if not self.may_be_past(now):
            return True
        is_sent_whole = self.has_delete or self.past.is_gone
        return is_sent_whole and ttl not in self.past.ttls

    # Events.

    def written(self, sent: RecordSet | None, now: float) -> Entry:
        """Rule 2: the set is *sent* so, or was seen so, and earlier snapshots are stale. It is not done."""
        return self._replace(sent=bare(sent), at=now, done=False)

    def with_delete_pending(self, now: float) -> Entry:
        """Rule 4: a DELETE may still take effect, if one belongs to the set."""
        since = now if self.has_delete else None
        return self._replace(at=now, pending_since=since)

    def cut_off(self, now: float) -> Entry:
        """Rule 1: the run that wrote the set was killed, and nobody knows when it sent its last request.

        So its DELETE may take effect for PENDING seconds from *now*. But snapshots count as stale for
        16 s from the last write that is logged: the set may be incomplete, and whoever completes it is
        not to wait for longer.
        """
        return self.with_delete_pending(now).written(self.desired, self.at)

    def deleting(self, now: float) -> Entry:
        """Rule 4: a DELETE is sent, of what is there now."""
        past = self.past.with_newest(self.sent)
        return self._replace(past=past, has_delete=True, at=now)

    def compared(self, shown: RecordSet | None, now: float) -> Entry:
        """Rule 4: a snapshot, after all requests so far.

        If it lacks a value that the set had all the time, the DELETE took effect: this alone decides that.
        If it contradicts what was sent, the DELETE is pending. Of a snapshot that is stale, the worst is
        that a DELETE counts as pending which is not.
        """
        entry = self
        if self.past.is_deleted_in(shown):
            entry = entry._replace(past=self.past._replace(is_gone=True))
        if not self.agrees(shown):
            entry = entry.with_delete_pending(now)
        return entry.with_others_kept(shown)

    def seen_after_delete(self, shown: RecordSet | None, is_emptied: bool, now: float) -> Entry:
        """Rule 4: after a DELETE, go on from what a snapshot shows. *is_emptied*: that is of others only.

        If so, the DELETE has taken effect, whatever its answer. For example, ``a`` is deleted:

        ===================  ================  ===========  ===============  ==============
        *sent*, by answers   a snapshot shows  then *sent*  the past         a DELETE is
        ===================  ================  ===========  ===============  ==============
        nothing: confirmed   nothing           nothing      is gone          as before
        ``a``: refused, or   nothing           nothing      is gone          as before
        without an answer
        nothing              ``a``             ``a``        as before        pending
        ``a``                ``a``             ``a``        as before        as before
        any                  others' ``x``     ``x``        is gone          as before
        ===================  ================  ===========  ===============  ==============
        """
        entry = self.written(None, now) if is_emptied else self
        return entry.compared(shown, now).written(shown, now)

    def continued(self, there: RecordSet | None, desired: RecordSet | None, now: float) -> Entry:
        """Rule 1: the rest of what was left unfinished is about to be added to what is *there*.

        Its past stays: what is there is no past, since nothing of it is to go. But it may show that the
        past is gone.
        """
        entry = self.redirected(desired).written(there, now)
        return entry.compared(there, now)

    def with_others_kept(self, shown: RecordSet | None) -> Entry:
        """Rule 4: if a request may still take away what others have added, that is desired too.

        But not what was sent, nor what runs have removed, although somebody may have added it again.
        """
        if not self.is_pending and not self.is_still_there(shown):
            return self
        others = without(shown, self.past.values.union(values_of(self.sent)))
        return self.redirected(union(self.desired, others))

    def redirected(self, desired: RecordSet | None) -> Entry:
        """Something else is desired.

        * What an earlier round or run left unfinished is about to be added (rule 1): what it is to be.
        * A task names the set and finds it as desired (rule 3): what is shown.
        * A value was refused (rule 5): the former set, or what is there if nothing is missing.
        * The run has ended: what is shown, with what is unfinished.
        """
        return self._replace(desired=bare(desired))

    def with_ttl_kept(self) -> Entry:
        """The service keeps its own TTL, so the former one is no sign of a DELETE without effect.

        Another DELETE, which has had no answer, may still come.
        """
        return self._replace(past=self.past._replace(ttls=frozenset()))

    def looked_at(self, shown: RecordSet | None, now: float) -> Entry | None:
        """Rule 7: a snapshot that is not stale, and the clock. None once the entry has ended.

        Once no DELETE can come any more, what this snapshot shows is all that counts.
        """
        entry = self.with_others_kept(shown)
        is_as_desired = entry.is_as_desired(shown)
        since = self.pending_since or self.at
        none_can_come = now >= since + PENDING + STALE
        if self.is_pending and none_can_come:
            entry = entry._replace(done=False, pending_since=None)
        if is_as_desired:
            entry = entry._replace(done=True)
        if entry.is_unfinished or entry.is_young(now):
            return entry
        if entry.is_unproven and not (is_as_desired and none_can_come):
            return entry
        return None


def begun(
    known: Entry | None,
    former: RecordSet | None,
    desired: RecordSet | None,
    now: float,
    has_delete: bool,
) -> Entry:
    """Rule 1: a set is about to be written, of which an entry may be *known*.

    *former*: what it was, as it was held: a snapshot may lack what an earlier run has begun.
    """
    known = known or Entry(Past(), None, False, now, now)
    past = known.past
    if known.is_unproven:
        # Its DELETE may come instead of this one, and nothing tells which it was.
        past = past._replace(lasting=frozenset())
    return Entry(
        past.with_newest(former),
        bare(desired),
        has_delete or known.is_unfinished or known.is_unproven,
        began=known.began if known.is_unfinished else now,
        at=now,
        pending_since=known.pending_since,
    )
