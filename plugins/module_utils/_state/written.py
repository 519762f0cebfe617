# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was written to a zone last, the memory beside its lock: readings of the next minute can be older than that.

Of the sets it tells whether a reading may be outdated, and for ten minutes which of them a DELETE that comes late may
take along. For longer, and so in a line of its own, it holds what the service made of TTLs and texts, which preferences
of mail hosts it does not show, and which plans that people had reviewed were carried out. A memory that makes no sense
counts as none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL, Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import (
    is_among,
    lacks_preference,
    same,
    with_preferences,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.growth import (
    MOST_GROWTHS,
    Growth,
    grown,
    was_so_before,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import LONGEST_HOLDER

FORMAT = 2
YOUNG = 60.0
"""Seconds for which a reading that contradicts what was written is not believed at once."""

LATE = 600.0
"""Seconds after which a DELETE without an answer is taken for never carried out, and what others wrote for a repair."""

MOST_DELETES = 100
"""More that may come late are not told apart."""

MOST_TTLS = 10_000
MOST_PREFERENCES = 10_000

PLANS_LAST = 600 * 86400.0
"""Seconds for which a plan that was carried out is remembered."""

MOST_PLANS = 600
"""More are not remembered of a zone: one a day for that long."""

_PREFERENCE = re.compile(r"(\d{1,5}) \S+")
_DIGEST = re.compile("[0-9a-f]{64}")
TEXT_FORMS = ("plain", "quoted")

Held = Callable[[Key], "RecordSet | None"]
"""The set that a reading shows, with canonical values."""


@dataclass(frozen=True)
class Written:
    """One set as it was left, what it was rid of to that end, and when that was (seconds since 1970).

    Each of its *pending_deletes* had no answer: carried out late, it takes along what is there then. Where the set
    *is_to_go*, that is as it should be. *growths* are the states in which it was on the way, beside none at all where
    it *was_absent*.
    """

    left: RecordSet | None
    gone: tuple[str, ...]
    former_ttls: tuple[int, ...]
    at: float
    pending_deletes: int = 0
    growths: tuple[Growth, ...] = ()
    was_absent: bool = False
    is_to_go: bool = False

    @property
    def lasts(self) -> float:
        """Seconds for which it is of use."""
        return LATE if self.pending_deletes else YOUNG

    @property
    def is_young(self) -> bool:
        """Whether a reading that contradicts it may be older."""
        return machine().time() - self.at < YOUNG

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


@dataclass(frozen=True)
class PlanRun:
    """When a run began to carry out a reviewed plan (seconds since 1970), which run that was, and how far it came.

    It *is_whole* where it is as planned. Where it is not, and *is_over*, another plan has been begun since.
    """

    at: float
    by: str
    is_whole: bool = False
    is_over: bool = False

    @property
    def told(self) -> str:
        """When that was and which run, in a clause about the plan."""
        when = f"{datetime.fromtimestamp(self.at, timezone.utc):%Y-%m-%d at %H:%M UTC}"
        how, since = ("carried out", "") if self.is_whole else ("begun", ", and another one since")
        return f"was {how} on {when} by the run of {visible(self.by)}{since}"


@dataclass
class LastWrites:
    """What the runs of the last minute left of the sets that they changed, and what a service keeps though not wanted.

    *kept_ttls* is, for a set, the TTL that was sent and the one that the service kept instead. *text_form* is the
    sending form of TXT that was found to come back right, or empty. *sent* are the values that the last run was
    about to create, where it did not come to tell what it left. *plans* are the runs of reviewed plans by the digests
    of those, the last one at the end. *preferences* are the values of MX that were sent, for sets of which the service
    may show the hosts alone.
    """

    sets: dict[Key, Written] = field(default_factory=dict)
    kept_ttls: dict[Key, tuple[int, int]] = field(default_factory=dict)
    text_form: str = ""
    sent: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    plans: dict[str, PlanRun] = field(default_factory=dict)
    preferences: dict[Key, tuple[str, ...]] = field(default_factory=dict)

    def begin_plan(self, digest: str, by: str) -> None:
        """The run *by* is about to carry out a plan, and nobody goes on with another one."""
        self.plans.pop(digest, None)
        for other, run in self.plans.items():
            self.plans[other] = replace(run, is_over=True)
        self.plans[digest] = PlanRun(machine().time(), by)

    def end_plan(self, digest: str) -> None:
        """The zone is as a plan has it that was begun."""
        if digest in self.plans:
            self.plans[digest] = replace(self.plans[digest], is_whole=True, is_over=True)

    def spent(self, digest: str) -> PlanRun | None:
        """The run after which a plan is not to be carried out again; None where it is good, or to be gone on with."""
        run = self.plans.get(digest)
        return run if run and run.is_over else None

    def note(self, key: Key, before: RecordSet | None, now: RecordSet | None) -> None:
        """A set was *before*, and is *now*."""
        now = self._with_preferences(key, now)
        earlier, held = self.sets.get(key), frozenset(now.values if now else ())
        pending = earlier.pending_deletes if earlier else 0
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
        self.sets[key] = Written(now, tuple(gone), tuple(ttls), machine().time(), pending, growths, was_absent)

    def pending_deletes(self, key: Key) -> int:
        """How many DELETEs of a set may still be carried out, of those before the journal's."""
        return self.sets[key].pending_deletes if key in self.sets else 0

    def _with_preferences(self, key: Key, now: RecordSet | None) -> RecordSet | None:
        """The set as far as it is known what it holds, and that from now on."""
        if now and key.type == "MX":
            values = with_preferences("MX", now.values, self.preferences.get(key, ()))
            now = replace(now, values=values)
        known = tuple(value for value in now.values if not lacks_preference("MX", value)) if now else ()
        self.preferences.pop(key, None)
        if known and key.type == "MX":
            self.preferences[key] = known
        return now

    def shown(self, key: Key, held: RecordSet | None) -> None:
        """A set was written, and is read as it is *held*: what that shows of it need not be remembered."""
        _sent, kept = self.kept_ttls.get(key, (0, 0))
        if not held or held.ttl != kept:
            self.kept_ttls.pop(key, None)
        if not (held and any(lacks_preference(key.type, value) for value in held.values)):
            self.preferences.pop(key, None)

    def in_doubt(self, key: Key, creates: Sequence[str], *, deletes: bool) -> None:
        """A set of MX is about to get these values, after it was deleted or not; who is killed does not tell of it."""
        known = self.preferences.get(key, ())
        # The host of one that is only added may be shown because of the other that is there.
        new = (value for value in creates if deletes or not is_among("MX", value.rpartition(" ")[2], known))
        if key.type == "MX" and creates:
            self.preferences[key] = tuple(dict.fromkeys((*known, *new)))

    def may_go(self, key: Key, pending: int, held: RecordSet | None = None, at: float = 0.0) -> None:
        """So many DELETEs of a set may still be carried out.

        Where it was not noted, it has not been written since *at* (seconds since 1970), and is *held*.
        """
        written = self.sets.get(key) or (Written(held, (), (), at) if held and pending else None)
        if written:
            self.sets[key] = replace(written, pending_deletes=min(pending, MOST_DELETES))

    def goes(self, keys: Iterable[Key]) -> None:
        """These sets are about to be deleted on purpose: gone, they are not to come back."""
        for key in keys:
            if key in self.sets:
                self.sets[key] = replace(self.sets[key], is_to_go=True)

    def completes(self, keys: Iterable[Key]) -> None:
        """What DELETEs took of these sets is about to be completed, which counts those that are still to come anew."""
        for key in keys:
            self.may_go(key, 0)

    def gone(self, held: Held) -> list[tuple[RecordSet, float, int]]:
        """What a DELETE without an answer seems to have taken along, when it was written, and how many may have.

        What is there again of such a set may have been added since.
        """
        return [
            (written.left, written.at, written.pending_deletes)
            for key, written in self.sets.items()
            if written.pending_deletes and written.left and not written.is_to_go and _lacks(held(key), written.left)
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
        at = machine().time() if sending else max((written.at for _key, written in sets), default=0.0)
        first = {
            "format": FORMAT,
            "at": at + ahead,
            "lasts": max((written.lasts for _key, written in sets), default=YOUNG),
            "kept_ttls": [[*key, *pair] for key, pair in list(self.kept_ttls.items())[-MOST_TTLS:]],
            "text_form": self.text_form,
            "preferences": [[*key, *values] for key, values in list(self.preferences.items())[-MOST_PREFERENCES:]],
            "plans": [
                [digest, run.at + ahead, run.by, run.is_whole, run.is_over]
                for digest, run in list(self.plans.items())[-MOST_PLANS:]
            ],
        }
        second = {
            "sets": [
                {
                    "key": key,
                    "left": written.left and written.left.as_result(),
                    "gone": written.gone,
                    "former_ttls": written.former_ttls,
                    "at": written.at + ahead,
                    "pending_deletes": written.pending_deletes,
                    "growths": [_as_written(growth, written.left) for growth in written.growths],
                    "was_absent": written.was_absent,
                    "is_to_go": written.is_to_go,
                }
                for key, written in sets
            ],
            "sent": [[*key, *values] for key, values in (sending or {}).items()],
        }
        return b"\n".join(json.dumps(line).encode() for line in (first, second))


def _lacks(held: RecordSet | None, left: RecordSet) -> bool:
    shown = frozenset(held.values if held else ())
    return not all(is_among(left.type, value, shown) for value in left.values)


def last_writes(content: bytes | None, ahead: float = 0.0) -> LastWrites:
    """What a memory says, without what is too old to be of use; nothing where it makes no sense.

    The times are by a clock that is *ahead* of this one (seconds). What seems to be of its future was written before it
    was set back, and counts as written now; nothing that seems to be further ahead than LATE is of use.
    """
    now = machine().time() + ahead
    try:
        first, _newline, second = (content or b"").partition(b"\n")
        held = json.loads(first)
        if held["format"] != FORMAT:
            return LastWrites()
        form = held["text_form"] if held["text_form"] in TEXT_FORMS else ""
        plans, preferences = dict(_plans(held.get("plans"), now, ahead)), dict(_preferences(held.get("preferences")))
        lasting = LastWrites({}, dict(_kept_ttls(held["kept_ttls"])), form, plans=plans, preferences=preferences)
        age = now - float(held["at"])
        if not -LATE <= age < float(held["lasts"]):
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
        is_to_go = item.get("is_to_go") is True
        written = Written(left, gone, ttls, min(at, now - ahead), _pending(item), growths, was_absent, is_to_go)
        if at - LATE <= now - ahead < at + written.lasts:
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


def _pending(item: Mapping[str, Any]) -> int:
    pending = item.get("pending_deletes")
    if pending is None:  # a version before this one counted none
        return MOST_DELETES if item["may_go"] is True else 0
    if not is_number_of_deletes(pending):
        raise ValueError("no number")
    return int(pending)


def is_number_of_deletes(number: Any) -> bool:
    """Whether it can tell how many DELETEs of a set were sent."""
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= MOST_DELETES


def _kept_ttls(items: Any) -> Iterator[tuple[Key, tuple[int, int]]]:
    for name, rdtype, *ttls in items:
        sent, kept = _ttls(ttls)
        yield Key(*_texts([name, rdtype])), (sent, kept)


def _preferences(items: Any) -> Iterator[tuple[Key, tuple[str, ...]]]:
    """What can be an MX value (RFC 1035, section 3.3.9); a version before this one kept none."""
    for item in items[-MOST_PREFERENCES:] if isinstance(items, list) else ():
        try:
            name, rdtype, *values = _texts(item)
        except ValueError:
            continue
        found = [_PREFERENCE.fullmatch(value) for value in values]
        if rdtype == "MX" and found and all(one and int(one[1]) < 2**16 for one in found):
            yield Key(name, rdtype), tuple(values)


def _plans(items: Any, now: float, ahead: float) -> Iterator[tuple[str, PlanRun]]:
    """What is not too old; a version before this one kept none."""
    for item in items[-MOST_PLANS:] if isinstance(items, list) else ():
        try:
            digest, at, by, is_whole, is_over = item
            # A clock that was set back makes no plan good once more.
            at = min(float(at), now)
            if not (_DIGEST.fullmatch(digest) and isinstance(by, str)):
                continue
        except (ValueError, TypeError, OverflowError):
            continue
        if now - at < PLANS_LAST:
            yield digest, PlanRun(at - ahead, by[:LONGEST_HOLDER], is_whole is True, is_over is not False)


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
