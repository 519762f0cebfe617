# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes a zone into existing zone files, keeping unchanged lines, comments and order.

Changed values are edited in place. New ones go below their set or the name before it; removed ones go with the comment
on their line. Lines that thereby lose an inherited owner name or TTL get their own. Nothing is written unless the files
then read back as the zone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .._dns.printable import some_clauses, some_names, values_and_ttl
from .._dns.rdata import is_opaque
from .._dns.record_set import Key, RecordSet
from .file_text import BYTE_ORDER_MARK, FileRecord, InvalidZoneFile, Source, Where
from .included import Included
from .logical_lines import LINE_END, line_end_of, logical_lines, record_words
from .record_edits import new_record, value_like, with_owner, with_ttl, with_value
from .zone_file import ParsedZone, read_zone_parts
from .zone_text import (
    in_lines,
    natural,
    order_of,
    pretty_text,
    relative_to,
    validated_sets,
)

ROUNDS = 9
"""Most read-backs: giving one line an owner name or TTL can take it from another."""


def written_over(
    texts: Mapping[str, str],
    zone: str,
    records: Iterable[Mapping[str, Any]],
    *,
    included: Included | None = None,
) -> dict[str, str]:
    """Return the edited parts of a zone's file, by name.

    *records* and *zone* are as in ``write_zone_file``. New sets go to the part of the name before them. If there are no
    records, the first part gets the zone in the style of ``pretty_zone_file``. *included* has the files that the
    parts may include.

    SOA, apex NS and signing records stay. Raises InvalidZoneFile, also for changes to sets from ``$GENERATE`` or an
    included file.
    """
    whole = validated_sets(records, zone)
    desired = {}
    for key, one in whole.items():
        if one.values and not key.is_made_by_service(zone):
            desired[key] = one

    def read(parts: Mapping[str, str]) -> ParsedZone:
        return read_zone_parts(
            [Source(*part) for part in parts.items()],
            zone,
            place=next(iter(texts), ""),
            included=replace(included) if included else None,
            is_lenient=True,  # most of it came from the zone; the rest is removed
        )

    parsed = read(texts)
    differing = _differing(parsed, desired)
    if not differing:
        return dict(texts)
    edit = _Edit(zone, texts, parsed)
    edit.change(desired, differing)
    if edit.without_neighbour:
        owned = [one for key, one in whole.items() if key not in desired]
        edit.append(pretty_text([*owned, *edit.without_neighbour], zone))
    return edit.settled(read, desired)


def _differing(parsed: ParsedZone, desired: Mapping[Key, RecordSet]) -> set[Key]:
    """Return the sets that the files hold otherwise than *desired*."""
    held = {key: (one.ttl, set(one.values)) for key, one in parsed.sets.items()}
    wanted = {key: (one.ttl, set(one.values)) for key, one in desired.items()}
    return {key for key in held.keys() | wanted.keys() if held.get(key) != wanted.get(key)}


@dataclass(eq=False)
class _Line:
    """A logical line with records, what is between two such lines, or a new line. *ttl* is what its records should have."""

    part: _Part
    text: str
    records: Sequence[FileRecord] = ()
    ttl: int = 0
    is_gone: bool = False
    below: list[_Line] = field(default_factory=list)

    @property
    def record(self) -> FileRecord | None:
        """The editable record; None for ``$GENERATE``."""
        if not self.records or self.records[0].is_generated:
            return None
        return self.records[0]

    def say_ttl(self, ttl: int) -> None:
        self.text = with_ttl(self.text, ttl)
        self.ttl = ttl


class _Part:
    def __init__(self, place: str, text: str, records: Mapping[Where, Sequence[FileRecord]]):
        self.place = place
        self.line_end = line_end_of(text)
        self.lines: list[_Line] = []
        text = text.removeprefix(BYTE_ORDER_MARK)
        if text and not text.endswith(("\n", "\r")):
            text += self.line_end
        other = ""
        for line in logical_lines(text):
            of_line = records.get(Where(place, line.number))
            if of_line:
                self.append(other)
                self.lines.append(_Line(self, line.text, of_line, of_line[0].ttl))
                other = ""
            else:
                other += line.text
        self.append(other)

    def append(self, text: str) -> None:
        """Add text without records."""
        if text:
            self.lines.append(_Line(self, text))

    @property
    def present(self) -> Iterator[_Line]:
        for line in self.lines:
            for one in (line, *line.below):
                if not one.is_gone:
                    yield one

    @property
    def text(self) -> str:
        return "".join(line.text for line in self.present)


class _Edit:
    def __init__(self, zone: str, texts: Mapping[str, str], parsed: ParsedZone):
        self.without_neighbour: list[RecordSet] = []
        """New sets without a neighbour."""
        self._zone = zone
        self._fixed: dict[Key, list[FileRecord]] = defaultdict(list)
        """Records that cannot be edited."""
        at: dict[Where, list[FileRecord]] = defaultdict(list)
        for record in parsed.records:
            at[record.where].append(record)
            if record.is_generated or record.place not in texts:
                self._fixed[record.key].append(record)
        self._parts = [_Part(place, text, at) for place, text in texts.items()]
        self._at_name: dict[str, list[_Line]] = defaultdict(list)
        for part in self._parts:
            for line in part.lines:
                for record in line.records:
                    self._at_name[record.key.name].append(line)
        self._names = sorted((order_of(Key(name, ""), zone), name) for name in self._at_name)

    def change(self, desired: Mapping[Key, RecordSet], keys: Iterable[Key]) -> None:
        """Change the sets *keys* to *desired*. Raises InvalidZoneFile."""
        refused: dict[str, None] = {}
        for key in self._in_order(keys):
            one = desired.get(key)
            refused.update(dict.fromkeys(self._reasons_against(key, one)))
            self._change(key, one)
        if refused:
            raise InvalidZoneFile(some_clauses([*refused]))

    def _in_order(self, keys: Iterable[Key]) -> list[Key]:
        return sorted(keys, key=lambda key: order_of(key, self._zone))

    def append(self, text: str) -> None:
        part = self._parts[0]
        if part.text.strip():
            text = f"\n{text}"
        part.append(text.replace("\n", part.line_end))

    def settled(
        self, read: Callable[[Mapping[str, str]], ParsedZone], desired: Mapping[Key, RecordSet]
    ) -> dict[str, str]:
        """Return the parts' texts once they hold *desired*. Raises InvalidZoneFile."""
        for _round in range(ROUNDS):
            texts = {part.place: part.text for part in self._parts}
            parsed = read(texts)
            found = {record.where: record for record in reversed(parsed.records)}
            is_changed = [self._say_what_is_meant(part, found) for part in self._parts]
            if not any(is_changed):
                break
        differing = _differing(parsed, desired)
        if not differing:
            return texts
        sets = some_names([str(key) for key in self._in_order(differing)])
        raise InvalidZoneFile(
            f"{some_names([*texts])} cannot be edited in place to match {sets}: edit it by hand"
        )

    def _say_what_is_meant(self, part: _Part, found: Mapping[Where, FileRecord]) -> bool:
        """State owner name or TTL in lines that no longer inherit it; return whether any changed.

        In a row of such lines, only the first is changed, since the others may inherit from it.
        """
        is_changed = False
        was_as_meant = True
        number = 1
        for line in part.present:
            record = found.get(Where(part.place, number))
            number += len(LINE_END.findall(line.text))
            if not record or not line.records:
                continue
            meant = line.record or record  # $GENERATE inherits no name
            has_name = record.key.name == meant.key.name
            has_ttl = record.ttl == line.ttl
            is_as_meant = has_name and has_ttl
            if was_as_meant and not is_as_meant:
                is_changed = True
                if not has_name:
                    line.text = with_owner(line.text, relative_to(meant.key.name, meant.origin))
                if not has_ttl:
                    line.say_ttl(line.ttl)
            was_as_meant = is_as_meant
        return is_changed

    def _of(self, key: Key) -> list[tuple[_Line, FileRecord]]:
        """Return the lines of a set that can be edited, with their records."""
        found = []
        for line in self._at_name.get(key.name, []):
            record = line.record
            if record and record.key == key:
                found.append((line, record))
        return found

    def _change(self, key: Key, desired: RecordSet | None) -> None:
        lines = self._of(key)
        values = _values_of(desired)
        held = dict.fromkeys(record.value for _line, record in lines)
        fixed = {record.value for record in self._fixed[key]}
        missing = sorted(values - held.keys() - fixed, key=natural)
        gone = [value for value in held if value not in values]
        pairs = dict(zip(gone, missing, strict=False))
        for line, record in lines:
            if desired and line.ttl != desired.ttl:
                line.say_ttl(desired.ttl)
            if record.value in pairs:
                line.text = with_value(line.text, record, pairs.pop(record.value))
            elif record.value not in values:
                line.is_gone = True
        if desired:
            self._add(key, missing[len(gone) :], desired.ttl)

    def _reasons_against(self, key: Key, desired: RecordSet | None) -> Iterator[str]:
        """Name the records that would have to change but cannot be edited in place."""
        values = _values_of(desired)
        holds = "has no such set"
        if desired:
            holds = f"holds {values_and_ttl(desired.values, desired.ttl)}"
        for record in self._fixed[key]:
            if desired and desired.ttl == record.ttl and record.value in values:
                continue
            whence = "makes it with $GENERATE" if record.is_generated else "is in an included file"
            yield (
                f"{key} cannot be edited in place, because {record.where} {whence}: the zone "
                f"{holds}, so edit that line by hand"
            )

    def _add(self, key: Key, values: Sequence[str], ttl: int) -> None:
        if not values:
            return
        present = [line for line, _record in self._of(key) if not line.is_gone]
        line = self._nearest(key)
        if present:
            line = present[-1]
        if line:
            line.below += [_new_line(line, key, value, ttl) for value in values]
        else:
            self.without_neighbour.append(RecordSet(*key, ttl, tuple(values)))

    def _nearest(self, key: Key) -> _Line | None:
        """Return the line below which a new set goes, if any: the last one at its own name, or at the one before it."""
        if not self._names:
            return None
        at = bisect_right(self._names, (order_of(Key(key.name, ""), self._zone), key.name))
        _order, before = self._names[max(at - 1, 0)]
        return self._at_name[before][-1]


def _values_of(desired: RecordSet | None) -> set[str]:
    if not desired:
        return set()
    return set(desired.values)


def _new_line(above: _Line, key: Key, value: str, ttl: int) -> _Line:
    """Return a line for a canonical *value*: in the columns of that above, or in full if that cannot be."""
    part = above.part
    neighbour = above.records[0]
    origin, default_ttl = neighbour.origin, neighbour.default_ttl
    owner = relative_to(key.name, origin)
    record = FileRecord(part.place, 0, key, value, ttl, origin, default_ttl, is_generated=False)
    words = record_words(above.text)
    written = in_lines(key.type, value_like(above.text.rstrip(), record, value))
    has_columns = above.record and words.rdata and "(" not in above.text[: words.rdata[0].start]
    if has_columns and not is_opaque(key.type, value):
        if key.name == neighbour.key.name and not words.owner:
            owner = ""
        own_ttl = None
        if words.ttl or ttl != default_ttl:
            own_ttl = ttl
        text = new_record(above.text, owner, own_ttl, key.type, written)
    else:
        text = f"{owner} {ttl} IN {key.type} {written}"
    text = text.replace("\n", part.line_end) + part.line_end
    return _Line(part, text, (record,), ttl)
