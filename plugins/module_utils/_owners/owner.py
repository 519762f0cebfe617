# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The owner of a task, as its options say, and warnings about the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .._dns.names import InvalidInput
from .._dns.printable import printable, some_names
from .._dns.record_set import Sets
from .._log.document import OWNER
from .ledger import LedgerStep


@dataclass(frozen=True)
class TaskOwner:
    """The owner of a task, and whether it takes over, or releases, what it names.

    *refuses_drift* refuses to undo what somebody else changed.
    """

    name: str
    takeover: bool = False
    release: bool = False
    refuses_drift: bool = False


def owner_of(options: Mapping[str, Any]) -> TaskOwner | None:
    """Return the owner of a task, or None. Raises InvalidInput."""
    name = options.get("owner")
    takeover = bool(options.get("takeover"))
    release = bool(options.get("release"))
    refuses_drift = options.get("on_drift") == "refuse"
    if name is None:
        if release or refuses_drift:
            raise InvalidInput(
                "release and on_drift need owner: name the owner for whom the task works"
            )
        return None
    if not OWNER.fullmatch(name):
        raise InvalidInput(
            f"owner {printable(repr(name))} cannot be used: it is 1 to 64 letters, digits and "
            "characters of ._@/-"
        )
    if takeover and release:
        raise InvalidInput("takeover and release are opposites: leave one of them out")
    return TaskOwner(name, takeover, release, refuses_drift)


def ledger_warnings(
    step: LedgerStep, held: Sets, zone: str, prunes: bool, ends_early: Callable[[], str]
) -> Iterator[str]:
    """Warn if an owner has nothing in a *zone* (canonical) that holds sets.

    The ledger may be lost, or the owner misspelled. A task that neither wants nor *prunes* anything could lose nothing,
    and would warn every time. *ends_early* says why the ledger may be lost; empty if it should not be.
    """
    is_new = step.owner not in step.before and (prunes or step.owner in step.after)
    if not is_new or all(key.is_owned_by_service(zone) for key in held):
        return
    becomes = f"{step.owner} will own what this task lists, and other sets have no owner"
    if step.before:
        yield (
            f"the ledger of the zone lists nothing for {step.owner}, so nothing is removed: "
            f"{becomes}; if this is not the owner's first run here, check the spelling of owner: "
            f"the zone has {some_names(sorted(step.before))}"
        )
        return
    lost = ends_early()
    where = ""
    if lost:
        where = f"; {lost}, and may be lost with it: set state_url to keep the ledger in a database"
    yield f"the zone has no ledger of owners, so nothing is removed: {becomes}{where}"
