# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task wants of one record set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import DEFAULT_TTL, Key, RecordSet


@dataclass(frozen=True)
class Wanted:
    """What a task wants of one record set. Values are canonical, TTLs in seconds.

    Without *keeps_others* the set holds *values* and no others; with it, *unwanted* ones go and the rest stays.
    *pruned* is for a set that no task names, and that goes because of ``prune``.
    """

    name: str
    type: str
    values: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    keeps_others: bool = False
    ttl: int | None = None
    default_ttl: int = DEFAULT_TTL
    pruned: bool = False

    @property
    def key(self) -> Key:
        """What identifies the set in its zone."""
        return Key(self.name, self.type)


def with_kept_ttl(wanted: Wanted, live: RecordSet | None, kept_ttls: Mapping[Key, tuple[int, int]]) -> Wanted:
    """The same, but for a TTL that was sent before and that the service replaced by the one that it still keeps."""
    sent_and_kept = kept_ttls.get(wanted.key)
    if live and sent_and_kept == (wanted.ttl, live.ttl):
        return replace(wanted, ttl=live.ttl)
    return wanted
