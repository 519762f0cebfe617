# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values of record sets: from what people and the service write to one canonical text.

The canonical text of a value is its zone-file form as dnspython prints it, host names absolute and in lower case, TXT
quoted in chunks of 255 bytes. Two values are the same when their canonical texts are. Most values show at a glance what
it is (``plain_values``); dnspython reads all others, and is imported for them alone (``read_values``).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_values import PLAIN_TYPES, plain_value

_MNEMONIC = re.compile(r"[A-Z][A-Z0-9-]*")
_TEXT_TYPES = frozenset({"TXT", "SPF"})
_WITH_NOTHING = {"TXT": '""', "SPF": '""', "APL": r"\# 0"}  # what nothing at all stands for where it is shown
_CACHED_VALUES = 4096
"""For the values that many zones of one task share. A large zone has more, and is to take as long for each set."""


class InvalidRdata(ValueError):
    """A text that is no value of its type; says why in one clause."""


@cache
def record_type(text: str) -> str:
    """The mnemonic in upper case, also for a number that has one, such as ``TYPE1`` (RFC 3597, section 5).

    Raises InvalidRdata for what is none, and for query and meta types (RFC 6895).
    """
    mnemonic = text.strip().upper()
    if mnemonic in PLAIN_TYPES:
        return mnemonic
    if not _MNEMONIC.fullmatch(mnemonic):
        raise InvalidRdata("a type is a mnemonic such as A, MX or TXT")
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_values import type_of_data

    return type_of_data(mnemonic)


def type_as_read(mnemonic: str) -> str:
    """The type that the service shows, in upper case, as ``record_type`` has it; what is no type stays as it is."""
    if not mnemonic.startswith("TYPE"):
        return mnemonic
    try:
        return record_type(mnemonic)
    except InvalidRdata:
        return mnemonic


@lru_cache(_CACHED_VALUES)
def canonical(rdtype: str, text: str, zone: str, priority: int | None = None) -> str:
    """The canonical text of one value.

    *rdtype* is a mnemonic in upper case, *zone* a canonical zone name, *priority* the preference of an MX value that
    carries none itself; without either, an MX value is its bare host. Raises InvalidRdata.
    """
    if not text or (rdtype not in _TEXT_TYPES and not text.strip()):
        empty_text = ": a text with nothing in it is written '\"\"'" if rdtype in _TEXT_TYPES else ""
        raise InvalidRdata(f"the value is empty{empty_text}")
    if rdtype in _TEXT_TYPES:
        if plain := plain_value("TXT", text, zone):
            return plain
        from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_values import txt_bytes, txt_value

        return txt_value(txt_bytes(text))
    if any(c in text for c in "\n\r\0"):
        raise InvalidRdata("a value is one line")
    if rdtype == "MX" and not _has_preference(text):
        if priority is None:
            return _as_dnspython_prints("MX", f"0 {text}", zone).partition(" ")[2]
        text = f"{priority} {text}"
    return _as_dnspython_prints(rdtype, text, zone)


def as_read(rdtype: str, text: str, zone: str, known: Collection[str] = ()) -> str:
    """The canonical text of a value that the service shows; what dnspython does not understand stays as it is.

    What is among the *known* canonical texts of the set is not read at all.
    """
    if text in known:
        return text
    try:
        # To the cache None differs from no priority at all.
        return canonical(rdtype, text or _WITH_NOTHING.get(rdtype, text), zone, None)
    except InvalidRdata:
        return text


def is_text(rdtype: str) -> bool:
    """Whether values of this type are character strings (RFC 1035, section 3.3.14), which have two sending forms."""
    return rdtype in _TEXT_TYPES


def is_unknown(mnemonic: str) -> bool:
    """Whether dnspython has no such type, so that its values are taken as they are."""
    if mnemonic in PLAIN_TYPES:
        return False
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_values import known_type

    return known_type(mnemonic) is None


def _has_preference(text: str) -> bool:
    words = text.split()
    return len(words) > 1 or words[0].isdigit()


def _as_dnspython_prints(rdtype: str, text: str, zone: str) -> str:
    text = text.strip()
    if plain := plain_value(rdtype, text, zone):
        return plain
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.read_values import printed

    return printed(rdtype, text, zone)
