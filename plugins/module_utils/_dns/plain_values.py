# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values whose canonical text shows at a glance, exactly as dnspython would print it; all others are left to that.

Most values are such: to read one with dnspython takes twenty times as long.
"""

from __future__ import annotations

import re
from contextlib import suppress

with suppress(ImportError):  # names.py keeps the error
    import dns.exception
    import dns.ipv6

OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
ADDRESS = rf"(?:{OCTET}[.]){{3}}{OCTET}"
ADDRESS6 = "[0-9A-Fa-f:]{2,39}"
HOST = "[A-Za-z0-9_*.-]{1,254}"
PREFERENCE = "0|[1-9][0-9]{0,4}"
UNQUOTED = r"[\x20\x21\x23-\x5b\x5d-\x7e]{0,255}"
"""A text of one character string in which nothing is escaped."""

_ABSOLUTE = re.compile("(?=.{2,254}$)(?:[a-z0-9_*/-]{1,63}[.])+")  # RFC 1035, section 2.3.4
_MOST_PREFERENCE = 65535
_VALUES = {
    "A": re.compile(ADDRESS),
    "AAAA": re.compile(ADDRESS6),
    "MX": re.compile(rf"({PREFERENCE})[ \t]+({HOST})"),
    "TXT": re.compile(rf'("?){UNQUOTED}\1'),
    **dict.fromkeys(("CNAME", "DNAME", "NS", "PTR"), re.compile(HOST)),
}
PLAIN_TYPES = frozenset(_VALUES)
"""The types that have such values."""


def is_plain_name(name: str) -> bool:
    """Whether an absolute name in lower case is canonical, and printed as it stands."""
    return _ABSOLUTE.fullmatch(name) is not None


def plain_host(name: str) -> str | None:
    """The canonical text of an absolute host name of the letters of HOST; none where it may look like an address."""
    host = name.lower()
    return host if is_plain_name(host) and not host.split(".")[-2].isdigit() else None


def plain_address6(address: str) -> str | None:
    """The canonical text of an IPv6 address of the letters of ADDRESS6."""
    try:
        return dns.ipv6.canonicalize(address)
    except (dns.exception.DNSException, ValueError):
        return None


def plain_mail(preference: str, name: str) -> str | None:
    """The canonical text of an MX value whose parts are as PREFERENCE and ``plain_host`` have them."""
    host = plain_host(name)
    return f"{preference} {host}" if host and int(preference) <= _MOST_PREFERENCE else None


def plain_value(rdtype: str, text: str, zone: str) -> str | None:
    """The canonical text of a value, as ``rdata.canonical`` has it; none where that has to read it."""
    pattern = _VALUES.get(rdtype)
    found = pattern.fullmatch(text) if pattern else None
    if not found:
        return None
    if rdtype == "A":
        return text
    if rdtype == "TXT":
        return text if found[1] else f'"{text}"'
    if rdtype == "AAAA":
        return plain_address6(text)
    if rdtype == "MX":
        return plain_mail(found[1], _absolute(found[2], zone))
    return plain_host(_absolute(text, zone))


def _absolute(host: str, zone: str) -> str:
    """As ``names.host_name`` has it: a single label is relative to the zone."""
    if host.endswith("."):
        return host
    return f"{host}." if "." in host else f"{host}.{zone}"
