# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether others write to a zone while a plan is carried out, and what that means for what is still to be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import (
    RefuseRound,
    refuse_nothing,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.late_reads import READ_BACKOFF, read_until
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import contradicted, live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import Failure
from ansible_collections.zonesmith.dns.plugins.module_utils._write.unit import Stopped
from ansible_collections.zonesmith.dns.plugins.module_utils._write.verification import Verification

AGED, AGED_UNDER_LIMITS = 10.0, 2.0
"""Seconds after which a reading is not deleted from; under limits, it is less."""


def lasting(refuse_round: RefuseRound) -> float:
    """For how many seconds a reading is good enough to delete from, with what is asked before each further round."""
    return AGED if refuse_round is refuse_nothing else AGED_UNDER_LIMITS


class ConcurrentWrites:
    """Looks at what others write to the zone of a plan. Safe to use from several threads.

    *live* is the reading that *planned* was made from; *histories* tell which later one may be older.
    """

    def __init__(
        self,
        writer: ZoneWriter,
        live: LiveZone,
        planned: Sequence[Change],
        verification: Verification,
        histories: Histories,
        refuse_round: RefuseRound = refuse_nothing,
    ):
        self._writer = writer
        self._live = live
        self._planned = planned
        self._verification = verification
        self._histories = histories
        self._refuse_round = refuse_round
        self._lasts = lasting(refuse_round)
        self._is_first = True
        self._seen: dict[Key, dict[str, float]] = {}  # what of others was read there, and when last
        self._mutex = machine().lock()

    def see(self, live: LiveZone) -> None:
        """Know what a reading shows of others in the planned sets: a round may delete them, by an older reading.

        One that may be from before shows what was removed, and not by others: of that, theirs is what nobody knew.
        """
        for key, shown in self._verification.external_in(live).items():
            is_outdated = self._histories.is_outdated(key, live_set_of(live, key))
            values = self._histories.new_values(key, shown) if is_outdated else shown
            if values:
                self._seen[key] = {**self._may_be_newer(live, key), **dict.fromkeys(values, live.read_at)}

    def look_before(self, changes: list[Change]) -> list[Change]:
        """The changes of a name; where they delete, and others have written since, as they are now. Raises Stopped.

        What others write after the last reading is lost with the set: the service knows no deletion on a condition.
        """
        deleted = [change for change in changes if change.deletes]
        if not deleted:
            return changes
        try:
            with self._mutex:
                return self._as_it_is(self._recent(deleted), changes)
        except (PlanRefused, ServiceError) as error:
            key = deleted[0].key
            refusal = error if isinstance(error, ServiceError) else ServiceError(str(error))
            raise Stopped(Failure(key, f"delete {' '.join(key)}", refusal, untouched=self._is_first)) from error
        finally:
            for change in deleted:
                self._seen.pop(change.key, None)

    def _as_it_is(self, live: LiveZone, changes: list[Change]) -> list[Change]:
        """The changes as of a reading, where others have written to a set that they delete. Raises PlanRefused."""
        remaining = self._deletions(live, changes)
        external = self._verification.external(remaining)
        if not external:
            self._verification.take_external(remaining, self._writer.refused)
            return changes
        again = self._verification.plan_again(live, {change.key for change in changes})
        self._refuse_round(live.record_sets, self._planned, again, external)
        self._verification.take_external(again, self._writer.refused)
        return again

    def look_after(self, live: LiveZone, remaining: Sequence[Change]) -> None:
        """Whether a further round may do what is *remaining* in the zone as it is now. Raises PlanRefused.

        What was refused because it was there may be of others too, and the TTL with it.
        """
        self._live, self._is_first = live, False
        external = self._verification.external(remaining)
        for change in remaining:
            if change.before and (refused := self._writer.refused.get(change.key)):
                external.setdefault(change.key, tuple(refused))
        self._refuse_round(live.record_sets, self._planned, remaining, external)
        self._verification.take_external(remaining, self._writer.refused)

    def _recent(self, deleted: Sequence[Change]) -> LiveZone:
        """A reading of late, to delete from; one that was made for another set tells of this one, too.

        An old one still shows former values: a later one tells whether somebody has added them again.
        """
        self._live = max(self._live, self._writer.latest, key=lambda one: one.read_at)
        if machine().monotonic() - self._live.read_at > self._lasts:
            self._live = self._writer.read()
        self._live = read_until(self._writer.read, partial(self._tells_of, deleted), first=self._live)
        return self._live

    def _tells_of(self, deleted: Sequence[Change], live: LiveZone) -> bool:
        """Whether nothing that a reading shows of others may be from before, or lacks what one before it has shown."""
        if any(self.lacking(live, change.key) for change in deleted):
            return False
        external = self._verification.external(self._deletions(live, deleted))
        return not contradicted(self._histories, live, external)

    def lacking(self, live: LiveZone, key: Key) -> list[str]:
        """What of others was seen in a set, and a reading lacks that may be older; from any thread."""
        there = values_of(live_set_of(live, key))
        return [value for value in self._may_be_newer(live, key) if not is_among(key.type, value, there)]

    def _may_be_newer(self, live: LiveZone, key: Key) -> dict[str, float]:
        """What of others was seen in a set by readings than which this one may be older, and when."""
        return {value: at for value, at in self._seen.get(key, {}).items() if live.read_at - at < sum(READ_BACKOFF)}

    def _deletions(self, live: LiveZone, changes: Sequence[Change]) -> list[Change]:
        """Of these changes those that delete, of the sets as a reading shows them."""
        return [replace(change, before=live_set_of(live, change.key)) for change in changes if change.deletes]
