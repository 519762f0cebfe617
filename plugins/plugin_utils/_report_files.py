# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files of a report: which form each has, and how it is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from ansible_collections.zonesmith.dns.plugins.module_utils._run.files import replace_file
from ansible_collections.zonesmith.dns.plugins.plugin_utils._report import Report

ENDINGS = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown", ".json": "json"}


class UnknownForm(Exception):
    """The ending of a file's name tells no form."""


def form_of(path: str) -> str:
    """The form that the ending of *path* tells, one of the values of ENDINGS. Raises UnknownForm."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in ENDINGS:
        raise UnknownForm(f"{path} is not written: a report ends in .html, .md or .json")
    return ENDINGS[ending]


def write_all(report: Report, paths: Iterable[str]) -> list[str]:
    """Write the report to each of *paths*, whose forms are known; why it could not be written to some, a line each."""
    troubles, texts = [], {}
    for path in paths:
        form = form_of(path)
        if form not in texts:
            texts[form] = _renderer(form)(report)
        try:
            write(path, texts[form])
        except OSError as error:
            troubles.append(f"the report cannot be written to {path}: {error.strerror or error}")
    return troubles


def _renderer(form: str) -> Callable[[Report], str]:
    """What makes a text of a report; each is imported only where it is asked for."""
    if form == "html":
        from ansible_collections.zonesmith.dns.plugins.plugin_utils._report_html import as_html

        return as_html
    if form == "markdown":
        from ansible_collections.zonesmith.dns.plugins.plugin_utils._report_markdown import as_markdown

        return as_markdown
    from ansible_collections.zonesmith.dns.plugins.plugin_utils._report_json import as_json

    return as_json


def write(path: str, text: str) -> None:
    """Write *text* to *path*, which has the old text or the new one at any time, and its folder. Raises OSError."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.lexists(folder):
        os.makedirs(folder, exist_ok=True)
    replace_file(path, text.encode())
