# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What must hold in the end of a story, and at each result in it. Each check yields what is not so, in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from playing import Outcome, Played
from service import BY_HAND, OLDEST, REMEMBERED, Event, deletion_of, reading_of
from story import ZONE, Hand, Key, SetClock, key_of, zone_of
from wishes import fulfilled, globs_of, is_met, is_owned

LONGEST = 3 * 3600.0
"""Seconds that no run takes, however patient it is with each of its requests."""
MOST_REQUESTS = 400
LIMITED_FROM = 10
"""Sets that a zone has from which on a share of them says something."""

CREATED_AGAIN = ("created again", "completed from the journal")
STAYS_SO = ("kept as", "kept beside", "to be absent as it is")
"""In a warning of a set: what is missing of it is not created again."""


@dataclass(frozen=True)
class Violation:
    """What is not as it should be: by which check, and how."""

    check: str
    text: str


def violations(outcome: Outcome) -> list[Violation]:
    """All that is wrong with what came of a story."""
    if outcome.problem:
        return [Violation("comes to an end", outcome.problem)]
    return [Violation(check, text) for check, find in CHECKS.items() for text in find(outcome)]


@dataclass(frozen=True)
class _Word:
    """What somebody said of one value: that it be there, or go."""

    began: float
    ended: float
    is_there: bool
    counts: bool
    """Whether that was to become so: a run that failed or was killed may have done it, or not."""


def what_was_asked(outcome: Outcome) -> Iterator[str]:
    """A value that nobody asked to remove is there, or a run said that it is not; what was asked to go is gone."""
    final = outcome.zones.sets
    # Of a zone that no task is about any more nobody can tell.
    visited = {zone for played in outcome.runs[-1:] for zone in zones_of(played)}
    for key in sorted({*outcome.story.zone, *final, *(event.key for event in outcome.zones.events if event.key)}):
        if is_owned(key) or key in outcome.story.service.returns:
            continue
        values = {
            value for held in outcome.zones.held_between(-1, outcome.ended) for value in held.get(key, (0, ()))[1]
        }
        values |= {value for played in outcome.runs for value in played.wish.wanted.get(key, ())}
        for value in sorted(values):
            is_there = value in final.get(key, (0, ()))[1]
            if zone_of(key) not in visited:
                continue
            expected = _expected(outcome, key, value)
            if expected is None or expected == is_there or value in outcome.story.service.refuses:
                continue
            if not expected and _was_added_late(outcome, key, value):
                continue
            if expected and (_waits_for_a_run(outcome) or _was_not_noted(outcome, key, value)):
                continue
            if not _was_told(outcome, key, value, lost=expected):
                yield f"{' '.join(key)} {'lacks' if expected else 'still has'} {value}, and no run says so"


def _was_not_noted(outcome: Outcome, key: Key, value: str) -> bool:
    """Whether a late DELETE took what a run had added that could not note it, and said what may come of that."""
    events = [event for event in outcome.zones.events if event.key == key]
    adders = {event.who for event in events if event.adds == value}
    told = {played.run.who for played in outcome.runs if played.result and "No space left" in _said(played.result)}
    return bool(adders & told) and any(event.is_late and event.before and not event.after for event in events)


def _waits_for_a_run(outcome: Outcome) -> bool:
    """Whether those who came last were refused what they asked for, so that none came to write."""
    return not any(played.is_ok or any(_wrote(outcome, played)) for played in outcome.runs[-3:])


def _expected(outcome: Outcome, key: Key, value: str) -> bool | None:
    """Whether a value is to be there in the end; None where nobody can say."""
    words = list(_words(outcome, key, value))
    started = value in outcome.story.zone.get(key, (0, ()))[1]
    if not words:  # what it has misread, a run that is killed has to leave
        return started or (None if any(event.adds == value for event in _of_killed(outcome, key)) else False)
    _number, last = max(enumerate(words), key=lambda word: (word[1].began, word[0]))
    if any(word.ended > last.began and word is not last and word.is_there != last.is_there for word in words):
        return None
    if last.counts:
        return last.is_there
    return True if started and all(word.is_there for word in words) else None


def _of_killed(outcome: Outcome, key: Key) -> Iterator[Event]:
    """What became of a set by runs that were killed, be it that they only completed what others had left."""
    for played in outcome.runs:
        if played.result is None:
            yield from _changes_of(outcome, played, key)


def _words(outcome: Outcome, key: Key, value: str) -> Iterator[_Word]:
    for played in outcome.runs:
        if played.run.check or not played.wish.touches(key):
            continue
        wants, removes = played.wish.wants(key, value), played.wish.removes(key, value)
        may_take = played.wish.displaces(key) or had_before(outcome, played, key, value)
        # What a text of its was misread to, a run that is killed has to leave.
        if played.result is None and not removes and not may_take:
            wants |= any(event.adds == value for event in _changes_of(outcome, played, key))
        if wants or removes:
            yield _Word(played.began, played.ended, wants, played.is_ok)
        elif may_take:
            yield _Word(played.began, played.ended, is_there=False, counts=False)
    # What was only accepted may yet come, as what had no answer: a set that is gone may have gone by it.
    may_come_late = outcome.story.service.status == 202 or any(fault.call == "DELETE" for fault in outcome.story.faults)
    for at, hand in outcome.hands:
        if hand.key != key or (hand.does == "add" and hand.value != value):
            continue
        # Who writes by hand knows neither journal nor memory, and may come between a run's reading and its DELETE.
        is_alone = not any(
            (played.began - OLDEST <= at <= played.ended + 2 or not played.is_ok)
            and played.wish.touches(key)
            and not played.run.check
            for played in outcome.runs
            if played.began - OLDEST <= at
        )
        is_alone = is_alone and not may_come_late and not _is_undone(outcome, at, hand)
        yield _Word(at, at if is_alone else outcome.ended, hand.does == "add", is_alone)


def _is_undone(outcome: Outcome, at: float, hand: Hand) -> bool:
    """Whether a run took a deletion by hand for a late request, be it of a set outside its task, and said so."""
    return hand.does == "delete" and any(
        name_of(hand.key).search(warning) and warning.endswith(CREATED_AGAIN)
        for played in outcome.runs
        if played.ended >= at
        for warning in _warnings(played)
    )


def had_before(outcome: Outcome, played: Played, key: Key, value: str) -> bool:
    """Whether a run may take a value because its owner wanted it before."""
    wish = played.wish
    return wish.gives_up(key, value) and any(
        _may_have(other, wish.owner, key, value) for other in _until(outcome, played)
    )


def _until(outcome: Outcome, played: Played) -> Iterator[Played]:
    """The runs that began before a run had ended, but for itself and those in check mode."""
    return (
        other for other in outcome.runs if other is not played and other.began <= played.ended and not other.run.check
    )


def _may_have(played: Played, owner: str, key: Key, value: str) -> bool:
    """Whether a run may have made a value that of an owner."""
    return played.wish.owner == owner and played.wish.wants(key, value)


def owners(outcome: Outcome) -> Iterator[str]:
    """No run takes what another owner wants, or what nobody gave up; in the end each owner has what it wants."""
    for played in outcome.runs:
        if not played.wish.owner or played.run.check:
            continue
        for key, value in sorted(_taken_by(outcome, played)):
            explicit = played.wish.removes(key, value)
            if not (explicit or had_before(outcome, played, key, value) or played.wish.takes_over):
                yield f"{played.run.who} takes {value} of {' '.join(key)}, which nobody gave up"
            for other in _who_has(outcome, played, key, value) if not played.wish.takes_over else ():
                yield f"{played.run.who} takes {value} of {' '.join(key)}, which {other} wants"
        yield from _left_of_what_it_had(outcome, played)
    yield from _not_as_each_owner_wants(outcome)


def what_others_added_stays(outcome: Outcome) -> Iterator[str]:
    """No run takes a value that had been in a set for long when it deleted that, and that its task leaves there."""
    for played in outcome.runs:
        if played.wish.owner or played.run.check or played.reverses or outcome.story.service.wide:
            continue
        for key, value in sorted(_taken_by(outcome, played)):
            if not (played.wish.removes(key, value) or played.wish.displaces(key)):
                yield f"{played.run.who} takes {value} of {' '.join(key)}, which its task leaves there"


def _taken_by(outcome: Outcome, played: Played) -> Iterator[tuple[Key, str]]:
    """The values that a run has taken away and not put back, where nobody else wrote to the set meanwhile."""
    if played.result is None or outcome.story.service.returns or _is_short(outcome):
        return
    for key in sorted({event.key for event in _wrote(outcome, played) if event.key}):
        own = [event for event in _wrote(outcome, played) if event.key == key]
        first, last = own[0], own[-1]
        if any(
            event.changes and event.key == key and (event.who != played.run.who or event.is_late)
            for event in _between(outcome, first.at - OLDEST, played.ended)
        ):
            continue
        after = last.after[1] if last.after else ()
        # What is put back later, or was to be, other checks ask for.
        is_unfinished = any((one["name"], one["type"]) == key for one in _field(played.result, "unfinished"))
        if not played.is_ok and (is_unfinished or not last.after):
            continue
        gone = {value for value in (first.before[1] if first.before else ()) if value not in after}
        # What it sent, or wants itself, may have been accepted, and comes later.
        gone -= {*outcome.story.service.refuses, *played.wish.wanted.get(key, ())}
        yield from ((key, value) for value in gone if not _was_added_late(outcome, key, value))


def _who_has(outcome: Outcome, played: Played, key: Key, value: str) -> Iterator[str]:
    """The other owners whose last run before this one wanted a value, as far as that is certain."""
    last: dict[str, Played] = {}
    for other in sorted(_until(outcome, played), key=lambda other: other.ended):
        wish = other.wish
        tells = wish.wants(key, value) or wish.removes(key, value) or wish.gives_up(key, value) or wish.releases
        if tells and wish.owner not in ("", played.wish.owner):
            last[other.wish.owner] = other
    disowned = any(other.wish.takes_over for other in _until(outcome, played))
    for owner, other in last.items():
        if other.is_ok and other.ended < played.began and other.wish.wants(key, value) and not disowned:
            yield owner


def _left_of_what_it_had(outcome: Outcome, played: Played) -> Iterator[str]:
    """What a run that came to its end has left of what its owner had made, and wants no longer."""
    if not played.is_ok or not _is_alone(outcome, played) or _is_short(outcome) or outcome.story.service.returns:
        return
    others = [other for other in _until(outcome, played) if other.wish.owner != played.wish.owner]
    if any(other.wish.takes_over or other.wish.releases for other in _until(outcome, played)):
        return
    for key, (_ttl, values) in sorted(outcome.zones.held_at(played.ended).items()):
        for value in values:
            is_of_others = value in outcome.story.zone.get(key, (0, ()))[1] or any(
                other.wish.wants(key, value) or other.reverses for other in others
            )
            by_hand = any(hand.does == "add" and (hand.key, hand.value) == (key, value) for _at, hand in outcome.hands)
            if is_of_others or by_hand or _was_added_late(outcome, key, value) or _is_to_be_checked(outcome, key):
                continue
            if had_before(outcome, played, key, value):
                yield f"{played.run.who} leaves {value} of {' '.join(key)}, which its owner had made"


def _is_to_be_checked(outcome: Outcome, key: Key) -> bool:
    """Whether a run has put a set aside, and told people to look at it."""
    return any(
        " ".join(key) in warning and any(words in warning for words in STAYS_SO)
        for played in outcome.runs
        for warning in _warnings(played)
    )


def _not_as_each_owner_wants(outcome: Outcome) -> Iterator[str]:
    """Where an owner whose last task was run again in the end has not what it wants."""
    final = outcome.zones.held_at(outcome.ended)
    runs = [played for played in outcome.runs if not played.run.check]
    for number, played in enumerate(runs):
        if not played.run.who.startswith("of ") or not played.is_ok:
            continue
        later = [other for other in runs[number + 1 :] if not other.wish.owner or other.wish.takes_over]
        for key, values in played.wish.wanted.items():
            if any(other.wish.touches(key) or other.reverses for other in later) or _is_short(outcome):
                continue
            for value in set(values) - {*outcome.story.service.refuses}:
                own = (other for other in runs[number + 1 :] if other.wish.owner == played.wish.owner)
                if value not in final.get(key, (0, ()))[1] and not any(
                    other.wish.removes(key, value) or other.wish.gives_up(key, value) for other in own
                ):
                    yield f"{played.wish.owner} wants {value} of {' '.join(key)}, and it is not there"


def _was_added_late(outcome: Outcome, key: Key, value: str) -> bool:
    """Whether a value was added later than it was answered, or would have been, had nobody added it before."""
    return any(
        (event.is_late and event.key == key and event.adds == value)
        or (event.answer.endswith("s late") and event.what.endswith(f" {value}") and _adds_to(key, event.what))
        for event in outcome.zones.events
    )


def _was_told(outcome: Outcome, key: Key, value: str, *, lost: bool, by_value: bool = False) -> bool:
    """Whether a run said so after it happened; *by_value* where a warning has to say of what, or that it stays so."""
    since, by = 0.0, ""
    for event in outcome.zones.events:
        if event.key == key and event.changes and lost:
            was, is_ = (value in (side[1] if side else ()) for side in (event.before, event.after))
            by = event.who if is_ and not was else by
            # What a run takes back that it has added itself is as it was told before.
            since = event.at if was and not is_ and event.who != by else since
    of = value if by_value else ""
    is_told = any(played.ended >= since and tells_of(played, key, of) for played in outcome.runs)
    return is_told or (lost and _is_kept_aside(outcome, value))


def _is_kept_aside(outcome: Outcome, value: str) -> bool:
    """Whether a run has put a value aside, and may have been killed after its last save, which is before it tells."""
    is_killed = any((fault.call, fault.kind, fault.seconds) == ("save", "kill", 1.0) for fault in outcome.story.faults)
    return is_killed and any(value.encode() in one for kept in outcome.kept.values() for one in kept.aside)


def tells_of(played: Played, key: Key, value: str = "") -> bool:
    """Whether the result of a run says of a set, or of a *value* in it, that it is not as it was to be."""
    result = played.result
    if result is None:
        return False
    name = name_of(key)
    if result["failed"] and value:
        of_set = " ".join(warning for warning in result["warnings"] if name.search(warning))
        return value in _said(result) or any(words in of_set for words in STAYS_SO)
    if result["failed"]:
        sets = [*_field(result, "unfinished"), *_field(result, "failed_sets"), *_field(result, "not_attempted")]
        if any((one["name"], one["type"]) == key for one in sets):
            return True
        if name.search(result["msg"]) and "cannot read" not in result["msg"]:
            return True
    warnings = [one for one in result["warnings"] if name.search(one) and not one.endswith(CREATED_AGAIN)]
    return any(not value or any(words in warning for words in (value, *STAYS_SO)) for warning in warnings)


def name_of(key: Key) -> re.Pattern[str]:
    """What finds a set where it is named."""
    return re.compile(rf"(?<![\w.*-]){re.escape(' '.join(key))}(?!\w)")


def _field(result: dict[str, Any], field: str) -> list[dict[str, Any]]:
    found = list(result.get(field) or ())
    for zone in result.get("zones") or ():
        found += zone.get(field) or ()
    return found


def ok_was_so(outcome: Outcome) -> Iterator[str]:
    """What a run called ok was so, at some moment of the last readings."""
    for played in outcome.runs:
        if not played.is_ok or played.run.check:
            continue
        remembered = _remembered_until(outcome, played)
        first = max(played.began - OLDEST, remembered)
        held = outcome.zones.held_between(first, played.ended)
        told = {" ".join(key) for key in outcome.story.service.returns}
        told |= {key for warning in _warnings(played) for key in told_not_wanted(warning)}
        wrong = [[line for line in fulfilled(played.wish, sets) if _set_of(line) not in told] for sets in held]
        # Who reads a moment late sees each set as it was then, and not what others have written since.
        if remembered < 0 and not _is_alone(outcome, played):
            always = set.intersection(*({_set_of(line) for line in lines} for lines in wrong))
            wrong = [[line for line in lines if _set_of(line) in always] for lines in wrong]
        for zone in zones_of(played):
            of_zone = [[line for line in lines if line.split()[0].endswith(zone)] for lines in wrong]
            if all(of_zone) and _is_alone(outcome, played, before=0.0):
                yield f"{played.run.who} says ok, and {'; '.join(of_zone[-1])}"


def _set_of(line: str) -> str:
    """The set that a line of what is wrong is about."""
    return " ".join(line.split()[:2])


def told_not_wanted(warning: str) -> list[str]:
    """The sets of which a warning says that they are not as the task wants them any more, or that nobody can tell."""
    unknown = re.search(r"what was sent for (.+?) is not known here", warning)
    return re.findall(r"(\S+ \S+) is not as the task wants it any more", warning) + (
        re.findall(r"\S+ MX", unknown[1]) if unknown else []
    )


def _warnings(played: Played) -> list[str]:
    return played.result["warnings"] if played.result else []


def _remembered_until(outcome: Outcome, played: Played) -> float:
    """When the last run ended before this one, where nobody else has written lately: what that left is remembered."""
    before = {
        other.run.who: other.ended
        for other in outcome.runs
        if other.ended < played.began and (outcome.story.database or other.run.host == played.run.host)
    }
    lately = list(_between(outcome, played.began - OLDEST, played.ended))
    if not all(
        event.who in before and not event.is_late for event in lately if event.changes and event.at < played.began
    ):
        return float("-inf")
    return max((before[event.who] for event in lately if event.changes and event.who in before), default=float("-inf"))


def _is_alone(outcome: Outcome, played: Played, before: float = OLDEST) -> bool:
    """Whether nothing but the run itself changed the zone while it ran, and just before."""
    return not any(
        event.changes and (event.who != played.run.who or event.is_late)
        for event in _between(outcome, played.began - before, played.ended)
    )


def _between(outcome: Outcome, first: float, last: float) -> Iterator[Event]:
    return (event for event in outcome.zones.events if first <= event.at <= last)


def told_what_happened(outcome: Outcome) -> Iterator[str]:
    """Changes and what was recovered tell what happened to the zone."""
    service = outcome.story.service
    if service.bare or service.spoils_texts or service.returns or service.wide or service.changes_ttls:
        return
    for played in outcome.runs:
        result = played.result
        if result is None or result["failed"] or played.run.check:
            continue
        is_alone = _is_alone(outcome, played)
        before = outcome.zones.held_at(played.began)
        after = outcome.zones.held_at(played.ended)
        told = {(one["name"], one["type"]): one for one in (*_field(result, "recovered"), *_field(result, "changes"))}
        for key in sorted({*before, *after}):
            if is_alone and _plain(before.get(key)) != _plain(after.get(key)) and key not in told:
                yield f"{played.run.who} changed {' '.join(key)} and does not say so"
        for key, one in told.items():
            if not is_alone and not _made_it_last(outcome, played, key):
                continue
            shown = one["after"] and (one["after"]["ttl"], [value.strip('"') for value in one["after"]["contents"]])
            if _plain(shown) != _plain(after.get(key)):
                yield f"{played.run.who} says that {' '.join(key)} became {shown}, and it is {after.get(key)}"
        if is_alone and not told and result["changed"]:
            yield f"{played.run.who} says that something changed, and not what"


def _made_it_last(outcome: Outcome, played: Played, key: Key) -> bool:
    """Whether what became of a set until the end of a run is what that did last, and nobody wrote to it by hand."""
    last = [event for event in outcome.zones.events if event.key == key and event.changes and event.at <= played.ended]
    by_hand = any(event.who == BY_HAND and event.at >= played.began - OLDEST for event in last)
    return bool(last) and last[-1].who == played.run.who and not (last[-1].is_late or by_hand)


def _plain(held: Any) -> Any:
    return held and (held[0], sorted(held[1]))


def a_second_run_changes_nothing(outcome: Outcome) -> Iterator[str]:
    """Who runs the same task again, once all readings show what is there, is told that nothing changed."""
    runs = {played.run.who: played for played in outcome.runs}
    first, again, last = (runs.get(who) for who in ("next", "again", "last"))
    if outcome.story.service.returns or not (first and again and last):
        return
    if first.is_ok and again.result and (again.result["changed"] or not again.is_ok):
        yield f"the second run changes {_changed(again)}"
    if again.is_ok and last.result and (last.result["changed"] or not last.is_ok):
        yield f"the run after ten minutes changes {_changed(last)}"


def _changed(played: Played) -> str:
    result = played.result or {}
    sets = [*_field(result, "changes"), *_field(result, "recovered")]
    return ", ".join(f"{one['name']} {one['type']}" for one in sets) or str(result.get("msg"))


def within_limits(outcome: Outcome) -> Iterator[str]:
    """Nothing is deleted that is the service's, not the run's part, ignored or protected, or past a limit."""
    for played in outcome.runs:
        for key in set(played.deleted):
            if is_owned(key):
                yield f"{played.run.who} deletes {' '.join(key)}"
            if not played.wish.is_about(key) and _was_there(outcome, played, key):
                yield f"{played.run.who} deletes {' '.join(key)} against only"
            for option in ("ignore", "protect"):
                if is_met(key, globs_of(played.run.options, option)) and _was_there(outcome, played, key):
                    yield f"{played.run.who} deletes {' '.join(key)} against {option}"
        yield from _past_shares(outcome, played)
        if played.run.check and (played.deleted or any(_wrote(outcome, played))):
            yield f"{played.run.who} writes in check mode"


def _was_there(outcome: Outcome, played: Played, key: Key) -> bool:
    """Whether a set was there before the run, or as of its oldest reading; what it has created, it may take back."""
    readings = (outcome.zones.events[number].shows for number in played.events)
    since = min((shows for shows in readings if shows is not None), default=played.began)
    return any(key in sets for sets in outcome.zones.held_between(min(since, played.began), played.began))


def _past_shares(outcome: Outcome, played: Played) -> Iterator[str]:
    """Where a run deletes more than a share of the sets that it can have seen."""
    for zone in sorted({zone_of(key) for key in played.deleted}):
        seen = [
            {key for key in sets if zone_of(key) == zone and not is_owned(key) and played.wish.is_about(key)}
            for sets in outcome.zones.held_between(played.began - OLDEST, played.ended)
        ]
        if min(map(len, seen)) < LIMITED_FROM:
            continue
        deleted = [key for key in {*played.deleted} if zone_of(key) == zone and _was_there(outcome, played, key)]
        pruned = [key for key in deleted if played.wish.is_pruned(key)]
        stay = (*globs_of(played.run.options, "ignore"), *globs_of(played.run.options, "protect"))
        removable = min(sum(not is_met(key, stay) for key in sets) for sets in seen)
        for option, going in (("change_limit", deleted), ("prune_limit", pruned)):
            if option == "prune_limit" and removable < LIMITED_FROM:
                continue  # what is never removed is no part of a zone of that size
            limit = played.run.options.get(option, 100)
            if len(going) * 100 > limit * max(map(len, seen)):
                yield f"{played.run.who} deletes {len(going)} sets of {max(map(len, seen))} past {option} {limit}"


def reviewed_plans(outcome: Outcome) -> Iterator[str]:
    """Nothing is deleted that the plan that was reviewed does not delete; and a plan that is true is carried out."""
    for number, played in enumerate(outcome.runs):
        if played.run.check or "plan_dir" not in played.run.options:
            continue
        changes = _reviewed(outcome, number)
        for key in sorted({*played.deleted}):
            if key not in changes and _was_there(outcome, played, key):
                yield f"{played.run.who} deletes {' '.join(key)}, which no plan has"
            yield from _unseen_that_go(outcome, played, key, changes.get(key))
        yield from _unseen_that_come(outcome, played, changes)
        checked = outcome.runs[number - 1] if number else played
        is_of_it = checked.run.check and checked.run.options == played.run.options and checked.is_ok
        is_first = not any(other.run.options.get("plan_dir") and not other.run.check for other in outcome.runs[:number])
        is_quiet = _is_alone(outcome, checked) and _is_alone(outcome, played, before=played.began - checked.began)
        told = str((played.result or {}).get("msg"))
        # What a service will not take any more, or makes of it, check mode cannot know; nor that recovery will not come
        # to its end, whose a value is where others say so, and that the disk will be full.
        service = outcome.story.service
        recovered = [one for run in (checked, played) for one in _field(run.result or {}, "recovered")]
        is_odd = service.changes_ttls or service.spoils_texts
        is_incomplete = "could not be completed" in str(_field(played.result or {}, "warnings"))
        is_known = not (service.refuses or (is_odd and recovered) or is_incomplete or _is_disk_full(outcome, played))
        is_quiet = is_quiet and is_known and not _owners_beside(outcome, checked, played)
        if is_of_it and is_first and is_quiet and "reviewed" in told:
            yield f"{played.run.who} refuses the plan that was just made: {told}"


def _is_disk_full(outcome: Outcome, played: Played) -> bool:
    return any(fault.who == played.run.who and fault.kind == "full" for fault in outcome.story.faults)


def _stays_full(outcome: Outcome, played: Played) -> bool:
    """Whether the disk of a run is full for more than one save."""
    return sum(fault.who == played.run.who and fault.kind == "full" for fault in outcome.story.faults) > 1


def _owners_beside(outcome: Outcome, first: Played, last: Played) -> bool:
    """Whether a run of an owner was at work beside these two, which need not have written to the zone."""
    others = (
        other for other in outcome.runs if other not in (first, last) and other.wish.owner and not other.run.check
    )
    return any(other.began <= last.ended and other.ended >= first.began for other in others)


def _reviewed(outcome: Outcome, number: int) -> dict[Key, dict[str, Any]]:
    """The changes of the plans that a run finds: for each zone those of the last check run on it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for played in outcome.runs[:number]:
        if played.run.check and "plan_dir" in played.run.options:
            changes = _field(played.result or {}, "changes") if played.is_ok else []
            for zone in zones_of(played):
                found[zone] = [one for one in changes if zone_of((one["name"], one["type"])) == zone]
    return {(one["name"], one["type"]): one for changes in found.values() for one in changes}


def zones_of(played: Played) -> list[str]:
    """The zones that a run is about."""
    return [f"{one['zone']}." for one in played.run.options.get("zones") or [played.run.options]]


def _unseen_that_go(outcome: Outcome, played: Played, key: Key, change: dict[str, Any] | None) -> Iterator[str]:
    """The values that a DELETE took although the set had had them for long, and the plan knows nothing of them."""
    gone = next((event for event in _changes_of(outcome, played, key) if event.before and not event.after), None)
    if not gone or not change:
        return
    known = {value.strip('"') for side in ("before", "after") for value in (change[side] or {}).get("contents", ())}
    held = outcome.zones.held_between(played.began - OLDEST, gone.at - 0.001)
    for value in gone.before[1] if gone.before else ():
        if value not in known and all(value in sets.get(key, (0, ()))[1] for sets in held) and not _is_short(outcome):
            yield f"{played.run.who} takes {value} of {' '.join(key)}, which the plan does not know"


def _unseen_that_come(outcome: Outcome, played: Played, changes: dict[Key, dict[str, Any]]) -> Iterator[str]:
    """The values that a run adds of its own, which nobody else wanted, and the plan knows nothing of."""
    if _is_short(outcome):
        return
    others = [other for other in outcome.runs if other is not played and not other.run.check]
    for event in _wrote(outcome, played):
        after = (changes.get(event.key) or {}).get("after") if event.key else None
        known = {value.strip('"') for value in (after or {}).get("contents", ())}
        if event.key and event.adds and event.adds not in known:
            held = outcome.zones.held_between(-1, event.at - 0.001)
            was_there = any(event.adds in sets.get(event.key, (0, ()))[1] for sets in held)
            before = (other for other in others if other.began < event.at)
            if not was_there and not any(other.wish.wants(event.key, event.adds) for other in before):
                yield f"{played.run.who} adds {event.adds} to {' '.join(event.key)}, which no plan has"


def _is_short(outcome: Outcome) -> bool:
    """Whether what is read is not all of a value."""
    return outcome.story.service.bare or outcome.story.service.spoils_texts


def _changes_of(outcome: Outcome, played: Played, key: Key) -> Iterator[Event]:
    return (event for event in _wrote(outcome, played) if event.key == key)


def a_reversal_puts_back(outcome: Outcome) -> Iterator[str]:
    """What a run changed, and its result was taken back, is as it was before; where nobody else has written."""
    service = outcome.story.service
    if service.bare or service.spoils_texts or service.returns or service.refuses or service.changes_ttls:
        return
    for back in outcome.runs:
        of = next((played for played in outcome.runs if played.run.who == back.reverses), None)
        if not of or not of.result or not back.is_ok or back.run.who != "back":
            continue
        if any(
            event.changes and (event.who not in (of.run.who, back.run.who) or event.is_late)
            for event in _between(outcome, of.began - OLDEST, back.ended)
        ):
            continue
        was, is_ = outcome.zones.held_at(of.began), outcome.zones.held_at(back.ended)
        recovered = {(one["name"], one["type"]) for one in _field(of.result, "recovered")}
        for key in sorted({(one["name"], one["type"]) for one in _told(of.result)} - recovered):
            if _plain(was.get(key)) != _plain(is_.get(key)):
                yield f"{back.run.who} leaves {' '.join(key)} as {is_.get(key)}, and before it was {was.get(key)}"


def _told(result: dict[str, Any]) -> list[dict[str, Any]]:
    return [*_field(result, "changes"), *_field(result, "unfinished")]


def _wrote(outcome: Outcome, played: Played) -> Iterator[Event]:
    for number in played.events:
        event = outcome.zones.events[number]
        if event.who == played.run.who and event.changes:
            yield event


def journal_is_closed(outcome: Outcome) -> Iterator[str]:
    """There is no journal in the end, or the last run says why there is."""
    if not outcome.runs:
        return
    last = outcome.runs[-1]
    places = {f"{where} {zone}" for where in (last.run.host, "database") for zone in zones_of(last)}
    for place, kept in outcome.kept.items():
        is_of_last = place in places
        if kept.journal and is_of_last and last.is_ok and not (last.result or {}).get("warnings"):
            yield f"the journal of {place} is still there: {kept.journal.decode()}"


def kept_before_it_goes(outcome: Outcome) -> Iterator[str]:
    """What a run has read of a set is in the journal when it deletes the set, so that no kill loses it."""
    for played in outcome.runs:
        for key, values in played.unkept if not _is_short(outcome) else ():
            # What its owner wanted before, and does not any more, is to go.
            unkept = [value for value in values if not had_before(outcome, played, key, value)]
            if unkept:
                yield f"{played.run.who} deletes {' '.join(key)}, and no journal has {', '.join(unkept)}"


def what_was_read_stays(outcome: Outcome) -> Iterator[str]:
    """What a run had read before a DELETE came is there in the end, or was to go, or that was said.

    Where it had gone lately before, a reading of then looks the same.
    """
    # By a clock that was set back, nobody can tell which of two readings is older.
    if outcome.story.service.returns or outcome.story.service.wide or _is_short(outcome) or _is_clock_set_back(outcome):
        return
    visited = {zone for played in outcome.runs[-1:] for zone in zones_of(played)}
    for gone in outcome.zones.events:
        key = gone.key
        if not key or not gone.before or gone.after or gone.who == BY_HAND or zone_of(key) not in visited:
            continue
        for value in set(gone.before[1]) - {*outcome.zones.sets.get(key, (0, ()))[1]}:
            since, went = _there_since(outcome, key, value, gone)
            reader = _shown_to(outcome, key, since, gone)
            is_new = since - went > REMEMBERED
            if not (reader and is_new) or _is_asked_to_go(outcome, key, value, since) or _waits_for_a_run(outcome):
                continue
            if _only_added_by(outcome, key, value, gone, went):  # taken back, as if it had never been
                continue
            if not _was_told(outcome, key, value, lost=True, by_value=True):
                yield f"{reader} was shown {value} of {' '.join(key)}, {gone.who} deletes it, and no run says so"


def _only_added_by(outcome: Outcome, key: Key, value: str, gone: Event, went: float) -> bool:
    """Whether a value that goes was there only by the hand of the run that deletes the set, since that wrote to it.

    Where it had gone meanwhile because somebody asked for that, only what came later counts. A run that is over has
    told of it.
    """
    if any(played.run.who == gone.who and played.is_ok and played.ended < gone.at for played in outcome.runs):
        return False
    events = [event for event in outcome.zones.events if event.key == key and event.changes and event.at <= gone.at]
    began = min((event.at for event in events if event.who == gone.who and not event.is_late), default=gone.at)
    if went > began and _is_asked_to_go(outcome, key, value, went):
        since = [event for event in events if event.at > went]
    else:
        since = [event for event in events if event.at >= began]
    adds = {event.who for event in since if value in _values(event.after) and value not in _values(event.before)}
    return adds == {gone.who} and value not in _values(since[0].before)


def _values(side: tuple[int, tuple[str, ...]] | None) -> tuple[str, ...]:
    return side[1] if side else ()


def _said(result: dict[str, Any]) -> str:
    return " ".join((str(result.get("msg", "")), *result["warnings"]))


def _is_clock_set_back(outcome: Outcome) -> bool:
    return any(isinstance(step, SetClock) and step.seconds < 0 for step in outcome.story.steps)


def _there_since(outcome: Outcome, key: Key, value: str, gone: Event) -> tuple[float, float]:
    """Since when a value was there that goes, and when it had gone before."""
    since, went = 0.0, float("-inf")
    for event in outcome.zones.events:
        if event is gone:
            break
        if event.key == key and event.changes:
            was, is_ = (value in (side[1] if side else ()) for side in (event.before, event.after))
            since, went = (event.at if is_ and not was else since), (event.at if was and not is_ else went)
    return since, went


def _shown_to(outcome: Outcome, key: Key, since: float, gone: Event) -> str:
    """A run that was shown a set as it was since a moment and before it went, and could keep that.

    Where the DELETE comes late, and its run is over, that is any; else who sends it, and two requests before. One that
    is killed has kept what it was shown before the last reading that it asked for; one whose disk is full says so in
    the end, or is killed before that where the disk stays full.
    """
    ended = {
        played.run.who
        for played in outcome.runs
        if played.result is not None and not played.run.check and "No space left" not in _said(played.result)
    }
    killed = {played.run.who for played in outcome.runs if played.result is None and not _stays_full(outcome, played)}
    takes = max(outcome.story.service.pace) * (1.0 if gone.who in killed else 2.1)
    until = gone.at if gone.is_late else gone.at - takes
    is_over = all(played.ended < gone.at for played in outcome.runs if played.run.who == gone.who)
    counting = ended | killed & {gone.who} if is_over else (ended | killed) & {gone.who}
    readings = [event for event in outcome.zones.events if event.who in counting and event.shows is not None]
    last = {event.who: event.at for event in readings if event.who in killed}
    shown = (
        event.who
        for event in readings
        if event.shows is not None and event.shows >= since and event.at < min(until, last.get(event.who, until))
        if event.what == reading_of(zone_of(key))
    )
    return max(shown, default="")


def _is_asked_to_go(outcome: Outcome, key: Key, value: str, since: float) -> bool:
    """Whether somebody asked for that, be it before it was there for the last time.

    What a request made late was wanted when that was sent: who asked since then for its removal meant that value.
    """
    since = min([since, *_sent(outcome, key, value, since)])
    deleted = [at for at, hand in outcome.hands if hand.does == "delete" and hand.key == key]
    by_hand = any(at >= since or len(deleted) > 1 or not _is_faster(outcome, key, at) for at in deleted)
    return by_hand or any(
        played.wish.removes(key, value) or played.wish.displaces(key) or had_before(outcome, played, key, value)
        for played in outcome.runs
        if not played.run.check and played.ended >= since
    )


def _is_faster(outcome: Outcome, key: Key, at: float) -> bool:
    """Whether a set is deleted by hand while a run that goes on looks whether its DELETE without an answer was."""
    at_work = {played.run.who for played in outcome.runs if played.began <= at <= played.ended}
    requests = [event for event in outcome.zones.events if event.who in at_work and not event.is_late]
    of_set = [event for event in requests if event.what == deletion_of(key) or _adds_to(key, event.what)]
    before, after = ([event for event in of_set if (event.at > at) is is_after] for is_after in (False, True))
    is_looked_for = bool(before and after) and before[-1].what == deletion_of(key)
    return is_looked_for and before[-1].answer.startswith(("504", "no answer")) and _adds_to(key, after[0].what)


def _sent(outcome: Outcome, key: Key, value: str, came: float) -> list[float]:
    """When the requests were sent that made a value of a set late, at the moment at which it *came*."""
    events = outcome.zones.events
    late = {
        (one.who, one.what) for one in events if one.is_late and one.at == came and one.key == key and one.adds == value
    }
    return [one.at for one in events if not one.is_late and (one.who, one.what) in late]


def put_back(outcome: Outcome) -> Iterator[str]:
    """A set that a run deleted, and whose new values are all refused, is there again, or that was tried at least."""
    for played in outcome.runs:
        if played.result is None or _fails_to_save(outcome, played):
            continue
        own = [outcome.zones.events[number] for number in played.events]
        for key in sorted({event.key for event in own if event.key and event.before and not event.after}):
            of_name = [event for event in own if event.changes and event.key and event.key[0] == key[0]]
            gone = [event for event in of_name if event.key == key][-1]
            if gone.after or not gone.before or gone is not of_name[-1] or gone.is_late or gone.who != played.run.who:
                continue
            asked = [(event.what, event.answer) for event in own if event.at >= gone.at and event.who == gone.who]
            sent = [what for what, _answer in asked if _adds_to(key, what)]
            is_refused = any(what in sent and answer == "422" for what, answer in asked)
            values = _known_of(gone, own)
            if is_refused and values and not any(value in what for what in sent for value in values):
                yield f"{gone.who} leaves {' '.join(key)} empty, and does not try to put back {', '.join(values)}"


def _known_of(gone: Event, own: Iterable[Event]) -> list[str]:
    """The values of a set that was deleted, but for those that no reading before that can have shown to who did it."""
    own = [event for event in own if event.at <= gone.at]
    shown = max((event.shows or 0.0 for event in own if event.who == gone.who), default=0.0)
    since = (event for event in own if event.at >= shown and event.key == gone.key and event.who != gone.who)
    added = {value for event in since for value in _values_added(event)}
    return [value for value in (gone.before[1] if gone.before else ()) if value not in added]


def _values_added(event: Event) -> set[str]:
    before, after = (set(side[1]) if side else set[str]() for side in (event.before, event.after))
    return after - before


def _adds_to(key: Key, what: str) -> bool:
    method, *of_set = what.split(maxsplit=3)
    return method == "POST" and key_of(ZONE, {"name": of_set[0], "type": of_set[2].split()[0]}) == key


def _fails_to_save(outcome: Outcome, played: Played) -> bool:
    return any(fault.who == played.run.who and fault.call == "save" for fault in outcome.story.faults)


def in_time(outcome: Outcome) -> Iterator[str]:
    """No run takes for ever, or asks without end."""
    for played in outcome.runs:
        if played.ended - played.began > LONGEST:
            yield f"{played.run.who} takes {played.ended - played.began:.0f} s"
        if played.sent > MOST_REQUESTS:
            yield f"{played.run.who} sends {played.sent} requests"


def nothing_unexpected(outcome: Outcome) -> Iterator[str]:
    """No run meets an error that nobody expected."""
    for played in outcome.runs:
        if played.result and "unexpected" in str(played.result.get("msg")):
            yield f"{played.run.who}: {played.result['msg']} {played.result.get('exception', '')}"


def check_mode_tells_the_same(outcome: Outcome) -> Iterator[str]:
    """What check mode says is what the same task does right after it, but for sets of which that warns."""
    for checked, real in zip(outcome.runs, outcome.runs[1:], strict=False):
        same = checked.run.check and not real.run.check and checked.run.options == real.run.options
        if not (same and checked.is_ok and real.is_ok and _is_alone(outcome, real, before=real.began - checked.began)):
            continue
        service = outcome.story.service
        if not _is_alone(outcome, checked) or service.refuses or service.changes_ttls or _fails_to_save(outcome, real):
            continue
        for field in ("changes", "recovered"):
            sides = ([_sides(one) for one in _field(run.result or {}, field)] for run in (checked, real))
            told, done = ([one for one in of_run if not tells_of(real, one[:2])] for of_run in sides)
            if told != done:
                yield f"{checked.run.who} says of {field} {told}, and {real.run.who} does {done}"


def _sides(one: dict[str, Any]) -> Any:
    sides = [one[side] and (one[side]["ttl"], sorted(one[side]["contents"])) for side in ("before", "after")]
    return one["name"], one["type"], *sides


def ttls_are_as_wanted(outcome: Outcome) -> Iterator[str]:
    """What a run wants has the TTL after it that the run asks for, or that run says so; where nobody else wrote."""
    service = outcome.story.service
    if service.rows:
        return
    for played in outcome.runs:
        if played.is_ok and not played.run.check and _is_alone(outcome, played):
            for key, (ttl, _values) in outcome.zones.held_at(played.ended).items():
                wanted, most = played.wish.ttls.get(key, ttl), played.wish.largest_ttl(key)
                expected = wanted if most is None else min(wanted, most)
                if ttl != expected and key not in service.returns and not tells_of(played, key):
                    yield f"{played.run.who} leaves {' '.join(key)} with a TTL of {ttl}, and not {expected}"
        says_so = "keeps its own" in str(played.result and played.result["warnings"])
        if says_so and _knows_what_it_added(outcome, played) and not _was_remade_meanwhile(outcome):
            yield f"{played.run.who} says that the service keeps a TTL of its own, and it keeps none"


def _knows_what_it_added(outcome: Outcome, played: Played) -> bool:
    """Whether the service takes each TTL, and told the run of each value whether it has added it."""
    service = outcome.story.service
    is_told = not (service.changes_ttls or service.takes_ttl or service.duplicate < 300 or service.status == 202)
    is_alone = played.result is not None and _is_alone(outcome, played)
    return is_told and is_alone and not any(fault.call == "POST" for fault in outcome.story.faults)


def _was_remade_meanwhile(outcome: Outcome) -> bool:
    """Whether a set was deleted by hand while a run wrote, or by a late request and then made anew by hand.

    Who makes it anew then looks like the service.
    """
    late = [event for event in outcome.zones.events if event.is_late and event.before and not event.after]
    return any(
        hand.does == "delete" or any(event.key == hand.key and played.began <= event.at < at for event in late)
        for played in outcome.runs
        for at, hand in outcome.hands
        if played.began <= at <= played.ended
    )


CHECKS: dict[str, Callable[[Outcome], Iterator[str]]] = {
    "what was asked": what_was_asked,
    "ok was so": ok_was_so,
    "told what happened": told_what_happened,
    "a second run changes nothing": a_second_run_changes_nothing,
    "owners": owners,
    "what others added stays": what_others_added_stays,
    "within limits": within_limits,
    "TTLs are as wanted": ttls_are_as_wanted,
    "reviewed plans": reviewed_plans,
    "a reversal puts back": a_reversal_puts_back,
    "journal is closed": journal_is_closed,
    "kept before it goes": kept_before_it_goes,
    "what was read stays": what_was_read_stays,
    "put back": put_back,
    "in time": in_time,
    "nothing unexpected": nothing_unexpected,
    "check mode tells the same": check_mode_tells_the_same,
}
