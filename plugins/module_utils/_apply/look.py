# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads a zone and finds what is to be done. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from .._api.client import Client, Snapshot
from .._api.stale_snapshots import read_until
from .._dns.altered_texts import Altered, altered_for, not_stored
from .._dns.dialect import ReadSets, Said
from .._dns.record_set import Key, Sets
from .._log.document import Document
from .._log.entry import Entry
from .._log.log import Log, is_fresh, looked_at, over
from .._machine import machine
from .._plan.change import PlanRefused, change_to, is_made
from .._plan.plan import Plan
from .._plan.storable import ProblemOf, impossible, left_out_in_words, problem_with
from .._state.store import Store
from .outcome import Agenda, Job, MakePlan, Step, ZoneOutcome
from .zone import desired_by, known_after


class Seen(NamedTuple):
    """A zone and what is kept of it, at one moment; *known* is that with what the snapshot tells of the service."""

    snapshot: Snapshot
    document: Document
    known: Document
    shown: ReadSets


def look(
    client: Client,
    zone: str,
    store: Store,
    job: Job,
    recalled: ZoneOutcome | None = None,
) -> Agenda:
    """What is to be done, in the zone as read now or *recalled*.

    Raises ServiceError, PlanRefused and StateError.
    """

    def now() -> float:
        return machine().time() + store.ahead

    def see() -> Seen:
        # Load both again: another run may be writing, and either may show it first.
        document = store.load()
        if recalled and recalled.document == document:
            snapshot = recalled.snapshot
        else:
            snapshot = client.read_zone(zone)
        known = known_after(document, snapshot, now())
        shown = known.dialect.read(snapshot.record_sets, zone, job.said)
        return Seen(snapshot, document, known, shown)

    def is_believed(seen: Seen) -> bool:
        if recalled and seen.snapshot is recalled.snapshot:
            return True
        return is_fresh(seen.known.entries, seen.shown, now())

    return find(read_until(see, is_believed), job, job.plan, now())


def find(seen: Seen, job: Job, make_plan: MakePlan, now: float) -> Agenda:
    """Plan from what is held, and find the steps that lead there from what is shown.

    Raises PlanRefused.
    """
    snapshot, document, known, shown = seen
    log, put_aside = {}, {}
    for key, entry in looked_at(known.entries, shown, now).items():
        if entry.is_put_aside(shown.get(key), now):
            put_aside[key] = entry
        else:
            log[key] = entry
    problem_of = partial(not_stored, known.dialect, job.txt_format)
    overlay = _overlay(log, seen, job.said, problem_of)
    plan = make_plan(overlay.held, known)

    steps = []
    warnings = [*left_out_in_words(overlay.left_out)]
    for step in _steps(plan, log, shown, overlay):
        problem = problem_with(step.change, problem_of)
        if problem and step.is_of_task:
            raise PlanRefused(f"{step.key} {problem}")
        if problem:
            warnings.append(f"{step.key} was left incomplete by an earlier run, and {problem}")
        else:
            steps.append(step)

    log = _as_planned(log, plan, steps, shown)
    plan = plan.warned(*warnings).with_only(step.planned for step in steps if step.planned)
    is_logged = not put_aside and _telling(log) == _telling(document.entries)
    return Agenda(snapshot, document, shown, plan, steps, log, put_aside, is_logged)


def _telling(log: Log) -> dict[Key, Entry]:
    """The entries that must not stay in the document once they have ended: others say only what is stale."""
    return {
        key: entry
        for key, entry in log.items()
        if entry.is_unfinished or entry.is_unproven or not entry.done
    }


class Overlay(NamedTuple):
    """The log, laid over the sets that are shown.

    * *held*: the sets as plans see them, with texts in place of what the service made of them.
    * *former*: the same without such texts. If a value is refused, these come back.
    * *altered*: what the service made of texts that are to be there, each with the text.
    * *left_out*: missing values of the log that cannot be created, each with why.
    """

    held: ReadSets
    former: ReadSets
    altered: Altered
    left_out: dict[Key, dict[str, str]]


def _overlay(log: Log, seen: Seen, said: Said, problem_of: ProblemOf) -> Overlay:
    shown = seen.shown
    finished = shown.but(over(log, shown))
    altered = altered_for(seen.known.dialect, desired_by(log), said)
    left_out = impossible(log, finished, shown, problem_of)
    held = finished.with_values(altered).without_values(left_out)
    former = finished.without_values(altered).without_values(left_out)
    return Overlay(held, former, altered, left_out)


def _steps(plan: Plan, log: Log, shown: Sets, overlay: Overlay) -> Iterator[Step]:
    """What leads from what is shown to what is desired, set by set.

    ==============================================  ===========  ======================
    a set                                           is planned   is of the task
    ==============================================  ===========  ======================
    that the plan changes                           yes          yes
    that an earlier run left unfinished             no           if the task names it
    with an altered text, if the task names it      yes          yes
    ==============================================  ===========  ======================

    An altered text in any other set is left to the next run of that set's own task.
    """
    planned = {change.key: change for change in plan.changes}
    for key in sorted({*planned, *log, *overlay.altered}):
        own = planned.get(key)
        there = shown.get(key)
        desired = own.after if own else overlay.held.get(key)
        if is_made(own, there, desired):
            continue
        change = replace(own, before=there) if own else change_to(key, there, desired)
        is_of_log = key in log and log[key].is_unfinished
        is_of_task = own is not None or key in plan.desired
        if is_of_task and not is_of_log:
            own = own or change  # to make an altered text again is the task's own change, too
        if is_of_task or is_of_log:
            yield Step(change, overlay.former.get(key), own, is_of_task)


def _as_planned(log: Log, plan: Plan, steps: list[Step], shown: Sets) -> dict[Key, Entry]:
    """The log once the *plan* is made. What is written to gets its entry with the round.

    A task that names a set which an earlier run left unfinished, and finds it as desired, says
    what the entry is about from now on. A CNAME must be alone, so that is given up beside such a set.
    """
    asked = plan.desired.union(change.key for change in plan.changes)
    found_so = asked.difference(step.key for step in steps)
    not_alone = {Key(key.name, "CNAME") for key in found_so if key in shown}
    entries = dict(log)
    for key in found_so | not_alone:
        entry = log.get(key)
        if entry and entry.is_unfinished:
            entries[key] = entry.redirected(shown.get(key))
    return entries
