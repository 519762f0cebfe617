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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import (
    is_among,
    lacks_preference,
    with_preferences,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE, Outcome
from ansible_collections.zonesmith.dns.plugins.module_utils._history.set_history import YOUNG, SetHistory, begun
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.histories import (
    as_kept,
    kept,
    kept_in_format_2,
    texts,
    ttls,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import LONGEST_HOLDER

FORMAT = 3
FORMER_FORMAT = 2
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
        return f"was {how} on {when} by the run of {printable(self.by)}{since}"


@dataclass
class LastWrites:
    """What the runs of the last minute left of the sets that they changed, and what a service keeps though not wanted.

    *kept_ttls* is, for a set, the TTL that was sent and the one that the service kept instead. *text_form* is the
    sending form of TXT that was found to come back right, or empty. *plans* are the runs of reviewed plans by the
    digests of those, the last one at the end. *preferences* are the values of MX that were sent, for sets of which the
    service may show the hosts alone.
    """

    sets: dict[Key, SetHistory] = field(default_factory=dict)
    kept_ttls: dict[Key, tuple[int, int]] = field(default_factory=dict)
    text_form: str = ""
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

    def believe(self, key: Key, held: RecordSet | None) -> None:
        """A reading shows a set so, and counts for what it holds."""
        known = self.sets.get(key)
        held = self._with_preferences(key, held)
        self.sets[key] = known.believed(held, machine().time()) if known else begun(key, held)

    def end_with(self, key: Key, shown: RecordSet | None, expected: RecordSet | None) -> None:
        """A run ends with a set that is *shown* so and *expected* so; what a late DELETE took is between the two."""
        if shown == expected or key not in self.sets:
            self.believe(key, shown)
        self.sets[key] = replace(self.sets[key], expected=self._with_preferences(key, expected), is_to_go=False)

    def send(self, key: Key, value: str | None, ttl: int = 0) -> None:
        """A value is about to be added to a set, with its TTL in seconds; with None, the set is about to be deleted."""
        self.sets[key] = (self.sets.get(key) or begun(key, None)).sent(value, ttl, machine().time())

    def answer(self, key: Key, outcome: Outcome) -> None:
        """What came of what was sent last of a set."""
        known = self.sets[key].answered(outcome, machine().time())
        self.sets[key] = replace(known, expected=self._with_preferences(key, known.expected))

    def see_gone(self, key: Key) -> None:
        """A reading shows that a set is gone, whichever of the deletions without an answer that was."""
        known = self.sets.get(key) or begun(key, None)
        self.sets[key] = replace(known.believed(None, machine().time()), is_to_go=known.is_to_go)

    def expected(self, key: Key) -> RecordSet | None:
        """What a set holds as far as the last reading that was believed and the answers since tell."""
        return self.sets[key].expected if key in self.sets else None

    def expect(self, key: Key, held: RecordSet | None) -> None:
        """A run goes on from a set that is *held* so, whatever has made it so."""
        self.sets[key] = replace(self.sets[key], expected=self._with_preferences(key, held), is_to_go=False)

    def pending_deletes(self, key: Key) -> int:
        """How many DELETEs of a set may still be carried out, of those before the journal's."""
        return self.sets[key].pending_deletes(machine().time()) if key in self.sets else 0

    def _with_preferences(self, key: Key, now: RecordSet | None) -> RecordSet | None:
        """The set as far as it is known what it holds, and that from now on."""
        if key.type != "MX":
            return now
        if now:
            now = replace(now, values=with_preferences("MX", now.values, self.preferences.get(key, ())))
        known = tuple(value for value in now.values if not lacks_preference("MX", value)) if now else ()
        self.preferences.pop(key, None)
        if known:
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

    def recall_deletes(self, key: Key, before: RecordSet | None, sent_deletes: int, at: float) -> None:
        """An interrupted run was to delete a set that was so *before*, with so many DELETEs, the last one sent *at*.

        They are counted with those that were known.
        """
        now, known = machine().time(), self.sets.get(key) or begun(key, before)
        self.sets[key] = known.with_pending_deletes(sent_deletes, at, now)

    def expect_gone(self, keys: Iterable[Key]) -> None:
        """These sets are about to be deleted on purpose: gone, they are not to come back."""
        for key in keys:
            if key in self.sets:
                self.sets[key] = replace(self.sets[key], is_to_go=True)

    def taken_late(self, held: Held) -> list[tuple[RecordSet, float, int]]:
        """What a DELETE without an answer seems to have taken along, when it was written, and how many may have.

        What is there again of such a set may have been added since.
        """
        return [
            (known.expected, known.at, pending)
            for key, known in self.sets.items()
            if (pending := self.pending_deletes(key)) and known.expected and known.lacks_what_is_expected(held(key))
        ]

    def unconfirmed(self, held: Held) -> dict[Key, tuple[str, ...]]:
        """The values that may have been added in the last minute, without an answer, and that a reading lacks."""
        found, now = dict[Key, tuple[str, ...]](), machine().time()
        for key, known in self.sets.items():
            sent = known.open_values if now - known.at < YOUNG else ()
            shown = held(key)
            there = frozenset(shown.values if shown else ())
            missing = tuple(dict.fromkeys(one for one in sent if not is_among(key.type, one, there)))
            if missing:
                found[key] = missing
        return found

    def has(self, key: Key, value: str | None) -> bool:
        """Whether a value of a set was written, or may have been; with None, whether the set was deleted."""
        return key in self.sets and self.sets[key].has(value)

    def contradicted(self, held: Held, keys: Iterable[Key] | None = None) -> list[Key]:
        """The sets, of all or of *keys*, that a reading may show as they were before; a later one tells."""
        now = machine().time()
        known = [self.sets[key] for key in (list(self.sets) if keys is None else keys) if key in self.sets]
        return [one.key for one in known if one.is_contradicted_by(held(one.key), now)]

    def is_outdated(self, key: Key, held: RecordSet | None) -> bool:
        """Whether a reading may show a set as it was before what was surely done to it."""
        return key in self.sets and self.sets[key].is_outdated(held, machine().time())

    def former_values(self, key: Key) -> list[str]:
        """The values that were in a set lately, or were sent."""
        states = self.sets[key].history.states if key in self.sets else ()
        return [value for state in states for value in state.values]

    def may_be_earlier(self, key: Key, held: RecordSet | None) -> bool:
        """Whether a reading may show a set as it was before what was sent last, be it the same after that or not."""
        return key in self.sets and self.sets[key].may_be_earlier(held, machine().time())

    def needs_a_delete(self, key: Key, held: RecordSet | None) -> bool:
        """Whether a set can be held so now only because of a deletion that nobody confirmed."""
        return key in self.sets and self.sets[key].needs_a_delete(held, machine().time())

    def forget(self, held: Held) -> None:
        """Believe a reading: what contradicts it was undone by somebody else."""
        for key in self.contradicted(held):
            self.sets[key] = self.sets[key].undone(self._with_preferences(key, held(key)), machine().time())

    def content(self, ahead: float = 0.0) -> bytes:
        """The memory, for a clock that is *ahead* (seconds).

        What is kept for long is the first line, and the sets are the second.
        """
        now = machine().time()
        # A thread that was left behind may still note something.
        sets = [lasting for known in list(self.sets.values()) if (lasting := known.lasting(now))]
        first = {
            "format": FORMAT,
            "at": max((known.at for known in sets), default=0.0) + ahead,
            "kept_ttls": [[*key, *pair] for key, pair in list(self.kept_ttls.items())[-MOST_TTLS:]],
            "text_form": self.text_form,
            "preferences": [[*key, *values] for key, values in list(self.preferences.items())[-MOST_PREFERENCES:]],
            "plans": [
                [digest, run.at + ahead, run.by, run.is_whole, run.is_over]
                for digest, run in list(self.plans.items())[-MOST_PLANS:]
            ],
        }
        second = {"sets": [as_kept(known, ahead) for known in sets]}
        return b"\n".join(json.dumps(line).encode() for line in (first, second))


def last_writes(content: bytes | None, ahead: float = 0.0) -> LastWrites:
    """What a memory says, without what is too old to be of use; nothing where it makes no sense.

    The times are by a clock that is *ahead* of this one (seconds). What seems to be of its future was written before it
    was set back, and counts as written now; nothing that seems to be further ahead than LATE is of use.
    """
    now = machine().time()
    try:
        first, _newline, second = (content or b"").partition(b"\n")
        held = json.loads(first)
        if held["format"] not in (FORMAT, FORMER_FORMAT):
            return LastWrites()
        form = held["text_form"] if held["text_form"] in TEXT_FORMS else ""
        by_store = now + ahead
        plans = dict(_plans(held.get("plans"), by_store, ahead))
        preferences = dict(_preferences(held.get("preferences")))
        lasting = LastWrites({}, dict(_kept_ttls(held["kept_ttls"])), form, plans=plans, preferences=preferences)
        if not -LATE <= by_store - float(held["at"]) < LATE:
            return lasting
        of_sets = json.loads(second)
        if held["format"] == FORMER_FORMAT:
            return replace(lasting, sets=dict(kept_in_format_2(of_sets, now, ahead)))
        return replace(lasting, sets=dict(kept(of_sets["sets"], now, ahead)))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return LastWrites()


def _kept_ttls(items: Any) -> Iterator[tuple[Key, tuple[int, int]]]:
    for name, rdtype, *pair in items:
        sent, kept_instead = ttls(pair)
        yield Key(*texts([name, rdtype])), (sent, kept_instead)


def _preferences(items: Any) -> Iterator[tuple[Key, tuple[str, ...]]]:
    """What can be an MX value (RFC 1035, section 3.3.9); a version before this one kept none."""
    for item in items[-MOST_PREFERENCES:] if isinstance(items, list) else ():
        try:
            name, rdtype, *values = texts(item)
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
