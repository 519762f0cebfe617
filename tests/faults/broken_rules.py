# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Break the seven rules of docs/design.md, one at a time, and tell which scenario finds that.

PYTHONPATH names a folder in which ansible_collections/zonesmith/dns is the collection.

python tests/faults/broken_rules.py            all; the exit status tells whether each is found
python tests/faults/broken_rules.py STALE      those with this in their name
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from judge import SET_TOLD, UNTOLD
from walk import Tally, all_habits, judged_habits, two_tasks, walk

from ansible_collections.zonesmith import dns

SOURCE = Path(next(iter(dns.__path__)))
ENTRY, LOG, RUN = "_log/entry.py", "_apply/zone_log.py", "_apply/run.py"
REQUESTS, OWNER_NAME = "_apply/requests.py", "_apply/owner_name.py"


class Mutation(NamedTuple):
    """A text of a file that is replaced, and what is so then."""

    rule: int
    name: str
    file: str
    text: str
    by: str


_LESS = "return not any(minus(before, self._requests.shown(snapshot, key)) for key, before in going.items())"
_GROWN = "return replace(shown, values=(*shown.values, *missing)) if missing else shown"
_OTHERS = "others := minus(shown, self.expected[key])"

MUTATIONS = (
    Mutation(
        1,
        "nothing is saved ahead",
        RUN,
        "            self._log.save()\n        except",
        "        except",
    ),
    Mutation(
        1,
        "what is under way is saved as done",
        LOG,
        "if key in self._under_way else",
        "if False else",
    ),
    Mutation(
        2,
        "no snapshot is stale",
        ENTRY,
        "return all(entry.agrees(shown.get(key)) for key",
        "return True or (key",
    ),
    Mutation(2, "STALE is 4 s", ENTRY, "STALE = 16.0", "STALE = 4.0"),
    Mutation(2, "an earlier snapshot is forgotten", RUN, _LESS, "return True"),
    Mutation(
        3,
        "nothing is laid over",
        ENTRY,
        "if not self.is_unfinished or self.desired is None:",
        "if True:",
    ),
    Mutation(3, "what is laid over takes away", ENTRY, _GROWN, "return self.desired"),
    Mutation(4, "none stays pending", ENTRY, "agrees and now >= entry.pending_until", "agrees"),
    Mutation(4, "an answer is believed", LOG, "and not entry.agrees(there):", "and False:"),
    Mutation(4, "others are not kept", LOG, "if entry.pending_until and there:", "if False:"),
    Mutation(5, "others are not seen before a DELETE", REQUESTS, _OTHERS, "others := ()"),
    Mutation(
        5,
        "nothing is put back",
        OWNER_NAME,
        "(error.refuses_the_value or (is_gone",
        "(False and (is_gone",
    ),
    Mutation(6, "one round is enough", RUN, "if step.key not in self._forgone)\n", "if False)\n"),
    Mutation(
        7,
        "an entry goes while it is young",
        ENTRY,
        "pending_until or entry.is_young(now):",
        "pending_until:",
    ),
)


def found() -> Iterator[tuple[str, Tally]]:
    """What comes of all scenarios that look for something wrong, part by part."""
    for of in two_tasks():
        yield "single", walk(1, of)
    for habits in all_habits(1):
        yield "habit", judged_habits(habits)
    for of in ((3, 0), (0, 3)):
        yield "pair", walk(2, of)


def first_wrong() -> str:
    """The first scenario with something wrong; empty where there is none."""
    for kind, tally in found():
        for (_depth, what, told), names in sorted(tally.examples.items()):
            if kind != "pair" or told in (SET_TOLD, UNTOLD):
                return f"{kind} {names[0]}: {what}, {told}"
    return ""


def tried(mutation: Mutation) -> str:
    """Which scenario finds a mutation of the collection; empty where none does."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary, *dns.__name__.split("."))
        shutil.copytree(
            SOURCE / "plugins", copy / "plugins", ignore=shutil.ignore_patterns("__pycache__")
        )
        path = copy / "plugins" / "module_utils" / mutation.file
        text = path.read_text(encoding="utf-8")
        if text.count(mutation.text) != 1:
            raise SystemExit(f"{mutation.name}: {mutation.file} has not once: {mutation.text}")
        path.write_text(text.replace(mutation.text, mutation.by), encoding="utf-8")
        command = [sys.executable, __file__, "--find"]
        env = {**os.environ, "PYTHONPATH": temporary, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, check=True, env=env, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def main() -> int:
    """Try them, and print what finds each."""
    if sys.argv[1:] == ["--find"]:
        print(first_wrong())
        return 0
    chosen = [
        one
        for one in MUTATIONS
        if not sys.argv[1:] or any(part in one.name for part in sys.argv[1:])
    ]
    missed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutation, scenario in zip(chosen, pool.map(tried, chosen), strict=True):
            print(f"{mutation.rule}  {mutation.name:<36}  {scenario or 'NOT FOUND'}", flush=True)
            missed += not scenario
    print(f"{len(chosen) - missed} of {len(chosen)} are found")
    return bool(missed)


if __name__ == "__main__":
    raise SystemExit(main())
