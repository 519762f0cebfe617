# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Adding a value and deleting a set, in the forms that the service takes (spec 2.5, 4).

An unclear answer counts as none: the zone is read instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from .._api.answers import ServiceError
from .._api.client import Client, Snapshot
from .._api.retries import LOOK_LASTS, LookFirst, Write
from .._api.stale_snapshots import READ_BACKOFF, READ_ONCE, SHORT_BACKOFF, read_until
from .._dns.names import relative_name
from .._dns.printable import printable, printable_part
from .._dns.rdata import InvalidRdata, is_among, lacks_preference
from .._dns.record_set import Key, RecordSet, values_of
from .._dns.sending import sending_form
from .._log.entry import joined, minus
from .._machine import machine
from .._plan.change import Change, PlanRefused
from .._telling import may_tear
from .look import with_spelling
from .outcome import Step, shown_set
from .text_form import TextForm
from .zone_log import ZoneLog

NOT_FOUND = frozenset({404, 410})
NOT_SEEN_TO_GO = "the service answered that it deleted the set, but still shows it"


class Requests:
    """Thread-safe."""

    def __init__(self, client: Client, snapshot: Snapshot, log: ZoneLog, text: TextForm):
        self.client = client
        self.latest = snapshot
        self.text = text
        self._log = log
        self.expected: dict[Key, RecordSet | None] = {}
        """As the answers tell; at first as shown."""
        self.deleted: dict[Key, RecordSet | None] = {}
        """As they were before."""
        self.sent: set[tuple[Key, str]] = set()
        self.guessed: list[str] = []

    def begin(self, steps: Iterable[Step]) -> None:
        self.expected.update({step.key: step.change.before for step in steps})

    def read(self) -> Snapshot:
        """Raises ServiceError."""
        snapshot = with_spelling(self.client.read_again(self.latest), self._log.document.respelled)
        self.latest = max(snapshot, self.latest, key=lambda one: one.read_at)
        return snapshot

    def shown(self, snapshot: Snapshot, key: Key) -> RecordSet | None:
        return shown_set(snapshot, key, self._log.preferences)

    def delete(self, key: Key) -> None:
        """Delete a set and see it gone. Raises ServiceError, also if others have added to it."""
        is_certain, has_looked = True, False

        def before_each_try() -> None:
            nonlocal has_looked
            if not may_tear():
                raise ServiceError("the run was interrupted")
            if self.latest.age > LOOK_LASTS and not has_looked:
                has_looked = True
                raise LookFirst
            self._log.check_held()
            self.deleted[key] = self.expected[key]

        def on_pending() -> None:
            nonlocal is_certain
            is_certain = False
            self._log.unanswered.add(key)
            self._log.writes(key, is_pending=True)

        write = Write(lambda: self._is_gone(key, self.read()), before_each_try, on_pending)
        try:
            is_confirmed = self.client.delete_record_set(
                self.latest.slug, key.name, self.latest.shown_type(key), write
            )
        except ServiceError as error:
            may_be_gone = error.may_have_happened or error.status_code in NOT_FOUND
            waits = READ_BACKOFF if may_be_gone else SHORT_BACKOFF
            if not (error.refuses_the_value and self._becomes_gone(key, waits)):
                raise
        else:
            if not is_confirmed and not self._becomes_gone(key, READ_BACKOFF):
                self._log.deleted(key, is_certain=False)
                raise ServiceError(NOT_SEEN_TO_GO)
            is_certain = is_certain and is_confirmed
        self._log.deleted(key, is_certain=is_certain)
        self.expected[key] = None

    def _is_gone(self, key: Key, snapshot: Snapshot) -> bool:
        shown = self.shown(snapshot, key)
        if others := minus(shown, self.expected[key]):
            if shown:
                self._log.desire_too(key, others, shown)
            added = printable_part(", ".join(others))
            raise ServiceError(
                f"others have added {added} to it in the meantime, which would be lost: run the task again"
            )
        return shown is None

    def _becomes_gone(self, key: Key, waits: Sequence[float]) -> bool:
        return self._is_gone(key, read_until(self.read, partial(self._is_gone, key), waits))

    def add(self, key: Key, ttl: int, value: str, *, is_urgent: bool = False) -> None:
        """*is_urgent* while a deleted set is incomplete. Raises ServiceError."""
        if lacks_preference(key.type, value):  # a wrong preference is better than no host
            value = f"0 {value}"
            self.guessed.append(f"{key} has {printable(value[2:])}")
        while True:
            quoted = self.text.quoted
            try:
                self._post(key, ttl, value, quoted=quoted, is_urgent=is_urgent)
            except InvalidRdata as error:  # shown by the service, but not sendable
                raise ServiceError(str(error), is_refusal=True) from error
            except ServiceError as error:
                if not (error.refuses_the_value and self._is_there_all_the_same(error, key, value)):
                    if self.text.learns_from(error, key, quoted):
                        continue
                    self.text.is_refused(quoted)
                    raise
            self.text.is_taken(quoted, key, value)
            self._log.added(key, value)
            self.sent.add((key, value))
            self.expected[key] = joined(self.expected[key], [value], RecordSet(*key, ttl, ()))
            return

    def _post(self, key: Key, ttl: int, value: str, *, quoted: bool, is_urgent: bool) -> None:
        content, priority = sending_form(key.type, value, quoted=quoted)
        name = relative_name(key.name, self.latest.name)
        body: dict[str, Any] = {"name": name, "type": key.type, "content": content, "ttl": ttl}
        if priority is not None:
            body["priority"] = priority

        sent_at = 0.0

        def before_each_try() -> None:
            if not is_urgent:
                self._log.check_held()
            nonlocal sent_at
            sent_at = machine().monotonic()
            self._log.writes(key)

        def is_there() -> bool:
            shows, is_long_ago = (
                partial(self._shows_added, key, value),
                machine().monotonic() - sent_at > 2,
            )
            return shows(read_until(self.read, shows, READ_ONCE if is_long_ago else SHORT_BACKOFF))

        on_pending = partial(self._log.writes, key, is_pending=True)
        self.client.create_value(
            self.latest.slug, body, Write(is_there, before_each_try, on_pending, is_urgent)
        )

    def _shows_added(self, key: Key, value: str, snapshot: Snapshot) -> bool:
        """Whether the snapshot shows the value, and was taken after the DELETE."""
        values, removed = values_of(self.shown(snapshot, key)), self._log.entries[key].removed
        return is_among(key.type, value, values) and not any(
            is_among(key.type, one, values) for one in removed
        )

    def _is_there_all_the_same(self, error: ServiceError, key: Key, value: str) -> bool:
        """Whether a refused value is present, from others or from an unanswered request."""
        is_known = (key, value) in self.sent or is_among(
            key.type, value, values_of(self.deleted.get(key))
        )
        is_known |= error.may_have_happened
        waits = (
            READ_BACKOFF
            if is_known
            else SHORT_BACKOFF
            if error.status_code in NOT_FOUND
            else READ_ONCE
        )
        shows = partial(self._shows_added, key, value)
        try:
            return shows(read_until(self.read, shows, waits))
        except ServiceError:
            return False


def refuse_unsendable(planned: Iterable[Change], text: TextForm) -> None:
    """Raises PlanRefused if a text, or a value of a set to rebuild, cannot be sent."""
    for change in planned:
        try:
            for value in change.creates if change.deletes else ():
                sending_form(change.key.type, value, quoted=text.quoted)
            text.check(change.key, change.creates)
        except InvalidRdata as error:
            what = "cannot be stored as desired"
            how = "leave the value out, or set txt_format to quoted if the service no longer does that"
            if change.deletes:
                what = "must be rebuilt, but a value that it holds cannot be created again"
                how = "remove the set, or give it other values with exclusive"
            raise PlanRefused(f"{change.key} {what}: {error}; {how}") from error
