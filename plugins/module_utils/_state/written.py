# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was written to a zone last, as a file beside its lock: readings of the next minute can be older than that.

Of the sets it tells whether a reading may be outdated, never what to write. Beside them, and for longer, it holds what
the service made of TTLs and texts. A file that makes no sense counts as none.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL, Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import same

FORMAT = 1
YOUNG = 60.0
"""Seconds for which a reading that contradicts what was written is not believed at once."""

LATE = 600.0
"""Seconds after which a DELETE without an answer is taken for never carried out."""

MOST_TTLS = 10_000
TEXT_FORMS = ("plain", "quoted")

Held = Callable[[Key], "RecordSet | None"]
"""The set that a reading shows, with canonical values."""


@dataclass(frozen=True)
class Written:
    """One set as it was left, what it was rid of to that end, and when that was (seconds since 1970).

    It *may_go* where an earlier DELETE had no answer: carried out late, that takes along what is there then.
    """

    left: RecordSet | None
    gone: tuple[str, ...]
    former_ttls: tuple[int, ...]
    at: float
    may_go: bool = False

    @property
    def counts(self) -> bool:
        """Whether it is young enough to be of use; nothing is that seems to come from the future."""
        return 0 <= time.time() - self.at < (LATE if self.may_go else YOUNG)

    def is_contradicted_by(self, held: RecordSet | None) -> bool:
        """Whether the set was read as it can only have been before; what others have added since is nothing of that."""
        if held is None:
            return self.left is not None
        if not set(self.gone).isdisjoint(held.values):
            return True
        if self.left is None:
            return False
        return held.ttl in self.former_ttls or not _holds(held, self.left)


@dataclass
class LastWrites:
    """What the runs of the last minute left of the sets that they changed, and what a service made of other wishes.

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
        former = [side for side in (earlier.left if earlier else None, before) if side]
        gone = [*(earlier.gone if earlier else ()), *(value for side in former for value in side.values)]
        ttls = [*(earlier.former_ttls if earlier else ()), *(side.ttl for side in former)]
        self.sets[key] = Written(
            now,
            tuple(dict.fromkeys(value for value in gone if value not in held)),
            tuple(dict.fromkeys(ttl for ttl in ttls if not now or ttl != now.ttl)),
            time.time(),
            bool(now and earlier and earlier.may_go),
        )

    def may_go(self, keys: Iterable[Key]) -> None:
        """A DELETE of these sets had no answer; what was not noted has not been written since."""
        for key in keys:
            written = self.sets.get(key)
            if written and written.left:
                self.sets[key] = replace(written, may_go=True)

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
        if value in self.sent.get(key, ()):
            return True
        written = self.sets.get(key)
        if written is None or written.left is None:
            return written is not None and value is None
        return value in written.left.values

    def contradicted(self, held: Held, keys: Iterable[Key] | None = None) -> list[Key]:
        """The sets, of all or of *keys*, that a reading shows as they can only have been before."""
        asked = list(self.sets) if keys is None else [key for key in keys if key in self.sets]
        young = [key for key in asked if time.time() - self.sets[key].at < YOUNG]
        return [key for key in young if self.sets[key].is_contradicted_by(held(key))]

    def is_proof(self, held: RecordSet | None, key: Key, value: str | None) -> bool:
        """Whether a set is read so, with a *value* or with None gone, because of what was sent just now."""
        written = self.sets.get(key)
        if written is None or time.time() - written.at >= YOUNG:
            return True
        if value is None or held is None:
            return value is None and written.left is None
        # What was there before, and is sent anew, tells nothing by itself.
        others = set(written.gone) - {value}
        if replace(written, gone=tuple(others)).is_contradicted_by(held):
            return False
        return value not in written.gone or bool(others or written.former_ttls)

    def forget(self, held: Held) -> None:
        """Believe a reading: what contradicts it was undone by somebody else."""
        for key in self.contradicted(held):
            del self.sets[key]

    def content(self, sending: Mapping[Key, Sequence[str]] | None = None) -> bytes:
        """The file: before the values *sending* are created, or afterwards."""
        sets = [
            {
                "key": key,
                "left": written.left and written.left.as_result(),
                "gone": written.gone,
                "former_ttls": written.former_ttls,
                "at": written.at,
                "may_go": written.may_go,
            }
            # A thread that was left behind may still note something.
            for key, written in list(self.sets.items())
        ]
        written = {
            "format": FORMAT,
            "at": time.time(),
            "sets": sets,
            "kept_ttls": [[*key, *pair] for key, pair in list(self.kept_ttls.items())[-MOST_TTLS:]],
            "text_form": self.text_form,
            "sent": [[*key, *values] for key, values in (sending or {}).items()],
        }
        return json.dumps(written).encode()


def _holds(held: RecordSet, left: RecordSet) -> bool:
    if set(left.values) <= set(held.values):
        return True
    return all(any(same(held.type, value, shown) for shown in held.values) for value in left.values)


def last_writes(content: bytes | None) -> LastWrites:
    """What a file says, without what is too old to be of use; nothing where it makes no sense."""
    if content is None:
        return LastWrites()
    try:
        held = json.loads(content)
        if held["format"] != FORMAT:
            return LastWrites()
        form = held["text_form"] if held["text_form"] in TEXT_FORMS else ""
        is_young = 0 <= time.time() - float(held["at"]) < YOUNG
        sent = dict(_sent(held["sent"]))
        return LastWrites(
            dict(_sets(held["sets"])), dict(_kept_ttls(held["kept_ttls"])), form, sent if is_young else {}
        )
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return LastWrites()


def _sets(items: Any) -> Iterator[tuple[Key, Written]]:
    for item in items:
        key = Key(*_texts(item["key"]))
        left, gone, ttls = _left(key, item["left"]), _texts(item["gone"]), _ttls(item["former_ttls"])
        written = Written(left, gone, ttls, float(item["at"]), item["may_go"] is True)
        if written.counts:
            yield key, written


def _left(key: Key, held: Mapping[str, Any] | None) -> RecordSet | None:
    if held is None:
        return None
    (ttl,) = _ttls([held["ttl"]])
    return RecordSet(*key, ttl, _texts(held["contents"]))


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
