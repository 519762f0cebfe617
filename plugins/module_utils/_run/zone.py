# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One zone in one run of a writing module: from what is wanted to the result."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from math import ceil
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._api.under_way import Concurrency
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.look import (
    FRESH,
    ApplyFailed,
    Found,
    Outcome,
    age,
    look,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import DRIFT, Change, PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import diff_of
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_task import ZoneTask, plan_file_of
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import Threads

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import Unmet


def converge_zone(
    invocation: Invocation, wanted: Iterable[Desired], limits: Limits = UNLIMITED, concurrency: Concurrency = 1
) -> tuple[Outcome, dict[str, Any]]:
    """Give the zone the wanted sets, or tell what that would change; the outcome, and the result to return."""
    run = ZoneRun(invocation, wanted, limits, concurrency)
    run.look(shares_snapshots=True)
    if run.unmet:
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import told_of_unmet

        invocation.warnings.extend(told_of_unmet(invocation.options, run.unmet, "the zone"))
    run.keep_plan()
    if not run.is_done:
        run.write(invocation.client(concurrency).threads)
    invocation.shared.remember(invocation.connection, run.outcome)
    run.wait()
    return run.outcome, run.result


def forget_plan(invocation: Invocation) -> None:
    """In check mode, remove the plan of an earlier run before anything can fail. Raises InvalidOptions."""
    if invocation.check_mode and (plan_file := plan_file_of(invocation)):
        plan_file.keep("")


class ZoneRun:
    """One zone on its way, step by step: a look, the writes, the wait. What is done goes to *invocation*.

    *zones* are the canonical names of all that the task is about. Raises InvalidOptions and StateError; each step
    raises what its parts do.
    """

    def __init__(
        self,
        invocation: Invocation,
        wanted: Iterable[Desired],
        limits: Limits = UNLIMITED,
        concurrency: Concurrency = 1,
        zones: Collection[str] = (),
    ):
        self._invocation = invocation
        self._task = ZoneTask.of(invocation, wanted, limits, zones)
        self._client = invocation.client(concurrency)
        self._store = invocation.store(self._client)
        self._found: Found | None = None
        self._outcome: Outcome | None = None
        self._ended = 0.0
        self.unmet: Unmet = {}
        """The globs of the task that match nothing of what the zone holds, or is to hold; known after the look."""

    @property
    def outcome(self) -> Outcome:
        """What was found and done."""
        if self._outcome is None:
            raise AssertionError("it is asked for after the steps")
        return self._outcome

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to write."""
        return self._outcome is not None

    def look(self, *, shares_snapshots: bool = False) -> None:
        """Find out what has to be done; in check mode, all that the real run would do.

        With *shares_snapshots* a snapshot of a run before this one in the same process will do.
        """
        invocation, task = self._invocation, self._task
        recalled = invocation.shared.recall(invocation.connection, task.zone) if shares_snapshots else None
        found = self._found = look(self._client, task.zone, self._store, task.make_plan, recalled)
        self._tell_of_store()
        self.unmet = task.unmet(found.live.record_sets)
        if invocation.check_mode:
            self._tell_of_log(found)
            if found.steps:
                self._store.notify("would_change")
        if invocation.check_mode or found.is_all:
            self._outcome = Outcome(found.live, found.document, found.plan, found.recovered)

    def _tell_of_log(self, found: Found) -> None:
        """Tell people what the real run would complete, and what it would not."""
        entries, warnings = found.document.entries, self._invocation.warnings
        if not entries:
            return
        from ansible_collections.zonesmith.dns.plugins.module_utils._apply import messages

        warnings.extend(messages.too_old(found.document, machine().time() + self._store.ahead))
        warnings.extend(
            messages.completed(change.key, entries[change.key], is_foreseen=True) for change in found.recovered
        )

    def _tell_of_store(self) -> None:
        """Tell people what the store has to say, once."""
        warnings = self._invocation.warnings
        warnings.extend(warning for warning in self._store.warnings if warning not in warnings)

    def keep_plan(self) -> None:
        """In check mode, keep what the look has found for review, where the task says so."""
        if self._invocation.check_mode:
            self._task.keep_plan(self.outcome)

    def write(self, threads: Threads, *, is_later: bool = False) -> None:
        """Do what the look has found to be done, with so many *threads*.

        A snapshot that is older than FRESH is not written from by a later item of a loop, nor where *is_later* tells
        that other zones were read meanwhile. Where all sets are new, and the task has no limits, it is: what others
        made of them since, the verification sees.
        """
        found, invocation, task = self._found, self._invocation, self._task
        if not found or self.is_done:
            return
        is_recalled = invocation.shared.is_recalled(invocation.connection, found.live)
        is_new_alone = all(step.change.action == "create" for step in found.steps)
        is_aged = age(found.live) > FRESH and (is_recalled or (is_later and (task.is_bounded or not is_new_alone)))
        from ansible_collections.zonesmith.dns.plugins.module_utils._apply.run import carry_out

        of_run = (self._store, task.settings(threads), invocation.warnings)
        try:
            self._outcome = carry_out(self._client, found, task.make_plan, *of_run, is_aged=is_aged)
        except ApplyFailed as failed:
            invocation.progress.recovered = failed.recovered
            failed.changes = self._with_because(failed.changes)
            self._judge_what_was_made(failed, found.live.record_sets)
            raise
        finally:
            self._tell_of_store()
        invocation.progress.recovered = self.outcome.recovered
        invocation.done.extend((*self.outcome.recovered, *self.outcome.plan.changes))

    def wait(self) -> None:
        """Wait until the name servers answer with what is wanted, where the task says so."""
        task = self._task
        self._invocation.warnings.extend((*self.outcome.plan.warnings, *task.findings.warnings))
        try:
            if task.waiting:
                task.waiting.wait(self.outcome, self.outcome.plan.awaited)
        except ApplyFailed as failed:
            failed.findings = task.findings.result
            raise
        self._ended = machine().time()

    def _judge_what_was_made(self, failed: ApplyFailed, live: LiveSets) -> None:
        """The next run finds it there, and so it would be told of by none."""
        findings = self._task.findings
        with suppress(PlanRefused):  # the failure says more than that
            findings.of(live, failed.changes)
        self._invocation.warnings.extend(findings.warnings)
        failed.findings = findings.result

    def let_go(self) -> None:
        """Keep no more of what was read than the steps to come need: the record sets of many zones take much memory."""
        if self._outcome and not self._task.is_waited_for:
            self._outcome = self._outcome._replace(live=replace(self._outcome.live, record_sets={}))
            self._found = None
            self._task.findings.let_go()

    @property
    def result(self) -> dict[str, Any]:
        """What the run of a single zone returns."""
        planned, recovered = self._with_because(self.outcome.plan.changes), self.outcome.recovered
        return {
            "changed": bool(planned or recovered),
            "zone": self._task.zone.rstrip("."),
            "changes": [change.as_result() for change in planned],
            "diff": diff_of(recovered, planned),
            "recovered": [change.as_result() for change in recovered],
            "findings": self._task.findings.result,
            "service_owned": [one.as_result() for one in self.outcome.plan.service_owned],
            **(self._cached_result() if self._task.limits.ttl_max else {}),
            **self._task.result_of_ledger(self.outcome.plan.ledger),
        }

    def _cached_result(self) -> dict[str, Any]:
        """What resolvers may still have of the changed sets, and where that began, until when."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl import longest_ttl

        changes, cached = self.outcome.plan.changes, self.outcome.plan.cached
        seconds = {
            one.key: max(cached.get(one.key, 0), longest_ttl(one.before) if one.before else 0) for one in changes
        }
        until = None
        if changes and not self._invocation.check_mode:
            ends = datetime.fromtimestamp(ceil(self._ended + max(seconds.values())), timezone.utc)
            until = ends.strftime("%Y-%m-%dT%H:%M:%SZ")
        rows = [{"name": key.name, "type": key.type, "seconds": number} for key, number in seconds.items()]
        return {"cached": rows, "cached_until": until}

    def _with_because(self, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        """The changes; what others have undone since the plan was made, and was done again, is drift."""
        if not self._task.owner:
            return changes
        return tuple(change if change.reason else replace(change, reason=DRIFT) for change in changes)
