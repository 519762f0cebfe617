# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone while a run writes it: how it is read, and what is learnt of the service."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .._api.client import Client, Snapshot
from .._dns.altered_texts import TextForm, news_of_forms, stand_ins
from .._dns.dialect import PLAIN, Comparison, Dialect, ReadSets
from .._dns.rdata import is_text
from .._dns.record_set import DesiredSets, Key, RecordSet, minus
from .._log.entry import Entry
from .._log.log import Log
from .outcome import Job
from .zone_log import ZoneLog


def dialect_after(dialect: Dialect, log: Log, snapshot: Snapshot, now: float) -> Dialect:
    """The dialect after a snapshot, from the log alone: a later run comes to the same."""
    shown = PLAIN.read(snapshot.record_sets, snapshot.name)
    comparisons = []
    for key, entry in log.items():
        there = shown.get(key)
        if there and not entry.done:
            sent = _texts_sent(entry) if is_text(key.type) else entry.desired
            proves_ttl = entry.ttl_is_proof(there.ttl, now)
            one = Comparison(there, sent, entry.may_be_past(now), proves_ttl)
            comparisons.append(one)
    return dialect.learnt(comparisons)


def _texts_sent(entry: Entry) -> RecordSet | None:
    """What was sent of a set: all that is desired if it was deleted first, else what is new."""
    if entry.desired is None or entry.has_delete:
        return entry.desired
    return replace(entry.desired, values=minus(entry.desired, entry.past.newest))


def desired_by(log: Log) -> DesiredSets:
    """The sets as they are to be."""
    return {key: entry.desired for key, entry in log.items()}


class Zone:
    """What the sets of a run share. *latest* is the last snapshot.

    *known_before_round* is what was known as the round began (``begin_round``); before the first one, what
    was saved.

    A snapshot is read in our words, for what is asked of it:

    * ``shown``: as it is, altered texts too. Plans and results start from there.
    * ``as_sent``: as it was sent, to tell what the requests have done, and whether it is stale.

    For example, a service makes ``v=1`` of ``v=1; p=2``. A snapshot that shows ``v=1`` means:

    =====================  ================================  ====================================
    for                    if this round has sent the text   if that was known before this round
    =====================  ================================  ====================================
    ``shown``              ``v=1``                           ``v=1``
    ``as_sent``            ``v=1; p=2``: it has arrived      ``v=1``: it is to be deleted
    plans (``look.py``)    ``v=1; p=2``: it is to be there   ``v=1; p=2``: it is to be there
    putting back, and the  nothing: nobody desires it        nothing: nobody desires it
    log at the end
    =====================  ================================  ====================================

    From beginning to end, a set holds ``x``, and ``v=1; p=2`` is to be added:

    1. It is sent without quotes, so ``x`` and the text are *sent*. The snapshot shows ``x`` and ``v=1``,
       which ``as_sent`` reads as ``x`` and the text. So the snapshot is not stale.
    2. ``learn`` keeps that ``v=1`` was made of the text, which is sent in quotes from now on.
    3. ``find`` plans from ``x`` and the text, so the task has nothing more to do. What is shown differs from
       that, so it finds a step from ``x`` and ``v=1`` to ``x`` and the text. If this is refused, ``x`` alone
       comes back.
    4. ``begin_round``: that ``v=1`` was made of the text is known. ``SetAtWork.begin`` puts ``x`` and ``v=1`` in
       the past, so a snapshot that shows ``v=1`` after the DELETE is stale.
    5. ``x`` is sent again, and the text in quotes. The snapshot shows both, and the set is done.

    Thread-safe, since each owner name belongs to one thread. If two learn at once, one of them may be
    forgotten until the end of the round, which learns from all sets again.
    """

    def __init__(self, client: Client, log: ZoneLog, snapshot: Snapshot, job: Job):
        self.client = client
        self.log = log
        self.latest = snapshot
        self.text = TextForm(job.txt_format, log.dialect, snapshot.record_sets)
        self.deletions = job.deletions
        self._said = job.said
        self.known_before_round = log.dialect

    def begin_round(self) -> None:
        """What is learnt from now on is news of this round."""
        self.known_before_round = self.log.dialect

    def read(self) -> Snapshot:
        """Raises ServiceError."""
        snapshot = self.client.read_again(self.latest)
        if snapshot.read_at >= self.latest.read_at:
            self.latest = snapshot
        return snapshot

    @property
    def seen_at(self) -> float:
        """When the last snapshot was taken (seconds since 1970, by the store's clock)."""
        return self.log.now() - self.latest.age

    def shown(self, snapshot: Snapshot) -> ReadSets:
        """The sets of a snapshot, in our words."""
        return self.log.dialect.read(snapshot.record_sets, snapshot.name, self._said)

    def as_sent(self, snapshot: Snapshot, keys: Iterable[Key] | None = None) -> ReadSets:
        """The sets of a snapshot, with all that is shown otherwise than it was sent as sent.

        With *keys*, only these need to be. What the service made of texts in this round counts as
        the texts. What it made of them before stands for itself. TTLs are as they are: one that the
        service keeps is settled in the entry (``Entry.with_ttl_kept``).
        """
        entries = self._entries(keys)
        dialect = dialect_after(self.log.dialect, entries, snapshot, self.log.now())
        texts = stand_ins(self.known_before_round, dialect, desired_by(entries))
        read = dialect.read(snapshot.record_sets, snapshot.name, self._said)
        return read.with_values(texts)

    def learn(self, snapshot: Snapshot, keys: Iterable[Key] | None = None) -> None:
        """Learn what a snapshot tells of the service, and send altered texts in the other form.

        With *keys*, from these sets alone: in the middle of a round, others are at work on theirs.
        """
        known = self.log.dialect
        entries = self._entries(keys)
        dialect = dialect_after(known, entries, snapshot, self.log.now())
        if self.text.turns_from(news_of_forms(known, dialect)):
            dialect = replace(dialect, form=self.text.form)
        self.log.dialect = dialect
        for key in dialect.ttls_since(known).keys() & entries.keys():
            self.log.entries[key] = entries[key].with_ttl_kept()

    def _entries(self, keys: Iterable[Key] | None) -> Log:
        """The log, or the entries of *keys* alone."""
        entries = self.log.entries
        if keys is None:
            return entries
        return {key: entries[key] for key in keys}
