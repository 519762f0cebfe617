# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long resolvers may still answer with what a changed set was before. Pure.

What was answered is kept for the TTL that it was answered with (RFC 1035, section 3.2.1). Where there was no such set,
that was the alias of the name, what a wildcard holds (RFC 4592), or that there is nothing, which is kept for the TTL of
the SOA or its last field, whichever is less (RFC 2308, section 5).
"""

from __future__ import annotations

from collections.abc import Iterable

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_view import ZoneView, is_number
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ttl_max import longest_ttl

_DIGITS = 10
"""Of a number of 32 bits."""


def cached(zone: str, live: LiveSets, changes: Iterable[Change]) -> dict[Key, int]:
    """The seconds for each changed set; *live* is *zone* (canonical) before the changes."""
    view = ZoneView(live, zone)
    nothing = _of_nothing(zone, live)
    found = {}
    for change in changes:
        answers = (view.types_at(change.key.name) or {}) if change.before is None else {}
        answered = change.before or answers.get(change.key.type) or answers.get("CNAME")
        found[change.key] = longest_ttl(answered) if answered else nothing
    return found


def _of_nothing(zone: str, live: LiveSets) -> int:
    """The TTL of an answer that there is nothing, in seconds."""
    soa = live.get(Key(zone, "SOA"))
    if soa is None:
        return 0
    last = [value.split()[-1] for value in soa.values if value.split()]
    return min([soa.ttl, *(int(text) for text in last if is_number(text, _DIGITS))])
