# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writing to one zone: single values and whole sets, in the forms that the service takes (spec 2.5 and 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata, as_read
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among, lacks_preference
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import misread_texts, sending_form
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import Outcome
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import (
    ONE_READING,
    READ_BACKOFF,
    SHORT_BACKOFF,
    read_until,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.patience import LOOK_LASTS, LookFirst
from ansible_collections.zonesmith.dns.plugins.module_utils._service.text_form import TextForm


class Hold(Protocol):
    """Raises ServiceError where nothing more may be sent; what *is_urgent* may be where nobody can tell."""

    def __call__(self, *, is_urgent: bool) -> None: ...


class AddedMeanwhile(ServiceError):
    """Others have added these *values* to a set of which a DELETE is sent, or was: it would take them, and may yet."""

    def __init__(self, values: Sequence[str]):
        added = printable_part(", ".join(values))
        super().__init__(f"others have added {added} to it meanwhile, which would be lost: run the task again")
        self.values = tuple(values)


NOT_FOUND = frozenset({404, 410})
NOT_SEEN_TO_GO = "the service answered as if it had deleted the set, and does not show that it is gone"


class ZoneWriter:
    """The writing calls for the zone that *zone* is a reading of. Safe to use from several threads.

    *txt_format* is ``plain``, ``quoted`` or ``auto``, as modules take it; with ``auto``, *text_form* is what an earlier
    run found; where the zone shows no texts, *was_quoted* tells how they were sent. *histories* tell what this run and
    earlier ones wrote and readings may not show yet, and learn what is sent; *hold* tells whether it may be, and *warn*
    tells people what was sent otherwise than it had been. For so many seconds a reading *lasts* that a set is deleted
    after.
    """

    def __init__(
        self,
        client: Client,
        zone: LiveZone,
        histories: Histories,
        txt_format: str,
        text_form: str = "",
        hold: Hold = lambda **_: None,
        *,
        warn: Callable[[str], None] = lambda _warning: None,
        was_quoted: bool = False,
        lasts: float = LOOK_LASTS,
    ):
        self._warn = warn
        self._lasts = lasts
        self.limiter = client.limiter
        """Where a thread is while it writes what belongs together."""
        self._client = client
        self._zone = zone
        self.text = TextForm(txt_format, text_form, zone.record_sets, was_quoted=was_quoted)
        """In which form texts are sent, and what was found out about it."""
        self._histories = histories
        self._mutex = machine().lock()  # any thread may read, and learn of a set that another one writes to
        self._hold = hold
        self._is_doubtful = False  # whether a value counts as there although the reading may have been an old one
        self.refused: dict[Key, list[str]] = {}
        """The values of sets that were refused since these were deleted, because they were there."""
        self.deleted: set[Key] = set()
        """The sets of which a DELETE was sent, whatever came of it."""
        self.answered: dict[Key, list[str]] = {}
        """The values of sets whose addition was answered as taken since these were deleted."""
        self.seen_added: set[Key] = set()
        """The sets of which a value counts as added, until it is verified, though no answer says that it was."""
        self.seen_removed: dict[Key, int] = {}
        """The sets that count as deleted because a reading shows none, and how many DELETEs could come before that."""
        self.latest = zone
        """The last reading, whatever it was made for."""
        self.on_reading: Callable[[LiveZone], None] = self.see_others
        """Learns of each reading what others have added, whatever it is made for; from any thread."""

    def read(self) -> LiveZone:
        """The zone as it is shown now. Raises ServiceError."""
        zone = self._client.read_again(self._zone)
        self.latest = max(self.latest, zone, key=lambda one: one.read_at)
        self.on_reading(zone)
        return zone

    def see_others(self, zone: LiveZone, but: Set[Key] = frozenset()) -> None:
        """Expect what a reading shows of others in the sets that a DELETE may take yet, *but* in some."""
        with self._mutex:
            self._histories.see_others(zone.record_sets.keys() - but, lambda key: _live_set_of(key, zone))

    def begin(self, key: Key, live_set: RecordSet | None) -> None:
        """A set that is so is about to be written to: what a later reading shows of it may be from before."""
        with self._mutex:
            self._histories.believe(key, live_set)

    def read_until(self, is_enough: Callable[[LiveZone], bool]) -> LiveZone:
        """The zone once a reading is enough and no value doubtful, or after all patience. Raises ServiceError."""
        zone = read_until(self.read, lambda zone: not self._is_doubtful and is_enough(zone))
        self._is_doubtful = False
        self.seen_added.clear()
        return zone

    def check_sendable(self, key: Key, values: Sequence[str]) -> None:
        """Raise InvalidRdata for a value that the service shows and nobody could create again."""
        for value in values:
            sending_form(key.type, value, quoted=self.text.quoted)

    def add_value(
        self,
        key: Key,
        ttl: int,
        value: str,
        *,
        is_urgent: bool = False,
        may_be_there: bool = False,
        about_to: Callable[[], None] = lambda: None,
    ) -> None:
        """Add one canonical value to a set. Raises ServiceError, unless the zone shows the value all the same.

        It *is_urgent* in a set that is deleted and not whole again; it *may_be_there* where an interrupted run may have
        created it. *about_to* is called before each try, and raises where it must not be made.
        """
        if lacks_preference(key.type, value):
            # Only recovery and a roll-back add a host whose preference the service never told: a wrong one is better
            # than no host, and known from then on.
            guess = f"0 {value}"
            self.add_value(key, ttl, guess, is_urgent=is_urgent, may_be_there=may_be_there, about_to=about_to)
            self._warn(
                f"{' '.join(key)} has {printable(value)} with the preference 0 now, because the service never showed "
                "the one that it had: set it"
            )
            return
        while True:
            quoted = self.text.quoted
            try:
                self._post(
                    key, ttl, value, quoted=quoted, may_be_there=may_be_there, is_urgent=is_urgent, about_to=about_to
                )
            except InvalidRdata as error:  # what a service shows and nobody can send: no run can have created it
                raise ServiceError(str(error), is_refusal=True) from error
            except ServiceError as error:
                # A value that was created lately, be it by a try before, is refused because it is there, whatever its
                # form: look first. So may others have created what was deleted, or is new to the zone.
                is_known = may_be_there or self._histories.has(key, value)
                shown = self._shown_added(error, key, value, is_known) if error.refuses_the_value else None
                if not shown and self.text.learns_from(error, key, quoted):
                    self.text.refused_unquoted.add(value)  # a try before may have had no answer, and be carried out
                    continue
                self.text.is_refused(quoted)
                if not shown:
                    raise
                self._answer(key, shown)
                self.refused.setdefault(key, []).append(value)
            else:
                self.text.is_taken(quoted, key, value)
            return

    def delete_set(
        self,
        key: Key,
        others: Callable[[LiveZone], Sequence[str]] = lambda _zone: (),
        about_to: Callable[[], None] = lambda: None,
    ) -> None:
        """Delete a whole set. Raises ServiceError, unless the zone shows no such set.

        *others* gives the values of others in it, as far as a reading tells: with any, no further try is made, none is
        waited for, and AddedMeanwhile is raised. *about_to* is called before each try, and raises where it must not be.
        """
        tries = _Tries(partial(self._send, key, None), partial(self._answer, key))
        is_seen, looked_at = False, machine().monotonic()

        def allowed() -> None:
            nonlocal looked_at
            if machine().monotonic() - looked_at > self._lasts or (looked_at < math.inf and others(self.latest)):
                looked_at = math.inf  # once: where a service takes few requests, each look puts the DELETE off
                raise LookFirst
            self._hold(is_urgent=False)
            about_to()
            tries.begin()

        def is_removed() -> bool:
            nonlocal is_seen
            # An old reading still shows former values: a later one tells whether somebody has added them again.
            zone = read_until(self.read, lambda zone: not others(zone) or self._are_new(key, others(zone), zone))
            _refuse_to_delete(others(zone))
            is_seen = self._proves(key, None, zone) and self._histories.needs_a_delete(key, None)
            return is_seen

        try:
            of_set = (self._zone.slug, key.name, self._zone.shown_type(key))
            is_confirmed = self._client.delete_record_set(*of_set, is_removed, allowed, tries.are_in_doubt)
        except ServiceError as error:
            tries.end(Outcome.REFUSED)
            waits = _patience_after(error, was_deleted=self._histories.has(key, None))
            if not error.refuses_the_value or not self._is_removed(key, waits, others):
                raise
            is_seen = True
        else:
            tries.end(Outcome.DONE if is_confirmed and not is_seen else Outcome.ACCEPTED)
            if not is_confirmed and not self._is_removed(key, READ_BACKOFF, others):
                raise ServiceError(NOT_SEEN_TO_GO)
            is_seen = is_seen or not is_confirmed
        self._begin_anew(key)
        if is_seen:
            self.seen_removed[key] = self._histories.unseen_deletes(key)
            with self._mutex:
                self._histories.see_removed(key)

    def _begin_anew(self, key: Key) -> None:
        """A set was deleted: what is known of it is over."""
        for known in (self.seen_removed, self.refused, self.answered):
            known.pop(key, None)

    def _send(self, key: Key, value: str | None, ttl: int = 0) -> None:
        with self._mutex:
            if value is None:
                self.deleted.add(key)
                self._histories.see_added(key, _live_set_of(key, self.latest))
            self._histories.send(key, value, ttl)

    def _answer(self, key: Key, outcome: Outcome) -> None:
        with self._mutex:
            self._histories.answer(key, outcome)

    def _shown_added(self, error: ServiceError, key: Key, value: str, is_known: bool) -> Outcome | None:
        """What came of a value that was refused, where the zone shows it: a reading that may be old proves nothing."""
        # What is not found is no word on the value: a service may say so after it has created it.
        waits = (
            READ_BACKOFF
            if is_known or error.may_have_happened
            else SHORT_BACKOFF
            if error.status_code in NOT_FOUND
            else ONE_READING
        )
        with suppress(ServiceError):
            shows = partial(_shows, key, value)
            zone = read_until(self.read, shows, waits)
            # One from before the set was deleted shows it too: a later one tells whether it is there.
            may_be_former = self._histories.is_outdated if is_known else self._histories.may_be_former

            def tells(zone: LiveZone) -> bool:
                return not (shows(zone) and may_be_former(key, _live_set_of(key, zone)))

            if shows(zone):
                zone = read_until(self.read, tells, SHORT_BACKOFF, zone)
                if not shows(zone):  # it was one from before, and that of now may be yet to come
                    zone = read_until(
                        self.read, lambda zone: shows(zone) and tells(zone), waits[len(SHORT_BACKOFF) :], zone
                    )
            if not tells(zone):
                self._is_doubtful = True
                return Outcome.ACCEPTED
            return Outcome.DONE if shows(zone) else None
        return None

    def _proves(self, key: Key, value: str | None, zone: LiveZone) -> bool:
        return _shows(key, value, zone) and not self._is_outdated(key, zone)

    def _proves_added(self, key: Key, value: str, zone: LiveZone) -> bool:
        """Whether a reading shows a value because it was added: what else it shows of the set can be so by then."""
        known, live_set = self._histories.sets.get(key), _live_set_of(key, zone)
        return self._proves(key, value, zone) and (not known or known.can_be(live_set, self._histories.clock()))

    def _are_new(self, key: Key, others: Sequence[str], zone: LiveZone) -> bool:
        """Whether a reading shows these values of others, if any, and they cannot be former ones, as in an old one."""
        if not others or not all(_shows(key, value, zone) for value in others):
            return False
        return self._histories.knows_nothing_of(key, others) or not self._is_outdated(key, zone)

    def _is_outdated(self, key: Key, zone: LiveZone) -> bool:
        return self._histories.is_outdated(key, _live_set_of(key, zone))

    def _refuse_misread(self, key: Key, value: str, zone: LiveZone, *, may_be_there: bool) -> None:
        """Take it for a refusal that a reading shows what services make of a text, and did not at first.

        It *may_be_there* from the first where an interrupted run may have sent it. Sent again as it is, the text would
        only become that again, or be refused because of it. Raises ServiceError.
        """
        first = None if may_be_there else _live_set_of(key, self._zone)
        made = misread_texts(value).intersection(values_of(_live_set_of(key, zone))).difference(values_of(first))
        if made:
            raise ServiceError(f"the service has made {printable_part(', '.join(made))} of it", is_refusal=True)

    def _post(
        self,
        key: Key,
        ttl: int,
        value: str,
        *,
        quoted: bool,
        may_be_there: bool,
        is_urgent: bool,
        about_to: Callable[[], None],
    ) -> None:
        content, priority = sending_form(key.type, value, quoted=quoted)
        body = {"name": relative_name(key.name, self._zone.name), "type": key.type, "content": content, "ttl": ttl}
        if priority is not None:
            body["priority"] = priority
        is_shown, sent_at = False, 0.0
        tries = _Tries(partial(self._send, key, value, ttl), partial(self._answer, key))

        def allowed() -> None:
            nonlocal sent_at
            self._hold(is_urgent=is_urgent)
            about_to()
            tries.begin()
            sent_at = machine().monotonic()

        def is_there() -> bool:
            nonlocal is_shown
            is_long_ago = machine().monotonic() - sent_at > sum(SHORT_BACKOFF)
            proves = partial(self._proves_added, key, value)
            zone = read_until(self.read, proves, ONE_READING if is_long_ago else SHORT_BACKOFF)
            is_shown = proves(zone)
            if not is_shown and self.text.may_lack_quotes(key, quoted=quoted):
                self._refuse_misread(key, value, zone, may_be_there=may_be_there)
            return is_shown

        of_tries = (allowed, tries.are_in_doubt)
        try:
            is_confirmed = self._client.create_value(self._zone.slug, body, is_there, *of_tries, urgent=is_urgent)
        except ServiceError:
            tries.end(Outcome.REFUSED)
            raise
        tries.end(Outcome.DONE if is_confirmed else Outcome.ACCEPTED)
        if is_shown or not is_confirmed:
            self.seen_added.add(key)
        if not is_shown:
            self.answered.setdefault(key, []).append(value)
        if is_shown and not tries.were_in_doubt:  # a service can refuse what is there as it does while it is busy
            self.refused.setdefault(key, []).append(value)

    def _is_removed(self, key: Key, waits: Sequence[float], others: Callable[[LiveZone], Sequence[str]]) -> bool:
        """Whether the zone shows no set whose deletion nobody confirmed. Raises AddedMeanwhile."""

        def tells(zone: LiveZone) -> bool:
            return self._proves(key, None, zone) or self._are_new(key, others(zone), zone)

        try:
            zone = read_until(self.read, tells, waits)
            if _shows(key, None, zone):  # a reading from before the set was made shows none either
                zone = read_until(self.read, tells, READ_BACKOFF[len(waits) :], zone)
        except ServiceError:
            return False
        _refuse_to_delete(others(zone))
        return _shows(key, None, zone)


class _Tries:
    """The tries of one request, each of which is in the history of its set before it is sent."""

    def __init__(self, send: Callable[[], None], answer: Callable[[Outcome], None]):
        self._send = send
        self._answer = answer
        self._is_under_way = False
        self.were_in_doubt = False
        """Whether one of them may have been carried out without an answer that counts."""

    def begin(self) -> None:
        """Another one is about to be sent; of the one before it is known by now whether it is in doubt."""
        self.end(Outcome.REFUSED)
        self._send()
        self._is_under_way = True

    def are_in_doubt(self) -> None:
        """The last one had no answer that counts, and may be carried out."""
        self._is_under_way, self.were_in_doubt = False, True

    def end(self, outcome: Outcome) -> None:
        """What came of the last one, unless it is in doubt for good."""
        if self._is_under_way or outcome is Outcome.DONE:
            self._answer(outcome)
        self._is_under_way = False


def _refuse_to_delete(others: Sequence[str]) -> None:
    """Refuse to delete a set to which somebody has added these values, if any. Raises AddedMeanwhile."""
    if others:
        raise AddedMeanwhile(others)


def _patience_after(error: ServiceError, *, was_deleted: bool) -> Sequence[float]:
    """How long a set may be shown whose deletion was refused: not found, or deleted before, tells of its end."""
    return READ_BACKOFF if error.may_have_happened or error.status_code in NOT_FOUND or was_deleted else SHORT_BACKOFF


def _live_set_of(key: Key, zone: LiveZone) -> RecordSet | None:
    live_set = zone.record_sets.get(key)
    if live_set is None:
        return None
    return replace(live_set, values=tuple(as_read(key.type, shown, zone.name) for shown in live_set.values))


def _shows(key: Key, value: str | None, zone: LiveZone) -> bool:
    """Whether the zone shows a value of a set, or with None no set."""
    if value is None:
        return key not in zone.record_sets
    live_set = _live_set_of(key, zone)
    return live_set is not None and is_among(key.type, value, live_set.values)
