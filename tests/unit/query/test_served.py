# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which queries are sent, when, and what is made of the answers, on a clock of its own."""

import contextlib
import socket
import socketserver
import threading
from collections import deque
from queue import SimpleQueue

import dns.exception
import dns.flags
import dns.message
import dns.query
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest
from shorthand import MachineAt, named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.awaited import Awaited
from ansible_collections.zonesmith.dns.plugins.module_utils._query import served
from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
    Addresses,
    NameServer,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._query.served import (
    NotServed,
    wait_until_served,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import LeftBehind

ZONE = "example.com."
WWW, LAB = Key("www.example.com.", "A"), Key("lab.example.com.", "NS")
NEW, GONE = Awaited(*WWW, ("192.0.2.2",)), Awaited(*WWW)
DELEGATION = Awaited(*LAB, ("ns1.lab.example.com.",), ttl=300, delegated_at=LAB.name)
OLD_ANSWER, NEW_ANSWER = (f"aa; answer www 300 A 192.0.2.{last}" for last in (1, 2))
SILENCE = "silence"


class Network:
    """What each address answers to its queries, in order, and the last one from then on."""

    def __init__(self):
        self._answers = {}
        self._lock = threading.Lock()
        self.asked = []
        self.questions = []

    def answers(self, address, *lines):
        """What it answers from now on: lines of ``aa``, an rcode, and ``<section> <name> <TTL> <type> <values>``."""
        self._answers[address] = deque(lines)

    def response(self, query, address, _port, _deadline):
        """In place of a query over the network."""
        assert (query.flags, query.opcode()) == (0, 0), "nobody is asked to ask others"
        with self._lock:
            self.asked.append(address)
            self.questions.append(
                f"{query.question[0].name} {dns.rdatatype.to_text(query.question[0].rdtype)}"
            )
            lines = self._answers[address]
            line = lines.popleft() if len(lines) > 1 else lines[0]
        if line == SILENCE:
            raise OSError("nothing came")
        return made(query, line)


def made(query, line):
    response = dns.message.make_response(query)
    response.flags &= ~dns.flags.AA
    for part in filter(None, line.split("; ")):
        if part == "aa":
            response.flags |= dns.flags.AA
        elif part.isupper():
            response.set_rcode(dns.rcode.from_text(part))
        else:
            section, name, ttl, rdtype, values = part.split(" ", 4)
            owner = name if name.endswith(".") else ZONE if name == "@" else f"{name}.{ZONE}"
            rrset = dns.rrset.from_text(owner, int(ttl), "IN", rdtype, *values.split(", "))
            getattr(response, section).append(rrset)
    return response


@pytest.fixture
def network(clock, monkeypatch):
    """A network without a network, where one question is asked after the other, and only pauses take time."""
    network = Network()
    monkeypatch.setattr(served, "machine", lambda: clock)
    monkeypatch.setattr(served, "ask", network.response)
    monkeypatch.setattr(served, "AT_ONCE", 1)
    return network


def server(*found):
    """A name server with these addresses, or one."""
    addresses = Addresses(NameServer("ns1.example.net", "ns1.example.net"))
    addresses.found = found or ("192.0.2.53",)
    return addresses


def complaint(*awaited, timeout=0.25, servers=()):
    """What is said in the end, nothing where all is served; without further words after one round."""
    try:
        wait_until_served(ZONE, awaited, [*servers] or [server()], {"wait_timeout": timeout})
    except NotServed as error:
        return str(error)
    return ""


# What an answer says

SOA = "SOA a. b. 1 2 3 4 5"
ANSWERS = {
    "as awaited, by a cache": (NEW, "answer www 7 A 192.0.2.2", ""),
    "another value": (NEW, OLD_ANSWER, "answers 192.0.2.1 for www.example.com. A"),
    "no such name": (NEW, "aa; NXDOMAIN", "answers nothing for www.example.com. A"),
    "no such set": (NEW, "aa", "answers nothing for www.example.com. A"),
    "nothing came": (NEW, SILENCE, "does not answer for www.example.com. A"),
    "a failure": (NEW, f"SERVFAIL; {NEW_ANSWER}", "does not answer for www.example.com. A"),
    # TTLs, which a cache counts down.
    "another TTL": (
        Awaited(*WWW, ("192.0.2.2",), ttl=60),
        NEW_ANSWER,
        "answers with a TTL of 300, not 60, for www.example.com. A",
    ),
    "the TTL of a cache": (Awaited(*WWW, ("192.0.2.2",), ttl=60), "answer www 7 A 192.0.2.2", ""),
    # Aliases.
    "an alias": (GONE, "answer www 300 CNAME a", ""),
    "an alias, and its target": (
        NEW,
        "answer www 300 CNAME a; answer a 300 A 192.0.2.2",
        "answers nothing for www.example.com. A",
    ),
    # Who does not have the zone does not say that it has no such set.
    "gone from a name that stays": (GONE, f"aa; authority @ 300 {SOA}", ""),
    "gone, by a cache": (GONE, f"authority @ 300 {SOA}", ""),
    "nothing at all": (GONE, "", "does not answer for www.example.com. A"),
    "points to the root": (
        GONE,
        "authority . 300 NS a.root-servers.net.",
        "does not answer for www.example.com. A",
    ),
    "points to the zone": (
        GONE,
        "authority @ 300 NS ns1",
        "does not answer for www.example.com. A",
    ),
    "points below the zone": (GONE, "authority www 300 NS ns1", ""),
    "denies the zone": (
        GONE,
        f"NXDOMAIN; authority com. 300 {SOA}",
        "does not answer for www.example.com. A",
    ),
    # Delegations are answered by a referral.
    "a delegation": (DELEGATION, "authority lab 300 NS ns1.lab.example.com.", ""),
    "a delegation elsewhere": (
        DELEGATION,
        "authority lab 300 NS ns2.lab.example.com.",
        "answers ns2.lab.example.com. for lab.example.com. NS",
    ),
    "glue": (
        Awaited(*Key("ns1.lab.example.com.", "A"), ("192.0.2.2",)),
        "authority lab 300 NS ns1.lab.example.com.; additional ns1.lab 300 A 192.0.2.2",
        "",
    ),
    "what stands beside an answer is none": (
        NEW,
        "answer www 300 CNAME a; additional www 300 A 192.0.2.2",
        "answers nothing for www.example.com. A",
    ),
}


@named_rows("awaited, line, message", ANSWERS)
def test_what_an_answer_says(network, awaited, line, message):
    network.answers("192.0.2.53", line)
    assert complaint(awaited) == (f"ns1.example.net {message}" if message else "")
    assert len(network.asked) == 1


@pytest.mark.parametrize(
    "own, apex, awaited, is_served",
    [
        ("aa; answer lab 300 NS ns.example.net.", f"aa; answer lab 300 {SOA}", DELEGATION, True),
        ("aa; answer lab 300 NS ns.example.net.", f"answer lab 300 {SOA}", DELEGATION, False),
        ("aa; answer lab 300 NS ns.example.net.", None, Awaited(*LAB, DELEGATION.values), False),
        ("answer lab 300 NS ns.example.net.", None, DELEGATION, False),
    ],
)
def test_a_server_that_has_the_delegated_zone_too(network, own, apex, awaited, is_served):
    """What the zone above it holds there nobody can ask such a server for."""
    network.answers("192.0.2.53", own, apex or "")
    assert complaint(awaited) == (
        "" if is_served else "ns1.example.net answers ns.example.net. for lab.example.com. NS"
    )
    asked = ["lab.example.com. NS", "lab.example.com. SOA"]
    assert network.questions == (asked[:1] if apex is None else asked)


def test_an_answer_is_shown_as_far_as_anybody_reads_it(network):
    """Which is 300 characters."""
    values = [f'"{letter * 97}"' for letter in "abcd"]
    network.answers("192.0.2.53", f"aa; answer www 300 TXT {', '.join(values)}")
    shown = ", ".join(values)[:300]
    assert complaint(Awaited(*Key(WWW.name, "TXT"), ('"new"',))) == (
        f"ns1.example.net answers {shown}... (4 in all) for www.example.com. TXT"
    )


# When, and whom


@pytest.mark.parametrize(
    "timeout, waits",
    [(0.25, []), (0.375, [0.125]), (20, [0.25, 0.5, 1, 2, 4, 5, 5, 2])],
)
def test_questions_are_repeated_until_just_before_the_end(network, clock, timeout, waits):
    network.answers("192.0.2.53", OLD_ANSWER)
    assert (
        complaint(NEW, timeout=timeout)
        == "ns1.example.net answers 192.0.2.1 for www.example.com. A"
    )
    assert clock.waits == waits
    assert len(network.asked) == len(waits) + 1


def test_what_is_served_is_not_asked_for_again(network, clock):
    lab = Awaited(*LAB, ("ns1.lab.example.com.",))
    network.answers("192.0.2.1", NEW_ANSWER, "aa", "authority lab 300 NS ns1.lab.example.com.")
    network.answers(
        "192.0.2.2", OLD_ANSWER, "authority lab 300 NS ns1.lab.example.com.", NEW_ANSWER
    )
    assert complaint(NEW, lab, timeout=9, servers=(server("192.0.2.1"), server("192.0.2.2"))) == ""
    assert [address[-1] for address in network.asked] == [*"112212"]
    assert network.questions == [
        *["www.example.com. A", "lab.example.com. NS"] * 2,
        "lab.example.com. NS",
        "www.example.com. A",
    ]
    assert clock.waits == [0.25]


def test_an_address_that_answers_is_asked_before_one_that_does_not(network):
    network.answers("192.0.2.1", SILENCE, OLD_ANSWER, NEW_ANSWER)
    network.answers("192.0.2.2", OLD_ANSWER)
    assert complaint(NEW, timeout=9, servers=(server("192.0.2.1", "192.0.2.2"),)) == ""
    assert [address[-1] for address in network.asked] == ["1", "2", "2", "1", "1"]


def test_one_address_that_answers_as_awaited_is_enough(network):
    network.answers("192.0.2.1", OLD_ANSWER)
    network.answers("192.0.2.2", NEW_ANSWER)
    network.answers("192.0.2.3", SILENCE)
    assert complaint(NEW, servers=(server("192.0.2.1", "192.0.2.2", "192.0.2.3"),)) == ""
    assert [address[-1] for address in network.asked] == ["1", "2"]


MANY = [Awaited(*Key(f"host{n}.example.com.", "A"), ("192.0.2.2",)) for n in range(9)]


@pytest.mark.parametrize(
    "lines, asked",
    [
        # Per round, after three questions without an answer the others are left for the next one.
        ([SILENCE], [3, 3]),
        ([SILENCE, SILENCE, "NXDOMAIN", SILENCE, SILENCE, "NXDOMAIN", SILENCE], [9, 3]),
        (["", SILENCE], [3, 3]),
    ],
)
def test_a_server_that_is_silent_is_left_out_until_the_next_round(network, clock, lines, asked):
    rounds = []
    clock.on_wait = lambda _seconds: rounds.append(len(network.asked))
    network.answers("192.0.2.53", *lines)
    assert complaint(*MANY, timeout=0.375).startswith("ns1.example.net does not answer for host")
    rounds.append(len(network.asked))
    assert [rounds[0], rounds[1] - rounds[0]] == asked


def test_a_question_that_the_end_cuts_short_does_not_hide_what_was_heard(
    network, clock, monkeypatch
):
    def response(*question):
        if network.asked:
            clock.sleep(0.25)
        return network.response(*question)

    monkeypatch.setattr(served, "ask", response)
    network.answers("192.0.2.53", OLD_ANSWER, SILENCE)
    assert (
        complaint(NEW, timeout=0.375) == "ns1.example.net answers 192.0.2.1 for www.example.com. A"
    )
    assert clock.monotonic() == 1000.375


# Addresses


@pytest.mark.parametrize(
    "timeout, seconds",
    [(0.25, [0.25]), (3.5, [3, 3, 2.75, 1.75, 0.25])],
)
def test_addresses_are_looked_up_for_a_while_in_each_round(network, timeout, seconds, monkeypatch):
    looked_up = []
    monkeypatch.setattr(Addresses, "look_up", lambda _addresses, seconds: looked_up.append(seconds))
    unknown = Addresses(NameServer("ns1.example.net", "ns1.example.net"))
    assert complaint(NEW, timeout=timeout, servers=(unknown,)) == (
        "the name server ns1.example.net has no address to query"
    )
    assert looked_up == seconds
    assert network.asked == []


def test_a_server_that_there_was_no_time_for_is_not_blamed(network, clock, monkeypatch):
    monkeypatch.setattr(Addresses, "look_up", lambda _addresses, seconds: clock.sleep(seconds))
    network.answers("192.0.2.53", SILENCE)
    assert complaint(NEW) == "ns1.example.net could not be queried in time for www.example.com. A"


# Over a network


class Datagrams(socketserver.BaseRequestHandler):
    """Answers with what the server is to answer with, in a datagram."""

    def handle(self):
        wire, here = self.request
        self.server.asked.put("UDP")
        query = dns.message.from_wire(wire)
        with socket.socket(type=socket.SOCK_DGRAM) as elsewhere:
            elsewhere.sendto(
                made(query, OLD_ANSWER).to_wire(), self.client_address
            )  # which counts for nothing
        if answer := self.server.answer:
            here.sendto(answer(query), self.client_address)


class Stream(socketserver.StreamRequestHandler):
    """Answers with NEW_ANSWER over TCP."""

    def handle(self):
        length = int.from_bytes(self.rfile.read(2), "big")
        self.server.asked.put("TCP")
        wire = made(dns.message.from_wire(self.rfile.read(length)), NEW_ANSWER).to_wire()
        self.wfile.write(len(wire).to_bytes(2, "big") + wire)


@contextlib.contextmanager
def listening(answer):
    """A port on which a server answers so, and what it was asked over."""
    with contextlib.ExitStack() as stack:
        tcp = stack.enter_context(socketserver.TCPServer(("127.0.0.1", 0), Stream))
        udp = stack.enter_context(socketserver.UDPServer(tcp.server_address, Datagrams))
        asked = SimpleQueue()
        udp.asked = tcp.asked = asked
        udp.answer = answer
        for one in (udp, tcp):
            thread = threading.Thread(target=one.serve_forever, args=(0.01,))
            thread.start()
            stack.callback(thread.join)
            stack.callback(one.shutdown)
        yield int(tcp.server_address[1]), asked


def truncated(query):
    response = dns.message.make_response(query)
    response.flags |= dns.flags.TC
    return response.to_wire()


QUERY = dns.message.make_query("www.example.com.", "A", flags=0)


@pytest.fixture
def standing(monkeypatch):
    """Deadlines that do not come nearer: it is 100 now, and one query may take until the deadline."""
    monkeypatch.setattr(served, "QUERY_TIMEOUT", 60)
    monkeypatch.setattr(served, "machine", lambda: MachineAt(lambda: 100.0))


@pytest.mark.usefixtures("standing")
def test_an_answer_that_is_too_long_for_a_datagram():
    with listening(truncated) as (port, was_asked):
        response = served.ask(QUERY, "127.0.0.1", port, 130)
    assert [rrset.to_text() for rrset in response.answer] == ["www.example.com. 300 IN A 192.0.2.2"]
    assert [was_asked.get(timeout=30) for _query in range(2)] == ["UDP", "TCP"]


@pytest.mark.usefixtures("standing")
def test_an_answer_to_another_question_is_none():
    def other(query):
        return made(
            dns.message.make_query("other.example.com.", "A", id=query.id), NEW_ANSWER
        ).to_wire()

    with listening(other) as (port, _asked), pytest.raises(dns.query.BadResponse):
        served.ask(QUERY, "127.0.0.1", port, 130)


@pytest.mark.usefixtures("standing")
@pytest.mark.parametrize("deadline, asked", [(100.05, ["UDP"]), (100.0, [])])
def test_nobody_is_waited_for_after_the_end(deadline, asked):
    with listening(None) as (port, was_asked):
        with pytest.raises(dns.exception.Timeout):
            served.ask(QUERY, "127.0.0.1", port, deadline)
        assert [was_asked.get(timeout=30) for _query in asked] == asked
    assert was_asked.empty()


def test_the_worker_may_leave_questions_behind(monkeypatch):
    def go_on():
        raise LeftBehind

    monkeypatch.setattr(served, "go_on", go_on)
    with pytest.raises(LeftBehind):
        served.ask(QUERY, "127.0.0.1", 9, 130)
