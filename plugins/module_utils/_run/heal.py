# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an interrupted run left is completed, as well as the service lets it be, and never at another task's expense."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._run.failures import became
from ansible_collections.zonesmith.dns.plugins.module_utils._run.recovery import (
    by_name,
    held_canonically,
    is_judged_too_early,
    lacks,
    unfinished,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import LOOKS, read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import Threads, in_threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Entry, Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.written import LATE, LastWrites

PATIENCE = sum(LOOKS)
WRONG_VALUE = frozenset({400, 422})


@dataclass(frozen=True)
class Healed:
    """A zone in which what could be completed is, and the entries that stay in the journal."""

    zone: LiveZone
    left: tuple[Entry, ...] = ()


def completion(entry: Entry, done: str) -> str:
    """The warning about a set that *done* ("was", "would be") completed."""
    how = "created again" if entry.before == entry.after else "completed from the journal"
    return f"{_what_had_become(entry)} and {done} {how}"


def _what_had_become(entry: Entry) -> str:
    name = " ".join(entry.key)
    if entry.before == entry.after:
        return f"{name} had been deleted late, by a request without an answer or by somebody else,"
    return f"{name} had been left incomplete by an interrupted run"


def given_up(key: Key) -> str:
    """The warning about a set of which the task wants gone what could not be completed."""
    return f"{' '.join(key)} is to be absent as it is, so what could not be completed is not tried again"


def await_begun(read: Callable[[], LiveZone], entries: Collection[Entry], first: LiveZone | None = None) -> LiveZone:
    """The zone, read until no set is shown as it was before that may not be so by now, or patience ends.

    *first* is a reading that is there. Raises ServiceError.
    """
    return read_until(read, lambda live: not is_judged_too_early(live, entries, PATIENCE), first=first)


class Healer:
    """Completes what the journal tells of; it adds and never deletes. The journal's warnings say what became of it."""

    def __init__(self, writer: ZoneWriter, journal: Journal, concurrency: Threads, writes: LastWrites):
        self._writer = writer
        self._journal = journal
        self._concurrency = concurrency
        self._writes = writes
        self._by_key: dict[Key, Entry] = {}
        self._by_name: dict[str, list[Entry]] = {}
        self._failures: dict[Key, tuple[str, ServiceError]] = {}
        self._before: dict[Key, RecordSet | None] = {}
        self._now: dict[Key, RecordSet | None] = {}
        self._seen: tuple[Change, ...] | None = None
        self._kept_as: dict[str, str] = {}
        self.is_in_doubt = False
        """Whether a value may have been created by a request without an answer."""

    @property
    def recovered(self) -> tuple[Change, ...]:
        """What has changed so far, also where the rest fails: as the zone shows it, before that as it was answered."""
        return self._taken() if self._seen is None else self._seen

    def _taken(self) -> tuple[Change, ...]:
        now = list(self._now.items())  # a thread that was left behind may still add one
        taken = (
            Change(self._before[key], record_set, Wanted(*key))
            for key, record_set in sorted(now, key=lambda held: held[0])
        )
        return tuple(change for change in taken if change.before != change.after)

    def heal(self, entries: Iterable[Entry]) -> Healed:
        """Raises ServiceError where the zone cannot be read, and StateError."""
        by_key = self._by_key = {entry.key: entry for entry in entries}
        self._by_name = by_name(by_key.values())
        live = await_begun(self._writer.read, by_key.values())
        found = unfinished(live, by_key.values())
        for entry in found.repaired:
            self._put_aside(entry, "others have given it values of their own since")
        for entry in found.impossible:
            self._put_aside(entry, "because of what is at the name now")
        self._writes.goes(entry.key for entry in found.impossible)
        for change in found.changes:  # what a reading shows of it may be from before
            self._writes.note(change.key, by_key[change.key].before, change.before)
        if found.changes:
            self._before = {key: held_canonically(live, key) for key in by_key}
            live = self._completed(found.changes)
            planned = {change.key for change in found.changes}
            restored = (change for change in self._taken() if change.key not in planned)
            self._seen = became((*found.changes, *restored), live)
        stay = [entry for entry in found.not_begun if entry.age < LATE]
        missing = self._missing(live)
        for change in found.changes:
            if not self._writes.contradicted(partial(held_canonically, live), [change.key]):
                self._writes.note(change.key, change.before, held_canonically(live, change.key))
            self._writes.may_go([change.key])  # where one DELETE was sent, others may come late
            if change.key not in missing and change.key not in self._failures:
                self._journal.warnings.append(completion(by_key[change.key], "was"))
            elif self._is_kept(by_key[change.key]):
                stay.append(by_key[change.key])
        self._remember_settled(live, {change.key for change in found.changes} | {entry.key for entry in stay})
        self._journal.write(stay)
        return Healed(live, tuple(stay))

    def _remember_settled(self, live: LiveZone, others: Collection[Key]) -> None:
        """What is as it should be leaves the journal, and a DELETE that comes late can still take it along."""
        for entry in self._by_key.values():
            held = held_canonically(live, entry.key)
            if held and entry.after and entry.deletes and entry.key not in others and entry.age < LATE:
                self._writes.may_go_since(held, entry.at)

    def _completed(self, changes: tuple[Change, ...]) -> LiveZone:
        groups = [list(group) for _name, group in groupby(changes, key=lambda change: change.key.name)]
        self._now = dict(self._before)
        in_threads(self._complete, groups, self._concurrency)
        taken = {change.key: change.after for change in self._taken()}

        def shows(live: LiveZone) -> bool:
            outdated = self._writes.contradicted(partial(held_canonically, live), taken)
            return not outdated and not any(lacks(live, key, held) for key, held in taken.items())

        return self._writer.read_until(shows)

    def _missing(self, live: LiveZone) -> set[Key]:
        return {change.key for change in unfinished(live, self._by_key.values()).changes}

    def _complete(self, changes: list[Change]) -> None:
        """Create what the sets of a name are missing; where nothing of it is taken or there, what was there before."""
        taken = [self._create(change.after, change.creates) for change in changes if change.after]
        if any(taken) or any(change.before for change in changes):
            return
        for entry in self._by_name[changes[0].key.name]:
            if entry.before:
                refused, _error = self._failures.get(entry.key, ("", None))
                self._create(entry.before, tuple(value for value in entry.before.values if value != refused))

    def _create(self, wanted: RecordSet, values: tuple[str, ...]) -> bool:
        """Create these values of a set, as far as the service takes them; whether it took any, or may take it yet."""
        taken = False
        for value in values:
            try:
                self._writer.add_value(wanted.key, wanted.ttl, value, is_urgent=True, is_left=True)
            except ServiceError as error:
                self._failures.setdefault(wanted.key, (value, error))
                if error.may_have_happened:
                    self.is_in_doubt = True
                if not error.refuses_the_value:
                    return True
            else:
                taken = True
                now = self._now[wanted.key]
                values_now = dict.fromkeys((*(now.values if now else ()), value))
                self._now[wanted.key] = RecordSet(*wanted.key, wanted.ttl, tuple(values_now))
                self._writes.note(wanted.key, now, self._now[wanted.key])
        return taken

    def _is_kept(self, entry: Entry) -> bool:
        """Tell why a set is not complete; whether the next run is to try again."""
        value, error = self._failures.get(entry.key, ("", None))
        # A token or a quota may be why for a while; what says that the value is wrong says it for good.
        is_wrong = error and ((error.status_code or 0) < 300 or error.status_code in WRONG_VALUE)
        if error and error.refuses_the_value and (is_wrong or entry.age > LATE):
            self._put_aside(entry, f"because the service does not take {visible(value)} any more ({clause(error)})")
            return False
        why = clause(error) if error else "the service does not show what it took"
        self._journal.warnings.append(
            f"{_what_had_become(entry)} and could not be completed, {why}; "
            f"the next run tries again from {self._journal.store.place}"
        )
        return True

    def _put_aside(self, entry: Entry, why: str) -> None:
        # What an alias was, or what took its place, is told by the other entries of the name.
        name = entry.key.name
        kept_as = self._kept_as[name] = self._kept_as.get(name) or self._journal.put_aside(self._by_name[name])
        self._journal.warnings.append(
            f"{_what_had_become(entry)} and stays so, {why}; "
            f"what it held and was to hold is kept as {kept_as}: check the set, then remove the file"
        )
