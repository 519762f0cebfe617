# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting for name servers: real queries to a name server in a thread, which answers what a table says."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dns.message
import dns.rcode
import dns.rrset
import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils import _wait
from ansible_collections.zonesmith.dns.plugins.module_utils._plan import Change, Wanted
from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._wait import (
    NameServer,
    NotServed,
    name_servers,
    wait_until_served,
)

ZONE = "example.com."
WWW = ("www.example.com.", "A")


class Answering(socketserver.BaseRequestHandler):
    """Answers each query with the next line of the server's list, and with the last one from then on."""

    def handle(self) -> None:
        wire, socket = self.request
        answers: list[str] = self.server.answers  # type: ignore[attr-defined]
        line = answers.pop(0) if len(answers) > 1 else answers[0]
        if line == "silence":
            return
        response = dns.message.make_response(dns.message.from_wire(wire))
        if line in ("NXDOMAIN", "SERVFAIL"):
            response.set_rcode(dns.rcode.from_text(line))
        elif line:
            section, name, rdtype, *values = line.split(" ", 3)
            rrset = dns.rrset.from_text(name, 300, "IN", rdtype, *values[0].split(", "))
            getattr(response, section).append(rrset)
        socket.sendto(response.to_wire(), self.client_address)


@contextmanager
def answering(*answers: str) -> Iterator[str]:
    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), Answering) as server:
        server.answers = list(answers)  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def held(*values: str, key: tuple[str, str] = WWW) -> RecordSet | None:
    return RecordSet(*key, 300, values) if values else None


def change(before: RecordSet | None, after: RecordSet | None, key: tuple[str, str] = WWW) -> Change:
    return Change(before, after, Wanted(*key))


OLD, NEW = held("192.0.2.1"), held("192.0.2.2")
OLD_ANSWER, NEW_ANSWER = "answer www.example.com. A 192.0.2.1", "answer www.example.com. A 192.0.2.2"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_wait, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(_wait, "QUERY_TIMEOUT", 0.2)


@pytest.mark.parametrize(
    ("before", "after", "answers"),
    [
        pytest.param(OLD, NEW, [NEW_ANSWER], id="at once"),
        pytest.param(OLD, NEW, [OLD_ANSWER, OLD_ANSWER, NEW_ANSWER], id="a server that lags"),
        pytest.param(OLD, NEW, ["silence", NEW_ANSWER], id="a lost query"),
        pytest.param(OLD, NEW, ["SERVFAIL", NEW_ANSWER], id="a server that is loading"),
        pytest.param(None, NEW, ["NXDOMAIN", NEW_ANSWER], id="a new name"),
        pytest.param(OLD, None, [OLD_ANSWER, "NXDOMAIN"], id="a removed name"),
        pytest.param(OLD, None, [OLD_ANSWER, ""], id="a removed set of a name that stays"),
        pytest.param(OLD, None, [NEW_ANSWER], id="a removed set that a wildcard answers for"),
        pytest.param(
            None,
            held("192.0.2.1", "192.0.2.2"),
            ["answer WWW.example.com. A 192.0.2.2, 192.0.2.1"],
            id="in any order and case",
        ),
    ],
)
def test_it_returns_when_the_server_answers_so(
    before: RecordSet | None, after: RecordSet | None, answers: list[str]
) -> None:
    with answering(*answers) as server:
        wait_until_served(ZONE, [change(before, after)], name_servers([server]), timeout=5)


def test_a_delegation_is_answered_by_a_referral() -> None:
    lab = ("lab.example.com.", "NS")
    with answering("authority lab.example.com. NS ns.example.net.") as server:
        new = held("ns.example.net.", key=lab)
        wait_until_served(ZONE, [change(None, new, lab)], name_servers([server]), timeout=5)


def test_a_type_without_number_cannot_be_asked_for() -> None:
    alias = ("www.example.com.", "ALIAS")
    wait_until_served(ZONE, [change(None, held("a.example.net.", key=alias), alias)], name_servers(["127.0.0.1:9"]), 1)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (OLD_ANSWER, "{server} answers 192.0.2.1 for www.example.com. A, 0.3 s after the change"),
        ("NXDOMAIN", "{server} answers nothing for www.example.com. A, 0.3 s after the change"),
        ("silence", "{server} does not answer about www.example.com. A, 0.3 s after the change"),
        ("SERVFAIL", "{server} does not answer about www.example.com. A, 0.3 s after the change"),
    ],
)
def test_it_says_which_server_answers_what(answer: str, complaint: str) -> None:
    with answering(NEW_ANSWER) as good, answering(answer) as bad, pytest.raises(NotServed) as failure:
        wait_until_served(ZONE, [change(OLD, NEW)], name_servers([good, bad]), timeout=0.3)
    assert str(failure.value) == complaint.format(server=bad)


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("192.0.2.53", NameServer("192.0.2.53", ("192.0.2.53",), 53)),
        ("192.0.2.53:5300", NameServer("192.0.2.53:5300", ("192.0.2.53",), 5300)),
        ("2001:db8::53", NameServer("2001:db8::53", ("2001:db8::53",), 53)),
        ("[2001:db8::53]:5300", NameServer("[2001:db8::53]:5300", ("2001:db8::53",), 5300)),
        ("[2001:db8::53]", NameServer("[2001:db8::53]", ("2001:db8::53",), 53)),
    ],
)
def test_name_servers(text: str, server: NameServer) -> None:
    assert name_servers([text]) == [server]


@pytest.mark.parametrize("text", ["ns1.invalid.", "a..b", "", "no host"])
def test_a_name_server_without_address(text: str) -> None:
    with pytest.raises(NotServed, match="has no address that could be asked"):
        name_servers([text])


def test_the_module_waits_for_the_zones_own_name_servers(zone: Any, run: Callable[..., dict[str, Any]]) -> None:
    """The stand-in's zones have name servers that do not exist, so the task can only fail, after its change."""
    zone.holds("")
    task = {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.1"]}
    failed = run("dns_record", **task, wait=True, wait_timeout=1)
    assert failed["failed"]
    assert failed["changed"]
    assert "the service took all changes, but the name server ns1.dns.example. has no address" in failed["msg"]
    assert not run("dns_record", **task, wait=True)["changed"]


def test_the_module_waits_for_other_name_servers(zone: Any, run: Callable[..., dict[str, Any]]) -> None:
    zone.holds("")
    with answering("answer www.example.com. A 192.0.2.1") as server:
        task = {"zone": "example.com", "name": "www", "type": "A", "content": ["192.0.2.1"]}
        assert run("dns_record", **task, wait=True, wait_nameservers=[server])["changed"]
