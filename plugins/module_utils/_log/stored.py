# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone's document as JSON. Nothing in it is trusted before it is parsed.

Each part is a list of rows, and each row has the fields that are listed here once, for writing and
for reading. What is written is read at once, so that a run saves nothing that the next one cannot
read. A row that cannot be read is left out and told, and the rest is used.

Times that lie ahead, after a clock was set back, count as now.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from .._dns.dialect import Dialect
from .._dns.record_set import MAX_TTL, Key, RecordSet
from .document import MOST_PLANS, MOST_QUARANTINED, OWNER, Claim, Document
from .entry import PENDING, Entry

FORMAT = 1

_DIGEST = re.compile("[0-9a-f]{64}")
_FORMS = ("", "plain", "quoted")


class InvalidDocument(ValueError):
    """Not a document that a run can have written. One clause."""


class NewerDocument(InvalidDocument):
    """Written by a newer version of the collection."""


class InvalidRow(ValueError):
    """A row that no run can have written."""


class Reading(NamedTuple):
    """What a row is read for: the *zone*, *now* by the store's clock (seconds since 1970).

    *key* is that of the row, once it is read.
    """

    zone: str
    now: float
    key: Key = Key("", "")


LoadField = Callable[[Any, Reading], Any]
"""Gives the value of a field from what JSON has of it. Raises InvalidRow."""

ALL_TIME = float(2**52)


# The kinds of fields.


def _check(is_so: bool) -> None:
    if not is_so:
        raise InvalidRow


def _text(raw: Any, _reading: Reading) -> str:
    _check(isinstance(raw, str))
    try:
        raw.encode()
    except UnicodeEncodeError as error:
        raise InvalidRow from error
    return str(raw)


def _texts(raw: Any, reading: Reading) -> tuple[str, ...]:
    _check(isinstance(raw, list))
    return tuple(_text(one, reading) for one in raw)


def _some_texts(raw: Any, reading: Reading) -> tuple[str, ...]:
    found = _texts(raw, reading)
    _check(bool(found))
    return found


def _flag(raw: Any, _reading: Reading) -> bool:
    _check(isinstance(raw, bool))
    return bool(raw)


def _ttl(raw: Any, _reading: Reading) -> int:
    _check(isinstance(raw, int) and not isinstance(raw, bool))
    _check(0 <= raw <= MAX_TTL)
    return int(raw)


def _ttl_or_none(raw: Any, reading: Reading) -> int | None:
    return None if raw is None else _ttl(raw, reading)


def _number(raw: Any) -> float:
    _check(isinstance(raw, (int, float)) and not isinstance(raw, bool))
    _check(0 <= raw < 2**53)
    return float(raw)


def _time(raw: Any, reading: Reading) -> float:
    return min(_number(raw), reading.now)


def _pending_until(raw: Any, reading: Reading) -> float:
    return min(_number(raw), reading.now + PENDING)


def _key(raw: Any, reading: Reading) -> Key:
    name, rdtype = _texts(raw, reading)
    key = Key(name, rdtype)
    zone = reading.zone
    _check(name == zone or name.endswith(f".{zone}"))
    _check(rdtype == rdtype.upper() and not key.is_owned_by_service(zone))
    return key


def _set(raw: Any, reading: Reading) -> RecordSet:
    _check(isinstance(raw, list))
    ttl, *values = raw
    return RecordSet(*reading.key, _ttl(ttl, reading), _some_texts(values, reading))


def _set_or_none(raw: Any, reading: Reading) -> RecordSet | None:
    return None if raw is None else _set(raw, reading)


def _sets(raw: Any, reading: Reading) -> tuple[RecordSet, ...]:
    _check(isinstance(raw, list))
    return tuple(_set(one, reading) for one in raw)


def _owner(raw: Any, reading: Reading) -> str:
    owner = _text(raw, reading)
    _check(OWNER.fullmatch(owner) is not None)
    return owner


def _digest(raw: Any, reading: Reading) -> str:
    digest = _text(raw, reading)
    _check(_DIGEST.fullmatch(digest) is not None)
    return digest


ENTRY = (_key, _sets, _set_or_none, _flag, _time, _time, _pending_until, _flag, _flag)
ROWS: Mapping[str, tuple[LoadField, ...]] = {
    "entries": ENTRY,
    "aside": ENTRY,
    "ttls": (_key, _ttl, _ttl),
    "words": (_key, _text, _some_texts),
    "altered": (_key, _text, _text),
    "plans": (_digest, _time),
    "ledger": (_owner, _key, _ttl_or_none, _flag, _some_texts),
}
"""The parts of a document, and the fields of their rows."""


# Writing.


def document_bytes(document: Document, zone: str) -> bytes:
    """Equal documents give equal bytes. Raises InvalidDocument for what could not be read again."""
    kept: dict[str, Any] = {"format": FORMAT, "text_form": document.dialect.form}
    for part, rows in _parts(document):
        kept[part] = [*rows]
    content = json.dumps(kept, default=_set_as_list, separators=(",", ":")).encode()
    _read_again, problems = document_of(content, zone, ALL_TIME)
    if problems:
        raise InvalidDocument(f"its part {problems[0]} would not be valid")
    return content


def _set_as_list(record_set: RecordSet) -> list[Any]:
    return [record_set.ttl, *record_set.values]


def _parts(document: Document) -> Iterator[tuple[str, Iterable[tuple[Any, ...]]]]:
    dialect = document.dialect
    yield "entries", (_entry_row(*item) for item in document.entries.items())
    yield "aside", (_entry_row(*item) for item in document.quarantined[-MOST_QUARANTINED:])
    yield "ttls", ((key, *pair) for key, pair in dialect.ttls.items())
    yield "words", _pairs(dialect.words)
    yield "altered", _pairs(dialect.altered)
    yield "plans", [*document.plans.items()][-MOST_PLANS:]
    yield "ledger", _claim_rows(document)


def _entry_row(key: Key, entry: Entry) -> tuple[Any, ...]:
    return (key, *(getattr(entry, field.name) for field in fields(entry)))


def _pairs(sets: Mapping[Key, Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for key, pairs in sets.items():
        for text, of_text in pairs.items():
            yield key, text, of_text


def _claim_rows(document: Document) -> Iterator[tuple[Any, ...]]:
    for owner, claims in sorted(document.ledger.items()):
        for key, claim in sorted(claims.items()):
            yield owner, key, claim.ttl, claim.is_begun, claim.values


# Reading.


def document_of(content: bytes | str, zone: str, now: float) -> tuple[Document, tuple[str, ...]]:
    """The document, and the parts of which rows could not be read.

    Raises NewerDocument, InvalidDocument.
    """
    try:
        kept = json.loads(content)
        number = kept["format"]
        is_newer = isinstance(number, int) and number > FORMAT
        is_known = number == FORMAT and kept["text_form"] in _FORMS
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InvalidDocument("it is not valid") from error
    if is_newer:
        raise NewerDocument(
            f"it has format {number}, and this version of the collection knows formats up to "
            f"{FORMAT}: use the version of the collection that wrote it, or a later one"
        )
    if not is_known:
        raise InvalidDocument("it is not valid")
    parts: dict[str, list[list[Any]]] = {}
    problems: list[str] = []
    for part in ROWS:
        parts[part], is_whole = _rows(part, kept.get(part), Reading(zone, now))
        if not is_whole:
            problems.append(part)
    return _document(parts, kept["text_form"]), tuple(problems)


def _rows(part: str, raw_rows: Any, reading: Reading) -> tuple[list[list[Any]], bool]:
    """The rows of a part that can be read, and whether these are all."""
    if not isinstance(raw_rows, list):
        return [], False
    rows = []
    for raw in raw_rows:
        try:
            rows.append(_loaded(part, raw, reading))
        except InvalidRow:
            continue
    return rows, len(rows) == len(raw_rows)


def _loaded(part: str, raw: Any, reading: Reading) -> list[Any]:
    """Raises InvalidRow."""
    loads = ROWS[part]
    if not isinstance(raw, list) or len(raw) != len(loads):
        raise InvalidRow
    row = []
    try:
        for load, field in zip(loads, raw, strict=True):
            value = load(field, reading)
            if load is _key:
                reading = reading._replace(key=value)
            row.append(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidRow from error
    return row


def _document(parts: Mapping[str, list[list[Any]]], form: str) -> Document:
    words: dict[Key, dict[str, tuple[str, ...]]] = {}
    for key, shown, sent in parts["words"]:
        words.setdefault(key, {})[shown] = sent
    altered: dict[Key, dict[str, str]] = {}
    for key, made, text in parts["altered"]:
        altered.setdefault(key, {})[made] = text
    ttls = {key: (sent, kept) for key, sent, kept in parts["ttls"]}
    ledger: dict[str, dict[Key, Claim]] = {}
    for owner, key, ttl, is_begun, values in parts["ledger"]:
        ledger.setdefault(owner, {})[key] = Claim(ttl, values, is_begun)
    return Document(
        entries=dict(map(_entry, parts["entries"])),
        quarantined=tuple(map(_entry, parts["aside"][-MOST_QUARANTINED:])),
        dialect=Dialect(words, altered, ttls, form),
        plans=dict(map(tuple, parts["plans"][-MOST_PLANS:])),
        ledger=ledger,
    )


def _entry(row: list[Any]) -> tuple[Key, Entry]:
    key, *of_entry = row
    return key, Entry(*of_entry)
