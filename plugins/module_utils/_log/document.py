# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone's document, as JSON. Nothing is trusted before it is parsed.

A document that no run can have written is rejected as a whole. Anything that a service can show is accepted; the store
bounds the size. Old parts are dropped, and future times, after a clock was set back, count as now.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any, NamedTuple

from .._dns.dialect import Dialect
from .._dns.record_set import MAX_TTL, Key, RecordSet
from .entry import PENDING, Entry

FORMAT = 1
MOST_QUARANTINED = 100
MOST_PLANS = 100

OWNER = re.compile(r"[A-Za-z0-9._@/-]{1,64}", re.ASCII)
_DIGEST = re.compile("[0-9a-f]{64}")
_FORMS = ("", "plain", "quoted")


class Claim(NamedTuple):
    """An owner's canonical values in a set, and its TTL, or None for any.

    With *is_begun*, a run may have been interrupted. Then the values are those desired before and since.
    """

    ttl: int | None
    values: tuple[str, ...]
    is_begun: bool = False


Claims = Mapping[Key, Claim]

Ledger = Mapping[str, Claims]
"""All owners' sets in a zone, by owner, without empty ones."""


class InvalidDocument(ValueError):
    """Not a document that a run can have written. One clause."""


class NewerDocument(InvalidDocument):
    """Written by a newer version of the collection."""


@dataclass(frozen=True)
class Document:
    """All that is kept of a zone.

    * *quarantined*: entries too old to finish.
    * *dialect*: what the service makes of what it is sent.
    * *plans*: the reviewed plans that were carried out, by digest, and when (seconds since 1970), the last at the end.
    * *ledger*: what each owner asked for.
    """

    entries: Mapping[Key, Entry] = field(default_factory=dict)
    quarantined: tuple[tuple[Key, Entry], ...] = ()
    dialect: Dialect = field(default_factory=Dialect)
    plans: Mapping[str, float] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=dict)

    def with_old_quarantined(self, now: float) -> Document:
        old = [(key, entry) for key, entry in self.entries.items() if entry.is_old(now)]
        return replace(self, quarantined=(*self.quarantined, *old)[-MOST_QUARANTINED:])

    def with_plan_carried_out(self, digest: str, now: float) -> Document:
        """The document after a reviewed plan was carried out. An empty *digest* is no plan."""
        if not digest:
            return self
        plans = {other: at for other, at in self.plans.items() if other != digest}
        return replace(self, plans={**plans, digest: now})

    def when_carried_out(self, digest: str) -> str:
        """When a reviewed plan was carried out, for people; empty if it is not known to be."""
        at = self.plans.get(digest)
        if at is None:
            return ""
        return f"{datetime.fromtimestamp(at, timezone.utc):%Y-%m-%d at %H:%M UTC}"


def document_bytes(document: Document) -> bytes:
    """Equal documents give equal bytes."""
    kept = {
        "format": FORMAT,
        "entries": [_row(*item) for item in document.entries.items()],
        "aside": [_row(*item) for item in document.quarantined[-MOST_QUARANTINED:]],
        "ttls": [[*key, *pair] for key, pair in document.dialect.ttls.items()],
        "words": _word_rows(document.dialect),
        "altered": _altered_rows(document.dialect),
        "text_form": document.dialect.form,
        "plans": [[*item] for item in document.plans.items()][-MOST_PLANS:],
        "ledger": {
            owner: [
                [*key, claim.ttl, claim.is_begun, *claim.values]
                for key, claim in sorted(claims.items())
            ]
            for owner, claims in sorted(document.ledger.items())
        },
    }
    return json.dumps(kept, separators=(",", ":")).encode()


def _word_rows(dialect: Dialect) -> list[list[str]]:
    rows = []
    for key, words in dialect.words.items():
        rows += [[*key, shown, *sent] for shown, sent in words.items()]
    return rows


def _altered_rows(dialect: Dialect) -> list[list[str]]:
    rows = []
    for key, altered in dialect.altered.items():
        rows += [[*key, made, text] for made, text in altered.items()]
    return rows


def document_of(content: bytes, zone: str, now: float) -> Document:
    """*now* is the store's time in seconds since 1970. Raises NewerDocument, InvalidDocument."""
    try:
        kept = json.loads(content)
        number = kept["format"]
        if isinstance(number, int) and number > FORMAT:
            raise NewerDocument(
                f"it has format {number}, and this version of the collection knows formats up to {FORMAT}: use the "
                "version of the collection that wrote it, or a later one"
            )
        _check(number == FORMAT, "format")
        return _Parser(zone, now).document(kept)
    except InvalidDocument:
        raise
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise InvalidDocument("it is not valid") from error


def _row(key: Key, entry: Entry) -> list[Any]:
    sides = ([one.ttl, *one.values] if one else None for one in (entry.before, entry.desired))
    return [
        *key,
        *sides,
        entry.deletes,
        entry.begun,
        entry.at,
        entry.pending_until,
        entry.done,
        [entry.older.ttl, *entry.older.values] if entry.older else None,
    ]


def _check(is_so: bool, what: str) -> None:
    if not is_so:
        raise InvalidDocument(f"its part {what} is not valid")


class _Parser:
    """InvalidDocument names the wrong part."""

    def __init__(self, zone: str, now: float):
        self._zone = zone
        self._now = now

    def document(self, kept: Mapping[str, Any]) -> Document:
        plans = map(self._plan, _rows(kept["plans"], "plans", MOST_PLANS))
        return Document(
            dict(self._entry(row) for row in _rows(kept["entries"], "entries")),
            tuple(self._entry(row) for row in _rows(kept["aside"], "aside", MOST_QUARANTINED)),
            self._dialect(kept),
            dict(plans),
            self._ledger(kept["ledger"]),
        )

    def _key(self, name: Any, rdtype: Any, what: str) -> Key:
        key = Key(*_values([name, rdtype], what))
        _check(key.name == self._zone or key.name.endswith(f".{self._zone}"), what)
        _check(key.type == key.type.upper() and not key.is_owned_by_service(self._zone), what)
        return key

    def _entry(self, row: Any) -> tuple[Key, Entry]:
        name, rdtype, before, desired, deletes, begun, at, pending_until, done, *older = row
        key = self._key(name, rdtype, "entries")
        _check(all(isinstance(flag, bool) for flag in (deletes, done)), "entries")
        at, begun = self._time(at, "entries"), self._time(begun, "entries")
        pending_until = min(_number(pending_until, "entries"), self._now + PENDING)
        return key, Entry(
            _set(key, before),
            _set(key, desired),
            deletes,
            begun,
            at,
            pending_until,
            done,
            _set(key, older[0]) if older else None,
        )

    def _dialect(self, kept: Mapping[str, Any]) -> Dialect:
        words: dict[Key, dict[str, tuple[str, ...]]] = {}
        for name, rdtype, *values in _rows(kept["words"], "words"):
            shown, *sent = _values(values, "words")
            _check(bool(sent), "words")
            words.setdefault(self._key(name, rdtype, "words"), {})[shown] = tuple(sent)
        altered: dict[Key, dict[str, str]] = {}
        for name, rdtype, *pair in _rows(kept["altered"], "altered"):
            made, text = _values(pair, "altered")
            altered.setdefault(self._key(name, rdtype, "altered"), {})[made] = text
        ttls = {}
        for name, rdtype, sent_ttl, kept_ttl in _rows(kept["ttls"], "ttls"):
            ttls[self._key(name, rdtype, "ttls")] = _ttl(sent_ttl, "ttls"), _ttl(kept_ttl, "ttls")
        _check(kept["text_form"] in _FORMS, "text_form")
        return Dialect(words, altered, ttls, kept["text_form"])

    def _plan(self, row: Any) -> tuple[str, float]:
        digest, at = row
        _check(isinstance(digest, str) and bool(_DIGEST.fullmatch(digest)), "plans")
        return digest, self._time(at, "plans")

    def _ledger(self, owners: Any) -> Ledger:
        _check(isinstance(owners, dict), "ledger")
        ledger = {}
        for owner, rows in owners.items():
            _check(bool(OWNER.fullmatch(owner)), "ledger")
            claims: Claims = dict(self._claim(row) for row in _rows(rows, "ledger"))
            _check(len(claims) == len(rows), "ledger")
            if claims:
                ledger[owner] = claims
        return ledger

    def _claim(self, row: Any) -> tuple[Key, Claim]:
        name, rdtype, ttl, is_begun, *values = row
        _check(isinstance(is_begun, bool) and bool(values), "ledger")
        ttl = None if ttl is None else _ttl(ttl, "ledger")
        return self._key(name, rdtype, "ledger"), Claim(ttl, _values(values, "ledger"), is_begun)

    def _time(self, seconds: Any, what: str) -> float:
        return min(_number(seconds, what), self._now)


def _rows(rows: Any, what: str, most: int | None = None) -> list[Any]:
    _check(isinstance(rows, list) and (most is None or len(rows) <= most), what)
    return list(rows)


def _number(number: Any, what: str) -> float:
    _check(
        isinstance(number, (int, float)) and not isinstance(number, bool) and 0 <= number < 2**53,
        what,
    )
    return float(number)


def _ttl(ttl: Any, what: str) -> int:
    _check(isinstance(ttl, int) and not isinstance(ttl, bool) and 0 <= ttl <= MAX_TTL, what)
    return int(ttl)


def _values(values: list[Any], what: str) -> tuple[str, ...]:
    for value in values:
        _check(isinstance(value, str), what)
        _check(value.isascii() or bool(value.encode()), what)
    return tuple(values)


def _set(key: Key, side: Any) -> RecordSet | None:
    if side is None:
        return None
    ttl, *values = side
    found = RecordSet(*key, _ttl(ttl, "entries"), _values(values, "entries"))
    return found if values else None  # a service can show a set without values
