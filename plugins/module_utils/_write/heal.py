# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an interrupted run left is completed, as well as the service lets it be, and never at another task's expense."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable,
    printable_part,
    some_names,
    some_warnings,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import READ_BACKOFF, read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import Threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import in_threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import (
    Judge,
    contradicted,
    live_set_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.external import misread_values
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import became
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import MakePlan
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import (
    ANNOUNCED_LASTS,
    Unfinished,
    as_wanted_now,
    by_name,
    is_as_before,
    is_judged_too_early,
    lacks,
    unfinished,
)

PATIENCE = ANNOUNCED_LASTS + sum(READ_BACKOFF)
MOST_NAMED = 3
"""Of the sets that were completed; the result has all of them."""
WRONG_VALUE = frozenset({400, 422})


@dataclass(frozen=True)
class Healed:
    """A zone in which what could be completed is, and the entries that stay in the journal."""

    zone: LiveZone
    leftover: tuple[Entry, ...] = ()


def completions(entries: Iterable[Entry], done: str) -> list[str]:
    """The warnings about sets that *done* ("was", "would be") completed: one for all of a kind."""
    late, incomplete = list[Entry](), list[Entry]()
    for entry in entries:
        (late if entry.is_taken_late else incomplete).append(entry)
    told = ((incomplete, "completed from the journal"), (late, "created again"))
    return [_completion(of_kind, done, how) for of_kind, how in told if of_kind]


def _completion(entries: Sequence[Entry], done: str, how: str) -> str:
    if len(entries) == 1:
        return f"{_what_had_become(entries[0])} and {done} {how}"
    names = some_names([" ".join(entry.key) for entry in entries], MOST_NAMED)
    sets = f"{len(entries)} sets ({names}, see recovered in the result)"
    return f"{_what_had_become(entries[0], sets)} and {'were' if done == 'was' else done} {how}"


def _what_had_become(entry: Entry, name: str = "") -> str:
    name = name or " ".join(entry.key)
    if entry.is_taken_late:
        return f"{name} lacked what an earlier run had left, and a late request or somebody else had taken,"
    return f"{name} had been left incomplete by an earlier run"


def given_up(key: Key) -> str:
    """The warning about a set of which the task wants gone what could not be completed."""
    return f"{' '.join(key)} is to be absent as it is, so what could not be completed is not tried again"


def _why_aside(found: Unfinished) -> dict[Key, str]:
    """Why sets stay as they are, by what was found before anything was tried."""
    why = {entry.key: "others have given it values of their own since" for entry in found.overwritten_by_others}
    return why | {entry.key: "because of what is at the name now" for entry in found.impossible}


def judged(
    read: Callable[[], LiveZone], first: LiveZone, entries: Collection[Entry], make_plan: MakePlan, memory: Memory
) -> tuple[LiveZone, list[Entry]]:
    """The zone, and the entries as the task wants their sets to be completed.

    It is read until no set is shown as it was before that may not be so by now, or patience ends; *first* is the
    reading that is there. Raises ServiceError.
    """

    judge = Judge()

    def is_enough(live: LiveZone) -> bool:
        return judge.believes(memory.histories, live) and not is_judged_too_early(live, entries, PATIENCE)

    live = read_until(read, is_enough, first=first)
    return live, as_wanted_now(make_plan, memory, live, entries)


class Healer:
    """Completes what the journal tells of; it adds and never deletes. The journal's warnings say what became of it."""

    def __init__(
        self,
        writer: ZoneWriter,
        journal: Journal,
        concurrency: Threads,
        memory: Memory,
        make_plan: MakePlan,
    ):
        self._writer = writer
        self._journal = journal
        self._concurrency = concurrency
        self._memory = memory
        self._histories = memory.histories
        self._make_plan = make_plan
        self._entries: dict[Key, Entry] = {}
        self._names: dict[str, list[Entry]] = {}
        self._was: dict[Key, RecordSet | None] = {}  # the sets that were written to, as they were
        self._dealt_with: set[str] = set()  # what the service made of texts that were sent in another form since
        self._failures: dict[Key, tuple[str, ServiceError]] = {}
        self._seen: tuple[Change, ...] | None = None
        self.is_in_doubt = False
        """Whether a value may have been created by a request without an answer."""

    @property
    def recovered(self) -> tuple[Change, ...]:
        """What has changed so far, also where the rest fails: as the zone shows it, before that as it was answered."""
        return self._accepted() if self._seen is None else self._seen

    def _accepted(self) -> tuple[Change, ...]:
        was = list(self._was.items())  # a thread that was left behind may still add one
        accepted = (Change(before, self._histories.expected(key), Wanted(*key)) for key, before in was)
        return tuple(sorted((one for one in accepted if one.before != one.after), key=lambda change: change.key))

    def heal(self, live: LiveZone, leftover: Iterable[Entry], read: Callable[[], LiveZone]) -> Healed:
        """Complete what can be, keep the rest in the journal or aside, and tell what became of each set.

        *live* is the reading to go on from, and *read* gives those before anything is written. Raises ServiceError
        where the zone cannot be read, and StateError.
        """
        told = {entry.key: entry for entry in leftover}
        live, entries = judged(read, live, told.values(), self._make_plan, self._memory)
        self._entries = self._journaled(told, entries)
        self._names = by_name(self._entries.values())
        found = unfinished(live, self._entries.values())
        self._histories.expect_removed(entry.key for entry in found.impossible)
        waits = {key for key, entry in self._entries.items() if entry.deletes and is_as_before(live, entry)}
        to_complete = {*waits, *(change.key for change in found.changes), *(entry.key for entry in found.as_before)}
        for key in self._entries.keys() - to_complete:  # a DELETE may take it while the others are completed
            self._histories.believe(key, live_set_of(live, key))
        live, changes = self._all_completed(live, found.changes, waits)
        self._tell_misread_left(live, changes)
        never, again = self._incomplete(live, changes)
        waits = (waits | {entry.key for entry in found.as_before}) - changes.keys()
        stay = (*self._waiting(live, waits), *again.values())
        self._believe(live, changes, stay)
        self._put_aside({**_why_aside(found), **never})
        whole = (told[key] for key in changes if key not in never and key not in again)
        why_again = [self._why_again(entry) for entry in again.values()]
        self._journal.warnings += [*completions(whole, "was"), *some_warnings(why_again, self._journal.store.place)]
        self._journal.write(stay, self._memory)
        return Healed(live, stay)

    def _incomplete(self, live: LiveZone, changes: Collection[Key]) -> tuple[dict[Key, str], dict[Key, Entry]]:
        """Of the sets that these changes have not made whole, why some never will be, and those to try again."""
        found = unfinished(live, self._entries.values())
        missing = {change.key for change in found.changes} | self._failures.keys()
        entries = {key: self._entries[key] for key in changes if key in missing}
        never = {key: why for key, entry in entries.items() if (why := self._why_never(entry))}
        why_aside = _why_aside(found)  # others may have written to it while it was completed
        never |= {key: why_aside[key] for key in changes if key in why_aside}
        return never, {key: entry for key, entry in entries.items() if key not in never}

    def _waiting(self, live: LiveZone, keys: Iterable[Key]) -> list[Entry]:
        """The entries of these sets that are shown as before, as long as their DELETE may come."""
        entries = [self._entries[key] for key in sorted(keys)]
        return [entry for entry in entries if entry.age < LATE and is_as_before(live, entry)]

    def _believe(self, live: LiveZone, changes: Iterable[Key], stay: Iterable[Entry]) -> None:
        """Believe what is shown of sets that were changed, unless it may be late, and of those that need not *stay*.

        Of one that a DELETE has taken meanwhile it is known that it is to come back.
        """
        certain = {key for key in changes if not contradicted(self._histories, live, [key])}
        found = certain | (self._entries.keys() - {*changes} - {entry.key for entry in stay})
        late = {one.key for one in self._histories.taken_late(partial(live_set_of, live))}
        for key in found - {key for key in late if self._histories.pending_deletes(key)}:
            self._histories.believe(key, live_set_of(live, key))

    def _all_completed(
        self, live: LiveZone, begun: tuple[Change, ...], waits: Set[Key]
    ) -> tuple[LiveZone, dict[Key, Change]]:
        """The zone once these changes are made, and those that showed only then, with all changes by their sets.

        What *waits* was shown as before, which may only have been shown late.
        """
        changes = dict[Key, Change]()
        while begun:
            changes = {**{change.key: change for change in begun}, **changes}
            live = self._completed(live, begun)
            again = (waits - changes.keys()) | self._misread_again(begun, live)
            begun = tuple(change for change in self._unfinished(live) if change.key in again)
        if changes:
            restored = (change for change in self._accepted() if change.key not in changes)
            self._seen = became((*changes.values(), *restored), live)
        return live, changes

    def _misread_again(self, changes: Iterable[Change], live: LiveZone) -> frozenset[Key]:
        """The sets of texts that came back otherwise than they were sent, and are to be sent in another form."""
        misread = {change.key: self._misread(change, live) for change in changes}
        misread = {key: made for key, made in misread.items() if made}
        for key, made in misread.items():
            self._tell_misread(key, made, "sent to complete it")
        text = self._writer.text
        is_switched = bool(misread) and text.switch(
            [(key, value) for key, made in misread.items() for value in made.values()]
        )
        self._dealt_with.update(*misread.values())
        self._memory.text_form = text.found if is_switched else self._memory.text_form
        return frozenset(misread if is_switched else ())

    def _tell_misread_left(self, live: LiveZone, keys: Iterable[Key]) -> None:
        """Tell of what is left in completed sets of texts that were sent for them, and that nobody told of yet."""
        for key in keys:
            entry, there = self._entries[key], values_of(self._was.get(key))
            stay, was = values_of(entry.after), () if entry.deletes else values_of(entry.before)
            sent = (value for value in stay if value not in was)
            made = misread_values(live_set_of(live, key), sent, {*stay, *self._dealt_with})
            self._tell_misread(key, [value for value in made if value in there], "sent by an earlier run")
            self._tell_misread(key, [value for value in made if value not in there], "sent to complete it")

    def _tell_misread(self, key: Key, made: Collection[str], sent: str) -> None:
        if made:
            wrong = printable_part(", ".join(made))
            self._journal.warnings.append(
                f"{' '.join(key)} holds {wrong}, which the service made of texts that were {sent}: take that out"
            )

    def _misread(self, change: Change, live: LiveZone) -> dict[str, str]:
        """What the service made of texts that a change sent; what was dealt with is shown until it is taken out."""
        live_set, entry = live_set_of(live, change.key), self._entries[change.key]
        there = values_of(live_set)
        known = {*values_of(entry.before), *values_of(entry.after), *self._dealt_with}
        return misread_values(live_set, (value for value in change.creates if value not in there), known)

    def _journaled(self, told: dict[Key, Entry], entries: list[Entry]) -> dict[Key, Entry]:
        """The entries where the journal can have them in place of those that it *told* of, else those."""
        if entries != [*told.values()]:
            try:
                self._journal.write(entries)
            except StateError:
                return told
        return {entry.key: entry for entry in entries}

    def _completed(self, live: LiveZone, changes: tuple[Change, ...]) -> LiveZone:
        for change in changes:
            self._begin(change.key, change.before)
        groups = [list(group) for _name, group in groupby(changes, key=lambda change: change.key.name)]
        in_threads(partial(self._complete, live), groups, self._concurrency)
        accepted = {change.key: change.after for change in self._accepted()}

        def shows(live: LiveZone) -> bool:
            outdated = contradicted(self._histories, live)
            missing = {key for key, after in accepted.items() if lacks(live, key, after)}
            return not outdated and missing <= {change.key for change in changes if self._misread(change, live)}

        return self._writer.read_until(shows)

    def _unfinished(self, live: LiveZone) -> tuple[Change, ...]:
        return unfinished(live, self._entries.values()).changes

    def _begin(self, key: Key, live_set: RecordSet | None) -> None:
        """A set is about to be written to: what a later reading shows of it may be from before."""
        self._was.setdefault(key, live_set)
        self._writer.begin(key, live_set)

    def _complete(self, live: LiveZone, changes: list[Change]) -> None:
        """Create what the sets of a name are missing; where none of that is taken or there, what was there before."""
        taken = [self._create(change.after, change.creates) for change in changes if change.after]
        if any(taken) or any(change.before for change in changes):
            return
        begun = {change.key for change in changes}
        for entry in self._names[changes[0].key.name]:
            if entry.before and entry.key not in live.record_sets:
                if entry.key not in begun:
                    self._begin(entry.key, None)
                refused, _error = self._failures.get(entry.key, ("", None))
                self._create(entry.before, tuple(value for value in entry.before.values if value != refused))

    def _create(self, wanted: RecordSet, values: tuple[str, ...]) -> bool:
        """Create these values of a set, as far as the service takes them; whether it took any, or may take it yet."""
        taken = False
        for value in values:
            try:
                self._writer.add_value(wanted.key, wanted.ttl, value, is_urgent=True, may_be_there=True)
            except ServiceError as error:
                self._failures.setdefault(wanted.key, (value, error))
                if error.may_have_happened:
                    self.is_in_doubt = True
                if not error.refuses_the_value:
                    return True
            else:
                taken = True
        return taken

    def _why_never(self, entry: Entry) -> str:
        """Why a set will not be complete whatever is tried; empty where the next run is to try again."""
        value, error = self._failures.get(entry.key, ("", None))
        # A token or a quota may be why for a while; what says that the value is wrong says it for good.
        is_wrong = error and ((error.status_code or 0) < 300 or error.status_code in WRONG_VALUE)
        if error and error.refuses_the_value and (is_wrong or entry.age > LATE):
            return f"because the service does not take {printable(value)} any more ({clause(error)})"
        return ""

    def _why_again(self, entry: Entry) -> str:
        """The warning that says why a set is not complete and the next run is to try again."""
        _value, error = self._failures.get(entry.key, ("", None))
        why = clause(error) if error else "the service does not show what it took"
        return (
            f"{_what_had_become(entry)} and could not be completed, {why}; "
            f"the next run tries again from {self._journal.store.place}"
        )

    def _put_aside(self, aside: Mapping[Key, str]) -> None:
        """Put sets aside, each with the other sets of its name, and tell why."""
        kept_as = {name: self._journal.put_aside(self._names[name]) for name in sorted({key.name for key in aside})}
        self._journal.warnings += (
            f"{_what_had_become(self._entries[key])} and stays so, {why}; "
            f"what it held and was to hold is kept as {kept_as[key.name]}: check the set, then remove the file"
            for key, why in aside.items()
        )
