# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The results as tables, and what they say about the numbers to reach. Pure: results in, text out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import account_report
from cases import (
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
    WITH_DATABASE,
)
from shown import check, in_seconds, markdown, tool_name
from table import CONNECTIONS, Results, Table

CREATE_LIMIT = 1.15
LIMIT = 1.25
FILE_LIMIT = 1 / 3
FASTER = 10
FASTER_AT_AUTO = {"create": 20, LATENT: 40}
ABOVE_RATE = 1.15
REFUSED = 20
GROWTH = 1.1
LOOP_ITEM = 0.20
DIRECT_ITEM = 0.02
MEMORY_MIB = 150
REQUEST_MS = 1.25
FLOORS = (PING, PING_LOOP, NOOP)


def document(results: Results) -> str:
    """What stands between the two markers of docs/performance.md, for users."""
    table = Table(results)
    parts = [_conditions(results), "![Seconds over the number of sets, for each tool](performance.png)"]
    for operation, title in TITLES.items():
        rows = [_row(table, key) for key in table.cases if key[1] == operation and key[0] not in FLOORS]
        if rows:
            parts += [f"### {title}", markdown(HEADER, rows, ALIGNMENT)]
    floors = [_row(table, key) for key in table.cases if key[0] in FLOORS]
    parts += ["### The floor: what Ansible costs itself", markdown(HEADER, floors, ALIGNMENT)]
    parts += account_report.parts(table, results.get("without_octodns", ""))
    if results["failures"]:
        failed = sorted({", ".join(map(str, key)) for key in results["failures"]})
        parts.insert(1, f"{len(results['failures'])} runs failed and are in no figure: {'; '.join(failed)}.")
    return "\n\n".join(parts)


def numbers(results: Results) -> str:
    """What stands between the two markers of tests/bench/numbers.md, for those who change the code."""
    table = Table(results)
    parts = [
        _conditions(results),
        "### The numbers to reach",
        markdown(("number", "limit", "measured", "verdict"), checks(table), "lrrl"),
        *_database_parts(table, results.get("without_database", "")),
    ]
    growth = list(_growth(table))
    if growth:
        header = ("tool", "operation", "seconds", "seconds beyond a play of one ping", "memory")
        parts += ["### Growth from 1,000 to 10,000 sets", markdown(header, growth, "llrrr")]
    if results.get("scale"):
        parts += ["### Planned and applied in memory", scale_tables(results["scale"])]
    return "\n\n".join(parts)


HEADER = ("tool", "sets", "seconds", "from–to", "runs", "processor s", "calls", "connections", "memory, MiB")
ALIGNMENT = "l" + "r" * 8


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
    load: float = results["load"]
    cores: int = results["cores"]
    return load > cores / 2


def _row(table: Table, key: tuple[str, str, int]) -> tuple[str, ...]:
    tool, _operation, sets = key
    seconds = table.values(*key)
    in_module = table.median(*key, "module_mib")
    memory = f"{in_module:.0f}" if in_module else f"{table.median(*key, 'largest_mib') or 0:.0f} (Ansible's own)"
    return (
        tool_name(tool),
        f"{sets:,}",
        in_seconds(median(seconds)),
        f"{in_seconds(min(seconds))}–{in_seconds(max(seconds))}",
        str(len(seconds)),
        in_seconds(table.median(*key, "processor_seconds") or 0),
        f"{table.median(*key, 'calls'):,.0f}",
        f"{table.median(*key, 'connections'):,.0f}",
        memory,
    )


def _database_parts(table: Table, why_not: str) -> list[str]:
    """What state_url costs, or why that was not measured."""
    rows = [
        (
            tool_name(tool),
            OPERATIONS[operation].lower(),
            f"{sets:,}",
            *map(in_seconds, both),
            f"{(both[1] - both[0]) / sets:.3f}",
        )
        for tool, with_database in WITH_DATABASE.items()
        for operation in OPERATIONS
        for sets in table.sizes(with_database, operation)
        if None not in (both := [table.median(name, operation, sets) for name in (tool, with_database)])
    ]
    if not (rows or why_not):
        return []
    header = ("tool", "operation", "items", "seconds", "with `state_url`", "more an item, s")
    return ["### What `state_url` costs", markdown(header, rows, "llrrrr") if rows else f"Left out: {why_not}."]


def _growth(table: Table) -> Iterable[tuple[str, ...]]:
    ping = table.median(PING, "no change", 1)
    for tool, operation, sets in table.cases:
        if sets != 10000 or 1000 not in table.sizes(tool, operation):
            continue
        small, large = (table.median(tool, operation, count) or 0 for count in (1000, 10000))
        memories = [table.median(tool, operation, count, "module_mib") for count in (1000, 10000)]
        yield (
            tool_name(tool),
            OPERATIONS[operation].lower() if tool != NOOP else "",
            f"× {large / small:.1f}",
            f"× {(large - ping) / (small - ping):.1f}" if ping and small > ping else "",
            f"× {memories[1] / memories[0]:.1f}" if memories[0] and memories[1] else "",
        )


def checks(table: Table) -> list[tuple[str, str, str, str]]:
    """Each number to reach, and the goal for loops: limit, measured, verdict."""
    return [
        *_create_checks(table),
        *_auto_checks(table),
        *_no_change_checks(table),
        *_loop_checks(table),
        *_growth_checks(table),
        *_request_checks(table),
        *account_report.checks(table),
    ]


def _create_checks(table: Table) -> Iterable[tuple[str, str, str, str]]:
    ping = table.median(PING, "no change", 1)
    limit = CREATE_LIMIT * (table.limit(1000) + ping) if ping else None
    peer = table.median(INFOMANIAK, "create", 1000)
    for tool in (DNS_RECORDS, DNS_RECORDS_APART):
        create = table.median(tool, "create", 1000)
        yield check(
            f"{tool_name(tool)}, 1,000 creates: "
            f"{CREATE_LIMIT} × (1,000 × {table.latency * 1000:g} ms / {CONNECTIONS} + a play of one ping)",
            limit,
            create,
        )
        name = f"{tool_name(tool)}, 1,000 creates: {FASTER} times faster than community.dns"
        yield check(name, peer / FASTER if peer else None, create)


def _auto_checks(table: Table) -> Iterable[tuple[str, str, str, str]]:
    tool = tool_name(DNS_RECORDS_AUTO)
    for operation, faster in FASTER_AT_AUTO.items():
        peer = table.median(INFOMANIAK, operation, 1000)
        name = f"{tool}, 1,000 creates, {TITLES[operation].lower()}: {faster} times faster than community.dns"
        yield check(name, peer / faster if peer else None, table.median(DNS_RECORDS_AUTO, operation, 1000))
    of_service, ping = (LIMITED_SETS - RATE) / RATE, table.median(PING, "no change", 1)
    yield check(
        f"{tool}, {LIMITED_SETS} creates at {RATE} a second: {ABOVE_RATE} × its limit + a play of one ping",
        ABOVE_RATE * of_service + ping if ping else None,
        table.median(DNS_RECORDS_AUTO, LIMITED, LIMITED_SETS),
    )
    calls = table.median(DNS_RECORDS_AUTO, LIMITED, LIMITED_SETS, "calls")
    yield check(
        f"{tool}, {LIMITED_SETS} creates at {RATE} a second: requests that are refused",
        REFUSED,
        calls - LIMITED_SETS - 2 if calls else None,  # the reading before and the one after
        "",
    )


def _no_change_checks(table: Table) -> Iterable[tuple[str, str, str, str]]:
    for tool in (DNS_RECORDS, DNS_RECORDS_APART):
        for sets in (1000, 10000):
            floor = table.median(NOOP, "no change", sets)
            yield check(
                f"{tool_name(tool)}, no change on {sets:,} sets: {LIMIT} × the module that does nothing + one request",
                LIMIT * floor + table.latency if floor else None,
                table.median(tool, "no change", sets),
            )
            name = f"{tool_name(tool)}, no change on {sets:,} sets: one request"
            yield check(name, 1, table.median(tool, "no change", sets, "calls"), "")
    floor = table.median(NOOP, "no change", 10000)
    yield check(
        f"{tool_name(FROM_FILE)}, no change on 10,000 sets: a third of the module that does nothing, with them listed",
        FILE_LIMIT * floor if floor else None,
        table.median(FROM_FILE, "no change", 10000),
    )
    for tool in (DNS_RECORDS_APART, FROM_FILE_APART):
        memory = table.median(tool, "no change", 10000, "module_mib")
        yield check(f"{tool_name(tool)}, no change on 10,000 sets: memory of the process", MEMORY_MIB, memory, " MiB")


def _loop_checks(table: Table) -> Iterable[tuple[str, str, str, str]]:
    for tool in (LOOP, LOOP_APART):
        for sets in table.sizes(tool, "no change"):
            loop, floor = table.median(tool, "no change", sets), table.median(PING_LOOP, "no change", sets)
            yield check(
                f"{tool_name(tool)}, {sets} items without change: "
                f"{LOOP_ITEM:.2f} s and one request an item more than ping",
                LOOP_ITEM + table.latency,
                (loop - floor) / sets if loop and floor else None,
                digits=3,
            )
    loop, ping = table.median(LOOP, "no change", 200), table.median(PING, "no change", 1)
    yield check(
        f"{tool_name(LOOP)}, 200 items without change: an item, without what a play of one ping takes",
        DIRECT_ITEM,
        (loop - ping) / 200 if loop and ping else None,
        digits=3,
    )
    calls = table.median(LOOP, "no change", 200, "calls")
    yield check(f"{tool_name(LOOP)}, 200 items without change: requests", 1, calls, "")


def _growth_checks(table: Table) -> Iterable[tuple[str, str, str, str]]:
    for operation, title in OPERATIONS.items():
        small, large = (table.median(DNS_RECORDS, operation, sets) for sets in (1000, 10000))
        yield check(
            f"{title}: ten times the sets take at most ten times as long",
            10,
            large / small if small and large else None,
            " ×",
            digits=1,
        )

    few, some, many = (table.median(FROM_FILE, "no change", sets, "processor_seconds") for sets in (20, 10000, LARGEST))
    yield check(
        f"{tool_name(FROM_FILE)}, no change: {LARGEST:,} sets take {10 * GROWTH:g} times the processor time of 10,000, "
        "beyond what 20 take",
        10 * GROWTH,
        (many - few) / (some - few) if few and some and many and some > few else None,
        " ×",
        digits=1,
    )


def _request_checks(table: Table) -> Iterable[tuple[str, str, str, str]]:
    for tool in (DNS_RECORDS, FROM_FILE):
        small, large = (table.median(tool, "create", sets, "processor_seconds") for sets in (1000, 10000))
        yield check(
            f"{tool_name(tool)}, create: processor time of each of the sets from 1,000 to 10,000",
            REQUEST_MS,
            (large - small) / 9000 * 1000 if small and large else None,
            " ms",
            digits=2,
        )


def scale_tables(scale: Sequence[dict[str, Any]]) -> str:
    """The two tables of the simulation: many zones of one size, and one zone."""
    many = [row for row in scale if row["zones"] > 1]
    one = [row for row in scale if row["zones"] == 1]
    parts = []
    for rows, title in ((many, "Many zones, one after the other:"), (one, "One zone:")):
        if rows:
            header = (
                "sets",
                "zones",
                *(f"{title.lower()}, s" for title in OPERATIONS.values()),
                "μs a set, all four",
                "growth",
                "peak, MiB",
                "of it the service's sets, MiB",
            )
            parts += [title, markdown(header, _scale_rows(rows), "r" * len(header))]
    return "\n\n".join(parts)


def _scale_rows(rows: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    totals = [sum(row["seconds"].values()) for row in rows]
    factors = ["", *(f"× {after / before:.1f}" for before, after in pairwise(totals))]
    return [
        (
            f"{row['sets']:,}",
            f"{row['zones']:,}",
            *(in_seconds(row["seconds"][operation]) for operation in OPERATIONS),
            f"{total / row['sets'] * 1e6:.0f}",
            factor,
            f"{row['peak_mib']:,.0f}",
            f"{row['service_mib']:,.0f}",
        )
        for row, total, factor in zip(rows, totals, factors, strict=True)
    ]
