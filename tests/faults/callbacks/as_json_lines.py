# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A callback plugin that writes each result to the file RESULTS_FILE, one JSON object a line."""

from __future__ import annotations

import json
import os
from typing import Any

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: as_json_lines
type: notification
short_description: Write each result to the file that RESULTS_FILE names
description: One JSON object a line, with host, task and result.
"""


class CallbackModule(CallbackBase):
    """What Ansible calls."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "as_json_lines"
    CALLBACK_NEEDS_ENABLED = True

    def v2_runner_on_ok(self, result: Any) -> None:
        """A task that went well."""
        self._write(result)

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:  # noqa: ARG002 - Ansible's own
        """A task that failed."""
        self._write(result, failed=True)

    def v2_runner_on_unreachable(self, result: Any) -> None:
        """A host that is not there."""
        self._write(result, failed=True)

    def _write(self, result: Any, **fields: Any) -> None:
        # ansible-core 2.18 has no public names for them.
        host, task, returned = (
            getattr(result, name if hasattr(result, name) else f"_{name}")
            for name in ("host", "task", "result")
        )
        line = {"host": host.get_name(), "task": task.name, "result": {**returned, **fields}}
        with open(os.environ["RESULTS_FILE"], "a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line, default=str)}\n")
