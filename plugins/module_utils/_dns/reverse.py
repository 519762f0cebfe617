# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reverse zones: their addresses and owner names (RFC 1035, 3.5; RFC 3596, 2.5; RFC 2317)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    summarize_address_range,
)
from typing import TypeAlias

from .names import InvalidName, ends_in

IPV4_ROOT, IPV6_ROOT = "in-addr.arpa.", "ip6.arpa."
OCTETS, NIBBLES = 4, 32
_NIBBLE = re.compile("[0-9a-f]")
_PART = re.compile("([0-9]{1,3})([/-])([0-9]{1,3})")
_OF_256 = 24
"""Prefix length of 256 addresses."""

_LAST = 255

Address: TypeAlias = IPv4Address | IPv6Address


@dataclass(frozen=True)
class ReverseZone:
    """A zone for addresses from *first* to *last*."""

    name: str
    first: Address
    last: Address
    is_part_of_octet: bool = False  # as in RFC 2317

    def holds(self, address: Address) -> bool:
        if address.version != self.first.version:
            return False
        return int(self.first) <= int(address) <= int(self.last)

    def owner_name(self, address: Address) -> str:
        if self.is_part_of_octet:
            return f"{int(address) & _LAST}.{self.name}"
        return f"{address.reverse_pointer}."


def is_reverse(zone: str) -> bool:
    return ends_in(zone, IPV4_ROOT) or ends_in(zone, IPV6_ROOT)


def reverse_zone(name: str) -> ReverseZone:
    """The reverse zone of a canonical name. Raises InvalidName."""
    try:
        if ends_in(name, IPV4_ROOT):
            return _ipv4(name)
        if ends_in(name, IPV6_ROOT):
            return _ipv6(name)
    except InvalidName:
        raise
    except ValueError:  # an InvalidName is one, too
        pass
    raise InvalidName(
        "it is not a reverse zone, such as 2.0.192.in-addr.arpa, 0/25.2.0.192.in-addr.arpa or "
        "8.b.d.0.1.0.0.2.ip6.arpa"
    )


def _numbers(name: str, root: str) -> list[str]:
    """The labels below the root, in the order of an address."""
    labels = name.removesuffix(root).split(".")
    labels.reverse()
    return labels[1:]  # without what is before the root


def _ipv4(name: str) -> ReverseZone:
    """Raises ValueError, InvalidName."""
    octets = _numbers(name, IPV4_ROOT)
    part = _PART.fullmatch(octets[-1]) if octets else None
    if part and len(octets) == OCTETS:
        before = ".".join(octets[:-1])
        first, last = _ends_of_part(before, part)
        return ReverseZone(name, first, last, is_part_of_octet=True)
    missing = ["0"] * (OCTETS - len(octets))
    address = ".".join([*octets, *missing])
    network = IPv4Network(f"{address}/{8 * len(octets)}")
    return ReverseZone(name, network[0], network[-1])


def _ipv6(name: str) -> ReverseZone:
    """Raises ValueError."""
    nibbles = _numbers(name, IPV6_ROOT)
    if not all(map(_NIBBLE.fullmatch, nibbles)):
        raise ValueError
    first = int("".join(nibbles).ljust(NIBBLES, "0"), 16)
    network = IPv6Network((first, 4 * len(nibbles)))
    return ReverseZone(name, network[0], network[-1])


def _ends_of_part(before: str, part: re.Match[str]) -> tuple[IPv4Address, IPv4Address]:
    """The first and last address that ``first/prefix length`` or ``first-last`` means (RFC 2317, section 4).

    *before* are the other three numbers. RFC 4183 writes ``first-prefix length``. Where that is possible too, only a
    range that is a network is taken for one. Raises ValueError, InvalidName.
    """
    start, separator, end = part.groups()
    network = _network(f"{before}.{start}/{end}")
    if separator == "/":
        if network is None:
            raise ValueError
        return network[0], network[-1]
    first, last = IPv4Address(f"{before}.{start}"), IPv4Address(f"{before}.{end}")
    networks = [*summarize_address_range(first, last)]
    if network and len(networks) > 1:
        raise InvalidName(
            f"{part[0]} may be the network {start}/{end} (RFC 4183) or the numbers from {start} to "
            f"{end} (RFC 2317): for the network, write {start}/{end}"
        )
    return first, last


def _network(text: str) -> IPv4Network | None:
    """A network in 256 addresses; None if it is none."""
    try:
        network = IPv4Network(text)
    except ValueError:
        return None
    return network if network.prefixlen >= _OF_256 else None
