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
        name, rdtype, value = (
            ANY if item.get(part) is None else item[part] for part in ("name", "type", "value")
        )
        found.append(
            Glob(
                normalize("NFC", name.strip().lower()), type_as_read(rdtype.strip().upper()), value
            )
        )
    return tuple(found)


def can_match(glob: Glob, zone: str) -> bool:
    """Whether a glob may match a valid name in *zone* (canonical). Only absolute names end in a dot."""
    if not has_wildcards(glob.name):
        return _owner(glob.name, zone) is not None
    if not may_be_name(glob.name) or not glob.name.endswith("."):
        return may_be_name(glob.name)
    end = glob.name[_last_wildcard(glob.name) + 1 :]
    names = zone, with_u_labels(zone)
    return any(end.endswith(f".{name}") or f".{name}".endswith(end) for name in names)


def _last_wildcard(name: str) -> int:
    """Return the position of the last character that belongs to a wildcard; -1 if there is none."""
    return max(name.rfind(character) for character in "*?]")


def unmatched(globs: Sequence[Glob], sets: Sequence[RecordSet], zone: str) -> set[int]:
    """The indexes of globs that match no set."""
    return {
        at for at, glob in enumerate(globs) if not any(matches([glob], one, zone) for one in sets)
    }


def matches(globs: Sequence[Glob], one: RecordSet, zone: str) -> bool:
    if not globs:
        return False
    types = {one.type, one.shown_type or one.type}
    of_type = [glob for glob in globs if any(matches_glob(rdtype, glob.type) for rdtype in types)]
    names = spellings(one.name, zone) if of_type else ()
    return any(
        (matches_name(glob.name, names) or _owner(glob.name, zone) == one.name)
        and (glob.value == ANY or _matches_one(glob.value, one, zone))
        for glob in of_type
    )


def matches_value(glob: str, rdtype: str, text: str) -> bool:
    if is_text(rdtype):
        return matches_glob(text_in(text), glob)
    # A host matches as people write it, too.
    return any(
        matches_glob(spelling, glob.lower())
        for spelling in (text.lower(), text.lower().removesuffix("."))
    )


def _matches_one(glob: str, one: RecordSet, zone: str) -> bool:
    texts = [*one.values, *(text for _value, text in one.spelled)]
    same = None if is_text(one.type) or WILDCARD.search(glob) else as_read(one.type, glob, zone)
    return same in one.values or any(matches_value(glob, one.type, text) for text in texts)


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
    clauses = [
        f"{option}[{index}] ({_in_words(options[option][index])})"
        for option, places in sorted(unmatched.items())
        for index in sorted(places)
    ]
    if clauses:
        verb, them = ("matches", "is it") if len(clauses) == 1 else ("match", "are they")
        yield f"{some_clauses(clauses)} {verb} nothing in {where}: {them} spelled correctly?"


def _in_words(item: Mapping[str, Any] | str) -> str:
    if isinstance(item, str):
        return quoted(item)
    parts = [f"{part} {value!r}" for part, value in item.items() if value not in (None, "*")]
    return printable_part(", ".join(parts))
