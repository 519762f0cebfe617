# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What others wrote while a plan was carried out, and whether a later round may go over it. Pure.

The rules, in words:

* A later round may do no more than the first one: what others wrote meanwhile is under the same limits.
* A set that was protected when the plan was made is not deleted.
* A set that others wrote to is left alone where ignore matches it as it is now, or only does not, and is not deleted
  where protect matches it.
* It is not deleted under a reviewed plan: nobody has seen those values.
* Nor is it where a task speaks for an owner, unless they are created again: what is not the owner's stays.
* The sets that the first round and a later one delete or rebuild together are within change_limit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, is_owned_by_service
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.guard import refuse_deleting, refuse_shares
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused

External = Mapping[Key, Sequence[str]]
"""Canonical values that a set has got from others since the plan was made."""

RefuseRound = Callable[[LiveSets, Sequence[Change], Sequence[Change], External], None]
"""Raises PlanRefused where the zone, to which others wrote, must not be made as planned by what is remaining to do."""


def refuse_nothing(_live: LiveSets, _planned: Sequence[Change], _again: Sequence[Change], _external: External) -> None:
    """Go on, whatever others wrote."""


def refuse_to_go_further(
    zone: str,
    live: LiveSets,
    planned: Iterable[Change],
    again: Sequence[Change],
    external: External,
    limits: Limits,
    protected: Collection[Key],
    *,
    is_reviewed: bool,
    is_owned: bool = False,
) -> None:
    """What is still to be done *again* after the *planned* changes must not go further than those. Raises PlanRefused.

    *live* is the zone as it is now; the sets that are *protected* were so when the plan was made.
    """
    refuse_deleting([change for change in again if change.deletes and change.key in protected])
    told = [
        f"{_others_wrote(change.key, external)}, {reason}"
        for change in again
        if external.get(change.key)
        and (
            reason := _reason(zone, live, change, limits, is_reviewed=is_reviewed)
            or (_not_given_up(change, external[change.key]) if is_owned else "")
        )
    ]
    if told:
        raise PlanRefused("; ".join(told))
    first = {change.key: change for change in planned}
    made = {key for key, change in first.items() if change.before is None and not external.get(key)}
    sets = {key for key in limits.within(live, zone) if not is_owned_by_service(*key, zone)} - made
    sets |= {key for key, change in first.items() if change.before}
    going = {change.key for change in (*first.values(), *again) if change.deletes} - made
    refuse_shares(len(sets), going, limits)


def _reason(zone: str, live: LiveSets, change: Change, limits: Limits, *, is_reviewed: bool) -> str:
    if limits.ignores(live[change.key], zone):
        return "and ignore matches it so, which leaves it untouched"
    if not limits.is_about(live[change.key], zone):
        return "and only does not match it so, and the task is about nothing else"
    if change.deletes and limits.protects(live[change.key], zone):
        return "and protect matches it so, which neither lets it be deleted nor rebuilt"
    if change.deletes and is_reviewed:
        return "which the plan that was reviewed does not know, and so it is not deleted"
    return ""


def _not_given_up(change: Change, values: Sequence[str]) -> str:
    stay = change.after.values if change.after else ()
    if change.deletes and not all(is_among(change.key.type, value, stay) for value in values):
        return "which is of no owner who gave it up, and so the set is not deleted: run the task again"
    return ""


def _others_wrote(key: Key, external: External) -> str:
    values = ", ".join(printable_part(value) for value in external[key])
    return f"{printable(' '.join(key))} has got {values} from somebody else meanwhile"


def external_removed_in_words(external: External) -> Iterator[str]:
    """The warnings about values of others that were removed, because the task says what the sets hold."""
    for key in sorted(external):
        yield f"{_others_wrote(key, external)}, which was removed, because the task says what the set holds"
