# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The histories of record sets as they are kept, and as they are read back: what no run can have kept raises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL, Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._history.history import (
    LOOKED_FOR,
    TOLD,
    History,
    Operation,
    Outcome,
    Seen,
    State,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._history.set_history import (
    MOST_DELETES,
    SetHistory,
    begun,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError

AS_EXPECTED = "as left"
"""As kept, what is expected of a set is what was left: another word would be another format, and nobody the better."""

NO_FORMAT = 1000
"""There will never be so many."""

CLOCK_SET_BACK = 86400.0
"""Seconds by which a clock may have been set back since something was kept: it counts as kept now."""


def as_kept(known: SetHistory, ahead: float) -> dict[str, Any]:
    """A history for a memory whose clock is *ahead* (seconds); of values added in a row it has the last one's time."""
    return {
        "key": known.key,
        "start": _of_state(known.history.start),
        "steps": [_of_steps([*run], known.expected, ahead) for _kind, run in groupby(known.history.steps, _kind)],
        "left": known.expected and [known.expected.ttl, *known.expected.values],
        "is_to_go": known.is_to_go,
        **({"former": [[until + ahead, *sorted(values)] for until, values in known.former]} if known.former else {}),
    }


def _kind(step: Operation | Seen) -> object:
    """What can be kept as one: values that were added in a row."""
    return id(step) if isinstance(step, Seen) or step.is_delete else (step.ttl, step.outcome, step.is_over)


def _of_steps(run: list[Operation | Seen], expected: RecordSet | None, ahead: float) -> list[Any]:
    last = run[-1]
    if isinstance(last, Seen):
        is_expected = expected is not None and last.state == State(expected.ttl, frozenset(expected.values))
        return ["seen", last.at + ahead, AS_EXPECTED if is_expected else _of_state(last.state)]
    how = [last.at + ahead, last.outcome.value, last.is_over]
    values = [step.value for step in run if isinstance(step, Operation)]
    return ["delete", *how] if last.is_delete else ["add", *how, last.ttl, *values]


def _of_state(state: State | None) -> list[Any] | None:
    return [state.ttl, *sorted(state.values)] if state else None


def kept(items: Any, now: float, ahead: float) -> Iterator[tuple[Key, SetHistory]]:
    """The histories of a memory that are of use *now*, by a clock that theirs is *ahead* of (seconds since 1970).

    Raises ValueError, TypeError, KeyError.
    """
    for item in items:
        key = Key(*texts(item["key"]))
        expected = _record_set(key, item["left"])
        steps = [step for row in item["steps"] for step in _steps(row, expected, now, ahead)]
        steps.sort(key=lambda step: step.at)
        history = History(_state(item["start"]), tuple(steps))
        former = tuple(_former(item.get("former", []), now, ahead))
        lasting = SetHistory(key, history, expected, item["is_to_go"] is True, former).lasting(now)
        if lasting:
            yield key, lasting


def _steps(row: Any, expected: RecordSet | None, now: float, ahead: float) -> Iterator[Operation | Seen]:
    kind, at, *rest = row
    at = float(at) - ahead
    if not now - LOOKED_FOR <= at <= now + CLOCK_SET_BACK:
        return
    at = min(at, now)
    if kind == "seen":
        (state,) = rest
        as_expected = State(expected.ttl, frozenset(expected.values)) if expected else None
        yield Seen(as_expected if state == AS_EXPECTED else _state(state), at)
        return
    outcome, is_over, *added = rest
    if kind == "delete" and not added:
        yield Operation(None, 0, at, Outcome(outcome), is_over is True)
    elif kind == "add":
        ttl, *values = added
        (ttl,) = ttls([ttl])
        yield from (Operation(value, ttl, at, Outcome(outcome), is_over is True) for value in texts(values))
    else:
        raise ValueError("no step")


def _former(rows: Any, now: float, ahead: float) -> Iterator[tuple[float, frozenset[str]]]:
    for until, *values in rows:
        at = min(float(until) - ahead, now)
        if now - at < TOLD:
            yield at, frozenset(texts(values))


def kept_in_format_2(of_sets: Mapping[str, Any], now: float, ahead: float) -> Iterator[tuple[Key, SetHistory]]:
    """The same of a memory of an older version: what was left, and how many deletions had no answer."""
    for item in of_sets["sets"]:
        key = Key(*texts(item["key"]))
        kept = item["left"]
        expected = None if kept is None else _record_set(key, [kept["ttl"], *kept["contents"]])
        at = min(float(item["at"]) - ahead, now)
        known = replace(begun(key, None).believed(expected, at), is_to_go=item.get("is_to_go") is True)
        lasting = known.with_pending_deletes(_pending(item), at, now).lasting(now)
        if lasting:
            yield key, lasting


def check_format(what: str, found: Any, newest: int) -> None:
    """Raise StateError where *what* was kept is in a form that only a newer version of this collection knows."""
    if isinstance(found, int) and newest < found < NO_FORMAT:
        raise StateError(
            f"{what} is kept in format {found}, and this version of the collection knows up to {newest}: "
            "use the newest zonesmith.dns that any of your runs uses"
        )


def _pending(item: Mapping[str, Any]) -> int:
    pending = item.get("pending_deletes")
    if pending is None:  # a version before that one counted none
        return MOST_DELETES if item["may_go"] is True else 0
    if not is_number_of_deletes(pending):
        raise ValueError("no number")
    return int(pending)


def is_number_of_deletes(number: Any) -> bool:
    """Whether it can tell how many DELETEs of a set were sent."""
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= MOST_DELETES


def _state(kept: Any) -> State | None:
    if kept is None:
        return None
    ttl, *values = kept
    (ttl,) = ttls([ttl])
    return State(ttl, frozenset(texts(values)))


def _record_set(key: Key, kept: Any) -> RecordSet | None:
    if kept is None:
        return None
    ttl, *values = kept
    (ttl,) = ttls([ttl])
    return RecordSet(*key, ttl, texts(values))


def texts(items: Any) -> tuple[str, ...]:
    """A list of texts. Raises ValueError for all else."""
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise ValueError("no texts")
    return tuple(items)


def ttls(items: Any) -> tuple[int, ...]:
    """A list of TTLs in seconds (RFC 2181, section 8). Raises ValueError for all else."""
    if not all(isinstance(item, int) and not isinstance(item, bool) and 0 <= item <= MAX_TTL for item in items):
        raise ValueError("no TTLs")
    return tuple(items)
