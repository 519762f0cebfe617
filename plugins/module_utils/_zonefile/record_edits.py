# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Edits one record of a zone file: its owner name, TTL or value. Everything else stays.

Columns of blanks stay aligned where there is room.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .._dns.rdata import is_opaque
from .file_text import FileRecord
from .logical_lines import Word, record_words, seconds_in, words_of
from .zone_text import spelled, written_value

_BLANKS = re.compile(r"[ \t]+")
_UNITS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}


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
        return edited(text, {words.ttl: ttl_like(words.ttl.text, ttl)})
    first = next(word for word in words.head if word != words.owner)
    before, after = text[: first.start], text[first.start :]
    blank = "\t" if before.endswith("\t") else " "
    new = f"{ttl}{blank}"
    has_room = before.endswith(" " * (len(new) + 1))
    if has_room:
        before = before[: -len(new)]
    return before + new + after


def ttl_like(written: str, ttl: int) -> str:
    """Format a TTL (seconds) in the largest unit that fits if a *written* one had units."""
    if seconds_in(written) == ttl:
        return written
    if written.isdigit() or not ttl:
        return str(ttl)
    text = ""
    for unit, seconds in _UNITS.items():
        if ttl % seconds == 0:
            text = f"{ttl // seconds}{unit}"
            break
    if written.isupper():
        return text.upper()
    return text


def with_value(text: str, record: FileRecord, value: str) -> str:
    """Give a *record* another canonical *value*. Unchanged words stay as written."""
    rdata = record_words(text).rdata
    if is_opaque(record.key.type, value):
        written = [spelled(record.key.type, value)]
    else:
        written = _words_like(text, rdata, record, value)
    new = dict.fromkeys(rdata, "")
    last = len(rdata) - 1
    for word, one in zip(rdata[:last], written, strict=False):
        new[word] = one
    new[rdata[last]] = " ".join(written[last:])
    return edited(text, new)


def writes_whole_hosts(text: str, record: FileRecord) -> bool | None:
    """Whether hosts below the origin are written in full; None if there are none."""
    if written_value(record.key.type, record.value, record.origin) == record.value:
        return None
    return any(word.text.endswith(".") for word in record_words(text).rdata)


def _words_like(text: str, rdata: list[Word], record: FileRecord, value: str) -> list[str]:
    """Return the words of a *value* that is written like that of *record*."""
    origin: str | None = record.origin
    if writes_whole_hosts(text, record):
        origin = None
    before = words_of(written_value(record.key.type, record.value, origin))
    after = words_of(written_value(record.key.type, value, origin))
    if not len(rdata) == len(before) == len(after):
        return [word.text for word in after]
    words = []
    for word, old, new in zip(rdata, before, after, strict=True):
        is_same = old.text == new.text and word.text.lower() == old.text.lower()
        if is_same:
            words.append(word.text)
        else:
            words.append(new.text)
    return words


def new_record(model: str, owner: str, ttl: int | None, rdtype: str, value: str) -> str:
    """Return the lines of a new record in the columns of *model*, without the last line end.

    An empty *owner* is that of the model. The *value* is as in a file.
    """
    words = record_words(model)
    head = model[: words.type.end]
    blanks = _BLANKS.match(model, words.type.end)
    head += blanks[0] if blanks else " "
    start = len(head)
    if words.type.text.islower():
        rdtype = rdtype.lower()
    new = {words.type: rdtype, Word("-", start, start + 1): value}
    if words.owner and owner:
        new[words.owner] = owner
    text = edited(f"{head}-", new)
    if ttl is not None:
        text = with_ttl(text, ttl)
    if owner and not words.owner:
        text = with_owner(text, owner)
    return text
