# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""TXT values as the service takes them: plain or quoted (spec 2.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .._api.answers import ServiceError
from .._dns.printable import printable_part
from .._dns.rdata import InvalidRdata, is_quoted, is_text
from .._dns.record_set import Key, RecordSets
from .._dns.sending import goes_in_quotes

Sent = tuple[Key, str]
"""A set and a text, which other sets may have got in the other form."""


class TextForm:
    """Whether TXT values are sent in quotes; ``auto`` learns it from the zone and from refusals.

    *found* is the form that came back unaltered, at first in an earlier run; empty if none.
    """

    def __init__(self, txt_format: str, found: str, snapshot: RecordSets):
        texts = [text for one in snapshot.values() if is_text(one.type) for text in one.values]
        self._learns = txt_format == "auto"
        self._is_switched = False
        self._sent_anew: set[Sent] = set()  # to be sent in the other form, which may be refused
        self._is_learnt = False
        self._taken: dict[Sent, bool] = {}
        self.found = found if self._learns else ""
        shows_quotes = bool(texts) and all(map(is_quoted, texts))
        seems_quoted = self.found == "quoted" if self.found else shows_quotes
        self.quoted = txt_format == "quoted" or (self._learns and seems_quoted)
        self.keeps_quotes = found == "plain" and not self.quoted
        """Whether the service was found to store quotes as text."""

    def check(self, key: Key, values: Iterable[str]) -> None:
        """Raises InvalidRdata for texts that need quotes, if the service stores those."""
        if is_text(key.type) and self.keeps_quotes:
            for value in filter(goes_in_quotes, values):
                shown = printable_part(value)
                raise InvalidRdata(
                    f"{shown} can only be sent in quotes, and the service keeps the quotes"
                )

    def learns_from(self, error: ServiceError, key: Key, quoted: bool) -> bool:
        if quoted or not is_text(key.type):
            return False
        if not self.quoted and self._learns and not self.found and error.refuses_the_value:
            self.quoted = self._is_learnt = True
        return self.quoted

    def is_taken(self, quoted: bool, key: Key, value: str) -> None:
        if is_text(key.type):
            self._taken[key, value] = quoted or goes_in_quotes(value)

    def is_refused(self, quoted: bool) -> None:
        """Quotes learnt from a refusal go again if they never helped."""
        if quoted and self._is_learnt and True not in self._taken.values():
            self.quoted = self._is_learnt = False

    def remedy(self, misread: Collection[Sent]) -> str:
        if _any_goes_in_quotes(misread):
            return (
                "it can only be sent in quotes, and the service keeps the quotes, so leave it out"
            )
        if self._learns:
            return "that happens with and without quotes, so leave out what the service changes"
        return f"set txt_format to {'plain' if self.quoted else 'quoted'}"

    def switch(self, misread: Collection[Sent]) -> bool:
        """Take the other form, once, for *misread* texts. Returns whether that may help."""
        forms = {self._taken.get(sent, self.quoted) for sent in misread}
        if forms == {True} and _any_goes_in_quotes(misread):
            self.keeps_quotes = True
            return False
        is_tried = self._sent_anew >= set(misread)
        if (
            not self._learns
            or len(forms) != 1
            or is_tried
            or (forms == {self.quoted} and self._is_switched)
        ):
            return False
        self._sent_anew |= set(misread)
        self._is_switched = self._is_switched or forms == {self.quoted}
        self.quoted = forms == {False}
        self.found = "quoted" if self.quoted else "plain"
        return True


def _any_goes_in_quotes(misread: Iterable[Sent]) -> bool:
    return any(goes_in_quotes(value) for _key, value in misread)
