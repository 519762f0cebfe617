# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What keeps the lock, the journal and the memory of a zone, in memory: as a folder does, or as a database does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from story import Fault
from world import EPOCH, Process, Task, World, here

from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import (
    LockLost,
    Look,
    NotRemembered,
    StateError,
    held_by_another,
)

TAKES = 0.004
"""Seconds that a look or a save takes."""


@dataclass
class Kept:
    """What is kept of a zone, on a disk or in a database."""

    journal: bytes | None = None
    written: bytes | None = None
    ledger: bytes | None = None
    last_write: int = 0
    changed_at: float = float("-inf")
    holder: Process | None = None
    last_holder: str = ""
    waiting: list[Task] = field(default_factory=list)
    aside: list[bytes] = field(default_factory=list)


@dataclass
class SimulatedNote:
    """What the processes on one machine tell each other about the service."""

    content: bytes = b""
    ahead: float = 0.0

    def read(self) -> bytes:
        """See Note."""
        return self.content

    def change(self, to: Callable[[bytes], bytes]) -> None:
        """See Note."""
        self.content = to(self.content)

    def keep(self) -> None:
        """See Note."""


class SimulatedStore:
    """A Store of a process. With *is_shared* it is a database, whose clock is right, and whose session can end."""

    def __init__(self, world: World, kept: Kept, faults: dict[int, Fault], *, is_shared: bool):
        self._world = world
        self._kept = kept
        self._faults = faults
        self._is_shared = is_shared
        self._saves = 0
        self._has_lock = False
        self._lost = ""
        self.released = 0
        self.warnings: list[str] = []
        self.place = "the journal"

    def _now(self) -> float:
        return EPOCH + self._world.now if self._is_shared else machine().time()

    def look(self, *, with_ledger: bool = False) -> Look:
        """See Store."""
        self._world.sleep(TAKES)
        kept = self._kept
        ahead = self._now() - machine().time()
        is_open, ledger = kept.journal is not None, kept.ledger if with_ledger else None
        if not kept.last_write:
            return Look(is_open=is_open, ahead=ahead)
        return Look(kept.last_write, self._now() - kept.changed_at, is_open, kept.written, ledger, ahead)

    @contextmanager
    def lock(self, *, with_ledger: bool = False) -> Iterator[Look]:
        """See Store."""
        kept, process, began = self._kept, here().process, self._world.now
        self._world.sleep(TAKES)
        while kept.holder is not None:
            kept.waiting.append(here())
            self._world.block()
            if self._world.now - began > 600:
                raise held_by_another(kept.last_holder, 600)
        kept.holder, kept.last_holder, self._has_lock = process, process.who, True
        process.at_end.append(self._free)
        try:
            look = self.look(with_ledger=with_ledger)
            self._stamp()
            if self._is_shared:
                self.released = kept.last_write
            yield look
        finally:
            if not process.is_dead:
                self._free()
                if not self._is_shared:
                    self.released = self._stamp()

    def _stamp(self) -> int:
        now = self._now()
        kept = self._kept
        kept.last_write = kept.last_write + 1 if self._is_shared else int(now * 1e9)
        kept.changed_at = now
        return kept.last_write

    def _free(self) -> None:
        """The lock ends with who holds it."""
        if self._has_lock and not self._lost:
            self._kept.holder = None
            for task in self._kept.waiting:
                self._world.wake(task)
            self._kept.waiting.clear()
        self._has_lock = False

    def hold(self, *, is_urgent: bool) -> None:  # noqa: ARG002 - the database can always be asked
        """See Store. Where a session has ended, its lock is taken again if nobody else had it since."""
        if here().process.is_dead:
            self._world.sleep(0)
        if not self._lost:
            return
        process, kept = here().process, self._kept
        if kept.last_holder != process.who or kept.holder not in (None, process):
            raise LockLost("the connection to the database of state_url was lost, and another run has had the lock")
        kept.holder, self._lost = process, ""

    def journal(self) -> bytes | None:
        """See Store."""
        return self._kept.journal

    def preview(self) -> bytes | None:
        """See Store."""
        return self._kept.journal

    def holder(self) -> str:
        """See Store."""
        return self._kept.holder.who if self._kept.holder else ""

    def save(self, journal: bytes | None = None, written: bytes | None = None, ledger: bytes | None = None) -> None:
        """See Store."""
        self._world.sleep(TAKES)
        self._saves += 1
        fault = self._faults.get(self._saves)
        kind = fault.kind if fault else ""
        process = here().process
        if kind == "kill" and fault and not fault.seconds:
            self._world.kill(process)
        if kind == "session" and self._is_shared:
            self._end_session()
        if self._is_shared:
            self.hold(is_urgent=False)
        if kind == "full":
            if journal is None and ledger is None:
                raise NotRemembered("the note of what was written cannot be written, No space left on device")
            raise StateError("the journal cannot be written, No space left on device")
        if ledger is not None:
            self._kept.ledger = ledger
        if written is not None:
            self._kept.written = written
        if journal is not None:
            self._kept.journal = journal or None
        stamped = self._stamp()
        if self._is_shared:
            self.released = stamped
        self._world.sleep(TAKES)
        if kind == "kill":
            self._world.kill(process)

    def _end_session(self) -> None:
        self._free()
        self._has_lock, self._lost = True, "ended"

    def tell(self, state: str) -> None:
        """See Store."""

    def ends_early(self) -> str:
        """See Store."""
        return ""

    def close(self) -> None:
        """See Store."""

    def put_aside(self, kind: str, content: bytes) -> str:  # noqa: ARG002 - whatever it is
        """See Store."""
        self._kept.aside.append(content)
        return f"number {len(self._kept.aside)} aside"
