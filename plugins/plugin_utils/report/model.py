# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run did to its zones, gathered from the results of its tasks: what every form of the report shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.results import Change, Outcome

STATES = ("failed", "changed", "would_change", "not_ours", "unmanaged", "unchanged")
"""The states of a zone, the worst first."""


@dataclass(frozen=True)
class Zone:
    """One zone, with what each task did to it, in order."""

    name: str
    outcomes: tuple[Outcome, ...]

    @cached_property
    def state(self) -> str:
        """The worst of STATES that the zone was in."""
        if self.failures:
            return "failed"
        changing = [outcome for outcome in self.outcomes if outcome.changed]
        if not changing:
            return self._state_without_changes
        return "would_change" if all(outcome.check_mode for outcome in changing) else "changed"

    @property
    def _state_without_changes(self) -> str:
        """Whether it holds what it should, as far as the tasks can make it so; one that another task has is managed."""
        if any(outcome.service_owned for outcome in self.outcomes):
            return "not_ours"
        return "unmanaged" if all(outcome.unmanaged for outcome in self.outcomes) else "unchanged"

    @property
    def failures(self) -> list[Outcome]:
        """What failed, whether or not the playbook went on."""
        return [outcome for outcome in self.outcomes if outcome.failure]

    @property
    def is_handled(self) -> bool:
        """Whether something failed, and the playbook ignored or rescued all of it."""
        return bool(self.failures) and all(outcome.handled for outcome in self.failures)

    @property
    def changes(self) -> list[Change]:
        """The record sets that changed, or would, in order."""
        return [change for outcome in self.outcomes for change in outcome.changes]


@dataclass(frozen=True)
class Place:
    """A task on a host, and what Ansible said of it."""

    host: str
    task: str
    msg: str = ""
    handled: str = ""
    check_mode: bool = False


@dataclass
class Report:
    """A run: what its tasks said of zones, and what happened besides.

    *began* and *ended* are seconds since 1970. *nowhere* is what tasks said that names no zone. *interrupted* is what
    had begun and had not ended. *untouched* are the zones in which a task did nothing because of the failure of others.
    *hidden* and *hidden_failed* count the results that ``no_log`` hides.
    """

    began: float = 0
    ended: float = 0
    playbooks: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    unreachable: list[Place] = field(default_factory=list)
    elsewhere: list[Place] = field(default_factory=list)
    background: list[Place] = field(default_factory=list)
    interrupted: list[Place] = field(default_factory=list)
    untouched: set[str] = field(default_factory=set)
    hidden: int = 0
    hidden_failed: int = 0
    plays_left: int = 0
    is_complete: bool = False

    @property
    def zones(self) -> list[Zone]:
        """The zones by name; those of one name are one, whatever tasks and hosts wrote to it."""
        found: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            if outcome.zone:
                found.setdefault(outcome.zone, []).append(outcome)
        return [Zone(name, tuple(outcomes)) for name, outcomes in sorted(found.items())]

    @property
    def nowhere(self) -> list[Outcome]:
        """What there is to tell of no zone in particular."""
        return [outcome for outcome in self.outcomes if not outcome.zone and outcome.tells]

    @property
    def mode(self) -> str:
        """``check``, ``run``, or ``mixed`` where some tasks ran in check mode."""
        modes = {one.check_mode for one in (*self.outcomes, *self.interrupted)}
        return "mixed" if len(modes) > 1 else "check" if True in modes else "run"

    def settle(self, positions: Iterable[int], handled: str) -> None:
        """Say what the playbook does about the failures among these outcomes."""
        for position in positions:
            if self.outcomes[position].failure:
                self.outcomes[position] = replace(self.outcomes[position], handled=handled)


def counts(report: Report, zones: Iterable[Zone]) -> dict[str, int]:
    """How many zones are in each state, and how much there is to read, in the order of the report."""
    zones = list(zones)
    states = [zone.state for zone in zones]
    of_all = report.outcomes
    return {
        "zones": len(zones),
        **{state: states.count(state) for state in STATES},
        "failed_handled": sum(zone.is_handled for zone in zones),
        "failed_without_zone": sum(bool(outcome.failure) for outcome in report.nowhere),
        "interrupted": len(report.interrupted),
        "untouched": len(report.untouched),
        "changes": sum(len(outcome.changes) for outcome in of_all),
        "rebuilt": sum(change.is_rebuilt for outcome in of_all for change in outcome.changes),
        "recovered": sum(len(outcome.recovered) for outcome in of_all),
        "findings": sum(len(outcome.findings) for outcome in of_all),
        "service_owned": sum(len(outcome.service_owned) for outcome in of_all),
        "warnings": sum(len(outcome.warnings) for outcome in of_all),
    }
