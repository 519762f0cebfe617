# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone file on the way to another text: its lines, which of them go and what comes below them.

A line without an owner name or a TTL has that of a line before. So a line that stays is told to say itself what the
lines before no longer say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.collected import FileRecord
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.entries import (
    Entry,
    entries_of,
    line_end_of,
    lines_of,
    record_words,
    seconds_in,
    words_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import BYTE_ORDER_MARK, Where
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.record_edits import (
    ttl_like,
    with_generated_ttl,
    with_owner,
    with_ttl,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import relative_to, written_value


@dataclass(eq=False)
class Line:
    """An entry of a file, which may have several lines, with its number and its records.

    *record* is the one that can be edited, and *ttl* what it has once edited; what ``$GENERATE`` makes is none.
    *default_ttl* is that of a record without one, where it is not that of the record before. *below* is new.
    """

    text: str
    number: int = 0
    records: Sequence[FileRecord] = ()
    record: FileRecord | None = None
    ttl: int = 0
    default_ttl: int | None = None
    is_gone: bool = False
    below: list[Line] = field(default_factory=list)

    @property
    def keys(self) -> set[Key]:
        """The sets that it has records of."""
        return {record.key for record in self.records}

    @property
    def writes_whole_hosts(self) -> bool | None:
        """Whether it has a host below its origin with all its labels; None where it has no host that is."""
        record = self.record
        if not record or written_value(record.type, record.value, record.origin) == record.value:
            return None
        return any(word.text.endswith(".") for word in record_words(self.text).rdata)

    def is_directive(self, name: str = "$") -> bool:
        """Whether it is a directive, of any *name* or of this one, such as ``$TTL``."""
        return self.text.upper().startswith(name)

    def say_ttl(self, ttl: int) -> None:
        """Have it say a TTL (seconds)."""
        self.text, self.ttl = with_ttl(self.text, ttl), ttl


class Part:
    """A text, with its records, which stand by the lines at which they begin; errors call it *place*."""

    def __init__(self, place: str, text: str, records: Mapping[Where, Sequence[FileRecord]]):
        self.place = place
        self.line_end = line_end_of(text)
        self._mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        self._ends_its_last_line = text.endswith(("\n", "\r"))
        self.lines = [
            _line(entry, records.get(Where(place, entry.line), ())) for entry in entries_of(text[len(self._mark) :])
        ]

    @property
    def present(self) -> Iterator[Line]:
        """The lines as they are by now."""
        for line in self.lines:
            if not line.is_gone:
                yield line
            yield from line.below

    @cached_property
    def writes_whole_hosts(self) -> bool:
        """Whether its first host that is below an origin has all its labels."""
        found = (line.writes_whole_hosts for line in self.lines)
        return next((is_whole for is_whole in found if is_whole is not None), False)

    @property
    def numbered(self) -> dict[int, Line]:
        """The lines as they are by now, by their numbers."""
        found, number = dict[int, Line](), 1
        for line in self.present:
            found[number] = line
            number += len(lines_of(line.text))
        return found

    @property
    def text(self) -> str:
        """The text as it is by now."""
        texts = [line.text for line in self.present]
        ended = [text if text.endswith(("\n", "\r")) else text + self.line_end for text in texts]
        whole = self._mark + "".join(ended)
        has_unended = bool(texts) and (self.lines[-1].below or not texts[-1].endswith(("\n", "\r")))
        return whole.removesuffix(self.line_end) if has_unended and not self._ends_its_last_line else whole

    def comments_above(self, at: int) -> list[Line]:
        """The lines with comments alone between the one at this place and what stands above them."""
        upwards = (self.lines[above] for above in range(at - 1, -1, -1))
        above = takewhile(lambda line: line.text.lstrip(" \t").startswith(";"), upwards)
        return [*above][::-1]

    def change_default_ttls(self, wanted: Mapping[Key, RecordSet]) -> None:
        """Where all sets with the TTL of a ``$TTL`` are wanted with one other, change that in place of their lines."""
        for start, line in enumerate(self.lines):
            words = words_of(line.text) if line.is_directive("$TTL") else []
            if len(words) != 2 or (ttl := seconds_in(words[1].text)) is None:
                continue
            region = [*takewhile(lambda other: not other.is_directive("$TTL"), self.lines[start + 1 :])]
            dependent = [other for other in region if _has_ttl_of_default(other, ttl)]
            keys = {key for other in dependent for key in other.keys if key in wanted}
            ttls = {wanted[key].ttl for key in keys}
            # What is included has it too.
            if len(keys) < 2 or len(ttls) > 1 or ttl in ttls or any(map(_includes, region)):
                continue
            (new,) = ttls
            line.text = line.text[: words[1].start] + ttl_like(words[1].text, new) + line.text[words[1].end :]
            for other in region:
                other.default_ttl = None if other.default_ttl is None else new
            for other in dependent:
                other.ttl = new

    def keep_what_lines_inherit(self, zone: str) -> None:
        """Have lines say an owner name or a TTL that the lines before no longer give them."""
        owner, ttl, is_as_it_was = zone, None, True
        for line in self._all():
            if line.is_gone:
                is_as_it_was = False
            elif line.record:
                record = line.record
                if not is_as_it_was:
                    words = record_words(line.text)
                    if not words.owner and owner != record.owner:
                        line.text = with_owner(line.text, relative_to(record.owner, record.origin) or record.owner)
                    if not words.ttl and line.default_ttl is None and ttl != line.ttl:
                        line.say_ttl(line.ttl)
                    is_as_it_was = bool(words.owner and (words.ttl or line.default_ttl is not None))
                is_as_it_was = is_as_it_was and bool(line.number) and line.ttl == record.ttl
                owner, ttl = record.owner, record.counts if line.ttl == record.ttl else line.ttl
            elif line.records:
                if not is_as_it_was and line.default_ttl is None and ttl != line.ttl and not _generated_ttl(line):
                    line.text = with_generated_ttl(line.text, line.ttl)
                ttl = line.ttl

    def _all(self) -> Iterator[Line]:
        for line in self.lines:
            yield line
            yield from line.below


def _line(entry: Entry, records: Sequence[FileRecord]) -> Line:
    line = Line(entry.text, entry.line, records)
    if records:
        line.default_ttl, line.ttl = records[0].default_ttl, records[0].ttl
    if len(records) == 1 and not line.is_directive():
        line.record = records[0]
    return line


def _includes(line: Line) -> bool:
    return line.is_directive("$INCLUDE")


def _has_ttl_of_default(line: Line, ttl: int) -> bool:
    if line.record:
        return line.record.ttl == line.record.counts == ttl and not record_words(line.text).ttl
    return bool(line.records) and line.ttl == ttl and not _generated_ttl(line)


def _generated_ttl(line: Line) -> bool:
    """Whether a line with ``$GENERATE`` says a TTL: behind range and owner, before its class or behind that."""
    return any(seconds_in(word.text) is not None for word in words_of(line.text)[3:5])
