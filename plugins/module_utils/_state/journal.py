# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock and the write-ahead journal of one zone, as files in ``state_dir``.

One lock file and one journal file for each service and zone. The lock file's time of change is the time of the last
write under the lock, so that whoever read the zone earlier knows that the reading is outdated. The journal holds the
sets that a run is about to delete, before and after, and exists only while one of them may be incomplete. What was
written last is in a third file, which is of use for a minute.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import Key, RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._dns.shown import SHOWN_CHARACTERS, visible
from ansible_collections.zonesmith.dns.plugins.module_utils._state.lock import held_lock, is_locked, sign, unsign
from ansible_collections.zonesmith.dns.plugins.module_utils._state.state_dir import (
    LARGEST_FILE,
    StateDir,
    StateDirError,
    check_could_be_made,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._state.written import LastWrites, last_writes

FORMAT = 1
LOCK_TIMEOUT = 600.0
SHOWN_REASONS = 20


@dataclass(frozen=True)
class Entry:
    """One set that a run deletes on its way, before and after, with canonical values."""

    key: Key
    before: RecordSet | None
    after: RecordSet | None
    at: float = field(default_factory=time.time, compare=False)
    """When it was written, in seconds since 1970; everything after that may have happened."""

    def as_written(self) -> dict[str, Any]:
        """The entry as the journal holds it."""
        sides = {"before": self.before, "after": self.after}
        return {"key": self.key, **{side: held and held.as_result() for side, held in sides.items()}, "at": self.at}

    @property
    def deletes(self) -> bool:
        """Whether the set is deleted on the way, and not only added to."""
        if self.before is None or self.after is None:
            return self.before is not None
        return self.before.ttl != self.after.ttl or not set(self.before.values) <= set(self.after.values)

    @property
    def age(self) -> float:
        """Seconds since it was written; none where the clock was set back."""
        return max(0.0, time.time() - self.at)


Check = Callable[[Any], Entry]
"""What turns an entry as it stands in a journal into one that can be believed, or raises ValueError."""


class Journal:
    """The lock and the journal of the zone *zone* (canonical) of the service at *base_url*.

    The lock is waited for at most *lock_timeout* seconds. What the user should know goes to *warnings*.
    """

    def __init__(
        self,
        state_dir: str,
        base_url: str,
        zone: str,
        warnings: list[str] | None = None,
        lock_timeout: float = LOCK_TIMEOUT,
    ):
        if not _is_path(state_dir):
            raise StateDirError(f"state_dir {visible(state_dir)} is not a path")
        self._folder = Path(os.path.expanduser(state_dir))
        # The hash is what tells zones apart, the name is for people; cut, because a file name has at most 255 bytes.
        readable = quote(zone.rstrip("."), safe="")[:150]
        self._stem = f"{sha256(f'{base_url} {zone}'.encode()).hexdigest()[:16]}-{readable}"
        self._name = f"{self._stem}.json"
        self._lock_file = self._folder / f"{self._stem}.lock"
        self._written_name = f"{self._stem}.written"
        self._lock_timeout = lock_timeout
        self._open: StateDir | None = None
        self.released = 0
        self.warnings = [] if warnings is None else warnings

    @property
    def path(self) -> Path:
        """Where the journal is while there is one."""
        return self._folder / self._name

    def last_write(self) -> int:
        """When somebody last wrote to the zone under the lock, in nanoseconds; 0 where nobody did."""
        try:
            with self._opened() as folder:
                return folder.modified(self._lock_file.name)
        except (OSError, StateDirError):
            return 0

    @contextmanager
    def lock(self) -> Iterator[int]:
        """The exclusive lock on the zone, for as long as the context lasts; gives the last write before it.

        Afterwards ``released`` is what ``last_write`` says until somebody else takes the lock. Raises StateDirError.
        """
        with (
            StateDir.opened(self._folder, make=True) as folder,
            held_lock(folder, self._lock_file, self._lock_timeout) as descriptor,
        ):
            self._open = folder
            try:
                last_write = os.fstat(descriptor).st_mtime_ns
                sign(descriptor)
                # At the start for those who read while this run writes and dies, at the end for all others.
                _stamp(descriptor)
                yield last_write
            finally:
                self._open = None
                unsign(descriptor)
                self.released = _stamp(descriptor)

    def exists(self) -> bool:
        """Whether there is a journal, of a run that was interrupted or of one that is under way."""
        return os.path.lexists(self.path)

    def write(self, entries: Iterable[Entry]) -> None:
        """Replace the journal by these entries, or remove it where there are none. Raises StateDirError."""
        held = [entry.as_written() for entry in entries]
        content = json.dumps({"format": FORMAT, "entries": held}).encode() if held else b""
        if len(content) > LARGEST_FILE:
            limit = f"{LARGEST_FILE >> 20} MiB"
            raise StateDirError(f"the journal {self.path} would have more than {limit}: change fewer sets in one task")
        try:
            with self._opened() as folder:
                if held:
                    folder.replace(self._name, content)
                else:
                    folder.remove(self._name)
        except OSError as error:
            raise StateDirError(f"the journal {self.path} cannot be written, {error.strerror}") from error

    def last_writes(self) -> LastWrites:
        """What was written to the zone in the last minute; nothing where that cannot be told."""
        try:
            with self._opened() as folder:
                return last_writes(folder.read(self._written_name, "the note of what was written"))
        except (OSError, StateDirError):
            return LastWrites()

    def remember(self, writes: LastWrites) -> None:
        """Note what was written to the zone, for the holder of the lock; a full disk is no reason to fail."""
        content = writes.content()
        if len(content) <= LARGEST_FILE:
            with suppress(OSError, StateDirError), self._opened() as folder:
                folder.replace(self._written_name, content, lasting=False)

    def put_aside(self, entries: Iterable[Entry]) -> Path:
        """Keep entries that no run shall complete in a file of their own, and give its path. Raises StateDirError."""
        content = json.dumps({"format": FORMAT, "entries": [entry.as_written() for entry in entries]}).encode()
        return self._keep(f"{self._stem}.aside", content)

    def pending(self, check: Check) -> list[Entry]:
        """What an interrupted run left, as far as *check* takes it; for the holder of the lock. Raises StateDirError.

        A journal that makes no sense, and one with entries that *check* refuses, are put aside with a warning; they
        stop no run, and what else they hold counts.
        """
        with self._opened() as folder:
            content = folder.read(self._name, "the journal")
            left = _read(content, check)
            if content is not None and left.problem:
                kept_as = self._keep(f"{self._stem}.unreadable", content)
                self.write(left.entries)
                self.warnings.append(left.warning(kept_as))
        return left.entries

    def preview(self, check: Check) -> list[Entry]:
        """What ``pending`` would give under the lock, found out by reading; nothing while somebody holds the lock.

        Raises StateDirError where ``lock`` would, but for the waiting.
        """
        try:
            with StateDir.opened(self._folder) as folder:
                folder.check_writable()
                if is_locked(folder, self._lock_file):
                    return []
                left = _read(folder.read(self._name, "the journal"), check)
        except FileNotFoundError:
            check_could_be_made(self._folder)
            return []
        if left.problem:
            self.warnings.append(left.warning(self.path))
        return left.entries

    def _keep(self, name: str, content: bytes) -> Path:
        try:
            with self._opened() as folder:
                return folder.keep(name, content)
        except OSError as error:
            raise StateDirError(f"the journal {self.path} cannot be put aside, {error.strerror}") from error

    @contextmanager
    def _opened(self) -> Iterator[StateDir]:
        if self._open:
            yield self._open
        else:
            with StateDir.opened(self._folder) as folder:
                yield folder


@dataclass(frozen=True)
class _Left:
    """What a journal holds: the entries that can be believed, and what is wrong with the rest."""

    entries: list[Entry] = field(default_factory=list)
    problem: str = ""

    def warning(self, kept_as: Path) -> str:
        """What to tell the user, whose journal is now at *kept_as*."""
        return (
            f"{self.problem} and is kept as {kept_as}: check that the zone holds every set it should, "
            "then remove the file"
        )


def _read(content: bytes | None, check: Check) -> _Left:
    if content is None:
        return _Left()
    try:
        held = json.loads(content)
        if held["format"] != FORMAT or not isinstance(held["entries"], list):
            raise ValueError("format")
    except (ValueError, TypeError, KeyError, RecursionError):
        return _Left(problem="the journal of an earlier run makes no sense")
    entries: dict[Key, Entry] = {}
    reasons: list[str] = []
    for index, written in enumerate(held["entries"]):
        try:
            entry = check(written)
            if entry.key in entries:
                raise ValueError(f"{' '.join(entry.key)}: it is listed twice")
            entries[entry.key] = entry
        except ValueError as error:
            reasons.append(f"entries[{index}] {visible(str(error))[:SHOWN_CHARACTERS]}")
    if not reasons:
        return _Left(list(entries.values()))
    shown = reasons[:SHOWN_REASONS] + [f"and {len(reasons) - SHOWN_REASONS} more"] * (len(reasons) > SHOWN_REASONS)
    problem = f"the journal of an earlier run has entries that no run would write ({'; '.join(shown)})"
    return _Left(list(entries.values()), problem)


def _stamp(descriptor: int) -> int:
    now = time.time_ns()  # the kernel's own clock for files is coarser than a request is long
    os.utime(descriptor, ns=(now, now))
    return os.fstat(descriptor).st_mtime_ns


def _is_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False
