# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the benchmark by a name, each with what it is compared with."""

from __future__ import annotations

from collections.abc import Callable

from account import FEW, MANY, MOST, AccountCase
from cases import LARGEST, LATENT, LIMITED, PING, Case


def _zones(number: int) -> Callable[[Case], bool]:
    return lambda case: isinstance(case, AccountCase) and case.sets == number


def _sets(number: int) -> Callable[[Case], bool]:
    return lambda case: not isinstance(case, AccountCase) and case.sets == number


NAMED: dict[str, Callable[[Case], bool]] = {
    "zones": lambda case: isinstance(case, AccountCase),
    **{f"zones-{number}": _zones(number) for number in (FEW, MANY, MOST)},
    **{f"sets-{number}": _sets(number) for number in (1000, 10000, LARGEST)},
    "latency-200": lambda case: case.operation == LATENT,
    "rate-20": lambda case: case.operation == LIMITED,
    "auto": lambda case: "concurrency: auto" in case.tool.name,
    "loop": lambda case: "in a loop" in case.tool.name,
}
"""Whether a case is of the part. With each of them comes a play of one ping."""


def is_of(names: list[str], case: Case) -> bool:
    """Whether a case is of one of these parts."""
    return case.tool.name == PING or any(NAMED[name](case) for name in names)
