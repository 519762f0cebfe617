# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the service answers that is no success, as an error: its own words without the token, and what to look at."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    LONGEST_WAIT,
    NOT_CARRIED_OUT,
    TRANSIENT,
    ZONES,
    Asked,
    ServiceError,
    TransientFailure,
    parsed,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.secrets import redact
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import SHOWN_CHARACTERS, printable

if TYPE_CHECKING:
    import requests

try:
    from urllib3.exceptions import InvalidHeader
    from urllib3.util import Retry
except ImportError:  # sender.py keeps the error, module.py reports it
    pass

READ_CHARACTERS = 64 * 1024
"""How much of the service's own words is looked at for what may be shown."""

MOST_READ = 21_600.0
"""Seconds of a Retry-After; of a longer one, urllib3 says as many since it has a limit."""

NO_SUCH_PLACE = frozenset({404, 405, 410})
"""What no service answers to who asks it for its list."""

ENCODINGS = {"iso-8859-1": "cp1252", "latin1": "cp1252", "utf-16": "utf-16", "windows-1252": "cp1252"}
"""What pages are written in that is not UTF-8; what calls itself the first is the last, as in browsers."""

IS_PAGE = re.compile(rb"\s*<(!doctype\s+html|html)\b", re.IGNORECASE)


def failure_of(
    response: requests.Response, content: bytes, envelope: Any, token: str, asked: Asked
) -> ServiceError | TransientFailure:
    """What an answer with this body is that is no success; *envelope* is what a 2xx has in it, if anything."""
    status, content = response.status_code, _as_utf8(response, content)
    if 300 <= status < 400:
        return ServiceError(_redirected(response, token, asked), status)
    if not 200 <= status < 300:
        return _of_status(response, content, token, asked)
    if not isinstance(envelope, dict):
        message = _own_message(None, content, token)
        reason = f"the service answered {status} with something that is not a JSON object{message}"
        return ServiceError(_elsewhere(reason, asked, token), status)
    word = redacted(str(envelope.get("status")), token)
    message = _own_message(envelope, content, token)
    reason = f"the service answered {status} with status {word} in place of Success{message}"
    if "status" not in envelope and not asked.writes:
        reason = _elsewhere(reason, asked, token)
    return ServiceError(reason, status, is_refusal=True)


def _as_utf8(response: requests.Response, content: bytes) -> bytes:
    """The body, of which as much is decoded as is looked at, where it says that it is of another encoding."""
    named = re.search(r"charset=[\"']?([a-z0-9-]{1,20})", response.headers.get("Content-Type", "").lower())
    encoding = ENCODINGS.get(named[1]) if named else None
    return content[: 4 * READ_CHARACTERS].decode(encoding, "replace").encode() if encoding else content


def _of_status(
    response: requests.Response, content: bytes, token: str, asked: Asked
) -> ServiceError | TransientFailure:
    status = response.status_code
    reason = f"the service answered {status}{_own_message(parsed(content), content, token)}"
    if status not in TRANSIENT:
        return ServiceError(_with_option(reason, status, content, asked, token), status)
    wait = _retry_after(response)
    if wait > LONGEST_WAIT:
        least = "at least " if wait == MOST_READ else ""
        reason = f"{reason.rstrip('.')}, and asks to wait {least}{wait:.0f} s before the next request"
    return TransientFailure(ServiceError(reason, status), not_carried_out=status in NOT_CARRIED_OUT, retry_after=wait)


def _with_option(reason: str, status: int, content: bytes, asked: Asked, token: str) -> str:
    """Why a request was refused, with the option to look at; that a write is, can be for its record set's sake."""
    if status == 407:
        return f"{reason.rstrip('.')} (see http_proxy in the environment)"
    if status == 401 or (status == 403 and not asked.writes):
        return f"{reason.rstrip('.')} (see access_token)"
    is_no_service = status in NO_SUCH_PLACE and asked.path == ZONES
    return _elsewhere(reason, asked, token) if not asked.writes and (is_no_service or _page(content)) else reason


def _elsewhere(reason: str, asked: Asked, token: str) -> str:
    """*reason*, with what was asked: that may not be the service at all."""
    return f"{reason.rstrip('.')}; asked was {redacted(str(asked), token)} (see base_url)"


def _redirected(response: requests.Response, token: str, asked: Asked) -> str:
    """Where the answer points, and what base_url would be if the service were there."""
    # What follows is for who signs in there, and can be as good as a password.
    location = re.split("[?#]", response.headers.get("Location", ""), maxsplit=1)[0]
    reason = f"the service answered {response.status_code} and points to {redacted(location, token) or 'nowhere'}"
    try:
        target = urljoin(f"{asked.base_url}{asked.path}", location)
    except ValueError:
        target = ""
    base = target.removesuffix(asked.path)
    if base in (target, asked.base_url):
        return _elsewhere(reason, asked, token)
    return f"{reason}: if the service is there now, set base_url to {redacted(base, token)}"


def redacted(text: str, token: str) -> str:
    """The service's own words, fit for a message: without the token, which must go before the rest is cut."""
    words = redact(text[:READ_CHARACTERS], token)
    words = " ".join(words.split())
    if len(text) > READ_CHARACTERS and len(words) <= SHOWN_CHARACTERS:
        words = words.rpartition(" ")[0]  # the first part of a token can be what was left of it
    return printable(words)[:SHOWN_CHARACTERS]


def _own_message(envelope: Any, content: bytes, token: str) -> str:
    """What the service itself says, for the end of a sentence: its message and errors, else the start of its body."""
    said = []
    if isinstance(envelope, dict):
        if isinstance(envelope.get("message"), str):
            said.append(envelope["message"])
        if envelope.get("errors"):
            said.append(json.dumps(envelope["errors"], ensure_ascii=False))
    text = redacted(" ".join(said) or _page(content) or _text(content), token)
    return f": {text}" if text else ""


def _page(content: bytes) -> str:
    """What an HTML page says, as far as people can read it; empty where the body is none."""
    if not IS_PAGE.match(content):
        return ""
    text = _text(content)
    title = re.search(r"<title>([^<]*)", text, re.IGNORECASE)
    said = unescape(title[1] if title else re.sub(r"<[^<>]*>", " ", text))
    return f"the HTML page {' '.join(said.split())!r}"


def _text(content: bytes) -> str:
    return content[: 4 * READ_CHARACTERS].decode("utf-8", "replace")


def _retry_after(response: requests.Response) -> float:
    header = response.headers.get("Retry-After")
    try:
        return min(float(Retry().parse_retry_after(header)), MOST_READ) if header else 0.0
    except (InvalidHeader, ValueError, OverflowError):  # the last two for numbers that no clock has
        return 0.0
