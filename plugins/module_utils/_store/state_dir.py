# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folder ``state_dir``, of which nothing is used that somebody else may have put there.

What a path leads to can change between a check and a use, wherever somebody else can write to a parent. So the folder
is opened once, checked as it was opened, and every file in it is reached through its descriptor and checked likewise.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ansible_collections.zonesmith.dns.plugins.module_utils._store.store import LARGEST, StateError

_OTHERS_WRITE = 0o022
_ELSEWHERE = "set state_dir to a folder of your own"
# Not to wait for the other end of a FIFO.
_AS_IT_IS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class StateDirError(StateError):
    """``state_dir`` cannot be used, or must not be; says which file and what to do."""


class StateDir:
    """The open folder; files are named by their name in it, and by *what* they are to the reader of an error."""

    def __init__(self, path: Path, descriptor: int):
        self.path = path
        self._descriptor = descriptor

    @classmethod
    @contextmanager
    def opened(cls, path: Path, *, make: bool = False) -> Iterator[StateDir]:
        """The folder at *path*, for as long as the context lasts; with *make* it and its parents are made if missing.

        Raises StateDirError, and FileNotFoundError where it is missing and not to be made.
        """
        descriptor = _open(path, make=make)
        try:
            status = os.fstat(descriptor)
            if status.st_uid != os.geteuid() or status.st_mode & _OTHERS_WRITE:
                raise StateDirError(
                    f"state_dir {path} belongs to another user or can be written by others: "
                    "make it your own with mode 0700, or set state_dir to another folder"
                )
            yield cls(path, descriptor)
        finally:
            os.close(descriptor)

    def check_writable(self) -> None:
        """Whether files can be made in it, found out without making one. Raises StateDirError."""
        if not os.access(".", os.W_OK | os.X_OK, dir_fd=self._descriptor, effective_ids=True):
            raise StateDirError(f"state_dir {self.path} cannot be written to: give it mode 0700")

    def open_file(self, name: str, what: str, *, write: bool = False) -> int:
        """The descriptor of a file that is there, and ours alone. Raises StateDirError, FileNotFoundError."""
        path = self.path / name
        try:
            descriptor = os.open(name, (os.O_RDWR if write else os.O_RDONLY) | _AS_IT_IS, dir_fd=self._descriptor)
        except FileNotFoundError:
            raise
        except OSError as error:
            if os.path.islink(path):
                raise StateDirError(f"{what} {path} is a link: find out who made it, and remove it") from error
            raise StateDirError(f"{what} {path} cannot be opened, {error.strerror}: remove it") from error
        wrong = _wrong_with(os.fstat(descriptor), write=write)
        if wrong:
            os.close(descriptor)
            raise StateDirError(f"{what} {path} {wrong}: find out who made it, and remove it")
        return descriptor

    def create_file(self, name: str) -> int:
        """The descriptor of a new file that only we can read. Raises OSError, FileExistsError where there is one."""
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _AS_IT_IS
        return os.open(name, flags, 0o600, dir_fd=self._descriptor)

    def read(self, name: str, what: str) -> bytes | None:
        """What a file holds; None where there is none. Raises StateDirError."""
        try:
            descriptor = self.open_file(name, what)
        except FileNotFoundError:
            return None
        try:
            with os.fdopen(descriptor, "rb") as file:
                content = file.read(LARGEST + 1) if os.fstat(descriptor).st_size <= LARGEST else None
        except OSError as error:
            raise StateDirError(f"{what} {self.path / name} cannot be read, {error.strerror}") from error
        if content is None or len(content) > LARGEST:
            limit = f"{LARGEST >> 20} MiB"
            raise StateDirError(f"{what} {self.path / name} has more than {limit}: find out who made it, and remove it")
        return content

    def replace(self, name: str, content: bytes) -> None:
        """Give a file new content, so that whoever reads it sees the old or the new, whatever happens on the way.

        For the holder of the lock. Raises OSError.
        """
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
        """Give a file a name that no other has, and tell its path. For the holder of the lock. Raises OSError."""
        os.rename(name, to, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        os.fsync(self._descriptor)
        return self.path / to


def _open(path: Path, *, make: bool) -> int:
    _check_home(path)
    try:
        if make:
            _make(path)
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | _AS_IT_IS)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not make:
            raise
        if os.path.islink(path):
            raise StateDirError(f"state_dir {path} is a link: set state_dir to the folder it leads to") from error
        if os.path.lexists(path):
            raise StateDirError(f"state_dir {path} cannot be opened, {error.strerror}: {_ELSEWHERE}") from error
        parent = next(folder for folder in path.absolute().parents if os.path.lexists(folder))
        if not (parent.is_dir() and os.access(parent, os.W_OK | os.X_OK, effective_ids=True)):
            raise StateDirError(
                f"state_dir {path} cannot be made, {parent} cannot be written to: {_ELSEWHERE}"
            ) from error
        raise StateDirError(f"state_dir {path} cannot be made, {error.strerror}: {_ELSEWHERE}") from error


def _wrong_with(status: os.stat_result, *, write: bool) -> str:
    if not stat.S_ISREG(status.st_mode):
        return "is no regular file"
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & _OTHERS_WRITE:
        return "can be written by others"
    if write and status.st_nlink > 1:
        return "has a second name, a hard link"
    return ""


def _check_home(path: Path) -> None:
    user = path.parts[0] if path.parts else ""
    if user == "~":
        raise StateDirError(
            f"state_dir {path} cannot be made, this user has no home folder: "
            "set state_dir or HOME to a folder of your own"
        )
    if user.startswith("~"):
        raise StateDirError(f"state_dir {path} cannot be made, there is no such user: {_ELSEWHERE}")


def _make(path: Path) -> None:
    """Make a folder and its parents, all for ourselves alone."""
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        pass
    except FileNotFoundError:
        if path.parent == path:
            raise
        _make(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
