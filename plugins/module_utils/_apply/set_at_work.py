# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One record set while a run writes it: what is known of it, and its entry in the log."""

from __future__ import annotations

from dataclasses import replace

from .._api.client import Snapshot
from .._dns.record_set import Key, RecordSet, minus, same_set, union
from .._log.entry import Entry, begun
from .deletions import OwnerName
from .outcome import Step
from .zone import Zone


class SetAtWork:
    """A set that a run writes. It belongs to one thread.

    Of the run:

    * *first*: the step of its first round.
    * *has_sent*: whether a request was sent, for it or for a set that is made together with it.
    * *has_sent_delete*: whether a DELETE was, and *lacks_answer* whether one had no answer.

    Of the round:

    * *before_round*: the set as it was held then, so it may have values that the zone lacks.
    * *change*: what is being made: what the round is to make, or former values that come back.

    The same set, from the past to what is to be:

    ======================  =================================================================
    ``before_run``          as it was held before this run: what comes back if a value is refused
    ``before_round``        the same before this round, with what others had added by then
    ``change.before``       as it was shown, or sent, when the *change* began: requests start there
    ``sent``                now, as far as answers tell; saved with the entry
    ``change.after``        as it is being made
    ``entry.desired``       as the log is to have it
    ``entry.past``          all that snapshots may still show of earlier moments
    ======================  =================================================================
    """

    def __init__(self, zone: Zone, step: Step):
        self.zone = zone
        self.first = step
        self.before_round = step.former
        self.change = step.change
        self.has_sent = False
        self.has_sent_delete = False
        self.lacks_answer = False

    @property
    def key(self) -> Key:
        return self.change.key

    @property
    def before_run(self) -> RecordSet | None:
        return self.first.former

    @property
    def at(self) -> OwnerName:
        """Its owner name, in this zone: a name may be in the zone above, too."""
        return self.zone.latest.name, self.key.name

    @property
    def sent(self) -> RecordSet | None:
        """The set now, if all answers are true."""
        return self.entry.sent

    @property
    def lacks_former_values(self) -> bool:
        """Whether this run has deleted the set, and not all its values are there again, as far as answers tell.

        Values that are to go count, too. In a later round, so do those that an earlier one has added, which the
        log desires until the set is done.
        """
        return self.has_sent_delete and bool(minus(self.before_round, self.sent))

    @property
    def is_changed(self) -> bool:
        """Whether it was changed, as far as answers tell."""
        entry = self.zone.log.entries.get(self.key)
        is_as_before = entry and same_set(entry.sent, self.first.change.before)
        return self.has_sent and not is_as_before  # without an entry, it is as desired

    # What is made.

    def begin(self, step: Step, *, has_delete: bool) -> None:
        """Begin a round: log the step before anything is sent.

        *has_delete*: a DELETE belongs to it, of this set or of another one at its name.
        """
        self.before_round = step.former
        self.change = step.change
        there, after = step.change.before, step.change.after
        known = self.zone.log.entries.get(self.key)
        now = self.zone.log.now()
        if known and known.is_unfinished and not step.change.deletes:
            self.log(known.continued(there, after, now))
            return
        # What the service made of a text is there, though not held.
        was_there = union(step.former, there)
        entry = begun(known, was_there, after, now, has_delete)
        self.log(entry.written(there, now))

    def lead_to(self, after: RecordSet | None) -> None:
        """Something else is to be made in this round, of what was sent so far."""
        if same_set(self.sent, after):
            after = self.sent  # its values may have several TTLs, which stay
        self.change = replace(self.change, before=self.sent, after=after)

    # The log.

    @property
    def entry(self) -> Entry:
        return self.zone.log.entries[self.key]

    def log(self, entry: Entry) -> None:
        self.zone.log.entries[self.key] = entry

    def log_sent(self, sent: RecordSet | None) -> None:
        """Log what the set is now, as answers tell, or a snapshot that is believed."""
        self.log(self.entry.written(sent, self.zone.log.now()))

    def compare(self, shown: RecordSet | None) -> None:
        """Log what a snapshot shows: it proves what a DELETE has done."""
        self.log(self.entry.compared(shown, self.zone.log.now()))

    # Reading.

    def take_in(self, snapshot: Snapshot) -> RecordSet | None:
        """The set in a snapshot, in our words.

        First, it is learnt what the service has made of what was *sent*: the rest is others'. Then, if a
        DELETE may take what they have added, that is logged. A stale snapshot may show it, too.
        """
        self.zone.learn(snapshot, {self.key: self.entry})
        shown = self.zone.shown(snapshot).get(self.key)
        self.log(self.entry.with_others_kept(shown))
        return shown

    def read(self) -> RecordSet | None:
        """Read the zone, and take the snapshot in. Raises ServiceError."""
        return self.take_in(self.zone.read())
