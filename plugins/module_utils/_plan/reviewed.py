# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan as text for review, and whether it still holds.

* Equal changes give equal text: no time, place, version, or order of values.
* The changes to make agree with the plan if each is in it, with the same action, before and after, and if every other
  change of the plan is already made.
* An interrupted run may have added values: a set also agrees with all old values and some new ones.
* A plan is good once. If the same changes are planned again, the text says how often they were made, which makes it
  another plan.
* No plan means: change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, NamedTuple

from .._dns.dialect import Dialect
from .._dns.printable import moment, printable_part, some_clauses
from .._dns.record_set import (
    MAX_TTL,
    Key,
    RecordSet,
    Sets,
    minus,
    same_set,
    same_values,
    union,
    values_of,
)
from .change import ACTIONS, Change, PlanRefused
from .plan import LOOK

FORMAT = 1


class UnusablePlan(Exception):
    """Not a plan of the zone. One clause."""


class ReviewedChange(NamedTuple):
    before: RecordSet | None
    after: RecordSet | None
    action: str


@dataclass(frozen=True)
class Reviewed:
    """A plan's changes by set; *again* is how often they were made before."""

    changes: Mapping[Key, ReviewedChange]
    again: int = 0

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal; empty without changes."""
        if not self.changes:
            return ""
        rows: list[list[Any]] = []
        for key, (before, after, action) in sorted(self.changes.items()):
            rows.append([*key, action, *_for_digest(before), *_for_digest(after)])
        text = json.dumps([self.again, rows])
        return sha256(text.encode()).hexdigest()


def _for_digest(one: RecordSet | None) -> tuple[int, list[str]]:
    if one is None:
        return 0, []
    return one.ttl, _sorted_values(one)


def _sorted_values(one: RecordSet | None) -> list[str]:
    return sorted({*values_of(one)})


NOTHING = Reviewed({})
"""The plan of a zone that has none."""


# To and from text.


def plan_text(
    zone: str,
    changes: Collection[Change],
    is_carried_out: Callable[[str], bool] = lambda _digest: False,
) -> str:
    """The plan as text; empty without changes. *is_carried_out* tells whether a plan was, by its digest."""
    if not changes:
        return ""
    reviewed = {}
    for change in changes:
        reviewed[change.key] = ReviewedChange(change.before, change.after, change.action)
    plan = Reviewed(reviewed)
    while is_carried_out(plan.digest):
        plan = replace(plan, again=plan.again + 1)
    text: dict[str, Any] = {"format": FORMAT, "zone": zone.rstrip(".")}
    if plan.again:
        text["again"] = plan.again
    in_order = sorted(changes, key=lambda change: change.key)
    text["changes"] = [_row(change) for change in in_order]
    return json.dumps(text, indent=2) + "\n"


def _row(change: Change) -> dict[str, Any]:
    row = change.as_result()
    for side in (row["before"], row["after"]):
        if side:
            side["contents"].sort()
    return row


def reviewed_plan(zone: str, text: str | bytes) -> Reviewed:
    """Read what ``plan_text`` wrote. Raises UnusablePlan."""
    try:
        plan = json.loads(text)
        number, of_zone = plan["format"], plan["zone"]
        if number != FORMAT:
            raise UnusablePlan(
                f"its format is {printable_part(repr(number))}, but this version reads {FORMAT}"
            )
        if of_zone != zone.rstrip("."):
            raise UnusablePlan(f"it is for the zone {printable_part(str(of_zone))}")
        again = plan.get("again", 0)
        changes = dict(_reviewed_change(row) for row in plan["changes"])
        _check(len(changes) == len(plan["changes"]) and _is_number(again))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UnusablePlan("it is not a plan as check mode writes it") from error
    return Reviewed(changes, again)


def _check(is_so: bool) -> None:
    if not is_so:
        raise ValueError


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TTL


def _reviewed_change(row: Any) -> tuple[Key, ReviewedChange]:
    key, action = Key(row["name"], row["type"]), row["action"]
    _check(isinstance(key.name, str) and isinstance(key.type, str) and action in ACTIONS)
    return key, ReviewedChange(_side(key, row["before"]), _side(key, row["after"]), action)


def _side(key: Key, side: Any) -> RecordSet | None:
    if side is None:
        return None
    ttl, contents = side["ttl"], side["contents"]
    _check(_is_number(ttl) and isinstance(contents, list) and bool(contents))
    _check(all(isinstance(value, str) for value in contents))
    return RecordSet(*key, ttl, tuple(contents))


# Whether it still holds.


def refuse_unreviewed(
    reviewed: Reviewed,
    place: str,
    held: Sets,
    changes: Collection[Change],
    dialect: Dialect,
    carried_out: float | None = None,
    closed: str = "",
) -> None:
    """Raises PlanRefused for changes that are not in the plan, or for a plan that was carried out.

    *place* is its file, *carried_out* says when the plan was (seconds since 1970), and *closed* why that is not known.
    """
    if closed and changes:
        raise PlanRefused(
            f"whether the reviewed plan {place} was carried out before is not known, since "
            f"{closed}: {LOOK}"
        )
    clauses = differences(reviewed, changes, held, dialect)
    if carried_out is not None and changes:
        problem = f"the reviewed plan {place} was carried out on {moment(carried_out)}"
        if not clauses:
            clauses = [f"{change.key} would be {_done(change)} again" for change in changes]
    elif reviewed is NOTHING:
        problem = f"there is no reviewed plan {place}"
    else:
        problem = f"the changes differ from the reviewed plan {place}"
    if clauses:
        raise PlanRefused(
            f"{problem}: {some_clauses(clauses)}; plan with --check and the same state_dir or "
            "state_url, and review that"
        )


def differences(
    reviewed: Reviewed, changes: Iterable[Change], held: Sets, dialect: Dialect
) -> list[str]:
    """How the *changes* to make differ from the plan, one clause for each set.

    A TTL in the plan counts as the one that the service makes of it.
    """
    planned = {change.key: change for change in changes}
    clauses = []
    for key in sorted({*planned, *reviewed.changes}):
        in_plan = reviewed.changes.get(key)
        if in_plan and in_plan.after:
            ttl = dialect.asked(key, in_plan.after.ttl, held.get(key))
            in_plan = in_plan._replace(after=replace(in_plan.after, ttl=ttl or 0))
        if in_plan is None:
            clause = f"would be {_done(planned[key])}"
        elif key in planned:
            clause = _unlike(planned[key], in_plan)
        else:
            clause = _undone(in_plan, held.get(key))
        if clause:
            clauses.append(f"{key} {clause}")
    return clauses


def _done(change: Change | ReviewedChange) -> str:
    return ACTIONS[change.action]


def _unlike(change: Change, in_plan: ReviewedChange) -> str:
    """How a change differs from the plan; empty if it does not."""
    is_as_seen = same_set(change.before, in_plan.before)
    if not is_as_seen and not _is_between(change.before, in_plan):
        return (
            f"held {_in_words(in_plan.before)} when the plan was made, but now holds "
            f"{_in_words(change.before)}"
        )
    if not same_set(change.after, in_plan.after):
        return f"would hold {_in_words(change.after)}, but {_in_words(in_plan.after)} in the plan"
    if change.action != in_plan.action and (is_as_seen or change.action != "extend"):
        return f"would be {_done(change)}, but {_done(in_plan)} in the plan"
    return ""


def _undone(in_plan: ReviewedChange, now: RecordSet | None) -> str:
    """How a set that nothing would change differs from the plan; empty if it does not."""
    before, after, _action = in_plan
    if now is None and after is None:
        return ""
    # The service may overrule a TTL unnoticed; but the old TTL means that nothing was sent.
    has_old_ttl = before and now and after and before.ttl == now.ttl != after.ttl
    if same_values(now, after) and not has_old_ttl:
        return ""
    return f"holds {_in_words(now)} and would not change, but should hold {_in_words(after)} in the plan"


def _is_between(now: RecordSet | None, in_plan: ReviewedChange) -> bool:
    """Whether an interrupted run may have left the set so: with all old values, and some new ones."""
    before, after, _action = in_plan
    if now is None or after is None:
        return False
    begin = before or after
    most = union(begin, after)
    return now.ttl == begin.ttl and not minus(before, now) and not minus(now, most)


def _in_words(one: RecordSet | None) -> str:
    values = ", ".join(map(printable_part, _sorted_values(one)))
    return f"{values} (TTL {one.ttl})" if one and values else "nothing"
