# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The report as one HTML page, which loads nothing and runs no script but its own."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import islice

from jinja2 import Environment, StrictUndefined

from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.model import STATES, Report, Zone, counts
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.page import PAGE
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.results import Change, Outcome
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.script import SCRIPT
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.style import STYLE
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.view import (
    REBUILT,
    STATE_WORDS,
    Line,
    failed_word,
    findings,
    headline,
    lines,
    notes,
    number,
    printable_line,
    summary,
    untouched,
    where,
)

MOST_LINES = 500
"""Lines that are shown of one task's changes to a zone; the others are counted."""

MOST_LINES_IN_ALL = 50_000
"""Beyond it a browser takes seconds to open the page."""

FEW_LINES = 60
"""With no more than these, all of them are seen at once."""

MOST_SENTENCES = 100
MODES = {"check": "Check mode: nothing was written", "mixed": "Some tasks ran in check mode", "run": ""}


@dataclass
class _Diff:
    """Lines to show, and how many more there are."""

    title: str
    lines: list[Line]
    remaining: int


@dataclass
class _Part:
    """What one task says of a zone, in words."""

    where: str
    failed: str
    failure: str
    findings: list[tuple[str, str]]
    warnings: list[str]
    remaining: int
    diffs: list[_Diff]


@dataclass
class _Row:
    """A zone on the page."""

    name: str
    state: str
    word: str
    summary: str
    parts: list[_Part] = field(default_factory=list)


class _Lines:
    """Takes lines as long as the page has room for them."""

    def __init__(self) -> None:
        self._space = MOST_LINES_IN_ALL

    @property
    def taken(self) -> int:
        """How many lines the page has."""
        return MOST_LINES_IN_ALL - self._space

    def diff(self, title: str, changes: Iterable[Change]) -> _Diff:
        """The changes as far as there is room."""
        all_lines = lines(changes)
        taken = list(islice(all_lines, min(MOST_LINES, self._space)))
        self._space -= len(taken)
        return _Diff(title, taken, sum(1 for _line in all_lines))

    def part(self, outcome: Outcome) -> _Part:
        """What an outcome says."""
        diffs = []
        if outcome.recovered:
            diffs.append(self.diff("Completed first: what an earlier run had left", outcome.recovered))
        if outcome.changes:
            diffs.append(self.diff("", outcome.changes))
        found, warnings = findings(outcome), list(map(printable_line, outcome.warnings))
        remaining = sum(max(0, len(told) - MOST_SENTENCES) for told in (found, warnings))
        failed = failed_word(outcome) if outcome.failure else ""
        told = (found[:MOST_SENTENCES], warnings[:MOST_SENTENCES])
        return _Part(where(outcome), failed, printable_line(outcome.failure), *told, remaining, diffs)

    def row(self, zone: Zone) -> _Row:
        """A zone with its parts."""
        parts = [self.part(outcome) for outcome in zone.outcomes if outcome.tells]
        return _Row(printable_line(zone.name), zone.state, STATE_WORDS[zone.state], summary(zone), parts)


def as_html(report: Report) -> str:
    """The report as a page, with what fails first."""
    zones = report.zones
    count = counts(report, zones)
    space = _Lines()
    rows = [space.row(zone) for zone in sorted(zones, key=lambda zone: STATES.index(zone.state))]
    page = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return page.from_string(PAGE).render(
        policy=f"default-src 'none'; style-src '{_hash(STYLE)}'; script-src '{_hash(SCRIPT)}'; base-uri 'none'; "
        "form-action 'none'",
        style=STYLE,
        script=SCRIPT,
        mode=MODES[report.mode],
        playbooks=", ".join(printable_line(name) for name in report.playbooks if name),
        ended=datetime.fromtimestamp(report.ended, timezone.utc),
        seconds=round(report.ended - report.began),
        count=count,
        filters=_filters(report, count),
        title=", ".join(told for told, _is_bad in headline(report, count)),
        totals=_totals(report, count),
        notes=[(sentence, list(map(printable_line, places))) for sentence, places in notes(report)],
        most=MOST_SENTENCES,
        nowhere=[space.part(outcome) for outcome in report.nowhere[: 10 * MOST_SENTENCES]],
        nowhere_left=max(0, len(report.nowhere) - 10 * MOST_SENTENCES),
        rows=rows,
        untouched=untouched(report),
        untouched_zones=list(map(printable_line, sorted(report.untouched))),
        is_short=space.taken <= FEW_LINES,
        number=number,
    )


def _filters(report: Report, count: dict[str, int]) -> list[tuple[str, str, int]]:
    """The counts that can be pressed: state, word, count."""
    used = {"check": "would_change", "run": "changed", "mixed": ""}[report.mode]
    states = [state for state in STATES if count[state] or state in ("failed", used, "unchanged")]
    return [("all", "All", count["zones"]), *((state, STATE_WORDS[state], count[state]) for state in states)]


def _totals(report: Report, count: dict[str, int]) -> list[str]:
    without = count["failed_without_zone"] + report.hidden_failed
    told = [f"{without:,} failed without a zone"] * bool(without)
    told += [number(count["interrupted"], "task interrupted", "tasks interrupted")] * bool(count["interrupted"])
    told += [number(count["untouched"], "zone not touched", "zones not touched")] * bool(count["untouched"])
    told += [number(count["changes"], "change")]
    words = {
        "rebuilt": REBUILT,
        "findings": ("finding",),
        "service_owned": ("record set not ours to write", "record sets not ours to write"),
        "recovered": ("record set recovered", "record sets recovered"),
    }
    told += [number(count[name], *word) for name, word in words.items() if count[name]]
    told += [number(count["warnings"], "warning")] if count["warnings"] else []
    return told + ([f"{count['failed_handled']} of the failed ignored or rescued"] if count["failed_handled"] else [])


def _hash(text: str) -> str:
    """What a Content-Security-Policy knows an inline style or script by (CSP 3, section 2.3.1)."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
