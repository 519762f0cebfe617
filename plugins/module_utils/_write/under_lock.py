# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run does to a zone while it has the lock: read, complete what an interrupted run left, plan, carry out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import NOTHING, Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import READ_BACKOFF, read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal, Kept
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import (
    Applier,
    Settings,
    returned,
    shown_once_more,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import (
    Judge,
    contradicted,
    lacking,
    live_set_of,
    made_anew,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.checked_entry import checked_entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write.concurrent_writes import lasting
from ansible_collections.zonesmith.dns.plugins.module_utils._write.converge import Converged, Foreseen, Progress
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import became
from ansible_collections.zonesmith.dns.plugins.module_utils._write.heal import Healer, given_up
from ansible_collections.zonesmith.dns.plugins.module_utils._write.read_before_lock import locked
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import (
    MakePlan,
    Reading,
    Readings,
    late_entries,
    looked_for,
    see_others,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._write.recovery import (
    found_as_wanted,
    plan_once_complete,
    with_what_came_late,
    without_absent,
    without_given_up,
    without_unwanted,
)

MOST_AGAIN = 3


def carry_out(
    client: Client,
    foreseen: Foreseen,
    make_plan: MakePlan,
    journal: Journal,
    settings: Settings,
    progress: Progress,
    *,
    is_aged: bool = False,
) -> Converged:
    """Bring a zone to where *make_plan* leads, from what was *foreseen*; where that *is_aged* it is read again first.

    What an earlier run left is finished first. *progress* tells what was completed, also where the rest fails.
    Raises ServiceError and PlanRefused before any write of its own, ApplyFailed after, and StateError where the journal
    or the lock cannot be kept.
    """
    reading, planned = foreseen.reading, foreseen.plan
    with locked(reading, journal) as kept:
        run = LockedRun(client, journal, settings, reading, kept.memory, progress)
        state = "failed"
        is_other_ledger = kept.memory.ledger != reading.kept.memory.ledger
        overtaken = reading.is_overtaken or kept.last_write != reading.kept.last_write or is_other_ledger
        try:
            if reading.is_disputed and not overtaken:
                run.concede()
            is_open_to_others = any(change.depends_on_others for change in planned.changes)
            if not reading.is_settled or reading.earlier or is_aged or overtaken or is_open_to_others:
                run.read_and_heal(make_plan)
                once_complete = plan_once_complete(make_plan, run.memory, run.live, run.leftover).changes
                planned = make_plan(run.live.record_sets, run.memory)
                run.give_up_unwanted(planned, once_complete)
            run.see_more()
            if planned.changes:
                planned = run.heal_again(run.apply(planned))
                run.see_more()
            else:
                run.end_without_writing(planned)
            state = "changed"
        finally:
            if state == "failed" and not run.has_begun:
                run.see_leftover()
            run.remember()
            if run.has_begun or run.progress.recovered:
                journal.store.tell(state)
    after = Kept(journal.store.released, memory=run.memory)
    return Converged(Reading(run.live, after), planned, run.progress.recovered)


class LockedRun:
    """What is known of the zone while the run has the lock, and the steps that change that."""

    def __init__(
        self,
        client: Client,
        journal: Journal,
        settings: Settings,
        reading: Reading,
        memory: Memory,
        progress: Progress,
    ):
        self._client = client
        self._journal = journal
        self._settings = settings
        self._readings = Readings(client, reading.zone, reading.earlier)
        self._shown_more_at = -math.inf  # when a reading was made that showed a value which a later one lacks
        self.live = reading.zone
        self.progress = progress
        self.memory = memory
        self._histories = memory.histories
        self.has_begun = False
        self.leftover = tuple(journal.pending(partial(checked_entry, self.live.name)))
        for entry in self.leftover:
            self._histories.recall(entry.known)

    def _read(self) -> LiveZone:
        """The zone as it is now, and what it shows of others known, but of sets that recovery has yet to judge."""
        live, left = self._readings.read(), {entry.key for entry in self.leftover}
        self._histories.see_others(live.record_sets.keys() - left, partial(live_set_of, live))
        return live

    def see_leftover(self) -> None:
        """Know what readings have shown of others in sets that are yet to be completed: the run ends before that."""
        for live in self._readings.all:
            see_others(self._histories, live, {entry.key for entry in self.leftover})

    def concede(self) -> None:
        """Take the reading as it is: what is missing there was taken late, or others have undone it.

        Where anything speaks against it, all patience is spent.
        """
        late = late_entries(self._histories, self.live)
        self.leftover = with_what_came_late(self.leftover, late, self.live)
        for key in contradicted(self._histories, self.live):
            if self._histories.has(key, None):
                self._journal.warnings.append(returned(key))
        self._histories.concede(partial(live_set_of, self.live))

    def see_more(self) -> None:
        """Know of a set that a DELETE may take yet what it holds by now: whoever has added it, it comes back.

        The zone was read for other sets. Where that shows one as it was before it was deleted, later readings tell
        whether somebody has added it again; where it is gone in them, nobody can tell.
        """
        if once_more := self._shown_once_more(self.live):
            with suppress(ServiceError):
                self.live = read_until(self._read, lambda live: not self._shown_once_more(live), first=self.live)
            self._journal.warnings += [shown_once_more(key) for key in once_more if key not in self.live.record_sets]
        self._histories.see_more(partial(live_set_of, self.live), machine().monotonic() - self.live.read_at)

    def _shown_once_more(self, live: LiveZone) -> list[Key]:
        """The sets that a DELETE may take yet, and that a reading shows as they were before they were deleted."""
        at_risk = self._histories.may_be_taken(partial(live_set_of, live))
        return [key for key, shown in at_risk if shown and self._histories.is_outdated(key, shown)]

    def read_and_heal(self, make_plan: MakePlan) -> None:
        """Read the zone, and complete what an interrupted run left; what is gone, to what the task wants.

        So is what a DELETE takes late while that goes on, as long as something new is: MOST_AGAIN times at most, since
        who hides sets again and again is waited for each time.
        """
        self._read_and_heal_once(make_plan)
        tried = set[tuple[Key, int]]()
        for _again in range(MOST_AGAIN):
            late = self._late_deletes() - tried
            if not late:
                break
            tried |= late
            self._read_and_heal_once(make_plan)

    def _late_deletes(self) -> set[tuple[Key, int]]:
        """The sets that a DELETE has taken late, and how many of each may still come."""
        late = self._histories.taken_late(partial(live_set_of, self.live))
        return {(one.key, self._histories.pending_deletes(one.key)) for one in late}

    def _read_and_heal_once(self, make_plan: MakePlan) -> None:
        self._read_until_believable(make_plan)
        self.concede()
        if self.leftover:
            of_run = (self._journal, self._settings.concurrency, self.memory)
            healer = Healer(self._writer(), *of_run, make_plan)
            try:
                healed = healer.heal(self.live, self.leftover, self._read)
            finally:
                self.progress.recovered = (*self.progress.recovered, *healer.recovered)
                self.progress.is_in_doubt |= healer.is_in_doubt
            self.live, self.leftover = self._readings.take(healed.zone), healed.leftover
            if self._readings.earlier:
                self._read_until_believable(make_plan, self.live)

    def _read_until_believable(self, make_plan: MakePlan, first: LiveZone | None = None) -> None:
        """Go on from a reading that nothing speaks against, or from the last one; *first* is there."""
        self.live = read_until(self._read, self._is_enough(make_plan), first=first)
        self.live = looked_for(self._read, self.live, self.memory, make_plan)
        for _again in range(MOST_AGAIN):  # the last reading was not asked, and may be older than those before it
            if not (self._readings.earlier or machine().monotonic() - self._shown_more_at < sum(READ_BACKOFF)):
                break
            self.live = read_until(self._read, self._is_enough(make_plan), first=self.live)

    def _is_enough(self, make_plan: MakePlan) -> Callable[[LiveZone], bool]:
        """Tells of readings one after the other whether no later one is to be waited for."""
        judge = Judge()

        def is_enough(live: LiveZone) -> bool:
            is_in_doubt = not self._knows_earlier(live, make_plan)
            return judge.believes(self._histories, live, is_in_doubt=is_in_doubt)

        return is_enough

    def _knows_earlier(self, live: LiveZone, make_plan: MakePlan) -> bool:
        """Know what earlier readings showed of sets that are at stake, and this one lacks, which may be older.

        Those are the sets that are to be changed, and those that a DELETE may take yet; any, where what would be done
        as of this one is refused, since the next one may be older and lead to what is not. So may it be where it shows
        a value that an earlier one lacked, if that would be made anew with its set or a DELETE may have taken it.
        Whether it is certain which of them is.
        """
        readings, self._readings.earlier = self._readings.earlier, []
        if not readings:
            return True
        changes = [self._changes(make_plan, reading) for reading in (live, *readings)]
        open_sets = {*filter(self._histories.may_have_gone, self._histories.sets)}
        changed = open_sets | {change.key for of_reading in changes for change in of_reading or ()}
        at_stake = open_sets | {change.key for change in changes[0] or () if made_anew(change)}
        is_certain = True
        for earlier in readings:
            seconds, lacks = machine().monotonic() - earlier.read_at, {*lacking(live, earlier)}
            if lacks:
                self._shown_more_at = max(self._shown_more_at, earlier.read_at)
            known = [
                *(
                    self._histories.see_before(key, live_set_of(earlier, key), seconds)
                    for key in (lacks if changes[0] is None else changed & lacks)
                ),
                *(
                    self._histories.is_surely_older(key, live_set_of(earlier, key), seconds)
                    for key in at_stake.intersection(lacking(earlier, live))
                ),
            ]
            is_certain &= all(known)
            if not all(known) and seconds < sum(READ_BACKOFF):  # the next reading is held against it too
                self._readings.earlier.append(earlier)
        return is_certain

    def _changes(self, make_plan: MakePlan, live: LiveZone) -> tuple[Change, ...] | None:
        """What would be changed as of a reading; None where that is refused, which is for the last one to say."""
        with suppress(PlanRefused):
            return make_plan(live.record_sets, self.memory).changes
        return None

    def give_up_unwanted(self, planned: Plan, once_complete: Iterable[Change]) -> None:
        """Drop the entries of sets that the task finds as it wants them, or of which it wants gone what is missing."""
        found = found_as_wanted(self.leftover, self.live, planned.stays)
        for key, expected in found.items():
            self._histories.expect(key, expected)
        rest = [entry for entry in self.leftover if entry.key not in found]
        kept = [*without_absent(rest, self.live, planned.stays)]
        leftover = without_unwanted(kept, self.live, once_complete, planned.changes)
        leftover = without_given_up(leftover, planned.ledger)
        if leftover != [*self.leftover]:
            stay = {entry.key for entry in leftover}
            self._journal.warnings += map(given_up, sorted({entry.key for entry in kept} - stay))
            self._histories.expect_removed({entry.key for entry in rest} - stay)
            self._journal.write(leftover, self.memory)
            self.leftover = tuple(leftover)

    def apply(self, planned: Plan) -> Plan:
        """The plan, with what became of it."""
        of_run = (self._journal, self.memory, self._settings, self.leftover)
        applier = Applier(self._writer(), self.live, *of_run, planned.ledger)
        self.has_begun = True
        applied = applier.carry_out(planned.changes, planned.stays)
        self.live, self.leftover = applied.zone, applied.leftover
        self._readings = Readings(self._client, self.live)
        return planned._replace(changes=applied.changes, warnings=(*planned.warnings, *applied.warnings))

    def end_without_writing(self, planned: Plan) -> None:
        """Keep what becomes of the ledger, and know that the reviewed plan is carried out. Raises StateError."""
        if planned.ledger and planned.ledger.is_new:
            self.memory.ledger = planned.ledger.left
            self._journal.write(None, self.memory)
        self.memory.end_plan(self._settings.reviewed)

    def heal_again(self, applied: Plan) -> Plan:
        """Create again what a late DELETE has taken along while a plan was carried out; that, with what became of it.

        What is created again of its own sets is not told beside it.
        """
        late, recovered = late_entries(self._histories, self.live), self.progress.recovered
        if not late:
            return applied
        try:
            self.read_and_heal(lambda _live, _memory: NOTHING)
        except ServiceError as error:
            self._journal.warnings += (
                f"{' '.join(entry.key)} may have been deleted late, by a request without an answer, and the zone "
                f"cannot be read, {clause(error)}: the next run looks again"
                for entry in late
            )
        keys = {change.key for change in applied.changes}
        again = (change for change in self.progress.recovered[len(recovered) :] if change.key not in keys)
        self.progress.recovered = (*recovered, *again)
        return applied._replace(changes=became(applied.changes, self.live))

    def remember(self) -> None:
        """Keep what was written; where that cannot be, a run that failed has told why, and the memory is no loss."""
        with suppress(StateError):
            self._journal.end(self.memory)

    def _writer(self) -> ZoneWriter:
        form = self.memory.text_form

        def hold(*, is_urgent: bool) -> None:
            try:
                self._journal.store.hold(is_urgent=is_urgent)
            except StateError as error:
                raise ServiceError(str(error)) from error

        settings, was_quoted = self._settings, any(entry.quoted for entry in self.leftover)
        of_zone = (self._client, self.live, self._histories, settings.txt_format, form, hold)
        warn, lasts = self._journal.warnings.append, lasting(settings.refuse_round)
        return ZoneWriter(*of_zone, warn=warn, was_quoted=was_quoted, lasts=lasts)
