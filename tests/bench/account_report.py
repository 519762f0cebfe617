# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many zones in the document: a table, and the numbers to reach. Pure: results in, text out."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from account import (
    ACCOUNT_OPERATIONS,
    DNS_ZONES,
    DNS_ZONES_AUTO,
    EMPTY,
    FEW,
    MANY,
    MOST,
    OCTODNS,
    SAME,
    SETS,
    TEN,
)
from cases import PING
from shown import check, in_seconds, markdown, tool_name
from table import CONNECTIONS, Table

SAME_LIMIT = 1.25
PROCESSOR = 3.0
EMPTY_LIMIT = 1.15
SHARE_OF_OCTODNS, SHARE_AT_AUTO = 10, 15
HEADER = ("zones", "what", "tool", "seconds", "from–to", "runs", "processor s", "calls", "connections", "memory, MiB")


def parts(table: Table, without_octodns: str) -> Iterable[str]:
    """The section about many zones."""
    rows = [
        _row(table, (tool, operation, zones))
        for operation in ACCOUNT_OPERATIONS
        for zones in sorted({zones for _tool, what, zones in table.cases if what == operation})
        for tool in (DNS_ZONES, DNS_ZONES_AUTO, OCTODNS)
        if table.values(tool, operation, zones)
    ]
    if rows:
        yield f"### Many zones, {SETS} sets each"
        yield markdown(HEADER, rows, "rll" + "r" * 7)
        if without_octodns:
            yield f"octoDNS was not measured: {without_octodns}."


def _row(table: Table, key: tuple[str, str, int]) -> tuple[str, ...]:
    tool, operation, zones = key
    seconds = table.values(*key)
    return (
        f"{zones:,}",
        ACCOUNT_OPERATIONS[operation].lower(),
        tool_name(tool),
        in_seconds(median(seconds)),
        f"{in_seconds(min(seconds))}–{in_seconds(max(seconds))}",
        str(len(seconds)),
        in_seconds(table.median(*key, "processor_seconds") or 0),
        f"{table.median(*key, 'calls'):,.0f}",
        f"{table.median(*key, 'connections'):,.0f}",
        f"{table.median(*key, 'largest_mib'):,.0f}",
    )


def checks(table: Table) -> Iterable[tuple[str, str, str, str]]:
    """Each number to reach: limit, measured, verdict."""
    ping = table.median(PING, "no change", 1)
    ours, many = tool_name(DNS_ZONES), f"{MANY} zones of {SETS} sets"
    latency = f"{table.latency * 1000:g} ms / {CONNECTIONS}"
    yield check(
        f"{ours}, {many}, no change: "
        f"{SAME_LIMIT} × ({MANY} × {latency} + a play of one ping) + {PROCESSOR:g} s of processor",
        SAME_LIMIT * (table.limit(MANY) + ping) + PROCESSOR if ping else None,
        table.median(DNS_ZONES, SAME, MANY),
    )
    calls = table.median(DNS_ZONES, SAME, MANY, "calls")
    yield check(f"{ours}, {many}, no change: one request a zone, and one for the list", MANY + 1, calls, "")
    yield check(
        f"{ours}, {many}, all empty: {EMPTY_LIMIT} × {MANY * SETS:,} × {latency}",
        EMPTY_LIMIT * table.limit(MANY * SETS),
        table.median(DNS_ZONES, EMPTY, MANY),
    )
    for operation in (SAME, TEN):
        theirs = table.median(OCTODNS, operation, MANY)
        yield check(
            f"{ours}, {many}, {ACCOUNT_OPERATIONS[operation].lower()}: octoDNS + a play of one ping",
            theirs + ping if theirs and ping else None,
            table.median(DNS_ZONES, operation, MANY),
        )
    for zones in (MANY, MOST):
        yield check(
            f"{ours}, {zones:,} zones of {SETS} sets, no change: octoDNS",
            table.median(OCTODNS, SAME, zones),
            table.median(DNS_ZONES, SAME, zones),
        )
    theirs = table.median(OCTODNS, EMPTY, FEW)
    yield check(
        f"{tool_name(DNS_ZONES_AUTO)}, {FEW} zones of {SETS} sets, all empty: a fifteenth of octoDNS",
        theirs / SHARE_AT_AUTO if theirs else None,
        table.median(DNS_ZONES_AUTO, EMPTY, FEW),
    )
    yield check(
        f"{ours}, {FEW} zones of {SETS} sets, all empty: a tenth of octoDNS",
        theirs / SHARE_OF_OCTODNS if theirs else None,
        table.median(DNS_ZONES, EMPTY, FEW),
    )
