# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An exclusive lock on an open file, waited for with patience that ends, and a note in the file of who holds it.

The note is for people, the lock itself is the kernel's: it ends with its holder, and no note is ever believed over it.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import time
from contextlib import suppress
from dataclasses import asdict, dataclass

from ansible_collections.zonesmith.dns.plugins.module_utils._record_set import visible

# Short, because between two of them the lock may lie idle; one length for all, so that who waits long is not worse off.
PAUSE = 0.02

_LONGEST_NOTE = 1000
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True)
class Holder:
    """Who holds a lock: the name of the machine, the process there, and since when, in UTC (ISO 8601)."""

    host: str
    pid: int
    since: str

    def __str__(self) -> str:
        return visible(f"host {self.host}, pid {self.pid}, since {self.since}")


def wait_for_lock(descriptor: int, deadline: float) -> bool:
    """Lock the file, once others let go of it, but not after *deadline* (of the monotonic clock). Raises OSError."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(PAUSE, left))
        else:
            return True


def is_locked(descriptor: int) -> bool:
    """Whether somebody else holds the lock on the file now."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False


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
    understood = isinstance(host, str) and len(host) <= 255 and type(pid) is int and isinstance(since, str)
    return Holder(host, pid, since) if understood and _TIME.fullmatch(since) else None
