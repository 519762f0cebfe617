# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ledger of a zone as it is kept, and as it is read back: one that no run can have kept counts as none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import OWNER, Claim, Claims, Ledger
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import MAX_TTL, Key, is_owned_by_service
from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_histories import check_format

FORMAT = 1
MOST_OWNERS = 1000
MOST_VALUES = 6000
"""Of a set; more do not fit into an answer of 65535 bytes (RFC 1035, section 4.2.2), at 11 bytes each."""
LONGEST_NAME = 1100
"""Characters of a name; 255 bytes of it (RFC 1035, section 2.3.4), each written as ``\\000``."""
LONGEST_VALUE = 4 * 65535
LONGEST_TYPE = 64

MAKES_NO_SENSE = "the ledger of earlier runs makes no sense, and counts as empty: nothing is anybody's"


@dataclass(frozen=True)
class KeptLedger:
    """The *content* of a store, and the *ledger* that it is; None where there is none."""

    content: bytes | None = None
    ledger: Ledger | None = None
    makes_no_sense: bool = False


def ledger_content(ledger: Ledger) -> bytes:
    """The ledger, for a store; the same for the same ledger."""
    owners = {
        owner: [[*key, claim.ttl, claim.is_begun, *claim.values] for key, claim in sorted(claims.items())]
        for owner, claims in sorted(ledger.items())
    }
    return json.dumps({"format": FORMAT, "owners": owners}).encode()


def kept_ledger(content: bytes | None, zone: str) -> KeptLedger:
    """What a store has for *zone* (canonical). Raises StateError where only a newer version knows its form."""
    if content is None:
        return KeptLedger()
    try:
        held = json.loads(content)
        check_format("the ledger of earlier runs", held["format"], FORMAT)
        if held["format"] != FORMAT or len(held["owners"]) > MOST_OWNERS:
            raise ValueError("format")
        owners = {_owner(name): _claims(rows, zone) for name, rows in held["owners"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return KeptLedger(content, makes_no_sense=True)
    return KeptLedger(content, {name: claims for name, claims in owners.items() if claims})


def _owner(name: str) -> str:
    if not OWNER.fullmatch(name):
        raise ValueError("no owner")
    return name


def _claims(rows: Any, zone: str) -> Claims:
    claims: dict[Key, Claim] = {}
    types: set[str] = set()
    for name, rdtype, ttl, is_begun, *values in rows:
        # What is canonical, and no more than compared with what the zone holds.
        if not isinstance(name, str) or not name.endswith(zone) or len(name) > LONGEST_NAME:
            raise ValueError("no name")
        if rdtype not in types:
            types.add(_type(rdtype))
        key = Key(name, rdtype)
        if (name != zone and name[-len(zone) - 1] != ".") or is_owned_by_service(name, rdtype, zone) or key in claims:
            raise ValueError("no set")
        if ttl is not None and (not isinstance(ttl, int) or isinstance(ttl, bool) or not 0 <= ttl <= MAX_TTL):
            raise ValueError("no TTL")
        if not values or len(values) > MOST_VALUES or not isinstance(is_begun, bool):
            raise ValueError("no values")
        for value in values:
            is_text = isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE
            if not is_text or not (value.isascii() or value.encode()):
                raise ValueError("no value")
        claims[key] = Claim(ttl, tuple(values), is_begun)
    return claims


def _type(rdtype: Any) -> str:
    if isinstance(rdtype, str) and 0 < len(rdtype) <= LONGEST_TYPE and rdtype.isascii() and rdtype == rdtype.upper():
        return rdtype
    raise ValueError("no type")
