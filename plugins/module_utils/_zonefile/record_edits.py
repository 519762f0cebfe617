# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lines of one record of a zone file, edited: an owner name, a TTL or a value changes, and all else stays in place.

Columns stay where they are as far as there is room, be they made of blanks or of tabs.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_opaque
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.collected import FileRecord
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.entries import (
    RecordWords,
    Word,
    line_end_of,
    record_words,
    seconds_in,
    words_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_text import in_lines, spelled, written_value

_GAP = re.compile(r"[ \t]*")
_LINE_BREAK = re.compile(r"[\r\n]")
_COMMENT = re.compile(r";[^\r\n]*")
_TAB = 8
_UNITS = (("w", 604800), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def with_owner(text: str, owner: str) -> str:
    """A record that begins with blanks, and so belongs to the owner name before it, with one of its own."""
    gap = _GAP.match(text)
    blanks = gap[0] if gap else ""
    return owner + _gap_to(_width(owner), _width(blanks), blanks) + text[len(blanks) :]


def with_ttl(text: str, ttl: int) -> str:
    """A record with this TTL (seconds), in units where it has had one in units."""
    words = record_words(text)
    if words.ttl:
        new = ttl_like(words.ttl.text, ttl)
        return _spliced(text, words.ttl.start, words.ttl.end, new, is_aligned=_is_aligned(text, words))
    word = next(word for word in words.head if word != words.owner)
    line = text.rfind("\n", 0, word.start) + 1
    before = text[: word.start].rstrip(" \t")
    gap = text[len(before) : word.start]
    if "\t" in gap or len(before) < line:
        return f"{text[: word.start]}{ttl}{gap[-1:] or ' '}{text[word.start :]}"
    behind = text[word.end :]
    blanks = min(2, len(behind) - len(behind.lstrip(" "))) if words.rdclass else 1
    room = len(gap) - len(str(ttl)) - blanks
    before = before + " " * room if room > 0 else text[: word.start]
    return f"{before}{ttl}{' ' * max(blanks, 1)}{text[word.start :]}"


def with_generated_ttl(text: str, ttl: int) -> str:
    """A line with ``$GENERATE`` and without a TTL with this one (seconds): it stands behind range and owner."""
    end = words_of(text)[2].end
    return f"{text[:end]} {ttl}{text[end:]}"


def ttl_like(written: str, ttl: int) -> str:
    """A TTL in seconds as somebody writes it who has *written* another one so."""
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
    """A *record* with another canonical *value* of its type: the words that are the same stay as they are written."""
    words = record_words(text)
    if is_opaque(record.type, value):
        start, new = words.rdata[0].start, spelled(record.type, value)
        edited = _spliced(text, start, words.rdata[0].end, new)
        # A string that does not end would go on with the comment.
        is_whole = record_words(edited).rdata[0].text == new
        return edited if is_whole else text[:start] + new + text[len(text.rstrip("\r\n")) :]
    written = _words_like(words.rdata, record, value)
    if not words.rdata:
        return f"{text[: words.type.end]} {' '.join(written)}{text[words.type.end :]}"
    if len(written) > len(words.rdata):
        last = words.rdata[-1].end
        between = _between(text, words)
        text = text[:last] + "".join(between + word for word in written[len(words.rdata) :]) + text[last:]
    elif len(written) < len(words.rdata):
        text = text[: words.rdata[len(written) - 1].end] + text[words.rdata[-1].end :]
    for word, new in reversed([*zip(words.rdata, written, strict=False)]):
        if new != word.text:
            text = _spliced(text, word.start, word.end, new)
    return text


def _words_like(rdata: list[Word], record: FileRecord, value: str) -> list[str]:
    """The words of a canonical *value*, written as the words of the *record* are."""
    before, whole = ([word.text for word in words_of(text)] for text in (record.value, value))
    relative_before, relative = (
        [word.text for word in words_of(written_value(record.type, text, record.origin))]
        for text in (record.value, value)
    )
    if not len(rdata) == len(before) == len(whole):
        return relative
    new: list[str] = []
    for word, *spellings in zip(rdata, before, relative_before, whole, relative, strict=True):
        old, relative_old, whole_new, relative_new = spellings
        # Where they are not spelled so, it may be that other words of the line are what they stand for.
        is_same = old == whole_new and _bare(word.text) in {_bare(old), _bare(relative_old)}
        is_whole = old != relative_old and word.text.endswith(".")
        new.append(word.text if is_same else whole_new if is_whole else relative_new)
    return new


def _bare(word: str) -> str:
    return word.strip('"').lower()


def _between(text: str, words: RecordWords) -> str:
    """What stands between the last two words of a value, without comments: between more of them the same will do."""
    if len(words.rdata) < 2:
        start = text.rfind("\n", 0, words.rdata[-1].start) + 1
        before = text[start : words.rdata[-1].start]
        return line_end_of(text) + before if start and not before.strip() else " "
    between = _COMMENT.sub("", text[words.rdata[-2].end : words.rdata[-1].start])
    return line_end_of(text) + re.split(r"[\r\n]+", between)[-1] if _LINE_BREAK.search(between) else " "


def _is_aligned(text: str, words: RecordWords) -> bool:
    """Whether what stands before the value is in columns: where all have one blank between them, it is in none."""
    head = [*words.head, *words.rdata[:1]]
    gaps = (text[one.end : other.start] for one, other in pairwise(head))
    return any(len(gap) > 1 or gap == "\t" for gap in gaps)


def _spliced(text: str, start: int, end: int, new: str, *, is_aligned: bool = False) -> str:
    """A text with *new* in place of a part, and what follows in its line where it was as far as there is room.

    One blank aligns nothing, unless its line *is_aligned*.
    """
    gap = _GAP.match(text, end)
    blanks, rest = (gap[0], text[gap.end() :]) if gap else ("", text[end:])
    is_aligned = is_aligned or len(blanks) > 1 or "\t" in blanks
    if not is_aligned or not rest or rest[0] in "\r\n":
        return text[:start] + new + text[end:]
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    column = _width(text[line : end + len(blanks)])
    return text[:start] + new + _gap_to(_width(text[line:start] + new), column, blanks) + rest


def _width(text: str) -> int:
    return len(text.expandtabs(_TAB))


def _gap_to(at: int, column: int, like: str) -> str:
    """What leads from a column to another one, or at least one further, made of what another gap is made of."""
    if "\t" in like:
        return "\t" * max(1, -(-column // _TAB) - at // _TAB)
    return " " * max(1, column - at)


def new_record(model: str | None, owner: str, ttl: int | None, rdtype: str, value: str) -> str:
    """The lines of a record in the columns of another one, its *model*, without the end of the last line.

    An empty *owner* is that of the record before; *value* is written. Without a model, words have a blank between them.
    """
    if model is None or is_opaque(rdtype, value):
        seconds = [] if ttl is None else [str(ttl)]
        return " ".join([owner, *seconds, "IN", rdtype, in_lines(rdtype, value)])
    words = record_words(model)
    texts: list[tuple[Word, str]] = []
    if words.ttl and ttl is not None:
        texts.append((words.ttl, ttl_like(words.ttl.text, ttl)))
    if words.rdclass:
        texts.append((words.rdclass, words.rdclass.text))
    texts.append((words.type, rdtype.lower() if words.type.text.islower() else rdtype))
    texts.sort(key=lambda told: told[0].start)
    line = owner or (_GAP.match(model) or [""])[0]
    is_aligned = _is_aligned(model, words)
    for word, text in texts:
        line = _appended(line, model, word.start, text, is_aligned=is_aligned)
    shown = in_lines(rdtype, value)
    begins = words.rdata[0].start if words.rdata else words.type.end + 1
    paren = model.find("(", words.type.end, begins)
    line = _appended(line, model, begins if paren < 0 else paren, shown, is_aligned=is_aligned)
    return with_ttl(line, ttl) if ttl is not None and not words.ttl else line


def _appended(line: str, model: str, start: int, text: str, *, is_aligned: bool) -> str:
    """A line that goes on with *text*, in the column at which the word of the *model* at *start* stands."""
    before = model[:start]
    begins = max(before.rfind("\n"), before.rfind("\r")) + 1
    gap = before[len(before.rstrip(" \t")) :]
    if not line.strip() and gap == before[begins:]:
        return line + text
    if begins or not is_aligned:
        return f"{line} {text}"
    return line + _gap_to(_width(line), _width(before), gap) + text
