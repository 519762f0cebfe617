# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The code is broken on purpose: for each rule of "Why nothing is lost", what the simulation must find, and how soon.

Each is played on a copy of the plugins in which one text is replaced by another.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
WITHIN = 20_000
"""Stories in which each is to be found."""


@dataclass(frozen=True)
class Mutation:
    """What is broken: in which file, which text, and what stands there instead."""

    rule: str
    what: str
    file: str
    old: str
    new: str


DELETES = """\
                for change in self._changes:
                    if change.deletes:
                        self._delete(change.key)
"""
CREATES = """\
                for change in self._changes:
                    for value in change.creates:
                        self._create(change.key, change.after.ttl if change.after else 0, value)
"""

MUTATIONS = (
    Mutation(
        "lock",
        "the zone is not read again under it",
        "_write/under_lock.py",
        "if not reading.is_settled or reading.earlier or is_aged or overtaken or is_open_to_others:",
        "if not reading.is_settled:",
    ),
    Mutation(
        "lock",
        "what a reading showed before it is not asked",
        "_write/under_lock.py",
        "        for earlier in readings:\n",
        "        for earlier in ():\n",
    ),
    Mutation(
        "lock",
        "nobody takes it",
        "_write/under_lock.py",
        "with locked(reading, journal) as kept:",
        "with __import__('contextlib').nullcontext(journal.look()) as kept:",
    ),
    Mutation(
        "journal",
        "it is not written",
        "_write/apply.py",
        "entries_kept = self._with_leftover(self._with_external(), attempt.planned) if deletes else None",
        "entries_kept = None",
    ),
    Mutation(
        "journal",
        "a DELETE without an answer is forgotten",
        "_service/writer.py",
        "        self._is_under_way, self.were_in_doubt = False, True\n\n    def end",
        "        self.end(Outcome.REFUSED)\n\n    def end",
    ),
    Mutation(
        "journal",
        "what a late DELETE took is not created again",
        "_write/under_lock.py",
        "late = late_entries(self._histories, self.live)\n        self.leftover",
        "late = []\n        self.leftover",
    ),
    Mutation(
        "journal",
        "it is not brought up to date before a set is deleted once more",
        "_write/unit.py",
        "            try:\n                self._keep(entry, is_new=is_new)\n",
        "            try:\n                pass\n",
    ),
    Mutation(
        "roll-back",
        "there is none",
        "_write/unit.py",
        "        if not lost or failure",
        "        if True or not lost or failure",
    ),
    Mutation(
        "roll-back",
        "what others have added meanwhile does not come back with the set",
        "_write/unit.py",
        "        before = replace(before, values=(*before.values, *others))\n",
        "",
    ),
    Mutation(
        "recovery",
        "there is none",
        "_write/under_lock.py",
        "        if self.leftover:\n            of_run",
        "        if 0:\n            of_run",
    ),
    Mutation(
        "recovery",
        "what is shown as before is believed at once",
        "_write/recovery.py",
        "return any(entry.age < patience and _is_from_before",
        "return False and any(entry.age < patience and _is_from_before",
    ),
    Mutation(
        "lost answers",
        "a DELETE without an answer counts as carried out",
        "_service/writer.py",
        "is_seen = self._proves(key, None, zone) and self._histories.needs_a_delete(key, None)",
        "is_seen = True",
    ),
    Mutation(
        "lost answers",
        "what was there before proves that it was written",
        "_service/writer.py",
        "            zone = read_until(self.read, proves, ONE_READING if is_long_ago else SHORT_BACKOFF)\n"
        "            is_shown = proves(zone)\n",
        "            return _shows(key, value, read_until(self.read, partial(_shows, key, value), SHORT_BACKOFF))\n",
    ),
    Mutation(
        "lost answers",
        "what others have added is deleted where a DELETE is sent again",
        "_service/writer.py",
        "            _refuse_to_delete(others(zone))\n",
        "",
    ),
    Mutation(
        "lost answers",
        "what others have added is known of readings for the set alone",
        "_service/writer.py",
        "        self.on_reading(zone)\n",
        "",
    ),
    Mutation(
        "verification",
        "nothing is planned again",
        "_write/apply.py",
        "changes = verification.judge(live, self._writer.refused)",
        "changes = ()",
    ),
    Mutation(
        "verification",
        "its first reading is the last",
        "_write/apply.py",
        "self._writer.read_until(partial(self._is_final, verification))",
        "self._writer.read_until(lambda _live: True)",
    ),
    Mutation(
        "verification",
        "a reading that contradicts the memory is believed",
        "_history/histories.py",
        "return [one.key for one in known if one.is_contradicted_by(live_set(one.key), now)]",
        "return []",
    ),
    Mutation(
        "order",
        "sets are created before others at the name are deleted",
        "_write/unit.py",
        f"{DELETES}{CREATES}",
        f"{CREATES}{DELETES}",
    ),
    Mutation("limits", "protect is not asked", "_plan/guard.py", "    if against:\n", "    if 0:\n"),
    Mutation(
        "limits", "change_limit is not asked", "_plan/guard.py", "    if limits.change_limit < ALL and", "    if 0 and"
    ),
    Mutation(
        "limits",
        "prune_limit is not asked",
        "_plan/prune.py",
        "    if is_above(limits.prune_limit,",
        "    if 0 and is_above(limits.prune_limit,",
    ),
    Mutation(
        "limits", "only is not asked", "_plan/limits.py", "if self.is_about(one, zone)} if self.only", "} if self.only"
    ),
    Mutation(
        "limits",
        "ttl_max is not asked",
        "_run/zone.py",
        "        if maxima := self._limits.ttl_max:\n",
        "        if maxima := ():\n",
    ),
    Mutation(
        "TTLs",
        "a TTL that the service keeps is told once",
        "_run/zone.py",
        "        return planned._replace(warnings=(*planned.warnings, *kept_ttls_in_words(kept)))\n",
        "        return planned\n",
    ),
    Mutation(
        "TTLs",
        "a TTL of somebody else's counts as the service's own",
        "_write/verification.py",
        "        return change.key in refused or not is_made or is_put_back or bool(others)\n",
        "        return False\n",
    ),
    Mutation(
        "owners",
        "what others have is not asked",
        "_plan/owners.py",
        "            elif taken:\n",
        "            elif 0:\n",
    ),
    Mutation(
        "owners",
        "what is nobody's goes with the rest",
        "_plan/owners.py",
        "one, keeps_others=True, unwanted=tuple(going)",
        "one, unwanted=tuple(going)",
    ),
    Mutation(
        "owners",
        "the ledger is kept only at the end",
        "_write/apply.py",
        "            self._memory.ledger = self._ledger.begun\n",
        "            pass\n",
    ),
    Mutation(
        "reviewed plans", "any plan is as reviewed", "_run/zone.py", "            if told:\n", "            if 0:\n"
    ),
)


def table(seed: int, processes: int) -> Iterator[str]:
    """Each mutation, and the stories until it was found; or that only one of those that are kept shows it, or none."""
    yield f"{'rule':<16} {'what is broken':<70} stories"
    for mutation in MUTATIONS:
        found = stories_until_found(mutation, seed, processes)
        how = f"{found:,}" if found else "a kept one" if is_found_by_kept(mutation) else "not found"
        yield f"{mutation.rule:<16} {mutation.what:<70} {how}"


def broken(mutation: Mutation) -> str:
    """The file as it is broken. Raises ValueError where it does not have the text once."""
    text = (ROOT / "plugins" / "module_utils" / mutation.file).read_text(encoding="utf-8")
    if text.count(mutation.old) != 1:
        raise ValueError(f"{mutation.file} does not have once what is to be broken: {mutation.what}")
    return text.replace(mutation.old, mutation.new)


def stories_until_found(mutation: Mutation, seed: int, processes: int) -> int:
    """How many stories of a seed are played until one shows the mutation; 0 where none does."""
    told = _played_on(mutation, "--first", f"--stories={WITHIN}", f"--seed={seed}", f"--processes={processes}")
    words = told.stdout.split()
    return int(words[-1]) if told.returncode and words else 0


def is_found_by_kept(mutation: Mutation) -> bool:
    """Whether one of the stories that failed once shows the mutation: the gate plays those too."""
    return bool(_played_on(mutation, "--kept").stdout.strip())


def _played_on(mutation: Mutation, *options: str) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        plugins = Path(folder, "ansible_collections", "zonesmith", "dns", "plugins")
        copytree(ROOT / "plugins", plugins)
        file = plugins / "module_utils" / mutation.file
        file.write_text(broken(mutation), encoding="utf-8")
        return subprocess.run(
            [sys.executable, str(Path(__file__).parent), *options],
            env={**os.environ, "PYTHONPATH": folder},
            capture_output=True,
            text=True,
            check=False,
        )
