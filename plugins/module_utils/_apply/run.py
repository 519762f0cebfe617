# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run on one zone, by the seven rules of docs/design.md."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from .._api.answers import ServiceError
from .._api.client import Client, Snapshot
from .._api.stale_snapshots import read_until
from .._dns.rdata import same_values
from .._dns.record_set import Key, RecordSet, RecordSets, same_set, values_of
from .._dns.sending import as_sent, misread_in, respelled_in
from .._log.document import Document
from .._log.entry import is_settled, minus, over, still_kept
from .._plan.change import Change, PlanRefused
from .._plan.ttl import kept_ttls_in_words
from .._state.store import StateError, Store, this_run
from .._threads import Threads, outlasting_threads
from . import messages
from .look import MakePlan, find, with_spelling
from .outcome import ApplyFailed, Found, Step, ZoneOutcome, shown_sets
from .owner_name import Ended, Failure, OwnerName, make_all
from .requests import Requests, refuse_unsendable
from .text_form import TextForm
from .zone_log import ZoneLog

ROUNDS = 3


class Settings(NamedTuple):
    """*plan_again* plans later rounds, *refuse_further* limits them. *reviewed* is a digest, or empty."""

    txt_format: str
    concurrency: Threads
    plan_again: MakePlan
    refuse_further: Callable[[RecordSets, Sequence[Change], Sequence[Change]], None]
    reviewed: str = ""


def carry_out(
    client: Client,
    found: Found,
    make_plan: MakePlan,
    store: Store,
    settings: Settings,
    warnings: list[str],
    *,
    is_aged: bool = False,
) -> ZoneOutcome:
    """Carry out what was *found*; plan again if it *is_aged*.

    Raises ServiceError and PlanRefused before any write, ApplyFailed after, and StateError, which names values of
    others that no log keeps.
    """
    with ExitStack() as held:
        try:
            document = held.enter_context(outlasting_threads(store.lock()))
        except StateError as error:
            if lost := messages.may_be_taken(found):
                raise StateError(f"{error}; {lost}") from error
            raise
        run = Run(client, store, document, found.snapshot, settings)
        try:
            if is_aged or document != found.document or _undoes_concurrent_writes(found):
                found = run.look_again(found, make_plan)
            return run.make(found)
        finally:
            warnings += run.warnings


def _undoes_concurrent_writes(found: Found) -> bool:
    """Whether a step recovers something, or undoes concurrent writes if the snapshot is stale."""
    is_unfinished = any(entry.is_unfinished for entry in found.log.values())
    return is_unfinished or any(step.change.undoes_concurrent_writes for step in found.steps)


class Run:
    def __init__(
        self,
        client: Client,
        store: Store,
        document: Document,
        snapshot: Snapshot,
        settings: Settings,
    ):
        self._settings = settings
        self._log = ZoneLog(store, document)
        text = TextForm(settings.txt_format, document.text_form, snapshot.record_sets)
        self._requests = Requests(client, snapshot, self._log, text)
        self._first: dict[Key, Step] = {}  # each set's first step
        self._forgone: dict[Key, Failure | None] = {}  # given up for further rounds, and why
        self._misread: dict[Key, set[str]] = {}  # altered texts, which are to go
        self.warnings: list[str] = []

    @property
    def has_begun(self) -> bool:
        return bool(self._requests.expected)

    @property
    def recovered(self) -> tuple[Change, ...]:
        begun = tuple(step.change for step in self._first.values() if not step.planned)
        return messages.became(begun, self._shown(self._requests.latest)) if self.has_begun else ()

    @property
    def _planned(self) -> tuple[Change, ...]:
        return tuple(change for key in sorted(self._first) if (change := self._first[key].planned))

    def look_again(self, earlier: Found, make_plan: MakePlan) -> Found:
        """Raises ServiceError and PlanRefused."""

        def shows_no_less(snapshot: Snapshot) -> bool:
            # What another run has written meanwhile is in the log.
            known = {
                key
                for key, entry in self._log.entries.items()
                if entry != earlier.document.entries.get(key)
            }
            going = {
                step.key: step.change.before
                for step in earlier.steps
                if step.change.deletes and step.key not in known
            }
            return not any(
                minus(before, self._requests.shown(snapshot, key)) for key, before in going.items()
            )

        return self._find(self._read_settled(shows_no_less), make_plan)

    def make(self, found: Found) -> ZoneOutcome:
        """Up to three rounds. Raises PlanRefused and StateError before any write, ApplyFailed after."""
        first, steps = found, found.steps
        self.warnings += messages.too_old(found.document, self._log.now())
        self._requests.guessed += messages.put_back_unseen(found.log, self._shown(found.snapshot))
        refuse_unsendable(found.plan.changes, self._requests.text)
        self._begin(found)
        number = 0
        while steps:
            if number == ROUNDS:
                raise self._not_as_desired([step.change for step in steps], found.snapshot, ROUNDS)
            self._save_ahead(found, steps, number)
            ended = make_all(
                steps, partial(OwnerName, self._requests, self._log), self._settings.concurrency
            )
            self._log.forget(ended.not_begun, found.log)
            snapshot = self._settled(steps, ended)
            if ended.is_early:
                early = partial(
                    messages.ended_early, failures=ended.failures, not_begun=ended.not_begun
                )
                raise self._failed(snapshot, early)
            self._forgo(steps, ended.failures, snapshot)
            self._judge(steps, snapshot)
            found = self._remaining(snapshot)
            steps = tuple(step for step in found.steps if step.key not in self._forgone)
            number += 1
        return self._done(first, found.snapshot)

    def _shown(self, snapshot: Snapshot) -> dict[Key, RecordSet]:
        return shown_sets(snapshot, {*self._log.entries, *self._first}, self._log.preferences)

    def _as_log_sees(self, snapshot: Snapshot) -> dict[Key, RecordSet]:
        """Like _shown, with texts that the service altered as they were sent, so they do not look missing."""
        expected, going = self._requests.expected, self._misread
        return {
            key: as_sent(one, expected.get(key), self._before(key), going.get(key, ()))
            for key, one in self._shown(snapshot).items()
        }

    def _before(self, key: Key) -> RecordSet | None:
        """What this run did not send of a set: its old values, unless they were deleted."""
        return (
            self._first[key].held
            if key in self._first and key not in self._requests.deleted
            else None
        )

    def _read_settled(
        self,
        also: Callable[[Snapshot], bool] = lambda _snapshot: True,
        failed: Collection[str] = (),
    ) -> Snapshot:
        """A settled snapshot; at names that *failed*, it must agree with the answers."""
        expected, log = self._requests.expected, self._log.entries
        log = {
            **log,
            **{
                key: replace(log[key], desired=one)
                for key, one in expected.items()
                if key.name in failed
            },
        }
        return read_until(
            self._requests.read,
            lambda snapshot: (
                is_settled(log, self._as_log_sees(snapshot), self._log.now()) and also(snapshot)
            ),
        )

    def _find(self, snapshot: Snapshot, make_plan: MakePlan) -> Found:
        return find(snapshot, self._log.current, make_plan, self._log.now(), self._misread)

    def _begin(self, found: Found) -> None:
        """Ledger and reviewed plan are begun; old entries are quarantined."""
        now = self._log.now()
        document = self._log.document.with_old_quarantined(now)
        if found.plan.ledger:
            document = replace(document, ledger=found.plan.ledger.begun)
        if digest := self._settings.reviewed:
            document = document.with_plan_begun(digest, now, this_run())
        self._log.document = document
        self._log.entries = dict(found.log)

    def _save_ahead(self, found: Found, steps: Sequence[Step], number: int) -> None:
        """Log the next round. Raises StateError before the first, ApplyFailed before others."""
        planned = self._planned
        for step in steps:
            self._first.setdefault(step.key, step)
        self._log.entries = dict(found.log)
        try:
            if number:
                self._settings.refuse_further(
                    found.snapshot.record_sets, planned, [step.change for step in steps]
                )
            self._log.begin(steps)
            self._log.save()
        except (PlanRefused, StateError) as error:
            if not number:
                raise
            raise self._failed(
                found.snapshot, partial(messages.not_continued, error=error)
            ) from error

    def _settled(self, steps: Sequence[Step], ended: Ended) -> Snapshot:
        """Read the zone, and settle the log. Raises ApplyFailed."""
        failed = {failure.key.name for failure in ended.failures}
        try:
            snapshot = self._read_settled(failed=failed)
        except ServiceError as error:
            early = partial(
                messages.ended_early,
                failures=ended.failures,
                not_begun=ended.not_begun,
                unread=error,
            )
            unverified = partial(messages.not_verified, error=error)
            raise self._failed(None, early if ended.failures else unverified) from error
        keys = [step.key for step in steps if step.key in self._log.entries]
        self._log.settle(keys, self._as_log_sees(snapshot), failed)
        return snapshot

    def _forgo(self, steps: Sequence[Step], stopped: Sequence[Failure], snapshot: Snapshot) -> None:
        for failure in stopped:
            of_name = [step for step in steps if step.key.name == failure.key.name]
            if not any(step.is_of_task for step in of_name):
                entries = {step.key: self._log.entries[step.key] for step in of_name}
                self.warnings.append(messages.not_finished(entries, failure.error))
            self._forgone |= {step.key: failure if step.is_of_task else None for step in of_name}
        self.warnings += [
            messages.completed(step.key, self._log.entries[step.key])
            for step in steps
            if step is self._first[step.key] and not step.planned and step.key not in self._forgone
        ]
        for step in steps:
            if (
                step.change.desired.pruned
                and step.key in snapshot.record_sets
                and step.key not in self._forgone
            ):
                self._forgone[step.key] = None
                self.warnings.append(messages.returned(step.key))

    def _judge(self, steps: Sequence[Step], snapshot: Snapshot) -> None:
        """Find texts and TTLs that the service altered. Raises ApplyFailed."""
        shown, altered_as_sent = self._shown(snapshot), set[tuple[Key, str]]()
        kept_ttls = dict[Key, tuple[int, int]]()
        for key, after in ((step.key, step.change.after) for step in steps):
            there, sent, before = (
                shown.get(key),
                self._requests.expected.get(key),
                self._before(key),
            )
            made = misread_in(there, sent, before)
            self._misread.setdefault(key, set()).update(made)
            altered_as_sent |= {(key, value) for value in made.values()}
            self._know_spelling(key, respelled_in(there, sent, before))
            has_values = same_values(key.type, values_of(there), values_of(after))
            if there and after and has_values and not before and there.ttl != after.ttl:
                kept_ttls[key] = after.ttl, there.ttl
                entry = self._log.entries[key]
                self._log.entries[key] = replace(
                    entry, before=entry.desired
                )  # its old values prove nothing now
        if kept_ttls:
            document = self._log.document
            self._log.document = replace(document, kept_ttls={**document.kept_ttls, **kept_ttls})
            self.warnings += kept_ttls_in_words(kept_ttls)
        if altered_as_sent and not self._requests.text.switch(altered_as_sent):
            keys = {key for key, _value in altered_as_sent}
            changes = [step.change for step in steps if step.key in keys]
            raise self._not_as_desired(changes, snapshot, 1)

    def _know_spelling(self, key: Key, spelled: Mapping[str, str]) -> None:
        """Remember how the service spells values: sent again, they come back the same."""
        if spelled:
            document = self._log.document
            known = {**document.respelled, key: {**document.respelled.get(key, {}), **spelled}}
            self._log.document = replace(document, respelled=known)
            self.warnings += [
                messages.respelled(key, shown, sent) for shown, sent in spelled.items()
            ]

    def _remaining(self, snapshot: Snapshot) -> Found:
        """Raises ApplyFailed."""
        snapshot = with_spelling(snapshot, self._log.document.respelled)
        try:
            return self._find(snapshot, self._settings.plan_again)
        except PlanRefused as error:
            raise self._failed(snapshot, partial(messages.not_continued, error=error)) from error
        except Exception as error:  # whatever it is, report what was done
            raise self._failed(snapshot, partial(messages.not_verified, error=error)) from error

    def _not_as_desired(
        self, remaining: Sequence[Change], snapshot: Snapshot, rounds: int
    ) -> ApplyFailed:
        misread = {key: values for key, values in self._misread.items() if values}
        sent = {
            (key, value) for key in misread for value in values_of(self._requests.expected.get(key))
        }
        remedy = self._requests.text.remedy(sent)
        in_words = partial(
            messages.not_as_desired,
            remaining=remaining,
            rounds=rounds,
            misread=misread,
            remedy=remedy,
        )
        return self._failed(snapshot, in_words)

    def _end_log(self, snapshot: Snapshot) -> None:
        """Keep pending entries. If nothing was carried out, the snapshot counts."""
        shown = self._shown(snapshot)
        held = over(self._log.entries, shown)
        for key, entry in self._log.entries.items():
            if not entry.pending_until:
                self._log.entries[key] = entry.with_desired(held.get(key))
        self._log.entries = still_kept(self._log.entries, shown, self._log.now())

    def _failed(
        self, snapshot: Snapshot | None, in_words: Callable[[messages.Attempt], ApplyFailed]
    ) -> ApplyFailed:
        """Save the document."""
        if snapshot:
            self._end_log(snapshot)
        expected, first = self._requests.expected, self._first
        written = {
            key for key, one in expected.items() if not same_set(one, first[key].change.before)
        }
        shown = self._shown(snapshot) if snapshot else None
        failed = in_words(
            messages.Attempt(
                self._planned, self._log.entries, self._log.store.place, shown, written
            )
        )
        failed.changes, failed.recovered = self._as_made(failed.changes), self.recovered
        self.warnings += self._final_warnings()
        form = "plain" if self._requests.text.keeps_quotes else self._log.document.text_form
        try:
            self._log.end(self._document(snapshot, text_form=form))
        except StateError as error:
            return messages.besides(failed, error)
        return failed

    def _done(self, first: Found, snapshot: Snapshot) -> ZoneOutcome:
        """Save the document. Raises ApplyFailed."""
        if refused := [failure for failure in self._forgone.values() if failure]:
            raise self._failed(
                snapshot, partial(messages.ended_early, failures=refused, not_begun=())
            )
        self._end_log(snapshot)
        known, form = self._log.document.text_form, self._requests.text.found
        document = self._document(snapshot, text_form=form or known)
        document = document.with_plan_ended(self._settings.reviewed)
        if first.plan.ledger:
            may_return = {
                key
                for key, entry in self._log.entries.items()
                if entry.pending_until and entry.removed
            }
            document = replace(
                document, ledger=first.plan.ledger.after_with(may_return.union(self._forgone))
            )
        changes = self._as_made(messages.became(self._planned, self._shown(snapshot)))
        self.warnings += [messages.NEW_FORM[form]] if form and form != known else []
        self.warnings += self._final_warnings()
        try:
            self._log.end(document)
        except StateError as error:
            if not self.has_begun:
                raise
            raise messages.not_kept(self._planned, changes, self.recovered, error) from error
        return ZoneOutcome(snapshot, document, first.plan._replace(changes=changes), self.recovered)

    def _document(self, snapshot: Snapshot | None, text_form: str) -> Document:
        document = replace(self._log.current, text_form=text_form)
        keys = {*document.preferences, *document.kept_ttls, *document.respelled}
        return document.still_needed(shown_sets(snapshot, keys)) if snapshot else document

    def _as_made(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        kept = {
            key for key, step in self._first.items() if step.change.before
        } - self._requests.deleted.keys()
        return tuple(replace(change, was_kept=change.key in kept) for change in changes)

    def _final_warnings(self) -> list[str]:
        entries = {
            key: self._log.entries[key] for key in self._log.unanswered if key in self._log.entries
        }
        return [*map(messages.guessed, self._requests.guessed), *messages.may_still_come(entries)]
