# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plan a task without an owner in a zone that has owners.

* A set with an owner's value is not deleted or rebuilt; the plan is refused.
* Adding a value to such a set, or not pruning it, is a warning.
* ``takeover`` lifts all this. The ledger stays, so the owner's next task sees a change by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from .._dns.printable import printable_part, some_clauses, some_names
from .._dns.record_set import Key, Sets
from .._log.document import Document, Ledger, owners_of
from .change import Change, PlanRefused
from .desired import Desired, with_types
from .limits import Limits
from .plan import Plan, PlanTo


def planned_without_owner(
    zone: str,
    snapshot: Sets,
    desired: Iterable[Desired],
    document: Document,
    limits: Limits,
    plan_to: PlanTo,
) -> Plan:
    """The plan; *plan_to* plans desired sets within limits. Raises PlanRefused."""
    desired_sets, ledger = [*desired], document.ledger
    spared: dict[Key, Sequence[str]] = {}
    if limits.prune:
        named = {one.key for one in with_types(desired_sets, snapshot, zone)}
        for key in {*chain(*ledger.values())} & snapshot.keys() - named:
            owners = owners_of(snapshot[key], ledger)
            if owners and limits.may_prune(snapshot[key], zone):
                spared[key] = [one["owner"] for one in owners]
        limits = limits._replace(spared=frozenset(spared))
    planned = plan_to(desired_sets, limits)
    return planned._replace(
        warnings=(
            *planned.warnings,
            *_beside_warnings(planned.changes, ledger),
            *_spared_warning(spared),
        )
    )


def _beside_warnings(changes: Iterable[Change], ledger: Ledger) -> Iterator[str]:
    """Warn about values beside an owner's. Raises PlanRefused if an owner's value would go."""
    reasons, beside = [], []
    for change in changes:
        owners = owners_of(change.before, ledger) if change.before else []
        if change.deletes:
            reasons += [
                f"{change.key} {printable_part(', '.join(one['contents']))} belongs to {one['owner']}, and this task "
                f"without an owner would {change.action} the set"
                for one in owners
            ]
        elif owners:
            added = printable_part(", ".join(change.creates))
            beside.append(
                f"{change.key} {added} is added beside values of {some_names([one['owner'] for one in owners])}"
            )
    if reasons:
        raise PlanRefused(
            f"{some_clauses(reasons)}; leave that out, set owner if the task acts for that owner, or set takeover to "
            "true"
        )
    if beside:
        yield f"{some_clauses(beside)}; this task has no owner, so nobody owns the new values: set owner to change that"


def _spared_warning(spared: dict[Key, Sequence[str]]) -> Iterator[str]:
    if spared:
        named = [f"{key} ({', '.join(owners)})" for key, owners in sorted(spared.items())]
        yield (
            f"prune keeps sets that have an owner, because this task has none: {some_names(named)}; list them in "
            "ignore, or set takeover to true to remove them"
        )
