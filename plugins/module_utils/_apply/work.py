# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run knows while it writes a zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .._api.client import Snapshot
from .._api.stale_snapshots import read_until
from .._dns.dialect import ReadSets
from .._dns.record_set import Key, minus
from .._log.log import is_fresh
from .._plan.change import Change
from .outcome import Agenda, Job, Step
from .set_at_work import SetAtWork
from .unit import Failure
from .zone import Zone
from .zone_log import ZoneLog


@dataclass
class Work:
    """The state of a run.

    * *sets*: those that it writes. Before the first round, there are none, and nothing was sent.
    * *given_up*: sets without further rounds, and what failed.
    """

    zone: Zone
    job: Job
    warnings: list[str]
    sets: dict[Key, SetAtWork] = field(default_factory=dict)
    given_up: dict[Key, Failure | None] = field(default_factory=dict)

    @property
    def not_begun(self) -> set[Key]:
        """The sets for which nothing was sent."""
        return {key for key, one in self.sets.items() if not one.has_sent}

    @property
    def log(self) -> ZoneLog:
        return self.zone.log

    def steps_left(self, agenda: Agenda) -> list[Step]:
        return [step for step in agenda.steps if step.key not in self.given_up]

    @property
    def planned(self) -> tuple[Change, ...]:
        """The task's own changes, as first planned."""
        steps = [one.first for one in self.sets.values()]
        return tuple(step.planned for step in steps if step.planned)

    def read_fresh(self, deleting: Sequence[Change] = ()) -> Snapshot:
        """A snapshot that is not stale (rule 2). Raises ServiceError.

        It must agree with the answers: where a request failed, not with what is desired. Of sets that
        the run is about to delete, it must show all values that were there before.
        """
        log = self.log
        at_work = [one for key, one in self.sets.items() if one.has_sent and key in log.entries]

        def read() -> tuple[Snapshot, ReadSets]:
            snapshot = self.zone.read()
            self.zone.learn(snapshot, log.entries)
            shown = self.zone.shown(snapshot)
            # Also of a stale snapshot, which may show what a DELETE has taken since.
            for one in at_work:
                one.log(one.entry.with_others_kept(shown.get(one.key)))
            return snapshot, shown

        def is_believed(seen: tuple[Snapshot, ReadSets]) -> bool:
            _snapshot, shown = seen
            for change in deleting:
                if minus(change.before, shown.get(change.key)):
                    return False
            return is_fresh(log.entries, shown, log.now())

        snapshot, _shown = read_until(read, is_believed)
        return snapshot
