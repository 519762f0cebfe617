# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Follows ``$INCLUDE`` (RFC 1035, section 5.1) to files in the folder with the zone's parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .._dns.printable import printable_part
from .._dns.rdata import InvalidRdata
from .file_text import BYTE_ORDER_MARK, Source, Where

COMPILE = "named-compilezone -i local -k ignore -o"
"""BIND's command to merge zone files. The output file, the zone and the first input follow."""

PART = ".zone"
"""Suffix of zone files and of a zone's parts."""

_INCLUDE = re.compile(r'^\$INCLUDE[ \t]+(?:"([^"\n]*)"|([^\s;"()]+))', re.IGNORECASE | re.MULTILINE)

_PATH = re.compile(r"[^./\\][^/\\]*(?:/[^./\\][^/\\]*)*")

IncludedFile = Mapping[str, str]
"""A file's ``text``, or the ``reason`` why it has none."""


def included_paths(text: str) -> list[str]:
    """Return the ``$INCLUDE`` paths that may lead to files inside the folder, each once."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    found = (
        quoted or word for quoted, word in _INCLUDE.findall(lines.removeprefix(BYTE_ORDER_MARK))
    )
    return [path for path in dict.fromkeys(found) if is_inside(path)]


def is_inside(path: str) -> bool:
    """Whether a path leads to a file inside the folder."""
    return bool(_PATH.fullmatch(path)) and path.isprintable()


def one_file_of_all(zone: str) -> str:
    """Suggest in a clause how to avoid ``$INCLUDE`` in *zone*."""
    name = printable_part(zone.rstrip("."))
    return f"merge the files into one with '{COMPILE} {name}.zone {name} FILE'"


def not_followed(zone: str) -> str:
    """Explain in a clause why ``$INCLUDE`` is refused in a single file of *zone*, and what to do."""
    folder = f"{printable_part(zone.rstrip('.'))}{PART}"
    return f"$INCLUDE is not followed: {one_file_of_all(zone)}, or put them into a folder {folder} as parts of the zone"


@dataclass
class Included:
    """The files that a *zone* (canonical) may include, by path in *folder*.

    Each is included only once: a set spread over two files could not be edited in either.
    """

    zone: str
    folder: str
    files: Mapping[str, IncludedFile]
    _followed: dict[str, Where] = field(default_factory=dict)

    def follow(self, path: str, at: Where) -> Source:
        """Return the file at *path*, which the line *at* includes. Raises InvalidRdata."""
        shown = printable_part(path)
        found = self.files.get(
            path, {"reason": "it was not read: write it after $INCLUDE, on the same line"}
        )
        if at.place in map(self._place, self._followed):
            reason = f"{at.place} is itself included"
        elif not is_inside(path):
            reason = f"{shown} is not a path inside {self.folder}: no name in it may be empty or begin with a dot"
        elif "/" not in path and path.endswith(PART):
            reason = (
                f"{shown} is read as a part of the zone anyway: leave the line out, or give the included file a name "
                f"that does not end in {PART}"
            )
        elif path in self._followed:
            reason = f"{shown} is also included by {self._followed[path]}, but a file is included only once"
        elif "text" not in found:
            reason = f"{shown} in {self.folder} cannot be used: {found['reason']}"
        else:
            self._followed[path] = at
            return Source(self._place(path), found["text"])
        raise InvalidRdata(
            f"$INCLUDE is not followed: {reason}; you can also {one_file_of_all(self.zone)}"
        )

    def _place(self, path: str) -> str:
        return f"{self.folder}/{printable_part(path)}"
