# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The DELETE of a set: when it may be sent, and what is known of it then (rule 4).

A request is tried again if it has no answer, or 408, 409, 423, 425, 429 or 5xx. Other answers from 400
on, but 401, refuse it (``refuses_the_value``). Around each try, ``Write`` (``_api/retries.py``) calls back:

=============================  ===================================  ================================
when                           of a DELETE                          of a POST (``add_value.py``)
=============================  ===================================  ================================
before it waits for its turn   ``before_turn`` waits while          nothing
                               additions fail, and reads the zone
                               if that was long ago
if an earlier try may have     reads the zone: is the set gone?     reads the zone: is the value
taken effect                   Raises if others have added to it    there?
just before it is sent         ``before_each_try`` raises if        ``before_each_try`` logs it
                               others have added to it, and logs
                               the DELETE
if it has failed               nothing                              ``on_failure``: DELETEs wait
if it may come late            ``on_pending`` logs at once that     nothing: it is in nobody's way
                               it is pending
=============================  ===================================  ================================

If it is tried again, this begins anew at the top. What a callback raises ends the request, but for NotYet,
with which it begins anew, too. For example, ``a`` and ``b`` are to become ``c``. The DELETE takes effect, but its
answer is lost:

==========================================  ===========  =======  ========
what happens                                *sent*       state    the past
                                                                  is gone
==========================================  ===========  =======  ========
``before_each_try``, then the DELETE        a, b         open     no
``on_pending``: there is no answer          a, b         pending  no
a snapshot shows nothing, so the DELETE is  nothing      pending  no
not sent again
``delete`` reads until the set is gone      nothing      pending  yes
(``_go_on_from``)
POST ``c``                                  c            pending  yes
==========================================  ===========  =======  ========

If the first snapshot shows ``a``, ``b`` and ``x`` instead, ``x`` is logged as others', since the DELETE may still take
it, and the task fails (``_stop_for_others``).

``read_until`` reads again until a snapshot is enough. If none is within 16 s (``READ_BACKOFF``) or 1.75 s
(``SHORT_BACKOFF``), it gives the last one.

A value that a snapshot shows of the set may be of the past (``Entry.may_be_past``), of what is being made
(``change.after``), or *sent* by this run. Any other is others' (``_stop_for_others``).
"""

from __future__ import annotations

from collections.abc import Sequence

from .._api.answers import ServiceError
from .._api.retries import LOOK_LASTS, Write
from .._api.stale_snapshots import READ_BACKOFF, SHORT_BACKOFF, read_until
from .._dns.printable import printable_part
from .._dns.record_set import Key, RecordSet, minus, union, values_of, without
from .set_at_work import SetAtWork


def delete(one: SetAtWork) -> None:
    """Delete a set. Raises ServiceError, also if others have added to it.

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
        is_certain = _send(one)
        one.log_sent(None)
    except ServiceError as error:
        if not error.refuses_the_value:
            raise
        refusal = error
        one.log_sent(one.sent)
    if is_certain:
        return
    shown = read_until(
        lambda: _read_to_delete(one), lambda there: _is_emptied(one, there), _waits_after(refusal)
    )
    _go_on_from(one, shown)
    if not _is_emptied(one, shown) and (refusal or not one.change.desired.pruned):
        raise refusal or ServiceError(
            "the service answered that it deleted the set, but still shows it"
        )


def _waits_after(refusal: ServiceError | None) -> Sequence[float]:
    """Seconds before each further read, until a DELETE shows its effect."""
    if refusal is None or refusal.may_have_happened or refusal.status_code in (404, 410):
        return READ_BACKOFF
    return SHORT_BACKOFF


def _send(one: SetAtWork) -> bool:
    """Whether it is certain that this took effect, and nothing may come. Raises ServiceError."""
    zone = one.zone

    def before_turn() -> None:
        zone.deletions.wait(one.at)
        if zone.latest.age > LOOK_LASTS:
            _stop_for_others(one, one.read())

    def before_each_try() -> None:
        zone.deletions.check(one.at)
        # Other sets may have read the zone since this one was planned.
        _stop_for_others(one, one.take_in(zone.latest))
        zone.log.check_held()
        one.has_sent = True
        one.has_sent_delete = True
        now = zone.log.now()
        if one.entry.is_pending:
            # Nothing will tell which of the two took effect.
            one.log(one.entry.with_delete_pending(now))
        one.log(one.entry.deleting(now))

    def on_pending() -> None:
        one.lacks_answer = True
        one.log(one.entry.with_delete_pending(zone.log.now()))

    write = Write(
        is_done=lambda: _is_emptied(one, _read_to_delete(one)),
        before_each_try=before_each_try,
        on_pending=on_pending,
        before_turn=before_turn,
    )
    rdtype = zone.latest.shown_type(one.key)
    is_confirmed = zone.client.delete_record_set(zone.latest.slug, one.key.name, rdtype, write)
    return is_confirmed and not one.entry.is_pending


def delete_again(one: SetAtWork) -> None:
    """A value is refused since the deleted set is still there: wait, and delete it once more.

    Raises ServiceError.
    """
    # Values that were added may be there again.
    shown = read_until(one.read, lambda there: not one.entry.is_still_there(there))
    is_still_there = one.entry.is_still_there(shown)
    if is_still_there:
        _stop_for_others(one, shown)
    _go_on_from(one, shown)
    if is_still_there:
        delete(one)


def is_in_the_way_of(one: SetAtWork, key: Key, value: str) -> bool:
    """Whether a value of a set may have been refused since a deleted one is still there.

    As far as the last snapshot tells, which may be from before the DELETE: then it is worth a look
    (``delete_again``).
    """
    may_refuse = value in one.entry.past.values
    if key != one.key:
        may_refuse = "CNAME" in (key.type, one.key.type)
    shown = one.take_in(one.zone.latest)
    return one.has_sent_delete and may_refuse and one.entry.is_still_there(shown)


def _read_to_delete(one: SetAtWork) -> RecordSet | None:
    """The set, read anew.

    Raises ServiceError if others have added to what is still there: a DELETE loses that.
    """
    shown = one.read()
    if not _is_emptied(one, shown):
        _stop_for_others(one, shown)
    return shown


def _is_emptied(one: SetAtWork, shown: RecordSet | None) -> bool:
    """Whether a snapshot shows that a DELETE took effect, and nothing since but what others have added.

    So it shows no value that is to be: it may look like one that was, such as a mail host without its preference.
    """
    others = minus(shown, one.change.after)
    return others == values_of(shown) and one.entry.past.is_deleted_in(shown)


def _stop_for_others(one: SetAtWork, shown: RecordSet | None) -> None:
    """Raises ServiceError if a set that is to go shows values that others have added.

    What was sent is ours, also where former values come back in its place.
    """
    ours = union(one.sent, one.change.after)
    past = one.entry.may_be_past(one.zone.seen_at)
    others = minus(without(shown, past), ours)
    if others:
        if one.has_sent_delete:
            _go_on_from(one, shown)
        theirs = printable_part(", ".join(others))
        raise ServiceError(
            f"others have added {theirs} to it in the meantime, which would be lost: run the "
            "task again"
        )


def _go_on_from(one: SetAtWork, shown: RecordSet | None) -> None:
    """Log what a snapshot shows after a DELETE, and go on from there."""
    is_emptied = _is_emptied(one, shown)
    one.log(one.entry.seen_after_delete(shown, is_emptied, one.zone.log.now()))
