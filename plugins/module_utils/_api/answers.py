# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the service answers, checked: an envelope, zones and record sets as specified, or an error in its own words."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, name_as_read, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import SHOWN_CHARACTERS, printable
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL, RecordSet

if TYPE_CHECKING:
    import requests

BUSY = frozenset({409, 423})
"""What a service says while it does something else, and of a value that is there: the zone tells which."""

NOT_CARRIED_OUT = frozenset({429, 503})
THROTTLED = BUSY | {425} | NOT_CARRIED_OUT
TRANSIENT = THROTTLED | {408} | frozenset(range(500, 600))
ABOUT_THE_CALLER = THROTTLED | {401, 408}
LONGEST_WAIT = 60.0

CONFIRMED: dict[str, Any] = {"status": "Success"}
UNCONFIRMED: dict[str, Any] = {}
"""In place of the envelope of a call that writes, which was accepted without one: only the zone tells what it did."""

ZONES = "/dns/domains"
"""Where the list of zones is (spec 4), and below it each zone."""

LONGEST_NAME = 1024
"""Characters of a name, slug or type: 255 bytes, each an escape of four characters (RFC 1035, section 5.1)."""

MOST_DIGITS = 4300


class ServiceError(Exception):
    """The service did not do what it was asked; says why in one clause, with the service's own message.

    *status_code* is None where no answer came. *may_have_happened* tells of a call that writes whether one of its tries
    may have been carried out all the same, also where a later one was refused.
    """

    def __init__(self, reason: str, status_code: int | None = None, *, is_refusal: bool = False):
        super().__init__(reason)
        self.status_code = status_code
        self.may_have_happened = False
        self._is_refusal = is_refusal

    @property
    def refuses_the_value(self) -> bool:
        """Whether the answer may be about the value that was sent, and not only about who sends it or how often."""
        status = self.status_code or 0
        return self._is_refusal or (400 <= status < 500 and status not in ABOUT_THE_CALLER)


def clause(error: Exception) -> str:
    """What an error says, without the full stop that the service's own words may end with, to go on after it."""
    return str(error).rstrip(".")


class TransientFailure(Exception):
    """A failure that may pass: the error to raise if it does not, and whether the call certainly had no effect.

    *retry_after* is in seconds.
    """

    def __init__(self, error: ServiceError, *, not_carried_out: bool, retry_after: float = 0.0):
        super().__init__()
        self.error = error
        self.not_carried_out = not_carried_out
        self.retry_after = retry_after

    @property
    def is_throttled(self) -> bool:
        """Whether the service asks to come again later."""
        return self.error.status_code in THROTTLED

    @property
    def may_have_happened(self) -> bool:
        """Whether the call may have been carried out, or be so later."""
        return not (self.not_carried_out or self.is_throttled)


class ListedZone(NamedTuple):
    """A zone as the list shows it (spec 2.2), with its canonical name beside the shown one."""

    canonical: str
    name: str
    slug: str
    status: Any


class Asked(NamedTuple):
    """A request, to be shown in an error: *path* has the query, and comes behind *base_url*."""

    method: str
    base_url: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.base_url}{self.path}"

    @property
    def writes(self) -> bool:
        """Whether it may change something."""
        return self.method != "GET"


def checked_envelope(response: requests.Response, content: bytes, token: str, asked: Asked) -> dict[str, Any]:
    """The envelope (spec 2.1) of a successful answer with this body. Raises ServiceError, TransientFailure.

    UNCONFIRMED where a call that writes was accepted and the answer does not say that it was carried out.
    """
    status, envelope = response.status_code, None
    if 200 <= status < 300:
        envelope = parsed(content)
        if asked.writes and (status in (202, 204) or not isinstance(envelope, dict)):
            return dict(UNCONFIRMED)
        if isinstance(envelope, dict) and envelope.get("status") == "Success":
            return envelope
    from ansible_collections.zonesmith.dns.plugins.module_utils._api.no_success import failure_of

    raise failure_of(response, content, envelope, token, asked)


def listed_zones(envelope: dict[str, Any]) -> tuple[list[ListedZone], int]:
    """The zones of a list, and how many the service has. Raises ServiceError."""
    zones = [_listed_zone(item, f"data[{number}].") for number, item in enumerate(field_of(envelope, "data", list))]
    total = envelope.get("total")
    return zones, min(total, sys.maxsize) if isinstance(total, int) and not isinstance(total, bool) else 0


def record_sets_of(envelope: dict[str, Any]) -> Iterable[RecordSet]:
    """The record sets of a zone, as the service shows them. Raises ServiceError."""
    items = field_of(field_of(envelope, "data", dict), "records", list, "data.")
    return (_record_set(item, f"data.records[{number}].") for number, item in enumerate(items))


def field_of(holder: dict[str, Any], field: str, kind: type, path: str = "") -> Any:
    """A field that the specification has. Raises ServiceError where it is not there, or of another kind."""
    value = holder.get(field)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _not_as_specified(f"{path}{field} {'is missing' if field not in holder else f'is not {_KINDS[kind]}'}")
    return value


_KINDS = {dict: "an object", list: "an array", str: "a string", int: "an integer"}


def _not_as_specified(what: str) -> ServiceError:
    return ServiceError(f"the service's answer is not as specified, {what}", 200)


def parsed(content: bytes) -> Any:
    """The JSON of a body; None where it is none."""
    try:
        return json.loads(content, parse_int=_integer)
    except (ValueError, RecursionError):
        return None


def _bounded_integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("as later versions of Python have it")
    return int(digits)


_integer = None if hasattr(sys, "get_int_max_str_digits") else _bounded_integer


def _record_set(item: Any, path: str) -> RecordSet:
    if not isinstance(item, dict):
        raise _not_as_specified(f"{path.rstrip('.')} is not an object")
    contents = field_of(item, "contents", list, path)
    if not all(isinstance(content, str) for content in contents):
        raise _not_as_specified(f"{path}contents has more than strings in it")
    if not all(map(is_encodable, contents)):
        raise _not_as_specified(f"{path}contents has half a character in it")
    name, rdtype, ttl = _name(item, "name", path), _name(item, "type", path), field_of(item, "ttl", int, path)
    if not 0 <= ttl <= MAX_TTL:
        raise _not_as_specified(f"{path}ttl is not from 0 to {MAX_TTL}")
    return RecordSet(name_as_read(name), rdtype.upper(), ttl, tuple(contents))


def _listed_zone(item: Any, path: str) -> ListedZone:
    if not isinstance(item, dict):
        raise _not_as_specified(f"{path.rstrip('.')} is not an object")
    name, slug = _name(item, "name", path), _name(item, "slug", path)
    try:
        canonical = zone_name(name)
    except InvalidName:
        canonical = name
    if slug.strip(".") == "":  # such a path would lead above the zones
        raise _not_as_specified(f"{path}slug is {printable(slug)!r}")
    return ListedZone(canonical, name, slug, item.get("status"))


def _name(item: dict[str, Any], field: str, path: str) -> str:
    """A text of the length that names have."""
    text: str = field_of(item, field, str, path)
    if len(text) > LONGEST_NAME:
        raise _not_as_specified(f"{path}{field} has more than {LONGEST_NAME} characters")
    if not is_encodable(text):
        raise _not_as_specified(f"{path}{field} has half a character in it, {printable(text)[:SHOWN_CHARACTERS]}")
    return text


def is_encodable(text: str) -> bool:
    """Whether it can be written as UTF-8: JSON can hold the one half of a surrogate pair, which nothing else can."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
