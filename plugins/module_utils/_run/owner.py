# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""For whom a task speaks, as its options say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidForZone

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.owners import Owner


def owner_of(options: Mapping[str, Any]) -> Owner | None:
    """For whom the options say that a task speaks; None where for nobody. Raises InvalidForZone."""
    name, takeover, release = options.get("owner"), bool(options.get("takeover")), bool(options.get("release"))
    refuses_drift = options.get("on_drift") == "refuse"
    if name is None:
        given = {"release": release, "on_drift": refuses_drift}
        if needing := [option for option, is_given in given.items() if is_given]:
            raise InvalidForZone(
                f"{' and '.join(needing)} {'needs' if len(needing) == 1 else 'need'} owner: without one there is no "
                "ledger of what is whose"
            )
        return None
    if not name:
        raise InvalidForZone("owner is empty: leave it out, or say who owns what the task wants")
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
    from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import OWNER

    if not OWNER.fullmatch(name):
        raise InvalidForZone(
            f"owner {printable(repr(name))} cannot be used: it is 1 to 64 letters, digits and characters of ._@/-"
        )
    if takeover and release:
        raise InvalidForZone("takeover and release are opposites: leave one of them out")
    from ansible_collections.zonesmith.dns.plugins.module_utils._plan.owners import Owner

    return Owner(name, takeover, release, refuses_drift)
