# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone transfers: what a name server sends becomes record sets, and what it should not send becomes one sentence."""

from __future__ import annotations

import socket
import socketserver
import struct
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import dns.message
import dns.name
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.rrset
import dns.tsig
import pytest
from examples import some
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.zonesmith.dns.plugins.module_utils._api import transport as _transport
from ansible_collections.zonesmith.dns.plugins.module_utils._query import transfer as _transfer
from ansible_collections.zonesmith.dns.plugins.module_utils._query.name_servers import (
    Addresses,
    checked_server,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._query.transfer import (
    ALGORITHMS,
    InvalidKey,
    NoTransfer,
    TransferKey,
    checked_key,
    transferred,
)

ZONE = "example.com."
SOA = "@ 3600 SOA ns1.example.net. hostmaster.example.net. 7 2 3 4 5"
SECRET = "c2VjcmV0c2VjcmV0c2VjcmV0"
KEY = checked_key("Transfer.Example", SECRET, "hmac-sha256")

Answer = Callable[[dns.message.Message], list[bytes]]
"""What a peer sends for a query: each as one piece."""


def rrsets(*lines: str) -> list[dns.rrset.RRset]:
    """Lines of ``<relative name> <TTL> <type> <value>``."""
    rows = [line.split(maxsplit=3) for line in lines]
    name = dns.name.from_text(ZONE)
    return [
        dns.rrset.from_text(dns.name.from_text(owner, name), int(ttl), "IN", rdtype, value)
        for owner, ttl, rdtype, value in rows
    ]


def framed(wire: bytes) -> bytes:
    """A message as TCP has it (RFC 1035, section 4.2.2)."""
    return struct.pack("!H", len(wire)) + wire


def messages(
    query: dns.message.Message, *parts: list[str], rcode: int = 0
) -> list[dns.message.Message]:
    """Responses with these records."""
    responses = []
    for lines in parts:
        response = dns.message.make_response(query)
        response.tsig = response.keyring = None
        response.set_rcode(dns.rcode.Rcode(rcode))
        response.answer = rrsets(*lines)
        responses.append(response)
    return responses


def answers(*parts: list[str], rcode: int = 0) -> Answer:
    """A peer that sends these records, without a signature."""
    return lambda query: [
        framed(message.to_wire()) for message in messages(query, *parts, rcode=rcode)
    ]


def raw(*pieces: bytes) -> Answer:
    """A peer that sends these bytes, whatever it is asked."""
    return lambda _query: [*pieces]


class Peer:
    """A server that reads one query from each connection, and answers it."""

    def __init__(self) -> None:
        self.answer: Answer = raw()
        self.key = KEY
        self.queries: list[dns.message.Message] = []
        self.silent = threading.Event()
        """Set once a connection may end that was left open."""
        peer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                (length,) = struct.unpack("!H", self.request.recv(2, socket.MSG_WAITALL))
                wire = self.request.recv(length, socket.MSG_WAITALL)
                query = dns.message.from_wire(wire, keyring=tsig(peer.key))
                peer.queries.append(query)
                try:
                    for piece in peer.answer(query):
                        self.request.sendall(piece)
                        if not piece:
                            peer.silent.wait(30)
                except OSError:
                    pass  # who asked has gone

        socketserver.ThreadingTCPServer.daemon_threads = True
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.name = f"127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Listen no longer."""
        self.silent.set()
        self._server.shutdown()
        self._server.server_close()


def name_of(key: TransferKey) -> dns.name.Name:
    """The name of a key."""
    return dns.name.from_text(key.name)


def tsig(key: TransferKey) -> dns.tsig.Key:
    """A key as dnspython has it."""
    return dns.tsig.Key(key.name, key.secret, key.algorithm)


@pytest.fixture(scope="module")
def served() -> Iterator[Peer]:
    """A name server for all tests."""
    peer = Peer()
    yield peer
    peer.close()


@pytest.fixture
def peer(served: Peer) -> Peer:
    """A name server that answers what a test says."""
    served.queries.clear()
    served.key = KEY
    return served


def asked(peer: Peer, key: TransferKey | None = None, timeout: float = 5.0) -> list[dict[str, Any]]:
    """What is transferred."""
    addresses = Addresses(checked_server(peer.name))
    addresses.look_up(5)
    return transferred(ZONE, addresses, key, timeout)


def lines(record_sets: list[dict[str, Any]]) -> list[str]:
    """Record sets as lines, without the SOA."""
    return [
        f"{one['name']} {one['ttl']} {one['type']} {value}"
        for one in record_sets
        for value in one["contents"]
        if one["type"] != "SOA"
    ]


RECORDS = [
    "@ 60 NS ns1.example.net.",
    "www 60 A 192.0.2.1",
    r'www 60 TXT "a\"b;\200" "c"',
    "WWW 60 A 192.0.2.2",
]


def test_a_zone_in_one_message(peer: Peer) -> None:
    peer.answer = answers([SOA, *RECORDS, SOA])
    record_sets = asked(peer)
    assert lines(record_sets) == [
        "example.com. 60 NS ns1.example.net.",
        "www.example.com. 60 A 192.0.2.1",
        "www.example.com. 60 A 192.0.2.2",
        r'www.example.com. 60 TXT "a\"b;\200" "c"',
    ]
    assert [one["contents"] for one in record_sets if one["type"] == "SOA"] == [
        ["ns1.example.net. hostmaster.example.net. 7 2 3 4 5"]
    ]
    (query,) = peer.queries
    assert (query.question[0].name.to_text(), query.question[0].rdtype) == (
        ZONE,
        dns.rdatatype.AXFR,
    )


def test_a_zone_in_many_messages_byte_by_byte(peer: Peer) -> None:
    whole = answers(
        [SOA], *([f"h{n} 60 A 192.0.2.{n}"] for n in range(1, 9)), ["h1 30 A 192.0.2.9"], [SOA]
    )
    peer.answer = lambda query: [bytes([byte]) for byte in b"".join(whole(query))]
    found = lines(asked(peer))
    assert found[:2] == ["h1.example.com. 30 A 192.0.2.1", "h1.example.com. 30 A 192.0.2.9"]
    assert len(found) == 9


def test_names_outside_the_zone_are_no_part_of_it(peer: Peer) -> None:
    peer.answer = answers(
        [SOA, "ns1.example.net. 60 A 192.0.2.1", "notexample.com. 60 A 192.0.2.1", SOA]
    )
    assert lines(asked(peer)) == []


def signed(parts: list[list[str]], *, skip: tuple[int, ...] = (), key: TransferKey = KEY) -> Answer:
    """A peer that signs each of its messages but some."""

    def answer(query: dns.message.Message) -> list[bytes]:
        context, wires = None, []
        for number, message in enumerate(messages(query, *parts)):
            if number not in skip:
                message.use_tsig(tsig(key), key.name)
                message.request_mac = query.mac
                wires.append(framed(message.to_wire(multi=True, tsig_ctx=context)))
                context = message.tsig_ctx
            else:
                wires.append(framed(message.to_wire()))
        return wires

    return answer


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_signed_zone(peer: Peer, algorithm: str) -> None:
    key = checked_key("transfer.example.", SECRET, algorithm)
    name = "HMAC-MD5.SIG-ALG.REG.INT" if algorithm == "hmac-md5" else algorithm
    peer.key = TransferKey(key.name, key.secret, name)
    peer.answer = signed([[SOA], ["www 60 A 192.0.2.1"], [SOA]], key=peer.key)
    assert lines(asked(peer, key)) == ["www.example.com. 60 A 192.0.2.1"]
    assert peer.queries[0].keyname == name_of(KEY)
    assert peer.queries[0].keyalgorithm == dns.name.from_text(name)


REFUSED: dict[str, tuple[Answer, TransferKey | None, str]] = {
    "refused": (
        answers([], rcode=dns.rcode.REFUSED),
        None,
        (
            "it answers REFUSED: check that it serves the zone and lets this machine transfer it, or set tsig_name "
            "and tsig_key"
        ),
    ),
    "no such zone, or no such key": (
        answers([], rcode=dns.rcode.NOTAUTH),
        KEY,
        "it answers NOTAUTH: check that it serves the zone and lets whoever has the key transfer.example transfer it",
    ),
    "broken": (answers([], rcode=dns.rcode.SERVFAIL), None, "it answers SERVFAIL"),
    "not signed": (
        answers([SOA, "www 60 A 192.0.2.1", SOA]),
        KEY,
        "the key transfer.example does not work (missing TSIG): compare tsig_name, tsig_key and tsig_algorithm with",
    ),
    "the first not signed": (
        signed([[SOA], ["www 60 A 192.0.2.1"], [SOA]], skip=(0,)),
        KEY,
        "the key transfer.example does not work (missing TSIG): compare tsig_name, tsig_key and tsig_algorithm with",
    ),
    "nothing": (raw(), None, "the connection ended before the zone did"),
    "half of a message": (raw(b"\0\x10abc"), None, "the connection ended before the zone did"),
    "half of a zone": (
        answers([SOA, "www 60 A 192.0.2.1"]),
        None,
        "the connection ended before the zone did",
    ),
    "an empty message": (raw(b"\0\0"), None, "what it sends is not a transfer of the zone ("),
    "no SOA": (
        answers(["www 60 A 192.0.2.1", SOA]),
        None,
        "what it sends is not a transfer of the zone (",
    ),
    "another SOA at the end": (
        answers([SOA, "www 60 A 192.0.2.1", SOA.replace(" 7 ", " 8 ")]),
        None,
        "what it sends is not a transfer of the zone (",
    ),
    "more behind the end": (
        answers([SOA, SOA, "www 60 A 192.0.2.1"]),
        None,
        "what it sends is not a transfer of the zone (",
    ),
    "another zone": (
        answers([SOA.replace("@", "example.net."), SOA.replace("@", "example.net.")]),
        None,
        "what it sends is not a transfer of the zone (",
    ),
    "another answer": (
        lambda query: [
            framed(struct.pack("!H", query.id ^ 1) + messages(query, [SOA, SOA])[0].to_wire()[2:])
        ],
        None,
        "it answers a different question",
    ),
    "silence": (raw(b""), None, "nothing arrived for 0.2 s (see timeout)"),
}


@pytest.mark.parametrize(("answer", "key", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_zone(peer: Peer, answer: Answer, key: TransferKey | None, message: str) -> None:
    peer.answer = answer
    with pytest.raises(NoTransfer) as refused:
        asked(peer, key, 0.2 if "0.2" in message else 5.0)
    assert str(refused.value).startswith(f"it cannot be transferred from {peer.name}: {message}")
    assert SECRET not in str(refused.value) + repr(key)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (dns.rcode.BADSIG, "The peer didn't like the signature we sent"),
        (dns.rcode.BADKEY, "The peer didn't know the key we used"),
        (dns.rcode.BADTIME, "The peer didn't like the time we sent"),
        (dns.rcode.BADTRUNC, "The peer didn't like amount of truncation in the TSIG we sent"),
    ],
)
def test_a_signature_that_the_server_refuses(peer: Peer, error: int, expected: str) -> None:
    def answer(query: dns.message.Message) -> list[bytes]:
        (message,) = messages(query, [], rcode=dns.rcode.NOTAUTH)
        message.use_tsig(tsig(KEY), KEY.name, tsig_error=error)
        message.request_mac = query.mac
        return [framed(message.to_wire())]

    peer.answer = answer
    with pytest.raises(NoTransfer) as refused:
        asked(peer, KEY)
    assert f": the key transfer.example does not work ({expected}): compare tsig_name" in str(
        refused.value
    )


def test_a_signature_that_does_not_fit(peer: Peer) -> None:
    peer.answer = signed([[SOA, SOA]], key=TransferKey(KEY.name, b"another"))
    with pytest.raises(
        NoTransfer, match=r"\(The TSIG signature fails to verify\): compare tsig_name"
    ):
        asked(peer, KEY)


def test_a_zone_has_bounds(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    peer.answer = answers([SOA, "www 60 A 192.0.2.1", "www 60 A 192.0.2.2", SOA])
    monkeypatch.setattr(_transfer, "MAX_RECORDS", 3)
    assert len(lines(asked(peer))) == 2
    monkeypatch.setattr(_transfer, "MAX_RECORDS", 2)
    with pytest.raises(NoTransfer, match=r"the zone has more than 2 records$"):
        asked(peer)
    monkeypatch.undo()
    peer.answer = answers(
        [SOA, "www 60 A 192.0.2.1"], *([f"h{n} 60 A 192.0.2.2"] for n in range(9))
    )
    monkeypatch.setattr(_transfer, "LARGEST", 300)
    with pytest.raises(NoTransfer, match=r"the zone has more than 0 MiB$"):
        asked(peer)


def test_a_zone_that_comes_too_slowly(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part in time, and all of them not."""
    monkeypatch.setattr(_transport, "monotonic", partial(next, iter(range(0, 9000, 30))))
    peer.answer = answers([SOA], *([f"h{n} 60 A 192.0.2.2"] for n in range(99)))
    with pytest.raises(
        NoTransfer, match=r"the transfer was not complete after 50 s \(see timeout\)$"
    ):
        asked(peer)


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        addresses = Addresses(checked_server(f"127.0.0.1:{port}"))
        addresses.look_up(5)
        with pytest.raises(
            NoTransfer, match=rf"no connection to 127.0.0.1 port {port} \(.*\); transfers need TCP$"
        ):
            transferred(ZONE, addresses, None, 1)


@pytest.mark.parametrize(
    ("name", "secret", "message"),
    [
        ("k", "x", "tsig_key is not base64, "),
        ("k", "ü", "tsig_key is not base64, "),
        ("k", "", "tsig_key is empty"),
        ("a..b", SECRET, "tsig_name 'a..b' cannot be used: "),
    ],
)
def test_keys_that_are_none(name: str, secret: str, message: str) -> None:
    with pytest.raises(InvalidKey, match=f"^{message}") as refused:
        checked_key(name, secret, "hmac-sha256")
    assert len(secret) < 2 or secret not in str(refused.value)


def test_a_key() -> None:
    assert checked_key("K.Example.", "c2Vj\ncmV0", "hmac-sha512") == TransferKey(
        "k.example.", b"secret", "hmac-sha512"
    )
    assert "secret" not in repr(KEY)


EDITS = st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=6)), max_size=4)


@given(EDITS, st.booleans())
@settings(max_examples=some(300), deadline=None)
def test_whatever_comes_is_a_zone_or_one_sentence(
    served: Peer, edits: list[tuple[int, bytes]], is_signed: bool
) -> None:
    """A message with anything in it, from the length on; the identifier of the query stays in most."""
    values = [
        SOA,
        *RECORDS,
        "a 60 CAA 0 issue x",
        "a 60 LOC 52 22 23.000 N 4 53 32.000 E -2.00m",
        "a 60 SVCB 1 . port=1",
        SOA,
    ]

    def answer(query: dns.message.Message) -> list[bytes]:
        wire = bytearray(b"".join((signed([values]) if is_signed else answers(values))(query)))
        for at, replaced in edits:
            wire[min(at, len(wire)) : at + len(replaced)] = replaced
        return [bytes(wire)]

    served.answer = answer
    try:
        assert isinstance(asked(served, KEY if is_signed else None, 2), list)
    except NoTransfer as error:
        expected = str(error)
        assert expected.startswith("it cannot be transferred from ")
        assert expected.isprintable()
        assert len(expected) < 700
