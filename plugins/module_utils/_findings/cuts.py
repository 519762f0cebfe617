# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on delegations and DNAMEs, where a zone ends."""

from __future__ import annotations

from .._dns.record_set import SIGNING_TYPES
from .._dns.zone_view import ADDRESS_TYPES, ZoneView, hosts, parent
from .rule import KeyedText, Topic, targets

_AT_DELEGATION = SIGNING_TYPES | {"DS", "NS"}

RULES = Topic()


@RULES.add("no-glue", "error", "RFC 1034, section 4.2.1")
def no_glue(view: ZoneView) -> KeyedText:
    """A delegation names a server at or below itself, whose address (glue) is missing."""
    for owner, one in view.delegations.items():
        cut = view.cut_at(owner)
        if cut is None or cut.key != one.key:
            continue
        for host in dict.fromkeys(hosts(one)):
            below = host == owner or host.endswith(f".{owner}")
            if below and not view.has_address_type(view.names.get(host, {})):
                yield (
                    one.key,
                    f"{host} is below the delegation, so this zone has to hold its address as glue",
                )


@RULES.add("below-delegation", "warning", "RFC 1034, section 4.2.1")
def below_delegation(view: ZoneView) -> KeyedText:
    """There is more at or below a delegation than its NS, DS and glue.

    It is never answered with, because the name servers of another zone are asked.
    """
    glue = {host for _key, host in targets(view, "NS")}
    for one in view.sets() if view.delegations else ():
        cut = view.cut_at(one.name)
        if cut is None or cut.type != "NS" or one.type in SIGNING_TYPES:
            continue
        is_glue = one.type in ADDRESS_TYPES and one.name in glue
        if not is_glue and not (one.name == cut.name and one.type in _AT_DELEGATION):
            yield one.key, f"{cut.name} is delegated, so this zone is never asked for it"


@RULES.add("below-dname", "error", "RFC 6672, section 2.4")
def below_dname(view: ZoneView) -> KeyedText:
    """A set is below a DNAME.

    It is never answered with, because the name stands for another.
    """
    for one in view.sets() if view.dnames else ():
        cut = view.cut_at(one.name)
        if cut is not None and cut.type == "DNAME" and one.type not in SIGNING_TYPES:
            yield (
                one.key,
                f"the DNAME at {cut.name} redirects all names below it, so this is never looked up",
            )


@RULES.add("dname-loop", "error", "RFC 6672, section 2.2")
def dname_loop(view: ZoneView) -> KeyedText:
    """A DNAME leads below itself."""
    for key, host in targets(view, "DNAME"):
        if f".{host}".endswith(f".{key.name}"):
            yield (
                key,
                f"it redirects names below it to names below {host}, which it redirects again, without end",
            )


@RULES.add("dname-beside-delegation", "error", "RFC 6672, section 2.4")
def dname_beside_delegation(view: ZoneView) -> KeyedText:
    """A DNAME stands beside NS below the apex."""
    for name, one in view.dnames.items():
        if name in view.delegations:
            yield (
                one.key,
                "it is beside NS records, which delegate the name, so this zone is never asked for it",
            )


@RULES.add("ds-without-delegation", "warning", "RFC 4035, section 2.4")
def ds_without_delegation(view: ZoneView) -> KeyedText:
    """A DS is at a name that is not delegated.

    It is the parent's word on a zone below it.
    """
    for one in view.of_type("DS"):
        if one.name == view.zone:
            yield one.key, "a DS of the zone itself belongs in the zone above it"
        elif one.name not in view.delegations:
            yield one.key, "its name has no NS, so nothing is delegated there"


@RULES.add("single-name-server", "info", "RFC 2182, section 5")
def single_name_server(view: ZoneView) -> KeyedText:
    """A delegation names a single name server."""
    for one in view.delegations.values():
        if len(one.values) == 1 and parent(view.zone):
            yield one.key, "it names a single name server, but a zone should have two"
