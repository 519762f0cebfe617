# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one view of a report that all its forms show: zones with their states, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .model import Report
from .outcomes import Failure, Outcome

STATES = {
    "failed": "Failed",
    "changed": "Changed",
    "would_change": "Would change",
    "not_ours": "Owned by the service",
    "unmanaged": "Unmanaged",
    "unchanged": "Unchanged",
}
"""The worst first, with what people read."""

AMOUNTS = {
    "changes": ("change", "changes"),
    "rebuilt": ("set rebuilt (gone for a moment)", "sets rebuilt (gone for a moment)"),
    "unfinished": ("record set left incomplete", "record sets left incomplete"),
    "findings": ("finding", "findings"),
    "service_owned": ("record set owned by the service", "record sets owned by the service"),
    "recovered": ("record set recovered", "record sets recovered"),
    "warnings": ("warning", "warnings"),
}
"""What is counted of outcomes, with what people read: singular and plural."""


@dataclass(frozen=True)
class Zone:
    """What each task did to a zone, in order."""

    name: str
    outcomes: tuple[Outcome, ...]

    @property
    def state(self) -> str:
        """The worst one, of STATES. One task that has the zone makes it managed."""
        if self.failures:
            return "failed"
        changing = [outcome for outcome in self.outcomes if outcome.changed]
        if changing:
            only_checked = all(outcome.check_mode for outcome in changing)
            return "would_change" if only_checked else "changed"
        if any(outcome.service_owned for outcome in self.outcomes):
            return "not_ours"
        if all(outcome.unmanaged for outcome in self.outcomes):
            return "unmanaged"
        return "unchanged"

    @property
    def failures(self) -> list[Failure]:
        """All failures, even handled ones."""
        return failures_of(self.outcomes)

    @property
    def is_handled(self) -> bool:
        """Whether it failed, and the playbook ignored or rescued each failure."""
        failures = self.failures
        return bool(failures) and all(failure.handled for failure in failures)

    @property
    def tells(self) -> bool:
        """Whether there is more to read than the state."""
        return any(outcome.tells for outcome in self.outcomes)

    @property
    def amounts(self) -> dict[str, int]:
        return amounts_of(self.outcomes)


@dataclass(frozen=True)
class View:
    """*zones* are sorted by name. *counts* has the states' and AMOUNTS' names, and more."""

    report: Report
    zones: list[Zone]
    without_zone: list[Outcome]
    mode: str
    counts: dict[str, int]

    @property
    def worst_first(self) -> list[Zone]:
        order = list(STATES)
        return sorted(self.zones, key=lambda zone: order.index(zone.state))


def view_of(report: Report) -> View:
    """The view of a report as it is now."""
    by_zone: dict[str, list[Outcome]] = {}
    without_zone = []
    for outcome in report.outcomes:
        if outcome.zone:
            by_zone.setdefault(outcome.zone, []).append(outcome)
        elif outcome.tells:
            without_zone.append(outcome)
    zones = [Zone(name, tuple(by_zone[name])) for name in sorted(by_zone)]
    counts = _counts(report, zones, without_zone)
    return View(report, zones, without_zone, _mode(report), counts)


def _mode(report: Report) -> str:
    """``check``, ``run``, or ``mixed``."""
    modes = {outcome.check_mode for outcome in report.outcomes}
    modes |= {place.check_mode for place in report.interrupted}
    if len(modes) > 1:
        return "mixed"
    return "check" if True in modes else "run"


def _counts(report: Report, zones: list[Zone], without_zone: list[Outcome]) -> dict[str, int]:
    states = Counter(zone.state for zone in zones)
    return {
        "zones": len(zones),
        **{state: states[state] for state in STATES},
        "failed_handled": len([zone for zone in zones if zone.is_handled]),
        "failed_without_zone": len(failures_of(without_zone)),
        "interrupted": len(report.interrupted),
        "untouched": len(report.untouched),
        "unreachable": len(report.unreachable),
        "failed_elsewhere": len(report.failed_elsewhere),
        **amounts_of(report.outcomes),
    }


def failures_of(outcomes: Iterable[Outcome]) -> list[Failure]:
    return [outcome.failure for outcome in outcomes if outcome.failure]


def amounts_of(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How much outcomes hold of each of AMOUNTS."""
    amounts = dict.fromkeys(AMOUNTS, 0)
    for outcome in outcomes:
        for kind in AMOUNTS:
            amounts[kind] += len(getattr(outcome, kind))
    return amounts
