# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan as text for review, and whether it still holds.

* Equal changes give equal text: no time, place, version, or order of values.
* The changes to make agree with the plan if each is in it, with the same action, before and after, and if every other
  change of the plan is already made.
* An interrupted run may have added values. A set in between agrees if extending it gives what the plan says.
* If a run has begun the plan, a set not yet deleted may hold all old values and some new ones.
* A plan is good once. If the same changes are planned again, the text says how often they were made, which makes it
  another plan.
* No plan means: change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from .._dns.dialect import Dialect
from .._dns.printable import printable_part, some_clauses
from .._dns.record_set import (
    MAX_TTL,
    Key,
    RecordSet,
    Sets,
    minus,
    plus,
    same_set,
    same_values,
    values_of,
)
from .._log.document import Document, spent
from .change import ACTIONS, Change, PlanRefused

FORMAT = 1


class UnusablePlan(Exception):
    """Not a plan of the zone. One clause."""


@dataclass(frozen=True)
class Reviewed:
    """A plan's changes by set: before, after, action.

    *again* is how often they were made before.
    """

    changes: Mapping[Key, tuple[RecordSet | None, RecordSet | None, str]]
    again: int = 0

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal; empty without changes."""
        rows = [
            [
                *key,
                action,
                *([one.ttl, sorted({*one.values})] if one else [0, []] for one in (before, after)),
            ]
            for key, (before, after, action) in sorted(self.changes.items())
        ]
        return sha256(json.dumps([self.again, rows]).encode()).hexdigest() if rows else ""


NOTHING = Reviewed({})
"""The plan of a zone that has none."""


def plan_text(
    zone: str, changes: Collection[Change], is_spent: Callable[[str], bool] = lambda _digest: False
) -> str:
    """The plan as text; empty without changes. *is_spent* tells by digest whether a plan was carried out."""
    if not changes:
        return ""
    rows = [change.as_result() for change in sorted(changes, key=lambda change: change.key)]
    for side in (row[side] for row in rows for side in ("before", "after")):
        if side:
            side["contents"].sort()
    plan = Reviewed(
        {change.key: (change.before, change.after, change.action) for change in changes}
    )
    while is_spent(plan.digest):
        plan = replace(plan, again=plan.again + 1)
    again = {"again": plan.again} if plan.again else {}
    return (
        json.dumps({"format": FORMAT, "zone": zone.rstrip("."), **again, "changes": rows}, indent=2)
        + "\n"
    )


def reviewed_plan(zone: str, text: str | bytes) -> Reviewed:
    """Read what ``plan_text`` wrote. Raises UnusablePlan."""
    try:
        plan = json.loads(text)
        number, of, again = plan["format"], plan["zone"], plan.get("again", 0)
        if number != FORMAT:
            raise UnusablePlan(
                f"its format is {printable_part(repr(number))}, but this version reads {FORMAT}"
            )
        if of != zone.rstrip("."):
            raise UnusablePlan(f"it is for the zone {printable_part(str(of))}")
        changes = dict(map(_change, plan["changes"]))
        _check(len(changes) == len(plan["changes"]) and _is_number(again))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UnusablePlan("it is not a plan as check mode writes it") from error
    return Reviewed(changes, again)


def _check(is_so: bool) -> None:
    if not is_so:
        raise ValueError


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TTL


def _change(row: Any) -> tuple[Key, tuple[RecordSet | None, RecordSet | None, str]]:
    key, action = Key(row["name"], row["type"]), row["action"]
    _check(isinstance(key.name, str) and isinstance(key.type, str) and action in ACTIONS)
    return key, (_side(key, row["before"]), _side(key, row["after"]), action)


def _side(key: Key, side: Any) -> RecordSet | None:
    if side is None:
        return None
    ttl, contents = side["ttl"], side["contents"]
    _check(_is_number(ttl) and isinstance(contents, list) and bool(contents))
    _check(all(isinstance(value, str) for value in contents))
    return RecordSet(*key, ttl, tuple(contents))


def differences(
    reviewed: Reviewed,
    changes: Iterable[Change],
    held: Sets,
    *,
    is_begun: bool = False,
) -> list[str]:
    """How the *changes* to make differ from the plan, one clause for each set.

    *is_begun* means that a run was interrupted.
    """
    planned = {change.key: change for change in changes}
    clauses = []
    for key in sorted({*planned, *reviewed.changes}):
        if key not in planned:
            clause = _undone(*reviewed.changes[key][:2], held.get(key))
        elif key in reviewed.changes:
            clause = _unlike(planned[key], *reviewed.changes[key], is_begun=is_begun)
        else:
            clause = f"would be {ACTIONS[planned[key].action]}"
            clause += "" if reviewed is NOTHING else ", but the plan does not change it"
        if clause:
            clauses.append(f"{key} {clause}")
    return clauses


def _unlike(
    change: Change,
    before: RecordSet | None,
    after: RecordSet | None,
    action: str,
    *,
    is_begun: bool,
) -> str | None:
    is_as_seen = same_set(change.before, before)
    if not (is_as_seen or _is_between(change.before, before, after, is_begun=is_begun)):
        return (
            f"held {_shown(before)} when the plan was made, but now holds {_shown(change.before)}"
        )
    if not same_set(change.after, after):
        return f"would hold {_shown(change.after)}, but {_shown(after)} in the plan"
    if change.action != action and (is_as_seen or change.action != "extend"):
        return f"would be {ACTIONS[change.action]}, but {ACTIONS[action]} in the plan"
    return None


def _undone(before: RecordSet | None, after: RecordSet | None, now: RecordSet | None) -> str | None:
    # The service may overrule a TTL unnoticed; but the old TTL means that nothing was sent.
    has_old_ttl = before and now and after and before.ttl == now.ttl != after.ttl
    one = now or after
    if one and (has_old_ttl or not same_values(now, after)):
        return (
            f"holds {_shown(now)} and would not change, but should hold {_shown(after)} in the plan"
        )
    return None


def _is_between(
    now: RecordSet | None, before: RecordSet | None, after: RecordSet | None, *, is_begun: bool
) -> bool:
    """Whether an interrupted run may have left the set so. The log covers sets deleted first."""
    if not (now and after):
        return False
    most, ttl = (
        (plus(before, after.values, before), before.ttl)
        if is_begun and before
        else (after, after.ttl)
    )
    return (
        now.ttl == ttl
        and (not before or before.ttl == ttl)
        and not (minus(before, now) or minus(now, most))
    )


def _shown(one: RecordSet | None) -> str:
    shown = ", ".join(map(printable_part, sorted({*values_of(one)})))
    return f"{shown} (TTL {one.ttl})" if one and shown else "nothing"


def attained(reviewed: Reviewed, held: Sets, dialect: Dialect) -> Reviewed:
    """The plan with the TTLs that the service makes of those in it."""
    if not (reviewed.changes and dialect.ttls):
        return reviewed
    changes = {}
    for key, (before, after, action) in reviewed.changes.items():
        if after:
            after = replace(after, ttl=dialect.asked(key, after.ttl, held.get(key)) or 0)
        changes[key] = before, after, action
    return replace(reviewed, changes=changes)


def refuse_others(
    reviewed: Reviewed, place: str, held: Sets, changes: Collection[Change], document: Document
) -> None:
    """Raises PlanRefused for changes that are not in the plan, or a plan already carried out."""
    run, is_begun = spent(document.plans, reviewed.digest), reviewed.digest in document.plans
    clauses = differences(
        attained(reviewed, held, document.dialect), changes, held, is_begun=is_begun
    )
    if run and (clauses or changes):
        again = clauses or [f"{change.key} would be {ACTIONS[change.action]}" for change in changes]
        raise PlanRefused(
            f"the reviewed plan {place} {run.in_words}, but the zone is not as planned: {some_clauses(again)}; a plan "
            "is valid only once, so plan again with --check and the same state_dir or state_url, and review it"
        )
    if clauses:
        what, plan = "the changes differ from the reviewed plan", "plan again"
        if reviewed is NOTHING:
            what, plan = "there is no reviewed plan", "plan"
        raise PlanRefused(
            f"{what} {place}: {some_clauses(clauses)}; {plan} with --check and review it"
        )
