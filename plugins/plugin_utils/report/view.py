# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Safe words and lines, for HTML and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...module_utils._dns.printable import printable
from .model import STATES, Place, Report, Zone
from .outcomes import Outcome, ReportedChange, ReportedFinding, Side

LONGEST = 1000
"""Most characters of a line; TXT values can fill a screen."""

MODES = {
    "check": "Check mode: nothing was written",
    "mixed": "Some tasks ran in check mode",
    "run": "",
}

AMOUNTS = (
    ("changes", "change", "changes"),
    ("rebuilt", "set rebuilt (gone for a moment)", "sets rebuilt (gone for a moment)"),
    ("findings", "finding", "findings"),
    ("service_owned", "record set owned by the service", "record sets owned by the service"),
    ("recovered", "record set recovered", "record sets recovered"),
    ("warnings", "warning", "warnings"),
)
"""Singular, plural."""


class Line(NamedTuple):
    """Removed (``-``), added (``+``) or kept (a space). ``!`` marks a comment about a set."""

    sign: str
    text: str

    @property
    def kind(self) -> str:
        """Its class on the page."""
        return {"+": "in", "-": "out", "!": "note"}.get(self.sign, "kept")


def printable_line(text: str) -> str:
    """One printable line of bounded length."""
    seen = printable(text[: LONGEST + 1])
    return (
        seen if len(seen) <= LONGEST else f"{seen[:LONGEST]}… (cut, it has {len(text)} characters)"
    )


def lines(changes: Iterable[ReportedChange]) -> Iterator[Line]:
    """Zone-file lines (RFC 1035, section 5.1)."""
    for change in changes:
        before, after = _values(change.before), _values(change.after)
        is_kept = change.before and change.after and change.before.ttl == change.after.ttl
        kept = {*before} & {*after} if is_kept else set()
        if change.is_drift:
            yield Line(
                "!",
                f"; {printable_line(f'{change.name} {change.type}')} was changed by somebody else before",
            )
        if change.is_rebuilt:
            yield Line(
                "!",
                f"; {printable_line(f'{change.name} {change.type}')} is rebuilt, and gone for a moment",
            )
        yield from (
            _line("-", change, change.before, value) for value in before if value not in kept
        )
        yield from (_line(" ", change, change.after, value) for value in after if value in kept)
        yield from (_line("+", change, change.after, value) for value in after if value not in kept)


def _values(side: Side | None) -> tuple[str, ...]:
    return side.contents if side else ()


def _line(sign: str, change: ReportedChange, side: Side | None, value: str) -> Line:
    return Line(
        sign, printable_line(f"{change.name} {side.ttl if side else 0} IN {change.type} {value}")
    )


def number(count: int, one: str, many: str = "") -> str:
    """``1 zone``, ``1,000 zones``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def summary(zone: Zone) -> str:
    words = amounts(zone.counts)
    if zone.is_handled:
        words.insert(
            0, f"failure {' and '.join(sorted({outcome.handled for outcome in zone.failures}))}"
        )
    return " · ".join(words)


def amounts(count: dict[str, int]) -> list[str]:
    return [number(count[what], *words) for what, *words in AMOUNTS if count[what]]


def headline(report: Report, count: dict[str, int]) -> list[tuple[str, bool]]:
    """Failures, also those without a zone, and zones in each state, and whether each is bad."""
    without = count["failed_without_zone"] + report.hidden_failed
    handled = count["failed_handled"] + sum(
        bool(outcome.handled) for outcome in report.nowhere if outcome.failure
    )
    of_them = [f"{without:,} without a zone"] * bool(without) + [
        f"{handled:,} ignored or rescued"
    ] * bool(handled)
    failed = f"{count['failed'] + without:,} failed" + (
        f" ({', '.join(of_them)})" if of_them else ""
    )
    parts = [(failed, count["failed"] + without > 0)]
    parts += [(f"{count['interrupted']:,} interrupted", True)] * bool(count["interrupted"])
    parts += [(f"{count['untouched']:,} not touched", False)] * bool(count["untouched"])
    _failed, *others = states(report, count)
    return parts + [(f"{count[state]:,} {STATES[state].lower()}", False) for state in others]


def states(report: Report, count: dict[str, int]) -> list[str]:
    """The states to show, some of them even without zones."""
    of_mode = {"check": "would_change", "run": "changed"}.get(report.mode)
    return [state for state in STATES if count[state] or state in ("failed", of_mode, "unchanged")]


def untouched(report: Report) -> str:
    count = len(report.untouched)
    was = number(count, "zone was", "zones were")
    return f"{was} not touched, because others in the same task failed." if count else ""


def where(outcome: Outcome | Place) -> str:
    return f"{printable_line(outcome.task)} on {printable_line(outcome.host)}"


def failed_word(outcome: Outcome) -> str:
    return f"Failed, {outcome.handled}" if outcome.handled else "Failed"


def findings(outcome: Outcome) -> list[tuple[str, str]]:
    """Each with a word for its kind."""
    found = [
        ("Error" if one.severity.lower() == "error" else "Finding", _finding(one))
        for one in outcome.findings
    ]
    found += [(STATES["not_ours"], printable_line(one.message)) for one in outcome.service_owned]
    unmanaged = "the account has this zone, but the task does not: it has no file, or is not listed"
    return found + [(STATES["unmanaged"], unmanaged)] * outcome.unmanaged


def _finding(finding: ReportedFinding) -> str:
    source = f"({finding.source})" if finding.source else ""
    parts = [finding.name, finding.type, f"{finding.rule}:", finding.message, source]
    return printable_line(" ".join(filter(None, parts)))


def notes(report: Report) -> list[tuple[str, list[str]]]:
    """Besides zones: sentences with their places."""
    found: list[tuple[str, list[str]]] = []
    if not report.is_complete:
        found.append(("The run ended early: this report shows what was done until then.", []))
    if report.plays_left:
        was = "was" if report.plays_left == 1 else "were"
        found.append(
            (f"The run ended early: {number(report.plays_left, 'play')} {was} not begun.", [])
        )
    listed = (
        (
            f"{number(len(report.unreachable), 'host was', 'hosts were')} unreachable.",
            report.unreachable,
        ),
        (
            "Other tasks failed, so what their hosts would have done next may be missing here.",
            report.elsewhere,
        ),
        (
            f"{number(len(report.interrupted), 'task was', 'tasks were')} interrupted: run again.",
            report.interrupted,
        ),
        (
            "Tasks were left running in the background, and their outcome is unknown.",
            report.background,
        ),
    )
    found += [
        (sentence, [_in_words(place) for place in places]) for sentence, places in listed if places
    ]
    if report.hidden:
        failed = f", {report.hidden_failed} of them failed" if report.hidden_failed else ""
        found.append(
            (f"{number(report.hidden, 'result is', 'results are')} hidden by no_log{failed}.", [])
        )
    return found


def _in_words(place: Place) -> str:
    words = f"{where(place)}: {printable_line(place.msg)}" if place.msg else where(place)
    return f"{words} ({place.handled})" if place.handled else words
