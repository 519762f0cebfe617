# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Finds records for one record set in different files.

From 2.19, ansible-core tags values with their origin; before, it is an attribute. Without either, nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from ..module_utils._dns.names import InvalidName, owner_name, zone_name
from ..module_utils._dns.printable import printable_part, some_clauses


class _Origin(NamedTuple):
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def merged_in_words(arguments: Mapping[str, Any]) -> Iterator[str]:
    """For each zone that merges records of different files, one of them for the whole set."""
    zones = arguments.get("zones")
    for holder in [arguments, *(zones if isinstance(zones, (list, tuple)) else ())]:
        if isinstance(holder, Mapping) and isinstance(holder.get("records"), (list, tuple)):
            yield from _of_zone(holder.get("zone"), holder["records"])


def _of_zone(zone: Any, records: list[Any] | tuple[Any, ...]) -> Iterator[str]:
    origins = [_origin_of(record) for record in records]
    if len({origin.path for origin in origins if origin}) < 2:
        return
    by_set: dict[tuple[str, str], list[int]] = {}
    for at, record in enumerate(records):
        with suppress(AttributeError, InvalidName, KeyError, TypeError):  # the task reports them
            name = owner_name(record.get("name", "@"), zone_name(zone))
            by_set.setdefault((name, str(record["type"]).strip().upper()), []).append(at)
    sets = []
    for key, places in by_set.items():
        known = [(origin, at) for at in places if (origin := origins[at])]
        elsewhere = [(origin, at) for origin, at in known if origin.path != known[0][0].path]
        if elsewhere and any(_is_of_whole_set(records[at]) for at in places):
            one, other = (
                f"records[{at}] ({printable_part(str(origin))})"
                for origin, at in (known[0], elsewhere[0])
            )
            sets.append(f"{printable_part(' '.join(key))} of {one} and {other}")
    if sets:
        yield (
            f"Zone {printable_part(str(zone).strip().rstrip('.'))}: different files have entries for one set: "
            f"{some_clauses(sets)}; if each file lists only its own values, set exclusive to false in all these entries"
        )


def _is_of_whole_set(record: Mapping[str, Any]) -> bool:
    return not record.get("replaces") and record.get("exclusive") in (None, True)


def _origin_of(record: Any) -> _Origin | None:
    """The record's origin; None if an expression made it."""
    tags = getattr(record, "_ansible_tags_mapping", None)
    for kind, tag in tags.items() if isinstance(tags, Mapping) else ():
        if getattr(kind, "__name__", "") == "Origin" and isinstance(
            getattr(tag, "path", None), str
        ):
            return _Origin(tag.path, getattr(tag, "line_num", None) or 0)
    place = getattr(record, "ansible_pos", None)
    if isinstance(place, tuple) and len(place) == 3 and isinstance(place[0], str):
        return _Origin(place[0], place[1] or 0)
    return None
