# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reverse zones: their addresses and owner names (RFC 1035, 3.5; RFC 3596, 2.5; RFC 2317)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import TypeAlias

from .names import InvalidName, ends_in

IPV4_ROOT, IPV6_ROOT = "in-addr.arpa.", "ip6.arpa."
OCTETS, NIBBLES = 4, 32
_OCTET = re.compile(r"0|[1-9][0-9]{0,2}")
_NIBBLE = re.compile(r"[0-9a-f]")
_CLASSLESS = re.compile(r"([0-9]{1,3})([/-])([0-9]{1,3})")
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
    if ends_in(name, IPV4_ROOT):
        numbers = _numbers(name, IPV4_ROOT)
        *octets, last = numbers or [""]
        classless = _CLASSLESS.fullmatch(last)
        if classless and all(map(_OCTET.fullmatch, octets)):
            return _part_of_octet(name, octets, classless)
        if all(map(_OCTET.fullmatch, numbers)):
            return _ipv4(name, numbers)
    elif ends_in(name, IPV6_ROOT):
        nibbles = _numbers(name, IPV6_ROOT)
        if all(map(_NIBBLE.fullmatch, nibbles)):
            return _ipv6(name, nibbles)
    raise InvalidName(
        "it is not a reverse zone, such as 2.0.192.in-addr.arpa, 0/25.2.0.192.in-addr.arpa or "
        "8.b.d.0.1.0.0.2.ip6.arpa"
    )


def turned_round(zone: ReverseZone) -> ReverseZone | None:
    """With the numbers in the order of addresses; None if invalid."""
    root = IPV4_ROOT if zone.first.version == 4 else IPV6_ROOT
    numbers = _numbers(zone.name, root)
    try:
        return reverse_zone(".".join([*numbers, root]))
    except InvalidName:
        return None


def _numbers(name: str, root: str) -> list[str]:
    """The labels below the root, in the order of an address."""
    labels = name.removesuffix(root).split(".")
    labels.reverse()
    return labels[1:]  # without what is before the root


def _ipv4(name: str, octets: list[str]) -> ReverseZone:
    numbers = [int(octet) for octet in octets]
    if len(numbers) > OCTETS or any(number > _LAST for number in numbers):
        raise InvalidName("an IPv4 address has four numbers from 0 to 255")
    missing = OCTETS - len(numbers)
    first = bytes([*numbers, *[0] * missing])
    last = bytes([*numbers, *[_LAST] * missing])
    return ReverseZone(name, IPv4Address(first), IPv4Address(last))


def _ipv6(name: str, nibbles: list[str]) -> ReverseZone:
    if len(nibbles) > NIBBLES:
        raise InvalidName("an IPv6 address has 32 hexadecimal digits")
    known = "".join(nibbles)
    first = int(known.ljust(NIBBLES, "0"), 16)
    last = int(known.ljust(NIBBLES, "f"), 16)
    return ReverseZone(name, IPv6Address(first), IPv6Address(last))


def _part_of_octet(name: str, octets: list[str], classless: re.Match[str]) -> ReverseZone:
    """The zone of a part of 256 addresses. Raises InvalidName."""
    whole = _ipv4(name, octets)
    if len(octets) != OCTETS - 1:
        raise InvalidName("a range such as 0/25 comes before three numbers (RFC 2317)")
    numbers = _numbers_of_part(classless)
    first = IPv4Address(int(whole.first) + numbers[0])
    last = IPv4Address(int(whole.first) + numbers[-1])
    return ReverseZone(name, first, last, is_part_of_octet=True)


def _numbers_of_part(classless: re.Match[str]) -> range:
    """The last octets that ``first/prefix length`` or ``first-last`` means (RFC 2317, section 4).

    RFC 4183 writes ``first-prefix length``. Where that is possible too, only a range that is a
    network is taken for one; what a service's zone is meant to hold cannot be guessed.
    Raises InvalidName.
    """
    start, end = int(classless[1]), int(classless[3])
    network = _network(start, end)
    if classless[2] == "/":
        if network is None:
            raise InvalidName(
                f"{classless[0]} is not a network: a prefix length is 24 to 32, and begins at a "
                "multiple of its size"
            )
        return network
    if not start <= end <= _LAST:
        hint = f": for a network, write {start}/{end}" if network else ""
        raise InvalidName(f"{classless[0]} is not a range of numbers from 0 to 255{hint}")
    numbers = range(start, end + 1)
    if network and not _is_network(numbers):
        raise InvalidName(
            f"{classless[0]} may be the network {start}/{end} (RFC 4183) or the numbers "
            f"from {start} to {end} (RFC 2317): for the network, write {start}/{end} or {start}-{network[-1]}"
        )
    return numbers


def _network(start: int, prefix_length: int) -> range | None:
    """The last octets of a network; None if there is no such network in 256 addresses."""
    if not 24 <= prefix_length <= 32:
        return None
    size = 1 << (32 - prefix_length)
    if start % size or start > _LAST:
        return None
    return range(start, start + size)


def _is_network(numbers: range) -> bool:
    size = len(numbers)
    is_power_of_two = size & (size - 1) == 0
    return is_power_of_two and numbers[0] % size == 0
