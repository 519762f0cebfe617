# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Play stories: so many, or until it is stopped.

PYTHONPATH names a folder in which ansible_collections/zonesmith/dns is the collection; nox -s simulate makes one.

python tests/simulation --stories 200000 --seed 7     these
python tests/simulation --seed 7 --story 1234         one of them, as a table
python tests/simulation --hunt                        others, of which each has a few of the rare habits
python tests/simulation --mutations                   how soon it is found where the code is broken
python tests/simulation --chances                     what is drawn, and how often
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from multiprocessing import Pool
from multiprocessing.pool import Pool as PoolOfProcesses
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

try:
    find_spec("ansible_collections.zonesmith.dns.plugins")
except ModuleNotFoundError:
    sys.exit("PYTHONPATH has to name a folder with ansible_collections/zonesmith/dns: nox -s simulate makes one.")

import mutations
from checks import violations
from drawing import HUNTED, ODDS, drawn, hunted
from kept import HOLD
from playing import play
from smaller import made_small
from story import Story, literal
from table import table

CHUNK = 200
COLLECTED_AFTER = 5
"""Stories: then nothing is young but what is left of their worlds, which are full of circles."""
SEED = 29
"""Of the stories that the gate plays, and in which each mutation is found."""
MOST_SHOWN = 5

Found = tuple[int, str, str]
"""The number of a story, the check, and what is wrong."""
Draw = Callable[[int, int], Story]
"""A story of a seed and a number."""


def played(draw: Draw, part: tuple[int, int, int]) -> list[Found]:
    """What is wrong with the stories of a seed from one number up to another."""
    seed, first, last = part
    found: list[Found] = []
    for number in range(first, last):
        found += [(number, one.check, one.text) for one in violations(play(draw(seed, number)))[:1]]
        if number % COLLECTED_AFTER == 0:
            gc.collect(0)
    return found


def parts(seed: int, stories: int | None) -> Iterator[tuple[int, int, int]]:
    """The stories in parts; without end where no number is given."""
    first = 0
    while stories is None or first < stories:
        last = first + CHUNK if stories is None else min(first + CHUNK, stories)
        yield seed, first, last
        first = last


def shown(draw: Draw, seed: int, number: int, check: str) -> Iterator[str]:
    """A story that fails, made small, as a table, and what plays it again."""
    story = made_small(draw(seed, number), check) if check else draw(seed, number)
    outcome = play(story)
    yield from table(outcome)
    yield from (f"VIOLATION {violation.check}: {violation.text}" for violation in violations(outcome))
    yield f"nox -s simulate -- --seed {seed} --story {number}{' --hunt' if draw is hunted else ''}"
    yield literal(story)


def main() -> int:
    """Play; the exit status tells whether all was as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stories", type=int, help="how many; without, until it is stopped")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--story", type=int, help="this one alone")
    parser.add_argument("--whole", action="store_true", help="that one as it was drawn, not made small")
    parser.add_argument("--hunt", action="store_true", help="stories of which each has a few of the rare habits")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--chances", action="store_true")
    parser.add_argument(
        "--first", action="store_true", help="end at the first violation, and print how many were played until then"
    )
    parser.add_argument("--kept", action="store_true", help="those that failed once")
    parser.add_argument("--mutations", action="store_true", help="break the code, and tell how soon that is found")
    given = parser.parse_args()
    if given.chances:
        print(*(f"{odds:5.0%}  {name}" for name, odds in (HUNTED if given.hunt else ODDS).items()), sep="\n")
        return 0
    draw = hunted if given.hunt else drawn
    seed = time.time_ns() % 10**9 if given.seed is None else given.seed
    if given.story is not None:
        found = violations(play(draw(seed, given.story)))
        print(*shown(draw, seed, given.story, found[0].check if found and not given.whole else ""), sep="\n")
        return bool(found)
    if given.kept:
        wrong = [name for name, story in HOLD.items() if violations(play(story))]
        print(*wrong, sep="\n")
        return bool(wrong)
    if given.mutations:
        return show_mutations(given.seed or SEED, given.processes)
    if given.first:
        number = first_found(draw, seed, given.stories, given.processes)
        print(number or f"none in {given.stories:,} of seed {seed}")
        return bool(number)
    print(f"seed {seed}", flush=True)
    return report(draw, *play_all(draw, seed, given.stories, given.processes), seed)


def show_mutations(seed: int, processes: int) -> int:
    """Print what is found of the mutations; the exit status tells whether it is all."""
    lines = []
    for line in mutations.table(seed, processes):
        print(line, flush=True)
        lines.append(line)
    return any(line.endswith("not found") for line in lines)


def _players(processes: int) -> PoolOfProcesses:
    """Processes that play; what they have imported stays, and need not be looked through again."""
    return Pool(processes, _begin_to_play)


def _begin_to_play() -> None:
    gc.freeze()
    gc.disable()


def first_found(draw: Draw, seed: int, stories: int | None, processes: int) -> int:
    """How many stories are played until one violates; 0 where none does."""
    with _players(processes) as pool:
        for wrong in pool.imap(partial(played, draw), parts(seed, stories)):
            if wrong:
                pool.terminate()
                return wrong[0][0] + 1
    return 0


def play_all(draw: Draw, seed: int, stories: int | None, processes: int) -> tuple[int, list[Found]]:
    """How many were played until the end or an interruption, and what was found."""
    number, found = 0, list[Found]()
    with _players(processes) as pool:
        try:
            found_of = pool.imap(partial(played, draw), parts(seed, stories))
            for part, wrong in zip(parts(seed, stories), found_of, strict=False):
                number = part[2]
                found += wrong
                if sys.stderr.isatty():
                    print(f"\r{number:,} stories, {len(found)} violations", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.terminate()
    return number, found


def report(draw: Draw, number: int, found: list[Found], seed: int) -> int:
    """Print what was found, and in the last line how much."""
    counts = Counter(check for _number, check, _text in found)
    for check, count in counts.items():
        first = next(one for one, of, _text in found if of == check)
        print(f"\n{check}: {count}, of which stories {[one for one, of, _text in found if of == check][:MOST_SHOWN]}")
        print(*shown(draw, seed, first, check), sep="\n")
    print(f"{number:,} stories, {len(found)} violations")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
