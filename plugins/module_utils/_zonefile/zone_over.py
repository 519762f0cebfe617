# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone written into zone files that are there: what is as it was stays to the byte, comments and order with it.

A changed value is changed in its line, a new one goes below its set or its nearest neighbour, and one that is gone goes
with the comment behind it. What is written is read again: it is the zone, or nothing is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part, some_names
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.collected import FileRecord
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.edited_sets import EditedSets
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.entries import line_end_of
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_parts import Part
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    BYTE_ORDER_MARK,
    InvalidZoneFile,
    Source,
    Where,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import File, Included
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import read_zone_parts
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import (
    given_sets,
    is_for_files,
    order_of,
    pretty_zone_file,
    whole_sets,
)

ROUNDS = 5
"""How often lines are told to say a TTL that those before them no longer give."""


def written_over(
    text: str,
    zone: str,
    records: Iterable[Mapping[str, Any]],
    *,
    place: str = "the zone file",
    default_ttl: int | None = None,
) -> tuple[str, list[str]]:
    """A *text* with these record sets in place of those that it has, and what people are to be told of it.

    As ``parts_written_over`` of a single part, which an error calls *place*.
    """
    texts, told = parts_written_over({place: text}, zone, records, default_ttl=default_ttl)
    return texts[place], told


def parts_written_over(
    texts: Mapping[str, str],
    zone: str,
    records: Iterable[Mapping[str, Any]],
    *,
    included: Mapping[str, File] | None = None,
    folder: str = "",
    default_ttl: int | None = None,
) -> tuple[dict[str, str], list[str]]:
    """The parts of a zone's file, by what errors call them, with these record sets; and what people are to be told.

    *records* and *zone* are those of ``write_zone_file``. A set stays in its part, and a new one goes to the part of
    its nearest neighbour. *included* has what ``$INCLUDE`` may lead to in *folder*, as ``Included`` has it, and
    *default_ttl* (seconds) is as a ``$TTL`` before the first line of each part.

    SOA, NS at the apex, and what signs the zone stay as they are. Where nothing but comments is there, the zone comes
    below them as ``pretty_zone_file`` writes it. Raises InvalidZoneFile, also where a set would have to change that
    ``$GENERATE`` makes or an included file has.
    """
    records = list(records)
    wanted = {key: one for key, one in whole_sets(given_sets(records, zone)).items() if is_for_files(one, zone)}
    read = partial(_read, zone, folder, included, default_ttl)
    reading = read(texts)
    differing = reading.differing(wanted)
    if not differing:
        return dict(texts), []
    at = defaultdict[Where, list[FileRecord]](list)
    for record in reading.records:
        at[record.where].append(record)
    parts = [Part(place, text, at) for place, text in texts.items()]
    if not any(line.text.split(";")[0].strip(f" \t\r\n{BYTE_ORDER_MARK}") for part in parts for line in part.lines):
        return _below_comments(texts, pretty_zone_file(records, zone)), []
    edited = EditedSets(zone, parts, reading.records)
    for part in parts:
        part.change_default_ttls(wanted)
    edited.change(reading.sets, wanted, differing)
    for part in parts:
        part.keep_what_lines_inherit(zone)
    for _round in range(ROUNDS):
        written = {part.place: part.text for part in parts}
        again = read(written)
        differing = again.differing(wanted)
        if not differing:
            return written, edited.told
        if not _say_ttls(parts, again.records, differing, wanted):
            break
    keys = sorted(differing, key=lambda key: order_of(key, zone))
    sets = some_names([printable_part(" ".join(key)) for key in keys])
    raise InvalidZoneFile(f"{some_names([*texts])} cannot be edited in place to hold what the zone does of {sets}")


class _Reading(NamedTuple):
    """What files hold: TTL and values of each set, and each record."""

    sets: dict[Key, tuple[int, frozenset[str]]]
    records: list[FileRecord]

    def differing(self, wanted: Mapping[Key, RecordSet]) -> set[Key]:
        """The sets that are not as they are wanted."""
        wishes = {key: (one.ttl, frozenset(one.values)) for key, one in wanted.items()}
        return {key for key in {**self.sets, **wishes} if self.sets.get(key) != wishes.get(key)}


def _read(
    zone: str, folder: str, included: Mapping[str, File] | None, default_ttl: int | None, texts: Mapping[str, str]
) -> _Reading:
    """What the files of a zone hold that have these texts, by what errors call them. Raises InvalidZoneFile."""
    records: list[FileRecord] = []
    entries = read_zone_parts(
        [Source(*part) for part in texts.items()],
        zone,
        place=folder or next(iter(texts), ""),
        included=None if included is None else Included(zone, folder, included),
        default_ttl=default_ttl,
        records=records,
        is_held=True,  # most of it was written from the zone, and what the zone does not hold goes
    )
    sets = {Key(one["name"], one["type"]): (one["ttl"], frozenset(one["content"])) for one in entries}
    return _Reading(sets, records)


def _say_ttls(
    parts: Iterable[Part], records: Iterable[FileRecord], differing: set[Key], wanted: Mapping[Key, RecordSet]
) -> bool:
    """Have records of sets that differ say the TTL that is wanted; whether there were any that did not have it."""
    lines = {Where(part.place, number): line for part in parts for number, line in part.numbered.items()}
    is_done = False
    for record in records:
        key, line = record.key, lines.get(record.where)
        if key in differing and key in wanted and line and line.record and record.ttl != wanted[key].ttl:
            line.say_ttl(wanted[key].ttl)
            is_done = True
    return is_done


def _below_comments(texts: Mapping[str, str], written: str) -> dict[str, str]:
    """Texts that have comments alone, the first with what is *written* below them."""
    (place, text), *_others = texts.items()
    end = line_end_of(text)
    above = text if not text or text.endswith(("\n", "\r", BYTE_ORDER_MARK)) else text + end
    between = end if text.strip(f"{BYTE_ORDER_MARK} \t\r\n") else ""
    return {**texts, place: above + between + written.replace("\n", end)}
