# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether others write to a zone while a plan is carried out, and what that means for what is still to be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.meanwhile import (
    RefuseRound,
    refuse_nothing,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._service.writer import ZoneWriter
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.failures import Failure
from ansible_collections.zonesmith.dns.plugins.module_utils._write.unit import Stopped
from ansible_collections.zonesmith.dns.plugins.module_utils._write.verification import Verification

AGED = 2.0
"""Seconds after which a reading is not deleted from, where a task has limits."""


class ConcurrentWrites:
    """Looks at what others write to the zone of a plan. Safe to use from several threads.

    *live* is the reading that *planned* was made from.
    """

    def __init__(
        self,
        writer: ZoneWriter,
        live: LiveZone,
        planned: Sequence[Change],
        verification: Verification,
        refuse_round: RefuseRound = refuse_nothing,
    ):
        self._writer = writer
        self._live = live
        self._planned = planned
        self._verification = verification
        self._refuse_round = refuse_round
        self._is_first = True
        self._mutex = machine().lock()

    def look_before(self, changes: Sequence[Change]) -> None:
        """Before sets are deleted under limits, read them again where the last reading is old. Raises Stopped.

        What others write after that reading is lost with the set: the service knows no deletion on a condition.
        """
        deleted = [change for change in changes if change.deletes]
        if not deleted or self._refuse_round is refuse_nothing:
            return
        try:
            live = self._recent()
            remaining = [replace(change, before=live_set_of(live, change.key)) for change in deleted]
            external = self._verification.external(remaining)
            if external:
                self._refuse_round(live.record_sets, self._planned, remaining, external)
        except (PlanRefused, ServiceError) as error:
            key = deleted[0].key
            refusal = error if isinstance(error, ServiceError) else ServiceError(str(error))
            raise Stopped(Failure(key, f"delete {' '.join(key)}", refusal, untouched=self._is_first)) from error

    def look_after(self, live: LiveZone, remaining: Sequence[Change]) -> None:
        """Whether a further round may do what is *remaining* in the zone as it is now. Raises PlanRefused."""
        self._live, self._is_first = live, False
        external = self._verification.external(remaining)
        self._refuse_round(live.record_sets, self._planned, remaining, external)
        self._verification.take_external(remaining, external)

    def _recent(self) -> LiveZone:
        with self._mutex:
            if machine().monotonic() - self._live.read_at > AGED:
                self._live = self._writer.read()
            return self._live
