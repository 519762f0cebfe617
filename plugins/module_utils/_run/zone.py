# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One zone in one run of a writing module: from what is wanted to the result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime, timezone
from math import ceil
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import DRIFT, Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, canonical_set, diff_of, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._run.findings_report import FindingsReport
from ansible_collections.zonesmith.dns.plugins.module_utils._run.garbage import collected
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.owner import owner_of
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import LONGEST_TIMEOUT
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import Threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.under_way import Concurrency
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply_failed import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._write.converge import Converged, Foreseen, foresee, preview
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import FRESH

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ledger_step import LedgerStep
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import External
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.owners import Owner
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.plan_dir import PlanFile
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import Unmet
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.waiting import Waiting


def converge_zone(
    invocation: Invocation, wanted: Iterable[Wanted], limits: Limits = UNLIMITED, concurrency: Concurrency = 1
) -> tuple[Converged, dict[str, Any]]:
    """Give the zone the wanted sets, or tell what that would change; the outcome, and the result to return."""
    run = ZoneRun(invocation, wanted, limits, concurrency)
    run.look(shares_readings=True)
    if run.unmet:
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import told_of_unmet

        invocation.warnings.extend(told_of_unmet(invocation.options, run.unmet, "the zone"))
    run.keep_plan()
    if not run.is_done:
        client = invocation.client(concurrency)
        run.write(client.threads)
    invocation.shared.remember(invocation.connection, run.outcome.reading)
    run.wait()
    return run.outcome, run.result


def forget_plan(invocation: Invocation) -> None:
    """In check mode, remove the plan of an earlier run before anything can fail. Raises InvalidOptions."""
    if invocation.check_mode and (folder := invocation.options["plan_dir"]):
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.plan_dir import PlanFile

        PlanFile(folder, invocation.zone).keep("")


def _waiting(zone: str, invocation: Invocation) -> Waiting | None:
    """Whom a task asks; None where it says nothing of it. Raises InvalidOptions."""
    options = invocation.options
    if not (options["wait"] or options["wait_nameservers"]) and 0 < options["wait_timeout"] <= LONGEST_TIMEOUT:
        return None
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.waiting import Waiting

    return Waiting(zone, options, check_mode=invocation.check_mode)


class ZoneRun:
    """One zone on its way, step by step: a look, the writes, the wait. What is done goes to *invocation*.

    *zones* are the canonical names of all that the task is about. Raises InvalidOptions and StateError; each step
    raises what its parts do.
    """

    def __init__(
        self,
        invocation: Invocation,
        wanted: Iterable[Wanted],
        limits: Limits = UNLIMITED,
        concurrency: Concurrency = 1,
        zones: Collection[str] = (),
    ):
        self._invocation = invocation
        self._wanted = list(wanted)
        self._limits = limits
        self._zone = invocation.zone
        self._zones = zones
        self._waiting = _waiting(self._zone, invocation)
        self._client = invocation.client(concurrency)
        self._journal = invocation.journal(self._client)
        self._owner = owner_of(invocation.options)
        self._wishes: Sequence[Wanted] = self._wanted
        self._awaited: Sequence[Wanted] | None = None  # where others have values in the zone too
        self._findings_report = FindingsReport(self._zone, invocation.options, limits)
        folder = invocation.options.get("plan_dir")
        self._plan_file: PlanFile | None = None
        if folder:
            from ansible_collections.zonesmith.dns.plugins.module_utils._run.plan_dir import PlanFile

            self._plan_file = PlanFile(folder, self._zone)
        self._reviewed = self._plan_file.reviewed() if self._plan_file and not invocation.check_mode else None
        self._cached: dict[Key, int] = {}
        self._ended = 0.0
        self._protected: set[Key] = set()
        self._is_bounded = self._reviewed is not None or limits.bound_what_is_new
        self._foreseen: Foreseen | None = None
        self._is_recalled = False
        self._outcome: Converged | None = None
        self.unmet: Unmet = {}
        """The globs of the task that match nothing of what the zone holds, or is to hold; known after the look."""

    @property
    def _is_waited_for(self) -> bool:
        return self._waiting is not None and self._waiting.is_asked_for

    @property
    def outcome(self) -> Converged:
        """What was found and done."""
        if self._outcome is None:
            raise AssertionError("it is asked for after the steps")
        return self._outcome

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to write."""
        return self._outcome is not None

    def look(self, *, shares_readings: bool = False) -> None:
        """Find out what has to be done; in check mode, all that the real run would do.

        With *shares_readings* a reading of a run before this one in the same process will do.
        """
        shared, connection = self._invocation.shared, self._invocation.connection
        with closing(self._journal) as journal:
            reading = shared.recall(connection, journal, self._zone) if shares_readings else None
            self._is_recalled = reading is not None
            if self._invocation.check_mode:
                found = self._outcome = preview(self._client, self._zone, self._make_plan, journal, reading)
                if found.plan.changes or found.recovered:
                    journal.store.tell("would_change")
            else:
                foreseen = self._foreseen = foresee(self._client, self._zone, self._make_plan, journal, reading)
                if foreseen.is_all:
                    self._outcome = Converged(foreseen.reading, foreseen.plan)
        self.unmet = self._unmet((self._foreseen or self.outcome).reading.zone.record_sets)

    def _unmet(self, live: LiveSets) -> Unmet:
        limits = self._limits
        if not (limits.has_globs or self._invocation.options["findings_ignore"]):
            return {}
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import without_passing

        sets = [
            *limits.within(live, self._zone).values(),
            *(RecordSet(*one.key, 0, one.values) for one in self._wanted),
        ]
        names = {one.name for one in sets}
        unmet = {**limits.unmet(sets, self._zone), "findings_ignore": self._findings_report.unmet(names)}
        return without_passing(self._invocation.options, unmet)

    def keep_plan(self) -> None:
        """In check mode, keep what the look has found for review, where the task says so."""
        if self._plan_file and self._invocation.check_mode:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import plan_text

            memory = self.outcome.reading.kept.memory
            changes = self.outcome.plan.changes
            self._plan_file.keep(plan_text(self._zone, changes, lambda digest: bool(memory.spent(digest))))

    def write(self, threads: Threads, *, is_later: bool = False) -> None:
        """Do what the look has found to be done, with so many *threads*.

        What was read more than FRESH seconds ago is not written from, by a later item of a loop or where *is_later*
        tells that other zones were read meanwhile. Where all sets are new, and the task has no limits, it is: what
        others made of them since, the verification sees.
        """
        collected()
        foreseen = self._foreseen
        if foreseen and not self.is_done:
            is_later = is_later and (
                self._is_bounded or any(change.action != "create" for change in foreseen.plan.changes)
            )
            is_aged = foreseen.reading.age > FRESH and (self._is_recalled or is_later)
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import refuse_nothing
            from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import Settings
            from ansible_collections.zonesmith.dns.plugins.module_utils._write.under_lock import carry_out

            refuse_round = self._refuse_to_go_further if self._is_bounded or self._owner else refuse_nothing
            reviewed = self._reviewed.digest if self._reviewed else ""
            settings = Settings(self._invocation.options["txt_format"], threads, refuse_round, reviewed)
            of_run = (self._journal, settings, self._invocation.progress)
            with closing(self._journal):
                try:
                    self._outcome = carry_out(self._client, foreseen, self._make_plan, *of_run, is_aged=is_aged)
                except ApplyFailed as failed:
                    failed.changes = self._with_because(failed.changes)
                    self._judge_what_was_made(failed, foreseen.reading.zone.record_sets)
                    raise
            self._invocation.done.extend((*self._outcome.recovered, *self._outcome.plan.changes))

    def wait(self) -> None:
        """Wait until the name servers answer with what is wanted, where the task says so."""
        self._invocation.warnings.extend((*self.outcome.plan.warnings, *self._findings_report.warnings))
        if self._is_waited_for:
            collected()
        try:
            if self._waiting:
                self._waiting.wait(self.outcome, self._wishes if self._awaited is None else self._awaited)
        except ApplyFailed as failed:
            failed.findings = self._findings_report.result
            raise
        self._ended = machine().time()

    def _judge_what_was_made(self, failed: ApplyFailed, live: LiveSets) -> None:
        """The next run finds it there, and so it would be told of by none."""
        with suppress(PlanRefused):  # the failure says more than that
            self._findings_report.of(live, failed.changes)
        self._invocation.warnings.extend(self._findings_report.warnings)
        failed.findings = self._findings_report.result

    def let_go(self) -> None:
        """Keep no more of what was read than the steps to come need: the record sets of many zones take much memory."""
        if self._outcome and not self._is_waited_for:
            reading = self._outcome.reading
            zone = replace(reading.zone, record_sets={})
            self._outcome = self._outcome._replace(reading=reading._replace(zone=zone))
            self._foreseen = None
            self._findings_report.let_go()

    @property
    def result(self) -> dict[str, Any]:
        """What the run of a single zone returns."""
        planned, recovered = self._with_because(self.outcome.plan.changes), self.outcome.recovered
        return {
            "changed": bool(planned or recovered),
            "zone": self._zone.rstrip("."),
            "changes": [change.as_result() for change in planned],
            "diff": diff_of(recovered, planned),
            "recovered": [change.as_result() for change in recovered],
            "findings": self._findings_report.result,
            "service_owned": [one.as_result() for one in self.outcome.plan.service_owned],
            **(self._cached_result() if self._limits.ttl_max else {}),
            **_result_of_step(self.outcome.plan.ledger),
        }

    def _cached_result(self) -> dict[str, Any]:
        """What resolvers may still have of the changed sets, and where that began, until when."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl_max import longest_ttl

        changes = self.outcome.plan.changes
        seconds = {
            one.key: max(self._cached.get(one.key, 0), longest_ttl(one.before) if one.before else 0) for one in changes
        }
        until = None
        if changes and not self._invocation.check_mode:
            ends = datetime.fromtimestamp(ceil(self._ended + max(seconds.values())), timezone.utc)
            until = ends.strftime("%Y-%m-%dT%H:%M:%SZ")
        rows = [{"name": key.name, "type": key.type, "seconds": number} for key, number in seconds.items()]
        return {"cached": rows, "cached_until": until}

    def _with_because(self, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        """The changes; what others have undone since the plan was made, and was done again, is drift."""
        if not self._owner:
            return changes
        return tuple(change if change.because else replace(change, because=DRIFT) for change in changes)

    def _make_plan(self, live: LiveSets, memory: Memory) -> Plan:
        if self._waiting:
            self._waiting.find_servers(live)
        planned = self._planned(live, memory)._replace(is_for_review=self._plan_file is not None)
        if self._limits.protect:
            # What others undo meanwhile of what stays may be done again.
            named = {*(change.key for change in planned.changes), *(one.key for one in planned.stays)}
            self._protected = {key for key in named & live.keys() if self._limits.protects(live[key], self._zone)}
        if self._limits.ttl_max:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.cached import cached

            self._cached = cached(self._zone, live, planned.changes)
        self._findings_report.of(live, planned.changes)
        self._refuse_unreviewed(live, planned, memory)
        if any(change.action == "rebuild" for change in planned.changes):
            self._journal.warn_of_an_early_end()
        if not planned.changes:
            return planned
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.doubts import whole_names

        doubts = whole_names(self._zone, live, planned.changes, self._zones)
        return planned._replace(warnings=(*planned.warnings, *doubts))

    def _planned(self, live: LiveSets, memory: Memory) -> Plan:
        if maxima := self._limits.ttl_max:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl_max import with_ttl_max

            self._wishes = [with_ttl_max(one, live.get(one.key), maxima, self._zone) for one in self._wanted]
        if self._owner:
            return self._planned_for(self._owner, live, memory)
        return self._planned_to(self._wishes, self._limits, live, memory)

    def _planned_to(self, wanted: Iterable[Wanted], limits: Limits, live: LiveSets, memory: Memory) -> Plan:
        of_zone = (limits, self._invocation.options["service_owned"], memory.histories.preferences)
        if not memory.kept_ttls:
            return self._with_ttls_asked_for(plan(self._zone, live, wanted, *of_zone))
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.kept_ttl import (
            kept_ttls_in_words,
            with_kept_ttls,
        )

        wanted, kept = with_kept_ttls(wanted, live, memory.kept_ttls)
        planned = self._with_ttls_asked_for(plan(self._zone, live, wanted, *of_zone))
        return planned._replace(warnings=(*planned.warnings, *kept_ttls_in_words(kept)))

    def _with_ttls_asked_for(self, planned: Plan) -> Plan:
        if not (self._limits.ttl_max and planned.changes):
            return planned
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl_max import with_ttl_asked_for

        maxima = self._limits.ttl_max
        return planned._replace(
            changes=tuple(with_ttl_asked_for(change, maxima, self._zone) for change in planned.changes)
        )

    def _planned_for(self, owner: Owner, live: LiveSets, memory: Memory) -> Plan:
        """The plan where others may have values in the zone too."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.because import with_reasons
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.owners import beside_others, wanted_by_owner

        known, kept = memory.histories.preferences, memory.kept_ttls
        owned = wanted_by_owner(owner, self._zone, live, self._wishes, memory.ledger, self._limits, known, kept)
        if self._is_waited_for:
            self._awaited = [*map(beside_others, owned.wanted)]
        planned = self._planned_to(owned.wanted, owned.limits, live, memory)
        planned = with_reasons(self._zone, live, planned, owner, owned, kept)
        return planned._replace(warnings=(*planned.warnings, *self._told_of(owner, live, planned.ledger)))

    def _told_of(self, owner: Owner, live: LiveSets, step: LedgerStep | None) -> Iterator[str]:
        """What people are told of a step of the ledger."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.told_of_owner import (
            told_of_ledger,
            told_of_release,
        )

        if step and owner.release:
            yield from told_of_release(self._zone, self._wanted, step)
        elif step:
            may_be_lost = self._journal.store.ends_early
            yield from told_of_ledger(self._zone, live, step, may_be_lost, prunes=self._limits.prune)

    def _refuse_to_go_further(
        self, live: LiveSets, planned: Sequence[Change], again: Sequence[Change], external: External
    ) -> None:
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import refuse_to_go_further

        is_reviewed = self._reviewed is not None
        limits = (self._limits, self._protected)
        refuse_to_go_further(
            self._zone,
            live,
            planned,
            again,
            external,
            *limits,
            is_reviewed=is_reviewed,
            is_owned=self._owner is not None,
        )

    def _refuse_unreviewed(self, live: LiveSets, planned: Plan, memory: Memory) -> None:
        if self._reviewed and self._plan_file:
            from ansible_collections.zonesmith.dns.plugins.module_utils._plan.reviewed import (
                differences,
                in_one_sentence,
                spent_in_one_sentence,
            )

            def live_set(key: Key) -> RecordSet | None:
                return canonical_set(live[key], self._zone, memory.histories.preferences) if key in live else None

            digest = self._reviewed.digest
            spent, is_begun = memory.spent(digest), digest in memory.plans
            told = differences(self._reviewed, planned.changes, live_set, memory.kept_ttls, is_begun=is_begun)
            if spent and (told or planned.changes):
                reason = spent_in_one_sentence(self._plan_file.path, spent.told, told, planned.changes)
                raise PlanRefused(reason)
            if told:
                raise PlanRefused(in_one_sentence(self._reviewed, self._plan_file.path, told))


def _result_of_step(step: LedgerStep | None) -> dict[str, Any]:
    if step is None:
        return {}
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.told_of_owner import result_of_step

    return result_of_step(step)
