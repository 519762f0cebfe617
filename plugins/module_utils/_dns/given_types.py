# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Types that people write: an unknown one is taken as it is, but not where it is a known one with a slip in it."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import InvalidRdata, is_unknown, record_type
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.slips import meant

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.rdatatype

OF_SERVICES = frozenset({"ALIAS", "ANAME", "LUA", "REDIRECT", "URL"})
REGISTERED = frozenset(
    {"ATMA", "BRID", "CLA", "DOA", "DSYNC", "EID", "GID", "HHIT", "IPN", "NIMLOC", "RESINFO", "RKEY", "SINK", "TALINK"}
    | {"UID", "UINFO", "WALLET"}
)
"""Registered types that some dnspython that is accepted does not know."""


def given_type(text: str) -> str:
    """The type, as ``record_type`` has it, of a set that a person writes down. Raises InvalidRdata."""
    rdtype = record_type(text)
    if slip := slip_in(rdtype):
        raise InvalidRdata(slip)
    return rdtype


def slip_in(rdtype: str) -> str | None:
    """What is wrong with a type in upper case that looks like a known one with a slip in it, in one clause."""
    known = known_type_near(rdtype)
    return f"nobody knows the type {rdtype}; did you mean {known}?" if known else None


@cache
def known_type_near(mnemonic: str) -> str | None:
    """The known type that an unknown *mnemonic* in upper case is one slip away from; none for a glob."""
    is_word = mnemonic.replace("-", "").isalnum()
    if not is_word or not is_unknown(mnemonic) or mnemonic in OF_SERVICES | REGISTERED:
        return None
    known = sorted(kind for kind in dns.rdatatype.RdataType if not (kind == 0 or dns.rdatatype.is_metatype(kind)))
    return meant(mnemonic, map(dns.rdatatype.to_text, known), most=1)  # of two the older, the more in use
