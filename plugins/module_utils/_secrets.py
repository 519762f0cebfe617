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
    secrets = frozenset({token, *_of_proxies()})
    return _pattern(secrets).sub(REDACTED, text)


def passwords_in(url: str) -> set[str]:
    """The password of a URL (RFC 3986, section 3.2.1), as written and decoded."""
    account = url.rpartition("://")[2].rpartition("@")[0]
    password = account.partition(":")[2]
    return {text for text in (password, unquote(password)) if len(text) >= SHORTEST_PART}


@lru_cache(maxsize=8)
def _pattern(secrets: frozenset[str]) -> re.Pattern[str]:
    forms: list[str] = []
    # The longest first, since a password can be part of another secret.
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        forms.extend(_forms(secret))
    return re.compile("|".join(forms), re.IGNORECASE)


def _forms(secret: str) -> Iterator[str]:
    """Patterns for a secret as text and in base64."""
    yield "".join(map(_spellings, secret))
    plain = secret.encode("utf-8", "surrogateescape")
    # Its position gives three encoded forms. The edges depend on neighbours and are left out.
    for before, edge in enumerate((0, 2, 3)):
        encoded = base64.b64encode(bytes(before) + plain).decode()
        inner = encoded[edge:].rstrip("=")
        if encoded.endswith("="):
            inner = inner[:-1]
        if len(inner) >= SHORTEST_BASE64:
            yield "".join(_IN_BASE64.get(character, character) for character in inner)


def _spellings(character: str) -> str:
    """A pattern for a character in URLs, JSON and HTML."""
    code = ord(character)
    octets = character.encode("utf-8", "surrogateescape")
    plain = character
    if not (character.isascii() and character.isalnum()):
        plain = rf"\\{{0,4}}{re.escape(character)}"
    spellings = [
        plain,
        "".join(f"%(?:25){{0,3}}{octet:02x}" for octet in octets),
        rf"\\{{1,4}}u{code:04x}",
        f"&#0{{0,6}}{code};",
        f"&#x0{{0,6}}{code:x};",
        *_NAMED.get(character, ()),
    ]
    return f"(?:{'|'.join(spellings)})"


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
        named = account
        if not at and not re.search(r":\d+/?$", place):
            named = place  # without an @, the port may be a password
        _user, _colon, password = named.partition(":")
        secrets = [password]
        if ":" in account:
            secrets.append(account)
        for secret in secrets:
            yield secret
            yield unquote(secret)
        # If a character ends the account early, libraries name the parts in errors.
        for part in re.split(r"[/?#@:\\\s]", password):
            if len(part) >= SHORTEST_PART:
                yield part
