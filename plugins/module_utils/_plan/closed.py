# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans while a damaged document of the zone lies aside.

Nobody knows then what each owner has asked for, and which reviewed plans were carried out. So a task
creates and extends sets, and removes what it names, but nothing else: no pruning, and no value of a
listed set goes because the task does not list it. A reviewed plan is not carried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .change import Change, PlanRefused
from .desired import Desired
from .limits import Limits

_LOOK = "look there for unfinished changes, then remove it"


def listed_only(desired: Iterable[Desired], limits: Limits) -> tuple[list[Desired], Limits]:
    """The desired sets and the limits of a task that removes nothing but what it names."""
    sparing = []
    for one in desired:
        if one.values and not one.keeps_others:
            one = replace(one, keeps_others=True)
        sparing.append(one)
    return sparing, limits._replace(prune=False)


def closed_in_words(closed: str) -> str:
    """The warning of a task at a closed zone."""
    return f"{closed}, so nothing is removed that the task does not name: {_LOOK}"


def check_reviewed(closed: str, place: str, changes: Sequence[Change]) -> None:
    """Raises PlanRefused if a reviewed plan may have been carried out already."""
    if closed and changes:
        raise PlanRefused(
            f"whether the reviewed plan {place} was carried out before is not known, since "
            f"{closed}: {_LOOK}"
        )
