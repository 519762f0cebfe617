# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan carried out: write ahead, order, verification (docs/design.md, "Why nothing is lost").

Nothing counts as done before a later reading of the zone shows it, and nothing as failed before readings of some
seconds lack it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part, some_names
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, same_set, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.kept_ttl import kept_ttls_in_words
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ledger_step import LedgerStep
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import (
    RefuseRound,
    external_removed_in_words,
    refuse_nothing,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import canonical_set
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import Threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError, this_run
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply_failed import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._write.at_once import change_all
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import (
    contradicted,
    live_set_of,
    restores_unknown,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.concurrent_writes import ConcurrentWrites
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import (
    Attempt,
    Failure,
    Misread,
    all_made,
    became,
    besides,
    ended_early,
    not_as_wanted,
    not_continued,
    not_verified,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import (
    ANNOUNCED_LASTS,
    by_name,
    incomplete,
    lacks,
    with_external,
    with_leftover,
    with_what_is_of_others,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.unit import Ahead, Unit
from ansible_collections.zonesmith.dns.plugins.module_utils._write.verification import Verification

NEW_FORM = (
    "TXT values came back otherwise than they were sent, and right once they were sent {0}: set txt_format to {1}"
)

ROUNDS = 3

NOTED_LASTS = 30.0
"""Seconds after which it is noted anew which values are about to be added: the next run looks for them for a minute."""

GROWS_TO = 2
"""How many times what is known before the first write the memory may take at the end: what each set then holds, too."""


class Settings(NamedTuple):
    """How a plan is carried out: the form of TXT values, how many owner names at once, and over what others wrote.

    *refuse_round* is asked before each further round. *reviewed* is the digest of the plan that people have seen, or
    empty.
    """

    txt_format: str = "auto"
    concurrency: Threads = 1
    refuse_round: RefuseRound = refuse_nothing
    reviewed: str = ""


Names = Mapping[str, Sequence[Entry]]
"""The journal's entries of each owner name."""


@dataclass(frozen=True)
class Applied:
    """A zone after a plan, what became of the planned sets, and what the user should know of it.

    *leftover* is what the journal still has of an earlier run: not what the plan wants to be absent.
    """

    zone: LiveZone
    changes: tuple[Change, ...]
    warnings: tuple[str, ...]
    leftover: tuple[Entry, ...]


class Applier:
    """One plan on its way, in at most ROUNDS rounds of writing and verification.

    *live* is the reading that the plan was made from; *memory* learns what is written, and that a reviewed plan was
    carried out; *leftover* are entries of an earlier run that stay in the journal; *ledger* is what becomes of that.
    """

    def __init__(
        self,
        writer: ZoneWriter,
        live: LiveZone,
        journal: Journal,
        memory: Memory,
        settings: Settings,
        leftover: Iterable[Entry],
        ledger: LedgerStep | None,
    ):
        self._ledger = ledger
        self._settings = settings
        self._writer = writer
        self._live = live
        self._journal = journal
        self._memory = memory
        self._histories = memory.histories
        self._known_form = memory.text_form
        self._leftover = {entry.key: entry for entry in leftover}
        self._entries: dict[Key, Entry] = {}
        self._external: dict[Key, RecordSet] = {}  # what others have added to sets that a DELETE may take yet
        self._unkept: set[Key] = set()  # the sets of those that could not be kept
        self._added_by_others: dict[Key, dict[str, None]] = {}  # the same, of sets that may be put back as they were
        self._pending_before: dict[Key, int] = {}  # the DELETEs of earlier runs that may still be carried out
        self._new: Collection[Key] = ()  # the sets that are not there before the first round
        self._unproven_texts: list[Key] = []  # of which only a reading that is not from before tells what they became
        self._noted: set[tuple[Key, str]] = set()  # the values that the round under way is to add
        self._round: tuple[Change, ...] = ()
        self._noted_at = 0.0
        self._mutex = machine().lock()

    def carry_out(self, planned: tuple[Change, ...], stays: Iterable[Wanted] = ()) -> Applied:
        """The zone after *planned*, where what the task says of other sets *stays* so.

        Raises PlanRefused and StateError before any write, ApplyFailed after.
        """
        _check_sendable(self._writer, planned)
        self._pending_before |= {change.key: self._histories.unseen_deletes(change.key) for change in planned}
        refused, redoes = self._writer.text.refused_unquoted, not self._settings.reviewed
        verification = Verification(
            planned, stays, self._live, refused, redoes=redoes, keys_taken_late=self._keys_taken_late
        )
        if self._settings.reviewed:
            self._memory.begin_plan(self._settings.reviewed, this_run())
        if self._ledger:
            self._memory.ledger = self._ledger.begun
        # At the name of an alias, what is new makes way for it again.
        aliases = {change.key.name for change in planned if change.key.type == "CNAME"}
        self._new = {change.key for change in planned if not change.before and change.key.name not in aliases}
        try:
            return self._in_rounds(planned, verification)
        except ApplyFailed as failed:
            self._expect_external(self._histories)
            failed.changes = self._as_done(failed.changes)
            self._journal.warnings += external_removed_in_words(verification.external_removed_from(self._live))
            raise

    def _as_done(self, changes: Iterable[Change]) -> tuple[Change, ...]:
        """These changes, each with whether its set was kept, and never deleted on the way."""
        return tuple(replace(change, was_kept=change.key not in self._writer.deleted) for change in changes)

    def _keys_taken_late(self, live: LiveZone) -> list[Key]:
        return [one.key for one in self._histories.taken_late(partial(live_set_of, live))]

    def _begin(self, changes: Collection[Change], planned: Collection[Key]) -> None:
        """What these changes were planned from is what their sets hold; in a further round, as far as it goes on.

        There it may be an old reading: that it lacks what was added since says of no deletion that it was carried out.
        """
        histories = self._histories
        for change in changes:
            is_continued = change.key in planned and (
                not change.deletes or histories.is_outdated(change.key, change.before)
            )
            (histories.expect if is_continued else histories.believe)(change.key, change.before)
        self._histories.expect_removed(change.key for change in changes if change.after is None)

    def _in_rounds(self, planned: tuple[Change, ...], verification: Verification) -> Applied:
        attempt = Attempt(planned, self._entries, self._journal.store.place)
        concurrent = ConcurrentWrites(
            self._writer, self._live, planned, verification, self._histories, self._settings.refuse_round
        )
        self._writer.on_reading = partial(self._see_others, attempt, verification, concurrent)
        changes, begun, unpruned = planned, frozenset[Key](), list[Failure]()
        for number in range(ROUNDS):
            self._begin(changes, begun)
            begun = verification.keys
            self._write_ahead(attempt, changes, verification, is_first=not number)
            names = by_name(self._entries.values())
            text = self._writer.text
            self._unproven_texts = [change.key for change in changes if text.is_unproven(change.key, change.creates)]
            ended = change_all(
                changes, partial(self._unit, attempt, concurrent, verification, names), self._settings.concurrency
            )
            if ended.is_early:
                raise self._ended_early(attempt, [*ended.failures, *unpruned], ended.not_begun)
            unpruned += ended.failures
            verification.forgo(failure.key for failure in ended.failures)
            try:
                live = self._live = self._writer.read_until(partial(self._is_final, verification))
                self._open_again(live)
                changes = verification.judge(live, self._writer.refused)
                concurrent.look_after(live, changes)
                planned, verification.taken_on = (*planned, *verification.taken_on), []
                attempt = replace(attempt, planned=verification.with_others(planned))
            except PlanRefused as error:
                kept = self._to_keep(attempt, self._incomplete(self._live), verification.keys)
                failed = not_continued(attempt, self._known(self._live), error, attempt.of_plan(kept))
                raise self._kept(attempt, kept, failed) from error
            except Exception as error:  # whatever it is, what was done has to be told
                raise not_verified(replace(attempt, planned=planned), error) from error
            if not changes and unpruned:
                raise self._ended_early(attempt, unpruned, [])
            if not changes:
                return self._done(attempt.planned, live, verification)
            if verification.spoilt:
                if not self._writer.text.switch(verification.spoilt):
                    break
                self._memory.text_form = self._writer.text.found
        kept = self._to_keep(attempt, self._incomplete(live), verification.keys)
        place = attempt.journal if attempt.of_plan(kept) else ""
        misread = Misread(verification.misread, self._writer.text.remedy(verification.spoilt))
        failed = not_as_wanted(attempt.planned, changes, self._known(live), number + 1, misread, place)
        raise self._kept(attempt, kept, failed)

    def _see_others(
        self, attempt: Attempt, verification: Verification, concurrent: ConcurrentWrites, live: LiveZone
    ) -> None:
        """What a reading shows of others in a set that a DELETE may take yet is to be there; from any thread."""
        self._writer.see_others(live, but=verification.keys)
        concurrent.see(live)
        with self._mutex:
            for key in filter(self._histories.pending_deletes, verification.keys):
                new = verification.require_external(live, key, partial(self._histories.new_values, key))
                live_set = live_set_of(live, key)
                if new and live_set:
                    known = values_of(self._external.get(key))
                    self._external[key] = replace(live_set, values=(*known, *new))
                    self._unkept.add(key)
                self._see_added(key, live_set)
            for key in [*self._unkept]:
                self._keep_external(attempt, key)

    def _see_added(self, key: Key, live_set: RecordSet | None) -> None:
        """Know what others have added to a set, be it what the task wants too, or wants to go: it may be put back."""
        was = values_of(self._entries[key].before) if key in self._entries else ()
        known = frozenset((*was, *values_of(self._histories.expected(key)), *self._histories.sent_values(key)))
        added = [value for value in values_of(live_set) if not is_among(key.type, value, known)]
        self._added_by_others.setdefault(key, {}).update(dict.fromkeys(self._histories.new_values(key, added)))

    def _keep_external(self, attempt: Attempt, key: Key) -> None:
        """Keep what others have added to a set that a DELETE may take yet, since a killed run has no end to tell it at.

        Where that cannot be, the next reading tries again, and the end tells why. The memory has it of a set that the
        journal lacks.
        """
        with suppress(StateError):
            if key in self._entries:
                self._journal.write(self._with_leftover(self._with_external(), attempt.planned))
            else:
                self._journal.write(None, self._doubtful(self._round, attempt.planned))
            self._unkept.discard(key)

    def _with_external(self) -> list[Entry]:
        """What the journal has to hold of this run, with what others have added since."""
        external = {key: added.values for key, added in self._external.items() if key in self._entries}
        found = {key: with_external(self._entries[key], values) for key, values in external.items()}
        return [*{**self._entries, **found}.values()]

    def _expect_external(self, histories: Histories) -> None:
        """Know what others have added to sets that a DELETE may take yet, and that the journal does not have."""
        for key in self._external.keys() - self._entries.keys():
            histories.expect_too(self._external[key])

    def _is_final(self, verification: Verification, live: LiveZone) -> bool:
        """Whether no later reading shows more; one that is as wanted can be older than what was just written."""
        live_set = partial(live_set_of, live)
        outdated = contradicted(self._histories, live, verification.keys)
        # A DELETE that may yet come can have taken all that was there before what was sent last.
        at_risk = (one.key for one in self._round if one.after and self._histories.unseen_deletes(one.key))
        unproven = (*self._unproven_texts, *at_risk)
        unread = [key for key in unproven if self._histories.may_be_earlier(key, live_set(key))]
        unread += [key for key in self._writer.seen_added if self._may_be_from_before(key, live_set(key))]
        is_doubtful = partial(self._is_doubtful, verification)
        return verification.is_final(live, is_outdated=bool(outdated or unread), is_doubtful=is_doubtful)

    def _is_doubtful(self, verification: Verification, change: Change) -> bool:
        """Whether a later reading may show otherwise what one shows to be still to do."""
        histories = self._histories
        is_misread_before = verification.is_misread(change) and histories.may_be_earlier(change.key, change.before)
        return is_misread_before or restores_unknown(histories, change)

    def _may_be_from_before(self, key: Key, live_set: RecordSet | None) -> bool:
        """Whether a reading may show a set as it was before a value was sent that only readings can prove."""
        histories = self._histories
        return histories.may_be_earlier(key, live_set) or histories.may_be_former(key, live_set)

    def _write_ahead(
        self, attempt: Attempt, changes: tuple[Change, ...], verification: Verification, *, is_first: bool
    ) -> None:
        """Journal every set of the names at which something is deleted, before the first call."""
        quoted = self._writer.text.quoted
        ahead, now = self._ahead(attempt, changes, verification), self._histories.clock()
        entries = {entry.key: replace(entry, at=now, quoted=quoted) for entry in ahead}
        self._entries |= entries
        for change in changes:
            if change.deletes:
                announced = self._histories.about_to_delete(change.key)
                self._entries[change.key] = replace(self._entries[change.key], history=announced)
        # A run that is killed does not come to tell what it left, nor in which form texts are to be sent.
        deletes = any(change.deletes for change in changes)
        self._round, creates = changes, {(change.key, value) for change in changes for value in change.creates}
        if not (deletes or creates - self._noted or self._memory.text_form != self._known_form):
            return
        self._noted = creates
        entries_kept = self._with_leftover(self._with_external(), attempt.planned) if deletes else None
        self._noted_at = now
        try:
            memory, room = self._doubtful(changes, attempt.planned), GROWS_TO if is_first else 1
            self._journal.write(entries_kept, memory, is_ahead=True, room=room)
        except StateError as error:
            if is_first:
                raise
            raise besides(not_as_wanted(attempt.planned, changes, self._live, 1), error) from error

    def _ahead(self, attempt: Attempt, changes: Iterable[Change], verification: Verification) -> Iterator[Entry]:
        """What the journal has to hold before these changes, besides what it holds."""
        names = {change.key.name for change in changes if change.deletes}
        before = {change.key: change.before for change in attempt.planned}
        for change in changes:
            if change.key.name in names:
                was = self._former(change, before[change.key])
                entry = Entry(change.key, was, change.after, is_made_anew=_is_made_anew(change))
                if change.key in verification.overwritten or _says_more(entry, attempt.entries.get(change.key)):
                    yield entry

    def _former(self, change: Change, before: RecordSet | None) -> RecordSet | None:
        """What a roll-back leads to: the set *before* the first round, with what others have added since.

        Of a set that was not there then, it is what the round finds, but for what is not wanted.
        """
        if change.key not in self._new or not change.before:
            return before
        there = (value for value in change.before.values if value not in change.wanted.unwanted)
        values = tuple(dict.fromkeys((*values_of(before), *there)))
        return replace(change.before, values=values) if values else before

    def _doubtful(self, changes: Iterable[Change], planned: Iterable[Change]) -> Memory:
        """What is known of the zone while these changes are under way, with what a late DELETE took meanwhile."""
        memory = replace(self._memory, histories=self._histories.copy())
        for change in planned:
            if change.before and change.after and not change.deletes and self._histories.may_have_gone(change.key):
                memory.histories.expect(change.key, self._expected(change, self._live))
        self._expect_external(memory.histories)
        for change in changes:
            memory.histories.expect_preferences(change.key, change.creates, deletes=change.deletes)
            if change.deletes:
                memory.histories.send(change.key, None)
            for value in change.creates:
                memory.histories.send(change.key, value, change.after.ttl if change.after else 0)
        return memory

    def _known(self, live: LiveZone) -> LiveZone:
        """What a reading shows, with the preferences of mail hosts that were sent."""
        known = self._histories.preferences
        live_sets = {key: live.record_sets[key] for key in known if key in live.record_sets}
        sets = {key: canonical_set(shown, live.name, known) for key, shown in live_sets.items()}
        return replace(live, record_sets={**live.record_sets, **sets}) if sets else live

    def _unit(
        self,
        attempt: Attempt,
        concurrent: ConcurrentWrites,
        verification: Verification,
        names: Names,
        changes: list[Change],
    ) -> Unit:
        name, as_planned = changes[0].key.name, changes
        changes = concurrent.look_before(as_planned)
        if changes is not as_planned:
            self._go_on_from(changes, verification)
        entries = [self._entries[entry.key] for entry in names.get(name, ())]
        ahead = Ahead(partial(self._keep, attempt), partial(self._note_again, attempt))
        return Unit(self._writer, changes, entries, self._histories, ahead, concurrent.lacking)

    def _go_on_from(self, changes: Iterable[Change], verification: Verification) -> None:
        """Others have written since these sets were planned: that goes into the journal before they are deleted."""
        for change in changes:
            self._histories.believe(change.key, change.before)
            with self._mutex:
                if change.key in self._entries:
                    before = self._former(change, verification.overwritten.get(change.key, change.before))
                    entry = replace(self._entries[change.key], before=before, after=change.after)
                    self._entries[change.key] = entry

    def _keep(self, attempt: Attempt, entry: Entry, *, is_new: bool = True) -> None:
        """Journal what is about to be deleted, where that *is_new* or was journaled long ago; from any thread.

        A recovery that comes at once tells by its time whether a reading may be from before the DELETE.
        """
        with self._mutex:
            now = self._histories.clock()
            if not is_new and now - self._entries[entry.key].at < ANNOUNCED_LASTS:
                return
            self._entries[entry.key] = entry
            for key, journaled in self._entries.items():
                self._entries[key] = replace(journaled, at=now)
            self._journal.write(self._with_leftover(self._with_external(), attempt.planned))

    def _note_again(self, attempt: Attempt) -> None:
        """Note which values are about to be added, where that was noted long ago; from any thread."""
        with self._mutex:
            now = self._histories.clock()
            if now - self._noted_at < NOTED_LASTS:
                return
            self._noted_at = now
            self._journal.write(None, self._doubtful(self._round, attempt.planned), is_ahead=True)

    def _with_leftover(self, entries: Iterable[Entry], changes: Iterable[Change]) -> list[Entry]:
        return with_leftover(entries, self._leftover.values(), changes, self._live)

    def _done(self, planned: tuple[Change, ...], live: LiveZone, verification: Verification) -> Applied:
        for change in planned:
            shown, expected = live_set_of(live, change.key), self._expected(change, live)
            self._histories.end_with(change.key, shown, expected)
            self._memory.see(change.key, shown)
        self._memory.kept_ttls |= verification.kept_ttls
        self._memory.end_plan(self._settings.reviewed)
        if self._ledger:
            self._memory.ledger = self._ledger.left_with(verification.returned)
        form = self._memory.text_form = self._writer.text.found or self._known_form
        changes = self._as_done(became(planned, self._known(live)))
        leftover = self._with_leftover((), planned)
        try:
            self._journal.write(leftover if self._entries or self._leftover else None, self._memory)
        except StateError as error:
            raise besides(all_made(planned, changes), error) from error
        new_form = form if form != self._known_form else ""
        may_go = [change.key for change in planned if change.after and self._has_left_a_delete(change.key)]
        made_anew = self._writer.deleted.intersection(
            change.key for change in planned if change.before and change.after
        )
        untold = made_anew - {change.key for change in changes if change.deletes}
        warnings = (*_oddities(verification, live, new_form), *_deleted_on_the_way(untold), *_may_be_deleted(may_go))
        return Applied(live, changes, warnings, tuple(leftover))

    def _has_left_a_delete(self, key: Key) -> bool:
        """Whether one of the DELETEs of this run had no answer, and may still be carried out."""
        return self._histories.unseen_deletes(key) > self._pending_before.get(key, 0)

    def _expected(self, change: Change, live: LiveZone) -> RecordSet | None:
        """The set as the run leaves it: as it is read, and with what a DELETE took along of it that came meanwhile."""
        live_set, may_have_gone = live_set_of(live, change.key), self._histories.may_have_gone(change.key)
        if change.before is None or change.after is None or change.deletes or not may_have_gone:
            return live_set
        there = live_set.values if live_set else ()
        rest = (value for value in change.before.values if not is_among(change.key.type, value, there))
        return replace(live_set or change.before, values=(*there, *rest))

    def _ended_early(self, attempt: Attempt, failures: list[Failure], not_begun: list[Key]) -> ApplyFailed:
        def shows_all(live: LiveZone) -> bool:
            is_open = any(self._may_be_otherwise(change, live_set_of(live, change.key)) for change in attempt.planned)
            return not (is_open or contradicted(self._histories, live))

        try:
            live = self._writer.read_until(shows_all)
            self._open_again(live)
        except ServiceError as error:
            return ended_early(attempt, failures, not_begun, error, ())
        backwards = {failure.key.name for failure in failures if failure.rolled_back}
        rest = [self._with_others(entry, live) for entry in self._incomplete(live, backwards)]
        begun = {change.key for change in attempt.planned} - set(not_begun)
        self._live = live
        kept = self._to_keep(attempt, rest, begun)
        failed = ended_early(attempt, failures, not_begun, self._known(live), attempt.of_plan(kept))
        return self._kept(attempt, kept, failed)

    def _may_be_otherwise(self, change: Change, live_set: RecordSet | None) -> bool:
        """Whether a later reading may show more of a set: a value that was taken, or what became of its texts."""
        is_unproven = self._writer.text.is_unproven(change.key, values_of(change.before))
        may_be_earlier = is_unproven and self._histories.may_be_earlier(change.key, live_set)
        return may_be_earlier or self._histories.lacks_accepted(change.key, live_set)

    def _open_again(self, live: LiveZone) -> None:
        """Know which DELETEs were not carried out though a reading showed no set: it was from before that was made.

        It may have been one where the set has all that it had, and a value of that which no answer says was added.
        """
        for key, deletes in self._writer.seen_removed.items():
            entry, live_set, expected = self._entries.get(key), live_set_of(live, key), self._histories.expected(key)
            if not (entry and entry.before and live_set):
                continue
            before, added = entry.before, self._writer.answered.get(key, ())
            former = [value for value in live_set.values if not is_among(key.type, value, values_of(expected))]
            has_former_ttl = bool(expected and expected.ttl != live_set.ttl == before.ttl)
            is_whole = live_set.ttl == before.ttl and not lacks(live, key, before)
            is_as_before = is_whole and not all(is_among(key.type, value, added) for value in before.values)
            if has_former_ttl or is_as_before or any(is_among(key.type, value, before.values) for value in former):
                self._histories.open_again(key, deletes)

    def _incomplete(self, live: LiveZone, backwards: Collection[str] = ()) -> list[Entry]:
        """The entries that a reading does not show to be complete; at the names that lead *backwards*, as they were."""
        pending = [key for key in self._entries if self._histories.pending_deletes(key)]
        entries = [self._as_before(one) if one.key.name in backwards else one for one in self._with_external()]
        return incomplete([one for one in entries if one.before or one.after], live, pending)

    def _as_before(self, entry: Entry) -> Entry:
        """The entry of a set that was put back, and with it what others were seen to add meanwhile."""
        return with_external(replace(entry, after=entry.before), self._added_by_others.get(entry.key, ()))

    def _with_others(self, entry: Entry, live: LiveZone) -> Entry:
        """The entry, and with it what others have added to its set, where a DELETE may take that yet."""
        is_at_risk = entry.before and self._histories.pending_deletes(entry.key)
        return with_what_is_of_others(entry, live_set_of(live, entry.key)) if is_at_risk else entry

    def _to_keep(self, attempt: Attempt, rest: list[Entry], begun: Collection[Key]) -> list[Entry]:
        """What the next run has to complete: of this run the *rest*, and of an earlier one what is not dealt with."""
        rest = [replace(entry, quoted=self._writer.text.quoted) for entry in rest]
        written = (change for change in attempt.planned if change.key in begun and change.key in self._histories.sets)
        return self._with_leftover(rest, written)

    def _kept(self, attempt: Attempt, entries: list[Entry], failed: ApplyFailed) -> ApplyFailed:
        """The failure, with the journal of what the next run has to complete; what was written since is of this one."""
        for change in attempt.planned:
            if self._histories.has(change.key, None):  # what is there by now can only have been sent without an answer
                self._histories.expect_preferences(change.key, change.creates, deletes=True)
        self._expect_external(self._histories)
        self._memory.text_form = "plain" if self._writer.text.keeps_quotes else self._known_form
        try:
            self._journal.write(entries, self._memory)
        except StateError as error:
            return besides(failed, error)
        return failed


def _says_more(entry: Entry, journaled: Entry | None) -> bool:
    """Whether the journal does not know the set yet, or only as one that is not there."""
    return journaled is None or (journaled.before is None and entry.before is not None)


def _is_made_anew(change: Change) -> bool:
    """Whether a set is deleted for the sake of the TTLs of its values alone, of which a journal keeps one."""
    return change.deletes and same_set(change.before, change.after)


def _check_sendable(writer: ZoneWriter, planned: Iterable[Change]) -> None:
    """What a rebuild deletes must be something that can be created again, and so must a text. Raises PlanRefused."""
    for change in planned:
        try:
            writer.check_sendable(change.key, change.creates if change.deletes else ())
            writer.text.check(change.key, change.creates)
        except InvalidRdata as error:
            if not change.deletes:
                raise PlanRefused(
                    f"{' '.join(change.key)} cannot be as wanted, {error}: "
                    "leave the value out, or set txt_format to quoted if the service does so no longer"
                ) from error
            raise PlanRefused(
                f"{' '.join(change.key)} must be rebuilt, and a value that it holds cannot be created again, "
                f"{error}: remove the set, or give it other values with exclusive"
            ) from error


def _oddities(verification: Verification, live: LiveZone, new_form: str) -> Iterator[str]:
    """What the service made of what was wanted, in words; *new_form* is that in which texts came back right."""
    if new_form:
        yield NEW_FORM.format("in quotes" if new_form == "quoted" else "without quotes", new_form)
    yield from kept_ttls_in_words(verification.kept_ttls)
    for key, (was, is_now) in verification.ttls_that_nobody_wants(live).items():
        yield (
            f"{' '.join(key)} had a TTL of {was} seconds, and has {is_now} since this task wrote to it: the service "
            "makes that of it, or somebody else has; set ttl where it is to have another one"
        )
    yield from map(returned, verification.returned)
    for key, values in verification.rejoined().items():
        shown = printable_part(", ".join(values))
        yield (
            f"{' '.join(key)} had {shown}, and each text of that was sent as one: texts are compared and sent as "
            "what their strings make together, so where each string counts, list the set in ignore"
        )
    for key, values in verification.removed_beside(live).items():
        shown = printable_part(", ".join(values))
        yield (
            f"{' '.join(key)} lacks {shown}, which was there before this task wrote to the name and which it does not "
            "remove: somebody else did, or the service; add it again if it is to be there"
        )
    for key, wrong in verification.still_misread(live).items():
        shown = printable_part(", ".join(wrong))
        yield f"{' '.join(key)} holds {shown}, which the service made of texts that were sent before: take that out"
    for change in verification.undone(live):
        yield (
            f"{' '.join(change.key)} is not as the task wants it any more, because somebody else changed it while the "
            "reviewed plan was carried out: make the plan anew, and have it reviewed"
        )
    yield from external_removed_in_words(verification.external_removed)


def _deleted_on_the_way(keys: Iterable[Key]) -> Iterator[str]:
    """The warning about sets that were deleted on the way, if there are any, though their changes do not tell."""
    if names := sorted(" ".join(key) for key in keys):
        was, it = ("was", "it") if len(names) == 1 else ("were", "each")
        yield f"{some_names(names)} {was} gone for a moment: {it} was deleted and made anew on the way"


def _may_be_deleted(keys: Sequence[Key]) -> Iterator[str]:
    """The warning about sets of which a deletion had no answer, if there are any."""
    if keys:
        yield (
            f"a deletion of {some_names([' '.join(key) for key in keys])} had no clear answer, and the service may yet "
            "carry it out within ten minutes: run the task again after that, which adds again what is gone"
        )


def returned(key: Key) -> str:
    """The warning about a set that was deleted and came back."""
    return f"{' '.join(key)} was removed and is there again: where the service makes it itself, list it in ignore"


def shown_once_more(key: Key) -> str:
    """The warning about a set that was deleted, that one more reading showed, and that later ones lack."""
    return (
        f"{' '.join(key)} was shown once more after it had been deleted, and is gone: the reading was an old one, or "
        "somebody had added it again, and a late deletion took it; then add it once more"
    )
