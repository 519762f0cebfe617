# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far a task may go in a zone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from .._dns.input_checks import slip_in
from .._dns.names import InvalidInput
from .._dns.option_table import reason_against_number
from .._dns.printable import printable, some_names
from .._dns.rdata import InvalidRdata
from .._dns.record_set import Key, RecordSet, Sets
from .change import Change, PlanRefused
from .desired import Desired
from .globs import ANY, Glob, can_match, globs_of, matches, unmatched
from .ttl import TtlMax, negative_ttl, ttl_maxima

ALL = 100  # percent

_GLOBS: dict[str, Any] = {
    "type": "list",
    "elements": "dict",
    "default": [],
    "options": {part: {"type": "str", "default": "*"} for part in ("name", "type", "value")},
}
LIMIT_OPTIONS: dict[str, dict[str, Any]] = {
    "prune": {"type": "bool", "default": False},
    "ignore": _GLOBS,
    "prune_limit": {"type": "int", "default": 30},
    "protect": _GLOBS,
    "change_limit": {"type": "int", "default": ALL},
    "only": _GLOBS,
    "ttl_max": {
        **_GLOBS,
        "options": {**_GLOBS["options"], "ttl": {"type": "raw", "required": True}},
    },
}
GLOBS = tuple(option for option, rules in LIMIT_OPTIONS.items() if rules["type"] == "list")


class Limits(NamedTuple):
    """*prune* deletes sets that are not desired, at most *prune_limit* percent of those it may.

    At most *change_limit* percent of all sets are deleted or rebuilt. *ignore* leaves sets alone, *only* hides all
    others, *protect* forbids deleting and rebuilding. *spared* sets belong to owners and are not pruned.
    """

    prune: bool = False
    prune_limit: int = 30
    change_limit: int = ALL
    ignore: tuple[Glob, ...] = ()
    protect: tuple[Glob, ...] = ()
    only: tuple[Glob, ...] = ()
    ttl_max: tuple[TtlMax, ...] = ()
    spared: frozenset[Key] = frozenset()

    @property
    def bound_what_is_new(self) -> bool:
        """Whether what others write to a set new to the task could break a limit."""
        return bool(self.ignore or self.protect or self.only or self.change_limit < ALL)

    def ignores(self, record_set: RecordSet, zone: str) -> bool:
        """Whether the task leaves alone the set, as the zone holds it."""
        return matches(self.ignore, record_set, zone)

    def is_about(self, record_set: RecordSet, zone: str) -> bool:
        return not self.only or matches(self.only, record_set, zone)

    def is_about_desired(self, desired: Desired, zone: str) -> bool:
        """Whether the task is about the desired set. To be deleted, it may have any value."""
        if not self.only:
            return True
        globs = self.only if desired.values else [replace(glob, value=ANY) for glob in self.only]
        return matches(globs, desired.as_held, zone)

    @property
    def has_globs(self) -> bool:
        return any(getattr(self, option) for option in GLOBS)

    def within(self, snapshot: Sets, zone: str) -> Sets:
        return (
            {key: one for key, one in snapshot.items() if self.is_about(one, zone)}
            if self.only
            else snapshot
        )

    def unmatched(self, sets: Sequence[RecordSet], zone: str) -> dict[str, set[int]]:
        """By option, the indexes of globs without a match."""
        return {option: unmatched(getattr(self, option), sets, zone) for option in GLOBS}

    def may_prune(self, record_set: RecordSet, zone: str) -> bool:
        is_others = record_set.key.is_made_by_service(zone) or record_set.key in self.spared
        if record_set.octal_name:
            return False
        return (
            not is_others and self.is_about(record_set, zone) and not self.ignores(record_set, zone)
        )


UNLIMITED = Limits()


class InvalidLimits(InvalidInput):
    """All reasons, in one sentence."""


def limits_of(
    options: Mapping[str, Any], zones: Iterable[str], own: Collection[str] = tuple(LIMIT_OPTIONS)
) -> Limits:
    """The limits of these zones. Raises InvalidLimits.

    Only the zones' *own* options are checked: each glob must fit one of the zones.
    """
    chosen = {name: options[name] for name in LIMIT_OPTIONS if options.get(name) is not None}
    percentages = [name for name in ("prune_limit", "change_limit") if name in own]
    out_of_range = (reason_against_number(name, chosen.get(name)) for name in percentages)
    reasons = [reason for reason in out_of_range if reason]
    globs: dict[str, tuple[Glob, ...]] = {name: globs_of(chosen.get(name, ())) for name in GLOBS}
    names = list(zones)
    for option in GLOBS:
        if option in own:
            reasons += _reasons_against(option, globs[option], names)
    try:
        globs["ttl_max"] = ttl_maxima(chosen.get("ttl_max", ()))
    except InvalidRdata as error:
        reasons.append(f"ttl_max cannot be used: {error}")
    if reasons:
        raise InvalidLimits("; ".join(reasons))
    return Limits(**{**chosen, **globs})


def _reasons_against(option: str, globs: Iterable[Glob], zones: Sequence[str]) -> Iterator[str]:
    where = f"in the zone {zones[0]}" if len(zones) == 1 else "in any of the zones"
    if elsewhere := [
        glob.name for glob in globs if not any(can_match(glob, zone) for zone in zones)
    ]:
        yield f"{option} names {_quoted(*elsewhere)}, which can match nothing {where}"
    for glob in globs:
        if set("^$()|,") & {*glob.name}:
            name = _quoted(glob.name)
            yield f"{option} names {name}, which is not a glob: write * for any text, and an entry for each name"
        if set(",;|/+& ") & {*glob.type}:
            rdtype = _quoted(glob.type)
            yield f"{option} has {rdtype} for a type, which matches nothing: write an entry for each type"
        elif slip := slip_in(glob.type):
            yield f"{option} cannot be used: {slip}"


def _quoted(*texts: str) -> str:
    return printable(" and ".join(map(repr, texts)))


LIMITED_FROM = 10
"""A percentage of fewer sets means nothing."""


def pruned(
    zone: str,
    snapshot: Sets,
    desired: Mapping[Key, Desired],
    limits: Limits,
    owner: str | None = None,
) -> list[Key]:
    """The sets to prune; with an *owner*, only that owner's. Raises PlanRefused.

    An empty desired state is refused at any size, since errors often cause it.
    """
    prunable = [key for key, one in snapshot.items() if limits.may_prune(one, zone)]
    going = [key for key in prunable if key not in desired]
    is_empty = not any(
        one.values and not key.is_owned_by_service(zone) for key, one in desired.items()
    )
    of_owner = f" that {owner} has in the zone" if owner else ""
    if going and is_empty and limits.prune_limit < ALL:
        sets = "the only set" if len(going) == 1 else f"all {len(going)} sets"
        raise PlanRefused(
            f"prune would remove {sets}{of_owner}, because the desired state is empty: is the list or the zone "
            f"file meant to be empty? If so, set prune_limit to {ALL}"
        )
    all_sets = f"{len(prunable)} sets{of_owner}" if owner else f"zone's {len(prunable)} sets"
    _refuse_above(
        "prune_limit",
        limits.prune_limit,
        f"prune would remove {len(going)} of the {all_sets}",
        prunable,
        going,
    )
    return going


def prunes_all(zone: str, snapshot: Sets, going: Collection[Key], limits: Limits) -> Iterator[str]:
    """Warn if all of several sets are *going* and no option says that this is meant."""
    is_meant = limits.only or limits.prune_limit == ALL
    if (
        len(going) > 1
        and not is_meant
        and len(going) == sum(limits.may_prune(one, zone) for one in snapshot.values())
    ):
        yield (
            f"prune deletes all {len(going)} sets that {printable(zone)} held: to keep sets that the task does not "
            f"list, leave prune out or limit the task with only; if you want this, set prune_limit to {ALL}"
        )


def _refuse_above(
    option: str, limit: int, clause: str, sets: Collection[Key], going: Collection[Key]
) -> None:
    """Raises PlanRefused if *going* are above *limit* percent of enough *sets*."""
    if len(sets) >= LIMITED_FROM and len(going) * 100 > limit * len(sets):
        raise PlanRefused(
            f"{clause}, more than {option} ({limit} percent) allows: {_named(going)}; raise {option} "
            "if you want all of that"
        )


def refuse_untouched(zone: str, snapshot: Sets, desired: Iterable[Key], limits: Limits) -> None:
    """Raises PlanRefused if a desired set is ignored or outside ``only``."""
    held = [snapshot[key] for key in desired if key in snapshot] if limits.has_globs else []
    outside = [one.key for one in held if not limits.is_about(one, zone)]
    ignored = [one.key for one in held if limits.ignores(one, zone)]
    for option, keys, matching in (
        ("only", outside, "no entry of only"),
        ("ignore", ignored, "ignore"),
    ):
        if keys:
            raise PlanRefused(
                f"{matching} matches {_named(keys)} as the zone holds it, so this task may not touch it: leave "
                f"that out, or change {option}"
            )


def refuse_further(
    zone: str, snapshot: Sets, planned: Iterable[Change], again: Sequence[Change], limits: Limits
) -> None:
    """Raises PlanRefused if another round, *again*, breaks a limit.

    Sets that the task created may be rebuilt.
    """
    made = {change.key for change in planned if not change.before}
    there = [
        change
        for change in again
        if change.deletes and change.key in snapshot and change.key not in made
    ]
    if against := [
        change for change in there if matches(limits.protect, snapshot[change.key], zone)
    ]:
        done = some_names([f"{change.action} {change.key}{_ttls(change)}" for change in against])
        it = "it" if len(against) == 1 else "them"
        raise PlanRefused(
            f"the plan would {done}, but protect matches {it}: change the desired state, or protect"
        )
    sets = _countable(zone, snapshot, limits)
    sets |= {change.key for change in planned if change.before}
    going = {change.key for change in (*planned, *again) if change.deletes} - made
    if limits.change_limit < ALL:
        clause = f"the plan would delete or rebuild {len(going)} of the zone's {len(sets)} sets"
        _refuse_above("change_limit", limits.change_limit, clause, sets, going)


MANY = 30
"""Percent of a zone's sets: where more are rebuilt, people are told."""


def many_rebuilt(
    zone: str, snapshot: Sets, changes: Iterable[Change], limits: Limits
) -> Iterator[str]:
    """Warn if much of a zone is gone for a moment."""
    total = len(_countable(zone, snapshot, limits))
    rebuilt = sum(change.action == "rebuild" for change in changes)
    if total < LIMITED_FROM or rebuilt * 100 <= MANY * total:
        return
    seconds = negative_ttl(zone, snapshot)
    yield (
        f"the plan rebuilds {rebuilt} of the zone's {total} sets: each is gone for a moment, and resolvers that ask "
        f"then may remember that for {seconds} seconds (the last number of the SOA); to refuse such plans, set "
        "change_limit"
    )


def _countable(zone: str, snapshot: Sets, limits: Limits) -> set[Key]:
    """The sets of which a limit takes its share."""
    return {key for key in limits.within(snapshot, zone) if not key.is_owned_by_service(zone)}


def _ttls(change: Change) -> str:
    before, after = change.before, change.after
    return (
        f" (TTL {before.ttl} to {after.ttl})"
        if before and after and before.ttl != after.ttl
        else ""
    )


def _named(keys: Collection[Key]) -> str:
    return some_names([str(key) for key in sorted(keys)])
