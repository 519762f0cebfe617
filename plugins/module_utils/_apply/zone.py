# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone while a run writes it: how it is read, and what is learnt of the service."""

from __future__ import annotations

from dataclasses import replace

from .._api.client import Client, Snapshot
from .._dns.altered_texts import TextForm, as_stored, news_of_forms
from .._dns.dialect import PLAIN, Comparison, Dialect, ReadSets
from .._dns.rdata import is_text
from .._dns.record_set import DesiredSets, RecordSet, minus
from .._log.document import Document
from .._log.entry import Entry
from .._log.log import Log
from .._machine import machine
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
            comparisons.append(Comparison(there, sent, entry.may_be_past(now), proves_ttl))
    return dialect.learnt(comparisons)


def known_after(document: Document, snapshot: Snapshot, now: float) -> Document:
    """What is known after a snapshot, with what the service made of what was sent."""
    dialect = dialect_after(document.dialect, document.entries, snapshot, now)
    entries = dict(document.entries)
    for key in dialect.ttls_since(document.dialect).keys() & entries.keys():
        entries[key] = entries[key].with_ttl_kept()
    shown = dialect.read(snapshot.record_sets, snapshot.name)
    for key in dialect.altered.keys() & entries.keys():
        entry = entries[key]
        stored = as_stored(entry.sent, shown.get(key), dialect.altered[key], entry.past.values)
        if stored != entry.sent:
            entries[key] = entry.written(stored, entry.at)
    return replace(document, dialect=dialect, entries=entries)


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

    A service may make ``v=1`` of ``v=1; p=2``. For example, a set holds ``x``, and ``v=1; p=2`` is to be added:

    1. It is sent without quotes, so ``x`` and the text are *sent*. The snapshot shows ``x`` and ``v=1``.
    2. ``learn`` keeps that ``v=1`` was made of the text, which is sent in quotes from now on. ``x`` and ``v=1``
       are *sent*, so the snapshot is not stale.
    3. ``find`` plans from ``x`` and the text, so the task has nothing more to do. What is shown differs from
       that, so it finds a step from ``x`` and ``v=1`` to ``x`` and the text. If this is refused, ``x`` alone
       comes back.
    4. ``SetAtWork.begin`` puts ``x`` and ``v=1`` in the past, so a snapshot that shows ``v=1`` after the DELETE
       is stale.
    5. ``x`` is sent again, and the text in quotes. The snapshot shows both, and the set is done.

    So what was made of the text is treated like this:

    ===================================  ==================================================
    in                                   ``v=1`` counts as
    ===================================  ==================================================
    what was *sent* (``as_stored``)      itself: the set has it, and nobody else has added it
    what is *held* (``_overlay``)        the text: plans see that
    the *past* (``SetAtWork.begin``)     itself: a stale snapshot may show it
    what is *desired* (``_end_log``,     nothing: nobody has asked for it
    ``_former``)
    ===================================  ==================================================

    Thread-safe, since each owner name belongs to one thread.
    """

    def __init__(self, client: Client, log: ZoneLog, snapshot: Snapshot, job: Job):
        self.client = client
        self.log = log
        self.latest = snapshot
        self.text = TextForm(job.txt_format, log.dialect, snapshot.record_sets)
        self.deletions = job.deletions
        self._said = job.said
        self._mutex = machine().lock()

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

    def learn(self, snapshot: Snapshot, entries: Log) -> None:
        """Learn what a snapshot tells of the service, and send altered texts in the other form.

        *entries*: of the sets to learn from. In the middle of a round, others are at work on theirs.
        """
        with self._mutex:
            before = Document(entries, dialect=self.log.dialect)
            after = known_after(before, snapshot, self.log.now())
            dialect = after.dialect
            if self.text.turns_from(news_of_forms(before.dialect, dialect)):
                dialect = replace(dialect, form=self.text.form)
            self.log.dialect = dialect
        self.log.entries.update(after.entries)
