# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs that are killed, what comes after them, and what they left to be completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from playing import Task
from rows import READS
from scenarios import Held
from stage import Stage
from trial import failed, wrong
from wishes import (
    BEFORE,
    NOTHING_TO_DO,
    REMOVE_3,
    UNRELATED,
    UNRELATED_SET,
    WISHES,
    WWW,
    addresses,
    task_on,
    with_set,
    www,
)

LAG = 3.0


def killed(stage: Stage, reads: str, wish: str, point: tuple[str, int, bool], then: Task | None) -> Iterator[str]:
    """A run is killed, another task comes at once, and the same task some time later; reads lag throughout."""
    scenario = WISHES[wish]
    method, nth, carried_out = point
    stage.fill(scenario.before)
    stage.odd(**READS[reads])
    if not stage.kill(scenario.task, method, nth, carried_out=carried_out):
        yield "the run ended before it was to be killed"
        return
    wanted = scenario.after
    if then:
        yield from failed("the task after the kill", stage.run(then))
        wanted = {**wanted, **(UNRELATED_SET if then is UNRELATED else {})}
        stage.sleep(LAG)
        # Whatever was young then is old now: the journal must have outlasted it, or its work be done.
        yield from failed("a task some time later", stage.run(NOTHING_TO_DO))
        kept = {value for value in scenario.before.get(WWW, (0, ()))[1] if value in scenario.after[WWW][1]}
        missing = sorted(kept - {*stage.held().get(WWW, (0, ()))[1]})
        if missing:
            yield f"LOST {' '.join(missing)}, until the same task comes again"
    yield from failed("the same task", stage.run(scenario.task))
    yield from wrong("in the end", wanted, stage.held())
    if stage.journals():
        yield "a journal is left in the end"


KILLS = {
    "at-delete": ("DELETE", 1, False),
    "after-delete": ("DELETE", 1, True),
    "at-post-1": ("POST", 1, False),
    "after-post-1": ("POST", 1, True),
    "at-post-2": ("POST", 2, False),
}
THEN: Mapping[str, Task | None] = {"unrelated": UNRELATED, "no-op": NOTHING_TO_DO, "same": None}


def cannot_be_completed(stage: Stage, then: Task, wanted: Held, reads: Mapping[str, Any]) -> Iterator[str]:
    """A journal is open, and the service does not take one of its values any more."""
    stage.fill(BEFORE)
    ttl = WISHES["ttl"]
    if not stage.kill(ttl.task, "POST", 1, carried_out=False):
        yield "the run ended before it was to be killed"
        return
    stage.odd(refused=["A 192.0.2.3"], **reads)
    ran = stage.run(then)
    yield from failed("the task after the kill", ran)
    if not ran.result.get("warnings") and then.options["name"] != WWW[0]:
        yield "no warning says what could not be completed"
    if len(ran.sent("DELETE")) > 1 or f"www.{stage.zone}. A" in ran.sent("DELETE"):
        yield f"recovery deleted: {ran.sent('DELETE')}"
    yield from wrong("after it", wanted, stage.held())
    later = stage.run(UNRELATED)
    yield from failed("a later task", later)
    yield from wrong("in the end", {**wanted, **UNRELATED_SET}, stage.held())
    if len(later.sent("POST")) > 1 or later.sent("DELETE"):
        yield f"recovery goes on for ever: {later.sent('DELETE')} {later.sent('POST')}"


COMPLETED = www(1, 2, ttl=600)
AFTERWARDS = {
    "unrelated": (task_on(("more", "A"), *addresses(5), ttl=60), {**COMPLETED, ("more", "A"): (60, addresses(5))}),
    "no-op": (NOTHING_TO_DO, COMPLETED),
    "drops-it": (REMOVE_3, COMPLETED),
    "exclusive": (task_on(WWW, *addresses(1, 2), ttl=600, exclusive=True), COMPLETED),
}


def repaired_by_hand(stage: Stage, then: Task, wanted: Held) -> Iterator[str]:
    """After a kill somebody gave the set another value; what the journal holds must not be mixed with it."""
    stage.fill(BEFORE)
    if not stage.kill(WISHES["exclusive"].task, "POST", 1, carried_out=False):
        yield "the run ended before it was to be killed"
        return
    by_hand = with_set(BEFORE, WWW, 300, "203.0.113.99")
    stage.fill(by_hand)
    ran = stage.run(then)
    yield from failed("the task after it", ran)
    if not ran.result.get("warnings"):
        yield "no warning says what was put aside"
    yield from wrong("after it", {**by_hand, **wanted}, stage.held())
    yield from failed("a later task", stage.run(NOTHING_TO_DO))
    yield from wrong("in the end", {**by_hand, **wanted}, stage.held())
    if stage.journals():
        yield "a journal is left in the end"


def after_a_kill() -> Iterator[tuple[str, Callable[[Stage], Iterator[str]]]]:
    """Every story of a kill, by name."""
    for reads in ("fresh", "lag-3", "lag-3-alternate"):
        for wish in ("exclusive", "ttl", "absent-one", *(["replace"] if reads == "lag-3" else [])):
            for point, at in KILLS.items():
                for other, then in THEN.items():
                    name = f"kill-{point}/{wish}/{other}/{reads}"
                    yield name, partial(killed, reads=reads, wish=wish, point=at, then=then)
    for other, (task, wanted) in AFTERWARDS.items():
        for lag in (0, 1):
            reads_late = {"read_lag": lag}
            name = f"no-completion/{other}/lag-{lag}"
            yield name, partial(cannot_be_completed, then=task, wanted=wanted, reads=reads_late)
    yield "by-hand/unrelated", partial(repaired_by_hand, then=UNRELATED, wanted=UNRELATED_SET)
    yield "by-hand/no-op", partial(repaired_by_hand, then=NOTHING_TO_DO, wanted={})
