# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a run reads before it has the lock of sets that a DELETE may take yet: that is kept, whatever the run does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable_part
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import values_of
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.sameness import is_among
from ansible_collections.zonesmith.dns.plugins.module_utils._history.histories import Histories
from ansible_collections.zonesmith.dns.plugins.module_utils._history.set_history import SetHistory
from ansible_collections.zonesmith.dns.plugins.module_utils._service.threads import outlasting_threads
from ansible_collections.zonesmith.dns.plugins.module_utils._state.journal import Journal, Kept
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import StateError
from ansible_collections.zonesmith.dns.plugins.module_utils._write.believable import live_set_of
from ansible_collections.zonesmith.dns.plugins.module_utils._write.reading import Reading, see_others


def keep_more(reading: Reading, journal: Journal, *, is_enough: bool) -> None:
    """Keep what a reading shows that a DELETE of late may take; where the lock is to be had, and the disk lets us.

    Whoever has the lock reads the zone too, but that may be after the DELETE: only for what others have added is the
    lock waited for. Of a reading that something speaks against, or spoke when it was made so that it was not enough,
    only that counts.
    """
    if reading.is_overtaken:
        return
    is_settled, of_others = is_enough and reading.is_settled, _of_others(reading)
    if not of_others and (not (is_settled and _shows_more(reading)) or journal.holder()):
        return
    with suppress(StateError), locked(reading, journal) as kept:
        if kept.last_write == reading.kept.last_write:
            if is_settled:
                kept.memory.histories.see_more(partial(live_set_of, reading.zone), reading.age)
            else:
                _see_others(reading, kept.memory.histories)
        journal.end(kept.memory)


@contextmanager
def locked(reading: Reading, journal: Journal) -> Iterator[Kept]:
    """The lock, and what was kept by then; with what a reading showed of others before another run has written.

    That run may never have seen it, and have seen the end of a DELETE that could take it. Where the lock comes too
    late to create it again, or not at all, people are told. Raises StateError.
    """
    of_others = _of_others(reading)
    with ExitStack() as held:
        try:
            kept = held.enter_context(outlasting_threads(journal.lock()))
        except StateError:
            journal.warnings += map(_may_be_taken, of_others)
            raise
        if kept.last_write != reading.kept.last_write:
            histories = kept.memory.histories
            late = [one for one in of_others if not one.pending_deletes(histories.clock())]
            journal.warnings += map(_may_be_taken, late)
            for one in of_others:
                histories.recall(one)
        yield kept


def _of_others(reading: Reading) -> list[SetHistory]:
    """What is known of the sets to which others have added as a reading shows; expecting that alone.

    What a run was sending meanwhile is not of others.
    """
    known = reading.kept.memory.histories
    then, found = known.copy(), []
    _see_others(reading, then)
    for key, was in known.sets.items():
        expected = then.sets[key].expected
        if expected is None or expected is was.expected:
            continue
        ours = frozenset((*values_of(was.expected), *was.sent_values))
        if new := tuple(value for value in expected.values if not is_among(key.type, value, ours)):
            found.append(replace(was, expected=replace(expected, values=new), is_to_go=False))
    return found


def _see_others(reading: Reading, histories: Histories) -> None:
    """Expect what a reading shows of others in the sets that a DELETE may take yet, or one before it has shown."""
    for live in (*reading.earlier, reading.zone):
        see_others(histories, live, live.record_sets.keys())


def _shows_more(reading: Reading) -> bool:
    return reading.kept.memory.histories.shows_more(partial(live_set_of, reading.zone))


def _may_be_taken(known: SetHistory) -> str:
    """The warning about what a reading showed of others, and a DELETE may have taken since."""
    values = printable_part(", ".join(values_of(known.expected)))
    return (
        f"{' '.join(known.key)} had {values} when this task read it, which others have added: an earlier deletion "
        "without an answer may take that; add it again where it is gone"
    )
