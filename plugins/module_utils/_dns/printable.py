# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text from elsewhere, fit for a terminal and of a bounded length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SHOWN_CHARACTERS = 300

SHOWN_CLAUSES = 10
"""Things of one kind of which a message tells, with a clause for each."""

SHOWN_NAMES = 20
"""Record sets that a message names."""


def printable(text: str) -> str:
    """*text* with control characters, bidirectional marks and the like shown as escapes: safe for a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def as_written(value: object) -> str:
    """What a person gave in place of a text, as YAML has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def printable_name(text: str) -> str:
    """*text* in place of a name at the start of a message; in quotes where there is nothing in it to be seen."""
    return printable(text) if text.strip() else repr(text)


def shortened(text: str) -> str:
    """*text*, cut where it is longer than anybody reads."""
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


def printable_part(text: str) -> str:
    """A text as far as a message shows it; a file can hold words that fill a screen."""
    return printable(shortened(text))


def quoted(value: object) -> str:
    """What a person gave, as far as a message shows it, in the quotes that tell where it begins and ends.

    A backslash is not doubled: values have escapes of their own.
    """
    return shortened(printable(repr(value).replace("\\\\", "\\")))


def values_and_ttl(values: Iterable[str], ttl: int | None) -> str:
    """The values of a record set, and its TTL (seconds) where one is said."""
    text = printable(", ".join(values))
    return text if ttl is None else f"{text} (TTL {ttl})"


def some_clauses(clauses: Sequence[str], most: int = SHOWN_CLAUSES) -> str:
    """The first *most* of these clauses, with semicolons between them, and how many more there are."""
    more = [f"and {len(clauses) - most} more"] if len(clauses) > most else []
    return "; ".join([*clauses[:most], *more])


def some_warnings(warnings: Sequence[str], where: str) -> list[str]:
    """The first of these warnings of one kind, and one that says how many more there are and *where* they are told."""
    remaining = len(warnings) - SHOWN_CLAUSES
    are = "is 1 more set" if remaining == 1 else f"are {remaining} more sets"
    return [
        *warnings[:SHOWN_CLAUSES],
        *([f"there {are} of which the same is to be said, see {where}"] * (remaining > 0)),
    ]


def some_names(names: Sequence[str], most: int = SHOWN_NAMES) -> str:
    """The first *most* of these names, with commas between them, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
