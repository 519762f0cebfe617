# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The results as a picture: seconds over the number of sets, each tool a line; and bars for an account with many zones.

All axes are logarithmic but those that say what is measured.
"""

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
from matplotlib.ticker import NullLocator

# Ours in blue, peers in warm colours, Ansible's own share in grey; told apart without colour by their marks.
STYLES = {
    DNS_RECORDS: ("#0072B2", "o-"),
    FROM_FILE: ("#E69F00", "P-"),
    LOOP: ("#009E73", "D-"),
    LOOP_APART: ("#56B4E9", "s-"),
    INFOMANIAK: ("#D55E00", "^-"),
    VULTR: ("#CC79A7", "v-"),
    NOOP: ("#777777", ".:"),
    PING_LOOP: ("#AAAAAA", "x:"),
}
BARS = {DNS_ZONES: "#0072B2", OCTODNS: "#D55E00"}
WIDTH = 0.4
TICKS = (0.1, 0.3, 1, 3, 10, 30, 100, 300)


def draw(table, file):
    """Write the picture: creates, runs without a change, and many zones."""
    figure, (create, same, zones) = pyplot.subplots(
        1, 3, figsize=(18, 6), sharey=True, layout="constrained"
    )
    limits = [table.limit(sets) for sets in SIZES]
    label = f"limit of latency: sets × {table.latency * 1000:g} ms / {CONNECTIONS}"
    create.plot(SIZES, limits, "k--", linewidth=1, label=label)
    _panel(create, table, "create", "Create")
    _panel(same, table, "no change", "No change")
    _bars(zones, table)
    create.set_ylabel("seconds, the whole run")
    handles = {}
    for axes in (create, same):
        lines, labels = axes.get_legend_handles_labels()
        handles.update(zip(labels, lines, strict=True))
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=3, frameon=False)
    figure.savefig(file, dpi=130, metadata={"Software": None})


def _bars(axes, table):
    groups = ((EMPTY, FEW), (SAME, MANY), (TEN, MANY))
    for number, (tool, color) in enumerate(BARS.items()):
        places = [place + number * WIDTH for place in range(len(groups))]
        heights = [table.get(tool, *group) for group in groups]
        axes.bar_label(axes.bar(places, heights, WIDTH, color=color, label=tool), fmt="%.1f")
    names = [f"{zones:,} zones\n{operation}" for operation, zones in groups]
    axes.set_xticks([place + WIDTH / 2 for place in range(len(groups))], names)
    axes.set_title("Many zones")
    axes.legend(frameon=False)


def _panel(axes, table, operation, title):
    for tool, (color, style) in STYLES.items():
        sizes = table.sizes(tool, operation)
        seconds = [table.get(tool, operation, sets) for sets in sizes]
        if sizes:
            axes.plot(sizes, seconds, style, color=color, label=tool)
    axes.set(title=title, xlabel="record sets", xscale="log", yscale="log")
    axes.set(xlim=(SIZES[0] * 0.8, SIZES[-1] * 1.25), xticks=SIZES, yticks=TICKS)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(lambda value, _position: f"{value:,g}")
    axes.grid(color="#E0E0E0")
