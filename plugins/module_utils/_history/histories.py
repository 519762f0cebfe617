# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What happened to the record sets of a zone: the history of each, and one door for all that is told and read. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import (
    is_among,
    lacks_preference,
    with_preferences,
)

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import Outcome
    from ansible_collections.zonesmith.dns.plugins.module_utils._history.set_history import SetHistory

LiveSetOf = Callable[[Key], "RecordSet | None"]
"""The set that a reading shows, with canonical values."""


@dataclass
class Histories:
    """The history of each set that was written lately, by a *clock* in seconds since 1970.

    *preferences* are the values of MX that were sent, for sets of which the service may show the hosts alone.
    """

    clock: Callable[[], float] = field(compare=False)
    sets: dict[Key, SetHistory] = field(default_factory=dict)
    preferences: dict[Key, tuple[str, ...]] = field(default_factory=dict)

    def copy(self) -> Histories:
        """The same, to go on from apart."""
        return replace(self, sets=dict(self.sets), preferences=dict(self.preferences))

    def believe(self, key: Key, live_set: RecordSet | None, seconds: float = 0.0) -> None:
        """A reading of so many *seconds* ago shows a set so, and counts for what it holds."""
        known = self.sets.get(key)
        live_set = self._with_preferences(key, live_set)
        self.sets[key] = known.believed(live_set, self.clock() - seconds) if known else _begun(key, live_set)

    def end_with(self, key: Key, shown: RecordSet | None, expected: RecordSet | None) -> None:
        """A run ends with a set that is *shown* so and *expected* so; what a late DELETE took is between the two."""
        if shown == expected or key not in self.sets:
            self.believe(key, shown)
        self.sets[key] = replace(self.sets[key], expected=self._with_preferences(key, expected), is_to_go=False)

    def send(self, key: Key, value: str | None, ttl: int = 0) -> None:
        """A value is about to be added to a set, with its TTL in seconds; with None, the set is about to be deleted."""
        self.sets[key] = (self.sets.get(key) or _begun(key, None)).sent(value, ttl, self.clock())

    def answer(self, key: Key, outcome: Outcome) -> None:
        """What came of what was sent last of a set."""
        known = self.sets[key].answered(outcome, self.clock())
        self.sets[key] = replace(known, expected=self._with_preferences(key, known.expected))

    def see_others(self, keys: Set[Key], live_set: LiveSetOf, seconds: float = 0.0) -> bool:
        """Expect what any reading of so many *seconds* ago shows of others in those sets that a DELETE may take yet.

        Also where they have put it in place of what was there. Whether more is expected than before.
        """
        is_more = False
        for key in filter(self.pending_deletes, self.sets.keys() & keys):
            known, shown = self.sets[key], live_set(key)
            self.sets[key] = known.expecting_too(shown, self.clock() - seconds)
            is_more |= self.sets[key] is not known
        return is_more

    def see_more(self, live_set: LiveSetOf, seconds: float = 0.0) -> None:
        """Believe a reading of so many *seconds* ago of each set that a DELETE may take yet.

        So what others have added comes back too.
        """
        self.see_others(self.sets.keys(), live_set, seconds)
        for key, shown in self.may_be_taken(live_set):
            if self.sets[key].at <= self.clock() - seconds:
                self.believe(key, shown, seconds)

    def shows_more(self, live_set: LiveSetOf) -> bool:
        """Whether a reading shows a value that a DELETE may take yet, and that would not come back.

        Or a set that one would have taken by now.
        """
        now = self.clock() if self.sets else 0.0
        return any(
            self.sets[key].knows_less_than(shown) or self.sets[key].is_to_be_read(now)
            for key, shown in self.may_be_taken(live_set)
        )

    def may_be_taken(self, live_set: LiveSetOf) -> list[tuple[Key, RecordSet | None]]:
        """The sets that a DELETE may take, and that lack nothing of what is expected there; none that is to go."""
        now = self.clock() if self.sets else 0.0
        pending = ((key, live_set(key)) for key, known in self.sets.items() if known.may_have_gone(now))
        return [
            (key, shown)
            for key, shown in pending
            if not (self.sets[key].is_to_go or self.sets[key].lacks_what_is_expected(shown))
        ]

    def see_before(self, key: Key, live_set: RecordSet | None, seconds: float) -> bool:
        """A reading of so many *seconds* ago showed a set so: one that lacks a value of that may be older.

        Whether it is certain which of both is.
        """
        now = self.clock()
        if live_set:
            told = self.preferences.get(key, ())
            live_set = replace(live_set, values=with_preferences(key.type, live_set.values, told))
        known = self.sets.get(key) or _begun(key, live_set)
        seen = known.seen_before(live_set, now - seconds, now)
        after = seen or known.expecting_too(live_set, now - seconds)
        if after.history.steps:
            self.sets[key] = after
        return seen is not None

    def is_surely_older(self, key: Key, live_set: RecordSet | None, seconds: float) -> bool:
        """Whether a reading of so many *seconds* ago, which showed a set so, is older than any of now."""
        now = self.clock()
        return (self.sets.get(key) or _begun(key, live_set)).is_surely_older(live_set, now - seconds, now)

    def see_added(self, key: Key, live_set: RecordSet | None) -> None:
        """A set that was read so is about to be deleted: what a reading proves of its additions can come no more."""
        if key in self.sets:
            self.sets[key] = self.sets[key].with_additions_done(live_set, self.clock())

    def see_removed(self, key: Key) -> None:
        """A reading shows that a set is gone, whichever of the deletions without an answer that was."""
        self.sets[key] = (self.sets.get(key) or _begun(key, None)).seen_removed(self.clock())

    def open_again(self, key: Key, deletes: int) -> None:
        """That a set was gone was shown by a reading from before it was made: so many DELETEs of it may yet come."""
        now, known = self.clock(), self.sets[key]
        seen = known.pending_deletes(now) - known.unseen_deletes(now)
        self.sets[key] = known.with_pending_deletes(seen + deletes, now, now)

    def expected(self, key: Key) -> RecordSet | None:
        """What a set holds as far as the last reading that was believed and the answers since tell."""
        return self.sets[key].expected if key in self.sets else None

    def refused_values(self, key: Key) -> frozenset[str]:
        """The values that were sent and never taken: one that is there all the same, somebody else has added."""
        return self.sets[key].refused_values if key in self.sets else frozenset()

    def sent_values(self, key: Key) -> list[str]:
        """The values of a set that were sent, and not refused."""
        return self.sets[key].sent_values if key in self.sets else []

    def unanswered_values(self, key: Key) -> list[str]:
        """The values of a set of which a request had no answer, and may have added them."""
        return self.sets[key].unanswered_values if key in self.sets else []

    def expect(self, key: Key, live_set: RecordSet | None) -> None:
        """A run goes on from a set that is so, whatever has made it so."""
        self.sets[key] = replace(self.sets[key], expected=self._with_preferences(key, live_set), is_to_go=False)

    def expect_too(self, added: RecordSet) -> None:
        """Others have added this to a set that a DELETE may take yet: it is to come back."""
        known = self.expected(added.key)
        new = (value for value in added.values if not is_among(added.type, value, values_of(known)))
        self.expect(added.key, replace(known or added, values=(*values_of(known), *new)))

    def pending_deletes(self, key: Key) -> int:
        """How many DELETEs of a set may still be carried out."""
        return self.sets[key].pending_deletes(self.clock()) if key in self.sets else 0

    def unseen_deletes(self, key: Key) -> int:
        """How many DELETEs may have been carried out, or may yet be, and no reading shows that."""
        return self.sets[key].unseen_deletes(self.clock()) if key in self.sets else 0

    def may_have_gone(self, key: Key) -> bool:
        """Whether a DELETE of a set may have been carried out, or may yet be, since the set was read last."""
        return key in self.sets and self.sets[key].may_have_gone(self.clock())

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

    def expect_preferences(self, key: Key, creates: Sequence[str], *, deletes: bool) -> None:
        """A set of MX is about to get these values, after it was deleted or not: what preferences it may have then."""
        known = self.preferences.get(key, ())
        # The host of one that is only added may be shown because of the other that is there.
        new = (value for value in creates if deletes or not is_among("MX", value.rpartition(" ")[2], known))
        if key.type == "MX" and creates:
            self.preferences[key] = tuple(dict.fromkeys((*known, *new)))

    def recall(self, told: SetHistory) -> None:
        """A journal tells this of a set: what was kept later counts, and the DELETEs of both that may still come.

        So does what others have added since, of which only the earlier one tells: what was read is no step.
        """
        there, now = self.sets.get(told.key, told), self.clock()
        later, earlier = (there, told) if there.at >= told.at else (told, there)
        later = later.with_pending_deletes(earlier.pending_deletes(now), earlier.at, now)
        self.sets[told.key] = later.expecting_too(earlier.expected, now, later.history.values)

    def about_to_delete(self, key: Key) -> SetHistory:
        """What is known of a set, and that it is about to be deleted."""
        return (self.sets.get(key) or _begun(key, None)).sent(None, 0, self.clock())

    def expect_removed(self, keys: Iterable[Key]) -> None:
        """These sets are about to be deleted on purpose: gone, they are not to come back."""
        for key in keys:
            if key in self.sets:
                self.sets[key] = replace(self.sets[key], is_to_go=True)

    def taken_late(self, live_set: LiveSetOf) -> list[SetHistory]:
        """The sets that a DELETE without an answer seems to have taken along, or a part of them.

        What is there again of such a set may have been added since.
        """
        now = self.clock() if self.sets else 0.0
        known = (one for one in self.sets.values() if one.expected and one.may_have_gone(now))
        return [one for one in known if one.lacks_what_is_expected(live_set(one.key))]

    def unconfirmed(self, live_set: LiveSetOf) -> dict[Key, tuple[str, ...]]:
        """The values that may have been added in the last minute, without an answer, and that a reading lacks."""
        found, now = dict[Key, tuple[str, ...]](), self.clock()
        for key, known in self.sets.items():
            sent = known.open_values if known.is_young(now) else ()
            shown = live_set(key)
            there = frozenset(shown.values if shown else ())
            missing = tuple(dict.fromkeys(one for one in sent if not is_among(key.type, one, there)))
            if missing:
                found[key] = missing
        return found

    def lacks_accepted(self, key: Key, live_set: RecordSet | None) -> bool:
        """Whether a reading is without a value of a set that the service has taken, and that none has shown so far."""
        return key in self.sets and self.sets[key].lacks_accepted(live_set)

    def has(self, key: Key, value: str | None) -> bool:
        """Whether a value of a set was written, or may have been; with None, whether the set was deleted."""
        return key in self.sets and self.sets[key].has(value)

    def contradicted(self, live_set: LiveSetOf, keys: Iterable[Key] | None = None) -> list[Key]:
        """The sets, of all or of *keys*, that a reading may show as they were before; a later one tells."""
        known = [self.sets[key] for key in (list(self.sets) if keys is None else keys) if key in self.sets]
        now = self.clock() if known else 0.0
        return [one.key for one in known if one.is_contradicted_by(live_set(one.key), now)]

    def may_be_of_others(self, key: Key, live_set: RecordSet | None) -> bool:
        """Whether a reading may show what others made of a set, or an unanswered DELETE, before or since."""
        return key in self.sets and self.sets[key].may_be_of_others(live_set, self.clock())

    def knows_nothing_of(self, key: Key, values: Collection[str]) -> bool:
        """Whether one of these values of a set that was just written was neither read nor sent before."""
        return key in self.sets and self.sets[key].knows_nothing_of(values, self.clock())

    def new_values(self, key: Key, values: Collection[str]) -> list[str]:
        """Of these values of a set that was written those that cannot be former ones, which an old reading shows."""
        return self.sets[key].new_values(values, self.clock()) if key in self.sets else []

    def shows_unknown(self, live_set: LiveSetOf) -> bool:
        """Whether a reading shows a value that was neither read nor sent before, of a set that was just written."""
        now = self.clock() if self.sets else 0.0
        shown = ((one, live_set(one.key)) for one in self.sets.values() if one.is_just_written(now))
        return any(there and one.knows_nothing_of(there.values, now) for one, there in shown)

    def is_outdated(self, key: Key, live_set: RecordSet | None) -> bool:
        """Whether a reading can only show a set as it was before what was surely done to it."""
        return key in self.sets and self.sets[key].is_outdated(live_set, self.clock())

    def may_be_former(self, key: Key, live_set: RecordSet | None) -> bool:
        """Whether a reading may show a set as it was before a deletion of late."""
        return key in self.sets and self.sets[key].may_be_former(live_set, self.clock())

    def may_be_earlier(self, key: Key, live_set: RecordSet | None) -> bool:
        """Whether a reading may show a set as it was before what was sent last, be it the same after that or not."""
        return key in self.sets and self.sets[key].may_be_earlier(live_set, self.clock())

    def needs_a_delete(self, key: Key, live_set: RecordSet | None) -> bool:
        """Whether a set can be so now only because of a deletion that nobody confirmed."""
        return key in self.sets and self.sets[key].needs_a_delete(live_set, self.clock())

    def concede(self, live_set: LiveSetOf) -> None:
        """All patience is spent on a reading: what it contradicts was undone by others, and what it shows counts."""
        for key in self.contradicted(live_set):
            self.sets[key] = self.sets[key].conceded(self._with_preferences(key, live_set(key)), self.clock())


def _begun(key: Key, live_set: RecordSet | None) -> SetHistory:
    """The history of a set that begins here; a run of which there is nothing to tell pays for none."""
    from ansible_collections.zonesmith.dns.plugins.module_utils._history.set_history import begun

    return begun(key, live_set)
