# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What has to be done so that a zone is where a task wants it: a snapshot, the log laid over it, a plan against both.

Most runs end with that, in check mode all do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import Client, Snapshot
from ansible_collections.zonesmith.dns.plugins.module_utils._api.late_reads import read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    NONE_KNOWN,
    Key,
    Preferences,
    RecordSet,
    RecordSets,
    same_set,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import (
    Entry,
    is_settled,
    joined,
    minus,
    over,
    still_kept,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change, canonical_set
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Store


@dataclass(eq=False)
class ApplyFailed(Exception):
    """A plan was not carried out whole: what was tried, why it failed, and what the set holds now, in one clause.

    *changes* is what changed all the same; *applied*, *failed* and *not_attempted* are the keys of the planned sets;
    *unfinished* is what was planned for those that the next run may complete, or whose state is not known; *recovered*
    what was finished of an earlier run; *findings* what *changes* bring, as modules return it, where that is known.

    Nine fields, because it is one record: how far a run came, as modules return it.
    """

    reason: str
    status_code: int | None = None
    changes: tuple[Change, ...] = ()
    applied: tuple[Key, ...] = ()
    failed: tuple[Key, ...] = ()
    not_attempted: tuple[Key, ...] = ()
    unfinished: tuple[Change, ...] = ()
    recovered: tuple[Change, ...] = ()
    findings: list[dict[str, Any]] = field(default_factory=list)

    def __str__(self) -> str:
        """The reason."""
        return self.reason


FRESH = 1.0
"""Seconds for which a snapshot of an earlier task, or of an earlier stage of one, is good enough to write from."""

Respelled = Mapping[Key, Mapping[str, str]]
"""By set, the values as the service shows them, and as they were sent."""


def shown_set(snapshot: Snapshot, key: Key, preferences: Preferences) -> RecordSet | None:
    """A set as a snapshot shows it, with canonical values; None where it shows none."""
    record_set = snapshot.record_sets.get(key)
    return canonical_set(record_set, snapshot.name, preferences) if record_set else None


def shown_sets(snapshot: Snapshot, keys: Iterable[Key], preferences: Preferences = NONE_KNOWN) -> dict[Key, RecordSet]:
    """Those of the sets that a snapshot shows."""
    found = {key: shown_set(snapshot, key, preferences) for key in keys}
    return {key: record_set for key, record_set in found.items() if record_set}


def with_spelling(snapshot: Snapshot, respelled: Respelled) -> Snapshot:
    """A snapshot with the values as they were sent that the service is known to show in another spelling."""
    sets = {}
    for key, spelled in respelled.items():
        if key in snapshot.record_sets:
            shown = canonical_set(snapshot.record_sets[key], snapshot.name)
            sets[key] = replace(shown, values=tuple(spelled.get(value, value) for value in shown.values))
    return replace(snapshot, record_sets={**snapshot.record_sets, **sets}) if sets else snapshot


def age(snapshot: Snapshot) -> float:
    """Seconds since a snapshot was taken."""
    return machine().monotonic() - snapshot.read_at


class Step(NamedTuple):
    """A set that is to be written to.

    *change* leads from what is shown to what it is to hold. *held* is what it holds with the log laid over that, and
    *planned* leads from there, as the task wants it; None where only the log is to be finished. It *is_of_task* where
    the task names the set: then it fails with it.
    """

    change: Change
    held: RecordSet | None
    planned: Change | None
    is_of_task: bool = True

    @property
    def key(self) -> Key:
        """What identifies the set in its zone."""
        return self.change.key


MakePlan = Callable[[RecordSets, Document], Plan]
"""The plan of the task for what the zone holds. Raises PlanRefused."""


RefuseFurther = Callable[[RecordSets, Sequence[Change], Sequence[Change]], None]
"""Raises PlanRefused where what is *again* to do, after what was planned, goes further than the task may."""


class Found(NamedTuple):
    """What a snapshot and the *document* lead to: the plan, and the *steps* that make the zone so.

    *log* is what the document has of entries, as the task leaves it. Where *is_kept*, that is no news.
    """

    snapshot: Snapshot
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


class ZoneOutcome(NamedTuple):
    """A zone after a run, or as it would be: the last snapshot, the plan, and what was finished of an earlier run."""

    snapshot: Snapshot
    document: Document
    plan: Plan
    recovered: tuple[Change, ...] = ()

    def record_set(self, key: Key) -> dict[str, Any] | None:
        """The set as it is after the run, or would be, with canonical values, as modules return it."""
        ends = {change.key: change.after for change in (*self.recovered, *self.plan.changes)}
        record_set = ends[key] if key in ends else shown_set(self.snapshot, key, self.document.preferences)
        return record_set.as_result() if record_set else None


def look(client: Client, zone: str, store: Store, make_plan: MakePlan, recalled: ZoneOutcome | None = None) -> Found:
    """What has to be done to *zone* (canonical); the snapshot of a run that is *recalled* is still good.

    Raises ServiceError, PlanRefused, StateError.
    """

    def clock() -> float:
        return machine().time() + store.ahead

    def read() -> tuple[Document, Snapshot]:
        # Both anew: another run may be at work, and what it has begun is seen before its entries, or the other way.
        document = store.load()
        if recalled and recalled.document == document:
            return document, recalled.snapshot
        return document, with_spelling(client.read_zone(zone), document.respelled)

    def shows_what_was_written(one: tuple[Document, Snapshot]) -> bool:
        document, snapshot = one
        shown = shown_sets(snapshot, document.entries, document.preferences)
        return bool(recalled and snapshot is recalled.snapshot) or is_settled(document.entries, shown, clock())

    document, snapshot = read_until(read, shows_what_was_written)
    return find(snapshot, document, make_plan, clock())


def find(
    snapshot: Snapshot,
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
    entries = {key: entry for key, entry in document.entries.items() if not entry.is_old(now)}
    keys = {*entries, *spoilt}
    shown = shown_sets(snapshot, keys, document.preferences)
    held = {key: _without(one, spoilt.get(key, ())) for key, one in over(entries, shown).items()}
    other = {key for key in keys if held.get(key) != shown.get(key)}
    sets = snapshot.record_sets
    if other:
        sets = {key: one for key, one in sets.items() if key not in other}
        sets |= {key: one for key in other if (one := held.get(key))}
    plan = make_plan(sets, document)
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
    is_kept = _open(still_kept(log, shown, now)) == _open(document.entries)
    of_task = tuple(step.planned for step in steps if step.planned)
    unchanged = plan.unchanged + len(plan.changes) - len(of_task)
    return Found(snapshot, document, plan._replace(changes=of_task, unchanged=unchanged), tuple(steps), log, is_kept)


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


def unexpected(error: Exception) -> str:
    """An error that nobody has words for, in one clause."""
    return printable(" ".join(f"{type(error).__name__} {error}".split())).rstrip(".")
