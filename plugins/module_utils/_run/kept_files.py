# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files in a folder of this machine, as a module finds and leaves them: whole, and never through a link."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from stat import S_ISLNK, S_ISREG

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._run.replaced import replace_file
from ansible_collections.zonesmith.dns.plugins.module_utils._run.zone_folder import (
    LARGEST,
    TOO_LARGE,
    File,
    file_called_after,
    is_of_zone,
    read_parts,
    zone_called,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import decoded, reason_against_file

LONGEST_NAME = 255
"""Characters of the name of a file, on all that Linux, BSD and macOS keep files on."""

VAULT = "$ANSIBLE_VAULT;"


class UnusableFile(Exception):
    """A file or folder that cannot be read or written; says which and why, in one clause."""


@dataclass(frozen=True)
class Kept:
    """A file at a *path*, what is in it, and what is to be; None where it is not there, or is to go.

    A *part* of a zone is in a folder that was no link when it was read, and may be one by now.
    """

    path: str
    before: str | None
    after: str | None
    is_part: bool = False

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after

    def write(self) -> None:
        """Make it so, at one moment. Raises UnusableFile."""
        try:
            if self.after is None:
                os.unlink(self.path)
            else:
                if not self.is_part:
                    with suppress(FileExistsError):
                        os.mkdir(os.path.dirname(self.path) or ".")
                replace_file(self.path, self.after.encode("utf-8", "surrogateescape"), in_link=not self.is_part)
        except OSError as error:
            what = "removed" if self.after is None else "written"
            raise UnusableFile(f"{printable(self.path)} cannot be {what}, {error.strerror}") from error


class ZoneFolder:
    """The files of zones in a folder, by the canonical names of the zones. Raises UnusableFile."""

    def __init__(self, folder: str):
        self.folder = folder
        self.files: dict[str, str] = {}
        for name in sorted(self._names()):
            with suppress(InvalidName):  # it is no zone's
                zone = zone_name(zone_called(name))
                path = os.path.join(folder, name)
                if zone in self.files:
                    raise UnusableFile(f"{printable(self.files[zone])} and {printable(path)} are both of one zone")
                self.files[zone] = path

    def _names(self) -> Iterator[str]:
        above = os.path.dirname(os.path.abspath(self.folder))
        try:
            yield from filter(is_of_zone, os.listdir(self.folder))
        except FileNotFoundError as error:
            if not os.path.isdir(above):
                raise UnusableFile(
                    f"dest {printable(self.folder)} cannot be made, because there is no folder {printable(above)}: "
                    "look how dest is written, or make that folder first"
                ) from error
        except NotADirectoryError as error:
            raise UnusableFile(f"dest {printable(self.folder)} is no folder") from error
        except OSError as error:
            raise UnusableFile(f"dest {printable(self.folder)} cannot be read, {error.strerror}") from error

    def path_of(self, zone: str) -> str:
        """Where the file of a zone is, or will be; one that is there may be called otherwise. Raises UnusableFile."""
        name = file_called_after(zone)
        if zone not in self.files and len(name) > LONGEST_NAME:
            raise UnusableFile(
                f"its file would have a name of more than {LONGEST_NAME} characters: leave the zone out with zones"
            )
        return self.files.get(zone) or os.path.join(self.folder, name)

    def found(self, zone: str) -> File:
        """The File of a zone; an empty one where there is none. Raises UnusableFile."""
        path = self.path_of(zone)
        if os.path.isdir(path) and not os.path.islink(path):
            file = read_parts(path, _read)
        else:
            file = _read(path) if os.path.lexists(path) else {}
        if "reason" in file:
            raise UnusableFile(f"{printable(path)} cannot be used, {file['reason']}")
        return file

    def found_to_replace(self, zone: str) -> File:
        """The same where a file is written anew, whatever is in it; there is no such way for parts."""
        path = self.path_of(zone)
        if os.path.isfile(path) and not os.path.islink(path):
            file = _read(path)
            return file if "text" in file else {"text": None}
        return self.found(zone)

    def to_be_removed(self, zone: str) -> list[Kept]:
        """The file of a zone, as it is to go. Raises UnusableFile: what else is in a folder nobody can tell."""
        path = self.files[zone]
        if os.path.isdir(path) and not os.path.islink(path):
            raise UnusableFile(f"{printable(path)} is the folder of a zone that is gone: remove it by hand")
        return [Kept(path, self.found(zone).get("text"), None)]


def _read(path: str, most: int = LARGEST) -> File:
    try:
        status = os.lstat(path)
        if S_ISLNK(status.st_mode):
            return {"reason": "it is a link, and no file is written through one"}
        if not S_ISREG(status.st_mode):
            return {"reason": "it is no file"}
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        return {"reason": f"it cannot be read, {error.strerror}"}
    if len(content) > most:
        return {"reason": TOO_LARGE}
    text = decoded(content)
    if reason := reason_against_file(text):
        return {"reason": reason}
    if text.startswith(VAULT):
        return {
            "reason": "it is encrypted with Ansible Vault, and would be written as it can be read: decrypt it before"
        }
    return {"text": text}
