# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The changes of one owner name: in order, one call at a time, and back again where the service refuses a value.

The owner name is the unit of work: within one, deletes come before creates, and concurrent writers to one set can lose
values in the service.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple, Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, same_set, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among, with_preferences
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import TRANSIENT, ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import AddedMeanwhile, ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import may_tear, tearing
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.external import values_of_others
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import Failure
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import before_with_others, with_others


class Stopped(Exception):
    """The work on a name has ended early."""

    def __init__(self, failure: Failure):
        super().__init__()
        self.failure = failure


class Keep(Protocol):
    """Replaces an entry of the journal, where that *is_new* or the one that is there is old. Raises StateError."""

    def __call__(self, entry: Entry, *, is_new: bool = True) -> None: ...


class Ahead(NamedTuple):
    """What is kept before a request: *keep* before a DELETE, *note* before a value is added. Both raise StateError."""

    keep: Keep
    note: Callable[[], None]


class Unit:
    """The changes of one owner name on their way.

    *entries* are those of the journal for the name, and *ahead* keeps what is about to be done; *histories* tell what
    its sets hold meanwhile, and *lacking* what of others a reading lacks of a set and an earlier one has shown.
    """

    def __init__(
        self,
        writer: ZoneWriter,
        changes: list[Change],
        entries: Iterable[Entry],
        histories: Histories,
        ahead: Ahead,
        lacking: Callable[[LiveZone, Key], Sequence[str]] = lambda _live, _key: (),
    ):
        self._writer = writer
        self._lacking = lacking
        self._changes = changes
        self._is_torn = False
        self._is_spent = False  # whether the patience for what is gone is: a further value has that of any other
        self._entries = {entry.key: entry for entry in entries}
        self._histories = histories
        self._keep, self._note = ahead
        # A later round may delete what the first one only added to.
        self._deleted = {entry.key for entry in self._entries.values() if entry.deletes}
        self._deleted |= {change.key for change in changes if change.deletes}
        self._keys = {*self._entries, *(change.key for change in changes)}

    def carry_out(self) -> None:
        """Delete, then create; put back what was there where the service refuses a value. Raises Stopped."""
        # Under one place of the limiter, so that between the two nobody is waited for.
        with self._writer.limiter.entered(), tearing(self._not_whole):
            try:
                for change in self._changes:
                    if change.deletes:
                        self._delete(change.key)
                for change in self._changes:
                    for value in change.creates:
                        self._create(change.key, change.after.ttl if change.after else 0, value)
            except Stopped as stopped:
                failure = self._rolled_back(stopped.failure)
                written = (one.key for one in self._changes if not same_set(self._expected(one.key), one.before))
                raise Stopped(replace(failure, written=tuple(written))) from None

    def _not_whole(self) -> list[str]:
        """The sets of the name that are yet to be created, once one of them is deleted or about to be."""
        ends = {change.key: change.after for change in self._changes if change.after} if self._is_torn else {}
        return [" ".join(key) for key, after in ends.items() if not same_set(self._expected(key), after)]

    def _expected(self, key: Key) -> RecordSet | None:
        """What a set holds as far as the answers tell."""
        return self._histories.expected(key)

    def _rolled_back(self, failure: Failure) -> Failure:
        """Put back the sets of the name that were deleted, as the journal says they were before the first round.

        Only a refusal of the value says that trying on is of no use. After any other answer, a name at which nothing
        is left gets what it had; all else is the next run's to complete, because a set that is half built is better
        than none. Where no answer comes at all, nothing can be put back.
        """
        lost: dict[Key, RecordSet] = {}
        for key, entry in self._entries.items():
            before = before_with_others(entry, self._expected(key)) if key in self._deleted else None
            if before and not same_set(self._expected(key), before):
                lost[key] = _as_task_has_it(before, entry)
        is_worth_it = failure.error.refuses_the_value or not any(map(self._expected, self._keys))
        if not lost or failure.error.status_code is None or not is_worth_it:
            return failure
        self._is_spent = failure.error.status_code in TRANSIENT
        try:
            if not self._clear_the_way(lost):
                return failure
            for key, before in lost.items():
                self._put_back(key, before)
        except Stopped as stopped:
            return replace(failure, not_back=stopped.failure.error)
        except (ServiceError, StateError) as error:
            return replace(failure, not_back=error)
        return replace(failure, rolled_back=True)

    def _clear_the_way(self, lost: dict[Key, RecordSet]) -> bool:
        """Delete the sets that are new, where a CNAME keeps them from being beside what comes back.

        Whether the way is clear: what others have added to one of them is not deleted, nor what they may have added. In
        the way of a CNAME it could not come back. Raises Stopped, ServiceError.
        """
        new = [key for key, entry in self._entries.items() if entry.before is None and self._expected(key)]
        if new and any(key.type == "CNAME" for key in (*lost, *new)):
            live = self._read_for(new)
            if any(self._others_in(key, live) or self._refused_in(key, live) for key in new):
                return False
            for key in new:
                self._delete(key)
        return True

    def _put_back(self, key: Key, before: RecordSet) -> None:
        """Add what is missing, as far as the service takes it; once all of it is there, take out what was not.

        Raises Stopped, ServiceError, StateError.
        """
        there = self._expected(key)
        missing = [value for value in before.values if not is_among(key.type, value, values_of(there))]
        self._create_all(key, there.ttl if there else before.ttl, missing)
        if same_set(self._expected(key), before):
            return
        was = frozenset(before.values)
        others = (value for value in self._others(key) if not is_among(key.type, value, was))
        before = replace(before, values=(*before.values, *others))
        if not same_set(self._expected(key), before):
            self._keep_others(key, before)
            self._delete(key)
            self._create_all(key, before.ttl, before.values)

    def _create_all(self, key: Key, ttl: int, values: Iterable[str]) -> None:
        """Add values, also those behind one that the service refuses. Raises Stopped."""
        refused = None
        for value in values:
            try:
                self._create(key, ttl, value)
            except Stopped as stopped:
                refused = stopped
                if not stopped.failure.error.refuses_the_value:
                    break
        if refused:
            raise refused

    def _others(self, key: Key) -> list[str]:
        """What somebody else has added to a set, or may have. Raises ServiceError where no reading can tell."""
        live = self._read_for([key])
        return [*self._others_in(key, live), *self._refused_as_there(key, live)]

    def _refused_as_there(self, key: Key, live: LiveZone) -> list[str]:
        """What was not taken because it was there, and is: others have added it, unless we may have had no answer."""
        there, ours = values_of(live_set_of(live, key)), self._histories.unanswered_values(key)
        refused = frozenset(self._writer.refused.get(key, ())).difference(ours)
        return [value for value in there if is_among(key.type, value, refused)]

    def _read_for(self, keys: Collection[Key]) -> LiveZone:
        """A reading that is not from before, and lacks nothing that an earlier one has shown. Raises ServiceError."""

        def tells(live: LiveZone) -> bool:
            is_outdated = any(self._histories.is_outdated(key, live_set_of(live, key)) for key in keys)
            return not (is_outdated or any(self._lacking(live, key) for key in keys))

        return read_until(self._writer.read, tells)

    def _others_in(self, key: Key, live: LiveZone) -> list[str]:
        """What a reading shows of others in a set, or lacks because it is older, as far as the journal knows it."""
        entry = self._entries.get(key)
        if not entry:
            return []
        live_set, ours = live_set_of(live, key), (entry.before, entry.after, self._expected(key))
        shown = replace(live_set or RecordSet(*key, 0, ()), values=(*values_of(live_set), *self._lacking(live, key)))
        return [*values_of_others(shown, *ours)]

    def _refused_in(self, key: Key, live: LiveZone) -> bool:
        """Whether a reading shows what the service refused to add: somebody else may have added it just before."""
        refused = self._histories.refused_values(key)
        return any(is_among(key.type, value, refused) for value in values_of(live_set_of(live, key)))

    def _keep_others(self, key: Key, before: RecordSet) -> None:
        """Journal what others have added to a set, which is to be put back as it was *before*. Raises StateError."""
        entry = self._entries[key]
        known = {value for side in (entry.before, entry.after) for value in values_of(side)}
        if others := [value for value in before.values if value not in known]:
            self._entries[key] = with_others(entry, before, others)
            self._keep(self._entries[key])

    def _about_to_delete(self, key: Key) -> None:
        """Journal that a set is about to be deleted, after all that was done to it. Raises ServiceError."""
        if not may_tear():
            raise ServiceError("the run was interrupted")
        entry, announced = self._entries.get(key), self._histories.about_to_delete(key)
        if entry:
            more = self._with_what_it_wants_too(entry)
            is_new = more is not entry or not entry.known.is_same_but_refusals(announced)
            self._entries[key] = entry = replace(more, history=announced) if is_new else entry
            try:
                self._keep(entry, is_new=is_new)
            except StateError as error:
                raise ServiceError(str(error)) from error

    def _with_what_it_wants_too(self, entry: Entry) -> Entry:
        """The entry, and as a part of what was there before what others have added that the task wants too."""
        key, was = entry.key, entry.before
        added = values_of_others(live_set_of(self._writer.latest, key), was, self._expected(key))
        new = [value for value in added if is_among(key.type, value, values_of(entry.after))]
        new = [value for value in new if not self._histories.has(key, value)]
        return replace(entry, before=replace(was, values=(*was.values, *new))) if was and new else entry

    def _delete(self, key: Key) -> None:
        self._is_torn = True
        try:
            self._writer.delete_set(key, partial(self._others_in, key), partial(self._about_to_delete, key))
        except ServiceError as error:
            if isinstance(error, AddedMeanwhile):  # the DELETE that was sent may yet take it
                self._keep_added(key, error.values)
            raise Stopped(Failure(key, f"delete {' '.join(key)}", error)) from error

    def _keep_added(self, key: Key, values: Sequence[str]) -> None:
        """Journal what others have just added to a set; where that cannot be, the end of the run tells why."""
        entry = self._entries.get(key)
        before = entry and (entry.before or (entry.after and replace(entry.after, values=())))
        if before:
            with suppress(StateError):
                self._keep_others(key, replace(before, values=(*before.values, *values)))

    def _create(self, key: Key, ttl: int, value: str) -> None:
        is_urgent = bool(self._deleted) and not self._is_spent
        try:
            about_to = partial(self._about_to_add, is_urgent=is_urgent)
            self._writer.add_value(key, ttl, value, is_urgent=is_urgent, about_to=about_to)
        except ServiceError as error:
            raise Stopped(Failure(key, f"add {printable(value)} to {' '.join(key)}", error)) from error

    def _about_to_add(self, *, is_urgent: bool) -> None:
        """Note what is about to be added; what is urgent is in the journal. Raises ServiceError."""
        try:
            if not is_urgent:
                self._note()
        except StateError as error:
            raise ServiceError(str(error)) from error


def _as_task_has_it(before: RecordSet, entry: Entry) -> RecordSet:
    """The set as it was, with the preferences of mail hosts that the task tells and the service does not show."""
    told = values_of(entry.after)
    return replace(before, values=with_preferences(before.type, before.values, told))
