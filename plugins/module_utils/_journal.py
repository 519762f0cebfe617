# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock and the write-ahead journal of one zone, as files in ``state_dir``.

One lock file and one journal file for each service and zone. The lock file's time of change is the time of the last
write under the lock, so that whoever read the zone earlier knows that the reading is outdated. The journal holds the
sets that a run is about to delete, before and after, and exists only while one of them may be incomplete.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import RecordSet, visible

FORMAT = 1


class StateDirError(Exception):
    """``state_dir`` cannot be used, or must not be; says which file and what to do."""


@dataclass(frozen=True)
class Entry:
    """One set that a run deletes on its way, before and after, with canonical values."""

    key: tuple[str, str]
    before: RecordSet | None
    after: RecordSet | None


class Journal:
    """The lock and the journal of the zone *zone* (canonical) of the service at *base_url*.

    What the user should know goes to *warnings*.
    """

    def __init__(self, state_dir: str, base_url: str, zone: str, warnings: list[str] | None = None):
        if not _is_path(state_dir):
            raise StateDirError(f"state_dir {visible(state_dir)} is not a path")
        self._folder = Path(os.path.expanduser(state_dir))
        # The hash is what tells zones apart, the name is for people; cut, because a file name has at most 255 bytes.
        readable = quote(zone.rstrip("."), safe="")[:150]
        stem = f"{sha256(f'{base_url} {zone}'.encode()).hexdigest()[:16]}-{readable}"
        self._lock_file = self._folder / f"{stem}.lock"
        self._file = self._folder / f"{stem}.json"
        self.released = 0
        self.warnings = [] if warnings is None else warnings

    @property
    def path(self) -> Path:
        """Where the journal is while there is one."""
        return self._file

    def last_write(self) -> int:
        """When somebody last wrote to the zone under the lock, in nanoseconds; 0 where nobody did."""
        try:
            return self._lock_file.stat().st_mtime_ns
        except OSError:
            return 0

    @contextmanager
    def lock(self) -> Iterator[int]:
        """The exclusive lock on the zone, for as long as the context lasts; gives the last write before it.

        Afterwards ``released`` is what ``last_write`` says until somebody else takes the lock. Raises StateDirError.
        """
        self._make_folder()
        descriptor = self._open_lock_file()
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            except OSError as error:
                reason = f"{self._lock_file} cannot be locked, {error.strerror}; set state_dir to a local folder"
                raise StateDirError(reason) from error
            last_write = os.fstat(descriptor).st_mtime_ns
            # At the start for those who read while this run writes and dies, at the end for all others.
            _stamp(descriptor)
            yield last_write
        finally:
            self.released = _stamp(descriptor)
            os.close(descriptor)

    def is_locked(self) -> bool:
        """Whether somebody holds the lock now, so that the journal is theirs."""
        try:
            descriptor = os.open(self._lock_file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(descriptor)
        return False

    def exists(self) -> bool:
        """Whether there is a journal, of a run that was interrupted or of one that is under way."""
        return os.path.exists(self._file)

    def write(self, entries: Iterable[Entry]) -> None:
        """Replace the journal by these entries, or remove it where there are none. Raises StateDirError."""
        held = [asdict(entry) for entry in entries]
        try:
            if held:
                self._write_durably(json.dumps({"format": FORMAT, "entries": held}).encode())
            else:
                self._file.unlink(missing_ok=True)
                self._sync_folder()
        except OSError as error:
            raise StateDirError(f"the journal {self._file} cannot be written, {error.strerror}") from error

    def pending(self, *, put_aside: bool) -> list[Entry]:
        """What an interrupted run left. Raises StateDirError where the file cannot even be opened.

        A journal that makes no sense is worth a warning, and is put aside where *put_aside* says so; it stops no run.
        """
        try:
            text = self._file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StateDirError(f"the journal {self._file} cannot be read, {error.strerror}") from error
        try:
            held = json.loads(text)
            if held["format"] != FORMAT:
                raise ValueError("format")
            return [
                Entry(_key(entry["key"]), _record_set(entry["before"]), _record_set(entry["after"]))
                for entry in held["entries"]
            ]
        except (ValueError, TypeError, KeyError, RecursionError):
            kept_as = self._file
            if put_aside:
                kept_as = self._file.with_suffix(f".unreadable-{time.time_ns()}")
                self._file.rename(kept_as)
            self.warnings.append(
                f"the journal of an earlier run makes no sense and is kept as {kept_as}: check that the zone holds "
                "every set it should, then remove the file"
            )
            return []

    def _open_lock_file(self) -> int:
        # Not to be followed where somebody put a link in its place.
        flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            try:
                descriptor = os.open(self._lock_file, flags | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                return os.open(self._lock_file, flags)
        except OSError as error:
            raise StateDirError(f"the lock {self._lock_file} cannot be opened, {error.strerror}") from error
        os.utime(descriptor, ns=(0, 0))  # a new file is no write
        return descriptor

    def _make_folder(self) -> None:
        if str(self._folder).startswith("~"):
            raise StateDirError(f"state_dir {self._folder} cannot be made, there is no such user")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = self._folder.stat()
        except OSError as error:
            raise StateDirError(f"state_dir {self._folder} cannot be made, {error.strerror}") from error
        if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o022:
            raise StateDirError(
                f"state_dir {self._folder} belongs to another user or can be written by others: "
                "make it your own with mode 0700, or set state_dir to another folder"
            )

    def _write_durably(self, content: bytes) -> None:
        descriptor, temporary = tempfile.mkstemp(dir=self._folder, prefix=".journal-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self._file)
        except BaseException:
            os.unlink(temporary)
            raise
        self._sync_folder()

    def _sync_folder(self) -> None:
        descriptor = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _stamp(descriptor: int) -> int:
    now = time.time_ns()  # the kernel's own clock for files is coarser than a request is long
    os.utime(descriptor, ns=(now, now))
    return os.fstat(descriptor).st_mtime_ns


def _is_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _key(held: list[Any]) -> tuple[str, str]:
    name, rdtype = held
    return str(name), str(rdtype)


def _record_set(held: dict[str, Any] | None) -> RecordSet | None:
    if held is None:
        return None
    contents = held["contents"]
    if not (isinstance(contents, list) and all(isinstance(content, str) for content in contents)):
        raise ValueError("contents")
    return RecordSet(str(held["name"]), str(held["type"]), int(held["ttl"]), tuple(contents))
