# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Why an owner's sets change: its task wants something new, somebody else changed the zone, or both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .._dns.dialect import Dialect
from .._dns.printable import shortened, some_clauses, values_and_ttl
from .._dns.record_set import RecordSet, values_of
from .._log.document import Claim
from .._plan.change import BOTH, DRIFT, WANTED, Change, PlanRefused
from .ledger import LedgerStep, without


def with_reasons(
    changes: Iterable[Change], step: LedgerStep, dialect: Dialect
) -> tuple[Change, ...]:
    return tuple(replace(one, reason=_reason_of(one, step, dialect)) for one in changes)


def _reason_of(change: Change, step: LedgerStep, dialect: Dialect) -> str:
    """Why a set changes.

    * *wanted* if the task wants something else than the ledger has, *drift* if the zone is not as the ledger has it.
    * If neither is so, it is *drift*, since the zone had what the owner wanted. But removing what the owner never had
      is *wanted*.
    * What a run has begun is *wanted*: nobody knows how it was left.
    """
    was = step.own_before.get(change.key)
    will_be = step.own_after.get(change.key)
    if was is None or was.is_begun:
        return WANTED
    is_drift = _is_drift(was, change.before, dialect)
    if was != will_be:
        return BOTH if is_drift else WANTED
    return DRIFT if is_drift or change.desired.values else WANTED


def _is_drift(was: Claim, held: RecordSet | None, dialect: Dialect) -> bool:
    """Whether an owner's value is missing, or the TTL is another one, which is not the service's doing."""
    if without(was.values, values_of(held)):
        return True
    if held is None or was.ttl is None:
        return False
    return dialect.asked(held.key, was.ttl, held) != held.ttl


def refuse_drift(changes: Iterable[Change], step: LedgerStep) -> None:
    """Raises PlanRefused if a change undoes what somebody else changed."""
    clauses = [*_drifted(changes, step)]
    if clauses:
        raise PlanRefused(
            "this task would undo what somebody else changed, and on_drift is refuse: "
            f"{some_clauses(clauses)}; if the change is right, add it to the desired state, "
            "otherwise set on_drift to overwrite"
        )


def _drifted(changes: Iterable[Change], step: LedgerStep) -> Iterator[str]:
    for change in changes:
        if change.reason in (DRIFT, BOTH):
            was, now = step.own_before[change.key], change.before
            left = values_and_ttl(was.values, was.ttl)
            holds = values_and_ttl(now.values, now.ttl) if now else "nothing"
            yield f"{change.key} was left with {shortened(left)}, but holds {shortened(holds)}"
