# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the module dns_records in Ansible's own worker where that gives the same result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..module_utils._dns.printable import printable_part
from ..module_utils._dns.slips import meant
from ..modules.dns_records import (
    OPTIONS,
    converge_record_sets,
)
from ..plugin_utils._direct import DirectAction

ROLE = "zonesmith.dns.zone"
PREFIX = "zone_"
VARIABLES = [
    "change_limit",
    "fail_on_changes",
    "file",
    "findings",
    "findings_ignore",
    "ignore",
    "name",
    "on_drift",
    "only",
    "owner",
    "plan_dir",
    "protect",
    "prune",
    "prune_limit",
    "records",
    "release",
    "service_owned",
    "takeover",
    "ttl",
    "ttl_max",
]
"""The role's variables behind PREFIX. Ansible accepts any others."""


def slips_in_words(role: Any, variables: Iterable[str]) -> Iterator[str]:
    """A warning for each variable that looks like a misspelled one of the *role* of a task (None for none).

    Plurals, such as ``zone_files``, are people's own lists.
    """
    if role is None or role.get_name(include_role_fqcn=True) != ROLE:
        return
    plurals = [f"{variable}s" for variable in VARIABLES]
    for variable in sorted(variables):
        name = variable.removeprefix(PREFIX)
        if name == variable or name in (*VARIABLES, *plurals, "result"):
            continue
        near = meant(name, VARIABLES)
        if near:
            yield f"the role {ROLE} has no variable {printable_part(variable)}; did you mean {PREFIX}{near}?"


class ActionModule(DirectAction):
    """The action of dns_records."""

    options = OPTIONS
    perform = staticmethod(converge_record_sets)

    def _warnings_of_task(self, variables: dict[str, Any]) -> Iterator[str]:
        return slips_in_words(self._task._role, variables)
