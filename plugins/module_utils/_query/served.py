# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waits until name servers give the awaited answers."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .._dns.printable import SHOWN_CHARACTERS, printable, shortened
from .._dns.rdata import as_read
from .._dns.record_set import Key
from .._machine import machine
from .._plan.awaited import Awaited
from .._telling import waiting
from .._threads import go_on, in_threads
from .name_servers import Addresses

with suppress(ImportError):  # module.py reports it
    import dns.exception
    import dns.flags
    import dns.message
    import dns.name
    import dns.query
    import dns.rcode
    import dns.rdatatype
    import dns.rrset

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0
QUERY_TIMEOUT = 3.0
LAST_LOOK = 0.25
"""Seconds before the end, to leave time for an answer."""

AT_ONCE = 32
"""Queries."""

SILENT_AFTER = 3
"""Unanswered queries in a round, after which a server is not asked again in that round."""


class NotServed(Exception):
    """A name server gives another answer."""


def wait_until_served(
    zone: str, awaited: Iterable[Awaited], servers: list[Addresses], options: dict[str, Any]
) -> None:
    """Wait until every server has given every awaited answer once.

    Raises NotServed after ``wait_timeout`` seconds, UnusableNameServer.
    """
    timeout: float = options["wait_timeout"]
    deadline = machine().monotonic() + timeout
    asked = [_Asked(addresses, zone, deadline) for addresses in servers]
    questions = [*itertools.product(asked, awaited)]
    complaint = "querying the name servers for the first time"
    pause = FIRST_PAUSE
    with waiting(lambda: f"{complaint}; wait_timeout is {timeout:g} s"):
        while questions:
            in_threads(_Asked.begin_round, asked, AT_ONCE)
            complaints = in_threads(_complaint, questions, AT_ONCE)
            unmet = []
            for question, one in zip(questions, complaints, strict=True):
                if one:
                    unmet.append((question, one))
            if not unmet:
                return
            complaint = unmet[0][1]
            questions = [question for question, _complaint in unmet]
            remaining = deadline - machine().monotonic()
            if remaining <= LAST_LOOK:
                raise NotServed(complaint)
            machine().sleep(min(pause, remaining - LAST_LOOK))
            pause = min(pause * 2, LONGEST_PAUSE)


def _complaint(question: tuple[_Asked, Awaited]) -> str | None:
    server, awaited = question
    return server.complaint(awaited)


@dataclass(frozen=True)
class _Answer:
    """The TTL is in seconds, None if the answer is not authoritative."""

    values: Collection[str]
    ttl: int | None = None
    is_authoritative: bool = False


@dataclass
class _Asked:
    """One of its addresses must give the awaited answers."""

    addresses: Addresses
    zone: str
    deadline: float
    heard: dict[Key, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    unanswered: int = 0

    def begin_round(self) -> None:
        remaining = self.deadline - machine().monotonic()
        self.addresses.look_up(min(QUERY_TIMEOUT, remaining))
        self.unanswered = 0

    def complaint(self, awaited: Awaited) -> str | None:
        """What is wrong with all answers, as a clause; None if one is as awaited."""
        if not self.addresses.found:
            return self.addresses.complaint
        name = printable(self.addresses.server.name)
        complaint = f"{name} does not answer for {awaited.key}"
        if machine().monotonic() >= self.deadline:
            complaint = f"{name} could not be queried in time for {awaited.key}"
        has_answered = False
        for address in sorted(self.addresses.found, key=self.silent.__contains__):
            if self.unanswered >= SILENT_AFTER:  # leave time for other servers and the next round
                break
            answer = self._answer(address, *awaited.key)
            if answer is None:
                self.silent.add(address)  # asked last next time
                continue
            has_answered = True
            self.unanswered = 0
            self.silent.discard(address)
            wrong = _wrong(answer, awaited)
            if wrong is None or self._answers_for_delegated(address, answer, awaited):
                return None
            complaint = f"{name} answers {wrong} for {awaited.key}"
        if not has_answered:
            self.unanswered += 1
        if machine().monotonic() >= self.deadline:
            # An earlier answer says more than an interrupted query.
            complaint = self.heard.get(awaited.key, complaint)
        self.heard[awaited.key] = complaint
        return complaint

    def _answers_for_delegated(self, address: str, answer: _Answer, awaited: Awaited) -> bool:
        """Whether the server also has the delegated zone, which hides the parent's records."""
        if not (answer.is_authoritative and awaited.delegated_at):
            return False
        apex = self._answer(address, awaited.delegated_at, "SOA")
        return bool(apex and apex.is_authoritative and apex.values)

    def _answer(self, address: str, owner: str, mnemonic: str) -> _Answer | None:
        """An address's answer; None if it is not the server's own."""
        name = dns.name.from_text(owner)
        rdtype = dns.rdatatype.from_text(mnemonic)
        query = dns.message.make_query(name, rdtype, flags=0)
        try:
            response = ask(query, address, self.addresses.server.port, self.deadline)
            if response.rcode() not in (dns.rcode.NOERROR, dns.rcode.NXDOMAIN):
                return None
            is_authoritative = bool(response.flags & dns.flags.AA)
            rrset = _rrset_in(response, name, rdtype)
            if rrset is not None:
                ttl: int | None = rrset.ttl
                if response.answer and not is_authoritative:
                    ttl = None  # caches count it down
                values = {as_read(mnemonic, rdata.to_text(), self.zone) for rdata in rrset}
                return _Answer(values, ttl, is_authoritative)
            if _is_of_zone(response, self.zone):
                return _Answer((), None, is_authoritative)
        except (dns.exception.DNSException, OSError, EOFError, ValueError):
            pass
        return None


def _rrset_in(
    response: dns.message.Message, name: dns.name.Name, rdtype: dns.rdatatype.RdataType
) -> dns.rrset.RRset | None:
    """The set that was asked for. The NS of a delegation come as a referral, with their addresses."""
    sections = [response.answer]
    if not response.answer:
        sections = [response.authority, response.additional]
    for section in sections:
        for rrset in section:
            if rrset.name == name and rrset.rdtype == rdtype:
                return rrset
    return None


def _is_of_zone(response: dns.message.Message, zone: str) -> bool:
    """Whether a response without the set comes from a server of the zone and is no referral."""
    apex = dns.name.from_text(zone)
    has_own = False
    for rrset in response.authority:
        is_inside = rrset.name.is_subdomain(apex)
        if rrset.rdtype == dns.rdatatype.SOA and not is_inside:
            return False  # from another zone, without this name
        # The parent's servers answer with the zone's NS too, as a referral.
        if is_inside and (rrset.name, rrset.rdtype) != (apex, dns.rdatatype.NS):
            has_own = True
    if response.answer or response.flags & dns.flags.AA:
        return True
    return has_own or response.rcode() == dns.rcode.NXDOMAIN


def ask(
    query: dns.message.Message, address: str, port: int, deadline: float
) -> dns.message.Message:
    """An address's response, over TCP if it does not fit into a datagram.

    Raises DNSException, OSError, EOFError or ValueError if there is none in time.
    """

    def seconds() -> float:
        remaining = min(QUERY_TIMEOUT, deadline - machine().monotonic())
        if remaining <= 0:
            raise dns.exception.Timeout
        return remaining

    go_on()
    expiration = machine().time() + seconds()
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as udp:
        udp.setblocking(False)
        # The kernel now drops packets from elsewhere, so that a flood cannot outlast the deadline.
        udp.connect((address, port))
        dns.query.send_udp(udp, query, None, expiration)
        try:
            response: dns.message.Message = dns.query.receive_udp(
                udp, None, expiration, raise_on_truncation=True
            )[0]
        except dns.message.Truncated:
            response = dns.query.tcp(query, address, seconds(), port)
    if not query.is_response(response):
        raise dns.query.BadResponse
    return response


def _wrong(answer: _Answer, awaited: Awaited) -> str | None:
    """None if it is as awaited."""
    if not awaited.is_met_by(answer.values):
        joined = ", ".join(sorted(answer.values))
        values = printable(joined) or "nothing"
        if len(values) > SHOWN_CHARACTERS:
            values = f"{shortened(values)} ({len(answer.values)} in all)"
        return values
    if None not in (awaited.ttl, answer.ttl) and awaited.ttl != answer.ttl:
        return f"with a TTL of {answer.ttl}, not {awaited.ttl},"
    return None
