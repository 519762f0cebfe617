# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Markdown, for pull requests and job summaries.

Zone text is only in code with fences longer than its backticks, so it cannot be markup or mention anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from . import words
from .diff import lines, printable_line
from .outcomes import Row
from .view import STATES, View, Zone

LARGEST = 65_000
"""Most bytes; a GitHub comment has 65,536 characters.

Pipelines may use the rest.
"""

RESERVE = 200
"""Bytes for the line that counts what was left out."""

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


class _Comment:
    """A text that grows while there is room."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._space = LARGEST - RESERVE - _size(text)

    def add(self, text: str) -> bool:
        """Add a text that fits. Returns whether it does."""
        fits = _size(text) <= self._space
        if fits:
            self.text += text
            self._space -= _size(text)
        return fits


def as_markdown(view: View) -> str:
    """Failures first. Zones that do not fit are counted."""
    comment = _Comment(_heading(view) + _notes(view))
    left_out = 0
    for outcome in view.without_zone:
        icon = ICONS["failed"] if outcome.failure else "⚠️"
        part = words.part_of(outcome)
        text = "\n".join([f"{icon} {code(part.where)}", "", *_part(part), ""])
        if not comment.add(text):
            left_out += 1
    for zone in view.worst_first:
        if zone.tells and not comment.add(_zone(zone)):
            left_out += 1
    names = [printable_line(name) for name in sorted(view.report.untouched)]
    if names:
        title = words.untouched(view.report)
        listed = _listed([code(name) for name in names], MOST_LISTED)
        comment.add(_folded(title, [*listed, ""]))
    if not left_out:
        return comment.text
    left = words.number(left_out, "zone or result", "zones and results")
    counted = f"**Left out for lack of space: {left}.** The report as HTML or JSON has everything."
    return f"{comment.text}{counted}\n"


def _size(text: str) -> int:
    return len(text.encode())


def _block(text: list[str]) -> str:
    """Lines, and an empty one."""
    return "\n".join([*text, "", ""])


def _heading(view: View) -> str:
    parts = [f"**{text}**" if is_bad else text for text, is_bad in words.headline(view)]
    heading = f"## DNS: {', '.join(parts)}\n\n"
    sentences = [words.MODES[view.mode], ", ".join(words.amounts(view.counts))]
    told = [f"{sentence}." for sentence in sentences if sentence]
    if told:
        heading += f"{' '.join(told)}\n\n"
    return heading


def _notes(view: View) -> str:
    text = ""
    for sentence, places in words.notes(view.report):
        listed = _listed([code(place) for place in places], MOST_LISTED)
        text += _block([f"> {sentence}", *(f"> {line}" for line in listed)])
    return text


def _folded(title: str, text: list[str], *, is_open: bool = False) -> str:
    opened = " open" if is_open else ""
    return _block([f"<details{opened}><summary>{title}</summary>", "", *text, "</details>"])


def _listed(texts: list[str], most: int) -> list[str]:
    """A list of the first ones, and a count of the rest."""
    listed = [f"- {text}" for text in texts[:most]]
    remaining = len(texts) - len(listed)
    if remaining:
        listed.append(f"- and {remaining:,} more")
    return listed


def _zone(zone: Zone) -> str:
    name = escape(printable_line(zone.name))
    title = f"{ICONS[zone.state]} {STATES[zone.state]}: <code>{name}</code>"
    summary = words.summary(zone)
    if summary:
        title += f" · {summary}"
    text = []
    parts = words.parts_of(zone)
    for part in parts:
        if len(parts) > 1:
            text += [f"{code(part.where)}:", ""]
        text += _part(part)
    return _folded(title, text, is_open=zone.state == "failed")


def _part(part: words.Part) -> list[str]:
    sentences = []
    for kind, word, text in part.sentences:
        opening = f"**{word}:**" if kind == "failed" else f"{word}:"
        sentences.append(f"{opening} {code(text)}")
    listed = _listed(sentences, MOST_LISTED)
    if listed:
        listed.append("")
    for title, changes in part.diffs:
        if title:
            listed += [f"{title}:", ""]
        listed += _diff(changes)
    return listed


def _diff(changes: Iterable[Row]) -> list[str]:
    """A block of lines, cut to leave room for other zones."""
    taken = []
    space = LARGEST_DIFF
    remaining = 0
    for line in lines(changes):
        text = f"{line.sign} {line.text}"
        space -= _size(text) + 1
        if space < 0:
            remaining += 1
        else:
            taken.append(text)
    fence = _fence("\n".join(taken), 3)
    block = [f"{fence}diff", *taken, fence, ""]
    if remaining:
        block += [f"and {words.number(remaining, 'more line')}", ""]
    return block


def code(text: str) -> str:
    """A code span around one line (CommonMark, section 6.1)."""
    fence = _fence(text, 1)
    if not text or text.startswith(("`", " ")) or text.endswith(("`", " ")):
        text = f" {text} "
    return f"{fence}{text}{fence}"


def _fence(text: str, least: int) -> str:
    """More backticks than there are in a row in the text."""
    runs = [len(run) for run in re.findall("`+", text)]
    length = max(runs, default=0) + 1
    return "`" * max(least, length)
