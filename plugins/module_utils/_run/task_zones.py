# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The zones of a task: listed, in a folder, or unmanaged in the account."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .._api.answers import ServiceError, clause
from .._api.client import Client
from .._dns.globs import ZoneGlobs
from .._dns.names import InvalidName, zone_name
from .._dns.printable import printable_part, some_names
from .._files.zone_parts import is_of_zone, zone_called
from .._plan.globs import can_match, globs_of, unmatched_warnings
from .desired import NOT_READ, unusable
from .options import FILES, InvalidOptions


@dataclass(frozen=True)
class TaskZone:
    """A zone of a task, its name in errors, its own options, and why they are unusable."""

    place: str
    options: Mapping[str, Any]
    error: str = ""

    @property
    def name(self) -> str:
        """The name as written."""
        return str(self.options["zone"])

    @property
    def canonical(self) -> str:
        """The canonical name; empty if invalid."""
        try:
            return zone_name(self.name)
        except InvalidName:
            return ""


def task_zones(options: Mapping[str, Any]) -> list[TaskZone]:
    """Return all zones of the task. Raises InvalidOptions."""
    src = options["src"]
    if src is None:
        listed = _listed(options["zones"], options["records"])
        return [TaskZone(f"zones[{index}]", zone) for index, zone in enumerate(listed)]
    if options["records"] is not None:
        raise InvalidOptions("set either records or src, but both are given")
    if options["zones"] == []:
        raise InvalidOptions(
            "zones is empty: leave it out, or list the zones whose options differ from the task's"
        )
    folder = _of_folder(src, options[FILES] or {})
    return [*_with_options(folder, options["zones"] or (), src)]


def _listed(
    zones: Sequence[Mapping[str, Any]] | None, records: Sequence[Any] | None
) -> list[Mapping[str, Any]]:
    """Return the listed zones; those without sets of their own get the *records*. Raises InvalidOptions."""
    if zones is None:
        raise InvalidOptions("set zones or src, but neither is given")
    listed = []
    for zone in zones:
        gets_records = records is not None and not _has_sets(zone)
        listed.append({**zone, "records": records} if gets_records else zone)
    return listed


def _has_sets(options: Mapping[str, Any]) -> bool:
    return options.get("records") is not None or options.get("src") is not None


def limited(
    zones: list[TaskZone], options: Mapping[str, Any], warnings: list[str]
) -> list[TaskZone]:
    """Return the zones that ``limit`` matches, and warn of unmatched globs. Raises InvalidOptions if none match."""
    limit = options["limit"]
    if limit is None:
        return zones
    if not limit:
        warnings.append("limit is empty, so no zone is read")
        return []
    globs = ZoneGlobs(limit)
    left = [zone for zone in zones if globs.match(zone.name)]
    if not left:
        text = printable_part(", ".join(limit))
        raise InvalidOptions(
            f"limit ({text}) matches none of the {_count(zones)} that the task has: is it spelled correctly?"
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
        hint = ": name each after its zone, such as example.com.zone" if "hint" in found else ""
        raise unusable(src, f"{found.get('reason', 'it is not a folder')}{hint}")
    return zones


def _with_options(
    folder: Sequence[TaskZone], listed: Iterable[Mapping[str, Any]], src: str
) -> Iterator[TaskZone]:
    """Yield the folder's zones with their listed options, then the other listed zones."""
    zones = [TaskZone(f"zones[{index}]", zone) for index, zone in enumerate(listed)]
    first: dict[str, TaskZone] = {}
    for zone in zones:
        if zone.canonical and not _has_sets(zone.options):
            first.setdefault(zone.canonical, zone)
    names = {zone.canonical for zone in folder}
    for zone in folder:
        options = dict(zone.options)
        if zone.canonical in first:
            options = {**first[zone.canonical].options, **options}
        yield replace(zone, options=options)
    for zone in zones:
        if _has_sets(zone.options) or not zone.canonical:
            yield zone
        elif zone.canonical not in names:
            yield replace(zone, error=_without_file(zone, src))
        elif first[zone.canonical] is not zone:
            earlier = first[zone.canonical].place
            yield replace(zone, error=f"it is listed twice, as {earlier} and as {zone.place}")


def _without_file(zone: TaskZone, src: str) -> str:
    return (
        f"{zone.place} has neither records nor src, so it sets options for a zone with a file in "
        f"{printable_part(src)}, but there is no such file: add it, or take the entry out"
    )


def _count(zones: Sequence[object]) -> str:
    return "1 zone" if len(zones) == 1 else f"{len(zones)} zones"


class Unmanaged:
    """The account's zones that the task does not manage (option ``unmanaged``)."""

    def __init__(self, options: Mapping[str, Any]):
        src = options["src"]
        self._options = options
        # By default, warn only if there is a folder.
        self._mode = options["unmanaged"] or ("ignore" if src is None else "warn")
        self._lack = (
            "that the task does not list"
            if src is None
            else f"without a file in {printable_part(src)}"
        )
        self._unmatched: set[int] = set()
        self._names: list[str] | None = None
        """None if unknown."""
        self._sentences: list[str] = []
        self.status_code: int | None = None
        """Of the failed list request."""

    @property
    def is_asked_for(self) -> bool:
        """Whether to request the list."""
        return self._mode != "ignore"

    def look(self, client: Client, managed: Collection[str]) -> None:
        """Find the zones in the account's list that are not *managed* (canonical).

        The list may be incomplete. The number of unmanaged zones is known all the same: the total without the listed
        zones and the managed ones missing from the list, which the task reads one by one.
        """
        try:
            zones, total = client.listed()
        except ServiceError as error:
            self._sentences.append(f"the account may have zones {self._lack}: {clause(error)}")
            self.status_code = error.status_code
            return
        listed = {zone.canonical for zone in zones}
        limit = self._options["limit"]
        meant = ZoneGlobs(self._options["unmanaged_ignore"])
        is_looked_at = self._scope()
        names = []
        for canonical in sorted(listed - {*managed}):
            name = canonical.removesuffix(".")
            if is_looked_at(name) and not meant.match(name):
                names.append(name)
        if names:
            self._names = names
            shown = some_names([*map(printable_part, names)])
            self._sentences.append(f"the account has {_count(names)} {self._lack}: {shown}")
        unlisted = total - len(zones)
        if not limit:  # else missing zones may be managed but not read by this run
            unlisted -= len({*managed} - listed)
        some = f"since the service lists {len(zones)} of {total} zones"
        if unlisted <= 0:
            self._names = names
            self._unmatched = meant.unmatched(listed | {*managed})
        elif limit:
            self._sentences.append(f"limit may match more zones {self._lack}, {some}")
        else:
            self._sentences.append(
                f"the account has {unlisted} more {self._lack}, whose names are unknown, {some}"
            )

    def _scope(self) -> Callable[[str], bool]:
        """Return whether the task would be about a zone, by its name, if it had a file."""
        limit = self._options["limit"]
        limits = ZoneGlobs(["*"] if limit is None else limit)
        only = globs_of(self._options["only"])

        def is_looked_at(name: str) -> bool:
            if not limits.match(name):
                return False
            # It may hold sets that ``only`` matches.
            return not only or any(can_match(glob, f"{name}.") for glob in only)

        return is_looked_at

    @property
    def result(self) -> dict[str, Any]:
        """The result: the names, or None if unknown."""
        if not self.is_asked_for:
            return {}
        return {"unmanaged": self._names}

    @property
    def warnings(self) -> list[str]:
        """Warnings about unmanaged zones, and about globs that match no zone."""
        unmatched = {"unmanaged_ignore": self._unmatched}
        warnings = [*unmatched_warnings(self._options, unmatched, "the account")]
        if self._mode == "warn":
            return self._sentences + warnings
        return warnings

    @property
    def error(self) -> str:
        """The reason to write nothing, in clauses; empty if there is none."""
        if self._mode != "error" or not self._sentences:
            return ""
        reasons = "; ".join(self._sentences)
        return f"{reasons}; list the ones you expect in unmanaged_ignore, or set unmanaged to warn"
