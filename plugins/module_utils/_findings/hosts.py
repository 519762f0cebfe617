# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on CNAMEs and on the hosts that values name."""

from __future__ import annotations

import re
from collections import Counter

from .._dns.names import is_doubled
from .._dns.record_set import BESIDE_CNAME, CNAME_AT_APEX, SIGNING_TYPES, Key
from .._dns.record_types import HOST_TYPES
from .._dns.zone_view import (
    ADDRESS_TYPES,
    ZoneView,
    has_underscore,
    hosts,
    labels,
    parent,
)
from .rule import KeyedText, Topic, targets

LONGEST_CHAIN = 8
_LEADS_ON = ("CNAME", "HTTPS", "SVCB")
_NAMING_HOSTS = ("CNAME", "HTTPS", "MX", "NS", "PTR", "SRV", "SVCB")
_SHOWN_NAMES = 6
_HOST_LABELS = re.compile(r"(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*")

RULES = Topic()


@RULES.add("cname-target-missing", "error", "RFC 1034, section 3.6.2")
def cname_target_missing(view: ZoneView) -> KeyedText:
    """A CNAME leads to a name in the zone that has no records.

    Names with an underscore are left out: what they lead to may be there for moments only, as for ACME. The apex is
    never empty, though its SOA and NS may be left out here.
    """
    for key, target in targets(view, "CNAME"):
        is_empty = view.types_at(target) == {} and target != view.zone
        if is_empty and not key.name.startswith("_"):
            yield key, f"{target} is in this zone but has no records"


@RULES.add("cname-target-no-address", "warning", "RFC 1034, section 3.6.2")
def cname_target_no_address(view: ZoneView) -> KeyedText:
    """A CNAME leads to a name in the zone that has records but no address.

    Names with an underscore are left out, which are not about addresses.
    """
    for key, target in targets(view, "CNAME"):
        there = view.types_at(target)
        if there is None or view.has_address_type(there) or has_underscore(key.name):
            continue
        is_name = there or target == view.zone
        if is_name and there.keys().isdisjoint(_LEADS_ON):
            yield key, f"{target} has no address"


@RULES.add("cname-loop", "error", "RFC 1034, section 3.6.2")
def cname_loop(view: ZoneView) -> KeyedText:
    """CNAMEs lead in a circle.

    Each that leads back to itself is told, be it by a wildcard.
    """
    for one in view.of_type("CNAME"):
        path = _chain(view, one.name)
        if one.name in path[1:]:
            yield one.key, f"it leads back to itself: {' -> '.join(path[:_SHOWN_NAMES])}"


@RULES.add("cname-chain", "warning", "RFC 1034, section 3.6.2")
def cname_chain(view: ZoneView) -> KeyedText:
    """A chain has more than 8 CNAMEs."""
    for one in view.of_type("CNAME"):
        path = _chain(view, one.name)
        if len(set(path)) > LONGEST_CHAIN:
            clause = f"a chain of more than {LONGEST_CHAIN} CNAMEs begins here"
            yield one.key, f"{clause}, and resolvers may give up"


@RULES.add("cname-beside-others", "error", "RFC 1034, section 3.6.2")
def cname_beside_others(view: ZoneView) -> KeyedText:
    """A CNAME is not alone at its name."""
    for one in view.of_type("CNAME"):
        types = view.names[one.name].keys()
        others = types - BESIDE_CNAME - {"CNAME"}
        if others and one.name != view.zone:
            shown = " and ".join(sorted(others))
            yield one.key, f"a CNAME must be alone at its name, but {shown} is there too"


@RULES.add("cname-at-apex", "error", "RFC 1912, section 2.4")
def cname_at_apex(view: ZoneView) -> KeyedText:
    """A CNAME is at the apex."""
    for one in view.of_type("CNAME"):
        if one.name == view.zone:
            yield one.key, CNAME_AT_APEX


@RULES.add("single-value", "error", "RFC 2181, section 10.1")
def single_value(view: ZoneView) -> KeyedText:
    """A CNAME or DNAME has more than one value."""
    for one in view.of_type("CNAME", "DNAME"):
        count = len(one.values)
        if count > 1:
            yield one.key, f"a {one.type} holds one value, but this has {count}"


@RULES.add("mx-no-address", "error", "RFC 5321, section 5.1")
def mx_no_address(view: ZoneView) -> KeyedText:
    """The host of an MX is in the zone and has no address."""
    return _no_address(view, "MX")


@RULES.add("ns-no-address", "error", "RFC 1912, section 2.8")
def ns_no_address(view: ZoneView) -> KeyedText:
    """A name server is in the zone and has no address."""
    return _no_address(view, "NS")


@RULES.add("srv-no-address", "error", "RFC 2782")
def srv_no_address(view: ZoneView) -> KeyedText:
    """The host of an SRV is in the zone and has no address."""
    return _no_address(view, "SRV")


@RULES.add("svcb-no-address", "warning", "RFC 9460, section 3")
def svcb_no_address(view: ZoneView) -> KeyedText:
    """The host of an HTTPS or SVCB is in the zone and has no address."""
    return _no_address(view, "HTTPS", "SVCB")


@RULES.add("mx-cname", "warning", "RFC 2181, section 10.3")
def mx_cname(view: ZoneView) -> KeyedText:
    """The host of an MX is a CNAME."""
    return _is_cname(view, "MX")


@RULES.add("ns-cname", "error", "RFC 2181, section 10.3")
def ns_cname(view: ZoneView) -> KeyedText:
    """A name server is a CNAME."""
    return _is_cname(view, "NS")


@RULES.add("srv-cname", "warning", "RFC 2782")
def srv_cname(view: ZoneView) -> KeyedText:
    """The host of an SRV is a CNAME."""
    return _is_cname(view, "SRV")


@RULES.add("mx-host-twice", "warning", "RFC 5321, section 5.1")
def mx_host_twice(view: ZoneView) -> KeyedText:
    """A mail host is listed with several preferences.

    Senders see the lowest.
    """
    for one in view.of_type("MX"):
        for host, count in Counter(hosts(one)).items():
            if count > 1:
                clause = "is listed with several preferences, and only the lowest one counts"
                yield one.key, f"{host} {clause}"


@RULES.add("null-mx-beside-others", "error", "RFC 7505, section 3")
def null_mx_beside_others(view: ZoneView) -> KeyedText:
    """A null MX stands beside other hosts."""
    for one in view.of_type("MX"):
        voids = [value for value in one.values if value.endswith(" .")]
        if voids and len(one.values) > 1:
            yield one.key, "the host . says that there is no mail, but there are other hosts"


@RULES.add("host-wildcard", "warning", "RFC 4592, section 2.1")
def wildcard_host(view: ZoneView) -> KeyedText:
    """The host in a value is itself a wildcard name.

    There ``*`` is a letter like any other.
    """
    for key, host in targets(view, *HOST_TYPES):
        if host.startswith("*."):
            yield (
                key,
                f"{host} is not a host: write one, since a wildcard works only as an owner name",
            )


@RULES.add("owner-not-host", "warning", "RFC 1123, section 2.1")
def owner_not_host(view: ZoneView) -> KeyedText:
    """An A, AAAA or MX is at a name that is not a valid host name.

    Many have underscores all the same.
    """
    for one in view.of_type(*ADDRESS_TYPES, "MX"):
        below = one.name.removesuffix(view.zone)
        if _has_inner_asterisk(one.name):
            continue
        if not _HOST_LABELS.fullmatch(below):
            takes = "letters, digits, underscores and, between them, hyphens"
            yield one.key, f"{one.name} is not the name of a host, which takes {takes}"


@RULES.add("wildcard-inside", "warning", "RFC 4592, section 2.1.1")
def wildcard_inside(view: ZoneView) -> KeyedText:
    """A name has an asterisk that is not its whole first label.

    There it is a letter like any other.
    """
    for one in view.sets():
        if _has_inner_asterisk(one.name):
            instead = f"write *.{view.zone}, or each of the names"
            yield one.key, f"* is a wildcard only as the whole first label: {instead}"


@RULES.add("wildcard-hidden", "warning", "RFC 4592, section 2.2.1; RFC 1034, section 4.3.3")
def wildcard_hidden(view: ZoneView) -> KeyedText:
    """A change makes a name exist, so a wildcard no longer answers for it.

    Names with an underscore are left out, and addresses of its own are enough for a name.
    """
    has_wildcards = any(name.startswith("*.") for name in view.names)
    if view.before is None or not has_wildcards:
        return
    before = ZoneView(view.before, view.zone)
    for name, key in _new_names(view, before).items():
        held = view.types_at(name)
        if held is None or "CNAME" in held:
            continue
        wildcard = f"*.{parent(name)}"
        of_wildcard = view.names.get(wildcard, {})
        answered = before.types_at(name) or {}
        hidden = answered.keys() & of_wildcard.keys() - held.keys() - SIGNING_TYPES
        if view.has_address_type(held):
            hidden -= {*ADDRESS_TYPES, "CNAME", *view.opaque_types}
        if hidden:
            what = ", ".join(sorted(hidden))
            unanswered = f"{wildcard} does not answer for it with {what}"
            yield key, f"{name} exists, so {unanswered}: add what it needs"


def _new_names(view: ZoneView, before: ZoneView) -> dict[str, Key]:
    """The highest names that a change makes exist, each with the key of a set at or below it."""
    new = view.nodes - before.nodes
    found: dict[str, Key] = {}
    for one in view.sets():
        name = one.name
        while parent(name) in new:
            name = parent(name)
        if name in new and not has_underscore(name):
            found.setdefault(name, one.key)
    return found


@RULES.add("doubled-zone", "warning", "RFC 1035, section 5.1")
def doubled_zone(view: ZoneView) -> KeyedText:
    """A name ends in the zone's name twice, usually because a final dot is missing."""
    if len(labels(view.zone)) < 2:
        return
    for one in view.sets():
        names = [one.name]
        if one.type in _NAMING_HOSTS:
            names += hosts(one)
        for name in names:
            if is_doubled(name, view.zone):
                yield one.key, f"{name} ends in the zone's name twice: is a final dot missing?"


def _has_inner_asterisk(name: str) -> bool:
    return "*" in name.removeprefix("*.")


def _no_address(view: ZoneView, *types: str) -> KeyedText:
    """Hosts in the zone without an address, except CNAMEs, which have another rule."""
    for key, host in targets(view, *types):
        there = view.types_at(host)
        if there is None or "CNAME" in there or view.has_address_type(there):
            continue
        may_be_alias = key.type in ("HTTPS", "SVCB")
        if not may_be_alias or there.keys().isdisjoint(_LEADS_ON):
            yield key, f"{host} is in this zone but has no address"


def _is_cname(view: ZoneView, rdtype: str) -> KeyedText:
    for key, host in targets(view, rdtype):
        there = view.types_at(host)
        if there and "CNAME" in there:
            yield key, f"{host} is a CNAME, but must have addresses of its own"


def _chain(view: ZoneView, owner: str) -> list[str]:
    """The owners of the first CNAMEs of a chain; the last is one of the others if it is a loop."""
    path = [owner]
    while len(path) <= LONGEST_CHAIN:
        target = next(hosts(view.names[path[-1]]["CNAME"]), "")
        there = view.types_at(target) or {}
        if "CNAME" not in there:
            break
        name = there["CNAME"].name
        path.append(name)
        if name in path[:-1]:
            break
    return path
