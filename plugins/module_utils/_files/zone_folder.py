# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keeps zones in the zone files of a folder. Nothing is written until ``Kept.write``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .._dns.names import InvalidInput, InvalidName, zone_name
from .._dns.printable import printable
from .._dns.record_set import DEFAULT_TTL
from .._zonefile.included import PART
from .._zonefile.zone_file import read_zone_parts
from .._zonefile.zone_over import written_over
from .._zonefile.zone_text import pretty_zone_file
from .file import LARGEST, read_file, replace_file
from .zone_parts import SLASH, File, file_read, is_of_zone, read_zone, sources, zone_called

VAULT = "$ANSIBLE_VAULT;"

Records = list[dict[str, Any]]
"""Record sets as in ``dns_zone_info``."""


class UnusableFile(InvalidInput):
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
                replace_file(
                    self.path,
                    self.after.encode("utf-8", "surrogateescape"),
                    in_link=not self.is_part,
                )
        except OSError as error:
            what = "removed" if self.after is None else "written"
            raise UnusableFile(
                f"{printable(self.path)} cannot be {what}: {error.strerror}"
            ) from error


class ZoneFolder:
    """The zone files in a folder, by canonical zone name. Raises UnusableFile.

    With *updates*, only lines of changed sets change, and sets stay in their parts. Otherwise files are written anew.
    """

    def __init__(self, folder: str, *, updates: bool):
        self.folder = folder
        self._updates = updates
        self.files: dict[str, str] = {}
        for name in sorted(self._names()):
            try:
                zone = zone_name(zone_called(name))
            except InvalidName:  # not a zone
                continue
            path = os.path.join(folder, name)
            if zone in self.files:
                other = printable(self.files[zone])
                raise UnusableFile(f"{other} and {printable(path)} are both for the same zone")
            self.files[zone] = path

    def _names(self) -> Iterator[str]:
        """Return the names in the folder that are of zones. Raises UnusableFile."""
        try:
            yield from filter(is_of_zone, os.listdir(self.folder))
        except FileNotFoundError:
            return
        except OSError as error:
            shown = printable(self.folder)
            raise UnusableFile(f"dest {shown} cannot be read: {error.strerror}") from error

    def path_of(self, zone: str) -> str:
        """Return the path of a zone's file, which may exist under another name."""
        stem = zone.removesuffix(".").replace("/", SLASH)
        return self.files.get(zone) or os.path.join(self.folder, f"{stem}{PART}")

    def found(self, zone: str) -> File:
        """Return a zone's File, empty if there is none. Raises UnusableFile."""
        path = self.path_of(zone)
        file: File = {}
        if os.path.islink(path):
            file = _read(path)  # refused: what is rewritten must not be a link
        elif os.path.exists(path):
            file = read_zone(path, self.folder, _read)
        if "reason" in file:
            raise UnusableFile(f"{printable(path)} cannot be used: {file['reason']}")
        return file

    def to_be_removed(self, zone: str) -> list[Kept]:
        """Return a zone's file, to be removed. Raises UnusableFile for folders, which may contain anything."""
        path = self.files[zone]
        if os.path.isdir(path) and not os.path.islink(path):
            raise UnusableFile(
                f"{printable(path)} is the folder of a zone that no longer exists: remove it by "
                "hand"
            )
        found = self.found(zone)
        return [Kept(path, found.get("text"), None)]

    def records_in(self, zone: str, found: File) -> Records:
        """Return the record sets that *found* has of a *zone* (canonical), none if it is written anew.

        Raises InvalidZoneFile.
        """
        if not self._updates:
            return []
        place = printable(self.path_of(zone))
        parts, included = sources(found, place)
        parsed = read_zone_parts(
            parts,
            zone,
            place=place,
            included=included,
            default_ttl=DEFAULT_TTL,
            is_lenient=True,
        )
        return parsed.task_records

    def with_records(self, zone: str, found: File, records: Records) -> list[Kept]:
        """Return the new files of a *zone* (canonical). Raises InvalidZoneFile, UnusableFile."""
        path = self.path_of(zone)
        names = found.get("parts")
        place = printable(path)
        if names is not None and not self._updates:
            raise UnusableFile(f"{place} has the zone in parts, which are written only with update")
        if not (self._updates and found):
            return [Kept(path, found.get("text"), pretty_zone_file(records, zone))]
        parts, included = sources(found, place)
        texts = {source.place: source.text for source in parts}
        written = written_over(texts, zone, records, included=included)
        files = [path]
        if names is not None:
            files = [os.path.join(path, name) for name in names]
        kept = []
        for file, part in zip(files, texts, strict=True):
            kept.append(Kept(file, texts[part], written[part], is_part=names is not None))
        return kept


def _read(path: str, most: int = LARGEST) -> File:
    if os.path.islink(path):
        return {"reason": "it is a link, and links are not followed"}
    file = file_read(lambda: read_file(path, most, follows_link=False))
    if file.get("text", "").startswith(VAULT):
        reason = (
            "it is encrypted with Ansible Vault, and would be written unencrypted: decrypt it first"
        )
        return {"reason": reason}
    return file
