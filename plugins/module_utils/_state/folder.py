# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A Store of two files in ``state_dir``, the lock and the document of a zone.

The lock is the kernel's and ends with its holder. The note in it is for people only.

Files that others may have put there are not used. A path can change between check and use if others
can write to a parent, so the folder is opened once and checked, and its files are reached through
its descriptor and checked too.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from .._log.document import Document
from .._machine import machine
from .._telling import waiting
from .store import (
    LARGEST,
    StateError,
    believed,
    content_of,
    held_by_another,
    not_held,
    this_holder,
    waits_for,
)

LOCK_TIMEOUT = 600.0
DOCUMENT = "the document of the zone"
PAUSE = 0.02
"""Seconds. Short, since the lock may be free meanwhile, and the same for all who wait."""

MOUNTS = Path("/proc/self/mountinfo")
IN_CONTAINERS_OR_MEMORY = ("overlay", "fuse.fuse-overlayfs", "tmpfs", "ramfs")
"""Kinds of file systems that end with a container or a machine."""

_OTHERS_WRITE = 0o022
_ELSEWHERE = (
    "set state_dir, or the environment variable ZONESMITH_STATE_DIR, to a folder of your own, or "
    "keep the state in a database with state_url"
)
# So that a FIFO does not block.
_AS_IT_IS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class StateDir:
    """The open folder. *what* a file is appears in errors."""

    def __init__(self, path: Path, descriptor: int):
        self.path = path
        self._descriptor = descriptor

    @classmethod
    @contextmanager
    def opened(cls, path: Path, *, make: bool = False) -> Iterator[StateDir]:
        """*make* creates the folder and its parents. Raises StateError, FileNotFoundError."""
        descriptor = _open(path, make=make)
        try:
            status = os.fstat(descriptor)
            if status.st_uid != os.geteuid() or status.st_mode & _OTHERS_WRITE:
                raise StateError(
                    f"state_dir {path} belongs to another user or can be written by others: "
                    "make it your own with mode 0700, or set state_dir to another folder"
                )
            yield cls(path, descriptor)
        finally:
            os.close(descriptor)

    def open_file(self, name: str, what: str, *, write: bool = False) -> int:
        """An existing file of ours alone. Raises StateError, FileNotFoundError."""
        path = self.path / name
        access = os.O_RDWR if write else os.O_RDONLY
        try:
            descriptor = os.open(name, access | _AS_IT_IS, dir_fd=self._descriptor)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StateError(
                f"{what} {path} cannot be opened: {error.strerror}: find out who created it, and "
                "remove it"
            ) from error
        if not _is_ours(os.fstat(descriptor), write=write):
            os.close(descriptor)
            raise StateError(
                f"{what} {path} is not a file of yours alone: find out who created it, and remove "
                "it"
            )
        return descriptor

    def create_file(self, name: str) -> int:
        """Raises OSError, FileExistsError."""
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _AS_IT_IS
        return os.open(name, flags, 0o600, dir_fd=self._descriptor)

    def read(self, name: str) -> bytes | None:
        """None if the file is missing. Raises StateError."""
        try:
            descriptor = self.open_file(name, DOCUMENT)
        except FileNotFoundError:
            return None
        try:
            with os.fdopen(descriptor, "rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise StateError(
                f"{DOCUMENT} {self.path / name} cannot be read: {error.strerror}"
            ) from error
        if len(content) > LARGEST:
            raise StateError(
                f"{DOCUMENT} {self.path / name} has more than {LARGEST >> 20} MiB: find out who "
                "created it, and remove it"
            )
        return content

    def has(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return os.access(name, os.F_OK, dir_fd=self._descriptor)

    def replace(self, name: str, content: bytes) -> None:
        """Replace a file's content atomically. Raises OSError."""
        temporary = f".{name}.new"
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=self._descriptor)  # of a run that was killed
        try:
            with os.fdopen(self.create_file(temporary), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=self._descriptor)
            raise
        os.fsync(self._descriptor)

    def rename(self, name: str, to: str) -> Path:
        """Rename to an unused name. Raises OSError."""
        os.rename(name, to, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        os.fsync(self._descriptor)
        return self.path / to


def _open(path: Path, *, make: bool) -> int:
    if str(path).startswith("~"):
        raise StateError(
            f"state_dir {path} cannot be used: there is no such home folder: {_ELSEWHERE}"
        )
    try:
        if make and not path.exists():
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | _AS_IT_IS)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not make:
            raise
        reason = f"cannot be used: {error.strerror}: {_ELSEWHERE}"
        if os.path.islink(path):
            reason = "is a link: set state_dir to the folder it leads to"
        raise StateError(f"state_dir {path} {reason}") from error


def check_writable(state_dir: str) -> None:
    """Raises StateError if nothing can be created in the folder, or the folder itself."""
    folder = Path(os.path.expanduser(state_dir))
    there = _existing(folder)
    if os.access(there, os.W_OK | os.X_OK, effective_ids=True):
        return
    raise StateError(f"state_dir {folder} cannot be used: Permission denied: {_ELSEWHERE}")


def _is_ours(status: os.stat_result, *, write: bool) -> bool:
    """Whether it is a regular file that only we can write, under this name alone if we *write*."""
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
        return False
    has_other_names = write and status.st_nlink > 1
    return not (status.st_mode & _OTHERS_WRITE or has_other_names)


class FolderStore:
    """Waits at most *lock_timeout* seconds for the lock."""

    def __init__(
        self, state_dir: str, base_url: str, zone: str, lock_timeout: float = LOCK_TIMEOUT
    ):
        self._folder = Path(os.path.expanduser(state_dir))
        # The hash identifies the zone. The name is for people, cut since a file name has at most 255 bytes.
        readable = quote(zone.rstrip("."), safe="")[:150]
        of_zone = f"{base_url} {zone}"
        digest = sha256(of_zone.encode()).hexdigest()
        self._zone = zone
        self._lock_timeout = lock_timeout
        self._held: StateDir | None = None
        self.place = str(self._folder / f"{digest[:16]}-{readable}.json")
        self.warnings: list[str] = []
        self.ahead = 0.0

    def load(self) -> Document:
        """See Store. A missing folder has no documents."""
        try:
            with StateDir.opened(self._folder) as folder:
                return self._document(folder)
        except FileNotFoundError:
            return Document()

    @contextmanager
    def lock(self) -> Iterator[Document]:
        """See Store."""
        with StateDir.opened(self._folder, make=True) as folder:
            check_writable(str(self._folder))
            with _held_lock(folder, self._name(".lock"), self._lock_timeout, self._zone):
                self._held = folder
                try:
                    yield self._document(folder, partial(self._put_aside, folder))
                finally:
                    self._held = None

    def save(self, document: Document) -> None:
        """See Store."""
        if self._held is None:
            raise not_held()
        content = content_of(document, self._zone, self.place)
        try:
            self._held.replace(self._name(), content)
        except OSError as error:
            raise StateError(
                f"{DOCUMENT} {self.place} cannot be written: {error.strerror}"
            ) from error

    def check_held(self) -> None:
        """See Store."""
        if self._held is None:
            raise not_held()

    def _name(self, suffix: str = ".json") -> str:
        """The name of the document, or of a file beside it."""
        return Path(self.place).with_suffix(suffix).name

    def _document(self, folder: StateDir, put_aside: Callable[[], str] | None = None) -> Document:
        content = folder.read(self._name())
        name = self._name(".aside")
        aside = str(folder.path / name) if folder.has(name) else ""
        return believed(self, content, self._zone, machine().time(), aside, put_aside)

    def _put_aside(self, folder: StateDir) -> str:
        """Move a damaged document to a file of its own. Raises StateError."""
        aside = self._name(".aside")
        if folder.has(aside):
            aside = f"{aside}-{time.time_ns()}"
        try:
            return str(folder.rename(self._name(), aside))
        except OSError as error:
            raise StateError(
                f"{DOCUMENT} {self.place} cannot be moved: {error.strerror}"
            ) from error


def short_lived(state_dir: str) -> str:
    """Why the folder may not outlast the run (a CI job, a container, memory), or nothing."""
    folder = Path(os.path.expanduser(state_dir))
    if os.environ.get("CI"):
        return f"state_dir {folder} is on the machine of a CI job"
    kind = file_system(_existing(folder))
    if kind in IN_CONTAINERS_OR_MEMORY:
        return f"state_dir {folder} is on {kind}"
    return ""


def file_system(there: Path) -> str:
    """The kind of the file system that a path is on; empty if unknown (proc(5), mountinfo)."""
    with suppress(OSError):
        device = os.stat(there).st_dev
        number = f"{os.major(device)}:{os.minor(device)}"
        text = MOUNTS.read_text("utf-8", "replace")
        found = re.search(rf" {number} .* - (\S+)", text)
        if found:
            return found[1]
    return ""


def _existing(folder: Path) -> Path:
    """The folder itself, or the nearest one above it that exists."""
    there = folder.absolute()
    while not os.path.lexists(there):
        there = there.parent
    return there


@contextmanager
def _held_lock(folder: StateDir, name: str, timeout: float, zone: str) -> Iterator[None]:
    """Raises StateError."""
    deadline = machine().monotonic() + timeout
    while True:
        descriptor = _open_lock(folder, name)
        try:
            with waiting(lambda: waits_for(zone, _holder(descriptor), timeout)):  # noqa: B023
                _take_lock(folder.path / name, descriptor, deadline, timeout)
            if os.fstat(descriptor).st_nlink == 0:
                continue  # somebody removed the file, and the next run would lock another one
            _sign(descriptor, this_holder())
            try:
                yield
            finally:
                _sign(descriptor, "")
            return
        finally:
            os.close(descriptor)


def _open_lock(folder: StateDir, name: str) -> int:
    while True:
        try:
            return folder.create_file(name)
        except FileExistsError:
            with suppress(FileNotFoundError):  # removed meanwhile
                return folder.open_file(name, "the lock", write=True)
        except OSError as error:
            raise StateError(
                f"the lock {folder.path / name} cannot be created: {error.strerror}: {_ELSEWHERE}"
            ) from error


def _take_lock(path: Path, descriptor: int, deadline: float, timeout: float) -> None:
    """Raises StateError."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if machine().monotonic() >= deadline:
                raise held_by_another(_holder(descriptor), timeout) from error
            machine().sleep(PAUSE)
        except OSError as error:
            raise StateError(
                f"{path} cannot be locked: {error.strerror}; set state_dir to a local folder"
            ) from error
        else:
            return


def _sign(descriptor: int, note: str) -> None:
    """Note who holds the lock, unless the disk is full."""
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, note.encode(), 0)


def _holder(descriptor: int) -> str:
    """Who holds the lock, as noted there."""
    with suppress(OSError):
        note = os.pread(descriptor, 400, 0).decode(errors="replace")
        if note:
            return note
    return "unknown"
