# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plain lines of a zone file, of which most files consist, read at once: exactly as dnspython reads them, or not.

A plain line is a whole record (RFC 1035, section 5.1): an owner name without escapes, a TTL in seconds, the class IN, a
type, and a value that dnspython would print as it stands, but for the case of names and the form of IPv6 addresses. A
line with nothing but a comment is one too. Any other line is left to dnspython, and so is any that it might refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import is_doubled
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.plain_values import (
    ADDRESS,
    ADDRESS6,
    HOST,
    PREFERENCE,
    UNQUOTED,
    is_plain_name,
    plain_address6,
    plain_host,
    plain_mail,
)

_LINE = re.compile(
    rf"""(?:
      (?: (@|{HOST}) [ \t]+ | [ \t]+ )
      (?: ([0-9]{{1,10}}) [ \t]+ )?
      (?: IN [ \t]+ )?
      (?: (A) [ \t]+ ({ADDRESS})
      | (AAAA) [ \t]+ ({ADDRESS6})
      | (TXT) [ \t]+ ("{UNQUOTED}")
      | (?: (CNAME|PTR) | (MX) [ \t]+ ({PREFERENCE}) ) [ \t]+ (@|{HOST})
      )
    )?
    [ \t]* (?: ; [^\n]* )? \n
    """,
    re.VERBOSE,
)


class PlainLine(NamedTuple):
    """A record: the number of its line, its canonical owner name and that as spelled, its TTL in seconds if it says
    one, its type, and its canonical value."""

    number: int
    owner: str
    spelled: str
    ttl: int | None
    type: str
    value: str


class PlainLines:
    """Those of a zone file with this *text*, whose zone has this canonical name."""

    def __init__(self, text: str, zone: str):
        self.end = 0
        """The place in the text behind the last line that was taken."""
        self.number = 1
        """The number of the line that begins there."""
        self._text = text
        self._zone = zone

    def following(self, at: int, number: int, origin: str, last_owner: str) -> Iterator[PlainLine]:
        """The records from the line on that begins *at* this place of the text and has this *number*.

        *origin* is what relative names are relative to, *last_owner* whose a line without a name is, both as dnspython
        prints them. A record counts as taken once the next one is asked for.
        """
        self.end, self.number, spelled = at, number, last_owner
        while (not self.end or self._text[self.end - 1] == "\n") and (found := _LINE.match(self._text, self.end)):
            if found.lastindex:
                word, ttl, *typed = found.groups()
                spelled = _absolute(word, origin) if word else spelled
                owner, (rdtype, value) = spelled.lower(), _typed(origin, *typed)
                is_inside = f".{owner}".endswith(f".{self._zone}") and not is_doubled(owner, self._zone)
                if not (value and is_plain_name(owner) and is_inside):
                    return
                yield PlainLine(self.number, owner, spelled, int(ttl) if ttl else None, rdtype, value)
            self.end, self.number = found.end(), self.number + 1


def _absolute(word: str, origin: str) -> str:
    if word == "@":
        return origin
    return word if word.endswith(".") else f"{word}.{origin.removeprefix('.')}"


def _typed(
    origin: str, a: str, address: str, aaaa: str, address6: str, txt: str, text: str, *hosted: str
) -> tuple[str, str | None]:
    """The type and the canonical value of a line; no value where it is for dnspython to read."""
    if a:
        return a, address
    if txt:
        return txt, text
    if aaaa:
        return aaaa, plain_address6(address6)
    rdtype, mx, preference, host = hosted
    if host.replace(".", "").isdigit():  # an address, which is refused
        return rdtype or mx, None
    name = _absolute(host, origin)
    return (mx, plain_mail(preference, name)) if mx else (rdtype, plain_host(name))
