# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waits until name servers give the awaited answers."""

from __future__ import annotations

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

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0
LAST_LOOK = 0.25  # seconds before the end, to leave time for an answer
QUERY_TIMEOUT = 3.0
AT_ONCE = 32  # queries
SILENT_AFTER = 3  # unanswered queries in a round


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
    open_questions = [(server, one) for server in asked for one in awaited]
    complaints, pause = ["querying the name servers for the first time"], FIRST_PAUSE
    with waiting(lambda: f"{complaints[0]}; wait_timeout is {timeout:g} s"):
        while open_questions:
            in_threads(_Asked.begin_round, asked, AT_ONCE)
            answered = in_threads(
                lambda question: question[0].complaint(question[1]), open_questions, AT_ONCE
            )
            open_questions = [
                q for q, complaint in zip(open_questions, answered, strict=True) if complaint
            ]
            if not open_questions:
                return
            complaints = [complaint for complaint in answered if complaint]
            remaining = deadline - machine().monotonic()
            if remaining <= LAST_LOOK:
                raise NotServed(complaints[0])
            machine().sleep(min(pause, remaining - LAST_LOOK))
            pause = min(pause * 2, LONGEST_PAUSE)


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
        self.addresses.look_up(min(QUERY_TIMEOUT, self.deadline - machine().monotonic()))
        self.unanswered = 0

    def complaint(self, awaited: Awaited) -> str | None:
        """What is wrong with all answers, as a clause; None if one is as awaited."""
        if not self.addresses.found:
            return self.addresses.complaint
        key, name = str(awaited.key), printable(self.addresses.server.name)
        failing = (
            "does not answer"
            if machine().monotonic() < self.deadline
            else "could not be queried in time"
        )
        complaint = f"{name} {failing} for {key}"
        answers = False
        for address in sorted(self.addresses.found, key=lambda address: address in self.silent):
            if self.unanswered >= SILENT_AFTER:  # leave time for other servers and the next round
                break
            answer = self._answer(address, *awaited.key)
            if answer is None:
                self.silent.add(address)  # asked last next time
                continue
            answers, self.unanswered = True, 0
            self.silent.discard(address)
            wrong = _wrong(answer, awaited)
            if wrong is None or self._answers_for_delegated(address, answer, awaited):
                return None
            complaint = f"{name} answers {wrong} for {key}"
        if not answers:
            self.unanswered += 1
        if (
            machine().monotonic() >= self.deadline
        ):  # an earlier answer says more than an interrupted query
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
        name, rdtype = dns.name.from_text(owner), dns.rdatatype.from_text(mnemonic)
        query = dns.message.make_query(name, rdtype, flags=0)
        try:
            response = _response(query, address, self.addresses.server.port, self.deadline)
            if response.rcode() not in (dns.rcode.NOERROR, dns.rcode.NXDOMAIN):
                return None
            is_authoritative = bool(response.flags & dns.flags.AA)
            # NS of a delegation come as a referral, with their addresses.
            referral = () if response.answer else (*response.authority, *response.additional)
            for rrset in (*response.answer, *referral):
                if rrset.name == name and rrset.rdtype == rdtype:
                    values = {as_read(mnemonic, rdata.to_text(), self.zone) for rdata in rrset}
                    ttl = (
                        rrset.ttl if is_authoritative or not response.answer else None
                    )  # caches count it down
                    return _Answer(values, ttl, is_authoritative)
            return _Answer((), None, is_authoritative) if self._is_of_zone(response) else None
        except (dns.exception.DNSException, OSError, EOFError, ValueError):
            return None

    def _is_of_zone(self, response: dns.message.Message) -> bool:
        """Whether a response without the set comes from a server of the zone and is no referral."""
        zone = dns.name.from_text(self.zone)
        if any(
            rrset.rdtype == dns.rdatatype.SOA and not rrset.name.is_subdomain(zone)
            for rrset in response.authority
        ):
            return False  # from another zone, without this name
        if (
            response.answer
            or response.flags & dns.flags.AA
            or response.rcode() == dns.rcode.NXDOMAIN
        ):
            return True
        # The parent's servers answer with the zone's NS too, as a referral.
        return any(
            rrset.name.is_subdomain(zone) and (rrset.name, rrset.rdtype) != (zone, dns.rdatatype.NS)
            for rrset in response.authority
        )


def _response(
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
    with socket.socket(
        socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM
    ) as udp:
        udp.setblocking(False)
        # The kernel now drops packets from elsewhere, so a flood of them cannot outlast the deadline.
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
        values = printable(", ".join(sorted(answer.values))) or "nothing"
        return (
            values
            if len(values) <= SHOWN_CHARACTERS
            else f"{shortened(values)} ({len(answer.values)} in all)"
        )
    if awaited.ttl not in (None, answer.ttl) and answer.ttl is not None:
        return f"with a TTL of {answer.ttl}, not {awaited.ttl},"
    return None
