# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Types that hardly anybody uses, in the forms that BIND reads of them and dnspython does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

try:
    import dns.immutable
    import dns.name
    import dns.rdata
    import dns.rdatatype
    import dns.rdtypes.nsbase
    import dns.tokenizer
    from dns.rdtypes.ANY.RP import RP
except ImportError:
    pass  # names.py keeps the error
else:

    class MB(dns.rdtypes.nsbase.UncompressedNS):
        """The host of a mailbox (RFC 1035, section 3.3.3)."""

    class MG(dns.rdtypes.nsbase.UncompressedNS):
        """A member of a mail group (RFC 1035, section 3.3.6)."""

    class MR(dns.rdtypes.nsbase.UncompressedNS):
        """Another name of a mailbox (RFC 1035, section 3.3.8)."""

    class MINFO(RP):
        """The mailboxes of who is responsible and who gets errors, two names as in RP (RFC 1035, section 3.3.7)."""

    @dns.immutable.immutable
    class NXT(dns.rdata.Rdata):
        """The next name, and the types at this one (RFC 2535, section 5.2)."""

        __slots__ = ("next", "types")

        def __init__(self, rdclass: Any, rdtype: Any, next: Any, types: Any):  # as dnspython has it in NSEC
            super().__init__(rdclass, rdtype)
            self.next = self._as_name(next)  # type: ignore[no-untyped-call]
            self.types = self._as_bytes(types)

        def to_text(self, origin: Any = None, relativize: bool = True, **_style: Any) -> str:  # type: ignore[override]
            """The value in zone-file form."""
            numbers = (at for at in range(len(self.types) * 8) if self.types[at // 8] & (0x80 >> at % 8))
            types = map(dns.rdatatype.RdataType.make, numbers)
            name = self.next.choose_relativity(origin, relativize).to_text()
            return " ".join([name, *map(dns.rdatatype.to_text, types)])

        @classmethod
        def from_text(
            cls,
            rdclass: Any,
            rdtype: Any,
            tok: Any,
            origin: Any = None,
            relativize: bool = True,
            relativize_to: Any = None,
        ) -> NXT:
            """The value that the next words are. Raises dns.exception.DNSException, ValueError."""
            name = tok.get_name(origin, relativize, relativize_to)
            types = bytearray()
            for token in tok.get_remaining():
                number = dns.rdatatype.from_text(token.value)
                if number > _LAST_OF_NXT:
                    raise ValueError(f"{token.value} is above the types that NXT can name")
                types.extend(bytes(max(0, number // 8 + 1 - len(types))))
                types[number // 8] |= 0x80 >> number % 8
            return cls(rdclass, rdtype, name, bytes(types))

        def _to_wire(self, file: Any, _compress: Any = None, origin: Any = None, canonicalize: bool = False) -> None:
            self.next.to_wire(file, None, origin, canonicalize)
            file.write(self.types)

        @classmethod
        def from_wire_parser(cls, rdclass: Any, rdtype: Any, parser: Any, origin: Any = None) -> NXT:
            """The value that these bytes are."""
            return cls(rdclass, rdtype, parser.get_name(origin), parser.get_remaining())

    class RareFormsTokenizer(dns.tokenizer.Tokenizer):
        """Gives dnspython, of some words, the form in which it knows them."""

        rdtype: Callable[[], str] = staticmethod(lambda: "")  # of the value that is being read

        def get_identifier(self) -> str:
            """The next word; of 64 bits in four groups (RFC 6742, section 2.2.2), with all their digits."""
            word = super().get_identifier()
            if not _FOUR_GROUPS.fullmatch(word):
                return word
            return ":".join(group.zfill(4) for group in word.lower().split(":"))

        def get_uint8(self) -> int:
            """The next word as a number; a digest type may have its name (RFC 4034, appendix A.2)."""
            token = self.get()
            number = _DIGEST_TYPES.get(token.value.upper().replace("-", ""))
            if number and self.rdtype() in _HAVE_DIGEST_TYPES:
                return number
            self.unget(token)
            return super().get_uint8()

    for rare in (MB, MG, MR, MINFO, NXT):
        name = rare.__name__
        with suppress(dns.rdata.RdatatypeExists):
            dns.rdata.register_type(SimpleNamespace(**{name: rare}), dns.rdatatype.from_text(name), name)


_LAST_OF_NXT = 127
_FOUR_GROUPS = re.compile(r"[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}", re.IGNORECASE)
_DIGEST_TYPES = {"SHA1": 1, "SHA256": 2, "GOST": 3, "SHA384": 4}
_HAVE_DIGEST_TYPES = frozenset({"CDS", "DLV", "DS"})
