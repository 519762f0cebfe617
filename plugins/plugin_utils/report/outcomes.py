# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What plain task results say of zones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

CONDITION = "The module succeeded, but failed_when or until made the task fail."
Row = Mapping[str, Any]
"""A change, a finding or a service-owned set, with the fields of the modules' results."""


@dataclass(frozen=True)
class Failure:
    """*handled* is ``ignored`` or ``rescued`` if the playbook went on."""

    msg: str
    handled: str | None = None


@dataclass(frozen=True)
class Outcome:
    """A result about one zone, whose name is empty if it names none.

    *unmanaged* zones are in the account but not in the task. *unfinished* changes were begun by a task that then
    failed.
    """

    zone: str
    host: str
    task: str
    check_mode: bool = False
    changes: Sequence[Row] = ()
    unfinished: Sequence[Row] = ()
    recovered: Sequence[Row] = ()
    findings: Sequence[Row] = ()
    service_owned: Sequence[Row] = ()
    warnings: tuple[str, ...] = ()
    unmanaged: bool = False
    failure: Failure | None = None

    @property
    def changed(self) -> bool:
        return bool(self.changes or self.recovered)

    @property
    def rebuilt(self) -> list[Row]:
        """Changes of sets that are gone for a moment."""
        return [change for change in self.changes if change["action"] == "rebuild"]

    @property
    def tells(self) -> bool:
        """Whether there is more to read than that the zone is unchanged."""
        found = self.findings or self.service_owned or self.unmanaged
        return bool(self.changed or found or self.warnings or self.failure)


@dataclass(frozen=True)
class Event:
    """A result of a task or a loop's item.

    *zone* is the task's option, for results without one. *result* may hold secrets under ``invocation``, which is not
    read.
    """

    host: str
    task: str
    result: Mapping[str, Any]
    zone: str = ""
    check_mode: bool = False
    failed: bool = False
    reads_only: bool = False

    def outcome(self, zone: str = "", **parts: Any) -> Outcome:
        return Outcome(zone, self.host, self.task, self.check_mode, **parts)


def outcomes_of(event: Event) -> list[Outcome]:
    """One for each zone. Modules that only read have one if they failed."""
    failure = _failure(event)
    if event.reads_only:
        if failure is None:
            return []
        return [event.outcome(_zone(event), failure=failure)]
    zones = _zones(event.result)
    if zones:
        outcomes = _of_zones(event, zones, failure)
    else:
        outcome = replace(_outcome(event, event.result), zone=_zone(event), failure=failure)
        outcomes = [_with_warnings(outcome, listed(event.result, "warnings"))]
    for name in listed(event.result, "unmanaged"):
        outcomes.append(event.outcome(str(name), unmanaged=True))
    return outcomes


def message_of(result: Mapping[str, Any]) -> str:
    """The message without the playbook that ansible-core 2.18 quotes after it."""
    msg = str(result.get("msg") or "")
    sentence, _blank_line, _playbook = msg.partition("\n\n")
    return " ".join(sentence.split())


def _zones(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The zones' own results, of which a failed task only names the unchanged ones."""
    unchanged = [{"zone": name} for name in listed(result, "unchanged")]
    return [*listed(result, "zones"), *unchanged]


def _of_zones(
    event: Event, zones: Iterable[Mapping[str, Any]], failure: Failure | None
) -> list[Outcome]:
    """The outcomes of zones, and those of none of them: a failure, and warnings."""
    outcomes = []
    warnings = listed(event.result, "warnings")
    for zone in zones:
        msg = message_of(zone)
        outcome = replace(_outcome(event, zone), failure=Failure(msg) if msg else None)
        opening = f"Zone {outcome.zone}:"
        own = [warning for warning in warnings if outcome.zone and warning.startswith(opening)]
        warnings = [warning for warning in warnings if warning not in own]
        outcomes.append(_with_warnings(outcome, own))
    if any(outcome.failure for outcome in outcomes):
        failure = None
    rest = _with_warnings(event.outcome(failure=failure), warnings)
    if rest.tells:
        outcomes.append(rest)
    return outcomes


def _outcome(event: Event, part: Mapping[str, Any]) -> Outcome:
    """The outcome of a result, or of one zone in it, without failure and warnings."""
    owned = []
    for one in listed(part, "service_owned"):
        owned.append({field: one[field] for field in ("name", "type", "message")})
    return event.outcome(
        str(part.get("zone") or ""),
        changes=listed(part, "changes"),
        unfinished=listed(part, "unfinished"),
        recovered=listed(part, "recovered"),
        findings=listed(part, "findings"),
        service_owned=owned,
    )


def _with_warnings(outcome: Outcome, warnings: Iterable[str]) -> Outcome:
    """The outcome with warnings, except those that repeat what it has."""
    known = [row["message"] for row in (*outcome.findings, *outcome.service_owned)]
    new = []
    for warning in warnings:
        if not any(message in warning for message in known):
            new.append(str(warning))
    return replace(outcome, warnings=tuple(new))


def _failure(event: Event) -> Failure | None:
    """Why the module or the task failed, which ``failed_when`` can make differ.

    Failing because check mode found a change is drift, not a failure.
    """
    result = event.result
    if result.get("differs"):  # as fail_on_changes asks
        return None
    has_error = "status_code" in result
    has_result = any(field in result for field in ("files", "zone", "zones"))
    if has_error or (event.failed and not has_result):
        return Failure(message_of(result) or "The task failed without saying why.")
    is_drift = event.check_mode and result.get("changed") and result.get("failed_when_result")
    if event.failed and not is_drift:
        return Failure(CONDITION)
    return None


def _zone(event: Event) -> str:
    """The zone that the result or else the option names."""
    return str(event.result.get("zone") or event.zone)


def listed(part: Mapping[str, Any], field: str) -> Sequence[Any]:
    """A field of a result or of a part of it; empty if it is missing."""
    return part.get(field) or ()
