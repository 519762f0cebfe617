# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Failures and warnings of a run, one sentence each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from .._api.answers import ServiceError, clause, unexpected
from .._dns.dialect import Dialect, host_alone
from .._dns.printable import (
    SHOWN_CLAUSES,
    moment,
    printable,
    printable_part,
    some_clauses,
    some_names,
    values_and_ttl,
)
from .._dns.record_set import Key, RecordSet, Sets, minus, same_set, same_values, values_of
from .._log.entry import Entry
from .._log.log import Log
from .._plan.change import Change, PlanRefused
from .._plan.ttl import kept_ttls_in_words
from .outcome import Agenda, ApplyFailed
from .owner_name import Failure

_NEW_FORM = (
    "the service changed TXT values, but keeps them when they are sent {}: set txt_format to {}"
)
NEW_FORM = {
    "quoted": _NEW_FORM.format("in quotes", "quoted"),
    "plain": _NEW_FORM.format("without quotes", "plain"),
}


def too_old(entries: Mapping[Key, Entry]) -> Iterator[str]:
    for key, entry in entries.items():
        held = _values(entry.before)
        desired = _values(entry.desired)
        yield (
            f"{key} was left incomplete by a run that began on {moment(entry.began)}, too long ago to "
            f"complete it: it held {held} and should have held {desired}; decide which is right"
        )


def completed(key: Key, entry: Entry, *, is_foreseen: bool = False) -> str:
    was = "would be" if is_foreseen else "was"
    return f"{key} was left incomplete by a run that began on {moment(entry.began)}, and {was} completed"


def returned(key: Key) -> str:
    """A pruned set that the service has made again, or not removed yet."""
    return f"{key} was removed but is still or again there: if the service creates it, list it in ignore"


def respelled(before: Dialect, after: Dialect) -> Iterator[str]:
    """Values that are now known to be shown in other words."""
    for key, words in after.words.items():
        if key.type == "MX":
            continue  # a host without its preference is another warning
        known = before.words.get(key, {})
        for shown, values in words.items():
            there = printable_part(shown)
            for value in _others(values, (shown, *known.get(shown, ()))):
                sent = printable_part(value)
                yield f"{key} was sent {sent}, and the service shows it as {there}"


def _others(values: Iterable[str], known: Collection[str]) -> list[str]:
    return [value for value in values if value not in known]


def ttls_kept(before: Dialect, after: Dialect) -> Iterator[str]:
    """TTLs that are now known to be kept instead of others."""
    news = {key: pair for key, pair in after.ttls.items() if before.ttls.get(key) != pair}
    return kept_ttls_in_words(news)


def guessed(name_and_host: str) -> str:
    return (
        f"{name_and_host} with the preference 0 now, because the service never showed its "
        "preference: set it"
    )


def put_back_unseen(log: Log, shown: Sets) -> list[str]:
    """Mail hosts, each with its set, whose preference a killed run may have guessed."""
    found = []
    for key, entry in log.items():
        if entry.is_incomplete:
            missing = minus(entry.desired, shown.get(key))
            for host in _others(values_of(entry.desired), missing):
                if host_alone(key.type, host):
                    found.append(f"{key} has {host}")
    return found


def not_finished(entries: Mapping[Key, Entry], error: ServiceError) -> str:
    """The service refuses what an earlier run had begun."""
    sets = []
    since = ""
    for key, entry in entries.items():
        since = since or moment(entry.began)
        if entry.desired:
            sets.append(f"{key} is to hold {_values(entry.desired)}")
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
            last = max(last, entry.pending_until)
    if at_risk:
        until = datetime.fromtimestamp(last, timezone.utc)
        yield (
            f"a deletion of {some_names(at_risk)} was not confirmed, and the service may still "
            f"carry it out until {until:%H:%M UTC}: run the task again after that to restore "
            "anything it removes"
        )


def may_be_taken(agenda: Agenda) -> str:
    """Others' values that a late DELETE may take and no log keeps."""
    sets = []
    for key, entry in agenda.document.entries.items():
        kept = entry.others_added(agenda.shown.get(key))
        others = minus(kept.desired, entry.desired)
        if others:
            sets.append(f"{printable_part(', '.join(others))} from {key}")
    if not sets:
        return ""
    return f"an unconfirmed deletion may still remove {'; '.join(sets)}"


@dataclass(frozen=True)
class Attempt:
    """How far a run came; *place* is the document's.

    *shown* are the planned sets now, None if unreadable. *written* are those changed, as far as answers tell.
    """

    planned: tuple[Change, ...]
    log: Log
    place: str
    shown: Sets | None = None
    written: Collection[Key] = ()

    @property
    def incomplete(self) -> set[str]:
        """The owner names that the next run must complete."""
        planned = {change.key.name for change in self.planned}
        incomplete = {key.name for key, entry in self.log.items() if entry.is_incomplete}
        return planned & incomplete

    @property
    def completed_next(self) -> set[str]:
        """The owner names that the next run completes, whatever its task (rule 3)."""
        shown = self.shown or {}
        names = set()
        for key, entry in self.log.items():
            if entry.is_incomplete and not entry.is_untouched(shown.get(key)):
                names.add(key.name)
        return names & self.incomplete

    def failed(
        self,
        reason: str,
        failed: Iterable[Key],
        status_code: int | None = None,
        not_begun: Sequence[Key] = (),
    ) -> ApplyFailed:
        """What a run that failed has done. *reason* is one clause."""
        failed_keys = dict.fromkeys(failed)
        left = frozenset(not_begun)
        begun = [change for change in self.planned if change.key not in left]
        applied = [change.key for change in begun if change.key not in failed_keys]
        if self.shown is None:
            changes = tuple(change for change in begun if change.key in self.written)
        else:
            changes = became(self.planned, self.shown)
        incomplete = self.incomplete
        unfinished = [change for change in self.planned if change.key.name in incomplete]
        return ApplyFailed(
            reason,
            status_code,
            changes=changes,
            applied=tuple(applied),
            failed=tuple(failed_keys),
            not_attempted=tuple(not_begun),
            unfinished=tuple(unfinished),
        )

    @property
    def completed(self) -> str:
        """A sentence on who completes the rest; empty if nothing is missing."""
        if not self.completed_next:
            return ""
        return f". The next run on the zone uses {self.place} to complete what is missing"


def ended_early(
    attempt: Attempt,
    failures: Sequence[Failure],
    not_begun: Sequence[Key],
    unread: ServiceError | None = None,
) -> ApplyFailed:
    """The first failure, and what the sets hold now; *unread* if the zone cannot be read either.

    A failure after which a set is incomplete comes first.
    """
    incomplete = attempt.incomplete
    first = min(failures, key=lambda failure: failure.key.name not in incomplete)
    planned = {change.key for change in attempt.planned}
    left = planned.difference(attempt.written, [first.key])  # an earlier round may have written it
    not_begun = [key for key in not_begun if key in left]
    failed = _failed_sets(attempt, failures, not_begun)

    clauses = [f"cannot {first.tried}: {clause(first.error)}"]
    if first.not_back:
        clauses.append(f"its old values were tried too: {clause(first.not_back)}")
    if attempt.shown is None:
        clauses.append(f"the set cannot be read now: {clause(unread or first.error)}")
    else:
        clauses.append(_state(attempt, first, attempt.shown))
    if first.key.name in attempt.completed_next:
        clauses.append(f"the next run on the zone completes it from {attempt.place}")
    if _is_pruned(attempt, first.key) and first.error.refuses_the_value:
        clauses.append("if the service refuses to delete it, list it in ignore")
    if attempt.shown is not None:
        clauses += _also_not_made(failures, failed, attempt.shown)
    others = sorted(str(failure.key) for failure in failures if failure.key != first.key)
    if others:
        clauses.append(f"{some_names(others, SHOWN_CLAUSES)} failed too")
    reason = "; ".join(clauses)
    if len(planned) > 1:
        reason += _counts(len(planned), len(planned & {*failed}), len(not_begun))
    return attempt.failed(reason, failed, first.error.status_code, not_begun)


def _failed_sets(
    attempt: Attempt, failures: Iterable[Failure], not_begun: Collection[Key]
) -> list[Key]:
    """The planned sets that failed, first, and those that are not as planned.

    Where the zone cannot be read, these are all sets of names that failed.
    """
    failed = {failure.key for failure in failures}
    names = {key.name for key in failed}
    first, others = [], []
    for change in attempt.planned:
        if attempt.shown is None:
            is_made = change.key.name not in names
        else:
            is_made = same_values(attempt.shown.get(change.key), change.after)
        if change.key in failed:
            first.append(change.key)
        elif change.key not in not_begun and not is_made:
            others.append(change.key)
    return [*first, *others]


def _also_not_made(failures: Iterable[Failure], failed: Iterable[Key], shown: Sets) -> list[str]:
    """What sets hold that are not as planned, at names where nothing failed."""
    names = {failure.key.name for failure in failures}
    states = []
    for key in failed:
        if key.name not in names:
            states.append(f"{key} holds {_values(shown.get(key))}, which is not as planned either")
    return states[:SHOWN_CLAUSES]


def _is_pruned(attempt: Attempt, key: Key) -> bool:
    return any(change.key == key and change.desired.pruned for change in attempt.planned)


def _counts(planned: int, failed: int, not_begun: int) -> str:
    applied = planned - failed - not_begun
    sets = "set" if applied == 1 else "sets"
    return f" ({applied} {sets} applied, {failed} failed, {not_begun} not attempted)"


def not_kept(attempt: Attempt, error: Exception) -> ApplyFailed:
    """Only saving the document failed."""
    return attempt.failed(f"all changes were made and verified, but {clause(error)}", ())


def not_verified(attempt: Attempt, error: Exception) -> ApplyFailed:
    """The zone could not be read or planned again after the last request."""
    status_code = None
    if isinstance(error, ServiceError):
        status_code = error.status_code
    if isinstance(error, (ServiceError, PlanRefused)):
        why = clause(error)
    else:
        why = unexpected(error)
    keys = [change.key for change in attempt.planned]
    sets = some_names([str(key) for key in keys], 1)
    reason = (
        f"all changes were sent but could not be verified: {why}; the state of {sets} is unknown"
    )
    return attempt.failed(reason + attempt.completed, keys, status_code)


def not_continued(attempt: Attempt, error: Exception) -> ApplyFailed:
    """The zone is not as planned, and *error* forbids another round."""
    shown = attempt.shown or {}
    keys = []
    for change in attempt.planned:
        if not same_set(shown.get(change.key), change.after):
            keys.append(change.key)
    states = [f"{key} holds {_values(shown.get(key))}" for key in keys]
    reason = f"the zone is not yet as desired, and the task must not continue: {clause(error)}"
    if states:
        reason += f"; {some_clauses(states)}"
    return attempt.failed(reason + attempt.completed, keys)


def not_as_desired(
    attempt: Attempt,
    remaining: Sequence[Change],
    rounds: int,
) -> ApplyFailed:
    """The zone is not as planned after the last round."""
    keys = [change.key for change in remaining]
    shown = attempt.shown or {}
    first = remaining[0]
    there = _values(shown.get(first.key))
    does = "drop" if first.after else "create"
    reason = (
        f"{first.key} is not as desired after {rounds} rounds, each of which the service reported "
        f"as done: it holds {there} instead of {_values(first.after)}; does somebody else change "
        f"it, or does the service {does} it?"
    )
    return attempt.failed(reason + attempt.completed.removeprefix("."), keys)


def besides(failed: ApplyFailed, error: Exception) -> ApplyFailed:
    why = clause(error)
    if why not in failed.reason:
        failed.reason += f"; also, {why}"
    return failed


def became(planned: Iterable[Change], shown: Sets) -> tuple[Change, ...]:
    """The changes that were made, as the zone shows them now."""
    found = []
    for change in planned:
        made = change
        now = shown.get(change.key)
        if now is None or not same_set(now, change.after):
            made = replace(change, after=now)
        if not _is_same(made.before, made.after):
            found.append(made)
    return tuple(found)


def _is_same(one: RecordSet | None, other: RecordSet | None) -> bool:
    """Whether two sets have the same values, each with the same TTL."""
    if one is None or other is None:
        return one is other
    return same_set(one, other) and sorted(one.higher_ttls) == sorted(other.higher_ttls)


def _state(attempt: Attempt, failure: Failure, shown: Sets) -> str:
    there = shown.get(failure.key)
    before = {change.key: change.before for change in attempt.planned}
    was = before.get(failure.key)
    if failure.is_back and not minus(was, there):
        state = f"its old values were put back, and it holds {_values(there)}"
    elif there is None and was:
        state = "the set is gone"
    else:
        state = f"the set holds {_values(there)}"
    for key, other in before.items():
        if key.name == failure.key.name and other and key != failure.key:
            state += f", {key} holds {_values(shown.get(key))}"
    return state


def _values(record_set: RecordSet | None) -> str:
    if record_set is None:
        return "nothing"
    values = values_and_ttl(record_set.values, record_set.ttl)
    higher = [f"{printable(value)} with TTL {ttl}" for value, ttl in record_set.higher_ttls]
    if higher:
        values += f" (and the service shows {some_names(higher)})"
    return values
