# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone as its name servers see it. All names are canonical."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from .names import ends_in
from .rdata import is_unknown, text_in
from .record_set import Key, RecordSet
from .record_types import known_of

ADDRESS_TYPES = ("A", "AAAA")
_FIRST_LABEL = re.compile(r"(?:\\.|[^.\\])*\.")
_SPF = re.compile(r"v=spf1(?: |\Z)", re.IGNORECASE)
_MANY_STEPS = 64
_LONGEST_NAME = 4 * 255  # characters: each byte may be an escape (RFC 1035, section 5.1)

Types = Mapping[str, RecordSet]


def parent(name: str) -> str:
    """Empty for the last label."""
    if "\\" not in name:
        _first, _dot, above = name.partition(".")
        return above
    match = _FIRST_LABEL.match(name)
    return name[match.end() :] if match else ""


def labels(name: str) -> list[str]:
    """The labels, without the root."""
    if "\\" not in name:
        return name[:-1].split(".")
    return [label[:-1] for label in _FIRST_LABEL.findall(name)]


def has_underscore(name: str) -> bool:
    """Whether a label begins with an underscore, as in names that are not of hosts (RFC 8552)."""
    return "._" in f".{name}"


def is_number(text: str, digits: int | None = None) -> bool:
    """Whether *text* is at most *digits* ASCII digits.

    Python also reads other digits, but not superscripts or thousands of digits.
    """
    return text.isascii() and text.isdigit() and (digits is None or len(text) <= digits)


def is_spf(text: str) -> bool:
    """Whether a text is an SPF record (RFC 7208, section 4.5)."""
    return _SPF.match(text) is not None


def hosts(record_set: RecordSet) -> Iterator[str]:
    """The host in each value, unless it is the root, which means none."""
    # The host of an MX comes last, also where the service hides the preference.
    at = -1 if record_set.type == "MX" else known_of(record_set.type).host - 1
    for value in record_set.values:
        words = value.split(" ")
        if at < len(words) and words[at] not in ("", "."):
            yield words[at]


def _is_opaque(rdtype: str) -> bool:
    return rdtype.startswith("TYPE") or is_unknown(rdtype)


def _upwards(name: str) -> Iterator[str]:
    """The name and those above it."""
    while name:
        yield name
        name = parent(name)


class ZoneView:
    """With the indexes that the rules share, and the sets *before* a change."""

    def __init__(
        self,
        sets: Mapping[Key, RecordSet],
        zone: str,
        before: Mapping[Key, RecordSet] | None = None,
    ):
        self.zone = zone
        self.before = before
        self.names: dict[str, dict[str, RecordSet]] = {}
        self._of_type: dict[str, list[RecordSet]] = {}
        for one in sets.values():
            self.names.setdefault(one.name, {})[one.type] = one
            self._of_type.setdefault(one.type, []).append(one)
        # Name servers may answer a service's own types, such as ALIAS, with addresses.
        self.opaque_types = set(filter(_is_opaque, self._of_type))
        self.nodes = {zone}
        for name in self.names:
            while name not in self.nodes and self.is_inside(name):
                self.nodes.add(name)
                name = parent(name)
        self.delegations = {one.name: one for one in self.of_type("NS") if one.name != zone}
        self.dnames = {one.name: one for one in self.of_type("DNAME")}

    def sets(self) -> Iterator[RecordSet]:
        for types in self.names.values():
            yield from types.values()

    def of_type(self, *types: str) -> list[RecordSet]:
        found = []
        for rdtype in types:
            found += self._of_type.get(rdtype, [])
        return found

    def is_inside(self, name: str) -> bool:
        """Whether an absolute name is the zone or below it. A service may show one that is none, of any length."""
        if len(name) > _LONGEST_NAME:
            return False
        if "\\" in name:
            return self.zone in _upwards(name)
        return ends_in(name, self.zone)

    def cut_at(self, name: str) -> RecordSet | None:
        """The NS or DNAME that hands the name to others."""
        has_cuts = self.delegations or self.dnames
        if not has_cuts or not self.is_inside(name):
            return None
        cut = None
        for at in _upwards(name):
            if at in self.delegations:  # wins over an invalid DNAME beside it
                cut = self.delegations[at]
            elif at in self.dnames and at != name:
                cut = self.dnames[at]
            if at == self.zone:
                break
        return cut

    def types_at(self, name: str) -> Types | None:
        """The answers for a name by type, also from wildcards (RFC 4592); None if others answer."""
        if not self.is_inside(name) or self.cut_at(name):
            return None
        if name in self.nodes:
            return self.names.get(name, {})
        encloser = name
        while encloser not in self.nodes:
            encloser = parent(encloser)
        return self.names.get(f"*.{encloser}", {})

    def has_address_type(self, types: Types) -> bool:
        """Whether there are addresses, or what a service may answer with them."""
        kinds = (*ADDRESS_TYPES, *self.opaque_types)
        return any(kind in types for kind in kinds)

    def at_end(self, name: str) -> Types | None:
        """The answers at the end of a CNAME chain; None for a loop, or if others answer."""
        for _step in range(_MANY_STEPS):
            types = self.types_at(name)
            if types is None or "CNAME" not in types:
                return types
            name = next(hosts(types["CNAME"]), "")
        return None

    @cached_property
    def texts(self) -> dict[Key, list[str]]:
        found = {}
        for one in self.of_type("TXT"):
            found[one.key] = [text_in(value) for value in one.values]
        return found

    @cached_property
    def spf(self) -> dict[Key, list[str]]:
        found = {}
        for key, texts in self.texts.items():
            found[key] = [text for text in texts if is_spf(text)]
        return found
