# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What ``$INCLUDE`` (RFC 1035, section 5.1) may lead to: files of the folder that holds the parts of the zone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import BYTE_ORDER_MARK, Source, Where

COMPILE = "named-compilezone -i local -k ignore -o"
"""The command of BIND that makes one zone file of several; what follows are the new file, the zone, and the first."""

PART = ".zone"
"""How the name of a part ends, and of a zone file in a folder of zones."""

_INCLUDE = re.compile(r'^\$INCLUDE[ \t]+(?:"([^"\n]*)"|([^\s;"()]+))', re.IGNORECASE | re.MULTILINE)

File = Mapping[str, str]
"""The ``text`` of a file, or the ``reason`` why there is none."""


def included_paths(text: str) -> list[str]:
    """The paths behind ``$INCLUDE`` in a text that lead to a file inside the folder; each once, in its order."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    found = (quoted or word for quoted, word in _INCLUDE.findall(lines.removeprefix(BYTE_ORDER_MARK)))
    return [path for path in dict.fromkeys(found) if not reason_against_path(path)]


def reason_against_path(path: str) -> str:
    """Why a path leads to no file inside the folder, in a clause; empty where it may."""
    if path.startswith("/"):
        return "it begins with a slash"
    if "\\" in path or not path.isprintable():
        return "it has characters in it that no such path may have"
    if any(name.startswith(".") for name in path.split("/")):
        return "a name in it begins with a dot"
    return "" if path and all(path.split("/")) else "a name in it is empty"


def one_file_of_all(zone: str) -> str:
    """What somebody whose ``$INCLUDE`` is not followed can do, in a clause; *zone* is its name."""
    name = printable_part(zone.rstrip("."))
    return f"read what '{COMPILE} {name}.zone {name} FILE' makes of all the files"


def not_followed(zone: str) -> str:
    """Why ``$INCLUDE`` in a single file of a *zone* is not followed, and what to do, in a clause."""
    folder = f"{printable_part(zone.rstrip('.'))}{PART}"
    return f"$INCLUDE is not followed: {one_file_of_all(zone)}, or put them into a folder {folder}, as its parts"


@dataclass
class Included:
    """The files that the parts of a *zone* (canonical) may include, by their paths in *folder*, as errors call it.

    Each is followed once: a set of which two files have a part could be written to neither.
    """

    zone: str
    folder: str
    files: Mapping[str, File]
    _followed: dict[str, Where] = field(default_factory=dict)

    def follow(self, path: str, at: Where) -> Source:
        """The file at a path that a line names. Raises InvalidRdata."""
        if at.place in {self._place(followed) for followed in self._followed}:
            raise self._error(f"{at.place} is included itself")
        shown = printable_part(path)
        if reason := reason_against_path(path):
            raise self._error(f"{shown} is no path inside {self.folder}: {reason}")
        if "/" not in path and path.endswith(PART):
            raise InvalidRdata(
                f"$INCLUDE is not followed, {shown} is a part and read as such: leave the line out, or give what is "
                f"included a name that does not end in {PART}"
            )
        if path in self._followed:
            raise self._error(f"{shown} is included by {self._followed[path]} too, and followed once")
        found = self.files.get(path, {"reason": "nobody has read it: write it behind $INCLUDE, in the same line"})
        if "text" not in found:
            raise self._error(f"{shown} in {self.folder} cannot be used, {found['reason']}")
        self._followed[path] = at
        return Source(self._place(path), found["text"])

    def _place(self, path: str) -> str:
        return f"{self.folder}/{printable_part(path)}"

    def _error(self, reason: str) -> InvalidRdata:
        """The error for a line with ``$INCLUDE``, with what to do."""
        return InvalidRdata(f"$INCLUDE is not followed, {reason}; or {one_file_of_all(self.zone)}")
