# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Find the steps from a snapshot, under the log, to the desired zone. Most runs end here, all in check mode."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from .._api.client import Client, Snapshot
from .._api.stale_snapshots import read_until
from .._dns.record_set import Key, RecordSet, RecordSets, same_set
from .._log.document import Document
from .._log.entry import Entry, is_settled, joined, minus, over, still_kept
from .._machine import machine
from .._plan.change import Change, canonical_set
from .._plan.desired import Desired
from .._plan.plan import Plan
from .._state.store import Store
from .outcome import Found, Step, ZoneOutcome, shown_sets


def with_spelling(snapshot: Snapshot, respelled: Mapping[Key, Mapping[str, str]]) -> Snapshot:
    """The snapshot with *respelled* values, by set and as shown, as they were sent."""
    sets = {}
    for key, spelled in respelled.items():
        if key in snapshot.record_sets:
            shown = canonical_set(snapshot.record_sets[key], snapshot.name)
            sets[key] = replace(
                shown, values=tuple(spelled.get(value, value) for value in shown.values)
            )
    return replace(snapshot, record_sets={**snapshot.record_sets, **sets}) if sets else snapshot


MakePlan = Callable[[RecordSets, Document], Plan]
"""Raises PlanRefused."""


def look(
    client: Client,
    zone: str,
    store: Store,
    make_plan: MakePlan,
    recalled: ZoneOutcome | None = None,
) -> Found:
    """Plan for the zone, read now or *recalled*. Raises ServiceError, PlanRefused and StateError."""

    def clock() -> float:
        return machine().time() + store.ahead

    def read() -> tuple[Document, Snapshot]:
        # Load both again: another run may be writing, and either may show it first.
        document = store.load()
        if recalled and recalled.document == document:
            return document, recalled.snapshot
        return document, with_spelling(client.read_zone(zone), document.respelled)

    def shows_what_was_written(one: tuple[Document, Snapshot]) -> bool:
        document, snapshot = one
        shown = shown_sets(snapshot, document.entries, document.preferences)
        return bool(recalled and snapshot is recalled.snapshot) or is_settled(
            document.entries, shown, clock()
        )

    document, snapshot = read_until(read, shows_what_was_written)
    return find(snapshot, document, make_plan, clock())


def find(
    snapshot: Snapshot,
    document: Document,
    make_plan: MakePlan,
    now: float,
    misread: Mapping[Key, Collection[str]] | None = None,
) -> Found:
    """Plan under the overlay. *misread* are texts, by set, that the service altered. Raises PlanRefused.

    They go only once the zone shows them as sent: nothing is deleted for a form that may be refused.
    """
    altered = misread or {}
    entries = {key: entry for key, entry in document.entries.items() if not entry.is_old(now)}
    keys = {*entries, *altered}
    shown = shown_sets(snapshot, keys, document.preferences)
    held = {key: _without(one, altered.get(key, ())) for key, one in over(entries, shown).items()}
    other = {key for key in keys if held.get(key) != shown.get(key)}
    sets = snapshot.record_sets
    if other:
        sets = {key: one for key, one in sets.items() if key not in other}
        sets |= {key: one for key in other if (one := held.get(key))}
    plan = make_plan(sets, document)
    changes = {change.key: change for change in plan.changes}
    ends = {key: changes[key].after if key in changes else held.get(key) for key in keys}
    for key, values in altered.items():
        if there := shown.get(key):
            wrong = [value for value in values if value in there.values]
            grown = joined(ends[key], wrong, there)
            if minus(ends[key], there) and not Change(there, grown, _kept(key, grown)).deletes:
                ends[key] = grown
            held[key] = joined(held.get(key), wrong, there) or there
    steps = [
        Step(change, change.before, change) for key, change in changes.items() if key not in keys
    ]
    for key, end in ends.items():
        if not same_set(shown.get(key), end):
            planned = changes[key] if key in changes else Change(None, end, _kept(key, end))
            change = replace(planned, before=shown.get(key), after=end)
            steps.append(
                Step(change, held.get(key), changes.get(key), key in changes or key in plan.desired)
            )
    steps.sort(key=lambda step: step.key)
    log = {key: entry.with_desired(ends[key]) for key, entry in entries.items()}
    is_kept = _unfinished(still_kept(log, shown, now)) == _unfinished(document.entries)
    of_task = tuple(step.planned for step in steps if step.planned)
    unchanged = plan.unchanged + len(plan.changes) - len(of_task)
    return Found(
        snapshot,
        document,
        plan._replace(changes=of_task, unchanged=unchanged),
        tuple(steps),
        log,
        is_kept,
    )


def _without(record_set: RecordSet, values: Collection[str]) -> RecordSet | None:
    if not values:
        return record_set
    rest = tuple(value for value in record_set.values if value not in values)
    return replace(record_set, values=rest) if rest else None


def _kept(key: Key, end: RecordSet | None) -> Desired:
    """Desire what the log completes, beside what others have added."""
    return (
        Desired(*key, values=end.values, keeps_others=True, default_ttl=end.ttl)
        if end
        else Desired(*key)
    )


def _unfinished(log: Mapping[Key, Entry]) -> dict[Key, Entry]:
    return {key: entry for key, entry in log.items() if entry.is_unfinished}
