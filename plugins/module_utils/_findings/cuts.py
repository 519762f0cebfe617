# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on delegations and DNAMEs, where a zone ends."""

from __future__ import annotations

from collections.abc import Iterator

from .._dns.names import ends_in
from .._dns.record_set import SIGNING_TYPES, RecordSet
from .._dns.zone_view import ADDRESS_TYPES, ZoneView, hosts
from .rule import KeyedText, Topic, targets

_AT_DELEGATION = ("DS", "NS")

RULES = Topic()


@RULES.add("no-glue", "error", "RFC 1034, section 4.2.1")
def no_glue(view: ZoneView) -> KeyedText:
    """A delegation names a server at or below itself, whose address (glue) is missing."""
    for owner, one in view.delegations.items():
        if view.cut_at(owner) is not one:
            continue
        for host in hosts(one):
            there = view.names.get(host, {})
            if ends_in(host, owner) and not view.has_address_type(there):
                yield (
                    one.key,
                    f"{host} is below the delegation, so this zone has to hold its address as glue",
                )


@RULES.add("below-delegation", "warning", "RFC 1034, section 4.2.1")
def below_delegation(view: ZoneView) -> KeyedText:
    """There is more at or below a delegation than its NS, DS and glue.

    It is never answered with, because the name servers of another zone are asked.
    """
    servers = {host for _key, host in targets(view, "NS")}
    for one, cut in _below(view, "NS"):
        is_glue = one.type in ADDRESS_TYPES and one.name in servers
        is_of_cut = one.name == cut.name and one.type in _AT_DELEGATION
        if not is_glue and not is_of_cut:
            yield one.key, f"{cut.name} is delegated, so this zone is never asked for it"


@RULES.add("below-dname", "error", "RFC 6672, section 2.4")
def below_dname(view: ZoneView) -> KeyedText:
    """A set is below a DNAME.

    It is never answered with, because the name stands for another.
    """
    for one, cut in _below(view, "DNAME"):
        yield (
            one.key,
            f"the DNAME at {cut.name} redirects all names below it, so this is never looked up",
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


def _below(view: ZoneView, rdtype: str) -> Iterator[tuple[RecordSet, RecordSet]]:
    """The sets at or below a delegation or DNAME, with that; those that sign the zone are left out."""
    for one in view.sets():
        cut = view.cut_at(one.name)
        if cut and cut.type == rdtype and one.type not in SIGNING_TYPES:
            yield one, cut
