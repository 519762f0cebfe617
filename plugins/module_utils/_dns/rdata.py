# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Turns values into one canonical text.

That is dnspython's zone-file form, with hosts absolute and in lower case, and TXT in quoted chunks of 255 bytes. Equal
texts are equal values; a mail host may also lack its preference (spec 2.4).
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Any

from .forms import reason_in_words
from .names import LABEL_CODEC, InvalidInput, InvalidName, host_name
from .older_dnspython import parsed
from .plain_values import PLAIN_TYPES, plain_value
from .record_types import TYPES, known_of

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.exception
    import dns.name
    import dns.rdata
    import dns.rdataclass
    import dns.rdatatype
    import dns.tokenizer
    from dns.rdtypes.ANY.TXT import TXT

_MNEMONIC = re.compile(r"[A-Z][A-Z0-9-]*")
CACHED_TYPES = 256
"""More than there are; a service may show any."""

_CACHED_VALUES = 4096
"""Enough for values that zones share. A large zone has more, and takes as long for each set."""

# Types whose printed values dnspython always reads back as the same.
_PRINTED_AS_READ = frozenset(
    name for name, known in TYPES.items() if known.has_one_spelling or known.is_text
)
_CHUNK = 255
_MAX_RDATA = 65535
_COMMON_FIELDS = ("rdclass", "rdtype", "rdcomment")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
"""A string, also one that is never closed: otherwise each quote in it would be looked at anew."""
_COMMENT = (
    "a ';' outside quotes starts a comment: put the text in quotes, write several values as items "
    "of a list, or leave it out"
)
_LINE_END = re.compile(r"\\?\n|\\.", re.DOTALL)


class InvalidRdata(InvalidInput):
    """The message is a clause."""


@lru_cache(CACHED_TYPES)
def record_type(text: str) -> str:
    """The mnemonic in upper case, also for ``TYPE1`` and the like (RFC 3597, section 5).

    Raises InvalidRdata, also for query and meta types (RFC 6895).
    """
    mnemonic = text.strip().upper()
    if mnemonic in PLAIN_TYPES:
        return mnemonic
    if not _MNEMONIC.fullmatch(mnemonic):
        raise InvalidRdata("write one type, such as A, MX or TXT")
    rdtype = known_type(mnemonic)
    if rdtype is None:
        return mnemonic
    if rdtype == 0 or dns.rdatatype.is_metatype(rdtype):
        raise InvalidRdata(f"{mnemonic} is not a type that a zone can hold")
    return dns.rdatatype.to_text(rdtype)


def type_as_read(mnemonic: str) -> str:
    """If invalid, just in upper case."""
    if not mnemonic.startswith("TYPE"):
        return mnemonic
    try:
        return record_type(mnemonic)
    except InvalidRdata:
        return mnemonic


@lru_cache(CACHED_TYPES)
def known_type(mnemonic: str) -> dns.rdatatype.RdataType | None:
    try:
        return dns.rdatatype.from_text(mnemonic)
    except (dns.exception.DNSException, ValueError):
        return None


def is_unknown(mnemonic: str) -> bool:
    """Whether dnspython lacks the type, so its values stay text."""
    return mnemonic not in PLAIN_TYPES and known_type(mnemonic) is None


def is_opaque(mnemonic: str, text: str) -> bool:
    """Whether dnspython lacks the type or cannot read its values, so the text stays."""
    rdtype = known_type(mnemonic)
    if rdtype is None:
        return True
    if mnemonic.startswith("TYPE"):  # RFC 3597, section 5
        return False
    # Not annotated in dnspython.
    rdata_class = dns.rdata.get_rdata_class(dns.rdataclass.IN, rdtype)  # type: ignore[no-untyped-call]
    return rdata_class is dns.rdata.GenericRdata and not text.startswith("\\#")


def is_text(rdtype: str) -> bool:
    """Whether values are character strings, which have two sending forms."""
    return known_of(rdtype).is_text


@lru_cache(_CACHED_VALUES)
def canonical(rdtype: str, text: str, zone: str, priority: int | None = None) -> str:
    """The canonical text of one value. Raises InvalidRdata.

    *priority* is for an MX value without preference; without either, it stays a bare host.
    """
    if is_text(rdtype):
        if not text:
            raise InvalidRdata("the value is empty: write an empty text as '\"\"'")
        return plain_value("TXT", text, zone) or txt_value(txt_bytes(text))
    if not text.strip():
        raise InvalidRdata("the value is empty")
    if any(c in text for c in "\n\r\0"):
        raise InvalidRdata("a value is one line")
    text = text.strip()
    if rdtype == "MX" and not _has_preference(text):
        if priority is None:
            return _printed("MX", f"0 {text}", zone).removeprefix("0 ")
        text = f"{priority} {text}"
    return _printed(rdtype, text, zone)


def as_read(rdtype: str, text: str, zone: str) -> str:
    """Unchanged if unreadable."""
    plain = plain_value(rdtype, text, zone)
    if plain:
        return plain
    if not text and is_text(rdtype):
        text = '""'
    try:
        # Explicit, since the cache distinguishes None from an omitted priority.
        return canonical(rdtype, text, zone, None)
    except InvalidRdata:
        return text


def canonical_of(rdtype: str, rdata: Any, text: str, zone: str) -> str:
    """The canonical text of *rdata*, which prints as *text*; parsed again only if needed. Raises InvalidRdata."""
    if rdtype not in _PRINTED_AS_READ or not text:  # older versions accept TXT without strings
        return canonical(rdtype, text, zone, None)
    if is_text(rdtype):
        if len(rdata.strings) == 1:
            return text
        return txt_value(b"".join(rdata.strings))
    hosts = _absolute_hosts(rdata, zone)
    if not hosts:
        return text
    value: str = rdata.replace(**hosts).to_text()
    return value


def _has_preference(text: str) -> bool:
    words = text.split()
    return len(words) > 1 or words[0].isdigit()


def _printed(rdtype: str, text: str, zone: str) -> str:
    plain = plain_value(rdtype, text, zone)
    if plain:
        return plain
    known = known_of(rdtype)
    if is_opaque(rdtype, text):
        if known.host:
            return _as_target(text, zone)
        return text
    try:
        rdata = parsed(rdtype, text, LABEL_CODEC)
        if rdata.rdcomment is not None:
            raise InvalidRdata(_COMMENT)
        changed = _absolute_hosts(rdata, zone)
        for field in known.without_case:
            changed[field] = getattr(rdata, field).lower()
        if changed:
            rdata = rdata.replace(**changed)
        value = rdata.to_text()
    except InvalidRdata:
        raise
    except InvalidName as error:
        raise InvalidRdata(str(error)) from error
    except (dns.exception.DNSException, ValueError) as error:
        raise InvalidRdata(reason_in_words(rdtype, text, str(error))) from error
    if not value:  # an OPENPGPKEY with invalid base64
        raise InvalidRdata("the value is empty")
    return value


def _as_target(text: str, zone: str) -> str:
    """As in a CNAME; unchanged if it is not a host name."""
    if not text.isprintable() or len(text.split()) != 1:
        return text
    try:
        return canonical("CNAME", text, zone, None)
    except InvalidRdata:
        return text


def _looks_like_address(host: dns.name.Name) -> bool:
    if host.labels[-2].isdigit():
        return True
    first = host.labels[0].decode("ascii", "replace")
    try:
        return ":" in first and bool(IPv6Address(first))
    except ValueError:
        return False


def _absolute_hosts(rdata: dns.rdata.Rdata, zone: str) -> dict[str, Any]:
    """The host fields that change to absolute lower case."""
    hosts: dict[str, Any] = {}
    for field in _fields(type(rdata)):  # type: ignore[arg-type] # a class, its hash is type's
        value = getattr(rdata, field)
        if isinstance(value, dns.name.Name):
            host = host_name(value, zone)
            if host.labels != value.labels:
                hosts[field] = host
            if len(host.labels) > 1 and _looks_like_address(host):
                shown = host.to_text(omit_final_dot=True)
                raise InvalidRdata(f"{shown} is not a host name; it looks like an address")
        elif isinstance(value, tuple) and value and isinstance(value[0], dns.name.Name):
            hosts[field] = tuple(host_name(item, zone) for item in value)
    return hosts


@lru_cache(CACHED_TYPES)
def _fields(rdata_class: type) -> tuple[str, ...]:
    fields: list[str] = []
    for base in rdata_class.__mro__:
        fields += getattr(base, "__slots__", ())
    return tuple(field for field in fields if field not in _COMMON_FIELDS)


def txt_bytes(text: str) -> bytes:
    """The joined strings, quoted or not. Raises InvalidRdata."""
    chunks = _chunks(text)
    if chunks is not None:
        return b"".join(chunks)
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InvalidRdata("it has characters that UTF-8 cannot encode") from error


def txt_value(joined: bytes) -> str:
    """The canonical value (RFC 1035, section 3.3). Raises InvalidRdata."""
    starts = range(0, len(joined), _CHUNK)
    chunks = [joined[start : start + _CHUNK] for start in starts] or [b""]
    if len(joined) + len(chunks) > _MAX_RDATA:
        raise InvalidRdata(f"a value has at most {_MAX_RDATA} bytes")
    return TXT(dns.rdataclass.IN, dns.rdatatype.TXT, chunks).to_text()


def text_in(value: str) -> str:
    """The joined text; Latin-1 if not UTF-8."""
    if value.startswith('"') and "\\" not in value:
        return value[1:-1].replace('" "', "")
    try:
        joined = txt_bytes(value)
    except InvalidRdata:  # shown by a service, but cannot be sent
        return value
    try:
        return joined.decode()
    except UnicodeDecodeError:
        return joined.decode("latin-1")


def is_quoted(text: str) -> bool:
    return _chunks(text) is not None


def _chunks(text: str) -> list[bytes] | None:
    """The strings of a quoted value (RFC 1035, section 5.1), else None."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return None
    # The tokenizer rejects quoted line ends, which are ordinary characters.
    text = _QUOTED.sub(lambda quoted: _LINE_END.sub(_as_number, quoted[0]), text)
    if "\n" in text:
        return None
    tokenizer = dns.tokenizer.Tokenizer(text)
    chunks = []
    try:
        token = tokenizer.get(want_comment=True)
        while not token.is_eof():
            if not (token.is_quoted_string() or token.is_identifier()):
                return None
            chunks.append(token.unescape_to_bytes().value)
            token = tokenizer.get(want_comment=True)
    except (dns.exception.DNSException, ValueError):
        return None
    return chunks


def _as_number(found: re.Match[str]) -> str:
    return "\\010" if found[0].endswith("\n") else found[0]
