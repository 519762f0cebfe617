# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Corrects or refuses values that dnspython before 2.9 misreads.

Some systems have no newer version. Delete this file once 2.9 is required.
"""

from __future__ import annotations

from typing import Any

from .forms import reason_against_escapes

try:
    import dns.name
    import dns.rdata
    import dns.rdataclass
    import dns.tokenizer
    import dns.version
except ImportError:
    pass  # names.py keeps the error
else:
    IS_OLDER = (dns.version.MAJOR, dns.version.MINOR) < (2, 9)
    NEEDS_NEWER = f"needs dnspython 2.9 or newer, and {dns.version.version} is installed"

    class ExactTokenizer(dns.tokenizer.Tokenizer):
        """Keeps the bytes of escapes (RFC 1035, section 5.1).

        Older versions read ``\\195`` as a character, and write its two UTF-8 bytes. In non-ASCII names they even accept
        ``\\300``, which is no byte.
        """

        def get_string(self, max_length: int | None = None) -> str:
            """Encodes to its exact bytes. Raises dns.exception.SyntaxError."""
            if not IS_OLDER:
                return super().get_string(max_length)
            token = self.get()
            self.unget(token)
            exact = _Exact(super().get_string(max_length))
            exact.token = token
            return exact

        def as_name(self, token: dns.tokenizer.Token, *origins: Any, **more: Any) -> dns.name.Name:
            """Raises dns.exception.SyntaxError, dns.name.BadEscape."""
            if IS_OLDER and reason_against_escapes(token.value):
                raise dns.name.BadEscape
            return super().as_name(token, *origins, **more)


class _Exact(str):
    token: dns.tokenizer.Token

    def encode(self, _encoding: str = "utf-8", _errors: str = "strict") -> bytes:
        raw: bytes = self.token.unescape_to_bytes().value
        return raw


_MISPRINTED = frozenset({"HTTPS", "ISDN", "SVCB"})  # older versions print their escapes wrong


def parsed(rdtype: str, text: str, codec: Any) -> dns.rdata.Rdata:
    """*codec* encodes labels. Raises dns.exception.DNSException, ValueError."""
    rdata = _read(rdtype, text, codec)
    if not IS_OLDER:
        return rdata
    if rdtype == "URI" and ("\\" in text or not text.isascii()):  # printed unescaped
        raise ValueError(f"a URI with an escape or a character that is not ASCII {NEEDS_NEWER}")
    if rdtype == "CERT" and not getattr(rdata, "certificate", None):
        raise ValueError("the certificate is empty")  # invalid base64 is dropped
    if rdtype in _MISPRINTED and _read(rdtype, rdata.to_text(), codec) != rdata:
        raise ValueError(f"an escape in it {NEEDS_NEWER}")
    return rdata


def _read(rdtype: str, text: str, codec: Any) -> dns.rdata.Rdata:
    tokenizer = ExactTokenizer(text, idna_codec=codec)
    return dns.rdata.from_text(dns.rdataclass.IN, rdtype, tokenizer)
