# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names the files in folders of zones, and reads zones in parts."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .._dns.printable import printable_part, some_clauses
from .._zonefile.file_text import Source, decoded, reason_against_text
from .._zonefile.included import PART, Included, included_paths
from .file import LARGEST, UnreadableFile

MOST_FILES = 1000
"""Most parts and included files of a zone."""

SLASH = "%2F"
"""Stands for slashes in file names, since reverse zones may have them (RFC 2317, section 4)."""

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


def is_of_zone(name: str) -> bool:
    """Whether a name is that of a zone's file or folder."""
    return name.endswith(PART) and not name.startswith(".")


def sources(found: File, place: str, zone: str) -> tuple[list[Source], Included | None]:
    """Return the texts of *place*, as errors call it, and for a folder, the files to include."""
    if "parts" not in found:
        return [Source(place, found.get("text") or "")], None
    folder = place.rstrip("/")
    parts = [
        Source(f"{folder}/{printable_part(name)}", text) for name, text in found["parts"].items()
    ]
    return parts, Included(zone, folder, found["included"])


def file_read(read: Callable[[], bytes]) -> File:
    """Return the File that *read* gives."""
    try:
        text = decoded(read())
    except UnreadableFile as error:
        return {"reason": str(error)}
    except OSError as error:
        return {"reason": f"it cannot be read: {error.strerror}"}
    reason = reason_against_text(text)
    return {"reason": reason} if reason else {"text": text}


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
        return {"reason": f"the folder cannot be read: {error.strerror}"}
    if not names:
        return {
            "reason": f"it is a folder without parts of the zone, which are files whose names end in {PART}"
        }
    reader = _PartReader(folder, read)
    parts = {_as_text(name): reader.part(name) for name in names[: MOST_FILES + 1]}
    reasons = [
        f"its part {printable_part(name)}: {file['reason']}"
        for name, file in parts.items()
        if "reason" in file
    ]
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
