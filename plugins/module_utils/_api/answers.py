# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Checks answers: zones, record sets, or an error in the service's words."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timezone
from html import unescape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from .._dns.names import InvalidName, name_as_read, zone_name
from .._dns.printable import SHOWN_CHARACTERS, printable
from .._dns.rdata import type_as_read
from .._dns.record_set import MAX_TTL, Key, RecordSet, may_be_octal
from .._machine import machine
from .._secrets import redact

if TYPE_CHECKING:
    import requests

try:
    from urllib3.exceptions import InvalidHeader
    from urllib3.util import Retry
except ImportError:  # sender.py keeps the error, module.py reports it
    pass

BUSY = frozenset({409, 423})
"""Busy, or exists already; only the zone tells which."""

NOT_CARRIED_OUT = frozenset({429, 503})
THROTTLED = BUSY | {425} | NOT_CARRIED_OUT
TRANSIENT = THROTTLED | {408} | frozenset(range(500, 600))
ABOUT_THE_CALLER = THROTTLED | {401, 408}
LONGEST_WAIT = 60.0

SUCCESS = "Success"
"""Spec 2.1."""

ZONES = "/dns/domains"
"""The list of zones, and the parent of each (spec 4)."""

LONGEST_NAME = 1024
"""Most characters of a name, slug or type: 255 bytes, escaped in four each (RFC 1035, section 5.1)."""

READ_CHARACTERS = 64 * 1024
"""Characters of an error page searched for a message."""

MOST_READ = 21_600.0
"""Seconds; urllib3 caps Retry-After at this."""

NO_SUCH_PLACE = frozenset({404, 405, 410})

IS_PAGE = re.compile(rb"\s*<(!doctype\s+html|html)\b", re.IGNORECASE)


class ServiceError(Exception):
    """The message is a clause in the service's words.

    *status_code* is None without an answer. *may_have_happened* means that a try of a write may have taken effect.
    """

    def __init__(self, reason: str, status_code: int | None = None, *, is_refusal: bool = False):
        super().__init__(reason)
        self.status_code = status_code
        self.may_have_happened = False
        self._is_refusal = is_refusal

    @property
    def refuses_the_value(self) -> bool:
        """Whether the value may be at fault, not only the sender or the rate."""
        status = self.status_code or 0
        return self._is_refusal or (400 <= status < 500 and status not in ABOUT_THE_CALLER)


def unexpected(error: Exception) -> str:
    words = f"{type(error).__name__} {error}".split()
    return printable(" ".join(words)).rstrip(".")


def clause(error: Exception) -> str:
    return str(error).rstrip(".")


class TransientFailure(Exception):
    """*error* is for when it does not pass; *retry_after* is in seconds."""

    def __init__(self, error: ServiceError, *, not_carried_out: bool, retry_after: float = 0.0):
        super().__init__()
        self.error = error
        self.not_carried_out = not_carried_out
        self.retry_after = retry_after

    @property
    def is_throttled(self) -> bool:
        return self.error.status_code in THROTTLED

    @property
    def may_have_happened(self) -> bool:
        """Whether the call may take effect, even later."""
        return not (self.not_carried_out or self.is_throttled)


class Success(NamedTuple):
    """An accepted call (spec 2.1).

    A write that is not *is_confirmed* was accepted with 202, or without an envelope. Only the zone tells what it did.
    """

    envelope: Mapping[str, Any] = MappingProxyType({})
    is_confirmed: bool = True


class ListedZone(NamedTuple):
    """Spec 2.2."""

    canonical: str
    name: str
    slug: str
    status: Any


class Asked(NamedTuple):
    """A request in error messages: *path* with its query.

    *is_known* if the service has answered before, so that base_url is right.
    """

    method: str
    base_url: str
    path: str
    is_known: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.base_url}{self.path}"

    @property
    def writes(self) -> bool:
        return self.method != "GET"


def success_of(response: requests.Response, content: bytes, token: str, asked: Asked) -> Success:
    """Raises ServiceError, TransientFailure."""
    status = response.status_code
    if 300 <= status < 400:
        raise ServiceError(_redirected(response, token, asked), status)
    if not 200 <= status < 300:
        raise _failure_of(response, content, token, asked)
    envelope = parsed(content, None if asked.writes else _record_set_if_any)
    is_object = isinstance(envelope, dict)
    if asked.writes and (status in (202, 204) or not is_object):
        return Success(is_confirmed=False)
    if is_object and envelope.get("status") == SUCCESS:
        return Success(envelope)
    reason = f"the service answered {status} with "
    message = _own_message(content, token)
    if not is_object:
        reason += f"something that is not a JSON object{message}"
        raise ServiceError(_elsewhere(reason, asked, token), status)
    word = redacted(str(envelope.get("status")), token)
    reason += f"status {word} instead of {SUCCESS}{message}"
    if "status" not in envelope and not asked.writes:
        reason = _elsewhere(reason, asked, token)
    raise ServiceError(reason, status, is_refusal=True)


def listed_zones(envelope: Mapping[str, Any]) -> tuple[list[ListedZone], int]:
    """With how many exist. Raises ServiceError."""
    zones = []
    for number, item in enumerate(field_of(envelope, "data", list)):
        zones.append(_listed_zone(item, f"data[{number}]."))
    total = envelope.get("total")
    if not isinstance(total, int) or isinstance(total, bool):
        total = 0
    return zones, min(total, sys.maxsize)


def record_sets_of(envelope: Mapping[str, Any]) -> Iterable[RecordSet]:
    """As the service shows them. Raises ServiceError."""
    zone = field_of(envelope, "data", dict)
    for number, item in enumerate(field_of(zone, "records", list, "data.")):
        yield _record_set(item, f"data.records[{number}].")


def field_of(holder: Mapping[str, Any], field: str, kind: type, path: str = "") -> Any:
    """Raises ServiceError if it is missing or has another type."""
    if field not in holder:
        raise _not_as_specified(f"{path}{field} is missing")
    value = holder[field]
    is_boolean = isinstance(value, bool)  # to JSON, true is no number
    if is_boolean or not isinstance(value, kind):
        raise _not_as_specified(f"{path}{field} is not {_KINDS[kind]}")
    return value


_KINDS = {dict: "an object", list: "an array", str: "a string", int: "an integer"}


def _not_as_specified(what: str) -> ServiceError:
    return ServiceError(f"the service's answer does not follow the specification: {what}", 200)


def parsed(content: bytes, replaced: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """None if the body is no JSON. Each object is *replaced* by what the function makes of it.

    JSON has no infinite numbers and no NaN (RFC 8259, section 6), but Python reads and writes them; here they are null.
    """
    try:
        return json.loads(
            content,
            parse_int=_integer,
            parse_float=_finite,
            parse_constant=_finite,
            object_hook=replaced,
        )
    except (ValueError, RecursionError):
        return None


def _integer(digits: str) -> int:
    # Pythons before 3.10.7 read endless digits for minutes; what is cut is out of every range all the same.
    return int(digits[:64])


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _record_set_if_any(item: dict[str, Any]) -> Any:
    """The record set that an object is, so that no large zone is kept as dictionaries; other objects as they are."""
    try:
        return _record_set(item, "")
    except ServiceError:
        return item


def _record_set(item: Any, path: str) -> RecordSet:
    if isinstance(item, RecordSet):
        return item
    if not isinstance(item, dict):
        raise _not_as_specified(f"{path.rstrip('.')} is not an object")
    contents = field_of(item, "contents", list, path)
    for content in contents:
        if not (isinstance(content, str) and is_encodable(content)):
            raise _not_as_specified(f"{path}contents contains something other than text")
    name = _name(item, "name", path)
    rdtype = _name(item, "type", path).upper()
    ttl = field_of(item, "ttl", int, path)
    if not 0 <= ttl <= MAX_TTL:
        raise _not_as_specified(f"{path}ttl is not from 0 to {MAX_TTL}")
    read_name = name_as_read(name)
    key = read_name, type_as_read(rdtype)
    shown = name if may_be_octal(name) else read_name, rdtype
    # A large zone has many sets, so that a Key for each would take time.
    return RecordSet(*key, ttl, tuple(contents), shown=None if shown == key else Key(*shown))


def _listed_zone(item: Any, path: str) -> ListedZone:
    if not isinstance(item, dict):
        raise _not_as_specified(f"{path.rstrip('.')} is not an object")
    name = _name(item, "name", path)
    slug = _name(item, "slug", path)
    if slug.strip(".") == "":  # its path would lead above the zones
        raise _not_as_specified(f"{path}slug is {printable(slug)!r}")
    try:
        canonical = zone_name(name)
    except InvalidName:
        canonical = name
    status = item.get("status")
    if isinstance(status, (dict, list)):  # however deep, it would be copied into results
        status = None
    return ListedZone(canonical, name, slug, status)


def _name(item: dict[str, Any], field: str, path: str) -> str:
    text: str = field_of(item, field, str, path)
    if len(text) > LONGEST_NAME:
        raise _not_as_specified(f"{path}{field} has more than {LONGEST_NAME} characters")
    if not is_encodable(text):
        raise _not_as_specified(
            f"{path}{field} contains half a character, {printable(text)[:SHOWN_CHARACTERS]}"
        )
    return text


def is_encodable(text: str) -> bool:
    """Whether UTF-8 can encode the text; JSON can hold half of a surrogate pair."""
    return text.isascii() or not re.search("[\ud800-\udfff]", text)


def _failure_of(
    response: requests.Response, content: bytes, token: str, asked: Asked
) -> ServiceError | TransientFailure:
    status = response.status_code
    reason = f"the service answered {status}{_own_message(content, token)}"
    if status not in TRANSIENT:
        return ServiceError(_with_option(reason, status, content, asked, token), status)
    wait = _retry_after(response)
    if wait > LONGEST_WAIT:
        reason = f"{reason.rstrip('.')}, {_asks_to_wait(wait)}"
    error = ServiceError(reason, status)
    return TransientFailure(error, not_carried_out=status in NOT_CARRIED_OUT, retry_after=wait)


def _asks_to_wait(wait: float) -> str:
    # Rounded up to a whole minute.
    ends = datetime.fromtimestamp(machine().time() + wait + 60, timezone.utc)
    return (
        f"and asks to wait {wait:.0f} s before the next request: run the task again after "
        f"{ends:%H:%M} UTC"
    )


def _with_option(reason: str, status: int, content: bytes, asked: Asked, token: str) -> str:
    """With the option to check. For a write, the record set can be at fault."""
    if status == 401 or (status == 403 and not asked.writes):
        return f"{reason.rstrip('.')} (see access_token)"
    is_no_service = status in NO_SUCH_PLACE and asked.path == ZONES
    if not asked.writes and (is_no_service or _page(content)):
        return _elsewhere(reason, asked, token)
    return reason


def _elsewhere(reason: str, asked: Asked, token: str) -> str:
    """With the URL, if it may be no service's."""
    if asked.is_known:
        return reason
    return f"{reason.rstrip('.')} (requested {redacted(str(asked), token)}; see base_url)"


def _redirected(response: requests.Response, token: str, asked: Asked) -> str:
    # The rest of such a URL is for signing in, so it can be secret.
    location = re.split("[?#]", response.headers.get("Location", ""), maxsplit=1)[0]
    place = redacted(location, token) or "nowhere"
    return _elsewhere(
        f"the service answered {response.status_code} and points to {place}", asked, token
    )


def redacted(text: str, token: str) -> str:
    """The text, safe to show: the token is removed before the text is cut."""
    words = " ".join(redact(text[:READ_CHARACTERS], token).split())
    if len(text) > READ_CHARACTERS and len(words) <= SHOWN_CHARACTERS:
        words = words.rpartition(" ")[0]  # the cut can leave the start of a token
    return printable(words)[:SHOWN_CHARACTERS]


def _own_message(content: bytes, token: str) -> str:
    """What the service says, or the start of its body, as the end of a sentence."""
    words = []
    envelope = parsed(content)
    if isinstance(envelope, dict):
        if isinstance(envelope.get("message"), str):
            words.append(envelope["message"])
        if envelope.get("errors"):
            words.append(json.dumps(envelope["errors"], ensure_ascii=False))
    message = " ".join(words) or _page(content) or _text(content)
    shown = redacted(message, token)
    return f": {shown}" if shown else ""


def _page(content: bytes) -> str:
    if not IS_PAGE.match(content):
        return ""
    words = re.sub(r"<[^<>]*>", " ", _text(content))
    return f"the HTML page {' '.join(unescape(words).split())!r}"


def _text(content: bytes) -> str:
    return content[: 4 * READ_CHARACTERS].decode("utf-8", "replace")


def _retry_after(response: requests.Response) -> float:
    header = response.headers.get("Retry-After")
    if not header:
        return 0.0
    try:
        seconds = float(Retry().parse_retry_after(header))
        return min(seconds, MOST_READ)
    except (InvalidHeader, ValueError, OverflowError):  # the last two for impossible numbers
        return 0.0
