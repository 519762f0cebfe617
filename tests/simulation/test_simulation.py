# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""That the simulation tells what is so: stories are played the same way twice, and those that failed are kept."""

from __future__ import annotations

import pytest
from checks import violations
from drawing import drawn
from kept import FAIL, HOLD
from mutations import MUTATIONS, Mutation, broken
from playing import play
from smaller import made_small
from story import Story
from table import table


@pytest.mark.parametrize("story", HOLD.values(), ids=HOLD)
def test_what_was_mended_holds(story: Story) -> None:
    outcome = play(story)
    assert violations(outcome) == [], "\n".join(table(outcome))


@pytest.mark.parametrize(("check", "story"), FAIL.values(), ids=FAIL)
def test_what_is_known_to_fail_is_found(check: str, story: Story) -> None:
    """And who mends it is told to say so."""
    outcome = play(story)
    assert check in {violation.check for violation in violations(outcome)}, "\n".join(table(outcome))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: f"{mutation.rule}: {mutation.what}")
def test_what_is_broken_on_purpose_is_there_to_be_broken(mutation: Mutation) -> None:
    compile(broken(mutation), mutation.file, "exec")


@pytest.mark.parametrize("number", range(40))
def test_a_story_is_played_the_same_way_twice(number: int) -> None:
    first, second = (list(table(play(drawn(11, number)))) for _number in range(2))
    assert first == second


def test_a_small_story_still_fails() -> None:
    (check, story), *_others = FAIL.values()
    small = made_small(story, check)
    assert check in {violation.check for violation in violations(play(small))}
    assert len(small.steps) <= len(story.steps)
