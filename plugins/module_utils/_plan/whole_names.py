# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names that look absolute but are relative, so that the zone's name may be appended by mistake.

``www.example.com`` without its final dot, in the zone ``example.com``, is ``www.example.com.example.com``. Such names
are legal, so they are only warned about, where they are new.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from dataclasses import replace

from .._dns.names import relative_name
from .._dns.printable import printable, some_warnings
from .._dns.record_set import Key, Sets
from .._dns.record_types import HOST_TYPES
from .._dns.zone_view import hosts
from .change import Change

_TOP_LEVEL = frozenset({"arpa", "biz", "com", "edu", "example", "gov", "info", "io", "net", "org"})
"""A zone has few names that end in these. The one at the end of its own name counts, too."""


def whole_names(zone: str, held: Sets, changes: Iterable[Change]) -> list[str]:
    """Warnings of new owner names and hosts that look absolute.

    They end in a top-level label that no name in the zone has at its end. An owner written in full is trusted.
    """
    known = {key.name for key in held}
    ends = {_end_of(name, zone) for name in known}
    doubtful = []
    for name, key in sorted(_new_names(zone, known, changes).items()):
        if _ends_at_top_level(name, zone, ends):
            written = relative_name(name, zone)
            it, hint = "it", ""
            if key.name != name:
                it, hint = name, ": end it with a dot if you mean that"
            appended = f"looks like the full name {written}. with {zone} appended"
            doubtful.append(printable(f"{key}: {it} {appended}{hint}"))
    return some_warnings(doubtful, "changes")


def _end_of(name: str, zone: str) -> str:
    """The last label of the relative name."""
    return relative_name(name, zone).rpartition(".")[2]


def _ends_at_top_level(name: str, zone: str, ends: Collection[str]) -> bool:
    end = _end_of(name, zone)
    is_alone = relative_name(name, zone) == end
    if is_alone or end in ends:
        return False
    return end in _TOP_LEVEL or f".{zone}".endswith(f".{end}.")


def _new_names(zone: str, known: Set[str], changes: Iterable[Change]) -> dict[str, Key]:
    """New names, each with a set that brings it as its owner or a host."""
    changed = [change for change in changes if change.after]
    there = known | {change.key.name for change in changed}
    found = {}
    for change in changed:
        key = change.key
        if key.name not in known and not change.desired.is_absolute:
            found[key.name] = key
        if change.after and key.type in HOST_TYPES:
            created = replace(change.after, values=change.creates)
            for host in hosts(created):
                if host not in there and host.endswith(f".{zone}"):
                    found[host] = key
    return found
