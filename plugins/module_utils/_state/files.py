# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock, the journal, the memory and the ledger of one zone as files in ``state_dir``.

One file each for each service and zone. The lock file's time of change is when the lock was last taken or freed, so
that whoever read the zone earlier knows that the reading is outdated.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import (
    StateDir,
    StateDirError,
    check_could_be_made,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import Look, NotRemembered, StateError

LOCK_TIMEOUT = 600.0
JOURNAL = "the journal"
SHORT_LIVED = frozenset({"overlay", "tmpfs", "ramfs", "aufs"})
MEMORY = "the note of what was written"
LEDGER = "the ledger"


class FileStore:
    """A Store in the folder *state_dir*, for the zone *zone* (canonical) of the service at *base_url*.

    The lock is waited for at most *lock_timeout* seconds.
    """

    def __init__(self, state_dir: str, base_url: str, zone: str, lock_timeout: float = LOCK_TIMEOUT):
        """Raises StateDirError where *state_dir* is no path."""
        if not _is_path(state_dir):
            raise StateDirError(f"state_dir {printable(state_dir)} is not a path")
        self.folder = Path(os.path.expanduser(state_dir))
        # The hash is what tells zones apart, the name is for people; cut, because a file name has at most 255 bytes.
        readable = quote(zone.rstrip("."), safe="")[:150]
        self._stem = f"{sha256(f'{base_url} {zone}'.encode()).hexdigest()[:16]}-{readable}"
        self._lock_file = self.folder / f"{self._stem}.lock"
        self._written_name = f"{self._stem}.written"
        self._ledger_name = f"{self._stem}.owners"
        self._lock_timeout = lock_timeout
        self._zone = zone
        self._open: StateDir | None = None
        self._descriptor = -1
        self.released = 0
        self.warnings: list[str] = []

    @property
    def path(self) -> Path:
        """Where the journal is while there is one."""
        return self.folder / f"{self._stem}.json"

    @property
    def place(self) -> str:
        """See Store."""
        return str(self.path)

    def look(self, *, with_ledger: bool = False) -> Look:
        """See Store. A folder that cannot be used shows nothing; who takes the lock is told why.

        So is who asks for the ledger: one that cannot be read is no empty one. Raises StateDirError.
        """
        written, last_write = None, 0
        with suppress(OSError, StateDirError), self._opened() as folder:
            with suppress(OSError):
                last_write = folder.modified(self._lock_file.name)
            written = folder.read(self._written_name, MEMORY)
        ledger = self._kept_ledger() if with_ledger else None
        return Look(last_write, machine().time() - last_write / 1e9, os.path.lexists(self.path), written, ledger)

    def _kept_ledger(self) -> bytes | None:
        with suppress(FileNotFoundError), self._opened() as folder:
            return folder.read(self._ledger_name, LEDGER)
        return None

    @contextmanager
    def lock(self, *, with_ledger: bool = False) -> Iterator[Look]:
        """See Store."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.lock import held_lock, sign, unsign

        with (
            StateDir.opened(self.folder, make=True) as folder,
            held_lock(folder, self._lock_file, self._lock_timeout, self._zone) as descriptor,
        ):
            self._open, self._descriptor = folder, descriptor
            try:
                look = self.look(with_ledger=with_ledger)
                sign(descriptor)
                # At the start for those who read while this run writes and dies, at the end for all others.
                _stamp(descriptor)
                yield look
            finally:
                self._open, self._descriptor = None, -1
                unsign(descriptor)
                self.released = _stamp(descriptor)

    def hold(self, *, is_urgent: bool) -> None:
        """See Store. The kernel's lock is held until this process ends or lets go of it."""

    def journal(self) -> bytes | None:
        """See Store."""
        with self._opened() as folder:
            return folder.read(self.path.name, JOURNAL)

    def preview(self) -> bytes | None:
        """See Store."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.lock import held_by

        try:
            with StateDir.opened(self.folder) as folder:
                folder.check_writable()
                held_by(folder, self._lock_file)  # raises where it could not be taken
                return folder.read(self.path.name, JOURNAL)
        except FileNotFoundError:
            check_could_be_made(self.folder)
            return None

    def holder(self) -> str:
        """See Store."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._state.lock import held_by

        with suppress(OSError, StateDirError), StateDir.opened(self.folder) as folder:
            return held_by(folder, self._lock_file)
        return ""

    def save(self, journal: bytes | None = None, written: bytes | None = None, ledger: bytes | None = None) -> None:
        """See Store.

        The ledger comes first: whoever finds the journal finds in it whose the values are. That the journal cannot be
        written counts for more than that the memory cannot.
        """
        if ledger is not None:
            self._replace(LEDGER, self._ledger_name, ledger)
        not_remembered: StateError | None = None
        if written is not None:
            try:
                self._replace(MEMORY, self._written_name, written, lasting=False)
            except StateError as error:
                not_remembered = error
        if journal is not None:
            self._replace(JOURNAL, self.path.name, journal)
        # For those who have read before what is written next, and wait for the lock: this run may be killed.
        if self._descriptor >= 0:
            _stamp(self._descriptor)
        if not_remembered:
            raise NotRemembered(str(not_remembered)) from not_remembered

    def _replace(self, what: str, name: str, content: bytes, *, lasting: bool = True) -> None:
        """Replace a file whole, or remove it where it is to have no content."""
        try:
            with self._opened() as folder:
                if content:
                    folder.replace(name, content, lasting=lasting)
                else:
                    folder.remove(name)
        except OSError as error:
            raise StateDirError(f"{what} {self.folder / name} cannot be written, {error.strerror}") from error

    def put_aside(self, kind: str, content: bytes) -> str:
        """See Store."""
        try:
            with self._opened() as folder:
                return str(folder.keep(f"{self._stem}.{kind}", content))
        except OSError as error:
            raise StateDirError(f"the journal {self.path} cannot be put aside, {error.strerror}") from error

    def tell(self, state: str) -> None:
        """See Store. Nobody listens to a folder."""

    def ends_early(self) -> str:
        """See Store. A job of CI takes its machine along, a container its layers, and a machine its memory."""
        if os.environ.get("CI"):
            return f"state_dir {self.folder} is on the machine of a CI job"
        kind = file_system(self.folder)
        return f"state_dir {self.folder} is on {kind}" if kind in SHORT_LIVED else ""

    def close(self) -> None:
        """See Store. Nothing is."""

    @contextmanager
    def _opened(self) -> Iterator[StateDir]:
        if self._open:
            yield self._open
        else:
            with StateDir.opened(self.folder) as folder:
                yield folder


def file_system(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """The kind of file system that a folder is on, or would be made on; empty where the system does not tell."""
    try:
        there = next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())
        device = there.stat().st_dev
        lines = [line.split() for line in mounts.read_text("utf-8", "replace").splitlines()]
    except (OSError, StopIteration):
        return ""
    number = f"{os.major(device)}:{os.minor(device)}"
    kinds = [line[line.index("-") + 1] for line in lines if number in line and "-" in line[:-1]]
    return kinds[-1] if kinds else ""


def _stamp(descriptor: int) -> int:
    now = time.time_ns()  # the kernel's own clock for files is coarser than a request is long
    os.utime(descriptor, ns=(now, now))
    return os.fstat(descriptor).st_mtime_ns


def _is_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False
