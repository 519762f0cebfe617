# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Globs for names, as in ``fnmatch``.

For owner names, a backslash makes a wildcard literal: ``\\*`` is a DNS wildcard, as in entries. For zones, case, a
final dot, and the form of an IDN do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from unicodedata import normalize

from .names import InvalidName, with_u_labels, zone_name

WILDCARD = re.compile(r"[*?\[]")
_ESCAPE = r"\\([\\*?\[])"
_CLASS_OR_ESCAPE = re.compile(rf"(\[!?\]?[^\]]{{0,300}}\])|{_ESCAPE}")
"""A class has an end soon: looking for it far away would take the square."""


def matches_glob(text: str, glob: str) -> bool:
    """Do as ``fnmatchcase``, which takes the square of the number of ``[`` that are never closed."""
    end = glob.rfind("]") + 1
    closed = glob[:end] + glob[end:].replace("[", "[[]")
    return fnmatchcase(text, closed)


def matches_name(glob: str, names: Iterable[str]) -> bool:
    pattern = _CLASS_OR_ESCAPE.sub(_for_fnmatch, glob) if "\\" in glob else glob
    return _matches_any(pattern, names)


def has_wildcards(glob: str) -> bool:
    unescaped = _CLASS_OR_ESCAPE.sub(lambda found: found[1] or "", glob)
    return bool(WILDCARD.search(unescaped))


def _for_fnmatch(found: re.Match[str]) -> str:
    a_class, escaped = found.groups()
    if a_class or escaped == "\\":
        return found[0]
    return f"[{escaped}]"


class ZoneGlobs:
    def __init__(self, texts: Iterable[str]):
        self._globs: list[str] = []
        for text in texts:
            glob = text.strip().lower().removesuffix(".")
            self._globs.append(normalize("NFC", glob))

    def match(self, name: str) -> bool:
        """Whether a glob matches the zone; an invalid name, as written."""
        spelled = _spellings(name)
        return any(_matches_any(glob, spelled) for glob in self._globs)

    def unmatched(self, names: Collection[str]) -> set[int]:
        known = set().union(*map(_spellings, names))
        return {at for at, glob in enumerate(self._globs) if not _matches_any(glob, known)}


def _spellings(name: str) -> set[str]:
    try:
        name = zone_name(name)
    except InvalidName:
        name = name.strip().lower()
    name = name.removesuffix(".")
    return {name, with_u_labels(name)}


def _matches_any(glob: str, names: Iterable[str]) -> bool:
    return any(matches_glob(name, glob) for name in names)
