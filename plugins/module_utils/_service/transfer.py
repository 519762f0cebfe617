# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone transfers (RFC 5936): all records of a zone as a name server sends them, signed (RFC 8945) where there is a key.

What such a server sends is not trusted: its size, its time and the number of its records are bounded, and only
dnspython looks at it.
"""

from __future__ import annotations

import base64
import binascii
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import InvalidName, zone_name
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable, printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_RECORDS
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import ServiceError
from ansible_collections.zonesmith.dns.plugins.module_utils._service.limiter import go_on
from ansible_collections.zonesmith.dns.plugins.module_utils._service.name_servers import Addresses
from ansible_collections.zonesmith.dns.plugins.module_utils._service.transport import SLOWEST

if TYPE_CHECKING:
    import dns.message
    import dns.name
    import dns.tsig

LARGEST = 64 * 2**20
"""Bytes of a transfer."""

ALGORITHMS = ("hmac-sha256", "hmac-sha384", "hmac-sha512", "hmac-sha224", "hmac-sha1", "hmac-md5")
"""Those of TSIG that take a secret (RFC 8945, section 6)."""

_SAYS = {
    "PeerBadKey": "it does not know the key {key}: compare tsig_name and tsig_algorithm with its configuration",
    "PeerBadSignature": "its secret of the key {key} is another: compare tsig_key with its configuration",
    "PeerBadTime": "its clock and that of this machine are too far apart for a signature: set them",
    "BadTime": "its clock and that of this machine are too far apart for a signature: set them",
    "BadKey": "it signs its answer with another key than {key}",
    "BadSignature": "its signature does not fit its answer: compare tsig_key with its configuration",
}
"""What is wrong with a signature, by the name of dnspython's error."""


_UNSIGNED = "missing TSIG"
"""What dnspython from 2.9 on says of a first or a last message without a signature."""


class InvalidKey(ValueError):
    """A key that nothing can be signed with; names the option, and never the secret."""


class NoTransfer(ServiceError):
    """A zone that was not transferred; says why and what to do, in one clause."""


@dataclass(frozen=True)
class TransferKey:
    """A key that transfers are signed with."""

    name: str
    secret: bytes = field(repr=False)
    algorithm: str = ALGORITHMS[0]


def given_key(name: str, secret: str, algorithm: str) -> TransferKey:
    """The key with a *name* and its *secret* in base64, as name servers are configured. Raises InvalidKey."""
    try:
        owner = zone_name(name)
    except InvalidName as error:
        raise InvalidKey(f"tsig_name {printable(repr(name))} cannot be used, {error}") from error
    try:
        decoded = base64.b64decode("".join(secret.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidKey(
            "tsig_key is not base64, as the secret of a key is in a name server's configuration"
        ) from error
    if not decoded:
        raise InvalidKey("tsig_key is empty")
    return TransferKey(owner, decoded, algorithm)


def transferred(zone: str, addresses: Addresses, key: TransferKey | None, timeout: float) -> list[dict[str, Any]]:
    """The record sets of a *zone* (canonical) that a name server sends, as ``dns_zone_info`` returns record sets.

    *timeout* is in seconds, to connect and between two parts of an answer; SLOWEST of them for all of it. Raises
    NoTransfer.
    """
    asked = _Asked(zone, addresses, key, timeout)
    try:
        return asked.record_sets()
    except NoTransfer as error:
        raise NoTransfer(f"it cannot be transferred from {printable(addresses.server.name)}, {error}") from error


class _Asked:
    """A name server while it is asked for a zone."""

    def __init__(self, zone: str, addresses: Addresses, key: TransferKey | None, timeout: float):
        self._zone = zone
        self._addresses = addresses
        self._key = key
        self._timeout = timeout
        self._ends = machine().monotonic() + SLOWEST * timeout
        self._bytes = 0

    def record_sets(self) -> list[dict[str, Any]]:
        import dns.exception
        import dns.tsig

        connection = self._connected()
        with connection:
            try:
                return self._received(connection)
            except NoTransfer:
                raise
            except TimeoutError as error:
                raise NoTransfer(self._too_late()) from error
            except OSError as error:
                raise NoTransfer(f"the connection ended, {error.strerror or error}") from error
            except (dns.tsig.PeerError, dns.tsig.BadTime, dns.tsig.BadKey, dns.tsig.BadSignature) as error:
                said = _SAYS.get(type(error).__name__, "it refuses the signature with the key {key}")
                raise NoTransfer(said.format(key=self._key_name)) from error
            except dns.exception.FormError as error:
                raise NoTransfer(self._unsigned if str(error) == _UNSIGNED else _no_transfer(error)) from error
            # What is no message can end in anything, in any of dnspython's readers of values.
            except (
                dns.exception.DNSException,
                ArithmeticError,
                AttributeError,
                LookupError,
                TypeError,
                ValueError,
                struct.error,
            ) as error:
                raise NoTransfer(_no_transfer(error)) from error

    @property
    def _key_name(self) -> str:
        return printable_part(self._key.name.rstrip(".")) if self._key else ""

    @property
    def _unsigned(self) -> str:
        return f"its answer is not signed with the key {self._key_name}"

    def _connected(self) -> socket.socket:
        """A connection to the first of its addresses that takes one. Raises NoTransfer."""
        if not self._addresses.found:
            raise NoTransfer(self._addresses.complaint)
        refusal = ""
        for address in self._addresses.found:
            go_on()
            try:
                return socket.create_connection((address, self._addresses.server.port), self._seconds())
            except OSError as error:
                reason = "it does not answer" if isinstance(error, TimeoutError) else error.strerror or str(error)
                refusal = refusal or f"it takes no connection at {address} port {self._addresses.server.port}, {reason}"
        raise NoTransfer(f"{refusal}: transfers need TCP")

    def _seconds(self) -> float:
        """How long the next step may take. Raises TimeoutError."""
        remaining = min(self._timeout, self._ends - machine().monotonic())
        if remaining <= 0:
            raise TimeoutError
        return remaining

    def _too_late(self) -> str:
        if machine().monotonic() >= self._ends:
            return f"it had not sent all of it after {SLOWEST * self._timeout:g} s (see timeout)"
        return f"nothing came for {self._timeout:g} s (see timeout)"

    def _received(self, connection: socket.socket) -> list[dict[str, Any]]:
        """Ask, and take what is answered. Raises NoTransfer, and all that dnspython raises of what is no message."""
        import dns.message
        import dns.name
        import dns.rdatatype
        import dns.tsig
        import dns.xfr

        origin = dns.name.from_text(self._zone)
        query = dns.message.make_query(origin, dns.rdatatype.AXFR, flags=0)
        if self._key:
            query.use_tsig(
                dns.tsig.Key(
                    self._key.name, self._key.secret, f"{_ALGORITHM.get(self._key.algorithm, self._key.algorithm)}."
                )
            )
        wire = query.to_wire()
        connection.settimeout(self._seconds())
        connection.sendall(struct.pack("!H", len(wire)) + wire)
        records = _Records(origin)
        context, is_first, is_done = None, True, False
        # Duck-typed: no more of a transaction is used than to add what comes.
        with dns.xfr.Inbound(records) as inbound:  # type: ignore[arg-type]
            while not is_done:
                message = dns.message.from_wire(
                    self._next_message(connection),
                    keyring=query.keyring,
                    request_mac=query.mac,
                    xfr=True,
                    tsig_ctx=context,
                    multi=True,
                )
                if message.id != query.id:
                    raise NoTransfer("it answers something else than it was asked")
                self._check(message)
                is_done = inbound.process_message(message)
                # Those between the first and the last are covered by the next signature (RFC 8945, section 5.3.1).
                if self._key and (is_first or is_done) and not message.had_tsig:
                    raise NoTransfer(self._unsigned)
                context, is_first = message.tsig_ctx, False
        return records.as_result()

    def _check(self, message: dns.message.Message) -> None:
        """Raises NoTransfer where the server says that it sends nothing."""
        import dns.rcode

        rcode = message.rcode()
        if rcode == dns.rcode.NOERROR:
            return
        if rcode == dns.rcode.REFUSED:
            who = f"who has the key {self._key_name}" if self._key else "this machine"
            key = "" if self._key else ", or set tsig_name and tsig_key"
            raise NoTransfer(f"it refuses that: does it have the zone, and may {who} transfer it? Allow it there{key}")
        if rcode in (dns.rcode.NOTAUTH, dns.rcode.NXDOMAIN) and self._key:  # PowerDNS says nothing of the key
            other = f"does not take the key {self._key_name}: compare both with its configuration"
            raise NoTransfer(f"it does not serve the zone, or {other}")
        if rcode in (dns.rcode.NOTAUTH, dns.rcode.NXDOMAIN):
            raise NoTransfer("it does not serve the zone: check the names of both")
        raise NoTransfer(f"it answers {printable_part(dns.rcode.to_text(rcode))}")

    def _next_message(self, connection: socket.socket) -> bytes:
        """The next message (RFC 1035, section 4.2.2). Raises NoTransfer, OSError."""
        (length,) = struct.unpack("!H", self._exactly(connection, 2))
        self._bytes += length
        if self._bytes > LARGEST:
            raise NoTransfer(f"it has more than {LARGEST >> 20} MiB")
        return self._exactly(connection, length)

    def _exactly(self, connection: socket.socket, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            go_on()
            connection.settimeout(self._seconds())
            part = connection.recv(count - len(parts))
            if not part:
                raise NoTransfer("the connection ended before the zone did")
            parts += part
        return bytes(parts)


_ALGORITHM = {"hmac-md5": "HMAC-MD5.SIG-ALG.REG.INT"}
"""The names of algorithms where they are other ones in DNS (RFC 8945, section 6)."""


def _no_transfer(error: Exception) -> str:
    return f"what it sends is no transfer of the zone ({printable_part(str(error) or type(error).__name__)})"


class _Records:
    """What dnspython writes a transfer to in place of a transaction on a zone."""

    def __init__(self, origin: dns.name.Name):
        self._origin = origin
        self._count = 0
        self._sets: dict[tuple[str, str], tuple[int, dict[str, None]]] = {}

    def origin_information(self) -> tuple[dns.name.Name, bool, dns.name.Name]:
        """The origin as dnspython wants it: the zone, that names stay absolute, and the zone once more."""
        return self._origin, False, self._origin

    def writer(self, _replacement: bool = False) -> _Records:
        """What takes the records."""
        return self

    def add(self, name: dns.name.Name, rdataset: Any) -> None:
        """Take some records. Raises NoTransfer."""
        import dns.rdataclass
        import dns.rdatatype

        if rdataset.rdclass != dns.rdataclass.IN:
            raise NoTransfer("a record in it has another class than IN")
        self._count += len(rdataset)
        if self._count > MAX_RECORDS:
            raise NoTransfer(f"it has more than {MAX_RECORDS} records")
        if not name.is_subdomain(self._origin):
            return
        key = (name.to_text().lower(), dns.rdatatype.to_text(rdataset.rdtype))
        ttl, values = self._sets.get(key, (rdataset.ttl, {}))
        values.update((rdata.to_text(), None) for rdata in rdataset)
        self._sets[key] = (min(ttl, rdataset.ttl), values)

    replace: Callable[[_Records, Any, Any], None] = add

    def commit(self) -> None:
        """All is there."""

    def rollback(self) -> None:
        """Nothing is kept of what is not whole."""
        self._sets.clear()

    def as_result(self) -> list[dict[str, Any]]:
        """The record sets."""
        return [
            {"name": name, "type": rdtype, "ttl": ttl, "contents": [*values]}
            for (name, rdtype), (ttl, values) in sorted(self._sets.items())
        ]
