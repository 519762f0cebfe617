# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How to reach the service, and what must hold before the token is sent anywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

SHORTEST_TOKEN = 12
LONGEST_TIMEOUT = 86400  # seconds; sockets take no number that is much larger


class InvalidConnection(ValueError):
    """Connection options that must not be used; says which and why in one sentence."""


@dataclass(frozen=True)
class Connection:
    """How to reach the service. *timeout* is in seconds, for each connect and each read; SLOWEST of them an answer."""

    base_url: str
    access_token: str = field(repr=False)
    validate_certs: bool = True
    ca_path: str | None = None
    allow_insecure_http: bool = False
    timeout: float = 30.0
    retries: int = 5

    def __post_init__(self) -> None:
        if not 0 < self.timeout <= LONGEST_TIMEOUT or self.retries < 0:
            raise InvalidConnection(
                f"timeout must be above 0 and at most {LONGEST_TIMEOUT} seconds, and retries 0 or more"
            )


def checked_base_url(base_url: str, allow_insecure_http: bool) -> str:
    """The URL in a form without doubt about its host. Raises InvalidConnection."""
    try:
        parts = urlsplit(base_url.strip())
        host, _port = parts.hostname or "", parts.port
    except ValueError as error:
        raise InvalidConnection("base_url is not a URL; it should look like https://dns.example.com/api") from error
    if (
        parts.scheme not in ("http", "https")
        or not re.fullmatch(r"[\w.:-]+", host)
        or re.search(r"[\\\s]", base_url.strip())
    ):
        raise InvalidConnection("base_url is not a URL of the service; it should look like https://dns.example.com/api")
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidConnection("base_url must hold neither user, nor query, nor fragment; the token is access_token")
    if parts.scheme == "http" and not allow_insecure_http and not is_loopback(host):
        raise InvalidConnection(
            f"base_url is plain http, which would show the token to the network on the way to {host}: "
            "use https, or set allow_insecure_http to true"
        )
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def checked_token(token: str, *, is_short_allowed: bool) -> str:
    if not token:
        raise InvalidConnection("access_token is empty: set it, or ZONESMITH_ACCESS_TOKEN")
    if not re.fullmatch(r"[!-~]+", token):
        raise InvalidConnection("access_token has white space or other characters that cannot be in a header")
    if len(token) < SHORTEST_TOKEN and not is_short_allowed:
        raise InvalidConnection(
            f"access_token has fewer than {SHORTEST_TOKEN} characters: hiding it would hide words of the zone too, and "
            "it could be guessed; only a service on this machine may have such a token"
        )
    return token
