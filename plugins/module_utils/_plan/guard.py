# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task may not do to the sets that a zone holds: each refusal names the sets and the option."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import some_names
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, is_owned_by_service
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import ALL, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.prune import is_above
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused


def refuse_ignored(zone: str, live: LiveSets, wanted: Iterable[Key], limits: Limits) -> None:
    """What is wanted must not be ignored because of what the zone holds. Raises PlanRefused."""
    if not limits.ignore:
        return
    ignored = [key for key in wanted if key in live and limits.ignores(live[key], zone)]
    if ignored:
        them = "it would stay untouched: leave it" if len(ignored) == 1 else "they would stay untouched: leave them"
        raise PlanRefused(f"ignore matches {_named(ignored)} as the zone holds it, so {them} out, or change ignore")


def refuse_outside(live: LiveSets, within: LiveSets, wanted: Iterable[Key]) -> None:
    """What is wanted must be *within* what the task is about as the zone holds it too. Raises PlanRefused."""
    if within is live:
        return
    outside = [key for key in wanted if key in live and key not in within]
    if outside:
        them = "leave it" if len(outside) == 1 else "leave them"
        raise PlanRefused(
            f"only does not match {_named(outside)} as the zone holds it, and the task is about nothing else: {them} "
            "out, or change only"
        )


def refuse_protected(zone: str, live: LiveSets, changes: Iterable[Change], limits: Limits) -> None:
    """What is protected as the zone holds it is neither deleted nor rebuilt. Raises PlanRefused."""
    refuse_deleting([change for change in changes if change.deletes and limits.protects(live[change.key], zone)])


def refuse_further(
    zone: str, live: LiveSets, planned: Iterable[Change], again: Sequence[Change], limits: Limits
) -> None:
    """What a later round does *again*, and what was *planned*, are within the limits together. Raises PlanRefused.

    A set that the task has made itself may be made anew.
    """
    made = {change.key for change in planned if not change.before}
    there = [change for change in again if change.deletes and change.key in live and change.key not in made]
    refuse_deleting([change for change in there if limits.protects(live[change.key], zone)])
    sets = {key for key in limits.within(live, zone) if not is_owned_by_service(*key, zone)}
    sets |= {change.key for change in planned if change.before}
    refuse_shares(len(sets), {change.key for change in (*planned, *again) if change.deletes} - made, limits)


def refuse_deleting(against: Sequence[Change]) -> None:
    """Refuse these changes, if any, because they are *against* protect. Raises PlanRefused."""
    if against:
        done = some_names([f"{change.action} {' '.join(change.key)}{_ttls(change)}" for change in against])
        raise PlanRefused(
            f"the plan would {done}, and what protect matches is neither deleted nor rebuilt: "
            "change what is wanted, or protect"
        )


def _ttls(change: Change) -> str:
    """What becomes of the TTL, where it changes."""
    before, after = change.before, change.after
    return f" (TTL {before.ttl} to {after.ttl})" if before and after and before.ttl != after.ttl else ""


def refuse_too_many(zone: str, within: LiveSets, changes: Iterable[Change], limits: Limits) -> None:
    """No more than a share of the sets *within* the task's reach may be deleted or rebuilt. Raises PlanRefused."""
    sets = sum(not is_owned_by_service(*key, zone) for key in within)
    refuse_shares(sets, {change.key for change in changes if change.deletes}, limits)


def refuse_shares(sets: int, going: Collection[Key], limits: Limits) -> None:
    """Of so many *sets* those *going* are not too many to be deleted or rebuilt. Raises PlanRefused."""
    if limits.change_limit < ALL and is_above(limits.change_limit, len(going), sets):
        raise PlanRefused(
            f"the plan would delete or rebuild {len(going)} of the zone's {sets} sets, more than change_limit "
            f"({limits.change_limit} percent) allows: {_named(going)}; where all of that is meant, raise change_limit"
        )


def _named(keys: Collection[Key]) -> str:
    return some_names([" ".join(key) for key in sorted(keys)])
