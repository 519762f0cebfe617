# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""All scenarios: each with so many things going wrong, drawn ones, and those with habits; and what came of them."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from multiprocessing import Pool
from random import Random
from typing import Any

from going_wrong import ALTERS_TEXTS, FAULTS, HABITS, LAGS, QUEUES, habits_of, may_fail
from judge import COMES_BACK, SET_TOLD, TOLD, UNSEEN, UNTOLD, Wrong, wrongs
from stepping import Outcome, Scenario, played, played_with, worlds_of_tasks
from stories import ADDS_NOTHING, STORIES, habit_of
from tasks import FIRSTS, GAPS, TASKS
from worlds import PLAIN

COLLECTED_AFTER = 20
"""Scenarios."""
HABIT_TASKS = (
    *dict.fromkeys(first.task for first in FIRSTS),
    "another set",
    "TXT add",
    "MX add",
    "MX with a TTL",
)
TTL_HABITS = {"raises TTLs", "keeps its own TTL", "sets that come again"}
LATE_HABITS = {name for name, habits in HABITS.items() if habits.get("read_lag")}
Kind = tuple[int, str, str]
"""How many things go wrong, what is wrong then, and whether that is told."""


@dataclass
class Tally:
    """What came of scenarios."""

    scenarios: int = 0
    recovered: int = 0
    speaking: int = 0
    """Those in which a run failed or warned."""
    counts: Counter[Kind] = field(default_factory=Counter)
    examples: dict[Kind, list[str]] = field(default_factory=dict)

    def count(self, depth: int, name: str, found: list[Wrong], *, speaks: bool = False) -> None:
        """One more scenario."""
        self.scenarios += 1
        self.recovered += not found
        self.speaking += speaks
        for kind in {(depth, one.kind, one.told) for one in found}:
            self.counts[kind] += 1
            self.examples.setdefault(kind, []).append(name)

    def add(self, other: Tally) -> None:
        """Those of another tally too."""
        self.scenarios += other.scenarios
        self.recovered += other.recovered
        self.speaking += other.speaking
        self.counts += other.counts
        for kind, names in other.examples.items():
            self.examples.setdefault(kind, []).extend(names)

    def of(self, told: str) -> int:
        """How many scenarios have something wrong that is told so far."""
        return len(
            {
                name
                for (_depth, _kind, of), names in self.examples.items()
                for name in names
                if of == told
            }
        )

    def lines(self, shown: int = 4) -> Iterator[str]:
        """As people read it."""
        for (depth, kind, of), number in sorted(self.counts.items()):
            names = "  ".join(self.examples[depth, kind, of][:shown])
            yield f"{depth} at once: {number:6} {kind}, {of}: {names}"
        numbers = ", ".join(
            f"{self.of(told)} {told}" for told in (TOLD, SET_TOLD, UNSEEN, COMES_BACK, UNTOLD)
        )
        recovered = f"{self.recovered} recovered ({self.speaking} with a failure or a warning)"
        yield f"{self.scenarios} scenarios, {recovered}; {numbers}"


def judged(scenario: Scenario, tally: Tally, *, checks: bool) -> list[str]:
    """Play a scenario and count it; the kinds of the steps at which something more can go wrong."""
    outcome = played(scenario, checks=checks)
    speaks = any(not run.is_ok or run.texts for run in outcome.runs)
    tally.count(scenario.depth, str(scenario), wrongs(outcome), speaks=speaks)
    if tally.scenarios % COLLECTED_AFTER == 0:
        gc.collect(0)
    # After a run with which nothing was wrong, 40 s are as good as more.
    is_like_another = GAPS[scenario.gap] == 40 and not scenario.faults and not scenario.lag
    return outcome.steps[: outcome.after_first] if is_like_another else outcome.steps


def walked(scenario: Scenario, more: int, tally: Tally) -> None:
    """A scenario, and all that differ from it by so many things *more* that go wrong later in it."""
    steps = judged(scenario, tally, checks=scenario.depth <= 1)
    if more:
        first = scenario.faults[-1][0] + 1 if scenario.faults else 0
        for number in range(first, len(steps)):
            for fault in range(len(FAULTS[steps[number]])):
                walked(
                    replace(scenario, faults=(*scenario.faults, (number, fault))), more - 1, tally
                )


def walk(depth: int, of: tuple[int, int]) -> Tally:
    """What comes of all scenarios with the two tasks of these numbers, and up to so many things going wrong."""
    tally = Tally()
    for scenario in worlds_of_tasks():
        if (scenario.first, scenario.following) == of:
            for lag in range(len(LAGS)) if depth else (0,):
                walked(replace(scenario, lag=lag), depth - bool(lag), tally)
    return tally


def all_stories() -> range:
    """The numbers of all stories."""
    return range(len(FIRSTS), len(FIRSTS) + len(STORIES))


def two_tasks() -> list[tuple[int, int]]:
    """The numbers of all two tasks."""
    return [*dict.fromkeys((scenario.first, scenario.following) for scenario in worlds_of_tasks())]


MAY_FAIL = frozenset(
    {
        "sets that cannot be deleted",
        "sets that come again",
        "deletes 5 s later",
        "deletes 25 s later",
        QUEUES,
        ADDS_NOTHING,
    }
)
"""Where the service never does what it answers, a second thing going wrong is told, and need not heal."""
LASTING = (
    "the last run fails",
    "the last run changes something",
    "the last run does more than look",
)


def story_wrongs(outcome: Outcome) -> list[Wrong]:
    """What is wrong in a story, and neither healed nor told."""
    habit = habit_of(outcome.scenario.first)
    found = []
    for wrong in wrongs(outcome, ttls=habit not in TTL_HABITS):
        is_excused = wrong.kind in LASTING and habit in MAY_FAIL
        if not is_excused and (wrong.told in (UNTOLD, SET_TOLD) or wrong.kind in LASTING):
            found.append(wrong)
    return found


def _faults(habit: str, steps: Sequence[str]) -> Iterator[tuple[int, int]]:
    """All that can go wrong at these steps, each as its step and its number."""
    for step, kind in enumerate(steps):
        for number, fault in enumerate(FAULTS[kind]):
            # A person's deletion looks like the queued one, which then comes once more.
            if habit != QUEUES or fault.before != "deletes":
                yield step, number


def walk_story(number: int, nth: int = 1, of: int = 0) -> Tally:
    """What comes of a story with each single fault; of these each *nth*, beginning with number *of*."""
    tally = Tally()
    for gap in (0, 2):
        quiet = Scenario(number, 0, gap)
        outcome = played(quiet, checks=False)
        tally.count(0, str(quiet), story_wrongs(outcome))
        steps = outcome.steps[: outcome.after_first] if gap else outcome.steps
        for index, fault in enumerate(_faults(habit_of(number), steps)):
            if (index + number) % nth == of % nth:
                scenario = replace(quiet, faults=(fault,))
                tally.count(1, str(scenario), story_wrongs(played(scenario, checks=False)))
    gc.collect()
    return tally


def draw(seed: int, depth: int, number: int) -> Tally:
    """One scenario in which so many things go wrong, drawn by chance, step by step."""
    random, aside = Random(f"{seed} {number}"), Tally()  # noqa: S311 - no secret
    scenario = random.choice([*worlds_of_tasks()])
    if random.random() < 0.1:
        scenario = replace(scenario, lag=random.randrange(1, len(LAGS)))
    while scenario.depth < depth:
        steps = judged(scenario, aside, checks=False)
        first = scenario.faults[-1][0] + 1 if scenario.faults else 0
        if first >= len(steps):
            break
        # What comes later begins in the first half mostly, so that there is room for it.
        step = min(random.randrange(first, len(steps)) for _left in range(depth - scenario.depth))
        scenario = replace(
            scenario, faults=(*scenario.faults, (step, random.randrange(len(FAULTS[steps[step]]))))
        )
    tally = Tally()
    judged(scenario, tally, checks=False)
    return tally


def all_habits(most: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each task with each habit, and with each so many that meet."""
    for number in range(1, most + 1):
        for names in combinations(HABITS, number):
            yield from ((task, names) for task in HABIT_TASKS)


def with_habits(task: str, names: tuple[str, ...]) -> tuple[Outcome, list[Wrong]]:
    """A task, and the same again until it is idle, at a service with habits; and what is wrong with that."""
    first = next((number for number, first in enumerate(FIRSTS) if first.task == task), 0)
    outcome = played_with(habits_of(*names), Scenario(first, 0, 0), TASKS[task])
    found = [
        wrong
        for wrong in wrongs(outcome, ttls=not TTL_HABITS & {*names})
        if not (may_fail(names) and (wrong.told == TOLD or wrong.kind in LASTING))
    ]
    for run in outcome.runs[:1]:
        if not run.is_ok and not may_fail(names):
            found.append(Wrong("the task fails", TOLD, run.texts[-1]))
        if LATE_HABITS.issuperset(names) and run.sent_writes != _plain_writes(task):
            found.append(Wrong("the task writes more than once", UNTOLD, str(run.sent)))
    last = outcome.runs[-1]
    if names == ALTERS_TEXTS and not last.is_ok and last.sent_writes != (0, 0):
        found.append(Wrong("the task fails again after writes", UNTOLD, str(last.sent)))
    return outcome, found


@cache
def _plain_writes(task: str) -> tuple[int, int]:
    """What a task sends to a service as specified."""
    return played_with(PLAIN, Scenario(0, 0, 0), TASKS[task]).runs[0].sent_writes


def judged_habits(one: tuple[str, tuple[str, ...]]) -> Tally:
    """What comes of a task at a service with habits."""
    task, names = one
    outcome, found = with_habits(task, names)
    tally = Tally()
    tally.count(
        len(names),
        f"{task} / {', '.join(names)}",
        found,
        speaks=any(run.texts for run in outcome.runs),
    )
    return tally


def _begin() -> None:
    gc.freeze()
    gc.disable()  # what a scenario leaves behind is full of circles, and collected now and then


def everything(
    play: Callable[[Any], Tally], parts: Iterable[Any], processes: int, chunk: int = 1
) -> Iterator[Tally]:
    """What *play* tells of each of the parts."""
    with Pool(processes, _begin) as pool:
        yield from pool.imap_unordered(play, parts, chunk)


def total(tallies: Iterable[Tally]) -> tuple[Tally, float]:
    """All of them together, and the seconds that took."""
    began, tally = time.monotonic(), Tally()
    for one in tallies:
        tally.add(one)
    return tally, time.monotonic() - began
