# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What has to be done so that a zone is where a task wants it: a snapshot, the log laid over it, a plan against both.

Most runs end with that, in check mode all do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._apply.snapshot import (
    laid_over,
    shown_set,
    shown_sets,
    with_spelling,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.step import Step
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet, same_set
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import (
    Entry,
    ended,
    is_settled,
    joined,
    minus,
    over,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client, LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Store

MakePlan = Callable[[LiveSets, Document], Plan]
"""The plan of the task for what the zone holds. Raises PlanRefused."""


class Found(NamedTuple):
    """What a snapshot and the *document* lead to: the plan, and the *steps* that make the zone so.

    *log* is what the document has of entries, as the wishes of the task leave it. Where *is_kept*, that is no news.
    """

    live: LiveZone
    document: Document
    plan: Plan
    steps: tuple[Step, ...]
    log: Mapping[Key, Entry]
    is_kept: bool

    @property
    def is_all(self) -> bool:
        """Whether there is nothing to do, in the zone, in the ledger or in the log."""
        return self.plan.is_empty and not self.steps and self.is_kept

    @property
    def recovered(self) -> tuple[Change, ...]:
        """What an earlier run had begun, and is to be finished."""
        return tuple(step.change for step in self.steps if not step.planned)


class Outcome(NamedTuple):
    """A zone after a run, or as it would be: the last snapshot, the plan, and what was finished of an earlier run."""

    live: LiveZone
    document: Document
    plan: Plan
    recovered: tuple[Change, ...] = ()

    def record_set(self, key: Key) -> dict[str, Any] | None:
        """The set as it is after the run, or would be, with canonical values, as modules return it."""
        ends = {change.key: change.after for change in (*self.recovered, *self.plan.changes)}
        record_set = ends[key] if key in ends else shown_set(self.live, key, self.document.preferences)
        return record_set.as_result() if record_set else None


@dataclass
class Progress:
    """What a run has finished for an earlier one, also where it fails on the way."""

    recovered: tuple[Change, ...] = ()


def look(client: Client, zone: str, store: Store, make_plan: MakePlan, recalled: Outcome | None = None) -> Found:
    """What has to be done to *zone* (canonical); the snapshot of a run that is *recalled* is still good.

    Raises ServiceError, PlanRefused, StateError.
    """

    def clock() -> float:
        return machine().time() + store.ahead

    def read() -> tuple[Document, LiveZone]:
        # Both anew: another run may be at work, and what it has begun is seen before its entries, or the other way.
        document = store.load()
        if recalled and recalled.document == document:
            return document, recalled.live
        return document, with_spelling(client.read_zone(zone), document.respelled)

    def shows_what_was_written(one: tuple[Document, LiveZone]) -> bool:
        document, live = one
        is_recalled = recalled is not None and live is recalled.live
        entries = document.entries
        return is_recalled or is_settled(entries, shown_sets(live, entries, document.preferences), clock())

    document, live = read_until(read, shows_what_was_written)
    return find(live, document, make_plan, clock())


def find(
    live: LiveZone,
    document: Document,
    make_plan: MakePlan,
    now: float,
    misread: Mapping[Key, Collection[str]] | None = None,
) -> Found:
    """What a snapshot leads to. *misread* are values, by set, that the service made of texts.

    They go once the zone shows the texts as they were sent: nothing is deleted for a form that may be refused. Raises
    PlanRefused.
    """
    spoilt = misread or {}
    entries = {key: entry for key, entry in document.entries.items() if not (entry.is_open and entry.is_old(now))}
    keys = {*entries, *spoilt}
    shown = shown_sets(live, keys, document.preferences)
    held = {key: _without(one, spoilt.get(key, ())) for key, one in over(entries, shown, now).items()}
    other = {key for key in keys if held.get(key) != shown.get(key)}
    sets = {key: one for key in other if (one := held.get(key))}
    plan = make_plan(laid_over(live, sets, other) if other else live.record_sets, document)
    changes = {change.key: change for change in plan.changes}
    ends = {key: changes[key].after if key in changes else held.get(key) for key in keys}
    for key, values in spoilt.items():
        if there := shown.get(key):
            wrong = [value for value in values if value in there.values]
            grown = joined(ends[key], wrong, there)
            if minus(ends[key], there) and not Change(there, grown, _kept(key, grown)).deletes:
                ends[key] = grown
            held[key] = joined(held.get(key), wrong, there) or there
    steps = [Step(change, change.before, change) for key, change in changes.items() if key not in keys]
    for key, end in ends.items():
        if not same_set(shown.get(key), end):
            wish = changes[key] if key in changes else Change(None, end, _kept(key, end))
            change = replace(wish, before=shown.get(key), after=end)
            steps.append(Step(change, held.get(key), changes.get(key), key in changes or key in plan.desired))
    steps.sort(key=lambda step: step.key)
    log = {key: entry.with_want(ends[key]) for key, entry in entries.items()}
    is_kept = _open(ended(log, shown, now)) == _open(document.entries)
    of_task = tuple(step.planned for step in steps if step.planned)
    unchanged = plan.unchanged + len(plan.changes) - len(of_task)
    return Found(live, document, plan._replace(changes=of_task, unchanged=unchanged), tuple(steps), log, is_kept)


def _without(record_set: RecordSet, values: Collection[str]) -> RecordSet | None:
    if not values:
        return record_set
    rest = tuple(value for value in record_set.values if value not in values)
    return replace(record_set, values=rest) if rest else None


def _kept(key: Key, end: RecordSet | None) -> Desired:
    """What is wanted of a set that the log completes: what it is to hold, beside what others have added."""
    return Desired(*key, values=end.values, keeps_others=True, default_ttl=end.ttl) if end else Desired(*key)


def _open(log: Mapping[Key, Entry]) -> dict[Key, Entry]:
    return {key: entry for key, entry in log.items() if entry.is_open}
