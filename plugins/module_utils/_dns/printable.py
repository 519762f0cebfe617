# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes foreign text safe for a terminal, and bounds its length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SHOWN_CHARACTERS = 300

SHOWN_CLAUSES = 10
"""Most clauses in a message for things of one kind."""

SHOWN_NAMES = 20
"""Most record sets that a message names."""


def printable(text: str) -> str:
    """*text* with control characters, bidirectional marks and the like escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def as_written(value: object) -> str:
    """The text of a scalar as YAML writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def printable_name(text: str) -> str:
    """*text* as the name that begins a message; quoted if blank."""
    return printable(text) if text.strip() else repr(text)


def shortened(text: str) -> str:
    """*text*, cut to SHOWN_CHARACTERS."""
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


def printable_part(text: str) -> str:
    """The printable start of a text."""
    return printable(shortened(text))


def quoted(value: object) -> str:
    """A raw value, quoted and cut.

    Backslashes are not doubled, since values have escapes of their own.
    """
    return shortened(printable(repr(value).replace("\\\\", "\\")))


def values_and_ttl(values: Iterable[str], ttl: int | None) -> str:
    """The values of a record set, and its TTL (seconds) if any."""
    text = printable(", ".join(values))
    return text if ttl is None else f"{text} (TTL {ttl})"


def some_clauses(clauses: Sequence[str], most: int = SHOWN_CLAUSES) -> str:
    """The first *most* clauses, and how many more there are."""
    more = [f"and {len(clauses) - most} more"] if len(clauses) > most else []
    return "; ".join([*clauses[:most], *more])


def some_warnings(warnings: Sequence[str], where: str) -> list[str]:
    """The first warnings of one kind, then how many more there are and *where*."""
    shown, more = [*warnings[:SHOWN_CLAUSES]], len(warnings) - SHOWN_CLAUSES
    if more > 0:
        are = "is 1 more set" if more == 1 else f"are {more} more sets"
        shown.append(f"there {are} with the same warning, see {where}")
    return shown


def some_names(names: Sequence[str], most: int = SHOWN_NAMES) -> str:
    """The first *most* names, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
