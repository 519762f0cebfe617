# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run on a zone finds, does and fails at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .._api.client import Snapshot
from .._dns.record_set import NONE_KNOWN, Key, Preferences, RecordSet
from .._log.document import Document
from .._log.entry import Entry
from .._plan.change import Change, canonical_set
from .._plan.plan import Plan


@dataclass(eq=False)
class ApplyFailed(Exception):
    """A plan was not carried out completely; *reason* is one clause.

    *changes* were made anyway. *applied*, *failed* and *not_attempted* are keys of planned sets. *unfinished* changes
    may be completed by the next run, or their outcome is unknown. *recovered* belonged to an earlier run.
    """

    reason: str
    status_code: int | None = None
    changes: tuple[Change, ...] = ()
    applied: tuple[Key, ...] = ()
    failed: tuple[Key, ...] = ()
    not_attempted: tuple[Key, ...] = ()
    unfinished: tuple[Change, ...] = ()
    recovered: tuple[Change, ...] = ()

    def __str__(self) -> str:
        return self.reason


def shown_set(snapshot: Snapshot, key: Key, preferences: Preferences) -> RecordSet | None:
    """None if absent."""
    record_set = snapshot.record_sets.get(key)
    return canonical_set(record_set, snapshot.name, preferences) if record_set else None


def shown_sets(
    snapshot: Snapshot, keys: Iterable[Key], preferences: Preferences = NONE_KNOWN
) -> dict[Key, RecordSet]:
    """The sets as shown, without absent ones."""
    found = {key: shown_set(snapshot, key, preferences) for key in keys}
    return {key: record_set for key, record_set in found.items() if record_set}


class Step(NamedTuple):
    """*change* starts at the snapshot, *planned* at the set *held* under the overlay.

    None if only the log needs the step. *is_of_task*: the task names the set, so it fails with it.
    """

    change: Change
    held: RecordSet | None
    planned: Change | None
    is_of_task: bool = True

    @property
    def key(self) -> Key:
        return self.change.key


class Found(NamedTuple):
    """*log* are the entries that the task leaves; *is_kept* if the document has them already."""

    snapshot: Snapshot
    document: Document
    plan: Plan
    steps: tuple[Step, ...]
    log: Mapping[Key, Entry]
    is_kept: bool

    @property
    def is_all(self) -> bool:
        """Whether zone, ledger and log need nothing."""
        return self.plan.is_empty and not self.steps and self.is_kept

    @property
    def recovered(self) -> tuple[Change, ...]:
        """Of an earlier run."""
        return tuple(step.change for step in self.steps if not step.planned)


class ZoneOutcome(NamedTuple):
    """After a run, or as planned; *recovered* was finished for an earlier run."""

    snapshot: Snapshot
    document: Document
    plan: Plan
    recovered: tuple[Change, ...] = ()

    def record_set(self, key: Key) -> dict[str, Any] | None:
        """As modules return it."""
        ends = {change.key: change.after for change in (*self.recovered, *self.plan.changes)}
        record_set = (
            ends[key] if key in ends else shown_set(self.snapshot, key, self.document.preferences)
        )
        return record_set.as_result() if record_set else None
