# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Variables that look like one of the role ``zone`` with a slip in it: Ansible takes any, and the role looks at none of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.slips import meant

ROLE = "zonesmith.dns.zone"
PREFIX = "zone_"
VARIABLES = (
    *("change_limit", "file", "findings", "findings_ignore", "ignore", "name", "on_drift", "only", "owner"),
    *("plan_dir", "protect", "prune", "prune_limit", "records", "release", "service_owned", "takeover"),
    *("ttl", "ttl_max"),
)
"""What the role knows behind PREFIX."""


def slips_told(role: Any, variables: Iterable[str]) -> Iterator[str]:
    """A sentence for each variable that the *role* of a task (None for none) does not know and that may mean one of it.

    Plurals, such as ``zone_files``, are what people call their own lists.
    """
    if role is None or role.get_name(include_role_fqcn=True) != ROLE:
        return
    own = {*VARIABLES, *(f"{variable}s" for variable in VARIABLES), "result"}
    for name in sorted(variable[len(PREFIX) :] for variable in variables if variable.startswith(PREFIX)):
        if name not in own and (near := meant(name, VARIABLES)):
            yield f"the role {ROLE} has no variable {printable_part(PREFIX + name)}; did you mean {PREFIX}{near}?"
