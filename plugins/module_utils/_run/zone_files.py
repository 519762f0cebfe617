# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes zones from the service to the zone files of a folder."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from .._api.zones import CONNECTIONS, read_zones
from .._dns.globs import ZoneGlobs, has_wildcards
from .._dns.names import zone_name
from .._dns.printable import (
    printable,
    printable_part,
    some_clauses,
    some_names,
)
from .._dns.records import InvalidRecord, record_sets
from .._files.zone_folder import Kept, Records, UnusableFile, ZoneFolder
from .._plan.globs import Glob, matches, unmatched_warnings
from .._plan.limits import limits_of
from .._zonefile.file_text import InvalidZoneFile
from .invocation import Invocation
from .options import InvalidOptions
from .results import UNCHANGED, sentence
from .task_zones import count_of

Zones = dict[str, Records]
"""Record sets as in ``dns_zone_info``, by canonical zone name."""


def keep_zone_files(invocation: Invocation) -> dict[str, Any]:
    """Write the zones and return the module's result. Raises InvalidOptions, ServiceError.

    Nothing is written until the content of every file is known.
    """
    options = invocation.options
    folder = ZoneFolder(options["dest"], updates=options["update"])
    if options["zones"] == []:
        invocation.warnings.append("zones is empty, so no zone is read")
    zones, gone = _of_service(invocation, folder)
    kept = _kept(invocation, folder, zones)
    for zone in gone:
        kept[zone] = folder.to_be_removed(zone)
    return _written(kept, invocation.check_mode)


def _of_service(invocation: Invocation, folder: ZoneFolder) -> tuple[Zones, list[str]]:
    """Return the account's zones, and those whose files are to be removed. Raises InvalidOptions, ServiceError."""
    options = invocation.options
    globs = ZoneGlobs(["*"] if options["zones"] is None else options["zones"])
    doubts: list[str] = []
    items = read_zones(
        invocation.client(CONNECTIONS),
        records=True,
        matches=globs.match,
        needs_all=True,
        warn=doubts.append,
    )
    invocation.warnings.extend(sorted(doubts))
    zones = {zone_name(item["name"]): item["records"] for item in items}
    files = folder.files if options["remove"] else {}
    if options["zones"]:
        _check_globs(invocation, globs, {*zones, *files})
    gone = [zone for zone in files if zone not in zones and globs.match(zone)]
    if gone and len(gone) == len(files):
        raise InvalidOptions(
            "remove would delete every zone file in dest, since the account has none of their zones: is dest the folder "
            "of another account? Nothing was changed"
        )
    return zones, gone


def _check_globs(invocation: Invocation, globs: ZoneGlobs, names: Collection[str]) -> None:
    """Warn of globs that match no *names*. Raises InvalidOptions for a plain name, unless its file is to go."""
    names_or_globs = invocation.options["zones"]
    unmatched = globs.unmatched(names)
    missing = []
    for at in sorted(unmatched):
        if not has_wildcards(names_or_globs[at]):
            missing.append(printable_part(names_or_globs[at]))
    if missing:
        raise InvalidOptions(
            f"zones names zones that the account does not have: {some_names(missing)}"
        )
    invocation.warnings.extend(
        unmatched_warnings(invocation.options, {"zones": unmatched}, "the account")
    )


def _kept(invocation: Invocation, folder: ZoneFolder, zones: Zones) -> dict[str, list[Kept]]:
    """Return the files of each zone. Raises InvalidOptions with all zones that cannot be written."""
    ignored: Sequence[Glob] = ()
    if zones:
        ignored = limits_of(invocation.options, zones, ("ignore",)).ignore
    kept: dict[str, list[Kept]] = {}
    reasons: list[str] = []
    for zone in sorted(zones):
        try:
            kept[zone] = _kept_of_zone(folder, zone, zones[zone], ignored)
        except (InvalidRecord, InvalidZoneFile, UnusableFile) as error:
            reasons.append(f"zone {_shown(zone)}: {error}")
    if reasons:
        count = f"{len(reasons)} of {count_of(zones)}"
        raise InvalidOptions(f"{count} cannot be written, and {UNCHANGED}: {some_clauses(reasons)}")
    return kept


def _kept_of_zone(
    folder: ZoneFolder, zone: str, records: Records, ignored: Sequence[Glob]
) -> list[Kept]:
    """Return the files of a zone. Raises InvalidRecord, InvalidZoneFile, UnusableFile."""
    found = folder.found(zone)
    if ignored:
        records = _but_for(ignored, records, folder.records_in(zone, found), zone)
    return folder.with_records(zone, found, records)


def _but_for(globs: Sequence[Glob], listed: Records, in_files: Records, zone: str) -> Records:
    """Return the *listed* records; sets that a glob matches are from *in_files*. Raises InvalidRecord."""
    of_zone = record_sets(listed, zone)
    of_files = record_sets(in_files, zone)
    ignored = set()
    for one in (*of_zone.values(), *of_files.values()):
        if matches(globs, one, zone):
            ignored.add(one.key)
    kept = [one for one in of_zone.values() if one.key not in ignored]
    kept += [one for one in of_files.values() if one.key in ignored]
    return [one.as_result() for one in kept]


def _shown(zone: str) -> str:
    return printable_part(zone.removesuffix("."))


def _written(kept: Mapping[str, Iterable[Kept]], check_mode: bool) -> dict[str, Any]:
    """Write changed files until one fails, and return the result."""
    files: list[dict[str, Any]] = []
    differences: list[dict[str, str]] = []
    failure: dict[str, Any] = {}
    try:
        for zone in sorted(kept):
            for file in kept[zone]:
                if file.changes and not check_mode:
                    file.write()
                if file.changes:
                    differences.append(_difference(file))
                name = zone.removesuffix(".")
                files.append({"path": file.path, "zone": name, "changed": file.changes})
    except UnusableFile as error:
        done = "the files before it were written" if differences else UNCHANGED
        failure = {"failed": True, "msg": sentence(f"{error}; {done}"), "status_code": None}
    return {"changed": bool(differences), "files": files, "diff": differences, **failure}


def _difference(file: Kept) -> dict[str, str]:
    place = printable(file.path)
    return {
        "before_header": place,
        "after_header": place,
        "before": _shown_text(file.before or ""),
        "after": _shown_text(file.after or ""),
    }


def _shown_text(text: str) -> str:
    """Make a file's text printable, since comments may contain anything."""
    lines = [line.removesuffix("\r").expandtabs() for line in text.split("\n")]
    return "\n".join(map(printable, lines))
