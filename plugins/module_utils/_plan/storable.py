# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which values the service cannot be sent, so that it would store them as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from .._dns.printable import printable_part
from .._dns.record_set import Key, Sets, minus, values_of
from .change import Change

ProblemOf = Callable[[str, str], str]
"""Why a value of a type cannot be created as it is, as a clause; empty if it can."""


def problem_with(change: Change, problem_of: ProblemOf) -> str:
    """A clause on a value that cannot be created as it is to be; empty if there is none."""
    for value in change.creates:
        problem = problem_of(change.key.type, value)
        if problem and value in values_of(change.before):
            return (
                f"must be rebuilt, but a value that it holds cannot be created again: {problem}; "
                "or remove the set, or give it other values with exclusive"
            )
        if problem:
            return f"cannot be stored as desired: {problem}"
    return ""


def impossible(
    keys: Iterable[Key], desired: Sets, shown: Sets, problem_of: ProblemOf
) -> dict[Key, dict[str, str]]:
    """The values that sets lack and that cannot be created, each with why."""
    found: dict[Key, dict[str, str]] = {}
    for key in keys:
        for value in minus(desired.get(key), shown.get(key)):
            problem = problem_of(key.type, value)
            if problem:
                found.setdefault(key, {})[value] = problem
    return found


def left_out_in_words(left_out: Mapping[Key, Mapping[str, str]]) -> Iterator[str]:
    """Warn about values that an earlier run has not added, and that cannot be created."""
    for key, problems in left_out.items():
        for value, problem in problems.items():
            left = f"an earlier run left {key} without {printable_part(value)}"
            yield f"{left}, and this run leaves it out: {problem}"
