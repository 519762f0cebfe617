# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes zones from the service, or from zone transfers, to a folder."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .._api.answers import ListedZone, ServiceError
from .._api.client import LACKS_SOA
from .._api.zones import CONNECTIONS, read_zones
from .._dns.entry_sets import InvalidRecord, record_sets
from .._dns.globs import ZoneGlobs, has_wildcards
from .._dns.names import InvalidName, zone_name
from .._dns.printable import printable, printable_part, quoted, some_clauses, some_names, some_warnings
from .._files import LARGEST, read_file, replace_file
from .._plan.globs import Glob, matches, unmatched_warnings
from .._plan.limits import limits_of
from .._query import name_servers, transfer
from .._threads import in_threads
from .._zonefile.file_text import InvalidZoneFile
from .._zonefile.included import PART
from .._zonefile.zone_file import read_zone_parts
from .._zonefile.zone_over import written_over
from .._zonefile.zone_text import pretty_zone_file
from .invocation import Invocation
from .options import InvalidOptions, check_ranges
from .results import UNCHANGED, sentence
from .zone_folder import SLASH, File, file_read, is_of_zone, read_parts, sources, zone_called

TRANSFERS = 4
"""At once, since servers allow one client only a few."""

LONGEST_NAME = 255
"""Longest file name, in characters, on Linux, BSD and macOS."""

VAULT = "$ANSIBLE_VAULT;"

Records = list[dict[str, Any]]

Zones = dict[str, Records]
"""Record sets as in ``dns_zone_info``, by canonical zone name."""


def keep_zone_files(invocation: Invocation) -> dict[str, Any]:
    """Write the zones and return the module's result. Raises InvalidOptions, ServiceError.

    Nothing is written until the content of every file is known.
    """
    options = invocation.options
    if not options["dest"]:
        raise InvalidOptions("dest is empty")
    folder = ZoneFolder(options["dest"])
    zones, gone = _of_service(invocation, folder) if options["server"] is None else (_of_server(options), [])
    ignored = limits_of(options, zones, ("ignore",)).ignore if zones else ()
    kept, reasons = dict[str, list[Kept]](), list[str]()
    for zone in sorted(zones):
        try:
            found = folder.found(zone, update=options["update"])
            path, records = folder.path_of(zone), zones[zone]
            if ignored:
                in_files = records_in(zone, path, found) if options["update"] else []
                records = _but_for(ignored, records, in_files, zone)
            kept[zone], warnings = zone_in_files(zone, records, path, found, update=options["update"])
            invocation.warnings.extend(
                f"Zone {_shown(zone)}: {one}" for one in some_warnings(warnings, printable(path))
            )
        except (InvalidRecord, InvalidZoneFile, UnusableFile) as error:
            reasons.append(f"zone {_shown(zone)}: {error}")
    if reasons:
        count = f"{len(reasons)} of {len(zones)} {'zone' if len(zones) == 1 else 'zones'}"
        raise InvalidOptions(f"{count} cannot be written, and {UNCHANGED}: {some_clauses(reasons)}")
    return _written({**kept, **_removed(gone, folder)}, invocation.check_mode)


def _of_service(invocation: Invocation, folder: ZoneFolder) -> tuple[Zones, list[str]]:
    """Return the account's zones, and those whose files are to be removed. Raises InvalidOptions, ServiceError."""
    options = invocation.options
    if options["zones"] == []:
        invocation.warnings.append("zones is empty, so no zone is read, whatever the other options say")
        return {}, []
    globs = ZoneGlobs(options["zones"] or ["*"])
    listed: set[str] = set()

    def wants(name: str) -> bool:
        is_wanted = globs.match(name)
        try:
            listed.add(zone_name(name))
        except InvalidName as error:
            reason = f"the service lists a zone {quoted(name)}, which is not a zone's name: leave it out with zones"
            if is_wanted:
                raise ServiceError(reason) from error
        return is_wanted

    items = read_zones(invocation.client(CONNECTIONS), records=True, wants=wants, lacks_soa=_refuse_to_keep)
    files = folder.files if options["remove"] else {}
    if options["zones"]:
        _check_globs(invocation, globs, {*listed, *files})
    gone = [zone for zone in files if zone not in listed and globs.match(zone)]
    if gone and not listed.intersection(files):
        those = "the only file" if len(gone) == 1 else f"all {len(gone)} files"
        raise InvalidOptions(
            f"remove would delete {those} of zones in dest, since the account has none of these zones: is dest the "
            "folder of "
            "another account? Nothing was changed"
        )
    return {zone_name(item["name"]): item["records"] for item in items}, gone


def _check_globs(invocation: Invocation, globs: ZoneGlobs, names: Collection[str]) -> None:
    """Warn of globs that match no *names*. Raises InvalidOptions for a plain name, unless its file is to go."""
    names_or_globs, unmatched = invocation.options["zones"], globs.unmatched(names)
    if missing := [names_or_globs[at] for at in sorted(unmatched) if not has_wildcards(names_or_globs[at])]:
        raise InvalidOptions(
            f"zones names zones that the account does not have: {some_names([*map(printable_part, missing)])}"
        )
    invocation.warnings.extend(unmatched_warnings(invocation.options, {"zones": unmatched}, "the account"))


def _of_server(options: Mapping[str, Any]) -> Zones:
    """Transfer the zones from a name server. Raises InvalidKey, InvalidOptions with all failures."""
    if options["remove"]:
        raise InvalidOptions("remove does not work with server, which cannot list its zones")
    if not options["zones"]:
        raise InvalidOptions("with server, zones must name the zones, since a name server cannot list them")
    zones = [*dict.fromkeys(map(_plain_name, options["zones"]))]
    check_ranges(options)
    try:
        addresses = name_servers.Addresses(name_servers.given_server(options["server"]))
    except name_servers.InvalidNameServer as error:
        raise InvalidOptions(f"server is {quoted(options['server'])}, and {error}") from error
    name, secret, algorithm = options["tsig_name"], options["tsig_key"], options["tsig_algorithm"]
    key = None if name is None else transfer.given_key(name, secret, algorithm or transfer.ALGORITHMS[0])
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
        raise InvalidOptions(f"{some_clauses([failures[zone] for zone in zones if zone in failures])}; {UNCHANGED}")
    return found


def _refuse_to_keep(_zone: ListedZone) -> None:
    """Raises ServiceError, since files would lose the records that the answer lacks."""
    raise ServiceError(LACKS_SOA, 200)


def _but_for(globs: Sequence[Glob], live: Records, in_files: Records, zone: str) -> Records:
    """Return *live* records, except for sets that a glob matches, which are from *in_files*. Raises InvalidRecord."""
    of_zone, of_files = (
        [(one, record) for record in records for one in record_sets([record], zone).values()]
        for records in (live, in_files)
    )
    ignored = {one.key for one, _record in (*of_zone, *of_files) if matches(globs, one, zone)}
    return [record for one, record in of_zone if one.key not in ignored] + [
        record for one, record in of_files if one.key in ignored
    ]


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


def _removed(zones: Iterable[str], folder: ZoneFolder) -> dict[str, list[Kept]]:
    try:
        return {zone: folder.to_be_removed(zone) for zone in zones}
    except UnusableFile as error:
        raise InvalidOptions(f"{error}; {UNCHANGED}") from error


def _written(kept: Mapping[str, list[Kept]], check_mode: bool) -> dict[str, Any]:
    """Write changed files until one fails, and return the result."""
    files: list[dict[str, Any]] = []
    differences: list[dict[str, str]] = []
    failure: dict[str, Any] = {}
    for name, file in ((zone.removesuffix("."), file) for zone in sorted(kept) for file in kept[zone]):
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
                {**headers, "before": _shown_text(file.before or ""), "after": _shown_text(file.after or "")}
            )
    return {"changed": bool(differences), "files": files, "diff": differences, **failure}


class UnusableFile(InvalidOptions):
    """A file or folder that cannot be read or written. The message is one clause."""


@dataclass(frozen=True)
class Kept:
    """A file before and after the run; None if it does not exist.

    A *part*'s folder was no link when read, but may be one now.
    """

    path: str
    before: str | None
    after: str | None
    is_part: bool = False

    @property
    def changes(self) -> bool:
        """Whether the file changes."""
        return self.before != self.after

    def write(self) -> None:
        """Write or remove the file atomically. Raises UnusableFile."""
        try:
            if self.after is None:
                os.unlink(self.path)
            else:
                if not self.is_part:
                    os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
                replace_file(self.path, self.after.encode("utf-8", "surrogateescape"), in_link=not self.is_part)
        except OSError as error:
            what = "removed" if self.after is None else "written"
            raise UnusableFile(f"{printable(self.path)} cannot be {what}: {error.strerror}") from error


class ZoneFolder:
    """The zone files in a folder, by canonical zone name. Raises UnusableFile."""

    def __init__(self, folder: str):
        self.folder = folder
        self.files: dict[str, str] = {}
        for name in sorted(self._names()):
            with suppress(InvalidName):  # not a zone
                zone = zone_name(zone_called(name))
                path = os.path.join(folder, name)
                if zone in self.files:
                    raise UnusableFile(
                        f"{printable(self.files[zone])} and {printable(path)} are both for the same zone"
                    )
                self.files[zone] = path

    def _names(self) -> Iterator[str]:
        above = os.path.dirname(os.path.abspath(self.folder))
        try:
            yield from filter(is_of_zone, os.listdir(self.folder))
        except FileNotFoundError as error:
            if not os.path.isdir(above):
                raise UnusableFile(
                    f"dest {printable(self.folder)} cannot be created, because there is no folder {printable(above)}: "
                    "check dest, or create that folder first"
                ) from error
        except NotADirectoryError as error:
            raise UnusableFile(f"dest {printable(self.folder)} is not a folder") from error
        except OSError as error:
            raise UnusableFile(f"dest {printable(self.folder)} cannot be read: {error.strerror}") from error

    def path_of(self, zone: str) -> str:
        """Return the path of a zone's file, which may exist under another name. Raises UnusableFile."""
        name = f"{zone.removesuffix('.').replace('/', SLASH)}{PART}"
        if zone not in self.files and len(name) > LONGEST_NAME:
            raise UnusableFile(
                f"its file would have a name of more than {LONGEST_NAME} characters: leave the zone out with zones"
            )
        return self.files.get(zone) or os.path.join(self.folder, name)

    def found(self, zone: str, *, update: bool = True) -> File:
        """Return a zone's File, empty if there is none. Raises UnusableFile.

        Without *update*, an unreadable file does not matter, since it is replaced. Parts must always be readable.
        """
        path = self.path_of(zone)
        if os.path.isdir(path) and not os.path.islink(path):
            file = read_parts(path, _read)
        else:
            file = _read(path) if os.path.lexists(path) else {}
        if "reason" in file:
            if not update and os.path.isfile(path) and not os.path.islink(path):
                return {}
            raise UnusableFile(f"{printable(path)} cannot be used: {file['reason']}")
        return file

    def to_be_removed(self, zone: str) -> list[Kept]:
        """Return a zone's file, to be removed. Raises UnusableFile for folders, which may contain anything."""
        path = self.files[zone]
        if os.path.isdir(path) and not os.path.islink(path):
            raise UnusableFile(f"{printable(path)} is the folder of a zone that no longer exists: remove it by hand")
        return [Kept(path, self.found(zone).get("text"), None)]


def _read(path: str, most: int = LARGEST) -> File:
    if os.path.islink(path):
        return {"reason": "it is a link, which is never written through"}
    file = file_read(lambda: read_file(path, most, follows_link=False))
    if file.get("text", "").startswith(VAULT):
        return {"reason": "it is encrypted with Ansible Vault, and would be written unencrypted: decrypt it first"}
    return file


def records_in(zone: str, path: str, found: File) -> list[dict[str, Any]]:
    """Return the record sets in a *zone*'s files at *path*. Raises InvalidZoneFile."""
    place = printable(path)
    parts, included = sources(found, place, zone)
    return read_zone_parts(parts, zone, place=place, included=included, is_lenient=True).entries


def zone_in_files(zone: str, records: Records, path: str, found: File, *, update: bool) -> tuple[list[Kept], list[str]]:
    """Return the new files of a *zone* (canonical) and warnings. Raises InvalidZoneFile, UnusableFile.

    With *update*, only lines of changed sets change, and sets stay in their parts. Otherwise the file is written anew.
    """
    place, names = printable(path), found.get("parts")
    if names is not None and not update:
        raise UnusableFile(f"{place} has the zone in parts, which are written only with update")
    if not (update and found):
        return [Kept(path, found.get("text"), pretty_zone_file(records, zone))], []
    texts = {source.place: source.text for source in sources(found, place, zone)[0]}
    written, warnings = written_over(texts, zone, records, included=found.get("included"), folder=place)
    paths = [path] if names is None else [os.path.join(path, name) for name in names]
    return [
        Kept(at, texts[part], written[part], is_part=names is not None) for at, part in zip(paths, texts, strict=True)
    ], warnings
