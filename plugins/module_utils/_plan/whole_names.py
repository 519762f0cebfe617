# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""New owner names that look like whole ones of other zones, and were taken for relative ones. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import SHOWN_CLAUSES, printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import LiveSets
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change

# No label that people give to hosts and places of their own all the same, such as app, cloud and dev.
_TOP_LEVEL = frozenset(
    {"biz", "com", "edu", "example", "gov", "info", "net", "org"}
    | {"at", "au", "be", "br", "ca", "ch", "cn", "cz", "de", "dk", "es", "eu", "fi", "fr", "hu", "ie", "jp", "nl", "no"}
    | {"nz", "pl", "pt", "ru", "se", "uk"}
)
_MORE_LABELS = 2


def whole_names(zone: str, live: LiveSets, changes: Iterable[Change], zones: Collection[str] = ()) -> Iterator[str]:
    """A sentence for each new name in *zone* behind which the zone's own name may not be meant.

    It ends in the name of another one of *zones* (all canonical), or in a known top-level label with two labels more
    than any other name has. Who does mean it hears of it once, when it is made.
    """
    known = {key.name for key in live}
    new = {change.key.name: change.key.type for change in changes if change.after and change.key.name not in known}
    top_level = _TOP_LEVEL | {_last_label(zone[:-1])}
    suspects = {name for name in new if _last_label(relative_name(name, zone)) in top_level}
    least = (
        _MORE_LABELS + max((_labels(name, zone) for name in {*known, *new} - suspects), default=0) if suspects else 0
    )
    doubtful = []
    for name, rdtype in sorted(new.items()):
        of = next((other for other in zones if other != zone and f".{name}".endswith(f".{other}{zone}")), "")
        if of or (name in suspects and _labels(name, zone) >= least):
            doubtful.append((name, rdtype, of))
    for name, rdtype, of in doubtful[:SHOWN_CLAUSES]:
        whole, is_of = printable_part(f"{relative_name(name, zone)}."), f", of the zone {of}" if of else ""
        yield f"{printable_part(f'{name} {rdtype}')}: it looks like the whole name {whole}{is_of} with {zone} behind it"
    if (others := len(doubtful) - SHOWN_CLAUSES) > 0:
        yield f"{others} more {'name looks' if others == 1 else 'names look'} like whole ones with {zone} behind them"


def _last_label(name: str) -> str:
    return name.rpartition(".")[2]


def _labels(name: str, zone: str) -> int:
    return 0 if name == zone else relative_name(name, zone).count(".") + 1
