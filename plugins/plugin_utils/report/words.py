# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A report in words, for people: what the page and the Markdown say alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .diff import printable_line
from .model import Place, Report
from .outcomes import Outcome, Row
from .view import AMOUNTS, STATES, View, Zone, failures_of

MODES = {
    "check": "Check mode: nothing was written",
    "mixed": "Some tasks ran in check mode",
    "run": "",
}
MODE_STATES = {"check": "would_change", "run": "changed"}
"""The state that a reader looks for in a mode."""

UNMANAGED = "the account has this zone, but the task does not: it has no file, or is not listed"


class Sentence(NamedTuple):
    """*kind* is ``failed``, ``finding`` or ``warning``, and *word* what stands before the text."""

    kind: str
    word: str
    text: str


class Part(NamedTuple):
    """An outcome in words. *diffs* have titles, of which that of the task's own changes is empty."""

    where: str
    sentences: list[Sentence]
    diffs: Sequence[tuple[str, Sequence[Row]]]


def part_of(outcome: Outcome) -> Part:
    titled = [
        ("What an earlier run had left incomplete", outcome.recovered),
        ("", outcome.changes),
        ("What this run left incomplete", outcome.unfinished),
    ]
    diffs = [(title, changes) for title, changes in titled if changes]
    return Part(where(outcome), _sentences(outcome), diffs)


def parts_of(zone: Zone) -> list[Part]:
    return [part_of(outcome) for outcome in zone.outcomes if outcome.tells]


def where(place: Outcome | Place) -> str:
    return f"{printable_line(place.task)} on {printable_line(place.host)}"


def _sentences(outcome: Outcome) -> list[Sentence]:
    """The worst first."""
    sentences = []
    if outcome.failure:
        handled = outcome.failure.handled
        word = f"Failed, {handled}" if handled else "Failed"
        sentences.append(Sentence("failed", word, printable_line(outcome.failure.msg)))
    sentences += [_finding(finding) for finding in outcome.findings]
    for owned in outcome.service_owned:
        text = printable_line(owned["message"])
        sentences.append(Sentence("finding", STATES["not_ours"], text))
    if outcome.unmanaged:
        sentences.append(Sentence("finding", STATES["unmanaged"], UNMANAGED))
    for warning in outcome.warnings:
        sentences.append(Sentence("warning", "Warning", printable_line(warning)))
    return sentences


def _finding(finding: Row) -> Sentence:
    parts = [finding["name"], finding["type"], f"{finding['rule']}:", finding["message"]]
    if finding["source"]:
        parts.append(f"({finding['source']})")
    text = printable_line(" ".join(part for part in parts if part))
    if finding["severity"] == "error":
        return Sentence("failed", "Error", text)
    return Sentence("finding", "Finding", text)


def number(count: int, one: str, many: str = "") -> str:
    """``1 zone``, ``1,000 zones``."""
    word = one if count == 1 else many or f"{one}s"
    return f"{count:,} {word}"


def amounts(counts: dict[str, int]) -> list[str]:
    """Counts of AMOUNTS that are not 0."""
    return [number(counts[kind], *words) for kind, words in AMOUNTS.items() if counts[kind]]


def summary(zone: Zone) -> str:
    words = amounts(zone.amounts)
    if zone.is_handled:
        words.insert(0, "failure ignored or rescued")
    return " · ".join(words)


def headline(view: View) -> list[tuple[str, bool]]:
    """Failures, also those without a zone, and zones in each state, and whether each is bad."""
    counts = view.counts
    parts = [_failed(view)]
    if counts["interrupted"]:
        parts.append((f"{counts['interrupted']:,} interrupted", True))
    if counts["untouched"]:
        parts.append((f"{counts['untouched']:,} not touched", False))
    _failed_state, *others = states(view)
    for state in others:
        parts.append((f"{counts[state]:,} {STATES[state].lower()}", False))
    return parts


def _failed(view: View) -> tuple[str, bool]:
    """How many zones and other results failed, with what a reader may want to know of them."""
    counts = view.counts
    without_zone = counts["failed_without_zone"] + view.report.hidden.failed
    failed = counts["failed"] + without_zone
    failures = failures_of(view.without_zone)
    handled = counts["failed_handled"] + len([one for one in failures if one.handled])
    of_them = []
    if without_zone:
        of_them.append(f"{without_zone:,} without a zone")
    if handled:
        of_them.append(f"{handled:,} ignored or rescued")
    text = f"{failed:,} failed"
    if of_them:
        text += f" ({', '.join(of_them)})"
    return text, failed > 0


def states(view: View) -> list[str]:
    """The states to show, some of them even without zones."""
    always = ("failed", MODE_STATES.get(view.mode), "unchanged")
    return [state for state in STATES if view.counts[state] or state in always]


def untouched(report: Report) -> str:
    was = number(len(report.untouched), "zone was", "zones were")
    return f"{was} not touched, because others in the same task failed."


def notes(report: Report) -> list[tuple[str, list[str]]]:
    """Sentences about the run besides its zones, with the places that they speak of."""
    found: list[tuple[str, list[str]]] = []
    if not report.run.is_complete:
        found.append(("The run ended early: this report shows what was done until then.", []))
    for sentence, places in _listed(report):
        if places:
            found.append((sentence, [_in_words(place) for place in places]))
    hidden = report.hidden
    if hidden.results:
        are = number(hidden.results, "result is", "results are")
        failed = f", {hidden.failed} of them failed" if hidden.failed else ""
        found.append((f"{are} hidden by no_log{failed}.", []))
    return found


def _listed(report: Report) -> list[tuple[str, list[Place]]]:
    unreachable = number(len(report.unreachable), "host was", "hosts were")
    interrupted = number(len(report.interrupted), "task was", "tasks were")
    others = "Other tasks failed, so what their hosts would have done next may be missing here."
    return [
        (f"{unreachable} unreachable.", report.unreachable),
        (others, report.failed_elsewhere),
        (f"{interrupted} interrupted or left running: run again.", report.interrupted),
    ]


def _in_words(place: Place) -> str:
    words = where(place)
    if place.msg:
        words += f": {printable_line(place.msg)}"
    if place.handled:
        words += f" ({place.handled})"
    return words
