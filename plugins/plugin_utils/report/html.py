# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One HTML page, which loads nothing and only runs its own script."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from . import words
from .diff import Line, lines, printable_line
from .outcomes import Row
from .view import STATES, View

FOLDER = Path(__file__).parent
"""With template, style and script."""

MOST_SENTENCES = 100
"""Of one result."""

MOST_LINES = 500
"""Of one result's changes."""

MOST_LINES_IN_ALL = 50_000
"""So that the page opens fast."""


class _Space:
    """Counts the lines that the page still has room for."""

    def __init__(self) -> None:
        self._lines_left = MOST_LINES_IN_ALL

    def cut(self, changes: Iterable[Row]) -> tuple[list[Line], int]:
        """The lines that fit, and how many do not."""
        all_lines = list(lines(changes))
        shown = all_lines[: min(MOST_LINES, self._lines_left)]
        self._lines_left -= len(shown)
        return shown, len(all_lines) - len(shown)


def as_html(view: View) -> str:
    """Failures first."""
    style, script = _own_text("style.css"), _own_text("script.js")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
    policy += "base-uri 'none'; form-action 'none'"
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["line"] = printable_line
    template = environment.get_template("page.html.j2")
    return template.render(
        policy=policy,
        style=style,
        script=script,
        view=view,
        words=words,
        states=STATES,
        cut=_Space().cut,
        most_sentences=MOST_SENTENCES,
        ended=datetime.fromtimestamp(view.report.run.ended, timezone.utc),
    )


def _own_text(name: str) -> str:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return f"\n{text}"


def _hash(text: str) -> str:
    """A hash for the Content-Security-Policy (CSP 3, section 2.3.1)."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{b64encode(digest).decode()}"
