# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The zones of a task: those that it lists, those of a folder, and of both together the ones that it is limited to.

An entry that lists neither records nor a file says options of a zone that has a file in the folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.globs import ZoneGlobs
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import FILES, InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._run.listed import NOT_READ, unusable
from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import told_of_unmet
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_folder import is_of_zone, zone_called

LIMIT: dict[str, dict[str, Any]] = {"limit": {"type": "list", "elements": "str"}}
"""The option that says which zones a task looks at, as an argument spec; without it, all."""


@dataclass(frozen=True)
class GivenZone:
    """A zone as a task has it: what errors call its *place*, what is *said* of it, and why that cannot be."""

    place: str
    said: Mapping[str, Any]
    refusal: str = ""

    @property
    def is_of_file(self) -> bool:
        """Whether it says options alone."""
        return not _says_sets(self.said)

    @property
    def name(self) -> str:
        """How it is written."""
        return str(self.said["zone"])


def given_zones(options: Mapping[str, Any]) -> list[GivenZone]:
    """All zones of the task. Raises InvalidOptions."""
    listed, src = options["zones"], options["src"]
    if options["records"] is not None:
        if src is not None or listed is None:
            problem = "src is given too" if src is not None else "zones is not given"
            raise InvalidOptions(
                f"records is what each of zones is to hold, and {problem}: give records with zones alone"
            )
        listed = [zone if _says_sets(zone) else {**zone, "records": options["records"]} for zone in listed]
    if src is None:
        if listed is None:
            raise InvalidOptions("either zones or src is needed, and neither is given")
        return [GivenZone(f"zones[{at}]", zone) for at, zone in enumerate(listed)]
    folder = [*_of_folder(src, options[FILES] or {})]
    return [*_with_options(folder, listed or (), src)]


def _says_sets(said: Mapping[str, Any]) -> bool:
    return said.get("records") is not None or said.get("src") is not None


def limited(zones: list[GivenZone], options: Mapping[str, Any], warnings: list[str]) -> list[GivenZone]:
    """Those that the task looks at; *warnings* gets what matches none. Raises InvalidOptions where none is left."""
    limit = options["limit"]
    if limit is None:
        return zones
    if not limit:
        warnings.append("limit is empty: no zone is looked at")
        return []
    globs = ZoneGlobs(limit)
    left = [zone for zone in zones if globs.meet(zone.name)]
    if not left:
        told = printable_part(", ".join(limit))
        count = "1 zone" if len(zones) == 1 else f"{len(zones)} zones"
        raise InvalidOptions(f"limit ({told}) matches none of the {count} that the task has: is it written as meant?")
    warnings.extend(told_of_unmet(options, {"limit": globs.unmet([zone.name for zone in zones])}, "the task's zones"))
    return left


def names_of(zones: Iterable[GivenZone]) -> Iterator[str]:
    """The canonical names of zones, but of those that have none."""
    for zone in zones:
        if name := _canonical(zone.name):
            yield name


def _of_folder(src: str, files: Mapping[str, Any]) -> Iterator[GivenZone]:
    inside = [path for path in files if path == os.path.join(src, file := os.path.basename(path)) and is_of_zone(file)]
    if not inside:
        found = files.get(src, NOT_READ)
        hint = ": each is to be called as its zone, such as example.com.zone" if "hint" in found else ""
        raise unusable(src, f"{found.get('reason', 'it is no folder')}{hint}")
    for path in inside:
        yield GivenZone(path, {"zone": zone_called(os.path.basename(path)), "src": path})


def _with_options(folder: Iterable[GivenZone], listed: Iterable[Mapping[str, Any]], src: str) -> Iterator[GivenZone]:
    """The zones of the folder, each with what an entry says of it, and the others that are listed."""
    entries = [GivenZone(f"zones[{at}]", zone) for at, zone in enumerate(listed)]
    first: dict[str, GivenZone] = {}
    for entry in entries:
        if entry.is_of_file:
            first.setdefault(_canonical(entry.name), entry)
    known = set()
    for zone in folder:
        known.add(name := _canonical(zone.name))
        own = first[name].said if name and name in first else {}
        yield GivenZone(zone.place, {**own, **zone.said})
    for entry in entries:
        name = _canonical(entry.name)
        if not (entry.is_of_file and name):
            yield entry
        elif name not in known:
            missing = (
                f"{entry.place} has neither records nor src, so it says options of a zone that has a file in "
                f"{printable_part(src)}, and there is none: add one, or take the entry out"
            )
            yield GivenZone(entry.place, entry.said, missing)
        elif first[name] is not entry:
            yield GivenZone(entry.place, entry.said, f"it is listed twice, as {first[name].place} and as {entry.place}")


def _canonical(name: str) -> str:
    try:
        return zone_name(name)
    except InvalidName:
        return ""
