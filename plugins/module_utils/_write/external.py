# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which values of a set are of others: neither meant by us, nor made by the service of the texts that we sent. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.rdata import is_text
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sending import misread_texts


def values_of_others(
    live_set: RecordSet | None, *ours: RecordSet | None, former: Iterable[str] = ()
) -> tuple[str, ...]:
    """The values of a set that are in none of *ours*, nor among *former* ones, and no misreading of a text that is."""
    if live_set is None:
        return ()
    known = {*former, *(value for side in ours if side for value in side.values)}
    if is_text(live_set.type):
        known |= {misread for value in known for misread in misread_texts(value)}
    return tuple(value for value in live_set.values if not is_among(live_set.type, value, known))


def misread_values(live_set: RecordSet | None, sent: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """The values of a text set that the service made of texts that were *sent*, and of which; no *known* ones."""
    if live_set is None or not is_text(live_set.type):
        return {}
    strange = [value for value in live_set.values if value not in known]
    made = {wrong: value for value in sent for wrong in misread_texts(value)} if strange else {}
    return {value: made[value] for value in strange if value in made}
