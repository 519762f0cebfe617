# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone's document as JSON. Nothing in it is trusted before it is parsed.

Each part is a list of rows, and the fields of its rows are listed here once. What is written is read
at once, so that a run saves nothing that the next one cannot read. A row that cannot be read is left
out and told, and the rest is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from .._dns.dialect import Dialect
from .._dns.record_set import MAX_TTL, Key, RecordSet
from .document import OWNER, Claim, Document
from .entry import Entry
from .past import Past

FORMAT = 1

MOST_KEPT = 100
"""Plans, and entries put aside, that are read; the last ones."""

_NO_KEY = Key("", "")
_FORMS = ("", "plain", "quoted")


class InvalidDocument(ValueError):
    """Not a document that a run can have written. One clause."""


class NewerDocument(InvalidDocument):
    """Written by a newer version of the collection."""


@dataclass
class Reading:
    """What rows are read for: the *zone*, *now* by the store's clock (seconds since 1970).

    *key* is the last one that was read: that of the sets after it.
    """

    zone: str
    now: float
    key: Key = _NO_KEY


Rows = list[tuple[Any, ...]]

LoadField = Callable[[Any, Reading], Any]
"""Gives the value of a field from what JSON has of it. Raises ValueError for what no run can have written."""

# The kinds of fields.


def _check(is_so: object) -> None:
    if not is_so:
        raise ValueError


def _of_kind(raw: Any, *kinds: type) -> Any:
    """What JSON has, if it is of one of these kinds. To JSON, true is no number."""
    _check(type(raw) in kinds)
    return raw


def _fields(*loads: LoadField) -> LoadField:
    """Loads a list of as many fields."""

    def load_all(raw: Any, reading: Reading) -> tuple[Any, ...]:
        fields = _of_kind(raw, list)
        pairs = zip(loads, fields, strict=True)
        return tuple(load(field, reading) for load, field in pairs)

    return load_all


def _or_none(load: LoadField) -> LoadField:
    return lambda raw, reading: None if raw is None else load(raw, reading)


def _text(raw: Any, _reading: Reading) -> Any:
    _of_kind(raw, str).encode()  # raises ValueError for half a character
    return raw


def _owner(raw: Any, reading: Reading) -> Any:
    _check(OWNER.fullmatch(_text(raw, reading)))
    return raw


def _texts(raw: Any, reading: Reading) -> tuple[str, ...]:
    """At least one."""
    texts = tuple(_text(one, reading) for one in _of_kind(raw, list))
    _check(texts)
    return texts


def _flag(raw: Any, _reading: Reading) -> Any:
    return _of_kind(raw, bool)


def _ttl(raw: Any, _reading: Reading) -> Any:
    _check(0 <= _of_kind(raw, int) <= MAX_TTL)
    return raw


def _time(raw: Any, reading: Reading) -> float:
    """Not later than now: a clock may have been set back."""
    _check(0 <= _of_kind(raw, int, float) < 1e15)
    return min(float(raw), reading.now)


def _key(raw: Any, reading: Reading) -> Key:
    name, rdtype = _texts(raw, reading)
    key = Key(name, rdtype)
    _check(f".{name}".endswith(f".{reading.zone}"))
    _check(rdtype == rdtype.upper())
    _check(not key.is_owned_by_service(reading.zone))
    reading.key = key
    return key


def _set(raw: Any, reading: Reading) -> RecordSet:
    ttl, *values = _of_kind(raw, list)
    return RecordSet(*reading.key, _ttl(ttl, reading), _texts(values, reading))


def _any(load: LoadField) -> LoadField:
    """Loads a list of any length, without an order."""
    return lambda raw, reading: frozenset(load(one, reading) for one in _of_kind(raw, list))


def _made(kind: Callable[..., Any], load: LoadField) -> LoadField:
    """Loads the fields of an object."""
    return lambda raw, reading: kind(*load(raw, reading))


SIDE = _or_none(_set)
PAST = _made(Past, _fields(SIDE, _any(_text), _any(_ttl), _any(_text), _flag))
ENTRY = _made(Entry, _fields(PAST, SIDE, _flag, _time, _time, _or_none(_time), _flag, SIDE))
CLAIM = _made(Claim, _fields(_or_none(_ttl), _texts, _flag))

ROWS = {
    "entries": _fields(_key, ENTRY),
    "under_way": _key,
    "aside": _fields(_key, ENTRY),
    "ttls": _fields(_key, _fields(_ttl, _ttl)),
    "words": _fields(_key, _text, _texts),
    "altered": _fields(_key, _text, _text),
    "plans": _fields(_text, _time),
    "ledger": _fields(_owner, _key, CLAIM),
}
"""The parts of a document, and the fields of their rows."""


# Writing.


def document_bytes(document: Document, zone: str) -> bytes:
    """Raises InvalidDocument for what could not be read again."""
    dialect = document.dialect
    parts = {
        "format": FORMAT,
        "text_form": dialect.form,
        "entries": [*document.entries.items()],
        "under_way": [*document.under_way],
        "aside": document.quarantined,
        "ttls": [*dialect.ttls.items()],
        "words": _rows_of(dialect.words),
        "altered": _rows_of(dialect.altered),
        "plans": [*document.plans.items()],
        "ledger": _rows_of(document.ledger),
    }
    content = json.dumps(parts, default=_as_list, separators=(",", ":")).encode()
    _read_again, problems = document_of(content, zone, inf)
    if problems:
        raise InvalidDocument(f"its part {problems[0]} would not be valid")
    return content


def _rows_of(tables: Mapping[Any, Mapping[Any, Any]]) -> Rows:
    rows: Rows = []
    for of_table, table in tables.items():
        rows += [(of_table, name, value) for name, value in table.items()]
    return rows


def _as_list(one: RecordSet | frozenset[Any]) -> list[Any]:
    if isinstance(one, RecordSet):
        return [one.ttl, *one.values]
    return sorted(one)


# Reading.


def document_of(content: bytes | str, zone: str, now: float) -> tuple[Document, list[str]]:
    """The document, and the parts of which rows could not be read.

    If a set was under way, the run that wrote it has been killed (``Entry.cut_off``).
    *now* is the time by the store's clock (seconds since 1970), and no time is read as later.
    Raises NewerDocument, InvalidDocument.
    """
    try:
        kept = _of_kind(json.loads(content), dict)
        number = _of_kind(kept.get("format"), int)
        form = kept.get("text_form")
        _check(number > FORMAT or (number == FORMAT and form in _FORMS))
    except (ValueError, RecursionError) as error:
        raise InvalidDocument("it is not valid") from error
    if number > FORMAT:
        raise NewerDocument(
            f"it has format {number}, and this version of the collection knows formats up to "
            f"{FORMAT}: use the version of the collection that wrote it, or a later one"
        )
    parts: dict[str, Rows] = {}
    problems: list[str] = []
    for part, load in ROWS.items():
        parts[part], is_whole = _rows(kept.get(part), load, Reading(zone, now))
        if not is_whole:
            problems.append(part)
    entries: dict[Key, Entry] = dict(parts["entries"])
    for key in entries.keys() & parts["under_way"]:
        entries[key] = entries[key].cut_off(now)
    altered = _tables(parts["altered"])
    dialect = Dialect(_tables(parts["words"]), altered, dict(parts["ttls"]), form)
    aside = tuple(parts["aside"][-MOST_KEPT:])
    plans = parts["plans"][-MOST_KEPT:]
    document = Document(entries, aside, dialect, dict(plans), _tables(parts["ledger"]))
    return document, problems


def _rows(raw_rows: Any, load: LoadField, reading: Reading) -> tuple[Rows, bool]:
    """The rows of a part that can be read, and whether these are all."""
    if not isinstance(raw_rows, list):
        return [], False
    rows = []
    for raw in raw_rows:
        try:
            rows.append(load(raw, reading))
        except ValueError:
            continue
    return rows, len(rows) == len(raw_rows)


def _tables(rows: Rows) -> dict[Any, dict[Any, Any]]:
    tables: dict[Any, dict[Any, Any]] = {}
    for of_table, name, value in rows:
        tables.setdefault(of_table, {})[name] = value
    return tables
