# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Converges one zone, from options to result: the steps in order, then `ZoneTask`, which they share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
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
from .._dns.record_set import Key, Sets, octal_warning
from .._dns.slips import is_one_slip
from .._log.document import Document
from .._machine import machine
from .._owners.ledger import LedgerStep, OwnersPlan
from .._owners.owner import TaskOwner, ledger_warnings, owner_of
from .._owners.with_owner import planned_by_owner
from .._owners.without_owner import planned_without_owner
from .._plan import ttl
from .._plan.change import DRIFT, Change, diff_of
from .._plan.desired import Desired
from .._plan.globs import Unmatched, unmatched_warnings
from .._plan.limits import UNLIMITED, Limits, many_rebuilt, refuse_beyond_limits
from .._plan.plan import LOOK, Plan, PlanTo, listed_only, plan
from .._plan.reviewed import refuse_unreviewed
from .._plan.whole_names import whole_names
from .._threads import Threads
from .findings_report import ignored_findings, judge
from .invocation import Invocation
from .plan_file import keep_plan, plan_file_of

if TYPE_CHECKING:
    from .waiting import Waiting

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
    if outcome := outcome_without_writing(task, agenda):
        keep_plan(invocation, outcome.plan.changes, outcome.document)
    else:
        is_recalled = recalled is not None and agenda.snapshot is recalled.snapshot
        outcome = write(task, agenda, invocation.client().threads, is_recalled=is_recalled)
    invocation.shared.remember(invocation.connection, outcome)
    wait(task, outcome)
    return outcome, result_of_zone(task, outcome)


def look_at(task: ZoneTask, recalled: ZoneOutcome | None = None) -> Agenda:
    """Find what to do, in check mode as in the real run, from a *recalled* snapshot if there is one.

    Raises ServiceError, StateError, PlanRefused.
    """
    invocation, store = task.invocation, task.store
    agenda = look(invocation.client(), task.zone, store, task.job(), recalled)
    invocation.warn_once(*store.warnings)
    invocation.warn_once(*_odd_names(agenda.snapshot))
    if invocation.check_mode:
        invocation.warnings.extend(_log_warnings(task, agenda))
        if not agenda.is_empty:
            invocation.check_state()
    return agenda


def _odd_names(snapshot: Snapshot) -> Iterator[str]:
    """Warn of names that the service shows and that no task can mean."""
    octal = octal_warning(snapshot.record_sets.values())
    if octal:
        yield octal
    if snapshot.outside:
        names = some_names([str(key) for key in snapshot.outside])
        yield f"the service shows sets outside the zone, which are left alone: {names}"


def _log_warnings(task: ZoneTask, agenda: Agenda) -> Iterator[str]:
    """Warn of what the real run would recover, and of entries too old for that."""
    if entries := agenda.document.entries:
        from .._apply import messages

        yield from messages.too_old(agenda.document, machine().time() + task.store.ahead)
        yield from (
            messages.completed(one.key, entries[one.key], is_foreseen=True)
            for one in agenda.recovered
        )


def outcome_without_writing(task: ZoneTask, agenda: Agenda) -> ZoneOutcome | None:
    """Return the outcome if nothing is to be written, as always in check mode; else None."""
    if task.invocation.check_mode or agenda.is_empty:
        return ZoneOutcome(
            agenda.snapshot, agenda.document, agenda.shown, agenda.plan, agenda.recovered
        )
    return None


def write(
    task: ZoneTask,
    agenda: Agenda,
    threads: Threads,
    *,
    is_recalled: bool = False,
    is_later: bool = False,
) -> ZoneOutcome:
    """Write the changes from *threads* at once. Raises ServiceError, StateError, PlanRefused, ApplyFailed.

    A snapshot older than FRESH is read again if it *is_recalled* from an earlier run, or if other zones were read since
    (*is_later*) and the plan does more than create sets or has limits. What others create is seen when the zone is
    verified.
    """
    from .._apply.run import carry_out

    invocation, store, client = task.invocation, task.store, task.invocation.client()
    is_new_alone = all(step.change.action == "create" for step in agenda.steps)
    is_aged = agenda.snapshot.age > FRESH and (
        is_recalled or (is_later and (task.is_bounded or not is_new_alone))
    )
    try:
        outcome = carry_out(
            client, store, agenda, task.job(threads), invocation.warnings, is_aged=is_aged
        )
    except ApplyFailed as failed:
        invocation.recovered = failed.recovered
        failed.changes = _with_reasons(task, failed.changes)
        # The next run finds these in the zone, so it would not report them.
        sets, options = agenda.shown, invocation.options
        invocation.findings, warnings = judge(
            task.zone, sets, failed.changes, options, task.limits, is_done=True
        )
        invocation.warnings.extend(warnings)
        raise
    finally:
        invocation.warn_once(*store.warnings)
    invocation.recovered = outcome.recovered
    invocation.done = (*outcome.recovered, *outcome.plan.changes)
    return outcome


def wait(task: ZoneTask, outcome: ZoneOutcome) -> None:
    """Warn about the plan, then wait for name servers if asked to. Raises ApplyFailed."""
    task.invocation.warnings.extend(outcome.plan.warnings)
    if task.waiting:
        task.invocation.findings = [*outcome.plan.findings]
        task.waiting.wait(outcome)


def result_of_zone(task: ZoneTask, outcome: ZoneOutcome) -> dict[str, Any]:
    """Return the result for one zone."""
    plan, recovered = outcome.plan, outcome.recovered
    planned = _with_reasons(task, plan.changes)
    return {
        "changed": bool(planned or recovered),
        "zone": task.zone.rstrip("."),
        "changes": [change.as_result() for change in planned],
        "diff": diff_of(recovered, planned),
        "recovered": [change.as_result() for change in recovered],
        "findings": [*plan.findings],
        "service_owned": [one.as_result() for one in plan.service_owned],
        **(
            _cached_result(plan, is_done=not task.invocation.check_mode)
            if task.limits.ttl_max
            else {}
        ),
        **(_owner_result(plan.step) if isinstance(plan, OwnersPlan) else {}),
        "summary": plan.summary,
    }


def _owner_result(step: LedgerStep) -> dict[str, Any]:
    adopted, released = ([key._asdict() for key in keys] for keys in (step.adopted, step.released))
    return {"adopted": adopted, "released": released, "unowned": step.unowned}


def _cached_result(plan: Plan, *, is_done: bool) -> dict[str, Any]:
    """Return how long resolvers may cache the old sets, and after a write, until when."""
    seconds = {
        one.key: max(plan.cached.get(one.key, 0), ttl.longest_ttl(one.before) if one.before else 0)
        for one in plan.changes
    }
    until = None
    if seconds and is_done:
        ends = datetime.fromtimestamp(ceil(machine().time() + max(seconds.values())), timezone.utc)
        until = ends.strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = [{**key._asdict(), "seconds": number} for key, number in seconds.items()]
    return {"cached": rows, "cached_until": until}


def _with_reasons(task: ZoneTask, changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Mark changes without a reason as drift: other writers made them necessary again after the plan."""
    if not task.owner:
        return changes
    return tuple(change if change.reason else replace(change, reason=DRIFT) for change in changes)


class ZoneTask:
    """A task for one *zone*; *zones* are all zones of the task (canonical names)."""

    def __init__(
        self,
        invocation: Invocation,
        desired: Iterable[Desired],
        limits: Limits = UNLIMITED,
        zones: Collection[str] = (),
    ):
        """Raises InvalidOptions, StateError."""
        self.invocation = invocation
        self.zone = invocation.zone
        self.desired = [*desired]
        self.limits = limits
        self.zones = zones
        self.store = invocation.shared.store(invocation.options, invocation.client(), self.zone)
        self.plan_file = None if invocation.check_mode else plan_file_of(invocation)
        """The reviewed plan; None in check mode."""
        if self.plan_file:
            self.plan_file.read()
        self.waiting = waiting_of(self.zone, invocation)
        """None if the task does not wait."""

    @property
    def owner(self) -> TaskOwner | None:
        """The owner of the task. Raises InvalidInput."""
        return owner_of(self.invocation.options)

    @property
    def is_bounded(self) -> bool:
        """Whether the task also limits later plans."""
        return self.plan_file is not None or self.limits.limit_later_plans

    def job(self, threads: Threads = 1) -> Job:
        """What applying needs to know of the task."""
        reviewed = self.plan_file.reviewed.digest if self.plan_file else ""
        txt_format = self.invocation.options["txt_format"]
        return Job(
            self.said,
            self.first_plan,
            self.plan,
            self.check_further,
            self.invocation.deletions,
            txt_format,
            threads,
            reviewed,
        )

    @property
    def said(self) -> Said:
        """The mail hosts that the task names, by set."""
        said: dict[Key, tuple[str, ...]] = {}
        for one in self.desired:
            if one.type == "MX":
                said[one.key] = (*said.get(one.key, ()), *one.values, *one.unwanted)
        return said

    def first_plan(self, snapshot: Sets, document: Document) -> Plan:
        """Return the plan with its warnings and findings. Raises PlanRefused."""
        if self.waiting:
            self.waiting.find_servers(snapshot)
        planned = self.plan(snapshot, document)
        changes = planned.changes
        findings, warnings = judge(
            self.zone, snapshot, changes, self.invocation.options, self.limits
        )
        if not changes:
            return planned
        if self.limits.ttl_max:
            planned = replace(planned, cached=ttl.cached(self.zone, snapshot, changes))
        if any(change.action == "rebuild" for change in changes):
            self.invocation.warn_of_an_early_end()
        doubts = [
            *many_rebuilt(self.zone, snapshot, changes, self.limits),
            *whole_names(self.zone, snapshot, changes, self.zones),
        ]
        return replace(
            planned,
            warnings=(*planned.warnings, *doubts, *warnings),
            findings=tuple(findings),
        )

    def plan(self, snapshot: Sets, document: Document) -> Plan:
        """Return the plan within the task's limits. Raises PlanRefused."""
        desired, limits = self.desired, self.limits
        if document.closed:
            desired, limits = listed_only(desired, limits)
        desired = self._capped(desired, snapshot)
        plan_to = partial(self._plan_to, snapshot=snapshot, document=document)
        if self.owner:
            planned = self._planned_by_owner(
                self.owner, snapshot, desired, document, limits, plan_to
            )
        else:
            if document.ledger and not self.invocation.options.get("takeover"):
                planned = planned_without_owner(
                    self.zone, snapshot, desired, document.ledger, limits, plan_to
                )
            else:
                planned = plan_to(desired, limits)
            planned = replace(planned, awaited=tuple(desired))
        if document.closed:
            warning = (
                f"{document.closed}, so nothing is removed that the task does not name: {LOOK}"
            )
            planned = replace(planned, warnings=(*planned.warnings, warning))
        if self.plan_file:
            refuse_unreviewed(
                self.plan_file.reviewed,
                self.plan_file.path,
                snapshot,
                planned.changes,
                document.dialect,
                carried_out=document.when_carried_out(self.plan_file.reviewed.digest),
                closed=document.closed,
            )
        return planned

    def _capped(self, desired: list[Desired], snapshot: Sets) -> list[Desired]:
        """The desired sets with the TTLs that ``ttl_max`` allows."""
        maxima = self.limits.ttl_max
        if not maxima:
            return desired
        return [ttl.with_ttl_max(one, snapshot.get(one.key), maxima, self.zone) for one in desired]

    def _planned_by_owner(
        self,
        owner: TaskOwner,
        snapshot: Sets,
        desired: Iterable[Desired],
        document: Document,
        limits: Limits,
        plan_to: PlanTo,
    ) -> Plan:
        planned = planned_by_owner(owner, self.zone, snapshot, desired, document, limits, plan_to)
        warnings = ledger_warnings(
            planned.step,
            snapshot,
            self.zone,
            limits.prune and not owner.release,
            self.invocation.ends_early,
        )
        return replace(planned, warnings=(*planned.warnings, *warnings))

    def _plan_to(
        self, desired: Iterable[Desired], limits: Limits, snapshot: Sets, document: Document
    ) -> Plan:
        asked, warnings = ttl.attainable(desired, snapshot, document.dialect)
        planned = plan(self.zone, snapshot, asked, limits, self.invocation.options["service_owned"])
        return replace(planned, warnings=(*planned.warnings, *warnings))

    def check_further(
        self, snapshot: Sets, planned: Sequence[Change], again: Sequence[Change]
    ) -> None:
        """Raises PlanRefused if the new plan goes further than the task may."""
        if self.is_bounded:
            refuse_beyond_limits(self.zone, snapshot, planned, again, self.limits)

    def unmatched(self, snapshot: Sets) -> Unmatched:
        """Return the globs that match nothing held or desired.

        Names with a leading underscore are skipped, since they may exist only briefly, as for ACME; but not if others
        are below them or spelled almost alike, which they were probably meant to match.
        """
        options, limits = self.invocation.options, self.limits
        ignored = ignored_findings(options)
        if not (limits.has_globs or ignored):
            return {}
        sets = [
            *limits.within(snapshot, self.zone).values(),
            *(one.as_held for one in self.desired),
        ]
        unmatched = limits.unmatched(sets, self.zone)
        if ignored:
            unmatched["findings_ignore"] = ignored.unmatched({one.name for one in sets}, self.zone)

        def is_brief(name: str) -> bool:
            below, end = (f".{name}", f".{name}.{self.zone}"), f".{self.zone}"
            meant = (
                x
                for x in sets
                if x.name.endswith(below) or is_one_slip(name, x.name.removesuffix(end))
            )
            return name.startswith("_") and not any(meant)

        return {
            option: {
                index
                for index in places
                if not is_brief(str(options[option][index].get("name")).lower())
            }
            for option, places in unmatched.items()
        }


def waiting_of(zone: str, invocation: Invocation) -> Waiting | None:
    """Return the name servers to wait for, or None. Raises InvalidOptions."""
    options = invocation.options
    if not (options["wait"] or options["wait_nameservers"]):
        return None
    from .waiting import Waiting

    return Waiting(zone, options, check_mode=invocation.check_mode)
