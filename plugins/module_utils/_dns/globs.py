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
_CLASS_OR_ESCAPE = re.compile(r"(\[!?\]?[^\]]*\])|\\([\\*?\[])")
# Canonical labels, which escape no other characters. A class of characters counts as any.
_LABELS = re.compile(
    r'((?:\\[0-9]{3}|\\["().;\\@$*?\[]|[^\\.])+\.)*((?:\\[0-9]{3}|\\["().;\\@$*?\[]|[^\\.])+\.?)'
)


def matches_name(glob: str, names: Iterable[str]) -> bool:
    pattern = _CLASS_OR_ESCAPE.sub(_for_fnmatch, glob) if "\\" in glob else glob
    return any(fnmatchcase(name, pattern) for name in names)


def has_wildcards(glob: str) -> bool:
    return bool(WILDCARD.search(_CLASS_OR_ESCAPE.sub(lambda found: found[1] or "", glob)))


def may_be_name(glob: str) -> bool:
    return bool(
        _LABELS.fullmatch(_CLASS_OR_ESCAPE.sub(lambda found: "x" if found[1] else found[0], glob))
    )


def _for_fnmatch(found: re.Match[str]) -> str:
    return found[1] or (found[0] if found[2] == "\\" else f"[{found[2]}]")


class ZoneGlobs:
    def __init__(self, texts: Iterable[str]):
        self._globs = [normalize("NFC", text.strip().lower().removesuffix(".")) for text in texts]

    def match(self, name: str) -> bool:
        """Whether a glob matches the zone; an invalid name, as written."""
        spelled = _spellings(name)
        return any(fnmatchcase(one, glob) for glob in self._globs for one in spelled)

    def unmatched(self, names: Collection[str]) -> set[int]:
        known = [one for name in names for one in _spellings(name)]
        return {
            at
            for at, glob in enumerate(self._globs)
            if not any(fnmatchcase(one, glob) for one in known)
        }


def _spellings(name: str) -> set[str]:
    try:
        name = zone_name(name)
    except InvalidName:
        name = name.strip().lower()
    name = name.removesuffix(".")
    return {name, with_u_labels(name)} if "xn--" in name else {name}
