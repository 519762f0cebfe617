# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes zones from the service, or from zone transfers, to a folder."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .._api.answers import ListedZone, ServiceError
from .._api.client import LACKS_SOA
from .._api.zones import CONNECTIONS, read_zones
from .._dns.globs import ZoneGlobs, has_wildcards
from .._dns.names import InvalidName, zone_name
from .._dns.printable import (
    printable,
    printable_part,
    quoted,
    some_clauses,
    some_names,
    some_warnings,
)
from .._dns.records import InvalidRecord, record_sets
from .._files.zone_folder import Kept, Records, UnusableFile, ZoneFolder
from .._plan.globs import Glob, matches, unmatched_warnings
from .._plan.limits import limits_of
from .._query import name_servers, transfer
from .._threads import in_threads
from .._zonefile.file_text import InvalidZoneFile
from .invocation import Invocation
from .options import InvalidOptions, check_ranges
from .results import UNCHANGED, sentence

TRANSFERS = 4
"""At once, since servers allow one client only a few."""

Zones = dict[str, Records]
"""Record sets as in ``dns_zone_info``, by canonical zone name."""


def keep_zone_files(invocation: Invocation) -> dict[str, Any]:
    """Write the zones and return the module's result. Raises InvalidOptions, ServiceError.

    Nothing is written until the content of every file is known.
    """
    options = invocation.options
    if not options["dest"]:
        raise InvalidOptions("dest is empty")
    folder = ZoneFolder(options["dest"], updates=options["update"])
    zones, gone = (
        _of_service(invocation, folder) if options["server"] is None else (_of_server(options), [])
    )
    ignored = limits_of(options, zones, ("ignore",)).ignore if zones else ()
    kept, reasons = dict[str, list[Kept]](), list[str]()
    for zone in sorted(zones):
        try:
            found, records = folder.found(zone), zones[zone]
            if ignored:
                records = _but_for(ignored, records, folder.records_in(zone, found), zone)
            kept[zone], warnings = folder.with_records(zone, found, records)
            place = printable(folder.path_of(zone))
            invocation.warnings.extend(
                f"Zone {_shown(zone)}: {one}" for one in some_warnings(warnings, place)
            )
        except (InvalidRecord, InvalidZoneFile, UnusableFile) as error:
            reasons.append(f"zone {_shown(zone)}: {error}")
    if reasons:
        count = f"{len(reasons)} of {len(zones)} {'zone' if len(zones) == 1 else 'zones'}"
        raise InvalidOptions(f"{count} cannot be written, and {UNCHANGED}: {some_clauses(reasons)}")
    return _written(
        {**kept, **{zone: folder.to_be_removed(zone) for zone in gone}}, invocation.check_mode
    )


def _of_service(invocation: Invocation, folder: ZoneFolder) -> tuple[Zones, list[str]]:
    """Return the account's zones, and those whose files are to be removed. Raises InvalidOptions, ServiceError."""
    options = invocation.options
    if options["zones"] == []:
        invocation.warnings.append(
            "zones is empty, so no zone is read, whatever the other options say"
        )
        return {}, []
    globs = ZoneGlobs(options["zones"] or ["*"])
    listed: set[str] = set()

    def matches(name: str) -> bool:
        is_match = globs.match(name)
        try:
            listed.add(zone_name(name))
        except InvalidName as error:
            reason = f"the service lists a zone {quoted(name)}, which is not a zone's name: leave it out with zones"
            if is_match:
                raise ServiceError(reason) from error
        return is_match

    items = read_zones(
        invocation.client(CONNECTIONS), records=True, matches=matches, lacks_soa=_refuse_to_keep
    )
    files = folder.files if options["remove"] else {}
    if options["zones"]:
        _check_globs(invocation, globs, {*listed, *files})
    gone = [zone for zone in files if zone not in listed and globs.match(zone)]
    if gone and not listed.intersection(files):
        those = "the only zone file" if len(gone) == 1 else f"all {len(gone)} zone files"
        raise InvalidOptions(
            f"remove would delete {those} in dest, since the account has none of their zones: is dest the "
            "folder of another account? Nothing was changed"
        )
    return {zone_name(item["name"]): item["records"] for item in items}, gone


def _check_globs(invocation: Invocation, globs: ZoneGlobs, names: Collection[str]) -> None:
    """Warn of globs that match no *names*. Raises InvalidOptions for a plain name, unless its file is to go."""
    names_or_globs, unmatched = invocation.options["zones"], globs.unmatched(names)
    if missing := [
        names_or_globs[at] for at in sorted(unmatched) if not has_wildcards(names_or_globs[at])
    ]:
        raise InvalidOptions(
            f"zones names zones that the account does not have: {some_names([*map(printable_part, missing)])}"
        )
    invocation.warnings.extend(
        unmatched_warnings(invocation.options, {"zones": unmatched}, "the account")
    )


def _of_server(options: Mapping[str, Any]) -> Zones:
    """Transfer the zones from a name server. Raises InvalidKey, InvalidOptions with all failures."""
    if options["remove"]:
        raise InvalidOptions("remove does not work with server, which cannot list its zones")
    if not options["zones"]:
        raise InvalidOptions(
            "with server, zones must name the zones, since a name server cannot list them"
        )
    zones = [*dict.fromkeys(map(_plain_name, options["zones"]))]
    check_ranges(options)
    try:
        addresses = name_servers.Addresses(name_servers.checked_server(options["server"]))
    except name_servers.InvalidNameServer as error:
        raise InvalidOptions(f"server is {quoted(options['server'])}, and {error}") from error
    name, secret, algorithm = options["tsig_name"], options["tsig_key"], options["tsig_algorithm"]
    key = (
        None
        if name is None
        else transfer.checked_key(name, secret, algorithm or transfer.ALGORITHMS[0])
    )
    addresses.look_up()

    failures: dict[str, str] = {}

    def records(zone: str) -> Records:
        try:
            return transfer.transferred(zone, addresses, key, options["timeout"])
        except (transfer.NoTransfer, name_servers.UnusableNameServer) as error:
            failures[zone] = f"zone {_shown(zone)}: {error}"
            return []

    found = dict(zip(zones, in_threads(records, zones, TRANSFERS), strict=True))
    if failures:
        raise InvalidOptions(
            f"{some_clauses([failures[zone] for zone in zones if zone in failures])}; {UNCHANGED}"
        )
    return found


def _refuse_to_keep(_zone: ListedZone) -> None:
    """Raises ServiceError, since files would lose the records that the answer lacks."""
    raise ServiceError(LACKS_SOA, 200)


def _but_for(globs: Sequence[Glob], listed: Records, in_files: Records, zone: str) -> Records:
    """Return the *listed* records; sets that a glob matches are from *in_files*. Raises InvalidRecord."""
    of_zone, of_files = (
        [(one, record) for record in records for one in record_sets([record], zone).values()]
        for records in (listed, in_files)
    )
    ignored = {one.key for one, _record in (*of_zone, *of_files) if matches(globs, one, zone)}
    others = [record for one, record in of_zone if one.key not in ignored]
    return [*others, *(record for one, record in of_files if one.key in ignored)]


def _plain_name(glob: str) -> str:
    """Return a named zone (canonical). Raises InvalidOptions."""
    try:
        return zone_name(glob)
    except InvalidName as error:
        of_globs = "but with server it takes only names, since a name server cannot list its zones"
        reason = of_globs if has_wildcards(glob) else f"which cannot be used: {error}"
        raise InvalidOptions(f"zones has {quoted(glob)}, {reason}") from error


def _shown(zone: str) -> str:
    return printable_part(zone.removesuffix("."))


def _shown_text(text: str) -> str:
    """Make a file's text printable, since comments may contain anything."""
    return "\n".join(printable(line.removesuffix("\r").expandtabs()) for line in text.split("\n"))


def _written(kept: Mapping[str, list[Kept]], check_mode: bool) -> dict[str, Any]:
    """Write changed files until one fails, and return the result."""
    files: list[dict[str, Any]] = []
    differences: list[dict[str, str]] = []
    failure: dict[str, Any] = {}
    for name, file in (
        (zone.removesuffix("."), file) for zone in sorted(kept) for file in kept[zone]
    ):
        try:
            if file.changes and not check_mode:
                file.write()
        except UnusableFile as error:
            done = "the files before it were written" if differences else UNCHANGED
            failure = {"failed": True, "msg": sentence(f"{error}; {done}"), "status_code": None}
            break
        files.append({"path": file.path, "zone": name, "changed": file.changes})
        if file.changes:
            headers = {"before_header": file.path, "after_header": file.path}
            differences.append(
                {
                    **headers,
                    "before": _shown_text(file.before or ""),
                    "after": _shown_text(file.after or ""),
                }
            )
    return {"changed": bool(differences), "files": files, "diff": differences, **failure}
