# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Record types and values. ValueError tells what is wrong with one."""

import functools
import re

import dns.exception
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import dns.tokenizer

MAX_TTL = 2147483647
MAX_RDATA = 65535
CHUNK = 255

_MNEMONIC = re.compile(r"[A-Z][A-Z0-9-]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def type_name(text):
    """Return the usual mnemonic of a record type: `A` for `TYPE1`. An unknown mnemonic stays as it is."""
    if not _MNEMONIC.fullmatch(text):
        raise ValueError("The selected type is invalid.")
    number = _type_number(text)
    if number is None:
        return text
    if number == dns.rdatatype.NONE or dns.rdatatype.is_metatype(number):
        raise ValueError("The selected type is invalid.")
    return dns.rdatatype.to_text(number)


def canonical(rtype, text, origin):
    """Return a value as it is stored, and what makes it equal to another of its type."""
    if _CONTROL.search(text):
        raise ValueError("The content must not hold control characters.")
    number = _type_number(rtype)
    if number is None or not _is_checked(rtype, number):
        return text, text.encode()
    try:
        rdata = dns.rdata.from_text(
            dns.rdataclass.IN, number, text, origin=origin, relativize=False
        )
        wire = rdata.to_digestable()
    except (dns.exception.DNSException, ValueError) as error:
        raise ValueError(f"The content is not valid for type {rtype}: {error}") from error
    if rdata.rdcomment is not None:
        raise ValueError(f"The content is not valid for type {rtype}: it holds a comment")
    if len(wire) > MAX_RDATA:
        raise ValueError(f"The content is too long: {len(wire)} bytes")
    return rdata.to_text(), wire


def same(rtype, one, other):
    """Whether two values that are stored are equal; most differ at first sight."""
    if one == other or one.lower() != other.lower():
        return one == other
    return canonical(rtype, one, dns.name.root)[1] == canonical(rtype, other, dns.name.root)[1]


def txt_chunks(text):
    """Return the bytes of a TXT value in zone-file form, its chunks joined; None when it is not in that form."""
    if len(text) < 2 or not text.startswith('"') or not text.endswith('"'):
        return None
    joined = b""
    tokenizer = dns.tokenizer.Tokenizer(text)
    try:
        while not (token := tokenizer.get(want_comment=True)).is_eol_or_eof():
            if not token.is_quoted_string():
                return None
            joined += token.unescape_to_bytes().value
    except (dns.exception.DNSException, ValueError):
        return None
    return joined


def txt_bytes(text):
    """Return the bytes of a TXT value, in zone-file form or literal."""
    chunks = txt_chunks(text)
    return text.encode() if chunks is None else chunks


def txt_quoted(data):
    """Return bytes as quoted chunks of at most 255 bytes, as zone files have them."""
    chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)] or [b""]
    return " ".join(f'"{"".join(map(_escape, chunk))}"' for chunk in chunks)


def txt_parsed(text):
    """Return TXT as somebody takes it who reads it as zone files are read: without comments, words as chunks."""
    joined, chunks = b"", 0
    tokenizer = dns.tokenizer.Tokenizer(text)
    try:
        while not (token := tokenizer.get()).is_eol_or_eof():
            joined += token.unescape_to_bytes().value
            chunks += 1
    except (dns.exception.DNSException, ValueError) as error:
        raise ValueError(f"The content is not valid for type TXT: {error}") from error
    if not chunks:
        raise ValueError("The content is not valid for type TXT: it is empty")
    return txt_quoted(joined)


@functools.lru_cache(1000)
def txt_plain(text):
    """Return what quoted chunks say, as text."""
    return txt_bytes(text).decode(errors="replace")


def _escape(byte):
    if byte in b'"\\':
        return "\\" + chr(byte)
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03d}"


def _type_number(mnemonic):
    try:
        return dns.rdatatype.from_text(mnemonic)
    except (dns.exception.DNSException, ValueError):
        return None


def _is_checked(mnemonic, number):
    # dnspython names some historic types whose rdata it cannot read; only TYPEnnn has a generic form of its own.
    generic = dns.rdata.get_rdata_class(dns.rdataclass.IN, number) is dns.rdata.GenericRdata
    return not generic or mnemonic.startswith("TYPE")
