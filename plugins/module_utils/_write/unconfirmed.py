# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run that was killed may have created, and readings may not show yet. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import DEFAULT_TTL, Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.prune import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of

Unconfirmed = dict[Key, tuple[str, ...]]
"""Values by the sets that they may be in."""


def unconfirmed(histories: Histories, live: LiveZone) -> Unconfirmed:
    """The values that the last run was sending in its last minute, and a reading does not show."""
    return histories.unconfirmed(partial(live_set_of, live))


def is_to_go(memory: Memory, live: LiveZone, make_plan: Callable[[LiveSets, Memory], Plan]) -> bool:
    """Whether a plan would remove one of the values, if it was there, or rebuild the set that it is in."""
    values = unconfirmed(memory.histories, live)
    sets = {key: _grown(key, live.record_sets.get(key), more) for key, more in values.items()}
    try:
        changes = make_plan({**live.record_sets, **sets}, memory).changes if values else ()
    except PlanRefused:  # which is for a reading that shows them to say
        return True
    return any(
        # Of a set that is new nobody knows the TTL.
        (change.deletes and change.key in live.record_sets)
        or not is_among(change.key.type, value, change.after.values if change.after else ())
        for change in changes
        for value in values.get(change.key, ())
    )


def _grown(key: Key, live_set: RecordSet | None, more: tuple[str, ...]) -> RecordSet:
    return replace(live_set, values=(*live_set.values, *more)) if live_set else RecordSet(*key, DEFAULT_TTL, more)
