# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan carried out: lock, journal, order, roll-back, verification (DESIGN, section 6).

The owner name is the unit of work: within one, deletes come before creates, one call at a time, because concurrent
writers to one set can lose values in the service. Nothing counts as done before a later reading of the zone shows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from threading import Event
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone, ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Entry, Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import (
    Change,
    Plan,
    PlanRefused,
    canonical_set,
    plan,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import (
    as_read,
    is_quoted,
    is_text,
    same,
    sending_form,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets, RecordSet, same_set, visible
from ansible_collections.zonesmith.dns.plugins.module_utils._run.recovery import believed, unfinished
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import in_threads, outlasting_threads

ROUNDS = 3
FRESH = 1.0  # seconds that a reading of an earlier task is good enough to write from

Key = tuple[str, str]
MakePlan = Callable[[LiveSets], Plan]


@dataclass(frozen=True)
class Reading:
    """A zone as it was read, and the last write under its lock that the reading shows."""

    zone: LiveZone
    last_write: int

    @property
    def age(self) -> float:
        """Seconds since it was read."""
        return time.monotonic() - self.zone.read_at


@dataclass(frozen=True)
class Outcome:
    """What a run found and did: the last reading, the plan, and what an earlier run had left to do."""

    reading: Reading
    plan: Plan
    recovered: tuple[Change, ...] = ()

    @property
    def zone(self) -> LiveZone:
        """The zone as it was read last."""
        return self.reading.zone

    def record_set(self, key: Key) -> dict[str, Any] | None:
        """The set as it is after the run, or would be, with canonical values, as modules return it."""
        ends = {change.key: change.after for change in (*self.recovered, *self.plan.changes)}
        held = ends[key] if key in ends else _canonical(self.zone, key)
        return held.as_result() if held else None


class ApplyFailed(Exception):
    """A plan was not carried out whole: what was tried, why it failed, and what the set holds now, in one clause.

    *done* is what changed all the same; *applied*, *failed* and *not_attempted* are the keys of the planned sets.
    """

    def __init__(
        self,
        reason: str,
        status_code: int | None = None,
        done: tuple[Change, ...] = (),
        applied: tuple[Key, ...] = (),
        failed: tuple[Key, ...] = (),
        not_attempted: tuple[Key, ...] = (),
    ):
        super().__init__(reason)
        self.status_code = status_code
        self.done = done
        self.applied = applied
        self.failed = failed
        self.not_attempted = not_attempted


@dataclass(frozen=True)
class Settings:
    """How a plan is carried out: the form of TXT values, and how many owner names at once."""

    txt_format: str = "auto"
    concurrency: int = 1


def preview(
    client: Client, zone: str, make_plan: MakePlan, journal: Journal, reading: Reading | None = None
) -> Outcome:
    """What ``converge`` would do, found out by reading alone. Raises ServiceError, PlanRefused, StateDirError."""
    reading = reading or _read(client, zone, journal)
    live = reading.zone.record_sets
    planned = make_plan(live)
    if not planned.changes and not journal.exists():
        return Outcome(reading, planned)
    recovered = unfinished(zone, live, journal.preview(partial(believed, zone)))
    if recovered:
        planned = make_plan({**live, **{change.key: change.after for change in recovered if change.after}})
    return Outcome(reading, planned, recovered)


def converge(
    client: Client,
    zone: str,
    make_plan: MakePlan,
    journal: Journal,
    settings: Settings,
    reading: Reading | None = None,
) -> Outcome:
    """Bring *zone* (canonical) to where *make_plan* leads from its live sets, finishing what an earlier run left first.

    A *reading* that is still good saves one; what is older than FRESH is not written from. Raises ServiceError,
    PlanRefused and StateDirError before any write, ApplyFailed after.
    """
    is_aged = reading is not None and reading.age > FRESH
    reading = reading or _read(client, zone, journal)
    live = reading.zone
    planned = make_plan(live.record_sets)
    if not planned.changes and not journal.exists():
        return Outcome(reading, planned)
    recovered: tuple[Change, ...] = ()
    with outlasting_threads(journal.lock()) as last_write:
        left = journal.pending(partial(believed, zone))
        outdated = is_aged or last_write != reading.last_write
        if left or outdated or any(change.depends_on_others for change in planned.changes):
            live = replace(live, record_sets=client.read_record_sets(live.slug))
            recovered = unfinished(zone, live.record_sets, left)
            if recovered:
                live = _Run(client, live, journal, settings, left).carry_out(recovered)
            planned = make_plan(live.record_sets)
        if left:
            journal.write([])
        if planned.changes:
            live = _Run(client, live, journal, settings).carry_out(planned.changes)
    return Outcome(Reading(live, journal.released), planned, recovered)


def _read(client: Client, zone: str, journal: Journal) -> Reading:
    last_write = journal.last_write()
    return Reading(client.read_zone(zone), last_write)


def _canonical(live: LiveZone, key: Key) -> RecordSet | None:
    record_set = live.record_sets.get(key)
    return canonical_set(record_set, live.name) if record_set else None


class _TextForm:
    """Whether TXT values are sent in quotes. With ``auto``, learnt from the zone, and from what the service refuses."""

    def __init__(self, txt_format: str, live: LiveSets):
        texts = [content for record_set in live.values() if is_text(record_set.type) for content in record_set.contents]
        self._learns = txt_format == "auto"
        self.quoted = txt_format == "quoted" or (self._learns and bool(texts) and all(map(is_quoted, texts)))

    def learns_from(self, error: ServiceError) -> bool:
        """Whether a refusal of an unquoted value means quotes from now on."""
        self.quoted = self.quoted or (self._learns and error.refuses_the_value)
        return self.quoted


@dataclass(frozen=True)
class _Failure:
    """The call that ended the work on one owner name, in words, and what became of the sets that were already gone."""

    key: Key
    tried: str
    error: ServiceError
    rolled_back: bool = False


class _Stopped(Exception):
    def __init__(self, failure: _Failure):
        super().__init__()
        self.failure = failure


class _Run:
    """One plan on its way, in at most ROUNDS rounds of writing and verification."""

    def __init__(
        self, client: Client, live: LiveZone, journal: Journal, settings: Settings, left: list[Entry] | None = None
    ):
        self._client = client
        self._zone = live
        self._journal = journal
        self._concurrency = settings.concurrency
        self._text = _TextForm(settings.txt_format, live.record_sets)
        self._entries = {entry.key: entry for entry in left or ()}

    def carry_out(self, planned: tuple[Change, ...]) -> LiveZone:
        """The zone after *planned*. Raises ApplyFailed."""
        goals = [change.goal() for change in planned]
        changes = planned
        for _round in range(ROUNDS):
            self._write_ahead(changes)
            failures, not_begun = self._change_all(changes)
            if failures:
                raise self._failed(planned, failures, not_begun)
            try:
                live = self._zone = self._read()
                changes = plan(live.name, live.record_sets, goals).changes
            except Exception as error:  # whatever it is, what was done has to be told
                why = clause(error) if isinstance(error, (ServiceError, PlanRefused)) else unexpected(error)
                sets = " ".join(planned[0].key) + (f" and {len(planned) - 1} more" if len(planned) > 1 else "")
                raise ApplyFailed(
                    f"all changes were sent, and could not be verified: {why}; the state of {sets} is unknown",
                    getattr(error, "status_code", None),
                    done=planned,
                    failed=tuple(change.key for change in planned),
                ) from error
            if not changes:
                self._journal.write([])
                return live
        raise self._not_as_wanted(planned, changes, live)

    def _read(self) -> LiveZone:
        return replace(self._zone, record_sets=self._client.read_record_sets(self._zone.slug))

    def _write_ahead(self, changes: tuple[Change, ...]) -> None:
        """Journal every set of the names at which something is deleted, before the first call."""
        names = {change.wanted.name for change in changes if change.deletes}
        entries = {
            change.key: Entry(change.key, change.before, change.after) for change in changes if change.key[0] in names
        }
        if entries.keys() - self._entries.keys():
            self._entries = {**entries, **self._entries}
            self._journal.write(self._entries.values())

    def _change_all(self, changes: tuple[Change, ...]) -> tuple[list[_Failure], list[Key]]:
        """Change every name, several at once; once one fails begin no other. The failures, and what was not begun."""
        units = [list(group) for _name, group in groupby(changes, key=lambda change: change.wanted.name)]
        failures: list[_Failure] = []
        not_begun: list[Key] = []
        stop = Event()

        def change_one(unit: list[Change]) -> None:
            if stop.is_set():
                not_begun.extend(change.key for change in unit)
                return
            try:
                self._change_name(unit)
            except _Stopped as stopped:
                stop.set()
                failures.append(stopped.failure)
            except Exception as error:  # noqa: BLE001 - whatever it is, what was done has to be told
                stop.set()
                refusal = ServiceError(f"there was an unexpected {unexpected(error)}")
                failures.append(_Failure(unit[0].key, f"change {' '.join(unit[0].key)}", refusal))

        if self._concurrency == 1 or len(units) == 1:
            for unit in units:
                change_one(unit)
        else:
            in_threads(change_one, units, self._concurrency)
        return failures, not_begun

    def _change_name(self, unit: list[Change]) -> None:
        now = {change.key: change.before for change in unit}
        try:
            for change in unit:
                if change.deletes:
                    self._delete(change.key, now)
            for change in unit:
                for value in change.creates:
                    self._create(change.key, change.after.ttl if change.after else 0, value, now)
        except _Stopped as stopped:
            # Where no answer comes at all the next run has better chances; the journal is there for it.
            if stopped.failure.error.status_code is None:
                raise
            raise _Stopped(self._roll_back(now, stopped.failure)) from None

    def _roll_back(self, now: dict[Key, RecordSet | None], failure: _Failure) -> _Failure:
        """Put back what the journal says the sets of a name held before the first round. What was only added stays."""
        entries = self._entries_at(failure.key[0])
        for entry in entries:  # also what an earlier round, or the interrupted run, was done with
            now.setdefault(entry.key, _canonical(self._zone, entry.key))
        before = {entry.key: _with_others(entry, now[entry.key]) for entry in entries}
        changed = [key for key, held in before.items() if not same_set(now[key], held)]
        try:
            for key in changed:
                if now[key]:
                    self._delete(key, now)
            for key in changed:
                held = before[key]
                for value in held.contents if held else ():
                    self._create(key, held.ttl if held else 0, value, now)
        except _Stopped:
            return failure
        return replace(failure, rolled_back=bool(changed))

    def _entries_at(self, name: str) -> list[Entry]:
        return [entry for entry in self._entries.values() if entry.key[0] == name]

    def _delete(self, key: Key, now: dict[Key, RecordSet | None]) -> None:
        try:
            self._client.delete_record_set(self._zone.slug, *key, lambda: key not in self._read().record_sets)
        except ServiceError as error:
            if error.status_code != 404 or not _shown(lambda: key not in self._read().record_sets):
                raise _Stopped(_Failure(key, f"delete {' '.join(key)}", error)) from error
        now[key] = None

    def _create(self, key: Key, ttl: int, value: str, now: dict[Key, RecordSet | None]) -> None:
        quoted = self._text.quoted
        try:
            try:
                self._post(key, ttl, value, quoted)
            except ServiceError as error:
                if quoted or not is_text(key[1]) or not self._text.learns_from(error):
                    raise
                self._post(key, ttl, value, quoted=True)
        except ServiceError as error:
            if not error.refuses_the_value or not _shown(lambda: self._is_there(key, value)):
                raise _Stopped(_Failure(key, f"add {visible(value)} to {' '.join(key)}", error)) from error
        held = now[key]
        now[key] = RecordSet(*key, ttl, (*held.contents, value) if held else (value,))

    def _post(self, key: Key, ttl: int, value: str, quoted: bool) -> None:
        name, rdtype = key
        content, priority = sending_form(rdtype, value, quoted=quoted)
        body = {"name": relative_name(name, self._zone.name), "type": rdtype, "content": content, "ttl": ttl}
        if priority is not None:
            body["priority"] = priority
        self._client.create_value(self._zone.slug, body, lambda: self._is_there(key, value))

    def _is_there(self, key: Key, value: str) -> bool:
        held = self._read().record_sets.get(key)
        return held is not None and any(same(key[1], value, as_read(key[1], c, self._zone.name)) for c in held.contents)

    def _failed(self, planned: tuple[Change, ...], failures: list[_Failure], not_begun: list[Key]) -> ApplyFailed:
        """The error for a run that ended early, told from what the zone holds now."""
        first = failures[0]
        failed_names = {failure.key[0] for failure in failures}
        failed = tuple(change.key for change in planned if change.wanted.name in failed_names)
        applied = tuple(change.key for change in planned if change.key not in failed and change.key not in not_begun)
        try:
            live = self._read()
        except ServiceError as error:
            state = f"what the set holds now cannot be read: {clause(error)}"
            if first.key in self._entries:
                state += f"; what it lacks is in {self._journal.path}, from which the next run on the zone completes it"
            done = tuple(change for change in planned if change.key in applied)
        else:
            done = _done(planned, live)
            unsettled = _unsettled(self._entries.values(), live)
            self._journal.write(unsettled)
            state = self._state(first, live)
            if any(entry.key[0] == first.key[0] for entry in unsettled):
                state += f", and the next run on the zone completes it from {self._journal.path}"
        reason = f"cannot {first.tried}: {clause(first.error)}; {state}"
        if len(planned) > 1:
            reason += f" ({len(applied)} sets applied, {len(failed)} failed, {len(not_begun)} not attempted)"
        return ApplyFailed(reason, first.error.status_code, done, applied, failed, tuple(not_begun))

    def _state(self, failure: _Failure, live: LiveZone) -> str:
        held = _canonical(live, failure.key)
        entry = self._entries.get(failure.key)
        if failure.rolled_back:
            state = f"its old values were put back, it holds {_values(held)}"
        elif held is None and entry and entry.before:
            state = "the set is gone"
        else:
            state = f"the set holds {_values(held)}"
        for other in self._entries_at(failure.key[0]):
            if other.before and other.key != failure.key:
                state += f", {' '.join(other.key)} holds {_values(_canonical(live, other.key))}"
        return state

    def _not_as_wanted(self, planned: tuple[Change, ...], rest: tuple[Change, ...], live: LiveZone) -> ApplyFailed:
        key = rest[0].key
        failed = tuple(change.key for change in rest)
        self._journal.write(_unsettled(self._entries.values(), live))
        return ApplyFailed(
            f"{' '.join(key)} is not as wanted after {ROUNDS} rounds, in which the service answered Success: "
            f"it holds {_values(rest[0].before)} in place of {_values(rest[0].after)}; does somebody else write to it?",
            done=_done(planned, live),
            applied=tuple(change.key for change in planned if change.key not in failed),
            failed=failed,
        )


def _unsettled(entries: Iterable[Entry], live: LiveZone) -> list[Entry]:
    """The entries of the names that lack something of what they held before, and of what they should hold.

    By name: where an address takes the place of a CNAME, the one may be gone as it should and the other not yet there.
    """
    held = list(entries)
    lack_old = {entry.key[0] for entry in held if _lacks(live, entry.key, entry.before)}
    lack_new = {entry.key[0] for entry in held if _lacks(live, entry.key, entry.after)}
    return [entry for entry in held if entry.key[0] in lack_old & lack_new]


def _lacks(live: LiveZone, key: Key, wanted: RecordSet | None) -> bool:
    held = _canonical(live, key)
    return wanted is not None and not set(wanted.contents) <= set(held.contents if held else ())


def _with_others(entry: Entry, held: RecordSet | None) -> RecordSet | None:
    """The set as it was before, and with it what others have added since."""
    known = [value for side in (entry.before, entry.after) if side for value in side.contents]
    others = tuple(value for value in (held.contents if held else ()) if value not in known)
    if not (held and others):
        return entry.before
    before = entry.before or replace(held, contents=())
    return replace(before, contents=before.contents + others)


def unexpected(error: Exception) -> str:
    """An error that nobody has words for, in one clause."""
    return visible(" ".join(f"{type(error).__name__} {error}".split())).rstrip(".")


def _shown(question: Callable[[], bool]) -> bool:
    """Whether the zone shows that a refused call is not needed; where it cannot be read, the refusal stands."""
    try:
        return question()
    except ServiceError:
        return False


def _done(planned: tuple[Change, ...], live: LiveZone) -> tuple[Change, ...]:
    """What became of the planned sets: the same changes, with what the zone holds now as their outcome."""
    now = (replace(change, after=_canonical(live, change.key)) for change in planned)
    return tuple(change for change in now if not same_set(change.before, change.after))


def _values(record_set: RecordSet | None) -> str:
    if record_set is None:
        return "nothing"
    return f"{', '.join(visible(value) for value in record_set.contents)} (TTL {record_set.ttl})"
