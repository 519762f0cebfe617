# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Failures and warnings of a run, one sentence each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from .._api.answers import ServiceError, clause, unexpected
from .._dns.printable import (
    SHOWN_CLAUSES,
    moment,
    some_clauses,
    some_names,
    values_and_ttl,
)
from .._dns.record_set import Key, RecordSet, Sets, same_values
from .._log.entry import PENDING, Entry
from .._log.log import Log, over
from .._plan.change import Change
from .outcome import Agenda, ApplyFailed
from .unit import Failure

_NEW_FORM = (
    "the service changed TXT values, but keeps them when they are sent {}: set txt_format to {}"
)
NEW_FORM = {
    "quoted": _NEW_FORM.format("in quotes", "quoted"),
    "plain": _NEW_FORM.format("without quotes", "plain"),
}


def put_aside(entries: Mapping[Key, Entry]) -> Iterator[str]:
    for key, entry in entries.items():
        yield (
            f"{key} is not as a run that began on {moment(entry.began)} should have left it, and no "
            f"run completes it any more: it held {_values(entry.past.newest)} and should have held "
            f"{_values(entry.desired)}; decide which is right"
        )


def completing(agenda: Agenda) -> Iterator[str]:
    """The sets that are made for an earlier run."""
    for change in agenda.recovered:
        since = moment(agenda.entries[change.key].began)
        yield f"{change.key} was left incomplete by a run that began on {since}, and is to be completed"


def returned(key: Key) -> str:
    """A pruned set that the service has made again, or not removed yet."""
    return f"{key} was removed but is still or again there: if the service creates it, list it in ignore"


def not_finished(entries: Mapping[Key, Entry], error: ServiceError) -> str:
    """The service refuses what an earlier run had begun."""
    since = moment(min(entry.began for entry in entries.values()))
    sets = []
    for key, entry in entries.items():
        if entry.desired:
            sets.append(
                f"{key} held {_values(entry.past.newest)} and is to hold {_values(entry.desired)}"
            )
    return (
        f"sets that a run begun on {since} left incomplete cannot be completed: {clause(error)}; "
        f"{'; '.join(sets)}; to decide what they hold, list them in a task"
    )


def may_still_come(entries: Mapping[Key, Entry], names: Collection[str]) -> Iterator[str]:
    """DELETEs that may take values which are to be there, or the last set of one of the *names*."""
    at_risk = []
    last = 0.0
    for key, entry in entries.items():
        if entry.desired or key.name in names:
            at_risk.append(str(key))
            last = max(last, (entry.pending_since or 0) + PENDING)
    if at_risk:
        until = datetime.fromtimestamp(last + 60, timezone.utc)  # its seconds are not shown
        yield (
            f"a deletion of {some_names(at_risk)} was not confirmed, and the service may still "
            f"carry it out until {until:%H:%M UTC}: run the task again after that to restore "
            "anything it removes"
        )


@dataclass(frozen=True)
class Attempt:
    """How far a run came that has failed.

    * *log*: the entries that the next run will find, in the document at *place*.
    * *shown*: the sets now, or None if the zone cannot be read.
    * *changes*: those made, and *recovered* those made for an earlier run; if the zone cannot be
      read, as far as answers tell.
    * *not_begun*: the sets for which nothing was sent.
    * *unsaved*: why the log could not be saved.
    """

    planned: tuple[Change, ...]
    log: Log
    place: str
    shown: Sets | None
    changes: tuple[Change, ...]
    not_begun: Collection[Key]
    recovered: tuple[Change, ...]
    unsaved: Exception | None = None

    @property
    def unfinished(self) -> tuple[Change, ...]:
        """The planned changes at names that the next run must complete."""
        names = {key.name for key, entry in self.log.items() if entry.has_delete and not entry.done}
        return tuple(change for change in self.planned if change.key.name in names)

    def failed(
        self, reason: str, keys: Iterable[Key], status_code: int | None = None
    ) -> ApplyFailed:
        """The failure of the sets of these *keys*, and of all that were begun and are not as planned.

        *reason* is one clause. What follows it is the same for all: what these sets hold now, whether
        the next run completes anything, and how many sets were applied.
        """
        made = {change.key: change.after for change in self.changes}
        told = dict.fromkeys(keys)
        applied, failed, not_attempted = [], [], []
        for change in self.planned:
            key = change.key
            is_made = key in made and same_values(made[key], change.after)
            if key not in told and key in self.not_begun:
                not_attempted.append(key)
            elif key not in told and is_made:
                applied.append(key)
            else:
                failed.append(key)
        failed.sort(key=lambda key: key not in told)
        told.update(dict.fromkeys(failed))
        reason += self._state([*told])
        if over(self.log, self.shown or {}):
            reason += f"; the next run on the zone uses {self.place} to complete what is missing"
        if len(self.planned) > 1:
            reason += (
                f" (sets applied: {len(applied)}, failed: {len(failed)}, "
                f"not attempted: {len(not_attempted)})"
            )
        if self.unsaved:
            why = clause(self.unsaved)
            # What failed may have been to save it.
            if why not in reason:
                reason += f"; also, {why}"
        return ApplyFailed(
            reason,
            status_code,
            changes=self.changes,
            recovered=self.recovered,
            applied=tuple(applied),
            failed=tuple(failed),
            not_attempted=tuple(not_attempted),
            unfinished=self.unfinished,
        )

    def _state(self, keys: Sequence[Key]) -> str:
        """A clause on what sets hold now, to add to a sentence; empty for no sets."""
        if not keys:
            return ""
        if self.shown is None:
            names = [str(key) for key in keys]
            return f"; the state of {some_names(names, SHOWN_CLAUSES)} is unknown"
        states = [f"{key} holds {_values(self.shown.get(key))}" for key in keys]
        return f"; {some_clauses(states)}"


def ended_early(attempt: Attempt, failures: Iterable[Failure]) -> ApplyFailed:
    """Requests failed. One after which a set is incomplete is told first."""
    incomplete = {change.key for change in attempt.unfinished}
    ordered = sorted(failures, key=lambda failure: (failure.key not in incomplete, failure.key))
    first = ordered[0]
    clauses = [clause(first)]
    if first.is_back:
        clauses.append("its old values were put back")
    if first.not_back:
        clauses.append(f"its old values were tried too: {clause(first.not_back)}")
    pruned = {change.key for change in attempt.planned if change.desired.pruned}
    if first.error.refuses_the_value and first.key in pruned:
        clauses.append("if the service refuses to delete it, list it in ignore")
    keys = [failure.key for failure in ordered]
    return attempt.failed("; ".join(clauses), keys, first.error.status_code)


def not_kept(attempt: Attempt, error: Exception) -> ApplyFailed:
    """Only saving the document failed."""
    return attempt.failed(f"all changes were made and verified, but {clause(error)}", ())


def not_verified(attempt: Attempt, error: Exception) -> ApplyFailed:
    """The zone could not be read or planned again after the last request."""
    why = unexpected(error)
    status_code = None
    if isinstance(error, ServiceError):
        why = clause(error)
        status_code = error.status_code
    reason = f"all changes were sent but could not be verified: {why}"
    return attempt.failed(reason, [change.key for change in attempt.planned], status_code)


def not_continued(attempt: Attempt, error: Exception) -> ApplyFailed:
    """The zone is not as planned, and *error* forbids another round."""
    reason = f"the zone is not yet as desired, and the task must not continue: {clause(error)}"
    return attempt.failed(reason, ())


def not_as_desired(attempt: Attempt, remaining: Sequence[Change], rounds: int) -> ApplyFailed:
    """These changes remain after the last round."""
    first = remaining[0]
    reason = (
        f"{first.key} is not as desired after {rounds} rounds, each of which the service reported "
        f"as done: it should hold {_values(first.after)}, but somebody else changes it, or the "
        "service does not do what it reports"
    )
    return attempt.failed(reason, [change.key for change in remaining])


def _values(record_set: RecordSet | None) -> str:
    if record_set is None:
        return "nothing"
    return values_and_ttl(record_set.values, record_set.ttl)
