# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting until the name servers of a zone answer with what was written. The only file that sends DNS queries."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import as_read, is_unknown
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import (
    SHOWN_CHARACTERS,
    shortened,
    visible,
    visible_part,
)

if TYPE_CHECKING:
    import dns.message

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0
LAST_LOOK = 0.25  # seconds before the end, so that there is time for an answer
QUERY_TIMEOUT = 3.0
DNS_PORT = 53

_SERVER = re.compile(r"(?:\[([^][]+)\]|([^][:]+))(?::([0-9]{1,5}))?")
_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_NUMBER_AT_END = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$")  # resolvers take 2130706433 and 127.1 for addresses

_ELSEWHERE = "name the servers to ask in wait_nameservers"


class InvalidNameServer(ValueError):
    """A text that names no server that could be asked; says why in one clause."""


class Awaited(Protocol):
    """A record set that the name servers should answer with."""

    @property
    def key(self) -> Key:
        """What identifies the set in its zone."""

    def is_met_by(self, values: Collection[str], /) -> bool:
        """Whether these canonical values are what the set should hold."""


class NotServed(Exception):
    """A name server does not answer with what was written; says which, and what it answers."""


@dataclass(frozen=True)
class NameServer:
    """A name server as people name it, and the host name or address, and port, at which it is asked.

    With *is_named_by_zone* somebody who may only write to the zone chose the name.
    """

    name: str
    host: str
    port: int = DNS_PORT
    is_named_by_zone: bool = False


def given_server(text: str) -> NameServer:
    """The server that a user names: a host name or an address, with or without a port (``[2001:db8::1]:53``).

    Raises InvalidNameServer.
    """
    name = text.strip()
    if _is_address(name):
        return NameServer(name, name)
    parts = _SERVER.fullmatch(name)
    port = int(parts[3] or DNS_PORT) if parts else 0
    if not parts or not 0 < port < 65536 or (parts[1] and not _is_address(parts[1])):
        raise InvalidNameServer("it is no host name or address, with or without a port from 1 to 65535")
    host = parts[1] or parts[2]
    return NameServer(name, host if _is_address(host) else _host_name(host), port)


def zones_server(text: str) -> NameServer:
    """The server that a value of a zone's NS record set names: a host name, never an address or a port.

    RFC 1035, section 3.3.11. Raises NotServed.
    """
    try:
        return NameServer(text, _host_name(text), is_named_by_zone=True)
    except InvalidNameServer as error:
        shown = visible_part(text)
        raise NotServed(f"the zone's name server {shown} is no host name; {_ELSEWHERE}") from error


def wait_until_served(zone: str, awaited: Iterable[Awaited], servers: Iterable[NameServer], timeout: float) -> None:
    """Return once every server answers with what is awaited of every set, or raise NotServed after *timeout* seconds.

    Types that have no number cannot be asked for.
    """
    deadline = time.monotonic() + timeout
    asked = [_Asked(server, zone, deadline, _addresses(server, deadline)) for server in servers]
    open_questions = [(server, c) for server in asked for c in awaited if not is_unknown(c.key.type)]
    pause = FIRST_PAUSE
    while open_questions:
        still_open, complaints = [], []
        for server, one in open_questions:
            if complaint := server.complaint(one):
                still_open.append((server, one))
                complaints.append(complaint)
            if complaints and time.monotonic() >= deadline:
                break
        left = deadline - time.monotonic()
        if complaints and left <= LAST_LOOK:
            raise NotServed(f"{complaints[0]}, {timeout:g} s after the change")
        open_questions = still_open
        if open_questions:
            time.sleep(min(pause, left - LAST_LOOK))
        pause = min(pause * 2, LONGEST_PAUSE)


def _is_address(text: str) -> bool:
    try:
        return bool(ip_address(text))
    except ValueError:
        return False


def _host_name(text: str) -> str:
    try:
        host = zone_name(text).rstrip(".")
    except (InvalidName, UnicodeError) as error:
        raise InvalidNameServer("it is no host name") from error
    if not _HOST.fullmatch(host) or _NUMBER_AT_END.search(host):
        raise InvalidNameServer("it is no host name")
    return host


def _addresses(server: NameServer, deadline: float) -> list[str]:
    """The addresses of a server, looked up no longer than until *deadline*. Raises NotServed."""
    found: list[str] = []

    def look_up() -> None:
        try:
            results = socket.getaddrinfo(server.host, server.port, type=socket.SOCK_DGRAM)
        except (OSError, UnicodeError):
            return
        found.extend(dict.fromkeys(str(item[4][0]) for item in results))

    looking = threading.Thread(target=look_up, daemon=True)  # nothing else ends a resolver that hangs
    looking.start()
    looking.join(max(deadline - time.monotonic(), 0))
    addresses = [address for address in found if not server.is_named_by_zone or _may_serve_others(address)]
    if found and not addresses:
        raise NotServed(
            f"the zone's name server {visible(server.name)} has the address {found[0]}, where no zone is "
            f"served to others; {_ELSEWHERE}"
        )
    if not addresses:
        raise NotServed(f"the name server {visible(server.name)} has no address that could be asked; {_ELSEWHERE}")
    return addresses


def _may_serve_others(address: str) -> bool:
    """Whether an address can be that of a public or an internal name server, rather than the controller's own."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return not (ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved)


@dataclass
class _Asked:
    """A server while it is asked, which ends at *deadline*; one of its addresses must answer."""

    server: NameServer
    zone: str
    deadline: float
    addresses: list[str]
    heard: dict[Key, str] = field(default_factory=dict)

    def complaint(self, awaited: Awaited) -> str | None:
        """What is wrong with the answer, in one clause; nothing where one of the addresses answers as it should."""
        key, name = " ".join(awaited.key), visible(self.server.name)
        failing = "does not answer" if time.monotonic() < self.deadline else "could not be asked in time"
        complaint = f"{name} {failing} about {key}"
        for address in tuple(self.addresses):
            values = self._answer(address, awaited)
            if values is None:
                self.addresses.append(self.addresses.pop(self.addresses.index(address)))  # others first, next time
                continue
            if awaited.is_met_by(values):
                return None
            complaint = f"{name} answers {_quoted(sorted(values))} for {key}"
        if time.monotonic() >= self.deadline:  # what was heard before says more than a query that was cut short
            complaint = self.heard.get(awaited.key, complaint)
        self.heard[awaited.key] = complaint
        return complaint

    def _answer(self, address: str, awaited: Awaited) -> set[str] | None:
        """The canonical values of one set that one address answers with; None where it gives no answer of its own."""
        import dns.exception
        import dns.message
        import dns.name
        import dns.rcode
        import dns.rdatatype

        name, rdtype = dns.name.from_text(awaited.key.name), dns.rdatatype.from_text(awaited.key.type)
        query = dns.message.make_query(name, rdtype, flags=0)
        try:
            response = _response(query, address, self.server.port, self.deadline)
            if response.rcode() not in (dns.rcode.NOERROR, dns.rcode.NXDOMAIN):
                return None
            sections = response.answer or response.authority  # a delegation is answered by its NS as a referral
            for rrset in sections:
                if rrset.name == name and rrset.rdtype == rdtype:
                    return {as_read(awaited.key.type, rdata.to_text(), self.zone) for rdata in rrset}
        except (dns.exception.DNSException, OSError, EOFError, ValueError):
            return None
        return set()


def _response(query: dns.message.Message, address: str, port: int, deadline: float) -> dns.message.Message:
    """What one address answers, over TCP where it does not fit into a datagram.

    Raises DNSException, OSError, EOFError or ValueError where nothing usable comes in time.
    """
    import dns.exception
    import dns.inet
    import dns.message
    import dns.query

    def seconds() -> float:
        left = min(QUERY_TIMEOUT, deadline - time.monotonic())
        if left <= 0:
            raise dns.exception.Timeout
        return left

    expiration = time.time() + seconds()
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.setblocking(False)
        # From here on the kernel drops what comes from elsewhere, and no flood of that outlives the deadline.
        datagrams.connect(dns.inet.low_level_address_tuple((address, port)))
        dns.query.send_udp(datagrams, query, None, expiration)
        try:
            response: dns.message.Message
            response, *_when = dns.query.receive_udp(datagrams, None, expiration, raise_on_truncation=True)
        except dns.message.Truncated:
            response = dns.query.tcp(query, address, seconds(), port)
    if not query.is_response(response):
        raise dns.query.BadResponse
    return response


def _quoted(values: Sequence[str]) -> str:
    """Values as a message shows them, of which a name server can send more than anybody reads."""
    text = visible(", ".join(values)[: SHOWN_CHARACTERS + 1]) or "nothing"
    part = shortened(text)
    return text if part == text else f"{part} ({len(values)} in all)"
