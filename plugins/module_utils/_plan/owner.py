# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The owner of a task, and warnings about the ledger. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from .._dns.names import InvalidInput
from .._dns.printable import printable, some_names
from .._dns.record_set import Key, Sets
from .._log.document import OWNER
from .._log.ledger import LedgerStep
from .desired import EVERY_TYPE, Desired

SHOWN_OWNERS = 3
"""Most owners suggested, the most similar first."""


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
    name, takeover, release = (
        options.get("owner"),
        bool(options.get("takeover")),
        bool(options.get("release")),
    )
    refuses_drift = options.get("on_drift") == "refuse"
    if name is None:
        if needing := [
            option
            for option, is_set in (("release", release), ("on_drift", refuses_drift))
            if is_set
        ]:
            need = "needs" if len(needing) == 1 else "need"
            raise InvalidInput(
                f"{' and '.join(needing)} {need} owner: name the owner for whom the task works"
            )
        return None
    if not name:
        raise InvalidInput("owner is empty: leave it out, or name the owner")
    if not OWNER.fullmatch(name):
        raise InvalidInput(
            f"owner {printable(repr(name))} cannot be used: it is 1 to 64 letters, digits and characters of ._@/-"
        )
    if takeover and release:
        raise InvalidInput("takeover and release are opposites: leave one of them out")
    return TaskOwner(name, takeover, release, refuses_drift)


def ledger_warnings(
    owner: TaskOwner,
    step: LedgerStep,
    zone: str,
    snapshot: Sets,
    desired: Iterable[Desired],
    prunes: bool,
    ends_early: Callable[[], str],
) -> Iterator[str]:
    """Warn if an owner has nothing in a *zone* (canonical) that holds sets, or nothing that it releases.

    The ledger may be lost, or the owner misspelled. A task that neither wants nor *prunes* anything could lose nothing,
    and would warn every time. *ends_early* says why the ledger may be lost; empty if it should not be.
    """
    if owner.release:
        yield from _release_warnings(zone, desired, step)
        return
    before = step.before
    is_new = step.owner not in before and (prunes or step.owner in step.after)
    if not is_new or all(key.is_owned_by_service(zone) for key in snapshot):
        return
    becomes = f"{step.owner} will own what this task lists, and other sets have no owner"
    if before:
        near = get_close_matches(step.owner, before, len(before), 0)
        yield (
            f"the ledger of the zone lists nothing for {step.owner}, so nothing is removed: {becomes}; if this is not "
            f"the owner's first run here, check the spelling of owner: the zone has {some_names(near, SHOWN_OWNERS)}"
        )
        return
    lost = ends_early()
    where = (
        f"; {lost}, and may be lost with it: set state_url to keep the ledger in a database"
        if lost
        else ""
    )
    yield f"the zone has no ledger of owners, so nothing is removed: {becomes}{where}"


def _release_warnings(zone: str, desired: Iterable[Desired], step: LedgerStep) -> Iterator[str]:
    """Warn of sets that a task would release but does not own."""
    released = {*step.released, *(Key(key.name, EVERY_TYPE) for key in step.released)}
    named = dict.fromkeys(one.key for one in desired if not one.key.is_owned_by_service(zone))
    if kept := [str(key) for key in named if key not in released]:
        yield f"{step.owner} owns none of {some_names(kept)}: check the owner and the names"
