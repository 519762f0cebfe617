# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan as a text that people review, and whether what would be done is still what they have seen. Pure.

The rules, in words:

* A plan is the changes of one zone, each with the set before and after. Its text is the same for the same changes, in
  whatever order the service shows their values: nothing in it tells when, where or by which version it was made.
* What would be done agrees with it where each change is in it, made in the same way, with the same set before and
  after, and each change in it is either to be made or made: then the zone holds what it leads to.
* A run that was cut short may have added some of a change's values. A set between what it was before and what it is
  after is no difference, as long as it goes where the plan says; what is left of it to do is to extend the set.
* Where a run is known to have begun with the plan, the one after it may have completed a set that was not deleted yet:
  with all it held before, it may hold some of what it is to hold.
* A plan is good once. Where the same changes are planned that were carried out before, its text says how often they
  were, which makes it another plan.
* No plan is the plan to change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable,
    printable_part,
    some_clauses,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL, Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among, same_values
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import ACTIONS, Change

FORMAT = 1

HeldSet = Callable[[Key], "RecordSet | None"]
"""A set of the zone with canonical values."""


class UnusablePlan(ValueError):
    """A text that is no plan of the zone; says why in one clause."""


@dataclass(frozen=True)
class _Side:
    """A set before or after a change, in whatever order its values are shown; none has no values."""

    ttl: int = 0
    values: frozenset[str] = frozenset()

    def __str__(self) -> str:
        shown = ", ".join(printable_part(value) for value in sorted(self.values))
        return f"{shown} (TTL {self.ttl})" if self.values else "nothing"


@dataclass(frozen=True)
class Reviewed:
    """The changes of a plan by the sets that they are of: before, after, and the action that leads there.

    *again* is how often the same changes were carried out before.
    """

    changes: dict[Key, tuple[_Side, _Side, str]]
    again: int = 0

    @property
    def digest(self) -> str:
        """What tells it from other plans of its zone: a SHA-256 in hexadecimal digits; empty where nothing changes."""
        sides = [
            [*key, action, *([side.ttl, sorted(side.values)] for side in sides)]
            for key, (*sides, action) in sorted(self.changes.items())
        ]
        return sha256(json.dumps([self.again, sides]).encode()).hexdigest() if sides else ""


NOTHING = Reviewed({})
"""The plan of a zone that has none."""


def plan_text(zone: str, changes: Collection[Change], is_spent: Callable[[str], bool] = lambda _digest: False) -> str:
    """The plan of *zone* (canonical) as a text, which ends in a newline; empty where nothing changes.

    *is_spent* tells by its digest whether a plan was carried out.
    """
    rows = sorted((_row(change) for change in changes), key=lambda row: (row["name"], row["type"]))
    if not rows:
        return ""
    plan = Reviewed({change.key: _sides(change) for change in changes})
    while is_spent(plan.digest):
        plan = replace(plan, again=plan.again + 1)
    again = {"again": plan.again} if plan.again else {}
    return json.dumps({"format": FORMAT, "zone": zone.rstrip("."), **again, "changes": rows}, indent=2) + "\n"


def _row(change: Change) -> dict[str, Any]:
    row = change.as_result()
    for side in ("before", "after"):
        if row[side]:
            row[side]["contents"].sort()
    return row


def reviewed_plan(zone: str, text: str) -> Reviewed:
    """What a text says that ``plan_text`` has made of *zone* (canonical). Raises UnusablePlan."""
    try:
        plan = json.loads(text)
        if plan["format"] != FORMAT:
            raise UnusablePlan(f"its format is {printable_part(repr(plan['format']))}, and this version reads {FORMAT}")
        if plan["zone"] != zone.rstrip("."):
            raise UnusablePlan(f"it is of the zone {printable_part(str(plan['zone']))}")
        changes = {_key(row): _change(row) for row in plan["changes"]}
        if len(changes) != len(plan["changes"]):
            raise UnusablePlan("it lists a set twice")
        again = plan.get("again", 0)
        if not isinstance(again, int) or isinstance(again, bool) or again < 0:
            raise UnusablePlan("what it says in again is no whole number")
    except UnusablePlan:
        raise
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UnusablePlan("it is not what check mode writes") from error
    return Reviewed(changes, again)


def _key(row: Any) -> Key:
    if not (isinstance(row["name"], str) and isinstance(row["type"], str)):
        raise UnusablePlan("a name or a type in it is no text")
    return Key(row["name"], row["type"])


def _change(row: Any) -> tuple[_Side, _Side, str]:
    if row["action"] not in ACTIONS:
        raise ValueError(row["action"])
    return _side(row["before"]), _side(row["after"]), row["action"]


def _side(side: Any) -> _Side:
    if side is None:
        return _Side()
    ttl, contents = side["ttl"], side["contents"]
    if not isinstance(ttl, int) or isinstance(ttl, bool) or not 0 <= ttl <= MAX_TTL:
        raise UnusablePlan(f"a TTL in it is no whole number of 0 to {MAX_TTL}")
    if not (isinstance(contents, list) and contents and all(isinstance(value, str) for value in contents)):
        raise UnusablePlan("the values of a set in it are no list of texts")
    return _Side(ttl, frozenset(contents))


def differences(
    reviewed: Reviewed,
    changes: Iterable[Change],
    held_set: HeldSet,
    kept_ttls: Collection[Key] = (),
    *,
    is_begun: bool = False,
) -> list[str]:
    """What differs between what was reviewed and the *changes* that would be made, one clause a set.

    *held_set* tells what the zone holds now. Of the sets of *kept_ttls* the service is known to keep a TTL of its own.
    A plan that *is_begun* was cut short.
    """
    planned = {change.key: _sides(change) for change in changes}
    told = [*_unreviewed(reviewed, planned, is_begun=is_begun), *_undone(reviewed, planned, held_set, kept_ttls)]
    return [clause for _key, clause in sorted(told)]


def _unreviewed(
    reviewed: Reviewed, planned: dict[Key, tuple[_Side, _Side, str]], *, is_begun: bool
) -> Iterator[tuple[Key, str]]:
    for key, (before, after, action) in planned.items():
        if key not in reviewed.changes:
            told = "" if reviewed is NOTHING else ", and the plan has no change of it"
            yield key, f"{_named(key)} would be {ACTIONS[action]}{told}"
            continue
        seen_before, seen_after, seen_action = reviewed.changes[key]
        is_as_seen = _same(key, before, seen_before)
        if not (is_as_seen or _is_between(key, before, seen_before, seen_after, is_begun=is_begun)):
            yield key, f"{_named(key)} held {seen_before} when the plan was made, and holds {before} now"
        elif not _same(key, after, seen_after):
            yield key, f"{_named(key)} would hold {after}, and {seen_after} in the plan"
        elif action != seen_action and (is_as_seen or action != "extend"):
            yield key, f"{_named(key)} would be {ACTIONS[action]}, and {ACTIONS[seen_action]} in the plan"


def _undone(
    reviewed: Reviewed, planned: dict[Key, tuple[_Side, _Side, str]], held_set: HeldSet, kept_ttls: Collection[Key]
) -> Iterator[tuple[Key, str]]:
    for key, (before, after, _action) in reviewed.changes.items():
        now = _of(held_set(key))
        # A service may keep a TTL of its own, which is not always known; the one of before was not even sent.
        has_old_ttl = before.ttl == now.ttl != after.ttl and key not in kept_ttls
        if key not in planned and (has_old_ttl or not same_values(key.type, now.values, after.values)):
            yield key, f"{_named(key)} holds {now} and would stay so, and is to hold {after} in the plan"


def _sides(change: Change) -> tuple[_Side, _Side, str]:
    return _of(change.before), _of(change.after), change.action


def _of(record_set: RecordSet | None) -> _Side:
    return _Side(record_set.ttl, frozenset(record_set.values)) if record_set else _Side()


def _same(key: Key, one: _Side, other: _Side) -> bool:
    """Whether two sides are one, where the service may not show all of a value."""
    return one.ttl == other.ttl and same_values(key.type, one.values, other.values)


def _is_between(key: Key, now: _Side, before: _Side, after: _Side, *, is_begun: bool) -> bool:
    """Whether a run that only adds values may have come so far; what it deletes first is in the log."""
    most, ttl = (before.values | after.values, before.ttl) if is_begun and before.values else (after.values, after.ttl)
    steps = (before.values, now.values), (now.values, most)
    grows = all(is_among(key.type, value, more) for fewer, more in steps for value in fewer)
    return grows and now.ttl == ttl and before.ttl in (0, ttl)


def _named(key: Key) -> str:
    return printable(f"{key.name} {key.type}")


def in_one_sentence(reviewed: Reviewed, place: str, told: list[str]) -> str:
    """The error of what is not as it was *reviewed* at *place*; *told* is from ``differences``."""
    shown = some_clauses(told)
    if reviewed is NOTHING:
        return (
            f"there is no reviewed plan {place}, and without one nothing is changed: {shown}; make the plan in check "
            "mode and review it"
        )
    return (
        f"what would be done is not the plan that was reviewed, {place}: {shown}; it was not carried out: make "
        "the plan anew in check mode and review it, or see what has changed since"
    )


def spent_in_one_sentence(place: str, run: str, told: list[str], changes: Iterable[Change]) -> str:
    """The error of the plan at *place* that a *run* has carried out, in words, and that would be so again."""
    again = told or [f"{_named(change.key)} would be {ACTIONS[change.action]}" for change in changes]
    return (
        f"the plan that was reviewed, {place}, {run}, and a plan is good once; what it led to is not so any more: "
        f"{some_clauses(again)}; it was not carried out again: make a plan anew in check mode, with the same "
        "state_dir or state_url, and review it"
    )
