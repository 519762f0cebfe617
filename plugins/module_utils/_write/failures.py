# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What went wrong on the way, told from what the zone holds now: one sentence for the person at the terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    SHOWN_CLAUSES,
    printable,
    some_names,
    values_and_ttl,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, same_set
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import same_values
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply_failed import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of


@dataclass(frozen=True)
class Failure:
    """The call that ended the work on one owner name, in words, and what became of the sets that were already gone.

    A name that is *untouched* holds what others wrote, and nothing of the run. *written* are the sets that are not as
    they were, as far as the answers tell; *not_back* is why the old values could not be put back, where that was tried.
    """

    key: Key
    tried: str
    error: ServiceError
    rolled_back: bool = False
    untouched: bool = False
    written: tuple[Key, ...] = ()
    not_back: Exception | None = None


@dataclass(frozen=True)
class Attempt:
    """What a run was to do: the planned changes, the journal's entries for them by key, and where the journal is."""

    planned: tuple[Change, ...]
    entries: Mapping[Key, Entry]
    journal: str

    def of_plan(self, kept: Collection[Entry]) -> list[Entry]:
        """Of the entries that are *kept* for the next run, those at the names of the plan, also of an earlier run."""
        names = {change.key.name for change in self.planned} if kept else ()
        return [entry for entry in kept if entry.key.name in names]


@dataclass(frozen=True)
class Misread:
    """Sets with texts that the service shows otherwise than they were sent, and what to do about that, in a clause."""

    keys: Collection[Key] = ()
    remedy: str = ""


def ended_early(
    attempt: Attempt,
    failures: Sequence[Failure],
    not_begun: Sequence[Key],
    live: LiveZone | ServiceError,
    incomplete: Sequence[Entry],
) -> ApplyFailed:
    """The error for a run that ended early; *live* is the zone as it is now, or why that cannot be read."""
    to_complete = {one.key.name for one in (attempt.entries.values() if isinstance(live, ServiceError) else incomplete)}
    failures = sorted(failures, key=lambda failure: failure.key.name not in to_complete)  # what is gone is told first
    first = failures[0]
    planned = attempt.planned
    failed_names = {failure.key.name for failure in failures}
    failed = tuple(change.key for change in planned if change.key.name in failed_names)
    not_applied = {*failed, *not_begun}
    applied = tuple(change.key for change in planned if change.key not in not_applied)
    also = ""
    if isinstance(live, ServiceError):
        state = f"what the set holds now cannot be read: {clause(live)}"
        if first.key in attempt.entries:
            state += f"; what it lacks is in {attempt.journal}, from which the next run on the zone completes it"
        written = {*applied, *(key for failure in failures for key in failure.written)}
        changes = tuple(change for change in planned if change.key in written)
        unfinished = failed_names
    else:
        state = _state(attempt, first, live)
        if any(entry.key.name == first.key.name for entry in incomplete):
            state += f", and the next run on the zone {_next_run(first, live, incomplete)} {attempt.journal}"
        missing = [change.key for change in planned if change.key not in not_applied and not _is_made(change, live)]
        for key in missing[:SHOWN_CLAUSES]:
            also += f"; {' '.join(key)} holds {_values(live_set_of(live, key))}, and is not as planned either"
        failed += tuple(missing)
        not_applied.update(missing)
        applied = tuple(key for key in applied if key not in not_applied)
        others = {failure.key.name for failure in failures if failure.untouched}
        changes = became(tuple(change for change in planned if change.key.name not in others), live)
        unfinished = {entry.key.name for entry in incomplete}
    also += _failed_too([failure.key for failure in failures if failure.key != first.key], to_complete)
    if any(change.is_pruned and change.key == first.key for change in planned) and first.error.refuses_the_value:
        state += "; where the service does not let it go, list it in ignore"
    if first.not_back:
        state = f"its old values were tried too: {clause(first.not_back)}; {state}"
    reason = f"cannot {first.tried}: {clause(first.error)}; {state}{also}"
    if len(planned) > 1:
        sets = "set" if len(applied) == 1 else "sets"
        reason += f" ({len(applied)} {sets} applied, {len(failed)} failed, {len(not_begun)} not attempted)"
    unfinished_changes = tuple(change for change in planned if change.key.name in unfinished)
    return ApplyFailed(reason, first.error.status_code, changes, applied, failed, tuple(not_begun), unfinished_changes)


def all_made(planned: tuple[Change, ...], changes: tuple[Change, ...]) -> ApplyFailed:
    """The error where nothing is left to do of what was *planned*, and something else went wrong."""
    return ApplyFailed(
        "all changes were made and verified", changes=changes, applied=tuple(change.key for change in planned)
    )


def not_verified(attempt: Attempt, error: Exception) -> ApplyFailed:
    """The error where all calls were made, and then the zone could not be read or planned again."""
    why = clause(error) if isinstance(error, (ServiceError, PlanRefused)) else unexpected(error)
    planned, journaled = attempt.planned, {key.name for key in attempt.entries}
    sets = some_names([" ".join(change.key) for change in planned], 1)
    unfinished = tuple(change for change in planned if change.key.name in journaled)
    further = f", and what it lacks the next run on the zone completes from {attempt.journal}" if unfinished else ""
    return ApplyFailed(
        f"all changes were sent, and could not be verified: {why}; the state of {sets} is unknown{further}",
        getattr(error, "status_code", None),
        changes=planned,
        failed=tuple(change.key for change in planned),
        unfinished=unfinished,
    )


def not_continued(attempt: Attempt, live: LiveZone, error: PlanRefused, incomplete: Sequence[Entry]) -> ApplyFailed:
    """The error where the zone is not as planned after a round, and *error* says why it is left so."""
    failed = [
        change for change in attempt.planned if not same_set(live_set_of(live, change.key), change.after)
    ] or attempt.planned[:1]
    told = failed[:SHOWN_CLAUSES]
    states = "; ".join(f"{' '.join(change.key)} holds {_values(live_set_of(live, change.key))}" for change in told)
    more = f" and {len(failed) - len(told)} more are not as wanted" if len(failed) > len(told) else ""
    further = f". The next run on the zone completes what is missing from {attempt.journal}" if incomplete else ""
    keys = dict.fromkeys(change.key for change in failed)
    return ApplyFailed(
        f"not all is as wanted after the writing, and going on is refused: {clause(error)}; {states}{more}{further}",
        changes=became(attempt.planned, live),
        applied=tuple(change.key for change in attempt.planned if change.key not in keys),
        failed=tuple(keys),
        unfinished=tuple(change for change in attempt.planned if incomplete and change.key in keys),
    )


def not_as_wanted(
    planned: tuple[Change, ...],
    remaining: tuple[Change, ...],
    live: LiveZone,
    rounds: int,
    misread: Misread = Misread(),
    journal: str = "",
) -> ApplyFailed:
    """The error where the zone still is not as planned after the last round.

    *journal* is where the next run finds what to complete, if anything.
    """
    first = next((change for change in remaining if change.key in misread.keys), remaining[0])
    failed = dict.fromkeys(change.key for change in remaining)
    holds = f"it holds {_values(first.before)} in place of {_values(first.after)}"
    if first.key in misread.keys:
        reason = f"{' '.join(first.key)} is stored otherwise than it was sent, {holds}: {misread.remedy}"
    else:
        reason = (
            f"{' '.join(first.key)} is not as wanted after {rounds} rounds, in which the service answered Success: "
            f"{holds}; does somebody else write to it, or does the service "
            f"{'drop' if first.after else 'make'} it itself?"
        )
    if journal:
        end = "" if reason.endswith("?") else "."
        reason += f"{end} The next run on the zone completes what is missing from {journal}"
    return ApplyFailed(
        reason,
        changes=became(planned, live),
        applied=tuple(change.key for change in planned if change.key not in failed),
        failed=tuple(failed),
        unfinished=tuple(change for change in planned if journal and change.key in failed),
    )


def besides(failed: ApplyFailed, error: Exception) -> ApplyFailed:
    """The same failure, and with it what went wrong while it was dealt with."""
    if clause(error) in str(failed):
        return failed
    both = ApplyFailed(f"{failed}; besides, {clause(error)}")
    vars(both).update(vars(failed))
    return both


def became(planned: tuple[Change, ...], live: LiveZone) -> tuple[Change, ...]:
    """What became of the planned sets: the same changes, with what the zone holds now as their outcome."""
    now = (_with_outcome(change, live_set_of(live, change.key)) for change in planned)
    return tuple(change for change in now if not _leads_nowhere(change))


def _leads_nowhere(change: Change) -> bool:
    before, after = change.before, change.after
    ttls = [sorted(one.higher_ttls) if one else [] for one in (before, after)]
    return same_set(before, after) and ttls[0] == ttls[1]


def _with_outcome(change: Change, live_set: RecordSet | None) -> Change:
    """The change as planned where the zone holds just that, in whatever order and form it shows it."""
    after = change.after
    return change if after and same_set(live_set, after) else replace(change, after=live_set)


def unexpected(error: Exception) -> str:
    """An error that nobody has words for, in one clause."""
    return printable(" ".join(f"{type(error).__name__} {error}".split())).rstrip(".")


def _state(attempt: Attempt, failure: Failure, live: LiveZone) -> str:
    live_set = live_set_of(live, failure.key)
    entry = attempt.entries.get(failure.key)
    if failure.rolled_back and _is_as_before(entry, live_set):
        state = f"its old values were put back, it holds {_values(live_set)}"
    elif live_set is None and entry and entry.before:
        state = "the set is gone"
    else:
        state = f"the set holds {_values(live_set)}"
    for key, other in attempt.entries.items():
        if key.name == failure.key.name and other.before and key != failure.key:
            state += f", {' '.join(key)} holds {_values(live_set_of(live, key))}"
    return state


def _failed_too(keys: Collection[Key], to_complete: Collection[str]) -> str:
    """The clauses about further sets that failed; at the names *to_complete*, something is gone that comes back."""
    gone = sorted(" ".join(key) for key in keys if key.name in to_complete)
    others = sorted(" ".join(key) for key in keys if key.name not in to_complete)
    more = ", and the next run completes what is missing there too"
    told = (
        f"; {some_names(names, SHOWN_CLAUSES)} failed too{and_so}"
        for names, and_so in ((gone, more), (others, ""))
        if names
    )
    return "".join(told)


def _is_made(change: Change, live: LiveZone) -> bool:
    """Whether a set holds what was planned of it, whatever TTL the service has given it."""
    live_set, after = live_set_of(live, change.key), change.after
    if live_set is None or after is None:
        return live_set is after
    return same_values(live_set.type, live_set.values, after.values)


def _next_run(failure: Failure, live: LiveZone, incomplete: Sequence[Entry]) -> str:
    sets = [entry for entry in incomplete if entry.key.name == failure.key.name]
    if all(same_set(live_set_of(live, entry.key), entry.before) for entry in sets):
        return "looks whether it was deleted late, because the deletion had no clear answer, by"
    return "completes it from"


def _is_as_before(entry: Entry | None, live_set: RecordSet | None) -> bool:
    old = entry.before if entry else None
    if old is None or live_set is None:
        return old is live_set
    return set(old.values) <= set(live_set.values)


def _values(record_set: RecordSet | None) -> str:
    if record_set is None:
        return "nothing"
    higher = [f"{printable(value)} with TTL {ttl}" for value, ttl in record_set.higher_ttls]
    several = f" (and the service shows {some_names(higher)})" if higher else ""
    return f"{values_and_ttl(record_set.values, record_set.ttl)}{several}"
