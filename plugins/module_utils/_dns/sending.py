# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How values are sent, and how services misread them."""

from __future__ import annotations

import re
from contextlib import suppress

from .printable import printable_part
from .rdata import InvalidRdata, is_text, txt_bytes, txt_value
from .record_types import known_of

with suppress(ImportError):  # names.py keeps the error, module.py reports it
    import dns.exception
    import dns.tokenizer


def sending_form(rdtype: str, value: str, *, quoted: bool) -> tuple[str, int | None]:
    """The ``content`` and ``priority`` that create a canonical value (spec 2.5). Raises InvalidRdata.

    *quoted* is for TXT, and implied if the text is unprintable or looks quoted.
    """
    if rdtype == "MX":
        preference, _space, host = value.rpartition(" ")
        if not re.fullmatch(r"[0-9]{0,5}", preference):
            raise InvalidRdata(f"{printable_part(preference)} is not a preference")
        if not preference:
            raise InvalidRdata(
                f"the service does not show the preference of {printable_part(host)}"
            )
        return host, int(preference)
    if is_text(rdtype) and not quoted:
        try:
            text = txt_bytes(value).decode("utf-8")
        except UnicodeDecodeError:
            return value, None
        ambiguous = text.startswith('"') and text.endswith('"')
        if text and text.isprintable() and text.strip() == text and not ambiguous:
            return text, None
    return known_of(rdtype).sent(value), None


def not_sent(rdtype: str, value: str) -> str:
    """Why no request can create a canonical value, as a clause; empty if one can."""
    try:
        sending_form(rdtype, value, quoted=True)
    except InvalidRdata as error:
        return str(error)
    return ""


def goes_in_quotes(value: str) -> bool:
    """Whether a TXT value is quoted in either form. Raises InvalidRdata."""
    return sending_form("TXT", value, quoted=False) == sending_form("TXT", value, quoted=True)


def altered_forms(value: str) -> dict[str, str]:
    """What services may make of a TXT value, each with the form in which that happens.

    In a zone file, an unquoted text ends at ``;`` and its words are strings. Quotes can become text.
    """
    made = {}
    for form, read in (("quoted", str.encode), ("plain", _as_zone_file)):
        with suppress(ValueError, dns.exception.DNSException):  # services refuse this instead
            made[txt_value(read(value))] = form
    made.pop(value, None)
    return made


def _as_zone_file(value: str) -> bytes:
    """The words of a TXT value without quotes (RFC 1035, section 5.1)."""
    tokenizer = dns.tokenizer.Tokenizer(txt_bytes(value).decode("utf-8"))
    words: list[bytes] = []
    token = tokenizer.get()
    while not token.is_eol_or_eof():
        words.append(token.unescape_to_bytes().value)
        token = tokenizer.get()
    return b"".join(words)
