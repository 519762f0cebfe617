# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone written into its file, or into those of its parts that have its sets."""

from __future__ import annotations

import os
from bisect import bisect
from collections.abc import Iterable, Mapping
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.entry_sets import record_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.included import Included, Source
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_file import read_zone_file, read_zone_parts
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_layout import (
    is_for_files,
    pretty_zone_file,
    whole_sets,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.zone_text import given_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._run.kept_files import Kept
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_folder import File

Records = Iterable[Mapping[str, Any]]
"""Record sets as ``dns_zone_info`` returns them."""


def zone_in_files(zone: str, records: Records, path: str, found: File, *, update: bool) -> list[Kept]:
    """The files of a *zone* (canonical) as they are to be, which are at *path* as they were *found*.

    With *update* only lines whose set differs change; without, a file is written anew. Each part keeps its sets. Raises
    InvalidZoneFile.
    """
    if "parts" not in found:
        before = found.get("text")
        return [Kept(path, before, zone_text(records, zone, before if update else None))]
    place = printable(path)
    texts, included = found["parts"], Included(zone, place, found["included"])
    sources = {name: Source(f"{place}/{printable_part(name)}", text) for name, text in texts.items()}
    read_zone_parts(sources.values(), zone, place=place, included=included)
    parts = {name: _keys(source, zone, Included(zone, place, found["included"])) for name, source in sources.items()}
    of_parts = _in_parts(records, zone, parts)
    return [
        Kept(os.path.join(path, name), text, zone_text(of_parts[name], zone, text if update else None))
        for name, text in texts.items()
    ]


def zone_text(records: Records, zone: str, over: str | None) -> str:
    """The text of a zone file with these record sets, written *over* another where there is one."""
    listed = list(records)
    if over is not None:
        own = {key: one for key, one in whole_sets(given_sets(listed, zone)).items() if is_for_files(one, zone)}
        if record_sets(read_zone_file(over, zone), zone) == own:
            return over
    return pretty_zone_file(listed, zone)


def _keys(source: Source, zone: str, included: Included) -> set[Key]:
    """The sets of a part, with those of the service's own."""
    owned: dict[tuple[str, str], list[str]] = {}
    entries = read_zone_parts([source], zone, place=source.place, included=included, owned=owned)
    return {*(Key(entry["name"], entry["type"]) for entry in entries), *(Key(*key) for key in owned)}


def _in_parts(records: Records, zone: str, parts: Mapping[str, set[Key]]) -> dict[str, list[dict[str, Any]]]:
    """The sets of each part: those that it has, and new ones beside their nearest neighbours."""
    part_of = {key: name for name, keys in parts.items() for key in keys}
    known = sorted((_labels(key.name), part_of[key]) for key in part_of)
    first = next(iter(parts))
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in parts}
    for key, one in record_sets(records, zone).items():
        found[part_of.get(key) or _nearest(_labels(key.name), known) or first].append(one.as_result())
    return found


def _nearest(labels: list[str], known: list[tuple[list[str], str]]) -> str | None:
    """The part with the name that shares most labels from the right; of two, with the one before in order."""
    at = bisect(known, (labels, "\U0010ffff"))
    near = known[max(at - 1, 0) : at + 1]
    return max(near, key=lambda one: _shared(one[0], labels), default=(labels, None))[1]


def _shared(one: list[str], other: list[str]) -> int:
    return next(
        (at for at, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its), min(len(one), len(other))
    )


def _labels(name: str) -> list[str]:
    return name.rstrip(".").split(".")[::-1]
