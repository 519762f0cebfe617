# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Edits one record of a zone file: its owner name, TTL or value. Everything else stays.

Columns of blanks or tabs stay aligned as far as there is room.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from .._dns.rdata import is_opaque
from .entries import WORD, RecordWords, Word, line_end_of, record_words, seconds_in, words_of
from .file_text import FileRecord
from .zone_text import in_lines, spelled, written_value

_GAP = re.compile(r"[ \t]*")
_LINE_BREAK = re.compile(r"[\r\n]+")
_COMMENT = re.compile(r";[^\r\n]*")
_CELL = re.compile(rf"([ \t]*)({WORD}|\r\n|.|\Z)", re.DOTALL)
"""Blanks, then a word, comment, parenthesis or line end."""
_TAB = 8
_UNITS = (("w", 604800), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def edited(text: str, new: Mapping[int, str]) -> str:
    """Replace the words that start at the keys of *new*. An empty text also removes the blanks before the word.

    Later words keep their column if there is room and more than one blank precedes them. A single blank aligns words
    only up to the value, if another gap there is wider.
    """
    words = record_words(text)
    head = [*words.head, *words.rdata[:1]]
    gaps = (text[one.end : other.start] for one, other in pairwise(head))
    end_of_columns = head[-1].start if any(len(gap) > 1 or gap == "\t" for gap in gaps) else 0
    written: list[str] = []
    before = now = 0  # columns after a cell, before and after editing
    for cell in _CELL.finditer(text):
        (gap, word), start = cell.groups(), cell.start(2)
        column, replaced = _after(before, gap), new.get(start, word)
        is_aligned = len(gap) > 1 or "\t" in gap or bool(gap and start <= end_of_columns)
        if word and not replaced:
            gap = ""
        elif now != before and is_aligned and word.strip("\r\n"):
            gap = _gap_to(now, column, gap)
        written += gap, replaced
        before, now = _after(column, word), _after(_after(now, gap), replaced)
        if word in ("\n", "\r", "\r\n"):
            before = now = 0
    return "".join(written)


def with_owner(text: str, owner: str) -> str:
    """Give a record that starts with blanks its own owner name."""
    rest = text.lstrip(" \t")
    blanks = text[: len(text) - len(rest)]
    return owner + _gap_to(len(owner), _after(0, blanks), blanks) + rest


def with_ttl(text: str, ttl: int) -> str:
    """Set the TTL (seconds) of a record or ``$GENERATE`` line, in units if its TTL had units."""
    words = record_words(text)
    if words.ttl:
        return edited(text, {words.ttl.start: ttl_like(words.ttl.text, ttl)})
    word = next(word for word in words.head if word != words.owner)
    before, behind = text[: word.start], text[word.end :]
    gap = before[len(before.rstrip(" \t")) :]
    blanks = min(2, len(behind) - len(behind.lstrip(" "))) if words.rdclass else 1
    new = f"{ttl}{gap[-1]}" if "\t" in gap else f"{ttl}{' ' * max(blanks, 1)}"
    has_room = "\t" not in gap and len(gap) > len(new)
    return (before[: -len(new)] if has_room else before) + new + text[word.start :]


def ttl_like(written: str, ttl: int) -> str:
    """Format a TTL (seconds) in the style of a *written* one."""
    if seconds_in(written) == ttl:
        return written
    if written.isdigit() or not ttl:
        return str(ttl)
    parts, rest = "", ttl
    used = [(unit, seconds) for unit, seconds in _UNITS if unit in written.lower()]
    for unit, seconds in used if not ttl % used[-1][1] else _UNITS:
        number, rest = divmod(rest, seconds)
        parts += f"{number}{unit}" if number else ""
    return parts.upper() if written.isupper() else parts


def with_value(text: str, record: FileRecord, value: str) -> str:
    """Give a *record* another canonical *value*. Unchanged words stay as written."""
    words = record_words(text)
    if is_opaque(record.key.type, value):
        start, new = words.rdata[0].start, spelled(record.key.type, value)
        replaced = text[:start] + new + text[words.rdata[0].end :]
        # An unclosed string would swallow the comment.
        is_whole = record_words(replaced).rdata[0].text == new
        return replaced if is_whole else text[:start] + new + text[len(text.rstrip("\r\n")) :]
    written = _words_like(text, words.rdata, record, value)
    if not words.rdata:
        return f"{text[: words.type.end]} {' '.join(written)}{text[words.type.end :]}"
    last = words.rdata[-1].end
    if len(written) > len(words.rdata):
        between = _between(text, words)
        text = text[:last] + "".join(between + word for word in written[len(words.rdata) :]) + text[last:]
    elif len(written) < len(words.rdata):
        text = text[: words.rdata[len(written) - 1].end] + text[last:]
    pairs = zip(words.rdata, written, strict=False)
    return edited(text, {word.start: new for word, new in pairs if new != word.text})


def writes_whole_hosts(text: str, record: FileRecord) -> bool | None:
    """Whether hosts below the origin are written in full; None if there are none."""
    if written_value(record.key.type, record.value, record.origin) == record.value:
        return None
    return any(word.text.endswith(".") for word in record_words(text).rdata)


def _words_like(text: str, rdata: list[Word], record: FileRecord, value: str) -> list[str]:
    origin = None if writes_whole_hosts(text, record) else record.origin
    before, after = (words_of(written_value(record.key.type, one, origin)) for one in (record.value, value))
    if not len(rdata) == len(before) == len(after):
        return [word.text for word in after]
    # A word spelled otherwise may still mean the same.
    return [
        word.text if old.text == new.text and _bare(word) == _bare(old) else new.text
        for word, old, new in zip(rdata, before, after, strict=True)
    ]


def _bare(word: Word) -> str:
    return word.text.strip('"').lower()


def _between(text: str, words: RecordWords) -> str:
    """Return the separator before further words of a value: the one between the last two."""
    last = words.rdata[-1].start
    start = words.rdata[-2].end if words.rdata[1:] else text.rfind("\n", 0, last)
    between = _COMMENT.sub("", text[max(start, 0) : last])
    is_on_its_own = start >= 0 and _LINE_BREAK.search(between) and not between.strip()
    return line_end_of(text) + _LINE_BREAK.split(between)[-1] if is_on_its_own else " "


def new_record(model: str | None, owner: str, ttl: int | None, rdtype: str, value: str) -> str:
    """Return the lines of a new record in the columns of *model*, without the last line end.

    An empty *owner* repeats the previous one; *value* is as in a file. Without a model, single blanks separate the
    words.
    """
    words = record_words(model) if model else None
    if not model or not words or is_opaque(rdtype, value) or "(" in model[: words.type.start]:
        seconds = [] if ttl is None else [str(ttl)]
        return " ".join([owner, *seconds, "IN", rdtype, in_lines(rdtype, value)])
    new = {words.type.start: rdtype.lower() if words.type.text.islower() else rdtype}
    if words.ttl:
        new[words.ttl.start] = "" if ttl is None else ttl_like(words.ttl.text, ttl)
    if words.owner:
        new[words.owner.start] = owner
    value_start = words.rdata[0].start if words.rdata else words.type.end + 1
    paren = model.find("(", words.type.end, value_start)
    start = value_start if paren < 0 else paren
    text = edited(f"{model[:start]}-", {**new, start: in_lines(rdtype, value)})
    text = with_owner(text, owner) if owner and not words.owner else text
    return with_ttl(text, ttl) if ttl is not None and not words.ttl else text


def _after(column: int, text: str) -> int:
    """Return the column after a text that starts at *column*."""
    return column - column % _TAB + len((" " * (column % _TAB) + text).expandtabs(_TAB))


def _gap_to(at: int, column: int, like: str) -> str:
    """Return a gap from column *at* to *column*, at least one character, in tabs or blanks *like* another gap."""
    if "\t" in like:
        return "\t" * max(1, -(-column // _TAB) - at // _TAB)
    return " " * max(1, column - at)
