# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Edits one record of a zone file: its owner name, TTL or value. Everything else stays.

Columns of blanks stay aligned where there is room.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .file_text import FileRecord
from .logical_lines import Word, record_words
from .zone_text import written_value

_IN_LINES = re.compile(r"[()\r\n]")


def edited(text: str, new: Mapping[Word, str]) -> str:
    """Replace words of a record. A word that becomes empty goes with the blanks before it.

    The word after a replaced one keeps its column if several blanks precede it and there is room. Before the value, a
    single blank is enough where other words have columns.
    """
    words = record_words(text)
    end_of_columns = (words.rdata or [words.type])[0].start
    has_columns = "  " in text[:end_of_columns].strip()
    pieces: list[str] = []
    at = 0
    for word in sorted(new, key=lambda word: word.start):
        written = new[word]
        between = text[at : word.start]
        at = word.end
        if not written:
            pieces.append(between.rstrip(" \t"))
            continue
        gap = _blanks_at(text, word.end)
        keeps_column = gap > 1 or (gap == 1 and has_columns and word.end < end_of_columns)
        if keeps_column:
            width = len(word.text) + gap - 1
            written = f"{written:<{width}} "
            at += gap
        pieces += [between, written]
    pieces.append(text[at:])
    return "".join(pieces)


def _blanks_at(text: str, start: int) -> int:
    """Count the blanks that begin at *start*."""
    end = start
    while text.startswith(" ", end):
        end += 1
    return end - start


def with_owner(text: str, owner: str) -> str:
    """Give a record that starts with blanks its own owner name."""
    rest = text.lstrip(" \t")
    blanks = text[: len(text) - len(rest)]
    if "\t" in blanks:
        return owner + blanks + rest
    width = len(blanks) - 1
    return f"{owner:<{width}} {rest}"


def with_ttl(text: str, ttl: int) -> str:
    """Set the TTL (seconds) of a record or ``$GENERATE`` line."""
    words = record_words(text)
    if words.ttl:
        return edited(text, {words.ttl: str(ttl)})
    first = next(word for word in words.head if word != words.owner)
    before, after = text[: first.start], text[first.start :]
    blank = "\t" if before.endswith("\t") else " "
    new = f"{ttl}{blank}"
    has_room = before.endswith(" " * (len(new) + 1))
    if has_room:
        before = before[: -len(new)]
    return before + new + after


def with_value(text: str, record: FileRecord, value: str) -> str:
    """Give a *record* another canonical *value*. Parentheses stay, with the comments in them."""
    first, *others = record_words(text).rdata
    end = [first, *others][-1].end
    before = text[first.start : end]
    written = value_like(before, record, value)
    if _IN_LINES.search(before):
        return edited(text, {first: written, **dict.fromkeys(others, "")})
    return edited(text, {Word(before, first.start, end): written})


def value_like(before: str, record: FileRecord, value: str) -> str:
    """Return a canonical *value* as written in a file, with a whole host if the value *before* ends in one."""
    origin = record.origin
    if before.endswith("."):
        origin = "."
    return written_value(record.key.type, value, origin)


def new_record(model: str, owner: str, ttl: int | None, rdtype: str, value: str) -> str:
    """Return the lines of a new record in the columns of *model*, without the last line end.

    The *value* is as in a file. Without an *owner* or a *ttl* (seconds), the record inherits it.
    """
    words = record_words(model)
    first = words.rdata[0]
    new = {words.type: rdtype, first: value}
    if words.owner:
        new[words.owner] = owner
    text = edited(model[: first.end], new)
    if ttl is not None:
        text = with_ttl(text, ttl)
    if owner and not words.owner:
        text = with_owner(text, owner)
    return text
