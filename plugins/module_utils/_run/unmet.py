# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Globs of a task that match nothing, and so guard nothing: what people are told of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part, quoted, some_clauses

Unmet = Mapping[str, set[int]]
"""The places of globs in their options."""


def without_passing(options: Mapping[str, Any], unmet: Unmet) -> Unmet:
    """Those but of names with an underscore at their start, which may be there for moments only, as for ACME."""
    return {
        option: {index for index in places if not str(options[option][index].get("name")).startswith("_")}
        for option, places in unmet.items()
    }


def told_of_unmet(options: Mapping[str, Any], unmet: Unmet, where: str) -> Iterator[str]:
    """A sentence, if any are *unmet*; *where* is what they match nothing of."""
    clauses = [
        f"{option}[{index}] ({_in_words(options[option][index])})"
        for option, places in sorted(unmet.items())
        for index in sorted(places)
    ]
    if clauses:
        verb, them = ("matches", "is it") if len(clauses) == 1 else ("match", "are they")
        yield f"{some_clauses(clauses)} {verb} nothing of {where}: {them} written as meant?"


def _in_words(entry: Mapping[str, Any] | str) -> str:
    if isinstance(entry, str):
        return quoted(entry)
    parts = [f"{part} {value!r}" for part, value in entry.items() if value not in (None, "*")]
    return printable_part(", ".join(parts))
