# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turns a run's outcome into the module's result, or into one sentence about an error."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Iterator
from typing import Any

from .._api.answers import ServiceError, clause, unexpected
from .._api.client import ZoneNotFound
from .._api.connection import InvalidConnection
from .._apply.outcome import ApplyFailed, ZoneOutcome
from .._dns.names import InvalidInput
from .._dns.printable import printable, some_clauses, some_names
from .._dns.record_set import Key
from .._plan.change import PlanRefused, diff_of
from .._state.store import StateError
from .invocation import Invocation
from .options import InvalidOptions


def encodable(value: Any) -> Any:
    """Escape lone surrogates, which neither files nor terminals take."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {encodable(name): encodable(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [encodable(part) for part in value]
    return value


def sentence(text: str) -> str:
    """Make *text* printable, with a full stop."""
    text = printable(text)
    if text.endswith((".", "?")):
        return text
    return f"{text}."


def record_set_after(outcome: ZoneOutcome, key: Key) -> dict[str, Any] | None:
    """A set as it is after the run, as modules return it; None if it is not there."""
    record_set = outcome.shown.get(key)
    for change in (*outcome.recovered, *outcome.plan.changes):
        if change.key == key:
            record_set = change.after
    return record_set.as_result() if record_set else None


UNCHANGED = "nothing was changed"

EXPECTED = (InvalidInput, ServiceError, PlanRefused, StateError, ApplyFailed)
"""Errors that are not bugs."""


def result_of(
    perform: Callable[[Invocation], dict[str, Any]], invocation: Invocation
) -> dict[str, Any]:
    """Return the result of *perform* with ``failed`` and warnings.

    Every error becomes a result, since raising it would lose earlier items of a loop.
    """
    fails_on_changes = invocation.check_mode and invocation.options.get("fail_on_changes")
    try:
        result: dict[str, Any] = encodable({"failed": False, **perform(invocation)})
        if fails_on_changes and not result["failed"]:
            result = failed_for_changes(result)
    except Exception as error:  # noqa: BLE001 - the items of a loop before this one would be lost with it
        result = encodable(failure_of(error, invocation))
    result["warnings"] = [printable(warning) for warning in invocation.warnings]
    return result


def failure_of(error: Exception, invocation: Invocation) -> dict[str, Any]:
    """Return the result for any error, inside its ``except``."""
    if isinstance(error, EXPECTED):
        return _failure(error, invocation)
    # Ansible shows the traceback only on request; bug reports need it.
    trace = traceback.format_exc()
    what = f"there was an unexpected {unexpected(error)}"
    told: Exception = ServiceError(what)
    if "wait" in invocation.options:
        told = ApplyFailed(f"{what}; check that the zone is as it should be")
    return {**_failure(told, invocation), "exception": trace}


def nothing_done(options: Collection[str]) -> dict[str, Any]:
    """Return the fields of a result before anything was done, of a module with these *options*."""
    result: dict[str, Any] = {"changed": False, "status_code": None}
    if "wait" in options:
        is_of_many = "zones" in options and "zone" not in options
        result["zones" if is_of_many else "changes"] = []
    return result


def _failure(error: Exception, invocation: Invocation) -> dict[str, Any]:
    result = {
        **nothing_done(invocation.options),
        "failed": True,
        "msg": _message(error, invocation),
        "status_code": getattr(error, "status_code", None),
    }
    if isinstance(error, ApplyFailed):
        result.update(_written(error))
        if invocation.findings:
            result["findings"] = invocation.findings
    return result


def _written(error: ApplyFailed) -> dict[str, Any]:
    """Return what was done to which sets before a failure."""
    sets = {
        "applied": error.applied,
        "failed_sets": error.failed,  # "failed" is Ansible's own field
        "not_attempted": error.not_attempted,
    }
    result: dict[str, Any] = {}
    for field, keys in sets.items():
        result[field] = [key._asdict() for key in keys]
    result["changes"] = [change.as_result() for change in error.changes]
    result["changed"] = bool(error.recovered or error.changes)
    if error.recovered:
        result["recovered"] = [change.as_result() for change in error.recovered]
    if result["changed"]:
        result["diff"] = diff_of(error.recovered, error.changes)
    if error.unfinished:
        result["unfinished"] = [change.as_result() for change in error.unfinished]
    return result


def _message(error: Exception, invocation: Invocation) -> str:
    """Say which zone, what was tried, what is wrong, and where that is unclear, that nothing was changed."""
    options = invocation.options
    reason = str(error)
    zone = (options.get("zone") or "").strip().rstrip(".")
    state = f"; {UNCHANGED}" if "wait" in options else ""
    is_of_reading = isinstance(error, ServiceError) and not isinstance(error, ZoneNotFound)
    if zone and is_of_reading:
        reason = f"cannot read it: {clause(error)}{state}"
    elif isinstance(error, PlanRefused):
        reason += state
    is_of_task = isinstance(error, (InvalidOptions, InvalidConnection))
    if zone and not is_of_task:
        reason = f"Zone {printable(zone)}: {reason}"
    return sentence(reason)


def with_names_of_unchanged(result: dict[str, Any]) -> dict[str, Any]:
    """Shorten a failed result of many zones: unchanged ones become names, and failures come last, where people look."""
    unchanged = []
    others = []
    for item in result["zones"]:
        if any(item.get(field) for field in ("msg", "changed", "findings", "service_owned")):
            others.append(item)
        else:
            unchanged.append(item["zone"])
    others.sort(key=lambda item: "msg" in item)
    shortened = {**result, "zones": others}
    if unchanged:
        shortened["unchanged"] = unchanged
    return shortened


def failed_for_changes(result: dict[str, Any]) -> dict[str, Any]:
    """Make a check mode result fail if anything differs."""
    clauses = []
    for item in result.get("zones", [result]):
        parts = [*_differing(item)]
        if parts:
            clauses.append(f"zone {item['zone']} ({some_names(parts)})")
    unmanaged = result.get("unmanaged", [])
    if unmanaged is None:
        clauses.append("the account may have zones that the task does not list")
    elif unmanaged:
        names = some_names(unmanaged)
        clauses.append(f"the account has zones that the task does not list ({names})")
    if not clauses:
        return result
    msg = f"fail_on_changes is true, and there are differences: {some_clauses(clauses)}"
    failure = {"failed": True, "differs": True, "msg": sentence(msg), "status_code": None}
    if "zones" in result:
        result = with_names_of_unchanged(result)
    return {**result, **failure}


def _differing(item: dict[str, Any]) -> Iterator[str]:
    for one in (*item.get("recovered", ()), *item.get("changes", ())):
        yield f"{one['action']} {printable(one['name'])} {one['type']}"
    for one in item.get("service_owned", ()):
        yield f"{printable(one['name'])} {one['type']}, which the service owns"
