# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One record set while a run writes it: its two requests, and its entry in the log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from .._api.answers import ServiceError
from .._api.client import Snapshot
from .._api.retries import LOOK_LASTS, LookFirst, Write
from .._api.stale_snapshots import READ_BACKOFF, READ_ONCE, SHORT_BACKOFF, read_until
from .._dns.dialect import host_alone
from .._dns.names import relative_name
from .._dns.printable import printable_part
from .._dns.rdata import InvalidRdata
from .._dns.record_set import Key, RecordSet, minus, plus, same_set, values_of
from .._dns.sending import sending_form
from .._log.entry import STALE, Entry, begun
from .._machine import machine
from .outcome import Step
from .zone import Zone

NOT_FOUND = frozenset({404, 410})


class Told(Enum):
    """What is known of a DELETE."""

    NOTHING = "it is under way, or was refused"
    CONFIRMED = "the service answered that it did it"
    SEEN = "it was refused, and a snapshot showed the set gone"
    UNCLEAR = "the service answered, and did not say that it did it"
    UNANSWERED = "a try had no answer, so it may still take effect"


@dataclass
class Deletion:
    """The last DELETE of a set in this run: the set *before*, when, and what is *told* of it."""

    before: RecordSet | None
    told: Told = Told.NOTHING
    sent_at: float = field(default_factory=lambda: machine().monotonic())


class StillThere(ServiceError):
    """A DELETE was answered, and no snapshot shows that it was carried out."""

    def __init__(self) -> None:
        super().__init__("the service answered that it deleted the set, but still shows it")


class SetAtWork:
    """A set that a run writes. It belongs to one thread.

    * *first*: the step of the first round. *step*: that of this round.
    * *sent*: the set, if every answer is true.
    * *has_begun*: whether a request was sent in this round.
    * *deletion*: the last one in this run, or None.
    * *must_be_seen_gone*: a DELETE was answered, and no snapshot showed that in 16 s. The next
      one must be seen, and the first may still come.
    * *added*: the values that this run has added.
    """

    def __init__(self, zone: Zone, step: Step):
        self.first = self.step = step
        self.sent = step.change.before
        self.has_begun = False
        self.deletion: Deletion | None = None
        self.must_be_seen_gone = False
        self.added: set[str] = set()
        self._zone = zone

    @property
    def key(self) -> Key:
        return self.step.key

    @property
    def deleted(self) -> tuple[str, ...]:
        """The values that it held when this run last sent a DELETE."""
        return values_of(self.deletion.before) if self.deletion else ()

    @property
    def is_made_again(self) -> bool:
        """Whether it was deleted, by this run or an earlier one, and its values are added."""
        is_left_to_add = self.entry.deletes and not self.step.change.deletes
        return self.deletion is not None or is_left_to_add

    @property
    def is_changed(self) -> bool:
        """Whether it was changed, as far as answers tell."""
        return not same_set(self.sent, self.first.change.before)

    # The log.

    @property
    def entry(self) -> Entry:
        return self._zone.log.entries[self.key]

    def log(self, entry: Entry) -> None:
        """Replace its entry."""
        self._zone.log.entries[self.key] = entry

    def begin(self, step: Step, *, deletes: bool) -> None:
        """Begin a round: log the step before anything is sent.

        *deletes*: a DELETE belongs to it, of this set or of another one at its name.
        """
        self.step = step
        self.sent = step.change.before
        self.has_begun = False
        log = self._zone.log
        entry = begun(
            log.entries.get(self.key),
            step.held,
            step.desired,
            log.now(),
            deletes=deletes,
            is_deleted=step.change.deletes,
        )
        self.log(entry)

    def _log_write(self, *, is_pending: bool = False) -> None:
        now = self._zone.log.now()
        entry = self.entry.sent(now)
        self.log(entry.unanswered(now) if is_pending else entry)

    def log_putting_back(self, former: RecordSet | None, snapshot: Snapshot) -> None:
        """Desire the former set. A DELETE that a snapshot does not show may still come."""
        is_pending = self.is_still_there(snapshot)
        now = self._zone.log.now()
        entry = self.entry.putting_back(former, now)
        self.log(entry.unanswered(now) if is_pending else entry)
        if is_pending and self.deletion:
            self.deletion.told = Told.UNANSWERED

    def log_deleting_again(self) -> None:
        """What is there now is to go, so that the former set can be made again."""
        self.log(self.entry.deleting_again(self.sent))

    def log_refusal(self) -> None:
        """Nothing is missing, so desire what was there and is there now."""
        self.log(self.entry.refused(self.step.held, self.sent))

    def keep_others(self, shown: RecordSet | None) -> None:
        """Keep what others have added to a set of which the DELETE does not show yet.

        It may go with the DELETE.
        """
        if shown and self.deletion and self.entry.is_still_there(shown):
            added = minus(shown, self.entry.desired)
            others = [value for value in added if value not in self.entry.removed]
            self.log(self.entry.keeping_too(others, shown))

    # Reading.

    def shown(self, snapshot: Snapshot, sent: RecordSet | None) -> RecordSet | None:
        """The set in a snapshot, where what was *sent* may be shown in other words."""
        return self._zone.shown_set(snapshot, self.key, sent, self.entry)

    def is_still_there(self, snapshot: Snapshot) -> bool:
        """Whether a DELETE of this run was sent, and a snapshot shows what was there before it."""
        if self.deletion is None or self.entry.before is None:
            return False
        return self.entry.is_still_there(self.shown(snapshot, self.sent))

    # DELETE.

    def delete(self) -> None:
        """Delete the set. Raises ServiceError, also if others have added to it."""
        told = self._send_delete()
        may_come = told in (Told.UNCLEAR, Told.UNANSWERED)
        self._log_write(is_pending=may_come)
        if may_come or self.must_be_seen_gone:
            if not self._becomes_gone(READ_BACKOFF):
                self._log_write(is_pending=True)
                raise StillThere
            self.log(self.entry.seen_gone())
        elif told is Told.SEEN:
            self.log(self.entry.seen_gone())
        self._log_write()
        self.sent = None

    def _send_delete(self) -> Told:
        """What is known of the DELETE then. Raises ServiceError."""
        zone = self._zone
        deletion = Deletion(self.sent)
        has_looked = False

        def before_each_try() -> None:
            nonlocal has_looked
            zone.deletions.check(self.key.name)
            if zone.latest.age > LOOK_LASTS and not has_looked:
                has_looked = True
                raise LookFirst
            zone.log.check_held()
            self.has_begun = True
            deletion.sent_at = machine().monotonic()
            self.deletion = deletion

        def on_pending() -> None:
            deletion.told = Told.UNANSWERED
            self._log_write(is_pending=True)

        write = Write(self._is_gone, before_each_try, on_pending)
        rdtype = zone.latest.shown_type(self.key)
        told = Told.SEEN
        try:
            is_confirmed = zone.client.delete_record_set(
                zone.latest.slug, self.key.name, rdtype, write
            )
            told = Told.CONFIRMED if is_confirmed else Told.UNCLEAR
        except ServiceError as error:
            if not self._is_gone_all_the_same(error):
                raise
        if deletion.told is Told.NOTHING:
            deletion.told = told
        return deletion.told

    def see_gone(self) -> None:
        """A value is refused since the deleted set is still there: wait, and delete it once more.

        Raises ServiceError.
        """
        zone = self._zone
        snapshot = zone.latest
        if self.deletion and machine().monotonic() < self.deletion.sent_at + STALE:
            snapshot = read_until(zone.read, lambda snapshot: not self.is_still_there(snapshot))
        shown = self.shown(snapshot, self.sent)
        if self.is_still_there(snapshot):
            self.must_be_seen_gone = True
            self._log_write(is_pending=True)
            ours = (*self.deleted, *values_of(self.sent))
            self._refuse_others(shown, ours)
            self.sent = shown
            self.delete()
            return
        self.sent = shown
        if shown is None:
            self.log(self.entry.seen_gone())

    def _is_gone_all_the_same(self, error: ServiceError) -> bool:
        """Whether the set is gone although its DELETE was refused."""
        if not error.refuses_the_value:
            return False
        may_be_gone = error.may_have_happened or error.status_code in NOT_FOUND
        return self._becomes_gone(READ_BACKOFF if may_be_gone else SHORT_BACKOFF)

    def _becomes_gone(self, waits: Sequence[float]) -> bool:
        return read_until(self._is_gone, bool, waits)

    def _is_gone(self) -> bool:
        """Raises ServiceError if others have added to the set: a DELETE would lose that."""
        shown = self.shown(self._zone.read(), self.sent)
        self._refuse_others(shown, values_of(self.sent))
        return shown is None

    def _refuse_others(self, shown: RecordSet | None, ours: Collection[str]) -> None:
        """Raises ServiceError if a set that is to go shows values that are not *ours*."""
        others = [value for value in values_of(shown) if value not in ours]
        if shown and others:
            self.log(self.entry.keeping_too(others, shown))
            added = printable_part(", ".join(others))
            raise ServiceError(
                f"others have added {added} to it in the meantime, which would be lost: run the "
                "task again"
            )

    # POST.

    def add(self, value: str, ttl: int, *, is_urgent: bool) -> None:
        """Add a value. *is_urgent* while a deleted set is incomplete. Raises ServiceError."""
        try:
            self._post_in_some_form(value, ttl, is_urgent=is_urgent)
        except InvalidRdata as error:  # shown by the service, but not sendable
            raise ServiceError(str(error), is_refusal=True) from error
        self._log_write()
        self.added.add(value)
        self.sent = plus(self.sent, [value], RecordSet(*self.key, ttl, ()))

    def _post_in_some_form(self, value: str, ttl: int, *, is_urgent: bool) -> None:
        """Add a value; a text that is refused without quotes is tried with them."""
        text = self._zone.text
        form = text.form
        try:
            self._post(value, ttl, form, is_urgent=is_urgent)
        except ServiceError as error:
            if not error.refuses_the_value:
                raise
            if self._is_there_all_the_same(error, value):
                return
            is_in_the_way = value in self.deleted and self.is_still_there(self._zone.latest)
            if is_in_the_way or not text.may_be_quotes(self.key, form):
                raise
            self._post(value, ttl, "quoted", is_urgent=is_urgent)
            text.quotes_helped()

    def _post(self, value: str, ttl: int, form: str, *, is_urgent: bool) -> None:
        zone = self._zone
        content, priority = sending_form(self.key.type, value, quoted=form == "quoted")
        name = relative_name(self.key.name, zone.latest.name)
        body: dict[str, Any] = {
            "name": name,
            "type": self.key.type,
            "content": content,
            "ttl": ttl,
        }
        if priority is not None:
            body["priority"] = priority
        sent_at = 0.0

        def before_each_try() -> None:
            nonlocal sent_at
            if not is_urgent:
                zone.log.check_held()
            self.has_begun = True
            sent_at = machine().monotonic()
            self._log_write()

        def on_pending() -> None:
            self._log_write(is_pending=True)

        def on_failure() -> None:
            if self.is_made_again:
                zone.deletions.addition_fails(self.key.name, str(self.key))

        def is_there() -> bool:
            is_long_ago = machine().monotonic() - sent_at > 2
            return self._becomes_visible(value, READ_ONCE if is_long_ago else SHORT_BACKOFF)

        write = Write(is_there, before_each_try, on_pending, is_urgent, on_failure)
        zone.client.create_value(zone.latest.slug, body, write)

    def _is_there_all_the_same(self, error: ServiceError, value: str) -> bool:
        """Whether a value is there although it was refused.

        It may be from others, or from a request without an answer.
        """
        waits: Sequence[float] = READ_ONCE
        if error.may_have_happened or value in self.added or value in self.deleted:
            waits = READ_BACKOFF
        elif error.status_code in NOT_FOUND:
            waits = SHORT_BACKOFF
        try:
            return self._becomes_visible(value, waits)
        except ServiceError:
            return False

    def _becomes_visible(self, value: str, waits: Sequence[float]) -> bool:
        """Whether a snapshot shows the value, and was taken after the DELETE."""
        sent = plus(self.sent, [value], RecordSet(*self.key, 0, ()))

        def is_visible(snapshot: Snapshot) -> bool:
            shown = self.shown(snapshot, sent)
            if shown is None or value not in shown.values:
                return False
            return not self.entry.is_contradicted(shown)

        return is_visible(read_until(self._zone.read, is_visible, waits))

    def sendable(self, value: str) -> str:
        """The value itself; of a mail host alone, the host with the preference 0.

        A wrong preference is better than no host.
        """
        if not host_alone(self.key.type, value):
            return value
        guess = f"0 {value}"
        self._zone.guessed.append(f"{self.key} has {value}")
        self.log(self.entry.renamed(value, guess))
        return guess
