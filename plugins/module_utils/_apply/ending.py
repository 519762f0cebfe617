# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a run ends: the document is saved, and what was done is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._api.client import Snapshot
from .._dns.altered_texts import altered_for
from .._dns.record_set import Sets
from .._log.document import Document
from .._log.log import looked_at, over
from .._owners.ledger import ledger_after
from .._plan.change import Change, changes_made
from .._plan.ttl import kept_ttls_in_words
from .._plan.warnings import respelled_in_words
from .._state.store import StateError
from . import messages
from .messages import Attempt
from .outcome import Agenda, ZoneOutcome
from .work import Work
from .zone import desired_by


def finish(work: Work, first: Agenda, last: Agenda) -> ZoneOutcome:
    """The outcome of a run that has nothing left to do. Raises ApplyFailed."""
    log = work.log
    snapshot = last.snapshot
    refused = [failure for failure in work.given_up.values() if failure]
    if refused:
        raise messages.ended_early(cut_short(work, snapshot), refused)
    _end_log(work, snapshot)
    if log.dialect.form and log.dialect.form != first.document.dialect.form:
        work.warnings.append(messages.NEW_FORM[log.dialect.form])
    document = _document(work, snapshot)
    plans = dict(document.plans)
    if work.job.reviewed:
        plans[work.job.reviewed] = log.now()
    pending = [key for key, entry in log.entries.items() if entry.is_pending]
    ledger = ledger_after(first.plan, document.ledger, [*work.given_up, *pending])
    document = replace(document, plans=plans, ledger=ledger)
    warnings = _final_warnings(work)
    try:
        log.end(document)
    except StateError as error:
        if not work.sets:
            raise
        raise messages.not_kept(cut_short(work, snapshot), error) from error
    work.warnings += warnings
    changes = changes_made(work.planned, work.zone.shown(snapshot))
    plan = replace(first.plan, changes=changes)
    return ZoneOutcome(snapshot, document, last.shown, plan, _recovered(work, last.shown))


def cut_short(work: Work, snapshot: Snapshot | None) -> Attempt:
    """Save the log of a run that fails. Without a *snapshot*, the zone could not be read."""
    log = work.log
    shown = None
    unsaved = None
    if snapshot:
        _end_log(work, snapshot)
        shown = work.zone.shown(snapshot)
    work.warnings += _final_warnings(work)
    try:
        if snapshot:
            log.end(_document(work, snapshot))
        else:
            log.save_ahead()  # nothing shows what the DELETEs have done
    except StateError as error:
        unsaved = error
    return Attempt(
        work.planned,
        log.entries,
        log.store.place,
        shown,
        changes=_made(work, work.planned, shown),
        recovered=_recovered(work, shown),
        not_begun=work.not_begun,
        unsaved=unsaved,
    )


def _end_log(work: Work, snapshot: Snapshot) -> None:
    """What the log desires once the run has ended, which later runs lay over their snapshots.

    =======================================  =====================================================
    a set                                    is desired
    =======================================  =====================================================
    that this run did not begin              as before
    whose DELETE is pending                  as before, with what others have added
    of which all requests have taken effect  as the snapshot has it, with what is unfinished
    =======================================  =====================================================

    What the service made of texts, nobody desires.
    """
    log = work.log
    shown = work.zone.shown(snapshot)
    altered = altered_for(log.dialect, desired_by(log.entries))
    held = shown.but(over(log.entries, shown)).without_values(altered)
    for key, entry in log.entries.items():
        one = work.sets.get(key)
        if one and one.has_sent and not entry.is_pending:
            log.entries[key] = entry.redirected(held.get(key))
    log.entries = looked_at(log.entries, shown, log.now())


def _document(work: Work, snapshot: Snapshot) -> Document:
    document = work.log.as_document()
    desired = desired_by(document.entries)
    dialect = document.dialect.still_needed(snapshot.record_sets, snapshot.name, desired)
    return replace(document, dialect=dialect)


def _recovered(work: Work, shown: Sets | None) -> tuple[Change, ...]:
    """What was completed for an earlier run."""
    of_log = [one.first.change for one in work.sets.values() if not one.first.planned]
    return _made(work, of_log, shown)


def _made(work: Work, changes: Sequence[Change], shown: Sets | None) -> tuple[Change, ...]:
    """What became of *changes*; if the zone could not be read, as answers tell."""
    if shown is not None:
        return changes_made(changes, shown)
    return tuple(change for change in changes if work.sets[change.key].is_changed)


def _final_warnings(work: Work) -> list[str]:
    log = work.log
    before = log.document.dialect
    ttls_kept = log.dialect.ttls_since(before)
    may_come = {}
    for key, entry in log.entries.items():
        one = work.sets.get(key)
        if not one or not one.has_sent_delete:
            continue
        # A TTL that the service keeps looks like a DELETE without effect, until that is learnt.
        may_come_late = one.lacks_answer or key not in ttls_kept
        if may_come_late and entry.is_pending:
            may_come[key] = entry
    # Nothing may follow the sets that are deleted for a CNAME.
    with_cname = {key.name for key in work.sets if key.type == "CNAME"}
    return [
        *respelled_in_words(before, log.dialect),
        *kept_ttls_in_words(ttls_kept),
        *messages.may_still_come(may_come, with_cname),
    ]
