# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values that come back otherwise than they were sent: texts that were misread, and other spellings of a value."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_text
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet, values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import misread_texts

ONE_SPELLING = frozenset({"A", "AAAA", "CNAME", "DNAME", "MX", "NS", "PTR", "SRV"})
"""Types of which each value has one canonical text, so that another one is another value."""


def misread_in(shown: RecordSet | None, sent: RecordSet | None, before: RecordSet | None) -> dict[str, str]:
    """The values of a set of texts that the service made of those that were *sent*, and of which."""
    if shown is None or sent is None or not is_text(shown.type):
        return {}
    strange = set(shown.values).difference(sent.values, values_of(before))
    made = {wrong: value for value in sent.values if value not in shown.values for wrong in misread_texts(value)}
    return {wrong: made[wrong] for wrong in strange if wrong in made}


def respelled_in(shown: RecordSet | None, sent: RecordSet | None, before: RecordSet | None) -> dict[str, str]:
    """The values of another set that are shown in another spelling than they were *sent* in, and that one."""
    if shown is None or sent is None or is_text(shown.type) or shown.type in ONE_SPELLING:
        return {}
    strange = [value for value in shown.values if value not in (*sent.values, *values_of(before))]
    missing = {_letters(value): value for value in sent.values if value not in shown.values}
    return {value: missing[_letters(value)] for value in strange if _letters(value) in missing}


def as_sent(
    shown: RecordSet, sent: RecordSet | None, before: RecordSet | None, going: Collection[str] = ()
) -> RecordSet:
    """A set as it is shown, with the values that were sent in place of those that come of them.

    Those that are *going* came of a form in which nothing is sent any more.
    """
    misread = {wrong: value for wrong, value in misread_in(shown, sent, before).items() if wrong not in going}
    made = {**misread, **respelled_in(shown, sent, before)}
    return replace(shown, values=tuple(made.get(value, value) for value in shown.values)) if made else shown


def _letters(value: str) -> str:
    """The letters and digits of a value, whatever their case and whatever stands between them."""
    return "".join(filter(str.isalnum, value.lower()))
