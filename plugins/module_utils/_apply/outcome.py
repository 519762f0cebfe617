# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task asks for, what a run finds, and what comes of it.

A set has four states, each a RecordSet in our own words or None:

* *shown*: as the last snapshot has it (``Dialect.read``).
* *held*: as shown, once unfinished changes of earlier runs are done (``over``), with texts in place of
  what the service made of them. Plans start here.
* *desired*: as it should be in the end (``Change.after``, ``Entry.desired``).
* *sent*: as it should be now, if every answer in this run is true (``Entry.sent``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .._api.client import Snapshot
from .._dns.dialect import ReadSets, Said
from .._dns.record_set import Key, RecordSet, Sets
from .._log.document import Document
from .._log.entry import Entry
from .._plan.change import Change
from .._plan.plan import Plan
from .._threads import Threads
from .deletions import Deletions

MakePlan = Callable[[Sets, Document], Plan]
"""Plans from the sets that are held. Raises PlanRefused."""


class Job(NamedTuple):
    """What a task wants of one zone.

    * *said*: the values that it names, by set.
    * *plan*, *plan_again*: make the first plan, and later ones.
    * *check_further*: raises PlanRefused where later plans go too far. It gets the sets shown, the
      changes planned so far, and the new ones.
    * *reviewed*: the digest of a reviewed plan, or empty.
    * *deletions*: shared by all zones of the task.
    """

    said: Said
    plan: MakePlan
    plan_again: MakePlan
    check_further: Callable[[Sets, Sequence[Change], Sequence[Change]], None]
    deletions: Deletions
    txt_format: str = "auto"
    threads: Threads = 1
    reviewed: str = ""


class Step(NamedTuple):
    """The *change* of one set in this round, from what is shown.

    * *former*: the set as held, without texts that the service has altered. If a value is refused, this
      comes back. It may have values that the zone lacks, which an earlier run has begun to add.
    * *planned*: the task's own change, from what is held; None if only the log needs the step.
    * *is_of_task*: the task names the set, so it fails with it.
    """

    change: Change
    former: RecordSet | None
    planned: Change | None
    is_of_task: bool = True

    @property
    def key(self) -> Key:
        return self.change.key


class Agenda(NamedTuple):
    """What is to be done in a zone, as the *snapshot* and the *document* have it.

    * *shown*: the sets of the snapshot, in our words.
    * *plan*: what the task itself changes.
    * *steps*: all that is written, also what an earlier run left unfinished.
    * *entries*: the log before the first of the steps; *is_logged* if the document has them so.
    * *put_aside*: the rest of the log, which is reported, not completed.
    """

    snapshot: Snapshot
    document: Document
    shown: ReadSets
    plan: Plan
    steps: Sequence[Step]
    entries: Mapping[Key, Entry]
    put_aside: Mapping[Key, Entry]
    is_logged: bool

    @property
    def is_empty(self) -> bool:
        """Whether zone, ledger and log need nothing."""
        return self.plan.is_empty and not self.steps and self.is_logged

    @property
    def recovered(self) -> tuple[Change, ...]:
        """Changes of an earlier run."""
        return tuple(step.change for step in self.steps if not step.planned)


class ZoneOutcome(NamedTuple):
    """After a run, or as planned; *recovered* was finished for an earlier run."""

    snapshot: Snapshot
    document: Document
    shown: ReadSets
    plan: Plan
    recovered: tuple[Change, ...] = ()


@dataclass(eq=False)
class ApplyFailed(Exception):
    """A plan was not carried out completely; *reason* is one clause.

    *changes* were made anyway. *applied*, *failed* and *not_attempted* are keys of planned
    sets. *unfinished* changes may be completed by the next run, or their outcome is unknown.
    *recovered* belonged to an earlier run.
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
