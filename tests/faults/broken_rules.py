# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Break the seven rules of docs/design.md, one at a time, and tell which scenario finds that.

And what else has been wrong with writes: what is learnt of services, retries, and what documents keep.

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
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "service")]

from going_wrong import ALTERS_TEXTS
from judge import SET_TOLD, UNTOLD
from walk import (
    HABIT_TASKS,
    Tally,
    all_habits,
    all_stories,
    judged_habits,
    two_tasks,
    walk,
    walk_story,
)

from ansible_collections.zonesmith import dns

SOURCE = Path(next(iter(dns.__path__)))
ENTRY, PAST, LOG = "_log/entry.py", "_log/past.py", "_log/log.py"
RUN, ZONE_LOG, DELETIONS = "_apply/run.py", "_apply/zone_log.py", "_apply/deletions.py"
DELETE, PUT_BACK = "_apply/delete_set.py", "_apply/put_back.py"
OWNER_NAME, UNIT = "_apply/owner_name.py", "_apply/unit.py"
LOOK, DIALECT, TEXTS = "_apply/look.py", "_dns/dialect.py", "_dns/altered_texts.py"
RETRIES, STORED = "_api/retries.py", "_log/stored.py"
STORIES = 40
"""One of so many faults of each story is played first."""
NO_FAULT = 10**6
"""No story has so many."""
PARTS = 16
"""In so many parts, each after the singles of two tasks."""


class Mutation(NamedTuple):
    """A text of a file that is replaced, and what is so then."""

    rule: int | str
    """Of a rule its number; else where it is."""
    name: str
    file: str
    text: str
    by: str


# fmt: off
RULES = (
    Mutation(
        1, "nothing is saved ahead", RUN, "        work.log.save_ahead()\n", "        pass\n"
    ),
    Mutation(
        1,
        "nothing is saved as under way",
        ZONE_LOG,
        "under_way=frozenset(sides)",
        "under_way=frozenset()",
    ),
    Mutation(
        2,
        "no snapshot is stale",
        LOG,
        "if entry.is_young(now) and not entry.agrees(shown.get(key)):",
        "if False:",
    ),
    Mutation(2, "STALE is 4 s", ENTRY, "STALE = 16.0", "STALE = 4.0"),
    Mutation(
        2,
        "an earlier snapshot is forgotten",
        RUN,
        "work.read_fresh([change for change in changes if change.deletes])",
        "work.read_fresh()",
    ),
    Mutation(
        3,
        "nothing is laid over",
        LOG,
        "if key in untouched or not entry.is_unfinished:",
        "if True:",
    ),
    Mutation(
        3,
        "what is laid over takes away",
        LOG,
        "finished = union(there, entry.desired)",
        "finished = entry.desired",
    ),
    Mutation(
        4, "none stays pending", ENTRY, "if self.is_pending and none_can_come:", "if self.is_pending:"
    ),
    Mutation(
        4,
        "an answer is believed",
        ENTRY,
        "if not self.agrees(shown):",
        "if False:",
    ),
    Mutation(
        4,
        "others are not kept",
        ENTRY,
        "if not self.is_pending and not self.is_still_there(shown):",
        "if True:",
    ),
    Mutation(
        4,
        "no snapshot shows a set gone",
        ENTRY,
        "entry = entry._replace(past=self.past._replace(is_gone=True))",
        "pass",
    ),
    Mutation(
        4,
        "a second deletion need not be seen",
        DELETE,
        "return is_confirmed and not one.entry.is_pending",
        "return is_confirmed",
    ),
    Mutation(
        4,
        "a TTL shows that a DELETE took effect",
        PAST,
        "return shown is None or not self.lasting.issubset(shown.values)",
        "return shown is None or self.ttls.isdisjoint(shown.ttls)",
    ),
    Mutation(
        4,
        "what was just added shows that a DELETE took effect",
        PAST,
        "lasting &= self.lasting",
        "pass",
    ),
    Mutation(
        4,
        "a second DELETE proves an earlier one",
        ENTRY,
        "    if known.is_unproven:\n",
        "    if False:\n",
    ),
    Mutation(4, "what is still there is put back", UNIT, "if not in_the_way:", "if True:"),
    Mutation(
        4,
        "an old value proves itself",
        ENTRY,
        "if self.past.is_gone and not self.is_young(now):",
        "if True:",
    ),
    Mutation(
        5,
        "others are not seen before a DELETE",
        DELETE,
        "others = minus(without(shown, past), ours)",
        "others = ()",
    ),
    Mutation(
        5,
        "nothing is put back",
        PUT_BACK,
        "if _comes_back(unit, failure):",
        "if False:",
    ),
    Mutation(
        5,
        "all sets of a name go at once",
        OWNER_NAME,
        "return [[one] for one in sets]",
        "return [sets]",
    ),
    Mutation(
        5,
        "what is not begun is touched",
        RUN,
        "        log.revert(work.not_begun, agenda.entries)\n",
        "",
    ),
    Mutation(5, "deletions go on", DELETIONS, "if self._stopped_by:", "if False:"),
    Mutation(
        6, "one round is enough", RUN, "for _round in range(ROUNDS):", "for _round in range(1):"
    ),
    Mutation(
        7,
        "an entry goes while it is young",
        ENTRY,
        "if entry.is_unfinished or entry.is_young(now):",
        "if entry.is_unfinished:",
    ),
)

OTHERS = (
    Mutation(
        "border",
        "an old text proves itself",
        DIALECT,
        "if value in texts and value not in old:",
        "if value in texts:",
    ),
    Mutation(
        "border",
        "an old spelling proves itself",
        DIALECT,
        'if word in old and shown.type != "MX":',
        "if False:",
    ),
    Mutation(
        "border",
        "what was learnt is not saved",
        ZONE_LOG,
        "return replace(self.document, entries=dict(self.entries), dialect=self.dialect)",
        "return replace(self.document, entries=dict(self.entries))",
    ),
    Mutation(
        "border",
        "an altered text counts as another writer's",
        TEXTS,
        "if new is None or not made_of:",
        "if True:",
    ),
    Mutation(
        "border",
        "what was learnt is never forgotten",
        DIALECT,
        "return replace(self, words=words, altered=altered, ttls=ttls)",
        "return self",
    ),
    Mutation(
        "border",
        "a text that no form brings back is sent by each run",
        TEXTS,
        "problem = comes_back_altered(value, dialect, txt_format)",
        "pass",
    ),
    Mutation(
        "retries",
        "a long Retry-After ends a rebuild",
        RETRIES,
        "if is_long and not call.turn.is_urgent:",
        "if is_long:",
    ),
    Mutation(
        "document",
        "only what could be sent is read back",
        STORED,
        "    ttl, *values = _of_kind(raw, list)\n",
        """    from .._dns.rdata import canonical
    ttl, *values = _of_kind(raw, list)
    for value in values:
        canonical(reading.key.type, value, reading.zone)
""",
    ),
)
"""What has been wrong beside the seven rules."""
# fmt: on
ALL = (*RULES, *OTHERS)


def found() -> Iterator[tuple[str, Tally]]:
    """What comes of all scenarios that look for something wrong, part by part: of each kind some early."""
    for habits in all_habits(1):
        yield "habit", judged_habits(habits)
    for task in HABIT_TASKS:
        yield "habits", judged_habits((task, ALTERS_TEXTS))
    # Each task with the first that follows it, then with the second ones.
    singles = sorted(two_tasks(), key=itemgetter(1))
    stories = all_stories()
    for story in stories:
        yield "story", walk_story(story, NO_FAULT)
    for number, of in enumerate(singles):
        yield "single", walk(1, of)
        if number < PARTS:
            for story in stories[number::PARTS]:
                yield "story", walk_story(story, STORIES)
    for sample in range(1, STORIES):
        for story in stories:
            yield "story", walk_story(story, STORIES, sample)
    for of in ((3, 0), (0, 3)):
        yield "pair", walk(2, of)


def first_wrong() -> str:
    """The first scenario with something wrong; empty where there is none."""
    for kind, tally in found():
        for (_depth, what, told), names in sorted(tally.examples.items()):
            if kind != "pair" or told in (SET_TOLD, UNTOLD):
                return f"{kind} {names[0]}: {what}, {told}"
    return ""


def broken(mutation: Mutation, collection: Path) -> str:
    """The file of a mutation with that. Raises ValueError where the text is not there once."""
    text = (collection / "plugins" / "module_utils" / mutation.file).read_text(encoding="utf-8")
    if text.count(mutation.text) != 1:
        raise ValueError(f"{mutation.name}: {mutation.file} has not once: {mutation.text}")
    return text.replace(mutation.text, mutation.by)


def tried(mutation: Mutation) -> str:
    """Which scenario finds a mutation of the collection; empty where none does."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary, *dns.__name__.split("."))
        shutil.copytree(
            SOURCE / "plugins", copy / "plugins", ignore=shutil.ignore_patterns("__pycache__")
        )
        path = copy / "plugins" / "module_utils" / mutation.file
        path.write_text(broken(mutation, SOURCE), encoding="utf-8")
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
        one for one in ALL if not sys.argv[1:] or any(part in one.name for part in sys.argv[1:])
    ]
    missed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutation, scenario in zip(chosen, pool.map(tried, chosen), strict=True):
            print(f"{mutation.rule:<8}  {mutation.name:<52}  {scenario or 'NOT FOUND'}", flush=True)
            missed += not scenario
    print(f"{len(chosen) - missed} of {len(chosen)} are found")
    return bool(missed)


if __name__ == "__main__":
    raise SystemExit(main())
