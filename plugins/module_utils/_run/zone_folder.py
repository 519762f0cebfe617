# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names the files in folders of zones, and reads zones in parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable,
    printable_part,
    some_clauses,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.files import (
    LARGEST,
    UnreadableFile,
    read_file,
    replace_file,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._run.options import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    Source,
    decoded,
    reason_against_file,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import PART, Included, included_paths

MOST_FILES = 1000
"""Most parts and included files of a zone."""

SLASH = "%2F"
"""Stands for slashes in file names, since reverse zones may have them (RFC 2317, section 4)."""

LONGEST_NAME = 255
"""Longest file name, in characters, on Linux, BSD and macOS."""

VAULT = "$ANSIBLE_VAULT;"

LEADS_OUT = "it is a link out of the folder"

File = dict[str, Any]
"""A file's ``text``, or the ``reason`` why it has none, with a ``hint`` if it is needed.

For a folder, ``parts`` has texts by name, and ``included`` a File for each included path.
"""

Read = Callable[[str, int], File]
"""Returns the File at a path, of at most this many bytes."""


def zone_called(file: str) -> str:
    """Return the zone of a file name."""
    return file.removesuffix(PART).replace(SLASH, "/").replace(SLASH.lower(), "/")


def file_called_after(zone: str) -> str:
    """Return the file name of a zone, with or without its final dot."""
    return f"{zone.removesuffix('.').replace('/', SLASH)}{PART}"


def is_of_zone(name: str) -> bool:
    """Whether a name is that of a zone's file or folder."""
    return name.endswith(PART) and not name.startswith(".")


def sources(found: File, place: str, zone: str) -> tuple[list[Source], Included | None]:
    """Return the texts of *place*, as errors call it, and for a folder, the files to include."""
    if "parts" not in found:
        return [Source(place, found.get("text") or "")], None
    folder = place.rstrip("/")
    parts = [Source(f"{folder}/{printable_part(name)}", text) for name, text in found["parts"].items()]
    return parts, Included(zone, folder, found["included"])


def leads_out(path: str, folder: str) -> bool:
    """Whether links lead from *path* to outside *folder*."""
    whole = os.path.realpath(folder)
    return os.path.commonpath([os.path.realpath(path), whole]) != whole


def read_parts(folder: str, read: Read) -> File:
    """Return the File of a zone in parts, the ``.zone`` files in *folder*.

    Parts may not be links out of the folder, and included files no links at all. Otherwise, whoever writes to the
    folder could choose other files to read.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if is_of_zone(name.lower()))
    except OSError as error:
        return {"reason": f"the folder cannot be read, {error.strerror}"}
    if not names:
        return {"reason": f"it is a folder without a part of the zone, which is a file whose name ends in {PART}"}
    reader = _PartReader(folder, read)
    parts = {_as_text(name): reader.part(name) for name in names[: MOST_FILES + 1]}
    reasons = [f"its part {printable_part(name)}: {file['reason']}" for name, file in parts.items() if "reason" in file]
    if reasons:
        return {"reason": some_clauses(reasons)}
    texts = {name: str(file["text"]) for name, file in parts.items()}
    paths = dict.fromkeys(path for text in texts.values() for path in included_paths(text))
    return {"parts": texts, "included": {path: reader.included(path) for path in paths}}


class _PartReader:
    """Reads a zone's files, limiting number and size."""

    def __init__(self, folder: str, read: Read):
        self._folder = folder
        self._read = read
        self._bytes = LARGEST
        self._files = MOST_FILES

    def part(self, name: str) -> File:
        path = os.path.join(self._folder, name)
        if not name.endswith(PART):
            return {"reason": f"write {PART} in lower case"}
        if leads_out(path, self._folder):
            return {"reason": LEADS_OUT}
        return self._file(path)

    def included(self, path: str) -> File:
        """Return the file at *path* in the folder, following no links."""
        at = self._folder
        for name in path.split("/"):
            at = os.path.join(at, name)
            if os.path.islink(at):
                return {"reason": "it is a link, or leads through one"}
        return self._file(at) if os.path.exists(at) else {"reason": "there is no such file"}

    def _file(self, path: str) -> File:
        if not self._files:
            return {"reason": f"the zone has more than {MOST_FILES} files"}
        self._files -= 1
        found = self._read(path, self._bytes)
        self._bytes -= len(found.get("text", "").encode("utf-8", "surrogateescape"))
        return found


def _as_text(name: str) -> str:
    """Replace bytes that JSON cannot carry with question marks, which no zone name has."""
    return name.encode("utf-8", "replace").decode()


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
                    with suppress(FileExistsError):
                        os.mkdir(os.path.dirname(self.path) or ".")
                replace_file(self.path, self.after.encode("utf-8", "surrogateescape"), in_link=not self.is_part)
        except OSError as error:
            what = "removed" if self.after is None else "written"
            raise UnusableFile(f"{printable(self.path)} cannot be {what}, {error.strerror}") from error


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
        """Return the path of a zone's file, which may exist under another name. Raises UnusableFile."""
        name = file_called_after(zone)
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
            raise UnusableFile(f"{printable(path)} cannot be used, {file['reason']}")
        return file

    def to_be_removed(self, zone: str) -> list[Kept]:
        """Return a zone's file, to be removed. Raises UnusableFile for folders, which may contain anything."""
        path = self.files[zone]
        if os.path.isdir(path) and not os.path.islink(path):
            raise UnusableFile(f"{printable(path)} is the folder of a zone that is gone: remove it by hand")
        return [Kept(path, self.found(zone).get("text"), None)]


def _read(path: str, most: int = LARGEST) -> File:
    if os.path.islink(path):
        return {"reason": "it is a link, and no file is written through one"}
    try:
        text = decoded(read_file(path, most, follows_link=False))
    except UnreadableFile as error:
        return {"reason": str(error)}
    except OSError as error:
        return {"reason": f"it cannot be read, {error.strerror}"}
    if reason := reason_against_file(text):
        return {"reason": reason}
    if text.startswith(VAULT):
        return {
            "reason": "it is encrypted with Ansible Vault, and would be written as it can be read: decrypt it before"
        }
    return {"text": text}
