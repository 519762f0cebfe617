# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The results as a picture: seconds over the number of sets, each tool a line; and bars for an account with many zones.

All axes are logarithmic but those that say what is measured.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from account import DNS_ZONES, EMPTY, FEW, MANY, OCTODNS, SAME, TEN
from cases import (
    CONNECTIONS,
    DNS_RECORDS,
    FROM_FILE,
    INFOMANIAK,
    LOOP,
    LOOP_APART,
    NOOP,
    PING_LOOP,
    SIZES,
    VULTR,
)
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator
from report import Table

# Ours in blue, peers in warm colours, Ansible's own share in grey; told apart without colour by their marks.
STYLES = {
    DNS_RECORDS: ("#0072B2", "o", "-"),
    FROM_FILE: ("#E69F00", "P", "-"),
    LOOP: ("#009E73", "D", "-"),
    LOOP_APART: ("#56B4E9", "s", "-"),
    INFOMANIAK: ("#D55E00", "^", "-"),
    VULTR: ("#CC79A7", "v", "-"),
    NOOP: ("#777777", ".", ":"),
    PING_LOOP: ("#AAAAAA", "x", ":"),
}
HOLLOW = (VULTR, LOOP_APART)  # these two fall on one another
BARS = {DNS_ZONES: "#0072B2", OCTODNS: "#D55E00"}
WIDTH = 0.4
TICKS = (0.1, 0.3, 1, 3, 10, 30, 100, 300)


def draw(table: Table, file: Path) -> None:
    """Write the picture: creates, runs without a change, and many zones."""
    figure, (create, same, zones) = pyplot.subplots(
        1, 3, figsize=(18, 6), sharey=True, layout="constrained"
    )
    _panel(create, table, "create", "Create")
    _panel(same, table, "no change", "No change")
    _bars(zones, table)
    create.set_ylabel("seconds, the whole run")
    handles = {
        label: handle
        for axes in (create, same)
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower center",
        ncols=3,
        frameon=False,
        fontsize=9,
    )
    figure.savefig(file, dpi=130, metadata={"Software": None})
    pyplot.close(figure)


def _bars(axes: Axes, table: Table) -> None:
    groups = ((EMPTY, FEW), (SAME, MANY), (TEN, MANY))
    for number, (tool, color) in enumerate(BARS.items()):
        places = [place + number * WIDTH for place in range(len(groups))]
        bars = axes.bar(
            places, [table.get(tool, *group) for group in groups], WIDTH, color=color, label=tool
        )
        axes.bar_label(bars, fmt="%.1f", fontsize=9)
    names = [f"{zones:,} zones\n{operation}" for operation, zones in groups]
    axes.set_xticks([place + WIDTH / 2 for place in range(len(groups))], names)
    axes.set_title("Many zones")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def _panel(axes: Axes, table: Table, operation: str, title: str) -> None:
    if operation == "create":
        limits = [table.limit(sets) for sets in SIZES]
        label = f"limit of latency: sets × {table.latency * 1000:g} ms / {CONNECTIONS}"
        axes.plot(SIZES, limits, color="black", linestyle="--", linewidth=1, label=label)
    for tool, (color, marker, line) in STYLES.items():
        sizes = table.sizes(tool, operation)
        if sizes:
            seconds = [table.get(tool, operation, sets) for sets in sizes]
            face = "white" if tool in HOLLOW else color
            axes.plot(
                sizes,
                seconds,
                color=color,
                marker=marker,
                linestyle=line,
                mfc=face,
                lw=1.8,
                ms=7,
                label=tool,
            )
    axes.set_title(title)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("record sets")
    plain = FuncFormatter(lambda value, _position: f"{value:,g}")
    axes.set_xlim(SIZES[0] * 0.8, SIZES[-1] * 1.25)
    axes.set_xticks(SIZES)
    axes.set_yticks(TICKS)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(plain)
    axes.grid(color="#E0E0E0", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
