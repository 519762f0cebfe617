# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Folders of zones: how the file of a zone is called there, and the parts of one whose file is a folder itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part, some_clauses
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import PART as ENDING
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import included_paths

LARGEST = 64 * 2**20
"""Bytes of the files of a zone: what a million records take."""

MOST_FILES = 1000
"""Parts and included files of one zone."""

SLASH = "%2F"
"""What stands for a slash in the name of a file; the name of a reverse zone can have one (RFC 2317, section 4)."""

LEADS_OUT = "it is a link out of the folder"
TOO_LARGE = f"it has more than {LARGEST >> 20} MiB"

File = dict[str, Any]
"""The ``text`` of a file, or the ``reason`` why there is none, with a ``hint`` for who needs a file.

Of a folder of parts ``parts``, their texts by their names, and ``included``, a File for each path that they include.
"""

Read = Callable[[str, int], File]
"""The File at a path, of at most so many bytes."""


def zone_called(file: str) -> str:
    """The zone whose file has this name."""
    return file.removesuffix(ENDING).replace(SLASH, "/").replace(SLASH.lower(), "/")


def file_called_after(zone: str) -> str:
    """The name of the file of a zone (canonical, or without its final dot)."""
    return f"{zone.removesuffix('.').replace('/', SLASH)}{ENDING}"


def is_of_zone(name: str) -> bool:
    """Whether a file or folder of this name in a folder of zones is that of a zone."""
    return name.endswith(ENDING) and not name.startswith(".")


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
        return {"reason": f"it is a folder without a part of the zone, which is a file whose name ends in {ENDING}"}
    reading = _Reading(folder, read)
    parts = {_as_text(name): reading.part(name) for name in names[: MOST_FILES + 1]}
    if refused := [
        f"its part {printable_part(name)}: {file['reason']}" for name, file in parts.items() if "reason" in file
    ]:
        return {"reason": some_clauses(refused)}
    texts = {name: str(file["text"]) for name, file in parts.items()}
    paths = dict.fromkeys(path for text in texts.values() for path in included_paths(text))
    return {"parts": texts, "included": {path: reading.included(path) for path in paths}}


class _Reading:
    """What is left of the files that a zone may have in its *folder*."""

    def __init__(self, folder: str, read: Read):
        self._folder = folder
        self._read = read
        self._bytes = LARGEST
        self._files = MOST_FILES

    def part(self, name: str) -> File:
        path = os.path.join(self._folder, name)
        if not name.endswith(ENDING):
            return {"reason": f"write {ENDING} in lower case"}
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
