# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Carries out what a task wants in one zone, from the first snapshot to the last. Begin here.

A run goes in rounds: log, send, read, learn, settle, and plan again. A round ends with a new plan. If
that has nothing to do, the zone is verified.

The rules, which docs/design.md explains:

1. Log first: each set has an entry, which is saved as under way before anything is sent.
2. A snapshot that contradicts a write of the last 16 seconds is read again.
3. Plans start from the overlay: what an earlier run began counts as finished.
4. A DELETE without an answer or an effect is pending: it may come for ten minutes. Meanwhile the log
   keeps what others add, and nothing is added until a snapshot shows the set gone.
5. At each name, one set after the other: DELETE, then POSTs. A refused value brings the former ones
   back. While a deleted set takes no values, nothing else is deleted.
6. Verified means that the zone was read and planned again, and nothing was left to do.
7. An entry ends once the set was seen as desired, no DELETE is pending, and 16 seconds have passed.

The files are read in this order:

* ``outcome.py``: the words. A set is *shown*, *held*, *desired* or *sent*.
* ``look.py``: reads a zone, and finds the steps that lead to what is desired.
* This file carries them out, and ``ending.py`` ends the run. ``work.py`` is its state.
* ``owner_name.py``: which sets are made, and in which order.
* ``unit.py``: sets that are made together, each alone but for a CNAME.
* ``set_at_work.py``: what is known of one set meanwhile. Its two requests are in ``delete_set.py`` and
  ``add_value.py``, and ``deletions.py`` tells when none may be deleted.
* ``put_back.py``: what follows a failure.
* ``zone_log.py``: the entries, in memory and saved.
* ``zone.py``: how a snapshot is read, and what it tells of the service.
* ``messages.py``: failures and warnings in words.

``python tests/faults`` plays each single fault, kill and edit at each step of these rules in memory, within two
minutes, and ``tests/faults/broken_rules.py`` shows that it notices each rule that is broken: so it tells whether a
change of a predicate, an event or an order keeps the promise.

What is known of a set while it is written has one place each:

======================================  ==========================================
what the answers say that it holds now  ``Entry.sent``, which is saved
whether this run has sent a DELETE      ``SetAtWork.has_sent_delete``
what it is to be in the end             ``Entry.desired``, which is saved
what it was                             ``Entry.past``, which is saved
whether a DELETE may still come         ``Entry.is_pending``
whether one was seen to take effect     ``Entry.past.is_gone``
======================================  ==========================================

Who changes the log in a round, in this order:

===================  ===========================================================================
``_take``            takes the log as the plan has it, and puts aside what is too old
``SetAtWork.begin``  begins the sets of the round, which are saved as under way then
``delete_set.py``,   log each request and answer, and what others have added meanwhile
``add_value.py``
``put_back.py``      desires the former sets, or what is there
``ZoneLog.revert``   gives sets back that the run has not begun
``Zone.learn``       settles a TTL that the service keeps, and what it made of texts, at each snapshot
``Work.read_fresh``  keeps what others have added, while a DELETE may take it
``_settle``          compares each set with the snapshot
``find``             the same as ``read_fresh``, ends what is done, and redirects what the task finds as desired
``_end_log``         once, at the end of the run: says what later runs are to lay over
===================  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._api.answers import ServiceError
from .._api.client import Client, Snapshot
from .._dns.record_set import Sets
from .._owners.ledger import ledger_begun
from .._plan.change import PlanRefused
from .._state.store import StateError, Store
from .._threads import outlasting_threads
from . import messages
from .ending import cut_short, finish
from .look import Seen, find
from .outcome import Agenda, Job, MakePlan, ZoneOutcome
from .owner_name import Ended, make_all, make_unit
from .set_at_work import SetAtWork
from .unit import Failure
from .work import Work
from .zone import Zone
from .zone_log import ZoneLog

ROUNDS = 3


def carry_out(
    client: Client,
    store: Store,
    agenda: Agenda,
    job: Job,
    warnings: list[str],
    *,
    is_aged: bool = False,
) -> ZoneOutcome:
    """Carry out an agenda; look again first if it *is_aged*. Adds *warnings*.

    Raises ServiceError and PlanRefused before any write, ApplyFailed after, and StateError.
    """
    with outlasting_threads(store.lock()) as document:
        # That of a killed run is never the same: a DELETE of its may come from now on.
        zone = Zone(client, ZoneLog(store, document), agenda.snapshot, job)
        work = Work(zone, job, warnings)
        if is_aged or document != agenda.document or _must_look_again(agenda):
            agenda = _look_again(work, agenda)
        else:
            zone.learn(agenda.snapshot, zone.log.entries)
        return _make(work, agenda)


def _must_look_again(agenda: Agenda) -> bool:
    """Whether a step recovers something, or would undo what others write meanwhile."""
    if any(entry.is_unfinished for entry in agenda.entries.values()):
        return True
    return any(step.change.undoes_concurrent_writes for step in agenda.steps)


def _look_again(work: Work, earlier: Agenda) -> Agenda:
    """Find again what is to be done, under the lock. Raises ServiceError, PlanRefused."""
    log, known = work.log.entries, earlier.document.entries
    # Another run that has written a set since may have removed values.
    new = {key for key, one in log.items() if key not in known or known[key].past != one.past}
    changes = [step.change for step in earlier.steps if step.key not in new]
    snapshot = work.read_fresh([change for change in changes if change.deletes])
    return _find(work, snapshot, work.job.plan)


def _make(work: Work, agenda: Agenda) -> ZoneOutcome:
    """Up to three rounds.

    Raises PlanRefused and StateError before any write, ApplyFailed after.
    """
    first = agenda
    log = work.log
    _take(work, agenda)
    work.warnings += messages.completing(agenda)
    ledger = ledger_begun(agenda.plan, log.document.ledger)
    log.document = replace(log.document, ledger=ledger)
    for _round in range(ROUNDS):
        if not work.steps_left(agenda):
            break
        sets = _log_ahead(work, agenda)
        ended = make_all(sets, make_unit, work.job.threads)
        log.revert(work.not_begun, agenda.entries)
        snapshot = _read(work, ended)
        shown = work.zone.shown(snapshot)
        _settle(sets, shown)
        if ended.is_early:
            raise messages.ended_early(cut_short(work, snapshot), ended.failures)
        _give_up(work, sets, ended.failures, shown)
        agenda = _plan_again(work, snapshot)
        _take(work, agenda)
    left = [step.change for step in work.steps_left(agenda)]
    if left:
        raise messages.not_as_desired(cut_short(work, agenda.snapshot), left, ROUNDS)
    return finish(work, first, agenda)


def _take(work: Work, agenda: Agenda) -> None:
    """Take the log as an agenda has it, and put aside what no run completes any more."""
    log = work.log
    log.entries = dict(agenda.entries)
    quarantined = *log.document.quarantined, *agenda.put_aside.items()
    log.document = replace(log.document, quarantined=quarantined)
    work.warnings += messages.put_aside(agenda.put_aside)


def _log_ahead(work: Work, agenda: Agenda) -> list[SetAtWork]:
    """Log the round before anything is sent (rule 1).

    Raises PlanRefused and StateError in the first round, ApplyFailed in others.
    """
    steps = work.steps_left(agenda)
    is_first = not work.sets
    try:
        if not is_first:
            again = [step.change for step in steps]
            work.job.check_further(agenda.shown, work.planned, again)
        sets = _logged(work, agenda)
        work.log.save_ahead()
    except (PlanRefused, StateError) as error:
        if is_first:
            raise
        work.log.entries = dict(agenda.entries)
        raise messages.not_continued(cut_short(work, agenda.snapshot), error) from error
    return sets


def _logged(work: Work, agenda: Agenda) -> list[SetAtWork]:
    """The sets of the round, each with its entry."""
    steps = work.steps_left(agenda)
    cnames = {step.key.name for step in steps if step.key.type == "CNAME"}
    deleted_together = cnames & {step.key.name for step in steps if step.change.deletes}
    sets = []
    for step in steps:
        one = work.sets.setdefault(step.key, SetAtWork(work.zone, step))
        has_delete = step.change.deletes or step.key.name in deleted_together
        one.begin(step, has_delete=has_delete)
        sets.append(one)
    work.log.under_way = {one.key for one in sets}
    return sets


def _read(work: Work, ended: Ended) -> Snapshot:
    """A snapshot that is not stale, after the requests of a round. Raises ApplyFailed."""
    try:
        snapshot = work.read_fresh()
    except ServiceError as error:
        attempt = cut_short(work, None)
        if ended.failures:
            raise messages.ended_early(attempt, ended.failures) from error
        raise messages.not_verified(attempt, error) from error
    work.log.under_way = set()
    return snapshot


def _settle(sets: Sequence[SetAtWork], shown: Sets) -> None:
    """Compare the log with a snapshot that is not stale (rule 4)."""
    for one in sets:
        if one.has_sent:
            one.compare(shown.get(one.key))


def _give_up(
    work: Work,
    sets: Sequence[SetAtWork],
    failures: Sequence[Failure],
    shown: Sets,
) -> None:
    """Make no further rounds for sets that failed, and for pruned ones that are there again."""
    for failure in failures:
        together = [one for one in sets if one.key in failure.together]
        if not any(one.first.is_of_task for one in together):
            entries = {one.key: one.entry for one in together}
            work.warnings.append(messages.not_finished(entries, failure.error))
        for one in together:
            work.given_up[one.key] = failure if one.first.is_of_task else None
    for one in sets:
        is_there_again = one.change.desired.pruned and one.key in shown
        if is_there_again and one.key not in work.given_up:
            work.given_up[one.key] = None
            work.warnings.append(messages.returned(one.key))


def _plan_again(work: Work, snapshot: Snapshot) -> Agenda:
    """Raises ApplyFailed."""
    try:
        return _find(work, snapshot, work.job.plan_again)
    except PlanRefused as error:
        raise messages.not_continued(cut_short(work, snapshot), error) from error
    except Exception as error:  # whatever it is, report what was done
        raise messages.not_verified(cut_short(work, snapshot), error) from error


def _find(work: Work, snapshot: Snapshot, make_plan: MakePlan) -> Agenda:
    # ``read_fresh`` has learnt from the snapshot, so what is known is what is logged.
    log = work.log
    document = log.as_document()
    seen = Seen(snapshot, document, document, work.zone.shown(snapshot))
    return find(seen, work.job, make_plan, log.now())
