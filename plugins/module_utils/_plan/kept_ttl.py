# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""TTLs that the service keeps in place of those that were sent: a task asks for them no more, and says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, some_names
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

KeptTTLs = Mapping[Key, tuple[int, int]]
"""By set, the TTL (seconds) that was sent and the one that the service kept instead."""

NOTHING_KEPT: KeptTTLs = MappingProxyType({})


def with_kept_ttls(wanted: Iterable[Wanted], live: LiveSets, kept_ttls: KeptTTLs) -> tuple[list[Wanted], KeptTTLs]:
    """The same, with the TTLs that the service has in place of those that are wanted, and both of these by set."""
    with_kept, found = list[Wanted](), dict[Key, tuple[int, int]]()
    for one in wanted:
        live_set = live.get(one.key)
        ttl, kept = one.ttl, live_set.ttl if live_set else None
        if ttl is not None and kept is not None and ttl != kept and is_kept(kept_ttls.get(one.key), ttl, kept):
            found[one.key] = ttl, kept
            with_kept.append(replace(one, ttl=kept))
        else:
            with_kept.append(one)
    return with_kept, found


def is_kept(sent_and_kept: tuple[int, int] | None, ttl: int, live_ttl: int) -> bool:
    """Whether a service that kept one TTL where another was sent has *live_ttl* in place of *ttl* (seconds) too.

    Who raises or lowers a TTL to a limit, or rounds it, makes the same of all between the one that was sent and that.
    """
    if sent_and_kept is None or sent_and_kept[1] != live_ttl:
        return False
    return min(sent_and_kept) <= ttl <= max(sent_and_kept)


def kept_ttls_in_words(kept_ttls: KeptTTLs) -> Iterator[str]:
    """The warnings about sets with a TTL that the service keeps, one for each TTL that was sent and kept.

    Every run says so that leaves a set as it is because of that: the one that found it out may have been killed before
    it could tell anybody, and it is not what the task asks for.
    """
    sets: dict[tuple[int, int], list[str]] = {}
    for key, sent_and_kept in sorted(kept_ttls.items()):
        sets.setdefault(sent_and_kept, []).append(printable(" ".join(key)))
    for (sent, kept), names in sets.items():
        has = "has" if len(names) == 1 else "have"
        yield f"{some_names(names)} {has} a TTL of {kept} seconds and not of {sent}: the service keeps its own"
