# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone transfers (RFC 5936), optionally signed (RFC 8945).

Servers are not trusted: size, time and number of records are limited, and only dnspython parses them.
"""

from __future__ import annotations

import base64
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .._api.transport import SLOWEST, AnswerTooSlow, Clocked
from .._dns.names import InvalidInput, InvalidName, zone_name
from .._dns.printable import printable, printable_part
from .._dns.record_set import MAX_RECORDS, RecordSet
from .._threads import go_on
from .name_servers import Addresses

with suppress(ImportError):  # module.py reports it
    import dns.message
    import dns.name
    import dns.rcode
    import dns.rdataclass
    import dns.rdatatype
    import dns.tsig
    import dns.xfr

LARGEST = 64 * 2**20
"""In bytes."""

ALGORITHMS = ("hmac-sha256", "hmac-sha384", "hmac-sha512", "hmac-sha224", "hmac-sha1", "hmac-md5")
"""TSIG algorithms with a secret (RFC 8945, section 6)."""

MISSING_TSIG = "missing TSIG"
"""As dnspython says it."""


class InvalidKey(InvalidInput):
    """An unusable key. The message names the option, never the secret."""


class NoTransfer(Exception):
    """The message is a clause."""


@dataclass(frozen=True)
class TransferKey:
    name: str
    secret: bytes = field(repr=False)
    algorithm: str = ALGORITHMS[0]


def checked_key(name: str, secret: str, algorithm: str) -> TransferKey:
    """The key of a base64 *secret*. Raises InvalidKey."""
    try:
        owner = zone_name(name)
    except InvalidName as error:
        raise InvalidKey(f"tsig_name {printable(repr(name))} cannot be used: {error}") from error
    try:
        decoded = base64.b64decode("".join(secret.split()), validate=True)
    except ValueError as error:
        raise InvalidKey(
            "tsig_key is not base64, as the secret of a key is in a name server's configuration"
        ) from error
    if not decoded:
        raise InvalidKey("tsig_key is empty")
    return TransferKey(owner, decoded, algorithm)


def transferred(
    zone: str, addresses: Addresses, key: TransferKey | None, timeout: float
) -> list[dict[str, Any]]:
    """A zone's record sets as ``dns_zone_info`` returns them. Raises NoTransfer.

    *timeout* (seconds) is for each connect or read; the whole transfer may take SLOWEST times as long.
    """
    reason = ""
    try:
        with _connected(addresses, timeout) as connection:
            return _received(connection, zone, key)
    except NoTransfer as error:
        reason = str(error)
    except AnswerTooSlow:
        reason = f"the transfer was not complete after {SLOWEST * timeout:g} s (see timeout)"
    except TimeoutError:
        reason = f"nothing arrived for {timeout:g} s (see timeout)"
    except OSError as error:
        reason = f"the connection ended: {error.strerror or error}"
    except Exception as error:  # noqa: BLE001 - dnspython can raise anything for an invalid message
        reason = _no_transfer(error, key)
    raise NoTransfer(f"it cannot be transferred from {printable(addresses.server.name)}: {reason}")


def _connected(addresses: Addresses, timeout: float) -> socket.socket:
    """A connection to the first address that accepts. Raises NoTransfer."""
    if not addresses.found:
        raise NoTransfer(addresses.complaint)
    refusal, port = "", addresses.server.port
    for address in addresses.found:
        go_on()
        try:
            return socket.create_connection((address, port), timeout)
        except OSError as error:
            reason = (
                "it does not answer"
                if isinstance(error, TimeoutError)
                else error.strerror or str(error)
            )
            refusal = refusal or f"no connection to {address} port {port} ({reason})"
    raise NoTransfer(f"{refusal}; transfers need TCP")


def _received(
    connection: socket.socket, zone: str, key: TransferKey | None
) -> list[dict[str, Any]]:
    """Raises NoTransfer, OSError, and dnspython's errors.

    ``dns.query.inbound_xfr`` is not used, because before dnspython 2.9 it accepts an unsigned first message.
    """
    origin = dns.name.from_text(zone)
    query = dns.message.make_query(origin, dns.rdatatype.AXFR, flags=0)
    if key:
        query.use_tsig(
            dns.tsig.Key(
                key.name, key.secret, getattr(dns.tsig, key.algorithm.upper().replace("-", "_"))
            )
        )
    connection.sendall(query.to_wire(prepend_length=True))
    messages = _messages(connection)
    records = _Records(origin)
    context, is_first, is_done = None, True, False
    # The transaction only needs to add.
    with dns.xfr.Inbound(records) as inbound:  # type: ignore[arg-type] # duck-typed
        while not is_done:
            message = dns.message.from_wire(
                next(messages), query.keyring, query.mac, xfr=True, tsig_ctx=context, multi=True
            )
            if message.id != query.id:
                raise NoTransfer("it answers a different question")
            is_done = inbound.process_message(message)
            # The next signature covers the unsigned messages before it (RFC 8945, section 5.3.1).
            if key and (is_first or is_done) and not message.had_tsig:
                raise ValueError(MISSING_TSIG)
            context, is_first = message.tsig_ctx, False
    return [
        RecordSet(*key, ttl, tuple(values)).as_result()
        for key, (ttl, values) in sorted(records.sets.items())
    ]


def _shown(key: TransferKey) -> str:
    return printable_part(key.name.rstrip("."))


def _no_transfer(error: Exception, key: TransferKey | None) -> str:
    if isinstance(error, dns.xfr.TransferError):
        who = f"whoever has the key {_shown(key)}" if key else "this machine"
        or_key = "" if key else ", or set tsig_name and tsig_key"
        rcode = printable_part(dns.rcode.to_text(error.rcode))
        return (
            f"it answers {rcode}: check that it serves the zone and lets {who} transfer it{or_key}"
        )
    words = printable_part(str(error) or type(error).__name__)
    of_key = (dns.tsig.BadKey, dns.tsig.BadSignature, dns.tsig.BadTime, dns.tsig.PeerError)
    if key and (isinstance(error, of_key) or words == MISSING_TSIG):
        return (
            f"the key {_shown(key)} does not work ({words.rstrip('.')}): compare tsig_name, tsig_key and "
            "tsig_algorithm with its configuration, and its clock with that of this machine"
        )
    return f"what it sends is not a transfer of the zone ({words})"


def _messages(connection: socket.socket) -> Iterator[bytes]:
    """The messages (RFC 1035, section 4.2.2). Raises NoTransfer, OSError, AnswerTooSlow."""
    received, remaining = Clocked(connection).makefile("rb"), LARGEST
    while len(prefix := received.read(2)) == 2:
        length = int.from_bytes(prefix, "big")
        remaining -= length
        if remaining < 0:
            raise NoTransfer(f"the zone has more than {LARGEST >> 20} MiB")
        wire = received.read(length)
        if len(wire) < length:
            break
        yield wire
        go_on()
    raise NoTransfer("the connection ended before the zone did")


class _Records:
    """Stands for dnspython's transaction on a zone."""

    def __init__(self, origin: dns.name.Name):
        self._origin = origin
        self._count = 0
        self.sets: dict[tuple[str, str], tuple[int, dict[str, None]]] = {}

    def origin_information(self) -> tuple[dns.name.Name, bool, dns.name.Name]:
        return self._origin, False, self._origin

    def writer(self, _replacement: bool = False) -> _Records:
        return self

    def add(self, name: dns.name.Name, rdataset: Any) -> None:
        """Raises NoTransfer."""
        if rdataset.rdclass != dns.rdataclass.IN:
            raise NoTransfer("a record has another class than IN")
        self._count += len(rdataset)
        if self._count > MAX_RECORDS:
            raise NoTransfer(f"the zone has more than {MAX_RECORDS} records")
        if not name.is_subdomain(self._origin):
            return
        key = (name.to_text().lower(), dns.rdatatype.to_text(rdataset.rdtype))
        ttl, values = self.sets.get(key, (rdataset.ttl, {}))
        values.update((rdata.to_text(), None) for rdata in rdataset)
        self.sets[key] = (min(ttl, rdataset.ttl), values)

    replace: Callable[[_Records, Any, Any], None] = add

    def commit(self) -> None:
        """Does nothing: every record is kept at once."""

    rollback = commit
