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
from .._dns.record_set import Key, RecordSet, minus
from .._log.entry import Entry
from .._log.log import Log, desired_by
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
            one = Comparison(there, sent, entry.proves_nothing(now), proves_ttl)
            comparisons.append(one)
    return dialect.learnt(comparisons)


def _texts_sent(entry: Entry) -> RecordSet | None:
    """What was sent of a set: all that is desired if it was deleted first, else what is new."""
    if entry.desired is None or entry.deletes:
        return entry.desired
    return replace(entry.desired, values=minus(entry.desired, entry.before))


class Zone:
    """What the sets of a run share. *latest* is the last snapshot.

    A snapshot is read in our words, for what is asked of it:

    * ``shown``: as it is, altered texts too. Plans and results start from there.
    * ``as_sent``: as it was sent, to tell what the requests have done, and whether it is stale.

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
        self._known = log.dialect
        """As the round began."""

    def begin_round(self) -> None:
        """What the service makes of what is sent from now on is news."""
        self._known = self.log.dialect

    def read(self) -> Snapshot:
        """Raises ServiceError."""
        snapshot = self.client.read_again(self.latest)
        if snapshot.read_at >= self.latest.read_at:
            self.latest = snapshot
        return snapshot

    def shown(self, snapshot: Snapshot) -> ReadSets:
        """The sets of a snapshot, in our words."""
        return self.log.dialect.read(snapshot.record_sets, snapshot.name, self._said)

    def as_sent(self, snapshot: Snapshot, keys: Iterable[Key] = ()) -> ReadSets:
        """The sets of a snapshot, with all that is shown otherwise than it was sent as sent.

        With *keys*, only these need to be. What the service made of texts in this round counts as
        the texts. What it made of them before stands for itself. TTLs are as they are: one that the
        service keeps is settled in the entry (``Entry.with_ttl_kept``).
        """
        entries = self._entries(keys)
        dialect = dialect_after(self.log.dialect, entries, snapshot, self.log.now())
        texts = stand_ins(self._known, dialect, desired_by(entries))
        read = dialect.read(snapshot.record_sets, snapshot.name, self._said)
        return read.with_values(texts)

    def learn(self, snapshot: Snapshot, keys: Iterable[Key] = ()) -> None:
        """Learn what a snapshot tells of the service, and send altered texts in the other form.

        With *keys*, from these sets alone: in the middle of a round, others are at work on theirs.
        """
        known = self.log.dialect
        entries = self._entries(keys)
        dialect = dialect_after(known, entries, snapshot, self.log.now())
        forms = news_of_forms(known, dialect)
        if self.text.turns_from(forms):
            dialect = replace(dialect, form=self.text.form)
        self.log.dialect = dialect
        for key, pair in dialect.ttls.items():
            if key in entries and known.ttls.get(key) != pair:
                self.log.entries[key] = entries[key].with_ttl_kept()

    def _entries(self, keys: Iterable[Key]) -> Log:
        """The log, or the entries of *keys* alone."""
        entries = self.log.entries
        return {key: entries[key] for key in keys} or entries
