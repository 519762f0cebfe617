# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Facts about record types that dnspython lacks."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from ipaddress import IPv6Address
from typing import Any, NamedTuple

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.rdata
    import dns.rdataclass

_QUOTED_PARAMETER = re.compile(r'(?<!\S)([^ =]+)="((?:[^"\\]|\\.)*)"')
_PRINTED_WITHOUT_QUOTES = frozenset({"mandatory", "alpn", "port", "ipv4hint", "ipv6hint"})
_NEEDS_QUOTES = re.compile(r"[ ;()]")  # RFC 1035, section 5.1


def _without_quotes(value: str) -> str:
    return _QUOTED_PARAMETER.sub(_parameter, value)


def _parameter(quoted: re.Match[str]) -> str:
    key, value = quoted.groups()
    is_plain = key in _PRINTED_WITHOUT_QUOTES and not _NEEDS_QUOTES.search(value)
    if not is_plain:
        return quoted[0]
    return f"{key}={value}"


def _in_one_piece(fields: int, value: str) -> str:
    """Joins what follows that many fields."""
    *words, text = value.split(" ", fields)
    words.append(text.replace(" ", ""))
    return " ".join(words)


def _in_hexadecimal(value: str) -> str:
    """Writes a mapped address (RFC 4291, section 2.2) as others are written. Raises ValueError."""
    return IPv6Address(value).packed.hex(":", 2) if "." in value else value


def _in_numbers(value: str) -> str:
    """Writes numbers in place of mnemonics (RFC 4398, section 2)."""
    rdata: Any = dns.rdata.from_text(dns.rdataclass.IN, "CERT", value)
    certificate = value.split(" ", 3)[-1].replace(" ", "")
    kind, algorithm = int(rdata.certificate_type), int(rdata.algorithm)
    return f"{kind} {rdata.key_tag} {algorithm} {certificate}"


def _with_all_sizes(value: str) -> str:
    """Adds the defaults of RFC 1876, section 3."""
    if value.count("m") != 1:
        return value
    return f"{value} 1.00m 10000.00m 10.00m"


class RecordType(NamedTuple):
    """The defaults are those of an unknown type."""

    parts: str = ""
    """For messages; empty to say nothing."""

    example: str = ""
    host: int = 0
    """Position from 1, before parameters; 0 for none."""

    has_commas: bool = False
    """Otherwise one suggests a list."""

    has_one_spelling: bool = False
    """Whether values have one canonical text, which reads back the same."""

    is_text: bool = False
    """Whether values are character strings (RFC 1035, section 3.3.14)."""

    without_case: tuple[str, ...] = ()
    """dnspython's names of case-insensitive fields."""

    mistakes: tuple[tuple[str, str], ...] = ()
    """Case-insensitive patterns, with a message for each."""

    sent: Callable[[str], str] = str
    """Spells a value as strict parsers want, such as PowerDNS."""


_NO_ADDRESS = (
    (r"\s//", "a comment begins with ;, not with //"),
    ("://", "it is a URL"),
    ("/", "it is a network and not one address"),
    ("%", "it has a zone index, which is valid on one machine only"),
    ('^"', "it is in quotes"),
    (r"^([0-9]+\.)*0[0-9]", "it has a number that begins with 0"),
    (r"[^\x00-\x7f]", "it has a character that is not ASCII, perhaps an invisible one"),
    (r"^[a-z0-9.-]*[g-z][a-z0-9.-]*$", "it is a name, whose type would be CNAME"),
)
_COLONS = (r"\b[0-9a-f]{2}:[0-9a-f]{2}\b", "it has colons: leave them out")
_ASSOCIATION = RecordType(
    "usage, selector, matching type and data in hexadecimal",
    "3 1 1 8d02536c...",
    mistakes=(_COLONS,),
    sent=partial(_in_one_piece, 3),
)
_DIGEST = RecordType(  # the algorithm can be a word
    "key tag, algorithm, digest type and digest in hexadecimal",
    "12345 13 2 8d02536c...",
    mistakes=(_COLONS,),
    sent=partial(_in_one_piece, 3),
)
_HOST = RecordType(
    "one host name",
    "www.example.com.",
    host=1,
    has_one_spelling=True,
    mistakes=(('^"', "it is in quotes"),),
)
_KEY = RecordType(
    "flags, protocol, algorithm and key in base64",
    "257 3 13 mdsswUyr...",
    sent=partial(_in_one_piece, 3),
)
_MAIL_HOST = RecordType("preference and host", "10 mail.example.com.", host=2)
_SERVICE = RecordType(
    "priority, target and parameters",
    "1 . alpn=h2,h3",
    host=2,
    has_commas=True,
    sent=_without_quotes,
)
_TEXT = RecordType(is_text=True)

TYPES = {
    "A": RecordType(
        "an IPv4 address",
        "192.0.2.1",
        has_one_spelling=True,
        mistakes=(
            *_NO_ADDRESS,
            ("^[0-9a-f]*:.*:", "it is an IPv6 address, whose type is AAAA"),
            (":", "it has a port"),
            (r"^[0-9]+(\.[0-9]+){0,2}$", "it has less than four numbers"),
            (r"^[0-9.]*\b(25[6-9]|2[6-9][0-9]|[3-9][0-9]{2})\b", r"\1 is above 255"),
        ),
    ),
    "AAAA": RecordType(
        "an IPv6 address",
        "2001:db8::1",
        has_one_spelling=True,
        mistakes=(*_NO_ADDRESS, ("^[0-9.]+$", "it is an IPv4 address, whose type is A")),
        sent=_in_hexadecimal,
    ),
    "AFSDB": RecordType("subtype and host", "1 afs.example.com.", host=2),
    "ALIAS": RecordType(host=1),
    "ANAME": RecordType(host=1),
    "CAA": RecordType(  # RFC 8659, section 4.1
        "flags, tag and value",
        '0 issue "ca.example.net"',
        has_commas=True,
        without_case=("tag",),
    ),
    "CDNSKEY": _KEY,
    "CDS": _DIGEST,
    "CERT": RecordType(sent=_in_numbers),
    "CNAME": _HOST,
    "DHCID": RecordType(sent=partial(_in_one_piece, 0)),
    "DNAME": _HOST,
    "DNSKEY": _KEY,
    "DS": _DIGEST,
    "HINFO": RecordType("CPU and operating system", '"INTEL-386" "UNIX"', has_commas=True),
    "HTTPS": _SERVICE,
    "KX": _MAIL_HOST,
    "LOC": RecordType(
        "degrees, minutes, seconds and N or S, the same with E or W, and altitude",
        "52 22 23.000 N 4 53 32.000 E -2.00m",
        has_commas=True,
        mistakes=((r"(?:^|[NS])\s*[-+]?[0-9]+\.[0-9]", "it is in decimal degrees"),),
        sent=_with_all_sizes,
    ),
    "MX": _MAIL_HOST._replace(has_one_spelling=True),
    "NAPTR": RecordType(  # RFC 3403, section 4.1; RFC 3958, section 6.5
        "order, preference, flags, services, regular expression and replacement",
        '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
        has_commas=True,
        without_case=("flags", "service"),
    ),
    "NS": _HOST,
    "OPENPGPKEY": RecordType("the key in base64", "mQENBFVHm5sBCADc..."),
    "PTR": _HOST,
    "RP": RecordType(
        "mailbox with a dot for its @ and name of a TXT", "admin.example.com. contact.example.com."
    ),
    "SMIMEA": _ASSOCIATION,
    "SPF": _TEXT,
    "SRV": RecordType(
        "priority, weight, port and host",
        "0 5 5060 sip.example.com.",
        host=4,
        has_one_spelling=True,
    ),
    "SSHFP": RecordType(
        "algorithm, fingerprint type and fingerprint in hexadecimal",
        "4 2 8d02536c...",
        mistakes=(
            (
                r"\b(?:md5|sha256):",
                "it looks like the output of ssh-keygen -l: use ssh-keygen -r instead",
            ),
            _COLONS,
        ),
        sent=partial(_in_one_piece, 2),
    ),
    "SVCB": _SERVICE,
    "TLSA": _ASSOCIATION,
    "TXT": _TEXT,
    "URI": RecordType(
        "priority, weight and URI", '10 1 "https://www.example.com/"', has_commas=True
    ),
}
OF_SERVICES = frozenset({"ALIAS", "ANAME", "LUA"})
"""Name servers turn them into DNS answers."""

REGISTERED = frozenset({"BRID", "CLA", "DSYNC", "HHIT", "IPN", "RESINFO", "RKEY", "WALLET"})
"""Registered types that some accepted dnspython lacks."""

_NAMING_HOSTS = [name for name, row in TYPES.items() if row.host]
HOST_TYPES = tuple(name for name in _NAMING_HOSTS if name not in OF_SERVICES)

_UNKNOWN = RecordType()


def known_of(rdtype: str) -> RecordType:
    return TYPES.get(rdtype, _UNKNOWN)
