# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Teaches dnspython rare types and forms that BIND reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace

try:
    import dns.rdata
    import dns.rdatatype
    import dns.tokenizer
    from dns.rdtypes.ANY.RP import RP
    from dns.rdtypes.nsbase import UncompressedNS
except ImportError:
    pass  # names.py keeps the error
else:

    class RareFormsTokenizer(dns.tokenizer.Tokenizer):
        """Converts some words to the form that dnspython knows."""

        rdtype: Callable[[], str] = staticmethod(lambda: "")  # of the value that is being read

        def get_identifier(self) -> str:
            """The next word. Four-group 64-bit numbers (RFC 6742, section 2.2.2) get all digits."""
            word = super().get_identifier()
            if not _FOUR_GROUPS.fullmatch(word):
                return word
            groups = word.lower().split(":")
            return ":".join(group.zfill(4) for group in groups)

        def get_uint8(self) -> int:
            """The next number. Digest types may have names (RFC 4034, appendix A.2)."""
            token = self.get()
            name = token.value.upper().replace("-", "")
            number = _DIGEST_TYPES.get(name)
            if number and self.rdtype() in _HAVE_DIGEST_TYPES:
                return number
            self.unget(token)
            return super().get_uint8()

    # RFC 1035, sections 3.3.3 and 3.3.6 to 3.3.8: one name, and two for MINFO.
    forms = {"MB": UncompressedNS, "MG": UncompressedNS, "MINFO": RP, "MR": UncompressedNS}
    for name, form in forms.items():
        implementation = SimpleNamespace(**{name: form})
        with suppress(dns.rdata.RdatatypeExists):
            dns.rdata.register_type(implementation, dns.rdatatype.from_text(name), name)


_FOUR_GROUPS = re.compile(r"[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}", re.IGNORECASE)
_DIGEST_TYPES = {"SHA1": 1, "SHA256": 2, "GOST": 3, "SHA384": 4}
_HAVE_DIGEST_TYPES = frozenset({"CDS", "DLV", "DS"})
