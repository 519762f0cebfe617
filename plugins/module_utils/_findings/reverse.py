# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on reverse zones."""

from __future__ import annotations

from .._dns.names import ends_in
from .._dns.record_set import RecordSet
from .._dns.reverse import IPV4_ROOT, NIBBLES, OCTETS, is_reverse
from .._dns.zone_view import ZoneView, has_underscore, hosts, is_number, labels
from .rule import KeyedText, Topic

RULES = Topic()


@RULES.add("ptr-in-arpa", "error", "RFC 1035, section 3.5")
def ptr_in_arpa(view: ZoneView) -> KeyedText:
    """A PTR leads to a name of a reverse zone, usually because a final dot is missing."""
    for one in _pointers(view):
        if has_underscore(one.name):  # DNS-SD has such PTR records (RFC 6763, section 11)
            continue
        for host in hosts(one):
            if is_reverse(host) and not view.types_at(host):
                instead = "write the full name of a host, with its final dot"
                yield one.key, f"{host} is a name of a reverse zone: {instead}"


@RULES.add("ptr-one-label", "warning", "RFC 1035, section 3.5")
def ptr_one_label(view: ZoneView) -> KeyedText:
    """A PTR leads to a name without a dot inside."""
    for one in _pointers(view):
        for host in hosts(one):
            if len(labels(host)) == 1 and host != "localhost.":
                yield one.key, f"{host} is a single label, but a host's full name has more"


@RULES.add("ptr-owner", "warning", "RFC 1035, section 3.5; RFC 3596, section 2.5")
def ptr_owner(view: ZoneView) -> KeyedText:
    """The name of a PTR does not correspond to an address.

    Names between ranges (RFC 2317) and for services are left out.
    """
    for one in _pointers(view):
        if one.name == view.zone or "_" in one.name or "*" in one.name:
            continue
        parts = labels(one.name)[:-2]  # without in-addr.arpa or ip6.arpa
        reason = _not_ipv4(parts) if ends_in(one.name, IPV4_ROOT) else _not_ipv6(parts)
        if reason:
            yield one.key, f"no address has this name: {reason}"


@RULES.add("ptr-several", "info", "RFC 2181, section 10.2")
def ptr_several(view: ZoneView) -> KeyedText:
    """An address has more than one name."""
    for one in _pointers(view):
        count = len(one.values)
        if count > 1 and "_" not in one.name:
            yield one.key, f"the address has {count} names, but many programs use only one"


def _pointers(view: ZoneView) -> list[RecordSet]:
    """The PTR sets of a reverse zone; none in other zones."""
    return view.of_type("PTR") if is_reverse(view.zone) else []


def _not_ipv4(parts: list[str]) -> str | None:
    """Why the labels are no IPv4 address; None if they are, or are not meant to be."""
    if not all(map(is_number, parts)):
        return None
    for part in parts:
        has_zeros = part.startswith("0") and part != "0"
        if has_zeros or int(part[:4]) > 255:
            return "its labels are numbers from 0 to 255, without zeros before them"
    if len(parts) == OCTETS:
        return None
    return f"it has {len(parts)} numbers in all, but an IPv4 address has {OCTETS}"


def _not_ipv6(parts: list[str]) -> str | None:
    """Why the labels are no IPv6 address; None if they are, or are not meant to be."""
    if not set("".join(parts)) <= set("0123456789abcdef:"):
        return None
    if any(len(part) > 1 for part in parts):
        return "each of its labels is one hexadecimal digit, the last one of the address first"
    if len(parts) == NIBBLES:
        return None
    return f"it has {len(parts)} digits in all, but an IPv6 address has {NIBBLES}"
