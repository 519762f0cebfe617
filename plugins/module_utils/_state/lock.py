# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A file in ``state_dir`` as an exclusive lock, waited for with patience that ends, and a note in it of who holds it.

The note is for people, the lock itself is the kernel's: it ends with its holder, and no note is ever believed over it.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.printable import printable
from ansible_collections.zonesmith.dns.plugins.module_utils._machine import machine
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import StateDir, StateDirError
from ansible_collections.zonesmith.dns.plugins.module_utils._state.store import held_by_another, waits_for
from ansible_collections.zonesmith.dns.plugins.module_utils._telling import waiting

# Short, because between two of them the lock may lie idle; one length for all, so that who waits long is not worse off.
PAUSE = 0.02  # seconds
WHAT = "the lock"

_LONGEST_NOTE = 1000
_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


@dataclass(frozen=True)
class Holder:
    """Who holds a lock: the name of the machine, the process there, and since when, in UTC (ISO 8601)."""

    host: str
    pid: int
    since: str

    def __str__(self) -> str:
        return printable(f"host {self.host}, pid {self.pid}, since {self.since}")


@contextmanager
def held_lock(folder: StateDir, file: Path, timeout: float, zone: str = "") -> Iterator[int]:
    """The descriptor of a file in the folder, locked for as long as the context lasts; made if it is missing.

    Others are waited for at most *timeout* seconds; who watches is told that they hold *zone*. Raises StateDirError.
    """
    deadline = machine().monotonic() + timeout
    while True:
        descriptor = _open(folder, file)
        try:
            with waiting(partial(_told, descriptor, file, zone, timeout)):
                _wait(descriptor, file, deadline, timeout)
            if os.fstat(descriptor).st_nlink:
                yield descriptor
                return
            # Somebody removed the file while this run waited, and the next run will lock another one.
        finally:
            os.close(descriptor)


def held_by(folder: StateDir, file: Path) -> str:
    """Who holds the lock now, for people, and empty where nobody does. Raises StateDirError where the file is wrong."""
    try:
        descriptor = folder.open_file(file.name, WHAT, write=True)
    except FileNotFoundError:
        return ""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return str(holder_of(descriptor) or file)
    except OSError as error:
        raise _without_locks(file, error) from error
    finally:
        os.close(descriptor)
    return ""


def sign(descriptor: int) -> None:
    """Note in the locked file that this process holds it; on a full disk there is no note."""
    holder = Holder(os.uname().nodename, os.getpid(), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(asdict(holder)).encode(), 0)


def unsign(descriptor: int) -> None:
    """Take the note back."""
    with suppress(OSError):
        os.ftruncate(descriptor, 0)


def holder_of(descriptor: int) -> Holder | None:
    """Who says in the file that he holds it; None where nobody does, or in no way that can be understood."""
    try:
        note = json.loads(os.pread(descriptor, _LONGEST_NOTE, 0))
        host, pid, since = note["host"], note["pid"], note["since"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    is_number = isinstance(pid, int) and not isinstance(pid, bool)
    understood = isinstance(host, str) and len(host) <= 255 and is_number and isinstance(since, str)
    return Holder(host, pid, since) if understood and re.fullmatch(_TIME, since) else None


def _open(folder: StateDir, file: Path) -> int:
    while True:
        try:
            descriptor = folder.create_file(file.name)
        except FileExistsError:
            with suppress(FileNotFoundError):  # removed meanwhile
                return folder.open_file(file.name, WHAT, write=True)
        except OSError as error:
            folder.check_writable()
            raise StateDirError(f"{WHAT} {file} cannot be made, {error.strerror}") from error
        else:
            os.utime(descriptor, ns=(0, 0))  # a new file is no write
            return descriptor


def _told(descriptor: int, file: Path, zone: str, timeout: float) -> str:
    return waits_for(zone, str(holder_of(descriptor) or file), timeout)


def _wait(descriptor: int, file: Path, deadline: float, timeout: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            remaining = deadline - machine().monotonic()
            if remaining <= 0:
                holder = holder_of(descriptor) or file
                raise held_by_another(str(holder), timeout) from error
            machine().sleep(min(PAUSE, remaining))
        except OSError as error:
            raise _without_locks(file, error) from error
        else:
            return


def _without_locks(file: Path, error: OSError) -> StateDirError:
    return StateDirError(f"{file} cannot be locked, {error.strerror}; set state_dir to a local folder")
