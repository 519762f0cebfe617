# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""DKIM key records (RFC 6376, section 3.6.1): whether a verifier could use one, and how many bits the key has."""

from __future__ import annotations

import binascii
import re
from functools import lru_cache

_RSA = bytes.fromhex("06092a864886f70d010101")  # 1.2.840.113549.1.1.1
_SEQUENCE, _INTEGER, _BIT_STRING = 0x30, 0x02, 0x03
_ED25519_BYTES = 32
_SHORT_FORM = 0x80
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")


@lru_cache(1024)
def key_of(text: str) -> tuple[str, int]:
    """What is wrong with a key record, or nothing, and how many bits the modulus of its RSA key has, or 0.

    What is wrong is a clause that begins with *because*. Raises nothing: no text is too odd to be judged.
    """
    parts = [part.strip() for part in text.split(";")]
    tags = {tag.strip(): value.strip() for tag, _equals, value in (part.partition("=") for part in parts if part)}
    if "v" in tags and (tags["v"] != "DKIM1" or not re.match(r"v\s*=", parts[0])):
        return "because v has to come first, and has to be DKIM1", 0
    if "p" not in tags:
        return "because it has no p", 0
    encoded = re.sub(r"\s", "", tags["p"])
    kind = tags.get("k", "rsa").lower()
    if not encoded or kind not in ("rsa", "ed25519"):  # revoked, or of a kind that is not known here
        return "", 0
    try:
        if not _BASE64.fullmatch(encoded):
            raise ValueError
        key = binascii.a2b_base64(encoded)
    except ValueError:
        return "because p is not base64", 0
    if kind == "ed25519":
        return ("" if len(key) == _ED25519_BYTES else f"because an Ed25519 key has 32 bytes, and p has {len(key)}"), 0
    try:
        return "", _modulus_bits(key)
    except (ValueError, IndexError):
        return "because p is no RSA public key", 0


def _modulus_bits(der: bytes) -> int:
    """The bits of the modulus of a SubjectPublicKeyInfo (RFC 5280, section 4.1), or of its inner key alone."""
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
    """The content of the first element, and what comes after it. Raises ValueError, IndexError."""
    if der[0] != tag:
        raise ValueError
    length, start = der[1], 2
    if length >= _SHORT_FORM:
        start += length - _SHORT_FORM
        length = int.from_bytes(der[2:start], "big")
    if not length or len(der) < start + length:
        raise ValueError
    return der[start : start + length], der[start + length :]
