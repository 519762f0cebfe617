# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turns a run's outcome into the module's result, or into one sentence about an error."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any

from .._api.answers import ServiceError, clause, unexpected
from .._api.client import ZoneNotFound
from .._api.connection import InvalidConnection
from .._apply.outcome import ApplyFailed
from .._dns.names import InvalidInput
from .._dns.printable import printable, some_clauses, some_names
from .._plan.change import PlanRefused, diff_of
from .._state.store import StateError
from .invocation import Invocation
from .options import InvalidOptions

DEEPEST = 32


def encodable(value: Any, depth: int = 0) -> Any:
    """Escape lone surrogates, which neither files nor terminals take.

    Raises ServiceError for nesting too deep for Ansible's recursion, which only the service's data can have.
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if depth > DEEPEST:
        raise ServiceError(
            f"the service's answer does not follow the specification: it is nested deeper than {DEEPEST} levels",
            200,
        )
    if isinstance(value, dict):
        return {encodable(name): encodable(part, depth + 1) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [encodable(part, depth + 1) for part in value]
    return value


def sentence(text: str) -> str:
    """Make *text* printable, with a full stop."""
    text = printable(text)
    return text if text.endswith((".", "?")) else f"{text}."


UNCHANGED = "nothing was changed"

EXPECTED = (InvalidInput, ServiceError, PlanRefused, StateError, ApplyFailed)
"""Errors that are not bugs."""


def result_of(
    perform: Callable[[Invocation], dict[str, Any]], invocation: Invocation
) -> dict[str, Any]:
    """Return the result of *perform* with ``failed`` and warnings.

    Every error becomes a result, since raising it would lose earlier items of a loop.
    """
    try:
        result = encodable({"failed": False, **perform(invocation)})
        if (
            invocation.check_mode
            and invocation.options.get("fail_on_changes")
            and not result["failed"]
        ):
            result = failed_for_changes(result)
    except Exception as error:  # noqa: BLE001 - the items of a loop before this one would be lost with it
        result = encodable(failure_of(error, invocation))
    return {
        **result,
        "warnings": encodable([printable(warning) for warning in invocation.warnings]),
    }


def _unexpected(error: Exception, invocation: Invocation) -> ServiceError | ApplyFailed:
    """Turn an unexpected error into one that says what was done."""
    what = f"there was an unexpected {unexpected(error)}"
    if "wait" not in invocation.options:
        return ServiceError(what)
    if invocation.done:
        keys = tuple(change.key for change in invocation.done)
        return ApplyFailed(
            f"the service took all changes, but then {what}", changes=invocation.done, applied=keys
        )
    state = UNCHANGED if invocation.check_mode else "check that the zone is as it should be"
    return ApplyFailed(f"{what}; {state}")


def failure_of(error: Exception, invocation: Invocation) -> dict[str, Any]:
    """Return the result for any error, inside its ``except``."""
    trace = {}
    if not isinstance(error, EXPECTED):
        # Ansible shows the traceback only on request; bug reports need it.
        error, trace = _unexpected(error, invocation), {"exception": traceback.format_exc()}
    options, recovered = invocation.options, invocation.recovered
    changes = error.changes if isinstance(error, ApplyFailed) else ()
    result: dict[str, Any] = {
        "failed": True,
        "msg": _message(error, invocation),
        "changed": bool(recovered or changes),
        "status_code": getattr(error, "status_code", None),
        **trace,
    }
    if "wait" in options:
        result["zones" if "zones" in options and "zone" not in options else "changes"] = []
    if recovered:
        result["recovered"] = [change.as_result() for change in recovered]
    if result["changed"]:
        result["diff"] = diff_of(recovered, changes)
    if isinstance(error, ApplyFailed):
        result["changes"] = [change.as_result() for change in changes]
        # "failed" is Ansible's own field.
        sets = {
            "applied": error.applied,
            "failed_sets": error.failed,
            "not_attempted": error.not_attempted,
        }
        result |= {field: [key._asdict() for key in keys] for field, keys in sets.items()}
        if error.unfinished:
            result["unfinished"] = [change.as_result() for change in error.unfinished]
        if invocation.findings:
            result["findings"] = invocation.findings
    return result


def _message(error: Exception, invocation: Invocation) -> str:
    """Say which zone, what was tried, what is wrong, and where that is unclear, that nothing was changed."""
    options, reason = invocation.options, str(error)
    zone = printable(options["zone"].strip().rstrip(".")) if options.get("zone") else ""
    is_of_task = isinstance(error, (InvalidOptions, InvalidConnection))
    state = f"; {UNCHANGED}" if "wait" in options and not invocation.recovered else ""
    if zone and isinstance(error, ServiceError) and not isinstance(error, ZoneNotFound):
        what = f"{options['name']} {options['type']}" if "name" in options else "it"
        reason = (
            f"cannot read {printable(what)}: {clause(error) if 'wait' in options else error}{state}"
        )
    elif isinstance(error, PlanRefused):
        reason += state
    return sentence(f"Zone {zone}: {reason}" if zone and not is_of_task else reason)


def with_names_of_unchanged(result: dict[str, Any]) -> dict[str, Any]:
    """Shorten a failed result of many zones: unchanged ones become names, and failures come last, where people look."""

    def tells(item: dict[str, Any]) -> bool:
        return any(item.get(field) for field in ("changed", "msg", "findings", "service_owned"))

    zones = sorted(filter(tells, result["zones"]), key=lambda item: "msg" in item)
    unchanged = [item["zone"] for item in result["zones"] if not tells(item)]
    return {**result, "zones": zones, **({"unchanged": unchanged} if unchanged else {})}


def failed_for_changes(result: dict[str, Any]) -> dict[str, Any]:
    """Make a check mode result fail if anything differs."""
    differing = {
        item["zone"]: parts
        for item in result.get("zones", [result])
        if (parts := [*_differing(item)])
    }
    clauses = [f"zone {zone} ({some_names(parts)})" for zone, parts in differing.items()]
    if unmanaged := result.get("unmanaged", []):
        clauses.append(
            f"the account has zones that the task does not list ({some_names(unmanaged)})"
        )
    elif unmanaged is None:
        clauses.append("the account may have zones that the task does not list")
    if not clauses:
        return result
    msg = f"fail_on_changes is true, and there are differences: {some_clauses(clauses)}"
    failure = {"failed": True, "differs": True, "msg": sentence(msg), "status_code": None}
    return {**(with_names_of_unchanged(result) if "zones" in result else result), **failure}


def _differing(item: dict[str, Any]) -> Iterator[str]:
    for one in (*item.get("recovered", ()), *item.get("changes", ())):
        yield f"{one['action']} {printable(one['name'])} {one['type']}"
    for one in item.get("service_owned", ()):
        yield f"{printable(one['name'])} {one['type']}, which the service owns"
