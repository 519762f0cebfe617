# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Characters that look alike: letters of several scripts (RFC 5890, section 4.4), O and 0, l and 1."""

from __future__ import annotations

import unicodedata

from .names import with_u_labels

_ALIKE_SCRIPTS = frozenset({"ARMENIAN", "CYRILLIC", "GREEK", "LATIN"})
"""Scripts with similar letters, unlike those that Japanese mixes."""

_SEEN_AS = str.maketrans("оаесрхуіјѕԁԛԝһνοαρυ0l1", "oaecpxyijsdqwhvoapuoii")


def seen_as(name: str) -> str:
    """A name with look-alikes unified, for comparison only."""
    return with_u_labels(name).translate(_SEEN_AS)


def look_alikes(name: str) -> list[str]:
    """What a name has of letters outside the main script of their label, in words."""
    if "xn--" not in name:
        return []
    found: dict[str, None] = {}
    for label in with_u_labels(name).split("."):
        for letter in _strange_letters(label):
            found[f"{letter} is U+{ord(letter):04X}, {unicodedata.name(letter)}"] = None
    return list(found)


def _strange_letters(label: str) -> list[str]:
    """The letters outside the main script, which has the most letters; in a tie, Latin."""
    scripts: dict[str, list[str]] = {}
    for letter in label:
        script = unicodedata.name(letter, "").partition(" ")[0]
        if script in _ALIKE_SCRIPTS:
            scripts.setdefault(script, []).append(letter)
    main = max(scripts, key=lambda script: (len(scripts[script]), script == "LATIN"), default="")
    strange = []
    for script, letters in scripts.items():
        if script != main:
            strange += letters
    return strange
