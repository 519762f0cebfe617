# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Connection options, checked before the token is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit, urlunsplit

from .._dns.names import InvalidInput
from .._dns.option_table import first_out_of_range

AUTO: Literal["auto"] = "auto"

Concurrency: TypeAlias = int | Literal["auto"]
"""Requests under way at once; AUTO finds out how many are useful."""

DEFAULT_PORTS = {"http": 80, "https": 443}
SHORTEST_TOKEN = 12
NUMBERS = ("timeout", "retries", "retry_timeout")


class InvalidConnection(InvalidInput):
    """Unusable connection options. The message says which and why."""


@dataclass(frozen=True)
class Connection:
    """*timeout* (seconds) is for a connect or read, the others are as in Retries."""

    base_url: str
    access_token: str = field(repr=False)
    validate_certs: bool = True
    ca_path: str | None = None
    allow_insecure_http: bool = False
    timeout: float = 30.0
    retries: int = 5
    retry_timeout: float = 120.0

    def __post_init__(self) -> None:
        reason = first_out_of_range(vars(self), NUMBERS)
        if reason:
            raise InvalidConnection(reason)


def checked_url(
    url: str, option: str, *, allow_http: bool = False, remedy: str = "use https"
) -> SplitResult:
    """The parts of the URL in an option, to which a secret may be sent. Raises InvalidConnection."""
    invalid = InvalidConnection(
        f"{option} is not a URL; it should look like https://dns.example.com/api"
    )
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError as error:
        raise invalid from error
    is_host = re.fullmatch(r"[\w.:-]+", host)
    if parts.scheme not in DEFAULT_PORTS or not is_host or re.search(r"[\\\s]", url):
        raise invalid
    if parts.username is not None:
        raise InvalidConnection(f"{option} must not contain a user or password")
    if parts.scheme == "http" and not allow_http and not is_loopback(host):
        raise InvalidConnection(
            f"{option} is plain http, which would show tokens to anyone on the network path to {host}: {remedy}"
        )
    return parts


def checked_base_url(base_url: str, allow_insecure_http: bool) -> str:
    """The normalized URL, the key of locks and logs. Raises InvalidConnection.

    Scheme and host are in lower case, without the default port (RFC 3986, section 6.2) or a final slash.
    """
    remedy = "use https, or set allow_insecure_http to true"
    parts = checked_url(base_url.strip(), "base_url", allow_http=allow_insecure_http, remedy=remedy)
    host, port = parts.hostname or "", parts.port
    if parts.query or parts.fragment:
        raise InvalidConnection(
            "base_url must not contain a query or a fragment; the token goes into access_token"
        )
    place = f"[{host}]" if ":" in host else host
    if port not in (None, DEFAULT_PORTS[parts.scheme]):
        place += f":{port}"
    return urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", ""))


def is_loopback(host: str) -> bool:
    """Whether a host name, or an address without brackets, is this machine (RFC 6761, section 6.3)."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def checked_token(token: str, *, is_short_allowed: bool) -> str:
    """The token, if it fits a header and can be redacted. Raises InvalidConnection.

    Redacting a short one would hide words of the zone too.
    """
    if not token:
        raise InvalidConnection("access_token is empty: set it, or ZONESMITH_ACCESS_TOKEN")
    if token.lower().startswith("bearer "):
        raise InvalidConnection(
            "access_token begins with the word Bearer, which is added automatically: leave it out"
        )
    if not re.fullmatch(r"[!-~]+", token):
        raise InvalidConnection(
            "access_token has white space or other characters that cannot be in a header"
        )
    if len(token) < SHORTEST_TOKEN and not is_short_allowed:
        raise InvalidConnection(
            f"access_token has fewer than {SHORTEST_TOKEN} characters: it could be guessed, and masking it would mask "
            "parts of the zone too; only a service on this machine may use such a token"
        )
    return token
