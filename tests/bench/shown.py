# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures, verdicts and tables as the document has them. Pure: numbers in, text out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def check(
    number: str, limit: float | None, measured: float | None, unit: str = " s", digits: int | None = None
) -> tuple[str, str, str, str]:
    """A row about a number to reach: what it is, its limit, what was measured, the verdict."""

    def shown(value: float | None) -> str:
        if value is None:
            return "–"
        text = f"{value:.{digits}f}" if digits is not None else in_seconds(value) if unit == " s" else f"{value:,.0f}"
        return f"{text}{unit}"

    if limit is None or measured is None:
        verdict = "not measured"
    elif measured < 0:
        verdict = "reached, faster than the floor"
    elif measured <= limit:
        share = 1 - measured / limit
        verdict = f"reached, {share:.0%} below" if share >= 0.005 else "reached"
    else:
        verdict = f"**missed**, {measured / limit - 1:.0%} above"
    return number, shown(limit), shown(measured), verdict


def tool_name(tool: str) -> str:
    """A tool, with what Ansible knows by that name as code."""
    return " ".join(f"`{word}`" if "_" in word or "." in word else word for word in tool.split(" "))


def in_seconds(value: float) -> str:
    """Seconds with as many digits as mean something."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]], alignment: str) -> str:
    """A table; *alignment* has an ``l`` or ``r`` for each column."""
    rule = ("---:" if letter == "r" else "---" for letter in alignment)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, tuple(rule), *rows))
