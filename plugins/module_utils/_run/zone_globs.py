# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Globs for the names of zones, in whatever case and spelling, with or without a final dot."""

from __future__ import annotations

from fnmatch import fnmatchcase
from unicodedata import normalize

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import with_u_labels


def zone_glob(text: str) -> str:
    """A glob that a person wrote, to be asked with ``meets_zone``."""
    return normalize("NFC", text.strip().lower().removesuffix("."))


def meets_zone(glob: str, name: str) -> bool:
    """Whether a glob matches a zone's canonical name without its final dot, with A-labels or as people read them."""
    spellings = {name, with_u_labels(name)} if "xn--" in name else {name}
    return any(fnmatchcase(spelling, glob) for spelling in spellings)
