# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on reverse zones."""

from __future__ import annotations

from .._dns.reverse import IPV4_ROOT, NIBBLES, OCTETS, is_reverse
from .._dns.zone_view import ZoneView, is_number, labels
from .rule import KeyedText, Topic, targets

_HIGHEST = 255

RULES = Topic()


@RULES.add("ptr-in-arpa", "error", "RFC 1035, section 3.5")
def ptr_in_arpa(view: ZoneView) -> KeyedText:
    """A PTR leads to a name of a reverse zone, usually because a final dot is missing."""
    for key, host in targets(view, "PTR") if is_reverse(view.zone) else ():
        # DNS-SD has PTR between names of a reverse zone (RFC 6763, section 11).
        if is_reverse(host) and not view.types_at(host) and "._" not in f".{key.name}":
            yield (
                key,
                f"{host} is a name of a reverse zone: write the full name of a host, with its final dot",
            )


@RULES.add("ptr-one-label", "warning", "RFC 1035, section 3.5")
def ptr_one_label(view: ZoneView) -> KeyedText:
    """A PTR leads to a name without a dot inside."""
    for key, host in targets(view, "PTR") if is_reverse(view.zone) else ():
        if len(labels(host)) == 1 and host != "localhost.":
            yield key, f"{host} is a single label, but a host's full name has more"


@RULES.add("ptr-owner", "warning", "RFC 1035, section 3.5; RFC 3596, section 2.5")
def ptr_owner(view: ZoneView) -> KeyedText:
    """The name of a PTR does not correspond to an address.

    Names between ranges (RFC 2317) and for services are left out.
    """
    for one in view.of_type("PTR") if is_reverse(view.zone) else ():
        if one.name == view.zone or "_" in one.name or "*" in one.name:
            continue
        is_ipv4 = f".{one.name}".endswith(f".{IPV4_ROOT}")
        parts = labels(one.name)[:-2]  # without in-addr.arpa or ip6.arpa
        if reason := (_not_ipv4 if is_ipv4 else _not_ipv6)(parts):
            yield one.key, f"no address has this name: {reason}"


@RULES.add("ptr-several", "info", "RFC 2181, section 10.2")
def ptr_several(view: ZoneView) -> KeyedText:
    """An address has more than one name."""
    for one in view.of_type("PTR") if is_reverse(view.zone) else ():
        if len(one.values) > 1 and "_" not in one.name:
            yield (
                one.key,
                f"the address has {len(one.values)} names, but many programs use only one",
            )


def _not_ipv4(parts: list[str]) -> str | None:
    if not all(map(is_number, parts)):
        return None
    if any(int(part[:4]) > _HIGHEST or (part != "0" and part.startswith("0")) for part in parts):
        return "its labels are numbers from 0 to 255, without zeros before them"
    return (
        None
        if len(parts) == OCTETS
        else f"it has {len(parts)} numbers in all, but an IPv4 address has {OCTETS}"
    )


def _not_ipv6(parts: list[str]) -> str | None:
    if not all(set(part) <= set("0123456789abcdef:") for part in parts):
        return None
    if any(len(part) > 1 for part in parts):
        return "each of its labels is one hexadecimal digit, the last one of the address first"
    return (
        None
        if len(parts) == NIBBLES
        else f"it has {len(parts)} digits in all, but an IPv6 address has {NIBBLES}"
    )
