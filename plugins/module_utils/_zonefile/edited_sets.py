# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sets of a zone in its files, edited: which lines change, which go, and what comes below which of them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable_part,
    some_clauses,
    values_and_ttl,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_opaque
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.collected import FileRecord
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.entries import record_words, seconds_in
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_parts import Line, Part
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import InvalidZoneFile, Where
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.record_edits import new_record, with_value
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import (
    labels_of,
    natural,
    order_of,
    relative_to,
    written_value,
)

MOST_COMPARED = 400
"""Pairs of values of which the most alike are found; of more, they are paired in their order."""

_COMPARED = 200
"""Characters of a value that are compared with those of another one."""

_NEAR = 20
"""Lines on each side of which one shows how a new one is to look."""

Held = Mapping[Key, tuple[int, frozenset[str]]]
"""TTL and values of each set of the files."""


class _Place(NamedTuple):
    part: Part
    at: int
    record: FileRecord

    @property
    def line(self) -> Line:
        return self.part.lines[self.at]


class EditedSets:
    """The *parts* of a zone's file with their *records*, also of what they include."""

    def __init__(self, zone: str, parts: Sequence[Part], records: Iterable[FileRecord]):
        self.told: list[str] = []
        """What people are to be told."""
        self._zone = zone
        self._parts = parts
        self._refused: list[str] = []
        self._at_name: dict[str, list[_Place]] = defaultdict(list)
        for part in parts:
            for at, line in enumerate(part.lines):
                for record in line.records:
                    self._at_name[record.owner].append(_Place(part, at, record))
        self._names = sorted((self._order(name), name) for name in self._at_name)
        names = {part.place for part in parts}
        self._included: dict[Key, list[FileRecord]] = defaultdict(list)
        for record in records:
            if record.where.place not in names:
                self._included[record.key].append(record)

    def _of(self, key: Key) -> list[_Place]:
        return [place for place in self._at_name.get(key.name, []) if place.record.key == key]

    def change(self, held: Held, wanted: Mapping[Key, RecordSet], keys: Iterable[Key]) -> None:
        """Change these sets to what is *wanted*. Raises InvalidZoneFile for all that has no line of its own."""
        for key in sorted(keys, key=lambda key: order_of(key, self._zone)):
            self._change(key, held[key][0] if key in held else None, wanted.get(key))
        if self._refused:
            raise InvalidZoneFile(some_clauses([*dict.fromkeys(self._refused)]))

    def _change(self, key: Key, ttl: int | None, wanted: RecordSet | None) -> None:
        self._refuse_what_has_no_line(key, ttl, wanted)
        places = [place for place in self._of(key) if place.line.record]
        held = {record.value for record in [*self._included[key], *(place.record for place in self._of(key))]}
        values = wanted.values if wanted else ()
        missing = sorted(set(values) - held, key=natural)
        gone = dict.fromkeys(place.record.value for place in places if place.record.value not in values)
        pairs = _paired([*gone], missing)
        rest = [value for value in missing if value not in pairs.values()]
        for place in places:
            line, value = place.line, place.record.value
            if value in pairs:
                line.text = with_value(line.text, place.record, pairs.pop(value))
            elif value in gone:
                line.is_gone = True
            if wanted and wanted.ttl != ttl and line.ttl != wanted.ttl and not line.is_gone:
                line.say_ttl(wanted.ttl)
        if wanted and rest:
            self._add(key, rest, wanted.ttl)
        if not wanted and places:
            self._tell_of_comments(key, places[0])

    def _order(self, name: str) -> Any:
        return order_of(Key(name, ""), self._zone)

    def _nearest(self, key: Key) -> _Place | None:
        """The place below which a new set goes; None where there is no set at all.

        At its own name that is the last of those that come before it, and else of all. Of other names that counts which
        ends as it does in the most labels, and of two the one before it.
        """
        if at_name := self._at_name.get(key.name):
            order = order_of(key, self._zone)
            before = [place for place in at_name if order_of(place.record.key, self._zone) <= order]
            return (before or at_name)[-1]
        at = bisect_right(self._names, (self._order(key.name), key.name))
        names = [name for _order, name in self._names[max(at - 1, 0) : at + 1]]
        return self._at_name[max(names, key=partial(_shared, key.name))][-1] if names else None

    def _refuse_what_has_no_line(self, key: Key, ttl: int | None, wanted: RecordSet | None) -> None:
        generated = [place for place in self._of(key) if not place.line.record]
        fixed = [(place.record, place.line.ttl) for place in generated]
        fixed += [(record, record.ttl) for record in self._included[key]]
        for record, line_ttl in fixed:
            if wanted and record.value in wanted.values and wanted.ttl in (ttl, line_ttl):
                continue
            holds = f"holds {values_and_ttl(wanted.values, wanted.ttl)}" if wanted else "has no such set"
            whence = "makes it with $GENERATE" if record.is_generated else "is of an included file"
            self._refused.append(
                f"{printable_part(' '.join(key))} cannot be edited in place, {record.where} {whence}, and the zone "
                f"{holds}: edit that by hand"
            )

    def _tell_of_comments(self, key: Key, first: _Place) -> None:
        comments = first.part.comments_above(first.at)
        if comments:
            where = Where(first.part.place, comments[0].number)
            what = "a comment" if len(comments) == 1 else f"the first of {len(comments)} comments"
            self.told.append(
                f"{where} is {what} above what is gone, {printable_part(' '.join(key))}, and stays: "
                f"{printable_part(comments[0].text.strip())}"
            )

    def _add(self, key: Key, values: Sequence[str], ttl: int) -> None:
        present = [place for place in self._of(key) if not place.line.is_gone]
        place = present[-1] if present else self._nearest(key)
        if not place:
            self._append(key, values, ttl)
            return
        for value in values:
            place.line.below.append(_new_line(key, value, ttl, place))

    def _append(self, key: Key, values: Sequence[str], ttl: int) -> None:
        """Put records behind all that is there, where nothing shows below which name that is."""
        part = next(part for part in self._parts if part.lines)
        for value in values:
            text = new_record(None, key.name, ttl, key.type, written_value(key.type, value, None))
            part.lines[-1].below.append(_line_of(text, part, key, value, ttl, ".", None))


def _shared(name: str, other: str) -> int:
    """How many labels another name has at its end of those above a *name*."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(labels_of(name)[:-1], labels_of(other), strict=False))])


def _new_line(key: Key, value: str, ttl: int, place: _Place) -> Line:
    origin, default_ttl = place.record.origin, place.line.default_ttl
    of_same_set = bool(place.line.record) and key == place.record.key
    is_inherited = ttl == (place.line.ttl if default_ttl is None else default_ttl)
    model = _model(place, of_same_set=of_same_set, has_ttl=not is_inherited)
    says_ttl = not is_inherited or is_opaque(key.type, value)
    if model and (word := record_words(model).ttl):
        # Where all lines say it, a new one does.
        says_ttl = says_ttl or of_same_set or default_ttl is None or seconds_in(word.text) == default_ttl
    written = written_value(key.type, value, None if _writes_whole_hosts(place, of_same_set=of_same_set) else origin)
    text = new_record(model, _new_owner(key, value, place), ttl if says_ttl else None, key.type, written)
    return _line_of(text, place.part, key, value, ttl, origin, default_ttl)


def _new_owner(key: Key, value: str, place: _Place) -> str:
    """The owner name as a new line below a place has it: as the line above, and none where that has none."""
    if place.record.owner == key.name and place.line.record and not is_opaque(key.type, value):
        if word := record_words(place.line.text).owner:
            return word.text
        if all(line.record and line.record.owner == key.name for line in place.line.below):
            return ""
    return relative_to(key.name, place.record.origin) or key.name


def _line_of(text: str, part: Part, key: Key, value: str, ttl: int, origin: str, default_ttl: int | None) -> Line:
    """A new line of a part, and what it says."""
    record = FileRecord(Where(part.place, 0), *key, value, ttl, ttl, origin, default_ttl, is_generated=False)
    return Line(text.replace("\n", part.line_end) + part.line_end, 0, (record,), record, ttl, default_ttl)


def _model(place: _Place, *, of_same_set: bool, has_ttl: bool) -> str | None:
    """The record whose columns a new one has: that above it, or one near it that shows where a TTL stands."""
    lines = place.part.lines
    around = sorted(
        range(max(0, place.at - _NEAR), min(len(lines), place.at + _NEAR)), key=lambda at: abs(at - place.at)
    )
    near = [lines[at].text for at in around if lines[at].record]
    nearest = next(iter(near), None)
    if of_same_set or not has_ttl:
        return nearest
    return next((text for text in near if record_words(text).ttl), nearest)


def _writes_whole_hosts(place: _Place, *, of_same_set: bool) -> bool:
    """Whether hosts are written with all their labels: as in the line above, or as the file does."""
    is_whole = place.line.writes_whole_hosts if of_same_set else None
    return place.part.writes_whole_hosts if is_whole is None else is_whole


def _likeness(one: str, other: str) -> float:
    """How much of two values is alike at their beginnings, from 0 to 1: to compare long ones takes long."""
    return SequenceMatcher(None, one[:_COMPARED], other[:_COMPARED], autojunk=False).ratio()


def _paired(gone: Sequence[str], missing: Sequence[str]) -> dict[str, str]:
    """Which missing value takes the place of which that is gone: the most alike first."""
    if len(gone) * len(missing) > MOST_COMPARED:
        return dict(zip(gone, missing, strict=False))
    ratios = sorted((-_likeness(old, new), at, to) for at, old in enumerate(gone) for to, new in enumerate(missing))
    pairs: dict[str, str] = {}
    taken: set[int] = set()
    for _ratio, at, to in ratios:
        if gone[at] not in pairs and to not in taken:
            pairs[gone[at]] = missing[to]
            taken.add(to)
    return pairs
