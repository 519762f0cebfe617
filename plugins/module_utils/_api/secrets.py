# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removes secrets from messages, in any encoding."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote
from urllib.request import getproxies_environment

REDACTED = "********"
SHORTEST_PART = 3
SHORTEST_BASE64 = 8
"""Shorter base64 matches words by chance."""


def redact(text: str, token: str) -> str:
    """Hide the token, and proxy passwords from the environment."""
    return _pattern(frozenset({token, *_of_proxies()})).sub(REDACTED, text)


def passwords_in(url: str) -> set[str]:
    """The password of a URL (RFC 3986, section 3.2.1), as written and decoded."""
    password = url.rpartition("://")[2].rpartition("@")[0].partition(":")[2]
    return {text for text in (password, unquote(password)) if len(text) >= SHORTEST_PART}


@lru_cache(maxsize=8)
def _pattern(secrets: frozenset[str]) -> re.Pattern[str]:
    # The longest first, since a password can be part of another secret.
    forms = [
        form
        for secret in sorted(filter(None, secrets), key=len, reverse=True)
        for form in _forms(secret)
    ]
    return re.compile("|".join(forms), re.IGNORECASE)


def _forms(secret: str) -> Iterator[str]:
    yield "".join(map(_spellings, secret))
    plain = secret.encode("utf-8", "surrogateescape")
    # Its position gives three encoded forms. The edges depend on neighbours and are left out.
    for before, edge in enumerate((0, 2, 3)):
        coded = base64.b64encode(bytes(before) + plain).decode()[edge:]
        inner = coded.rstrip("=")[:-1] if coded.endswith("=") else coded
        if len(inner) >= SHORTEST_BASE64:
            yield "".join(_IN_BASE64.get(character, character) for character in inner)


def _spellings(character: str) -> str:
    """A pattern for a character in URLs, JSON and HTML."""
    code = ord(character)
    is_word = character.isascii() and character.isalnum()
    spellings = [
        character if is_word else rf"\\{{0,4}}{re.escape(character)}",
        "".join(
            f"%(?:25){{0,3}}{octet:02x}" for octet in character.encode("utf-8", "surrogateescape")
        ),
        rf"\\{{1,4}}u{code:04x}",
        f"&#0{{0,6}}{code};",
        f"&#x0{{0,6}}{code:x};",
    ]
    return f"(?:{'|'.join(spellings + _NAMED.get(character, []))})"


_NAMED = {
    "&": ["&amp;"],
    "<": ["&lt;"],
    ">": ["&gt;"],
    '"': ["&quot;"],
    "'": ["&apos;"],
    " ": [r"\+"],
}
_IN_BASE64 = {"+": "(?:[+-]|%2b)", "/": r"(?:\\{0,4}[/_]|%2f)"}


def _of_proxies() -> Iterator[str]:
    """Users and passwords of proxies, even in invalid URLs."""
    for name, url in getproxies_environment().items():
        if name == "no":
            continue
        place = url.rpartition("://")[2]
        account, at, _host = place.rpartition("@")
        # Without an @, the port may be a password.
        password = (
            account.partition(":")[2]
            if at
            else ""
            if re.search(r":\d+/?$", place)
            else place.partition(":")[2]
        )
        for text in (account if ":" in account else "", password):
            yield from (text, unquote(text))
        # If a character ends the account early, libraries name the parts in errors.
        yield from (
            part for part in re.split(r"[/?#@:\\\s]", password) if len(part) >= SHORTEST_PART
        )
