# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The results as medians, which the document and the picture are made from."""

from __future__ import annotations

from statistics import median
from typing import Any

CONNECTIONS = 8

Results = dict[str, Any]


class Table:
    """Medians by tool, operation and number of sets."""

    def __init__(self, results: Results) -> None:
        self.latency = results["latency"] / 1000
        self._runs = {(case["tool"], case["operation"], case["sets"]): case["runs"] for case in results["cases"]}

    @property
    def cases(self) -> list[tuple[str, str, int]]:
        """Every case, in the order of measurement."""
        return list(self._runs)

    def values(self, tool: str, operation: str, sets: int, figure: str = "seconds") -> list[float]:
        """One figure of every run, without runs that have none."""
        runs = self._runs.get((tool, operation, sets), [])
        return [run[figure] for run in runs if run[figure] is not None]

    def median(self, tool: str, operation: str, sets: int, figure: str = "seconds") -> float | None:
        """The median of a figure, None where it was not measured."""
        values = self.values(tool, operation, sets, figure)
        return median(values) if values else None

    def limit(self, sets: int) -> float:
        """The seconds that latency alone takes to create so many sets."""
        return sets * self.latency / CONNECTIONS

    def sizes(self, tool: str, operation: str) -> list[int]:
        """The numbers of sets that were measured."""
        return sorted(sets for name, what, sets in self._runs if (name, what) == (tool, operation))
