# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What plain task results say of zones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

CONDITION = "The module succeeded, but failed_when or until made the task fail."
IN_A_MESSAGE = re.compile(r"\bZone ([\w./-]+): ")
UNMANAGED = re.compile(
    r"the account has \d+ zones? (without a file in |that the task does not list)"
)
MORE_FINDINGS = re.compile(r"there (is|are) \d+ more findings? in \S+, see findings in the result")


@dataclass(frozen=True)
class Side:
    """The TTL is in seconds."""

    ttl: int
    contents: tuple[str, ...]


@dataclass(frozen=True)
class ReportedChange:
    """Made, or to be made in check mode."""

    name: str
    type: str
    action: str
    before: Side | None
    after: Side | None
    because: str = ""

    @property
    def is_drift(self) -> bool:
        """Whether other writers changed what an owner had left."""
        return self.because in ("drift", "both")

    @property
    def is_rebuilt(self) -> bool:
        """Gone for a moment."""
        return self.action == "rebuild"


@dataclass(frozen=True)
class ReportedFinding:
    rule: str
    severity: str
    name: str
    type: str
    message: str
    source: str


@dataclass(frozen=True)
class ServiceOwned:
    name: str
    type: str
    message: str


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
    changes: tuple[ReportedChange, ...] = ()
    unfinished: tuple[ReportedChange, ...] = ()
    recovered: tuple[ReportedChange, ...] = ()
    findings: tuple[ReportedFinding, ...] = ()
    service_owned: tuple[ServiceOwned, ...] = ()
    warnings: tuple[str, ...] = ()
    unmanaged: bool = False
    failure: Failure | None = None

    @property
    def changed(self) -> bool:
        return bool(self.changes or self.recovered)

    @property
    def rebuilt(self) -> list[ReportedChange]:
        return [change for change in self.changes if change.is_rebuilt]

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
        outcomes = [_with_warnings(outcome, _warnings(event))]
    for name in _list(event.result, "unmanaged"):
        outcomes.append(event.outcome(str(name), unmanaged=True))
    return outcomes


def untouched_by(event: Event) -> list[str]:
    if event.reads_only:
        return []
    return [str(name) for name in _list(event.result, "untouched")]


def outcomes_of_a_try(event: Event) -> list[Outcome]:
    """The outcomes of a try that ``until`` repeats: changes stand, the failure is not final."""
    outcomes = []
    for outcome in outcomes_of(replace(event, failed=False)):
        warnings = outcome.warnings
        if outcome.failure:
            warnings = (*warnings, f"An attempt failed and was repeated: {outcome.failure.msg}")
        tried = replace(outcome, failure=None, warnings=warnings)
        if tried.tells:
            outcomes.append(tried)
    return outcomes


def message_of(result: Mapping[str, Any]) -> str:
    """The message without the playbook that ansible-core 2.18 quotes after it."""
    msg = str(result.get("msg") or "")
    sentence, _blank_line, _playbook = msg.partition("\n\n")
    return " ".join(sentence.split())


def _zones(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The zones' own results, of which a failed task only names the unchanged ones."""
    unchanged = [{"zone": name} for name in _list(result, "unchanged")]
    return [*_list(result, "zones"), *unchanged]


def _of_zones(
    event: Event, zones: Iterable[Mapping[str, Any]], failure: Failure | None
) -> list[Outcome]:
    """The outcomes of zones, and those of none of them: a failure, and warnings."""
    outcomes = []
    warnings = _warnings(event)
    for zone in zones:
        msg = message_of(zone)
        outcome = replace(_outcome(event, zone), failure=Failure(msg) if msg else None)
        opening = f"Zone {outcome.zone}:"
        own = [warning for warning in warnings if outcome.zone and warning.startswith(opening)]
        warnings = [warning for warning in warnings if warning not in own]
        outcomes.append(_with_warnings(outcome, own))
    if any(outcome.failure for outcome in outcomes):
        failure = None
    if failure or warnings:
        outcomes.append(event.outcome(failure=failure, warnings=tuple(warnings)))
    return outcomes


def _outcome(event: Event, part: Mapping[str, Any]) -> Outcome:
    """The outcome of a result, or of one zone in it, without failure and warnings."""
    return event.outcome(
        str(part.get("zone") or ""),
        changes=_changes(part, "changes"),
        unfinished=_changes(part, "unfinished"),
        recovered=_changes(part, "recovered"),
        findings=tuple(ReportedFinding(**one) for one in _list(part, "findings")),
        service_owned=tuple(_service_owned(one) for one in _list(part, "service_owned")),
    )


def _warnings(event: Event) -> list[str]:
    """The warnings, except about unmanaged zones that the result lists."""
    warnings = [str(warning) for warning in _list(event.result, "warnings")]
    if not _list(event.result, "unmanaged"):
        return warnings
    return [warning for warning in warnings if not UNMANAGED.match(warning)]


def _with_warnings(outcome: Outcome, warnings: Iterable[str]) -> Outcome:
    """The outcome with warnings, except those that repeat its findings or service-owned sets."""
    known = [finding.message for finding in outcome.findings]
    known += [owned.message for owned in outcome.service_owned]
    new = []
    for warning in warnings:
        is_known = any(message in warning for message in known)
        if not is_known and not MORE_FINDINGS.search(warning):
            new.append(warning)
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
    """The zone that the result, the option or else the message names."""
    named = event.result.get("zone") or event.zone
    if named:
        return str(named)
    found = IN_A_MESSAGE.search(message_of(event.result))
    return found[1] if found else ""


def _changes(part: Mapping[str, Any], field: str) -> tuple[ReportedChange, ...]:
    return tuple(_change(one) for one in _list(part, field))


def _change(part: Mapping[str, Any]) -> ReportedChange:
    before, after = _side(part["before"]), _side(part["after"])
    because = part.get("because", "")
    return ReportedChange(part["name"], part["type"], part["action"], before, after, because)


def _side(part: Any) -> Side | None:
    return Side(part["ttl"], tuple(part["contents"])) if part else None


def _service_owned(part: Mapping[str, Any]) -> ServiceOwned:
    return ServiceOwned(part["name"], part["type"], part["message"])


def _list(part: Mapping[str, Any], field: str) -> Sequence[Any]:
    return part.get(field) or ()
