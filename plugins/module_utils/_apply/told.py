# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What people are told of a run besides its result, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timezone

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ServiceError, clause
from ansible_collections.zonesmith.dns.plugins.module_utils._apply.look import Found
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import (
    printable_part,
    some_names,
    values_and_ttl,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._log.entry import Entry, minus

_NEW_FORM = "TXT values came back otherwise than they were sent, and right once they were sent {}: set txt_format to {}"
NEW_FORM = {"quoted": _NEW_FORM.format("in quotes", "quoted"), "plain": _NEW_FORM.format("without quotes", "plain")}


def too_old(document: Document, now: float) -> Iterator[str]:
    """The warnings about what was begun so long ago that it is not finished any more."""
    for key, entry in document.entries.items():
        if entry.is_open and entry.is_old(now):
            yield (
                f"{' '.join(key)} was left incomplete by a run that began on {_begun(entry)}, which is too long ago to "
                f"complete it: it held {_in_words(entry.before)} and was to hold {_in_words(entry.want)}; look what it "
                "is to hold now"
            )


def completed(key: Key, entry: Entry, *, is_foreseen: bool = False) -> str:
    """The warning about a set that an earlier run had begun, and this one completed, or would."""
    was = "would be" if is_foreseen else "was"
    return f"{' '.join(key)} was left incomplete by a run that began on {_begun(entry)}, and {was} completed"


def returned(key: Key) -> str:
    """The warning about a set that was deleted and came back."""
    return f"{' '.join(key)} was removed and is there again: where the service makes it itself, list it in ignore"


def respelled(key: Key, shown: str, sent: str) -> str:
    """The warning about a value that the service spells in its own way."""
    return f"{' '.join(key)} was sent {printable_part(sent)}, and the service shows it as {printable_part(shown)}"


def guessed(name_and_host: str) -> str:
    """The warning about a mail host whose preference nobody knows."""
    return f"{name_and_host} with the preference 0 now, because the service never showed the one that it had: set it"


def not_finished(entries: Mapping[Key, Entry], error: ServiceError) -> str:
    """The warning about what an earlier run had begun, and the service does not take."""
    sets = "; ".join(f"{' '.join(key)} is to hold {_in_words(one.want)}" for key, one in entries.items() if one.want)
    since = _begun(next(iter(entries.values())))
    return f"what a run that began on {since} left incomplete cannot be completed: {clause(error)}; {sets}"


def may_still_come(entries: Mapping[Key, Entry]) -> Iterator[str]:
    """The warning about sets of which a deletion had no answer, if there are any."""
    at_risk = {key: entry for key, entry in entries.items() if entry.doubt and entry.want}
    if at_risk:
        until = datetime.fromtimestamp(max(entry.doubt for entry in at_risk.values()), timezone.utc)
        yield (
            f"a deletion of {some_names([' '.join(key) for key in at_risk])} had no clear answer, and the service may "
            f"carry it out until {until:%H:%M UTC}: run the task again after that to restore what it removes"
        )


def may_be_taken(found: Found) -> str:
    """What others have added to sets that a DELETE may take, where nobody keeps that; empty where nothing is."""
    lost = {key: minus(entry.want, found.document.entries[key].want) for key, entry in found.log.items() if entry.doubt}
    sets = [f"{' '.join(key)} has got {printable_part(', '.join(values))}" for key, values in lost.items() if values]
    return f"{'; '.join(sets)}, which an earlier deletion without an answer may take" if sets else ""


def _begun(entry: Entry) -> str:
    return f"{datetime.fromtimestamp(entry.begun, timezone.utc):%Y-%m-%d at %H:%M UTC}"


def _in_words(record_set: RecordSet | None) -> str:
    return values_and_ttl(record_set.values, record_set.ttl) if record_set else "nothing"
