# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One zone in one run of a writing module: from what is wanted to the result."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.prune import Prune
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted, with_kept_ttl
from ansible_collections.zonesmith.dns.plugins.module_utils._run.converge import Outcome, Settings, converge, preview
from ansible_collections.zonesmith.dns.plugins.module_utils._run.failures import ApplyFailed
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions, Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import LONGEST_TIMEOUT
from ansible_collections.zonesmith.dns.plugins.module_utils._state.written import KeptTtls


def converge_zone(
    invocation: Invocation, wanted: Iterable[Wanted], prune: Prune | None = None, concurrency: int = 1
) -> tuple[Outcome, dict[str, Any]]:
    """Give the zone the wanted sets, or tell what that would change; the outcome, and the result to return."""
    zone, wanted_sets = invocation.zone, list(wanted)
    _check_wait(invocation.options)
    client = invocation.client(concurrency)

    def make_plan(live: LiveSets, kept_ttls: KeptTtls) -> Plan:
        planned = plan(zone, live, [with_kept_ttl(one, live.get(one.key), kept_ttls) for one in wanted_sets], prune)
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
    if invocation.options["wait"] and outcome.plan.changes and not invocation.check_mode:
        _wait(invocation, outcome)
    result = {
        "changed": bool(outcome.plan.changes or outcome.recovered),
        "zone": zone.rstrip("."),
        "changes": [change.as_result() for change in outcome.plan.changes],
        "diff": outcome.plan.diff(),
        "recovered": [change.as_result() for change in outcome.recovered],
    }
    return outcome, result


def _check_wait(options: dict[str, Any]) -> None:
    if not 0 < options["wait_timeout"] <= LONGEST_TIMEOUT:
        raise InvalidOptions(f"wait_timeout must be above 0 and at most {LONGEST_TIMEOUT} seconds")
    for text in options["wait_nameservers"] or ():
        from ansible_collections.zonesmith.dns.plugins.module_utils._service.name_servers import (
            InvalidNameServer,
            given_server,
        )

        try:
            given_server(text)
        except InvalidNameServer as error:
            raise InvalidOptions(f"wait_nameservers has {visible(repr(text))}, and {error}") from error


def _wait(invocation: Invocation, outcome: Outcome) -> None:
    from ansible_collections.zonesmith.dns.plugins.module_utils._service.name_servers import (
        NotServed,
        given_server,
        wait_until_served,
        zones_server,
    )

    zone, changes = outcome.zone, outcome.plan.changes
    own, given = zone.record_sets.get(Key(zone.name, "NS")), invocation.options["wait_nameservers"]
    try:
        if not (given or own):
            raise NotServed(
                "the zone shows no NS records, so that there is no name server to ask: set wait_nameservers"
            )
        servers = [given_server(text) for text in given] if given else map(zones_server, own.values if own else ())
        wait_until_served(zone.name, changes, servers, invocation.options["wait_timeout"])
    except NotServed as error:
        keys = tuple(change.key for change in changes)
        raise ApplyFailed(f"the service took all changes, but {error}", changes=changes, applied=keys) from error
