# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The journal of one zone, and the memory and the ledger that are kept with it, wherever they are kept.

Both hold histories of record sets. The journal has those of each name at which a run is about to delete a set, and what
they were and are to be. It exists only while one of them may be incomplete; the memory has all that are young.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import SHOWN_NAMES
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.memory import Memory, remembered
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import (
    LARGEST,
    Look,
    NotRemembered,
    StateError,
    Store,
)

if TYPE_CHECKING:
    from ansible_collections.zonesmith.dns.plugins.module_utils._dns.ledger import Ledger
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_ledger import KeptLedger
    from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import Check, Entry


NOT_NOTED = "later runs may take a late reading for what the zone holds, and miss what a request without an answer does"


@dataclass(frozen=True)
class Kept:
    """What was kept of a zone at one moment: how it was last written to, and whether there is a journal."""

    last_write: int = 0
    idle: float = math.inf
    """Seconds since a run that writes began or ended."""
    is_open: bool = False
    memory: Memory = field(default_factory=Memory)
    at: float = field(default=0.0, compare=False)
    """When that was, or a moment later; by ``machine().monotonic()``."""


class Journal:
    """The journal and the memory of one zone, and the lock under which they change, in a *store*.

    What a *former* store holds of a journal, which runs of this machine have left, is taken over. What the user should
    know goes to *warnings*. With *owned*, the canonical name of the zone, its ledger is kept as well.
    """

    def __init__(self, store: Store, warnings: list[str] | None = None, former: Store | None = None, owned: str = ""):
        self.store = store
        self._owned = owned
        self._ledger: KeptLedger | None = None  # before the first look
        self._former = former
        self._clock_ahead = 0.0
        self._written_at = 0.0
        self._remembered = b""
        self._leftover: list[Entry] = []
        self._untold: dict[Key, Entry] = {}
        self.warnings = [] if warnings is None else warnings

    def close(self) -> None:
        """Let go of what the store holds open."""
        self.store.close()

    def warn_of_an_early_end(self) -> None:
        """Warn, once, where what a journal needs to outlast may be over before the next run."""
        reason = self.store.ends_early()
        warning = (
            f"{reason}, so that what an interrupted rebuild leaves may be lost with it: set state_url to keep the "
            "journal in a database, or keep the folder on a disk that outlasts this machine"
        )
        if reason:
            self._warn(warning)

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)

    def look(self) -> Kept:
        """What is kept now, whoever holds the lock. Raises StateError."""
        kept = self._kept(self.store.look(with_ledger=bool(self._owned)))
        return replace(kept, is_open=True) if self._former and self._former.look().is_open else kept

    @contextmanager
    def lock(self) -> Iterator[Kept]:
        """The exclusive lock on the zone, for as long as the context lasts; gives what there was before it.

        Raises StateError.
        """
        with self.store.lock(with_ledger=bool(self._owned)) as look:
            self._remembered = look.written or b""
            yield self._kept(look)

    def write(
        self,
        entries: Iterable[Entry] | None,
        memory: Memory | None = None,
        *,
        is_ahead: bool = False,
        room: int = 1,
    ) -> None:
        """Replace the journal by these entries, or remove it where there are none, and leave it as it is with None.

        With *memory*, keep that too, with the ledger, and what it knows of the sets of the journal. Where it cannot be
        kept, people are told; a run that *is_ahead* of what it writes does not begin then. It has to have *room* for
        so many times what there is to keep. For the holder of the lock. Raises StateError.
        """
        ledger = self._new_ledger(memory)
        written = None if memory is None else memory.content(self._clock_ahead)
        if written and written != self._remembered:
            written = self._not_too_large(written, is_ahead=is_ahead, room=room)
        else:
            written = None
        journal, before = None, self._leftover
        if entries is not None:
            known = memory.histories.sets if memory else {}
            self._leftover = [replace(one, history=known.get(one.key, one.history)) for one in entries]
            keys = {entry.key for entry in self._leftover}
            held = [*self._leftover, *(one for one in self._untold.values() if one.key not in keys)]
            journal = self._content(replace(one, is_aside=one.key in self._untold) for one in held)
        if journal and len(journal) > LARGEST:
            raise StateError(
                f"the journal {self.store.place} would have more than {LARGEST >> 20} MiB: "
                "change fewer sets in one task"
            )
        if journal is not None or written or ledger:
            try:
                self.store.save(journal, written, ledger)
            except NotRemembered as error:
                if is_ahead:
                    with suppress(StateError):  # nothing of what the journal tells of was begun
                        self.write(before if journal is not None else None)
                    raise NotRemembered(
                        f"{error}, and what cannot be noted is not written to the zone: make room, or set state_dir "
                        "to another folder"
                    ) from error
                self._warn(f"{error}: {NOT_NOTED}")
                written = None
            if ledger and self._ledger and memory and memory.ledger is not None:
                self._ledger = replace(self._ledger, content=ledger, ledger=memory.ledger, makes_no_sense=False)
            self.warnings += (warning for warning in self.store.warnings if warning not in self.warnings)
            self._remembered = written or self._remembered

    def _not_too_large(self, written: bytes, *, is_ahead: bool, room: int) -> bytes | None:
        """The memory, if it can be read again; else people are told. Raises StateError for what *is_ahead*."""
        if len(written) <= LARGEST // room:
            return written
        most = f"would have more than {LARGEST // room >> 20} MiB"
        if is_ahead:
            raise StateError(
                f"the note of what is about to be written {most}, and what cannot be noted is not written to the zone: "
                "change fewer sets in one task"
            )
        self._warn(f"the note of what was written {most}: {NOT_NOTED}")
        return None

    def _new_ledger(self, memory: Memory | None) -> bytes | None:
        """The ledger as it is to be kept; None where there is no other than the one that is kept."""
        if not self._owned or memory is None or memory.ledger is None:
            return None
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_ledger import KeptLedger, ledger_content

        self._ledger = self._ledger or KeptLedger()
        if memory.ledger == self._ledger.ledger:
            return None
        content = ledger_content(memory.ledger)
        if len(content) > LARGEST:
            raise StateError(f"the ledger of the zone would have more than {LARGEST >> 20} MiB: use fewer owners")
        if self._ledger.makes_no_sense and self._ledger.content:
            kept_as = self.store.put_aside("ledger", self._ledger.content)
            self.warnings.append(f"the ledger of earlier runs is kept as {kept_as}: look at it, then remove it")
        return content

    def put_aside(self, entries: Collection[Entry]) -> str:
        """Keep entries that no run shall complete, and tell people where. Raises StateError.

        They stay in the journal until the run ends, which is when people are told.
        """
        self._untold.update((entry.key, entry) for entry in entries)
        return self.store.put_aside("aside", self._content(entries))

    def end(self, memory: Memory) -> None:
        """Keep the *memory* of a run that ends, and so tells people of what was put aside. Raises StateError."""
        is_told, self._untold = bool(self._untold), {}
        self.write(self._leftover if is_told else None, memory)

    def pending(self, check: Check) -> list[Entry]:
        """What an interrupted run left, as far as *check* takes it; for the holder of the lock. Raises StateError.

        A journal that makes no sense, and one with entries that *check* refuses, are put aside with a warning; they
        stop no run, and what else they hold counts.
        """
        entries = self._read_entries(self.store, self._clock_ahead, check)
        self._tell_what_was_put_aside(entry for entry in entries if entry.is_aside)
        if self._former and self._former.look().is_open:
            with self._former.lock():
                former = self._read_entries(self._former, 0, check)
                known = {entry.key for entry in entries}
                others: list[Entry] = []
                for entry in former:
                    (others if entry.key in known or self._is_overtaken(entry) else entries).append(entry)
                self.write(entries)
                self._put_aside_former(others)
                self._former.save(b"")
        self._leftover = entries
        return entries

    def _tell_what_was_put_aside(self, entries: Iterable[Entry]) -> None:
        """A run was killed that had put them aside, before it could tell."""
        for entry in entries:
            self._untold[entry.key] = entry
            self.warnings.append(
                f"{' '.join(entry.key)} had been left incomplete by an earlier run and stayed so; what it held and was "
                f"to hold is kept beside {self.store.place}: check the set, then remove the file"
            )

    def _is_overtaken(self, entry: Entry) -> bool:
        """Whether runs that know nothing of an old entry have written to the zone since, maybe to the same set."""
        return entry.is_old and entry.at < self._written_at

    def _put_aside_former(self, entries: list[Entry]) -> None:
        if entries and self._former:
            kept_as = self._former.put_aside("aside", self._content(entries))
            names = ", ".join(" ".join(entry.key) for entry in entries[:SHOWN_NAMES])
            self.warnings.append(
                f"{names} had been left incomplete by an earlier run of this machine, and other runs have written "
                f"to the zone since; what it held and was to hold is kept as {kept_as}: "
                "check the set, then remove the file"
            )

    def holder(self) -> str:
        """Who holds the lock now, for people; empty where nobody does, or where that cannot be found out."""
        return self.store.holder() or (self._former.holder() if self._former else "")

    def preview(self, check: Check) -> Previewed:
        """What ``pending`` would give under the lock, and what the run that has it is at; found out by reading.

        Raises StateError where ``lock`` would, but for the waiting.
        """
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import leftover_of

        leftover: dict[Key, Entry] = {}
        under_way: dict[Key, Entry] = {}
        holder = ""
        former = [(self._former, 0.0)] if self._former and self._former.look().is_open else []
        for store, ahead in [(self.store, self._clock_ahead), *former]:
            of_store = store.holder()
            read = leftover_of(store.preview(), check, ahead)
            if read.problem and not of_store:
                self.warnings.append(read.warning(store.place))
            taken = [entry for entry in read.entries if store is self.store or not self._is_overtaken(entry)]
            for entry in taken:
                (under_way if of_store else leftover).setdefault(entry.key, entry)
            holder = holder or of_store
        return Previewed([*leftover.values()], [*under_way.values()], holder)

    def _read_entries(self, store: Store, ahead: float, check: Check) -> list[Entry]:
        content = store.journal()
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import leftover_of

        leftover = leftover_of(content, check, ahead)
        if content is not None and leftover.problem:
            kept_as = store.put_aside("unreadable", content)
            self.warnings.append(leftover.warning(kept_as))
            if store is self.store:
                self.write(leftover.entries)
        return leftover.entries

    def _content(self, entries: Iterable[Entry]) -> bytes:
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.leftover import journal_content

        return journal_content(entries, self._clock_ahead)

    def _kept(self, look: Look) -> Kept:
        self._written_at = max(self._written_at, machine().time() - look.idle if look.last_write else 0.0)
        self._clock_ahead = look.ahead
        memory = remembered(look.written, look.ahead)
        if self._owned:
            memory.ledger = self._read_ledger(look.ledger)
        return Kept(look.last_write, look.idle, look.is_open, memory, look.at)

    def _read_ledger(self, content: bytes | None) -> Ledger | None:
        if content is None and self._ledger is None:
            return None
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.kept_ledger import (
            MAKES_NO_SENSE,
            kept_ledger,
        )

        if not self._ledger or content is None or content != self._ledger.content:
            self._ledger = kept_ledger(content, self._owned)
        if self._ledger.makes_no_sense and MAKES_NO_SENSE not in self.warnings:
            self.warnings.append(MAKES_NO_SENSE)
        return self._ledger.ledger


class Previewed(NamedTuple):
    """What somebody sees of the journal who does not take the lock.

    *leftover* are the entries of runs that were interrupted, *under_way* those of the run that is at work: of its
    *holder*, who is told to people, and empty where nobody has the lock.
    """

    leftover: list[Entry]
    under_way: list[Entry]
    holder: str
