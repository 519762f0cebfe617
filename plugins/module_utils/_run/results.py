# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What leaves a module: a result, or one sentence about what went wrong, in a form that every way can carry."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.look import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import InvalidEntries, InvalidEntry
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import (
    InvalidOptions,
    Invocation,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import InvalidZoneFile

DEEPEST = 32


def encodable(value: Any, depth: int = 0) -> Any:
    """*value* with lone surrogates, which no file and no terminal takes, as escapes.

    Raises ServiceError where it is nested so deep that Ansible, which walks through results by recursion, would not
    come back; only the service's own part of a result has no form of its own.
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if depth > DEEPEST:
        raise ServiceError(f"the service's answer is not as specified, it is nested deeper than {DEEPEST} levels", 200)
    if isinstance(value, dict):
        return {encodable(name): encodable(part, depth + 1) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [encodable(part, depth + 1) for part in value]
    return value


def sentence(text: str) -> str:
    """*text* for the person at the terminal, with a full stop."""
    text = printable(text)
    return text if text.endswith((".", "?")) else f"{text}."


UNCHANGED = "nothing was changed"

EXPECTED = (
    InvalidOptions,
    InvalidRdata,
    InvalidEntry,
    InvalidEntries,
    InvalidName,
    InvalidZoneFile,
    ServiceError,
    PlanRefused,
    StateError,
    ApplyFailed,
)
"""What a run can meet without the code being wrong."""


def result_of(perform: Callable[[Invocation], dict[str, Any]], invocation: Invocation) -> dict[str, Any]:
    """What a run returns: what *perform* says, or one sentence about what went wrong; with ``failed`` and warnings.

    Whatever is raised becomes such a result, since the items of a loop before this one would be lost with it.
    """
    try:
        result = encodable({"failed": False, **perform(invocation)})
        if invocation.check_mode and invocation.options.get("fail_on_changes") and not result["failed"]:
            from ansible_collections.zonesmith.dns.plugins.module_utils._run.failed import failed_for_changes

            result = failed_for_changes(result)
    except EXPECTED as error:
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.failed import failure_of

        result = encodable({"failed": True, **failure_of(error, invocation)})
    except Exception as error:  # noqa: BLE001 - the items of a loop before this one would be lost with it
        # The traceback is for who reports it; Ansible shows it to who asks.
        trace = traceback.format_exc()
        from ansible_collections.zonesmith.dns.plugins.module_utils._run.failed import failure_of, in_words

        result = encodable({"failed": True, **failure_of(in_words(error, invocation), invocation), "exception": trace})
    return {**result, "warnings": encodable([printable(warning) for warning in invocation.warnings])}
