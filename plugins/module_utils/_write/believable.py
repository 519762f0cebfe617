# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a reading of a zone can be believed, as the histories of its sets tell: who plans from one has asked here.

What speaks against it may be that it is late, or that somebody else wrote; only a later one tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import canonical_set
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone


def live_set_of(live: LiveZone, key: Key) -> RecordSet | None:
    """A set of the zone with its values in canonical form; None where it is not there."""
    record_set = live.record_sets.get(key)
    return canonical_set(record_set, live.name) if record_set else None


def contradicted(histories: Histories, live: LiveZone, keys: Iterable[Key] | None = None) -> list[Key]:
    """The sets, of all or of *keys*, that a reading may show as they were before what was done to them."""
    return histories.contradicted(partial(live_set_of, live), keys)


class Judge:
    """Judges readings of a zone one after the other.

    Once one may be what the zone is now, or what it was before all that is known, a later one that is as expected may
    be the older of the two: then no patience is spared, and the last one counts.
    """

    def __init__(self) -> None:
        self._is_in_doubt = False

    def believes(self, histories: Histories, live: LiveZone, *, is_in_doubt: bool = False) -> bool:
        """Whether no later reading is to be waited for; never after one that *is_in_doubt* whatever histories tell."""
        late = contradicted(histories, live)
        is_in_doubt = is_in_doubt or any(histories.may_be_of_others(key, live_set_of(live, key)) for key in late)
        self._is_in_doubt |= is_in_doubt
        return not (late or self._is_in_doubt)


def lacking(one: LiveZone, other: LiveZone) -> Iterator[Key]:
    """The sets of which the *other* reading of the zone shows a value that the *one* lacks."""
    for key, shown in other.record_sets.items():
        live_set = one.record_sets.get(key)
        if live_set != shown and not set(values_of(shown)) <= set(values_of(live_set)):
            yield key


def restores_unknown(histories: Histories, change: Change) -> bool:
    """Whether a change deletes a set that was just written, and makes a value anew that was neither read nor sent.

    It may be of somebody else who has just added it, or have been removed before the set was written: a later reading
    tells.
    """
    return histories.knows_nothing_of(change.key, made_anew(change))


def made_anew(change: Change) -> set[str]:
    """The values of a set that a change deletes it with and creates again, though the task does not want them."""
    if not (change.deletes and change.before and change.after):
        return set()
    return set(change.before.values) & set(change.after.values) - set(change.wanted.values)
