# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Name servers to ask, and their addresses."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address

from .._dns.names import InvalidName, zone_name
from .._dns.printable import printable, printable_part

DNS_PORT = 53

_SERVER = re.compile(r"(?:\[([^][]+)\]|([^][:]+))(?::([0-9]{1,5}))?")
_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_NUMBER_AT_END = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$")
"""Resolvers read 2130706433 and 127.1 as addresses."""

_NO_SUCH_HOST = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}

_ELSEWHERE = "name the servers to ask in wait_nameservers"


class InvalidNameServer(ValueError):
    """No usable name server. The message is a clause."""


class UnusableNameServer(Exception):
    """A name server that must not be asked."""


@dataclass(frozen=True)
class NameServer:
    """If *is_named_by_zone*, anyone who can write to the zone may have chosen it."""

    name: str
    host: str
    port: int = DNS_PORT
    is_named_by_zone: bool = False


def checked_server(text: str) -> NameServer:
    """A host name or address, with or without a port (``[2001:db8::1]:53``).

    Raises InvalidNameServer.
    """
    name = text.strip()
    if _is_address(name):
        return NameServer(name, name)
    invalid = InvalidNameServer(
        "it is not a host name or address, with or without a port from 1 to 65535"
    )
    parts = _SERVER.fullmatch(name)
    if not parts:
        raise invalid
    in_brackets, bare, digits = parts.groups()
    port = int(digits or DNS_PORT)
    if not 0 < port < 2**16:
        raise invalid
    if in_brackets and not _is_address(in_brackets):
        raise invalid
    host = in_brackets or bare
    if not _is_address(host):
        host = _host_name(host)
    return NameServer(name, host, port)


def zones_server(text: str) -> NameServer:
    """An NS value, which is a host name (RFC 1035, section 3.3.11). Raises UnusableNameServer."""
    try:
        return NameServer(text, _host_name(text), is_named_by_zone=True)
    except InvalidNameServer as error:
        shown = printable_part(text)
        raise UnusableNameServer(
            f"the zone's name server {shown} is not a host name; {_ELSEWHERE}"
        ) from error


class Addresses:
    """Looked up until there are some."""

    def __init__(self, server: NameServer):
        self.server = server
        self.found: tuple[str, ...] = ()
        self.is_unknown = False
        self._looking: threading.Thread | None = None
        self._results: list[str] = []

    @property
    def complaint(self) -> str:
        return f"the name server {printable(self.server.name)} has no address to query"

    def check(self) -> None:
        """Raises UnusableNameServer if there is no such host."""
        if self.is_unknown:
            raise UnusableNameServer(f"{self.complaint}; {_ELSEWHERE}")

    def look_up(self, seconds: float = 5.0) -> None:
        """Look up addresses, after *seconds* in the background. Raises UnusableNameServer."""
        if self.found:
            return
        if not (self._looking and self._looking.is_alive()):
            # Nothing else stops a hanging resolver.
            self._looking = threading.Thread(target=self._look_up, daemon=True)
            self._looking.start()
        self._looking.join(max(seconds, 0))
        results = self._results
        if self.server.is_named_by_zone:
            results = [address for address in results if may_be_reached(address)]
        self.found = tuple(results)
        if self._results and not results:
            name = printable(self.server.name)
            raise UnusableNameServer(
                f"the zone's name server {name} has the address {self._results[0]}, where no "
                f"public zone is served; {_ELSEWHERE}"
            )

    def _look_up(self) -> None:
        self.is_unknown = False
        try:
            results = socket.getaddrinfo(self.server.host, self.server.port, type=socket.SOCK_DGRAM)
        except (OSError, UnicodeError) as error:
            self.is_unknown = isinstance(error, UnicodeError) or error.errno in _NO_SUCH_HOST
        else:
            addresses = [str(address[0]) for *_kind, address in results]
            self._results = [*dict.fromkeys(addresses)]


def _is_address(text: str) -> bool:
    try:
        return bool(ip_address(text))
    except ValueError:
        return False


def _host_name(text: str) -> str:
    with suppress(InvalidName, UnicodeError):
        host = zone_name(text).rstrip(".")
        if _HOST.fullmatch(host) and not _NUMBER_AT_END.search(host):
            return host
    raise InvalidNameServer("it is not a host name")


def may_be_reached(address: str) -> bool:
    """Whether it can be another machine's, and no group of machines."""
    ip = ip_address(address)
    ip = getattr(ip, "ipv4_mapped", None) or ip
    is_own = ip.is_loopback or ip.is_link_local or ip.is_unspecified
    return not (is_own or ip.is_multicast or ip.is_reserved)
