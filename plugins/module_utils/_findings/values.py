# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on single values and TTLs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._dns.input_checks import slip_in
from .._dns.rdata import is_unknown, text_in
from .._dns.record_set import Key
from .._dns.record_types import OF_SERVICES, REGISTERED
from .._dns.zone_view import ADDRESS_TYPES, ZoneView, is_number, labels
from .rule import KeyedText, Topic, values

A_WEEK = 7 * 24 * 3600
_PRIVATE = {
    r"10\.|192\.168\.|172\.(?:1[6-9]|2[0-9]|3[01])\.": "private",
    r"100\.(?:6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7])\.": "shared by the customers of a provider",
    r"f[cd][0-9a-f]{2}:": "private",
}
_OF_ONE_MACHINE = {
    r"127\.|::1$": "each machine's own address",
    r"169\.254\.|fe[89ab][0-9a-f]:": "valid only on one link",
}
_UNUSABLE = {
    r"0\.|::$|::ffff:": "not the address of a host",
    r"2(?:2[4-9]|3[0-9])\.|ff[0-9a-f]{2}:": "for multicast",
    r"2(?:4[0-9]|5[0-5])\.": "reserved",
}
_CAA = re.compile(r'([0-9]{1,9}) ([a-z0-9]+) "?((?:[^"\\]|\\.)*)"?')
_ISSUERS = frozenset({"issue", "issuemail", "issuevmc", "issuewild"})
_KNOWN_TAGS = _ISSUERS | {"contactemail", "contactphone", "iodef"}
_CRITICAL = 128
_ISSUER = re.compile(
    r"[ \t]*(?:[a-z0-9](?:-*[a-z0-9])*(?:\.[a-z0-9](?:-*[a-z0-9])*)*[ \t]*)?", re.IGNORECASE
)
_REPORT_TO = re.compile(r"(?:mailto|https?):", re.IGNORECASE)
_SRV_NAME = re.compile(r"(?:^|\.)(?:_[^.]*\._|\*\.)")
_OLD_ALGORITHMS = {"1": "RSA/MD5", "3": "DSA", "5": "RSA/SHA-1", "6": "DSA", "7": "RSA/SHA-1"}
_SHA_1 = "1"

RULES = Topic()


@RULES.add("misspelled-type", "error", "RFC 6895, section 3.1")
def misspelled_type(view: ZoneView) -> KeyedText:
    """A type is unknown, but one letter away from a known type."""
    for one in view.of_type(*view.opaque_types):
        slip = slip_in(one.type)
        if slip:
            yield one.key, slip


@RULES.add("unknown-type", "warning", "RFC 6895, section 3.1")
def unknown_type(view: ZoneView) -> KeyedText:
    """A type is neither registered nor known as a service's own, such as `ALIAS`.

    A numbered one is written so on purpose (RFC 3597, section 5).
    """
    for one in view.of_type(*view.opaque_types - OF_SERVICES - REGISTERED):
        if is_unknown(one.type) and not slip_in(one.type):
            clause = "is not a DNS type, and works only if the service has one of its own"
            yield one.key, f"{one.type} {clause}: is it spelled correctly?"


@RULES.add("address-unusable", "warning", "RFC 6890, section 2.2")
def address_unusable(view: ZoneView) -> KeyedText:
    """An address cannot belong to a host."""
    return _addresses(view, _UNUSABLE)


@RULES.add("address-local", "info", "RFC 6890, section 2.2")
def address_local(view: ZoneView) -> KeyedText:
    """An address is valid only on the machine itself or on one link.

    It means another host to each; block lists (RFC 5782) and localhost (RFC 6761) have to have such.
    """
    for key, clause in _addresses(view, _OF_ONE_MACHINE):
        first = labels(key.name)[0]
        if not is_number(first) and first not in ("*", "localhost"):
            yield key, clause


@RULES.add("address-private", "info", "RFC 1918, section 5; RFC 4193, section 4.4")
def address_private(view: ZoneView) -> KeyedText:
    """An address is private, so elsewhere it belongs to another host."""
    return _addresses(view, _PRIVATE)


@RULES.add("ttl-zero", "warning", "RFC 1035, section 3.2.1")
def ttl_zero(view: ZoneView) -> KeyedText:
    """A TTL is 0."""
    for one in view.sets():
        if one.ttl == 0:
            yield one.key, "its TTL is 0, so every query reaches the name servers"


@RULES.add("ttl-long", "info", "RFC 8767, section 4")
def ttl_long(view: ZoneView) -> KeyedText:
    """A TTL is above a week."""
    for one in view.sets():
        if one.ttl > A_WEEK:
            clause = "but many resolvers keep an answer for at most a week"
            yield one.key, f"its TTL is {one.ttl} seconds, {clause}"


@RULES.add("caa-critical", "error", "RFC 8659, section 4.1")
def caa_critical(view: ZoneView) -> KeyedText:
    """A CAA tag is critical but not known."""
    for key, flags, tag, _value in _properties(view):
        if flags & _CRITICAL and tag not in _KNOWN_TAGS:
            yield key, f"the tag {tag} is critical but unknown, so no CA may issue a certificate"


@RULES.add("caa-unknown", "warning", "RFC 8659, section 4.1")
def caa_unknown(view: ZoneView) -> KeyedText:
    """A CAA tag is not known."""
    for key, flags, tag, _value in _properties(view):
        if not flags & _CRITICAL and tag not in _KNOWN_TAGS:
            yield key, f"the tag {tag} is unknown and ignored"


@RULES.add("caa-value", "warning", "RFC 8659, section 4.2")
def caa_value(view: ZoneView) -> KeyedText:
    """A CAA value is invalid, or its flags are neither 0 nor 128."""
    for key, flags, tag, value in _properties(view):
        if tag in _ISSUERS:
            issuer, _semicolon, _parameters = value.partition(";")
            if not _ISSUER.fullmatch(issuer):
                yield key, f"{tag} takes the domain name of a CA without a final dot, not {value}"
        elif tag == "iodef" and not _REPORT_TO.match(value):
            yield key, f"iodef takes a URL such as mailto:security@example.com, not {value}"
        if flags not in (0, _CRITICAL):
            yield key, f"the flags are {flags}, but only 0 and 128 (critical) mean something"


@RULES.add("caa-no-issuer", "info", "RFC 8659, section 4.2")
def caa_no_issuer(view: ZoneView) -> KeyedText:
    """A CAA set does not limit issuers, so every CA may issue."""
    with_issuer = {key for key, _flags, tag, _value in _properties(view) if tag in _ISSUERS}
    for one in view.of_type("CAA"):
        if one.key not in with_issuer:
            yield one.key, "it names no issuer, so every CA may issue a certificate"


@RULES.add("ds-old", "warning", "RFC 8624, section 3; RFC 9905, section 2")
def ds_old(view: ZoneView) -> KeyedText:
    """A DS has an algorithm or digest that must no longer be used."""
    for key, value in values(view, "DS"):
        words = value.split(" ")
        if len(words) < 4:
            continue
        if words[1] in _OLD_ALGORITHMS:
            yield key, f"{_OLD_ALGORITHMS[words[1]]} must no longer be used for signing"
        elif words[2] == _SHA_1:
            yield key, "its digest is SHA-1, which must no longer be used"


@RULES.add("srv-name", "warning", "RFC 2782")
def srv_name(view: ZoneView) -> KeyedText:
    """The name of an SRV lacks an underscore before the service or the protocol."""
    for one in view.of_type("SRV"):
        if not _SRV_NAME.search(one.name):
            names = "_sip._tcp, with underscores before service and protocol"
            yield one.key, f"SRVs are looked up at names such as {names}"


def _addresses(view: ZoneView, kinds: dict[str, str]) -> KeyedText:
    """The addresses of some *kinds*, which are patterns and what they stand for."""
    for key, value in values(view, *ADDRESS_TYPES):
        for pattern, what in kinds.items():
            if re.match(pattern, value):
                yield key, f"{value} is {what}"


def _properties(view: ZoneView) -> Iterator[tuple[Key, int, str, str]]:
    """Flags, tag and value of each readable CAA."""
    for key, value in values(view, "CAA"):
        found = _CAA.fullmatch(value)
        if found:
            text = text_in(f'"{found[3]}"')
            yield key, int(found[1]), found[2], text
