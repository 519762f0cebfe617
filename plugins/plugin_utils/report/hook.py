# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sends the report to a webhook as one line of JSON, within seconds, and never fails a run."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ...module_utils._api.sender import REQUESTS_MISSING
from ...module_utils._dns.printable import printable
from .json import document_of
from .view import View, Zone
from .words import headline

if not REQUESTS_MISSING:
    import requests

SECONDS = 5.0
"""From the name look-up to the answer's status."""

MOST_ZONES = 500

TAKEN = (
    "format",
    "began",
    "ended",
    "playbooks",
    "complete",
    "mode",
    "counts",
    "hidden",
)
"""What the line has of the JSON report as it is there."""

LINKS = {
    "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}": "job",
    "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/commit/{GITHUB_SHA}": "commit",
    "{CI_JOB_URL}": "job",
    "{CI_PROJECT_URL}/-/commit/{CI_COMMIT_SHA}": "commit",
    "{BUILD_URL}": "job",
}
"""What the variables of GitHub, GitLab and Jenkins make a link to."""


def links_of(environment: Mapping[str, str]) -> dict[str, str]:
    """Of the pipeline that runs this."""
    links: dict[str, str] = {}
    for form, name in LINKS.items():
        try:
            link = form.format_map(environment)
        except KeyError:
            continue
        if re.fullmatch(r"https?://[!-~]{1,2000}", link):
            links.setdefault(name, link)
    return links


def as_line(view: View, links: Mapping[str, str]) -> str:
    """Counts, zones with something to report, the worst first, and *links*, without any record value."""
    document = document_of(view)
    zones = [zone for zone in view.worst_first if zone.state != "unchanged" or zone.tells]
    shown = [_zone(zone) for zone in zones[:MOST_ZONES]]
    text = ["DNS:", ", ".join(words for words, _is_bad in headline(view))]
    if "job" in links:
        text.append(links["job"])
    line: dict[str, Any] = {"text": " ".join(text)}
    for name in TAKEN:
        line[name] = document[name]
    line |= {"zones": shown, "zones_left_out": len(zones) - len(shown), "links": links}
    return json.dumps(line, default=vars) + "\n"


def _zone(zone: Zone) -> dict[str, Any]:
    counts = {name: zone.amounts[name] for name in ("changes", "rebuilt", "findings")}
    return {"zone": zone.name, "state": zone.state, **counts}


def send(url: str, line: str) -> str:
    """Returns why that failed, without secrets, or nothing."""
    parts = urlsplit(url)
    place = f"{parts.scheme}://{printable(parts.netloc.lower())}"
    reasons: list[str] = []

    def run() -> None:
        reasons.append(_trouble(url, line))

    # In a thread, since a name look-up has no time limit.
    sender = threading.Thread(target=run, daemon=True)
    try:
        sender.start()
        sender.join(SECONDS)
    except RuntimeError:  # Python 3.12 starts no thread while it ends
        run()
    reason = reasons[0] if reasons else f"did not answer within {SECONDS:g} seconds"
    if not reason:
        return ""
    return f"the hook at {place} was not notified of this run: it {reason}"


def _trouble(url: str, line: str) -> str:
    """Returns why that failed; exceptions of requests show the URL."""
    if REQUESTS_MISSING:
        return "needs the Python library requests, which is not installed"
    try:
        with requests.Session() as session:
            session.auth = _as_it_is  # otherwise requests reads ~/.netrc
            response = session.post(
                url,
                data=line.encode(),
                headers={"Content-Type": "application/json"},
                timeout=SECONDS,
                allow_redirects=False,
                stream=True,  # the body is not read
            )
            response.close()
    except Exception:  # noqa: BLE001 - any message or traceback repeats the URL
        return f"cannot be reached, or did not answer within {SECONDS:g} seconds"
    if 200 <= response.status_code < 300:
        return ""
    return f"answered {response.status_code}"


def _as_it_is(request: Any) -> Any:
    return request
