# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The zones of a task: listed, in a folder, or unmanaged in the account."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .._api.answers import ServiceError, clause
from .._api.client import Client
from .._dns.globs import ZoneGlobs
from .._dns.names import InvalidName, zone_name
from .._dns.printable import printable_part, some_names
from .._files.zone_parts import is_of_zone, zone_called
from .._plan.globs import unmatched_warnings
from .desired import NOT_READ, unusable
from .options import FILES, InvalidOptions


@dataclass(frozen=True)
class TaskZone:
    """A zone of a task, its name in errors, and its own options."""

    place: str
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name as written."""
        return str(self.options["zone"])

    @property
    def has_sets(self) -> bool:
        """Whether it says which sets it has."""
        return self.options.get("records") is not None or self.options.get("src") is not None

    @property
    def canonical(self) -> str:
        """The canonical name; empty if invalid."""
        try:
            return zone_name(self.name)
        except InvalidName:
            return ""


def task_zones(options: Mapping[str, Any]) -> list[TaskZone]:
    """Return all zones of the task. Raises InvalidOptions."""
    src, zones, records = options["src"], options["zones"], options["records"]
    if src is None and zones is None:
        raise InvalidOptions("set zones or src, but neither is given")
    if src is None:
        return _listed(zones, records)
    if records is not None:
        raise InvalidOptions("set either records or src, but both are given")
    if zones == []:
        raise InvalidOptions(
            "zones is empty: leave it out, or list the zones whose options differ from the task's"
        )
    folder = _of_folder(src, options[FILES] or {})
    return [*_with_options(folder, _listed(zones or ()), src)]


def _listed(
    zones: Sequence[Mapping[str, Any]], records: Sequence[Any] | None = None
) -> list[TaskZone]:
    """Return the listed zones; those without sets of their own get the *records*."""
    listed = []
    for index, options in enumerate(zones):
        zone = TaskZone(f"zones[{index}]", options)
        if records is not None and not zone.has_sets:
            zone = replace(zone, options={**options, "records": records})
        listed.append(zone)
    return listed


def limited(
    zones: list[TaskZone], options: Mapping[str, Any], warnings: list[str]
) -> list[TaskZone]:
    """Return the zones that ``limit`` matches, and warn of unmatched globs. Raises InvalidOptions if none match."""
    limit = options["limit"]
    if limit is None:
        return zones
    if not limit:
        return []
    globs = ZoneGlobs(limit)
    left = [zone for zone in zones if globs.match(zone.name)]
    if not left:
        text = printable_part(", ".join(limit))
        raise InvalidOptions(
            f"limit ({text}) matches none of the {count_of(zones)} that the task has: is it spelled correctly?"
        )
    unmatched = {"limit": globs.unmatched([zone.name for zone in zones])}
    warnings.extend(unmatched_warnings(options, unmatched, "the task's zones"))
    return left


def _of_folder(src: str, files: Mapping[str, Any]) -> list[TaskZone]:
    """Return the zones whose files are in the folder *src*. Raises InvalidInput."""
    zones = []
    for path in files:
        file = os.path.basename(path)
        if path == os.path.join(src, file) and is_of_zone(file):
            zones.append(TaskZone(path, {"zone": zone_called(file), "src": path}))
    if not zones:
        found = files.get(src, NOT_READ)
        raise unusable(src, found.get("reason", "it is not a folder"))
    return zones


def _with_options(
    folder: Sequence[TaskZone], listed: Iterable[TaskZone], src: str
) -> Iterator[TaskZone]:
    """Yield the folder's zones with their listed options, then the other listed zones. Raises InvalidOptions."""
    names = {zone.canonical for zone in folder}
    of_folder: dict[str, TaskZone] = {}
    others = []
    without_file = []
    for zone in listed:
        if zone.has_sets or not zone.canonical:
            others.append(zone)
        elif zone.canonical not in names:
            without_file.append(printable_part(f"{zone.place} ({zone.name})"))
        elif of_folder.setdefault(zone.canonical, zone) is not zone:
            others.append(zone)  # once too often
    if without_file:
        raise InvalidOptions(
            f"there is no file in {printable_part(src)} for {some_names(without_file)}: add it, or give the entry "
            "records or src, or take it out"
        )
    for zone in folder:
        own = of_folder.get(zone.canonical, zone)
        yield replace(zone, options={**own.options, **zone.options})
    yield from others


def count_of(zones: Collection[object]) -> str:
    return "1 zone" if len(zones) == 1 else f"{len(zones)} zones"


class Unmanaged(NamedTuple):
    """The account's zones that the task does not manage: a part of the *result*, and what is told of them.

    *error* is the reason to write nothing, in clauses; empty if there is none. *status_code* is of a failed request.
    """

    result: Mapping[str, Any] = {}
    warnings: Sequence[str] = ()
    error: str = ""
    status_code: int | None = None


def unmanaged_zones(
    options: Mapping[str, Any], client: Client, managed: Collection[str]
) -> Unmanaged:
    """Find the zones in the account's list that are not *managed* (canonical), as option ``unmanaged`` says."""
    mode, lack = "ignore", "that the task does not list"
    if options["src"] is not None:
        mode, lack = "warn", f"without a file in {printable_part(options['src'])}"
    mode = options["unmanaged"] or mode
    if mode == "ignore":
        return Unmanaged()
    reason = ""
    found: list[str] | None = None
    status_code = None
    try:
        zones = client.list_zones()
    except ServiceError as error:
        reason = f"the account may have zones {lack}: {clause(error)}"
        status_code = error.status_code
    else:
        found = _not_meant(options, {zone.canonical for zone in zones} - {*managed})
        if found:
            shown = some_names([*map(printable_part, found)])
            reason = f"the account has {count_of(found)} {lack}: {shown}"
    result = {"unmanaged": found}
    if not reason:
        return Unmanaged(result)
    if mode == "warn":
        return Unmanaged(result, (reason,))
    remedy = "list the ones you expect in unmanaged_ignore, or set unmanaged to warn"
    return Unmanaged(result, (), f"{reason}; {remedy}", status_code)


def _not_meant(options: Mapping[str, Any], zones: Collection[str]) -> list[str]:
    """Return the names of the *zones* (canonical) that ``limit`` matches, and ``unmanaged_ignore`` does not."""
    limit = options["limit"]
    limits = ZoneGlobs(["*"] if limit is None else limit)
    meant = ZoneGlobs(options["unmanaged_ignore"])
    names = []
    for zone in sorted(zones):
        name = zone.removesuffix(".")
        if limits.match(name) and not meant.match(name):
            names.append(name)
    return names
