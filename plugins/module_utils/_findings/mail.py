# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules on mail besides SPF: null MX, DMARC (RFC 7489), DKIM (RFC 6376)."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import lru_cache

from .._dns.record_set import Key
from .._dns.zone_view import ZoneView, hosts, labels
from .rule import KeyedText, Topic

_DMARC = re.compile(r"v[ \t]*=[ \t]*(DMARC1)[ \t]*(?:;|$)", re.IGNORECASE)
_LIKE_DMARC = re.compile(r"v[ \t]*=[ \t]*dmarc", re.IGNORECASE)
_LIKE_DKIM = re.compile(r"[\W_]*v\s*=\s*dkim", re.IGNORECASE)
_BEGINS_WITH_VERSION = re.compile(r"\s*v\s*=")
_POLICIES = ("none", "quarantine", "reject")
SHORTEST_KEY = 1024
SHORT_KEY = 2048

_RSA = bytes.fromhex("06092a864886f70d010101")  # 1.2.840.113549.1.1.1
_SEQUENCE, _INTEGER, _BIT_STRING = 0x30, 0x02, 0x03
_ED25519_BYTES = 32
_SHORT_FORM = 0x80
_REPORT_TO = r"[ \t]*[a-z][a-z0-9+.-]*:[^ \t,]+(?:![0-9]+[kmgt]?)?[ \t]*"
_FORMAT = r"(?:afrf|iodef)"
_TAGS = {
    "adkim": ("[rs]", "r or s"),
    "aspf": ("[rs]", "r or s"),
    "fo": (r"\s*[01ds]\s*(?::\s*[01ds]\s*)*", "0, 1, d and s, with : between them"),
    "np": ("|".join(_POLICIES), "none, quarantine or reject"),
    "pct": ("0*(?:100|[0-9]{1,2})", "a number from 0 to 100"),
    "psd": ("[ynu]", "y, n or u"),
    "rf": (f"{_FORMAT}(?:[: ]{_FORMAT})*", "afrf"),
    "ri": ("[0-9]+", "a number of seconds"),
    "rua": (f"{_REPORT_TO}(?:,{_REPORT_TO})*", "addresses such as mailto:dmarc@example.com"),
    "ruf": (f"{_REPORT_TO}(?:,{_REPORT_TO})*", "addresses such as mailto:dmarc@example.com"),
    "sp": ("|".join(_POLICIES), "none, quarantine or reject"),
    "t": ("[yn]", "y or n"),
}
"""The values of each tag, as a pattern and in words (RFC 7489, section 6.3, and later)."""

RULES = Topic()


@RULES.add("dmarc-several", "error", "RFC 7489, section 6.6.3")
def dmarc_several(view: ZoneView) -> KeyedText:
    """A name has more than one DMARC record."""
    for key, texts in _dmarc_texts(view):
        records = [text for text in texts if _DMARC.match(text)]
        if len(records) > 1:
            yield key, f"it holds {len(records)} DMARC records, and receivers ignore all of them"


@RULES.add("dmarc-not-seen", "error", "RFC 7489, section 6.4")
def dmarc_not_seen(view: ZoneView) -> KeyedText:
    """A TXT value looks like DMARC, but receivers do not recognize it."""
    for key, texts in _dmarc_texts(view):
        for text in texts:
            if _LIKE_DMARC.search(text) and not _DMARC.match(text):
                yield (
                    key,
                    "a text looks like a DMARC record but does not begin with v=DMARC1 and a ;",
                )
    for key, texts in view.texts.items():
        may_be_meant = key.name == view.zone or key.name.startswith("dmarc.")
        if may_be_meant and any(map(_DMARC.match, texts)):
            clause = "at a name without an underscore, but receivers look for it at _dmarc"
            yield key, f"a DMARC record is {clause}"


@RULES.add("dmarc-policy", "error", "RFC 7489, section 6.3")
def dmarc_policy(view: ZoneView) -> KeyedText:
    """A DMARC policy is not `none`, `quarantine` or `reject`."""
    for key, tags in _dmarc_records(view):
        for tag, value in tags:
            if tag == "p" and value.lower() not in _POLICIES:
                yield key, f"p={value} is not a DMARC policy: use none, quarantine or reject"


@RULES.add("dmarc-no-policy", "warning", "RFC 7489, section 6.3")
def dmarc_no_policy(view: ZoneView) -> KeyedText:
    """A DMARC record has no policy."""
    for key, tags in _dmarc_records(view):
        if "p" not in dict(tags):
            yield key, "the DMARC record has no p, so it does not say what to do with mail"


@RULES.add("dmarc-tag", "warning", "RFC 7489, section 6.3")
def dmarc_tag(view: ZoneView) -> KeyedText:
    """A DMARC record has a tag that is unknown, repeated, or has an invalid value."""
    for key, tags in _dmarc_records(view):
        names = [tag for tag, _value in tags]
        for tag, value in tags:
            if tag == "v" and value != "DMARC1":
                yield (
                    key,
                    f"the DMARC record begins with v={value}, but some receivers look for v=DMARC1",
                )
            if not tag:
                yield key, f"={value} of the DMARC record is ignored: there is no tag before the ="
            elif names.count(tag) > 1:
                yield key, f"the DMARC record has the tag {tag} more than once"
            elif not value:
                yield key, f"the tag {tag} of the DMARC record has no value"
            elif tag in _TAGS:
                pattern, takes = _TAGS[tag]
                if not re.fullmatch(pattern, value, re.IGNORECASE | re.ASCII):
                    yield key, f"{tag}={value} of the DMARC record is ignored: {tag} takes {takes}"
            elif tag not in ("p", "v"):
                yield key, f"the tag {tag} of the DMARC record is unknown and ignored"


@RULES.add("dkim-key", "error", "RFC 6376, section 3.6.1; RFC 8301, section 3.2; RFC 8463")
def dkim_key(view: ZoneView) -> KeyedText:
    """A DKIM key does not decode, or is an RSA key below 1024 bits."""
    for key, texts in _dkim_texts(view):
        for text in texts:
            problem, bits = key_of(text)
            if problem:
                yield key, f"the DKIM key cannot be used {problem}"
            elif 0 < bits < SHORTEST_KEY:
                yield (
                    key,
                    f"the DKIM key has {bits} bits, but verifiers accept none below {SHORTEST_KEY}",
                )


@RULES.add("dkim-not-seen", "error", "RFC 6376, section 3.6.1")
def dkim_not_seen(view: ZoneView) -> KeyedText:
    """A TXT value looks like DKIM, but receivers do not recognize it.

    No verifier finds a version in it.
    """
    for key, texts in view.texts.items():
        if _is_of_dkim(key) and any(map(_is_meant_as_dkim, texts)):
            yield key, "a text looks like a DKIM key but does not begin with v=DKIM1 and a ;"
        elif "domainkey" in labels(key.name) and any(map(_LIKE_DKIM.match, texts)):
            clause = "at a name without an underscore, but verifiers look for it below _domainkey"
            yield key, f"a DKIM key is {clause}"


@RULES.add("dkim-several", "warning", "RFC 6376, section 3.6.2.2")
def dkim_several(view: ZoneView) -> KeyedText:
    """A name has more than one DKIM key."""
    for key, texts in _dkim_texts(view):
        if len(texts) > 1:
            yield key, f"it holds {len(texts)} DKIM keys, and verifiers may use any of them"


@RULES.add("dkim-short", "info", "RFC 8301, section 3.2")
def dkim_short(view: ZoneView) -> KeyedText:
    """An RSA key for DKIM has fewer than 2048 bits."""
    for key, texts in _dkim_texts(view):
        for text in texts:
            _problem, bits = key_of(text)
            if SHORTEST_KEY <= bits < SHORT_KEY:
                yield key, f"the DKIM key has {bits} bits, but should have {SHORT_KEY}"


@RULES.add("mail-no-spf", "info", "RFC 7208, section 3")
def mail_no_spf(view: ZoneView) -> KeyedText:
    """A name takes mail and has no SPF record."""
    for one in view.of_type("MX"):
        records = view.spf.get(Key(one.name, "TXT"))
        is_null = len(list(hosts(one))) < len(one.values)
        if not records and not is_null:
            yield one.key, "the name takes mail but has no SPF record"


@RULES.add("mail-no-dmarc", "info", "RFC 7489, section 6.1")
def mail_no_dmarc(view: ZoneView) -> KeyedText:
    """The zone takes mail and has no DMARC record.

    That is of the apex alone: names below it have its policy.
    """
    mx = view.names.get(view.zone, {}).get("MX")
    there = view.types_at(f"_dmarc.{view.zone}")
    if mx is None or there is None or not any(hosts(mx)):
        return
    if "TXT" not in there and "CNAME" not in there:
        yield mx.key, f"the zone takes mail, but there is no DMARC record at _dmarc.{view.zone}"


def _dmarc_texts(view: ZoneView) -> Iterator[tuple[Key, list[str]]]:
    for key, texts in view.texts.items():
        if key.name.startswith("_dmarc."):
            yield key, texts


def _dmarc_records(view: ZoneView) -> Iterator[tuple[Key, list[tuple[str, str]]]]:
    """The tags of each record. Names that allow reports have another form (RFC 7489, section 7.1)."""
    for key, texts in _dmarc_texts(view):
        for text in texts:
            if _DMARC.match(text):
                tags = _tags(text)
                yield key, [(tag.lower(), value) for tag, value in tags]


def _dkim_texts(view: ZoneView) -> Iterator[tuple[Key, list[str]]]:
    for key, texts in view.texts.items():
        if _is_of_dkim(key):
            yield key, list(filter(_is_dkim, texts))


def _is_of_dkim(key: Key) -> bool:
    return "_domainkey" in labels(key.name)[1:]


def _is_meant_as_dkim(text: str) -> bool:
    """Whether something other than a tag, such as a quote, stands before the version."""
    beginning = text.lstrip(" \t").lower()
    return bool(_LIKE_DKIM.match(text)) and not beginning.startswith("v")


def _is_dkim(text: str) -> bool:
    if _is_meant_as_dkim(text):
        return False
    beginning = text.lstrip().lower()
    return beginning.startswith("v=dkim") or "p" in dict(_tags(text))


def _tags(text: str) -> list[tuple[str, str]]:
    """The tags and values of a list such as ``v=DMARC1; p=none`` (RFC 6376, section 3.2)."""
    found = []
    for part in text.split(";"):
        if part.strip():
            tag, _equals, value = part.partition("=")
            found.append((tag.strip(), value.strip()))
    return found


@lru_cache(1024)
def key_of(text: str) -> tuple[str, int]:
    """What is wrong with a key, as a clause that begins with *because*; its RSA key's bits, or 0."""
    tags = dict(_tags(text))
    if "v" in tags and (tags["v"] != "DKIM1" or not _BEGINS_WITH_VERSION.match(text)):
        return "because v must come first and be DKIM1", 0
    if "p" not in tags:
        return "because it has no p", 0
    encoded = re.sub(r"\s", "", tags["p"])
    kind = tags.get("k", "rsa").lower()
    if not encoded or kind not in ("rsa", "ed25519"):  # revoked, or of an unknown kind
        return "", 0
    try:
        key = base64.b64decode(encoded, validate=True)
    except ValueError:
        return "because p is not base64: leave out lines that begin with -----", 0
    if kind == "rsa":
        try:
            return "", _modulus_bits(key)
        except (ValueError, IndexError):
            return "because p is not an RSA public key", 0
    size = len(key)
    return (
        "" if size == _ED25519_BYTES else f"because an Ed25519 key has 32 bytes, but p has {size}",
        0,
    )


def _modulus_bits(der: bytes) -> int:
    """The modulus bits of a SubjectPublicKeyInfo (RFC 5280, section 4.1), or of its inner key alone."""
    inside, _rest = _element(der, _SEQUENCE)
    if inside[0] == _SEQUENCE:
        algorithm, rest = _element(inside, _SEQUENCE)
        if not algorithm.startswith(_RSA):
            raise ValueError
        bits, _rest = _element(rest, _BIT_STRING)
        inside, _rest = _element(bits[1:], _SEQUENCE)
    modulus, rest = _element(inside, _INTEGER)
    exponent, _rest = _element(rest, _INTEGER)
    if not int.from_bytes(exponent, "big"):
        raise ValueError
    return int.from_bytes(modulus, "big").bit_length()


def _element(der: bytes, tag: int) -> tuple[bytes, bytes]:
    """The content of the first element, and the rest. Raises ValueError, IndexError."""
    if der[0] != tag:
        raise ValueError
    length, start = der[1], 2
    if length >= _SHORT_FORM:
        start += length - _SHORT_FORM
        length = int.from_bytes(der[2:start], "big")
    if not length or len(der) < start + length:
        raise ValueError
    return der[start : start + length], der[start + length :]
