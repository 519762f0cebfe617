# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What plain task results say of zones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
class Outcome:
    """A result about one zone, whose name is empty if it names none.

    *handled* is ``ignored`` or ``rescued`` if the playbook went on. *unmanaged* zones are in the account but not in the
    task.
    """

    zone: str
    host: str
    task: str
    check_mode: bool = False
    changes: tuple[ReportedChange, ...] = ()
    recovered: tuple[ReportedChange, ...] = ()
    findings: tuple[ReportedFinding, ...] = ()
    service_owned: tuple[ServiceOwned, ...] = ()
    warnings: tuple[str, ...] = ()
    failure: str = ""
    handled: str = ""
    unmanaged: bool = False

    @property
    def changed(self) -> bool:
        return bool(self.changes or self.recovered)

    @property
    def tells(self) -> bool:
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
    """Modules that only read have one if they failed."""
    result, failure = event.result, _failure(event)
    if event.reads_only:
        return [event.outcome(_zone(event), failure=failure)] if failure else []
    unmanaged = [event.outcome(str(name), unmanaged=True) for name in _list(result, "unmanaged")]
    listed = [
        *_list(result, "zones"),
        *({"zone": str(name)} for name in _list(result, "unchanged")),
    ]
    if not listed:
        outcome = replace(_outcome(event, result), zone=_zone(event), failure=failure)
        return [replace(outcome, warnings=_without_known(outcome, _warnings(event))), *unmanaged]
    outcomes = [replace(_outcome(event, one), failure=message_of(one)) for one in listed]
    if failure and not any(outcome.failure for outcome in outcomes):
        outcomes.append(event.outcome(failure=failure))
    return [*_with_warnings(event, outcomes), *unmanaged]


def untouched_by(event: Event) -> list[str]:
    return [] if event.reads_only else [*map(str, _list(event.result, "untouched"))]


def outcomes_of_a_try(event: Event) -> list[Outcome]:
    """The outcomes of a try that ``until`` repeats: changes stand, the failure is not final."""
    tried = (_as_a_try(outcome) for outcome in outcomes_of(replace(event, failed=False)))
    return [outcome for outcome in tried if outcome.tells]


def _as_a_try(outcome: Outcome) -> Outcome:
    repeated = (
        (f"An attempt failed and was repeated: {outcome.failure}",) if outcome.failure else ()
    )
    return replace(outcome, failure="", warnings=(*outcome.warnings, *repeated))


def _outcome(event: Event, part: Mapping[str, Any]) -> Outcome:
    return event.outcome(
        str(part.get("zone") or ""),
        changes=tuple(map(_change, _list(part, "changes"))),
        recovered=tuple(map(_change, _list(part, "recovered"))),
        findings=tuple(ReportedFinding(**one) for one in _list(part, "findings")),
        service_owned=tuple(map(_service_owned, _list(part, "service_owned"))),
    )


def _warnings(event: Event) -> list[str]:
    """The warnings, except about unmanaged zones."""
    is_known = bool(_list(event.result, "unmanaged"))
    warnings = map(str, _list(event.result, "warnings"))
    return [warning for warning in warnings if not (is_known and UNMANAGED.match(warning))]


def _with_warnings(event: Event, outcomes: list[Outcome]) -> Iterator[Outcome]:
    """The outcomes, and one for warnings about no zone of theirs."""
    of_no_zone = _warnings(event)
    for outcome in outcomes:
        own = [
            warning
            for warning in of_no_zone
            if outcome.zone and warning.startswith(f"Zone {outcome.zone}:")
        ]
        of_no_zone = [warning for warning in of_no_zone if warning not in own]
        yield replace(outcome, warnings=_without_known(outcome, own))
    if of_no_zone:
        yield event.outcome(warnings=tuple(of_no_zone))


def _without_known(outcome: Outcome, warnings: Iterable[str]) -> tuple[str, ...]:
    """The warnings, except those that repeat findings or service-owned sets."""
    known = [one.message for one in (*outcome.findings, *outcome.service_owned)]
    new = (warning for warning in warnings if not any(message in warning for message in known))
    return tuple(warning for warning in new if not MORE_FINDINGS.search(warning))


def _failure(event: Event) -> str:
    """Why the module or the task failed, which ``failed_when`` can make differ.

    Failing because check mode found a change is drift, not a failure.
    """
    result = event.result
    if result.get("differs"):  # as fail_on_changes asks
        return ""
    succeeded = "status_code" not in result and bool({"files", "zone", "zones"} & result.keys())
    if not succeeded and (event.failed or "status_code" in result):
        return message_of(result) or "The task failed without saying why."
    is_drift = event.check_mode and result.get("changed") and result.get("failed_when_result")
    return CONDITION if event.failed and not is_drift else ""


def message_of(result: Mapping[str, Any]) -> str:
    """The message without the playbook that ansible-core 2.18 quotes after it."""
    return " ".join(str(result.get("msg") or "").partition("\n\n")[0].split())


def _zone(event: Event) -> str:
    named = event.result.get("zone") or event.zone
    if not named and (found := IN_A_MESSAGE.search(message_of(event.result))):
        named = found[1]
    return str(named)


def _change(part: Mapping[str, Any]) -> ReportedChange:
    sides = _side(part["before"]), _side(part["after"])
    return ReportedChange(
        part["name"], part["type"], part["action"], *sides, part.get("because", "")
    )


def _side(part: Any) -> Side | None:
    return Side(part["ttl"], tuple(part["contents"])) if part else None


def _service_owned(part: Mapping[str, Any]) -> ServiceOwned:
    return ServiceOwned(part["name"], part["type"], part["message"])


def _list(part: Mapping[str, Any], field: str) -> Sequence[Any]:
    return part.get(field) or ()
