# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Markdown, for pull requests and job summaries.

Zone text is only in code with fences longer than its backticks, so it cannot be markup or mention anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from . import view
from .model import STATES, Report, Zone, worst_first
from .outcomes import Outcome, ReportedChange

LARGEST = 65_000
"""Most bytes; a GitHub comment has 65,536 characters.

Pipelines may use the rest.
"""

RESERVE = 200
LARGEST_DIFF = 8_000
MOST_LISTED = 20
ICONS = {
    "failed": "❌",
    "changed": "🔶",
    "would_change": "🔷",
    "not_ours": "🔒",
    "unmanaged": "👻",
    "unchanged": "✅",
}


def as_markdown(report: Report) -> str:
    """Failures first. Zones that do not fit get one line, or are counted."""
    zones = worst_first(zone for zone in report.zones if zone.tells)
    text = "".join(f"{line}\n" for line in (_heading(report), *_notes(report)))
    space = LARGEST - RESERVE - _size(text)
    left_out = 0
    forms = [[_nowhere(one)] for one in report.nowhere] + [
        [_zone(one), _zone_in_a_line(one)] for one in zones
    ]
    for of_part in forms:
        fitting = next((form for form in of_part if _size(form) <= space), "")
        text += fitting
        space -= _size(fitting)
        left_out += not fitting
    text += next((form for form in _untouched(report) if _size(form) <= space), "")
    if left_out:
        left = view.number(left_out, "zone or result", "zones and results")
        text += (
            f"**Left out for lack of space: {left}.** The report as HTML or JSON has everything.\n"
        )
    return text


def _size(text: str) -> int:
    return len(text.encode())


def _heading(report: Report) -> str:
    count = report.counts
    parts = [f"**{words}**" if is_bad else words for words, is_bad in view.headline(report, count)]
    amount = ". ".join(
        filter(None, [view.MODES[report.mode], ", ".join(view.amounts(count)).capitalize()])
    )
    return f"## DNS: {', '.join(parts)}\n" + (f"\n{amount}.\n" if amount else "")


def _notes(report: Report) -> Iterator[str]:
    for sentence, places in view.notes(report):
        yield f"> {sentence}"
        yield from (f"> - {code(place)}" for place in places[:MOST_LISTED])
        if len(places) > MOST_LISTED:
            yield f"> - and {len(places) - MOST_LISTED} more"
        yield ""


def _nowhere(outcome: Outcome) -> str:
    icon = ICONS["failed"] if outcome.failure else "⚠️"
    return "\n".join([f"{icon} {code(view.where(outcome))}", "", *_part(outcome), ""])


def _untouched(report: Report) -> list[str]:
    names = [f"- {code(view.printable_line(zone))}" for zone in sorted(report.untouched)]
    lists = (
        [names, [*names[:MOST_LISTED], f"- and {len(names) - MOST_LISTED:,} more"]] if names else []
    )
    opening = f"<details><summary>{view.untouched(report)}</summary>"
    return ["\n".join([opening, "", *some, "", "</details>", "", ""]) for some in lists]


def _title(zone: Zone, name: str) -> str:
    return " · ".join(
        filter(None, [f"{ICONS[zone.state]} {STATES[zone.state]}: {name}", view.summary(zone)])
    )


def _zone_in_a_line(zone: Zone) -> str:
    return f"{_title(zone, code(view.printable_line(zone.name)))} · too long to show here\n\n"


def _zone(zone: Zone) -> str:
    opened = " open" if zone.state == "failed" else ""
    title = _title(zone, f"<code>{escape(view.printable_line(zone.name))}</code>")
    text = [f"<details{opened}><summary>{title}</summary>", ""]
    telling = [outcome for outcome in zone.outcomes if outcome.tells]
    for outcome in telling:
        if len(telling) > 1:
            text += [f"{code(view.where(outcome))}:", ""]
        text += _part(outcome)
    return "\n".join([*text, "</details>", "", ""])


def _part(outcome: Outcome) -> Iterator[str]:
    listed = []
    if outcome.failure:
        listed.append(
            f"**{view.failed_word(outcome)}:** {code(view.printable_line(outcome.failure))}"
        )
    listed += [f"{word}: {code(text)}" for word, text in view.findings(outcome)]
    listed += [f"Warning: {code(view.printable_line(warning))}" for warning in outcome.warnings]
    if len(listed) > MOST_LISTED:
        listed[MOST_LISTED:] = [f"and {len(listed) - MOST_LISTED} more"]
    if listed:
        yield from (*(f"- {line}" for line in listed), "")
    if outcome.recovered:
        yield from ("What an earlier run had left incomplete:", "", *_diff(outcome.recovered))
    if outcome.changes:
        yield from _diff(outcome.changes)


def _diff(changes: Iterable[ReportedChange]) -> list[str]:
    """A block of lines, cut to leave room for other zones."""
    taken, space, remaining = [], LARGEST_DIFF, 0
    for line in view.lines(changes):
        text = f"{line.sign}{' ' if line.text else ''}{line.text}"
        space -= _size(text) + 1
        if space < 0:
            remaining += 1
        else:
            taken.append(text)
    fence = "`" * max(3, _longest_run("\n".join(taken)) + 1)
    more = [f"and {view.number(remaining, 'more line')}", ""] if remaining else []
    return [f"{fence}diff", *taken, fence, "", *more]


def code(text: str) -> str:
    """A code span around one line (CommonMark, section 6.1)."""
    fence = "`" * (_longest_run(text) + 1)
    space = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
