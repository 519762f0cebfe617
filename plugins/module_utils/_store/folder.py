# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock and the document of a zone as two files in ``state_dir``: a Store.

The lock is the kernel's and ends with its holder. The note in its file of who that is is for people, and never believed
over it.
"""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._log.document import Document
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._store.state_dir import StateDir, StateDirError
from ansible_collections.zonesmith.dns.plugins.module_utils._store.store import (
    LONGEST_HOLDER,
    believed,
    content_of,
    held_by_another,
    not_held,
    this_run,
    waits_for,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import waiting

LOCK_TIMEOUT = 600.0
DOCUMENT = "the document of the zone"
# Short, because between two of them the lock may lie idle; one length for all, so that who waits long is not worse off.
PAUSE = 0.02  # seconds
LOCK = "the lock"
_NOTE = re.compile(r"host \S+, pid \d+, since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
SHORT_LIVED = frozenset({"overlay", "tmpfs", "ramfs", "aufs"})


class FolderStore:
    """A Store in the folder *state_dir*, for the zone *zone* (canonical) of the service at *base_url*.

    The lock is waited for at most *lock_timeout* seconds; it is the kernel's, and held until this process ends or lets
    go of it.
    """

    def __init__(self, state_dir: str, base_url: str, zone: str, lock_timeout: float = LOCK_TIMEOUT):
        """Raises StateDirError where *state_dir* is no path."""
        if not _is_path(state_dir):
            raise StateDirError(f"state_dir {printable(state_dir)} is not a path")
        self._folder = Path(os.path.expanduser(state_dir))
        # The hash is what tells zones apart, the name is for people; cut, because a file name has at most 255 bytes.
        readable = quote(zone.rstrip("."), safe="")[:150]
        self._stem = f"{sha256(f'{base_url} {zone}'.encode()).hexdigest()[:16]}-{readable}"
        self._zone = zone
        self._lock_timeout = lock_timeout
        self._held: StateDir | None = None
        self.place = str(self._folder / self._name)
        self.warnings: list[str] = []
        self.ahead = 0.0

    @property
    def _name(self) -> str:
        return f"{self._stem}.json"

    def load(self) -> Document:
        """See Store. A folder that is missing has no documents."""
        try:
            with StateDir.opened(self._folder) as folder:
                return self._document(folder)
        except FileNotFoundError:
            return Document()

    @contextmanager
    def lock(self) -> Iterator[Document]:
        """See Store."""
        with (
            StateDir.opened(self._folder, make=True) as folder,
            _held_lock(folder, f"{self._stem}.lock", self._lock_timeout, self._zone),
        ):
            folder.check_writable()
            document = self._document(folder, partial(self._put_aside, folder))
            self._held = folder
            try:
                yield document
            finally:
                self._held = None

    def save(self, document: Document) -> None:
        """See Store."""
        if self._held is None:
            raise not_held()
        content = content_of(document, self.place)
        try:
            self._held.replace(self._name, content)
        except OSError as error:
            raise StateDirError(f"{DOCUMENT} {self.place} cannot be written, {error.strerror}") from error

    def check_held(self) -> None:
        """See Store."""
        if self._held is None:
            raise not_held()

    def notify(self, state: str) -> None:
        """See Store. Nobody listens to a folder."""

    def _document(self, folder: StateDir, put_aside: Callable[[], str] | None = None) -> Document:
        return believed(self, folder.read(self._name, DOCUMENT), self._zone, machine().time(), put_aside)

    def _put_aside(self, folder: StateDir) -> str:
        try:
            return str(folder.rename(self._name, f"{self._stem}.aside-{time.time_ns()}"))
        except OSError as error:
            raise StateDirError(f"{DOCUMENT} {self.place} cannot be put aside, {error.strerror}") from error


def short_lived(state_dir: str) -> str:
    """Why what a folder keeps may be gone before the next run needs it; empty where nothing speaks for that.

    A job of CI takes its machine along, a container its layers, and a machine its memory.
    """
    folder = Path(os.path.expanduser(state_dir))
    if os.environ.get("CI"):
        return f"state_dir {folder} is on the machine of a CI job"
    kind = file_system(folder)
    return f"state_dir {folder} is on {kind}" if kind in SHORT_LIVED else ""


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


@contextmanager
def _held_lock(folder: StateDir, name: str, timeout: float, zone: str) -> Iterator[None]:
    """A file in the folder, locked and signed for as long as the context lasts; made if it is missing.

    Others are waited for at most *timeout* seconds; who watches is told that they hold *zone*. Raises StateError.
    """
    deadline = machine().monotonic() + timeout
    while True:
        descriptor = _open(folder, name)
        try:
            with waiting(partial(_waits_for, descriptor, zone, timeout)):
                _take(folder, name, descriptor, deadline, timeout)
            if os.fstat(descriptor).st_nlink:
                _sign(descriptor, this_run())
                try:
                    yield
                finally:
                    _sign(descriptor, "")
                return
            # Somebody removed the file while this run waited, and the next run will lock another one.
        finally:
            os.close(descriptor)


def _open(folder: StateDir, name: str) -> int:
    while True:
        try:
            return folder.create_file(name)
        except FileExistsError:
            with suppress(FileNotFoundError):  # removed meanwhile
                return folder.open_file(name, LOCK, write=True)
        except OSError as error:
            folder.check_writable()
            raise StateDirError(f"{LOCK} {folder.path / name} cannot be made, {error.strerror}") from error


def _take(folder: StateDir, name: str, descriptor: int, deadline: float, timeout: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            remaining = deadline - machine().monotonic()
            if remaining <= 0:
                raise held_by_another(_holder(descriptor), timeout) from error
            machine().sleep(min(PAUSE, remaining))
        except OSError as error:
            path = folder.path / name
            raise StateDirError(
                f"{path} cannot be locked, {error.strerror}; set state_dir to a local folder"
            ) from error
        else:
            return


def _sign(descriptor: int, note: str) -> None:
    """Note who holds the lock; on a full disk there is no note."""
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, note.encode(), 0)


def _holder(descriptor: int) -> str:
    """Who says in the file that he holds it, if that is as a run says it."""
    try:
        note = os.pread(descriptor, LONGEST_HOLDER, 0).decode()
    except (OSError, ValueError):
        note = ""
    return note if _NOTE.fullmatch(note) else "unknown"


def _waits_for(descriptor: int, zone: str, timeout: float) -> str:
    return waits_for(zone, _holder(descriptor), timeout)


def _is_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False
