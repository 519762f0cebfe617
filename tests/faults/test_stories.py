# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A sample of the stories: habits of services with single faults, logs that are not empty, and a third task.

``python tests/faults --stories`` plays all of them. The sample is another one at each commit.
"""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

import pytest
from walk import all_stories, total, walk_story

EACH = 180
"""One of so many faults of each story is played."""
PARTS = 8


def number_of_commits() -> int:
    """How many commits there are, so that each draws another sample; 0 outside of a repository."""
    command = ["git", "rev-list", "--count", "HEAD"]
    counted = subprocess.run(
        command, cwd=Path(__file__).parent, check=False, capture_output=True, text=True
    )
    return int(counted.stdout) if counted.returncode == 0 else 0


@pytest.mark.parametrize("part", range(PARTS))
def test_a_habit_and_one_thing_going_wrong_are_healed_or_told(part):
    play = partial(walk_story, nth=EACH, of=number_of_commits())
    tally, _seconds = total(map(play, [*all_stories()][part::PARTS]))
    said = "\n".join((*tally.lines(), "python tests/faults --scenario NUMBER shows one of them"))
    assert tally.recovered == tally.scenarios, said
