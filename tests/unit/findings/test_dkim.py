# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""DKIM keys: given this record, what is wrong with it, and how many bits the modulus has."""

import base64

import pytest
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._findings.mail import key_of

ED25519 = "hRgdni4VyQATkdlJcCsiIXkdnmtZT4wSMqOi0ZO64rc="


def der(tag, *parts, length=b""):
    """An element of DER; its length is what it is, unless another is given."""
    content = b"".join(parts)
    short = bytes([len(content)]) if len(content) < 128 else b"\x81" + bytes([len(content)])
    return bytes([tag]) + (length or short) + content


def public_key(exponent=b"\3", oid="06092a864886f70d010101"):
    """A SubjectPublicKeyInfo (RFC 5280, section 4.1) with a modulus of nine bits."""
    key = der(0x30, der(2, b"\1\1"), der(2, exponent))
    return der(0x30, der(0x30, bytes.fromhex(oid), b"\5\0"), der(3, b"\0", key))


NO_RSA = "because p is not an RSA public key"
KEYS = {
    "in its frame": (public_key(), 9),
    "alone": (der(0x30, der(2, b"\1\1"), der(2, b"\3")), 9),
    "with something appended": (public_key() + b"\0", 9),
    "a modulus of 128 bytes": (der(0x30, der(2, b"\x7f" * 128), der(2, b"\3")), 1023),
    "an exponent of zero": (public_key(b"\0"), 0),
    "of another algorithm": (public_key(oid="06072a8648ce3d0201"), 0),
    "no sequence": (der(0x31, der(2, b"\1\1"), der(2, b"\3")), 0),
    "without exponent": (der(0x30, der(2, b"\1\1")), 0),
    "an empty modulus": (der(0x30, der(2), der(2, b"\3")), 0),
    "a length of none": (der(0x30, der(2, b"\1" * 128, length=b"\x80"), der(2, b"\3")), 0),
    "cut short by one byte": (public_key()[:-1], 0),
}


@named_rows("key, bits", KEYS)
def test_an_rsa_key(key, bits):
    assert key_of(f"v=DKIM1; p={base64.b64encode(key).decode()}") == (
        "" if bits else NO_RSA,
        bits,
    )


@pytest.mark.parametrize(
    "text, problem",
    [
        ("p=; v=DKIM1", "because v must come first and be DKIM1"),
        ("v=DKIM2; p=", "because v must come first and be DKIM1"),
        ("v = DKIM1; p=", ""),
        ("v=DKIM1", "because it has no p"),
        ("p=AAAA?", "because p is not base64: leave out lines that begin with -----"),
        ("p=AAAAA", "because p is not base64: leave out lines that begin with -----"),
        ("k=ed25519; p=AAAA", "because an Ed25519 key has 32 bytes, but p has 3"),
        (f"k=ed25519;p={ED25519[:9]} {ED25519[9:]} ;", ""),
        ("k=other; p=AAAA", ""),
    ],
)
def test_a_key_record_without_an_rsa_key(text, problem):
    assert key_of(text) == (problem, 0)
