# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Why a set changes: the owner wants something else than before, or somebody else has changed the zone. Pure.

The rules, in words:

* It is *wanted* where the wish is not what the ledger has, *drift* where the zone is not as the owner left it, and
  *both* where both are so.
* The zone is not as it was left where a value that the owner had is missing, or the set has another TTL than the one
  that was wanted, and that is not the service's doing.
* A set that changes although neither shows is drift as well: the owner wants what it wanted, and the zone had it. But
  where the task asks for something to go that the owner never had, that is wanted.
* Of what a run had begun, nobody knows how it was left: it is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import Claims
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable,
    shortened,
    some_clauses,
    values_and_ttl,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import BOTH, DRIFT, WANTED, Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.kept_ttl import NOTHING_KEPT, KeptTTLs, is_kept
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.owners import (
    Owned,
    Owner,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused


def with_reasons(
    zone: str, live: LiveSets, planned: Plan, owner: Owner, owned: Owned, kept_ttls: KeptTTLs = NOTHING_KEPT
) -> Plan:
    """The plan of an owner's task with why each set changes, and what becomes of the ledger.

    Raises PlanRefused where somebody else has changed what it would change back, and the owner refuses that.
    """
    changes = tuple(replace(change, because=_because(change, owned, kept_ttls)) for change in planned.changes)
    if owner.refuses_drift and (drifted := [*_drifted(changes, owned)]):
        raise PlanRefused(
            "somebody else has changed what this task would change back, and on_drift is refuse: "
            f"{some_clauses(drifted)}; see whether that was meant, and write it into what is wanted, or set on_drift "
            "to overwrite"
        )
    return planned._replace(changes=changes, ledger=owned.with_changes(live, changes, zone))


def _drifted(changes: Sequence[Change], owned: Owned) -> Iterator[str]:
    for change in changes:
        if change.because in (DRIFT, BOTH):
            was, now = _claims_before(owned)[change.key], change.before
            holds = shortened(values_and_ttl(values_of(now), now.ttl)) if now else "nothing"
            left_with = shortened(values_and_ttl(was.values, was.ttl))
            yield f"{printable(' '.join(change.key))} was left with {left_with}, and holds {holds}"


def _claims_before(owned: Owned) -> Claims:
    return (owned.step.before or {}).get(owned.step.owner, {})


def _because(change: Change, owned: Owned, kept_ttls: KeptTTLs) -> str:
    key, step = change.key, owned.step
    was, will_be = _claims_before(owned).get(key), step.left.get(step.owner, {}).get(key)
    if was is None or was.is_begun:
        return WANTED
    before = change.before
    held = before.values if before else ()
    is_drift = not all(is_among(key.type, value, held) for value in was.values)
    if before and was.ttl is not None and before.ttl != was.ttl:
        is_drift |= not is_kept(kept_ttls.get(key), was.ttl, before.ttl)
    if will_be is None or (was.ttl, {*was.values}) != (will_be.ttl, {*will_be.values}):
        return BOTH if is_drift else WANTED
    return DRIFT if is_drift or key not in owned.removed else WANTED
