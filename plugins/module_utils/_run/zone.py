# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One zone in one run of a writing module: from what is wanted to the result."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.limits import UNLIMITED, Limits
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, diff_of, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted, with_kept_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._run.converge import Outcome, Settings, converge, preview
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.waiting import Waiting
from ansible_collections.zonesmith.dns.plugins.module_utils._state.written import KeptTtls


def converge_zone(
    invocation: Invocation, wanted: Iterable[Wanted], limits: Limits = UNLIMITED, concurrency: int = 1
) -> tuple[Outcome, dict[str, Any]]:
    """Give the zone the wanted sets, or tell what that would change; the outcome, and the result to return."""
    zone, wanted_sets = invocation.zone, list(wanted)
    waiting = Waiting(zone, invocation.options, check_mode=invocation.check_mode)
    client = invocation.client(concurrency)

    def make_plan(live: LiveSets, kept_ttls: KeptTtls) -> Plan:
        waiting.find_servers(live)
        planned = plan(zone, live, [with_kept_ttl(one, live.get(one.key), kept_ttls) for one in wanted_sets], limits)
        if any(change.action == "rebuild" for change in planned.changes):
            journal.warn_of_an_early_end()
        return planned

    with closing(invocation.journal(client)) as journal:
        reading = invocation.memory.recall(invocation.connection, journal, zone)
        if invocation.check_mode:
            outcome = preview(client, zone, make_plan, journal, reading)
        else:
            settings = Settings(invocation.options["txt_format"], concurrency)
            outcome = converge(client, zone, make_plan, journal, settings, reading, invocation.progress)
            invocation.done.extend((*outcome.recovered, *outcome.plan.changes))
    invocation.memory.remember(invocation.connection, outcome.reading)
    invocation.warnings.extend(outcome.plan.warnings)
    waiting.wait(outcome, wanted_sets)
    result = {
        "changed": bool(outcome.plan.changes or outcome.recovered),
        "zone": zone.rstrip("."),
        "changes": [change.as_result() for change in outcome.plan.changes],
        "diff": diff_of(outcome.recovered, outcome.plan.changes),
        "recovered": [change.as_result() for change in outcome.recovered],
    }
    return outcome, result
