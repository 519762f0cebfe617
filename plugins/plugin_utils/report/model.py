# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A run's effects on zones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .outcomes import Outcome

STATES = {
    "failed": "Failed",
    "changed": "Changed",
    "would_change": "Would change",
    "not_ours": "Owned by the service",
    "unmanaged": "Unmanaged",
    "unchanged": "Unchanged",
}
"""The worst first."""


@dataclass(frozen=True)
class Zone:
    """What each task did to it, in order."""

    name: str
    outcomes: tuple[Outcome, ...]

    @property
    def state(self) -> str:
        """The worst one. One task that has the zone makes it managed."""
        if self.failures:
            return "failed"
        if changing := [outcome for outcome in self.outcomes if outcome.changed]:
            return "would_change" if all(outcome.check_mode for outcome in changing) else "changed"
        if any(outcome.service_owned for outcome in self.outcomes):
            return "not_ours"
        return "unmanaged" if all(outcome.unmanaged for outcome in self.outcomes) else "unchanged"

    @property
    def failures(self) -> list[Outcome]:
        """Even handled ones."""
        return [outcome for outcome in self.outcomes if outcome.failure]

    @property
    def is_handled(self) -> bool:
        return bool(self.failures) and all(outcome.handled for outcome in self.failures)

    @property
    def tells(self) -> bool:
        """Whether there is more to read than the state."""
        return any(outcome.tells for outcome in self.outcomes)

    @property
    def counts(self) -> dict[str, int]:
        return counts_of(self.outcomes)


def counts_of(outcomes: Iterable[Outcome]) -> dict[str, int]:
    outcomes = [*outcomes]
    lists = ("recovered", "findings", "service_owned", "warnings")
    return {
        "changes": sum(len(outcome.changes) for outcome in outcomes),
        "rebuilt": sum(change.is_rebuilt for outcome in outcomes for change in outcome.changes),
        **{name: sum(len(getattr(outcome, name)) for outcome in outcomes) for name in lists},
    }


def worst_first(zones: Iterable[Zone]) -> list[Zone]:
    return sorted(zones, key=lambda zone: [*STATES].index(zone.state))


@dataclass(frozen=True)
class Place:
    host: str
    task: str
    msg: str = ""
    handled: str = ""
    check_mode: bool = False


@dataclass  # mutable: the record of a run, which the callback fills event by event
class Report:
    """*began* and *ended* are seconds since 1970. *interrupted* tasks did not end.

    *untouched* zones were left alone because others failed. *hidden* and *hidden_failed* count results with ``no_log``.
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
        """Over all tasks and hosts."""
        found: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            if outcome.zone:
                found.setdefault(outcome.zone, []).append(outcome)
        return [Zone(name, tuple(outcomes)) for name, outcomes in sorted(found.items())]

    @property
    def nowhere(self) -> list[Outcome]:
        """Outcomes without a zone."""
        return [outcome for outcome in self.outcomes if not outcome.zone and outcome.tells]

    @property
    def mode(self) -> str:
        """``check``, ``run``, or ``mixed``."""
        modes = {one.check_mode for one in (*self.outcomes, *self.interrupted)}
        return "mixed" if len(modes) > 1 else "check" if True in modes else "run"

    @property
    def counts(self) -> dict[str, int]:
        """In the report's order."""
        zones = self.zones
        states = [zone.state for zone in zones]
        return {
            "zones": len(zones),
            **{state: states.count(state) for state in STATES},
            "failed_handled": sum(zone.is_handled for zone in zones),
            "failed_without_zone": sum(bool(outcome.failure) for outcome in self.nowhere),
            "interrupted": len(self.interrupted),
            "untouched": len(self.untouched),
            **counts_of(self.outcomes),
        }
