# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The form in which texts are sent: ``plain`` or ``quoted`` (``txt_format``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .._dns.dialect import Dialect
from .._dns.rdata import is_quoted, is_text
from .._dns.record_set import Key, RecordSets
from .._dns.sending import goes_in_quotes

OTHER = {"plain": "quoted", "quoted": "plain"}


class TextForm:
    """With ``auto``, the form that earlier runs found right, or that of the texts in the zone.

    It may change once in a run. Thread-safe, since it is only ever replaced.
    """

    def __init__(self, txt_format: str, dialect: Dialect, snapshot: RecordSets):
        self.is_auto = txt_format == "auto"
        self.form = txt_format
        if self.is_auto:
            self.form = dialect.form or _form_shown(snapshot)
        self._may_change = self.is_auto
        self._is_known = bool(self.is_auto and dialect.form)

    def may_be_quotes(self, key: Key, form: str) -> bool:
        """Whether a text that was refused in this form may be accepted in quotes."""
        if not is_text(key.type) or form == "quoted":
            return False
        return self.form == "quoted" or (self._may_change and not self._is_known)

    def quotes_helped(self) -> None:
        """A text was refused without quotes, and accepted with them."""
        self.form, self._may_change = "quoted", False

    def changes_from(self, forms: Collection[str]) -> bool:
        """Take the other form if texts came back altered in this one. Returns whether it changed."""
        if self.form not in forms or not self._may_change:
            return False
        self.form, self._may_change, self._is_known = OTHER[self.form], False, True
        return True

    def remedy(self, texts: Iterable[str]) -> str:
        """What to do about altered texts."""
        if any(map(goes_in_quotes, texts)):
            return (
                "it can only be sent in quotes, and the service keeps the quotes, so leave it out"
            )
        if self.is_auto:
            return "that happens with and without quotes, so leave out what the service changes"
        return f"set txt_format to {OTHER[self.form]}"


def _form_shown(snapshot: RecordSets) -> str:
    texts: list[str] = []
    for one in snapshot.values():
        if is_text(one.type):
            texts += one.values
    return "quoted" if texts and all(map(is_quoted, texts)) else "plain"
