# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the module dns_zones in Ansible's own worker where that gives the same result."""

from __future__ import annotations

from typing import Any

from ansible_collections.zonesmith.dns.plugins.modules.dns_zones import OPTIONS, RULES, converge_zones
from ansible_collections.zonesmith.dns.plugins.plugin_utils._direct import DirectAction
from ansible_collections.zonesmith.dns.plugins.plugin_utils._entry_files import merged_in_words


class ActionModule(DirectAction):
    """The action of dns_zones."""

    options = OPTIONS
    rules = RULES
    perform = staticmethod(converge_zones)

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """The module's result, with warnings about entries in several files."""
        result = super().run(tmp, task_vars)
        if told := [*merged_in_words(self._task.args)]:
            result["warnings"] = [*result.get("warnings", ()), *told]
        return result
