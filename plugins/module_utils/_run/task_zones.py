# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The zones of a task: listed, in a folder, or unmanaged in the account."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
    """A zone of a task, its name in errors, its own options, and why they are unusable."""

    place: str
    options: Mapping[str, Any]
    error: str = ""

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
    if not limit:
        return zones if limit is None else []
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
    folder: Sequence[TaskZone], listed: Iterable[TaskZone], src: str
) -> Iterator[TaskZone]:
    """Yield the folder's zones with their listed options, then the other listed zones."""
    names = {zone.canonical for zone in folder}
    of_folder: dict[str, TaskZone] = {}
    others = []
    for zone in listed:
        if zone.has_sets or not zone.canonical:
            others.append(zone)
        elif zone.canonical not in names:
            others.append(replace(zone, error=_without_file(zone, src)))
        elif of_folder.setdefault(zone.canonical, zone) is not zone:
            others.append(zone)  # once too often
    for zone in folder:
        own = of_folder.get(zone.canonical, zone)
        yield replace(zone, options={**own.options, **zone.options})
    yield from others


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
        by_default = "ignore"
        self._lack = "that the task does not list"
        if src is not None:
            by_default = "warn"
            self._lack = f"without a file in {printable_part(src)}"
        self._mode = options["unmanaged"] or by_default
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

        The list may be incomplete. It lacks nothing that matters if it and the managed zones are as many as there are.
        """
        try:
            zones, total = client.listed()
        except ServiceError as error:
            self._sentences.append(f"the account may have zones {self._lack}: {clause(error)}")
            self.status_code = error.status_code
            return
        limit = self._options["limit"]
        chosen = ZoneGlobs(["*"] if limit is None else limit)
        meant = ZoneGlobs(self._options["unmanaged_ignore"])
        listed = {zone.canonical for zone in zones}
        names = []
        for canonical in sorted(listed - {*managed}):
            name = canonical.removesuffix(".")
            if chosen.match(name) and not meant.match(name):
                names.append(name)
        if names:
            self._names = names
            shown = some_names([*map(printable_part, names)])
            self._sentences.append(f"the account has {_count(names)} {self._lack}: {shown}")
        known = listed | {*managed}
        unknown = total - len(known)
        if unknown > 0:
            self._sentences.append(
                f"the account may have {unknown} more {self._lack}, whose names are unknown, since the service lists "
                f"{len(zones)} of {total} zones"
            )
        else:
            self._names = names
            self._unmatched = meant.unmatched(known)

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
