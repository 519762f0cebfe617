# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a reading after the writing says of a plan: what is still to do, and what the service will never do. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import as_read, is_text
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    RecordSet,
    is_owned_by_service,
    signs_zone,
    values_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import plan, replaced_by
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.external import misread_values, values_of_others


class Verification:
    """What must hold after the *planned* changes, and what became of it as far as readings tell.

    What *stays* was so in the *first* reading, and others may undo it meanwhile: it is done again where the task
    *redoes* what nobody has planned. What a DELETE has taken late of it (*keys_taken_late* of a reading) is not mended
    here: more than what the task wants has gone with it. Texts that were *refused_unquoted* may be there as what the
    service made of them, beside themselves.
    """

    def __init__(
        self,
        planned: tuple[Change, ...],
        stays: Iterable[Wanted] = (),
        first: LiveZone | None = None,
        refused_unquoted: Set[str] = frozenset(),
        *,
        redoes: bool = True,
        keys_taken_late: Callable[[LiveZone], Collection[Key]] = lambda _live: (),
    ):
        self._redoes = redoes
        self._keys_taken_late = keys_taken_late
        self._refused_unquoted = refused_unquoted
        self._stays = {one.key: one for one in stays} if first else {}
        self._first = first
        self._planned = {change.key: change for change in planned}
        self._wanted = {change.key: change.remaining() for change in planned}
        self.kept_ttls: dict[Key, tuple[int, int]] = {}
        """The TTL that was sent, and the one that the service kept instead."""
        self._former_ttls: dict[Key, set[int]] = {}
        """Those of sets that a further round deletes, which a late reading may still show after it."""
        self._made_anew_with: dict[Key, tuple[str, ...]] = {}
        """The values of sets that a further round deletes and makes anew, those of others too."""
        self.returned: list[Key] = []
        """Sets that were pruned and are there again."""
        self.misread: dict[Key, list[str]] = {}
        """Values that the service made of the texts that were sent, as far as they were not dealt with."""
        self.spoilt: set[tuple[Key, str]] = set()
        """The texts that it made them of, and of which set."""
        self.external_removed: dict[Key, tuple[str, ...]] = {}
        """Values that others wrote meanwhile, as far as a further round removes them."""
        self.overwritten: dict[Key, RecordSet] = {}
        """Sets that a further round deletes with what others wrote to them: as they were, and with that."""
        self.taken_on: list[Change] = []
        """What others have undone meanwhile, and a further round does again."""

    @property
    def keys(self) -> frozenset[Key]:
        """The planned sets."""
        return frozenset(self._planned)

    def forgo(self, keys: Iterable[Key]) -> None:
        """Ask no more for these sets."""
        for key in keys:
            self._wanted.pop(key, None)

    def is_final(
        self,
        live: LiveZone,
        *,
        is_outdated: bool = False,
        is_doubtful: Callable[[Change], bool] = lambda _change: False,
    ) -> bool:
        """Whether the reading shows all that was written, be it not as it was meant; no later one shows more.

        One that *is_outdated* may show what is wanted because it was so before. What *is_doubtful* of what remains to
        be done, a later one may show otherwise.
        """
        try:
            remaining = self._remaining(live)
        except PlanRefused:  # what a late reading shows may be long gone
            return False
        return (
            all(self._is_certain(change, is_outdated=is_outdated or is_doubtful(change)) for change in remaining)
            if remaining
            else not is_outdated
        )

    def judge(self, live: LiveZone, refused: Collection[Key] = ()) -> tuple[Change, ...]:
        """Judge what was made by a reading that no patience will better; what remains to be done. Raises PlanRefused.

        *refused* are the sets of which values were not taken because they were there.
        """
        self.misread, self.spoilt = {}, set()
        remaining = self._remaining(live)
        late = self._keys_taken_late(live) if remaining else ()  # whatever is there of those, others may have made
        for change in remaining:
            if change.key in self._stays:
                self._take_on(change)
            elif change.is_pruned:
                self.returned.append(change.key)
                self.forgo([change.key])
            elif values := self._misread(change, is_final=True):
                self.misread[change.key] = [*values]
                there = values_of(change.before)
                self.spoilt.update((change.key, value) for value in values.values() if value not in there)
                wanted = self._wanted[change.key]
                self._wanted[change.key] = replace(wanted, unwanted=(*wanted.unwanted, *values))
            elif (sent_and_kept := self._ttls(change)) and not self._may_be_theirs(change, {*refused, *late}):
                # Sent anew it would only be kept anew.
                self.kept_ttls[change.key] = sent_and_kept
                self._wanted[change.key] = replace(self._wanted[change.key], ttl=sent_and_kept[1])
        again = self._remaining(live) if remaining else ()
        self._make_anew(again)
        for change in again:
            if change.deletes and change.before:
                self._former_ttls.setdefault(change.key, set()).add(change.before.ttl)
        return again

    def _make_anew(self, changes: Iterable[Change]) -> None:
        """What is deleted with the rest of a set has to be there again after it."""
        deleting = [change for change in changes if change.deletes]
        self._wanted |= {change.key: change.remaining() for change in deleting}
        self._made_anew_with |= {change.key: values_of(change.after) for change in deleting}

    def _take_on(self, change: Change) -> None:
        """Do again what was so in the first reading, and others have undone."""
        del self._stays[change.key]
        before = live_set_of(self._first, change.key) if self._first else None
        self._planned[change.key] = replace(change, before=before)
        self._wanted[change.key] = change.remaining()
        self.taken_on.append(change)

    def plan_again(self, live: LiveZone, keys: Collection[Key]) -> list[Change]:
        """The changes of these sets in the zone as it is now. Raises PlanRefused.

        What a set is made anew with has to be there after it, be it of others.
        """
        again = [change for change in self._remaining(live) if change.key in keys]
        self._make_anew(again)
        return again

    def require_external(
        self, live: LiveZone, key: Key, new_values: Callable[[Collection[str]], list[str]]
    ) -> tuple[str, ...]:
        """What a reading shows of others in a set that a DELETE may take yet has to be there in the end.

        Only *new_values* do: an old reading shows former ones. Gives what had not to be there before.
        """
        wanted = self._wanted.get(key)
        live_set = live.record_sets.get(key)
        if wanted and live_set and wanted.keeps_others:
            goes = frozenset(replaced_by(live.name, live_set, wanted) if wanted.replaces else ())
            others = self._external(key, live_set_of(live, key), wanted.values)
            new = tuple(new_values([value for value in others if value not in goes]))
            self._wanted[key] = replace(wanted, values=(*wanted.values, *new)) if new else wanted
            return new
        return ()

    def external(self, remaining: Iterable[Change]) -> dict[Key, tuple[str, ...]]:
        """The values, by set, that the *remaining* changes meet in the zone, and that no plan and no service made."""
        found = {change.key: self._external(change.key, change.before) for change in remaining if change.before}
        return {key: values for key, values in found.items() if values}

    def _external(self, key: Key, live_set: RecordSet | None, known: Iterable[str] = ()) -> tuple[str, ...]:
        planned, former = self._planned[key], (*self._wanted[key].unwanted, *known)
        return values_of_others(live_set, planned.before, planned.after, former=former)

    def external_in(self, live: LiveZone) -> dict[Key, tuple[str, ...]]:
        """The same of what a reading shows of all sets that are asked for, where it is not what the first one did."""
        shown, first = live.record_sets, self._first.record_sets if self._first else {}
        changed = [key for key in [*self._wanted] if key in shown and shown[key] != first.get(key)]
        found = {key: self._external(key, live_set_of(live, key)) for key in changed}
        return {key: values for key, values in found.items() if values}

    def take_external(self, remaining: Iterable[Change], refused: Mapping[Key, Collection[str]]) -> None:
        """Remember what of others a further round deletes, to create it again or because the task wants it gone.

        What was *refused* because it was there may be theirs too.
        """
        for change in remaining:
            planned, there = self._planned[change.key], values_of(change.before)
            theirs = (value for value in refused.get(change.key, ()) if value in there)
            values = (*values_of_others(change.before, planned.before, planned.after), *theirs)
            values = tuple(value for value in values if value not in self.misread.get(change.key, ()))
            if not (change.deletes and change.before and values):
                continue
            was = self.overwritten.get(change.key) or self._planned[change.key].before
            was = was or replace(change.before, values=())
            self.overwritten[change.key] = replace(was, values=tuple(dict.fromkeys((*was.values, *values))))
            stay = values_of(change.after)
            removed = [*self.external_removed.get(change.key, ()), *(value for value in values if value not in stay)]
            if removed:
                self.external_removed[change.key] = tuple(dict.fromkeys(removed))

    def external_removed_from(self, live: LiveZone) -> dict[Key, tuple[str, ...]]:
        """What a further round was to remove of others, as far as it is not there any more."""
        found = {}
        for key, values in self.external_removed.items():
            live_set = live_set_of(live, key)
            found[key] = tuple(one for one in values if not (live_set and is_among(key.type, one, live_set.values)))
        return {key: values for key, values in found.items() if values}

    def with_others(self, planned: Iterable[Change]) -> tuple[Change, ...]:
        """The changes, with what was deleted of others in the sets before them."""
        return tuple(replace(change, before=self.overwritten.get(change.key, change.before)) for change in planned)

    @staticmethod
    def _ttls(change: Change) -> tuple[int, int] | None:
        """The TTL that was sent and the one that is kept, where they are not one."""
        live_set, after = change.before, change.after
        return (after.ttl, live_set.ttl) if live_set and after and live_set.ttl != after.ttl else None

    def _may_be_theirs(self, change: Change, refused: Collection[Key]) -> bool:
        """Whether the set may have a TTL that somebody else sent, or the one that it had and never lost.

        It is the service's own where the run has made the set, and the set holds nothing that it was not made with.
        What this run has removed, and is there, somebody else has put there.
        """
        planned, there, stay = self._planned[change.key], values_of(change.before), values_of(change.after)
        is_made = planned.before is None or planned.deletes or change.key in self._made_anew_with
        is_put_back = not set(there) <= set(stay)
        others = self._external(change.key, change.before, self._made_anew_with.get(change.key, ()))
        return change.key in refused or not is_made or is_put_back or bool(others)

    def ttls_that_nobody_wants(self, live: LiveZone) -> dict[Key, tuple[int, int]]:
        """The TTL that a set was to keep, because nobody says one, and the one that it has."""
        found = {}
        for key, change in self._planned.items():
            before, after, live_set = change.before, change.after, live.record_sets.get(key)
            if change.wanted.ttl is None and before and after and live_set and before.ttl == after.ttl != live_set.ttl:
                found[key] = before.ttl, live_set.ttl
        return found

    def _remaining(self, live: LiveZone) -> tuple[Change, ...]:
        stays = self._shown_otherwise(live) if self._redoes else {}
        wanted = {**stays, **self._wanted}
        changes = plan(live.name, live.record_sets, wanted.values()).changes
        return tuple(replace(change, wanted=wanted[change.key]) for change in changes)

    def undone(self, live: LiveZone) -> tuple[Change, ...]:
        """What would have to be done again of what stays. Raises PlanRefused."""
        return plan(live.name, live.record_sets, self._shown_otherwise(live).values()).changes

    def _shown_otherwise(self, live: LiveZone) -> dict[Key, Wanted]:
        """What stays, of the sets that a reading shows otherwise than the first one."""
        first, late = self._first.record_sets if self._first else {}, self._keys_taken_late(live)
        shown = live.record_sets
        undone = {key: one for key, one in self._stays.items() if shown.get(key) != first.get(key) and key not in late}
        ttls = {key: first[key].ttl for key in undone if key in first}
        return {key: replace(one, default_ttl=ttls.get(key, one.default_ttl)) for key, one in undone.items()}

    def _is_certain(self, change: Change, *, is_outdated: bool) -> bool:
        """Whether what is not as wanted cannot have been so before the writing."""
        if change.key in self._stays:
            return False
        if self.is_misread(change):
            return not is_outdated
        before, live_set, after = self._planned[change.key].before, change.before, change.after
        if not live_set or not after or set(live_set.values) != set(after.values):
            return False
        former = {*self._former_ttls.get(change.key, ()), *([before.ttl] if before else ())}
        return not is_outdated and live_set.ttl not in former

    def is_misread(self, change: Change) -> bool:
        """Whether a reading shows what the service made of a text; what was dealt with is shown until it is gone."""
        return not set(self._misread(change)) <= set(self._wanted[change.key].unwanted)

    def _misread(self, change: Change, *, is_final: bool = False) -> dict[str, str]:
        """The values of a text set that nobody planned, and that are what services make of those that were sent."""
        there = values_of(change.before)
        spoilt = (value for value in self._sent(change.key) if value not in there or value in self._refused_unquoted)
        return misread_values(change.before, spoilt, self._known(change.key, is_final=is_final))

    def _sent(self, key: Key) -> tuple[str, ...]:
        """The values that were sent for a set, with those of others that a further round has made anew with it."""
        return (*self._planned[key].creates, *self._made_anew_with.get(key, ()))

    def still_misread(self, live: LiveZone) -> dict[Key, list[str]]:
        """What the service made of texts that were sent, and that nobody may have meant otherwise, by set.

        It is there beside what was sent, where a text was refused since, or where somebody else has added that text.
        Of one that was refused, it may be from before.
        """
        found = {}
        for key in filter(lambda key: is_text(key.type), self._planned):
            sent, wanted = self._sent(key), self._planned[key].wanted.values
            refused = self._refused_unquoted & {*sent}
            known = {*wanted} if refused else {*wanted, *self._known(key)}
            found[key] = [*misread_values(live_set_of(live, key), refused or sent, known)]
        return {key: values for key, values in found.items() if values}

    def rejoined(self) -> dict[Key, list[str]]:
        """Texts that were shown in several strings of their own, in sets that were sent again: each was sent as one."""
        first = self._first.record_sets if self._first else {}
        found = {}
        for key, change in self._planned.items():
            if is_text(key.type) and key in first and change.deletes and change.after:
                from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_values import (
                    is_in_strings_of_its_own,
                )

                shown = filter(is_in_strings_of_its_own, first[key].values)
                found[key] = [value for value in shown if as_read(key.type, value, "") in change.after.values]
        return {key: values for key, values in found.items() if values}

    def removed_beside(self, live: LiveZone) -> dict[Key, list[str]]:
        """What was at the owner names that were written to and is not there any more, though nobody planned that."""
        if not self._first:
            return {}
        names, first, found = {key.name for key in self._planned}, self._first, dict[Key, list[str]]()
        late = self._keys_taken_late(live)  # which is created again next
        for key, shown in first.record_sets.items():
            if key.name not in names or key in (*self._stays, *late) or live.record_sets.get(key) == shown:
                continue
            # What was deleted on the way is verified whole, and what the service makes itself changes by itself.
            is_verified = key in self._planned and self._planned[key].deletes
            if is_verified or is_owned_by_service(*key, live.name) or signs_zone(*key, live.name):
                continue
            before, live_set = live_set_of(first, key), live_set_of(live, key)
            there = values_of(live_set)
            found[key] = [value for value in values_of(before) if not is_among(key.type, value, there)]
        return {key: values for key, values in found.items() if values}

    def _known(self, key: Key, *, is_final: bool = False) -> set[str]:
        """The values that the plan knows of a set, before and after; once it *is_final*, only what it leaves."""
        planned = self._planned[key]
        sides = (planned.after,) if is_final else (planned.before, planned.after)
        return {value for side in sides for value in values_of(side)}
