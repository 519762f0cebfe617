# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a run ends: the document is saved, and what was done is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from .._api.client import Snapshot
from .._dns.altered_texts import altered_in
from .._dns.record_set import Key
from .._log.document import Document
from .._log.log import desired_by, looked_at, over
from .._owners.ledger import OwnersPlan
from .._plan.change import Change
from .._state.store import StateError
from . import messages
from .outcome import Agenda, ApplyFailed, ZoneOutcome
from .work import Work

InWords = Callable[[messages.Attempt], ApplyFailed]


def done(work: Work, first: Agenda, last: Agenda) -> ZoneOutcome:
    """The outcome of a run that has nothing left to do. Raises ApplyFailed."""
    log, snapshot = work.zone.log, last.snapshot
    refused = [failure for failure in work.given_up.values() if failure]
    if refused:
        in_words = partial(messages.ended_early, failures=refused, not_begun=())
        raise failed(work, snapshot, in_words)
    _end_log(work, snapshot)
    if log.dialect.form and log.dialect.form != first.document.dialect.form:
        work.warnings.append(messages.NEW_FORM[log.dialect.form])
    document = _document(work, snapshot).with_plan_carried_out(work.job.reviewed, log.now())
    if isinstance(first.plan, OwnersPlan):
        may_return = {*work.given_up, *_may_return(work)}
        document = replace(document, ledger=first.plan.step.after_with(may_return))
    try:
        log.end(document)
    except StateError as error:
        if not work.may_have_sent:
            raise
        raise failed(work, snapshot, partial(messages.not_kept, error=error)) from error
    work.warnings += _final_warnings(work)
    changes = messages.became(work.planned, work.zone.shown(snapshot))
    plan = replace(first.plan, changes=changes)
    return ZoneOutcome(snapshot, document, last.shown, plan, _recovered(work))


def failed(work: Work, snapshot: Snapshot | None, in_words: InWords) -> ApplyFailed:
    """The failure of a run; without a *snapshot*, the zone could not be read."""
    log, shown = work.zone.log, None
    if snapshot:
        _end_log(work, snapshot)
        shown = work.zone.shown(snapshot)
    written = {key for key, one in work.sets.items() if one.is_changed}
    attempt = messages.Attempt(work.planned, log.entries, log.place, shown, written)
    failure = in_words(attempt)
    failure.recovered = _recovered(work)
    work.warnings += _final_warnings(work)
    try:
        if snapshot:
            log.end(_document(work, snapshot))
        else:
            log.save_ahead()  # nothing shows what the DELETEs have done
    except StateError as error:
        return messages.besides(failure, error)
    return failure


def not_as_desired(
    work: Work, remaining: Sequence[Change], snapshot: Snapshot, rounds: int
) -> ApplyFailed:
    """The failure of a run after whose rounds changes remain."""
    refused = [one for key, one in work.sets.items() if work.given_up.get(key)]
    remaining = [*remaining, *(one.first.change for one in refused)]
    in_words = partial(messages.not_as_desired, remaining=remaining, rounds=rounds)
    return failed(work, snapshot, in_words)


def _end_log(work: Work, snapshot: Snapshot) -> None:
    """What the log desires once the run has ended, which later runs lay over their snapshots.

    Sets of which every request has had its effect, or certainly none, are desired as the snapshot
    has them, with what is unfinished of them. Any set of which a request may still take effect is
    pending by now, and keeps what it desires. So does one that was not begun, and one of which the
    service alters texts.
    """
    log = work.zone.log
    shown = work.zone.shown(snapshot)
    held = shown.but(over(log.entries, shown))
    altered = altered_in(log.dialect, desired_by(log.entries))
    for key, entry in log.entries.items():
        if key in altered:
            continue  # what is there is not what is desired
        if key in work.sets and key not in work.not_begun and not entry.is_pending:
            log.entries[key] = entry.redirected(held.get(key))
    log.entries = looked_at(log.entries, shown, log.now())


def _document(work: Work, snapshot: Snapshot) -> Document:
    document = work.zone.log.as_document()
    desired = desired_by(document.entries)
    dialect = document.dialect.still_needed(snapshot.record_sets, snapshot.name, desired)
    return replace(document, dialect=dialect)


def _may_return(work: Work) -> list[Key]:
    """Sets whose removed values may not have gone."""
    return [
        key for key, entry in work.zone.log.entries.items() if entry.is_pending and entry.removed
    ]


def _recovered(work: Work) -> tuple[Change, ...]:
    """What was completed for an earlier run."""
    if not work.may_have_sent:
        return ()
    firsts = [one.first for one in work.sets.values()]
    begun = [step.change for step in firsts if not step.planned]
    return messages.became(begun, work.zone.shown(work.zone.latest))


def _final_warnings(work: Work) -> list[str]:
    guesses = [messages.guessed(host) for host in dict.fromkeys(work.zone.guessed)]
    log = work.zone.log
    may_come = {}
    for key, one in work.sets.items():
        # A TTL that the service keeps only looks like a DELETE without effect.
        if key in log.entries and one.deleted and key not in log.dialect.ttls:
            may_come[key] = one.entry
    # Nothing may follow the sets that are deleted for a CNAME.
    with_cname = {key.name for key in work.sets if key.type == "CNAME"}
    return [*guesses, *messages.may_still_come(may_come, with_cname)]
