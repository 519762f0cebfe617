# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sends the report to a webhook as one line of JSON, within seconds, and never fails a run."""

from __future__ import annotations

import json
import re
import threading
from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ...module_utils._api.connection import is_loopback, url_parts
from ...module_utils._api.sender import REQUESTS_MISSING
from ...module_utils._dns.printable import printable
from .json import document_of, fields_of
from .model import Report, worst_first
from .view import headline

if not REQUESTS_MISSING:
    import requests

SECONDS = 5.0
"""From the name look-up to the answer's status."""

MOST_ZONES = 500
LARGEST = 1_000_000

COUNTED = ("unreachable", "failed_elsewhere")
"""Lists that are only counted."""

LINKS = {
    "GITHUB_ACTIONS": {
        "job": "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}",
        "commit": "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/commit/{GITHUB_SHA}",
    },
    "GITLAB_CI": {"job": "{CI_JOB_URL}", "commit": "{CI_PROJECT_URL}/-/commit/{CI_COMMIT_SHA}"},
}
"""By the variable that is ``true`` there. Jenkins has none."""


class InvalidHook(ValueError):
    """The message is a clause, with nothing but the host."""


def checked_hook(url: str) -> str:
    """A URL whose path or query may be secret. Raises InvalidHook."""
    text = url.strip()
    try:
        parts = url_parts(text)
    except ValueError as error:
        raise InvalidHook("it is not a URL that begins with https://") from error
    host = parts.hostname or ""
    if parts.username is not None:
        raise InvalidHook(
            f"the URL must not contain a user or password, which would be sent to {host}"
        )
    if parts.scheme == "http" and not is_loopback(host):
        raise InvalidHook(
            f"it is plain http, which would show the message to anyone on the network path to {host}: use https"
        )
    return text


def links_of(environment: Mapping[str, str]) -> dict[str, str]:
    """Of GitHub, GitLab or Jenkins."""
    known = next(
        (links for mark, links in LINKS.items() if environment.get(mark) == "true"),
        {"job": "{BUILD_URL}"},
    )
    links = {name: link.format_map(defaultdict(str, environment)) for name, link in known.items()}
    return {
        name: link for name, link in links.items() if re.fullmatch(r"https?://[!-~]{1,2000}", link)
    }


def as_line(report: Report, links: Mapping[str, str], *, with_records: bool = False) -> str:
    """Counts, zones with something to report, the worst first, and *links*.

    It has no record values, unless *with_records* adds what tasks did, up to LARGEST.
    """
    document = document_of(report)
    tasks_of = {zone["zone"]: zone["tasks"] for zone in document["zones"]}
    zones = worst_first(zone for zone in report.zones if zone.state != "unchanged" or zone.tells)
    shown, space = [], LARGEST
    for zone in zones[:MOST_ZONES]:
        counts = {name: zone.counts[name] for name in ("changes", "rebuilt", "findings")}
        shown_zone: dict[str, Any] = {"zone": zone.name, "state": zone.state, **counts}
        if with_records:
            length = len(json.dumps(tasks_of[zone.name], default=fields_of))
            shown_zone["tasks"] = tasks_of[zone.name] if length <= space else None
            space -= length if shown_zone["tasks"] else 0
        shown.append(shown_zone)
    text = ", ".join(words for words, _is_bad in headline(report, document["counts"]))
    rest = {
        name: value
        for name, value in document.items()
        if name == "playbooks" or not isinstance(value, list)
    }
    line = {
        "text": " ".join(["DNS:", text, *([links["job"]] if "job" in links else [])]),
        **rest,
        "counts": {**document["counts"], **{name: len(document[name]) for name in COUNTED}},
        "zones": shown,
        "zones_left_out": len(zones) - len(shown),
        "links": dict(links),
    }
    return json.dumps(line, default=fields_of) + "\n"


def send(url: str, line: str) -> str:
    """Returns why that failed, without secrets, or nothing."""
    parts = urlsplit(url)
    place = f"{parts.scheme}://{printable(parts.netloc.lower())}"
    trouble: list[str] = []
    # In a thread, since a name look-up has no time limit.
    sender = threading.Thread(target=lambda: trouble.append(_trouble(url, line)), daemon=True)
    try:
        sender.start()
    except RuntimeError:  # Python 3.12 starts no thread while it ends
        trouble.append(_trouble(url, line))
    else:
        sender.join(SECONDS)
    reason = trouble[0] if trouble else f"did not answer within {SECONDS:g} seconds"
    return f"the hook at {place} was not notified of this run: it {reason}" if reason else ""


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
    except requests.exceptions.SSLError:
        return "has a certificate that cannot be trusted"
    except requests.exceptions.Timeout:
        return f"did not answer within {SECONDS:g} seconds"
    except Exception:  # noqa: BLE001 - any message or traceback repeats the URL
        return "cannot be reached"
    if response.is_redirect:
        return f"answered {response.status_code}, and redirects are not followed"
    return "" if 200 <= response.status_code < 300 else f"answered {response.status_code}"


def _as_it_is(request: Any) -> Any:
    return request
