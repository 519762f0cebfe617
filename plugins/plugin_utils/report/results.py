# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the result of one task means for the report: pure, with nothing of Ansible but the plain result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

CONDITION = "The module succeeded, and the task counts as failed all the same, as its failed_when or until says."
IN_A_MESSAGE = re.compile(r"\bZone ([\w./-]+): ")
UNMANAGED = re.compile(r"the account has \d+ zones? (without a file in |that the task does not list)")
MORE_FINDINGS = re.compile(r"there (is|are) \d+ more findings? in \S+, see findings in the result")


@dataclass(frozen=True)
class Event:
    """What Ansible tells of one result: of a task, or of one item of its loop.

    *zone* is the task's option of that name, for results that do not say it. *result* may hold secrets under
    ``invocation``, which is never looked at.
    """

    host: str
    task: str
    result: Mapping[str, Any]
    zone: str = ""
    check_mode: bool = False
    failed: bool = False
    reads_only: bool = False


@dataclass(frozen=True)
class Side:
    """A record set before or after a change: its TTL in seconds, and its values."""

    ttl: int
    contents: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """One record set that changed, or would in check mode."""

    name: str
    type: str
    action: str
    before: Side | None
    after: Side | None
    because: str = ""

    @property
    def is_drift(self) -> bool:
        """Whether somebody else had changed what an owner had left so."""
        return self.because in ("drift", "both")

    @property
    def is_rebuilt(self) -> bool:
        """Whether the set is deleted on the way, and so is gone for a moment."""
        return self.action == "rebuild"


@dataclass(frozen=True)
class Finding:
    """Something that is legal in a zone and wrong all the same."""

    rule: str
    severity: str
    name: str
    type: str
    message: str
    source: str


@dataclass(frozen=True)
class ServiceOwned:
    """A record set that the service alone writes, and that is not as the task says."""

    name: str
    type: str
    message: str


@dataclass(frozen=True)
class Outcome:
    """What became of one zone in one result. *zone* is empty where the result does not tell it.

    *failure* is why it failed, in the module's words. *handled* is ``ignored`` or ``rescued`` where the playbook went
    on all the same. An *unmanaged* zone is one of the account that the task does not have.
    """

    zone: str
    host: str
    task: str
    check_mode: bool = False
    changes: tuple[Change, ...] = ()
    recovered: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()
    service_owned: tuple[ServiceOwned, ...] = ()
    warnings: tuple[str, ...] = ()
    failure: str = ""
    handled: str = ""
    unmanaged: bool = False

    @property
    def changed(self) -> bool:
        """Whether it changed the zone, or would have."""
        return bool(self.changes or self.recovered)

    @property
    def tells(self) -> bool:
        """Whether there is anything to read about it."""
        found = self.findings or self.service_owned or self.unmanaged
        return bool(self.changed or found or self.warnings or self.failure)


def outcomes_of(event: Event) -> list[Outcome]:
    """What one result says, zone by zone; of a module that only reads nothing but a failure counts."""
    result = event.result
    listed = [] if event.reads_only else [one for one in _list(result, "zones") if isinstance(one, Mapping)]
    listed += [] if event.reads_only else [{"zone": str(name)} for name in _list(result, "unchanged")]
    failure = _failure(event)
    if event.reads_only:
        return [Outcome(_zone(event), event.host, event.task, event.check_mode, failure=failure)] if failure else []
    unmanaged = [
        Outcome(str(name), event.host, event.task, event.check_mode, unmanaged=True)
        for name in _list(result, "unmanaged")
    ]
    if not listed:
        outcome = replace(_outcome(event, result), zone=_zone(event), failure=failure)
        return [replace(outcome, warnings=_without_known(outcome, _warnings(event))), *unmanaged]
    outcomes = [replace(_outcome(event, one), failure=said(one)) for one in listed]
    if failure and not any(outcome.failure for outcome in outcomes):
        outcomes.append(Outcome("", event.host, event.task, event.check_mode, failure=failure))
    return [*_with_warnings(event, outcomes), *unmanaged]


def untouched_by(event: Event) -> list[str]:
    """The zones in which the task did nothing, and of which it tells nothing, because of the failure of others."""
    return [] if event.reads_only else [*map(str, _list(event.result, "untouched"))]


def outcomes_of_a_try(event: Event) -> list[Outcome]:
    """What a try says that is made again, as the task's ``until`` asks: its changes stand, and no failure is final."""
    tried = (_as_a_try(outcome) for outcome in outcomes_of(replace(event, failed=False)))
    return [outcome for outcome in tried if outcome.tells]


def _as_a_try(outcome: Outcome) -> Outcome:
    told = (f"A try failed, and was made again: {outcome.failure}",) if outcome.failure else ()
    return replace(outcome, failure="", warnings=(*outcome.warnings, *told))


def _outcome(event: Event, part: Mapping[str, Any]) -> Outcome:
    return Outcome(
        str(part.get("zone") or ""),
        event.host,
        event.task,
        event.check_mode,
        changes=tuple(map(_change, _mappings(part, "changes"))),
        recovered=tuple(map(_change, _mappings(part, "recovered"))),
        findings=tuple(map(_finding, _mappings(part, "findings"))),
        service_owned=tuple(
            ServiceOwned(*(str(one.get(field) or "") for field in ServiceOwned.__annotations__))
            for one in _mappings(part, "service_owned")
        ),
    )


def _warnings(event: Event) -> list[str]:
    """The warnings of the result, but for the one that names the zones which are in it as unmanaged."""
    is_known = bool(_list(event.result, "unmanaged"))
    told = map(str, _list(event.result, "warnings"))
    return [warning for warning in told if not (is_known and UNMANAGED.match(warning))]


def _with_warnings(event: Event, outcomes: list[Outcome]) -> Iterator[Outcome]:
    """The outcomes, each with the warnings that begin with its zone, and one more for those that name none."""
    of_no_zone = _warnings(event)
    for outcome in outcomes:
        own = tuple(warning for warning in of_no_zone if outcome.zone and warning.startswith(f"Zone {outcome.zone}:"))
        of_no_zone = [warning for warning in of_no_zone if warning not in own]
        yield replace(outcome, warnings=_without_known(outcome, own))
    if of_no_zone:
        yield Outcome("", event.host, event.task, event.check_mode, warnings=tuple(of_no_zone))


def _without_known(outcome: Outcome, warnings: Iterable[str]) -> tuple[str, ...]:
    """The warnings but for those in which the module tells what the outcome has: findings, and what is not ours."""
    found = {f"{one.name} {one.type}: {one.message} ({one.rule}, {one.source})" for one in outcome.findings}
    told = found | {one.message for one in outcome.service_owned}

    def is_told(warning: str) -> bool:
        words = warning.removeprefix(f"Zone {outcome.zone}: ")
        return words in told or bool(found and MORE_FINDINGS.fullmatch(words))

    return tuple(warning for warning in warnings if not is_told(warning))


def _failure(event: Event) -> str:
    """Why the module failed, or why the task counts as failed; empty where neither is so.

    With ``failed_when`` a task can count as failed whose module succeeded, and the reverse. One that counts as failed
    because check mode found a change is drift, and no failure of its zone.
    """
    result = event.result
    if result.get("differs"):  # as fail_on_changes asks
        return ""
    succeeded = "status_code" not in result and bool({"files", "zone", "zones"} & result.keys())
    if not succeeded and (event.failed or "status_code" in result):
        return said(result) or "The task failed, and does not say why."
    is_drift = event.check_mode and result.get("changed") and result.get("failed_when_result")
    return CONDITION if event.failed and not is_drift else ""


def said(result: Mapping[str, Any]) -> str:
    """The message of a result, in one paragraph; ansible-core 2.18 quotes the playbook after it, tokens and all."""
    return " ".join(str(result.get("msg") or "").partition("\n\n")[0].split())


def _zone(event: Event) -> str:
    """The zone that a result or its task names, or else its message, as messages of this collection begin with it."""
    named = event.result.get("zone") or event.zone
    if not named and (found := IN_A_MESSAGE.search(said(event.result))):
        named = found[1]
    return str(named)


def _change(part: Mapping[str, Any]) -> Change:
    name, rdtype, action = (str(part.get(field) or "") for field in ("name", "type", "action"))
    because = str(part.get("because") or "")
    return Change(name, rdtype, action, _side(part.get("before")), _side(part.get("after")), because)


def _side(part: Any) -> Side | None:
    if not isinstance(part, Mapping):
        return None
    return Side(int(part.get("ttl") or 0), tuple(map(str, _list(part, "contents"))))


def _finding(part: Mapping[str, Any]) -> Finding:
    return Finding(*(str(part.get(field) or "") for field in Finding.__annotations__))


def _list(part: Mapping[str, Any], field: str) -> list[Any]:
    found = part.get(field)
    return list(found) if isinstance(found, (list, tuple)) else []


def _mappings(part: Mapping[str, Any], field: str) -> list[Mapping[str, Any]]:
    return [one for one in _list(part, field) if isinstance(one, Mapping)]
