# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plan a task without an owner in a zone that has owners (the terms are in ``with_owner.py``).

Rules:

1. A set with an owner's value is not deleted or rebuilt: the plan is refused.
2. Pruning spares such sets, with a warning. Adding a value to one is a warning too.
3. ``takeover`` lifts all this: such a task is planned as if there were no ledger. The ledger stays, so the owner's next
   task sees a change by hand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from .._dns.printable import printable_part, some_clauses, some_names
from .._dns.record_set import Key, Sets
from .._log.document import Ledger
from .._plan.change import Change, PlanRefused
from .._plan.desired import Desired, with_types
from .._plan.limits import Limits
from .._plan.plan import Plan, PlanTo
from .ledger import owners_of


def planned_without_owner(
    zone: str,
    held: Sets,
    desired: Iterable[Desired],
    ledger: Ledger,
    limits: Limits,
    plan_to: PlanTo,
) -> Plan:
    """The plan; *plan_to* plans desired sets within limits. Raises PlanRefused."""
    listed = [*desired]
    spared: dict[Key, list[str]] = {}
    if limits.prune:
        named = {one.key for one in with_types(listed, held, zone)}
        spared = _spared(zone, held, named, ledger, limits)
        limits = limits._replace(spared=frozenset(spared))
    planned = plan_to(listed, limits)
    beside = _beside_warnings(planned.changes, ledger)
    return planned.warned(*beside, *_spared_warning(spared))


def _spared(
    zone: str, held: Sets, named: Collection[Key], ledger: Ledger, limits: Limits
) -> dict[Key, list[str]]:
    """The sets that would be pruned if they had no owner, with their owners."""
    claimed: set[Key] = set()
    for claims in ledger.values():
        claimed.update(claims)
    spared = {}
    for key in claimed & held.keys():
        if key in named or not limits.may_prune(held[key], zone):
            continue
        owners = owners_of(held[key], ledger)
        if owners:
            spared[key] = [one["owner"] for one in owners]
    return spared


def _beside_warnings(changes: Iterable[Change], ledger: Ledger) -> Iterator[str]:
    """Warn about values beside an owner's. Raises PlanRefused if an owner's value would go."""
    reasons, beside = [], []
    for change in changes:
        owners = owners_of(change.before, ledger) if change.before else []
        if change.deletes:
            for one in owners:
                contents = printable_part(", ".join(one["contents"]))
                reasons.append(
                    f"{change.key} {contents} belongs to {one['owner']}, and this task without an "
                    f"owner would {change.action} the set"
                )
        elif owners:
            added = printable_part(", ".join(change.creates))
            names = some_names([one["owner"] for one in owners])
            beside.append(f"{change.key} {added} is added beside values of {names}")
    if reasons:
        raise PlanRefused(
            f"{some_clauses(reasons)}; leave that out, set owner if the task acts for that owner, "
            "or set takeover to true"
        )
    if beside:
        yield (
            f"{some_clauses(beside)}; this task has no owner, so nobody owns the new values: set "
            "owner to change that"
        )


def _spared_warning(spared: Mapping[Key, Iterable[str]]) -> Iterator[str]:
    if spared:
        named = []
        for key, owners in sorted(spared.items()):
            named.append(f"{key} ({', '.join(owners)})")
        yield (
            "prune keeps sets that have an owner, because this task has none: "
            f"{some_names(named)}; list them in ignore, or set takeover to true to remove them"
        )
