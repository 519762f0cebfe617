# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The record sets that every tool is measured with."""

from __future__ import annotations

from dataclasses import dataclass

TTL = 300


@dataclass(frozen=True)
class Entry:
    """One record set with one value, the preference of an MX apart, because peers differ in where an MX has them."""

    name: str
    type: str
    value: str
    preference: int | None = None

    @property
    def content(self):
        """The value in zone-file form, but for the quotes of a text."""
        return self.value if self.preference is None else f"{self.preference} {self.value}"

    @property
    def presented(self):
        """The value in zone-file form."""
        return f'"{self.value}"' if self.type == "TXT" else self.content


def entries(count, *, changed=False):
    """So many sets at as many names: of ten, six A and one each of AAAA, CNAME, TXT and MX. No value comes twice.

    With *changed*, one in ten has another value, over all types alike.
    """
    return [
        _entry(index, "new" if changed and is_tenth(index) else "old") for index in range(count)
    ]


def is_tenth(index):
    """Whether a set is among the tenth that changes or goes: one in each ten, of every type."""
    return (index // 10 + index) % 10 == 0


def _entry(index, word):
    name = f"host{index}"
    match index % 10:
        case 6:
            prefix = "2001:db8" if word == "old" else "2001:db8:ffff"
            return Entry(name, "AAAA", f"{prefix}::{index // 65535 + 1:x}:{index % 65535 + 1:x}")
        case 7:
            return Entry(name, "CNAME", f"{word}{index}.example.net.")
        case 8:
            return Entry(name, "TXT", f"The {word} text of host {index}")
        case 9:
            return Entry(name, "MX", f"{word}{index}.example.net.", 10)
    first = 10 if word == "old" else 11
    return Entry(name, "A", f"{first}.{index >> 16 & 255}.{index >> 8 & 255}.{index & 255}")


def zone_file(wanted):
    """The entries as the text of a zone file."""
    return f"$TTL {TTL}\n" + "".join(
        f"{entry.name} IN {entry.type} {entry.presented}\n" for entry in wanted
    )
