# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values of record sets: from what people and the service write to one canonical text.

The canonical text of a value is its zone-file form as dnspython prints it, host names absolute and in lower case, TXT
quoted in chunks of 255 bytes. Two values are the same when their canonical texts are, but that a service can show a
mail host without its preference (spec 2.4). Most values show at a glance what it is (``plain_values``); dnspython reads
all others, which takes ten times as long.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from ipaddress import IPv6Address
from typing import Any

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.forms import reason_in_words
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import (
    LABEL_CODEC,
    InvalidInput,
    InvalidName,
    host_name,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.older_dnspython import parsed
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_values import PLAIN_TYPES, plain_value
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_types import NO_WORD, TYPES, known_of

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.exception
    import dns.name
    import dns.rdata
    import dns.rdataclass
    import dns.rdatatype
    import dns.tokenizer
    from dns.rdtypes.ANY.TXT import TXT

_MNEMONIC = re.compile(r"[A-Z][A-Z0-9-]*")
_CACHED_VALUES = 4096
"""For the values that many zones of one task share. A large zone has more, and is to take as long for each set."""

# Whose values dnspython, whatever it read them from, prints in a form that it reads back as the same.
_PRINTED_AS_READ = frozenset(name for name, known in TYPES.items() if known.has_one_spelling or known.is_text)
_CHUNK = 255
_MAX_RDATA = 65535
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_LINE_END = re.compile(r"\\?\n|\\.", re.DOTALL)


class InvalidRdata(InvalidInput):
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
    rdtype = known_type(mnemonic)
    if rdtype == 0 or (rdtype is not None and dns.rdatatype.is_metatype(rdtype)):
        every = ": all types of a name are '*' for dns_record, with state absent" if rdtype == dns.rdatatype.ANY else ""
        raise InvalidRdata(f"{mnemonic} is not a type of data that a zone can hold{every}")
    return mnemonic if rdtype is None else dns.rdatatype.to_text(rdtype)


def type_as_read(mnemonic: str) -> str:
    """The type that the service shows, in upper case, as ``record_type`` has it; what is no type stays as it is."""
    if not mnemonic.startswith("TYPE"):
        return mnemonic
    try:
        return record_type(mnemonic)
    except InvalidRdata:
        return mnemonic


@cache
def known_type(mnemonic: str) -> dns.rdatatype.RdataType | None:
    """dnspython's type of a mnemonic in upper case; None where it has none."""
    try:
        return dns.rdatatype.from_text(mnemonic)
    except (dns.exception.DNSException, ValueError):
        return None


def is_unknown(mnemonic: str) -> bool:
    """Whether dnspython has no such type, so that its values are taken as they are."""
    return mnemonic not in PLAIN_TYPES and known_type(mnemonic) is None


def is_opaque(mnemonic: str, text: str) -> bool:
    """Whether dnspython has no such type, or cannot read its values, so that the text is taken as it is."""
    rdtype = known_type(mnemonic)
    if rdtype is None:
        return True
    if mnemonic.startswith("TYPE"):  # RFC 3597, section 5
        return False
    # dnspython has not annotated this one.
    rdata_class = dns.rdata.get_rdata_class(dns.rdataclass.IN, rdtype)  # type: ignore[no-untyped-call]
    return rdata_class is dns.rdata.GenericRdata and not text.startswith("\\#")


def is_text(rdtype: str) -> bool:
    """Whether values of this type are character strings (RFC 1035, section 3.3.14), which have two sending forms."""
    return known_of(rdtype).is_text


@lru_cache(_CACHED_VALUES)
def canonical(rdtype: str, text: str, zone: str, priority: int | None = None) -> str:
    """The canonical text of one value.

    *rdtype* is a mnemonic in upper case, *zone* a canonical zone name, *priority* the preference of an MX value that
    carries none itself; without either, an MX value is its bare host. Raises InvalidRdata.
    """
    if is_text(rdtype):
        if not text:
            raise InvalidRdata("the value is empty: a text with nothing in it is written '\"\"'")
        return plain_value("TXT", text, zone) or txt_value(txt_bytes(text))
    if not text.strip():
        raise InvalidRdata("the value is empty")
    if any(c in text for c in "\n\r\0"):
        raise InvalidRdata("a value is one line")
    text = text.strip()
    if rdtype == "MX" and not _has_preference(text):
        if priority is None:
            return _printed("MX", f"0 {text}", zone).partition(" ")[2]
        text = f"{priority} {text}"
    return _printed(rdtype, text, zone)


def as_read(rdtype: str, text: str, zone: str, known: Collection[str] = ()) -> str:
    """The canonical text of a value that the service shows; what dnspython does not understand stays as it is.

    What is among the *known* canonical texts of the set is not read at all.
    """
    if text in known:
        return text
    try:
        # To the cache None differs from no priority at all.
        return canonical(rdtype, text or known_of(rdtype).when_empty, zone, None)
    except InvalidRdata:
        return text


def canonical_of(rdtype: str, rdata: Any, text: str, zone: str) -> str:
    """The canonical text of a value that dnspython has read and prints as *text*, which is read again only if need be.

    The host names in *rdata* are absolute. Raises InvalidRdata.
    """
    if rdtype not in _PRINTED_AS_READ or not text:  # older ones take a TXT without strings
        return canonical(rdtype, text, zone, None)
    if is_text(rdtype):
        return text if len(rdata.strings) == 1 else txt_value(b"".join(rdata.strings))
    hosts = _absolute_hosts(rdata, zone)
    return rdata.replace(**hosts).to_text() if hosts else text


def text_of(rdata: dns.rdata.Rdata) -> str:
    """A value as dnspython prints it; an APL without items has no word, and is generic (RFC 3597, section 5)."""
    return rdata.to_text() or (NO_WORD if rdata.rdtype == dns.rdatatype.APL else "")


def _has_preference(text: str) -> bool:
    words = text.split()
    return len(words) > 1 or words[0].isdigit()


def _printed(rdtype: str, text: str, zone: str) -> str:
    """The canonical text of a value that is no text and has nothing around it. Raises InvalidRdata."""
    if plain := plain_value(rdtype, text, zone):
        return plain
    known = known_of(rdtype)
    if is_opaque(rdtype, text):
        return _as_target(text, zone) if known.host else text
    try:
        rdata = parsed(rdtype, text, LABEL_CODEC)
        if rdata.rdcomment is not None:
            in_commas = "write commas between the items, as in alpn=h2,h3"
            left_out = (
                "put the text in quotes" if '"' in (known.example or '"') else "leave it out, with what follows it"
            )
            how = in_commas if known.has_parameters else left_out
            raise InvalidRdata(f"a ';' outside quotes starts a comment; {how}")
        hosts = _absolute_hosts(rdata, zone)
        lowered = {field: getattr(rdata, field).lower() for field in known.without_case}
        value = text_of(rdata.replace(**hosts, **lowered) if hosts or lowered else rdata)
    except InvalidRdata:
        raise
    except InvalidName as error:
        raise InvalidRdata(str(error)) from error
    except (dns.exception.DNSException, ValueError) as error:
        raise InvalidRdata(reason_in_words(rdtype, text, str(error))) from error
    if not value:  # what dnspython makes of an OPENPGPKEY that is no base64
        raise InvalidRdata("the value is empty")
    return value


def _as_target(text: str, zone: str) -> str:
    """The value of an alias of a service's own as that of a CNAME; what is no host name stays as it is."""
    is_word = text.isprintable() and len(text.split()) == 1
    try:
        return canonical("CNAME", text, zone, None) if is_word else text
    except InvalidRdata:
        return text


def _looks_like_address(host: dns.name.Name) -> bool:
    first = host.labels[0]
    try:
        return host.labels[-2].isdigit() or (b":" in first and bool(IPv6Address(first.decode("ascii", "replace"))))
    except ValueError:
        return False


def _absolute_hosts(rdata: dns.rdata.Rdata, zone: str) -> dict[str, Any]:
    """The fields of a value that hold host names, as far as those change when they are absolute and in lower case."""
    hosts: dict[str, Any] = {}
    for field in _fields(type(rdata)):  # type: ignore[arg-type] # a class, its hash is type's
        value = getattr(rdata, field)
        if isinstance(value, dns.name.Name):
            host = host_name(value, zone)
            if host.labels != value.labels:
                hosts[field] = host
            if len(host.labels) > 1 and _looks_like_address(host):
                raise InvalidRdata(f"{host.to_text(omit_final_dot=True)} is not a host name; it looks like an address")
        elif isinstance(value, tuple) and value and all(isinstance(item, dns.name.Name) for item in value):
            hosts[field] = tuple(host_name(item, zone) for item in value)
    return hosts


@cache
def _fields(rdata_class: type) -> tuple[str, ...]:
    common = ("rdclass", "rdtype", "rdcomment")
    slots = (slot for base in rdata_class.__mro__ for slot in getattr(base, "__slots__", ()))
    return tuple(slot for slot in slots if slot not in common)


def txt_bytes(text: str) -> bytes:
    """The bytes of the character strings of a TXT value, joined; also of a text that is not in quotes.

    Raises InvalidRdata.
    """
    chunks = _chunks(text)
    if chunks is not None:
        return b"".join(chunks)
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InvalidRdata("it has characters that UTF-8 cannot encode") from error


def txt_value(joined: bytes) -> str:
    """The canonical TXT value of these bytes (RFC 1035, section 3.3: character strings). Raises InvalidRdata."""
    chunks = [joined[i : i + _CHUNK] for i in range(0, len(joined), _CHUNK)] or [b""]
    if len(joined) + len(chunks) > _MAX_RDATA:
        raise InvalidRdata(f"a value has at most {_MAX_RDATA} bytes")
    return TXT(dns.rdataclass.IN, dns.rdatatype.TXT, chunks).to_text()


def text_in(value: str) -> str:
    """The text itself of a canonical TXT value, its strings joined; bytes that are no UTF-8 as in Latin-1."""
    if value.startswith('"') and "\\" not in value:
        return value[1:-1].replace('" "', "")
    try:
        joined = txt_bytes(value)
    except InvalidRdata:  # what a service shows and nobody can send
        return value
    try:
        return joined.decode()
    except UnicodeDecodeError:
        return joined.decode("latin-1")


def is_quoted(text: str) -> bool:
    """Whether a TXT value that the service shows is in presentation form."""
    return _chunks(text) is not None


def is_in_strings_of_its_own(text: str) -> bool:
    """Whether a TXT value in presentation form is in other strings than its length asks for (RFC 1035, section 3.3)."""
    return any(len(chunk) < _CHUNK for chunk in (_chunks(text) or [])[:-1])


def _chunks(text: str) -> list[bytes] | None:
    """The character strings of a TXT value in presentation form (RFC 1035, section 5.1); None where it is not in it."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return None
    # The tokenizer takes no line end in quotes, where it is a character like any other.
    text = _QUOTED.sub(lambda quoted: _LINE_END.sub(_as_number, quoted[0]), text)
    if "\n" in text:
        return None
    tokenizer = dns.tokenizer.Tokenizer(text)
    chunks = []
    try:
        while not (token := tokenizer.get(want_comment=True)).is_eof():
            if not (token.is_quoted_string() or token.is_identifier()):
                return None
            chunks.append(token.unescape_to_bytes().value)
    except (dns.exception.DNSException, ValueError):
        return None
    return chunks


def _as_number(found: re.Match[str]) -> str:
    return "\\010" if found[0].endswith("\n") else found[0]


def same(rdtype: str, one: str, other: str) -> bool:
    """Whether two canonical texts are one value. An MX value without its preference is the same as any for its host."""
    if one == other:
        return True
    if rdtype != "MX" or (" " in one) == (" " in other):
        return False
    return one.rpartition(" ")[2] == other.rpartition(" ")[2]


def is_among(rdtype: str, value: str, values: Collection[str]) -> bool:
    """Whether a canonical text is the same value as one of *values*."""
    return value in values or (rdtype == "MX" and any(same(rdtype, value, other) for other in values))


def same_values(rdtype: str, some: Collection[str], others: Collection[str]) -> bool:
    """Whether all canonical texts of one collection are values of the other, and those of the other of the one."""
    sides = (some, frozenset(others)), (others, frozenset(some))
    return all(is_among(rdtype, value, those) for these, those in sides for value in these)


def with_preferences(rdtype: str, values: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Canonical texts, of which those that lack their preference have each that is *known* for their host."""
    if not known:
        return tuple(dict.fromkeys(values))
    found: list[str] = []
    for value in values:
        full = [one for one in known if lacks_preference(rdtype, value) and same(rdtype, value, one)]
        found += full or [value]
    return tuple(dict.fromkeys(found))


def lacks_preference(rdtype: str, value: str) -> bool:
    """Whether a canonical text is an MX host alone, which cannot be created (spec 2.5)."""
    return rdtype == "MX" and " " not in value
