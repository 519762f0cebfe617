# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Follows ``$INCLUDE`` (RFC 1035, section 5.1), so that many zones can share a snippet.

Paths are relative to the file that has them. Who reads the files sees to it that none is outside the folder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .._dns.printable import printable_part
from .._dns.rdata import InvalidRdata
from .file_text import BYTE_ORDER_MARK, Source

NOT_FOLLOWED = (
    "$INCLUDE is not followed in a text or an included file: use the file as src, or merge the "
    "files into one"
)

PART = ".zone"
"""Suffix of zone files and of a zone's parts. Other files, such as ``mail.inc``, are there to be included."""

_INCLUDE = re.compile(r'^\$INCLUDE[ \t]+(?:"([^"\n]*)"|([^\s;"()]+))', re.IGNORECASE | re.MULTILINE)
_NAME = r"(?:\.\.|[^./\\][^/\\]*)"
_PATH = re.compile(rf"(?:\./)?{_NAME}(?:/{_NAME})*")
"""A relative path. Names that begin with a dot are hidden: such files may have passwords in them."""

MOST_CHARACTERS = 64 * 1024 * 1024
"""Of all included files of a zone together, each as often as it is included."""

IncludedFile = Mapping[str, str]
"""A file's ``text``, or the ``reason`` why it has none."""


def included_paths(text: str) -> list[str]:
    """Return the ``$INCLUDE`` paths that may be followed, each once."""
    if "$i" not in text and "$I" not in text:
        return []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix(BYTE_ORDER_MARK)
    found = [quoted or word for quoted, word in _INCLUDE.findall(lines)]
    return [path for path in dict.fromkeys(found) if is_followed(path)]


def is_followed(path: str) -> bool:
    """Whether this is a path that ``$INCLUDE`` follows."""
    return path.isprintable() and _PATH.fullmatch(path) is not None


@dataclass
class Included:
    """The files that a zone may include, by path as written, relative to *folder*."""

    folder: str
    files: Mapping[str, IncludedFile]
    _characters: int = field(default=0, init=False)

    def follow(self, path: str) -> Source:
        """Return the file at *path*. Raises InvalidRdata."""
        reason = self._reason_against(path)
        if reason:
            raise InvalidRdata(f"$INCLUDE is not followed: {reason}")
        text = self.files[path]["text"]
        self._characters += len(text)
        if self._characters > MOST_CHARACTERS:
            raise InvalidRdata(
                f"the files that it includes have more than {MOST_CHARACTERS} characters"
            )
        place = f"{self.folder}/{path}" if self.folder else path
        return Source(printable_part(place), text)

    def _reason_against(self, path: str) -> str:
        """Explain in a clause why the file at *path* cannot be included; empty if it can."""
        shown = printable_part(path)
        if not is_followed(path):
            return (
                f"{shown} is not a path relative to the file that has it, without names that begin "
                "with a dot"
            )
        if "/" not in path and path.endswith(PART):
            return (
                f"{shown} ends in {PART}, as zones and their parts do: give the included file "
                f"another name, such as {shown.removesuffix(PART)}.inc"
            )
        found = self.files.get(path)
        if found is None:
            return f"{shown} was not read: write it after $INCLUDE, on the same line"
        if "text" not in found:
            return f"{shown} cannot be used: {found['reason']}"
        return ""
