# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Option ``wait``: finds name servers before the write, and waits for them after it.

Imported only if needed, since it loads the DNS queries.
"""

from __future__ import annotations

from typing import Any

from .._apply.outcome import ApplyFailed, ZoneOutcome
from .._dns.printable import printable
from .._dns.record_set import Key, Sets
from .._plan.awaited import awaited_of
from .._plan.change import PlanRefused
from .._query import name_servers, served
from .._threads import in_threads
from .options import InvalidOptions


class Waiting:
    """The name servers to wait for, and for how long."""

    def __init__(self, zone: str, options: dict[str, Any]):
        """Raises InvalidOptions."""
        self._zone = zone
        self._options = options
        self._asked: list[name_servers.Addresses] = []
        self._named: list[name_servers.NameServer] = []
        for text in options["wait_nameservers"] or ():
            self._named.append(_named(text))

    def find_servers(self, snapshot: Sets) -> None:
        """Find the name servers before the write. Raises PlanRefused if one is unusable.

        Missing addresses are looked up again later, since hosts inside the zone may get theirs only now. Check mode
        looks them up too, to fail as the real run would.
        """
        if self._asked:
            return
        try:
            servers = self._named or self._of_zone(snapshot)
            asked = [name_servers.Addresses(server) for server in servers]
            in_threads(lambda addresses: addresses.look_up(), asked, served.AT_ONCE)
            for addresses in asked:
                host = addresses.server.host
                is_in_zone = f".{host}.".endswith(f".{self._zone}")
                if not is_in_zone:
                    addresses.check()
        except name_servers.UnusableNameServer as error:
            raise PlanRefused(str(error)) from error
        self._asked = asked

    def wait(self, outcome: ZoneOutcome) -> None:
        """Wait until all servers have the desired and recovered sets. Raises ApplyFailed."""
        plan = outcome.plan
        has_changed = bool(plan.changes or outcome.recovered)
        awaited = awaited_of(
            self._zone, outcome.shown, plan.awaited, plan.changes, outcome.recovered
        )
        try:
            served.wait_until_served(self._zone, awaited, self._asked, self._options)
            return
        except name_servers.UnusableNameServer as error:
            reason = str(error)
        except served.NotServed as error:
            reason = f"{error}, after {self._options['wait_timeout']:g} s of waiting"
        done = "the service took all changes" if has_changed else "nothing had to be changed"
        applied = tuple(one.key for one in plan.changes)
        raise ApplyFailed(
            f"{done}, but {reason}",
            changes=plan.changes,
            applied=applied,
            recovered=outcome.recovered,
        )

    def _of_zone(self, snapshot: Sets) -> list[name_servers.NameServer]:
        own = snapshot.get(Key(self._zone, "NS"))
        if not (own and own.values):
            raise PlanRefused(
                "the zone has no NS records, so there is no name server to query: set wait_nameservers"
            )
        return [name_servers.zones_server(value) for value in own.values]


def _named(text: str) -> name_servers.NameServer:
    try:
        return name_servers.checked_server(text)
    except name_servers.InvalidNameServer as error:
        shown = printable(repr(text))
        raise InvalidOptions(f"wait_nameservers has {shown}, and {error}") from error
