# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One record set while a run writes it: its two requests, and its entry in the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._api.answers import ServiceError
from .._api.client import Snapshot, new_record
from .._api.retries import LOOK_LASTS, Write
from .._api.stale_snapshots import READ_BACKOFF, READ_ONCE, SHORT_BACKOFF, read_until
from .._dns.names import relative_name
from .._dns.printable import printable_part
from .._dns.rdata import InvalidRdata
from .._dns.record_set import Key, RecordSet, bare, minus, same_set, union, values_of, without
from .._dns.sending import sending_form
from .._log.entry import Entry, begun
from .deletions import OwnerName
from .outcome import Step
from .zone import Zone


def _waits_after(refusal: ServiceError | None) -> Sequence[float]:
    """Seconds before each further read, until a DELETE shows its effect."""
    if refusal is None or refusal.may_have_happened or refusal.status_code in (404, 410):
        return READ_BACKOFF
    return SHORT_BACKOFF


class SetAtWork:
    """A set that a run writes. It belongs to one thread.

    What a snapshot shows of it is always read as it was sent:

    ====================  ===================================  ====================================
    function              reads                                and then
    ====================  ===================================  ====================================
    ``as_sent``           the set in a given snapshot
    ``_read``             the zone anew                        logs what others have added
    ``_read_to_delete``   the zone anew                        the same, and raises for it
    ``_becomes_visible``  the zone anew, until a value is      the same as ``_read``
                          there
    ``compare``           what it is given                     logs what a DELETE has done
    ``_believe``          what it is given                     the same, and goes on from there
    ====================  ===================================  ====================================

    A request is tried again if it has no answer, or 408, 409, 423, 425, 429 or 5xx. Other answers from 400 on,
    but 401, refuse it (``refuses_the_value``). Around each try, ``Write`` (``_api/retries.py``) calls back:

    =======================  ==================================  ===================================
    when                     of a DELETE                         of a POST
    =======================  ==================================  ===================================
    before its turn          waits while additions fail, and     nothing
                             reads the zone if that was long ago
    if an earlier try may    reads the zone: is the set gone?    reads the zone: is the value there?
    have taken effect        Raises if others have added to it
    just before it is sent   raises if others have added to it,  logs it
                             and logs it
    if it has failed         nothing                             other DELETEs wait
    if it may come late      logs that it is pending             nothing: it is in nobody's way
    =======================  ==================================  ===================================

    Of the run:

    * *first*: the step of its first round.
    * *has_sent*: whether a request was sent, for it or for a set that is made together with it.
    * *has_sent_delete*: whether a DELETE was, and *lacks_answer* whether one had no answer.

    Of the round:

    * *former*: the set as it was held then, so it may have values that the zone lacks.
    * *change*: what is being made: what the round is to make, or former values that come back.

    The same set, from the past to what is to be:

    ======================  =================================================================
    ``first.former``        before this run: what comes back if a value is refused
    ``former``              before this round, with what others had added by then
    ``change.before``       as it was shown, or sent, when the *change* began: requests start there
    ``sent``                now, as far as answers tell; saved with the entry
    ``change.after``        as it is being made
    ``entry.desired``       as the log is to have it
    ``entry.past``          all that snapshots may still show of earlier moments
    ======================  =================================================================
    """

    def __init__(self, zone: Zone, step: Step):
        self.first = step
        self.former = step.former
        self.change = step.change
        self.has_sent = False
        self.has_sent_delete = False
        self.lacks_answer = False
        self._zone = zone

    @property
    def key(self) -> Key:
        return self.change.key

    @property
    def at(self) -> OwnerName:
        """Its owner name, in this zone: a name may be in the zone above, too."""
        return self._zone.latest.name, self.key.name

    @property
    def sent(self) -> RecordSet | None:
        """The set now, if all answers are true."""
        return self.entry.sent

    @property
    def has_lost_values(self) -> bool:
        """Whether this run has deleted values which are not all there again, as far as answers tell."""
        return self.has_sent_delete and bool(minus(self.former, self.sent))

    @property
    def is_changed(self) -> bool:
        """Whether it was changed, as far as answers tell."""
        entry = self._zone.log.entries.get(self.key)
        is_as_before = entry and same_set(entry.sent, self.first.change.before)
        return self.has_sent and not is_as_before  # without an entry, it is as desired

    def to_put_back(self, there: RecordSet | None) -> RecordSet | None:
        """What the set held before this run, with what others have added since.

        *there* is what a snapshot shows.
        """
        before_run = self.first.former
        every = union(union(before_run, self.former), there)
        # What this run was to add, and what the service made of its texts.
        altered = self._zone.log.dialect.altered_in(self.key, values_of(self.entry.desired))
        new = {*self.first.change.creates, *altered}.difference(values_of(before_run))
        return bare(without(every, new))

    # The log.

    @property
    def entry(self) -> Entry:
        return self._zone.log.entries[self.key]

    def log(self, entry: Entry) -> None:
        self._zone.log.entries[self.key] = entry

    def begin(self, step: Step, *, has_delete: bool) -> None:
        """Begin a round: log the step before anything is sent.

        What an earlier run left unfinished, and only needs values, keeps its past: what is there now is no
        past, since nothing of it is to go. *has_delete*: a DELETE belongs to it, of this set or of another
        one at its name.
        """
        self.former = step.former
        self.change = step.change
        log = self._zone.log
        there, after = step.change.before, step.change.after
        known = log.entries.get(self.key)
        if known and known.is_unfinished and not step.change.deletes:
            self.log(known.redirected(after))
            self.log_sent(there)
            self.compare(there)  # what is there may show that the past is gone
            return
        # What the service made of a text is there, though not held.
        was_there = union(step.former, there)
        self.log(begun(known, was_there, after, log.now(), has_delete))
        self.log_sent(there)

    def lead_to(self, after: RecordSet | None) -> None:
        """Something else is to be made in this round, of what was sent so far."""
        if same_set(self.sent, after):
            after = self.sent  # its values may have several TTLs, which stay
        self.change = replace(self.change, before=self.sent, after=after)

    def log_sent(self, sent: RecordSet | None) -> None:
        """Log what the set is now, as answers tell, or a snapshot that is believed."""
        self.log(self.entry.written(sent, self._zone.log.now()))

    def _log_pending(self) -> None:
        self.lacks_answer = True
        self.log(self.entry.with_delete_pending(self._zone.log.now()))

    # Reading.

    def compare(self, shown: RecordSet | None) -> None:
        """Log what a snapshot shows: it proves what a DELETE has done."""
        self.log(self.entry.compared(shown, self._zone.log.now()))

    def _believe(self, shown: RecordSet | None) -> None:
        """After a DELETE, log what a snapshot shows, and go on from there.

        If the set is gone, the DELETE has taken effect, whatever its answer. For example, ``a`` is deleted:

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
        if self._is_gone(shown):
            self.log_sent(None)
        self.compare(shown)  # with *sent*, which the snapshot may contradict
        self.log_sent(shown)

    def _read(self) -> RecordSet | None:
        """The set, read anew; if a DELETE may take what others have added, that is logged.

        A stale snapshot may show it, too. Raises ServiceError.
        """
        shown = self.as_sent(self._zone.read())
        self.log(self.entry.with_others_kept(shown))
        return shown

    def as_sent(self, snapshot: Snapshot) -> RecordSet | None:
        """The set in a snapshot, as it was sent."""
        return self._zone.as_sent(snapshot, [self.key]).get(self.key)

    # DELETE.

    def delete(self) -> None:
        """Delete the set. Raises ServiceError, also if others have added to it.

        ====================================  =========  ==========  ===========
        the DELETE                            *sent* is  it pending  this raises
        ====================================  =========  ==========  ===========
        is confirmed, and none was pending    nothing    no
        is answered, and seen                 nothing    as before
        is answered, and not seen             as shown   yes         a failure
        the same, and others have added       as shown   yes         that they have
        is refused, but seen all the same     nothing    as before
        is refused, and not seen              as shown   as before   the refusal
        has no answer                         as before  yes         the failure
        ====================================  =========  ==========  ===========

        An answer that does not say so confirms nothing, such as 202, or a 200 without a body.
        """
        refusal: ServiceError | None = None
        is_certain = False
        try:
            is_certain = self._send_delete()
            self.log_sent(None)
        except ServiceError as error:
            if not error.refuses_the_value:
                raise
            refusal = error
            self.log_sent(self.sent)
        if is_certain:
            return
        shown = read_until(self._read_to_delete, self._is_gone, _waits_after(refusal))
        is_gone = self._is_gone(shown)
        self._believe(shown)
        if not is_gone and (refusal or not self.change.desired.pruned):
            raise refusal or ServiceError(
                "the service answered that it deleted the set, but still shows it"
            )

    def _send_delete(self) -> bool:
        """Whether it is certain that this took effect, and nothing may come. Raises ServiceError.

        For example, the first answer is lost. These functions are called in this order:

        * ``before_turn`` waits while additions fail elsewhere, and reads the zone if that was long ago.
        * ``before_each_try`` refuses if a snapshot shows what others have added, and logs the DELETE.
        * The DELETE is sent, and has no answer. ``_log_pending`` logs that it may come at any time.
        * ``_read_to_delete`` reads the zone. If the set is gone, the DELETE has taken effect. If others have
          added to the set, no second DELETE is sent.
        * Otherwise, ``before_each_try`` again, and the second DELETE.
        """
        zone = self._zone

        def before_turn() -> None:
            zone.deletions.wait(self.at)
            if zone.latest.age > LOOK_LASTS:
                self._stop_for_others(self._read())

        def before_each_try() -> None:
            zone.deletions.check(self.at)
            # Other sets may have read the zone since this one was planned.
            self._stop_for_others(self.as_sent(zone.latest))
            zone.log.check_held()
            self.has_sent = True
            self.has_sent_delete = True
            self.log(self.entry.deleting(zone.log.now()))

        write = Write(
            lambda: self._is_gone(self._read_to_delete()),
            before_each_try,
            self._log_pending,
            before_turn=before_turn,
        )
        rdtype = zone.latest.shown_type(self.key)
        is_confirmed = zone.client.delete_record_set(zone.latest.slug, self.key.name, rdtype, write)
        return is_confirmed and not self.entry.is_pending

    def delete_again(self) -> None:
        """A value is refused since the deleted set is still there: wait, and delete it once more.

        Raises ServiceError.
        """

        # Values that were added may be there again.
        shown = read_until(self._read, lambda there: not self.entry.is_still_there(there))
        is_still_there = self.entry.is_still_there(shown)
        if is_still_there:
            self._stop_for_others(shown)
        self._believe(shown)
        if is_still_there:
            self.delete()

    def is_in_the_way_of(self, key: Key, value: str) -> bool:
        """Whether a value of a set may have been refused since this deleted one is still there.

        As far as the last snapshot tells, which may be from before the DELETE: then it is worth a
        look (``delete_again``).
        """
        may_refuse = value in self.entry.past.values
        if key != self.key:
            may_refuse = "CNAME" in (key.type, self.key.type)
        shown = self.as_sent(self._zone.latest)
        is_there = self.entry.is_still_there(shown)
        return self.has_sent_delete and may_refuse and is_there

    def _is_gone(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows nothing of the set, whatever others have added since its DELETE.

        A mail host without its preference may be of the set as it was, or as it is to be.
        """
        others = self.entry.others_in(shown, self.change.after, self._zone.seen_at)
        return others == values_of(shown)

    def _read_to_delete(self) -> RecordSet | None:
        """The set, read anew.

        Raises ServiceError if others have added to what is still there: a DELETE loses that.
        """
        shown = self._read()
        if not self._is_gone(shown):
            self._stop_for_others(shown)
        return shown

    def _stop_for_others(self, shown: RecordSet | None) -> None:
        """Raises ServiceError if a set that is to go shows values that others have added.

        What was sent is ours, also where former values come back in its place.
        """
        ours = union(self.sent, self.change.after)
        others = self.entry.others_in(shown, ours, self._zone.seen_at)
        if others:
            if self.has_sent_delete:
                self._believe(shown)
            theirs = printable_part(", ".join(others))
            raise ServiceError(
                f"others have added {theirs} to it in the meantime, which would be lost: run the "
                "task again"
            )

    # POST.

    def add(self, value: str, *, is_urgent: bool) -> None:
        """Add a value of the set that is to be made. Raises ServiceError.

        *is_urgent* while a deleted set is incomplete.
        """
        after = self.change.after
        if after is None:
            return
        try:
            self._post_in_some_form(value, after.ttl, is_urgent=is_urgent)
        except InvalidRdata as error:  # shown by the service, but not sendable
            raise ServiceError(str(error), is_refusal=True) from error
        self.log_sent(union(self.sent, replace(after, values=(value,))))

    def _post_in_some_form(self, value: str, ttl: int, *, is_urgent: bool) -> None:
        """Add a value; a text that is refused in one form may be accepted in the other."""
        text = self._zone.text
        forms = text.forms_for(self.key.type, value, self._zone.log.dialect)
        for form in forms:
            try:
                self._post(value, ttl, form, is_urgent=is_urgent)
            except ServiceError as error:
                if not error.refuses_the_value:
                    raise
                if self._is_there_all_the_same(error, value):
                    return
                if self.is_in_the_way_of(self.key, value) or form == forms[-1]:
                    raise
            else:
                if form != forms[0]:
                    text.form = form
                return

    def _post(self, value: str, ttl: int, form: str, *, is_urgent: bool) -> None:
        zone = self._zone
        content, priority = sending_form(self.key.type, value, quoted=form == "quoted")
        name = relative_name(self.key.name, zone.latest.name)
        body = new_record(name, self.key.type, content, ttl, priority)

        def before_each_try() -> None:
            if not is_urgent:
                zone.log.check_held()
            self.has_sent = True
            self.log_sent(self.sent)

        def on_failure() -> None:
            if self.entry.has_delete:
                zone.deletions.addition_fails(self.at, str(self.key))

        write = Write(
            lambda: self._becomes_visible(value, SHORT_BACKOFF),
            before_each_try,
            is_urgent=is_urgent,
            on_failure=on_failure,
        )
        zone.client.create_value(zone.latest.slug, body, write)

    def _is_there_all_the_same(self, error: ServiceError, value: str) -> bool:
        """Whether a value is there although it was refused.

        It may be from others, or from a request without an answer.
        """
        waits = READ_BACKOFF if error.may_have_happened else READ_ONCE
        try:
            return self._becomes_visible(value, waits)
        except ServiceError:
            return False

    def _becomes_visible(self, value: str, waits: Sequence[float]) -> bool:
        """Whether a snapshot shows the value, and was taken after the DELETE.

        So nothing that is to go may be shown: that is asked of what is desired, since more values are to be
        sent. For example, ``a`` and
        ``x`` are to become ``a`` and ``y``. The DELETE waits in a queue, so the POST of ``a`` is refused
        as a duplicate. A snapshot that shows ``a`` shows ``x``, too: both are about to go.
        """

        def is_visible(shown: RecordSet | None) -> bool:
            entry = self.entry
            return value in values_of(shown) and not entry.past.is_in(shown, entry.desired)

        return is_visible(read_until(self._read, is_visible, waits))
