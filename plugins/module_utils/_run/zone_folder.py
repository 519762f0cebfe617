# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Folders of zones: how the file of a zone is called there, and the parts of one whose file is a folder itself."""

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
from ansible_collections.zonesmith.dns.plugins.module_utils._run.invocation import InvalidOptions
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    Source,
    decoded,
    reason_against_file,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import PART, Included, included_paths

MOST_FILES = 1000
"""Parts and included files of one zone."""

SLASH = "%2F"
"""What stands for a slash in the name of a file; the name of a reverse zone can have one (RFC 2317, section 4)."""

LONGEST_NAME = 255
"""Characters of the name of a file, on all that Linux, BSD and macOS keep files on."""

VAULT = "$ANSIBLE_VAULT;"

LEADS_OUT = "it is a link out of the folder"

File = dict[str, Any]
"""The ``text`` of a file, or the ``reason`` why there is none, with a ``hint`` for who needs a file.

Of a folder of parts ``parts``, their texts by their names, and ``included``, a File for each path that they include.
"""

Read = Callable[[str, int], File]
"""The File at a path, of at most so many bytes."""


def zone_called(file: str) -> str:
    """The zone whose file has this name."""
    return file.removesuffix(PART).replace(SLASH, "/").replace(SLASH.lower(), "/")


def file_called_after(zone: str) -> str:
    """The name of the file of a zone (canonical, or without its final dot)."""
    return f"{zone.removesuffix('.').replace('/', SLASH)}{PART}"


def is_of_zone(name: str) -> bool:
    """Whether a file or folder of this name in a folder of zones is that of a zone."""
    return name.endswith(PART) and not name.startswith(".")


def sources(found: File, place: str, zone: str) -> tuple[list[Source], Included | None]:
    """The texts of what errors call *place*, and where it is a folder, what they may include."""
    if "parts" not in found:
        return [Source(place, found.get("text") or "")], None
    folder = place.rstrip("/")
    parts = [Source(f"{folder}/{printable_part(name)}", text) for name, text in found["parts"].items()]
    return parts, Included(zone, folder, found["included"])


def leads_out(path: str, folder: str) -> bool:
    """Whether links lead from a path in *folder* to what is not in it."""
    whole = os.path.realpath(folder)
    return os.path.commonpath([os.path.realpath(path), whole]) != whole


def read_parts(folder: str, read: Read) -> File:
    """The File of a zone whose parts are in *folder*: all files there whose names end in ``.zone``.

    A link to elsewhere is followed for no part, and none at all for what is included: who may write to the folder may
    not choose what is read besides.
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
    """Reads the files of a zone in its *folder*, as many and as large as they may be."""

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
        """What is at a path inside the folder, to which no link leads."""
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
    """What is not UTF-8 goes through no JSON, and a zone's name has no question mark."""
    return name.encode("utf-8", "replace").decode()


class UnusableFile(InvalidOptions):
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

    def found(self, zone: str, *, update: bool = True) -> File:
        """The File of a zone; an empty one where there is none. Raises UnusableFile.

        Where it is not to be updated but written anew, what cannot be read does not matter; there is no such way for
        parts.
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
        """The file of a zone, as it is to go. Raises UnusableFile: what else is in a folder nobody can tell."""
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
