# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Recognizes simple values by pattern, and prints them as dnspython would, ten times faster."""

from __future__ import annotations

import re
from contextlib import suppress

with suppress(ImportError):  # names.py keeps the error
    import dns.exception
    import dns.ipv6

_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_HOST = "[A-Za-z0-9_*.-]{1,254}"
_ABSOLUTE = re.compile("(?=.{2,254}$)(?:[a-z0-9_*/-]{1,63}[.])+")  # RFC 1035, section 2.3.4
_MOST_PREFERENCE = 65535
_VALUES = {
    "A": re.compile(rf"(?:{_OCTET}[.]){{3}}{_OCTET}"),
    "AAAA": re.compile("[0-9A-Fa-f:]{2,39}"),
    "MX": re.compile(rf"(0|[1-9][0-9]{{0,4}})[ \t]+({_HOST})"),
    # One character string without escapes.
    "TXT": re.compile(r'("?)[\x20\x21\x23-\x5b\x5d-\x7e]{0,255}\1'),
    **dict.fromkeys(("CNAME", "DNAME", "NS", "PTR"), re.compile(_HOST)),
}
PLAIN_TYPES = frozenset(_VALUES)


def is_plain_name(name: str) -> bool:
    """Whether an absolute lower-case name is already canonical."""
    return _ABSOLUTE.fullmatch(name) is not None


def plain_value(rdtype: str, text: str, zone: str) -> str | None:
    """None if it is not simple."""
    if rdtype not in _VALUES:
        return None
    found = _VALUES[rdtype].fullmatch(text)
    if not found:
        return None
    if rdtype == "A":
        return text
    if rdtype == "TXT":
        return text if found[1] else f'"{text}"'
    if rdtype == "AAAA":
        return _plain_ipv6(text)
    if rdtype == "MX":
        return _plain_mail_host(found[1], found[2], zone)
    return _plain_host(text, zone)


def _plain_ipv6(text: str) -> str | None:
    try:
        return dns.ipv6.canonicalize(text)
    except (dns.exception.DNSException, ValueError):
        return None


def _plain_mail_host(preference: str, text: str, zone: str) -> str | None:
    host = _plain_host(text, zone)
    if host is None or int(preference) > _MOST_PREFERENCE:
        return None
    return f"{preference} {host}"


def _plain_host(host: str, zone: str) -> str | None:
    """None if it is not simple, or may look like an address."""
    host = host.lower()
    if not host.endswith("."):
        host = f"{host}." if "." in host else f"{host}.{zone}"
    if not is_plain_name(host):
        return None
    last = host.split(".")[-2]
    if last.isdigit():
        return None
    return host
