# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Match record sets by name, type and value. Pure.

Names match relative or absolute, types also as shown, values canonical or as shown. Texts match by their bytes, without
quotes and chunks; only they are case-sensitive. Without wildcards, a glob matches any spelling of a name or value,
except of a text. In names, a backslash escapes a wildcard: ``\\*`` is the DNS wildcard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from .._dns.globs import (
    WILDCARD,
    has_wildcards,
    matches_glob,
    matches_name,
    may_be_name,
)
from .._dns.names import InvalidName, owner_name, spellings, with_u_labels
from .._dns.printable import printable_part, quoted, some_clauses
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
        name = _part(item, "name").strip().lower()
        rdtype = _part(item, "type").strip().upper()
        value = _part(item, "value")
        found.append(Glob(normalize("NFC", name), type_as_read(rdtype), value))
    return tuple(found)


def _part(item: Mapping[str, Any], part: str) -> str:
    text = item.get(part)
    return ANY if text is None else text


def can_match(glob: Glob, zone: str) -> bool:
    """Whether a glob may match a valid name in *zone* (canonical). Only absolute names end in a dot."""
    if not has_wildcards(glob.name):
        return _owner(glob.name, zone) is not None
    if not may_be_name(glob.name) or not glob.name.endswith("."):
        return may_be_name(glob.name)
    end = glob.name[_last_wildcard(glob.name) + 1 :]
    for name in (zone, with_u_labels(zone)):
        if end.endswith(f".{name}") or f".{name}".endswith(end):
            return True
    return False


def _last_wildcard(name: str) -> int:
    """Return the position of the last character that belongs to a wildcard; -1 if there is none."""
    return max(name.rfind(character) for character in "*?]")


def unmatched(globs: Sequence[Glob], sets: Sequence[RecordSet], zone: str) -> set[int]:
    """The indexes of globs that match no set."""
    found = set()
    for index, glob in enumerate(globs):
        if not any(matches([glob], one, zone) for one in sets):
            found.add(index)
    return found


def matches(globs: Sequence[Glob], one: RecordSet, zone: str) -> bool:
    """Whether one of the globs matches a set of a *zone* (canonical)."""
    if not globs:
        return False
    of_type = [glob for glob in globs if _matches_type(glob, one)]
    names = spellings(one.name, zone) if of_type else ()
    for glob in of_type:
        is_of_name = matches_name(glob.name, names) or _owner(glob.name, zone) == one.name
        if is_of_name and _matches_values(glob.value, one, zone):
            return True
    return False


def _matches_type(glob: Glob, one: RecordSet) -> bool:
    shown = one.shown_key.type
    return matches_glob(one.type, glob.type) or matches_glob(shown, glob.type)


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
            item = _in_words(options[option][index])
            clauses.append(f"{option}[{index}] ({item})")
    if clauses:
        matches_nothing, are_they = "match nothing", "are they"
        if len(clauses) == 1:
            matches_nothing, are_they = "matches nothing", "is it"
        yield f"{some_clauses(clauses)} {matches_nothing} in {where}: {are_they} spelled correctly?"


def _in_words(item: Mapping[str, Any] | str) -> str:
    if isinstance(item, str):
        return quoted(item)
    parts = []
    for part, value in item.items():
        if value not in (None, ANY):
            parts.append(f"{part} {value!r}")
    return printable_part(", ".join(parts))
