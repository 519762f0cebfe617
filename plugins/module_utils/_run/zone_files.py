# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones to files: what the service holds, or what a name server transfers, written into the files of a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ListedZone, ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._api.client import LACKS_SOA
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import LONGEST_TIMEOUT
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.entry_sets import InvalidRecord, record_sets
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.globs import ZoneGlobs, has_wildcards
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.invalid_zone_file import InvalidZoneFile
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable,
    printable_part,
    quoted,
    some_clauses,
    some_names,
    some_warnings,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.globs import Glob, matches
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions, Invocation
from ansible_collections.zonesmith.dns.plugins.module_utils._run.kept_files import Kept, UnusableFile, ZoneFolder
from ansible_collections.zonesmith.dns.plugins.module_utils._run.listed import limits_from
from ansible_collections.zonesmith.dns.plugins.module_utils._run.results import UNCHANGED, sentence
from ansible_collections.zonesmith.dns.plugins.module_utils._run.unmet import told_of_unmet
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_in_files import records_in, zone_in_files
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_info import CONNECTIONS, read_zones
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import in_threads

OF_SERVER = ("tsig_name", "tsig_key", "tsig_algorithm")
"""The options that say how to reach a name server."""

TRANSFERS = 4
"""At once; a server gives few to one client."""

LOOK_UP = 5.0
"""Seconds that the addresses of a name server are looked up."""

Records = list[dict[str, Any]]

Zones = dict[str, Records]
"""The record sets of zones, by their canonical names, as ``dns_zone_info`` returns them."""


def keep_zone_files(invocation: Invocation) -> dict[str, Any]:
    """Write the zones that the options name into the folder; the module's result. Raises InvalidOptions, ServiceError.

    Nothing is written before all zones are read and it is known what each file is to hold.
    """
    options = invocation.options
    try:
        folder = ZoneFolder(options["dest"]) if options["dest"] else None
    except UnusableFile as error:
        raise InvalidOptions(str(error)) from error
    if folder is None:
        raise InvalidOptions("dest is empty")
    source = _Service(invocation) if options["server"] is None else _Server(options)
    zones = source.zones(folder)
    ignored = limits_from(options, zones, ("ignore",)).ignore if zones else ()
    kept, refused = dict[str, list[Kept]](), list[str]()
    for zone in sorted(zones):
        try:
            found = folder.found(zone) if options["update"] else folder.found_to_replace(zone)
            path, records = folder.path_of(zone), zones[zone]
            if ignored:
                in_files = records_in(zone, path, found) if options["update"] else []
                records = _but_for(ignored, records, in_files, zone)
            kept[zone], told = zone_in_files(zone, records, path, found, update=options["update"])
            told = some_warnings(told, printable(path))
            invocation.warnings.extend(f"Zone {printable_part(zone.removesuffix('.'))}: {line}" for line in told)
        except (InvalidRecord, InvalidZoneFile, UnusableFile) as error:
            refused.append(f"zone {printable_part(zone.removesuffix('.'))}: {error}")
    if refused:
        count = f"{len(refused)} of {len(zones)} {'zone' if len(zones) == 1 else 'zones'}"
        raise InvalidOptions(f"{count} cannot be written, and {UNCHANGED}: {some_clauses(refused)}")
    return _written({**kept, **_removed(source.gone(folder), folder)}, invocation.check_mode)


class _Service:
    """The zones of the account, as far as a task wants them."""

    def __init__(self, invocation: Invocation):
        options = invocation.options
        if given := [name for name in OF_SERVER if options[name] is not None]:
            raise InvalidOptions(f"{' and '.join(given)} can only be given with server")
        self._invocation = invocation
        self._globs = None if options["zones"] is None else ZoneGlobs(options["zones"])
        self._listed: set[str] = set()
        if options["zones"] == []:
            invocation.warnings.append("zones is empty: no zone is looked at, whatever the other options say")

    def zones(self, folder: ZoneFolder) -> Zones:
        """The record sets of each zone that is wanted. Raises InvalidOptions, ServiceError."""
        if self._invocation.options["zones"] == []:
            return {}
        client = self._invocation.client(CONNECTIONS)
        items = read_zones(client, records=True, wants=self._wants, lacks_soa=_refuse_to_keep)
        self._check_globs(folder)
        return {zone_name(item["name"]): item["records"] for item in items}

    def _wants(self, name: str) -> bool:
        try:
            zone = zone_name(name)
        except InvalidName as error:
            if self._globs is not None and not self._meet(name.lower()):
                return False
            reason = f"the service lists a zone {quoted(name)}, which is no name of a zone: leave it out with zones"
            raise ServiceError(reason) from error
        self._listed.add(zone)
        return self._meet(zone.removesuffix("."))

    def _meet(self, name: str) -> bool:
        return self._globs is None or self._globs.meet(name)

    def _check_globs(self, folder: ZoneFolder) -> None:
        """Tell of globs that meet no zone. A name that does is an error, unless its file is to be removed."""
        options = self._invocation.options
        names = [zone.removesuffix(".") for zone in (*self._listed, *(folder.files if options["remove"] else ()))]
        unmet = self._globs.unmet(names) if self._globs else set()
        if missing := [options["zones"][at] for at in sorted(unmet) if not has_wildcards(options["zones"][at])]:
            raise InvalidOptions(
                f"zones names what the account has no zone for: {some_names([*map(printable_part, missing)])}"
            )
        self._invocation.warnings.extend(told_of_unmet(options, {"zones": unmet}, "the account"))

    def gone(self, folder: ZoneFolder) -> list[str]:
        """The zones whose files are to be removed. Raises InvalidOptions."""
        if not self._invocation.options["remove"] or self._invocation.options["zones"] == []:
            return []
        gone = [zone for zone in folder.files if zone not in self._listed and self._meet(zone.removesuffix("."))]
        if gone and not self._listed.intersection(folder.files):
            files = "the only file" if len(gone) == 1 else f"all {len(gone)} files"
            raise InvalidOptions(
                f"remove would remove {files} of zones in dest, since the account has none of them: is dest the "
                "folder of another account? Nothing was changed"
            )
        return gone


class _Server:
    """The zones that a task names, of a name server."""

    def __init__(self, options: Mapping[str, Any]):
        from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
            InvalidNameServer,
            given_server,
        )
        from ansible_collections.zonesmith.dns.plugins.module_utils._query.transfer import InvalidKey, given_key

        if options["remove"]:
            raise InvalidOptions("remove cannot be given with server, which does not tell the zones that it has")
        self._zones = list(_plain_names(options["zones"]))
        self._timeout: float = options["timeout"]
        if not 0 < self._timeout <= LONGEST_TIMEOUT:
            raise InvalidOptions(f"timeout must be above 0 and at most {LONGEST_TIMEOUT} seconds")
        try:
            self._server = given_server(options["server"])
        except InvalidNameServer as error:
            raise InvalidOptions(f"server is {quoted(options['server'])}, and {error}") from error
        name, secret = options["tsig_name"], options["tsig_key"]
        if (name is None) != (secret is None):
            raise InvalidOptions(
                f"{'tsig_key' if secret is None else 'tsig_name'} is missing: a key has a name and a secret"
            )
        try:
            self._key = None if name is None else given_key(name, secret, options["tsig_algorithm"] or "hmac-sha256")
        except InvalidKey as error:
            raise InvalidOptions(str(error)) from error

    def zones(self, _folder: ZoneFolder) -> Zones:
        """The record sets of each zone. Raises InvalidOptions, which tells of all that cannot be transferred."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
            Addresses,
            UnusableNameServer,
        )
        from ansible_collections.zonesmith.dns.plugins.module_utils._query.transfer import NoTransfer, transferred

        addresses = Addresses(self._server)
        addresses.look_up(LOOK_UP)

        def transfer(zone: str) -> list[dict[str, Any]] | str:
            try:
                return transferred(zone, addresses, self._key, self._timeout)
            except (NoTransfer, UnusableNameServer) as error:
                return f"zone {printable_part(zone.removesuffix('.'))}: {error}"

        answers = dict(zip(self._zones, in_threads(transfer, self._zones, TRANSFERS), strict=True))
        if refused := [answer for answer in answers.values() if isinstance(answer, str)]:
            raise InvalidOptions(f"{some_clauses([*dict.fromkeys(refused)])}; {UNCHANGED}")
        return {zone: answer for zone, answer in answers.items() if not isinstance(answer, str)}

    def gone(self, _folder: ZoneFolder) -> list[str]:
        """None: nobody can tell."""
        return []


def _refuse_to_keep(_zone: ListedZone) -> None:
    """A file would lose the records that the answer lacks. Raises ServiceError."""
    raise ServiceError(LACKS_SOA, 200)


def _but_for(globs: Sequence[Glob], live: Records, in_files: Records, zone: str) -> Records:
    """The records of a zone, but of each set that a glob matches, there or in its files, those of the files.

    Raises InvalidRecord.
    """
    of_zone, of_files = (
        [(one, record) for record in records for one in record_sets([record], zone).values()]
        for records in (live, in_files)
    )
    ignored = {one.key for one, _record in (*of_zone, *of_files) if matches(globs, one, zone)}
    return [record for one, record in of_zone if one.key not in ignored] + [
        record for one, record in of_files if one.key in ignored
    ]


def _plain_names(globs: Any) -> Iterator[str]:
    """The zones that are named, canonical, each once. Raises InvalidOptions."""
    if not globs:
        raise InvalidOptions("with server, zones has to name the zones, since no server tells which it has")
    seen = set()
    for glob in globs:
        try:
            zone = zone_name(glob)
        except InvalidName as error:
            if has_wildcards(glob):
                raise InvalidOptions(
                    f"zones has {quoted(glob)}, and with server it takes names alone: no server tells which it has"
                ) from error
            raise InvalidOptions(f"zones has {quoted(glob)}, which cannot be used, {error}") from error
        if zone not in seen:
            seen.add(zone)
            yield zone


def _shown(text: str) -> str:
    """The text of a file as a terminal shows it: anybody may have written what cannot be seen into a comment."""
    return "\n".join(printable(line.removesuffix("\r").expandtabs()) for line in text.split("\n"))


def _removed(zones: Iterable[str], folder: ZoneFolder) -> dict[str, list[Kept]]:
    """The files of zones that are gone, as they are to go. Raises InvalidOptions."""
    try:
        return {zone: folder.to_be_removed(zone) for zone in zones}
    except UnusableFile as error:
        raise InvalidOptions(f"{error}; {UNCHANGED}") from error


def _written(kept: Mapping[str, list[Kept]], check_mode: bool) -> dict[str, Any]:
    """Write what differs, and tell of all; up to the file that cannot be written."""
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
            differences.append({**headers, "before": _shown(file.before or ""), "after": _shown(file.after or "")})
    return {"changed": bool(differences), "files": files, "diff": differences, **failure}
