# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was written to a zone last, the memory beside its lock: readings of the next minute can be older than that.

Of the sets it tells whether a reading may be outdated, and for ten minutes which of them a DELETE that comes late may
take along. For longer, and so in a line of its own, it holds what the service made of TTLs and texts. A memory that
makes no sense counts as none.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL, Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among, same
from ansible_collections.zonesmith.dns.plugins.module_utils._state.growth import (
    MOST_GROWTHS,
    Growth,
    grown,
    was_so_before,
)

FORMAT = 2
YOUNG = 60.0
"""Seconds for which a reading that contradicts what was written is not believed at once."""

LATE = 600.0
"""Seconds after which a DELETE without an answer is taken for never carried out, and what others wrote for a repair."""

MOST_TTLS = 10_000
TEXT_FORMS = ("plain", "quoted")

KeptTtls = Mapping[Key, "tuple[int, int]"]
"""For a set, the TTL that was sent and the one that the service kept instead."""

Held = Callable[[Key], "RecordSet | None"]
"""The set that a reading shows, with canonical values."""


@dataclass(frozen=True)
class Written:
    """One set as it was left, what it was rid of to that end, and when that was (seconds since 1970).

    It *may_go* where an earlier DELETE had no answer: carried out late, that takes along what is there then. *growths*
    are the states in which it was on the way, beside none at all where it *was_absent*.
    """

    left: RecordSet | None
    gone: tuple[str, ...]
    former_ttls: tuple[int, ...]
    at: float
    may_go: bool = False
    growths: tuple[Growth, ...] = ()
    was_absent: bool = False

    @property
    def lasts(self) -> float:
        """Seconds for which it is of use."""
        return LATE if self.may_go else YOUNG

    @property
    def is_young(self) -> bool:
        """Whether a reading that contradicts it may be older."""
        return time.time() - self.at < YOUNG

    def is_contradicted_by(self, held: RecordSet | None) -> bool:
        """Whether the set was read as it can only have been before; what others have added since is nothing of that."""
        if held is None:
            return self.left is not None
        left, gone, shown = (
            frozenset(values) for values in (self.left.values if self.left else (), self.gone, held.values)
        )
        # A mail host without its preference can be one that is gone and one that is left.
        if any(is_among(held.type, value, gone) and not is_among(held.type, value, left) for value in shown):
            return True
        if self.left is None:
            return False
        return held.ttl in self.former_ttls or not all(is_among(held.type, value, shown) for value in left)


@dataclass
class LastWrites:
    """What the runs of the last minute left of the sets that they changed, and what a service keeps though not wanted.

    *kept_ttls* is, for a set, the TTL that was sent and the one that the service kept instead. *text_form* is the
    sending form of TXT that was found to come back right, or empty. *sent* are the values that the last run was
    about to create, where it did not come to tell what it left.
    """

    sets: dict[Key, Written] = field(default_factory=dict)
    kept_ttls: dict[Key, tuple[int, int]] = field(default_factory=dict)
    text_form: str = ""
    sent: dict[Key, tuple[str, ...]] = field(default_factory=dict)

    def note(self, key: Key, before: RecordSet | None, now: RecordSet | None) -> None:
        """A set was *before*, and is *now*."""
        earlier, held = self.sets.get(key), frozenset(now.values if now else ())
        may_go = bool(earlier and earlier.may_go)
        if earlier and not earlier.is_young:
            earlier = None
        former = [side for side in (earlier.left if earlier else None, before) if side]
        gone = [*(earlier.gone if earlier else ()), *(value for side in former for value in side.values)]
        ttls = [*(earlier.former_ttls if earlier else ()), *(side.ttl for side in former)]
        growths = grown(grown(earlier.growths if earlier else (), before), now)
        gone = [value for value in dict.fromkeys(gone) if not is_among(key.type, value, held)]
        ttls = [ttl for ttl in dict.fromkeys(ttls) if not now or ttl != now.ttl]
        # It was deleted on the way where it is not only more than it was.
        was_absent = not (before and now) or bool(gone or ttls or key in self.sent or (earlier and earlier.was_absent))
        self.sets[key] = Written(now, tuple(gone), tuple(ttls), time.time(), may_go, growths, was_absent)

    def may_go(self, keys: Iterable[Key]) -> None:
        """A DELETE of these sets had no answer; what was not noted has not been written since."""
        for key in keys:
            written = self.sets.get(key)
            if written and written.left:
                self.sets[key] = replace(written, may_go=True)

    def may_go_since(self, left: RecordSet, at: float) -> None:
        """A DELETE of a set, *left* so since *at* (seconds since 1970), may come late; what was noted is newer."""
        written = self.sets.get(left.key) or Written(left, (), (), at)
        self.sets[left.key] = replace(written, may_go=True)

    def goes(self, keys: Iterable[Key]) -> None:
        """These sets are about to be deleted on purpose: gone, they are not to come back."""
        for key in keys:
            if key in self.sets:
                self.sets[key] = replace(self.sets[key], may_go=False)

    def gone(self, held: Held) -> list[tuple[RecordSet, float]]:
        """The sets that a DELETE without an answer seems to have taken along, and when they were written."""
        return [
            (written.left, written.at)
            for key, written in self.sets.items()
            if written.may_go and written.left and held(key) is None
        ]

    def has(self, key: Key, value: str | None) -> bool:
        """Whether a value of a set was written, or may have been; with None, whether the set was deleted."""
        written = self.sets.get(key)
        if value is None:
            return written is not None and written.left is None
        left = written.left.values if written and written.left else ()
        return is_among(key.type, value, left) or is_among(key.type, value, self.sent.get(key, ()))

    def contradicted(self, held: Held, keys: Iterable[Key] | None = None) -> list[Key]:
        """The sets, of all or of *keys*, that a reading shows as they can only have been before."""
        asked = list(self.sets) if keys is None else [key for key in keys if key in self.sets]
        return [key for key in asked if self.sets[key].is_young and self.sets[key].is_contradicted_by(held(key))]

    def is_proof(self, held: RecordSet | None, key: Key, value: str | None) -> bool:
        """Whether a set is read so, with a *value* or with None gone, because of what was sent just now."""
        written = self.sets.get(key)
        if written is None or not written.is_young:
            return value is not None or key not in self.sent
        if value is None or held is None:
            return value is None and held is None and not (written.left and written.was_absent)
        # What was there before, and is sent anew, tells nothing by itself.
        others = tuple(one for one in written.gone if not same(key.type, one, value))
        if replace(written, gone=others).is_contradicted_by(held):
            return False
        return not was_so_before(written.growths, held, value)

    def forget(self, held: Held) -> None:
        """Believe a reading: what contradicts it was undone by somebody else."""
        for key in self.contradicted(held):
            del self.sets[key]

    def content(self, sending: Mapping[Key, Sequence[str]] | None = None, ahead: float = 0.0) -> bytes:
        """The memory, before the values *sending* are created or afterwards, for a clock that is *ahead* (seconds).

        What is kept for long is the first line, and the sets are the second.
        """
        # A thread that was left behind may still note something.
        sets = list(self.sets.items())
        at = time.time() if sending else max((written.at for _key, written in sets), default=0.0)
        first = {
            "format": FORMAT,
            "at": at + ahead,
            "lasts": max((written.lasts for _key, written in sets), default=YOUNG),
            "kept_ttls": [[*key, *pair] for key, pair in list(self.kept_ttls.items())[-MOST_TTLS:]],
            "text_form": self.text_form,
        }
        second = {
            "sets": [
                {
                    "key": key,
                    "left": written.left and written.left.as_result(),
                    "gone": written.gone,
                    "former_ttls": written.former_ttls,
                    "at": written.at + ahead,
                    "may_go": written.may_go,
                    "growths": [_as_written(growth, written.left) for growth in written.growths],
                    "was_absent": written.was_absent,
                }
                for key, written in sets
            ],
            "sent": [[*key, *values] for key, values in (sending or {}).items()],
        }
        return b"\n".join(json.dumps(line).encode() for line in (first, second))


def last_writes(content: bytes | None, ahead: float = 0.0) -> LastWrites:
    """What a memory says, without what is too old to be of use; nothing where it makes no sense.

    Nothing is of use that seems to come from the future of a clock that is *ahead* of this one (seconds).
    """
    now = time.time() + ahead
    try:
        first, _newline, second = (content or b"").partition(b"\n")
        held = json.loads(first)
        if held["format"] != FORMAT:
            return LastWrites()
        form = held["text_form"] if held["text_form"] in TEXT_FORMS else ""
        lasting = LastWrites({}, dict(_kept_ttls(held["kept_ttls"])), form)
        age = now - float(held["at"])
        if not 0 <= age < float(held["lasts"]):
            return lasting
        of_sets = json.loads(second)
        sets, sent = dict(_sets(of_sets["sets"], now, ahead)), dict(_sent(of_sets["sent"]))
        return replace(lasting, sets=sets, sent=sent if age < YOUNG else {})
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return LastWrites()


def _sets(items: Any, now: float, ahead: float) -> Iterator[tuple[Key, Written]]:
    for item in items:
        key = Key(*_texts(item["key"]))
        left, gone, ttls = _left(key, item["left"]), _texts(item["gone"]), _ttls(item["former_ttls"])
        # A version before this one kept none, and did not tell whether the set was absent.
        growths = tuple(_growth(growth, left) for growth in item.get("growths", ())[-MOST_GROWTHS:])
        at, was_absent = float(item["at"]) - ahead, item.get("was_absent") is not False
        written = Written(left, gone, ttls, at, item["may_go"] is True, growths, was_absent)
        if 0 <= now - ahead - written.at < written.lasts:
            yield key, written


def _left(key: Key, held: Mapping[str, Any] | None) -> RecordSet | None:
    if held is None:
        return None
    (ttl,) = _ttls([held["ttl"]])
    return RecordSet(*key, ttl, _texts(held["contents"]))


def _as_written(growth: Growth, left: RecordSet | None) -> int | list[int | str]:
    """What is left of most sets is how they grew, and is not written twice."""
    if left and (growth.ttl, growth.values) == (left.ttl, left.values):
        return growth.start
    return [growth.ttl, growth.start, *growth.values]


def _growth(item: Any, left: RecordSet | None) -> Growth:
    ttl, start, *values = item if isinstance(item, list) or not left else [left.ttl, item, *left.values]
    (ttl,) = _ttls([ttl])
    if not isinstance(start, int) or not 0 < start <= len(values):
        raise ValueError("no growth")
    return Growth(ttl, _texts(values), start)


def _kept_ttls(items: Any) -> Iterator[tuple[Key, tuple[int, int]]]:
    for name, rdtype, *ttls in items:
        sent, kept = _ttls(ttls)
        yield Key(*_texts([name, rdtype])), (sent, kept)


def _sent(items: Any) -> Iterator[tuple[Key, tuple[str, ...]]]:
    for item in items:
        name, rdtype, *values = _texts(item)
        yield Key(name, rdtype), tuple(values)


def _texts(items: Any) -> tuple[str, ...]:
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise ValueError("no texts")
    return tuple(items)


def _ttls(items: Any) -> tuple[int, ...]:
    if not all(isinstance(item, int) and not isinstance(item, bool) and 0 <= item <= MAX_TTL for item in items):
        raise ValueError("no TTLs")
    return tuple(items)
