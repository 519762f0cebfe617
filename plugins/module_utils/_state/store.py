# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What keeps the lock, the journal, the memory and the ledger of one zone: a folder or a database, which look alike."""

from __future__ import annotations

import math
import os
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine

LARGEST = 128 * 2**20
"""Bytes that are read into memory, and so the most that is written: some 300,000 record sets that one task changes."""


LONGEST_HOLDER = 300
"""Characters that are shown of who holds a lock, or carried out a plan."""


class StateError(Exception):
    """What is kept of a zone cannot be reached, or must not be used; says what it is and what to do."""


class NotRemembered(StateError):
    """The memory cannot be written, and all else was."""


class LockLost(StateError):
    """Another run may have taken the lock meanwhile, so that this one must not write any more."""


@dataclass(frozen=True)
class Look:
    """What a store shows of a zone at one moment."""

    last_write: int = 0
    """Changes as the lock is taken, and later in a folder as it is freed, in a database with each save; 0 at first."""
    idle: float = math.inf
    """Seconds since it changed."""
    is_open: bool = False
    """Whether there is a journal, of a run that was interrupted or of one that is under way."""
    written: bytes | None = None
    """The memory, as it was saved."""
    ledger: bytes | None = None
    """The ledger, as it was saved, for who asks for it."""
    ahead: float = 0.0
    """Seconds by which the clock of the store is ahead of this machine's."""
    at: float = field(default_factory=lambda: machine().monotonic(), compare=False)
    """When that was, or a moment later; by ``machine().monotonic()``."""


class Store(Protocol):
    """The lock, the journal, the memory and the ledger of one zone of one service. All raise StateError."""

    @property
    def place(self) -> str:
        """Where the journal is, for people."""

    @property
    def warnings(self) -> list[str]:
        """What people should know of the place itself."""

    @property
    def released(self) -> int:
        """After the lock was held: the ``last_write`` of a look until somebody else takes it."""

    def look(self, *, with_ledger: bool = False) -> Look:
        """What it shows now, whoever holds the lock."""

    def lock(self, *, with_ledger: bool = False) -> AbstractContextManager[Look]:
        """The exclusive lock, for as long as the context lasts; gives what there was just before."""

    def hold(self, *, is_urgent: bool) -> None:
        """Make sure that the lock is still held, before something is written to the service.

        What *is_urgent* belongs to a set that is deleted and not whole again: it may go on where nobody can be asked.
        Raises LockLost where another run may have the lock.
        """

    def journal(self) -> bytes | None:
        """The journal, for the holder of the lock; None where there is none."""

    def preview(self) -> bytes | None:
        """The journal, for who does not want the lock, whoever holds it. Raises where taking the lock would."""

    def holder(self) -> str:
        """Who holds the lock now, for people; empty where nobody does, or where that cannot be found out."""

    def save(self, journal: bytes | None = None, written: bytes | None = None, ledger: bytes | None = None) -> None:
        """Replace the journal, the memory and the ledger, for the holder of the lock; None leaves it.

        An empty journal is removed. Journal and ledger are there after a power failure too, and nothing is lost with
        the memory.
        """

    def tell(self, state: str) -> None:
        """Tell who listens that a run left the zone "changed" or "failed", as the lock is let go of, for its holder.

        Anybody else tells at once that it "would_change". Who cannot be told is no failure.
        """

    def ends_early(self) -> str:
        """Why what it keeps may be gone before the next run needs it; empty where nothing speaks for that."""

    def close(self) -> None:
        """Let go of what is held open."""

    def put_aside(self, kind: str, content: bytes) -> str:
        """Keep something that no run shall look at again, and tell people where."""


def this_run() -> str:
    """Who this run is, for people who look for it."""
    return printable(f"host {os.uname().nodename}, pid {os.getpid()}")


def waits_for(zone: str, holder: str, timeout: float) -> str:
    """What somebody waits for who wants the lock on *zone*, for at most *timeout* seconds."""
    name = printable(zone.rstrip("."))
    return f"another run has the lock on {name} ({printable(holder)}); lock_timeout is {timeout:g} s"


def held_by_another(holder: str, timeout: float) -> StateError:
    """The error of who waited *timeout* seconds for the lock that *holder* has."""
    return StateError(
        f"another run holds the lock on the zone ({printable(holder)}) and did not let go of it within {timeout:g} "
        "seconds; nothing was changed: run the task again when the other has ended, "
        "end that one if it hangs, or set a longer lock_timeout"
    )
