# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes a zone into existing zone files, keeping unchanged lines, comments and order.

Changed values are edited in place. New ones go below their set or nearest neighbour; removed ones go with the comment
on their line. Lines that thereby lose an inherited owner name or TTL get their own. Nothing is written unless the files
then read back as the zone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from .._dns.printable import printable_part, some_clauses, some_names, values_and_ttl
from .._dns.rdata import is_opaque
from .._dns.record_set import Key, RecordSet
from .file_text import BYTE_ORDER_MARK, FileRecord, FileSet, InvalidZoneFile, Source, Where
from .included import Included
from .logical_lines import line_end_of, logical_lines, record_words, words_of
from .record_edits import new_record, ttl_like, with_owner, with_ttl, with_value, writes_whole_hosts
from .zone_file import ParsedZone, read_zone_parts
from .zone_text import (
    in_lines,
    is_for_files,
    labels_of,
    natural,
    order_of,
    pretty_text,
    relative_to,
    validated_sets,
    whole_sets,
    written_value,
)

ROUNDS = 9
"""Most read-backs: giving one line an owner name or TTL can take it from another."""

_FEW = 20
"""Removed values among which a new one finds the most similar."""


def written_over(
    texts: Mapping[str, str],
    zone: str,
    records: Iterable[Mapping[str, Any]],
    *,
    included: Included | None = None,
) -> tuple[dict[str, str], list[str]]:
    """Return the edited parts of a zone's file, by name, and warnings.

    *records* and *zone* are as in ``write_zone_file``. New sets go to the part of their nearest neighbour. If there are
    no records, the first part gets the zone in the style of ``pretty_zone_file``. *included* has the files that the
    parts may include.

    SOA, apex NS and signing records stay. Raises InvalidZoneFile, also for changes to sets from ``$GENERATE`` or an
    included file.
    """
    whole = whole_sets(validated_sets(records, zone))
    desired = {key: one for key, one in whole.items() if is_for_files(one, zone)}

    def read(parts: Mapping[str, str], *, is_draft: bool = False) -> ParsedZone:
        return read_zone_parts(
            [Source(*part) for part in parts.items()],
            zone,
            place=next(iter(texts), ""),
            included=replace(included) if included else None,
            is_lenient=True,  # most of it came from the zone; the rest is removed
            is_draft=is_draft,
        )

    parsed = read(texts)
    if not _differing(parsed, desired):
        return dict(texts), []
    parts = _parts(texts, parsed)
    for part in parts:
        part.change_default_ttls(desired)
    draft = {part.place: part.text for part in parts}
    parsed = read(draft, is_draft=True)
    edit = _Edit(zone, _parts(draft, parsed), parsed)
    edit.change(desired, _differing(parsed, desired))
    if edit.without_neighbour:
        owned = (one for one in whole.values() if not is_for_files(one, zone))
        edit.append(pretty_text([*owned, *edit.without_neighbour], zone))
    return edit.settled(partial(read, is_draft=True), desired), edit.warnings


def _differing(parsed: ParsedZone, desired: Mapping[Key, RecordSet]) -> set[Key]:
    """Return the sets that the files hold otherwise than *desired*."""
    keys = parsed.sets.keys() | desired.keys()
    return {key for key in keys if not _is_held(parsed.sets.get(key), desired.get(key))}


def _is_held(held: FileSet | None, desired: RecordSet | None) -> bool:
    if not held or not desired:
        return False
    return held.ttl == desired.ttl and held.values.keys() == set(desired.values)


@dataclass(eq=False)
class _Line:
    """A logical line; new ones have *number* 0. *ttl* is what its records should have."""

    part: _Part
    above: _Line | None
    text: str
    number: int
    records: Sequence[FileRecord]
    ttl: int
    is_gone: bool = False
    below: list[_Line] = field(default_factory=list)

    @property
    def record(self) -> FileRecord | None:
        """The editable record; None for ``$GENERATE``."""
        if not self.records or self.records[0].is_generated:
            return None
        return self.records[0]

    def is_directive(self, name: str) -> bool:
        return self.text.upper().startswith(name)

    def say_ttl(self, ttl: int) -> None:
        self.text = with_ttl(self.text, ttl)
        self.ttl = ttl


class _Part:
    def __init__(self, place: str, text: str, records: Mapping[Where, Sequence[FileRecord]]):
        self.place = place
        self.line_end = line_end_of(text)
        self.lines: list[_Line] = []
        above = None
        for line in logical_lines(text.removeprefix(BYTE_ORDER_MARK)):
            of_line = records.get(Where(place, line.number), ())
            ttl = 0
            if of_line:
                ttl = of_line[0].ttl
            above = _Line(self, above, line.text, line.number, of_line, ttl)
            self.lines.append(above)

    @property
    def present(self) -> Iterator[_Line]:
        for line in self.lines:
            for one in (line, *line.below):
                if not one.is_gone:
                    yield one

    @property
    def text(self) -> str:
        texts = [line.text for line in self.present]
        for at, text in enumerate(texts[:-1]):
            if not text.endswith(("\n", "\r")):
                texts[at] = text + self.line_end
        return "".join(texts)

    def change_default_ttls(self, desired: Mapping[Key, RecordSet]) -> None:
        """Change a ``$TTL`` instead of the lines below it, if all sets that use it should get the same TTL."""
        for at, line in enumerate(self.lines):
            words = words_of(line.text)
            if not line.is_directive("$TTL") or len(words) != 2:
                continue
            region = self._until_next_ttl(at + 1)
            if any(other.is_directive("$INCLUDE") for other in region):
                continue  # included files inherit the TTL too
            keys = _with_default_ttl(region) & desired.keys()
            ttls = {desired[key].ttl for key in keys}
            if len(keys) > 1 and len(ttls) == 1:
                word = words[1]
                written = ttl_like(word.text, ttls.pop())
                line.text = line.text[: word.start] + written + line.text[word.end :]

    def _until_next_ttl(self, start: int) -> list[_Line]:
        region = []
        for line in self.lines[start:]:
            if line.is_directive("$TTL"):
                break
            region.append(line)
        return region


def _with_default_ttl(region: Iterable[_Line]) -> set[Key]:
    """Return the sets with a line that says no TTL and has that of ``$TTL``."""
    keys = set()
    for line in region:
        if record_words(line.text).ttl:
            continue
        for record in line.records:
            if record.ttl == record.default_ttl:
                keys.add(record.key)
    return keys


def _parts(texts: Mapping[str, str], parsed: ParsedZone) -> list[_Part]:
    at = defaultdict[Where, list[FileRecord]](list)
    for record in parsed.records:
        at[record.where].append(record)
    return [_Part(place, text, at) for place, text in texts.items()]


class _Edit:
    def __init__(self, zone: str, parts: Sequence[_Part], parsed: ParsedZone):
        self.parts = parts
        self.warnings: list[str] = []
        self.without_neighbour: list[RecordSet] = []
        """New sets without a neighbour."""
        self._zone = zone
        self._held = parsed.sets
        self._at_name: dict[str, list[_Line]] = defaultdict(list)
        for part in parts:
            for line in part.lines:
                for record in line.records:
                    self._at_name[record.key.name].append(line)
        self._names = sorted((order_of(Key(name, ""), zone), name) for name in self._at_name)
        places = {part.place for part in parts}
        self._fixed: dict[Key, list[FileRecord]] = defaultdict(list)
        """Records that cannot be edited."""
        for record in parsed.records:
            if record.is_generated or record.place not in places:
                self._fixed[record.key].append(record)

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
        part = self.parts[0]
        if part.text.strip():
            text = f"\n{text}"
        lines = text.replace("\n", part.line_end)
        part.lines.append(_Line(part, None, lines, 0, (), 0))

    def settled(
        self, read: Callable[[Mapping[str, str]], ParsedZone], desired: Mapping[Key, RecordSet]
    ) -> dict[str, str]:
        """Return the parts' texts once they hold *desired*. Raises InvalidZoneFile."""
        for _round in range(ROUNDS):
            texts = {part.place: part.text for part in self.parts}
            parsed = read(texts)
            differing = _differing(parsed, desired)
            ttls = {key: desired[key].ttl for key in differing & desired.keys()}
            is_changed = [self._say_what_is_meant(part, parsed, ttls) for part in self.parts]
            if not any(is_changed):
                break
        if not differing:
            return texts
        sets = some_names([printable_part(" ".join(key)) for key in self._in_order(differing)])
        raise InvalidZoneFile(
            f"{some_names([*texts])} cannot be edited in place to match {sets}: edit it by hand"
        )

    def _say_what_is_meant(self, part: _Part, parsed: ParsedZone, ttls: Mapping[Key, int]) -> bool:
        """State owner name or TTL in lines that no longer inherit it; return whether any changed.

        Sets in *ttls* get that TTL in all lines. In a row of such lines, only the first is changed, since the others
        may inherit from it.
        """
        found = {record.where: record for record in reversed(parsed.records)}
        is_changed = False
        was_as_meant = True
        for line, again in zip(part.present, logical_lines(part.text), strict=False):
            record = found.get(Where(part.place, again.number))
            if not record or not line.records:
                continue
            meant = line.record or record  # $GENERATE inherits no name
            ttl = line.ttl
            if line.record:
                ttl = ttls.get(meant.key, ttl)
            has_name = record.key.name == meant.key.name
            is_as_meant = has_name and record.ttl == ttl
            if was_as_meant and not is_as_meant:
                is_changed = True
                if not has_name:
                    line.text = with_owner(line.text, _owner_below(meant.key.name, meant.origin))
                if record.ttl != ttl:
                    line.say_ttl(ttl)
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
        held = dict.fromkeys(record.value for _line, record in lines)
        fixed = {record.value for record in self._fixed[key]}
        values = _values_of(desired)
        missing = sorted(values - held.keys() - fixed, key=natural)
        gone = [value for value in held if value not in values]
        pairs = _paired(gone, missing)
        paired = set(pairs.values())
        for line, record in lines:
            if desired and line.ttl != desired.ttl:
                line.say_ttl(desired.ttl)
            if record.value in pairs:
                line.text = with_value(line.text, record, pairs.pop(record.value))
            elif record.value not in values:
                line.is_gone = True
        rest = [value for value in missing if value not in paired]
        if desired and rest:
            self._add(key, rest, desired.ttl)
        if not desired and lines:
            self._warn_of_comment(key, lines[0][0])

    def _reasons_against(self, key: Key, desired: RecordSet | None) -> Iterator[str]:
        """Name the records that would have to change but cannot be edited in place."""
        held = self._held.get(key)
        values = _values_of(desired)
        holds = "has no such set"
        if desired:
            holds = f"holds {values_and_ttl(desired.values, desired.ttl)}"
        for record in self._fixed[key]:
            ttls = {record.ttl}
            if held:
                ttls.add(held.ttl)
            if desired and desired.ttl in ttls and record.value in values:
                continue
            whence = "makes it with $GENERATE" if record.is_generated else "is in an included file"
            yield (
                f"{printable_part(' '.join(key))} cannot be edited in place, because "
                f"{record.where} {whence}: the zone {holds}, so edit that line by hand"
            )

    def _warn_of_comment(self, key: Key, first: _Line) -> None:
        comment = first.above
        if comment and comment.text.lstrip(" \t").startswith(";"):
            where = Where(comment.part.place, comment.number)
            removed = printable_part(" ".join(key))
            shown = printable_part(comment.text.strip())
            self.warnings.append(
                f"{where} is a comment above the removed {removed}, and stays: {shown}"
            )

    def _add(self, key: Key, values: Sequence[str], ttl: int) -> None:
        present = [line for line, _record in self._of(key) if not line.is_gone]
        line = self._nearest(key)
        if present:
            line = present[-1]
        if line:
            style = _Style(line)
            line.below += [style.new_line(key, value, ttl) for value in values]
        else:
            self.without_neighbour.append(RecordSet(*key, ttl, tuple(values)))

    def _nearest(self, key: Key) -> _Line | None:
        """Return the line below which a new set goes, if any: the last one at its own or the neighbouring name.

        That is the neighbour that shares the most labels, in a tie the one before.
        """
        if not self._names:
            return None
        at = bisect_right(self._names, (order_of(Key(key.name, ""), self._zone), key.name))
        names = [name for _order, name in self._names[max(at - 1, 0) : at + 1]]
        nearest = max(names, key=partial(_shared, key.name))
        return self._at_name[nearest][-1]


def _values_of(desired: RecordSet | None) -> set[str]:
    if not desired:
        return set()
    return set(desired.values)


def _owner_below(name: str, origin: str) -> str:
    return relative_to(name, origin) or name


def _shared(name: str, other: str) -> int:
    """Count the labels that *other* shares with the parents of *name*."""
    parents = labels_of(name)[:-1]
    return _same_at_start(parents, labels_of(other))


def _same_at_start(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the items, or characters, with which both begin."""
    same = 0
    for some, others in zip(one, other, strict=False):
        if some != others:
            break
        same += 1
    return same


class _Style:
    """How new lines below another one are written: like that one, or in full if that cannot be."""

    def __init__(self, above: _Line):
        self._above = above
        self._neighbour = above.records[0]
        self._has_whole_hosts = self._writes_whole_hosts()

    def _writes_whole_hosts(self) -> bool:
        """Whether hosts are written in full, as in the line above, or else as the file's first host."""
        for line in (self._above, *self._above.part.lines):
            if line.record:
                is_whole = writes_whole_hosts(line.text, line.record)
                if is_whole is not None:
                    return is_whole
        return False

    def new_line(self, key: Key, value: str, ttl: int) -> _Line:
        """Return a line for a canonical *value*."""
        above, neighbour, part = self._above, self._neighbour, self._above.part
        origin, default_ttl = neighbour.origin, neighbour.default_ttl
        owner = _owner_below(key.name, origin)
        host_origin: str | None = origin
        if self._has_whole_hosts:
            host_origin = None
        written = in_lines(key.type, written_value(key.type, value, host_origin))
        words = record_words(above.text)
        is_torn = "(" in above.text[: words.type.start]
        if not above.record or is_opaque(key.type, value) or is_torn:
            text = f"{owner} {ttl} IN {key.type} {written}"
        else:
            inherited = above.ttl if default_ttl is None else default_ttl
            own_ttl = None if ttl == inherited and not words.ttl else ttl
            if key.name == neighbour.key.name:
                owner = ""
            text = new_record(above.text, owner, own_ttl, key.type, written)
        text = text.replace("\n", part.line_end) + part.line_end
        record = FileRecord(part.place, 0, key, value, ttl, origin, default_ttl, is_generated=False)
        return _Line(part, None, text, 0, (record,), ttl)


def _paired(gone: Iterable[str], missing: Iterable[str]) -> dict[str, str]:
    """Pair each new value with a removed one, the most similar of the first few."""
    left = list(gone)
    pairs: dict[str, str] = {}
    for new in missing:
        few = left[:_FEW]
        if not few:
            break
        old = max(few, key=partial(_likeness, new))
        left.remove(old)
        pairs[old] = new
    return pairs


def _likeness(one: str, other: str) -> int:
    """Count the characters that two values share at their starts and ends."""
    start = _same_at_start(one, other)
    one_from_end, other_from_end = one[start:][::-1], other[start:][::-1]
    return start + _same_at_start(one_from_end, other_from_end)
