# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""TTLs that the service keeps in place of those that were sent: a task asks for them no more, and says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, some_names
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, LiveSets, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted

KeptTTLs = Mapping[Key, tuple[int, int]]
"""By set, the TTL (seconds) that was sent and the one that the service kept instead."""

NOTHING_KEPT: KeptTTLs = MappingProxyType({})


def with_kept_ttls(wanted: Iterable[Wanted], live: LiveSets, kept_ttls: KeptTTLs) -> tuple[list[Wanted], KeptTTLs]:
    """The same, with the TTLs that the service still keeps in place of those that are wanted, and which those are."""
    both = [(one, with_kept_ttl(one, live.get(one.key), kept_ttls)) for one in wanted]
    return [now for _one, now in both], {now.key: kept_ttls[now.key] for one, now in both if one is not now}


def with_kept_ttl(wanted: Wanted, live: RecordSet | None, kept_ttls: KeptTTLs) -> Wanted:
    """The same, but for a TTL that was sent before and that the service replaced by the one that it still keeps."""
    sent_and_kept = kept_ttls.get(wanted.key)
    if live and sent_and_kept == (wanted.ttl, live.ttl):
        return replace(wanted, ttl=live.ttl)
    return wanted


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
