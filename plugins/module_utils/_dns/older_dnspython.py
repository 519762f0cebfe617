# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What dnspython before 2.9 reads otherwise than later ones: put right, or refused where that would take more.

Python 3.10 has no later ones, and systems ship 2.6 and 2.7. This file goes when the oldest that is accepted is 2.9.
"""

from __future__ import annotations

import re
from typing import Any

try:
    import dns.exception
    import dns.name
    import dns.rdata
    import dns.rdataclass
    import dns.tokenizer
    import dns.version

    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rare_types import RareFormsTokenizer
except ImportError:
    pass  # names.py keeps the error
else:
    IS_OLDER = (dns.version.MAJOR, dns.version.MINOR) < (2, 9)
    NEEDS_NEWER = f"needs dnspython 2.9 or newer, and {dns.version.version} is installed"

    class ExactTokenizer(RareFormsTokenizer):
        """Keeps the bytes that escapes stand for (RFC 1035, section 5.1).

        In character strings, older ones take ``\\195`` for a character, and write the two bytes that UTF-8 has for it.
        In names with other than ASCII characters, they do so with ``\\300``, which is no byte at all.
        """

        def get_string(self, max_length: int | None = None) -> str:
            """The next word, as text that knows its bytes. Raises dns.exception.SyntaxError."""
            if not IS_OLDER:
                return super().get_string(max_length)
            token = self.get()
            self.unget(token)
            return _Exact(super().get_string(max_length), token)

        def as_name(self, token: dns.tokenizer.Token, *origins: Any, **more: Any) -> dns.name.Name:
            """A word as a name. Raises dns.exception.SyntaxError, dns.name.BadEscape."""
            if IS_OLDER and not has_bytes_alone(token.value):
                raise dns.name.BadEscape
            return super().as_name(token, *origins, **more)


class _Exact(str):
    _token: dns.tokenizer.Token

    def __new__(cls, text: str, token: dns.tokenizer.Token) -> _Exact:
        exact = super().__new__(cls, text)
        exact._token = token
        return exact

    def encode(self, _encoding: str = "utf-8", _errors: str = "strict") -> bytes:
        raw: bytes = self._token.unescape_to_bytes().value
        return raw


_MISPRINTED = frozenset({"HTTPS", "ISDN", "SVCB"})  # whose escapes it reads otherwise than it prints them
_ESCAPE = re.compile(r"\\([0-9]{3}|.)", re.DOTALL)


def has_bytes_alone(name: str) -> bool:
    """Whether no escape in a name stands for more than a byte (RFC 1035, section 5.1)."""
    return all(len(escaped) < 3 or int(escaped) < 256 for escaped in _ESCAPE.findall(name))


def parsed(rdtype: str, text: str, codec: Any) -> dns.rdata.Rdata:
    """The rdata of a value in zone-file form; *codec* encodes labels. Raises dns.exception.DNSException, ValueError."""
    if IS_OLDER and rdtype == "URI" and ("\\" in text or not text.isascii()):  # whose bytes it prints as they are
        raise ValueError(f"a URI with an escape or a character that is not ASCII {NEEDS_NEWER}")
    rdata = _read(rdtype, text, codec)
    if IS_OLDER and rdtype == "CERT" and not getattr(rdata, "certificate", None):  # it leaves out what is no base64
        raise ValueError("the certificate is empty")
    if IS_OLDER and rdtype in _MISPRINTED and _read(rdtype, rdata.to_text(), codec) != rdata:
        raise ValueError(f"an escape in it {NEEDS_NEWER}")
    return rdata


def _read(rdtype: str, text: str, codec: Any) -> dns.rdata.Rdata:
    # dnspython takes an enumeration or a number
    tokenizer = ExactTokenizer(text, idna_codec=codec)
    tokenizer.rdtype = lambda: rdtype
    return dns.rdata.from_text(dns.rdataclass.IN, rdtype, tokenizer)
