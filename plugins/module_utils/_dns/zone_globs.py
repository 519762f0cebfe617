# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Globs for the names of zones, as in ``fnmatch``: case, a final dot and how an IDN is written do not matter."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from unicodedata import normalize

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, with_u_labels, zone_name


class ZoneGlobs:
    """Some zones of all, by what the globs in *texts* match."""

    def __init__(self, texts: Iterable[str]):
        self._globs = [normalize("NFC", text.strip().lower().removesuffix(".")) for text in texts]

    def meet(self, name: str) -> bool:
        """Whether one of them matches the name of a zone, in any spelling; of what is no name, the text itself."""
        spelled = _spellings(name)
        return any(fnmatchcase(one, glob) for glob in self._globs for one in spelled)

    def unmet(self, names: Collection[str]) -> set[int]:
        """The places of those that match none of these names."""
        known = [one for name in names for one in _spellings(name)]
        return {at for at, glob in enumerate(self._globs) if not any(fnmatchcase(one, glob) for one in known)}


def _spellings(name: str) -> set[str]:
    try:
        name = zone_name(name)
    except InvalidName:
        name = name.strip().lower()
    name = name.removesuffix(".")
    return {name, with_u_labels(name)} if "xn--" in name else {name}
