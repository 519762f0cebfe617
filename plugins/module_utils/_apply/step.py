# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One record set on its way from what a snapshot shows to what it is to hold."""

from __future__ import annotations

from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change


class Step(NamedTuple):
    """A set that is to be written to.

    *change* leads from what is shown to what it is to hold. *held* is what it holds with the log laid over that, and
    *planned* leads from there, as the task wants it; None where only the log is to be finished. It *is_of_task* where
    the task names the set: then it fails with it.
    """

    change: Change
    held: RecordSet | None
    planned: Change | None
    is_of_task: bool = True

    @property
    def key(self) -> Key:
        """What identifies the set in its zone."""
        return self.change.key
