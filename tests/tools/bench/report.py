# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The results as tables; pure: results in, text out."""

from math import isnan, nan
from statistics import median

from account import ACCOUNT_TITLES, OCTODNS
from cases import CONNECTIONS, INFOMANIAK, NOOP, PING, PING_LOOP, TITLES

FLOORS = (PING, PING_LOOP, NOOP)
FLOOR = "A module that does nothing"
IN_ITS_OWN = {INFOMANIAK, OCTODNS}
"""What does not run in Ansible's worker, though no process of a module is seen."""


class Table:
    """Medians by tool, operation and number of sets or zones."""

    def __init__(self, results):
        self.latency = results["latency"] / 1000
        self.runs = {
            (case["tool"], case["operation"], case["sets"]): case["runs"]
            for case in results["cases"]
        }

    def get(self, tool, operation, sets, figure="seconds"):
        """The median of a figure; nan where it was not measured, which makes nan of what is reckoned with it."""
        values = [
            run[figure]
            for run in self.runs.get((tool, operation, sets), ())
            if run[figure] is not None
        ]
        return float(median(values)) if values else nan

    def limit(self, sets):
        """The seconds that latency alone takes to create so many sets."""
        return sets * self.latency / CONNECTIONS

    def sizes(self, tool, operation):
        """The numbers of sets that were measured."""
        return sorted(sets for name, what, sets in self.runs if (name, what) == (tool, operation))


def document(results):
    """What stands between the two markers of docs/performance.md, for users."""
    table = Table(results)
    parts = [
        _conditions(results),
        "![Seconds over the number of sets, for each tool](performance.png)",
    ]
    for operation, title in {**TITLES, "": FLOOR, **ACCOUNT_TITLES}.items():
        rows = [
            _row(table, key)
            for key in table.runs
            if ("" if key[0] in FLOORS else key[1]) == operation
        ]
        if rows:
            parts += [
                f"### {title}",
                _markdown(("tool", "zones" if "zones" in title else "sets", *FIGURES), rows),
            ]
    if results["failures"]:
        failed = sorted({", ".join(map(str, key)) for key in results["failures"]})
        parts.insert(
            1, f"{len(results['failures'])} runs failed and are in no figure: {'; '.join(failed)}."
        )
    return "\n\n".join(parts)


FIGURES = ("seconds", "from–to", "runs", "processor s", "calls", "connections", "memory, MiB")


def _conditions(results):
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    busy = " **The machine was busy: do not trust these figures.**" if is_busy(results) else ""
    return (
        f"Measured on {results['date']} with `{results['command']}`: {results['latency']:g} ms added to every request, "
        f"{results['cores']} cores, load {results['load']:.1f} before the start, {results['minutes']:.0f} minutes in "
        f"all. {versions}.{busy}"
    )


def is_busy(results):
    """Whether others kept the machine from measuring: more than half of its cores at work before the start."""
    return bool(results["load"] > results["cores"] / 2)


def _row(table, key):
    tool, _operation, sets = key
    seconds = [run["seconds"] for run in table.runs[key]]
    in_module, largest = (table.get(*key, figure) for figure in ("module_mib", "largest_mib"))
    own = "" if tool in IN_ITS_OWN else " (Ansible's own)"
    return (
        _code(tool),
        f"{sets:,}",
        _seconds(median(seconds)),
        f"{_seconds(min(seconds))}–{_seconds(max(seconds))}",
        str(len(seconds)),
        _seconds(table.get(*key, "processor_seconds")),
        f"{table.get(*key, 'calls'):,.0f}",
        f"{table.get(*key, 'connections'):,.0f}",
        f"{largest:.0f}{own}" if isnan(in_module) else f"{in_module:.0f}",
    )


def _code(tool):
    """A tool, with what Ansible knows by that name as code."""
    return " ".join(f"`{word}`" if "_" in word or "." in word else word for word in tool.split(" "))


def _seconds(value):
    """Seconds with as many digits as mean something."""
    if 0 < value < 0.5:
        return f"{value:.3f}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def _markdown(header, rows):
    """A table, whose first column is text, and whose others are figures."""
    rule = ("---", *("---:" for _column in header[1:]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))
