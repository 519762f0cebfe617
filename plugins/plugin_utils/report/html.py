# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One HTML page, which loads nothing and only runs its own script."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from . import view
from .model import STATES, Report, Zone, worst_first
from .outcomes import Outcome, ReportedChange

FOLDER = Path(__file__).parent
"""With template, style and script."""

MOST_SENTENCES = 100
MOST_LINES = 500

MOST_LINES_IN_ALL = 50_000
"""Most lines of a page, so that it opens fast."""


class _Lines:
    def __init__(self) -> None:
        self._space = MOST_LINES_IN_ALL

    def diff(self, title: str, changes: Iterable[ReportedChange]) -> dict[str, Any]:
        """With how many lines do not fit."""
        all_lines = view.lines(changes)
        taken = list(islice(all_lines, min(MOST_LINES, self._space)))
        self._space -= len(taken)
        return {"title": title, "lines": taken, "remaining": sum(1 for _line in all_lines)}

    def part(self, outcome: Outcome) -> dict[str, Any]:
        titled = (
            ("What an earlier run had left incomplete", outcome.recovered),
            ("", outcome.changes),
        )
        findings, warnings = view.findings(outcome), [*map(view.printable_line, outcome.warnings)]
        return {
            "where": view.where(outcome),
            "failed": view.failed_word(outcome),
            "failure": view.printable_line(outcome.failure),
            "findings": findings[:MOST_SENTENCES],
            "warnings": warnings[:MOST_SENTENCES],
            "remaining": sum(
                max(0, len(sentences) - MOST_SENTENCES) for sentences in (findings, warnings)
            ),
            "diffs": [self.diff(title, changes) for title, changes in titled if changes],
        }

    def row(self, zone: Zone) -> dict[str, Any]:
        return {
            "name": view.printable_line(zone.name),
            "state": zone.state,
            "word": STATES[zone.state],
            "summary": view.summary(zone),
            "parts": [self.part(outcome) for outcome in zone.outcomes if outcome.tells],
        }


def as_html(report: Report) -> str:
    """Failures first."""
    count = report.counts
    headline = view.headline(report, count)
    states = view.states(report, count)
    space = _Lines()
    rows = [space.row(zone) for zone in worst_first(report.zones)]
    style, script = (
        f"\n{(FOLDER / name).read_text(encoding='utf-8')}" for name in ("style.css", "script.js")
    )
    page = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return page.get_template("page.html.j2").render(
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; "
        "form-action 'none'",
        style=style,
        script=script,
        mode=view.MODES[report.mode],
        playbooks=", ".join(view.printable_line(name) for name in report.playbooks if name),
        ended=datetime.fromtimestamp(report.ended, timezone.utc),
        seconds=round(report.ended - report.began),
        count=count,
        filters=[
            ("all", "All", count["zones"]),
            *((state, STATES[state], count[state]) for state in states),
        ],
        title=", ".join(words for words, _is_bad in headline),
        totals=[*(words for words, is_bad in headline if is_bad), *view.amounts(count)],
        notes=[
            (sentence, list(map(view.printable_line, places)))
            for sentence, places in view.notes(report)
        ],
        nowhere=[space.part(outcome) for outcome in report.nowhere],
        rows=rows,
        untouched=view.untouched(report),
        untouched_zones=list(map(view.printable_line, sorted(report.untouched))),
        number=view.number,
    )


def _hash(text: str) -> str:
    """A hash for the Content-Security-Policy (CSP 3, section 2.3.1)."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
