# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What follows a failure at an owner name: the former sets come back, or what is there stays.

A *refusal* is an answer on the value itself, such as 400 or 422 (``ServiceError.refuses_the_value``).
It would be the same next time. Other failures may pass: no answer, too many requests, a 5xx, and 409,
which services give while they are busy. After a failure, the first row that fits counts
(``_comes_back``):

====  ============================================  =======================================
row   what is so                                    the former sets
====  ============================================  =======================================
1     a request is refused                          come back if values are lost
2     a POST has no answer                          do not: it may be there; the next run adds
3     a set that is to be there has some values     do not: the next run adds the others
4     a deleted set has none                        come back
====  ============================================  =======================================

If a deleted set stays without values then, new or former ones, other deletions stop
(``_stays_deleted``).

For example, a set holds ``a`` and ``b``, and is to hold ``c`` and ``d``. The service refuses ``d``:

=======================  ==========  ==========  ========  ========  =====================================
request                  the set     is being    the log   *sent*    why
                         holds       made        desires
=======================  ==========  ==========  ========  ========  =====================================
DELETE                   nothing     c, d        c, d      nothing
POST c                   c           c, d        c, d      c
others add ``x``         c, x        c, d        c, d      c
POST d, refused          c, x        c, d        a, b, x   c         going on is in vain
POST a, b, x             c, x, a, b  c, a, b, x  a, b, x   all       the former values first: they may be
                                                                     refused. ``x`` is among them
DELETE, POST a, b, x     a, b, x     a, b, x     a, b, x   a, b, x   once they are there, what is new goes
=======================  ==========  ==========  ========  ========  =====================================
"""

from __future__ import annotations

from collections.abc import Mapping

from .._api.answers import BUSY, TRANSIENT, ServiceError
from .._dns.record_set import RecordSet, bare, union, values_of, without
from .._state.store import StateError
from .set_at_work import SetAtWork
from .unit import Failure, Unit

SetsOfUnit = Mapping[SetAtWork, "RecordSet | None"]


def after_failure(unit: Unit, failure: Failure) -> None:
    """Bring the former sets back, or stop other deletions, and note in the failure what came of it."""
    # What the log has of sets that are made together, it keeps of all or of none.
    for one in unit.sets:
        one.has_sent = any(other.has_sent for other in unit.sets)
    if any(one.has_sent_delete for one in unit.sets):
        unit.zone.deletions.addition_fails(unit.at, str(failure.key))
    if _comes_back(unit, failure):
        # A service that could not take the new value for long is not tried as long again.
        unit.is_urgent = failure.error.status_code not in TRANSIENT
        _bring_back(unit, failure)
    if not failure.is_back and _stays_deleted(unit, failure):
        unit.zone.deletions.stop(str(failure.key))


def _comes_back(unit: Unit, failure: Failure) -> bool:
    """Whether the former sets are to come back: as before this run, also in a later round.

    If not, a half-built set is better, since the next run only adds to it.
    """
    if failure.error.refuses_the_value:
        return True  # row 1
    if failure.value and failure.error.status_code is None:
        return False  # row 2
    is_half_made = any(one.sent and one.change.after for one in unit.sets)
    is_gone = any(one.has_sent_delete and not one.sent for one in unit.sets)
    return is_gone and not is_half_made  # rows 3 and 4


def _stays_deleted(unit: Unit, failure: Failure) -> bool:
    """Whether a deleted set stays without its values, new or former ones: the service seems to take none.

    If an earlier run has deleted it, a refused value says nothing of others. Nor does 409, which
    may mean that the value conflicts with what is there.
    """
    if any(one.lacks_former_values for one in unit.sets):
        return True
    error = failure.error
    if not failure.value or error.refuses_the_value or error.status_code in BUSY:
        return False
    return any(one.entry.has_delete for one in unit.sets)


def _bring_back(unit: Unit, failure: Failure) -> None:
    if not any(one.lacks_former_values for one in unit.sets):
        _keep_what_is_there(unit)
        return
    try:
        former = {one: _former(one, there) for one, there in _read_all(unit).items()}
        _put_back(unit, former)
        failure.is_back = True
    except (Failure, ServiceError, StateError) as again:
        failure.not_back = again


def _keep_what_is_there(unit: Unit) -> None:
    """Nothing is missing, so what was held and what was added is desired, with the TTL that was sent."""
    for one in unit.sets:
        one.log(one.entry.redirected(union(one.sent, one.before_round)))


def _read_all(unit: Unit) -> SetsOfUnit:
    """Read the sets, and log what that tells, before the former values are desired again, and sent.

    * In which form texts are to be sent.
    * Whether each DELETE has taken effect. One that does not show yet is pending from here on: nothing could
      tell later, when what it was to remove is desired. If the snapshot is stale, one is pending that is not.
    """
    snapshot = unit.zone.read()
    shown = {one: one.take_in(snapshot) for one in unit.sets}
    for one, there in shown.items():
        # One read may be stale, so the answers stand. But a DELETE without one has taken effect here.
        if there is None and one.entry.is_pending:
            one.log_sent(None)
        one.compare(there)
    return shown


def _former(one: SetAtWork, there: RecordSet | None) -> RecordSet | None:
    """What a set held before this run, with what others have added since.

    *there* is what a snapshot shows. For example, ``a`` is to become ``c``. Others have added ``x`` before the
    second round, and ``y`` after its DELETE:

    ====================  =======
    held                  a, x
    *there*               c, y
    new, so that it goes  c
    what comes back       a, x, y
    ====================  =======
    """
    held = union(one.before_run, one.before_round)
    every = union(held, there)
    # What this run was to add, and what the service made of its texts.
    altered = one.zone.log.dialect.altered_in(one.key, values_of(one.entry.desired))
    new = {*one.first.change.creates, *altered}.difference(values_of(one.before_run))
    return bare(without(every, new))


def _put_back(unit: Unit, former: SetsOfUnit) -> None:
    """Raises Failure, StateError."""
    unit.puts_back = True
    for one, was in former.items():
        one.log(one.entry.redirected(was))
    unit.zone.log.save_ahead()
    _add_former(unit, former)
    _remove_new(unit, former)


def _add_former(unit: Unit, former: SetsOfUnit) -> None:
    """Add the former values to what is there, with its TTL (``union``). Raises Failure.

    A set that was not there before goes: a CNAME must be alone.
    """
    for one, was in former.items():
        one.lead_to(union(one.sent, was) if was else None)
    unit.make()


def _remove_new(unit: Unit, former: SetsOfUnit) -> None:
    """Once all former values are there, delete what is new, and them with it, and add them again. Raises Failure."""
    for one, was in former.items():
        one.lead_to(was)
    unit.make()
