# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What people read in a report, in words and lines that are safe to show: the HTML page and Markdown share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import visible
from ansible_collections.zonesmith.dns.plugins.plugin_utils._report import Place, Report, Zone
from ansible_collections.zonesmith.dns.plugins.plugin_utils._report_results import Change, Finding, Outcome, Side

LONGEST = 1000
"""Characters of one line that are shown; a TXT set can fill a screen with one value."""

STATE_WORDS = {"failed": "Failed", "changed": "Changed", "would_change": "Would change", "unchanged": "Unchanged"}


class Line(NamedTuple):
    """A line of a zone file, and whether the change takes it (``-``), brings it (``+``) or leaves it (a space)."""

    sign: str
    text: str

    @property
    def kind(self) -> str:
        """What the page calls it: ``in``, ``out`` or ``kept``."""
        return {"+": "in", "-": "out"}.get(self.sign, "kept")


def shown(text: str) -> str:
    """*text* on one line, with nothing in it that a reader could not see, and of a bounded length."""
    seen = visible(text[: LONGEST + 1])
    if len(seen) <= LONGEST:
        return seen
    return f"{seen[:LONGEST]}… (cut, it has {len(text)} characters)"


def lines(changes: Iterable[Change]) -> Iterator[Line]:
    """The changes as lines of a zone file (RFC 1035, section 5.1), set by set, in order."""
    for change in changes:
        before, after = _zone_file_lines(change, change.before), _zone_file_lines(change, change.after)
        kept = Counter(before) & Counter(after)
        yield from (Line("-", line) for line in before if line not in kept)
        yield from (Line(" ", line) for line in after if line in kept)
        yield from (Line("+", line) for line in after if line not in kept)


def _zone_file_lines(change: Change, side: Side | None) -> list[str]:
    values = side.contents if side else ()
    return [shown(f"{change.name} {side.ttl if side else 0} IN {change.type} {value}") for value in values]


def number(count: int, one: str, many: str = "") -> str:
    """A count with its word: ``1 zone``, ``1,000 zones``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def summary(zone: Zone) -> str:
    """What there is to read of a zone, in a few words."""
    parts = [
        (len(zone.changes), "change"),
        (sum(len(outcome.recovered) for outcome in zone.outcomes), "recovered"),
        (sum(len(outcome.findings) for outcome in zone.outcomes), "finding"),
        (sum(len(outcome.warnings) for outcome in zone.outcomes), "warning"),
    ]
    words = [number(count, word, "recovered" if word == "recovered" else "") for count, word in parts if count]
    if zone.is_handled:
        words.insert(0, f"failure {' and '.join(sorted({outcome.handled for outcome in zone.failures}))}")
    return " · ".join(words)


def headline(report: Report, count: dict[str, int]) -> list[tuple[str, bool]]:
    """What went wrong and how many zones are in each other state, each in words, and whether it is bad.

    What failed without a zone has failed too, and no state of a zone tells it.
    """
    without = count["failed_without_zone"] + report.hidden_failed
    handled = count["failed_handled"] + sum(bool(outcome.handled) for outcome in report.nowhere if outcome.failure)
    of_them = [f"{without:,} without a zone"] * bool(without) + [f"{handled:,} ignored or rescued"] * bool(handled)
    failed = f"{count['failed'] + without:,} failed" + (f" ({', '.join(of_them)})" if of_them else "")
    parts = [(failed, count["failed"] + without > 0)]
    parts += [(f"{count['interrupted']:,} interrupted", True)] * bool(count["interrupted"])
    words = {"changed": "run", "would_change": "check"}
    parts += [
        (f"{count[state]:,} {STATE_WORDS[state].lower()}", False)
        for state in ("changed", "would_change", "unchanged")
        if count[state] or words.get(state, report.mode) == report.mode
    ]
    return parts


def where(outcome: Outcome | Place) -> str:
    """The task and the host, as one line."""
    return f"{shown(outcome.task)} on {shown(outcome.host)}"


def failed_word(outcome: Outcome) -> str:
    """How something failed: what the playbook did about it."""
    return f"Failed, {outcome.handled}" if outcome.handled else "Failed"


def finding_word(finding: Finding) -> str:
    """How bad a finding is, in one of two words."""
    return "Error" if finding.severity.lower() == "error" else "Finding"


def finding_text(finding: Finding) -> str:
    """A finding on one line."""
    source = f" ({finding.source})" if finding.source else ""
    return shown(" ".join(filter(None, [finding.name, finding.type, f"{finding.rule}:", finding.message])) + source)


def notes(report: Report) -> list[tuple[str, list[str]]]:
    """What the reader must know besides the zones: each a sentence, with the places it speaks of."""
    found: list[tuple[str, list[str]]] = []
    if not report.is_complete:
        found.append(("The run ended early: what is below is what was done until then.", []))
    if report.plays_left:
        was = "was" if report.plays_left == 1 else "were"
        found.append((f"The run ended early: {number(report.plays_left, 'play')} {was} not begun.", []))
    if report.unreachable:
        sentence = f"{number(len(report.unreachable), 'host was', 'hosts were')} unreachable."
        found.append((sentence, [_told(place) for place in report.unreachable]))
    if report.elsewhere:
        sentence = "Tasks of others failed, and what their hosts were to do after them is missing here."
        found.append((sentence, [_told(place) for place in report.elsewhere]))
    if report.interrupted:
        was, it = ("was", "it") if len(report.interrupted) == 1 else ("were", "they")
        again = "it" if len(report.interrupted) == 1 else "them"
        sentence = f"{number(len(report.interrupted), 'task')} {was} interrupted, and what {it} did is not known. "
        sentence += f"Run {again} again: the next run completes what was left."
        found.append((sentence, [_told(place) for place in report.interrupted]))
    if report.background:
        sentence = "Tasks were left running in the background, and what became of them is not known."
        found.append((sentence, [_told(place) for place in report.background]))
    if report.hidden:
        failed = f", {report.hidden_failed} of them failed" if report.hidden_failed else ""
        found.append((f"{number(report.hidden, 'result is', 'results are')} hidden by no_log{failed}.", []))
    return found


def _told(place: Place) -> str:
    told = f"{where(place)}: {shown(place.msg)}" if place.msg else where(place)
    return f"{told} ({place.handled})" if place.handled else told
