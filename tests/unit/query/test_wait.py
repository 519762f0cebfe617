# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting for name servers: real queries to a name server in a thread, which answers what a table says."""

from __future__ import annotations

import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest
from authority import Authority

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.awaited import Awaited
from ansible_collections.zonesmith.dns.plugins.module_utils._query import served as _wait
from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
    Addresses,
    UnusableNameServer,
    given_server,
    zones_server,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._query.served import NotServed, wait_until_served
from ansible_collections.zonesmith.dns.plugins.module_utils._threads import LeftBehind

ZONE = "example.com."
WWW = ("www.example.com.", "A")


class Answering(socketserver.BaseRequestHandler):
    """Answers each query with the next line of the server's list, and with the last one from then on."""

    def handle(self) -> None:
        wire, from_here = self.request
        self.server.asked.append(wire)  # type: ignore[attr-defined]
        answers: list[str] = self.server.answers  # type: ignore[attr-defined]
        line = answers.pop(0) if len(answers) > 1 else answers[0]
        if line == "silence":
            return
        if line == "junk":
            from_here.sendto(b"junk", self.client_address)
            return
        query = dns.message.from_wire(wire)
        if line.startswith("spoofed "):
            _spoofed, line = line.split(" ", 1)
            from_here = self.server.elsewhere  # type: ignore[attr-defined]
        elif line.startswith("other question "):
            query = dns.message.make_query("other.example.com.", "A", id=query.id)
            line = line.removeprefix("other question ")
        response = dns.message.make_response(query)
        is_cached = line.startswith("cached ")
        if line in ("NXDOMAIN", "SERVFAIL"):
            response.set_rcode(dns.rcode.from_text(line))
        elif line == "nothing":
            response.flags |= dns.flags.AA
        elif line:
            for part in line.removeprefix("cached ").split("+"):
                _add(response, part, is_authoritative=not is_cached and part.startswith("answer"))
        from_here.sendto(response.to_wire(), self.client_address)


def _add(response: dns.message.Message, part: str, *, is_authoritative: bool) -> None:
    """Add ``<section> <name> <type> <value>, <value>``, which may end in another TTL than 300."""
    section, name, rdtype, rest = part.split(" ", 3)
    text, _blank, ttl = rest.rpartition(" ")
    if rdtype == "SOA" or not (text and ttl.isdigit()):
        text, ttl = rest, "300"
    getattr(response, section).append(dns.rrset.from_text(name, int(ttl), "IN", rdtype, *text.split(", ")))
    if is_authoritative:
        response.flags |= dns.flags.AA


@contextmanager
def answering(*answers: str, unasked: bool = False) -> Iterator[str]:
    """The address of a server that is asked for each of its answers, unless it is to stay *unasked*."""
    asked: list[bytes] = []
    with (
        socketserver.ThreadingUDPServer(("127.0.0.1", 0), Answering) as server,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as elsewhere,
    ):
        server.elsewhere = elsewhere  # type: ignore[attr-defined]
        server.answers, server.asked = list(answers), asked  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
        assert len(asked) >= len(answers) if not unasked else not asked


def exactly(*values: str, key: tuple[str, str] = WWW, **more: Any) -> Awaited:
    """The whole set, or none where there are no values."""
    return Awaited(Key(*key), values, **more)


NEW, GONE = exactly("192.0.2.2"), exactly()


def asking(*servers: str) -> list[Addresses]:
    return [Addresses(given_server(server)) for server in servers]


OLD_ANSWER, NEW_ANSWER = "answer www.example.com. A 192.0.2.1", "answer www.example.com. A 192.0.2.2"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_wait, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(_wait, "LAST_LOOK", 0.05)
    monkeypatch.setattr(_wait, "QUERY_TIMEOUT", 0.5)


@pytest.mark.parametrize(
    ("awaited", "answers"),
    [
        pytest.param(NEW, [NEW_ANSWER], id="at once"),
        pytest.param(NEW, [OLD_ANSWER, OLD_ANSWER, NEW_ANSWER], id="a server that lags"),
        pytest.param(NEW, ["silence", NEW_ANSWER], id="a lost query"),
        pytest.param(NEW, ["SERVFAIL", NEW_ANSWER], id="a server that is loading"),
        pytest.param(NEW, ["NXDOMAIN", NEW_ANSWER], id="a new name"),
        pytest.param(GONE, [OLD_ANSWER, "NXDOMAIN"], id="a removed name"),
        pytest.param(GONE, [OLD_ANSWER, "nothing"], id="a removed set of a name that stays"),
        pytest.param(GONE, ["", "NXDOMAIN"], id="a server that does not know the zone"),
        pytest.param(GONE, ["authority . NS a.root-servers.net.", "NXDOMAIN"], id="a server that points to the root"),
        pytest.param(GONE, [f"authority {ZONE} NS ns1.example.net.", "NXDOMAIN"], id="a server of the zone above"),
        pytest.param(GONE, ["authority com. SOA a. b. 1 2 3 4 5", "NXDOMAIN"], id="a server that denies the zone"),
        pytest.param(GONE, [f"authority {ZONE} SOA a. b. 1 2 3 4 5"], id="a cache that knows of no such set"),
        pytest.param(GONE, ["answer www.example.com. CNAME a.example.net."], id="an alias in place of a set"),
        pytest.param(
            exactly("192.0.2.1", "192.0.2.2"),
            ["answer WWW.example.com. A 192.0.2.2, 192.0.2.1"],
            id="in any order and case",
        ),
        pytest.param(exactly("192.0.2.2", ttl=300), [f"cached {NEW_ANSWER} 60"], id="a cache counts the TTL down"),
        pytest.param(exactly("192.0.2.2", ttl=300), [f"{NEW_ANSWER} 60", NEW_ANSWER], id="another TTL"),
    ],
)
def test_it_returns_when_the_server_answers_so(awaited: Awaited, answers: list[str]) -> None:
    with answering(*answers) as server:
        wait_until_served(ZONE, [awaited], asking(server), timeout=5)


LAB, GLUE = ("lab.example.com.", "NS"), ("ns1.lab.example.com.", "A")
DELEGATION = exactly("ns1.lab.example.com.", key=LAB, ttl=300, delegated_at=LAB[0])
REFERRAL = "authority lab.example.com. NS ns1.lab.example.com."
OWN = f"answer {LAB[0]} NS ns.example.net."
OWN_SOA = f"answer {LAB[0]} SOA a. b. 1 2 3 4 5"


@pytest.mark.parametrize(
    ("awaited", "answers"),
    [
        pytest.param(DELEGATION, ["NXDOMAIN", REFERRAL], id="a referral"),
        pytest.param(DELEGATION, [f"{REFERRAL} 60", REFERRAL], id="its TTL is the delegation's"),
        pytest.param(
            exactly("192.0.2.53", key=GLUE, delegated_at=LAB[0]),
            [REFERRAL, f"{REFERRAL}+additional {GLUE[0]} A 192.0.2.53"],
            id="glue",
        ),
        pytest.param(DELEGATION, [OWN, OWN_SOA], id="a server that has the delegated zone"),
        pytest.param(DELEGATION, [OWN, "nothing", REFERRAL], id="a server that answers for it without having it"),
        pytest.param(DELEGATION, [f"cached {OWN}", REFERRAL], id="a cache"),
    ],
)
def test_delegations(awaited: Awaited, answers: list[str]) -> None:
    with answering(*answers) as server:
        wait_until_served(ZONE, [awaited], asking(server), timeout=5)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (OLD_ANSWER, "{server} answers 192.0.2.1 for www.example.com. A"),
        ("NXDOMAIN", "{server} answers nothing for www.example.com. A"),
        ("silence", "{server} does not answer about www.example.com. A"),
        ("SERVFAIL", "{server} does not answer about www.example.com. A"),
    ],
)
def test_it_says_which_server_answers_what(answer: str, complaint: str) -> None:
    with answering(NEW_ANSWER) as good, answering(answer) as bad, pytest.raises(NotServed) as failure:
        wait_until_served(ZONE, [NEW], asking(good, bad), timeout=1)
    assert str(failure.value) == complaint.format(server=bad)


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Every name has these addresses."""
    found = [(socket.AF_INET, socket.SOCK_DGRAM, 17, "", (address, 53)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: found)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.0.1.1",
        "::1",
        "::ffff:127.0.0.1",
        "0.0.0.0",  # noqa: S104 - nothing is bound
        "169.254.169.254",
        "fe80::1%eth0",
        "224.0.0.251",
        "255.255.255.255",
    ],
)
def test_a_name_in_the_zone_leads_to_no_address_of_the_controllers_own(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, address)
    with pytest.raises(
        UnusableNameServer, match=f"name server ns1.example.net. has the address {address}, where no zone is"
    ):
        wait_until_served(ZONE, [NEW], [Addresses(zones_server("ns1.example.net."))], timeout=5)


@pytest.mark.parametrize("address", ["10.0.0.53", "192.168.0.53", "100.64.0.53", "fd00::53", "192.0.2.53"])
def test_a_name_in_the_zone_may_lead_into_a_closed_network(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "127.0.0.1", address)
    asked = []
    monkeypatch.setattr(_wait, "_response", lambda _query, asked_address, *_rest: asked.append(asked_address))
    monkeypatch.setattr(_wait._Asked, "complaint", lambda self, _awaited: asked.extend(self.addresses.found))
    wait_until_served(ZONE, [NEW], [Addresses(zones_server("ns1.example.net."))], timeout=5)
    assert asked == [address]


def test_a_name_server_without_address() -> None:
    with (
        answering(NEW_ANSWER) as other,
        pytest.raises(NotServed, match=r"server ns1\.invalid has no address that could"),
    ):
        wait_until_served(ZONE, [NEW], asking("ns1.invalid", other), timeout=0.3)


def test_an_address_that_is_found_later(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []
    (addresses,) = asking("ns1.example.net")

    def look_up(*_args: Any, **_options: Any) -> Any:
        looks.append(addresses.is_unknown)
        if len(looks) < 3:
            raise socket.gaierror(socket.EAI_NONAME if len(looks) == 1 else socket.EAI_AGAIN, "no")
        return [(socket.AF_INET, socket.SOCK_DGRAM, 17, "", ("127.0.0.1", 53))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(_wait._Asked, "complaint", lambda self, _awaited: None if self.addresses.found else "late")
    addresses.look_up(1)
    with pytest.raises(UnusableNameServer, match="has no address that could be asked; name the servers to ask in"):
        addresses.check()
    addresses.look_up(1)
    addresses.check()
    wait_until_served(ZONE, [NEW], [addresses], timeout=5)
    assert len(looks) == 3


# The deadline


def test_a_resolver_that_hangs_ends_with_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: [hangs.wait(60)][1:])
    with pytest.raises(NotServed, match=r"ns1\.example\.net has no address"):
        wait_until_served(ZONE, [NEW], asking("ns1.example.net"), timeout=0.1)
    assert not hangs.is_set()
    hangs.set()


def test_no_server_is_asked_after_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first takes all the time there is."""
    monkeypatch.setattr(_wait, "AT_ONCE", 1)
    with (
        answering("silence") as first,
        answering(NEW_ANSWER, unasked=True) as second,
        pytest.raises(NotServed) as failure,
    ):
        wait_until_served(ZONE, [NEW] * 9, asking(first, second), timeout=0.1)
    assert str(failure.value) == f"{first} does not answer about www.example.com. A"


def test_a_server_that_was_not_asked_any_more_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(NEW_ANSWER, unasked=True) as server:
        monkeypatch.setattr(_wait._Asked, "begin_round", lambda asked: time.sleep(0.2) or asked.addresses.look_up(1))
        with pytest.raises(NotServed, match=f"{server} could not be asked in time about www"):
            wait_until_served(ZONE, [NEW], asking(server), timeout=0.1)


@pytest.mark.parametrize(
    ("timeout", "waits"),
    [
        (0.2, []),
        (0.5, [0.25]),
        (1, [0.25, 0.5]),
        (2, [0.25, 0.5, 1]),
        (20, [0.25, 0.5, 1, 2, 4, 5, 5, 2]),
    ],
)
def test_the_pauses_grow_and_the_last_look_is_just_before_the_end(
    timeout: float, waits: list[float], clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a clock that only the pauses move."""
    monkeypatch.setattr(_wait, "machine", lambda: clock)
    monkeypatch.setattr(_wait, "FIRST_PAUSE", 0.25)
    monkeypatch.setattr(_wait, "LAST_LOOK", 0.25)
    looks: list[float] = []

    def complaint(*_args: Any) -> str:
        looks.append(clock.monotonic())
        assert len(looks) < 20, "it does not pause"
        return "it is late"

    monkeypatch.setattr(_wait._Asked, "complaint", complaint)
    with pytest.raises(NotServed, match=r"^it is late$"):
        wait_until_served(ZONE, [NEW], asking("127.0.0.1"), timeout)
    assert clock.waits == waits
    assert len(looks) == len(waits) + 1


def test_an_address_that_answers_is_asked_before_one_that_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "192.0.2.1", "192.0.2.2")
    asked = []

    def response(_query: Any, address: str, *_rest: Any) -> Any:
        asked.append(address)
        if address == "192.0.2.1":
            raise OSError
        response = dns.message.make_response(dns.message.make_query("www.example.com.", "A"))
        _add(response, NEW_ANSWER, is_authoritative=True)
        return response

    monkeypatch.setattr(_wait, "_response", response)
    monkeypatch.setattr(_wait, "AT_ONCE", 1)
    wait_until_served(ZONE, [NEW] * 3, asking("ns1.example.net"), timeout=5)
    assert asked == ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.2"]


def test_a_server_that_is_silent_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be asked for each set until the end of the time."""
    monkeypatch.setattr(_wait, "QUERY_TIMEOUT", 1.0)  # on a busy machine the good one needs some of it
    many = [exactly("192.0.2.2", key=(f"host{n}.example.com.", "A"), keeps_others=True) for n in range(200)]
    with Authority(ZONE, "* 300 A 192.0.2.2") as good, answering("silence") as bad:
        with pytest.raises(NotServed, match=r"does not answer about host0\.example\.com\. A"):
            wait_until_served(ZONE, many, asking(bad, good.name), timeout=4)
        assert len(good.asked) == 200


def test_the_worker_may_leave_questions_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def go_on() -> None:
        raise LeftBehind

    monkeypatch.setattr(_wait, "go_on", go_on)
    with answering(NEW_ANSWER, unasked=True) as server, pytest.raises(LeftBehind):
        wait_until_served(ZONE, [NEW], asking(server), timeout=5)


# What servers answer


def test_a_query_that_is_cut_short_does_not_hide_what_was_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_wait, "QUERY_TIMEOUT", 60)
    with answering(OLD_ANSWER, "silence") as server, pytest.raises(NotServed, match=f"{server} answers 192.0.2.1 for"):
        wait_until_served(ZONE, [NEW], asking(server), timeout=1)


def test_an_answer_is_shown_as_far_as_anybody_reads_it() -> None:
    values = ", ".join(f'"{n:03d}{"x" * 200}"' for n in range(4))
    text = ("www.example.com.", "TXT")
    new = exactly('"new"', key=text)
    with answering(f"answer www.example.com. TXT {values}") as server, pytest.raises(NotServed) as failure:
        wait_until_served(ZONE, [new], asking(server), timeout=1)
    assert re.search(r'answers "000x+", "001x+\.\.\. \(4 in all\) for www', str(failure.value))
    assert len(str(failure.value)) < 500


@pytest.mark.parametrize("bad", ["spoofed ", "other question "])
def test_an_answer_from_elsewhere_or_about_something_else_counts_for_nothing(bad: str) -> None:
    with answering(bad + NEW_ANSWER) as server, pytest.raises(NotServed, match="does not answer about"):
        wait_until_served(ZONE, [NEW], asking(server), timeout=0.3)


@pytest.mark.parametrize("line", ["junk", f"spoofed {OLD_ANSWER}", f"other question {OLD_ANSWER}"])
def test_an_answer_that_is_none_does_not_end_the_wait(line: str) -> None:
    with answering(line, NEW_ANSWER) as server:
        wait_until_served(ZONE, [NEW], asking(server), timeout=5)


# The module


NO_SERVER = "it is no host name or address, with or without a port from 1 to 65535."
REFUSED: dict[str, Any] = {
    "no number": ({"wait_timeout": float("nan")}, "wait_timeout must be above 0 and at most 86400 seconds."),
    "no end": ({"wait_timeout": float("inf")}, "wait_timeout must be above 0 and at most 86400 seconds."),
    "no time": ({"wait_timeout": 0}, "wait_timeout must be above 0 and at most 86400 seconds."),
    "before now": ({"wait_timeout": -1}, "wait_timeout must be above 0 and at most 86400 seconds."),
    "a port": (
        {"wait_nameservers": ["192.0.2.1", "127.0.0.1:99999"]},
        f"wait_nameservers has '127.0.0.1:99999', and {NO_SERVER}",
    ),
    "a host": ({"wait_nameservers": ["not a host"]}, "wait_nameservers has 'not a host', and it is no host name."),
}


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_bad_options_are_refused_before_the_first_request(
    options: dict[str, Any], message: str, check: bool, zone: Any, run: Callable[..., dict[str, Any]]
) -> None:
    task = {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.1"]}
    refused = run("dns_record", **task, wait=True, **options, check=check)
    assert (refused["failed"], refused["changed"], refused["msg"]) == (True, False, message)
    assert zone.calls() == []


def test_the_module_waits_for_other_name_servers(zone: Any, run: Callable[..., dict[str, Any]]) -> None:
    zone.holds("")
    with answering("answer www.example.com. A 192.0.2.1") as server:
        task = {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.1"]}
        done = run("dns_record", **task, wait=True, wait_nameservers=[server])
    assert (done.get("failed", False), done["changed"]) == (False, True)


def test_the_module_waits_no_longer_than_it_is_told(zone: Any, run: Callable[..., dict[str, Any]]) -> None:
    zone.holds("")
    with answering(OLD_ANSWER) as server:
        task = {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.2"]}
        failed = run("dns_record", **task, wait=True, wait_nameservers=[server], wait_timeout=0.3)
    assert failed["msg"] == (
        f"Zone example.com: the service took all changes, but {server} answers 192.0.2.1 for www.example.com. A, "
        "0.3 s after the change."
    )
    assert (failed["failed"], failed["changed"]) == (True, True)
    assert zone.lines() == ["www 3600 A 192.0.2.2"]
