# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Texts that the service alters, and the form in which texts are sent.

A service may cut a TXT value at a semicolon, or keep the quotes around it. What it makes of a text is
no other word for the text, since name servers answer it. So it is treated like this:

* Plans see the text in its place, so they keep it or remove it like any other. Where it stays, the
  set is made again, and the text is sent in the other form, in quotes or without. If that is
  refused, the former texts come back in the form in which they are accepted.
* In what was *sent*, it takes the place of the text (``as_stored``), so that the snapshot is not stale.
* A text that comes back altered in each form in which it may be sent is refused: in the same run,
  and by later ones before anything is sent. The texts beside it were sent in both forms by then, so
  a service may have altered them, too. The failure says what the set holds.

For example, ``v=1; p=2`` is sent without quotes and shown as ``v=1``. So the set is deleted, and made
again with the text in quotes.

=================  =============================================  ===================================
function           the question                                   what was made of texts counts if it is
=================  =============================================  ===================================
``altered_for``    what stands for a text, in plans and results?  known, and the text is desired or said
``as_stored``      what have the requests of this run done?       known, and shown as new
``news_of_forms``  in which form do texts come back altered?      learnt from this snapshot
``not_stored``     can a text be stored at all?                   known
=================  =============================================  ===================================
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from .dialect import NOTHING_SAID, Dialect, Said
from .printable import printable_part
from .rdata import is_quoted, is_text
from .record_set import DesiredSets, Key, RecordSet, RecordSets, same_set, union, values_of, without
from .sending import goes_in_quotes, not_sent

Altered = Mapping[Key, Mapping[str, str]]
"""By set, what the service made of texts, each with the text."""


def altered_for(dialect: Dialect, desired: DesiredSets, said: Said = NOTHING_SAID) -> Altered:
    """What the service made of texts that are desired, or that a task has *said*."""
    found = {}
    for key in dialect.altered:
        texts = {*said.get(key, ()), *values_of(desired.get(key))}
        made = dialect.altered_in(key, texts)
        if made:
            found[key] = made
    return found


def as_stored(
    sent: RecordSet | None,
    shown: RecordSet | None,
    altered: Mapping[str, str],
    past: Collection[str],
) -> RecordSet | None:
    """The set that was *sent*, with what the service made of its texts in their place.

    That is so if it is *shown*, also if the text was sent and has no answer yet, and if an old copy of the text
    is beside it. Values of the *past* tell nothing.
    """
    new = without(shown, past)
    made_of = {}
    for value in values_of(new):
        if value in altered:
            text = altered[value]
            made_of[text] = value
    if new is None or not made_of:
        return sent
    made = replace(new, values=tuple(made_of.values()))
    stored = union(without(sent, made_of), made)
    return sent if same_set(stored, sent) else stored


def news_of_forms(known: Dialect, dialect: Dialect) -> set[str]:
    """The forms in which texts came back altered, as far as that is news."""
    forms = set()
    for key, altered in dialect.altered.items():
        before = known.altered.get(key, {})
        for made, text in altered.items():
            if made not in before:
                forms.add(dialect.form_of(made, text))
    return forms


def not_stored(dialect: Dialect, txt_format: str, rdtype: str, value: str) -> str:
    """Why a value cannot be created as it is, as a clause; empty if it can."""
    problem = not_sent(rdtype, value)
    if is_text(rdtype) and not problem:
        problem = comes_back_altered(value, dialect, txt_format)
    return problem


def comes_back_altered(text: str, dialect: Dialect, txt_format: str) -> str:
    """Why a text cannot be stored as it is, and the remedy, as a clause; empty if it can."""
    forms = dialect.altering_forms(text)
    shown = printable_part(text)
    if goes_in_quotes(text):
        is_known = txt_format == "auto" and dialect.form == "plain"
        if "quoted" in forms or is_known:
            return (
                f"{shown} can only be sent in quotes, whatever txt_format says, and the service "
                "keeps the quotes: leave it out"
            )
        return ""
    changed = f"{shown} was stored differently from how it was sent"
    if forms == {*OTHER}:
        return f"{changed}, with each txt_format: leave out what the service changes"
    if txt_format in forms:
        return f"{changed}: set txt_format to {OTHER[txt_format]}"
    return ""


OTHER = {"plain": "quoted", "quoted": "plain"}


class TextForm:
    """In which form texts are sent.

    With ``auto``, that is the form that earlier runs found right, or that of the texts in the zone,
    until another one helps. Thread-safe, since it is only ever replaced.
    """

    def __init__(self, txt_format: str, dialect: Dialect, snapshot: RecordSets):
        self._is_auto = txt_format == "auto"
        self.form = txt_format
        if self._is_auto:
            self.form = dialect.form or _form_shown(snapshot)

    def forms_for(self, rdtype: str, value: str, dialect: Dialect) -> list[str]:
        """The forms in which a value is tried, one after the other while it is refused.

        A text is not tried in a form in which it comes back altered.
        """
        if not self._is_auto or not is_text(rdtype) or goes_in_quotes(value):
            return [self.form]
        altering = dialect.altering_forms(value)
        forms = [form for form in (self.form, OTHER[self.form]) if form not in altering]
        return forms or [self.form]

    def turns_from(self, forms: Collection[str]) -> bool:
        """Take the other form if texts came back altered in this one. Returns whether it changed."""
        if not self._is_auto or self.form not in forms:
            return False
        self.form = OTHER[self.form]
        return True


def _form_shown(snapshot: RecordSets) -> str:
    texts: list[str] = []
    for one in snapshot.values():
        if is_text(one.type):
            texts += one.values
    return "quoted" if texts and all(map(is_quoted, texts)) else "plain"
