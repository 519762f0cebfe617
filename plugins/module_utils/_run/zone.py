# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Converges one zone, from options to result: the steps in order, then `ZoneTask`, which they share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

from .._api.client import Snapshot
from .._apply.look import look
from .._apply.outcome import Agenda, ApplyFailed, Job, ZoneOutcome
from .._dns.dialect import Said
from .._dns.printable import some_names
from .._dns.rdata import is_text
from .._dns.record_set import Key, Sets, octal_warnings
from .._log.document import Document
from .._machine import machine
from .._owners.ledger import OwnersPlan
from .._owners.owner import ledger_warnings, owner_of
from .._owners.with_owner import planned_by_owner
from .._owners.without_owner import planned_without_owner
from .._plan import ttl
from .._plan.change import diff_of
from .._plan.desired import Desired
from .._plan.globs import Unmatched, unmatched_warnings
from .._plan.limits import UNLIMITED, Limits, many_rebuilt, refuse_beyond_limits
from .._plan.plan import LOOK, Plan, listed_only, plan
from .._plan.reviewed import NOTHING, refuse_unreviewed
from .._threads import Threads
from .findings_report import new_findings
from .invocation import Invocation
from .plan_file import keep_plan, plan_path, read_plan

if TYPE_CHECKING:
    from .waiting import Waiting

BRIEF = "_acme-challenge"
"""How the names of sets begin that are there for minutes, while a certificate is issued."""

FRESH = 1.0
"""Seconds; a snapshot this young is good enough to write from."""


def converge_zone(
    invocation: Invocation, desired: Iterable[Desired], limits: Limits = UNLIMITED
) -> tuple[ZoneOutcome, dict[str, Any]]:
    """Converge a zone, or predict that in check mode. Return outcome and result.

    Raises InvalidOptions, StateError, ServiceError, PlanRefused, ApplyFailed.
    """
    task = ZoneTask(invocation, desired, limits)
    recalled = invocation.shared.recall(invocation.connection, task.zone)
    agenda = look_at(task, recalled)
    unmatched = task.unmatched(agenda.shown)
    invocation.warnings.extend(unmatched_warnings(invocation.options, unmatched, "the zone"))
    outcome = outcome_without_writing(task, agenda)
    if outcome:
        keep_plan(invocation, outcome)
    else:
        outcome = write(task, agenda, invocation.client().threads)
    invocation.shared.remember(invocation.connection, outcome)
    wait(task, outcome)
    return outcome, result_of_zone(task, outcome)


def look_at(task: ZoneTask, recalled: ZoneOutcome | None = None) -> Agenda:
    """Find what to do, in check mode as in the real run, from a *recalled* snapshot if there is one.

    Raises ServiceError, StateError, PlanRefused.
    """
    invocation, store = task.invocation, task.store
    agenda = look(invocation.client(), task.zone, store, task.job(), recalled)
    invocation.findings = [*agenda.plan.findings]
    invocation.warn_once(*store.warnings, *_odd_names(agenda.snapshot))
    if invocation.check_mode and not agenda.is_empty:
        # The real run would tell this, and need it.
        from .._apply.messages import completing

        invocation.warnings.extend(completing(agenda))
        invocation.check_state()
    return agenda


def _odd_names(snapshot: Snapshot) -> Iterator[str]:
    """Warn of names that the service shows and that no task can mean."""
    yield from octal_warnings(snapshot.record_sets.values())
    if snapshot.outside:
        names = some_names([str(key) for key in snapshot.outside])
        yield f"the service shows sets outside the zone, which are left alone: {names}"


def outcome_without_writing(task: ZoneTask, agenda: Agenda) -> ZoneOutcome | None:
    """Return the outcome if nothing is to be written, as always in check mode; else None."""
    if task.invocation.check_mode or agenda.is_empty:
        return ZoneOutcome(
            agenda.snapshot, agenda.document, agenda.shown, agenda.plan, agenda.recovered
        )
    return None


def write(task: ZoneTask, agenda: Agenda, threads: Threads) -> ZoneOutcome:
    """Write the changes from *threads* at once. Raises ServiceError, StateError, PlanRefused, ApplyFailed.

    A snapshot older than FRESH is read again, unless the plan only creates sets: what others create is seen when the
    zone is verified.
    """
    from .._apply.run import carry_out

    invocation, store = task.invocation, task.store
    is_new_alone = all(step.change.action == "create" for step in agenda.steps)
    is_aged = agenda.snapshot.age > FRESH and not is_new_alone
    job = task.job(threads)
    try:
        return carry_out(
            invocation.client(), store, agenda, job, invocation.warnings, is_aged=is_aged
        )
    except ApplyFailed:
        # The next run may find them in the zone, so it would not report them.
        invocation.warnings.extend(agenda.plan.warnings)
        raise
    finally:
        invocation.warn_once(*store.warnings)


def wait(task: ZoneTask, outcome: ZoneOutcome) -> None:
    """Warn about the plan, then wait for name servers if asked to. Raises ApplyFailed."""
    task.invocation.warnings.extend(outcome.plan.warnings)
    if task.waiting and not task.invocation.check_mode:
        task.waiting.wait(outcome)


def result_of_zone(task: ZoneTask, outcome: ZoneOutcome) -> dict[str, Any]:
    """Return the result for one zone."""
    plan, recovered = outcome.plan, outcome.recovered
    result: dict[str, Any] = {"zone": task.zone.rstrip("."), "summary": plan.summary}
    result["changed"] = bool(plan.changes or recovered)
    result["diff"] = diff_of(recovered, plan.changes)
    result["findings"] = [*plan.findings]
    result["changes"] = [change.as_result() for change in plan.changes]
    result["recovered"] = [change.as_result() for change in recovered]
    result["service_owned"] = [one.as_result() for one in plan.service_owned]
    if task.limits.ttl_max:
        result.update(_cached_result(plan, task.invocation.check_mode))
    if isinstance(plan, OwnersPlan):
        step = plan.step
        result["adopted"] = [key._asdict() for key in step.adopted]
        result["released"] = [key._asdict() for key in step.released]
        result["unowned"] = step.unowned
    return result


def _cached_result(plan: Plan, check_mode: bool) -> dict[str, Any]:
    """Return how long resolvers may cache the old sets, and after a write, until when."""
    rows = []
    longest = 0
    for change in plan.changes:
        seconds = plan.cached.get(change.key, 0)
        rows.append({**change.key._asdict(), "seconds": seconds})
        longest = max(longest, seconds)
    until = None
    if rows and not check_mode:
        end = ceil(machine().time()) + longest
        until = datetime.fromtimestamp(end, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"cached": rows, "cached_until": until}


class ZoneTask:
    """A task for one *zone* (canonical)."""

    def __init__(
        self,
        invocation: Invocation,
        desired: Iterable[Desired],
        limits: Limits = UNLIMITED,
    ):
        """Raises InvalidOptions, StateError."""
        self.invocation = invocation
        self.zone = invocation.zone
        self.desired = [*desired]
        self.limits = limits
        self.store = invocation.shared.store(invocation.options, invocation.client(), self.zone)
        self.plan_path = "" if invocation.check_mode else plan_path(invocation)
        self.reviewed = read_plan(self.plan_path, self.zone) if self.plan_path else NOTHING
        self.waiting: Waiting | None = None
        """None if the task does not wait."""
        if invocation.options["wait"]:
            # Loads the DNS queries.
            from .waiting import Waiting

            self.waiting = Waiting(self.zone, invocation.options)

    def job(self, threads: Threads = 1) -> Job:
        """What applying needs to know of the task."""
        txt_format = self.invocation.options["txt_format"]
        return Job(
            self.said,
            self.first_plan,
            self.plan,
            partial(refuse_beyond_limits, self.zone, limits=self.limits),
            self.invocation.deletions,
            txt_format,
            threads,
            self.reviewed.digest,
        )

    @property
    def said(self) -> Said:
        """The mail hosts and texts that the task names, by set."""
        said: dict[Key, tuple[str, ...]] = {}
        for one in self.desired:
            if one.type == "MX" or is_text(one.type):
                said[one.key] = (*said.get(one.key, ()), *one.values, *one.unwanted)
        return said

    def first_plan(self, snapshot: Sets, document: Document) -> Plan:
        """Return the plan with its warnings and findings. Raises PlanRefused."""
        if self.waiting:
            self.waiting.find_servers(snapshot)
        planned = self.plan(snapshot, document)
        changes = planned.changes
        if not changes:
            return planned
        found, warnings = new_findings(
            self.zone, snapshot, changes, self.invocation.options, self.limits
        )
        if self.limits.ttl_max:
            planned = replace(planned, cached=ttl.cached(self.zone, snapshot, changes))
        if any(change.action == "rebuild" for change in changes):
            self.invocation.warn_of_an_early_end()
        rebuilt = many_rebuilt(self.zone, snapshot, changes, self.limits)
        planned = replace(planned, findings=tuple(found))
        return planned.warned(*rebuilt, *warnings)

    def plan(self, snapshot: Sets, document: Document) -> Plan:
        """Return the plan within the task's limits. Raises PlanRefused."""
        desired, limits = self.desired, self.limits
        if document.closed:
            desired, limits = listed_only(desired, limits)
        maxima = limits.ttl_max
        if maxima:
            desired = [
                ttl.with_ttl_max(one, snapshot.get(one.key), maxima, self.zone) for one in desired
            ]
        planned = self._planned(snapshot, document, desired, limits)
        if document.closed:
            planned = planned.warned(
                f"{document.closed}, so nothing is removed that the task does not name: {LOOK}"
            )
        if self.plan_path:
            refuse_unreviewed(
                self.reviewed,
                self.plan_path,
                snapshot,
                planned.changes,
                document.dialect,
                carried_out=document.plans.get(self.reviewed.digest),
                closed=document.closed,
            )
        return planned

    def _planned(
        self, snapshot: Sets, document: Document, desired: list[Desired], limits: Limits
    ) -> Plan:
        """Plan with the rules of owners, if the task or the zone has any. Raises PlanRefused."""
        options, zone = self.invocation.options, self.zone

        def plan_to(desired: Iterable[Desired], limits: Limits) -> Plan:
            asked, warnings = ttl.attainable(desired, snapshot, document.dialect)
            planned = plan(zone, snapshot, asked, limits, options["service_owned"])
            return planned.warned(*warnings)

        owner = owner_of(options)
        if owner:
            planned = planned_by_owner(owner, zone, snapshot, desired, document, limits, plan_to)
            prunes = limits.prune and not owner.release
            warnings = ledger_warnings(
                planned.step, snapshot, zone, prunes, self.invocation.ends_early
            )
            return planned.warned(*warnings)
        if document.ledger and not options.get("takeover"):
            return planned_without_owner(zone, snapshot, desired, document.ledger, limits, plan_to)
        return plan_to(desired, limits)

    def unmatched(self, snapshot: Sets) -> Unmatched:
        """Return the globs that match nothing held or desired.

        Names of BRIEF sets are skipped.
        """
        options, limits = self.invocation.options, self.limits
        if not limits.has_globs:
            return {}
        sets = [*limits.within(snapshot, self.zone).values()]
        sets += [one.as_held for one in self.desired]
        unmatched = limits.unmatched(sets, self.zone)
        for option, places in unmatched.items():
            for index in [*places]:
                if str(options[option][index].get("name")).startswith(BRIEF):
                    places.remove(index)
        return unmatched
