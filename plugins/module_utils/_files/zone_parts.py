# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names the files in folders of zones, and reads the files of a zone: its parts, and what they include."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from .._dns.printable import printable_part, some_clauses
from .._zonefile.file_text import Source, decoded
from .._zonefile.included import PART, Included, included_paths
from .._zonefile.mistakes import reason_against_text
from .file import LARGEST, UnreadableFile

MOST_FILES = 1000
"""Most parts and included files of a zone."""

SLASH = "%2F"
"""Stands for slashes in file names, since reverse zones may have them (RFC 2317, section 4)."""

LEADS_OUT = "it is a link out of the folder, or to a hidden file"

_HIDDEN = re.compile(r"\.[^.]")
"""The start of a hidden name. ``..data`` is none: Kubernetes mounts files as links to it."""

File = dict[str, Any]
"""A file's ``text``, or the ``reason`` why it has none, with a ``hint`` if it is needed.

For a folder, ``parts`` has texts by name instead. ``included`` has a File for each path after ``$INCLUDE``.
"""

Read = Callable[[str, int], File]
"""Returns the File at a path, of at most this many bytes."""


def zone_called(file: str) -> str:
    """Return the zone of a file name."""
    return file.removesuffix(PART).replace(SLASH, "/").replace(SLASH.lower(), "/")


def is_of_zone(name: str) -> bool:
    """Whether a name is that of a zone's file or folder."""
    return name.endswith(PART) and not name.startswith(".")


def sources(found: File, place: str) -> tuple[list[Source], Included]:
    """Return the texts of *place*, as errors call it, and the files that they may include."""
    folder = place.rpartition("/")[0]
    parts = [Source(place, found.get("text") or "")]
    if "parts" in found:
        folder = place.rstrip("/")
        parts = []
        for name, text in found["parts"].items():
            parts.append(Source(f"{folder}/{printable_part(name)}", text))
    return parts, Included(folder, found.get("included", {}))


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
    """Whether links lead from *path* to outside *folder*, or to a hidden file in it, such as ``.git/config``."""
    whole = os.path.realpath(folder)
    real = os.path.realpath(path)
    if os.path.commonpath([real, whole]) != whole:
        return True
    names = os.path.relpath(real, whole).split(os.sep)
    return any(_HIDDEN.match(name) for name in names)


def read_zone(path: str, root: str, read: Read) -> File:
    """Return the File of a zone, which is a file, or a folder whose ``.zone`` files are its parts.

    All that is included must be in the folder *root*, and a part in the folder of its zone, after following links.
    Otherwise, somebody who may write to the folder could read other files of this machine.
    """
    reader = _ZoneReader(root, read)
    if os.path.isdir(path):
        return reader.parts(path)
    file = reader.file(path)
    included = reader.included([file.get("text", "")], os.path.dirname(path))
    return {**file, "included": included} if included else file


class _ZoneReader:
    """Reads the files of a zone, limiting number and size."""

    def __init__(self, root: str, read: Read):
        self._root = root
        self._read = read
        self._bytes = LARGEST
        self._files = MOST_FILES

    def file(self, path: str) -> File:
        """Return the file at *path*, wherever it leads."""
        if not self._files:
            return {"reason": f"the zone has more than {MOST_FILES} files"}
        self._files -= 1
        found = self._read(path, self._bytes)
        self._bytes -= len(found.get("text", "").encode("utf-8", "surrogateescape"))
        return found

    def parts(self, folder: str) -> File:
        """Return the zone whose parts are the ``.zone`` files in *folder*."""
        try:
            names = sorted(name for name in os.listdir(folder) if is_of_zone(name.lower()))
        except OSError as error:
            return {"reason": f"the folder cannot be read: {error.strerror}"}
        if not names:
            return {
                "reason": f"it is a folder without parts of the zone, which are files whose names end in {PART}"
            }
        texts: dict[str, str] = {}
        reasons = []
        for name in names[: MOST_FILES + 1]:
            part = self._part(folder, name)
            if "reason" in part:
                reasons.append(f"its part {printable_part(_as_text(name))}: {part['reason']}")
            else:
                texts[_as_text(name)] = part["text"]
        if reasons:
            return {"reason": some_clauses(reasons)}
        return {"parts": texts, "included": self.included(texts.values(), folder)}

    def _part(self, folder: str, name: str) -> File:
        path = os.path.join(folder, name)
        if not name.endswith(PART):
            return {"reason": f"write {PART} in lower case"}
        if leads_out(path, folder):
            return {"reason": LEADS_OUT}
        return self.file(path)

    def included(self, texts: Iterable[str], folder: str) -> dict[str, File]:
        """Return the files that *texts* include, whose paths are relative to *folder*."""
        found: dict[str, File] = {}
        for text in texts:
            for path in included_paths(text):
                if path not in found:
                    found[path] = self._included(os.path.join(folder, path))
        return found

    def _included(self, path: str) -> File:
        if leads_out(path, self._root):
            return {"reason": f"it is outside the folder {printable_part(self._root)}, or hidden"}
        # Read what was checked, even if a link changes meanwhile.
        real = os.path.realpath(path)
        return self.file(real) if os.path.exists(real) else {"reason": "there is no such file"}


def _as_text(name: str) -> str:
    """Replace bytes that JSON cannot carry with question marks, which no zone name has."""
    return name.encode("utf-8", "replace").decode()
