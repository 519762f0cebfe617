# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting until the name servers of a zone answer with what was written. The only file that sends DNS queries."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address

from ansible_collections.zonesmith.dns.plugins.module_utils._plan import Change
from ansible_collections.zonesmith.dns.plugins.module_utils._rdata import as_read, is_unknown
from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import visible

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0
QUERY_TIMEOUT = 3.0
DNS_PORT = 53


class NotServed(Exception):
    """A name server does not answer with what was written; says which, and what it answers."""


@dataclass(frozen=True)
class NameServer:
    """A name server as people name it, with the addresses it has; one of them must answer."""

    name: str
    addresses: tuple[str, ...]
    port: int


def name_servers(names: Iterable[str]) -> list[NameServer]:
    """The servers behind host names and addresses, each with or without a port (``ns1:5353``, ``[2001:db8::1]:53``).

    Raises NotServed where a host name has no address.
    """
    servers = []
    for text in names:
        host, port = _host_and_port(text.strip())
        try:
            found = socket.getaddrinfo(host.rstrip("."), port, type=socket.SOCK_DGRAM)
        except (OSError, UnicodeError) as error:
            raise NotServed(f"the name server {visible(text)} has no address that could be asked") from error
        servers.append(NameServer(text, tuple(dict.fromkeys(str(item[4][0]) for item in found)), port))
    return servers


def wait_until_served(zone: str, changes: Iterable[Change], servers: Iterable[NameServer], timeout: float) -> None:
    """Return once every server answers with the outcome of every change, or raise NotServed after *timeout* seconds.

    A deleted set is gone once none of its values is answered. Types that have no number cannot be asked for.
    """
    deadline = time.monotonic() + timeout
    open_questions = [(server, c) for server in servers for c in changes if not is_unknown(c.wanted.type)]
    pause = FIRST_PAUSE
    while True:
        complaints = []
        still_open = []
        for server, change in open_questions:
            complaint = _complaint(zone, server, change)
            if complaint:
                complaints.append(complaint)
                still_open.append((server, change))
            if time.monotonic() > deadline and complaints:
                raise NotServed(f"{complaints[0]}, {timeout:g} s after the change")
        if not still_open:
            return
        open_questions = still_open
        time.sleep(min(pause, max(deadline - time.monotonic(), 0)))
        pause = min(pause * 2, LONGEST_PAUSE)


def _host_and_port(text: str) -> tuple[str, int]:
    try:
        ip_address(text)
    except ValueError:
        host, _colon, port = text.rpartition(":")
        if host and port.isdigit():
            return host.strip("[]"), int(port)
    return text.strip("[]"), DNS_PORT


def _complaint(zone: str, server: NameServer, change: Change) -> str | None:
    """What is wrong with a server's answer, in one clause; nothing where one of its addresses answers as it should."""
    key = " ".join(change.key)
    complaint = f"{server.name} does not answer about {key}"
    for address in server.addresses:
        values = _answer(zone, address, server.port, change)
        if values is None:
            continue
        before = set(change.before.contents if change.before else ())
        if values == set(change.after.contents) if change.after else not values & before:
            return None
        complaint = f"{server.name} answers {', '.join(map(visible, sorted(values))) or 'nothing'} for {key}"
    return complaint


def _answer(zone: str, address: str, port: int, change: Change) -> set[str] | None:
    """The canonical values of one set that one address answers with; None where it gives no answer of its own."""
    import dns.exception
    import dns.flags
    import dns.message
    import dns.name
    import dns.query
    import dns.rcode
    import dns.rdataclass
    import dns.rdatatype

    name, rdtype = dns.name.from_text(change.wanted.name), dns.rdatatype.from_text(change.wanted.type)
    query = dns.message.make_query(name, rdtype, flags=0)
    try:
        response, _over_tcp = dns.query.udp_with_fallback(query, address, timeout=QUERY_TIMEOUT, port=port)
    except (dns.exception.DNSException, OSError, ValueError):
        return None
    if response.rcode() not in (dns.rcode.NOERROR, dns.rcode.NXDOMAIN):
        return None
    sections = response.answer or response.authority  # a delegation is answered by its NS as a referral
    for rrset in sections:
        if rrset.name == name and rrset.rdtype == rdtype:
            return {as_read(change.wanted.type, rdata.to_text(), zone) for rdata in rrset}
    return set()
