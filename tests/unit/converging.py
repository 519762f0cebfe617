# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One zone brought to where a plan leads, as a writing module does it, or left on the way."""

from __future__ import annotations

from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import Client
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._write.apply import Settings
from ansible_collections.zonesmith.dns.plugins.module_utils._write.converge import Converged, Progress, foresee
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import MakePlan
from ansible_collections.zonesmith.dns.plugins.module_utils._write.under_lock import carry_out


def converge(client: Client, zone: str, make_plan: MakePlan, journal: Journal, settings: Settings) -> Converged:
    """Read *zone* (canonical), and do what that leads to."""
    foreseen = foresee(client, zone, make_plan, journal)
    if foreseen.is_all:
        return Converged(foreseen.reading, foreseen.plan)
    return carry_out(client, foreseen, make_plan, journal, settings, Progress())


def left_behind(journal: Journal, *entries: Entry) -> None:
    """Leave the journal as a run does that was killed."""
    with journal.lock():
        journal.write(entries)
