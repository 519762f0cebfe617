# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options that modules share: argument specs, ranges, and the errors about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible.module_utils.common.parameters import env_fallback

from .._api import connection
from .._api.connection import AUTO, Concurrency
from .._api.limiter import MOST
from .._dns.names import InvalidInput
from .._dns.option_table import checked_ttl, first_out_of_range
from .._dns.printable import quoted
from .._dns.record_set import CONTENT_NAMES
from .._plan.limits import LIMIT_OPTIONS
from .._state.folder import LOCK_TIMEOUT


def _without_defaults(options: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: {**rules, "default": None} for name, rules in options.items()}


FILES = "_files"
"""The option that carries a File of ``_files`` from the action for each ``src``."""

SHARED_OPTIONS: dict[str, dict[str, Any]] = {
    "base_url": {"type": "str", "fallback": (env_fallback, ["ZONESMITH_BASE_URL"])},
    "access_token": {
        "type": "str",
        "no_log": True,
        "fallback": (env_fallback, ["ZONESMITH_ACCESS_TOKEN"]),
    },
    "validate_certs": {"type": "bool", "default": True},
    "ca_path": {"type": "path"},
    "allow_insecure_http": {"type": "bool", "default": False},
    "timeout": {"type": "float", "default": 30.0},
    "retries": {"type": "int", "default": 5},
    "retry_timeout": {"type": "float", "default": 120.0},
    "lock_timeout": {"type": "float", "default": LOCK_TIMEOUT},
}

OWNER_OPTIONS: dict[str, dict[str, Any]] = {
    "owner": {"type": "str"},
    "takeover": {"type": "bool", "default": False},
    "release": {"type": "bool", "default": False},
    "on_drift": {"type": "str", "choices": ["overwrite", "refuse"], "default": "overwrite"},
}
"""Options about ownership."""

WRITING_OPTIONS: dict[str, dict[str, Any]] = {
    **OWNER_OPTIONS,
    "owner": {"type": "str", "fallback": (env_fallback, ["ZONESMITH_OWNER"])},
    "txt_format": {"type": "str", "choices": ["auto", "plain", "quoted"], "default": "auto"},
    "state_dir": {
        "type": "path",
        "default": "~/.ansible/zonesmith",
        "fallback": (env_fallback, ["ZONESMITH_STATE_DIR"]),
    },
    "findings": {"type": "str", "choices": ["off", "warn", "error"], "default": "warn"},
    "findings_ignore": {
        "type": "list",
        "elements": "dict",
        "default": [],
        "options": {
            "rule": {"type": "str", "default": "*"},
            "name": {"type": "str", "default": "*"},
        },
    },
    "service_owned": {"type": "str", "choices": ["warn", "error", "ignore"]},
    "fail_on_changes": {"type": "bool", "default": False},
    "state_url": {
        "type": "str",
        "no_log": True,
        "fallback": (env_fallback, ["ZONESMITH_STATE_URL"]),
    },
    "wait": {"type": "bool", "default": False},
    "wait_timeout": {"type": "float", "default": 120.0},
    "wait_nameservers": {"type": "list", "elements": "str"},
}

RECORDS: dict[str, dict[str, Any]] = {
    "name": {"type": "str", "default": "@"},
    "type": {"type": "str", "required": True},
    "content": {"type": "list", "elements": "str", "aliases": [*CONTENT_NAMES[1:]]},
    "ttl": {"type": "raw"},
    "priority": {"type": "int"},
    "comment": {"type": "str"},
    "exclusive": {"type": "bool", "default": True},
    "replaces": {"type": "list", "elements": "str"},
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
}
"""The keys of an entry of ``records``."""

OF_ZONE: dict[str, dict[str, Any]] = {
    "src": {"type": "str"},
    "ttl": {"type": "raw"},
    **_without_defaults(LIMIT_OPTIONS),
    **_without_defaults(OWNER_OPTIONS),
}
"""Options of one zone, which default to the task's."""

OF_ZONES: dict[str, dict[str, Any]] = {
    **OF_ZONE,
    **LIMIT_OPTIONS,
    "plan_dir": {"type": "path"},
    "concurrency": {"type": "str", "default": AUTO},
}
"""Options of a task for its zones, before those of WRITING_OPTIONS."""

NUMBERS = (*connection.NUMBERS, "wait_timeout", "lock_timeout")
"""Options with a range, besides those of a zone's limits and of a record."""


class InvalidOptions(InvalidInput):
    """Options invalid for every zone, in one sentence. Before other InvalidInput, the message names the zone."""


def checked_concurrency(value: Any) -> Concurrency:
    """Raises InvalidOptions."""
    text = str(value).strip()
    if text == AUTO:
        return AUTO
    try:
        number = int(text)
    except ValueError:
        number = 0
    if 1 <= number <= MOST:
        return number
    raise InvalidOptions(f"concurrency is {quoted(text)}, but must be {AUTO} or 1 to {MOST}")


def check_ranges(options: Mapping[str, Any]) -> None:
    """Raises InvalidOptions or InvalidRdata if a number is out of range."""
    if options.get("concurrency") is not None:
        checked_concurrency(options["concurrency"])
    checked_ttl(options.get("ttl"))
    reason = first_out_of_range(options, NUMBERS)
    if reason:
        raise InvalidOptions(reason)
