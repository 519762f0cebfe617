# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a journal and a zone say together: what was left undone, and what is incomplete yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import (
    Key,
    LiveSets,
    RecordSet,
    at_names,
    same_set,
    values_of,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import LATE
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.ledger_step import LedgerStep
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.plan import NOTHING, Plan, plan
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.refused import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.wanted import Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._service.client import LiveZone
from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Entry
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.external import values_of_others
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import MakePlan

ANNOUNCED_LASTS = 4.0
"""Seconds within which a DELETE is sent after it was journaled; later it is journaled anew before."""


def plan_once_complete(make_plan: MakePlan, memory: Memory, live: LiveZone, leftover: Collection[Entry]) -> Plan:
    """What a task would do if all that was left were complete; nothing where that is nothing, or is refused."""
    if leftover:
        with suppress(PlanRefused):
            return make_plan(once_complete(live, leftover), memory)
    return NOTHING


@dataclass(frozen=True)
class Unfinished:
    """What a journal and a reading say together.

    *changes* only add what is missing. *as_before* are entries of names at which all is shown as it was before: their
    DELETE may still be carried out. *overwritten_by_others* are entries of sets that others have given values of their
    own, *impossible* those that no plan leads to.
    """

    changes: tuple[Change, ...] = ()
    as_before: tuple[Entry, ...] = ()
    overwritten_by_others: tuple[Entry, ...] = ()
    impossible: tuple[Entry, ...] = ()


def unfinished(live: LiveZone, entries: Iterable[Entry]) -> Unfinished:
    """What still has to be created so that no set is missing what an interrupted run had deleted.

    Values that somebody added meanwhile stay, and so does a record of somebody else that makes the missing ones
    impossible. Where what is left of the name's own sets does, the way leads back to what was there before.
    """
    changes: list[Change] = []
    as_before: list[Entry] = []
    overwritten: list[Entry] = []
    impossible: list[Entry] = []
    groups = by_name(entries)
    there = at_names(live.record_sets, groups)
    for name, group in groups.items():
        if all(is_as_before(live, entry) for entry in group):
            as_before += group
            continue
        given = [entry for entry in group if _is_overwritten_by_others(entry, live_set_of(live, entry.key))]
        overwritten += given
        own = [entry for entry in group if entry not in given]
        sides = [entry.after for entry in own], [entry.before for entry in own]
        ways = (_additions(live.name, there[name], side) for side in sides)
        way = next((additions for additions in ways if additions is not None), None)
        if way is None:
            impossible += own
        else:
            changes += way
    return Unfinished(tuple(changes), tuple(as_before), tuple(overwritten), tuple(impossible))


def once_complete(live: LiveZone, entries: Iterable[Entry]) -> LiveSets:
    """The sets of a zone, and what can be completed as it would be then."""
    completed = {change.key: change.after for change in unfinished(live, entries).changes if change.after}
    return {**live.record_sets, **completed}


def as_wanted_now(make_plan: MakePlan, memory: Memory, live: LiveZone, entries: Collection[Entry]) -> list[Entry]:
    """The entries, where nothing is there of a set, with what the task would rebuild it to once it is complete.

    Created as it was meant, it would be deleted at once again. Where the task speaks for an owner, its own plan creates
    that all the same: it keeps first whose the values are. So it does where people review it.
    """
    planned = plan_once_complete(make_plan, memory, live, entries)
    changes = () if planned.is_for_review else planned.changes
    rebuilt = {change.key: change.after for change in changes if change.action == "rebuild" and not change.because}
    missing = {change.key for change in unfinished(live, entries).changes if change.before is None}
    after = {key: wanted for key, wanted in rebuilt.items() if key in missing}
    return [_leading_to(entry, after[entry.key]) if entry.key in after else entry for entry in entries]


def _additions(zone: str, shown: LiveSets, sides: Iterable[RecordSet | None]) -> tuple[Change, ...] | None:
    """The changes that add what these sets of one name lack, of which some are *shown*; None where no zone can."""
    wanted = [Wanted(*side.key, side.values, keeps_others=True, default_ttl=side.ttl) for side in sides if side]
    try:
        return plan(zone, shown, wanted).changes
    except PlanRefused:
        return None


def is_judged_too_early(live: LiveZone, entries: Iterable[Entry], patience: float) -> bool:
    """Whether a set that was to be deleted is shown as it was before, less than *patience* seconds after that."""
    return any(entry.age < patience and _is_from_before(live, entry) for entry in entries)


def _is_from_before(live: LiveZone, entry: Entry) -> bool:
    """Whether a set that was to be deleted is shown as it was before the first round, or before a later DELETE.

    So may one be that lacks nothing of what it is to be, where that is a part of what it was.
    """
    live_set, before = live_set_of(live, entry.key), entry.before
    if not (entry.deletes and live_set and before):
        return False
    is_part = live_set.ttl == before.ttl and all(is_among(before.type, one, before.values) for one in live_set.values)
    is_whole = is_part and not lacks(live, entry.key, entry.after)
    return is_whole or same_set(live_set, before) or same_set(live_set, entry.known.expected)


def by_name(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The entries of every owner name, in order."""
    ordered = sorted(entries, key=lambda entry: entry.key)
    return {name: list(group) for name, group in groupby(ordered, key=lambda entry: entry.key.name)}


def is_as_before(live: LiveZone, entry: Entry) -> bool:
    """Whether a reading shows the set of an entry as it was before."""
    return same_set(live_set_of(live, entry.key), entry.before)


def _is_overwritten_by_others(entry: Entry, live_set: RecordSet | None) -> bool:
    """Whether somebody gave the set values of neither side, and did not just add to what the run had created."""
    if live_set is None or entry.after is None or not values_of_others(live_set, entry.before, entry.after):
        return False
    if entry.is_taken_late:  # the values of others were added after it
        return False
    wanted = entry.after.values
    return entry.age > LATE or not any(is_among(live_set.type, value, wanted) for value in live_set.values)


def incomplete(entries: Iterable[Entry], live: LiveZone, pending: Collection[Key] = ()) -> list[Entry]:
    """The entries of the names that lack something of what they held before, and of what they should hold.

    By name: where an address takes the place of a CNAME, the one may be gone as it should and the other not yet there.
    What lacks nothing may do so yet, where a DELETE is *pending*.
    """
    entries = list(entries)
    lack_old = {entry.key.name for entry in entries if lacks(live, entry.key, entry.before)}
    lack_new = {entry.key.name for entry in entries if lacks(live, entry.key, entry.after)}
    names = (lack_old & lack_new) | {key.name for key in pending}
    return [entry for entry in entries if entry.key.name in names]


def before_with_others(entry: Entry, live_set: RecordSet | None) -> RecordSet | None:
    """The set as it was before, and with it what others have added since."""
    others = values_of_others(live_set, entry.before, entry.after)
    if not (live_set and others):
        return entry.before
    before = entry.before or replace(live_set, values=())
    return replace(before, values=before.values + others)


def with_others(entry: Entry, before: RecordSet, others: Sequence[str]) -> Entry:
    """The entry of a set that is to be put back as *before*, which includes what *others* have added."""
    wanted = values_of(entry.after)
    return replace(entry, before=before, after=replace(entry.after or before, values=(*wanted, *others)))


def with_what_came_late(leftover: Iterable[Entry], late: Iterable[Entry], live: LiveZone) -> tuple[Entry, ...]:
    """The entries of what a DELETE has taken *late*, and what an earlier run left, which says more of its sets.

    With that is what others have added, as the late ones tell. Where they have given a set values of their own, and a
    reading shows those, that is for people to judge: they do not count as what the run was to hold.
    """
    by_key = {entry.key: entry for entry in late}
    for entry in leftover:
        taken, live_set = by_key.get(entry.key), live_set_of(live, entry.key)
        others = values_of_others(taken.after, entry.before, entry.after) if taken else ()
        there = values_of(live_set) if others and _is_overwritten_by_others(entry, live_set) else ()
        by_key[entry.key] = with_external(entry, (one for one in others if not is_among(entry.key.type, one, there)))
    return tuple(by_key.values())


def with_what_is_of_others(entry: Entry, live_set: RecordSet | None) -> Entry:
    """The entry, and with it what a reading shows of others in its set."""
    return with_external(entry, values_of_others(live_set, entry.before, entry.after))


def with_external(entry: Entry, values: Iterable[str]) -> Entry:
    """The entry, and with it these values that others have added: a DELETE that takes the set takes them too."""
    before = entry.before or (entry.after and replace(entry.after, values=()))
    known = frozenset((*values_of(entry.before), *values_of(entry.after)))
    new = tuple(value for value in values if not is_among(entry.key.type, value, known))
    return with_others(entry, replace(before, values=(*before.values, *new)), new) if before and new else entry


def with_leftover(
    entries: Iterable[Entry], leftover: Iterable[Entry], changes: Iterable[Change], live: LiveZone
) -> list[Entry]:
    """These *entries*, and with them the *leftover* ones of an earlier run, as far as no change has dealt with it.

    A change that says what its set holds has done so once the zone lacks nothing of that; until then, the next run is
    to complete it. One that only adds or takes out some values leaves what the zone lacks of the others to that run.
    """
    by_key = {change.key: change for change in changes}
    kept = {entry.key: entry for entry in entries}
    for entry in leftover:
        change = by_key.get(entry.key)
        if change is None:
            kept.setdefault(entry.key, entry)
        elif change.after and change.wanted.keeps_others:
            stay = frozenset(change.after.values)
            removed = (value for value in values_of(change.before) if value not in stay)
            rest = _without(entry, {*change.wanted.unwanted, *removed})
            if incomplete([rest], live):
                kept[entry.key] = _both(kept.get(entry.key), rest)
        elif lacks(live, entry.key, change.after):
            kept.setdefault(entry.key, _leading_to(entry, change.after))
    return list(kept.values())


def found_as_wanted(leftover: Iterable[Entry], live: LiveZone, stays: Iterable[Wanted]) -> dict[Key, RecordSet]:
    """What each set of *leftover* is to hold that is shown as before, and that a task finds as it wants it.

    That is all that is shown; where the task speaks of single values, only those of it that the task wants or the
    interrupted run was to leave.
    """
    wanted, found = {one.key: one for one in stays if one.values or one.unwanted}, dict[Key, RecordSet]()
    for entry in leftover:
        live_set, one = live_set_of(live, entry.key), wanted.get(entry.key)
        if one and live_set and is_as_before(live, entry):
            left = (*one.values, *values_of(entry.after))
            stay = [value for value in live_set.values if not one.keeps_others or is_among(one.type, value, left)]
            if stay:
                found[entry.key] = replace(live_set, values=tuple(stay))
    return found


def without_unwanted(
    leftover: Iterable[Entry], live: LiveZone, once_complete: Iterable[Change], planned: Iterable[Change]
) -> list[Entry]:
    """What of these entries the next run has to complete, as far as a task that leads to *planned* does not want it.

    *once_complete* is what it would change if all were complete: what it takes away only then, it wants to be absent.
    """
    leftover = list(leftover)
    keys = {change.key for change in unfinished(live, leftover).changes} - {change.key for change in planned}
    return with_leftover((), leftover, [change for change in once_complete if change.key in keys], live)


def without_absent(leftover: Iterable[Entry], live: LiveZone, stays: Iterable[Wanted]) -> Iterator[Entry]:
    """The entries without what a task wants to be absent of sets that are as before: what is not there is not to come.

    An entry of a set that is not there, and was not before either, goes where nothing of it is left.
    """
    absent = {one.key: one for one in stays if one.unwanted or not (one.values or one.keeps_others)}
    for entry in leftover:
        one = absent.get(entry.key)
        if one is None or not is_as_before(live, entry):
            yield entry
            continue
        rest = _without(entry, one.unwanted or values_of(entry.after))
        if rest.before or rest.after:
            yield rest


def without_given_up(leftover: Iterable[Entry], step: LedgerStep | None) -> list[Entry]:
    """The entries without what their owner gives up: what a late DELETE takes of it is not created again."""
    if step is None:
        return [*leftover]
    rest = (_without(entry, values) if (values := step.given_up(entry.key)) else entry for entry in leftover)
    return [entry for entry in rest if entry.before or entry.after]  # one of no set tells of nothing


def _leading_to(entry: Entry, after: RecordSet | None) -> Entry:
    """The entry of a set that is to become another one now, be it what it was before a run deleted it."""
    return replace(entry, after=after, is_made_anew=entry.deletes)


def _without(entry: Entry, values: Collection[str]) -> Entry:
    def side(one: RecordSet | None) -> RecordSet | None:
        rest = tuple(value for value in values_of(one) if value not in values)
        return replace(one, values=rest) if one and rest else None

    return replace(entry, before=side(entry.before), after=side(entry.after))


def _both(entry: Entry | None, earlier: Entry) -> Entry:
    """What both say of a set; in all else the later one is right."""
    if not (entry and entry.after):
        return entry or earlier
    missing = values_of(earlier.after)

    def side(one: RecordSet) -> RecordSet:
        return replace(one, values=tuple(dict.fromkeys((*one.values, *missing))))

    return replace(entry, before=side(entry.before) if entry.before else earlier.before, after=side(entry.after))


def lacks(live: LiveZone, key: Key, wanted: RecordSet | None) -> bool:
    """Whether a set of the zone is without a value that is wanted."""
    there = frozenset(values_of(live_set_of(live, key)))
    return not all(is_among(key.type, value, there) for value in values_of(wanted))
