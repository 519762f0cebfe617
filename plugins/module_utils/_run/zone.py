# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One zone in one run of a writing module: from what is wanted to the result."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from math import ceil
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._apply import told
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.apply_failed import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.look import Found, Outcome, look
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.snapshot import FRESH, age
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import DRIFT, Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, diff_of
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl_max import longest_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._run.desired import told_of_unmet
from ansible_collections.zonesmith.dns.plugins.module_utils._run.garbage import collected
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.owner import result_of_step
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_task import ZoneTask, zone_task
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import Threads
from ansible_collections.zonesmith.dns.plugins.module_utils._service.under_way import Concurrency


def converge_zone(
    invocation: Invocation, wanted: Iterable[Wanted], limits: Limits = UNLIMITED, concurrency: Concurrency = 1
) -> tuple[Outcome, dict[str, Any]]:
    """Give the zone the wanted sets, or tell what that would change; the outcome, and the result to return.

    Raises InvalidOptions, StateError, ServiceError, PlanRefused, ApplyFailed.
    """
    task = zone_task(invocation, wanted, limits, concurrency)
    found = look_at(task, shares_snapshots=True)
    invocation.warnings.extend(told_of_unmet(invocation.options, task.unmet(found.live.record_sets), "the zone"))
    if outcome := unwritten(task, found):
        task.keep_plan(outcome)
    else:
        outcome = write(task, found, task.client.threads)
    invocation.shared.remember(invocation.connection, outcome)
    wait(task, outcome)
    return outcome, result_of_zone(task, outcome)


def look_at(task: ZoneTask, *, shares_snapshots: bool = False) -> Found:
    """What has to be done; in check mode, all that the real run would do.

    With *shares_snapshots* a snapshot of a run before this one in the same process will do. Raises ServiceError,
    StateError, PlanRefused.
    """
    invocation, store = task.invocation, task.store
    recalled = invocation.shared.recall(invocation.connection, task.zone) if shares_snapshots else None
    found = look(task.client, task.zone, store, task.first_plan, recalled)
    _tell_of_store(task)
    if invocation.check_mode:
        entries = found.document.entries
        invocation.warnings.extend(told.too_old(found.document, machine().time() + store.ahead))
        invocation.warnings.extend(
            told.completed(change.key, entries[change.key], is_foreseen=True) for change in found.recovered
        )
        if found.steps:
            store.notify("would_change")
    return found


def unwritten(task: ZoneTask, found: Found) -> Outcome | None:
    """How the run ends where nothing is to be written, which in check mode is always; None where something is."""
    if task.invocation.check_mode or found.is_all:
        return Outcome(found.live, found.document, found.plan, found.recovered)
    return None


def write(task: ZoneTask, found: Found, threads: Threads, *, is_later: bool = False) -> Outcome:
    """Do what was found to be done, with so many *threads*. Raises ServiceError, StateError, PlanRefused, ApplyFailed.

    A snapshot that is older than FRESH is not written from by a later item of a loop, nor where *is_later* tells
    that other zones were read meanwhile. Where all sets are new, and the task has no limits, it is: what others
    made of them since, the verification sees.
    """
    from ansible_collections.zonesmith.dns.plugins.module_utils._apply.run import Settings, carry_out

    collected()
    invocation = task.invocation
    is_recalled = invocation.shared.is_recalled(invocation.connection, found.live)
    is_new_alone = all(step.change.action == "create" for step in found.steps)
    is_aged = age(found.live) > FRESH and (is_recalled or (is_later and (task.is_bounded or not is_new_alone)))
    reviewed = task.reviewed.digest if task.reviewed else ""
    settings = Settings(invocation.options["txt_format"], threads, task.plan, task.refuse_further, reviewed)
    of_run = (task.store, settings, invocation.progress, invocation.warnings)
    try:
        outcome = carry_out(task.client, found, task.first_plan, *of_run, is_aged=is_aged)
    except ApplyFailed as failed:
        failed.changes = _with_because(task, failed.changes)
        with suppress(PlanRefused):  # the failure says more than that
            # The next run finds it there, and so it would be told of by none.
            task.findings.of(found.live.record_sets, failed.changes)
        invocation.warnings.extend(task.findings.warnings)
        failed.findings = task.findings.result
        raise
    finally:
        _tell_of_store(task)
    invocation.done.extend((*outcome.recovered, *outcome.plan.changes))
    return outcome


def wait(task: ZoneTask, outcome: Outcome) -> None:
    """Wait until the name servers answer with what is wanted, where the task says so. Raises ApplyFailed."""
    task.invocation.warnings.extend((*outcome.plan.warnings, *task.findings.warnings))
    if task.waiting is None:
        return
    if task.is_waited_for:
        collected()
    try:
        task.waiting.wait(outcome, outcome.plan.wishes)
    except ApplyFailed as failed:
        failed.findings = task.findings.result
        raise


def result_of_zone(task: ZoneTask, outcome: Outcome) -> dict[str, Any]:
    """What the run of a single zone returns."""
    plan, recovered = outcome.plan, outcome.recovered
    planned = _with_because(task, plan.changes)
    return {
        "changed": bool(planned or recovered),
        "zone": task.zone.rstrip("."),
        "changes": [change.as_result() for change in planned],
        "diff": diff_of(recovered, planned),
        "recovered": [change.as_result() for change in recovered],
        "findings": task.findings.result,
        "service_owned": [one.as_result() for one in plan.service_owned],
        **(_cached_result(plan, is_done=not task.invocation.check_mode) if task.limits.ttl_max else {}),
        **(result_of_step(plan.ledger) if plan.ledger else {}),
    }


def _cached_result(plan: Plan, *, is_done: bool) -> dict[str, Any]:
    """What resolvers may still have of the changed sets, and where that begins now, until when."""
    seconds = {
        one.key: max(plan.cached.get(one.key, 0), longest_ttl(one.before) if one.before else 0) for one in plan.changes
    }
    until = None
    if seconds and is_done:
        ends = datetime.fromtimestamp(ceil(machine().time() + max(seconds.values())), timezone.utc)
        until = ends.strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = [{"name": key.name, "type": key.type, "seconds": number} for key, number in seconds.items()]
    return {"cached": rows, "cached_until": until}


def _tell_of_store(task: ZoneTask) -> None:
    """Tell people what the store has to say, once."""
    warnings = task.invocation.warnings
    warnings.extend(warning for warning in task.store.warnings if warning not in warnings)


def _with_because(task: ZoneTask, changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The changes; what others have undone since the plan was made, and was done again, is drift."""
    if not task.owner:
        return changes
    return tuple(change if change.because else replace(change, because=DRIFT) for change in changes)
