# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Play all scenarios in which so many things go wrong at once.

PYTHONPATH names a folder in which ansible_collections/zonesmith/dns is the collection.

python tests/faults                          every scenario of two tasks with one thing going wrong
python tests/faults --depth 2 --processes 2  every pair too
python tests/faults --scenario 0.1.2.0-3.4   one of them, as a table, by its number; "TASK / HABIT, HABIT" is one too
python tests/faults --habits, --habits 2     every habit of the service with every task, and every pair of them
python tests/faults --stories                every story, with every single fault
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "service")]

from judge import wrongs
from stepping import played, scenario_of, table
from walk import (
    all_habits,
    all_stories,
    everything,
    judged_habits,
    story_wrongs,
    total,
    two_tasks,
    walk,
    walk_story,
    with_habits,
)


def main() -> int:
    """Play; the exit status tells whether something is untold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--scenario", help="this one alone")
    parser.add_argument("--first", type=int, help="only those that begin with the so-manieth task")
    parser.add_argument("--habits", type=int, nargs="?", const=1, default=0)
    parser.add_argument("--stories", action="store_true")
    parser.add_argument("--nth", type=int, default=1, help="each so-manieth fault of a story")
    parser.add_argument("--shown", type=int, default=4, help="numbers of scenarios of a kind")
    options = parser.parse_args()
    if options.scenario:
        task, is_with_habits, names = options.scenario.partition(" / ")
        if is_with_habits:
            outcome, found = with_habits(task, tuple(names.split(", ")))
        else:
            scenario = scenario_of(options.scenario)
            is_story = scenario.first in all_stories()
            outcome = played(scenario, checks=not is_story)
            found = story_wrongs(outcome) if is_story else wrongs(outcome)
        print(
            *table(outcome),
            *(f"WRONG: {one.kind}, {one.told}: {one.text}" for one in found),
            sep="\n",
        )
        return bool(found)
    if options.stories:
        play = partial(walk_story, nth=options.nth)
        tallies = everything(play, all_stories(), options.processes)
    elif options.habits:
        tallies = everything(judged_habits, all_habits(options.habits), options.processes, 20)
    else:
        parts = [of for of in two_tasks() if options.first in (None, of[0])]
        tallies = everything(partial(walk, options.depth), parts, options.processes)
    tally, seconds = total(tallies)
    print(*tally.lines(options.shown), f"{seconds:.0f} s", sep="\n")
    return tally.recovered < tally.scenarios


if __name__ == "__main__":
    raise SystemExit(main())
