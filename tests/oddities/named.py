# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every case by its name: a wish at an oddity (rows.py, wishes.py), or a story of several tasks (stories.py)."""

from __future__ import annotations

from collections import defaultdict

import trial
from rows import ODDITIES
from stage import Stage
from stories import STORIES
from wishes import WISHES

_BY_PATIENCE = sorted(ODDITIES.values(), key=lambda oddity: -oddity.patience)


def every() -> list[str]:
    """All of them, those first that take longest."""
    cases = [f"{oddity.name}/{wish}" for oddity in _BY_PATIENCE for wish in oddity.wishes]
    return [*cases[:100], *STORIES, *cases[100:]]


def sample(most_patience: float) -> list[str]:
    """A wish of each oddity that makes a run wait for no more than so many seconds, and a story of each kind."""
    rows = [oddity for oddity in _BY_PATIENCE if oddity.patience <= most_patience]
    cases = [f"{oddity.name}/{oddity.wishes[turn % len(oddity.wishes)]}" for turn, oddity in enumerate(rows)]
    kinds: dict[str, list[str]] = defaultdict(list)
    for name in STORIES:
        kinds[name.partition("/")[0]].append(name)
    return [*cases, *(names[len(names) // 3] for names in kinds.values())]


def play(name: str, stage: Stage) -> list[str]:
    """What is wrong in one case."""
    if name in STORIES:
        return list(STORIES[name](stage))
    oddity, _slash, wish = name.partition("/")
    return trial.play(stage, ODDITIES[oddity], WISHES[wish])
