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

IncludedFile = Mapping[str, str]
"""A file's ``text``, or the ``reason`` why it has none."""


def included_paths(text: str) -> list[str]:
    """Return the ``$INCLUDE`` paths that may lead to files inside the folder, each once."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    found = (quoted or word for quoted, word in _INCLUDE.findall(lines.removeprefix(BYTE_ORDER_MARK)))
    return [path for path in dict.fromkeys(found) if not reason_against_path(path)]


def reason_against_path(path: str) -> str:
    """Explain in a clause why a path leads to no file inside the folder; empty if it may."""
    if path.startswith("/"):
        return "it begins with a slash"
    if "\\" in path or not path.isprintable():
        return "it contains characters that such a path must not have"
    if any(name.startswith(".") for name in path.split("/")):
        return "a name in it begins with a dot"
    return "" if path and all(path.split("/")) else "a name in it is empty"


def one_file_of_all(zone: str) -> str:
    """Suggest in a clause how to avoid ``$INCLUDE`` in *zone*."""
    name = printable_part(zone.rstrip("."))
    return f"read what '{COMPILE} {name}.zone {name} FILE' makes of all the files"


def not_followed(zone: str) -> str:
    """Explain in a clause why ``$INCLUDE`` is refused in a single file of *zone*, and what to do."""
    folder = f"{printable_part(zone.rstrip('.'))}{PART}"
    return f"$INCLUDE is not followed: {one_file_of_all(zone)}, or put them into a folder {folder}, as its parts"


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
        if at.place in {self._place(followed) for followed in self._followed}:
            raise self._error(f"{at.place} is included itself")
        shown = printable_part(path)
        if reason := reason_against_path(path):
            raise self._error(f"{shown} is not a path inside {self.folder}: {reason}")
        if "/" not in path and path.endswith(PART):
            raise InvalidRdata(
                f"$INCLUDE is not followed: {shown} is read as a part of the zone anyway: leave the line out, or give "
                f"the included file a name that does not end in {PART}"
            )
        if path in self._followed:
            raise self._error(f"{shown} is also included by {self._followed[path]}, but a file is included only once")
        found = self.files.get(path, {"reason": "it was not read: write it after $INCLUDE, on the same line"})
        if "text" not in found:
            raise self._error(f"{shown} in {self.folder} cannot be used: {found['reason']}")
        self._followed[path] = at
        return Source(self._place(path), found["text"])

    def _place(self, path: str) -> str:
        return f"{self.folder}/{printable_part(path)}"

    def _error(self, reason: str) -> InvalidRdata:
        return InvalidRdata(f"$INCLUDE is not followed: {reason}; or {one_file_of_all(self.zone)}")
