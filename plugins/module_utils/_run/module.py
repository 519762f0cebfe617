# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options, results and errors of the modules. The only file that knows AnsibleModule."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

from ansible.module_utils.basic import AnsibleModule, env_fallback, missing_required_lib

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import DNSPYTHON_MISSING, InvalidName
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.entries import InvalidEntries, InvalidEntry
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import diff_of
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.prune import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._run.arguments import reasons_against, with_whole_values
from ansible_collections.zonesmith.dns.plugins.module_utils._run.failures import ApplyFailed, unexpected
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions, Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.results import encodable, sentence
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import ZoneNotFound
from ansible_collections.zonesmith.dns.plugins.module_utils._service.sender import REQUESTS_MISSING
from ansible_collections.zonesmith.dns.plugins.module_utils._state.files import LOCK_TIMEOUT
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

OPTIONS: dict[str, dict[str, Any]] = {
    "base_url": {"type": "str", "required": True, "fallback": (env_fallback, ["ZONESMITH_BASE_URL"])},
    "access_token": {
        "type": "str",
        "required": True,
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

WRITING_OPTIONS: dict[str, dict[str, Any]] = {
    "txt_format": {"type": "str", "choices": ["auto", "plain", "quoted"], "default": "auto"},
    "state_dir": {
        "type": "path",
        "default": "~/.ansible/zonesmith",
        "fallback": (env_fallback, ["ZONESMITH_STATE_DIR"]),
    },
    "state_url": {"type": "str", "no_log": True, "fallback": (env_fallback, ["ZONESMITH_STATE_URL"])},
}

WAIT_OPTIONS: dict[str, dict[str, Any]] = {
    "wait": {"type": "bool", "default": False},
    "wait_timeout": {"type": "float", "default": 120.0},
    "wait_nameservers": {"type": "list", "elements": "str"},
}


EXPECTED = (
    InvalidOptions,
    InvalidRdata,
    InvalidEntry,
    InvalidEntries,
    InvalidName,
    ServiceError,
    PlanRefused,
    StateError,
    ApplyFailed,
)
"""What a run can meet without the code being wrong."""


class _Module(AnsibleModule):  # type: ignore[misc] # ansible-core does not ship its types
    reasons: Sequence[str] = ()
    """What is wrong with the arguments as they were written, in place of what Ansible says of them."""

    def _load_params(self) -> None:
        super()._load_params()
        # AnsibleModule forgets the token where it finds an entry of a list of dictionaries that is none.
        if token := self.params.get("access_token"):
            self.no_log_values.add(str(token))
        self.params: dict[str, Any] = with_whole_values(self.params)
        self.reasons = reasons_against(self.argument_spec, self.params)

    def fail_json(self, msg: str, **results: Any) -> None:
        """Fail, with all fields that a failure has, also where it is Ansible that finds options to be wrong."""
        if "wait" in self.argument_spec:
            results = {"changed": False, "changes": [], "status_code": None, **results}
        super().fail_json(self._told_as_written() if self.reasons else msg, **results)

    def _told_as_written(self) -> str:
        zone = self.params.get("zone")
        prefix = f"Zone {zone.strip().rstrip('.')}: " if isinstance(zone, str) else ""
        return sentence(f"{prefix}{'; '.join(self.reasons)}")


def run_module(
    options: dict[str, dict[str, Any]], perform: Callable[[Invocation], dict[str, Any]], **rules: Any
) -> None:
    """Run *perform* as an Ansible module with these options and AnsibleModule's *rules*, and exit with what it says."""
    module = _Module(argument_spec=options, supports_check_mode=True, **rules)
    if module.reasons:
        module.fail_json("options cannot be used as they were written")
    for library, reason, missing in (
        ("psycopg", "in version 3.1 or newer, for state_url", missing_psycopg(module.params)),
        ("requests", "in version 2.28.1 or newer", REQUESTS_MISSING),
        ("dnspython", "in version 2.6 or newer", DNSPYTHON_MISSING),
    ):
        if missing:
            module.fail_json(
                msg=missing_required_lib(library, reason),
                exception="".join(traceback.format_exception(missing)),
            )
    result = result_of(perform, Invocation(module.params, module.check_mode))
    for warning in result.pop("warnings"):
        module.warn(warning)
    if result.pop("failed"):
        module.fail_json(**result)
    module.exit_json(**result)


def missing_psycopg(options: dict[str, Any]) -> ImportError | None:
    """Why psycopg cannot be imported, where the options ask for it; no other run pays for the import."""
    if not options.get("state_url"):
        return None
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.session import PSYCOPG_MISSING

    return PSYCOPG_MISSING


def result_of(perform: Callable[[Invocation], dict[str, Any]], invocation: Invocation) -> dict[str, Any]:
    """What a run returns: what *perform* says, or one sentence about what went wrong; with ``failed`` and warnings.

    Whatever is raised becomes such a result, since the items of a loop before this one would be lost with it.
    """
    try:
        result = encodable({"failed": False, **perform(invocation)})
    except EXPECTED as error:
        result = encodable({"failed": True, **_failure(error, invocation)})
    except Exception as error:  # noqa: BLE001
        # The traceback is for who reports it; Ansible shows it to who asks.
        trace = traceback.format_exc()
        result = encodable({"failed": True, **_failure(_in_words(error, invocation), invocation), "exception": trace})
    return {**result, "warnings": encodable(invocation.warnings)}


def _in_words(error: Exception, invocation: Invocation) -> ServiceError | ApplyFailed:
    """An error that nobody expected as one that says what was done."""
    what = f"there was an unexpected {unexpected(error)}"
    if "wait" not in invocation.options:
        return ServiceError(what)
    if invocation.done:
        keys = tuple(change.key for change in invocation.done)
        return ApplyFailed(
            f"the service took all changes, but then {what}", changes=tuple(invocation.done), applied=keys
        )
    state = "nothing was changed" if invocation.check_mode else "look whether the zone is as it should be"
    return ApplyFailed(f"{what}; {state}")


def _failure(error: Exception, invocation: Invocation) -> dict[str, Any]:
    options, recovered = invocation.options, invocation.progress.recovered
    zone = visible(options["zone"].strip().rstrip(".")) if options.get("zone") else ""
    prefix = f"Zone {zone}: " if zone and not isinstance(error, InvalidOptions) else ""
    writes = "wait" in options
    reason = str(error)
    if zone and isinstance(error, ServiceError) and not isinstance(error, ZoneNotFound):
        what = f"{options['name']} {options['type']}" if "name" in options else "it"
        state = "" if recovered else "; nothing was changed"
        reason = f"cannot read {visible(what)}: " + (f"{clause(error)}{state}" if writes else str(error))
    result: dict[str, Any] = {
        "msg": sentence(f"{prefix}{reason}"),
        "changed": bool(recovered),
        "status_code": getattr(error, "status_code", None),
    }
    if writes:
        result["changes"] = []
    if recovered:
        result["recovered"] = [change.as_result() for change in recovered]
        result["diff"] = diff_of(recovered)
    if isinstance(error, ApplyFailed):
        result["changes"] = [change.as_result() for change in error.changes]
        result["changed"] = bool(error.changes or recovered)
        if result["changed"]:
            result["diff"] = diff_of(recovered, error.changes)
        # Not "failed", which Ansible itself writes.
        for field, keys in (
            ("applied", error.applied),
            ("failed_sets", error.failed),
            ("not_attempted", error.not_attempted),
        ):
            result[field] = [{"name": name, "type": rdtype} for name, rdtype in keys]
        if error.unfinished:
            result["unfinished"] = [change.as_result() for change in error.unfinished]
    return result
