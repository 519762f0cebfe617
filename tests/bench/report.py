# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The results as tables, and what they say about the numbers to reach. Pure: results in, text out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan, nan
from statistics import median
from typing import Any

from account import ACCOUNT_TITLES, DNS_ZONES, DNS_ZONES_AUTO, EMPTY, FEW, MANY, MOST, OCTODNS, SAME, SETS, TEN
from cases import (
    CONNECTIONS,
    DNS_RECORDS,
    DNS_RECORDS_APART,
    DNS_RECORDS_AUTO,
    FROM_FILE,
    FROM_FILE_APART,
    INFOMANIAK,
    LARGEST,
    LATENT,
    LIMITED,
    LIMITED_SETS,
    LOOP,
    LOOP_APART,
    NOOP,
    OPERATIONS,
    PING,
    PING_LOOP,
    RATE,
    TITLES,
)

FLOORS = (PING, PING_LOOP, NOOP)
FLOOR = "The floor: what Ansible costs itself"
IN_ITS_OWN = {INFOMANIAK, OCTODNS}
"""What does not run in Ansible's worker, though no process of a module is seen."""

Results = dict[str, Any]


class Table:
    """Medians by tool, operation and number of sets or zones."""

    def __init__(self, results: Results) -> None:
        self.latency = results["latency"] / 1000
        self.runs = {(case["tool"], case["operation"], case["sets"]): case["runs"] for case in results["cases"]}

    def get(self, tool: str, operation: str, sets: int, figure: str = "seconds") -> float:
        """The median of a figure; nan where it was not measured, which makes nan of what is reckoned with it."""
        values = [run[figure] for run in self.runs.get((tool, operation, sets), ()) if run[figure] is not None]
        return float(median(values)) if values else nan

    def limit(self, sets: int) -> float:
        """The seconds that latency alone takes to create so many sets."""
        return sets * self.latency / CONNECTIONS

    def sizes(self, tool: str, operation: str) -> list[int]:
        """The numbers of sets that were measured."""
        return sorted(sets for name, what, sets in self.runs if (name, what) == (tool, operation))


def document(results: Results) -> str:
    """What stands between the two markers of docs/performance.md, for users."""
    table = Table(results)
    parts = [_conditions(results), "![Seconds over the number of sets, for each tool](performance.png)"]
    for operation, title in {**TITLES, "": FLOOR, **ACCOUNT_TITLES}.items():
        rows = [_row(table, key) for key in table.runs if ("" if key[0] in FLOORS else key[1]) == operation]
        if rows:
            parts += [f"### {title}", _markdown(("tool", "zones" if "zones" in title else "sets", *FIGURES), rows)]
    if results["failures"]:
        failed = sorted({", ".join(map(str, key)) for key in results["failures"]})
        parts.insert(1, f"{len(results['failures'])} runs failed and are in no figure: {'; '.join(failed)}.")
    return "\n\n".join(parts)


def numbers(results: Results) -> str:
    """What stands between the two markers of tests/bench/numbers.md, for those who change the code."""
    rows = checks(Table(results))
    return f"{_conditions(results)}\n\n{_markdown(('number', 'limit', 'measured', 'verdict'), rows)}"


FIGURES = ("seconds", "from–to", "runs", "processor s", "calls", "connections", "memory, MiB")


def _conditions(results: Results) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    busy = " **The machine was busy: do not trust these figures.**" if is_busy(results) else ""
    return (
        f"Measured on {results['date']} with `{results['command']}`: {results['latency']:g} ms added to every request, "
        f"{results['cores']} cores, load {results['load']:.1f} before the start, {results['minutes']:.0f} minutes in "
        f"all. {versions}.{busy}"
    )


def is_busy(results: Results) -> bool:
    """Whether others kept the machine from measuring: more than half of its cores at work before the start."""
    return bool(results["load"] > results["cores"] / 2)


def _row(table: Table, key: tuple[str, str, int]) -> tuple[str, ...]:
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


def checks(table: Table) -> list[tuple[str, str, str, str]]:
    """Each number to reach: limit, measured, verdict."""
    found = [*_create_numbers(table), *_no_change_numbers(table), *_growth_numbers(table), *_account_numbers(table)]
    return [(text, _value(limit, unit), _value(measured, unit), _verdict(limit, measured))
            for text, limit, measured, unit in found]  # fmt: skip


Number = tuple[str, float, float, str]
"""What it is, its limit, what was measured, and the unit."""


def _create_numbers(table: Table) -> Iterator[Number]:
    get, ping = table.get, table.get(PING, "no change", 1)
    peer = get(INFOMANIAK, "create", 1000)
    for tool in (DNS_RECORDS, DNS_RECORDS_APART):
        text, create = f"{_code(tool)}, 1,000 creates", get(tool, "create", 1000)
        yield (
            f"{text}: 1.15 × (the limit of latency + a play of one ping)",
            1.15 * (table.limit(1000) + ping),
            create,
            "s",
        )
        yield f"{text}: a tenth of community.dns", peer / 10, create, "s"
    auto = _code(DNS_RECORDS_AUTO)
    for operation, faster in (("create", 20), (LATENT, 40)):
        text = f"{auto}, 1,000 creates, {TITLES[operation].lower()}: 1/{faster} of community.dns"
        yield text, get(INFOMANIAK, operation, 1000) / faster, get(DNS_RECORDS_AUTO, operation, 1000), "s"
    text, key = f"{auto}, {LIMITED_SETS} creates at {RATE} a second", (DNS_RECORDS_AUTO, LIMITED, LIMITED_SETS)
    of_service = (LIMITED_SETS - RATE) / RATE
    yield f"{text}: 1.15 × its limit + a play of one ping", 1.15 * of_service + ping, get(*key), "s"
    # The reading before and the one after are no creates.
    yield f"{text}: requests that are refused", 20, get(*key, "calls") - LIMITED_SETS - 2, ""


def _no_change_numbers(table: Table) -> Iterator[Number]:
    get, same = table.get, "no change"
    for tool in (DNS_RECORDS, DNS_RECORDS_APART):
        for sets in (1000, 10000):
            text, floor = f"{_code(tool)}, no change on {sets:,} sets", get(NOOP, same, sets)
            limit = 1.25 * floor + table.latency
            yield f"{text}: 1.25 × the module that does nothing + one request", limit, get(tool, same, sets), "s"
            yield f"{text}: requests", 1, get(tool, same, sets, "calls"), ""
    text = f"{_code(FROM_FILE)}, no change on 10,000 sets: a third of the module that does nothing, with them listed"
    yield text, get(NOOP, same, 10000) / 3, get(FROM_FILE, same, 10000), "s"
    for tool in (DNS_RECORDS_APART, FROM_FILE_APART):
        memory = get(tool, same, 10000, "module_mib")
        yield f"{_code(tool)}, no change on 10,000 sets: memory of the process", 150, memory, "MiB"
    for tool in (LOOP, LOOP_APART):
        for sets in (20, 200):
            item = (get(tool, same, sets) - get(PING_LOOP, same, sets)) / sets
            text = f"{_code(tool)}, {sets} items without change: 0.20 s and one request an item more than ping"
            yield text, 0.2 + table.latency, item, "s"
    text, item = f"{_code(LOOP)}, 200 items without change", (get(LOOP, same, 200) - get(PING, same, 1)) / 200
    yield f"{text}: an item, without what a play of one ping takes", 0.02, item, "s"
    yield f"{text}: requests", 1, get(LOOP, same, 200, "calls"), ""


def _growth_numbers(table: Table) -> Iterator[Number]:
    get, processor = table.get, "processor_seconds"
    for operation, title in OPERATIONS.items():
        times = get(DNS_RECORDS, operation, 10000) / get(DNS_RECORDS, operation, 1000)
        yield f"{title}: ten times the sets take at most ten times as long", 10, times, "×"
    few, some, many = (get(FROM_FILE, "no change", sets, processor) for sets in (20, 10000, LARGEST))
    text = f"{_code(FROM_FILE)}, no change: processor time of {LARGEST:,} sets beside 10,000, beyond what 20 take"
    yield text, 11, (many - few) / (some - few), "×"
    for tool in (DNS_RECORDS, FROM_FILE):
        each = (get(tool, "create", 10000, processor) - get(tool, "create", 1000, processor)) / 9
        yield f"{_code(tool)}, create: processor time of each of the sets from 1,000 to 10,000", 1.25, each, "ms"


def _account_numbers(table: Table) -> Iterator[Number]:
    get, ping = table.get, table.get(PING, "no change", 1)
    ours, same = f"`{DNS_ZONES}`, {MANY} zones of {SETS} sets", get(DNS_ZONES, SAME, MANY)
    limit = 1.25 * (table.limit(MANY) + ping) + 3
    yield f"{ours}, no change: 1.25 × (the limit of latency + a play of one ping) + 3 s of processor", limit, same, "s"
    yield f"{ours}, no change: requests", MANY + 1, get(DNS_ZONES, SAME, MANY, "calls"), ""
    empty = get(DNS_ZONES, EMPTY, MANY)
    yield f"{ours}, all empty: 1.15 × the limit of latency", 1.15 * table.limit(MANY * SETS), empty, "s"
    changed = get(OCTODNS, TEN, MANY) + ping
    yield f"{ours}, ten sets changed: octoDNS + a play of one ping", changed, get(DNS_ZONES, TEN, MANY), "s"
    for tool, operation, zones, share in (
        (DNS_ZONES, SAME, MANY, 1),
        (DNS_ZONES, SAME, MOST, 1),
        (DNS_ZONES_AUTO, EMPTY, FEW, 15),
        (DNS_ZONES, EMPTY, FEW, 10),
    ):
        text = f"{_code(tool)}, {zones:,} zones of {SETS} sets, {operation}: 1/{share} of octoDNS"
        yield text, get(OCTODNS, operation, zones) / share, get(tool, operation, zones), "s"


def _value(value: float, unit: str) -> str:
    return "–" if isnan(value) else f"{_seconds(value) if unit in ('s', 'ms', '×') else f'{value:,.0f}'} {unit}".strip()


def _verdict(limit: float, measured: float) -> str:
    if isnan(limit) or isnan(measured):
        return "not measured"
    return "reached" if measured <= limit else f"**missed**, {measured / limit - 1:.0%} above"


def _code(tool: str) -> str:
    """A tool, with what Ansible knows by that name as code."""
    return " ".join(f"`{word}`" if "_" in word or "." in word else word for word in tool.split(" "))


def _seconds(value: float) -> str:
    """Seconds with as many digits as mean something."""
    return f"{value:.3f}" if 0 < abs(value) < 0.5 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def _markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, whose first column is text, and whose others are figures."""
    rule = ("---", *("---:" for _column in header[1:]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))
