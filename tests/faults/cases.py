# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The table of faults, and from it and a clean run every case: one fault at one request of one scenario."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scenarios import Scenario

QUICK = os.environ.get("FAULTS") == "quick"
"""Whether only some cases of each kind are asked for, as before a commit."""

EVERYTHING = os.environ.get("FAULTS") == "all"

WRITES = ("DELETE", "POST")
CALLS = ("GET", *WRITES)
LONG = 60
"""Seconds that a request hangs whose sender is killed meanwhile."""


@dataclass(frozen=True)
class Fault:
    """A fault, as the stand-in service takes it, and how the run that meets it must end."""

    name: str
    ends: str  # "well", "failed", "killed", or "either" of the first two
    fields: Mapping[str, Any]
    methods: Sequence[str] = CALLS
    options: Mapping[str, Any] = field(default_factory=lambda: {"retries": 2, "timeout": 20})
    whole_service: bool = False  # whether it is for every request from the one on, not only for those of its method


def _lasting(retries: int, timeout: float = 20) -> dict[str, Any]:
    return {"retries": retries, "timeout": timeout}


TOO_MANY = {"kind": "status", "status": 429, "headers": {"Retry-After": "1"}}
# Twice as long as a busy machine may take for an honest answer.
HANG = {"retries": 4, "timeout": 10}
SINGLE = (
    Fault("500", "well", {"kind": "status", "status": 500}),
    Fault("429", "well", TOO_MANY),
    Fault("drop before", "well", {"kind": "drop_before"}),
    Fault("hang before", "well", {"kind": "hang_before", "seconds": 20}, options=HANG),
    Fault("500 after", "well", {"kind": "status_after", "status": 500}, WRITES),
    Fault("drop after", "well", {"kind": "drop_after"}, WRITES),
    Fault("hang after", "well", {"kind": "hang_after", "seconds": 20}, WRITES, options=HANG),
    # A CNAME that is still there, whatever the service said, makes its successor impossible.
    Fault("lie", "either", {"kind": "lie"}, WRITES),
    Fault("refusal", "failed", {"kind": "status", "status": 422, "body": {"message": "No."}}, WRITES),
)
KILLS = (
    Fault("kill before", "killed", {"kind": "hang_before", "seconds": LONG}, options=_lasting(0, LONG)),
    Fault("kill after", "killed", {"kind": "hang_after", "seconds": LONG}, WRITES, options=_lasting(0, LONG)),
)
LASTING = (
    Fault(
        "lasting 500",
        "failed",
        {"kind": "status", "status": 500, "times": 0},
        options={**_lasting(1), "retry_timeout": 0.1},
    ),
    Fault("lasting lie", "failed", {"kind": "lie", "times": 0}, WRITES),
    Fault("lasting refusal", "failed", {"kind": "status", "status": 422, "times": 0}, WRITES),
    Fault("lasting hang", "failed", {"kind": "hang_before", "seconds": 20, "times": 0}, WRITES, _lasting(0, 10)),
    Fault("gone", "failed", {"kind": "drop_before", "times": 0}, options=_lasting(0), whole_service=True),
)
FAULTS = (*SINGLE, *KILLS, *LASTING)


@dataclass(frozen=True)
class Case:
    """One fault at the request that is the *nth* of its method in the run of the scenario."""

    number: int
    scenario: Scenario
    fault: Fault
    method: str
    nth: int
    position: int

    @property
    def host(self) -> str:
        """The host of the play; of a fixed length, so that no slug is part of another."""
        return f"case{self.number:05d}"

    @property
    def zone(self) -> str:
        """The case's own zone."""
        return f"{self.host}.example"

    @property
    def path(self) -> str:
        """What only the paths of this zone hold."""
        return f"/{self.host}example"

    @property
    def heals_elsewhere(self) -> bool:
        """Whether it is another task, not the same one again, that comes first after the fault."""
        return self.fault.ends != "well" and self.number % 2 == 0

    def selection(self) -> dict[str, Any]:
        """The fault as the service takes it."""
        chosen = {"nth": self.position} if self.fault.whole_service else {"method": self.method, "nth": self.nth}
        return {**self.fault.fields, **chosen, "path": self.path}

    def __str__(self) -> str:
        return f"{self.scenario.name}, {self.fault.name} at {self.method} {self.nth}"


def pairs(scenarios: Sequence[Scenario]) -> list[tuple[str, str]]:
    """Which faults each scenario meets for real, by name: every fourth, and both kills.

    To be quick it is every fourth of those that do not last, which are not waited for until patience ends.
    """
    return [
        (scenario.name, fault.name)
        for row, scenario in enumerate(scenarios)
        for turn, fault in enumerate(FAULTS)
        if EVERYTHING
        or ((row + turn) % 4 == 0 and not (QUICK and fault in LASTING))
        or (fault.ends == "killed" and not QUICK)
    ]


def make_cases(
    methods: Mapping[str, Sequence[str]], scenarios: Sequence[Scenario], *, everything: bool, quick: bool = False
) -> list[Case]:
    """Every case of every scenario; *methods* are the requests of a clean run, by scenario.

    Unless *everything* is asked for, a kill comes at every request, and any other fault at the first, the last or one
    other request of each method, which is another one for each fault. The bulk scenario has too many requests: there a
    kill comes at these three. A *quick* run has each fault at one request of each scenario.
    """
    cases: list[Case] = []
    for scenario in scenarios:
        points = list(_points(methods[scenario.name]))
        for turn, fault in enumerate(FAULTS):
            fitting = [point for point in points if point[0] in fault.methods]
            if quick:
                fitting = [fitting[len(cases) % len(fitting)]]
            elif not everything and (scenario.name == "bulk" or fault.ends != "killed"):
                fitting = _sample(fitting, turn, 3 if fault.ends == "killed" else 1)
            cases += [Case(len(cases) + number, scenario, fault, *point) for number, point in enumerate(fitting)]
    return cases


def _points(methods: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    count: Counter[str] = Counter()
    for position, method in enumerate(methods, start=1):
        count[method] += 1
        yield method, count[method], position


def _sample(points: Sequence[tuple[str, int, int]], turn: int, count: int) -> list[tuple[str, int, int]]:
    """So many requests of each method; *turn* makes it others for each fault."""
    chosen = []
    for method in CALLS:
        of_method = [point for point in points if point[0] == method]
        if of_method:
            three = [of_method[0], of_method[turn * 7 % len(of_method)], of_method[-1]]
            chosen += sorted({three[(turn + number) % 3] for number in range(count)})
    return chosen
