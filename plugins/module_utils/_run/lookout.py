# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether others write to a zone while a plan is carried out, and what that means for what is still to be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import Foreign
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.prune import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._run.failures import Failure
from ansible_collections.zonesmith.dns.plugins.module_utils._run.recovery import held_canonically
from ansible_collections.zonesmith.dns.plugins.module_utils._run.unit import Stopped
from ansible_collections.zonesmith.dns.plugins.module_utils._run.verdict import Verdict
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter

AGED = 2.0
"""Seconds after which a reading is not deleted from, where a task has limits."""

MayGoOn = Callable[[LiveSets, Sequence[Change], Sequence[Change], Foreign], None]
"""Raises PlanRefused where the zone, to which others wrote, must not be made as planned by what is left to do."""


def always(_live: LiveSets, _planned: Sequence[Change], _again: Sequence[Change], _foreign: Foreign) -> None:
    """Go on, whatever others wrote."""


class Lookout:
    """Looks at what others write to the zone of a plan. Safe to use from several threads.

    *live* is the reading that *planned* was made from.
    """

    def __init__(
        self,
        writer: ZoneWriter,
        live: LiveZone,
        planned: Sequence[Change],
        verdict: Verdict,
        may_go_on: MayGoOn = always,
    ):
        self._writer = writer
        self._live = live
        self._planned = planned
        self._verdict = verdict
        self._may_go_on = may_go_on
        self._is_first = True
        self._mutex = machine().lock()

    def look_before(self, changes: Sequence[Change]) -> None:
        """Before sets are deleted under limits, read them again where the last reading is old. Raises Stopped.

        What others write after that reading is lost with the set: the service knows no deletion on a condition.
        """
        deleted = [change for change in changes if change.deletes]
        if not deleted or self._may_go_on is always:
            return
        try:
            live = self._recent()
            left = [replace(change, before=held_canonically(live, change.key)) for change in deleted]
            foreign = self._verdict.foreign(left)
            if foreign:
                self._may_go_on(live.record_sets, self._planned, left, foreign)
        except (PlanRefused, ServiceError) as error:
            key = deleted[0].key
            refusal = error if isinstance(error, ServiceError) else ServiceError(str(error))
            raise Stopped(Failure(key, f"delete {' '.join(key)}", refusal, untouched=self._is_first)) from error

    def look_after(self, live: LiveZone, left: Sequence[Change]) -> None:
        """Whether a further round may do what is *left* in the zone as it is now. Raises PlanRefused."""
        self._live, self._is_first = live, False
        foreign = self._verdict.foreign(left)
        self._may_go_on(live.record_sets, self._planned, left, foreign)
        self._verdict.go_over(left, foreign)

    def _recent(self) -> LiveZone:
        with self._mutex:
            if machine().monotonic() - self._live.read_at > AGED:
                self._live = self._writer.read()
            return self._live
