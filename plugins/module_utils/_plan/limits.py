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

_GLOB = {"type": "str", "default": "*"}
_GLOBS: dict[str, Any] = {
    "type": "list",
    "elements": "dict",
    "default": [],
    "options": {"name": _GLOB, "type": _GLOB, "value": _GLOB},
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
GLOBS = ("ignore", "protect", "only", "ttl_max")
"""The options that are lists of globs."""


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

    def ignores(self, record_set: RecordSet, zone: str) -> bool:
        """Whether the task leaves alone the set, as the zone holds it."""
        return matches(self.ignore, record_set, zone)

    def is_about(self, record_set: RecordSet, zone: str) -> bool:
        return not self.only or matches(self.only, record_set, zone)

    def is_about_desired(self, desired: Desired, zone: str) -> bool:
        """Whether the task is about the desired set. To be deleted, it may have any value."""
        if not self.only:
            return True
        globs = self.only
        if not desired.values:
            globs = tuple(replace(glob, value=ANY) for glob in self.only)
        return matches(globs, desired.as_held, zone)

    @property
    def has_globs(self) -> bool:
        return any(getattr(self, option) for option in GLOBS)

    def within(self, held: Sets, zone: str) -> Sets:
        """The sets that the task is about."""
        if not self.only:
            return held
        return {key: one for key, one in held.items() if self.is_about(one, zone)}

    def unmatched(self, sets: Sequence[RecordSet], zone: str) -> dict[str, set[int]]:
        """By option, the indexes of globs without a match."""
        return {option: unmatched(getattr(self, option), sets, zone) for option in GLOBS}

    def may_prune(self, record_set: RecordSet, zone: str) -> bool:
        key = record_set.key
        if key.is_made_by_service(zone) or key in self.spared or record_set.is_octal:
            return False
        return self.is_about(record_set, zone) and not self.ignores(record_set, zone)


UNLIMITED = Limits()


def limits_of(
    options: Mapping[str, Any], zones: Iterable[str], own: Collection[str] = tuple(LIMIT_OPTIONS)
) -> Limits:
    """The limits of these zones. Raises InvalidInput, with all reasons.

    Only the zones' *own* options are checked: each glob must fit one of the zones.
    """
    chosen: dict[str, Any] = {}
    for name in LIMIT_OPTIONS:
        if options.get(name) is not None:
            chosen[name] = options[name]
    reasons = []
    for option in ("prune_limit", "change_limit"):
        reason = reason_against_number(option, chosen.get(option))
        if option in own and reason:
            reasons.append(reason)
    names = [*zones]
    for option in GLOBS:
        globs = globs_of(chosen.get(option, ()))
        if option in own:
            reasons += _reasons_against(option, globs, names)
        if option != "ttl_max":
            chosen[option] = globs
    try:
        chosen["ttl_max"] = ttl_maxima(chosen.get("ttl_max", ()))
    except InvalidRdata as error:
        reasons.append(f"ttl_max cannot be used: {error}")
    if reasons:
        raise InvalidInput("; ".join(reasons))
    return Limits(**chosen)


def _reasons_against(option: str, globs: Iterable[Glob], zones: Sequence[str]) -> Iterator[str]:
    elsewhere = []
    for glob in globs:
        if not any(can_match(glob, zone) for zone in zones):
            elsewhere.append(repr(glob.name))
        for text, characters in ((glob.name, "^$()|,"), (glob.type, ",;|/+& ")):
            if set(characters).intersection(text):
                yield (
                    f"{option} has {printable(repr(text))}, which is not a glob: write * for any "
                    "text, and an entry for each name and type"
                )
        slip = slip_in(glob.type)
        if slip:
            yield f"{option} cannot be used: {slip}"
    if elsewhere:
        where = f"in the zone {zones[0]}" if len(zones) == 1 else "in any of the zones"
        names = printable(" and ".join(elsewhere))
        yield f"{option} names {names}, which can match nothing {where}"


LIMITED_FROM = 10
"""A percentage of fewer sets means nothing."""


def pruned(
    zone: str,
    held: Sets,
    desired: Mapping[Key, Desired],
    limits: Limits,
    whose: str = "the zone's",
) -> list[Key]:
    """The sets to prune of those that are *held*, and *whose* these are. Raises PlanRefused.

    An empty desired state is refused at any size, since errors often cause it.
    """
    prunable = []
    for key, one in held.items():
        if limits.may_prune(one, zone):
            prunable.append(key)
    going = [key for key in prunable if key not in desired]
    if going and limits.prune_limit < ALL and _is_empty(zone, desired):
        raise PlanRefused(
            f"prune would remove all {len(going)} sets, because the desired state is empty: is the "
            f"list or the zone file meant to be empty? If so, set prune_limit to {ALL}"
        )
    clause = f"prune would remove {len(going)} of {whose} {len(prunable)} sets"
    _refuse_above("prune_limit", limits.prune_limit, clause, prunable, going)
    return going


def _is_empty(zone: str, desired: Mapping[Key, Desired]) -> bool:
    """Whether the task wants no set that it may write."""
    for key, one in desired.items():
        if one.values and not key.is_owned_by_service(zone):
            return False
    return True


def prunes_all(zone: str, held: Sets, going: Collection[Key], limits: Limits) -> Iterator[str]:
    """Warn if all of several sets are *going* and no option says that this is meant."""
    is_meant = limits.only or limits.prune_limit == ALL
    if is_meant or len(going) < 2:
        return
    prunable = [one for one in held.values() if limits.may_prune(one, zone)]
    if len(going) == len(prunable):
        yield (
            f"prune deletes all {len(going)} sets that {printable(zone)} held: to keep sets that "
            "the task does not list, leave prune out or limit the task with only; if you want "
            f"this, set prune_limit to {ALL}"
        )


def _refuse_above(
    option: str, limit: int, clause: str, sets: Collection[Key], going: Collection[Key]
) -> None:
    """Raises PlanRefused if *going* are above *limit* percent of enough *sets*."""
    percent = 100 * len(going) / max(1, len(sets))
    if percent > limit and len(sets) >= LIMITED_FROM:
        raise PlanRefused(
            f"{clause}, more than {option} ({limit} percent) allows: {_named(going)}; raise "
            f"{option} if you want all of that"
        )


def refuse_untouched(zone: str, held: Sets, desired: Iterable[Key], limits: Limits) -> None:
    """Raises PlanRefused if a desired set is ignored or outside ``only``."""
    if not limits.has_globs:
        return
    untouched: dict[str, list[Key]] = {"ignore": [], "no entry of only": []}
    for key in desired:
        one = held.get(key)
        if one and limits.ignores(one, zone):
            untouched["ignore"].append(key)
        if one and not limits.is_about(one, zone):
            untouched["no entry of only"].append(key)
    for what, keys in untouched.items():
        if keys:
            raise PlanRefused(
                f"{what} matches {_named(keys)} as the zone holds it, so this task may not touch "
                "it: leave that out, or change the option"
            )


def refuse_beyond_limits(
    zone: str, held: Sets, planned: Collection[Change], again: Sequence[Change], limits: Limits
) -> None:
    """Raises PlanRefused if a plan, *again* after what was *planned* earlier, breaks a limit.

    Sets that the task created may be rebuilt.
    """
    made = {change.key for change in planned if change.before is None}
    deleting = [change for change in again if change.deletes and change.key not in made]
    _refuse_protected(zone, held, deleting, limits)
    if limits.change_limit == ALL:
        return
    sets = _countable(zone, held, limits)
    sets.update(change.key for change in planned if change.before)
    going = set()
    for change in (*planned, *again):
        if change.deletes and change.key not in made:
            going.add(change.key)
    clause = f"the plan would delete or rebuild {len(going)} of the zone's {len(sets)} sets"
    _refuse_above("change_limit", limits.change_limit, clause, sets, going)


def _refuse_protected(zone: str, held: Sets, deleting: Iterable[Change], limits: Limits) -> None:
    """Raises PlanRefused for protected sets."""
    against = []
    for change in deleting:
        there = held.get(change.key)
        if there and matches(limits.protect, there, zone):
            against.append(f"{change.action} {change.key}")
    if against:
        it = "it" if len(against) == 1 else "them"
        raise PlanRefused(
            f"the plan would {some_names(against)}, but protect matches {it}: change the desired "
            "state, or protect"
        )


MANY = 30
"""Percent of a zone's sets: where more are rebuilt, people are told."""


def many_rebuilt(zone: str, held: Sets, changes: Iterable[Change], limits: Limits) -> Iterator[str]:
    """Warn if much of a zone is gone for a moment."""
    rebuilt = len([change for change in changes if change.action == "rebuild"])
    if not rebuilt:
        return
    total = len(_countable(zone, held, limits))
    if total < LIMITED_FROM or rebuilt * 100 <= MANY * total:
        return
    seconds = negative_ttl(zone, held)
    yield (
        f"the plan rebuilds {rebuilt} of the zone's {total} sets: each is gone for a moment, and "
        f"resolvers that ask then may remember that for {seconds} seconds (the last number of the "
        "SOA); to refuse such plans, set change_limit"
    )


def _countable(zone: str, held: Sets, limits: Limits) -> set[Key]:
    """The sets of which a limit takes its share."""
    return {key for key in limits.within(held, zone) if not key.is_owned_by_service(zone)}


def _named(keys: Collection[Key]) -> str:
    return some_names([str(key) for key in sorted(keys)])
