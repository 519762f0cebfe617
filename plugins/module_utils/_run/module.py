# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a module as a process. Only this file and ``_python`` use AnsibleModule."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

from ansible.module_utils.basic import AnsibleModule, missing_required_lib

from .._api.sender import REQUESTS_MISSING
from .._dns.names import DNSPYTHON_MISSING
from .._python import pip_command
from .._secrets import passwords_in
from .arguments import doubts_in, validation_errors, with_whole_values, zone_prefix
from .invocation import Invocation
from .options import FILES
from .results import nothing_done, result_of, sentence


class _ZonesmithModule(AnsibleModule):  # type: ignore[misc] # ansible-core does not ship its types
    errors: Sequence[str] = ()
    """Errors in the arguments, shown instead of Ansible's."""
    doubts: list[str]
    files: dict[str, Any] | None = None
    """Files from the action. Not an option, so results and logs never show it."""

    def _load_params(self) -> None:
        super()._load_params()
        files = self.params.pop(FILES, None)
        if isinstance(files, dict):
            self.files = files
        # AnsibleModule forgets the token if an entry of a list is not a dictionary.
        token = self.params.get("access_token")
        if token:
            self.no_log_values.add(str(token))
        self.params: dict[str, Any] = with_whole_values(self.params, self.argument_spec)
        self.errors = validation_errors(self.argument_spec, self.params)
        self.doubts = doubts_in(self.params)

    def fail_json(self, msg: str, **results: Any) -> None:
        """Fail with all result fields, even if Ansible rejects an option."""
        # It is refused, and shown.
        base_url = str(self.params.get("base_url"))
        self.no_log_values.update(passwords_in(base_url))
        # A secret of blanks is refused as empty. Masking it would mask the message.
        blanks = [secret for secret in self.no_log_values if not secret.strip()]
        self.no_log_values.difference_update(blanks)
        if self.errors:
            errors = "; ".join(self.errors)
            msg = sentence(f"{zone_prefix(self.params)}{errors}")
        super().fail_json(msg, **{**nothing_done(self.argument_spec), **results})


def run_module(
    options: dict[str, dict[str, Any]],
    perform: Callable[[Invocation], dict[str, Any]],
) -> None:
    """Run *perform* as an Ansible module, and exit."""
    module = _ZonesmithModule(argument_spec=options, supports_check_mode=True)
    if module.errors:
        module.fail_json("options cannot be used as they were written")
    psycopg = missing_psycopg(module.params)
    if psycopg:
        _refuse_without(module, "psycopg", "3.1 or newer, for state_url", psycopg, "psycopg>=3.1")
    if REQUESTS_MISSING:
        _refuse_without(module, "requests", "2.28.1 or newer", REQUESTS_MISSING)
    if DNSPYTHON_MISSING:
        _refuse_without(module, "dnspython", "2.6.1 or newer", DNSPYTHON_MISSING)
    task_options = {**module.params, FILES: module.files}
    invocation = Invocation(task_options, module.check_mode, warnings=module.doubts)
    result = result_of(perform, invocation)
    for warning in result.pop("warnings"):
        module.warn(warning)
    if result.pop("failed"):
        module.fail_json(**result)
    module.exit_json(**result)


def _refuse_without(
    module: AnsibleModule, library: str, version: str, error: ImportError, *more: str
) -> None:
    """Fail without a *library*, which pip installs with *more* packages."""
    missing = missing_required_lib(library, f"in version {version}").rstrip(".")
    trace = "".join(traceback.format_exception(error))
    module.fail_json(msg=f"{missing}. To install it: {pip_command(*more)}", exception=trace)


def missing_psycopg(options: dict[str, Any]) -> ImportError | None:
    """Return the error of importing psycopg, which only ``state_url`` needs."""
    if not options.get("state_url") or options.get("owners") is False:
        return None
    from .._state.session import PSYCOPG_MISSING

    return PSYCOPG_MISSING
