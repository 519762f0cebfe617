# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on reverse zones."""

from __future__ import annotations

from .._dns.names import InvalidName
from .._dns.record_set import RecordSet
from .._dns.reverse import is_reverse, reverse_zone
from .._dns.zone_view import ZoneView, has_underscore, hosts, labels
from .rule import KeyedText, Topic

_DIGITS = frozenset("0123456789abcdef:")
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
        digits = "".join(labels(one.name)[:-2])  # without in-addr.arpa or ip6.arpa
        if set(digits) <= _DIGITS and not _is_of_address(one.name):
            form = (
                "4 numbers of an IPv4 address, or 32 digits of an IPv6 address, the last one first"
            )
            yield one.key, f"no address has this name: there must be {form}"


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


def _is_of_address(name: str) -> bool:
    try:
        zone = reverse_zone(name)
    except InvalidName:
        return False
    return zone.first == zone.last
