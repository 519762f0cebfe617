# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Match record sets by name, type and value. Pure.

Names match relative or absolute, types also as shown, values canonical or as shown. Texts match by their bytes, without
quotes and chunks; only they are case-sensitive. Without wildcards, a glob matches any spelling of a name or value,
except of a text. In names, a backslash escapes a wildcard: ``\\*`` is the DNS wildcard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from .._dns.globs import (
    WILDCARD,
    has_wildcards,
    matches_glob,
    matches_name,
)
from .._dns.names import InvalidName, owner_name, spellings, with_u_labels
from .._dns.printable import printable_part, some_clauses
from .._dns.rdata import as_read, is_text, text_in, type_as_read
from .._dns.record_set import RecordSet

ANY = "*"

Unmatched = Mapping[str, set[int]]


@dataclass(frozen=True)
class Glob:
    name: str = ANY
    type: str = ANY
    value: str = ANY


def globs_of(items: Iterable[Mapping[str, Any]]) -> tuple[Glob, ...]:
    """An option's globs; a missing part matches any."""
    found = []
    for item in items:
        given = {part: text for part, text in item.items() if text is not None}
        name = given.get("name", ANY).strip().lower()
        rdtype = given.get("type", ANY).strip().upper()
        value = given.get("value", ANY)
        found.append(Glob(normalize("NFC", name), type_as_read(rdtype), value))
    return tuple(found)


def can_match(glob: Glob, zone: str) -> bool:
    """Whether a glob may match a valid name in *zone* (canonical). Only absolute names end in a dot."""
    name = glob.name
    if not has_wildcards(name):
        return _owner(name, zone) is not None
    if name.startswith(".") or ".." in name:
        return False
    if not name.endswith("."):
        return True
    after_wildcards = re.split(r"[*?\]]", name)[-1]
    ends = (f".{zone}", f".{with_u_labels(zone)}")
    # The wildcards may stand before the zone, or for a part of it.
    return after_wildcards.endswith(ends) or any(end.endswith(after_wildcards) for end in ends)


def unmatched(globs: Sequence[Glob], sets: Sequence[RecordSet], zone: str) -> set[int]:
    """The indexes of globs that match no set."""
    found = set()
    for index, glob in enumerate(globs):
        if not any(matches([glob], one, zone) for one in sets):
            found.add(index)
    return found


def matches(globs: Sequence[Glob], one: RecordSet, zone: str) -> bool:
    """Whether one of the globs matches a set of a *zone* (canonical)."""
    types = {one.type, one.shown_key.type}
    for glob in globs:
        if not any(matches_glob(rdtype, glob.type) for rdtype in types):
            continue
        if _matches_name(glob.name, one, zone) and _matches_values(glob.value, one, zone):
            return True
    return False


def _matches_name(glob: str, one: RecordSet, zone: str) -> bool:
    if glob == ANY or matches_name(glob, spellings(one.name, zone)):
        return True
    return _owner(glob, zone) == one.name


def _matches_values(glob: str, one: RecordSet, zone: str) -> bool:
    """Whether a glob matches a value, in our words or as shown."""
    if glob == ANY:
        return True
    is_value = not is_text(one.type) and not WILDCARD.search(glob)
    if is_value and as_read(one.type, glob, zone) in one.values:
        return True
    texts = [*one.values, *(text for _value, text in one.spelled)]
    return any(matches_value(glob, one.type, text) for text in texts)


def matches_value(glob: str, rdtype: str, text: str) -> bool:
    if is_text(rdtype):
        return matches_glob(text_in(text), glob)
    text, glob = text.lower(), glob.lower()
    # A host matches as people write it, too.
    return matches_glob(text, glob) or matches_glob(text.removesuffix("."), glob)


def _owner(glob: str, zone: str) -> str | None:
    """If the glob has no wildcards."""
    if has_wildcards(glob):
        return None
    try:
        return owner_name(glob.replace(" ", "\\032"), zone)
    except InvalidName:
        return None


def unmatched_warnings(
    options: Mapping[str, Any], unmatched: Unmatched, where: str
) -> Iterator[str]:
    clauses = []
    for option, places in sorted(unmatched.items()):
        for index in sorted(places):
            item = options[option][index]
            words = repr(item)
            if isinstance(item, Mapping):
                parts = []
                for part, text in item.items():
                    if text not in (None, ANY):
                        parts.append(f"{part} {text!r}")
                words = ", ".join(parts)
            clauses.append(f"{option}[{index}] ({printable_part(words)})")
    if clauses:
        yield f"nothing in {where} matches {some_clauses(clauses)}: is that spelled correctly?"
