# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Texts that the service alters, and the form in which texts are sent.

A service may cut a TXT value at a semicolon, or keep the quotes around it. What it makes of a text is
no other word for the text, since name servers answer it. So it is treated like this:

* Plans do not see it: it is not held, so the text is missing, and is sent in the other form, in
  quotes or without. What was made of it goes as soon as the text is there, and not before, since
  the other form may be refused (``first_added``).
* Whoever asks whether a snapshot is stale sees the text in its place (``stand_ins``).
* A text that comes back altered in both forms is refused before anything is sent.

For example, ``v=1; p=2`` is sent without quotes and shown as ``v=1``. The plan finds the text missing,
adds it in quotes, and then makes the set again without ``v=1``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from .._dns.dialect import NOTHING_SAID, Dialect, Said
from .._dns.printable import printable_part
from .._dns.rdata import is_quoted, is_text
from .._dns.record_set import Key, RecordSet, RecordSets, minus, plus, values_of
from .._dns.sending import goes_in_quotes
from .._log.log import Log

Altered = Mapping[Key, Mapping[str, str]]
"""By set, what the service made of texts, each with the text."""


def altered_in(dialect: Dialect, log: Log, said: Said = NOTHING_SAID) -> Altered:
    """What the service made of texts that the log desires, or that a task has *said*."""
    found = {}
    for key in dialect.altered:
        texts = {*said.get(key, ())}
        if key in log:
            texts.update(values_of(log[key].desired))
        made = dialect.altered_in(key, texts)
        if made:
            found[key] = made
    return found


def without(one: RecordSet | None, made: Mapping[str, str]) -> RecordSet | None:
    rest = tuple(value for value in values_of(one) if value not in made)
    return replace(one, values=rest) if one and rest else None


def first_added(
    desired: RecordSet | None, shown: RecordSet | None, made: Mapping[str, str]
) -> RecordSet | None:
    """What a set should be first: with what was made of its texts, as long as adding is enough.

    Nothing is deleted for a form of texts that may be refused.
    """
    if shown is None or not minus(desired, shown):
        return desired
    grown = plus(desired, [value for value in shown.values if value in made], shown)
    if grown and grown.ttl == shown.ttl and not minus(shown, grown):
        return grown
    return desired


def stand_ins(known: Dialect, dialect: Dialect, log: Log) -> Altered:
    """What stands for what was made of texts, where one asks what the requests have done.

    That is the text, if the service showed it for the first time after a round: *dialect* has it
    and *known* not yet. What an earlier round found is in nobody's way, and nothing stands for it,
    unless a DELETE was to remove it.
    """
    found: dict[Key, dict[str, str]] = {}
    for key, made_of in altered_in(dialect, log).items():
        found[key] = {}
        for made, text in made_of.items():
            if made not in known.altered.get(key, {}):
                found[key][made] = text
            elif not log[key].deletes or made not in log[key].former_values:
                found[key][made] = ""
    return found


def news_of_forms(known: Dialect, dialect: Dialect) -> set[str]:
    """The forms in which texts came back altered, as far as that is news."""
    forms = set()
    for key, altered in dialect.altered.items():
        for made, text in altered.items():
            if made not in known.altered.get(key, {}):
                forms.add(dialect.form_of(made, text))
    return forms


def is_altered(dialect: Dialect, key: Key, sent: RecordSet | None, form: str) -> bool:
    """Whether the service alters a text of a set in the form in which it would be sent now."""
    for made, text in dialect.altered_in(key, values_of(sent)).items():
        form_of_text = "quoted" if goes_in_quotes(text) else form
        if dialect.form_of(made, text) == form_of_text:
            return True
    return False


def comes_back_altered(text: str, dialect: Dialect) -> str:
    """Why a text cannot be stored as it is, as a clause; empty if it can."""
    if not dialect.no_form_helps(text):
        return ""
    if goes_in_quotes(text):
        what = "can only be sent in quotes, and the service keeps the quotes"
    else:
        what = "comes back altered, with and without quotes"
    return f"{printable_part(text)} {what}"


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
