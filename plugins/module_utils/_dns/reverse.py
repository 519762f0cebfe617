# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reverse zones: their addresses and owner names (RFC 1035, 3.5; RFC 3596, 2.5; RFC 2317)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import TypeAlias

from .names import InvalidName

IPV4_ROOT, IPV6_ROOT = "in-addr.arpa.", "ip6.arpa."
OCTETS, NIBBLES = 4, 32
_OCTET = re.compile(r"0|[1-9][0-9]{0,2}")
_NIBBLE = re.compile(r"[0-9a-f]")
_RANGE = re.compile(r"([0-9]{1,3})([/-])([0-9]{1,3})")
_LAST = 255

Address: TypeAlias = "IPv4Address | IPv6Address"


@dataclass(frozen=True)
class ReverseZone:
    """A zone for addresses from *first* to *last*."""

    name: str
    first: Address
    last: Address
    is_part_of_octet: bool = False  # as in RFC 2317

    def holds(self, address: Address) -> bool:
        return address.version == self.first.version and int(self.first) <= int(address) <= int(
            self.last
        )

    def owner_name(self, address: Address) -> str:
        if self.is_part_of_octet:
            return f"{int(address) & _LAST}.{self.name}"
        return f"{address.reverse_pointer}."


def is_reverse(zone: str) -> bool:
    return f".{zone}".endswith((f".{IPV4_ROOT}", f".{IPV6_ROOT}"))


def reverse_zone(name: str) -> ReverseZone:
    """Raises InvalidName."""
    for root, pattern, parse in ((IPV4_ROOT, _OCTET, _of_ipv4), (IPV6_ROOT, _NIBBLE, _of_ipv6)):
        if f".{name}".endswith(f".{root}"):
            labels = name[: -len(root)].split(".")[-2::-1]
            classless = (
                labels.pop()
                if root == IPV4_ROOT and labels and _RANGE.fullmatch(labels[-1])
                else None
            )
            if not all(map(pattern.fullmatch, labels)):
                break
            return _of_range(name, labels, classless) if classless else parse(name, labels)
    raise InvalidName(
        "it is not a reverse zone, such as 2.0.192.in-addr.arpa, 0/25.2.0.192.in-addr.arpa or 8.b.d.0.1.0.0.2.ip6.arpa"
    )


def turned_round(zone: ReverseZone) -> ReverseZone | None:
    """With the numbers in the order of addresses; None if invalid."""
    root = IPV4_ROOT if zone.first.version == 4 else IPV6_ROOT
    labels = zone.name.removesuffix(root).split(".")[-2::-1]
    try:
        return reverse_zone(".".join([*labels, root]))
    except InvalidName:
        return None


def _of_ipv4(name: str, labels: list[str]) -> ReverseZone:
    octets = list(map(int, labels))
    if len(octets) > OCTETS or any(octet > _LAST for octet in octets):
        raise InvalidName("an IPv4 address has four numbers from 0 to 255")
    rest = OCTETS - len(octets)
    first, last = (bytes([*octets, *[filling] * rest]) for filling in (0, _LAST))
    return ReverseZone(name, IPv4Address(first), IPv4Address(last))


def _of_ipv6(name: str, labels: list[str]) -> ReverseZone:
    if len(labels) > NIBBLES:
        raise InvalidName("an IPv6 address has 32 hexadecimal digits")
    first, last = (int("".join(labels).ljust(NIBBLES, filling), 16) for filling in "0f")
    return ReverseZone(name, IPv6Address(first), IPv6Address(last))


def _of_range(name: str, labels: list[str], classless: str) -> ReverseZone:
    """Part of 256 addresses, ``first/prefix length`` or ``first-last`` (RFC 2317, section 4)."""
    match = _RANGE.fullmatch(classless)
    whole = _of_ipv4(name, labels)
    if not match or len(labels) != OCTETS - 1:
        raise InvalidName("a range such as 0/25 comes before three numbers (RFC 2317)")
    start, end = int(match[1]), int(match[3])
    if match[2] == "/":
        size = 1 << max(0, 32 - end)
        if not 24 <= end <= 32 or start % size:
            raise InvalidName(
                f"{classless} is not a network: a prefix length is 24 to 32, and begins at a multiple of its size"
            )
        end = start + size - 1
    if not start <= end <= _LAST:
        raise InvalidName(f"{classless} is not a range of numbers from 0 to 255")
    base = int(whole.first)
    return ReverseZone(
        name, IPv4Address(base + start), IPv4Address(base + end), is_part_of_octet=True
    )
