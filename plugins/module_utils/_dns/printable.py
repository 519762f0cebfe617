# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes foreign text safe for a terminal and for what runs a job, and short."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone

SHOWN_CHARACTERS = 300

SHOWN_CLAUSES = 10
"""Most clauses in a message."""

SHOWN_NAMES = 20

_BEGINS_A_COMMAND = re.compile(r"##(?=\w*\[)|::(?=[0-9A-Fa-f]{0,4}[G-Zg-z_-])")
"""The beginning of a command that a CI service carries out if a job prints it.

* ``##[add-mask]x``, ``##vso[...]``, ``##teamcity[...]``: GitHub Actions, Azure Pipelines, TeamCity.
* ``::add-mask::x``: GitHub Actions. IPv6 addresses have ``::`` too, but only hexadecimal digits follow it.
"""


def printable(text: str) -> str:
    """The text, safe to print.

    What a terminal obeys is escaped, such as control characters and marks of direction. A command of a CI service
    gets a backslash in the middle of its beginning, which changes nothing in a zone file: ``#\\#`` is ``##`` there.
    """
    if not text.isprintable():
        text = "".join(map(_visible, text))
    if "##" in text or "::" in text:
        text = _BEGINS_A_COMMAND.sub(_divided, text)
    return text


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def _divided(found: re.Match[str]) -> str:
    character = found[0][0]
    return f"{character}\\{character}"


def as_written(value: object) -> str:
    """A scalar as YAML writes it."""
    text = str(value)
    return text.lower() if isinstance(value, bool) else text


def printable_name(text: str) -> str:
    """A name that begins a message; quoted if blank."""
    if not text.strip():
        return repr(text)
    return printable(text)


def shortened(text: str) -> str:
    if len(text) <= SHOWN_CHARACTERS:
        return text
    return f"{text[:SHOWN_CHARACTERS]}..."


def printable_part(text: str) -> str:
    return printable(shortened(text))


def quoted(value: object) -> str:
    """Quoted and cut. Backslashes are not doubled, since values have escapes of their own."""
    text = repr(value).replace("\\\\", "\\")
    return shortened(printable(text))


def values_and_ttl(values: Iterable[str], ttl: int | None) -> str:
    text = printable(", ".join(values))
    if ttl is None:
        return text
    return f"{text} (TTL {ttl})"


def moment(seconds: float) -> str:
    """A time in seconds since 1970."""
    return f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%d at %H:%M UTC}"


def some_clauses(clauses: Sequence[str]) -> str:
    shown = "; ".join(clauses[:SHOWN_CLAUSES])
    more = len(clauses) - SHOWN_CLAUSES
    if more > 0:
        shown += f"; and {more} more"
    return shown


def some_warnings(warnings: Sequence[str], where: str) -> list[str]:
    """The first warnings of one kind, and *where* to find the others."""
    shown = list(warnings[:SHOWN_CLAUSES])
    more = len(warnings) - SHOWN_CLAUSES
    if more > 0:
        shown.append(f"more warnings of this kind: {more} (see {where})")
    return shown


def some_names(names: Sequence[str], most: int = SHOWN_NAMES) -> str:
    shown = ", ".join(names[:most])
    more = len(names) - most
    if more > 0:
        shown += f" and {more} more"
    return shown
